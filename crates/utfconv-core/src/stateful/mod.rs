//! Encodings with shift states. Each that shares no tables with other encodings has a file with its decoder and its
//! encoder.
//!
//! An encoder returns to its initial state at the end of a text, so that texts can be joined.

mod bocu_1;
mod gsm;
mod iscii;
mod raw_sets;
mod scsu;
mod utf8_mac;
#[rustfmt::skip]
mod utf8_mac_table;

use std::fmt;

use crate::decode::utf7::Variant;
use crate::decode::{Decode, Utf7};
use crate::encode::{Encode, ToUtf7};

pub(crate) use bocu_1::BOCU_1;
pub(crate) use gsm::GSM_03_38;
pub(crate) use iscii::{
    ISCII_BNG, ISCII_DEV, ISCII_GUJ, ISCII_GUR, ISCII_KND, ISCII_MLM, ISCII_ORI, ISCII_TLG, ISCII_TML,
};
pub(crate) use raw_sets::{IBM_5478, IBM_16684, ISO_IR_165, JIS_X0208, JIS_X0212};
pub(crate) use scsu::SCSU;
pub(crate) use utf8_mac::UTF_8_MAC;

/// The decoder and the encoder of an encoding. Codecs are equal only if they have the same address.
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

pub(crate) static UTF_7: Codec = Codec {
    decoder: || Box::new(Utf7::new(Variant::Rfc2152)),
    encoder: || Box::new(ToUtf7::new(Variant::Rfc2152)),
};

pub(crate) static UTF_7_IMAP: Codec = Codec {
    decoder: || Box::new(Utf7::new(Variant::Imap)),
    encoder: || Box::new(ToUtf7::new(Variant::Imap)),
};
