//! Declarations in the output: text that names its own encoding.
//!
//! They are looked for in the output, on its way to the file: there, all that changes text was applied already, and the
//! encoding is known. With `--declaration=keep`, what passes is only observed. With `update`, the first bytes wait until
//! there are enough of them, and the last ones until it is certain that they are the last.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::ops::Deref;

use utfconv_core::Encoding;
use utfconv_core::declaration::{Declaration, Edit, Ends, HEAD, Kind, TAIL, Update, find, update};

use crate::convert::plan::ConvertPlan;
use crate::convert::request::{Declarations, Product};
use crate::convert::restored::Replaced;
use crate::ui::personality::Personality;
use crate::ui::quote::one_line;

/// Passes texts on to a sink, and finds their declarations.
pub struct Declared<W> {
    sink: W,
    /// None if declarations are not looked for.
    text: Option<Text>,
}

/// What was found in a text.
#[derive(Default)]
pub struct Found {
    /// What is wrong in it and stays.
    pub warnings: Vec<String>,
    /// The bytes that were replaced.
    pub replaced: Vec<Replaced>,
}

/// A text.
struct Text {
    encoding: &'static Encoding,
    /// The name of the file.
    name: Option<String>,
    progress: Progress,
}

/// What is known of a text so far.
enum Progress {
    Observed(Observed),
    Updated(Updated),
}

impl<W: Write> Declared<W> {
    pub fn new(sink: W) -> Declared<W> {
        Declared { sink, text: None }
    }

    /// Begins a text, which comes from the input of that name.
    pub fn begin(&mut self, plan: &ConvertPlan, input: &OsStr) {
        let is_to_file = plan.output.is_some() || plan.batch.is_some();
        let progress = match plan.settings.declarations {
            Declarations::Update => Progress::Updated(Updated::default()),
            Declarations::Keep if is_to_file && !plan.settings.silent => {
                Progress::Observed(Observed::default())
            }
            Declarations::Keep => return,
        };
        let is_whole =
            plan.settings.range.is_none() && !matches!(plan.settings.product, Product::Ranges { .. });
        if plan.personality == Personality::Utfconv && is_whole {
            let name = if input == "-" { plan.output.as_deref() } else { Some(input) };
            let name = name.map(|name| name.to_string_lossy().into_owned());
            self.text = Some(Text { encoding: plan.to, name, progress });
        }
    }

    /// Ends the text.
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn end(&mut self) -> io::Result<Found> {
        let Some(Text { encoding, name, progress }) = self.text.take() else { return Ok(Found::default()) };
        let name = name.as_deref();
        match progress {
            Progress::Observed(observed) => {
                Ok(Found { warnings: observed.warnings(encoding, name), replaced: Vec::new() })
            }
            Progress::Updated(mut updated) => {
                updated.end(encoding, name);
                self.sink.write_all(&updated.held)?;
                Ok(Found { warnings: updated.warnings(encoding), replaced: updated.replaced })
            }
        }
    }

    pub fn into_sink(self) -> W {
        self.sink
    }
}

impl<W> Deref for Declared<W> {
    type Target = W;

    fn deref(&self) -> &W {
        &self.sink
    }
}

