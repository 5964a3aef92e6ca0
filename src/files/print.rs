//! Prints a text on standard output.

use std::io::Write;

use crate::files::sink::{STDOUT_NAME, Sink};
use crate::ui::exit::Exit;
use crate::ui::personality::Personality;

/// Prints `text`; a full disk or a closed stream is an error like any other.
pub fn print(who: Personality, text: impl AsRef<[u8]>) -> Exit {
    let printed = Sink::stdout().and_then(|mut out| {
        out.write_all(text.as_ref())?;
        out.commit()
    });
    match printed {
        Ok(()) => Exit::Success,
        Err(error) => {
            who.report(&who.write_error(STDOUT_NAME, &error));
            Exit::Failure
        }
    }
}
