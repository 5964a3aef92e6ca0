//! UTF-8 that a change brought into a file in another encoding.

use std::collections::HashSet;

use utfconv_core::internals::utf8_lines::Utf8Lines;
use utfconv_core::repair::{Document, Unit, window_len};
use utfconv_core::{Encoding, ISO_8859_1, ISO_8859_15, Options, UTF_8, WINDOWS_1252, WINDOWS_1254, convert};

use super::{Change, Definition, Detection, Fix, Severity, Version};
use crate::convert::mixed::differs_from_utf8;

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

/// Evidence that lines are UTF-8, and not so by chance.
struct Evidence {
    /// The characters of the other encoding by their bytes, where one byte is one.
    characters: Option<Vec<char>>,
    /// Whether its text is Western.
    is_western: bool,
    /// The characters in the lines.
    distinct: HashSet<char>,
    /// Whether no text in the other encoding has some of their bytes.
    is_evident: bool,
}

impl Evidence {
    /// The least weight of all distinct characters: one for each of two bytes, two for each of more. Where the other
    /// encoding has codes of two bytes, those are none, and each of more is one.
    const ENOUGH: usize = 8;

    fn new(encoding: &'static Encoding) -> Evidence {
        const WESTERN: [&Encoding; 4] = [&ISO_8859_1, &WINDOWS_1252, &ISO_8859_15, &WINDOWS_1254];
        let decoded = |byte: u8| {
            let text = convert(&[byte], encoding, &UTF_8, &Options::default()).ok()?;
            std::str::from_utf8(&text.output).ok()?.chars().next()
        };
        let characters: Vec<char> = (0..=u8::MAX).map(|byte| decoded(byte).unwrap_or_default()).collect();
        // Others have codes of two bytes.
        let is_single = characters[0x80..].iter().filter(|scalar| **scalar != '\0').count() > 64;
        Evidence {
            characters: is_single.then_some(characters),
            is_western: WESTERN.contains(&encoding),
            distinct: HashSet::new(),
            is_evident: false,
        }
    }

    /// Adds a line. Returns whether it is UTF-8 with common characters.
    fn add(&mut self, line: &[u8]) -> bool {
        let mut counted = Utf8Lines::default();
        counted.add(line);
        let Some(text) = std::str::from_utf8(line).ok().filter(|_| counted.utf8_lines == 1) else {
            return false;
        };
        for (at, scalar) in text.char_indices().filter(|(_, scalar)| !scalar.is_ascii()) {
            self.distinct.insert(scalar);
            let before = at.checked_sub(1).map(|at| line[at]);
            self.is_evident |= self.is_no_text(before, &line[at..at + scalar.len_utf8()]);
        }
        true
    }

    /// Whether text in the other encoding has no such characters in a row: a capital letter within a word or, in Western
    /// text, a sign that follows no letter.
    fn is_no_text(&self, before: Option<u8>, bytes: &[u8]) -> bool {
        let Some(characters) = &self.characters else { return false };
        let read = |byte: u8| characters[usize::from(byte)];
        let may_follow = |byte: &u8| {
            let scalar = read(*byte);
            scalar.is_alphabetic() || "\u{A0}\u{AD}…‘’‚‛“”„–—‹›«»¡¿·°²³¹©®™".contains(scalar)
        };
        before.is_some_and(|byte| read(byte).is_lowercase()) && read(bytes[0]).is_uppercase()
            || self.is_western && !bytes[1..].iter().all(may_follow)
    }

    fn is_enough(&self) -> bool {
        let weight = |scalar: &char| match (self.characters.is_some(), scalar.len_utf8()) {
            (is_single, 2) => usize::from(is_single),
            (is_single, _) => 1 + usize::from(is_single),
        };
        let weight = self.distinct.iter().map(weight).sum::<usize>();
        self.is_evident || !self.is_western && weight >= Self::ENOUGH
    }
}
