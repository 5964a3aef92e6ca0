//! Files with lists of names.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use crate::files::stdio::{self, Patient};
use crate::files::system;
use crate::ui::quote::{quoted, reason};

/// A list of names in a file.
pub struct List {
    /// The name of the list in messages.
    shown: String,
    reader: BufReader<Patient>,
    /// The byte that ends an entry.
    end: u8,
    /// Number of entries read so far.
    number: u64,
    /// Whether an error ended the list.
    is_broken: bool,
}

impl List {
    /// Maximum length of an entry in bytes. No system accepts longer names.
    const LONGEST: u64 = 1 << 16;

    pub fn open(name: &OsStr, end: u8) -> Result<List, String> {
        let shown = quoted(name);
        let opened = if name == "-" { stdio::stdin() } else { File::open(name).map(Patient) };
        let file = opened.map_err(|error| format!("{shown}: {}", reason(&error)))?;
        Ok(List { shown, reader: BufReader::new(file), end, number: 0, is_broken: false })
    }
}

impl Iterator for List {
    type Item = Result<OsString, String>;

    fn next(&mut self) -> Option<Result<OsString, String>> {
        if self.is_broken {
            return None;
        }
        self.number += 1;
        let List { shown, number, .. } = self;
        let mut entry = Vec::new();
        let read = self.reader.by_ref().take(Self::LONGEST).read_until(self.end, &mut entry);
        let is_ended = entry.pop_if(|last| *last == self.end).is_some();
        if self.end == b'\n' {
            entry.pop_if(|last| *last == b'\r');
        }
        let why = match read {
            Ok(0) => return None,
            Ok(count) if !is_ended && count as u64 == Self::LONGEST => {
                self.is_broken = true;
                format!("{shown}: entry {number} is too long for a name")
            }
            Ok(_) if entry.is_empty() => format!("{shown}: entry {number} is empty"),
            Ok(_) if entry.contains(&0) => {
                self.is_broken = true;
                format!("{shown}: entry {number} contains a NUL; --files0-from reads such lists")
            }
            Ok(_) => match system::name_of(entry) {
                Some(name) => return Some(Ok(name)),
                None => format!("{shown}: entry {number} is not UTF-8"),
            },
            Err(error) => {
                self.is_broken = true;
                format!("{shown}: {}", reason(&error))
            }
        };
        Some(Err(why))
    }
}
