//! Measures how plausible a few characters are as text, by their cost in the language that fits them best.
//!
//! The models have 54 languages. This module adds costs for ideographs beside letters, scripts without a model, emoji,
//! and characters that are rare in text.

pub use super::cost::{Cost, NATS};
use super::cost::{FAULT, RARE, SELDOM, UNLIKELY, USUAL};
use super::models::{MODELS, Role, Sign, cost_of_capital};
use super::prior::by_ascii_words;
use super::score::CONTEXTS;
use utfconv_core::is_printable;

/// Cost of an ideograph after a letter, or outside the 2,200 ideographs of the models: that of two seldom characters.
const INFREQUENT: Cost = 2 * SELDOM;

/// Blocks of scripts in use that have no model. A letter after a letter of its block costs less.
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

/// The kind of a character, which is the same in all languages.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A character that the models contain, or whose kind they contain.
    Known(&'static Sign),
    Ideograph(Cost),
    /// A letter of a script without a model, with the index in [`SCRIPTS`].
    Script(u8),
    Emoji,
    Mark(Cost),
    /// A character of no other kind, such as a letter of a script that is rare today, with its cost.
    Odd(Cost),
}

impl Kind {
    fn of(char: char) -> Kind {
        if char.is_ascii() {
            return Kind::Known(Sign::of_unit(char as u16));
        }
        match char {
            '\u{FFFD}' | '\u{FEFF}' => return Kind::Odd(RARE),
            '\u{80}'..='\u{9F}' => return Kind::Odd(FAULT),
            '\u{E000}'..='\u{F8FF}' => return Kind::Odd(UNLIKELY),
            '\u{300}'..='\u{304}'
            | '\u{306}'..='\u{308}'
            | '\u{30A}'..='\u{30C}'
            | '\u{323}'
            | '\u{327}'
            | '\u{328}'
            | '\u{332}'
            | '\u{335}'..='\u{338}'
            | '\u{FE0F}' => return Kind::Mark(RARE),
            '\u{305}'..='\u{36F}' | '\u{200B}'..='\u{200F}' => return Kind::Mark(FAULT),
            '\u{1F000}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}' => return Kind::Emoji,
            '\u{1100}'..='\u{11FF}'
            | '\u{2E80}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF00}'..='\u{FFEF}' => {
                return ideograph(char);
            }
            '\u{20000}'..='\u{3FFFF}' => return Kind::Ideograph(FAULT),
            '\u{10000}'.. => return Kind::Odd(if is_printable(char) { FAULT } else { UNLIKELY }),
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
            // Latin letters count as foreign letters; typographic and mathematical characters count as symbols.
            '\u{A0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Kind::Known(sign),
            '\u{2000}'..='\u{25FF}' | '\u{2900}'..='\u{2BFF}' if is_printable(char) || char <= '\u{206F}' => {
                Kind::Known(sign)
            }
            _ if is_printable(char) => Kind::Odd(FAULT),
            _ => Kind::Odd(UNLIKELY),
        }
    }
}

/// Returns the kind of a Han, kana or Hangul character, or of East Asian punctuation.
fn ideograph(char: char) -> Kind {
    let costs = MODELS.characters.iter().filter_map(|characters| characters.cost(char));
    let is_rare = matches!(char, '\u{3400}'..='\u{4DBF}' | '\u{A000}'..='\u{ABFF}' | '\u{D7A4}'..='\u{D7FF}' | '\u{1100}'..='\u{11FF}');
    let cost = costs.min().unwrap_or(if is_rare { FAULT } else { INFREQUENT });
    Kind::Ideograph(cost)
}

/// The kinds of the characters of a text to be measured.
pub struct Signs(Vec<Kind>);

impl Signs {
    /// Returns the kinds of the characters of a text.
    pub fn of(text: impl Iterator<Item = char>) -> Signs {
        Signs(text.map(Kind::of).collect())
    }

    /// Returns the number of characters.
    #[allow(clippy::len_without_is_empty)] // texts are not empty
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the text has ideographs, which cost more than letters because there are thousands of them.
    pub fn has_ideographs(&self) -> bool {
        self.0.iter().any(|kind| matches!(kind, Kind::Ideograph(_)))
    }
}

/// Returns the prior cost of each language.
pub fn rarities() -> impl Iterator<Item = Cost> {
    MODELS.alphabets.iter().map(|alphabet| alphabet.rarity)
}

/// Returns the cost of a text in each language, without the cost of the language.
pub fn costs(text: &Signs) -> impl Iterator<Item = Cost> {
    (0..MODELS.alphabets.len()).map(|language| cost_in(language, text))
}

/// Returns the cost of a text in the language with this number, without the cost of the language.
pub fn cost_in(language: usize, text: &Signs) -> Cost {
    cost_below(language, text, Cost::MAX).unwrap_or(Cost::MAX) - MODELS.alphabets[language].rarity / 2
}

