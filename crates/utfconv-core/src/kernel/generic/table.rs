//! The portable kernels of encodings with tables, to and from UTF-8.
//!
//! They do what the kernels of [`portable`](super::portable) do, with more in the tables and fewer branches: the characters
//! to read are there as UTF-8, and those to write are found by the bytes of their UTF-8.

use std::cell::OnceCell;

use crate::decode::{BLOCK, Cell, Page, Utf8};
use crate::kernel::generic::Kernel;
use crate::kernel::generic::portable::run;
use crate::legacy::MultiByte;

/// Writes a cell to `room`, at `written` and after.
#[inline(always)]
fn put_cell(cell: Cell, room: &mut [u8], written: &mut usize) {
    room[*written..*written + 4].copy_from_slice(&cell.bytes());
    *written += cell.len();
}

/// The kernel from a code page to UTF-8.
pub(crate) fn page_to_utf8(page: &'static Page) -> Kernel {
    Box::new(move |src, dst| {
        run(&page, &Utf8, src, dst, |block, room| put_cells(page, &block[..BLOCK], room))
    })
}

/// Converts a block of a code page, up to a byte without a character, to UTF-8.
#[inline(always)]
pub(crate) fn put_cells(page: &Page, block: &[u8], room: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    for (read, byte) in block.iter().enumerate() {
        let cell = page.cells[usize::from(*byte)];
        if cell.is_none() {
            return (read, written);
        }
        put_cell(cell, room, &mut written);
    }
    (block.len(), written)
}

/// The kernel from UTF-8 to a code page.
pub(crate) fn utf8_to_page(page: &'static Page) -> Kernel {
    // Made when it is first needed: short text may do without.
    let pairs = OnceCell::new();
    Box::new(move |src, dst| {
        run(&Utf8, &page, src, dst, |block, room| {
            let pairs = pairs.get_or_init(|| pairs_of(page));
            let (mut read, mut written) = (0, 0);
            while read < BLOCK {
                let (Some(window), Some(front)) =
                    (block[read..].first_chunk(), room[written..].first_chunk_mut::<4>())
                else {
                    break;
                };
                let mut rest = u64::from_le_bytes(*window);
                let mut bits = 0;
                // Four characters without a branch between one byte and two, which nothing could predict.
                let bytes = [(); 4].map(|()| {
                    let byte = pairs[usize::from((rest as u16).swap_bytes())];
                    let len = 8 + (rest >> 4 & 8);
                    bits += len;
                    rest >>= len;
                    byte
                });
                if bytes.contains(&0) {
                    break;
                }
                *front = bytes;
                read += bits as usize / 8;
                written += 4;
            }
            (read, written)
        })
    })
}

/// The byte of a code page for the character that these two bytes of UTF-8 begin with, if it is one or two bytes long;
/// otherwise 0, which also is the byte of one character.
fn pairs_of(page: &Page) -> Box<[u8; 0x1_0000]> {
    let mut pairs = Box::new([0; 0x1_0000]);
    for scalar in '\0'..='\u{7FF}' {
        let Some(byte) = page.from_unicode.byte(scalar) else { continue };
        let mut utf8 = [0; 2];
        match scalar.encode_utf8(&mut utf8).len() {
            1 => pairs[usize::from(utf8[0]) << 8..][..0x100].fill(byte),
            _ => pairs[usize::from(u16::from_be_bytes(utf8))] = byte,
        }
    }
    pairs
}

/// The kernel from an encoding of East Asia to UTF-8.
pub(crate) fn multi_byte_to_utf8(table: &'static MultiByte) -> Kernel {
    Box::new(move |src, dst| {
        run(&table, &Utf8, src, dst, |block, room| {
            let (mut read, mut written) = (0, 0);
            while read < BLOCK {
                let (cell, len) = table.front([block[read], block[read + 1]]);
                if cell.is_none() {
                    break;
                }
                put_cell(cell, room, &mut written);
                read += len;
            }
            (read, written)
        })
    })
}

/// The kernel from UTF-8 to an encoding of East Asia.
pub(crate) fn utf8_to_multi_byte(table: &'static MultiByte) -> Kernel {
    Box::new(move |src, dst| {
        run(&Utf8, &table, src, dst, |block, room| {
            let (mut read, mut written) = (0, 0);
            while read < BLOCK {
                if block[read] < 0x80 {
                    let Some(byte) = table.ascii_written(block[read]) else { break };
                    room[written] = byte;
                    read += 1;
                    written += 1;
                    continue;
                }
                let Some(double) = table.double([block[read], block[read + 1], block[read + 2]]) else {
                    break;
                };
                room[written..written + 2].copy_from_slice(&double);
                read += 3;
                written += 2;
            }
            (read, written)
        })
    })
}
