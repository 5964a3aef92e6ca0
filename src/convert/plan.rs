//! What is meant: options resolved against each other. The errors are usage errors.

use std::ffi::OsString;
use std::io;
use std::mem;
use std::path::PathBuf;

use anyhow::{Error, Result, bail};
use utfconv_core::{Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy};

use crate::convert::newlines::{Changed, Newlines};
use crate::convert::ranges;
use crate::convert::request::{Args, By, Product};
use crate::files::options::refuse_line;
use crate::files::ranges::{Bounds, hides_lines};
use crate::files::replace::{Durability, InPlace};
use crate::files::source::{Input, Mapping};
use crate::files::walk::Targets;
use crate::ui::names::Suffixes;
use crate::ui::personality::Personality;
use crate::ui::quote::{one_line, quoted};

/// A conversion, ready to run.
pub struct ConvertPlan {
    pub personality: Personality,
    /// None is to be found out for each input.
    pub from: Option<&'static Encoding>,
    /// What was found out may be no more than a guess.
    pub accepts_guess: bool,
    pub to: &'static Encoding,
    pub options: Options,
    pub newlines: Changed,
    /// None is the whole of each input.
    pub range: Option<Bounds>,
    /// The line in which that begins, if it is known.
    pub first_line: Option<u64>,
    pub product: Product,
    pub inputs: Vec<Input>,
    /// Each input becomes a file of its own; then `inputs` is empty.
    pub batch: Option<Batch>,
    /// None is standard output.
    pub output: Option<OsString>,
    pub mapping: Mapping,
    pub buffer_size: Option<usize>,
    /// None is as many as there are processors.
    pub threads: Option<usize>,
    pub force_terminal: bool,
    pub max_errors: u64,
    pub silent: bool,
    /// What the inputs are made of is told.
    pub stats: bool,
    pub verbose: bool,
    /// What to tell the user before anything is done.
    pub warnings: Vec<String>,
    /// Whether faults that the policy dealt with make the status 1, for each kind.
    pub ill_formed_is_fault: bool,
    pub unmappable_is_fault: bool,
}

/// Many files, each converted to one of its own.
pub struct Batch {
    pub targets: Targets,
    pub destination: Destination,
    /// Nothing is written.
    pub dry_run: bool,
    /// Each output is read again, and has to hold the text of its input.
    pub verify: bool,
    /// What seems to be in the output's encoding already is converted, too.
    pub again: bool,
    pub sync: Durability,
}

/// What a file is converted to.
pub enum Destination {
    /// Itself.
    InPlace(InPlace),
    /// One of the same name in this directory.
    Directory(PathBuf),
}

