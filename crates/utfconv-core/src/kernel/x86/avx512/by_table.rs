//! From code pages to each other, to UTF-8 and to UTF-16: tables of 256 bytes, looked up for 64 bytes at a time.

use super::ConvertBy;
use super::simd::{Compress, SIZE};
use crate::decode::Page;
use crate::form::Form;
use crate::kernel::generic::table::{MISSING, byte_cells, utf16_cells};
use crate::newline::EbcdicNewline;

/// A byte for each byte.
struct Table([[u8; SIZE]; 4]);

impl Table {
    fn new(byte: impl Fn(u8) -> u8) -> Table {
        Table(std::array::from_fn(|row| std::array::from_fn(|at| byte((SIZE * row + at) as u8))))
    }

    #[inline(always)]
    fn look_up<S: Compress>(&self, simd: S, v: S::V) -> S::V {
        let [a, b, c, d] = &self.0;
        let odd = simd.test8(v, simd.splat8(0x40));
        let low = simd.blend8(odd, simd.lookup64(a, v), simd.lookup64(b, v));
        let high = simd.blend8(odd, simd.lookup64(c, v), simd.lookup64(d, v));
        simd.blend8(simd.negative8(v), low, high)
    }
}

/// From a form of single bytes to another.
pub struct ToBytes {
    /// 0 where there is none.
    table: Table,
    has_all: bool,
    /// The byte that becomes 0; another that is missing, if none does.
    zero: u8,
}

impl ToBytes {
    pub fn new(from: Form, to: Form, newline: EbcdicNewline) -> Option<ToBytes> {
        let cells = byte_cells(from, to, newline)?;
        let zero = cells.iter().position(|cell| *cell == 0);
        Some(ToBytes {
            table: Table::new(|byte| cells[usize::from(byte)] as u8),
            has_all: !cells.contains(&MISSING),
            zero: zero.unwrap_or_default() as u8,
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

/// From a code page to UTF-16.
pub struct ToUtf16 {
    /// Both are [`NONE`] where there is no character: no code page has U+FFFF.
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

/// From a code page to UTF-8.
pub struct ToUtf8 {
    /// [`NONE`] where there is no character.
    first: Table,
    /// 0 after the last.
    second: Table,
    third: Table,
}

/// Begins no UTF-8.
const NONE: u8 = 0xFF;

impl ToUtf8 {
    pub fn new(page: &Page) -> ToUtf8 {
        let table = |at, none| {
            Table::new(|byte| match page.cells[usize::from(byte)] {
                cell if cell.is_none() => none,
                cell => cell.bytes()[..cell.len()].get(at).copied().unwrap_or(0),
            })
        };
        ToUtf8 { first: table(0, NONE), second: table(1, 0), third: table(2, 0) }
    }
}

impl<S: Compress> ConvertBy<S> for ToUtf8 {
    #[inline(always)]
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        for block in src.as_chunks().0 {
            let Some(room) = dst[written..].first_chunk_mut::<{ 4 * SIZE }>() else { break };
            let v = simd.load(block);
            let first = self.first.look_up(simd, v);
            let leads = simd.negative8(first);
            if leads == 0 {
                simd.store_all([first], room);
                (read, written) = (read + SIZE, written + SIZE);
                continue;
            }
            if simd.lt8(first, simd.splat8(NONE)) != !0 {
                break;
            }
            let second = self.second.look_up(simd, v);
            written += match simd.lt8(first, simd.splat8(0xE0)) {
                u64::MAX => put_pairs(simd, [first, second], room),
                _ => put_triples(simd, [first, second, self.third.look_up(simd, v)], room),
            };
            read += SIZE;
        }
        (read, written)
    }
}

/// Writes characters of up to two bytes, the second 0 where there is none.
#[inline(always)]
fn put_pairs<S: Compress>(simd: S, [first, second]: [S::V; 2], room: &mut [u8]) -> usize {
    let mut size = 0;
    for pairs in simd.interleave8(first, second) {
        let kept = simd.test8(pairs, pairs) | 0x5555_5555_5555_5555;
        simd.store_all([simd.compress8(kept, pairs)], &mut room[size..]);
        size += kept.count_ones() as usize;
    }
    size
}

/// Writes characters of up to three bytes, the others 0 where there are none.
#[inline(always)]
fn put_triples<S: Compress>(simd: S, [first, second, third]: [S::V; 3], room: &mut [u8]) -> usize {
    let pairs = simd.interleave8(first, second);
    let thirds = simd.interleave8(third, simd.splat8(0));
    let mut size = 0;
    for quarters in [simd.interleave16(pairs[0], thirds[0]), simd.interleave16(pairs[1], thirds[1])] {
        for quarter in quarters {
            let kept = simd.test8(quarter, quarter) | 0x1111_1111_1111_1111;
            simd.store_all([simd.compress8(kept, quarter)], &mut room[size..]);
            size += kept.count_ones() as usize;
        }
    }
    size
}
