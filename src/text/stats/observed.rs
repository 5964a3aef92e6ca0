//! Counts a source while the conversion reads it.

use std::io::{self, BufRead, Read};

use utfconv_core::{CheckItem, Checker, Fault, FaultKind, RunText};

use super::{Counter, Stats};
use crate::files::feeder::Feeder;

/// Checks bytes as the conversion does, and counts them.
pub struct Observer {
    /// The offset of the first byte.
    start: u64,
    feeder: Feeder,
    counter: Counter,
}

/// Maximum number of bytes that are counted at a time, because a mapped source arrives as a whole.
const CHUNK: usize = 1 << 20;

impl Observer {
    /// Starts at the position of `checker`.
    pub fn new(checker: Checker, counter: Counter) -> Observer {
        let start = checker.position().offset();
        Observer { start, feeder: Feeder::new(checker.keeping_text()), counter }
    }

    /// Counts the next bytes.
    pub fn take(&mut self, bytes: &[u8]) {
        bytes.chunks(CHUNK).for_each(|chunk| self.count(chunk, false, u64::MAX));
    }

    /// Counts the items that `chunk` completes, except those that begin at `end` or later.
    fn count(&mut self, chunk: &[u8], is_last: bool, end: u64) {
        self.feeder.feed(chunk, is_last, |item, start, bytes, checker| {
            self.counter.count(item, start, bytes, checker);
            checker.position().offset() < end
        });
    }

    /// Returns the statistics of all bytes that were read, including those of the fault that stopped the conversion.
    pub fn end(mut self, stopped: Option<&Fault>, is_broken: bool) -> Stats {
        match stopped {
            Some(fault) => self.stop(fault),
            None if is_broken => {}
            None => self.count(&[], true, u64::MAX),
        }
        let end = stopped.map_or(0, |fault| fault.offset + fault.bytes.len() as u64);
        let end = end.max(self.feeder.checker.position().offset());
        self.counter.end(end - self.start, stopped.is_some() || is_broken)
    }

    /// Counts the fault that ended the run, not all of whose bytes were consumed.
    fn stop(&mut self, fault: &Fault) {
        let start = self.feeder.checker.position().offset();
        let known = start + self.feeder.pending.len() as u64;
        let missing = fault.bytes.get(known.saturating_sub(fault.offset) as usize..).unwrap_or_default();
        // A letter before the fault may still wait for a combining mark.
        if start < fault.offset {
            self.count(missing, false, fault.offset);
        }
        let position = self.feeder.checker.position();
        if position.offset() > fault.offset {
            return;
        }
        // Following bytes may have decided the kind of the fault, so the given fault is counted.
        match fault.kind {
            FaultKind::Unmappable { code_point, .. } => {
                let utf8: String = char::from_u32(code_point).into_iter().collect();
                let text = RunText { utf8, starts: vec![0], ..RunText::default() };
                self.counter.text(position, &fault.bytes, Some(&text));
            }
            _ => self.counter.count(&CheckItem::Fault(fault.clone()), position, &[], &self.feeder.checker),
        }
    }
}

/// A source whose bytes are passed to `show` as they are consumed.
pub struct Observed<'a> {
    pub source: &'a mut dyn BufRead,
    pub show: &'a mut dyn FnMut(&[u8]),
}

impl Read for Observed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Observed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        // Consumed bytes are in the buffer, so `fill_buf` reads nothing.
        if count > 0
            && let Ok(bytes) = self.source.fill_buf()
        {
            (self.show)(&bytes[..count]);
        }
        self.source.consume(count);
    }
}
