//! Finds the configuration files that apply to a file, and combines what they require.
//!
//! A name is taken as it is spelled: symbolic links are not resolved, and `..` removes the name before it. git's attributes
//! take precedence for the encoding, since git converts by them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::attributes::{self, Attribute, Attributes, Macros};
use super::editorconfig::{EditorConfig, Properties};
use super::requirements::{EncodingAndBom, Requirements};
use crate::files::git::git_directory;
use crate::files::small_text::read;
use crate::files::walk::FileEntry;
use crate::ui::quote::{quoted, reason};

/// How many problems of one configuration file are reported, and how many are counted each time it is read.
const MOST_PROBLEMS: usize = 8;
const MOST_COUNTED: usize = 1000;

const EDITOR_CONFIG: &str = ".editorconfig";

/// Finds the requirements of files; remembers the settings of each directory.
///
/// All threads share it, so that each configuration file is read once. The lock is held to find a directory and to read a
/// new one, but not to match names.
#[derive(Debug)]
pub struct Configuration {
    current: PathBuf,
    known: Mutex<Known>,
}

/// The directory that a thread asked about last, for the next file: a walk visits one directory after another.
#[derive(Debug, Default)]
pub struct LastDirectory(Option<(OsString, Directory)>);

#[derive(Debug, Default)]
struct Known {
    /// By name: relative ones as they were given, and absolute ones.
    directories: HashMap<PathBuf, Directory>,
    problems: Problems,
}

/// The problems of configuration files: the name of the file, the line or 0, and the problem. Each is reported once, even if
/// a directory was read under several names.
#[derive(Debug, Default)]
struct Problems(BTreeSet<(String, u64, String)>);

impl Problems {
    fn add(&mut self, current: &Path, path: &Path, problem: &str) {
        let name = path.strip_prefix(current).unwrap_or(path);
        let line = problem.strip_prefix("line ").and_then(|rest| rest.split(':').next()?.parse().ok());
        self.0.insert((quoted(name.as_os_str()), line.unwrap_or(0), problem.to_string()));
    }

    /// A text for each, sorted; of a file with many, for the first ones.
    fn texts(&self) -> Vec<String> {
        let all: Vec<_> = self.0.iter().collect();
        let mut texts = Vec::new();
        for of_file in all.chunk_by(|(one, ..), (other, ..)| one == other) {
            let text = |(name, _, problem): &&(String, u64, String)| format!("{name}: {problem}");
            texts.extend(of_file.iter().take(MOST_PROBLEMS).map(text));
            if let (more @ 1.., (name, ..)) = (of_file.len().saturating_sub(MOST_PROBLEMS), of_file[0]) {
                texts.push(format!("{name}: {more} more problems"));
            }
        }
        texts
    }
}

/// The settings of a directory. A directory without configuration files shares those of the one above.
#[derive(Clone, Debug, Default)]
struct Directory {
    configs: Option<Arc<Link<EditorConfig>>>,
    attributes: Option<Arc<Link<Attributes>>>,
    repository: Option<Arc<Repository>>,
}

/// A configuration file, where it is, and those above it.
#[derive(Debug)]
struct Link<T> {
    directory: PathBuf,
    file: T,
    above: Option<Arc<Link<T>>>,
}

/// The settings of a whole repository.
#[derive(Debug)]
struct Repository {
    root: PathBuf,
    /// `info/attributes`, which takes precedence over all files of the tree.
    info: Option<Attributes>,
    macros: Macros,
}

impl Configuration {
    /// `current` is the current directory.
    pub fn new(current: &Path) -> Configuration {
        Configuration { current: normal(current, Path::new("")), known: Mutex::default() }
    }

    /// Returns what is required of a file.
    pub fn of(&self, target: &FileEntry, last: &mut LastDirectory) -> Requirements {
        match target.found_in() {
            Some((directory, _)) => {
                let may_have = |name: &str| directory.may_have(name);
                self.of_one_in(directory.path(), may_have, || target.name(), last)
            }
            None => self.of_named(&target.name(), last),
        }
    }

    /// Returns what is required of the file of that path.
    pub fn of_named(&self, path: &Path, last: &mut LastDirectory) -> Requirements {
        self.of_one_in(path.parent().unwrap_or(Path::new("")), |_| true, || path.into(), last)
    }

