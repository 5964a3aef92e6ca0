//! The plan of a conversion: options resolved against each other. The errors are usage errors.

use std::io::Write;

use anyhow::{Result, bail};
use utfconv_core::{Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy};
use utfconv_detect::scheme;

use crate::commands::convert::options::{
    By, ConvertOptions, Encodings, Errors, FileOptions, Files, Given, InputOutput, Ranges, Scope,
    TextChanges, many_files, ranges, text,
};
use crate::files::source::Input;
use crate::text::newlines::Newlines;
use crate::ui::dialect::Dialect;
use crate::ui::names::Suffixes;
use crate::ui::quote::{one_line, shortened};

/// A conversion, ready to run.
pub struct ConvertPlan {
    pub dialect: Dialect,
    /// `None` means that the encoding of each input is detected.
    pub from: Option<&'static Encoding>,
    pub to: &'static Encoding,
    pub options: Options,
    pub inputs: Vec<Input>,
    /// The files that are converted separately; then `inputs` is empty.
    pub batch: Option<Files>,
    /// Warnings to print before anything is done.
    pub warnings: Vec<String>,
    pub is_error: IsError,
    /// The kinds of errors that would stop the conversion, and that a dry run finds all of.
    pub is_found: IsError,
    pub scope: Scope,
    pub encodings: Encodings,
    pub errors: Errors,
    pub text: TextChanges,
    pub io: InputOutput,
    pub ranges: Ranges,
    pub files: FileOptions,
}

/// Whether errors that the policy handles make the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsError {
    pub ill_formed: bool,
    pub unmappable: bool,
}

impl ConvertPlan {
    /// Resolves the options `asked` against each other.
    ///
    /// # Errors
    /// If the options contradict each other, which is a usage error.
    pub fn new(dialect: Dialect, mut asked: ConvertOptions) -> Result<ConvertPlan> {
        let batch = many_files::take_files(&mut asked)?;
        let (mut policy, mut is_error) = policy(&asked)?;
        let mut is_found = IsError { ill_formed: false, unmappable: false };
        if batch.is_none() && asked.files.dry_run {
            is_found = find_all(&mut policy, &mut is_error);
        }
        let (input_bom, output_bom) = boms(dialect, &asked.encodings);
        let options = Options::default()
            .input_bom(input_bom)
            .output_bom(output_bom)
            .policy(policy)
            .ebcdic_newline(asked.encodings.ebcdic_newline.unwrap_or_default())
            .normalization(asked.text.normalization);
        asked.encodings.refuse(&options)?;
        ranges::refuse(&asked, &options)?;
        asked.encodings.refuse_without_auto()?;
        text::refuse(&asked)?;
        let ConvertOptions { encodings, errors, text, io, ranges, files, targets, scope, .. } = asked;
        Ok(ConvertPlan {
            dialect,
            from: encodings.named(),
            to: encodings.to.encoding,
            options,
            inputs: if batch.is_none() && targets.paths.is_empty() {
                vec![Input::stdin()]
            } else {
                targets.paths.into_iter().map(Input::new).collect()
            },
            batch,
            warnings: warnings(&encodings),
            is_error,
            is_found,
            scope,
            encodings,
            errors,
            text,
            io: InputOutput { output: io.output.filter(|name| name != "-"), ..io },
            ranges,
            files,
        })
    }

    /// Returns the options that read a text with the code units of `like`, which may begin with a BOM. The options
    /// keep the encoding, and so the byte order, if only other changes are requested.
    pub fn reading(&self, like: &'static Encoding, has_bom: bool) -> String {
        let from = scheme(like, usize::from(has_bom));
        let is_native = like.name().ends_with("BE") == cfg!(target_endian = "big");
        if self.scope == Scope::Encoding {
            format!("-f {}", from.name())
        } else if from == like || is_native {
            format!("-f {0} -t {0}", from.name())
        } else {
            format!("-f {} -t {}-BOM", from.name(), like.name())
        }
    }
}

/// Returns a sink that changes newlines as planned, on the way to `sink`.
pub fn newlines<W: Write>(plan: &ConvertPlan, sink: W) -> Newlines<W> {
    let newlines = Newlines::new(sink, plan.text.newlines, plan.to, plan.options.ebcdic_newline);
    newlines.expect("no plan is made for an encoding without newlines")
}

