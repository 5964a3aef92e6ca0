//! Views: what a program saw of an original when it decoded it in its own way.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

use super::lines::range_of;
use utfconv_core::Encoding;
use utfconv_core::SequenceDecoder;

/// How a program saw an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum View {
    /// The program decoded the encoding of the original; U+FFFD replaces ill-formed bytes.
    Exact,
    /// The program could not read or write some of the text, and replaced it.
    Lossy(Mark, Per),
    /// The program decoded another encoding, and so saw other characters. Undefined bytes are C1 controls.
    Misread(&'static Encoding),
    /// The same, with this replacement for C1 controls and undefined bytes.
    MisreadLossy(&'static Encoding, Mark),
}

impl View {
    /// Returns the other encoding that the program decoded.
    pub(super) fn other(self) -> Option<&'static Encoding> {
        match self {
            View::Misread(other) | View::MisreadLossy(other, _) => Some(other),
            View::Exact | View::Lossy(..) => None,
        }
    }

    /// Returns the character that replaces what the program could not read.
    pub(super) fn mark(self) -> Option<char> {
        match self {
            View::Lossy(mark, _) | View::MisreadLossy(_, mark) => mark.character(),
            View::Exact | View::Misread(_) => Some(char::REPLACEMENT_CHARACTER),
        }
    }

    /// Whether the program decoded the encoding of the original, though it may not have written all of it.
    pub(super) fn knows_encoding(self) -> bool {
        matches!(self, View::Exact | View::Lossy(_, Per::Character | Per::CodeUnit))
    }

    /// Returns the damage, if it has no mark of its own: question marks may have been typed, and characters deleted.
    #[must_use]
    pub fn damage(self) -> Option<Damage> {
        match self {
            View::Lossy(Mark::Question, _) => Some(Damage::QuestionMarks),
            View::Lossy(Mark::Omitted, _) => Some(Damage::Dropped),
            _ => None,
        }
    }
}

/// What a program did to what it could not read, if that has no mark of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// It became question marks.
    QuestionMarks,
    /// It was dropped.
    Dropped,
}

/// The replacement for what a program could not read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// U+FFFD, which is never typed.
    Replacement,
    /// A question mark.
    Question,
    /// Nothing.
    Omitted,
}

impl Mark {
    /// Returns the character; None if there is none.
    #[must_use]
    pub fn character(self) -> Option<char> {
        match self {
            Mark::Replacement => Some(char::REPLACEMENT_CHARACTER),
            Mark::Question => Some('?'),
            Mark::Omitted => None,
        }
    }
}

/// What a program replaced, each by one mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Per {
    /// Maximal subparts of what is ill-formed in UTF-8 (Unicode 3.9, D93b).
    Subpart,
    /// Bytes that are ill-formed in UTF-8.
    Byte,
    /// Bytes above 7F, by a program that knew only ASCII.
    HighByte,
    /// Characters that are not ASCII, by a program that knew the encoding.
    Character,
    /// The code units that these have in UTF-16.
    CodeUnit,
}

impl Per {
    pub(super) const ALL: [Per; 5] = [Per::Subpart, Per::Byte, Per::HighByte, Per::Character, Per::CodeUnit];
}

/// The shortest range that is whole in the original's encoding and in the view.
pub(super) struct Unit<'a> {
    /// The length of the unit in the original, in bytes.
    pub len: usize,
    /// The text of the unit in the view.
    pub text: &'a str,
    /// Whether the view does not show what the unit was.
    pub is_lost: bool,
}

/// Returns the text that a view shows of `bytes`, which begin where the encoding is in its initial state.
pub(super) fn text_of(encoding: &'static Encoding, view: View, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    units(encoding, view, bytes, |unit| text.push_str(unit.text));
    text
}

