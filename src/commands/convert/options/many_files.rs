//! The options for many files, each converted to a separate file.

use std::ffi::OsString;
use std::mem;

use anyhow::{Result, bail, ensure};
use clap::{ValueHint, value_parser};

use super::ConvertOptions;
use super::encodings::Encodings;
use super::ranges::RangeFormat;
use crate::batch::{BatchOptions, Destination, args, file_options};
use crate::files::in_place::loose_suffix;
use crate::files::replace::InPlace;
use crate::files::source::Mapping;
use crate::files::walk::Targets;
use crate::ui::color::When;
use crate::ui::options::{choice, color};
use crate::ui::quote::as_argument;
use crate::ui::table::{Matches, Table, flag, option, options};

/// Where the output of each file goes, and what is recorded.
#[derive(Default)]
pub struct BatchRequest {
    pub in_place: Option<InPlace>,
    pub output_dir: Option<OsString>,
    /// True if the files in directories are converted.
    pub recursive: bool,
    pub options: BatchOptions,
}

/// Options that select the files to convert, and guard their content.
#[derive(Default)]
pub struct FileOptions {
    /// True if files are converted and nothing is written.
    pub dry_run: bool,
    /// With `--diff`: use of color in the changes, which are printed instead of written.
    pub diff: Option<When>,
    /// True if each output file is read again, and must hold the text of its input.
    pub verify: bool,
    /// True if files that are partly in another encoding are converted.
    pub force: bool,
    pub binary: BinaryFiles,
    /// True if files that seem already converted are converted too.
    pub reconvert: bool,
}

/// How binary files are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryFiles {
    #[default]
    Skip,
    Convert,
    /// Binary files are copied to the directory for outputs.
    Copy,
}

/// Many files, each converted to a separate file.
pub struct Files {
    pub targets: Targets,
    pub destination: Destination,
    pub options: BatchOptions,
}

/// Pairs of an option and the option that it requires.
pub const NEEDS: &[(&str, &str)] = &[("color", "diff")];

pub fn define(table: Table) -> Table {
    table
        .heading("Many files")
        .add_all(&file_options::in_place(
            "Convert each FILE in place; =SUFFIX keeps the old file as a backup",
        ))
        .add_all(options![
            option("output-dir", "DIR", "Convert each FILE to a file in DIR, with the same relative path",)
                .with(|arg| { arg.value_parser(value_parser!(OsString)).value_hint(ValueHint::DirPath) }),
            flag("recursive", "With -i or --output-dir: convert the files in directories").short('r'),
        ])
        .add_all(&file_options::lists())
        .add_all(&file_options::in_directories())
        .add_all(options![
            file_options::tracked(),
            flag("dry-run", "Write nothing; report what would change and what would be lost"),
            flag("diff", "Write nothing; print what -i would change, as a patch for git apply")
                .conflicts_with(&["output-dir"]),
            color().help("With --diff: use color [default: auto]"),
            flag("verify", "Read each new file again; keep the old file if the text differs")
                .conflicts_with(&["dry-run", "diff"]),
        ])
        .add_all(&{
            let [manifest, undo] = args::manifest();
            [manifest, undo.conflicts_with(&["in-place", "output-dir", "output", "manifest"])]
        })
        .add_all(&args::failed())
        .add_all(options![
            flag("stop-on-error", "Stop at the first file that fails; leave the remaining files unchanged"),
            option("binary", "WHAT", "Set how -i and --output-dir handle binary files [default: skip]").with(
                |arg| {
                    arg.value_parser(choice(&[
                        (
                            "skip",
                            "Skip binary files; a binary file named as FILE or in a list is an error",
                            BinaryFiles::Skip,
                        ),
                        ("convert", "Convert binary files like text", BinaryFiles::Convert),
                        ("copy", "With --output-dir: copy binary files unchanged", BinaryFiles::Copy),
                    ]))
                }
            ),
            option("links", "WHAT", "Set how -r handles symbolic links in directories [default: skip]").with(
                |arg| {
                    arg.value_parser(choice(&[
                        ("skip", "Ignore the links", false),
                        ("copy", "With --output-dir: copy the links themselves", true),
                    ]))
                }
            ),
            flag("reconvert", "With -i or --output-dir: also convert files that seem already converted",),
            args::sync(),
        ])
}

