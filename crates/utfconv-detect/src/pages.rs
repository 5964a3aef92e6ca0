//! The candidates among code pages, and how common each is.

use std::sync::{LazyLock, OnceLock};

use super::models::{Alphabet, Cost, MODELS, NATS, Sign};
use utfconv_core::encodings::*;
use utfconv_core::{Encoding, ISO_8859_1, US_ASCII};

/// A code page that a guess may name.
pub(super) struct CodePage {
    pub(super) encoding: &'static Encoding,
    /// The cost of naming it, because others are more common.
    pub(super) rarity: Cost,
    pub(super) family: Family,
    /// The character of each byte, or [`Encoding::UNDEFINED`].
    pub(super) units: &'static [u16; 256],
    /// Found when they are needed.
    languages: OnceLock<Vec<Written>>,
}

/// A language in a code page.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// Its place among the alphabets of the models.
    pub(super) alphabet: usize,
    /// The cost of the language in this page.
    pub(super) cost: Cost,
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

/// The names, each with its rarity. Of similar code pages, the one with more characters is first: that matters only
/// if a file has these characters.
static PAGES: &[(&Encoding, Family, Cost)] = &[
    (&WINDOWS_1252, Windows, 0),
    (&ISO_8859_1, Unix, 3 * NATS),
    (&ISO_8859_15, Unix, 3 * NATS),
    (&WINDOWS_1250, Windows, 2 * NATS),
    (&ISO_8859_2, Unix, 3 * NATS),
    (&WINDOWS_1254, Windows, 3 * NATS),
    (&ISO_8859_9, Unix, 3 * NATS),
    (&WINDOWS_1257, Windows, 3 * NATS),
    (&ISO_8859_13, Unix, 4 * NATS),
    (&ISO_8859_4, Unix, 5 * NATS),
    (&ISO_8859_10, Unix, 6 * NATS),
    (&ISO_8859_16, Unix, 5 * NATS),
    (&ISO_8859_3, Unix, 7 * NATS),
    (&ISO_8859_14, Unix, 5 * NATS),
    (&WINDOWS_1258, Windows, 4 * NATS),
    (&VISCII, Unix, 8 * NATS),
    (&IBM850, Dos, 3 * NATS),
    (&IBM437, Dos, 4 * NATS),
    (&IBM00858, Dos, 6 * NATS),
    (&IBM852, Dos, 3 * NATS),
    (&IBM857, Dos, 4 * NATS),
    (&IBM775, Dos, 4 * NATS),
    (&IBM865, Dos, 5 * NATS),
    (&IBM861, Dos, 6 * NATS),
    (&IBM860, Dos, 6 * NATS),
    (&MACINTOSH, Mac, 4 * NATS),
    (&MAC_CENTRALEUROPE, Mac, 5 * NATS),
    (&MACTURKISH, Mac, 6 * NATS),
    (&MACICELAND, Mac, 7 * NATS),
    (&WINDOWS_1251, Windows, 3 * NATS),
    (&KOI8_R, Unix, 7 * NATS / 2),
    (&KOI8_U, Unix, 4 * NATS),
    (&ISO_8859_5, Unix, 5 * NATS),
    (&IBM866, Dos, 5 * NATS),
    (&IBM855, Dos, 7 * NATS),
    (&IBM1125, Dos, 6 * NATS),
    (&IBM1131, Dos, 7 * NATS),
    (&CP10007, Mac, 7 * NATS),
    (&KZ_1048, Windows, 7 * NATS),
    (&PTCP154, Windows, 9 * NATS),
    (&KOI8_T, Unix, 7 * NATS),
    (&WINDOWS_1253, Windows, 3 * NATS),
    (&ISO_8859_7, Unix, 7 * NATS / 2),
    (&IBM737, Dos, 6 * NATS),
    (&IBM869, Dos, 7 * NATS),
    (&MACGREEK, Mac, 9 * NATS),
    (&WINDOWS_1255, Windows, 3 * NATS),
    (&ISO_8859_8, Unix, 5 * NATS),
    (&IBM862, Dos, 7 * NATS),
    (&WINDOWS_1256, Windows, 3 * NATS),
    (&ISO_8859_6, Unix, 5 * NATS),
    (&IBM720, Dos, 8 * NATS),
    (&WINDOWS_874, Windows, 3 * NATS),
];

/// Code pages that are made for some languages, and these; others are hardly written with them.
static HOMES: &[(&[&Encoding], &[&str])] = &[
    (
        &[&WINDOWS_1250, &ISO_8859_2, &IBM852, &MAC_CENTRALEUROPE],
        &["cs", "hr", "hu", "pl", "ro", "sk", "sl", "sq"],
    ),
    (&[&WINDOWS_1254, &ISO_8859_9, &IBM857, &MACTURKISH], &["tr"]),
    (&[&WINDOWS_1257, &ISO_8859_13, &ISO_8859_4, &IBM775], &["et", "lt", "lv"]),
    (&[&WINDOWS_1258, &VISCII], &["vi"]),
    (&[&ISO_8859_3], &["eo", "mt"]),
    (&[&ISO_8859_10], &["et", "fo", "is", "lt", "lv"]),
    (&[&ISO_8859_14], &["br", "cy", "ga"]),
    (&[&ISO_8859_16], &["hr", "hu", "pl", "ro", "sl"]),
    (&[&IBM860], &["pt"]),
    (&[&IBM861], &["is"]),
    (&[&MACICELAND], &["fo", "is"]),
    (&[&IBM1125], &["uk"]),
    (&[&IBM1131], &["be"]),
    (&[&IBM865], &["da", "nb", "nn"]),
    (&[&KZ_1048, &PTCP154], &["kk"]),
    (&[&KOI8_T], &["tg"]),
];

