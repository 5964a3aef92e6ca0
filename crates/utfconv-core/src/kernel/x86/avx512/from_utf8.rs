//! The kernels from UTF-8 to UTF-16, UTF-32 and ISO-8859-1. The kernel to ISO-8859-1 is simpler than described here.
//!
//! A block of 64 bytes becomes all the characters that end in it, so that no step waits for the length of the previous
//! block. For each byte that ends a character, the bytes of the scalar value are computed at the position of the byte,
//! from the byte and the bytes before it. They are then compressed, and interleaved to code units.

use super::simd::{Compress, Convert, SIZE, put_rest};

/// Converts UTF-8 to `T`.
pub struct FromUtf8<T>(T);

/// A form that is written from UTF-8.
pub trait Target {
    /// Number of bytes that an ASCII character, such as U+0000, becomes.
    const UNIT: usize;
    /// Maximum number of bytes of the room that are written to.
    const ROOM: usize;

    /// Number of bytes that a sequence of four bytes becomes before its last byte is known.
    const HIGH: usize = 0;

    /// Writes a block of ASCII.
    fn put_ascii<S: Compress>(simd: S, block: S::V, room: &mut [u8]);

    /// Writes the characters that end in the block. Returns the number of bytes written.
    fn put<S: Compress>(simd: S, block: &Block<S::V>, room: &mut [u8]) -> usize;
}

/// The last bytes of a block that lead sequences which continue in the next block.
#[derive(Clone, Copy, Default)]
pub(super) struct Carry {
    /// 1 if the last byte leads a sequence of two bytes or more, otherwise 0.
    pub two: u64,
    /// The positions, among the last two bytes, of the lead bytes of sequences of three bytes or more, as bits.
    pub three: u64,
    /// The positions, among the last three bytes, of the lead bytes of four-byte sequences, as bits.
    pub four: u64,
}

impl Carry {
    /// Returns the number of bytes at the end of the block that belong to a sequence which continues after it.
    #[inline(always)]
    pub(super) fn cut_off(self) -> usize {
        match self {
            Carry { two: 1.., .. } => 1,
            Carry { three: 1.., .. } => 2,
            Carry { four: 1.., .. } => 3,
            _ => 0,
        }
    }
}

/// A well-formed block.
pub struct Block<V> {
    pub(super) v: V,
    /// The previous block.
    pub(super) before: V,
    /// The bytes one position before those of `v`.
    pub(super) first_before: V,
    /// The positions of continuation bytes, as bits.
    pub(super) continuations: u64,
    /// The positions of the third bytes of sequences, as bits.
    pub(super) thirds: u64,
    /// The positions of the fourth bytes of sequences, as bits.
    pub(super) fourths: u64,
    /// The positions of the third bytes of four-byte sequences, as bits.
    pub(super) thirds_of_four: u64,
    /// The positions at which characters end, as bits.
    pub(super) ends: u64,
    pub(super) carry: Carry,
}

impl<S: Compress, T: Target> Convert<S> for FromUtf8<T> {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut before = simd.splat8(0);
        let mut carry = Carry::default();
        while let Some(bytes) = src[read..].first_chunk()
            && dst.len() - written >= T::ROOM
        {
            let v = simd.load(bytes);
            let non_ascii = simd.negative8(v);
            if non_ascii == 0 && carry.cut_off() == 0 {
                let len = put_ascii::<S, T>(simd, &src[read..], &mut dst[written..]);
                read += len;
                written += len * T::UNIT;
                if len == 0 {
                    // Another process has changed the source since the test for ASCII.
                    break;
                }
                continue;
            }
            let Some(block) = well_formed_block(simd, v, non_ascii, before, carry) else { break };
            written += T::put(simd, &block, &mut dst[written..]);
            read += SIZE;
            before = v;
            carry = block.carry;
        }
        let rest = &src[read..];
        if rest.len() < SIZE {
            let v = simd.load_part(rest);
            let nuls = (SIZE - rest.len()) * T::UNIT;
            let size = put_rest(&mut dst[written..], T::ROOM, nuls, |room| {
                let non_ascii = simd.negative8(v);
                if non_ascii == 0 && carry.cut_off() == 0 {
                    T::put_ascii(simd, v, room);
                    return Some(SIZE * T::UNIT);
                }
                Some(T::put(simd, &well_formed_block(simd, v, non_ascii, before, carry)?, room))
            });
            if let Some(size) = size {
                return (src.len(), written + size);
            }
        }
        match carry.cut_off() {
            3 => (read - 3, written - T::HIGH),
            cut => (read - cut, written),
        }
    }
}

