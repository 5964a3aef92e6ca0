//! Positions in a source: byte offset, line and column.

use crate::utf8::count_chars;

/// A position in a source, between two characters: the offset in bytes, the line and the column.
///
/// ```
/// use utfconv_core::Position;
///
/// let position = Position::new(10, 2, 4);
/// assert_eq!((position.offset(), position.line(), position.column()), (10, 2, 4));
/// assert_eq!(Position::default(), Position::new(0, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Number of bytes before the position.
    offset: u64,
    /// The lines and columns that the text before the position spans.
    extent: Extent,
}

impl Position {
    /// Returns the position after `offset` bytes of the source, in this line and column, both counted from 1.
    pub fn new(offset: u64, line: u64, column: u64) -> Position {
        let extent = Extent { lines: line.saturating_sub(1), column: column.saturating_sub(1) };
        Position { offset, extent }
    }

    /// Returns the number of bytes of the source before the position.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the line, counted from 1; a line ends with U+000A.
    pub fn line(&self) -> u64 {
        self.extent.lines + 1
    }

    /// Returns the column, counted from 1, in scalar values; an ill-formed maximal subpart counts as one.
    pub fn column(&self) -> u64 {
        self.extent.column + 1
    }

    /// Returns the position after `text`, well-formed UTF-8 that begins here and takes `len` bytes of the source.
    ///
    /// ```
    /// let position = utfconv_core::Position::default().past("a\né".as_bytes(), 4);
    /// assert_eq!((position.offset(), position.line(), position.column()), (4, 2, 2));
    /// ```
    #[must_use]
    pub fn past(mut self, text: &[u8], len: u64) -> Position {
        self.offset += len;
        self.extent = self.extent.then(measure_bytes(text, b'\n', count_chars));
        self
    }

    /// Returns the position in the whole source of this position in a segment, which begins at `start`.
    ///
    /// ```
    /// let zero = utfconv_core::Position::default();
    /// let (start, rest) = (zero.past("a\nbc".as_bytes(), 4), zero.past("d".as_bytes(), 1));
    /// assert_eq!(rest.offset_by(start), zero.past("a\nbcd".as_bytes(), 5));
    /// ```
    #[must_use]
    pub fn offset_by(self, start: Position) -> Position {
        Position { offset: start.offset + self.offset, extent: start.extent.then(self.extent) }
    }

    /// Moves past `len` bytes that span `extent`.
    pub(crate) fn advance(&mut self, len: usize, extent: Extent) {
        self.offset += len as u64;
        self.extent = self.extent.then(extent);
    }
}

/// The lines and columns that a run of text spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Extent {
    /// Number of line feeds that the run contains.
    pub lines: u64,
    /// Number of scalar values after the last line feed, or in the whole run if it has no line feed.
    pub column: u64,
}

impl Extent {
    pub fn of(code_point: u32) -> Extent {
        match code_point {
            0x0A => Extent { lines: 1, column: 0 },
            _ => Extent { lines: 0, column: 1 },
        }
    }

    pub fn of_all(code_points: &[u32]) -> Extent {
        code_points.iter().fold(Extent::default(), |sum, code_point| sum.then(Extent::of(*code_point)))
    }

    /// Returns the extent of this run followed by a run of extent `next`.
    pub fn then(self, next: Extent) -> Extent {
        Extent {
            lines: self.lines + next.lines,
            column: next.column + if next.lines == 0 { self.column } else { 0 },
        }
    }
}

/// Returns the extent of `run`, in an encoding in which exactly the bytes `lf` are line feeds.
pub(crate) fn measure_bytes(run: &[u8], lf: u8, count_scalars: impl Fn(&[u8]) -> usize) -> Extent {
    match memchr::memrchr(lf, run) {
        None => Extent { lines: 0, column: count_scalars(run) as u64 },
        Some(last) => Extent {
            lines: memchr::memchr_iter(lf, &run[..=last]).count() as u64,
            column: count_scalars(&run[last + 1..]) as u64,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::newline::EbcdicNewline;

    /// The extent of a run equals the sum over its scalar values, in every encoding.
    #[test]
    fn a_run_spans_the_sum_of_its_scalars() {
        for encoding in Encoding::all().filter(|encoding| !encoding.is_stateful()) {
            let texts = [
                "",
                "a",
                "\n",
                "a\nbc\n\nd",
                "no line feed, 40 characters and then some",
                "é\u{A}\u{10FFFF}",
            ];
            for text in texts {
                let mut encoder = encoding.form().encoder(EbcdicNewline::Nel);
                let mut run = Vec::new();
                let mut expected = Position::default();
                for scalar in text.chars() {
                    let start = run.len();
                    if encoder.encode(scalar.into(), &mut run) {
                        expected.advance(run.len() - start, Extent::of(scalar.into()));
                    }
                }
                let mut position = Position::default();
                position.advance(run.len(), encoding.form().decoder(EbcdicNewline::Nel).measure(&run));
                assert_eq!(format!("{position:?}"), format!("{expected:?}"), "{encoding:?} {text:?}");
            }
        }
    }
}
