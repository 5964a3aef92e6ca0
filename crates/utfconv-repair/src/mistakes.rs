//! The mistakes that can be undone: UTF-8 that was decoded as another encoding, and a code page that was decoded as
//! another.
//!
//! A mistake is a function from bytes to characters; this module has its inverse. Bytes that an encoding leaves
//! undefined become C1 controls, as in browsers. windows-1252, windows-1254 and windows-1257 also stand for ISO-8859-1,
//! ISO-8859-9 and ISO-8859-13, so all C1 controls are accepted.

use std::ops::RangeInclusive;
use std::sync::{LazyLock, OnceLock};

use utfconv_core::Encoding;
use utfconv_core::encodings::{
    IBM437, IBM850, IBM866, ISO_8859_2, ISO_8859_15, KOI8_R, KOI8_U, MACINTOSH, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1254, WINDOWS_1257,
};
use utfconv_core::utf8::is_continuation;
use utfconv_detect::plausibility::{Cost, NATS};

/// A wrong encoding that text was decoded as, and the right encoding, which is UTF-8 or a code page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mistake(u8);

/// The code pages, the most common first. If two give the same result, the first is named. UTF-8 is not confused with
/// the last three.
static PAGES: [&Encoding; GBK + 3] = [
    &WINDOWS_1252,
    &WINDOWS_1250,
    &WINDOWS_1251,
    &WINDOWS_1254,
    &WINDOWS_1257,
    &ISO_8859_2,
    &ISO_8859_15,
    &MACINTOSH,
    &IBM437,
    &IBM850,
    &IBM866,
    &KOI8_R,
    &KOI8_U,
];

/// The cost of assuming a Windows code page other than windows-1252: 3/2 nats, because that mistake is 4 to 5 times
/// rarer. Code pages of neither Windows nor ISO 8859 are rarer by this factor again, and so are those of ISO 8859.
const RARITY: Cost = 3 * NATS / 2;

/// The number of the GBK mistake, which follows the code pages that UTF-8 is confused with.
const GBK: usize = 10;

/// Number of mistakes with UTF-8.
pub(super) const MISTAKES: usize = GBK + 1;

/// Pairs of a right code page and the wrong code page that text was decoded as. Their numbers follow the mistakes with
/// UTF-8. If two pairs give the same result, the first is named.
static CONFUSED: [[&Encoding; 2]; 12] = [
    [&KOI8_R, &WINDOWS_1251],
    [&KOI8_U, &WINDOWS_1251],
    [&IBM866, &WINDOWS_1251],
    [&WINDOWS_1251, &KOI8_R],
    [&WINDOWS_1251, &KOI8_U],
    [&WINDOWS_1251, &IBM866],
    [&MACINTOSH, &WINDOWS_1252],
    [&IBM850, &WINDOWS_1252],
    [&IBM437, &WINDOWS_1252],
    [&WINDOWS_1252, &MACINTOSH],
    [&WINDOWS_1252, &IBM850],
    [&WINDOWS_1252, &IBM437],
];

impl Mistake {
    /// Returns all mistakes with UTF-8, the most common first.
    pub fn all() -> impl Iterator<Item = Mistake> {
        (0..MISTAKES as u8).map(Mistake)
    }

    /// Returns all mistakes in which a code page was decoded as another.
    ///
    /// ```
    /// use utfconv_repair::Mistake;
    ///
    /// assert!(Mistake::confusions().any(|mistake| (mistake.was(), mistake.name()) == ("KOI8-R", "windows-1251")));
    /// ```
    pub fn confusions() -> impl Iterator<Item = Mistake> {
        (MISTAKES..MISTAKES + CONFUSED.len()).map(|number| Mistake(number as u8))
    }

