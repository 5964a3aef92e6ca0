//! Writes bytes of the original and encoded new text, and reports what cannot be written.

use std::ops::Range;

use super::lines::{Newline, prevailing};
use super::result::{LISTED, Problem, ProblemKind, WRITTEN};
use super::view::{View, Viewed, pairs};
use utfconv_core::{
    Encoding, FaultKind, InputBom, OnUnmappable, Options, OutputBom, Policy, US_ASCII, UTF_8,
    convert_reporting, faults,
};

/// The original, and how to write new text.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub bom: &'a [u8],
    pub original: &'a [u8],
    pub encoding: &'static Encoding,
    pub only_ascii: bool,
    /// How to write positions without certain content; `None` if a result with such positions is useless.
    pub unmappable: Option<&'a OnUnmappable>,
}

impl Side<'_> {
    /// Encodes new text. Returns `None` if the encoding lacks a character.
    fn encoded(&self, text: &str) -> Option<Vec<u8>> {
        if self.only_ascii && !text.is_ascii() { None } else { self.encoding.encode(text) }
    }
}

/// A position in the edited text that only moves forward.
#[derive(Clone, Copy)]
struct Cursor {
    offset: usize,
    line: u64,
    column: u64,
}

/// The result of a merge by one view.
pub(super) struct Attempt {
    pub view: View,
    /// The cost of the edits, in characters.
    pub cost: u64,
    pub output: Vec<u8>,
    /// Number of lost units that were restored.
    pub pieces: u64,
    /// Number of runs of lost units that the edited text has in their place, proved or not.
    pub places: u64,
    /// Number of non-ASCII bytes of the original that were kept.
    pub kept: u64,
    /// The first lines with restored units.
    pub lines: Vec<u64>,
    /// The first positions without certain content.
    pub problems: Vec<Problem>,
    /// Number of positions without certain content.
    pub unproven: u64,
}

impl Attempt {
    /// Returns the lines of the listed positions where a character was lost.
    pub fn lines_with_losses(&self) -> impl Iterator<Item = u64> {
        let lost = self.problems.iter().filter(|place| place.kind == ProblemKind::Lost);
        lost.map(|place| place.line)
    }
}

/// Writes the result of a merge by one view.
pub(super) struct Output<'a> {
    side: &'a Side<'a>,
    viewed: &'a Viewed<'a>,
    zeros: [usize; 2],
    edited: &'a str,
    /// The newline of the original, if the program replaced all newlines.
    pub style: Option<Newline>,
    pub attempt: Attempt,
    /// New text that is not encoded yet, with the offset of each character in the edited text.
    pending: Vec<(usize, char)>,
    cursor: Cursor,
}

