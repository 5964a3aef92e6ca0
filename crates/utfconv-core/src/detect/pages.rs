//! The candidates among code pages, and how common each is.

use std::sync::{LazyLock, OnceLock};

use super::models::{Alphabet, Cost, MODELS, NATS, Role, Sign};
use crate::encoding::Encoding;
use crate::form::Form;

/// A code page that a guess may name.
pub(super) struct CodePage {
    pub(super) encoding: &'static Encoding,
    /// The cost of naming it, because others are more common.
    pub(super) rarity: Cost,
    pub(super) family: Family,
    /// The character of each byte.
    pub(super) chars: Box<[Option<char>; 256]>,
    signs: Box<[Sign; 256]>,
    /// The languages that are written with it, and the role of each byte in them.
    pub(super) languages: Vec<Written>,
}

/// A language in a code page.
pub(super) struct Written {
    pub(super) alphabet: &'static Alphabet,
    /// The cost of the language in this page.
    pub(super) cost: Cost,
    roles: OnceLock<Box<[Role; 256]>>,
}

/// Where a code page comes from: which newlines its texts have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Windows,
    Dos,
    Mac,
    Unix,
    Ebcdic,
}

use Family::{Dos, Ebcdic, Mac, Unix, Windows};

/// The names, each with its rarity. Of similar code pages, the one with more characters is first: that matters only if a file
/// has these characters.
const PAGES: &[(&str, Family, Cost)] = &[
    ("windows-1252", Windows, 0),
    ("ISO-8859-1", Unix, 3 * NATS),
    ("ISO-8859-15", Unix, 3 * NATS),
    ("windows-1250", Windows, 2 * NATS),
    ("ISO-8859-2", Unix, 3 * NATS),
    ("windows-1254", Windows, 3 * NATS),
    ("ISO-8859-9", Unix, 3 * NATS),
    ("windows-1257", Windows, 3 * NATS),
    ("ISO-8859-13", Unix, 4 * NATS),
    ("ISO-8859-4", Unix, 5 * NATS),
    ("ISO-8859-10", Unix, 6 * NATS),
    ("ISO-8859-16", Unix, 5 * NATS),
    ("ISO-8859-3", Unix, 7 * NATS),
    ("ISO-8859-14", Unix, 5 * NATS),
    ("windows-1258", Windows, 4 * NATS),
    ("VISCII", Unix, 8 * NATS),
    ("IBM850", Dos, 3 * NATS),
    ("IBM437", Dos, 4 * NATS),
    ("IBM00858", Dos, 6 * NATS),
    ("IBM852", Dos, 3 * NATS),
    ("IBM857", Dos, 4 * NATS),
    ("IBM775", Dos, 4 * NATS),
    ("IBM865", Dos, 5 * NATS),
    ("IBM861", Dos, 6 * NATS),
    ("IBM860", Dos, 6 * NATS),
    ("macintosh", Mac, 4 * NATS),
    ("MAC-CENTRALEUROPE", Mac, 5 * NATS),
    ("MacTurkish", Mac, 6 * NATS),
    ("MacIceland", Mac, 7 * NATS),
    ("windows-1251", Windows, 3 * NATS),
    ("KOI8-R", Unix, 7 * NATS / 2),
    ("KOI8-U", Unix, 4 * NATS),
    ("ISO-8859-5", Unix, 5 * NATS),
    ("IBM866", Dos, 5 * NATS),
    ("IBM855", Dos, 7 * NATS),
    ("IBM1125", Dos, 6 * NATS),
    ("IBM1131", Dos, 7 * NATS),
    ("CP10007", Mac, 7 * NATS),
    ("KZ-1048", Windows, 7 * NATS),
    ("PTCP154", Windows, 9 * NATS),
    ("KOI8-T", Unix, 7 * NATS),
    ("windows-1253", Windows, 3 * NATS),
    ("ISO-8859-7", Unix, 7 * NATS / 2),
    ("IBM737", Dos, 6 * NATS),
    ("IBM869", Dos, 7 * NATS),
    ("MacGreek", Mac, 9 * NATS),
    ("windows-1255", Windows, 3 * NATS),
    ("ISO-8859-8", Unix, 5 * NATS),
    ("IBM862", Dos, 7 * NATS),
    ("windows-1256", Windows, 3 * NATS),
    ("ISO-8859-6", Unix, 5 * NATS),
    ("IBM720", Dos, 8 * NATS),
    ("windows-874", Windows, 3 * NATS),
];

/// Code pages that are made for some languages, and these; others are hardly written with them.
const HOMES: &[(&[&str], &[&str])] = &[
    (
        &["windows-1250", "ISO-8859-2", "IBM852", "MAC-CENTRALEUROPE"],
        &["cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"],
    ),
    (&["windows-1254", "ISO-8859-9", "IBM857", "MacTurkish"], &["tr"]),
    (&["windows-1257", "ISO-8859-13", "ISO-8859-4", "IBM775"], &["et", "lt", "lv"]),
    (&["windows-1258", "VISCII"], &["vi"]),
    (&["ISO-8859-3"], &["eo", "mt"]),
    (&["ISO-8859-10"], &["et", "fo", "is", "lt", "lv"]),
    (&["ISO-8859-14"], &["br", "cy", "ga"]),
    (&["ISO-8859-16"], &["hr", "hu", "pl", "ro", "sl"]),
    (&["IBM860"], &["pt"]),
    (&["IBM861"], &["is"]),
    (&["MacIceland"], &["fo", "is"]),
    (&["IBM1125"], &["uk"]),
    (&["IBM1131"], &["be"]),
    (&["IBM865"], &["da", "nb", "nn"]),
    (&["KZ-1048", "PTCP154"], &["kk"]),
    (&["KOI8-T"], &["tg"]),
];

