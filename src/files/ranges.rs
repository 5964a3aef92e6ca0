//! Ranges of a file, as in `--range`, cut so that the ranges of any partition decode to the same text as the whole
//! file.
//!
//! A range has the characters that start between its two offsets. Where it begins and ends depends only on these
//! offsets and the bytes around them, so that separate processes agree on each boundary. Earlier text that a position
//! depends on is searched backwards, from boundary to boundary.

use std::fs::File;
use std::io;
use std::ops::Range;

use utfconv_core::{Checker, EbcdicNewline, Encoding, InputBom, Position};

use crate::files::feeder::Feeder;
use crate::files::source::ensure_regular;
use crate::files::stdio::{each_chunk, fill_at};

/// Two byte offsets, as typed by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub start: u64,
    /// The end offset; `None` means the end of the file.
    pub end: Option<u64>,
}

/// Describes the expected form of a range.
const EXPECTED: &str =
    "expected A:B (byte offsets), such as 0:1000; --list-ranges N prints ranges that make up a file";

impl Bounds {
    /// Parses `A:B`. Without A, the range begins at the start of the file; without B, it ends at the end.
    pub fn parse(text: &str) -> Result<Bounds, String> {
        let offset = |digits: &str| {
            if digits.bytes().all(|byte| byte.is_ascii_digit()) {
                digits.parse().map_err(|_| format!("{digits} is too large"))
            } else {
                Err(EXPECTED.to_string())
            }
        };
        let (start, end) = text.split_once(':').ok_or(EXPECTED)?;
        let start = if start.is_empty() { 0 } else { offset(start)? };
        let end = if end.is_empty() { None } else { Some(offset(end)?) };
        match end {
            Some(end) if end < start => Err(format!("{end} is before {start}")),
            _ => Ok(Bounds { start, end }),
        }
    }
}

/// Whether lines and columns are unknown, because a range begins within a file and its first line was not given.
pub fn hides_lines(range: Option<Bounds>, first_line: Option<u64>) -> bool {
    range.is_some_and(|bounds| bounds.start > 0) && first_line.is_none()
}

/// The options for reading a file.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The encoding as named by the user; a BOM may still decide its byte order.
    pub named: &'static Encoding,
    pub input_bom: InputBom,
    pub newline: EbcdicNewline,
}

impl Reading {
    /// Returns a checker of text in `encoding` that begins at `position`. `is_first` says whether the position is the
    /// start of the file.
    pub fn checker(&self, encoding: &'static Encoding, is_first: bool, position: Position) -> Checker {
        let checker = Checker::new(if is_first { self.named } else { encoding });
        let checker = checker.input_bom(self.input_bom).ebcdic_newline(self.newline);
        if is_first { checker } else { checker.starting_at(position) }
    }

    /// Returns the position at the end of a range of text in `encoding`, counted from the start of the range.
    pub fn position(
        &self,
        file: &File,
        range: Range<u64>,
        encoding: &'static Encoding,
    ) -> io::Result<Position> {
        let mut feeder = Feeder::new(self.checker(encoding, range.start == 0, Position::default()));
        each_chunk(file, range, |chunk, is_last| {
            feeder.feed(chunk, is_last, |_, _, _, _| true);
            Ok(true)
        })?;
        Ok(feeder.checker.position())
    }

    /// Returns the length of a regular file in bytes, and the encoding in the byte order that its first bytes give.
    pub fn open(&self, file: &File) -> io::Result<(u64, &'static Encoding)> {
        let metadata = file.metadata()?;
        ensure_regular(&metadata)?;
        let mut head = [0; 4];
        let filled = fill_at(file, &mut head, 0)?;
        // Files of /proc report a length of 0.
        if metadata.len() < filled as u64 {
            return Err(io::Error::other("its length is unknown; ranges require a known length"));
        }
        Ok((metadata.len(), self.input_bom.read_as(self.named, &head[..filled])))
    }
}

/// A range of a file that begins and ends at character boundaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The byte range, which consists of whole characters.
    pub bytes: Range<u64>,
    /// The length of the file in bytes.
    pub of: u64,
    /// The encoding, whose byte order the first bytes of the file decided.
    pub encoding: &'static Encoding,
}

