//! Collects the rendered sequences, and writes them to standard output.

use std::io::Write;
use std::mem;

use super::json::Lines;
use super::plan::InspectPlan;
use super::sequences::{Sequence, What};
use super::text::Layout;
use super::view::{Shown, Wanted};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::text::hidden::{described, payload};
use crate::ui::color::has_color;
use crate::ui::dialect::Dialect;
use crate::ui::options::ReportFormat;

/// The assumed length in bytes of an input of unknown length, which decides the width of offsets.
const LIKELY_LENGTH: u64 = 10_000;

/// Minimum number of sequences in a run that is shown as one line. Shorter runs are those of emoji and joiners.
const SHORTEST_RUN: usize = 4;

/// Maximum number of sequences in a run, to limit the memory; a longer run is shown as several lines.
const LONGEST_RUN: usize = 1 << 16;

/// Renders sequences, and writes them to standard output.
pub struct Screen {
    format: ReportFormat,
    layout: Layout,
    lines: Lines,
    text: String,
    sink: Sink,
    /// Sequences of characters that show nothing, which may be shown as one line.
    run: Vec<Sequence>,
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
        Screen { format: plan.format, layout, lines, text, sink, run: Vec::new(), has_fault: false }
    }

    /// Renders the next sequence or gap.
    pub fn show(&mut self, shown: Shown) {
        if let Shown::Sequence(sequence) | Shown::Marked(sequence) = shown {
            self.has_fault |= matches!(sequence.what, What::Fault(_));
        }
        match self.format {
            ReportFormat::Text => match shown {
                Shown::Sequence(sequence) if sequence.shows_nothing() => {
                    self.run.push(sequence.clone());
                    if self.run.len() == LONGEST_RUN {
                        self.end_run();
                    }
                }
                _ => {
                    self.end_run();
                    self.layout.push(&mut self.text, shown);
                }
            },
            ReportFormat::Json => self.lines.push(&mut self.text, shown, self.layout.knows_lines),
        }
    }

    /// Renders the run as one line if the run is long and its hidden text can be decoded, otherwise as one line per
    /// sequence.
    fn end_run(&mut self) {
        let run = mem::take(&mut self.run);
        let text: String = run.iter().filter_map(Sequence::scalar).collect();
        let hidden = payload(&text).filter(|_| run.len() >= SHORTEST_RUN);
        match (hidden, run.first()) {
            (Some(hidden), Some(first)) => {
                let text = format!("{}: {hidden}", described(&text));
                self.layout.push_run(&mut self.text, first, &text);
            }
            _ => run.iter().for_each(|one| self.layout.push(&mut self.text, Shown::Sequence(one))),
        }
    }

    /// Writes the rendered text.
    pub fn write(&mut self) -> Result<(), String> {
        let written = self.sink.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| Dialect::Utfconv.write_error(STDOUT_NAME, &error))
    }

    /// Ends the output. Returns true if an error was shown.
    pub fn end(mut self) -> Result<bool, String> {
        self.end_run();
        self.write()?;
        let ended = self.sink.commit().map(|()| self.has_fault);
        ended.map_err(|error| Dialect::Utfconv.write_error(STDOUT_NAME, &error))
    }
}
