//! Parses the values of `-f` and `-t`, which are names of encodings that may imply a policy for the BOM, and suffixes
//! of iconv.
//!
//! Suffixes are cut off as in glibc, from the end at a slash or a comma, while two slashes are left. So a name with one
//! slash, such as ISO-10646/UCS4, stays whole. Other names with a slash are mapping files, of which only known suffixes
//! are cut.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::sync::OnceLock;

pub use utfconv_core::Suffixes;
use utfconv_core::{Encoding, UTF_8, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE, encodings::CESU_8};

/// The encoding that a name means, and the requests that the name includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The encoding that the name means.
    pub encoding: &'static Encoding,
    /// Whether texts have a BOM, if the name says so.
    pub signed: Option<bool>,
    /// The requests of iconv's suffixes.
    pub suffixes: Suffixes,
}

/// Why a name is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The name of an encoding that is deliberately not supported.
    OutOfScope(&'static str),
    /// A possible misspelling of these names, which are equally similar.
    Similar(Vec<&'static str>),
    /// A word that does not name an encoding, and its meaning.
    NoEncoding(&'static str),
    /// A label of "replacement" in the WHATWG Encoding Standard, and the encoding that it names in IANA's registry.
    Replacement(Option<&'static str>),
    /// A mapping file, and the suffixes after its name.
    File(String, Suffixes),
    /// A mapping file that cannot be used, and the reason.
    Mapping(String),
    /// A name of which nothing is known.
    Name,
}

/// Names that imply whether texts have a BOM.
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
    /// Parses a name. Names that `special` returns an encoding for take precedence.
    pub fn parse(text: &str, special: impl Fn(&str) -> Option<&'static Encoding>) -> Result<Name, Unknown> {
        // glibc accepts `-f=UTF-8`, so ignore an equals sign at the start.
        let text = text.strip_prefix('=').unwrap_or(text);
        if text.len() > LONGEST_PATH {
            return Err(Unknown::Name);
        }
        if is_certain_path(text) {
            return Err(Unknown::of_file(text));
        }
        let (bare, suffixes) = Suffixes::cut(text);
        let name = |encoding, signed| Name { encoding, signed, suffixes: suffixes.clone() };
        if let Some(encoding) = special(bare).or_else(|| Encoding::for_name(bare)) {
            return Ok(name(encoding, None));
        }
        match SIGNED.iter().find(|(known, ..)| Encoding::is_same_name(known, bare)) {
            Some((_, encoding, signed)) => Ok(name(encoding, Some(*signed))),
            None if is_path(cut_known(text).0) => Err(Unknown::of_file(text)),
            None => Err(Unknown::new(bare)),
        }
    }
}

/// Maximum length of a path in bytes on any system.
const LONGEST_PATH: usize = 1 << 15;

/// Maximum length in bytes of a name that may be a misspelling.
const LONGEST_MISSPELLED: usize = 100;

/// The separators in a path.
const SEPARATORS: &[char] = if cfg!(windows) { &['/', '\\'] } else { &['/'] };

/// Whether a name that no encoding has is a path.
pub fn is_path(name: &str) -> bool {
    name.contains(SEPARATORS)
}

/// Whether a name is a path, even if an encoding has the same name. Two slashes at the start precede a suffix.
fn is_certain_path(name: &str) -> bool {
    let first = name.trim_start_matches('.');
    let is_relative = matches!(name.len() - first.len(), 1 | 2) && first.starts_with(SEPARATORS);
    is_relative || name.starts_with(SEPARATORS) && !name.starts_with("//")
}

/// Cuts the suffixes off a path, if all of them are known.
fn cut_known(text: &str) -> (&str, Suffixes) {
    const KNOWN: [&str; 3] = ["TRANSLIT", "IGNORE", "NON_IDENTICAL_DISCARD"];
    let is_known = |word: &str| word.is_empty() || KNOWN.iter().any(|known| known.eq_ignore_ascii_case(word));
    let at =
        text.match_indices("//").map(|(at, _)| at).find(|at| text[at + 2..].split(['/', ',']).all(is_known));
    let Some(at) = at else { return (text.trim_end_matches('/'), Suffixes::default()) };
    // `Suffixes::cut` needs a name without a slash, so put `x` in front.
    (&text[..at], Suffixes::cut(&format!("x{}", &text[at..])).1)
}

impl Unknown {
    /// Returns the mapping file that a name with suffixes means.
    fn of_file(text: &str) -> Unknown {
        let (path, suffixes) = cut_known(text);
        Unknown::File(path.to_string(), suffixes)
    }

    /// Explains a name that no encoding has.
    pub fn new(name: &str) -> Unknown {
        if name.len() > LONGEST_MISSPELLED {
            return Unknown::Name;
        }
        if let Some((_, meaning)) = NO_ENCODING.iter().find(|(word, _)| Encoding::is_same_name(word, name)) {
            return Unknown::NoEncoding(meaning);
        }
        if let Some(label) = web_label(name) {
            return if Encoding::is_replacement(label) {
                Unknown::Replacement(Encoding::for_name(label.trim()).map(Encoding::name))
            } else {
                Unknown::Similar(similar_label(name))
            };
        }
        match Encoding::unsupported(name) {
            Some(known) => Unknown::OutOfScope(known),
            None => [without_bom, similar, miscounted]
                .iter()
                .map(|find| find(name))
                .find(|found| !found.is_empty())
                .map_or(Unknown::Name, Unknown::Similar),
        }
    }

    /// Returns a suggestion such as `; did you mean KOI8-R or KOI8-U?`, or `None` if no name is similar.
    pub fn suggestion(&self) -> Option<String> {
        let Unknown::Similar(known) = self else { return None };
        if known.is_empty() {
            return None;
        }
        let is_unsupported = |name: &&str| Encoding::unsupported(name).is_some();
        let end = if known.iter().all(is_unsupported) { ", which is not supported?" } else { "?" };
        Some(format!("; did you mean {}{end}", either(known)))
    }
}

/// Length of the longest text that a message quotes as a whole, in characters.
const LONGEST_QUOTE: usize = 60;

/// Cuts a text longer than 60 scalar values, and adds an ellipsis. Returns a shorter text unchanged.
pub fn shortened(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(LONGEST_QUOTE);
    end.map_or(Cow::Borrowed(text), |(end, _)| Cow::Owned(format!("{}...", &text[..end])))
}

/// Joins words as in `a, b or c`.
pub fn either(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Words that are used for encodings but do not name one, and their meanings.
const NO_ENCODING: [(&str, &str); 8] = [
    (
        "ansi",
        "not one encoding, but the code page of a Windows system: windows-1252 (Western), 1250 (Central European), \
        1251 (Cyrillic), 1253 (Greek), 1254 (Turkish), 1255 (Hebrew), 1256 (Arabic), 1257 (Baltic), 1258 (Vietnamese), \
        874 (Thai), CP932 (Japanese), CP936 or CP950 (Chinese) or CP949 (Korean)",
    ),
    ("mbcs", "not one encoding, but the code page of a Windows system, such as windows-1252 or CP932"),
    ("oem", "not one encoding, but the DOS code page of a system, such as IBM437, IBM850, IBM852 or IBM866"),
    (
        "ebcdic",
        "not one encoding, but a family of code pages: IBM037 (US, Canada, Brazil), IBM1047 (Unix on mainframes), \
        IBM500 (international), IBM273 (German), IBM277 (Danish, Norwegian), IBM278 (Finnish, Swedish), IBM280 (Italian), \
        IBM284 (Spanish), IBM285 (British), IBM297 (French), IBM01140 to IBM01149 (the same with the euro sign) or \
        IBM1025 (Cyrillic)",
    ),
    ("char", "not one encoding, but that of the locale, such as UTF-8"),
    ("locale", "not one encoding, but that of the locale, such as UTF-8"),
    ("punycode", "not an encoding of text, but one of domain names"),
    ("base64", "not an encoding of characters, but one of bytes"),
];

/// Returns the label after `whatwg:`.
fn web_label(name: &str) -> Option<&str> {
    let (prefix, label) = name.split_once(':')?;
    prefix.eq_ignore_ascii_case("whatwg").then_some(label)
}

/// Returns the names of WHATWG encodings that `name`, which begins with the prefix, may be a misspelling of.
fn similar_label(name: &str) -> Vec<&'static str> {
    let lower = name.to_lowercase();
    let known = Encoding::web().flat_map(names).chain(["whatwg:UTF-8"]);
    let scored =
        known.map(|known| (strsim::normalized_damerau_levenshtein(&known.to_lowercase(), &lower), known));
    best(scored.filter(|(likeness, _)| *likeness > 0.75))
}

/// Maximum number of names that are suggested.
const SUGGESTED: usize = 3;

/// Returns the name without an ending that requests a BOM, if the encoding can have a BOM.
fn without_bom(name: &str) -> Vec<&'static str> {
    let endings = ["-BOM", "-SIG", "-WITH-SIGNATURE"];
    let is_ending = |at: &usize| endings.iter().any(|ending| Encoding::is_same_name(ending, &name[*at..]));
    let starts = (0..name.len()).filter(|at| name.is_char_boundary(*at)).filter(is_ending);
    let named =
        starts.filter_map(|at| Encoding::for_name(&name[..at])).find(|encoding| encoding.can_carry_bom());
    named.map(Encoding::name).into_iter().collect()
}

/// A name in the forms that are compared with a misspelling.
struct Spelling {
    name: &'static str,
    lower: String,
    letters: String,
    digits: String,
}

impl Spelling {
    fn of(name: &'static str) -> Spelling {
        let (letters, digits) = (letters(name), digits(name));
        Spelling { name, lower: name.to_lowercase(), letters, digits }
    }
}

fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_lowercase()
}

