//! The rules about text: looks through what is well-formed for what may not be in it.
//!
//! First the places are found, in few and fast passes; then each is put into words, as long as there is room for it.
//! Whether the bytes are well-formed, and the BOM, are decided elsewhere.

use std::ops::Range;

use utfconv_core::{Bytes, Position, is_inert};

use super::report::{Finding, Found};
use super::rules::{Rule, Rules};
use crate::ui::controls::aliases;

mod newlines;
mod nfc;
mod twice;

pub use twice::windows_1252;

/// A run of well-formed text of a file.
pub struct Run<'a> {
    /// Well-formed UTF-8.
    text: &'a [u8],
    start: Position,
    /// None where the text is the source.
    source: Option<Source<'a>>,
    cursor: Cursor,
}

/// Where a text that is not UTF-8 came from.
struct Source<'a> {
    bytes: &'a [u8],
    offsets: &'a [u32],
}

/// A place of a run that has been looked up.
#[derive(Clone, Copy)]
struct Cursor {
    /// Bytes of text before it.
    at: usize,
    /// Scalar values before it.
    scalars: usize,
    place: Position,
}

/// Some text of a run, as it is in the file.
#[derive(Clone, Copy, Debug)]
struct Spot {
    place: Position,
    /// Bytes in the file.
    len: u64,
    /// Columns, if it ends on the line where it begins.
    columns: Option<u64>,
    /// The first of them.
    bytes: Bytes,
}

