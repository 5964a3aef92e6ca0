//! An error in a file, and the compact form in which many findings wait for the report.

use std::array;

use utfconv_core::{FaultBytes, Position};

use super::rules::Rule;
use crate::ui::excerpt::Excerpt;

/// An error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub rule: Rule,
    /// Position of the first byte of the error.
    pub position: Position,
    /// Length in bytes of the file; 0 if something is missing.
    pub len: u64,
    /// Width in columns; `None` if the error does not end on the line where it begins.
    pub columns: Option<u64>,
    /// Bytes of the error, or the first of them if there are many.
    pub bytes: FaultBytes,
    /// The kind of ill-formed text; empty for other rules.
    pub kind: &'static str,
    /// Message, such as `invalid UTF-8 (truncated) at byte 35: ...`; a single line, safe for any terminal.
    pub message: String,
    /// Cause and advice, if certain; safe for any terminal.
    pub hint: Option<String>,
    /// The line that contains the error, for a terminal.
    pub excerpt: Option<Excerpt>,
}

impl Finding {
    /// Creates a finding about `bytes`, with a column per byte and without a hint and an excerpt.
    pub fn new(rule: Rule, position: Position, bytes: &[u8], message: String) -> Finding {
        let len = bytes.len() as u64;
        let bytes = FaultBytes::new(&bytes[..bytes.len().min(FaultBytes::MAX)]);
        let (columns, kind, hint, excerpt) = (Some(len), "", None, None);
        Finding { rule, position, len, columns, bytes, kind, message, hint, excerpt }
    }
}

/// Findings in a compact form: 40 to 80 bytes for an error without an excerpt, instead of 400.
#[derive(Clone, Debug, Default)]
pub struct Packed {
    blocks: Vec<Block>,
}

/// Up to `Packed::BLOCK` findings: numbers in a variable-length code, texts without the prefix that they share with
/// the previous finding.
#[derive(Clone, Debug)]
struct Block {
    bytes: Box<[u8]>,
    len: u64,
    /// The distinct values of `Finding::kind`.
    kinds: Vec<&'static str>,
}

impl Packed {
    /// Maximum number of findings in a block.
    const BLOCK: usize = 1 << 12;

    pub fn len(&self) -> u64 {
        self.blocks.iter().map(|block| block.len).sum()
    }

    pub fn iter(&self) -> impl Iterator<Item = Finding> {
        self.blocks.iter().flat_map(Block::iter)
    }

    pub fn push(&mut self, findings: &[Finding]) {
        self.blocks.extend(findings.chunks(Self::BLOCK).map(Block::new));
    }

    /// Adds `findings` before all others.
    pub fn push_front(&mut self, findings: &[Finding]) {
        self.blocks.splice(..0, findings.chunks(Self::BLOCK).map(Block::new));
    }

    pub fn retain(&mut self, is_kept: impl Fn(&Finding) -> bool) {
        for block in &mut self.blocks {
            *block = Block::new(&block.iter().filter(&is_kept).collect::<Vec<_>>());
        }
    }

    /// Drops all but the first `len` findings.
    pub fn truncate(&mut self, mut len: u64) {
        for block in &mut self.blocks {
            block.len = block.len.min(len);
            len -= block.len;
        }
        self.blocks.retain(|block| block.len > 0);
    }
}

impl Block {
    fn new(findings: &[Finding]) -> Block {
        let (mut writer, mut last, mut kinds) = (Writer(Vec::new()), [&[][..]; 4], Vec::new());
        for finding in findings {
            numbers(finding, &mut kinds).into_iter().for_each(|number| writer.number(number));
            let texts = texts(finding);
            texts.iter().zip(last).for_each(|(text, last)| writer.text(text, last));
            last = texts;
        }
        Block { bytes: writer.0.into(), len: findings.len() as u64, kinds }
    }

    fn iter(&self) -> impl Iterator<Item = Finding> {
        let (mut reader, mut texts) = (Reader(&self.bytes), <[Vec<u8>; 4]>::default());
        (0..self.len).map(move |_| {
            let numbers = array::from_fn(|_| reader.number());
            texts.iter_mut().for_each(|text| reader.text(text));
            finding(numbers, &texts, &self.kinds)
        })
    }
}

/// Returns the numeric fields of a finding. Each optional field has a flag that is 1 if the field is set.
fn numbers(finding: &Finding, kinds: &mut Vec<&'static str>) -> [u64; 12] {
    let Finding { rule, position, len, columns, kind, hint, excerpt, .. } = finding;
    let kind = kinds.iter().position(|known| known == kind).unwrap_or_else(|| {
        kinds.push(kind);
        kinds.len() - 1
    });
    let (before, width) = excerpt.as_ref().map_or((0, 0), |excerpt| (excerpt.before, excerpt.width));
    [
        *rule as u64,
        position.offset(),
        position.line(),
        position.column(),
        *len,
        columns.is_some().into(),
        columns.unwrap_or(0),
        kind as u64,
        hint.is_some().into(),
        excerpt.is_some().into(),
        before as u64,
        width as u64,
    ]
}

