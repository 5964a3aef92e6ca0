//! Statistics as text for people, and as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;

use serde::Serialize;
use unicode_script::UnicodeScript;

use super::{First, Stats, Sums};
use crate::ui::json::{Path, as_map};
use crate::ui::quote::{character, counted, quoted};

/// Maximum number of characters that the text lists one by one.
const LISTED: usize = 100;

impl Stats {
    /// Returns the statistics as text for people, with a line for each kind of count.
    pub fn text(&self) -> String {
        let line = self.line(|name| name);
        if !self.is_of_lost {
            return line.text();
        }
        line.lost.filter(|lost| !lost.characters.is_empty()).map_or(String::new(), |lost| lost.text())
    }

    /// Returns the statistics for programs. `path` maps the name of a file; all characters that would be lost are
    /// listed.
    pub fn line<'a>(&'a self, path: impl Fn(&'a OsStr) -> &'a OsStr) -> Line<'a> {
        let character = |scalar, First { source, position }: &'a First| Character {
            code_point: format!("U+{:04X}", u32::from(scalar)),
            character: scalar,
            count: self.characters.of(scalar),
            path: Path(path(&source.name)),
            line: position.line(),
            column: position.column(),
            offset: position.offset(),
        };
        let (mut by_length, mut scripts) = ([0; 4], BTreeMap::<_, u64>::new());
        for (scalar, count) in self.characters.iter() {
            by_length[scalar.len_utf8() - 1] += count;
            *scripts.entry(scalar.script().full_name()).or_default() += count;
        }
        let mut scripts: Vec<_> =
            scripts.into_iter().map(|(script, count)| Script { script, count }).collect();
        scripts.sort_by_key(|script| Reverse(script.count));
        Line {
            sums: &self.sums,
            characters: by_length.iter().sum(),
            by_length: (1..).zip(by_length).collect(),
            highest: self.highest.as_ref().map(|(scalar, first)| character(*scalar, first)),
            scripts,
            boms: &self.boms,
            newlines: self.newlines(),
            errors: self.faults.rules().map(|(rule, count)| (rule.name(), count)).collect(),
            lost: self.lost.as_ref().map(|lost| {
                let mut characters: Vec<_> =
                    lost.first.iter().map(|(scalar, first)| character(*scalar, first)).collect();
                characters.sort_by_key(|one| Reverse(one.count));
                Lost { encoding: lost.encoding.name(), characters }
            }),
        }
    }

    /// Returns the numbers of newlines of each form. Rare forms are left out if there are none.
    fn newlines(&self) -> Vec<(&'static str, u64)> {
        let of = |scalar| self.characters.of(scalar);
        let usual = [("LF", of('\n') - self.crlf), ("CRLF", self.crlf), ("CR", of('\r') - self.crlf)];
        let others = [("NEL", of('\u{85}')), ("LS", of('\u{2028}')), ("PS", of('\u{2029}'))];
        usual.into_iter().chain(others.into_iter().filter(|(_, count)| *count > 0)).collect()
    }
}

/// Statistics in JSON. Lists are sorted by frequency.
#[derive(Serialize)]
pub struct Line<'a> {
    #[serde(flatten)]
    sums: &'a Sums,
    characters: u64,
    /// Numbers of characters with one, two, three and four bytes in UTF-8.
    by_length: BTreeMap<u64, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest: Option<Character<'a>>,
    scripts: Vec<Script>,
    boms: &'a BTreeMap<&'static str, u64>,
    #[serde(serialize_with = "as_map")]
    newlines: Vec<(&'static str, u64)>,
    #[serde(serialize_with = "as_map")]
    errors: Vec<(&'static str, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Lost<'a>>,
}

#[derive(Serialize)]
struct Script {
    script: &'static str,
    count: u64,
}

/// The characters that cannot be encoded in the target.
#[derive(Serialize)]
struct Lost<'a> {
    encoding: &'static str,
    characters: Vec<Character<'a>>,
}

/// A character, the number of its occurrences, and the first of them.
#[derive(Serialize)]
struct Character<'a> {
    code_point: String,
    character: char,
    count: u64,
    path: Path<'a>,
    line: u64,
    column: u64,
    offset: u64,
}

impl Line<'_> {
    fn text(&self) -> String {
        let Sums { files, cut_short, left_out, misread, bytes, ill_formed_bytes } = self.sums;
        let mut text = format!("files: {files}");
        if *cut_short > 0 {
            text += &format!(" ({cut_short} not read to the end)");
        }
        if *left_out > 0 {
            text += &format!("; {left_out} skipped, binary or in another encoding");
        }
        if *misread > 0 {
            text += &format!("; {misread} in another encoding: only what is valid is counted");
        }
        let lengths = self.by_length.iter().filter(|(_, count)| **count > 0);
        let lengths = list(lengths.map(|(len, count)| format!("{count} of {}", counted(*len, "byte"))));
        let without = match ill_formed_bytes {
            0 => String::new(),
            count => format!(", without {}", counted(*count, "invalid byte")),
        };
        text += &format!("\nbytes: {bytes}\n");
        text += &format!("characters: {}{without}; in UTF-8: {lengths}\n", self.characters);
        if let Some(highest) = &self.highest {
            text += &format!("highest: {}, first at {}\n", character(highest.character), highest.position());
        }
        let named = |(name, count): (&str, u64)| format!("{count} {name}");
        text +=
            &format!("scripts: {}\n", list(self.scripts.iter().map(|one| named((one.script, one.count)))));
        text += &format!("BOMs: {}\n", list(self.boms.iter().map(|(name, count)| named((name, *count)))));
        text += &format!("newlines: {}\n", list(self.newlines.iter().copied().map(named)));
        text += &format!("errors: {}\n", list(self.errors.iter().copied().map(named)));
        match &self.lost {
            Some(Lost { encoding, characters }) if characters.is_empty() && !self.errors.is_empty() => {
                text += &format!("cannot be encoded in {encoding}: none of the valid characters\n");
            }
            Some(lost) => text += &lost.text(),
            None => {}
        }
        text
    }
}

impl Lost<'_> {
    fn text(&self) -> String {
        format!("cannot be encoded in {}: {}\n", self.encoding, lost_text(&self.characters))
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<_> = items.collect();
    if items.is_empty() { "none".to_string() } else { items.join(", ") }
}

fn lost_text(characters: &[Character]) -> String {
    let sum = |characters: &[Character]| {
        let places = characters.iter().map(|one| one.count).sum();
        (characters.len() as u64, counted(places, "place"))
    };
    let (listed, others) = characters.split_at(characters.len().min(LISTED));
    let mut text = match sum(characters) {
        (0, _) => "none".to_string(),
        (1, places) => format!("1 character in {places}"),
        (all, places) => format!("{all} different characters in {places}"),
    };
    for one in listed {
        let (shown, times) = (character(one.character), counted(one.count, "time"));
        text += &format!("\n  {shown}: {times}, first at {}", one.position());
    }
    if !others.is_empty() {
        let (others, places) = sum(others);
        text += &format!("\n  and {others} more in {places}");
    }
    text
}

impl Character<'_> {
    fn position(&self) -> String {
        format!("{}:{}:{} (byte {})", quoted(self.path.0), self.line, self.column, self.offset)
    }
}
