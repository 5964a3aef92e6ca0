//! Decoding: bytes of a source to scalar values.
//!
//! Most encoding forms have a fast and an exact decoder. The fast one, [`WellFormed`], decodes well-formed sequences
//! and stops at everything else; kernels are made of it. The exact one, [`Decode`], decodes one sequence at a time, and
//! alone decides what is ill-formed, why, and how many bytes belong to a fault, so kernels cannot disagree about
//! faults. Forms with shift states have only an exact decoder. The decoders of East Asian encodings are in `legacy`.
//!
//! Decoders know no BOMs, so U+FEFF is a scalar value like any other.

mod cell;
mod code_page;
mod composing;
mod page_table;
mod single_byte;
mod sparse;
pub(crate) mod utf1;
pub(crate) mod utf16;
mod utf32;
pub(crate) mod utf7;
pub(crate) mod utf8;

pub(crate) use cell::Cell;
pub(crate) use code_page::CodePage;
pub(crate) use composing::Composing;
pub(crate) use page_table::{PageTable, UNASSIGNED};
pub(crate) use single_byte::{Ascii, Latin1, Page};
pub(crate) use sparse::Sparse;
pub(crate) use utf1::Utf1;
pub(crate) use utf7::Utf7;
pub(crate) use utf8::{Cesu8, Mutf8, Utf8, Utf8Of2279, Wtf8};
pub(crate) use utf16::Utf16;
pub(crate) use utf32::Utf32;

use std::ops::Deref;

use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};

/// Number of bytes in a window, which holds any well-formed sequence.
pub(crate) const WINDOW: usize = 8;

/// Number of ASCII characters that kernels test and copy at a time.
pub(crate) const BLOCK: usize = 16;

/// The fast decoder of an encoding form, which knows only well-formed sequences of scalar values.
pub(crate) trait WellFormed {
    /// Number of bytes in a code unit.
    const UNIT: usize = 1;

    /// Decodes the well-formed sequence that `window` begins with to a scalar value and its length in bytes. Returns
    /// `None` if the sequence is ill-formed or is no scalar value.
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)>;

    /// Decodes the well-formed sequence that `src` begins with; `src` may have any length. Returns the scalar value and
    /// its length in bytes, or `None` if the sequence is ill-formed, is cut, or is no scalar value.
    #[inline(always)]
    fn first(&self, src: &[u8]) -> Option<(char, usize)> {
        self.at(src, 0)
    }

    /// Decodes the well-formed sequence at byte `at` of `src`, as [`WellFormed::first`] does.
    #[inline(always)]
    fn at(&self, src: &[u8], at: usize) -> Option<(char, usize)> {
        // If the sequence ends after the source, its last bytes are padding, so reject it.
        self.scalar(&window(src, at)).filter(|(_, len)| *len <= src.len() - at)
    }

    /// Returns the first `N` code units of `src` if all are ASCII characters, and no code unit after them changes their
    /// meaning. Returns `None` if `src` has fewer. The default is for forms whose bytes 00..7F are ASCII wherever a
    /// sequence begins.
    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        let block: [u8; N] = *src.first_chunk()?;
        block.is_ascii().then_some(block)
    }
}

/// Returns the bytes from `at` on. If the source ends in the window, zeros follow.
#[inline(always)]
pub(crate) fn window(src: &[u8], at: usize) -> [u8; WINDOW] {
    let rest = &src[at..];
    match (rest.first_chunk(), src.last_chunk()) {
        (Some(window), _) => *window,
        // Remove the bytes before `at`, because a shift takes less time than a copy of variable length.
        (None, Some(last)) => {
            let before = 8 * (WINDOW - rest.len()) as u32;
            u64::from_le_bytes(*last).checked_shr(before).unwrap_or(0).to_le_bytes()
        }
        (None, None) => filled(rest),
    }
}

