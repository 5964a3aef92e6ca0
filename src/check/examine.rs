//! Checks one file: what is required of it, whether it complies, and where not.
//!
//! Most files are in order, so the first question is whether a file is well-formed as a whole, and it is answered at the
//! speed of memory. Only where it is not, or where there is more to look at, does the checker walk through.

use std::fmt::Write;
use std::fs::File;
use std::io;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;

use utfconv_core::{
    Bytes, CheckItem, Checker, Encoding, Fault, FaultKind, IllFormed, InputBom, Notice, Position, Repertoire,
    UTF_8, is_printable, utf8_well_formed_up_to,
};

use super::excerpt::{CONTEXT, Excerpt};
use super::fast::{self, Spare};
use super::pending::Pending;
use super::plan::{Binary, Settings};
use super::report::{Finding, Findings, Found, Outcome};
use super::rules::{Rule, Rules, windows_1252};
use super::scan::Scan;
use crate::config::{Configuration, Demand, LastDirectory, Requirements};
use crate::convert::ranges::refuse_states;
use crate::files::ranges::{Reading, Span};
use crate::files::sniff::{self, Sniffed};
use crate::files::walk::FileEntry;
use crate::files::window::Window;
use crate::stats::{Counter, Stats};
use crate::ui::quote::reason;

/// Examines one file after another.
pub struct Examiner<'a> {
    settings: &'a Settings,
    /// None if configuration is not read.
    configuration: Option<&'a Configuration>,
    last: LastDirectory,
    buffer: Vec<u8>,
    spare: &'a Spare,
    /// Bytes read by all examiners.
    passed: &'a AtomicU64,
    /// None if nobody wants any.
    pub stats: Option<Stats>,
    repertoire: Option<Rc<Repertoire>>,
}

