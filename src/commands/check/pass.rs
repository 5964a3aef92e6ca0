//! A pass of the checker through a file, which scans the text and lists the findings.

use std::fmt::Write;
use std::{io, mem};

use utfconv_core::{
    CheckItem, Checker, Encoding, Fault, FaultKind, IllFormed, Notice, Position, UTF_8, is_printable,
};

use super::pending::Pending;
use super::plan::{Settings, Verdicts};
use super::report::{Finding, Findings};
use super::rules::{Rule, in_windows_1252};
use super::scan::{Scan, TextRun};
use super::verdict::{verdict, wrong_encoding};
use crate::files::walk::FileEntry;
use crate::files::window::Window;
use crate::text::stats::Counter;
use crate::ui::excerpt::Excerpt;

/// Prints findings of a file before the whole file is read.
pub type PrintEarly<'a> = &'a (dyn Fn(&FileEntry, Vec<Finding>) + Sync);

/// Number of findings that are kept before findings are printed or packed.
pub const MOST_KEPT: usize = 1 << 14;

/// Initial capacity of a message in bytes, enough for most faults without a reallocation.
const USUAL_MESSAGE: usize = 96;

/// Maximum number of hidden ill-formed sequences to list, enough to see whether they differ.
pub const HIDDEN: u64 = 16;

/// A pass through a file, from its start to its end or to the limit on findings.
pub struct Pass<'a> {
    pub settings: &'a Settings,
    /// The encoding from the command line or the configuration.
    pub named: &'static Encoding,
    pub checker: Checker,
    /// `None` if well-formed text is not scanned.
    pub scan: Option<Scan>,
    pub pending: Pending,
    pub found: Findings,
    /// Ill-formed sequences that are not reported; `None` if they are reported.
    pub hidden: Option<Findings>,
    /// Maximum number of findings; the next finding ends the pass.
    pub max_found: u64,
    /// True if findings may be printed or packed before the file ends.
    pub is_final: bool,
    pub early: Option<PrintEarly<'a>>,
    pub counter: Option<Counter>,
}

