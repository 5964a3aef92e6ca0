//! The report of the findings in a file, as text.

use std::ffi::OsStr;
use std::fmt::Write;

use memchr::memmem;
use utfconv_core::{Encoding, FaultBytes, Position};
use utfconv_detect::Certainty;
use utfconv_repair::{Change, Found, NearUtf8, Suspect, Whole};
use utfconv_scan::common::{common_end, common_start};

use crate::batch::{Cause, FileLine, Job, NotEdited, Skipped};
use crate::commands::old_versions::MARK;
use crate::ui::quote::{as_argument, counted, one_line};

/// Maximum number of characters of a text that a line shows.
const SHOWN: usize = 40;

/// Label of suspicious text that stays.
pub const NOT_REPAIRED: &str = "not repaired";

/// The lines of the report for a file, and the counts.
#[derive(Debug, Default)]
pub struct FileReport {
    /// All lines.
    pub lines: String,
    /// Only the lines about suspicious text that stays.
    pub left_lines: String,
    /// Number of changes.
    pub changes: u64,
    /// Number of suspicious texts that stay.
    pub left: u64,
    /// Number of bytes before the changes.
    pub read: u64,
    /// Number of bytes after the changes.
    pub written: u64,
    /// Number of lines about changes, and number of lines about suspicious texts.
    reported: [u64; 2],
    /// Number of changes, and of suspicious texts, that have no line because of the limit.
    pub unlisted: [u64; 2],
    /// Whether there are more changes or suspicious texts than the counts say, because a list was cut.
    pub is_cut: bool,
    /// Line and column at which the next window begins.
    position: Position,
    /// Number of U+FFFD in the file.
    gaps: u64,
    /// Position, and offset in bytes, of the first U+FFFD.
    first_gap: Option<(Position, u64)>,
}

/// Collects, for all files, the characters that earlier programs lost.
#[derive(Default)]
pub struct Gaps {
    files: u64,
    first: Option<String>,
}

impl Gaps {
    /// Adds the lost characters of one file.
    pub fn add(&mut self, job: &Job, report: &FileReport) {
        let Some((position, byte)) = report.first_gap else { return };
        self.files += 1;
        self.first.get_or_insert_with(|| {
            let place = format!("{}:{}:{}", job.shown(), position.line(), position.column());
            let path = as_argument(job.path());
            let lost = report.lost();
            format!(
                "{place}: warning: U+FFFD at byte {byte}: {lost}; \
                 'utfconv repair --history {path}' looks for an old version in git, \
                 and 'utfconv repair --from=OLD {path}' uses a copy"
            )
        });
    }

    /// Returns a warning about the lost characters, which cannot be repaired without an old version.
    pub fn warning(self) -> Option<String> {
        let more = self.files.saturating_sub(1);
        let first = self.first?;
        let others = match more {
            0 => String::new(),
            _ => format!("; U+FFFD is in {} too", counted(more, "other file")),
        };
        Some(first + &others)
    }
}

/// The report of a file, and the reason if the file was not changed.
#[derive(Default)]
pub struct FileOutcome {
    pub report: FileReport,
    /// Why the file, which was found in a directory, is skipped.
    skipped: Option<Skipped>,
    /// Why the file is not changed: the cause, and the text of a message.
    failed: Option<(Cause, String)>,
}

impl FileOutcome {
    /// Whether suspicious text stays in the file, or the file is not changed because of an error.
    pub fn has_failed(&self) -> bool {
        self.failed.is_some() || self.report.left > 0
    }

    /// Records that a file is not changed.
    pub fn fail(&mut self, job: &Job, why: NotEdited) {
        match why {
            NotEdited::Skipped(skipped) if !skipped.is_error(job) => {
                *self = FileOutcome { skipped: Some(skipped), ..FileOutcome::default() };
            }
            why => self.failed = Some((Cause::of_not_edited(&why), why.reason())),
        }
    }

    /// Returns the error of the file, as a message.
    pub fn error(&self, name: &str) -> Option<String> {
        self.failed.as_ref().map(|(_, why)| format!("{name}: {why}"))
    }

    /// Returns the line of JSON for the file.
    pub fn line<'a>(&'a self, name: &'a OsStr) -> FileLine<'a> {
        let FileReport { changes, left, read, written, .. } = self.report;
        let line = FileLine { not_repaired: left, ..FileLine::new(name, UNCHANGED) };
        match (&self.skipped, &self.failed) {
            (Some(Skipped { kind, why }), _) => line.because("skipped", Cause::of(*kind), why),
            (None, Some((cause, why))) => line.because("failed", *cause, why),
            (None, None) if changes == 0 => line,
            (None, None) => FileLine { outcome: REPAIRED, repairs: changes, ..line }.lengths(read, written),
        }
    }
}

