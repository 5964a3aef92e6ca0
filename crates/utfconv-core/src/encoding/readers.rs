//! Which encodings can read texts of other encodings.

use super::{Encoding, US_ASCII};

/// Pairs of encodings, by name, in which the second reads a text in the first as the same text, except for control characters and
/// a few symbols.
static READ_BY: &[(&str, &str)] = &[
    ("ISO-8859-1", "windows-1252"),
    ("ISO-8859-9", "windows-1254"),
    ("ISO-8859-8", "windows-1255"),
    ("TIS-620", "ISO-8859-11"),
    ("TIS-620", "windows-874"),
    ("ISO-8859-11", "windows-874"),
    ("CP10007", "MAC-UK"),
    ("MAC-UK", "CP10007"),
    ("GB2312", "GBK"),
    ("GB2312", "CP936"),
    ("GB2312", "GB18030"),
    ("GBK", "CP936"),
    ("GBK", "GB18030"),
    ("CP936", "GB18030"),
    ("EUC-KR", "CP949"),
    ("Big5", "Big5-HKSCS"),
    ("Big5", "CP950"),
    ("CP950", "Big5-HKSCS"),
    ("Shift_JIS", "windows-31j"),
    ("windows-31j", "Shift_JIS"),
    ("EUC-JP", "EUC-JP-MS"),
    ("EUC-JP", "CP51932"),
    ("CP51932", "EUC-JP-MS"),
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
        other == &US_ASCII && self.is_ascii_compatible() || READ_BY.contains(&(other.name(), self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_canonical() {
        for name in READ_BY.iter().flat_map(|(text, reader)| [*text, *reader]) {
            assert_eq!(Encoding::for_name(name).map(Encoding::name), Some(name));
        }
    }
}
