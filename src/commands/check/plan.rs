//! What a check is to do.

use std::ffi::OsString;

use utfconv_core::{EbcdicNewline, Encoding};
use utfconv_detect::Certainty;

use super::baseline::MOST_COMPARED;
use super::formats::Format;
use super::rules::Selection;
use crate::batch::BatchOptions;
use crate::config::Demand;
use crate::files::ranges::Bounds;
use crate::files::walk::Targets;
use crate::ui::color::When;

/// A check, ready to run.
pub struct CheckPlan {
    pub settings: Settings,
    pub targets: Targets,
    pub output: Output,
    /// None if nothing is repaired.
    pub fix: Option<Fix>,
    /// No PATH, `--tracked` or revision was given: the current directory is checked.
    pub is_default_path: bool,
    /// `utfconv.toml`, `.editorconfig` and `.gitattributes` are read.
    pub reads_configuration: bool,
    /// The `utfconv.toml` that was named.
    pub config: Option<OsString>,
    /// Errors in this file are known.
    pub baseline: Option<OsString>,
    /// All errors are written to this file, and none is reported.
    pub writes_baseline: Option<OsString>,
    /// The file whose configuration is printed, and nothing checked.
    pub shows_config: Option<OsString>,
    /// The most findings that are listed in all.
    pub max_total: u64,
    pub verbose: bool,
    pub excerpt: When,
    pub color: When,
    pub exit_zero: bool,
    /// None means one per processor.
    pub threads: Option<usize>,
}

/// How files are repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// How certain the encoding of a file has to be to convert it.
    pub least_certainty: Certainty,
    pub writes: Writes,
    pub options: BatchOptions,
}

/// What becomes of the new content of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    Files,
    /// Nothing is written, and diffs are printed.
    Diff,
    /// Nothing is written, and the names of the files that would be are printed.
    Names,
}

/// What is printed.
#[derive(Clone, Copy)]
pub enum Output {
    Report(Format),
    /// The names of the files with errors, each followed by this byte.
    Names {
        end: u8,
    },
    /// Only messages about I/O errors.
    Nothing,
}

/// How each file is checked, and how much of the findings is kept.
#[derive(Clone)]
pub struct Settings {
    /// The encoding from the command line, which takes precedence over any configuration.
    pub encoding: Option<&'static Encoding>,
    /// What that name requires of the BOM.
    pub bom: Option<Demand>,
    pub newline: EbcdicNewline,
    pub selection: Selection,
    /// None means to skip those found in directories, and to check those named.
    pub binary: Option<Binary>,
    /// The most findings of a file that are listed.
    pub max_listed: u64,
    /// The most lines with lost characters of a file that are listed beside a summary.
    pub max_lost: u64,
    /// The most findings of a file; the next one ends its reading.
    pub max_found: u64,
    pub excerpts: bool,
    pub verdicts: Verdicts,
    /// Findings have hints, where the cause is certain.
    pub hints: bool,
    /// Statistics are collected.
    pub stats: bool,
    /// None means the whole of each file.
    pub range: Option<Bounds>,
    /// The line in which the range begins, if it is known.
    pub first_line: Option<u64>,
    /// The statistics list the characters that cannot be encoded in this one.
    pub target: Option<&'static Encoding>,
    /// Only those characters are reported, and are errors.
    pub only_lost: bool,
    pub buffer_size: usize,
    /// Files are repaired: no baseline is read.
    pub fixes: bool,
    /// Of files with an old version, only errors that it does not have are reported.
    pub only_new: bool,
}

impl Settings {
    /// Returns the settings that find all errors of an old version.
    pub fn of_old_versions(&self) -> Settings {
        Settings {
            max_listed: MOST_COMPARED,
            max_found: MOST_COMPARED,
            excerpts: false,
            verdicts: Verdicts::None,
            hints: false,
            stats: false,
            only_lost: false,
            only_new: false,
            ..self.clone()
        }
    }
}

/// How binary files are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// They are skipped, and counted.
    Skip,
    /// They are checked like any other.
    Check,
    /// Each is an error.
    Error,
}

/// What becomes of a file that is plainly in another encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdicts {
    /// It is not looked for.
    None,
    /// One finding replaces all ill-formed sequences.
    Summary,
    /// All findings, and the verdict beside them.
    Beside,
}
