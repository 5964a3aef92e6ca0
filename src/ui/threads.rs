//! Threads: their number, their work, and shared values.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// Returns how many threads can run at once. The call reads files of the system, so avoid it if one thread is enough.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does `work` on `threads` threads at once, including the current thread. If the system cannot start as many, fewer
/// threads do all the work.
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

/// Locks a mutex even after a panic, because a panic ends the process anyway.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the value of a mutex that no thread uses any more.
pub fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
