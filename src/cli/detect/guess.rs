//! A guess at a legacy encoding: the one in which the bytes are the likeliest text of a language.

use utfconv::Encoding;

use super::candidates::{CANDIDATES, Candidate, Form, decoded};
use super::detector::{Certainty, Detected, many};
use super::languages::{Cost, Language, NATS};
use super::sample::Sample;

/// A candidate with its best language, and what that costs.
struct Scored {
    candidate: &'static Candidate,
    language: &'static Language,
    cost: Cost,
}

/// Two bytes that stand one behind the other, at least one of them not ASCII, and how often they do.
type Pair = (u8, u8, Cost);

/// What makes the likeliest text of `sample`.
pub fn guess(sample: &Sample) -> Detected {
    let pairs = pairs(sample);
    let mut scored: Vec<Scored> =
        CANDIDATES.iter().filter_map(|candidate| score(candidate, sample, &pairs)).collect();
    scored.sort_by_key(|scored| scored.cost);
    let Some(best) = scored.first() else {
        return Detected::nothing(Certainty::Guess, "it is no text in any encoding that is guessed at");
    };
    let is_other = |scored: &&Scored| !is_same_text(best.candidate, scored.candidate, sample);
    let next = scored.iter().find(is_other);
    let margin = next.map_or(Cost::MAX, |next| next.cost - best.cost);
    let places: Cost = pairs.iter().map(|(.., count)| count).sum();
    let certainty = if margin >= 8 * NATS { Certainty::Likely } else { Certainty::Guess };
    let near = scored.iter().filter(is_other).take_while(|scored| scored.cost <= best.cost + 8 * NATS);
    let reason = format!(
        "reads as {}; cost {} in {}, {} before {}",
        best.language.name,
        best.cost / NATS,
        many(u64::from(places), "place"),
        margin / NATS,
        next.map_or("all", |next| next.candidate.encoding.name()),
    );
    Detected {
        encoding: Some(best.candidate.encoding),
        alternatives: near.map(|scored| scored.candidate.encoding).collect(),
        ..Detected::nothing(certainty, reason)
    }
}

/// The pairs of bytes that tell.
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

fn score(candidate: &'static Candidate, sample: &Sample, pairs: &[Pair]) -> Option<Scored> {
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
    Some(Scored { candidate, language, cost: cost + candidate.rarity })
}

/// Whether both give the same text of what there is.
fn is_same_text(one: &Candidate, other: &Candidate, sample: &Sample) -> bool {
    match (&one.form, &other.form) {
        (Form::Page { chars: one, .. }, Form::Page { chars: other, .. }) => {
            (0..=0xFF).all(|byte| !sample.has(byte) || one[usize::from(byte)] == other[usize::from(byte)])
        }
        _ => std::ptr::eq(one, other),
    }
}
