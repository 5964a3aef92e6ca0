//! Kernels from code pages whose bytes below 80 are ASCII to UTF-8. Tables give the code units of sixteen characters at
//! once, which are then converted like UTF-16.

use std::arch::aarch64::*;

use super::planes::{Units, have_surrogates};
use super::vector::{LANES, all, any, load, load_row, store};
use super::{Neon, Proof, to_utf8};
use crate::decode::{CodePage, Page};
use crate::kernel::generic::Kernel;
use crate::kernel::generic::set::kernel;
use crate::kernel::generic::table::{ascii_page, page_blocks};
use crate::newline::EbcdicNewline;

/// Returns the kernel from a code page to UTF-8, if there is one.
pub(super) fn kernel_from(set: Neon, page: &'static CodePage, newline: EbcdicNewline) -> Option<Kernel> {
    let page = ascii_page(page, newline)?;
    let upper = Upper::new(page);
    Some(kernel!(set, to_utf8, page, upper))
}

/// The UTF-16 code units of the bytes 80..FF of a page, split into low and high bytes.
struct Upper {
    low: [[u8; 64]; 2],
    high: [[u8; 64]; 2],
}

impl Upper {
    fn new(page: &Page) -> Upper {
        // A surrogate marks a byte without a character.
        let unit = |at: usize| page.cells[0x80 + at].scalar().map_or(0xD800, |scalar| scalar as u16);
        let plane =
            |byte: usize| [0, 64].map(|half| std::array::from_fn(|at| unit(half + at).to_le_bytes()[byte]));
        Upper { low: plane(0), high: plane(1) }
    }

    /// Returns the code units of sixteen bytes.
    #[inline]
    #[target_feature(enable = "neon")]
    fn units(&self, bytes: uint8x16_t) -> Units {
        let [low, high] = [&self.low, &self.high].map(|table| [load_row(&table[0]), load_row(&table[1])]);
        let first = veorq_u8(bytes, all(0x80));
        // An index that is out of range leaves the lane unchanged.
        let second = vsubq_u8(first, all(64));
        Units {
            low: vqtbx4q_u8(vqtbx4q_u8(bytes, low[0], first), low[1], second),
            high: vqtbx4q_u8(vqtbl4q_u8(high[0], first), high[1], second),
        }
    }
}

#[target_feature(enable = "neon")]
fn to_utf8(page: &&'static Page, upper: &Upper, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    page_blocks(page, src, dst, |block: &[u8; LANES], room: &mut [u8; to_utf8::ROOM]| {
        let bytes = load(block);
        if !any(bytes) {
            store(bytes, room.first_chunk_mut().expect("more room"));
            return Some(LANES);
        }
        let units = upper.units(bytes);
        (!have_surrogates(units.surrogate_distances())).then(|| to_utf8::put_units(units, room))
    })
}
