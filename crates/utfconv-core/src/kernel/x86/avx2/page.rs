//! Kernels from code pages whose bytes below 80 are ASCII to UTF-8.
//!
//! A block that holds only ASCII and characters of two bytes in UTF-8, such as the alphabets of Europe, is converted
//! without a branch per character. Shuffles look up the bytes of all characters at once, one row of sixteen entries at
//! a time. A table of shuffles removes the unused bytes. Any other block is converted character by character.

use std::arch::x86_64::*;

use super::vector::{lanes, load, load_half, store, store_half};
use super::{Avx2, Proof};
use crate::decode::{CodePage, Page};
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::kernel;
use crate::kernel::generic::shuffles::PAIRS;
use crate::kernel::generic::table::{ascii_page, page_blocks};
use crate::newline::EbcdicNewline;

/// Returns the kernel from a code page to UTF-8, if there is one.
pub(super) fn kernel_from(set: Avx2, page: &'static CodePage, newline: EbcdicNewline) -> Option<Kernel> {
    let page = ascii_page(page, newline)?;
    let upper = Upper::new(page);
    Some(kernel!(set, to_utf8, page, upper))
}

/// Number of bytes in a block.
const BLOCK: usize = 32;

/// Sixteen entries, which are looked up by the lower half of a byte.
type Row = [u8; 16];

/// The UTF-8 of the bytes 80..FF of a page, in rows for the bytes 80..8F, 90..9F and so on.
struct Upper {
    /// The first byte of the UTF-8; 0 if the byte of the page is undefined, or if its UTF-8 is not two bytes long.
    first: [Row; 8],
    second: [Row; 8],
}

impl Upper {
    fn new(page: &Page) -> Upper {
        let mut upper = Upper { first: [[0; 16]; 8], second: [[0; 16]; 8] };
        for (at, cell) in page.cells[0x80..].iter().enumerate().filter(|(_, cell)| cell.len() == 2) {
            let [first, second, ..] = cell.bytes();
            upper.first[at / 16][at % 16] = first;
            upper.second[at / 16][at % 16] = second;
        }
        upper
    }

    /// Converts a block of ASCII and characters of two bytes. Returns `None` if the block holds other characters.
    #[target_feature(enable = "avx2,popcnt")]
    fn convert(&self, block: &[u8; BLOCK], room: &mut [u8; TO_ROOM]) -> Option<usize> {
        let bytes = load(block);
        let upper = _mm256_movemask_epi8(bytes) as u32;
        if upper == 0 {
            store(bytes, room, 0);
            return Some(BLOCK);
        }
        let [mut first, mut second] = [_mm256_setzero_si256(); 2];
        for row in 0..8 {
            let index = in_row(bytes, 0x80 + 16 * row as u8);
            first = _mm256_or_si256(first, look_up(&self.first[row], index));
            second = _mm256_or_si256(second, look_up(&self.second[row], index));
        }
        if zeros(first) & upper != 0 {
            return None;
        }
        first = _mm256_blendv_epi8(bytes, first, bytes);
        let [low, high] = [_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second)];
        let mut written = 0;
        for (group, mask) in lanes(low, high).into_iter().zip(upper.to_le_bytes()) {
            let shuffle = load_half(&PAIRS[usize::from(mask)]);
            store_half(_mm_shuffle_epi8(group, shuffle), room, written);
            written += 8 + mask.count_ones() as usize;
        }
        Some(written)
    }
}

/// Maximum number of bytes that a block becomes: three per byte, and one more because the last store writes four.
const TO_ROOM: usize = 3 * BLOCK + 1;

#[target_feature(enable = "avx2,popcnt")]
fn to_utf8(page: &&'static Page, upper: &Upper, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    page_blocks(page, src, dst, |block: &[u8; BLOCK], room: &mut [u8; TO_ROOM]| upper.convert(block, room))
}

/// Returns, for each byte from `start` to `start` + 15, its distance from `start` in the lower half. For any other
/// byte, returns a number from 80 on, for which a shuffle gives 0. `start` is a multiple of sixteen.
#[target_feature(enable = "avx2")]
fn in_row(bytes: __m256i, start: u8) -> __m256i {
    _mm256_adds_epu8(_mm256_xor_si256(bytes, _mm256_set1_epi8(start as i8)), _mm256_set1_epi8(0x70))
}

#[target_feature(enable = "avx2")]
fn look_up(row: &Row, index: __m256i) -> __m256i {
    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load_half(row)), index)
}

/// Returns a bit for each byte that is zero.
#[target_feature(enable = "avx2")]
fn zeros(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())) as u32
}