    /// Returns what is required of the file in that directory that `path` names. `may_have` knows which names the directory
    /// does not have.
    fn of_one_in<'a>(
        &self,
        directory: &Path,
        may_have: impl Fn(&str) -> bool,
        path: impl FnOnce() -> Cow<'a, Path>,
        last: &mut LastDirectory,
    ) -> Requirements {
        let settings = match &mut last.0 {
            // Compares spellings: taking names apart would take longer than everything else here.
            Some((name, settings)) if name == directory.as_os_str() => settings,
            last => {
                let settings = self.known().directory(directory, &self.current, &may_have);
                &mut last.insert((directory.into(), settings)).1
            }
        };
        if settings.is_empty() {
            return Requirements::default();
        }
        let (requirements, problems) = settings.requirements(&normal(&self.current, &path()));
        if !problems.is_empty() {
            let mut known = self.known();
            problems.iter().for_each(|(file, problem)| known.problems.add(&self.current, file, problem));
        }
        requirements
    }

    /// Returns the problems found in configuration files so far, each once, sorted.
    pub fn problems(&self) -> Vec<String> {
        self.known().problems.texts()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // A panic leaves it consistent.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Returns the settings of the directory of that name. `may_have` knows which names it does not have.
    fn directory(&mut self, path: &Path, current: &Path, may_have: &dyn Fn(&str) -> bool) -> Directory {
        // Goes up by cutting names off, as long as there are any: for a file in a known directory, no absolute name is made.
        let mut unknown = vec![];
        let mut above = path;
        let mut directory = loop {
            if let Some(directory) = self.directories.get(above) {
                break directory.clone();
            }
            match (above.components().next_back(), above.parent()) {
                (Some(Component::Normal(_)), Some(parent)) => {
                    unknown.push(above);
                    above = parent;
                }
                (Some(Component::RootDir | Component::Prefix(_)), _) => {
                    unknown.push(above);
                    break Directory::default();
                }
                // The current directory, or one of those above it.
                _ => {
                    let directory = self.directory(&normal(current, above), current, &|_: &str| true);
                    self.directories.insert(above.to_path_buf(), directory.clone());
                    break directory;
                }
            }
        };
        for (number, unknown) in unknown.into_iter().enumerate().rev() {
            let may_have = if number == 0 { may_have } else { &|_: &str| true };
            let mut reader = Reader { current, problems: &mut self.problems };
            directory = directory.below(normal(current, unknown), may_have, &mut reader);
            self.directories.insert(unknown.to_path_buf(), directory.clone());
        }
        directory
    }
}

impl Directory {
    fn is_empty(&self) -> bool {
        let info = self.repository.as_ref().and_then(|repository| repository.info.as_ref());
        self.configs.is_none() && self.attributes.is_none() && info.is_none()
    }

    /// Returns the settings of the directory of that absolute name; `self` has those of the directory above.
    fn below(mut self, path: PathBuf, may_have: &dyn Fn(&str) -> bool, reader: &mut Reader) -> Directory {
        let file = |name: &str| may_have(name).then(|| path.join(name));
        if let Some(file) = file(EDITOR_CONFIG)
            && let Some(text) = reader.read(&file, Links::Follow)
        {
            let config = reader.parse(&file, |problems| EditorConfig::parse(&text, problems));
            let above = self.configs.take().filter(|_| !config.is_root);
            self.configs = Link::below(above, Some(config).filter(|config| !config.is_empty()), &path);
        }

        let git = file(".git").and_then(|_| git_directory(&path));
        let attributes =
            file(".gitattributes").and_then(|file| Some((reader.read(&file, Links::Refuse)?, file)));
        if let Some(git) = git {
            let info = git.join("info/attributes");
            let text_of_info = reader.read(&info, Links::Follow);
            let mut macros = Macros::new();
            let info = text_of_info.map(|text| (text, info));
            for (text, file) in attributes.iter().chain(&info) {
                reader.parse(file, |problems| attributes::define(text, &mut macros, problems));
            }
            let info = info.and_then(|(text, file)| reader.attributes(&file, &text, &macros));
            // Attributes from outside a repository do not apply inside.
            self.attributes = None;
            self.repository = Some(Arc::new(Repository { root: path.clone(), info, macros }));
        }
        if let Some((text, file)) = attributes {
            let attributes = match &self.repository {
                Some(repository) => reader.attributes(&file, &text, &repository.macros),
                None => {
                    let mut macros = Macros::new();
                    reader.parse(&file, |problems| attributes::define(&text, &mut macros, problems));
                    reader.attributes(&file, &text, &macros)
                }
            };
            self.attributes = Link::below(self.attributes, attributes, &path);
        }
        self
    }

