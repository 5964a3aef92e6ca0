//! Which encodings can read texts of other encodings.

#[cfg(feature = "east-asian")]
use super::{
    BIG5, BIG5_HKSCS, CP936, CP949, CP950, CP51932, EUC_JP, EUC_JP_MS, EUC_KR, GB2312, GB18030, GBK,
    SHIFT_JIS, WINDOWS_31J,
};
#[cfg(feature = "pages")]
use super::{
    CP10007, ISO_8859_1, ISO_8859_8, ISO_8859_9, ISO_8859_11, MAC_UK, TIS_620, WINDOWS_874, WINDOWS_1252,
    WINDOWS_1254, WINDOWS_1255,
};
use super::{Encoding, US_ASCII};

/// Pairs of encodings in which the second reads a text in the first as the same text, except for control characters and
/// a few symbols.
static READ_BY: &[&[(&Encoding, &Encoding)]] = &[
    #[cfg(feature = "pages")]
    &[
        (&ISO_8859_1, &WINDOWS_1252),
        (&ISO_8859_9, &WINDOWS_1254),
        (&ISO_8859_8, &WINDOWS_1255),
        (&TIS_620, &ISO_8859_11),
        (&TIS_620, &WINDOWS_874),
        (&ISO_8859_11, &WINDOWS_874),
        (&CP10007, &MAC_UK),
        (&MAC_UK, &CP10007),
    ],
    #[cfg(feature = "east-asian")]
    &[
        (&GB2312, &GBK),
        (&GB2312, &CP936),
        (&GB2312, &GB18030),
        (&GBK, &CP936),
        (&GBK, &GB18030),
        (&CP936, &GB18030),
        (&EUC_KR, &CP949),
        (&BIG5, &BIG5_HKSCS),
        (&BIG5, &CP950),
        (&CP950, &BIG5_HKSCS),
        (&SHIFT_JIS, &WINDOWS_31J),
        (&WINDOWS_31J, &SHIFT_JIS),
        (&EUC_JP, &EUC_JP_MS),
        (&EUC_JP, &CP51932),
        (&CP51932, &EUC_JP_MS),
    ],
];

impl Encoding {
    /// Whether this encoding reads a text in `other` as the same text, except for control characters and a few symbols.
    ///
    /// ```
    /// use utfconv_core::encodings::{ISO_8859_1, WINDOWS_1252};
    ///
    /// assert!(WINDOWS_1252.reads(&ISO_8859_1) && !ISO_8859_1.reads(&WINDOWS_1252));
    /// ```
    #[must_use]
    pub fn reads(&self, other: &Encoding) -> bool {
        other == &US_ASCII && self.is_ascii_compatible()
            || READ_BY.iter().copied().flatten().any(|(text, reader)| *text == other && *reader == self)
    }
}
