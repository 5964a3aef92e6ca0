//! Text that a program damaged when it edited it: the bytes of the original are put back, and the edits kept.
//!
//! A program that knows only UTF-8 reads other encodings with U+FFFD for what it cannot decode, changes a line, and writes the
//! whole. [`restore`] takes the original, its encoding, and the edited text. It finds out how the program saw the original (its
//! [`View`]): the one in which the fewest characters were edited. Text that is still there gets the bytes of the original. What is new is
//! encoded. A lost character comes back only with proof: the lost characters next to it are as many as in the original, and so are the
//! characters around them, or the whole line is one of the original's.

mod hunk;
mod view;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub use view::{Mark, View};

use crate::bom::{InputBom, OutputBom};
use crate::encoding::pages::{MACINTOSH, WINDOWS_1252};
use crate::encoding::{Encoding, ISO_8859_1, UTF_8};
use crate::stream::convert;
use crate::transcode::Options;
use hunk::{Hunk, Piece, hunks};
use view::{Unit, Viewed, units};

/// What [`restore`] makes of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Restored {
    /// The bytes of the original, with the edits.
    pub output: Vec<u8>,
    /// How the program saw the original.
    pub view: View,
    /// How many lost pieces of the original came back. A piece is a character, or more where the view has no boundary between them.
    pub pieces: u64,
    /// The lines of the edited text in which they are, from 1; the first thousand.
    pub lines: Vec<u64>,
}

/// A place of the edited text that cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The line, from 1.
    pub line: u64,
    /// The column in it, in characters, from 1.
    pub column: u64,
    /// What is there.
    pub kind: ProblemKind,
}

/// Why a place cannot be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A character was lost, and nothing proves which.
    Lost,
    /// The original's encoding has no such character.
    Unmappable(char),
}

/// Why a text cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRestored {
    /// These places have no certain content.
    Places {
        /// In their order; the first thousand.
        places: Vec<Problem>,
        /// How the program saw the original.
        view: View,
    },
    /// Two ways in which the program may have seen the original are as likely, and lead to different contents.
    Ambiguous(View, View),
    /// The edited text is not well-formed UTF-8.
    NotUtf8,
}

/// The most places that are listed.
const LISTED: usize = 1_000;

/// Puts the bytes of an original back into a text that a program made of it and edited.
///
/// `encoding` is that of the original; None stands for one that is not known and has ASCII: then all that is new has to be ASCII.
/// `edited` is UTF-8. Its BOM and its newlines are taken as the program's: the result has those of the original.
/// Memory is a small multiple of both sizes.
///
/// # Errors
/// [`NotRestored`], with every place that is not certain: then nothing is to be written.
///
/// ```
/// use utfconv_core::code_pages::WINDOWS_1252;
/// use utfconv_core::restore::restore;
///
/// let original = b"caf\xE9\nna\xEFve\n";
/// // Read with U+FFFD for what is not UTF-8, and a line added.
/// let restored = restore(original, Some(&WINDOWS_1252), "caf\u{FFFD}\nna\u{FFFD}ve\ncrème\n".as_bytes()).unwrap();
/// assert_eq!(restored.output, b"caf\xE9\nna\xEFve\ncr\xE8me\n");
/// assert_eq!(restored.pieces, 2);
/// ```
pub fn restore(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &[u8],
) -> Result<Restored, NotRestored> {
    let edited = std::str::from_utf8(edited).map_err(|_| NotRestored::NotUtf8)?;
    let named = encoding.unwrap_or(&ISO_8859_1);
    let encoding_read = InputBom::Auto.read_as(named, &original[..original.len().min(4)]);
    let bom = bom_of(original, encoding_read);
    let edited = edited.strip_prefix('\u{FEFF}').unwrap_or(edited);
    let side = Side {
        bom: &original[..bom],
        original: &original[bom..],
        encoding: encoding_read,
        only_ascii: encoding.is_none(),
    };
    let mut attempts: Vec<Attempt> = Vec::new();
    for view in side.views(edited) {
        if let Some(attempt) = side.attempt(view, edited) {
            attempts.push(attempt);
        }
    }
    let rank = |attempt: &Attempt| (attempt.edits, attempt.problems.len());
    attempts.sort_by_key(rank);
    let least = attempts.first().map(rank);
    let mut best = attempts.into_iter().take_while(|attempt| Some(rank(attempt)) == least);
    let first = best.next().ok_or(NotRestored::NotUtf8)?;
    for other in best {
        if other.output != first.output {
            return Err(NotRestored::Ambiguous(first.view, other.view));
        }
    }
    let Attempt { view, output, pieces, lines, problems, .. } = first;
    match problems.is_empty() {
        true => Ok(Restored { output, view, pieces, lines }),
        false => Err(NotRestored::Places { places: problems, view }),
    }
}

