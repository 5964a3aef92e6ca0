//! The rule `declaration`: compares the encoding that a file declares with its actual encoding.

use std::fs::File;
use std::io;

use utfconv_core::{Encoding, Position};
use utfconv_declare::{Declaration, Meaning, find};

use super::report::{FileResult, Finding, Findings};
use super::rules::Rule;
use super::subject::Subject;
use super::verdict;
use crate::files::ends::FileHeadAndTail;
use crate::files::feeder::Feeder;
use crate::files::ranges::Reading;
use crate::files::stdio::is_ascii;
use crate::ui::excerpt::Excerpt;
use crate::ui::quote::declares;

/// The parts of a file that may have declarations, read before the check.
pub struct DeclaringFile {
    name: String,
    /// Head and tail of the file; the head is the whole file if the window holds the whole file.
    ends: FileHeadAndTail,
    /// The file, if it is longer than the window and readable at any offset.
    file: Option<File>,
    /// True if the head is the whole file.
    is_all: bool,
}

impl DeclaringFile {
    /// Reads the head and the tail of the file. The window must have been filled.
    pub fn read(Subject { target, window, .. }: &mut Subject) -> io::Result<DeclaringFile> {
        let end = window.end_of_file(target)?.filter(|_| !window.is_ended());
        let is_all = window.is_ended();
        let file = end.map(|_| window.borrow().0.try_clone()).transpose()?;
        let ends = match (end, &file) {
            (Some(end), Some(file)) => FileHeadAndTail::read(file, &(0..end))?,
            _ if is_all => FileHeadAndTail::of(window.rest()),
            _ => FileHeadAndTail::head(window.rest()),
        };
        let name = target.key().name.to_string_lossy().into_owned();
        Ok(DeclaringFile { name, ends, file, is_all })
    }

    /// Adds the declarations that contradict the encoding to `outcome`. Unless the encoding is required by an option
    /// or the configuration, declarations in ill-formed files are ignored, and ASCII text agrees with all encodings
    /// that extend ASCII.
    pub fn check(
        self,
        outcome: Option<FileResult>,
        subject: &Subject,
        is_required: bool,
    ) -> io::Result<Option<FileResult>> {
        let Subject { settings, reading, .. } = subject;
        if outcome.as_ref().is_some_and(FileResult::is_unchecked) {
            return Ok(outcome);
        }
        let mut findings = Findings::of(outcome, settings.max_listed);
        let is_ill_formed =
            [Rule::IllFormed, Rule::WrongEncoding].iter().any(|rule| findings.counts.contains_key(rule));
        let mut found = find(&self.ends.head_and_tail(), reading.named, Some(&self.name));
        found.retain(|one| !one.agrees_with(reading.named, false));
        if !is_required && !found.is_empty() {
            let is_ascii = !is_ill_formed && reading.named.is_ascii_compatible() && self.is_ascii()?;
            let is_known_elsewhere = |one: &Declaration| Encoding::unsupported(one.label()).is_some();
            let is_true = |one: &Declaration| one.agrees_with(reading.named, is_ascii);
            found.retain(|one| !(is_ill_formed || is_true(one) || is_ascii && is_known_elsewhere(one)));
        }
        for one in &found {
            let finding = self.finding(one, subject, is_required)?;
            findings.push(Rule::Declaration, || finding);
        }
        Ok(findings.into_outcome())
    }

    /// True if the whole file is known to be ASCII.
    fn is_ascii(&self) -> io::Result<bool> {
        let Some(file) = &self.file else { return Ok(self.is_all && self.ends.head.is_ascii()) };
        is_ascii(file)
    }

    fn finding(&self, one: &Declaration, subject: &Subject, is_required: bool) -> io::Result<Finding> {
        let Subject { settings, target, reading, .. } = subject;
        let range = one.range();
        let position = self.position(reading, range.start)?;
        let len = (range.end - range.start) as usize;
        let FileHeadAndTail { head, tail, tail_offset } = &self.ends;
        let (bytes, at) = if range.end <= head.len() as u64 {
            (&head[..], range.start as usize)
        } else {
            (&tail[..], (range.start - tail_offset) as usize)
        };
        let name = reading.named.name();
        let contradiction = match one.meaning() {
            _ if is_required => format!("but {name} is required"),
            Meaning::Unknown => "which is not a known encoding".to_string(),
            _ => format!("but the file is {name}"),
        };
        let call = || {
            let options = format!("-f {name} --declaration=update");
            format!("; correct it with '{}'", verdict::call(&options, name, target))
        };
        let has_name = one.kind().label(reading.named).is_some();
        let fix = if has_name { call() } else { String::new() };
        let message =
            format!("wrong declaration at byte {}: {}, {contradiction}{fix}", range.start, declares(one));
        let columns = Some(len as u64 / reading.named.code_unit_len() as u64);
        let excerpt = settings.excerpts.then(|| Excerpt::new(bytes, at, len, reading.named)).flatten();
        let found = Finding::new(Rule::Declaration, position, &bytes[at..][..len], message);
        Ok(Finding { columns, excerpt, ..found })
    }

    /// Returns the position of the byte at offset `end`.
    fn position(&self, reading: &Reading, end: u64) -> io::Result<Position> {
        if let Some(file) = &self.file {
            return reading.position(file, 0..end, reading.named);
        }
        let mut feeder = Feeder::new(reading.checker(reading.named, true, Position::default()));
        let head = &self.ends.head;
        feeder.feed(&head[..head.len().min(end as usize)], true, |_, _, _, _| true);
        Ok(feeder.checker.position())
    }
}
