//! Aligns two short texts: finds which characters of the new text are characters of the old text.
//!
//! An edit replaces adjacent characters by other characters, or removes or inserts them. It costs 1 for each character,
//! plus either [`EDIT`] or, if it consists of whole lines, [`LINES`] for each line. All alignments that cost less than
//! [`MARGIN`] more than the best one count as possible.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;

use super::differences::common;

/// Cost of removing or inserting a line, above the cost of its characters, in characters. The cost makes one longer
/// edit likelier than two short edits, and is about the length of a word.
const LINES: u32 = 8;

/// An alignment that costs this many characters more than the best alignment is ruled out. Equal to the cost of one
/// further edit of lines.
pub(super) const MARGIN: u32 = LINES;

/// Cost of an edit that is not of whole lines, above the cost of its characters. Larger than [`LINES`] by the margin,
/// so that an edit of lines is preferred where both explain a text.
pub(super) const EDIT: u32 = LINES + MARGIN;

/// Maximum number of cells of an alignment table. A cell takes 12 bytes.
pub(super) const CELLS: usize = 1 << 23;

/// Number of cells by which the tables of a text together may exceed [`CELLS`], for each byte of both texts. An
/// alignment of cost `n` has about `n` cells for each token of the new text, so in ASCII text most lines may be edited
/// at a cost of 128.
pub(super) const CELLS_PER_BYTE: usize = 64;

/// An impossible cost, larger than any other.
pub(super) const NEVER: u32 = u32::MAX / 4;

/// A character to align, or a run of marks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// Tokens are aligned if their values are equal.
    pub value: u32,
    /// The index of the first character of the token in its text.
    pub first: usize,
    /// Number of characters in the token.
    pub count: u32,
    /// A hash of the lost bytes that the token stands for; 0 if there are none, as for new characters.
    pub meaning: u64,
    /// Whether the token shows a loss. An equal token of the new text counts as a copy of a token without a loss,
    /// unless being new costs less.
    pub shows_loss: bool,
    /// Whether nobody types these characters, so that they must have been copied, which costs one more edit.
    pub is_copied: bool,
}

impl Token {
    fn is_newline(&self) -> bool {
        self.value == u32::from('\n')
    }

    /// Returns the cost of removing the token in an edit that is not of whole lines. Such an edit rarely extends across
    /// lines, so each newline costs as much as a line.
    fn removed(&self) -> u32 {
        self.count + if self.is_newline() { LINES } else { 0 }
    }

    /// Returns the cost of inserting the token in an edit that is not of whole lines.
    fn inserted(&self) -> u32 {
        self.removed() + if self.is_copied { LINES } else { 0 }
    }
}

/// The origin of a token of the new text, according to the possible alignments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The index of the token in the old text, or `None` if the token is new.
    pub at: Option<usize>,
    /// Whether possible alignments give the token different meanings.
    pub is_doubtful: bool,
}

/// The costs of the possible origins of a token.
#[derive(Clone, Copy)]
struct Candidates {
    least: u32,
    meaning: u64,
    at: Option<usize>,
    /// The least cost of an origin with another meaning.
    other: u32,
    /// The least cost of the token being new.
    new: u32,
}

impl Candidates {
    fn add(&mut self, cost: u32, meaning: u64, at: Option<usize>) {
        if cost < self.least {
            if meaning != self.meaning {
                self.other = self.least;
            }
            (self.least, self.meaning, self.at) = (cost, meaning, at);
        } else if meaning != self.meaning {
            self.other = self.other.min(cost);
        }
    }

    fn origin(mut self, old: &[Token]) -> Origin {
        // A token that may be an old token without loss is not taken for new.
        let may_be_new = self.at.is_none_or(|at| old[at].shows_loss) || self.new < self.least;
        if may_be_new {
            self.add(self.new, 0, None);
        }
        Origin { at: self.at, is_doubtful: self.other < self.least + MARGIN }
    }
}

