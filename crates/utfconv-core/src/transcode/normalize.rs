//! Holds back text until no later character can change its normalized form.
//!
//! [`NormalizationForm`] knows where sequences end; the transcoder writes them, and handles faults.

use std::ops::RangeInclusive;

use super::output::Output;
use crate::fault::FaultBytes;
use crate::kernel::{Kernel, Set, well_formed_utf8};
use crate::normalize::{CodePoints, NormalizationForm};
use crate::position::Position;

/// The origin of a character in a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub position: Position,
    /// The bytes of the source that were decoded to the character.
    pub bytes: FaultBytes,
    /// Whether the character was written for ill-formed bytes by the policy.
    pub is_made: bool,
}

/// Characters that have to be normalized together.
pub(crate) struct NormalizationBuffer {
    pub form: NormalizationForm,
    text: String,
    /// The origin of each character.
    origins: Vec<Origin>,
    /// Number of bytes of text that are examined ahead of a sequence; reduced if kernels stopped early.
    reach: usize,
    /// Finds text that is normalized already; `None` if comparing bytes is as fast.
    code_points: Option<CodePoints>,
}

/// The bounds of [`NormalizationBuffer::reach`], in bytes.
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

    /// Returns the origin of the first character, or `None` if the sequence is empty.
    pub fn start(&self) -> Option<&Origin> {
        self.origins.first()
    }

    /// Whether the sequence ends before `next`, so that the text on both sides can be normalized separately.
    pub fn ends_before(&self, next: char) -> bool {
        self.form.parts(self.text.as_bytes(), next)
    }

    /// Whether the sequence ends here, whatever follows.
    pub fn is_closed(&self) -> bool {
        self.form.is_closed(self.text.as_bytes())
    }

    /// Adds the next character. Returns false if there is no room for it.
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

    /// Converts a prefix of `src`, which is UTF-8, with a kernel, if no sequence has begun. Text that is normalized
    /// already is written to `dst`, and other text is written through `output`. Returns the numbers of bytes read, and
    /// of bytes written to `dst`.
    pub fn run(
        &mut self,
        kernel: &Kernel,
        src: &[u8],
        dst: &mut [u8],
        output: &mut Output,
    ) -> (usize, usize) {
        if !self.is_empty() {
            return (0, 0);
        }
        // Examine only as many bytes as `dst` may have room for, because the next call examines the rest again.
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

    /// Calls `write` with chunks of the normalized text and their origins, as long as `write` returns true. Returns
    /// whether `write` always returned true.
    ///
    /// If normalization changes nothing, the characters from the same position are a chunk. Otherwise the whole text is
    /// a chunk, with the origin of the start of the sequence.
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
