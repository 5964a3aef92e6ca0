//! The portable kernels in safe Rust. They convert blocks of ASCII, which the compiler vectorizes, and single scalar
//! values.

use crate::decode::{BLOCK, WINDOW, WellFormed};
use crate::encode::{Put, WIDEST};
use crate::kernel::generic::walk::Blocks;
use crate::kernel::generic::{Kernel, SCRATCH, Validator, with_scratch};

/// Returns the kernel that converts from `source` to `target` directly.
pub(crate) fn kernel(
    source: impl WellFormed + Send + Sync + 'static,
    target: impl Put + Send + Sync + 'static,
) -> Kernel {
    Box::new(move |src, dst| {
        run(&source, &target, src, dst, |block, room| put_characters(&source, &target, block, room))
    })
}

/// Converts the characters that begin in `block`, except in the window at its end, up to a character that cannot be
/// converted.
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

/// Room for the output of any block, in bytes.
pub(crate) const ROOM: usize = (BLOCK + 1) * WIDEST;

/// Converts block by block: blocks of ASCII here, and other blocks with `convert`. If `convert` stops before the end of
/// its block, a single character is converted before the next block.
///
/// `convert` gets a block with a window after it, so that a sequence which crosses the end of the block is whole. It
/// returns the numbers of bytes read and written, and must not convert a character that begins in the window. It stops
/// early at a character that it cannot convert.
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
        if takes_ascii && let Some(ascii) = source.ascii::<BLOCK>(block) {
            T::put_ascii(&ascii, &mut room[..BLOCK * T::UNIT]);
            read += block_len;
            written += BLOCK * T::UNIT;
            continue;
        }
        // Convert as many characters as a block holds before the next test for ASCII, so that text without ASCII pays
        // for one test per block.
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
    let (r, w) = put_rest(source, target, &src[read..], &mut dst[written..]);
    (read + r, written + w)
}

/// Converts the characters of a source that may end anywhere, up to a character that cannot be converted or for which
/// there is no room. Returns the numbers of bytes read and written.
#[inline(always)]
fn put_rest<S: WellFormed, T: Put>(source: &S, target: &T, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let takes_ascii = target.takes_ascii();
    let (mut read, mut written) = (0, 0);
    let mut is_ample = true;
    while is_ample {
        if takes_ascii
            && let Some(ascii) = source.ascii::<WINDOW>(&src[read..])
            && let Some(room) = dst.get_mut(written..written + WINDOW * T::UNIT)
        {
            T::put_ascii(&ascii, room);
            read += WINDOW * S::UNIT;
            written += WINDOW * T::UNIT;
            continue;
        }
        let mut blocks = Blocks { src, dst };
        let end = read + WINDOW * S::UNIT;
        while read < end {
            let Some((window, front)) = blocks.at(read, written) else {
                is_ample = false;
                break;
            };
            let Some((len, size)) = one_character(source, target, window, front) else {
                return (read, written);
            };
            read += len;
            written += size;
        }
    }
    // Convert the last characters, at which either buffer may end.
    while let Some((scalar, len)) = source.at(src, read)
        && let Some(size) = put_at_end(target, scalar, &mut dst[written..])
    {
        read += len;
        written += size;
    }
    (read, written)
}

/// Writes `scalar` to the front of `room`, which may be short. Returns the number of bytes, or `None` if the target
/// cannot encode `scalar` or there is no room for it.
#[inline(always)]
fn put_at_end<T: Put>(target: &T, scalar: char, room: &mut [u8]) -> Option<usize> {
    if let Some(front) = room.first_chunk_mut() {
        return target.put(scalar, front);
    }
    let mut front = [0; WIDEST];
    let size = target.put(scalar, &mut front)?;
    room.get_mut(..size)?.copy_from_slice(&front[..size]);
    Some(size)
}

/// Converts the character at the front of `window`. Returns the numbers of bytes read and written.
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