/// The result of aligning two texts.
pub(super) enum Alignment {
    /// The cost of the best alignment, and the origin of each new token.
    Found(u32, Vec<Origin>),
    /// The best alignment costs more than the limit.
    TooCostly,
    /// The table would have more than [`CELLS`] cells, or more than the budget of the text.
    TooLong,
}

/// Estimates whether the table of two texts of `old` and `new` tokens is small enough. It has a row for each token of
/// the new text, and about as many columns as the texts differ in length and as an edit costs.
pub(super) fn may_fit(old: usize, new: usize) -> bool {
    (old.abs_diff(new) + EDIT as usize).saturating_mul(new + 1) <= CELLS
}

/// Whether every table of two texts with `old` and `new` tokens is small enough.
pub(super) fn fits_fully(old: usize, new: usize) -> bool {
    (old + 1).saturating_mul(new + 1) <= CELLS
}

/// Aligns two texts, unless that costs more than `most` characters. `budget` is the number of cells that tables of the
/// text may still have; those of the last table of each alignment are subtracted.
pub(super) fn align(old: &[Token], new: &[Token], most: u32, budget: &mut usize) -> Alignment {
    let edit = Edit::new(old, new);
    let [start, end] = edit.certain(old, new);
    let [old_inner, new_inner] = [old, new].map(|text| &text[start..text.len() - end]);
    let mut alignment = align_all(old_inner, new_inner, start + end == 0, most.min(edit.cost), budget);
    if let Alignment::Found(_, origins) = &mut alignment {
        origins.iter_mut().for_each(|origin| origin.at = origin.at.map(|at| at + start));
        let kept = |at: usize| Origin { at: Some(at), is_doubtful: false };
        origins.splice(..0, (0..start).map(kept));
        origins.extend((old.len() - end..old.len()).map(kept));
    }
    alignment
}

/// Aligns all tokens of two texts, which begin lines or are parts of lines. A table without costly alignments is small,
/// so the limit of the cost doubles until an alignment is found.
fn align_all(old: &[Token], new: &[Token], begins: bool, most: u32, budget: &mut usize) -> Alignment {
    let removed = &places(old, new, begins, Token::removed);
    let inserted = &places(new, old, begins, Token::inserted);
    let mut limit = most.min(2 * EDIT);
    loop {
        let Some(table) = Table::new(removed, inserted, limit, CELLS.min(*budget)) else {
            *budget = budget.saturating_sub(CELLS);
            return Alignment::TooLong;
        };
        let cost = table.cost();
        if cost <= limit || limit == most {
            *budget -= table.cells.len();
        }
        if cost <= limit {
            return Alignment::Found(cost, table.origins(old));
        }
        if limit == most {
            return Alignment::TooCostly;
        }
        // If the table has an alignment, the limit need not exceed its cost.
        limit = most.min(cost).min(2 * limit);
    }
}

/// Returns a lower bound of the cost of aligning two texts, from the difference of their numbers of lines, and from
/// their numbers of each character. Characters with the same lowest byte are counted together.
pub(super) fn least_cost(old: &str, new: &str, lines: usize) -> u32 {
    let mut surplus = [0_i32; 256];
    old.chars().for_each(|scalar| surplus[(scalar as usize) & 0xFF] += 1);
    new.chars().for_each(|scalar| surplus[(scalar as usize) & 0xFF] -= 1);
    // Newlines may differ.
    (surplus[usize::from(b'\r')], surplus[usize::from(b'\n')]) = (0, 0);
    // If both have as many lines, a line is changed, or as many lines are inserted as removed.
    let edits = if lines == 0 { EDIT.min(2 * LINES) } else { LINES * lines as u32 };
    surplus.iter().map(|count| count.unsigned_abs()).sum::<u32>() + edits
}

