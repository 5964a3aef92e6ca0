//! Kernels: well-formed runs at full speed.
//!
//! A kernel converts the longest well-formed prefix of its source that it cares to and stops: before a fault, before a
//! scalar value that the target lacks, before a sequence cut off by the end, or for want of room. It never says which.
//! What stopped it is for [`crate::decode::Decode`] to judge, so a faster kernel can take a place in [`prefix`] without
//! touching anything else.

mod scalar;

use crate::decode::WellFormed;
use crate::encoding::{Form, with_codec};

/// Converts a prefix of the first slice into the second; answers the bytes read and the bytes written.
pub(crate) type Prefix = fn(&[u8], &mut [u8]) -> (usize, usize);

/// The best kernel for a pair of encoding forms.
pub(crate) fn prefix(from: Form, to: Form) -> Prefix {
    match (from, to) {
        (Form::Utf8, Form::Utf8) => scalar::copy_utf8,
        _ => with_codec!(from, Source => prefix_from::<Source>(to)),
    }
}

fn prefix_from<S: WellFormed>(to: Form) -> Prefix {
    with_codec!(to, Target => scalar::run::<S, Target>)
}