/// Returns the validator that is made of the fast decoder `source`.
pub(crate) fn validator<S: WellFormed + Send + Sync + 'static>(source: S) -> Validator {
    Box::new(move |src| {
        let block_len = BLOCK * S::UNIT;
        let mut read = 0;
        loop {
            while source.ascii::<BLOCK>(&src[read..]).is_some() {
                read += block_len;
            }
            // Check as many scalar values as a block holds before the next test for ASCII, so that text without ASCII
            // pays for one test per block.
            let end = read + block_len;
            while read < end {
                match source.at(src, read) {
                    Some((_, len)) => read += len,
                    None => return read,
                }
            }
        }
    })
}

/// Copies a single-byte form to itself; every byte must be a character.
pub(crate) fn copy(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let len = src.len().min(dst.len());
    dst[..len].copy_from_slice(&src[..len]);
    (len, len)
}

/// Maximum number of bytes that are copied at a time. From 4 KB on, glibc 2.36 copies with `rep movsb`, which takes 25
/// times as long on Zen 3 if the lower 12 bits of both addresses differ by 16.
pub(crate) const COPIED: usize = 2 << 10;

/// Returns the kernel from UTF-8 to itself, which copies bytes and then finds the well-formed prefix with
/// `well_formed`.
pub(crate) fn copy_utf8(well_formed: fn(&[u8]) -> usize) -> Kernel {
    Box::new(move |src, dst| {
        let room = src.len().min(dst.len());
        let mut done = 0;
        // The first piece is short, so that few bytes are copied uselessly if faults are dense.
        let mut piece = COPIED / 4;
        while done < room {
            let len = piece.min(room - done);
            let copy = &mut dst[done..done + len];
            // Check the copy instead of the source, because another process may change a mapped source.
            copy.copy_from_slice(&src[done..done + len]);
            let checked = well_formed(copy);
            done += checked;
            // Up to three bytes may be a sequence that the end of the chunk cuts.
            if checked == 0 || checked + 3 < len {
                break;
            }
            piece = COPIED;
        }
        (done, done)
    })
}

/// Maximum length in bytes of a source that portable kernels convert faster than vector kernels.
pub(crate) const SHORT: usize = 2 * BLOCK;

/// Maximum length in bytes of a source that a portable kernel converts faster than kernels through UTF-16.
pub(crate) const SHORT_IN_A_ROW: usize = FIRST_PIECE;

/// Returns a kernel that converts with `one`, and continues with `other` where `one` stops. A source of at most `short`
/// bytes is converted with `other` alone.
pub(crate) fn one_then_other(one: Kernel, other: Kernel, short: usize) -> Kernel {
    Box::new(
        move |src, dst| if src.len() <= short { other(src, dst) } else { in_turn(&one, &other, src, dst) },
    )
}

/// Converts with `one`, and continues with `other` where `one` stops.
fn in_turn(one: &Kernel, other: &Kernel, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (read, written) = one(src, dst);
    if read == src.len() {
        return (read, written);
    }
    let (r, w) = other(&src[read..], &mut dst[written..]);
    (read + r, written + w)
}

