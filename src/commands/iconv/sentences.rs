//! The messages of iconv, which are glibc's, because people search for them and quote them, with details in
//! parentheses.

use std::io::{self, ErrorKind};

use utfconv_core::Fault;

use crate::ui::dialect::Sentences;
use crate::ui::quote::reason;

pub static SENTENCES: Sentences = Sentences {
    opens: |name| format!("{name}:\n"),
    no_input,
    read_error,
    no_output: |name, error| format!("cannot open output file: {} ({name})", reason(error)),
    write_error: |name, error| {
        format!("conversion stopped due to problem in writing the output: {} ({name})", reason(error))
    },
    stopped,
};

fn no_input(name: &str, error: &io::Error) -> String {
    match error.kind() {
        // glibc opens directories, and fails at the first read.
        ErrorKind::IsADirectory => read_error(name, error),
        _ => format!("cannot open input file `{name}': {}", reason(error)),
    }
}

fn read_error(name: &str, error: &io::Error) -> String {
    format!("error while reading the input: {} ({name})", reason(error))
}

fn stopped(name: &str, fault: &Fault, at_end: bool) -> String {
    let Fault { offset: at, line, column, .. } = fault;
    let sentence = fault.to_string();
    if at_end {
        let glibc = "incomplete character or shift sequence at end of buffer";
        return format!("{glibc} ({name}:{line}:{column}: {sentence})");
    }
    // The offset is already in the message of glibc.
    let detail = sentence.replacen(&format!(" at byte {at}:"), ":", 1);
    format!("illegal input sequence at position {at} ({name}:{line}:{column}: {detail})")
}
