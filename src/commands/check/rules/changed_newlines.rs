//! Newlines of a kind that the old version does not have.

use super::{Change, Definition, Detection, Fix, Version};
use crate::config::Newline;

pub const RULE: Definition = Definition {
    id: "changed-newlines",
    title: "newlines changed",
    explanation: "\
The file has newlines of a kind (LF, CRLF or CR) that its old version in git
does not have. If the old version has no newline, every kind is allowed. Files
in EBCDIC are not compared.

This rule works only with --since or --staged, and must be requested.

To convert all newlines of a file to LF:
    utfconv check --fix --rule mixed-newlines=lf FILE
",
    is_about_file: true,
    detection: Detection::Change(compare),
    ..Definition::with(Fix::Never("--rule mixed-newlines does"))
};

fn compare(old: &Version, new: &Version) -> Option<Change> {
    let (was, is) = (first_of_each(old), first_of_each(new));
    let (had, added): (Vec<_>, Vec<_>) =
        Newline::ALL.into_iter().partition(|kind| was[*kind as usize].is_some());
    let (line, name) = added.into_iter().filter_map(|kind| Some((is[kind as usize]?, kind.name()))).min()?;
    let had: Vec<_> = had.into_iter().map(Newline::name).collect();
    if had.is_empty() {
        return None;
    }
    Some(Change {
        text: format!("the line ends with {name}; {} has only {}", old.name, had.join(" and ")),
        line,
    })
}

/// Returns for each kind of newline the first line that ends with this kind: its byte offset and number.
fn first_of_each(version: &Version) -> [Option<(u64, u64)>; 3] {
    let mut first = [None; 3];
    if (*version.encoding).is_some_and(utfconv_core::Encoding::is_ebcdic) {
        return first;
    }
    let unit = (*version.encoding).map_or(1, utfconv_core::Encoding::code_unit_len);
    // The byte order is unknown, so a code unit is LF or CR if its bytes are 0A or 0D and zeros; U+0A00 and U+0D00
    // are unassigned.
    let is = |unit: &[u8], byte: u8| {
        unit.contains(&byte) && unit.iter().map(|one| u32::from(*one)).sum::<u32>() == u32::from(byte)
    };
    let (mut start, mut number) = (0, 1);
    let mut units = version.content.chunks(unit).enumerate().peekable();
    while let Some((at, one)) = units.next() {
        let kind = match (is(one, b'\n'), is(one, b'\r')) {
            (true, _) => Newline::Lf,
            (_, true) if units.next_if(|(_, next)| is(next, b'\n')).is_some() => Newline::Crlf,
            (_, true) => Newline::Cr,
            _ => continue,
        };
        let end = at + kind.text().len();
        first[kind as usize].get_or_insert((start, number));
        (start, number) = ((end * unit) as u64, number + 1);
    }
    first
}
