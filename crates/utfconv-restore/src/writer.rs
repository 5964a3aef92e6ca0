//! Writes the result of a view: unchanged lines as they were, and changed lines by their pieces.

mod elsewhere;
mod output;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::broken::Broken;
use super::hunk::{Found, Hunk, Piece, Signs};
use super::known::{Known, Likely, blank_lines, counts, whole_lines};
use super::lines::{Newline, content, prevailing};
use super::result::{Problem, ProblemKind};
use super::rivals::{Sides, characters};
use super::split::is_cut;
use super::view::{LONGEST_CHANGE, Mark, View, Viewed};
use super::words::Words;
use output::not_ascii;
use utfconv_core::OnUnmappable;
use utfconv_core::{Encoding, UTF_8};

/// With more changed lines together, each is compared with the line in its position, if there are as many as before.
const MANY: usize = 200;

/// How many lost characters in unchanged lines show that short lines look alike in no other view.
const ENOUGH_FOR_SHORT: u64 = 16;

/// Up to so many lines in the place of a line are compared with it.
const COMPARED_IN_PLACE: usize = 16;

/// The original, and how new text is written.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub bom: &'a [u8],
    pub original: &'a [u8],
    pub encoding: &'static Encoding,
    pub only_ascii: bool,
    /// How to write what has no certain content; None if the result is then of no use.
    pub unmappable: Option<&'a OnUnmappable>,
}

/// The result of one view.
pub(super) struct Attempt {
    pub view: View,
    /// The number of edited characters.
    pub edits: u64,
    pub output: Vec<u8>,
    pub pieces: u64,
    /// How many of them are in unchanged lines that are not blank.
    pub in_whole_lines: u64,
    /// How many bytes or characters of these lines are not ASCII, or lost.
    pub others: u64,
    /// How many bytes of the original that are not ASCII are still there.
    pub kept: u64,
    pub lines: Vec<u64>,
    /// The first positions without certain content, and the number of all.
    pub problems: Vec<Problem>,
    pub unproven: u64,
}

impl Attempt {
    /// Begins the result of a view with the BOM.
    fn new(view: View, bom: &[u8]) -> Attempt {
        Attempt {
            view,
            edits: 0,
            output: bom.to_vec(),
            pieces: 0,
            in_whole_lines: 0,
            others: 0,
            kept: 0,
            lines: Vec::new(),
            problems: Vec::new(),
            unproven: 0,
        }
    }

    /// Counts a problem where another result with as many edits differs, if neither has one.
    pub fn doubt_as(&mut self, other: &Attempt) {
        let is_as_good = self.edits == other.edits && self.unproven + other.unproven == 0;
        if is_as_good && self.output != other.output {
            let same = self.output.iter().zip(&other.output).take_while(|(one, other)| one == other);
            let line = 1 + same.filter(|(byte, _)| **byte == b'\n').count() as u64;
            self.unproven = 1;
            self.problems.push(Problem { line, column: 1, kind: ProblemKind::Lost });
        }
    }
}

/// The place of changed lines.
struct Place {
    /// The lines of the original that were there, and are not elsewhere now.
    old: Vec<usize>,
    /// Those that were moved or copied elsewhere.
    moved: Vec<usize>,
    /// Whether something that was lost there has no proven position.
    is_any_gone: bool,
    is_doubtful: bool,
}

/// Writes the result of a view.
pub(super) struct Writer<'a, 'b> {
    side: &'b Side<'b>,
    viewed: &'b Viewed<'b>,
    /// The newline of all lines, if the program changed all.
    style: Option<Newline>,
    known: Known<'a>,
    /// The lines of the original that are elsewhere now.
    sources: HashSet<usize>,
    /// What the view has of text from which something was dropped, and of lines that are now blank.
    broken: Broken,
    blank: HashSet<String>,
    /// Blank lines that the original has more often than the edited text.
    missing_blank: HashSet<String>,
    /// The words that another encoding shows, or that have question marks.
    words: Words,
    /// The lines of the original in which nothing is lost, if the view has question marks or drops characters.
    whole: HashMap<&'a str, usize>,
    /// The index of likely lines, made when first needed.
    likely: OnceCell<Likely>,
    attempt: Attempt,
}

