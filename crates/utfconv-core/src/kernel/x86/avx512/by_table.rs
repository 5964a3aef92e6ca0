//! The kernels from code pages to each other, to UTF-8 and to UTF-16. Tables of 256 bytes are looked up for 64 bytes at
//! a time.

use super::simd::{Compress, ConvertBy, SIZE, spread_to};
use crate::decode::Page;
use crate::form::Form;
use crate::kernel::generic::table::{MISSING, byte_cells, utf16_cells};
use crate::newline::EbcdicNewline;

/// A table from bytes to bytes.
struct Table([[u8; SIZE]; 4]);

impl Table {
    fn new(byte: impl Fn(u8) -> u8) -> Table {
        Table(std::array::from_fn(|row| std::array::from_fn(|at| byte((SIZE * row + at) as u8))))
    }

    #[inline(always)]
    fn look_up<S: Compress>(&self, simd: S, v: S::V) -> S::V {
        let low = Table::half(simd, [&self.0[0], &self.0[1]], v);
        self.look_up_above(simd, v, low)
    }

    /// Returns the table's bytes for bytes from 80 on, and the bytes of `low` for bytes below 80.
    #[inline(always)]
    fn look_up_above<S: Compress>(&self, simd: S, v: S::V, low: S::V) -> S::V {
        simd.blend8(simd.negative8(v), low, Table::half(simd, [&self.0[2], &self.0[3]], v))
    }

    #[inline(always)]
    fn half<S: Compress>(simd: S, [even, odd]: [&[u8; SIZE]; 2], v: S::V) -> S::V {
        // Test bit 6 by a shift, because the shift does not use the execution unit of the lookups.
        let is_odd = simd.negative8(simd.shl16::<1>(v));
        simd.blend8(is_odd, simd.lookup64(even, v), simd.lookup64(odd, v))
    }
}

/// Converts a single-byte form to another.
pub struct ToBytes {
    /// The byte of the target for each byte of the source; 0 if the target lacks the character.
    table: Table,
    has_all: bool,
    /// The source byte that becomes 0. If none does, any source byte whose character the target has.
    zero: u8,
}

impl ToBytes {
    /// Creates the conversion. Returns `None` if a form is not a single-byte form, if neither is a code page, or if
    /// they have no common character.
    pub fn new(from: Form, to: Form, newline: EbcdicNewline) -> Option<ToBytes> {
        let cells = byte_cells(from, to, newline)?;
        let zero = cells.iter().position(|cell| *cell == 0);
        let zero = zero.or_else(|| cells.iter().position(|cell| *cell != MISSING))?;
        Some(ToBytes {
            table: Table::new(|byte| cells[usize::from(byte)] as u8),
            has_all: !cells.contains(&MISSING),
            zero: zero as u8,
        })
    }
}

impl<S: Compress> ConvertBy<S> for ToBytes {
    #[inline(always)]
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut done = 0;
        for (block, room) in src.as_chunks().0.iter().zip(dst.as_chunks_mut().0) {
            let v = simd.load(block);
            let bytes = self.table.look_up(simd, v);
            if !self.has_all && simd.test8(bytes, bytes) != !0 {
                let others = simd.test8(simd.xor(v, simd.splat8(self.zero)), simd.splat8(0xFF));
                if !simd.test8(bytes, bytes) & others != 0 {
                    break;
                }
            }
            simd.store(bytes, room);
            done += SIZE;
        }
        (done, done)
    }
}

/// Converts a code page to UTF-16.
pub struct ToUtf16 {
    /// The first byte of the code unit of each byte. For an undefined byte, both bytes are [`NONE`], because no code
    /// page has U+FFFF.
    first: Table,
    second: Table,
    has_all: bool,
}

impl ToUtf16 {
    pub fn new(from: Form, big_endian: bool, newline: EbcdicNewline) -> Option<ToUtf16> {
        let cells = utf16_cells(from, big_endian, newline)?;
        let table = |at: usize| {
            Table::new(|byte| match cells[usize::from(byte)] {
                MISSING => NONE,
                unit => unit.to_le_bytes()[at],
            })
        };
        Some(ToUtf16 { first: table(0), second: table(1), has_all: !cells.contains(&MISSING) })
    }
}

impl<S: Compress> ConvertBy<S> for ToUtf16 {
    #[inline(always)]
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut done = 0;
        for (block, room) in src.as_chunks().0.iter().zip(dst.as_chunks_mut::<{ 2 * SIZE }>().0) {
            let v = simd.load(block);
            let (first, second) = (self.first.look_up(simd, v), self.second.look_up(simd, v));
            let none = simd.splat8(NONE);
            if !self.has_all && simd.lt8(first, none) | simd.lt8(second, none) != !0 {
                break;
            }
            simd.store_all(simd.interleave8(first, second), room);
            done += SIZE;
        }
        (done, 2 * done)
    }
}

