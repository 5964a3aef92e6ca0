//! Code pages that a guess may name, and how common each is.

use std::sync::{LazyLock, OnceLock};

use super::cost::{Cost, EXCEPTION, RARE, SELDOM, USUAL};
use super::models::{ALPHABETS, MODELS, Sign};
use utfconv_core::encodings::*;
use utfconv_core::{Encoding, ISO_8859_1, US_ASCII};

/// A code page that a guess may name.
pub(super) struct CodePage {
    pub(super) encoding: &'static Encoding,
    /// The cost of naming the code page: more for less common code pages.
    pub(super) rarity: Cost,
    /// The languages that the code page was made for; empty if it serves all languages whose letters it has.
    homes: &'static str,
    /// The code unit of each byte, or [`Encoding::UNDEFINED`].
    pub(super) units: &'static [u16; 256],
    /// The cost of each language in this code page; computed when first needed.
    languages: OnceLock<[Cost; ALPHABETS]>,
}

/// The cost of a language that no text in a code page is in. The sum of all other costs is less than half of it.
pub(super) const NEVER: Cost = Cost::MAX / 8;

/// A row of the table of priors: a cost, the code pages that have it, and the languages that they were made for. No
/// languages mean all languages in the script of the code page except English.
type Row = (Cost, &'static [&'static Encoding], &'static str);

/// Code pages that contain ASCII. Of similar code pages, the one with more characters is first, which matters only if a
/// file has these characters.
static PAGES: &[Row] = &[
    (0, &[&WINDOWS_1252], ""),
    (USUAL, &[&ISO_8859_1, &ISO_8859_15], ""),
    (USUAL, &[&WINDOWS_1250, &ISO_8859_2, &IBM852], "cs hr hu pl ro sk sl sq"),
    (SELDOM, &[&MAC_CENTRALEUROPE], "cs hr hu pl ro sk sl sq"),
    (USUAL, &[&WINDOWS_1254, &ISO_8859_9], "tr"),
    (SELDOM, &[&IBM857], "tr"),
    (RARE, &[&MACTURKISH], "tr"),
    (USUAL, &[&WINDOWS_1257], "et lt lv"),
    (SELDOM, &[&ISO_8859_13, &ISO_8859_4, &IBM775], "et lt lv"),
    (USUAL, &[&IBM850], ""),
    (SELDOM, &[&IBM437, &MACINTOSH], ""),
    (RARE, &[&IBM00858], ""),
    (SELDOM, &[&ISO_8859_16], "hr hu pl ro sl"),
    (SELDOM, &[&ISO_8859_14], "br cy ga"),
    (SELDOM, &[&WINDOWS_1258], "vi"),
    (RARE, &[&VISCII], "vi"),
    (RARE, &[&ISO_8859_10], "et fo is lt lv"),
    (RARE, &[&ISO_8859_3], "eo mt"),
    (SELDOM, &[&IBM865], "da nb nn"),
    (RARE, &[&IBM860], "pt"),
    (RARE, &[&IBM861], "is"),
    (RARE, &[&MACICELAND], "fo is"),
    (USUAL, &[&WINDOWS_1251, &KOI8_R], ""),
    (SELDOM, &[&KOI8_U, &ISO_8859_5, &IBM866], ""),
    (RARE, &[&IBM855, &CP10007], ""),
    (RARE, &[&IBM1125], "uk"),
    (RARE, &[&IBM1131], "be"),
    (RARE, &[&KZ_1048, &PTCP154], "kk"),
    (RARE, &[&KOI8_T], "tg"),
    (USUAL, &[&WINDOWS_1253, &ISO_8859_7], ""),
    (RARE, &[&IBM737, &IBM869, &MACGREEK], ""),
    (USUAL, &[&WINDOWS_1255], ""),
    (SELDOM, &[&ISO_8859_8], ""),
    (RARE, &[&IBM862], ""),
    (USUAL, &[&WINDOWS_1256], ""),
    (SELDOM, &[&ISO_8859_6], ""),
    (RARE, &[&IBM720], ""),
    (USUAL, &[&WINDOWS_874], ""),
];

