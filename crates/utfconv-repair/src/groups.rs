//! Groups: runs of one mistake in the same word, measured together and with their context.

use std::cmp::Reverse;
use std::ops::Range;

use super::evidence::CHANCE;
use super::mistakes::{LEVELS, MISTAKES, Mistake, Set, is_possible};
use super::runs::{self, Run};
use utfconv_core::edit::spliced;
use utfconv_core::utf8::count_chars;
use utfconv_detect::plausibility::{Cost, NATS, Signs};

/// Cost of each objection to a group: 8 nats, one true group in 3,000 (e^8). Objections are
/// - a character beside the group that the mistake can have made but does not explain. Up to half as many such
///   characters as the group has are no objection;
/// - a result that no language has, which counts twice: a lone letter of a rare script, an accent without a letter,
///   letters of several scripts, or a single ideograph, because one ideograph in twelve is the bytes of a character;
/// - a letter and a symbol that are a unit, such as Å²;
/// - characters that a Windows code page has for bytes 80..9F, beside C1 controls that ISO 8859 has for such bytes,
///   because two mistakes made them.
const OBJECTION: Cost = 8 * NATS;

/// Maximum number of characters on each side of a group, or of a unit in another encoding, that are compared with it.
pub(super) const CONTEXT: usize = 8;

/// Runs of one mistake in the same word.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The likeliest mistake of the group.
    pub(super) mistake: Mistake,
    /// All mistakes that give the same result when they are undone.
    pub(super) mistakes: Set,
    pub(super) runs: Vec<Run>,
    /// The cost of the words of the group, minus their cost with the mistake undone.
    pub(super) gain: Cost,
}

impl Group {
    pub(super) fn new(mistake: Mistake, runs: Vec<Run>) -> Group {
        Group { mistake, mistakes: Set::from_iter([mistake]), runs, gain: 0 }
    }

    /// Returns the number of characters of the group.
    pub(super) fn chars(&self, text: &str) -> u64 {
        self.runs.iter().map(|run| count_chars(&text.as_bytes()[run.start..run.end]) as u64).sum()
    }

    /// Returns the number of characters beside the group, in its context, that the mistakes can have made.
    pub(super) fn around(&self, text: &str) -> u64 {
        let Range { start, end } = self.range();
        let before = &text[context_before(text, start)..start];
        let after = &text[end..context_after(text, end)];
        before.chars().chain(after.chars()).filter(|char| is_possible(*char)).count() as u64
    }

    /// Returns the cost of assuming the most common mistake of the group.
    pub(super) fn rarity(&self) -> Cost {
        self.mistakes.iter().map(Mistake::rarity).min().unwrap_or(0)
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.runs[0].start..self.runs[self.runs.len() - 1].end
    }

    /// Returns the group with its context, as it is and with the mistake undone.
    pub(super) fn with_context<'a>(&self, text: &'a str) -> (&'a str, String) {
        let range = self.range();
        let start = context_before(text, range.start);
        let window = &text[start..context_after(text, range.end)];
        let changes = self.runs.iter().map(|run| (run.start - start..run.end - start, &*run.was));
        (window, spliced(window, changes).into_owned())
    }

    /// Returns the cost of the evidence against the group.
    pub(super) fn objections(&self, text: &str) -> Cost {
        let own: usize = self.runs.iter().map(|run| text[run.start..run.end].chars().count()).sum();
        let unexplained = (self.around(text) as usize).saturating_sub(own / 2);
        let is_unwritten = self.is_lone_foreign_letter()
            || self.is_lone_mark(text)
            || self.has_many_scripts()
            || self.is_lone_ideograph(text);
        let objections = unexplained
            + 2 * usize::from(is_unwritten)
            + usize::from(self.is_unit(text))
            + usize::from(self.mixes_pages(text));
        OBJECTION * objections as Cost
    }

    /// Whether the group is Å, Ø or × with a symbol outside a word, such as Å² and Ø½. The letters that such a pair may
    /// have been are rarely a word.
    fn is_unit(&self, word: &str) -> bool {
        let text = &word[self.range()];
        self.is_lone(word) && text.starts_with(['Å', 'Ø', '×']) && text.chars().nth(2).is_none()
    }

    /// Whether all mistakes of the group decoded some of the bytes 80..9F by a Windows code page, and others by
    /// ISO 8859.
    fn mixes_pages(&self, text: &str) -> bool {
        let chars = self.runs.iter().flat_map(|run| text[run.start..run.end].chars());
        self.mistakes.iter().all(|mistake| mistake.mixes_pages(chars.clone()))
    }

    /// Whether the result is a single letter, perhaps repeated, that is neither Latin, Greek nor Slavic Cyrillic. Two
    /// adjacent letters can form such a letter by chance.
    fn is_lone_foreign_letter(&self) -> bool {
        let mut was = self.runs.iter().flat_map(|run| run.was.chars());
        let Some(first) = was.next() else { return false };
        let is_common = matches!(
            first,
            ..'\u{460}' | '\u{490}' | '\u{491}' | '\u{1E00}'..'\u{2E80}' | '\u{FB00}'..='\u{FB06}'
        );
        first.is_alphabetic() && !is_common && was.all(|char| char == first)
    }

    /// Whether the result begins with an accent that is on no letter.
    fn is_lone_mark(&self, text: &str) -> bool {
        let Run { start, was, .. } = &self.runs[0];
        was.starts_with(|char| matches!(char, '\u{300}'..='\u{36F}'))
            && !text[..*start].ends_with(char::is_alphabetic)
    }

    /// Whether a run has letters of several scripts. Not tested for GBK, because its intermediate levels have such
    /// letters.
    fn has_many_scripts(&self) -> bool {
        let mut runs = self.runs.iter().filter(|_| !self.mistake.has_pairs());
        runs.any(|run| {
            let letters =
                run.was.chars().filter(|char| char.is_alphabetic() && !matches!(char, 'ª' | 'µ' | 'º'));
            let mut scripts = letters.map(script);
            let first = scripts.next();
            scripts.any(|script| Some(script) != first)
        })
    }

    /// Whether the group is a single ideograph, perhaps repeated, outside words of Latin letters.
    fn is_lone_ideograph(&self, word: &str) -> bool {
        let mut own = self.runs.iter().flat_map(|run| word[run.start..run.end].chars());
        let first = own.next();
        self.mistake.has_pairs()
            && own.all(|char| Some(char) == first)
            && !self.touches(word, |char| char.is_ascii_alphabetic())
    }

    /// Whether the result is a single character with no letter beside it.
    pub(super) fn is_lone(&self, word: &str) -> bool {
        let is_single = self.runs.len() == 1 && self.runs[0].was.chars().nth(1).is_none();
        is_single && !self.touches(word, char::is_alphabetic)
    }

    /// Whether a character beside the group satisfies `is_one`.
    fn touches(&self, word: &str, is_one: impl Fn(char) -> bool) -> bool {
        let Range { start, end } = self.range();
        word[..start].ends_with(&is_one) || word[end..].starts_with(&is_one)
    }
}

