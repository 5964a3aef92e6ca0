//! The kernels of East Asian encodings, to and from UTF-8 and UTF-16, shared by the sets of vector instructions.
//!
//! A text is converted segment by segment, in stages that leave their results in the first-level cache and have no
//! branch per character. To decode, the codes of a segment, of one byte or two, become indices of 16 bits. The cells of a
//! table at these indices hold the characters as UTF-8, and a shuffle removes the unused bytes of the cells. To encode, a
//! segment becomes UTF-16. A table has a code of two bytes for each code unit, and a shuffle removes the unused second byte of
//! codes of one byte.
//!
//! Each set of instructions has its own stages. The stages stop at codes of more than two bytes, characters beyond the
//! Basic Multilingual Plane, codes of two characters, and ill-formed bytes. After a stop, a few characters are
//! converted one by one. If the first of them cannot be converted, the kernel ends.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::decode::{BLOCK, Cell, Composing, UNICODE, Utf8, Utf16, WINDOW, WellFormed};
use crate::encode::Put;
use crate::form::Form;
use crate::kernel::generic::portable::{copy, put_characters};
use crate::kernel::generic::{Kernel, with_scratch};
use crate::legacy::{DOUBLES, Leads, MultiByte};

/// The stages that each set of instructions implements.
#[derive(Clone, Copy)]
pub(crate) struct Stages {
    /// Writes the indices of the codes that begin in whole blocks of the source. A byte must follow each block, because the
    /// last code may end in that byte. Returns the length of these codes in bytes, and their number.
    pub split: fn(&Leads, &[u8], &mut Units) -> (usize, usize),
    /// Writes the UTF-8 of the cells at the given indices, up to an empty cell. The output needs [`BLOCK_ROOM`] more
    /// bytes than the UTF-8. Returns the number of cells, and the number of bytes written.
    pub join: Join,
    /// Writes the codes of a number of code units, up to a code unit without a code. The output needs [`BLOCK_ROOM`] more bytes
    /// than the codes. Returns the number of code units, and the number of bytes written.
    pub pack: Pack,
}

type Join = fn(&[Cell; DOUBLES], &Units, usize, &mut [u8]) -> (usize, usize);
type Pack = fn(&[u16; 0x1_0000], &mut Units, usize, &mut [u8]) -> (usize, usize);

/// Maximum length of a segment in bytes of the source. The intermediate results of a segment fit in the first-level cache.
const SEGMENT: usize = 2048;

/// Length of a block in bytes of the source.
pub(crate) const SPLIT_BLOCK: usize = 64;

/// Number of bytes after the output of a stage that the stage may overwrite.
pub(crate) const BLOCK_ROOM: usize = 64;

/// Indices or code units of 16 bits in little-endian order, for a segment, and room for two more blocks.
pub(crate) type Units = [u8; 2 * (SEGMENT + 2 * SPLIT_BLOCK)];

/// Minimum length of a source in bytes. Other kernels convert shorter sources.
const SHORTEST: usize = 4 * SPLIT_BLOCK;

/// Minimum number of source bytes for which the table of codes is made. Until then, other kernels encode the source.
const WORTH_A_TABLE: usize = 8 << 10;

/// Minimum length of a source in bytes for which the cells of long codes are made.
const WORTH_LONG_CELLS: usize = 4 << 10;

/// Number of bytes after a stop that are converted character by character. The first number is for rare stops; it grows
/// up to the second number if stops are frequent.
const AFTER_STOP: [usize; 2] = [BLOCK, 1024];

/// Returns the kernel from or to an East Asian encoding, or `None` if the stages cannot convert between `from` and
/// `to`. `widen` returns the kernel from UTF-8 to UTF-16LE.
#[inline(always)]
pub(crate) fn multi_byte_kernel(
    stages: Stages,
    from: Form,
    to: Form,
    widen: impl FnOnce() -> Option<Kernel>,
) -> Option<Kernel> {
    match (from, to) {
        (Form::MultiByte(tables), Form::Utf8) => to_utf8(tables.get(), stages),
        (Form::MultiByte(tables), Form::Utf16Le) => to_utf16(tables.get(), stages),
        (Form::Utf8, Form::MultiByte(tables)) => Some(to_multi_byte(Utf8, tables.get(), stages, widen()?)),
        // UTF-16LE is copied without a check, because surrogates have no code, so the stages stop at ill-formed text.
        (Form::Utf16Le, Form::MultiByte(tables)) => {
            Some(to_multi_byte(UTF16, tables.get(), stages, Box::new(copy)))
        }
        _ => None,
    }
}

