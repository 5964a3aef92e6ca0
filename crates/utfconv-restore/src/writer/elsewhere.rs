//! Lines that were moved or copied, and edited: compared with the likely lines of the original.

use std::ops::Range;

use super::super::hunk::{Found, Hunk, Piece, Signs};
use super::super::known::{LONGEST_SEARCHED, Likely, is_long, is_run};
use super::{COMPARED_IN_PLACE, Place, Writer, is_lost, is_mostly_new, is_restored};

/// With more than twice the edits, and so many more, a line is no rival.
const MANY_EDITS: u64 = 8;

/// So many characters beside a lost one are in no other line by chance.
const LONG_STRETCH: usize = 40;

/// The blanks on both sides of a lost character, which may also be those of other words.
const BLANKS_BESIDE: usize = 2;

/// Lines of so many characters are compared with others as often as the text has them.
const SQUARE: usize = 1 << 10;

impl Writer<'_, '_> {
    /// Returns the pieces of a line that was moved or copied, and edited. Takes them from the lines of the
    /// original that are most like it, and more so than those in its place. With `only_in_place`, one of them
    /// has to be a line of this place that was copied.
    pub(super) fn elsewhere(
        &self,
        place: &Place,
        text: &str,
        only_in_place: bool,
    ) -> Option<Vec<(usize, Piece)>> {
        // Question marks and omitted characters prove too little.
        let proves_little = match self.signs() {
            Signs::Broken(_) => true,
            Signs::Question(_) => {
                self.viewed.original.len() > LONGEST_SEARCHED || !is_long(self.attempt.view, text)
            }
            _ => false,
        };
        let needs_moved = proves_little || only_in_place;
        if needs_moved && !(1..=COMPARED_IN_PLACE).contains(&place.moved.len())
            || is_run(self.attempt.view, text)
        {
            return None;
        }
        let is_in_place = |lines: &[usize]| lines.iter().all(|line| place.moved.contains(line));
        let (mut found, mut result): (Option<Vec<u8>>, Vec<(usize, Piece)>) = (None, Vec::new());
        let mut is_proven = false;
        let length = self.viewed.content(text).chars().count() as u64;
        let likelier = self.likelier(&place.old, &place.moved, text)?;
        let least = likelier.iter().map(|(_, hunk)| hunk.edits()).min().unwrap_or(0);
        for (lines, hunk) in likelier {
            if hunk.edits() > length && !is_in_place(&lines) {
                continue;
            }
            let Found { pieces, is_ambiguous, .. } = hunk.pieces(&self.signs());
            // A line that is much less like it is ambiguous in more ways.
            if is_ambiguous && hunk.edits() <= 2 * least + MANY_EDITS {
                return None;
            }
            if is_ambiguous || pieces.iter().any(is_lost) || is_mostly_new(&pieces) {
                continue;
            }
            let bytes = self.bytes_of(&pieces);
            match &found {
                Some(other) if *other != bytes => return None,
                Some(_) => {}
                None => (found, result) = (Some(bytes), pieces),
            }
            is_proven |= !needs_moved || is_in_place(&lines);
        }
        is_proven.then_some(result)
    }

    /// Whether a line may have been moved or copied, and edited: a line from elsewhere is more like it than
    /// `old`, those in its place, and gives it other bytes than `pieces`.
    pub(super) fn is_from_elsewhere(&self, old: &[usize], text: &str, pieces: &[(usize, Piece)]) -> bool {
        if self.viewed.original.len() > LONGEST_SEARCHED {
            return false;
        }
        let length = self.viewed.content(text).chars().count() as u64;
        let Some(likelier) = self.likelier(old, &[], text) else { return true };
        // A line of this place may be that of another line, and this one a copy.
        let is_kept_from = |line: &usize| {
            let start = self.viewed.start_of(*line);
            let range = start..start + self.viewed.bytes_of(*line).len();
            let is_part = |(_, piece): &(usize, Piece)| match piece {
                Piece::Kept(bytes, _) => range.contains(&bytes.start),
                _ => false,
            };
            pieces.iter().any(is_part)
        };
        let is_in_place = |lines: &[usize]| lines.iter().all(|line| old.contains(line) && is_kept_from(line));
        let in_place =
            likelier.iter().filter(|(lines, _)| is_in_place(lines)).map(|(_, hunk)| hunk.edits()).min();
        let least = likelier.iter().map(|(_, hunk)| hunk.edits()).min();
        likelier.into_iter().any(|(lines, hunk)| {
            let edits = hunk.edits();
            let differs = || {
                let others = hunk.pieces(&self.signs()).pieces;
                // What is lost in a word has no bytes that could differ.
                Some(edits) == least && others.windows(2).any(|pair| self.is_lost_in_word(pair))
                    || others.iter().any(|piece| is_restored(piece) || is_lost(piece))
                        && self.bytes_of(&others) != self.bytes_of(pieces)
            };
            2 * edits <= length
                && in_place.is_none_or(|least| edits <= least)
                && !is_in_place(&lines)
                && differs()
        })
    }

    /// Whether the second of two pieces is where something was lost, after a letter of the original.
    fn is_lost_in_word(&self, pair: &[(usize, Piece)]) -> bool {
        let Piece::Kept(bytes, _) = &pair[0].1 else { return false };
        let last = self.viewed.original[bytes.clone()].last();
        last.is_some_and(u8::is_ascii_alphabetic) && is_lost(&pair[1])
    }

