//! Views: what a program saw of an original when it decoded it in its own way.

use std::cell::Cell;
use std::mem;

use super::lines::content;
use utfconv_core::SequenceDecoder;
use utfconv_core::{Encoding, UTF_8};

/// How a program decoded the bytes of an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum View {
    /// The program decoded the encoding of the original; U+FFFD replaces ill-formed bytes.
    Exact,
    /// The program decoded UTF-8, with this replacement for bytes that are ill-formed in UTF-8. If the original is
    /// UTF-8, the program knew only ASCII, and this replaced all other characters.
    Lossy(Mark),
    /// The program decoded another encoding, and so saw other characters. Undefined bytes are C1 controls.
    Misread(&'static Encoding),
    /// The same, with this replacement for C1 controls and undefined bytes.
    MisreadLossy(&'static Encoding, Mark),
}

impl View {
    /// Returns the other encoding that the program decoded.
    pub(super) fn other(self) -> Option<&'static Encoding> {
        match self {
            View::Misread(other) | View::MisreadLossy(other, _) => Some(other),
            View::Exact | View::Lossy(_) => None,
        }
    }

    /// Returns the character that replaces what the program could not read.
    pub(super) fn mark(self) -> Option<char> {
        match self {
            View::Lossy(mark) | View::MisreadLossy(_, mark) => mark.character(),
            View::Exact | View::Misread(_) => Some(char::REPLACEMENT_CHARACTER),
        }
    }
}

/// The replacement for what a program could not read. If the original is UTF-8, its characters are the subparts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// U+FFFD for each maximal subpart (Unicode 3.9, D93b).
    ReplacementPerSubpart,
    /// U+FFFD for each byte.
    ReplacementPerByte,
    /// A question mark for each maximal subpart.
    QuestionPerSubpart,
    /// A question mark for each byte.
    QuestionPerByte,
    /// Nothing.
    Omitted,
    /// U+FFFD for each code unit that a character has in UTF-16, if the original is UTF-8.
    ReplacementPerUnit,
    /// A question mark for each of them.
    QuestionPerUnit,
    /// U+FFFD for each byte above 7F: the program knew only ASCII.
    ReplacementPerHighByte,
    /// A question mark for each of them.
    QuestionPerHighByte,
}

impl Mark {
    /// Returns the character for each byte, subpart or code unit; None if there is none.
    #[must_use]
    pub fn character(self) -> Option<char> {
        match self {
            Mark::ReplacementPerSubpart
            | Mark::ReplacementPerByte
            | Mark::ReplacementPerUnit
            | Mark::ReplacementPerHighByte => Some(char::REPLACEMENT_CHARACTER),
            Mark::QuestionPerSubpart
            | Mark::QuestionPerByte
            | Mark::QuestionPerUnit
            | Mark::QuestionPerHighByte => Some('?'),
            Mark::Omitted => None,
        }
    }

    /// Whether it proves a loss: it is never typed.
    #[must_use]
    pub fn is_proof(self) -> bool {
        self.character() == Some(char::REPLACEMENT_CHARACTER)
    }

    /// Returns how many replace a sequence of `len` bytes, which is ill-formed or means a character.
    fn count(self, len: usize, scalar: Option<char>) -> usize {
        match self {
            Mark::ReplacementPerByte | Mark::QuestionPerByte => len,
            Mark::ReplacementPerUnit | Mark::QuestionPerUnit => scalar.map_or(1, char::len_utf16),
            _ => 1,
        }
    }
}

/// The shortest range that is whole in the original's encoding and in the view.
pub(super) struct Unit<'a> {
    /// The length of the unit in the original, in bytes.
    pub len: usize,
    /// The text of the unit in the view.
    pub text: &'a str,
    /// Whether the view does not show what the unit was.
    pub is_lost: bool,
}

