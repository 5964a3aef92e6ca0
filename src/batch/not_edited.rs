//! Reasons for which a file is not edited.

use utfconv_core::StreamError;

use super::jobs::Job;
use crate::ui::quote::reason;

/// The reason why a file is not edited.
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
    /// Returns the reason for a file that is not text to edit.
    pub fn skipped(kind: SkipKind, why: impl Into<String>) -> NotEdited {
        NotEdited::Skipped(Skipped { kind, why: why.into() })
    }

    /// Returns the reason for a file that is a manifest.
    pub fn manifest() -> NotEdited {
        NotEdited::skipped(SkipKind::Manifest, "it is a manifest of utfconv")
    }

    /// Returns the reason as a message.
    pub fn reason(&self) -> String {
        match self {
            NotEdited::Skipped(Skipped { why, .. }) => why.clone(),
            NotEdited::Failed(StreamError::Read(error) | StreamError::Write(error)) => reason(error),
        }
    }
}

/// The reason why a file is not text to edit. A file that was found in a directory is skipped, but a file that the user
/// named is an error.
#[derive(Debug)]
pub struct Skipped {
    pub kind: SkipKind,
    /// The reason and advice, as a message.
    pub why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipKind {
    /// The file is not text.
    Binary,
    /// The command does not edit files in the encoding of the file.
    Encoding,
    /// The result would violate the configuration.
    Configured,
    /// The file is a manifest, with which another run can be undone.
    Manifest,
    /// An earlier run with the same manifest has edited the file.
    Done,
}

impl Skipped {
    /// Whether skipping the file is an error, because the user named it and no earlier run with the same manifest has
    /// edited it.
    pub fn is_error(&self, job: &Job) -> bool {
        !job.is_found() && self.kind != SkipKind::Done
    }
}
