//! How plausible a few characters are as text: their cost in the language that fits them best.
//!
//! The models have 54 languages. This adds costs for ideographs next to letters, other scripts, emoji, and characters
//! that hardly any text has.

use super::models::{Alphabet, MODELS, Role, Sign, cost_of_capital};
pub use super::models::{Cost, NATS};
use super::prior::by_ascii_words;
use utfconv_core::is_printable;

/// The cost of a Han, kana or Hangul character that is not frequent.
const INFREQUENT: Cost = 13 * NATS;

/// The additional cost of an ideograph after another kind of character: at the start of a word, and after a letter.
const FIRST_IDEOGRAPH: Cost = 6 * NATS;
const IDEOGRAPH_AFTER_LETTER: Cost = 10 * NATS;

/// The cost of a letter of a script without a model: the first, and those after it.
const FIRST_OF_SCRIPT: Cost = 18 * NATS;
const NEXT_OF_SCRIPT: Cost = 3 * NATS;
/// The cost of a letter of a script that is hardly written today, or that no language has any more.
const OF_RARE_SCRIPT: Cost = 26 * NATS;

/// How much less a mathematical symbol without a model costs than other symbols.
const MATHEMATICAL: Cost = 4 * NATS;

/// The cost of a combining mark that some texts have, and of others.
const MARK: Cost = 8 * NATS;
const RARE_MARK: Cost = 16 * NATS;

/// How much less a Latin letter costs that is in no statistics, and in other languages: the models are of files without
/// romanized words and names.
const KNOWN_ALPHABET: Cost = 5 * NATS;

/// The additional cost of a small letter after two capitals.
const SMALL_AMONG_CAPITALS: Cost = 4 * NATS;

/// The cost of emoji: the first, and those after it.
const FIRST_EMOJI: Cost = 9 * NATS;
const NEXT_EMOJI: Cost = 4 * NATS;

/// The cost of a control.
const ODD: Cost = 18 * NATS;

/// The cost of an unassigned or private-use character.
const UNWRITTEN: Cost = 40 * NATS;

/// The cost of U+FFFD and of U+FEFF, which texts contain by mistake.
const ACCIDENT: Cost = 9 * NATS;

/// Scripts in use without a model, and whether two adjacent characters are of the same one.
const SCRIPTS: &[(char, char)] = &[
    ('\u{530}', '\u{58F}'),   // Armenian
    ('\u{900}', '\u{97F}'),   // Devanagari
    ('\u{980}', '\u{9FF}'),   // Bengali
    ('\u{A00}', '\u{A7F}'),   // Gurmukhi
    ('\u{A80}', '\u{AFF}'),   // Gujarati
    ('\u{B00}', '\u{B7F}'),   // Oriya
    ('\u{B80}', '\u{BFF}'),   // Tamil
    ('\u{C00}', '\u{C7F}'),   // Telugu
    ('\u{C80}', '\u{CFF}'),   // Kannada
    ('\u{D00}', '\u{D7F}'),   // Malayalam
    ('\u{D80}', '\u{DFF}'),   // Sinhala
    ('\u{E00}', '\u{E7F}'),   // Thai
    ('\u{E80}', '\u{EFF}'),   // Lao
    ('\u{F00}', '\u{FFF}'),   // Tibetan
    ('\u{1000}', '\u{109F}'), // Myanmar
    ('\u{10A0}', '\u{10FF}'), // Georgian
    ('\u{1200}', '\u{137F}'), // Ethiopic
    ('\u{1780}', '\u{17FF}'), // Khmer
    ('\u{1F00}', '\u{1FFF}'), // Greek with accents
    ('\u{600}', '\u{6FF}'),   // Arabic letters of other languages
];

/// The kind of a character, in any language.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A character that the models know, or of their kinds.
    Known(Sign),
    Ideograph(Cost),
    /// A letter of a script without a model, by the number of the script.
    Script(u8),
    RareScript,
    Emoji,
    Mark(Cost),
    /// With its cost.
    Odd(Cost),
}

