//! The result of a restoration, or why there is none.

use super::view::{Damage, View};
use utfconv_core::OnUnmappable;

/// How [`restore_with`](super::restore_with) restores.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RestoreOptions {
    /// How the program is known to have seen the original. The result is then certain, except for characters that the
    /// view has lost. None means the most likely view.
    pub view: Option<View>,
    /// The damage, if it has no mark of its own. Question marks may have been typed, and characters deleted, so they are only
    /// taken for damage if this says so.
    pub damage: Option<Damage>,
    /// How to write what has no certain content: characters that the encoding does not have, and U+FFFD for
    /// lost ones. Other characters that are there, such as question marks, are written as they are. By
    /// default, and with modes that may stop, nothing is restored then; nor in an unknown encoding if new
    /// text is not ASCII.
    pub unmappable: OnUnmappable,
}

impl RestoreOptions {
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

    /// Sets how to write what has no certain content.
    #[must_use]
    pub fn unmappable(mut self, unmappable: OnUnmappable) -> RestoreOptions {
        self.unmappable = unmappable;
        self
    }
}

/// The most positions that are listed.
pub(super) const LISTED: usize = 1_000;

/// The same, for positions that are written without certain content.
pub(super) const WRITTEN: usize = 1_000_000;

/// What [`restore`](super::restore) makes of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// The bytes of the original, with the edits.
    pub output: Vec<u8>,
    /// How the program saw the original.
    pub view: View,
    /// How many lost pieces of the original came back. A piece is a character, or more where the view has no
    /// boundary between them.
    pub pieces: u64,
    /// The lines of the edited text with restored pieces, counted from 1; at most the first thousand.
    pub lines: Vec<u64>,
    /// The positions without certain content, which [`RestoreOptions::unmappable`] wrote; at most the first million.
    pub places: Vec<Problem>,
    /// The number of all such positions.
    pub unproven: u64,
}

/// A position of the edited text that cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The line, from 1.
    pub line: u64,
    /// The column in the line, in characters, from 1.
    pub column: u64,
    /// Why the position cannot be restored.
    pub kind: ProblemKind,
}

/// Why a position cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A character was lost, and nothing proves which.
    Lost,
    /// The original's encoding has no such character.
    Unmappable(char),
}

/// Why a text cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRestored {
    /// These positions have no certain content.
    Places {
        /// The positions in order; at most the first thousand.
        places: Vec<Problem>,
        /// How the program saw the original.
        view: View,
        /// The other lines, in which all that was lost is known; at most the first thousand.
        proven: Vec<u64>,
    },
    /// Two ways in which the program may have seen the original are as likely, and lead to different contents.
    Ambiguous {
        /// How the program may have seen the original.
        views: [View; 2],
        /// The lines in which something was lost, as the first of these ways shows them; at most the first thousand.
        lines: Vec<u64>,
    },
    /// Characters became question marks, or were dropped, as far as can be seen. [`RestoreOptions::damage`] has to say so.
    Unnamed {
        /// How the program may have seen the original.
        view: View,
        /// The lines in which something was lost; at most the first thousand.
        lines: Vec<u64>,
    },
    /// The edited text is not well-formed UTF-8.
    NotUtf8,
}
