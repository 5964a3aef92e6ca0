//! The command `inspect`: the bytes of a source as sequences, for people.
//!
//! args -> entrance (where to begin) -> feed (bytes) -> the library's checker (what they are) -> sequences -> view (which are shown) -> text or json
//! -> exit status.

pub mod args;
mod entrance;
mod feed;
mod json;
mod names;
mod sequences;
mod text;
mod view;

use std::io::Write;

use utfconv_core::{Bytes, CheckItem, EbcdicNewline, Encoding, InputBom, Position};

use crate::convert::report::advice_on;
use crate::files::ranges::{Bounds, Reading};
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::source::Input;
use crate::ui::color::{When, has_color};
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;
use entrance::entrance;
use feed::Feed;
use sequences::{Run, Sequence, What};
use text::Layout;
use view::{Shown, View, Wanted};

/// What to inspect, ready to run.
pub struct Plan {
    pub input: Input,
    pub encoding: &'static Encoding,
    pub input_bom: InputBom,
    pub newline: EbcdicNewline,
    pub wanted: Wanted,
    /// Where what is shown begins, in bytes of the whole file; None is anywhere.
    pub range: Option<Bounds>,
    /// Sequences around what is wanted.
    pub context: usize,
    pub format: Format,
    pub color: When,
    pub shows_hex_offsets: bool,
    pub buffer_size: usize,
}

/// The form of what is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Text,
    Json,
}

/// Output that is collected before it is written.
const ENOUGH: usize = 64 << 10;

/// The length of an input that does not tell: offsets have as many columns as it needs.
const LIKELY_LENGTH: u64 = 10_000;

const WHO: Personality = Personality::Utfconv;

/// Carries out `plan`; says all there is to say.
pub fn run(plan: &Plan) -> Exit {
    let name = plan.input.shown();
    match inspect(plan, &name) {
        Ok(true) => Exit::Fault,
        Ok(false) => Exit::Success,
        Err(text) => {
            WHO.say(&text);
            Exit::Failure
        }
    }
}

/// Shows the input; says whether there was a fault in what was shown, or why it could not be.
fn inspect(plan: &Plan, name: &str) -> Result<bool, String> {
    let opened = plan.input.open().map_err(|error| WHO.no_input(name, &error))?;
    let sink = Sink::stdout().map_err(|error| WHO.no_output(STDOUT_NAME, &error))?;
    if sink.is_same_file(&plan.input) {
        return Err(format!("{name}: input file is output file"));
    }
    // Files of /proc say that they are empty and are not.
    let len = Some(opened.metadata()).filter(|data| data.is_file() && data.len() > 0).map(|data| data.len());
    let range = plan.range.map_or(0..u64::MAX, |bounds| bounds.start..bounds.end.unwrap_or(u64::MAX));
    let mut view = View::new(plan.wanted, range, plan.context);
    let reading = Reading { named: plan.encoding, input_bom: plan.input_bom, newline: plan.newline };
    let has_place = plan.range.is_some() || matches!(plan.wanted, Wanted::Around(_));
    let (mut offset, amid) = entrance(opened.file(), has_place.then(|| view.start()), &reading)
        .map_err(|error| WHO.read_error(name, &error))?;
    let start = Position::new(offset, 1, 1);
    let mut checker = reading.checker(amid.unwrap_or(plan.encoding), amid.is_none(), start).keeping_text();
    // Where a text begins, its checker counts from 0.
    let before = if amid.is_some() { Position::default() } else { start };
    let form = Form::new(plan, len, offset == 0);
    let mut screen = Screen { form, text: String::new(), sink, has_fault: false };
    let mut feed = Feed::new(opened.into_file(), plan.buffer_size);
    while !view.is_done(offset) {
        let (rest, mut show) = (feed.rest(), |shown: Shown| screen.show(shown));
        let len = match checker.next(rest, feed.is_ended()) {
            CheckItem::Text(len) => {
                view.run(Run { offset, source: &rest[..len], text: checker.text() }, &mut show);
                len
            }
            CheckItem::Bom(len) => {
                let what = What::Bom(checker.encoding());
                view.take(Sequence { offset, bytes: Bytes::new(&rest[..len]), what }, &mut show);
                len
            }
            CheckItem::Fault(fault) => {
                let fault = fault.offset_by(before);
                let bytes = fault.bytes;
                view.take(Sequence { offset, bytes, what: What::Fault(fault) }, &mut show);
                bytes.len()
            }
            CheckItem::Notice(notice) => {
                screen.write()?;
                WHO.say(&format!("{name}: warning: {notice}{}", advice_on(&notice)));
                0
            }
            CheckItem::Incomplete if feed.is_ended() => break,
            CheckItem::Incomplete => {
                // Whoever waits for more sees what there is.
                screen.write()?;
                feed.fill().map_err(|error| WHO.read_error(name, &error))?;
                0
            }
        };
        feed.pass(len);
        offset += len as u64;
        screen.write_much()?;
    }
    view.end(offset, |shown| screen.show(shown));
    let has_fault = screen.end()?;
    match view.missed(offset) {
        Some(text) => Err(format!("{name}: {text}")),
        None => Ok(has_fault),
    }
}

/// What is shown, on its way to standard output.
struct Screen {
    form: Form,
    text: String,
    sink: Sink,
    /// A fault has been shown.
    has_fault: bool,
}

enum Form {
    Text(Layout),
    Json { knows_lines: bool },
}

impl Form {
    /// The form for an input of this length, if that is known.
    fn new(plan: &Plan, len: Option<u64>, knows_lines: bool) -> Form {
        match plan.format {
            Format::Json => Form::Json { knows_lines },
            Format::Text => {
                let last = len.unwrap_or(LIKELY_LENGTH) - 1;
                Form::Text(Layout {
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

impl Screen {
    fn show(&mut self, shown: Shown) {
        if let Shown::Sequence(sequence) | Shown::Marked(sequence) = shown {
            self.has_fault |= matches!(sequence.what, What::Fault(_));
        }
        match &self.form {
            Form::Text(layout) => layout.push(&mut self.text, shown),
            Form::Json { knows_lines } => json::push(&mut self.text, shown, *knows_lines),
        }
    }

    /// Writes what has been shown.
    fn write(&mut self) -> Result<(), String> {
        let written = self.sink.write_all(self.text.as_bytes());
        self.text.clear();
        written.map_err(|error| WHO.write_error(STDOUT_NAME, &error))
    }

    /// Writes it if it is worth a system call.
    fn write_much(&mut self) -> Result<(), String> {
        if self.text.len() < ENOUGH { Ok(()) } else { self.write() }
    }

    /// Writes the rest; says whether there was a fault in what was shown.
    fn end(mut self) -> Result<bool, String> {
        self.write()?;
        self.sink.commit().map_err(|error| WHO.write_error(STDOUT_NAME, &error))?;
        Ok(self.has_fault)
    }
}
