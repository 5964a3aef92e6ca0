//! Groups of new files that are synced to disk together before they replace the old files.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;

use utfconv_core::StreamError;

use super::manifest::Manifest;
use super::section::Section;
use crate::files::replace::{Durability, Prepared, sync_together};
use crate::files::system;
use crate::ui::quote::reason;
use crate::ui::threads::lock;

/// A new file that is not published yet.
struct NewFile {
    number: usize,
    prepared: Prepared,
    /// The range of its records in `Group::records`; `None` if they are already in the manifest.
    records: Option<Range<usize>>,
}

/// New files of a thread that are not published yet.
pub struct Group<'a> {
    sync: Durability,
    room: usize,
    waiting: Vec<NewFile>,
    /// The records of the files. Reused to avoid an allocation per file.
    records: Vec<u8>,
    /// Receives the directories with new entries, which have to be synced.
    unsynced: &'a Mutex<BTreeSet<PathBuf>>,
}

impl<'a> Group<'a> {
    pub fn new(sync: Durability, room: usize, unsynced: &'a Mutex<BTreeSet<PathBuf>>) -> Group<'a> {
        Group { sync, room, waiting: Vec::new(), records: Vec::new(), unsynced }
    }

    /// Adds a new file with its number, and with its records unless the manifest already has them. Returns true if the
    /// group is full and has to be published.
    pub fn add(&mut self, number: usize, prepared: Prepared, section: Option<Section>) -> bool {
        let start = self.records.len();
        let records = section.map(|section| {
            self.records.extend_from_slice(section.in_memory());
            start..self.records.len()
        });
        self.waiting.push(NewFile { number, prepared, records });
        self.waiting.len() >= self.room
    }

    /// Publishes the files after their records are on disk. Returns the number of each file and whether it was
    /// published, in the order in which they were added.
    pub fn publish(&mut self, manifest: Option<&Manifest>) -> Vec<(usize, Result<(), StreamError>)> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let mut recorded = self.record(manifest).into_iter();
        let synced = match self.sync {
            Durability::Batch => {
                let files = self.waiting.iter().filter_map(|new| new.prepared.unsynced());
                sync_together(files, manifest.map(Manifest::file))
            }
            Durability::File => manifest.map_or(Ok(()), Manifest::sync),
            Durability::None => Ok(()),
        };
        let publish = |NewFile { number, prepared, records }| {
            let recorded = records.and_then(|_| recorded.next()).unwrap_or(Ok(()));
            // If syncing failed, the error may concern any of the files.
            let synced = || synced.as_ref().map_err(|error| io::Error::new(error.kind(), reason(error)));
            let published = recorded.and_then(|()| synced().map(drop)).and_then(|()| prepared.publish());
            let published = published.map_err(StreamError::Write).map(|directory| {
                if self.sync != Durability::None {
                    lock(self.unsynced).insert(directory.path().to_path_buf());
                }
            });
            (number, published)
        };
        self.waiting.drain(..).map(publish).collect()
    }

    /// Writes all records at once, or file by file if writing them at once fails. Returns the result for each file.
    fn record(&mut self, manifest: Option<&Manifest>) -> Vec<io::Result<()>> {
        let all: Vec<_> = self.waiting.iter().filter_map(|new| new.records.clone()).collect();
        let Some(manifest) = manifest.filter(|_| !all.is_empty()) else { return Vec::new() };
        let add = |records: &Range<usize>| {
            let len = records.len() as u64;
            manifest.add(|mut file| file.write_all(&self.records[records.clone()]).map(|()| len))
        };
        let written = match add(&(0..self.records.len())) {
            Err(error) if all.len() == 1 => vec![Err(error)],
            Err(_) => all.iter().map(add).collect(),
            Ok(()) => all.iter().map(|_| Ok(())).collect(),
        };
        self.records.clear();
        written
    }
}

/// Returns how many of the wanted `threads` may work, and how many new files per thread may wait to be published. The
/// number of files that the process may open limits both.
pub fn limits(sync: Durability, threads: usize) -> (usize, usize) {
    /// Number of file descriptors of the process itself.
    const OWN: u64 = 5;
    /// Number of descriptors of a file that is being edited: two for the file, one for the new file, one for a copy of
    /// the old file, and three for directories (its own, one above it, and one that is synced).
    const BUSY: u64 = 7;
    /// Number of descriptors of a file that waits: one each for the file, the new file and its directory.
    const WAITING: u64 = 3;
    /// Maximum number of files in a group, because larger groups are hardly faster.
    const MOST: u64 = 256;
    let free = system::descriptors().saturating_sub(OWN);
    let threads = (free / BUSY).clamp(1, threads as u64);
    let room = free.saturating_sub(BUSY * threads) / (WAITING * threads);
    let room = if sync == Durability::Batch { room.clamp(1, MOST) } else { 1 };
    (threads as usize, room as usize)
}
