//! The encodings of the WHATWG Encoding Standard, whose names here begin with `whatwg:`.

use std::sync::LazyLock;

use super::row::{BomMeaning, Encoding};
use super::unicode::UTF_8;
use crate::decode::{CodePage, PageTable, UNASSIGNED};
use crate::form::Form;
use crate::utf8_codec::Utf8Kernels;

/// The prefix of the names of WHATWG encodings.
pub const PREFIX: &str = "whatwg:";

/// Names and labels of the WHATWG Encoding Standard (section 4.2), without UTF-8 and "replacement". A test compares
/// them with encoding_rs's labels.
const LABELS: &str = "\
IBM866 866 cp866 csibm866 ibm866
ISO-8859-2 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
ISO-8859-3 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
ISO-8859-4 csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
ISO-8859-5 csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
ISO-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
ISO-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 iso_8859-7:1987 sun_eu_greek
ISO-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 iso_8859-8:1988 visual
ISO-8859-8-I csiso88598i iso-8859-8-i logical
ISO-8859-10 csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
ISO-8859-13 iso-8859-13 iso8859-13 iso885913
ISO-8859-14 iso-8859-14 iso8859-14 iso885914
ISO-8859-15 csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
ISO-8859-16 iso-8859-16
KOI8-R cskoi8r koi koi8 koi8-r koi8_r
KOI8-U koi8-ru koi8-u
macintosh csmacintosh mac macintosh x-mac-roman
windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
windows-1250 cp1250 windows-1250 x-cp1250
windows-1251 cp1251 windows-1251 x-cp1251
windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
windows-1253 cp1253 windows-1253 x-cp1253
windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 windows-1254 x-cp1254
windows-1255 cp1255 windows-1255 x-cp1255
windows-1256 cp1256 windows-1256 x-cp1256
windows-1257 cp1257 windows-1257 x-cp1257
windows-1258 cp1258 windows-1258 x-cp1258
x-mac-cyrillic x-mac-cyrillic x-mac-ukrainian
GBK chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
gb18030 gb18030
Big5 big5 big5-hkscs cn-big5 csbig5 x-x-big5
EUC-JP cseucpkdfmtjapanese euc-jp x-euc-jp
ISO-2022-JP csiso2022jp iso-2022-jp
Shift_JIS csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
EUC-KR cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
UTF-16BE unicodefffe utf-16be
UTF-16LE csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
x-user-defined x-user-defined
";

/// The encodings of the standard, created on first use.
static ALL: LazyLock<Vec<Encoding>> = LazyLock::new(|| LABELS.lines().map(encoding).collect());

impl Encoding {
    /// Returns the encodings of the WHATWG Encoding Standard, except UTF-8, which is [`UTF_8`]. Their names begin with
    /// `whatwg:`. [`Encoding::all`] does not include them.
    ///
    /// ```
    /// use utfconv_core::Encoding;
    ///
    /// let names: Vec<_> = Encoding::web().map(Encoding::name).collect();
    /// assert!(names.len() == 38 && names.contains(&"whatwg:Shift_JIS"));
    /// ```
    pub fn web() -> impl Iterator<Item = &'static Encoding> + Clone {
        ALL.iter()
    }

    /// Returns the encoding of a label of the WHATWG Encoding Standard (section 4.2), as web pages and HTTP use labels,
    /// with the standard's decoder and encoder. [`Encoding::for_name`] may find a different encoding of the same name.
    ///
    /// Returns `None` also for the labels of the standard's "replacement", which is not an encoding of text
    /// ([`Encoding::is_replacement`]). BOMs are handled as [`InputBom`](crate::InputBom) says.
    ///
    /// ```
    /// use utfconv_core::{Encoding, Options, UTF_8, convert};
    ///
    /// let latin1 = Encoding::for_label("latin1").expect("a label");
    /// assert_eq!(latin1.name(), "whatwg:windows-1252");
    /// assert_eq!(convert(b"\x80", latin1, &UTF_8, &Options::default())?.output, "€".as_bytes());
    /// assert_eq!(Encoding::for_label(" UTF8 "), Some(&UTF_8));
    /// assert_eq!(Encoding::for_label("iso-2022-kr"), None);
    /// # Ok::<(), Box<utfconv_core::Stopped>>(())
    /// ```
    #[must_use]
    pub fn for_label(label: &str) -> Option<&'static Encoding> {
        match encoding_rs::Encoding::for_label(label.as_bytes())? {
            encoding if encoding == encoding_rs::UTF_8 => Some(&UTF_8),
            encoding => ALL.iter().find(|known| &known.name[PREFIX.len()..] == encoding.name()),
        }
    }

    /// Whether `label` is a label of "replacement" in the WHATWG Encoding Standard, which reads any text as one error,
    /// because attackers could hide scripts in encodings with these labels.
    ///
    /// ```
    /// assert!(utfconv_core::Encoding::is_replacement("ISO-2022-KR"));
    /// ```
    #[must_use]
    pub fn is_replacement(label: &str) -> bool {
        encoding_rs::Encoding::for_label(label.as_bytes()) == Some(encoding_rs::REPLACEMENT)
    }

    /// Whether the standard that defines the encoding has no encoder for it, as the WHATWG Encoding Standard has none
    /// for UTF-16. A conversion to the encoding still writes UTF-16.
    ///
    /// ```
    /// use utfconv_core::{Encoding, UTF_16LE};
    ///
    /// assert!(Encoding::for_label("utf-16").expect("a label").is_decode_only());
    /// assert!(!UTF_16LE.is_decode_only());
    /// ```
    pub fn is_decode_only(&self) -> bool {
        self.name.starts_with(PREFIX) && self.code_unit_len() > 1
    }
}

