//! The option table, and what was typed. No system call is made here.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command as Clap, value_parser};
use utfconv_core::{InputBom, NormalizationForm, OnIllFormed, OnUnmappable, OutputBom, Template};

use crate::convert::newlines::{Changed, NewlineStyle};
use crate::convert::ranges::RangeFormat;
use crate::convert::request::{By, Product, Request, by_byte_template, by_scalar_template};
use crate::files;
use crate::files::options::{first_line, range};
use crate::files::replace::Durability;
use crate::files::replace::InPlace;
use crate::files::source::Mapping;
use crate::ui::modes::{self, Both, both, ill_formed, unmappable};
use crate::ui::names::Name;
use crate::ui::options::{Refusal, choice, flag, is_given, needs, number, option, threads};

/// What sed's `-i.bak` has to be here, if that is what `error` is about.
pub fn tip(error: &clap::Error, words: &[OsString]) -> Option<&'static str> {
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(unknown)) if error.kind() == ErrorKind::UnknownArgument => {
            unknown.as_bytes()
        }
        _ => return None,
    };
    let is_glued = |word: &OsString| {
        let rest = word.as_encoded_bytes().strip_prefix(b"-i").unwrap_or_default();
        !rest.starts_with(b"=") && unknown.len() == 2 && rest.contains(&unknown[1])
    };
    let mut options = words.iter().skip(1).take_while(|word| *word != "--");
    options.any(is_glued).then_some("write the -i suffix after '=', as in -i=.bak")
}

/// What was typed, understood.
pub fn understand(mut matches: ArgMatches) -> Result<Request, Refusal> {
    let m = &mut matches;
    for (option, other) in [("null", "list-ranges"), ("format", "list-ranges"), ("first-line", "range")] {
        needs(m, option, other, other)?;
    }
    let ill_formed = match last_given(m, "ill-formed", "byte-subst") {
        Some("ill-formed") => m.remove_one("ill-formed").map(|policy| (policy, By::Mode)),
        Some("errors") => m.get_one::<Both>("errors").map(|both| (both.0.clone(), By::Mode)),
        Some("byte-subst") => m.remove_one("byte-subst").map(by_byte_template),
        Some(_) => Some((OnIllFormed::Omit, By::Omit)),
        None => None,
    };
    let unmappable = match last_given(m, "unmappable", "unicode-subst") {
        Some("unmappable") => m.remove_one("unmappable").map(|policy| (policy, By::Mode)),
        Some("errors") => m.get_one::<Both>("errors").map(|both| (both.1.clone(), By::Mode)),
        Some("unicode-subst") => m.remove_one("unicode-subst").map(by_scalar_template),
        Some(_) => Some((OnUnmappable::Omit, By::Omit)),
        None => None,
    };
    Ok(Request {
        from: m.remove_one("from").unwrap_or(Some(Name::UTF_8)),
        accepts_guess: m.get_flag("accept-guess"),
        to: m.remove_one("to").unwrap_or(Name::UTF_8),
        input_bom: m.remove_one("input-bom"),
        output_bom: m.remove_one("output-bom"),
        ill_formed,
        unmappable,
        per_byte: m.get_flag("per-byte"),
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        normalization: m.remove_one("normalize"),
        max_errors: m.remove_one("max-errors").unwrap_or(100),
        lossy_status: m.remove_one("lossy-status"),
        silent: m.get_flag("silent"),
        stats: m.get_flag("stats"),
        verbose: m.get_flag("verbose"),
        newlines: Changed {
            newlines: m.remove_one("newline").unwrap_or(NewlineStyle::Keep),
            adds_final: m.get_flag("final-newline"),
        },
        range: m.remove_one("range"),
        first_line: m.remove_one("first-line"),
        product: match (m.remove_one("list-ranges"), m.get_flag("count-output")) {
            (Some(count), _) => Product::Ranges {
                count,
                form: match m.get_flag("null") {
                    true => RangeFormat::Null,
                    false => m.remove_one("format").unwrap_or(RangeFormat::Text),
                },
            },
            (None, true) => Product::Count,
            (None, false) => Product::Text,
        },
        mapping: m.remove_one("mmap").unwrap_or(Mapping::Auto),
        force_terminal: m.get_flag("force-terminal"),
        buffer_size: m.remove_one::<u64>("buffer-size").and_then(|size| usize::try_from(size).ok()),
        threads: m.remove_one::<u16>("threads").map(usize::from),
        in_place: m.remove_one::<OsString>("in-place").map(|suffix| InPlace {
            backup: Some(suffix).filter(|suffix| !suffix.is_empty()),
            keeps_times: m.get_flag("preserve-time"),
            force: m.get_flag("force"),
        }),
        output_dir: m.remove_one("output-dir"),
        recursive: m.get_flag("recursive"),
        dry_run: m.get_flag("dry-run"),
        verify: m.get_flag("verify"),
        again: m.get_flag("again"),
        sync: m.remove_one("sync"),
        output: m.remove_one("output"),
        targets: files::options::targets(m, "file")?,
    })
}