/// Calls `each` with the units of `bytes`, which begin where the encoding is in its initial state.
pub(super) fn units(encoding: &'static Encoding, view: View, bytes: &[u8], mut each: impl FnMut(Unit)) {
    let mut exact = Pieces::new(encoding);
    let other = view.other().unwrap_or(encoding);
    let is_wide = encoding.code_unit_len() > 1;
    let has_ascii = encoding.is_ascii_compatible() && other.is_ascii_compatible();
    // A byte that is ASCII for all encodings is a unit.
    let ascii = |each: &mut dyn FnMut(Unit), at: usize| {
        let rest = if has_ascii { &bytes[at..] } else { &[] };
        let count = rest.iter().take_while(|byte| byte.is_ascii()).count();
        for text in rest[..count].iter().map(|byte| &ASCII[usize::from(*byte)..][..1]) {
            each(Unit { len: 1, text, is_lost: false });
        }
        count
    };
    let (mut meant, mut text, mut start, mut is_ill_formed) = (String::new(), String::new(), 0, false);
    let as_other =
        |other, mark| Seen::As(Box::new(Pieces { has_controls: true, ..Pieces::new(other) }), mark);
    let mut seen = match view {
        View::Misread(other) => as_other(other, None),
        View::MisreadLossy(other, mark) => as_other(other, Some(mark)),
        View::Lossy(mark) => Seen::Lossy { at: 0, mark, only_ascii: encoding == &UTF_8 },
        View::Exact => Seen::Exactly,
    };
    while start < bytes.len() {
        if start == exact.at {
            let count = ascii(&mut each, start);
            start += count;
            exact.at = start;
            seen.skip(count);
            if start == bytes.len() {
                break;
            }
        }
        let seen_at = seen.at().unwrap_or(exact.at);
        if exact.at <= seen_at && exact.at < bytes.len() {
            is_ill_formed |= exact.next(bytes, &mut meant).unwrap_or(false);
        } else {
            seen.next(bytes, &mut text);
        }
        let seen_at = seen.at().unwrap_or(exact.at);
        let is_whole = exact.decoder.is_initial() || exact.at == bytes.len();
        if exact.at == seen_at && exact.at > start && is_whole {
            let is_exact = view == View::Exact;
            // A program shows all of a code unit of several bytes if its text has these bytes.
            let is_whole = is_wide && text.as_bytes() == &bytes[start..exact.at];
            let is_other = text != meant && !is_whole;
            let (shown, is_lost) = if is_exact { (&meant, is_ill_formed) } else { (&text, is_other) };
            each(Unit { len: exact.at - start, text: shown, is_lost });
            start = exact.at;
            meant.clear();
            text.clear();
            is_ill_formed = false;
        }
    }
}

/// Decodes one sequence at a time.
struct Pieces {
    decoder: SequenceDecoder,
    at: usize,
    /// Whether undefined bytes are C1 controls, as in browsers.
    has_controls: bool,
}

impl Pieces {
    fn new(encoding: &'static Encoding) -> Pieces {
        Pieces { decoder: encoding.sequences(), at: 0, has_controls: false }
    }

    /// Adds the next sequence to `text`. Returns whether it is ill-formed; None at the end.
    fn next(&mut self, bytes: &[u8], text: &mut String) -> Option<bool> {
        let rest = &bytes[self.at..];
        let sequence = self.decoder.next(rest)?;
        let mut is_ill_formed = sequence.ill_formed.is_some();
        match rest[0] {
            byte @ 0x80..0xA0 if is_ill_formed && self.has_controls && sequence.len == 1 => {
                text.push(char::from(byte));
            }
            _ => text.extend(std::iter::repeat_n(char::REPLACEMENT_CHARACTER, sequence.subparts)),
        }
        for code_point in sequence.code_points() {
            is_ill_formed |= char::from_u32(*code_point).is_none();
            text.push(char::from_u32(*code_point).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at += sequence.len;
        Some(is_ill_formed)
    }
}

/// All of ASCII.
const ASCII: &str = "\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0B\x0C\r\x0E\x0F\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1A\x1B\x1C\x1D\x1E\x1F \
    !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7F";

/// The text that a program saw.
enum Seen {
    /// The text that the encoding gives.
    Exactly,
    /// With the replacement for C1 controls.
    As(Box<Pieces>, Option<Mark>),
    Lossy {
        at: usize,
        mark: Mark,
        only_ascii: bool,
    },
}

impl Seen {
    /// Returns the offset that was reached; None means that of the encoding.
    fn at(&self) -> Option<usize> {
        match self {
            Seen::Exactly => None,
            Seen::As(pieces, _) => Some(pieces.at),
            Seen::Lossy { at, .. } => Some(*at),
        }
    }

    fn skip(&mut self, count: usize) {
        match self {
            Seen::Exactly => {}
            Seen::As(pieces, _) => pieces.at += count,
            Seen::Lossy { at, .. } => *at += count,
        }
    }

    fn next(&mut self, bytes: &[u8], text: &mut String) {
        match self {
            Seen::Exactly => {}
            Seen::As(pieces, mark) => {
                pieces.next(bytes, text);
                if let Some(mark) = mark
                    && text.ends_with(|scalar| matches!(scalar, '\u{80}'..='\u{9F}'))
                {
                    text.pop();
                    text.extend(mark.character());
                }
            }
            Seen::Lossy { at, mark, only_ascii } => {
                let (len, scalar) = match mark {
                    Mark::ReplacementPerHighByte | Mark::QuestionPerHighByte if !bytes[*at].is_ascii() => {
                        (1, None)
                    }
                    _ => first_of_utf8(&bytes[*at..]),
                };
                match scalar.filter(|scalar| scalar.is_ascii() || !*only_ascii) {
                    Some(scalar) => text.push(scalar),
                    None => {
                        let count = mark.count(len, scalar);
                        text.extend(
                            mark.character().into_iter().flat_map(|mark| std::iter::repeat_n(mark, count)),
                        );
                    }
                }
                *at += len;
            }
        }
    }
}

/// Returns the length of the first sequence of UTF-8, and its scalar value; or the length of the maximal subpart.
fn first_of_utf8(bytes: &[u8]) -> (usize, Option<char>) {
    let head = &bytes[..bytes.len().min(4)];
    match head.utf8_chunks().next() {
        Some(chunk) => match chunk.valid().chars().next() {
            Some(scalar) => (scalar.len_utf8(), Some(scalar)),
            None => (chunk.invalid().len(), None),
        },
        None => (0, None),
    }
}

/// An original as a program saw it.
pub(super) struct Viewed<'a> {
    pub original: &'a [u8],
    pub encoding: &'static Encoding,
    pub view: View,
    /// Whether code units have several bytes. The view then shows their zeros.
    pub is_wide: bool,
    /// How many zeros the view then shows before and after a character of ASCII.
    pub zeros: [usize; 2],
    /// All of the text, without BOM.
    pub text: String,
    pub lines: Vec<Line>,
    /// How much may still be compared to rule out other explanations.
    room: Cell<usize>,
}

/// Maximum length of a change, in characters of its old lines, as the view shows them, and new lines together. A character
/// takes about 250 bytes of memory, so the longest change takes about 1 GB. Longer changes are not proven.
pub(super) const LONGEST_CHANGE: usize = 1 << 22;

/// How much may be compared for any text, for each byte of a text, and at once.
const ROOM: usize = 1 << 20;
const ROOM_PER_BYTE: usize = 8;
const AT_ONCE: usize = 16_000;

/// A line, with its newline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The offset of the line in the original, in bytes.
    pub start: usize,
    /// The offset of the line in the text, in bytes.
    pub at: usize,
    /// How many units of the line are lost.
    pub lost: u32,
}

