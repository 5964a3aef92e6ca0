//! The options of `names`: their table, and the plan that is made from them. Makes no system calls.

use std::ffi::OsString;

use anyhow::{Result, ensure};
use utfconv_core::{Encoding, NormalizationForm, UTF_8};
use utfconv_detect::{Certainty, Hints};

use super::name::{DoubleEncoding, NameForm, NameSource, Rules, is_for_names};
use super::plan::{Action, NamesPlan};
use crate::batch::file_options::paths;
use crate::ui::color::When;
use crate::ui::modes::{self, Source};
use crate::ui::names::{Name, Suffixes};
use crate::ui::options::{ReportFormat, choice, color, command, file, language, min_certainty, needs};
use crate::ui::table::{Built, Matches, Table, flag, option, options};

/// Returns the option table, which the parser, help, man page and completions use. The function is long because each
/// option is defined here once.
pub fn table(built: Built) -> Table {
    command("names", "Convert or repair the names of files", built)
        .after_help(AFTER_HELP)
        .heading("Names")
        .add_all(options![
                option(
                    "from",
                    "ENC",
                    "Encoding of the names; 'auto' detects it for each directory [default: UTF-8]",
                )
                .short('f')
                .long("from-code")
                .with(|arg| arg.value_parser(modes::source)),
                option("to", "ENC", "New encoding of the names [default: UTF-8]")
                    .short('t')
                    .long("to-code")
                    .with(|arg| arg.value_parser(modes::name)),
                language(),
                min_certainty(
                    "With -f auto: minimum certainty of the encoding for a conversion [default: likely]",
                ),
                option(
                    "normalize",
                    "FORM",
                    "Write names in one normalization form: nfc, nfd, nfkc, nfkd or mac",
                )
                .with(|arg| arg.ignore_case(true).value_parser(choice(FORMS))),
                flag("repair", "Undo double encoding (UTF-8 decoded as another encoding) if it is proven",),
                flag("reconvert", "Also convert names that are already UTF-8"),
                flag("links", "Also convert the names in the targets of symbolic links"),
            ])
        .heading("Renaming")
        .add_all(options![
            flag("in-place", "Rename files; without -i, only show what would change").short('i'),
            flag("diff", "Rename nothing; print what would change, as a patch for git apply")
                .conflicts_with(&["format"]),
            color().help("With --diff: use color [default: auto]"),
            flag("keep-going", "If some names are refused, rename the other files [default: rename none]",),
            option("manifest", "FILE", "Record all changes in FILE, for --undo")
                .conflicts_with(&["diff"])
                .with(file),
            option(
                "undo",
                "MANIFEST",
                "Undo the renames of MANIFEST; without MANIFEST, undo an interrupted run"
            )
            .conflicts_with(&["in-place", "diff", "manifest"])
            .with(|arg| {
                file(arg).num_args(0..=1).require_equals(true).default_missing_value(INTERRUPTED)
            }),
        ])
        .heading("Report")
        .add_all(options![
            option("format", "FORMAT", "Report format [default: text]").with(|arg| {
                arg.value_parser(choice(&[
                    ("text", "For people, one name per line", ReportFormat::Text),
                    ("json", "One JSON object per line", ReportFormat::Json),
                ]))
            }),
            flag("verbose", "With -i or --undo: show each name").short('v'),
            paths().help("Files, and directories with everything below them [default: .]"),
        ])
}

/// Stands for `--undo` without an argument, because no argument can contain NUL.
const INTERRUPTED: &str = "\0";

const FORMS: &[(&str, &str, NameForm)] = &[
    ("nfc", "Compose, as on Linux and Windows", NameForm::Unicode(NormalizationForm::Nfc)),
    ("nfd", "Decompose into letters and combining marks", NameForm::Unicode(NormalizationForm::Nfd)),
    ("nfkc", "Compose, with compatibility mappings (lossy)", NameForm::Unicode(NormalizationForm::Nfkc)),
    ("nfkd", "Decompose, with compatibility mappings (lossy)", NameForm::Unicode(NormalizationForm::Nfkd)),
    ("mac", "As nfd, except characters that HFS+ of macOS does not decompose", NameForm::Mac),
];

