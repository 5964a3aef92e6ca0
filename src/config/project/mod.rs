//! `utfconv.toml`: the settings of a project for checks and for batch conversions.
//!
//! keys (the table of keys) -> read (values, or problems with their positions) -> Project (the settings that apply to a
//! file)
//!
//! Another user may have written a file that was found in a directory, so it can set nothing that loses data, and can
//! name nothing outside its directory. See utfconv.toml(5).

mod keys;
mod read;
mod schema;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use utfconv_core::Position;

pub use self::schema::{keys, schema};

use self::read::{Reading, Value, Values};
use super::problem::Problem;
use super::requirements::{EncodingAndBom, RuleList, encoding};
use crate::files::walk::Globs;

/// The names of the configuration file; the first takes precedence.
pub const NAMES: [&str; 2] = ["utfconv.toml", ".utfconv.toml"];

/// Parses a rule of the key `rules` or `allow`, given the key and the rule.
pub type ReadRule = fn(&str, &str) -> Result<(), String>;

/// A value, with the position where it is set.
#[derive(Clone, Debug)]
pub struct Set<T> {
    pub value: T,
    pub position: Position,
}

/// The settings in one configuration file.
#[derive(Debug, Default)]
pub struct Project {
    /// The path of the configuration file.
    pub path: PathBuf,
    /// The directory of the configuration file, to which patterns and paths are relative.
    pub directory: PathBuf,
    rules: Option<Set<Arc<RuleList>>>,
    /// The patterns for each purpose.
    globs: [Globs; 2],
    baseline: Option<Set<PathBuf>>,
    paths: Vec<Section>,
    /// The other keys of the table `[convert]`.
    pub convert: Vec<(&'static str, Set<Option<String>>)>,
}

/// A table `[[check.paths]]`.
#[derive(Debug)]
struct Section {
    globs: Globs,
    encoding: Option<Set<EncodingAndBom>>,
    rules: Option<Set<Arc<RuleList>>>,
}

/// The settings for one file.
#[derive(Clone, Debug, Default)]
pub struct OfFile {
    pub encoding: Option<Set<EncodingAndBom>>,
    pub rules: Option<Set<Arc<RuleList>>>,
    pub baseline: Option<Set<PathBuf>>,
}

/// Selects the patterns of a project that apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Check,
    Convert,
}

impl Project {
    /// Parses the text of the configuration file at the absolute `path`.
    pub fn parse(path: &Path, text: &str, is_named: bool, rule: ReadRule) -> (Project, Vec<Problem>) {
        let mut reading = Reading::new(text, is_named, rule);
        let directory = path.parent().unwrap_or(path).to_path_buf();
        let mut project = Project { path: path.to_path_buf(), directory, ..Project::default() };
        for (name, _, value) in reading.values(keys::FILE) {
            match (name, value) {
                ("check", Value::Table(values)) => project.check(values),
                (_, Value::Table(values)) => project.convert(values),
                _ => {}
            }
        }
        (project, reading.problems)
    }

    fn check(&mut self, values: Values) {
        self.rules = rules(&values);
        for (name, position, value) in values {
            match (name, value) {
                ("exclude", Value::List(globs)) => {
                    self.globs[Purpose::Check as usize] = Globs::excluding(&texts(globs));
                }
                ("baseline", Value::Text(path)) => {
                    self.baseline = Some(Set { value: self.directory.join(path), position });
                }
                ("paths", Value::Tables(tables)) => {
                    let all = self.rules.as_ref();
                    self.paths = tables.into_iter().map(|(_, values)| Section::new(values, all)).collect();
                }
                _ => {}
            }
        }
    }

