//! Common functions for the comments of Python, Ruby and Emacs: lines at the start, and names with a suffix for
//! newlines.

use std::ops::Range;

use super::text::lines;

/// Code units of the first lines that are looked at.
const LIMIT: usize = 4 << 10;

/// Returns the first lines of a text, so many or all. A line that is longer than the searched text is cut.
pub(super) fn first_lines(units: &[u8], most: usize) -> Vec<Range<usize>> {
    lines(&units[..units.len().min(LIMIT)]).take(most).collect()
}

/// A range of units without the suffix that names newlines: `-unix`, `-dos` or `-mac`.
pub(super) fn without_newlines(units: &[u8], label: Range<usize>) -> Range<usize> {
    let text = &units[label.clone()];
    for suffix in [&b"-unix"[..], b"-dos", b"-mac"] {
        let Some(rest) = text.len().checked_sub(suffix.len()).filter(|rest| *rest > 0) else { continue };
        // This is an encoding of Ruby's; with another hyphen, it is not.
        let is_utf8_mac = text.eq_ignore_ascii_case(b"utf8-mac");
        if text[rest..].eq_ignore_ascii_case(suffix) && !is_utf8_mac {
            return label.start..label.start + rest;
        }
    }
    label
}
