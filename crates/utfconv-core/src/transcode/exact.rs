//! The transcoder for callers with the contract of POSIX `iconv()`: it takes a sequence of the source only if there is room
//! for what is written for it, and keeps nothing that it has not taken.
//!
//! [`Transcoder`](super::Transcoder) may hold output that did not fit; here a sequence that does not fit is not taken, and
//! the state of the encoder is as before it. Faults have no positions, and there are few policies: stop, omit, approximate.

use super::options::Options;
use super::output::Output;
use super::rows::Rows;
use super::substituting::{DENSE, Substituting};
use crate::decode::{Decode, Next};
use crate::encoding::{BomMeaning, Encoding};
use crate::fault::{FaultBytes, IllFormed};
use crate::form::Form;
use crate::kernel::Kernel;
use crate::policy::{OnIllFormed, OnUnmappable};

/// Converts a source, in the calls of [`ExactTranscoder::step`].
pub struct ExactTranscoder {
    from: &'static Encoding,
    /// The same, with the byte order decided.
    read_as: &'static Encoding,
    to: &'static Encoding,
    options: Options,
    /// The BOM that decides the byte order has not been looked for yet.
    is_opening: bool,
    decoder: Box<dyn Decode>,
    output: Output,
    kernel: Option<Kernel>,
    /// Instead of a kernel, where the source or the target has shift states.
    rows: Option<Box<Rows>>,
    /// For text with many characters that the target cannot encode; made at the first of them.
    substituting: Option<Box<Substituting>>,
    /// Whether there was none of them since what they depend on was chosen.
    is_new: bool,
    /// A sequence that was taken, and whose characters the next sequence may change.
    held: Vec<u8>,
}

/// The answer to one call of [`ExactTranscoder::step`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ExactStep {
    /// Bytes taken from the source.
    pub read: usize,
    /// Bytes written to the sink.
    pub written: usize,
    /// Characters of the source that others were written for.
    pub substituted: usize,
    /// Something of the source was omitted.
    pub has_omitted: bool,
    /// Why the call ended.
    pub stop: ExactStop,
}

/// Why a call of [`ExactTranscoder::step`] ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExactStop {
    /// All of the source was taken.
    #[default]
    SourceEmpty,
    /// There is no room for what is next.
    SinkFull,
    /// The source ends in the middle of a sequence, which was not taken.
    Incomplete,
    /// What follows is ill-formed, or cannot be encoded in the target.
    Fault,
}

/// What became of one sequence.
enum Taken {
    /// Bytes read beyond those that were held, and bytes written.
    Bytes(usize, usize),
    Stopped(ExactStop),
}

/// Room for two of the longest sequences: one that is held, and one that decides about it.
const WINDOW: usize = 2 * FaultBytes::MAX;

/// More bytes than are ever written for one sequence: in this room nothing has to be taken back.
const AMPLE: usize = 1024;

impl ExactTranscoder {
    /// A transcoder from `from` to `to`; None for an encoding whose state cannot be taken back.
    ///
    /// Of the options it has the policies Stop, Omit and Translit, and [`Options::ebcdic_newline`]. A BOM decides the byte
    /// order of UTF-16 and UTF-32, and is text in all other encodings.
    pub fn new(from: &'static Encoding, to: &'static Encoding, options: Options) -> Option<ExactTranscoder> {
        let can_take_back =
            |encoding: &Encoding| !matches!(encoding.form(), Form::Web(_)) || !encoding.is_stateful();
        if !can_take_back(from) || !can_take_back(to) {
            return None;
        }
        let read_as = from.in_order();
        let mut transcoder = ExactTranscoder {
            from,
            read_as,
            to,
            is_opening: has_byte_order(from),
            decoder: read_as.form().decoder(options.ebcdic_newline),
            output: Output::new(to, options.ebcdic_newline, options.output_bom, false),
            kernel: None,
            rows: None,
            substituting: None,
            is_new: true,
            held: Vec::new(),
            options,
        };
        transcoder.choose_kernel();
        Some(transcoder)
    }

