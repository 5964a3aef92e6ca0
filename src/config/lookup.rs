//! Finds the configuration files that apply to a file, and combines their requirements.
//!
//! A name is used as it is spelled: symbolic links are not resolved, and `..` removes the name before it. For the
//! encoding, `utfconv.toml` comes first, then the attributes of git, because git converts by them, then
//! `.editorconfig`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use utfconv_core::{Position, UTF_8};

use super::attributes::{self, Attribute, Attributes, Macros};
use super::editorconfig::{EditorConfig, Properties};
use super::problem::{Problem, Problems};
use super::project::{self, OfFile, Project, Purpose, ReadRule};
use super::requirements::{EncodingAndBom, Newline, Requirements, Setting};
use crate::files::git::git_directory;
use crate::files::paths::{absolute, with_slashes};
use crate::files::small_text::{open, read, text_of};
use crate::files::system;
use crate::files::walk::{Excludes, FileEntry, LeavesOut};
use crate::ui::quote::{as_argument, quoted, reason};
use crate::ui::threads::lock;

/// Maximum number of problems of a configuration file that are recorded each time it is read.
const MOST_COUNTED: usize = 1000;

const EDITOR_CONFIG: &str = ".editorconfig";

/// Finds the requirements of files, and remembers the settings of each directory.
///
/// All threads share one configuration, so that each configuration file is read once. The lock is held while a
/// directory is looked up or read, but not while names are matched.
#[derive(Debug)]
pub struct Configuration {
    current: PathBuf,
    /// Selects the patterns of `utfconv.toml` that apply.
    purpose: Purpose,
    /// The `utfconv.toml` that the user named, which applies to all files.
    named: Option<Arc<Project>>,
    known: Mutex<Known>,
}

/// The directory that a thread looked up last, with its settings. A walk visits one directory after another, so the
/// next file is usually in the same directory.
#[derive(Debug, Default)]
pub struct LastDirectory(Option<(OsString, Directory)>);

#[derive(Debug)]
struct Known {
    /// The settings by directory name: relative names as they were given, and absolute names.
    directories: HashMap<PathBuf, Directory>,
    problems: Problems,
    /// Configuration files that are ignored because they belong to other users.
    ignored: Problems,
    search: Search,
}

/// How each `utfconv.toml` is found and read.
#[derive(Debug)]
struct Search {
    rule: ReadRule,
    /// Whether the search is off because the user named a file.
    is_off: bool,
    /// The home directory of the user, at which the search ends.
    home: Option<PathBuf>,
}

/// The settings of a directory. A directory without configuration files shares those of its parent.
#[derive(Clone, Debug, Default)]
struct Directory {
    configs: Option<Arc<Link<EditorConfig>>>,
    attributes: Option<Arc<Link<Attributes>>>,
    repository: Option<Arc<Repository>>,
    /// The nearest `utfconv.toml`.
    project: Option<Arc<Project>>,
}

/// A configuration file with its directory, and the files of the directories above.
#[derive(Debug)]
struct Link<T> {
    directory: PathBuf,
    file: T,
    above: Option<Arc<Link<T>>>,
}

/// The file that sets a requirement, with the position if known.
#[derive(Clone, Debug)]
pub struct Source {
    pub file: PathBuf,
    pub position: Option<Position>,
}

/// The source of each requirement of a file; `None` for a requirement that nothing sets.
#[derive(Debug, Default)]
pub struct Sources {
    pub encoding: Option<Source>,
    pub bom: Option<Source>,
    pub newline: Option<Source>,
    pub final_newline: Option<Source>,
    pub rules: Option<Source>,
    pub baseline: Option<Source>,
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
    /// Creates a configuration. `current` is the current directory; `rule` parses rules.
    pub fn new(current: &Path, purpose: Purpose, rule: ReadRule) -> Configuration {
        let search = Search { rule, is_off: false, home: std::env::home_dir() };
        let (directories, problems, ignored) = Default::default();
        let known = Known { directories, problems, ignored, search };
        let current = absolute(current, Path::new(""));
        Configuration { current, purpose, named: None, known: known.into() }
    }

