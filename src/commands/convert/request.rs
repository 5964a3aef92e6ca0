//! The request for a conversion: its options, before they are resolved against each other.

use std::ffi::OsString;
use utfconv_detect::{Grade, Hints};

use utfconv_core::{
    ByteEscape, EbcdicNewline, InputBom, NormalizationForm, OnIllFormed, OnUnmappable, OutputBom,
    ScalarEscape, Template,
};

use crate::batch::BatchOptions;
use crate::commands::convert::ranges::RangeFormat;
use crate::commands::convert::records::InputRecords;
use crate::files::ranges::Bounds;
use crate::files::replace::InPlace;
use crate::files::source::Mapping;
use crate::files::walk::Targets;
use crate::text::newlines::Changed;
use crate::ui::color::When;
pub use crate::ui::modes::Declarations;
use crate::ui::names::Name;

/// The options of a conversion, as typed.
#[derive(Default)]
pub struct Request {
    /// None is detected for each input.
    pub from: Option<Name>,
    pub to: Name,
    pub input_bom: Option<InputBom>,
    pub output_bom: Option<OutputBom>,
    pub ill_formed: Given<OnIllFormed>,
    pub unmappable: Given<OnUnmappable>,
    pub per_byte: bool,
    pub ebcdic_newline: EbcdicNewline,
    pub normalization: Option<NormalizationForm>,
    pub lossy_status: Option<bool>,
    pub in_place: Option<InPlace>,
    pub output_dir: Option<OsString>,
    pub recursive: bool,
    /// The inputs, and lists of more inputs.
    pub targets: Targets,
    pub batch: BatchOptions,
    pub output: Option<OsString>,
    pub settings: Settings,
}

/// The options that a plan takes as they are.
#[derive(Default)]
pub struct Settings {
    /// No input encoding was given.
    pub from_is_default: bool,
    /// A detected encoding may be only a guess.
    pub least_certainty: Option<Grade>,
    /// Hints for the detection of encodings.
    pub hints: Hints,
    pub newlines: Changed,
    /// Which byte of EBCDIC is a newline was given.
    pub is_newline_given: bool,
    /// The input has records, which are read as lines.
    pub records: Option<InputRecords>,
    /// None is the whole of each input.
    pub range: Option<Bounds>,
    /// The line in which the range starts, if known.
    pub first_line: Option<u64>,
    pub product: Product,
    pub mapping: Mapping,
    pub buffer_size: Option<usize>,
    /// None is one for each processor.
    pub threads: Option<usize>,
    pub force_terminal: bool,
    /// Errors that are reported at most; 0 is no limit.
    pub max_errors: u64,
    /// The limit was given: approximated characters are reported too, and not only counted.
    pub lists_approximated: bool,
    pub silent: bool,
    /// Statistics of the inputs are printed.
    pub stats: bool,
    pub verbose: bool,
    /// The outcome of each file is printed as JSON.
    pub json: bool,
    /// Files are converted, and nothing is written.
    pub dry_run: bool,
    /// Changes are printed in these colors, and nothing is written.
    pub diff: Option<When>,
    /// Each output file is read again, and must hold the text of its input.
    pub verify: bool,
    /// Files that seem already converted are converted too.
    pub reconverts: bool,
    /// Only newlines or BOMs are to change: a file need not be UTF-8 if no encoding is named.
    pub changes_form_only: bool,
    /// Newlines, BOMs or the normalization are to change, and no encoding is named: files should keep theirs.
    pub keeps_encoding: bool,
    /// Files that are partly UTF-8 are converted too.
    pub force: bool,
    /// How binary files of a batch are handled.
    pub binary: BinaryFiles,
    /// `utfconv.toml`, `.editorconfig` and `.gitattributes` are not read.
    pub ignores_configuration: bool,
    /// The `utfconv.toml` that was named.
    pub config: Option<OsString>,
    /// How declarations that are false in the output are handled.
    pub declarations: Declarations,
}

/// How binary files are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryFiles {
    #[default]
    Skip,
    Convert,
    /// They are copied to the directory for outputs.
    Copy,
}

/// The policy given for a kind of error, and the kind of option that gave it.
pub type Given<P> = Option<(P, By)>;

/// The kind of option that gave a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// One that names a mode.
    Mode,
    /// `-c`.
    Omit,
    /// One of the templates of libiconv; `-c` takes precedence.
    Template,
}

/// What a run produces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Product {
    #[default]
    Text,
    /// The length of the output.
    Count,
    /// This many ranges of the input, each for a separate run.
    Ranges { count: u64, form: RangeFormat },
}

/// Returns the policy that `--byte-subst` sets.
pub fn by_byte_template(template: Template) -> (OnIllFormed, By) {
    (OnIllFormed::Escape(ByteEscape::Template(template)), By::Template)
}

/// Returns the policy that `--unicode-subst` sets.
pub fn by_scalar_template(template: Template) -> (OnUnmappable, By) {
    (OnUnmappable::Escape(ScalarEscape::Template(template)), By::Template)
}