/// True if each file is converted to a separate file.
pub fn is_batch(m: &Matches) -> bool {
    ["in-place", "output-dir"].iter().any(|option| m.is_given(option)) || shows_in_place(m)
}

/// Whether options show what `-i` would do, without `-i`: a diff, or a dry run with options for many files.
fn shows_in_place(m: &Matches) -> bool {
    const MANY: [&str; 8] =
        ["recursive", "files-from", "files0-from", "hidden", "no-ignore", "include", "exclude", "tracked"];
    let of_many = || MANY.iter().any(|option| m.is_given(option)) && !m.is_given("output-dir");
    m.is_given("diff") || m.is_given("dry-run") && of_many()
}

pub fn batch(m: &mut Matches) -> Result<BatchRequest> {
    let shows = shows_in_place(m);
    let in_place = file_options::how_in_place(m)?.or_else(|| shows.then(InPlace::default));
    Ok(BatchRequest {
        in_place,
        output_dir: m.remove_one("output-dir"),
        recursive: m.flag("recursive"),
        options: args::options(m),
    })
}

pub fn targets(m: &mut Matches) -> Result<Targets> {
    let targets = file_options::targets(m, "file")?;
    Ok(Targets { links: m.remove_one("links").unwrap_or_default(), ..targets })
}

pub fn from_matches(m: &mut Matches) -> FileOptions {
    FileOptions {
        dry_run: m.flag("dry-run") || m.flag("diff"),
        diff: m.flag("diff").then(|| m.remove_one("color").unwrap_or(When::Auto)),
        verify: m.flag("verify"),
        force: m.flag("force"),
        binary: m.remove_one("binary").unwrap_or_default(),
        reconvert: m.flag("reconvert"),
    }
}

/// Takes the files that are converted separately out of `asked`; `None` if all inputs become a single output.
pub fn take_files(asked: &mut ConvertOptions) -> Result<Option<Files>> {
    let diff = asked.files.diff;
    let (option, destination) = match (asked.batch.in_place.take(), asked.batch.output_dir.take()) {
        (None, None) => return refuse_without_batch(asked).map(|()| None),
        (Some(_), Some(_)) => bail!("--in-place cannot be used with --output-dir"),
        (Some(how), None) if diff.is_some() => ("--diff", Destination::InPlace(how)),
        (Some(how), None) => ("--in-place", Destination::InPlace(how)),
        (None, Some(directory)) => ("--output-dir", Destination::Directory(directory.into())),
    };
    let refuses_directories = !asked.batch.recursive;
    let targets = Targets { refuses_directories, ..mem::take(&mut asked.targets) };
    let options = mem::take(&mut asked.batch.options);
    let files = Files { targets, destination, options };
    files.refuse(option, asked)?;
    Ok(Some(files))
}

