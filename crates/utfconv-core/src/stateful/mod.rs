//! Encodings whose bytes mean what those before them make of them, with no tables in common: a file for each, with its
//! decoder and its encoder.
//!
//! An encoder is back in its initial state where a text ends, so that texts can be joined.

mod bocu_1;
mod scsu;

use std::fmt;

use crate::decode::Decode;
use crate::encode::Encode;

pub(crate) use bocu_1::BOCU_1;
pub(crate) use scsu::SCSU;

/// How such an encoding is read and written. They are compared by address.
pub(crate) struct Codec {
    pub decoder: fn() -> Box<dyn Decode>,
    pub encoder: fn() -> Box<dyn Encode>,
}

impl PartialEq for Codec {
    fn eq(&self, other: &Codec) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Codec {}

impl fmt::Debug for Codec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Codec").finish_non_exhaustive()
    }
}
