//! Files that are not in the encoding that was given, but partly UTF-8, or UTF-16: a conversion would garble them.
//!
//! Lines are compared. In another encoding, the non-ASCII bytes of a line are rarely all UTF-8 by chance, and would
//! then be rare characters. East Asian and Thai text has many bytes that UTF-8 has within its sequences: there, more
//! lines are required.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io;

use utfconv_core::detect::{HEAD, Sniffed, sniff};
use utfconv_core::internals::utf8_lines::Utf8Lines;
use utfconv_core::internals::{is_no_utf16, partly_ascii};
use utfconv_core::repair::{Change, Document, Unit};
use utfconv_core::{
    CESU_8, Encoding, ISO_8859_1, ISO_8859_15, MUTF_8, US_ASCII, UTF_8, UTF_8_2279, WINDOWS_1252,
    WINDOWS_1254, WTF_8,
};
use utfconv_core::{InputBom, OnIllFormed, Options, Policy, convert};

use crate::detect::detected::appended_ascii;
use crate::files::line_windows::{LineWindows, Lines};
use crate::files::stdio::{Part, bytes_at, fill_at};
use crate::ui::quote::as_argument;

/// Whether `from` is an encoding whose texts differ from UTF-8.
pub fn differs_from_utf8(from: &Encoding) -> bool {
    /// Their texts are the same in UTF-8, or ill-formed.
    const RELATIVES: [&Encoding; 6] = [&UTF_8, &CESU_8, &MUTF_8, &WTF_8, &UTF_8_2279, &US_ASCII];
    from.is_of_bytes() && !RELATIVES.contains(&from)
}

/// What was found in the lines of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixed(Utf8Lines);

impl Mixed {
    /// Examines a file up to this length. None unless more lines than by chance are UTF-8.
    pub fn of(file: &File, from: &'static Encoding, most: u64) -> io::Result<Option<Mixed>> {
        if !differs_from_utf8(from) || from.is_ebcdic() {
            return Ok(None);
        }
        let (mut mixed, mut windows) = (Mixed::default(), LineWindows::new(Part::new(file, 0..most)));
        let mut evidence = Evidence::new(from);
        while let Some(Lines { bytes, .. }) = windows.next()? {
            let known = mixed.0.utf8_lines;
            mixed.0.add(bytes);
            evidence.add_parts(bytes);
            if mixed.0.utf8_lines == known {
                continue;
            }
            bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_ascii()).for_each(|line| {
                evidence.add(line);
            });
        }
        Ok(Some(mixed).filter(|mixed| mixed.is_partly_utf8() || evidence.is_evident))
    }

    /// Whether so much UTF-8 is no chance.
    fn is_partly_utf8(&self) -> bool {
        let Utf8Lines { lines, utf8_lines, short, long, others, continuing } = self.0;
        let is_dense = 6 * continuing > others;
        let is_much = if is_dense { long >= 6 && 4 * long > short } else { short + 2 * long >= 3 };
        // A text of many lines has some by chance.
        is_much && utf8_lines * 100 >= lines
    }
}

impl fmt::Display for Mixed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0.utf8_lines {
            0 => f.write_str("parts of its lines"),
            count => write!(f, "{count} of {} lines with characters that are not ASCII", self.0.lines),
        }
    }
}

/// Evidence that lines are UTF-8, and not so by chance.
pub struct Evidence {
    encoding: &'static Encoding,
    /// The characters of the other encoding by their bytes, where one byte is one; made when first needed.
    characters: OnceCell<Option<Vec<char>>>,
    /// Whether its text is Western.
    is_western: bool,
    /// The characters in the lines.
    distinct: HashSet<char>,
    /// Whether no text in the other encoding has some of their bytes.
    is_evident: bool,
}

impl Evidence {
    /// The least weight of all distinct characters: one for each of two bytes, two for each of more. Where the other
    /// encoding has codes of two bytes, those are none, and each of more is one.
    const ENOUGH: usize = 8;

