//! Views: the text that a program saw when it decoded an original in its own way.

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
    /// The program decoded the encoding of the original. U+FFFD replaces ill-formed bytes.
    Exact,
    /// The program could not read or write some of the text, and replaced it.
    Lossy(Mark, Per),
    /// The program decoded another encoding, and so saw other characters. Undefined bytes become C1 controls.
    Misread(&'static Encoding),
    /// The program decoded another encoding, and replaced C1 controls and undefined bytes by this mark.
    MisreadLossy(&'static Encoding, Mark),
}

impl View {
    /// Returns the encoding that the program decoded, if it is not the encoding of the original.
    pub(super) fn other(self) -> Option<&'static Encoding> {
        match self {
            View::Misread(other) | View::MisreadLossy(other, _) => Some(other),
            View::Exact | View::Lossy(..) => None,
        }
    }

    /// Returns the character that replaces text that the program could not read.
    pub(super) fn mark(self) -> Option<char> {
        match self {
            View::Lossy(mark, _) | View::MisreadLossy(_, mark) => mark.character(),
            View::Exact | View::Misread(_) => Some(char::REPLACEMENT_CHARACTER),
        }
    }

    /// Whether the program decoded the encoding of the original, even if it could not write all of the text.
    pub(super) fn knows_encoding(self) -> bool {
        matches!(self, View::Exact | View::Lossy(_, Per::Character | Per::CodeUnit))
    }

    /// Returns the damage, if it leaves no mark of its own, because question marks may have been typed and characters
    /// deleted.
    #[must_use]
    pub fn damage(self) -> Option<Damage> {
        match self {
            View::Lossy(Mark::Question, _) => Some(Damage::QuestionMarks),
            View::Lossy(Mark::Omitted, _) => Some(Damage::Dropped),
            _ => None,
        }
    }
}

/// Damage to characters that a program could not read, if the damage leaves no mark such as U+FFFD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The characters became question marks.
    QuestionMarks,
    /// The characters were dropped.
    Dropped,
}

/// The replacement for text that a program could not read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// U+FFFD, which is never typed.
    Replacement,
    /// A question mark.
    Question,
    /// No replacement: the text was dropped.
    Omitted,
}

impl Mark {
    /// Returns the character of the mark; `None` if there is none.
    #[must_use]
    pub fn character(self) -> Option<char> {
        match self {
            Mark::Replacement => Some(char::REPLACEMENT_CHARACTER),
            Mark::Question => Some('?'),
            Mark::Omitted => None,
        }
    }
}

/// The unit that a program replaced by one mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Per {
    /// A maximal subpart of an ill-formed UTF-8 sequence (Unicode 3.9, D93b).
    Subpart,
    /// A byte that is ill-formed in UTF-8.
    Byte,
    /// A byte above 7F, in a program that supports only ASCII.
    HighByte,
    /// A non-ASCII character, in a program that knew the encoding.
    Character,
    /// A UTF-16 code unit of a non-ASCII character, in a program that knew the encoding.
    CodeUnit,
}

impl Per {
    pub(super) const ALL: [Per; 5] = [Per::Subpart, Per::Byte, Per::HighByte, Per::Character, Per::CodeUnit];
}

/// The shortest range that is whole both in the encoding of the original and in the view, or a run of ASCII characters.
pub(super) struct Unit<'a> {
    /// The length of the unit in the original, in bytes.
    pub len: usize,
    /// The text of the unit in the view.
    pub text: &'a str,
    /// Whether the view does not show the content of the unit.
    pub is_lost: bool,
    /// Whether the range is a run of ASCII characters, each of which is a unit.
    is_run: bool,
}

impl Unit<'_> {
    /// Calls `each` with the units of a run, or with the unit itself.
    fn split(self, mut each: impl FnMut(Unit)) {
        if !self.is_run {
            return each(self);
        }
        (0..self.len).for_each(|at| each(Unit { len: 1, text: &self.text[at..=at], is_run: false, ..self }));
    }
}

/// Returns the text of `bytes` in a view. `bytes` have to begin in the initial state of the encoding.
pub(super) fn text_of(encoding: &'static Encoding, view: View, bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    units(encoding, view, bytes, |unit| text.push_str(unit.text));
    text
}

