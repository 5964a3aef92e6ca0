//! Finds inputs that do not fit the encoding that `-f` names, and which a conversion would garble.
//!
//! All commands use these checks. A conversion to standard output examines only the start and the end of an input, and
//! warns about a misfit. `-o` examines the same bytes, but refuses a misfit. A batch examines each whole file, and
//! refuses a misfit (`commands/convert/batch/appearance.rs`).

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use utfconv_core::{Encoding, InputBom, OnIllFormed, Options, Policy, SHIFT_JIS, UTF_8, convert};
use utfconv_detect::first_c1;
use utfconv_detect::{Certainty, Detection, Detector, HEAD, Hints, Sniffed, sniff};
use utfconv_detect::{Mixed, appended_ascii, differs_from_utf8, is_no_text_in, partly_ascii};
use utfconv_repair::{Change, Document, Unit};

use crate::files::line_windows::{LineWindows, Lines};
use crate::files::source::Input;
use crate::files::stdio::{Part, bytes_at, each_chunk};
use crate::text::auto::is_well_formed;
use crate::ui::quote::{as_argument, character, see};

/// How a file does not fit the named encoding.
pub enum Misfit {
    /// The file is not text in the encoding.
    NoText,
    /// Some bytes are ASCII instead of UTF-16. The text says which.
    Ascii(String),
    /// A fallback would misread some lines.
    Misread(Misread),
    /// Some or all lines are UTF-8.
    Utf8(Mixed),
    /// Some of the last lines are UTF-8, but none of the first lines.
    Utf8AtEnd,
}

/// How much of a file is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Whole,
    /// The whole file, without a search for lines in UTF-8.
    WholeExceptUtf8,
    /// The first and the last [`SAMPLE`] bytes.
    HeadAndTail,
}

/// Maximum number of bytes, each at the start and at the end of a file, that are examined before a conversion that
/// changes no file. The conversion itself is not much slower.
pub const SAMPLE: u64 = 256 << 10;

/// A file whose encoding is named.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    pub file: &'a File,
    pub len: u64,
    /// The first [`HEAD`] bytes of the file, or all of it.
    pub head: &'a [u8],
    pub from: &'static Encoding,
}

