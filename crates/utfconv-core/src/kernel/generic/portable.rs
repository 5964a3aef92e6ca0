//! The portable kernels, in safe Rust: blocks of ASCII, which the compiler vectorizes, and single scalar values.

use crate::decode::{BLOCK, WINDOW, WellFormed};
use crate::encode::{Put, WIDEST};
use crate::kernel::generic::{Kernel, SCRATCH, Validator, with_scratch};

/// Returns the direct kernel for a pair of encoding forms.
pub(crate) fn kernel(
    source: impl WellFormed + Send + Sync + 'static,
    target: impl Put + Send + Sync + 'static,
) -> Kernel {
    Box::new(move |src, dst| {
        run(&source, &target, src, dst, |block, room| put_characters(&source, &target, block, room))
    })
}

/// Converts the characters that begin in `block` before the window at its end, up to one that cannot be converted.
#[inline(always)]
pub(crate) fn put_characters<S: WellFormed, T: Put>(
    source: &S,
    target: &T,
    block: &[u8],
    room: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < block.len() - WINDOW
        && let (Some(window), Some(front)) = (block[read..].first_chunk(), room[written..].first_chunk_mut())
        && let Some((len, size)) = one_character(source, target, window, front)
    {
        read += len;
        written += size;
    }
    (read, written)
}

/// Room for the output of any block.
pub(crate) const ROOM: usize = (BLOCK + 1) * WIDEST;

/// Converts block by block: those of ASCII here, others by `convert`, with single characters between them where that
/// stops before the end of its block.
///
/// `convert` gets a block with a window after it, so that a sequence across the end of the block is whole. It returns the
/// bytes read and the bytes written; no character that it converts begins in the window. It stops early where it cannot
/// continue.
#[inline(always)]
pub(crate) fn run<S: WellFormed, T: Put>(
    source: &S,
    target: &T,
    src: &[u8],
    dst: &mut [u8],
    convert: impl Fn(&[u8], &mut [u8; ROOM]) -> (usize, usize),
) -> (usize, usize) {
    let takes_ascii = target.takes_ascii();
    let (mut read, mut written) = (0, 0);
    let block_len = BLOCK * S::UNIT;
    while let (Some(block), Some(room)) =
        (src.get(read..read + block_len + WINDOW), dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut))
    {
        if takes_ascii && let Some(ascii) = source.ascii(&block[..block_len]) {
            T::put_ascii(&ascii, &mut room[..BLOCK * T::UNIT]);
            read += block_len;
            written += BLOCK * T::UNIT;
            continue;
        }
        // A block's worth of characters, so that the test above is paid once a block in text without ASCII.
        let (r, w) = convert(block, room);
        read += r;
        written += w;
        if r < block_len {
            let (Some(window), Some(front)) = (block[r..].first_chunk(), room[w..].first_chunk_mut()) else {
                break;
            };
            let Some((len, size)) = one_character(source, target, window, front) else {
                return (read, written);
            };
            read += len;
            written += size;
        }
    }
    // The rest of the source, as long as both buffers have ample room for a character.
    while let (Some(window), Some(front)) = (src[read..].first_chunk(), dst[written..].first_chunk_mut()) {
        let Some((len, size)) = one_character(source, target, window, front) else {
            return (read, written);
        };
        read += len;
        written += size;
    }
    // The last characters, where either buffer may end.
    let mut front = [0; WIDEST];
    while let Some((scalar, len)) = source.first(&src[read..])
        && let Some(size) = target.put(scalar, &mut front)
        && let Some(room) = dst.get_mut(written..written + size)
    {
        room.copy_from_slice(&front[..size]);
        read += len;
        written += size;
    }
    (read, written)
}

/// Converts the character at the front of `window`; returns how many bytes it is on either side.
#[inline(always)]
fn one_character<S: WellFormed, T: Put>(
    source: &S,
    target: &T,
    window: &[u8; WINDOW],
    front: &mut [u8; WIDEST],
) -> Option<(usize, usize)> {
    let (scalar, len) = source.scalar(window)?;
    Some((len, target.put(scalar, front)?))
}

/// Returns the validator of an encoding form.
pub(crate) fn validator<S: WellFormed + Send + Sync + 'static>(source: S) -> Validator {
    Box::new(move |src| {
        let block_len = BLOCK * S::UNIT;
        let mut read = 0;
        loop {
            while let Some(block) = src.get(read..read + block_len)
                && source.ascii(block).is_some()
            {
                read += block_len;
            }
            // A block's worth of scalar values, so that the test above is paid once a block in text without ASCII.
            let end = read + block_len;
            while read < end {
                match source.first(&src[read..]) {
                    Some((_, len)) => read += len,
                    None => return read,
                }
            }
        }
    })
}

/// A form of single bytes to itself, where every byte is a character.
pub(crate) fn copy(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let len = src.len().min(dst.len());
    dst[..len].copy_from_slice(&src[..len]);
    (len, len)
}

