//! What would change, as a unified diff: for `--diff` of all commands.
//!
//! names (of files, as git writes them) -> lines (which lines change) -> patch (what `git apply` takes, with binary
//! patches where the text is not UTF-8) or screen (what people read on a terminal)

mod binary;
mod lines;
mod names;
mod patch;
mod screen;

use std::path::Path;

use self::names::Root;
pub use self::patch::Change;
use crate::ui::color::{When, has_color, is_terminal_out};

/// The longest file that a diff is made for, in bytes. Both contents are held in memory.
pub const LARGEST: u64 = 128 << 20;

/// The error for longer files.
pub const TOO_LARGE: &str = "larger than 128 MiB, the limit of --diff; use another tool to compare";

/// For whom a diff is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For programs such as `git apply`.
    Patch,
    /// For people: invisible characters are shown as escapes.
    Screen { color: bool },
}

impl Style {
    /// Returns the style for standard output. Colors that an option demands are for people, too.
    pub fn of_output(color: When) -> Style {
        if color == When::Always || is_terminal_out() {
            Style::Screen { color: color.holds(has_color()) }
        } else {
            // A patch has no colors, even if the environment asks for them.
            Style::Patch
        }
    }
}

/// Makes diffs.
pub struct Renderer {
    style: Style,
    root: Root,
}

impl Renderer {
    /// Makes diffs in that style. Looks for the repository around the current directory, since git's patches name
    /// files from its root.
    pub fn new(style: Style) -> Renderer {
        Renderer { style, root: Root::find() }
    }

    /// Returns the diff of a file, which ends with a line feed; empty if nothing changes.
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

    /// Returns the diff of a file that gets another name and keeps its content, or of a symbolic link, if its old and new
    /// `targets` are given. Both paths are absolute, without links and dots.
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
