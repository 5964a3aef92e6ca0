//! Repairs a document in windows: decodes units in other encodings, then undoes double encoding.

use std::borrow::Cow;

use super::changes::{Found, Suspect, composed};
use super::confusion::Confusion;
use super::levels::Repairer;
use super::mixture::{Mixture, Unit, Unread, Whole};
use utfconv_core::Encoding;
use utfconv_core::edit::spliced;
use utfconv_core::utf8::end_of_whole_sequences;

/// Maximum length of a window, and of a unit that is decoded, in bytes.
pub const WINDOW: usize = 1 << 20;

/// Returns the length of the first window of `rest` in bytes, and whether the window ends within a line. `rest` is the
/// rest of the document if `is_ended`, and otherwise more than [`WINDOW`] bytes of it.
///
/// ```
/// use utfconv_repair::window_len;
///
/// assert_eq!(window_len(b"the last line", true), (13, false));
/// ```
#[must_use]
pub fn window_len(rest: &[u8], is_ended: bool) -> (usize, bool) {
    if rest.len() <= WINDOW && is_ended {
        return (rest.len(), false);
    }
    let window = &rest[..rest.len().min(WINDOW)];
    match memchr::memrchr(b'\n', window) {
        Some(at) => (at + 1, false),
        None => (end_in_line(window), true),
    }
}

/// Returns the end of a window within a long line: after an ASCII byte near its end, or else between two characters.
fn end_in_line(window: &[u8]) -> usize {
    const NEAR: usize = 4 << 10;
    let near = window.len().saturating_sub(NEAR);
    if let Some(at) = window[near..].iter().rposition(u8::is_ascii) {
        return near + at + 1;
    }
    end_of_whole_sequences(window)
}

/// Repairs a document that arrives in windows.
///
/// ```
/// use utfconv_repair::{Document, Unit};
///
/// let mut document = Document::new(Unit::Line, &[]);
/// let found = document.next(b"Gr\xC3\xBC\xC3\x9Fe aus K\xC3\xB6ln\nGr\xFC\xDFe aus M\xFCnchen\n", false);
/// let change = &found.changes[0];
/// assert_eq!(change.text, "Grüße aus München");
/// assert_eq!(change.encoding.map(|encoding| encoding.name()), Some("windows-1252"));
/// ```
#[derive(Debug)]
pub struct Document {
    repairer: Repairer,
    mixture: Mixture,
    confusion: Confusion,
}

impl Document {
    /// Creates a document. `candidates` are the encodings that it may mix; if there are none, they are detected.
    #[must_use]
    pub fn new(unit: Unit, candidates: &[&'static Encoding]) -> Document {
        Document {
            repairer: Repairer::new(),
            mixture: Mixture::new(unit, candidates),
            confusion: Confusion::default(),
        }
    }

    /// Also changes characters that lost bytes, into the most plausible character or U+FFFD.
    #[must_use]
    pub fn restoring_lost_bytes(self) -> Document {
        Document { repairer: self.repairer.restoring_lost_bytes(), ..self }
    }

    /// Finds the repairs in the next window, which has at most [`WINDOW`] bytes. The window has to end with a line,
    /// unless `is_cut`. Ranges in the result are byte ranges of the window.
    pub fn next(&mut self, window: &[u8], is_cut: bool) -> Found {
        if let Ok(text) = str::from_utf8(window)
            && self.mixture.whole.is_none()
        {
            let mut found = self.repairer.next(text);
            self.confusion.next(text, &mut found);
            self.mixture.pass(window, is_cut, &found.changes);
            return found;
        }
        let (mixed, left) = self.mixture.next(window, is_cut);
        if self.mixture.whole.is_some() {
            return Found { changes: Vec::new(), suspects: unread(left) };
        }
        let edits = mixed.iter().map(|change| (change.range.clone(), change.text.as_bytes()));
        let bytes = spliced(window, edits).into_owned();
        let text = without_ill_formed(&bytes);
        let found = self.repairer.next(&text);
        let in_window = found.suspects.into_iter().map(|suspect| suspect.before(&mixed));
        let mut suspects: Vec<Suspect> = in_window.filter(|suspect| !suspect.range.is_empty()).collect();
        suspects.extend(unread(left));
        suspects.sort_by_key(|suspect| suspect.range.start);
        Found { changes: composed(mixed, found.changes, &text), suspects }
    }

    /// Returns the encoding of the whole document, if the document is not UTF-8 and mixes no encodings. Later calls
    /// return `None`.
    pub fn take_whole(&mut self) -> Option<Whole> {
        self.mixture.take_whole()
    }
}

/// Returns suspects for bytes that are not decoded.
fn unread(ranges: Vec<Unread>) -> Vec<Suspect> {
    ranges.into_iter().map(|(range, near)| Suspect { range, was: None, mistake: None, near }).collect()
}

/// Returns the bytes as text, with a control for each ill-formed byte, so that offsets stay the same.
fn without_ill_formed(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{1A}'));
    }
    Cow::Owned(text)
}
