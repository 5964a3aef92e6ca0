//! Normalization forms (UAX #15): the normalized text, and where a sequence ends that has to be normalized as a whole.
//!
//! Without the feature `normalize` there are no forms, and a type without values replaces them.

#[cfg(feature = "normalize")]
mod code_points;
#[cfg(feature = "normalize")]
mod composer;
#[cfg_attr(not(feature = "normalize"), path = "absent.rs")]
mod form;
#[cfg(feature = "normalize")]
mod quick_check;

#[cfg(feature = "normalize")]
pub(crate) use code_points::CodePoints;
#[cfg(not(feature = "normalize"))]
pub(crate) use form::CodePoints;
pub use form::NormalizationForm;

impl NormalizationForm {
    /// The longest sequence that a conversion normalizes as a whole, in bytes of UTF-8: 1 MiB. A longer one ends it with
    /// [`FaultKind::LongSequence`](crate::FaultKind::LongSequence). There has to be a limit, since the last of many marks
    /// after a letter may have to move before all others. See [`NormalizationForm`].
    pub const LONGEST_SEQUENCE: usize = 1 << 20;
}
