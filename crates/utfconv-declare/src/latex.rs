//! LaTeX's `\usepackage[...]{inputenc}` and `\inputencoding{...}`. Of several options of the package, the last option
//! counts.

use std::ops::Range;

use super::labels::{self, Definition, Meaning};
use super::text::{Label, Sample, count, line_start, position, trimmed};
use utfconv_core::Encoding;

pub const KIND: Definition = Definition { name: "LaTeX inputenc", find, meaning, label };

fn find(text: &Sample, found: &mut Vec<Label>) {
    let units = &text.head.units;
    let is_latex = text.is_named(&["tex", "ltx", "latex", "sty", "cls", "dtx"], &[])
        || memchr::memmem::find_iter(units, b"\\document")
            .map(|at| &units[at + b"\\document".len()..])
            .any(|rest| rest.starts_with(b"class") || rest.starts_with(b"style"));
    if !is_latex {
        return;
    }
    for command in [&b"\\usepackage"[..], b"\\RequirePackage", b"\\inputencoding"] {
        let mut at = 0;
        while let Some(start) = position(&units[at..], command).map(|found| at + found) {
            at = start + command.len();
            if !is_in_comment(units, start) {
                let arguments =
                    if command == b"\\inputencoding" { braces(units, at) } else { options(units, at) };
                let label = arguments
                    .map(|range| last_item(units, range))
                    .filter(|label| is_name(&units[label.clone()]));
                found.extend(label.and_then(|label| text.head.label(label)));
            }
        }
    }
}

/// Whether a `%` precedes the code unit in its line.
fn is_in_comment(units: &[u8], at: usize) -> bool {
    let mut is_escaped = false;
    for unit in &units[line_start(units, at)..at] {
        match unit {
            b'%' if !is_escaped => return true,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    false
}

/// Returns the options of a package, if the package is inputenc.
fn options(units: &[u8], at: usize) -> Option<Range<usize>> {
    let at = at + count(units, at, u8::is_ascii_whitespace);
    let options = enclosed(units, at, b'[', b']')?;
    let name = braces(units, options.end + 1)?;
    (units[name].trim_ascii() == b"inputenc").then_some(options)
}

fn braces(units: &[u8], at: usize) -> Option<Range<usize>> {
    enclosed(units, at + count(units, at, u8::is_ascii_whitespace), b'{', b'}')
}

fn enclosed(units: &[u8], at: usize, open: u8, close: u8) -> Option<Range<usize>> {
    (*units.get(at)? == open).then_some(())?;
    let len = units[at + 1..].iter().position(|unit| *unit == close)?;
    Some(at + 1..at + 1 + len)
}

/// Returns the last item of a comma-separated list, without whitespace at its ends.
fn last_item(units: &[u8], range: Range<usize>) -> Range<usize> {
    let comma = units[range.clone()].iter().rposition(|unit| *unit == b',');
    let start = comma.map_or(range.start, |comma| range.start + comma + 1);
    trimmed(units, start..range.end, u8::is_ascii_whitespace)
}

/// Whether `text` may be the name of an option.
fn is_name(text: &[u8]) -> bool {
    text.iter().all(|unit| unit.is_ascii_alphanumeric() || matches!(unit, b'-' | b'_'))
}

/// The options of inputenc. The preferred option of an encoding comes first.
const NAMES: &str = "\
    utf8 utf8x=UTF-8 ascii latin1 latin2 latin3 latin4 latin5 latin9 latin10 iso88595 iso-8859-7 8859-8 \
    decmulti=DEC-MCS next=NEXTSTEP applemac=macintosh macce maccyr=CP10007 macukr=MAC-UK cp1250 cp1251 \
    cp1252 ansinew=windows-1252 cp1255 cp1257 cp437 cp437de=IBM437 cp850 cp852 cp855 cp858 cp862 cp865 \
    cp866 koi8-r koi8-ru";

fn meaning(label: &str) -> Meaning {
    labels::named(labels::listed(NAMES).find(|(known, _)| *known == label).map_or(label, |(_, name)| name))
}

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_lists(&[NAMES], encoding)
}
