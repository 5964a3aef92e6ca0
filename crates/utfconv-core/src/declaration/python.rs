//! Python's comment of PEP 263: `coding: ...` or `coding=...` in one of the first two lines, found as CPython does.

use std::ops::Range;

use super::coding::{first_lines, without_newlines};
use super::text::{Sample, count, position};
use super::{Definition, Label, Meaning, labels};
use crate::encoding::Encoding;

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
        // The second line counts only if the first one has no code.
        let start = line.start + count(&units[..line.end], line.start, is_blank);
        if start < line.end && units[start] != b'#' {
            return;
        }
    }
}

/// The label in a line: `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`.
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
        let is_in_name = |unit: &u8| unit.is_ascii_alphanumeric() || matches!(unit, b'-' | b'_' | b'.');
        let len = count(text, start, is_in_name);
        if len > 0 {
            return Some(start..start + len);
        }
    }
}

fn is_blank(unit: &u8) -> bool {
    matches!(unit, b' ' | b'\t' | 0x0C)
}

fn meaning(label: &str) -> Meaning {
    // utf-8 and latin-1 may have anything after a hyphen.
    let lower = label.to_ascii_lowercase().replace('_', "-");
    let begins = |name: &str| lower.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    match () {
        () if begins("utf-8") => Meaning::Encoding(&crate::encoding::UTF_8),
        () if ["latin-1", "iso-8859-1", "iso-latin-1"].iter().any(|name| begins(name))
            || lower == "iso-latin-1" =>
        {
            Meaning::Encoding(&crate::encoding::ISO_8859_1)
        }
        () => labels::named_in_source(label),
    }
}

/// The encodings that Python source may be in, and their names in Python.
static NAMES: &[(&str, &str)] = &[
    ("UTF-8", "utf-8"),
    ("US-ASCII", "ascii"),
    ("ISO-8859-1", "latin-1"),
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
    ("windows-874", "cp874"),
    ("windows-1250", "cp1250"),
    ("windows-1251", "cp1251"),
    ("windows-1252", "cp1252"),
    ("windows-1253", "cp1253"),
    ("windows-1254", "cp1254"),
    ("windows-1255", "cp1255"),
    ("windows-1256", "cp1256"),
    ("windows-1257", "cp1257"),
    ("windows-1258", "cp1258"),
    ("KOI8-R", "koi8-r"),
    ("KOI8-U", "koi8-u"),
    ("KOI8-T", "koi8-t"),
    ("KZ-1048", "kz1048"),
    ("PTCP154", "ptcp154"),
    ("macintosh", "mac-roman"),
    ("MacGreek", "mac-greek"),
    ("MacTurkish", "mac-turkish"),
    ("MacIceland", "mac-iceland"),
    ("TIS-620", "tis-620"),
    ("IBM437", "cp437"),
    ("IBM720", "cp720"),
    ("IBM737", "cp737"),
    ("IBM775", "cp775"),
    ("IBM850", "cp850"),
    ("IBM852", "cp852"),
    ("IBM855", "cp855"),
    ("IBM856", "cp856"),
    ("IBM857", "cp857"),
    ("IBM00858", "cp858"),
    ("IBM860", "cp860"),
    ("IBM861", "cp861"),
    ("IBM862", "cp862"),
    ("IBM863", "cp863"),
    ("IBM865", "cp865"),
    ("IBM866", "cp866"),
    ("IBM869", "cp869"),
    ("IBM1006", "cp1006"),
    ("IBM1125", "cp1125"),
    ("Shift_JIS", "shift_jis"),
    ("windows-31j", "cp932"),
    ("EUC-JP", "euc-jp"),
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