    pub fn new(encoding: &'static Encoding) -> Evidence {
        const WESTERN: [&Encoding; 4] = [&ISO_8859_1, &WINDOWS_1252, &ISO_8859_15, &WINDOWS_1254];
        Evidence {
            encoding,
            characters: OnceCell::new(),
            is_western: WESTERN.contains(&encoding),
            distinct: HashSet::new(),
            is_evident: false,
        }
    }

    fn characters(&self) -> Option<&Vec<char>> {
        let decoded = |byte: u8| {
            let text = convert(&[byte], self.encoding, &UTF_8, &Options::default()).ok()?;
            std::str::from_utf8(&text.output).ok()?.chars().next()
        };
        let make = || {
            let characters: Vec<char> = (0..=u8::MAX).map(|byte| decoded(byte).unwrap_or_default()).collect();
            // Others have codes of two bytes.
            let is_single = characters[0x80..].iter().filter(|scalar| **scalar != '\0').count() > 64;
            is_single.then_some(characters)
        };
        self.characters.get_or_init(make).as_ref()
    }

    /// Adds a line. Returns whether it is UTF-8 with common characters.
    pub fn add(&mut self, line: &[u8]) -> bool {
        let mut counted = Utf8Lines::default();
        counted.add(line);
        let Some(text) = std::str::from_utf8(line).ok().filter(|_| counted.utf8_lines == 1) else {
            return false;
        };
        for (at, scalar) in text.char_indices().filter(|(_, scalar)| !scalar.is_ascii()) {
            self.distinct.insert(scalar);
            let before = at.checked_sub(1).map(|at| line[at]);
            self.is_evident |= self.is_no_text(before, &line[at..at + scalar.len_utf8()]);
        }
        true
    }

    /// Adds lines that may be UTF-8 in parts. In Western text, the bytes of a common character of UTF-8 are evident.
    fn add_parts(&mut self, lines: &[u8]) {
        if !self.is_western || self.is_evident {
            return;
        }
        let starts = memchr::memchr3_iter(0xC2, 0xC3, 0xE2, lines);
        self.is_evident = starts.filter(|at| *at > 0).any(|at| {
            let chunk = lines[at..lines.len().min(at + 3)].utf8_chunks().next();
            let scalar = chunk.and_then(|chunk| chunk.valid().chars().next());
            scalar.is_some_and(|scalar| {
                self.is_no_text(Some(lines[at - 1]), &lines[at..at + scalar.len_utf8()])
            })
        });
    }

    /// Whether text in the other encoding has no such characters in a row: a capital letter within a word or, in Western
    /// text, a sign after a letter of those that UTF-8 has there.
    fn is_no_text(&self, before: Option<u8>, bytes: &[u8]) -> bool {
        let Some(characters) = self.characters() else { return false };
        let read = |byte: u8| characters[usize::from(byte)];
        let may_follow = |byte: &u8| {
            let scalar = read(*byte);
            scalar.is_alphabetic() || "\u{A0}\u{AD}…‘’‚‛“”„–—‹›«»¡¿·°²³¹©®™".contains(scalar)
        };
        before.is_some_and(|byte| read(byte).is_lowercase()) && read(bytes[0]).is_uppercase()
            || self.is_western && matches!(bytes[0], 0xC2 | 0xC3 | 0xE2) && !bytes[1..].iter().all(may_follow)
    }

    /// Whether it is enough to take them for UTF-8.
    pub fn is_enough(&self) -> bool {
        let is_single = self.characters().is_some();
        let weight = |scalar: &char| usize::from(is_single) + usize::from(scalar.len_utf8() > 2);
        let weight = self.distinct.iter().map(weight).sum::<usize>();
        self.is_evident || !self.is_western && weight >= Self::ENOUGH
    }
}

/// The most bytes of a file that are examined before a conversion that changes no file. The conversion itself is not
/// much slower.
const SAMPLE: u64 = 256 << 10;

