//! The command line of iconv: the options of glibc, and those of libiconv for substitution. Parsing gives the same
//! [`ConvertOptions`] as utfconv's own command line.

mod getopt;
pub mod locale;
mod sentences;

pub use sentences::SENTENCES;

use std::ffi::{OsStr, OsString};

use clap::{Arg, ArgAction, Command as Clap, ValueHint};
use utfconv_core::{Encoding, InvalidTemplate, OnIllFormed, OnUnmappable, Template};

use crate::commands::convert::options::{By, ConvertOptions, Encodings, Errors, Given, InputOutput};
use crate::commands::iconv::getopt::{Getopt, Item, Spec};
use crate::files::source::Mapping;
use crate::ui::exit::Exit;
use crate::ui::mappings;
use crate::ui::names::{Name, Unknown};
use crate::ui::options::Refusal;
use crate::ui::quote::one_line;

/// Settings from the environment.
pub struct Environment {
    /// Whether the first operand ends the options.
    pub posixly_correct: bool,
    /// The encoding of the locale.
    pub encoding: &'static Encoding,
}

impl Environment {
    pub fn read() -> Environment {
        Environment {
            posixly_correct: std::env::var_os("POSIXLY_CORRECT").is_some(),
            encoding: locale::encoding(|name| {
                std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())
            }),
        }
    }
}

/// The request of a command line.
pub enum Asked {
    Convert(Box<ConvertOptions>),
    /// Print the names of all encodings.
    List,
    /// Print a text, such as help or the version.
    Print(String),
}

#[derive(Clone, Copy, Debug)]
enum Id {
    From,
    To,
    List,
    Omit,
    Output,
    Silent,
    Verbose,
    ByteSubst,
    UnicodeSubst,
    WidecharSubst,
    BufferSize,
    Help,
    Usage,
    Version,
}

static SPECS: [Spec<Id>; 14] = [
    Spec { id: Id::From, letter: Some('f'), long: Some("from-code"), takes_value: true },
    Spec { id: Id::To, letter: Some('t'), long: Some("to-code"), takes_value: true },
    Spec { id: Id::List, letter: Some('l'), long: Some("list"), takes_value: false },
    Spec { id: Id::Omit, letter: Some('c'), long: None, takes_value: false },
    Spec { id: Id::Output, letter: Some('o'), long: Some("output"), takes_value: true },
    Spec { id: Id::Silent, letter: Some('s'), long: Some("silent"), takes_value: false },
    Spec { id: Id::Verbose, letter: None, long: Some("verbose"), takes_value: false },
    Spec { id: Id::ByteSubst, letter: None, long: Some("byte-subst"), takes_value: true },
    Spec { id: Id::UnicodeSubst, letter: None, long: Some("unicode-subst"), takes_value: true },
    Spec { id: Id::WidecharSubst, letter: None, long: Some("widechar-subst"), takes_value: true },
    Spec { id: Id::BufferSize, letter: None, long: Some("buffer-size"), takes_value: true },
    Spec { id: Id::Help, letter: Some('?'), long: Some("help"), takes_value: false },
    Spec { id: Id::Usage, letter: None, long: Some("usage"), takes_value: false },
    Spec { id: Id::Version, letter: Some('V'), long: Some("version"), takes_value: false },
];

/// Returns the options as a clap table, which is used only for completions.
pub fn table() -> Clap {
    let operands = Arg::new("file").action(ArgAction::Append).value_hint(ValueHint::FilePath);
    SPECS
        .iter()
        .fold(Clap::new("iconv").disable_help_flag(true), |table, spec| {
            let arg = match spec.id {
                Id::From => Arg::new("from"),
                Id::To => Arg::new("to"),
                Id::Output => Arg::new("output").value_hint(ValueHint::FilePath),
                _ => Arg::new(spec.long.unwrap_or("omit")),
            };
            // `?` is left out, because shells take it for a pattern.
            let letter = spec.letter.filter(char::is_ascii_alphabetic);
            let action = if spec.takes_value { ArgAction::Set } else { ArgAction::SetTrue };
            table.arg(arg.short(letter).long(spec.long).action(action))
        })
        .arg(operands)
}

