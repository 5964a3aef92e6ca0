//! Mappings of unicode.org: a code and its character on each line, in hexadecimal, and a comment.

use super::entries::{Direction, Entries, Scalars};
use super::text::{Line, MappingError, Problem};
use crate::legacy::Code;

/// Adds the entries of a text.
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
    let code = code(line.word()).ok_or_else(|| at.unexpected(code_problem(at)))?;
    // A byte that is no character by itself: a lead byte, or one without a meaning.
    if line.is_done() {
        return Ok(());
    }
    let mut start = line;
    let mut word = line.word();
    // With two codes on a line, as in JIS0208.TXT, the first is that of Shift_JIS.
    if !line.is_done() {
        start = line;
        word = line.word();
    }
    if !line.is_done() {
        return Err(line.unexpected(Problem::Extra));
    }
    let scalars = scalars(word, start)?;
    entries.add(&at, code, scalars, Direction::Both)
}

/// Why the word at `at` is no code.
fn code_problem(mut at: Line) -> fn(String) -> Problem {
    let word = at.word();
    match word.strip_prefix(b"0x") {
        Some(digits) if digits.len() > 8 && digits.iter().all(u8::is_ascii_hexdigit) => |_| Problem::LongCode,
        Some(_) => Problem::BadCode,
        None => Problem::UnknownDirective,
    }
}

/// Returns the code of `0x8140`.
fn code(word: &[u8]) -> Option<Code> {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"))?;
    let bytes: Option<Vec<u8>> =
        digits.chunks(2).map(|pair| hex(pair).filter(|_| pair.len() == 2)?.try_into().ok()).collect();
    Code::new(&bytes?)
}

/// Returns the characters of `0x20AC`, `U+20AC`, or two of them with a plus between.
fn scalars(word: &[u8], at: Line) -> Result<Scalars, MappingError> {
    let bad = || at.unexpected(Problem::BadCharacter);
    let rest =
        word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X")).or_else(|| word.strip_prefix(b"U+"));
    let mut values = rest.ok_or_else(bad)?.split(|byte| *byte == b'+').map(|digits| {
        let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
        let code_point = hex(digits).filter(|_| digits.len() <= 8).ok_or_else(bad)?;
        match char::from_u32(code_point) {
            Some(_) => Ok(code_point),
            None => Err(at.error(Problem::NoScalar(code_point))),
        }
    });
    let first = values.next().ok_or_else(bad)??;
    let second = values.next().transpose()?;
    match values.next() {
        None => Ok(Scalars { first, second }),
        Some(_) => Err(at.error(Problem::ManyScalars)),
    }
}

fn hex(digits: &[u8]) -> Option<u32> {
    let is_hex = !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit);
    u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok().filter(|_| is_hex)
}
