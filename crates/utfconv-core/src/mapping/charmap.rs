//! Reads charmaps of POSIX (The Open Group Base Specifications, section 6.4), as glibc and ICU write them.
//!
//! A charmap of glibc chooses its own comment and escape characters, and has ranges, and `%IRREVERSIBLE%` before codes
//! that are only read. A .ucm file of ICU has a class, a precision after each code (`|0` to `|4`), and codes of several
//! characters.

use super::entries::{Direction, Entries, Scalars};
use super::text::{BAD_CHARACTER, BAD_CODE, LONG_CODE, Line, MANY_SCALARS, MappingError, shown};
use crate::legacy::Code;

const NO_END: &str = "there is no line END CHARMAP";
const EXTENDS: &str = "this .ucm file only extends another, which cannot be read from here";
const BAD_RANGE: &str = "the range is empty, or its last code is beyond FF";

/// The dialect of a charmap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Posix,
    Icu,
}

impl Dialect {
    /// Returns the dialect of a text, or `None` if the text is not a charmap.
    pub fn of(text: &[u8]) -> Option<Dialect> {
        let mut is_charmap = false;
        for mut line in Line::all(text) {
            match line.word() {
                b"<uconv_class>" => return Some(Dialect::Icu),
                b"CHARMAP" => return Some(Dialect::Posix),
                word => is_charmap |= word.first() == Some(&b'<') && !word.starts_with(b"<U"),
            }
        }
        is_charmap.then_some(Dialect::Posix)
    }
}

/// Reads the lines of a charmap, whose header chooses the comment and escape characters.
struct Reader {
    dialect: Dialect,
    comment: u8,
    escape: u8,
}

/// Adds the entries of a charmap to `entries`.
pub(super) fn read(text: &[u8], dialect: Dialect, entries: &mut Entries) -> Result<(), MappingError> {
    let mut reader = Reader { dialect, comment: b'#', escape: b'\\' };
    let mut lines = Line::all(text);
    end(lines.by_ref().map(|line| reader.header(line, entries)), "there is no line CHARMAP")?;
    end(lines.by_ref().map(|line| reader.entry(line, entries)), NO_END)?;
    reader.widths(lines)
}

/// Reads lines up to a line that ends a part; `missing` is the error if there is no such line.
fn end(
    mut lines: impl Iterator<Item = Result<bool, MappingError>>,
    missing: &'static str,
) -> Result<(), MappingError> {
    let end = lines.find(|line| !matches!(line, Ok(false)));
    end.unwrap_or_else(|| Err(MappingError::whole(missing))).map(drop)
}

impl Reader {
    /// Reads a line before the entries. Returns true for the line that begins the entries.
    fn header(&mut self, mut line: Line, entries: &mut Entries) -> Result<bool, MappingError> {
        if line.is_done() || line.rest()[0] == self.comment {
            return Ok(false);
        }
        let start = line;
        let word = line.word();
        match word {
            b"CHARMAP" => return Ok(true),
            b"<comment_char>" => self.comment = character(line)?,
            b"<escape_char>" => self.escape = character(line)?,
            b"<mb_cur_max>" | b"<mb_cur_min>" => number(line)?,
            b"<uconv_class>" if self.dialect == Dialect::Icu => match line.word() {
                b"\"SBCS\"" | b"\"DBCS\"" | b"\"MBCS\"" => {}
                b"\"EBCDIC_STATEFUL\"" => entries.has_shifts = true,
                class => {
                    let mut at = start;
                    at.word();
                    at.is_done();
                    let class = shown(class);
                    let expected = "expected SBCS, DBCS, MBCS or EBCDIC_STATEFUL";
                    return Err(at.error(format!("unknown class {class:?}; {expected}")));
                }
            },
            b"<icu:base>" => return Err(start.error(EXTENDS)),
            b"<code_set_name>" | b"<char_name_mask>" | b"<repertoiremap>" | b"<escseq>" | b"<subchar>"
            | b"<subchar1>" => {}
            _ if word.starts_with(b"<icu:") => {}
            _ => return Err(start.unexpected("unknown directive")),
        }
        Ok(false)
    }

