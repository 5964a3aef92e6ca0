//! Detects UTF-16 without a BOM and without the NULs that ASCII characters would have.

use super::cost::Cost;
use super::guess::LATIN_PAIR;
use super::hints::Hints;
use super::languages::language;
use super::models::{MODELS, Sign, cost_of_capital};
use super::multi_byte::cost_of_char;
use super::result::{Certainty, Detection};
use super::score::CONTEXTS;
use super::sniff::are_few;
use utfconv_core::{UTF_16BE, UTF_16LE};

/// Maximum mean cost of a non-ASCII character. Text that costs more is likelier in no known language.
const PLAUSIBLE: Cost = LATIN_PAIR;

/// Lines of ideographs that are longer than this many characters are likely text, whatever their language.
const ENOUGH: usize = 8;

/// Detects UTF-16 that has too few NULs to prove it, by the language of its text.
pub(super) fn wide(head: &[u8], hints: &Hints) -> Option<Detection> {
    if !head.len().is_multiple_of(2) {
        return None;
    }
    let units = head.as_chunks().0;
    if has_blanks_of_bytes(units) {
        return None;
    }
    let read = |unit: fn([u8; 2]) -> u16| {
        let decoded: Result<Vec<char>, _> =
            char::decode_utf16(without_half(units, unit)).map(|char| char.map_err(drop)).collect();
        decoded.ok().filter(|text| !text.contains(&'\0'))
    };
    let texts = [(&UTF_16LE, read(u16::from_le_bytes)), (&UTF_16BE, read(u16::from_be_bytes))];
    let texts = || texts.iter().filter_map(|(encoding, text)| Some((*encoding, text.as_ref()?)));
    let plausible = texts().filter_map(|(encoding, text)| {
        let (language, cost) = plausible(text, hints)?;
        Some((cost, language, encoding))
    });
    if let Some((_, name, encoding)) = plausible.min_by_key(|(cost, ..)| *cost) {
        let reason = format!("no BOM, but as UTF-16 it reads as {}", language(name));
        return Some(Detection {
            language: Some(language(name)),
            ..Detection::new(encoding, Certainty::Likely, reason)
        });
    }
    let (encoding, text) = texts().find(|(_, text)| are_lines_of_ideographs(text))?;
    let certainty = if text.len() > ENOUGH { Certainty::Likely } else { Certainty::Guess };
    Some(Detection::new(encoding, certainty, "no BOM, but as UTF-16 its lines are ideographs"))
}

/// Returns the likeliest language of a text and the cost of the text, or `None` if no language fits.
fn plausible(text: &[char], hints: &Hints) -> Option<(&'static str, i32)> {
    let others = text.iter().filter(|char| !char.is_ascii()).count();
    if others < CONTEXTS as usize || 2 * others < text.len() {
        return None;
    }
    likeliest(text, hints).filter(|(_, cost)| *cost <= PLAUSIBLE * others as i32)
}

/// Whether a text has newlines, as code units with NULs, and otherwise mostly East Asian characters. Bytes that are not
/// UTF-16 rarely have this pattern, even if they decode to ideographs.
fn are_lines_of_ideographs(text: &[char]) -> bool {
    let is_east_asian = |char: &&char| matches!(char, '\u{3000}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF01}'..='\u{FF5E}');
    let others = text.iter().filter(|char| !is_east_asian(char)).count();
    let is_plain = text.iter().all(|char| matches!(char, '\r' | '\n' | ' '..='~') || is_east_asian(&char));
    text.contains(&'\n') && is_plain && 4 * others < 3 * text.len()
}

/// Whether a text has many spaces both as first and as second bytes of code units, and no NUL, as single-byte text has.
fn has_blanks_of_bytes(units: &[[u8; 2]]) -> bool {
    let blanks = |place: usize| units.iter().filter(|unit| unit[place] == b' ').count();
    let are_frequent = |blanks: usize| !are_few(blanks, units.len());
    are_frequent(blanks(0)) && are_frequent(blanks(1)) && !units.as_flattened().contains(&0)
}

/// Returns the code units, without a high surrogate at the end.
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
    // Letters of alphabets have lower scalar values than ideographs.
    let letters = chars().filter(|char| *char < '\u{E80}').count();
    let is_alphabetic = 2 * letters > text.len();
    let sign = |char| Sign::of_unit(u16::try_from(u32::from(char)).unwrap_or(u16::MAX));
    let signs: Vec<&Sign> =
        if is_alphabetic { ['\n'].into_iter().chain(chars()).map(sign).collect() } else { Vec::new() };
    let by_case = signs.windows(2).map(|pair| cost_of_capital(pair[0], pair[1])).sum::<i32>();
    let alphabets = MODELS
        .alphabets
        .iter()
        .enumerate()
        .filter(|(_, alphabet)| is_alphabetic && !alphabet.is_latin && hints.has_language(alphabet.name));
    let by_alphabets = alphabets.map(|(number, alphabet)| {
        let roles: Vec<_> = signs.iter().map(|sign| sign.role(number)).collect();
        let cost = roles.windows(2).map(|pair| alphabet.cost(pair[0], pair[1])).sum::<i32>();
        (alphabet.name, cost + by_case + alphabet.rarity)
    });
    by_characters.chain(by_alphabets).min_by_key(|(_, cost)| *cost)
}
