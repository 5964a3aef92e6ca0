//! The characters of codes of one to four bytes in one table, for kernels of texts with many long codes.

use super::assigned::{Assigned, DOUBLES, double_at};
use super::longer::{Longer, quad_at};
use crate::decode::Cell;

/// The cells of all codes of an encoding.
pub(crate) struct LongCells {
    /// The cells of one-byte and two-byte codes as in [`Assigned::cells`], followed by the cells of longer codes.
    cells: Box<[Cell]>,
    form: Form,
}

/// Number of bytes for which code lengths are computed at a time.
const LENGTHS: usize = 256;

/// The form of long codes.
enum Form {
    /// Codes of three bytes, which begin with the given byte.
    Shifted(u8),
    /// Codes of four bytes: the given byte, the number of a plane, and two bytes of the plane.
    Numbered(u8),
    /// Codes of four bytes, of which the second and the fourth are digits.
    Quads,
}

impl LongCells {
    /// Returns the cells of an encoding in which 80 is not a lead byte, or `None` if it has no long codes of the
    /// supported forms.
    pub fn of(table: &Assigned) -> Option<LongCells> {
        let (long, form) = match &table.longer {
            Longer::Planes(planes) if planes.is_numbered => (&planes.scalars, Form::Numbered(planes.shift)),
            Longer::Planes(planes) => (&planes.scalars, Form::Shifted(planes.shift)),
            Longer::Quads(quads) => (&quads.basic, Form::Quads),
            Longer::None | Longer::Listed(_) => return None,
        };
        let long = long.iter().map(|scalar| if *scalar == 0 { Cell::NONE } else { Cell::of(*scalar) });
        let cells = table.cells().iter().copied().chain(long).collect();
        Some(LongCells { cells, form })
    }

    /// Converts codes that begin in the first `end` bytes of `src`, up to a code without a cell. Returns the number of
    /// bytes read and the number of bytes written.
    pub fn put(&self, src: &[u8], dst: &mut [u8], end: usize) -> (usize, usize) {
        // Returns an index beyond all cells unless `is_code`, without a branch.
        let only_if = |is_code: bool, at: usize| at | usize::from(is_code).wrapping_sub(1);
        let is_high = |[one, other]: [u8; 2]| (one >= 0xA1) & (other >= 0xA1);
        match self.form {
            Form::Shifted(shift) => self.put_by(
                src,
                dst,
                end,
                |[lead, _]| 1 + (lead >> 7) + u8::from(lead == shift),
                |[_, row, column, _]| {
                    let at = usize::from(row & 0x7F) << 7 | usize::from(column & 0x7F);
                    only_if(is_high([row, column]), DOUBLES + at)
                },
            ),
            Form::Numbered(shift) => self.put_by(
                src,
                dst,
                end,
                |[lead, _]| 1 + (lead >> 7) + 2 * u8::from(lead == shift),
                |[_, plane, row, column]| {
                    let row_at = usize::from(row & 0x7F) << 7 | usize::from(column & 0x7F);
                    let is_code = is_high([row, column]) & (plane.wrapping_sub(0xA1) < 0x10);
                    let at = usize::from(plane & 0x0F) << 14 | row_at;
                    only_if(is_code, DOUBLES + at)
                },
            ),
            Form::Quads => self.put_quads(src, dst, end),
        }
    }

    /// Converts four-byte codes with digits. Letters of a script mostly have codes of the same length, so the CPU
    /// predicts a branch on the length, and that is faster than handling all lengths at once.
    fn put_quads(&self, src: &[u8], dst: &mut [u8], end: usize) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while read < end
            && let (Some(window), Some(room)) = (src[read..].first_chunk(), dst[written..].first_chunk_mut())
        {
            let [lead, second, third, fourth]: [u8; 4] = *window;
            let (at, len) = match (lead, second) {
                (..0x80, _) => (usize::from(lead), 1),
                (0x80, _) => break,
                (_, 0x40..) => (double_at(lead, second), 2),
                (..=0xFE, b'0'..=b'9') if matches!((third, fourth), (0x81..=0xFE, b'0'..=b'9')) => {
                    (DOUBLES + quad_at(*window) as usize, 4)
                }
                _ => break,
            };
            let Some(cell) = self.cells.get(at).filter(|cell| !cell.is_none()) else { break };
            *room = cell.bytes();
            written += cell.len();
            read += len;
        }
        (read, written)
    }

    /// Converts codes with `len`, the length of the code that begins with two bytes, and `long`, the index of the cell
    /// of a long code. The code lengths at all bytes are computed first, so that a character waits for at most one
    /// lookup, and no branch depends on a length.
    #[inline(always)]
    fn put_by(
        &self,
        src: &[u8],
        dst: &mut [u8],
        end: usize,
        len: impl Fn([u8; 2]) -> u8,
        long: impl Fn([u8; 4]) -> usize,
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut room = [0; LENGTHS];
        loop {
            let rest = &src[read..];
            // Each byte whose length is computed must be followed by a whole window.
            let count = rest.len().saturating_sub(3).min(end - read.min(end)).min(LENGTHS);
            let lens = &mut room[..count];
            for ((found, lead), second) in lens.iter_mut().zip(rest).zip(rest.iter().skip(1)) {
                *found = len([*lead, *second]);
            }
            let mut at = 0;
            while let (Some(len), Some(window), Some(room)) =
                (lens.get(at), rest[at..].first_chunk(), dst[written..].first_chunk_mut())
            {
                let window: [u8; 4] = *window;
                let [lead, trail, ..] = window;
                let pair = usize::from(lead & 0x7F) << 8 | usize::from(trail);
                let is_long = usize::from(*len > 2).wrapping_neg();
                let is_single = usize::from(lead < 0x80).wrapping_neg();
                let several = pair ^ ((pair ^ long(window)) & is_long);
                let cell_at = several ^ ((several ^ usize::from(lead)) & is_single);
                // The row of 80 holds the single bytes.
                let Some(cell) = self.cells.get(cell_at).filter(|cell| !cell.is_none() && lead != 0x80)
                else {
                    return (read + at, written);
                };
                *room = cell.bytes();
                written += cell.len();
                at += usize::from(*len);
            }
            read += at;
            if count == 0 || at < count {
                return (read, written);
            }
        }
    }
}
