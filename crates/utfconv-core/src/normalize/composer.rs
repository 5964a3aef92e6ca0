//! Composes text that is decomposed and has its marks in canonical order, as most decomposed text does. Other text is
//! left to the general normalizer.

use std::sync::atomic::{AtomicU64, Ordering};

use super::form::NormalizationForm;
use crate::utf8::{decode_first, first_char};

/// A cache of compositions. `find` in [`Compositions::get`] computes the compositions that are not cached.
pub(super) struct Compositions([AtomicU64; Compositions::LEN]);

impl Compositions {
    const LEN: usize = 1 << 12;

    pub const fn new() -> Compositions {
        Compositions([const { AtomicU64::new(0) }; Compositions::LEN])
    }

    /// Returns the composition of two code points, from the cache or from `find`, or `None` if they do not compose.
    #[inline(always)]
    fn get(&self, first: u32, second: u32, find: impl Fn(u32, u32) -> Option<char>) -> Option<char> {
        // A code point has 21 bits, so an entry has room for three code points.
        let pair = u64::from(first) << 42 | u64::from(second) << 21;
        let entry = &self.0[(first.wrapping_mul(0x9E37) ^ second) as usize % Compositions::LEN];
        let known = entry.load(Ordering::Relaxed);
        let composed = if known >> 21 == pair >> 21 {
            known as u32 & 0x1F_FFFF
        } else {
            let composed = find(first, second).map_or(0, u32::from);
            entry.store(pair | u64::from(composed), Ordering::Relaxed);
            composed
        };
        char::from_u32(composed).filter(|composed| *composed != '\0')
    }
}

/// The output of composing a text.
struct Composer {
    /// The output, of which only the first `len` bytes are valid.
    output: Vec<u8>,
    len: usize,
    /// Offset in the output at which the last sequence begins, in bytes.
    start: usize,
    /// Offset in the source at which the last sequence begins, in bytes.
    source: usize,
    /// The starter of the last sequence; 0 if there is none.
    starter: u32,
    /// The highest combining class of the marks that were read after the starter.
    highest: u8,
    /// The combining class of the last mark that was written; 0 if there is none.
    last: u8,
}

impl Composer {
    /// Creates the output for a text of `len` bytes.
    fn new(len: usize) -> Composer {
        let output = vec![0; len + SPARE];
        Composer { output, len: 0, start: 0, source: 0, starter: 0, highest: 0, last: 0 }
    }

    /// Begins a sequence with a starter that contains a mark of class `inner`; 0 if the starter contains no mark.
    #[inline(always)]
    fn begin(&mut self, source: usize, starter: u32, inner: u8) {
        (self.start, self.source) = (self.len, source);
        (self.starter, self.highest, self.last) = (starter, inner, 0);
    }

    /// Writes a character, which is the first `len` bytes of `bytes`.
    #[inline(always)]
    fn push(&mut self, bytes: [u8; 4], len: usize) {
        match self.output.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut) {
            Some(room) => *room = bytes,
            None => self.put(&bytes),
        }
        self.len += len;
    }

    /// Writes bytes after the valid output, without counting them, and makes room for more.
    #[cold]
    fn put(&mut self, bytes: &[u8]) {
        self.output.truncate(self.len);
        self.output.extend_from_slice(bytes);
        self.output.resize(self.output.len() + SPARE, 0);
    }

    /// Replaces the starter by the composed character.
    #[inline(always)]
    fn compose(&mut self, composed: char) {
        let mut bytes = [0; 4];
        let len = composed.encode_utf8(&mut bytes).len();
        if self.last == 0 {
            self.len = self.start;
            self.push(bytes, len);
        } else {
            self.compose_before_marks(&bytes[..len]);
        }
        self.starter = composed.into();
    }

    #[cold]
    fn compose_before_marks(&mut self, composed: &[u8]) {
        let marks = self.start + char::from_u32(self.starter).map_or(0, char::len_utf8)..self.len;
        let rest = [composed, &self.output[marks]].concat();
        self.len = self.start;
        self.put(&rest);
        self.len += rest.len();
    }

    /// Replaces the last sequence by `text`.
    fn replace(&mut self, text: &str) {
        self.len = self.start;
        self.put(text.as_bytes());
        self.len += text.len();
    }

    fn finish(mut self) -> Vec<u8> {
        self.output.truncate(self.len);
        self.output
    }
}

/// Number of bytes of room that are kept after the output.
const SPARE: usize = 64;

/// Minimum number of bytes that are left to the general normalizer at a time. The number is multiplied by four if the
/// following text needs the normalizer, too.
const STRETCH: usize = 256;