/// The length of the BOM.
fn bom_of(original: &[u8], encoding: &'static Encoding) -> usize {
    let bom = encode("\u{FEFF}", encoding).unwrap_or_default();
    if !bom.is_empty() && encoding.can_carry_bom() && original.starts_with(&bom) { bom.len() } else { 0 }
}

/// Encodes a text; None if it cannot be.
fn encode(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never);
    convert(text.as_bytes(), &UTF_8, encoding, &options).ok().map(|converted| converted.output)
}

/// The original, and how new text is written.
struct Side<'a> {
    bom: &'a [u8],
    original: &'a [u8],
    encoding: &'static Encoding,
    only_ascii: bool,
}

/// What comes of a view.
struct Attempt {
    view: View,
    /// Characters that were edited.
    edits: u64,
    output: Vec<u8>,
    pieces: u64,
    lines: Vec<u64>,
    problems: Vec<Problem>,
}

/// The newline at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Newline {
    Lf,
    CrLf,
    Cr,
}

impl Newline {
    fn text(self) -> &'static str {
        match self {
            Newline::Lf => "\n",
            Newline::CrLf => "\r\n",
            Newline::Cr => "\r",
        }
    }
}

/// The length of a line without its newline, and that. Where code units have more bytes, the view may have zeros in it.
fn content(line: &str, is_wide: bool) -> (usize, Option<Newline>) {
    let trim = |text: &'_ str| if is_wide { text.trim_end_matches('\0').len() } else { text.len() };
    let end = trim(line);
    match line[..end].strip_suffix('\n') {
        Some(rest) => {
            // The zeros before it belong to it in big-endian order.
            let rest_end = if is_wide && end == line.len() { trim(rest) } else { rest.len() };
            let before = &line[..if is_wide { trim(rest) } else { rest.len() }];
            match before.strip_suffix('\r') {
                Some(text) if is_wide && end == line.len() => (trim(text), Some(Newline::CrLf)),
                Some(text) => (text.len(), Some(Newline::CrLf)),
                None => (rest_end, Some(Newline::Lf)),
            }
        }
        None if !is_wide && line.ends_with('\r') => (line.len() - 1, Some(Newline::Cr)),
        None => (line.len(), None),
    }
}

/// The lines of a text, with their newlines.
fn lines_of(text: &str, is_wide: bool) -> Vec<&str> {
    let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let is_end = match bytes[at] {
            b'\n' => true,
            b'\r' => !is_wide && bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        at += 1;
        if is_end {
            // In little-endian order, the zeros after it are of its code unit.
            let zeros =
                if is_wide { bytes[at..].iter().take(3).take_while(|byte| **byte == 0).count() } else { 0 };
            at += zeros;
            lines.push(&text[start..at]);
            start = at;
        }
    }
    if start < text.len() {
        lines.push(&text[start..]);
    }
    lines
}

/// The newline that most lines have.
fn prevailing(newlines: impl Iterator<Item = Option<Newline>>) -> Option<(Newline, bool)> {
    let mut counts: HashMap<Newline, u64> = HashMap::new();
    newlines.flatten().for_each(|newline| *counts.entry(newline).or_default() += 1);
    let most = counts.iter().max_by_key(|(newline, count)| (**count, **newline == Newline::Lf))?;
    Some((*most.0, counts.len() == 1))
}

impl<'a> Side<'a> {
    /// The views that may explain a text.
    fn views(&self, edited: &str) -> Vec<View> {
        let mut views = vec![View::Exact];
        if self.original.is_ascii() {
            return views;
        }
        if edited.contains(char::REPLACEMENT_CHARACTER) {
            views.extend([Mark::ReplacementPerSubpart, Mark::ReplacementPerByte].map(View::Lossy));
        } else {
            let per_byte = [Mark::QuestionPerSubpart, Mark::QuestionPerByte, Mark::Omitted];
            views.extend(per_byte.map(View::Lossy));
        }
        let misread = [&ISO_8859_1, &WINDOWS_1252, &MACINTOSH];
        views.extend(misread.into_iter().filter(|other| *other != self.encoding).map(View::Misread));
        views
    }

