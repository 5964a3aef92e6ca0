//! The alignments of two short texts: which characters of the new one are characters of the old one.
//!
//! An edit replaces characters that are side by side by others, or by none. It costs one for each of them and [`EDIT`], or, if
//! it is of whole lines, [`LINES`] for each line. Of all alignments, those that cost less than [`MARGIN`] more than the best one are taken as
//! possible.

/// What it costs to remove or insert a line in addition to its characters, in characters. One longer edit is likelier than
/// two short ones; a word has about so many characters.
const LINES: u32 = 8;

/// How much more an alignment costs that is ruled out, in characters: as much as one further edit of lines.
pub(super) const MARGIN: u32 = LINES;

/// The same as [`LINES`] for other edits: where both explain a text, lines were edited.
pub(super) const EDIT: u32 = LINES + MARGIN;

/// The most cells of the table of one alignment. A cell takes 12 bytes.
const CELLS: usize = 1 << 23;

/// How far the first table reaches beyond the difference in length, in characters. Most edits fit, and others take a second
/// table.
const REACH: usize = 8;

/// More than any cost.
const NEVER: u32 = u32::MAX / 4;

/// A character of a text to align, or a run of marks.
#[derive(Clone, Copy)]
pub(super) struct Token {
    /// It is equal where the characters are.
    pub value: u32,
    /// How many characters that are.
    pub count: u32,
    /// What they stand for beyond what they show; 0 is nothing, as for new characters.
    pub meaning: u64,
    /// Whether they show that something is lost. Otherwise they are not taken for new where they may be old.
    pub shows_loss: bool,
    /// Whether they are never typed. They were copied from somewhere then, which is one more edit.
    pub is_copied: bool,
}

impl Token {
    /// What an edit costs that is not of whole lines, but extends across their ends.
    fn across_lines(self) -> u32 {
        if self.value == u32::from('\n') { LINES } else { 0 }
    }

    fn inserted(self) -> u32 {
        self.count + if self.is_copied { LINES } else { 0 }
    }
}

/// What the possible alignments say about a token of the new text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The index of the token in the old text; None if it is new.
    pub at: Option<usize>,
    /// Whether possible alignments differ in what the token stands for.
    pub is_doubtful: bool,
}

/// The costs of what one token may be.
#[derive(Clone, Copy)]
struct Candidates {
    least: u32,
    meaning: u64,
    at: Option<usize>,
    /// The least cost with another meaning.
    other: u32,
    /// The least cost as a new token.
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
}

/// Aligns two texts. Returns the cost of the best alignment, and the origin of each new token; None if the table is too
/// large.
pub(super) fn align(old: &[Token], new: &[Token]) -> Option<(u32, Vec<Origin>)> {
    let difference = old.len().abs_diff(new.len());
    let mut reach = REACH;
    loop {
        let table = Table::new(old, new, reach)?;
        let cost = table.cost();
        // An alignment beyond the table has two edits that are longer than its reach.
        let beyond = 2 * LINES as usize + difference + 2 * (reach + 1);
        if (cost + MARGIN) as usize <= beyond || reach >= old.len().max(new.len()) {
            return Some((cost, table.origins()));
        }
        reach *= 4;
    }
}

/// The least costs of the alignments of the first characters of both texts, for all lengths that differ by the reach.
struct Table<'a> {
    old: &'a [Token],
    new: &'a [Token],
    /// How many more new characters than old ones a cell may have.
    most_new: usize,
    width: usize,
    /// For each number of new characters and each difference.
    cells: Vec<Costs>,
}

/// Costs of alignments. Those of the first characters of both texts lead there, and those of the last ones lead on.
#[derive(Clone, Copy)]
struct Costs {
    /// Outside of edits.
    outside: u32,
    /// Within an edit.
    inside: u32,
    /// Within an edit of whole lines.
    in_lines: u32,
}

const IMPOSSIBLE: Costs = Costs { outside: NEVER, inside: NEVER, in_lines: NEVER };

