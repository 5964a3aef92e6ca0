//! The rule `lost-characters`: finds characters that the old version of a file has and the new version has lost.

use std::io;

use utfconv_core::{Encoding, Options, Position, UTF_8, convert};
use utfconv_restore::View;

use super::plan::Settings;
use super::report::{FileResult, Finding, Findings};
use super::rules::Rule;
use super::verdict::{driver, wrong_encoding};
use crate::commands::git::Driver;
use crate::commands::old_versions::{
    Loss, MARK, NewVersion, OldVersion, Place, damage, damage_name, is_damaged_text,
};
use crate::files::walk::FileEntry;
use crate::ui::excerpt::Excerpt;
use crate::ui::quote::as_argument;

/// Adds the characters that the file of `target`, read as `named`, has lost since its old version to `outcome`.
pub fn check(
    outcome: Option<FileResult>,
    settings: &Settings,
    old: &OldVersion,
    target: &FileEntry,
    named: &'static Encoding,
    new: &NewVersion,
) -> io::Result<Option<FileResult>> {
    if let Some(FileResult::Unreadable(_)) = outcome {
        return Ok(outcome);
    }
    let is_binary = matches!(outcome, Some(FileResult::Binary));
    if is_binary && !new.starts_as_utf8()? {
        return Ok(shifted(settings, old, target).or(outcome));
    }
    let new = match new.content() {
        Ok(new) if !is_binary || is_damaged_text(new) || is_wide(old) && str::from_utf8(new).is_ok() => new,
        Err(error) if !is_binary => return Err(error),
        _ => return Ok(outcome),
    };
    if old.content == new {
        return Ok(outcome);
    }
    let driver = driver(target)?;
    let mut findings = Findings::of(outcome, settings.max_listed);
    let with_loss = |texts: Texts| Loss::between(&texts.old, &texts.new).map(|loss| (texts, loss));
    // With a git filter, the checked-out texts are compared first, because programs edit checked-out text.
    let checked_out = driver.as_ref().and_then(|driver| checked_out(driver, old, new));
    if let Some((texts, loss)) = checked_out.and_then(with_loss) {
        let advice = if loss.is_proven { repair(old, target, Some(loss.view)) } else { String::new() };
        loss.report(&mut findings, &Lines::of(&texts), advice, settings);
    } else if let Some(loss) = Loss::between(old, new) {
        let is_explained = take_out_explained(&mut findings, named, loss.view, new);
        let advice = match loss.is_proven {
            // With a git filter, `repair` compares checked-out text and cannot restore a loss found only in the
            // stored text.
            _ if driver.is_some() => difference(old, target, false),
            true => repair(old, target, Some(loss.view)),
            // The findings with advice were removed, so this finding has to say how to see what can be restored.
            false if is_explained && loss.view != View::Exact => repair(old, target, None),
            false => String::new(),
        };
        loss.report(&mut findings, &Lines::new(new, old), advice, settings);
    } else if let Some((texts, loss)) = decoded(named, old, new).and_then(with_loss) {
        // Without a filter, `git diff` treats UTF-16 as binary and shows no text.
        let advice = difference(old, target, texts.stored.code_unit_len() > 1 && driver.is_none());
        loss.report(&mut findings, &Lines::of(&texts), advice, settings);
    }
    Ok(findings.into_outcome().or(is_binary.then_some(FileResult::Binary)))
}

/// Two versions of a file, both decoded to UTF-8. `stored` is the encoding of the new version on disk.
struct Texts {
    old: OldVersion,
    new: Vec<u8>,
    stored: &'static Encoding,
}

/// Returns both versions as git's filter checks them out, if checked-out text is UTF-8.
fn checked_out(driver: &Driver, old: &OldVersion, new: &[u8]) -> Option<Texts> {
    let text = |stored: &[u8]| driver.check_out(stored).ok().map(|(text, _)| text);
    if driver.checked_out() == &UTF_8 {
        Some(Texts { old: old.as_text(text(&old.content)?)?, new: text(new)?, stored: driver.stored() })
    } else {
        None
    }
}

