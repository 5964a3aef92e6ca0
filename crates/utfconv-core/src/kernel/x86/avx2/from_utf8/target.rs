//! Writes blocks of UTF-8 in the target forms.

use std::arch::x86_64::*;

use super::super::vector::{join, lanes, load, load_half, load_quarter, store, store_half, store_quarter};
use super::block::{Block, Units, is_ascii, mask};
use crate::kernel::generic::from_utf8::{BLOCK, Latin1, Target, Utf16, Utf32};
use crate::kernel::generic::shuffles::{BYTES, UNITS, compactions};

/// Returns the four bit masks, of eight bytes each, of half a block.
fn sets(mask: u64, half: usize) -> [u8; 4] {
    let bytes = mask.to_le_bytes();
    [bytes[4 * half], bytes[4 * half + 1], bytes[4 * half + 2], bytes[4 * half + 3]]
}

/// Moves the 16-bit units that are in the sets (bit masks) to the front of their lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn squeeze(units: __m256i, low: u8, high: u8) -> __m256i {
    let [low, high] = [low, high].map(|set| load_half(&UNITS[usize::from(set)]));
    _mm256_shuffle_epi8(units, join(low, high))
}

/// Joins the two bytes of each code unit. The first vector has the first eight code units of each 128-bit lane, and the
/// second vector has the last eight.
#[target_feature(enable = "avx2")]
#[inline]
fn joined<const BIG_ENDIAN: bool>(Units { low, high }: Units) -> [__m256i; 2] {
    let [first, second] = if BIG_ENDIAN { [high, low] } else { [low, high] };
    [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)]
}

/// A room that is filled from the front, by stores that are wider than the data.
struct Filler<'a, const ROOM: usize> {
    room: &'a mut [u8; ROOM],
    len: usize,
}

impl<const ROOM: usize> Filler<'_, ROOM> {
    fn new(room: &mut [u8]) -> Filler<'_, ROOM> {
        Filler { room: room.try_into().expect("the room of a block"), len: 0 }
    }

    /// Stores consecutive lanes, of which the first `len` bytes are kept.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn push<const LANES: usize>(&mut self, lanes: [__m128i; LANES], len: usize) {
        let room = &mut self.room[self.len..self.len + 16 * LANES];
        for (at, lane) in lanes.into_iter().enumerate() {
            store_half(lane, room, 16 * at);
        }
        self.len += len;
    }

    /// Stores the lower half of a lane, of which the first `len` bytes are kept.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn push_half(&mut self, lane: __m128i, len: usize) {
        store_quarter(lane, self.room, self.len);
        self.len += len;
    }
}

impl<const BIG_ENDIAN: bool> Target<Block> for Utf16<BIG_ENDIAN> {
    const UNIT: usize = 2;
    const EARLY: usize = 2;

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        if !is_ascii(src) {
            return false;
        }
        let (from, _) = src.as_chunks::<16>();
        let (to, _) = room.as_chunks_mut::<32>();
        for (from, to) in from.iter().zip(to) {
            let units = _mm256_cvtepu8_epi16(load_half(from));
            store(if BIG_ENDIAN { _mm256_slli_epi16(units, 8) } else { units }, to, 0);
        }
        true
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, within: u64, room: &mut [u8]) -> usize {
        let mut to = Filler::<{ 2 * BLOCK }>::new(room);
        let [first, second] = &block.halves;
        let (halves, kept) = if LONGEST > 3 {
            let (first, first_thirds) = first.units_with_surrogates();
            let (second, second_thirds) = second.units_with_surrogates();
            let thirds = mask(first_thirds, second_thirds);
            ([first, second], ends | thirds & within)
        } else {
            ([first.units::<LONGEST>(), second.units::<LONGEST>()], ends)
        };
        for (at, half) in halves.into_iter().enumerate() {
            let [even, odd] = joined::<BIG_ENDIAN>(half);
            let sets = sets(kept, at);
            let even = squeeze(even, sets[0], sets[2]);
            let odd = squeeze(odd, sets[1], sets[3]);
            for (units, set) in lanes(even, odd).into_iter().zip(sets) {
                to.push([units], 2 * set.count_ones() as usize);
            }
        }
        to.len
    }
}

