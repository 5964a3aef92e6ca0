//! The plan of a conversion: options resolved against each other. The errors are usage errors.

use std::ffi::OsString;
use std::io::{self, Write};
use std::mem;

use anyhow::{Error, Result, bail, ensure};
use utfconv_core::{Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy};
use utfconv_detect::scheme;

use crate::batch::file_options::refuse_line;
use crate::batch::{BatchOptions, Destination};
use crate::commands::convert::ranges;
use crate::commands::convert::request::{BinaryFiles, By, Declarations, Given, Product, Request, Settings};
use crate::files::in_place::loose_suffix;
use crate::files::source::{Input, Mapping};
use crate::files::walk::Targets;
use crate::text::boms::refuse_input;
use crate::text::newlines::{Newlines, blank, bytes};
use crate::ui::dialect::Dialect;
use crate::ui::names::Suffixes;
use crate::ui::quote::{one_line, shortened};

/// A conversion, ready to run.
pub struct ConvertPlan {
    pub dialect: Dialect,
    /// None is detected for each input.
    pub from: Option<&'static Encoding>,
    pub to: &'static Encoding,
    pub options: Options,
    pub inputs: Vec<Input>,
    /// Each input becomes a separate file; then `inputs` is empty.
    pub batch: Option<Files>,
    /// None is standard output.
    pub output: Option<OsString>,
    pub settings: Settings,
    /// Printed before anything is done.
    pub warnings: Vec<String>,
    /// Whether errors that the policy handled make the status 1, for each kind.
    pub ill_formed_is_error: bool,
    pub unmappable_is_error: bool,
}

/// Many files, each converted to a separate one.
pub struct Files {
    pub targets: Targets,
    pub destination: Destination,
    pub options: BatchOptions,
}

impl ConvertPlan {
    /// Resolves the options of `request` against each other.
    ///
    /// # Errors
    /// If they contradict each other, which is a usage error.
    pub fn new(dialect: Dialect, mut request: Request) -> Result<ConvertPlan> {
        let batch = batch(&mut request)?;
        let from = request.from.as_ref().map(|name| name.encoding);
        let (ill_formed, unmappable) = policies(&mut request);
        let is_by_c = [matches!(ill_formed, Some((_, By::Omit))), matches!(unmappable, Some((_, By::Omit)))];
        let [ill_formed_is_error, unmappable_is_error] =
            is_by_c.map(|is_by_c| request.lossy_status.unwrap_or(is_by_c));
        let (ill_formed, unmappable) =
            share_carrier(ill_formed.map(|one| one.0), unmappable.map(|one| one.0))?;
        let (input_bom, output_bom) = boms(dialect, &request);
        let options = Options::default()
            .input_bom(input_bom)
            .output_bom(output_bom)
            .policy(Policy { ill_formed, unmappable, per_byte: request.per_byte })
            .ebcdic_newline(request.ebcdic_newline)
            .normalization(request.normalization);
        refuse(&request, &options)?;
        let warnings = warnings(&request);
        let paths = request.targets.paths;
        Ok(ConvertPlan {
            dialect,
            from,
            to: request.to.encoding,
            options,
            inputs: if batch.is_none() && paths.is_empty() {
                vec![Input::stdin()]
            } else {
                paths.into_iter().map(Input::new).collect()
            },
            batch,
            output: request.output.filter(|name| name != "-"),
            settings: request.settings,
            warnings,
            ill_formed_is_error,
            unmappable_is_error,
        })
    }

    /// Returns the options for a text with the units of `like`, which may begin with a BOM. They keep the encoding, and so the
    /// byte order, if only other changes are requested.
    pub fn reading(&self, like: &'static Encoding, has_bom: bool) -> String {
        let from = scheme(like, usize::from(has_bom));
        let is_native = like.name().ends_with("BE") == cfg!(target_endian = "big");
        match (self.settings.keeps_encoding, from == like || is_native) {
            (false, _) => format!("-f {}", from.name()),
            (true, true) => format!("-f {0} -t {0}", from.name()),
            (true, false) => format!("-f {} -t {}-BOM", from.name(), like.name()),
        }
    }
}

/// A sink that changes newlines as planned, on the way to `sink`.
pub fn newlines<W: Write>(plan: &ConvertPlan, sink: W) -> Newlines<W> {
    let newlines = Newlines::new(sink, plan.settings.newlines, plan.to, plan.options.ebcdic_newline);
    newlines.expect("no plan is made for an encoding without newlines")
}

