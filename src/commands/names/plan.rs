//! The plan of a run of `names`.

use std::ffi::OsString;

use super::name::Rules;
use crate::ui::color::When;
use crate::ui::options::ReportFormat;

/// The plan of a run of `names`, made from the typed options.
pub struct NamesPlan {
    pub format: ReportFormat,
    pub paths: Vec<OsString>,
    pub rules: Rules,
    pub action: Action,
    /// Whether targets of symbolic links are converted, too.
    pub links: bool,
    /// Whether names are renamed although other names are refused.
    pub keep_going: bool,
    /// Whether each changed name is reported.
    pub verbose: bool,
    /// File of the manifest to write and keep, or of the manifest to undo.
    pub manifest: Option<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Print the new names, and rename nothing.
    Show,
    /// Print the renames as a patch, and rename nothing.
    Diff(When),
    Rename,
    /// Undo the run of the named manifest, or an interrupted run.
    Undo,
}
