//! Newlines of a kind that the old version does not have.

use super::{Change, Definition, Detection, Fix, Version};

pub const RULE: Definition = Definition {
    id: "changed-newlines",
    title: "newlines changed",
    explanation: "\
The file has newlines of a kind (LF, CRLF or CR) that its old version in git
does not have. A file that had no newline may have any. EBCDIC is not
compared.

This is checked with --since or --staged only, and on request.

To make the newlines of a file the same:
    utfconv check --fix --rule mixed-newlines=lf FILE
",
    detection: Detection::Change(compare),
    ..Definition::with(Fix::Never("--rule mixed-newlines does"))
};

const KINDS: [&str; 3] = ["LF", "CRLF", "CR"];

fn compare(old: &Version, new: &Version) -> Option<Change> {
    let (was, is) = (first_of_each(old), first_of_each(new));
    let names = |kinds: &[Option<(u64, u64)>]| -> Vec<&str> {
        kinds.iter().zip(KINDS).filter(|(kind, _)| kind.is_some()).map(|(_, name)| name).collect()
    };
    let had = names(&was);
    let new_ones = (0..KINDS.len()).filter(|kind| was[*kind].is_none());
    let (line, name) = new_ones.filter_map(|kind| Some((is[kind]?, KINDS[kind]))).min()?;
    if had.is_empty() {
        return None;
    }
    Some(Change {
        text: format!("the line ends with {name}; {} has only {}", old.name, had.join(" and ")),
        line,
    })
}

/// Returns the first line that ends with each kind of newline: its offset and number.
fn first_of_each(version: &Version) -> [Option<(u64, u64)>; 3] {
    let mut first = [None; 3];
    if (*version.encoding).is_some_and(utfconv_core::Encoding::is_ebcdic) {
        return first;
    }
    let unit = (*version.encoding).map_or(1, utfconv_core::Encoding::unit);
    // The byte order is not known; U+0A00 and U+0D00 are not assigned.
    let is = |bytes: Option<&[u8]>, byte: u8| {
        bytes.is_some_and(|bytes| {
            bytes.contains(&byte) && bytes.iter().map(|one| u32::from(*one)).sum::<u32>() == u32::from(byte)
        })
    };
    let (mut start, mut number) = (0, 1);
    let mut units = version.content.chunks(unit).enumerate().peekable();
    while let Some((at, one)) = units.next() {
        let kind = match (is(Some(one), b'\n'), is(Some(one), b'\r')) {
            (true, _) => 0,
            (_, true) if is(units.peek().map(|(_, next)| *next), b'\n') => 1,
            (_, true) => 2,
            _ => continue,
        };
        let end = at
            + if kind == 1 {
                units.next();
                2
            } else {
                1
            };
        first[kind].get_or_insert((start, number));
        (start, number) = ((end * unit) as u64, number + 1);
    }
    first
}
