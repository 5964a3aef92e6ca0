//! Detects text in a legacy encoding with parts in UTF-8, which a conversion would garble.
//!
//! Lines are compared. In a legacy encoding, the non-ASCII bytes of a line are rarely all well-formed UTF-8, and if
//! they are, the UTF-8 characters are rare. East Asian and Thai text has many bytes that are continuation bytes in
//! UTF-8, so only longer UTF-8 characters count there.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read};
use std::mem;

use super::score::CONTEXTS;
use super::utf8_lines::{Utf8Lines, utf8_text};
use utfconv_core::encodings::{ISO_8859_15, WINDOWS_1252, WINDOWS_1254};
use utfconv_core::utf8::end_of_whole_sequences;
use utfconv_core::{
    Encoding, ISO_8859_1, US_ASCII, UTF_8,
    encodings::{CESU_8, MUTF_8, UTF_8_2279, WTF_8},
};

/// Maximum number of bytes of a line that are buffered; a longer line is examined in parts.
const LONGEST: usize = 1 << 20;

/// Minimum number of UTF-8 characters in the UTF-8 lines. If the other lines have many continuation bytes, only
/// characters of three or more bytes count.
const LEAST: u64 = CONTEXTS as u64;

/// Number of bytes read at a time.
const CHUNK: usize = 64 << 10;

/// Passes `source` to `take` in chunks, until `take` returns false.
pub(super) fn each_chunk(source: &mut impl Read, mut take: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) if take(&buffer[..count]) => {}
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Whether text in `from` can be mistaken for UTF-8 and differs from it.
pub fn differs_from_utf8(from: &Encoding) -> bool {
    /// Encodings in which well-formed text is the same in UTF-8, or ill-formed in UTF-8.
    const RELATIVES: [&Encoding; 6] = [&UTF_8, &CESU_8, &MUTF_8, &WTF_8, &UTF_8_2279, &US_ASCII];
    from.is_of_bytes() && !RELATIVES.contains(&from)
}

/// Whether a line has a UTF-8 character whose bytes make no sense in `from`.
pub fn has_evident_utf8(line: &[u8], from: &'static Encoding) -> bool {
    Watch::new(from).is_some_and(|Watch { mut evidence, .. }| {
        evidence.add_parts(line);
        evidence.is_evident
    })
}

/// Counts of the lines of a file that are UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mixed(Utf8Lines);

impl Mixed {
    /// Reads a text to its end. Returns `None` unless more lines are UTF-8 than by chance.
    pub fn of(source: &mut impl Read, from: &'static Encoding) -> io::Result<Option<Mixed>> {
        let Some(mut watch) = Watch::new(from) else { return Ok(None) };
        each_chunk(source, |chunk| {
            watch.take(chunk);
            true
        })?;
        Ok(watch.end())
    }

    /// Whether all lines with non-ASCII characters are UTF-8.
    pub fn is_all_utf8(&self) -> bool {
        self.0.others == 0 && self.0.utf8_lines == self.0.lines
    }

    /// Whether more lines are UTF-8 than by chance.
    fn is_partly_utf8(&self) -> bool {
        let Utf8Lines { lines, utf8_lines, short, long, others, continuing } = self.0;
        // If many of the other bytes are continuation bytes, as in East Asian text, characters of two bytes are often
        // well-formed by chance.
        let is_dense = 6 * continuing > others;
        let characters = if is_dense { long } else { short + long };
        // In a long text, one line in 100 may be UTF-8 by chance.
        characters >= LEAST && utf8_lines * 100 >= lines
    }
}

/// Examines lines as they are read.
pub struct Watch {
    mixed: Mixed,
    evidence: Evidence,
    /// The start of a line whose end has not been read.
    rest: Vec<u8>,
}

impl Watch {
    /// Creates a watch. Returns `None` for UTF-8 and its relatives, and for EBCDIC, whose lines do not end with LF.
    pub fn new(from: &'static Encoding) -> Option<Watch> {
        let has_lines = differs_from_utf8(from) && !from.is_ebcdic();
        has_lines.then(|| Watch { mixed: Mixed::default(), evidence: Evidence::new(from), rest: Vec::new() })
    }

    /// Takes the next bytes of the text, which may begin and end within a line.
    pub fn take(&mut self, bytes: &[u8]) {
        let is_long = || self.rest.len() >= LONGEST;
        let end = memchr::memrchr(b'\n', bytes).map(|at| at + 1);
        let end = end.or_else(|| is_long().then(|| end_of_whole_sequences(bytes)));
        let (lines, rest) = bytes.split_at(end.unwrap_or(0));
        if self.rest.is_empty() {
            self.add(lines);
        } else if !lines.is_empty() {
            self.rest.extend_from_slice(lines);
            let joined = mem::take(&mut self.rest);
            self.add(&joined);
        }
        self.rest.extend_from_slice(rest);
    }

