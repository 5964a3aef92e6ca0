//! The kernels from UTF-16 to UTF-8, UTF-16, UTF-32 and ISO-8859-1.
//!
//! A block of 32 code units becomes all the characters that end in it, so that no step waits for the previous step.

use super::simd::{Compress, Convert, SIZE, Simd, put_rest};
use super::to_utf8::{put_scalars, put_two_bytes};

/// Converts UTF-16 to `T`.
pub struct FromUtf16<T, const BIG_ENDIAN: bool>(T);

/// A form that is written from UTF-16.
pub trait Target<S: Simd> {
    /// Number of bytes that U+0000 becomes.
    const UNIT: usize;
    /// Maximum number of bytes of the room that are written to.
    const ROOM: usize;
    /// Number of bytes that a high surrogate becomes before its low surrogate is known.
    const HIGH: usize = 0;
    /// The bits that are 0 in every code unit that becomes one byte, if the target has single bytes.
    const BEYOND_ONE_BYTE: Option<u16> = None;

    /// Writes code units that are not surrogates. Returns the number of bytes written.
    fn put(simd: S, units: S::V, room: &mut [u8]) -> usize;

    /// Writes code units that include surrogate pairs. Returns the number of bytes written.
    fn put_pairs(simd: S, pairs: &Pairs<S::V>, room: &mut [u8]) -> usize;
}

/// Code units with surrogate pairs; the first and the last pair may cross the edges.
pub struct Pairs<V> {
    units: V,
    /// The code unit before each code unit.
    first_before: V,
    /// The positions of high surrogates, as bits.
    high: u32,
    /// The positions of low surrogates, as bits.
    low: u32,
}

impl<S: Simd, T: Target<S>, const BIG_ENDIAN: bool> Convert<S> for FromUtf16<T, BIG_ENDIAN> {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut before = simd.splat8(0);
        // Number of high surrogates whose low surrogate has not come yet: 0 or 1.
        let mut cut = 0;
        while let Some(bytes) = src[read..].first_chunk()
            && dst.len() - written >= T::ROOM
        {
            let units = simd.swap16::<BIG_ENDIAN>(simd.load(bytes));
            if cut == 0
                && let Some(beyond) = T::BEYOND_ONE_BYTE
                && simd.test16(units, simd.splat16(beyond)) == 0
            {
                let count =
                    put_one_byte_runs::<S, BIG_ENDIAN>(simd, beyond, &src[read..], &mut dst[written..]);
                if count > 0 {
                    read += 2 * count;
                    written += count;
                    continue;
                }
            }
            let room = &mut dst[written..];
            // Text with runs of one-byte characters often stays below U+0800 between the runs, so test for such a block
            // first.
            if cut == 0 && T::BEYOND_ONE_BYTE.is_some() && simd.test16(units, simd.splat16(0xF800)) == 0 {
                written += T::put(simd, units, &mut dst[written..]);
                read += SIZE;
                continue;
            }
            let Some((size, next_cut)) = put::<S, T>(simd, units, before, cut, room) else { break };
            (before, cut) = (units, next_cut);
            read += SIZE;
            written += size;
        }
        let rest = &src[read..];
        let rest = &rest[..rest.len() & !1];
        if rest.len() < SIZE {
            let units = simd.swap16::<BIG_ENDIAN>(simd.load_part(rest));
            let nuls = (SIZE - rest.len()) / 2 * T::UNIT;
            let size = put_rest(&mut dst[written..], T::ROOM, nuls, |room| {
                put::<S, T>(simd, units, before, cut, room).map(|(size, _)| size)
            });
            if let Some(size) = size {
                return (read + rest.len(), written + size);
            }
        }
        (read - 2 * cut, written - T::HIGH * cut)
    }
}