/// A single edit of everything between the common start and the common end of two texts.
struct Edit {
    /// Number of equal tokens at the start.
    start: usize,
    /// Number of equal tokens at the end, not counting those of the start.
    end: usize,
    /// The cost of the edit, an upper bound of the best cost.
    cost: u32,
}

impl Edit {
    fn new(old: &[Token], new: &[Token]) -> Edit {
        let start = common(values(old).zip(values(new)));
        let [old, new] = [&old[start..], &new[start..]];
        let end = common(values(old).rev().zip(values(new).rev()));
        let removed: u32 = old[..old.len() - end].iter().map(Token::removed).sum();
        let inserted: u32 = new[..new.len() - end].iter().map(Token::inserted).sum();
        Edit { start, end, cost: EDIT + removed + inserted }
    }

    /// Returns how many tokens at the start and at the end are the same in all possible alignments. That is known only
    /// in a single line in which two edits cost too much.
    fn certain(&self, old: &[Token], new: &[Token]) -> [usize; 2] {
        let has_lines = |text: &[Token]| text.iter().rev().skip(1).any(Token::is_newline);
        if self.cost + MARGIN > 2 * (EDIT + 1) || has_lines(old) || has_lines(new) {
            return [0, 0];
        }
        let (old_end, new_end) = (old.len() - self.end, new.len() - self.end);
        // If the edit begins earlier, it may also end earlier, by the equal tokens before its end.
        let before_end = old[..old_end].iter().rev().zip(new[..new_end].iter().rev());
        let equal = before_end.take_while(|(one, other)| one.value == other.value);
        let saved = equal.map(cost_of).sum::<u32>();
        let start = old[..self.start].iter().zip(new).rev();
        let end = old[old_end..].iter().zip(&new[new_end..]);
        [self.start - within(start, saved + MARGIN), self.end - within(end, MARGIN)]
    }
}

fn values(text: &[Token]) -> impl DoubleEndedIterator<Item = u32> {
    text.iter().map(|token| token.value)
}

/// Returns the cost of removing a token and inserting an equal one.
fn cost_of((old, new): (&Token, &Token)) -> u32 {
    old.removed() + new.inserted()
}

/// Returns how many of the equal pairs an edit may include for less than `most`.
fn within<'a>(pairs: impl Iterator<Item = (&'a Token, &'a Token)>, most: u32) -> usize {
    let costs = pairs.scan(0, |cost, pair| {
        *cost += cost_of(pair);
        Some(*cost)
    });
    costs.take_while(|cost| *cost < most).count()
}

/// A position in a text, and the costs of editing the token before it, in characters. At the start, where no token is
/// before, the costs are [`NEVER`].
struct Place {
    value: u32,
    /// The cost within an edit that is not of whole lines.
    inside: u32,
    /// The cost if the token is in an edit of whole lines, but is not the first token of the edit.
    in_lines: u32,
    /// The cost if the token is the first token of an edit of whole lines; [`NEVER`] if it does not begin a line.
    first: u32,
    /// Number of lines that begin later and that the other text does not have. Each of them is edited, and an edit costs
    /// at least [`LINES`] for each line of both texts in it, above the cost of its characters.
    only_here: u32,
    /// Whether a line begins here.
    begins: bool,
    /// Whether a line ends before here.
    ends: bool,
}

/// Returns the positions in a text whose tokens are removed or inserted. `begins` is whether the text begins a line, and
/// `inside` returns the cost of a token in an edit that is not of whole lines.
fn places(text: &[Token], other: &[Token], begins: bool, inside: fn(&Token) -> u32) -> Vec<Place> {
    let begins = |at: usize| at.checked_sub(1).map_or(begins, |before| text[before].is_newline());
    let place = |(at, only_here): (usize, u32)| {
        let (begins_here, is_end) = (begins(at), at == text.len());
        let place = Place {
            value: 0,
            inside: NEVER,
            in_lines: NEVER,
            first: NEVER,
            only_here,
            begins: begins_here,
            ends: begins_here || is_end,
        };
        let Some(before) = at.checked_sub(1) else { return place };
        let inside = inside(&text[before]);
        let cost = inside - if begins_here { LINES } else { 0 };
        let (in_lines, first) = if begins(before) { (cost + LINES, cost + LINES) } else { (cost, NEVER) };
        Place { value: text[before].value, inside, in_lines, first, ..place }
    };
    only_in(text, other).into_iter().enumerate().map(place).collect()
}

