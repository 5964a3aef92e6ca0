//! Records: the lines of a manifest. A run writes its changes to a manifest, so that `--undo` can undo them. Each line
//! is a JSON object:
//!
//! ```text
//! {"type":"manifest","of":"utfconv repair","version":1}
//! {"type":"file","path":{"text":"a.txt"}}
//! {"type":"change","input":3,"output":3,"length":2,"old":"w4PCqQ==","why":"UTF-8 read as windows-1252"}
//! {"type":"end","input":{"length":9,"sha1":"..."},"output":{"length":7,"sha1":"..."},"from":"UTF-8","to":"UTF-8"}
//! ```
//!
//! After the first line, `names` writes other types of lines; see `src/commands/names/manifest.rs`.
//!
//! In a change, `input` and `output` are byte offsets in the old and the new file, `length` is the number of new bytes,
//! and `old` has the old bytes. A file without an end record was not replaced. An interrupted run may leave an
//! incomplete line at the end.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, ErrorKind, Read};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::{self, DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha1::{Digest as _, Sha1};
use utfconv_core::Encoding;

use crate::files::checksum::hexadecimal;
use crate::files::system;
use crate::ui::json::{Path, to_json};

/// The length of content in bytes, and its SHA-1 in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest {
    pub length: u64,
    pub sha1: String,
}

/// Computes the digest of content from its chunks.
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

/// The encodings of a file before and after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Encodings {
    pub from: &'static str,
    pub to: &'static str,
}

impl<'de> Deserialize<'de> for Encodings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Encodings, D::Error> {
        #[derive(Deserialize)]
        struct Names {
            from: String,
            to: String,
        }
        let Names { from, to } = Names::deserialize(from)?;
        // A name that is no encoding name belongs to a file whose encoding was unknown.
        let name = |name: &str| Encoding::for_name(name).map_or("an unknown encoding", Encoding::name);
        Ok(Encodings { from: name(&from), to: name(&to) })
    }
}

const VERSION: u64 = 1;

/// Maximum length of a line in bytes. A manifest with a longer line is refused, so that no line fills the memory.
const LONGEST: u64 = 8 << 20;

/// Returns the first line of a manifest of this command, such as `utfconv repair`.
pub fn first_line(command: &str) -> String {
    to_json(&Record::Manifest { of: command.to_string(), version: VERSION }) + "\n"
}

/// The command whose manifests record names instead of contents.
pub const NAMES: &str = "utfconv names";

/// The commands that write manifests.
const COMMANDS: [&str; 5] = ["utfconv", "utfconv repair", "utfconv check --fix", "utfconv edit", NAMES];

/// True if `bytes` are an incomplete first line of a manifest, which a run leaves if it is killed while it writes the
/// line.
fn begins_first_line(bytes: &[u8]) -> bool {
    COMMANDS.iter().any(|command| first_line(command).trim_end().as_bytes().starts_with(bytes))
}

/// A line of a manifest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Record {
    /// The first line, with the name of the command that wrote the manifest.
    Manifest { of: String, version: u64 },
    File {
        #[serde(with = "name")]
        path: OsString,
    },
    /// A change, which [`super::section::Section`] writes.
    #[serde(skip_serializing)]
    Change {
        output: u64,
        length: u64,
        #[serde(deserialize_with = "base64")]
        old: Vec<u8>,
    },
    End {
        input: Digest,
        output: Digest,
        #[serde(flatten)]
        encodings: Option<Encodings>,
    },
    /// The last line without its newline, because the run was interrupted while it wrote the line.
    #[serde(skip)]
    Cut,
}

impl Record {
    /// Reads the next line of a manifest; `None` at the end of the file.
    pub fn next(file: &mut impl BufRead) -> io::Result<Option<Record>> {
        let mut line = Vec::new();
        read_line(file, &mut line)?;
        match parse(&line) {
            _ if line.is_empty() => Ok(None),
            Err(_) if !line.ends_with(b"\n") => Ok(Some(Record::Cut)),
            parsed => parsed.map(Some),
        }
    }
}

/// Reads the next line into `line`, which stays empty at the end of the file.
pub fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    let len = file.by_ref().take(LONGEST).read_until(b'\n', line)? as u64;
    if len == LONGEST && !line.ends_with(b"\n") { Err(not_a_manifest()) } else { Ok(()) }
}

/// Parses a line of a manifest as JSON.
pub fn parse<L: DeserializeOwned>(line: &[u8]) -> io::Result<L> {
    serde_json::from_slice(line).map_err(|_| not_a_manifest())
}

/// Reads the first line into `line`, and returns the command that wrote the manifest. Returns `None` if the line is
/// incomplete, because the run then ended before it changed any file.
pub fn read_command(file: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<String>> {
    read_line(file, line)?;
    if begins_first_line(line) {
        return Ok(None);
    }
    match parse(line)? {
        Record::Manifest { of, version: VERSION } => Ok(Some(of)),
        _ => Err(not_a_manifest()),
    }
}

/// Returns the error for a line that no manifest has.
pub fn not_a_manifest() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "not a manifest of utfconv, or changed since")
}

/// Appends advice to the error for a file that is not a manifest.
pub fn with_advice(error: io::Error, advice: &str) -> io::Error {
    if error.kind() == ErrorKind::InvalidData {
        io::Error::other(format!("{error}; {advice}"))
    } else {
        error
    }
}

/// Reads and writes file names in records, for `#[serde(with)]`.
pub mod name {
    use super::{
        Deserialize, Deserializer, OsStr, OsString, Path, Serialize, Serializer, base64, de::Error, system,
    };

    pub fn serialize<S: Serializer>(name: &OsStr, serializer: S) -> Result<S::Ok, S::Error> {
        Path(name).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<OsString, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "lowercase")]
        enum Name {
            Text(String),
            Bytes(#[serde(deserialize_with = "base64")] Vec<u8>),
        }
        let name = match Name::deserialize(deserializer)? {
            Name::Text(text) => Some(text.into()),
            Name::Bytes(bytes) => system::name_of(bytes),
        };
        name.ok_or_else(|| D::Error::custom("not a name of this system"))
    }
}

fn base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    BASE64_STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
}