/// Writes a block of code units. `cut` is 1 if `before`, the previous block, ends with a high surrogate, otherwise 0.
/// Returns the number of bytes written and `cut` for the next block, or `None` if a surrogate is not paired.
#[inline(always)]
fn put<S: Simd, T: Target<S>>(
    simd: S,
    units: S::V,
    before: S::V,
    cut: usize,
    room: &mut [u8],
) -> Option<(usize, usize)> {
    let offsets = simd.sub16(units, simd.splat16(0xD800));
    let surrogates = simd.lt16(offsets, simd.splat16(0x800));
    if surrogates == 0 && cut == 0 {
        return Some((T::put(simd, units, room), 0));
    }
    let high = simd.lt16(offsets, simd.splat16(0x400));
    let low = surrogates & !high;
    if low != high << 1 | cut as u32 {
        return None;
    }
    let pairs = Pairs { units, first_before: simd.delay::<2>(units, before), high, low };
    Some((T::put_pairs(simd, &pairs, room), (high >> 31) as usize))
}

/// Writes blocks of 64 code units that become a byte each. Returns the number of code units.
#[inline(always)]
fn put_one_byte_runs<S: Simd, const BIG_ENDIAN: bool>(
    simd: S,
    beyond: u16,
    src: &[u8],
    dst: &mut [u8],
) -> usize {
    let mut count = 0;
    let blocks = src.as_chunks::<{ 2 * SIZE }>().0;
    for (block, room) in blocks.iter().zip(dst.as_chunks_mut::<SIZE>().0) {
        let (halves, _) = block.as_chunks();
        let a = simd.swap16::<BIG_ENDIAN>(simd.load(&halves[0]));
        let b = simd.swap16::<BIG_ENDIAN>(simd.load(&halves[1]));
        if simd.test16(simd.or(a, b), simd.splat16(beyond)) != 0 {
            break;
        }
        simd.store(simd.narrow16(a, b), room);
        count += SIZE;
    }
    count
}

/// Returns the scalar values of the lower and the upper 16 code units, with the lanes of high surrogates, which are to
/// be left out.
#[inline(always)]
fn scalars<S: Simd>(simd: S, pairs: &Pairs<S::V>) -> [(S::V, u16); 2] {
    let zero = simd.splat8(0);
    let [a, b] = simd.interleave16(pairs.units, zero);
    let [a_before, b_before] = simd.interleave16(pairs.first_before, zero);
    let (low, high) = (pairs.low, pairs.high);
    [
        (join(simd, a_before, a, low as u16), high as u16),
        (join(simd, b_before, b, (low >> 16) as u16), (high >> 16) as u16),
    ]
}

/// Returns the scalar values of code units in 32-bit lanes; `before` has the code units before them.
#[inline(always)]
fn join<S: Simd>(simd: S, before: S::V, units: S::V, low: u16) -> S::V {
    // The bits that mark the surrogates, less 0x10000, which UTF-16 subtracts.
    let excess = simd.splat32((0xD800 << 10) + 0xDC00 - 0x10000);
    let joined = simd.add32(simd.shl32::<10>(before), simd.sub32(units, excess));
    simd.blend32(low, units, joined)
}

/// Writes UTF-8.
pub struct Utf8;

impl<S: Compress> Target<S> for Utf8 {
    const UNIT: usize = 1;
    const ROOM: usize = 2 * SIZE;
    const BEYOND_ONE_BYTE: Option<u16> = Some(0xFF80);

    #[inline(always)]
    fn put(simd: S, units: S::V, room: &mut [u8]) -> usize {
        if simd.test16(units, simd.splat16(0xF800)) == 0 {
            return put_two_bytes(simd, units, room);
        }
        let [lower, upper] = simd.interleave16(units, simd.splat8(0));
        let size = put_scalars::<S, false>(simd, lower, 0, room);
        size + put_scalars::<S, false>(simd, upper, 0, &mut room[size..])
    }

    #[inline(always)]
    fn put_pairs(simd: S, pairs: &Pairs<S::V>, room: &mut [u8]) -> usize {
        let [(lower, lower_without), (upper, upper_without)] = scalars(simd, pairs);
        let size = put_scalars::<S, true>(simd, lower, lower_without, room);
        size + put_scalars::<S, true>(simd, upper, upper_without, &mut room[size..])
    }
}

