//! The list of all encodings, and their lookup by name.
//!
//! Names are compared without case and separators, so `utf_8`, `UTF8` and `Utf-8` are the same name; no registry
//! distinguishes them. A name is only ever compared, never used as a path.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use super::BY_FAMILY;
use super::row::Encoding;
use super::web;

impl Encoding {
    /// Returns every encoding: the family of Unicode, the families of East Asia, encodings with shift states, code
    /// pages, EBCDIC. Families whose features are off are left out.
    ///
    /// ```
    /// use utfconv_core::Encoding;
    ///
    /// assert!(Encoding::all().count() > 200);
    /// assert_eq!(Encoding::all().filter(|encoding| encoding.code_unit_len() == 4).count(), 9);
    /// ```
    pub fn all() -> impl Iterator<Item = &'static Encoding> + Clone {
        ALL.iter().copied()
    }

    /// Returns the encoding with the name or alias `name`, in the meaning of IANA's registry. Case and separators do
    /// not matter. A name after `whatwg:` is a label of the WHATWG Encoding Standard ([`Encoding::for_label`]). The names
    /// of a family whose feature is off are unknown.
    ///
    /// ```
    /// use utfconv_core::{Encoding, ISO_8859_1, UTF_8};
    ///
    /// assert_eq!(Encoding::for_name("utf_8"), Some(&UTF_8));
    /// assert_eq!(Encoding::for_name("Latin-1"), Some(&ISO_8859_1));
    /// assert_eq!(Encoding::for_name("no such name"), None);
    /// ```
    #[must_use]
    pub fn for_name(name: &str) -> Option<&'static Encoding> {
        find_listed(name).or_else(|| web::find(name)).or_else(|| {
            let lower = name.to_ascii_lowercase();
            if let Some((_, known)) = EXACT.iter().find(|(exact, _)| lower.replace(['_', ' '], "-") == *exact)
            {
                return find_listed(known);
            }
            // Accept CCSIDs (IBM's numbers of coded character sets), and Emacs' names of coding systems that leave line
            // feeds unchanged.
            match (lower.strip_prefix("ccsid"), lower.strip_suffix("-unix")) {
                (Some(number), _) => {
                    let number = number.trim_start_matches(['-', '_', ' ']);
                    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
                    find_listed(&format!("ibm-{number}")).filter(|_| is_number)
                }
                (None, Some(coding)) => find_listed(coding),
                (None, None) => None,
            }
        })
    }

    /// Returns the usual name of an encoding that other converters support and this library does not, if `name` is one
    /// of its names.
    ///
    /// ```
    /// use utfconv_core::Encoding;
    ///
    /// assert_eq!(Encoding::unsupported("compound-text"), Some("COMPOUND_TEXT"));
    /// assert_eq!(Encoding::unsupported("no such name"), None);
    /// ```
    #[must_use]
    pub fn unsupported(name: &str) -> Option<&'static str> {
        let is_known = |known| Encoding::is_same_name(known, name);
        out_of_scope().find(|line| line.split(' ').any(is_known))?.split(' ').next()
    }

    /// Returns all names of encodings that only other converters support.
    ///
    /// ```
    /// assert!(utfconv_core::Encoding::unsupported_names().any(|name| name == "COMPOUND_TEXT"));
    /// ```
    pub fn unsupported_names() -> impl Iterator<Item = &'static str> {
        out_of_scope().flat_map(|line| line.split(' '))
    }

    /// Whether `name` is a spelling of the name `known`, ignoring case and separators.
    ///
    /// ```
    /// use utfconv_core::Encoding;
    ///
    /// assert!(Encoding::is_same_name("ISO-8859-1", "iso8859_1") && !Encoding::is_same_name("UTF-8", "UTF-16"));
    /// ```
    #[must_use]
    pub fn is_same_name(known: &str, name: &str) -> bool {
        is_same(known.as_bytes(), b' ', name.as_bytes(), NO_END)
    }
}

