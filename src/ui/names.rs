//! What follows `-f` and `-t`: the name of an encoding, perhaps one that implies a policy for the BOM, and
//! suffixes as iconv has them.
//!
//! Suffixes are cut off as in glibc: from the end, at a slash or a comma, as long as there are two slashes. A name with
//! one slash (ISO-10646/UCS4) so stays whole.

use utfconv_core::internals::is_same_name;
use utfconv_core::{CESU_8, Encoding, UTF_8, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE};

/// A name, and what it implies beyond the encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub encoding: &'static Encoding,
    /// A policy for the BOM: whether texts of that name have one.
    pub signed: Option<bool>,
    pub suffixes: Suffixes,
}

/// What the suffixes ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suffixes {
    /// `//TRANSLIT`: approximate what is unmappable.
    pub translit: bool,
    /// `//IGNORE`: omit what cannot be converted.
    pub ignore: bool,
    /// `//NON_IDENTICAL_DISCARD`: omit what is unmappable.
    pub discard: bool,
    /// The others.
    pub unknown: Vec<String>,
}

/// Why a name is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// An encoding that is not supported by decision.
    OutOfScope(&'static str),
    /// Perhaps a misspelling of this.
    Similar(&'static str),
    /// A word for something else: what it means.
    NoEncoding(&'static str),
    Name,
}

/// The names with a policy.
pub const SIGNED: [(&str, &Encoding, bool); 19] = [
    ("UTF-8-SIG", &UTF_8, true),
    ("UTF-8-BOM", &UTF_8, true),
    ("UTF-8-WITH-SIGNATURE", &UTF_8, true),
    ("UTF-16LE-WITH-SIGNATURE", &UTF_16LE, true),
    ("UTF-16BE-WITH-SIGNATURE", &UTF_16BE, true),
    ("X-UTF-16LE-BOM", &UTF_16LE, true),
    ("X-UTF-32LE-BOM", &UTF_32LE, true),
    ("X-UTF-32BE-BOM", &UTF_32BE, true),
    ("UTF-8N", &UTF_8, false),
    ("UTF-16LE-SIG", &UTF_16LE, true),
    ("UTF-16LE-BOM", &UTF_16LE, true),
    ("UTF-16BE-SIG", &UTF_16BE, true),
    ("UTF-16BE-BOM", &UTF_16BE, true),
    ("UTF-32LE-SIG", &UTF_32LE, true),
    ("UTF-32LE-BOM", &UTF_32LE, true),
    ("UTF-32BE-SIG", &UTF_32BE, true),
    ("UTF-32BE-BOM", &UTF_32BE, true),
    ("CESU-8-SIG", &CESU_8, true),
    ("CESU-8-BOM", &CESU_8, true),
];

impl Default for Name {
    fn default() -> Name {
        Name { encoding: &UTF_8, signed: None, suffixes: Suffixes::default() }
    }
}

impl Name {
    /// Reads a name; `special` has its own names, which go before all others.
    pub fn parse(text: &str, special: impl Fn(&str) -> Option<&'static Encoding>) -> Result<Name, Unknown> {
        // `-f=UTF-8` is a slip that glibc lets pass.
        let (bare, suffixes) = cut(text.strip_prefix('=').unwrap_or(text));
        let name = |encoding, signed| Name { encoding, signed, suffixes: suffixes.clone() };
        if let Some(encoding) = special(bare).or_else(|| Encoding::named(bare)) {
            return Ok(name(encoding, None));
        }
        match SIGNED.iter().find(|(known, ..)| is_same_name(known, bare)) {
            Some((_, encoding, signed)) => Ok(name(encoding, Some(*signed))),
            None => Err(Unknown::new(bare)),
        }
    }
}

/// Cuts the suffixes off.
fn cut(text: &str) -> (&str, Suffixes) {
    let mut suffixes = Suffixes::default();
    let mut rest = text;
    loop {
        rest = rest.trim_end_matches(|c: char| matches!(c, '/' | ',') || c.is_ascii_whitespace());
        let Some(at) = rest.rfind(['/', ',']).filter(|_| rest.matches('/').count() >= 2) else {
            return (rest, suffixes);
        };
        let word = &rest[at + 1..];
        match word.to_ascii_uppercase().as_str() {
            "TRANSLIT" => suffixes.translit = true,
            "IGNORE" => suffixes.ignore = true,
            "NON_IDENTICAL_DISCARD" => suffixes.discard = true,
            _ => suffixes.unknown.insert(0, word.to_string()),
        }
        rest = &rest[..at];
    }
}

impl Unknown {
    pub fn new(name: &str) -> Unknown {
        if let Some((_, meaning)) = NO_ENCODING.iter().find(|(word, _)| is_same_name(word, name)) {
            return Unknown::NoEncoding(meaning);
        }
        match Encoding::unsupported(name) {
            Some(known) => Unknown::OutOfScope(known),
            None => similar(name).or_else(|| miscounted(name)).map_or(Unknown::Name, Unknown::Similar),
        }
    }
}

/// Words for encodings that name none, and what they mean.
const NO_ENCODING: [(&str, &str); 5] = [
    (
        "ansi",
        "not one encoding, but the code page of a Windows system: windows-1252 (Western), 1250 (Central European), \
        1251 (Cyrillic), 1253 (Greek), 1254 (Turkish), 1255 (Hebrew), 1256 (Arabic), 1257 (Baltic), 1258 (Vietnamese), \
        874 (Thai), CP932 (Japanese), CP936 or CP950 (Chinese) or CP949 (Korean)",
    ),
    ("mbcs", "not one encoding, but the code page of a Windows system, such as windows-1252 or CP932"),
    ("oem", "not one encoding, but the DOS code page of a system, such as IBM437, IBM850, IBM852 or IBM866"),
    ("punycode", "not an encoding of text, but one of domain names"),
    ("base64", "not an encoding of characters, but one of bytes"),
];

/// The name that `name` may be a misspelling of. Digits are not misspelt: cp1252 is not cp1201.
fn similar(name: &str) -> Option<&'static str> {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let likeness = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
    let is_near = |known: &str| {
        known.len().abs_diff(name.len()) <= 2 || known.to_lowercase().starts_with(&name.to_lowercase())
    };
    all_names()
        .filter(|known| digits(known) == digits(name) && is_near(known))
        .map(|known| (likeness(known), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

/// The name that `name` may be with a wrong digit, or two digits exchanged: the one with the nearest number.
fn miscounted(name: &str) -> Option<&'static str> {
    let letters =
        |name: &str| name.chars().filter(|c| c.is_ascii_alphabetic()).collect::<String>().to_lowercase();
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let number: i64 = digits(name).parse().ok()?;
    all_names()
        .filter(|known| letters(known) == letters(name))
        .filter(|known| strsim::damerau_levenshtein(&digits(known), &digits(name)) == 1)
        .min_by_key(|known| digits(known).parse().map_or(i64::MAX, |known: i64| (known - number).abs()))
}

/// Every name and alias of every encoding, without those that imply a policy.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    Encoding::all().flat_map(names)
}

/// The canonical name of an encoding and its aliases.
pub fn names(encoding: &'static Encoding) -> impl Iterator<Item = &'static str> {
    std::iter::once(encoding.name()).chain(encoding.aliases())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Name, Unknown> {
        Name::parse(text, |name| name.is_empty().then_some(&UTF_8))
    }

    #[test]
    fn suffixes_in_any_case_and_order() {
        for (text, translit, ignore, discard) in [
            ("ASCII", false, false, false),
            ("ASCII/", false, false, false),
            ("ASCII//", false, false, false),
            ("ASCII//TRANSLIT", true, false, false),
            ("ascii//translit", true, false, false),
            ("ASCII//Ignore", false, true, false),
            ("ASCII//TRANSLIT//IGNORE", true, true, false),
            ("ASCII//IGNORE/TRANSLIT", true, true, false),
            ("ASCII//IGNORE,TRANSLIT,", true, true, false),
            ("ASCII//IGNORE//TRANSLIT//", true, true, false),
            ("ASCII//NON_IDENTICAL_DISCARD", false, false, true),
            ("ASCII//non_identical_discard//TRANSLIT/IGNORE", true, true, true),
            ("us-ascii//TRANSLIT/", true, false, false),
        ] {
            let name = parse(text).expect(text);
            assert_eq!(name.encoding.name(), "US-ASCII", "{text}");
            assert_eq!(name.suffixes, Suffixes { translit, ignore, discard, unknown: vec![] }, "{text}");
        }
    }

    #[test]
    fn unknown_suffixes_are_reported() {
        let unknown = |text| parse(text).expect(text).suffixes.unknown;
        assert_eq!(unknown("ASCII//FOO"), ["FOO"]);
        assert_eq!(unknown("ASCII//FOO//TRANSLIT/bar"), ["FOO", "bar"]);
        assert_eq!(unknown("ASCII//TRANSLIT"), Vec::<String>::new());
        assert_eq!(parse("//FOO").expect("default").encoding.name(), "UTF-8");
    }

    #[test]
    fn one_slash_is_no_suffix() {
        assert!(parse("ASCII/TRANSLIT").is_err());
        assert!(parse("nope//TRANSLIT").is_err());
        assert!(parse("/etc/passwd").is_err());
        assert!(parse("../../UTF-8").is_err());
        assert_eq!(cut("ISO-10646/UCS4").0, "ISO-10646/UCS4");
        assert_eq!(cut("ISO-10646/UCS4/").0, "ISO-10646/UCS4");
        assert_eq!(cut("ISO-10646/UCS4/TRANSLIT").0, "ISO-10646/UCS4");
        assert_eq!(cut("ISO-10646/UCS4//TRANSLIT//IGNORE").0, "ISO-10646/UCS4");
        assert!(cut("ISO-10646/UCS4/TRANSLIT").1.translit);
    }

    #[test]
    fn names_with_a_policy() {
        for (text, name, signed) in [
            ("utf-8-sig", "UTF-8", Some(true)),
            ("UTF_8_BOM", "UTF-8", Some(true)),
            ("utf8bom", "UTF-8", Some(true)),
            ("utf8n", "UTF-8", Some(false)),
            ("UTF-8", "UTF-8", None),
            ("utf16le-bom", "UTF-16LE", Some(true)),
            ("UTF-32BE-SIG//TRANSLIT", "UTF-32BE", Some(true)),
            ("x-UTF-16LE-BOM", "UTF-16LE", Some(true)),
            ("utf-16be-with-signature", "UTF-16BE", Some(true)),
        ] {
            let parsed = parse(text).expect(text);
            assert_eq!((parsed.encoding.name(), parsed.signed), (name, signed), "{text}");
        }
        for text in ["latin1-bom", "UTF-16N", "BOM", "-SIG"] {
            assert!(parse(text).is_err(), "{text}");
        }
        for (name, ..) in SIGNED {
            assert!(Encoding::named(name).is_none(), "{name} is an alias too");
        }
    }

    #[test]
    fn unknown_names_are_distinguished() {
        assert_eq!(parse("UFT-8//TRANSLIT"), Err(Unknown::Similar("UTF-8")));
        assert_eq!(parse("iso_2022_kr"), Err(Unknown::OutOfScope("ISO-2022-KR")));
        assert_eq!(parse("hz"), Err(Unknown::OutOfScope("HZ-GB-2312")));
        assert_eq!(parse("qqq"), Err(Unknown::Name));
        for (name, similar) in [
            ("gb18300", "GB18030"),
            ("UTF-9", "UTF-8"),
            ("utf-61", "UTF-16"),
            ("ISO-8859-17", "ISO-8859-16"),
            ("windows-1259", "windows-1258"),
        ] {
            assert_eq!(parse(name), Err(Unknown::Similar(similar)), "{name}");
        }
        for name in ["ansi", "ANSI", "mbcs", "oem", "punycode"] {
            assert!(matches!(parse(name), Err(Unknown::NoEncoding(_))), "{name}");
        }
    }
}