/// Returns both versions decoded to UTF-8, if neither is stored in UTF-8 and the new version has more U+FFFD or more
/// question marks than the old version.
fn decoded(named: &'static Encoding, old: &OldVersion, new: &[u8]) -> Option<Texts> {
    let was = Some(old.encoding.unwrap_or(named)).filter(|was| was != &&UTF_8)?;
    let stored = if named == &UTF_8 { was } else { named };
    // UTF-16 is not excluded, because ASCII text in UTF-16 is also valid UTF-8 with NULs.
    if stored.code_unit_len() == 1 && str::from_utf8(new).is_ok() {
        return None;
    }
    let text =
        |bytes: &[u8], encoding| Some(convert(bytes, encoding, &UTF_8, &Options::default()).ok()?.output);
    let (before, after) = (text(&old.content, was)?, text(new, stored)?);
    let signs = |text: &[u8]| [MARK, b"?"].map(|sign| memchr::memmem::find_iter(text, sign).count());
    let is_more = signs(&before).iter().zip(signs(&after)).any(|(before, after)| after > *before);
    is_more.then_some(Texts { old: old.as_text(before)?, new: after, stored })
}

/// True if the version is text in code units of several bytes, such as UTF-16.
fn is_wide(old: &OldVersion) -> bool {
    old.encoding.is_some_and(|was| was.code_unit_len() > 1)
}

/// Returns the finding for a file that looks binary and was UTF-16 or UTF-32, in which an added or missing byte
/// shifts all code units that follow.
fn shifted(settings: &Settings, old: &OldVersion, target: &FileEntry) -> Option<FileResult> {
    let was = old.encoding.filter(|_| is_wide(old))?.name();
    let name = as_argument(&target.key().name);
    let mut findings = Findings::with_room(settings.max_listed);
    findings.push(Rule::WrongEncoding, || {
        let why = format!(
            "looks binary, but was {was} in {}: a byte may be missing or added; use 'utfconv inspect -f {was} {name}' to find it",
            old.name
        );
        wrong_encoding(Position::default(), &[], &why)
    });
    findings.into_outcome()
}

/// Returns advice: the command that restores the file if `proof` is given, otherwise the command that lists what can
/// be restored.
fn repair(old: &OldVersion, target: &FileEntry, proof: Option<View>) -> String {
    let (rev, name) = (&old.name, as_argument(&target.key().name));
    if let Some(view) = proof {
        let damage =
            view.damage().map(|damage| format!(" --damage={}", damage_name(damage))).unwrap_or_default();
        // `repair` writes to the work tree only, so a staged file has to be added to the index again.
        let add = if target.is_staged() { format!(" && git add {name}") } else { String::new() };
        format!("; use 'utfconv repair --from-rev={rev}{damage} -i {name}{add}' to restore them")
    } else {
        format!("; use 'utfconv repair --from-rev={rev} {name}' to see what can be restored")
    }
}

/// Returns advice on a change that `repair` cannot undo: the command that shows the change or edits the text.
fn difference(old: &OldVersion, target: &FileEntry, is_binary: bool) -> String {
    let name = as_argument(&target.key().name);
    match target.is_staged() {
        _ if is_binary => format!("; use 'utfconv edit {name}' to correct the text"),
        true => format!("; use 'git diff --cached -- {name}' to see what changed"),
        false => format!("; use 'git diff {} -- {name}' to see what changed", old.name),
    }
}

/// Removes the findings that a loss explains. Returns true if a program rewrote a file in another encoding as UTF-8,
/// which no conversion undoes.
fn take_out_explained(findings: &mut Findings, named: &'static Encoding, view: View, new: &[u8]) -> bool {
    let is_utf8 = !new.is_ascii() && str::from_utf8(new).is_ok();
    // UTF-16 damaged by a UTF-8 program still has the NULs of UTF-16, and so breaks the rule `wrong-encoding`.
    let is_wide = view != View::Exact && findings.listed.iter().any(|one| one.rule == Rule::WrongEncoding);
    match is_utf8 {
        true if named != &UTF_8 => findings.take_out(explained_by(view)),
        true if is_wide => findings.take_out(&[Rule::WrongEncoding]),
        // U+FFFD in an added UTF-8 line is the bytes EF BF BD, which in `named` look double-encoded but are not.
        false if named != &UTF_8 => {
            findings.retain(|finding| finding.rule != Rule::DoubleEncoded || !are_marks(finding, new));
            return false;
        }
        _ => return false,
    }
    true
}

/// True if the bytes of the finding are U+FFFD in UTF-8 and nothing else.
fn are_marks(finding: &Finding, content: &[u8]) -> bool {
    let start = finding.position.offset() as usize;
    let bytes = content.get(start..start + finding.len as usize).unwrap_or_default();
    bytes.chunks(MARK.len()).all(|bytes| bytes == MARK)
}

