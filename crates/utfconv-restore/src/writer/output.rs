//! Writes bytes of the original, and new text in its encoding, and reports what cannot be written.

use std::mem;
use std::ops::Range;

use super::super::hunk::Piece;
use super::super::lines::{Newline, content};
use super::super::result::{LISTED, Problem, ProblemKind, WRITTEN};
use super::super::view::{Unit, View, units};
use super::Writer;
use utfconv_core::FaultKind;
use utfconv_core::Options;
use utfconv_core::convert_reporting;
use utfconv_core::{InputBom, OutputBom};
use utfconv_core::{OnUnmappable, Policy};
use utfconv_core::{US_ASCII, UTF_8};

impl Writer<'_, '_> {
    /// Returns how many bytes of a line its first `end` bytes in the view have. `takes_lost` includes the lost bytes
    /// after them.
    pub(super) fn content_bytes(&self, bytes: &[u8], end: usize, takes_lost: bool) -> usize {
        let (mut seen, mut count, mut is_ended) = (0, 0, false);
        units(self.viewed.encoding, self.viewed.view, bytes, |Unit { len, text, .. }| {
            is_ended |= seen >= end && !(takes_lost && text.is_empty());
            count += if is_ended { 0 } else { len };
            seen += text.len();
        });
        count
    }