/// Registration numbers of ISO in which a separator counts, because without it they equal another number.
const EXACT: [(&str, &str); 4] = [
    ("iso-ir-9-1", "NATS-DANO"),
    ("iso-ir-9-2", "NATS-DANO-ADD"),
    ("iso-ir-91", "JIS_C6229-1984-a"),
    ("iso-ir-92", "JIS_C6229-1984-b"),
];

/// Finds the encoding that has `name` as its canonical name or alias; `None` if no encoding has the name.
fn find_listed(name: &str) -> Option<&'static Encoding> {
    let (mut at, _) = slot(name.as_bytes(), NO_END);
    while let Some(known) = TABLE[at] {
        if is_same(known.bytes(), b' ', name.as_bytes(), NO_END) {
            return Some(known.encoding());
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// A name of an encoding, in the hash table of names.
#[derive(Clone, Copy)]
struct Known {
    /// The index of the encoding in [`Encoding::all`].
    encoding: u16,
    /// The offset of the name in the aliases, in bytes, plus one; [`CANONICAL`] for the canonical name.
    place: NonZeroU16,
}

/// The place of a canonical name, which is not in the aliases.
const CANONICAL: NonZeroU16 = NonZeroU16::MAX;

/// Number of encodings.
const ENCODINGS: usize = {
    let (mut family, mut count) = (0, 0);
    while family < BY_FAMILY.len() {
        count += BY_FAMILY[family].len();
        family += 1;
    }
    count
};

/// All encodings, in the order of [`BY_FAMILY`].
static ALL: [&Encoding; ENCODINGS] = {
    let mut all = [BY_FAMILY[0][0]; ENCODINGS];
    let (mut family, mut rest) = (0, all.as_mut_slice());
    while family < BY_FAMILY.len() {
        let (encodings, others) = rest.split_at_mut(BY_FAMILY[family].len());
        encodings.copy_from_slice(BY_FAMILY[family]);
        (family, rest) = (family + 1, others);
    }
    all
};

impl Known {
    const fn encoding(self) -> &'static Encoding {
        ALL[self.encoding as usize]
    }

    /// Returns the bytes from the start of the name on. If a blank ends the name, more bytes may follow the blank.
    const fn bytes(self) -> &'static [u8] {
        let encoding = self.encoding();
        match self.place {
            CANONICAL => encoding.name.as_bytes(),
            place => encoding.aliases.as_bytes().split_at(place.get() as usize - 1).1,
        }
    }
}

/// Number of slots in the table; at least twice the number of names, so that few names share a slot.
const SLOTS: usize = 1 << 13;

/// The hash table of all names, with linear probing: each name is in the first free slot at or after the slot of its
/// hash.
static TABLE: [Option<Known>; SLOTS] = table();

const fn table() -> [Option<Known>; SLOTS] {
    let mut table = [None; SLOTS];
    let (mut encoding, mut count) = (0, 0);
    while encoding < ENCODINGS {
        enter(&mut table, &mut count, Known { encoding: encoding as u16, place: CANONICAL });
        let aliases = ALL[encoding].aliases.as_bytes();
        assert!(aliases.len() < CANONICAL.get() as usize);
        let mut start = 0;
        while start < aliases.len()
            && let Some(place) = NonZeroU16::new(start as u16 + 1)
        {
            start += enter(&mut table, &mut count, Known { encoding: encoding as u16, place }) + 1;
        }
        encoding += 1;
    }
    table
}

/// Puts a name in the first free slot. Half of the slots stay free, so that every search ends. Returns the length of the
/// name in bytes.
const fn enter(table: &mut [Option<Known>; SLOTS], count: &mut usize, known: Known) -> usize {
    let (mut at, len) = slot(known.bytes(), b' ');
    while table[at].is_some() {
        at = (at + 1) % SLOTS;
    }
    table[at] = Some(known);
    *count += 1;
    assert!(2 * *count < SLOTS);
    len
}

/// Returns the first slot for a name, by its FNV-1a hash without case and separators, and its length in bytes. The name
/// ends before the byte `end`.
const fn slot(name: &[u8], end: u8) -> (usize, usize) {
    let (mut hash, mut at) = (0x811C_9DC5_u32, 0);
    while at < name.len() && name[at] != end {
        let byte = FOLDED[name[at] as usize];
        if byte != SEPARATOR {
            hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
        }
        at += 1;
    }
    ((hash ^ hash >> 16) as usize % SLOTS, at)
}

