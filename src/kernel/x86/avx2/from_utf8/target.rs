//! What the kernels from UTF-8 write.

use std::arch::x86_64::*;

use super::block::{BLOCK, Block, Units, is_ascii, load, mask};

/// An encoding form to write.
///
/// Its functions need a CPU with AVX2 and POPCNT.
pub(super) trait Target {
    /// Bytes in a code unit.
    const UNIT: usize;

    /// The longest sequence that the target has a character for.
    const LONGEST: usize = 4;

    /// Bytes written for a sequence of four when only three have come.
    const EARLY: usize = 0;

    /// Writes whole blocks, if they are ASCII, to a room that they fill; answers whether they are.
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool;

    /// Writes the sequences of a well-formed block that end where `ends` has bits, and answers how many bytes that are.
    /// None is longer than `LONGEST`; none that ends behind the last bit of `within` is begun. The room holds as many units
    /// as a block bytes.
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, within: u64, room: &mut [u8]) -> usize;
}

/// UTF-16, with the upper byte of a unit first or not.
pub(super) struct Utf16<const BIG: bool>;

/// UTF-32, with the uppermost byte of a unit first or not.
pub(super) struct Utf32<const BIG: bool>;

/// ISO-8859-1.
pub(super) struct Latin1;

/// For each set of 8 units of `SIZE / 8` bytes the shuffle that moves them to the front. They begin at byte `FROM`.
const fn squeezes<const SIZE: usize, const FROM: usize>() -> [[u8; SIZE]; 256] {
    let unit = SIZE / 8;
    let mut table = [[0x80; SIZE]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut from, mut to) = (0, 0);
        while from < SIZE {
            if set >> (from / unit) & 1 == 1 {
                table[set][to] = (FROM + from) as u8;
                to += 1;
            }
            from += 1;
        }
        set += 1;
    }
    table
}

static SQUEEZES: [[u8; 16]; 256] = squeezes::<16, 0>();

/// The sets of each eight bytes of a half, as bits.
fn sets(mask: u64, half: usize) -> [u8; 4] {
    let bytes = mask.to_le_bytes();
    [bytes[4 * half], bytes[4 * half + 1], bytes[4 * half + 2], bytes[4 * half + 3]]
}

/// Moves the units of 16 bits that are in the sets to the front of their lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn squeeze(units: __m256i, low: u8, high: u8) -> __m256i {
    let [low, high] = [&SQUEEZES[usize::from(low)], &SQUEEZES[usize::from(high)]];
    // SAFETY: both have 16 bytes, which may be read at any alignment.
    let shuffle = unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) };
    _mm256_shuffle_epi8(units, shuffle)
}

/// Both bytes of units side by side: of each lane's first eight, and of the others.
#[target_feature(enable = "avx2")]
#[inline]
fn joined<const BIG: bool>(Units { low, high }: Units) -> [__m256i; 2] {
    let [first, second] = if BIG { [high, low] } else { [low, high] };
    [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)]
}

/// Both lanes of two vectors, those of the first vector being the first and the third.
#[target_feature(enable = "avx2")]
#[inline]
fn lanes(even: __m256i, odd: __m256i) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(even),
        _mm256_castsi256_si128(odd),
        _mm256_extracti128_si256::<1>(even),
        _mm256_extracti128_si256::<1>(odd),
    ]
}

/// A room that is filled from the front, by stores that are wider than what they are for.
struct Filler<'a> {
    room: &'a mut [u8],
    len: usize,
}

impl Filler<'_> {
    /// Stores lanes in a row, of which the first `len` bytes are to stay.
    ///
    /// # Safety
    /// There must be room for the whole lanes.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn push<const LANES: usize>(&mut self, lanes: [__m128i; LANES], len: usize) {
        debug_assert!(len <= size_of_val(&lanes) && self.len + size_of_val(&lanes) <= self.room.len());
        // SAFETY: there is room, says the caller.
        unsafe { self.room.as_mut_ptr().add(self.len).cast::<[__m128i; LANES]>().write_unaligned(lanes) };
        self.len += len;
    }
}

impl<const BIG: bool> Target for Utf16<BIG> {
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
            // SAFETY: so many bytes may be read and written, at any alignment.
            unsafe {
                let units = _mm256_cvtepu8_epi16(_mm_loadu_si128(from.as_ptr().cast()));
                let units = if BIG { _mm256_slli_epi16(units, 8) } else { units };
                _mm256_storeu_si256(to.as_mut_ptr().cast(), units);
            }
        }
        true
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, within: u64, room: &mut [u8]) -> usize {
        assert!(room.len() == BLOCK * Self::UNIT);
        let mut to = Filler { room, len: 0 };
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
            let [even, odd] = joined::<BIG>(half);
            let sets = sets(kept, at);
            let even = squeeze(even, sets[0], sets[2]);
            let odd = squeeze(odd, sets[1], sets[3]);
            for (units, set) in lanes(even, odd).into_iter().zip(sets) {
                // SAFETY: the room has 16 bytes for each set, and none takes more.
                unsafe { to.push([units], 2 * set.count_ones() as usize) };
            }
        }
        to.len
    }
}

