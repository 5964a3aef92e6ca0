//! The definition of a kind of declaration, and the labels that several kinds share.

use super::text::{Label, Sample};
use crate::PREFIX;
use utfconv_core::encodings::{ISO_8859_8, WINDOWS_1252};
use utfconv_core::{
    Encoding, GB18030, SHIFT_JIS, UTF_8,
    encodings::{BIG5_HKSCS, CP949, EUC_JP_MS, WINDOWS_31J},
};

/// The meaning of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The label means this encoding. For HTML and CSS, this is utfconv's encoding that is nearest to the encoding of
    /// the Encoding Standard.
    Encoding(&'static Encoding),
    /// The label specifies no encoding, such as Emacs' `undecided`.
    Unspecified,
    /// The label is unknown.
    Unknown,
}

impl From<Option<&'static Encoding>> for Meaning {
    fn from(encoding: Option<&'static Encoding>) -> Meaning {
        encoding.map_or(Meaning::Unknown, Meaning::Encoding)
    }
}

/// The definition of a kind of declaration.
pub(super) struct Definition {
    /// The name of the kind in messages.
    pub name: &'static str,
    /// Adds the labels of the declarations of this kind in a text.
    pub find: fn(&Sample, &mut Vec<Label>),
    /// Returns the meaning of a label.
    pub meaning: fn(&str) -> Meaning,
    /// Returns the label of an encoding; `None` if the encoding has no label in this kind of declaration, or cannot be
    /// the encoding of a text with this kind of declaration.
    pub label: fn(&'static Encoding) -> Option<&'static str>,
}

/// Whether two encodings are equal, or differ only in that one leaves the byte order to the BOM.
pub(super) fn is_same(declared: &'static Encoding, encoding: &'static Encoding) -> bool {
    let [declared, encoding] = [declared, encoding].map(nearest);
    declared == encoding
        || declared.orders().any(|order| order == encoding)
        || encoding.orders().any(|order| order == declared)
}

/// Returns the nearest equivalent of an encoding in the Encoding Standard, or else the encoding itself.
fn nearest(encoding: &'static Encoding) -> &'static Encoding {
    let label = encoding.name().strip_prefix(PREFIX).filter(|_| encoding.code_unit_len() == 1);
    if let Some(Meaning::Encoding(nearest)) = label.map(on_the_web) { nearest } else { encoding }
}

/// Returns the meaning of a label in the IANA registry, or as a name that programs use.
pub(super) fn named(label: &str) -> Meaning {
    Encoding::for_name(label).into()
}

/// Returns the meaning of a label in source code or in an editor, where 5C is a backslash even in Shift_JIS.
pub(super) fn named_in_source(label: &str) -> Meaning {
    let named = Encoding::for_name(label);
    if named == Some(&SHIFT_JIS) { Meaning::Encoding(&WINDOWS_31J) } else { named.into() }
}

/// Names of the Encoding Standard whose nearest encoding has another name, with that encoding.
static WEB: &[(&str, &Encoding)] = &[
    ("Shift_JIS", &WINDOWS_31J),
    ("EUC-JP", &EUC_JP_MS),
    ("EUC-KR", &CP949),
    ("Big5", &BIG5_HKSCS),
    // The Encoding Standard decodes GBK as gb18030.
    ("GBK", &GB18030),
    ("ISO-8859-8-I", &ISO_8859_8),
];

/// Whether `label` is a label of the Encoding Standard.
pub(super) fn is_on_the_web(label: &[u8]) -> bool {
    encoding_rs::Encoding::for_label(label).is_some()
}

/// Returns the meaning of a label in the Encoding Standard. UTF-16 means UTF-8 there, because a text in which the label
/// can be read as ASCII is not UTF-16.
pub(super) fn on_the_web(label: &str) -> Meaning {
    let Some(encoding) = encoding_rs::Encoding::for_label(label.as_bytes()) else { return Meaning::Unknown };
    match encoding.name() {
        "UTF-16LE" | "UTF-16BE" => Meaning::Encoding(&UTF_8),
        "x-user-defined" => Meaning::Encoding(&WINDOWS_1252),
        name => {
            let other = WEB.iter().find(|(known, _)| *known == name).map(|(_, encoding)| *encoding);
            other.or_else(|| Encoding::for_name(name)).into()
        }
    }
}

/// Returns the label of an encoding in the Encoding Standard; `None` if no encoding of the standard reads its texts.
pub(super) fn label_on_the_web(encoding: &'static Encoding) -> Option<&'static str> {
    let name = match encoding.name() {
        "UTF-8" => return Some("utf-8"),
        "CP936" => "gbk",
        "CP949" => "euc-kr",
        "CP950" => "big5",
        "EUC-JP-MS" | "CP51932" => "euc-jp",
        "MAC-UK" => "x-mac-ukrainian",
        "CP10007" => "x-mac-cyrillic",
        name => name.strip_prefix(PREFIX).unwrap_or(name),
    };
    let web = encoding_rs::Encoding::for_label(name.as_bytes())?;
    let has_label = web != encoding_rs::REPLACEMENT && encoding.code_unit_len() == 1 && !encoding.is_ebcdic();
    has_label.then_some(name)
}

/// Labels that Python, Ruby, Emacs and Vim have in common.
pub(super) const COMMON: &str = "\
    utf-8 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 \
    iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u cp850 euc-jp \
    euc-kr cp949 big5 cp936 gb18030";

/// Labels of Windows code pages in Ruby and Emacs.
pub(super) const WINDOWS: &str = "\
    windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 \
    windows-1257 windows-1258";

/// Labels of Windows code pages in Python and Vim.
pub(super) const CODE_PAGES: &str = "cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258";

/// Labels of DOS code pages in Python, Emacs and Vim.
pub(super) const DOS: &str =
    "cp437 cp737 cp775 cp852 cp855 cp857 cp860 cp861 cp862 cp863 cp865 cp866 cp869 cp932";

/// Returns the labels of a list, each with the name of its encoding: the text after `=`, or else the label itself.
pub(super) fn listed(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.split(' ').map(|label| label.split_once('=').unwrap_or((label, label)))
}

/// Returns the first label of an encoding in several lists; `None` if no list has the encoding. Preferred labels come
/// first in the lists.
pub(super) fn in_lists(lists: &[&'static str], encoding: &'static Encoding) -> Option<&'static str> {
    let mut labels = lists.iter().copied().flat_map(listed);
    labels.find(|(_, name)| Encoding::for_name(name) == Some(encoding)).map(|(label, _)| label)
}