/// Encodings that only other converters have, with a name and its aliases per line. Comments begin with `#`.
const OUT_OF_SCOPE: &str = include_str!("out-of-scope.txt");

/// Returns the lines of [`OUT_OF_SCOPE`] that are not comments.
fn out_of_scope() -> impl Iterator<Item = &'static str> {
    OUT_OF_SCOPE.lines().filter(|line| !line.starts_with('#'))
}

/// An end byte that never occurs in a name, so the name takes its whole slice.
const NO_END: u8 = 0xFF;

/// Whether two names are the same without case and separators. Each name ends before its end byte.
const fn is_same(name: &[u8], end: u8, other: &[u8], other_end: u8) -> bool {
    let (mut at, mut other_at) = (0, 0);
    loop {
        let (one, two);
        (one, at) = next(name, at, end);
        (two, other_at) = next(other, other_at, other_end);
        match (one, two) {
            (None, None) => return true,
            (Some(one), Some(two)) if one == two => {}
            _ => return false,
        }
    }
}

/// Each byte as comparisons of names see it: a letter in lower case, or [`SEPARATOR`] for a byte that they skip. A
/// table halves the time in which the compiler makes [`TABLE`].
static FOLDED: [u8; 256] = {
    let mut folded = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        folded[byte] = match byte as u8 {
            b'-' | b'_' | b'.' | b':' | b' ' => SEPARATOR,
            other => other.to_ascii_lowercase(),
        };
        byte += 1;
    }
    folded
};

/// The value of separators in [`FOLDED`].
const SEPARATOR: u8 = b' ';

/// Returns the next byte of a name from `at` on that is not a separator, in lower case, and the offset after it.
const fn next(name: &[u8], mut at: usize, end: u8) -> (Option<u8>, usize) {
    while at < name.len() && name[at] != end {
        let byte = FOLDED[name[at] as usize];
        at += 1;
        if byte != SEPARATOR {
            return (Some(byte), at);
        }
    }
    (None, at)
}

/// Parses a name or alias, as [`Encoding::for_name`] does.
impl FromStr for &'static Encoding {
    type Err = UnknownEncoding;
    fn from_str(name: &str) -> Result<&'static Encoding, UnknownEncoding> {
        Encoding::for_name(name).ok_or_else(|| UnknownEncoding(name.to_string()))
    }
}

