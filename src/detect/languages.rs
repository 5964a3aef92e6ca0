//! The statistics of languages: how unlikely it is that a character follows another.

use std::sync::LazyLock;

/// How unlikely something is: the negative logarithm of its probability, in quarters.
pub type Cost = u32;

/// One of the natural logarithm.
pub const NATS: Cost = 4;

/// A language, as languages.py counted it.
pub struct Language {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// It has an alphabet.
    Pairs {
        /// The non-ASCII letters, in lower case, in the order of their code points.
        letters: Vec<char>,
        /// The number of classes of ASCII characters.
        ascii: usize,
        /// By the class of the previous character, then by that of the character.
        costs: Vec<Cost>,
    },
    /// It has too many characters to count pairs of them.
    Singles(Vec<(char, Cost)>),
}

/// What a character is in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// Its class.
    class: usize,
    /// What it costs instead, if it is not of the language.
    foreign: Option<Cost>,
    case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    None,
    Small,
    Capital,
}

/// The class of characters that separate words.
const SEPARATOR: usize = 0;

/// The number of classes of ASCII characters if each letter is one, and if the letters are foreign.
const LATIN: usize = 27;
const NOT_LATIN: usize = 2;

/// All languages.
pub static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let lines: Vec<&'static str> = include_str!("languages.txt").lines().collect();
    lines.as_chunks().0.iter().map(|[head, table]| Language::read(head, table)).collect()
});

impl Language {
    /// Reads a language from its two lines.
    fn read(head: &'static str, table: &'static str) -> Language {
        let end = head.find(|char: char| !char.is_ascii_alphabetic() && char != '_').unwrap_or(head.len());
        let (name, letters) = head.split_at(end);
        if let Some(groups) = table.strip_prefix('=') {
            let mut singles: Vec<_> = groups
                .split(' ')
                .zip(0..)
                // Half of a probability is 0.69 of the logarithm.
                .flat_map(|(group, level)| {
                    group.chars().map(move |char| (char, (level * 2 + 1) * NATS * 69 / 200))
                })
                .collect();
            singles.sort_unstable();
            return Language { name, kind: Kind::Singles(singles) };
        }
        let (ascii, letters) = match letters.strip_prefix('~') {
            Some(letters) => (NOT_LATIN, letters),
            None => (LATIN, letters),
        };
        let letters: Vec<char> = letters.chars().collect();
        let size = ascii + letters.len();
        let mut digits = table.bytes().map(|digit| Cost::from(digit - b'0'));
        let mut costs = vec![NATS; size * size];
        for before in 0..size {
            for now in 0..size {
                if before >= ascii || now >= ascii {
                    costs[before * size + now] = digits.next().expect("a digit for each cell");
                }
            }
        }
        Language { name, kind: Kind::Pairs { letters, ascii, costs } }
    }

    /// Whether a code page with these characters has the letters of the language, except a few that are rare.
    pub fn is_written_with<'a>(&self, chars: impl Iterator<Item = &'a char> + Clone) -> bool {
        let Kind::Pairs { letters, .. } = &self.kind else { return false };
        let has = |letter: &&char| chars.clone().any(|char| small(*char) == **letter);
        let letters: Vec<_> = letters.iter().filter(|letter| letter.is_alphabetic()).collect();
        4 * letters.iter().copied().filter(|letter| has(letter)).count() >= 3 * letters.len()
    }

    /// Whether its alphabet is Latin: the letters of ASCII, and some more.
    pub fn is_latin(&self) -> bool {
        matches!(self.kind, Kind::Pairs { ascii: LATIN, .. })
    }

    /// Returns what `char` is in the language.
    pub fn role(&self, char: char) -> Role {
        let Kind::Pairs { letters, ascii, .. } = &self.kind else {
            return Role { class: SEPARATOR, foreign: None, case: Case::None };
        };
        let (is_small, is_capital) = (char.is_lowercase(), char.is_uppercase());
        let case = match (is_small, is_capital) {
            (true, _) => Case::Small,
            (_, true) => Case::Capital,
            _ => Case::None,
        };
        let char = small(char);
        let (class, foreign) = match letters.binary_search(&char) {
            Ok(at) => (ascii + at, None),
            Err(_) if char.is_ascii_lowercase() && *ascii == NOT_LATIN => (1, None),
            Err(_) if char.is_ascii_lowercase() => (1 + usize::from(char as u8 - b'a'), None),
            Err(_) if char.is_ascii() => (SEPARATOR, None),
            Err(_) => (SEPARATOR, Some(foreign(char))),
        };
        Role { class, foreign, case }
    }

    /// Returns the cost of a character after another; at least one of them is not ASCII.
    pub fn cost(&self, before: Role, now: Role) -> Cost {
        let Kind::Pairs { letters, ascii, costs } = &self.kind else { return 0 };
        let by_case = match (before.case, now.case) {
            (Case::Small, Case::Capital) => 5 * NATS,
            (Case::None, Case::Capital) => 5,
            (Case::Capital, Case::Capital) => NATS,
            _ => 0,
        };
        by_case + now.foreign.unwrap_or_else(|| costs[before.class * (ascii + letters.len()) + now.class])
    }

    /// Returns the cost of a text.
    pub fn cost_of_text(&self, text: &str) -> Cost {
        let chars = text.chars();
        let before = ['\n'].into_iter().chain(text.chars());
        before
            .zip(chars)
            .filter(|(before, now)| !before.is_ascii() || !now.is_ascii())
            .map(|(before, now)| {
                let Kind::Singles(singles) = &self.kind else {
                    return self.cost(self.role(before), self.role(now));
                };
                let letter = |char: char| if char.is_ascii_alphabetic() { 3 * NATS } else { NATS };
                if now.is_ascii() {
                    return NATS + letter(now);
                }
                let entry = if before.is_ascii() { letter(before) } else { 0 };
                let known = singles.binary_search_by_key(&now, |(char, _)| *char);
                entry + known.map_or_else(|_| foreign(now), |at| singles[at].1)
            })
            .sum()
    }
}

/// Returns the cost of a character in a language that does not have it.
fn foreign(char: char) -> Cost {
    match char {
        char::REPLACEMENT_CHARACTER => 25 * NATS,
        '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => 18 * NATS,
        _ if "\u{A0}\u{AD}§°«»“”‘’„–—…•·©®™€£±×÷²³µ¿¡‹›".contains(char) => {
            9 * NATS
        }
        '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => 12 * NATS,
        _ if char.is_alphabetic() => 12 * NATS,
        _ => 13 * NATS,
    }
}

/// Returns the lower-case letter, as one character.
fn small(char: char) -> char {
    match char {
        'İ' => 'i',
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        _ => char.to_lowercase().next().unwrap_or(char),
    }
}
