//! Whether the program works as utfconv, or as iconv because it was started under that name. The dialects differ in
//! their command lines, messages and exit statuses, but convert alike.
//!
//! The messages of utfconv are here; those of iconv are a table in `commands/iconv/sentences.rs`.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use utfconv_core::Fault;

use crate::ui::quote::reason;
use crate::ui::stderr::complain;

#[derive(Clone, Copy, Debug)]
pub enum Dialect {
    Utfconv,
    Iconv(&'static Sentences),
}

/// The message texts of the iconv implementation that utfconv imitates.
#[derive(Debug)]
pub struct Sentences {
    /// Returns the line that announces that an input is opened.
    pub opens: fn(name: &str) -> String,
    pub no_input: fn(name: &str, error: &io::Error) -> String,
    pub read_error: fn(name: &str, error: &io::Error) -> String,
    pub no_output: fn(name: &str, error: &io::Error) -> String,
    pub write_error: fn(name: &str, error: &io::Error) -> String,
    /// Returns the message for the error that ended the run. `at_end` is true if the source ends within a sequence.
    pub stopped: fn(name: &str, fault: &Fault, at_end: bool) -> String,
}

/// The first argument that makes the program work as iconv under any name.
const AS_ICONV: &str = "--iconv";

/// Whether `argv` asks for iconv. Removes the argument that asks for iconv.
pub fn takes_iconv(argv: &mut Vec<OsString>) -> bool {
    let name = argv.first().and_then(|path| Path::new(path).file_stem());
    if name.is_some_and(|name| name == "iconv") {
        return true;
    }
    let is_asked = argv.get(1).is_some_and(|word| word == AS_ICONV);
    if is_asked {
        argv.remove(1);
    }
    is_asked
}

impl Dialect {
    pub fn is_iconv(self) -> bool {
        matches!(self, Dialect::Iconv(_))
    }

    /// Returns the program name at the start of messages.
    pub fn name(self) -> &'static str {
        if self.is_iconv() { "iconv" } else { "utfconv" }
    }

    /// Writes a message of the program as one line.
    pub fn report(self, text: &str) {
        // A single write keeps lines of concurrent processes whole.
        complain(&format!("{}: {text}\n", self.name()));
    }

    /// Reports that `name` is opened next.
    pub fn opens(self, name: &str) {
        match self {
            Dialect::Utfconv => self.report(&format!("{name}: converting")),
            Dialect::Iconv(iconv) => complain(&(iconv.opens)(name)),
        }
    }

    /// Returns the message for an input that cannot be opened.
    pub fn no_input(self, name: &str, error: &io::Error) -> String {
        match self {
            Dialect::Utfconv => format!("{name}: {}", reason(error)),
            Dialect::Iconv(iconv) => (iconv.no_input)(name, error),
        }
    }

    /// Returns the message for a failed read.
    pub fn read_error(self, name: &str, error: &io::Error) -> String {
        match self {
            // The message equals that for a directory on the command line.
            Dialect::Utfconv if error.kind() == io::ErrorKind::IsADirectory => self.no_output(name, error),
            Dialect::Utfconv => format!("{name}: read error: {}", reason(error)),
            Dialect::Iconv(iconv) => (iconv.read_error)(name, error),
        }
    }

    /// Returns the message for an output that cannot be opened.
    pub fn no_output(self, name: &str, error: &io::Error) -> String {
        match self {
            Dialect::Utfconv => format!("{name}: {}", reason(error)),
            Dialect::Iconv(iconv) => (iconv.no_output)(name, error),
        }
    }

    /// Returns the message for a failed write.
    pub fn write_error(self, name: &str, error: &io::Error) -> String {
        match self {
            Dialect::Utfconv => format!("{name}: write error: {}", reason(error)),
            Dialect::Iconv(iconv) => (iconv.write_error)(name, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_or_the_first_argument_decides() {
        for (words, is_iconv, rest) in [
            (&["utfconv", "-l"][..], false, &["utfconv", "-l"][..]),
            (&["/usr/bin/iconv", "-l"], true, &["/usr/bin/iconv", "-l"]),
            (&["iconv.exe"], true, &["iconv.exe"]),
            (&["iconv", "--iconv"], true, &["iconv", "--iconv"]),
            (&["utfconv", "--iconv", "-l"], true, &["utfconv", "-l"]),
            (&["utfconv", "-l", "--iconv"], false, &["utfconv", "-l", "--iconv"]),
            (&[], false, &[]),
        ] {
            let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(takes_iconv(&mut argv), is_iconv, "{words:?}");
            assert_eq!(argv, rest, "{words:?}");
        }
    }
}
