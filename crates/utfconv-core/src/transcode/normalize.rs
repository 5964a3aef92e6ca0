//! Text that waits to be normalized: gathers a sequence of characters until nothing that may follow can change it.
//!
//! [`NormalizationForm`] knows where sequences end; the transcoder knows what becomes of a sequence, and of faults.

use std::iter;
use std::ops::RangeInclusive;

use super::Transcoder;
use super::output::Output;
use super::policy::Carried;
use crate::decode::Next;
use crate::fault::{FaultBytes, FaultKind};
use crate::kernel::{Kernel, Set, well_formed_utf8};
use crate::normalize::{CodePoints, NormalizationForm};
use crate::position::{Extent, Position};

/// What a character of a sequence comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub position: Position,
    /// The bytes of the source there.
    pub bytes: FaultBytes,
    /// The policy for ill-formed bytes has put it there.
    pub is_made: bool,
}

/// Characters that have to be normalized together.
pub(crate) struct NormalizationBuffer {
    pub form: NormalizationForm,
    text: String,
    /// Of each character.
    origins: Vec<Origin>,
    /// How far ahead of a sequence the text is looked at, in bytes: less where kernels did not get far.
    reach: usize,
    /// For text that is normalized already; None where bytes are as fast.
    code_points: Option<CodePoints>,
}

/// The bounds of [`NormalizationBuffer::reach`].
const REACH: RangeInclusive<usize> = 64..=8 << 10;

