//! `--format=json`: prints a line for each file, and one for all. `docs/conversions.schema.json` describes them.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use serde::Serialize;

use crate::ui::json::Path;

/// A line of the output.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line<'a> {
    File(FileLine<'a>),
    Summary(Summary),
}

/// The outcome of a file.
#[derive(Serialize)]
pub struct FileLine<'a> {
    pub path: Path<'a>,
    /// `converted`, `unchanged`, `already`, `copied`, `skipped` or `failed`.
    pub outcome: &'static str,
    /// Why the file was not converted: the cause, and the reason in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<&'static str>,
    /// The number of bytes before and after, for a converted file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// The numbers of errors that the policy handled.
    #[serde(skip_serializing_if = "is_zero")]
    pub ill_formed: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub unmappable: u64,
}

impl<'a> FileLine<'a> {
    pub fn new(path: &'a OsStr) -> FileLine<'a> {
        FileLine {
            path: Path(path),
            outcome: "",
            cause: None,
            message: None,
            from: None,
            to: None,
            input: None,
            output: None,
            ill_formed: 0,
            unmappable: 0,
        }
    }
}

/// The numbers of files by outcome.
#[derive(Serialize)]
pub struct Summary {
    pub dry_run: bool,
    pub converted: u64,
    pub unchanged: u64,
    pub already: u64,
    pub copied: u64,
    pub skipped: BTreeMap<&'static str, u64>,
    pub failed: BTreeMap<&'static str, u64>,
    /// The number of bytes of the converted files before and after.
    pub input: u64,
    pub output: u64,
    pub status: i32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde has it
fn is_zero(count: &u64) -> bool {
    *count == 0
}
