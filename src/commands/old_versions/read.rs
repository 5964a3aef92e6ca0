//! Reads old versions of files: from another file, a revision of git, or the history.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use utfconv_core::{Encoding, Options, UTF_8, convert};
use utfconv_detect::{Certainty, Hints, differs_from_utf8};
use utfconv_restore::{NotRestored, RestoreOptions, Restored, View, restore, restore_with};

use crate::commands::git::Driver;
use crate::commands::old_versions::{has_marks, is_loss};
use crate::config::{Configuration, Purpose, required};
use crate::files::replace::directory_of;
use crate::files::repository::{History, Listing, Repositories, Wanted, has_commits, temporary};
use crate::files::source::{Input, Opened};
use crate::files::stdio::Patient;
use crate::text::auto::{self, NotFound, Unknown};
use crate::ui::quote::{quoted, with_context};
use crate::ui::threads::lock;

/// Maximum size in bytes of a file to restore, because the file and its old versions are held in memory.
const LARGEST: u64 = 1 << 30;

/// Number of bytes at the start of a file that are checked for UTF-8, to skip binary files early.
const HEAD: u64 = 64 << 10;

/// Maximum number of deleted files that a new file is compared with. Files of the same name are compared first.
const MOST_DELETED: usize = 100;

/// Maximum number of deleted files at which a new file without U+FFFD is compared with them, too.
const FEW_DELETED: usize = 10;

/// Source of old versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// This file is the old version.
    File(PathBuf),
    /// The content at the same path in this revision, or at the path before a rename.
    Revision(OsString),
    /// The content in all commits, the newest first.
    History,
}

/// An old version of a file that is not open yet.
pub enum Version {
    File(PathBuf),
    /// An object of git: the name of the version in messages, the listing of its repository, and the object ID.
    Object(String, Arc<Listing>, String),
}

/// Finds and reads the old versions of files, all from one source.
pub struct OldVersions {
    source: Source,
    /// Content of an unseekable old file, such as a pipe, which can be read only once but is needed for several files.
    stream: Mutex<Option<Vec<u8>>>,
    repositories: Mutex<Repositories>,
    /// Encoding of old versions that the user gave.
    encoding: Option<&'static Encoding>,
    configuration: Option<Arc<Configuration>>,
    /// True if the new versions are files of the work tree, false if they are in the index.
    is_work_tree: bool,
}

/// An old version of a file.
pub struct OldVersion {
    /// Name of the version in messages.
    pub name: String,
    pub content: Vec<u8>,
    /// Encoding of the version; `None` if unknown.
    pub encoding: Option<&'static Encoding>,
    /// Whether the encoding was given on the command line or is configured, and not detected.
    pub is_certain: bool,
    /// Whether the configuration declares that the file is UTF-8 now.
    pub declares_utf8: bool,
    /// Open file with the content.
    pub file: File,
}

impl OldVersion {
    /// Returns the same version with the UTF-8 text `content`; `None` if the file handle cannot be duplicated.
    pub fn as_text(&self, content: Vec<u8>) -> Option<OldVersion> {
        let (name, file) = (self.name.clone(), self.file.try_clone().ok()?);
        Some(OldVersion { name, content, encoding: Some(&UTF_8), file, ..*self })
    }
}

impl OldVersions {
    pub fn new(
        source: Source,
        encoding: Option<&'static Encoding>,
        configuration: Option<Arc<Configuration>>,
        is_work_tree: bool,
    ) -> OldVersions {
        let (stream, repositories) = Default::default();
        OldVersions { source, stream, repositories, encoding, configuration, is_work_tree }
    }

    /// Whether the revision has a file at `path`.
    pub fn has(&self, path: &Path) -> io::Result<bool> {
        let Source::Revision(revision) = &self.source else { return Ok(false) };
        let wanted = Wanted { since: Some(revision.clone()), ..Wanted::default() };
        let (directory, real) = resolved(path)?;
        // An unreadable revision, such as HEAD before the first commit, has no old version.
        let Ok(listing) = lock(&self.repositories).listing(&directory, &wanted) else { return Ok(false) };
        listing.is_in_revision(&real).map_err(io::Error::other)
    }

    /// Returns a clause that says why a file has no old version. The clause follows the file name in messages.
    pub fn absence(&self) -> String {
        let why = match &self.source {
            Source::Revision(revision) => format!("{} does not have this file", quoted(revision)),
            _ => "no commit has this file".to_string(),
        };
        format!("{why}; use --from=OLD with a good copy")
    }