impl NormalizationForm {
    /// Returns `text`, well-formed UTF-8, in this form, which must be a composing form.
    #[inline(never)]
    pub(super) fn composed(self, text: &[u8]) -> Vec<u8> {
        static COMPOSITIONS: Compositions = Compositions::new();
        let mut composer = Composer::new(text.len());
        let (mut at, mut stretch, mut resumed) = (0, STRETCH, 0);
        while let Some(&byte) = text.get(at) {
            if byte.is_ascii() {
                composer.begin(at, byte.into(), 0);
                composer.push([byte, 0, 0, 0], 1);
                at += 1;
                continue;
            }
            let (code_point, len) = decode_first(&text[at..]);
            let edges = self.edges(code_point);
            let bytes = first_four(&text[at..]);
            if edges.is_stable() {
                composer.begin(at, code_point, edges.trail.saturating_sub(1));
                composer.push(bytes, len);
            } else if let Some(class) = edges.class_of_mark().filter(|class| *class >= composer.highest) {
                composer.highest = class;
                // A mark of the same class between the starter and this mark blocks the composition.
                let is_second = edges.class_of_second().is_some() && composer.last != class;
                let composed =
                    if is_second { COMPOSITIONS.get(composer.starter, code_point, compose) } else { None };
                match composed {
                    Some(composed) => composer.compose(composed),
                    None => {
                        composer.last = class;
                        composer.push(bytes, len);
                    }
                }
            } else {
                if first_char(&text[at..]).is_some_and(|scalar| self.has_boundary_before(scalar)) {
                    composer.begin(at, 0, 0);
                }
                stretch = if at < resumed + STRETCH { 4 * stretch } else { STRETCH };
                resumed = self.next_boundary(text, at + stretch);
                composer.replace(&self.normalize_utf8(&text[composer.source..resumed]));
                at = resumed;
                continue;
            }
            at += len;
        }
        composer.finish()
    }

    /// Returns the offset of the first character from `at` on that has a boundary before it, or the length of the text.
    fn next_boundary(self, text: &[u8], at: usize) -> usize {
        let mut at = at.min(text.len());
        while let Some(byte) = text.get(at)
            && (crate::utf8::is_continuation(*byte)
                || !first_char(&text[at..]).is_some_and(|scalar| self.has_boundary_before(scalar)))
        {
            at += 1;
        }
        at
    }
}

fn compose(first: u32, second: u32) -> Option<char> {
    super::form::COMPOSITIONS.compose(char::from_u32(first)?, char::from_u32(second)?)
}

/// Returns the first four bytes of a text, padded with 0.
#[inline(always)]
fn first_four(text: &[u8]) -> [u8; 4] {
    text.first_chunk().copied().unwrap_or_else(|| {
        let mut four = [0; 4];
        four[..text.len()].copy_from_slice(text);
        four
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    /// Composes random sequences of letters and marks, in canonical order and not, and of all other kinds of
    /// characters.
    #[test]
    fn composes_as_the_normalizer_does() {
        let kinds: [&[char]; 6] = [
            &['a', 'e', 'o', 'u', 'ê', 'ơ', 'Ω', 'и', 'か', ' '],
            &[
                '\u{300}', '\u{301}', '\u{302}', '\u{309}', '\u{31B}', '\u{323}', '\u{327}', '\u{345}',
                '\u{3099}',
            ],
            &['\u{334}', '\u{344}', '\u{5B0}', '\u{64B}', '\u{1D165}', '\u{1D16E}'],
            &['ế', 'ǖ', 'Å', 'ﬁ', '²', '\u{958}', '\u{1F71}', '\u{2ADC}', '\u{FB1D}', '\u{2F800}'],
            &['\u{1100}', '\u{1161}', '\u{11A8}', '가', '각', '\u{9C7}', '\u{9BE}', '\u{9D7}', '\u{FF9E}'],
            &['中', '😀', '\0', '\u{10FFFF}', '\u{110BA}', '\u{11099}', '\u{F73}', '\u{F71}'],
        ];
        let mut random = Random(0x13198A2E03707344);
        for round in 0..3000 {
            let form = [NormalizationForm::Nfc, NormalizationForm::Nfkc][round % 2];
            let known = 1 + random.below(kinds.len());
            let mut text = String::new();
            for _ in 0..random.below(600) {
                let kind = kinds[random.below(known)];
                text.push(random.one(kind));
            }
            if round % 3 == 0 {
                text = NormalizationForm::Nfd.normalize(&text).into_owned();
            }
            let composed = form.composed(text.as_bytes());
            assert_eq!(String::from_utf8_lossy(&composed), form.normalize(&text), "{form:?} {text:?}");
        }
    }
}
