//! Declarations in the output, in which a text names its own encoding.
//!
//! The output is searched, because it has all changes of the text and its encoding is known. With `--declaration=keep`,
//! the output is only observed. With `update`, the first bytes are held back until there are enough of them, and the
//! last bytes until the text has ended.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::ops::Deref;

use utfconv_core::edit::Splice;
use utfconv_core::{Encoding, UTF_8};
use utfconv_declare::{Declaration, Edit, HEAD, HeadAndTail, Kind, TAIL, Update, find, update};

use crate::files::ends::FileHeadAndTail;
use crate::files::source::Opened;
use crate::files::stdio::each_chunk;
use crate::ui::modes::Declarations;
use crate::ui::quote::{as_argument, declares};

/// Writes texts to a sink, and finds their declarations.
pub struct DeclarationSink<W> {
    sink: W,
    /// The current text; `None` if declarations are not looked for.
    text: Option<Text>,
}

/// The result for a text.
#[derive(Default)]
pub struct DeclarationReport {
    /// Errors that remain in the text.
    errors: Vec<Error>,
    /// Edits of the output that undo the updates.
    pub back: Vec<Edit>,
}

/// An error in the declarations of a text.
struct Error {
    /// What the text declares, or has to declare.
    what: String,
    /// Number of declarations with the error.
    count: u64,
    encoding: &'static Encoding,
    is_missing: bool,
    /// Whether the syntax of the declarations can name the output encoding.
    can_be_updated: bool,
}

impl DeclarationReport {
    /// Returns a message for each error. `file` is the file that now has the errors, unless the output is separate.
    pub fn warnings(&self, file: Option<&OsStr>) -> impl Iterator<Item = String> {
        self.errors.iter().map(move |error| error.in_words(file))
    }

    fn add(&mut self, error: Error) {
        match self.errors.iter_mut().find(|other| other.what == error.what) {
            Some(other) => other.count += 1,
            None => self.errors.push(error),
        }
    }

    fn add_false(&mut self, one: &Declaration, encoding: &'static Encoding, can_be_updated: bool) {
        self.add(Error { what: declares(one), count: 1, encoding, is_missing: false, can_be_updated });
    }

    fn add_missing(&mut self, kind: Kind, encoding: &'static Encoding, can_be_updated: bool) {
        let what = format!("needs a declaration of {} ({kind})", encoding.name());
        self.add(Error { what, count: 1, encoding, is_missing: true, can_be_updated });
    }
}

impl Error {
    fn in_words(&self, file: Option<&OsStr>) -> String {
        let Error { what, count, encoding, is_missing, can_be_updated } = self;
        let times = if *count > 1 { format!(" {count} times") } else { String::new() };
        let what_is = if file.is_some() { "file" } else { "output" };
        let truth =
            if *is_missing { String::new() } else { format!(", but the {what_is} is {}", encoding.name()) };
        let end = match (can_be_updated, is_missing) {
            (true, _) => {
                let command = file.map(|file| format!("'{}'", updating(file, encoding)));
                let use_update = command.unwrap_or("--declaration=update".to_string());
                let verb = if *is_missing { "insert" } else { "rewrite" };
                format!("; use {use_update} to {verb} it")
            }
            (false, true) => ", which cannot name it".to_string(),
            (false, false) => ", which such a declaration cannot name".to_string(),
        };
        format!("{what}{times}{truth}{end}")
    }
}

/// Returns the command that updates the declarations of a file that is already in this encoding.
pub fn updating(file: &OsStr, encoding: &Encoding) -> String {
    let to = if encoding == &UTF_8 { String::new() } else { format!(" -t {}", encoding.name()) };
    format!("utfconv -i -f {}{to} --declaration=update {}", encoding.name(), as_argument(file))
}

/// The text that is being written.
struct Text {
    encoding: &'static Encoding,
    /// The name of the file.
    name: Option<String>,
    bytes: ByteSet,
    progress: Progress,
}

/// The declarations of the text so far, either only observed or also updated.
enum Progress {
    Observed(Observed),
    Updated(Updated),
}

/// The set of bytes in a text, as far as it affects its declarations.
struct ByteSet {
    is_ascii: bool,
    /// Whether each byte occurs; `None` if that is not recorded.
    present: Option<Box<[bool; 256]>>,
}