impl<'a, 'b> Writer<'a, 'b> {
    /// `old` has the contents of the lines of the original, `new` the lines of the edited text.
    pub fn new(side: &'b Side, viewed: &'b Viewed, old: &[&'a str], new: &[&str]) -> Writer<'a, 'b> {
        let view = viewed.view;
        let newline = |line: &str| content(line, viewed.is_wide).1;
        let old_newline = prevailing((0..viewed.lines.len()).map(|line| newline(viewed.text_of(line))));
        let new_newline = prevailing(new.iter().map(|line| newline(line)));
        let has_questions = matches!(view, View::Lossy(mark) if mark.character() == Some('?'));
        let blank = blank_lines(viewed, old);
        Writer {
            side,
            viewed,
            // Where the program changed all newlines, it changed those of new lines, too.
            style: match (old_newline, new_newline) {
                (Some((old, _)), Some((new, true))) if old != new => Some(old),
                _ => None,
            },
            known: Known::new(viewed, old, !blank.is_empty()),
            sources: HashSet::new(),
            broken: if view == View::Lossy(Mark::Omitted) { Broken::new(viewed) } else { Broken::default() },
            missing_blank: HashSet::new(),
            blank,
            words: if has_questions || view.other().is_some() {
                Words::new(viewed)
            } else {
                Words::default()
            },
            whole: if has_questions || view == View::Lossy(Mark::Omitted) {
                whole_lines(viewed, old)
            } else {
                HashMap::new()
            },
            likely: OnceCell::new(),
            attempt: Attempt::new(view, side.bom),
        }
    }

    /// Writes all lines; `changed` has the ranges of those that differ.
    pub fn write_lines(
        mut self,
        old: &[&'a str],
        new: &[&str],
        changed: Vec<(Range<usize>, Range<usize>)>,
    ) -> Attempt {
        let contents: Vec<_> = new.iter().map(|line| self.viewed.content(line)).collect();
        let (mut edges, mut old_at, mut new_at) = (Vec::new(), 0, 0);
        for (old_range, new_range) in &changed {
            edges.push((old_at..old_range.start, new_at));
            (old_at, new_at) = (old_range.end, new_range.end);
        }
        edges.push((old_at..old.len(), new_at));
        self.find_sources(old, &contents, &changed, &edges);
        let [before, after] = [old, &contents].map(counts);
        let is_missing =
            |text: &&String| !text.is_empty() && after.get(text.as_str()) < before.get(text.as_str());
        self.missing_blank = self.blank.iter().filter(is_missing).cloned().collect();
        let mut doubtful = self.known.doubtful(&edges, old, &contents, &self.blank);
        Sides { viewed: self.viewed, old, new, edges: &edges }.retain_likely(&mut doubtful);
        let mut changed = changed.into_iter();
        for (old_lines, new_start) in edges {
            for (line, at) in old_lines.zip(new_start..) {
                self.unchanged(line, at, new[at], doubtful.contains(&line));
            }
            match changed.next() {
                Some((old_range, new_range))
                    if old_range.len() == new_range.len() && old_range.len() > MANY =>
                {
                    old_range
                        .zip(new_range)
                        .for_each(|(old, at)| self.changed(old..old + 1, at..at + 1, new));
                }
                Some((old_range, new_range)) => self.changed(old_range, new_range, new),
                None => {}
            }
        }
        self.attempt
    }

    /// Finds the lines of the original that were moved or copied. `new` has the contents of the lines of the
    /// edited text.
    fn find_sources(
        &mut self,
        old: &[&str],
        new: &[&str],
        changed: &[(Range<usize>, Range<usize>)],
        edges: &[(Range<usize>, usize)],
    ) {
        self.known.count(old, new);
        let new_lines = changed.iter().flat_map(|(_, range)| range.clone()).map(|line| new[line]);
        let unchanged = edges.iter().flat_map(|(lines, _)| lines.clone());
        let shown: u64 = unchanged.map(|line| u64::from(self.viewed.lines[line].lost)).sum();
        // Otherwise, short lines may look alike only in this view.
        if shown >= ENOUGH_FOR_SHORT {
            self.known.find_unique(self.viewed, new_lines.clone());
        }
        self.sources = new_lines.filter_map(|line| self.known.source(line)).collect();
    }

    /// Writes an unchanged line; `number` is its number in the edited text.
    fn unchanged(&mut self, line: usize, number: usize, new: &str, is_doubtful: bool) {
        let lost = self.viewed.lines[line].lost.into();
        let (text, bytes) = (self.viewed.text_of(line), self.viewed.bytes_of(line));
        if is_doubtful {
            // Whichever line it is, it is there.
            self.attempt.kept += not_ascii(bytes);
            return self.write_doubtful(number, new);
        }
        self.found(number, lost);
        if !text.trim_ascii().is_empty() {
            let shown = text.chars().filter(|scalar| !scalar.is_ascii()).count() as u64;
            self.attempt.in_whole_lines += lost;
            self.attempt.others += shown.max(lost).max(not_ascii(bytes));
        }
        let [(end, old_newline), (_, new_newline)] =
            [content(text, self.viewed.is_wide), content(new, self.viewed.is_wide)];
        if old_newline == new_newline
            || old_newline.is_some() && new_newline.is_some() && self.style.is_some()
        {
            return self.keep(bytes);
        }
        self.keep(&bytes[..self.content_bytes(bytes, end, true)]);
        self.newline(number, new_newline);
    }

    /// Returns the signs of damage in text that the original does not have.
    fn signs(&self) -> Signs<'_> {
        match self.attempt.view {
            View::Lossy(Mark::Omitted) => Signs::Broken(&self.broken),
            View::Lossy(mark) if !mark.is_proof() => Signs::Question(&self.words),
            View::Lossy(_) | View::Exact => Signs::Mark(char::REPLACEMENT_CHARACTER),
            View::Misread(other) | View::MisreadLossy(other, _) => Signs::Misread(other, &self.words),
        }
    }

    fn characters(&self, lines: &[&str]) -> Vec<char> {
        characters(self.viewed, lines)
    }

    /// Writes changed lines.
    fn changed(&mut self, old: Range<usize>, new: Range<usize>, lines: &[&str]) {
        // Lines that are elsewhere in the original are copied from there.
        let source = |line: usize| self.known.source(self.viewed.content(lines[line]));
        let sources: Vec<_> = new.clone().map(source).collect();
        let stay = || new.clone().zip(&sources).filter(|(_, from)| from.is_none()).map(|(line, _)| line);
        let last = stay().next_back();
        // Of lines that look the same, the first is the source of all.
        let first =
            |line: usize| self.known.source(self.viewed.content(self.viewed.text_of(line))).unwrap_or(line);
        let (moved, stayed): (Vec<_>, Vec<_>) =
            old.clone().partition(|line| self.sources.contains(&first(*line)));
        let texts: Vec<_> = stay().map(|line| lines[line]).collect();
        let count = |text: &str| text.chars().count();
        let old_length: usize = stayed.iter().map(|line| count(self.viewed.text_of(*line))).sum();
        let length = old_length + texts.iter().map(|text| count(text)).sum::<usize>();
        if old_length > 0 && length > LONGEST_CHANGE {
            self.attempt.edits += length as u64;
            return new.for_each(|line| self.write_doubtful(line, lines[line]));
        }
        let hunk = Hunk::new(self.viewed, &stayed, self.characters(&texts));
        self.attempt.edits += hunk.edits();
        let found = hunk.pieces(&self.signs());
        let place = Place {
            moved,
            is_any_gone: found.is_any_gone,
            is_doubtful: self.is_doubtful(&found),
            old: stayed,
        };
        let mut pieces = found.pieces.into_iter().peekable();
        // The number of characters before the line, without moved lines.
        let mut before = 0;
        for (line, from) in new.zip(sources) {
            let text = lines[line];
            if let Some(from) = from {
                if !old.contains(&from) && self.may_stay(&place.old, from, text) {
                    self.write_doubtful(line, text)
                } else {
                    self.copied(from, line, text)
                }
                continue;
            }
            let after = before + self.characters(&[text]).len();
            let is_last = last == Some(line);
            let mut of_line = Vec::new();
            while let Some((at, piece)) = pieces.next_if(|(at, _)| *at < after || is_last) {
                of_line.push((at.saturating_sub(before), piece));
            }
            self.edited(line, text, of_line, &place);
            before = after;
        }
    }

    /// Writes a changed line that is no copy as a whole.
    fn edited(&mut self, line: usize, text: &str, mut pieces: Vec<(usize, Piece)>, place: &Place) {
        let is_broken = matches!(self.signs(), Signs::Broken(_));
        let has_lost = pieces.iter().any(is_lost);
        let is_from_elsewhere = !has_lost
            && !place.is_doubtful
            && (is_broken && is_mostly_new(&pieces)
                || !place.moved.is_empty() && pieces.iter().any(is_restored))
            && self.is_from_elsewhere(&place.old, text, &pieces);
        let found = if has_lost {
            self.unsplit(&place.old, text).or_else(|| self.elsewhere(place, text, false))
        } else if is_from_elsewhere {
            self.elsewhere(place, text, true)
        } else {
            None
        };
        let found = found.filter(|found| self.has_all_lost(found, &pieces));
        let is_unproven = is_from_elsewhere && found.is_none();
        pieces = found.unwrap_or(pieces);
        let is_lost = pieces.iter().any(is_lost);
        let content = self.viewed.content(text);
        let is_copied = |from: &usize| {
            if is_broken {
                // What the place has lost may be anywhere in it.
                let is_unclear = content.trim_ascii().is_empty() || is_lost && place.is_any_gone;
                !is_unclear && !self.may_stay(&place.old, *from, text)
            } else {
                // If nothing was lost, the question marks of this line were copied with it.
                is_lost
            }
        };
        let whole = self.whole.get(content).copied().filter(is_copied);
        if let Some(from) = whole.or_else(|| self.indented(&place.old, text)) {
            return self.copied(from, line, text);
        }
        // An indented line of its place with the same bytes is no doubt.
        let gives_same_bytes = |from: usize| {
            let new = self.characters(&[text]);
            let kept = || Hunk::new(self.viewed, &[from], new.clone()).pieces(&self.signs()).pieces;
            place.old.contains(&from)
                && !is_lost
                && self.known.may_be_indented(content)
                && self.may_compare(&[from], &new)
                && self.bytes_of(&kept()) == self.bytes_of(&pieces)
        };
        let is_doubtful = place.is_doubtful
            || self
                .known
                .alike(content)
                .is_some_and(|from| !gives_same_bytes(from) && self.may_stay(&place.old, from, text))
            || self.is_rest(&place.old, content)
            || is_unproven
            || matches!(self.attempt.view, View::Lossy(_)) && self.is_more_elsewhere(text, &pieces);
        if is_doubtful { self.write_doubtful(line, text) } else { self.pieces(line, text, pieces) }
    }

    /// Returns the one of the lines `old` in its place, if only the blanks at its ends changed.
    fn indented(&self, old: &[usize], text: &str) -> Option<usize> {
        let content = self.viewed.content(text);
        if matches!(self.signs(), Signs::Broken(_))
            || old.len() > COMPARED_IN_PLACE
            || !self.known.may_be_indented(content)
        {
            return None;
        }
        let is_alike = |line: &&usize| {
            self.viewed.content(self.viewed.text_of(**line)).trim_ascii() == content.trim_ascii()
        };
        let mut alike = old.iter().filter(is_alike);
        alike.next().filter(|_| alike.next().is_none()).copied()
    }

    /// Whether nothing is certain in lines where something was dropped, or may have been: it may have been anywhere in
    /// them.
    fn is_doubtful(&self, found: &Found) -> bool {
        let Found { pieces, is_any_gone, .. } = found;
        let is_sign = |(_, piece): &(usize, Piece)| match piece {
            Piece::Lost(_) => true,
            // A part of what was dropped may look like another character.
            Piece::New(scalar) => !scalar.is_ascii(),
            _ => false,
        };
        // This is left around text that was dropped.
        let is_rest = |pair: &[(usize, Piece)]| match (&pair[0].1, &pair[1].1) {
            (Piece::New(' '), Piece::New(scalar)) => !scalar.is_alphanumeric(),
            _ => false,
        };
        self.side.unmappable.is_some()
            && self.attempt.view == View::Lossy(Mark::Omitted)
            && (*is_any_gone || pieces.iter().any(is_sign) || pieces.windows(2).any(is_rest))
    }

    /// Counts a look at all of the lines `old`, which are adjacent. Returns whether there was room for it: a look for each of
    /// many new lines would take quadratic time.
    fn may_look_at(&self, old: &[usize]) -> bool {
        let (Some(first), Some(last)) = (old.first(), old.last()) else { return true };
        self.viewed.compared(self.viewed.start_of(last + 1).saturating_sub(self.viewed.start_of(*first)))
    }

    /// Whether a line that looks like line `from` may as well be what an edit left of the lines at its place.
    fn may_stay(&self, old: &[usize], from: usize, text: &str) -> bool {
        if old.is_empty() {
            return false;
        }
        // Without room to compare them, no edit is ruled out.
        if !self.may_look_at(old) {
            return true;
        }
        let new = self.characters(&[text]);
        let pieces = |old: &[usize]| {
            let hunk = Hunk::new(self.viewed, old, new.clone());
            hunk.pieces(&self.signs()).pieces
        };
        let stayed = pieces(old);
        let is_explained = stayed.iter().any(is_restored)
            && !is_mostly_new(&stayed)
            && !stayed.iter().any(is_lost)
            && self.bytes_of(&stayed) != self.bytes_of(&pieces(&[from]));
        is_explained || self.is_extended(old, from, text)
    }

    /// Whether something was added to one of the lines `old`, so that it looks like line `from`, which has other bytes.
    fn is_extended(&self, old: &[usize], from: usize, text: &str) -> bool {
        let View::Lossy(mark) = self.attempt.view else { return false };
        let content = self.viewed.content(text);
        let is_mark = |scalar: char| Some(scalar) == mark.character();
        old.iter().any(|line| {
            let rest = self.viewed.content(self.viewed.text_of(*line)).trim_ascii();
            let added = content.split_once(rest);
            let is_added =
                |(before, after): (&str, &str)| !before.contains(is_mark) && !after.contains(is_mark);
            let bytes = |line: usize| self.viewed.bytes_of(line).trim_ascii();
            self.viewed.lines[*line].lost > 0
                && !rest.is_empty()
                && rest.len() < content.trim_ascii().len()
                && added.is_some_and(is_added)
                && memchr::memmem::find(bytes(from), bytes(*line)).is_none()
        })
    }

    /// Writes the pieces of a line, each with the index of its first character.
    fn pieces(&mut self, line: usize, text: &str, pieces: Vec<(usize, Piece)>) {
        let (end, _) = content(text, self.viewed.is_wide);
        let is_omitted = self.attempt.view == View::Lossy(Mark::Omitted);
        let kept: u64 =
            pieces.iter().map(|(_, piece)| if let Piece::Kept(_, lost) = piece { *lost } else { 0 }).sum();
        let is_known =
            || self.known.lost(&text[..end], self.viewed).is_some_and(|lost| u64::from(lost) != kept);
        // A line in which all was dropped is as blank with another number of blanks.
        let is_blank =
            || kept == 0 && end > 0 && !self.blank.is_empty() && text[..end].trim_ascii().is_empty();
        if is_omitted
            && (is_known()
                || self.blank.contains(&text[..end])
                || is_blank()
                || self.is_joined_to_blank(&text[..end], &pieces))
        {
            if self.side.unmappable.is_some() {
                return self.write_doubtful(line, text);
            }
            self.problem(line, 1, ProblemKind::Lost);
        }
        self.write(line, text, pieces);
    }

    /// Whether a line that is seen as blanks alone may have been joined to this line: this line has new blanks
    /// at an end, and such a line is missing.
    fn is_joined_to_blank(&self, content: &str, pieces: &[(usize, Piece)]) -> bool {
        let text = content.trim_ascii();
        let is_new = |(_, piece): &&(usize, Piece)| matches!(piece, Piece::New(' ' | '\t'));
        let before = pieces.iter().take_while(is_new).count();
        let is_text = |(_, piece): &&(usize, Piece)| !matches!(piece, Piece::Newline(_));
        let after = pieces.iter().filter(is_text).rev().take_while(is_new).count();
        !self.missing_blank.is_empty()
            && !text.is_empty()
            && ((1..=before).any(|end| self.missing_blank.contains(&content[..end]))
                || (1..=after).any(|length| self.missing_blank.contains(&content[content.len() - length..])))
    }

    /// Returns the pieces of a line in which only parts of characters were lost: those of the one line among `old` that
    /// explains it.
    fn unsplit(&self, old: &[usize], text: &str) -> Option<Vec<(usize, Piece)>> {
        if self.attempt.view != View::Exact || self.side.encoding != &UTF_8 || !self.may_look_at(old) {
            return None;
        }
        let text = self.viewed.content(text);
        let whole = |line: usize| self.viewed.content(self.viewed.text_of(line));
        let mut from = old.iter().copied().filter(|line| is_cut(whole(*line), text));
        let first = from.next()?;
        if from.any(|line| whole(line) != whole(first)) {
            return None;
        }
        let start = self.viewed.start_of(first);
        let lost = text.matches(char::REPLACEMENT_CHARACTER).count() as u64;
        Some(vec![
            (0, Piece::Kept(start..start + whole(first).len(), lost)),
            (text.chars().count(), Piece::Newline(None)),
        ])
    }

    /// Whether pieces have all lost characters that others have, with the same bytes.
    fn has_all_lost(&self, pieces: &[(usize, Piece)], others: &[(usize, Piece)]) -> bool {
        let lost = |(at, piece): &(usize, Piece)| match piece {
            Piece::Kept(bytes, 1..) => Some((*at, &self.viewed.original[bytes.clone()])),
            _ => None,
        };
        let known: HashSet<_> = pieces.iter().filter_map(lost).collect();
        others.iter().filter_map(lost).all(|other| known.contains(&other))
    }

    /// Whether a blank line may be what is left of lines with dropped text.
    fn is_rest(&self, old: &[usize], text: &str) -> bool {
        matches!(self.signs(), Signs::Broken(_))
            && !text.is_empty()
            && text.trim_ascii().is_empty()
            && old.iter().any(|line| self.viewed.lines[*line].lost > 0)
    }
}

/// Whether a piece is a place where something is not proven.
fn is_lost((_, piece): &(usize, Piece)) -> bool {
    matches!(piece, Piece::Lost(_))
}

/// Whether a piece has lost characters of the original.
fn is_restored((_, piece): &(usize, Piece)) -> bool {
    matches!(piece, Piece::Kept(_, 1..))
}

/// Whether most of a line is new.
fn is_mostly_new(pieces: &[(usize, Piece)]) -> bool {
    2 * pieces.iter().filter(|(_, piece)| matches!(piece, Piece::New(_))).count() > pieces.len()
}
