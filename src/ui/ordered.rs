//! Results that are finished in any order, and taken in the order of their numbers.

use std::collections::BTreeMap;

/// Results that are finished but not taken yet.
pub struct Ordered<T> {
    /// The number of the result that is taken next.
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

    /// Returns the next result and its number, if it is finished.
    pub fn take(&mut self) -> Option<(u64, T)> {
        let one = self.finished.remove_entry(&self.due)?;
        self.due += 1;
        Some(one)
    }
}
