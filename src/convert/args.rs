//! The option table of conversions, and what was typed. No system call is made here, except that a mapping file is read
//! where it is named ([`crate::ui::mappings`]).
//!
//! To add an option: define it in its group here, add its field to `Request`, and use that in `plan`.

use std::ffi::OsString;
use std::str::FromStr;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, Command as Clap, value_parser};
use utfconv_core::detect::Hints;
use utfconv_core::{Encoding, InputBom, NormalizationForm, OnIllFormed, OnUnmappable, OutputBom, Template};

use crate::convert::newlines::{Changed, NewlineStyle};
use crate::convert::offset_map::Spacing;
use crate::convert::ranges::RangeFormat;
use crate::convert::request::{
    By, Declarations, Given, Product, Request, Settings, by_byte_template, by_scalar_template,
};
use crate::files;
use crate::files::options::{first_line, range};
use crate::files::replace::Durability;
use crate::files::source::Mapping;
use crate::ui::color::When;
use crate::ui::modes::{self, Both, both, ill_formed, unmappable};
use crate::ui::names::Name;
use crate::ui::options::{
    Refusal, buffer_size, choice, color, ebcdic_newline, flag, is_given, language, needs, number, option,
    threads,
};
use crate::ui::quote::one_line;

/// The message instead of `error`, for an option that is known in another place or form: `--iconv`, and sed's `-i.bak`.
pub fn instead(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(unknown)) if error.kind() == ErrorKind::UnknownArgument => {
            unknown.as_bytes()
        }
        _ => return None,
    };
    if unknown == b"--iconv" {
        return Some("--iconv must be the first argument".to_string());
    }
    let mut options = words.iter().skip(1).take_while(|word| *word != "--");
    let suffix = options.find_map(|word| {
        let suffix = word.to_str()?.strip_prefix("-i").filter(|suffix| !suffix.starts_with('='))?;
        (unknown.len() == 2 && suffix.as_bytes().contains(&unknown[1])).then_some(suffix)
    })?;
    Some(format!("write the -i suffix after '=': -i={}", one_line(suffix)))
}

/// The input encoding, None if it is detected; then those that may be found, all if there are none.
fn source(m: &mut ArgMatches) -> (Option<Name>, Vec<&'static Encoding>) {
    match m.remove_one("from") {
        Some(modes::Source::Named(name)) => (Some(name), Vec::new()),
        Some(modes::Source::Detected(candidates)) => (None, candidates),
        None => (Some(Name::default()), Vec::new()),
    }
}