/// Outcome of a file in JSON that was repaired.
pub const REPAIRED: &str = "repaired";
/// Outcome of a file in JSON that has nothing to repair.
pub const UNCHANGED: &str = "unchanged";

/// A finding that a line of the report describes.
enum Item<'a> {
    Change(&'a Change),
    Suspect(&'a Suspect),
}

impl Item<'_> {
    /// Returns the offset in the window at which the finding begins.
    fn start(&self, window: &[u8]) -> usize {
        match self {
            Item::Change(change) => change.range.start + Damage::of(window, change).start,
            Item::Suspect(suspect) => suspect.range.start,
        }
    }
}

impl FileReport {
    /// Adds the findings in a window, which begins at the byte `offset` of a file. `most` is the maximum number of
    /// lines for changes, and for suspicious texts; 0 means no limit.
    pub fn add(&mut self, name: &str, window: &[u8], offset: u64, found: &Found, most: u64) {
        self.find_gaps(window, offset);
        self.changes += found.changes.len() as u64;
        self.left += found.suspects.len() as u64;
        let mut all: Vec<Item> = found.changes.iter().map(Item::Change).collect();
        all.extend(found.suspects.iter().map(Item::Suspect));
        all.sort_by_cached_key(|item| item.start(window));
        let mut at = 0;
        for item in all {
            // Changes and suspicious texts are limited separately.
            let kind = usize::from(matches!(item, Item::Suspect(_)));
            let reported = &mut self.reported[kind];
            if most > 0 && *reported >= most {
                self.unlisted[kind] += 1;
                continue;
            }
            *reported += 1;
            let start = item.start(window);
            self.pass(&window[at..start.max(at)]);
            at = start.max(at);
            let (line, column, byte) = (self.position.line(), self.position.column(), offset + start as u64);
            let place = format!("{name}:{line}:{column}");
            match item {
                Item::Change(change) => {
                    let _ = writeln!(self.lines, "{place}: {}", of_change(window, change, byte));
                }
                Item::Suspect(suspect) => {
                    self.leave(&format!("{place}: {}", of_suspect(window, suspect, byte)));
                }
            }
        }
        self.pass(&window[at..]);
    }

    /// Counts U+FFFD in a window. Must be called before the findings of the window are added.
    pub fn find_gaps(&mut self, window: &[u8], offset: u64) {
        for at in memmem::find_iter(window, MARK) {
            self.gaps += 1;
            let place = || (self.position.past(&window[..at], at as u64), offset + at as u64);
            self.first_gap.get_or_insert_with(place);
        }
    }

    /// Turns the warning about U+FFFD, if there is one, into an error with the reason `why`.
    pub fn add_gaps(&mut self, name: &str, why: &str) {
        let Some((position, byte)) = self.first_gap.take() else { return };
        let place = format!("{name}:{}:{}", position.line(), position.column());
        self.note(&place, &format!("error: U+FFFD at byte {byte}: {}, and {why}", self.lost()));
    }

    /// Returns a clause with the number of lost characters.
    fn lost(&self) -> String {
        match self.gaps {
            1 => "a character is lost".to_string(),
            count => format!("{count} characters of this file are lost"),
        }
    }

    /// Adds a line about the whole file, without a position.
    pub fn note(&mut self, name: &str, text: &str) {
        self.left += 1;
        self.leave(&format!("{name}: {text}"));
    }

    /// Adds a line about suspicious text that stays.
    pub fn leave(&mut self, line: &str) {
        [&mut self.lines, &mut self.left_lines].into_iter().for_each(|lines| *lines += &format!("{line}\n"));
    }

    /// Returns the last line, with the counts. `done` is the word for the changes; if `None`, changes are not counted.
    pub fn summary(&self, name: &str, done: Option<&str>) -> String {
        let mut parts = Vec::new();
        if let Some(done) = done.filter(|_| self.changes > 0) {
            parts.push(format!("{} {done}", counted(self.changes, "change")));
        }
        if self.left > 0 {
            parts.push(format!("{} {NOT_REPAIRED}", self.left));
        }
        // If changes are not counted, lines about changes are not printed either.
        let unlisted = self.unlisted[usize::from(done.is_none())..].iter().sum();
        if unlisted > 0 {
            let lines = counted(unlisted, "line");
            parts.push(if self.is_cut {
                format!("at least {lines} not listed; use --max-errors=0 to list a thousand")
            } else {
                format!("{lines} not listed; use --max-errors=0 to list all")
            });
        }
        if parts.is_empty() { String::new() } else { format!("{name}: {}\n", parts.join(", ")) }
    }

    fn pass(&mut self, text: &[u8]) {
        self.position = self.position.past(text, text.len() as u64);
    }
}

