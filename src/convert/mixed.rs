//! Files that are not in the encoding that was given, but partly UTF-8, or UTF-16: a conversion would garble them.
//!
//! Lines are compared. In another encoding, the non-ASCII bytes of a line are rarely all UTF-8 by chance, and would
//! then be rare characters. East Asian and Thai text has many bytes that UTF-8 has within its sequences: there, more
//! lines are required.

use std::ffi::OsStr;
use std::fs::File;
use std::io;

use utfconv_core::detect::{HEAD, Sniffed, sniff};
use utfconv_core::internals::utf8_lines::Utf8Lines;
use utfconv_core::{CESU_8, Encoding, MUTF_8, US_ASCII, UTF_8, UTF_8_2279, WTF_8};

use crate::files::stdio::{bytes_at, fill_at};
use crate::ui::quote::as_argument;

/// Bytes read at a time. Longer lines are cut.
const BUFFER: usize = 64 << 10;

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
    pub fn of(file: &File, from: &Encoding, most: u64) -> io::Result<Option<Mixed>> {
        if !differs_from_utf8(from) || from.is_ebcdic() {
            return Ok(None);
        }
        let (mut mixed, mut buffer, mut offset, mut kept) = (Mixed::default(), vec![0; BUFFER], 0, 0);
        while offset < most {
            let read = fill_at(file, &mut buffer[kept..], offset)?;
            offset += read as u64;
            let text = &buffer[..kept + read];
            let is_last = text.len() < BUFFER;
            let end = match memchr::memrchr(b'\n', text).filter(|_| !is_last) {
                Some(at) => at + 1,
                None => text.len(),
            };
            mixed.0.add(&text[..end]);
            if is_last {
                break;
            }
            kept = text.len() - end;
            buffer.copy_within(end..end + kept, 0);
        }
        Ok(Some(mixed).filter(Mixed::is_partly_utf8))
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

impl std::fmt::Display for Mixed {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} of {} lines with characters that are not ASCII", self.0.utf8_lines, self.0.lines)
    }
}

/// The most bytes of a file that are examined before a conversion that changes no file. The conversion itself is not
/// much slower.
const SAMPLE: u64 = 256 << 10;

/// Returns the warning about a file whose start is in another encoding than `from`: UTF-16 or UTF-32 without a BOM, or
/// UTF-8, entirely or partly.
pub fn warning(file: &File, from: &'static Encoding, name: &OsStr) -> Option<String> {
    if let Some(wide) = wide(file, from) {
        let (wide, from) = (wide.name(), from.name());
        return Some(format!("it looks like {wide}, not {from}; use -f {wide}"));
    }
    let mixed = Mixed::of(file, from, SAMPLE).ok()??;
    let from = from.name();
    Some(if mixed.0.others == 0 && mixed.0.utf8_lines == mixed.0.lines {
        format!("it is UTF-8, not {from}; use -f UTF-8")
    } else if name == "-" {
        format!("it is UTF-8 in {mixed}; see utfconv-repair(1)")
    } else {
        format!("it is UTF-8 in {mixed}; see 'utfconv repair {}'", as_argument(name))
    })
}

/// Returns the encoding of wide code units that a file seems to be in. The decoder reports a BOM.
fn wide(file: &File, from: &'static Encoding) -> Option<&'static Encoding> {
    let mut start = [0; 64];
    let len = if from.unit() == 1 { fill_at(file, &mut start, 0).ok()? } else { 0 };
    if !start[..len].contains(&0) {
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
