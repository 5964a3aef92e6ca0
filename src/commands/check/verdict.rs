//! The verdict: a file is plainly in another encoding than expected. In a summary, the verdict replaces the
//! ill-formed sequences; otherwise it is reported beside them.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use memchr::memmem;
use utfconv_core::{Encoding, InputBom, Options, Position, US_ASCII, UTF_8, convert, decode};
use utfconv_detect::{Certainty, Detection, Hints};

use super::baseline::Errors;
use super::report::{FileResult, Finding, Findings, Verdict};
use super::rules::Rule;
use super::subject::Subject;
use crate::commands::git::{Driver, Likeness, Mistakable};
use crate::commands::old_versions::{MARK, NewVersion, OldVersion, has_marks};
use crate::config::Demand;
use crate::files::stdio::{bytes_at, each_chunk};
use crate::files::walk::FileEntry;
use crate::files::window::Window;
use crate::text::detected::{self, Detected};
use crate::ui::quote::{as_argument, counted};

/// Adds a verdict to `found` if the file is plainly in another encoding than expected. In a summary, the finding of
/// the verdict replaces the ill-formed sequences in the list; the counts stay.
pub fn add_verdict(
    found: &mut Findings,
    subject: &mut Subject,
    is_compared: bool,
    is_summary: bool,
) -> io::Result<()> {
    let Subject { target, reading, rules, window, .. } = subject;
    let verdict = verdict(found, window, target, reading.named, is_compared)?;
    let Some((first, verdict)) = verdict else { return Ok(()) };
    if is_summary {
        let has_gaps = verdict.encoding == UTF_8.name() && has_gaps(window, target, reading.named)?;
        let to = required_name(reading.named, rules.demand(Rule::Bom));
        let finding = finding(&found.listed[first], &verdict, &to, target, has_gaps);
        found.listed.retain(|one| one.rule != Rule::IllFormed);
        found.packed.retain(|one| one.rule != Rule::IllFormed);
        // The index `first` is still valid, because ill-formed sequences were removed only from there on.
        found.listed.insert(first, finding);
        // Ill-formed sequences beyond the limit of the list are summarized too.
        found.summarized = verdict.errors.unwrap_or(1) - 1;
    }
    found.verdict = Some(verdict);
    Ok(())
}

/// Returns the verdict, if any, and the index of the first ill-formed sequence in the list. `is_compared` is true if
/// known errors were removed from the list.
pub fn verdict(
    found: &Findings,
    window: &mut Window,
    target: &FileEntry,
    named: &'static Encoding,
    is_compared: bool,
) -> io::Result<Option<(usize, Verdict)>> {
    let total = found.counts.get(&Rule::IllFormed).copied().unwrap_or(0);
    // A check for ASCII has to list each byte that is not ASCII.
    if named == &US_ASCII {
        return Ok(None);
    }
    let mut ill_formed = found.listed.iter().enumerate().filter(|(_, one)| one.rule == Rule::IllFormed);
    let Some((first, one)) = ill_formed.next() else { return Ok(None) };
    let is_same = |other: &Finding| other.bytes == one.bytes;
    let mut packed = found.packed.iter().filter(|one| one.rule == Rule::IllFormed);
    let is_repeated = ill_formed.all(|(_, other)| is_same(other)) && packed.all(|other| is_same(&other));
    // The detected encoding has to satisfy `-f auto`, because the advice is to convert the file from it.
    let Some(detected) = detect(window, target)?.filter(Detected::is_enough) else { return Ok(None) };
    let Detection { encoding: Some(like), certainty, .. } = detected.found else { return Ok(None) };
    // Repetitions of a single ill-formed sequence are not text, even if the statistics accept them.
    let is_by_statistics = is_repeated && !is_compared && certainty < Certainty::Certain;
    if is_by_statistics || like == named || like == &US_ASCII || read_as(window, like)? == named {
        return Ok(None);
    }
    let verdict = Verdict {
        errors: Some(total),
        at_least: found.is_cut_short,
        is_declared: detected.is_declared(),
        ..Verdict::new(like, certainty, named)
    };
    Ok(Some((first, verdict)))
}

