//! CSS's `@charset "...";`, which has to be exactly these bytes at the start of a text (CSS Syntax, section 3.2).
//! Labels have the meaning of the Encoding Standard.

use super::labels::{self, Definition};
use super::text::{Label, Sample, count};

pub const KIND: Definition = Definition {
    name: "CSS @charset rule",
    find,
    meaning: labels::on_the_web,
    label: labels::label_on_the_web,
};

/// Number of code units within which the rule has to end.
const LIMIT: usize = 1024;

const START: &[u8] = b"@charset \"";

fn find(text: &Sample, found: &mut Vec<Label>) {
    let units = &text.head.units[..text.head.units.len().min(LIMIT)];
    if !units.starts_with(START) {
        return;
    }
    let len = count(units, START.len(), |unit| unit.is_ascii() && *unit != b'"');
    let label = START.len()..START.len() + len;
    if units[label.end..].starts_with(b"\";") && labels::is_on_the_web(&units[label.clone()]) {
        found.extend(text.head.label(label));
    }
}
