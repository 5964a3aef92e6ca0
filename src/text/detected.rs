//! Detects the encoding of a text: the one answer that `detect`, `-f auto` and `check` have about a file. What the text
//! declares as its encoding is evidence.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;

use utfconv_core::{Encoding, US_ASCII};
use utfconv_declare::{Declaration, HeadAndTail, Meaning, sniff};
use utfconv_detect::{Certainty, Detection, Detector, Hints, detect};
use utfconv_detect::{differs_from_utf8, with_lines};

use crate::files::ends::FileHeadAndTail;
use crate::files::stdio::Part;
use crate::ui::quote::declares;

/// How many bytes are examined of an input that can be read only once; `detect` counts the evidence in all of it.
pub const FIRST: usize = 64 << 10;

/// How many bytes of such an input are searched for UTF-8 in text of another encoding, at most.
const SEARCHED: u64 = 256 << 10;

/// What was found, and what the text declares.
pub struct Detected {
    pub found: Detection,
    declared: Vec<Declaration>,
}

impl Detected {
    /// Returns a declaration that contradicts what was found, in words.
    pub fn contradiction(&self) -> Option<String> {
        let encoding = self.found.encoding?;
        let agrees = |one: &Declaration| {
            one.agrees_with(encoding, encoding == &US_ASCII) || one.is_subset_of(encoding)
        };
        self.declared.iter().find(|one| !agrees(one)).map(|one| format!("it {}", declares(one)))
    }

    /// The encoding of bytes that the text is in, if that is certain enough to act on, and not UTF-8.
    pub fn other_than_utf8(&self) -> Option<&'static Encoding> {
        self.found.encoding.filter(|like| self.is_enough() && differs_from_utf8(like))
    }

    /// Whether the file names its encoding.
    pub fn is_declared(&self) -> bool {
        declared_encoding(&self.declared).is_some()
    }

    /// Whether it is certain enough to act on. If a declaration contradicts it, it must be certain.
    pub fn is_enough(&self) -> bool {
        let is_contradicted = self.contradiction().is_some();
        self.found.certainty > if is_contradicted { Certainty::Likely } else { Certainty::Guess }
    }
}

/// Detects the encoding of a range of a file that can be read at any offset, by all of its bytes.
pub fn detect_in(file: &File, range: Range<u64>, name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    let ends = FileHeadAndTail::read(file, &range)?;
    by_declaration(&ends.head_and_tail(), name, hints, |hints| detect(&mut Part::new(file, range), hints))
}

/// Detects the encoding of a text in memory.
pub fn detect_text(text: &[u8], name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    by_declaration(&HeadAndTail::of(text), name, hints, |hints| detect(&mut Cursor::new(text), hints))
}

/// Detects the encoding of what can be read only once. UTF-8 in text of another encoding is looked for in the first bytes
/// alone.
pub fn detect_once(source: &mut impl Read, name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    let mut first = Vec::new();
    source.by_ref().take(SEARCHED).read_to_end(&mut first)?;
    by_declaration(&HeadAndTail::of(&first), name, hints, |hints| {
        let mut detector = Detector::new(hints);
        detector.read(&mut (&first[..]).chain(source))?;
        with_lines(detector.finish(), &mut &first[..])
    })
}

/// Detects the encoding of a text with these ends, where a declaration is evidence.
fn by_declaration(
    ends: &HeadAndTail,
    name: &OsStr,
    hints: &Hints,
    detect: impl FnOnce(Hints) -> io::Result<Detection>,
) -> io::Result<Detected> {
    let declared = declarations(ends, name);
    Ok(Detected { found: detect(hints.clone().declared(declared_encoding(&declared)))?, declared })
}

/// Returns the encoding that a text of that name declares.
pub fn declared_by(text: &[u8], name: &OsStr) -> Option<&'static Encoding> {
    declared_encoding(&declarations(&HeadAndTail::of(text), name))
}

fn declarations(ends: &HeadAndTail, name: &OsStr) -> Vec<Declaration> {
    let name = name.to_string_lossy();
    sniff(ends, Some(&*name).filter(|name| *name != "-"))
}

fn declared_encoding(declared: &[Declaration]) -> Option<&'static Encoding> {
    declared.iter().find_map(|one| match one.meaning() {
        Meaning::Encoding(encoding) => Some(encoding),
        _ => None,
    })
}
