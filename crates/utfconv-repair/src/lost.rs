//! Finds characters that lost bytes after a mistake, because U+FFFD, a question mark or a space replaced a byte or an
//! undefined byte was dropped. Such characters are reported; on request, the most plausible character replaces each of
//! them.

use std::iter;
use std::ops::Range;

use super::changes::{Change, Suspect};
use super::groups::{context_after, context_before};
use super::mistakes::{MISTAKES, Mistake, Roles, Set};
use super::starts::next_non_ascii;
use utfconv_core::utf8::{decode_first, is_continuation};
use utfconv_detect::plausibility::{Cost, Plausibility, Signs};

/// The remaining bytes of a character that lost some.
struct Rest {
    range: Range<usize>,
    mistake: Mistake,
    /// The remaining bytes before the gap.
    bytes: Vec<u8>,
    gap: Gap,
}

#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// U+FFFD or a question mark, which is part of the range.
    Replaced,
    /// A space after the range, which replaced a no-break space.
    Blank,
    /// No character replaces the last byte.
    Dropped,
}

/// Returns the characters outside the changes that evidently lost bytes.
pub(super) fn lost(text: &str, mistakes: Set, changes: &[Change]) -> Vec<Suspect> {
    let is_evident = |rest: &Rest| match rest.gap {
        Gap::Replaced => true,
        // In UTF-8, the no-break space and the letter à end in A0, the byte of a no-break space. A longer rest may be
        // the end of a correct word.
        Gap::Blank => matches!(rest.bytes[0], 0xC2 | 0xC3) || rest.bytes.len() > 1 && !rest.is_word(text),
        Gap::Dropped => false,
    };
    let rests = rests(text, mistakes, changes).into_iter().filter(is_evident);
    rests.map(|rest| Suspect::new(rest.range, None, rest.mistake)).collect()
}

/// Returns the numbers of non-ASCII characters that remain of characters that lost bytes after each of `mistakes`.
pub(super) fn counts(text: &str, mistakes: Set) -> [u64; MISTAKES] {
    let (mut counts, mut ends) = ([0; MISTAKES], [0; MISTAKES]);
    for rest in rests(text, mistakes, &[]).into_iter().filter(|rest| rest.gap != Gap::Blank) {
        let number = rest.mistake.number();
        let range = rest.range.start.max(ends[number])..rest.range.end.max(ends[number]);
        ends[number] = range.end;
        counts[number] += text[range].chars().filter(|char| !char.is_ascii()).count() as u64;
    }
    counts
}

/// Returns changes that restore characters that lost bytes: to the most plausible character, or to U+FFFD if no
/// character is plausible enough.
pub(super) fn restored(
    text: &str,
    mistakes: Set,
    changes: &[Change],
    plausibility: &Plausibility,
) -> Vec<Change> {
    let mut restored: Vec<Change> = Vec::new();
    for rest in rests(text, mistakes, changes) {
        let is_free = restored.last().is_none_or(|last| last.range.end <= rest.range.start);
        if let Some((end, was)) = rest.likeliest(text, plausibility).filter(|_| is_free) {
            restored.push(Change::new(rest.range.start..end, was, rest.mistake));
        }
    }
    restored
}

fn rests(text: &str, mistakes: Set, changes: &[Change]) -> Vec<Rest> {
    let mut found = Vec::new();
    let mut at = 0;
    let roles = Roles::get();
    let gaps = changes.iter().map(|change| change.range.clone()).chain(iter::once(text.len()..text.len()));
    for gap in gaps {
        let part = &text[..gap.start];
        while let Some(skipped) = part.as_bytes().get(at..).and_then(next_non_ascii) {
            let start = at + skipped;
            let (char, width) = decode_first(&part.as_bytes()[start..]);
            at = start + width;
            found.extend(
                roles.leading(char, mistakes).iter().filter_map(|mistake| rest_at(part, start, mistake)),
            );
        }
        at = at.max(gap.end);
    }
    found
}

/// Returns the rest of a character at an offset, if bytes of it are missing.
fn rest_at(text: &str, start: usize, mistake: Mistake) -> Option<Rest> {
    let mut chars = text[start..].char_indices().peekable();
    let byte =
        |char: char| mistake.bytes(char).filter(|bytes| bytes.second.is_none()).map(|bytes| bytes.first);
    let is_trail = |(_, char): &(usize, char)| byte(*char).is_some_and(is_continuation);
    let mut bytes = vec![byte(chars.next()?.1)?];
    let trails = match bytes[0] {
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => return None,
    };
    while bytes.len() <= trails
        && let Some((_, char)) = chars.next_if(is_trail)
    {
        bytes.push(byte(char)?);
    }
    let missing = (trails + 1).checked_sub(bytes.len()).filter(|missing| *missing > 0)?;
    let (gap, char) = match chars.peek().map(|(_, char)| *char) {
        Some('\u{FFFD}') => (Gap::Replaced, chars.next()),
        Some('?') if bytes.len() > 1 => (Gap::Replaced, chars.next()),
        Some(' ') if missing == 1 => (Gap::Blank, None),
        _ if missing == 1 && bytes.len() > 1 => (Gap::Dropped, None),
        _ => return None,
    };
    // Skip the bytes after a byte that was lost in the middle.
    let after = if char.is_some() { missing - 1 } else { 0 };
    for _ in 0..after {
        chars.next_if(is_trail);
    }
    let end = chars.peek().map_or(text.len(), |(at, _)| start + at);
    Some(Rest { range: start..end, mistake, bytes, gap })
}

impl Rest {
    /// Whether the range has only letters, and follows a letter.
    fn is_word(&self, text: &str) -> bool {
        text[..self.range.start].ends_with(char::is_alphabetic)
            && text[self.range.clone()].chars().all(char::is_alphabetic)
    }

    /// Returns the most plausible character, and the end of the text that the character replaces. Returns `None` if no
    /// replacement is more plausible than the unchanged text.
    fn likeliest(&self, text: &str, plausibility: &Plausibility) -> Option<(usize, String)> {
        let end = self.range.end;
        let whole = |last: u8| String::from_utf8([&self.bytes[..], &[last]].concat()).ok();
        let readings: Vec<(usize, String)> = match self.gap {
            Gap::Replaced => return Some((end, '\u{FFFD}'.into())),
            // The space may also be the separator after the word.
            Gap::Blank => [end, end + 1].into_iter().filter_map(|end| Some((end, whole(0xA0)?))).collect(),
            Gap::Dropped => self.mistake.undefined().filter_map(|last| Some((end, whole(last)?))).collect(),
        };
        let start = context_before(text, self.range.start);
        let after = context_after(text, if self.gap == Gap::Blank { end + 1 } else { end });
        let cost = |end: usize, was: &str| -> Cost {
            let chars = text[start..self.range.start].chars().chain(was.chars());
            plausibility.cost_in_document(&Signs::of(chars.chain(text[end..after].chars())))
        };
        let as_it_is = cost(end, &text[self.range.clone()]);
        let best = readings.into_iter().min_by_key(|(end, was)| cost(*end, was))?;
        (cost(best.0, &best.1) < as_it_is).then_some(best)
    }
}
