//! Signal handling beyond that of the system.

use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};

use crate::files::open_directory::DirectoryEntry;
use crate::ui::threads::lock;

/// Turns the signal of a file that outgrows its limit into the error "File too large".
pub fn refuse_size_signal() {
    #[cfg(unix)]
    unix::refuse(Signal::SIGXFSZ);
}

/// Turns the signal of a closed pipe into a write error: the work continues even if the messages are not read.
pub fn refuse_pipe_signal() {
    #[cfg(unix)]
    unix::refuse(Signal::SIGPIPE);
    #[cfg(windows)]
    crate::files::system::report_closed_pipes();
}

/// Turns the signal of a closed pipe into a write error in this thread, which writes to another process.
pub fn refuse_pipe_signal_in_thread() {
    #[cfg(unix)]
    unix::refuse(Signal::SIGPIPE);
}

/// Held for reading during work that must not be interrupted.
static UNINTERRUPTED: RwLock<()> = RwLock::new(());

/// Held for reading during a whole run that must not be interrupted. To end the process, this lock is taken first, so that
/// until then the run can hold [`UNINTERRUPTED`] too.
static WHOLE_RUN: RwLock<()> = RwLock::new(());

/// Files that are removed if the process is ended.
static TO_REMOVE: Mutex<Vec<DirectoryEntry>> = Mutex::new(Vec::new());

/// What to report then.
static AT_END: Mutex<Option<Box<dyn Fn() -> String + Send>>> = Mutex::new(None);

/// Has this reported if a signal ends the process while it is [watched](watch), until the result is dropped.
pub fn report_at_end(text: impl Fn() -> String + Send + 'static) -> impl Drop {
    struct Reported;
    impl Drop for Reported {
        fn drop(&mut self) {
            *lock(&AT_END) = None;
        }
    }
    *lock(&AT_END) = Some(Box::new(text));
    Reported
}

/// Has a file removed if a signal ends the process while it is [watched](watch).
pub fn remove_at_end(entry: &DirectoryEntry) {
    lock(&TO_REMOVE).push(entry.clone());
}

/// It is gone, or is to stay.
pub fn remove_no_more(entry: &DirectoryEntry) {
    // There are as many as threads.
    lock(&TO_REMOVE).retain(|other| other != entry);
}

/// Blocks the signals by which a user ends a process, until the result is dropped. Do not call this again before that: a
/// signal in between would cause a deadlock.
pub fn hold_signals() -> impl Drop {
    Held::new(&UNINTERRUPTED)
}

/// Blocks the same signals during a run that calls [`hold_signals`] for its parts.
pub fn hold_signals_of_run() -> impl Drop {
    Held::new(&WHOLE_RUN)
}

struct Held {
    /// The signal mask of the thread to restore.
    #[cfg(unix)]
    mask: Option<SigSet>,
    _uninterrupted: RwLockReadGuard<'static, ()>,
}

impl Held {
    fn new(uninterrupted: &'static RwLock<()>) -> Held {
        Held {
            #[cfg(unix)]
            mask: unix::block(unix::wishes()),
            _uninterrupted: uninterrupted.read().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(mask) = self.mask {
            let _ = mask.thread_set_mask();
        }
    }
}

/// From now on, such a signal ends the process only outside of work that must not be interrupted, and removes the
/// registered files. Call this once, before other threads start.
pub fn watch() {
    #[cfg(target_os = "linux")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(unix::watch);
    }
}

#[cfg(unix)]
mod unix {
    use nix::sys::signal::{SigSet, SigmaskHow, Signal};

    /// Makes a call fail that would raise this signal: a blocked signal is never delivered.
    pub fn refuse(signal: Signal) {
        let _ = SigSet::from(signal).thread_block();
    }

    /// Returns the signals that end a process at a user's wish.
    pub fn wishes() -> SigSet {
        let mut wishes = SigSet::empty();
        wishes.extend([Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM]);
        wishes
    }

    /// Keeps signals from this thread; returns those that were kept before.
    pub fn block(signals: SigSet) -> Option<SigSet> {
        signals.thread_swap_mask(SigmaskHow::SIG_BLOCK).ok()
    }

    /// A thread takes the signals, which all others then do not get.
    #[cfg(target_os = "linux")]
    pub fn watch() {
        use std::sync::PoisonError;

        use crate::ui::threads::lock;

        let Some(ignored) = ignored() else { return };
        let signals: SigSet =
            wishes().iter().filter(|signal| ignored >> (*signal as i32 - 1) & 1 == 0).collect();
        let Some(before) = block(signals) else { return };
        let wait = move || {
            let Ok(signal) = signals.wait() else { return };
            // From here on, calls that hold signals block until the process ends.
            let _locked = [&super::WHOLE_RUN, &super::UNINTERRUPTED]
                .map(|work| work.write().unwrap_or_else(PoisonError::into_inner));
            for entry in lock(&super::TO_REMOVE).iter() {
                let _ = entry.remove();
            }
            if let Some(text) = lock(&super::AT_END).take() {
                crate::ui::stderr::complain(&text());
            }
            let _ = SigSet::from(signal).thread_unblock();
            let _ = nix::sys::signal::raise(signal);
        };
        if std::thread::Builder::new().spawn(wait).is_err() {
            let _ = before.thread_set_mask();
        }
    }

    /// Returns the signals that are ignored, as nohup and shells have it, one bit for each; None if that is not
    /// known. One that is taken would no longer be ignored.
    #[cfg(target_os = "linux")]
    fn ignored() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}