/// The error for a name that no encoding of the features that are on has.
///
/// ```
/// use utfconv_core::Encoding;
///
/// let error = "viqr".parse::<&Encoding>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown encoding \"viqr\"; VIQR is not supported");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "unknown encoding {:?}", self.0)?;
        match Encoding::unsupported(&self.0) {
            Some(name) => write!(f, "; {name} is not supported"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UnknownEncoding {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn no_two_encodings_share_a_folded_name() {
        let mut seen = HashMap::new();
        for encoding in Encoding::all() {
            for name in std::iter::once(encoding.name).chain(encoding.aliases()) {
                let folded = name.to_ascii_lowercase().replace(['-', '_', '.', ':', ' '], "");
                if let Some(other) = seen.insert(folded, encoding.name) {
                    assert_eq!(other, encoding.name, "{name} names two encodings");
                }
            }
        }
    }

    /// A search finds each name in the table.
    #[test]
    fn every_name_is_found() {
        let names = Encoding::all().map(|encoding| 1 + encoding.aliases().count());
        assert_eq!(names.sum::<usize>(), TABLE.iter().flatten().count());
        for encoding in Encoding::all() {
            for name in std::iter::once(encoding.name).chain(encoding.aliases()) {
                assert_eq!(Encoding::for_name(name), Some(encoding), "{name}");
                assert_eq!(find_listed(&format!("{name}?")), None, "{name}");
                assert_eq!(find_listed(&name.to_uppercase().replace('-', " _")), Some(encoding), "{name}");
            }
        }
    }

    #[test]
    fn unsupported_names_are_not_listed() {
        for name in Encoding::unsupported_names() {
            assert_eq!(Encoding::for_name(name), None, "{name}");
        }
        assert_eq!(Encoding::unsupported("viqr"), Some("VIQR"));
        assert_eq!(Encoding::unsupported("compound-text"), Some("COMPOUND_TEXT"));
        assert_eq!(Encoding::unsupported("#"), None);
        assert_eq!(Encoding::unsupported("UTF-8"), None);
    }

    /// Names of Java, .NET, databases, editors and script languages are known.
    #[test]
    fn names_of_other_programs() {
        for (name, others) in [
            ("UTF-8", "utf utf8_ucs2 utf8_ucs4 utf8mb3 utf-8-strict AL32UTF8 mule-utf-8"),
            ("ISO-8859-1", "latin 8859 iso8859 iso-latin-1 WE8ISO8859P1"),
            ("US-ASCII", "US7ASCII"),
            ("UTF-16BE", "AL16UTF16"),
            ("UTF-16LE", "AL16UTF16LE"),
            ("UCS-4", "ISO-10646"),
            ("GB2312", "x-cp20936 windows-20936 chinese-iso-8bit ZHS16CGB231280"),
            ("EUC-JP", "20932 cp20932 windows-20932 japanese-iso-8bit JA16EUC"),
            ("Shift_JIS", "japanese-shift-jis JA16SJIS x-PCK"),
            ("windows-31j", "WIN932 JA16SJISTILDE japanese-cp932"),
            ("CP936", "WIN936 x-mswin-936"),
            ("GBK", "ZHS16GBK chinese-gbk"),
            ("GB18030", "ZHS32GB18030 chinese-gb18030"),
            ("CP949", "WIN949 x-windows-949 KO16MSWIN949 korean-cp949"),
            ("EUC-KR", "x-cp20949 20949 cp20949 KO16KSC5601 korean-iso-8bit"),
            ("CP950", "WIN950 ZHT16MSWIN950"),
            ("Big5", "ZHT16BIG5 chinese-big5"),
            ("Big5-HKSCS", "ZHT16HKSCS"),
            ("EUC-JP-MS", "x-eucJP-Open"),
            ("ISO-8859-2", "iso-latin-2 EE8ISO8859P2"),
            ("ISO-8859-3", "iso-latin-3 SE8ISO8859P3"),
            ("ISO-8859-4", "iso-latin-4 NEE8ISO8859P4"),
            ("ISO-8859-5", "cyrillic-iso-8bit CL8ISO8859P5"),
            ("ISO-8859-6", "arabic-iso-8bit AR8ISO8859P6"),
            ("ISO-8859-7", "greek-iso-8bit EL8ISO8859P7"),
            ("ISO-8859-8", "hebrew-iso-8bit IW8ISO8859P8"),
            ("ISO-8859-9", "iso-latin-5 turkish-iso-8bit WE8ISO8859P9"),
            ("ISO-8859-9E", "AZ8ISO8859P9E"),
            ("ISO-8859-10", "iso-latin-6 NE8ISO8859P10"),
            ("ISO-8859-13", "iso-latin-7 BLT8ISO8859P13"),
            ("ISO-8859-14", "iso-latin-8 CEL8ISO8859P14"),
            ("ISO-8859-15", "iso-latin-9 WE8ISO8859P15"),
            ("ISO-8859-16", "iso-latin-10"),
            ("windows-874", "WIN874"),
            ("windows-1250", "WIN1250 EE8MSWIN1250"),
            ("windows-1251", "CL8MSWIN1251"),
            ("windows-1252", "WIN1252 WE8MSWIN1252"),
            ("windows-1253", "WIN1253 EL8MSWIN1253"),
            ("windows-1254", "WIN1254 TR8MSWIN1254"),
            ("windows-1255", "WIN1255 IW8MSWIN1255"),
            ("windows-1256", "WIN1256 AR8MSWIN1256"),
            ("windows-1257", "WIN1257 BLT8MSWIN1257"),
            ("windows-1258", "WIN1258 VN8MSWIN1258"),
            ("IBM866", "WIN866 RU8PC866"),
            ("TIS-620", "thai-tis620 TH8TISASCII"),
            ("VISCII", "vietnamese-viscii"),
            ("KOI8-R", "cyrillic-koi8 CL8KOI8R"),
            ("KOI8-U", "CL8KOI8U"),
            ("DEC-MCS", "dec8 WE8DEC"),
            ("hp-roman8", "hp8 WE8ROMAN8"),
            ("NEXTSTEP", "WE8NEXTSTEP"),
            ("SEN_850200_C", "swe7"),
            ("macintosh", "WE8MACROMAN8"),
            ("MAC-CENTRALEUROPE", "MacCentralEurRoman EE8MACCE"),
            ("MacCroatian", "x-MacCroatian EE8MACCROATIAN"),
            ("MacGreek", "EL8MACGREEK"),
            ("MacIceland", "x-MacIceland x-mac-icelandic IS8MACICELANDIC"),
            ("MacRomania", "x-MacRomania x-mac-romanian MacRumanian"),
            ("MacThai", "x-MacThai TH8MACTHAI"),
            ("MacTurkish", "TR8MACTURKISH"),
            ("MacArabic", "x-MacArabic AR8ARABICMAC"),
            ("MacHebrew", "x-MacHebrew IW8MACHEBREW"),
            ("CP10007", "CL8MACCYRILLIC"),
            ("ISO_646.irv:1983", "x-IA5"),
            ("DIN_66003", "x-IA5-German"),
            ("SEN_850200_B", "x-IA5-Swedish"),
            ("NS_4551-1", "x-IA5-Norwegian"),
            ("IBM437", "US8PC437"),
            ("IBM737", "EL8PC737"),
            ("IBM775", "BLT8PC775"),
            ("IBM850", "WE8PC850"),
            ("IBM851", "EL8PC851"),
            ("IBM852", "EE8PC852"),
            ("IBM855", "RU8PC855"),
            ("IBM857", "TR8PC857"),
            ("IBM00858", "WE8PC858"),
            ("IBM860", "WE8PC860"),
            ("IBM861", "IS8PC861"),
            ("IBM863", "CDN8PC863"),
            ("IBM865", "N8PC865"),
            ("IBM869", "EL8PC869"),
            ("IBM875", "x-ebcdic-greekmodern EL8EBCDIC875"),
            ("IBM1025", "x-ebcdic-cyrillicserbianbulgarian CL8EBCDIC1025"),
            ("IBM1046", "x-IBM1046"),
            ("IBM1112", "BLT8EBCDIC1112"),
            ("IBM1129", "x-IBM1129"),
            ("IBM1166", "x-IBM1166"),
            ("IBM037", "WE8EBCDIC37"),
            ("IBM273", "x-ebcdic-germany D8EBCDIC273"),
            ("IBM277", "x-ebcdic-denmarknorway DK8EBCDIC277"),
            ("IBM278", "x-ebcdic-finlandsweden S8EBCDIC278"),
            ("IBM280", "x-ebcdic-italy I8EBCDIC280"),
            ("IBM284", "x-ebcdic-spain WE8EBCDIC284"),
            ("IBM285", "x-ebcdic-uk WE8EBCDIC285"),
            ("IBM290", "x-ebcdic-japanesekatakana"),
            ("IBM297", "x-ebcdic-france F8EBCDIC297"),
            ("IBM420", "x-ebcdic-arabic"),
            ("IBM423", "x-ebcdic-greek"),
            ("IBM424", "x-ebcdic-hebrew IW8EBCDIC424"),
            ("IBM500", "WE8EBCDIC500"),
            ("IBM-Thai", "x-ebcdic-thai"),
            ("IBM870", "EE8EBCDIC870"),
            ("IBM871", "x-ebcdic-icelandic WE8EBCDIC871"),
            ("IBM880", "x-ebcdic-cyrillicrussian"),
            ("IBM905", "x-ebcdic-turkish"),
            ("IBM1026", "TR8EBCDIC1026"),
            ("IBM1047", "WE8EBCDIC1047"),
            ("IBM01140", "x-ebcdic-cp-us-euro WE8EBCDIC1140"),
            ("IBM01141", "x-ebcdic-germany-euro D8EBCDIC1141"),
            ("IBM01142", "x-ebcdic-denmarknorway-euro DK8EBCDIC1142"),
            ("IBM01143", "x-ebcdic-finlandsweden-euro S8EBCDIC1143"),
            ("IBM01144", "x-ebcdic-italy-euro I8EBCDIC1144"),
            ("IBM01145", "x-ebcdic-spain-euro WE8EBCDIC1145"),
            ("IBM01146", "x-ebcdic-uk-euro WE8EBCDIC1146"),
            ("IBM01147", "x-ebcdic-france-euro F8EBCDIC1147"),
            ("IBM01148", "x-ebcdic-international-euro WE8EBCDIC1148"),
            ("IBM01149", "x-ebcdic-icelandic-euro ebcdic-s-871+euro"),
            ("IBM01140", "ebcdic-us-037+euro"),
            ("IBM01147", "ebcdic-fr-277+euro"),
            ("IBM037", "cs-ebcdic-cp-us cs-ebcdic-cp-ca cs-ebcdic-cp-wt cs-ebcdic-cp-nl"),
            ("IBM500", "ebcdic-cp-bh"),
            ("IBM862", "csIBM862 IW8PC1507"),
            ("DIN_66003", "D7DEC"),
            ("NF_Z_62-010_(1973)", "F7DEC"),
            ("ES", "E7DEC"),
            ("IT", "I7DEC"),
            ("SEN_850200_B", "SF7ASCII"),
            ("SEN_850200_C", "S7SIEMENS9780X"),
            ("NS_4551-1", "N7SIEMENS9780X"),
            ("JUS_I.B1.002", "YUG7ASCII"),
            ("IBM00924", "WE8EBCDIC924"),
            ("IBM420", "AR8EBCDIC420S"),
            ("IBM423", "EL8EBCDIC423R"),
            ("UTF-32LE", "X-UTF-32LE"),
            ("UTF-32BE", "X-UTF-32BE"),
            ("EUC-JP-MS", "EUC_JP_Solaris"),
            ("MAC-UK", "x-MacUkraine"),
        ] {
            for other in others.split(' ') {
                assert_eq!(Encoding::for_name(other).map(Encoding::name), Some(name), "{other}");
            }
        }
    }

    #[test]
    fn names_by_rule() {
        for (name, known) in [
            ("iso-latin-1-unix", "ISO-8859-1"),
            ("utf-8-unix", "UTF-8"),
            ("windows-1252-unix", "windows-1252"),
            ("CCSID819", "ISO-8859-1"),
            ("ccsid 37", "IBM037"),
            ("CCSID-1208", "UTF-8"),
            ("CCSID1200", "UTF-16BE"),
            ("ISO-IR-9-1", "NATS-DANO"),
            ("iso_ir_92", "JIS_C6229-1984-b"),
            ("ISO-IR-91", "JIS_C6229-1984-a"),
            ("iso_ir_9_2", "NATS-DANO-ADD"),
            ("ISO-10646", "UCS-4"),
        ] {
            assert_eq!(Encoding::for_name(name).map(Encoding::name), Some(known), "{name}");
        }
    }

    #[test]
    fn case_and_separators_do_not_matter() {
        for name in ["utf8", "UTF_8", "Utf-8", "utf 8"] {
            assert_eq!(Encoding::for_name(name).map(|e| e.name), Some("UTF-8"), "{name}");
        }
        assert_eq!(Encoding::for_name("Latin-1").map(|e| e.name), Some("ISO-8859-1"));
        assert_eq!(Encoding::for_name("iso_8859_1").map(|e| e.name), Some("ISO-8859-1"));
        for name in ["", "utf-88", "ccsid", "ccsidUTF-8", "-unix", "isoir91", "../UTF-8", "UTF-8\0", "UTF-8/"]
        {
            assert_eq!(Encoding::for_name(name).map(|e| e.name), None, "{name:?}");
        }
    }
}
