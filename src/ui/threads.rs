//! Threads: how many, work that all of them do, and what they share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many threads can run at once. The system's files are read for it: not to be asked where one will do.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does `work` on `threads` threads at once, of which this one is one. Where the system has no more threads to give, fewer
/// do it all.
pub fn work_on(threads: usize, work: impl Fn() + Sync) {
    thread::scope(|scope| {
        for _ in 1..threads {
            if thread::Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Maps all `items` on `threads` threads; the results are in the order of the items. Each thread has its own state, which
/// `begin` makes, and `map` takes it with the number of an item, and the item.
pub fn map_on<T: Sync, S, R: Send>(
    threads: usize,
    items: &[T],
    begin: impl Fn() -> S + Sync,
    map: impl Fn(&mut S, usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    work_on(threads.min(items.len()), || {
        let mut state = begin();
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(number)
        {
            let result = map(&mut state, number, item);
            lock(&results).push((number, result));
        }
    });
    let mut results = into_inner(results);
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// A lock that is held after a panic too: there the process has ended.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a lock holds, when all threads are done with it.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
