//! The format for people, with a line for each sequence, and more lines for explanations.
//!
//! ```text
//! 3  C3 A9        U+00E9    é    LATIN SMALL LETTER E WITH ACUTE
//! ```
//!
//! Except for colors, the output has nothing that a terminal might act on.

use std::fmt::{Display, Write};
use std::iter::repeat_n;

use unicode_width::UnicodeWidthStr;
use utfconv_core::{FaultKind, is_printable};

use super::sequences::{Sequence, What};
use super::view::Shown;
use crate::ui::{characters, controls};

/// The layout of lines.
pub struct Layout {
    pub has_color: bool,
    /// Whether a sequence is marked among the sequences around it.
    pub has_marks: bool,
    /// Whether lines and columns of errors are known.
    pub knows_lines: bool,
    /// Number of terminal columns for decimal offsets.
    pub decimal: usize,
    /// Number of terminal columns for hexadecimal offsets, if they are shown.
    pub hexadecimal: Option<usize>,
}

/// Number of terminal columns for the mark.
const MARK: usize = 1;
/// Number of terminal columns for four bytes.
const BYTES: usize = 11;
/// Number of terminal columns for a scalar value, such as `U+10FFFF`.
const SCALAR: usize = 8;
/// Number of terminal columns for a character, such as `NUL`.
const CHARACTER: usize = 3;
/// Number of terminal columns between two cells.
const GAP: usize = 2;

const PLAIN: &str = "";
const DIM: &str = "\x1B[2m";
const BOLD: &str = "\x1B[1m";
const RED: &str = "\x1B[1;31m";
const CYAN: &str = "\x1B[36m";
const END: &str = "\x1B[0m";

impl Layout {
    /// Appends a sequence or a gap to `out`.
    pub fn push(&self, out: &mut String, shown: Shown) {
        let mut page = Page { out, has_color: self.has_color, blanks: 0 };
        if self.has_marks {
            page.cell(BOLD, if matches!(shown, Shown::Marked(_)) { ">" } else { "" }, MARK);
        }
        match shown {
            Shown::Gap => page.end(DIM, "..."),
            Shown::Sequence(sequence) | Shown::Marked(sequence) => self.push_sequence(&mut page, sequence),
        }
    }

    /// Writes a run of characters that show nothing: its first sequence, and what the run hides.
    pub fn push_run(&self, out: &mut String, first: &Sequence, text: &str) {
        let mut page = Page { out, has_color: self.has_color, blanks: 0 };
        if self.has_marks {
            page.cell(BOLD, "", MARK);
        }
        self.push_offset(&mut page, first.offset);
        page.cell(RED, first.bytes, BYTES);
        push_code_point(&mut page, RED, first.scalar().map_or(0, u32::from), "");
        page.end(RED, text);
    }

    fn push_offset(&self, page: &mut Page, offset: u64) {
        page.cell(DIM, format_args!("{offset:>0$}", self.decimal), self.decimal);
        if let Some(columns) = self.hexadecimal {
            page.cell(DIM, format_args!("{offset:>columns$X}"), columns);
        }
    }

    fn push_sequence(&self, page: &mut Page, sequence: &Sequence) {
        let Sequence { offset, bytes, what } = sequence;
        self.push_offset(page, *offset);
        let color = match what {
            What::Fault(_) => RED,
            What::Bom(_) | What::Shift => CYAN,
            What::Text(..) | What::CodePoint(_) => color_of_length(bytes.len()),
        };
        if 3 * bytes.len() > BYTES + 1 {
            // The meaning of a long sequence is in its usual column, but on the next line.
            page.end(color, bytes);
            page.blanks = self.indent();
        } else {
            page.cell(color, bytes, BYTES)
        }
        match what {
            What::Text(first, second) => {
                push_scalar(page, color, *first);
                if let Some(second) = second {
                    page.blanks = self.indent();
                    push_scalar(page, color, *second);
                }
            }
            What::CodePoint(code_point) => {
                push_code_point(page, color, *code_point, "");
                page.end(DIM, characters::kind(*code_point));
            }
            What::Bom(encoding) => {
                push_code_point(page, color, 0xFEFF, "");
                page.end(PLAIN, format_args!("BOM of {}", encoding.name()));
            }
            What::Shift => page.end(color, shift(bytes)),
            What::Fault(fault) => {
                let mut title = fault.title().to_string();
                if self.knows_lines {
                    title += &format!(" at {}:{}", fault.line, fault.column);
                }
                let reason = fault.reason().to_string();
                if let FaultKind::IllFormed { kind, .. } = fault.kind
                    && !reason.contains(kind.name())
                {
                    title += &format!(": {}", kind.name());
                }
                page.end(color, title);
                for clause in reason.split("; ") {
                    page.blanks = self.indent();
                    page.end(PLAIN, clause);
                }
            }
        }
    }