    /// Chooses what depends on both encodings.
    fn choose_kernel(&mut self) {
        (self.substituting, self.is_new) = (None, true);
        let can_fill = self.decoder.fill_row(&[], &mut []).is_some();
        self.kernel = super::kernel_for(self.read_as, self.to, &self.options);
        self.rows = match self.kernel {
            Some(_) => None,
            None => Rows::between(self.read_as, self.to, self.options.ebcdic_newline, can_fill).map(Box::new),
        };
    }

    /// What to do about characters that the target cannot encode, and about ill-formed sequences.
    pub fn options_mut(&mut self) -> &mut Options {
        (self.substituting, self.is_new) = (None, true);
        &mut self.options
    }

    /// Whether the source's bytes are the target's: both encodings are the same.
    pub fn is_trivial(&self) -> bool {
        self.from == self.to
    }

    /// Starts anew: both sides are at the start of a text. Without another BOM, the byte order of the source stays.
    pub fn reset(&mut self) {
        self.held.clear();
        self.output = Output::new(self.to, self.options.ebcdic_newline, self.options.output_bom, false);
        self.is_opening = has_byte_order(self.from);
        self.decoder = self.read_as.form().decoder(self.options.ebcdic_newline);
    }

    /// Converts as much of `src` as fits into `dst`.
    pub fn step(&mut self, src: &[u8], dst: &mut [u8]) -> ExactStep {
        let mut step = ExactStep::default();
        if self.is_opening && !src.is_empty() {
            match self.open(src) {
                Some(len) => step.read = len,
                None => return ExactStep { stop: ExactStop::Incomplete, ..step },
            }
        }
        while step.read < src.len() {
            let (read, written) = self.take_run(&src[step.read..], &mut dst[step.written..], &mut step);
            step.read += read;
            step.written += written;
            let (rest, room) = (&src[step.read..], &mut dst[step.written..]);
            if rest.is_empty() {
                break;
            }
            match self.take(rest, room, &mut step) {
                Taken::Bytes(read, written) => {
                    step.read += read;
                    step.written += written;
                }
                Taken::Stopped(stop) => return ExactStep { stop, ..step },
            }
        }
        step
    }

    /// Ends the text: writes what is held and what leads back to the initial shift state, and starts anew. Nothing has
    /// changed if that does not fit into `dst`, or if the target cannot encode what is held.
    pub fn finish(&mut self, dst: &mut [u8]) -> ExactStep {
        let mut step = ExactStep::default();
        let held = self.held.clone();
        let undo = self.output.state();
        if !self.put_held(&mut step) {
            step.stop = ExactStop::Fault;
        } else {
            self.output.finish();
            if self.output.waiting() > dst.len() {
                step.stop = ExactStop::SinkFull;
            }
        }
        if step.stop != ExactStop::SourceEmpty {
            self.output.take_back(undo);
            self.held = held;
            return ExactStep { stop: step.stop, ..ExactStep::default() };
        }
        step.written = self.output.drain(dst);
        self.reset();
        step
    }

    /// Has the characters of what is held wait for room; false for one that the policy writes nothing for.
    fn put_held(&mut self, step: &mut ExactStep) -> bool {
        while !self.held.is_empty() {
            let Some((code_points, len)) = self.decoder.next(&self.held, true).sequence() else {
                return false;
            };
            if !self.put(&code_points, step) {
                return false;
            }
            self.decoder.taken();
            self.held.drain(..len);
        }
        true
    }

    /// Takes the BOM that decides the byte order of `src`, which is not empty; returns its length, or None if more of it may
    /// follow.
    fn open(&mut self, src: &[u8]) -> Option<usize> {
        let known: Vec<_> = self.from.orders().map(|order| (order, order.bom_bytes())).collect();
        let found = known.iter().find(|(_, bom)| src.starts_with(bom));
        if found.is_none() && known.iter().any(|(_, bom)| bom.starts_with(src)) {
            return None;
        }
        self.is_opening = false;
        let Some((order, bom)) = found else { return Some(0) };
        if *order != self.read_as {
            self.read_as = order;
            self.decoder = order.form().decoder(self.options.ebcdic_newline);
            self.choose_kernel();
        }
        Some(bom.len())
    }