impl Costs {
    /// Returns the costs after one more edited token, if it begins a line, and an edit of whole lines may begin there.
    fn with(self, token: Token, cost: u32, begins_line: bool, may_begin_lines: bool) -> Costs {
        let next_line = if begins_line { LINES } else { 0 };
        let begun = if may_begin_lines { self.outside + LINES } else { NEVER };
        let in_lines = begun.min(self.in_lines + next_line);
        let inside = self.inside.min(self.outside + EDIT);
        Costs { outside: NEVER, inside: inside + cost + token.across_lines(), in_lines: in_lines + cost }
    }

    /// Returns the least of both costs, if an edit of whole lines may end or not.
    fn or(self, other: Costs, may_end_lines: bool) -> Costs {
        let inside = self.inside.min(other.inside);
        let in_lines = self.in_lines.min(other.in_lines);
        let ended = if may_end_lines { inside.min(in_lines) } else { inside };
        Costs { outside: self.outside.min(other.outside).min(ended).min(NEVER), inside, in_lines }
    }
}

impl<'a> Table<'a> {
    fn new(old: &'a [Token], new: &'a [Token], reach: usize) -> Option<Table<'a>> {
        let most_new = (new.len().saturating_sub(old.len()) + reach).min(new.len());
        let most_old = (old.len().saturating_sub(new.len()) + reach).min(old.len());
        let width = most_new + most_old + 1;
        let count = width.checked_mul(new.len() + 1).filter(|count| *count <= CELLS)?;
        let mut table = Table { old, new, most_new, width, cells: vec![IMPOSSIBLE; count] };
        table.fill();
        Some(table)
    }

    /// Returns the columns of a row, each with its number of old characters.
    fn columns(&self, row: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let first = self.most_new.saturating_sub(row);
        let end = (self.old.len() + self.most_new + 1).saturating_sub(row).min(self.width);
        let before = row + first - self.most_new;
        (first..end).map(move |column| (column, before + column - first))
    }

    /// Whether lines of both texts begin after so many characters.
    fn begins_lines(&self, old: usize, new: usize) -> bool {
        begins_line(self.old, old) && begins_line(self.new, new)
    }

    /// Whether lines of both texts end after so many characters.
    fn ends_lines(&self, old: usize, new: usize) -> bool {
        let ends = |text: &[Token], count| count == text.len() || begins_line(text, count);
        ends(self.old, old) && ends(self.new, new)
    }

    fn fill(&mut self) {
        for row in 0..=self.new.len() {
            let start = row * self.width;
            let mut left = IMPOSSIBLE;
            for (column, count) in self.columns(row) {
                let mut outside = if row == 0 && count == 0 { 0 } else { NEVER };
                let removed = match count.checked_sub(1) {
                    Some(before) => {
                        let begins_line = begins_line(self.old, before);
                        left.with(
                            self.old[before],
                            self.old[before].count,
                            begins_line,
                            self.begins_lines(before, row),
                        )
                    }
                    None => IMPOSSIBLE,
                };
                if row > 0 && count > 0 && self.old[count - 1].value == self.new[row - 1].value {
                    outside = outside.min(self.cells[start - self.width + column].outside);
                }
                let inserted = self.inserted(row, column, count);
                let costs = removed.or(inserted, self.ends_lines(count, row));
                left = Costs { outside: outside.min(costs.outside), ..costs };
                self.cells[start + column] = left;
            }
        }
    }

    /// Returns the costs after the last character of a row was inserted.
    fn inserted(&self, row: usize, column: usize, count: usize) -> Costs {
        if row == 0 || column + 1 == self.width {
            return IMPOSSIBLE;
        }
        let before = self.cells[(row - 1) * self.width + column + 1];
        let begins_line = begins_line(self.new, row - 1);
        before.with(
            self.new[row - 1],
            self.new[row - 1].inserted(),
            begins_line,
            self.begins_lines(count, row - 1),
        )
    }

    /// Returns the cost of the best alignment.
    fn cost(&self) -> u32 {
        let column = self.most_new + self.old.len() - self.new.len();
        self.cells[self.new.len() * self.width + column].outside
    }

    /// Compares all alignments: adds the costs of what follows to those of what precedes.
    fn origins(&self) -> Vec<Origin> {
        let none = Candidates { least: NEVER, meaning: 0, at: None, other: NEVER, new: NEVER };
        let mut candidates = vec![none; self.new.len()];
        // The costs of what follows, of the row below.
        let mut below = vec![IMPOSSIBLE; self.width];
        for row in (0..=self.new.len()).rev() {
            let mut right = IMPOSSIBLE;
            for (column, count) in self.columns(row).rev() {
                let rest = self.rest(row, column, count, &below, right);
                if row > 0 {
                    let found = &mut candidates[row - 1];
                    let cell = self.cells[(row - 1) * self.width + column];
                    if count > 0 && self.old[count - 1].value == self.new[row - 1].value {
                        found.add(cell.outside + rest.outside, self.old[count - 1].meaning, Some(count - 1));
                    }
                    let inserted = self.inserted(row, column, count);
                    let least = (inserted.inside + rest.inside).min(inserted.in_lines + rest.in_lines);
                    found.new = found.new.min(least);
                }
                right = rest;
                below[column] = rest;
            }
        }
        candidates.into_iter().map(|found| self.origin(found)).collect()
    }

    fn origin(&self, mut found: Candidates) -> Origin {
        let may_be_old = found.least < found.new.saturating_add(1);
        let shows_loss = found.at.is_some_and(|at| self.old[at].shows_loss);
        if !may_be_old || shows_loss || found.at.is_none() {
            let new = found.new;
            found.add(new, 0, None);
        }
        Origin { at: found.at, is_doubtful: found.other < found.least + MARGIN }
    }

    /// Returns the least costs of what follows a cell; `right` has those after one more old character.
    fn rest(&self, row: usize, column: usize, count: usize, below: &[Costs], right: Costs) -> Costs {
        let (is_new_left, is_old_left) = (row < self.new.len(), count < self.old.len());
        let end = if is_new_left || is_old_left { NEVER } else { 0 };
        let is_same = is_new_left && is_old_left && self.old[count].value == self.new[row].value;
        let same = if is_same { below[column].outside } else { NEVER };
        let removed =
            if is_old_left { after(right, self.old[count], self.old[count].count) } else { IMPOSSIBLE };
        // In the row below, the column before has as many old characters.
        let inserted = match column.checked_sub(1) {
            Some(before) if is_new_left => after(below[before], self.new[row], self.new[row].inserted()),
            _ => IMPOSSIBLE,
        };
        let inside = removed.inside.min(inserted.inside);
        let begun = removed.in_lines.min(inserted.in_lines) + LINES;
        let begun = if self.begins_lines(count, row) { begun } else { NEVER };
        let next_line = |begins_line: bool| if begins_line { LINES } else { 0 };
        let in_lines = (removed.in_lines + next_line(begins_line(self.old, count)))
            .min(inserted.in_lines + next_line(begins_line(self.new, row)));
        let outside = same.min(end).min(inside + EDIT).min(begun).min(NEVER);
        let ended = if self.ends_lines(count, row) { outside } else { NEVER };
        Costs { outside, inside: inside.min(outside).min(NEVER), in_lines: in_lines.min(ended).min(NEVER) }
    }
}

/// Returns the costs with one more edited character before.
fn after(costs: Costs, token: Token, cost: u32) -> Costs {
    let inside = costs.inside + cost + token.across_lines();
    Costs { outside: NEVER, inside, in_lines: costs.in_lines + cost }
}

/// Whether a line begins after so many characters of a text.
fn begins_line(text: &[Token], count: usize) -> bool {
    count.checked_sub(1).is_none_or(|last| text[last].value == u32::from('\n'))
}

/// Returns the origins of the characters of the new text.
pub(super) fn of_characters(old: &[Token], new: &[Token], origins: &[Origin]) -> Vec<Origin> {
    let mut starts = vec![0];
    starts.extend(old.iter().scan(0, |at, token| {
        *at += token.count as usize;
        Some(*at)
    }));
    let of_token = |(token, origin): (&Token, &Origin)| {
        let Origin { at, is_doubtful } = *origin;
        let start = at.map(|at| starts[at]);
        (0..token.count as usize)
            .map(move |index| Origin { at: start.map(|start| start + index), is_doubtful })
    };
    new.iter().zip(origins).flat_map(of_token).collect()
}
