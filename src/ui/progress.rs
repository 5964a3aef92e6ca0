//! The progress of long work, for people at a terminal.

use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::ui::threads::lock;

/// A progress line, which is shown if the work takes long and standard error is a terminal.
#[derive(Default)]
pub struct Progress(Mutex<Option<ProgressBar>>);

impl Progress {
    /// Does `work` while showing a progress line. `template` is the format of the line, `total` the final position if
    /// known, and `update` updates the line.
    pub fn watch(
        &self,
        template: &str,
        total: Option<u64>,
        update: impl Fn(&ProgressBar) + Sync,
        work: impl FnOnce(),
    ) {
        /// A shorter wait needs no progress line.
        const PATIENCE: Duration = Duration::from_secs(1);
        const PERIOD: Duration = Duration::from_millis(100);
        if !io::stderr().is_terminal() {
            return work();
        }
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            let show = || {
                let begun = Instant::now();
                while !is_done.load(Ordering::Relaxed) {
                    thread::park_timeout(PERIOD);
                    if begun.elapsed() >= PATIENCE {
                        update(lock(&self.0).get_or_insert_with(|| bar(template, total, begun)));
                    }
                }
                // Later output has to begin on a new line.
                lock(&self.0).take().inspect(ProgressBar::finish_and_clear);
            };
            // If no thread can be started, the work is done without a progress line.
            let shower = thread::Builder::new().spawn_scoped(scope, show).ok();
            work();
            is_done.store(true, Ordering::Relaxed);
            shower.inspect(|shower| shower.thread().unpark());
        });
    }

    /// Runs `print` while the line is hidden.
    pub fn aside(&self, print: impl FnOnce()) {
        match &*lock(&self.0) {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

fn bar(template: &str, total: Option<u64>, begun: Instant) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner());
    let bar = total.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    bar.with_style(style).with_elapsed(begun.elapsed())
}