    /// Returns the name of the wrong encoding. windows-1252 stands for ISO-8859-1 too, because a text may mix both.
    ///
    /// ```
    /// use utfconv_repair::Mistake;
    ///
    /// assert!(Mistake::all().any(|mistake| mistake.name() == "windows-1252"));
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.confused() {
            Some([_, wrong]) => wrong.name(),
            None => self.page().map_or("GBK", |page| page.name()),
        }
    }

    /// Returns the name of the right encoding.
    #[must_use]
    pub fn was(self) -> &'static str {
        self.confused().map_or("UTF-8", |[right, _]| right.name())
    }

    /// Returns the right and the wrong code page; `None` for mistakes with UTF-8.
    fn confused(self) -> Option<[&'static Encoding; 2]> {
        CONFUSED.get(self.number().checked_sub(MISTAKES)?).copied()
    }

    /// Returns the code page that UTF-8 was decoded as; `None` for GBK and for confused code pages.
    fn page(self) -> Option<&'static Encoding> {
        PAGES[..GBK].get(self.number()).copied()
    }

    /// Returns the character that was decoded as `char`. Returns `None` if there is none, or for mistakes with UTF-8.
    pub(super) fn undone(self, char: char) -> Option<char> {
        let [right, wrong] = self.confused()?;
        let page = PAGES.iter().position(|page| *page == wrong)?;
        let byte = TABLES.pages[page].table().get(char as usize).filter(|byte| **byte != 0)?;
        let unit = right.table()?[usize::from(*byte)];
        char::from_u32(unit.into()).filter(|_| unit != Encoding::UNDEFINED)
    }

    pub(super) fn number(self) -> usize {
        self.0.into()
    }

    /// Returns the cost of assuming this mistake, which is lowest for text damaged by Windows programs.
    pub(super) fn rarity(self) -> Cost {
        match self.page() {
            Some(page) if page == &WINDOWS_1252 => 0,
            Some(page) if page.name().starts_with("windows") => RARITY,
            Some(page) if page.name().starts_with("ISO") => 3 * RARITY,
            _ => 2 * RARITY,
        }
    }

    /// Returns the bytes that the encoding leaves undefined, which programs drop.
    pub(super) fn undefined(self) -> impl Iterator<Item = u8> {
        let table = self.page().and_then(Encoding::table);
        let is_undefined =
            move |byte: &u8| table.is_some_and(|table| table[usize::from(*byte)] == Encoding::UNDEFINED);
        (0x80..=0x9F).filter(is_undefined)
    }

    /// Whether the mistake decoded some of the bytes 80..9F to printable characters, and others that the code page
    /// defines to C1 controls.
    pub(super) fn mixes_pages(self, mut chars: impl Iterator<Item = char> + Clone) -> bool {
        let is_upper = |char| self.bytes(char).is_some_and(|bytes| matches!(bytes.first, 0x80..=0x9F));
        let is_defined = |char| !self.undefined().any(|byte| char::from(byte) == char);
        chars.clone().any(|char| !char.is_control() && is_upper(char))
            && chars.any(|char| char.is_control() && is_defined(char))
    }

    /// Whether the mistake decodes two bytes to one character.
    pub(super) fn has_pairs(self) -> bool {
        self.number() == GBK
    }

    /// Whether this mistake affects all of a document or nothing, because systems without Unicode make it.
    pub(super) fn is_of_whole_texts(self) -> bool {
        self.number() == GBK || [&MACINTOSH, &IBM437, &IBM850].contains(&PAGES[self.number()])
    }

    /// Returns the one or two bytes that were decoded as `char`, the first of which is above 7F. Returns `None` if
    /// there are none.
    pub(super) fn bytes(self, char: char) -> Option<Bytes> {
        let at = char as usize;
        match TABLES.pages[..GBK].get(self.number()) {
            Some(page) => {
                let first = *page.table().get(at)?;
                (first != 0).then_some(Bytes { first, second: None })
            }
            None => {
                let [first, second] = GBK_BYTES.get(at)?.to_be_bytes();
                (first != 0).then_some(Bytes { first, second: Some(second) })
            }
        }
    }
}

/// Maximum number of levels of mistakes that are undone.
pub(super) const LEVELS: usize = 5;

/// The byte, or the two bytes, of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub(super) first: u8,
    pub(super) second: Option<u8>,
}

/// A set of mistakes, with one bit for each mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Set(u16);

impl Set {
    pub(super) fn has(self, mistake: Mistake) -> bool {
        self.0 >> mistake.0 & 1 == 1
    }

    pub(super) fn insert(&mut self, mistake: Mistake) {
        self.0 |= 1 << mistake.0;
    }

    /// The set of all mistakes in which UTF-8 was decoded as another encoding.
    pub(super) const ALL: Set = Set((1 << MISTAKES) - 1);

    /// Returns the mistakes of the set that satisfy `is`.
    pub(super) fn filter(self, is: impl Fn(&Mistake) -> bool) -> Set {
        self.iter().filter(is).collect()
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Mistake> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let number = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (number < 16).then_some(Mistake(number as u8))
        })
    }
}