impl<'a> Examiner<'a> {
    pub fn new(
        settings: &'a Settings,
        configuration: Option<&'a Configuration>,
        spare: &'a Spare,
        passed: &'a AtomicU64,
    ) -> Examiner<'a> {
        let buffer = vec![0; settings.buffer_size];
        let stats = settings.stats.then(|| Stats::new(settings.target));
        let repertoire = settings.target.map(|target| Rc::new(Repertoire::of(target)));
        Examiner {
            settings,
            configuration,
            last: LastDirectory::default(),
            buffer,
            spare,
            passed,
            stats,
            repertoire,
        }
    }

    /// What there is to say about a file, None if nothing, and how many bytes of it were looked at.
    pub fn examine(&mut self, target: &FileEntry) -> (Option<Outcome>, u64) {
        let required = self.configuration.map(|one| one.of(target, &mut self.last)).unwrap_or_default();
        match target.open().and_then(|file| self.look_at(file, target, required)) {
            Ok(examined) => examined,
            Err(error) => (Some(Outcome::Unreadable(reason(&error))), 0),
        }
    }

    fn look_at(
        &mut self,
        file: File,
        target: &FileEntry,
        required: Requirements,
    ) -> io::Result<(Option<Outcome>, u64)> {
        let settings = self.settings;
        let encoding = settings.encoding.or(required.encoding).unwrap_or(&UTF_8);
        // A name on the command line goes before what the configuration says of encoding and BOM.
        let bom = if settings.encoding.is_some() { settings.bom } else { required.bom };
        let required = Requirements { bom, ..required };
        let rules = settings.selection.rules(&required, encoding.unit() == 1);

        let newline = settings.newline;
        let reading = Reading { named: encoding, input_bom: demanded(rules.bom), newline };
        let part = self.part(&file, &reading, &rules)?;
        let is_amid = part.as_ref().is_some_and(|(span, _)| span.bytes.start > 0);
        if part.as_ref().is_some_and(|(span, _)| span.bytes.is_empty() && span.of > 0) {
            return Ok((None, 0));
        }

        let mut window = Window::new(file, target.is_named(), CONTEXT, &mut self.buffer, self.passed);
        window.fill()?;
        let head = window.rest();
        let binary = settings.binary.unwrap_or(if target.is_named() { Binary::Check } else { Binary::Skip });
        let other = match (sniff::sniff(head, encoding), binary) {
            (Sniffed::Text, _) | (Sniffed::Binary { .. }, Binary::Check) => None,
            (Sniffed::Binary { .. }, Binary::Skip) => Some(Outcome::Binary),
            (Sniffed::Binary { nul }, Binary::Error) => {
                Some(misfit(settings, || looks_binary(head, nul, encoding)))
            }
            (Sniffed::Looks { like, bom }, _) => {
                Some(misfit(settings, || looks_like(like, &head[..bom], encoding)))
            }
        };
        if other.is_some() {
            if let Some(stats) = &mut self.stats {
                stats.leave_out();
            }
            // The range with the first bytes of a file reports what they show.
            return Ok(if is_amid { (None, 0) } else { (other, head.len() as u64) });
        }
        let looks_at_text = rules.needs_text() || settings.stats;
        let has_bom = head.starts_with(b"\xEF\xBB\xBF");
        let obeys_bom = is_amid || rules.bom.is_none_or(|bom| (bom == Demand::Require) == has_bom);
        if let Some((span, _)) = &part {
            window.narrow(span.bytes.clone())?;
        }
        let head = window.rest();
        let bytes = head.len() as u64;
        let (start, is_last) =
            part.as_ref().map_or((0, true), |(span, _)| (span.bytes.start, span.is_last()));
        if encoding == &UTF_8 && obeys_bom && !looks_at_text {
            let well_formed = utf8_well_formed_up_to(head);
            if window.is_ended() && well_formed == head.len() {
                return Ok((None, bytes));
            }
            // If not, up to three bytes may be a sequence that goes on in the file.
            if !window.is_ended()
                && well_formed + 3 >= head.len()
                && let Some(end) = window.end_of_file(target)?
            {
                let (file, buffer) = window.borrow();
                let rest = start + well_formed as u64..end;
                if fast::is_well_formed(file, rest, is_last, buffer, self.spare, self.passed) {
                    return Ok((None, end - start));
                }
                window.rewind()?;
            }
        }
        let (span, place) = part.unzip();
        let read_as = span.as_ref().map_or(encoding, |span| span.encoding);
        let checker = reading.checker(read_as, !is_amid, place.unwrap_or_default());
        let mut pass = Pass {
            settings,
            checker: if looks_at_text { checker.keeping_text() } else { checker },
            scan: rules.needs_text().then(|| Scan::new(rules)),
            pending: Pending::new(encoding == &UTF_8),
            found: Found::with_room(settings.max_listed),
            counter: settings.stats.then(|| Counter::new(target.key(), self.repertoire.clone())),
        };
        let walked = pass.through(&mut window);
        let (found, place) = (pass.found, pass.checker.position());
        let walked = walked.and_then(|is_cut_short| match span {
            Some(span) => span.ensure_whole(window.borrow().0).map(|()| is_cut_short),
            None => Ok(is_cut_short),
        });
        if let (Some(stats), Some(counter)) = (&mut self.stats, pass.counter) {
            stats.add(counter.end(place.offset() - start, !matches!(walked, Ok(false))));
        }
        let is_cut_short = walked?;
        let outcome = (found.total() > 0).then(|| findings(found, is_cut_short));
        Ok((outcome, place.offset() - start))
    }

    /// The part to look at, and the place where it begins; None if it is all of the file.
    fn part(&self, file: &File, reading: &Reading, rules: &Rules) -> io::Result<Option<(Span, Position)>> {
        let Some(bounds) = self.settings.range else { return Ok(None) };
        if let Some(rule) = rules.needing_whole_file() {
            let id = rule.id();
            let text = format!("ranges: the rule {id} needs the whole file; turn it off with --allow {id}");
            return Err(io::Error::other(text));
        }
        refuse_states(reading.named).map_err(io::Error::other)?;
        let span = Span::find(file, bounds, reading)?;
        let place = match self.settings.first_line {
            Some(line) => {
                span.place(file, reading, bounds.start, line, |at| span.place_from(file, reading, at))?
            }
            None => Position::new(span.bytes.start, 1, 1),
        };
        Ok(Some((span, place)))
    }
}

/// The policy that makes a fault of what is demanded of the BOM.
fn demanded(bom: Option<Demand>) -> InputBom {
    match bom {
        None => InputBom::Auto,
        Some(Demand::Require) => InputBom::Require,
        Some(Demand::Forbid) => InputBom::Forbid,
    }
}

fn findings(mut found: Found, is_cut_short: bool) -> Outcome {
    // Some things are known only at the end.
    found.list.sort_by_key(|finding| finding.place.offset());
    let unlisted = found.total() - found.list.len() as u64;
    Outcome::Findings(Findings { counts: found.counts, listed: found.list, unlisted, is_cut_short })
}

/// The outcome for a file of which the first bytes tell enough.
fn misfit(settings: &Settings, finding: impl FnOnce() -> Finding) -> Outcome {
    let mut found = Found::with_room(settings.max_listed);
    found.push(Rule::WrongEncoding, finding);
    findings(found, false)
}

/// A finding of the rule `wrong-encoding`, at a place where `bytes` are.
fn wrong_encoding(place: Position, bytes: &[u8], message: &str, hint: Option<String>) -> Finding {
    Finding {
        rule: Rule::WrongEncoding,
        place,
        len: bytes.len() as u64,
        columns: Some(bytes.len() as u64),
        bytes: Bytes::new(bytes),
        kind: "",
        message: format!("byte {}: {message}", place.offset()),
        hint,
        excerpt: None,
    }
}

/// What is found where a NUL shows that a file is binary.
fn looks_binary(head: &[u8], nul: usize, encoding: &Encoding) -> Finding {
    let place = Position::default().past(&head[..nul], nul as u64);
    wrong_encoding(place, &[0], &format!("looks binary, not {}: 00", encoding.name()), None)
}

