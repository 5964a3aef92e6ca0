//! Conversion in rows of code points, for a source or a target with shift states, which no kernel can follow. The codec
//! with shift states takes a row at a time; the other side uses a kernel if it has no shift states.

use super::output::Output;
use crate::decode::{Decode, Utf32Unit};
use crate::encoding::{Encoding, UTF_32LE};
use crate::kernel::{Kernel, shared_with};
use crate::newline::EbcdicNewline;
use crate::position::Extent;

/// Maximum number of code points in a row, which fit in the first-level cache.
const LONGEST: usize = 4096;

/// Number of code points in the first row, so that a short text needs little memory.
const FIRST: usize = 256;

/// Minimum number of code points in a row after a code point that could not be converted.
const SHORTEST: usize = 16;

/// Maximum number of output bytes of a character, including the bytes after it that kernels may overwrite.
const ROOM: usize = 64;

/// Maximum number of bytes that an encoder writes for a character, including a character that it held back.
const MOST: usize = 16;

/// The row in conversion, and the kernels on both sides of it.
pub(super) struct Rows {
    /// Buffer for the longest row so far.
    units: Vec<Utf32Unit>,
    /// Number of code points in the next row.
    len: usize,
    /// The kernel from the source to UTF-32LE; `None` if the decoder is used.
    source: Option<&'static Kernel>,
    /// The kernel from UTF-32LE to the target; `None` if the encoder is used.
    target: Option<&'static Kernel>,
}

/// A row that was converted.
pub(super) struct Row<'a> {
    /// Number of bytes read from the source.
    pub read: usize,
    /// Number of bytes written to the sink.
    pub written: usize,
    pub code_points: &'a [Utf32Unit],
}

impl Rows {
    /// Returns the rows between two encodings of which at least one has shift states, or `None` if a side can neither
    /// fill rows nor use a kernel. `decoder` is the source's.
    pub(super) fn between(
        from: &'static Encoding,
        to: &'static Encoding,
        newline: EbcdicNewline,
        decoder: &mut dyn Decode,
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
        let is_undoable = target.is_some() || !decoder.fills_several();
        let is_possible = source.is_some() || is_undoable && decoder.fill_row(&[], &mut []).is_some();
        is_possible.then(|| Rows { units: Vec::new(), len: FIRST, source, target })
    }

    /// Returns the maximum number of code points in the next row. The row is written to `dst` without its last `ample`
    /// bytes, or to the encoder of `output`, which has room unless output is pending.
    fn most(&self, output: &Output, dst: &[u8], ample: usize) -> usize {
        match self.target {
            Some(_) if output.at_rest() && dst.len() > ROOM => LONGEST,
            None if output.awaits_bom() => 0,
            None if ample == 0 => LONGEST,
            None => dst.len().saturating_sub(ample) / MOST,
            Some(_) => 0,
        }
    }

    /// Converts a row, if there is room for it. The output of an encoder is then pending in `output`.
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
            // Count the source bytes of the converted code points.
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

/// Returns the extent of a row, in lines and columns.
pub(super) fn extent(units: &[Utf32Unit]) -> Extent {
    const LINE_FEED: Utf32Unit = [0x0A, 0, 0, 0];
    // The sum has the width of the code points, because the compiler vectorizes sums of that width best.
    let lines: u32 = units.iter().map(|unit| u32::from(*unit == LINE_FEED)).sum();
    let last = if lines == 0 { None } else { units.iter().rposition(|unit| *unit == LINE_FEED) };
    Extent { lines: lines.into(), column: (units.len() - last.map_or(0, |last| last + 1)) as u64 }
}