    /// Returns the old versions of the file at `path`, the newest first. For a revision, several versions are deleted
    /// files that may each be the renamed file. `edited` returns the content of the file if it is text.
    pub fn of(&self, path: &Path, edited: impl FnOnce() -> Option<Vec<u8>>) -> io::Result<Vec<Version>> {
        let (revision, wanted) = match &self.source {
            Source::File(old) => return Ok(vec![Version::File(old.clone())]),
            Source::Revision(revision) => {
                (Some(revision), Wanted { since: Some(revision.clone()), ..Wanted::default() })
            }
            Source::History => (None, Wanted { tracked: true, ..Wanted::default() }),
        };
        let (directory, real) = resolved(path)?;
        let listing = match lock(&self.repositories).listing(&directory, &wanted) {
            Ok(listing) => listing,
            // Before the first commit, there is no old version.
            Err(_) if revision.is_some_and(|revision| revision == "HEAD") && !has_commits(&directory) => {
                return Ok(Vec::new());
            }
            Err(why) => return Err(io::Error::other(why)),
        };
        let version =
            |name: String, object: &str| Version::Object(name, Arc::clone(&listing), object.to_string());
        match revision {
            Some(revision) => {
                let version = |object: &str| version(quoted(revision), object);
                match listing.old(&real).map(version) {
                    Some(old) => Ok(vec![old]),
                    None => Ok(self.renamed(listing.deleted(&real), version, path, edited)),
                }
            }
            None => {
                let history = match listing.history(&real) {
                    Err(_) if !has_commits(&directory) => History::default(),
                    history => history.map_err(io::Error::other)?,
                };
                let deleted = |object: &str| version(String::new(), object);
                let renamed = self.renamed(&history.deleted, deleted, path, edited);
                let mut commits = history.versions;
                // If several deleted files fit, the old name is unknown, so none of them is used.
                if let [Version::Object(_, _, object)] = &renamed[..]
                    && let Some((_, name)) = history.deleted.iter().find(|(deleted, _)| deleted == object)
                {
                    let older = listing.versions(&history.before, name).map_err(io::Error::other)?;
                    commits.extend(older.0);
                }
                Ok(commits.iter().map(|(commit, object)| version(commit[..12].to_string(), object)).collect())
            }
        }
    }

    /// Reads a version of the file at `path`. `has_cr` says whether the file has CR, which git may add when it checks
    /// out a version.
    pub fn read(&self, version: &Version, path: &Path, has_cr: bool) -> io::Result<OldVersion> {
        let (name, opened) = match version {
            Version::File(old) if old == Path::new("-") => ("standard input".to_string(), self.open(old)),
            Version::File(old) => (quoted(old), self.open(old)),
            Version::Object(name, listing, object) => (name.clone(), listing.open(object).map(Opened::new)),
        };
        let is_itself = matches!(version, Version::File(old) if old == path);
        let named = |error| if is_itself { error } else { with_context(&error, &name) };
        let mut opened = opened.map_err(named)?;
        let driver = self.driver(version, path)?;
        let (filtered, converted) = match (&driver, version) {
            (Some(driver), Version::Object(_, listing, object)) => {
                filtered(driver, opened.file(), (listing, object), path, has_cr).map_err(named)?
            }
            _ => (None, None),
        };
        let is_filtered = filtered.is_some();
        if let Some(file) = filtered {
            opened = Opened::new(file);
        }
        // The encoding is looked up at the current path of the file, not at the path of the old version.
        let (encoding, is_known) = self.encoding_of(&mut opened, path, converted)?;
        // If the filter refused the version, some bytes are not valid in the encoding.
        let is_certain = is_known && (is_filtered || converted.is_none());
        let content = read_whole(opened.file()).map_err(named)?;
        // With `-f`, files that are UTF-8 already are accepted, as in a conversion.
        let is_utf8 = encoding.is_some_and(differs_from_utf8)
            && !content.is_ascii()
            && str::from_utf8(&content).is_ok();
        let encoding = if is_utf8 && self.encoding.is_some() { Some(&UTF_8) } else { encoding };
        // Even if the filter refused the version, the file now has the encoding of the work tree.
        let declared = driver.as_ref().map(|(driver, _)| driver.checked_out());
        let declared = declared.or_else(|| required(self.configuration.as_deref(), path).encoding);
        let declares_utf8 = declared == Some(&UTF_8);
        let file = opened.into_file();
        let old = OldVersion { name, content, encoding, is_certain, declares_utf8, file };
        match version {
            Version::Object(_, listing, object) if self.is_work_tree && !is_filtered => {
                self.checked_out(old, listing, object, path, has_cr)
            }
            _ => Ok(old),
        }
    }

