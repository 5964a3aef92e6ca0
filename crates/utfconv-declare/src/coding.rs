//! Functions that the comments of Python, Ruby and Emacs share: the first lines of a text, and labels with a suffix for
//! newlines.

use std::ops::Range;

use super::text::lines;

/// Maximum number of code units in which the first lines are searched for.
const LIMIT: usize = 4 << 10;

/// Returns the first `most` lines of a text, without newlines. A line that exceeds the limit is truncated.
pub(super) fn first_lines(units: &[u8], most: usize) -> Vec<Range<usize>> {
    lines(&units[..units.len().min(LIMIT)]).take(most).collect()
}

/// Returns a label without the suffix that names a newline: `-unix`, `-dos` or `-mac`.
pub(super) fn without_newlines(units: &[u8], label: Range<usize>) -> Range<usize> {
    let text = &units[label.clone()];
    for suffix in [&b"-unix"[..], b"-dos", b"-mac"] {
        let Some(rest) = text.len().checked_sub(suffix.len()).filter(|rest| *rest > 0) else { continue };
        // `UTF8-MAC` is an encoding of Ruby, so its `-mac` is no suffix.
        let is_utf8_mac = text.eq_ignore_ascii_case(b"utf8-mac");
        if text[rest..].eq_ignore_ascii_case(suffix) && !is_utf8_mac {
            return label.start..label.start + rest;
        }
    }
    label
}