/// Returns, for each number of tokens of `text`, how many lines begin later that `other` does not have. Empty lines are
/// not counted, because the text after the last newline is none if it is empty.
fn only_in(text: &[Token], other: &[Token]) -> Vec<u32> {
    let values_of = |line: &[Token]| values(line).collect::<Vec<_>>();
    let known: LazyCell<HashSet<Vec<u32>>, _> =
        LazyCell::new(|| other.split(Token::is_newline).map(values_of).collect());
    let (mut counts, mut count, mut end) = (vec![0; text.len() + 1], 0, text.len());
    for line in text.rsplit(Token::is_newline) {
        let start = end - line.len();
        counts[start..=end].fill(count);
        count += u32::from(start > 0 && !line.is_empty() && !known.contains(&values_of(line)));
        end = start.saturating_sub(1);
    }
    counts
}

/// The least costs of aligning the first tokens of both texts. Costs that no possible alignment has are left out.
struct Table<'a> {
    old: &'a [Place],
    new: &'a [Place],
    /// A row is a position in the new text.
    rows: Vec<Row>,
    /// The cells of all rows.
    cells: Vec<Costs>,
}

/// A row of a table. Cells outside its columns are impossible.
struct Row {
    /// The positions in the old text.
    columns: Range<usize>,
    /// The index of the cell in the first column.
    first: usize,
}

/// The least costs of aligning the first tokens of both texts, or the last tokens.
#[derive(Clone, Copy)]
struct Costs {
    /// The cost if no edit is open.
    outside: u32,
    /// The cost if an edit is open.
    inside: u32,
    /// The cost if an edit of whole lines is open.
    in_lines: u32,
}

const IMPOSSIBLE: Costs = Costs { outside: NEVER, inside: NEVER, in_lines: NEVER };

impl Costs {
    fn least(self) -> u32 {
        self.outside.min(self.inside).min(self.in_lines)
    }

    /// Returns the least cost of an alignment that passes a cell, from the costs before and after the cell.
    fn least_with(self, rest: Costs) -> u32 {
        let outside = self.outside + rest.outside;
        outside.min(self.inside + rest.inside).min(self.in_lines + rest.in_lines)
    }

    /// Returns the costs after the token before `place` was edited. `begins_line` is whether a line begins in the other
    /// text.
    #[inline]
    fn after(self, place: &Place, begins_line: bool) -> Costs {
        let first = if begins_line { self.outside + place.first } else { NEVER };
        Costs {
            outside: NEVER,
            inside: self.inside.min(self.outside + EDIT) + place.inside,
            in_lines: first.min(self.in_lines + place.in_lines),
        }
    }

    /// Returns the least of both costs. `may_end_lines` allows an edit of whole lines to end.
    #[inline]
    fn or(self, other: Costs, may_end_lines: bool) -> Costs {
        let inside = self.inside.min(other.inside);
        let in_lines = self.in_lines.min(other.in_lines);
        let ended = if may_end_lines { inside.min(in_lines) } else { inside };
        Costs { outside: self.outside.min(other.outside).min(ended).min(NEVER), inside, in_lines }
    }
}