    /// Reads a line with an entry. Returns true for the line that ends the entries.
    fn entry(&self, mut line: Line, entries: &mut Entries) -> Result<bool, MappingError> {
        if line.is_done() {
            return Ok(false);
        }
        let is_read_only = self.dialect == Dialect::Posix && line.takes(b"%IRREVERSIBLE%");
        if line.is_done() || !is_read_only && line.rest()[0] == self.comment {
            return Ok(false);
        }
        if line.rest().starts_with(b"END") {
            line.word();
            return if line.word() == b"CHARMAP" { Ok(true) } else { Err(line.error(NO_END)) };
        }
        let scalars = self.scalars(&mut line)?;
        let range = self.range(&mut line, scalars)?;
        if line.is_done() {
            return Err(line.error("the code is missing"));
        }
        let at = line;
        let code = self.code(&mut line)?;
        let direction = match self.dialect {
            // Text after a space is a comment.
            Dialect::Posix if line.rest().first().is_some_and(|byte| !byte.is_ascii_whitespace()) => {
                return Err(line.unexpected("unexpected"));
            }
            Dialect::Posix if is_read_only => Some(Direction::Read),
            Dialect::Posix => Some(Direction::Both),
            Dialect::Icu => self.precision(line)?,
        };
        let Some(direction) = direction else { return Ok(false) };
        for more in 0..=range {
            let plus = u8::try_from(more).ok().and_then(|more| code.plus(more));
            let code = plus.ok_or_else(|| at.error(BAD_RANGE))?;
            let scalars = Scalars { first: scalar(&at, scalars.first + more)?, ..scalars };
            entries.add(&at, code, scalars, direction)?;
        }
        Ok(false)
    }

    /// Returns the characters of an entry.
    fn scalars(&self, line: &mut Line) -> Result<Scalars, MappingError> {
        let first = self.name(line)?;
        let start = *line;
        // In .ucm files, a plus may separate the characters.
        let has_more = |line: &Line| line.rest().starts_with(b"<") || line.rest().starts_with(b"+<");
        if !has_more(line) {
            return Ok(Scalars { first, second: None });
        }
        line.takes(b"+");
        let second = self.name(line)?;
        if has_more(line) {
            return Err(start.error(MANY_SCALARS));
        }
        Ok(Scalars { first, second: Some(second) })
    }

    /// Returns the number of characters of a range after the first, or 0 if no range follows.
    fn range(&self, line: &mut Line, scalars: Scalars) -> Result<u32, MappingError> {
        let start = *line;
        if line.take_while(|byte| byte == b'.').len() < 2 {
            *line = start;
            return Ok(0);
        }
        let last = self.name(line)?;
        let more = last.checked_sub(scalars.first).filter(|_| scalars.second.is_none());
        more.ok_or_else(|| start.error(BAD_RANGE))
    }

    /// Returns the character of a name in angle brackets.
    fn name(&self, line: &mut Line) -> Result<u32, MappingError> {
        let start = *line;
        let bad = || start.unexpected(BAD_CHARACTER);
        if !line.takes(b"<") {
            return Err(bad());
        }
        // A name ends at the first bracket that is not escaped; the name of a bracket is "<\>>".
        let is_escaped = line.takes(&[self.escape, b'>']);
        let name = match is_escaped {
            true => b">".as_slice(),
            false if line.rest().starts_with(b">>") => &line.take_while(|byte| byte == b'>')[..1],
            false => line.take_while(|byte| byte != b'>' && !byte.is_ascii_whitespace()),
        };
        if !line.takes(b">") && name != b">" {
            return Err(bad());
        }
        let digits = name.strip_prefix(b"U").filter(|digits| (4..=8).contains(&digits.len()));
        let code_point = digits.and_then(|digits| u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok());
        match (code_point, name) {
            (Some(code_point), _) => scalar(&start, code_point),
            (None, [character @ b'!'..=b'~']) => Ok((*character).into()),
            (None, name) => portable(name).ok_or_else(bad),
        }
    }

    /// Returns the code of an entry.
    fn code(&self, line: &mut Line) -> Result<Code, MappingError> {
        let start = *line;
        let mut bytes = Vec::new();
        loop {
            let before = *line;
            if self.dialect == Dialect::Icu && !bytes.is_empty() {
                line.takes(b"+");
            }
            if !line.takes(&[self.escape]) {
                break;
            }
            let (base, lens) = match line.rest().first() {
                Some(b'x') => (16, 2..=2),
                Some(b'd') => (10, 2..=3),
                _ => (8, 2..=3),
            };
            if base > 8 {
                line.skip();
            }
            let digits = line.take_while(|byte| byte.is_ascii_alphanumeric());
            let byte = str::from_utf8(digits).ok().filter(|digits| lens.contains(&digits.len()));
            let byte = byte.and_then(|digits| u8::from_str_radix(digits, base).ok());
            bytes.push(
                byte.ok_or_else(|| before.error(format!("{:?} is no byte", shown({ before }.word()))))?,
            );
        }
        if bytes.is_empty() {
            return Err(start.unexpected(BAD_CODE));
        }
        Code::new(&bytes).ok_or_else(|| start.error(LONG_CODE))
    }

