//! Ruby's magic comment: `# coding: ...` in the first line, or in the second one after `#!`.

use std::ops::Range;

use super::coding::{first_lines, without_newlines};
use super::text::{Sample, count, position_in_any_case};
use super::{Definition, Label, labels};
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
        let is_in_name = |unit: &u8| unit.is_ascii_alphanumeric() || matches!(unit, b'-' | b'_' | b'.');
        return Some(start..start + count(text, start, is_in_name));
    }
}

/// The encodings that Ruby source may be in, and their names in Ruby.
static NAMES: &[(&str, &str)] = &[
    ("UTF-8", "utf-8"),
    ("US-ASCII", "us-ascii"),
    ("ISO-8859-1", "iso-8859-1"),
    ("ISO-8859-2", "iso-8859-2"),
    ("ISO-8859-3", "iso-8859-3"),
    ("ISO-8859-4", "iso-8859-4"),
    ("ISO-8859-5", "iso-8859-5"),
    ("ISO-8859-6", "iso-8859-6"),
    ("ISO-8859-7", "iso-8859-7"),
    ("ISO-8859-8", "iso-8859-8"),
    ("ISO-8859-9", "iso-8859-9"),
    ("ISO-8859-10", "iso-8859-10"),
    ("ISO-8859-11", "iso-8859-11"),
    ("ISO-8859-13", "iso-8859-13"),
    ("ISO-8859-14", "iso-8859-14"),
    ("ISO-8859-15", "iso-8859-15"),
    ("ISO-8859-16", "iso-8859-16"),
    ("windows-874", "windows-874"),
    ("windows-1250", "windows-1250"),
    ("windows-1251", "windows-1251"),
    ("windows-1252", "windows-1252"),
    ("windows-1253", "windows-1253"),
    ("windows-1254", "windows-1254"),
    ("windows-1255", "windows-1255"),
    ("windows-1256", "windows-1256"),
    ("windows-1257", "windows-1257"),
    ("windows-1258", "windows-1258"),
    ("KOI8-R", "koi8-r"),
    ("KOI8-U", "koi8-u"),
    ("TIS-620", "tis-620"),
    ("macintosh", "macroman"),
    ("MacGreek", "macgreek"),
    ("MacTurkish", "macturkish"),
    ("IBM437", "ibm437"),
    ("IBM737", "ibm737"),
    ("IBM775", "ibm775"),
    ("IBM850", "cp850"),
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
    ("EUC-JP", "euc-jp"),
    ("EUC-JP-MS", "eucjp-ms"),
    ("CP51932", "cp51932"),
    ("EUC-KR", "euc-kr"),
    ("CP949", "cp949"),
    ("Big5", "big5"),
    ("CP950", "cp950"),
    ("Big5-HKSCS", "big5-hkscs"),
    ("GB2312", "gb2312"),
    ("GBK", "gbk"),
    ("CP936", "cp936"),
    ("GB18030", "gb18030"),
];

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_table(NAMES, encoding)
}