/// Returns the policies for the BOMs: those of the options, else those that the names imply.
fn boms(dialect: Dialect, request: &Request) -> (InputBom, OutputBom) {
    let input = match request.from.as_ref().and_then(|name| name.signed) {
        Some(true) => InputBom::Strip,
        _ => InputBom::Auto,
    };
    let output = match request.to.signed {
        Some(true) => OutputBom::Always,
        Some(false) => OutputBom::Never,
        None => OutputBom::Auto,
    };
    let input = request.input_bom.unwrap_or(input);
    let output = match request.output_bom.unwrap_or(output) {
        // With `Never`, text that begins with U+FEFF would still give the output a BOM.
        OutputBom::Never if !dialect.is_iconv() && input != InputBom::Text => OutputBom::Forbid,
        output => output,
    };
    (input, output)
}

/// Returns the policies given for ill-formed bytes and for unmappable characters, with what the suffixes ask for.
fn policies(request: &mut Request) -> (Given<OnIllFormed>, Given<OnUnmappable>) {
    let Suffixes { translit, ignore, discard, .. } = request.to.suffixes;
    let ill_formed = with_suffix(request.ill_formed.take(), ignore, OnIllFormed::Omit);
    let unmappable = with_suffix(request.unmappable.take(), ignore || discard, OnUnmappable::Omit);
    (ill_formed, if translit { Some(approximate(unmappable)) } else { unmappable })
}

/// Carriers work for both kinds of errors or not at all: a kind without a mode follows the other.
fn share_carrier(
    ill_formed: Option<OnIllFormed>,
    unmappable: Option<OnUnmappable>,
) -> Result<(OnIllFormed, OnUnmappable)> {
    match (ill_formed, unmappable) {
        (Some(OnIllFormed::Carry(carrier)), None) | (None, Some(OnUnmappable::Carry(carrier))) => {
            Ok((OnIllFormed::Carry(carrier), OnUnmappable::Carry(carrier)))
        }
        (Some(OnIllFormed::Carry(one)), Some(OnUnmappable::Carry(other))) if one != other => {
            bail!("--ill-formed and --unmappable name different carriers; use the same for both")
        }
        (ill_formed, unmappable) => Ok((ill_formed.unwrap_or_default(), unmappable.unwrap_or_default())),
    }
}

/// Returns the warnings about suffixes that mean nothing.
fn warnings(request: &Request) -> Vec<String> {
    let names = [('f', request.from.as_ref()), ('t', Some(&request.to))];
    let suffixes = names.into_iter().filter_map(|(option, name)| Some((option, &name?.suffixes.unknown)));
    suffixes
        .flat_map(|(option, words)| words.iter().map(move |word| (option, word)))
        .map(|(option, word)| {
            format!("warning: -{option}: unknown suffix //{} is ignored", one_line(&shortened(word)))
        })
        .collect()
}

/// Refuses options that contradict each other.
fn refuse(request: &Request, options: &Options) -> Result<()> {
    let from = request.from.as_ref().map(|name| name.encoding);
    let to = request.to.encoding;
    ensure!(
        !to.is_decode_only(),
        "-t {}: the Encoding Standard has no encoder for UTF-16; use -t {}",
        to.name(),
        to.name().trim_start_matches("whatwg:")
    );
    let loses_bom = matches!(
        (options.input_bom, options.output_bom),
        (InputBom::Keep, OutputBom::Never | OutputBom::Forbid)
    );
    ensure!(!loses_bom, "--input-bom=keep cannot be used with --output-bom=never");
    from.map_or(Ok(()), |from| refuse_together(from, to, options))?;
    if request.settings.range.is_some() || matches!(request.settings.product, Product::Ranges { .. }) {
        refuse_ranges(request, options)?;
    }
    ensure!(request.settings.least_certainty.is_none() || from.is_none(), "--min-certainty requires -f auto");
    let is_limited = !request.settings.hints.languages.is_empty();
    ensure!(!is_limited || from.is_none(), "--language requires -f auto");
    refuse_records(request)?;
    let newlines = Newlines::new(io::sink(), request.settings.newlines, to, request.ebcdic_newline);
    ensure!(newlines.is_some(), "--newline, --final-newline: {} has no newlines", to.name());
    Ok(())
}

