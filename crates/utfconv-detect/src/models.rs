//! The statistics of languages: the cost of each character after another, as counted by `models.py`.

use std::sync::{LazyLock, OnceLock};

use super::cost::{ASCII_LETTER, COMMON, Cost, EXCEPTION, FAULT, SELDOM};

/// The class of controls and the space. The classes of symbols and foreign letters are between [`PUNCTUATION`] and
/// [`FIRST_LETTER`].
pub(super) const BLANK: u8 = 0;
const DIGIT: u8 = 1;
const PUNCTUATION: u8 = 2;
/// The class of symbols that are in no other group.
const OTHER_SYMBOL: u8 = FOREIGN - 1;
pub(super) const FOREIGN: u8 = 18;
const FIRST_LETTER: u8 = FOREIGN + 1;

/// The cost of a letter that is not in the statistics. No letter of the statistics costs as much.
const UNKNOWN_LETTER: Cost = EXCEPTION;
/// The cost of a symbol that is not in the statistics.
const UNKNOWN_SYMBOL: Cost = SELDOM;

/// Number of scalar values, from U+0000 on, whose classes are in a table.
const DENSE: usize = 0xF00;

/// A language with an alphabet.
pub(super) struct Alphabet {
    pub(super) name: &'static str,
    pub(super) is_latin: bool,
    /// The cost of a text being in this language.
    pub(super) rarity: Cost,
    /// The letters in lower case, sorted, without ASCII letters and combining marks.
    letters: Vec<char>,
    /// Whether İ is the capital of i, as in Turkish.
    has_dotless_i: bool,
    /// Whether the letters have tone marks, as in Vietnamese.
    has_tones: bool,
    /// The class of each letter, by scalar value; 0 for other characters.
    classes: Box<[u8; DENSE]>,
    /// Number of classes.
    size: usize,
    /// The cost of each pair of classes: row by row for the previous character, then by the class of the character.
    costs: &'static [u8],
}

/// A language with thousands of characters.
pub(super) struct Characters {
    pub(super) name: &'static str,
    pub(super) rarity: Cost,
    /// The most frequent characters, sorted, as little-endian code units.
    chars: &'static [[u8; 2]],
    costs: &'static [u8],
    /// The cost of each character, by code unit; 0 for characters that are not frequent. Made when first needed.
    table: OnceLock<Box<[u8; 1 << 16]>>,
}

/// The statistics of all languages.
pub(super) struct Models {
    pub(super) alphabets: Vec<Alphabet>,
    /// The cost of each pair of ASCII letters or spaces in each alphabet, by the numbers of the pair and the alphabet.
    pub(super) ascii_costs: Vec<[u8; ALPHABETS]>,
    pub(super) characters: Vec<Characters>,
    symbols: &'static [[u8; 4]],
    letters: &'static [[u8; 4]],
    compositions: &'static [[u8; 6]],
}

pub(super) static MODELS: LazyLock<Models> = LazyLock::new(|| Models::read(include_bytes!("models.bin")));

/// Reads values from the front of `models.bin`.
struct Cursor(&'static [u8]);

impl Cursor {
    fn take(&mut self, len: usize) -> &'static [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn number(&mut self) -> usize {
        let bytes = self.take(2);
        usize::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn name(&mut self) -> &'static str {
        str::from_utf8(self.take(8)).expect("names are ASCII").trim_end_matches('\0')
    }

    fn rows<const N: usize>(&mut self) -> &'static [[u8; N]] {
        let count = self.number();
        self.take(N * count).as_chunks().0
    }
}

impl Models {
    fn read(file: &'static [u8]) -> Models {
        let mut file = Cursor(file);
        let (symbols, letters, compositions) = (file.rows(), file.rows(), file.rows());
        let alphabets: Vec<Alphabet> = (0..file.byte()).map(|_| Alphabet::read(&mut file)).collect();
        let mut ascii_costs = vec![[0; ALPHABETS]; ASCII_PAIRS];
        for (number, alphabet) in alphabets.iter().enumerate().filter(|(_, alphabet)| alphabet.is_latin) {
            let costs = ascii_costs.iter_mut().zip(alphabet.ascii_costs());
            costs.for_each(|(of_alphabets, cost)| of_alphabets[number] = cost);
        }
        let characters = (0..file.byte()).map(|_| Characters::read(&mut file)).collect();
        Models { alphabets, ascii_costs, characters, symbols, letters, compositions }
    }

    /// Returns the group of a symbol, and its cost within the group.
    fn symbol(&self, char: char) -> Option<(u8, Cost)> {
        let code = u16::try_from(u32::from(char)).ok()?;
        let at = self.symbols.binary_search_by_key(&code, |row| u16::from_le_bytes([row[0], row[1]])).ok()?;
        Some((self.symbols[at][2], self.symbols[at][3].into()))
    }

