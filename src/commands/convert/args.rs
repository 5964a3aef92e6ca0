//! The option table of conversions, and the request made from typed options. The only system calls are those that read
//! mapping files ([`crate::ui::mappings`]).
//!
//! To add an option: define it in its group here, add its field to `Request`, and use that in `plan`.

use std::ffi::OsString;
use std::str::FromStr;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Command as Clap, value_parser};
use utfconv_core::{Encoding, OnIllFormed, OnUnmappable, Template};
use utfconv_detect::Hints;

use crate::batch;
use crate::batch::file_options;
use crate::batch::file_options::{chosen_range, first_line, range};
use crate::commands::convert::ranges::RangeFormat;
use crate::commands::convert::records::{InputRecords, framing};
use crate::commands::convert::request::{
    BinaryFiles, By, Given, Product, Request, Settings, by_byte_template, by_scalar_template,
};
use crate::files;
use crate::files::replace::InPlace;
use crate::files::source::Mapping;
use crate::text::newlines::Changed;
use crate::ui::color::When;
use crate::ui::modes::{self, Both, both, ill_formed, unmappable};
use crate::ui::names::Name;
use crate::ui::options::{
    Refusal, any_number, buffer_size, choice, color, ebcdic_newline, file, from, language, min_certainty,
    needs, number, threads,
};
use crate::ui::quote::one_line;
use crate::ui::table::{Built, Definition, Matches, Table, flag, operand, option, options};

/// Returns the message instead of `error`, for an option that is known in another place or form: `--iconv`, and
/// sed's `-i.bak`.
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

/// Returns the input encoding, None if it is detected; then those that may be found, all if there are none.
fn source(m: &mut Matches) -> (Option<Name>, Vec<&'static Encoding>) {
    match m.remove_one("from") {
        Some(modes::Source::Named(name)) => (Some(name), Vec::new()),
        Some(modes::Source::Detected(candidates)) => (None, candidates),
        None => (Some(Name::default()), Vec::new()),
    }
}

/// Whether the report on many files is to be JSON.
pub fn is_json(m: &mut Matches) -> bool {
    m.remove_one("format") == Some(RangeFormat::Json)
}

/// Makes a request of what was typed.
pub fn from_matches(mut matches: Matches) -> Result<Request, Refusal> {
    let m = &mut matches;
    let is_batch = ["in-place", "output-dir", "diff"].iter().any(|option| m.is_given(option));
    refuse_alone(m, is_batch)?;
    let [keeps_encoding, changes_form_only] = kept(m);
    let how_in_place = file_options::how_in_place(m)?;
    // It shows what -i would do.
    let how_in_place = how_in_place.or_else(|| m.is_given("diff").then(InPlace::default));
    let (ill_formed, unmappable) = (ill_formed_policy(m), unmappable_policy(m));
    let from_is_default = !m.is_given("from");
    let (from, candidates) = source(m);
    let languages = m.remove_one("language").unwrap_or_default();
    let settings = Settings {
        changes_form_only,
        keeps_encoding,
        from_is_default,
        hints: Hints::default().candidates(candidates).languages(languages),
        json: is_batch && is_json(m),
        ..settings(m)?
    };
    Ok(Request {
        from,
        to: m.remove_one("to").unwrap_or_default(),
        input_bom: m.remove_one("input-bom"),
        output_bom: m.remove_one("output-bom"),
        ill_formed,
        unmappable,
        per_byte: m.flag("per-byte"),
        ebcdic_newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        normalization: m.remove_one("normalize"),
        lossy_status: m.remove_one("lossy-status"),
        in_place: how_in_place,
        output_dir: m.remove_one("output-dir"),
        recursive: m.flag("recursive"),
        batch: batch::args::options(m),
        output: m.remove_one("output"),
        targets: files::walk::Targets {
            links: m.remove_one("links").unwrap_or_default(),
            ..file_options::targets(m, "file")?
        },
        settings,
    })
}

/// Refuses options without the others that they require.
fn refuse_alone(m: &Matches, is_batch: bool) -> Result<(), Refusal> {
    for (option, other) in [
        ("null", "list-ranges"),
        ("range-first-line", "range"),
        ("color", "diff"),
        ("keep-blanks", "records"),
    ] {
        needs(m, option, other, other)?;
    }
    if is_batch {
        Ok(())
    } else {
        needs(m, "format", "list-ranges", "list-ranges, --in-place or --output-dir")
    }
}

