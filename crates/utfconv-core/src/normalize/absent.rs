//! Replaces the normalization forms if the crate is built without them.

use std::borrow::Cow;

/// A normalization form of Unicode (UAX #15). Without the feature `normalize` the type has no values. See
/// [`Options::normalization`].
///
/// [`Options::normalization`]: crate::Options::normalization
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormalizationForm {
    /// Prevents the creation of a value.
    _private: (),
}

/// Replaces the helper that finds stable text.
pub(crate) struct CodePoints(());

impl CodePoints {
    pub fn new<Kernel>(_: Kernel) -> CodePoints {
        CodePoints(())
    }
}

/// Defines methods that cannot be called, because no value of the type exists.
macro_rules! never {
    ($(fn $name:ident(self $(, $argument:ty)*) -> $result:ty;)+) => {
        impl NormalizationForm {
            $(pub(crate) fn $name(self $(, _: $argument)*) -> $result {
                unreachable!("there is no form")
            })+
        }
    };
}

never! {
    fn name(self) -> &'static str;
    fn normalize(self, &str) -> Cow<'_, str>;
    fn rewritten(self, &[u8]) -> Cow<'_, [u8]>;
    fn normalized_prefix_by(self, &[u8], Option<&mut CodePoints>) -> usize;
    fn leaves(self, u32) -> bool;
    fn last_boundary(self, &[u8], usize) -> usize;
    fn has_boundary_before(self, char) -> bool;
    fn parts(self, &[u8], char) -> bool;
    fn is_closed(self, &[u8]) -> bool;
}
