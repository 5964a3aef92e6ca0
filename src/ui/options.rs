//! Helpers for the option tables of all commands: the parser, values, and options with the same meaning everywhere.

use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command as Clap, ValueHint, value_parser};

use utfconv_detect::Certainty;

use crate::ui::color::When;
use crate::ui::exit::Exit;
use crate::ui::modes;
use crate::ui::quote::{inert, quoted, shortened};
use crate::ui::table::{Built, Definition, Matches, Table, option};
use crate::ui::words;

/// A command line that is refused.
pub struct Refusal {
    pub exit: Exit,
    /// The message for the user.
    pub text: String,
}

impl Refusal {
    pub fn usage(text: impl Into<String>) -> Refusal {
        Refusal { exit: Exit::Usage, text: text.into() }
    }
}

/// Converts an error about options to a usage error.
impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Refusal {
        Refusal::usage(error.to_string())
    }
}

/// The result of parsing arguments.
pub enum Parsed {
    Matches(Matches),
    /// A text to print, such as help or the version.
    Text(String),
}

/// Parses the typed words by `table`, which has only the options that may be in the words. If this fails, parses them
/// by the `whole` table, because help and errors are about all options. `instead` may return a better message for an
/// error.
pub fn parse(
    table: Table,
    whole: impl FnOnce() -> Clap,
    typed: &[OsString],
    instead: impl FnOnce(&clap::Error) -> Option<String>,
) -> Result<Parsed, Refusal> {
    let (clap, known) = table.into_clap();
    if let Ok(matches) = clap.try_get_matches_from(typed) {
        return Ok(Parsed::Matches(Matches::new(matches, known)));
    }
    let mut table = whole();
    let matches = table.try_get_matches_from_mut(typed);
    let better = matches.as_ref().err().and_then(|error| {
        instead(error)
            .or_else(|| words::advice(error, &table, typed))
            .or_else(|| second_file(error, &table))
            .or_else(|| ambiguous(error, &table))
    });
    match matches {
        Ok(matches) => Ok(Parsed::Matches(Matches::new(matches, known))),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Parsed::Text(error.to_string()))
        }
        Err(mut error) => {
            if let Some(text) = better {
                return Err(Refusal::usage(text));
            }
            // Typed words may contain line breaks, so they are quoted; the rest of the text has several lines.
            let typed: Vec<_> =
                error.context().filter_map(|(kind, value)| Some((kind, quoted_context(value)?))).collect();
            for (kind, value) in typed {
                error.insert(kind, value);
            }
            // clap's tip to write `--` before the word would show the word unquoted, and rarely helps.
            error.remove(ContextKind::Suggested);
            if words::misleads(&error) {
                error.remove(ContextKind::SuggestedArg);
            }
            let text = one_sentence(&error.to_string());
            // Errors in values already contain the fix.
            let help = if error.kind() == ErrorKind::ValueValidation { "" } else { " (see --help)" };
            Err(Refusal::usage(inert(&text) + help))
        }
    }
}

/// Returns clap's text of an error as one line, without the usage, which `--help` shows.
fn one_sentence(text: &str) -> String {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let paragraphs =
        text.split("\n\n").map(|paragraph| paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" "));
    let is_help = |paragraph: &String| {
        paragraph.is_empty()
            || ["Usage:", "For more information"].iter().any(|help| paragraph.starts_with(help))
    };
    let told: Vec<_> = paragraphs.filter(|paragraph| !is_help(paragraph)).collect();
    told.join("; ")
}

/// Returns the message about a second operand of `inspect`.
fn second_file(error: &clap::Error, table: &Clap) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_second = error.kind() == ErrorKind::UnknownArgument
        && !typed.starts_with('-')
        && table.get_name() == "inspect";
    is_second.then(|| format!("unexpected argument '{typed}'; inspect takes one file"))
}

/// Returns the message about an abbreviation of several long options, which clap takes for an unknown option.
fn ambiguous(error: &clap::Error, table: &Clap) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return None };
    let start = typed.strip_prefix("--").filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let shown = table.get_arguments().filter(|arg| !arg.is_hide_set());
    let names: Vec<_> =
        shown.filter_map(|arg| arg.get_long().filter(|name| name.starts_with(start))).collect();
    (names.len() > 1).then(|| format!("'{typed}' is ambiguous: --{}", names.join(", --")))
}

