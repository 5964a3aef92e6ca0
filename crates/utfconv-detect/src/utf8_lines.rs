//! Counts the lines of a text that are UTF-8, the bytes in these lines, and the bytes in all other lines.

use memchr::memchr;

use utfconv_core::utf8::{count_bytes, is_continuation};

/// Counts of lines with non-ASCII characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Utf8Lines {
    /// Number of lines with non-ASCII characters.
    pub lines: u64,
    /// Number of lines whose non-ASCII characters are all UTF-8, and common.
    pub utf8_lines: u64,
    /// Number of two-byte characters in the UTF-8 lines.
    pub short: u64,
    /// Number of longer characters in the UTF-8 lines.
    pub long: u64,
    /// Number of non-ASCII bytes in the lines that are not UTF-8.
    pub others: u64,
    /// Number of bytes from 80 to BF in the lines that are not UTF-8.
    pub continuing: u64,
}

impl Utf8Lines {
    /// Adds whole lines.
    pub fn add(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        let [others, continuing] = counts(text);
        (self.others, self.continuing) = (self.others + others, self.continuing + continuing);
        let mut rest = text;
        while !rest.is_empty() {
            let (line, after) = rest.split_at(memchr(b'\n', rest).map_or(rest.len(), |at| at + 1));
            if !line.is_ascii() {
                self.line(line);
            }
            rest = after;
        }
    }

    fn line(&mut self, line: &[u8]) {
        self.lines += 1;
        let Some(text) = utf8_text(line) else { return };
        self.utf8_lines += 1;
        let [others, continuing] = counts(line);
        (self.others, self.continuing) = (self.others - others, self.continuing - continuing);
        for scalar in text.chars().filter(|scalar| !scalar.is_ascii()) {
            *(if scalar.len_utf8() == 2 { &mut self.short } else { &mut self.long }) += 1;
        }
    }
}

/// Returns the line as text, if its non-ASCII characters are all UTF-8 and common; `None` if it has no non-ASCII
/// characters.
pub fn utf8_text(line: &[u8]) -> Option<&str> {
    std::str::from_utf8(line).ok().filter(|text| !text.is_ascii() && is_word(text))
}

/// Returns the number of non-ASCII bytes, and how many of them are UTF-8 continuation bytes.
fn counts(text: &[u8]) -> [u64; 2] {
    [count_bytes(text, |byte| !byte.is_ascii()), count_bytes(text, is_continuation)].map(|count| count as u64)
}

/// Whether a text has only common characters, and a letter that is not an accented Latin letter, because accented Latin
/// letters do not occur alone.
fn is_word(text: &str) -> bool {
    let is_accented = |scalar: char| matches!(scalar, '\u{C0}'..='\u{17F}');
    text.chars().all(is_common)
        && text.contains(|scalar: char| scalar.is_alphabetic() && !is_accented(scalar))
}

/// Whether a character is common in texts.
fn is_common(scalar: char) -> bool {
    matches!(scalar,
        '\0'..='\x7F'
        // Latin letters, and the symbols of Western text.
        | '\u{A0}'..='\u{17F}' | '\u{1E00}'..='\u{1EFF}'
        | '\u{386}'..='\u{3CE}'
        | '\u{400}'..='\u{45F}' | '\u{490}' | '\u{491}'
        | '\u{5D0}'..='\u{5EA}'
        | '\u{60C}' | '\u{61B}' | '\u{61F}' | '\u{621}'..='\u{652}'
        | '\u{900}'..='\u{97F}'
        | '\u{E01}'..='\u{E5B}'
        | '\u{2010}'..='\u{203A}' | '\u{20AC}' | '\u{2116}' | '\u{2122}' | '\u{2190}'..='\u{21FF}'
        | '\u{3000}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{FEFF}' | '\u{FF01}'..='\u{FF9F}' | '\u{1F300}'..='\u{1FAFF}')
}