impl Kind {
    fn of(char: char) -> Kind {
        if char.is_ascii() {
            return Kind::Known(Sign::of_unit(char as u16));
        }
        match char {
            '\u{FFFD}' | '\u{FEFF}' => return Kind::Odd(ACCIDENT),
            '\u{80}'..='\u{9F}' => return Kind::Odd(ODD),
            '\u{E000}'..='\u{F8FF}' => return Kind::Odd(UNWRITTEN),
            '\u{300}'..='\u{304}'
            | '\u{306}'..='\u{308}'
            | '\u{30A}'..='\u{30C}'
            | '\u{323}'
            | '\u{327}'
            | '\u{328}'
            | '\u{332}'
            | '\u{335}'..='\u{338}'
            | '\u{FE0F}' => return Kind::Mark(MARK),
            '\u{305}'..='\u{36F}' | '\u{200B}'..='\u{200F}' => return Kind::Mark(RARE_MARK),
            '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' => return Kind::Emoji,
            '\u{1100}'..='\u{11FF}'
            | '\u{2E80}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF00}'..='\u{FFEF}' => {
                return ideograph(char);
            }
            '\u{20000}'..='\u{3FFFF}' => return Kind::Ideograph(ODD),
            '\u{10000}'.. => return Kind::Odd(if is_printable(char) { OF_RARE_SCRIPT } else { UNWRITTEN }),
            _ => {}
        }
        let sign = Sign::of_unit(char as u16);
        if sign.is_known() {
            return Kind::Known(sign);
        }
        if let Some(at) = SCRIPTS.iter().position(|(first, last)| (*first..=*last).contains(&char)) {
            return Kind::Script(at as u8);
        }
        match char {
            // Latin letters are foreign letters; typographic and mathematical symbols are symbols.
            '\u{A0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Kind::Known(sign),
            '\u{2000}'..='\u{25FF}' | '\u{2900}'..='\u{2BFF}' if is_printable(char) || char <= '\u{206F}' => {
                Kind::Known(sign)
            }
            _ if is_printable(char) => Kind::RareScript,
            _ => Kind::Odd(UNWRITTEN),
        }
    }
}

/// Returns the kind of a Han, kana or Hangul character, or of their punctuation.
fn ideograph(char: char) -> Kind {
    let costs = MODELS.characters.iter().filter_map(|characters| characters.cost(char));
    let is_rare = matches!(char, '\u{3400}'..='\u{4DBF}' | '\u{A000}'..='\u{ABFF}' | '\u{D7A4}'..='\u{D7FF}' | '\u{1100}'..='\u{11FF}');
    let cost = costs.min().unwrap_or(if is_rare { ODD } else { INFREQUENT });
    Kind::Ideograph(cost)
}

/// A text to be measured: the kinds of its characters.
pub struct Signs(Vec<Kind>);

impl Signs {
    /// Returns the kinds of the characters of a text.
    pub fn of(text: impl Iterator<Item = char>) -> Signs {
        Signs(text.map(Kind::of).collect())
    }

    /// Returns the number of characters.
    #[allow(clippy::len_without_is_empty)] // no text is empty
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are ideographs, which cost more than letters: there are many of them.
    pub fn has_ideographs(&self) -> bool {
        self.0.iter().any(|kind| matches!(kind, Kind::Ideograph(_)))
    }
}

/// Returns the cost of each language.
pub fn rarities() -> impl Iterator<Item = Cost> {
    MODELS.alphabets.iter().map(|alphabet| alphabet.rarity)
}

/// Returns the cost of a text in each language, without that of the language.
pub fn costs(text: &Signs) -> impl Iterator<Item = Cost> {
    (0..MODELS.alphabets.len()).map(|language| cost_in(language, text))
}

/// Returns the same for the language with this number.
pub fn cost_in(language: usize, text: &Signs) -> Cost {
    let alphabet = &MODELS.alphabets[language];
    cost_below(alphabet, text, Cost::MAX).unwrap_or(Cost::MAX) - alphabet.rarity / 2
}

/// Compares texts of one document. It remembers the languages that fitted so far, and tries them first.
#[derive(Clone, Debug, Default)]
pub struct Plausibility {
    /// For each alphabet: how often it fitted best, and the costs of texts and of the ASCII words of the document,
    /// above those in the best one.
    languages: Vec<Language>,
    /// The alphabets that fitted most often, the best first.
    favorites: Vec<usize>,
    texts: u32,
    /// How many texts showed which languages the document has.
    learned: u32,
    /// How many texts were compared with all languages since these are known.
    searched: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Language {
    fitted: u32,
    excess: Cost,
    prior: Cost,
}

/// How many languages are tried after the first texts.
const FAVORITES: usize = 5;

/// After so many texts, only the favorites are tried, and each so many texts all.
const LEARNED: u32 = 24;

/// After so many texts, the languages of the document are known. Only this many are tried, and the others where these
/// do not decide.
const KNOWN: u32 = 2048;
const SETTLED: usize = 12;

/// How many texts are compared with all languages after that. Only a document in which every word is suspicious has
/// more that the known languages do not decide.
const SEARCHED: u32 = 1024;

/// A gain for which the favorites are enough.
const DECISIVE: Cost = 12 * NATS;

/// A text that gains this shows which languages the document has.
const TELLING: Cost = 6 * NATS;

/// How much a language that does not fit other texts of a document costs at most.
const MOST_OF_LANGUAGE: Cost = 6 * NATS;

impl Plausibility {
    /// For a document that begins with `text`.
    pub fn new(text: &[u8]) -> Plausibility {
        let prior = |cost: Cost| Language { prior: cost / 2, ..Language::default() };
        let languages = by_ascii_words(text).into_iter().map(prior).collect();
        Plausibility { languages, ..Plausibility::default() }
    }

