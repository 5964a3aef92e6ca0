//! Patterns of `.gitignore` and similar files, and their decisions about files.
//!
//! Specified in gitignore(5). A later pattern takes precedence, and a path is matched relative to the directory of the
//! list.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::glob::{Glob, Syntax};
use super::paths::with_slashes;
use super::small_text::bytes_of;
use crate::ui::quote::quoted;

/// A pattern for files and directories.
#[derive(Clone, Debug)]
pub struct Pattern {
    glob: Glob,
    /// Whether the pattern is for the last component of a path rather than for the whole path.
    is_of_name: bool,
    is_negative: bool,
    is_of_directories: bool,
}

/// The decision of a list of patterns about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The last pattern that matches the file has no `!`.
    Match,
    /// The last pattern that matches the file begins with `!`.
    Except,
}

/// A list of patterns, which match paths relative to `root`.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    root: PathBuf,
    list: Vec<Pattern>,
}

impl Pattern {
    /// Parses a line of a file. Returns `None` if the line has no pattern.
    pub fn of_line(line: &[u8], syntax: Syntax) -> Result<Option<Pattern>, String> {
        let line = trimmed(line.strip_suffix(b"\r").unwrap_or(line));
        if line.is_empty() || line.starts_with(b"#") {
            return Ok(None);
        }
        let negated = line.strip_prefix(b"!");
        let pattern = Pattern::new(negated.unwrap_or(line), syntax)?;
        Ok(Some(Pattern { is_negative: negated.is_some(), ..pattern }))
    }

    /// Parses a pattern without comments and trailing spaces.
    pub fn new(pattern: &[u8], syntax: Syntax) -> Result<Pattern, String> {
        let rooted = pattern.strip_prefix(b"/");
        let pattern = rooted.unwrap_or(pattern);
        let of_directories = pattern.strip_suffix(b"/");
        // A backslash before the last slash has no effect.
        let pattern = of_directories.map_or(pattern, |rest| rest.strip_suffix(b"\\").unwrap_or(rest));
        // A pattern without a slash, or with a slash only after `**`, is for names at any depth.
        let name = pattern.strip_prefix(b"**/").unwrap_or(if rooted.is_some() { b"" } else { pattern });
        let is_of_name = !name.is_empty() && name != b"**" && !name.contains(&b'/');
        let glob = match pattern {
            _ if is_of_name => Glob::new(name, syntax)?,
            // `/**` at the end matches the contents of a directory, but not the directory.
            _ if pattern.ends_with(b"/**") => Glob::new(&[pattern, b"/*"].concat(), syntax)?,
            _ => Glob::new(pattern, syntax)?,
        };
        let is_of_directories = of_directories.is_some();
        Ok(Pattern { glob, is_of_name, is_negative: false, is_of_directories })
    }

    /// Whether the pattern matches a path, with slashes, relative to the directory of the list.
    pub fn matches(&self, path: &[u8], is_directory: bool) -> bool {
        if self.is_of_directories && !is_directory {
            return false;
        }
        let start =
            if self.is_of_name { memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1) } else { 0 };
        self.glob.matches(&path[start..])
    }
}

impl Patterns {
    pub fn new(root: &Path, list: Vec<Pattern>) -> Patterns {
        Patterns { root: root.to_path_buf(), list }
    }