impl Named<'_> {
    /// Finds out how the file does not fit its encoding.
    pub fn misfit(&self, policy: &OnIllFormed, reach: Reach) -> io::Result<Option<Misfit>> {
        let Named { file, len, head, from } = *self;
        // The decoder of UTF-8 itself reports text in other encodings.
        let is_decoded = reach == Reach::HeadAndTail
            && from.code_unit_len() == 1
            && !from.is_ebcdic()
            && !differs_from_utf8(from);
        if !is_decoded && is_no_text_in(head, from) {
            return Ok(Some(Misfit::NoText));
        }
        if from.code_unit_len() == 2 {
            return Ok(self.ascii_part()?.map(Misfit::Ascii));
        }
        let most = if reach == Reach::HeadAndTail { SAMPLE } else { u64::MAX };
        if let Some(misread) = misread(Part::new(file, 0..most), from, policy)? {
            return Ok(Some(Misfit::Misread(misread)));
        }
        if reach == Reach::WholeExceptUtf8 {
            return Ok(None);
        }
        let lines = |range| Mixed::of(&mut Part::new(file, range), from);
        if let Some(mixed) = lines(0..most)? {
            return Ok(Some(Misfit::Utf8(mixed)));
        }
        let end = len.saturating_sub(SAMPLE).max(most)..len;
        Ok(if end.is_empty() { None } else { lines(end)?.map(|_| Misfit::Utf8AtEnd) })
    }

    /// Returns a phrase that says which bytes are ASCII at the start or the end of a file in UTF-16.
    fn ascii_part(&self) -> io::Result<Option<String>> {
        let order = Encoding::for_bom(self.head).map_or(self.from, |(of, _)| of);
        match partly_ascii(self.head, 0, order) {
            None => appended_ascii(&mut Part::new(self.file, 0..self.len), order),
            part => Ok(part),
        }
    }

    /// Finds the first byte, up to offset `most`, that a page of ISO 8859 decodes to a C1 control other than NEL.
    pub fn control(&self, most: u64) -> io::Result<Option<Control>> {
        let Named { file, from, .. } = *self;
        if !from.is_iso_8859() {
            return Ok(None);
        }
        let (mut offset, mut line, mut found) = (0, 1, None);
        each_chunk(file, 0..most, |chunk, _| {
            found = first_c1(chunk).map(|at| (offset + at as u64, chunk[at]));
            let before = found.map_or(chunk, |(at, _)| &chunk[..(at - offset) as usize]);
            line += memchr::memchr_iter(b'\n', before).count();
            offset += before.len() as u64;
            Ok(found.is_none())
        })?;
        let Some((at, byte)) = found else { return Ok(None) };
        let mut detector = Detector::new(Hints::default());
        detector.feed(&bytes_at(file, at.saturating_sub(HEAD as u64 / 2), HEAD)?);
        let Detection { encoding, certainty, is_partly_utf8, .. } = detector.finish();
        // A guess is good enough if it is a Windows code page, because these are usually meant by ISO 8859.
        let is_known =
            |like: &Encoding| certainty > Certainty::Guess || like.name().starts_with("windows-125");
        let like = encoding.filter(|like| *like != from && !is_partly_utf8 && is_known(like));
        Ok(Some(Control { byte, line, from, like }))
    }

    /// Returns the encoding with other code units that a file without a BOM seems to be in. If there is a BOM, the
    /// decoder reports it.
    fn other_units(&self) -> Option<&'static Encoding> {
        // Text of wider code units has a NUL near its start.
        if self.from.code_unit_len() == 1 && !self.head.iter().take(64).any(|byte| *byte == 0) {
            return None;
        }
        match sniff(self.head, self.from) {
            Sniffed::Looks { like, bom: 0 } => Some(like),
            _ => None,
        }
    }

    /// Returns why the file called `name` must not replace the output file; `None` if it may. Either the file has code
    /// units of another size at its start or end, or it is the output file (`is_output`) and is already converted.
    pub fn refusal(&self, policy: &OnIllFormed, is_output: bool, name: &OsStr) -> Option<String> {
        let from = self.from.name();
        if let Some(like) = self.other_units() {
            let like = like.name();
            return Some(format!("looks like {like}, not {from}; use -f {like}, or --force to convert it"));
        }
        let see = |command| format!("{}, or use --force to convert it", see(command, name));
        match self.misfit(policy, Reach::HeadAndTail).ok()?? {
            Misfit::NoText if self.from.code_unit_len() > 1 => {
                Some(format!("does not look like {from}; {}", see("detect")))
            }
            Misfit::Ascii(part) => Some(format!("{part}, not {from}; {}", see("detect"))),
            Misfit::Utf8(mixed) if is_output && mixed.is_all_utf8() => {
                Some("it is UTF-8 already; leave it out, or use --force to convert it".to_string())
            }
            Misfit::Utf8(_) | Misfit::Utf8AtEnd if is_output => {
                Some(format!("some of it is UTF-8; {}", see("repair")))
            }
            _ => None,
        }
    }

    /// Returns the warning about a file called `name` that does not fit its encoding, or has controls that would become
    /// other bytes in `to`. Only its ends are examined.
    pub fn warning(&self, to: &Encoding, policy: &OnIllFormed, name: &OsStr) -> Option<String> {
        let from = self.from.name();
        if let Some(like) = self.other_units() {
            return Some(format!("it looks like {like}, not {from}; use -f {like}", like = like.name()));
        }
        let Some(misfit) = self.misfit(policy, Reach::HeadAndTail).ok()? else {
            let control = if self.from == to { None } else { self.control(SAMPLE).ok()? }?;
            return Some(format!("{control}; {}", control.advice(name, None)));
        };
        Some(match misfit {
            Misfit::NoText => format!("it does not look like {from}; {}", see("detect", name)),
            Misfit::Ascii(part) => format!("{part}, not {from}; {}", see("detect", name)),
            Misfit::Misread(misread) if name == "-" => format!("{misread}; see utfconv-repair(1)"),
            Misfit::Misread(misread) => format!("{misread}; use {}", misread.repair(name)),
            Misfit::Utf8(mixed) if mixed.is_all_utf8() => format!("it is UTF-8, not {from}; use -f UTF-8"),
            Misfit::Utf8(mixed) if self.len <= SAMPLE => {
                format!("it is UTF-8 in {mixed}; {}", see("repair", name))
            }
            Misfit::Utf8(_) | Misfit::Utf8AtEnd => format!("some of it is UTF-8; {}", see("repair", name)),
        })
    }
}

/// Whether all of a file is text in this encoding. False if it can be read only once.
pub fn is_text_in(input: &Input, encoding: &'static Encoding) -> io::Result<bool> {
    if input.is_stdin() {
        return Ok(false);
    }
    let mut opened = input.open_regular()?;
    let Some(range) = opened.range() else { return Ok(false) };
    if !is_well_formed(&mut opened, encoding, HEAD)? {
        return Ok(false);
    }
    let head = bytes_at(opened.file(), 0, HEAD)?;
    let named = Named { file: opened.file(), len: range.end, head: &head, from: encoding };
    let has_control = named.control(range.end)?.is_some();
    Ok(!has_control && named.misfit(&OnIllFormed::Stop, Reach::Whole)?.is_none())
}

