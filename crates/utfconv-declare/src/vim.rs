//! Vim's modelines: `fileencoding=...` or `fenc=...` in the first or last five lines (`:help modeline`).

use std::ops::Range;

use super::coding::first_lines;
use super::labels::{self, Definition, Meaning};
use super::text::{Label, Sample, View, count, is_blank, lines, position};
use utfconv_core::Encoding;

pub const KIND: Definition = Definition { name: "Vim modeline", find, meaning, label };

/// The default of Vim's option 'modelines'.
const LINES: usize = 5;

fn find(text: &Sample, found: &mut Vec<Label>) {
    let first = first_lines(&text.head.units, LINES);
    let start = found.len();
    found.extend(first.into_iter().filter_map(|line| in_line(&text.head, line)));
    let units = &text.tail.units[..];
    let mut last: Vec<_> = lines(units).collect();
    // The range after the last newline is no line.
    if last.last().is_some_and(Range::is_empty) {
        last.pop();
    }
    let last = last.split_off(last.len().saturating_sub(LINES));
    for label in last.into_iter().filter_map(|line| in_line(&text.tail, line)) {
        if found[start..].iter().all(|one| one.range != label.range) {
            found.push(label);
        }
    }
}

/// Returns the label in a modeline of the form `[text ]vim:[ ]set options:[text]` or `[text ]vim:[ ]options`.
fn in_line(view: &View, line: Range<usize>) -> Option<Label> {
    let units = &view.units[..line.end];
    let mut at = line.start;
    let start = loop {
        let colon = at + position(&units[at..], b":")?;
        at = colon + 1;
        let word = units[line.start..colon].iter().rposition(is_blank);
        let word = word.map_or(line.start, |blank| line.start + blank + 1);
        let is_first = word == line.start;
        let after = &units[at + count(units, at, is_blank)..];
        match &units[word..colon] {
            b"vi" | b"vim" => break at,
            b"ex" if !is_first => break at,
            [b'v', b'i', b'm', version @ ..] if is_version(version) => break at,
            // Vim accepts this spelling only before `set`.
            [b'V', b'i', b'm', version @ ..]
                if (version.is_empty() || is_version(version)) && after.starts_with(b"set") =>
            {
                break at;
            }
            _ => {}
        }
    };
    let mut at = start;
    loop {
        at += count(units, at, is_blank);
        let end = at + count(units, at, |unit| *unit != b':');
        let set = [&b"set "[..], b"se "].into_iter().find(|word| units[at..end].starts_with(word));
        // The options after `set` have to end with a colon.
        if set.is_some() && end == units.len() {
            return None;
        }
        match option(units, at + set.map_or(0, <[u8]>::len)..end) {
            Found::Label(label) => return view.label(label),
            Found::Nothing if set.is_none() && end < units.len() => at = end + 1,
            Found::Nothing | Found::Error => return None,
        }
    }
}

/// The result of a search for the option.
enum Found {
    Label(Range<usize>),
    Nothing,
    /// A word that is no option, at which Vim stops.
    Error,
}

/// Returns the value of the option for the encoding, among options separated by spaces or tabs.
fn option(units: &[u8], range: Range<usize>) -> Found {
    let mut at = range.start;
    while at < range.end {
        let len = count(&units[..range.end], at, |unit| !is_blank(unit));
        let option = &units[at..at + len];
        if matches!(option, b"set" | b"se" | b"setl" | b"setlocal") {
            return Found::Error;
        }
        for name in [&b"fileencoding="[..], b"fenc=", b"encoding=", b"enc="] {
            if option.starts_with(name) {
                return Found::Label(at + name.len()..at + len);
            }
        }
        at += len + 1;
    }
    Found::Nothing
}

/// Whether `text` is a version, perhaps after `<`, `=` or `>`, which may be between `vim` and the colon.
fn is_version(text: &[u8]) -> bool {
    let digits =
        text.strip_prefix(b"<").or(text.strip_prefix(b"=")).or(text.strip_prefix(b">")).unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Vim's aliases of encodings.
const ALIASES: &str = "\
    japan=EUC-JP korea=EUC-KR prc=GB2312 chinese=GB2312 taiwan=Big5 ansi=ISO-8859-1 ucs-2=UCS-2BE ucs2=UCS-2BE \
    unicode=UCS-2BE ucs2be=UCS-2BE ucs-4=UCS-4 ucs4=UCS-4 ucs-4be=UCS-4 utf-16=UTF-16 utf16=UTF-16";

fn meaning(label: &str) -> Meaning {
    let name = label.strip_prefix("8bit-").or(label.strip_prefix("2byte-")).unwrap_or(label);
    let alias = labels::listed(ALIASES).find(|(alias, _)| *alias == name);
    alias.map_or_else(|| labels::named_in_source(name), |(_, meant)| labels::named(meant))
}

/// Labels of Vim that are in none of the shared lists.
const NAMES: &str = "\
    utf-16 utf-16le utf-16=UTF-16BE utf-32 utf-32le utf-32be ucs-2=UCS-2BE ucs-2le ucs-4 ucs-4le ascii \
    latin1 macroman sjis cp950 euc-cn cp936=GBK";

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    labels::in_lists(&[NAMES, labels::COMMON, labels::CODE_PAGES, labels::DOS], encoding)
}
