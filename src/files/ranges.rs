//! Ranges of a file, as `--range` names them: cut so that the ranges of any partition are decoded as the whole is.
//!
//! A range holds the characters that start between its two offsets. Where it begins and ends depends only on these
//! offsets and the bytes around them, so that separate processes agree on each boundary. The earlier text that a
//! position needs is searched backwards, from one boundary to another.

use std::fs::File;
use std::io;
use std::ops::Range;

use utfconv_core::{Checker, EbcdicNewline, Encoding, InputBom, Position};

use crate::files::feeder::Feeder;
use crate::files::source::ensure_regular;
use crate::files::stdio::{each_chunk, fill_at};

/// Two offsets in bytes, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub start: u64,
    /// None is the end of the file.
    pub end: Option<u64>,
}

/// What a range should be, in words.
const EXPECTED: &str =
    "expected A:B (byte offsets), such as 0:1000; --list-ranges N prints ranges that make up a file";

impl Bounds {
    /// Reads `A:B`. Without A it is the start of the file, without B the end.
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

/// Whether lines and columns are unknown: a range begins inside a file, and its first line is not given.
pub fn hides_lines(range: Option<Bounds>, first_line: Option<u64>) -> bool {
    range.is_some_and(|bounds| bounds.start > 0) && first_line.is_none()
}

/// How a file is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// As named: a BOM may still decide the byte order.
    pub named: &'static Encoding,
    pub input_bom: InputBom,
    pub newline: EbcdicNewline,
}

impl Reading {
    /// A checker that begins at `position`: the start of the file if it is the first; else inside it, where `encoding` is
    /// read.
    pub fn checker(&self, encoding: &'static Encoding, is_first: bool, position: Position) -> Checker {
        let checker = Checker::new(if is_first { self.named } else { encoding });
        let checker = checker.input_bom(self.input_bom).ebcdic_newline(self.newline);
        if is_first { checker } else { checker.starting_at(position) }
    }

    /// Returns the position at the end of a range of a file, counted from its start, where `encoding` is read.
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

    /// Returns the length of a regular file, and the encoding with the byte order that its first bytes give.
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

/// A range of a file, at character boundaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its bytes: whole characters.
    pub bytes: Range<u64>,
    /// The length of the file.
    pub of: u64,
    /// The encoding, its byte order decided by the first bytes of the file.
    pub encoding: &'static Encoding,
}

impl Span {
    /// Returns the characters of `file` that start within `bounds`.
    ///
    /// # Errors
    /// If it cannot be read at an offset, or ends before the range begins.
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

    /// Fails if `file` has become shorter than that since: what was read is not all of it.
    pub fn ensure_whole(&self, file: &File) -> io::Result<()> {
        if file.metadata()?.len() < self.bytes.end {
            Err(io::Error::other("the file became shorter while it was read"))
        } else {
            Ok(())
        }
    }

    /// Whether the file ends with it.
    pub fn is_last(&self) -> bool {
        self.bytes.end == self.of
    }

    /// Returns the position where it begins, if it was asked for from byte `asked` on, which is in line `line`.
    /// `position_from` is [`Span::position_from`], or counts as the reader of the span does.
    pub fn position(
        &self,
        file: &File,
        reading: &Reading,
        asked: u64,
        line: u64,
        position_from: impl Fn(u64) -> io::Result<Position>,
    ) -> io::Result<Position> {
        let start = self.bytes.start;
        // There may be a line feed between the two.
        let unit = self.encoding.code_unit_len() as u64;
        let lines = self.position_from(file, reading, asked - asked % unit)?.line() - 1;
        look_back(file, self.encoding, start, |at| {
            let position = position_from(at)?;
            let is_known = at == 0 || position.line() > 1;
            Ok(is_known.then(|| Position::new(start, line + lines, position.column())))
        })
    }

    /// Returns the position where it begins, counted from byte `from` of the file.
    pub fn position_from(&self, file: &File, reading: &Reading, from: u64) -> io::Result<Position> {
        reading.position(file, from..self.bytes.start, self.encoding)
    }
}

/// Bytes to read at a time.
pub const BUFFER: usize = 64 << 10;

/// Bytes to read at a time of a range, which is mostly a short one.
pub fn buffer_len(range: &Range<u64>) -> usize {
    (range.end - range.start).clamp(1, BUFFER as u64) as usize
}

/// Cuts a file into ranges of about the same length, `count` of them or as many as there are cuts for; one, if it is empty.
pub fn split(file: &File, count: u64, reading: &Reading) -> io::Result<Vec<Range<u64>>> {
    let (len, encoding) = reading.open(file)?;
    let (mut ranges, mut start) = (Vec::new(), 0);
    for number in 1..=count {
        // The product does not always fit into 64 bits.
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

/// How many bytes are searched first, and after that.
const WINDOWS: [usize; 2] = [64, 64 << 10];

/// Returns the first boundary ([`Encoding::boundary`]) of a file at or after `at`; `len`, where it ends, is one.
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
        // Begins where a code unit does.
        let start = at.saturating_sub(CONTEXT) & !3;
        let filled = fill_at(file, &mut window, start)?;
        if let Some(found) = encoding.boundary(&window[..filled], (at - start) as usize) {
            return Ok(len.min(start + found as u64));
        }
        if filled < window.len() {
            break;
        }
        // Boundaries near the end of a window cannot always be decided.
        at = at.max(start + filled as u64 - CONTEXT);
    }
    Ok(len)
}

/// Calls `find` with boundaries of a file up to `at`, each much farther back than the one before, until it returns
/// something. It always does at the start of the file.
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
        // Far enough to decide whether `at` is one.
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

/// Refuses encodings whose ranges cannot be converted separately.
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
            // Long runs without an ASCII character have few boundaries in Shift_JIS, or none.
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
                    // They are their own cuts.
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
