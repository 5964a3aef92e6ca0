//! gettext's message catalogs have `charset=...` in their header, which is the translation of the empty string.
//!
//! The strings of the header are joined before the search, as gettext does.

use std::ops::Range;

use super::labels::{self, Definition};
use super::text::{Label, Sample, count, is_blank, lines, position};
use utfconv_core::Encoding;

pub const KIND: Definition = Definition { name: "PO header", find, meaning: labels::named, label };

fn find(text: &Sample, found: &mut Vec<Label>) {
    let units = &text.head.units;
    let Some((header, places)) = header(units) else { return };
    let Some(at) = position(&header, b"charset=") else { return };
    let start = at + b"charset=".len();
    let len = count(&header, start, |unit| !matches!(unit, b' ' | b'\t' | b'\n'));
    // `CHARSET` is the placeholder in the template of a header.
    if len == 0 || &header[start..start + len] == b"CHARSET" {
        return;
    }
    let (first, last) = (places[start], places[start + len - 1]);
    // A label that is split between two strings cannot be replaced.
    if last - first == len - 1 {
        found.extend(text.head.label(first..last + 1));
    }
}

/// Returns the text of the header, and the index of each of its units. Returns `None` if the text does not begin with a
/// header.
fn header(units: &[u8]) -> Option<(Vec<u8>, Vec<usize>)> {
    let mut rest = lines(units).filter(|line| {
        let text = units[line.clone()].trim_ascii();
        !text.is_empty() && !text.starts_with(b"#")
    });
    let first = rest.next()?;
    let id = string(units, after_word(units, first, b"msgid")?)?;
    if !id.is_empty() {
        return None;
    }
    let (mut header, mut places) = (Vec::new(), Vec::new());
    let mut add = |range: Range<usize>| {
        let mut at = range.start;
        while at < range.end {
            let (unit, len) = match units[at..range.end] {
                [b'\\', b'n', ..] => (b'\n', 2),
                [b'\\', b't', ..] => (b'\t', 2),
                [b'\\', unit, ..] => (unit, 2),
                _ => (units[at], 1),
            };
            header.push(unit);
            places.push(at);
            at += len;
        }
    };
    let mut is_text = false;
    for line in rest {
        if let Some(after) = after_word(units, line.clone(), b"msgstr").filter(|_| !is_text) {
            add(string(units, after)?);
            is_text = true;
            continue;
        }
        match string(units, line) {
            Some(range) if is_text => add(range),
            // The empty `msgid` may be split into several lines.
            Some(range) if range.is_empty() => {}
            _ => break,
        }
    }
    is_text.then_some((header, places))
}

/// Returns the rest of a line after a keyword.
fn after_word(units: &[u8], line: Range<usize>, word: &[u8]) -> Option<Range<usize>> {
    let start = line.start + count(&units[..line.end], line.start, is_blank);
    units[start..line.end].starts_with(word).then(|| start + word.len()..line.end)
}

/// Returns the content of a quoted string, if the range has nothing else.
fn string(units: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let start = range.start + count(&units[..range.end], range.start, is_blank);
    if units[..range.end].get(start) != Some(&b'"') {
        return None;
    }
    let mut end = start + 1;
    while *units[..range.end].get(end)? != b'"' {
        end += if units[end] == b'\\' { 2 } else { 1 };
    }
    units[end + 1..range.end].iter().all(is_blank).then_some(start + 1..end)
}

/// gettext's labels of the encodings that catalogs may be in.
const NAMES: &str = "\
    UTF-8 ASCII ISO-8859-1 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 ISO-8859-7 ISO-8859-8 \
    ISO-8859-9 ISO-8859-13 ISO-8859-14 ISO-8859-15 KOI8-R KOI8-U KOI8-T CP850 CP866 CP874 CP932 CP949 \
    CP950 CP1250 CP1251 CP1252 CP1253 CP1254 CP1255 CP1256 CP1257 GB2312 EUC-JP EUC-KR BIG5 BIG5-HKSCS GBK \
    GB18030 SHIFT_JIS TIS-620 VISCII GEORGIAN-PS";

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_lists(&[NAMES], encoding)
}