/// Returns the rules that a file breaks if a program read the old version as `view` and wrote UTF-8.
fn explained_by(view: View) -> &'static [Rule] {
    match view {
        // Only new text was lost, so the file can still be converted and findings about its encoding stay.
        View::Exact => &[Rule::DoubleEncoded],
        _ => &[Rule::DoubleEncoded, Rule::WrongEncoding, Rule::IllFormed],
    }
}

impl Loss {
    /// Adds a finding per place. Only the first finding has the `advice`, because one command restores all places.
    fn report(self, findings: &mut Findings, lines: &Lines, mut advice: String, settings: &Settings) {
        for place in self.places {
            let advice = std::mem::take(&mut advice);
            let view = if self.known.contains(&place.line) { self.view } else { View::Exact };
            findings.push(Rule::LostCharacters, || lines.finding(place, view, &advice, settings));
        }
    }
}

/// The lines of a file, ended by LF, CR LF or a lone CR, as in the line numbers of a `Loss`.
struct Lines<'a> {
    content: &'a [u8],
    /// The old version that `content` is compared with.
    old: &'a OldVersion,
    starts: Vec<usize>,
    has_lone_cr: bool,
    /// The encoding of the file, if `content` was decoded to UTF-8.
    stored: Option<&'static Encoding>,
}

impl<'a> Lines<'a> {
    fn new(content: &'a [u8], old: &'a OldVersion) -> Lines<'a> {
        let is_end = |at: &usize| content[*at] == b'\n' || content.get(*at + 1) != Some(&b'\n');
        let ends = memchr::memchr2_iter(b'\n', b'\r', content).filter(is_end).map(|at| at + 1);
        let starts: Vec<_> = std::iter::once(0).chain(ends).collect();
        let has_lone_cr = starts.len() > memchr::memchr_iter(b'\n', content).count() + 1;
        Lines { content, old, starts, has_lone_cr, stored: None }
    }

    fn of(texts: &'a Texts) -> Lines<'a> {
        Lines { stored: Some(texts.stored), ..Lines::new(&texts.new, &texts.old) }
    }

    /// Converts the byte offset `at` in `content` to the byte offset in the file.
    fn offset(&self, at: usize) -> usize {
        let stored =
            self.stored.and_then(|to| convert(&self.content[..at], &UTF_8, to, &Options::default()).ok());
        stored.map_or(at, |stored| stored.output.len())
    }

    fn finding(&self, place: Place, view: View, advice: &str, settings: &Settings) -> Finding {
        let Place { line, column } = place;
        let number = (line as usize - 1).min(self.starts.len() - 1);
        let start = self.starts[number];
        let end = self.starts.get(number + 1).copied().unwrap_or(self.content.len());
        let text = String::from_utf8_lossy(&self.content[start..end]);
        // If the column is unknown, the first U+FFFD of the line marks the loss, otherwise its first non-ASCII
        // character.
        let sign = || text.chars().position(|scalar| scalar == char::REPLACEMENT_CHARACTER);
        let other = || text.chars().position(|scalar| !scalar.is_ascii());
        let before = column.map(|column| column as usize - 1).or_else(sign).or_else(other).unwrap_or(0);
        let at = start + text.chars().take(before).map(char::len_utf8).sum::<usize>();
        let len = text.chars().nth(before).map_or(0, char::len_utf8);
        let (at, len) = (at.min(end), len.min(end - at.min(end)));
        let what = if view == View::Exact { "U+FFFD was added".to_string() } else { damage(view, self.old) };
        let offset = self.offset(at);
        let message = format!("lost characters at byte {offset}: since {}, {what}{advice}", self.old.name);
        let excerpt = settings.excerpts.then(|| Excerpt::new(self.content, at, len, &UTF_8)).flatten();
        // In reports, only LF ends a line.
        let ends_with_lf = |start: &&usize| **start > 0 && self.content[**start - 1] == b'\n';
        let breaks = if self.has_lone_cr {
            self.starts[..=number].iter().filter(ends_with_lf).count()
        } else {
            number
        };
        let line_start = memchr::memrchr(b'\n', &self.content[..start]).map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&self.content[line_start..start]).chars().count() + before + 1;
        let position = Position::new(offset as u64, breaks as u64 + 1, column as u64);
        let found = Finding::new(Rule::LostCharacters, position, &self.content[at..at + len], message);
        Finding { columns: Some(1), excerpt, ..found }
    }
}
