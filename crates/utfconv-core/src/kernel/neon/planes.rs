//! Sixteen characters as planes, that is, as a vector for each byte of their code units.

use std::arch::aarch64::*;

use super::vector::{all, load_2, load_4, store_2, store_4};

/// Code units of 16 bits, split into low and high bytes.
#[derive(Clone, Copy)]
pub struct Units {
    pub low: uint8x16_t,
    pub high: uint8x16_t,
}

/// Code units of 32 bits whose highest byte is zero, split into bytes.
#[derive(Clone, Copy)]
pub struct Scalars {
    pub low: uint8x16_t,
    pub high: uint8x16_t,
    /// The plane of each scalar value (Unicode 2.8).
    pub plane: uint8x16_t,
}

impl Units {
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn load<const BIG_ENDIAN: bool>(bytes: &[u8; 32]) -> Units {
        let [first, second] = load_2(bytes);
        let [low, high] = if BIG_ENDIAN { [second, first] } else { [first, second] };
        Units { low, high }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn store<const BIG_ENDIAN: bool>(self, room: &mut [u8; 32]) {
        store_2(if BIG_ENDIAN { [self.high, self.low] } else { [self.low, self.high] }, room);
    }

    /// Stores the code units as 32-bit code units.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn store_wide<const BIG_ENDIAN: bool>(self, room: &mut [u8; 64]) {
        Scalars { low: self.low, high: self.high, plane: all(0) }.store::<BIG_ENDIAN>(room);
    }

    /// Returns a number for each code unit that is below 8 if and only if the code unit is a surrogate.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn surrogate_distances(self) -> uint8x16_t {
        veorq_u8(self.high, all(0xD8))
    }
}

/// Whether any distance of [`Units::surrogate_distances`] belongs to a surrogate.
#[inline]
#[target_feature(enable = "neon")]
pub fn have_surrogates(surrogate_distances: uint8x16_t) -> bool {
    vminvq_u8(surrogate_distances) < 8
}

impl Scalars {
    /// Loads code units. Also returns the highest byte of each code unit, which is 0 in every scalar value.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn load<const BIG_ENDIAN: bool>(bytes: &[u8; 64]) -> (Scalars, uint8x16_t) {
        let [a, b, c, d] = load_4(bytes);
        let [low, high, plane, beyond] = if BIG_ENDIAN { [d, c, b, a] } else { [a, b, c, d] };
        (Scalars { low, high, plane }, beyond)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn store<const BIG_ENDIAN: bool>(self, room: &mut [u8; 64]) {
        store_4(self.bytes::<BIG_ENDIAN>(), room);
    }

    /// Returns the bytes of the code units, one vector for each, in the given byte order.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn bytes<const BIG_ENDIAN: bool>(self) -> [uint8x16_t; 4] {
        let Scalars { low, high, plane } = self;
        if BIG_ENDIAN { [all(0), plane, high, low] } else { [low, high, plane, all(0)] }
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn units(self) -> Units {
        Units { low: self.low, high: self.high }
    }
}

impl Units {
    /// Returns, for high surrogates, the bits of the scalar values above the lowest ten.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn above(self) -> Units {
        // Subtract D7C0 from each code unit.
        let carry = vcgeq_u8(self.low, all(0xC0));
        Units { low: vaddq_u8(self.low, all(0x40)), high: vsubq_u8(vsubq_u8(self.high, all(0xD8)), carry) }
    }
}