/// Calls `each` with the units of `bytes`, which have to begin in the initial state of the encoding. ASCII characters
/// come in runs of up to [`STEP`] bytes, which end after a newline.
pub(super) fn units(encoding: &'static Encoding, view: View, bytes: &[u8], mut each: impl FnMut(Unit)) {
    let (mut decoder, mut other) = (encoding.sequences(), view.other().map(Encoding::sequences));
    let (is_wide, knows_encoding) = (encoding.code_unit_len() > 1, view.knows_encoding());
    let has_ascii = encoding.is_ascii_compatible() && view.other().is_none_or(Encoding::is_ascii_compatible);
    // The start of a unit, the end of the bytes decoded in the original's encoding, and the end of the bytes decoded by
    // the program.
    let (mut start, mut at, mut seen_at) = (0, 0, 0);
    let (mut meant, mut text, mut is_ill_formed) = (String::new(), String::new(), false);
    while start < bytes.len() {
        if has_ascii && start == at && bytes[start].is_ascii() {
            // A byte that is ASCII in both encodings is a unit.
            let len = bytes[start..].iter().take_while(|byte| byte.is_ascii()).count();
            for run in bytes[start..start + len].split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
                for text in run.chunks(STEP).filter_map(|run| str::from_utf8(run).ok()) {
                    each(Unit { len: text.len(), text, is_lost: false, is_run: true });
                }
            }
            start += len;
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
                // A wide code unit is not lost if the view shows all its bytes as ASCII characters.
                _ => text != meant && !(is_wide && text.as_bytes() == &bytes[start..at]),
            };
            let text_of_unit = if matches!(view, View::Exact) { &meant } else { &text };
            each(Unit { len: at - start, text: text_of_unit, is_lost, is_run: false });
            start = at;
            meant.clear();
            text.clear();
            is_ill_formed = false;
        }
    }
}

/// Appends the first sequence of `bytes` to `text`. Returns its length in bytes, and whether it is ill-formed.
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

/// Returns what a program that knows the encoding writes for a character: ASCII unchanged, otherwise the mark, which is
/// repeated for each code unit if `per` says so.
fn masked(scalar: char, mark: Mark, per: Per) -> impl Iterator<Item = char> {
    let count = if per == Per::CodeUnit { scalar.len_utf16() } else { 1 };
    let shown = if scalar.is_ascii() { Some(scalar) } else { mark.character() };
    shown.into_iter().flat_map(move |shown| std::iter::repeat_n(shown, count))
}

