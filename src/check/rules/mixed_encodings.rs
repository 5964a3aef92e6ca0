//! UTF-8 that a change brought into a file in another encoding.

use std::collections::HashSet;

use utfconv_core::Encoding;
use utfconv_core::repair::{Document, Unit, window_len};

use super::{Change, Definition, Detection, Fix, Severity, Version};
use crate::convert::mixed::{Evidence, differs_from_utf8};

pub const RULE: Definition = Definition {
    id: "mixed-encodings",
    title: "encodings mixed",
    explanation: "\
A change brought lines in UTF-8 into a file whose old version in git is in
another encoding. No program can read both: one kind of line is garbled.
Text may be UTF-8 by chance: where the other encoding has words with those
bytes, eight different letters are needed, or four characters of three bytes.

This is checked with --since or --staged, where it is on by default.

To make the whole file UTF-8:
    utfconv repair -i --candidates=ENCODING FILE
To keep its encoding, write the new lines with 'utfconv edit', or undo the
change and use an editor that knows the encoding.
",
    severity: Severity::Major,
    detection: Detection::Change(compare),
    ..Definition::with(Fix::Never("either encoding may be the intended one"))
};

fn compare(old: &Version, new: &Version) -> Option<Change> {
    let may_mix = |encoding: &&Encoding| {
        differs_from_utf8(encoding) && !encoding.is_ebcdic() && !encoding.is_stateful()
    };
    let encoding = old.read_as.filter(may_mix)?;
    // A file that is UTF-8 now was converted.
    if std::str::from_utf8(new.content).is_ok() {
        return None;
    }
    let known: HashSet<&[u8]> = old.content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let is_new = |line: &[u8]| !line.is_ascii() && !known.contains(line.trim_ascii());
    let (mut document, mut rest) = (Document::new(Unit::Line, &[encoding]), new.content);
    let (mut offset, mut number, mut first, mut evidence) = (0, 1, None, Evidence::new(encoding));
    while !rest.is_empty() {
        let (end, is_cut) = window_len(rest, true);
        let found = document.next(&rest[..end], is_cut);
        let mut changes = found.changes.iter().filter(|change| change.encoding.is_some()).peekable();
        let mut at = 0;
        for line in rest[..end].split_inclusive(|byte| *byte == b'\n') {
            let end = at + line.len();
            while changes.next_if(|change| change.range.end <= at).is_some() {}
            let is_other = changes.peek().is_some_and(|change| change.range.start < end);
            if !is_other && is_new(line) && evidence.add(line) {
                first = first.or(Some((offset + at as u64, number)));
            }
            (at, number) = (end, number + 1);
        }
        (rest, offset) = (&rest[end..], offset + end as u64);
    }
    let line = first.filter(|_| evidence.is_enough())?;
    let text = format!(
        "the line is UTF-8; {} is {}; use 'utfconv repair --candidates={1} {}' to make all of it UTF-8",
        old.name,
        encoding.name(),
        new.name
    );
    Some(Change { text, line })
}
