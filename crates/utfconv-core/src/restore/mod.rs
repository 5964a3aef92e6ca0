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
use std::mem;
use std::ops::Range;

pub use view::{Mark, View};

use crate::bom::InputBom;
use crate::encoding::pages::{MACINTOSH, WINDOWS_1252};
use crate::encoding::{Encoding, ISO_8859_1};
use hunk::{Found, Hunk, Piece, Signs, hunks};
use view::{Unit, Viewed, encode, units};

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

/// How many characters of a line show which one it was, where others were dropped.
const TELLING: usize = 12;

/// Of more changed lines together, if there are as many as before, each is compared with the one in its position.
const MANY: usize = 200;

/// Characters that may have been copied in a text of any size.
const COPIED: u64 = 1_000;

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
    restore_among(original, encoding, edited, None)
}

/// Does what [`restore`] does where the program is known to have seen the original by this view. Its result is then certain, but
/// for characters that the view has lost.
///
/// # Errors
/// As [`restore`].
pub fn restore_view(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &[u8],
    view: View,
) -> Result<Restored, NotRestored> {
    restore_among(original, encoding, edited, Some(view))
}

/// What a view has of an original, without its BOM.
///
/// ```
/// use utfconv_core::code_pages::WINDOWS_1252;
/// use utfconv_core::restore::{Mark, View, view};
///
/// let lossy = View::Lossy(Mark::ReplacementPerByte);
/// assert_eq!(view(b"caf\xE9", &WINDOWS_1252, lossy), "caf\u{FFFD}");
/// assert_eq!(view(b"caf\xE9", &WINDOWS_1252, View::Exact), "café");
/// ```
#[must_use]
pub fn view(original: &[u8], encoding: &'static Encoding, view: View) -> String {
    let encoding = InputBom::Auto.read_as(encoding, &original[..original.len().min(4)]);
    let mut text = String::new();
    units(encoding, view, &original[bom_of(original, encoding)..], |unit| text.push_str(unit.text));
    text
}

/// Restores by the view that is named, or else the most likely one.
fn restore_among(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &[u8],
    only: Option<View>,
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
    let views = only.map_or_else(|| side.views(edited), |view| vec![view]);
    let mut views: Vec<_> = views.into_iter().map(|view| (side.distance(view, edited), view)).collect();
    views.sort_by_key(|(distance, _)| *distance);
    for (distance, view) in views {
        // Lines that were copied are no edits, but add to the distance.
        let is_hopeless = |best: &Attempt| distance > 2 * best.edits + COPIED;
        if !attempts.iter().any(is_hopeless) {
            attempts.extend(side.attempt(view, edited));
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

    /// How many characters are more in the view or in the text than in the other: at least so many were edited.
    fn distance(&self, view: View, edited: &str) -> u64 {
        let mut counts = vec![0i64; 1 << 16];
        // Those above the Basic Multilingual Plane share the counts of others.
        let mut count = |text: &str, by: i64| {
            text.chars().for_each(|scalar| counts[u32::from(scalar) as usize & 0xFFFF] += by);
        };
        units(self.encoding, view, self.original, |unit| count(unit.text, 1));
        count(edited, -1);
        // Newlines are not compared.
        let counted = counts.iter().enumerate().filter(|(at, _)| ![0xA, 0xD].contains(at));
        counted.map(|(_, count)| count.unsigned_abs()).sum()
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
            broken: if view == View::Lossy(Mark::Omitted) { broken_words(&viewed) } else { HashSet::new() },
            blank: blank_lines(&viewed, &old),
            likely: None,
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
                let (old_range, new_range) = (usize_range(old_range), usize_range(new_range));
                match old_range.len() == new_range.len() && old_range.len() > MANY {
                    true => old_range.zip(new_range).for_each(|(old, new_line)| {
                        writer.changed(old..old + 1, new_line..new_line + 1, &new);
                    }),
                    false => writer.changed(old_range, new_range, &new),
                }
            }
        }
        writer.attempt.problems.truncate(LISTED);
        Some(writer.attempt)
    }
}

