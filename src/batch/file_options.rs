//! The options that select files, and a range of a file.

use std::ffi::{OsStr, OsString};

use anyhow::{Error, Result, ensure};
use clap::{Arg, ArgAction, value_parser};

use crate::files::draft::ENDING;
use crate::files::ranges::{Bounds, hides_lines};
use crate::files::replace::InPlace;
use crate::files::repository::Wanted;
use crate::files::walk::{Globs, Targets};
use crate::ui::options::{choice, file, needs, number};
use crate::ui::quote::{one_line, quoted};
use crate::ui::table::{Definition, Matches, flag, operand, option};

/// Returns the options that select files in directories.
pub const fn in_directories() -> [Definition; 4] {
    [
        flag("hidden", "In directories: include hidden files, except .git"),
        flag(
            "no-ignore",
            "In directories: include files that .gitignore, .ignore and .git/info/exclude exclude",
        ),
        option("include", "GLOB", "In directories: use only files that match GLOB (repeatable)").with(globs),
        option("exclude", "GLOB", "In directories: skip files and directories that match GLOB (repeatable)")
            .with(globs),
    ]
}

fn globs(arg: Arg) -> Arg {
    arg.action(ArgAction::Append).value_parser(glob)
}

/// Parses the pattern of `--include` or `--exclude`. A list with commas, which other options take, is refused, because
/// as a pattern it would match nothing.
fn glob(text: &str) -> Result<String, String> {
    const LIST: &str = "a pattern is no list; repeat the option, use braces such as '*.{txt,md}', \
        or write '\\,' for a comma in a name";
    let (mut depth, mut is_escaped) = (0, false);
    for scalar in text.chars() {
        match scalar {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => return Err(LIST.to_string()),
            _ => {}
        }
    }
    Ok(text.to_string())
}

/// The value of `--in-place` without a suffix.
const NO_SUFFIX: &str = "\0";

/// Returns the option for replacement in place, with the given help, and the options that modify it.
pub const fn in_place(help: &'static str) -> [Definition; 4] {
    [
        option("in-place", "SUFFIX", help).short('i').with(|arg| {
            arg.num_args(0..=1)
                .require_equals(true)
                // No argument can contain NUL, so that `--in-place=` differs from `--in-place`.
                .default_missing_value(NO_SUFFIX)
                .value_parser(value_parser!(OsString))
        }),
        option("backup", "HOW", "With -i=SUFFIX: set what happens if a backup exists [default: refuse]")
            .with(|arg| {
                arg.value_parser(choice(&[
                    ("refuse", "Report an error, and leave the file unchanged", false),
                    ("numbered", "Keep another backup, with a number after SUFFIX", true),
                ]))
            }),
        flag("preserve-time", "With -i: keep the access and modification times of files"),
        flag(
            "force",
            "Convert files of doubtful encoding; with -i, overwrite files that a rename cannot replace",
        ),
    ]
}

/// Returns how files are replaced in place; `None` if no files are replaced.
pub fn how_in_place(m: &mut Matches) -> Result<Option<InPlace>> {
    needs(m, "preserve-time", "in-place", "in-place")?;
    needs(m, "backup", "in-place", "in-place=SUFFIX")?;
    if !m.knows("output-dir") {
        needs(m, "force", "in-place", "in-place")?;
    } else if !["output-dir", "output"].iter().any(|other| m.knows(other) && m.is_given(other)) {
        needs(m, "force", "in-place", "in-place or --output-dir")?;
    }
    let Some(suffix) = m.remove_one::<OsString>("in-place") else { return Ok(None) };
    let backup = Some(suffix).filter(|suffix| suffix != NO_SUFFIX);
    backup.as_deref().map_or(Ok(()), refuse_suffix)?;
    let has_suffix = backup.is_some() || !m.is_given("backup");
    ensure!(has_suffix, "--backup requires a suffix; use --in-place=SUFFIX");
    let numbers_backups = m.remove_one("backup").unwrap_or_default();
    let (keeps_times, force) = (m.flag("preserve-time"), m.flag("force"));
    Ok(Some(InPlace { backup, numbers_backups, keeps_times, force, ..InPlace::default() }))
}

fn refuse_suffix(suffix: &OsStr) -> Result<()> {
    let (shown, bytes) = (quoted(suffix), suffix.as_encoded_bytes());
    let is_temporary = bytes.ends_with(ENDING.as_bytes());
    ensure!(!bytes.is_empty(), "--in-place= requires a suffix; use --in-place without '=' to keep no backup");
    ensure!(!bytes.contains(&b'/'), "--in-place={shown}: a suffix cannot contain '/'");
    ensure!(!is_temporary, "--in-place={shown}: utfconv uses this suffix for temporary files");
    Ok(())
}

/// Returns the option for files that git tracks.
pub const fn tracked() -> Definition {
    flag("tracked", "Use only files that git tracks")
}