impl ByteSet {
    /// Returns the set of an empty text in `encoding`.
    fn new(encoding: &'static Encoding) -> ByteSet {
        let may_matter = encoding.is_of_bytes() && encoding != &UTF_8;
        ByteSet { is_ascii: true, present: may_matter.then(|| Box::new([false; 256])) }
    }

    fn add(&mut self, bytes: &[u8]) {
        self.is_ascii = self.is_ascii && bytes.is_ascii();
        if let Some(present) = &mut self.present {
            bytes.iter().for_each(|byte| present[usize::from(*byte)] = true);
        }
    }

    /// Whether a declaration is true for a text in `encoding` with these bytes.
    fn agrees(&self, one: &Declaration, encoding: &'static Encoding) -> bool {
        one.agrees_with(encoding, self.is_ascii)
            || self.present.as_ref().is_some_and(|present| one.agrees_on(encoding, present))
    }
}

impl<W: Write> DeclarationSink<W> {
    pub fn new(sink: W) -> DeclarationSink<W> {
        DeclarationSink { sink, text: None }
    }

    /// Begins a text in `encoding`, whose declarations are updated, or kept and examined. `name` is the name of its
    /// file.
    pub fn begin(&mut self, encoding: &'static Encoding, name: Option<&OsStr>, mode: Declarations) {
        let progress = match mode {
            Declarations::Update => Progress::Updated(Updated::default()),
            Declarations::Keep => Progress::Observed(Observed::default()),
        };
        let name = name.map(|name| name.to_string_lossy().into_owned());
        self.text = Some(Text { encoding, name, bytes: ByteSet::new(encoding), progress });
    }

    /// Ends the text.
    ///
    /// # Errors
    /// Fails if the sink cannot be written.
    pub fn end(&mut self) -> io::Result<DeclarationReport> {
        let Some(Text { encoding, name, bytes, progress }) = self.text.take() else {
            return Ok(DeclarationReport::default());
        };
        let name = name.as_deref();
        match progress {
            Progress::Observed(observed) => Ok(found(&observed.head_and_tail(), encoding, name, &bytes)),
            Progress::Updated(mut updated) => {
                updated.end(encoding, name);
                self.sink.write_all(&updated.held)?;
                Ok(updated.found(encoding, &bytes))
            }
        }
    }

    pub fn into_sink(self) -> W {
        self.sink
    }
}

/// Returns the errors in the declarations of a text with these ends and bytes, if the declarations are kept.
fn found(
    ends: &HeadAndTail,
    encoding: &'static Encoding,
    name: Option<&str>,
    bytes: &ByteSet,
) -> DeclarationReport {
    let mut found = DeclarationReport::default();
    let Update { edits, kept, missing, .. } = update(ends, encoding, name);
    for one in find(ends, encoding, name).iter().filter(|one| !bytes.agrees(one, encoding)) {
        found.add_false(one, encoding, !kept.contains(one));
    }
    let needs_one = !(bytes.is_ascii && encoding.is_ascii_compatible());
    let is_inserted = edits.iter().any(|edit| edit.range.is_empty());
    if let Some(kind) = missing.or(is_inserted.then_some(Kind::Xml)).filter(|_| needs_one) {
        found.add_missing(kind, encoding, is_inserted);
    }
    found
}

/// Returns the errors in the declarations of a file in `encoding`.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn in_file(opened: &Opened, encoding: &'static Encoding, name: &OsStr) -> io::Result<DeclarationReport> {
    let file = opened.file();
    let ends = FileHeadAndTail::read(file, &(0..opened.len().unwrap_or(0)))?;
    let name = name.to_string_lossy();
    let found_in = |bytes: &ByteSet| found(&ends.head_and_tail(), encoding, Some(&name), bytes);
    let worst = found_in(&ByteSet { is_ascii: false, present: None });
    if worst.errors.is_empty() {
        return Ok(worst);
    }
    let mut bytes = ByteSet::new(encoding);
    each_chunk(file, 0..u64::MAX, |chunk, _| {
        bytes.add(chunk);
        Ok(true)
    })?;
    Ok(found_in(&bytes))
}

impl<W> Deref for DeclarationSink<W> {
    type Target = W;

    fn deref(&self) -> &W {
        &self.sink
    }
}