    /// Returns how much more the text `before` costs than the cheapest of `after`, each in its likeliest language.
    /// Each of `after` has a cost besides.
    pub fn gain(&mut self, before: &Signs, after: &[(Signs, Cost)]) -> Cost {
        let is_learned = self.texts >= LEARNED && !self.texts.is_multiple_of(LEARNED);
        self.texts = self.texts.saturating_add(1);
        if self.texts == KNOWN {
            self.settle();
        }
        if is_learned && !self.favorites.is_empty() || self.texts >= KNOWN {
            let cheapest = |text: &Signs| self.favorites.iter().map(|at| self.cost(*at, text)).min();
            let after = after.iter().filter_map(|(text, more)| Some(cheapest(text)? + more)).min();
            let gain = cheapest(before).unwrap_or(0) - after.unwrap_or(0);
            if gain > DECISIVE || self.texts >= KNOWN && self.searched >= SEARCHED {
                return gain;
            }
            if self.texts >= KNOWN {
                self.searched += 1;
            }
        }
        let mut best = None;
        let mut least = Cost::MAX;
        for (text, more) in after {
            if let Some((cost, alphabet)) = self.cheapest(text, least.saturating_sub(*more)) {
                least = cost + more;
                best = Some((alphabet, cost, text));
            }
        }
        let Some((alphabet, cost, text)) = best else { return 0 };
        let gain = self.cheapest(before, Cost::MAX).unwrap_or_default().0 - least;
        if gain > TELLING {
            self.learn(text, alphabet, cost);
        }
        gain
    }

    /// A number that changes where costs may change.
    pub fn version(&self) -> u32 {
        self.texts.min(KNOWN).saturating_add(self.learned)
    }

    /// Adds the languages that cost least so far to the favorites, which are all that is tried from now on.
    fn settle(&mut self) {
        let mut others: Vec<usize> =
            (0..self.languages.len()).filter(|at| !self.favorites.contains(at)).collect();
        others.sort_by_key(|at| self.languages[*at].prior + self.languages[*at].excess / 2);
        self.favorites.extend(others);
        self.favorites.truncate(SETTLED);
    }

    /// Returns the cost of a text in the languages of the document, as far as they are known.
    pub fn cost_in_document(&self, text: &Signs) -> Cost {
        if self.texts >= KNOWN {
            return self.cost_in_favorites(text);
        }
        let costs = self
            .languages
            .iter()
            .enumerate()
            .map(|(at, language)| self.cost(at, text) + (language.excess / 2).min(MOST_OF_LANGUAGE));
        costs.min().unwrap_or(0)
    }

    /// Returns the same, by the languages that fitted best where there are some.
    pub fn cost_in_favorites(&self, text: &Signs) -> Cost {
        if self.texts < LEARNED || self.favorites.is_empty() {
            return self.cost_in_document(text);
        }
        let of = |at: &usize| self.cost(*at, text) + (self.languages[*at].excess / 2).min(MOST_OF_LANGUAGE);
        self.favorites.iter().map(of).min().unwrap_or(0)
    }

    /// Takes a text of the document.
    pub fn learn_text(&mut self, text: &Signs) {
        let (cost, alphabet) = self.cheapest(text, Cost::MAX).unwrap_or_default();
        self.texts = self.texts.saturating_add(1);
        self.learn(text, alphabet, cost);
    }

    /// Takes a text that costs `cost` in the alphabet that fits best.
    fn learn(&mut self, text: &Signs, alphabet: usize, cost: Cost) {
        for at in 0..self.languages.len() {
            let limit = cost + MOST_OF_LANGUAGE;
            let excess = (self.cost_below(at, text, limit).unwrap_or(limit) - cost).min(MOST_OF_LANGUAGE);
            self.languages[at].excess = self.languages[at].excess.saturating_add(excess);
        }
        self.languages[alphabet].fitted += 1;
        self.learned = self.learned.saturating_add(1);
        if self.texts >= KNOWN {
            // A language that begins late takes the place of the one that fits least.
            if !self.favorites.contains(&alphabet) {
                self.favorites.truncate(SETTLED - 1);
                self.favorites.push(alphabet);
            }
            self.favorites.sort_by_key(|at| std::cmp::Reverse(self.languages[*at].fitted));
            return;
        }
        if !self.favorites.contains(&alphabet) {
            self.favorites.push(alphabet);
        }
        self.favorites.sort_by_key(|at| (std::cmp::Reverse(self.languages[*at].fitted), *at));
        self.favorites.truncate(FAVORITES);
    }

