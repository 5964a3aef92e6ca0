//! `repair --from`, `--from-rev` and `--history`: restores damaged text from old versions of files.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use utfconv_core::{Encoding, InputBom, OnUnmappable, Options, OutputBom, StreamError, UTF_8, convert};
use utfconv_restore::{NotRestored, Problem, ProblemKind, RestoreOptions, Restored, View, restore_with};

use super::report::FileReport;
use crate::batch::{Job, NotEdited, OpenJob, Product, SkipKind};
use crate::commands::old_versions::{
    MARK, OldVersion, OldVersions, Version, damage, damage_name, has_cr_in, has_marks, in_smaller,
    is_damaged_text, is_loss, may_be_right, places, problems, read_whole,
};
use crate::ui::quote::{as_argument, counted, quoted};

/// Maximum number of lines or positions that utfconv-restore lists.
const LISTED: usize = 1_000;

/// Returns the encoding of an edited text if the text is in UTF-16 or UTF-32, in which characters can be lost, too.
fn wide(old: &OldVersion, edited: &[u8]) -> Option<&'static Encoding> {
    let by_bom = Encoding::for_bom(edited).map(|(encoding, _)| encoding);
    let is_wide =
        |encoding: &&'static Encoding| encoding.code_unit_len() > 1 && str::from_utf8(edited).is_err();
    by_bom.or(old.encoding).filter(is_wide)
}

/// Converts a text without changing its BOM. `None` if the text cannot be converted.
fn converted(text: &[u8], from: &'static Encoding, to: &'static Encoding) -> Option<Vec<u8>> {
    let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never);
    Some(convert(text, from, to, &options).ok()?.output)
}

/// The text that an old version restores, or why the text is not proven; `None` if nothing was lost.
type Answer = Option<Result<Restored, NotRestored>>;

/// An old version that restores a file, or that shows why the restored text is not proven.
struct MatchingVersion<'a> {
    edited: &'a [u8],
    version: &'a Version,
    old: OldVersion,
    result: Result<Restored, NotRestored>,
}

/// Restores files from old versions.
pub struct Restorer {
    pub old: OldVersions,
    /// Whether all commits are searched for the newest undamaged version.
    pub is_history: bool,
    pub options: RestoreOptions,
    /// Maximum number of lines of the report for a file; 0 means no limit.
    pub max_lines: u64,
}

impl Restorer {
    /// Returns the text that an old version restores, or why the text is not proven; `None` if nothing was lost.
    fn restored(&self, old: &OldVersion, edited: &[u8], options: &RestoreOptions) -> io::Result<Answer> {
        let is_plain = old.content.is_ascii() && old.encoding.is_none_or(Encoding::is_ascii_compatible);
        if old.content == edited || is_plain {
            return Ok(None);
        }
        // A version in the history that has U+FFFD is damaged itself.
        if self.is_history && has_marks(&old.content) {
            return Ok(None);
        }
        let wide = wide(old, edited);
        let text =
            wide.and_then(|wide| converted(edited, wide, &UTF_8)).map_or(Cow::Borrowed(edited), Cow::Owned);
        let mut result = match old.encoding.filter(|encoding| old.declares_utf8 && *encoding != &UTF_8) {
            Some(encoding) => restored_as_utf8(old, encoding, &text, options)?,
            None => Some(restore_with(&old.content, old.encoding, &text, options)),
        };
        // git stores text that it checks out as UTF-16 in UTF-8. The restored text gets a BOM if the edited file has
        // one.
        if let Some(wide) = wide.filter(|_| old.encoding == Some(&UTF_8)) {
            let bom = if Encoding::for_bom(edited).is_some() { "\u{FEFF}" } else { "" };
            let in_wide = |mut restored: Restored| {
                restored.output = converted(&[bom.as_bytes(), &restored.output].concat(), &UTF_8, wide)?;
                Some(restored)
            };
            result = result.map(|result| in_wide(result?).ok_or(NotRestored::NotUtf8));
        }
        let Some(result) = result else { return Ok(None) };
        Ok(match result {
            // The edited file still has the bytes of its old encoding, and no more U+FFFD than the old version, so
            // nothing was lost.
            Err(NotRestored::NotUtf8) if old.encoding != Some(&UTF_8) && !has_more_gaps(edited, old) => None,
            // After a conversion, text was added and nothing was lost.
            Err(NotRestored::Places { view: View::Exact, places, .. })
                if self.is_history && places.iter().all(is_new) && !has_marks(edited) =>
            {
                None
            }
            Ok(restored) if restored.output == edited && restored.places.is_empty() => None,
            Ok(restored)
                if self.is_history
                    && (may_be_right(restored.view, old)
                        || !is_loss(restored.view, &lost_lines(&restored), old)) =>
            {
                None
            }
            result => Some(result),
        })
    }

