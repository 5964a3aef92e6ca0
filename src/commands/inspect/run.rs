//! Shows one input.

use std::io::Read;

use utfconv_core::{CheckItem, FaultBytes, Position};

use super::entrance::entrance;
use super::plan::InspectPlan;
use super::screen::Screen;
use super::sequences::{Run, Sequence, What};
use super::view::{Shown, View, Wanted};
use crate::files::feeder::Feeder;
use crate::files::ranges::Reading;
use crate::files::sink::{STDOUT_NAME, Sink};
use crate::files::stdio::Patient;
use crate::text::boms::advice_on;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;

const WHO: Dialect = Dialect::Utfconv;

/// Carries out `plan`: prints the output and all messages.
pub fn run(plan: &InspectPlan) -> Exit {
    Exit::of(WHO, inspect(plan, &plan.input.shown()))
}

/// Shows the input, or returns why it cannot be shown.
fn inspect(plan: &InspectPlan, name: &str) -> Result<Exit, String> {
    let opened = plan.input.open().map_err(|error| WHO.no_input(name, &error))?;
    let sink = Sink::stdout().map_err(|error| WHO.no_output(STDOUT_NAME, &error))?;
    if sink.is_same_file(&plan.input) {
        return Err(format!("{name}: the output would overwrite this input"));
    }
    // Files of /proc have a length of 0 without being empty.
    let len = opened.len().filter(|len| *len > 0);
    let range = plan.range.map_or(0..u64::MAX, |bounds| bounds.start..bounds.end.unwrap_or(u64::MAX));
    let mut view = View::new(plan.wanted, range, plan.context);
    let reading = Reading { named: plan.encoding, input_bom: plan.input_bom, newline: plan.newline };
    let has_place = plan.range.is_some() || matches!(plan.wanted, Wanted::Around(_));
    let (mut offset, inside) = entrance(opened.file(), has_place.then(|| view.start()), &reading)
        .map_err(|error| WHO.read_error(name, &error))?;
    let start = Position::new(offset, 1, 1);
    let checker = reading.checker(inside.unwrap_or(plan.encoding), inside.is_none(), start).keeping_text();
    // The checker counts from 0 if reading began within the file.
    let before = if inside.is_some() { Position::default() } else { start };
    let mut screen = Screen::new(plan, sink, len, offset == 0);
    let (mut source, mut buffer) = (Patient(opened.into_file()), vec![0; plan.buffer_size]);
    let mut feeder = Feeder::new(checker);
    let mut is_ended = false;
    while !is_ended && !view.is_done(offset) {
        let count = source.read(&mut buffer).map_err(|error| WHO.read_error(name, &error))?;
        is_ended = count == 0;
        let mut written = Ok(());
        feeder.feed(&buffer[..count], is_ended, |item, position, bytes, checker| {
            let offset_of = |position: Position| before.offset() + position.offset();
            offset = offset_of(position);
            let mut show = |shown: Shown| screen.show(shown);
            let mut take = |bytes, what| view.take(Sequence { offset, bytes, what }, &mut show);
            match item {
                CheckItem::Text(len) => {
                    view.run(Run { offset, source: &bytes[..*len], text: checker.text() }, &mut show);
                }
                CheckItem::Bom(len) => take(FaultBytes::new(&bytes[..*len]), What::Bom(checker.encoding())),
                CheckItem::Fault(fault) => take(fault.bytes, What::Fault(fault.clone().offset_by(before))),
                CheckItem::Notice(notice) => {
                    // Write earlier output before the warning.
                    written = screen.write();
                    WHO.report(&format!("{name}: warning: {notice}{}", advice_on(notice)));
                }
                _ => {}
            }
            offset = offset_of(checker.position());
            written.is_ok() && !view.is_done(offset)
        });
        // Show the sequences that have arrived before waiting for more input.
        written.and_then(|()| screen.write())?;
    }
    view.end(offset, |shown| screen.show(shown));
    let has_fault = screen.end()?;
    match view.missed(offset) {
        Some(text) => Err(format!("{name}: {text}")),
        None if has_fault => Ok(Exit::Fault),
        None => Ok(Exit::Success),
    }
}
