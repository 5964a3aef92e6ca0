//! What a `.gitattributes` says of the encoding: its lines with `working-tree-encoding`.
//!
//! Spec: gitattributes(5). A macro stands for what it sets; unlike in git, a line that takes the macro itself away
//! (`-macro`) takes nothing else away. The attributes of the user and of the system are not read: what holds for a
//! repository is to hold for everyone.

use std::collections::HashMap;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use utfconv_core::{Encoding, UTF_16, UTF_16BE, UTF_16LE, UTF_32, UTF_32BE, UTF_32LE};

use super::super::rules::Demand;
use super::{Encoded, Said, cut, encoding};

/// The length from which git ignores a line.
const LONGEST_LINE: usize = 2048;

/// The macros that say something of the encoding, and what.
pub type Macros = HashMap<String, Option<Encoded>>;

/// One file.
#[derive(Debug)]
pub struct Attributes {
    matcher: Gitignore,
    /// What holds for a pattern. Where one stands twice, the later line has it, as it has in the matcher.
    said: HashMap<String, Option<Encoded>>,
}

/// Adds the macros that a file defines; those of a file that is read later go before.
pub fn define(text: &str, macros: &mut Macros, problems: &mut Vec<String>) {
    for (number, line) in lines(text) {
        if let Some((name, attributes)) = line.strip_prefix("[attr]").map(split)
            && let Some(encoded) = encoded(attributes, macros, number, problems)
        {
            macros.insert(name, encoded);
        }
    }
}

impl Attributes {
    pub fn parse(text: &str, macros: &Macros, problems: &mut Vec<String>) -> Attributes {
        // The names are relative to the directory of the file.
        let mut builder = GitignoreBuilder::new(".");
        // In git, it matches nothing.
        builder.allow_unclosed_class(false);
        let mut said = HashMap::new();
        for (number, line) in lines(text).filter(|(_, line)| !line.starts_with("[attr]")) {
            let (pattern, attributes) = split(line);
            let Some(encoded) = encoded(attributes, macros, number, problems) else {
                continue;
            };
            // git has no negative patterns here.
            if pattern.starts_with('!') {
                continue;
            }
            let pattern = as_ignored(&pattern);
            let is_case_folded = cfg!(any(windows, target_os = "macos"));
            let added =
                builder.case_insensitive(is_case_folded).and_then(|builder| builder.add_line(None, &pattern));
            match added {
                Ok(_) => _ = said.insert(pattern, encoded),
                Err(_) => problems.push(format!("line {number}: {}: not a pattern", cut(&pattern))),
            }
        }
        let matcher = builder.build().unwrap_or_else(|error| {
            problems.push(error.to_string());
            Gitignore::empty()
        });
        Attributes { matcher, said }
    }

    pub fn is_empty(&self) -> bool {
        self.matcher.is_empty()
    }

    /// What is said of a file: `name` is relative to the directory of this one.
    pub fn of(&self, name: &str) -> Said<Encoded> {
        let Match::Ignore(glob) = self.matcher.matched(name, false) else {
            return None;
        };
        self.said.get(glob.original()).copied()
    }
}

/// The lines that may say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().map(|line| line.trim_start_matches(BLANK));
    (1..).zip(lines).filter(|(_, line)| !line.starts_with('#') && line.len() < LONGEST_LINE)
}

/// The pattern of a line, and its attributes.
fn split(line: &str) -> (String, &str) {
    if let Some(split) = line.strip_prefix('"').and_then(unquote) {
        return split;
    }
    let (pattern, attributes) = line.split_once(BLANK).unwrap_or((line, ""));
    (pattern.to_string(), attributes)
}

const BLANK: [char; 3] = [' ', '\t', '\r'];

/// Reads a string as C's up to its closing quote; answers what is behind, too.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut bytes = vec![];
    let mut at = 0;
    loop {
        let byte = *text.as_bytes().get(at)?;
        at += 1;
        match byte {
            b'"' => return Some((String::from_utf8(bytes).ok()?, &text[at..])),
            b'\\' => {
                let escaped = *text.as_bytes().get(at)?;
                at += 1;
                bytes.push(match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'"' | b'\\' => escaped,
                    b'0'..=b'3' => {
                        let octal = text.get(at - 1..at + 2)?;
                        at += 2;
                        u8::from_str_radix(octal, 8).ok()?
                    }
                    _ => return None,
                });
            }
            _ => bytes.push(byte),
        }
    }
}

/// The line of a .gitignore that has this pattern. What is special there and not here is escaped: `#` at the beginning,
/// a space at the end; and braces, which are not special to git, but to the crate.
fn as_ignored(pattern: &str) -> String {
    let mut line = String::new();
    let mut is_escaped = false;
    let mut is_in_class = false;
    for (at, scalar) in pattern.char_indices() {
        let is_special = match scalar {
            '{' | '}' => !is_in_class,
            '#' => at == 0,
            ' ' => at + 1 == pattern.len(),
            _ => false,
        };
        if is_special && !is_escaped {
            line.push('\\');
        }
        is_in_class = !is_escaped && (scalar == '[' || is_in_class && scalar != ']');
        is_escaped = !is_escaped && scalar == '\\';
        line.push(scalar);
    }
    line
}

/// What attributes say of the encoding: the last of them that says something.
fn encoded(attributes: &str, macros: &Macros, line: usize, problems: &mut Vec<String>) -> Said<Encoded> {
    attributes.split(BLANK).rev().find_map(|attribute| {
        let (name, value) = match attribute.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (attribute, None),
        };
        let read = match (name, value) {
            ("working-tree-encoding", Some(value)) if !value.is_empty() => working_tree_encoding(value),
            ("working-tree-encoding", None) => Err("no encoding is given".to_string()),
            ("working-tree-encoding" | "-working-tree-encoding" | "!working-tree-encoding", _) => {
                return Some(None);
            }
            (_, None) => return macros.get(name).copied(),
            _ => return None,
        };
        Some(read.map_err(|why| problems.push(format!("line {line}: {}: {why}", cut(attribute)))).ok())
    })
}

fn working_tree_encoding(value: &str) -> Result<Encoded, String> {
    let (encoding, demand) = encoding(value)?;
    // What git itself insists on when a file is added.
    let is_any = |encodings: &[&Encoding]| encodings.contains(&encoding);
    let of_git = if is_any(&[&UTF_16, &UTF_32]) {
        Some(Demand::Require)
    } else if is_any(&[&UTF_16LE, &UTF_16BE, &UTF_32LE, &UTF_32BE]) {
        Some(Demand::Forbid)
    } else {
        None
    };
    Ok((encoding, demand.or(of_git)))
}