    fn report(&self, name: &str, old: &OldVersion, restored: &Restored, report: &mut FileReport) {
        let Restored { view, pieces, lines, .. } = restored;
        let damage = match (view, pieces) {
            (View::Exact, 1..) => "parts of characters became U+FFFD".to_string(),
            _ => damage(*view, old),
        };
        let what = match pieces {
            0 => "bytes".to_string(),
            _ => counted(*pieces, "lost character"),
        };
        // The encoding of the old version was only detected, so the user may have converted the file to UTF-8 on
        // purpose.
        let hint = match (view, pieces) {
            (View::Exact, 0)
                if !old.is_certain && old.encoding.is_some_and(|encoding| encoding != &UTF_8) =>
            {
                " (if that was meant, declare 'charset = utf-8' in .editorconfig)"
            }
            _ => "",
        };
        let encoding = old.encoding.filter(|encoding| *encoding != &UTF_8 && !old.declares_utf8);
        let encoding = encoding.map_or(String::new(), |one| format!(", restored as {}", one.name()));
        let _ = writeln!(report.lines, "{name}: repair: {what} from {}{encoding}: {damage}{hint}", old.name);
        let limit = self.limit(lines.len());
        report.unlisted[0] += (lines.len() - limit) as u64;
        report.is_cut |= lines.len() >= LISTED;
        for line in &lines[..limit] {
            let _ = writeln!(report.lines, "{name}:{line}: repair: lost characters");
        }
        report.changes += (*pieces).max(1);
    }

    /// Reports the positions whose content is not proven.
    fn report_places(&self, name: &str, old: &OldVersion, restored: &Restored, report: &mut FileReport) {
        report.left += restored.unproven;
        let shown = &restored.places[..self.limit(restored.places.len())];
        report.unlisted[1] += restored.unproven - shown.len() as u64;
        places(name, old, shown).iter().for_each(|line| report.leave(line));
    }

    fn limit(&self, count: usize) -> usize {
        if self.max_lines == 0 { count } else { count.min(self.max_lines as usize) }
    }

    /// Writes the text that an old version restores. `None` if there is nothing to restore, or if the text is not
    /// proven.
    pub fn restore(&self, file: OpenJob, report: &mut FileReport) -> Result<Option<Product>, NotEdited> {
        let OpenJob { job, opened, output } = file;
        let edited = read_whole(opened.file()).map_err(StreamError::Read)?;
        let versions = self.old.of(job.path(), || Some(edited.clone())).map_err(StreamError::Read)?;
        if versions.is_empty() && self.is_history && is_damaged_text(&edited) {
            report.find_gaps(&edited, 0);
            report.add_gaps(&job.shown(), &self.old.absence());
            return Ok(None);
        }
        if versions.is_empty() {
            return Err(NotEdited::skipped(SkipKind::Encoding, self.old.absence()));
        }
        if !self.is_history && versions.len() > 1 {
            report.note(&job.shown(), &several(job, &versions));
            return Ok(None);
        }
        let found = self.found(job, &versions, &edited, report).map_err(StreamError::Read)?;
        let Some(found) = found else { return Ok(None) };
        let restored = match &found.result {
            Ok(restored) => restored,
            Err(why) => {
                self.report_problems(job, &found, why, report);
                return Ok(None);
            }
        };
        let (old, is_changed) = (&found.old, restored.output != edited);
        let filter = || self.old.other_filter(found.version, job.path());
        let filter = is_changed.then(filter).transpose().map_err(StreamError::Read)?;
        if let Some(filter) = filter.flatten() {
            report.note(&job.shown(), &unknown(job, old, &filter));
            return Ok(None);
        }
        if is_changed {
            self.report(&job.shown(), old, restored, report);
        }
        self.report_places(&job.shown(), old, restored, report);
        if !is_changed {
            return Ok(None);
        }
        let mut product = output.begin().map_err(StreamError::Write)?;
        product.write_all(&restored.output).map_err(StreamError::Write)?;
        (report.read, report.written) = (edited.len() as u64, restored.output.len() as u64);
        Ok(Some(product))
    }