    /// Reads a file of patterns for `root`. Returns an empty list if the file cannot be opened. Errors in the file are
    /// reported.
    pub fn read(root: &Path, file: &Path, report: &mut impl FnMut(String)) -> Patterns {
        let bytes = File::open(file).map(bytes_of).unwrap_or_else(|_| Ok(Vec::new()));
        let bytes = bytes.unwrap_or_else(|why| {
            report(format!("{}: {why}; its patterns are not used", quoted(file)));
            Vec::new()
        });
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let mut list = Vec::new();
        for (number, line) in (1..).zip(text.split(|byte| *byte == b'\n')) {
            match Pattern::of_line(line, Syntax::default()) {
                Ok(pattern) => list.extend(pattern),
                Err(why) => report(format!("{}: line {number}: {why}", file.display())),
            }
        }
        Patterns::new(root, list)
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether a pattern is for paths rather than for names at any depth.
    pub fn have_paths(&self) -> bool {
        self.list.iter().any(|pattern| !pattern.is_of_name)
    }

    /// Returns the decision of the last pattern that matches a path.
    pub fn decide(&self, path: &Path, is_directory: bool) -> Option<Decision> {
        if self.is_empty() {
            return None;
        }
        self.decide_below(self.below(&with_slashes(path)), is_directory)
    }

    /// Returns the decision of the last pattern that matches a path or, if there is none, the decision for the
    /// directories above it.
    pub fn decide_with_parents(&self, path: &Path, is_directory: bool) -> Option<Decision> {
        let path = with_slashes(path);
        let mut path = self.below(&path);
        let mut decision = self.decide_below(path, is_directory);
        while decision.is_none() && !path.is_empty() {
            path = &path[..memchr::memrchr(b'/', path).unwrap_or(0)];
            decision = self.decide_below(path, true);
        }
        decision
    }

    fn decide_below(&self, path: &[u8], is_directory: bool) -> Option<Decision> {
        let last = self.list.iter().rev().find(|pattern| pattern.matches(path, is_directory));
        last.map(|pattern| if pattern.is_negative { Decision::Except } else { Decision::Match })
    }

    /// Returns the path relative to the root of the list.
    fn below<'a>(&self, path: &'a [u8]) -> &'a [u8] {
        let path = path.strip_prefix(b"./").unwrap_or(path);
        let root = with_slashes(&self.root);
        let below = path.strip_prefix(&root[..]).unwrap_or(path);
        match below.strip_prefix(b"/") {
            Some(below) => below,
            None if root.ends_with(b"/") => below,
            None => path,
        }
    }
}

/// Returns a line without trailing spaces, except an escaped space. Other whitespace is kept, as in git.
fn trimmed(line: &[u8]) -> &[u8] {
    let (mut at, mut end) = (0, 0);
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            end = at;
        }
    }
    &line[..end.min(line.len())]
}

#[cfg(test)]
mod tests {
    use ignore::Match;
    use ignore::gitignore::GitignoreBuilder;

    use super::*;
    use crate::testkit::Random;

    fn decide(lines: &[&str], path: &str, is_directory: bool) -> Option<Decision> {
        let list = lines.iter().map(|line| Pattern::of_line(line.as_bytes(), Syntax::default()));
        let list = list.filter_map(|pattern| pattern.expect("a pattern")).collect();
        Patterns::new(Path::new("/r"), list).decide(Path::new(path), is_directory)
    }

    #[test]
    fn decisions_are_gits() {
        let (matches, except) = (Some(Decision::Match), Some(Decision::Except));
        for (lines, path, expected) in [
            (&["*.o"][..], "/r/a/b.o", matches),
            (&["*.o", "!b.o"], "/r/a/b.o", except),
            (&["!b.o", "*.o"], "/r/a/b.o", matches),
            (&["# a", "", "  "], "/r/# a", None),
            (&["\\#a", "\\!b"], "/r/!b", matches),
            (&["a\\ "], "/r/a ", matches),
            (&["a "], "/r/a", matches),
            (&["a  \r"], "/r/a", matches),
            (&["a\\   "], "/r/a ", matches),
            (&["a\\\\ "], "/r/a\\", matches),
            (&["a\t"], "/r/a", None),
            (&["a\t "], "/r/a\t", matches),
            (&["/a"], "/r/b/a", None),
            (&["b/a"], "/r/c/b/a", None),
            (&["a/"], "/r/a", None),
            (&["a/**"], "/r/a", None),
            (&["a/**"], "/r/a/b/c", matches),
            (&["a/**/b"], "/r/a/b", matches),
            (&["a/**/b"], "/r/a/c/d/b", matches),
            (&["**/a/b"], "/r/c/a/b", matches),
            (&["a*b"], "/r/a/b", None),
            (&["[!x]"], "/r/a/b", matches),
            (&["a[!x]b"], "/r/a/b", None),
            (&["[a\\]]"], "/r/]", matches),
            (&["[[:alpha:]_]"], "/r/b", matches),
            (&["[[:alpha:]_]"], "/r/1", None),
            (&["[![:space:][:punct:]]"], "/r/-", None),
            (&["[[:upper:]-a]"], "/r/-", matches),
            (&["[[:a]"], "/r/:", matches),
            (&["[[a:]"], "/r/[", matches),
            (&["*.{o,x}"], "/r/a.o", None),
            (&["*.{o,x}"], "/r/a.{o,x}", matches),
        ] {
            assert_eq!(decide(lines, path, false), expected, "{lines:?} {path}");
        }
        assert_eq!(decide(&["a/"], "/r/a", true), matches);
        for invalid in ["a[", "a\\", "[b-a]", "[a\\", "[[:a:]]", "[[:alpha:]"] {
            assert!(Pattern::of_line(invalid.as_bytes(), Syntax::default()).is_err(), "{invalid}");
        }
    }