/// Calls `each` with the units of `bytes`, which begin where the encoding is in its initial state.
pub(super) fn units(encoding: &'static Encoding, view: View, bytes: &[u8], mut each: impl FnMut(Unit)) {
    let (mut decoder, mut other) = (encoding.sequences(), view.other().map(Encoding::sequences));
    let (is_wide, knows_encoding) = (encoding.code_unit_len() > 1, view.knows_encoding());
    let has_ascii = encoding.is_ascii_compatible() && view.other().is_none_or(Encoding::is_ascii_compatible);
    // The start of a unit, and the ends of what is decoded of it in the encoding, and of what the program saw.
    let (mut start, mut at, mut seen_at) = (0, 0, 0);
    let (mut meant, mut text, mut is_ill_formed) = (String::new(), String::new(), false);
    while start < bytes.len() {
        if has_ascii && start == at && bytes[start].is_ascii() {
            // A byte that is ASCII for all encodings is a unit.
            let text = str::from_utf8(&bytes[start..=start]).unwrap_or_default();
            each(Unit { len: 1, text, is_lost: false });
            start += 1;
            (at, seen_at) = (start, start);
            continue;
        }
        if at <= seen_at && at < bytes.len() {
            let (len, is_broken) = decoded(&mut decoder, &bytes[at..], &mut meant);
            at += len;
            is_ill_formed |= is_broken;
            seen_at = if knows_encoding { at } else { seen_at };
        } else {
            seen_at += seen(view, other.as_mut(), &bytes[seen_at..], &mut text);
        }
        if at == seen_at && (decoder.is_initial() || at == bytes.len()) {
            let is_lost = match view {
                View::Exact => is_ill_formed,
                View::Lossy(mark, per) if knows_encoding => {
                    text.extend(meant.chars().flat_map(|scalar| masked(scalar, mark, per)));
                    !meant.is_ascii()
                }
                // A program shows all of a code unit of several bytes if its text has these bytes.
                _ => text != meant && !(is_wide && text.as_bytes() == &bytes[start..at]),
            };
            let text_of_unit = if matches!(view, View::Exact) { &meant } else { &text };
            each(Unit { len: at - start, text: text_of_unit, is_lost });
            start = at;
            meant.clear();
            text.clear();
            is_ill_formed = false;
        }
    }
}

