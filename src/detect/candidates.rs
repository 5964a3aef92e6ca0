//! The candidates for a guess, and how common each is.

use std::sync::LazyLock;

use utfconv_core::{Encoding, OnIllFormed, Options, Policy, UTF_8, convert};

use super::languages::{Cost, LANGUAGES, Language, NATS};

/// An encoding that a guess may name.
pub struct Candidate {
    pub encoding: &'static Encoding,
    /// The cost of naming it, because others are more common.
    pub rarity: Cost,
    pub form: Form,
}

/// How the candidate is read.
pub enum Form {
    /// A code page: the character of each byte, and the languages that are written with them.
    Page { chars: Box<[Option<char>; 256]>, languages: Vec<&'static Language> },
    /// Characters of several bytes, and the languages that are written with them.
    MultiByte { languages: Vec<&'static Language> },
}

/// The names, each with its rarity in quarters of a logarithm. Of similar code pages, the one with more characters is first:
/// that matters only if a file has these characters.
const PAGES: &[(&str, Cost)] = &[
    ("windows-1252", 0),
    ("ISO-8859-1", 2 * NATS),
    ("ISO-8859-15", 2 * NATS),
    ("windows-1250", 2),
    ("ISO-8859-2", 2 * NATS),
    ("windows-1254", 4),
    ("ISO-8859-9", 2 * NATS),
    ("windows-1257", 4),
    ("ISO-8859-13", 3 * NATS),
    ("ISO-8859-4", 4 * NATS),
    ("ISO-8859-10", 6 * NATS),
    ("ISO-8859-16", 5 * NATS),
    ("ISO-8859-3", 6 * NATS),
    ("windows-1258", 4),
    ("IBM850", 3 * NATS),
    ("IBM437", 4 * NATS),
    ("IBM852", 3 * NATS),
    ("IBM857", 4 * NATS),
    ("IBM775", 4 * NATS),
    ("IBM865", 5 * NATS),
    ("macintosh", 4 * NATS),
    ("MAC-CENTRALEUROPE", 5 * NATS),
    ("MacTurkish", 6 * NATS),
    ("windows-1251", 0),
    ("KOI8-R", 2),
    ("KOI8-U", 4),
    ("ISO-8859-5", 2 * NATS),
    ("IBM866", 2 * NATS),
    ("IBM855", 4 * NATS),
    ("CP10007", 4 * NATS),
    ("windows-1253", 0),
    ("ISO-8859-7", 2),
    ("IBM737", 3 * NATS),
    ("IBM869", 4 * NATS),
    ("MacGreek", 6 * NATS),
    ("windows-1255", 0),
    ("ISO-8859-8", 2 * NATS),
    ("IBM862", 4 * NATS),
    ("windows-1256", 0),
    ("ISO-8859-6", 2 * NATS),
    ("windows-874", 0),
];

const MULTI_BYTE: &[(&str, Cost, &[&str])] = &[
    ("windows-31j", 0, &["ja"]),
    ("EUC-JP", 4, &["ja"]),
    ("GB18030", 0, &["zh_CN", "zh_TW"]),
    ("Big5", 0, &["zh_TW"]),
    ("CP949", 0, &["ko"]),
];

/// All candidates, with their characters and languages.
pub static CANDIDATES: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    let named = |name| Encoding::named(name).expect("an encoding of this program");
    let pages = PAGES.iter().map(|(name, rarity)| {
        let encoding = named(name);
        let chars = Box::new(chars(encoding));
        let is_written = |language: &&Language| language.is_written_with(chars.iter().flatten());
        let mut languages: Vec<_> = LANGUAGES.iter().filter(is_written).collect();
        // Languages with only Latin letters do not use a code page with Arabic ones.
        if languages.iter().any(|language| !language.is_latin()) {
            languages.retain(|language| !language.is_latin());
        }
        Candidate { encoding, rarity: *rarity, form: Form::Page { chars, languages } }
    });
    let multi_byte = MULTI_BYTE.iter().map(|(name, rarity, languages)| {
        let languages = LANGUAGES.iter().filter(|language| languages.contains(&language.name)).collect();
        Candidate { encoding: named(name), rarity: *rarity, form: Form::MultiByte { languages } }
    });
    pages.chain(multi_byte).collect()
});

/// Returns the character of each byte.
fn chars(encoding: &'static Encoding) -> [Option<char>; 256] {
    // Line feeds between the bytes, so that no two are read as one character.
    let bytes: Vec<u8> = (0..=0xFF).flat_map(|byte| [byte, b'\n']).collect();
    let text = decoded(encoding, &bytes);
    let mut chars =
        text.chars().step_by(2).map(|char| Some(char).filter(|char| *char != char::REPLACEMENT_CHARACTER));
    std::array::from_fn(|_| chars.next().flatten())
}

/// Decodes `bytes`, with U+FFFD for each fault.
pub fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let policy = Policy { ill_formed: OnIllFormed::Replace(None), ..Policy::default() };
    let options = Options::default().policy(policy);
    let converted = convert(bytes, encoding, &UTF_8, &options);
    converted.ok().and_then(|converted| String::from_utf8(converted.output).ok()).unwrap_or_default()
}
