//! Reads mappings of unicode.org, which have a code and its character on each line, in hexadecimal, and a comment.

use super::charmap::scalar;
use super::entries::{Direction, Entries, Scalars};
use super::text::{BAD_CHARACTER, BAD_CODE, LONG_CODE, Line, MANY_SCALARS, MappingError};
use crate::legacy::Code;

/// Adds the entries of a text to `entries`.
pub(super) fn read(text: &[u8], entries: &mut Entries) -> Result<(), MappingError> {
    for mut line in Line::all(text) {
        line.cut_at(b'#');
        if !line.is_done() {
            entry(line, entries)?;
        }
    }
    Ok(())
}

fn entry(mut line: Line, entries: &mut Entries) -> Result<(), MappingError> {
    let at = line;
    let code = code(line.word()).ok_or_else(|| code_error(at))?;
    // A code without a character is a lead byte, or is undefined.
    if line.is_done() {
        return Ok(());
    }
    let mut start = line;
    let mut word = line.word();
    // If a line has two codes, as in JIS0208.TXT, the first is the Shift_JIS code, so skip it.
    if !line.is_done() {
        start = line;
        word = line.word();
    }
    if !line.is_done() {
        return Err(line.unexpected("unexpected"));
    }
    let scalars = scalars(word, start)?;
    entries.add(&at, code, scalars, Direction::Both)
}

/// Returns the error for a word that is not a code.
fn code_error(at: Line) -> MappingError {
    match { at }.word().strip_prefix(b"0x") {
        Some(digits) if digits.len() > 8 && digits.iter().all(u8::is_ascii_hexdigit) => at.error(LONG_CODE),
        Some(_) => at.unexpected(BAD_CODE),
        None => at.unexpected("unknown directive"),
    }
}

/// Parses a code such as `0x8140`. Returns `None` if `word` is not a code.
fn code(word: &[u8]) -> Option<Code> {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"))?;
    let bytes: Option<Vec<u8>> =
        digits.chunks(2).map(|pair| hex(pair).filter(|_| pair.len() == 2)?.try_into().ok()).collect();
    Code::new(&bytes?)
}

/// Parses `0x20AC`, `U+20AC`, or two characters separated by a plus.
fn scalars(word: &[u8], at: Line) -> Result<Scalars, MappingError> {
    let bad = || at.unexpected(BAD_CHARACTER);
    let rest =
        word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X")).or_else(|| word.strip_prefix(b"U+"));
    let mut values = rest.ok_or_else(bad)?.split(|byte| *byte == b'+').map(|digits| {
        let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
        let code_point = hex(digits).filter(|_| digits.len() <= 8).ok_or_else(bad)?;
        scalar(&at, code_point)
    });
    let first = values.next().ok_or_else(bad)??;
    let second = values.next().transpose()?;
    if values.next().is_some() { Err(at.error(MANY_SCALARS)) } else { Ok(Scalars { first, second }) }
}

fn hex(digits: &[u8]) -> Option<u32> {
    let is_hex = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok().filter(|_| is_hex)
}