/// Returns the text fields of a finding.
fn texts(finding: &Finding) -> [&[u8]; 4] {
    let Finding { bytes, message, hint, excerpt, .. } = finding;
    let line = excerpt.as_ref().map_or("", |excerpt| &excerpt.line);
    [bytes, message.as_bytes(), hint.as_deref().unwrap_or("").as_bytes(), line.as_bytes()]
}

/// Returns the finding that has these `numbers` and `texts`.
fn finding(numbers: [u64; 12], texts: &[Vec<u8>; 4], kinds: &[&'static str]) -> Finding {
    let [rule, offset, line, column, len, has_columns, columns, kind, has_hint, has_excerpt, before, width] =
        numbers;
    let text = |at: usize| String::from_utf8(texts[at].clone()).expect("it was a string");
    let excerpt = || Excerpt { line: text(3), before: before as usize, width: width as usize };
    Finding {
        rule: Rule::ALL[rule as usize],
        position: Position::new(offset, line, column),
        len,
        columns: (has_columns > 0).then_some(columns),
        bytes: FaultBytes::new(&texts[0]),
        kind: kinds[kind as usize],
        message: text(1),
        hint: (has_hint > 0).then(|| text(2)),
        excerpt: (has_excerpt > 0).then(excerpt),
    }
}

struct Writer(Vec<u8>);

impl Writer {
    /// Writes a number as groups of seven bits (LEB128), the lowest first; the highest bit of a byte is set if more
    /// groups follow.
    fn number(&mut self, mut number: u64) {
        while number > 0x7F {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Writes the length of the prefix that `text` shares with `last`, the length of the rest of `text`, and this
    /// rest.
    fn text(&mut self, text: &[u8], last: &[u8]) {
        let common = text.iter().zip(last).take_while(|(byte, last)| byte == last).count();
        self.number(common as u64);
        self.number((text.len() - common) as u64);
        self.0.extend_from_slice(&text[common..]);
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take(&mut self, len: usize) -> &[u8] {
        self.0.split_off(..len).expect("the block has all that was written")
    }

    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.take(1)[0];
            number |= u64::from(byte & 0x7F) << shift;
            if byte <= 0x7F {
                return number;
            }
            shift += 7;
        }
    }

    /// Changes `text` from the text of the previous finding to the text of the next finding.
    fn text(&mut self, text: &mut Vec<u8>) {
        let [common, others] = array::from_fn(|_| self.number() as usize);
        text.truncate(common);
        text.extend_from_slice(self.take(others));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_findings_come_back() {
        let finding = |n: u64| {
            let message = format!("invalid UTF-8 at byte {n}: é{}", "x".repeat(n as usize % 7));
            let position = Position::new(n.wrapping_mul(0x9E37_79B9_7F4A_7C15), n / 3 + 1, n % 3 + 1);
            let bytes = &b"\xFF\xFE\xFD"[..n as usize % 4];
            Finding {
                columns: (!n.is_multiple_of(5)).then_some(u64::MAX - n),
                len: n,
                kind: ["", "truncated", "surrogate"][n as usize % 3],
                hint: (!n.is_multiple_of(2)).then(|| format!("hint {}", n / 4)),
                excerpt: (!n.is_multiple_of(3)).then(|| Excerpt {
                    line: format!("é<{n}>"),
                    before: n as usize,
                    width: 1,
                }),
                ..Finding::new(Rule::ALL[n as usize % Rule::ALL.len()], position, bytes, message)
            }
        };
        let all: Vec<_> = (0..Packed::BLOCK as u64 + 9).map(finding).collect();
        let mut packed = Packed::default();
        packed.push(&all[5..]);
        packed.push_front(&all[..5]);
        assert_eq!(packed.len(), all.len() as u64);
        assert!(packed.iter().eq(all.iter().cloned()));
        packed.retain(|one| one.len % 2 > 0);
        packed.truncate(2000);
        assert!(packed.iter().eq(all.iter().filter(|one| one.len % 2 > 0).take(2000).cloned()));
        packed.truncate(0);
        assert_eq!((packed.len(), packed.blocks.len()), (0, 0));
    }

    /// A file of 1 MB of FF bytes has a million findings.
    #[test]
    fn similar_findings_take_few_bytes() {
        let finding = |n: u64| {
            let message = format!("invalid UTF-8 (never-used byte) at byte {n}: FF never appears in UTF-8");
            Finding::new(Rule::IllFormed, Position::new(n, 1, n + 1), b"\xFF", message)
        };
        let mut packed = Packed::default();
        packed.push(&(1_000_000..1_004_096).map(finding).collect::<Vec<_>>());
        let sum: usize = packed.blocks.iter().map(|block| block.bytes.len()).sum();
        assert!(sum < 60 * 4096, "{sum}");
    }
}