    /// Returns the newest undamaged version that shows a loss. Older versions might prove more, but of text that was
    /// edited since.
    fn found<'a>(
        &self,
        job: &Job,
        versions: &'a [Version],
        edited: &'a [u8],
        report: &mut FileReport,
    ) -> io::Result<Option<MatchingVersion<'a>>> {
        let (has_cr, mut damaged, mut was_utf8, mut last) = (has_cr_in(edited), 0, true, None);
        let read =
            |version| self.old.read(version, job.path(), has_cr).map(|old| in_smaller(old, job.path()));
        for (number, version) in versions.iter().enumerate() {
            let old = read(version)?;
            let result = self.restored(&old, edited, &self.options)?;
            // The file may have been UTF-8 before it was converted to another encoding.
            let Some(result) = result.filter(|result| was_utf8 || *result != Err(NotRestored::NotUtf8))
            else {
                damaged += usize::from(has_marks(&old.content));
                was_utf8 &= str::from_utf8(&old.content).is_ok();
                last = Some(old);
                continue;
            };
            for version in &versions[..number] {
                let new = read(version)?;
                if new.content != edited && self.is_conversion(&old, &new)? {
                    let result = self.after_conversion(job, [&old, &new], edited, &result, report)?;
                    return Ok(result.map(|result| MatchingVersion { edited, version, old: new, result }));
                }
            }
            return Ok(Some(MatchingVersion { edited, version, old, result }));
        }
        if !is_damaged_text(edited) {
            return Ok(None);
        }
        report.find_gaps(edited, 0);
        let why = if self.is_history {
            Some(why_not_in_history(job, versions, damaged))
        } else {
            let old = last.filter(|old| has_more_gaps(edited, old));
            old.map(|old| format!("{} does not have this text", old.name))
        };
        if let Some(why) = why {
            report.add_gaps(&job.shown(), &why);
        }
        Ok(None)
    }

    /// Whether a newer version is `old` converted to UTF-8 without a loss.
    fn is_conversion(&self, old: &OldVersion, new: &OldVersion) -> io::Result<bool> {
        let is_text = !new.content.is_ascii() && str::from_utf8(&new.content).is_ok();
        Ok(is_text && !has_marks(&new.content) && self.restored(old, &new.content, &self.options)?.is_none())
    }

    /// Restores text that was lost after a file was converted to UTF-8, from the converted version `new`. The damage is
    /// taken from `result`, of the version before the conversion, because in UTF-8 dropped characters look like an
    /// edit.
    fn after_conversion(
        &self,
        job: &Job,
        [old, new]: [&OldVersion; 2],
        edited: &[u8],
        result: &Result<Restored, NotRestored>,
        report: &mut FileReport,
    ) -> io::Result<Answer> {
        let view = match result {
            Ok(Restored { view, .. })
            | Err(NotRestored::Places { view, .. } | NotRestored::Unnamed { view, .. }) => Some(*view),
            Err(_) => None,
        };
        let by = |view| self.restored(new, edited, &self.options.clone().view(view));
        let restored = view.filter(|view| matches!(view, View::Lossy(..))).map(by).transpose()?.flatten();
        if restored.is_none() {
            let what = view.map_or("text was lost".to_string(), |view| damage(view, old));
            let file = as_argument(job.path());
            report.left += 1;
            report.leave(&format!(
                "{}: error: since {}, {what}, but {} is newer and not damaged; use 'git diff {} -- {file}' to see what changed",
                job.shown(), old.name, new.name, new.name
            ));
        }
        Ok(restored)
    }

    /// Reports why an old version does not restore a file.
    fn report_problems(
        &self,
        job: &Job,
        found: &MatchingVersion,
        why: &NotRestored,
        report: &mut FileReport,
    ) {
        let advice = self.advice(job, found, why);
        if *why == NotRestored::NotUtf8 && has_marks(found.edited) {
            report.find_gaps(found.edited, 0);
            return report.add_gaps(&job.shown(), &format!("the file is not UTF-8{advice}"));
        }
        let mut lines = problems(&job.shown(), &found.old, why);
        if let Some(line) = lines.first_mut() {
            *line += &advice;
        }
        report.left += lines.len() as u64;
        let shown = &lines[..self.limit(lines.len())];
        report.unlisted[1] += (lines.len() - shown.len()) as u64;
        report.is_cut |= lines.len() >= LISTED;
        shown.iter().for_each(|line| report.leave(line));
    }

    /// Returns advice about a file that is not restored, to append to the first message.
    fn advice(&self, job: &Job, found: &MatchingVersion, why: &NotRestored) -> String {
        let MatchingVersion { version, old, .. } = found;
        let name = as_argument(job.path());
        let stored = self.old.stored_by_filter(version, job.path()).filter(|_| *why == NotRestored::NotUtf8);
        if let Some(stored) = stored.map(Encoding::name) {
            return format!("; if it is {stored}, use 'utfconv -f {stored} -i {name}' to convert it");
        }
        if let NotRestored::Unnamed { view, .. } = why {
            let damage = view.damage().map(damage_name).unwrap_or_default();
            return format!("; use --damage={damage} to restore them");
        }
        let mut ways = Vec::new();
        let was = old.encoding.filter(|was| was.code_unit_len() > 1 && job.path().is_relative());
        if let Version::Object(..) = version {
            // git treats UTF-16 and UTF-32 as binary data, so `git diff` would not show the text.
            let command = match was.map(Encoding::name) {
                Some(was) => {
                    format!("git show {} | utfconv -f {was} -t UTF-8 | diff - {name}", object(job, old))
                }
                None => format!("git diff {} -- {name}", old.name),
            };
            ways.push(format!("'{command}' to see what changed"));
        }
        if self.restores_in_part(found, why) {
            ways.push("--unmappable=replace to restore the rest".to_string());
        }
        if ways.is_empty() { String::new() } else { format!("; use {}", ways.join(", or ")) }
    }

    /// Whether `--unmappable` would restore a part of a file. The cheap checks come first, because the restoration
    /// takes long.
    fn restores_in_part(&self, found: &MatchingVersion, why: &NotRestored) -> bool {
        let MatchingVersion { edited, old, .. } = found;
        let NotRestored::Places { places, .. } = why else { return false };
        // If a mode is given, the restoration was already refused with that mode, and no other mode would succeed.
        let has_mode = !matches!(self.options.unmappable, OnUnmappable::Stop);
        // If the encoding is unknown, no mode can write new characters.
        if has_mode || old.encoding.is_none() && places.iter().any(is_new) {
            return false;
        }
        let options = self.options.clone().unmappable(OnUnmappable::Replace(None));
        let partial = self.restored(old, edited, &options).ok().flatten();
        partial.is_some_and(|partial| partial.is_ok_and(|restored| restored.output != *edited))
    }
}