impl<'a> Table<'a> {
    /// Computes the cells that a possible alignment may pass: one that costs less than [`MARGIN`] more than `limit`.
    /// Returns `None` if there are more than `most`.
    fn new(old: &'a [Place], new: &'a [Place], limit: u32, most: usize) -> Option<Table<'a>> {
        let rows = Vec::with_capacity(new.len());
        let mut table = Table { old, new, rows, cells: Vec::new() };
        let mut buffer = Vec::new();
        for row in 0..new.len() {
            table.add_row(row, limit, &mut buffer);
            if table.cells.len() > most {
                return None;
            }
        }
        Some(table)
    }

    /// Returns the columns of the row above `row`, and its cells.
    fn above(&self, row: usize) -> (Range<usize>, &[Costs]) {
        let Some(Row { columns, first }) = row.checked_sub(1).map(|above| &self.rows[above]) else {
            return (0..0, &[]);
        };
        (columns.clone(), &self.cells[*first..first + columns.len()])
    }

    /// Computes the cells of a row that a possible alignment may pass. `cells` is a buffer for them.
    fn add_row(&mut self, row: usize, limit: u32, cells: &mut Vec<Costs>) {
        cells.clear();
        let (columns_above, above) = self.above(row);
        let (new, rest_of_new) = (&self.new[row], self.new.len() - row);
        let (mut left, mut above_left, mut columns) = (IMPOSSIBLE, IMPOSSIBLE, 0..0);
        for (column, old) in self.old.iter().enumerate().skip(columns_above.start) {
            // Here, a cell can be reached only from the cell to its left.
            if column > columns_above.end && column != columns.end {
                break;
            }
            let up = above.get(column - columns_above.start).copied().unwrap_or(IMPOSSIBLE);
            let removed = left.after(old, new.begins);
            let mut costs = removed.or(up.after(new, old.begins), old.ends && new.ends);
            if row == 0 && column == 0 {
                costs.outside = 0;
            }
            if old.value == new.value {
                costs.outside = costs.outside.min(above_left.outside);
            }
            (left, above_left) = (IMPOSSIBLE, up);
            // After this cell, each token by which the rests of both texts differ in length costs at least 1.
            let rest = (self.old.len() - column).abs_diff(rest_of_new) as u32;
            if costs.least() + rest + LINES * (old.only_here + new.only_here) < limit + MARGIN {
                let start = if columns.is_empty() { column } else { columns.start };
                columns = start..column + 1;
                left = costs;
            }
            if !columns.is_empty() {
                cells.push(left);
            }
        }
        self.rows.push(Row { first: self.cells.len(), columns: columns.clone() });
        self.cells.extend_from_slice(&cells[..columns.len()]);
    }

    /// Returns the cost of the best alignment.
    fn cost(&self) -> u32 {
        let last = self.cells.last().filter(|_| self.rows[self.new.len() - 1].columns.end == self.old.len());
        last.map_or(NEVER, |cell| cell.outside)
    }

    /// Returns the origins of the new tokens, by adding the cost before each cell to the cost after it. `old` has the
    /// tokens of the old text.
    fn origins(&self, old: &[Token]) -> Vec<Origin> {
        let none = Candidates { least: NEVER, meaning: 0, at: None, other: NEVER, new: NEVER };
        let mut candidates = vec![none; self.new.len() - 1];
        let limit = self.cost() + MARGIN;
        // The costs from the cells of a row to the end. The cells of the row below are overwritten from the last to the
        // first.
        let mut rests = vec![IMPOSSIBLE; self.old.len() + 1];
        for row in (0..self.new.len()).rev() {
            let Row { columns, first } = &self.rows[row];
            let mut below_right = rests[columns.end];
            let end_below = self.rows.get(row + 1).map_or(0, |below| below.columns.end);
            rests[columns.end..end_below.max(columns.end)].fill(IMPOSSIBLE);
            let (columns_above, above) = self.above(row);
            let above = |column: usize| {
                let at = column.checked_sub(columns_above.start);
                at.and_then(|at| above.get(at)).copied().unwrap_or(IMPOSSIBLE)
            };
            let new = &self.new[row];
            for column in columns.clone().rev() {
                let below = std::mem::replace(&mut rests[column], IMPOSSIBLE);
                let rest = self.rest(row, column, rests[column + 1], below, below_right);
                below_right = below;
                if let Some(row) = row.checked_sub(1) {
                    let old_place = &self.old[column];
                    let inserted = above(column).after(new, old_place.begins);
                    let least = (inserted.inside + rest.inside).min(inserted.in_lines + rest.in_lines);
                    candidates[row].new = candidates[row].new.min(least);
                    if old_place.value == new.value
                        && let Some(before) = column.checked_sub(1)
                    {
                        let cost = above(before).outside + rest.outside;
                        candidates[row].add(cost, old[before].meaning, Some(before));
                    }
                }
                if self.cells[first + column - columns.start].least_with(rest) < limit {
                    rests[column] = rest;
                }
            }
        }
        candidates.into_iter().map(|found| found.origin(old)).collect()
    }

    /// Returns the least costs from a cell to the end. `right` has the costs after one more old token, `below` after
    /// one more new token, and `below_right` after one more of each.
    #[inline]
    fn rest(&self, row: usize, column: usize, right: Costs, below: Costs, below_right: Costs) -> Costs {
        let (mut inside, mut in_lines, mut first) = (NEVER, NEVER, NEVER);
        let mut edited = |place: &Place, rest: Costs| {
            inside = inside.min(rest.inside + place.inside);
            in_lines = in_lines.min(rest.in_lines + place.in_lines);
            first = first.min(rest.in_lines + place.first);
        };
        let (removed, inserted) = (self.old.get(column + 1), self.new.get(row + 1));
        if let Some(place) = removed {
            edited(place, right);
        }
        if let Some(place) = inserted {
            edited(place, below);
        }
        let mut outside = match (removed, inserted) {
            (None, None) => 0,
            (Some(removed), Some(inserted)) if removed.value == inserted.value => {
                below_right.outside.min(inside + EDIT)
            }
            _ => inside + EDIT,
        };
        let (old, new) = (&self.old[column], &self.new[row]);
        if old.begins && new.begins {
            outside = outside.min(first);
        }
        let outside = outside.min(NEVER);
        let ended = if old.ends && new.ends { outside } else { NEVER };
        Costs { outside, inside: inside.min(outside), in_lines: in_lines.min(ended) }
    }
}