/// Returns the warning about a file whose start is in another encoding than `from`: UTF-16 or UTF-32 without a BOM,
/// text that is UTF-8, entirely or partly, ASCII in a file of UTF-16, or what a fallback would misread.
pub fn warning(
    file: &File,
    len: u64,
    from: &'static Encoding,
    policy: &OnIllFormed,
    name: &OsStr,
) -> Option<String> {
    if let Some(like) = other_units(file, from) {
        let (like, from) = (like.name(), from.name());
        return Some(format!("it looks like {like}, not {from}; use -f {like}"));
    }
    let see = |command: &str| match name == "-" {
        true => format!("see utfconv-{command}(1)"),
        false => format!("see 'utfconv {command} {}'", as_argument(name)),
    };
    if from.unit() == 2 && is_no_utf16(&bytes_at(file, 0, HEAD).ok()?, from) {
        return Some(format!("it does not look like {}; {}", from.name(), see("detect")));
    }
    if let Some(part) = ascii_part(file, len, from).ok()? {
        return Some(format!("{part}, not {}; {}", from.name(), see("detect")));
    }
    if let Some(misread) = misread(file, from, policy, SAMPLE).ok()? {
        return Some(match name == "-" {
            true => format!("{misread}; see utfconv-repair(1)"),
            false => format!("{misread}; use {}", misread.repair(name)),
        });
    }
    let mixed = Mixed::of(file, from, SAMPLE).ok()??;
    let from = from.name();
    Some(if mixed.0.others == 0 && mixed.0.utf8_lines == mixed.0.lines {
        format!("it is UTF-8, not {from}; use -f UTF-8")
    } else {
        format!("it is UTF-8 in {mixed}; {}", see("repair"))
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::{Options, convert};

    fn mixed(name: &str, bytes: &[u8]) -> bool {
        use std::io::Write;
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(bytes).expect("writes");
        let from = Encoding::named(name).expect("is there");
        Mixed::of(&file, from, u64::MAX).expect("reads").is_some()
    }

    fn encoded(name: &str, text: &str) -> Vec<u8> {
        convert(text.as_bytes(), &UTF_8, Encoding::named(name).expect("is there"), &Options::default())
            .expect("converts")
            .output
    }

    /// Text that has UTF-8 by chance.
    const BY_CHANCE: &[(&str, &str)] = &[
        ("windows-1252", "\u{201E}Spaß\u{201C}, sagt er.\n« ENTRÉ »\nGroß\u{201C}\nCAFÉ»\n"),
        ("windows-1251", "«ОТЕЛ»\nНі!\nНі. Ні.\nВін сказав: «Ні».\nЛ»\nО»\n"),
        ("KOI8-R", "её\nмоё и твоё\nОна взяла её и ушла.\nОн видел, как она шла.\n"),
        ("GB18030", "联通\n中文编码\n统一码联盟是一个非营利机构\n它协调并统一各种计算机编码\n要\n"),
        ("EUC-KR", "다람쥐 헌 쳇바퀴에 타고파\n가\n나다\n"),
        ("EUC-JP", "いろはにほへと ちりぬるを\n日本語\n漢字\n"),
        ("TIS-620", "เด็ก\nรถ\nยก\nภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน\nบ้าน\n"),
        ("ISO-8859-7", "Ελληνικά\nΆ\nκαι\n"),
    ];

    #[test]
    fn chance_is_not_taken_for_utf8() {
        for (name, text) in BY_CHANCE {
            let bytes = encoded(name, text);
            assert!(!mixed(name, &bytes), "{name}");
            assert!(!mixed(name, &bytes.repeat(500)), "{name}");
        }
    }

    #[test]
    fn utf8_in_other_text_is_found() {
        for (name, text) in BY_CHANCE {
            let other = "Déjà vu, naïve\nСъешь ещё этих мягких булок\n日本語のテキスト\n";
            let bytes = [encoded(name, text), other.repeat(2).into_bytes()].concat();
            assert!(mixed(name, &bytes), "{name}");
        }
        let half = [b"caf\xE9\n".repeat(20), "Grüße\n".repeat(20).into_bytes()].concat();
        assert!(mixed("windows-1252", &half) && mixed("ISO-8859-2", &half));
        // Beyond the first buffer, too.
        assert!(mixed("latin1", &[b"plain text\n".repeat(20_000), half.clone()].concat()));
        assert!(!mixed("UTF-8", &half) && !mixed("IBM1047", &half));
    }
}