    /// Takes a well-formed run that the target can encode: by a kernel, in rows, or where there is neither by the decoder as long
    /// as there is ample room. Returns the bytes read and written.
    fn take_run(&mut self, src: &[u8], dst: &mut [u8], step: &mut ExactStep) -> (usize, usize) {
        if !self.held.is_empty() || self.output.bom_pending {
            return (0, 0);
        }
        if let Some(kernel) = &mut self.kernel {
            if !self.output.at_rest() {
                return (0, 0);
            }
            let (read, written) = kernel(src, dst);
            let Some(substituting) = self.substituting.as_mut().filter(|_| read < DENSE) else {
                return (read, written);
            };
            let (r, w, count) = substituting.convert(&src[read..], &mut dst[written..]);
            match self.options.policy.unmappable {
                OnUnmappable::Omit => step.has_omitted |= count > 0,
                _ => step.substituted += count as usize,
            }
            return (read + r, written + w);
        }
        if let Some(rows) = &mut self.rows {
            return rows.convert_all(&mut *self.decoder, &mut self.output, src, dst, AMPLE);
        }
        let (output, room) = (&mut self.output, dst.len().saturating_sub(AMPLE));
        let mut put = |code_point| output.waiting() < room && output.put(code_point);
        let read = self.decoder.take_row(src, usize::MAX, &mut put);
        (read, self.output.drain(dst))
    }

    /// Takes the sequence at the front of `rest`, which is not empty, or of what is held.
    fn take(&mut self, rest: &[u8], room: &mut [u8], step: &mut ExactStep) -> Taken {
        let held = self.held.len();
        let joined;
        let window = if held == 0 {
            rest
        } else {
            self.held.extend_from_slice(&rest[..rest.len().min(WINDOW - held)]);
            joined = self.held.clone();
            self.held.truncate(held);
            &joined
        };
        let next = self.decoder.next(window, false);
        let Some((code_points, len)) = next.sequence() else {
            return match next {
                Next::IllFormed(found) => self.skip(found.len.saturating_sub(held), step),
                _ => self.hold(window, held, step),
            };
        };
        if self.output.bom_pending && !code_points.is_empty() {
            return self.put_bom(room);
        }
        let undo = (room.len() < AMPLE).then(|| self.output.state());
        let is_written = self.put(&code_points, step);
        if !is_written && !room.is_empty() {
            return Taken::Stopped(ExactStop::Fault);
        }
        if !is_written || self.output.waiting() > room.len() {
            self.output.take_back(undo.expect("no sequence fills ample room"));
            return Taken::Stopped(ExactStop::SinkFull);
        }
        self.decoder.taken();
        self.held.drain(..held.min(len));
        Taken::Bytes(len.saturating_sub(held), self.output.drain(room))
    }

    /// Writes the BOM, before the first character.
    fn put_bom(&mut self, room: &mut [u8]) -> Taken {
        let bom = self.to.in_order().bom_bytes();
        let Some(start) = room.get_mut(..bom.len()) else { return Taken::Stopped(ExactStop::SinkFull) };
        start.copy_from_slice(&bom);
        self.output.bom_pending = false;
        Taken::Bytes(0, bom.len())
    }

    /// Holds `window`, a sequence cut off by the end of the source of which `held` bytes were taken before, if it is whole
    /// and only what follows may change its characters.
    fn hold(&mut self, window: &[u8], held: usize, step: &mut ExactStep) -> Taken {
        let next = self.decoder.next(window, true);
        match (next, next.sequence()) {
            (_, Some((_, len))) if len == window.len() => {
                self.held = window.to_vec();
                Taken::Bytes(len - held, 0)
            }
            // More bytes would only tell how far it goes.
            (Next::IllFormed(found), _) if !may_be_continued(found.kind) => {
                self.skip(found.len.saturating_sub(held), step)
            }
            _ => Taken::Stopped(ExactStop::Incomplete),
        }
    }

    /// Does about an ill-formed sequence, `len` bytes of the source, what the policy says.
    fn skip(&self, len: usize, step: &mut ExactStep) -> Taken {
        match self.options.policy.ill_formed {
            OnIllFormed::Omit => {
                step.has_omitted = true;
                Taken::Bytes(len, 0)
            }
            _ => Taken::Stopped(ExactStop::Fault),
        }
    }