    fn cost(&self, alphabet: usize, text: &Signs) -> Cost {
        self.cost_below(alphabet, text, Cost::MAX).unwrap_or(Cost::MAX)
    }

    /// Returns the cost of a text in a language; None if it is not below `limit`.
    fn cost_below(&self, alphabet: usize, text: &Signs, limit: Cost) -> Option<Cost> {
        let prior = self.languages[alphabet].prior;
        cost_below(&MODELS.alphabets[alphabet], text, limit.saturating_sub(prior)).map(|cost| cost + prior)
    }

    /// Returns the least cost of a text in a language, and the number of the language; None if it is not below `limit`.
    fn cheapest(&self, text: &Signs, limit: Cost) -> Option<(Cost, usize)> {
        let mut best: Option<(Cost, usize)> = None;
        // Those that fit often make the others stop early. Of languages in which it costs the same, the first one counts.
        for at in self.favorites.iter().copied().chain(0..self.languages.len()) {
            let limit =
                best.map_or(limit, |(cost, best)| if at < best { cost.saturating_add(1) } else { cost });
            if let Some(cost) = self.cost_below(at, text, limit) {
                best = Some((cost, at));
            }
        }
        best
    }
}

/// The context of a character.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Ideograph,
    Letter,
    Script(u8),
    Emoji,
    Other,
}

/// Returns the cost of a text in a language; None if it is not below `limit`. It grows with each character.
fn cost_below(alphabet: &Alphabet, text: &Signs, limit: Cost) -> Option<Cost> {
    let mut cost = alphabet.rarity / 2;
    let blank = Sign::of_unit(u16::from(b' '));
    let other = alphabet.role_of_other();
    let mut capitals = 0;
    let (mut sign, mut role, mut before) = (blank, Role::default(), Before::Other);
    for kind in &text.0 {
        let (more, next) = match *kind {
            Kind::Known(now) => {
                let next = alphabet.role(now);
                cost += alphabet.cost(role, next) + cost_of_capital(sign, now);
                if capitals >= 2 && now.is_small() && !now.char.is_ascii() {
                    cost += SMALL_AMONG_CAPITALS;
                }
                capitals = if now.is_capital() { capitals + 1 } else { 0 };
                if matches!(now.char, '\u{2200}'..='\u{22FF}') && !now.is_known() {
                    cost -= MATHEMATICAL;
                }
                if now.is_unknown_letter() {
                    cost -= KNOWN_ALPHABET;
                }
                if cost >= limit {
                    return None;
                }
                (sign, role) = (now, next);
                before = if now.is_letter() { Before::Letter } else { Before::Other };
                continue;
            }
            Kind::Ideograph(own) => match before {
                Before::Ideograph => (own, Before::Ideograph),
                Before::Letter | Before::Script(_) => (own + IDEOGRAPH_AFTER_LETTER, Before::Ideograph),
                _ => (own + FIRST_IDEOGRAPH, Before::Ideograph),
            },
            Kind::Script(number) if before == Before::Script(number) => (NEXT_OF_SCRIPT, before),
            Kind::Script(number) => (FIRST_OF_SCRIPT, Before::Script(number)),
            Kind::RareScript => (OF_RARE_SCRIPT, Before::Other),
            Kind::Emoji if before == Before::Emoji => (NEXT_EMOJI, before),
            Kind::Emoji => (FIRST_EMOJI, Before::Emoji),
            Kind::Mark(own) => {
                cost += own;
                continue;
            }
            Kind::Odd(own) => (own, Before::Other),
        };
        cost += more;
        if cost >= limit {
            return None;
        }
        (sign, role, before) = (blank, other, next);
    }
    (cost < limit).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_begins_late() {
        let signs = |text: &str| Signs::of(text.chars());
        let mut long = Plausibility::new(b"");
        for text in ["Съешь же ещё этих мягких французских булок", "да выпей чаю", "Привет, мир"]
        {
            long.learn_text(&signs(text));
        }
        long.texts = KNOWN - 1;
        let gain = |document: &mut Plausibility| document.gain(&signs("Viá»‡t"), &[(signs("Việt"), 0)]);
        let mut searched = Plausibility { searched: SEARCHED, ..long.clone() };
        assert!(gain(&mut searched) < TELLING, "the known languages do not decide");
        assert!(gain(&mut long) > DECISIVE);
        long.searched = SEARCHED;
        assert!(gain(&mut long) > DECISIVE, "Vietnamese is among the known ones");
    }
}