/// Makes a request of what was typed.
pub fn understand(mut matches: ArgMatches) -> Result<Request, Refusal> {
    let m = &mut matches;
    for (option, other) in [
        ("null", "list-ranges"),
        ("format", "list-ranges"),
        ("first-line", "range"),
        ("diff", "in-place"),
        ("color", "diff"),
        ("offset-map-every", "offset-map"),
    ] {
        needs(m, option, other, other)?;
    }
    let how_in_place = files::options::how_in_place(m)?;
    let (ill_formed, unmappable) = (ill_formed_policy(m), unmappable_policy(m));
    let from_is_default = !is_given(m, "from");
    let (from, candidates) = source(m);
    let settings = Settings {
        from_is_default,
        accepts_guess: m.get_flag("accept-guess"),
        hints: Hints::default()
            .candidates(candidates)
            .languages(m.remove_one("language").unwrap_or_default()),
        newlines: Changed {
            newlines: m.remove_one("newline").unwrap_or_default(),
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
        offset_map: m.remove_one("offset-map").map(|file| {
            let every = m.remove_one("offset-map-every").map(Spacing::Characters);
            (file, every.unwrap_or_default())
        }),
        mapping: m.remove_one("mmap").unwrap_or_default(),
        buffer_size: m.remove_one::<u64>("buffer-size").and_then(|size| usize::try_from(size).ok()),
        threads: m.remove_one::<u16>("threads").map(usize::from),
        force_terminal: m.get_flag("force-terminal"),
        lists_approximated: is_given(m, "max-errors"),
        max_errors: m.remove_one("max-errors").unwrap_or(100),
        silent: m.get_flag("silent"),
        stats: m.get_flag("stats"),
        verbose: m.get_flag("verbose"),
        dry_run: m.get_flag("dry-run") || m.get_flag("diff"),
        diff: m.get_flag("diff").then(|| m.remove_one("color").unwrap_or(When::Auto)),
        verify: m.get_flag("verify"),
        again: m.get_flag("again"),
        converts_binary: m.remove_one("binary").unwrap_or_default(),
        ignores_configuration: m.get_flag("no-config"),
        config: m.remove_one("config"),
        declarations: m.remove_one("declaration").unwrap_or_default(),
    };
    Ok(Request {
        from,
        to: m.remove_one("to").unwrap_or_default(),
        input_bom: m.remove_one("input-bom"),
        output_bom: m.remove_one("output-bom"),
        ill_formed,
        unmappable,
        per_byte: m.get_flag("per-byte"),
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        normalization: m.remove_one("normalize"),
        lossy_status: m.remove_one("lossy-status"),
        in_place: how_in_place,
        output_dir: m.remove_one("output-dir"),
        recursive: m.get_flag("recursive"),
        sync: m.remove_one("sync"),
        output: m.remove_one("output"),
        targets: files::options::targets(m, "file")?,
        settings,
    })
}

/// The policy for ill-formed bytes, and the kind of option that set it.
fn ill_formed_policy(m: &mut ArgMatches) -> Given<OnIllFormed> {
    match last_given(m, "ill-formed", "byte-subst") {
        Some("ill-formed") => m.remove_one("ill-formed").map(|policy| (policy, By::Mode)),
        Some("errors") => m.get_one::<Both>("errors").map(|both| (both.0.clone(), By::Mode)),
        Some("byte-subst") => m.remove_one("byte-subst").map(by_byte_template),
        Some(_) => Some((OnIllFormed::Omit, By::Omit)),
        None => None,
    }
}

/// The policy for unmappable characters, likewise.
fn unmappable_policy(m: &mut ArgMatches) -> Given<OnUnmappable> {
    match last_given(m, "unmappable", "unicode-subst") {
        Some("unmappable") => m.remove_one("unmappable").map(|policy| (policy, By::Mode)),
        Some("errors") => m.get_one::<Both>("errors").map(|both| (both.1.clone(), By::Mode)),
        Some("unicode-subst") => m.remove_one("unicode-subst").map(by_scalar_template),
        Some(_) => Some((OnUnmappable::Omit, By::Omit)),
        None => None,
    }
}

/// Of the options that set a policy, the one given last; but `-c` takes precedence over a template.
fn last_given(m: &ArgMatches, side: &'static str, template: &'static str) -> Option<&'static str> {
    let last = ["omit", "errors", side, template]
        .into_iter()
        .filter(|id| is_given(m, id))
        .max_by_key(|id| m.indices_of(id).and_then(Iterator::last));
    if last == Some(template) && is_given(m, "omit") { Some("omit") } else { last }
}

/// The option table: parser, help, man page and completions are all made from it.
pub fn table() -> Clap {
    let ill_formed = modes::help("How to handle ill-formed bytes:", modes::ILL_FORMED);
    let unmappable =
        modes::help("How to handle characters that cannot be encoded in the output:", modes::UNMAPPABLE);
    options()
        .mut_arg("ill-formed", |option| option.long_help(ill_formed))
        .mut_arg("unmappable", |option| option.long_help(unmappable))
}