    /// Writes bytes of the original.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        self.attempt.kept += not_ascii(bytes);
        self.attempt.output.extend_from_slice(bytes);
    }

    pub(super) fn found(&mut self, number: usize, pieces: u64) {
        self.attempt.pieces += pieces;
        let line = number as u64 + 1;
        if pieces > 0 && self.attempt.lines.len() < LISTED && self.attempt.lines.last() != Some(&line) {
            self.attempt.lines.push(line);
        }
    }

    pub(super) fn problem(&mut self, line: usize, column: usize, kind: ProblemKind) {
        self.attempt.unproven += 1;
        let most = if self.side.unmappable.is_some() { WRITTEN } else { LISTED };
        if self.attempt.problems.len() < most {
            self.attempt.problems.push(Problem { line: line as u64 + 1, column: column as u64, kind });
        }
    }

    pub(super) fn newline(&mut self, number: usize, newline: Option<Newline>) {
        let Some(newline) = newline.map(|newline| self.style.unwrap_or(newline)) else { return };
        self.new_text(newline.text(), number, 1);
    }

    /// Writes text that the original does not have.
    fn new_text(&mut self, text: &str, line: usize, column: usize) {
        if text.is_empty() {
            return;
        }
        if let Some(bytes) = self.encoded(text) {
            return self.attempt.output.extend_from_slice(&bytes);
        }
        if let Some(mode) = self.side.unmappable {
            for (at, scalar) in self.write_anyway(text, mode) {
                self.problem(line, column + at, ProblemKind::Unmappable(scalar));
            }
            return;
        }
        let is_unmappable = |scalar: char| self.encoded(scalar.encode_utf8(&mut [0; 4])).is_none();
        let mut found: Vec<_> =
            text.chars().enumerate().filter(|(_, scalar)| is_unmappable(*scalar)).collect();
        // Each may be there, but not all in this order.
        if found.is_empty() {
            found.extend(text.chars().enumerate().take(1));
        }
        for (at, scalar) in found {
            self.problem(line, column + at, ProblemKind::Unmappable(scalar));
        }
    }

    /// Writes text, with a mode for characters that the encoding does not have. Returns these, with their indexes.
    fn write_anyway(&mut self, text: &str, mode: &OnUnmappable) -> Vec<(usize, char)> {
        let target = if self.side.only_ascii { &US_ASCII } else { self.side.encoding };
        let options = Options::default()
            .input_bom(InputBom::Text)
            .output_bom(OutputBom::Never)
            .policy(Policy { unmappable: mode.clone(), ..Policy::default() });
        let mut found = Vec::new();
        let converted = convert_reporting(text.as_bytes(), &UTF_8, target, &options, |fault| {
            if let FaultKind::Unmappable { code_point, .. } = fault.kind {
                found.extend(char::from_u32(code_point).map(|scalar| (fault.column as usize - 1, scalar)));
            }
        });
        let converted = converted.expect("these modes do not stop");
        self.attempt.output.extend_from_slice(&converted.output);
        found
    }

    /// Writes a character that is in the place of a lost one.
    fn write_lost(&mut self, shown: char) {
        let Some(mode) = self.side.unmappable else { return };
        match shown {
            char::REPLACEMENT_CHARACTER => self.write_anyway(&spelled(mode), &OnUnmappable::Replace(None)),
            shown => self.write_anyway(shown.encode_utf8(&mut [0; 4]), mode),
        };
    }

    /// Writes a line that may be one of several of the original, with other bytes.
    pub(super) fn write_doubtful(&mut self, line: usize, text: &str) {
        if self.side.unmappable.is_none() {
            return self.problem(line, 1, ProblemKind::Lost);
        }
        let view = self.attempt.view;
        let is_lost = |scalar: char| Some(scalar) == view.mark() || view != View::Exact && !scalar.is_ascii();
        let piece =
            |(at, scalar)| (at, if is_lost(scalar) { Piece::Lost(Some(scalar)) } else { Piece::New(scalar) });
        let shown = self.viewed.content(text);
        let mut pieces: Vec<_> = shown.chars().enumerate().map(piece).collect();
        if view.mark().is_none() || !shown.contains(is_lost) {
            pieces.insert(0, (0, Piece::Lost(None)));
        }
        pieces.push((pieces.len(), Piece::Newline(None)));
        self.write(line, text, pieces);
    }

    /// Writes pieces as they are.
    pub(super) fn write(&mut self, line: usize, text: &str, pieces: Vec<(usize, Piece)>) {
        let newline = content(text, self.viewed.is_wide).1;
        let (mut pending, mut pending_at) = (String::new(), 1);
        for (at, piece) in pieces {
            let column = at + 1;
            if let Piece::New(scalar) = piece {
                if pending.is_empty() {
                    pending_at = column;
                }
                pending.push(scalar);
                continue;
            }
            self.new_text(&mem::take(&mut pending), line, pending_at);
            match piece {
                Piece::Newline(Some(bytes)) if self.keeps_newline(&bytes, newline) => {
                    self.attempt.output.extend_from_slice(&self.viewed.original[bytes]);
                }
                Piece::Newline(_) => self.newline(line, newline),
                Piece::Kept(bytes, lost) => {
                    self.found(line, lost);
                    self.keep(&self.viewed.original[bytes]);
                }
                Piece::Lost(shown) => {
                    self.problem(line, column, ProblemKind::Lost);
                    match shown {
                        Some('\n') => self.newline(line, newline),
                        shown => shown.into_iter().for_each(|shown| self.write_lost(shown)),
                    }
                }
                Piece::New(_) => {}
            }
        }
        self.new_text(&pending, line, pending_at);
    }

    /// Encodes text, if the encoding is known or the text is ASCII.
    fn encoded(&self, text: &str) -> Option<Vec<u8>> {
        let is_possible = !self.side.only_ascii || text.is_ascii();
        is_possible.then(|| self.side.encoding.encode(text)).flatten()
    }

    /// Returns the content of pieces, to be compared: in UTF-8 what cannot be encoded.
    pub(super) fn bytes_of(&self, pieces: &[(usize, Piece)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let is_new = |(_, piece): &(usize, Piece)| matches!(piece, Piece::New(_));
        for pieces in pieces.chunk_by(|one, other| is_new(one) && is_new(other)) {
            let mut text = String::new();
            for (_, piece) in pieces {
                match piece {
                    Piece::Kept(range, _) => bytes.extend_from_slice(&self.viewed.original[range.clone()]),
                    Piece::New(scalar) => text.push(*scalar),
                    Piece::Newline(_) => bytes.push(b'\n'),
                    Piece::Lost(_) => {}
                }
            }
            bytes.extend(self.encoded(&text).unwrap_or(text.into_bytes()));
        }
        bytes
    }

    /// Whether the bytes of a newline are those to write.
    fn keeps_newline(&self, bytes: &Range<usize>, newline: Option<Newline>) -> bool {
        let bytes = &self.viewed.original[bytes.clone()];
        self.style.is_some()
            || newline.and_then(|newline| self.side.encoding.encode(newline.text())).as_deref() == Some(bytes)
    }

    /// Writes a line that is elsewhere in the original, maybe with other blanks at its ends.
    pub(super) fn copied(&mut self, from: usize, line: usize, new: &str) {
        self.found(line, self.viewed.lines[from].lost.into());
        let (text, bytes) = (self.viewed.text_of(from), self.viewed.bytes_of(from));
        let text = self.viewed.content(text);
        let (end, newline) = content(new, self.viewed.is_wide);
        if text == &new[..end] {
            let count = self.content_bytes(bytes, end, true);
            self.keep(&bytes[..count]);
            return self.newline(line, newline);
        }
        let blanks = |text: &str| [text.len() - text.trim_ascii_start().len(), text.trim_ascii_end().len()];
        let ([start, stop], [new_start, new_stop]) = (blanks(text), blanks(&new[..end]));
        let range = self.content_bytes(bytes, start, false)..self.content_bytes(bytes, stop, true);
        self.new_text(&new[..new_start], line, 1);
        self.keep(&bytes[range]);
        self.new_text(&new[new_stop..end], line, new_stop + 1);
        self.newline(line, newline);
    }
}

/// Returns how many bytes are not ASCII.
pub(super) fn not_ascii(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64
}

/// Returns how a mode writes an unknown character, even if the encoding has U+FFFD.
fn spelled(mode: &OnUnmappable) -> String {
    match mode {
        OnUnmappable::Replace(Some(text)) => text.clone(),
        OnUnmappable::Omit => String::new(),
        OnUnmappable::Escape(style) => style.spell(char::REPLACEMENT_CHARACTER.into()),
        OnUnmappable::Translit(other) => spelled(other),
        _ => char::REPLACEMENT_CHARACTER.to_string(),
    }
}