    /// Returns the number of columns before the meaning of the bytes.
    fn indent(&self) -> usize {
        let mark = self.has_marks.then_some(MARK);
        [mark, Some(self.decimal), self.hexadecimal, Some(BYTES)]
            .iter()
            .flatten()
            .map(|columns| columns + GAP)
            .sum()
    }
}

/// Writes the rest of a line about a scalar value.
fn push_scalar(page: &mut Page, color: &str, scalar: char) {
    push_code_point(page, color, scalar.into(), &glyph(scalar));
    let name = characters::name(scalar).unwrap_or_default();
    let is_kind = name.starts_with(|first: char| first.is_ascii_lowercase());
    page.end(if is_kind { DIM } else { PLAIN }, &name);
}

fn push_code_point(page: &mut Page, color: &str, code_point: u32, glyph: &str) {
    page.cell(color, format_args!("U+{code_point:04X}"), SCALAR);
    page.cell(PLAIN, glyph, CHARACTER);
}

/// Returns the character itself if it is harmless, and the abbreviation of a control.
fn glyph(scalar: char) -> String {
    match controls::aliases(scalar) {
        Some((short, _)) => short.to_string(),
        None if is_blank(scalar) => String::new(),
        None if is_printable(scalar) => scalar.to_string(),
        None => {
            // After another character, std escapes unprintable characters but not combining marks.
            let on_circle = format!("\u{25CC}{scalar}");
            if on_circle.escape_debug().eq(on_circle.chars()) { on_circle } else { String::new() }
        }
    }
}

/// Whether a character is invisible, but neither a control nor a space, and std does not escape it. Such characters are
/// the fillers of Hangul, the empty Braille pattern, and some characters with the property
/// Default_Ignorable_Code_Point.
fn is_blank(scalar: char) -> bool {
    matches!(
        scalar,
        '\u{34F}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FFA0}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

/// Describes a sequence that encodes no code point.
fn shift(bytes: &[u8]) -> &'static str {
    match bytes {
        b"\x1B(B" => "escape sequence: ASCII follows",
        b"\x1B(J" => "escape sequence: JIS X 0201 Roman follows",
        [0x1B, ..] => "escape sequence: JIS X 0208 follows",
        b"-" => "base64 ends",
        _ => "base64 follows",
    }
}

fn color_of_length(len: usize) -> &'static str {
    match len {
        ..=1 => PLAIN,
        2 => "\x1B[32m",
        3 => "\x1B[33m",
        _ => "\x1B[35m",
    }
}

/// Writes lines of cells. No line ends with spaces.
struct Page<'a> {
    out: &'a mut String,
    has_color: bool,
    /// Number of columns up to the next cell.
    blanks: usize,
}

impl Page<'_> {
    /// Writes the next cell, which takes at least `columns` columns.
    fn cell(&mut self, color: &str, text: impl Display, columns: usize) {
        let width = self.put(color, text).width();
        self.blanks += columns.saturating_sub(width) + GAP;
    }

    /// Writes the last cell of a line.
    fn end(&mut self, color: &str, text: impl Display) {
        self.put(color, text);
        self.blanks = 0;
        self.out.push('\n');
    }

    /// Writes a cell, and returns its text.
    fn put(&mut self, color: &str, text: impl Display) -> &str {
        let is_painted = self.has_color && color != PLAIN;
        let line_end = self.out.len();
        self.out.extend(repeat_n(' ', self.blanks));
        if is_painted {
            self.out.push_str(color);
        }
        let start = self.out.len();
        // Writing to memory cannot fail.
        let _ = write!(self.out, "{text}");
        let end = self.out.len();
        if start == end {
            self.out.truncate(line_end);
            return "";
        }
        self.blanks = 0;
        if is_painted {
            self.out.push_str(END);
        }
        &self.out[start..end]
    }
}