    /// Whether a line from elsewhere has more of the text beside a lost character that was restored, and
    /// other bytes there.
    pub(super) fn is_more_elsewhere(&self, text: &str, pieces: &[(usize, Piece)]) -> bool {
        let (restored, is_patchwork) = (restored_runs(pieces), is_patchwork(pieces));
        // Longer stretches are no coincidence.
        let is_marked = matches!(self.signs(), Signs::Mark(_));
        // Without the words beside them, only U+FFFD comes back.
        let may_be_other = |run: &RestoredRun| {
            if is_patchwork { run.stretch < LONG_STRETCH } else { is_marked && run.is_alone }
        };
        if !restored.iter().any(may_be_other) {
            return false;
        }
        let new = self.characters(&[text]);
        let likely = self.likely.get_or_init(|| Likely::new(self.viewed)).lines(text);
        likely.into_iter().any(|line| {
            if !self.may_compare(&[line], &new) {
                return true;
            }
            let hunk = Hunk::new(self.viewed, &[line], new.clone());
            let original = self.viewed.original;
            restored.iter().any(|run| {
                let most = run.stretch + if is_patchwork { 0 } else { BLANKS_BESIDE };
                hunk.stretch(run.at).is_some_and(|(bytes, length)| {
                    length > most && !original[run.bytes.clone()].starts_with(&original[bytes])
                })
            })
        })
    }

    /// Counts the comparison of lines with new text. Returns whether there is room for it.
    pub(super) fn may_compare(&self, lines: &[usize], new: &[char]) -> bool {
        let length = lines.iter().fold(new.len(), |sum, line| sum + self.viewed.text_of(*line).len());
        // The time grows with the square.
        self.viewed.compared(length * length / SQUARE)
    }

    /// Compares a line with `others` and with the lines most like it, if they are more like it than `old`,
    /// the lines in its place. None if that takes too long.
    fn likelier(&self, old: &[usize], others: &[usize], text: &str) -> Option<Vec<(Vec<usize>, Hunk<'_>)>> {
        let mut likely = self.likely.get_or_init(|| Likely::new(self.viewed)).lines(text);
        if others.len() <= COMPARED_IN_PLACE {
            let more: Vec<_> = others.iter().filter(|line| !likely.contains(line)).copied().collect();
            likely.extend(more);
        }
        let new = self.characters(&[text]);
        let Some(last) = self.viewed.lines.len().checked_sub(1) else { return Some(Vec::new()) };
        // Lines are in ascending order.
        let is_in_place = |line: &usize| old.binary_search(line).is_ok();
        let near = if old.len() <= COMPARED_IN_PLACE {
            old.to_vec()
        } else {
            likely.iter().copied().filter(is_in_place).collect()
        };
        let mut in_place = Vec::new();
        for line in near {
            if !self.may_compare(&[line], &new) {
                return None;
            }
            in_place.push((line, Hunk::new(self.viewed, &[line], new.clone()).edits()));
        }
        let ranges = |line: usize| [line..=line, line..=(line + 1).min(last), line.saturating_sub(1)..=line];
        let mut found = Vec::new();
        for range in likely.into_iter().flat_map(ranges) {
            let lines: Vec<_> = range.collect();
            if !self.may_compare(&lines, &new) {
                return None;
            }
            let hunk = Hunk::new(self.viewed, &lines, new.clone());
            let edits = hunk.edits();
            let is_better =
                |(line, least): &(usize, u64)| *least < edits || *least == edits && !lines.contains(line);
            if !in_place.iter().any(is_better) {
                found.push((lines, hunk));
            }
        }
        Some(found)
    }
}

/// A restored run of lost characters.
struct RestoredRun {
    at: usize,
    bytes: Range<usize>,
    /// The number of characters of the run and those around it that are together in the original, too.
    stretch: usize,
    /// Whether the run is alone between new text, with at most blanks beside it.
    is_alone: bool,
}

/// Returns the restored runs of lost characters among pieces.
fn restored_runs(pieces: &[(usize, Piece)]) -> Vec<RestoredRun> {
    let is_together = |one: &(usize, Piece), other: &(usize, Piece)| match (&one.1, &other.1) {
        (Piece::Kept(one, _), Piece::Kept(other, _)) => one.end == other.start,
        _ => false,
    };
    let is_new = |piece: Option<&(usize, Piece)>| matches!(piece, Some((_, Piece::New(_))));
    // The first index after a piece.
    let end = |number: usize| pieces.get(number + 1).map_or(pieces[number].0 + 1, |(at, _)| *at);
    let (mut restored, mut first) = (Vec::new(), 0);
    for chunk in pieces.chunk_by(is_together) {
        let next = first + chunk.len();
        let stretch = end(next - 1) - chunk[0].0;
        let is_between_new = first > 0 && is_new(pieces.get(first - 1)) && is_new(pieces.get(next));
        for (number, (at, piece)) in (first..).zip(chunk) {
            if let Piece::Kept(bytes, 1..) = piece {
                let is_alone = is_between_new && stretch <= end(number) - at + BLANKS_BESIDE;
                restored.push(RestoredRun { at: *at, bytes: bytes.clone(), stretch, is_alone });
            }
        }
        first = next;
    }
    restored
}

/// Whether a line has several stretches of new text, and something that was restored.
fn is_patchwork(pieces: &[(usize, Piece)]) -> bool {
    const STRETCHES: usize = 3;
    let is_new = |(_, piece): &(usize, Piece)| matches!(piece, Piece::New(_));
    let stretches = pieces.chunk_by(|one, other| is_new(one) == is_new(other));
    stretches.filter(|stretch| is_new(&stretch[0])).count() >= STRETCHES && pieces.iter().any(is_restored)
}
