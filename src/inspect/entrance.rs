//! Where to begin to read a source of which only what is far behind is shown.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use utfconv_core::Encoding;

use crate::files::ranges::{Reading, look_back};

/// What is no farther from the start is read from there: it takes no time to speak of, and gives lines.
const NEAR: u64 = 16 << 20;

/// Goes to a place of `file` from which all behind `place` reads as in the whole; answers it, and the encoding there if
/// it is amid the text. It is the start of what cannot be read from any other place. Without `place`, the text begins
/// wherever the file stands.
pub fn entrance(
    mut file: &File,
    place: Option<u64>,
    reading: &Reading,
) -> io::Result<(u64, Option<&'static Encoding>)> {
    if !file.metadata()?.is_file() {
        return Ok((0, None));
    }
    // Not all files of /proc tell where they stand.
    let stands = file.stream_position().unwrap_or(0);
    let Some(place) = place else {
        return Ok((stands, None));
    };
    if place <= NEAR || reading.named.is_stateful() {
        if stands > 0 {
            file.rewind()?;
        }
        return Ok((0, None));
    }
    let (len, encoding) = reading.open(file)?;
    let found = look_back(file, encoding, place.min(len), |found| Ok(Some(found)))?;
    file.seek(SeekFrom::Start(found))?;
    Ok((found, (found > 0).then_some(encoding)))
}
