//! Manifests: all changes of a run, from which it can be undone. Each line is an object of JSON:
//!
//! ```text
//! {"type":"manifest","of":"utfconv repair","version":1}
//! {"type":"file","path":{"text":"a.txt"}}
//! {"type":"change","input":3,"output":3,"length":2,"old":"w4PCqQ==","why":"UTF-8 read as windows-1252"}
//! {"type":"end","input":{"length":9,"sha1":"..."},"output":{"length":7,"sha1":"..."}}
//! ```
//!
//! `input` and `output` are offsets in the old and the new file, `length` is that of the new bytes, and `old` has the old ones.
//! A file without an end was not replaced. An interrupted run may leave half a line at the end. A failed write leaves nothing: the
//! manifest is cut back to the end of the file before.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path as FilePath, PathBuf};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::Value;
use sha1_smol::Sha1;

use crate::files::open_directory::DirectoryEntry;
use crate::files::records;
use crate::files::system;
use crate::ui::json::{Path, to_json};

/// The length and the hash of a content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hash {
    pub length: u64,
    pub sha1: String,
}

/// Computes the hash of a content that comes in chunks.
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

    pub fn end(self) -> Hash {
        Hash { length: self.length, sha1: self.sha1.digest().to_string() }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    File { path: Path<'a> },
    Change { input: u64, output: u64, length: u64, old: String, why: &'a str },
    End { input: &'a Hash, output: &'a Hash },
}

const VERSION: u64 = 1;

/// Bytes that are collected for a write.
const BUFFER: usize = 64 << 10;

/// A manifest that is written.
pub struct Manifest {
    file: File,
    /// Whole lines that are not written yet.
    lines: Vec<u8>,
    /// The file whose changes are next has no line yet.
    is_begun: bool,
    /// The length of the manifest up to the end of the file before.
    ended: u64,
    /// It could not be cut back: a line after the fragment would be part of that.
    is_broken: bool,
}

impl Manifest {
    /// Makes a new file. One that is there may be needed to undo another run.
    pub fn create(name: &OsStr) -> io::Result<Manifest> {
        let entry = DirectoryEntry::named(FilePath::new(name))?;
        let mut file = records::create(&entry)?;
        let first = format!("{}{VERSION}}}\n", records::MANIFEST);
        // Like a change, its name has to last before a file is replaced.
        let written = file.write_all(first.as_bytes()).and_then(|()| entry.directory().sync());
        if let Err(error) = written {
            let _ = entry.remove();
            return Err(error);
        }
        Ok(Manifest { file, lines: vec![], is_begun: false, ended: first.len() as u64, is_broken: false })
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.lines, "{}", to_json(line))?;
        if self.lines.len() < BUFFER { Ok(()) } else { self.write() }
    }

    fn write(&mut self) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("half a line of it cannot be removed"));
        }
        self.file.write_all(&self.lines)?;
        self.lines.clear();
        Ok(())
    }

    /// Records a change of the file `path`.
    pub fn change(
        &mut self,
        path: &OsStr,
        [input, output]: [u64; 2],
        old: &[u8],
        new: &str,
        why: &str,
    ) -> io::Result<()> {
        if !self.is_begun {
            self.is_begun = true;
            self.line(&Line::File { path: Path(path) })?;
        }
        let (length, old) = (new.len() as u64, BASE64_STANDARD.encode(old));
        self.line(&Line::Change { input, output, length, old, why })
    }

    /// Ends a file, which may now be replaced: all of it is on the disk.
    pub fn end(&mut self, input: &Hash, output: &Hash) -> io::Result<()> {
        if self.is_begun {
            self.line(&Line::End { input, output })?;
            self.write()?;
            self.file.sync_all()?;
            self.ended = self.file.stream_position()?;
            self.is_begun = false;
        }
        Ok(())
    }

    /// Removes what is recorded of a file that failed without an end.
    pub fn abandon(&mut self) {
        if std::mem::take(&mut self.is_begun) {
            self.lines.clear();
            let cut =
                self.file.set_len(self.ended).and_then(|()| self.file.seek(SeekFrom::Start(self.ended)));
            self.is_broken |= cut.is_err();
        }
    }
}

/// A line of a manifest that is read.
#[derive(Debug, PartialEq, Eq)]
pub enum Record {
    Start,
    File(PathBuf),
    Change {
        input: u64,
        output: u64,
        length: u64,
        old: Vec<u8>,
    },
    End {
        input: Hash,
        output: Hash,
    },
    /// The last line, without its end: the run was interrupted when it wrote that.
    Cut,
}

impl Record {
    /// Reads a line; None if it is none of a manifest.
    pub fn read(line: &str) -> Option<Record> {
        let value: Value = serde_json::from_str(line).ok()?;
        let number = |value: &Value, name: &str| value.get(name)?.as_u64();
        let hash = |name: &str| {
            let hash = value.get(name)?;
            Some(Hash { length: number(hash, "length")?, sha1: hash.get("sha1")?.as_str()?.to_string() })
        };
        match value.get("type")?.as_str()? {
            "manifest" => (number(&value, "version")? == VERSION).then_some(Record::Start),
            "file" => path(value.get("path")?).map(Record::File),
            "change" => Some(Record::Change {
                input: number(&value, "input")?,
                output: number(&value, "output")?,
                length: number(&value, "length")?,
                old: BASE64_STANDARD.decode(value.get("old")?.as_str()?).ok()?,
            }),
            "end" => Some(Record::End { input: hash("input")?, output: hash("output")? }),
            _ => None,
        }
    }
}

fn path(value: &Value) -> Option<PathBuf> {
    if let Some(text) = value.get("text") {
        return Some(text.as_str()?.into());
    }
    let bytes = BASE64_STANDARD.decode(value.get("bytes")?.as_str()?).ok()?;
    system::name_of(bytes).map(PathBuf::from)
}
