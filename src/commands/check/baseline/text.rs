//! The text format of a baseline: sorted, with a line for each error, so that baselines are easy to compare and to
//! merge.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use super::content::Errors;
use crate::commands::check::rules::Rule;
use crate::files::sketch::Sketch;
use crate::ui::percent;

/// A file in a baseline: a sketch of its lines, and its errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    pub lines: Sketch,
    pub errors: Errors,
}

/// The files of a baseline, by their names relative to its directory, with slashes.
pub type Files = BTreeMap<Vec<u8>, Recorded>;

const FIRST: &str = "utfconv baseline 1";
const COMMENT: &str = "# Errors that are known: utfconv check --baseline=FILE reports only others.";
const LAST: &str = "end";

/// Beginning of the first line of a baseline of any version.
const BEGINNING: &str = "utfconv baseline ";

/// True if a baseline may be written to `path`, because no content other than a baseline would be lost.
pub fn may_replace(path: &Path) -> bool {
    let start = |file: File| {
        let mut start = Vec::new();
        file.take(BEGINNING.len() as u64).read_to_end(&mut start).map(|_| start)
    };
    // Writing to a device or a pipe loses no content.
    let is_regular = fs::metadata(path).is_ok_and(|found| found.is_file());
    let is_other = |start: Vec<u8>| !start.is_empty() && start != BEGINNING.as_bytes();
    !is_regular || !File::open(path).and_then(start).is_ok_and(is_other)
}

/// Formats `files` as the text of a baseline.
pub fn write(files: &Files) -> String {
    let mut text = format!("{FIRST}\n{COMMENT}\n");
    // `writeln!` to a `String` cannot fail.
    for (name, Recorded { lines, errors }) in files.iter().filter(|(_, recorded)| !recorded.errors.is_empty())
    {
        let _ = writeln!(text, "file {}", percent::encoded(name, utfconv_core::is_printable));
        let _ = writeln!(
            text,
            "  lines{}",
            lines.0.iter().fold(String::new(), |all, hash| format!("{all} {hash:08x}"))
        );
        let mut sorted: Vec<_> =
            errors.iter().map(|((rule, hash), count)| (rule.id(), hash, count)).collect();
        sorted.sort_unstable();
        for (rule, hash, count) in sorted {
            let times = if *count > 1 { format!(" x{count}") } else { String::new() };
            let _ = writeln!(text, "  {rule} {hash:016x}{times}");
        }
    }
    text + LAST + "\n"
}

