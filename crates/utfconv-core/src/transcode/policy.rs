//! Applies the policy to a fault.

use super::carrier_table::is_carrier;
use super::state::{Taken, Transcoder};
use crate::decode::{IllFormedSequence, Next};
use crate::fault::{FaultKind, IllFormed};
use crate::form::Form;
use crate::policy::{Carrier, OnIllFormed};
use crate::position::Extent;

impl Transcoder {
    /// Whether faults are only counted, and are omitted or replaced by U+FFFD.
    pub(super) fn counts_only(&self) -> bool {
        let policy = &self.options.policy;
        // Carriers and lone surrogates may not be faults at all.
        let is_simple = policy.carrier().is_none() && self.engine.output.to.form() != Form::Wtf8;
        self.counts.is_some()
            && is_simple
            && matches!(policy.ill_formed, OnIllFormed::Omit | OnIllFormed::Replace(None))
    }

    /// Handles a fault as [`Transcoder::apply_policy`] does, if [`Transcoder::counts_only`]. Returns false if the bytes
    /// of the replacement are not known yet.
    pub(super) fn apply_counted(&mut self, found: &IllFormedSequence) -> bool {
        let policy = &self.options.policy;
        let is_omitted = matches!(policy.ill_formed, OnIllFormed::Omit);
        let is_done = is_omitted || self.engine.output.repeat_replacement(policy.replacements(found));
        if let (true, Some(counts)) = (is_done, &mut self.counts) {
            counts.add_ill_formed(found.kind);
        }
        is_done
    }

    /// Applies the policy to the ill-formed sequence at the front of `window`.
    pub(super) fn apply_policy(&mut self, found: IllFormedSequence, window: &[u8], last: bool) -> Taken {
        // Settle held-back text first, so that faults are reported in the same order wherever a chunk ends.
        if !self.settle() {
            return Taken::Stopped;
        }
        let bytes = &window[..found.len];
        if let Some(taken) = self.apply_to_surrogate(&found, bytes) {
            return taken;
        }
        let kind = self.engine.input.encoding.ill_formed(&found, bytes);
        let is_of_bytes = self.engine.input.encoding.is_of_bytes();
        let policy = &self.options.policy;
        match &policy.ill_formed {
            OnIllFormed::Carry(carrier) if is_of_bytes => {
                if !self.carry_bytes(bytes, *carrier) {
                    return self.stop(bytes, kind);
                }
            }
            OnIllFormed::Stop | OnIllFormed::Carry(_) => return self.stop(bytes, kind),
            OnIllFormed::Replace(text) => {
                let count = policy.replacements(&found);
                if self.engine.normalization.is_none() {
                    (0..count).for_each(|_| self.engine.output.put_replacement(text.as_deref()));
                    return self.applied(kind, bytes, found.extent());
                }
                let text = text.clone();
                if !(0..count).all(|_| self.put_made(text.as_deref(), bytes)) {
                    return Taken::Stopped;
                }
            }
            OnIllFormed::Omit => {}
            OnIllFormed::Escape(style) => {
                let text = style.spell(bytes);
                if !self.put_made(Some(&text), bytes) {
                    return Taken::Stopped;
                }
            }
            // Raw bytes would shift the code units of the target.
            OnIllFormed::Raw if self.engine.output.to.code_unit_len() > 1 => return self.stop(bytes, kind),
            OnIllFormed::Raw => {
                if !self.close() {
                    return Taken::Stopped;
                }
                self.engine.output.put_raw(bytes);
            }
            // In wider code units and shift states, a character of another encoding would change all later text.
            OnIllFormed::Fallback(_) if !is_of_bytes => return self.stop(bytes, kind),
            OnIllFormed::Fallback(_) => return self.fall_back(kind, bytes, window, last),
        }
        self.applied(kind, bytes, found.extent())
    }

