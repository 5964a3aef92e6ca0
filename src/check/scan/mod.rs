//! Scans well-formed text for what the rules forbid.
//!
//! A few fast passes find the positions; then each finding is explained, as long as the list has room. The checker decides
//! whether bytes are well-formed, and about the BOM.

use std::ops::Range;

use utfconv_core::{FaultBytes, Position};

use super::report::{Finding, Findings};
use super::rules::{self, Character, Detection, Find, Rule, Rules, Why};
use utfconv_core::internals::marks::{BLOCK, Marks};
use utfconv_core::internals::{count_chars, decode_first, is_continuation};

mod document;
mod newlines;

/// A run of well-formed text of a file.
pub struct Run<'a> {
    /// Well-formed UTF-8.
    text: &'a [u8],
    start: Position,
    /// None if the text is the source.
    source: Option<Source<'a>>,
    cursor: Cursor,
}

/// The source of a text that is not UTF-8.
struct Source<'a> {
    bytes: &'a [u8],
    offsets: &'a [u32],
}

/// A position in a run that has been looked up.
#[derive(Clone, Copy)]
struct Cursor {
    /// Bytes of text before it.
    at: usize,
    /// Scalar values before it.
    scalars: usize,
    position: Position,
}

/// Some text of a run, with its position in the file.
#[derive(Clone, Copy, Debug)]
struct Spot {
    position: Position,
    /// Bytes in the file.
    len: u64,
    /// Columns, if it ends on the line where it begins.
    columns: Option<u64>,
    /// The first of these bytes.
    bytes: FaultBytes,
}

