//! The kernels from UTF-32 to UTF-8, UTF-16, UTF-32 and ISO-8859-1, in blocks of 32 characters.

use super::simd::{Compress, Convert, SIZE, Simd, put_rest};
use super::to_utf8::{put_scalars, put_two_bytes};

/// Converts UTF-32 to `T`.
pub struct FromUtf32<T, const BIG_ENDIAN: bool>(T);

/// A form that is written from UTF-32.
pub trait Target<S: Simd> {
    /// Number of bytes that U+0000 becomes.
    const UNIT: usize;
    /// Maximum number of bytes of the room that are written to.
    const ROOM: usize;
    /// The bits that are 0 in every character that has the shortest form; `None` if [`Target::put_run`] does nothing.
    const BEYOND_RUNS: Option<u32> = None;

    /// Writes blocks of 64 characters that all have the shortest form of the target, such as one byte. Returns the
    /// numbers of bytes read and written.
    fn put_run<const BIG_ENDIAN: bool>(_simd: S, _src: &[u8], _dst: &mut [u8]) -> (usize, usize) {
        (0, 0)
    }

    /// Writes 32 scalar values. Returns the number of bytes written.
    fn put(simd: S, scalars: [S::V; 2], room: &mut [u8]) -> usize;
}

impl<S: Simd, T: Target<S>, const BIG_ENDIAN: bool> Convert<S> for FromUtf32<T, BIG_ENDIAN> {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(bytes) = src[read..].first_chunk()
            && dst.len() - written >= T::ROOM
        {
            let scalars = load::<S, BIG_ENDIAN>(simd, bytes);
            let [a, b] = scalars;
            if let Some(beyond) = T::BEYOND_RUNS
                && have_none_of(simd, simd.or(a, b), beyond)
            {
                let (r, w) = T::put_run::<BIG_ENDIAN>(simd, &src[read..], &mut dst[written..]);
                if r > 0 {
                    read += r;
                    written += w;
                    continue;
                }
            }
            if !are_scalars(simd, a) || !are_scalars(simd, b) {
                break;
            }
            written += T::put(simd, scalars, &mut dst[written..]);
            read += bytes.len();
        }
        let rest = &src[read..];
        let rest = &rest[..rest.len() & !3];
        if rest.len() < 2 * SIZE {
            let (a, b) = rest.split_at(rest.len().min(SIZE));
            let [a, b] = [a, b].map(|half| simd.swap32::<BIG_ENDIAN>(simd.load_part(half)));
            let nuls = (2 * SIZE - rest.len()) / 4 * T::UNIT;
            let size = put_rest(&mut dst[written..], T::ROOM, nuls, |room| {
                (are_scalars(simd, a) && are_scalars(simd, b)).then(|| T::put(simd, [a, b], room))
            });
            if let Some(size) = size {
                return (read + rest.len(), written + size);
            }
        }
        (read, written)
    }
}

#[inline(always)]
fn load<S: Simd, const BIG_ENDIAN: bool>(simd: S, bytes: &[u8; 2 * SIZE]) -> [S::V; 2] {
    let (halves, _) = bytes.as_chunks();
    [simd.swap32::<BIG_ENDIAN>(simd.load(&halves[0])), simd.swap32::<BIG_ENDIAN>(simd.load(&halves[1]))]
}

/// Whether all lanes are scalar values.
#[inline(always)]
fn are_scalars<S: Simd>(simd: S, lanes: S::V) -> bool {
    // The XOR moves surrogates to 0..7FF, and the subtraction then wraps them above 10FFFF.
    let turned = simd.sub32(simd.xor(lanes, simd.splat32(0xD800)), simd.splat32(0x800));
    simd.lt32(turned, simd.splat32(0x110000 - 0x800)) == u16::MAX
}

#[inline(always)]
fn have_none_of<S: Simd>(simd: S, lanes: S::V, bits: u32) -> bool {
    simd.test8(lanes, simd.splat32(bits)) == 0
}

/// Writes blocks of 64 characters that become a byte each. Returns the numbers of bytes read and written.
#[inline(always)]
fn put_one_byte_run<S: Simd, const BIG_ENDIAN: bool>(
    simd: S,
    beyond: u32,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut count = 0;
    let blocks = src.as_chunks::<{ 4 * SIZE }>().0;
    for (block, room) in blocks.iter().zip(dst.as_chunks_mut::<SIZE>().0) {
        let (halves, _) = block.as_chunks();
        let [a, b] = load::<S, BIG_ENDIAN>(simd, &halves[0]);
        let [c, d] = load::<S, BIG_ENDIAN>(simd, &halves[1]);
        if !have_none_of(simd, simd.or(simd.or(a, b), simd.or(c, d)), beyond) {
            break;
        }
        simd.store(simd.narrow16(simd.narrow32(a, b), simd.narrow32(c, d)), room);
        count += SIZE;
    }
    (4 * count, count)
}

/// Writes UTF-8.
pub struct Utf8;

