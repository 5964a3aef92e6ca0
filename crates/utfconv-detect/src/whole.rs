//! Detects the encoding of a whole text by the evidence that the detector counts, and by the lines and the end of the
//! text, which may be in another encoding.

use std::io::{self, Read, Seek, SeekFrom};

use super::detector::Detector;
use super::hints::Hints;
use super::mixed::Mixed;
use super::result::{Certainty, Detection};
use super::sniff::{HEAD, partly_ascii};
use utfconv_core::Encoding;

/// Detects the encoding of a text, such as a file, from the current position on, and seeks back to that position. If
/// some of the text is UTF-8 and some is not, or if a program appended ASCII to UTF-16, the result is a guess. A
/// [`Detector`] reads the text only once, so it misses such parts if they are rare or far from the start.
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
/// Fails if the source cannot be read.
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

/// Compares the result for a text with the lines of the text. The result is a guess if some lines are UTF-8.
pub fn with_lines(mut found: Detection, source: &mut impl Read) -> io::Result<Detection> {
    let Some(encoding) = found.encoding.filter(|_| !found.is_partly_utf8) else { return Ok(found) };
    found.is_partly_utf8 = Mixed::of(source, encoding)?.is_some();
    let part = found.is_partly_utf8.then(|| "some of it is UTF-8".to_string());
    Ok(contradicted(found, part))
}

/// Returns `found` as a guess if `part` describes a part of the text in another encoding.
fn contradicted(found: Detection, part: Option<String>) -> Detection {
    let Some(part) = part else { return found };
    let reason = format!("{}; but {part}", found.reason);
    Detection { certainty: found.certainty.min(Certainty::Guess), reason, ..found }
}

/// Returns a phrase that says which bytes are ASCII at the end of a text in UTF-16, where a program may have appended
/// them. Looks at the last [`HEAD`] bytes of a text that is longer.
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
    // Seek to the start of a code unit.
    let at = source.seek(SeekFrom::Start(start + before.next_multiple_of(2)))?;
    let mut end = Vec::new();
    source.take(HEAD as u64).read_to_end(&mut end)?;
    Ok(partly_ascii(&end, at, order))
}