impl<'a> Output<'a> {
    pub fn new(side: &'a Side, viewed: &'a Viewed, edited: &'a str) -> Output<'a> {
        let of = |text: &str| if viewed.is_wide { None } else { prevailing(text) };
        // If the program replaced all newlines, it wrote its own newline in new lines too.
        let style = match (of(&viewed.text), of(edited)) {
            (Some((old, _)), Some((new, true))) if old != new => Some(old),
            _ => None,
        };
        Output {
            side,
            viewed,
            zeros: viewed.zeros(),
            edited,
            style,
            attempt: Attempt {
                view: viewed.view,
                cost: 0,
                output: side.bom.to_vec(),
                pieces: 0,
                places: 0,
                kept: 0,
                lines: Vec::new(),
                problems: Vec::new(),
                unproven: 0,
            },
            pending: Vec::new(),
            cursor: Cursor { offset: 0, line: 1, column: 1 },
        }
    }

    /// Whether a result with uncertain positions is written.
    pub fn is_partial(&self) -> bool {
        self.side.unmappable.is_some()
    }

    /// Returns the line and column of an offset in the edited text. Offsets must not decrease between calls.
    fn position(&mut self, offset: usize) -> (u64, u64) {
        let Cursor { offset: from, mut line, mut column } = self.cursor;
        let mut scalars = self.edited[from..offset.max(from)].chars().peekable();
        while let Some(scalar) = scalars.next() {
            let is_cr = scalar == '\r' && self.zeros == [0, 0];
            let ends_line = scalar == '\n' || is_cr && self.next_is_no_lf(&mut scalars, offset);
            (line, column) = if ends_line { (line + 1, 1) } else { (line, column + 1) };
        }
        self.cursor = Cursor { offset: offset.max(from), line, column };
        (line, column)
    }

    fn next_is_no_lf(&self, rest: &mut std::iter::Peekable<std::str::Chars>, end: usize) -> bool {
        match rest.peek() {
            Some(next) => *next != '\n',
            None => !self.edited[end..].starts_with('\n'),
        }
    }

    /// Writes bytes of the original for the text at `offset` of the edited text. `lost` is the number of lost units in
    /// them.
    pub fn keep(&mut self, bytes: &[u8], lost: u64, offset: usize) {
        self.flush();
        self.attempt.kept += bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64;
        self.attempt.output.extend_from_slice(bytes);
        self.restored(lost, offset);
    }

    /// Counts lost units that were restored.
    pub fn restored(&mut self, lost: u64, offset: usize) {
        self.attempt.pieces += lost;
        if lost > 0 && self.attempt.lines.len() < LISTED {
            let (line, _) = self.position(offset);
            if self.attempt.lines.last() != Some(&line) {
                self.attempt.lines.push(line);
            }
        }
    }

    fn problem(&mut self, offset: usize, kind: ProblemKind) {
        self.attempt.unproven += 1;
        let most = if self.side.unmappable.is_some() { WRITTEN } else { LISTED };
        if self.attempt.problems.len() < most {
            let (line, column) = self.position(offset);
            self.attempt.problems.push(Problem { line, column, kind });
        }
    }

    /// Writes a newline that is new or was changed.
    pub fn newline(&mut self, offset: usize) {
        let newline =
            self.style.or_else(|| Newline::at_start_of(&self.edited[offset..])).unwrap_or(Newline::Lf);
        self.pending.extend(newline.text().chars().map(|scalar| (offset, scalar)));
    }

    /// Writes a character that the original does not have.
    pub fn new_character(&mut self, scalar: char, offset: usize) {
        self.pending.push((offset, scalar));
    }

    /// Reports a lost character at `offset`, and writes the character that is there now by the mode.
    pub fn lost(&mut self, shown: Option<char>, offset: usize) {
        self.flush();
        self.problem(offset, ProblemKind::Lost);
        if let Some(shown) = shown {
            self.write_lost(shown);
        }
    }

    /// Writes a character that replaced a lost character.
    fn write_lost(&mut self, shown: char) {
        let Some(mode) = self.side.unmappable else { return };
        match shown {
            char::REPLACEMENT_CHARACTER => self.write_anyway(&spelled(mode), &OnUnmappable::Replace(None)),
            shown => self.write_anyway(shown.encode_utf8(&mut [0; 4]), mode),
        };
    }

    /// Writes a range of the edited text that was too long to compare. Reports it if characters may have been lost.
    pub fn unknown(&mut self, text: &str, offset: usize, may_be_lost: bool) {
        if may_be_lost {
            self.lost(None, offset);
        }
        for (at, scalar) in text.char_indices() {
            if Some(scalar) == self.viewed.view.mark() {
                self.flush();
                self.write_lost(scalar);
            } else {
                self.new_character(scalar, offset + at);
            }
        }
    }

    /// Encodes the pending new text.
    pub fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let pending = self.without_zeros(pending);
        let other = self.viewed.view.other();
        let is_ascii = |(_, scalar): &(usize, char)| scalar.is_ascii();
        for run in pending.chunk_by(|one, next| is_ascii(one) == is_ascii(next) || other.is_none()) {
            let text: String = run.iter().map(|(_, scalar)| *scalar).collect();
            match other.filter(|_| !text.is_ascii()).and_then(|other| self.copied(run, &text, other)) {
                Some(Ok(bytes)) => self.attempt.output.extend_from_slice(&bytes),
                Some(Err(())) => {
                    self.problem(run[0].0, ProblemKind::Lost);
                    self.write_new(&text, run);
                }
                None => self.write_new(&text, run),
            }
        }
    }