/// Returns the policies for the BOMs that the options set, or that the names of the encodings imply.
fn boms(dialect: Dialect, encodings: &Encodings) -> (InputBom, OutputBom) {
    let input = match encodings.from.as_ref().and_then(|name| name.signed) {
        Some(true) => InputBom::Strip,
        _ => InputBom::Auto,
    };
    let output = match encodings.to.signed {
        Some(true) => OutputBom::Always,
        Some(false) => OutputBom::Never,
        None => OutputBom::Auto,
    };
    let input = encodings.input_bom.unwrap_or(input);
    let output = match encodings.output_bom.unwrap_or(output) {
        // With `Never`, text that begins with U+FEFF would still give the output a BOM.
        OutputBom::Never if !dialect.is_iconv() && input != InputBom::Text => OutputBom::Forbid,
        output => output,
    };
    (input, output)
}

/// Returns the policy for errors, including the suffixes of `-t`, and which errors make the exit status 1.
fn policy(asked: &ConvertOptions) -> Result<(Policy, IsError)> {
    let Suffixes { translit, ignore, discard, .. } = asked.encodings.to.suffixes;
    let Errors { ill_formed, unmappable, per_byte, lossy_status, .. } = &asked.errors;
    let ill_formed = with_suffix(ill_formed.clone(), ignore, OnIllFormed::Omit);
    let mut unmappable = with_suffix(unmappable.clone(), ignore || discard, OnUnmappable::Omit);
    if translit {
        unmappable = Some(approximate(unmappable));
    }
    let is_error = IsError {
        ill_formed: lossy_status.unwrap_or(ill_formed.as_ref().is_some_and(|given| given.by == By::Omit)),
        unmappable: lossy_status.unwrap_or(unmappable.as_ref().is_some_and(|given| given.by == By::Omit)),
    };
    let (ill_formed, unmappable) =
        share_carrier(ill_formed.map(|given| given.policy), unmappable.map(|given| given.policy))?;
    Ok((Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(*per_byte), is_error))
}

/// Makes a policy continue after errors that would stop the conversion. Returns the kinds of these errors.
fn find_all(policy: &mut Policy, is_error: &mut IsError) -> IsError {
    let is_found = IsError {
        ill_formed: matches!(policy.ill_formed, OnIllFormed::Stop),
        unmappable: matches!(policy.unmappable, OnUnmappable::Stop),
    };
    if is_found.ill_formed {
        (policy.ill_formed, is_error.ill_formed) = (OnIllFormed::Replace(None), true);
    }
    if is_found.unmappable {
        (policy.unmappable, is_error.unmappable) = (OnUnmappable::Replace(None), true);
    }
    is_found
}

/// Makes both kinds of errors use the same carrier, because carriers work for both kinds or not at all. If only one
/// kind has a carrier and the other has no mode, the other gets the same carrier.
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

/// Returns a warning for each suffix of an encoding name that is unknown.
fn warnings(encodings: &Encodings) -> Vec<String> {
    let names = [('f', encodings.from.as_ref()), ('t', Some(&encodings.to))];
    let suffixes = names.into_iter().filter_map(|(option, name)| Some((option, &name?.suffixes.unknown)));
    suffixes
        .flat_map(|(option, words)| words.iter().map(move |word| (option, word)))
        .map(|(option, word)| {
            format!("warning: -{option}: unknown suffix //{} is ignored", one_line(&shortened(word)))
        })
        .collect()
}

/// Returns the policy for a kind of error. If `omits` is true, a suffix such as `//IGNORE` sets the policy to omit,
/// like `-c`.
fn with_suffix<P>(given: Option<Given<P>>, omits: bool, omit: P) -> Option<Given<P>> {
    match given {
        Some(Given { by: By::Template, .. }) | None if omits => Some(Given { policy: omit, by: By::Omit }),
        given => given,
    }
}

/// Returns the policy for `//TRANSLIT`, by which the given policy handles only characters without an approximation; by
/// default, they are replaced. As in glibc, they are also replaced with `-c` and `//IGNORE`, so that readers see the
/// loss.
fn approximate(given: Option<Given<OnUnmappable>>) -> Given<OnUnmappable> {
    let otherwise = match given {
        // Carriers leave nothing to approximate.
        Some(given) if matches!(given.policy, OnUnmappable::Carry(_) | OnUnmappable::Translit(_)) => {
            return given;
        }
        Some(Given { by: By::Omit, .. }) | None => OnUnmappable::Replace(None),
        Some(Given { policy, .. }) => policy,
    };
    Given { policy: OnUnmappable::Translit(Box::new(otherwise)), by: By::Mode }
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
