//! Records: the lines of a manifest. A run writes its changes there, so that they can be undone. Each line is a JSON
//! object:
//!
//! ```text
//! {"type":"manifest","of":"utfconv repair","version":1}
//! {"type":"file","path":{"text":"a.txt"}}
//! {"type":"change","input":3,"output":3,"length":2,"old":"w4PCqQ==","why":"UTF-8 read as windows-1252"}
//! {"type":"end","input":{"length":9,"sha1":"..."},"output":{"length":7,"sha1":"..."},"from":"UTF-8","to":"UTF-8"}
//! ```
//!
//! `input` and `output` are offsets in the old and the new file, `length` is the number of new bytes, and `old` has
//! the old bytes. A file without an end was not replaced. An interrupted run may leave half a line at the end.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::Value;
use sha1::{Digest as _, Sha1};

use crate::files::checksum::hexadecimal;
use crate::files::run_files;
use crate::files::system;
use crate::ui::json::Path;

/// The length and the hash of a content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Digest {
    pub length: u64,
    pub sha1: String,
}

/// Computes the digest of a content that comes in chunks.
#[derive(Default)]
pub struct Hasher {
    length: u64,
    sha1: Sha1,
}

impl Hasher {
    pub fn update(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.sha1.update(bytes);
    }

    pub fn end(self) -> Digest {
        Digest { length: self.length, sha1: hexadecimal(&self.sha1.finalize()) }
    }
}

/// A line to write; [`super::section::Section`] writes the lines of changes.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line<'a> {
    File {
        path: Path<'a>,
    },
    End {
        input: &'a Digest,
        output: &'a Digest,
        #[serde(flatten)]
        encodings: Option<Encodings>,
    },
}

/// The encodings of a file before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Encodings {
    pub from: &'static str,
    pub to: &'static str,
}

const VERSION: u64 = 1;

/// The longest line, in bytes.
pub const LONGEST: u64 = 8 << 20;

/// Returns the first line of a manifest of this command, such as `utfconv repair`.
pub fn first_line(command: &str) -> String {
    let rest = command.trim_start_matches("utfconv");
    format!("{}{rest}\",\"version\":{VERSION}}}\n", run_files::MANIFEST)
}

/// The commands that write manifests.
const COMMANDS: [&str; 4] = ["utfconv", "utfconv repair", "utfconv check --fix", "utfconv edit"];

/// Whether `bytes` are the beginning of a manifest's first line, as a run leaves it that was killed while writing it.
pub fn begins_first_line(bytes: &[u8]) -> bool {
    COMMANDS.iter().any(|command| first_line(command).as_bytes().starts_with(bytes))
}

/// A line that was read.
#[derive(Debug, PartialEq, Eq)]
pub enum Record {
    /// The first line, with the command.
    Start(String),
    File(PathBuf),
    Change {
        output: u64,
        length: u64,
        old: Vec<u8>,
    },
    End {
        input: Digest,
        output: Digest,
    },
    /// The last line without its newline: the run was interrupted while it wrote the line.
    Cut,
}

impl Record {
    /// Reads the next line; None at the end.
    pub fn next(file: &mut impl BufRead) -> io::Result<Option<Record>> {
        let mut line = Vec::new();
        if file.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        match std::str::from_utf8(&line).ok().and_then(Record::read) {
            Some(record) => Ok(Some(record)),
            None if !line.ends_with(b"\n") && (line.len() as u64) < LONGEST => Ok(Some(Record::Cut)),
            None => Err(not_a_manifest()),
        }
    }

    /// Reads a line; None if it is not a line of a manifest.
    fn read(line: &str) -> Option<Record> {
        let value: Value = serde_json::from_str(line).ok()?;
        let number = |value: &Value, name: &str| value.get(name)?.as_u64();
        let digest = |name: &str| {
            let digest = value.get(name)?;
            let sha1 = digest.get("sha1")?.as_str()?.to_string();
            Some(Digest { length: number(digest, "length")?, sha1 })
        };
        match value.get("type")?.as_str()? {
            "manifest" if number(&value, "version")? == VERSION => {
                Some(Record::Start(value.get("of")?.as_str()?.to_string()))
            }
            "file" => path(value.get("path")?).map(Record::File),
            "change" => Some(Record::Change {
                output: number(&value, "output")?,
                length: number(&value, "length")?,
                old: BASE64_STANDARD.decode(value.get("old")?.as_str()?).ok()?,
            }),
            "end" => Some(Record::End { input: digest("input")?, output: digest("output")? }),
            _ => None,
        }
    }
}

/// The error of what is no line of a manifest, by its kind.
pub fn not_a_manifest() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a manifest of utfconv, or changed since")
}

fn path(value: &Value) -> Option<PathBuf> {
    if let Some(text) = value.get("text") {
        return Some(text.as_str()?.into());
    }
    let bytes = BASE64_STANDARD.decode(value.get("bytes")?.as_str()?).ok()?;
    system::name_of(bytes).map(PathBuf::from)
}
