//! Detects the encoding of a text: the one answer that `detect`, `-f auto` and `check` have about a file.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;

use utfconv_core::Encoding;
use utfconv_core::declaration::HEAD;
use utfconv_core::detect::{self, Detection, Detector, Grade, Hints};
use utfconv_core::internals::partly_ascii;

use super::declared::DeclaredEvidence;
use super::mixed::{Mixed, differs_from_utf8};
use crate::files::stdio::{Part, bytes_at};

/// Bytes read at a time, at most.
const BUFFER: usize = 256 << 10;

/// Bytes at the end of a text that are looked at, as many as of its beginning.
const END: usize = detect::HEAD;

/// What was found, and what the text declares.
pub struct Detected {
    pub found: Detection,
    declared: DeclaredEvidence,
}

impl Detected {
    /// A declaration that contradicts what was found, in words.
    pub fn contradiction(&self) -> Option<String> {
        self.declared.contradiction(&self.found)
    }

    /// The encoding of bytes that the text is in, if that is certain enough to act on, and not UTF-8.
    pub fn other_than_utf8(&self) -> Option<&'static Encoding> {
        self.found.encoding.filter(|like| self.is_enough() && differs_from_utf8(like))
    }

    /// Whether the file names its encoding.
    pub fn is_declared(&self) -> bool {
        self.declared.encoding().is_some()
    }

    /// Whether it is certain enough to act on. If a declaration contradicts it, it must be certain.
    pub fn is_enough(&self) -> bool {
        let is_contradicted = self.contradiction().is_some();
        self.found.grade > if is_contradicted { Grade::Likely } else { Grade::Guess }
    }
}

/// Detects the encoding of a range of a file that can be read at any offset, by all of its bytes.
pub fn detect_in(file: &File, range: Range<u64>, name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    detect(&mut Part::new(file, range.clone()), Some((file, range)), name, hints)
}

/// Detects the encoding of what can be read from `source`, the content of the file of that `name`. Its end is read
/// first if its `file` and its range there are given. Without, UTF-8 in text of another encoding is looked for in the
/// first bytes alone.
pub fn detect(
    source: &mut impl Read,
    file: Option<(&File, Range<u64>)>,
    name: &OsStr,
    hints: &Hints,
) -> io::Result<Detected> {
    let len = file.as_ref().map_or(u64::MAX, |(_, range)| range.end.saturating_sub(range.start));
    let mut buffer = vec![0; (len as usize).clamp(1, BUFFER)];
    let mut filled = fill(source, &mut buffer)?;
    let (whole, order) = (file.clone(), Encoding::for_bom(&buffer[..filled]).map(|(of, _)| of));
    let first = if whole.is_none() { buffer[..filled].to_vec() } else { Vec::new() };
    let declared = DeclaredEvidence::read(&buffer[..filled], file, name)?;
    let mut detector = Detector::new(hints.clone().declared(declared.encoding()));
    while filled > 0 {
        detector.feed(&buffer[..filled]);
        if detector.is_decided() {
            break;
        }
        filled = fill(source, &mut buffer)?;
    }
    let mut found = detector.finish();
    let Some(encoding) = found.encoding.filter(|_| !found.is_partly_utf8) else {
        return Ok(Detected { found, declared });
    };
    let (mixed, part) = match whole {
        Some((file, range)) => {
            let mixed = Mixed::of(Part::new(file, range.clone()), encoding)?;
            (mixed, appended_ascii(file, &range, order.unwrap_or(encoding))?)
        }
        None => (Mixed::of(&first[..], encoding)?, None),
    };
    found.is_partly_utf8 = mixed.is_some();
    let part = part.or(mixed.map(|_| "some of it is UTF-8".to_string()));
    if let Some(part) = part {
        found.grade = found.grade.min(Grade::Guess);
        found.reason += &format!("; but {part}");
    }
    Ok(Detected { found, declared })
}

/// Says which bytes are ASCII at the end of a text of UTF-16, in this range of a file: a program appended them. The
/// beginning is not looked at.
pub fn appended_ascii(file: &File, range: &Range<u64>, encoding: &Encoding) -> io::Result<Option<String>> {
    let len = range.end.saturating_sub(range.start);
    if encoding.unit() != 2 || len <= END as u64 {
        return Ok(None);
    }
    // The start of a code unit.
    let start = range.start + (len - END as u64).next_multiple_of(2);
    let part = bytes_at(file, start, (range.end - start) as usize)?;
    Ok(partly_ascii(&part, start, encoding))
}

/// Reads as many bytes as are searched for declarations. The bytes of a pipe may come one by one.
fn fill(source: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < HEAD {
        match source.read(&mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}
