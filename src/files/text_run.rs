//! Runs of well-formed text, and the positions of their characters in the file.

use std::ops::Range;

use utfconv_core::{FaultBytes, Position};

use utfconv_core::utf8::count_chars;

/// A run of well-formed text of a file.
pub struct TextRun<'a> {
    /// Well-formed UTF-8.
    pub text: &'a [u8],
    pub start: Position,
    /// None if the text is the source.
    pub source: Option<Source<'a>>,
    cursor: Cursor,
}

/// The source of a text that is not UTF-8.
pub struct Source<'a> {
    pub bytes: &'a [u8],
    pub offsets: &'a [u32],
}

/// A position in a run that has been looked up.
#[derive(Clone, Copy)]
struct Cursor {
    /// Bytes of text before it.
    at: usize,
    /// Scalar values before it.
    scalars: usize,
    position: Position,
}

/// Some text of a run, with its position in the file.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub position: Position,
    /// Bytes in the file.
    pub len: u64,
    /// Columns, if it ends on the line where it begins.
    pub columns: Option<u64>,
    /// The first of these bytes.
    pub bytes: FaultBytes,
}

impl<'a> TextRun<'a> {
    /// Makes a run of UTF-8.
    pub fn utf8(text: &'a [u8], start: Position) -> TextRun<'a> {
        TextRun { text, start, source: None, cursor: Cursor { at: 0, scalars: 0, position: start } }
    }

    /// Makes a run of another encoding: `source` reads as `text`. `offsets` has, for each scalar value and for the end,
    /// the number of bytes of `source` before it.
    pub fn decoded(text: &'a [u8], start: Position, source: &'a [u8], offsets: &'a [u32]) -> TextRun<'a> {
        TextRun { source: Some(Source { bytes: source, offsets }), ..TextRun::utf8(text, start) }
    }

    /// Returns the position of byte `at` of the text, where a character begins or the text ends. Looking up positions in
    /// order takes the time of one pass in all.
    pub fn position(&mut self, at: usize) -> Position {
        if at < self.cursor.at {
            self.cursor = Cursor { at: 0, scalars: 0, position: self.start };
        }
        let Cursor { at: from, scalars, position } = self.cursor;
        let between = &self.text[from..at];
        let (scalars, len) = match &self.source {
            None => (0, between.len() as u64),
            Some(source) => {
                let to = scalars + count_chars(between);
                (to, u64::from(source.offsets[to] - source.offsets[scalars]))
            }
        };
        self.cursor = Cursor { at, scalars, position: position.past(between, len) };
        self.cursor.position
    }

    pub fn span(&mut self, text: Range<usize>) -> Span {
        let position = self.position(text.start);
        // The next finding may begin inside this one.
        let cursor = self.cursor;
        let end = self.position(text.end);
        self.cursor = cursor;
        let len = end.offset() - position.offset();
        let columns = (end.line() == position.line()).then(|| end.column() - position.column());
        let bytes = match &self.source {
            None => &self.text[text],
            Some(source) => {
                &source.bytes[(position.offset() - self.start.offset()) as usize..][..len as usize]
            }
        };
        Span { position, len, columns, bytes: FaultBytes::new(&bytes[..bytes.len().min(FaultBytes::MAX)]) }
    }
}