/// Finds the first line of a text that a fallback would misread, because `repair` would decode that line differently.
fn misread(source: impl Read, from: &'static Encoding, policy: &OnIllFormed) -> io::Result<Option<Misread>> {
    let fallback = match policy {
        OnIllFormed::Fallback(fallback) if from == &UTF_8 => *fallback,
        _ => return Ok(None),
    };
    let policy = Policy::default().ill_formed(policy.clone());
    let options = Options::default().input_bom(InputBom::Text).policy(policy);
    let (mut document, mut line) = (Document::new(Unit::Line, &[fallback]), 1);
    let mut windows = LineWindows::new(source);
    while let Some(Lines { bytes, is_cut }) = windows.next()? {
        let found = document.next(bytes, is_cut);
        let is_misread = |change: &&Change| {
            let read = || convert(&bytes[change.range.clone()], &UTF_8, &UTF_8, &options);
            change.encoding.is_some()
                && change.mistakes.is_empty()
                && read().is_ok_and(|read| read.output != change.text.as_bytes())
        };
        if let Some(change) = found.changes.iter().find(is_misread) {
            line += memchr::memchr_iter(b'\n', &bytes[..change.range.start]).count();
            return Ok(Some(Misread { line, fallback: fallback.name() }));
        }
        line += memchr::memchr_iter(b'\n', bytes).count();
    }
    Ok(None)
}

/// Returns the warning about a pipe whose first bytes, `head`, are not text with the code units of `from`, or would be
/// misread by a fallback.
pub fn warning_of_pipe(head: &[u8], from: &'static Encoding, policy: &OnIllFormed) -> Option<String> {
    // Carriers keep bytes that are not text, so that these can be restored.
    let carries = matches!(policy, OnIllFormed::Carry(_));
    let has_units = from.code_unit_len() > 1 && head.len() >= from.code_unit_len();
    if has_units && !carries && is_no_text_in(head, from) {
        return Some(format!("it does not look like {}; see utfconv-detect(1)", from.name()));
    }
    let misread = misread(head, from, policy).ok()??;
    Some(format!("{misread}; write it to a file, and use {}", misread.repair(OsStr::new("FILE"))))
}

/// Returns the warning about text in Shift_JIS in which `\` or `~` would become other characters, because source code
/// and programs of Windows mean the ASCII characters. Examines only the start of the text, `head`.
pub fn yen_or_overline(head: &[u8], from: &Encoding, to: &Encoding) -> Option<String> {
    if from != &SHIFT_JIS || to == from {
        return None;
    }
    let mut rest = head;
    loop {
        let (first, after) = rest.split_first()?;
        rest = match first {
            0x5C | 0x7E => {
                let (read, meant) = if *first == 0x5C { ('\u{A5}', '\\') } else { ('\u{203E}', '~') };
                let what = format!("byte {first:02X} is {} in Shift_JIS", character(read));
                return Some(format!("{what}; use -f windows-31j to read \"{meant}\""));
            }
            0x81..=0x9F | 0xE0..=0xFC => after.get(1..).unwrap_or_default(),
            _ => after,
        };
    }
}

/// A byte that a page of ISO 8859 decodes to a control that text does not have.
pub struct Control {
    byte: u8,
    line: usize,
    from: &'static Encoding,
    /// The likely encoding of the text around the byte.
    like: Option<&'static Encoding>,
}

impl Control {
    /// Returns the advice about the file called `name`. If the file was converted in place and now is in `became`, the
    /// advice says how to undo that conversion without loss.
    pub fn advice(&self, name: &OsStr, became: Option<&Encoding>) -> String {
        let Some(to) = became else {
            return self.like.map_or(see("detect", name), |like| format!("use -f {}", like.name()));
        };
        let (file, to, from) = (as_argument(name), to.name(), self.from.name());
        let next = match self.like {
            Some(like) => format!("-i -f {} -t {to}", like.name()),
            None => "detect".to_string(),
        };
        format!("use 'utfconv -i -f {to} -t {from} {file} && utfconv {next} {file}'")
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Control { byte, line, from, like } = self;
        write!(f, "in line {line}, byte {byte:02X} is a control character in {}", from.name())?;
        let Some(like) = like else { return Ok(()) };
        let read = convert(&[*byte], like, &UTF_8, &Options::default()).ok();
        let sign = read.and_then(|read| String::from_utf8(read.output).ok()?.chars().next());
        match sign {
            Some(sign) => write!(f, ", but {} in {}", character(sign), like.name()),
            None => write!(f, ", and the text looks like {}", like.name()),
        }
    }
}

/// The first line of a file that a fallback would misread, because some of its bytes are UTF-8 by chance.
pub struct Misread {
    line: usize,
    fallback: &'static str,
}

impl Misread {
    /// Returns the command that decodes the line correctly.
    pub fn repair(&self, name: &OsStr) -> String {
        format!("'utfconv repair --candidates={} {}'", self.fallback, as_argument(name))
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Misread { line, fallback } = self;
        write!(f, "in line {line}, bytes of {fallback} are also UTF-8, and would be misread")
    }
}
