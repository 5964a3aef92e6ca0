//! Statistics of texts for `--stats`: of each source, and their sums.
//!
//! checker -> counter (of one source) -> sums (of all sources, in any order) -> report (as text or JSON)

mod observed;
mod report;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use utfconv_core::{CheckItem, Checker, Encoding, FaultCounts, FaultKind, Position, Repertoire, RunText};

pub use self::observed::{Observed, Observer};
pub use self::report::Line;
use crate::files::walk::Key;
use utfconv_core::utf8::count_chars;
use utfconv_scan::histogram::Histogram;

/// Sums over all sources.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    sums: Sums,
    characters: Histogram,
    highest: Option<(char, First)>,
    /// Number of sources with a BOM, by encoding.
    boms: BTreeMap<&'static str, u64>,
    /// Number of CR LF sequences; `characters` counts CR and LF separately.
    crlf: u64,
    faults: FaultCounts,
    /// The characters that cannot be encoded in the target.
    lost: Option<Lost>,
    /// True if only the characters that cannot be encoded in the target are reported.
    is_of_lost: bool,
}

/// Numbers of files and bytes.
#[derive(Clone, Debug, Default, Serialize)]
struct Sums {
    files: u64,
    /// Number of files that were not read to their end.
    cut_short: u64,
    /// Number of files that were not read, because they are binary or in another encoding.
    left_out: u64,
    /// Number of files that were read, but are plainly in another encoding.
    misread: u64,
    bytes: u64,
    /// Number of ill-formed bytes.
    ill_formed_bytes: u64,
}

/// The characters that cannot be encoded in an encoding.
#[derive(Clone, Debug)]
struct Lost {
    encoding: &'static Encoding,
    first: BTreeMap<char, First>,
}

/// The first occurrence of a character.
#[derive(Clone, Debug)]
struct First {
    source: Arc<Key>,
    position: Position,
}

impl First {
    fn is_before(&self, other: &First) -> bool {
        (&self.source, self.position.offset()) < (&other.source, other.position.offset())
    }
}

impl Stats {
    /// Creates empty sums. If there is a target, the sums include the characters that cannot be encoded in it.
    pub fn new(target: Option<&'static Encoding>) -> Stats {
        let lost = target.map(|encoding| Lost { encoding, first: BTreeMap::new() });
        Stats { lost, ..Stats::default() }
    }

    /// Makes empty sums that report only the characters that cannot be encoded in the target, if there are any.
    pub fn of_lost(target: &'static Encoding) -> Stats {
        Stats { is_of_lost: true, ..Stats::new(Some(target)) }
    }

    /// True if the report is only about characters that cannot be encoded in the target, and there are such characters.
    pub fn is_failure(&self) -> bool {
        self.is_of_lost && self.lost.as_ref().is_some_and(|lost| !lost.first.is_empty())
    }

    /// Counts a file that was not read, because it is binary or in another encoding.
    pub fn leave_out(&mut self) {
        self.sums.left_out += 1;
    }

    /// Counts a file that was read although it is in another encoding.
    pub fn misread(&mut self) {
        self.sums.misread += 1;
    }

    /// Marks all sources as not read to their end.
    pub fn cut_short(&mut self) {
        self.sums.cut_short = self.sums.files;
    }

    /// Adds other sums for the same target.
    pub fn add(&mut self, other: Stats) {
        let (sums, more) = (&mut self.sums, other.sums);
        sums.files += more.files;
        sums.cut_short += more.cut_short;
        sums.left_out += more.left_out;
        sums.misread += more.misread;
        sums.bytes += more.bytes;
        sums.ill_formed_bytes += more.ill_formed_bytes;
        self.characters.merge(&other.characters);
        if let Some((scalar, first)) = other.highest {
            self.raise(scalar, first);
        }
        for (name, count) in other.boms {
            *self.boms.entry(name).or_default() += count;
        }
        self.crlf += other.crlf;
        self.faults.merge(&other.faults);
        if let (Some(lost), Some(other)) = (&mut self.lost, other.lost) {
            for (scalar, first) in other.first {
                let known = lost.first.entry(scalar).or_insert_with(|| first.clone());
                if first.is_before(known) {
                    *known = first;
                }
            }
        }
    }

