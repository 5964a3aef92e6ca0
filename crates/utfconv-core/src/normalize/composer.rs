//! Composes text that is decomposed, with its marks in order, as most decomposed text is. The normalizer, which is
//! for all text, has the rest.

use std::sync::atomic::{AtomicU64, Ordering};

use super::form::NormalizationForm;
use crate::utf8::{decode_first, first_char};

/// Compositions that are known: `find` finds the others.
pub(super) struct Compositions([AtomicU64; Compositions::LEN]);

impl Compositions {
    const LEN: usize = 1 << 12;

    pub const fn new() -> Compositions {
        Compositions([const { AtomicU64::new(0) }; Compositions::LEN])
    }

    /// Returns the composition of two code points, by `find`; `None` if they do not compose.
    #[inline(always)]
    fn get(&self, first: u32, second: u32, find: impl Fn(u32, u32) -> Option<char>) -> Option<char> {
        // Each has 21 bits.
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

/// Text that is being composed.
struct Composer {
    /// The text so far is `len` bytes of it.
    output: Vec<u8>,
    len: usize,
    /// Where its last sequence begins, which a starter does, and where the text of that does.
    start: usize,
    source: usize,
    /// The starter, the highest class of the marks after it that were read, and the class of the last that was
    /// written; 0 if there is none.
    starter: u32,
    highest: u8,
    last: u8,
}

impl Composer {
    /// For so many bytes of text.
    fn new(len: usize) -> Composer {
        let output = vec![0; len + SPARE];
        Composer { output, len: 0, start: 0, source: 0, starter: 0, highest: 0, last: 0 }
    }

    /// A sequence begins, with a starter that has a mark of class `inner`, or none.
    #[inline(always)]
    fn begin(&mut self, source: usize, starter: u32, inner: u8) {
        (self.start, self.source) = (self.len, source);
        (self.starter, self.highest, self.last) = (starter, inner, 0);
    }

    /// Writes a character, which `bytes` begins with.
    #[inline(always)]
    fn push(&mut self, bytes: [u8; 4], len: usize) {
        match self.output.get_mut(self.len..).and_then(<[u8]>::first_chunk_mut) {
            Some(room) => *room = bytes,
            None => self.put(&bytes),
        }
        self.len += len;
    }

    /// Writes bytes that do not count yet, and makes room for some more.
    #[cold]
    fn put(&mut self, bytes: &[u8]) {
        self.output.truncate(self.len);
        self.output.extend_from_slice(bytes);
        self.output.resize(self.output.len() + SPARE, 0);
    }

    /// Exchanges the starter.
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

    /// Replaces the last sequence.
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

/// Bytes at the end of the output that there may be room for.
const SPARE: usize = 64;

/// Bytes that the normalizer has at least, where it is needed. The next sequences may need it too: four times as
/// many if they do.
const STRETCH: usize = 256;

impl NormalizationForm {
    /// `text`, well-formed UTF-8, in this form, which composes.
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
                // Not if a mark of the same class is between the two.
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

    /// Returns the first position from `at` on where a character has a boundary before it, or the end.
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

/// Returns the first bytes of a text, and 0 if there are fewer.
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

    /// Random sequences of letters and marks, in order and not, and of all else that has a form.
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
