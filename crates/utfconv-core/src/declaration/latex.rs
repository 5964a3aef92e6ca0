//! LaTeX's `\usepackage[...]{inputenc}`, and `\inputencoding{...}`. Of several options of the package, the last one counts.

use std::ops::Range;

use super::labels::{self, Definition, Meaning, Names};
use super::text::{Label, Sample, count, position};
use crate::encoding::Encoding;

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

/// Whether a `%` is before it in its line.
fn is_in_comment(units: &[u8], at: usize) -> bool {
    let line = units[..at].iter().rposition(|unit| matches!(unit, b'\n' | b'\r')).map_or(0, |end| end + 1);
    let mut is_escaped = false;
    for unit in &units[line..at] {
        match unit {
            b'%' if !is_escaped => return true,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    false
}

/// Returns the options of a package, if that is inputenc.
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

/// Returns the last item of a list with commas, without white space.
fn last_item(units: &[u8], range: Range<usize>) -> Range<usize> {
    let comma = units[range.clone()].iter().rposition(|unit| *unit == b',');
    let start = comma.map_or(range.start, |comma| range.start + comma + 1);
    let start = start + count(&units[..range.end], start, u8::is_ascii_whitespace);
    let blanks = units[start..range.end].iter().rev().take_while(|unit| unit.is_ascii_whitespace()).count();
    start..range.end - blanks
}

/// Whether it may be the name of an option.
fn is_name(text: &[u8]) -> bool {
    text.iter().all(|unit| unit.is_ascii_alphanumeric() || matches!(unit, b'-' | b'_'))
}

/// The encodings that inputenc has, and its names for them; where there are several, the preferred one is first.
static NAMES: Names = &[
    ("UTF-8", "utf8"),
    ("UTF-8", "utf8x"),
    ("US-ASCII", "ascii"),
    ("ISO-8859-1", "latin1"),
    ("ISO-8859-2", "latin2"),
    ("ISO-8859-3", "latin3"),
    ("ISO-8859-4", "latin4"),
    ("ISO-8859-9", "latin5"),
    ("ISO-8859-15", "latin9"),
    ("ISO-8859-16", "latin10"),
    ("ISO-8859-5", "iso88595"),
    ("ISO-8859-7", "iso-8859-7"),
    ("ISO-8859-8", "8859-8"),
    ("DEC-MCS", "decmulti"),
    ("NEXTSTEP", "next"),
    ("macintosh", "applemac"),
    ("MAC-CENTRALEUROPE", "macce"),
    ("CP10007", "maccyr"),
    ("MAC-UK", "macukr"),
    ("windows-1250", "cp1250"),
    ("windows-1251", "cp1251"),
    ("windows-1252", "cp1252"),
    ("windows-1252", "ansinew"),
    ("windows-1255", "cp1255"),
    ("windows-1257", "cp1257"),
    ("IBM437", "cp437"),
    ("IBM437", "cp437de"),
    ("IBM850", "cp850"),
    ("IBM852", "cp852"),
    ("IBM855", "cp855"),
    ("IBM00858", "cp858"),
    ("IBM862", "cp862"),
    ("IBM865", "cp865"),
    ("IBM866", "cp866"),
    ("KOI8-R", "koi8-r"),
    ("KOI8-RU", "koi8-ru"),
];

fn meaning(label: &str) -> Meaning {
    let row = NAMES.iter().find(|(_, name)| *name == label);
    row.and_then(|(name, _)| Encoding::named(name)).or_else(|| Encoding::named(label)).into()
}

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_tables(&[NAMES], encoding)
}
