//! The lines and words of a mapping file, and its errors.

use std::borrow::Cow;
use std::fmt;

use crate::fault::FaultBytes;
use crate::legacy::Code;

// Error messages; the word that a message is about may follow it.
pub(super) const LONG_CODE: &str = "a code has at most 4 bytes";
pub(super) const MANY_SCALARS: &str = "a code has at most two characters";
pub(super) const BAD_CODE: &str = "expected a code, not";
pub(super) const BAD_CHARACTER: &str = "expected a character such as <U20AC>, not";

/// Why, and where, a text is not the mapping of an encoding. See
/// [`Encoding::from_mapping`](crate::Encoding::from_mapping).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappingError {
    /// Line number, counted from 1; 0 if the error is about the whole text.
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

/// Returns the bytes of a code in hexadecimal, separated by spaces.
pub(super) fn spaced(code: Code) -> String {
    FaultBytes::new(code.bytes()).to_string()
}

/// A line of a mapping file, and how far it was read.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub number: usize,
    all: &'a [u8],
    /// The part of the line that was not read yet.
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

    /// Removes a comment, which begins with the byte `comment`.
    pub fn cut_at(&mut self, comment: u8) {
        let end = self.rest.iter().position(|byte| *byte == comment).unwrap_or(self.rest.len());
        self.rest = &self.rest[..end];
    }

    /// Skips spaces. Returns whether the end of the line was reached.
    pub fn is_done(&mut self) -> bool {
        self.rest = self.rest.trim_ascii();
        self.rest.is_empty()
    }

    /// Takes `prefix` if the rest of the line begins with it, and returns whether it does.
    pub fn takes(&mut self, prefix: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the bytes at the front of the rest of the line that are `wanted`.
    pub fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let end = self.rest.iter().position(|byte| !wanted(*byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Skips one byte, if the line has another byte.
    pub fn skip(&mut self) {
        self.rest = self.rest.get(1..).unwrap_or_default();
    }

    /// Takes the next word and the spaces before it.
    pub fn word(&mut self) -> &'a [u8] {
        self.is_done();
        self.take_while(|byte| !byte.is_ascii_whitespace())
    }

    /// Returns the column at which the rest of the line begins, in bytes, counted from 1.
    pub fn column(&self) -> usize {
        self.rest.as_ptr().addr() - self.all.as_ptr().addr() + 1
    }

    /// Returns an error at the start of the rest of the line.
    pub fn error(&self, message: impl Into<Cow<'static, str>>) -> MappingError {
        MappingError::new(self.number, self.column(), message)
    }

    /// Returns an error at the next word, with `message` and the word.
    pub fn unexpected(mut self, message: &str) -> MappingError {
        self.is_done();
        self.error(format!("{message} {:?}", shown({ self }.word())))
    }
}

/// Returns a word for use in a message, cut after 40 bytes.
pub(super) fn shown(word: &[u8]) -> String {
    const MOST: usize = 40;
    String::from_utf8_lossy(&word[..word.len().min(MOST)]).into_owned()
}
