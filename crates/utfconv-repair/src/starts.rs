//! A fast search for the places where runs may begin. It may find too many places, but no place is missed.

use super::mistakes::{Mistake, Set};
use utfconv_core::utf8::is_continuation;

/// Number of bytes that are examined as one block.
const BLOCK: usize = 64;

/// Number of bytes of a block, and of the bytes after it that are needed to examine the last start in the block.
const WINDOW: usize = BLOCK + AFTER_START;

/// Number of bytes after the first byte of a start that are examined.
const AFTER_START: usize = 4;

/// Finds the non-ASCII characters at which runs of the given mistakes may begin.
pub(super) struct Starts<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether all mistakes are with code pages, for which the first bytes of two characters rule out most starts.
    are_of_pages: bool,
    /// The offset of the current block.
    block: usize,
    /// The starts in the current block that were not returned yet, as bits.
    found: u64,
}

impl<'a> Starts<'a> {
    /// Creates a search in a well-formed text.
    pub(super) fn new(bytes: &'a [u8], mistakes: Set) -> Starts<'a> {
        let are_of_pages = !mistakes.iter().any(Mistake::has_pairs);
        Starts { bytes, at: 0, are_of_pages, block: 0, found: 0 }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        if !self.are_of_pages {
            let at = self.at + next_non_ascii(&self.bytes[self.at..])?;
            let is_continued = |byte: &&u8| is_continuation(**byte);
            self.at = at + 1 + self.bytes[at + 1..].iter().take_while(is_continued).count();
            return Some(at);
        }
        while self.found == 0 {
            (self.block, self.found) = next_block(self.bytes, self.at)?;
            self.at = self.block + BLOCK;
        }
        let at = self.block + self.found.trailing_zeros() as usize;
        self.found &= self.found - 1;
        Some(at)
    }

    /// Continues the search at an offset after the last start.
    pub(super) fn skip_to(&mut self, at: usize) {
        (self.at, self.found) = (at, 0);
    }
}

/// Returns the number of bytes before the first non-ASCII byte; `None` if all bytes are ASCII.
pub(super) fn next_non_ascii(bytes: &[u8]) -> Option<usize> {
    // The first non-ASCII byte is usually near.
    let near = &bytes[..bytes.len().min(BLOCK)];
    if let Some(at) = non_ascii_in(near) {
        return Some(at);
    }
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let full = blocks.iter().position(|block| !block.is_ascii()).unwrap_or(blocks.len()) * BLOCK;
    non_ascii_in(&bytes[full..bytes.len().min(full + BLOCK)]).map(|at| full + at)
}

/// Returns the offset of the first non-ASCII byte, comparing eight bytes at a time.
#[inline]
fn non_ascii_in(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        if high != 0 {
            return Some(number * 8 + high.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|byte| !byte.is_ascii()).map(|at| words.len() * 8 + at)
}

/// Returns the offset of the next block in which a run may begin, and the starts in it as bits.
fn next_block(bytes: &[u8], from: usize) -> Option<(usize, u64)> {
    let mut block = from;
    while let Some(rest) = bytes.get(block..).filter(|rest| !rest.is_empty()) {
        let mut padded = [0; WINDOW];
        let window: &[u8; WINDOW] = rest.first_chunk().unwrap_or_else(|| {
            padded[..rest.len()].copy_from_slice(rest);
            &padded
        });
        let mut has_lead = 0;
        for byte in &window[..BLOCK] {
            let is_letter = (byte.wrapping_sub(0xC2) < 5) | (byte.wrapping_sub(0xCE) < 4);
            has_lead |= u8::from(is_letter | (*byte == 0xE2) | (*byte & 0xFE == 0xEE));
        }
        let found = if has_lead == 0 { 0 } else { starts_in(window) };
        if found != 0 {
            return Some((block, found));
        }
        block += BLOCK;
    }
    None
}

/// Returns the offsets in a window at which runs may begin, as bits.
fn starts_in(window: &[u8; WINDOW]) -> u64 {
    let mut marks = [0_u8; BLOCK];
    for (at, mark) in marks.iter_mut().enumerate() {
        let bytes = [window[at], window[at + 1], window[at + 2], window[at + 3], window[at + 4]];
        *mark = u8::from(may_start(bytes));
    }
    if marks == [0; BLOCK] {
        return 0;
    }
    (0..).zip(marks).fold(0, |found, (at, mark)| found | u64::from(mark) << at)
}

/// Whether two characters that begin with these bytes may be the first two bytes of a sequence. The first has to be a
/// character that a code page has for C2..F4, and the second a character that the code page has for 80..BF.
#[inline(always)]
fn may_start(window: [u8; AFTER_START + 1]) -> bool {
    let [a, b, c, d, e] = window;
    // In code pages of Windows and ISO 8859, the first character is a letter, which is in U+00C0..U+017F or Cyrillic.
    // After a Latin letter, the second is in U+0080..U+00BF, U+00C0..U+02FF or U+2000..U+2FFF.
    let after_latin = (0xC2..0xCC).contains(&c) | (c == 0xE2);
    let latin = (0xC3..0xC6).contains(&a) & after_latin;
    // The second character is in U+0080..U+00BF, U+0400..U+040F, U+0450..U+045F or U+2000..U+2FFF, or is U+0490 or
    // U+0491.
    let ends = (c == 0xD0) & (d < 0x90) | (c == 0xD1) & (0x90..0xA0).contains(&d);
    let after_cyrillic = (c == 0xC2) | (c == 0xD2) | (c == 0xE2) | ends;
    let cyrillic = ((a == 0xD0) & (b >= 0x92) | (a == 0xD1) & (b < 0x85)) & after_cyrillic;
    // In macintosh, IBM437 and IBM850, the first character may also be a symbol or Greek. The second is a Latin letter
    // or a symbol, or Ω or π.
    let symbol = (0xC2..0xC7).contains(&a) | (a & 0xFE == 0xCE) | (a == 0xE2) | (a & 0xFE == 0xEE);
    let [second, third] = if a < 0xE0 { [c, d] } else { [d, e] };
    let is_greek = (second == 0xCE) & (third == 0xA9) | (second == 0xCF) & (third == 0x80);
    let after_symbol = (second & 0xFE == 0xC2) | (second == 0xC6) | (second == 0xE2) | is_greek;
    latin | cyrillic | symbol & after_symbol
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of characters that stand for two bytes of a sequence are found, at any position in a block.
    #[test]
    fn no_start_is_missed() {
        let pages = Set::ALL.filter(|mistake| !mistake.has_pairs());
        let chars: Vec<char> = ('\u{80}'..='\u{FFFF}').collect();
        let mut pairs = 0;
        for mistake in pages.iter() {
            let of = |is_role: fn(u8) -> bool| {
                let is_one =
                    move |char: &char| mistake.bytes(*char).is_some_and(|bytes| is_role(bytes.first));
                chars.iter().copied().filter(is_one).collect::<Vec<char>>()
            };
            for lead in of(|byte| matches!(byte, 0xC2..=0xF4)) {
                for trail in of(|byte| matches!(byte, 0x80..=0xBF)) {
                    let before = pairs % (2 * BLOCK);
                    let text = format!("{}{lead}{trail}", "x".repeat(before));
                    let found = Starts::new(text.as_bytes(), pages).next();
                    assert_eq!(found, Some(before), "{lead}{trail}");
                    pairs += 1;
                }
            }
        }
        assert!(pairs > 10_000, "{pairs}");
    }
}
