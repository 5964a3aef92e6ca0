//! A source that is counted on its way to the conversion.

use std::io::{self, BufRead, Read};

use utfconv_core::{CheckItem, Checker, Fault, FaultKind, Text};

use super::{Counter, Stats};

/// Checks what it is given, as the conversion does, and counts it.
pub struct Observer {
    /// Where it began, in bytes.
    start: u64,
    checker: Checker,
    counter: Counter,
    /// What is not yet a whole sequence.
    pending: Vec<u8>,
}

/// Bytes that are counted at a time, at most: a mapped source comes as a whole.
const PIECE: usize = 1 << 20;

impl Observer {
    /// Begins where `checker` does.
    pub fn new(checker: Checker, counter: Counter) -> Observer {
        let start = checker.position().offset();
        Observer { start, checker: checker.keeping_text(), counter, pending: Vec::new() }
    }

    /// Takes the bytes that come next.
    fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.chunks(PIECE) {
            self.pass(piece, false, u64::MAX);
        }
    }

    /// Counts what `bytes` complete, up to what begins at `end` or after it.
    fn pass(&mut self, bytes: &[u8], last: bool, end: u64) {
        let mut joined = std::mem::take(&mut self.pending);
        let mut rest = match joined.is_empty() {
            true => bytes,
            false => {
                joined.extend_from_slice(bytes);
                &joined
            }
        };
        while self.checker.position().offset() < end {
            let start = self.checker.position();
            let part = self.checker.next(rest, last);
            if part == CheckItem::Incomplete {
                break;
            }
            self.counter.count(&part, start, rest, &self.checker);
            rest = &rest[(self.checker.position().offset() - start.offset()) as usize..];
        }
        self.pending = rest.to_vec();
    }

    /// The statistics of all that was read; of what ended at a fault, with its bytes.
    pub fn end(mut self, stopped: Option<&Fault>, is_broken: bool) -> Stats {
        match stopped {
            Some(fault) => self.stop(fault),
            None if is_broken => {}
            None => self.pass(&[], true, u64::MAX),
        }
        let end = stopped.map_or(0, |fault| fault.at + fault.bytes.len() as u64);
        let end = end.max(self.checker.position().offset());
        self.counter.end(end - self.start, stopped.is_some() || is_broken)
    }

    /// Counts the fault that ended the run, whose bytes were not all consumed.
    fn stop(&mut self, fault: &Fault) {
        let known = self.checker.position().offset() + self.pending.len() as u64;
        let missing = fault.bytes.get(known.saturating_sub(fault.at) as usize..).unwrap_or_default();
        // A letter before it may have waited for a mark.
        self.pass(missing, false, fault.at);
        let place = self.checker.position();
        if place.offset() > fault.at {
            return;
        }
        // Its kind was decided by the bytes after it too.
        match fault.kind {
            FaultKind::Unmappable { code_point, .. } => {
                let utf8: String = char::from_u32(code_point).into_iter().collect();
                self.counter.text(
                    place,
                    &fault.bytes,
                    Some(&Text { utf8, starts: vec![0], ..Text::default() }),
                );
            }
            _ => self.counter.count(&CheckItem::Fault(fault.clone()), place, &[], &self.checker),
        }
    }
}

/// A source whose bytes are counted as they are consumed.
pub struct Observed<'a> {
    pub source: &'a mut dyn BufRead,
    pub observer: &'a mut Observer,
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
        // What is consumed is there: nothing is read for it.
        if count > 0
            && let Ok(bytes) = self.source.fill_buf()
        {
            self.observer.take(&bytes[..count]);
        }
        self.source.consume(count);
    }
}
