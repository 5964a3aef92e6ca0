//! Results that are finished in any order, and taken in the order of their numbers.

use std::collections::BTreeMap;

/// Results that are finished and not taken, by number.
pub struct Ordered<T> {
    /// The number of the one that is taken next.
    due: u64,
    finished: BTreeMap<u64, T>,
}

impl<T> Ordered<T> {
    pub fn new() -> Ordered<T> {
        Ordered { due: 0, finished: BTreeMap::new() }
    }

    pub fn put(&mut self, number: u64, one: T) {
        self.finished.insert(number, one);
    }

    /// Returns the one that is due and its number, if it is finished; the next one is due then.
    pub fn take(&mut self) -> Option<(u64, T)> {
        let one = self.finished.remove_entry(&self.due)?;
        self.due += 1;
        Some(one)
    }
}
