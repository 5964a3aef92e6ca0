//! The plan of a repair.

use utfconv_core::Encoding;
use utfconv_repair::Unit;
use utfconv_restore::RestoreOptions;

use crate::batch::BatchOptions;
use crate::commands::old_versions::Source;
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
    /// The damage that is undone beside what is proven.
    pub damage: Option<Damage>,
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
    QuestionMarks,
    Dropped,
}

impl Damage {
    pub const TABLE: &[(&str, &str, Damage)] = &[
        (
            "lost-bytes",
            "A byte of a double-encoded character was lost: it became U+FFFD, a question mark, a blank, or nothing",
            Damage::LostBytes,
        ),
        ("question-marks", "Characters of an old version became question marks", Damage::QuestionMarks),
        ("dropped", "Characters of an old version were dropped", Damage::Dropped),
    ];

    /// Returns the damage that an old version shows.
    pub fn of_old_versions(self) -> Option<utfconv_restore::Damage> {
        match self {
            Damage::LostBytes => None,
            Damage::QuestionMarks => Some(utfconv_restore::Damage::QuestionMarks),
            Damage::Dropped => Some(utfconv_restore::Damage::Dropped),
        }
    }
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