    /// Returns the cost of a letter in a language that does not use it.
    fn foreign(&self, char: char) -> Cost {
        let code = u16::try_from(u32::from(char)).unwrap_or(u16::MAX);
        let found = self.letters.binary_search_by_key(&code, |row| u16::from_le_bytes([row[0], row[1]]));
        found.map_or(UNKNOWN_LETTER, |at| self.letters[at][2].into())
    }

    /// Returns the letter and the tone mark that a Vietnamese letter consists of.
    fn parts(&self, char: char) -> Option<(char, char)> {
        let unit = |row: &[u8; 6], at: usize| u16::from_le_bytes([row[at], row[at + 1]]);
        let code = u16::try_from(u32::from(char)).ok()?;
        let at = self.compositions.binary_search_by_key(&code, |row| unit(row, 0)).ok()?;
        let row = &self.compositions[at];
        Some((char::from_u32(unit(row, 2).into())?, char::from_u32(unit(row, 4).into())?))
    }
}

/// A character, and its role in each alphabet.
#[derive(Debug)]
pub(super) struct Sign {
    /// The character in lower case; U+FFFD if the code unit is a surrogate or an ideograph.
    pub(super) char: char,
    case: Case,
    kind: Kind,
    roles: [Role; ALPHABETS],
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A class that all alphabets have.
    Common(u8),
    Symbol(u8, Cost),
    Letter {
        foreign: Cost,
    },
    /// A C1 control, a private-use character, or U+FFFD.
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    None,
    Small,
    Capital,
}

/// Maximum number of alphabets.
pub(super) const ALPHABETS: usize = 64;

/// Number of characters in a row of [`SIGNS`].
const ROW: usize = 64;

/// The signs of the characters in the Basic Multilingual Plane. Each row, and each sign, is made when first needed.
static SIGNS: [OnceLock<Box<[OnceLock<Sign>; ROW]>>; 0x1_0000 / ROW] = [const { OnceLock::new() }; _];

impl Sign {
    /// Returns the sign of a code unit. All ideographs and surrogates have the sign of U+FFFD.
    #[inline]
    pub(super) fn of_unit(unit: u16) -> &'static Sign {
        let unit = if (0x2E80..0xF000).contains(&unit) { 0xFFFD } else { unit };
        let char = || char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER);
        let at = usize::from(unit);
        let row = SIGNS[at / ROW].get_or_init(|| Box::new([const { OnceLock::new() }; _]));
        row[at % ROW].get_or_init(|| Sign::of(char()))
    }

    fn of(char: char) -> Sign {
        let case = match char {
            _ if char.is_lowercase() => Case::Small,
            _ if char.is_uppercase() => Case::Capital,
            _ => Case::None,
        };
        let lower = small(char);
        let kind = match lower {
            ..=' ' => Kind::Common(BLANK),
            '0'..='9' => Kind::Common(DIGIT),
            'a'..='z' => Kind::Letter { foreign: 0 },
            ..='\x7F' => Kind::Common(PUNCTUATION),
            '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' | '\u{FFFD}' => Kind::Odd,
            _ => match MODELS.symbol(char) {
                Some((group, cost)) => Kind::Symbol(group, cost),
                None if is_letter(lower) => Kind::Letter { foreign: MODELS.foreign(lower) },
                None => Kind::Symbol(OTHER_SYMBOL, UNKNOWN_SYMBOL),
            },
        };
        let mut sign = Sign { char: lower, case, kind, roles: [Role::default(); ALPHABETS] };
        for (number, alphabet) in MODELS.alphabets.iter().enumerate() {
            sign.roles[number] = alphabet.role(&sign);
        }
        sign
    }
}

/// Methods that utfconv-repair uses.
impl Sign {
    /// Whether the character is in the statistics, or of a class that all alphabets have.
    pub(super) fn is_known(&self) -> bool {
        match self.kind {
            Kind::Common(_) => true,
            Kind::Symbol(group, cost) => (group, cost) != (OTHER_SYMBOL, UNKNOWN_SYMBOL),
            Kind::Letter { foreign } => foreign != UNKNOWN_LETTER,
            Kind::Odd => false,
        }
    }

    /// Returns the role of the character in the alphabet with this number.
    #[inline]
    pub(super) fn role(&self, alphabet: usize) -> Role {
        self.roles[alphabet]
    }

    pub(super) fn is_letter(&self) -> bool {
        matches!(self.kind, Kind::Letter { .. })
    }

    /// Whether the character is a Latin letter that is not in the statistics.
    pub(super) fn is_unknown_letter(&self) -> bool {
        self.kind == (Kind::Letter { foreign: UNKNOWN_LETTER })
            && matches!(self.char, '\u{C0}'..='\u{148}' | '\u{14A}'..='\u{17E}')
    }

