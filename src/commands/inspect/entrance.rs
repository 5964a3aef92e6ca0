//! Finds where to begin reading a file if only a distant range is shown.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use utfconv_core::Encoding;

use crate::files::ranges::{Reading, look_back};

/// Positions up to this byte offset are reached by reading from the start, because that is fast enough and gives line
/// numbers.
const NEAR: u64 = 16 << 20;

/// Seeks to a position from which all sequences at and after `position` are read as in the whole file. Returns that
/// position, and the encoding there unless the position is the start of the text. If the encoding cannot be read from
/// the middle, the position is the start. Without `position`, the text begins at the current position of the file.
pub fn entrance(
    mut file: &File,
    position: Option<u64>,
    reading: &Reading,
) -> io::Result<(u64, Option<&'static Encoding>)> {
    if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        return Ok((0, None));
    }
    // Some files of /proc have no position.
    let current = file.stream_position().unwrap_or(0);
    let Some(position) = position else { return Ok((current, None)) };
    if position <= NEAR || reading.named.is_stateful() {
        if current > 0 {
            file.rewind()?;
        }
        return Ok((0, None));
    }
    let (len, encoding) = reading.open(file)?;
    let found = look_back(file, encoding, position.min(len), |found| Ok(Some(found)))?;
    file.seek(SeekFrom::Start(found))?;
    Ok((found, (found > 0).then_some(encoding)))
}
