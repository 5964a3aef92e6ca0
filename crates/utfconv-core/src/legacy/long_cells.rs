//! The characters of codes of one to four bytes in one table, for the kernels of texts with many long codes.

use super::longer::Longer;
use super::multi_byte::{DOUBLES, MultiByte};
use crate::decode::Cell;

/// The cells of an encoding.
pub(crate) struct LongCells {
    /// First those of codes of one and two bytes, as [`MultiByte::cells`] has them.
    cells: Box<[Cell]>,
    form: Form,
}

/// The form of long codes.
#[derive(Clone, Copy)]
enum Form {
    /// Three bytes, of which this is the first.
    Shifted(u8),
    /// Four bytes, of which this is the first, and the number of a plane the second.
    Numbered(u8),
    /// Four bytes, of which the second and the fourth are digits.
    Quads,
}

impl LongCells {
    /// The cells of an encoding in which 80 is no lead byte; `None` if it has no long codes of one of these forms.
    pub fn of(table: &MultiByte) -> Option<LongCells> {
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

    /// Converts codes that begin in the first `end` bytes of `src`, up to one that has no cell. Returns the bytes read, and
    /// those written.
    pub fn put(&self, src: &[u8], dst: &mut [u8], end: usize) -> (usize, usize) {
        // Beyond all cells unless `is_code`, without a branch.
        let only_if = |is_code: bool, at: usize| at | usize::from(is_code).wrapping_sub(1);
        let is_high = |[one, other]: [u8; 2]| (one >= 0xA1) & (other >= 0xA1);
        match self.form {
            Form::Shifted(shift) => self.put_by(src, dst, end, |[lead, row, column, _]| {
                let at = usize::from(row & 0x7F) << 7 | usize::from(column & 0x7F);
                (lead == shift, only_if(is_high([row, column]), DOUBLES + at), 3)
            }),
            Form::Numbered(shift) => self.put_by(src, dst, end, |[lead, plane, row, column]| {
                let row_at = usize::from(row & 0x7F) << 7 | usize::from(column & 0x7F);
                let is_code = is_high([row, column]) & (plane.wrapping_sub(0xA1) < 0x10);
                let at = usize::from(plane & 0x0F) << 14 | row_at;
                (lead == shift, only_if(is_code, DOUBLES + at), 4)
            }),
            Form::Quads => self.put_by(src, dst, end, |[a, b, c, d]| {
                let digit = |byte: u8| usize::from(byte.wrapping_sub(0x30));
                let lead = |byte: u8| usize::from(byte.wrapping_sub(0x81));
                let at = ((lead(a) * 10 + digit(b)) * 126 + lead(c)) * 10 + digit(d);
                let is_code = (lead(c) < 126) & (digit(d) < 10);
                (digit(b) < 10, only_if(is_code, DOUBLES + at), 4)
            }),
        }
    }

    /// `long` says of four bytes, the first of which is above 80, whether they begin with a long code, where its cell is,
    /// and its length. What is chosen by it and the first byte depends on no branch.
    #[inline(always)]
    fn put_by(
        &self,
        src: &[u8],
        dst: &mut [u8],
        end: usize,
        long: impl Fn([u8; 4]) -> (bool, usize, usize),
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while read < end
            && let (Some(window), Some(room)) = (src[read..].first_chunk(), dst[written..].first_chunk_mut())
        {
            let window: [u8; 4] = *window;
            let [lead, trail, ..] = window;
            let (is_long, long_at, long_len) = long(window);
            let pair = usize::from(lead & 0x7F) << 8 | usize::from(trail);
            let (at, len) = if is_long { (long_at, long_len) } else { (pair, 2) };
            let (at, len) = if lead < 0x80 { (usize::from(lead), 1) } else { (at, len) };
            // The row of 80 has the single bytes.
            let Some(cell) = self.cells.get(at).filter(|cell| !cell.is_none() && lead != 0x80) else { break };
            *room = cell.bytes();
            (read, written) = (read + len, written + cell.len());
        }
        (read, written)
    }
}