/// UTF-8 to itself: copy, and find with `well_formed` how far the copy is well-formed.
pub(crate) fn copy_utf8(well_formed: fn(&[u8]) -> usize) -> Kernel {
    Box::new(move |src, dst| {
        let room = src.len().min(dst.len());
        let mut done = 0;
        // In chunks that grow, so that little is copied for nothing where faults are dense.
        let mut piece = 256;
        while done < room {
            let len = piece.min(room - done);
            let copy = &mut dst[done..done + len];
            // The copy is checked, not the source, which may be a memory map that another process writes to.
            copy.copy_from_slice(&src[done..done + len]);
            let checked = well_formed(copy);
            done += checked;
            // Up to three bytes may be a sequence that the end of the chunk cuts.
            if checked == 0 || checked + 3 < len {
                break;
            }
            piece = (2 * piece).min(1 << 14);
        }
        (done, done)
    })
}

/// A kernel that stops early, and one that continues from there.
pub(crate) fn one_then_other(one: Kernel, other: Kernel) -> Kernel {
    Box::new(move |src, dst| {
        let (read, written) = one(src, dst);
        let (r, w) = other(&src[read..], &mut dst[written..]);
        (read + r, written + w)
    })
}

/// A vector kernel of whole blocks, which also converts the rest of a source, with NULs after it to fill blocks. `nul` is the
/// length of U+0000 on both sides, in bytes. `other` continues where the vector kernel stops, as at a sequence that the
/// end of the source cuts: no NUL continues one.
pub(crate) fn padded(vector: Kernel, other: Kernel, nul: [usize; 2]) -> Kernel {
    /// Sources and rests of fewer bytes are filled up.
    const REST: usize = 64;
    /// The length of a rest with its NULs, in bytes: a block, and what vector kernels look at after it.
    const FILLED: usize = 2 * REST;
    /// The room for the output of a block, in bytes: at most four for each byte, and a margin.
    const ROOM: usize = 5 * REST;
    Box::new(move |src, dst| {
        let (read, written) = if src.len() < REST { (0, 0) } else { vector(src, dst) };
        let rest = &src[read..];
        if (1..REST).contains(&rest.len()) {
            let (mut block, mut room) = ([0; FILLED], [0; ROOM]);
            block[..rest.len()].copy_from_slice(rest);
            let (r, w) = vector(&block, &mut room);
            let nuls = r.saturating_sub(rest.len());
            let len = w.saturating_sub(nuls / nul[0] * nul[1]);
            if r >= rest.len()
                && nuls % nul[0] == 0
                && let Some(front) = dst.get_mut(written..written + len)
            {
                front.copy_from_slice(&room[..len]);
                return (src.len(), written + len);
            }
        }
        let (r, w) = other(&src[read..], &mut dst[written..]);
        (read + r, written + w)
    })
}

/// Two kernels in a row, with another form between them.
pub(crate) fn in_a_row(first: Kernel, second: Kernel) -> Kernel {
    /// Bytes in between at first, and after a fault.
    const SHORTEST: usize = 64;
    let convert = move |src: &[u8], dst: &mut [u8], between: &mut [u8; SCRATCH]| {
        let (mut read, mut written) = (0, 0);
        // In chunks that grow, so that little is converted for nothing where faults are dense.
        let mut piece = SHORTEST;
        // How many bytes in between became how many.
        let mut rate = (1, 1);
        loop {
            // Little is converted for which there is no room.
            let fit = (dst.len() - written).saturating_mul(rate.0) / rate.1;
            let (mut r, mut held) = first(&src[read..], &mut between[..piece.min(fit.max(SHORTEST))]);
            let (mut taken, mut w) = second(&between[..held], &mut dst[written..]);
            if taken == held && held > 0 {
                read += r;
                written += w;
                rate = (held, w.max(1));
                piece = (2 * piece).min(SCRATCH);
                continue;
            }
            // Where the second kernel stops before the end, the first converts again only as much as was taken.
            while taken < held {
                (r, held) = first(&src[read..], &mut between[..taken]);
                (taken, w) = second(&between[..held], &mut dst[written..]);
            }
            return (read + r, written + w);
        }
    };
    Box::new(move |src, dst| with_scratch(|between| convert(src, dst, between)))
}

/// A kernel that stops before the first code unit, of so many bytes, that is `beyond` it.
pub(crate) fn limited<const UNIT: usize>(
    kernel: Kernel,
    beyond: impl Fn([u8; UNIT]) -> bool + Send + Sync + 'static,
) -> Kernel {
    /// Bytes that are looked through before they are converted: they stay in the first-level cache.
    const PIECE: usize = 8 << 10;
    Box::new(move |src, dst| {
        let (mut read, mut written) = (0, 0);
        loop {
            let piece = &src[read..src.len().min(read + PIECE)];
            let blocks = piece.as_chunks::<UNIT>().0.chunks(64);
            // The compiler vectorizes whole blocks without a branch.
            let within =
                blocks.take_while(|block| !block.iter().fold(false, |any, unit| any | beyond(*unit)));
            let end: usize = within.map(|block| block.len() * UNIT).sum();
            let (r, w) = kernel(&piece[..end], &mut dst[written..]);
            read += r;
            written += w;
            // A sequence that the end of the chunk cuts is looked at again.
            if r == 0 || r + WINDOW < piece.len() {
                return (read, written);
            }
        }
    })
}