/// What is found where the first bytes show that a file is in another encoding.
fn looks_like(like: &Encoding, bom: &[u8], encoding: &Encoding) -> Finding {
    let (name, mut scheme) = (encoding.name(), like.name());
    let mut message = format!("looks like {scheme}, not {name}");
    if !bom.is_empty() {
        message = format!("looks like {scheme} (begins with {}), not {name}", Bytes::new(bom));
        // Under this name the BOM is no part of the text.
        scheme = scheme.trim_end_matches("LE").trim_end_matches("BE");
    }
    let hint = format!("utfconv -f {scheme} -t {name} -o FILE FILE converts it");
    wrong_encoding(Position::default(), bom, &message, Some(hint))
}

/// The length of most sentences about faults: room for them is made at once.
const USUAL_MESSAGE: usize = 96;

/// One pass through a file, from its start to its end or to the limit.
struct Pass<'a> {
    settings: &'a Settings,
    checker: Checker,
    /// None if well-formed text needs no second look.
    scan: Option<Scan>,
    pending: Pending,
    found: Found,
    counter: Option<Counter>,
}

impl Pass<'_> {
    /// Walks through; true if it did not get to the end.
    fn through(&mut self, window: &mut Window) -> io::Result<bool> {
        loop {
            if self.found.room == 0 && self.counter.is_none() {
                self.checker.skip_line_counts();
            }
            let start = self.checker.position();
            let listed = self.found.list.len();
            let part = self.checker.next(window.rest(), window.is_ended());
            if let Some(counter) = &mut self.counter {
                counter.count(&part, start, window.rest(), &self.checker);
            }
            match part {
                CheckItem::Bom(len) => window.pass(len),
                CheckItem::Text(len) => {
                    self.text(start, &window.rest()[..len]);
                    window.pass(len);
                }
                CheckItem::Fault(fault) => {
                    self.gap();
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
            if self.found.total() > self.settings.max_found {
                return Ok(true);
            }
        }
    }

    fn text(&mut self, start: Position, source: &[u8]) {
        let text = self.checker.text();
        let Some(scan) = &mut self.scan else { return };
        if text.is_some_and(|text| text.utf8.is_empty()) {
            return self.pending.scan_all(scan, &mut self.found);
        }
        self.pending.take(start, source, text);
        self.pending.scan(scan, &mut self.found);
    }

    /// The text continues after ill-formed bytes.
    fn gap(&mut self) {
        if let Some(scan) = &mut self.scan {
            self.pending.scan_all(scan, &mut self.found);
            scan.gap();
        }
    }

    fn fault(&mut self, fault: Fault, place: Position) {
        let (rule, kind) = match fault.kind {
            FaultKind::IllFormed { kind, .. } => (Rule::IllFormed, kind.name()),
            _ => (Rule::Bom, ""),
        };
        self.found.push(rule, || {
            let mut message = String::with_capacity(USUAL_MESSAGE);
            // Writing to memory cannot fail.
            let _ = write!(message, "{fault}");
            Finding {
                rule,
                place,
                len: fault.bytes.len() as u64,
                columns: Some(self.checker.position().column() - place.column()),
                bytes: fault.bytes,
                kind,
                message,
                hint: self.settings.hints.then(|| hint(&fault)).flatten(),
                excerpt: None,
            }
        });
    }

    fn notice(&mut self, notice: &Notice) {
        // In UTF-8 the bytes of a foreign BOM are faults themselves.
        if self.checker.encoding() == &UTF_8 {
            return;
        }
        self.found.push(Rule::WrongEncoding, || {
            wrong_encoding(Position::default(), &[], &notice.to_string(), None)
        });
    }

    /// Gives the findings from number `from` on their excerpts.
    fn show(&mut self, from: usize, window: &Window) {
        if !self.settings.excerpts {
            return;
        }
        for finding in &mut self.found.list[from..] {
            if let Some((bytes, at)) = window.around(finding.place.offset()) {
                let len = usize::try_from(finding.len).unwrap_or(usize::MAX).min(bytes.len() - at);
                finding.excerpt = Excerpt::new(bytes, at, len, self.checker.encoding());
            }
        }
    }
}

/// Names the cause of a fault, if it is certain.
fn hint(fault: &Fault) -> Option<String> {
    match fault.kind {
        FaultKind::IllFormed { encoding, pair: Some(_), .. } if encoding == UTF_8.name() => {
            Some("utfconv -f CESU-8 reads such pairs".to_string())
        }
        FaultKind::IllFormed { encoding, kind, .. }
            if encoding == UTF_8.name() && kind != IllFormed::NonShortest =>
        {
            // A byte by itself: no sequence was meant.
            let [byte @ ..0xFE] = fault.bytes[..] else { return None };
            let scalar = windows_1252::scalar(byte).filter(|scalar| is_printable(*scalar))?;
            Some(format!("in windows-1252, {byte:02X} is \"{scalar}\""))
        }
        _ => None,
    }
}