impl Span {
    /// Returns the characters of `file` that start within `bounds`.
    ///
    /// # Errors
    /// Fails if the file cannot be read at an offset, or ends before the range begins.
    pub fn find(file: &File, bounds: Bounds, reading: &Reading) -> io::Result<Span> {
        let (of, encoding) = reading.open(file)?;
        if bounds.start > of {
            let text = format!("the range starts at byte {}, but the file ends at {of}", bounds.start);
            return Err(io::Error::other(text));
        }
        let start = cut(file, encoding, bounds.start, of)?;
        let end = cut(file, encoding, bounds.end.unwrap_or(of), of)?;
        Ok(Span { bytes: start..end, of, encoding })
    }

    /// Fails if `file` is now shorter than the end of the range, so that not all of the range was read.
    pub fn ensure_whole(&self, file: &File) -> io::Result<()> {
        let is_whole = file.metadata()?.len() >= self.bytes.end;
        if is_whole { Ok(()) } else { Err(io::Error::other("the file became shorter while it was read")) }
    }

    /// Whether the range ends at the end of the file.
    pub fn is_last(&self) -> bool {
        self.bytes.end == self.of
    }

    /// Returns the position at the start of the range. The range was requested from byte `asked` on, which is in line
    /// `line`. `position_from` is [`Span::position_from`], or a function that counts as the reader of the range does.
    pub fn position(
        &self,
        file: &File,
        reading: &Reading,
        asked: u64,
        line: u64,
        position_from: impl Fn(u64) -> io::Result<Position>,
    ) -> io::Result<Position> {
        let start = self.bytes.start;
        // Line feeds may be between the requested byte and the start of the range.
        let unit = self.encoding.code_unit_len() as u64;
        let lines = self.position_from(file, reading, asked - asked % unit)?.line() - 1;
        look_back(file, self.encoding, start, |at| {
            let position = position_from(at)?;
            let is_known = at == 0 || position.line() > 1;
            Ok(is_known.then(|| Position::new(start, line + lines, position.column())))
        })
    }

    /// Returns the position at the start of the range, counted from byte `from` of the file.
    pub fn position_from(&self, file: &File, reading: &Reading, from: u64) -> io::Result<Position> {
        reading.position(file, from..self.bytes.start, self.encoding)
    }
}

/// Number of bytes to read at a time.
pub const BUFFER: usize = 64 << 10;

/// Returns the number of bytes to read at a time of a range, which is usually short.
pub fn buffer_len(range: &Range<u64>) -> usize {
    (range.end - range.start).clamp(1, BUFFER as u64) as usize
}

/// Cuts a file into `count` ranges of about equal length, or into fewer if it has fewer boundaries. An empty file has
/// one range.
pub fn split(file: &File, count: u64, reading: &Reading) -> io::Result<Vec<Range<u64>>> {
    let (len, encoding) = reading.open(file)?;
    let (mut ranges, mut start) = (Vec::new(), 0);
    for number in 1..=count {
        // The product may exceed 64 bits.
        let at = (u128::from(len) * u128::from(number) / u128::from(count)) as u64;
        if at > start {
            let end = cut(file, encoding, at, len)?;
            ranges.push(start..end);
            start = end;
        }
    }
    if ranges.is_empty() {
        ranges.push(0..0);
    }
    Ok(ranges)
}

/// Number of bytes that are searched first, and in each further step.
const WINDOWS: [usize; 2] = [64, 64 << 10];