/// Returns why no version in the history restores lost characters, and what to do.
fn why_not_in_history(job: &Job, versions: &[Version], damaged: usize) -> String {
    let all = counted(versions.len() as u64, "version");
    let others = match versions.len() - damaged {
        0 => String::new(),
        others => format!(", {others} without this text"),
    };
    let shallow = match versions.last() {
        Some(Version::Object(_, listing, _)) => listing.shallow(),
        _ => None,
    };
    let fix = shallow.map_or_else(
        || format!("use 'utfconv repair --from=OLD {}' with a good copy", as_argument(job.path())),
        str::to_string,
    );
    format!("none of {all} in the history can restore this: {damaged} damaged too{others}; {fix}")
}

/// Restores a file that is declared to be UTF-8 from an old version in another encoding. A converted file stays, and
/// lost text is restored in UTF-8. `None` if nothing was lost.
///
/// # Errors
///
/// Fails if the restored text is not valid in the encoding of the old version.
fn restored_as_utf8(
    old: &OldVersion,
    encoding: &'static Encoding,
    edited: &[u8],
    options: &RestoreOptions,
) -> io::Result<Answer> {
    let to_utf8 = |text: &[u8]| convert(text, encoding, &UTF_8, &Options::default());
    let whole = options.clone().unmappable(OnUnmappable::Stop);
    match restore_with(&old.content, Some(encoding), edited, &whole) {
        Ok(Restored { view: View::Exact, pieces: 0, .. }) | Err(NotRestored::NotUtf8) => Ok(None),
        Ok(mut restored) => {
            let text = to_utf8(&restored.output).map_err(|why| no_text(old, encoding, &why.to_string()))?;
            restored.output = text.output;
            Ok(Some(Ok(restored)))
        }
        Err(NotRestored::Places { view: View::Exact, places, .. }) if is_all_new(&places) => Ok(None),
        Err(why) => {
            let again = may_be_new(&why, options).then(|| to_utf8(&old.content).ok()).flatten();
            let again = again.map(|text| restore_with(&text.output, Some(&UTF_8), edited, options));
            // Text that is not restored counts as an edit, so all proven lines must be restored.
            let restores = |restored: &Restored| match &why {
                NotRestored::Places { proven, .. } => proven.iter().all(|line| restored.lines.contains(line)),
                _ => true,
            };
            let restored = again.and_then(Result::ok).filter(|one| one.pieces > 0 && restores(one));
            Ok(Some(restored.ok_or(why)))
        }
    }
}