/// Returns a typed word for an error message, shortened, and quoted if it has control characters.
fn quoted_context(value: &ContextValue) -> Option<ContextValue> {
    let ContextValue::String(text) = value else { return None };
    let short = shortened(text);
    let has_controls = short.contains(char::is_control);
    let shown = if has_controls { quoted(&*short) } else { short.into_owned() };
    Some(ContextValue::String(shown))
}

/// Refuses an option that was given without `other`, whose long name is `name`. clap's `requires` is not used, because
/// it skips options that conflict with a given option.
pub fn needs(m: &Matches, option: &str, other: &str, name: &str) -> anyhow::Result<()> {
    anyhow::ensure!(!m.is_given(option) || m.is_given(other), "--{option} requires --{name}");
    Ok(())
}

/// Returns the table of a command, without options yet.
pub fn command<'a>(name: &'static str, about: &'static str, built: Built<'a>) -> Table<'a> {
    Table::new(Clap::new(name).bin_name(format!("utfconv {name}")).about(about), built)
}

/// Returns the option for the encoding of the input.
pub const fn from(help: &'static str) -> Definition {
    option("from", "ENC", help).short('f').long("from-code")
}

/// Returns the option for positions in a restored file that have no certain content.
pub const fn unmappable(help: &'static str) -> Definition {
    option("unmappable", "MODE", help).with(|arg| arg.value_parser(modes::restoring))
}

/// Returns the option for the meaning of the EBCDIC byte 0x15.
pub const fn ebcdic_newline() -> Definition {
    option("ebcdic-newline", "CONTROL", "Map EBCDIC byte 0x15 to NEL or LF [default: nel]")
        .with(|arg| arg.value_parser(choice(modes::EBCDIC_NEWLINE)))
}

/// Returns the option for the languages that a text may be in.
pub const fn language() -> Definition {
    option("language", "LIST", "Consider only English and the languages in LIST, such as de,pt-BR")
        .with(|arg| arg.value_parser(modes::languages))
}

/// Returns the option for the required certainty of a detected encoding.
pub const fn min_certainty(help: &'static str) -> Definition {
    option("min-certainty", "GRADE", help).with(|arg| arg.value_parser(choice(CERTAINTIES)))
}

const CERTAINTIES: &[(&str, &str, Certainty)] = &[
    ("certain", "The encoding is proven", Certainty::Certain),
    ("likely", "All evidence supports the encoding", Certainty::Likely),
    ("guess", "The encoding is the best of several", Certainty::Guess),
];

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportFormat {
    Text,
    Json,
}

/// Returns the option for colors.
pub const fn color() -> Definition {
    option("color", "WHEN", "Use color [default: auto]").with(|arg| arg.value_parser(choice(When::TABLE)))
}

/// Returns the option for the size of reads in bytes, which is for tests, so help and completions do not offer it.
pub fn buffer_size<const LEAST: u64>() -> Definition {
    option("buffer-size", "BYTES", "").with(|arg| arg.hide(true).value_parser(number(LEAST..=1 << 30)))
}

/// Returns the option for the number of threads.
pub const fn threads() -> Definition {
    option("threads", "N", "Use N threads [default: one per processor]")
        .short('j')
        .with(|arg| arg.value_parser(number(1..=u16::MAX)))
}

/// Makes the value of an option a file name.
pub fn file(arg: Arg) -> Arg {
    arg.value_parser(value_parser!(OsString)).value_hint(ValueHint::FilePath)
}

/// Makes the value of an option a number, which may be 0.
pub fn any_number(arg: Arg) -> Arg {
    arg.value_parser(number(0..=u64::MAX))
}

/// Returns a parser for a number within bounds.
pub fn number<T>(bounds: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| match text.parse() {
        Ok(number) if bounds.contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from {} to {}", bounds.start(), bounds.end())),
    }
}

/// Returns a parser for a word from a table, each with its help and its meaning.
pub fn choice<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, &'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let words = table.iter().map(|(word, help, _)| match *help {
        "" => PossibleValue::new(*word),
        help => PossibleValue::new(*word).help(help),
    });
    PossibleValuesParser::new(words).try_map(|given| {
        let known = table.iter().find(|(word, ..)| word.eq_ignore_ascii_case(&given));
        known.map(|(.., meaning)| *meaning).ok_or("not in the table")
    })
}
