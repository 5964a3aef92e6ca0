//! How far a long check has come, for people at a terminal.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// What there is to show.
pub struct Progress<'a> {
    /// Bytes read so far.
    passed: &'a AtomicU64,
}

impl<'a> Progress<'a> {
    pub fn new(passed: &'a AtomicU64) -> Progress<'a> {
        Progress { passed }
    }

    /// Does `work`, and shows how it goes if it takes long and standard error is a terminal.
    pub fn watch(self, work: impl FnOnce()) {
        /// Nobody minds to wait so long.
        const PATIENCE: Duration = Duration::from_secs(1);
        const PERIOD: Duration = Duration::from_millis(100);
        if !super::is_watched() {
            return work();
        }
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let show = || {
                let begun = Instant::now();
                let mut bar = None;
                while !is_done.load(Ordering::Relaxed) {
                    thread::park_timeout(PERIOD);
                    if begun.elapsed() >= PATIENCE {
                        let bar = bar.get_or_insert_with(|| spinner(begun));
                        bar.set_position(self.passed.load(Ordering::Relaxed));
                    }
                }
                // The report is printed after it: the line has to be gone by then.
                bar.inspect(ProgressBar::finish_and_clear);
            };
            // Without a thread for it, there is nothing to show.
            let shower = thread::Builder::new().spawn_scoped(scope, show).ok();
            work();
            is_done.store(true, Ordering::Relaxed);
            shower.inspect(|shower| shower.thread().unpark());
        });
    }
}

fn spinner(begun: Instant) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {bytes} checked, {bytes_per_sec}, {elapsed}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_elapsed(begun.elapsed())
}
