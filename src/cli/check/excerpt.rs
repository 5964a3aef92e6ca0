//! The line of a finding, escaped, with marks under its bytes.

/// A line to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text of the line around the finding, with everything that a terminal might act on spelled out.
    pub line: String,
    /// The columns of a terminal before the marks.
    pub before: usize,
    /// The marks: how many columns.
    pub width: usize,
}
