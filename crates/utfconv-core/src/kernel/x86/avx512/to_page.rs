//! The kernels from UTF-8 and UTF-16 to code pages.
//!
//! A code page needs few of the rows of 64 code points, so the rows that it needs are numbered. At the end of a
//! character, the previous byte gives the number of the row. The number and the last byte give the byte of the code
//! page. Both are looked up in registers, for 64 positions at a time. The bytes at other positions are then removed.
//! UTF-16 is first converted to the same two bytes.

use super::from_utf8::Carry;
use super::simd::{Compress, ConvertBy, SIZE};
use crate::decode::Page;

/// Two consecutive tables, for an index of seven bits.
type Tables = [[u8; SIZE]; 2];

/// Converts UTF-8 to a code page in which U+0000 is 00.
pub struct ToPage {
    is_ascii: bool,
    /// The byte of each ASCII character; 0 if the page lacks the character.
    ascii: Tables,
    /// The place of the row of a character, indexed by the second to last byte of its UTF-8. A place holds the number
    /// of a pair of rows in `rows`, and bit 6 selects the second row of the pair. The lowest four bits are those of the
    /// lead byte of a three-byte sequence.
    places: Tables,
    /// The bytes of the code points in each row, the rows with the most letters first. The byte is 0 for a code point
    /// that the page lacks, and everywhere in the last row.
    rows: [[Tables; 2]; (MOST + 2) / 4],
}

/// Maximum number of rows.
const MOST: usize = 14;

/// The bits of a place that hold the number of a pair of rows. A greater number gives a greater value of the bits.
const PAIR: u8 = 0xB0;

/// The place for rows that the code page does not have; its number is the highest, and its bytes are 0.
const NOWHERE: u8 = PAIR;

/// The bits of a place that hold the number of a group of four rows.
const FOUR: u8 = PAIR & !place(1);

/// The bits of a place that belong to the lead byte of a three-byte sequence.
const LEAD: u8 = 0x0F;

/// Returns the place of the pair of rows with the given number, which is at most 7.
const fn place(number: usize) -> u8 {
    ((number & 3) << 4 | (number & 4) << 5) as u8
}
const _: () = assert!(place(MOST / 2) == NOWHERE);

impl ToPage {
    pub fn new(page: &Page) -> Option<ToPage> {
        let byte = |code: usize| {
            char::from_u32(code as u32).and_then(|scalar| page.from_unicode.byte(scalar)).unwrap_or(0)
        };
        let table = |row: usize| std::array::from_fn(|at| byte(SIZE * row + at));
        if page.from_unicode.byte('\0') != Some(0) {
            return None;
        }
        let mut weights = [0; 0x1_0000 / SIZE];
        for scalar in page.cells.iter().filter_map(|cell| cell.scalar()).filter(|scalar| !scalar.is_ascii()) {
            weights[scalar as usize / SIZE] += if scalar.is_alphabetic() { SIZE } else { 1 };
        }
        let mut left: Vec<usize> = (0..weights.len()).filter(|row| weights[*row] > 0).collect();
        let mut rows = [[[[0; SIZE]; 2]; 2]; _];
        let mut places = [[NOWHERE; SIZE]; 2];
        let mut count = 0;
        while let Some(heaviest) = (0..left.len()).max_by_key(|at| weights[left[*at]]) {
            let row = left.swap_remove(heaviest);
            // A row of two-byte sequences is found by the lead byte, and other rows are found by the lead byte and the
            // second byte.
            let at = if row < 0x20 { &mut places[1][row] } else { &mut places[0][row % SIZE] };
            if *at != NOWHERE || count == MOST {
                continue;
            }
            *at = place(count / 2) | (count as u8 & 1) << 6 | (row / SIZE) as u8;
            rows[count / 4][count / 2 % 2][count % 2] = table(row);
            count += 1;
        }
        Some(ToPage { is_ascii: page.is_ascii, ascii: [table(0), table(1)], places, rows })
    }

    /// Returns the bytes of the characters of a block, and the positions at which the characters end. Returns `None` if
    /// a character has no byte, or if the block is ill-formed, because overlong forms and surrogates are in no row.
    #[inline(always)]
    fn bytes<S: Compress>(
        &self,
        simd: S,
        (v, before): (S::V, S::V),
        non_ascii: u64,
        carry: &mut Carry,
    ) -> Option<(S::V, u64)> {
        // The positions of the lead bytes of sequences of at least two or three bytes, as bits.
        let two = !simd.lt8(v, simd.splat8(0xC0));
        let three = !simd.lt8(v, simd.splat8(0xE0));
        let continuations = non_ascii & !two;
        let seconds = two << 1 | carry.two;
        let first_before = simd.delay::<1>(v, before);
        let (place, ends) = if three | carry.three == 0 {
            if continuations != seconds {
                return None;
            }
            (simd.lookup64(&self.places[1], first_before), !two)
        } else {
            let thirds = three << 2 | carry.three;
            let seconds_of_more = three << 1 | carry.three >> 1;
            if continuations != seconds | thirds || simd.lt8(v, simd.splat8(0xF0)) != !0 {
                return None;
            }
            let place = simd.lookup128(&self.places, first_before);
            let other_lead = simd.test8(simd.xor(place, simd.delay::<2>(v, before)), simd.splat8(LEAD));
            if other_lead & thirds != 0 {
                return None;
            }
            (place, !(two | seconds_of_more))
        };
        let bytes = self.look_up(simd, place, v, continuations & ends);
        if !has_all(simd, ends, v, bytes) {
            return None;
        }
        *carry = Carry { two: two >> 63, three: three >> 62, four: 0 };
        Some((bytes, ends))
    }