/// Whether the encoding of files should stay, as other changes alone are requested; and whether these are newlines and BOMs.
fn kept(m: &Matches) -> [bool; 2] {
    let has = |ids: &[&str]| ids.iter().any(|id| m.is_given(id));
    let keeps_encoding = has(&["newline", "final-newline", "output-bom", "normalize"])
        && !has(&["from", "to", "records", "output-records", "declaration"]);
    let changes_text =
        has(&["normalize", "omit", "ill-formed", "unmappable", "errors", "byte-subst", "unicode-subst"]);
    [keeps_encoding, keeps_encoding && !changes_text]
}

/// Returns the settings that are one option each.
fn settings(m: &mut Matches) -> Result<Settings, Refusal> {
    Ok(Settings {
        least_certainty: m.remove_one("min-certainty"),
        newlines: Changed {
            newlines: m.remove_one("newline").unwrap_or_default(),
            adds_final: m.flag("final-newline"),
            records: m.remove_one("output-records"),
        },
        records: m
            .remove_one("records")
            .map(|framing| InputRecords { framing, keeps_blanks: m.flag("keep-blanks") }),
        is_newline_given: m.is_given("ebcdic-newline"),
        range: chosen_range(m)?,
        first_line: m.remove_one("range-first-line"),
        product: product(m),
        mapping: m.remove_one("mmap").unwrap_or_default(),
        buffer_size: m.remove_one::<u64>("buffer-size").and_then(|size| usize::try_from(size).ok()),
        threads: m.get_one::<u16>("threads").map(|threads| usize::from(*threads)),
        force_terminal: m.flag("force-terminal"),
        lists_approximated: m.is_given("max-errors"),
        max_errors: m.remove_one("max-errors").unwrap_or(100),
        silent: m.flag("silent"),
        stats: m.flag("stats"),
        verbose: m.flag("verbose"),
        dry_run: m.flag("dry-run") || m.flag("diff"),
        diff: m.flag("diff").then(|| m.remove_one("color").unwrap_or(When::Auto)),
        verify: m.flag("verify"),
        reconverts: m.flag("reconvert"),
        force: m.flag("force"),
        binary: m.remove_one("binary").unwrap_or_default(),
        ignores_configuration: m.flag("no-config"),
        config: m.remove_one("config"),
        declarations: m.remove_one("declaration").unwrap_or_default(),
        ..Settings::default()
    })
}

/// Returns what the run produces.
fn product(m: &mut Matches) -> Product {
    let Some(count) = m.remove_one("list-ranges") else {
        return if m.flag("count-output") { Product::Count } else { Product::Text };
    };
    let form =
        if m.flag("null") { RangeFormat::Null } else { m.remove_one("format").unwrap_or(RangeFormat::Text) };
    Product::Ranges { count, form }
}

/// Returns the policy for ill-formed bytes, and the kind of option that set it.
fn ill_formed_policy(m: &mut Matches) -> Given<OnIllFormed> {
    match last_given(m, "ill-formed", "byte-subst") {
        Some("ill-formed") => m.remove_one("ill-formed").map(|policy| (policy, By::Mode)),
        Some("errors") => m.get_one::<Both>("errors").map(|both| (both.0.clone(), By::Mode)),
        Some("byte-subst") => m.remove_one("byte-subst").map(by_byte_template),
        Some(_) => Some((OnIllFormed::Omit, By::Omit)),
        None => None,
    }
}

/// Returns the policy for unmappable characters, likewise.
fn unmappable_policy(m: &mut Matches) -> Given<OnUnmappable> {
    match last_given(m, "unmappable", "unicode-subst") {
        Some("unmappable") => m.remove_one("unmappable").map(|policy| (policy, By::Mode)),
        Some("errors") => m.get_one::<Both>("errors").map(|both| (both.1.clone(), By::Mode)),
        Some("unicode-subst") => m.remove_one("unicode-subst").map(by_scalar_template),
        Some(_) => Some((OnUnmappable::Omit, By::Omit)),
        None => None,
    }
}

/// Returns the option that sets a policy: the last one. `-c` takes precedence over a template.
fn last_given(m: &Matches, side: &'static str, template: &'static str) -> Option<&'static str> {
    let last = ["omit", "errors", side, template]
        .into_iter()
        .filter(|id| m.is_given(id))
        .max_by_key(|id| m.last_index(id));
    if last == Some(template) && m.is_given("omit") { Some("omit") } else { last }
}

/// Returns the table for `-h`: the most common options, in one list that fits a screen.
pub fn for_short_help(table: Clap) -> Clap {
    const COMMON: [&str; 14] = [
        "from",
        "to",
        "input-bom",
        "omit",
        "ill-formed",
        "unmappable",
        "max-errors",
        "silent",
        "newline",
        "output",
        "in-place",
        "output-dir",
        "recursive",
        "file",
    ];
    table.after_help(AFTER_SHORT_HELP).mut_args(|arg| {
        let is_common = COMMON.contains(&arg.get_id().as_str());
        let takes_values = arg.get_action().takes_values();
        let arg = arg.hide(!is_common).hide_possible_values(takes_values);
        arg.help_heading(Resettable::Reset).long_help(Resettable::Reset)
    })
}

