//! Conversion in rows of code points, where the source or the target has shift states, which no kernel can follow. That
//! side takes a row at a time; a kernel is on the other side if that has none.

use super::output::Output;
use crate::decode::{Decode, Utf32Unit};
use crate::encoding::{Encoding, UTF_32LE};
use crate::form::Form;
use crate::kernel::{Kernel, shared_with};
use crate::newline::EbcdicNewline;
use crate::position::Extent;

/// Code points in a row, at most: they stay in the first-level cache.
const LONGEST: usize = 4096;

/// Code points in the first row: a short text needs no more memory.
const FIRST: usize = 256;

/// Code points, at least, in a row after one that could not be converted.
const SHORTEST: usize = 16;

/// Bytes of the output of a character, at most, with what kernels may overwrite.
const ROOM: usize = 64;

/// Bytes of a character that an encoder writes, with what it held before, at most.
const MOST: usize = 16;

/// A row on its way, and what is on both sides.
pub(super) struct Rows {
    /// Room for the longest row so far.
    units: Vec<Utf32Unit>,
    /// Code points in the next row.
    len: usize,
    /// From the source to UTF-32LE; the decoder if there is none.
    source: Option<&'static Kernel>,
    /// From UTF-32LE to the target; the encoder if there is none.
    target: Option<&'static Kernel>,
}

/// A row that was converted.
pub(super) struct Row<'a> {
    /// Bytes of the source.
    pub read: usize,
    /// Bytes written to the sink.
    pub written: usize,
    pub code_points: &'a [Utf32Unit],
}

impl Rows {
    /// Returns the rows between two encodings, if one or both have shift states; `None` if one has no kernel either.
    pub(super) fn between(
        from: &'static Encoding,
        to: &'static Encoding,
        newline: EbcdicNewline,
        can_fill: bool,
    ) -> Option<Rows> {
        let kernel = |from, to| shared_with(from, to, newline);
        let source = match from.form() {
            form if form.is_stateful() => None,
            _ => Some(kernel(from, &UTF_32LE)?),
        };
        let target = match to.form() {
            form if form.is_stateful() => None,
            _ => Some(kernel(&UTF_32LE, to)?),
        };
        // An encoder could not undo half of a sequence of several code points.
        let has_several = from.form() == Form::Tscii && target.is_none();
        let is_possible = source.is_some() || can_fill && !has_several;
        is_possible.then(|| Rows { units: Vec::new(), len: FIRST, source, target })
    }

    /// Returns how many code points the next row may have. It goes to `dst` without its last `ample` bytes, or to the
    /// encoder of `output`, which has room unless output waits.
    fn most(&self, output: &Output, dst: &[u8], ample: usize) -> usize {
        match self.target {
            Some(_) if output.at_rest() && dst.len() > ROOM => LONGEST,
            None if output.awaits_bom() => 0,
            None if ample == 0 => LONGEST,
            None => dst.len().saturating_sub(ample) / MOST,
            Some(_) => 0,
        }
    }

    /// Converts a row, if there is room for one. What an encoder writes waits in `output`.
    pub(super) fn convert(
        &mut self,
        decoder: &mut dyn Decode,
        output: &mut Output,
        src: &[u8],
        dst: &mut [u8],
        ample: usize,
    ) -> Row<'_> {
        let most = self.most(output, dst, ample);
        if most == 0 {
            return Row { read: 0, written: 0, code_points: &[] };
        }
        let len = self.len.min(most);
        if self.units.len() < len {
            self.units.resize(len, [0; 4]);
        }
        let units = &mut self.units[..len];
        let (mut read, count) = match &mut self.source {
            Some(source) => {
                let (read, len) = source(src, units.as_flattened_mut());
                (read, len / size_of::<Utf32Unit>())
            }
            None => decoder.fill_row(src, units).unwrap_or_default(),
        };
        let (mut done, mut written) = match &mut self.target {
            Some(target) => {
                let (taken, written) = target(units[..count].as_flattened(), dst);
                (taken / size_of::<Utf32Unit>(), written)
            }
            None => (output.put_row(&units[..count]), 0),
        };
        self.len = (2 * self.len).min(LONGEST);
        if done < count {
            self.len = (done + 1).next_power_of_two().clamp(SHORTEST, LONGEST);
            // The bytes of the source for the converted code points.
            if self.source.is_some() {
                read = decoder.take_row(src, done, &mut |_| true);
            } else {
                decoder.rewind();
                let whole;
                (read, whole) = decoder.fill_row(src, &mut units[..done]).unwrap_or_default();
                if whole < done
                    && let Some(target) = &mut self.target
                {
                    (done, written) = (whole, target(units[..whole].as_flattened(), dst).1);
                }
            }
        }
        Row { read, written, code_points: &self.units[..done] }
    }
}

/// Returns the lines and columns of a row.
pub(super) fn extent(units: &[Utf32Unit]) -> Extent {
    const LINE_FEED: Utf32Unit = [0x0A, 0, 0, 0];
    // As wide as the units: the compiler vectorizes that best.
    let lines: u32 = units.iter().map(|unit| u32::from(*unit == LINE_FEED)).sum();
    let last = if lines == 0 { None } else { units.iter().rposition(|unit| *unit == LINE_FEED) };
    Extent { lines: lines.into(), column: (units.len() - last.map_or(0, |last| last + 1)) as u64 }
}