    /// Returns what an attribute sets for the file of that absolute name.
    fn attribute(&self, attribute: Attribute, path: &Path) -> Option<EncodingAndBom> {
        let of_info = self.repository.as_ref().and_then(|repository| {
            repository.info.as_ref().and_then(|info| info.of(attribute, &name(path, &repository.root)))
        });
        let mut of_tree = Link::all(&self.attributes);
        let of_tree = || of_tree.find_map(|link| link.file.of(attribute, &name(path, &link.directory)));
        of_info.or_else(of_tree).flatten()
    }

    /// Returns what is required of the file of that absolute name, and problems that were only found now, each with its
    /// configuration file.
    fn requirements(&self, path: &Path) -> (Requirements, Vec<(PathBuf, String)>) {
        let mut properties = Properties::default();
        let mut problems = Vec::new();
        for link in Link::all(&self.configs) {
            let found = link.file.complete(&name(path, &link.directory), &mut properties);
            let file = || link.directory.join(EDITOR_CONFIG);
            problems.extend(found.into_iter().map(|problem| (file(), problem.to_string())));
        }
        let (working_tree, shown) =
            (self.attribute(Attribute::WorkingTreeEncoding, path), self.attribute(Attribute::Encoding, path));
        let charset = properties.charset.flatten();
        let encoded = working_tree.or(shown).or(charset);
        let encoding = encoded.map(|(encoding, _)| encoding);
        // If the attributes of git do not decide about the BOM, the charset does, if it is the same encoding.
        let of_charset =
            charset.filter(|(of_charset, _)| Some(*of_charset) == encoding).and_then(|(_, bom)| bom);
        let requirements = Requirements {
            encoding,
            bom: encoded.and_then(|(_, bom)| bom).or(of_charset),
            newline: properties.newline.flatten(),
            final_newline: properties.final_newline.flatten(),
        };
        (requirements, problems)
    }
}

impl<T> Link<T> {
    fn below(above: Option<Arc<Link<T>>>, file: Option<T>, directory: &Path) -> Option<Arc<Link<T>>> {
        match file {
            Some(file) => Some(Arc::new(Link { directory: directory.to_path_buf(), file, above })),
            None => above,
        }
    }

    /// Iterates over this one and those above it.
    fn all(first: &Option<Arc<Link<T>>>) -> impl Iterator<Item = &Link<T>> {
        std::iter::successors(first.as_deref(), |link| link.above.as_deref())
    }
}

/// What to do with a configuration file that is a symbolic link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    /// Like git in its trees: the link of a foreign repository could lead anywhere.
    Refuse,
}

/// Reads configuration files.
struct Reader<'a> {
    current: &'a Path,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    /// Reads a file, if it exists and is readable.
    fn read(&mut self, path: &Path, links: Links) -> Option<String> {
        let metadata = match links {
            Links::Follow => fs::metadata(path),
            Links::Refuse => fs::symlink_metadata(path),
        };
        let text = match metadata {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return None;
            }
            Err(error) => Err(reason(&error)),
            Ok(metadata) => read(path, &metadata),
        };
        match text {
            Ok(text) => Some(text),
            Err(why) => {
                self.report(path, &why);
                None
            }
        }
    }

    /// Parses a file with `parse`, and records the problems that it reports.
    fn parse<T>(&mut self, path: &Path, parse: impl FnOnce(&mut Vec<String>) -> T) -> T {
        let mut problems = vec![];
        let parsed = parse(&mut problems);
        problems.iter().take(MOST_COUNTED).for_each(|problem| self.report(path, problem));
        parsed
    }

    fn attributes(&mut self, path: &Path, text: &str, macros: &Macros) -> Option<Attributes> {
        let attributes = self.parse(path, |problems| Attributes::parse(text, macros, problems));
        Some(attributes).filter(|attributes| !attributes.is_empty())
    }

    fn report(&mut self, path: &Path, problem: &str) {
        self.problems.add(self.current, path, problem);
    }
}

/// Makes a name absolute, without `.` and `..`.
fn normal(current: &Path, path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in current.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = normal.pop(),
            component => normal.push(component),
        }
    }
    normal
}

/// Returns the name of a file relative to a directory above it, with slashes.
fn name(path: &Path, directory: &Path) -> String {
    let name = path.strip_prefix(directory).unwrap_or(path).to_string_lossy();
    match MAIN_SEPARATOR {
        '/' => name.into_owned(),
        separator => name.replace(separator, "/"),
    }
}

#[cfg(test)]
mod tests;
