//! The options for encodings and BOMs.

use std::ffi::{OsStr, OsString};

use anyhow::{Result, bail, ensure};
use utfconv_core::{EbcdicNewline, Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom};
use utfconv_detect::{Certainty, Hints};

use crate::batch::file_options;
use crate::text::boms::refuse_input;
use crate::ui::modes::{self, Declarations, Source};
use crate::ui::names::Name;
use crate::ui::options::{choice, from, language, min_certainty};
use crate::ui::table::{Matches, Table, flag, option, options};

#[derive(Default)]
pub struct Encodings {
    /// `None` means that the encoding of each input is detected.
    pub from: Option<Name>,
    /// The argument of `-f`; `None` if `-f` is missing.
    pub from_as_typed: Option<OsString>,
    /// True if `-f` is missing.
    pub from_is_default: bool,
    pub to: Name,
    /// Meaning of the EBCDIC byte 0x15, if an option sets it.
    pub ebcdic_newline: Option<EbcdicNewline>,
    /// Minimum certainty at which a detected encoding is accepted.
    pub min_certainty: Option<Certainty>,
    /// The candidates and languages of the detection.
    pub hints: Hints,
    /// The `utfconv.toml` to read instead of those in directories.
    pub config: Option<OsString>,
    /// True if `utfconv.toml`, `.editorconfig` and `.gitattributes` are ignored.
    pub no_config: bool,
    /// How declarations that are false in the output are handled.
    pub declarations: Declarations,
    pub input_bom: Option<InputBom>,
    pub output_bom: Option<OutputBom>,
}

pub fn define(table: Table) -> Table {
    table
        .heading("Encodings")
        .add_all(options![
            from("Input encoding; 'auto' or 'auto:LIST' detects it [default: UTF-8]")
                .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::source)),
            option("to", "ENC", "Output encoding, also with //TRANSLIT or //IGNORE [default: UTF-8]",)
                .short('t')
                .long("to-code")
                .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::name)),
            min_certainty(
                "With -f auto: minimum certainty of the encoding for a conversion [default: likely]",
            ),
            language(),
        ])
        .add_all(&file_options::config())
        .add_all(options![
            option(
                "declaration",
                "MODE",
                "Set how to handle text that names its own encoding, as XML does [default: keep]",
            )
            .with(|arg| arg.value_parser(choice(modes::DECLARATION))),
            flag("list", "List the encodings and exit").short('l'),
        ])
        .heading("BOM")
        .add_all(options![
            option(
                "input-bom",
                "POLICY",
                "Set how to handle an input BOM (U+FEFF at the start) [default: auto]",
            )
            .with(|arg| arg.value_parser(choice(modes::INPUT_BOM))),
            option("output-bom", "POLICY", "Set when to write a BOM [default: auto]")
                .with(|arg| arg.value_parser(choice(modes::OUTPUT_BOM))),
        ])
}

pub fn from_matches(m: &mut Matches) -> Encodings {
    let from_as_typed = m.raw("from").map(OsStr::to_os_string);
    let from_is_default = !m.is_given("from");
    let (from, candidates) = match m.remove_one("from") {
        Some(Source::Named(name)) => (Some(name), Vec::new()),
        Some(Source::Detected(candidates)) => (None, candidates),
        None => (Some(Name::default()), Vec::new()),
    };
    let languages = m.remove_one("language").unwrap_or_default();
    Encodings {
        from,
        from_as_typed,
        from_is_default,
        to: m.remove_one("to").unwrap_or_default(),
        ebcdic_newline: m.remove_one("ebcdic-newline"),
        min_certainty: m.remove_one("min-certainty"),
        hints: Hints::default().candidates(candidates).languages(languages),
        config: m.remove_one("config"),
        no_config: m.flag("no-config"),
        declarations: m.remove_one("declaration").unwrap_or_default(),
        input_bom: m.remove_one("input-bom"),
        output_bom: m.remove_one("output-bom"),
    }
}

impl Encodings {
    /// Returns the input encoding, unless it is detected.
    pub fn named(&self) -> Option<&'static Encoding> {
        self.from.as_ref().map(|name| name.encoding)
    }

    /// Refuses encodings that contradict each other or `options`.
    pub fn refuse(&self, options: &Options) -> Result<()> {
        let to = self.to.encoding;
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
        self.named().map_or(Ok(()), |from| refuse_together(from, to, options))
    }

    /// Refuses options of the detection if the input encoding is named.
    pub fn refuse_without_auto(&self) -> Result<()> {
        let is_detected = self.from.is_none();
        ensure!(self.min_certainty.is_none() || is_detected, "--min-certainty requires -f auto");
        ensure!(self.hints.languages.is_empty() || is_detected, "--language requires -f auto");
        Ok(())
    }
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
            let reason = match to.code_unit_len() {
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