impl ConvertPlan {
    pub fn new(personality: Personality, mut args: Args) -> Result<ConvertPlan> {
        let batch = batch(&mut args)?;
        let (from, to) = (args.from.as_ref().map(|name| name.encoding), args.to.encoding);
        // What a name implies holds where no option says otherwise.
        let input_bom = args.input_bom.unwrap_or(match args.from.as_ref().and_then(|name| name.signed) {
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
        if let (OnIllFormed::Carry(one), OnUnmappable::Carry(other)) = (&ill_formed, &unmappable)
            && one != other
        {
            bail!("--ill-formed and --unmappable name different carriers; one holds for both");
        }
        if input_bom == InputBom::Keep && output_bom == OutputBom::Never {
            bail!("--input-bom=keep and --output-bom=never contradict each other");
        }
        let options = Options {
            input_bom,
            output_bom,
            policy: Policy { ill_formed, unmappable, per_byte: args.per_byte },
            ebcdic_newline: args.ebcdic_newline,
            normalization: args.normalization,
            continues: false,
        };
        from.map_or(Ok(()), |from| refuse_together(from, to, &options))?;
        if args.range.is_some() || matches!(args.product, Product::Ranges { .. }) {
            let Some(from) = from else {
                bail!(
                    "ranges: parts of a file have to agree on its encoding; utfconv detect FILE finds it out"
                );
            };
            ranges::refuse(from, to, &options)?;
            refuse_line(args.range, args.first_line).map_err(|refusal| Error::msg(refusal.text))?;
            if args.targets.paths.len() > 1 {
                bail!("ranges are of one file");
            }
            if args.stats && hides_lines(args.range, args.first_line) {
                bail!("--range: statistics tell lines: --first-line N gives that of byte A");
            }
        }
        if args.accepts_guess && from.is_some() {
            bail!("--accept-guess is for -f auto");
        }
        if Newlines::new(io::sink(), args.newlines, to, args.ebcdic_newline).is_none() {
            bail!("--newline, --final-newline: {} has no newlines", to.name());
        }
        Ok(ConvertPlan {
            personality,
            from,
            accepts_guess: args.accepts_guess,
            to,
            options,
            newlines: args.newlines,
            range: args.range,
            first_line: args.first_line,
            product: args.product,
            inputs: match batch.is_none() && args.targets.paths.is_empty() {
                true => vec![Input::stdin()],
                false => args.targets.paths.into_iter().map(Input::new).collect(),
            },
            batch,
            output: args.output.filter(|name| name != "-"),
            mapping: args.mapping,
            buffer_size: args.buffer_size,
            threads: args.threads,
            force_terminal: args.force_terminal,
            max_errors: args.max_errors,
            silent: args.silent,
            stats: args.stats,
            verbose: args.verbose,
            warnings: [
                ('f', args.from.map(|name| name.suffixes).unwrap_or_default()),
                ('t', args.to.suffixes),
            ]
            .into_iter()
            .flat_map(|(option, suffixes)| suffixes.unknown.into_iter().map(move |word| (option, word)))
            .map(|(option, word)| {
                format!("warning: -{option}: unknown suffix //{} is ignored", one_line(&word))
            })
            .collect(),
            ill_formed_is_fault: args.lossy_status.unwrap_or(ill_formed_by_c),
            unmappable_is_fault: args.lossy_status.unwrap_or(unmappable_by_c),
        })
    }
}

/// What encodings and options contradict each other.
pub fn refuse_together(from: &Encoding, to: &Encoding, options: &Options) -> Result<()> {
    let Options { input_bom, output_bom, policy, .. } = options;
    match policy.ill_formed {
        OnIllFormed::Raw if !to.is_ascii_compatible() => {
            bail!(
                "--ill-formed=raw needs an output encoding that contains ASCII, and {} does not",
                to.name()
            );
        }
        OnIllFormed::Carry(_) if from.is_stateful() || to.is_stateful() => {
            let name = if from.is_stateful() { from.name() } else { to.name() };
            bail!("carriers hold no bytes of {name}, whose meaning depends on those before them");
        }
        OnIllFormed::Fallback(encoding) if !encoding.is_of_bytes() => {
            bail!("--ill-formed=fallback: {} does not read single bytes", encoding.name());
        }
        OnIllFormed::Fallback(_) if !from.is_of_bytes() => {
            bail!("--ill-formed=fallback mends encodings of single bytes, not {}", from.name());
        }
        _ => {}
    }
    if *output_bom == OutputBom::Always && !to.can_carry_bom() {
        bail!("--output-bom=always: {} has no BOM", to.name());
    }
    refuse_input(from, *input_bom)
}

/// What policy for the BOM contradicts the encoding of the input.
pub fn refuse_input(from: &Encoding, input_bom: InputBom) -> Result<()> {
    if input_bom == InputBom::Require && !from.can_carry_bom() {
        bail!("--input-bom=require: {} has no BOM", from.name());
    }
    if matches!(input_bom, InputBom::Strip | InputBom::Forbid | InputBom::Require)
        && from.can_carry_bom()
        && from.is_stateful()
    {
        bail!(
            "--input-bom: BOMs of {} are not recognised; auto, keep and text take them for text",
            from.name()
        );
    }
    Ok(())
}

/// Takes out of `args` what is about many files.
fn batch(args: &mut Args) -> Result<Option<Batch>> {
    let (option, destination) = match (args.in_place.take(), args.output_dir.take()) {
        (None, None) => return refuse_without_batch(args).map(|()| None),
        (Some(_), Some(_)) => bail!("--in-place and --output-dir contradict each other"),
        (Some(how), None) => {
            refuse_suffix(&how)?;
            ("--in-place", Destination::InPlace(how))
        }
        (None, Some(directory)) => ("--output-dir", Destination::Directory(directory.into())),
    };
    let mut targets = mem::take(&mut args.targets);
    targets.walks = args.recursive;
    if targets.paths.is_empty() && targets.lists.is_empty() {
        bail!("{option} needs the names of files");
    }
    if targets.paths.iter().any(|name| name == "-") {
        bail!("{option}: standard input is no file of its own; a file of that name is written ./-");
    }
    if args.range.is_some() || args.product != Product::Text {
        bail!("{option} converts whole files, and neither ranges nor counts them");
    }
    if args.output.is_some() {
        bail!("{option} and -o contradict each other: each file has an output of its own");
    }
    if args.mapping == Mapping::Always {
        bail!("{option} and --mmap=always contradict each other: a file that may be replaced is not mapped");
    }
    let Args { dry_run, verify, again, .. } = *args;
    let sync = args.sync.unwrap_or_default();
    Ok(Some(Batch { targets, destination, dry_run, verify, again, sync }))
}

/// What makes no sense where all inputs become one output.
fn refuse_without_batch(args: &Args) -> Result<()> {
    let Targets { lists, hidden, no_ignore, globs, .. } = &args.targets;
    for (option, is_given) in [
        ("-r", args.recursive),
        ("--files-from, --files0-from", !lists.is_empty()),
        ("--hidden", *hidden),
        ("--no-ignore", *no_ignore),
        ("--include, --exclude", !globs.is_empty()),
        ("--dry-run", args.dry_run),
        ("--verify", args.verify),
        ("--again", args.again),
        ("--sync", args.sync.is_some()),
    ] {
        if is_given {
            bail!("{option} is for many files, and needs --in-place or --output-dir");
        }
    }
    Ok(())
}

fn refuse_suffix(how: &InPlace) -> Result<()> {
    let Some(suffix) = &how.backup else { return Ok(()) };
    if suffix.as_encoded_bytes().contains(&b'/') {
        bail!("--in-place={}: a suffix has no '/'", quoted(suffix));
    }
    if suffix.as_encoded_bytes().ends_with(b"utfconv-tmp") {
        bail!("--in-place={}: files of that name are temporary ones of utfconv", quoted(suffix));
    }
    Ok(())
}

/// The policy for a side, where a suffix may ask to omit what is at fault as `-c` does.
fn with_suffix<P>(given: Option<(P, By)>, omits: bool, omit: P) -> Option<(P, By)> {
    match given {
        Some((_, By::Template)) | None if omits => Some((omit, By::Omit)),
        given => given,
    }
}

/// The policy with `//TRANSLIT`: what has no approximation is left to the policy given, or replaced. As in glibc it is
/// replaced with `-c` and `//IGNORE` too, so that the reader sees where something was.
fn approximate(given: Option<(OnUnmappable, By)>) -> (OnUnmappable, By) {
    let otherwise = match given {
        // Carriers have no place for approximations.
        Some((policy @ (OnUnmappable::Carry(_) | OnUnmappable::Translit(_)), by)) => return (policy, by),
        Some((_, By::Omit)) | None => OnUnmappable::Replace(None),
        Some((policy, _)) => policy,
    };
    (OnUnmappable::Translit(Box::new(otherwise)), By::Mode)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::convert::args::tests::plan;

    /// Checks a plan: the policies as far as they go, and whether errors that they handle make the status 1.
    #[track_caller]
    pub fn assert_policy(plan: &ConvertPlan, expected: (&str, &str), lossy: [bool; 2], words: &str) {
        let policy = &plan.options.policy;
        let found = (format!("{:?}", policy.ill_formed), format!("{:?}", policy.unmappable));
        let is = |found: &str, expected: &str| match expected.ends_with('(') {
            true => found.starts_with(expected),
            false => found == expected,
        };
        assert!(is(&found.0, expected.0) && is(&found.1, expected.1), "{words}: {found:?}");
        assert_eq!([plan.ill_formed_is_fault, plan.unmappable_is_fault], lossy, "{words}");
    }

    #[test]
    fn suffixes_and_options_together() {
        for (words, ill_formed, unmappable, lossy) in [
            ("utfconv -t ascii//TRANSLIT", "Stop", "Translit(Replace(None))", [false, false]),
            ("utfconv -t ascii//TRANSLIT --errors=omit", "Omit", "Translit(Omit)", [false, false]),
            ("utfconv -t ascii//TRANSLIT --unmappable=stop", "Stop", "Translit(Stop)", [false, false]),
            (
                "utfconv -t ascii//TRANSLIT --unmappable=translit",
                "Stop",
                "Translit(Replace(None))",
                [false, false],
            ),
            ("utfconv -t ascii//TRANSLIT --unmappable=c8", "Carry(C8)", "Carry(C8)", [false, false]),
            ("utfconv -t ascii//IGNORE --unmappable=replace", "Omit", "Replace(None)", [true, false]),
            (
                "utfconv -c -t ascii//TRANSLIT --lossy-status=0",
                "Omit",
                "Translit(Replace(None))",
                [false, false],
            ),
        ] {
            assert_policy(&plan(words).expect(words), (ill_formed, unmappable), lossy, words);
        }
    }

    #[test]
    fn an_option_takes_precedence_over_what_a_name_implies_of_the_bom() {
        for (words, input_bom, output_bom) in [
            ("utfconv -f UTF-8-SIG --input-bom=keep", InputBom::Keep, OutputBom::Auto),
            ("utfconv -t UTF-8-SIG --output-bom=auto", InputBom::Auto, OutputBom::Auto),
        ] {
            let options = plan(words).expect(words).options;
            assert_eq!((options.input_bom, options.output_bom), (input_bom, output_bom), "{words}");
        }
    }
}
