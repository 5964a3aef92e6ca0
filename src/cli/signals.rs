//! What signals do to the program, beyond what the system does by itself.

/// Turns the signal of a file that outgrows its limit into the error "File too large".
pub fn refuse_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        // A blocked signal is never delivered, and the write fails instead.
        let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
    }
}

/// Keeps the signals that end a process at a user's wish from being delivered, until the answer is dropped.
pub fn hold_signals() -> impl Drop {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, SigmaskHow, Signal};
        let mut wishes = SigSet::empty();
        wishes.extend([Signal::SIGHUP, Signal::SIGINT, Signal::SIGQUIT, Signal::SIGTERM]);
        HeldSignals(wishes.thread_swap_mask(SigmaskHow::SIG_BLOCK).ok())
    }
    #[cfg(not(unix))]
    HeldSignals(None)
}

#[cfg(unix)]
type Mask = nix::sys::signal::SigSet;
#[cfg(not(unix))]
type Mask = ();

/// The signal mask to restore.
struct HeldSignals(Option<Mask>);

impl Drop for HeldSignals {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(mask) = self.0 {
            let _ = mask.thread_set_mask();
        }
    }
}