fn usize_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Lines of which something was lost, and of which the view has nothing but blanks.
fn blank_lines(viewed: &Viewed, old: &[&str]) -> HashSet<String> {
    let lost = old.iter().enumerate().filter(|(line, _)| viewed.lines[*line].lost > 0);
    let is_blank = |text: &&&str| !text.is_empty() && text.trim_ascii().is_empty();
    lost.map(|(_, text)| text).filter(is_blank).map(|text| (*text).to_string()).collect()
}

/// Which lines of the original, in which something is lost, have the same stretches of characters as another line.
struct Likely(HashMap<[char; STRETCH], Vec<u32>>);

/// Characters that are compared together.
const STRETCH: usize = 5;

/// The most lines with a stretch that says something.
const FEW: usize = 12;

impl Likely {
    fn new(viewed: &Viewed) -> Likely {
        let mut lines: HashMap<[char; STRETCH], Vec<u32>> = HashMap::new();
        for line in (0..viewed.lines.len()).filter(|line| viewed.lines[*line].lost > 0) {
            for stretch in stretches(viewed.text_of(line)) {
                let with = lines.entry(stretch).or_default();
                if with.len() <= FEW && with.last() != Some(&(line as u32)) {
                    with.push(line as u32);
                }
            }
        }
        Likely(lines)
    }

    /// The most likely ones first, few.
    fn lines(&self, text: &str) -> Vec<usize> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for stretch in stretches(text) {
            let with = self.0.get(&stretch).filter(|with| with.len() <= FEW);
            with.into_iter().flatten().for_each(|line| *counts.entry(*line).or_default() += 1);
        }
        let mut lines: Vec<_> = counts.into_iter().collect();
        lines.sort_by_key(|(line, count)| (std::cmp::Reverse(*count), *line));
        lines.into_iter().take(4).map(|(line, _)| line as usize).collect()
    }
}

fn stretches(text: &str) -> Vec<[char; STRETCH]> {
    let characters: Vec<_> = text.chars().collect();
    characters.windows(STRETCH).filter_map(|window| window.try_into().ok()).collect()
}

/// What a view has of the words in which something was dropped, if that is more than a letter.
fn broken_words(viewed: &Viewed) -> HashSet<String> {
    let mut broken = HashSet::new();
    for line in (0..viewed.lines.len()).filter(|line| viewed.lines[*line].lost > 0) {
        let (mut word, mut is_broken) = (String::new(), false);
        let mut end = |word: &mut String, is_broken: &mut bool| {
            let word = mem::take(word);
            if mem::take(is_broken) && word.len() > 1 {
                broken.insert(word);
            }
        };
        units(viewed.encoding, viewed.view, viewed.bytes_of(line), |unit| match unit.is_lost {
            true => is_broken = true,
            false if unit.text.chars().all(char::is_alphanumeric) => word += unit.text,
            false => end(&mut word, &mut is_broken),
        });
        end(&mut word, &mut is_broken);
    }
    broken
}

/// The lines of the original in which something is lost, by what the view has of them between blanks at both ends.
struct Known<'a>(HashMap<&'a str, Alike>);

/// Lines that are the same in the view.
struct Alike {
    first: usize,
    /// Not all of them have the same bytes.
    differ: bool,
    /// What the view has of the first, if other blanks at its ends may hide what was lost there.
    exactly: Option<String>,
}

