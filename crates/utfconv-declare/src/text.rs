//! Maps the first and last bytes of a text to one byte per code unit, which is ASCII if the unit is an ASCII character.
//!
//! With this mapping, each kind of declaration is found in the same way in UTF-8, UTF-16, UTF-32, EBCDIC and UTF-7.

use std::borrow::Cow;
use std::ops::Range;

use utfconv_core::encodings::IBM037;
use utfconv_core::{
    Encoding,
    encodings::{UTF_7, UTF_7_IMAP},
};

/// Maximum number of bytes at the start of a text that [`find`](super::find) reads.
pub const HEAD: usize = 64 << 10;

/// Maximum number of bytes at the end of a text that [`find`](super::find) reads.
pub const TAIL: usize = 3000;

/// A label, with its byte range in the text.
pub(super) struct Label {
    pub text: String,
    pub range: Range<u64>,
}

/// The first and the last bytes of a text.
#[derive(Clone, Copy, Debug)]
pub struct HeadAndTail<'a> {
    head: &'a [u8],
    tail: &'a [u8],
    tail_offset: u64,
}

impl<'a> HeadAndTail<'a> {
    /// Returns the first and the last bytes of a text in memory.
    #[must_use]
    pub fn of(text: &'a [u8]) -> HeadAndTail<'a> {
        let tail = text.len().saturating_sub(TAIL);
        HeadAndTail { head: &text[..text.len().min(HEAD)], tail: &text[tail..], tail_offset: tail as u64 }
    }

    /// Returns only the first bytes of a text, at most [`HEAD`] of them.
    #[must_use]
    pub fn head(head: &'a [u8]) -> HeadAndTail<'a> {
        HeadAndTail { head: &head[..head.len().min(HEAD)], tail: &[], tail_offset: 0 }
    }

    /// Returns the first [`HEAD`] bytes and the last [`TAIL`] bytes of a text. The latter begin at `tail_offset`, and
    /// may overlap the former.
    #[must_use]
    pub fn new(head: &'a [u8], tail: &'a [u8], tail_offset: u64) -> HeadAndTail<'a> {
        HeadAndTail { tail, tail_offset, ..HeadAndTail::head(head) }
    }
}

/// How the bytes of a text form code units.
pub(super) enum Units {
    /// Each byte is a unit.
    Bytes,
    /// Two or four bytes are a unit.
    Wide { len: usize, is_big: bool },
    /// Single bytes of a code page that is not a superset of ASCII.
    Page {
        /// The ASCII character of each byte, or [`OTHER`].
        seen: Box<[u8; 256]>,
        newline: u8,
        /// Whether SO and SI enclose two-byte codes, which are no ASCII characters.
        has_shifts: bool,
    },
    /// Each character is a unit, because the meaning of a byte depends on the bytes before it.
    Decoded(&'static Encoding),
}

/// The byte for a unit that is no ASCII character.
const OTHER: u8 = 0xFF;

/// SO, the byte before two-byte codes in EBCDIC.
const SHIFT_OUT: u8 = 0x0E;
/// SI, the byte after two-byte codes in EBCDIC.
const SHIFT_IN: u8 = 0x0F;

impl Units {
    /// Returns the units of a text in `encoding` that begins with `head`.
    fn of(encoding: &'static Encoding, head: &[u8]) -> Units {
        if encoding.code_unit_len() > 1 {
            let has_bom = |order: &&'static Encoding| {
                order.encode("\u{FEFF}").is_some_and(|bom| head.starts_with(&bom))
            };
            let order = encoding.orders().find(has_bom).unwrap_or(encoding);
            let is_big = order.encode("a").is_some_and(|unit| unit.ends_with(b"a"));
            return Units::Wide { len: encoding.code_unit_len(), is_big };
        }
        if encoding == &UTF_7 || encoding == &UTF_7_IMAP {
            Units::Decoded(encoding)
        } else if encoding.is_ebcdic() || encoding.table().is_some() && !encoding.is_ascii_compatible() {
            Units::page(encoding, head)
        } else {
            Units::Bytes
        }
    }

