//! The sample: words with non-ASCII bytes, evenly from the whole file, as many as can be examined closely.

/// A word has no byte below this. No multi-byte encoding has such a byte after a lead byte.
const SEPARATORS: u8 = 0x30;

/// The longest word, in bytes; the rest of a longer one is skipped.
const LONGEST: usize = 1 << 10;

/// How much of the text before the first fault is kept, in bytes: the word may have begun there.
const BEFORE: usize = 64;

/// The most that is kept, in bytes.
const ROOM: usize = 8 << 10;

/// With one different word of so many in UTF-8, a file mixes encodings: in others, words are hardly ever well-formed UTF-8.
const MIXED: usize = 16;

/// A sample of the words, evenly from all of them.
pub(super) struct Sample {
    /// The words in order, each after the byte before it, and followed by its separator.
    words: Vec<u8>,
    /// Where in `words` each ends.
    ends: Vec<usize>,
    /// One word of so many is kept.
    stride: u64,
    /// Words with non-ASCII bytes, kept or not.
    passed: u64,
    /// The word that has not ended, after the byte before it.
    word: Vec<u8>,
    /// The bytes that occur in all such words, kept or not.
    seen: [bool; 256],
}

/// Words that are the same.
pub(super) struct Word<'a> {
    /// With the byte before it and the separator.
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
            seen: [false; 256],
        }
    }
}

impl Sample {
    /// Takes the next bytes. If not `is_wanted`, because all are UTF-8 so far, only the beginning of a word is kept.
    pub(super) fn feed(&mut self, bytes: &[u8], is_wanted: bool) {
        if !is_wanted {
            return self.skip(bytes);
        }
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|byte| *byte < SEPARATORS) {
            let room = LONGEST.saturating_sub(self.word.len());
            self.word.extend_from_slice(&rest[..end.min(room)]);
            self.end_word(rest[end]);
            rest = &rest[end + 1..];
        }
        let room = LONGEST.saturating_sub(self.word.len());
        self.word.extend_from_slice(&rest[..rest.len().min(room)]);
    }

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

    fn end_word(&mut self, separator: u8) {
        if !self.word.is_ascii() {
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

    /// Ends the last word at the end of the file.
    pub(super) fn finish(&mut self) {
        self.end_word(b'\n');
    }

    fn all_words(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.words[start..*end])
    }

    /// Returns the different words.
    pub(super) fn words(&self) -> Vec<Word<'_>> {
        let mut all: Vec<_> = self.all_words().collect();
        all.sort_unstable();
        let same = all.chunk_by(|one, two| one == two);
        same.map(|same| Word { bytes: same[0], count: same.len() as u32 }).collect()
    }

    /// Whether some of the words are UTF-8: more than are by chance.
    pub(super) fn is_partly_utf8(&self) -> bool {
        let words = self.words();
        let in_utf8 = words.iter().filter(|word| str::from_utf8(word.bytes).is_ok()).count();
        in_utf8 > 1 && MIXED * in_utf8 >= words.len()
    }

    /// Whether this byte occurs in such a word, kept or not.
    pub(super) fn has(&self, byte: u8) -> bool {
        self.seen[usize::from(byte)]
    }

    /// Whether there are words enough to decide.
    pub(super) fn is_ample(&self) -> bool {
        self.stride > 1
    }
}

impl Word<'_> {
    /// How much a word counts that occurs so often: a repetition is less evidence than another word.
    pub(super) fn weight(&self) -> i32 {
        1 + self.count.ilog2() as i32
    }
}