/// The table for `-h`: the most common options, in one list that fits a screen.
pub fn short_table() -> Clap {
    const COMMON: [&str; 17] = [
        "from",
        "to",
        "input-bom",
        "omit",
        "ill-formed",
        "unmappable",
        "errors",
        "max-errors",
        "silent",
        "normalize",
        "newline",
        "output",
        "in-place",
        "output-dir",
        "recursive",
        "dry-run",
        "file",
    ];
    options().after_help(AFTER_SHORT_HELP).mut_args(|arg| {
        let is_common = COMMON.contains(&arg.get_id().as_str());
        let takes_values = arg.get_action().takes_values();
        arg.hide(!is_common).hide_possible_values(takes_values).help_heading(Resettable::Reset)
    })
}

/// The table without the lists of modes.
pub fn options() -> Clap {
    let table = Clap::new("utfconv")
        .bin_name("utfconv")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Convert text from one encoding to another, and report errors by line, column and byte")
        .override_usage(USAGE)
        .after_help(AFTER_HELP)
        .args_override_self(true)
        .infer_long_args(true);
    let groups = [encodings, boms, errors, normalization, newlines, input_and_output, ranges, many_files];
    groups.into_iter().fold(table, |table, add| add(table))
}

fn encodings(table: Clap) -> Clap {
    table
        .next_help_heading("Encodings")
        .arg(
            option(
                "from",
                "ENC",
                "Input encoding; 'auto' detects it, 'auto:LIST' among these [default: UTF-8]",
            )
            .short('f')
            .long("from-code")
            .allow_hyphen_values(true)
            .value_parser(modes::source),
        )
        .arg(
            option("to", "ENC", "Output encoding [default: UTF-8]; //TRANSLIT or //IGNORE may follow")
                .short('t')
                .long("to-code")
                .allow_hyphen_values(true)
                .value_parser(modes::name),
        )
        .arg(ebcdic_newline())
        .arg(flag("accept-guess", "With -f auto: convert even if the encoding is a guess"))
        .arg(language())
        .args(files::options::config())
        .arg(
            option(
                "declaration",
                "MODE",
                "Set how to handle text that names its own encoding, as XML does [default: keep]",
            )
            .value_parser(choice(&[
                ("keep", "Keep it; in files, warn if the name is now wrong", Declarations::Keep),
                ("update", "Replace the name by that of the output encoding", Declarations::Update),
            ])),
        )
        .arg(flag("list", "List the encodings and exit").short('l'))
}

fn boms(table: Clap) -> Clap {
    table
        .next_help_heading("BOM")
        .arg(
            option(
                "input-bom",
                "POLICY",
                "Set how to handle an input BOM (U+FEFF at the start) [default: auto]",
            )
            .value_parser(choice(&[
                ("auto", "Use, keep or drop it as the encodings require", InputBom::Auto),
                ("keep", "Keep it as U+FEFF in the output", InputBom::Keep),
                ("strip", "Remove it", InputBom::Strip),
                ("text", "Treat it as text (the protocol forbids BOMs)", InputBom::Text),
                ("forbid", "Treat a BOM as an error", InputBom::Forbid),
                ("require", "Treat a missing BOM as an error", InputBom::Require),
                ("sniff", "Let it choose the encoding, instead of -f", InputBom::Sniff),
            ])),
        )
        .arg(option("output-bom", "POLICY", "Set when to write a BOM [default: auto]").value_parser(choice(
            &[
                ("auto", "If the encoding requires one, or the input's is kept", OutputBom::Auto),
                ("always", "Always, except for empty output", OutputBom::Always),
                ("never", "Never, even if the input's would be kept", OutputBom::Never),
            ],
        )))
}

