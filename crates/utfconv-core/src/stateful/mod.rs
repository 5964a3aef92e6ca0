//! Codecs of encodings with shift states. Those that share tables with multi-byte encodings, such as HZ and ISO/IEC
//! 2022, are in [`crate::legacy`].
//!
//! An encoder returns to its initial state at the end of a text, so that texts can be joined.

mod bocu_1;
mod gsm;
mod iscii;
mod raw_sets;
mod scsu;
mod utf8_mac;
mod utf_7;
#[rustfmt::skip]
mod utf8_mac_table;

pub(crate) use bocu_1::BOCU_1;
pub(crate) use gsm::GSM_03_38;
pub(crate) use iscii::{
    ISCII_BNG, ISCII_DEV, ISCII_GUJ, ISCII_GUR, ISCII_KND, ISCII_MLM, ISCII_ORI, ISCII_TLG, ISCII_TML,
};
pub(crate) use raw_sets::{IBM_5478, IBM_16684, ISO_IR_165, JIS_X0208, JIS_X0212};
pub(crate) use scsu::SCSU;
pub(crate) use utf_7::{UTF_7, UTF_7_IMAP};
pub(crate) use utf8_mac::UTF_8_MAC;