impl<'a> Known<'a> {
    fn new(viewed: &Viewed, old: &[&'a str]) -> Known<'a> {
        let mut known: HashMap<&str, Alike> = HashMap::new();
        let is_omitted = viewed.view == View::Lossy(Mark::Omitted);
        let bytes = |line: usize| viewed.bytes_of(line).trim_ascii();
        for (line, text) in old.iter().enumerate().filter(|(line, _)| viewed.lines[*line].lost > 0) {
            let exactly = is_omitted.then(|| text.to_string());
            let text = text.trim_ascii();
            if text.is_empty() {
                continue;
            }
            let alike = known.entry(text).or_insert(Alike { first: line, differ: false, exactly });
            // What is left of a line may be any other line.
            let is_telling = !is_omitted || text.chars().count() >= TELLING;
            alike.differ |= bytes(alike.first) != bytes(line) || !is_telling;
        }
        Known(known)
    }

    /// The line of the original that a line is.
    fn source(&self, line: &str) -> Option<usize> {
        let alike = self.0.get(line.trim_ascii()).filter(|alike| !alike.differ)?;
        let is_it = alike.exactly.as_ref().is_none_or(|exactly| exactly == line);
        is_it.then_some(alike.first)
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
    /// What the view has of words of which something was dropped, and of lines of which only blanks are left.
    broken: HashSet<String>,
    blank: HashSet<String>,
    /// Made when it is needed.
    likely: Option<Likely>,
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
        self.attempt.output.extend_from_slice(&bytes[..self.content_bytes(bytes, end, true)]);
        self.newline(number, new_newline);
    }

    /// How many bytes of a line its first `end` bytes in the view have, with or without what is lost after them.
    fn content_bytes(&self, bytes: &[u8], end: usize, takes_lost: bool) -> usize {
        let (mut seen, mut count, mut is_ended) = (0, 0, false);
        units(self.viewed.encoding, self.viewed.view, bytes, |Unit { len, text, .. }| {
            is_ended |= seen >= end && !(takes_lost && text.is_empty());
            count += if is_ended { 0 } else { len };
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

    /// What shows damage in text that the original does not have.
    fn signs(&self) -> Signs<'_> {
        match self.attempt.view {
            View::Lossy(Mark::Omitted) => Signs::Broken(&self.broken),
            View::Lossy(Mark::QuestionPerByte | Mark::QuestionPerSubpart) => Signs::Question,
            View::Lossy(_) | View::Exact => Signs::Mark(char::REPLACEMENT_CHARACTER),
            View::Misread(other) => Signs::Misread(other),
        }
    }

    /// The characters of lines, with line feeds as newlines.
    fn characters(&self, lines: &[&str]) -> Vec<char> {
        let of_line = |line: &&'_ str| {
            let (end, newline) = content(line, self.is_wide);
            line[..end].chars().chain(newline.map(|_| '\n')).collect::<Vec<_>>()
        };
        lines.iter().flat_map(of_line).collect()
    }

    /// Writes changed lines.
    fn changed(&mut self, old: Range<usize>, new: Range<usize>, lines: &[&str]) {
        let is_wide = self.is_wide;
        // Lines that are elsewhere in the original are copied from there.
        let (moved, stay): (Vec<_>, Vec<_>) = new
            .clone()
            .partition(|line| self.known.source(&lines[*line][..content(lines[*line], is_wide).0]).is_some());
        let old: Vec<_> = old.filter(|line| !self.sources.contains(line)).collect();
        let texts: Vec<_> = stay.iter().map(|line| lines[*line]).collect();
        let hunk = Hunk::new(self.viewed, &old, self.characters(&texts), |line| content(line, is_wide).0);
        self.attempt.edits += hunk.edits();
        let mut pieces = hunk.pieces(&self.signs()).pieces.into_iter().peekable();
        // Characters before the line, of those that are not moved.
        let mut before = 0;
        for line in new {
            if let (true, Some(from)) =
                (moved.contains(&line), self.known.source(&lines[line][..content(lines[line], is_wide).0]))
            {
                self.copied(from, line, lines[line]);
                continue;
            }
            let after = before + self.characters(&lines[line..=line]).len();
            let is_last = stay.last() == Some(&line);
            let mut of_line = Vec::new();
            while let Some((at, piece)) = pieces.next_if(|(at, _)| *at < after || is_last) {
                of_line.push((at.saturating_sub(before), piece));
            }
            if of_line.iter().any(|(_, piece)| *piece == Piece::Lost)
                && let Some(found) = self.elsewhere(lines[line])
            {
                of_line = found;
            }
            self.pieces(line, lines[line], of_line);
            before = after;
        }
    }

    /// Writes the pieces of a line, each with the character of it at which it begins.
    fn pieces(&mut self, line: usize, text: &str, pieces: Vec<(usize, Piece)>) {
        let (end, newline) = content(text, self.is_wide);
        let is_omitted = self.attempt.view == View::Lossy(Mark::Omitted);
        if is_omitted
            && (self.known.0.contains_key(text[..end].trim_ascii()) || self.blank.contains(&text[..end]))
        {
            self.problem(line, 1, ProblemKind::Lost);
        }
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
                    self.attempt.output.extend_from_slice(&self.viewed.original[bytes]);
                }
                Piece::Lost => self.problem(line, column, ProblemKind::Lost),
                Piece::New(_) => {}
            }
        }
        self.new_text(&pending, line, pending_at);
    }