/// Refuses options that cannot be used with records.
fn refuse_records(request: &Request) -> Result<()> {
    let Settings { records, newlines, range, product, verify, .. } = request.settings;
    if records.is_none() && newlines.records.is_none() {
        return Ok(());
    }
    let is_whole = range.is_none() && !matches!(product, Product::Ranges { .. });
    ensure!(is_whole, "--records and --output-records cannot be used with ranges");
    ensure!(!verify, "--verify cannot be used with --records or --output-records");
    let from = request.from.as_ref().map(|name| name.encoding);
    let has_bytes = |of| bytes(of, request.ebcdic_newline).is_some() && blank(of).is_some();
    if records.is_some() {
        let Some(from) = from else { bail!("--records requires a named input encoding") };
        ensure!(has_bytes(from), "--records: {} has no blanks and newlines of one byte", from.name());
    }
    let (to, is_written) = (request.to.encoding, newlines.records.is_some());
    ensure!(
        !is_written || has_bytes(to),
        "--output-records: {} has no blanks and newlines of one byte",
        to.name()
    );
    Ok(())
}

/// Refuses options that cannot be used with ranges.
fn refuse_ranges(request: &Request, options: &Options) -> Result<()> {
    let Some(from) = &request.from else {
        bail!("ranges require a named input encoding; use utfconv detect FILE to detect it");
    };
    ranges::refuse(from.encoding, request.to.encoding, options)?;
    let Settings { range, first_line, stats, declarations, .. } = request.settings;
    ensure!(declarations == Declarations::Keep, "--declaration=update works on whole files, not on ranges");
    refuse_line(range, first_line, stats).map_err(|refusal| Error::msg(refusal.text))?;
    ensure!(request.targets.paths.len() <= 1, "ranges work on one FILE only");
    Ok(())
}

/// Refuses encodings and options that contradict each other.
pub fn refuse_together(from: &Encoding, to: &Encoding, options: &Options) -> Result<()> {
    let Options { input_bom, output_bom, policy, .. } = options;
    let carries = matches!(policy.ill_formed, OnIllFormed::Carry(_))
        || matches!(policy.unmappable, OnUnmappable::Carry(_));
    if let Some(stateful) = [from, to].into_iter().find(|encoding| carries && encoding.is_stateful()) {
        bail!(
            "carriers cannot be used with {}: what its bytes mean depends on earlier ones",
            stateful.name()
        );
    }
    match policy.ill_formed {
        OnIllFormed::Raw if !to.takes_raw_bytes() => {
            let reason = match to.unit() {
                _ if to.is_stateful() => "copied bytes would change the meaning of what follows",
                1 if to.is_ebcdic() => "copied bytes would be other characters",
                1 => "a copied lead byte would combine with the next character",
                _ => "copied bytes would break its code units",
            };
            bail!("--ill-formed=raw cannot be used with {} output: {reason}", to.name())
        }
        OnIllFormed::Fallback(encoding) if !encoding.is_of_bytes() => {
            bail!("--ill-formed=fallback: {} has wide units or shift states", encoding.name());
        }
        OnIllFormed::Fallback(_) if !from.is_of_bytes() => {
            bail!("--ill-formed=fallback cannot be used with {} input", from.name());
        }
        _ => {}
    }
    let can_be_written = *output_bom != OutputBom::Always || to.can_carry_bom();
    ensure!(can_be_written, "--output-bom=always: {} has no BOM", to.name());
    refuse_input(from, *input_bom)
}