/// Parses the command line.
pub fn parse(argv: Vec<OsString>, environment: &Environment) -> Result<Asked, Refusal> {
    let (mut from, mut to) = (OsString::new(), OsString::new());
    let (mut lists, mut omits) = (false, false);
    let io = InputOutput { mapping: Mapping::Never, force_terminal: true, ..InputOutput::default() };
    let mut asked = ConvertOptions { io, ..ConvertOptions::default() };
    let Errors { ill_formed, unmappable, silent, .. } = &mut asked.errors;
    let words = argv.into_iter().skip(1).collect();
    for item in Getopt::new(&SPECS, words, !environment.posixly_correct) {
        match item.map_err(|text| usage(&text))? {
            Item::Operand(name) => asked.targets.paths.push(name),
            Item::Option(id, value) => match id {
                Id::From => from = value,
                Id::To => to = value,
                Id::List => lists = true,
                Id::Omit => omits = true,
                Id::Output => asked.io.output = Some(value),
                Id::Silent => *silent = true,
                Id::Verbose => asked.io.verbose = true,
                Id::ByteSubst => *ill_formed = Some(Given::byte_subst(template(&value)?)),
                Id::UnicodeSubst => *unmappable = Some(Given::unicode_subst(template(&value)?)),
                // There are no wide characters to substitute, so the option only checks its value.
                Id::WidecharSubst => drop(template(&value)?),
                Id::BufferSize => asked.io.buffer_size = Some(number_of_bytes(&value)?),
                Id::Help => return Ok(Asked::Print(HELP.to_string())),
                Id::Usage => return Ok(Asked::Print(USAGE.to_string())),
                Id::Version => return Ok(Asked::Print(VERSION.to_string())),
            },
        }
    }
    if lists {
        return Ok(Asked::List);
    }
    if omits {
        *ill_formed = Some(Given { policy: OnIllFormed::Omit, by: By::Omit });
        *unmappable = Some(Given { policy: OnUnmappable::Omit, by: By::Omit });
    }
    let (from, to) = names(&from.to_string_lossy(), &to.to_string_lossy(), environment)?;
    asked.encodings = Encodings { from: Some(from), to, ..Encodings::default() };
    Ok(Asked::Convert(Box::new(asked)))
}

/// Parses the value of `--buffer-size`.
fn number_of_bytes(text: &OsStr) -> Result<usize, Refusal> {
    let number = text.to_str().and_then(|text| text.parse().ok()).filter(|size| (1..=1 << 30).contains(size));
    number.ok_or_else(|| {
        usage(&format!("invalid buffer size '{}'; it is 1 to {}", one_line(&text.to_string_lossy()), 1 << 30))
    })
}

fn template(format: &OsStr) -> Result<Template, Refusal> {
    let format = format.to_string_lossy();
    format.parse().map_err(|text: InvalidTemplate| {
        usage(&format!("invalid substitution '{}': {text}", one_line(&format)))
    })
}

fn names(from: &str, to: &str, environment: &Environment) -> Result<(Name, Name), Refusal> {
    match (name(from, environment), name(to, environment)) {
        (Ok(from), Ok(to)) => Ok((from, to)),
        (Err(unknown), Ok(_)) => Err(unsupported(format!("conversion from {} is", shown(from)), &[unknown])),
        (Ok(_), Err(unknown)) => Err(unsupported(format!("conversion to {} is", shown(to)), &[unknown])),
        (Err(one), Err(other)) => Err(unsupported(
            format!("conversions from {} and to {} are", shown(from), shown(to)),
            &[one, other],
        )),
    }
}

/// Parses the value of `-f` or `-t`.
fn name(text: &str, environment: &Environment) -> Result<Name, Unknown> {
    let is_locale = |name: &str| ["", "char", "locale"].iter().any(|known| name.eq_ignore_ascii_case(known));
    mappings::name(text, |name| is_locale(name).then_some(environment.encoding))
}

/// Returns a name quoted as glibc quotes it.
fn shown(name: &str) -> String {
    format!("`{}'", one_line(name))
}

fn usage(text: &str) -> Refusal {
    Refusal::usage(format!("{text}\n{TRY}"))
}

/// Returns the error for an unsupported encoding. `what` is the start of the sentence, up to the verb.
fn unsupported(what: String, unknown: &[Unknown]) -> Refusal {
    let hints = unknown.iter().filter_map(|unknown| match unknown {
        Unknown::OutOfScope(known) => Some(format!("; {known} is known, but not to be had here")),
        Unknown::Similar(_) => unknown.suggestion(),
        Unknown::NoEncoding(meaning) => Some(format!("; it is {meaning}")),
        Unknown::Mapping(problem) => Some(format!("; {problem}")),
        Unknown::Replacement(_) => {
            Some("; it is \"replacement\", which reads all text as one error".to_string())
        }
        Unknown::File(..) | Unknown::Name => None,
    });
    let text = format!("{what} not supported{}\n{TRY}", hints.collect::<String>());
    Refusal { exit: Exit::Failure, text }
}

const TRY: &str = "Try `iconv --help' or `iconv --usage' for more information.";

