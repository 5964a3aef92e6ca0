//! Shows changes as a unified diff, for `--diff` of all commands.
//!
//! names (writes file names as git does) -> lines (finds the lines that change) -> patch (for `git apply`, with binary
//! patches if the text is not UTF-8) or screen (for a terminal)

mod binary;
mod lines;
mod names;
mod patch;
mod screen;

use std::path::Path;

use self::names::Root;
pub use self::patch::Change;
use crate::ui::color::{When, has_color, is_terminal_out};

/// Maximum length in bytes of a file that a diff is made for. Both contents are held in memory.
pub const LARGEST: u64 = 128 << 20;

/// The error for longer files.
pub const TOO_LARGE: &str = "larger than 128 MiB, the limit of --diff; use another tool to compare";

/// The reader of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Programs such as `git apply`.
    Patch,
    /// People; invisible characters are shown as escapes.
    Screen { color: bool },
}

impl Style {
    /// Returns the style for standard output. If an option demands colors, the reader is a person.
    pub fn of_output(color: When) -> Style {
        if color == When::Always || is_terminal_out() {
            Style::Screen { color: color.holds(has_color()) }
        } else {
            // A patch has no colors, even if the environment asks for them.
            Style::Patch
        }
    }
}

/// Renders the diffs of a run, all in the same style.
pub struct Renderer {
    style: Style,
    root: Root,
}

impl Renderer {
    /// Creates a renderer. Looks for the repository around the current directory, because git's patches name files
    /// relative to its root.
    pub fn new(style: Style) -> Renderer {
        Renderer { style, root: Root::find() }
    }

    /// Returns the diff of a file, which ends with a line feed, or an empty text if nothing changes.
    pub fn content(&self, change: &Change) -> Vec<u8> {
        if change.old == change.new {
            return Vec::new();
        }
        let name = self.root.name(change.path);
        match self.style {
            Style::Patch => patch::content(&name, change),
            Style::Screen { color } => screen::content(&name, change, color),
        }
    }

    /// Returns the diff of a rename that keeps the content. If a symbolic link changes, `targets` has its old and new
    /// targets. Both paths are absolute, without links and dots.
    pub fn rename(&self, old: &Path, new: &Path, targets: Option<[&[u8]; 2]>) -> Vec<u8> {
        let (old, new) = (self.root.name_of_real(old), self.root.name_of_real(new));
        match self.style {
            Style::Patch => patch::rename(&old, &new, targets),
            Style::Screen { color } => screen::rename(&old, &new, targets, color),
        }
    }
}

#[cfg(test)]
mod tests;
