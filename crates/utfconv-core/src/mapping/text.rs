//! The lines and words of a mapping file, and the errors in one.

use std::borrow::Cow;
use std::fmt;

use crate::fault::FaultBytes;
use crate::legacy::Code;

// Messages, some of them with the word that they are about after them.
pub(super) const LONG_CODE: &str = "a code has at most 4 bytes";
pub(super) const MANY_SCALARS: &str = "a code has at most two characters";
pub(super) const BAD_CODE: &str = "expected a code, not";
pub(super) const BAD_CHARACTER: &str = "expected a character such as <U20AC>, not";

/// Why a text is not the mapping of an encoding, and where. See [`Encoding::from_mapping`](crate::Encoding::from_mapping).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingError {
    /// 0 where the error is about the whole text.
    line: usize,
    column: usize,
    message: Cow<'static, str>,
}

impl MappingError {
    pub(super) fn new(line: usize, column: usize, message: impl Into<Cow<'static, str>>) -> MappingError {
        MappingError { line, column, message: message.into() }
    }

    pub(super) fn whole(message: impl Into<Cow<'static, str>>) -> MappingError {
        MappingError::new(0, 0, message)
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
        f.write_str(&self.message)
    }
}

impl std::error::Error for MappingError {}

/// Returns the bytes of a code, with spaces.
pub(super) fn spaced(code: Code) -> String {
    FaultBytes::new(code.bytes()).to_string()
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

    /// Returns the column in bytes where the rest begins, counted from 1.
    pub fn column(&self) -> usize {
        self.rest.as_ptr().addr() - self.all.as_ptr().addr() + 1
    }

    /// An error where the rest begins.
    pub fn error(&self, message: impl Into<Cow<'static, str>>) -> MappingError {
        MappingError::new(self.number, self.column(), message)
    }

    /// An error where the next word begins: `message`, and that word.
    pub fn unexpected(mut self, message: &str) -> MappingError {
        self.is_done();
        self.error(format!("{message} {:?}", shown({ self }.word())))
    }
}

/// A word for a message.
pub(super) fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    String::from_utf8_lossy(&word[..word.len().min(MOST)]).into_owned()
}