/// The cost of a language in such a page that is not made for it.
const ABROAD: Cost = 3 * NATS;

/// The cost of a language in a page that lacks some of its letters.
const INCOMPLETE: Cost = 2 * NATS;

/// The same of EBCDIC. The first is the most common, in which the others' letters of ASCII are, too.
const EBCDIC: &[(&str, Family, Cost)] = &[
    ("IBM037", Ebcdic, 0),
    ("IBM500", Ebcdic, NATS),
    ("IBM1047", Ebcdic, NATS),
    ("IBM273", Ebcdic, 2 * NATS),
    ("IBM277", Ebcdic, 3 * NATS),
    ("IBM278", Ebcdic, 3 * NATS),
    ("IBM280", Ebcdic, 3 * NATS),
    ("IBM284", Ebcdic, 3 * NATS),
    ("IBM285", Ebcdic, 3 * NATS),
    ("IBM297", Ebcdic, 2 * NATS),
    ("IBM01140", Ebcdic, 4 * NATS),
    ("IBM870", Ebcdic, 3 * NATS),
    ("IBM1026", Ebcdic, 3 * NATS),
    ("IBM875", Ebcdic, 2 * NATS),
    ("IBM1025", Ebcdic, 2 * NATS),
    ("IBM424", Ebcdic, 2 * NATS),
    ("IBM420", Ebcdic, 3 * NATS),
    ("IBM-Thai", Ebcdic, 3 * NATS),
];

/// The characters of ASCII.
static ASCII: LazyLock<[Sign; 128]> =
    LazyLock::new(|| std::array::from_fn(|byte| Sign::of(byte as u8 as char)));

/// The candidates whose lower half is ASCII.
pub(super) static ASCII_PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| read(PAGES));

/// The candidates of EBCDIC.
pub(super) static EBCDIC_PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| read(EBCDIC));

fn read(pages: &[(&str, Family, Cost)]) -> Vec<CodePage> {
    let named = |name| Encoding::named(name).expect("an encoding of this library");
    pages.iter().filter_map(|(name, family, rarity)| CodePage::new(named(name), *family, *rarity)).collect()
}

impl CodePage {
    /// A candidate that is no more and no less common than the commonest; None if `encoding` is no code page.
    pub(super) fn requested(encoding: &'static Encoding) -> Option<CodePage> {
        CodePage::new(encoding, if encoding.is_ebcdic() { Ebcdic } else { Windows }, 0)
    }

    fn new(encoding: &'static Encoding, family: Family, rarity: Cost) -> Option<CodePage> {
        let chars = Box::new(chars(encoding)?);
        let sign = |byte: usize| match chars[byte] {
            Some(char) if char.is_ascii() => ASCII[char as usize],
            char => Sign::of(char.unwrap_or(char::REPLACEMENT_CHARACTER)),
        };
        let signs: Box<[Sign; 256]> = Box::new(std::array::from_fn(sign));
        let mut letters = [false; 0x2000];
        signs
            .iter()
            .filter(|sign| sign.char < '\u{2000}')
            .for_each(|sign| letters[sign.char as usize] = true);
        let has = |letter: char| {
            letters.get(letter as usize).is_some_and(|had| *had) || matches!(letter, '\u{300}'..='\u{36F}')
        };
        let mut languages: Vec<_> =
            MODELS.alphabets.iter().filter(|alphabet| alphabet.is_written_with(has)).collect();
        // Languages with only Latin letters do not use a code page with Arabic ones.
        if languages.iter().any(|alphabet| !alphabet.is_latin) {
            languages.retain(|alphabet| !alphabet.is_latin);
        }
        let written = |alphabet: &'static Alphabet| {
            let is_complete = alphabet.letters.iter().all(|letter| !letter.is_alphabetic() || has(*letter));
            let is_at_home = HOMES.iter().all(|(pages, languages)| {
                !pages.contains(&encoding.name()) || languages.contains(&alphabet.name)
            });
            let cost = if is_complete { 0 } else { INCOMPLETE } + if is_at_home { 0 } else { ABROAD };
            Written { alphabet, cost, roles: OnceLock::new() }
        };
        let languages = languages.into_iter().map(written).collect();
        Some(CodePage { encoding, rarity, family, chars, signs, languages })
    }

    /// The role of each byte in a language.
    pub(super) fn roles<'a>(&self, written: &'a Written) -> &'a [Role; 256] {
        written.roles.get_or_init(|| Box::new(self.signs.map(|sign| written.alphabet.role(sign))))
    }
}

/// Returns the character of each byte; None if the encoding is no code page.
fn chars(encoding: &'static Encoding) -> Option<[Option<char>; 256]> {
    let units = match encoding.form() {
        Form::Page(page) => page.to_unicode,
        Form::Latin1 => std::array::from_fn(|byte| byte as u16),
        _ => return None,
    };
    let is_unassigned = |char: &char| *char == char::REPLACEMENT_CHARACTER;
    Some(units.map(|unit| char::from_u32(unit.into()).filter(|char| !is_unassigned(char))))
}