/// Pads up to seven bytes with zeros. Uses overlapping loads, because a copy of variable length takes longer.
#[inline(always)]
fn filled(bytes: &[u8]) -> [u8; WINDOW] {
    let value = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>(), bytes) {
        (Some(front), Some(back), _) => {
            let [front, back] = [front, back].map(|part| u64::from(u32::from_le_bytes(*part)));
            front | back << (8 * (bytes.len() - 4))
        }
        (_, _, [a, b, c]) => u64::from_le_bytes([*a, *b, *c, 0, 0, 0, 0, 0]),
        (_, _, [a, b]) => u64::from_le_bytes([*a, *b, 0, 0, 0, 0, 0, 0]),
        (_, _, [a]) => u64::from(*a),
        _ => 0,
    };
    value.to_le_bytes()
}

/// The exact decoder of an encoding form.
pub(crate) trait Decode: Send {
    /// Decodes the sequence that `src` begins with. `last` means that the source ends where `src` ends.
    ///
    /// [`Next::Incomplete`] asks for more bytes; if `last` is true, it is returned for an empty `src` only. A result
    /// never changes when more bytes follow, so it does not matter where a source is cut. The same bytes may be decoded
    /// again before they are taken.
    fn next(&mut self, src: &[u8], last: bool) -> Next;

    /// Takes the last decoded sequence; a form with shift states then enters its next state.
    fn commit(&mut self) {}

    /// Takes up to `most` sequences, as long as each is a shift or a code point that `put` accepts. Returns the number
    /// of bytes taken. The effect equals alternate calls of [`Decode::next`] and [`Decode::commit`], without a virtual
    /// call for each sequence.
    fn take_row(&mut self, src: &[u8], most: usize, put: &mut dyn FnMut(u32) -> bool) -> usize {
        let mut read = 0;
        for _ in 0..most {
            match self.next(&src[read..], false) {
                Next::Shift { len } => read += len,
                Next::Scalar { code_point, len } if put(code_point) => read += len,
                _ => break,
            }
            self.commit();
        }
        read
    }

    /// Takes sequences, as long as each is a shift or encodes code points, and writes the code points to `row` in
    /// UTF-32LE. Returns the number of bytes taken and of code points written, or `None` if the decoder supports only
    /// [`Decode::take_row`]. [`Decode::rewind`] undoes the call.
    fn fill_row(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> Option<(usize, usize)> {
        let _ = (src, row);
        None
    }

    /// Whether [`Decode::fill_row`] may write several code points for a sequence.
    fn fills_several(&self) -> bool {
        false
    }

    /// Returns to the state before the last call of [`Decode::fill_row`].
    fn rewind(&mut self) {}

    /// Whether the next bytes are decoded as at the start of a text.
    fn is_initial(&self) -> bool {
        true
    }

    /// Measures `run`, which has to consist of whole well-formed sequences. The default is for encodings with one byte
    /// per character.
    fn measure(&self, run: &[u8]) -> Extent {
        measure_bytes(run, b'\n', <[u8]>::len)
    }
}

/// A code point in UTF-32LE.
pub(crate) type Utf32Unit = [u8; 4];

/// Writes the ASCII at the front of `src` to `row`, in whole blocks that contain no byte for which `is_other` is true.
/// Returns the number of bytes.
#[inline(always)]
pub(crate) fn fill_ascii_blocks(src: &[u8], row: &mut [Utf32Unit], is_other: impl Fn(u8) -> bool) -> usize {
    let mut count = 0;
    for (block, units) in src.as_chunks::<BLOCK>().0.iter().zip(row.as_chunks_mut::<BLOCK>().0) {
        if !block.iter().fold(true, |all, byte| all & byte.is_ascii() & !is_other(*byte)) {
            break;
        }
        *units = block.map(|byte| u32::from(byte).to_le_bytes());
        count += BLOCK;
    }
    count
}

/// Implements [`Decode::fill_row`] by single steps, for decoders that can return to an earlier state.
pub(crate) fn fill_by_steps(decoder: &mut impl Decode, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    while count < row.len() {
        match decoder.next(&src[read..], false) {
            Next::Shift { len } => read += len,
            Next::Scalar { code_point, len } => {
                row[count] = code_point.to_le_bytes();
                (read, count) = (read + len, count + 1);
            }
            Next::Several { code_points, len } => {
                let Some(units) = row.get_mut(count..count + code_points.len()) else { break };
                for (unit, code_point) in units.iter_mut().zip(&*code_points) {
                    *unit = code_point.to_le_bytes();
                }
                (read, count) = (read + len, count + code_points.len());
            }
            _ => break,
        }
        decoder.commit();
    }
    (read, count)
}

/// Implements [`Decode::take_row`] with the fast decoder.
fn take_well_formed(
    source: &impl WellFormed,
    src: &[u8],
    most: usize,
    put: &mut dyn FnMut(u32) -> bool,
) -> usize {
    let mut read = 0;
    for _ in 0..most {
        match source.first(&src[read..]) {
            Some((scalar, len)) if put(scalar.into()) => read += len,
            _ => break,
        }
    }
    read
}

/// The result of an exact decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A code point in `len` bytes: a scalar value, or in WTF-8, UTF-8-2279 and UCS-4 another code point of the
    /// encoding.
    Scalar { code_point: u32, len: usize },
    /// Several code points in `len` bytes (BIG5-HKSCS, JIS X 0213, TSCII).
    Several { code_points: Several, len: usize },
    /// Bytes that encode no code point, but change the meaning of the bytes after them.
    Shift { len: usize },
    /// An ill-formed sequence.
    IllFormed(IllFormedSequence),
    /// More bytes are needed.
    Incomplete,
}