    fn write_new(&mut self, text: &str, at: &[(usize, char)]) {
        if let Some(bytes) = self.side.encoded(text) {
            return self.attempt.output.extend_from_slice(&bytes);
        }
        let found = match self.side.unmappable {
            Some(mode) => self.write_anyway(text, mode),
            None => self.unmappable_in(text),
        };
        for number in found {
            let (offset, scalar) = at[number];
            self.problem(offset, ProblemKind::Unmappable(scalar));
        }
    }

    /// Returns new text without the NULs that a program for single bytes wrote beside its characters.
    fn without_zeros(&self, text: Vec<(usize, char)>) -> Vec<(usize, char)> {
        let [before, after] = self.zeros;
        if before + after == 0 {
            return text;
        }
        let are_zeros = |range: Range<usize>| {
            let zeros = text.get(range);
            zeros.is_some_and(|zeros| zeros.iter().all(|(_, scalar)| *scalar == '\0'))
        };
        let (mut found, mut at) = (Vec::new(), 0);
        while at < text.len() {
            at +=
                if before > 0 && at + before < text.len() && are_zeros(at..at + before) { before } else { 0 };
            found.push(text[at]);
            at += 1;
            at += if after > 0 && are_zeros(at..at + after) { after } else { 0 };
        }
        found
    }

    /// Returns the bytes of a run of new characters that were copied from misread text, and so are in the program's
    /// encoding. Returns `None` if the text was typed, and an error if it may be either.
    fn copied(
        &self,
        run: &[(usize, char)],
        text: &str,
        other: &'static Encoding,
    ) -> Option<Result<Vec<u8>, ()>> {
        // Typed text has other pairs of characters than the view.
        let start = run[0].0;
        let before = self.edited[..start].chars().next_back();
        let beside = before.into_iter().chain(self.edited[start..].chars().take(run.len() + 1));
        if !pairs(beside).any(|pair| self.viewed.has_pair(pair)) {
            return None;
        }
        let copied = other.encode(text)?;
        match self.side.encoded(text) {
            None if run.len() > 1 && faults(&copied, self.side.encoding).next().is_none() => Some(Ok(copied)),
            Some(typed) if typed == copied => None,
            _ => Some(Err(())),
        }
    }

    /// Returns the indices of the characters that the encoding does not have.
    fn unmappable_in(&self, text: &str) -> Vec<usize> {
        let is_unmappable = |scalar: char| self.side.encoded(scalar.encode_utf8(&mut [0; 4])).is_none();
        let found = text.chars().enumerate().filter(|(_, scalar)| is_unmappable(*scalar));
        let found: Vec<_> = found.map(|(number, _)| number).collect();
        // The encoding has each character, but not the sequence, so report the first character.
        if found.is_empty() { vec![0] } else { found }
    }

    /// Writes text, with `mode` for characters that the encoding does not have. Returns the indices of these
    /// characters.
    fn write_anyway(&mut self, text: &str, mode: &OnUnmappable) -> Vec<usize> {
        let target = if self.side.only_ascii { &US_ASCII } else { self.side.encoding };
        let options = Options::default()
            .input_bom(InputBom::Text)
            .output_bom(OutputBom::Never)
            .policy(Policy::default().unmappable(mode.clone()));
        let mut found = Vec::new();
        let converted = convert_reporting(text.as_bytes(), &UTF_8, target, &options, |fault| {
            if let FaultKind::Unmappable { .. } = fault.kind {
                found.push(text[..fault.offset as usize].chars().count());
            }
        });
        let converted = converted.expect("these modes do not stop");
        self.attempt.output.extend_from_slice(&converted.output);
        found
    }
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
