//! What the configuration of a project claims of a file: its encoding, its BOM and its newlines, by
//! `.editorconfig`, and by `working-tree-encoding` in `.gitattributes`.
//!
//! A name is taken as it is spelled: symbolic links are not resolved, and `..` takes back the name before it. What git's
//! attributes say of the encoding goes first, since git converts by it.

mod attributes;
mod editorconfig;
mod glob;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use utfconv_core::Encoding;

use self::attributes::{Attributes, Macros};
use self::editorconfig::{EditorConfig, Properties};
use super::rules::{Claimed, Demand};
use crate::config::configuration::{git_directory, text};
use crate::files::walk::Target;
use crate::ui::message::{one_line, quoted, reason};
use crate::ui::modes;
use crate::ui::names::{Name, Suffixes};

/// What the configuration claims of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    pub encoding: Option<&'static Encoding>,
    pub claimed: Claimed,
}

/// How many problems of one configuration file are told.
const MOST_PROBLEMS: usize = 8;

/// How much of a text is quoted in a problem, in characters.
const LONGEST_QUOTE: usize = 60;

/// An encoding and what holds for its BOM.
type Encoded = (&'static Encoding, Option<Demand>);

/// What is said of something: nothing, that nothing is to hold, or what.
type Said<T> = Option<Option<T>>;

/// Finds claims; remembers what each directory says.
///
/// One for all threads, so that they share what was read. The lock is held to find a directory, and to read what is new
/// in one; not to match names.
#[derive(Debug)]
pub struct Claims {
    current: PathBuf,
    known: Mutex<Known>,
}

/// The directory that a thread asked about last. The files of a walk come directory by directory.
#[derive(Debug, Default)]
pub struct Last(Option<(OsString, Directory)>);

#[derive(Debug, Default)]
struct Known {
    /// By name: relative ones as they came, and absolute ones.
    directories: HashMap<PathBuf, Directory>,
    /// Each once, though a directory may have been read under several names.
    problems: BTreeSet<String>,
}

/// What holds in a directory. Those that say nothing themselves share all of it with the one above.
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

/// What holds in all of a repository.
#[derive(Debug)]
struct Repository {
    root: PathBuf,
    /// `info/attributes`, which goes before all files of the tree.
    info: Option<Attributes>,
    macros: Macros,
}

impl Claims {
    /// `current` is the current directory.
    pub fn new(current: &Path) -> Claims {
        Claims { current: normal(current, Path::new("")), known: Mutex::default() }
    }

    /// What is claimed of a file.
    pub fn of(&self, target: &Target, last: &mut Last) -> Claim {
        match target.met() {
            Some((directory, _)) => {
                let may_have = |name: &str| directory.may_have(name);
                self.of_one_in(&directory.path, may_have, || target.name(), last)
            }
            None => self.of_named(&target.name(), last),
        }
    }

    fn of_named(&self, path: &Path, last: &mut Last) -> Claim {
        self.of_one_in(path.parent().unwrap_or(Path::new("")), |_| true, || path.into(), last)
    }

    /// What is claimed of the file that `path` makes the name of, in that directory. `may_have` knows what is not in it.
    fn of_one_in<'a>(
        &self,
        directory: &Path,
        may_have: impl Fn(&str) -> bool,
        path: impl FnOnce() -> Cow<'a, Path>,
        last: &mut Last,
    ) -> Claim {
        let said = match &mut last.0 {
            // As they are spelled: taking names apart takes longer than all else here.
            Some((name, said)) if name == directory.as_os_str() => said,
            last => {
                let said = self.known().directory(directory, &self.current, &may_have);
                &mut last.insert((directory.into(), said)).1
            }
        };
        match said.is_silent() {
            true => Claim::default(),
            false => said.claim(&normal(&self.current, &path())),
        }
    }

    /// The problems with configuration files that were met so far, each once, sorted.
    pub fn problems(&self) -> Vec<String> {
        self.known().problems.iter().cloned().collect()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Nothing is left half done in it.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// What holds in the directory of that name. `may_have` knows what is not in it.
    fn directory(&mut self, path: &Path, current: &Path, may_have: &dyn Fn(&str) -> bool) -> Directory {
        // Up by cutting names off, as long as there are names: of a file in a known directory, no absolute name is made.
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
    fn is_silent(&self) -> bool {
        let info = self.repository.as_ref().and_then(|repository| repository.info.as_ref());
        self.configs.is_none() && self.attributes.is_none() && info.is_none()
    }

    /// What holds in the directory of that absolute name, where this is what holds above it.
    fn below(mut self, path: PathBuf, may_have: &dyn Fn(&str) -> bool, reader: &mut Reader) -> Directory {
        let file = |name: &str| may_have(name).then(|| path.join(name));
        if let Some(file) = file(".editorconfig")
            && let Some(text) = reader.read(&file, Links::Follow)
        {
            let config = reader.parse(&file, |problems| EditorConfig::parse(&text, problems));
            let above = self.configs.take().filter(|_| !config.is_root);
            self.configs = Link::below(above, Some(config).filter(|config| !config.is_empty()), &path);
        }

        let git = file(".git").and_then(|_| git_directory(&path));
        if git.is_none() && self.repository.is_none() {
            return self;
        }
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
            // What holds around a repository does not hold in it.
            self.attributes = None;
            self.repository = Some(Arc::new(Repository { root: path.clone(), info, macros }));
        }
        if let (Some((text, file)), Some(repository)) = (attributes, &self.repository) {
            let attributes = reader.attributes(&file, &text, &repository.macros);
            self.attributes = Link::below(self.attributes, attributes, &path);
        }
        self
    }

    /// What is claimed of the file of that absolute name.
    fn claim(&self, path: &Path) -> Claim {
        let mut said = Properties::default();
        for link in Link::all(&self.configs) {
            link.file.complete(&name(path, &link.directory), &mut said);
        }
        let of_info = self.repository.as_ref().and_then(|repository| {
            repository.info.as_ref().and_then(|info| info.of(&name(path, &repository.root)))
        });
        let mut of_tree = Link::all(&self.attributes);
        let of_git = of_info.or_else(|| of_tree.find_map(|link| link.file.of(&name(path, &link.directory))));

        let (of_git, charset) = (of_git.flatten(), said.charset.flatten());
        let encoded = of_git.or(charset);
        let encoding = encoded.map(|(encoding, _)| encoding);
        // Where git leaves the BOM open, it is as the charset has it, if they are of one encoding.
        let of_charset =
            charset.filter(|(of_charset, _)| Some(*of_charset) == encoding).and_then(|(_, bom)| bom);
        let claimed = Claimed {
            bom: encoded.and_then(|(_, bom)| bom).or(of_charset),
            newline: said.newline.flatten(),
            final_newline: said.final_newline.flatten(),
        };
        Claim { encoding, claimed }
    }
}

impl<T> Link<T> {
    fn below(above: Option<Arc<Link<T>>>, file: Option<T>, directory: &Path) -> Option<Arc<Link<T>>> {
        match file {
            Some(file) => Some(Arc::new(Link { directory: directory.to_path_buf(), file, above })),
            None => above,
        }
    }

    /// This one and those above it.
    fn all(first: &Option<Arc<Link<T>>>) -> impl Iterator<Item = &Link<T>> {
        std::iter::successors(first.as_deref(), |link| link.above.as_deref())
    }
}

/// What to do with a configuration file that is a symbolic link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    /// As git, in its trees: a repository could bring a link that leads anywhere.
    Refuse,
}

