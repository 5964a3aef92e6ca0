//! The kernels from ISO-8859-1 to UTF-8 and UTF-16.

use super::simd::{Compress, Convert, SIZE, Simd};

/// Converts ISO-8859-1 to UTF-8.
pub struct ToUtf8;

impl<S: Compress> Convert<S> for ToUtf8 {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut written = 0;
        let (blocks, _) = src.as_chunks();
        for (i, block) in blocks.iter().enumerate() {
            let Some(room) = dst[written..].first_chunk_mut::<{ 2 * SIZE }>() else {
                return (i * SIZE, written);
            };
            let v = simd.load(block);
            let non_ascii = simd.negative8(v);
            if non_ascii == 0 {
                simd.store_all([v], room);
                written += SIZE;
            } else {
                written += put(simd, v, non_ascii, room);
            }
        }
        (blocks.len() * SIZE, written)
    }
}

/// Writes a block that is not all ASCII. Returns the number of bytes written.
#[inline(always)]
fn put<S: Compress>(simd: S, v: S::V, non_ascii: u64, room: &mut [u8; 2 * SIZE]) -> usize {
    let v = simd.spread(v);
    let upper_bits = simd.and(simd.shr16::<6>(v), simd.splat8(0x03));
    let first = simd.blend8(simd.negative8(v), v, simd.or(upper_bits, simd.splat8(0xC0)));
    let second = simd.and(v, simd.splat8(0xBF));
    let mut size = 0;
    for (pairs, both) in simd.unpack8(first, second).into_iter().zip([non_ascii, non_ascii >> 32]) {
        let kept = simd.kept_of_pairs(both as u32);
        simd.store_all([simd.compress8(kept, pairs)], &mut room[size..]);
        size += kept.count_ones() as usize;
    }
    size
}

/// Converts ISO-8859-1 to UTF-16.
pub struct ToUtf16<const BIG_ENDIAN: bool>;

impl<S: Simd, const BIG_ENDIAN: bool> Convert<S> for ToUtf16<BIG_ENDIAN> {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let rooms = dst.as_chunks_mut::<{ 2 * SIZE }>().0;
        let count = rooms.len().min(src.len() / SIZE);
        for (block, room) in src.as_chunks().0.iter().zip(rooms) {
            simd.store_all(simd.units16::<BIG_ENDIAN>(simd.load(block), simd.splat8(0)), room);
        }
        (SIZE * count, 2 * SIZE * count)
    }
}
