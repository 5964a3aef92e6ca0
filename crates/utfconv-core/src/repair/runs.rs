//! Runs of characters that are the bytes of well-formed UTF-8, by a mistake.

use super::mistakes::{MISTAKES, Mistake, Roles};
use crate::utf8::decode_first;

/// A run, and what it was.
#[derive(Debug, PartialEq)]
pub(super) struct Run {
    /// Where it begins in the text, and where it ends.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) was: String,
}

/// The most bytes of a run, and of the runs of a word that are judged together.
pub(super) const GROUP: usize = 512;

/// Finds the runs of all mistakes in a text. Those of one mistake do not overlap.
pub(super) fn find(text: &str, mut take: impl FnMut(Mistake, Run)) {
    let bytes = text.as_bytes();
    let mut ends = [0; MISTAKES];
    let mut roles = None;
    let mut at = 0;
    while let Some(skipped) = next_non_ascii(&bytes[at..]) {
        let roles = roles.get_or_insert_with(Roles::get);
        at += skipped;
        let (mut char, mut width) = decode_first(&bytes[at..]);
        // Adjacent characters are decoded once.
        loop {
            let next = at + width;
            let (following, len) = if next < bytes.len() { decode_first(&bytes[next..]) } else { (0, 0) };
            for mistake in roles.starting(char, following).iter() {
                if ends[mistake.number()] <= at
                    && let Some(run) = run_at(text, at, mistake)
                {
                    ends[mistake.number()] = run.end;
                    take(mistake, run);
                }
            }
            at = next;
            if following < 0x80 {
                break;
            }
            (char, width) = (following, len);
        }
    }
}

/// How many bytes come before the first that is not ASCII.
pub(super) fn next_non_ascii(bytes: &[u8]) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<64>();
    let full = blocks.iter().position(|block| !block.is_ascii()).unwrap_or(blocks.len()) * 64;
    bytes[full..].iter().position(|byte| !byte.is_ascii()).map(|at| full + at)
}

/// Returns the longest run of a mistake at an offset.
pub(super) fn run_at(text: &str, start: usize, mistake: Mistake) -> Option<Run> {
    let mut decoder = Decoder::default();
    let mut end = start;
    let mut kept = 0;
    for (at, char) in text[start..].char_indices() {
        let Some(bytes) = mistake.bytes(char) else { break };
        let is_ok = decoder.push(bytes.first) && bytes.second.is_none_or(|second| decoder.push(second));
        if !is_ok {
            break;
        }
        if decoder.is_complete() {
            end = start + at + char.len_utf8();
            kept = decoder.text.len();
            if end - start >= GROUP {
                break;
            }
        }
    }
    decoder.text.truncate(kept);
    (end > start).then_some(Run { start, end, was: decoder.text })
}

/// Decodes UTF-8, and pairs of surrogates in it (CESU-8).
#[derive(Default)]
struct Decoder {
    text: String,
    sequence: u32,
    /// How many bytes of a sequence are missing.
    missing: u8,
    len: u8,
    /// The high surrogate that the next sequence completes.
    high: Option<u32>,
    /// Whether characters above U+FFFF are pairs of surrogates. A run has one of the two.
    has_pairs: Option<bool>,
}

impl Decoder {
    fn is_complete(&self) -> bool {
        self.missing == 0 && self.high.is_none()
    }

    /// Takes a byte. Whether the text is well-formed so far.
    fn push(&mut self, byte: u8) -> bool {
        if self.missing == 0 {
            let (len, bits) = match byte {
                ..0x80 if self.high.is_none() => {
                    self.text.push(byte.into());
                    return true;
                }
                0xC2..=0xDF => (2, byte & 0x1F),
                0xE0..=0xEF => (3, byte & 0x0F),
                0xF0..=0xF4 => (4, byte & 0x07),
                _ => return false,
            };
            (self.len, self.missing, self.sequence) = (len, len - 1, bits.into());
            return true;
        }
        if !matches!(byte, 0x80..=0xBF) {
            return false;
        }
        self.sequence = self.sequence << 6 | u32::from(byte & 0x3F);
        self.missing -= 1;
        self.missing > 0 || self.end_sequence()
    }

    fn end_sequence(&mut self) -> bool {
        let least = [0, 0, 0x80, 0x800, 0x1_0000][usize::from(self.len)];
        let scalar = match (self.high.take(), self.sequence) {
            (_, sequence) if sequence < least => return false,
            (None, high @ 0xD800..=0xDBFF) => {
                self.high = Some(high);
                return self.has_pairs != Some(false);
            }
            (Some(high), low @ 0xDC00..=0xDFFF) => 0x1_0000 + ((high - 0xD800) << 10 | (low - 0xDC00)),
            (Some(_), _) => return false,
            (None, scalar) => scalar,
        };
        if scalar > 0xFFFF {
            let is_pair = self.len == 3;
            if self.has_pairs.is_some_and(|has_pairs| has_pairs != is_pair) {
                return false;
            }
            self.has_pairs = Some(is_pair);
        }
        char::from_u32(scalar).map(|char| self.text.push(char)).is_some()
    }
}