/// Code pages of EBCDIC. The first is the most common, and has the ASCII letters of all others.
static EBCDIC: &[Row] = &[
    (0, &[&IBM037], ""),
    (USUAL, &[&IBM500, &IBM1047, &IBM273, &IBM297, &IBM875, &IBM1025, &IBM424], ""),
    (SELDOM, &[&IBM277, &IBM278, &IBM280, &IBM284, &IBM285, &IBM01140, &IBM870, &IBM1026, &IBM420], ""),
    (SELDOM, &[&IBM_THAI], ""),
];

/// Code pages in which English text is common.
static OF_ENGLISH: [&Encoding; 3] = [&WINDOWS_1252, &ISO_8859_1, &ISO_8859_15];

/// Code pages of classic Mac OS.
static OF_MACINTOSH: [&Encoding; 6] =
    [&MACINTOSH, &MAC_CENTRALEUROPE, &MACTURKISH, &MACICELAND, &CP10007, &MACGREEK];

/// The candidates that contain ASCII.
pub(super) static ASCII_PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| read(PAGES));

/// The EBCDIC code pages that are candidates.
pub(super) static EBCDIC_PAGES: LazyLock<Vec<CodePage>> = LazyLock::new(|| read(EBCDIC));

fn read(rows: &[Row]) -> Vec<CodePage> {
    let each =
        rows.iter().flat_map(|(cost, pages, homes)| pages.iter().map(move |page| (*page, *cost, *homes)));
    each.filter_map(|(encoding, rarity, homes)| CodePage::new(encoding, rarity, homes)).collect()
}

impl CodePage {
    /// Creates a candidate with no cost of rarity. Returns `None` if `encoding` is no code page.
    pub(super) fn requested(encoding: &'static Encoding) -> Option<CodePage> {
        CodePage::new(encoding, 0, "")
    }

    fn new(encoding: &'static Encoding, rarity: Cost, homes: &'static str) -> Option<CodePage> {
        let units = encoding.table().filter(|_| encoding != &US_ASCII)?;
        Some(CodePage { encoding, rarity, homes, units, languages: OnceLock::new() })
    }

    /// Whether text does not have this byte, because the code page does not define it or maps it to a C1 control other
    /// than NEL.
    pub(super) fn is_undefined(&self, byte: u8) -> bool {
        let unit = self.units[usize::from(byte)];
        unit == Encoding::UNDEFINED || !self.encoding.is_ebcdic() && matches!(unit, 0x80..=0x84 | 0x86..=0x9F)
    }

    /// Whether the code page is of classic Mac OS.
    pub(super) fn is_of_macintosh(&self) -> bool {
        OF_MACINTOSH.contains(&self.encoding)
    }

    /// Whether the code page defines all of `bytes`.
    pub(super) fn has_all(&self, bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| !self.is_undefined(*byte))
    }

    /// Whether both code pages decode `bytes` to the same text.
    pub(super) fn reads_as(&self, other: &CodePage, bytes: &[u8]) -> bool {
        // Code pages differ in the upper half, so compare the largest bytes first.
        bytes.iter().rev().all(|byte| self.units[usize::from(*byte)] == other.units[usize::from(*byte)])
    }

    /// Returns the cost of each language of the models in this code page.
    pub(super) fn languages(&self) -> &[Cost; ALPHABETS] {
        self.languages.get_or_init(|| self.find_languages())
    }

    fn find_languages(&self) -> [Cost; ALPHABETS] {
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
        // A code page with letters of another script is not used for languages in Latin letters.
        if languages.iter().any(|(_, alphabet)| !alphabet.is_latin) {
            languages.retain(|(_, alphabet)| !alphabet.is_latin);
        }
        let is_english = |name: &str| name == "en" && !self.encoding.is_ebcdic();
        let mut costs = [NEVER; ALPHABETS];
        for (number, alphabet) in languages {
            let is_home = self.homes.is_empty() || self.homes.split(' ').any(|home| home == alphabet.name);
            let is_usual = !is_english(alphabet.name) || OF_ENGLISH.contains(&self.encoding);
            costs[number] = if is_home && is_usual { 0 } else { EXCEPTION };
        }
        costs
    }
}

/// Letters of all alphabets are below this scalar value.
const LETTERS: usize = 0x2000;
