//! Plans of the commands that git calls.

use std::ffi::OsString;

use utfconv_core::EbcdicNewline;

use crate::ui::modes::Source;
use crate::ui::names::Name;

/// The side on which files are in the encoding of a filter. On the other side they are UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    WorkTree,
    Repository,
}

/// How to convert all files of a run of git.
pub struct FilterPlan {
    pub encoding: Name,
    pub side: Side,
    pub ebcdic_newline: EbcdicNewline,
    /// Whether all text that converts back exactly is converted, even if it looks like UTF-8.
    pub is_forced: bool,
}

impl FilterPlan {
    /// Returns the encoding by the name that `-f` and `-t` take.
    pub fn name(&self) -> String {
        let bom = if self.encoding.signed == Some(true) { "-BOM" } else { "" };
        format!("{}{bom}", self.encoding.encoding.name())
    }
}

/// The file to print, and its encoding.
pub struct TextconvPlan {
    pub from: Source,
    pub ebcdic_newline: EbcdicNewline,
    pub file: OsString,
}
