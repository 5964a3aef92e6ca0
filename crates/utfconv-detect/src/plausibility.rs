//! How plausible a few characters are as text: their cost in the language that fits them best.
//!
//! The models have 54 languages. This adds costs for ideographs next to letters, other scripts, emoji, and characters
//! that hardly any text has.

pub use super::models::{Cost, NATS};
use super::models::{MODELS, Role, Sign, cost_of_capital};
use super::prior::by_ascii_words;
use utfconv_core::is_printable;

/// The cost in nats of another character of a kind that the text has shown, or of an unusual case: one in 55.
const NEXT: Cost = 4 * NATS;

/// The cost in nats of the first ideograph of a word, above its own: one word in 400.
const FIRST_IDEOGRAPH: Cost = 6 * NATS;

/// The cost in nats of emoji, marks, U+FFFD and U+FEFF: one character in 8,000.
const SELDOM: Cost = 9 * NATS;

/// The cost in nats of an ideograph that is not among the 2,200 of the models, or after a letter: one in 440,000.
const INFREQUENT: Cost = 13 * NATS;

/// The cost in nats of a control, a rare mark or ideograph, and the first letter of a script without a model: one in e^18.
const ODD: Cost = 18 * NATS;

/// The cost in nats of a letter of a script that is hardly written today: more than any misreading gains by one character.
const OF_RARE_SCRIPT: Cost = 26 * NATS;

/// The cost in nats of an unassigned or private-use character: more than all else.
const UNWRITTEN: Cost = 40 * NATS;

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
    Known(&'static Sign),
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
            '\u{FFFD}' | '\u{FEFF}' => return Kind::Odd(SELDOM),
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
            | '\u{FE0F}' => return Kind::Mark(SELDOM),
            '\u{305}'..='\u{36F}' | '\u{200B}'..='\u{200F}' => return Kind::Mark(ODD),
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
    cost_below(language, text, Cost::MAX).unwrap_or(Cost::MAX) - MODELS.alphabets[language].rarity / 2
}

/// Compares texts of one document, and remembers which languages fitted.
#[derive(Clone, Debug)]
pub struct Plausibility {
    /// By number.
    languages: Vec<Language>,
    /// Their numbers, those that fitted best most often first: these make the others stop early.
    order: Vec<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Language {
    /// How often it fitted best.
    fitted: u32,
    /// The costs of texts and of the ASCII words of the document, above those in the best language.
    excess: Cost,
    prior: Cost,
}

/// A text that gains this much, in nats, shows which languages the document has; at most as much is what a language costs because it does
/// not fit these texts: one text in 400.
const TELLING: Cost = 6 * NATS;

/// How many texts show that as well as possible.
const TEXTS: Cost = 4;

impl Plausibility {
    /// For a document that begins with `text`.
    pub fn new(text: &[u8]) -> Plausibility {
        let costs = by_ascii_words(text).into_iter().zip(&MODELS.alphabets);
        let language = |(cost, _)| Language { prior: cost / 2, ..Language::default() };
        let languages: Vec<Language> = costs.map(language).collect();
        Plausibility { order: (0..languages.len()).collect(), languages }
    }

    /// Returns how much more the text `before` costs than the cheapest of `after`, each in its likeliest language.
    /// Each of `after` has a cost besides.
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

    /// Takes a text of the document.
    pub fn learn_text(&mut self, text: &Signs) {
        let (cost, language) = self.cheapest(text, Cost::MAX).unwrap_or_default();
        self.learn(text, language, cost);
    }

    /// Takes a text that costs `cost` in the language that fits best.
    fn learn(&mut self, text: &Signs, best: usize, cost: Cost) {
        for (number, language) in self.languages.iter_mut().enumerate() {
            let limit = cost + TELLING - language.prior;
            let excess = cost_below(number, text, limit).unwrap_or(limit) + language.prior - cost;
            language.excess = language.excess.saturating_add(excess);
        }
        self.languages[best].fitted += 1;
        self.order.sort_by_key(|at| std::cmp::Reverse(self.languages[*at].fitted));
    }

    /// Returns the least cost of a text in a language, and the number of the language; None if it is not below `limit`. Of languages
    /// in which it costs the same, the first one counts.
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
                    cost += NEXT;
                }
                capitals = if now.is_capital() { capitals + 1 } else { 0 };
                // Mathematical symbols without a model, and Latin letters of languages without one: romanized words and names.
                if matches!(now.char, '\u{2200}'..='\u{22FF}') && !now.is_known() {
                    cost -= NEXT;
                }
                if now.is_unknown_letter() {
                    cost -= NEXT;
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
                _ => (own + FIRST_IDEOGRAPH, Before::Ideograph),
            },
            Kind::Script(number) if before == Before::Script(number) => (NEXT, before),
            Kind::Script(number) => (ODD, Before::Script(number)),
            Kind::RareScript => (OF_RARE_SCRIPT, Before::Other),
            Kind::Emoji if before == Before::Emoji => (NEXT, before),
            Kind::Emoji => (SELDOM, Before::Emoji),
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
