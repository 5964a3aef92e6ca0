//! The plan of a repair.

use std::ffi::OsString;

use utfconv_core::Encoding;
use utfconv_core::repair::Unit;

use crate::files::replace::InPlace;
use crate::files::walk::Targets;
use crate::restore::Source;
use crate::ui::color::When;

/// The plan, ready to run.
pub struct RepairPlan {
    pub task: Task,
    /// The encodings that a file may mix; if there are none, they are detected.
    pub candidates: Vec<&'static Encoding>,
    /// The unit that is in one encoding.
    pub unit: Unit,
    /// Where the old versions are, if files are restored.
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

/// The action, and its files.
pub enum Task {
    /// Standard input to standard output.
    Filter,
    /// Report the changes.
    Show(Targets),
    /// Print the changes as a patch.
    Diff(Targets, When),
    Write(Targets, InPlace),
}
