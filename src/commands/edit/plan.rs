//! The plan of an edit.

use std::ffi::OsString;

use utfconv_core::Encoding;
use utfconv_restore::RestoreOptions;

use crate::batch::BatchOptions;

/// The files to edit, and the program that edits them.
pub struct EditPlan {
    pub files: Vec<OsString>,
    /// The program with its arguments; if empty, the user's editor.
    pub command: Vec<OsString>,
    /// The encoding of the files; `None` means the configured, declared or detected encoding.
    pub encoding: Option<&'static Encoding>,
    /// The options for a later run that writes an edited copy to its file.
    pub repeated: Vec<String>,
    /// Whether edits are written even if the program fails.
    pub ignores_status: bool,
    pub options: BatchOptions,
    /// How edits are merged into the original.
    pub restore: RestoreOptions,
    pub force: bool,
}
