//! Whether the program works as utfconv, or as iconv under whose name it was started. The two differ in how they read
//! the command line, in their sentences and in the exit status; they convert alike.
//!
//! Sentences of iconv are those of glibc, which people search for and quote, with more details in parentheses.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;

use utfconv_core::Fault;

use crate::ui::quote::reason;
use crate::ui::stderr::complain;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Personality {
    Utfconv,
    Iconv,
}

/// The word that makes any name of the program an iconv, if it comes first.
const AS_ICONV: &str = "--iconv";

impl Personality {
    /// What `argv` asks to be; takes the word that asks for it away.
    pub fn take(argv: &mut Vec<OsString>) -> Personality {
        let name = argv.first().and_then(|path| Path::new(path).file_stem());
        if name.is_some_and(|name| name == "iconv") {
            return Personality::Iconv;
        }
        match argv.get(1).is_some_and(|word| word == AS_ICONV) {
            true => {
                argv.remove(1);
                Personality::Iconv
            }
            false => Personality::Utfconv,
        }
    }

    /// The name in front of messages.
    pub fn name(self) -> &'static str {
        match self {
            Personality::Utfconv => "utfconv",
            Personality::Iconv => "iconv",
        }
    }

    /// Writes one message of the program, as one line.
    pub fn report(self, text: &str) {
        // One write, so that lines of concurrent processes stay whole.
        complain(&format!("{}: {text}\n", self.name()));
    }

    /// Says that `name` is opened next.
    pub fn opens(self, name: &str) {
        match self {
            Personality::Utfconv => self.report(&format!("{name}: converting")),
            Personality::Iconv => complain(&format!("{name}:\n")),
        }
    }

    /// The text for an input that cannot be opened.
    pub fn no_input(self, name: &str, error: &io::Error) -> String {
        match self {
            // glibc opens directories, and only then fails.
            Personality::Iconv if error.kind() != ErrorKind::IsADirectory => {
                format!("cannot open input file `{name}': {}", reason(error))
            }
            Personality::Iconv => self.read_error(name, error),
            Personality::Utfconv => format!("{name}: {}", reason(error)),
        }
    }

    /// The text for a failed read.
    pub fn read_error(self, name: &str, error: &io::Error) -> String {
        match self {
            Personality::Utfconv => format!("{name}: read error: {}", reason(error)),
            Personality::Iconv => format!("error while reading the input: {} ({name})", reason(error)),
        }
    }

    /// The text for an output that cannot be opened.
    pub fn no_output(self, name: &str, error: &io::Error) -> String {
        match self {
            Personality::Utfconv => format!("{name}: {}", reason(error)),
            Personality::Iconv => format!("cannot open output file: {} ({name})", reason(error)),
        }
    }

    /// The text for a failed write.
    pub fn write_error(self, name: &str, error: &io::Error) -> String {
        let reason = reason(error);
        match self {
            Personality::Utfconv => format!("{name}: write error: {reason}"),
            Personality::Iconv => {
                format!("conversion stopped due to problem in writing the output: {reason} ({name})")
            }
        }
    }
}

/// iconv's sentence for the fault that ended the run; `at_end` says that it is cut short by the end of the source.
pub fn iconv_sentence(name: &str, fault: &Fault, at_end: bool) -> String {
    let Fault { at, line, column, .. } = fault;
    let sentence = fault.to_string();
    if at_end {
        let glibc = "incomplete character or shift sequence at end of buffer";
        return format!("{glibc} ({name}:{line}:{column}: {sentence})");
    }
    // The offset is in the sentence already.
    let detail = sentence.strip_prefix(&format!("byte {at}: ")).unwrap_or(&sentence);
    format!("illegal input sequence at position {at} ({name}:{line}:{column}: {detail})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_or_the_first_argument_decides() {
        for (words, personality, rest) in [
            (&["utfconv", "-l"][..], Personality::Utfconv, &["utfconv", "-l"][..]),
            (&["/usr/bin/iconv", "-l"], Personality::Iconv, &["/usr/bin/iconv", "-l"]),
            (&["iconv.exe"], Personality::Iconv, &["iconv.exe"]),
            (&["iconv", "--iconv"], Personality::Iconv, &["iconv", "--iconv"]),
            (&["utfconv", "--iconv", "-l"], Personality::Iconv, &["utfconv", "-l"]),
            (&["utfconv", "-l", "--iconv"], Personality::Utfconv, &["utfconv", "-l", "--iconv"]),
            (&[], Personality::Utfconv, &[]),
        ] {
            let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(Personality::take(&mut argv), personality, "{words:?}");
            assert_eq!(argv, rest, "{words:?}");
        }
    }
}
