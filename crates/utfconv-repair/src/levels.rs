//! Undoes double encoding in a document, level by level, if there is proof.
//!
//! A run is undone if its mistake is proven for the document (`evidence`) and its group is more probably damaged than
//! meant. A mistake that explains all non-ASCII characters of the document is undone everywhere.

use std::borrow::Cow;
use std::mem;

use super::changes::{Found, applied, composed};
use super::evidence::{Evidence, others};
use super::lost;
use super::mistakes::{LEVELS, Set};
use super::survey;
use super::words::Words;
use utfconv_detect::plausibility::Plausibility;

/// The BOM, which is skipped at the start of a document.
pub(super) const BOM: char = '\u{FEFF}';

/// Undoes double encoding in a document that arrives in windows.
///
/// ```
/// use utfconv_repair::Repairer;
///
/// let text = "Un cafÃ© et un thÃ©, s\u{e2}\u{20ac}\u{2122}il vous plaÃ®t.";
/// let found = Repairer::new().next(text);
/// assert_eq!(found.applied(text), "Un café et un thé, s’il vous plaît.");
/// assert_eq!(found.changes[0].mistakes[0].name(), "windows-1252");
/// // Ordinary text is not changed.
/// assert!(Repairer::new().next("MARQUÉ… « déjà »").changes.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Repairer {
    /// Whether the first window was read.
    is_begun: bool,
    restores_lost_bytes: bool,
    levels: [Evidence; LEVELS],
    plausibility: Option<Plausibility>,
}

impl Repairer {
    /// Creates a repairer for one document.
    #[must_use]
    pub fn new() -> Repairer {
        Repairer::default()
    }

    /// Also changes characters that lost bytes, into the most plausible character or U+FFFD.
    ///
    /// ```
    /// use utfconv_repair::Repairer;
    ///
    /// let text = "â€œnaÃ¯veâ€, he said";
    /// assert_eq!(Repairer::new().restoring_lost_bytes().next(text).applied(text), "“naïve”, he said");
    /// ```
    #[must_use]
    pub fn restoring_lost_bytes(self) -> Repairer {
        Repairer { restores_lost_bytes: true, ..self }
    }

    /// Finds double encoding in the next window of the document. The window should end with a line, and have at most
    /// about a million bytes. Later windows are no evidence for this window.
    pub fn next(&mut self, text: &str) -> Found {
        // A BOM is no evidence for a mistake.
        let is_first = !mem::replace(&mut self.is_begun, true);
        let bom = if is_first && text.starts_with(BOM) { BOM.len_utf8() } else { 0 };
        let text = &text[bom..];
        if text.is_ascii() {
            return Found::default();
        }
        let mut found = self.undone(text);
        let proven = self.levels[0].proven();
        if let Some(plausibility) = self.plausibility.as_ref().filter(|_| proven != Set::default()) {
            if self.restores_lost_bytes {
                let restored = lost::restored(text, proven, &found.changes, plausibility);
                found.changes.extend(restored);
                found.changes.sort_by_key(|change| change.range.start);
            } else {
                found.suspects.extend(lost::lost(text, proven, &found.changes));
            }
        }
        found.suspects.retain(|suspect| !suspect.range.is_empty());
        found.suspects.sort_by_key(|suspect| (suspect.range.start, suspect.range.end));
        found.suspects.dedup_by_key(|suspect| suspect.range.start);
        found.shift(bom);
        found
    }

    /// Undoes double encoding level by level.
    fn undone(&mut self, text: &str) -> Found {
        let mut found = Found::default();
        let mut now = Cow::Borrowed(text);
        for evidence in &mut self.levels {
            evidence.others += others(now.as_bytes());
            if self.restores_lost_bytes {
                let of_parts = Set::ALL.filter(|mistake| !mistake.is_of_whole_texts());
                evidence.add_remains(lost::counts(&now, of_parts));
            }
            let likely = survey::possible(&now, evidence.proven());
            let words = Words::of(&now, likely);
            if words.occurrences.is_empty() {
                break;
            }
            evidence.add_broken(&now, likely);
            let plausibility = self.plausibility.get_or_insert_with(|| Plausibility::new(now.as_bytes()));
            let (changes, suspects) = words.undo(evidence, plausibility);
            found.suspects.extend(suspects.into_iter().map(|suspect| suspect.before(&found.changes)));
            if changes.is_empty() {
                break;
            }
            let next = applied(&now, &changes);
            found.changes = composed(mem::take(&mut found.changes), changes, &now);
            now = Cow::Owned(next);
        }
        found
    }
}