/// The cost of a language in such a page that is not made for it.
const ABROAD: Cost = 3 * NATS;

/// The cost of a language in a page that lacks some of its letters.
const INCOMPLETE: Cost = 2 * NATS;

/// The same of EBCDIC. The first is the most common, in which the others' letters of ASCII are, too.
static EBCDIC: &[(&Encoding, Family, Cost)] = &[
    (&IBM037, Ebcdic, 0),
    (&IBM500, Ebcdic, NATS),
    (&IBM1047, Ebcdic, NATS),
    (&IBM273, Ebcdic, 2 * NATS),
    (&IBM277, Ebcdic, 3 * NATS),
    (&IBM278, Ebcdic, 3 * NATS),
    (&IBM280, Ebcdic, 3 * NATS),
    (&IBM284, Ebcdic, 3 * NATS),
    (&IBM285, Ebcdic, 3 * NATS),
    (&IBM297, Ebcdic, 2 * NATS),
    (&IBM01140, Ebcdic, 4 * NATS),
    (&IBM870, Ebcdic, 3 * NATS),
    (&IBM1026, Ebcdic, 3 * NATS),
    (&IBM875, Ebcdic, 2 * NATS),
    (&IBM1025, Ebcdic, 2 * NATS),
    (&IBM424, Ebcdic, 2 * NATS),
    (&IBM420, Ebcdic, 3 * NATS),
    (&IBM_THAI, Ebcdic, 3 * NATS),
];

/// The candidates whose lower half is ASCII.
pub(super) static ASCII_PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| read(PAGES));

/// The candidates of EBCDIC.
pub(super) static EBCDIC_PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| read(EBCDIC));

fn read(pages: &[(&'static Encoding, Family, Cost)]) -> Vec<CodePage> {
    let page = |(encoding, family, rarity): &(&'static Encoding, Family, Cost)| {
        CodePage::new(encoding, *family, *rarity)
    };
    pages.iter().filter_map(page).collect()
}

impl CodePage {
    /// A candidate that is neither more nor less common than the commonest; None if `encoding` is no code page.
    pub(super) fn requested(encoding: &'static Encoding) -> Option<CodePage> {
        CodePage::new(encoding, if encoding.is_ebcdic() { Ebcdic } else { Windows }, 0)
    }

    fn new(encoding: &'static Encoding, family: Family, rarity: Cost) -> Option<CodePage> {
        let units = encoding.table().filter(|_| encoding != &US_ASCII)?;
        Some(CodePage { encoding, rarity, family, units, languages: OnceLock::new() })
    }

    /// Returns the character of a byte.
    pub(super) fn char(&self, byte: u8) -> Option<char> {
        char::from_u32(self.units[usize::from(byte)].into())
            .filter(|char| *char != char::REPLACEMENT_CHARACTER)
    }

    /// Whether it has a character for each of these bytes.
    pub(super) fn has_all(&self, bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| self.units[usize::from(*byte)] != Encoding::UNDEFINED)
    }

    /// How many bytes that it does not define a text has, with these counts of bytes.
    pub(super) fn count_undefined(&self, counts: &[u64; 256]) -> u64 {
        let defined = self.units.iter().zip(counts);
        defined.filter(|(unit, _)| **unit == Encoding::UNDEFINED).map(|(_, count)| count).sum()
    }

    /// Whether it reads these bytes as another page does.
    pub(super) fn reads_as(&self, other: &CodePage, bytes: &[u8]) -> bool {
        // Pages differ in the upper half.
        bytes.iter().rev().all(|byte| self.units[usize::from(*byte)] == other.units[usize::from(*byte)])
    }

    /// Whether it is not made for other languages than the one with this number.
    pub(super) fn is_home_of(&self, alphabet: usize) -> bool {
        self.languages().iter().any(|written| written.alphabet == alphabet && written.cost < ABROAD)
    }

    /// Returns the languages that are written with it.
    pub(super) fn languages(&self) -> &[Written] {
        self.languages.get_or_init(|| self.find_languages())
    }

    fn find_languages(&self) -> Vec<Written> {
        let mut letters = [false; LETTERS];
        for unit in self.units {
            let lower = Sign::of_unit(*unit).char;
            if let Some(letter) = letters.get_mut(lower as usize) {
                *letter = true;
            }
        }
        let has = |letter: char| {
            letters.get(letter as usize).is_some_and(|had| *had) || matches!(letter, '\u{300}'..='\u{36F}')
        };
        let alphabets = MODELS.alphabets.iter().enumerate();
        let mut languages: Vec<_> = alphabets.filter(|(_, alphabet)| alphabet.is_written_with(has)).collect();
        // Languages with only Latin letters do not use a code page with Arabic ones.
        if languages.iter().any(|(_, alphabet)| !alphabet.is_latin) {
            languages.retain(|(_, alphabet)| !alphabet.is_latin);
        }
        let homes = HOMES.iter().filter(|(pages, _)| pages.contains(&self.encoding));
        let homes: Vec<&str> = homes.flat_map(|(_, languages)| *languages).copied().collect();
        let written = |(number, alphabet): (usize, &Alphabet)| {
            let is_complete = alphabet.is_complete(has);
            let is_at_home = homes.is_empty() || homes.contains(&alphabet.name);
            let cost = if is_complete { 0 } else { INCOMPLETE } + if is_at_home { 0 } else { ABROAD };
            Written { alphabet: number, cost }
        };
        languages.into_iter().map(written).collect()
    }
}

/// Letters of alphabets are below this.
const LETTERS: usize = 0x2000;
