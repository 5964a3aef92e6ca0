//! Which files are edited, and by which program.

use std::ffi::OsString;

use utfconv_core::Encoding;
use utfconv_restore::RestoreOptions;

use crate::batch::BatchOptions;

/// An edit, ready to run.
pub struct EditPlan {
    pub files: Vec<OsString>,
    /// The program with its arguments; the user's editor if there is none.
    pub command: Vec<OsString>,
    /// None means the one that is configured, declared or detected.
    pub encoding: Option<&'static Encoding>,
    /// The options for a later run that writes an edited copy.
    pub repeated: Vec<String>,
    /// Edits are written even if the program fails.
    pub ignores_status: bool,
    pub options: BatchOptions,
    /// How edits go back.
    pub restore: RestoreOptions,
    pub force: bool,
}