/// Takes the options for many files out of `request`.
fn batch(request: &mut Request) -> Result<Option<Files>> {
    let (option, destination) = match (request.in_place.take(), request.output_dir.take()) {
        (None, None) => return refuse_without_batch(request).map(|()| None),
        (Some(_), Some(_)) => bail!("--in-place cannot be used with --output-dir"),
        (Some(how), None) if request.settings.diff.is_some() => ("--diff", Destination::InPlace(how)),
        (Some(how), None) => ("--in-place", Destination::InPlace(how)),
        (None, Some(directory)) => ("--output-dir", Destination::Directory(directory.into())),
    };
    let mut targets = mem::take(&mut request.targets);
    targets.refuses_directories = !request.recursive;
    let Settings { range, product, mapping, .. } = request.settings;
    let (has_files, has_stdin) = (!targets.is_empty(), targets.paths.iter().any(|name| name == "-"));
    ensure!(has_files, "{option} requires at least one FILE");
    ensure!(!has_stdin, "{option} cannot use standard input; write ./- for a file called -");
    ensure!(
        range.is_none() && product == Product::Text,
        "{option} converts whole files; it cannot be used with ranges or --count-output"
    );
    if request.output.is_some() {
        // `-iorig` is `-i -o rig`.
        let backup = if option != "--output-dir" { "; to keep backups, use --in-place=SUFFIX" } else { "" };
        bail!("{option} cannot be used with -o: each file has its own output{backup}");
    }
    if let Destination::InPlace(how) = &destination
        && let Some(why) = loose_suffix(&targets, how)
    {
        bail!("{why}");
    }
    ensure!(
        mapping != Mapping::Always,
        "{option} cannot be used with --mmap=always: files that may be replaced are not mapped"
    );
    let Settings { json, diff, .. } = request.settings;
    ensure!(!(json && diff.is_some()), "--format=json and --diff cannot be used together: both are printed");
    let is_mirror = matches!(destination, Destination::Directory(_));
    ensure!(
        is_mirror || request.settings.binary != BinaryFiles::Copy,
        "--binary=copy requires --output-dir; with --in-place, binary files stay as they are"
    );
    ensure!(
        is_mirror || !targets.links,
        "--links=copy requires --output-dir; with --in-place, links stay as they are"
    );
    let options = mem::take(&mut request.batch);
    if options.manifest.is_some() {
        ensure!(!is_mirror, "--manifest requires --in-place");
        ensure!(
            !request.settings.dry_run,
            "--manifest records what is written; omit it with --dry-run or --diff"
        );
    }
    Ok(Some(Files { targets, destination, options }))
}

/// Refuses options that are invalid if all inputs become one output.
fn refuse_without_batch(request: &Request) -> Result<()> {
    let Targets { lists, hidden, no_ignore, globs, wanted, .. } = &request.targets;
    // With an output, these options apply if it is also the only input.
    let binary = request.settings.binary;
    for (option, is_given) in [
        ("-r", request.recursive),
        ("--files-from", lists.iter().any(|(_, end)| *end == b'\n')),
        ("--files0-from", !lists.is_empty()),
        ("--hidden", *hidden),
        ("--no-ignore", *no_ignore),
        ("--tracked", wanted.is_set()),
        ("--include", globs.has_include()),
        ("--exclude", globs.has_exclude()),
        ("--config", request.settings.config.is_some()),
        ("--dry-run", request.settings.dry_run),
        ("--verify", request.settings.verify && request.output.is_none()),
        ("--reconvert", request.settings.reconverts && request.output.is_none()),
        (
            "--binary",
            !(binary == BinaryFiles::Skip || binary == BinaryFiles::Convert && request.output.is_some()),
        ),
        ("--links=copy", request.targets.links),
        ("--sync", request.batch.sync.is_some()),
        ("--failed", request.batch.failed.is_some()),
    ] {
        ensure!(!is_given, "{option} requires --in-place or --output-dir");
    }
    ensure!(request.batch.manifest.is_none(), "--manifest requires --in-place");
    Ok(())
}

/// Returns the policy for one kind of error, where a suffix may ask to omit as `-c` does.
fn with_suffix<P>(given: Given<P>, omits: bool, omit: P) -> Given<P> {
    match given {
        Some((_, By::Template)) | None if omits => Some((omit, By::Omit)),
        given => given,
    }
}

/// Returns the policy with `//TRANSLIT`: the given policy handles characters without an approximation; by default they
/// are replaced. As in glibc, `-c` and `//IGNORE` replace them too, so that readers see the loss.
fn approximate(given: Given<OnUnmappable>) -> (OnUnmappable, By) {
    let otherwise = match given {
        // Carriers leave nothing to approximate.
        Some((policy @ (OnUnmappable::Carry(_) | OnUnmappable::Translit(_)), by)) => return (policy, by),
        Some((_, By::Omit)) | None => OnUnmappable::Replace(None),
        Some((policy, _)) => policy,
    };
    (OnUnmappable::Translit(Box::new(otherwise)), By::Mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::convert::testkit::{assert_policy, plan};

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
