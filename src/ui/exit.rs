//! Exit statuses; the only place with their numbers.

use crate::ui::personality::Personality;

/// How a run ended, from good to bad: of two, the greater takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done, without errors.
    Success,
    /// An error in the data.
    Fault,
    /// Input that cannot be read, output that cannot be written, or an unknown name.
    Failure,
    /// Invalid command line.
    Usage,
}

impl Exit {
    /// Returns the exit status of a run, or reports why there was none.
    pub fn of(personality: Personality, run: Result<Exit, String>) -> Exit {
        run.unwrap_or_else(|text| Exit::report_failure(personality, &text))
    }

    /// Reports why a run failed.
    pub fn report_failure(personality: Personality, text: &str) -> Exit {
        personality.report(text);
        Exit::Failure
    }

    pub fn status(self, personality: Personality) -> i32 {
        match (self, personality) {
            (Exit::Success, _) => 0,
            (Exit::Fault, _) => 1,
            (Exit::Failure | Exit::Usage, Personality::Utfconv) => 2,
            (Exit::Failure, Personality::Iconv(_)) => 1,
            (Exit::Usage, Personality::Iconv(_)) => 64,
        }
    }
}
