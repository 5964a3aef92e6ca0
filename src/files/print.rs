//! Prints texts on standard output.

use std::io::{self, Write};

use crate::files::sink::{STDOUT_NAME, Sink};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;

/// Prints `text`. A full disk and a closed stream are reported as errors.
pub fn print(who: Dialect, text: impl AsRef<[u8]>) -> Exit {
    let mut printer = Printer::default();
    printer.print(text.as_ref());
    printer.end(who)
}

/// Prints a report piece by piece. Standard output is not touched if there is nothing to print, because it may be
/// closed.
#[derive(Default)]
pub struct Printer {
    out: Option<Sink>,
    error: Option<io::Error>,
}

impl Printer {
    /// Prints more text. Does nothing after an error.
    pub fn print(&mut self, text: &[u8]) {
        if text.is_empty() || self.error.is_some() {
            return;
        }
        self.error = self.write(text).err();
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        let out = match self.out.take() {
            Some(out) => out,
            None => Sink::stdout()?,
        };
        self.out.insert(out).write_all(text)
    }

    /// Ends the report, and reports an error if there was one.
    pub fn end(self, who: Dialect) -> Exit {
        let ended = match (self.error, self.out) {
            (Some(error), _) => Err(error),
            (None, Some(out)) => out.commit(),
            (None, None) => Ok(()),
        };
        match ended {
            Ok(()) => Exit::Success,
            Err(error) => Exit::report_failure(who, &who.write_error(STDOUT_NAME, &error)),
        }
    }
}