fn errors(table: Clap) -> Clap {
    table
        .next_help_heading("Errors")
        .arg(
            Arg::new("omit")
                .short('c')
                .action(ArgAction::SetTrue)
                .help("Omit what cannot be converted; exit with 1 if anything was omitted"),
        )
        .arg(
            option("ill-formed", "MODE", "Set how to handle ill-formed (invalid) bytes [default: stop]")
                .value_parser(ill_formed),
        )
        .arg(
            option(
                "unmappable",
                "MODE",
                "Set how to handle characters that cannot be encoded [default: stop]",
            )
            .value_parser(unmappable),
        )
        .arg(
            option("errors", "MODE", "Set both modes, such as to replace[=TEXT] or escape=percent")
                .value_parser(both),
        )
        .arg(template(
            "byte-subst",
            "Write each ill-formed byte using printf-style FORMAT, such as '<0x%02x>'",
        ))
        .arg(template("unicode-subst", "Write each unmappable character using FORMAT, such as '<U+%04X>'"))
        .arg(template("widechar-subst", "No effect; kept for libiconv"))
        .arg(flag("per-byte", "With replace: write it once per ill-formed byte, not per maximal subpart"))
        .arg(
            option("max-errors", "N", "Report at most N errors; 0 is no limit [default: 100]")
                .value_parser(number(0..=u64::MAX)),
        )
        .arg(
            option(
                "lossy-status",
                "0|1",
                "Set the exit status after errors that were handled [default: 1 if -c omitted any, else 0]",
            )
            .value_parser(choice(&[("0", "", false), ("1", "", true)]))
            .hide_possible_values(true),
        )
        .arg(flag("silent", "Do not report errors; the exit status is the same").short('s'))
        .arg(flag("stats", "Print statistics of the input on standard error at the end"))
}

/// An option with a template of libiconv.
fn template(id: &'static str, help: &'static str) -> Arg {
    option(id, "FORMAT", help).allow_hyphen_values(true).value_parser(Template::from_str)
}

fn normalization(table: Clap) -> Clap {
    table.next_help_heading("Normalization").arg(
        option("normalize", "FORM", "Write all text in one normalization form: nfc, nfd, nfkc or nfkd")
            .ignore_case(true)
            .value_parser(choice(&[
                ("nfc", "Composition, as in most texts", NormalizationForm::Nfc),
                ("nfd", "Decomposition: letters and combining marks separate", NormalizationForm::Nfd),
                ("nfkc", "Compatibility composition (lossy)", NormalizationForm::Nfkc),
                ("nfkd", "Compatibility decomposition (lossy)", NormalizationForm::Nfkd),
            ])),
    )
}

fn newlines(table: Clap) -> Clap {
    table
        .next_help_heading("Newlines")
        .arg(option("newline", "STYLE", "Write all newlines as lf, crlf or cr [default: keep]").value_parser(
            choice(&[
                ("keep", "Unchanged", NewlineStyle::Keep),
                ("lf", "LF, as on Unix", NewlineStyle::Lf),
                ("crlf", "CR LF, as on Windows", NewlineStyle::Crlf),
                ("cr", "CR, as on classic Mac OS", NewlineStyle::Cr),
            ]),
        ))
        .arg(flag("final-newline", "Add a newline to output that does not end with one"))
}

fn input_and_output(table: Clap) -> Clap {
    table
        .next_help_heading("Input and output")
        .arg(
            option("output", "FILE", "Write to FILE, which may be an input; replace FILE only on success")
                .short('o')
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::FilePath)
                .allow_hyphen_values(true),
        )
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .help_heading(Resettable::Reset)
                .action(ArgAction::Append)
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::FilePath)
                .help("Inputs, joined into one output; '-' or none is standard input"),
        )
        .arg(
            flag(
                "verbose",
                "Name each input on standard error; with -i and --output-dir, report each result",
            )
            .short('v'),
        )
        .arg(
            option("mmap", "WHEN", "Map regular files into memory instead of reading them [default: auto]")
                .value_parser(choice(&[
                    ("auto", "If faster (currently the same as never)", Mapping::Auto),
                    ("always", "Every regular file", Mapping::Always),
                    ("never", "No file", Mapping::Never),
                ])),
        )
        .arg(threads())
        .arg(flag("force-terminal", "Write UTF-16, UTF-32 and EBCDIC to a terminal too"))
}