    fn page(encoding: &'static Encoding, head: &[u8]) -> Units {
        let seen = std::array::from_fn(|byte| match encoding.sequences().next(&[byte as u8]) {
            Some(sequence) => match *sequence.code_points() {
                [scalar @ 0..0x80] => scalar as u8,
                // EBCDIC has two newlines, NL (U+0085) and LF.
                [0x85] => b'\n',
                _ => OTHER,
            },
            None => OTHER,
        });
        let is_newline = |byte: &u8| seen[usize::from(*byte)] == b'\n';
        let line_feed = || seen.iter().rposition(|one| *one == b'\n').map_or(0, |byte| byte as u8);
        let newline = head.iter().copied().find(is_newline).unwrap_or_else(line_feed);
        Units::Page { seen: Box::new(seen), newline, has_shifts: encoding.table().is_none() }
    }

    /// Returns the units of a text that begins with `head`, by its BOM or by the start of XML or HTML.
    fn sniffed(head: &[u8]) -> Units {
        let wide = |len, is_big| Units::Wide { len, is_big };
        match *head {
            [0xFF, 0xFE, 0, 0, ..] => wide(4, false),
            [0, 0, 0xFE, 0xFF, ..] => wide(4, true),
            [0xFF, 0xFE, ..] => wide(2, false),
            [0xFE, 0xFF, ..] => wide(2, true),
            [1..0x80, 0, 0, 0, ..] => wide(4, false),
            [0, 0, 0, 1..0x80, ..] => wide(4, true),
            [1..0x80, 0, 1..0x80, 0, ..] => wide(2, false),
            [0, 1..0x80, 0, 1..0x80, ..] => wide(2, true),
            // IBM037 stands for all of EBCDIC, because the characters of a label have the same codes in all of its code
            // pages.
            [0x4C, 0x6F, 0xA7, 0x94, ..] => Units::page(&IBM037, head),
            _ => Units::Bytes,
        }
    }

    /// Returns the number of bytes in a unit.
    pub fn len(&self) -> usize {
        if let Units::Wide { len, .. } = self { *len } else { 1 }
    }

    /// Returns the view of `bytes`, which begin at `offset` of the text.
    fn see<'a>(&self, bytes: &'a [u8], offset: u64) -> View<'a> {
        let (units, spans) = match self {
            Units::Bytes => (Cow::Borrowed(bytes), None),
            Units::Page { seen, has_shifts, .. } => {
                let mut units: Vec<u8> = bytes.iter().map(|byte| seen[usize::from(*byte)]).collect();
                if *has_shifts {
                    hide_doubles(&mut units, bytes, offset);
                }
                (Cow::Owned(units), None)
            }
            Units::Wide { len, is_big } => {
                (bytes.chunks_exact(*len).map(|unit| seen_in(unit, *is_big)).collect(), None)
            }
            Units::Decoded(encoding) => {
                let (units, spans) = decoded(encoding, bytes);
                (Cow::Owned(units), Some(spans))
            }
        };
        View { units, offset, len: self.len(), spans }
    }

    /// Returns the code units of ASCII text; `None` if a character has no code units, or if they depend on the
    /// characters before it.
    pub fn spell(&self, text: &str) -> Option<Vec<u8>> {
        let unit = |byte: u8| match self {
            Units::Decoded(_) => None,
            Units::Bytes => Some(vec![byte]),
            Units::Page { newline, .. } if byte == b'\n' => Some(vec![*newline]),
            Units::Page { seen, .. } => Some(vec![seen.iter().position(|one| *one == byte)? as u8]),
            Units::Wide { len, is_big } => {
                let mut unit = vec![0; *len];
                unit[if *is_big { len - 1 } else { 0 }] = byte;
                Some(unit)
            }
        };
        text.bytes().map(unit).collect::<Option<Vec<_>>>().map(|units| units.concat())
    }
}

/// Returns the byte for a wide unit.
fn seen_in(unit: &[u8], is_big: bool) -> u8 {
    let (low, rest) =
        if is_big { (unit[unit.len() - 1], &unit[..unit.len() - 1]) } else { (unit[0], &unit[1..]) };
    if low < 0x80 && rest.iter().all(|byte| *byte == 0) { low } else { OTHER }
}