impl<W: Write> Write for DeclarationSink<W> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let Some(Text { encoding, name, bytes, progress }) = &mut self.text else {
            return self.sink.write(from);
        };
        let name = name.as_deref();
        let (written, has_error) = match progress {
            Progress::Observed(observed) => {
                let written = self.sink.write(from)?;
                let is_head_complete = observed.add(&from[..written]);
                let is_error = |one: &Declaration| !one.agrees_with(encoding, false);
                let has_error =
                    || find(&HeadAndTail::head(&observed.head), encoding, name).iter().any(is_error);
                (written, !is_head_complete || bytes.present.is_none() || has_error())
            }
            Progress::Updated(updated) => {
                let ready = updated.add(from, encoding, name);
                self.sink.write_all(&updated.held[..ready])?;
                updated.held.drain(..ready);
                (from.len(), updated.first.is_none() || !updated.kept.is_empty())
            }
        };
        bytes.add(&from[..written]);
        if !has_error {
            bytes.present = None;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// The ends of a text that was already written.
#[derive(Default)]
struct Observed {
    head: Vec<u8>,
    /// The last bytes of the text, at least [`TAIL`] if it has as many.
    tail: Vec<u8>,
    len: u64,
}

impl Observed {
    /// Adds bytes. Returns true if they complete the head.
    fn add(&mut self, bytes: &[u8]) -> bool {
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.len += bytes.len() as u64;
        if bytes.len() >= TAIL {
            self.tail.clear();
        } else if self.tail.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        room > 0 && self.head.len() == HEAD
    }

    fn head_and_tail(&self) -> HeadAndTail<'_> {
        let tail = &self.tail[self.tail.len().saturating_sub(TAIL)..];
        HeadAndTail::new(&self.head, tail, self.len - tail.len() as u64)
    }
}

/// A text whose declarations are updated, with the bytes that are held back.
#[derive(Default)]
struct Updated {
    held: Vec<u8>,
    /// The first bytes of the text, after they were written; they show the byte order.
    first: Option<Vec<u8>>,
    /// The length of the text before updates, in bytes.
    len: u64,
    /// Number of bytes that updates have added, minus those that they removed.
    growth: i64,
    back: Vec<Edit>,
    kept: Vec<Declaration>,
    missing: Option<Kind>,
}

impl Updated {
    /// Adds bytes. Returns how many of the held bytes can be written.
    fn add(&mut self, bytes: &[u8], encoding: &'static Encoding, name: Option<&str>) -> usize {
        self.held.extend_from_slice(bytes);
        self.len += bytes.len() as u64;
        if self.first.is_none() {
            if self.held.len() < HEAD + TAIL {
                return 0;
            }
            self.first = Some(self.held[..4].to_vec());
            let found = update(&HeadAndTail::head(&self.held), encoding, name);
            self.apply(found, 0);
        }
        self.held.len() - TAIL
    }

    /// Updates the held bytes at the end of the text.
    fn end(&mut self, encoding: &'static Encoding, name: Option<&str>) {
        let Some(first) = self.first.take() else {
            let found = update(&HeadAndTail::of(&self.held), encoding, name);
            return self.apply(found, 0);
        };
        let tail = &self.held[self.held.len() - TAIL..];
        let offset = self.len - TAIL as u64;
        let mut found = update(&HeadAndTail::new(&first, tail, offset), encoding, name);
        found.edits.retain(|edit| edit.range.start >= offset);
        found.kept.retain(|one| one.range().start >= offset);
        found.missing = None;
        self.apply(found, self.len - self.held.len() as u64);
    }

    /// Applies edits to the held bytes, which begin at `start` in the text before updates.
    fn apply(&mut self, found: Update, start: u64) {
        let mut splice = Splice::new(&self.held[..]);
        let start_now = start.strict_add_signed(self.growth);
        for Edit { range, bytes } in found.edits {
            let held = (range.start - start) as usize..(range.end - start) as usize;
            let now = start_now + splice.replace(held.clone(), &bytes) as u64;
            self.back.push(Edit { range: now..now + bytes.len() as u64, bytes: self.held[held].to_vec() });
        }
        let new = splice.end().into_owned();
        self.growth += new.len() as i64 - self.held.len() as i64;
        self.held = new;
        self.kept.extend(found.kept);
        self.missing = self.missing.or(found.missing);
    }