    /// Returns the direction of an entry of a .ucm file, or `None` if the entry only defines a substitute.
    fn precision(&self, mut line: Line) -> Result<Option<Direction>, MappingError> {
        line.cut_at(self.comment);
        if line.is_done() {
            return Ok(Some(Direction::Both));
        }
        let start = line;
        let direction = match line.word() {
            b"|0" => Some(Direction::Both),
            b"|1" | b"|4" => Some(Direction::Write),
            b"|2" => None,
            b"|3" => Some(Direction::Read),
            _ => return Err(start.unexpected("expected |0 to |4, not")),
        };
        if line.is_done() { Ok(direction) } else { Err(line.unexpected("unexpected")) }
    }

    /// Reads the section with the widths of characters, which may follow the entries.
    fn widths<'a>(&self, lines: impl Iterator<Item = Line<'a>>) -> Result<(), MappingError> {
        let mut is_inside = false;
        for mut line in lines {
            let is_empty = line.is_done() || line.rest()[0] == self.comment;
            let start = line;
            match (line.word(), is_inside) {
                _ if is_empty => {}
                (b"WIDTH", false) => is_inside = true,
                (b"END", true) => is_inside = false,
                (b"WIDTH_DEFAULT", false) | (_, true) => {}
                _ => return Err(start.unexpected("unknown directive")),
            }
        }
        Ok(())
    }
}

/// Returns the single character that the rest of a line must be.
fn character(mut line: Line) -> Result<u8, MappingError> {
    line.is_done();
    let [byte] = *line.rest() else { return Err(line.unexpected("expected one character, not")) };
    Ok(byte)
}

/// Checks that the next word is a number up to 255.
fn number(mut line: Line) -> Result<(), MappingError> {
    line.is_done();
    let start = line;
    let number = str::from_utf8(line.word()).ok().and_then(|word| word.parse::<u8>().ok());
    number.map(drop).ok_or_else(|| start.unexpected("expected a number, not"))
}

/// Returns `code_point` if it is a scalar value; other code points are an error at `at`.
pub(super) fn scalar(at: &Line, code_point: u32) -> Result<u32, MappingError> {
    let bad = || at.error(format!("U+{code_point:04X} is not a Unicode scalar value"));
    char::from_u32(code_point).map(u32::from).ok_or_else(bad)
}

/// The characters of POSIX's portable set whose names are words, as pairs of a name and a code point.
const PORTABLE: &str = "\
NUL 0 SOH 1 STX 2 ETX 3 EOT 4 ENQ 5 ACK 6 alert 7 BEL 7 backspace 8 BS 8 tab 9 HT 9 newline 10 LF 10 \
vertical-tab 11 VT 11 form-feed 12 FF 12 carriage-return 13 CR 13 SO 14 SI 15 DLE 16 DC1 17 DC2 18 DC3 19 DC4 20 \
NAK 21 SYN 22 ETB 23 CAN 24 EM 25 SUB 26 ESC 27 IS4 28 FS 28 IS3 29 GS 29 IS2 30 RS 30 IS1 31 US 31 space 32 \
exclamation-mark 33 quotation-mark 34 number-sign 35 dollar-sign 36 percent-sign 37 ampersand 38 apostrophe 39 \
left-parenthesis 40 right-parenthesis 41 asterisk 42 plus-sign 43 comma 44 hyphen 45 hyphen-minus 45 period 46 \
full-stop 46 slash 47 solidus 47 zero 48 one 49 two 50 three 51 four 52 five 53 six 54 seven 55 eight 56 nine 57 \
colon 58 semicolon 59 less-than-sign 60 equals-sign 61 greater-than-sign 62 question-mark 63 commercial-at 64 \
left-square-bracket 91 backslash 92 reverse-solidus 92 right-square-bracket 93 circumflex 94 circumflex-accent 94 \
underscore 95 low-line 95 grave-accent 96 left-brace 123 left-curly-bracket 123 vertical-line 124 right-brace 125 \
right-curly-bracket 125 tilde 126 DEL 127";

fn portable(name: &[u8]) -> Option<u32> {
    let mut words = PORTABLE.split(' ');
    words.by_ref().find(|word| word.as_bytes() == name)?;
    words.next()?.parse().ok().filter(|_| !name[0].is_ascii_digit())
}
