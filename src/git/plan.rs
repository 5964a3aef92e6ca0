//! What the commands that git calls are to do.

use std::ffi::OsString;

use utfconv_core::EbcdicNewline;

use crate::ui::modes::Source;
use crate::ui::names::Name;

/// How to convert all files of a run of git.
pub struct FilterPlan {
    /// The encoding in the work tree. In the repository it is UTF-8.
    pub work_tree: Name,
    pub ebcdic_newline: EbcdicNewline,
    /// Whatever converts back exactly is converted, whatever it looks like.
    pub no_guess: bool,
}

impl FilterPlan {
    /// The encoding in the work tree, by the name that `-f` takes.
    pub fn name(&self) -> String {
        let bom = if self.work_tree.signed == Some(true) { "-BOM" } else { "" };
        format!("{}{bom}", self.work_tree.encoding.name())
    }
}

/// Which file to show.
pub struct TextconvPlan {
    pub from: Source,
    pub ebcdic_newline: EbcdicNewline,
    pub file: OsString,
}