impl<'a> Run<'a> {
    /// Makes a run of UTF-8.
    pub fn utf8(text: &'a [u8], start: Position) -> Run<'a> {
        Run { text, start, source: None, cursor: Cursor { at: 0, scalars: 0, position: start } }
    }

    /// Makes a run of another encoding: `source` reads as `text`. `offsets` has, for each scalar value and for the end,
    /// the number of bytes of `source` before it.
    pub fn decoded(text: &'a [u8], start: Position, source: &'a [u8], offsets: &'a [u32]) -> Run<'a> {
        Run { source: Some(Source { bytes: source, offsets }), ..Run::utf8(text, start) }
    }

    /// Returns the position of byte `at` of the text, where a character begins or the text ends. Looking up positions in
    /// order takes the time of one pass in all.
    pub fn position(&mut self, at: usize) -> Position {
        if at < self.cursor.at {
            self.cursor = Cursor { at: 0, scalars: 0, position: self.start };
        }
        let Cursor { at: from, scalars, position } = self.cursor;
        let between = &self.text[from..at];
        let (scalars, len) = match &self.source {
            None => (0, between.len() as u64),
            Some(source) => {
                let to = scalars + count_chars(between);
                (to, u64::from(source.offsets[to] - source.offsets[scalars]))
            }
        };
        self.cursor = Cursor { at, scalars, position: position.past(between, len) };
        self.cursor.position
    }

    fn spot(&mut self, text: Range<usize>) -> Spot {
        let position = self.position(text.start);
        // The next finding may begin inside this one.
        let cursor = self.cursor;
        let end = self.position(text.end);
        self.cursor = cursor;
        let len = end.offset() - position.offset();
        let columns = (end.line() == position.line()).then(|| end.column() - position.column());
        let bytes = match &self.source {
            None => &self.text[text],
            Some(source) => {
                &source.bytes[(position.offset() - self.start.offset()) as usize..][..len as usize]
            }
        };
        Spot { position, len, columns, bytes: FaultBytes::new(&bytes[..bytes.len().min(FaultBytes::MAX)]) }
    }
}

/// Scans the runs of one file, in order.
///
/// A run ends at the end of the file, at a gap, or after an ASCII character other than a letter, CR, `<`, `=` and `>`:
/// there no finding is cut in two. If a run has to end elsewhere, a finding may be missed or reported in parts.
pub struct Scan {
    /// The rules that look for characters.
    local: Vec<(Rule, &'static Character)>,
    marks: Marks,
    passes: Vec<(Rule, Find)>,
    /// The findings of a run; here, so that their memory is reused.
    hits: Vec<Hit>,
    /// Where double encoding is looked for.
    document: Option<document::Windows>,
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
        let (mut local, mut passes) = (Vec::new(), Vec::new());
        for rule in rules.iter() {
            match rule.detection() {
                Detection::Character(character) => local.push((rule, character)),
                Detection::Pass(pass) => passes.push((rule, pass.find)),
                Detection::Decoder
                | Detection::Document
                | Detection::Newlines
                | Detection::Ends
                | Detection::Versions => {}
            }
        }
        Scan {
            local,
            marks: rules::marks(&rules),
            passes,
            hits: Vec::new(),
            document: rules.has(Rule::DoubleEncoded).then(document::Windows::new),
            newlines: newlines::Count::new(rules.newlines, rules.final_newline),
        }
    }

    /// Scans the next run.
    pub fn run(&mut self, run: &mut Run, found: &mut Findings) {
        let text = run.text;
        if !self.local.is_empty() {
            self.find_characters(text);
        }
        for (rule, find) in &self.passes {
            let hits = &mut self.hits;
            find(text, &mut |Range { start, end }| hits.push(Hit { start, end, rule: *rule }));
        }
        self.hits.sort_unstable();
        for Hit { start, end, rule } in self.hits.drain(..) {
            // In encodings like UTF-16LE, U+FEFF at the start of a file is text, but not inside it.
            if rule == Rule::InnerBom && start == 0 && run.start.offset() == 0 {
                continue;
            }
            found.push(rule, || {
                let Why { text: why, hint } = rule.why(&text[start..end], decode_first(&text[start..]).0);
                finding(rule, rule.definition().title, run.spot(start..end), &why, hint)
            });
        }
        self.newlines.run(run);
        if let Some(document) = &mut self.document {
            document.take(run, found);
        }
    }

    /// Marks ill-formed `bytes`: the next run does not continue the previous one.
    pub fn gap(&mut self, bytes: &[u8], found: &mut Findings) {
        if let Some(document) = &mut self.document {
            document.gap(bytes, found);
        }
        self.newlines.gap();
    }

    /// Ends the file. Findings about newlines and double encoding may begin before those in `found`.
    pub fn end(&mut self, end: Position, found: &mut Findings) {
        if let Some(document) = &mut self.document {
            document.end(found);
        }
        self.newlines.end(end, found);
    }

    /// Finds characters that are forbidden.
    fn find_characters(&mut self, text: &[u8]) {
        let mut from = 0;
        while let Some((block, marks)) = self.marks.next(text, from) {
            for (at, mark) in (block..).zip(marks) {
                if mark != 0 && text.get(at).is_some_and(|byte| !is_continuation(*byte)) {
                    self.find_at(text, at);
                }
            }
            from = block + BLOCK;
        }
    }

    /// Finds a forbidden character at `at`, where a character begins.
    fn find_at(&mut self, text: &[u8], at: usize) {
        let (scalar, len) = decode_first(&text[at..]);
        for (rule, Character { is_forbidden, .. }) in &self.local {
            if is_forbidden(scalar) {
                self.hits.push(Hit { start: at, end: at + len, rule: *rule });
            }
        }
    }
}

/// Makes a finding, with a message of `what`, the bytes and `why`.
fn finding(rule: Rule, what: &str, spot: Spot, why: &str, hint: Option<String>) -> Finding {
    let Spot { position, len, columns, bytes } = spot;
    let more = if len > bytes.len() as u64 { " ..." } else { "" };
    let which = if len > 0 { format!("{bytes}{more}: ") } else { String::new() };
    Finding {
        rule,
        position,
        len,
        columns,
        bytes,
        kind: "",
        message: format!("byte {}: {what}: {which}{why}", position.offset()),
        hint,
        excerpt: None,
    }
}

#[cfg(test)]
mod tests;