    /// Adds whole lines.
    fn add(&mut self, lines: &[u8]) {
        let known = self.mixed.0.utf8_lines;
        self.mixed.0.add(lines);
        self.evidence.add_parts(lines);
        if self.mixed.0.utf8_lines == known || self.evidence.is_evident {
            return;
        }
        lines.split(|byte| *byte == b'\n').filter(|line| !line.is_ascii()).for_each(|line| {
            self.evidence.add(line);
        });
    }

    /// Returns the counts after the last bytes, or `None` unless more lines are UTF-8 than by chance.
    pub fn end(mut self) -> Option<Mixed> {
        let rest = mem::take(&mut self.rest);
        self.add(&rest);
        Some(self.mixed).filter(|mixed| mixed.is_partly_utf8() || self.evidence.is_evident)
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

/// Evidence that lines are UTF-8, and not just well-formed by chance.
pub struct Evidence {
    encoding: &'static Encoding,
    /// Whether the legacy encoding is a Western code page.
    is_western: bool,
    /// The distinct non-ASCII characters in the UTF-8 lines.
    distinct: HashSet<char>,
    /// Whether the lines have a character of three bytes or more. Text in a two-byte encoding is hardly ever well-formed
    /// UTF-8 with such a character, unless the ASCII byte after the character is the second byte of a code.
    has_long: bool,
    /// Whether the lines have a UTF-8 character whose bytes make no sense in the legacy encoding.
    is_evident: bool,
}

impl Evidence {
    /// Minimum sum of the weights of the distinct characters, if the legacy encoding is a code page. A character of two
    /// bytes has weight 1, a longer one weight 2.
    const ENOUGH: usize = 8;

    /// Creates empty evidence for lines in a file that is otherwise in `encoding`.
    pub fn new(encoding: &'static Encoding) -> Evidence {
        static WESTERN: [&Encoding; 4] = [&ISO_8859_1, &WINDOWS_1252, &ISO_8859_15, &WINDOWS_1254];
        Evidence {
            encoding,
            is_western: WESTERN.contains(&encoding),
            distinct: HashSet::new(),
            has_long: false,
            is_evident: false,
        }
    }

    /// Adds a line. Returns true if the line is UTF-8 with common characters.
    pub fn add(&mut self, line: &[u8]) -> bool {
        let Some(text) = utf8_text(line) else { return false };
        for (at, scalar) in text.char_indices().filter(|(_, scalar)| !scalar.is_ascii()) {
            self.distinct.insert(scalar);
            let (before, end) = (at.checked_sub(1).map(|at| line[at]), at + scalar.len_utf8());
            self.has_long |= end - at > 2 && !matches!(line.get(end), Some(0x40..=0x7E));
            self.is_evident |= self.is_no_text(before, &line[at..end]);
        }
        true
    }

    /// Adds lines that may have parts in UTF-8. In Western text, the bytes of a common UTF-8 character are evident.
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

    /// True if text in the legacy encoding does not have `bytes` after `before`. The bytes are then a capital letter
    /// after a small letter or, in Western text, one of the letters C2, C3 and E2 before a sign that does not follow
    /// letters.
    fn is_no_text(&self, before: Option<u8>, bytes: &[u8]) -> bool {
        let Some(table) = self.encoding.table() else { return false };
        let read = |byte: u8| char::from_u32(table[usize::from(byte)].into()).unwrap_or_default();
        let may_follow = |byte: &u8| {
            let scalar = read(*byte);
            scalar.is_alphabetic() || "\u{A0}\u{AD}…‘’‚‛“”„–—‹›«»¡¿·°²³¹©®™".contains(scalar)
        };
        before.is_some_and(|byte| read(byte).is_lowercase()) && read(bytes[0]).is_uppercase()
            || self.is_western && matches!(bytes[0], 0xC2 | 0xC3 | 0xE2) && !bytes[1..].iter().all(may_follow)
    }

    /// Whether the evidence is enough to take the lines for UTF-8.
    pub fn is_enough(&self) -> bool {
        if self.encoding.table().is_none() {
            return self.has_long;
        }
        let weight = self.distinct.iter().map(|scalar| scalar.len_utf8().min(3) - 1).sum::<usize>();
        self.is_evident || !self.is_western && weight >= Self::ENOUGH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::{Options, convert};

    fn mixed(name: &str, bytes: &[u8]) -> bool {
        let from = Encoding::for_name(name).expect("is there");
        let found = Mixed::of(&mut &*bytes, from).expect("memory can be read").is_some();
        let mut watch = Watch::new(from);
        for piece in bytes.chunks(7) {
            watch.iter_mut().for_each(|watch| watch.take(piece));
        }
        assert_eq!(watch.and_then(Watch::end).is_some(), found, "{name}");
        found
    }

    fn encoded(name: &str, text: &str) -> Vec<u8> {
        convert(text.as_bytes(), &UTF_8, Encoding::for_name(name).expect("is there"), &Options::default())
            .expect("converts")
            .output
    }

    /// Legacy text in which some lines are well-formed UTF-8 by chance.
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
        // The UTF-8 lines may be beyond the first buffer.
        assert!(mixed("latin1", &[b"plain text\n".repeat(20_000), half.clone()].concat()));
        assert!(!mixed("UTF-8", &half) && !mixed("IBM1047", &half));
    }
}