impl<S: Compress> Target<S> for Utf8 {
    const UNIT: usize = 1;
    const ROOM: usize = 2 * SIZE;
    const BEYOND_RUNS: Option<u32> = Some(!0x7F);

    #[inline(always)]
    fn put_run<const BIG_ENDIAN: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        put_one_byte_run::<S, BIG_ENDIAN>(simd, !0x7F, src, dst)
    }

    #[inline(always)]
    fn put(simd: S, [a, b]: [S::V; 2], room: &mut [u8]) -> usize {
        let any = simd.or(a, b);
        if have_none_of(simd, any, !0x7FF) {
            return put_two_bytes(simd, simd.narrow32(a, b), room);
        }
        if have_none_of(simd, any, !0xFFFF) {
            let size = put_scalars::<S, false>(simd, a, 0, room);
            return size + put_scalars::<S, false>(simd, b, 0, &mut room[size..]);
        }
        let size = put_scalars::<S, true>(simd, a, 0, room);
        size + put_scalars::<S, true>(simd, b, 0, &mut room[size..])
    }
}

/// Writes UTF-16.
pub struct Utf16<const BIG_ENDIAN: bool>;

impl<S: Compress, const TO_BIG_ENDIAN: bool> Target<S> for Utf16<TO_BIG_ENDIAN> {
    const UNIT: usize = 2;
    const ROOM: usize = 2 * SIZE;
    const BEYOND_RUNS: Option<u32> = Some(!0xFFFF);

    #[inline(always)]
    fn put_run<const BIG_ENDIAN: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let surrogates = |units| simd.lt16(simd.sub16(units, simd.splat16(0xD800)), simd.splat16(0x800));
        let mut count = 0;
        let blocks = src.as_chunks::<{ 4 * SIZE }>().0;
        for (block, room) in blocks.iter().zip(dst.as_chunks_mut::<{ 2 * SIZE }>().0) {
            let (halves, _) = block.as_chunks();
            let [a, b] = load::<S, BIG_ENDIAN>(simd, &halves[0]);
            let [c, d] = load::<S, BIG_ENDIAN>(simd, &halves[1]);
            if !have_none_of(simd, simd.or(simd.or(a, b), simd.or(c, d)), !0xFFFF) {
                break;
            }
            let (one, other) = (simd.narrow32(a, b), simd.narrow32(c, d));
            if surrogates(one) | surrogates(other) != 0 {
                break;
            }
            let units = [one, other].map(|units| simd.swap16::<TO_BIG_ENDIAN>(units));
            simd.store_all(units, room);
            count += SIZE;
        }
        (4 * count, 2 * count)
    }

    #[inline(always)]
    fn put(simd: S, [a, b]: [S::V; 2], room: &mut [u8]) -> usize {
        if have_none_of(simd, simd.or(a, b), !0xFFFF) {
            simd.store_all([simd.swap16::<TO_BIG_ENDIAN>(simd.narrow32(a, b))], room);
            return SIZE;
        }
        let size = put_pairs::<S, TO_BIG_ENDIAN>(simd, a, room);
        size + put_pairs::<S, TO_BIG_ENDIAN>(simd, b, &mut room[size..])
    }
}

/// Writes 16 scalar values as one or two code units of UTF-16 each. Returns the number of bytes written.
#[inline(always)]
fn put_pairs<S: Compress, const BIG_ENDIAN: bool>(simd: S, scalars: S::V, room: &mut [u8]) -> usize {
    let low_bits = simd.splat32(0x3FF);
    let offsets = simd.sub32(scalars, simd.splat32(0x10000));
    let high = simd.shr32::<10>(offsets);
    let low = simd.shl32::<16>(simd.and(offsets, low_bits));
    let pairs = simd.or(simd.or(high, low), simd.splat32(0xDC00_D800));
    let bmp = simd.lt32(scalars, simd.splat32(0x10000));
    let units = simd.blend32(bmp, pairs, scalars);
    // The second code unit of a lane is nonzero only if it is a low surrogate.
    let kept = simd.test16(units, units) | 0x5555_5555;
    simd.store_all([simd.compress16(kept, simd.swap16::<BIG_ENDIAN>(units))], room);
    2 * kept.count_ones() as usize
}

/// Writes UTF-32.
pub struct Utf32<const BIG_ENDIAN: bool>;

impl<S: Simd, const BIG_ENDIAN: bool> Target<S> for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;
    const ROOM: usize = 2 * SIZE;

    #[inline(always)]
    fn put(simd: S, [a, b]: [S::V; 2], room: &mut [u8]) -> usize {
        simd.store_all([simd.swap32::<BIG_ENDIAN>(a), simd.swap32::<BIG_ENDIAN>(b)], room);
        2 * SIZE
    }
}

/// Converts UTF-32 to ISO-8859-1.
pub struct ToLatin1<const BIG_ENDIAN: bool>;

impl<S: Simd, const BIG_ENDIAN: bool> Convert<S> for ToLatin1<BIG_ENDIAN> {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        put_one_byte_run::<S, BIG_ENDIAN>(simd, !0xFF, src, dst)
    }
}
