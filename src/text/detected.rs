//! Detects the encoding of a text for `detect`, `-f auto` and `check`, so that their answers agree. The encoding that
//! the text declares is evidence.

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

/// Number of bytes that are examined of an input that can be read only once. The command `detect` counts the evidence
/// in all bytes.
pub const FIRST: usize = 64 << 10;

/// Maximum number of bytes that are searched, in an input that can be read only once, for UTF-8 among text in another
/// encoding.
const SEARCHED: u64 = 256 << 10;

/// The detected encoding of a text, and the declarations in the text.
pub struct Detected {
    pub found: Detection,
    declarations: Vec<Declaration>,
}

/// A declaration that a message about the detected encoding mentions.
pub struct Remark {
    /// A clause that follows the reason for the detected encoding.
    pub clause: String,
    /// The encoding that the declaration names, if its label is known.
    pub encoding: Option<&'static Encoding>,
    /// True if the declaration contradicts the detected encoding.
    pub is_contradiction: bool,
}

impl Detected {
    /// Returns the first declaration that contradicts the detected encoding.
    pub fn contradiction(&self) -> Option<&Declaration> {
        let encoding = self.found.encoding?;
        let agrees = |one: &Declaration| {
            one.agrees_with(encoding, encoding == &US_ASCII) || one.is_subset_of(encoding)
        };
        self.declarations.iter().find(|one| !agrees(one))
    }

    /// Returns a remark on the declaration that contradicts the detected encoding, or that agrees with a guess.
    pub fn remark(&self) -> Option<Remark> {
        let is_guess = self.found.certainty == Certainty::Guess;
        let contradiction = self.contradiction();
        let one = contradiction.or_else(|| self.declarations.first().filter(|_| is_guess))?;
        let is_contradiction = contradiction.is_some();
        let conjunction = if is_contradiction { "but" } else { "and" };
        let clause = format!(", {conjunction} the file {}", declares(one));
        Some(Remark { clause, encoding: encoding_of(one), is_contradiction })
    }

    /// Whether a declaration in the text names an encoding.
    pub fn is_declared(&self) -> bool {
        self.declarations.iter().any(|one| encoding_of(one).is_some())
    }

    /// Returns the detected encoding, if it is certain enough to act on and differs from UTF-8.
    pub fn other_than_utf8(&self) -> Option<&'static Encoding> {
        self.found.encoding.filter(|like| self.is_enough() && differs_from_utf8(like))
    }

    /// Whether the encoding is certain enough to act on. If a declaration contradicts the encoding, the detection has
    /// to be certain.
    pub fn is_enough(&self) -> bool {
        let is_contradicted = self.contradiction().is_some();
        self.found.certainty > if is_contradicted { Certainty::Likely } else { Certainty::Guess }
    }
}

/// Detects the encoding of a range of a seekable file from all of its bytes.
pub fn detect_in(file: &File, range: Range<u64>, name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    let ends = FileHeadAndTail::read(file, &range)?;
    by_declaration(&ends.head_and_tail(), name, hints, |hints| detect(&mut Part::new(file, range), hints))
}

/// Detects the encoding of a text in memory.
pub fn detect_text(text: &[u8], name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    by_declaration(&HeadAndTail::of(text), name, hints, |hints| detect(&mut Cursor::new(text), hints))
}

/// Detects the encoding of a source that can be read only once. UTF-8 among text in another encoding is looked for only
/// in the first bytes.
pub fn detect_once(source: &mut impl Read, name: &OsStr, hints: &Hints) -> io::Result<Detected> {
    let mut first = Vec::new();
    source.by_ref().take(SEARCHED).read_to_end(&mut first)?;
    by_declaration(&HeadAndTail::of(&first), name, hints, |hints| {
        let mut detector = Detector::new(hints);
        detector.read(&mut (&first[..]).chain(source))?;
        with_lines(detector.finish(), &mut &first[..])
    })
}

/// Detects the encoding of a text with these ends. Its declaration is evidence.
fn by_declaration(
    ends: &HeadAndTail,
    name: &OsStr,
    hints: &Hints,
    detect: impl FnOnce(Hints) -> io::Result<Detection>,
) -> io::Result<Detected> {
    let declarations = declarations(ends, name);
    let hints = hints.clone().declared(declarations.iter().find_map(encoding_of));
    Ok(Detected { found: detect(hints)?, declarations })
}

/// Returns the encoding that a text declares. `name` is the name of its file.
pub fn declared_by(text: &[u8], name: &OsStr) -> Option<&'static Encoding> {
    declarations(&HeadAndTail::of(text), name).iter().find_map(encoding_of)
}

fn declarations(ends: &HeadAndTail, name: &OsStr) -> Vec<Declaration> {
    let name = name.to_string_lossy();
    sniff(ends, Some(&*name).filter(|name| *name != "-"))
}

/// Returns the encoding that a declaration names, if its label is known.
fn encoding_of(declaration: &Declaration) -> Option<&'static Encoding> {
    if let Meaning::Encoding(encoding) = declaration.meaning() { Some(encoding) } else { None }
}
