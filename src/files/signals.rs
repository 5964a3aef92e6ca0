//! Signal handling of a run.

use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

#[cfg(unix)]
use nix::sys::signal::{SigSet, Signal};

use crate::files::open_directory::DirectoryEntry;
use crate::ui::threads::lock;

/// Turns SIGXFSZ, for a file that exceeds its size limit, into the error "File too large".
pub fn refuse_size_signal() {
    #[cfg(unix)]
    unix::refuse(Signal::SIGXFSZ);
}

/// Turns SIGPIPE into a write error, so that the work continues even if nobody reads the messages.
pub fn refuse_pipe_signal() {
    #[cfg(unix)]
    unix::refuse(Signal::SIGPIPE);
    #[cfg(windows)]
    crate::files::system::report_closed_pipes();
}

/// Turns SIGPIPE into a write error in the current thread, which writes to another process.
pub fn refuse_pipe_signal_in_thread() {
    #[cfg(unix)]
    unix::refuse(Signal::SIGPIPE);
}

/// Held for reading during work that must not be interrupted.
static UNINTERRUPTED: RwLock<()> = RwLock::new(());

/// Held for reading during a whole run that must not be interrupted. The thread that ends the process takes this lock
/// first, so that until then the run can hold [`UNINTERRUPTED`] too.
static WHOLE_RUN: RwLock<()> = RwLock::new(());

/// Files that are removed when a signal ends the process.
static TO_REMOVE: Mutex<Vec<DirectoryEntry>> = Mutex::new(Vec::new());

/// Returns the message to report when a signal ends the process.
static AT_END: Mutex<Option<Box<dyn Fn() -> String + Send>>> = Mutex::new(None);

/// Registers a message that is reported if a signal ends the process while it is [watched](watch). Dropping the result
/// unregisters the message.
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

/// Registers a file that is removed if a signal ends the process while it is [watched](watch).
pub fn remove_at_end(entry: &DirectoryEntry) {
    lock(&TO_REMOVE).push(entry.clone());
}

/// Unregisters a file that was removed or must be kept.
pub fn remove_no_more(entry: &DirectoryEntry) {
    // The list has at most one file per thread.
    lock(&TO_REMOVE).retain(|other| other != entry);
}

/// Blocks termination signals that a user can send, until the result is dropped. Must not be nested: a signal between
/// the two calls would cause a deadlock.
pub fn hold_signals() -> impl Drop {
    Held::new(&UNINTERRUPTED)
}

/// Blocks the same signals as [`hold_signals`] during a whole run, which may call that function for its parts.
pub fn hold_signals_of_run() -> impl Drop {
    Held::new(&WHOLE_RUN)
}

struct Held {
    /// The signal mask of the thread, which is restored on drop.
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

/// Handles termination signals: from now on, a signal ends the process only outside work that must not be interrupted,
/// and removes the registered files. Has to be called before other threads start.
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

    /// Blocks a signal in this thread, so that a call that would raise it fails instead.
    pub fn refuse(signal: Signal) {
        let _ = SigSet::from(signal).thread_block();
    }

    /// Returns the termination signals that a user can send.
    pub fn wishes() -> SigSet {
        let mut wishes = SigSet::empty();
        wishes.extend([Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM]);
        wishes
    }

    /// Blocks signals in this thread. Returns the previous signal mask.
    pub fn block(signals: SigSet) -> Option<SigSet> {
        signals.thread_swap_mask(SigmaskHow::SIG_BLOCK).ok()
    }

    /// Starts a thread that waits for the signals, which are blocked in all other threads.
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

    /// Returns the ignored signals, as nohup and shells set them, with one bit for each; `None` if they are unknown.
    /// Such signals must stay ignored, and so are not waited for.
    #[cfg(target_os = "linux")]
    fn ignored() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}
