//! Ruby's magic comment: `# coding: ...` in the first line, or in the second one after `#!`.

use std::ops::Range;

use super::coding::{first_lines, is_in_name, without_newlines};
use super::labels::{self, Names};
use super::text::{Sample, count, position_in_any_case};
use super::{Definition, Label};
use crate::encoding::Encoding;

pub const KIND: Definition =
    Definition { name: "Ruby comment", find, meaning: labels::named_in_source, label };

fn find(text: &Sample, found: &mut Vec<Label>) {
    let names = ["gemfile", "rakefile", "vagrantfile", "guardfile", "podfile", "capfile", "brewfile"];
    if !text.is_named(&["rb", "rbw", "rake", "gemspec", "ru", "podspec", "jbuilder"], &names)
        && !text.is_run_by("ruby")
    {
        return;
    }
    let units = &text.head.units;
    let line = first_lines(units, 2).into_iter().find(|line| !units[line.clone()].starts_with(b"#!"));
    if let Some(label) = line.and_then(|line| in_line(units, line)) {
        found.extend(text.head.label(without_newlines(units, label)));
    }
}

/// The label in a line that is a comment.
fn in_line(units: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let text = &units[..line.end];
    let is_space = |unit: &u8| matches!(unit, b' ' | b'\t' | 0x0B | 0x0C);
    let mut at = line.start + count(text, line.start, is_space);
    if text.get(at) != Some(&b'#') {
        return None;
    }
    loop {
        at += position_in_any_case(&text[at..], b"coding")? + b"coding".len();
        at += count(text, at, is_space);
        if !matches!(text.get(at), Some(b':' | b'=')) {
            continue;
        }
        let start = at + 1 + count(text, at + 1, is_space);
        return Some(start..start + count(text, start, is_in_name));
    }
}

/// Ruby's names for the encodings that its source may be in, besides those that it shares with others.
static NAMES: Names = &[
    ("US-ASCII", "us-ascii"),
    ("ISO-8859-1", "iso-8859-1"),
    ("windows-874", "windows-874"),
    ("TIS-620", "tis-620"),
    ("macintosh", "macroman"),
    ("MacGreek", "macgreek"),
    ("MacTurkish", "macturkish"),
    ("IBM437", "ibm437"),
    ("IBM737", "ibm737"),
    ("IBM775", "ibm775"),
    ("IBM852", "ibm852"),
    ("IBM855", "ibm855"),
    ("IBM857", "ibm857"),
    ("IBM860", "ibm860"),
    ("IBM861", "ibm861"),
    ("IBM862", "ibm862"),
    ("IBM863", "ibm863"),
    ("IBM865", "ibm865"),
    ("IBM866", "ibm866"),
    ("IBM869", "ibm869"),
    ("Shift_JIS", "shift_jis"),
    ("windows-31j", "windows-31j"),
    ("EUC-JP-MS", "eucjp-ms"),
    ("CP51932", "cp51932"),
    ("CP950", "cp950"),
    ("Big5-HKSCS", "big5-hkscs"),
    ("GB2312", "gb2312"),
    ("GBK", "gbk"),
];

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_tables(&[NAMES, labels::COMMON, labels::WINDOWS], encoding)
}