    /// Restores by one view; None if it explains nothing.
    fn attempt(&self, view: View, edited: &str) -> Option<Attempt> {
        let viewed = Viewed::new(self.original, self.encoding, view);
        let is_wide = self.encoding.unit() > 1 && view != View::Exact;
        let lost: u64 = viewed.lines.iter().map(|line| u64::from(line.lost)).sum();
        // One place alone may as well have been edited.
        if matches!(view, View::Lossy(Mark::Omitted | Mark::QuestionPerByte | Mark::QuestionPerSubpart))
            && lost < 2
        {
            return None;
        }
        let new = lines_of(edited, is_wide);
        let contents = |line: &'_ str| content(line, is_wide);
        let old: Vec<_> = (0..viewed.lines.len())
            .map(|line| viewed.text_of(line))
            .map(|text| &text[..contents(text).0])
            .collect();
        let new_contents: Vec<_> = new.iter().map(|line| &line[..contents(line).0]).collect();
        let old_newline = prevailing((0..viewed.lines.len()).map(|line| contents(viewed.text_of(line)).1));
        let new_newline = prevailing(new.iter().map(|line| contents(line).1));
        // Where all newlines were changed, so are those of new lines.
        let style = match (old_newline, new_newline) {
            (Some((old, _)), Some((new, true))) if old != new => Some(old),
            _ => None,
        };
        let mut writer = Writer {
            side: self,
            viewed: &viewed,
            is_wide,
            style,
            known: Known::new(&viewed, &old),
            sources: HashSet::new(),
            attempt: Attempt {
                view,
                edits: 0,
                output: self.bom.to_vec(),
                pieces: 0,
                lines: Vec::new(),
                problems: Vec::new(),
            },
        };
        let (mut old_at, mut new_at) = (0, 0);
        let changed = hunks(&old, &new_contents);
        let mut edges = Vec::new();
        for (old_range, new_range) in &changed {
            let (old_range, new_range) = (usize_range(old_range), usize_range(new_range));
            edges.push((old_at..old_range.start, new_at));
            (old_at, new_at) = (old_range.end, new_range.end);
        }
        edges.push((old_at..old.len(), new_at));
        let new_lines = changed.iter().flat_map(|(_, range)| usize_range(range));
        writer.sources = new_lines.filter_map(|line| writer.known.source(new_contents[line])).collect();
        let doubtful = writer.known.doubtful(&edges, &old, &new_contents);
        for (number, (old_lines, new_start)) in edges.into_iter().enumerate() {
            for (offset, line) in old_lines.enumerate() {
                writer.unchanged(line, new_start + offset, new[new_start + offset], doubtful.contains(&line));
            }
            if let Some((old_range, new_range)) = changed.get(number) {
                writer.changed(usize_range(old_range), usize_range(new_range), &new);
            }
        }
        writer.attempt.problems.truncate(LISTED);
        Some(writer.attempt)
    }
}

fn usize_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The lines of the original in which something is lost, by what the view has of them between blanks at both ends.
struct Known<'a>(HashMap<&'a str, Alike>);

/// Lines that are the same in the view.
struct Alike {
    first: usize,
    /// Not all of them have the same bytes.
    differ: bool,
}

