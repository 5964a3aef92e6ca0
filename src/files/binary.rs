//! Decides by the format and the content of a file whether it is text, before all of it is decoded and written anew.
//!
//! `check` and `repair` decide by the bytes alone, with the library's `sniff`, because `check` only reports and
//! `repair` changes only what it can prove. A conversion decodes the bytes first, because UTF-16 and UTF-32 contain
//! NULs and letters of EBCDIC are controls in ASCII.

use std::fs::File;
use std::io;

use utfconv_core::{Encoding, OnIllFormed, Options, Policy, UTF_8, convert};
use utfconv_detect::{Detector, Format, Hints, Sniffed, sniff};

use crate::files::stdio::{bytes_at, is_ascii};

/// A file with more than one control in this many characters is not text.
const ODD: usize = 32;

/// Number of bytes that are enough to detect an encoding.
const HEAD: usize = 64 << 10;

/// The content of a file that is expected to be text.
pub enum Seen {
    Text,
    /// The file has a binary format, which the text names.
    Format(String),
    /// The file is binary. The text says what is unusual in the decoded text.
    Odd(String),
    /// The file is in another encoding, and begins with a BOM of `bom` bytes.
    Looks {
        like: &'static Encoding,
        bom: usize,
    },
}

/// Classifies a file that begins with `head` and is to be decoded from `encoding`. `encoding` is `None` if it was
/// detected, because detection has classified the text. If `may_be_binary` is false, because the user says that the
/// file is text, only another encoding is reported.
pub fn seen(
    file: &File,
    head: &[u8],
    encoding: Option<&'static Encoding>,
    may_be_binary: bool,
) -> io::Result<Seen> {
    if may_be_binary && let Some(why) = format(file, head)? {
        return Ok(Seen::Format(why));
    }
    let Some(encoding) = encoding else { return Ok(Seen::Text) };
    Ok(match sniff(head, encoding) {
        Sniffed::Looks { like, bom } => Seen::Looks { like, bom },
        Sniffed::Text | Sniffed::Binary { .. } if !may_be_binary => Seen::Text,
        // In some encodings, letters have the bytes of ASCII controls, so the text is decoded.
        Sniffed::Text | Sniffed::Binary { .. } => oddity(head, encoding).map_or(Seen::Text, Seen::Odd),
    })
}

/// Returns why a file that begins with `head` has a binary format; `None` if it has none.
fn format(file: &File, head: &[u8]) -> io::Result<Option<String>> {
    let found = Format::of(head);
    let is_text = matches!(found, Some(Format::OwnEncoding(_))) && is_ascii(file)?;
    Ok(found.filter(|_| !is_text).map(|format| format.to_string()))
}

/// Whether the encoding of a text file contains ASCII, as far as its start shows, so that the bytes of newlines and
/// spaces mean nothing else.
pub fn has_ascii(file: &File) -> io::Result<bool> {
    let mut detector = Detector::new(Hints::default());
    detector.feed(&bytes_at(file, 0, HEAD)?);
    let detected = detector.finish();
    let has_ascii =
        |found: &Encoding| found.code_unit_len() == 1 && !found.is_ebcdic() && !found.is_stateful();
    Ok(!detected.is_binary() && detected.encoding.is_none_or(has_ascii))
}

/// Returns why the text that begins with `head` is binary if it is decoded from `from`; `None` if it is text.
pub fn oddity(head: &[u8], from: &'static Encoding) -> Option<String> {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let decoded = convert(head, from, &UTF_8, &Options::default().policy(policy)).ok()?;
    let text = String::from_utf8_lossy(&decoded.output);
    let nuls = text.chars().filter(|scalar| *scalar == '\0').count();
    if nuls > 0 {
        return Some(format!("as {}, its text has NUL", from.name()));
    }
    let (odd, all) = (text.chars().filter(|scalar| is_odd(*scalar)).count(), text.chars().count());
    // Binary data is rarely well-formed UTF-8 by chance.
    let is_proved = from == &UTF_8 && !text.contains(char::REPLACEMENT_CHARACTER);
    let why = || format!("as {}, its text has control characters that text does not have", from.name());
    (ODD * odd > all && !is_proved).then(why)
}

/// Whether a character is a control that text does not have, which is any except BS, TAB, LF, VT, FF, CR, SUB and ESC.
fn is_odd(scalar: char) -> bool {
    matches!(scalar, '\0'..='\x07' | '\x0E'..='\x19' | '\x1C'..='\x1F')
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::{ISO_8859_1, UTF_16LE};

    #[test]
    fn text_is_decoded_before_it_is_classified() {
        let text = "Grüße, 日本語\n".repeat(9);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(oddity(&utf16, &UTF_16LE), None);
        assert!(oddity(&utf16, &ISO_8859_1).is_some_and(|why| why.contains("NUL")));
        assert!(
            oddity(
                "a\0b".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>().as_slice(),
                &UTF_16LE
            )
            .is_some()
        );
        let ibm037 = Encoding::for_name("IBM037").expect("is there");
        // "Hello, world" and a control of EBCDIC.
        let hello = b"\xC8\x85\x93\x93\x96\x6B\x40\xA6\x96\x99\x93\x84\x15\x05";
        assert_eq!(oddity(hello, ibm037), None);
        assert!(oddity(b"a\x01\x02\x03b\xFF", &ISO_8859_1).is_some_and(|why| why.contains("control")));
        assert_eq!(oddity(b"\x1B[1mbold\x1B[0m\x08\x0C\x1A", &ISO_8859_1), None);
        assert_eq!(oddity(b"", &ISO_8859_1), None);
    }
}
