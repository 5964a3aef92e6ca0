//! The rules about text: looks through what is well-formed for what may not be in it.
//!
//! First the places are found, in few and fast passes; then each is put into words, as long as there is room for it.
//! Whether the bytes are well-formed, and the signature, are decided elsewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use utfconv::{Bytes, Place, is_inert};

use super::report::Finding;
use super::rules::{Rule, Rules};

mod newlines;
mod nfc;
mod twice;

pub use twice::windows_1252;

/// A run of well-formed text of a file.
pub struct Run<'a> {
    /// Well-formed UTF-8.
    text: &'a [u8],
    start: Place,
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
    place: Place,
}

/// Some text of a run, as it is in the file.
#[derive(Clone, Copy, Debug)]
struct Spot {
    place: Place,
    /// Bytes in the file.
    len: u64,
    /// Columns, if it ends on the line where it begins.
    columns: Option<u64>,
    /// The first of them.
    bytes: Bytes,
}

impl<'a> Run<'a> {
    /// A run of UTF-8.
    pub fn utf8(text: &'a [u8], start: Place) -> Run<'a> {
        Run { text, start, source: None, cursor: Cursor { at: 0, scalars: 0, place: start } }
    }

    /// A run of another encoding: `source` reads as `text`. `offsets` has, for each scalar value and for the end, how
    /// many bytes of `source` stand before it.
    pub fn decoded(text: &'a [u8], start: Place, source: &'a [u8], offsets: &'a [u32]) -> Run<'a> {
        Run { source: Some(Source { bytes: source, offsets }), ..Run::utf8(text, start) }
    }

    /// The place of the byte `at` of the text, where a character begins or the text ends. Looking up one after the
    /// other, in order, takes the time of one walk.
    pub fn place(&mut self, at: usize) -> Place {
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
        let end = self.place(text.end);
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

/// What is found in a file.
#[derive(Debug, Default)]
pub struct Found {
    pub list: Vec<Finding>,
    /// How many more findings the list takes.
    pub room: u64,
    /// All findings, listed or not.
    pub counts: BTreeMap<Rule, u64>,
}

impl Found {
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Counts a finding, and lists it if there is room.
    pub fn push(&mut self, rule: Rule, finding: impl FnOnce() -> Finding) {
        *self.counts.entry(rule).or_default() += 1;
        if self.room > 0 {
            self.room -= 1;
            self.list.push(finding());
        }
    }
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
    pub fn end(&mut self, end: Place, found: &mut Found) {
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
        Rule::InnerBom => "U+FEFF is a signature only where a file begins".to_string(),
        Rule::Bidi => format!("U+{scalar:04X} is {}", bidi_name(scalar)),
        _ => return control_words(scalar),
    };
    (why, None)
}

fn control_words(scalar: u32) -> (String, Option<String>) {
    #[rustfmt::skip]
    const NAMES: [&str; 32] = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "TAB", "LF", "VT", "FF", "CR", "SO", "SI",
        "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ];
    match scalar {
        ..0x20 => (format!("U+{scalar:04X} is {}", NAMES[scalar as usize]), None),
        0x7F => ("U+007F is DEL".to_string(), None),
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
mod tests {
    use super::super::rules::{Asked, Claimed};
    use super::*;

    fn rules(asked: &str) -> Rules {
        let mut rules = Asked::default();
        rules.rule(asked).unwrap();
        rules.rules(&Claimed::default(), true)
    }

    /// What `rules` find in UTF-8 whose runs begin at `cuts`, in the order of the file; None is a gap of one byte.
    fn scan(asked: &str, runs: &[Option<&str>]) -> Vec<Finding> {
        let mut scan = Scan::new(rules(asked));
        let mut found = Found { room: u64::MAX, ..Found::default() };
        let mut place = Place::default();
        for run in runs {
            match run {
                Some(text) => {
                    scan.run(&mut Run::utf8(text.as_bytes(), place), &mut found);
                    place = place.behind(text.as_bytes(), text.len() as u64);
                }
                None => {
                    scan.gap();
                    place = place.behind(b"?", 1);
                }
            }
        }
        scan.end(place, &mut found);
        assert_eq!(found.counts.values().sum::<u64>(), found.list.len() as u64);
        found.list.sort_by_key(|finding| (finding.place.offset(), finding.rule));
        found.list
    }

    /// The sentences, with hints in brackets.
    fn sentences(asked: &str, runs: &[Option<&str>]) -> Vec<String> {
        let sentence = |finding: Finding| match finding.hint {
            Some(hint) => format!("{} [{hint}]", finding.message),
            None => finding.message,
        };
        scan(asked, runs).into_iter().map(sentence).collect()
    }

    fn in_text(asked: &str, text: &str) -> Vec<String> {
        sentences(asked, &[Some(text)])
    }

    /// The first and the last characters of what a rule forbids, and their neighbours.
    #[test]
    fn characters_at_the_edges() {
        let cases: [(&str, &[u32], &[u32]); 6] = [
            ("nul", &[0], &[1, 0x30, 0x80]),
            (
                "control",
                &[1, 8, 0xB, 0xC, 0xE, 0x1F, 0x7F, 0x80, 0x85, 0x9F],
                &[0, 9, 0xA, 0xD, 0x20, 0x7E, 0xA0, 0xAD, 0x200E, 0x2028],
            ),
            (
                "bidi",
                &[0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069],
                &[0x61C, 0x200E, 0x200F, 0x2029, 0x202F, 0x2065, 0x206A],
            ),
            ("inner-bom", &[0xFEFF], &[0xFEFE, 0xFF00, 0xFFFE, 0x2060]),
            ("replacement-character", &[0xFFFD], &[0xFFFC, 0xFFFE, 0x1FFFD]),
            (
                "noncharacter",
                &[0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x1FFFF, 0x8FFFF, 0xFFFFE, 0x10FFFE, 0x10FFFF],
                &[0xFDCF, 0xFDF0, 0xFFFD, 0xFEFF, 0x10000, 0x1FFFD, 0x20000, 0x10FFFD],
            ),
        ];
        for (rule, forbidden, others) in cases {
            let text = |scalar: &u32| char::from_u32(*scalar).unwrap().to_string();
            for scalar in forbidden {
                for (before, after) in [("", ""), ("a", "b"), ("é", "é"), ("\n0123456789abcdefghi", "\n")] {
                    let found = scan(rule, &[Some(&format!("{before}{}{after}", text(scalar)))]);
                    let [finding] = &found[..] else { panic!("{rule} U+{scalar:04X}: {found:?}") };
                    assert_eq!(finding.place.offset(), before.len() as u64);
                    assert_eq!(finding.bytes[..], *text(scalar).as_bytes());
                    assert_eq!(finding.len, finding.bytes.len() as u64);
                    assert_eq!(finding.rule.id(), rule);
                }
            }
            let others: Vec<_> = others.iter().map(text).collect();
            for other in ["", "a", "é", "\t\r\n", "😀", &others.concat()] {
                assert_eq!(in_text(rule, other), [""; 0], "{rule} {other:?}");
            }
        }
    }

    #[test]
    fn sentences_are_for_people() {
        for (rule, text, sentence) in [
            ("nul", "a\0", "byte 1: NUL: 00: U+0000 has no place in a text"),
            (
                "replacement-character",
                "\u{FFFD}",
                "byte 0: replacement character: EF BF BD: U+FFFD stands for something that was lost",
            ),
            (
                "noncharacter",
                "\u{FFFE}",
                "byte 0: noncharacter: EF BF BE: U+FFFE never stands for a character",
            ),
            ("control", "\u{1B}[2J", "byte 0: control character: 1B: U+001B is ESC"),
            ("control", "\u{81}", "byte 0: control character: C2 81: U+0081 is a C1 control"),
            (
                "control",
                "\u{93}",
                "byte 0: control character: C2 93: U+0093 is a C1 control [windows-1252 has U+201C \"“\" for the byte 93]",
            ),
            ("bidi", "\u{202E}", "byte 0: bidirectional control: E2 80 AE: U+202E is RIGHT-TO-LEFT OVERRIDE"),
            (
                "inner-bom",
                " \u{FEFF}",
                "byte 1: byte order mark inside the text: EF BB BF: U+FEFF is a signature only where a file begins",
            ),
            (
                "not-nfc",
                "cafe\u{301}",
                "byte 3: not in NFC: 65 CC 81: for U+0065 U+0301 NFC has U+00E9 \"é\"",
            ),
            (
                "double-encoded",
                "cafÃ©",
                "byte 3: encoded twice: C3 83 C2 A9: UTF-8 that was read as windows-1252 [it was \"é\"]",
            ),
            (
                "double-encoded",
                "â\u{80}\u{99}",
                "byte 0: encoded twice: C3 A2 C2 80 C2 99: UTF-8 that was read as ISO-8859-1 [it was \"’\"]",
            ),
            ("final-newline", "a", "byte 1: no final newline: the last line has to end with one"),
            (
                "final-newline=forbid",
                "a\r\n",
                "byte 1: final newline: 0D 0A: the last line may not end with one",
            ),
        ] {
            assert_eq!(in_text(rule, text), [sentence]);
        }
    }

    #[test]
    fn mixed_newlines() {
        let none: [&str; 0] = [];
        for (rule, text, expected) in [
            ("mixed-newlines", "", &none[..]),
            ("mixed-newlines", "a", &none),
            ("mixed-newlines", "a\nb\n", &none),
            ("mixed-newlines", "a\r\nb\r\n", &none),
            ("mixed-newlines", "a\rb\r", &none),
            ("mixed-newlines", "a\nb\r\nc\n", &["byte 3: mixed newlines: 0D 0A: 1 CRLF among 2 LF"]),
            // The first kind is the one that prevails in a draw.
            ("mixed-newlines", "\r\n\n", &["byte 2: mixed newlines: 0A: 1 LF among 1 CRLF"]),
            ("mixed-newlines", "\n\r", &["byte 1: mixed newlines: 0D: 1 CR among 1 LF"]),
            ("mixed-newlines", "\r\r\n", &["byte 1: mixed newlines: 0D 0A: 1 CRLF among 1 CR"]),
            (
                "mixed-newlines",
                "\r-\n-\n-\r\n",
                &[
                    "byte 0: mixed newlines: 0D: 1 CR among 2 LF",
                    "byte 6: mixed newlines: 0D 0A: 1 CRLF among 2 LF",
                ],
            ),
            ("mixed-newlines=lf", "a\nb\n", &none),
            (
                "mixed-newlines=lf",
                "\r\n\r\n\n\r",
                &[
                    "byte 0: mixed newlines: 0D 0A: 2 CRLF, where all have to be LF",
                    "byte 5: mixed newlines: 0D: 1 CR, where all have to be LF",
                ],
            ),
            ("mixed-newlines=crlf", "é\n", &["byte 2: mixed newlines: 0A: 1 LF, where all have to be CRLF"]),
            ("mixed-newlines=cr", "a\rb\r", &none),
        ] {
            assert_eq!(in_text(rule, text), expected, "{rule} {text:?}");
        }
    }

    #[test]
    fn final_newlines() {
        for (text, has_one) in [
            ("a\n", true),
            ("a\r\n", true),
            ("\n", true),
            ("a\rb\r", true),
            ("\r", true),
            ("a", false),
            ("a\nb", false),
            // CR is no newline where others are.
            ("a\nb\nc\r", false),
            ("a\n\r", false),
            ("a\u{85}", false),
        ] {
            let text = &[Some(text)][..];
            assert_eq!(scan("final-newline", text).is_empty(), has_one, "{text:?}");
            assert_eq!(scan("final-newline=forbid", text).is_empty(), !has_one, "{text:?}");
        }
        for rule in ["final-newline", "final-newline=forbid"] {
            assert_eq!(sentences(rule, &[]), [""; 0]);
            assert_eq!(sentences(rule, &[Some("")]), [""; 0]);
        }
        let place = scan("final-newline", &[Some("a\nbc")])[0].place;
        assert_eq!((place.offset(), place.line(), place.column()), (4, 2, 3));
    }

    #[test]
    fn runs_and_gaps() {
        let none: [&str; 0] = [];
        let crlf = &[Some("a\r"), Some("\nb\r\n")];
        assert_eq!(sentences("mixed-newlines,final-newline", crlf), none);
        assert_eq!(
            sentences("mixed-newlines=lf", crlf),
            ["byte 1: mixed newlines: 0D 0A: 2 CRLF, where all have to be LF"]
        );
        assert_eq!(
            sentences("final-newline=forbid", &[Some("a\r"), Some("\n")]),
            ["byte 1: final newline: 0D 0A: the last line may not end with one"]
        );
        assert_eq!(
            sentences("mixed-newlines", &[Some("a\r"), None, Some("\nb\n")]),
            ["byte 1: mixed newlines: 0D: 1 CR among 2 LF"]
        );
        assert_eq!(sentences("final-newline", &[Some("a\n"), None]).len(), 1);
        assert_eq!(sentences("final-newline", &[None]).len(), 1);
        assert_eq!(sentences("final-newline", &[None, Some("\n")]), none);
        assert_eq!(sentences("final-newline", &[Some("a\n"), Some("")]), none);
        assert_eq!(sentences("not-nfc", &[Some("e"), None, Some("\u{301}")]), none);
        // A digit before makes it certain, a gap does not.
        assert_eq!(sentences("double-encoded", &[Some("10"), Some("Â\u{A0}000")]).len(), 1);
        assert_eq!(sentences("double-encoded", &[Some("10"), None, Some("Â\u{A0}000")]), none);
    }

    #[test]
    fn doubly_encoded() {
        for (text, was) in [
            ("Ã©", "é"),
            ("Ã©tÃ©", "é"),
            ("franÃ§ais", "ç"),
            ("StraÃŸe", "ß"),
            ("Ã–sterreich", "Ö"),
            ("nÃ£o", "ã"),
            ("Â°C", "°"),
            ("NÂ° 5", "°"),
            ("Â« oui", "«"),
            ("motÂ\u{A0}:", "\\u{a0}"),
            ("1920Ã—1080", "×"),
            ("itâ€™s", "’"),
            ("â€œ", "“"),
            ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
            ("ä¸\u{AD}", "中"),
            ("ä¸\u{AD}æ–‡", "中文"),
            ("ðŸ˜€", "😀"),
            ("ï»¿<?xml", "\\u{feff}"),
            ("kaÅ¡a", "š"),
            ("Å¾ena", "ž"),
            ("×©×œ×•×", "שלו"),
            ("ÃƒÂ©", "Ã©"),
            ("Ã\u{83}Â©", "Ã©"),
            (&"Ð¿Ñ€".repeat(30), "прпрпрпрпрпрпрпрпрпр..."),
        ] {
            let found = scan("double-encoded", &[Some(text)]);
            assert!(!found.is_empty(), "{text}");
            assert_eq!(found[0].hint, Some(format!("it was \"{was}\"")), "{text}");
        }
    }

    /// Signs behind the letters that lead bytes become, as people write them.
    #[test]
    fn ordinary_text_is_not_doubly_encoded() {
        for text in [
            "« MAÇÃ», «MAÇÃ», “IRMÃ\u{201D}, “AMANHÃ\u{201D}…, MAÇÃ…, MANHÃ–NOITE, JOÃO, SÃO, não, maçã",
            "«\u{A0}voilà\u{A0}», l’été\u{A0}», «É», “É\u{201D}, É…, CAFÉ™, NESCAFÉ®, café’”, déjà”—, Société\u{A0}©",
            "À\u{A0}la, Ê\u{A0}!, «\u{A0}Â\u{A0}», «Â», ÉLÉ\u{AD}GANT, n°, N°\u{A0}5, 2ème, École, Œuvre, É\u{B2}",
            "Spaß«, »Spaß«, „Spaß“, Spaß…, Ä–Ö–Ü, Ä, Ö, Ü, „Ü“, ÜÖÄ, Öl–Preis, GRÖẞE, 5\u{A0}×\u{A0}3, 1920×1080",
            "¡OL\u{C9}\u{A1}, ¿QU\u{C9}\u{BF}, «ESPAÑ», Ñ.º, Mª, Ñ\u{AA}, habló…», «él», PEÑÍSCOLA, ¿Ñ?, “SÍ\u{201D}, SÓLO…",
            "SNÍŽÍŠ, BLÍŽŠÍ, Úžasný, ÚŽASNÝ, Úšklebek, Íšan, kříž”, KŘÍŽ, příž…, ZKRÍŽÍŠ…, ČÍŽ",
            "1,54 Å, 3 Å\u{B2}, 12.5 Å\u{B3}, 120 mÅ–130 mÅ, 5 kcal/molÅ\u{B2}, 1.2Å\u{B1}0.1, 0.1 Å·s, Ø\u{A0}20\u{A0}mm, Ø\u{BD}",
            "Tiếng Việt, Ước, Ðức, HÂLÂ…, HÂLÂ\u{201D}, Â’r, það”, „ÞAÐ\u{201C}, ÞAÐ…, ÅÄÖ, åäö, Øl–bar, œuvre, Ÿ",
            "Ελλάδα, «Ελλάδα», Привет, «МИР», 中文、日本語「テキスト」, 한국어, שלום, مرحبا, ไทย, हिन्दी, 😀",
            "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
            "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ\u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿",
            "É",
            "Ã",
            "â",
            "â€",
            "ð",
            "ðŸ",
            "Ð",
        ] {
            assert_eq!(in_text("double-encoded", text), [""; 0], "{text}");
        }
    }

    /// However a text is cut into runs where it may be, the same is found.
    #[test]
    fn cuts_change_nothing() {
        let text = "10Â\u{A0}000 cafÃ© cafe\u{301} 1\u{301}\u{327}\r\n(\u{301}\u{327})\n \u{202E}1;\0\0\t\r\u{FEFF} \
                    «ÍŽÍŠ» â€™â€™ #\u{1112}\u{1161}\u{11AB}\r\r\n0Ã—0\u{7F}\u{85}. Â« \u{FFFD}\u{10FFFF}\n\n\u{958}!";
        let whole = scan("all", &[Some(text)]);
        assert!(whole.len() > 20, "{whole:#?}");
        let is_cut = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !matches!(c, '<' | '=' | '>');
        let pieces: Vec<_> = text.split_inclusive(is_cut).collect();
        let somes = |pieces: &[&'static str]| pieces.iter().map(|piece| Some(*piece)).collect::<Vec<_>>();
        assert_eq!(scan("all", &somes(&pieces)), whole);
        for i in 0..=pieces.len() {
            let (left, right) = text.split_at(pieces[..i].concat().len());
            assert_eq!(scan("all", &[Some(left), Some(right)]), whole, "{left:?} {right:?}");
        }
    }

    #[test]
    fn places_of_another_encoding() {
        let text = "é\u{202E}\n😀\u{202E}\r\n";
        let source: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let mut offsets = vec![0];
        for scalar in text.chars() {
            offsets.push(offsets.last().unwrap() + 2 * scalar.len_utf16() as u32);
        }
        let start = Place::default().behind(b"\n12", 6);
        let mut run = Run::decoded(text.as_bytes(), start, &source, &offsets);
        let mut scan = Scan::new(rules("bidi,mixed-newlines=lf"));
        let mut found = Found { room: 9, ..Found::default() };
        scan.run(&mut run, &mut found);
        scan.end(run.place(text.len()), &mut found);
        let seen: Vec<_> = found
            .list
            .iter()
            .map(|finding| {
                let Finding { place, len, bytes, .. } = finding;
                (place.offset(), place.line(), place.column(), *len, bytes.to_string())
            })
            .collect();
        assert_eq!(
            seen,
            [
                (8, 2, 4, 2, "20 2E".to_string()),
                (16, 3, 2, 2, "20 2E".to_string()),
                (18, 3, 3, 4, "00 0D 00 0A".to_string()),
            ]
        );
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let mut scan = Scan::new(rules("nul,bidi,not-nfc"));
        let mut found = Found { room: 2, ..Found::default() };
        scan.run(&mut Run::utf8("e\u{301}\0\u{202E}\0".as_bytes(), Place::default()), &mut found);
        assert_eq!(
            found.list.iter().map(|finding| finding.rule).collect::<Vec<_>>(),
            [Rule::NotNfc, Rule::Nul]
        );
        assert_eq!(found.counts, BTreeMap::from([(Rule::Nul, 2), (Rule::Bidi, 1), (Rule::NotNfc, 1)]));
        assert_eq!(found.room, 0);
    }

    /// A megabyte of the worst takes no longer than a moment: nothing is looked at again and again.
    #[test]
    fn hostile_texts_take_linear_time() {
        let began = std::time::Instant::now();
        for unit in [
            "\u{301}",
            "\u{301}\u{327}",
            "e\u{301}",
            "\u{1100}\u{1161}\u{11A8}",
            "\u{F73}",
            "\u{1112}",
            "\u{1161}",
            "Ã",
            "Ã–",
            "Ã©",
            "Ð¿",
            "É»",
            "â€™",
            "ð",
            "\r",
            "\r\n",
            "\n\r",
            "\0",
            "\u{202E}",
            "a\u{FFFF}",
            "\u{11131}\u{11127}",
        ] {
            let text = unit.repeat((1 << 20) / unit.len());
            for text in [format!("q{text}"), format!("é{text}\u{327}x"), text] {
                let mut scan = Scan::new(rules("all"));
                let mut found = Found { room: 100_000, ..Found::default() };
                scan.run(&mut Run::utf8(text.as_bytes(), Place::default()), &mut found);
                scan.end(Place::default(), &mut found);
            }
        }
        assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    }
}
