//! Characters that lost bytes: what is left of them is reported, and not guessed at.

use std::iter;

use super::changes::{Change, Suspect};
use super::mistakes::Mistake;

/// Finds what is left of characters that a mistake broke, and that lost bytes afterwards: U+FFFD, a question mark, or a space
/// in the place of a byte. Text that is changed is skipped.
pub(super) fn lost(text: &str, mistake: Mistake, changes: &[Change]) -> Vec<Suspect> {
    let mut found = Vec::new();
    let mut at = 0;
    let gaps = changes.iter().map(|change| change.range.clone()).chain(iter::once(text.len()..text.len()));
    for gap in gaps {
        let part = text.get(at..gap.start).unwrap_or_default();
        let mut rest = part;
        while let Some(start) = rest.find(|char: char| !char.is_ascii()) {
            rest = &rest[start..];
            let len = rest.chars().next().map_or(0, char::len_utf8);
            if let Some(width) = lost_at(rest, mistake) {
                let start = at + part.len() - rest.len();
                found.push(Suspect { range: start..start + width, was: None, mistake: Some(mistake) });
            }
            rest = &rest[len..];
        }
        at = at.max(gap.end);
    }
    found
}

/// How long what is left of a character is.
fn lost_at(text: &str, mistake: Mistake) -> Option<usize> {
    let mut chars = text.char_indices();
    let lead = mistake.bytes(chars.next()?.1).filter(|bytes| bytes.second.is_none())?.first;
    let trails = match lead {
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => return None,
    };
    for missing in (1..=trails).rev() {
        let (at, char) = chars.next()?;
        let is_lost = match char {
            '\u{FFFD}' => true,
            // NO-BREAK SPACE, and the letter à in UTF-8, end in the byte of a NO-BREAK SPACE.
            ' ' => missing < trails || matches!(lead, 0xC2 | 0xC3),
            '?' => missing < trails,
            _ => false,
        };
        if is_lost {
            return Some(at + if char == ' ' { 0 } else { char.len_utf8() });
        }
        mistake.bytes(char).filter(|bytes| matches!(bytes.first, 0x80..=0xBF))?;
    }
    None
}
