//! The characters of a changed range: the characters of the view with the bytes that they stand for, and the characters
//! of the edited text.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::align::{CELLS, Token};
use super::view::{TextRange, View, Viewed};

/// A unit of the original that has text in the view.
pub(super) struct OldUnit {
    /// The bytes of the unit in the original.
    pub bytes: Range<usize>,
    /// The index of the first character of the unit in the text.
    pub first: usize,
    /// Number of characters of the unit.
    pub count: usize,
    pub is_lost: bool,
}

/// Units of the original that have no text in the view.
pub(super) struct Gap {
    /// The index of the character that follows the gap.
    pub before: usize,
    /// The bytes of the units in the original.
    pub bytes: Range<usize>,
    /// Number of lost units.
    pub lost: u64,
}

/// A range of the text of the view. Each newline is one line feed.
pub(super) struct OldText {
    pub chars: Vec<char>,
    /// The index of the unit of each character.
    pub unit_of: Vec<usize>,
    pub units: Vec<OldUnit>,
    pub gaps: Vec<Gap>,
    /// Whether the range begins at the start of a line.
    pub begins_line: bool,
}

impl OldText {
    pub fn new(viewed: &Viewed, range: &TextRange) -> OldText {
        let len = range.bytes.len();
        let mut text = OldText {
            chars: Vec::with_capacity(len),
            unit_of: Vec::with_capacity(len),
            units: Vec::with_capacity(len),
            gaps: Vec::new(),
            begins_line: viewed.begins_line(range.bytes.start),
        };
        let mut ends_with_cr = false;
        viewed.units_in(range, |bytes, unit| {
            let before = text.chars.len();
            let is_newline = !viewed.is_wide && matches!(unit.text, "\r" | "\n");
            match text.units.last_mut() {
                Some(newline) if ends_with_cr && unit.text == "\n" => newline.bytes.end = bytes.end,
                _ if unit.text.is_empty() => {
                    let lost = u64::from(unit.is_lost);
                    match text.gaps.last_mut().filter(|gap| gap.before == before) {
                        Some(gap) => (gap.bytes.end, gap.lost) = (bytes.end, gap.lost + lost),
                        None => text.gaps.push(Gap { before, bytes, lost }),
                    }
                }
                _ => {
                    let shown = if is_newline { "\n" } else { unit.text };
                    for scalar in shown.chars() {
                        text.chars.push(scalar);
                        text.unit_of.push(text.units.len());
                    }
                    let count = text.chars.len() - before;
                    text.units.push(OldUnit { bytes, first: before, count, is_lost: unit.is_lost });
                }
            }
            ends_with_cr = is_newline && unit.text == "\r";
        });
        text
    }

    /// Returns the tokens to align. The meaning of a token is a hash of the lost bytes of its units, unless the view
    /// shows these, and of the gaps beside it.
    pub fn tokens(&self, viewed: &Viewed) -> Vec<Token> {
        let (mark, mut meanings) = (viewed.view.mark(), vec![0; self.chars.len()]);
        let shows_bytes = matches!(viewed.view, View::Misread(_) | View::MisreadLossy(..));
        for unit in self.units.iter().filter(|unit| unit.is_lost) {
            let bytes = &viewed.original[unit.bytes.clone()];
            let chars = unit.first..unit.first + unit.count;
            for (index, meaning) in meanings[chars].iter_mut().enumerate() {
                if !shows_bytes || Some(self.chars[unit.first + index]) == mark {
                    *meaning = number((bytes, index));
                }
            }
        }
        for Gap { before, bytes, .. } in self.gaps.iter().filter(|gap| gap.lost > 0) {
            let beside = [before.checked_sub(1), Some(*before)];
            let is_newline = beside.map(|at| at.and_then(|at| self.chars.get(at)) == Some(&'\n'));
            for (side, at) in beside.into_iter().enumerate() {
                // A newline beside a gap may be replaced by another newline, so it has no meaning.
                if is_newline[side] && !is_newline[1 - side] {
                    continue;
                }
                if let Some(meaning) = at.and_then(|at| meanings.get_mut(at)) {
                    *meaning = number((*meaning, &viewed.original[bytes.clone()], side));
                }
            }
        }
        let mut tokens = tokens(&self.chars, mark);
        for token in &mut tokens {
            token.shows_loss = mark == Some(self.chars[token.first]) && self.is_lost(token.first);
            let meanings = &meanings[token.first..][..token.count as usize];
            token.meaning = if meanings.iter().all(|meaning| *meaning == 0) { 0 } else { number(meanings) };
        }
        tokens
    }

    pub fn unit_at(&self, at: usize) -> &OldUnit {
        &self.units[self.unit_of[at]]
    }

    /// Whether the character at this index belongs to a lost unit.
    pub fn is_lost(&self, at: usize) -> bool {
        self.unit_of.get(at).is_some_and(|unit| self.units[*unit].is_lost)
    }
}

/// A range of the edited text. Each newline is one line feed.
pub(super) struct NewText {
    pub chars: Vec<char>,
    /// The offset of each character in the edited text, in bytes, and the end of the range.
    pub offsets: Vec<usize>,
}

impl NewText {
    pub fn new(edited: &str, range: Range<usize>, is_wide: bool) -> NewText {
        let (mut chars, mut offsets) = (Vec::with_capacity(range.len()), Vec::with_capacity(range.len() + 1));
        let mut ends_with_cr = false;
        for (offset, scalar) in edited[range.clone()].char_indices() {
            let is_cr = !is_wide && scalar == '\r';
            if !(ends_with_cr && scalar == '\n') {
                chars.push(if is_cr { '\n' } else { scalar });
                offsets.push(range.start + offset);
            }
            ends_with_cr = is_cr;
        }
        offsets.push(range.end);
        NewText { chars, offsets }
    }

    /// Returns the ranges of the lines, without their newlines.
    pub fn lines(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        self.chars.split(|scalar| *scalar == '\n').map(move |line| {
            let range = start..start + line.len();
            start = range.end + 1;
            range
        })
    }
}

/// Returns a hash of a value, which is never 0.
fn number(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish() | 1
}

/// Returns the tokens to align: one for each character, and one for each run of marks. Part of a run is never equal to
/// another run.
pub(super) fn tokens(text: &[char], mark: Option<char>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(scalar) = text.get(at) {
        let is_mark = Some(*scalar) == mark;
        let count = if is_mark { text[at..].iter().take_while(|next| *next == scalar).count() } else { 1 };
        // The highest bit distinguishes the value of a run from that of a character.
        let value = if is_mark { count as u32 | 1 << 31 } else { u32::from(*scalar) };
        let first = at;
        at += count;
        let is_within_word = || text.get(at).is_some_and(|next| next.is_alphanumeric());
        let is_copied = is_mark && (*scalar == char::REPLACEMENT_CHARACTER || is_within_word());
        tokens.push(Token { value, first, count: count as u32, meaning: 0, shows_loss: false, is_copied });
    }
    tokens
}

/// Returns the number of tokens of a text, or [`CELLS`] if it has more, which are too many for any table. CRLF is one
/// token, unless the text shows wide code units.
pub(super) fn count_of_tokens(text: &str, mark: Option<char>, is_wide: bool) -> usize {
    let mut last = None;
    let begins = |scalar: &char| match last.replace(*scalar) {
        Some('\r') => *scalar != '\n' || is_wide,
        last => last != Some(*scalar) || last != mark,
    };
    text.chars().filter(begins).take(CELLS).count()
}
