//! Writes the repaired file in one pass. Text without repairs is copied byte for byte.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem;

use utfconv_core::{Encoding, NormalizationForm, RunText};
use utfconv_repair::{Repairer, WINDOW};

use super::text::Repairs;
use crate::commands::check::rules::{Before, Rule, is_blank, split_blank_lines};
use crate::config::{Demand, Newline};
use crate::files::ranges::Reading;
use crate::files::text_items::{Item, through};
use crate::text::newlines::encoded;
use utfconv_core::utf8::count_chars;

/// How a file is repaired.
#[derive(Clone, Copy, Debug)]
pub struct Repair {
    pub reading: Reading,
    /// The BOM is removed or added.
    pub bom: Option<Demand>,
    pub text: Repairs,
    /// Undoes double encoding where that is proven, in UTF-8.
    pub takes_back_double_encoding: bool,
    /// Written at the end of the text.
    pub added: Option<Newline>,
    pub at_end: AtEnd,
}

/// What is removed at the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    Nothing,
    Newlines,
    BlankLines,
}

/// Writes the repaired file.
pub fn rewrite(file: &File, repair: &Repair, out: &mut dyn Write) -> io::Result<()> {
    // A file that is not UTF-8 is written line by line.
    let mut out = BufWriter::with_capacity(ENOUGH, out);
    let mut writer = Writer::new(repair, &mut out);
    through(file, &repair.reading, |item, encoding| {
        writer.encoding = encoding;
        writer.take(item)
    })?;
    writer.end()?;
    out.flush()
}

/// How many bytes of text are repaired at a time; more where the text cannot be cut.
const ENOUGH: usize = 64 << 10;

/// How often double encoding is undone, as the result may need further repairs.
const ROUNDS: usize = 4;

/// The most newlines at the end of a file that are removed.
const MOST_TRAILING: usize = 1 << 20;

struct Writer<'a> {
    repair: &'a Repair,
    repairer: Repairer,
    encoding: &'static Encoding,
    out: &'a mut dyn Write,
    before: Before,
    /// Text that is not repaired yet.
    text: String,
    /// Its bytes in the file, and where each of its scalar values begins there; empty if the file is UTF-8.
    bytes: Vec<u8>,
    starts: Vec<u32>,
    is_utf8: bool,
    /// No more text follows.
    is_last: bool,
    /// Newlines and blanks that are not written yet: the text may end with them.
    trailing: Vec<u8>,
    /// How many of them stay at the end, if known: those up to the first newline, or none if no text is before them.
    kept: Option<usize>,
    /// Some were written, as they were too many.
    is_past_limit: bool,
}

