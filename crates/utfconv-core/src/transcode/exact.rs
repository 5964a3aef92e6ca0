//! The transcoder for callers with the contract of POSIX `iconv()`. It consumes a sequence of the source only if there
//! is room for its output, and keeps nothing that it has not consumed.
//!
//! [`Transcoder`](super::Transcoder) may hold output that did not fit. Here, a sequence that does not fit is not
//! consumed, and the encoder returns to its state before the sequence. Of a sequence of several characters, the
//! characters that fit are written and the others are pending, so that a caller with room for one character makes
//! progress.
//!
//! Faults have no positions, and there are only the policies stop, omit and approximate.

use super::engine::{Engine, Run};
use super::options::Options;
use super::output::{Output, Written};
use crate::decode::Next;
use crate::encoding::{BomMeaning, Encoding};
use crate::fault::IllFormed;
use crate::form::Form;
use crate::newline::EbcdicNewline;
use crate::policy::{OnIllFormed, OnUnmappable};

/// Converts a source in calls of [`ExactTranscoder::step`].
pub struct ExactTranscoder {
    from: &'static Encoding,
    /// The engine, whose input encoding is `from` with the byte order resolved. Holds back a sequence whose decoding
    /// may depend on the next sequence.
    engine: Engine,
    options: Options,
    /// The meaning of EBCDIC newlines in the source and in the target.
    newlines: [EbcdicNewline; 2],
    /// True until the BOM that decides the byte order has been looked for.
    is_opening: bool,
    /// The last characters of a consumed sequence, which did not fit.
    owed: Vec<u32>,
}

/// The result of a call of [`ExactTranscoder::step`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ExactStep {
    /// Number of bytes consumed of the source.
    pub read: usize,
    /// Number of bytes written to the sink.
    pub written: usize,
    /// Number of source characters for which substitutes were written.
    pub substituted: usize,
    /// Whether ill-formed bytes or unmappable characters were omitted.
    pub has_omitted: bool,
    /// Why the call ended.
    pub stop: ExactStop,
}

/// Why a call of [`ExactTranscoder::step`] ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExactStop {
    /// The whole source was consumed.
    #[default]
    SourceEmpty,
    /// There is no room for the output of the next sequence.
    SinkFull,
    /// The source ends inside a sequence, which was not consumed.
    Incomplete,
    /// The next sequence is ill-formed, or cannot be encoded in the target.
    Fault,
}

/// The result of an attempt to convert the next sequence.
enum Taken {
    /// Number of bytes read from the source, without the bytes held from earlier calls, and number of bytes written.
    Bytes(usize, usize),
    Stopped(ExactStop),
}

/// More bytes than are ever written for a sequence, so that with this much room nothing has to be undone.
const AMPLE: usize = 1024;