/// Returns the encoding of a name that begins with [`PREFIX`], or `None` for other names and for unknown labels.
pub(super) fn find(name: &str) -> Option<&'static Encoding> {
    let (prefix, label) = name.split_at_checked(PREFIX.len())?;
    Encoding::for_label(label).filter(|_| prefix.eq_ignore_ascii_case(PREFIX))
}

/// Creates the encoding of a line of [`LABELS`].
fn encoding(line: &'static str) -> Encoding {
    let (name, labels) = line.split_once(' ').expect("a name and labels");
    let web = encoding_rs::Encoding::for_label(name.as_bytes()).expect("a name is a label");
    let others = labels.split(' ').filter(|label| !label.eq_ignore_ascii_case(name));
    let aliases: Vec<String> = others.map(|label| format!("{PREFIX}{label}")).collect();
    let (form, bom) = match name {
        "UTF-16LE" => (Form::Utf16Le, BomMeaning::Text),
        "UTF-16BE" => (Form::Utf16Be, BomMeaning::Text),
        "gb18030" => (Form::Web(web), BomMeaning::Text),
        _ if web.is_single_byte() => (Form::Page(page(web)), BomMeaning::None),
        _ => (Form::Web(web), BomMeaning::None),
    };
    Encoding::new(
        format!("{PREFIX}{name}").leak(),
        aliases.join(" ").leak(),
        form,
        bom,
        Utf8Kernels::leaked(),
    )
}

/// Creates the code page of a single-byte encoding of the standard, in which no two bytes have the same character.
fn page(web: &'static encoding_rs::Encoding) -> &'static CodePage {
    let to_unicode = std::array::from_fn(|byte| {
        let text = web
            .decode_without_bom_handling_and_without_replacement(&[byte as u8])
            .unwrap_or_default()
            .into_owned();
        text.encode_utf16().next().unwrap_or(UNASSIGNED)
    });
    let table = PageTable { to_unicode, one_way: &[], composed: &[], taken_apart: &[], is_ebcdic: false };
    Box::leak(Box::new(CodePage::new(table)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_equal_those_of_encoding_rs() {
        for line in LABELS.lines() {
            let (name, labels) = line.split_once(' ').expect("a name and labels");
            for label in labels.split(' ').chain([name]) {
                let web = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
                assert_eq!(web.name(), name, "{label}");
                let found = find(&format!("WhatWG: {label} ")).expect(label);
                assert_eq!(found.name(), format!("whatwg:{name}"));
            }
        }
        for name in ["", "whatwg", "whatwg:", "latin1", "whatwg:replacement", "whatwg:cp437", "éééé:latin1"]
        {
            assert_eq!(find(name), None, "{name}");
        }
        assert_eq!(find("whatwg:utf-8"), Some(&UTF_8));
    }
}