    /// Returns the encoding in the repository, if `git-filter` converts a version to UTF-8 at checkout.
    pub fn stored_by_filter(&self, version: &Version, path: &Path) -> Option<&'static Encoding> {
        let (driver, _) = self.driver(version, path).ok()??;
        (driver.checked_out() == &UTF_8).then(|| driver.stored())
    }

    /// Returns the `git-filter` command by which git converts a version at checkout; `None` for another filter. Also
    /// returns whether the filter is required, so that git fails if the filter fails.
    fn driver(&self, version: &Version, path: &Path) -> io::Result<Option<(Driver, bool)>> {
        let Version::Object(_, listing, _) = version else { return Ok(None) };
        if !self.is_work_tree {
            return Ok(None);
        }
        let (_, real) = resolved(path)?;
        let filter = listing.filter(&real, |command| Driver::of(command).is_some());
        let driver =
            |(name, command): (String, String)| Some((Driver::of(&command)?, listing.requires_filter(&name)));
        Ok(filter.map_err(io::Error::other)?.and_then(driver))
    }

    /// Returns the name of the filter by which git converts a version, if the filter is another program. Only git runs
    /// such filters.
    pub fn other_filter(&self, version: &Version, path: &Path) -> io::Result<Option<String>> {
        let Version::Object(_, listing, _) = version else { return Ok(None) };
        let filter = listing.filter(&resolved(path)?.1, |command| Driver::of(command).is_none());
        Ok(filter.map_err(io::Error::other)?.map(|(name, _)| name))
    }

    /// Opens a seekable file; an unseekable file is copied first. The copy is kept, because opening a pipe again would
    /// block.
    fn open(&self, old: &Path) -> io::Result<Opened> {
        let mut known = lock(&self.stream);
        if known.is_none() {
            let opened = Input::new(old.into()).open()?;
            if opened.len().is_some() {
                return Ok(opened);
            }
            *known = Some(within_limit(Patient(opened.into_file()))?);
        }
        temporary(|file| file.write_all(known.as_deref().unwrap_or_default())).map(Opened::new)
    }

    /// Converts a version as git does at checkout.
    fn checked_out(
        &self,
        old: OldVersion,
        listing: &Listing,
        object: &str,
        path: &Path,
        has_cr: bool,
    ) -> io::Result<OldVersion> {
        let to = required(self.configuration.as_deref(), path).encoding.filter(|to| differs_from_utf8(to));
        let is_utf8 = !old.content.is_ascii() && str::from_utf8(&old.content).is_ok();
        let to = to.filter(|_| is_utf8);
        let may_get_cr = has_cr && !has_cr_in(&old.content);
        if to.is_none() && !may_get_cr {
            return Ok(old);
        }
        let (_, real) = resolved(path)?;
        let is_converted = to.is_some() && listing.is_converted(&real).map_err(io::Error::other)?;
        let to = to.filter(|_| is_converted);
        let by_git = || listing.checked_out(object, &real);
        let convert_to = |to| convert(&old.content, &UTF_8, to, &Options::default()).ok();
        let content = may_get_cr.then(by_git).transpose().map_err(io::Error::other)?;
        let Some(content) = content.or_else(|| Some(convert_to(to?)?.output)) else { return Ok(old) };
        let file = temporary(|file| file.write_all(&content))?;
        let old = OldVersion { content, file, ..old };
        Ok(match to {
            Some(to) => OldVersion { encoding: Some(to), is_certain: true, ..old },
            None => old,
        })
    }

    /// Returns the deleted files that may be the file at `path` before it was renamed and damaged. There are several if
    /// they would restore different text.
    fn renamed(
        &self,
        deleted: &[(String, PathBuf)],
        version: impl Fn(&str) -> Version,
        path: &Path,
        edited: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Vec<Version> {
        // Any new file may have lost characters, but reading many deleted files for each new file takes long.
        let may_lack = |text: &Vec<u8>| deleted.len() <= FEW_DELETED || has_marks(text);
        let edited = if deleted.is_empty() { None } else { edited().filter(may_lack) };
        let Some(edited) = edited else { return Vec::new() };
        let mut deleted: Vec<_> = deleted.iter().collect();
        deleted.sort_by_key(|(_, name)| name.file_name() != path.file_name());
        let fitting = deleted.into_iter().take(MOST_DELETED).filter_map(|(object, _)| {
            let version = version(object);
            // A version that cannot be read proves nothing.
            let old = self.read(&version, path, has_cr_in(&edited)).ok()?;
            Some((version, fit(&old, &edited)?))
        });
        let mut fitting: Vec<_> = fitting.collect();
        // Prefer deleted files that restore the whole text.
        if fitting.iter().any(|(_, fit)| fit.is_whole) {
            fitting.retain(|(_, fit)| fit.is_whole);
        }
        let mut known = HashSet::new();
        fitting.retain(|(_, fit)| known.insert(fit.result.clone()));
        fitting.into_iter().map(|(version, _)| version).collect()
    }

    /// Reads the newest old version of the file at `path`; `None` if there is none. `edited` returns the content of the
    /// file if it is text.
    pub fn newest(
        &self,
        path: &Path,
        edited: impl FnOnce() -> Option<Vec<u8>>,
    ) -> io::Result<Option<OldVersion>> {
        self.of(path, edited)?.first().map(|version| self.read(version, path, false)).transpose()
    }

    /// Returns the encoding that the user gave, else the encoding `converted` from a filter, else the encoding that is
    /// configured, declared or detected as at least likely. A file that is detected as UTF-8 with errors is UTF-8, even
    /// if that is a guess. Also returns whether the encoding is certain, because it was given or configured.
    fn encoding_of(
        &self,
        opened: &mut Opened,
        path: &Path,
        converted: Option<&'static Encoding>,
    ) -> io::Result<(Option<&'static Encoding>, bool)> {
        if let Some(known) = self.encoding.or(converted) {
            return Ok((Some(known), true));
        }
        let required = required(self.configuration.as_deref(), path).encoding;
        let found =
            match auto::find(opened, path.as_os_str(), &Hints::default(), required, Certainty::Likely)? {
                Ok(found) => Some(found),
                Err(NotFound { cause: Unknown::Guess(guess), .. }) if guess.name == UTF_8.name() => {
                    Some(&UTF_8)
                }
                Err(_) => None,
            };
        Ok((found, found.is_some() && found == required))
    }
}