impl<'a> Known<'a> {
    fn new(viewed: &Viewed, old: &[&'a str]) -> Known<'a> {
        let mut known: HashMap<&str, Alike> = HashMap::new();
        let bytes = |line: usize| viewed.bytes_of(line).trim_ascii();
        for (line, text) in old.iter().enumerate().filter(|(line, _)| viewed.lines[*line].lost > 0) {
            let alike = known.entry(text.trim_ascii()).or_insert(Alike { first: line, differ: false });
            alike.differ |= bytes(alike.first) != bytes(line);
        }
        Known(known)
    }

    /// The line of the original that a line is.
    fn source(&self, line: &str) -> Option<usize> {
        self.0.get(line.trim_ascii()).filter(|alike| !alike.differ).map(|alike| alike.first)
    }

    /// Lines that are unchanged, and may be others that look the same: those between an edit and the next line that is alone with
    /// its content, unless there are as many as before.
    fn doubtful(&self, edges: &[(Range<usize>, usize)], old: &[&str], new: &[&str]) -> HashSet<usize> {
        let mut doubtful = HashSet::new();
        if edges.len() < 2 || !self.0.values().any(|alike| alike.differ) {
            return doubtful;
        }
        let count = |lines: &[&'_ str]| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            lines.iter().for_each(|line| *counts.entry((*line).to_string()).or_default() += 1);
            counts
        };
        let (old_counts, new_counts) = (count(old), count(new));
        let is_anchor = |line: &str| old_counts.get(line) == Some(&1) && new_counts.get(line) == Some(&1);
        let mut look = |line: usize| {
            let text = old[line];
            if self.0.get(text.trim_ascii()).is_some_and(|alike| alike.differ)
                && old_counts.get(text) != new_counts.get(text)
            {
                doubtful.insert(line);
            }
            is_anchor(text)
        };
        for (number, (lines, _)) in edges.iter().enumerate() {
            if number > 0 {
                let _ = lines.clone().any(&mut look);
            }
            if number + 1 < edges.len() {
                let _ = lines.clone().rev().any(&mut look);
            }
        }
        doubtful
    }
}

/// Writes the result of a view.
struct Writer<'a, 'b> {
    side: &'b Side<'b>,
    viewed: &'b Viewed<'b>,
    is_wide: bool,
    /// The newline of all lines, if the program changed all.
    style: Option<Newline>,
    known: Known<'a>,
    /// Lines of the original that are elsewhere now.
    sources: HashSet<usize>,
    attempt: Attempt,
}

impl Writer<'_, '_> {
    /// Writes a line that is unchanged: `number` is that of the edited text.
    fn unchanged(&mut self, line: usize, number: usize, new: &str, is_doubtful: bool) {
        if is_doubtful {
            return self.problem(number, 1, ProblemKind::Lost);
        }
        self.found(number, self.viewed.lines[line].lost.into());
        let (text, bytes) = (self.viewed.text_of(line), self.viewed.bytes_of(line));
        let [(end, old_newline), (_, new_newline)] =
            [content(text, self.is_wide), content(new, self.is_wide)];
        if old_newline == new_newline
            || old_newline.is_some() && new_newline.is_some() && self.style.is_some()
        {
            return self.attempt.output.extend_from_slice(bytes);
        }
        self.attempt.output.extend_from_slice(&bytes[..self.content_bytes(bytes, end)]);
        self.newline(number, new_newline);
    }

    /// How many bytes of a line its content has, of this length in the view.
    fn content_bytes(&self, bytes: &[u8], end: usize) -> usize {
        let (mut seen, mut count) = (0, 0);
        units(self.viewed.encoding, self.viewed.view, bytes, |Unit { len, text, .. }| {
            if seen < end || text.is_empty() {
                count += len;
            }
            seen += text.len();
        });
        count
    }

    fn found(&mut self, number: usize, pieces: u64) {
        self.attempt.pieces += pieces;
        let line = number as u64 + 1;
        if pieces > 0 && self.attempt.lines.len() < LISTED && self.attempt.lines.last() != Some(&line) {
            self.attempt.lines.push(line);
        }
    }

    fn problem(&mut self, line: usize, column: usize, kind: ProblemKind) {
        if self.attempt.problems.len() < LISTED {
            self.attempt.problems.push(Problem { line: line as u64 + 1, column: column as u64, kind });
        }
    }

    fn newline(&mut self, number: usize, newline: Option<Newline>) {
        let Some(newline) = newline.map(|newline| self.style.unwrap_or(newline)) else { return };
        self.new_text(newline.text(), number, 1);
    }

    /// Writes text that the original does not have.
    fn new_text(&mut self, text: &str, line: usize, column: usize) {
        if text.is_empty() {
            return;
        }
        let is_possible = !self.side.only_ascii || text.is_ascii();
        if is_possible && let Some(bytes) = encode(text, self.side.encoding) {
            return self.attempt.output.extend_from_slice(&bytes);
        }
        let first = text.chars().position(|scalar| match self.side.only_ascii {
            true => !scalar.is_ascii(),
            false => encode(scalar.encode_utf8(&mut [0; 4]), self.side.encoding).is_none(),
        });
        let first = first.unwrap_or(0);
        let scalar = text.chars().nth(first).unwrap_or_default();
        self.problem(line, column + first, ProblemKind::Unmappable(scalar));
    }

    /// Writes changed lines.
    fn changed(&mut self, old: Range<usize>, new: Range<usize>, lines: &[&str]) {
        let is_wide = self.is_wide;
        // Lines that are elsewhere in the original are copied from there.
        let moved = |line: usize| self.known.source(&lines[line][..content(lines[line], is_wide).0]);
        let moved: Vec<_> = new.clone().map(moved).collect();
        let mut text = Vec::new();
        for line in new.clone().filter(|line| moved[line - new.start].is_none()) {
            let (end, newline) = content(lines[line], is_wide);
            text.extend(lines[line][..end].chars());
            text.extend(newline.map(|_| '\n'));
        }
        let old: Vec<_> = old.filter(|line| !self.sources.contains(line)).collect();
        let hunk = Hunk::new(self.viewed, &old, text, |line| content(line, is_wide).0);
        self.attempt.edits += hunk.edits();
        let (mark, is_omitted) = match self.attempt.view {
            View::Lossy(mark) => (mark.character(), mark == Mark::Omitted),
            View::Exact => (Some(char::REPLACEMENT_CHARACTER), false),
            View::Misread(_) => (None, false),
        };
        let mut pieces = hunk.pieces(mark, is_omitted).into_iter().peekable();
        // Characters before the line, of those that are not moved.
        let mut before = 0;
        for line in new.clone() {
            let (end, newline) = content(lines[line], is_wide);
            if let Some(from) = moved[line - new.start] {
                self.copied(from, line, lines[line]);
                continue;
            }
            let count = lines[line][..end].chars().count();
            let after = before + count + usize::from(newline.is_some());
            let is_last = (line + 1..new.end).all(|line| moved[line - new.start].is_some());
            let mut pending = String::new();
            let mut pending_at = 1;
            while let Some((at, piece)) = pieces.next_if(|(at, _)| *at < after || is_last) {
                let column = at.saturating_sub(before) + 1;
                if let Piece::New(scalar) = piece {
                    if pending.is_empty() {
                        pending_at = column;
                    }
                    pending.push(scalar);
                    continue;
                }
                self.new_text(&std::mem::take(&mut pending), line, pending_at);
                match piece {
                    Piece::Kept(bytes, _)
                        if column == count + 1
                            && newline.is_some()
                            && !self.keeps_newline(&bytes, newline) =>
                    {
                        self.newline(line, newline);
                    }
                    Piece::Kept(bytes, lost) => {
                        self.found(line, lost);
                        let bytes = self.viewed.original[bytes].to_vec();
                        self.attempt.output.extend_from_slice(&bytes);
                    }
                    Piece::Newline => self.newline(line, newline),
                    Piece::Lost => self.problem(line, column, ProblemKind::Lost),
                    Piece::New(_) => {}
                }
            }
            self.new_text(&pending, line, pending_at);
            before = after;
        }
    }

    /// Whether the bytes of a newline are those to write.
    fn keeps_newline(&self, bytes: &Range<usize>, newline: Option<Newline>) -> bool {
        let bytes = &self.viewed.original[bytes.clone()];
        self.style.is_some()
            || newline.and_then(|newline| encode(newline.text(), self.side.encoding)).as_deref()
                == Some(bytes)
    }

    /// Writes a line that is elsewhere in the original, maybe with other blanks at its ends.
    fn copied(&mut self, from: usize, line: usize, new: &str) {
        self.found(line, self.viewed.lines[from].lost.into());
        let (text, bytes) = (self.viewed.text_of(from), self.viewed.bytes_of(from));
        let text = &text[..content(text, self.is_wide).0];
        let (end, newline) = content(new, self.is_wide);
        let blanks = |text: &str| [text.len() - text.trim_ascii_start().len(), text.trim_ascii_end().len()];
        let ([start, stop], [new_start, new_stop]) = (blanks(text), blanks(&new[..end]));
        let range = self.content_bytes(bytes, start)..self.content_bytes(bytes, stop);
        self.new_text(&new[..new_start], line, 1);
        self.attempt.output.extend_from_slice(&bytes[range]);
        self.new_text(&new[new_stop..end], line, new_stop + 1);
        self.newline(line, newline);
    }
}

#[cfg(test)]
mod tests;