    /// Has `code_points` wait for room, or what the policy writes for them; false, with nothing written, if it writes none.
    fn put(&mut self, code_points: &[u32], step: &mut ExactStep) -> bool {
        if code_points.len() > 1 && self.output.put_all(code_points.iter().copied()) {
            return true;
        }
        let policy = &self.options.policy.unmappable;
        if code_points.len() > 1
            && !code_points.iter().all(|code_point| self.output.takes(policy, *code_point))
        {
            return false;
        }
        for code_point in code_points {
            if self.output.put(*code_point) {
                continue;
            }
            let (otherwise, approximation) = match policy {
                OnUnmappable::Translit(otherwise) => (&**otherwise, self.output.approximation(*code_point)),
                policy => (policy, None),
            };
            let start = self.output.end();
            if approximation.is_some() {
                self.output.put_replacement(approximation);
            } else if !self.output.substitute(otherwise, *code_point) {
                return false;
            }
            let is_omitted = approximation.is_none() && matches!(otherwise, OnUnmappable::Omit);
            step.has_omitted |= is_omitted;
            step.substituted += usize::from(!is_omitted);
            if std::mem::take(&mut self.is_new) && self.kernel.is_some() && self.output.writes_apart() {
                let (from, to) = (self.read_as.form(), self.to.form());
                self.substituting = Substituting::new(from, to, self.options.ebcdic_newline);
            }
            // What is omitted is counted otherwise than an approximation.
            if let (Some(substituting), Some(start)) = (&mut self.substituting, start)
                && is_omitted == matches!(policy, OnUnmappable::Omit)
            {
                substituting.remember(*code_point, self.output.written_since(start));
            }
        }
        true
    }
}

/// Whether a BOM decides the byte order of a text in `encoding`.
fn has_byte_order(encoding: &Encoding) -> bool {
    matches!(encoding.bom_meaning(), BomMeaning::ByteOrder { .. })
}

/// Whether a sequence of that kind at the end of a source may be the start of a well-formed one.
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
mod tests {
    use super::*;
    use crate::encoding::{BIG5_HKSCS, ISO_2022_JP, US_ASCII, UTF_8, UTF_16, UTF_16BE};
    use crate::policy::Policy;
    use crate::stream::convert;
    use crate::testkit::Random;

    fn options() -> Options {
        Options::default().policy(Policy {
            ill_formed: OnIllFormed::Omit,
            unmappable: OnUnmappable::Omit,
            per_byte: false,
        })
    }

    /// Converts a text in calls of random sizes.
    fn in_calls(transcoder: &mut ExactTranscoder, source: &[u8], random: &mut Random) -> Vec<u8> {
        let (mut at, mut out) = (0, Vec::new());
        let mut room = [0; 256];
        while at < source.len() {
            let end = at + 1 + random.below(source.len() - at);
            let size = random.one(&[0, 1, 2, 3, 5, 8, 13, 256]);
            let step = transcoder.step(&source[at..end], &mut room[..size]);
            out.extend_from_slice(&room[..step.written]);
            at += step.read;
            match step.stop {
                ExactStop::SourceEmpty => assert_eq!(at, end),
                ExactStop::Incomplete if end == source.len() => break,
                ExactStop::Incomplete => assert!(at < end),
                ExactStop::SinkFull => assert!(size < room.len()),
                ExactStop::Fault => panic!("faults are omitted"),
            }
        }
        // Nothing changes until there is room for all of the end.
        let ends = (0..room.len()).map(|size| transcoder.finish(&mut room[..size]));
        let end = ends.into_iter().find(|end| end.stop != ExactStop::SinkFull).expect("the end is short");
        assert_eq!(end.stop, ExactStop::SourceEmpty);
        out.extend_from_slice(&room[..end.written]);
        out
    }

    const TEXT: &str = "aé\nЖä日本か\u{309A}Ê\u{304}z한국中文😀ｱﾊﾞ–“”€ơêab\n";