/// Adds the first sequence of some bytes to `text`. Returns its length, and whether it is ill-formed.
fn decoded(decoder: &mut SequenceDecoder, bytes: &[u8], text: &mut String) -> (usize, bool) {
    let Some(sequence) = decoder.next(bytes) else { return (bytes.len(), false) };
    (0..sequence.subparts).for_each(|_| text.push(char::REPLACEMENT_CHARACTER));
    let mut is_ill_formed = sequence.ill_formed.is_some();
    for code_point in sequence.code_points() {
        is_ill_formed |= char::from_u32(*code_point).is_none();
        text.push(char::from_u32(*code_point).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    (sequence.len, is_ill_formed)
}

/// Returns what is shown of a character by a program that knew it.
fn masked(scalar: char, mark: Mark, per: Per) -> impl Iterator<Item = char> {
    let count = if per == Per::CodeUnit { scalar.len_utf16() } else { 1 };
    let shown = if scalar.is_ascii() { Some(scalar) } else { mark.character() };
    shown.into_iter().flat_map(move |shown| std::iter::repeat_n(shown, count))
}

/// Adds what a program saw of the start of some bytes, which decoded UTF-8 or another encoding. Returns how many bytes that is.
fn seen(view: View, other: Option<&mut SequenceDecoder>, bytes: &[u8], text: &mut String) -> usize {
    if let Some(other) = other {
        let before = text.len();
        let (len, is_ill_formed) = decoded(other, bytes, text);
        // Undefined bytes are C1 controls, as in browsers.
        if is_ill_formed && len == 1 && matches!(bytes[0], 0x80..0xA0) {
            text.truncate(before);
            text.push(char::from(bytes[0]));
        }
        if let View::MisreadLossy(_, mark) = view
            && text.ends_with(|scalar| matches!(scalar, '\u{80}'..='\u{9F}'))
        {
            text.pop();
            text.extend(mark.character());
        }
        return len;
    }
    let View::Lossy(mark, per) = view else { return bytes.len() };
    let (len, scalar) = match per {
        Per::HighByte if !bytes[0].is_ascii() => (1, None),
        _ => first_of_utf8(bytes),
    };
    let count = if per == Per::Byte { len } else { 1 };
    match scalar {
        Some(scalar) => text.push(scalar),
        None => (0..count).for_each(|_| text.extend(mark.character())),
    }
    len
}

/// Returns the length of the first sequence of UTF-8, and its scalar value; or the length of the maximal subpart.
fn first_of_utf8(bytes: &[u8]) -> (usize, Option<char>) {
    let head = &bytes[..bytes.len().min(4)];
    let Some(chunk) = head.utf8_chunks().next() else { return (0, None) };
    match chunk.valid().chars().next() {
        Some(scalar) => (scalar.len_utf8(), Some(scalar)),
        None => (chunk.invalid().len(), None),
    }
}

/// An original as a program saw it.
pub(super) struct Viewed<'a> {
    pub original: &'a [u8],
    pub encoding: &'static Encoding,
    pub view: View,
    /// Whether code units have several bytes, which the view shows as characters.
    pub is_wide: bool,
    /// All of the text, without BOM.
    pub text: String,
    /// The offsets of the lines in the text, in bytes. In a wide encoding, a code unit of a newline ends its line.
    pub lines: Vec<usize>,
    /// The starts of the lines, the end, and others about every [`STEP`] bytes of a line.
    boundaries: Vec<Boundary>,
    /// The pairs of characters that are side by side, when first needed.
    pairs: OnceCell<HashSet<[char; 2]>>,
}

/// A boundary of units, before those without text.
#[derive(Clone, Copy)]
struct Boundary {
    /// The offsets in the text and in the original, in bytes.
    text: usize,
    at: usize,
    lost: Lost,
}

/// What is lost in a range of an original.
#[derive(Clone, Copy, Default)]
pub(super) struct Lost {
    /// The number of lost units.
    pub units: u64,
    /// The number of runs of such units.
    pub runs: u64,
}

/// How much of a long line is decoded again to find a boundary, in bytes. Each boundary takes 32 bytes.
const STEP: usize = 256;

impl<'a> Viewed<'a> {
    pub fn new(original: &'a [u8], encoding: &'static Encoding, view: View) -> Viewed<'a> {
        let mut text = String::with_capacity(original.len());
        let (mut lines, mut boundaries) = (Vec::new(), Vec::new());
        let (mut at, mut lost, mut next, mut is_open, mut ends_with_cr) =
            (0, Lost::default(), 0, false, false);
        let (mut shows_text, mut was_lost) = (true, false);
        let is_wide = encoding.code_unit_len() > 1 && !view.knows_encoding();
        units(encoding, view, original, |unit| {
            is_open &= !(ends_with_cr && !is_wide && !unit.text.starts_with('\n'));
            if !is_open {
                lines.push(text.len());
            }
            if !is_open || at >= next && shows_text {
                boundaries.push(Boundary { text: text.len(), at, lost });
                next = at + STEP;
            }
            is_open = !unit.text.contains('\n');
            ends_with_cr = unit.text.ends_with('\r');
            shows_text = !unit.text.is_empty();
            lost.units += u64::from(unit.is_lost);
            lost.runs += u64::from(unit.is_lost && !was_lost);
            was_lost = unit.is_lost;
            text.push_str(unit.text);
            at += unit.len;
        });
        boundaries.push(Boundary { text: text.len(), at, lost });
        // Units without text at the end belong to the line before.
        lines.pop_if(|line| *line == text.len());
        Viewed { original, encoding, view, is_wide, text, lines, boundaries, pairs: OnceCell::new() }
    }

    /// Whether two characters, not both ASCII, are side by side in the view.
    pub fn has_pair(&self, pair: [char; 2]) -> bool {
        self.pairs.get_or_init(|| pairs(self.text.chars()).collect()).contains(&pair)
    }

    /// Returns how many zeros the view shows before and after a character of ASCII.
    pub fn zeros(&self) -> [usize; 2] {
        let newline = if self.is_wide { self.encoding.encode("\n").unwrap_or_default() } else { Vec::new() };
        let before = newline.iter().take_while(|byte| **byte == 0).count();
        [before, newline.len().saturating_sub(before + 1)]
    }

    /// Returns the text that bytes of the original mean.
    pub fn meant(&self, bytes: &Range<usize>) -> String {
        text_of(self.encoding, View::Exact, &self.original[bytes.clone()])
    }

    /// Returns the range of lines in the text, in bytes.
    pub fn range_of(&self, lines: Range<usize>) -> Range<usize> {
        range_of(&self.lines, self.text.len(), lines)
    }

    /// Returns the boundaries around a range of the text.
    fn around(&self, range: &TextRange) -> [Boundary; 2] {
        let TextRange { bytes: range, takes_gap } = range;
        let first =
            self.boundaries.partition_point(|boundary| boundary.text <= range.start).saturating_sub(1);
        let start = self.boundaries[first].text;
        // Units without text at the start belong to the range.
        let first = self.boundaries.partition_point(|boundary| boundary.text < start);
        let is_before =
            |boundary: &Boundary| boundary.text < range.end || *takes_gap && boundary.text == range.end;
        let last = self.boundaries.partition_point(is_before).min(self.boundaries.len() - 1);
        [self.boundaries[first], self.boundaries[last]]
    }

    /// Calls `each` with the units of a range of the text, and their bytes.
    pub fn units_in(&self, range: &TextRange, mut each: impl FnMut(Range<usize>, Unit)) {
        let [Boundary { mut text, mut at, .. }, end] = self.around(range);
        let TextRange { bytes: range, takes_gap } = range;
        units(self.encoding, self.view, &self.original[at..end.at], |unit| {
            let (bytes, from) = (at..at + unit.len, text);
            (at, text) = (bytes.end, text + unit.text.len());
            let is_gap = from == range.end && unit.text.is_empty();
            if from >= range.start && (from < range.end || *takes_gap && is_gap) {
                each(bytes, unit);
            }
        });
    }

    /// Returns where the bytes of whole lines are in the original, and what is lost of them.
    pub fn lines_of(&self, range: &TextRange) -> (Range<usize>, Lost) {
        let [start, end] = self.around(range);
        let lost = Lost { units: end.lost.units - start.lost.units, runs: end.lost.runs - start.lost.runs };
        (start.at..end.at, lost)
    }

    /// Returns where the bytes of a range of the text are in the original, and how many units of it are lost.
    pub fn bytes_of(&self, range: &TextRange) -> (Range<usize>, u64) {
        let (mut found, mut lost): (Option<Range<usize>>, u64) = (None, 0);
        self.units_in(range, |bytes, unit| {
            found.get_or_insert_with(|| bytes.clone()).end = bytes.end;
            lost += u64::from(unit.is_lost);
        });
        (found.unwrap_or_default(), lost)
    }
}

/// A range of the text of a view.
pub(super) struct TextRange {
    /// In bytes of the text.
    pub bytes: Range<usize>,
    /// Whether the range has the units without text at its end. Otherwise, the range that begins there has them.
    pub takes_gap: bool,
}

/// Returns the pairs of characters that are side by side, and not both ASCII.
pub(super) fn pairs(text: impl Iterator<Item = char>) -> impl Iterator<Item = [char; 2]> {
    let pairs = text.scan(None, |last: &mut Option<char>, scalar| Some((last.replace(scalar), scalar)));
    let pairs = pairs.filter_map(|(last, scalar)| Some([last?, scalar]));
    pairs.filter(|pair| !(pair[0].is_ascii() && pair[1].is_ascii()))
}
