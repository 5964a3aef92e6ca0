//! What is meant: options resolved against each other. The errors are usage errors.

use std::ffi::OsString;

use anyhow::{Result, bail};
use utfconv::{Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy};

use super::args::Args;
use super::source::{Input, Mapping};

/// A conversion, ready to run.
pub struct Plan {
    pub from: &'static Encoding,
    pub to: &'static Encoding,
    pub options: Options,
    pub inputs: Vec<Input>,
    /// None is standard output.
    pub output: Option<OsString>,
    pub mapping: Mapping,
    pub buffer_size: Option<usize>,
    pub force_terminal: bool,
    pub max_faults: u64,
    pub silent: bool,
    pub verbose: bool,
    /// Whether faults that the policy dealt with make the status 1, for each kind.
    pub ill_formed_is_fault: bool,
    pub unmappable_is_fault: bool,
}

impl Plan {
    pub fn new(args: Args) -> Result<Plan> {
        let Args { from, to, input_bom, output_bom, .. } = args;
        let ill_formed_by_c = matches!(args.ill_formed, Some((_, true)));
        let unmappable_by_c = matches!(args.unmappable, Some((_, true)));
        // Carriers work for both sides or not at all: a side without a mode of its own follows the other.
        let (ill_formed, unmappable) = match (args.ill_formed, args.unmappable) {
            (Some((OnIllFormed::Carry(carrier), _)), None)
            | (None, Some((OnUnmappable::Carry(carrier), _))) => {
                (OnIllFormed::Carry(carrier), OnUnmappable::Carry(carrier))
            }
            (ill_formed, unmappable) => (
                ill_formed.map(|given| given.0).unwrap_or_default(),
                unmappable.map(|given| given.0).unwrap_or_default(),
            ),
        };
        match ill_formed {
            OnIllFormed::Raw if !to.is_ascii_compatible() => {
                bail!(
                    "--ill-formed=raw needs an output encoding that contains ASCII, and {} does not",
                    to.name()
                );
            }
            OnIllFormed::Fallback(encoding) if encoding.unit() > 1 || encoding.is_stateful() => {
                bail!("--ill-formed=fallback: {} does not read single bytes", encoding.name());
            }
            OnIllFormed::Fallback(_) if from.unit() > 1 || from.is_stateful() => {
                bail!("--ill-formed=fallback mends encodings of single bytes, not {}", from.name());
            }
            _ => {}
        }
        if output_bom == OutputBom::Always && !to.can_carry_signature() {
            bail!("--output-bom=always: {} has no signature", to.name());
        }
        if input_bom == InputBom::Require && !from.can_carry_signature() {
            bail!("--input-bom=require: {} has no signature", from.name());
        }
        if input_bom == InputBom::Keep && output_bom == OutputBom::Never {
            bail!("--input-bom=keep and --output-bom=never contradict each other");
        }
        Ok(Plan {
            from,
            to,
            options: Options {
                input_bom,
                output_bom,
                policy: Policy { ill_formed, unmappable, per_byte: args.per_byte },
                ebcdic_newline: args.ebcdic_newline,
                continues: false,
            },
            inputs: match args.inputs.is_empty() {
                true => vec![Input::stdin()],
                false => args.inputs.into_iter().map(Input::new).collect(),
            },
            output: args.output.filter(|name| name != "-"),
            mapping: args.mapping,
            buffer_size: args.buffer_size,
            force_terminal: args.force_terminal,
            max_faults: args.max_faults,
            silent: args.silent,
            verbose: args.verbose,
            ill_formed_is_fault: args.lossy_status.unwrap_or(ill_formed_by_c),
            unmappable_is_fault: args.lossy_status.unwrap_or(unmappable_by_c),
        })
    }
}
