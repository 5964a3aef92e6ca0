//! Exit statuses; the only place with their numbers.

use crate::ui::dialect::Dialect;

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
    pub fn of(dialect: Dialect, run: Result<Exit, String>) -> Exit {
        run.unwrap_or_else(|text| Exit::report_failure(dialect, &text))
    }

    /// Reports why a run failed.
    pub fn report_failure(dialect: Dialect, text: &str) -> Exit {
        dialect.report(text);
        Exit::Failure
    }

    pub fn status(self, dialect: Dialect) -> i32 {
        match (self, dialect) {
            (Exit::Success, _) => 0,
            (Exit::Fault, _) => 1,
            (Exit::Failure | Exit::Usage, Dialect::Utfconv) => 2,
            (Exit::Failure, Dialect::Iconv(_)) => 1,
            (Exit::Usage, Dialect::Iconv(_)) => 64,
        }
    }
}