/// Returns the options for files that are staged or changed in git.
pub const fn changed() -> [Definition; 2] {
    [
        flag("staged", "Check what is staged for the next commit, as it is in git's index")
            .conflicts_with(&["fix"]),
        option("since", "REV", "Use only tracked files that differ from revision REV")
            .conflicts_with(&["tracked"])
            .with(|arg| arg.value_parser(value_parser!(OsString))),
    ]
}

/// Returns the options for configuration files.
pub const fn config() -> [Definition; 2] {
    [
        option("config", "FILE", "Read FILE instead of searching for utfconv.toml")
            .conflicts_with(&["no-config"])
            .with(file),
        flag("no-config", "Do not read utfconv.toml, .editorconfig and .gitattributes"),
    ]
}

/// Returns the options for lists of names.
pub fn lists() -> [Definition; 2] {
    [
        option("files-from", "FILE", "Also read file names from FILE, one per line; '-' is standard input"),
        option("files0-from", "FILE", "Also read file names from FILE, each ended by NUL"),
    ]
    .map(|list| list.with(file))
}

/// Returns the targets that the user typed. `paths` is the ID of the operands.
pub fn targets(m: &mut Matches, paths: &str) -> Result<Targets> {
    let lists = [("files-from", b'\n'), ("files0-from", b'\0')];
    let lists: Vec<_> = lists.into_iter().filter_map(|(id, end)| Some((m.remove_one(id)?, end))).collect();
    let paths: Vec<OsString> = m.remove_many(paths).collect();
    let is_stdin = |name: &&OsString| *name == "-";
    let readers_of_stdin = lists.iter().map(|(list, _)| list).filter(is_stdin).count();
    let reads_names = readers_of_stdin > 0;
    ensure!(!reads_names || readers_of_stdin + paths.iter().filter(is_stdin).count() < 2, STDIN_TWICE);
    let mut globs = |id| m.remove_many::<String>(id).collect();
    let (include, exclude): (Vec<_>, Vec<_>) = (globs("include"), globs("exclude"));
    let globs = Globs::new(&include, &exclude).map_err(|error| Error::msg(one_line(&error).into_owned()))?;
    Ok(Targets {
        paths,
        lists,
        hidden: m.flag("hidden"),
        no_ignore: m.flag("no-ignore"),
        globs,
        wanted: wanted(m),
        ..Targets::default()
    })
}

/// Returns which files of repositories are wanted. A command need not define all of these options.
fn wanted(m: &mut Matches) -> Wanted {
    let is_set = |id| m.knows(id) && m.flag(id);
    let (tracked, staged) = (is_set("tracked"), is_set("staged"));
    Wanted { tracked, staged, since: if m.knows("since") { m.remove_one("since") } else { None } }
}

/// Returns the operands of commands that walk directories.
pub const fn paths() -> Definition {
    operand("path", "PATH", "Files and directories; '-' is standard input [default: .]").with(|arg| {
        arg.action(ArgAction::Append)
            .value_parser(value_parser!(OsString))
            .value_hint(clap::ValueHint::AnyPath)
    })
}

/// Returns the targets of a command that walks directories. Without operands, the only target is standard input if
/// `stdin_name` is given, otherwise `default`.
pub fn walked(m: &mut Matches, default: &str, stdin_name: Option<OsString>) -> Result<Targets> {
    let mut targets = targets(m, "path")?;
    if targets.is_empty() {
        targets.paths.push(if stdin_name.is_some() { "-" } else { default }.into());
    }
    ensure!(targets.paths.iter().filter(|path| *path == "-").count() < 2, STDIN_TWICE);
    Ok(Targets { stdin_name, once: true, ..targets })
}

const STDIN_TWICE: &str = "standard input can be read only once";

/// Returns the option for a range of bytes.
pub const fn range(help: &'static str) -> Definition {
    // All values are kept, so that a second value can be refused.
    option("range", "A:B", help).with(|arg| arg.action(ArgAction::Append).value_parser(Bounds::parse))
}

/// Returns the range that the user typed.
pub fn chosen_range(m: &mut Matches) -> Result<Option<Bounds>> {
    let mut ranges = m.remove_many("range");
    let range = ranges.next();
    ensure!(ranges.next().is_none(), "--range can be given only once; use a run for each range");
    Ok(range)
}

/// Returns the option for the line number at the start of a range.
pub const fn first_line() -> Definition {
    option("range-first-line", "N", "With --range: line number of byte A, for the line numbers in messages")
        .with(|arg| arg.value_parser(number(1..=1u64 << 62)))
}

/// Refuses a line number that does not fit the start of the range, and a missing line number if a report needs lines.
pub fn refuse_line(range: Option<Bounds>, first_line: Option<u64>, needs_lines: bool) -> Result<()> {
    let is_start = range.is_some_and(|bounds| bounds.start == 0);
    let is_possible = !is_start || first_line.is_none_or(|line| line <= 1);
    ensure!(is_possible, "--range-first-line: byte 0 is in line 1");
    ensure!(
        !needs_lines || !hides_lines(range, first_line),
        "--range: this report needs line numbers; give the line of byte A with --range-first-line=N"
    );
    Ok(())
}
