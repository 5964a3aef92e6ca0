//! Emacs' `-*- coding: ... -*-` in the first line, or in the second line after `#!`, and `coding: ...` in the local
//! variables at the end of a text. See "Specifying a File's Coding System" in the Emacs manual.

use std::ops::Range;

use super::coding::{first_lines, without_newlines};
use super::labels::{self, Definition, Meaning};
use super::text::{Label, Sample, View, count, is_blank, line_start, lines, position, position_in_any_case};
use utfconv_core::Encoding;

pub const KIND: Definition = Definition { name: "Emacs coding", find, meaning, label };

fn find(text: &Sample, found: &mut Vec<Label>) {
    let units = &text.head.units;
    let mut first = first_lines(units, 2).into_iter();
    let mut line = first.next();
    if units.starts_with(b"#!") || units.starts_with(b"'\\\"") {
        let is_in_first = line.clone().is_some_and(|line| between_marks(units, line).is_some());
        line = if is_in_first { line } else { first.next() };
    }
    if let Some(label) =
        line.and_then(|line| between_marks(units, line)).and_then(|range| variable(units, range))
    {
        found.extend(text.head.label(without_newlines(units, label)));
    }
    found.extend(local_variable(&text.tail));
}

/// Returns the text between two `-*-` in a line.
fn between_marks(units: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let start = line.start + position(&units[line.clone()], b"-*-")? + 3;
    let len = position(&units[start..line.end], b"-*-")?;
    Some(start..start + len)
}

/// Returns the value of `coding` among variables separated by semicolons.
fn variable(units: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let mut start = range.start;
    loop {
        let end = start + count(&units[..range.end], start, |unit| *unit != b';');
        let name = start + count(&units[..end], start, is_blank);
        let is_coding = units[name..end].get(..6).is_some_and(|name| name.eq_ignore_ascii_case(b"coding"));
        if is_coding && units[..end].get(name + 6) == Some(&b':') {
            let value = name + 7 + count(&units[..end], name + 7, is_blank);
            let len = count(&units[..end], value, |unit| !is_blank(unit));
            return Some(value..value + len);
        }
        if end == range.end {
            return None;
        }
        start = end + 1;
    }
}

/// Returns the value of `coding` in the local variables at the end of a text.
fn local_variable(tail: &View) -> Option<Label> {
    let units = &tail.units[..];
    // The local variables are on the last page, after the last form feed.
    let start = memchr::memmem::rfind(units, b"\n\x0C").unwrap_or(0);
    let title = start + position_in_any_case(&units[start..], b"local variables:")?;
    let prefix = &units[line_start(units, title)..title];
    let mut rest = lines(&units[title..]).map(|line| line.start + title..line.end + title);
    let first = rest.next()?;
    let suffix = units[title + b"local variables:".len()..first.end].trim_ascii();
    for line in rest {
        let start = line.start + units[line.clone()].strip_prefix(prefix).map(|_| prefix.len())?;
        let start = start + count(&units[..line.end], start, is_blank);
        let name = start..start + count(&units[..line.end], start, |unit| !is_blank(unit) && *unit != b':');
        let colon = name.end + count(&units[..line.end], name.end, is_blank);
        if units[..line.end].get(colon) != Some(&b':') || units[name.clone()].eq_ignore_ascii_case(b"end") {
            return None;
        }
        if units[name].eq_ignore_ascii_case(b"coding") {
            let value = colon + 1 + count(&units[..line.end], colon + 1, is_blank);
            let value = value..value + count(&units[..line.end], value, |unit| !is_blank(unit));
            let is_whole = units[value.end..line.end].trim_ascii() == suffix;
            return tail.label(without_newlines(units, value)).filter(|_| is_whole);
        }
    }
    None
}

/// Labels that only Emacs uses. A label without a name after `=` specifies no encoding.
const ALIASES: &str = "\
    undecided= prefer-utf-8= raw-text= no-conversion= binary= utf-8-emacs=UTF-8 utf-8-auto=UTF-8 \
    utf-8-with-signature=UTF-8 utf-16le-with-signature=UTF-16LE utf-16be-with-signature=UTF-16BE \
    mule-utf-16=UTF-16 mule-utf-16le=UTF-16LE mule-utf-16be=UTF-16BE cyrillic-koi8-u=KOI8-U \
    cyrillic-alternativnyj=IBM866 alternativnyj=IBM866 dos=windows-1252 euc-japan=EUC-JP \
    euc-japan-1990=EUC-JP junet=ISO-2022-JP iso-2022-7bit= euc-korea=EUC-KR euc-china=GB2312 \
    cn-gb-2312=GB2312 chinese-big5-hkscs=Big5-HKSCS";

fn meaning(label: &str) -> Meaning {
    match labels::listed(ALIASES).find(|(alias, _)| alias.eq_ignore_ascii_case(label)) {
        Some((_, "")) => Meaning::Unspecified,
        Some((_, name)) => labels::named_in_source(name),
        None => labels::named_in_source(label),
    }
}

/// Labels of Emacs that are in none of the shared lists.
const NAMES: &str = "\
    utf-16 utf-16le utf-16be us-ascii iso-8859-1 koi8-t mac-roman viscii tis-620 ptcp154 cp851 cp858 cp864 \
    ibm037 ibm1047 ebcdic-int shift_jis eucjp-ms iso-2022-jp big5-hkscs gb2312 gbk utf-7 utf-7-imap";

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_lists(&[NAMES, labels::COMMON, labels::WINDOWS, labels::DOS], encoding)
}