const VERSION: &str =
    concat!("iconv (utfconv) ", env!("CARGO_PKG_VERSION"), "\nThis is utfconv under the name of iconv.\n");

const USAGE: &str = "\
Usage: iconv [-clsV?] [-f NAME] [-t NAME] [-o FILE] [--from-code=NAME]
            [--to-code=NAME] [--list] [--output=FILE] [--silent] [--verbose]
            [--byte-subst=FORMAT] [--unicode-subst=FORMAT]
            [--widechar-subst=FORMAT] [--buffer-size=BYTES] [--help]
            [--usage] [--version] [FILE...]
";

pub const HELP: &str = "\
Usage: iconv [OPTION...] [FILE...]
Convert text from one encoding to another.

 Encodings, the locale's where one is not given:
  -f, --from-code=NAME       encoding of the input
  -t, --to-code=NAME         encoding of the output; //TRANSLIT, //IGNORE and
                             //NON_IDENTICAL_DISCARD may follow
  -l, --list                 list the names of all encodings

 Errors (by default, the first one stops the conversion):
  -c                         omit what is ill-formed or unmappable
      --byte-subst=FORMAT    write each ill-formed byte using printf-style
                             FORMAT, such as '<0x%02x>'
      --unicode-subst=FORMAT write each unmappable character using FORMAT
      --widechar-subst=FORMAT
                             no effect; kept for libiconv

 Output:
  -o, --output=FILE          write to FILE; replace it only on success
  -s, --silent               do not report errors in the data
      --verbose              name each input, and warn about BOMs
      --buffer-size=BYTES    convert so many bytes of the input at a time

  -?, --help                 print this help
      --usage                print the usage
  -V, --version              print the version

Exit status: 0 success; 1 errors, unknown encodings, files that cannot be read
or written; 64 invalid usage. See the man page utfconv-iconv(1).
";

#[cfg(test)]
mod tests {
    use utfconv_core::{InputBom, OutputBom};

    use super::*;
    use crate::commands::convert::plan::ConvertPlan;
    use crate::commands::convert::testkit::assert_policy;
    use crate::ui::dialect::Dialect;

    fn read(words: &str) -> Result<Asked, Refusal> {
        let argv = std::iter::once("iconv").chain(words.split_whitespace()).map(OsString::from).collect();
        parse(argv, &Environment { posixly_correct: false, encoding: &utfconv_core::ISO_8859_1 })
    }

    #[track_caller]
    fn args(words: &str) -> ConvertOptions {
        match read(words) {
            Ok(Asked::Convert(args)) => *args,
            _ => panic!("{words} does not convert"),
        }
    }

    #[test]
    fn the_last_option_counts_and_the_locale_is_the_default() {
        let names = |words: &str| {
            let args = args(words);
            (args.encodings.from.expect("named").encoding.name(), args.encodings.to.encoding.name())
        };
        assert_eq!(names("-f UTF-8 -f ascii -tUTF-16 --to=UTF-32"), ("US-ASCII", "UTF-32"));
        assert_eq!(names(""), ("ISO-8859-1", "ISO-8859-1"));
        assert_eq!(names("-f char -t Locale//IGNORE"), ("ISO-8859-1", "ISO-8859-1"));
        assert_eq!(names("--from-code= -t //TRANSLIT"), ("ISO-8859-1", "ISO-8859-1"));
    }

    #[test]
    fn everything_else_is_as_typed() {
        let typed = args("a -sc -o x --verbose - list -o - -- -c");
        assert!(typed.errors.silent && typed.io.verbose && typed.io.output == Some("-".into()));
        assert_eq!(typed.targets.paths, ["a", "-", "list", "-c"]);
        assert_eq!(args("--buffer-size=17").io.buffer_size, Some(17));
        assert!(matches!(typed.errors.ill_formed, Some(Given { policy: OnIllFormed::Omit, by: By::Omit })));
        assert!(matches!(
            args("--byte-subst=? -c").errors.ill_formed,
            Some(Given { policy: OnIllFormed::Omit, by: By::Omit })
        ));
        assert!(matches!(
            args("--byte-subst=?").errors.ill_formed,
            Some(Given { policy: OnIllFormed::Escape(_), by: By::Template })
        ));
        assert!(matches!(
            args("--unicode-subst ?").errors.unmappable,
            Some(Given { policy: OnUnmappable::Escape(_), by: By::Template })
        ));
    }

