//! The plan of a repair.

use utfconv_core::Encoding;
use utfconv_repair::Unit;
use utfconv_restore::{self as restore, RestoreOptions};

use crate::batch::BatchOptions;
use crate::commands::old_versions::{Source, damage_name};
use crate::files::replace::InPlace;
use crate::files::walk::Targets;
use crate::ui::color::When;

/// The plan of a run of `repair`, made from the typed options.
pub struct RepairPlan {
    pub task: Task,
    /// Encodings that a file may mix. If empty, the encodings are detected.
    pub candidates: Vec<&'static Encoding>,
    /// The part of a file that is in one encoding.
    pub unit: Unit,
    /// Whether characters that lost bytes are restored, too.
    pub restores_lost_bytes: bool,
    /// Source of old versions, if files are restored from them.
    pub old: Option<Source>,
    /// Encoding of the old versions, if the user gave it.
    pub encoding: Option<&'static Encoding>,
    /// How old versions restore files.
    pub restore: RestoreOptions,
    pub options: BatchOptions,
    /// Maximum number of lines of the report for a file; 0 means no limit.
    pub max_lines: u64,
    /// Whether the report is JSON.
    pub json: bool,
}

/// Damage that leaves no proof of the original text, so that it is undone only if the user names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    LostBytes,
    /// Damage that a comparison with an old version shows.
    OfOldVersion(restore::Damage),
}

impl Damage {
    pub const TABLE: &[(&str, &str, Damage)] = &[
        (
            "lost-bytes",
            "A byte of a double-encoded character became U+FFFD, ?, blank or nothing",
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

/// The action of a run, and its files.
pub enum Task {
    /// Repair standard input to standard output.
    Filter,
    /// Report the changes that a repair would make. `Some` if the repair would be in place.
    Show(Targets, Option<InPlace>),
    /// Print the changes as a patch.
    Diff(Targets, When),
    Write(Targets, InPlace),
}
