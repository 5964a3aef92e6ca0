//! Kernels: well-formed runs at full speed.
//!
//! A kernel converts the longest well-formed prefix of its source that it cares to and stops: before a fault, before a
//! scalar value that the target lacks, before a sequence cut off by the end, or for want of room. It never says which.
//! What stopped it is for [`crate::decode::Decode`] to judge, so a faster kernel can take a place in [`between`] without
//! touching anything else.

mod scalar;

use crate::encoding::{EbcdicNewline, Form, with_codec, with_common_codec};

/// Converts a prefix of the first slice into the second; answers the bytes read and the bytes written.
pub(crate) type Kernel = Box<dyn FnMut(&[u8], &mut [u8]) -> (usize, usize) + Send>;

/// Finds the length of a well-formed prefix, in bytes; like a kernel, it may stop anywhere before what it does not know.
pub(crate) type Validator = Box<dyn FnMut(&[u8]) -> usize + Send>;

/// The best validator for an encoding form; `None` if it has shift states.
pub(crate) fn well_formed(form: Form, newline: EbcdicNewline) -> Option<Validator> {
    match form {
        Form::Utf8 => Some(Box::new(well_formed_utf8)),
        _ => with_codec!(form, newline, source => Some(scalar::validator(source)); _ => None),
    }
}

/// The validator of UTF-8.
pub(crate) fn well_formed_utf8(src: &[u8]) -> usize {
    encoding_rs::Encoding::utf8_valid_up_to(src)
}

/// The best kernel for a pair of encoding forms; `None` if either has shift states, which a kernel does not know.
///
/// Between the common forms it is direct; all others go to and from UTF-8, and through it to each other.
pub(crate) fn between(from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
    if (from, to) == (Form::Utf8, Form::Utf8) {
        return Some(Box::new(scalar::copy_utf8));
    }
    with_common_codec!(from, source => {
        with_common_codec!(to, target => return Some(scalar::kernel(source, target)); _ => {})
    }; _ => {});
    match (from, to) {
        (Form::Utf8, _) => {
            with_codec!(to, newline, target => Some(scalar::kernel(crate::decode::Utf8, target)); _ => None)
        }
        (_, Form::Utf8) => {
            with_codec!(from, newline, source => Some(scalar::kernel(source, crate::decode::Utf8)); _ => None)
        }
        _ => {
            let (first, second) = (between(from, Form::Utf8, newline)?, between(Form::Utf8, to, newline)?);
            Some(scalar::through_utf8(first, second))
        }
    }
}
