//! Statistics as text for people, and as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;

use serde::Serialize;
use unicode_script::UnicodeScript;
use utfconv_core::is_printable;

use super::{First, Lost, Stats};
use crate::ui::json::Path;
use crate::ui::quote::quoted;

/// The most characters that the text lists one by one.
const LISTED: usize = 100;

/// A character that would be lost.
struct Missing<'a> {
    scalar: char,
    count: u64,
    first: &'a First,
}

impl Stats {
    /// For people; a line for each kind of thing.
    pub fn text(&self) -> String {
        let list = |items: Vec<String>| if items.is_empty() { "none".to_string() } else { items.join(", ") };
        let total: u64 = self.by_length().iter().sum();
        let lengths = (1..).zip(self.by_length()).filter(|(_, count)| *count > 0);
        let lengths = lengths.map(|(len, count)| format!("{count} of {}", counted(len, "byte"))).collect();
        let mut text = format!("files: {}", self.files);
        if self.cut_short > 0 {
            text += &format!(" ({} not read to the end)", self.cut_short);
        }
        if self.left_out > 0 {
            text += &format!("; {} left out, being binary or plainly in another encoding", self.left_out);
        }
        text += &format!("\nbytes: {}\ncharacters: {total}; in UTF-8: {}\n", self.bytes, list(lengths));
        if let Some((scalar, first)) = &self.highest {
            text += &format!("highest: {}, first at {}\n", shown(*scalar), position(first));
        }
        let named = |(name, count)| format!("{count} {name}");
        text += &format!("scripts: {}\n", list(self.scripts().into_iter().map(named).collect()));
        let boms = self.boms.iter().map(|(name, count)| named((*name, *count)));
        text += &format!("BOMs: {}\n", list(boms.collect()));
        text += &format!("newlines: {}\n", list(self.newlines().into_iter().map(named).collect()));
        let faults = self.faults.rules().map(|(rule, count)| named((rule.name(), count)));
        text += &format!("errors: {}\n", list(faults.collect()));
        if let Some(lost) = &self.lost {
            text += &format!("not in {}: {}\n", lost.encoding.name(), self.lost_text(lost));
        }
        text
    }

    fn lost_text(&self, lost: &Lost) -> String {
        let missing = self.missing(lost);
        if missing.is_empty() {
            return "none".to_string();
        }
        let sum = |missing: &[Missing]| {
            let times = missing.iter().map(|missing| missing.count).sum();
            (counted(missing.len() as u64, "character"), counted(times, "time"))
        };
        let (characters, times) = sum(&missing);
        let mut text = format!("{characters}, {times}");
        let (listed, others) = missing.split_at(missing.len().min(LISTED));
        for Missing { scalar, count, first } in listed {
            text +=
                &format!("\n  {}: {}, first at {}", shown(*scalar), counted(*count, "time"), position(first));
        }
        if !others.is_empty() {
            let (characters, times) = sum(others);
            text += &format!("\n  and {characters} more, {times} in all");
        }
        text
    }

    /// For programs, which know a file by what `path` makes of its name; all of what would be lost is listed.
    pub fn line<'a>(&'a self, path: impl Fn(&'a OsStr) -> &'a OsStr) -> Line<'a> {
        let by_length = (1..).zip(self.by_length()).collect();
        let scripts = self.scripts().into_iter().map(|(script, count)| Script { script, count }).collect();
        let character = |scalar, First { source, position }: &'a First| Character {
            code_point: format!("U+{:04X}", u32::from(scalar)),
            character: scalar,
            count: self.characters.of(scalar),
            path: Path::new(path(&source.name)),
            line: position.line(),
            column: position.column(),
            offset: position.offset(),
        };
        Line {
            files: self.files,
            cut_short: self.cut_short,
            left_out: self.left_out,
            bytes: self.bytes,
            characters: self.by_length().iter().sum(),
            by_length,
            highest: self.highest.as_ref().map(|(scalar, first)| character(*scalar, first)),
            scripts,
            boms: &self.boms,
            newlines: self.newlines().into_iter().collect(),
            errors: self.faults.rules().map(|(rule, count)| (rule.name(), count)).collect(),
            lost: self.lost.as_ref().map(|lost| LostLine {
                encoding: lost.encoding.name(),
                characters: self.missing(lost).iter().map(|one| character(one.scalar, one.first)).collect(),
            }),
        }
    }

    /// How many characters take one byte in UTF-8, two, three and four.
    fn by_length(&self) -> [u64; 4] {
        let mut counts = [0; 4];
        self.characters.iter().for_each(|(scalar, count)| counts[scalar.len_utf8() - 1] += count);
        counts
    }

    /// The scripts, most frequent first.
    fn scripts(&self) -> Vec<(&'static str, u64)> {
        let mut scripts = BTreeMap::<_, u64>::new();
        for (scalar, count) in self.characters.iter() {
            *scripts.entry(scalar.script().full_name()).or_default() += count;
        }
        let mut scripts: Vec<_> = scripts.into_iter().collect();
        scripts.sort_by_key(|(_, count)| Reverse(*count));
        scripts
    }

    /// The forms of newlines: the usual ones, and the others if there are any.
    fn newlines(&self) -> Vec<(&'static str, u64)> {
        let of = |scalar| self.characters.of(scalar);
        let usual = [("LF", of('\n') - self.crlf), ("CRLF", self.crlf), ("CR", of('\r') - self.crlf)];
        let others = [("NEL", of('\u{85}')), ("LS", of('\u{2028}')), ("PS", of('\u{2029}'))];
        usual.into_iter().chain(others.into_iter().filter(|(_, count)| *count > 0)).collect()
    }

    /// What would be lost, most frequent first.
    fn missing<'a>(&self, lost: &'a Lost) -> Vec<Missing<'a>> {
        let of = |scalar: &char| self.characters.of(*scalar);
        let missing =
            lost.first.iter().map(|(scalar, first)| Missing { scalar: *scalar, count: of(scalar), first });
        let mut missing: Vec<_> = missing.collect();
        missing.sort_by_key(|missing| Reverse(missing.count));
        missing
    }
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A character for people: its number, and itself where that does no harm.
fn shown(scalar: char) -> String {
    match is_printable(scalar) {
        true => format!("U+{:04X} \"{scalar}\"", u32::from(scalar)),
        false => format!("U+{:04X}", u32::from(scalar)),
    }
}

fn position(First { source, position }: &First) -> String {
    format!("{}:{}:{} (byte {})", quoted(&source.name), position.line(), position.column(), position.offset())
}

/// Statistics in JSON.
#[derive(Serialize)]
pub struct Line<'a> {
    files: u64,
    cut_short: u64,
    left_out: u64,
    bytes: u64,
    characters: u64,
    by_length: BTreeMap<u8, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest: Option<Character<'a>>,
    scripts: Vec<Script>,
    boms: &'a BTreeMap<&'static str, u64>,
    newlines: BTreeMap<&'static str, u64>,
    errors: BTreeMap<&'static str, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<LostLine<'a>>,
}

#[derive(Serialize)]
struct Script {
    script: &'static str,
    count: u64,
}

#[derive(Serialize)]
struct LostLine<'a> {
    encoding: &'static str,
    characters: Vec<Character<'a>>,
}

/// A character, how often it occurs and where first.
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
