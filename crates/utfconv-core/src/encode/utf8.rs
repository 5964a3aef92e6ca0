//! The encoders of UTF-8 (RFC 3629 section 3) and its relatives.

use super::{Encode, Put, WIDEST, split, store};
use crate::decode::{
    Cesu8, HIGHEST_31_BIT, Mutf8, Utf8, Utf8Of2279, Wtf8, is_high_surrogate, is_low_surrogate, is_surrogate,
    join,
};

#[inline(always)]
fn continuation(bits: u32) -> u8 {
    0x80 | (bits & 0x3F) as u8
}

#[inline(always)]
fn three(value: u32) -> [u8; 3] {
    [0xE0 | (value >> 12) as u8, continuation(value >> 6), continuation(value)]
}

impl Put for Utf8 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let value = u32::from(scalar);
        Some(match value {
            // Do not branch between one and two bytes, because Latin text would mispredict the branch all the time.
            ..0x800 => {
                let is_two = value >= 0x80;
                let lead = if is_two { 0xC0 | (value >> 6) as u8 } else { value as u8 };
                store([lead, continuation(value)], dst) - usize::from(!is_two)
            }
            0x800..0x10000 => store(three(value), dst),
            _ => {
                let lead = 0xF0 | (value >> 18) as u8;
                store([lead, continuation(value >> 12), continuation(value >> 6), continuation(value)], dst)
            }
        })
    }
}

impl Put for Cesu8 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        if u32::from(scalar) < 0x10000 {
            return Utf8.put(scalar, dst);
        }
        let (high, low) = split(scalar.into());
        let ([a, b, c], [d, e, f]) = (three(high.into()), three(low.into()));
        Some(store([a, b, c, d, e, f], dst))
    }
}

impl Put for Mutf8 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        if scalar == '\0' { Some(store([0xC0, 0x80], dst)) } else { Cesu8.put(scalar, dst) }
    }

    fn takes_ascii(&self) -> bool {
        false
    }
}

impl Put for Wtf8 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Utf8.put(scalar, dst)
    }

    fn put_beyond(code_point: u32, dst: &mut [u8; WIDEST]) -> Option<usize> {
        is_surrogate(code_point).then(|| store(three(code_point), dst))
    }
}

impl Put for Utf8Of2279 {
    #[inline(always)]
    fn put(&self, scalar: char, dst: &mut [u8; WIDEST]) -> Option<usize> {
        Utf8.put(scalar, dst)
    }

    /// Writes code points above U+10FFFF, in four to six bytes.
    fn put_beyond(code_point: u32, dst: &mut [u8; WIDEST]) -> Option<usize> {
        let (len, lead) = match code_point {
            0x11_0000..0x20_0000 => (4, 0xF0),
            0x20_0000..0x400_0000 => (5, 0xF8),
            0x400_0000..=HIGHEST_31_BIT => (6, 0xFC),
            _ => return None,
        };
        for (i, byte) in dst[..len].iter_mut().rev().enumerate() {
            *byte = continuation(code_point >> (6 * i));
        }
        dst[0] = lead | (code_point >> (6 * (len - 1))) as u8;
        Some(len)
    }
}

/// The encoder of WTF-8, which holds back a high surrogate until the next code point, because a high and a low
/// surrogate together are written as one scalar value, even if they come from different sequences.
#[derive(Clone, Default)]
pub(crate) struct ToWtf8 {
    high: Option<u32>,
}

impl Encode for ToWtf8 {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, mut code_point: u32, out: &mut Vec<u8>) -> bool {
        if !self.has(code_point) {
            return false;
        }
        if let Some(high) = self.high.take() {
            let pair = if is_low_surrogate(code_point) { join(high, code_point) } else { None };
            match pair {
                Some(scalar) => code_point = scalar.into(),
                None => out.extend(three(high)),
            }
        }
        match char::from_u32(code_point) {
            Some(scalar) => out.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes()),
            None if is_high_surrogate(code_point) => self.high = Some(code_point),
            None => out.extend(three(code_point)),
        }
        true
    }

    fn has(&self, code_point: u32) -> bool {
        code_point <= 0x10FFFF
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend(self.high.take().into_iter().flat_map(three));
    }

    fn at_rest(&self) -> bool {
        self.high.is_none()
    }
}