/// Returns the option table: parser, help, man page and completions are all made from it.
pub fn table(built: Built) -> Table {
    let clap = Clap::new("utfconv")
        .bin_name("utfconv")
        .about("Convert text from one encoding to another, and report errors by line, column and byte")
        .override_usage(USAGE)
        .after_help(AFTER_HELP);
    let groups = [encodings, boms, errors, normalization, newlines, input_and_output, ranges, many_files];
    groups.into_iter().fold(Table::new(clap, built), |table, add| add(table))
}

fn encodings(table: Table) -> Table {
    table
        .heading("Encodings")
        .add_all(options![
            from("Input encoding; 'auto' detects it, also 'auto:LIST' [default: UTF-8]")
                .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::source)),
            option("to", "ENC", "Output encoding [default: UTF-8]; //TRANSLIT or //IGNORE may follow",)
                .short('t')
                .long("to-code")
                .with(|arg| arg.allow_hyphen_values(true).value_parser(modes::name)),
            ebcdic_newline(),
            min_certainty("With -f auto: convert only if the encoding is so certain [default: likely]",),
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
}

fn boms(table: Table) -> Table {
    table.heading("BOM").add_all(options![
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

fn errors(table: Table) -> Table {
    table.heading("Errors").add_all(options![
        flag("omit", "Omit what cannot be converted; exit with 1 if anything was omitted")
            .short('c')
            .without_long(),
        option("ill-formed", "MODE", "Set how to handle ill-formed (invalid) bytes [default: stop]").with(
            |arg| {
                arg.value_parser(ill_formed)
                    .long_help(modes::help("How to handle ill-formed bytes:", modes::ILL_FORMED))
            },
        ),
        option("unmappable", "MODE", "Set how to handle characters that cannot be encoded [default: stop]")
            .with(|arg| {
                arg.value_parser(unmappable).long_help(modes::help(
                    "How to handle characters that cannot be encoded in the output:",
                    modes::UNMAPPABLE,
                ))
            }),
        option("errors", "MODE", "Set both modes, such as to replace[=TEXT] or escape=percent")
            .with(|arg| arg.value_parser(both)),
        template("byte-subst", "Write each ill-formed byte using printf-style FORMAT, such as '<0x%02x>'"),
        template("unicode-subst", "Write each unmappable character using FORMAT, such as '<U+%04X>'"),
        template("widechar-subst", "No effect; kept for libiconv"),
        flag("per-byte", "With replace: write it once per ill-formed byte, not per maximal subpart"),
        option("max-errors", "N", "Report at most N errors per file; 0 is no limit [default: 100]")
            .with(any_number),
        option(
            "lossy-status",
            "0|1",
            "Set the exit status after errors that were handled [default: 1 if -c omitted any, else 0]",
        )
        .with(|arg| {
            arg.value_parser(choice(&[("0", "", false), ("1", "", true)])).hide_possible_values(true)
        }),
        flag("silent", "Do not report errors; the exit status is the same").short('s'),
        flag("stats", "Print statistics of the input on standard error at the end"),
    ])
}

/// An option with a template of libiconv.
const fn template(id: &'static str, help: &'static str) -> Definition {
    option(id, "FORMAT", help).with(|arg| arg.allow_hyphen_values(true).value_parser(Template::from_str))
}

fn normalization(table: Table) -> Table {
    table.heading("Normalization").add(
        option("normalize", "FORM", "Write all text in one normalization form: nfc, nfd, nfkc or nfkd")
            .with(|arg| arg.ignore_case(true).value_parser(choice(modes::NORMALIZATION))),
    )
}

fn newlines(table: Table) -> Table {
    table.heading("Newlines").add_all(options![
        option("newline", "STYLE", "Write all newlines as lf, crlf or cr [default: keep]")
            .with(|arg| arg.value_parser(choice(modes::NEWLINE))),
        flag("final-newline", "Add a newline to output that does not end with one"),
        option("records", "FORM", "Read records as lines: of N bytes each, or 'rdw' or 'rdw-blocked'",)
            .with(|arg| arg.value_parser(framing)),
        flag("keep-blanks", "With --records=N: keep the blanks at the end of records"),
        option(
            "output-records",
            "FORM",
            "Write lines as records: of N bytes each, padded, or 'rdw' or 'rdw-blocked'",
        )
        .conflicts_with(&["newline", "final-newline"])
        .with(|arg| arg.value_parser(framing)),
    ])
}

fn input_and_output(table: Table) -> Table {
    table.heading("Input and output").add_all(options![
        option("output", "FILE", "Write to FILE, which may be an input; replace FILE only on success",)
            .short('o')
            .with(|arg| file(arg).allow_hyphen_values(true)),
        operand("file", "FILE", "Inputs, joined into one output; '-' or none is standard input").with(
            |arg| {
                arg.action(ArgAction::Append)
                    .value_parser(value_parser!(OsString))
                    .value_hint(clap::ValueHint::FilePath)
            }
        ),
        flag("verbose", "Name each input on standard error; with -i and --output-dir, report each result",)
            .short('v'),
        option("mmap", "WHEN", "Map regular files into memory instead of reading them [default: auto]",)
            .with(|arg| {
                arg.value_parser(choice(&[
                    ("auto", "If faster (currently the same as never)", Mapping::Auto),
                    ("always", "Every regular file", Mapping::Always),
                    ("never", "No file", Mapping::Never),
                ]))
            }),
        threads(),
        flag("force-terminal", "Write UTF-16, UTF-32 and EBCDIC to a terminal too"),
    ])
}

fn ranges(table: Table) -> Table {
    table.heading("Ranges of a file").add_all(options![
        range(
            "Convert only the characters that start at a byte from A to B-1 of FILE; A: and :B are \
 ranges too",
        ),
        first_line(),
        option("list-ranges", "N", "Print up to N ranges of similar length that make up FILE, and exit",)
            .conflicts_with(&["range", "output", "count-output", "stats"])
            .with(|arg| arg.value_parser(number(1..=1u64 << 20))),
        flag("null", "With --list-ranges: end each range with NUL").short('0').conflicts_with(&["format"]),
        option(
            "format",
            "FORMAT",
            "Set the format of the list of ranges, or of a report on many files \
 [default: text]",
        )
        .with(|arg| arg.value_parser(choice(RangeFormat::TABLE))),
        flag("count-output", "Print the output length in bytes, and write nothing")
            .conflicts_with(&["output"]),
    ])
}

fn many_files(table: Table) -> Table {
    table
        .heading("Many files")
        .add_all(&file_options::in_place(
            "Convert each FILE in place; =SUFFIX keeps the old file as a backup",
        ))
        .add_all(options![
            option(
                "output-dir",
                "DIR",
                "Convert each FILE to a file of the same name and directories in DIR",
            )
            .with(|arg| { arg.value_parser(value_parser!(OsString)).value_hint(clap::ValueHint::DirPath) }),
            flag("recursive", "With -i and --output-dir: convert the files in directories").short('r'),
        ])
        .add_all(&file_options::lists())
        .add_all(&file_options::in_directories())
        .add_all(options![
            file_options::tracked(),
            flag("dry-run", "Write nothing; report what would change and what would be lost"),
            flag("diff", "Write nothing; print what -i would change, as a patch for git apply")
                .conflicts_with(&["output-dir"]),
            color().help("With --diff: use color [default: auto]"),
            flag("verify", "Read each new file again; keep the old one if the text differs")
                .conflicts_with(&["dry-run", "diff"]),
        ])
        .add_all(&{
            let [manifest, undo] = batch::args::manifest();
            [manifest, undo.conflicts_with(&["in-place", "output-dir", "output", "manifest"])]
        })
        .add_all(&batch::args::failed())
        .add_all(options![
            option("binary", "WHAT", "With -i and --output-dir: handle binary files [default: skip]").with(
                |arg| {
                    arg.value_parser(choice(&[
                        ("skip", "Leave them as they are; if named, this is an error", BinaryFiles::Skip),
                        ("convert", "Convert them like text", BinaryFiles::Convert),
                        ("copy", "With --output-dir: copy them", BinaryFiles::Copy),
                    ]))
                }
            ),
            option("links", "WHAT", "With -r: handle symbolic links in directories [default: skip]").with(
                |arg| {
                    arg.value_parser(choice(&[
                        ("skip", "Ignore them", false),
                        ("copy", "With --output-dir: copy the links themselves", true),
                    ]))
                }
            ),
            flag("reconvert", "With -i and --output-dir: also convert files that seem already converted",),
            batch::args::sync(),
        ])
}

/// Returns the table with the options for tests, which neither help nor completions offer.
pub fn with_hidden(built: Built) -> Table {
    table(built).add(buffer_size::<1>())
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
See utfconv --help for all options. Examples:
  utfconv -f windows-1252 letter.txt > letter.utf8.txt
  utfconv -i -r -f auto src
  utfconv check .";
