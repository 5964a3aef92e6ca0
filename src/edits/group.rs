//! New files that wait for each other, to get to the disk together.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use utfconv_core::StreamError;

use super::manifest::Manifest;
use crate::files::replace::{Durability, Prepared, sync_together};
use crate::files::system;
use crate::ui::quote::reason;
use crate::ui::threads::lock;

/// New files of a thread that are not in their places yet.
pub struct Group<'a> {
    sync: Durability,
    room: usize,
    waiting: Vec<(usize, Prepared)>,
    /// Takes the directories in which something is new.
    unsynced: &'a Mutex<BTreeSet<PathBuf>>,
}

impl<'a> Group<'a> {
    pub fn new(sync: Durability, room: usize, unsynced: &'a Mutex<BTreeSet<PathBuf>>) -> Group<'a> {
        Group { sync, room, waiting: Vec::new(), unsynced }
    }

    /// Adds the file of a number. Returns whether the group is full, and to be published.
    pub fn add(&mut self, number: usize, prepared: Prepared) -> bool {
        self.waiting.push((number, prepared));
        self.waiting.len() >= self.room
    }

    /// Puts the files in their places, after what is recorded of them is on the disk. Returns the number of each,
    /// and whether it got there, in the order in which they were added.
    pub fn publish(&mut self, manifest: Option<&Manifest>) -> Vec<(usize, Result<(), StreamError>)> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let synced = match self.sync {
            Durability::Batch => {
                let files = self.waiting.iter().filter_map(|(_, prepared)| prepared.unsynced());
                sync_together(files, manifest.map(Manifest::file))
            }
            Durability::File => manifest.map_or(Ok(()), Manifest::sync),
            Durability::None => Ok(()),
        };
        let publish = |(number, prepared): (usize, Prepared)| {
            let published = match &synced {
                Ok(()) => prepared.publish(),
                // Each of them may be the one.
                Err(error) => Err(io::Error::new(error.kind(), reason(error))),
            };
            let published = published.map_err(StreamError::Write).map(|directory| {
                if self.sync != Durability::None {
                    lock(self.unsynced).insert(directory.path().to_path_buf());
                }
            });
            (number, published)
        };
        self.waiting.drain(..).map(publish).collect()
    }
}

/// Returns how many threads may work, and how many files of each may wait for each other before they take the places
/// of the old ones, if so many threads are wanted.
pub fn limits(sync: Durability, threads: usize) -> (usize, usize) {
    /// Of the process itself.
    const OWN: u64 = 5;
    /// Of a file that is being edited: itself, opened two times, the new one, a copy of the old one, and directories:
    /// its own, one above it, and one that is synced.
    const BUSY: u64 = 7;
    /// Of one that waits: itself, the new one, and its directory.
    const WAITING: u64 = 3;
    /// More files together are hardly faster.
    const MOST: u64 = 256;
    let free = system::descriptors().saturating_sub(OWN);
    let threads = (free / BUSY).clamp(1, threads as u64);
    let room = free.saturating_sub(BUSY * threads) / (WAITING * threads);
    let room = if sync == Durability::Batch { room.clamp(1, MOST) } else { 1 };
    (threads as usize, room as usize)
}
