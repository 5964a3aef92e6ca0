//! `-f auto`: the encoding of an input is found out before it is converted.

use std::io;

use utfconv::Encoding;

use super::detect::{Certainty, Detected, Detector};
use super::source::Opened;
use super::stdio::fill_at;

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;

/// Bytes of what can be read only once that are looked at.
const HEAD: usize = 64 << 10;

/// Why the encoding is not known.
pub struct NotFound {
    pub text: String,
    pub is_binary: bool,
}

/// The encoding of an input, by all of its bytes, or by the first ones if it can be read only once.
pub fn find(opened: &mut Opened, accepts_guess: bool) -> io::Result<Result<&'static Encoding, NotFound>> {
    let mut detector = Detector::new();
    match opened.range() {
        Some(range) => {
            let mut buffer = vec![0; BUFFER.min((range.end - range.start) as usize + 1)];
            let mut offset = range.start;
            loop {
                let read = fill_at(opened.file(), &mut buffer, offset)?;
                detector.feed(&buffer[..read]);
                offset += read as u64;
                if read < buffer.len() {
                    break;
                }
            }
        }
        None => detector.feed(opened.look_ahead(HEAD)?),
    }
    Ok(judge(detector.finish(), accepts_guess))
}

fn judge(detected: Detected, accepts_guess: bool) -> Result<&'static Encoding, NotFound> {
    let Detected { encoding, certainty, reason, alternatives, .. } = detected;
    let Some(encoding) = encoding else {
        // What is in none of the encodings that are guessed at is less sure to be none.
        return Err(NotFound { text: reason, is_binary: certainty == Certainty::Certain });
    };
    if certainty > Certainty::Guess || accepts_guess {
        return Ok(encoding);
    }
    let mut text = format!("may be {}", encoding.name());
    for other in alternatives.iter().take(3) {
        text += &format!(", or {}", other.name());
    }
    text += &format!(" ({reason}); -f names the encoding, --accept-guess takes {}", encoding.name());
    Err(NotFound { text, is_binary: false })
}
