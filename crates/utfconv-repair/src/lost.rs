//! Characters that lost bytes: the remaining bytes are reported, and nothing is guessed.

use std::iter;

use super::changes::{Change, Suspect};
use super::mistakes::{Mistake, Roles, Set};
use super::starts::next_non_ascii;
use utfconv_core::utf8::decode_first;

/// Finds characters that a mistake broke, and that lost bytes afterwards: U+FFFD, a question mark, or a space replaces
/// a byte. Changed text is skipped.
pub(super) fn lost(text: &str, mistakes: Set, changes: &[Change]) -> Vec<Suspect> {
    let mut found = Vec::new();
    let mut at = 0;
    let roles = Roles::get();
    let gaps = changes.iter().map(|change| change.range.clone()).chain(iter::once(text.len()..text.len()));
    for gap in gaps {
        let part = text.get(at..gap.start).unwrap_or_default();
        let mut next = 0;
        while let Some(skipped) = next_non_ascii(&part.as_bytes()[next..]) {
            let start = next + skipped;
            let (char, width) = decode_first(&part.as_bytes()[start..]);
            next = start + width;
            for mistake in roles.leading(char, mistakes).iter() {
                if let Some(width) = lost_at(part, start, mistake) {
                    let range = at + start..at + start + width;
                    found.push(Suspect { range, was: None, mistake: Some(mistake), near: None });
                }
            }
        }
        at = at.max(gap.end);
    }
    found
}

/// Returns the length of the rest of a character at an offset.
fn lost_at(text: &str, start: usize, mistake: Mistake) -> Option<usize> {
    let mut chars = text[start..].char_indices();
    let lead = mistake.bytes(chars.next()?.1).filter(|bytes| bytes.second.is_none())?.first;
    let trails = match lead {
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => return None,
    };
    let mut is_word = text[..start].ends_with(char::is_alphabetic);
    for missing in (1..=trails).rev() {
        let (at, char) = chars.next()?;
        let is_lost = match char {
            '\u{FFFD}' => true,
            // NO-BREAK SPACE, and the letter à in UTF-8, end in the byte of a NO-BREAK SPACE. Words end with such letters, too.
            ' ' => missing < trails && !is_word || matches!(lead, 0xC2 | 0xC3),
            '?' => missing < trails,
            _ => false,
        };
        if is_lost {
            return Some(at + if char == ' ' { 0 } else { char.len_utf8() });
        }
        mistake.bytes(char).filter(|bytes| matches!(bytes.first, 0x80..=0xBF))?;
        is_word = is_word && char.is_alphabetic();
    }
    None
}