    /// Returns the report for the text, whose set of bytes is `bytes`.
    fn found(self, encoding: &'static Encoding, bytes: &ByteSet) -> DeclarationReport {
        let mut found = DeclarationReport { back: self.back, ..DeclarationReport::default() };
        for one in self.kept.iter().filter(|one| !bytes.agrees(one, encoding)) {
            found.add_false(one, encoding, false);
        }
        if let Some(kind) = self.missing {
            found.add_missing(kind, encoding, false);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::UTF_8;

    fn updated(chunks: &[&[u8]]) -> (Vec<u8>, Vec<Edit>) {
        let progress = Progress::Updated(Updated::default());
        let name = Some("a.py".to_string());
        let text = Text { encoding: &UTF_8, name, bytes: ByteSet::new(&UTF_8), progress };
        let mut declared = DeclarationSink { sink: Vec::new(), text: Some(text) };
        for chunk in chunks {
            declared.write_all(chunk).expect("writes to memory");
        }
        let replaced = declared.end().expect("writes to memory").back;
        (declared.into_sink(), replaced)
    }

    fn observed(encoding: &'static Encoding, chunks: &[&[u8]]) -> Vec<String> {
        let progress = Progress::Observed(Observed::default());
        let name = Some("a.py".to_string());
        let text = Text { encoding, name, bytes: ByteSet::new(encoding), progress };
        let mut declared = DeclarationSink { sink: io::sink(), text: Some(text) };
        chunks.iter().for_each(|chunk| declared.write_all(chunk).expect("writes nothing"));
        declared.end().expect("writes nothing").warnings(None).collect()
    }

    /// Texts of all lengths around the limits are written in chunks of many sizes. Only the labels at both ends are
    /// replaced.
    #[test]
    fn both_ends_are_updated_whatever_the_chunks() {
        let (first, last) =
            ("# coding: latin-1\n'é'\n", "\n# Local Variables:\n# coding: latin-1-unix\n# End:\n");
        let longest = HEAD + 2 * TAIL + 10;
        for len in
            [0, 1, TAIL, HEAD - 80, HEAD, HEAD + TAIL - 75, HEAD + TAIL, HEAD + TAIL + 1, longest, 300_000]
        {
            let text = format!("{first}{}{last}", "x".repeat(len));
            let expected = text.replace("latin-1", "utf-8");
            for size in [1000, 4096, HEAD, HEAD + TAIL, 1 << 20] {
                let chunks: Vec<_> = text.as_bytes().chunks(size).collect();
                let (new, replaced) = updated(&chunks);
                assert!(new == expected.as_bytes(), "{len} {size}");
                assert_eq!(replaced.len(), 2);
                for one in replaced {
                    assert_eq!(&new[one.range.start as usize..one.range.end as usize], b"utf-8");
                    assert_eq!(one.bytes, b"latin-1");
                }
                let warnings = observed(&UTF_8, &chunks);
                assert_eq!(warnings.len(), 2, "{len} {size}");
            }
        }
    }

    #[test]
    fn small_chunks_are_joined() {
        let text = "# coding: latin-1\n'é'\n".repeat(400);
        let chunks: Vec<_> = text.as_bytes().chunks(1).collect();
        assert_eq!(updated(&chunks).0, text.replacen("latin-1", "utf-8", 1).as_bytes());
        assert_eq!(observed(&UTF_8, &chunks).len(), 1);
    }

    #[test]
    fn text_that_is_read_the_same_is_no_error() {
        assert_eq!(observed(&UTF_8, &[b"# coding: latin-1\n'e'\n"]), [""; 0]);
        let windows_1252 = Encoding::for_name("windows-1252").expect("a name");
        let filler = b"x\n".repeat(HEAD);
        for (text, count) in [(&b"# coding: latin-1\n'\xE9'\n"[..], 0), (b"# coding: latin-1\n'\x80'\n", 1)] {
            assert_eq!(observed(windows_1252, &[text]).len(), count);
            assert_eq!(observed(windows_1252, &[text, &filler, b"\xE9"]).len(), count);
            assert_eq!(observed(windows_1252, &[text, &filler, b"\x80"]).len(), 1);
        }
    }
}
