//! The JSON output, with one object per line.

use serde::Serialize;
use utfconv_core::{FaultBytes, FaultKind};

use super::sequences::{Sequence, What};
use super::view::Shown;
use crate::ui::characters;
use crate::ui::json::to_json;

/// Renders sequences. The lines of a character differ only in their offsets, so the rest of each line is cached.
pub struct Lines {
    /// The cached characters, in slots by scalar value: each with its bytes and the rest of its line.
    kept: Vec<Option<(char, FaultBytes, String)>>,
}

/// The start of the line of a character.
const CHARACTER: &str = "{\"type\":\"character\",\"offset\":";

impl Lines {
    const SLOTS: usize = 1 << 10;

    pub fn new() -> Lines {
        Lines { kept: vec![None; Lines::SLOTS] }
    }

    /// Appends a sequence to `out`. Gaps are not written, because the offsets show them.
    pub fn push(&mut self, out: &mut String, shown: Shown, knows_lines: bool) {
        let (Shown::Sequence(sequence) | Shown::Marked(sequence)) = shown else { return };
        let What::Text(scalar, None) = sequence.what else { return push(out, sequence, knows_lines) };
        let slot = &mut self.kept[scalar as usize % Lines::SLOTS];
        if !matches!(slot, Some((known, bytes, _)) if (*known, *bytes) == (scalar, sequence.bytes)) {
            let mut line = String::new();
            let first = Sequence { offset: 0, what: What::Text(scalar, None), ..*sequence };
            push(&mut line, &first, knows_lines);
            // The rest follows the offset, which is 0 in this line.
            let rest = line.split_off(CHARACTER.len() + 1);
            *slot = Some((scalar, sequence.bytes, rest));
        }
        if let Some((_, _, rest)) = slot {
            *out += CHARACTER;
            *out += &sequence.offset.to_string();
            *out += rest;
        }
    }
}

/// Appends the line of a sequence.
fn push(out: &mut String, sequence: &Sequence, knows_lines: bool) {
    let Sequence { offset, bytes, what } = sequence;
    let (kind, what) = match what {
        What::Text(first, second) => {
            let scalars = || [Some(*first), *second].into_iter().flatten();
            let names = scalars().filter_map(characters::name).collect();
            let code_points = scalars().map(|scalar| uplus(scalar.into())).collect();
            ("character", Details::Character { scalars: code_points, text: scalars().collect(), names })
        }
        What::CodePoint(code_point) => ("code point", Details::CodePoint { code_point: uplus(*code_point) }),
        What::Shift => ("shift", Details::Shift {}),
        What::Bom(encoding) => ("bom", Details::Bom { encoding: encoding.name() }),
        What::Fault(fault) => {
            let kind = match fault.kind {
                FaultKind::IllFormed { kind, .. } => kind.name().to_string(),
                _ => fault.title().to_string(),
            };
            let message = fault.to_string();
            let known = |number| knows_lines.then_some(number);
            let (line, column) = (known(fault.line), known(fault.column));
            ("error", Details::Error { line, column, kind, message })
        }
    };
    *out += &to_json(&Line { kind, offset: *offset, length: bytes.len(), bytes: bytes.to_string(), what });
    out.push('\n');
}

fn uplus(code_point: u32) -> String {
    format!("U+{code_point:04X}")
}

#[derive(Serialize)]
struct Line {
    #[serde(rename = "type")]
    kind: &'static str,
    offset: u64,
    length: usize,
    bytes: String,
    #[serde(flatten)]
    what: Details,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Details {
    Character {
        scalars: Vec<String>,
        text: String,
        /// The names of the characters; empty if the program was built without names.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
    },
    CodePoint {
        code_point: String,
    },
    Shift {},
    Bom {
        encoding: &'static str,
    },
    Error {
        #[serde(skip_serializing_if = "Option::is_none")]
        line: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        column: Option<u64>,
        kind: String,
        message: String,
    },
}