impl ExactTranscoder {
    /// Creates a transcoder from `from` to `to`. Returns `None` for an encoding whose state cannot be restored.
    ///
    /// Of `options`, the policies Stop, Omit and Translit with a replacement, and [`Options::ebcdic_newline`] are
    /// supported. A BOM decides the byte order of UTF-16 and UTF-32, and is text in all other encodings.
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options) -> Option<ExactTranscoder> {
        let can_undo =
            |encoding: &Encoding| !matches!(encoding.form(), Form::Web(_)) || !encoding.is_stateful();
        if !can_undo(from) || !can_undo(to) {
            return None;
        }
        let newlines = [options.ebcdic_newline; 2];
        let engine = Engine::new(from.in_order(), to, newlines, &options);
        let is_opening = has_byte_order(from);
        let mut transcoder =
            ExactTranscoder { from, engine, options, newlines, is_opening, owed: Vec::new() };
        transcoder.choose();
        Some(transcoder)
    }

    /// Chooses the kernel and other fields that depend on both encodings.
    fn choose(&mut self) {
        let is_ebcdic = [self.engine.input.encoding, self.engine.output.to].map(Encoding::is_ebcdic);
        let [source, target] = self.newlines;
        self.options.ebcdic_newline = if is_ebcdic[0] { source } else { target };
        self.engine.choose(&self.options, is_ebcdic == [true; 2] && source != target);
    }

    /// Returns the meaning of EBCDIC newlines in the source and in the target.
    pub fn newlines(&self) -> [EbcdicNewline; 2] {
        self.newlines
    }

    /// Sets the meaning of EBCDIC newlines in the source and in the target. A side that is EBCDIC is then at the start
    /// of a text.
    pub fn set_newlines(&mut self, newlines: [EbcdicNewline; 2]) {
        self.newlines = newlines;
        if self.engine.input.encoding.is_ebcdic() {
            self.engine.input.set_newline(newlines[0]);
        }
        if self.engine.output.to.is_ebcdic() {
            self.engine.output = self.new_output();
        }
        self.choose();
    }

    fn new_output(&self) -> Output {
        Output::new(self.engine.output.to, self.newlines[1], self.options.output_bom, false)
    }

    /// Sets how to handle unmappable characters and ill-formed sequences.
    pub fn options_mut(&mut self) -> &mut Options {
        self.engine.forget_substitutes();
        &mut self.options
    }

    /// Whether the source and the target are in the same encoding, so that their bytes are equal.
    pub fn is_trivial(&self) -> bool {
        let to = self.engine.output.to;
        self.from == to && (self.newlines[0] == self.newlines[1] || !to.is_ebcdic())
    }

    /// Returns both sides to the start of a text. Unless another BOM follows, the byte order of the source is kept.
    pub fn reset(&mut self) {
        self.engine.held.clear();
        self.owed.clear();
        self.engine.output = self.new_output();
        self.is_opening = has_byte_order(self.from);
        self.engine.input.set_newline(self.newlines[0]);
    }

    /// Converts as much of `src` as fits into `dst`.
    pub fn step(&mut self, src: &[u8], dst: &mut [u8]) -> ExactStep {
        let mut step = ExactStep::default();
        if let Some(stop) = self.pay(dst, &mut step) {
            return ExactStep { stop, ..step };
        }
        if self.is_opening && !src.is_empty() {
            match self.open(src) {
                Some(len) => step.read = len,
                None => return ExactStep { stop: ExactStop::Incomplete, ..step },
            }
        }
        while step.read < src.len() {
            if self.advance(src, dst, &mut step) {
                continue;
            }
            let (rest, room) = (&src[step.read..], &mut dst[step.written..]);
            if rest.is_empty() {
                break;
            }
            match self.take(rest, room, &mut step) {
                Taken::Bytes(read, written) => {
                    step.read += read;
                    step.written += written;
                    if !self.owed.is_empty() {
                        return ExactStep { stop: ExactStop::SinkFull, ..step };
                    }
                }
                Taken::Stopped(stop) => return ExactStep { stop, ..step },
            }
        }
        step
    }

    /// Ends the text: writes characters that are held back and the return to the initial shift state, and starts anew.
    /// Output that does not fit in `dst`, and unmappable characters, are kept.
    pub fn finish(&mut self, dst: &mut [u8]) -> ExactStep {
        let mut step = ExactStep::default();
        if let Some(stop) = self.pay(dst, &mut step).or_else(|| self.put_held(dst, &mut step)) {
            return ExactStep { stop, ..step };
        }
        let undo = self.engine.output.state();
        self.engine.output.finish();
        if self.engine.output.waiting() > dst.len() - step.written {
            self.engine.output.restore(undo);
            return ExactStep { stop: ExactStop::SinkFull, ..step };
        }
        step.written += self.engine.output.drain(&mut dst[step.written..]);
        self.reset();
        step
    }

    /// Writes the characters that are held back. Returns the reason if that is not possible.
    fn put_held(&mut self, dst: &mut [u8], step: &mut ExactStep) -> Option<ExactStop> {
        while !self.engine.held.is_empty() {
            let Some((code_points, len)) = self.engine.input.decoder.next(&self.engine.held, true).sequence()
            else {
                return Some(ExactStop::Fault);
            };
            match self.put_in(&code_points, &mut dst[step.written..], step) {
                Ok(written) => step.written += written,
                Err(stop) => return Some(stop),
            }
            self.engine.input.decoder.commit();
            self.engine.held.drain(..len);
            if !self.owed.is_empty() {
                return Some(ExactStop::SinkFull);
            }
        }
        None
    }

    /// Writes pending output to `dst`, after the bytes written. Returns the reason if that is not possible.
    fn pay(&mut self, dst: &mut [u8], step: &mut ExactStep) -> Option<ExactStop> {
        let mut stop = None;
        while let Some(code_point) = self.owed.first().copied() {
            let undo = self.engine.output.state();
            let is_written = self.put(&[code_point], step);
            if !is_written || self.engine.output.waiting() > dst.len() - step.written {
                self.engine.output.restore(undo);
                stop = Some(if is_written { ExactStop::SinkFull } else { ExactStop::Fault });
                break;
            }
            self.owed.remove(0);
        }
        step.written += self.engine.output.drain(&mut dst[step.written..]);
        stop
    }

    /// Consumes the BOM that decides the byte order of `src`, which is not empty. Returns its length in bytes, or
    /// `None` if `src` may end inside a BOM.
    fn open(&mut self, src: &[u8]) -> Option<usize> {
        let known: Vec<_> = self.from.orders().map(|order| (order, order.bom_bytes())).collect();
        let found = known.iter().find(|(_, bom)| src.starts_with(bom));
        if found.is_none() && known.iter().any(|(_, bom)| bom.starts_with(src)) {
            return None;
        }
        self.is_opening = false;
        let Some((order, bom)) = found else { return Some(0) };
        if *order != self.engine.input.encoding {
            self.engine.input.read_as(order);
            self.choose();
        }
        Some(bom.len())
    }

    /// Converts text that needs no decisions. Returns true if another call may convert more at once.
    fn advance(&mut self, src: &[u8], dst: &mut [u8], step: &mut ExactStep) -> bool {
        if !self.engine.held.is_empty() || self.engine.output.bom.is_pending {
            return false;
        }
        let (src, dst) = (&src[step.read..], &mut dst[step.written..]);
        let Run { read, written, substituted, goes_on, .. } =
            self.engine.advance::<false>(src, dst, AMPLE, true);
        step.read += read;
        step.written += written;
        match self.options.policy.unmappable {
            OnUnmappable::Omit => step.has_omitted |= substituted.all > 0,
            _ => step.substituted += substituted.all as usize,
        }
        goes_on
    }

    /// Consumes the sequence at the front of `rest`, which is not empty, or of the bytes that are held back.
    fn take(&mut self, rest: &[u8], room: &mut [u8], step: &mut ExactStep) -> Taken {
        let held = self.engine.held.len();
        let joined;
        let window = if held == 0 {
            rest
        } else {
            joined = self.engine.window(rest);
            self.engine.held.extend_from_slice(&joined[..held]);
            &joined
        };
        let next = self.engine.input.decoder.next(window, false);
        let Some((code_points, len)) = next.sequence() else {
            return match next {
                Next::IllFormed(found) => self.skip(found.len.saturating_sub(held), step),
                _ => self.hold(window, held, step),
            };
        };
        if self.engine.output.bom.is_pending && !code_points.is_empty() {
            return self.put_bom(room);
        }
        match self.put_in(&code_points, room, step) {
            Ok(written) => {
                self.engine.input.decoder.commit();
                self.engine.held.drain(..held.min(len));
                Taken::Bytes(len.saturating_sub(held), written)
            }
            Err(stop) => Taken::Stopped(stop),
        }
    }

    /// Writes the characters of a sequence to `room`. If only some fit, the others are pending. Returns the number of
    /// bytes written, or the reason if none were.
    fn put_in(
        &mut self,
        code_points: &[u32],
        room: &mut [u8],
        step: &mut ExactStep,
    ) -> Result<usize, ExactStop> {
        let undo = (room.len() < AMPLE).then(|| self.engine.output.state());
        let is_written = self.put(code_points, step);
        if !is_written && !room.is_empty() {
            return Err(ExactStop::Fault);
        }
        if is_written && self.engine.output.waiting() <= room.len() {
            return Ok(self.engine.output.drain(room));
        }
        self.engine.output.restore(undo.expect("no sequence fills ample room"));
        if !is_written || code_points.len() < 2 {
            return Err(ExactStop::SinkFull);
        }
        self.owed = code_points.to_vec();
        let mut part = ExactStep::default();
        self.pay(room, &mut part);
        if self.owed.len() == code_points.len() {
            self.owed.clear();
            return Err(ExactStop::SinkFull);
        }
        Ok(part.written)
    }

    /// Writes the BOM before the first character.
    fn put_bom(&mut self, room: &mut [u8]) -> Taken {
        let bom = self.engine.output.to.in_order().bom_bytes();
        let Some(start) = room.get_mut(..bom.len()) else { return Taken::Stopped(ExactStop::SinkFull) };
        start.copy_from_slice(bom);
        self.engine.output.bom.is_pending = false;
        Taken::Bytes(0, bom.len())
    }

    /// Holds back `window`, a sequence at the end of the source, if it is whole and only later bytes may change its
    /// characters. The first `held` bytes of it were consumed before.
    fn hold(&mut self, window: &[u8], held: usize, step: &mut ExactStep) -> Taken {
        let next = self.engine.input.decoder.next(window, true);
        match (next, next.sequence()) {
            (_, Some((_, len))) if len == window.len() => {
                self.engine.held = window.to_vec();
                Taken::Bytes(len - held, 0)
            }
            // More bytes would only show where the ill-formed sequence ends.
            (Next::IllFormed(found), _) if !may_be_continued(found.kind) => {
                self.skip(found.len.saturating_sub(held), step)
            }
            _ => Taken::Stopped(ExactStop::Incomplete),
        }
    }

    /// Applies the policy to an ill-formed sequence of `len` bytes.
    fn skip(&self, len: usize, step: &mut ExactStep) -> Taken {
        match self.options.policy.ill_formed {
            OnIllFormed::Omit => {
                step.has_omitted = true;
                Taken::Bytes(len, 0)
            }
            _ => Taken::Stopped(ExactStop::Fault),
        }
    }

    /// Writes `code_points`, or their replacement by the policy, to the output, where they are pending. Returns false,
    /// and writes nothing, if the policy has no replacement.
    fn put(&mut self, code_points: &[u32], step: &mut ExactStep) -> bool {
        if code_points.len() > 1 && self.engine.output.put_all(code_points.iter().copied()) {
            return true;
        }
        let policy = &self.options.policy.unmappable;
        if code_points.len() > 1
            && !code_points.iter().all(|code_point| self.engine.output.takes(policy, *code_point))
        {
            return false;
        }
        for code_point in code_points {
            match self.engine.put(*code_point, policy) {
                Some(Written::Itself) => {}
                Some(Written::Nothing) => step.has_omitted = true,
                Some(Written::Approximation(_) | Written::Other) => step.substituted += 1,
                None => return false,
            }
        }
        true
    }
}

/// Whether a BOM decides the byte order of a text in `encoding`.
fn has_byte_order(encoding: &Encoding) -> bool {
    matches!(encoding.bom_meaning(), BomMeaning::ByteOrder { .. })
}

/// Whether an ill-formed sequence of the given kind, at the end of a source, may be the start of a well-formed
/// sequence.
fn may_be_continued(kind: IllFormed) -> bool {
    matches!(
        kind,
        IllFormed::Truncated
            | IllFormed::OddLength
            | IllFormed::PartialUnit
            | IllFormed::LoneHigh
            | IllFormed::StrayBits
            | IllFormed::UnknownEscape
    )
}

#[cfg(test)]
mod tests;
