//! What is meant: options resolved against each other. The errors are usage errors.

use std::ffi::OsString;

use anyhow::{Result, bail};
use utfconv::{Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy};

use super::args::{Args, By};
use super::message::inert;
use super::names::Suffixes;
use super::personality::Personality;
use super::source::{Input, Mapping};

/// A conversion, ready to run.
pub struct Plan {
    pub personality: Personality,
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
    /// What to tell the user before anything is done.
    pub warnings: Vec<String>,
    /// Whether faults that the policy dealt with make the status 1, for each kind.
    pub ill_formed_is_fault: bool,
    pub unmappable_is_fault: bool,
}

impl Plan {
    pub fn new(personality: Personality, args: Args) -> Result<Plan> {
        let (from, to) = (args.from.encoding, args.to.encoding);
        // What a name implies holds where no option says otherwise.
        let input_bom = args.input_bom.unwrap_or(match args.from.signed {
            Some(true) => InputBom::Strip,
            _ => InputBom::Auto,
        });
        let output_bom = args.output_bom.unwrap_or(match args.to.signed {
            Some(true) => OutputBom::Always,
            Some(false) => OutputBom::Never,
            None => OutputBom::Auto,
        });
        let Suffixes { translit, ignore, discard, .. } = args.to.suffixes;
        let given_ill_formed = with_suffix(args.ill_formed, ignore, OnIllFormed::Omit);
        let given_unmappable = with_suffix(args.unmappable, ignore || discard, OnUnmappable::Omit);
        let given_unmappable = if translit { Some(approximate(given_unmappable)) } else { given_unmappable };
        let ill_formed_by_c = matches!(given_ill_formed, Some((_, By::Omit)));
        let unmappable_by_c = matches!(given_unmappable, Some((_, By::Omit)));
        // Carriers work for both sides or not at all: a side without a mode of its own follows the other.
        let (ill_formed, unmappable) = match (given_ill_formed, given_unmappable) {
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
            OnIllFormed::Fallback(encoding) if encoding.unit() > 1 => {
                bail!("--ill-formed=fallback: {} does not read single bytes", encoding.name());
            }
            OnIllFormed::Fallback(_) if from.unit() > 1 => {
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
            personality,
            from,
            to,
            options: Options {
                input_bom,
                output_bom,
                policy: Policy { ill_formed, unmappable, per_byte: args.per_byte },
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
            warnings: [('f', args.from.suffixes), ('t', args.to.suffixes)]
                .into_iter()
                .flat_map(|(option, suffixes)| suffixes.unknown.into_iter().map(move |word| (option, word)))
                .map(|(option, word)| {
                    format!("warning: -{option}: unknown suffix //{} is ignored", inert(&word))
                })
                .collect(),
            ill_formed_is_fault: args.lossy_status.unwrap_or(ill_formed_by_c),
            unmappable_is_fault: args.lossy_status.unwrap_or(unmappable_by_c),
        })
    }
}

/// The policy for a side, where a suffix may ask to omit what is at fault as `-c` does.
fn with_suffix<P>(given: Option<(P, By)>, omits: bool, omit: P) -> Option<(P, By)> {
    match given {
        Some((_, By::Template)) | None if omits => Some((omit, By::Omit)),
        given => given,
    }
}

/// The policy with `//TRANSLIT`: what has no approximation is left to the policy given, or replaced.
fn approximate(given: Option<(OnUnmappable, By)>) -> (OnUnmappable, By) {
    let (policy, by) = given.unwrap_or((OnUnmappable::Replace(None), By::Mode));
    match policy {
        // Carriers have no place for approximations.
        OnUnmappable::Carry(_) | OnUnmappable::Translit(_) => (policy, by),
        policy => (OnUnmappable::Translit(Box::new(policy)), by),
    }
}