fn ranges(table: Clap) -> Clap {
    table
        .next_help_heading("Ranges of a file")
        .arg(range("Convert only the characters that start at a byte from A to B-1 of FILE; A: and :B are ranges too"))
        .arg(first_line())
        .arg(
            option("list-ranges", "N", "Print up to N ranges of similar length that make up FILE, and exit")
                .conflicts_with_all(["range", "output", "count-output", "stats"])
                .value_parser(number(1..=1u64 << 20)),
        )
        .arg(
            flag("null", "With --list-ranges: end each range with NUL").short('0').conflicts_with("format"),
        )
        .arg(
            option("format", "FORMAT", "Set the format of the list of ranges [default: text]")
                .value_parser(choice(RangeFormat::TABLE)),
        )
        .arg(
            option("offset-map", "MAP", "Write the input and output offset of each line start to MAP; '-' is standard output, with -o")
                .conflicts_with("list-ranges")
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::FilePath),
        )
        .arg(
            option("offset-map-every", "N", "With --offset-map: write offsets every N characters instead")
                .value_parser(number(1..=u64::MAX)),
        )
        .arg(
            flag("count-output", "Print the output length in bytes, and write nothing").conflicts_with("output"),
        )
}

fn many_files(table: Clap) -> Clap {
    table
        .next_help_heading("Many files")
        .args(files::options::in_place("Convert each FILE in place; =SUFFIX keeps the old file as a backup"))
        .arg(
            option(
                "output-dir",
                "DIR",
                "Convert each FILE to a file of the same name and directories in DIR",
            )
            .value_parser(value_parser!(OsString))
            .value_hint(clap::ValueHint::DirPath),
        )
        .arg(flag("recursive", "With -i and --output-dir: convert the files in directories").short('r'))
        .args(files::options::lists())
        .args(files::options::in_directories())
        .arg(files::options::tracked())
        .arg(flag("dry-run", "Write nothing; report what would change and what would be lost"))
        .arg(flag("diff", "With -i: write nothing; print what would change, as a patch for git apply"))
        .arg(color().help("With --diff: use colour [default: auto]"))
        .arg(
            flag("verify", "Read each new file again; keep the old one if the text differs")
                .conflicts_with_all(["dry-run", "diff"]),
        )
        .arg(
            option("binary", "WHAT", "With -i and --output-dir: handle binary files [default: skip]")
                .value_parser(choice(&[
                    ("skip", "Leave them as they are; if named, this is an error", false),
                    ("convert", "Convert them like text", true),
                ])),
        )
        .arg(flag("again", "With -i and --output-dir: also convert files that seem already converted"))
        .arg(
            option("sync", "WHEN", "Set what must be on disk before an old file is replaced [default: file]")
                .value_parser(choice(&[
                    ("file", "Each new file", Durability::File),
                    ("batch", "New files, many at a time: as safe, and faster", Durability::Batch),
                    ("none", "Nothing: a power cut may leave empty files", Durability::None),
                ])),
        )
}

/// The table with the options for tests, which neither help nor completions offer.
pub fn hidden(table: Clap) -> Clap {
    table.arg(buffer_size(1))
}

const USAGE: &str = "\
utfconv [OPTIONS] [FILE]...
       utfconv COMMAND [OPTIONS] [ARGUMENT]...
       utfconv --iconv [OPTIONS] [FILE]...";

const AFTER_HELP: &str = "\
Exit status: 0 done; 1 errors in the data; 2 usage, or a file that cannot be read or written.
Called as iconv, or with --iconv first, it works as iconv; see iconv --help.
See utfconv(1) for details.";

const AFTER_SHORT_HELP: &str = "\
Exit status: 0 done; 1 errors in the data; 2 usage, or a file that cannot be read or written.
See utfconv --help for all options.";