impl<const BIG_ENDIAN: bool> Target<Block> for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        if !is_ascii(src) {
            return false;
        }
        let (from, _) = src.as_chunks::<8>();
        let (to, _) = room.as_chunks_mut::<32>();
        for (from, to) in from.iter().zip(to) {
            let units = _mm256_cvtepu8_epi32(load_quarter(from));
            store(if BIG_ENDIAN { _mm256_slli_epi32(units, 24) } else { units }, to, 0);
        }
        true
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, _: u64, room: &mut [u8]) -> usize {
        let mut to = Filler::<{ 4 * BLOCK }>::new(room);
        let zero = _mm256_setzero_si256();
        for (at, half) in block.halves.iter().enumerate() {
            let sets = sets(ends, at);
            let [even, odd] = joined::<BIG_ENDIAN>(half.units::<LONGEST>());
            let even = squeeze(even, sets[0], sets[2]);
            let odd = squeeze(odd, sets[1], sets[3]);
            let [even_planes, odd_planes] = if LONGEST > 3 {
                let [even, odd] = joined::<BIG_ENDIAN>(Units { low: half.planes(), high: zero });
                [squeeze(even, sets[0], sets[2]), squeeze(odd, sets[1], sets[3])]
            } else {
                [zero, zero]
            };
            let [even_front, even_back] = with_planes::<BIG_ENDIAN>(even, even_planes);
            let [odd_front, odd_back] = with_planes::<BIG_ENDIAN>(odd, odd_planes);
            let [fronts, backs] = [lanes(even_front, odd_front), lanes(even_back, odd_back)];
            for ((front, back), set) in fronts.into_iter().zip(backs).zip(sets) {
                to.push([front, back], 4 * set.count_ones() as usize);
            }
        }
        to.len
    }
}

/// Joins the halves of each 32-bit code unit. The first vector has the first four code units of each 128-bit lane, and
/// the second vector has the last four.
#[target_feature(enable = "avx2")]
#[inline]
fn with_planes<const BIG_ENDIAN: bool>(units: __m256i, planes: __m256i) -> [__m256i; 2] {
    let [first, second] = if BIG_ENDIAN { [planes, units] } else { [units, planes] };
    [_mm256_unpacklo_epi16(first, second), _mm256_unpackhi_epi16(first, second)]
}

impl Target<Block> for Latin1 {
    const UNIT: usize = 1;
    const LONGEST: usize = 2;

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        // Store before the check, because the room may be overwritten; each byte is then loaded only once.
        let mut any = _mm256_setzero_si256();
        let (from, _) = src.as_chunks();
        let (to, _) = room.as_chunks_mut::<32>();
        for (from, to) in from.iter().zip(to) {
            let bytes = load(from);
            any = _mm256_or_si256(any, bytes);
            store(bytes, to, 0);
        }
        _mm256_movemask_epi8(any) == 0
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, _: u64, room: &mut [u8]) -> usize {
        static HIGH: [[u8; 8]; 256] = compactions(1, 0, 8);
        let mut to = Filler::<BLOCK>::new(room);
        for (at, half) in block.halves.iter().enumerate() {
            let bytes = half.units::<LONGEST>().low;
            let sets = sets(ends, at);
            let lanes = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
            for (set, table, lane) in [
                (sets[0], &BYTES, lanes[0]),
                (sets[1], &HIGH, lanes[0]),
                (sets[2], &BYTES, lanes[1]),
                (sets[3], &HIGH, lanes[1]),
            ] {
                let shuffle = load_quarter(&table[usize::from(set)]);
                to.push_half(_mm_shuffle_epi8(lane, shuffle), set.count_ones() as usize);
            }
        }
        to.len
    }
}
