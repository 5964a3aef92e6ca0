//! The statistics of languages: how unlikely it is that a character follows another.

use std::sync::LazyLock;

/// How unlikely something is: the negative logarithm of its probability, in quarters.
pub type Cost = u32;

/// One of the natural logarithm.
pub const NATS: Cost = 4;

/// A language, as languages.py has counted it.
pub struct Language {
    pub name: &'static str,
    kind: Kind,
}

enum Kind {
    /// With an alphabet.
    Pairs {
        /// The characters that are not ASCII, small ones, in the order of their code points.
        letters: Vec<char>,
        /// How many classes the ASCII characters are in.
        ascii: usize,
        /// By the class of the character before, then by that of the character.
        costs: Vec<Cost>,
    },
    /// With more characters than can be counted in pairs.
    Singles(Vec<(char, Cost)>),
}

/// What is known of a character in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// Its class.
    class: usize,
    /// What it costs instead, if it is none of the language.
    foreign: Option<Cost>,
    case: Case,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    None,
    Small,
    Capital,
}

/// The class of what separates words.
const SEPARATOR: usize = 0;

/// All languages.
pub static LANGUAGES: LazyLock<Vec<Language>> = LazyLock::new(|| {
    let lines: Vec<&'static str> = include_str!("languages.txt").lines().collect();
    lines.as_chunks().0.iter().map(|[head, table]| Language::read(head, table)).collect()
});

impl Language {
    /// From its two lines.
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
            Some(letters) => (2, letters),
            None => (27, letters),
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

    /// Whether a page with these characters has all letters of the language.
    pub fn is_written_with<'a>(&self, chars: impl Iterator<Item = &'a char> + Clone) -> bool {
        let Kind::Pairs { letters, .. } = &self.kind else { return false };
        letters
            .iter()
            .filter(|letter| letter.is_alphabetic())
            .all(|letter| chars.clone().any(|char| small(*char) == *letter))
    }

    /// What is known of `char`.
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
            Err(_) if char.is_ascii_lowercase() && *ascii == 2 => (1, None),
            Err(_) if char.is_ascii_lowercase() => (1 + usize::from(char as u8 - b'a'), None),
            Err(_) if char.is_ascii() => (SEPARATOR, None),
            Err(_) => (SEPARATOR, Some(foreign(char))),
        };
        Role { class, foreign, case }
    }

    /// What it costs that a character comes behind another; at least one of them is not ASCII.
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

    /// What a text of thousands of characters costs.
    pub fn cost_of_text(&self, text: &str) -> Cost {
        let Kind::Singles(singles) = &self.kind else { return 0 };
        let mut was_ascii = true;
        let cost = |char: char| {
            let is_ascii = char.is_ascii();
            let cost = match singles.binary_search_by_key(&char, |(char, _)| *char) {
                _ if is_ascii => {
                    if was_ascii {
                        0
                    } else {
                        3 * NATS
                    }
                }
                Ok(at) => singles[at].1 + if was_ascii { NATS } else { 0 },
                Err(_) => foreign(char),
            };
            was_ascii = is_ascii;
            cost
        };
        text.chars().map(cost).sum()
    }
}

/// What a character costs in a language that does not have it.
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

/// The small letter, where that is one character.
fn small(char: char) -> char {
    match char {
        'İ' => 'i',
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        _ => char.to_lowercase().next().unwrap_or(char),
    }
}
