//! Runs the rules that compare two versions of a file, such as `changed-bom`.

use std::ffi::OsStr;
use std::io;

use utfconv_core::{Encoding, Position};
use utfconv_detect::Hints;

use super::plan::Settings;
use super::report::{FileResult, Finding, Findings};
use super::rules::{Change, Detection, Rules, Version};
use crate::commands::old_versions::{NewVersion, OldVersion};
use crate::files::walk::FileEntry;
use crate::text::detected::{self, Detected};
use crate::ui::quote::as_argument;

/// Adds the findings of rules that compare `target` with its old version to `outcome`. `declared` is the encoding
/// from the command line or the configuration.
pub fn check(
    outcome: Option<FileResult>,
    settings: &Settings,
    rules: &Rules,
    old: &OldVersion,
    target: &FileEntry,
    declared: Option<&'static Encoding>,
    new: &NewVersion,
) -> io::Result<Option<FileResult>> {
    let compared: Vec<_> = rules
        .iter()
        .filter_map(|rule| match rule.detection() {
            Detection::Change(compare) => Some((rule, compare)),
            _ => None,
        })
        .collect();
    if compared.is_empty() || outcome.as_ref().is_some_and(FileResult::is_unchecked) {
        return Ok(outcome);
    }
    let mut findings = Findings::of(outcome, settings.max_listed);
    let new = new.content()?;
    let name = &target.key().name;
    let argument = as_argument(name);
    let was = Version::new(&old.name, &old.content, old.encoding, || detect(&old.content, name));
    let is = Version::new(&argument, new, declared, || detect(new, name));
    for (rule, compare) in compared {
        let Some(Change { text, line: (offset, line) }) = compare(&was, &is) else { continue };
        let message = format!("{} at byte {offset}: {text}", rule.definition().title);
        findings.push(rule, || Finding::new(rule, Position::new(offset, line, 1), &[], message));
    }
    Ok(findings.into_outcome())
}

/// Detects the encoding of the content. Returns `None` if the answer is only a guess.
fn detect(content: &[u8], name: &OsStr) -> Option<&'static Encoding> {
    let detected = detected::detect_text(content, name, &Hints::default()).ok()?;
    Some(detected).filter(Detected::is_enough).and_then(|detected| detected.found.encoding)
}
