//! Decodes units by each candidate, and selects the words to compare.

use std::ops::Range;

use super::super::groups::{CONTEXT, script};
use super::ill_formed;
use utfconv_core::Encoding;
use utfconv_core::decode;
use utfconv_detect::plausibility::{Cost, NATS, Signs};

/// A unit with fewer non-ASCII bytes than this is weak evidence. For each missing byte, a reading costs [`MISSING`]
/// more if its text differs from the text in windows-1252.
const FEW: usize = 4;

/// Cost of each missing byte: 2 nats, because one unit in 7 has a symbol of windows-1252 in text of another encoding.
const MISSING: Cost = 2 * NATS;

/// Maximum number of characters of a unit that are compared.
const COMPARED: usize = 256;

/// The text of a unit in a candidate encoding.
pub(super) struct Reading {
    pub candidate: usize,
    pub text: String,
    pub cost: Cost,
    /// The extra cost of a unit with few non-ASCII bytes, if windows-1252 gives another text.
    pub uncommon: Cost,
    /// Whether the non-Latin letters form no word, so that they may be symbols in windows-1252.
    pub is_wordless: bool,
}

/// Returns the reading with the least cost, and how much more the best reading with another text costs.
pub(super) fn best(readings: &[Reading], rarity: impl Fn(&Reading) -> Cost) -> Option<(&Reading, Cost)> {
    let cost = |reading: &&Reading| reading.cost + rarity(reading);
    let best = readings.iter().min_by_key(cost)?;
    let other =
        readings.iter().filter(|reading| reading.text != best.text).map(|reading| cost(&reading)).min();
    Some((best, other.map_or(Cost::MAX, |other| other.saturating_sub(cost(&best)))))
}

/// Decodes a unit by each candidate, once as a whole and once only in its bytes that are not UTF-8. `western` is the
/// index of windows-1252.
pub(super) fn read(bytes: &[u8], candidates: &[&'static Encoding], western: Option<usize>) -> Vec<Reading> {
    let runs = ill_formed(bytes, 0..bytes.len());
    let has_text =
        runs.iter().map(Range::len).sum::<usize>() < bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let texts = |encoding: &'static Encoding| {
        let decode = |bytes: &[u8]| Some(decode(bytes, encoding).ok()?.into_owned());
        let strays = || {
            let mut text = String::new();
            let mut at = 0;
            for run in &runs {
                text += str::from_utf8(&bytes[at..run.start]).ok()?;
                text += &decode(&bytes[run.clone()])?;
                at = run.end;
            }
            Some(text + str::from_utf8(&bytes[at..]).ok()?)
        };
        [decode(bytes), has_text.then(strays).flatten()].into_iter().flatten()
    };
    let candidates = candidates.iter().enumerate();
    let all: Vec<(usize, String)> = candidates
        .flat_map(|(candidate, encoding)| texts(encoding).map(move |text| (candidate, text)))
        .collect();
    let common: Vec<_> = all.iter().filter(|(candidate, _)| Some(*candidate) == western).cloned().collect();
    let is_common = |text: &str| common.is_empty() || common.iter().any(|(_, common)| common == text);
    let count = bytes.iter().filter(|byte| !byte.is_ascii()).count();
    let missing = MISSING * FEW.saturating_sub(count) as Cost;
    all.into_iter()
        .map(|(candidate, text)| {
            let uncommon = if is_common(&text) { 0 } else { missing };
            let is_wordless = western.is_some() && is_wordless(&text);
            Reading { candidate, text, cost: 0, uncommon, is_wordless }
        })
        .collect()
}

/// Whether a text has letters of scripts other than Latin, but no word of them. A word is two or more letters of one
/// script, without a capital after a small letter.
fn is_wordless(text: &str) -> bool {
    let is_other = |char: char| char.is_alphabetic() && script(char) != script('a');
    let is_joined =
        |one: &char, next: &char| is_other(*one) && next.is_alphabetic() && script(*one) == script(*next);
    let is_end = |two: &[char]| two[0].is_lowercase() && two[1].is_uppercase();
    let chars: Vec<char> = text.chars().collect();
    let mut others = chars.chunk_by(is_joined).filter(|run| is_other(run[0])).peekable();
    others.peek().is_some() && others.all(|run| run.len() == 1 || run.windows(2).any(is_end))
}

/// Returns the text of a unit that is compared: its non-ASCII words, with their context.
pub(super) fn telling(window: &[u8], unit: &Range<usize>, text: &str) -> Signs {
    let ascii = |byte: &&u8| byte.is_ascii() && **byte != b'\n';
    let start = unit.start - window[..unit.start].iter().rev().take(CONTEXT).take_while(ascii).count();
    let before = window[start..unit.start].iter().copied().map(char::from);
    let after = window[unit.end..].iter().take(CONTEXT).take_while(ascii).copied().map(char::from);
    let whole: String = before.chain(text.chars()).chain(after).collect();
    let words = whole.split_ascii_whitespace().filter(|word| !word.is_ascii());
    Signs::of(words.flat_map(|word| word.chars().chain([' '])).take(COMPARED))
}
