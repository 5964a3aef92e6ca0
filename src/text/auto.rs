//! `-f auto`: detects the encoding of an input before it is converted.

use std::ffi::OsStr;
use std::io;

use utfconv_core::{CheckItem, Checker, Encoding, US_ASCII, UTF_8};
use utfconv_detect::{Certainty, Detection, Hints};

use crate::files::feeder::Feeder;
use crate::files::source::{Input, Opened};
use crate::files::stdio::each_chunk;
use crate::text::declared::updating;
use crate::text::detected::{Detected, FIRST, Remark, detect_in, detect_once};
use crate::ui::quote::see;
use utfconv_core::utf8::end_of_whole_sequences;

/// The reason why the encoding of an input is unknown.
pub struct NotFound {
    pub cause: Unknown,
    /// The reason and advice, as a message.
    pub text: String,
}

/// The kind of reason for which an encoding is unknown.
pub enum Unknown {
    Binary,
    /// The detection was only a guess, which was not accepted.
    Guess(Guess),
    Other,
}

/// A guess, with its likeliest alternatives.
#[derive(Clone, Debug)]
pub struct Guess {
    pub name: &'static str,
    pub alternatives: Vec<&'static str>,
}

/// Returns the encoding of an input, from all of its bytes, or from the first bytes if it can be read only once. `name`
/// is the name of the file, and `least` is the required certainty. If the result is not certain, the encoding that the
/// configuration requires takes precedence, provided that the input is well-formed in it.
pub fn find(
    opened: &mut Opened,
    name: &OsStr,
    hints: &Hints,
    required: Option<&'static Encoding>,
    least: Certainty,
) -> io::Result<Result<&'static Encoding, NotFound>> {
    let mut is_head = false;
    let detected = if let Some(range) = opened.range() {
        detect_in(opened.file(), range, name, hints)?
    } else {
        let head = opened.look_ahead(FIRST)?;
        is_head = head.len() == FIRST;
        // The last sequence is incomplete, because more bytes follow.
        let mut head = if is_head { &head[..end_of_whole_sequences(head)] } else { head };
        detect_once(&mut head, name, hints)?
    };
    if let Some(required) = required.filter(|required| is_preferred(required, &detected.found, hints))
        && is_well_formed(opened, required, FIRST)?
    {
        return Ok(Ok(required));
    }
    // More bytes follow, which may not be ASCII.
    let widened = |found| if is_head && found == &US_ASCII { &UTF_8 } else { found };
    Ok(accepted(detected, least, name).map(widened).map_err(|mut why| {
        if is_head {
            why.text += &format!("; only the first {} KiB of a pipe are looked at", FIRST >> 10);
        }
        why
    }))
}

/// Returns the likely encoding of a file, if it is not UTF-8.
pub fn likely(input: &Input, hints: &Hints) -> Option<&'static Encoding> {
    let opened = if input.is_stdin() { None } else { input.open_regular().ok() }?;
    detect_in(opened.file(), opened.range()?, input.name(), hints).ok()?.other_than_utf8()
}

/// Whether the encoding that the configuration requires is more credible than the detected encoding, provided that the
/// file is well-formed in it.
fn is_preferred(required: &'static Encoding, detected: &Detection, hints: &Hints) -> bool {
    let may_be = hints.candidates.is_empty() || hints.candidates.contains(&required);
    let is_sure = match detected.certainty {
        // Text with escape sequences is also ASCII.
        Certainty::Certain => detected.encoding != Some(&US_ASCII) || !required.is_stateful(),
        // Almost any bytes are well-formed as wider code units.
        Certainty::Likely => required.code_unit_len() > 1,
        Certainty::Guess | Certainty::Unknown => false,
    };
    may_be && !is_sure && !detected.is_binary()
}

/// Whether the bytes of an input are well-formed in this encoding. If the input can be read only once, only its first
/// bytes are checked.
pub fn is_well_formed(opened: &mut Opened, encoding: &'static Encoding, most: usize) -> io::Result<bool> {
    let mut feeder = Feeder::new(Checker::new(encoding));
    let mut is_well_formed = true;
    let mut feed = |chunk: &[u8], is_last| {
        feeder.feed(chunk, is_last, |item, _, _, _| {
            is_well_formed &= !matches!(item, CheckItem::Fault(_));
            is_well_formed
        });
        is_well_formed
    };
    let Some(range) = opened.range() else {
        let head = opened.look_ahead(most)?;
        return Ok(feed(head, head.len() < most));
    };
    each_chunk(opened.file(), range, |chunk, is_last| Ok(feed(chunk, is_last)))?;
    Ok(is_well_formed)
}

/// Returns the detected encoding if it is certain enough. If a declaration contradicts the encoding, the detection has
/// to be certain.
fn accepted(detected: Detected, least: Certainty, file: &OsStr) -> Result<&'static Encoding, NotFound> {
    let is_binary = detected.found.is_binary();
    let (is_enough, remark) = (detected.is_enough(), detected.remark());
    let Detection { encoding, name, mut reason, alternatives, certainty, is_partly_utf8, .. } =
        detected.found;
    let Some(encoding) = encoding else {
        let text = name.map_or(reason, |name| format!("is {name}, which is not supported"));
        return Err(NotFound { cause: if is_binary { Unknown::Binary } else { Unknown::Other }, text });
    };
    // No single encoding converts the whole file correctly.
    if is_partly_utf8 {
        let text = format!("some of it is UTF-8, and some is not; {}", see("repair", file));
        return Err(NotFound { cause: Unknown::Other, text });
    }
    if least == Certainty::Guess || is_enough && certainty >= least {
        return Ok(encoding);
    }
    let name = encoding.name();
    let declared = remark.as_ref().and_then(|remark| remark.encoding);
    if let Some(Remark { clause, is_contradiction: true, .. }) = &remark {
        // A declaration of UTF-8 is wrong if the text looks like another encoding.
        let declared = declared.filter(|declared| ![encoding, declared].contains(&&UTF_8));
        let named = match declared {
            None => "-f to name the right encoding".to_string(),
            Some(declared) => format!("-f {} if that is right", declared.name()),
        };
        let otherwise = if encoding == &UTF_8 && file != "-" {
            // The file was probably converted before, without its declaration.
            format!("'{}' to correct the declaration", updating(file, encoding))
        } else {
            format!("--min-certainty=guess to use {name}")
        };
        let text = format!("it looks like {name} ({reason}){clause}; use {named}, or {otherwise}");
        // Files with different declarations need different options, so such files are not grouped with other guesses.
        return Err(NotFound { cause: Unknown::Other, text });
    }
    reason += &remark.map_or(String::new(), |remark| remark.clause);
    let alternatives: Vec<_> = alternatives.into_iter().take(3).collect();
    // UTF-8 would be certain if the file had no errors.
    let text = if encoding == &UTF_8 {
        format!("it is UTF-8 with errors ({reason}); {}", see("repair", file))
    } else {
        let others: String = alternatives.iter().map(|other| format!(", or {other}")).collect();
        let advice = if declared == Some(encoding) {
            format!("-f {name} if that is right")
        } else {
            format!("-f to name the encoding, or --min-certainty={} to use {name}", certainty.word())
        };
        format!("may be {name}{others} ({reason}); use {advice}")
    };
    Err(NotFound { cause: Unknown::Guess(Guess { name, alternatives }), text })
}
