//! `Subject`, the state of a file during its check.

use super::plan::Settings;
use super::rules::Rules;
use crate::files::ranges::Reading;
use crate::files::walk::FileEntry;
use crate::files::window::Window;

/// A file under check: the settings, how to read the file, the rules for it, and a window of its bytes.
pub struct Subject<'a> {
    pub settings: &'a Settings,
    pub target: &'a FileEntry,
    pub reading: Reading,
    pub rules: Rules,
    pub window: Window<'a>,
}