impl Pass<'_> {
    /// Checks the bytes of the window. Returns true if the pass stopped before the end, because of the limit.
    pub fn through(&mut self, window: &mut Window, target: &FileEntry) -> io::Result<bool> {
        loop {
            if self.found.room == 0 && self.counter.is_none() {
                self.checker.skip_line_counts();
            }
            let start = self.checker.position();
            let listed = self.found.listed.len();
            let part = self.checker.next(window.rest(), window.is_ended());
            if let Some(counter) = &mut self.counter {
                counter.count(&part, start, window.rest(), &self.checker);
            }
            match part {
                CheckItem::Bom(len) => window.pass(len),
                CheckItem::Text(len) => {
                    let ends_file = window.is_ended() && len == window.rest().len();
                    self.text(start, &window.rest()[..len], ends_file);
                    window.pass(len);
                }
                CheckItem::Fault(fault) => {
                    self.gap(&fault);
                    if self.settings.excerpts {
                        window.look_ahead(fault.bytes.len())?;
                    }
                    window.pass(fault.bytes.len());
                    self.fault(fault, start);
                }
                CheckItem::Notice(notice) => self.notice(&notice),
                CheckItem::Incomplete if window.is_ended() => {
                    if let Some(scan) = &mut self.scan {
                        self.pending.scan_all(scan, &mut self.found);
                        scan.end(self.checker.position(), &mut self.found);
                    }
                    self.show(listed, window);
                    return Ok(false);
                }
                CheckItem::Incomplete => window.fill()?,
                _ => {}
            }
            self.show(listed, window);
            self.print(window, target)?;
            if self.found.total > self.max_found {
                return Ok(true);
            }
        }
    }

    /// If there are many findings, prints them, or packs all but the first ones. Nothing is printed early if the file
    /// is plainly in another encoding, because the verdict needs all findings.
    fn print(&mut self, window: &mut Window, target: &FileEntry) -> io::Result<()> {
        let len = self.found.listed.len();
        if !self.is_final || len < MOST_KEPT {
            return Ok(());
        }
        let Some(print) = self.early else {
            if len >= 2 * MOST_KEPT {
                self.found.pack_after(MOST_KEPT);
            }
            return Ok(());
        };
        if self.found.printed == 0 && self.settings.verdicts != Verdicts::None {
            let verdict = verdict(&self.found, window, target, self.named, false)?;
            if window.end_of_file(target)?.is_some() {
                window.resume()?;
            }
            if verdict.is_some() {
                self.early = None;
                return Ok(());
            }
        }
        self.found.printed += self.found.listed.len() as u64;
        print(target, mem::take(&mut self.found.listed));
        Ok(())
    }

    fn text(&mut self, start: Position, source: &[u8], ends_file: bool) {
        let text = self.checker.text();
        let Some(scan) = &mut self.scan else { return };
        if text.is_some_and(|text| text.utf8.is_empty()) {
            return self.pending.scan_all(scan, &mut self.found);
        }
        // Most files are one run, which needs no cut and so no copy.
        if ends_file && text.is_none() && self.pending.is_empty() {
            return scan.run(&mut TextRun::utf8(source, start), &mut self.found);
        }
        self.pending.take(start, source, text);
        self.pending.scan(scan, &mut self.found);
    }

    /// Ends the pending text at ill-formed bytes, and passes the bytes on to the scan.
    fn gap(&mut self, fault: &Fault) {
        if let Some(scan) = &mut self.scan {
            self.pending.scan_all(scan, &mut self.found);
            // In decoded text, the control U+001A stands for ill-formed bytes.
            let bytes = if self.checker.encoding() == &UTF_8 { &fault.bytes[..] } else { b"\x1A" };
            scan.gap(bytes, &mut self.found);
        }
    }

    fn fault(&mut self, mut fault: Fault, position: Position) {
        // The message names the configured encoding, such as UTF-16, without the byte order that was read.
        if let FaultKind::Bom { encoding, .. } = &mut fault.kind {
            *encoding = self.named;
        }
        let (rule, kind) = match fault.kind {
            FaultKind::IllFormed { kind, .. } => (Rule::IllFormed, kind.name()),
            _ => (Rule::Bom, ""),
        };
        let found = match &mut self.hidden {
            Some(hidden) if rule == Rule::IllFormed => hidden,
            _ => &mut self.found,
        };
        found.push(rule, || {
            let mut message = String::with_capacity(USUAL_MESSAGE);
            // `write!` to a `String` cannot fail.
            let _ = write!(message, "{fault}");
            let columns = Some(self.checker.position().column() - position.column());
            let hint = self.settings.hints.then(|| hint(&fault)).flatten();
            Finding { columns, kind, hint, ..Finding::new(rule, position, &fault.bytes, message) }
        });
    }

    fn notice(&mut self, notice: &Notice) {
        // In UTF-8, the bytes of another encoding's BOM are ill-formed and already reported.
        if self.checker.encoding() == &UTF_8 {
            return;
        }
        self.found
            .push(Rule::WrongEncoding, || wrong_encoding(Position::default(), &[], &notice.to_string()));
    }

    /// Adds excerpts to the findings from index `from` on.
    fn show(&mut self, from: usize, window: &Window) {
        for finding in &mut self.found.listed[from..] {
            if !self.settings.excerpts {
                finding.excerpt = None;
            } else if let Some((bytes, at)) = window.around(finding.position.offset()) {
                let len = usize::try_from(finding.len).unwrap_or(usize::MAX).min(bytes.len() - at);
                finding.excerpt = Excerpt::new(bytes, at, len, self.checker.encoding());
            }
        }
    }
}

/// Returns the cause of a fault, if the cause is certain.
fn hint(fault: &Fault) -> Option<String> {
    match fault.kind {
        FaultKind::IllFormed { encoding, pair: Some(_), .. } if encoding == &UTF_8 => {
            Some("utfconv -f CESU-8 reads such pairs".to_string())
        }
        FaultKind::IllFormed { encoding, kind, .. }
            if encoding == &UTF_8 && kind != IllFormed::NonShortest =>
        {
            // A fault of a single byte is no part of a UTF-8 sequence, so it may be windows-1252.
            let [byte @ ..0xFE] = fault.bytes[..] else { return None };
            let scalar = in_windows_1252(byte).filter(|scalar| is_printable(*scalar))?;
            Some(format!("in windows-1252, {byte:02X} is \"{scalar}\""))
        }
        _ => None,
    }
}