/// Writes blocks of ASCII. Returns the number of bytes read.
#[inline(always)]
fn put_ascii<S: Compress, T: Target>(simd: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut len = 0;
    for (block, room) in src.as_chunks().0.iter().zip(dst.chunks_exact_mut(SIZE * T::UNIT)) {
        let v = simd.load(block);
        if simd.negative8(v) != 0 {
            break;
        }
        T::put_ascii(simd, v, room);
        len += SIZE;
    }
    len
}

/// Returns the block `v`, which follows `before` and the sequences that the end of `before` cut, or `None` if it is
/// ill-formed.
#[inline(always)]
pub(super) fn well_formed_block<S: Compress>(
    simd: S,
    v: S::V,
    non_ascii: u64,
    before: S::V,
    earlier: Carry,
) -> Option<Block<S::V>> {
    /// For each lead byte from C0 on, the second bytes that may follow, as bits: bit 0 for 80..8F, bit 1 for 90..9F,
    /// bit 2 for A0..AF, and bit 3 for B0..BF.
    const SECONDS: [u8; SIZE] = {
        let mut seconds = [0b1111; SIZE];
        seconds[0x00] = 0;
        seconds[0x01] = 0;
        seconds[0x20] = 0b1100;
        seconds[0x2D] = 0b0011;
        seconds[0x30] = 0b1110;
        seconds[0x34] = 0b0001;
        let mut above = 0x35;
        while above < SIZE {
            seconds[above] = 0;
            above += 1;
        }
        seconds
    };
    /// The bit of [`SECONDS`] for each continuation byte from 80 on.
    const BITS: [u8; SIZE] = {
        let mut bits = [0; SIZE];
        let mut i = 0;
        while i < SIZE {
            bits[i] = 1 << (i / 16);
            i += 1;
        }
        bits
    };

    // The positions of the lead bytes of sequences of at least two, three or four bytes, as bits.
    let two = !simd.lt8(v, simd.splat8(0xC0));
    let three = !simd.lt8(v, simd.splat8(0xE0));
    let four = !simd.lt8(v, simd.splat8(0xF0));
    let continuations = non_ascii & !two;
    let seconds = two << 1 | earlier.two;
    let thirds = three << 2 | earlier.three;
    let fourths = four << 3 | earlier.four;
    if continuations != seconds | thirds | fourths {
        return None;
    }
    let first_before = simd.delay::<1>(v, before);
    let fits = simd.test8(simd.lookup64(&SECONDS, first_before), simd.lookup64(&BITS, v));
    if seconds & !fits != 0 {
        return None;
    }
    let seconds_of_more = three << 1 | earlier.three >> 1;
    let thirds_of_four = four << 2 | earlier.four >> 1;
    let ends = !(two | seconds_of_more | thirds_of_four);
    let carry = Carry { two: two >> 63, three: three >> 62, four: four >> 61 };
    Some(Block { v, before, first_before, continuations, thirds, fourths, thirds_of_four, ends, carry })
}

/// Returns the lowest byte of the scalar value that ends at each byte.
#[inline(always)]
fn low<S: Compress>(simd: S, block: &Block<S::V>) -> S::V {
    let joined = simd.select(simd.splat8(0x3F), block.v, simd.shl16::<6>(block.first_before));
    simd.blend8(block.continuations, block.v, joined)
}

/// Returns the second lowest byte of the scalar value that ends at each byte.
#[inline(always)]
fn high<S: Compress>(simd: S, block: &Block<S::V>) -> S::V {
    let lower_half = simd.splat8(0x0F);
    let zero = simd.splat8(0);
    let joined =
        simd.blend8(block.continuations, zero, simd.and(simd.shr16::<2>(block.first_before), lower_half));
    if block.thirds | block.fourths == 0 {
        return joined;
    }
    let second_before = simd.delay::<2>(block.v, block.before);
    let whole = simd.select(lower_half, joined, simd.shl16::<4>(second_before));
    simd.blend8(block.thirds | block.fourths, joined, whole)
}

/// Writes UTF-16.
pub struct Utf16<const BIG_ENDIAN: bool>;

impl<const BIG_ENDIAN: bool> Target for Utf16<BIG_ENDIAN> {
    const UNIT: usize = 2;
    const ROOM: usize = 2 * SIZE;
    const HIGH: usize = 2;

    #[inline(always)]
    fn put_ascii<S: Compress>(simd: S, block: S::V, room: &mut [u8]) {
        simd.store_all(simd.units16::<BIG_ENDIAN>(block, simd.splat8(0)), room);
    }