/// Up to four code points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Several {
    code_points: [u32; 4],
    count: usize,
}

impl Deref for Several {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.code_points[..self.count]
    }
}

impl FromIterator<u32> for Several {
    /// Takes the first four code points.
    fn from_iter<I: IntoIterator<Item = u32>>(code_points: I) -> Several {
        let mut several = Several::default();
        for (slot, code_point) in several.code_points.iter_mut().zip(code_points) {
            *slot = code_point;
            several.count += 1;
        }
        several
    }
}

impl Next {
    /// Returns a fault that is one maximal subpart.
    pub(crate) fn ill_formed(kind: IllFormed, len: usize) -> Next {
        Next::IllFormed(IllFormedSequence::whole(kind, len))
    }

    /// Returns two code points that `len` bytes encode together.
    pub(crate) fn pair(code_points: [u32; 2], len: usize) -> Next {
        Next::Several { code_points: code_points.into_iter().collect(), len }
    }

    /// Returns the code points of a sequence (none for a shift) and its length in bytes, or `None` if the sequence is
    /// ill-formed or incomplete.
    pub(crate) fn sequence(self) -> Option<(Several, usize)> {
        match self {
            Next::Scalar { code_point, len } => {
                Some((Several { code_points: [code_point, 0, 0, 0], count: 1 }, len))
            }
            Next::Several { code_points, len } => Some((code_points, len)),
            Next::Shift { len } => Some((Several::default(), len)),
            Next::IllFormed(_) | Next::Incomplete => None,
        }
    }

    /// Returns the exact decoder's result for a character that the fast decoder found.
    fn scalar((scalar, len): (char, usize)) -> Next {
        Next::Scalar { code_point: scalar.into(), len }
    }

    /// Returns the character of a code of `len` bytes, or the error that the code has no character.
    pub(crate) fn assigned(code_point: Option<u32>, len: usize) -> Next {
        let Some(code_point) = code_point else { return Next::ill_formed(IllFormed::Unassigned, len) };
        Next::Scalar { code_point, len }
    }
}

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IllFormedSequence {
    /// The rule that the sequence breaks.
    pub kind: IllFormed,
    /// Number of bytes that belong to the fault, including all subparts that were meant as one sequence.
    pub len: usize,
    /// Number of maximal subparts (Unicode 3.9, D93b) that the bytes consist of.
    pub subparts: usize,
    /// The code point that the bytes would mean without the rule, if it is known.
    pub means: Option<u32>,
    /// The scalar value of the CESU-8 surrogate pair that begins at the sequence, if there is one.
    pub pair: Option<char>,
}

