//! Text that waits to be normalized: gathers a sequence of characters until nothing that may follow can change it.
//!
//! [`NormalizationForm`] knows where sequences end; the transcoder knows what becomes of a sequence, and of faults.

use std::ops::RangeInclusive;

use super::output::Output;
use crate::fault::Bytes;
use crate::kernel::{Kernel, well_formed_utf8};
use crate::normalize::{LONGEST_SEQUENCE, NormalizationForm};
use crate::position::Position;

/// What a character of a sequence comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub position: Position,
    /// The bytes of the source there.
    pub bytes: Bytes,
    /// The policy for ill-formed bytes has put it there.
    pub is_made: bool,
}

/// Characters that have to be normalized together.
pub(crate) struct NormalizationBuffer {
    form: NormalizationForm,
    text: String,
    /// Of each character.
    origins: Vec<Origin>,
    /// How far ahead of a sequence the text is looked at, in bytes: less where kernels did not get far.
    reach: usize,
}

/// The bounds of [`NormalizationBuffer::reach`].
const REACH: RangeInclusive<usize> = 64..=8 << 10;

impl NormalizationBuffer {
    pub fn new(form: NormalizationForm) -> NormalizationBuffer {
        NormalizationBuffer { form, text: String::new(), origins: Vec::new(), reach: *REACH.end() }
    }

    pub fn form(&self) -> NormalizationForm {
        self.form
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Where it begins, if it does.
    pub fn start(&self) -> Option<&Origin> {
        self.origins.first()
    }

    /// Whether it ends before `next`, and neither changes with what is on the other side.
    pub fn ends_before(&self, next: char) -> bool {
        self.form.parts(self.text.as_bytes(), next)
    }

    /// Whether it ends here, whatever follows.
    pub fn is_closed(&self) -> bool {
        self.form.is_closed(self.text.as_bytes())
    }

    /// Takes the next character; false if there is no room for it.
    pub fn push(&mut self, scalar: char, origin: Origin) -> bool {
        let has_room = self.text.len() + scalar.len_utf8() <= LONGEST_SEQUENCE;
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

    /// Converts a prefix of `src`, which is UTF-8, by a kernel, if no sequence has begun: what is normalized already straight
    /// to `dst`, other text by way of `output`. Returns the bytes read, and those written to `dst`.
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
        // No further than there may be room for: what is left is looked at again.
        let window = &src[..src.len().min(self.reach).min(dst.len().max(*REACH.start()))];
        let text = &window[..well_formed_utf8(window)];
        let whole = self.form.last_boundary(text, text.len());
        let mut len = self.form.normalized_prefix(text);
        let (read, written) = if 2 * len > whole {
            kernel(&text[..len], dst)
        } else {
            len = whole;
            let is_whole = len > 0 && output.put_run(&self.form.normalize_utf8(&text[..len]), kernel);
            (if is_whole { len } else { 0 }, 0)
        };
        self.reach = if len > 0 && read == len { (2 * self.reach).min(*REACH.end()) } else { *REACH.start() };
        (read, written)
    }

    /// Calls `write` with the normalized text, in pieces, and where they come from, as long as it returns true; returns
    /// whether it always did.
    ///
    /// Where normalization changes nothing, the characters that come from one position are a piece; otherwise all is one
    /// piece, and comes from where the sequence begins.
    pub fn pieces(&self, mut write: impl FnMut(&str, &Origin) -> bool) -> bool {
        let normal = self.form.normalize(&self.text);
        if *normal != *self.text {
            let is_of_source = |origin: &&Origin| !origin.is_made;
            let origin = self.origins.iter().find(is_of_source).or(self.origins.first());
            return origin.is_none_or(|origin| write(&normal, origin));
        }
        let mut rest = &*self.text;
        self.origins.chunk_by(|one, other| one.position == other.position).all(|origins| {
            let len = rest.chars().take(origins.len()).map(char::len_utf8).sum();
            let (piece, after) = rest.split_at(len);
            rest = after;
            write(piece, &origins[0])
        })
    }
}
