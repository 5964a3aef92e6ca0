//! Finds runs of characters that are the bytes of well-formed UTF-8 under a mistake.

use super::mistakes::{Bytes, MISTAKES, Mistake, Roles, Set};
use super::starts::Starts;
use utfconv_core::utf8::{decode_first, is_continuation};

/// A run, with its original text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// The start of the run in the text, in bytes.
    pub(super) start: usize,
    /// The end of the run in the text, in bytes.
    pub(super) end: usize,
    pub(super) was: String,
}

/// Maximum length in bytes of a run, and of the runs of a word that are measured together.
pub(super) const GROUP: usize = 512;

/// Finds the runs of the given mistakes in a well-formed text. Runs of the same mistake do not overlap.
pub(super) fn find(bytes: &[u8], mistakes: Set, mut take: impl FnMut(Mistake, Run)) {
    let mut ends = [0; MISTAKES];
    let mut starts = Starts::new(bytes, mistakes);
    while let Some(at) = starts.next() {
        for mistake in starting_at(bytes, at, mistakes) {
            if ends[mistake.number()] <= at
                && let Some(run) = run_at(bytes, at, mistake)
            {
                ends[mistake.number()] = run.end;
                take(mistake, run);
            }
        }
    }
}

/// Returns the given mistakes whose runs can start with the two characters at an offset.
pub(super) fn starting_at(bytes: &[u8], at: usize, mistakes: Set) -> impl Iterator<Item = Mistake> {
    let (char, width) = decode_first(&bytes[at..]);
    let rest = &bytes[at + width..];
    let following = if rest.is_empty() { 0 } else { decode_first(rest).0 };
    Roles::get().starting(char, following, mistakes).iter()
}

/// Returns the longest run of a mistake at an offset.
pub(super) fn run_at(bytes: &[u8], start: usize, mistake: Mistake) -> Option<Run> {
    let mut decoder = Decoder::default();
    let (mut at, mut end, mut kept) = (start, start, 0);
    while at < bytes.len() && end - start < GROUP {
        let (char, width) = decode_first(&bytes[at..]);
        at += width;
        let Some(Bytes { first, second }) = char::from_u32(char).and_then(|char| mistake.bytes(char)) else {
            break;
        };
        if !decoder.push(first) || second.is_some_and(|second| !decoder.push(second)) {
            break;
        }
        if decoder.missing == 0 && decoder.high.is_none() {
            (end, kept) = (at, decoder.text.len());
        }
    }
    decoder.text.truncate(kept);
    (end > start).then_some(Run { start, end, was: decoder.text })
}

/// Decodes UTF-8, including surrogate pairs (CESU-8).
#[derive(Default)]
struct Decoder {
    text: String,
    sequence: u32,
    /// Number of bytes that the current sequence still lacks.
    missing: u8,
    len: u8,
    /// The high surrogate that the next sequence has to complete.
    high: Option<u32>,
    /// Whether characters above U+FFFF are surrogate pairs; `None` before the first character above U+FFFF. A run does
    /// not mix both forms.
    has_pairs: Option<bool>,
}

impl Decoder {
    /// Takes a byte. Returns whether the text is well-formed so far.
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
        if !is_continuation(byte) {
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
