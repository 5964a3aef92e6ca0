//! Two-byte sets without designations: JIS X 0208, JIS X 0212 and ISO-IR-165 as libiconv and IANA's registry define
//! them, and GB 2312 as ICU defines it. Control characters and the blank are in no set, so they encode themselves.

use super::Set;
use crate::decode::{Decode, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;

/// The exact decoder of a set.
pub(crate) struct RawSet(pub Set);

impl Decode for RawSet {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match *src {
            [] => Next::Incomplete,
            [byte @ (..=0x20 | 0x7F), ..] => Next::Scalar { code_point: byte.into(), len: 1 },
            [0x80..=0xFF, ..] => Next::ill_formed(IllFormed::NeverUsed, 1),
            [_] if !last => Next::Incomplete,
            [first, second @ 0x21..=0x7E, ..] => Next::assigned(self.0.read([first, second]).one(), 2),
            _ => Next::ill_formed(IllFormed::Truncated, 1),
        }
    }
}

/// The encoder of a set.
pub(crate) struct ToRawSet(pub Set);

impl Encode for ToRawSet {
    fn is_plain(&self) -> bool {
        true
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        match (code_point, self.0.write(code_point)) {
            (..=0x20 | 0x7F, _) => out.push(code_point as u8),
            (_, Some(code)) => out.extend(code),
            (_, None) => return false,
        }
        true
    }

    fn has(&self, code_point: u32) -> bool {
        matches!(code_point, 0..=0x20 | 0x7F) || self.0.write(code_point).is_some()
    }
}
