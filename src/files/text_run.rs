//! Runs of well-formed text, and the positions of their characters in the file.

use std::ops::Range;

use utfconv_core::{FaultBytes, Position};

use utfconv_core::utf8::count_chars;

/// A run of well-formed text of a file.
pub struct TextRun<'a> {
    /// The text in UTF-8.
    pub text: &'a [u8],
    pub start: Position,
    /// The bytes of the run in the file; `None` if the file is in UTF-8.
    pub source: Option<Source<'a>>,
    cursor: Cursor,
}

/// The bytes of a run in a file that is not UTF-8.
pub struct Source<'a> {
    pub bytes: &'a [u8],
    pub offsets: &'a [u32],
}

/// The position of a run that was looked up last.
#[derive(Clone, Copy)]
struct Cursor {
    /// Number of bytes of text before the position.
    at: usize,
    /// Number of scalar values before the position.
    scalars: usize,
    position: Position,
}

/// A part of the text of a run, with its position in the file.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub position: Position,
    /// Length in bytes in the file.
    pub len: u64,
    /// Number of columns, if the part ends on the line where it begins.
    pub columns: Option<u64>,
    /// The first bytes of the part.
    pub bytes: FaultBytes,
}

impl<'a> TextRun<'a> {
    /// Creates a run of a file in UTF-8.
    pub fn utf8(text: &'a [u8], start: Position) -> TextRun<'a> {
        TextRun { text, start, source: None, cursor: Cursor { at: 0, scalars: 0, position: start } }
    }

    /// Creates a run of a file in another encoding, in which `source` reads as `text`. `offsets` has, for each scalar
    /// value and for the end, the number of bytes of `source` before it.
    pub fn decoded(text: &'a [u8], start: Position, source: &'a [u8], offsets: &'a [u32]) -> TextRun<'a> {
        TextRun { source: Some(Source { bytes: source, offsets }), ..TextRun::utf8(text, start) }
    }

    /// Returns the position of byte `at` of the text, which has to be the start of a character or the end of the text.
    /// If positions are looked up in order, all look-ups together take the time of one pass.
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
        // The next finding may begin within this part.
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