/// Converts a code page to UTF-8.
pub struct ToUtf8 {
    is_ascii: bool,
    has_all: bool,
    /// The first byte of the UTF-8 for each byte of the page; [`NONE`] for an undefined byte.
    first: Table,
    /// The second byte of the UTF-8 for each byte of the page; 0 if there is none.
    second: Table,
    third: Table,
}

/// A byte that begins no UTF-8 sequence.
const NONE: u8 = 0xFF;

/// The position of each byte after [`Simd::spread`](super::simd::Simd::spread).
const IN_ORDER: [u8; SIZE] = {
    let mut order = [0; SIZE];
    let mut at = 0;
    while at < SIZE {
        order[at] = spread_to(at) as u8;
        at += 1;
    }
    order
};

impl ToUtf8 {
    pub fn new(page: &Page) -> ToUtf8 {
        let table = |at, none| {
            Table::new(|byte| match page.cells[usize::from(byte)] {
                cell if cell.is_none() => none,
                cell => cell.bytes()[..cell.len()].get(at).copied().unwrap_or(0),
            })
        };
        ToUtf8 {
            is_ascii: page.is_ascii,
            has_all: !page.cells.iter().any(|cell| cell.is_none()),
            first: table(0, NONE),
            second: table(1, 0),
            third: table(2, 0),
        }
    }

    /// Returns the bytes of a table. Bytes below 80 give `low` if the code page has ASCII there.
    #[inline(always)]
    fn look_up<S: Compress>(&self, simd: S, table: &Table, v: S::V, low: S::V) -> S::V {
        if self.is_ascii { table.look_up_above(simd, v, low) } else { table.look_up(simd, v) }
    }
}

impl<S: Compress> ConvertBy<S> for ToUtf8 {
    #[inline(always)]
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let zero = simd.splat8(0);
        for block in src.as_chunks().0 {
            let Some(room) = dst[written..].first_chunk_mut::<{ 4 * SIZE }>() else { break };
            let v = simd.spread(simd.load(block));
            let first = self.look_up(simd, &self.first, v, v);
            if simd.negative8(first) == 0 {
                simd.store_all([simd.permute8(&IN_ORDER, first)], room);
                (read, written) = (read + SIZE, written + SIZE);
                continue;
            }
            let second = self.look_up(simd, &self.second, v, zero);
            if simd.lt8(first, simd.splat8(0xE0)) == !0 {
                written += put_pairs(simd, [first, second], room);
            } else {
                if !self.has_all && simd.lt8(first, simd.splat8(NONE)) != !0 {
                    break;
                }
                let third = self.look_up(simd, &self.third, v, zero);
                written += put_triples(simd, [first, second, third], room);
            }
            read += SIZE;
        }
        (read, written)
    }
}

/// Writes characters of one or two bytes; the second byte is 0 if there is none. The bytes are in the order of
/// [`Simd::spread`](super::simd::Simd::spread). Returns the number of bytes written.
#[inline(always)]
fn put_pairs<S: Compress>(simd: S, [first, second]: [S::V; 2], room: &mut [u8]) -> usize {
    let mut size = 0;
    for pairs in simd.unpack8(first, second) {
        let kept = simd.negative8(pairs) | 0x5555_5555_5555_5555;
        simd.store_all([simd.compress8(kept, pairs)], &mut room[size..]);
        size += kept.count_ones() as usize;
    }
    size
}

/// Writes characters of up to three bytes, padded with 0. The bytes are in the order of
/// [`Simd::spread`](super::simd::Simd::spread). Returns the number of bytes written.
#[inline(always)]
fn put_triples<S: Compress>(simd: S, [first, second, third]: [S::V; 3], room: &mut [u8]) -> usize {
    /// For each byte of three output vectors, the position of its character.
    const CHARACTERS: [[u8; SIZE]; 3] = {
        let mut characters = [[0; SIZE]; 3];
        let mut i = 0;
        while i < 3 * SIZE {
            characters[i / SIZE][i % SIZE] = IN_ORDER[i / 3];
            i += 1;
        }
        characters
    };
    /// For each of three output vectors, the bytes that are the first, the second or the third of their character, as
    /// bits.
    const BYTES: [[u64; 3]; 3] = {
        let mut bytes = [[0; 3]; 3];
        let mut i = 0;
        while i < 3 * SIZE {
            bytes[i / SIZE][i % 3] |= 1 << (i % SIZE);
            i += 1;
        }
        bytes
    };
    let mut size = 0;
    for (characters, bytes) in CHARACTERS.iter().zip(BYTES) {
        let triples = simd.permute8(characters, first);
        let triples = simd.blend8(bytes[1], triples, simd.permute8(characters, second));
        let triples = simd.blend8(bytes[2], triples, simd.permute8(characters, third));
        let kept = simd.negative8(triples) | bytes[0];
        simd.store_all([simd.compress8(kept, triples)], &mut room[size..]);
        size += kept.count_ones() as usize;
    }
    size
}