/// Reads configuration files.
struct Reader<'a> {
    current: &'a Path,
    problems: &'a mut BTreeSet<String>,
}

impl Reader<'_> {
    /// The text of a file, if there is one that can be read.
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
            Ok(metadata) => text(path, &metadata),
        };
        match text {
            Ok(text) => Some(text),
            Err(why) => {
                self.tell(path, &why);
                None
            }
        }
    }

    /// What `parse` makes of a file, and the problems that it tells of.
    fn parse<T>(&mut self, path: &Path, parse: impl FnOnce(&mut Vec<String>) -> T) -> T {
        let mut problems = vec![];
        let parsed = parse(&mut problems);
        problems.iter().take(MOST_PROBLEMS).for_each(|problem| self.tell(path, problem));
        if problems.len() > MOST_PROBLEMS {
            self.tell(path, &format!("{} more problems", problems.len() - MOST_PROBLEMS));
        }
        parsed
    }

    fn attributes(&mut self, path: &Path, text: &str, macros: &Macros) -> Option<Attributes> {
        let attributes = self.parse(path, |problems| Attributes::parse(text, macros, problems));
        Some(attributes).filter(|attributes| !attributes.is_empty())
    }

    fn tell(&mut self, path: &Path, problem: &str) {
        let name = path.strip_prefix(self.current).unwrap_or(path);
        self.problems.insert(format!("{}: {problem}", quoted(name.as_os_str())));
    }
}

/// The absolute name, without `.` and `..`.
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

/// The name of a file relative to a directory above it, with slashes.
fn name(path: &Path, directory: &Path) -> String {
    let name = path.strip_prefix(directory).unwrap_or(path).to_string_lossy();
    match MAIN_SEPARATOR {
        '/' => name.into_owned(),
        separator => name.replace(separator, "/"),
    }
}

/// The encoding of that name, and what the name says of the BOM.
fn encoding(name: &str) -> Result<Encoded, String> {
    let name = Name::parse(name, |_| None).map_err(modes::no_such)?;
    if name.suffixes != Suffixes::default() {
        return Err("no such encoding".to_string());
    }
    let demand = |signed| if signed { Demand::Require } else { Demand::Forbid };
    Ok((name.encoding, name.signed.map(demand)))
}

/// The beginning of a text out of a configuration file, harmless on any terminal.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => one_line(&text[..end]).into_owned() + "...",
        None => one_line(text).into_owned(),
    }
}

#[cfg(test)]
mod tests;
