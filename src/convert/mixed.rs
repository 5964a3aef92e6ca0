//! Files that are not in the encoding that was given, but partly UTF-8, UTF-16, or a code page of Windows: a conversion
//! would garble them.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io;

use utfconv_core::detect::{Detection, Detector, Grade, HEAD, Hints, Sniffed, sniff};
use utfconv_core::internals::controls::first_c1;
use utfconv_core::internals::{is_no_text_in, partly_ascii};
use utfconv_core::repair::{Change, Document, Unit};
use utfconv_core::{Encoding, InputBom, OnIllFormed, Options, Policy, UTF_8, convert};

use crate::detect::detected::appended_ascii;
use crate::detect::mixed::{Mixed, differs_from_utf8};
use crate::files::line_windows::{LineWindows, Lines};
use crate::files::stdio::{Part, bytes_at, each_chunk, fill_at};
use crate::ui::quote::{as_argument, character};

/// A byte that a page of ISO 8859 reads as a control character, which text does not have.
pub struct Control {
    byte: u8,
    line: usize,
    from: &'static Encoding,
    /// The encoding that the text around it seems to be in.
    like: Option<&'static Encoding>,
}

impl Control {
    /// Returns the first one of a file up to this length; NEL does not count.
    pub fn of(file: &File, from: &'static Encoding, most: u64) -> io::Result<Option<Control>> {
        if !from.name().starts_with("ISO-8859-") {
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
        let Detection { encoding, grade, is_partly_utf8, .. } = detector.finish();
        // A guess is good enough if it is what is usually meant.
        let is_known = |like: &Encoding| grade > Grade::Guess || like.name().starts_with("windows-125");
        let like = encoding.filter(|like| *like != from && !is_partly_utf8 && is_known(like));
        Ok(Some(Control { byte, line, from, like }))
    }

    /// Returns what to do about the file of that name, if it `became` another encoding in place: nothing was lost.
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

/// The most bytes at the start and at the end of a file that are examined before a conversion that changes no file. The
/// conversion itself is not much slower.
const SAMPLE: u64 = 256 << 10;

/// Returns the warning about a file whose start is in another encoding than `from`: UTF-16 or UTF-32 without a BOM,
/// text that is UTF-8, entirely or partly, ASCII in a file of UTF-16, what a fallback would misread, or control
/// characters that would not stay the same bytes in `to`.
pub fn warning(
    file: &File,
    len: u64,
    (from, to): (&'static Encoding, &Encoding),
    policy: &OnIllFormed,
    name: &OsStr,
) -> Option<String> {
    if let Some(like) = other_units(file, from) {
        let (like, from) = (like.name(), from.name());
        return Some(format!("it looks like {like}, not {from}; use -f {like}"));
    }
    let may_differ = from.unit() == 2 || from.is_ebcdic() || differs_from_utf8(from);
    if may_differ && is_no_text_in(&bytes_at(file, 0, HEAD).ok()?, from) {
        return Some(format!("it does not look like {}; {}", from.name(), see("detect", name)));
    }
    if let Some(part) = ascii_part(file, len, from).ok()? {
        return Some(format!("{part}, not {}; {}", from.name(), see("detect", name)));
    }
    if let Some(misread) = misread(file, from, policy, SAMPLE).ok()? {
        return Some(match name == "-" {
            true => format!("{misread}; see utfconv-repair(1)"),
            false => format!("{misread}; use {}", misread.repair(name)),
        });
    }
    let sample = |range| Mixed::of(Part::new(file, range), from).ok()?;
    let (start, end) = (sample(0..SAMPLE), len.saturating_sub(SAMPLE).max(SAMPLE)..len);
    Some(match start.or_else(|| sample(end)) {
        None => {
            let control = if from == to { None } else { Control::of(file, from, SAMPLE.min(len)).ok()? }?;
            format!("{control}; {}", control.advice(name, None))
        }
        Some(mixed) if start.is_some() && mixed.is_all_utf8() => {
            format!("it is UTF-8, not {}; use -f UTF-8", from.name())
        }
        Some(mixed) if len <= SAMPLE => format!("it is UTF-8 in {mixed}; {}", see("repair", name)),
        Some(_) => format!("some of it is UTF-8; {}", see("repair", name)),
    })
}

/// Returns the advice to use a command on the file of that name.
fn see(command: &str, name: &OsStr) -> String {
    match name == "-" {
        true => format!("see utfconv-{command}(1)"),
        false => format!("see 'utfconv {command} {}'", as_argument(name)),
    }
}

/// Says which bytes are ASCII at the beginning or the end of a file of UTF-16.
pub fn ascii_part(file: &File, len: u64, from: &'static Encoding) -> io::Result<Option<String>> {
    if from.unit() != 2 {
        return Ok(None);
    }
    let head = bytes_at(file, 0, HEAD)?;
    let order = Encoding::for_bom(&head).map_or(from, |(of, _)| of);
    match partly_ascii(&head, 0, order) {
        None => appended_ascii(file, &(0..len), order),
        part => Ok(part),
    }
}

/// The first line of a file that a fallback would misread, as some of its bytes are UTF-8 by chance.
pub struct Misread {
    line: usize,
    fallback: &'static str,
}

impl Misread {
    /// The command that does not.
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

/// Finds what a fallback would misread, up to that offset: a line that `repair` decodes otherwise.
pub fn misread(
    file: &File,
    from: &'static Encoding,
    policy: &OnIllFormed,
    most: u64,
) -> io::Result<Option<Misread>> {
    let OnIllFormed::Fallback(fallback) = *policy else { return Ok(None) };
    if from != &UTF_8 {
        return Ok(None);
    }
    let policy = Policy { ill_formed: policy.clone(), ..Policy::default() };
    let options = Options::default().input_bom(InputBom::Text).policy(policy);
    let (mut document, mut line) = (Document::new(Unit::Line, &[fallback]), 1);
    let mut windows = LineWindows::new(Part::new(file, 0..most));
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

/// Returns the encoding with other code units that a file without a BOM seems to be in. The decoder reports a BOM.
fn other_units(file: &File, from: &'static Encoding) -> Option<&'static Encoding> {
    let mut start = [0; 64];
    let len = if from.unit() == 1 { fill_at(file, &mut start, 0).ok()? } else { 0 };
    if from.unit() == 1 && !start[..len].contains(&0) {
        return None;
    }
    match sniff(&bytes_at(file, 0, HEAD).ok()?, from) {
        Sniffed::Looks { like, bom: 0 } => Some(like),
        _ => None,
    }
}