impl<W: Write> Write for Declared<W> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let Some(Text { encoding, name, progress }) = &mut self.text else { return self.sink.write(from) };
        match progress {
            Progress::Observed(observed) => {
                let written = self.sink.write(from)?;
                observed.add(&from[..written]);
                Ok(written)
            }
            Progress::Updated(updated) => {
                let ready = updated.add(from, encoding, name.as_deref());
                self.sink.write_all(&updated.held[..ready])?;
                updated.held.drain(..ready);
                Ok(from.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// The ends of a text that has passed.
struct Observed {
    head: Vec<u8>,
    /// The last bytes, [`TAIL`] of them or more.
    tail: Vec<u8>,
    len: u64,
    is_ascii: bool,
}

impl Default for Observed {
    fn default() -> Observed {
        Observed { head: Vec::new(), tail: Vec::new(), len: 0, is_ascii: true }
    }
}

impl Observed {
    fn add(&mut self, bytes: &[u8]) {
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.len += bytes.len() as u64;
        self.is_ascii = self.is_ascii && bytes.is_ascii();
        if bytes.len() >= TAIL {
            self.tail.clear();
        } else if self.tail.len() > 2 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
    }

    fn warnings(&self, encoding: &'static Encoding, name: Option<&str>) -> Vec<String> {
        let tail = &self.tail[self.tail.len().saturating_sub(TAIL)..];
        let ends = Ends::new(&self.head, tail, self.len - tail.len() as u64);
        let is_ascii = self.is_ascii && encoding.is_ascii_compatible();
        let advice = "; use --declaration=update to";
        let mut warnings: Vec<String> = find(&ends, encoding, name)
            .iter()
            .filter(|one| !one.agrees_with(encoding, is_ascii))
            .map(|one| format!("{}, but the output is {}{advice} rewrite it", said(one), encoding.name()))
            .collect();
        if !is_ascii && update(&ends, encoding, name).edits.iter().any(|edit| edit.range.is_empty()) {
            warnings.push(format!(
                "needs a declaration of {} ({}){advice} insert it",
                encoding.name(),
                Kind::Xml
            ));
        }
        warnings
    }
}

/// The bytes of a text that wait.
#[derive(Default)]
struct Updated {
    held: Vec<u8>,
    /// The first bytes of the text, once they were passed on; they tell the order of bytes.
    first: Option<Vec<u8>>,
    /// Bytes of the text as it came, and what updates have added to it.
    len: u64,
    growth: i64,
    replaced: Vec<Replaced>,
    kept: Vec<Declaration>,
    missing: Option<Kind>,
}

impl Updated {
    /// Adds bytes, and returns how many of those that are held can be passed on.
    fn add(&mut self, bytes: &[u8], encoding: &'static Encoding, name: Option<&str>) -> usize {
        self.held.extend_from_slice(bytes);
        self.len += bytes.len() as u64;
        if self.first.is_none() {
            if self.held.len() < HEAD + TAIL {
                return 0;
            }
            self.first = Some(self.held[..4].to_vec());
            let found = update(&Ends::head(&self.held), encoding, name);
            self.apply(found, 0);
        }
        self.held.len() - TAIL
    }

    /// Updates what is still held, at the end of the text.
    fn end(&mut self, encoding: &'static Encoding, name: Option<&str>) {
        let Some(first) = self.first.take() else {
            let found = update(&Ends::of(&self.held), encoding, name);
            return self.apply(found, 0);
        };
        let tail = &self.held[self.held.len() - TAIL..];
        let offset = self.len - TAIL as u64;
        let mut found = update(&Ends::new(&first, tail, offset), encoding, name);
        found.edits.retain(|edit| edit.range.start >= offset);
        found.kept.retain(|one| one.range().start >= offset);
        found.missing = None;
        self.apply(found, self.len - self.held.len() as u64);
    }

    /// Replaces bytes of those that are held, which begin at that offset of the text as it came.
    fn apply(&mut self, found: Update, start: u64) {
        let (mut result, mut at) = (Vec::with_capacity(self.held.len()), 0);
        for Edit { range, bytes } in found.edits {
            let held = (range.start - start) as usize..(range.end - start) as usize;
            result.extend_from_slice(&self.held[at..held.start]);
            result.extend_from_slice(&bytes);
            at = held.end;
            let old = self.held[held].to_vec();
            let new_len = bytes.len() as u64;
            let place = range.start.strict_add_signed(self.growth);
            self.growth += new_len as i64 - old.len() as i64;
            self.replaced.push(Replaced { at: place, new_len, old });
        }
        result.extend_from_slice(&self.held[at..]);
        self.held = result;
        self.kept.extend(found.kept);
        self.missing = self.missing.or(found.missing);
    }

    fn warnings(&self, encoding: &'static Encoding) -> Vec<String> {
        let kept = self.kept.iter().map(|one| {
            format!("{}; kept, as such a declaration has no name for {}", said(one), encoding.name())
        });
        let missing = self.missing.map(|kind| {
            format!(
                "needs a declaration of {name} ({kind}), which has no name for {name}",
                name = encoding.name()
            )
        });
        kept.chain(missing).collect()
    }
}

/// `declares latin-1 (Python comment)`.
fn said(declaration: &Declaration) -> String {
    format!("declares {} ({})", one_line(declaration.label()), declaration.kind())
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::UTF_8;

    fn updated(chunks: &[&[u8]]) -> (Vec<u8>, Vec<Replaced>) {
        let progress = Progress::Updated(Updated::default());
        let text = Text { encoding: &UTF_8, name: Some("a.py".to_string()), progress };
        let mut declared = Declared { sink: Vec::new(), text: Some(text) };
        for chunk in chunks {
            declared.write_all(chunk).expect("writes to memory");
        }
        let replaced = declared.end().expect("writes to memory").replaced;
        (declared.into_sink(), replaced)
    }

    fn observed(chunks: &[&[u8]]) -> Vec<String> {
        let mut observed = Observed::default();
        chunks.iter().for_each(|chunk| observed.add(chunk));
        observed.warnings(&UTF_8, Some("a.py"))
    }

    /// Texts of all lengths around the limits, in chunks of many sizes: the names at both ends are replaced, and no other
    /// byte.
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
                    assert_eq!(&new[one.at as usize..][..one.new_len as usize], b"utf-8");
                    assert_eq!(one.old, b"latin-1");
                }
                assert_eq!(observed(&chunks).len(), 2, "{len} {size}");
            }
        }
    }

    #[test]
    fn small_chunks_are_joined() {
        let text = "# coding: latin-1\n'é'\n".repeat(400);
        let chunks: Vec<_> = text.as_bytes().chunks(1).collect();
        assert_eq!(updated(&chunks).0, text.replacen("latin-1", "utf-8", 1).as_bytes());
        assert_eq!(observed(&chunks).len(), 1);
    }

    #[test]
    fn ascii_is_read_the_same() {
        assert_eq!(observed(&[b"# coding: latin-1\n'e'\n"]), [""; 0]);
    }
}
