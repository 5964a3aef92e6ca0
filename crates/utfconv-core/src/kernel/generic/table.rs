//! The portable kernels of encodings with tables, to and from UTF-8.
//!
//! They work like the kernels of [`portable`](super::portable), but with more work done by tables and with fewer
//! branches. Tables for reading hold characters as UTF-8, and tables for writing are indexed by the bytes of UTF-8.

use crate::decode::CodePage;
use crate::decode::{Ascii, BLOCK, Cell, Composing, Page, UNICODE, Utf8, Utf16, WINDOW, WellFormed};
use crate::form::Form;
use crate::kernel::generic::Kernel;
#[cfg(target_arch = "x86_64")]
use crate::kernel::generic::double_byte::Progress;
use crate::kernel::generic::portable::{SHORT, run};
use crate::kernel::generic::walk::Blocks;
use crate::legacy::MultiByte;
use crate::newline::EbcdicNewline;

/// The entry of a table for an undefined byte, or for a byte whose character the target cannot encode.
pub(crate) const MISSING: u32 = 1 << 31;

/// Returns, for each byte of a single-byte form, the byte of the same character in another form. Returns `None` if a
/// form has more bytes, or if neither form is a code page.
pub(crate) fn byte_cells(from: Form, to: Form, newline: EbcdicNewline) -> Option<Box<[u32; 256]>> {
    let of_scalar: &dyn Fn(char) -> Option<u8> = match to {
        Form::Page(page) if !page.has_composites() => {
            &move |scalar| page.page(newline).from_unicode.byte(scalar)
        }
        Form::Latin1 => &|scalar| u8::try_from(scalar).ok(),
        Form::Ascii => &|scalar| u8::try_from(scalar).ok().filter(u8::is_ascii),
        _ => return None,
    };
    if !matches!((from, to), (Form::Page(_), _) | (_, Form::Page(_))) {
        return None;
    }
    let scalars = scalars_of(from, newline)?;
    Some(Box::new(scalars.map(|scalar| scalar.and_then(of_scalar).map_or(MISSING, u32::from))))
}

/// Returns, for each byte of a code page, its UTF-16 code unit, whose bytes are in little-endian order. Returns `None`
/// for other forms.
pub(crate) fn utf16_cells(from: Form, big_endian: bool, newline: EbcdicNewline) -> Option<Box<[u32; 256]>> {
    let Form::Page(_) = from else { return None };
    // A code page has characters of the Basic Multilingual Plane only.
    let unit = |scalar: char| {
        let unit = scalar as u16;
        u32::from(if big_endian { unit.swap_bytes() } else { unit })
    };
    Some(Box::new(scalars_of(from, newline)?.map(|scalar| scalar.map_or(MISSING, unit))))
}

/// Returns the character of each byte of a single-byte form, or `None` for other forms.
fn scalars_of(form: Form, newline: EbcdicNewline) -> Option<[Option<char>; 256]> {
    Some(match form {
        Form::Page(page) if !page.reads_composites() => page.page(newline).cells.map(Cell::scalar),
        Form::Latin1 => std::array::from_fn(|byte| Some(char::from(byte as u8))),
        Form::Ascii => std::array::from_fn(|byte| Some(char::from(byte as u8)).filter(char::is_ascii)),
        _ => return None,
    })
}

/// Returns the kernel from bytes to code units of `N` bytes; `cells` is the table of the code unit of each byte.
pub(crate) fn bytes_to_units<const N: usize>(cells: Box<[u32; 256]>) -> Kernel {
    Box::new(move |src, dst| {
        let mut read = 0;
        for (block, room) in src.as_chunks::<BLOCK>().0.iter().zip(dst.chunks_exact_mut(BLOCK * N)) {
            let units = block.map(|byte| cells[usize::from(byte)]);
            if units.iter().fold(0, |all, unit| all | unit) & MISSING != 0 {
                break;
            }
            for (unit, room) in units.iter().zip(room.as_chunks_mut::<N>().0) {
                room.copy_from_slice(&unit.to_le_bytes()[..N]);
            }
            read += BLOCK;
        }
        let rooms = dst.as_chunks_mut::<N>().0;
        for (byte, room) in src[read..].iter().zip(&mut rooms[read..]) {
            let unit = cells[usize::from(*byte)];
            if unit == MISSING {
                break;
            }
            room.copy_from_slice(&unit.to_le_bytes()[..N]);
            read += 1;
        }
        (read, read * N)
    })
}