fn digits(name: &str) -> String {
    name.chars().filter(char::is_ascii_digit).collect()
}

/// Returns the spellings of [`all_names`], and those of [`Encoding::unsupported_names`]. They are cached, because a
/// configuration file may have thousands of unknown names.
fn spellings() -> &'static [Vec<Spelling>; 2] {
    static ALL: OnceLock<[Vec<Spelling>; 2]> = OnceLock::new();
    ALL.get_or_init(|| {
        [all_names().map(Spelling::of).collect(), Encoding::unsupported_names().map(Spelling::of).collect()]
    })
}

/// Returns the names that `name` may be a misspelling of. Digits must be equal, because cp1252 is not a misspelling of
/// cp1201.
fn similar(name: &str) -> Vec<&'static str> {
    let (typed, lower) = (digits(name), name.to_lowercase());
    let is_near = |known: &Spelling| {
        let len = known.name.len();
        len.abs_diff(name.len()) <= (len / 2).min(2) || known.lower.starts_with(&lower)
    };
    let near = spellings().iter().flatten().filter(|known| known.digits == typed && is_near(known));
    best(
        near.map(|known| (strsim::jaro_winkler(&known.lower, &lower), known.name))
            .filter(|(likeness, _)| *likeness > 0.8),
    )
}

/// Returns the names that differ from `name` by a digit that is wrong, added or missing, or by two exchanged digits.
/// The best names share the most leading digits, and among these have the nearest number.
fn miscounted(name: &str) -> Vec<&'static str> {
    let (typed, typed_letters) = (digits(name), letters(name));
    let Ok(number) = typed.parse::<u32>() else { return Vec::new() };
    let right =
        |known: &str| known.bytes().zip(typed.bytes()).take_while(|(one, other)| one == other).count();
    let near = spellings()[0]
        .iter()
        .filter(|known| known.letters == typed_letters)
        .filter(|known| strsim::damerau_levenshtein(&known.digits, &typed) == 1);
    best(near.map(|Spelling { name, digits, .. }| {
        let difference = digits.parse().map_or(u32::MAX, |known: u32| known.abs_diff(number));
        ((right(digits), Reverse(difference)), *name)
    }))
}

