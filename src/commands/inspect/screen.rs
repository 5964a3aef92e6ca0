//! Collects the rendered sequences, and writes them to standard output.

use std::io::Write;

use super::json::Lines;
use super::plan::InspectPlan;
use super::sequences::What;
use super::text::Layout;
use super::view::{Shown, Wanted};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::ui::color::has_color;
use crate::ui::dialect::Dialect;
use crate::ui::options::ReportFormat;

/// The assumed length in bytes of an input of unknown length, which decides the width of offsets.
const LIKELY_LENGTH: u64 = 10_000;

/// Renders sequences, and writes them to standard output.
pub struct Screen {
    format: ReportFormat,
    layout: Layout,
    lines: Lines,
    text: String,
    sink: Sink,
    /// Whether an error has been shown.
    has_fault: bool,
}

impl Screen {
    /// Creates the screen for an input of `len` bytes, if the length is known.
    pub fn new(plan: &InspectPlan, sink: Sink, len: Option<u64>, knows_lines: bool) -> Screen {
        let last = len.unwrap_or(LIKELY_LENGTH) - 1;
        let layout = Layout {
            has_color: plan.color.holds(has_color()),
            has_marks: matches!(plan.wanted, Wanted::Around(_)),
            knows_lines,
            decimal: last.to_string().len(),
            hexadecimal: plan.shows_hex_offsets.then(|| format!("{last:X}").len()),
        };
        let (lines, text) = (Lines::new(), String::new());
        Screen { format: plan.format, layout, lines, text, sink, has_fault: false }
    }

    /// Renders the next sequence or gap.
    pub fn show(&mut self, shown: Shown) {
        if let Shown::Sequence(sequence) | Shown::Marked(sequence) = shown {
            self.has_fault |= matches!(sequence.what, What::Fault(_));
        }
        match self.format {
            ReportFormat::Text => self.layout.push(&mut self.text, shown),
            ReportFormat::Json => self.lines.push(&mut self.text, shown, self.layout.knows_lines),
        }
    }

    /// Writes the rendered text.
    pub fn write(&mut self) -> Result<(), String> {
        let written = self.sink.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| Dialect::Utfconv.write_error(STDOUT_NAME, &error))
    }

    /// Ends the output. Returns whether an error was shown.
    pub fn end(mut self) -> Result<bool, String> {
        self.write()?;
        let ended = self.sink.commit().map(|()| self.has_fault);
        ended.map_err(|error| Dialect::Utfconv.write_error(STDOUT_NAME, &error))
    }
}
