//! Reads the encodings that a `.gitattributes` file sets, in the attributes `working-tree-encoding`, by which git
//! converts, and `encoding`, by which git's viewers show files.
//!
//! Specified in gitattributes(5). A macro sets the attributes that it names. Unlike in git, a line that unsets the
//! macro (`-macro`) unsets only the macro. The attributes of the user and of the system are not read, because the
//! result for a repository has to be the same for everyone.

use std::collections::HashMap;

use utfconv_core::{Encoding, UTF_16, UTF_16BE, UTF_16LE, UTF_32, UTF_32BE, UTF_32LE};

use super::problem::Problem;
use super::requirements::{Demand, EncodingAndBom, Setting, cut, encoding};
use crate::files::glob::Syntax;
use crate::files::patterns::Pattern;

/// git ignores lines of at least this many bytes.
const LONGEST_LINE: usize = 2048;

/// An attribute that sets an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    WorkingTreeEncoding,
    Encoding,
}

impl Attribute {
    /// All attributes. The first is `working-tree-encoding`, by which git converts.
    pub const ALL: [Attribute; 2] = [Attribute::WorkingTreeEncoding, Attribute::Encoding];

    fn name(self) -> &'static str {
        match self {
            Attribute::WorkingTreeEncoding => "working-tree-encoding",
            Attribute::Encoding => "encoding",
        }
    }

    /// Parses the value of the attribute.
    fn value(self, value: &str) -> Result<EncodingAndBom, String> {
        match self {
            Attribute::WorkingTreeEncoding => working_tree_encoding(value),
            Attribute::Encoding => encoding(value),
        }
    }
}

/// The macros that affect the encoding, with the settings that they make.
pub type Macros = HashMap<(Attribute, String), Setting<EncodingAndBom>>;

/// The lines of a file, each with its pattern and its setting of each attribute.
#[derive(Debug)]
pub struct Attributes(Vec<(Pattern, [Setting<EncodingAndBom>; 2])>);

/// Adds the macros that a file defines. Files that are read later take precedence.
pub fn define(text: &str, macros: &mut Macros, problems: &mut Vec<Problem>) {
    for (number, line) in lines(text) {
        let Some((name, attributes)) = line.strip_prefix("[attr]").map(split) else { continue };
        for attribute in Attribute::ALL {
            let set = encoded(attribute, attributes, macros, number, problems);
            if !set.is_absent() {
                macros.insert((attribute, name.clone()), set);
            }
        }
    }
}

impl Attributes {
    pub fn parse(text: &str, macros: &Macros, problems: &mut Vec<Problem>) -> Attributes {
        let syntax = Syntax { ignores_case: cfg!(any(windows, target_os = "macos")), has_braces: false };
        let mut all = Vec::new();
        for (number, line) in lines(text).filter(|(_, line)| !line.starts_with("[attr]")) {
            let (pattern, attributes) = split(line);
            let set =
                Attribute::ALL.map(|attribute| encoded(attribute, attributes, macros, number, problems));
            // git does not allow negative patterns in attributes.
            if set.iter().all(Setting::is_absent) || pattern.starts_with('!') {
                continue;
            }
            match Pattern::new(pattern.as_bytes(), syntax) {
                Ok(pattern) => all.push((pattern, set)),
                Err(_) => problems.push(Problem::of_line(number, cut(&pattern) + ": not a pattern")),
            }
        }
        Attributes(all)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the setting of an attribute for a file, as made by the last pattern that matches. `name` is relative to
    /// the directory of the `.gitattributes` file.
    pub fn of(&self, attribute: Attribute, name: &str) -> Setting<EncodingAndBom> {
        let mut settings = self.0.iter().rev().map(|(pattern, set)| (pattern, set[attribute as usize]));
        let found =
            settings.find(|(pattern, set)| !set.is_absent() && pattern.matches(name.as_bytes(), false));
        found.map_or(Setting::Absent, |(_, set)| set)
    }
}

/// Returns the lines that may have settings, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (u64, &str)> {
    let lines = text.lines().map(|line| line.trim_start_matches(BLANK));
    (1..).zip(lines).filter(|(_, line)| !line.starts_with('#') && line.len() < LONGEST_LINE)
}

/// Splits a line into its pattern and its attributes.
fn split(line: &str) -> (String, &str) {
    if let Some(split) = line.strip_prefix('"').and_then(unquote) {
        return split;
    }
    let (pattern, attributes) = line.split_once(BLANK).unwrap_or((line, ""));
    (pattern.to_string(), attributes)
}

const BLANK: [char; 3] = [' ', '\t', '\r'];

/// Parses a C string up to its closing quote. Returns the string and the text after it.
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

/// Returns the setting of `wanted` by a list of attributes. The last attribute that affects `wanted` takes precedence.
fn encoded(
    wanted: Attribute,
    attributes: &str,
    macros: &Macros,
    line: u64,
    problems: &mut Vec<Problem>,
) -> Setting<EncodingAndBom> {
    let settings = attributes.split(BLANK).rev().map(|attribute| {
        let split = attribute.split_once('=');
        let (name, value) = split.map_or((attribute, None), |(name, value)| (name, Some(value)));
        let plain = name.strip_prefix(['-', '!']).unwrap_or(name);
        let read = match value {
            Some(value) if name == wanted.name() && !value.is_empty() => wanted.value(value),
            None if name == wanted.name() => Err("no encoding is given".to_string()),
            _ if plain == wanted.name() => return Setting::Unset,
            None => return macros.get(&(wanted, name.to_string())).copied().unwrap_or_default(),
            Some(_) => return Setting::Absent,
        };
        let report = |why| problems.push(Problem::of_line(line, format!("{}: {why}", cut(attribute))));
        read.map_err(report).map_or(Setting::Unset, Setting::To)
    });
    settings.into_iter().find(|set| !set.is_absent()).unwrap_or_default()
}

fn working_tree_encoding(value: &str) -> Result<EncodingAndBom, String> {
    let (encoding, demand) = encoding(value)?;
    // git requires a BOM for UTF-16 and UTF-32, and forbids it for names with a byte order, when a file is added.
    let is_any = |encodings: &[&Encoding]| encodings.contains(&encoding);
    let requires = is_any(&[&UTF_16, &UTF_32]).then_some(Demand::Require);
    let forbids = is_any(&[&UTF_16LE, &UTF_16BE, &UTF_32LE, &UTF_32BE]).then_some(Demand::Forbid);
    Ok((encoding, demand.or(requires).or(forbids)))
}
