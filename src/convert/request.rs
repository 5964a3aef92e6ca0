//! What a conversion is asked to do: its options, before they are resolved against each other.

use std::ffi::OsString;

use utfconv_core::{
    ByteEscape, EbcdicNewline, InputBom, NormalizationForm, OnIllFormed, OnUnmappable, OutputBom,
    ScalarEscape, Template,
};

use crate::convert::newlines::Changed;
use crate::convert::ranges::RangeFormat;
use crate::files::ranges::Bounds;
use crate::files::replace::{Durability, InPlace};
use crate::files::source::Mapping;
use crate::files::walk::Targets;
use crate::ui::names::Name;

/// The options of a conversion, as typed.
pub struct Request {
    /// None is detected for each input.
    pub from: Option<Name>,
    pub to: Name,
    /// A detected encoding may be only a guess.
    pub accepts_guess: bool,
    pub input_bom: Option<InputBom>,
    pub output_bom: Option<OutputBom>,
    /// The policy given for each kind of error, and the option that gave it.
    pub ill_formed: Option<(OnIllFormed, By)>,
    pub unmappable: Option<(OnUnmappable, By)>,
    pub per_byte: bool,
    pub ebcdic_newline: EbcdicNewline,
    pub normalization: Option<NormalizationForm>,
    pub max_errors: u64,
    pub lossy_status: Option<bool>,
    pub silent: bool,
    pub stats: bool,
    pub verbose: bool,
    pub newlines: Changed,
    pub range: Option<Bounds>,
    pub first_line: Option<u64>,
    pub product: Product,
    pub mapping: Mapping,
    pub force_terminal: bool,
    pub buffer_size: Option<usize>,
    pub threads: Option<usize>,
    pub in_place: Option<InPlace>,
    pub output_dir: Option<OsString>,
    pub recursive: bool,
    /// The inputs, and lists of more inputs.
    pub targets: Targets,
    pub dry_run: bool,
    pub verify: bool,
    pub again: bool,
    pub sync: Option<Durability>,
    pub output: Option<OsString>,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            from: Some(Name::UTF_8),
            to: Name::UTF_8,
            accepts_guess: false,
            input_bom: None,
            output_bom: None,
            ill_formed: None,
            unmappable: None,
            per_byte: false,
            ebcdic_newline: EbcdicNewline::default(),
            normalization: None,
            max_errors: 100,
            lossy_status: None,
            silent: false,
            stats: false,
            verbose: false,
            newlines: Changed::NOTHING,
            range: None,
            first_line: None,
            product: Product::Text,
            mapping: Mapping::Auto,
            force_terminal: false,
            buffer_size: None,
            threads: None,
            in_place: None,
            output_dir: None,
            recursive: false,
            targets: Targets::default(),
            dry_run: false,
            verify: false,
            again: false,
            sync: None,
            output: None,
        }
    }
}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    Text,
    /// The length of the output.
    Count,
    /// This many ranges of the input, each for a separate run.
    Ranges {
        count: u64,
        form: RangeFormat,
    },
}

/// The policy that `--byte-subst` sets.
pub fn by_byte_template(template: Template) -> (OnIllFormed, By) {
    (OnIllFormed::Escape(ByteEscape::Template(template)), By::Template)
}

/// The policy that `--unicode-subst` sets.
pub fn by_scalar_template(template: Template) -> (OnUnmappable, By) {
    (OnUnmappable::Escape(ScalarEscape::Template(template)), By::Template)
}
