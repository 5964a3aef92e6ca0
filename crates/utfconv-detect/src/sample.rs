//! A sample of the words with non-ASCII bytes, taken evenly from the whole file and small enough to examine.

use super::prior::NEAR;
use super::sniff::{HEAD, SEQUENCES_PER_ERROR};

/// Bytes below this separate words. In no multi-byte encoding does such a byte follow a lead byte.
const SEPARATORS: u8 = 0x30;

/// Maximum number of bytes kept of a word before its first non-ASCII byte, and of the text before the first fault.
const BEFORE: usize = NEAR;

/// Maximum number of bytes kept of all words.
const ROOM: usize = HEAD;

/// Maximum number of bytes kept of a word, so that a long word leaves room for others.
const LONGEST: usize = ROOM / 2;

/// A sample of the words with non-ASCII bytes, taken evenly from all of them.
pub(super) struct Sample {
    /// The sampled words in order, each with the byte before it and its separator.
    words: Vec<u8>,
    /// The end of each word, as an offset in `words`.
    ends: Vec<usize>,
    /// Only words whose number is a multiple of this stride are kept.
    stride: u64,
    /// Number of words with non-ASCII bytes, sampled or not.
    passed: u64,
    /// The byte before the current word, and the bytes of the word so far.
    word: Vec<u8>,
    /// Whether some words were longer than [`LONGEST`].
    is_cut_short: bool,
    /// Whether each byte occurs in a word with non-ASCII bytes, sampled or not.
    seen: [bool; 256],
    /// Short words in which a byte occurs for the first time; some of these bytes may be in no sampled word.
    firsts: Vec<u8>,
    /// The end of each word, as an offset in `firsts`.
    ends_of_firsts: Vec<usize>,
}

/// A distinct word. Equal words count as one word, so that repeating a text does not change the answer.
pub(super) struct Word<'a> {
    /// The word with the byte before it and its separator.
    pub(super) bytes: &'a [u8],
    pub(super) count: u32,
}

impl Default for Sample {
    fn default() -> Sample {
        Sample {
            words: Vec::new(),
            ends: Vec::new(),
            stride: 1,
            passed: 0,
            word: vec![b'\n'],
            is_cut_short: false,
            seen: [false; 256],
            firsts: Vec::new(),
            ends_of_firsts: Vec::new(),
        }
    }
}

impl Sample {
    /// Takes the next bytes. If `is_wanted` is false, because the file is UTF-8 so far, only the beginning of the last
    /// word is kept.
    pub(super) fn feed(&mut self, bytes: &[u8], is_wanted: bool) {
        if !is_wanted {
            return self.skip(bytes);
        }
        let mut rest = bytes;
        if !self.word.is_ascii() {
            rest = self.end_of_word(rest);
        }
        while let Some(at) = first_non_ascii(rest) {
            self.skip(&rest[..at]);
            rest = self.end_of_word(&rest[at..]);
        }
        if !rest.is_empty() {
            self.skip(rest);
        }
    }

    /// Skips `bytes`, except for the beginning of an unfinished word at their end.
    fn skip(&mut self, bytes: &[u8]) {
        let from = bytes.iter().rposition(|byte| *byte < SEPARATORS);
        if let Some(at) = from {
            self.word.clear();
            self.word.push(bytes[at]);
        }
        let tail = &bytes[from.map_or(0, |at| at + 1)..];
        self.word.extend_from_slice(&tail[tail.len().saturating_sub(BEFORE)..]);
        self.word.drain(..self.word.len().saturating_sub(BEFORE));
    }

