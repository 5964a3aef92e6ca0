//! What a `.editorconfig` says: `charset`, `end_of_line` and `insert_final_newline`, by section.
//!
//! Spec: spec.editorconfig.org. A value that means nothing is a problem, and counts as `unset`.

use utfconv_core::UTF_8;

use super::super::rules::{Demand, Newline};
use super::glob::{Glob, Name};
use super::{Encoded, Said, cut, encoding};

/// The longest section name that every implementation takes.
const LONGEST_GLOB: usize = 4096;

#[derive(Debug, Default)]
pub struct Properties {
    pub charset: Said<Encoded>,
    pub newline: Said<Newline>,
    pub final_newline: Said<Demand>,
}

/// One file.
#[derive(Debug, Default)]
pub struct EditorConfig {
    /// The files of the directories above do not count.
    pub is_root: bool,
    sections: Vec<(Glob, Properties)>,
}

impl EditorConfig {
    pub fn parse(text: &str, problems: &mut Vec<String>) -> EditorConfig {
        let mut config = EditorConfig::default();
        // The name of the section; `None` before the first one.
        let mut section = None;
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = section_name(line) {
                section = Some(name);
                if name.len() > LONGEST_GLOB {
                    problems.push(format!("line {number}: the section's name is too long"));
                }
                let glob = Glob::new(if name.len() > LONGEST_GLOB { "" } else { name });
                config.sections.push((glob, Properties::default()));
                continue;
            }
            let Some((key, value)) = line.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
                problems.push(format!("line {number}: neither a section nor a property"));
                continue;
            };
            let (key, value) = (key.trim().to_lowercase(), value.trim().to_lowercase());
            match (section, config.sections.last_mut()) {
                (Some(name), Some((_, properties))) => {
                    if let Err(why) = properties.set(&key, &value) {
                        problems.push(format!("[{}]: {key} = {}: {why}", cut(name), cut(&value)));
                    }
                }
                _ => config.is_root |= (key.as_str(), value.as_str()) == ("root", "true"),
            }
        }
        config.sections.retain(|(_, properties)| !properties.is_empty());
        config
    }

    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Completes what nearer files say of a file: `name` is relative to the directory of this one.
    pub fn complete(&self, name: &str, said: &mut Properties) {
        let name = Name::new(name);
        for (_, properties) in self.sections.iter().rev().filter(|(glob, _)| glob.has(&name)) {
            said.charset = said.charset.or(properties.charset);
            said.newline = said.newline.or(properties.newline);
            said.final_newline = said.final_newline.or(properties.final_newline);
        }
    }
}

/// The name in a line like `[*.txt]`, behind which may be a comment.
fn section_name(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix('[')?.rsplit_once(']')?;
    let is_comment = rest.trim_start().starts_with(['#', ';']);
    (!name.is_empty() && (rest.is_empty() || is_comment)).then_some(name)
}

impl Properties {
    fn is_empty(&self) -> bool {
        self.charset.is_none() && self.newline.is_none() && self.final_newline.is_none()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "charset" => set(&mut self.charset, value, charset),
            "end_of_line" => set(&mut self.newline, value, |value| {
                Newline::named(value).ok_or_else(|| "neither lf, crlf nor cr".to_string())
            }),
            "insert_final_newline" => set(&mut self.final_newline, value, |value| match value {
                "true" => Ok(Demand::Require),
                "false" => Ok(Demand::Forbid),
                _ => Err("neither true nor false".to_string()),
            }),
            _ => Ok(()),
        }
    }
}

fn set<T>(said: &mut Said<T>, value: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<(), String> {
    *said = Some(None);
    if !matches!(value, "" | "unset") {
        *said = Some(Some(read(value)?));
    }
    Ok(())
}

fn charset(value: &str) -> Result<Encoded, String> {
    let (encoding, demand) = encoding(value)?;
    // Who wants a BOM has utf-8-bom to say so.
    let unsigned = (encoding == &UTF_8).then_some(Demand::Forbid);
    Ok((encoding, demand.or(unsigned)))
}