    #[inline(always)]
    fn put<S: Compress>(simd: S, block: &Block<S::V>, room: &mut [u8]) -> usize {
        let (mut low, mut high) = (low(simd, block), high(simd, block));
        let mut ends = block.ends;
        if block.thirds_of_four | block.fourths != 0 {
            // The high surrogate is computed at the position of the third byte, and the low surrogate at the position
            // of the fourth byte.
            let &Block { v, before, first_before, thirds_of_four, fourths, .. } = block;
            let low_bits = simd.and(simd.shr16::<2>(first_before), simd.splat8(0x03));
            high = simd.blend8(fourths, high, simd.or(low_bits, simd.splat8(0xDC)));
            let upper = simd.select(simd.splat8(0x03), simd.shr16::<4>(v), simd.shl16::<2>(first_before));
            // Subtracting 0x10000 from the scalar value subtracts 0x40 here, with a borrow.
            let step = simd.splat8(0x40);
            let borrow = simd.lt8(upper, step);
            low = simd.blend8(thirds_of_four, low, simd.sub8(upper, step));
            let lead = simd.and(simd.delay::<2>(v, before), simd.splat8(0x07));
            let lead = simd.or(lead, simd.splat8(0xD8));
            let lead = simd.blend8(borrow, lead, simd.sub8(lead, simd.splat8(1)));
            high = simd.blend8(thirds_of_four, high, lead);
            ends |= thirds_of_four;
        }
        let units = simd.units16::<BIG_ENDIAN>(simd.compress8(ends, low), simd.compress8(ends, high));
        simd.store_all(units, room);
        2 * ends.count_ones() as usize
    }
}

/// Writes UTF-32.
pub struct Utf32<const BIG_ENDIAN: bool>;

impl<const BIG_ENDIAN: bool> Target for Utf32<BIG_ENDIAN> {
    const UNIT: usize = 4;
    const ROOM: usize = 4 * SIZE;

    #[inline(always)]
    fn put_ascii<S: Compress>(simd: S, block: S::V, room: &mut [u8]) {
        let zero = simd.splat8(0);
        simd.store_all(simd.units32::<BIG_ENDIAN>([block, zero, zero]), room);
    }

    #[inline(always)]
    fn put<S: Compress>(simd: S, block: &Block<S::V>, room: &mut [u8]) -> usize {
        let &Block { v, before, fourths, ends, .. } = block;
        let low = simd.compress8(ends, low(simd, block));
        let high = simd.compress8(ends, high(simd, block));
        let units = if fourths == 0 {
            simd.units32::<BIG_ENDIAN>([low, high, simd.splat8(0)])
        } else {
            let second = simd.shr16::<4>(simd.delay::<2>(v, before));
            let lead = simd.and(simd.shl16::<2>(simd.delay::<3>(v, before)), simd.splat8(0x1C));
            let upper = simd.select(simd.splat8(0x03), second, lead);
            let upper = simd.blend8(fourths, simd.splat8(0), upper);
            simd.units32::<BIG_ENDIAN>([low, high, simd.compress8(ends, upper)])
        };
        simd.store_all(units, room);
        4 * ends.count_ones() as usize
    }
}

/// Converts UTF-8 to ISO-8859-1.
pub struct ToLatin1;

impl<S: Compress> Convert<S> for ToLatin1 {
    #[inline(always)]
    fn convert(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // `cut` is 1 if the last byte of the previous block leads a two-byte sequence; `upper_cut` is 1 if the last
        // byte is C3.
        let (mut cut, mut upper_cut) = (0, 0);
        while let Some(bytes) = src[read..].first_chunk()
            && let Some(room) = dst[written..].first_chunk_mut::<SIZE>()
        {
            let v = simd.load(bytes);
            let non_ascii = simd.negative8(v);
            if non_ascii | cut == 0 {
                simd.store(v, room);
                read += SIZE;
                written += SIZE;
                continue;
            }
            // The only lead bytes of ISO-8859-1 characters are C2 and C3.
            let leads = simd.lt8(simd.sub8(v, simd.splat8(0xC2)), simd.splat8(2));
            let continuations = non_ascii & simd.lt8(v, simd.splat8(0xC0));
            if leads | continuations != non_ascii || continuations != leads << 1 | cut {
                break;
            }
            let upper_leads = leads & simd.test8(v, simd.splat8(1));
            let upper = simd.or(v, simd.splat8(0x40));
            let characters = simd.blend8(upper_leads << 1 | upper_cut, v, upper);
            simd.store(simd.compress8(!leads, characters), room);
            read += SIZE;
            written += leads.count_zeros() as usize;
            (cut, upper_cut) = (leads >> 63, upper_leads >> 63);
        }
        (read - cut as usize, written)
    }
}