    #[test]
    fn calls_of_any_size_give_the_same_text_in_every_encoding() {
        let mut random = Random(7);
        for encoding in Encoding::all() {
            let Some(mut there) = ExactTranscoder::new(&UTF_8, encoding, options()) else {
                assert!(encoding.is_stateful() && encoding.name().starts_with("whatwg:"), "{encoding}");
                continue;
            };
            let mut back = ExactTranscoder::new(encoding, &UTF_8, options()).expect("as there");
            let encoded = convert(TEXT.as_bytes(), &UTF_8, encoding, &options()).unwrap().output;
            let decoded = convert(&encoded, encoding, &UTF_8, &options()).unwrap().output;
            for _ in 0..8 {
                assert_eq!(in_calls(&mut there, TEXT.as_bytes(), &mut random), encoded, "to {encoding}");
                assert_eq!(in_calls(&mut back, &encoded, &mut random), decoded, "from {encoding}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_not_taken() {
        let transcoder = |to| ExactTranscoder::new(&UTF_8, to, Options::default()).unwrap();
        let mut room = [0; 16];
        let step = |read, written, stop| ExactStep { read, written, stop, ..ExactStep::default() };
        let source = "aあ".as_bytes();
        for (to, size, expected) in [
            (&UTF_16BE, 3, step(1, 2, ExactStop::SinkFull)),
            (&UTF_16, 3, step(0, 2, ExactStop::SinkFull)),
            (&ISO_2022_JP, 5, step(1, 1, ExactStop::SinkFull)),
            (&ISO_2022_JP, 6, step(4, 6, ExactStop::SourceEmpty)),
        ] {
            assert_eq!(transcoder(to).step(source, &mut room[..size]), expected, "{to} {size}");
        }
        let mut to_japanese = transcoder(&ISO_2022_JP);
        assert_eq!(to_japanese.step(source, &mut room[..5]).read, 1);
        assert_eq!(to_japanese.finish(&mut []), ExactStep::default());
    }

    #[test]
    fn a_letter_that_the_next_may_join_is_taken_and_held() {
        let mut transcoder = ExactTranscoder::new(&UTF_8, &BIG5_HKSCS, Options::default()).unwrap();
        let mut room = [0; 16];
        let taken = ExactStep { read: 2, ..ExactStep::default() };
        assert_eq!(transcoder.step("Ê".as_bytes(), &mut room), taken);
        assert_eq!(transcoder.finish(&mut room[..1]).stop, ExactStop::SinkFull);
        assert_eq!(transcoder.step("\u{304}".as_bytes(), &mut room), ExactStep { written: 2, ..taken });
        assert_eq!(room[..2], *b"\x88\x62");
    }

    #[test]
    fn the_end_reports_a_held_letter_that_cannot_be_encoded() {
        let vietnamese = Encoding::named("windows-1258").unwrap();
        let mut transcoder = ExactTranscoder::new(vietnamese, &UTF_8, Options::default()).unwrap();
        let mut room = [0; 16];
        let taken = ExactStep { read: 1, ..ExactStep::default() };
        assert_eq!(transcoder.step(b"\xF5", &mut room), taken);
        assert_eq!(transcoder.finish(&mut room), ExactStep { written: 2, ..ExactStep::default() });

        let mut transcoder = ExactTranscoder::new(vietnamese, &US_ASCII, Options::default()).unwrap();
        assert_eq!(transcoder.step(b"\xF5", &mut room), taken);
        for _ in 0..2 {
            let expected = ExactStep { stop: ExactStop::Fault, ..ExactStep::default() };
            assert_eq!(transcoder.finish(&mut room), expected);
        }
        transcoder.reset();
        assert_eq!(transcoder.finish(&mut room), ExactStep::default());
    }

    #[test]
    fn faults_are_not_taken() {
        let mut transcoder = ExactTranscoder::new(&UTF_8, &UTF_16BE, Options::default()).unwrap();
        for (source, read, stop) in [
            (&b"a\xE2\x82"[..], 1, ExactStop::Incomplete),
            (b"a\xE2\x82\x28", 1, ExactStop::Fault),
            (b"a\xED\xA0\x80", 1, ExactStop::Fault),
            (b"a\xFF", 1, ExactStop::Fault),
        ] {
            let step = transcoder.step(source, &mut [0; 16]);
            assert_eq!((step.read, step.stop), (read, stop), "{source:?}");
        }
    }

    #[test]
    fn the_byte_order_stays() {
        let mut transcoder = ExactTranscoder::new(&UTF_16, &UTF_8, Options::default()).unwrap();
        let mut room = [0; 4];
        assert_eq!(transcoder.step(b"\xFE\xFF\0a", &mut room).written, 1);
        transcoder.reset();
        assert_eq!(transcoder.step(b"\0b", &mut room).written, 1);
        assert_eq!(room[0], b'b');
    }
}
