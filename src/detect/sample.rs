//! The sample: words with non-ASCII bytes, evenly from the whole file, as many as can be examined closely.

/// A word has no byte below this. No multi-byte encoding has such a byte after a lead byte.
const SEPARATORS: u8 = 0x30;

/// The longest word, in bytes; the rest of a longer one is skipped.
const LONGEST: usize = 4 << 10;

/// How much of the text before the first fault is kept, in bytes: the word may have begun there.
const BEFORE: usize = 64;

/// The most that is kept, in bytes.
const ROOM: usize = 64 << 10;

/// A sample of the words, evenly from all of them.
pub struct Sample {
    /// The words in order, each followed by its separator.
    words: Vec<u8>,
    /// Where in `words` each ends.
    ends: Vec<usize>,
    /// One word of so many is kept.
    stride: u64,
    /// Words with non-ASCII bytes, kept or not.
    passed: u64,
    /// The word that has not ended.
    word: Vec<u8>,
    /// The bytes that occur in all such words, kept or not.
    seen: [bool; 256],
}

impl Default for Sample {
    fn default() -> Sample {
        Sample {
            words: Vec::new(),
            ends: Vec::new(),
            stride: 1,
            passed: 0,
            word: Vec::new(),
            seen: [false; 256],
        }
    }
}

impl Sample {
    /// Takes the next bytes. If not `is_wanted`, because all are UTF-8 so far, only the beginning of a word is kept.
    pub fn feed(&mut self, bytes: &[u8], is_wanted: bool) {
        if !is_wanted {
            let from = bytes.iter().rposition(|byte| *byte < SEPARATORS);
            if from.is_some() {
                self.word.clear();
            }
            let tail = &bytes[from.map_or(0, |at| at + 1)..];
            self.word.extend_from_slice(&tail[tail.len().saturating_sub(BEFORE)..]);
            self.word.drain(..self.word.len().saturating_sub(BEFORE));
            return;
        }
        for chunk in bytes.chunk_by(|byte, _| *byte >= SEPARATORS) {
            let room = LONGEST - self.word.len();
            self.word.extend_from_slice(&chunk[..room.min(chunk.len())]);
            if chunk.last().is_some_and(|byte| *byte < SEPARATORS) {
                self.end_word();
            }
        }
    }

    fn end_word(&mut self) {
        if !self.word.is_ascii() {
            self.word.iter().for_each(|byte| self.seen[usize::from(*byte)] = true);
            if self.passed.is_multiple_of(self.stride) {
                self.words.append(&mut self.word);
                self.ends.push(self.words.len());
                if self.words.len() > ROOM {
                    self.thin_out();
                }
            }
            self.passed += 1;
        }
        self.word.clear();
    }

    /// Drops every second word.
    fn thin_out(&mut self) {
        let (mut words, mut ends) = (Vec::with_capacity(ROOM), Vec::new());
        for (number, word) in self.words().enumerate() {
            if number % 2 == 0 {
                words.extend_from_slice(word);
                ends.push(words.len());
            }
        }
        (self.words, self.ends) = (words, ends);
        self.stride *= 2;
    }

    /// Ends the last word at the end of the file.
    pub fn finish(&mut self) {
        self.end_word();
    }

    /// Iterates over the words.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.words[start..*end])
    }

    /// Returns the words, joined.
    pub fn text(&self) -> &[u8] {
        &self.words
    }

    /// Whether this byte occurs in such a word, kept or not.
    pub fn has(&self, byte: u8) -> bool {
        self.seen[usize::from(byte)]
    }
}