/// Returns the reason of a change, such as `UTF-8 read as windows-1252`.
pub fn why(change: &Change) -> String {
    let mut words: Vec<String> =
        change.mistakes.iter().map(|mistake| format!("read as {}", mistake.name())).collect();
    // The mistakes are in the order of undoing, so reverse them.
    words.reverse();
    let was = change.mistakes.last().map(|mistake| mistake.was());
    let double = was.map(|was| format!("{was} {}", words.join(", then ")));
    let encoding = change.encoding.map(|encoding| format!("{} instead of UTF-8", encoding.name()));
    encoding.into_iter().chain(double).collect::<Vec<_>>().join(", and ")
}

/// Returns the line about a file that is as a whole in one other encoding, with the command that converts it.
pub fn of_whole(whole: Whole, path: &OsStr) -> String {
    let is_stdin = path == "-";
    let name = if is_stdin { "-".to_string() } else { as_argument(path) };
    let convert = |encoding: &str| {
        if is_stdin {
            // `-i` is left out, because standard input cannot be converted in place.
            format!("use 'utfconv -f {encoding}'")
        } else {
            format!("use 'utfconv -i -f {encoding} {name}'")
        }
    };
    let is_certain = whole.certainty == Certainty::Certain;
    let advice = match whole.encoding.map(Encoding::name) {
        Some(encoding) if whole.certainty == Certainty::Guess => {
            format!("its encoding may be {encoding}: 'utfconv detect {name}' shows why")
        }
        Some(encoding) if is_certain => format!("it is {encoding}; {}", convert(encoding)),
        Some(encoding) => format!("it seems to be {encoding}; {}", convert(encoding)),
        None => format!("its encoding is unknown; {}", convert("ENCODING")),
    };
    format!("{NOT_REPAIRED}: not UTF-8, and not mixed; {advice}")
}

fn of_change(window: &[u8], change: &Change, byte: u64) -> String {
    let (why, Damage { was, is, .. }) = (why(change), Damage::of(window, change));
    format!("repair: {why} at byte {byte}: {} is \"{}\"", shown(was), cut(is))
}

/// The part of a change that differs, extended to whole words, because a change may span a whole line.
struct Damage<'a> {
    /// Number of bytes at the start of the change that stay.
    start: usize,
    was: &'a [u8],
    is: &'a str,
}

impl Damage<'_> {
    fn of<'a>(window: &'a [u8], change: &'a Change) -> Damage<'a> {
        let (was, is) = (&window[change.range.clone()], &*change.text);
        let start = is.floor_char_boundary(common_start(was, is.as_bytes()));
        let end = common_end(&was[start..], &is.as_bytes()[start..]);
        let end = is.ceil_char_boundary(is.len() - end);
        // The text around the difference is the same in both versions.
        let first = is[..start].rfind(' ').map_or(0, |blank| blank + 1);
        let last = is[end..].find([' ', '\n']).map_or(is.len(), |blank| end + blank);
        let first = if start - first > SHOWN / 2 { start } else { first };
        Damage { start, was: &was[first..was.len() - (is.len() - last)], is: &is[first..last] }
    }
}

fn of_suspect(window: &[u8], suspect: &Suspect, byte: u64) -> String {
    let is = shown(&window[suspect.range.clone()]);
    let lost = || "some of its bytes are lost".to_string();
    let (what, why) = match (suspect.mistake, suspect.near) {
        (Some(mistake), _) => {
            let why = suspect.was.as_ref().map(|was| format!("it is not proven to be \"{}\"", cut(was)));
            (format!("{} read as {}", mistake.was(), mistake.name()), why.unwrap_or_else(lost))
        }
        (None, Some(NearUtf8::Truncated)) => ("truncated UTF-8".to_string(), lost()),
        (None, Some(NearUtf8::Cesu8)) => {
            ("CESU-8".to_string(), "use --candidates=CESU-8 to decode it".to_string())
        }
        (None, _) => {
            let advice = "use --candidates, such as --candidates=windows-1252";
            ("not UTF-8".to_string(), format!("its encoding is not proven; {advice}"))
        }
    };
    format!("{NOT_REPAIRED}: {what} at byte {byte}: {is}: {why}")
}

/// Shows a part of a file: as text, or as hexadecimal bytes if it is not UTF-8.
fn shown(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => format!("\"{}\"", cut(text)),
        Err(_) => {
            let more = if bytes.len() > FaultBytes::MAX { " ..." } else { "" };
            format!("{}{more}", FaultBytes::new(&bytes[..bytes.len().min(FaultBytes::MAX)]))
        }
    }
}

/// Returns the beginning of a text, escaped for a terminal.
fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", one_line(&text[..end])),
        None => one_line(text).into_owned(),
    }
}