    #[test]
    fn what_is_refused_and_how() {
        for (words, exit, text) in [
            (
                "-x",
                Exit::Usage,
                "invalid option -- 'x'\nTry `iconv --help' or `iconv --usage' for more information.",
            ),
            ("-l --ver", Exit::Usage, "option '--ver' is ambiguous; possibilities: '--verbose' '--version'"),
            ("--byte-subst=%d", Exit::Usage, "invalid substitution '%d': "),
            ("--widechar-subst=%", Exit::Usage, "invalid substitution '%': "),
            (
                "--byte-subst=<0x%0100000x>",
                Exit::Usage,
                "invalid substitution '<0x%0100000x>': a field of the template is wider than 65535 characters\nTry ",
            ),
            ("--buffer-size=0", Exit::Usage, "invalid buffer size '0'; it is 1 to 1073741824\nTry "),
            ("--buffer-size 1k", Exit::Usage, "invalid buffer size '1k'; it is "),
            ("--=", Exit::Usage, "option '--=' is ambiguous"),
            ("-f qqq", Exit::Failure, "conversion from `qqq' is not supported\nTry "),
            (
                "-t UFT-8//IGNORE",
                Exit::Failure,
                "conversion to `UFT-8//IGNORE' is not supported; did you mean UTF-8?",
            ),
            (
                "-f qqq -t viqr",
                Exit::Failure,
                "conversions from `qqq' and to `viqr' are not supported; VIQR is known",
            ),
        ] {
            match read(words) {
                Err(refusal) => {
                    assert_eq!(refusal.exit, exit, "{words}");
                    assert!(refusal.text.starts_with(text), "{words}: {}", refusal.text);
                }
                Ok(_) => panic!("{words} is not refused"),
            }
        }
    }

    #[test]
    fn what_ends_the_reading() {
        assert!(matches!(read("-l nofile -f qqq"), Ok(Asked::List)));
        assert!(matches!(read("--help -x"), Ok(Asked::Print(_))));
        assert!(matches!(read("-cV"), Ok(Asked::Print(text)) if text.starts_with("iconv (utfconv) ")));
        assert!(read("-x --help").is_err());
    }

    #[test]
    fn the_help_has_every_option_and_fits() {
        for spec in &SPECS {
            let letter = spec.letter.map(|letter| format!("-{letter}"));
            for name in [spec.long.map(|long| format!("--{long}")), letter].into_iter().flatten() {
                assert!(HELP.contains(&name), "{name}");
            }
            assert!(spec.long.is_none_or(|long| USAGE.contains(long)), "{:?}", spec.id);
        }
        assert!(HELP.lines().chain(USAGE.lines()).all(|line| line.len() < 80));
    }

    #[track_caller]
    fn plan(words: &str) -> ConvertPlan {
        ConvertPlan::new(Dialect::Iconv(&SENTENCES), args(words)).expect(words)
    }

    #[test]
    fn suffixes_and_options_together() {
        for (words, ill_formed, unmappable, lossy) in [
            ("", "Stop", "Stop", [false, false]),
            ("-c", "Omit", "Omit", [true, true]),
            ("-t ascii//TRANSLIT", "Stop", "Translit(Replace(None))", [false, false]),
            ("-t ascii//TRANSLIT -c", "Omit", "Translit(Replace(None))", [true, false]),
            ("-t ascii//IGNORE//TRANSLIT", "Omit", "Translit(Replace(None))", [true, false]),
            ("-t ascii//IGNORE", "Omit", "Omit", [true, true]),
            ("-t ascii//NON_IDENTICAL_DISCARD", "Stop", "Omit", [false, true]),
            ("-f ascii//IGNORE", "Stop", "Stop", [false, false]),
            ("--byte-subst=x", "Escape(Template(", "Stop", [false, false]),
            ("--unicode-subst=x -t ascii//TRANSLIT", "Stop", "Translit(Escape(Template(", [false, false]),
            ("--unicode-subst=x -t ascii//IGNORE", "Omit", "Omit", [true, true]),
            ("--byte-subst=x -c --unicode-subst=x", "Omit", "Omit", [true, true]),
        ] {
            assert_policy(&plan(words), (ill_formed, unmappable), lossy, words);
        }
    }

    #[test]
    fn a_name_may_imply_a_policy_for_the_bom() {
        for (words, input_bom, output_bom) in [
            ("-f UTF-8 -t UTF-8", InputBom::Auto, OutputBom::Auto),
            ("-f UTF-8-SIG -t UTF-16LE-BOM", InputBom::Strip, OutputBom::Always),
            ("-f UTF-8N -t UTF-8N", InputBom::Auto, OutputBom::Never),
        ] {
            let options = plan(words).options;
            assert_eq!((options.input_bom, options.output_bom), (input_bom, output_bom), "{words}");
        }
    }
}
