//! Exit statuses, whose numbers are only here.

use crate::ui::dialect::Dialect;

/// How a run ended, from good to bad. Of two results, the greater takes precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// The run finished without errors.
    Success,
    /// The data has an error.
    Fault,
    /// An input cannot be read, an output cannot be written, or a name is unknown.
    Failure,
    /// The command line is invalid.
    Usage,
}

impl Exit {
    /// Returns the exit status of a run, or reports why the run failed.
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