/// Returns a kernel with memory for indices or code units. It leaves sources that are shorter than `shortest` to other kernels.
fn with_units(
    shortest: usize,
    convert: impl Fn(&[u8], &mut [u8], &mut Units) -> (usize, usize) + Send + Sync + 'static,
) -> Kernel {
    Box::new(move |src, dst| {
        if src.len() < shortest {
            return (0, 0);
        }
        with_scratch(|scratch| convert(src, dst, scratch.first_chunk_mut().expect("units are smaller")))
    })
}

/// Returns the kernel to UTF-8, or `None` if the stages cannot split the lead bytes of the encoding.
fn to_utf8(table: &'static MultiByte, stages: Stages) -> Option<Kernel> {
    let leads = table.leads()?;
    Some(with_units(SHORTEST, move |src, dst, indices| {
        let mut at = Progress::default();
        loop {
            if table.reads_ascii() {
                at.copy_ascii(src, dst);
            }
            // A byte of the source becomes at most three bytes of UTF-8.
            let fit = (dst.len() - at.written).saturating_sub(BLOCK_ROOM + 3) / 3;
            let (taken, count) = stages.split_segment(&leads, &src[at.read..], fit, indices);
            if count == 0 {
                return (at.read, at.written);
            }
            let (found, bytes) = (stages.join)(table.cells(), indices, count, &mut dst[at.written..]);
            at.written += bytes;
            if found == count {
                at.read += taken;
                at.after_stop = AFTER_STOP[0];
                continue;
            }
            at.read += bytes_of_codes(&indices.as_chunks().0[..found]);
            let is_worth_it = src.len() >= WORTH_LONG_CELLS;
            if let Some(cells) = is_worth_it.then(|| table.long_cells()).flatten() {
                let (read, written) = cells.put(&src[at.read..], &mut dst[at.written..], at.after_stop);
                if read > 0 {
                    at.stepped(read, written);
                    continue;
                }
            }
            if !at.step_over(&table, &Utf8, src, dst) {
                return (at.read, at.written);
            }
        }
    }))
}

impl Stages {
    /// Splits the next segment of a source, of at most `fit` bytes, with [`Stages::split`], and returns its result.
    #[inline(always)]
    fn split_segment(&self, leads: &Leads, rest: &[u8], fit: usize, indices: &mut Units) -> (usize, usize) {
        let len = fit.min(SEGMENT) / SPLIT_BLOCK * SPLIT_BLOCK;
        (self.split)(leads, &rest[..rest.len().min(len + 1)], indices)
    }
}

/// Returns the total length, in bytes, of the codes with the given indices.
fn bytes_of_codes(indices: &[[u8; 2]]) -> usize {
    indices.len() + indices.iter().filter(|[_, high]| *high != 0).count()
}

/// UTF-16LE, which has the byte order of [`Units`].
const UTF16: Utf16<false, UNICODE> = Utf16;

/// Returns the kernel to UTF-16LE, or `None` if the stages cannot split the lead bytes of the encoding.
fn to_utf16(table: &'static MultiByte, stages: Stages) -> Option<Kernel> {
    let leads = table.leads()?;
    Some(with_units(SHORTEST, move |src, dst, indices| {
        let mut at = Progress::default();
        loop {
            // A byte of the source becomes at most a code unit of two bytes.
            let fit = (dst.len() - at.written) / 2;
            let (taken, count) = stages.split_segment(&leads, &src[at.read..], fit, indices);
            if count == 0 {
                return (at.read, at.written);
            }
            let indices = &indices.as_chunks().0[..count];
            let found = put_units(table.units(), indices, &mut dst[at.written..]);
            at.written += 2 * found;
            if found == count {
                at.read += taken;
                at.after_stop = AFTER_STOP[0];
                continue;
            }
            at.read += bytes_of_codes(&indices[..found]);
            if !at.step_over(&table, &UTF16, src, dst) {
                return (at.read, at.written);
            }
        }
    }))
}

/// Writes the code unit of each index, up to a code unit 0. Returns the number of code units written.
#[inline(always)]
fn put_units(units: &[u16; DOUBLES], indices: &[[u8; 2]], dst: &mut [u8]) -> usize {
    let room = &mut dst.as_chunks_mut::<2>().0[..indices.len()];
    let mut has_all = true;
    for (index, room) in indices.iter().zip(&mut *room) {
        let unit = units[usize::from(u16::from_le_bytes(*index)) % DOUBLES];
        has_all &= unit != 0;
        *room = unit.to_le_bytes();
    }
    if has_all {
        return indices.len();
    }
    room.iter().position(|unit| *unit == [0; 2]).unwrap_or(indices.len())
}

