//! Changes and suspects that a repair finds in a text.

use std::ops::Range;

use super::mistakes::Mistake;
use utfconv_core::Encoding;
use utfconv_core::edit::spliced;

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The bytes of the text that are replaced.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
    /// The encoding that the replacement was decoded from, if the document mixes encodings.
    pub encoding: Option<&'static Encoding>,
    /// The mistakes that were undone, the most recent mistake first.
    pub mistakes: Vec<Mistake>,
}

impl Change {
    /// Creates the change of a text in which one mistake is undone.
    pub(super) fn new(range: Range<usize>, was: impl Into<String>, mistake: Mistake) -> Change {
        Change { range, text: was.into(), encoding: None, mistakes: vec![mistake] }
    }
}

/// Characters that may be double-encoded, without proof.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suspect {
    /// The byte range of the characters in the text.
    pub range: Range<usize>,
    /// The text that the characters may have been; `None` if bytes of it were lost.
    pub was: Option<String>,
    /// The possible mistake; `None` if the bytes are not UTF-8.
    pub mistake: Option<Mistake>,
    /// Why the bytes are nearly UTF-8; `None` if damaged UTF-8 does not explain them.
    pub near: Option<NearUtf8>,
}

impl Suspect {
    /// Creates the suspect for a mistake that may have been made.
    pub(super) fn new(range: Range<usize>, was: Option<String>, mistake: Mistake) -> Suspect {
        Suspect { range, was, mistake: Some(mistake), near: None }
    }

    /// Returns the suspect with its range in the text before `changes`.
    pub(super) fn before(self, changes: &[Change]) -> Suspect {
        Suspect { range: origin(changes, self.range.start)..origin(changes, self.range.end), ..self }
    }
}

/// An explanation of ill-formed bytes that are nearly UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearUtf8 {
    /// A sequence that lost its last bytes or its first bytes.
    Truncated,
    /// A character above U+FFFF in CESU-8, as a surrogate pair of three bytes each.
    Cesu8,
}

/// The findings in a text.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Found {
    /// The changes, in the order of the text.
    pub changes: Vec<Change>,
    /// Suspicious text that is not changed, in the order of the text.
    pub suspects: Vec<Suspect>,
}

impl Found {
    /// Returns the text with the changes applied.
    ///
    /// # Panics
    /// Panics if the changes are of another text.
    #[must_use]
    pub fn applied(&self, text: &str) -> String {
        applied(text, &self.changes)
    }

    /// Moves all ranges forward by `by` bytes.
    pub(super) fn shift(&mut self, by: usize) {
        let past = |range: &mut Range<usize>| *range = range.start + by..range.end + by;
        self.changes.iter_mut().for_each(|change| past(&mut change.range));
        self.suspects.iter_mut().for_each(|suspect| past(&mut suspect.range));
    }
}

/// Returns a text with changes applied. The changes have to be in the order of the text.
pub(super) fn applied(text: &str, changes: &[Change]) -> String {
    spliced(text, changes.iter().map(|change| (change.range.clone(), &*change.text))).into_owned()
}

/// Combines changes of a text with changes of the result, `middle`, into changes of the text.
pub(super) fn composed(first: Vec<Change>, second: Vec<Change>, middle: &str) -> Vec<Change> {
    let mut shift = 0_isize;
    let in_middle = |change: Change| {
        let start = change.range.start.saturating_add_signed(shift);
        shift += change.text.len() as isize - change.range.len() as isize;
        (start..start + change.text.len(), change)
    };
    let mut first = first.into_iter().map(in_middle).collect::<Vec<_>>().into_iter().peekable();
    let mut second = second.into_iter().peekable();
    let mut out = Vec::new();
    // Offsets in the text minus offsets in `middle`.
    let mut back = 0_isize;
    loop {
        let starts =
            [first.peek().map(|(range, _)| range.start), second.peek().map(|change| change.range.start)];
        let Some(start) = starts.into_iter().flatten().min() else { return out };
        // Merge all changes that overlap into one change.
        let (mut end, mut made, mut repaired) = (start, Vec::new(), Vec::new());
        let origin = start.saturating_add_signed(back);
        loop {
            if let Some((range, change)) =
                first.next_if(|(range, _)| range.start < end || range.start == start)
            {
                back += change.range.len() as isize - range.len() as isize;
                end = end.max(range.end);
                made.push(change);
            } else if let Some(change) =
                second.next_if(|change| change.range.start < end || change.range.start == start)
            {
                end = end.max(change.range.end);
                repaired.push(change);
            } else {
                break;
            }
        }
        let changes = repaired
            .iter()
            .map(|change| (change.range.start - start..change.range.end - start, &*change.text));
        let text = spliced(&middle[start..end], changes).into_owned();
        let encoding = made.iter().find_map(|change| change.encoding);
        let mut mistakes =
            made.into_iter().map(|change| change.mistakes).max_by_key(Vec::len).unwrap_or_default();
        mistakes.extend(repaired.first().and_then(|change| change.mistakes.first()));
        out.push(Change { range: origin..end.saturating_add_signed(back), text, encoding, mistakes });
    }
}

/// Maps an offset in the changed text to the original text. An offset within a change maps to the start of the change.
fn origin(changes: &[Change], at: usize) -> usize {
    let mut shift = 0_isize;
    for change in changes {
        let start = change.range.start.saturating_add_signed(shift);
        if at < start {
            break;
        }
        if at < start + change.text.len() {
            return change.range.start;
        }
        shift += change.text.len() as isize - change.range.len() as isize;
    }
    at.saturating_add_signed(-shift)
}