impl<const BIG: bool> Target for Utf32<BIG> {
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
            // SAFETY: so many bytes may be read and written, at any alignment.
            unsafe {
                let units = _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.as_ptr().cast()));
                let units = if BIG { _mm256_slli_epi32(units, 24) } else { units };
                _mm256_storeu_si256(to.as_mut_ptr().cast(), units);
            }
        }
        true
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, _: u64, room: &mut [u8]) -> usize {
        assert!(room.len() == BLOCK * Self::UNIT);
        let mut to = Filler { room, len: 0 };
        let zero = _mm256_setzero_si256();
        for (at, half) in block.halves.iter().enumerate() {
            let sets = sets(ends, at);
            let [even, odd] = joined::<BIG>(half.units::<LONGEST>());
            let even = squeeze(even, sets[0], sets[2]);
            let odd = squeeze(odd, sets[1], sets[3]);
            let [even_planes, odd_planes] = if LONGEST > 3 {
                let [even, odd] = joined::<BIG>(Units { low: half.planes(), high: zero });
                [squeeze(even, sets[0], sets[2]), squeeze(odd, sets[1], sets[3])]
            } else {
                [zero, zero]
            };
            let [even_front, even_back] = with_planes::<BIG>(even, even_planes);
            let [odd_front, odd_back] = with_planes::<BIG>(odd, odd_planes);
            let [fronts, backs] = [lanes(even_front, odd_front), lanes(even_back, odd_back)];
            for ((front, back), set) in fronts.into_iter().zip(backs).zip(sets) {
                // SAFETY: the room has 32 bytes for each set, and none takes more.
                unsafe { to.push([front, back], 4 * set.count_ones() as usize) };
            }
        }
        to.len
    }
}

/// Units of 32 bits: of each lane's first four, and of the others.
#[target_feature(enable = "avx2")]
#[inline]
fn with_planes<const BIG: bool>(units: __m256i, planes: __m256i) -> [__m256i; 2] {
    let [first, second] = if BIG { [planes, units] } else { [units, planes] };
    [_mm256_unpacklo_epi16(first, second), _mm256_unpackhi_epi16(first, second)]
}

impl Target for Latin1 {
    const UNIT: usize = 1;
    const LONGEST: usize = 2;

    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn put_if_ascii(src: &[u8], room: &mut [u8]) -> bool {
        // What is no ASCII is written too: a room may be, and so each byte is loaded once.
        let mut any = _mm256_setzero_si256();
        let (from, _) = src.as_chunks();
        let (to, _) = room.as_chunks_mut::<32>();
        for (from, to) in from.iter().zip(to) {
            let bytes = load(from);
            any = _mm256_or_si256(any, bytes);
            // SAFETY: so many bytes may be written, at any alignment.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) };
        }
        _mm256_movemask_epi8(any) == 0
    }

    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put<const LONGEST: usize>(block: &Block, ends: u64, _: u64, room: &mut [u8]) -> usize {
        assert!(room.len() == BLOCK * Self::UNIT);
        static LOW: [[u8; 8]; 256] = squeezes::<8, 0>();
        static HIGH: [[u8; 8]; 256] = squeezes::<8, 8>();
        let mut len = 0;
        for (at, half) in block.halves.iter().enumerate() {
            let bytes = half.units::<LONGEST>().low;
            let sets = sets(ends, at);
            let lanes = [_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes)];
            for (set, table, lane) in [
                (sets[0], &LOW, lanes[0]),
                (sets[1], &HIGH, lanes[0]),
                (sets[2], &LOW, lanes[1]),
                (sets[3], &HIGH, lanes[1]),
            ] {
                debug_assert!(len + 8 <= room.len());
                // SAFETY: the room has 8 bytes for each set, and none takes more.
                unsafe {
                    let shuffle = _mm_loadl_epi64(table[usize::from(set)].as_ptr().cast());
                    _mm_storel_epi64(room.as_mut_ptr().add(len).cast(), _mm_shuffle_epi8(lane, shuffle));
                }
                len += set.count_ones() as usize;
            }
        }
        len
    }
}
