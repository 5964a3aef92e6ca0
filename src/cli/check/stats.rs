//! What the files are made of, for `--stats`.

use std::collections::BTreeMap;

use utfconv::{Encoding, Text};

/// Sums over all text that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Characters by their length in the file, in bytes.
    pub characters: BTreeMap<usize, u64>,
    /// Files with a signature, by encoding.
    pub signatures: BTreeMap<&'static str, u64>,
    pub lf: u64,
    pub crlf: u64,
    pub cr: u64,
    /// The text so far ends with CR.
    after_cr: bool,
}

impl Stats {
    /// Counts a run of text: its bytes in the file, and their text if that is not the same in UTF-8.
    pub fn run(&mut self, source: &[u8], text: Option<&Text>) {
        match text {
            None => {
                let mut counts = [0; 5];
                for byte in source {
                    // A lead byte announces its length with leading ones.
                    counts[[1, 0, 2, 3, 4][byte.leading_ones().min(4) as usize]] += 1;
                }
                (1..).zip(&counts[1..]).for_each(|(len, count)| self.count(len, *count));
                self.newlines(source);
            }
            Some(text) => {
                let ends = text.starts.iter().skip(1).copied().chain([source.len() as u32]);
                for (start, end) in text.starts.iter().zip(ends) {
                    self.count((end - start) as usize, 1);
                }
                self.newlines(text.utf8.as_bytes());
            }
        }
    }

    /// Counts a file that begins with the signature of `encoding`.
    pub fn signature(&mut self, encoding: &Encoding) {
        *self.signatures.entry(encoding.name()).or_default() += 1;
    }

    /// Something that is no text stands here, or the file ends.
    pub fn gap(&mut self) {
        self.after_cr = false;
    }

    fn count(&mut self, len: usize, characters: usize) {
        if characters > 0 {
            *self.characters.entry(len).or_default() += characters as u64;
        }
    }

    fn newlines(&mut self, text: &[u8]) {
        if self.after_cr && text.first() == Some(&b'\n') {
            self.cr -= 1;
            self.lf -= 1;
            self.crlf += 1;
        }
        self.lf += memchr::memchr_iter(b'\n', text).count() as u64;
        for at in memchr::memchr_iter(b'\r', text) {
            match text.get(at + 1) {
                Some(b'\n') => {
                    self.lf -= 1;
                    self.crlf += 1;
                }
                _ => self.cr += 1,
            }
        }
        self.after_cr = text.last().map_or(self.after_cr, |last| *last == b'\r');
    }

    /// Adds what another thread has counted.
    pub fn add(&mut self, other: Stats) {
        other
            .characters
            .into_iter()
            .for_each(|(len, count)| *self.characters.entry(len).or_default() += count);
        other
            .signatures
            .into_iter()
            .for_each(|(name, count)| *self.signatures.entry(name).or_default() += count);
        self.lf += other.lf;
        self.crlf += other.crlf;
        self.cr += other.cr;
    }

    /// For people.
    pub fn text(&self, files: u64, bytes: u64) -> String {
        let list =
            |counts: Vec<String>| if counts.is_empty() { "none".to_string() } else { counts.join(", ") };
        let characters = self
            .characters
            .iter()
            .map(|(len, count)| format!("{count} of {len} byte{}", if *len == 1 { "" } else { "s" }));
        let signatures = self.signatures.iter().map(|(name, count)| format!("{count} {name}"));
        format!(
            "files: {files}\nbytes: {bytes}\ncharacters: {}\nsignatures: {}\nnewlines: {} LF, {} CRLF, {} CR\n",
            list(characters.collect()),
            list(signatures.collect()),
            self.lf,
            self.crlf,
            self.cr,
        )
    }
}
