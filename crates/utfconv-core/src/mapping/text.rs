//! The lines and words of a mapping file, and the errors in one.

use std::fmt;

use crate::legacy::Code;

/// Why a text is not the mapping of an encoding, and where. See [`Encoding::from_mapping`](crate::Encoding::from_mapping).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingError {
    /// 0 where the error is about the whole text.
    line: usize,
    column: usize,
    problem: Problem,
}

/// The kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    TooLong,
    Compressed,
    NothingMapped,
    TooManyCodes,
    NoCharmap,
    NoEnd,
    NeedsBase,
    UnknownDirective(String),
    UnknownClass(String),
    BadEscape(String),
    BadNumber(String),
    BadByte(String),
    BadCode(String),
    LongCode,
    BadCharacter(String),
    NoScalar(u32),
    ManyScalars,
    NoCode,
    Extra(String),
    BadPrecision(String),
    BadRange,
    Twice(Code, usize),
    Begins(Code, Code, usize),
    BeginsWith(Code, Code, usize),
    PairOfLongCode(Code),
    Shift(Code),
}

impl MappingError {
    pub(super) fn new(line: usize, column: usize, problem: Problem) -> MappingError {
        MappingError { line, column, problem }
    }

    pub(super) fn whole(problem: Problem) -> MappingError {
        MappingError { line: 0, column: 0, problem }
    }

    /// Returns the line of the error, counted from 1; 0 if it is about the whole text.
    /// See [`Encoding::from_mapping`](crate::Encoding::from_mapping).
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column of the error in bytes, counted from 1; 0 if it is about the whole text.
    /// See [`Encoding::from_mapping`](crate::Encoding::from_mapping).
    pub fn column(&self) -> usize {
        self.column
    }
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, column {}: ", self.line, self.column)?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for MappingError {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::TooLong => f.write_str("a mapping file has at most 16 MiB"),
            Problem::Compressed => f.write_str("the mapping file is compressed; decompress it with gunzip"),
            Problem::NothingMapped => f.write_str(
                "maps no code to a character; expected a charmap, a .ucm file or lines such as 0x80 0x20AC",
            ),
            Problem::TooManyCodes => f.write_str("a mapping has at most 1,200,000 codes"),
            Problem::NoCharmap => f.write_str("there is no line CHARMAP"),
            Problem::NoEnd => f.write_str("there is no line END CHARMAP"),
            Problem::NeedsBase => {
                f.write_str("this .ucm file only extends another, which cannot be read from here")
            }
            Problem::UnknownDirective(word) => write!(f, "unknown directive {word:?}"),
            Problem::UnknownClass(word) => {
                write!(f, "unknown class {word:?}; expected SBCS, DBCS, MBCS or EBCDIC_STATEFUL")
            }
            Problem::BadEscape(word) => write!(f, "expected one character, not {word:?}"),
            Problem::BadNumber(word) => write!(f, "expected a number, not {word:?}"),
            Problem::BadByte(word) => write!(f, "{word:?} is no byte"),
            Problem::BadCode(word) => write!(f, "expected a code, not {word:?}"),
            Problem::LongCode => f.write_str("a code has at most 4 bytes"),
            Problem::BadCharacter(word) => write!(f, "expected a character such as <U20AC>, not {word:?}"),
            Problem::NoScalar(code_point) => write!(f, "U+{code_point:04X} is not a Unicode scalar value"),
            Problem::ManyScalars => f.write_str("a code has at most two characters"),
            Problem::NoCode => f.write_str("the code is missing"),
            Problem::Extra(word) => write!(f, "unexpected {word:?}"),
            Problem::BadPrecision(word) => write!(f, "expected |0 to |4, not {word:?}"),
            Problem::BadRange => f.write_str("the range is empty, or its last code is beyond FF"),
            Problem::Twice(code, line) => write!(f, "code {} is already in line {line}", Spaced(code)),
            Problem::Begins(code, longer, line) => {
                write!(f, "code {} begins code {} of line {line}", Spaced(code), Spaced(longer))
            }
            Problem::BeginsWith(code, shorter, line) => {
                write!(f, "code {} begins with code {} of line {line}", Spaced(code), Spaced(shorter))
            }
            Problem::PairOfLongCode(code) => {
                write!(f, "code {} has two characters; only codes of two bytes from 80 on can", Spaced(code))
            }
            Problem::Shift(code) => write!(f, "code {} cannot be reached by SO and SI", Spaced(code)),
        }
    }
}

/// The bytes of a code, with spaces.
struct Spaced<'a>(&'a Code);

impl fmt::Display for Spaced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bytes = self.0.bytes().iter().enumerate();
        bytes.into_iter().try_for_each(|(at, byte)| write!(f, "{}{byte:02X}", if at > 0 { " " } else { "" }))
    }
}

/// A line that is being read.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub number: usize,
    all: &'a [u8],
    /// The rest of the line.
    rest: &'a [u8],
}

impl<'a> Line<'a> {
    /// Returns the lines of a text, without line feeds and carriage returns.
    pub fn all(text: &'a [u8]) -> impl Iterator<Item = Line<'a>> {
        text.split(|byte| *byte == b'\n').zip(1..).map(|(line, number)| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            Line { number, all: line, rest: line }
        })
    }

    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Ends the line before a comment, which begins with `comment`.
    pub fn cut_at(&mut self, comment: u8) {
        let end = self.rest.iter().position(|byte| *byte == comment).unwrap_or(self.rest.len());
        self.rest = &self.rest[..end];
    }

    /// Skips spaces; whether that was all of the line.
    pub fn is_done(&mut self) -> bool {
        self.rest = self.rest.trim_ascii();
        self.rest.is_empty()
    }

    /// Takes `prefix`, if the rest begins with it.
    pub fn takes(&mut self, prefix: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the bytes that are `wanted`.
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|byte| !wanted(*byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Takes a byte.
    pub fn skip(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    /// Takes the next word, after spaces.
    pub fn word(&mut self) -> &'a [u8] {
        self.is_done();
        self.take_while(|byte| !byte.is_ascii_whitespace())
    }

    /// An error where the rest begins.
    pub fn error(&self, problem: Problem) -> MappingError {
        let column = self.rest.as_ptr().addr() - self.all.as_ptr().addr() + 1;
        MappingError::new(self.number, column, problem)
    }

    /// An error where the next word begins, about that.
    pub fn unexpected(mut self, problem: impl FnOnce(String) -> Problem) -> MappingError {
        self.is_done();
        let mut word = self;
        self.error(problem(shown(word.word())))
    }
}

/// A word for a message.
pub(super) fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    String::from_utf8_lossy(&word[..word.len().min(MOST)]).into_owned()
}