    /// Uses the `utfconv.toml` at `path` for all files, if there is a path, instead of searching for one.
    ///
    /// # Errors
    /// Fails if the file cannot be read or has problems, with a text for each.
    pub fn named(self, path: Option<&Path>) -> Result<Configuration, Vec<String>> {
        let Some(path) = path else { return Ok(self) };
        let path = absolute(&self.current, path);
        let shown = quoted(path.strip_prefix(&self.current).unwrap_or(&path));
        let metadata = fs::metadata(&path).map_err(|error| reason(&error));
        let text = metadata.and_then(|metadata| read(&path, &metadata));
        let text = text.map_err(|why| vec![format!("{shown}: {why}")])?;
        let rule = self.known().search.rule;
        let (project, problems) = Project::parse(&path, &text, true, rule);
        if !problems.is_empty() {
            let mut found = Problems::default();
            problems.into_iter().for_each(|problem| found.add(&self.current, &path, problem));
            return Err(found.texts(|_| true));
        }
        self.known().search.is_off = true;
        Ok(Configuration { named: Some(Arc::new(project)), ..self })
    }

    /// Returns the `utfconv.toml` that applies to a file or directory.
    pub fn project_of(&self, path: &Path) -> Option<Arc<Project>> {
        if self.named.is_some() {
            return self.named.clone();
        }
        let path = absolute(&self.current, path);
        let directory = if path.is_dir() { &path } else { path.parent().unwrap_or(&path) };
        self.settings(directory).project
    }

    /// Whether `utfconv.toml` leaves out a file, or a directory above it.
    pub fn leaves_out(&self, path: &Path) -> bool {
        let path = absolute(&self.current, path);
        let project = self.project_of(&path);
        project.is_some_and(|project| project.leaves_out_file(self.purpose, &path))
    }

    /// Returns the source of each requirement of a file.
    pub fn sources(&self, path: &Path) -> Sources {
        let path = absolute(&self.current, path);
        let settings = self.settings(path.parent().unwrap_or(&path));
        settings.sources(&path, self.named.as_ref().or(settings.project.as_ref()))
    }

    fn settings(&self, directory: &Path) -> Directory {
        self.known().directory(directory, &self.current, &|_: &str| true)
    }

    /// Makes a name absolute.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        absolute(&self.current, path)
    }

    /// Returns the requirements of a file.
    pub fn of(&self, target: &FileEntry, last: &mut LastDirectory) -> Requirements {
        match target.found_in() {
            Some((directory, _)) => {
                let may_have = |name: &str| directory.may_have(name);
                self.of_one_in(directory.path(), may_have, || target.name(), last)
            }
            None if target.is_staged() => self.of_staged(&target.name(), last),
            None => self.of_named(&target.name(), last),
        }
    }

    /// Returns the requirements of content in git's index. Files that git converts are UTF-8 in the index, and lines
    /// may end with LF.
    fn of_staged(&self, path: &Path, last: &mut LastDirectory) -> Requirements {
        let mut required = self.of_named(path, last);
        let path = absolute(&self.current, path);
        let settings = self.settings(path.parent().unwrap_or(&path));
        if let Some((Setting::To(_), _)) = settings.attribute(Attribute::WorkingTreeEncoding, &path) {
            (required.encoding, required.bom) = (Some(&UTF_8), None);
        }
        required.newline = required.newline.filter(|newline| *newline == Newline::Lf);
        required
    }

    /// Returns the requirements of the file at `path`.
    pub fn of_named(&self, path: &Path, last: &mut LastDirectory) -> Requirements {
        self.of_one_in(path.parent().unwrap_or(Path::new("")), |_| true, || path.into(), last)
    }

    /// Returns the requirements of a file in `directory`, which `path` names. `may_have` returns false for names that
    /// the directory does not have.
    fn of_one_in<'a>(
        &self,
        directory: &Path,
        may_have: impl Fn(&str) -> bool,
        path: impl FnOnce() -> Cow<'a, Path>,
        last: &mut LastDirectory,
    ) -> Requirements {
        let settings = match &mut last.0 {
            // Compare the spelling of the directory, because splitting names would take longer than the rest of this
            // function.
            Some((name, settings)) if name == directory.as_os_str() => settings,
            last => {
                let settings = self.known().directory(directory, &self.current, &may_have);
                &mut last.insert((directory.into(), settings)).1
            }
        };
        let project = self.named.as_ref().or(settings.project.as_ref());
        if settings.is_empty() && project.is_none() {
            return Requirements::default();
        }
        let (requirements, problems) = settings.requirements(&absolute(&self.current, &path()), project);
        for (file, problem) in problems {
            self.known().problems.add(&self.current, &file, problem);
        }
        requirements
    }

    /// Returns the problems found in configuration files so far, each once, sorted.
    pub fn problems(&self) -> Vec<String> {
        self.known().problems.texts(|_| true)
    }

    /// Returns a text for each file that is ignored because it belongs to another user.
    pub fn ignored(&self) -> Vec<String> {
        self.known().ignored.texts(|_| true)
    }

    /// Returns the problems and the ignored files.
    pub fn warnings(&self) -> Vec<String> {
        [self.problems(), self.ignored()].concat()
    }

    /// Returns the problems found in files called `utfconv.toml`.
    pub fn project_problems(&self) -> Vec<String> {
        let is_of_project = |name: &str| project::NAMES.iter().any(|known| name.ends_with(known));
        self.known().problems.texts(is_of_project)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }
}

