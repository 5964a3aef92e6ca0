//! The plan of a check, made from the options.

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
    /// `None` if nothing is repaired.
    pub fix: Option<Fix>,
    /// True if no PATH, `--tracked` or revision was given, so that the current directory is checked.
    pub is_default_path: bool,
    /// True if `utfconv.toml`, `.editorconfig` and `.gitattributes` are read.
    pub reads_configuration: bool,
    /// The `utfconv.toml` that `--config` names.
    pub config: Option<OsString>,
    /// The baseline that `--baseline` names; its errors are known and not reported.
    pub baseline: Option<OsString>,
    /// The file to which `--write-baseline` writes all errors instead of reporting them.
    pub writes_baseline: Option<OsString>,
    /// The file whose configuration `--show-config` prints; nothing is checked.
    pub shows_config: Option<OsString>,
    /// Maximum number of findings that are listed for all files together.
    pub max_total: u64,
    pub verbose: bool,
    pub excerpt: When,
    pub color: When,
    pub exit_zero: bool,
    /// `None` means a thread per processor.
    pub threads: Option<usize>,
}

/// How files are repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// Minimum certainty of a file's encoding for a conversion.
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
    /// Nothing is written, and the names of the files that would be repaired are printed.
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
    /// Only messages about I/O errors are printed.
    Nothing,
}

/// How files are checked, and how many findings are kept.
#[derive(Clone)]
pub struct Settings {
    /// The encoding from the command line, which takes precedence over any configuration.
    pub encoding: Option<&'static Encoding>,
    /// Whether the name of the encoding requires or forbids a BOM, as the name UTF-8-BOM does.
    pub bom: Option<Demand>,
    pub newline: EbcdicNewline,
    pub selection: Selection,
    /// `None` skips binary files found in directories, and checks those named on the command line.
    pub binary: Option<Binary>,
    /// Maximum number of findings that are listed for a file.
    pub max_listed: u64,
    /// Maximum number of lines with lost characters that a summary lists for a file.
    pub max_lost: u64,
    /// Maximum number of findings in a file; the next finding ends the reading of the file.
    pub max_found: u64,
    pub excerpts: bool,
    pub verdicts: Verdicts,
    /// True if findings have hints when the cause is certain.
    pub hints: bool,
    /// True if statistics are collected.
    pub stats: bool,
    /// `None` checks the whole of each file.
    pub range: Option<Bounds>,
    /// Line number at the start of the range, if known.
    pub first_line: Option<u64>,
    /// Encoding for which statistics list the characters that it cannot encode.
    pub target: Option<&'static Encoding>,
    /// True if only characters that `target` cannot encode are reported, as errors.
    pub only_lost: bool,
    pub buffer_size: usize,
    /// True if files are repaired; configured baselines are then ignored.
    pub fixes: bool,
    /// True if errors that the old version of a file has are not reported.
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
    /// Binary files are skipped, and counted.
    Skip,
    /// Binary files are checked like text.
    Check,
    /// Each binary file is an error.
    Error,
}

/// How a file that is plainly in another encoding is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdicts {
    /// No verdict is sought.
    None,
    /// One finding replaces all ill-formed sequences.
    Summary,
    /// All findings are listed, and the verdict beside them.
    Beside,
}