const AFTER_HELP: &str = "\
Exit status: 0 all names are right, or were converted; 1 names would change, or were refused;
2 usage or I/O error (takes precedence over 1). See utfconv-names(1).";

/// Makes the plan from the typed options.
pub fn from_matches(mut matches: Matches) -> Result<NamesPlan> {
    let m = &mut matches;
    needs(m, "color", "diff", "diff")?;
    needs(m, "manifest", "in-place", "in-place")?;
    let undone: Option<OsString> = m.remove_one("undo");
    let action = match ["diff", "in-place"].map(|option| m.flag(option)) {
        [true, _] => Action::Diff(m.remove_one("color").unwrap_or(When::Auto)),
        _ if undone.is_some() => Action::Undo,
        [_, true] => Action::Rename,
        _ => Action::Show,
    };
    let renames = matches!(action, Action::Diff(_) | Action::Rename);
    ensure!(renames || !m.flag("keep-going"), "--keep-going requires --in-place or --diff");
    let format = m.remove_one("format").unwrap_or(ReportFormat::Text);
    let rules = rules(m, action)?;
    let paths: Vec<OsString> = m.remove_many("path").collect();
    Ok(NamesPlan {
        format,
        paths: if paths.is_empty() { vec![".".into()] } else { paths },
        rules,
        action,
        links: m.flag("links"),
        keep_going: m.flag("keep-going"),
        verbose: m.flag("verbose"),
        manifest: m.remove_one("manifest").or(undone.filter(|file| file != INTERRUPTED)),
    })
}

/// Returns how names are converted, from the typed options.
fn rules(m: &mut Matches, action: Action) -> Result<Rules> {
    let languages: Vec<_> = m.remove_one("language").unwrap_or_default();
    let from = match m.remove_one::<Source>("from") {
        Some(Source::Named(name)) => NameSource::Named(encoding(&name, "-f")?),
        Some(Source::Detected(candidates)) => {
            NameSource::Detected(Hints::default().candidates(candidates).languages(languages.clone()))
        }
        None => NameSource::Named(&UTF_8),
    };
    let is_detected = matches!(from, NameSource::Detected(_));
    let has_hints = !languages.is_empty() || m.is_given("min-certainty");
    ensure!(is_detected || !has_hints, "--language and --min-certainty require -f auto");
    let to = match m.remove_one::<Name>("to") {
        Some(name) => encoding(&name, "-t")?,
        None => &UTF_8,
    };
    ensure!(
        is_for_names(to),
        "-t: {} cannot be an encoding of file names; use one of bytes without shift states",
        to.name()
    );
    let is_possible = cfg!(unix) || to == &UTF_8;
    ensure!(is_possible, "-t: names are Unicode on this system; only UTF-8 can be written");
    let double_encoding = match action {
        _ if m.flag("repair") => DoubleEncoding::Undone,
        Action::Show => DoubleEncoding::Reported,
        _ => DoubleEncoding::Ignored,
    };
    Ok(Rules {
        from,
        to,
        form: m.remove_one("normalize"),
        double_encoding,
        again: m.flag("reconvert"),
        least_certainty: m.remove_one("min-certainty").unwrap_or(Certainty::Likely),
    })
}

/// Returns the encoding of a name, which must have no suffixes and single-byte code units.
fn encoding(name: &Name, option: &str) -> Result<&'static Encoding> {
    let Name { encoding, suffixes, .. } = name;
    ensure!(*suffixes == Suffixes::default(), "{option}: suffixes cannot be used for names of files");
    let is_of_bytes = encoding.code_unit_len() == 1;
    ensure!(
        is_of_bytes,
        "{option}: {} cannot be an encoding of file names, which are bytes",
        encoding.name()
    );
    Ok(encoding)
}
