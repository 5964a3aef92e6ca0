//! Problems of configuration files, with their positions.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use utfconv_core::Position;

use crate::ui::quote::quoted;

/// Maximum number of problems of a file that are reported.
const MOST_REPORTED: usize = 8;

/// The part of a file that has a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    File,
    Line(u64),
    Position(Position),
}

/// A problem in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    pub place: Place,
    pub text: String,
}

impl Problem {
    pub fn of_file(text: impl Into<String>) -> Problem {
        Problem { place: Place::File, text: text.into() }
    }

    pub fn of_line(line: u64, text: impl Into<String>) -> Problem {
        Problem { place: Place::Line(line), text: text.into() }
    }
}

/// Formats the problem to follow the name of the file in a message.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = &self.text;
        match self.place {
            Place::File => write!(f, ": {text}"),
            Place::Line(line) => write!(f, ": line {line}: {text}"),
            Place::Position(at) => write!(f, ":{}:{}: {text}", at.line(), at.column()),
        }
    }
}

/// The problems of several files, sorted by name. Each is reported once, even if a directory was read under several
/// names.
#[derive(Debug, Default)]
pub struct Problems(BTreeSet<(String, Problem)>);

impl Problems {
    /// Adds a problem of the file at `path`. The file is named relative to the directory `current`.
    pub fn add(&mut self, current: &Path, path: &Path, problem: Problem) {
        let name = path.strip_prefix(current).unwrap_or(path);
        self.0.insert((quoted(name), problem));
    }

    /// Returns a text for each problem in the files whose names are `wanted`, sorted. Of a file with many problems,
    /// only the first are returned.
    pub fn texts(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let all: Vec<_> = self.0.iter().filter(|(name, _)| wanted(name)).collect();
        let mut texts = Vec::new();
        for of_file in all.chunk_by(|(one, _), (other, _)| one == other) {
            let shown = of_file.iter().take(MOST_REPORTED);
            texts.extend(shown.map(|(name, problem)| format!("{name}{problem}")));
            if let (more @ 1.., Some(last)) = (of_file.len().saturating_sub(MOST_REPORTED), texts.last_mut())
            {
                *last += &format!(" (and {more} more problems)");
            }
        }
        texts
    }
}