/// Returns the kernel from UTF-16LE to a code page.
pub(crate) fn utf16_to_page(page: &'static Page) -> Kernel {
    Box::new(move |src, dst| {
        let units = src.as_chunks::<2>().0;
        let mut read = 0;
        for (block, room) in units.as_chunks::<BLOCK>().0.iter().zip(dst.as_chunks_mut::<BLOCK>().0) {
            if page.is_ascii
                && let Some(ascii) = Utf16::<false, UNICODE>.ascii(block.as_flattened())
            {
                *room = ascii;
                read += BLOCK;
                continue;
            }
            let bytes = page.by_unit.get_or_init(|| bytes_of(page));
            let mut has_all = true;
            for (unit, room) in block.iter().zip(&mut *room) {
                *room = bytes[usize::from(u16::from_le_bytes(*unit))];
                has_all &= *room != 0;
            }
            if !has_all {
                break;
            }
            read += BLOCK;
        }
        for (unit, room) in units[read..].iter().zip(&mut dst[read..]) {
            let scalar = char::from_u32(u16::from_le_bytes(*unit).into());
            let Some(byte) = scalar.and_then(|scalar| page.from_unicode.byte(scalar)) else { break };
            *room = byte;
            read += 1;
        }
        (2 * read, read)
    })
}

/// Writes the character of a cell to `room[*written..]`, and advances `written`.
#[inline(always)]
fn put_cell(cell: Cell, room: &mut [u8], written: &mut usize) {
    room[*written..*written + 4].copy_from_slice(&cell.bytes());
    *written += cell.len();
}

/// Returns the kernel from a code page to UTF-8.
pub(crate) fn page_to_utf8(page: &'static Page) -> Kernel {
    Box::new(move |src, dst| {
        // A cell is written as four bytes, so each byte of a short source needs room for four.
        if src.len() <= SHORT && dst.len() >= 4 * src.len() {
            return put_cells(page, src, dst);
        }
        run(&page, &Utf8, src, dst, |block, room| put_cells(page, &block[..BLOCK], room))
    })
}

/// Converts bytes of a code page to UTF-8, up to a byte without a character. The room has at least four bytes for each
/// byte. Returns the numbers of bytes read and written.
#[inline(always)]
pub(crate) fn put_cells(page: &Page, block: &[u8], room: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < block.len() {
        if page.is_ascii
            && let Some(ascii) = Ascii.ascii::<WINDOW>(&block[read..])
            && let Some(room) = room[written..].first_chunk_mut()
        {
            *room = ascii;
            read += WINDOW;
            written += WINDOW;
            continue;
        }
        for byte in block[read..].iter().take(WINDOW) {
            let cell = page.cells[usize::from(*byte)];
            if cell.is_none() {
                return (read, written);
            }
            put_cell(cell, room, &mut written);
            read += 1;
        }
    }
    (read, written)
}

/// Returns the codec of a page, if its bytes below 80 are ASCII and each of its bytes is a character by itself.
pub(crate) fn ascii_page(page: &'static CodePage, newline: EbcdicNewline) -> Option<&'static Page> {
    (page.is_ascii() && !page.has_composites()).then(|| page.page(newline))
}

/// Converts a code page to UTF-8 block by block with `convert`, or byte by byte if `convert` returns `None`. The room
/// has a byte more than a block can become, because the last store writes four bytes.
#[inline(always)]
pub(crate) fn page_blocks<const BLOCK: usize, const ROOM: usize>(
    page: &Page,
    src: &[u8],
    dst: &mut [u8],
    convert: impl Fn(&[u8; BLOCK], &mut [u8; ROOM]) -> Option<usize>,
) -> (usize, usize) {
    const { assert!(ROOM > 3 * BLOCK) };
    let (mut read, mut written) = (0, 0);
    while let (Some(block), Some(room)) = (
        src.get(read..).and_then(<[u8]>::first_chunk),
        dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut),
    ) {
        if let Some(len) = convert(block, room) {
            read += BLOCK;
            written += len;
            continue;
        }
        let (r, w) = put_cells(page, block, room);
        read += r;
        written += w;
        if r < BLOCK {
            break;
        }
    }
    (read, written)
}