    /// Takes the bytes up to the end of the current word, and returns the bytes after it.
    fn end_of_word<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = bytes.iter().position(|byte| *byte < SEPARATORS);
        let word = &bytes[..end.unwrap_or(bytes.len())];
        let (kept, others) = word.split_at(word.len().min(LONGEST.saturating_sub(self.word.len())));
        self.word.extend_from_slice(kept);
        self.is_cut_short |= !others.is_empty();
        others.iter().for_each(|byte| self.seen[usize::from(*byte)] = true);
        let Some(end) = end else { return &[] };
        self.end_word(bytes[end]);
        &bytes[end + 1..]
    }

    fn end_word(&mut self, separator: u8) {
        if !self.word.is_ascii() {
            if self.word.len() <= BEFORE
                && self.word.iter().any(|byte| *byte > 0x7F && !self.seen[usize::from(*byte)])
            {
                self.firsts.extend_from_slice(&self.word);
                self.firsts.push(separator);
                self.ends_of_firsts.push(self.firsts.len());
            }
            self.word.iter().for_each(|byte| self.seen[usize::from(*byte)] = true);
            if self.passed.is_multiple_of(self.stride) {
                self.words.append(&mut self.word);
                self.words.push(separator);
                self.ends.push(self.words.len());
                if self.words.len() > ROOM {
                    self.thin_out();
                }
            }
            self.passed += 1;
        }
        self.word.clear();
        self.word.push(separator);
    }

    /// Drops every second word.
    fn thin_out(&mut self) {
        let (mut words, mut ends) = (Vec::with_capacity(ROOM), Vec::new());
        for (number, word) in self.all_words().enumerate() {
            if number % 2 == 0 {
                words.extend_from_slice(word);
                ends.push(words.len());
            }
        }
        (self.words, self.ends) = (words, ends);
        self.stride *= 2;
    }

    /// Ends the last word, at the end of the file.
    pub(super) fn finish(&mut self) {
        self.end_word(b'\n');
    }

    fn all_words(&self) -> impl Iterator<Item = &[u8]> {
        split(&self.words, &self.ends)
    }

    /// Returns the distinct words, in the order of their first occurrences.
    pub(super) fn words(&self) -> Vec<Word<'_>> {
        let firsts = if self.stride > 1 { &self.ends_of_firsts[..] } else { &[] };
        distinct(split(&self.firsts, firsts).chain(self.all_words()).collect())
    }

    /// Returns the non-ASCII bytes that occur in any word, sampled or not.
    pub(super) fn seen(&self) -> Vec<u8> {
        (0x80..=0xFF).filter(|byte| self.seen[usize::from(*byte)]).collect()
    }

    /// Whether the sample is full.
    pub(super) fn is_ample(&self) -> bool {
        self.stride > 1 || self.is_cut_short
    }
}

/// Returns the words, which end at the offsets `ends`.
fn split<'a>(words: &'a [u8], ends: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let starts = [0].into_iter().chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| &words[start..*end])
}

/// Returns the offset of the first non-ASCII byte.
fn first_non_ascii(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 32;
    let ascii = BLOCK * bytes.chunks(BLOCK).take_while(|block| block.is_ascii()).count();
    let rest = bytes.get(ascii..)?;
    Some(ascii + rest.iter().position(|byte| !byte.is_ascii())?)
}

/// Returns the distinct words, in the order of their first occurrences.
pub(super) fn distinct<'a>(all: Vec<&'a [u8]>) -> Vec<Word<'a>> {
    // A hash table with open addressing; its entries are indices in `words` plus one.
    let size = (2 * all.len()).next_power_of_two();
    let mut places = vec![0_u32; size];
    let mut words: Vec<Word> = Vec::new();
    for bytes in all {
        let mut place = hash(bytes) as usize & (size - 1);
        while let Some(known) = words.get_mut((places[place] as usize).wrapping_sub(1)) {
            if known.bytes == bytes {
                known.count += 1;
                break;
            }
            place = (place + 1) & (size - 1);
        }
        if places[place] == 0 {
            words.push(Word { bytes, count: 1 });
            places[place] = words.len() as u32;
        }
    }
    words
}

/// Returns a hash of a word.
fn hash(bytes: &[u8]) -> u32 {
    let mut hash = bytes.len() as u64;
    for block in bytes.chunks(8) {
        let mut padded = [0; 8];
        padded[..block.len()].copy_from_slice(block);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(padded)).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
    (hash >> 32) as u32
}

impl Word<'_> {
    /// Whether the word was longer than the kept bytes.
    pub(super) fn is_cut_short(&self) -> bool {
        self.bytes.len() > LONGEST
    }

    /// Whether the word is a single non-ASCII byte.
    pub(super) fn is_one_letter(&self) -> bool {
        matches!(self.bytes, [_, 0x80..=0xFF, _])
    }

    /// Adds the bytes of the word, once for each occurrence, to `counts`.
    pub(super) fn count_bytes(&self, counts: &mut [u64; 256]) {
        self.bytes.iter().for_each(|byte| counts[usize::from(*byte)] += u64::from(self.count));
    }
}

/// Whether more of the words are UTF-8 than by chance. Words in other encodings are rarely well-formed UTF-8.
pub(super) fn are_partly_utf8(words: &[Word]) -> bool {
    let in_utf8 = words.iter().filter(|word| str::from_utf8(word.bytes).is_ok()).count() as u64;
    in_utf8 > 1 && SEQUENCES_PER_ERROR * in_utf8 >= words.len() as u64
}