    fn convert(&mut self, values: Values) {
        let (mut include, mut exclude) = (Vec::new(), Vec::new());
        for (name, position, value) in values {
            match (name, value) {
                ("include", Value::List(globs)) => include = texts(globs),
                ("exclude", Value::List(globs)) => exclude = texts(globs),
                (name, Value::Text(value)) => self.convert.push((name, Set { value: Some(value), position })),
                (name, Value::Flag(true)) => self.convert.push((name, Set { value: None, position })),
                _ => {}
            }
        }
        // Each pattern was already found valid, so combining them cannot fail.
        self.globs[Purpose::Convert as usize] = Globs::new(&include, &exclude).unwrap_or_default();
    }

    /// Returns the settings for the file at the absolute `path`.
    pub fn of(&self, path: &Path) -> OfFile {
        let mut found = OfFile { encoding: None, rules: self.rules.clone(), baseline: self.baseline.clone() };
        let Some((directory, name)) = self.below(path) else { return found };
        for section in self.paths.iter().filter(|section| !section.globs.leave_out(directory, name, false)) {
            found.encoding = section.encoding.clone().or(found.encoding);
            found.rules = section.rules.clone().or(found.rules);
        }
        found
    }

    /// Whether the patterns leave an entry out of a walk.
    pub fn leaves_out(&self, purpose: Purpose, path: &Path, is_directory: bool) -> bool {
        let globs = &self.globs[purpose as usize];
        self.below(path).is_some_and(|(directory, name)| globs.leave_out(directory, name, is_directory))
    }

    /// Whether the patterns leave out a file, or a directory above it.
    pub fn leaves_out_file(&self, purpose: Purpose, path: &Path) -> bool {
        let above = path.ancestors().skip(1).take_while(|above| above.starts_with(&self.directory));
        self.leaves_out(purpose, path, false)
            || above.into_iter().any(|above| self.leaves_out(purpose, above, true))
    }

    /// Whether the project has patterns for the purpose.
    pub fn has_globs(&self, purpose: Purpose) -> bool {
        let globs = &self.globs[purpose as usize];
        globs.has_include() || globs.has_exclude()
    }

    /// Splits a path below the directory into its directory and its name.
    fn below<'a>(&self, path: &'a Path) -> Option<(&'a Path, &'a OsStr)> {
        let below = path.strip_prefix(&self.directory).ok()?;
        Some((below.parent()?, below.file_name()?))
    }
}

impl Section {
    /// Makes a section. `all` are the rules of `[check]`, which stay on in a section that has the key `allow` but not
    /// `rules`.
    fn new(values: Values, all: Option<&Set<Arc<RuleList>>>) -> Section {
        let mut rules = rules(&values);
        let has_rules = values.iter().any(|(name, ..)| *name == "rules");
        if let (Some(Set { value, .. }), Some(all), false) = (&mut rules, all, has_rules) {
            Arc::make_mut(value).rules.clone_from(&all.value.rules);
        }
        // A section without patterns applies to no file.
        let mut globs = None;
        let mut set = None;
        for (name, position, value) in values {
            match (name, value) {
                ("globs", Value::List(list)) => globs = Globs::including(&texts(list)).ok(),
                ("encoding", Value::Text(name)) => {
                    set = encoding(&name).ok().map(|value| Set { value, position });
                }
                _ => {}
            }
        }
        let globs = globs.filter(Globs::has_include);
        Section { globs: globs.unwrap_or_else(|| Globs::excluding(&["*".to_string()])), encoding: set, rules }
    }
}

/// Returns the lists of rules of a table.
fn rules(values: &Values) -> Option<Set<Arc<RuleList>>> {
    let (mut list, mut first) = (RuleList::default(), None);
    for (name, position, value) in values {
        let (Value::List(items), "rules" | "allow") = (value, *name) else { continue };
        let into = if *name == "rules" { &mut list.rules } else { &mut list.allow };
        *into = items.iter().map(|(text, _)| text.clone()).collect();
        first = first.or(Some(*position));
    }
    first.map(|position| Set { value: Arc::new(list), position })
}

fn texts(list: Vec<(String, Position)>) -> Vec<String> {
    list.into_iter().map(|(text, _)| text).collect()
}
