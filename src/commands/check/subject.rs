//! A file while it is checked.

use super::rules::Rules;
use crate::files::ranges::Reading;
use crate::files::walk::FileEntry;
use crate::files::window::Window;

/// A file that is checked: how it is read, the rules for it, and a window of its bytes.
pub struct Subject<'a> {
    pub target: &'a FileEntry,
    pub reading: Reading,
    pub rules: Rules,
    pub window: Window<'a>,
}