/// Returns the kernel from UTF-8 to a code page.
pub(crate) fn utf8_to_page(page: &'static Page) -> Kernel {
    Box::new(move |src, dst| {
        run(&Utf8, &page, src, dst, |block, room| {
            let pairs = page.by_pair.get_or_init(|| pairs_of(page));
            let (mut read, mut written) = (0, 0);
            while read < BLOCK {
                let (Some(window), Some(front)) =
                    (block[read..].first_chunk(), room[written..].first_chunk_mut::<4>())
                else {
                    break;
                };
                let mut rest = u64::from_le_bytes(*window);
                let mut bits = 0;
                // Convert four characters without a branch between one byte and two, because the branch would be
                // unpredictable.
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

/// Returns the kernel from UTF-8 to a code page that converts with `vector`, and a few single characters where `vector`
/// stops.
#[cfg(target_arch = "x86_64")]
pub(crate) fn utf8_to_page_by(page: &'static Page, vector: Kernel) -> Kernel {
    Box::new(move |src, dst| {
        let mut at = Progress::default();
        loop {
            at.advanced(vector(&src[at.read..], &mut dst[at.written..]));
            if !at.step_over(&Utf8, &page, src, dst) {
                return (at.read, at.written);
            }
        }
    })
}

/// Returns the byte of a code page for each UTF-16 code unit; 0 if there is none, and for the character of byte 00.
fn bytes_of(page: &Page) -> Box<[u8; 0x1_0000]> {
    let mut bytes = vec![0; 0x1_0000];
    for scalar in page.cells.iter().filter_map(|cell| cell.scalar()) {
        bytes[scalar as usize] = page.from_unicode.byte(scalar).unwrap_or(0);
    }
    bytes.into_boxed_slice().try_into().expect("as long")
}

/// Returns the byte of a code page for the character that each two bytes of UTF-8 begin with. The entry is 0 if there
/// is no byte, if the character is longer than two bytes, and for the character of byte 00.
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

/// Returns the kernel from an East Asian encoding to UTF-8.
pub(crate) fn multi_byte_to_utf8(table: &'static MultiByte) -> Kernel {
    Box::new(move |src, dst| {
        let (mut read, mut written) = (0, 0);
        // In a short source, convert by cells if each byte has room for the four bytes of a cell.
        if src.len() <= SHORT && dst.len() >= 4 * src.len() {
            while let Some(pair) = src[read..].first_chunk() {
                let (cell, len) = table.front(*pair);
                if cell.is_none() {
                    break;
                }
                put_cell(cell, dst, &mut written);
                read += len;
            }
        }
        let (r, w) = run(&table, &Utf8, &src[read..], &mut dst[written..], |block, room| {
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
        });
        (read + r, written + w)
    })
}

/// Returns the kernel from a code page with combining marks to UTF-8.
pub(crate) fn composing_to_utf8(table: &'static Composing) -> Kernel {
    Box::new(move |src, dst| {
        // A cell is written as four bytes, so each byte of a short source needs room for four.
        let (read, written) = if src.len() <= SHORT && dst.len() >= 4 * src.len() {
            table.put_fronts(src, dst)
        } else {
            (0, 0)
        };
        let (r, w) = run(&table, &Utf8, &src[read..], &mut dst[written..], |block, room| {
            table.put_fronts(&block[..=BLOCK], room)
        });
        (read + r, written + w)
    })
}

/// Returns the kernel from UTF-8 to an East Asian encoding.
pub(crate) fn utf8_to_multi_byte(table: &'static MultiByte) -> Kernel {
    Box::new(move |src, dst| {
        // A short source has too few whole blocks for `run` to be fast.
        let (read, written) = if src.len() <= SHORT { put_codes(table, src, src.len(), dst) } else { (0, 0) };
        let (r, w) = run(&Utf8, &table, &src[read..], &mut dst[written..], |block, room| {
            put_codes(table, block, BLOCK, room)
        });
        (read + r, written + w)
    })
}

/// Converts characters of one or three bytes that begin before `end` and that a single lookup encodes. Stops at any
/// other character, or if less than three bytes of `src` or two bytes of `room` are left. Returns the numbers of bytes
/// read and written.
#[inline(always)]
fn put_codes(table: &MultiByte, src: &[u8], end: usize, room: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut blocks = Blocks { src, dst: room };
    while read < end
        && let Some((utf8, room)) = blocks.at(read, written)
    {
        if utf8[0] < 0x80 {
            let Some(byte) = table.ascii_written(utf8[0]) else { break };
            room[0] = byte;
            read += 1;
            written += 1;
            continue;
        }
        let Some(double) = table.double(*utf8) else { break };
        *room = double;
        read += 3;
        written += 2;
    }
    (read, written)
}
