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
    /// Removes or adds the BOM.
    pub bom: Option<Demand>,
    pub text: Repairs,
    /// Undoes double encoding where that is proven, in UTF-8.
    pub takes_back_double_encoding: bool,
    /// The newline to add at the end of the text.
    pub added: Option<Newline>,
    pub at_end: AtEnd,
}

/// The part that is removed at the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    Nothing,
    Newlines,
    BlankLines,
}

/// Writes the content of `file` to `out`, with the repairs that `repair` selects.
pub fn rewrite(file: &File, repair: &Repair, out: &mut dyn Write) -> io::Result<()> {
    // Writes are buffered, because a file that is not UTF-8 is written line by line.
    let mut out = BufWriter::with_capacity(ENOUGH, out);
    let mut writer = Writer::new(repair, &mut out);
    through(file, &repair.reading, |item, encoding| {
        writer.encoding = encoding;
        writer.take(item)
    })?;
    writer.end()?;
    out.flush()
}

/// Number of bytes of text that are repaired at a time, or more if the text cannot be cut.
const ENOUGH: usize = 64 << 10;

/// Maximum number of rounds in which double encoding is undone, because the result may need further repairs.
const ROUNDS: usize = 4;

/// Maximum number of bytes at the end of a file that are held back and may be removed.
const MOST_TRAILING: usize = 1 << 20;

struct Writer<'a> {
    repair: &'a Repair,
    repairer: Repairer,
    encoding: &'static Encoding,
    out: &'a mut dyn Write,
    before: Before,
    /// Text that is not repaired yet.
    text: String,
    /// Bytes of `text` in the file, and the offset of each scalar value in these bytes; empty if the file is UTF-8.
    bytes: Vec<u8>,
    starts: Vec<u32>,
    is_utf8: bool,
    /// True if no more text follows.
    is_last: bool,
    /// Newlines, spaces and tabs that are not written yet, because the text may end with them.
    trailing: Vec<u8>,
    /// Number of bytes of `trailing` that stay at the end of the file, if known: up to the first newline, or 0 if no
    /// text precedes `trailing`.
    kept: Option<usize>,
    /// True if `trailing` exceeded its limit and was written.
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
                // Double encoding is proven in windows, which need more text.
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

    /// Returns the byte offset at which the text can be cut so that no repair looks across the cut.
    fn cut(&self) -> usize {
        let all = self.text.as_bytes();
        // If double encoding is undone, the cut lies in the first window in which it is searched.
        let window = if self.repair.takes_back_double_encoding { WINDOW } else { all.len() };
        if let Some(at) = memchr::memrchr(b'\n', &all[..all.len().min(window)]) {
            return at + 1;
        }
        let text = self.text.as_bytes();
        let form = NormalizationForm::Nfc;
        // The last character is excluded, because it may be a CR before its LF, or compose with the next character.
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
            // A longer sequence is not composed, so the text is cut before its last character to limit memory.
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

    /// Returns the repairs for the next text.
    fn repairs(&self) -> Repairs {
        Repairs { is_last: self.is_last, ..self.repair.text }
    }

    /// Returns the text of a UTF-8 file with all repairs made.
    fn repaired<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let repairs = self.repairs();
        let mut repaired = repairs.apply(text, self.before);
        if self.repair.takes_back_double_encoding {
            for round in 0..ROUNDS {
                // In the first round, earlier changes in the document are evidence.
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

    /// Writes a line of a file that is not UTF-8. The line is copied if it needs no repair, if its bytes would change
    /// by encoding it again, or if its repair cannot be encoded.
    fn write_line(&mut self, line: &str, bytes: &[u8]) -> io::Result<()> {
        let all = self.repairs();
        // The second attempt does not compose, because the encoding may lack the composed characters.
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

    /// Writes `bytes`, the encoded `text`, but holds back newlines, spaces and tabs at its end, because they may be
    /// removed.
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

    /// Writes the bytes that were held back, because text follows.
    fn write_trailing(&mut self) -> io::Result<()> {
        (self.kept, self.is_past_limit) = (None, false);
        self.out.write_all(&mem::take(&mut self.trailing))
    }

    /// Encodes the text in the encoding of the file; `None` if the encoding lacks a character.
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
        // If blank lines were removed, a newline before them was kept, or the whole text was removed.
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

    /// An endless sequence of marks on a single character must not be buffered as a whole.
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