/// Appends the first character of `bytes`, as a program saw it that decoded UTF-8 or another encoding, to `text`.
/// Returns its length in bytes.
fn seen(view: View, other: Option<&mut SequenceDecoder>, bytes: &[u8], text: &mut String) -> usize {
    if let Some(other) = other {
        let before = text.len();
        let (len, is_ill_formed) = decoded(other, bytes, text);
        // Undefined bytes become C1 controls, as in browsers.
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

/// Returns the length of the first UTF-8 sequence and its scalar value, or the length of a maximal subpart and `None`.
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
    /// Whether code units have several bytes, each of which the view shows as a character.
    pub is_wide: bool,
    /// The text of the view, without the BOM.
    pub text: String,
    /// The offsets of the lines in the text, in bytes. In a wide encoding, the code unit of a newline ends a line.
    pub lines: Vec<usize>,
    /// The boundaries at the starts of the lines, at the end, and about every [`STEP`] bytes within a line.
    boundaries: Vec<Boundary>,
    /// The pairs of adjacent characters in the text; computed when first needed.
    pairs: OnceCell<HashSet<[char; 2]>>,
}

/// A boundary between units. Units without text come after it.
#[derive(Clone, Copy)]
struct Boundary {
    /// The offset in the text, in bytes.
    text: usize,
    /// The offset in the original, in bytes.
    at: usize,
    lost: Lost,
}

/// Counts of the losses in a range of an original.
#[derive(Clone, Copy, Default)]
pub(super) struct Lost {
    /// Number of lost units.
    pub units: u64,
    /// Number of runs of lost units.
    pub runs: u64,
}

/// Distance between boundaries within a line, in bytes, which limits how much is decoded again to find a position. Each
/// boundary takes 32 bytes.
const STEP: usize = 256;

impl<'a> Viewed<'a> {
    pub fn new(original: &'a [u8], encoding: &'static Encoding, view: View) -> Viewed<'a> {
        let mut text = String::with_capacity(original.len());
        let (mut lines, mut boundaries) = (Vec::new(), Vec::new());
        let (mut at, mut lost, mut next, mut is_open) = (0, Lost::default(), 0, false);
        let (mut ends_with_cr, mut shows_text, mut was_lost) = (false, true, false);
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
        // Units without text at the end belong to the last line.
        lines.pop_if(|line| *line == text.len());
        Viewed { original, encoding, view, is_wide, text, lines, boundaries, pairs: OnceCell::new() }
    }

    /// Whether two characters, not both ASCII, are adjacent in the view.
    pub fn has_pair(&self, pair: [char; 2]) -> bool {
        self.pairs.get_or_init(|| pairs(self.text.chars()).collect()).contains(&pair)
    }

    /// Returns how many NULs the view shows before and after an ASCII character.
    pub fn zeros(&self) -> [usize; 2] {
        let newline = if self.is_wide { self.encoding.encode("\n").unwrap_or_default() } else { Vec::new() };
        let before = newline.iter().take_while(|byte| **byte == 0).count();
        [before, newline.len().saturating_sub(before + 1)]
    }

    /// Returns the text that bytes of the original encode.
    pub fn meant(&self, bytes: &Range<usize>) -> String {
        text_of(self.encoding, View::Exact, &self.original[bytes.clone()])
    }

    /// Returns the range of lines in the text, in bytes.
    pub fn range_of(&self, lines: Range<usize>) -> Range<usize> {
        range_of(&self.lines, self.text.len(), lines)
    }

    /// Whether a line begins at an offset in the text.
    pub fn begins_line(&self, at: usize) -> bool {
        let is_end = at == self.text.len() && self.text.ends_with('\n');
        at == 0 || is_end || self.lines.binary_search(&at).is_ok()
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

    /// Calls `each` with the units in a range of the text, and the range of their bytes.
    pub fn units_in(&self, range: &TextRange, mut each: impl FnMut(Range<usize>, Unit)) {
        let [Boundary { mut text, mut at, .. }, end] = self.around(range);
        let original = &self.original[at..end.at];
        let TextRange { bytes: range, takes_gap } = range;
        let mut each_in_range = |unit: Unit| {
            let (bytes, from) = (at..at + unit.len, text);
            (at, text) = (bytes.end, text + unit.text.len());
            let is_gap = from == range.end && unit.text.is_empty();
            if from >= range.start && (from < range.end || *takes_gap && is_gap) {
                each(bytes, unit);
            }
        };
        units(self.encoding, self.view, original, |unit| unit.split(&mut each_in_range));
    }

    /// Returns the byte range of whole lines in the original, and the losses in them.
    pub fn lines_of(&self, range: &TextRange) -> (Range<usize>, Lost) {
        let [start, end] = self.around(range);
        let lost = Lost { units: end.lost.units - start.lost.units, runs: end.lost.runs - start.lost.runs };
        (start.at..end.at, lost)
    }

    /// Returns the byte range in the original of a range of the text, and the number of lost units in it.
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
    /// The range in bytes of the text.
    pub bytes: Range<usize>,
    /// Whether units without text at the end belong to this range. Otherwise, they belong to the range that begins
    /// there.
    pub takes_gap: bool,
}

/// Returns the pairs of adjacent characters that are not both ASCII.
pub(super) fn pairs(text: impl Iterator<Item = char>) -> impl Iterator<Item = [char; 2]> {
    let pairs = text.scan(None, |last: &mut Option<char>, scalar| Some((last.replace(scalar), scalar)));
    let pairs = pairs.filter_map(|(last, scalar)| Some([last?, scalar]));
    pairs.filter(|pair| !(pair[0].is_ascii() && pair[1].is_ascii()))
}