impl<'a> Viewed<'a> {
    pub fn new(original: &'a [u8], encoding: &'static Encoding, view: View) -> Viewed<'a> {
        let mut text = String::with_capacity(original.len());
        let mut lines: Vec<Line> = Vec::new();
        let (mut start, mut is_open, mut ends_with_cr) = (0, false, false);
        let is_wide = encoding.code_unit_len() > 1 && view != View::Exact;
        units(encoding, view, original, |unit| {
            is_open &= !(ends_with_cr && !is_wide && !unit.text.starts_with('\n'));
            if !mem::replace(&mut is_open, true) {
                lines.push(Line { start, at: text.len(), lost: 0 });
            }
            lines.last_mut().expect("one is open").lost += u32::from(unit.is_lost);
            text.push_str(unit.text);
            start += unit.len;
            is_open = !unit.text.contains('\n');
            ends_with_cr = unit.text.ends_with('\r');
        });
        let newline = if is_wide { encoding.encode("\n").unwrap_or_default() } else { Vec::new() };
        let before = newline.iter().take_while(|byte| **byte == 0).count();
        let zeros = [before, newline.len().saturating_sub(before + 1)];
        let viewed = Viewed { original, encoding, view, is_wide, zeros, text, lines, room: Cell::default() };
        viewed.refill();
        viewed
    }

    /// Makes room for all comparisons of one result.
    pub fn refill(&self) {
        self.room.set(ROOM + ROOM_PER_BYTE * self.text.len());
    }

    /// Whether texts of this length, in bytes or characters, may be compared. Without a limit, the time would
    /// be quadratic.
    pub fn may_compare(&self, length: usize) -> bool {
        length <= AT_ONCE && self.compared(length)
    }

    /// Counts what was compared. Returns whether there is room for more.
    pub fn compared(&self, amount: usize) -> bool {
        self.room.set(self.room.get().saturating_sub(amount));
        self.room.get() > 0
    }

    /// Returns where line `number` begins in the original. For the one after the last, returns the end of the
    /// original.
    pub fn start_of(&self, number: usize) -> usize {
        self.lines.get(number).map_or(self.original.len(), |line| line.start)
    }

    /// Returns the bytes of a line.
    pub fn bytes_of(&self, number: usize) -> &'a [u8] {
        &self.original[self.start_of(number)..self.start_of(number + 1)]
    }

    /// Returns a line of the view, or of the edited text, without its newline.
    pub fn content<'t>(&self, line: &'t str) -> &'t str {
        &line[..content(line, self.is_wide).0]
    }

    /// Returns the text of a line.
    pub fn text_of(&self, number: usize) -> &str {
        let end = self.lines.get(number + 1).map_or(self.text.len(), |line| line.at);
        &self.text[self.lines[number].at..end]
    }
}
