//! The UTF-8 copies that the program edits, in a directory that only the user can read.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use utfconv_core::{Encoding, US_ASCII, UTF_8};
use utfconv_restore::{Damage, Mark, NotRestored, Per, Restored, View, restore, view};

use crate::commands::old_versions::{OldVersion, OldVersions, in_smaller, read_whole};
use crate::files::open_directory::OpenDirectory;
use crate::text::detected::declared_by;
use crate::ui::quote::{as_argument, quoted, reason};

/// The environment variable that names the directory of temporary files.
const VARIABLE: &str = if cfg!(windows) { "TMP" } else { "TMPDIR" };

/// The directory of the copies.
pub struct Copies(PathBuf);

/// A copy of a file to edit.
pub struct Copy {
    /// The path of the copy.
    pub path: PathBuf,
    /// The content and the encoding of the file.
    pub original: OldVersion,
    /// The text of the copy before the program edited it.
    pub text: Vec<u8>,
}

impl Copy {
    /// Returns the copy as the program left it. A link or a pipe in its place is neither followed nor waited for.
    pub fn edited(&self) -> io::Result<Vec<u8>> {
        let not_regular = || io::Error::other("it is no longer a regular file");
        if !fs::symlink_metadata(&self.path)?.is_file() {
            return Err(not_regular());
        }
        let (Some(directory), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return Err(not_regular());
        };
        let file = OpenDirectory::open(directory)?.open_file(name)?;
        if file.metadata()?.is_file() { read_whole(&file) } else { Err(not_regular()) }
    }

    /// Returns the view in which the program saw the copy, if it lost characters in several lines and left no U+FFFD
    /// for them.
    pub fn loss(&self, edited: &[u8]) -> Option<View> {
        let view = |text, encoding| match restore(text, encoding, edited) {
            Ok(Restored { view, lines, .. }) => Some((view, lines.len())),
            Err(NotRestored::Places { view, proven, places, .. }) if proven.len() > places.len() => {
                Some((view, proven.len()))
            }
            Err(NotRestored::Unnamed { view, lines }) => Some((view, lines.len())),
            _ => None,
        };
        let is_loss = |(view, lines): &(View, usize)| match view {
            View::Lossy(..) => view.damage().is_some() && *lines > 1,
            View::Misread(_) | View::MisreadLossy(..) => *lines > 0,
            _ => false,
        };
        let seen = view(&self.text, Some(&UTF_8)).filter(is_loss);
        // Dropped text is recognized only if the program read the original encoding.
        let omitted = |(view, _): &(View, usize)| view.damage() == Some(Damage::Dropped);
        let left_out =
            || view(&self.original.content, self.original.encoding).filter(omitted).filter(is_loss);
        let seen = seen.or_else(left_out).map(|(view, _)| view);
        seen.or_else(|| {
            is_left_in_ascii(&self.text, edited).then_some(View::Lossy(Mark::Omitted, Per::Character))
        })
    }

    /// Whether the program changed the copy.
    pub fn is_edited(&self) -> bool {
        self.edited().map_or_else(|_| self.is_there(), |edited| edited != self.text)
    }

    /// Whether a file or link at the path of the copy exists.
    pub fn is_there(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok()
    }
}

/// Whether the program removed all non-ASCII characters from at least two lines that had most of the non-ASCII bytes.
fn is_left_in_ascii(text: &[u8], edited: &[u8]) -> bool {
    let lines = |text| <[u8]>::split(text, |byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut left: HashMap<Vec<u8>, usize> = HashMap::new();
    lines(edited).for_each(|line| *left.entry(line.to_vec()).or_default() += 1);
    let mut take = |line: &[u8]| match left.get_mut(line) {
        Some(count @ 1..) => {
            *count -= 1;
            true
        }
        _ => false,
    };
    let changed: Vec<_> = lines(text).filter(|line| !take(line)).collect();
    let ascii = |line: &[u8]| line.iter().copied().filter(u8::is_ascii).collect::<Vec<_>>();
    let is_stripped = |line: &&[u8]| !line.is_ascii() && take(ascii(line).trim_ascii());
    let stripped: Vec<_> = changed.into_iter().filter(is_stripped).collect();
    let others = |text: &[u8]| text.iter().filter(|byte| !byte.is_ascii()).count();
    stripped.len() > 1 && 2 * stripped.iter().map(|line| others(line)).sum::<usize>() > others(text)
}

/// Returns the encoding for new text in a file that is only ASCII so far: the configured or declared encoding, or else
/// UTF-8.
fn extending_ascii(content: &[u8], path: &Path, configured: Option<&'static Encoding>) -> &'static Encoding {
    let declared = declared_by(content, path.as_os_str());
    let has_ascii = |encoding: &&'static Encoding| view(content, encoding, View::Exact).as_bytes() == content;
    [configured, declared].into_iter().flatten().find(has_ascii).unwrap_or(&UTF_8)
}

/// Returns a builder for directories that no other user can read, on systems with modes.
fn private() -> DirBuilder {
    #[cfg(unix)]
    {
        let mut builder = DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
    }
    #[cfg(not(unix))]
    DirBuilder::new()
}

impl Copies {
    /// Creates the directory below that of temporary files. Fails with a message.
    pub fn new() -> Result<Copies, String> {
        let (builder, parent) = (private(), std::env::temp_dir());
        let mut number = u64::from(std::process::id());
        loop {
            let path = parent.join(format!("utfconv-edit-{number:x}"));
            match builder.create(&path) {
                Ok(()) => return Ok(Copies(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1 << 32,
                Err(error) => {
                    let (parent, why) = (quoted(parent), reason(&error));
                    return Err(format!(
                        "{parent}: cannot hold the copies: {why}; set {VARIABLE} to another directory"
                    ));
                }
            }
        }
    }

    /// Creates a copy of the file at `path`, with the same name.
    pub fn add(
        &self,
        number: usize,
        path: &Path,
        originals: &OldVersions,
        configured: Option<&'static Encoding>,
    ) -> io::Result<Copy> {
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::Error::other("Is a directory; name the files in it"));
        }
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let detect = format!("utfconv detect {}", as_argument(path));
        let unknown =
            || io::Error::other(format!("its encoding is not known; use -f to name it (see '{detect}')"));
        let original = in_smaller(originals.newest(path, || None)?.ok_or_else(unknown)?, path);
        let mut encoding = original.encoding.ok_or_else(unknown)?;
        if encoding == &US_ASCII && !original.is_certain {
            encoding = extending_ascii(&original.content, path, configured);
        }
        let original = OldVersion { encoding: Some(encoding), ..original };
        let text = view(&original.content, encoding, View::Exact).into_bytes();
        if text.contains(&0) {
            return Err(io::Error::other("it is binary: it has a NUL"));
        }
        let name = path.file_name().unwrap_or(OsStr::new("file"));
        let mut place = self.0.join(name);
        if place.exists() {
            // Another copy has the same name, so a subdirectory is used.
            let directory = self.0.join(number.to_string());
            fs::create_dir(&directory)?;
            place = directory.join(name);
        }
        fs::write(&place, &text)?;
        Ok(Copy { path: place, original, text })
    }

    /// Removes all copies except those in `kept`.
    pub fn remove(self, kept: &[&Path]) {
        if kept.is_empty() {
            let _ = fs::remove_dir_all(&self.0);
            return;
        }
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if !kept.iter().any(|kept| kept.starts_with(&path)) {
                let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
            }
        }
    }
}
