//! `-f auto`: detects the encoding of an input before it is converted.

use std::ffi::OsStr;
use std::io;

use utfconv_core::detect::{Detection, Detector, Grade, Hints};
use utfconv_core::{Encoding, US_ASCII, UTF_8};

use crate::convert::configured::is_well_formed;
use crate::detect::declared::DeclaredEvidence;
use crate::files::source::Opened;
use crate::files::stdio::fill_at;
use utfconv_core::internals::end_of_whole_sequences;

/// Bytes read at a time.
const BUFFER: u64 = 256 << 10;

/// Bytes of what can be read only once that are looked at.
pub const HEAD: usize = 64 << 10;

/// Why the encoding is not known.
pub struct NotFound {
    pub text: String,
    pub is_binary: bool,
    /// The guess that was not accepted.
    pub guess: Option<Guess>,
}

/// A guess, and the likeliest alternatives to it.
#[derive(Clone, Debug)]
pub struct Guess {
    pub name: &'static str,
    pub alternatives: Vec<&'static str>,
}

impl NotFound {
    /// Another reason.
    pub fn other(text: String) -> NotFound {
        NotFound { text, is_binary: false, guess: None }
    }

    /// The same, by the first bytes alone.
    fn by_head(mut self) -> NotFound {
        self.text += &format!("; only the first {} KiB of a pipe are looked at", HEAD >> 10);
        self
    }
}

/// The encoding of an input, by all of its bytes, or by the first ones if it can be read only once. `name` is that of its file.
/// What the configuration requires takes precedence over what is not certain, if the input is well-formed in it.
pub fn find(
    opened: &mut Opened,
    name: &OsStr,
    hints: &Hints,
    required: Option<&'static Encoding>,
    accepts_guess: bool,
) -> io::Result<Result<&'static Encoding, NotFound>> {
    let mut is_head = false;
    let (found, declared) = if let Some(range) = opened.range() {
        let mut buffer = vec![0; (range.end - range.start + 1).min(BUFFER) as usize];
        let mut offset = range.start;
        let mut read = fill_at(opened.file(), &mut buffer, offset)?;
        let declared = DeclaredEvidence::read(&buffer[..read], Some((opened.file(), range.clone())), name)?;
        let mut detector = detector(hints, &declared);
        loop {
            detector.feed(&buffer[..read]);
            if read < buffer.len() || detector.is_decided() {
                break;
            }
            offset += read as u64;
            read = fill_at(opened.file(), &mut buffer, offset)?;
        }
        (detector.finish(), declared)
    } else {
        let head = opened.look_ahead(HEAD)?;
        is_head = head.len() == HEAD;
        let declared = DeclaredEvidence::read(head, None, name)?;
        let mut detector = detector(hints, &declared);
        // What follows may continue the last sequence.
        detector.feed(if is_head { &head[..end_of_whole_sequences(head)] } else { head });
        (detector.finish(), declared)
    };
    if let Some(required) = required.filter(|required| is_preferred(required, &found, hints))
        && is_well_formed(opened, required, HEAD)?
    {
        return Ok(Ok(required));
    }
    // What follows may be more than US-ASCII.
    let widened = |found| if is_head && found == &US_ASCII { &UTF_8 } else { found };
    let accepted = accepted(found, &declared, accepts_guess).map(widened);
    Ok(accepted.map_err(|not_found| if is_head { not_found.by_head() } else { not_found }))
}

/// Whether the encoding that is required of a file is more credible than the detected one, if the file is well-formed there.
fn is_preferred(required: &'static Encoding, detected: &Detection, hints: &Hints) -> bool {
    let may_be = hints.candidates.is_empty() || hints.candidates.contains(&required);
    let is_sure = match detected.grade {
        // Text with escapes is ASCII, too.
        Grade::Certain => detected.encoding != Some(&US_ASCII) || !required.is_stateful(),
        // Nearly all bytes are well-formed as wider units.
        Grade::Likely => required.unit() > 1,
        Grade::Guess | Grade::Unknown => false,
    };
    may_be && !is_sure && !detected.is_binary()
}

fn detector(hints: &Hints, declared: &DeclaredEvidence) -> Detector {
    Detector::new(hints.clone().declared(declared.encoding()))
}

/// The detected encoding, if it is certain enough; what a declaration contradicts has to be proved.
fn accepted(
    detected: Detection,
    declared: &DeclaredEvidence,
    accepts_guess: bool,
) -> Result<&'static Encoding, NotFound> {
    let is_binary = detected.is_binary();
    let contradiction = declared.contradiction(&detected);
    let Detection { encoding, name, grade, reason, alternatives, .. } = detected;
    let Some(encoding) = encoding else {
        let text = name.map_or(reason, |name| format!("is {name}, which is not supported"));
        return Err(NotFound { is_binary, ..NotFound::other(text) });
    };
    let is_enough = grade > if contradiction.is_some() { Grade::Likely } else { Grade::Guess };
    if is_enough || accepts_guess {
        return Ok(encoding);
    }
    let name = encoding.name();
    if let Some(contradiction) = contradiction {
        // What is declared differs from file to file: no group of guesses is reported.
        return Err(NotFound::other(format!(
            "it looks like {name} ({reason}), but {contradiction}; use -f to name the right encoding, or --accept-guess to use {name}"
        )));
    }
    let alternatives: Vec<_> = alternatives.into_iter().take(3).collect();
    let others: String = alternatives.iter().map(|other| format!(", or {other}")).collect();
    let advice = format!("use -f to name the encoding, or --accept-guess to use {name}");
    let text = format!("may be {name}{others} ({reason}); {advice}");
    Err(NotFound { guess: Some(Guess { name, alternatives }), ..NotFound::other(text) })
}
