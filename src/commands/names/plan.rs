//! The plan of a run of `names`.

use std::ffi::OsString;

use super::name::Rules;
use crate::ui::color::When;
use crate::ui::options::ReportFormat;

/// The plan, ready to run.
pub struct NamesPlan {
    pub format: ReportFormat,
    pub paths: Vec<OsString>,
    pub rules: Rules,
    pub action: Action,
    /// The targets of symbolic links change too.
    pub links: bool,
    /// Rename what can be renamed if other names are refused.
    pub keep_going: bool,
    /// Report each name that is changed.
    pub verbose: bool,
    /// The file of the manifest to write, which is kept, or of the one to undo.
    pub manifest: Option<OsString>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Show,
    /// Show it as a patch.
    Diff(When),
    Rename,
    /// Undo the run of the manifest, or an interrupted one.
    Undo,
}