/// Returns a number for the script of a letter; similar scripts may share a number.
pub(super) fn script(letter: char) -> u32 {
    match letter {
        ..'\u{370}' | '\u{1E00}'..'\u{1F00}' | '\u{2000}'..'\u{2E80}' | '\u{FB00}'..='\u{FB06}' => 0,
        '\u{370}'..'\u{400}' | '\u{1F00}'..'\u{2000}' => 1,
        '\u{400}'..'\u{530}' => 2,
        '\u{590}'..'\u{600}' | '\u{FB1D}'..'\u{FB50}' => 3,
        '\u{600}'..'\u{780}' | '\u{FB50}'..'\u{FE00}' | '\u{FE70}'..'\u{FF00}' => 4,
        // Han, kana and Hangul.
        '\u{1100}'..'\u{1200}' | '\u{2E80}'..='\u{D7FF}' | '\u{F900}'..'\u{FB00}' | '\u{FF00}'.. => 5,
        other => 0x100 + (other as u32 >> 7),
    }
}

/// Returns the result of undoing `mistake`, with the results of further levels, because the result of an inner level is
/// no text yet. Each has the cost of its level, and the rarity of each mistake other than `mistake`.
pub(super) fn deeper(after: String, mistake: Mistake) -> Vec<(Signs, Cost)> {
    let signs = |text: &str| Signs::of(text.chars());
    let mut all = vec![(signs(&after), 0)];
    let (mut text, mut cost) = (after, 0);
    while all.len() < LEVELS {
        let mut found: [Vec<Run>; MISTAKES] = Default::default();
        runs::find(text.as_bytes(), Set::ALL, |mistake, run| found[mistake.number()].push(run));
        // The mistake that explains most characters is undone; of several, `mistake`, or else the most common mistake.
        let explained = |(other, runs): &(Mistake, &Vec<Run>)| {
            (runs.iter().map(|run| run.end - run.start).sum::<usize>(), *other == mistake, Reverse(*other))
        };
        let best = Mistake::all().zip(&found).max_by_key(explained);
        let Some((other, runs)) = best.filter(|(_, runs)| !runs.is_empty()) else { break };
        text = spliced(&*text, runs.iter().map(|run| (run.start..run.end, &*run.was))).into_owned();
        cost += CHANCE + if other == mistake { 0 } else { other.rarity() };
        all.push((signs(&text), cost));
    }
    all
}

/// Joins groups that several mistakes read as the same text.
pub(super) fn join_alike(groups: &mut Vec<Group>) {
    groups.sort_by_key(|group| (group.range().start, group.range().end, group.mistake));
    let mut joined: Vec<Group> = Vec::with_capacity(groups.len());
    for group in groups.drain(..) {
        let range = group.range();
        let same = joined.iter_mut().rev().take_while(|other| other.range() == range);
        match same.into_iter().find(|other| other.runs == group.runs) {
            Some(other) => {
                other.mistakes.insert(group.mistake);
            }
            None => joined.push(group),
        }
    }
    *groups = joined;
}

/// Whether the text between two runs is part of the same word.
pub(super) fn is_word(between: &str) -> bool {
    between.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'-'))
}

/// Whether a byte is whitespace. The context of a group ends at whitespace.
#[inline]
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// Returns the start of the context of a group, which is after whitespace, or at most [`CONTEXT`] characters before the
/// group.
pub(super) fn context_before(text: &str, start: usize) -> usize {
    let is_in_word = |(_, char): &(usize, char)| !u8::try_from(*char).is_ok_and(is_blank);
    let before = text[..start].char_indices().rev().take(CONTEXT).take_while(is_in_word);
    before.last().map_or(start, |(at, _)| at)
}

/// Returns the end of the context of a group, which is after whitespace, or at most [`CONTEXT`] characters after the
/// group.
pub(super) fn context_after(text: &str, end: usize) -> usize {
    let mut at = end;
    for char in text[end..].chars().take(CONTEXT) {
        at += char.len_utf8();
        if u8::try_from(char).is_ok_and(is_blank) {
            break;
        }
    }
    at
}