/// Compares texts of a document, and remembers which languages fit the document.
#[derive(Clone, Debug)]
pub struct Plausibility {
    /// The statistics of each language, by its number.
    languages: Vec<Language>,
    /// The numbers of the languages, sorted by how often each fitted best, so that the comparison with the remaining
    /// languages stops early.
    order: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Language {
    /// Number of texts that this language fitted best.
    fitted: u32,
    /// The sum of the costs of texts, above their costs in the best language.
    excess: Cost,
    /// The cost of the ASCII words of the document, above their cost in the best language.
    prior: Cost,
}

/// Minimum gain of a text that shows which languages the document has. Also the maximum cost of a language
/// that does not fit such texts.
const TELLING: Cost = SELDOM;

/// Number of texts after which `excess` has its full weight.
const TEXTS: Cost = CONTEXTS;

impl Plausibility {
    /// Creates the plausibility for a document that begins with `text`.
    pub fn new(text: &[u8]) -> Plausibility {
        let costs = by_ascii_words(text).into_iter().zip(&MODELS.alphabets);
        let language = |(cost, _)| Language { prior: cost / 2, ..Language::default() };
        let languages: Vec<Language> = costs.map(language).collect();
        Plausibility { order: (0..languages.len()).collect(), languages }
    }

    /// Returns how much more the text `before` costs than the cheapest text of `after`, each in its likeliest language.
    /// The cost in a pair of `after` is added to the cost of the pair's text.
    pub fn gain(&mut self, before: &Signs, after: &[(Signs, Cost)]) -> Cost {
        let (mut best, mut least) = (None, Cost::MAX);
        for (text, more) in after {
            if let Some((cost, language)) = self.cheapest(text, least.saturating_sub(*more)) {
                least = cost + more;
                best = Some((text, language, cost));
            }
        }
        let Some((text, language, cost)) = best else { return 0 };
        let gain = self.cheapest(before, Cost::MAX).unwrap_or_default().0 - least;
        if gain > TELLING {
            self.learn(text, language, cost);
        }
        gain
    }

    /// Returns the cost of a text in the languages of the document, as far as they are known.
    pub fn cost_in_document(&self, text: &Signs) -> Cost {
        self.cheapest(text, Cost::MAX).unwrap_or_default().0
    }

    /// Learns the languages of the document from one of its texts.
    pub fn learn_text(&mut self, text: &Signs) {
        let (cost, language) = self.cheapest(text, Cost::MAX).unwrap_or_default();
        self.learn(text, language, cost);
    }

    /// Learns from a text that costs `cost` in its best language.
    fn learn(&mut self, text: &Signs, best: usize, cost: Cost) {
        for (number, language) in self.languages.iter_mut().enumerate() {
            let limit = cost + TELLING - language.prior;
            let excess = cost_below(number, text, limit).unwrap_or(limit) + language.prior - cost;
            language.excess = language.excess.saturating_add(excess);
        }
        self.languages[best].fitted += 1;
        self.order.sort_by_key(|at| std::cmp::Reverse(self.languages[*at].fitted));
    }

    /// Returns the least cost of a text in any language, and the number of that language; `None` if the cost is not
    /// below `limit`. Of languages with equal costs, the one with the lowest number is returned.
    fn cheapest(&self, text: &Signs, limit: Cost) -> Option<(Cost, usize)> {
        let mut best: Option<(Cost, usize)> = None;
        for at in self.order.iter().copied() {
            let Language { prior, excess, .. } = self.languages[at];
            let more = prior + (excess / TEXTS).min(TELLING);
            let limit = best.map_or(limit, |(cost, best)| cost + Cost::from(at < best));
            if let Some(cost) = cost_below(at, text, limit.saturating_sub(more)) {
                best = Some((cost + more, at));
            }
        }
        best
    }
}

/// The kind of the previous character.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Ideograph,
    Letter,
    Script(u8),
    Emoji,
    Other,
}

/// Returns the cost of a text in a language; `None` if it is not below `limit`, which is tested after each character
/// because the cost never falls.
fn cost_below(language: usize, text: &Signs, limit: Cost) -> Option<Cost> {
    let alphabet = &MODELS.alphabets[language];
    let mut cost = alphabet.rarity / 2;
    let blank = Sign::of_unit(u16::from(b' '));
    let other = alphabet.role_of_other();
    let mut capitals = 0;
    let (mut sign, mut role, mut before) = (blank, Role::default(), Before::Other);
    for kind in &text.0 {
        let (more, next) = match *kind {
            Kind::Known(now) => {
                let next = now.role(language);
                cost += alphabet.cost(role, next) + cost_of_capital(sign, now);
                if capitals >= 2 && now.is_small() && !now.char.is_ascii() {
                    cost += USUAL;
                }
                capitals = if now.is_capital() { capitals + 1 } else { 0 };
                // Mathematical symbols without a model, and Latin letters of romanized words and names, are more
                // frequent than their costs say.
                if matches!(now.char, '\u{2200}'..='\u{22FF}') && !now.is_known() {
                    cost -= USUAL;
                }
                if now.is_unknown_letter() {
                    cost -= USUAL;
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
                Before::Letter | Before::Script(_) => (own + INFREQUENT, Before::Ideograph),
                _ => (own + SELDOM, Before::Ideograph),
            },
            Kind::Script(number) if before == Before::Script(number) => (USUAL, before),
            Kind::Script(number) => (FAULT, Before::Script(number)),
            Kind::Emoji if before == Before::Emoji => (USUAL, before),
            Kind::Emoji => (RARE, Before::Emoji),
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
        assert!(long.gain(&signs("Viá»‡t"), &[(signs("Việt"), 0)]) > 12 * NATS);
    }
}
