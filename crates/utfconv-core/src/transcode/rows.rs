//! Conversion in rows of code points, where the source or the target has shift states, which no kernel can follow: one of
//! them takes a row at a time, and a kernel is on the other side if that has none.

use super::Transcoder;
use super::output::Output;
use crate::decode::{Decode, Utf32Unit};
use crate::encoding::Encoding;
use crate::form::Form;
use crate::kernel::{Kernel, Set};
use crate::newline::EbcdicNewline;
use crate::position::Extent;

/// Code points in a row, at most: they stay in the first-level cache.
const LONGEST: usize = 4096;

/// The same after one that could not be converted.
const SHORTEST: usize = 16;

/// Bytes of the output of a character, at most, with what kernels may overwrite.
const ROOM: usize = 64;

/// Bytes of a character that an encoder writes, with what it held before, at most.
const MOST: usize = 16;

/// A row on its way, and what is on both sides.
pub(super) struct Rows {
    units: Vec<Utf32Unit>,
    /// Code points in the next row.
    len: usize,
    /// From the source to UTF-32LE; the decoder if there is none.
    source: Option<Kernel>,
    /// From UTF-32LE to the target; the encoder if there is none.
    target: Option<Kernel>,
}

impl Rows {
    /// The rows between two encodings, of which one or both have shift states; `None` if one has no kernel either.
    pub(super) fn between(
        from: &Encoding,
        to: &Encoding,
        newline: EbcdicNewline,
        can_fill: bool,
    ) -> Option<Rows> {
        let kernel = |from, to| Set::active().kernel(from, to, newline);
        let source = match from.form() {
            form if form.is_stateful() => None,
            form => Some(kernel(form, Form::Utf32Le)?),
        };
        let target = match to.form() {
            form if form.is_stateful() => None,
            form => Some(kernel(Form::Utf32Le, form)?),
        };
        // An encoder could not take back half of a sequence of several code points.
        let has_several = from.form() == Form::Tscii && target.is_none();
        let is_possible = source.is_some() || can_fill && !has_several;
        is_possible.then(|| Rows { units: vec![[0; 4]; LONGEST], len: LONGEST, source, target })
    }

    /// Whether a row may be written: to `dst`, or by the encoder of `output`.
    fn has_room(&self, output: &Output, dst: &[u8]) -> bool {
        match self.target {
            Some(_) => output.at_rest() && dst.len() > ROOM,
            None => !output.awaits_bom(),
        }
    }

    /// Converts a row of `most` code points or fewer. Returns the bytes read, those written to `dst`, and the code points. What
    /// an encoder writes waits in `output`.
    fn convert(
        &mut self,
        decoder: &mut dyn Decode,
        output: &mut Output,
        src: &[u8],
        dst: &mut [u8],
        most: usize,
    ) -> (usize, usize, usize) {
        let units = &mut self.units[..self.len.min(most)];
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
            // What the source has for the code points that were converted.
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
        (read, written, done)
    }

    /// Converts as many rows as there are, and as there is room for, without the last `ample` bytes of it. Returns the bytes read,
    /// and those written.
    pub(super) fn convert_all(
        &mut self,
        decoder: &mut dyn Decode,
        output: &mut Output,
        src: &[u8],
        dst: &mut [u8],
        ample: usize,
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let room = &mut dst[written..];
            let most = if self.target.is_some() { LONGEST } else { room.len().saturating_sub(ample) / MOST };
            if most == 0 || !self.has_room(output, room) {
                return (read, written);
            }
            let (r, w, _) = self.convert(decoder, output, &src[read..], room, most);
            if r == 0 && w == 0 {
                return (read, written);
            }
            read += r;
            written += w;
            written += output.drain(&mut dst[written..]);
        }
    }
}

impl Transcoder {
    /// The rows of a conversion without a kernel; `None` where characters have to be looked at, too.
    pub(super) fn choose_rows(&mut self) -> Option<Box<Rows>> {
        let options = &self.options;
        if self.kernel.is_some() || options.policy.carrier().is_some() || options.normalization.is_some() {
            return None;
        }
        let can_fill = self.input.decoder.fill_row(&[], &mut []).is_some();
        Rows::between(self.input.encoding, self.output.to, options.ebcdic_newline, can_fill).map(Box::new)
    }

    /// Converts a row. Returns the bytes read, and those written to `dst`; those of an encoder wait for room.
    pub(super) fn take_filled_row(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let Some(rows) = &mut self.rows else { return (0, 0) };
        if !rows.has_room(&self.output, dst) {
            return (0, 0);
        }
        let (read, written, done) =
            rows.convert(&mut *self.input.decoder, &mut self.output, src, dst, usize::MAX);
        let extent = extent(&rows.units[..done]);
        self.pass(&src[..read], extent);
        (read, written)
    }
}

/// The lines and columns of a row.
fn extent(units: &[Utf32Unit]) -> Extent {
    const LINE_FEED: Utf32Unit = [0x0A, 0, 0, 0];
    // As wide as the units, which is what the compiler vectorizes best.
    let lines: u32 = units.iter().map(|unit| u32::from(*unit == LINE_FEED)).sum();
    let last = if lines == 0 { None } else { units.iter().rposition(|unit| *unit == LINE_FEED) };
    Extent { lines: lines.into(), column: (units.len() - last.map_or(0, |last| last + 1)) as u64 }
}