    pub(super) fn is_small(&self) -> bool {
        self.case == Case::Small
    }

    pub(super) fn is_capital(&self) -> bool {
        self.case == Case::Capital
    }
}

/// Whether a character is a letter or a combining mark.
fn is_letter(char: char) -> bool {
    char.is_alphabetic()
        || matches!(char, '\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{E31}'..='\u{E4E}')
}

/// Returns the extra cost of the case of `now` after `before`.
pub(super) fn cost_of_capital(before: &Sign, now: &Sign) -> Cost {
    match (before.case, now.case) {
        (Case::Small, Case::Capital) => SELDOM,
        (_, Case::Capital) => COMMON,
        _ => 0,
    }
}

/// The role of a character in a language. The default is the role of a space.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Role {
    /// The class of the character after another character.
    now: u8,
    /// The class of the character before another character. It differs from `now` for a letter with a tone mark.
    before: u8,
    /// The cost of the character within its class.
    more: u16,
}

impl Alphabet {
    fn read(file: &mut Cursor) -> Alphabet {
        let name = file.name();
        let (kind, rarity, count, size) = (file.byte(), file.byte(), file.byte(), usize::from(file.byte()));
        let is_latin = kind == 1;
        let units = file.take(2 * usize::from(count)).as_chunks::<2>().0;
        let letters: Vec<char> = units
            .iter()
            .map(|unit| char::from_u32(u16::from_le_bytes(*unit).into()).expect("a letter"))
            .collect();
        let mut classes = Box::new([0; DENSE]);
        for (letter, number) in ('a'..='z').zip(0..) {
            classes[letter as usize] = FIRST_LETTER + if is_latin { number } else { 0 };
        }
        let own = FIRST_LETTER + if is_latin { 26 } else { 1 };
        for (letter, class) in letters.iter().zip(own..) {
            classes[*letter as usize] = class;
        }
        let costs = file.take(size * size);
        Alphabet {
            name,
            is_latin,
            rarity: rarity.into(),
            letters: letters.iter().copied().filter(|letter| letter.is_alphabetic()).collect(),
            has_dotless_i: letters.contains(&'ı'),
            has_tones: letters.contains(&'\u{301}'),
            classes,
            size,
            costs,
        }
    }

    /// Returns the cost of each pair of ASCII letters or spaces, by the number of the pair.
    fn ascii_costs(&self) -> impl Iterator<Item = u8> {
        let class =
            |number| if number == 0 { usize::from(BLANK) } else { usize::from(FIRST_LETTER) + number - 1 };
        let cost =
            move |pair| self.costs[class(pair / ASCII_NUMBERS) * self.size + class(pair % ASCII_NUMBERS)];
        (0..ASCII_PAIRS).map(cost)
    }

    /// Whether a code page has enough letters for the language. `has` tells whether a small letter is in the code page;
    /// a quarter of the letters may be missing.
    pub(super) fn is_written_with(&self, has: impl Fn(char) -> bool) -> bool {
        let had = self.letters.iter().filter(|letter| has(**letter)).count();
        4 * had >= 3 * self.letters.len()
    }

    fn class(&self, char: char) -> Option<u8> {
        let char = if char == 'İ' && self.has_dotless_i { 'i' } else { char };
        self.classes.get(char as usize).copied().filter(|class| *class != 0)
    }

    /// Returns the role of `sign` in the language.
    fn role(&self, sign: &Sign) -> Role {
        let role = |class, more| Role::new(class, class, more);
        match sign.kind {
            Kind::Common(class) => role(class, 0),
            Kind::Symbol(class, cost) => role(class, cost),
            Kind::Odd => role(OTHER_SYMBOL, FAULT),
            // All ASCII letters share a class here, so a single letter is less likely than the class.
            Kind::Letter { .. } if sign.char.is_ascii() && !self.is_latin => role(FIRST_LETTER, ASCII_LETTER),
            Kind::Letter { foreign } => match self.class(sign.char) {
                Some(class) => role(class, 0),
                None => self.role_of_foreign(sign, foreign),
            },
        }
    }

    /// Returns the role of a letter without a class of its own, which is a letter with a tone mark or a foreign letter.
    fn role_of_foreign(&self, sign: &Sign, foreign: Cost) -> Role {
        let role = |more| Role::new(FOREIGN, FOREIGN, more);
        // Only languages with tone marks have letters that consist of a letter and a tone mark.
        let parts = if self.has_tones { MODELS.parts(sign.char) } else { None };
        match parts.map(|(letter, mark)| (self.class(letter), self.class(mark))) {
            Some((Some(now), Some(before))) => Role::new(now, before, self.after(now, before)),
            Some(_) => role(foreign),
            None => {
                let is_latin = sign.char < '\u{250}' || matches!(sign.char, '\u{1E00}'..='\u{1EFF}');
                role(foreign + if is_latin == self.is_latin { 0 } else { SELDOM })
            }
        }
    }

