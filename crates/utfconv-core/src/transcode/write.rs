//! Writes characters or holds them back for normalization, and applies the policy for unmappable characters.

use std::iter;

use super::normalize::{NormalizationBuffer, Origin};
use super::output::Written;
use super::state::{Stop, Taken, Transcoder};
use crate::bom::{InputBom, Notice};
use crate::decode::Next;
use crate::fault::{BomFault, FaultBytes, FaultKind};
use crate::normalize::NormalizationForm;
use crate::position::{Extent, Position};

impl Transcoder {
    /// Writes all characters that `bytes` of the source encode, or none, and moves past the bytes.
    pub(super) fn put(&mut self, code_points: &[u32], bytes: &[u8]) -> Taken {
        if !self.put_text(code_points, bytes) {
            return Taken::Stopped;
        }
        self.taken(bytes, Extent::of_all(code_points))
    }

    /// Writes the characters that `bytes` at the current position encode, or holds them back for normalization. Returns
    /// false if the conversion ends before them.
    pub(super) fn put_text(&mut self, code_points: &[u32], bytes: &[u8]) -> bool {
        match self.engine.normalization {
            None => self.write(code_points.iter().copied(), self.engine.input.position, bytes),
            Some(_) => code_points.iter().all(|code_point| self.hold(*code_point, bytes, false)),
        }
    }

    /// Writes the policy's replacement for ill-formed `bytes` at the current position: `text`, or U+FFFD if `text` is
    /// `None`. Returns false if the conversion ends before the replacement.
    pub(super) fn put_made(&mut self, text: Option<&str>, bytes: &[u8]) -> bool {
        if self.engine.normalization.is_none() {
            self.engine.output.put_replacement(text);
            return true;
        }
        text.unwrap_or("\u{FFFD}").chars().all(|scalar| self.hold(scalar.into(), bytes, true))
    }

    /// Writes all of `code_points`, which `bytes` of the source at `position` encode, or none. Returns false if the
    /// conversion ends before them.
    pub(super) fn write(
        &mut self,
        code_points: impl Iterator<Item = u32> + Clone,
        position: Position,
        bytes: &[u8],
    ) -> bool {
        let encoding = self.engine.output.to;
        if code_points.clone().nth(1).is_some() {
            if self.engine.output.put_all(code_points.clone()) {
                return true;
            }
            if let Some(code_point) = self.first_missing(code_points.clone()) {
                self.end(position, bytes, FaultKind::unmappable(encoding, code_point));
                return false;
            }
        }
        for code_point in code_points {
            if self.engine.output.is_forbidden(code_point) {
                let encoding = self.engine.input.encoding;
                self.end(position, bytes, FaultKind::Bom { encoding, fault: BomFault::InText });
                return false;
            }
            self.notice_second_bom(code_point);
            let approximation = match self.engine.put(code_point, &self.options.policy.unmappable) {
                Some(Written::Itself) => continue,
                Some(Written::Approximation(text)) => Some(text),
                Some(Written::Other | Written::Nothing) => None,
                None => {
                    self.end(position, bytes, FaultKind::unmappable(encoding, code_point));
                    return false;
                }
            };
            self.report(position, bytes, FaultKind::Unmappable { encoding, code_point, approximation });
        }
        true
    }

    /// Adds a notice if U+FEFF is text and follows a BOM in the output, unless [`InputBom::Text`] requests U+FEFF as
    /// text.
    fn notice_second_bom(&mut self, code_point: u32) {
        if !self.engine.output.doubles_bom(code_point) || self.options.input_bom == InputBom::Text {
            return;
        }
        let notice = if self.has_bom {
            Notice::SecondBom
        } else {
            Notice::BomAsText { read_as: self.engine.input.encoding }
        };
        self.events.push_back(Stop::Notice(notice));
    }

    /// Adds `code_point` to the sequence that is normalized next, after ending the sequence before if necessary.
    /// Returns false if the conversion ends before `code_point`.
    pub(super) fn hold(&mut self, code_point: u32, bytes: &[u8], is_made: bool) -> bool {
        let Some(scalar) = char::from_u32(code_point) else {
            // A code point that is not a scalar value is not text, so it is not normalized.
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

    /// Normalizes and writes the text that is held back. Returns false if the conversion ends in the text.
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

    /// Writes the text that is held back for normalization if no later text can change it. Returns false if the
    /// conversion ends in the text.
    pub(super) fn settle(&mut self) -> bool {
        !self.engine.normalization.as_ref().is_some_and(NormalizationBuffer::is_closed) || self.close()
    }

    /// Writes the text that is held back for normalization if `src` certainly begins another sequence, so that a kernel
    /// or a row may continue with `src`. Returns false if the conversion ends.
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

    /// Ends the conversion before `bytes` at the current position, unless held-back text before them ends it.
    pub(super) fn stop(&mut self, bytes: &[u8], kind: FaultKind) -> Taken {
        if self.close() {
            self.end(self.engine.input.position, bytes, kind);
        }
        Taken::Stopped
    }

    /// Returns the first of `code_points` at which the conversion would end, or `None` if it would continue after all
    /// of them.
    pub(super) fn first_missing(&self, mut code_points: impl Iterator<Item = u32>) -> Option<u32> {
        let policy = &self.options.policy.unmappable;
        code_points.find(|code_point| !self.engine.output.takes(policy, *code_point))
    }
}

#[cfg(test)]
mod tests {
    use crate::encoding::{BIG5_HKSCS, EUC_JISX0213, SHIFT_JISX0213, US_ASCII};
    use crate::{Options, convert};

    #[test]
    fn characters_that_have_a_code_together() {
        for (bytes, from, to, expected) in [
            (&b"\x88\x62a"[..], &BIG5_HKSCS, &BIG5_HKSCS, &b"\x88\x62a"[..]),
            (b"\xA4\xF7\n", &EUC_JISX0213, &SHIFT_JISX0213, b"\x82\xF5\n"),
        ] {
            assert_eq!(convert(bytes, from, to, &Options::default()).unwrap().output, expected, "{from}");
        }
        let stopped = convert(b"a\x88\x62", &BIG5_HKSCS, &US_ASCII, &Options::default()).unwrap_err();
        assert_eq!((stopped.fault.offset, &*stopped.before.output), (1, &b"a"[..]));
    }
}