    /// The pieces of a line that was moved or copied, and edited: of those lines of the original that are most like it.
    fn elsewhere(&mut self, text: &str) -> Option<Vec<(usize, Piece)>> {
        // Question marks, and less, say too little.
        if matches!(self.signs(), Signs::Broken(_) | Signs::Question) {
            return None;
        }
        let likely = self.likely.get_or_insert_with(|| Likely::new(self.viewed)).lines(text);
        let new = self.characters(&[text]);
        let last = self.viewed.lines.len() - 1;
        let mut found: Option<(Vec<u8>, Vec<(usize, Piece)>)> = None;
        for line in likely {
            for range in [line..=line, line..=(line + 1).min(last), line.saturating_sub(1)..=line] {
                let old: Vec<_> = range.collect();
                let hunk = Hunk::new(self.viewed, &old, new.clone(), |line| content(line, self.is_wide).0);
                let Found { pieces, is_ambiguous } = hunk.pieces(&self.signs());
                if is_ambiguous {
                    return None;
                }
                if pieces.iter().any(|(_, piece)| *piece == Piece::Lost) {
                    continue;
                }
                let bytes = self.bytes_of(&pieces);
                match &found {
                    Some((other, _)) if *other != bytes => return None,
                    Some(_) => {}
                    None => found = Some((bytes, pieces)),
                }
            }
        }
        found.map(|(_, pieces)| pieces)
    }

    /// What pieces are, to be compared.
    fn bytes_of(&self, pieces: &[(usize, Piece)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (_, piece) in pieces {
            match piece {
                Piece::Kept(range, _) => bytes.extend_from_slice(&self.viewed.original[range.clone()]),
                Piece::New(scalar) => bytes.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes()),
                Piece::Newline(_) => bytes.push(b'\n'),
                Piece::Lost => {}
            }
        }
        bytes
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
        if text == &new[..end] {
            let count = self.content_bytes(bytes, end, true);
            self.attempt.output.extend_from_slice(&bytes[..count]);
            return self.newline(line, newline);
        }
        let blanks = |text: &str| [text.len() - text.trim_ascii_start().len(), text.trim_ascii_end().len()];
        let ([start, stop], [new_start, new_stop]) = (blanks(text), blanks(&new[..end]));
        let range = self.content_bytes(bytes, start, false)..self.content_bytes(bytes, stop, true);
        self.new_text(&new[..new_start], line, 1);
        self.attempt.output.extend_from_slice(&bytes[range]);
        self.new_text(&new[new_stop..end], line, new_stop + 1);
        self.newline(line, newline);
    }
}

#[cfg(test)]
mod tests;