impl NormalizationBuffer {
    pub fn new(form: NormalizationForm) -> NormalizationBuffer {
        NormalizationBuffer {
            form,
            text: String::new(),
            origins: Vec::new(),
            reach: *REACH.end(),
            code_points: Set::active().code_points().map(CodePoints::new),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns where it begins, if it does.
    pub fn start(&self) -> Option<&Origin> {
        self.origins.first()
    }

    /// Whether it ends before `next`, so that the text on either side can be normalized separately.
    pub fn ends_before(&self, next: char) -> bool {
        self.form.parts(self.text.as_bytes(), next)
    }

    /// Whether it ends here, whatever follows.
    pub fn is_closed(&self) -> bool {
        self.form.is_closed(self.text.as_bytes())
    }

    /// Takes the next character; false if there is no room for it.
    pub fn push(&mut self, scalar: char, origin: Origin) -> bool {
        let has_room = self.text.len() + scalar.len_utf8() <= NormalizationForm::LONGEST_SEQUENCE;
        if has_room {
            self.text.push(scalar);
            self.origins.push(origin);
        }
        has_room
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.origins.clear();
    }

    /// Converts a prefix of `src`, which is UTF-8, by a kernel, if no sequence has begun: text that is normalized already
    /// straight to `dst`, other text through `output`. Returns the bytes read, and those written to `dst`.
    pub fn run(
        &mut self,
        kernel: &mut Kernel,
        src: &[u8],
        dst: &mut [u8],
        output: &mut Output,
    ) -> (usize, usize) {
        if !self.is_empty() {
            return (0, 0);
        }
        // No further than there may be room for: the rest is looked at again.
        let window = &src[..src.len().min(self.reach).min(dst.len().max(*REACH.start()))];
        let text = &window[..well_formed_utf8(window)];
        let whole = self.form.last_boundary(text, text.len());
        let mut len = self.form.normalized_prefix_by(text, self.code_points.as_mut());
        let (read, written) = if 2 * len > whole {
            kernel(&text[..len], dst)
        } else {
            len = whole;
            let is_whole = len > 0 && output.put_run(&self.form.rewritten(&text[..len]), kernel);
            (if is_whole { len } else { 0 }, 0)
        };
        self.reach = if len > 0 && read == len { (2 * self.reach).min(*REACH.end()) } else { *REACH.start() };
        (read, written)
    }

    /// Calls `write` with the normalized text, in chunks, and their origins, as long as it returns true; returns whether it
    /// always did.
    ///
    /// Where normalization changes nothing, the characters that come from one position are a chunk; otherwise the
    /// whole text is one, with the origin of the start of the sequence.
    pub fn chunks(&self, mut write: impl FnMut(&str, &Origin) -> bool) -> bool {
        let normal = self.form.normalize(&self.text);
        if *normal != *self.text {
            let is_of_source = |origin: &&Origin| !origin.is_made;
            let origin = self.origins.iter().find(is_of_source).or(self.origins.first());
            return origin.is_none_or(|origin| write(&normal, origin));
        }
        let mut rest = &*self.text;
        self.origins.chunk_by(|one, other| one.position == other.position).all(|origins| {
            let len = rest.chars().take(origins.len()).map(char::len_utf8).sum();
            let (chunk, after) = rest.split_at(len);
            rest = after;
            write(chunk, &origins[0])
        })
    }
}

impl Transcoder {
    /// [`Engine::take_row`](super::engine::Engine::take_row) where the text is normalized: characters that the form
    /// leaves as they are; the last one waits for what follows it.
    pub(super) fn take_stable_row(
        &mut self,
        form: NormalizationForm,
        src: &[u8],
        room: usize,
        most: usize,
    ) -> usize {
        let (mut read, mut extent) = (0, Extent::default());
        let mut last = None;
        for _ in 0..most {
            if self.engine.output.waiting() >= room {
                break;
            }
            let rest = &src[read..];
            let Next::Scalar { code_point, len } = self.engine.input.decoder.next(rest, false) else { break };
            let is_text = matches!(self.carrier_of(code_point, len, rest, false), Carried::No);
            if !is_text || self.engine.output.doubles_bom(code_point) || !form.leaves(code_point) {
                break;
            }
            if let Some((_, before)) = last {
                if !self.engine.output.put(before) {
                    break;
                }
                extent = extent.then(Extent::of(before));
            }
            last = Some((read, code_point));
            self.engine.input.decoder.taken();
            read += len;
        }
        if let Some((start, code_point)) = last {
            self.pass(&src[..start], extent);
            self.put(&[code_point], &src[start..read]);
        }
        read
    }

    /// Takes `code_point` into the sequence that is normalized next, which it may end; false if the conversion ends before
    /// it.
    pub(super) fn hold(&mut self, code_point: u32, bytes: &[u8], is_made: bool) -> bool {
        let Some(scalar) = char::from_u32(code_point) else {
            // No scalar value, and so no text.
            return self.close() && self.write(iter::once(code_point), self.engine.input.position, bytes);
        };
        let ends = self.engine.normalization.as_ref().is_some_and(|sequence| sequence.ends_before(scalar));
        if ends && !self.close() {
            return false;
        }
        let Some(sequence) = &mut self.engine.normalization else { return true };
        let origin = Origin { position: self.engine.input.position, bytes: FaultBytes::new(bytes), is_made };
        if sequence.push(scalar, origin) {
            return true;
        }
        let start = sequence.start().copied().unwrap_or(origin);
        let kind =
            FaultKind::LongSequence { form: sequence.form.name(), most: NormalizationForm::LONGEST_SEQUENCE };
        sequence.clear();
        self.end(start.position, &start.bytes, kind);
        false
    }

    /// Normalizes and writes what waits for it; false if the conversion ends there.
    pub(super) fn close(&mut self) -> bool {
        let Some(mut sequence) = self.engine.normalization.take() else { return true };
        let continues = sequence.chunks(|text, origin| {
            if origin.is_made {
                self.engine.output.put_replacement(Some(text));
                return true;
            }
            self.write(text.chars().map(u32::from), origin.position, &origin.bytes)
        });
        sequence.clear();
        self.engine.normalization = Some(sequence);
        continues
    }

    /// Writes what waits for normalization if nothing that follows can change it; false if the conversion ends there.
    pub(super) fn settle(&mut self) -> bool {
        !self.engine.normalization.as_ref().is_some_and(NormalizationBuffer::is_closed) || self.close()
    }

    /// Writes what waits for normalization if `src` begins another sequence for certain: there a kernel may
    /// continue, or a row. False if the conversion ends.
    pub(super) fn close_before(&mut self, src: &[u8]) -> bool {
        let Some(sequence) = self.engine.normalization.as_ref().filter(|sequence| !sequence.is_empty())
        else {
            return true;
        };
        let form = sequence.form;
        match self.engine.input.decoder.next(src, false) {
            Next::Scalar { code_point, .. }
                if char::from_u32(code_point).is_some_and(|scalar| form.has_boundary_before(scalar)) =>
            {
                self.close()
            }
            _ => true,
        }
    }
}
