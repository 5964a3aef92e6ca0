//! The codec of an encoding with shift states.

use std::fmt;

use crate::decode::Decode;
use crate::encode::Encode;

/// The decoder and the encoder of an encoding with shift states. Codecs are equal only if they have the same address.
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
