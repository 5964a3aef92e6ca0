//! The type in place of the normalization forms in a crate that is built without them.

use std::borrow::Cow;

/// A normalization form of Unicode (UAX #15). Without the feature `normalize` there is none. See [`Options::normalization`].
///
/// [`Options::normalization`]: crate::Options::normalization
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormalizationForm {
    /// No value can be made.
    _private: (),
}

impl NormalizationForm {
    pub(crate) fn name(self) -> &'static str {
        ""
    }

    pub(crate) fn normalize(self, text: &str) -> Cow<'_, str> {
        text.into()
    }

    pub(crate) fn normalize_utf8(self, _: &[u8]) -> Cow<'_, str> {
        "".into()
    }

    pub(crate) fn normalized_prefix(self, _: &[u8]) -> usize {
        0
    }

    pub(crate) fn leaves(self, _: u32) -> bool {
        true
    }

    pub(crate) fn last_boundary(self, _: &[u8], at: usize) -> usize {
        at
    }

    pub(crate) fn has_boundary_before(self, _: char) -> bool {
        true
    }

    pub(crate) fn parts(self, _: &[u8], _: char) -> bool {
        true
    }

    pub(crate) fn is_closed(self, _: &[u8]) -> bool {
        true
    }
}