/// Of the options that set a side's policy, the one that was given last; but `-c` wins over a template.
fn last_given(m: &ArgMatches, side: &'static str, template: &'static str) -> Option<&'static str> {
    let last = ["omit", "errors", side, template]
        .into_iter()
        .filter(|id| is_given(m, id))
        .max_by_key(|id| m.indices_of(id).and_then(Iterator::last));
    if last == Some(template) && is_given(m, "omit") { Some("omit") } else { last }
}

/// The option table: parser, help, man page and completions are all made from it.
pub fn table() -> Clap {
    let ill_formed = modes::help("What to do about ill-formed bytes:", modes::ILL_FORMED);
    let unmappable =
        modes::help("What to do about characters that the output's encoding lacks:", modes::UNMAPPABLE);
    options()
        .mut_arg("ill-formed", |option| option.long_help(ill_formed))
        .mut_arg("unmappable", |option| option.long_help(unmappable))
}

/// The table without the lists of modes.
pub fn options() -> Clap {
    Clap::new("utfconv")
        .bin_name("utfconv")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Convert text from one encoding to another, and say what is wrong with it")
        .override_usage("utfconv [OPTIONS] [FILE]...\n       utfconv check [OPTIONS] [PATH]...\n       utfconv detect [OPTIONS] [PATH]...\n       utfconv inspect [OPTIONS] [FILE]\n       utfconv list [OPTIONS] [PATTERN]\n       utfconv help [COMMAND] | man [PAGE] | completions SHELL\n       utfconv --iconv [OPTIONS] [FILE]...")
        .after_help(AFTER_HELP)
        .args_override_self(true)
        .infer_long_args(true)
        .next_help_heading("Encodings")
        .arg(
            Arg::new("from")
                .short('f')
                .long("from-code")
                .value_name("ENC")
                .allow_hyphen_values(true)
                .help("Encoding of the input; 'auto' finds out [default: UTF-8]")
                .value_parser(modes::source),
        )
        .arg(
            Arg::new("to")
                .short('t')
                .long("to-code")
                .value_name("ENC")
                .allow_hyphen_values(true)
                .help("Encoding of the output [default: UTF-8]; //TRANSLIT or //IGNORE may follow")
                .value_parser(modes::name),
        )
        .arg(
            option("ebcdic-newline", "CONTROL")
                .help("What byte 15 of EBCDIC is [default: nel]")
                .value_parser(choice(modes::EBCDIC_NEWLINE)),
        )
        .arg(flag("accept-guess").help("With -f auto: convert also what is no more than a guess"))
        .arg(flag("list").short('l').help("List the encodings and exit"))
        .next_help_heading("BOMs")
        .arg(
            option("input-bom", "POLICY")
                .help("What a BOM (U+FEFF first) means [default: auto]")
                .value_parser(choice(&[
                    ("auto", "Use, keep or drop it as the encodings demand", InputBom::Auto),
                    ("keep", "Keep it, as U+FEFF in the output", InputBom::Keep),
                    ("strip", "Remove it", InputBom::Strip),
                    ("text", "It is text (the protocol forbids BOMs)", InputBom::Text),
                    ("forbid", "A BOM is an error", InputBom::Forbid),
                    ("require", "A missing BOM is an error", InputBom::Require),
                    ("sniff", "It decides the encoding, over -f", InputBom::Sniff),
                ])),
        )
        .arg(
            option("output-bom", "POLICY").help("Whether to write a BOM [default: auto]").value_parser(
                choice(&[
                    ("auto", "As the encoding demands, and where the input's is kept", OutputBom::Auto),
                    ("always", "Always, but not on empty output", OutputBom::Always),
                    ("never", "Never, not even one that was kept", OutputBom::Never),
                ]),
            ),
        )
        .next_help_heading("Errors")
        .arg(
            Arg::new("omit")
                .short('c')
                .action(ArgAction::SetTrue)
                .help("Omit what cannot be converted; the status is still 1 if anything was omitted"),
        )
        .arg(
            option("ill-formed", "MODE")
                .help("What to do about ill-formed bytes [default: stop]")
                .value_parser(ill_formed),
        )
        .arg(
            option("unmappable", "MODE")
                .help("What to do about characters that the output lacks [default: stop]")
                .value_parser(unmappable),
        )
        .arg(
            option("errors", "MODE")
                .help("Sets both: a mode that both have, such as replace[=TEXT] or escape=percent")
                .value_parser(both),
        )
        .arg(
            option("byte-subst", "FORMAT")
                .help("Write each ill-formed byte as printf's FORMAT has it, such as '<0x%02x>'")
                .allow_hyphen_values(true)
                .value_parser(Template::parse),
        )
        .arg(
            option("unicode-subst", "FORMAT")
                .help("Write each unmappable character as FORMAT has it, such as '<U+%04X>'")
                .allow_hyphen_values(true)
                .value_parser(Template::parse),
        )
        .arg(
            option("widechar-subst", "FORMAT")
                .help("Without effect, for libiconv's sake: no input is of wide characters")
                .allow_hyphen_values(true)
                .value_parser(Template::parse),
        )
        .arg(flag("per-byte").help("With replace: once for each ill-formed byte, not each maximal subpart"))
        .arg(
            option("max-errors", "N")
                .help("Report at most N errors; 0 is no limit [default: 100]")
                .value_parser(number(0..=u64::MAX)),
        )
        .arg(
            option("lossy-status", "0|1")
                .help("Status after errors that did not end the run [default: 1 if -c omitted any, else 0]")
                .value_parser(choice(&[("0", "", false), ("1", "", true)]))
                .hide_possible_values(true),
        )
        .arg(flag("silent").short('s').help("Say nothing about the data; the status is the same"))
        .arg(flag("stats").help("Tell at the end, on standard error, what the input is made of and what the output lacks"))
        .next_help_heading("Normalization")
        .arg(
            option("normalize", "FORM").ignore_case(true).help("Write all text in one normalization form").value_parser(choice(&[
                ("nfc", "Composed, as most texts are", NormalizationForm::Nfc),
                ("nfd", "Decomposed: letters and marks apart", NormalizationForm::Nfd),
                ("nfkc", "Composed, without what only looks different; this loses", NormalizationForm::Nfkc),
                ("nfkd", "Decomposed, without what only looks different; this loses", NormalizationForm::Nfkd),
            ])),
        )
        .next_help_heading("Newlines")
        .arg(
            option("newline", "FORM").help("Write all newlines in one form [default: keep]").value_parser(choice(&[
                ("keep", "As they are", NewlineStyle::Keep),
                ("lf", "LF, as on Unix", NewlineStyle::Lf),
                ("crlf", "CR LF, as on Windows", NewlineStyle::Crlf),
                ("cr", "CR, as on old Macs", NewlineStyle::Cr),
            ])),
        )
        .arg(flag("final-newline").help("Add a newline to output that does not end with one"))
        .next_help_heading("Input and output")
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::FilePath)
                .allow_hyphen_values(true)
                .help("Write to FILE, whole or not at all; it may be an input"),
        )
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .action(ArgAction::Append)
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::FilePath)
                .help("Inputs, joined into one output; '-' or none is standard input"),
        )
        .arg(
            flag("verbose")
                .short('v')
                .help("Name each input on standard error; with -i and --output-dir, say what became of each"),
        )
        .arg(
            option("mmap", "WHEN")
                .help("Map regular files into memory instead of reading them [default: auto]")
                .value_parser(choice(&[
                    ("auto", "Where it is faster (nowhere so far)", Mapping::Auto),
                    ("always", "Every regular file", Mapping::Always),
                    ("never", "None", Mapping::Never),
                ])),
        )
        .arg(threads())
        .arg(flag("force-terminal").help("Write UTF-16, UTF-32 and EBCDIC to a terminal too"))
        .next_help_heading("Parts of a file")
        .arg(
            range().help("Convert only the characters that start at a byte from A to B-1 of a file; A: and :B are ranges, too"),
        )
        .arg(first_line())
        .arg(
            option("list-ranges", "N")
                .conflicts_with_all(["range", "output", "count-output", "stats"])
                .value_parser(number(1..=1u64 << 20))
                .help("Print up to N ranges of about the same length that make up FILE, and exit"),
        )
        .arg(
            Arg::new("null")
                .short('0')
                .long("null")
                .action(ArgAction::SetTrue)
                .conflicts_with("format")
                .help("With --list-ranges: end each by a NUL"),
        )
        .arg(
            option("format", "FORMAT")
                .help("Form of the list of ranges [default: text]")
                .value_parser(choice(RangeFormat::TABLE)),
        )
        .arg(
            flag("count-output")
                .conflicts_with("output")
                .help("Print how many bytes would be written, and write none"),
        )
        .next_help_heading("Many files")
        .arg(
            Arg::new("in-place")
                .short('i')
                .long("in-place")
                .value_name("SUFFIX")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .value_parser(value_parser!(OsString))
                .help("Convert each FILE to itself; with =SUFFIX, keep the old one under its name and SUFFIX"),
        )
        .arg(
            flag("preserve-time")
                .requires("in-place")
                .help("With -i: keep the times of access and modification"),
        )
        .arg(
            flag("force")
                .requires("in-place")
                .help("With -i: write over a file that cannot be replaced by a rename"),
        )
        .arg(
            option("output-dir", "DIR")
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::DirPath)
                .help("Convert each FILE to one of the same name in DIR, directories and all"),
        )
        .arg(flag("recursive").short('r').help("With -i and --output-dir: go through directories"))
        .args(files::options::lists())
        .args(files::options::in_directories())
        .arg(flag("dry-run").help("Write nothing, and say what would change and what would be lost"))
        .arg(
            flag("verify")
                .conflicts_with("dry-run")
                .help("Read each new file again; if its text is not that of the old one, nothing is replaced"),
        )
        .arg(
            flag("again").help("With -i and --output-dir: convert also what is in the output's encoding already"),
        )
        .arg(
            option("sync", "WHEN").help("What has to be on the disk before an old file goes [default: file]").value_parser(
                choice(&[
                    ("file", "Each new file", Durability::File),
                    ("batch", "New files, many at a time: as safe, and faster", Durability::Batch),
                    ("none", "Nothing: a power cut may leave empty files", Durability::None),
                ]),
            ),
        )
}

/// The table with the options for tests, which neither help nor completions offer.
pub fn hidden(table: Clap) -> Clap {
    table.arg(option("buffer-size", "N").hide(true).value_parser(number(1..=1u64 << 30)))
}

const AFTER_HELP: &str = "\
Exit status: 0 done; 1 errors in the data; 2 usage, or a file that cannot be read or written.
Under the name iconv, or with --iconv first, it is an iconv; see iconv --help.
The manual page utfconv(1) says more.";

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::convert::plan::ConvertPlan;
    use crate::ui::options::{Parsed, parse};
    use crate::ui::personality::Personality;

    /// The plan that a command line asks for.
    pub fn plan(words: &str) -> anyhow::Result<ConvertPlan> {
        let words: Vec<OsString> = words.split_whitespace().map(Into::into).collect();
        match parse(hidden(options()), &words, |_| None).map(|parsed| match parsed {
            Parsed::Matches(matches) => understand(matches),
            Parsed::Text(text) => panic!("{words:?} prints {text}"),
        }) {
            Ok(Ok(args)) => ConvertPlan::new(Personality::Utfconv, args),
            Ok(Err(refusal)) | Err(refusal) => panic!("{words:?}: {}", refusal.text),
        }
    }
}