/// Returns the kernel from `source`, which is UTF-8 or UTF-16LE. `widen` is the kernel from the source to UTF-16LE.
fn to_multi_byte<S: WellFormed + Send + Sync + 'static>(
    source: S,
    table: &'static MultiByte,
    stages: Stages,
    widen: Kernel,
) -> Kernel {
    let seen = AtomicUsize::new(0);
    let kernel = through_units(source, table, widen, move |units, count, is_after_stop, room| {
        match is_after_stop.then(|| table.long_codes()).flatten() {
            Some(codes) => pack_long(codes, &units.as_chunks().0[..count], room),
            None => PackedUnits::short((stages.pack)(table.codes(), units, count, room)),
        }
    });
    Box::new(move |src, dst| {
        if src.len() < SHORTEST {
            return (0, 0);
        }
        let seen = src.len() + seen.fetch_add(src.len(), Ordering::Relaxed);
        if seen < WORTH_A_TABLE && !table.has_codes() {
            return (0, 0);
        }
        kernel(src, dst)
    })
}

/// Returns the kernel from UTF-8 to a code page with combining marks. `widen` is the kernel from UTF-8 to UTF-16LE.
pub(crate) fn utf8_to_composing(table: &'static Composing, widen: Kernel) -> Kernel {
    through_units(Utf8, table, widen, move |units, count, _, room| {
        PackedUnits::short(table.spell(&units.as_chunks().0[..count], room))
    })
}

/// The result of encoding the first code units of a segment.
#[derive(Default)]
struct PackedUnits {
    /// Number of code units that were encoded.
    count: usize,
    /// Length of the codes in bytes.
    written: usize,
    /// Whether a code has more than two bytes.
    has_long: bool,
}

impl PackedUnits {
    /// Makes the result of an encoder whose codes have at most two bytes: the number of code units, and of bytes.
    fn short((count, written): (usize, usize)) -> PackedUnits {
        PackedUnits { count, written, has_long: false }
    }
}

/// Returns a kernel from UTF-8 or UTF-16LE that converts through UTF-16LE. `pack` writes the codes of a number of code units, up
/// to a code unit without a code; its third parameter is whether a stop was near.
fn through_units<S: WellFormed + Send + Sync + 'static, T: Put + Send + Sync + 'static>(
    source: S,
    target: T,
    widen: Kernel,
    pack: impl Fn(&mut Units, usize, bool, &mut [u8]) -> PackedUnits + Send + Sync + 'static,
) -> Kernel {
    with_units(0, move |src, dst, units| {
        let mut at = Progress::default();
        loop {
            if S::UNIT == 1 && target.takes_ascii() {
                at.copy_ascii(src, dst);
            }
            let rest = &src[at.read..];
            // A byte of the source becomes at most two bytes, because a character that is one byte of UTF-8 may have a code of
            // two bytes.
            let fit = (dst.len() - at.written).saturating_sub(BLOCK_ROOM) / 2;
            let len = rest.len().min(SEGMENT).min(fit) / S::UNIT * S::UNIT;
            let (taken, wide) = widen(&rest[..len], &mut units[..]);
            let count = wide / 2;
            let is_after_stop = at.after_stop > AFTER_STOP[0];
            let room = &mut dst[at.written..];
            let packed =
                if count == 0 { PackedUnits::default() } else { pack(units, count, is_after_stop, room) };
            at.written += packed.written;
            if count > 0 && packed.count == count {
                at.read += taken;
                if !packed.has_long {
                    at.after_stop = AFTER_STOP[0];
                }
                continue;
            }
            at.read +=
                if S::UNIT == 1 { utf8_len(&rest[..taken], packed.count) } else { S::UNIT * packed.count };
            if !at.step_over(&source, &target, src, dst) {
                return (at.read, at.written);
            }
        }
    })
}

/// Writes the UTF-8 of the cells at 16-bit indices, up to an empty cell. Returns the number of cells, and the number of
/// bytes written.
#[cfg(target_arch = "x86_64")]
#[cold]
pub(crate) fn put_cells(cells: &[Cell; DOUBLES], indices: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut taken, mut written) = (0, 0);
    for index in indices.as_chunks().0 {
        let cell = cells[usize::from(u16::from_le_bytes(*index)) % DOUBLES];
        let Some(room) = dst[written..].first_chunk_mut().filter(|_| !cell.is_none()) else { break };
        *room = cell.bytes();
        written += cell.len();
        taken += 1;
    }
    (taken, written)
}

