//! Names of encodings that several kinds of declarations have in common.

use super::Meaning;
use crate::encoding::pages::{ISO_8859_8, WINDOWS_1252};
use crate::encoding::{BIG5_HKSCS, CP949, EUC_JP_MS, Encoding, GB18030, SHIFT_JIS, UTF_8, WINDOWS_31J};

/// Whether two encodings are the same, except that one of them may leave the byte order to the BOM.
pub(super) fn is_same(declared: &'static Encoding, encoding: &'static Encoding) -> bool {
    declared == encoding
        || declared.orders().any(|order| order == encoding)
        || encoding.orders().any(|order| order == declared)
}

/// What a label means by the registry of IANA and by the names that programs use.
pub(super) fn named(label: &str) -> Meaning {
    Encoding::named(label).into()
}

/// The same for source code and the texts of editors, where 5C is a backslash.
pub(super) fn named_in_source(label: &str) -> Meaning {
    match Encoding::named(label) {
        Some(encoding) if encoding == &SHIFT_JIS => Meaning::Encoding(&WINDOWS_31J),
        encoding => encoding.into(),
    }
}

/// Encodings with other names in the Encoding Standard: that name, and what is nearest to it here.
static WEB: &[(&str, &Encoding)] = &[
    ("Shift_JIS", &WINDOWS_31J),
    ("EUC-JP", &EUC_JP_MS),
    ("EUC-KR", &CP949),
    ("Big5", &BIG5_HKSCS),
    // Its decoder is that of gb18030.
    ("GBK", &GB18030),
    ("ISO-8859-8-I", &ISO_8859_8),
];

/// Whether it is a label of the Encoding Standard.
pub(super) fn is_on_the_web(label: &[u8]) -> bool {
    encoding_rs::Encoding::for_label(label).is_some()
}

/// What a label means by the Encoding Standard. UTF-16 means UTF-8 there, as text in which such a label could be read is
/// not UTF-16.
pub(super) fn on_the_web(label: &str) -> Meaning {
    let Some(encoding) = encoding_rs::Encoding::for_label(label.as_bytes()) else { return Meaning::Unknown };
    match encoding.name() {
        "UTF-16LE" | "UTF-16BE" => Meaning::Encoding(&UTF_8),
        "x-user-defined" => Meaning::Encoding(&WINDOWS_1252),
        name => match WEB.iter().find(|(known, _)| *known == name) {
            Some((_, encoding)) => Meaning::Encoding(encoding),
            None => Encoding::named(name).into(),
        },
    }
}

/// The label of an encoding on the web; None if no encoding of the web reads its texts.
pub(super) fn label_on_the_web(encoding: &'static Encoding) -> Option<&'static str> {
    let name = match encoding.name() {
        "UTF-8" => return Some("utf-8"),
        "CP936" => "gbk",
        "CP949" => "euc-kr",
        "CP950" => "big5",
        "EUC-JP-MS" | "CP51932" => "euc-jp",
        "MAC-UK" => "x-mac-ukrainian",
        "CP10007" => "x-mac-cyrillic",
        name => name,
    };
    let web = encoding_rs::Encoding::for_label(name.as_bytes())?;
    let has_label = web != encoding_rs::REPLACEMENT && encoding.unit() == 1 && !encoding.is_ebcdic();
    has_label.then_some(name)
}

/// The label of an encoding in a table; None if it is not there.
pub(super) fn in_table(
    table: &[(&'static str, &'static str)],
    encoding: &'static Encoding,
) -> Option<&'static str> {
    table.iter().find(|(name, _)| *name == encoding.name()).map(|(_, label)| *label)
}
