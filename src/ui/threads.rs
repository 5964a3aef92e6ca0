//! Threads: how many, work that all of them do, and what they share.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Returns how many threads can run at once. The system's files are read for it: not to be asked where one will do.
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

/// What a lock holds, when all threads are done with it.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
