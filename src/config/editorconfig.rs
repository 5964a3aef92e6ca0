//! Reads `charset`, `end_of_line` and `insert_final_newline` of a `.editorconfig` file, by section.
//!
//! Specified at spec.editorconfig.org. An unknown value counts as `unset`, and is reported when a file is in its
//! section.

use std::sync::atomic::{AtomicBool, Ordering};

use utfconv_core::UTF_8;

use super::glob::{Glob, Globs, Name};
use super::problem::Problem;
use super::requirements::{Demand, EncodingAndBom, Newline, Setting, cut, encoding};

/// Maximum length in bytes of a section name that every implementation accepts.
const LONGEST_GLOB: usize = 4096;

#[derive(Debug, Default)]
pub struct Properties {
    pub charset: Setting<EncodingAndBom>,
    pub newline: Setting<Newline>,
    pub final_newline: Setting<Demand>,
}

/// The sections of a file.
#[derive(Debug, Default)]
pub struct EditorConfig {
    /// Whether files in the directories above are ignored.
    pub is_root: bool,
    sections: Vec<Section>,
    /// The globs of the sections.
    globs: Globs,
}

/// A section, with the properties that it sets.
#[derive(Debug, Default)]
struct Section {
    properties: Properties,
    /// The problems in the section, which are reported only if it has files.
    problems: Vec<Problem>,
    is_reported: AtomicBool,
}

impl EditorConfig {
    pub fn parse(text: &str, problems: &mut Vec<Problem>) -> EditorConfig {
        let mut config = EditorConfig::default();
        // The name of the section; `None` before the first section.
        let mut section = None;
        let mut globs = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = section_name(line) {
                section = Some(name);
                if name.len() > LONGEST_GLOB {
                    problems.push(Problem::of_line(number, "the section's name is too long"));
                }
                globs.push(Glob::new(if name.len() > LONGEST_GLOB { "" } else { name }));
                config.sections.push(Section::default());
                continue;
            }
            let Some((key, value)) = line.split_once('=').filter(|(key, _)| !key.trim().is_empty()) else {
                problems.push(Problem::of_line(number, "neither a section nor a property"));
                continue;
            };
            let (key, value) = (key.trim().to_lowercase(), value.trim().to_lowercase());
            match (section, config.sections.last_mut()) {
                (Some(name), Some(Section { properties, problems, .. })) => {
                    if let Err(why) = properties.set(&key, &value) {
                        let (section, value) = (cut(name), cut(&value));
                        let text = format!("[{section}]: {key} = {value}: {why}");
                        problems.push(Problem::of_line(number, text));
                    }
                }
                _ => config.is_root |= (key.as_str(), value.as_str()) == ("root", "true"),
            }
        }
        let all = config.sections.into_iter().zip(globs);
        let (sections, globs) = all.filter(|(section, _)| !section.properties.is_empty()).unzip();
        EditorConfig { sections, globs: Globs::new(globs), ..config }
    }

    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Adds the properties of a file that nearer configuration files do not set. `name` is relative to the directory of
    /// this configuration file. Returns the problems in sections that have a file for the first time.
    pub fn complete(&self, name: &str, known: &mut Properties) -> Vec<&Problem> {
        let mut problems = Vec::new();
        for number in self.globs.matching(&Name::new(name)).into_iter().rev() {
            let section = &self.sections[number];
            let properties = &section.properties;
            if !section.problems.is_empty() && !section.is_reported.swap(true, Ordering::Relaxed) {
                problems.extend(&section.problems);
            }
            known.charset = known.charset.or(properties.charset);
            known.newline = known.newline.or(properties.newline);
            known.final_newline = known.final_newline.or(properties.final_newline);
        }
        problems
    }
}

/// Returns the section name in a line such as `[*.txt]`, which a comment may follow.
fn section_name(line: &str) -> Option<&str> {
    let (name, rest) = line.strip_prefix('[')?.rsplit_once(']')?;
    let is_comment = rest.trim_start().starts_with(['#', ';']);
    (!name.is_empty() && (rest.is_empty() || is_comment)).then_some(name)
}

impl Properties {
    fn is_empty(&self) -> bool {
        self.charset.is_absent() && self.newline.is_absent() && self.final_newline.is_absent()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "charset" => set(&mut self.charset, value, charset),
            "end_of_line" => set(&mut self.newline, value, |value| {
                Newline::for_name(value).ok_or_else(|| "neither lf, crlf nor cr".to_string())
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

fn set<T>(
    setting: &mut Setting<T>,
    value: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<(), String> {
    *setting = Setting::Unset;
    if !matches!(value, "" | "unset") {
        *setting = Setting::To(read(value)?);
    }
    Ok(())
}

fn charset(value: &str) -> Result<EncodingAndBom, String> {
    let (encoding, demand) = encoding(value)?;
    // `utf-8` forbids a BOM, because UTF-8 with a BOM is called `utf-8-bom`.
    let unsigned = (encoding == &UTF_8).then_some(Demand::Forbid);
    Ok((encoding, demand.or(unsigned)))
}