/// Returns the first boundary ([`Encoding::boundary`]) of a file at or after byte `at`. `len`, the length of the file
/// in bytes, is a boundary too.
pub fn cut(file: &File, encoding: &Encoding, mut at: u64, len: u64) -> io::Result<u64> {
    const CONTEXT: u64 = Encoding::BOUNDARY_CONTEXT as u64;
    let mut sizes = WINDOWS.into_iter();
    let mut window = Vec::new();
    if at == 0 {
        return Ok(0);
    }
    while at < len {
        let size = sizes.next().unwrap_or(window.len());
        window.resize(size, 0);
        // The window begins at a multiple of four bytes, so that it begins with a code unit.
        let start = at.saturating_sub(CONTEXT) & !3;
        let filled = fill_at(file, &mut window, start)?;
        if let Some(found) = encoding.boundary(&window[..filled], (at - start) as usize) {
            return Ok(len.min(start + found as u64));
        }
        if filled < window.len() {
            break;
        }
        // Boundaries near the end of a window cannot always be decided, so the next window overlaps it.
        at = at.max(start + filled as u64 - CONTEXT);
    }
    Ok(len)
}

/// Calls `find` with boundaries of a file at or before byte `at`, each much farther back than the previous one, until
/// `find` returns a value. At the start of the file, `find` has to return a value.
pub fn look_back<T>(
    file: &File,
    encoding: &Encoding,
    at: u64,
    mut find: impl FnMut(u64) -> io::Result<Option<T>>,
) -> io::Result<T> {
    const LEAST: u64 = 256;
    const GROWTH: u64 = 16;
    let mut distance = LEAST;
    loop {
        let from = at.saturating_sub(distance);
        // Search up to `at + 1`, which is far enough to decide whether `at` is a boundary.
        let boundary = cut(file, encoding, from, at + 1)?;
        if boundary <= at
            && let Some(found) = find(boundary)?
        {
            return Ok(found);
        }
        assert!(from > 0, "something is found at the start of the file");
        distance = distance.saturating_mul(GROWTH);
    }
}

/// Fails for encodings whose ranges cannot be converted separately.
pub fn refuse_states(from: &Encoding) -> Result<(), String> {
    if from.has_boundaries() {
        return Ok(());
    }
    Err(format!("ranges cannot be used with {}, which has shift states", from.name()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::testkit::Random;

    const READING: Reading =
        Reading { named: &utfconv_core::UTF_8, input_bom: InputBom::Auto, newline: EbcdicNewline::Nel };

    #[test]
    fn ranges_make_up_the_file() {
        let mut random = Random(1);
        let mut file = tempfile::tempfile().expect("a temporary file");
        for len in [0, 1, 2, 63, 64, 65, 1000, 200_000] {
            // Long runs without an ASCII character have few or no boundaries in Shift_JIS.
            let bytes: Vec<_> = (0..len)
                .map(|at| if at % 70_000 == 69_000 { b'a' } else { b"\x81\xE0\xE6"[random.below(3)] })
                .collect();
            file.set_len(len as u64).expect("a file");
            io::Seek::rewind(&mut file).and_then(|()| file.write_all(&bytes)).expect("room");
            for name in ["UTF-8", "Shift_JIS", "UTF-16BE", "UTF-32"] {
                let reading = Reading { named: Encoding::for_name(name).expect("a name"), ..READING };
                for count in [1, 2, 3, 7, 64, 1 << 18] {
                    let ranges = split(&file, count, &reading).expect("it can be read");
                    assert!(ranges.len() as u64 <= count && ranges[0].start == 0, "{name} {len} {count}");
                    assert_eq!(ranges.last().expect("one").end, len as u64);
                    for pair in ranges.windows(2) {
                        assert!(pair[0].end == pair[1].start && !pair[1].is_empty(), "{name} {len} {count}");
                    }
                    // Each range begins and ends at boundaries, so finding it again returns the same range.
                    for range in &ranges {
                        let bounds = Bounds { start: range.start, end: Some(range.end) };
                        assert_eq!(
                            Span::find(&file, bounds, &reading).expect("it can be read").bytes,
                            *range
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_file_that_became_shorter_is_noticed() {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(b"abcdef").expect("room");
        let span = Span::find(&file, Bounds { start: 2, end: Some(5) }, &READING).expect("it can be read");
        assert!(!span.is_last() && span.ensure_whole(&file).is_ok());
        file.set_len(5).expect("a file");
        assert!(span.ensure_whole(&file).is_ok());
        file.set_len(4).expect("a file");
        assert!(span.ensure_whole(&file).is_err());
    }
}