impl Known {
    /// Returns the settings of a directory. `may_have` returns false for names that the directory does not have.
    fn directory(&mut self, path: &Path, current: &Path, may_have: &dyn Fn(&str) -> bool) -> Directory {
        // Go up by removing the last component while that is possible, so that no absolute name is made for a file in a
        // known directory.
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
                // The name is the current directory or a directory above it.
                _ => {
                    let directory = self.directory(&absolute(current, above), current, &|_: &str| true);
                    self.directories.insert(above.to_path_buf(), directory.clone());
                    break directory;
                }
            }
        };
        for (number, unknown) in unknown.into_iter().enumerate().rev() {
            let may_have = if number == 0 { may_have } else { &|_: &str| true };
            let Known { problems, ignored, search, .. } = self;
            let mut reader = Reader { current, problems, ignored, search };
            directory = directory.below(absolute(current, unknown), may_have, &mut reader);
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

    /// Returns the settings of the directory at the absolute `path`; `self` has those of its parent.
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
        // The search ended in a nearer directory.
        if git.is_some() || reader.search.home.as_ref() == Some(&path) {
            self.project = None;
        }
        self.project = reader.project(&path, may_have).or(self.project);
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

    /// Returns the setting of an attribute for the file at the absolute `path`. Also returns the directory and the name
    /// of the file that sets the attribute.
    fn attribute(
        &self,
        attribute: Attribute,
        path: &Path,
    ) -> Option<(Setting<EncodingAndBom>, (&Path, &'static str))> {
        let of_info = self.repository.as_ref().and_then(|repository| {
            let set = repository.info.as_ref()?.of(attribute, &name(path, &repository.root));
            (!set.is_absent()).then_some((set, (&*repository.root, ".git/info/attributes")))
        });
        let mut of_tree = Link::all(&self.attributes);
        of_info.or_else(|| {
            of_tree.find_map(|link| {
                let set = link.file.of(attribute, &name(path, &link.directory));
                (!set.is_absent()).then_some((set, (&*link.directory, ".gitattributes")))
            })
        })
    }

    /// Returns the requirements of the file at the absolute `path`, and newly found problems, each with its
    /// configuration file.
    fn requirements(
        &self,
        path: &Path,
        project: Option<&Arc<Project>>,
    ) -> (Requirements, Vec<(PathBuf, Problem)>) {
        let OfFile { encoding: of_project, rules, baseline } =
            project.map(|project| project.of(path)).unwrap_or_default();
        let mut properties = Properties::default();
        let mut problems = Vec::new();
        for link in Link::all(&self.configs) {
            let found = link.file.complete(&name(path, &link.directory), &mut properties);
            let file = || link.directory.join(EDITOR_CONFIG);
            problems.extend(found.iter().map(|problem| (file(), Problem::clone(problem))));
        }
        let [working_tree, shown] =
            Attribute::ALL.map(|attribute| self.attribute(attribute, path)?.0.value());
        let charset = properties.charset.value();
        let encoded = of_project.map(|set| set.value).or(working_tree).or(shown).or(charset);
        let encoding = encoded.map(|(encoding, _)| encoding);
        // If the setting of the encoding makes no demand about the BOM, the `charset` of `.editorconfig` decides about
        // the BOM, provided that it names the same encoding.
        let of_charset =
            charset.filter(|(of_charset, _)| Some(*of_charset) == encoding).and_then(|(_, bom)| bom);
        let requirements = Requirements {
            encoding,
            bom: encoded.and_then(|(_, bom)| bom).or(of_charset),
            newline: properties.newline.value(),
            final_newline: properties.final_newline.value(),
            rules: rules.map(|set| set.value),
            baseline: baseline.map(|set| set.value),
        };
        (requirements, problems)
    }

    /// Implements [`Configuration::sources`].
    fn sources(&self, path: &Path, project: Option<&Arc<Project>>) -> Sources {
        let set = |position: Option<Position>| {
            Some(Source { file: project?.path.clone(), position: Some(position?) })
        };
        let of_project = project.map(|project| project.of(path)).unwrap_or_default();
        let of_config = |setting: fn(&Properties) -> Setting<()>| {
            let mut settings = Link::all(&self.configs).map(|link| {
                let mut own = Properties::default();
                link.file.complete(&name(path, &link.directory), &mut own);
                (link, setting(&own))
            });
            let (link, set) = settings.find(|(_, set)| !set.is_absent())?;
            set.value().map(|()| Source { file: link.directory.join(EDITOR_CONFIG), position: None })
        };
        let charset = of_config(|own| own.charset.map(drop));
        let newline = of_config(|own| own.newline.map(drop));
        let final_newline = of_config(|own| own.final_newline.map(drop));
        let attribute = Attribute::ALL.into_iter().find_map(|attribute| {
            let (set, (directory, file)) = self.attribute(attribute, path)?;
            set.value().map(|_| Source { file: directory.join(file), position: None })
        });
        let encoding = set(of_project.encoding.map(|set| set.position)).or(attribute).or(charset.clone());
        let (required, _) = self.requirements(path, project);
        let bom = required.bom.and(encoding.clone().or(charset));
        let rules = set(of_project.rules.map(|set| set.position));
        let baseline = set(of_project.baseline.map(|set| set.position));
        Sources { encoding, bom, newline, final_newline, rules, baseline }
    }
}

impl<T> Link<T> {
    fn below(above: Option<Arc<Link<T>>>, file: Option<T>, directory: &Path) -> Option<Arc<Link<T>>> {
        let Some(file) = file else { return above };
        Some(Arc::new(Link { directory: directory.to_path_buf(), file, above }))
    }

    /// Returns the file and the files of the directories above, the nearest first.
    fn all(first: &Option<Arc<Link<T>>>) -> impl Iterator<Item = &Link<T>> {
        std::iter::successors(first.as_deref(), |link| link.above.as_deref())
    }
}

impl Excludes for Configuration {
    fn of(&self, directory: &Path, may_have: &dyn Fn(&str) -> bool) -> Option<LeavesOut> {
        let project = match &self.named {
            Some(named) => named.clone(),
            None => self.known().directory(directory, &self.current, may_have).project?,
        };
        let purpose = self.purpose;
        let directory = absolute(&self.current, directory);
        project.has_globs(purpose).then(|| {
            let leaves_out = move |name: &OsStr, is_directory: bool| {
                project.leaves_out(purpose, &directory.join(name), is_directory)
            };
            Arc::new(leaves_out) as LeavesOut
        })
    }
}

/// The reaction to a configuration file that is a symbolic link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    /// The link is not followed, just as git follows no links in its trees, because a link in a foreign repository
    /// could lead anywhere.
    Refuse,
}