/// Hides the two-byte codes in `units`, which are between SO and SI in `bytes`. `bytes` begin at `offset` of the text.
fn hide_doubles(units: &mut [u8], bytes: &[u8], offset: u64) {
    let is_shift = |byte: &u8| matches!(*byte, SHIFT_OUT | SHIFT_IN);
    // A tail whose first shift is SI begins within two-byte codes.
    let mut is_double = offset > 0 && bytes.iter().copied().find(is_shift) == Some(SHIFT_IN);
    for (unit, byte) in units.iter_mut().zip(bytes) {
        if is_shift(byte) {
            is_double = *byte == SHIFT_OUT;
        } else if is_double {
            *unit = OTHER;
        }
    }
}

/// Returns the units for the characters of `bytes`, and the byte range of each.
fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> (Vec<u8>, Vec<Range<usize>>) {
    let mut decoder = encoding.sequences();
    let (mut units, mut spans, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(sequence) = decoder.next(&bytes[at..]) {
        let end = at + sequence.len;
        let unit = match *sequence.code_points() {
            [] if sequence.ill_formed.is_none() => None,
            [0xFEFF] if units.is_empty() => None,
            [scalar @ 0..0x80] => Some(scalar as u8),
            _ => Some(OTHER),
        };
        if let Some(unit) = unit {
            units.push(unit);
            spans.push(at..end);
        }
        at = end;
    }
    (units, spans)
}

/// Some units of a text, with their positions in it.
pub(super) struct View<'a> {
    /// The units of the text, each mapped to one byte.
    pub units: Cow<'a, [u8]>,
    /// The offset of the first unit, in bytes.
    offset: u64,
    /// Number of bytes in a unit.
    len: usize,
    /// The byte range of each unit, relative to `offset`; `None` if all units have the same length.
    spans: Option<Vec<Range<usize>>>,
}

impl View<'_> {
    /// Returns the byte range of the units in the text.
    pub fn bytes(&self, units: Range<usize>) -> Range<u64> {
        if let Some(spans) = &self.spans {
            let start = spans.get(units.start).map_or(0, |span| span.start);
            let end = spans[units].last().map_or(start, |span| span.end);
            return self.offset + start as u64..self.offset + end as u64;
        }
        let offset = |unit: usize| self.offset + (unit * self.len) as u64;
        offset(units.start)..offset(units.end)
    }

    /// Returns the label at these units; `None` if it is empty or has characters other than visible ASCII.
    pub fn label(&self, units: Range<usize>) -> Option<Label> {
        let text = str::from_utf8(&self.units[units.clone()]).ok()?;
        let is_label = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_label.then(|| Label { text: text.to_string(), range: self.bytes(units) })
    }
}

/// The first and the last units of a text.
pub(super) struct Sample<'a> {
    /// The first units, without the BOM.
    pub head: View<'a>,
    /// The last units, which may overlap the head.
    pub tail: View<'a>,
    /// Whether the text begins with a BOM.
    pub has_bom: bool,
    pub units: Units,
    /// The last component of the name of the file, in lower case.
    name: Cow<'a, str>,
}

