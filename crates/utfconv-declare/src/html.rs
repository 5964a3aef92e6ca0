//! HTML's `<meta charset=...>` and `<meta http-equiv="Content-Type" content="...; charset=...">`, found by the algorithm of
//! the HTML Standard, "prescan a byte stream to determine its encoding" (section 13.2.3.2).
//! Browsers use the first declaration. This algorithm continues after the first declaration, so that a conversion can
//! update every declaration. The Encoding Standard defines the labels.

use std::ops::Range;

use super::labels::{self, Definition};
use super::text::{Label, Sample, count, position_in_any_case, trimmed};

pub const KIND: Definition = Definition {
    name: "HTML meta element",
    find,
    meaning: labels::on_the_web,
    label: labels::label_on_the_web,
};

/// Number of code units that are searched for declarations.
const LIMIT: usize = 1024;

fn find(text: &Sample, found: &mut Vec<Label>) {
    let units = &text.head.units[..text.head.units.len().min(LIMIT)];
    if !is_html(text, units) {
        return;
    }
    let before = found.len();
    let mut scan = Prescan { units, at: 0 };
    // Browsers use the first declaration, but an update changes every declaration.
    while let Ok(label) = scan.next() {
        found.extend(text.head.label(label));
    }
    // Browsers use the XML declaration if a text has no `<meta>`.
    if found.len() == before && text.is_named(&["html", "htm"], &[]) {
        found.extend(xml_encoding(units).and_then(|label| text.head.label(label)));
    }
}

/// Whether a text is HTML, by the name of its file or by its first bytes.
fn is_html(text: &Sample, units: &[u8]) -> bool {
    if text.is_named(&["html", "htm", "xhtml", "xht", "shtml"], &[]) {
        return true;
    }
    let mut at = 0;
    loop {
        at += count(units, at, |unit| unit.is_ascii_whitespace());
        let rest = &units[at..];
        let begins = |what: &[u8]| rest.len() >= what.len() && rest[..what.len()].eq_ignore_ascii_case(what);
        let end = if begins(b"<!--") {
            rest[2..].windows(3).position(|window| window == b"-->").map(|at| at + 4)
        } else if begins(b"<?xml") {
            rest.iter().position(|unit| *unit == b'>')
        } else {
            return [&b"<!doctype html"[..], b"<html", b"<head", b"<meta"].iter().any(|what| begins(what));
        };
        let Some(end) = end else { return false };
        at += end + 1;
    }
}

/// The state of a prescan, with the index of the next code unit.
struct Prescan<'a> {
    units: &'a [u8],
    at: usize,
}

/// The error of a prescan that reaches the end of the code units.
struct UnitsEnd;

/// An attribute of a tag, with the ranges of its name and its value in code units.
struct Attribute {
    name: Range<usize>,
    value: Range<usize>,
}

