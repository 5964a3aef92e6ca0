//! Threads: their number, their work, and shared values.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Returns how many threads can run at once. This reads files of the system: do not call it where one thread is enough.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does `work` on `threads` threads at once, this one included. Where the system has no more threads to give, fewer
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

/// A lock that is held after a panic too: there the process has ended.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the value of a lock when no thread uses it any more.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