impl<'a> Writer<'a> {
    fn new(repair: &'a Repair, out: &'a mut dyn Write) -> Writer<'a> {
        Writer {
            repair,
            repairer: Repairer::new(),
            encoding: repair.reading.named,
            out,
            before: Before::Start,
            text: String::new(),
            bytes: Vec::new(),
            starts: Vec::new(),
            is_utf8: true,
            is_last: false,
            trailing: Vec::new(),
            kept: Some(0),
            is_past_limit: false,
        }
    }

    fn take(&mut self, item: Item) -> io::Result<()> {
        match item {
            Item::Text(bytes, text) => {
                self.add(bytes, text);
                // A document proves more as a whole.
                let enough = if self.repair.takes_back_double_encoding { WINDOW + 1 } else { ENOUGH };
                while self.text.len() >= enough {
                    match self.cut() {
                        0 => break,
                        cut => self.flush(cut)?,
                    }
                }
                Ok(())
            }
            Item::ForbiddenBom(_) if self.repair.bom == Some(Demand::Forbid) => Ok(()),
            Item::Bom(bytes) | Item::ForbiddenBom(bytes) => self.write_bom(bytes),
            Item::MissingBom if self.repair.bom != Some(Demand::Require) => Ok(()),
            Item::MissingBom => self.encoded("\u{FEFF}").map_or(Ok(()), |bom| self.write_bom(&bom)),
            Item::Other(bytes) | Item::IllFormed(bytes) => {
                self.flush(self.text.len())?;
                self.before = Before::Other;
                self.write_trailing()?;
                self.out.write_all(bytes)
            }
        }
    }

    fn write_bom(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.before = Before::Bom;
        self.out.write_all(bytes)
    }

    fn add(&mut self, bytes: &[u8], text: Option<&RunText>) {
        self.is_utf8 = text.is_none();
        match text {
            None => self.text.push_str(str::from_utf8(bytes).unwrap_or_default()),
            Some(text) => {
                let before = self.bytes.len() as u32;
                self.starts.extend(text.starts.iter().map(|start| before + start));
                self.bytes.extend_from_slice(bytes);
                self.text.push_str(&text.utf8);
            }
        }
    }

    /// Returns where the text can be cut, so that no repair looks across the cut.
    fn cut(&self) -> usize {
        let all = self.text.as_bytes();
        // Where windows end in which double encoding is looked for.
        let window = if self.repair.takes_back_double_encoding { WINDOW } else { all.len() };
        if let Some(at) = memchr::memrchr(b'\n', &all[..all.len().min(window)]) {
            return at + 1;
        }
        let text = self.text.as_bytes();
        let form = NormalizationForm::Nfc;
        // The last character may be a CR before its LF, or be composed with what follows.
        let boundary = form.last_boundary(text, text.len() - 1);
        let may_be_cut = |last: u8| {
            last != b'\r'
                && last < 0x80
                && !(self.repair.text.rules.has(Rule::TrailingWhitespace) && is_blank(last))
        };
        match boundary > 0 && may_be_cut(text[boundary - 1]) {
            true => boundary,
            false if text.len() <= NormalizationForm::LONGEST_SEQUENCE => 0,
            false if boundary > 0 => boundary,
            // No longer sequence is composed, so that its memory has a limit.
            false => self.text.char_indices().next_back().map_or(0, |(last, _)| last),
        }
    }

    /// Repairs and writes the text up to `cut`.
    fn flush(&mut self, cut: usize) -> io::Result<()> {
        if cut == 0 {
            return Ok(());
        }
        let rest = self.text.split_off(cut);
        let text = mem::replace(&mut self.text, rest);
        if self.is_utf8 {
            let repaired = self.repaired(&text);
            self.before = self.before.past(&repaired);
            return self.write(&repaired, repaired.as_bytes());
        }
        let (bytes, mut starts) = (mem::take(&mut self.bytes), mem::take(&mut self.starts));
        let scalars = count_chars(text.as_bytes());
        let end = starts.get(scalars).map_or(bytes.len(), |start| *start as usize);
        self.bytes = bytes[end..].to_vec();
        self.starts = starts.split_off(scalars).into_iter().map(|start| start - end as u32).collect();
        starts.push(end as u32);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let next = at + count_chars(line.as_bytes());
            self.write_line(line, &bytes[starts[at] as usize..starts[next] as usize])?;
            at = next;
        }
        Ok(())
    }

    /// The repairs of the next text.
    fn repairs(&self) -> Repairs {
        Repairs { is_last: self.is_last, ..self.repair.text }
    }

    /// The text of a UTF-8 file with all repairs.
    fn repaired<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let repairs = self.repairs();
        let mut repaired = repairs.apply(text, self.before);
        if self.repair.takes_back_double_encoding {
            for round in 0..ROUNDS {
                // Earlier changes in the document are evidence.
                let found = match round {
                    0 => self.repairer.next(&repaired),
                    _ => Repairer::new().next(&repaired),
                };
                if found.changes.is_empty() {
                    break;
                }
                let text = found.applied(&repaired);
                repaired = Cow::Owned(repairs.apply(&text, self.before).into_owned());
            }
        }
        repaired
    }

    /// Writes a line of a file that is not UTF-8. The line stays if it needs no repair, or if a repair would change the
    /// rest of it.
    fn write_line(&mut self, line: &str, bytes: &[u8]) -> io::Result<()> {
        let all = self.repairs();
        // The encoding may not have what is composed.
        let mut others = all;
        others.rules.turn_off(Rule::NotNfc);
        for repairs in [all, others] {
            let repaired = repairs.apply(line, self.before);
            if repaired == line || self.encoded(line).is_none_or(|encoded| encoded != bytes) {
                break;
            }
            if let Some(encoded) = self.encoded(&repaired) {
                self.before = self.before.past(&repaired);
                return self.write(&repaired, &encoded);
            }
        }
        self.before = self.before.past(line);
        self.write(line, bytes)
    }

    /// Writes `bytes`, which are this text. Newlines and blanks at its end wait, as they may be removed.
    fn write(&mut self, text: &str, bytes: &[u8]) -> io::Result<()> {
        let (rest, end) = match self.repair.at_end {
            AtEnd::Nothing => return self.out.write_all(bytes),
            AtEnd::Newlines => text.split_at(text.trim_end_matches(['\r', '\n']).len()),
            AtEnd::BlankLines => split_blank_lines(text),
        };
        let len = |text: &str| self.encoded(text).map_or(0, |encoded| encoded.len());
        let first = Newline::find(end.as_bytes()).map(|(at, kind)| len(&end[..at + kind.text().len()]));
        let (start, end) = bytes.split_at(bytes.len() - len(end));
        if !rest.is_empty() {
            self.write_trailing()?;
            self.out.write_all(start)?;
        }
        self.kept = self.kept.or(first.map(|first| self.trailing.len() + first));
        self.trailing.extend_from_slice(end);
        if self.trailing.len() > MOST_TRAILING {
            self.write_trailing()?;
            self.is_past_limit = true;
        }
        Ok(())
    }

    /// Writes what waited, since text follows.
    fn write_trailing(&mut self) -> io::Result<()> {
        (self.kept, self.is_past_limit) = (None, false);
        self.out.write_all(&mem::take(&mut self.trailing))
    }

    /// Returns the text in the encoding of the file, if that has all of it.
    fn encoded(&self, text: &str) -> Option<Vec<u8>> {
        encoded(text, self.encoding, self.repair.reading.newline)
    }

    fn end(mut self) -> io::Result<()> {
        self.is_last = true;
        self.flush(self.text.len())?;
        let drops_lines = self.repair.at_end == AtEnd::BlankLines && !self.is_past_limit;
        let all = self.trailing.len();
        let kept = match drops_lines {
            true => self.kept.unwrap_or(all),
            false if self.is_past_limit => all,
            false => 0,
        };
        self.out.write_all(&self.trailing[..kept])?;
        let is_empty = matches!(self.before, Before::Start | Before::Bom);
        // With blank lines, a newline before them was kept, or all of the text was dropped.
        let has_newline = drops_lines && self.kept.is_some();
        match self.repair.added.and_then(|newline| self.encoded(newline.text())) {
            Some(newline) if !is_empty && !has_newline => self.out.write_all(&newline),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::{EbcdicNewline, InputBom, UTF_8};

    /// The marks of one character, which nothing ends: they could all be one sequence.
    #[test]
    fn memory_has_a_limit() {
        let reading = Reading { named: &UTF_8, input_bom: InputBom::Auto, newline: EbcdicNewline::Nel };
        let repair = Repair {
            reading,
            bom: None,
            text: Repairs::default(),
            takes_back_double_encoding: false,
            added: None,
            at_end: AtEnd::Nothing,
        };
        let marks = "\u{301}".repeat(ENOUGH);
        let mut out = Vec::new();
        let mut writer = Writer::new(&repair, &mut out);
        for _ in 0..20 {
            writer.take(Item::Text(marks.as_bytes(), None)).expect("writes");
            assert!(writer.text.len() <= NormalizationForm::LONGEST_SEQUENCE + marks.len());
        }
        writer.end().expect("writes");
        assert!(out == marks.repeat(20).as_bytes());
    }
}
