//! The result of a restoration, and the reasons for its failure.

use super::view::{Damage, View};
use utfconv_core::OnUnmappable;

/// The options of [`restore_with`](super::restore_with).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RestoreOptions {
    /// How the program saw the original, if known. The result is then certain, except for characters that the view has
    /// lost. `None` means the most likely view.
    pub view: Option<View>,
    /// A damage that leaves no mark of its own, as one more explanation of the text. Question marks may have been
    /// typed, and characters deleted, so they are taken for damage only if this option says so.
    pub damage: Option<Damage>,
    /// How to write positions without certain content: characters that the encoding does not have, and U+FFFD where a
    /// character was lost. Other characters in such positions, such as question marks, are written as they are. By
    /// default, and with modes that may stop, such positions are an error; also in an unknown encoding, if new text is
    /// not ASCII.
    pub unmappable: OnUnmappable,
}

impl RestoreOptions {
    /// Whether the damage of a view leaves no mark of its own and is not named.
    pub(super) fn needs_name(&self, view: View) -> bool {
        self.view.is_none() && view.damage().is_some_and(|damage| self.damage != Some(damage))
    }

    /// Sets how the program saw the original.
    #[must_use]
    pub fn view(mut self, view: View) -> RestoreOptions {
        self.view = Some(view);
        self
    }

    /// Sets what the program did to the characters that it could not read.
    #[must_use]
    pub fn damage(mut self, damage: Damage) -> RestoreOptions {
        self.damage = Some(damage);
        self
    }

    /// Sets how to write positions without certain content.
    #[must_use]
    pub fn unmappable(mut self, unmappable: OnUnmappable) -> RestoreOptions {
        self.unmappable = unmappable;
        self
    }
}

/// Maximum number of positions that an error lists.
pub(super) const LISTED: usize = 1_000;

/// Maximum number of positions without certain content that a result lists.
pub(super) const WRITTEN: usize = 1_000_000;

/// The result of [`restore`](super::restore).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// The bytes of the original, with the edits.
    pub output: Vec<u8>,
    /// How the program saw the original. If the text shows no question mark or dropped character of the damage that
    /// [`RestoreOptions::damage`] or [`RestoreOptions::view`] names, this is [`View::Exact`].
    pub view: View,
    /// Number of lost pieces of the original that were restored. A piece is a character, or several if the view has no
    /// boundary between them.
    pub pieces: u64,
    /// The lines of the edited text with restored pieces, counted from 1; at most the first 1,000.
    pub lines: Vec<u64>,
    /// The positions without certain content that [`RestoreOptions::unmappable`] wrote; at most the first million.
    pub places: Vec<Problem>,
    /// Number of all positions without certain content.
    pub unproven: u64,
}

/// A position of the edited text that cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in scalar values, counted from 1.
    pub column: u64,
    /// Why the position cannot be restored.
    pub kind: ProblemKind,
}

/// Why a position cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A character was lost, and its value cannot be proved.
    Lost,
    /// The encoding of the original does not have this character.
    Unmappable(char),
}

/// The reason why a text cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRestored {
    /// Some positions have no certain content.
    Places {
        /// The positions in order; at most the first 1,000.
        places: Vec<Problem>,
        /// How the program saw the original.
        view: View,
        /// The lines in which all lost characters are known; at most the first 1,000.
        proven: Vec<u64>,
    },
    /// The program may have seen the original in two ways that are about as likely and give different results.
    Ambiguous {
        /// How the program may have seen the original.
        views: [View; 2],
        /// The lines with losses, as the first view that has some shows them; at most the first 1,000.
        lines: Vec<u64>,
    },
    /// Characters seem to have become question marks, or to have been dropped. [`RestoreOptions::damage`] has to
    /// confirm the damage.
    Unnamed {
        /// How the program may have seen the original.
        view: View,
        /// The lines with losses; at most the first 1,000.
        lines: Vec<u64>,
    },
    /// The edited text is not well-formed UTF-8.
    NotUtf8,
}
