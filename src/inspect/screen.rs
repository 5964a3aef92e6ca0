//! Standard output: collects the rendered sequences, and writes them.

use std::io::Write;

use super::json;
use super::plan::{Format, InspectPlan};
use super::sequences::What;
use super::text::Layout;
use super::view::{Shown, Wanted};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::ui::color::has_color;
use crate::ui::personality::Personality;

const WHO: Personality = Personality::Utfconv;

/// Output is written when so many bytes of it are there.
const ENOUGH: usize = 64 << 10;

/// The length that is assumed if the input does not have one; it decides the width of offsets.
const LIKELY_LENGTH: u64 = 10_000;

enum Renderer {
    Text(Layout),
    Json { knows_lines: bool },
}

impl Renderer {
    /// Makes the renderer for an input of this length, if it is known.
    fn new(plan: &InspectPlan, len: Option<u64>, knows_lines: bool) -> Renderer {
        match plan.format {
            Format::Json => Renderer::Json { knows_lines },
            Format::Text => {
                let last = len.unwrap_or(LIKELY_LENGTH) - 1;
                Renderer::Text(Layout {
                    has_color: plan.color.holds(has_color()),
                    has_marks: matches!(plan.wanted, Wanted::Around(_)),
                    knows_lines,
                    decimal: last.to_string().len(),
                    hexadecimal: plan.shows_hex_offsets.then(|| format!("{last:X}").len()),
                })
            }
        }
    }
}

/// Renders sequences and writes them to standard output.
pub struct Screen {
    renderer: Renderer,
    text: String,
    sink: Sink,
    /// An error has been shown.
    has_fault: bool,
}

impl Screen {
    /// Makes the screen for an input of this length, if it is known.
    pub fn new(plan: &InspectPlan, sink: Sink, len: Option<u64>, knows_lines: bool) -> Screen {
        let renderer = Renderer::new(plan, len, knows_lines);
        Screen { renderer, text: String::new(), sink, has_fault: false }
    }

    /// Renders the next thing to show.
    pub fn show(&mut self, shown: Shown) {
        if let Shown::Sequence(sequence) | Shown::Marked(sequence) = shown {
            self.has_fault |= matches!(sequence.what, What::Fault(_));
        }
        match &self.renderer {
            Renderer::Text(layout) => layout.push(&mut self.text, shown),
            Renderer::Json { knows_lines } => json::push(&mut self.text, shown, *knows_lines),
        }
    }

    /// Writes what has been rendered.
    pub fn write(&mut self) -> Result<(), String> {
        let written = self.sink.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| WHO.write_error(STDOUT_NAME, &error))
    }

    /// Writes what has been rendered if it is worth a system call.
    pub fn write_much(&mut self) -> Result<(), String> {
        if self.text.len() < ENOUGH { Ok(()) } else { self.write() }
    }

    /// Writes the rest; returns whether an error was shown.
    pub fn end(mut self) -> Result<bool, String> {
        self.write()?;
        self.sink.commit().map_err(|error| WHO.write_error(STDOUT_NAME, &error))?;
        Ok(self.has_fault)
    }
}
