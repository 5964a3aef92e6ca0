//! Patterns of the command line that select files in directories.

use std::ffi::OsStr;
use std::path::Path;

use crate::files::glob::Syntax;
use crate::files::patterns::{Decision, Pattern, Patterns};

/// The values of `--include` and `--exclude`. Patterns have the syntax of .gitignore, with braces, and are relative to
/// the directory that was named. A pattern without a slash matches names at any depth.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    /// The patterns of `--include`. If there are any, a file has to match at least one of them.
    include: Patterns,
    exclude: Patterns,
}

impl Globs {
    /// Parses the patterns. Fails for an invalid pattern.
    pub fn new(include: &[String], exclude: &[String]) -> Result<Globs, String> {
        let read = |option: &str, globs| {
            patterns(globs).map_err(|(glob, why)| format!("--{option}: invalid pattern '{glob}': {why}"))
        };
        Ok(Globs { include: read("include", include)?, exclude: read("exclude", exclude)? })
    }

    /// Creates globs that select the files that match. Fails with the reason if a pattern is invalid.
    pub fn including(globs: &[String]) -> Result<Globs, String> {
        let include = patterns(globs).map_err(|(_, why)| why)?;
        Ok(Globs { include, ..Globs::default() })
    }

    /// Creates globs that select the files that do not match. Invalid patterns are ignored.
    pub fn excluding(globs: &[String]) -> Globs {
        Globs { exclude: patterns(globs).unwrap_or_default(), ..Globs::default() }
    }

    pub fn has_include(&self) -> bool {
        !self.include.is_empty()
    }

    /// Whether `--include` has a pattern for paths below the named directory.
    pub fn includes_paths(&self) -> bool {
        self.include.have_paths()
    }

    pub fn has_exclude(&self) -> bool {
        !self.exclude.is_empty()
    }

    /// Whether an entry is left out. `directory` is its directory, relative to the named directory.
    pub fn leave_out(&self, directory: &Path, name: &OsStr, is_directory: bool) -> bool {
        if !self.has_include() && !self.has_exclude() {
            return false;
        }
        let path = directory.join(name);
        let matches = Some(Decision::Match);
        let is_included =
            || !self.has_include() || self.include.decide_with_parents(&path, is_directory) == matches;
        self.exclude.decide(&path, is_directory) == matches || !is_directory && !is_included()
    }
}

/// Parses patterns. Fails with the first invalid pattern and the reason.
fn patterns(globs: &[String]) -> Result<Patterns, (String, String)> {
    let syntax = Syntax { has_braces: true, ..Syntax::default() };
    let mut list = Vec::new();
    for glob in globs {
        if glob.is_empty() {
            return Err((glob.clone(), "expected a pattern".to_string()));
        }
        // A pattern that begins with `#` would be a comment in a file.
        let line = if glob.starts_with('#') { format!("\\{glob}") } else { glob.clone() };
        list.extend(Pattern::of_line(line.as_bytes(), syntax).map_err(|why| (glob.clone(), why))?);
    }
    Ok(Patterns::new(Path::new(""), list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts() {
        for (include, exclude, path, counts) in [
            (&[][..], &[][..], "a.txt", true),
            (&["*.txt"], &[], "a.txt", true),
            (&["*.txt"], &[], "b/c/a.txt", true),
            (&["*.txt"], &[], "a.md", false),
            (&["*.txt", "*.md"], &[], "a.md", true),
            (&["/*.txt"], &[], "b/a.txt", false),
            (&["docs/"], &[], "docs/b/a.txt", true),
            (&["docs/"], &[], "src/a.txt", false),
            (&["docs/**/*.txt"], &[], "docs/b/a.txt", true),
            (&["*.txt"], &["a*"], "a.txt", false),
            (&[], &["*.txt", "!a.txt"], "a.txt", true),
            (&["#x"], &[], "#x", true),
            (&["*.{htm,html}"], &[], "a.html", true),
        ] {
            let owned = |list: &[&str]| list.iter().map(|one| one.to_string()).collect::<Vec<_>>();
            let globs = Globs::new(&owned(include), &owned(exclude)).expect("patterns");
            let path = Path::new(path);
            let (directory, name) = (path.parent().expect("one"), path.file_name().expect("one"));
            assert_eq!(!globs.leave_out(directory, name, false), counts, "{include:?} {exclude:?} {path:?}");
        }
        for invalid in ["{a", "[", "a[b", "a\\", "[z-a]", ""] {
            assert!(Globs::new(&[invalid.to_string()], &[]).is_err(), "{invalid}");
        }
        let globs = Globs::new(&["*.txt".to_string()], &["build".to_string()]).expect("patterns");
        let leaves_out = |name: &str| globs.leave_out(Path::new("a"), OsStr::new(name), true);
        assert!(leaves_out("build") && !leaves_out("docs"), "directories are included by what is in them");
    }
}