/// Writes UTF-16.
pub struct Utf16<const BIG_ENDIAN: bool>;

impl<S: Simd, const BIG_ENDIAN: bool> Target<S> for Utf16<BIG_ENDIAN> {
    const UNIT: usize = 2;
    const ROOM: usize = SIZE;
    const HIGH: usize = 2;

    #[inline(always)]
    fn put(simd: S, units: S::V, room: &mut [u8]) -> usize {
        simd.store_all([simd.swap16::<BIG_ENDIAN>(units)], room);
        SIZE
    }

    #[inline(always)]
    fn put_pairs(simd: S, pairs: &Pairs<S::V>, room: &mut [u8]) -> usize {
        Self::put(simd, pairs.units, room)
    }
}

/// Writes UTF-32.
pub struct Utf32<const BIG_ENDIAN: bool>;

impl<S: Simd, const BIG_ENDIAN: bool> Target<S> for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;
    const ROOM: usize = 2 * SIZE;

    #[inline(always)]
    fn put(simd: S, units: S::V, room: &mut [u8]) -> usize {
        let [a, b] = simd.interleave16(units, simd.splat8(0));
        simd.store_all([simd.swap32::<BIG_ENDIAN>(a), simd.swap32::<BIG_ENDIAN>(b)], room);
        2 * SIZE
    }

    #[inline(always)]
    fn put_pairs(simd: S, pairs: &Pairs<S::V>, room: &mut [u8]) -> usize {
        let mut size = 0;
        for (scalars, without) in scalars(simd, pairs) {
            let scalars = simd.compress32(!without, simd.swap32::<BIG_ENDIAN>(scalars));
            simd.store_all([scalars], &mut room[size..]);
            size += 4 * without.count_zeros() as usize;
        }
        size
    }
}

/// Writes UTF-32, on CPUs that can compress 16-bit lanes.
pub struct CompressedUtf32<const BIG_ENDIAN: bool>;

impl<S: Compress, const BIG_ENDIAN: bool> Target<S> for CompressedUtf32<BIG_ENDIAN> {
    const UNIT: usize = 4;
    const ROOM: usize = 2 * SIZE;

    #[inline(always)]
    fn put(simd: S, units: S::V, room: &mut [u8]) -> usize {
        <Utf32<BIG_ENDIAN> as Target<S>>::put(simd, units, room)
    }

    #[inline(always)]
    fn put_pairs(simd: S, pairs: &Pairs<S::V>, room: &mut [u8]) -> usize {
        let ends = !pairs.high;
        let zero = simd.splat8(0);
        let high = simd.compress16(ends, simd.blend16(pairs.low, zero, pairs.first_before));
        let [a, b] = simd.interleave16(simd.compress16(ends, pairs.units), high);
        simd.store_all([joined::<S, BIG_ENDIAN>(simd, a), joined::<S, BIG_ENDIAN>(simd, b)], room);
        4 * ends.count_ones() as usize
    }
}

/// Returns the scalar values of code units in the lower halves of lanes; a low surrogate has its high surrogate in the
/// upper half.
#[inline(always)]
fn joined<S: Simd, const BIG_ENDIAN: bool>(simd: S, units: S::V) -> S::V {
    // Join the ten bits of the low surrogate and the whole high surrogate, then subtract the marks of the high
    // surrogate.
    let joined = simd.select(simd.splat32(0x3FF), units, simd.shr32::<6>(units));
    let joined = simd.sub32(joined, simd.splat32((0xD800 << 10) - 0x10000));
    let alone = simd.lt32(units, simd.splat32(0x10000));
    simd.swap32::<BIG_ENDIAN>(simd.blend32(alone, joined, units))
}

/// Converts UTF-16 to ISO-8859-1.
pub struct ToLatin1<const BIG_ENDIAN: bool>;

impl<S: Simd, const BIG_ENDIAN: bool> Convert<S> for ToLatin1<BIG_ENDIAN> {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let count = put_one_byte_runs::<S, BIG_ENDIAN>(simd, 0xFF00, src, dst);
        (2 * count, count)
    }
}