    /// Returns the bytes of the characters of 64 code units, or `None` if a character has no byte.
    #[inline(always)]
    fn bytes_of_units<S: Compress>(&self, simd: S, [a, b]: [S::V; 2]) -> Option<S::V> {
        let byte = simd.splat16(0x00FF);
        let low = simd.narrow16(simd.and(a, byte), simd.and(b, byte));
        let high = simd.narrow16(simd.shr16::<8>(a), simd.shr16::<8>(b));
        // Code units below U+0800 take two bytes in UTF-8, whose lead byte has bit 6.
        let two = simd.lt8(high, simd.splat8(0x08));
        let row = simd.select(simd.splat8(0x03), simd.shr16::<6>(low), simd.shl16::<2>(high));
        let bit = simd.blend8(two, simd.splat8(0), simd.splat8(0x40));
        let place = simd.lookup128(&self.places, simd.select(simd.splat8(0x3F), row, bit));
        let other_lead = simd.test8(simd.xor(place, simd.shr16::<4>(high)), simd.splat8(LEAD));
        if other_lead & !two != 0 {
            return None;
        }
        let bytes = self.look_up(simd, place, low, simd.negative8(low) | simd.test8(high, high));
        has_all(simd, !0, simd.or(low, high), bytes).then_some(bytes)
    }

    /// Returns the bytes of the characters at `others`, which are given by their places and last bytes, and the bytes
    /// of ASCII elsewhere. Characters without a byte give 0.
    #[inline(always)]
    fn look_up<S: Compress>(&self, simd: S, place: S::V, last: S::V, others: u64) -> S::V {
        let index = simd.select(simd.splat8(0x3F), last, place);
        let is_second = simd.test8(place, simd.splat8(self::place(1)));
        let four = simd.and(place, simd.splat8(FOUR));
        let (mut bytes, mut left) = (self.of_ascii(simd, last), others);
        // Look up four rows at a time, because whether a text needs more rows is hard for the CPU to predict.
        for (at, [first, second]) in self.rows.iter().enumerate() {
            if at > 0 {
                left &= !simd.lt8(four, simd.splat8(self::place(2 * at)));
                if left == 0 {
                    break;
                }
            }
            bytes = simd.blend8(left, bytes, simd.lookup128(first, index));
            bytes = simd.blend8(left & is_second, bytes, simd.lookup128(second, index));
        }
        bytes
    }

    /// Returns the bytes of ASCII characters; 0 for ASCII characters without a byte, and undefined for other
    /// characters.
    #[inline(always)]
    fn of_ascii<S: Compress>(&self, simd: S, v: S::V) -> S::V {
        if self.is_ascii { v } else { simd.lookup128(&self.ascii, v) }
    }
}

/// Whether all characters that end at `ends` have bytes, given that only U+0000 is byte 00.
#[inline(always)]
fn has_all<S: Compress>(simd: S, ends: u64, v: S::V, bytes: S::V) -> bool {
    let none = ends & !simd.test8(bytes, bytes);
    none == 0 || none & simd.test8(v, v) == 0
}

impl<S: Compress> ConvertBy<S> for ToPage {
    #[inline(always)]
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut before = simd.splat8(0);
        let mut carry = Carry::default();
        while let Some(bytes) = src[read..].first_chunk()
            && let Some(room) = dst[written..].first_chunk_mut()
        {
            let v = simd.load(bytes);
            let non_ascii = simd.negative8(v);
            if non_ascii == 0 && carry.cut_off() == 0 {
                let ascii = self.of_ascii(simd, v);
                if !self.is_ascii && !has_all(simd, !0, v, ascii) {
                    break;
                }
                simd.store(ascii, room);
                read += SIZE;
                written += SIZE;
                continue;
            }
            let Some((bytes, ends)) = self.bytes(simd, (v, before), non_ascii, &mut carry) else { break };
            simd.store(simd.compress8(ends, bytes), room);
            read += SIZE;
            written += ends.count_ones() as usize;
            before = v;
        }
        (read - carry.cut_off(), written)
    }
}

/// Converts UTF-16LE to a code page.
pub struct FromUtf16(pub ToPage);

impl<S: Compress> ConvertBy<S> for FromUtf16 {
    #[inline(always)]
    fn convert(&self, simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut done = 0;
        for (units, room) in src.as_chunks().0.as_chunks().0.iter().zip(dst.as_chunks_mut().0) {
            let Some(bytes) = self.0.bytes_of_units(simd, units.map(|half| simd.load(&half))) else { break };
            simd.store(bytes, room);
            done += SIZE;
        }
        (2 * done, done)
    }
}