impl Files {
    /// Refuses options that cannot be used with `option`, which asks for separate files.
    fn refuse(&self, option: &str, asked: &ConvertOptions) -> Result<()> {
        let Files { targets, destination, options } = self;
        let FileOptions { dry_run, diff, binary, .. } = asked.files;
        let (has_files, has_stdin) = (!targets.is_empty(), targets.paths.iter().any(|name| name == "-"));
        ensure!(has_files, "{option} requires at least one FILE");
        ensure!(!has_stdin, "{option} cannot use standard input; write ./- for a file called -");
        ensure!(
            asked.ranges.is_whole_text(),
            "{option} converts whole files; it cannot be used with ranges or --count-output"
        );
        let is_mirror = matches!(destination, Destination::Directory(_));
        if asked.io.output.is_some() {
            // The advice on backups helps with `-iorig`, which means `-i -o rig`.
            let backup = if is_mirror { "" } else { "; to keep backups, use --in-place=SUFFIX" };
            bail!("{option} cannot be used with -o: each file has its own output{backup}");
        }
        if let Destination::InPlace(how) = destination
            && let Some(why) = loose_suffix(targets, how)
        {
            bail!("{why}");
        }
        ensure!(
            asked.io.mapping != Mapping::Always,
            "{option} cannot be used with --mmap=always: files that may be replaced are not mapped"
        );
        let is_json = asked.ranges.format == Some(RangeFormat::Json);
        ensure!(
            !(is_json && diff.is_some()),
            "--format=json and --diff cannot be used together: both are printed"
        );
        ensure!(
            is_mirror || binary != BinaryFiles::Copy,
            "--binary=copy requires --output-dir; with --in-place, binary files stay as they are"
        );
        ensure!(
            is_mirror || !targets.links,
            "--links=copy requires --output-dir; with --in-place, links stay as they are"
        );
        if options.manifest.is_some() {
            ensure!(!is_mirror, "--manifest requires --in-place");
            ensure!(!dry_run, "--manifest records what is written; omit it with --dry-run or --diff");
        }
        Ok(())
    }
}

/// Refuses options that are invalid if all inputs become a single output.
fn refuse_without_batch(asked: &ConvertOptions) -> Result<()> {
    let ConvertOptions { batch, files, targets, encodings, .. } = asked;
    // With `-o`, some options apply only if the output file is also the only input.
    let has_output = asked.io.output.is_some();
    for (option, is_given) in [
        ("-r", batch.recursive),
        ("--files-from", targets.lists.iter().any(|(_, end)| *end == b'\n')),
        ("--files0-from", !targets.lists.is_empty()),
        ("--hidden", targets.hidden),
        ("--no-ignore", targets.no_ignore),
        ("--tracked", targets.wanted.is_set()),
        ("--include", targets.globs.has_include()),
        ("--exclude", targets.globs.has_exclude()),
        ("--config", encodings.config.is_some()),
        ("--reconvert", files.reconvert && !has_output),
        (
            "--binary",
            files.binary == BinaryFiles::Copy || files.binary == BinaryFiles::Convert && !has_output,
        ),
        ("--links=copy", targets.links),
        ("--sync", batch.options.sync.is_some()),
        ("--failed", batch.options.failed.is_some()),
        ("--stop-on-error", batch.options.stops),
    ] {
        ensure!(!is_given, "{option} requires --in-place or --output-dir");
    }
    ensure!(
        !files.verify || has_output,
        "{}; to find errors, use '{}'",
        requires_own_output("--verify"),
        check_command(encodings, targets)
    );
    ensure!(batch.options.manifest.is_none(), "--manifest requires --in-place");
    ensure!(!files.dry_run || asked.ranges.is_whole_text(), "--dry-run works on whole inputs, not on ranges");
    Ok(())
}

/// Returns the error that an option was given for inputs that are not each converted to a separate file.
pub fn requires_own_output(option: &str) -> String {
    format!("{option} requires --in-place, --output-dir, or -o FILE with FILE as the only input")
}

/// Maximum number of inputs that an error names.
const MAX_NAMED: usize = 5;

/// Returns the command that checks the inputs.
fn check_command(encodings: &Encodings, targets: &Targets) -> String {
    let from = encodings.from_as_typed.as_ref().filter(|_| encodings.from.is_some());
    let option = from.map_or(String::new(), |from| format!("-f {} ", as_argument(from)));
    let argument = |path: &OsString| if path == "-" { "-".to_string() } else { as_argument(path) };
    let files = match targets.paths.len() {
        0 => "-".to_string(),
        1..=MAX_NAMED => targets.paths.iter().map(argument).collect::<Vec<_>>().join(" "),
        _ => "FILE...".to_string(),
    };
    format!("utfconv check {option}{files}")
}
