//! Detects the encoding of a text: the one answer that `detect`, `-f auto` and `check` have about a file.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;

use utfconv_core::declaration::HEAD;
use utfconv_core::detect::{Detection, Detector, Grade, Hints};

use super::declared::DeclaredEvidence;
use crate::files::stdio::fill_at;

/// Bytes read at a time, at most.
const BUFFER: usize = 256 << 10;

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

    /// Whether it is certain enough to act on. If a declaration contradicts it, it must be certain.
    pub fn is_enough(&self) -> bool {
        let is_contradicted = self.contradiction().is_some();
        self.found.grade > if is_contradicted { Grade::Likely } else { Grade::Guess }
    }
}

/// Detects the encoding of a range of a file that can be read at any offset, by all of its bytes.
pub fn detect_in(file: &File, range: Range<u64>, name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    detect(&mut Part { file, rest: range.clone() }, Some((file, range)), name, hints)
}

/// Detects the encoding of what can be read from `source`, the content of the file of that `name`. Its end is read
/// first if its `file` and its range there are given.
pub fn detect(
    source: &mut impl Read,
    file: Option<(&File, Range<u64>)>,
    name: &OsStr,
    hints: &Hints,
) -> io::Result<Detected> {
    let len = file.as_ref().map_or(u64::MAX, |(_, range)| range.end.saturating_sub(range.start));
    let mut buffer = vec![0; (len as usize).clamp(1, BUFFER)];
    let mut filled = fill(source, &mut buffer)?;
    let declared = DeclaredEvidence::read(&buffer[..filled], file, name)?;
    let mut detector = Detector::new(hints.clone().declared(declared.encoding()));
    while filled > 0 {
        detector.feed(&buffer[..filled]);
        if detector.is_decided() {
            break;
        }
        filled = fill(source, &mut buffer)?;
    }
    Ok(Detected { found: detector.finish(), declared })
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

/// The rest of a range of a file.
struct Part<'a> {
    file: &'a File,
    rest: Range<u64>,
}

impl Read for Part<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = (self.rest.end - self.rest.start).min(into.len() as u64) as usize;
        let count = fill_at(self.file, &mut into[..most], self.rest.start)?;
        self.rest.start += count as u64;
        Ok(count)
    }
}