/// Reads configuration files, and records their problems.
struct Reader<'a> {
    current: &'a Path,
    problems: &'a mut Problems,
    ignored: &'a mut Problems,
    search: &'a Search,
}

impl Reader<'_> {
    /// Reads the `utfconv.toml` of a directory, if it has one.
    fn project(&mut self, directory: &Path, may_have: &dyn Fn(&str) -> bool) -> Option<Arc<Project>> {
        if self.search.is_off {
            return None;
        }
        let mut found = None;
        for name in project::NAMES.into_iter().filter(|name| may_have(name)) {
            let path = directory.join(name);
            let Some(text) = self.read(&path, Links::Refuse) else { continue };
            if found.is_some() {
                let why = "not read, as utfconv.toml is beside it; remove one of them";
                self.report(&path, Problem::of_file(why));
                continue;
            }
            let (project, problems) = Project::parse(&path, &text, false, self.search.rule);
            problems.into_iter().take(MOST_COUNTED).for_each(|problem| self.report(&path, problem));
            found = Some(Arc::new(project));
        }
        found
    }

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
            Ok(metadata) => open(path, &metadata).and_then(|file| {
                if let Some(owner) = foreign_owner(path, &file) {
                    self.ignored.add(self.current, path, ignored(self.current, path, owner));
                    return Ok(None);
                }
                text_of(file).map(Some)
            }),
        };
        text.unwrap_or_else(|why| {
            self.report(path, Problem::of_file(why));
            None
        })
    }

    /// Parses a file with `parse`, and records the problems that `parse` reports.
    fn parse<T>(&mut self, path: &Path, parse: impl FnOnce(&mut Vec<Problem>) -> T) -> T {
        let mut problems = vec![];
        let parsed = parse(&mut problems);
        problems.into_iter().take(MOST_COUNTED).for_each(|problem| self.report(path, problem));
        parsed
    }

    fn attributes(&mut self, path: &Path, text: &str, macros: &Macros) -> Option<Attributes> {
        let attributes = self.parse(path, |problems| Attributes::parse(text, macros, problems));
        Some(attributes).filter(|attributes| !attributes.is_empty())
    }

    fn report(&mut self, path: &Path, problem: Problem) {
        self.problems.add(self.current, path, problem);
    }
}

