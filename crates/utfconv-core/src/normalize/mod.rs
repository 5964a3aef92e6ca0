//! Normalization forms (UAX #15), which normalize text, and find where a sequence ends that has to be normalized as a
//! whole.
//!
//! Without the feature `normalize`, a type without values replaces the forms.

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
    /// Maximum length of a sequence that a conversion normalizes as a whole, in bytes of UTF-8: 1 MiB. A longer
    /// sequence ends the conversion with [`FaultKind::LongSequence`](crate::FaultKind::LongSequence). A limit is
    /// necessary, because the last of many marks after a letter may have to move before all others. See
    /// [`NormalizationForm`].
    pub const LONGEST_SEQUENCE: usize = 1 << 20;
}