    /// Records a character that may be the highest.
    fn raise(&mut self, scalar: char, first: First) {
        let is_higher = |(highest, known): &(char, First)| {
            scalar > *highest || scalar == *highest && first.is_before(known)
        };
        if self.highest.as_ref().is_none_or(is_higher) {
            self.highest = Some((scalar, first));
        }
    }
}

/// Collects the statistics of one source.
pub struct Counter {
    source: Arc<Key>,
    /// The characters that the output encoding has; `None` without an output encoding.
    target: Option<Arc<Repertoire>>,
    /// Whether the text so far ends with CR.
    after_cr: bool,
    stats: Stats,
}

impl Counter {
    pub fn new(source: Key, target: Option<Arc<Repertoire>>) -> Counter {
        let stats = Stats::new(target.as_ref().map(|target| target.encoding()));
        Counter { source: source.into(), target, after_cr: false, stats }
    }

    /// Counts an item that `checker` found at `start`, where `bytes` begin. The checker has to keep the text.
    pub fn count(&mut self, item: &CheckItem, start: Position, bytes: &[u8], checker: &Checker) {
        match item {
            CheckItem::Bom(_) => self.bom(checker.encoding().name()),
            CheckItem::Text(len) => self.text(start, &bytes[..*len], checker.text()),
            CheckItem::Fault(fault) => {
                self.after_cr = false;
                self.stats.faults.add(&fault.kind);
                if matches!(fault.kind, FaultKind::IllFormed { .. }) {
                    self.stats.sums.ill_formed_bytes += fault.bytes.len() as u64;
                }
                if let (FaultKind::Bom { encoding, .. }, [_, ..]) = (&fault.kind, &fault.bytes[..]) {
                    self.bom(encoding.name());
                }
            }
            _ => {}
        }
    }

    fn bom(&mut self, encoding: &'static str) {
        *self.stats.boms.entry(encoding).or_default() += 1;
    }

    /// Counts a run of text, given its bytes in the source, and its text in UTF-8 unless the source is UTF-8.
    fn text(&mut self, mut start: Position, source: &[u8], text: Option<&RunText>) {
        let utf8 = text.map_or(source, |text| text.utf8.as_bytes());
        self.newlines(utf8);
        let (mut before, mut characters) = (0, 0);
        for (at, scalar) in self.stats.characters.count(utf8) {
            let is_lost = self.target.as_ref().is_some_and(|target| !target.has(scalar));
            let is_highest = self.stats.highest.as_ref().is_none_or(|(highest, _)| scalar > *highest);
            if !is_lost && !is_highest {
                continue;
            }
            let between = &utf8[before..at];
            let len = match text {
                None => between.len(),
                Some(text) => {
                    let last = characters;
                    characters += count_chars(between);
                    (text.starts[characters] - text.starts[last]) as usize
                }
            };
            start = start.past(between, len as u64);
            before = at;
            let first = First { source: self.source.clone(), position: start };
            if is_highest {
                self.stats.raise(scalar, first.clone());
            }
            if let Some(lost) = self.stats.lost.as_mut().filter(|_| is_lost) {
                lost.first.insert(scalar, first);
            }
        }
    }

    fn newlines(&mut self, text: &[u8]) {
        let Some(last) = text.last() else { return };
        let begins_with_lf = self.after_cr && text[0] == b'\n';
        let inner = memchr::memchr_iter(b'\r', text).filter(|at| text.get(at + 1) == Some(&b'\n'));
        self.stats.crlf += u64::from(begins_with_lf) + inner.count() as u64;
        self.after_cr = *last == b'\r';
    }

    /// Returns the statistics of the source after `bytes` bytes were read.
    pub fn end(mut self, bytes: u64, is_cut_short: bool) -> Stats {
        self.stats.sums.files = 1;
        self.stats.sums.cut_short = is_cut_short.into();
        self.stats.sums.bytes = bytes;
        self.stats
    }
}