/// Filters a version as git does at checkout. Returns the filtered file, or `None` if the content stays; and the
/// encoding, or `None` if the filter does not determine the encoding.
fn filtered(
    (driver, is_required): &(Driver, bool),
    stored: &File,
    (listing, object): (&Listing, &str),
    path: &Path,
    has_cr: bool,
) -> io::Result<(Option<File>, Option<&'static Encoding>)> {
    let content = read_whole(stored)?;
    // Rewind, because the encoding may be detected from this file.
    io::Seek::rewind(&mut &*stored)?;
    let (_, real) = resolved(path)?;
    let by_git = || listing.checked_out(object, &real);
    let with_cr = (has_cr && !has_cr_in(&content)).then(by_git).transpose().map_err(io::Error::other)?;
    match driver.check_out(&with_cr.unwrap_or(content)) {
        Ok((content, true)) => {
            Ok((Some(temporary(|file| file.write_all(&content))?), Some(driver.checked_out())))
        }
        Ok((_, false)) => Ok((None, None)),
        Err(why) if *is_required => Err(io::Error::other(format!("git-filter: {why}"))),
        // If an optional filter fails, git checks out the stored content.
        Err(_) => Ok((None, Some(driver.stored()))),
    }
}

/// Returns the nearest existing directory above `path`, without symbolic links, and the canonical path in that
/// directory. Parents may be missing, because a staged file can be removed with its directories.
fn resolved(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let above = directory_of(path);
    let (directory, real) = match above.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound && above != Path::new(".") => resolved(above)?,
        directory => {
            let directory = directory?;
            (directory.clone(), directory)
        }
    };
    Ok((directory, real.join(path.file_name().unwrap_or_default())))
}

