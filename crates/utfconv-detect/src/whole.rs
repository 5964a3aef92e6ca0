//! Detects the encoding of a whole text: by the evidence that the detector counts, then by the lines and the end of the
//! text, which may be in another encoding.

use std::io::{self, Read, Seek, SeekFrom};

use super::detector::Detector;
use super::hints::Hints;
use super::mixed::Mixed;
use super::result::{Certainty, Detection};
use super::sniff::{HEAD, partly_ascii};
use utfconv_core::Encoding;

/// Detects the encoding of a text, such as a file, from the current position on, to which it returns. If some of the text is in UTF-8 and
/// some is not, or a program appended ASCII to UTF-16, the encoding of the rest is a guess. A [`Detector`] alone does not
/// find that where it is rare or far from the start: it reads the text once.
///
/// ```
/// use std::io::Cursor;
/// use utfconv_detect::{Certainty, Hints, detect};
///
/// let german = b"sch\xF6ne Gr\xFC\xDFe f\xFCr J\xFCrgen M\xFCller\n".repeat(100);
/// let found = detect(&mut Cursor::new(&german), Hints::default())?;
/// assert_eq!((found.name, found.certainty), (Some("windows-1252"), Certainty::Likely));
///
/// let mixed = [&german, "Grüße aus Köln\n".as_bytes()].concat();
/// let found = detect(&mut Cursor::new(&mixed), Hints::default())?;
/// assert_eq!((found.certainty, found.is_partly_utf8), (Certainty::Guess, true));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the source cannot be read.
pub fn detect(source: &mut (impl Read + Seek), hints: Hints) -> io::Result<Detection> {
    let start = source.stream_position()?;
    let mut detector = Detector::new(hints);
    detector.read(source)?;
    source.seek(SeekFrom::Start(start))?;
    let found = with_lines(detector.finish(), source)?;
    source.seek(SeekFrom::Start(start))?;
    let part = found.encoding.map_or(Ok(None), |encoding| appended_ascii(source, encoding))?;
    Ok(contradicted(found, part))
}

/// Compares the result for a text with its lines, and returns a guess if some are UTF-8.
pub fn with_lines(mut found: Detection, source: &mut impl Read) -> io::Result<Detection> {
    let Some(encoding) = found.encoding.filter(|_| !found.is_partly_utf8) else { return Ok(found) };
    found.is_partly_utf8 = Mixed::of(source, encoding)?.is_some();
    let part = found.is_partly_utf8.then(|| "some of it is UTF-8".to_string());
    Ok(contradicted(found, part))
}

/// Returns a guess if a part of the text contradicts the result.
fn contradicted(found: Detection, part: Option<String>) -> Detection {
    let Some(part) = part else { return found };
    let reason = format!("{}; but {part}", found.reason);
    Detection { certainty: found.certainty.min(Certainty::Guess), reason, ..found }
}

/// Says which bytes are ASCII at the end of a text of UTF-16: a program appended them. The beginning is not looked at.
pub fn appended_ascii(
    source: &mut (impl Read + Seek),
    encoding: &'static Encoding,
) -> io::Result<Option<String>> {
    if encoding.code_unit_len() != 2 {
        return Ok(None);
    }
    let start = source.stream_position()?;
    let mut bom = Vec::new();
    source.by_ref().take(2).read_to_end(&mut bom)?;
    let order = Encoding::for_bom(&bom).map_or(encoding, |(of, _)| of);
    let len = source.seek(SeekFrom::End(0))?.saturating_sub(start);
    let Some(before) = len.checked_sub(HEAD as u64).filter(|before| *before > 0) else { return Ok(None) };
    // The start of a code unit.
    let at = source.seek(SeekFrom::Start(start + before.next_multiple_of(2)))?;
    let mut end = Vec::new();
    source.take(HEAD as u64).read_to_end(&mut end)?;
    Ok(partly_ascii(&end, at, order))
}
