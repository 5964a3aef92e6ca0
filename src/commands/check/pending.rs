//! Buffers text for the scan, and cuts the text only where no rule looks across the cut.

use utfconv_core::{NormalizationForm, Position, RunText};

use super::report::Findings;
use super::rules::is_inside_run;
use super::scan::{Scan, TextRun};
use utfconv_core::utf8::count_chars;

/// Buffer of contiguous well-formed text that is not scanned yet.
pub struct Pending {
    start: Position,
    /// The text in UTF-8.
    text: Vec<u8>,
    /// Bytes of the text in the file, and the offset of each scalar value in these bytes; `None` if the file is
    /// UTF-8.
    foreign: Option<(Vec<u8>, Vec<u32>)>,
}

impl Pending {
    /// Length in bytes from which a line is scanned in parts.
    const ENOUGH: usize = 1 << 18;

    pub fn new(is_utf8: bool) -> Pending {
        Pending { start: Position::default(), text: Vec::new(), foreign: (!is_utf8).then(Default::default) }
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a run that is not empty. `source` is its bytes in the file, from `start` on; `text` is the decoded run if
    /// the file is not UTF-8.
    pub fn take(&mut self, start: Position, source: &[u8], text: Option<&RunText>) {
        if self.text.is_empty() {
            self.start = start;
        }
        match (&mut self.foreign, text) {
            (Some((bytes, starts)), Some(text)) => {
                let before = bytes.len() as u32;
                starts.extend(text.starts.iter().map(|start| before + start));
                bytes.extend_from_slice(source);
                self.text.extend_from_slice(text.utf8.as_bytes());
            }
            _ => self.text.extend_from_slice(source),
        }
    }

    /// Scans the lines that are complete, and a part of a line of more than `ENOUGH` bytes.
    pub fn scan(&mut self, scan: &mut Scan, found: &mut Findings) {
        let text = &self.text;
        if let Some(last) = text.iter().rposition(|byte| *byte == b'\n') {
            return self.scan_up_to(last + 1, scan, found);
        }
        if text.len() < Self::ENOUGH {
            return;
        }
        // After `is_plain`, nothing composes, and no word or sequence of several characters continues. After `is_safe`, the
        // text before does not explain what follows either, as in \n, %s and [a-z].
        let is_unsafe = |byte: u8| byte.is_ascii_alphanumeric() || b"\r_<=>".contains(&byte);
        let is_plain = |byte: &u8| byte.is_ascii() && !is_unsafe(*byte);
        let is_safe = |byte: &u8| is_plain(byte) && !b"%()*+-.#$\\}".contains(byte);
        let last = text.iter().rposition(is_safe).or_else(|| text.iter().rposition(is_plain));
        match last.map_or_else(|| last_boundary(text), |last| last + 1) {
            0 if text.len() > NormalizationForm::LONGEST_SEQUENCE => self.scan_all(scan, found),
            cut => self.scan_up_to(cut, scan, found),
        }
    }

    /// Scans the whole buffer, because a gap or the end of the file follows.
    pub fn scan_all(&mut self, scan: &mut Scan, found: &mut Findings) {
        self.scan_up_to(self.text.len(), scan, found);
    }

    fn scan_up_to(&mut self, cut: usize, scan: &mut Scan, found: &mut Findings) {
        if cut == 0 {
            return;
        }
        let text = &self.text[..cut];
        let Some((bytes, starts)) = &mut self.foreign else {
            let mut run = TextRun::utf8(text, self.start);
            scan.run(&mut run, found);
            self.start = run.position(cut);
            self.text.drain(..cut);
            return;
        };
        let scalars = count_chars(text);
        // The cut is where the next scalar value begins, or at the end of the bytes.
        starts.push(bytes.len() as u32);
        let end = starts[scalars];
        let mut run = TextRun::decoded(text, self.start, &bytes[..end as usize], &starts[..=scalars]);
        scan.run(&mut run, found);
        self.start = run.position(cut);
        self.text.drain(..cut);
        bytes.drain(..end as usize);
        starts.pop();
        starts.drain(..scalars);
        starts.iter_mut().for_each(|start| *start -= end);
    }
}

/// Returns the last byte offset that is a normalization boundary outside runs of invisible characters, or 0.
fn last_boundary(text: &[u8]) -> usize {
    let mut boundary = NormalizationForm::Nfc.last_boundary(text, text.len());
    while is_inside_run(text, boundary) {
        boundary = NormalizationForm::Nfc.last_boundary(text, boundary - 1);
    }
    boundary
}