/// Returns the configuration of the project, for the encodings of its files.
pub fn project_configuration() -> Option<Arc<Configuration>> {
    let current = std::env::current_dir().ok()?;
    Some(Arc::new(Configuration::new(&current, Purpose::Convert, |_, _| Ok(()))))
}

/// The new version of a file, which is read when its content is first needed.
pub struct NewVersion<'a> {
    file: &'a File,
    content: OnceCell<Vec<u8>>,
}

impl<'a> NewVersion<'a> {
    pub fn new(file: &'a File) -> NewVersion<'a> {
        NewVersion { file, content: OnceCell::new() }
    }

    pub fn content(&self) -> io::Result<&[u8]> {
        match self.content.get() {
            Some(content) => Ok(content),
            None => {
                let content = read_whole(self.file)?;
                Ok(self.content.get_or_init(|| content))
            }
        }
    }

    /// Returns the content if it may be UTF-8 text and is not too large.
    pub fn text(&self) -> Option<Vec<u8>> {
        self.starts_as_utf8().ok().filter(|is_utf8| *is_utf8)?;
        self.content().ok().map(<[u8]>::to_vec)
    }

    /// Whether the first bytes of the file are UTF-8. A sequence may be cut off at the end.
    pub fn starts_as_utf8(&self) -> io::Result<bool> {
        let mut head = Vec::new();
        io::Seek::rewind(&mut &*self.file)?;
        self.file.take(HEAD).read_to_end(&mut head)?;
        Ok(str::from_utf8(&head).map_or_else(|error| error.error_len().is_none(), |_| true))
    }
}

/// The text that a deleted file would restore.
struct Fit {
    /// Whether the content of all positions is proven.
    is_whole: bool,
    /// The restored text, or the old version if only a part is proven.
    result: Vec<u8>,
}

/// Returns how `old` restores `edited`, if `edited` is plainly a damaged version of it. The proof must be strong,
/// because nothing else says that both are the same file.
fn fit(old: &OldVersion, edited: &[u8]) -> Option<Fit> {
    if old.content.is_ascii() || !are_alike(&old.content, edited) {
        return None;
    }
    match restore(&old.content, old.encoding, edited) {
        Ok(Restored { view, lines, output, .. }) => {
            let is_damage = view != View::Exact && !lines.is_empty() && is_loss(view, &lines, old);
            is_damage.then_some(Fit { is_whole: true, result: output })
        }
        Err(NotRestored::Places { view, places, proven, .. }) => {
            let is_damage = view != View::Exact && proven.len() > places.len();
            is_damage.then(|| Fit { is_whole: false, result: old.content.clone() })
        }
        Err(NotRestored::Unnamed { view, lines }) if lines.len() > 1 => {
            let named = RestoreOptions::default().damage(view.damage()?);
            let restored = restore_with(&old.content, old.encoding, edited, &named).ok()?;
            Some(Fit { is_whole: true, result: restored.output })
        }
        _ => None,
    }
}

/// Whether at least half of the lines of `other`, or all but one line, are in `one`. Only ASCII characters other than
/// `?` are compared, because damage changes the others.
fn are_alike(one: &[u8], other: &[u8]) -> bool {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let is_kept = |byte: &u8| byte.is_ascii_graphic() && *byte != b'?';
        let ascii = |line: &[u8]| line.iter().copied().filter(is_kept).collect::<Vec<_>>();
        text.split(|byte| *byte == b'\n').map(ascii).filter(|line| !line.is_empty()).collect()
    };
    let known: HashSet<_> = lines(one).into_iter().collect();
    let lines = lines(other);
    let others = lines.iter().filter(|line| !known.contains(*line)).count();
    others * 2 <= lines.len() || others == 1
}

pub fn has_cr_in(text: &[u8]) -> bool {
    memchr::memchr(b'\r', text).is_some()
}

/// Reads a whole file from the start.
pub fn read_whole(file: &File) -> io::Result<Vec<u8>> {
    io::Seek::rewind(&mut &*file)?;
    if file.metadata()?.len() > LARGEST { Err(too_large()) } else { within_limit(file) }
}

/// Reads the rest of `source`. Fails if the content is larger than the limit.
fn within_limit(source: impl Read) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    if source.take(LARGEST + 1).read_to_end(&mut content)? as u64 > LARGEST {
        Err(too_large())
    } else {
        Ok(content)
    }
}

fn too_large() -> io::Error {
    io::Error::other("more than 1 GiB; it would be held in memory")
}