    /// Compares the decisions for random patterns and paths with those of the crate `ignore`.
    #[test]
    fn decisions_are_those_of_another_implementation() {
        const PARTS: &[&str] = &[
            "a",
            "b",
            "a",
            "b",
            "c.d",
            "/",
            "/",
            "*",
            "*",
            "**",
            "**/",
            "/**/",
            "?",
            "[ab]",
            "[!/a]",
            "[]b-d-]",
            "\\*",
            "{a,b}",
            "{a*,**/b,}",
            "{",
            "}",
            ",",
            "!",
            "é",
            "[",
            " ",
            ".",
        ];
        const NAMES: &[&str] = &["a", "b", "ab", "ba", "c.d", "a*", "é", ".", "-", "abc.d", "/", "/"];
        let mut random = Random(11);
        let texts = |random: &mut Random, parts: &[&str], most: usize| -> String {
            (0..1 + random.below(most)).map(|_| random.one(parts).to_string()).collect()
        };
        let (mut decided, mut refused) = (0, 0);
        for ignores_case in [false, true] {
            let syntax = Syntax { has_braces: true, ignores_case };
            for _ in 0..1_500 {
                let lines = (0..1 + random.below(3)).map(|_| texts(&mut random, PARTS, 6));
                // The crate `ignore` takes an empty pattern to match everything, but git takes it to match nothing.
                let lines: Vec<_> =
                    lines.filter(|line| !line.trim_matches(['!', '/', ' ']).is_empty()).collect();
                let mut builder = GitignoreBuilder::new("");
                builder.allow_unclosed_class(false).case_insensitive(ignores_case).expect("no error");
                let mut list = Vec::new();
                for line in &lines {
                    let expected = builder.add_line(None, line).is_ok();
                    let read = Pattern::of_line(line.as_bytes(), syntax);
                    assert_eq!(read.is_ok(), expected, "{line:?}: {read:?}");
                    refused += u32::from(!expected);
                    list.extend(read.ok().flatten());
                }
                let (patterns, other) =
                    (Patterns::new(Path::new(""), list), builder.build().expect("patterns"));
                for _ in 0..8 {
                    let path = texts(&mut random, NAMES, 6);
                    let path = path
                        .split('/')
                        .filter(|part| !matches!(*part, "" | "."))
                        .collect::<Vec<_>>()
                        .join("/");
                    let path = PathBuf::from(if ignores_case { path.to_uppercase() } else { path });
                    let is_directory = random.below(2) == 0;
                    let of = |found: Match<_>| match found {
                        Match::None => None,
                        Match::Ignore(_) => Some(Decision::Match),
                        Match::Whitelist(_) => Some(Decision::Except),
                    };
                    let expected = of(other.matched(&path, is_directory));
                    assert_eq!(patterns.decide(&path, is_directory), expected, "{lines:?} {path:?}");
                    let expected = of(other.matched_path_or_any_parents(&path, is_directory));
                    assert_eq!(
                        patterns.decide_with_parents(&path, is_directory),
                        expected,
                        "{lines:?} {path:?}"
                    );
                    decided += u32::from(expected.is_some());
                }
            }
        }
        assert!(decided > 1_000 && refused > 100, "{decided} {refused}");
    }

    /// The time is not exponential in the length of the pattern.
    #[test]
    fn hostile_patterns_take_no_time() {
        let syntax = Syntax { has_braces: true, ..Syntax::default() };
        let name = "a".repeat(300);
        for pattern in ["*a".repeat(100) + "b?", "{*,*}".repeat(100) + "[b]", "**/*".repeat(50) + "[b]"] {
            let glob = Glob::new(pattern.as_bytes(), syntax).expect("a pattern");
            assert!(!glob.matches(name.as_bytes()), "{pattern}");
        }
        assert!(Glob::new("{".repeat(100_000).as_bytes(), syntax).is_err());
    }
}
