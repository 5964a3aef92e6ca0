//! Prints texts on standard output.

use std::io::{self, Write};

use crate::files::sink::{STDOUT_NAME, Sink};
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;

/// Prints `text`; a full disk or a closed stream is an error like any other.
pub fn print(who: Dialect, text: impl AsRef<[u8]>) -> Exit {
    let mut printer = Printer::default();
    printer.print(text.as_ref());
    printer.end(who)
}

/// Prints a report that becomes known bit by bit. If there is nothing to print, standard output is not touched: it may be
/// closed.
#[derive(Default)]
pub struct Printer {
    out: Option<Sink>,
    error: Option<io::Error>,
}

impl Printer {
    /// Prints more; after an error nothing.
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

    /// Ends the report, and reports an error.
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
