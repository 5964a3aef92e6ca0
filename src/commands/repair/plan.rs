//! The plan of a repair.

use utfconv_core::Encoding;
use utfconv_repair::Unit;
use utfconv_restore::{self as restore, RestoreOptions};

use crate::batch::BatchOptions;
use crate::commands::old_versions::{Source, damage_name};
use crate::files::replace::InPlace;
use crate::files::walk::Targets;
use crate::ui::color::When;

/// The plan, ready to run.
pub struct RepairPlan {
    pub task: Task,
    /// The encodings that a file may mix; if there are none, they are detected.
    pub candidates: Vec<&'static Encoding>,
    /// The unit that is in one encoding.
    pub unit: Unit,
    /// Whether characters that lost bytes are restored, too.
    pub restores_lost_bytes: bool,
    /// Where the old versions are, if files are restored.
    pub old: Option<Source>,
    /// Their encoding, if it was named.
    pub encoding: Option<&'static Encoding>,
    /// How they restore files.
    pub restore: RestoreOptions,
    pub options: BatchOptions,
    /// The most lines of the report for a file; 0 is no limit.
    pub max_lines: u64,
    /// The report is JSON.
    pub json: bool,
}

/// Damage that leaves no proof of what was there, so that it is undone only if the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    LostBytes,
    /// What an old version shows.
    OfOldVersion(restore::Damage),
}

impl Damage {
    pub const TABLE: &[(&str, &str, Damage)] = &[
        (
            "lost-bytes",
            "A byte of a double-encoded character was lost: it became U+FFFD, a question mark, a blank, or nothing",
            Damage::LostBytes,
        ),
        (
            damage_name(restore::Damage::QuestionMarks),
            "Characters of an old version became question marks",
            Damage::OfOldVersion(restore::Damage::QuestionMarks),
        ),
        (
            damage_name(restore::Damage::Dropped),
            "Characters of an old version were dropped",
            Damage::OfOldVersion(restore::Damage::Dropped),
        ),
    ];
}

/// The action, and its files.
pub enum Task {
    /// Standard input to standard output.
    Filter,
    /// Report the changes that a repair would make, in place if it says how.
    Show(Targets, Option<InPlace>),
    /// Print the changes as a patch.
    Diff(Targets, When),
    Write(Targets, InPlace),
}
