//! UTF-16 and UTF-32 without a BOM and without the NULs that ASCII characters have there.

use super::hints::Hints;
use super::languages::language;
use super::models::{MODELS, NATS, Sign, cost_of_capital};
use super::multi_byte::cost_of_char;
use super::result::{Detection, Grade};
use crate::encoding::{Encoding, UTF_16BE, UTF_16LE};

/// The most bytes that are looked at.
const SOME: usize = 256;

/// The mean cost of a character up to which a text is in a language.
const PLAUSIBLE: i32 = 8 * NATS;

/// Detects UTF-16 whose NULs, if it has any, are not enough evidence: its text is likely in a language.
pub(super) fn wide(head: &[u8], hints: &Hints) -> Option<Detection> {
    if !head.len().is_multiple_of(2) && head.len() < super::HEAD {
        return None;
    }
    let some = head[..head.len().min(SOME)].as_chunks().0;
    if has_blanks_of_bytes(some) {
        return None;
    }
    let read = |encoding: &'static Encoding, unit: fn([u8; 2]) -> u16| {
        let decoded: Result<Vec<char>, _> =
            char::decode_utf16(without_half(some, unit)).map(|char| char.map_err(drop)).collect();
        let text = decoded.ok().filter(|text| !text.contains(&'\0'))?;
        let others = text.iter().filter(|char| !char.is_ascii()).count();
        if others < 3 || 2 * others < text.len() {
            return None;
        }
        let (language, cost) = likeliest(&text, hints)?;
        (cost <= PLAUSIBLE * others as i32).then_some((cost, language, encoding))
    };
    let orders = [read(&UTF_16LE, u16::from_le_bytes), read(&UTF_16BE, u16::from_be_bytes)];
    let (_, name, encoding) = orders.into_iter().flatten().min_by_key(|(cost, ..)| *cost)?;
    let reason = format!("no BOM, but as UTF-16 it reads as {}", language(name));
    Some(Detection { language: Some(language(name)), ..Detection::new(encoding, Grade::Likely, reason) })
}

/// Whether a text has blanks of one byte: without a NUL beside them, and often in both places of a code unit.
fn has_blanks_of_bytes(units: &[[u8; 2]]) -> bool {
    let blanks = |place: usize| units.iter().filter(|unit| unit[place] == b' ').count();
    let are_frequent = |blanks: usize| 32 * blanks > units.len();
    are_frequent(blanks(0)) && are_frequent(blanks(1)) && !units.as_flattened().contains(&0)
}

/// The code units, without the first half of a pair that the end cuts.
fn without_half(units: &[[u8; 2]], unit: fn([u8; 2]) -> u16) -> impl Iterator<Item = u16> {
    let is_cut = units.last().is_some_and(|last| matches!(unit(*last), 0xD800..=0xDBFF));
    units[..units.len() - usize::from(is_cut)].iter().map(move |bytes| unit(*bytes))
}

/// Returns the likeliest language of a text, and the cost of the text.
fn likeliest(text: &[char], hints: &Hints) -> Option<(&'static str, i32)> {
    let chars = || text.iter().copied();
    let pairs = || ['\n'].into_iter().chain(chars()).zip(chars());
    let spoken = MODELS.characters.iter().filter(|characters| hints.has_language(characters.name));
    let by_characters = spoken.map(|characters| {
        let cost = pairs().map(|(before, now)| cost_of_char(characters, before, now)).sum::<i32>();
        (characters.name, cost + characters.rarity)
    });
    // Letters of alphabets come before ideographs.
    let letters = chars().filter(|char| *char < '\u{E80}').count();
    let is_alphabetic = 2 * letters > text.len();
    let signs: Vec<Sign> =
        if is_alphabetic { ['\n'].into_iter().chain(chars()).map(Sign::of).collect() } else { Vec::new() };
    let by_case = signs.windows(2).map(|pair| cost_of_capital(pair[0], pair[1])).sum::<i32>();
    let alphabets = MODELS
        .alphabets
        .iter()
        .filter(|alphabet| is_alphabetic && !alphabet.is_latin && hints.has_language(alphabet.name));
    let by_alphabets = alphabets.map(|alphabet| {
        let roles: Vec<_> = signs.iter().map(|sign| alphabet.role(*sign)).collect();
        let cost = roles.windows(2).map(|pair| alphabet.cost(pair[0], pair[1])).sum::<i32>();
        (alphabet.name, cost + by_case + alphabet.rarity)
    });
    by_characters.chain(by_alphabets).min_by_key(|(_, cost)| *cost)
}