/// Replaces code units by their codes. May overwrite a block after the code units.
#[inline(always)]
pub(crate) fn look_up_codes(codes: &[u16; 0x1_0000], units: &mut Units, count: usize) {
    // The count is rounded up to whole vectors, because the compiler makes slower code for a partial vector.
    let whole = count.next_multiple_of(SPLIT_BLOCK / 2);
    for unit in &mut units.as_chunks_mut::<2>().0[..whole] {
        *unit = codes[usize::from(u16::from_le_bytes(*unit))].to_le_bytes();
    }
}

/// Writes codes of one or two bytes, up to a code 0. Returns the number of codes, and the number of bytes written.
#[cfg(target_arch = "x86_64")]
pub(crate) fn put_codes(codes: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    let (mut taken, mut written) = (0, 0);
    for code in codes {
        let Some(room) = dst[written..].first_chunk_mut().filter(|_| *code != [0; 2]) else { break };
        *room = *code;
        written += 1 + usize::from(code[1] != 0);
        taken += 1;
    }
    (taken, written)
}

/// Writes the codes of code units, up to a code unit that has none.
fn pack_long(codes: &[u32; 0x1_0000], units: &[[u8; 2]], dst: &mut [u8]) -> PackedUnits {
    let (mut count, mut written, mut all) = (0, 0, 0);
    for unit in units {
        let code = codes[usize::from(u16::from_le_bytes(*unit))];
        let Some(room) = dst[written..].first_chunk_mut().filter(|_| code != 0) else { break };
        *room = code.to_le_bytes();
        // No byte of a code is 0.
        written += 4 - code.leading_zeros() as usize / 8;
        count += 1;
        all |= code;
    }
    PackedUnits { count, written, has_long: all > 0xFFFF }
}

/// Returns the length in bytes of the first `characters` characters of `utf8`.
fn utf8_len(utf8: &[u8], characters: usize) -> usize {
    let mut leads = utf8.iter().enumerate().filter(|(_, byte)| **byte & 0xC0 != 0x80);
    leads.nth(characters).map_or(utf8.len(), |(at, _)| at)
}

/// The position of a kernel in the source and in the output, in bytes.
pub(crate) struct Progress {
    pub read: usize,
    pub written: usize,
    /// Number of bytes that are converted character by character after the next stop.
    after_stop: usize,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress { read: 0, written: 0, after_stop: AFTER_STOP[0] }
    }
}

impl Progress {
    /// Copies whole blocks of ASCII.
    #[inline(always)]
    fn copy_ascii(&mut self, src: &[u8], dst: &mut [u8]) {
        let blocks = src[self.read..].as_chunks::<SPLIT_BLOCK>().0;
        let rooms = dst[self.written..].as_chunks_mut::<SPLIT_BLOCK>().0;
        let mut copied = 0;
        for (block, room) in blocks.iter().zip(rooms) {
            // Check the written bytes instead of the source, because another process may change a mapped source.
            *room = *block;
            if !room.is_ascii() {
                break;
            }
            copied += SPLIT_BLOCK;
        }
        self.read += copied;
        self.written += copied;
    }

    /// Converts a few characters one by one, and more of them if calls are frequent. Returns false if the first
    /// character cannot be converted, or if the end of either buffer is near.
    pub fn step_over<S: WellFormed, T: Put>(
        &mut self,
        source: &S,
        target: &T,
        src: &[u8],
        dst: &mut [u8],
    ) -> bool {
        let rest = &src[self.read..];
        let block = &rest[..rest.len().min(self.after_stop + WINDOW)];
        if block.len() <= WINDOW {
            return false;
        }
        let (read, written) = put_characters(source, target, block, &mut dst[self.written..]);
        self.stepped(read, written);
        read > 0
    }

    /// Moves past bytes that were converted in a run without a stop.
    #[cfg(target_arch = "x86_64")]
    pub fn advanced(&mut self, (read, written): (usize, usize)) {
        self.read += read;
        self.written += written;
        // Stops are frequent if fewer than `after_stop` bytes are between two stops.
        if read > self.after_stop {
            self.after_stop = AFTER_STOP[0];
        }
    }

    /// Moves past bytes that were converted after a stop.
    fn stepped(&mut self, read: usize, written: usize) {
        self.read += read;
        self.written += written;
        self.after_stop = (2 * self.after_stop).min(AFTER_STOP[1]);
    }
}