/// Parses the text of a baseline.
///
/// # Errors
/// If the text is not a valid baseline; the message has the line number.
pub fn read(text: &[u8]) -> Result<Files, String> {
    let text = std::str::from_utf8(text).map_err(|_| "not a baseline of utfconv: not UTF-8".to_string())?;
    let mut lines =
        (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    match lines.next() {
        Some((_, FIRST)) => {}
        Some((_, line)) if line.starts_with(BEGINNING) => {
            return Err(
                "a baseline of another version of utfconv; write it again with --write-baseline".to_string()
            );
        }
        _ => return Err(format!("not a baseline of utfconv: it does not begin with '{FIRST}'")),
    }
    let mut files = Files::new();
    let mut current: Option<(Vec<u8>, Recorded)> = None;
    let mut last_error = None;
    let again = "write the baseline again with --write-baseline";
    while let Some((number, line)) = lines.next() {
        let wrong = |why: &str| format!("line {number}: {why}; {again}");
        if line == LAST {
            files.extend(current.take());
            return match lines.next() {
                None => Ok(files),
                Some((number, _)) => Err(format!("line {number}: more follows the end; {again}")),
            };
        }
        if let Some(name) = line.strip_prefix("file ") {
            let name = percent::decoded(name).filter(|name| !name.is_empty());
            let name = name.ok_or_else(|| wrong("expected the name of a file"))?;
            files.extend(current.take());
            if files.last_key_value().is_some_and(|(last, _)| *last >= name) {
                return Err(wrong("the files are not sorted, or one is listed again"));
            }
            current = Some((name, Recorded::default()));
            last_error = None;
            continue;
        }
        let (Some(entry), Some((_, recorded))) = (line.strip_prefix("  "), &mut current) else {
            return Err(wrong("expected 'file', an error, or 'end'"));
        };
        if let Some(hashes) = entry.strip_prefix("lines") {
            recorded.lines = hashes_of(hashes).ok_or_else(|| wrong("expected the hashes of lines"))?;
            continue;
        }
        let (rule, hash, count) = error(entry).ok_or_else(|| wrong("expected a rule, a hash and a count"))?;
        let this_error = Some((rule.id(), hash));
        if last_error >= this_error {
            return Err(wrong("the errors are not sorted, or one is listed again"));
        }
        last_error = this_error;
        recorded.errors.insert((rule, hash), count);
    }
    Err(format!("it is cut off: the line 'end' is missing; {again}"))
}

fn hashes_of(text: &str) -> Option<Sketch> {
    let hashes: Vec<_> = text.split_whitespace().map(|hash| hexadecimal(hash, 8)).collect::<Option<_>>()?;
    let sketch: BTreeSet<u32> = hashes.iter().map(|hash| *hash as u32).collect();
    (sketch.len() <= Sketch::MOST).then_some(Sketch(sketch))
}

/// Parses `RULE HASH` or `RULE HASH xCOUNT`.
fn error(entry: &str) -> Option<(Rule, u64, u64)> {
    let mut words = entry.split(' ');
    let (rule, hash) = (Rule::for_name(words.next()?)?, hexadecimal(words.next()?, 16)?);
    let count = match words.next() {
        None => 1,
        Some(times) => times.strip_prefix('x')?.parse().ok().filter(|count| *count > 1)?,
    };
    words.next().is_none().then_some((rule, hash, count))
}

fn hexadecimal(text: &str, digits: usize) -> Option<u64> {
    let is_right = text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_right.then(|| u64::from_str_radix(text, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Files {
        let errors =
            Errors::from([((Rule::IllFormed, 1), 2), ((Rule::Bom, u64::MAX), 1), ((Rule::Nul, 7), 1)]);
        let lines = Sketch(BTreeSet::from([1, u32::MAX]));
        let recorded = Recorded { lines, errors };
        let names = [&b"a b/100%.txt"[..], b"x\xFF\n", "日本".as_bytes(), b"end"];
        names.into_iter().map(|name| (name.to_vec(), recorded.clone())).collect()
    }

    #[test]
    fn what_is_written_is_read() {
        for files in [Files::new(), sample()] {
            let text = write(&files);
            assert_eq!(read(text.as_bytes()), Ok(files));
        }
        let text = write(&sample());
        let part = "file a b/100%25.txt\n  lines 00000001 ffffffff\n  bom ffffffffffffffff\n  ill-formed 0000000000000001 x2\n  nul 0000000000000007\nfile end\n";
        assert!(text.contains(part), "{text}");
    }

    /// A baseline that is cut off or altered is refused, with the line and the reason.
    #[test]
    fn damage_is_found() {
        let text = write(&sample());
        for end in 0..text.len() - 1 {
            let cut = read(&text.as_bytes()[..end]).expect_err("cut off");
            assert!(
                cut.contains("not a baseline") || cut.contains("line ") || cut.contains("cut off"),
                "{cut}"
            );
        }
        for (from, to, why) in [
            ("baseline 1", "baseline 2", "another version"),
            ("utfconv", "other", "not a baseline"),
            ("  nul 0000000000000007", "  null 0000000000000007", "line 7: expected a rule"),
            ("  nul 0000000000000007", "<<<<<<< HEAD", "line 7: expected 'file'"),
            ("  nul 0000000000000007", "  bom 0000000000000007", "line 7: the errors are not sorted"),
            ("  nul 0000000000000007", "  nul 7", "line 7: expected a rule"),
            ("x2", "x0", "line 6: expected a rule"),
            ("00000001 ff", "0001 ff", "line 4: expected the hashes"),
            ("file end", "file a", "line 8: the files are not sorted"),
            ("%25", "%2", "line 3: "),
            ("\nend\n", "\nend\nend\n", "more follows the end"),
        ] {
            let damaged = text.replacen(from, to, 1);
            assert_ne!(damaged, text, "{from}");
            let error = read(damaged.as_bytes()).expect_err(to);
            assert!(error.contains(why), "{to}: {error}");
        }
    }
}