/// Returns a kernel that converts with `vector`, and pads the rest of a source with NULs to whole blocks if `vector` needs
/// them. `nul` is the length of U+0000 in the source and in the output, in bytes. `other` continues where `vector` stops,
/// for example at a sequence that the end of the source cuts, because a NUL does not complete it. If `vector` needs whole
/// blocks, a short source of bytes is converted with `other` alone.
pub(crate) fn padded(vector: Kernel, other: Kernel, nul: [usize; 2]) -> Kernel {
    /// Sources and rests of fewer bytes are padded.
    const REST: usize = 64;
    /// Length of a padded rest in bytes: a block, and the bytes after it that vector kernels read.
    const FILLED: usize = 2 * REST;
    /// Room for the output of a block, in bytes: at most four bytes per byte, and a margin.
    const ROOM: usize = 5 * REST;
    // A kernel that converts a single NUL converts every rest.
    let converts_rests = vector(&[0; WIDEST][..nul[0]], &mut [0; ROOM]).0 > 0;
    if converts_rests {
        return Box::new(move |src, dst| in_turn(&vector, &other, src, dst));
    }
    Box::new(move |src, dst| {
        if nul[0] == 1 && src.len() <= SHORT {
            return other(src, dst);
        }
        let (read, written) = if src.len() < REST { (0, 0) } else { vector(src, dst) };
        let rest = &src[read..];
        if (1..REST).contains(&rest.len()) {
            let mut block = [0; FILLED];
            block[..rest.len()].copy_from_slice(rest);
            // Returns the length of the output without that of the NULs, if the kernel has converted all of the rest.
            let output = |(r, w): (usize, usize)| {
                let nuls = r.checked_sub(rest.len()).filter(|nuls| nuls % nul[0] == 0)?;
                w.checked_sub(nuls / nul[0] * nul[1])
            };
            if let Some(len) = output(vector(&block, &mut dst[written..])) {
                return (src.len(), written + len);
            }
            // Perhaps the output without the NULs fits.
            let mut room = [0; ROOM];
            if let Some(len) = output(vector(&block, &mut room))
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

/// Number of intermediate bytes of [`in_a_row`] at first, and after a fault. A vector kernel needs room for a block of
/// UTF-16.
const FIRST_PIECE: usize = 256;

/// Returns a kernel that converts with `first` to another form, and from there with `second`.
pub(crate) fn in_a_row(first: Kernel, second: Kernel) -> Kernel {
    let convert = move |src: &[u8], dst: &mut [u8], between: &mut [u8; SCRATCH]| {
        let (mut read, mut written) = (0, 0);
        // Convert in chunks that grow, so that few bytes are converted uselessly if faults are dense.
        let mut piece = FIRST_PIECE;
        // The number of intermediate bytes of the last chunk, and the number of output bytes that they became.
        let mut rate = (1, 1);
        loop {
            // Limit the chunk to the room in `dst`, because the rest would be converted uselessly.
            let fit = (dst.len() - written).saturating_mul(rate.0) / rate.1;
            let (mut r, mut held) = first(&src[read..], &mut between[..piece.min(fit.max(FIRST_PIECE))]);
            let (mut taken, mut w) = second(&between[..held], &mut dst[written..]);
            if taken == held && held > 0 {
                read += r;
                written += w;
                rate = (held, w.max(1));
                piece = (2 * piece).min(SCRATCH);
                continue;
            }
            // If the second kernel stops early, run the first kernel again for only as much as the second kernel took.
            while taken < held {
                (r, held) = first(&src[read..], &mut between[..taken]);
                (taken, w) = second(&between[..held], &mut dst[written..]);
            }
            return (read + r, written + w);
        }
    };
    Box::new(move |src, dst| with_scratch(|between| convert(src, dst, between)))
}

/// Returns a kernel that stops before the first code unit, of `UNIT` bytes, that is `beyond` the target.
pub(crate) fn limited<const UNIT: usize>(
    kernel: Kernel,
    beyond: impl Fn([u8; UNIT]) -> bool + Send + Sync + 'static,
) -> Kernel {
    /// Number of bytes that are inspected before they are converted, so that they stay in the first-level cache.
    const PIECE: usize = 8 << 10;
    Box::new(move |src, dst| {
        let (mut read, mut written) = (0, 0);
        loop {
            let piece = &src[read..src.len().min(read + PIECE)];
            let blocks = piece.as_chunks::<UNIT>().0.chunks(64);
            // The compiler vectorizes the inspection of whole blocks without a branch.
            let within =
                blocks.take_while(|block| !block.iter().fold(false, |any, unit| any | beyond(*unit)));
            let end: usize = within.map(|block| block.len() * UNIT).sum();
            let (r, w) = kernel(&piece[..end], &mut dst[written..]);
            read += r;
            written += w;
            // A sequence that the end of the chunk cuts is inspected again in the next chunk.
            if r == 0 || r + WINDOW < piece.len() {
                return (read, written);
            }
        }
    })
}
