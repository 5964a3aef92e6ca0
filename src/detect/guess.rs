//! Guesses a legacy encoding: the one in which the bytes are the likeliest text of a language.

use utfconv_core::{Encoding, ISO_2022_JP, US_ASCII, UTF_7, UTF_16BE, UTF_16LE};

use super::candidates::{CANDIDATES, Candidate, Form, decoded};
use super::detected::{Certainty, Detected, many};
use super::languages::{Cost, LANGUAGES, Language, NATS};
use super::sample::Sample;

/// A candidate with its best language, and the cost of that.
struct Scored {
    candidate: &'static Candidate,
    language: &'static Language,
    cost: Cost,
}

/// A guess is likely if every candidate that gives another text costs more than it by at least this.
const MARGIN: Cost = 8 * NATS;

/// Two adjacent bytes, at least one of them not ASCII, and how often they occur.
type Pair = (u8, u8, Cost);

/// The cost of a word in another alphabet than Latin among many ASCII letters.
const AMONG_LATIN: Cost = 2 * NATS;

/// Guesses the encoding of `sample`, from a file that begins with `head`.
pub fn guess(sample: &Sample, head: &[u8]) -> Detected {
    let pairs = pairs(sample);
    let count = |is: fn(&u8) -> bool| head.iter().filter(|byte| is(byte)).count();
    let is_latin = count(u8::is_ascii_alphabetic) > 4 * count(|byte| !byte.is_ascii());
    let foreign = if is_latin { AMONG_LATIN * sample.words().count() as Cost } else { 0 };
    let mut scored: Vec<Scored> =
        CANDIDATES.iter().filter_map(|candidate| score(candidate, sample, &pairs, foreign)).collect();
    scored.sort_by_key(|scored| scored.cost);
    let Some(best) = scored.first() else {
        return Detected::nothing(Certainty::Guess, "it is no text in any encoding that is guessed at");
    };
    let is_other = |scored: &&Scored| !is_same_text(best.candidate, scored.candidate, sample);
    let next = scored.iter().find(is_other);
    let margin = next.map_or(Cost::MAX, |next| next.cost - best.cost);
    let positions: Cost = pairs.iter().map(|(.., count)| count).sum();
    let certainty = if margin >= MARGIN { Certainty::Likely } else { Certainty::Guess };
    let near = scored.iter().filter(is_other).take_while(|scored| scored.cost <= best.cost + MARGIN);
    let same = scored[1..].iter().filter(|scored| !is_other(scored) && scored.cost <= best.cost + MARGIN);
    let same: Vec<_> = same.map(|scored| scored.candidate.encoding.name()).take(2).collect();
    let mut reason =
        format!("it reads as {}, at {}", best.language.name, many(u64::from(positions), "position"));
    if !same.is_empty() {
        reason += &format!("; {} gives the same text", same.join(" or "));
    }
    Detected {
        encoding: Some(best.candidate.encoding),
        alternatives: near.map(|scored| scored.candidate.encoding).collect(),
        ..Detected::nothing(certainty, reason)
    }
}

/// Counts the pairs of bytes in the words.
fn pairs(sample: &Sample) -> Vec<Pair> {
    let mut pairs: Vec<(u8, u8)> = Vec::new();
    for word in sample.words() {
        let before = [b'\n'].iter().chain(word);
        pairs.extend(
            before
                .zip(word)
                .map(|(before, now)| (*before, *now))
                .filter(|(one, two)| !one.is_ascii() || !two.is_ascii()),
        );
    }
    pairs.sort_unstable();
    pairs.chunk_by(|one, two| one == two).map(|same| (same[0].0, same[0].1, same.len() as Cost)).collect()
}

fn score(candidate: &'static Candidate, sample: &Sample, pairs: &[Pair], foreign: Cost) -> Option<Scored> {
    let (language, cost) = match &candidate.form {
        Form::Page { chars, languages } => {
            if (0x80..=0xFF).any(|byte| sample.has(byte) && chars[usize::from(byte)].is_none()) {
                return None;
            }
            let costs = languages.iter().map(|language| {
                let roles: Vec<_> = chars
                    .iter()
                    .map(|char| language.role(char.unwrap_or(char::REPLACEMENT_CHARACTER)))
                    .collect();
                let cost = |(before, now, count): &Pair| {
                    count * language.cost(roles[usize::from(*before)], roles[usize::from(*now)])
                };
                (*language, pairs.iter().map(cost).sum::<Cost>())
            });
            costs.min_by_key(|(_, cost)| *cost)?
        }
        Form::MultiByte { languages } => {
            let text = decoded(candidate.encoding, sample.text());
            let costs = languages.iter().map(|language| (*language, language.cost_of_text(&text)));
            costs.min_by_key(|(_, cost)| *cost)?
        }
    };
    let foreign = if language.is_latin() { 0 } else { foreign };
    Some(Scored { candidate, language, cost: cost + candidate.rarity + foreign })
}

/// Whether both decode the sample to the same text.
fn is_same_text(one: &Candidate, other: &Candidate, sample: &Sample) -> bool {
    match (&one.form, &other.form) {
        (Form::Page { chars: one, .. }, Form::Page { chars: other, .. }) => {
            (0..=0xFF).all(|byte| !sample.has(byte) || one[usize::from(byte)] == other[usize::from(byte)])
        }
        _ => std::ptr::eq(one, other),
    }
}

/// Detects short UTF-16 whose NULs are not enough evidence, if its text is likely.
pub fn wide(head: &[u8]) -> Option<Detected> {
    if head.len() > SHORT {
        return None;
    }
    let read = |encoding: &'static Encoding| {
        let text = decoded(encoding, head);
        if text.contains('\0') {
            return None;
        }
        let others = text.chars().filter(|char| !char.is_ascii()).count() as Cost;
        let best = LANGUAGES
            .iter()
            .map(|language| (language.cost_of_text(&text), language))
            .min_by_key(|(cost, _)| *cost)?;
        (others >= 3 && best.0 <= 9 * NATS * others).then_some((best.0, best.1.name, encoding))
    };
    let (_, language, encoding) =
        [&UTF_16LE, &UTF_16BE].into_iter().filter_map(read).min_by_key(|(cost, ..)| *cost)?;
    let reason = format!("NULs, and in UTF-16 it reads as {language}");
    Some(Detected { encoding: Some(encoding), ..Detected::nothing(Certainty::Likely, reason) })
}

/// The longest short text, in bytes; in longer text the NULs alone are enough.
const SHORT: usize = 128;

/// Detects ISO-2022-JP or UTF-7 in ASCII: `head` has their escapes, and is well-formed with them.
pub fn seven_bit(head: &[u8]) -> Option<Detected> {
    let has_escape = memchr::memmem::find(head, b"\x1B$").is_some();
    let likely = if has_escape { &ISO_2022_JP } else { &UTF_7 };
    // If the file is longer, the last line may be cut.
    let end = memchr::memrchr(b'\n', head).map_or(head.len(), |at| at + 1);
    let text = decoded(likely, &head[..end]);
    if text.is_ascii() || text.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    let reason = "its escapes, and it is well-formed";
    let certainty = Certainty::Likely;
    Some(Detected {
        encoding: Some(likely),
        alternatives: vec![&US_ASCII],
        ..Detected::nothing(certainty, reason)
    })
}