impl Prescan<'_> {
    /// Returns the range of the next label.
    fn next(&mut self) -> Result<Range<usize>, UnitsEnd> {
        loop {
            let rest = self.units.get(self.at..).filter(|rest| !rest.is_empty()).ok_or(UnitsEnd)?;
            match rest {
                [b'<', b'!', b'-', b'-', ..] => {
                    // In `<!-->`, the hyphens of the start are also the hyphens of the end.
                    let end = rest[2..].windows(3).position(|window| window == b"-->").ok_or(UnitsEnd)?;
                    self.at += 2 + end + 2;
                }
                [b'<', m, e, t, a, after, ..]
                    if [*m, *e, *t, *a].eq_ignore_ascii_case(b"meta")
                        && (is_space(*after) || *after == b'/') =>
                {
                    self.at += 5;
                    if let Some(label) = self.meta()? {
                        self.at += 1;
                        return Ok(label);
                    }
                }
                [b'<', first, ..] if first.is_ascii_alphabetic() => self.tag()?,
                [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => self.tag()?,
                [b'<', b'!' | b'/' | b'?', ..] => {
                    self.at += find_unit(rest, |unit| unit == b'>')?;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Moves past the name of a tag and its attributes.
    fn tag(&mut self) -> Result<(), UnitsEnd> {
        let rest = &self.units[self.at..];
        self.at += find_unit(rest, |unit| is_space(unit) || unit == b'>')?;
        while self.attribute()?.is_some() {}
        Ok(())
    }

    /// Returns the range of the label in the attributes of a `<meta>`; `None` if no attribute has a label.
    fn meta(&mut self) -> Result<Option<Range<usize>>, UnitsEnd> {
        let mut names: Vec<Vec<u8>> = Vec::new();
        let (mut got_pragma, mut needs_pragma) = (false, false);
        let mut charset = None;
        let units = self.units;
        let is_known = |label: &Range<usize>| labels::is_on_the_web(&units[label.clone()]);
        while let Some(Attribute { name, value }) = self.attribute()? {
            let name = units[name].to_ascii_lowercase();
            if names.contains(&name) {
                continue;
            }
            match &name[..] {
                b"http-equiv" => got_pragma |= units[value].eq_ignore_ascii_case(b"content-type"),
                // An attribute `charset` hides a label in `content`, even if the label in `charset` is unknown.
                b"content" if !names.iter().any(|name| name == b"charset") => {
                    charset = extract(units, value).filter(is_known);
                    needs_pragma = true;
                }
                b"charset" => {
                    charset = Some(trimmed(units, value, |unit| is_space(*unit))).filter(is_known);
                    needs_pragma = false;
                }
                _ => {}
            }
            names.push(name);
        }
        Ok(charset.filter(|_| !needs_pragma || got_pragma))
    }

    fn unit(&self) -> Result<u8, UnitsEnd> {
        self.units.get(self.at).copied().ok_or(UnitsEnd)
    }

    /// Returns the next attribute of a tag by the algorithm "get an attribute"; `None` at the end of the tag.
    fn attribute(&mut self) -> Result<Option<Attribute>, UnitsEnd> {
        while is_space(self.unit()?) || self.unit()? == b'/' {
            self.at += 1;
        }
        if self.unit()? == b'>' {
            return Ok(None);
        }
        let start = self.at;
        let empty = |at| at..at;
        loop {
            match self.unit()? {
                b'=' if self.at > start => break,
                b'/' | b'>' => {
                    return Ok(Some(Attribute { name: start..self.at, value: empty(self.at) }));
                }
                unit if is_space(unit) => break,
                _ => self.at += 1,
            }
        }
        let name = start..self.at;
        while is_space(self.unit()?) {
            self.at += 1;
        }
        if self.unit()? != b'=' {
            return Ok(Some(Attribute { name, value: empty(self.at) }));
        }
        self.at += 1;
        while is_space(self.unit()?) {
            self.at += 1;
        }
        let value = match self.unit()? {
            quote @ (b'"' | b'\'') => {
                let start = self.at + 1;
                let len = find_unit(&self.units[start..], |unit| unit == quote)?;
                self.at = start + len + 1;
                start..start + len
            }
            b'>' => empty(self.at),
            _ => {
                let start = self.at;
                let len = find_unit(&self.units[start..], |unit| is_space(unit) || unit == b'>')?;
                self.at = start + len;
                start..self.at
            }
        };
        Ok(Some(Attribute { name, value }))
    }
}

/// Returns the number of code units before the first unit that `is` accepts.
fn find_unit(units: &[u8], is: impl Fn(u8) -> bool) -> Result<usize, UnitsEnd> {
    units.iter().position(|unit| is(*unit)).ok_or(UnitsEnd)
}

/// Runs the algorithm "extracting a character encoding from a meta element" up to the label, and returns the range of the label.
fn extract(units: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    let mut at = value.start;
    let text = &units[..value.end];
    loop {
        at += position_in_any_case(&text[at..], b"charset")? + b"charset".len();
        at += count(text, at, |unit| is_space(*unit));
        if text.get(at) == Some(&b'=') {
            break;
        }
    }
    at += 1;
    at += count(text, at, |unit| is_space(*unit));
    match text.get(at)? {
        quote @ (b'"' | b'\'') => {
            let len = text[at + 1..].iter().position(|unit| unit == quote)?;
            Some(trimmed(units, at + 1..at + 1 + len, |unit| is_space(*unit)))
        }
        _ => Some(at..at + count(text, at, |unit| !is_space(*unit) && *unit != b';')),
    }
}

/// Runs the algorithm "get an XML encoding" up to the label, and returns the range of the label.
fn xml_encoding(units: &[u8]) -> Option<Range<usize>> {
    if !units.starts_with(b"<?xml") {
        return None;
    }
    let text = &units[..units.iter().position(|unit| *unit == b'>')?];
    let is_blank = |unit: &u8| *unit <= b' ';
    let mut at = super::text::position(text, b"encoding")? + b"encoding".len();
    at += count(text, at, is_blank);
    if text.get(at) != Some(&b'=') {
        return None;
    }
    at += 1;
    at += count(text, at, is_blank);
    let quote = *text.get(at).filter(|unit| matches!(unit, b'"' | b'\''))?;
    let len = text[at + 1..].iter().position(|unit| *unit == quote)?;
    let label = at + 1..at + 1 + len;
    (!text[label.clone()].iter().any(is_blank) && labels::is_on_the_web(&text[label.clone()]))
        .then_some(label)
}

fn is_space(unit: u8) -> bool {
    matches!(unit, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}