impl IllFormedSequence {
    /// Returns a fault that is one maximal subpart.
    pub(crate) fn whole(kind: IllFormed, len: usize) -> IllFormedSequence {
        IllFormedSequence { kind, len, subparts: 1, means: None, pair: None }
    }

    /// Returns a fault in which each byte is a maximal subpart.
    pub(crate) fn bytewise(kind: IllFormed, len: usize) -> IllFormedSequence {
        IllFormedSequence { subparts: len, ..IllFormedSequence::whole(kind, len) }
    }

    /// Returns the extent of the sequence, in which each maximal subpart takes a column.
    pub fn extent(&self) -> Extent {
        Extent { lines: 0, column: self.subparts as u64 }
    }

    pub(crate) fn meaning(self, code_point: u32) -> IllFormedSequence {
        IllFormedSequence { means: Some(code_point), ..self }
    }
}

/// The highest code point of the Basic Multilingual Plane.
pub(crate) const BMP: u32 = 0xFFFF;
/// The highest code point of Unicode.
pub(crate) const UNICODE: u32 = 0x10_FFFF;
/// The highest code point of the 31-bit code space that UTF-8 and UCS-4 had originally (RFC 2279 section 2).
pub(crate) const HIGHEST_31_BIT: u32 = 0x7FFF_FFFF;

pub(crate) fn is_surrogate(code_point: u32) -> bool {
    (0xD800..0xE000).contains(&code_point)
}

pub(crate) fn is_high_surrogate(code_point: u32) -> bool {
    (0xD800..0xDC00).contains(&code_point)
}

pub(crate) fn is_low_surrogate(code_point: u32) -> bool {
    (0xDC00..0xE000).contains(&code_point)
}

