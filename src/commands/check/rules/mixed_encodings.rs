//! UTF-8 that a change brought into a file in another encoding.

use std::collections::HashSet;
use std::ops::Range;

use utfconv_core::{Encoding, Options, UTF_8, convert};
use utfconv_detect::{Evidence, differs_from_utf8};
use utfconv_repair::{Document, Unit, window_len};

use super::{Change, Definition, Detection, Fix, On, Severity, Version};

pub const RULE: Definition = Definition {
    id: "mixed-encodings",
    title: "encodings mixed",
    explanation: "\
A change added lines in UTF-8 to a file whose old version in git is in another
encoding. No program can decode both kinds of lines, so some lines are
garbled.

A few lines may be UTF-8 by chance. Lines are reported only if text in the
other encoding does not have such bytes, or if there are enough different
characters. In files in GBK, windows-31j and other two-byte encodings, one
character that has three bytes in UTF-8 is enough, such as a character of
Chinese, Japanese or Korean. Lines with only Latin, Greek or Cyrillic are not
found there.

--since and --staged turn this rule on.

To make the whole file UTF-8:
    utfconv repair -i --candidates=ENCODING FILE
If the other encoding is the declared encoding, then convert the file back:
    utfconv -i -f UTF-8 -t ENCODING FILE
To avoid mixed encodings, edit the file with 'utfconv edit', or with an editor
that knows the encoding.
",
    severity: Severity::Major,
    on: On::OldVersions,
    detection: Detection::Change(compare),
    ..Definition::with(Fix::Never("either encoding may be intended"))
};

fn compare(old: &Version, new: &Version) -> Option<Change> {
    let may_mix = |encoding: &&Encoding| {
        differs_from_utf8(encoding) && !encoding.is_ebcdic() && !encoding.is_stateful()
    };
    let encoding = old.read_as.filter(may_mix)?;
    // A file that is UTF-8 as a whole was converted and has no mixed encodings.
    if std::str::from_utf8(new.content).is_ok() {
        return None;
    }
    let known: HashSet<&[u8]> = old.content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let is_new = |line: &[u8]| !line.is_ascii() && !known.contains(line.trim_ascii());
    let mut others = of_another_encoding(new.content, encoding).into_iter().peekable();
    let (mut at, mut first, mut count, mut evidence) = (0, None, 0, Evidence::new(encoding));
    let mut has_all = true;
    for (line, number) in new.content.split_inclusive(|byte| *byte == b'\n').zip(1..) {
        let end = at + line.len();
        while others.next_if(|range| range.end <= at).is_some() {}
        let is_other = others.peek().is_some_and(|range| range.start < end);
        if !is_other && is_new(line) && evidence.add(line) {
            first = first.or(Some((at as u64, number)));
            count += 1;
            has_all &= convert(line, &UTF_8, encoding, &Options::default()).is_ok();
        }
        at = end;
    }
    let line = first.filter(|_| evidence.is_enough())?;
    let lines = match count {
        1 => "the line is UTF-8".to_string(),
        _ => format!("this line and {count} more are UTF-8", count = count - 1),
    };
    let (old, new, encoding) = (old.name, new, encoding.name());
    let repair = format!("utfconv repair -i --candidates={encoding} {}", new.name);
    let (fix, to) = match new.read_as.filter(|declared| declared.name() == encoding) {
        Some(_) if has_all => {
            let back = format!("utfconv -i -f UTF-8 -t {encoding} {}", new.name);
            (format!("{repair} && {back}"), encoding.to_string())
        }
        Some(_) => {
            let to =
                format!("UTF-8, and declare that: {encoding} does not have all characters of these lines");
            (repair, to)
        }
        None => (repair, "UTF-8".to_string()),
    };
    let text = format!("{lines}; {old} is {encoding}; use '{fix}' to make all of it {to}");
    Some(Change { text, line })
}

/// Returns the byte ranges of `text` that are in `encoding`, and not UTF-8.
fn of_another_encoding(text: &[u8], encoding: &'static Encoding) -> Vec<Range<usize>> {
    let (mut document, mut at, mut ranges) = (Document::new(Unit::Line, &[encoding]), 0, Vec::new());
    while at < text.len() {
        let (len, is_cut) = window_len(&text[at..], true);
        let found = document.next(&text[at..at + len], is_cut);
        let others = found.changes.iter().filter(|change| change.encoding.is_some());
        ranges.extend(others.map(|change| at + change.range.start..at + change.range.end));
        at += len;
    }
    ranges
}