/// True if a file that cannot be restored in the encoding of its old version may be restored in UTF-8, because the old
/// encoding may lack new characters, and a mode may replace the lost characters.
fn may_be_new(why: &NotRestored, options: &RestoreOptions) -> bool {
    let has_mode = !matches!(options.unmappable, OnUnmappable::Stop);
    has_mode || matches!(why, NotRestored::Places { places, .. } if is_all_new(places))
}

/// Whether `places` is complete, and each position has a character that is not in the encoding.
fn is_all_new(places: &[Problem]) -> bool {
    places.len() < LISTED && places.iter().all(is_new)
}

fn no_text(old: &OldVersion, encoding: &Encoding, why: &str) -> io::Error {
    io::Error::other(format!(
        "the text of {} cannot be converted from {} to UTF-8: {why}; use --from=OLD with a copy without this error",
        old.name,
        encoding.name()
    ))
}

/// Returns git's name for an old version of a file, as a command line argument.
fn object(job: &Job, old: &OldVersion) -> String {
    as_argument(OsStr::new(&format!("{}:./{}", old.name, job.path().display())))
}

/// Returns an error about a file whose old version only git can filter, with a command that restores the file.
fn unknown(job: &Job, old: &OldVersion, filter: &str) -> String {
    let (path, filter) = (job.path(), quoted(filter));
    let name = as_argument(path);
    let fix = if path.is_relative() {
        let object = object(job, old);
        format!("use 'git cat-file --filters {object} | utfconv repair --from - {name}'")
    } else {
        "use --from with what 'git cat-file --filters' prints".to_string()
    };
    format!(
        "error: git's filter {filter} converts this file, and utfconv runs no filter of another program; {fix}"
    )
}

/// Returns an error that lists the deleted files that a file may have been, with a command that restores the file from
/// one of them.
fn several(job: &Job, versions: &[Version]) -> String {
    let name = |version: &Version| match version {
        Version::Object(revision, listing, object) => {
            Some(format!("{revision}:{}", listing.deleted_name(object)?.display()))
        }
        Version::File(_) => None,
    };
    let names: Vec<_> = versions.iter().filter_map(name).collect();
    let shown: Vec<_> = names.iter().take(3).map(quoted).collect();
    let more = if names.len() > shown.len() { ", ..." } else { "" };
    let one = as_argument(names.first().map_or("", String::as_str));
    format!(
        "error: it may be any of {} deleted files, which restore different text: {}{more}; use 'git cat-file --filters {one} | utfconv repair --from - {}' with the right one",
        names.len(),
        shown.join(", "),
        as_argument(job.path())
    )
}

/// Returns the lines with lost characters, restored or not.
fn lost_lines(restored: &Restored) -> Vec<u64> {
    let places =
        restored.places.iter().filter(|place| place.kind == ProblemKind::Lost).map(|place| place.line);
    restored.lines.iter().copied().chain(places).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether the character at a position is missing from the encoding of the old version.
fn is_new(place: &Problem) -> bool {
    matches!(place.kind, ProblemKind::Unmappable(_))
}

/// Whether a text has more U+FFFD in UTF-8 than an old version has in UTF-8 or in its encoding. Both texts are counted,
/// because in other encodings these bytes may be text.
fn has_more_gaps(text: &[u8], old: &OldVersion) -> bool {
    let count = |text: &[u8]| memchr::memmem::find_iter(text, MARK).count();
    let old_text = old.encoding.and_then(|encoding| converted(&old.content, encoding, &UTF_8));
    count(text) > count(&old.content).max(old_text.map_or(0, |old_text| count(&old_text)))
}
