//! What a repair is to do.

use std::ffi::OsString;

use utfconv_core::Encoding;
use utfconv_core::repair::Unit;

use crate::files::replace::InPlace;
use crate::files::walk::Targets;
use crate::restore::Source;
use crate::ui::color::When;

/// What to repair, ready to run.
pub struct RepairPlan {
    pub task: Task,
    /// The encodings that a file may mix; those that are detected if there are none.
    pub candidates: Vec<&'static Encoding>,
    /// What is in one encoding.
    pub unit: Unit,
    /// Where the old versions are, if they are put back.
    pub old: Option<Source>,
    /// Their encoding, if it was named.
    pub encoding: Option<&'static Encoding>,
    /// A file for all changes, from which they can be undone.
    pub manifest: Option<OsString>,
    /// The most lines of the report for a file; 0 is no limit.
    pub max_lines: u64,
    /// None means one per processor.
    pub threads: Option<usize>,
}

/// What is to be done, with what.
pub enum Task {
    /// Standard input to standard output.
    Filter,
    /// Report what would change.
    Show(Targets),
    /// Print what would change.
    Diff(Targets, When),
    Write(Targets, InPlace),
}
