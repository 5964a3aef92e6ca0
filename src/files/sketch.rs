//! A sketch of the lines of a file, by which a renamed file is recognized.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;

use crate::files::hash::{FNV_OFFSET, fnv};
use crate::files::stdio::each_chunk;

/// The smallest hashes of the lines of a file (MinHash). Two files share about the same proportion of hashes as of
/// lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sketch(pub BTreeSet<u32>);

impl Sketch {
    /// Maximum number of hashes that are kept.
    pub const MOST: usize = 16;

    pub fn of(file: &File) -> io::Result<Sketch> {
        let (mut sketch, mut line) = (Sketch::default(), None);
        each_chunk(file, 0..u64::MAX, |chunk, _| {
            for byte in chunk {
                match byte {
                    b'\n' => sketch.add(line.take()),
                    b'\r' | b' ' | b'\t' | b'\0' => {}
                    byte => line = Some(fnv(line.unwrap_or(FNV_OFFSET), &[*byte])),
                }
            }
            Ok(true)
        })?;
        sketch.add(line);
        Ok(sketch)
    }

    fn add(&mut self, line: Option<u128>) {
        let Some(line) = line else { return };
        let hash = folded(line);
        self.0.insert((hash >> 32) as u32 ^ hash as u32);
        if self.0.len() > Self::MOST {
            self.0.pop_last();
        }
    }

    /// Returns the similarity of the lines of two files, from 0 to 1,000.
    pub fn likeness(&self, other: &Sketch) -> u32 {
        let union: BTreeSet<_> = self.0.union(&other.0).copied().take(Self::MOST).collect();
        let both = union.iter().filter(|hash| self.0.contains(hash) && other.0.contains(hash)).count();
        (both * 1000).checked_div(union.len()).unwrap_or_default() as u32
    }
}

/// Folds a hash to half of its bits.
pub fn folded(hash: u128) -> u64 {
    (hash >> 64) as u64 ^ hash as u64
}