    /// Restores the byte that a lone surrogate in wider code units carries, or writes a lone surrogate to WTF-8, which
    /// can hold it. Returns `None` if the policy has to decide.
    fn apply_to_surrogate(&mut self, found: &IllFormedSequence, bytes: &[u8]) -> Option<Taken> {
        let surrogate = found.means?;
        let byte = surrogate as u8;
        let output_form = self.engine.output.to.form();
        let is_escaped_byte = self.options.policy.carrier() == Some(Carrier::SurrogateEscape)
            && self.engine.input.encoding.code_unit_len() > 1
            && is_carrier(Carrier::SurrogateEscape, surrogate)
            && self.restores(byte);
        let is_kept =
            output_form == Form::Wtf8 && matches!(found.kind, IllFormed::LoneHigh | IllFormed::LoneLow);
        if !is_escaped_byte && !is_kept {
            return None;
        }
        if !self.close() {
            return Some(Taken::Stopped);
        }
        if !is_escaped_byte {
            self.engine.output.put(surrogate);
        } else if self.engine.output.to.is_of_bytes() {
            // The byte is restored, so there is nothing to report.
            self.engine.output.put_raw(&[byte]);
        } else {
            let kind = self.engine.input.encoding.ill_formed(found, bytes);
            let is_written = self.engine.output.put_carrier(byte, Carrier::SurrogateEscape);
            return Some(if is_written {
                self.applied(kind, bytes, found.extent())
            } else {
                self.stop(bytes, kind)
            });
        }
        Some(self.taken(bytes, found.extent()))
    }

    /// Reports ill-formed `bytes` to which the policy was applied, and moves past them.
    pub(super) fn applied(&mut self, kind: FaultKind, bytes: &[u8], extent: Extent) -> Taken {
        self.report(self.engine.input.position, bytes, kind);
        self.taken(bytes, extent)
    }

    /// Decodes the ill-formed `bytes` in the fallback encoding, as many characters as are needed to get past them.
    pub(super) fn fall_back(&mut self, kind: FaultKind, bytes: &[u8], window: &[u8], last: bool) -> Taken {
        // The length in bytes and the code points of each character.
        let mut decoded: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let Some(fallback) = &mut self.fallback else { break };
            let (len, code_points) = match fallback.next(&window[at..], last) {
                Next::Incomplete => return Taken::Incomplete,
                Next::Scalar { code_point, len } => (len, vec![code_point]),
                Next::Several { code_points, len } => (len, code_points.to_vec()),
                // The rest of the fault is decoded again, separately.
                Next::IllFormed(_) | Next::Shift { .. } => break,
            };
            // The normalized form of the characters is not known yet, so unmappable characters cannot be found here.
            if self.engine.normalization.is_none()
                && let Some(missing) = self.first_missing(code_points.iter().copied())
            {
                if at > 0 {
                    break;
                }
                let kind = FaultKind::unmappable(self.engine.output.to, missing);
                return self.stop(&window[..len], kind);
            }
            decoded.push((len, code_points));
            at += len;
        }
        if at == 0 {
            return self.stop(bytes, kind);
        }
        // Report the fault before faults of its characters.
        self.report(self.engine.input.position, &bytes[..at.min(bytes.len())], kind);
        let mut rest = window;
        for (len, code_points) in decoded {
            let (character, after) = rest.split_at(len);
            if !self.put_text(&code_points, character) {
                return Taken::Stopped;
            }
            self.pass(character, Extent::default());
            rest = after;
        }
        // Columns count characters of the source's encoding under any policy.
        let mut rest = &window[..at];
        while !rest.is_empty() {
            let (len, extent) = match self.engine.input.decoder.next(rest, true) {
                Next::Scalar { code_point, len } => (len, Extent::of(code_point)),
                Next::Several { code_points, len } => (len, Extent::of_all(&code_points)),
                Next::IllFormed(found) => (found.len, found.extent()),
                Next::Incomplete | Next::Shift { .. } => break,
            };
            self.engine.input.position.advance(0, extent);
            rest = &rest[len..];
        }
        Taken::Bytes(at)
    }
}