/// Returns the origins of the characters of the new text, from the origins of its tokens.
pub(super) fn of_characters(old: &[Token], new: &[Token], origins: &[Origin]) -> Vec<Origin> {
    let of_token = |(token, origin): (&Token, &Origin)| {
        let Origin { at, is_doubtful } = *origin;
        let first = at.map(|at| old[at].first);
        (0..token.count as usize)
            .map(move |index| Origin { at: first.map(|first| first + index), is_doubtful })
    };
    new.iter().zip(origins).flat_map(of_token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;
    use crate::text::tokens;

    /// The tokens at the ends of a line need no table: with and without them, a line has the same alignment.
    #[test]
    fn certain_tokens_are_those_of_the_whole_alignment() {
        let mut random = Random(3);
        let mut shorter = 0;
        for _ in 0..20_000 {
            let letters = &['a', 'b', '\u{FFFD}', 'c', ' '][..2 + random.below(4)];
            let mut text = |most| -> Vec<char> {
                (0..random.below(most)).map(|_| letters[random.below(letters.len())]).collect()
            };
            let [start, removed, inserted, end] = [text(30), text(5), text(5), text(30)];
            let line = |middle: &[char]| [&start, middle, &end, &['\n'][..]].concat();
            let [mut old, new] = [removed, inserted].map(|middle| tokens(&line(&middle), Some('\u{FFFD}')));
            for (index, token) in old.iter_mut().enumerate() {
                token.shows_loss = token.value > u32::from(char::MAX);
                token.meaning = if random.below(3) == 0 { index as u64 } else { 0 };
            }
            let edit = Edit::new(&old, &new);
            shorter += usize::from(edit.certain(&old, &new) != [0, 0]);
            let all = align_all(&old, &new, true, NEVER, &mut { usize::MAX });
            let (Alignment::Found(cost, origins), Alignment::Found(whole_cost, whole)) =
                (align(&old, &new, NEVER, &mut { usize::MAX }), all)
            else {
                panic!("{old:?} and {new:?} are not aligned");
            };
            assert_eq!(cost, whole_cost, "{old:?} {new:?}");
            let shown = |origins: &[Origin]| -> Vec<_> {
                origins.iter().map(|origin| (origin.at, origin.is_doubtful)).collect()
            };
            assert_eq!(shown(&origins), shown(&whole), "{old:?} {new:?}");
        }
        assert!(shorter > 5_000, "{shorter} lines");
    }

    /// The cells of every alignment are subtracted from the budget, and a table that exceeds the budget is refused.
    #[test]
    fn alignments_share_a_budget_of_cells() {
        let text = |line: &str| tokens(&line.chars().collect::<Vec<_>>(), None);
        let (old, new, mut budget) = (text("one line\n"), text("another\n"), usize::MAX);
        let is_aligned =
            |budget: &mut usize| matches!(align(&old, &new, NEVER, budget), Alignment::Found(..));
        assert!(is_aligned(&mut budget));
        let mut budget = 2 * (usize::MAX - budget) - 1;
        assert!(is_aligned(&mut budget) && budget > 0, "{budget}");
        assert!(!is_aligned(&mut budget));
        assert_eq!(budget, 0);
    }

    /// The cells that are left out belong to no possible alignment: without them, a text has the same alignment.
    #[test]
    fn cells_of_possible_alignments_are_computed() {
        let mut random = Random(5);
        let (mut computed, mut all) = (0, 0);
        for _ in 0..3_000 {
            let mut line = || -> Vec<char> {
                let letters = (0..random.below(9)).map(|_| ['a', 'b', '\u{FFFD}'][random.below(3)]);
                letters.chain(['\n']).collect()
            };
            let lines: Vec<_> = (0..4).map(|_| line()).collect();
            let mut text = || -> Vec<char> {
                let mut text =
                    (0..random.below(7)).flat_map(|_| lines[random.below(4)].clone()).collect::<Vec<_>>();
                for _ in 0..random.below(4) {
                    let at = random.below(text.len() + 1);
                    text.splice(
                        at..(at + random.below(3)).min(text.len()),
                        ['c'; 2][..random.below(3)].to_vec(),
                    );
                }
                text
            };
            let [mut old, new] = [text(), text()].map(|text| tokens(&text, Some('\u{FFFD}')));
            (0..).zip(&mut old).for_each(|(index, token)| token.meaning = index % 3);
            let removed = places(&old, &new, true, Token::removed);
            let inserted = places(&new, &old, true, Token::inserted);
            let table = |most| Table::new(&removed, &inserted, most, CELLS).expect("both texts are short");
            let whole = table(NEVER);
            let part = table(whole.cost());
            (computed, all) = (computed + part.cells.len(), all + whole.cells.len());
            let shown = |table: &Table| -> Vec<_> {
                let origins = table.origins(&old).into_iter();
                origins.map(|origin| (origin.at, origin.is_doubtful)).collect()
            };
            assert_eq!(part.cost(), whole.cost(), "{old:?} {new:?}");
            assert_eq!(shown(&part), shown(&whole), "{old:?} {new:?}");
            let aligned = align_all(&old, &new, true, NEVER, &mut { usize::MAX });
            assert!(matches!(aligned, Alignment::Found(cost, _) if cost == whole.cost()), "{old:?} {new:?}");
            if let Some(less) = whole.cost().checked_sub(1) {
                let refused = align_all(&old, &new, true, less, &mut { usize::MAX });
                assert!(matches!(refused, Alignment::TooCostly), "{old:?} {new:?}");
            }
        }
        assert!(computed < all, "{computed} of {all} cells");
    }
}
