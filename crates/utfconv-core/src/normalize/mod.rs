//! Normalization forms (UAX #15): what they make of a text, and where a sequence ends that has to be normalized as a whole.
//!
//! Without the feature `normalize` there are no forms, and a type that nobody can make takes their place.

#[cfg_attr(not(feature = "normalize"), path = "absent.rs")]
mod form;
#[cfg(feature = "normalize")]
mod quick_check;

pub use form::NormalizationForm;

/// The longest sequence that is normalized as a whole, in bytes of UTF-8. There has to be a limit: the last mark after a
/// letter may belong before all others.
pub const LONGEST_SEQUENCE: usize = 1 << 20;
