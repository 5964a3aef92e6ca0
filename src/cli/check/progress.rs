//! How far a long check has come, for people at a terminal.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Does `work`, which counts in `passed` the bytes it reads, and shows how it goes if that takes long and standard error
/// is a terminal.
pub fn watch(passed: &AtomicU64, work: impl FnOnce()) {
    /// Nobody minds to wait so long.
    const PATIENCE: Duration = Duration::from_secs(1);
    const PERIOD: Duration = Duration::from_millis(100);
    if !io::stderr().is_terminal() {
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
                    bar.set_position(passed.load(Ordering::Relaxed));
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

fn spinner(begun: Instant) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {bytes} checked, {bytes_per_sec}, {elapsed}");
    ProgressBar::new_spinner()
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_elapsed(begun.elapsed())
}
