//! UTF-16 and UTF-32 without a BOM and without the NULs that ASCII characters have there.

use super::escapes::decoded;
use super::models::{MODELS, NATS, Sign, language};
use super::multi_byte::cost_of_char;
use super::result::{Detection, Grade};
use crate::encoding::{Encoding, UTF_16BE, UTF_16LE};

/// The most bytes that are looked at.
const SOME: usize = 256;

/// The mean cost of a character up to which a text is in a language.
const PLAUSIBLE: i32 = 8 * NATS;

/// Detects UTF-16 whose NULs, if it has any, are not enough evidence: its text is likely in a language.
pub(super) fn wide(head: &[u8]) -> Option<Detection> {
    if !head.len().is_multiple_of(2) && head.len() < super::HEAD {
        return None;
    }
    let some = &head[..head.len().min(SOME)];
    let read = |encoding: &'static Encoding| {
        let text = decoded(encoding, some);
        // The end may cut a pair.
        let text = text.trim_end_matches(char::REPLACEMENT_CHARACTER);
        if text.contains('\0') || text.contains(char::REPLACEMENT_CHARACTER) {
            return None;
        }
        let others = text.chars().filter(|char| !char.is_ascii()).count();
        let (language, cost) = likeliest(text)?;
        let is_text = others >= 3 && 2 * others >= text.chars().count();
        (is_text && cost <= PLAUSIBLE * others as i32).then_some((cost, language, encoding))
    };
    let (_, name, encoding) =
        [&UTF_16LE, &UTF_16BE].into_iter().filter_map(read).min_by_key(|(cost, ..)| *cost)?;
    let reason = format!("no BOM, but as UTF-16 it reads as {}", language(name));
    Some(Detection { language: Some(language(name)), ..Detection::new(encoding, Grade::Likely, reason) })
}

/// The likeliest language of a text, and the cost of the text.
fn likeliest(text: &str) -> Option<(&'static str, i32)> {
    let pairs = || ['\n'].into_iter().chain(text.chars()).zip(text.chars());
    let by_characters = MODELS.characters.iter().map(|characters| {
        let cost = pairs().map(|(before, now)| cost_of_char(characters, before, now)).sum::<i32>();
        (characters.name, cost + characters.rarity)
    });
    // Letters of alphabets come before ideographs.
    let letters = text.chars().filter(|char| *char < '\u{E80}').count();
    let is_alphabetic = 2 * letters > text.chars().count();
    let signs: Vec<Sign> = if is_alphabetic {
        ['\n'].into_iter().chain(text.chars()).map(Sign::of).collect()
    } else {
        Vec::new()
    };
    let alphabets = MODELS.alphabets.iter().filter(|alphabet| is_alphabetic && !alphabet.is_latin);
    let by_alphabets = alphabets.map(|alphabet| {
        let roles: Vec<_> = signs.iter().map(|sign| alphabet.role(*sign)).collect();
        let cost = roles.windows(2).map(|pair| alphabet.cost(pair[0], pair[1])).sum::<i32>();
        (alphabet.name, cost + alphabet.rarity)
    });
    by_characters.chain(by_alphabets).min_by_key(|(_, cost)| *cost)
}