impl<'a> Sample<'a> {
    pub fn new(ends: &HeadAndTail<'a>, encoding: &'static Encoding, name: Option<&str>) -> Sample<'a> {
        Sample::with(Units::of(encoding, ends.head), ends, name)
    }

    pub fn sniffed(ends: &HeadAndTail<'a>, name: Option<&str>) -> Sample<'a> {
        Sample::with(Units::sniffed(ends.head), ends, name)
    }

    fn with(units: Units, ends: &HeadAndTail<'a>, name: Option<&str>) -> Sample<'a> {
        let len = units.len();
        let bom: &[u8] = match &units {
            Units::Bytes => b"\xEF\xBB\xBF",
            Units::Page { .. } | Units::Decoded(_) => b"",
            Units::Wide { len: 2, is_big: false } => b"\xFF\xFE",
            Units::Wide { len: 2, is_big: true } => b"\xFE\xFF",
            Units::Wide { is_big: false, .. } => b"\xFF\xFE\0\0",
            Units::Wide { is_big: true, .. } => b"\0\0\xFE\xFF",
        };
        let has_bom = !bom.is_empty() && ends.head.starts_with(bom);
        let start = if has_bom { bom.len() } else { 0 };
        let head = units.see(&ends.head[start..], start as u64);
        let cut = match units {
            // A newline has the same byte in any state, so the view begins after the first newline.
            Units::Decoded(_) if ends.tail_offset > 0 => {
                memchr::memchr(b'\n', ends.tail).map_or(ends.tail.len(), |newline| newline + 1)
            }
            // Skip an incomplete unit at the start of the tail, and the BOM.
            _ => {
                let first = ends.tail_offset.next_multiple_of(len as u64).max(start as u64);
                ends.tail.len().min((first - ends.tail_offset) as usize)
            }
        };
        let tail = units.see(&ends.tail[cut..], ends.tail_offset + cut as u64);
        let name = name.map_or("", |name| name.rsplit(['/', '\\']).next().unwrap_or(name));
        Sample { head, tail, has_bom, units, name: Cow::Owned(name.to_ascii_lowercase()) }
    }

    /// Whether the name of the file has one of the given extensions, or is one of the given names.
    pub fn is_named(&self, extensions: &[&str], names: &[&str]) -> bool {
        let extension = self.name.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| extensions.contains(&extension)) || names.contains(&&*self.name)
    }

    /// Whether the text begins with a `#!` line that names the given program.
    pub fn is_run_by(&self, program: &str) -> bool {
        let line = line_at(&self.head.units, 0);
        self.head.units.starts_with(b"#!") && position(&self.head.units[line], program.as_bytes()).is_some()
    }
}

/// Returns `range` without blanks at its ends.
pub(super) fn trimmed(units: &[u8], range: Range<usize>, is_blank: impl Fn(&u8) -> bool) -> Range<usize> {
    let start = range.start + count(&units[..range.end], range.start, &is_blank);
    let blanks = units[start..range.end].iter().rev().take_while(|unit| is_blank(unit)).count();
    start..range.end - blanks
}

/// Returns the range of the line that begins at `start`, without its newline, which is LF, CR LF or CR.
pub(super) fn line_at(units: &[u8], start: usize) -> Range<usize> {
    let len = units[start..].iter().position(|unit| matches!(unit, b'\n' | b'\r'));
    start..len.map_or(units.len(), |len| start + len)
}

/// Returns the ranges of the lines of `units`, without newlines.
pub(super) fn lines(units: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let line = line_at(units, next?);
        next = match &units[line.end..] {
            [b'\r', b'\n', ..] => Some(line.end + 2),
            [_, ..] => Some(line.end + 1),
            [] => None,
        };
        Some(line)
    })
}

/// Returns the index of the first `needle`.
pub(super) fn position(units: &[u8], needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(units, needle)
}

/// Returns the index of the first `needle` in any case. `needle` has to be in lower case.
pub(super) fn position_in_any_case(units: &[u8], needle: &[u8]) -> Option<usize> {
    let starts = memchr::memchr2_iter(needle[0], needle[0].to_ascii_uppercase(), units);
    let begins =
        |at: &usize| units[*at..].get(..needle.len()).is_some_and(|text| text.eq_ignore_ascii_case(needle));
    starts.into_iter().find(begins)
}

/// Returns the number of units, from `start` on, that satisfy `is_of_kind`.
pub(super) fn count(units: &[u8], start: usize, is_of_kind: impl Fn(&u8) -> bool) -> usize {
    units[start..].iter().take_while(|unit| is_of_kind(unit)).count()
}

/// Whether a unit is a space or a tab.
pub(super) fn is_blank(unit: &u8) -> bool {
    matches!(unit, b' ' | b'\t')
}

/// Returns the start of the line that contains a unit.
pub(super) fn line_start(units: &[u8], at: usize) -> usize {
    units[..at].iter().rposition(|unit| matches!(unit, b'\n' | b'\r')).map_or(0, |end| end + 1)
}