fn is_project(path: &Path) -> bool {
    path.file_name().is_some_and(|name| project::NAMES.iter().any(|known| name == *known))
}

/// Returns the owner of a configuration file, or of the link that led to it, if the file has to be ignored because its
/// owner must not decide what this user writes.
///
/// The user and root are trusted. For files that no option can name, such as .editorconfig, the owner of the directory
/// is trusted too, because a container may run as root in a checkout of another user.
fn foreign_owner(path: &Path, file: &File) -> Option<u32> {
    let directory = path.parent().filter(|_| !is_project(path)).and_then(|above| fs::metadata(above).ok());
    let of_directory = directory.as_ref().and_then(system::owner);
    let is_foreign = |owner: &u32| ![0, system::user()].contains(owner) && Some(*owner) != of_directory;
    let found = [file.metadata().ok(), fs::symlink_metadata(path).ok()];
    found.iter().flatten().filter_map(system::owner).find(is_foreign)
}

fn ignored(current: &Path, path: &Path, owner: u32) -> Problem {
    let name = as_argument(path.strip_prefix(current).unwrap_or(path));
    let advice =
        if is_project(path) { format!("use --config {name}") } else { format!("run: chown $(id -u) {name}") };
    Problem::of_file(format!("ignored, as it belongs to another user ({owner}); to use it, {advice}"))
}

/// Returns the name of a file relative to a directory above it, with slashes.
fn name(path: &Path, directory: &Path) -> String {
    String::from_utf8_lossy(&with_slashes(path.strip_prefix(directory).unwrap_or(path))).into_owned()
}

#[cfg(test)]
mod tests;
