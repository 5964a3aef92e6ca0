//! The loop of vector kernels over source and room.

#![allow(unsafe_code)]

/// Converts in steps. Returns the numbers of bytes read and written.
///
/// `plain` converts a block of `PLAIN` bytes to `PLAIN_ROOM` bytes if the block is of the simplest kind, and returns
/// whether it is. `step` converts a prefix of a block of any kind, and returns the numbers of bytes read and written;
/// `None` ends the loop. `step` is called a few times in a row, because in mixed text the CPU cannot predict whether
/// the next block is plain.
#[inline(always)]
pub(crate) fn walk<const PLAIN: usize, const PLAIN_ROOM: usize, const STEP: usize, const STEP_ROOM: usize>(
    src: &[u8],
    dst: &mut [u8],
    plain: impl Fn(&[u8; PLAIN], &mut [u8; PLAIN_ROOM]) -> bool,
    step: impl Fn(&[u8; STEP], &mut [u8; STEP_ROOM]) -> Option<(usize, usize)>,
) -> (usize, usize) {
    const STEPS: usize = 8;
    let (mut read, mut written) = (0, 0);
    let mut blocks = Blocks { src, dst };
    loop {
        while let Some((block, room)) = blocks.at(read, written)
            && plain(block, room)
        {
            read += PLAIN;
            written += PLAIN_ROOM;
        }
        for _ in 0..STEPS {
            let Some((block, room)) = blocks.at(read, written) else { return (read, written) };
            let Some((r, w)) = step(block, room) else { return (read, written) };
            read += r;
            written += w;
        }
    }
}

/// The source and the room of a kernel.
pub(crate) struct Blocks<'a> {
    pub src: &'a [u8],
    pub dst: &'a mut [u8],
}

impl Blocks<'_> {
    /// Returns `LEN` bytes of the source from `read` on and `ROOM` bytes of the room from `written` on, or `None` if
    /// either is too short. Needs half as many comparisons as slicing.
    #[inline(always)]
    pub fn at<const LEN: usize, const ROOM: usize>(
        &mut self,
        read: usize,
        written: usize,
    ) -> Option<(&[u8; LEN], &mut [u8; ROOM])> {
        let last_read = self.src.len().checked_sub(LEN)?;
        let last_written = self.dst.len().checked_sub(ROOM)?;
        if read > last_read || written > last_written {
            return None;
        }
        // SAFETY: the source has `LEN` bytes from `last_read` on, the room has `ROOM` bytes from `last_written` on, and
        // `read` and `written` are not greater.
        unsafe {
            Some((&*self.src.as_ptr().add(read).cast(), &mut *self.dst.as_mut_ptr().add(written).cast()))
        }
    }
}