impl FromIterator<Mistake> for Set {
    fn from_iter<I: IntoIterator<Item = Mistake>>(mistakes: I) -> Set {
        Set(mistakes.into_iter().fold(0, |set, mistake| set | 1 << mistake.0))
    }
}

/// The possible positions of each character in UTF-8 sequences, for each mistake.
#[derive(Clone, Copy)]
pub(super) struct Roles(&'static [u32]);

impl Roles {
    pub(super) fn get() -> Roles {
        Roles(&TABLES.roles)
    }

    /// Returns the single-byte mistakes that decode the first byte of a sequence to `char`.
    #[inline]
    pub(super) fn leading(self, char: u32, mistakes: Set) -> Set {
        Set(self.0.get(char as usize).map_or(0, |roles| *roles as u16) & mistakes.0)
    }

    /// Returns the mistakes that decode the first bytes of a sequence to `char` and `next`. All such characters are in
    /// the Basic Multilingual Plane.
    #[inline]
    pub(super) fn starting(self, char: u32, next: u32, mistakes: Set) -> Set {
        let of = |char: u32| self.0.get(char as usize).copied().unwrap_or(0);
        let pages = match of(char) as u16 {
            0 => 0,
            first => first & (of(next) >> 16) as u16,
        };
        let gbk = mistakes.0 >> GBK & 1 == 1 && IDEOGRAPHS.contains(&char) && may_start_in_gbk(char, next);
        Set((pages | u16::from(gbk) << GBK) & mistakes.0)
    }
}

/// The characters that GBK decodes the first two bytes of a sequence to.
const IDEOGRAPHS: RangeInclusive<u32> = 0x4E00..=0x9FFF;

/// The first UTF-8 bytes of the characters in [`IDEOGRAPHS`].
pub(super) const LEADS_OF_IDEOGRAPHS: RangeInclusive<u8> = 0xE4..=0xE9;

/// Whether GBK decodes the start of a sequence to `char` and `next`.
fn may_start_in_gbk(char: u32, next: u32) -> bool {
    let bytes = |char: u32| GBK_BYTES.get(char as usize).copied().unwrap_or(0).to_be_bytes();
    let [first, second] = bytes(char);
    // A character can be a whole two-byte sequence, before any character. Otherwise it is two of three bytes, and the
    // next character begins with the third byte or with a lead byte.
    let may_follow = || next < 0x80 || matches!(bytes(next)[0], 0x80..=0xBF | 0xC2..=0xF4);
    is_lead(first) && is_continuation(second) && may_follow()
}

/// Whether a mistake decodes one or two bytes of a sequence to `char`.
pub(super) fn is_possible(char: char) -> bool {
    let at = char as usize;
    !char.is_ascii()
        && (TABLES.roles.get(at).is_some_and(|roles| *roles != 0)
            || GBK_BYTES
                .get(at)
                .is_some_and(|bytes| matches!(bytes.to_be_bytes()[0], 0x81..=0xBF | 0xC2..=0xF4)))
}

struct Tables {
    /// For each character, the mistakes in which it is the first byte of a sequence (lower 16 bits) and in which it is
    /// a later byte (upper 16 bits).
    roles: Box<[u32]>,
    pages: [Page; PAGES.len()],
}

/// The upper half of a code page.
struct Page {
    /// The characters and their bytes, sorted.
    chars: Vec<(u16, u8)>,
    /// The byte of each character, 0 for other characters; computed when first needed.
    table: OnceLock<Box<[u8; 1 << 16]>>,
}

impl Page {
    #[inline]
    fn table(&self) -> &[u8; 1 << 16] {
        self.table.get_or_init(|| {
            let mut table = Box::new([0; 1 << 16]);
            self.chars.iter().for_each(|(char, byte)| table[usize::from(*char)] = *byte);
            table
        })
    }
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

/// The two GBK bytes of each character, or 0.
static GBK_BYTES: LazyLock<Box<[u16]>> = LazyLock::new(gbk);

/// Whether a byte begins a multi-byte sequence of UTF-8.
fn is_lead(byte: u8) -> bool {
    matches!(byte, 0xC2..=0xF4)
}

impl Tables {
    fn new() -> Tables {
        let pages = PAGES.map(|page| Page { chars: characters(page), table: OnceLock::new() });
        let mut roles = vec![0_u32; 1 << 16].into_boxed_slice();
        let mut mark = |char: u16, is_first: bool, is_later: bool, mistake: usize| {
            roles[usize::from(char)] |=
                u32::from(is_first) << mistake | u32::from(is_later) << (16 + mistake);
        };
        for (number, page) in pages[..GBK].iter().enumerate() {
            for (char, byte) in &page.chars {
                mark(*char, is_lead(*byte), is_continuation(*byte), number);
            }
        }
        Tables { roles, pages }
    }
}

/// Returns the characters of the upper half of a code page, and C1 controls for the bytes that it leaves undefined or
/// that its counterpart in ISO 8859 has as controls.
fn characters(page: &Encoding) -> Vec<(u16, u8)> {
    let Some(units) = page.table() else { return Vec::new() };
    let upper = (0x80..=0xFF_u8).map(|byte| (units[usize::from(byte)], byte));
    let mut all: Vec<(u16, u8)> = upper.filter(|(unit, _)| *unit != Encoding::UNDEFINED).collect();
    // The code pages of IBM and Apple, and KOI8, define all bytes, and are never mistaken for ISO-8859-1.
    if !matches!(page.name(), "macintosh" | "IBM437" | "IBM850" | "IBM866" | "KOI8-R" | "KOI8-U") {
        // ISO-8859-2 is a mistake of its own, so windows-1250 does not stand for it.
        let has_controls = page != &WINDOWS_1250;
        let is_undefined = |byte: u8| units[usize::from(byte)] == Encoding::UNDEFINED;
        let controls = (0x80..=0xFF_u8).filter(|byte| is_undefined(*byte) || has_controls && *byte < 0xA0);
        all.extend(controls.map(|byte| (u16::from(byte), byte)));
    }
    if page.name() == "macintosh" {
        // Later versions of Apple's code page have these characters.
        all.extend([(0x2206, 0xC6), (0x03A9, 0xBD), (0x2126, 0xBD), (0x20AC, 0xDB), (0xF8FF, 0xF0)]);
    }
    all.sort_unstable();
    all.dedup_by_key(|(unit, _)| *unit);
    all
}

/// Returns the two GBK bytes of each character, as browsers decode GBK, if the character is encoded as these bytes
/// again.
fn gbk() -> Box<[u16]> {
    let seconds = || (0x40..=0x7E).chain(0x80..=0xFE_u8);
    let pairs = || (0x81..=0xFE_u8).flat_map(|first| seconds().map(move |second| [first, second]));
    let lines: Vec<u8> = pairs().flat_map(|[first, second]| [first, second, b'\n']).collect();
    let (text, _) = encoding_rs::GBK.decode_without_bom_handling(&lines);
    let mut bytes = vec![0; 1 << 16].into_boxed_slice();
    for (pair, line) in pairs().zip(text.lines()) {
        let mut chars = line.chars();
        if let (Some(char @ '\u{80}'..='\u{FFFC}'), None) = (chars.next(), chars.next())
            // The euro sign is encoded as one byte.
            && !matches!(char, '\u{E000}'..='\u{F8FF}' | '€')
        {
            let bytes = &mut bytes[char as usize];
            // If two pairs decode to one character, the first pair is kept.
            *bytes = if *bytes == 0 { u16::from_be_bytes(pair) } else { *bytes };
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table is made by decoding, because encoding each character is slow.
    #[test]
    fn the_table_of_gbk_is_what_is_encoded() {
        for (unit, bytes) in (0..=u16::MAX).zip(gbk()) {
            let char = char::from_u32(unit.into()).filter(|char| !matches!(char, '\u{E000}'..='\u{F8FF}'));
            let encoded =
                char.map(|char| encoding_rs::GBK.encode(char.encode_utf8(&mut [0; 4])).0.into_owned());
            let expected = match encoded.as_deref() {
                Some([first, second]) => u16::from_be_bytes([*first, *second]),
                _ => 0,
            };
            assert_eq!(bytes, expected, "U+{unit:04X}");
        }
    }

    /// Only ideographs begin a sequence in GBK.
    #[test]
    fn sequences_in_gbk_begin_with_ideographs() {
        for char in (0x80..=0xFFFF).filter_map(char::from_u32) {
            if may_start_in_gbk(char.into(), b'a'.into()) {
                assert!(IDEOGRAPHS.contains(&char.into()), "{char}");
                assert!(LEADS_OF_IDEOGRAPHS.contains(&char.encode_utf8(&mut [0; 4]).as_bytes()[0]), "{char}");
            }
        }
    }
}