/// Returns the scalar value of a surrogate pair (Unicode 3.9, table 3-5); never `None` for a high and a low surrogate.
pub(crate) fn join(high: u32, low: u32) -> Option<char> {
    char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

/// Measures a run of code units of `SIZE` bytes. `is_lf` is true for a line feed, `starts` for a unit that begins a
/// scalar value.
fn measure_units<const SIZE: usize>(
    run: &[u8],
    is_lf: impl Fn([u8; SIZE]) -> bool + Copy,
    starts: impl Fn([u8; SIZE]) -> bool + Copy,
) -> Extent {
    // The compiler vectorizes short sums in small integers best.
    fn count<const SIZE: usize>(units: &[[u8; SIZE]], is: impl Fn([u8; SIZE]) -> bool) -> u64 {
        units.iter().map(|unit| u16::from(is(*unit))).sum::<u16>().into()
    }
    let mut extent = Extent::default();
    for units in run.as_chunks().0.chunks(256) {
        let lines = count(units, is_lf);
        if lines == 0 {
            extent.column += count(units, starts);
            continue;
        }
        let tail = units.iter().rposition(|unit| is_lf(*unit)).map_or(units, |last| &units[last + 1..]);
        extent = Extent { lines: extent.lines + lines, column: count(tail, starts) };
    }
    extent
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::form::Form;
    use crate::newline::EbcdicNewline;

    fn page(name: &str) -> &'static CodePage {
        match Encoding::for_name(name).expect("a name").form() {
            Form::Page(page) => page,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the ASCII block that `form` finds in `units`, encoded in `size` bytes each, or `None` if there is no
    /// ASCII block.
    fn block(form: impl WellFormed, units: [u32; BLOCK], size: usize, is_big: bool) -> Option<[u8; BLOCK]> {
        let source = units.iter().flat_map(|unit| {
            let [little, big] = [unit.to_le_bytes(), unit.to_be_bytes()];
            if is_big { big[4 - size..].to_vec() } else { little[..size].to_vec() }
        });
        let source: Vec<_> = source.collect();
        assert_eq!(form.ascii::<BLOCK>(&source[1..]), None, "not a whole block");
        form.ascii(&source)
    }

    /// A block with a byte 80 is not ASCII, nor is a block whose last byte composes with the next byte.
    #[test]
    fn blocks_of_ascii() {
        let text = *b"\x01\x7Fplain ASCII t\n";
        let units = text.map(u32::from);
        let with = |unit| {
            let mut units = units;
            units[5] = unit;
            units
        };
        let windows = page("windows-1252").page(EbcdicNewline::Nel);
        let ebcdic = page("IBM037").page(EbcdicNewline::Nel);
        let composing = page("windows-1258").composing();
        let bytes = |units| {
            [
                block(Utf8, units, 1, false),
                block(Cesu8, units, 1, false),
                block(Mutf8, units, 1, false),
                block(Latin1, units, 1, false),
                block(windows, units, 1, false),
                block(composing, units, 1, false),
            ]
        };
        let wide = |units| {
            [
                block(Utf16::<false, UNICODE>, units, 2, false),
                block(Utf16::<true, UNICODE>, units, 2, true),
                block(Utf16::<false, BMP>, units, 2, false),
                block(Utf16::<true, BMP>, units, 2, true),
                block(Utf32::<false, UNICODE>, units, 4, false),
                block(Utf32::<true, UNICODE>, units, 4, true),
                block(Utf32::<false, HIGHEST_31_BIT>, units, 4, false),
                block(Utf32::<true, HIGHEST_31_BIT>, units, 4, true),
            ]
        };
        assert_eq!(bytes(units), [Some(text); 6]);
        assert_eq!(wide(units), [Some(text); 8]);
        for unit in [0x80, 0xFF] {
            assert_eq!(bytes(with(unit)), [None; 6]);
        }
        for unit in [0x80, 0xFF, 0x100, 0x8000] {
            assert_eq!(wide(with(unit)), [None; 8]);
            assert_eq!(
                wide([unit & 0x80; BLOCK]).iter().flatten().count(),
                if unit & 0x80 == 0 { 8 } else { 0 }
            );
        }
        for unit in [0x1_0000, 0x100_0000] {
            assert_eq!(wide(with(unit))[4..], [None; 4]);
        }
        assert_eq!(block(ebcdic, units, 1, false), None);
        let with_nul = bytes(with(0));
        assert_eq!(with_nul.map(|block| block.is_some()), [true, true, false, true, true, true]);
        // If the last letter of a block may compose with a mark after the block, the block is not returned as ASCII.
        let mut ends_in_letter = units;
        ends_in_letter[BLOCK - 1] = b'a'.into();
        assert_eq!(bytes(ends_in_letter).map(|block| block.is_some()), [true, true, true, true, true, false]);
    }

    /// Asserts that a filled row equals the result of single steps, and that [`Decode::rewind`] undoes the row.
    fn rows_are_filled_by_single_steps(form: &Form, text: &[u8], room: usize) {
        let mut filler = form.decoder(EbcdicNewline::default());
        let mut row = vec![[0; 4]; room];
        let Some((read, count)) = filler.fill_row(text, &mut row) else { return };
        let (mut steps, mut at, mut expected) = (form.decoder(EbcdicNewline::default()), 0, Vec::new());
        while at < read {
            at += match steps.next(&text[at..], false) {
                Next::Shift { len } => len,
                Next::Scalar { code_point, len } => {
                    expected.push(code_point);
                    len
                }
                Next::Several { code_points, len } => {
                    expected.extend(&*code_points);
                    len
                }
                other => panic!("{form:?} {text:02X?}: {other:?}"),
            };
            steps.commit();
        }
        let found: Vec<u32> = row[..count].iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        assert_eq!((at, &found), (read, &expected), "{form:?} {text:02X?}");
        assert_eq!(filler.next(&text[read..], true), steps.next(&text[read..], true), "{form:?} {text:02X?}");
        filler.rewind();
        let mut half = vec![[0; 4]; count / 2];
        let (_, again) = filler.fill_row(text, &mut half).expect("it can fill rows");
        assert_eq!(half[..again], row[..again], "{form:?} {text:02X?}");
        let is_whole = again == half.len() || filler.fills_several();
        assert!(is_whole, "{form:?} {text:02X?}");
    }

    /// A row takes the same bytes as single steps, and leaves the decoder in the same state, wherever the row ends.
    #[test]
    fn rows_equal_single_steps() {
        let mut random = crate::testkit::Random(0x9E37_79B9_7F4A_7C15);
        for encoding in Encoding::all() {
            let form = encoding.form();
            for round in 0..40 {
                let mut text = Vec::new();
                let mut encoder = form.encoder(EbcdicNewline::default());
                // Some texts are long enough for the fast paths that decoders have for many characters.
                let longest = if round % 8 == 0 { 600 } else { 40 };
                for _ in 0..random.below(longest) {
                    let (low, high) =
                        random.one(&[(0, 0x7F), (0xA0, 0x17F), (0x3041, 0x30F6), (0x4E00, 0x9FFF)]);
                    encoder.encode((low + random.below(high - low)) as u32, &mut text);
                }
                if round % 2 == 0 && !text.is_empty() {
                    let at = random.below(text.len());
                    text[at] = random.below(256) as u8;
                }
                let (most, room) = (random.below(30), random.below(longest + 10));
                let (mut one, mut found) = (form.decoder(EbcdicNewline::default()), Vec::new());
                let read = one.take_row(&text, most, &mut |code_point| {
                    let has_room = found.len() < room;
                    found.extend(Some(code_point).filter(|_| has_room));
                    has_room
                });
                let (mut other, mut expected, mut at) =
                    (form.decoder(EbcdicNewline::default()), Vec::new(), 0);
                for _ in 0..most {
                    at += match other.next(&text[at..], false) {
                        Next::Shift { len } => len,
                        Next::Scalar { code_point, len } if expected.len() < room => {
                            expected.push(code_point);
                            len
                        }
                        _ => break,
                    };
                    other.commit();
                }
                assert_eq!((read, &found), (at, &expected), "{encoding:?} {text:02X?}");
                rows_are_filled_by_single_steps(&form, &text, room);
                assert_eq!(
                    one.next(&text[at..], true),
                    other.next(&text[at..], true),
                    "{encoding:?} {text:02X?}"
                );
            }
        }
    }

    #[test]
    fn pages_and_their_tables() {
        assert!(page("windows-1252") == page("windows-1252") && page("windows-1252") != page("ISO-8859-2"));
        assert_eq!(format!("{:?}", page("ISO-8859-2")), "CodePage { .. }");
        for (name, is_ascii, has_composites) in [
            ("windows-1252", true, false),
            ("windows-1255", true, true),
            ("windows-1258", true, true),
            ("IBM037", false, false),
        ] {
            assert_eq!(page(name).is_ascii(), is_ascii, "{name}");
            assert_eq!(page(name).page(EbcdicNewline::Nel).is_ascii, is_ascii, "{name}");
            assert_eq!(page(name).has_composites(), has_composites, "{name}");
        }
        assert!(page("windows-1258").composing().page.is_ascii);
        assert!(!page("IBM037").composing().page.is_ascii);
    }

    /// The fast decoders of these forms are tested here, because their exact decoders do not use them.
    #[test]
    fn sequences_by_the_fast_decoder() {
        assert_eq!(Utf32::<true, HIGHEST_31_BIT>.scalar(b"\0\x10\xFF\xFFabcd"), Some(('\u{10FFFF}', 4)));
        assert_eq!(Utf32::<true, HIGHEST_31_BIT>.scalar(b"\0\x11\0\0abcd"), None);
        assert_eq!(Wtf8.scalar(b"\xC3\xA9abcdef"), Some(('é', 2)));
        assert_eq!(Wtf8.scalar(b"\xED\xA0\x80abcde"), None);
    }
}