impl<'a> Run<'a> {
    /// A run of UTF-8.
    pub fn utf8(text: &'a [u8], start: Position) -> Run<'a> {
        Run { text, start, source: None, cursor: Cursor { at: 0, scalars: 0, place: start } }
    }

    /// A run of another encoding: `source` reads as `text`. `offsets` has, for each scalar value and for the end, how
    /// many bytes of `source` stand before it.
    pub fn decoded(text: &'a [u8], start: Position, source: &'a [u8], offsets: &'a [u32]) -> Run<'a> {
        Run { source: Some(Source { bytes: source, offsets }), ..Run::utf8(text, start) }
    }

    /// The place of the byte `at` of the text, where a character begins or the text ends. Looking up one after the
    /// other, in order, takes the time of one walk.
    pub fn place(&mut self, at: usize) -> Position {
        if at < self.cursor.at {
            self.cursor = Cursor { at: 0, scalars: 0, place: self.start };
        }
        let Cursor { at: from, scalars, place } = self.cursor;
        let between = &self.text[from..at];
        let (scalars, len) = match &self.source {
            None => (0, between.len() as u64),
            Some(source) => {
                let to = scalars + between.iter().filter(|byte| !is_continuation(**byte)).count();
                (to, u64::from(source.offsets[to] - source.offsets[scalars]))
            }
        };
        self.cursor = Cursor { at, scalars, place: place.behind(between, len) };
        self.cursor.place
    }

    fn spot(&mut self, text: Range<usize>) -> Spot {
        let place = self.place(text.start);
        // What is found next may begin inside of this.
        let cursor = self.cursor;
        let end = self.place(text.end);
        self.cursor = cursor;
        let len = end.offset() - place.offset();
        let columns = (end.line() == place.line()).then(|| end.column() - place.column());
        let bytes = match &self.source {
            None => &self.text[text],
            Some(source) => &source.bytes[(place.offset() - self.start.offset()) as usize..][..len as usize],
        };
        Spot { place, len, columns, bytes: Bytes::new(&bytes[..bytes.len().min(Bytes::MAX)]) }
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Looks through the runs of one file, in order.
///
/// They end at the end of the file, at a gap, or behind an ASCII character that is no letter, CR, `<`, `=` or `>`: there
/// nothing is cut in two. Where a run has to end elsewhere, what a rule forbids may be missed or found in parts.
pub struct Scan {
    rules: Rules,
    look_out: LookOut,
    /// What was found in a run; here, so that its memory is used again.
    hits: Vec<Hit>,
    /// The last character of the run before, if the next one continues it.
    before: Option<char>,
    newlines: newlines::Count,
}

/// Text that a rule forbids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    start: usize,
    end: usize,
    rule: Rule,
}

impl Scan {
    pub fn new(rules: Rules) -> Scan {
        Scan {
            rules,
            look_out: LookOut::new(&rules),
            hits: Vec::new(),
            before: None,
            newlines: newlines::Count::new(rules.newlines, rules.final_newline),
        }
    }

    /// Looks through the next run.
    pub fn run(&mut self, run: &mut Run, found: &mut Found) {
        let text = run.text;
        if !self.look_out.is_idle() {
            self.find_characters(text);
        }
        if self.rules.not_nfc {
            let hits = &mut self.hits;
            nfc::each(text, |Range { start, end }| hits.push(Hit { start, end, rule: Rule::NotNfc }));
        }
        self.hits.sort_unstable();
        for Hit { start, end, rule } in self.hits.drain(..) {
            // In UTF-16LE and its like, U+FEFF at the start is text; and no BOM inside of one.
            if rule == Rule::InnerBom && start == 0 && run.start.offset() == 0 {
                continue;
            }
            found.push(rule, || {
                let (why, hint) = words(rule, &text[start..end]);
                finding(rule, rule.title(), run.spot(start..end), &why, hint)
            });
        }
        self.newlines.run(run);
        self.before = last_scalar(text).or(self.before);
    }

    /// Ill-formed bytes stand here: what follows does not continue what came before.
    pub fn gap(&mut self) {
        self.before = None;
        self.newlines.gap();
    }

    /// The file ends here. What is found about its newlines begins earlier in the file than what is in `found`
    /// already may.
    pub fn end(&mut self, end: Position, found: &mut Found) {
        self.newlines.end(end, found);
    }

    /// Finds what can be told by looking at a few characters.
    fn find_characters(&mut self, text: &[u8]) {
        // Runs of doubly encoded characters are not looked at again from their middle.
        let mut behind_twice = 0;
        for block in (0..text.len()).step_by(BLOCK) {
            if text.get(block..block + WINDOW).is_some_and(|window| !self.look_out.may_stand_in(window)) {
                continue;
            }
            for at in block..text.len().min(block + BLOCK) {
                if is_continuation(text[at]) {
                    continue;
                }
                if text[at] == twice::LEAD && self.rules.double_encoded && at >= behind_twice {
                    let before = last_scalar(&text[..at]).or(self.before);
                    if let Some(twice) = twice::at(&text[at..], before) {
                        behind_twice = at + twice.len;
                        if twice.is_certain {
                            self.hits.push(Hit { start: at, end: behind_twice, rule: Rule::DoubleEncoded });
                        }
                    }
                }
                let (scalar, len) = first_scalar(&text[at..]);
                if let Some(rule) = forbidding(&self.rules, scalar) {
                    self.hits.push(Hit { start: at, end: at + len, rule });
                }
            }
        }
    }
}

/// Bytes that are looked over at once.
const BLOCK: usize = 32;

/// A block with the bytes behind it that belong to its last character.
const WINDOW: usize = BLOCK + 2;

/// What to look out for: masks, all ones for what some rule may forbid. There are no branches for each byte, so that
/// the compiler can take many of them at once.
struct LookOut {
    ascii: u8,
    c1: u8,
    bidi: u8,
    specials: u8,
    noncharacter: u8,
    twice: u8,
}

impl LookOut {
    fn new(rules: &Rules) -> LookOut {
        let mask = |is_on: bool| if is_on { 0xFF } else { 0 };
        LookOut {
            ascii: mask(rules.nul || rules.control),
            c1: mask(rules.control),
            bidi: mask(rules.bidi),
            specials: mask(rules.replacement_character || rules.noncharacter || rules.inner_bom),
            noncharacter: mask(rules.noncharacter),
            twice: mask(rules.double_encoded),
        }
    }

    fn is_idle(&self) -> bool {
        self.ascii | self.c1 | self.bidi | self.specials | self.noncharacter | self.twice == 0
    }

    /// Whether something may begin in the block that a rule forbids; surely not, if not.
    fn may_stand_in(&self, window: &[u8]) -> bool {
        let mut any = 0;
        for at in 0..BLOCK {
            let (a, b, c) = (window[at], window[at + 1], window[at + 2]);
            let is = |condition: bool| u8::from(condition);
            any |= self.ascii & (is(a < 0x20) & is(a != 0x09) & is(a != 0x0A) & is(a != 0x0D) | is(a == 0x7F))
                | self.c1 & is(a == 0xC2) & is(b < 0xA0)
                // E2 80 AA..AE and E2 81 A6..A9.
                | self.bidi & is(a == 0xE2) & is(b < 0x82) & is(c >= 0xA6) & is(c <= 0xAE)
                // EF B7, EF BB and EF BF.
                | self.specials & is(a == 0xEF) & is(b & 0xF3 == 0xB3)
                | self.noncharacter & is(a >= 0xF0) & is(c == 0xBF)
                // A letter of Latin-1 that has no ASCII behind it.
                | self.twice & is(a == twice::LEAD) & is(c >= 0xC2);
        }
        any != 0
    }
}

/// The rule that forbids `scalar`, whatever stands around it.
fn forbidding(rules: &Rules, scalar: u32) -> Option<Rule> {
    let (rule, is_on) = match scalar {
        0 => (Rule::Nul, rules.nul),
        0x09 | 0x0A | 0x0D => return None,
        ..0x20 | 0x7F..=0x9F => (Rule::Control, rules.control),
        0x202A..=0x202E | 0x2066..=0x2069 => (Rule::Bidi, rules.bidi),
        0xFEFF => (Rule::InnerBom, rules.inner_bom),
        0xFFFD => (Rule::ReplacementCharacter, rules.replacement_character),
        0xFDD0..=0xFDEF => (Rule::Noncharacter, rules.noncharacter),
        _ if scalar & 0xFFFE == 0xFFFE => (Rule::Noncharacter, rules.noncharacter),
        _ => return None,
    };
    is_on.then_some(rule)
}

/// The first scalar value of a well-formed text, and its length in bytes.
fn first_scalar(text: &[u8]) -> (u32, usize) {
    let (bits, len) = match text[0] {
        lead @ ..0x80 => (lead, 1),
        lead @ ..0xE0 => (lead & 0x1F, 2),
        lead @ ..0xF0 => (lead & 0x0F, 3),
        lead => (lead & 0x07, 4),
    };
    let scalar = text[1..len].iter().fold(u32::from(bits), |value, byte| value << 6 | u32::from(byte & 0x3F));
    (scalar, len)
}

/// The scalar values of a well-formed text.
fn scalars(mut text: &[u8]) -> impl Iterator<Item = char> {
    std::iter::from_fn(move || {
        let (scalar, len) = (!text.is_empty()).then(|| first_scalar(text))?;
        text = &text[len..];
        char::from_u32(scalar)
    })
}

/// The last scalar value of a well-formed text.
fn last_scalar(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| !is_continuation(*byte))?;
    char::from_u32(first_scalar(&text[start..]).0)
}

/// A finding, of which the sentence says `what`, the bytes and `why`.
fn finding(rule: Rule, what: &str, spot: Spot, why: &str, hint: Option<String>) -> Finding {
    let Spot { place, len, columns, bytes } = spot;
    let more = if len > bytes.len() as u64 { " ..." } else { "" };
    let which = if len > 0 { format!("{bytes}{more}: ") } else { String::new() };
    Finding {
        rule,
        place,
        len,
        columns,
        bytes,
        kind: "",
        message: format!("byte {}: {what}: {which}{why}", place.offset()),
        hint,
        excerpt: None,
    }
}

/// Why a rule forbids `text`, and what else is known about it.
fn words(rule: Rule, text: &[u8]) -> (String, Option<String>) {
    let (scalar, _) = first_scalar(text);
    let why = match rule {
        Rule::NotNfc => nfc::words(text),
        Rule::DoubleEncoded => return twice::words(text),
        Rule::Nul => "U+0000 has no place in a text".to_string(),
        Rule::ReplacementCharacter => "U+FFFD stands for something that was lost".to_string(),
        Rule::Noncharacter => format!("U+{scalar:04X} never stands for a character"),
        Rule::InnerBom => "U+FEFF is a BOM only where a file begins".to_string(),
        Rule::Bidi => format!("U+{scalar:04X} is {}", bidi_name(scalar)),
        _ => return control_words(scalar),
    };
    (why, None)
}

fn control_words(scalar: u32) -> (String, Option<String>) {
    match scalar {
        ..0x80 => {
            let name = char::from_u32(scalar).and_then(aliases).map_or("", |(short, _)| short);
            (format!("U+{scalar:04X} is {name}"), None)
        }
        _ => {
            let meant = twice::windows_1252(scalar as u8);
            let hint =
                meant.map(|meant| format!("windows-1252 has {} for the byte {scalar:02X}", shown(meant)));
            (format!("U+{scalar:04X} is a C1 control"), hint)
        }
    }
}

fn bidi_name(scalar: u32) -> &'static str {
    match scalar {
        0x202A => "LEFT-TO-RIGHT EMBEDDING",
        0x202B => "RIGHT-TO-LEFT EMBEDDING",
        0x202C => "POP DIRECTIONAL FORMATTING",
        0x202D => "LEFT-TO-RIGHT OVERRIDE",
        0x202E => "RIGHT-TO-LEFT OVERRIDE",
        0x2066 => "LEFT-TO-RIGHT ISOLATE",
        0x2067 => "RIGHT-TO-LEFT ISOLATE",
        0x2068 => "FIRST STRONG ISOLATE",
        _ => "POP DIRECTIONAL ISOLATE",
    }
}

/// `U+20AC "€"`, without the character where a terminal may act on it.
fn shown(scalar: char) -> String {
    let code_point = format!("U+{:04X}", u32::from(scalar));
    if is_inert(scalar) { format!("{code_point} \"{scalar}\"") } else { code_point }
}

#[cfg(test)]
mod tests;