    /// Returns the role of a character that is not in the statistics.
    pub(super) fn role_of_other(&self) -> Role {
        Role::new(OTHER_SYMBOL, OTHER_SYMBOL, 0)
    }

    #[inline]
    fn after(&self, before: u8, now: u8) -> Cost {
        self.costs[usize::from(before) * self.size + usize::from(now)].into()
    }

    /// Returns the cost of a character after another, without the cost of its case.
    #[inline]
    pub(super) fn cost(&self, before: Role, now: Role) -> Cost {
        Cost::from(now.more) + self.after(before.before, now.now)
    }
}

impl Role {
    fn new(now: u8, before: u8, more: Cost) -> Role {
        Role { now, before, more: more as u16 }
    }
}

/// The number of ASCII letters, plus one for all other ASCII characters.
pub(super) const ASCII_NUMBERS: usize = 27;

/// The number of pairs of ASCII numbers.
pub(super) const ASCII_PAIRS: usize = ASCII_NUMBERS * ASCII_NUMBERS;

/// Returns the number of an ASCII letter, 1 to 26; 0 for other ASCII characters.
pub(super) fn ascii_number(byte: u8) -> usize {
    if byte.is_ascii_alphabetic() { usize::from(byte & 31) } else { 0 }
}

impl Characters {
    fn read(file: &mut Cursor) -> Characters {
        let name = file.name();
        let (_, rarity) = (file.byte(), file.byte());
        let chars: &'static [[u8; 2]] = file.rows();
        Characters {
            name,
            rarity: rarity.into(),
            chars,
            costs: file.take(chars.len()),
            table: OnceLock::new(),
        }
    }

    /// Returns the cost of a non-ASCII character, if the character is frequent.
    pub(super) fn cost(&self, char: char) -> Option<Cost> {
        let table = self.table.get_or_init(|| {
            let mut table = vec![0; 1 << 16].into_boxed_slice();
            for (unit, cost) in self.chars.iter().zip(self.costs) {
                table[usize::from(u16::from_le_bytes(*unit))] = *cost;
            }
            table.try_into().expect("it has that size")
        });
        table.get(char as usize).filter(|cost| **cost != 0).map(|cost| Cost::from(*cost))
    }
}

/// Returns the lower-case letter as one character.
fn small(char: char) -> char {
    match char {
        // Keep İ: its small letter is i in Turkish only.
        'İ' => 'İ',
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        _ => char.to_lowercase().next().unwrap_or(char),
    }
}

#[cfg(test)]
mod tests {
    use super::super::languages::{LANGUAGES, language};
    use super::*;

    #[test]
    fn models_have_names_letters_and_tables() {
        let models = &*MODELS;
        assert!(models.alphabets.len() > 45 && models.characters.len() == 4);
        for alphabet in &models.alphabets {
            assert_ne!(language(alphabet.name), alphabet.name);
            let ascii = if alphabet.is_latin { 26 } else { 1 };
            let others = alphabet.classes[0x80..].iter().filter(|class| **class != 0).count();
            assert_eq!(usize::from(FIRST_LETTER) + ascii + others, alphabet.size);
            assert!(alphabet.letters.is_sorted());
        }
        assert_eq!(LANGUAGES.len(), models.alphabets.len() + models.characters.len());
    }

    #[test]
    fn likely_pairs_cost_less() {
        let find = |name| MODELS.alphabets.iter().find(|alphabet| alphabet.name == name).expect("a language");
        let cost = |name, one: char, two: char| {
            let alphabet: &Alphabet = find(name);
            let (one, two) = (Sign::of_unit(one as u16), Sign::of_unit(two as u16));
            cost_of_capital(one, two) + alphabet.cost(alphabet.role(one), alphabet.role(two))
        };
        assert!(cost("de", 'f', 'ü') < cost("de", 'f', 'ń'));
        assert!(cost("de", 'f', 'ü') < cost("fr", 'f', 'ü'));
        assert!(cost("de", 'f', 'ü') < cost("de", 'f', 'Ü'));
        assert!(cost("en", 'n', '’') < cost("en", 'n', '‚'));
        assert!(cost("en", '5', '°') < cost("en", 'e', '°'));
        // A letter with a tone mark costs as much as the letter and the tone mark.
        let tone = cost("vi", 'i', 'ê') + cost("vi", 'ê', '\u{301}');
        assert_eq!(cost("vi", 'i', 'ế'), tone);
    }
}