/// Returns the names with the highest score, one per encoding, at most [`SUGGESTED`].
fn best<G: PartialOrd>(scored: impl Iterator<Item = (G, &'static str)>) -> Vec<&'static str> {
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by(|(one, _), (other, _)| other.partial_cmp(one).unwrap_or(Ordering::Equal));
    let mut names: Vec<&str> = Vec::new();
    let is_best = |score: &G| *score == scored[0].0;
    for (_, name) in scored.iter().take_while(|(score, _)| is_best(score)) {
        let is_new = names.iter().all(|known| Encoding::for_name(known) != Encoding::for_name(name));
        if is_new || names.is_empty() {
            names.push(name);
        }
    }
    names.truncate(SUGGESTED);
    names
}

/// Returns every name and alias of every encoding, except names that imply a BOM policy, and WHATWG labels.
pub fn all_names() -> impl Iterator<Item = &'static str> {
    Encoding::all().flat_map(names)
}

/// Returns the canonical name of an encoding and its aliases.
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
        assert_eq!(Suffixes::cut("ISO-10646/UCS4").0, "ISO-10646/UCS4");
        assert_eq!(Suffixes::cut("ISO-10646/UCS4/").0, "ISO-10646/UCS4");
        assert_eq!(Suffixes::cut("ISO-10646/UCS4/TRANSLIT").0, "ISO-10646/UCS4");
        assert_eq!(Suffixes::cut("ISO-10646/UCS4//TRANSLIT//IGNORE").0, "ISO-10646/UCS4");
        assert!(Suffixes::cut("ISO-10646/UCS4/TRANSLIT").1.translit);
    }

    #[test]
    fn files_have_a_slash_and_no_known_name() {
        for (text, path, translit) in [
            ("./UTF-8", "./UTF-8", false),
            ("../a.ucm", "../a.ucm", false),
            ("/usr/share/i18n/charmaps/BRF", "/usr/share/i18n/charmaps/BRF", false),
            ("maps/a.txt//TRANSLIT", "maps/a.txt", true),
            ("./a/b/c//TRANSLIT//IGNORE", "./a/b/c", true),
            ("a//b/c//translit,", "a//b/c", true),
            ("./translit", "./translit", false),
            ("ISO-10646/UTF9", "ISO-10646/UTF9", false),
        ] {
            let suffixes = match parse(text) {
                Err(Unknown::File(found, suffixes)) if found == path => suffixes,
                other => panic!("{text}: {other:?}"),
            };
            assert_eq!(suffixes.translit, translit, "{text}");
        }
        for text in ["ISO-10646/UTF8/", "IBM037/", "UTF-8//", "//TRANSLIT", "ISO-10646/UCS4//TRANSLIT"] {
            assert!(parse(text).is_ok(), "{text}");
        }
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
            assert!(Encoding::for_name(name).is_none(), "{name} is an alias too");
        }
    }

    #[test]
    fn unknown_names_are_distinguished() {
        assert_eq!(parse("UFT-8//TRANSLIT"), Err(Unknown::Similar(vec!["UTF-8"])));
        assert_eq!(parse("viqr"), Err(Unknown::OutOfScope("VIQR")));
        assert_eq!(parse("compoundtext"), Err(Unknown::OutOfScope("COMPOUND_TEXT")));
        assert_eq!(parse("qqq"), Err(Unknown::Name));
        assert_eq!(parse("whatwg:shift-jsi"), Err(Unknown::Similar(vec!["whatwg:shift-jis"])));
        assert_eq!(parse("whatwg:hz-gb-2312"), Err(Unknown::Replacement(Some("HZ-GB-2312"))));
        assert_eq!(parse("WHATWG:replacement"), Err(Unknown::Replacement(None)));
        for (name, similar) in [
            ("gb18300", "GB18030"),
            ("UTF-9", "UTF-8"),
            ("utf-61", "UTF-16"),
            ("ISO-8859-17", "ISO-8859-16"),
            ("windows-1259", "windows-1258"),
            ("cp12525", "CP1252"),
            ("UTF-16-BOM", "UTF-16"),
            ("utf_32_sig", "UTF-32"),
            ("isciii", "ISCII"),
        ] {
            assert_eq!(parse(name), Err(Unknown::Similar(vec![similar])), "{name}");
        }
        let several = parse("koi8-x").expect_err("unknown").suggestion().expect("similar names");
        assert_eq!(several, "; did you mean KOI8-R, KOI8-U or KOI8-T?");
        assert_eq!(parse("latin1-bom").expect_err("unknown").suggestion(), None);
        for name in ["ansi", "ANSI", "mbcs", "oem", "ebcdic", "char", "locale", "punycode"] {
            assert!(matches!(parse(name), Err(Unknown::NoEncoding(_))), "{name}");
        }
    }
}
