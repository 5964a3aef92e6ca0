//! Ruby's magic comment, `# coding: ...` in the first line, or in the second line after `#!`.
//!
//! The rules are those of Ruby's lexers. A comment that is a single `KEY: VALUE`, or that has such pairs between two
//! `-*-`, counts only with the key `coding` or `encoding`. In any other comment, `coding` may be the end of a longer
//! word, such as Vim's `fileencoding=`.

use std::ops::Range;

use super::coding::{first_lines, without_newlines};
use super::labels::{self, Definition, Meaning};
use super::text::{Label, Sample, count, position, position_in_any_case};
use utfconv_core::{Encoding, UTF_8};

pub const KIND: Definition = Definition { name: "Ruby comment", find, meaning, label };

fn find(text: &Sample, found: &mut Vec<Label>) {
    let names = ["gemfile", "rakefile", "vagrantfile", "guardfile", "podfile", "capfile", "brewfile"];
    if !text.is_named(&["rb", "rbw", "rake", "gemspec", "ru", "podspec", "jbuilder"], &names)
        && !text.is_run_by("ruby")
    {
        return;
    }
    let units = &text.head.units;
    let line = first_lines(units, 2).into_iter().nth(usize::from(units.starts_with(b"#!")));
    if let Some(label) = line.and_then(|line| in_line(units, line)) {
        found.extend(text.head.label(without_newlines(units, label)));
    }
}

/// Returns the label in a line, if the line is a comment.
fn in_line(units: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let text = &units[..line.end];
    let start = line.start + count(text, line.start, is_space);
    if text.get(start) != Some(&b'#') {
        return None;
    }
    directives(text, start + 1).unwrap_or_else(|OtherComment| anywhere(text, start + 1))
}

/// The error for a comment that has more than keys and values.
struct OtherComment;

/// Returns the value of `coding` in a comment that has only keys and values.
fn directives(text: &[u8], start: usize) -> Result<Option<Range<usize>>, OtherComment> {
    const MARK: &[u8] = b"-*-";
    /// Length in bytes of the shortest comment with a key and a value.
    const SHORTEST: usize = 8;
    if text.len() < start + SHORTEST {
        return Err(OtherComment);
    }
    let (mut at, text, is_marked) = match position(&text[start..], MARK) {
        Some(mark) => {
            let at = start + mark + MARK.len();
            (at, &text[..at + position(&text[at..], MARK).ok_or(OtherComment)?], true)
        }
        None => (start + count(text, start, is_space), text, false),
    };
    let is_delimiter = |unit: &u8| matches!(unit, b'\'' | b'"' | b':' | b';');
    let mut found = None;
    while at < text.len() {
        if is_marked {
            at += count(text, at, |unit| is_delimiter(unit) || is_space(unit));
        }
        let key = at..at + count(text, at, |unit| !is_delimiter(unit) && !is_space(unit));
        at = key.end + count(text, key.end, is_space);
        match text.get(at) {
            None => break,
            Some(b':') => at += 1,
            Some(_) if is_marked => continue,
            Some(_) => return Err(OtherComment),
        }
        at += count(text, at, is_space);
        let Some(unit) = text.get(at) else { break };
        let is_quoted = *unit == b'"';
        let start = at + usize::from(is_quoted);
        let value = if is_quoted {
            start..start + quoted_len(&text[start..])
        } else {
            start..start + count(text, start, |unit| !matches!(unit, b'"' | b';') && !is_space(unit))
        };
        at = (value.end + usize::from(is_quoted)).min(text.len());
        at += count(text, at, |unit| is_space(unit) || is_marked && *unit == b';');
        if !is_marked && at < text.len() {
            return Err(OtherComment);
        }
        if [&b"coding"[..], b"encoding"].iter().any(|name| text[key.clone()].eq_ignore_ascii_case(name)) {
            found = Some(value);
        }
    }
    Ok(found)
}

