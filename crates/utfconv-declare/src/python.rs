//! Python's comment of PEP 263, `coding: ...` or `coding=...` in one of the first two lines, found as CPython finds it.

use std::ops::Range;

use super::coding::{first_lines, without_newlines};
use super::labels::{self, Definition, Meaning};
use super::text::{Label, Sample, count, position};
use utfconv_core::Encoding;

pub const KIND: Definition = Definition { name: "Python comment", find, meaning, label };

fn find(text: &Sample, found: &mut Vec<Label>) {
    if !text.is_named(&["py", "pyw", "pyi", "pyx", "pxd"], &["sconstruct", "sconscript"])
        && !text.is_run_by("python")
    {
        return;
    }
    let units = &text.head.units;
    for line in first_lines(units, 2) {
        if let Some(label) = in_line(units, line.clone()) {
            found.extend(text.head.label(without_newlines(units, label)));
            return;
        }
        // The second line counts only if the first line has no code.
        let start = line.start + count(&units[..line.end], line.start, is_blank);
        if start < line.end && units[start] != b'#' {
            return;
        }
    }
}

/// Returns the label in a line that matches `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`.
fn in_line(units: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let text = &units[..line.end];
    let mut at = line.start + count(text, line.start, is_blank);
    if text.get(at) != Some(&b'#') {
        return None;
    }
    loop {
        at += position(&text[at..], b"coding")? + b"coding".len();
        if !matches!(text.get(at), Some(b':' | b'=')) {
            continue;
        }
        let start = at + 1 + count(text, at + 1, |unit| matches!(unit, b' ' | b'\t'));
        let len = count(text, start, is_in_name);
        if len > 0 {
            return Some(start..start + len);
        }
    }
}

fn is_in_name(unit: &u8) -> bool {
    unit.is_ascii_alphanumeric() || matches!(unit, b'-' | b'_' | b'.')
}

fn is_blank(unit: &u8) -> bool {
    matches!(unit, b' ' | b'\t' | 0x0C)
}

fn meaning(label: &str) -> Meaning {
    // CPython ignores any text after `utf-8-` and `latin-1-`.
    let lower = label.to_ascii_lowercase().replace('_', "-");
    let begins = |name: &str| lower.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    if begins("utf-8") {
        Meaning::Encoding(&utfconv_core::UTF_8)
    } else if ["latin-1", "iso-8859-1", "iso-latin-1"].iter().any(|name| begins(name))
        || lower == "iso-latin-1"
    {
        Meaning::Encoding(&utfconv_core::ISO_8859_1)
    } else {
        labels::named_in_source(label)
    }
}

/// Labels of Python that are in none of the shared lists.
const NAMES: &str = "\
    ascii latin-1 koi8-t kz1048 ptcp154 mac-roman mac-greek mac-turkish mac-iceland tis-620 cp720 cp856 \
    cp858 cp1006 cp1125 shift_jis cp950 big5-hkscs gb2312 gbk";

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_lists(&[NAMES, labels::COMMON, labels::CODE_PAGES, labels::DOS], encoding)
}
