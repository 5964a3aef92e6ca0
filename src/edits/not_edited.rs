//! Why a file is not edited.

use utfconv_core::StreamError;

use super::jobs::Job;
use crate::ui::quote::reason;

/// Why a file is not edited.
#[derive(Debug)]
pub enum NotEdited {
    Skipped(Skipped),
    Failed(StreamError),
}

impl From<StreamError> for NotEdited {
    fn from(error: StreamError) -> NotEdited {
        NotEdited::Failed(error)
    }
}

impl NotEdited {
    /// A file that is no text to edit, and why.
    pub fn skipped(kind: SkipKind, why: impl Into<String>) -> NotEdited {
        NotEdited::Skipped(Skipped { kind, why: why.into() })
    }

    /// A file in which a run recorded something, of this kind.
    pub fn record(kind: &str) -> NotEdited {
        NotEdited::skipped(SkipKind::Record, format!("it is {kind}"))
    }

    /// In words.
    pub fn reason(&self) -> String {
        match self {
            NotEdited::Skipped(Skipped { why, .. }) => why.clone(),
            NotEdited::Failed(StreamError::Read(error) | StreamError::Write(error)) => reason(error),
        }
    }
}

/// A file that is no text to edit: one that was found in a directory is left out, and one that was named is an error.
#[derive(Debug)]
pub struct Skipped {
    pub kind: SkipKind,
    /// In words, with what can be done about it.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipKind {
    /// It is not text.
    Binary,
    /// It is in an encoding that the command does not edit.
    Encoding,
    /// It would no longer be what the configuration requires.
    Configured,
    /// Another run recorded in it what can be undone.
    Record,
    /// A run with the same manifest has edited it.
    Done,
}

impl Skipped {
    /// Whether the user asked for what is not done.
    pub fn is_error(&self, job: &Job) -> bool {
        !job.is_found() && self.kind != SkipKind::Done
    }
}
