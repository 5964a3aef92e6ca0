//! Shows one input.

use std::sync::atomic::AtomicU64;

use utfconv_core::{Bytes, CheckItem, Position};

use super::entrance::entrance;
use super::plan::InspectPlan;
use super::screen::Screen;
use super::sequences::{Run, Sequence, What};
use super::view::{Shown, View, Wanted};
use crate::convert::report::advice_on;
use crate::files::ranges::Reading;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::window::Window;
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;

const WHO: Personality = Personality::Utfconv;

/// Carries out `plan`; prints the output and all messages.
pub fn run(plan: &InspectPlan) -> Exit {
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

/// Shows the input; returns whether an error was shown, or why the input could not be shown.
fn inspect(plan: &InspectPlan, name: &str) -> Result<bool, String> {
    let opened = plan.input.open().map_err(|error| WHO.no_input(name, &error))?;
    let sink = Sink::stdout().map_err(|error| WHO.no_output(STDOUT_NAME, &error))?;
    if sink.is_same_file(&plan.input) {
        return Err(format!("{name}: input file is output file"));
    }
    // Files of /proc have a length of 0, but are not empty.
    let len = Some(opened.metadata()).filter(|data| data.is_file() && data.len() > 0).map(|data| data.len());
    let range = plan.range.map_or(0..u64::MAX, |bounds| bounds.start..bounds.end.unwrap_or(u64::MAX));
    let mut view = View::new(plan.wanted, range, plan.context);
    let reading = Reading { named: plan.encoding, input_bom: plan.input_bom, newline: plan.newline };
    let has_place = plan.range.is_some() || matches!(plan.wanted, Wanted::Around(_));
    let (mut offset, inside) = entrance(opened.file(), has_place.then(|| view.start()), &reading)
        .map_err(|error| WHO.read_error(name, &error))?;
    let start = Position::new(offset, 1, 1);
    let mut checker =
        reading.checker(inside.unwrap_or(plan.encoding), inside.is_none(), start).keeping_text();
    // At the start of a text, its checker counts from 0.
    let before = if inside.is_some() { Position::default() } else { start };
    let mut screen = Screen::new(plan, sink, len, offset == 0);
    let (mut buffer, passed) = (vec![0; plan.buffer_size], AtomicU64::new(0));
    let mut window = Window::new(opened.into_file(), true, 0, &mut buffer, &passed);
    while !view.is_done(offset) {
        let (rest, mut show) = (window.rest(), |shown: Shown| screen.show(shown));
        let len = match checker.next(rest, window.is_ended()) {
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
            CheckItem::Incomplete if window.is_ended() => break,
            CheckItem::Incomplete => {
                // Show what has arrived before waiting for more.
                screen.write()?;
                window.fill_some().map_err(|error| WHO.read_error(name, &error))?;
                0
            }
            _ => 0,
        };
        window.pass(len);
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