/// Returns the encoding that the BOM selects when the file is read as `like`.
fn read_as(window: &mut Window, like: &'static Encoding) -> io::Result<&'static Encoding> {
    if like.code_unit_len() == 1 {
        return Ok(like);
    }
    let head = match window.around(0) {
        Some((all, _)) => all[..all.len().min(4)].to_vec(),
        None => bytes_at(window.borrow().0, 0, 4)?,
    };
    Ok(InputBom::Auto.read_as(like, &head))
}

/// Removes ill-formed sequences if the file still has the encoding of its old version, because the change made
/// nothing worse. The file must have no declared encoding. If the old version is UTF-8, new errors stay, even if
/// detection still answers UTF-8. If one of both encodings is only a guess, the old one must still be possible, and the
/// file must not have more ill-formed sequences than `known`, the errors of the old version, nor other ones if the old
/// encoding is a guess.
pub fn without_kept_encoding(
    outcome: Option<FileResult>,
    old: &OldVersion,
    known: &Errors,
    window: &mut Window,
    target: &FileEntry,
) -> io::Result<Option<FileResult>> {
    let Some(FileResult::Findings(mut findings)) = outcome else { return Ok(outcome) };
    let Some(count) = findings.counts.get(&Rule::IllFormed) else { return Ok(findings.into_outcome()) };
    let known = known.iter().filter(|((rule, _), _)| *rule == Rule::IllFormed).map(|(_, count)| count);
    let are_no_more = *count <= known.sum();
    let are_known = || {
        let ill_formed = findings.listed.iter().filter(|finding| finding.rule == Rule::IllFormed);
        let sequences: HashSet<_> = ill_formed.map(|finding| &finding.bytes[..]).collect();
        sequences.iter().all(|sequence| memmem::find(&old.content, sequence).is_some())
    };
    let was = match old.encoding {
        None if are_no_more && are_known() => {
            let was = detected::detect_text(&old.content, &target.key().name, &Hints::default())?;
            was.found.encoding.filter(|_| was.contradiction().is_none())
        }
        encoding => encoding,
    };
    if let Some(was) = was.filter(|was| *was != &UTF_8)
        && let Some(is) = detect(window, target)?
    {
        let is_certain = old.encoding.is_some() && is.is_enough();
        // Encodings that decode the old version to the same text count as the same encoding, unless all its bytes are
        // ASCII, because most encodings decode these alike.
        let decoded = |encoding| decode(&old.content, encoding).ok();
        let reads_alike =
            |is| !old.content.is_ascii() && decoded(is).is_some_and(|text| decoded(was) == Some(text));
        let is_same = |is| is == was || reads_alike(is);
        let is_possible = || !is_certain && is.found.alternatives.contains(&was.name());
        if (is_certain || are_no_more) && (is.found.encoding.is_some_and(is_same) || is_possible()) {
            findings.take_out(&[Rule::IllFormed]);
        }
    }
    Ok(findings.into_outcome())
}

/// Whether a file has a line of non-ASCII UTF-8 that its old version, which was UTF-8, has too. The file is then not in
/// another encoding as a whole, and a conversion would damage the line.
pub fn keeps_utf8(old: &OldVersion, new: &NewVersion) -> io::Result<bool> {
    if old.encoding != Some(&UTF_8) {
        return Ok(false);
    }
    let is_utf8 = |line: &&[u8]| !line.is_ascii() && str::from_utf8(line).is_ok();
    let of = |text| <[u8]>::split(text, |byte| *byte == b'\n').filter(is_utf8);
    let known: HashSet<_> = of(&old.content[..]).collect();
    Ok(of(new.content()?).any(|line| known.contains(line)))
}

/// Adds a verdict to the outcome if the file is UTF-8 but decodes as other text in the single-byte encoding named.
pub fn hidden_utf8(outcome: Option<FileResult>, subject: &mut Subject) -> io::Result<Option<FileResult>> {
    let Subject { settings, target, reading, rules, window } = subject;
    let named = reading.named;
    if outcome.as_ref().is_some_and(FileResult::is_unchecked) {
        return Ok(outcome);
    }
    let mut findings = Findings::of(outcome, settings.max_listed);
    let is_known = findings.listed.iter().any(|one| one.rule == Rule::WrongEncoding);
    let may_hide = named != &US_ASCII && named.is_of_bytes() && named.is_ascii_compatible();
    let mistakable = || Mistakable::in_text_of(named, reading.newline);
    if !is_known
        && may_hide
        && let Some((likeness, position, byte)) = liken(window, target)?
        && likeness.is_utf8()
        && let mistakable @ Mistakable::Others(1) = mistakable()
        && likeness.is_rather_utf8(mistakable)
    {
        let verdict = Verdict::new(&UTF_8, Certainty::Likely, named);
        let fix = if has_gaps(window, target, named)? {
            restoration(target)
        } else {
            let to = required_name(named, rules.demand(Rule::Bom));
            format!("convert it with '{}'", conversion(verdict.encoding, &to, target))
        };
        let looks = format!("looks like UTF-8, not {}; {fix}", verdict.expected);
        // Double-encoded text is the same UTF-8 bytes read in the wrong encoding, so those findings are removed.
        findings.take_out(&[Rule::DoubleEncoded]);
        findings.push(Rule::WrongEncoding, || wrong_encoding(position, &[byte], &looks));
        findings.verdict.get_or_insert(verdict);
    }
    Ok(findings.into_outcome())
}

/// Returns how much a file looks like UTF-8, and its first non-ASCII byte, with the position. Returns `None` if all
/// bytes are ASCII, or if the file can be read only once and is longer than the window.
fn liken(window: &mut Window, target: &FileEntry) -> io::Result<Option<(Likeness, Position, u8)>> {
    let (mut likeness, mut position, mut first) = (Likeness::default(), Position::default(), None);
    let mut take = |chunk: &[u8]| {
        likeness.feed(chunk);
        if first.is_none() {
            let ascii = chunk.iter().position(|byte| !byte.is_ascii()).unwrap_or(chunk.len());
            position = position.past(&chunk[..ascii], ascii as u64);
            first = chunk.get(ascii).map(|byte| (position, *byte));
        }
        // A UTF-8 sequence that is cut at the end of a chunk may continue in the next chunk.
        !likeness.is_ill_formed
    };
    if window.is_ended()
        && let Some((all, 0)) = window.around(0)
    {
        take(all);
    } else if window.end_of_file(target)?.is_some() {
        each_chunk(window.borrow().0, 0..u64::MAX, |chunk, _| Ok(take(chunk)))?;
    } else {
        return Ok(None);
    }
    Ok(first.map(|(position, byte)| (likeness, position, byte)))
}

/// True if a UTF-8 file has U+FFFD and `to` cannot encode U+FFFD, so that the lost characters have to be restored
/// before a conversion.
fn has_gaps(window: &mut Window, target: &FileEntry, to: &'static Encoding) -> io::Result<bool> {
    let is_mappable = || convert(MARK, &UTF_8, to, &Options::default()).is_ok();
    if target.is_stdin() || window.end_of_file(target)?.is_none() || is_mappable() {
        return Ok(false);
    }
    let (mut is_found, mut end) = (false, Vec::new());
    each_chunk(window.borrow().0, 0..u64::MAX, |chunk, _| {
        // U+FFFD may be split between two chunks.
        end.extend_from_slice(&chunk[..chunk.len().min(MARK.len() - 1)]);
        is_found = [&end, chunk].iter().any(|text| has_marks(text));
        end = chunk[chunk.len().saturating_sub(MARK.len() - 1)..].to_vec();
        Ok(!is_found)
    })?;
    Ok(is_found)
}

/// Returns advice on restoring characters that became U+FFFD.
pub fn restoration(target: &FileEntry) -> String {
    let name = as_argument(&target.key().name);
    format!("restore its lost characters (U+FFFD) with 'utfconv repair --from-rev {name}', or --from=OLD")
}

/// Returns the name of an encoding for the option `-t`, with the suffix `-BOM` if a BOM is required.
fn required_name(encoding: &Encoding, bom: Option<Demand>) -> String {
    let name = encoding.name();
    // UTF-16 and UTF-32 without a byte order in the name are always written with a BOM.
    let has_order = name.starts_with("UTF-") && (name.ends_with("LE") || name.ends_with("BE"));
    let is_optional = encoding == &UTF_8 || has_order;
    let end = if is_optional && bom == Some(Demand::Require) { "-BOM" } else { "" };
    format!("{name}{end}")
}

/// Returns the command that converts a file from the encoding `like` to the encoding `to`.
pub fn conversion(like: &str, to: &str, target: &FileEntry) -> String {
    call(&format!("-f {like}"), to, target)
}

/// Returns the command that converts a file in place, or standard input, with these options.
pub fn call(options: &str, to: &str, target: &FileEntry) -> String {
    // The file was added to git before the filter was configured; `--renormalize` converts it by the filter.
    if matches!(driver(target), Ok(Some(_))) {
        return format!("git add --renormalize {}", as_argument(&target.key().name));
    }
    let to_option = if to == UTF_8.name() { String::new() } else { format!(" -t {to}") };
    if target.is_stdin() {
        format!("utfconv {options}{to_option}")
    } else {
        // Reports name files relative to the current directory, so the command does too.
        let name = target.key().name;
        let current = std::env::current_dir().unwrap_or_default();
        let path = Path::new(&name).strip_prefix(&current).unwrap_or(Path::new(&name));
        format!("utfconv -i {options}{to_option} {}", as_argument(path))
    }
}

/// Returns git's filter for a staged file, if it is `utfconv git-filter`.
pub fn driver(target: &FileEntry) -> io::Result<Option<Driver>> {
    let command = target.filter(|command| Driver::of(command).is_some())?;
    Ok(command.and_then(|command| Driver::of(&command)))
}

/// Makes a finding of the rule `wrong-encoding`, at the position of `bytes`.
pub fn wrong_encoding(position: Position, bytes: &[u8], why: &str) -> Finding {
    let message = format!("wrong encoding at byte {}: {why}", position.offset());
    Finding::new(Rule::WrongEncoding, position, bytes, message)
}

/// Returns the finding for a verdict, at the position of the first ill-formed sequence.
fn finding(first: &Finding, verdict: &Verdict, to: &str, target: &FileEntry, has_gaps: bool) -> Finding {
    let Verdict { encoding: like, expected, errors, at_least, is_declared, .. } = verdict;
    let least = if *at_least { "at least " } else { "" };
    let errors = counted(errors.unwrap_or_default(), "error");
    let call = || {
        if *is_declared {
            call(&format!("-f {like} --declaration=update"), to, target)
        } else {
            conversion(like, to, target)
        }
    };
    let fix = if has_gaps {
        format!("{}; --verbose lists the errors", restoration(target))
    } else {
        format!("convert it with '{}', or list them with --verbose", call())
    };
    let why = format!("looks like {like}, not {expected}: {least}{errors}; {fix}");
    let hint = Some(format!("if it is {like} on purpose, declare that: see utfconv.toml(5)"));
    Finding { columns: first.columns, hint, ..wrong_encoding(first.position, &first.bytes, &why) }
}

/// Detects the encoding of the file. Returns `None` if the file cannot be read again.
fn detect(window: &mut Window, target: &FileEntry) -> io::Result<Option<Detected>> {
    let (name, hints) = (&target.key().name, Hints::default());
    if window.is_ended()
        && let Some((all, 0)) = window.around(0)
    {
        return detected::detect_text(all, name, &hints).map(Some);
    }
    if window.end_of_file(target)?.is_none() {
        return Ok(None);
    }
    let (file, _) = window.borrow();
    let end = file.metadata()?.len();
    detected::detect_in(file, 0..end, name, &hints).map(Some)
}