/// Returns the length of the text before a quotation mark that no backslash escapes, or of all text.
fn quoted_len(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// Returns the text after the first `coding` that a separator or a space follows. If a space comes before the
/// separator, Ruby skips the next character, whatever it is.
fn anywhere(text: &[u8], start: usize) -> Option<Range<usize>> {
    let is_separator = |unit: Option<&u8>| matches!(unit, Some(b':' | b'='));
    let mut at = start;
    loop {
        at += position_in_any_case(&text[at..], b"coding")? + b"coding".len();
        let next = text.get(at)?;
        if !is_separator(Some(next)) && !is_space(next) {
            continue;
        }
        if is_space(next) {
            at += count(text, at, is_space);
            if !is_separator(text.get(at)) {
                return None;
            }
            at += 1;
        }
        if at + 1 >= text.len() {
            return None;
        }
        let value = at + 1 + count(text, at + 1, is_space);
        return Some(value..value + count(text, value, is_in_name));
    }
}

fn is_space(unit: &u8) -> bool {
    matches!(unit, b' ' | b'\t' | 0x0B | 0x0C)
}

fn is_in_name(unit: &u8) -> bool {
    unit.is_ascii_alphanumeric() || matches!(unit, b'-' | b'_')
}

fn meaning(label: &str) -> Meaning {
    let lower = label.to_ascii_lowercase();
    match &*lower {
        // These labels mean uninterpreted bytes.
        "ascii-8bit" | "binary" => Meaning::Unspecified,
        "sjis" | "pck" => labels::named_in_source("Shift_JIS"),
        // Ruby ignores any text after `utf-8-`.
        _ if lower.starts_with("utf-8-") => Meaning::Encoding(&UTF_8),
        _ => labels::named_in_source(label),
    }
}

/// Labels of Ruby that are in none of the shared lists.
const NAMES: &str = "\
    us-ascii iso-8859-1 windows-874 tis-620 macroman macgreek macturkish maciceland maccroatian macromania \
    macthai maccyrillic=CP10007 maccenteuro cesu-8 ibm437 ibm720 ibm737 ibm775 ibm852 ibm855 ibm857 ibm860 \
    ibm861 ibm862 ibm863 ibm865 ibm866 ibm869 shift_jis windows-31j eucjp-ms cp51932 cp950 big5-hkscs \
    gb2312 gbk";

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_lists(&[NAMES, labels::COMMON, labels::WINDOWS], encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected results follow Ruby's lexers, parse.y and prism.
    #[test]
    fn the_comment_is_found_as_by_ruby() {
        for (line, label) in [
            ("# coding: latin1", Some("latin1")),
            ("# encoding: latin1", Some("latin1")),
            ("#CODING:latin1", Some("latin1")),
            ("# coding = latin1", Some("latin1")),
            ("# coding=latin1 is it", Some("latin1")),
            ("# -*- coding: latin1-unix -*-", Some("latin1-unix")),
            ("# -*- mode: ruby; Encoding : latin1; -*-", Some("latin1")),
            ("# -*- coding: \"latin1\" -*-", Some("latin1")),
            ("# -*- coding: x; coding: latin1 -*-", Some("latin1")),
            ("# vim: filetype=ruby, fileencoding: latin1, ts=3, sw=3", Some("latin1")),
            ("# vim: set fileencoding=latin1 :", Some("latin1")),
            ("# coding: \"latin1\"", Some("latin1")),
            // These keys are not `coding`.
            ("# fileencoding: latin1", None),
            ("# vim:fileencoding=latin1", None),
            ("# -*- mode: ruby -*- coding: latin1", None),
            ("# -*- fileencoding: latin1 -*-", None),
            ("# -*- coding: latin1", Some("latin1")),
            // The first `coding` decides.
            ("# coding is not coding: latin1", None),
            ("# codings, coding: latin1", Some("latin1")),
            // The character after a separator that follows a space is skipped.
            ("# the coding :_latin1", Some("latin1")),
            ("# the coding : latin1.x", Some("latin1")),
            ("# coding:", None),
            ("# no", None),
            ("x # coding: latin1", None),
        ] {
            let found = in_line(line.as_bytes(), 0..line.len()).map(|range| &line[range]);
            assert_eq!(found.filter(|label| !label.is_empty()), label, "{line}");
        }
    }
}
