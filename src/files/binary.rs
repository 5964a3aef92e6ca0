//! Decides whether a file whose encoding is named is binary: by what it begins with, and by its decoded text.
//!
//! Its bytes show nothing: UTF-16 and UTF-32 have NULs, and the letters of EBCDIC are controls elsewhere.

use utfconv_core::{Encoding, OnIllFormed, Options, Policy, UTF_8, convert};

/// Formats of binary files, with the offset and the bytes that show them. No text of any encoding begins so.
const FORMATS: &[(&str, usize, &[u8])] = &[
    ("a PNG image", 0, b"\x89PNG\r\n\x1A\n"),
    ("a JPEG image", 0, b"\xFF\xD8\xFF"),
    ("a GIF image", 0, b"GIF87a"),
    ("a GIF image", 0, b"GIF89a"),
    ("a WebP image", 8, b"WEBPVP8"),
    ("a TIFF image", 0, b"II*\0\x08\0\0\0"),
    ("a TIFF image", 0, b"MM\0*\0\0\0\x08"),
    ("a Photoshop image", 0, b"8BPS\0\x01"),
    ("a gzip file", 0, b"\x1F\x8B\x08"),
    ("a bzip2 file", 4, b"1AY&SY"),
    ("an xz file", 0, b"\xFD7zXZ\0"),
    ("a Zstandard file", 0, b"\x28\xB5\x2F\xFD"),
    ("an LZ4 file", 0, b"\x04\x22\x4D\x18"),
    ("a compress file", 0, b"\x1F\x9D\x90"),
    ("a ZIP archive", 0, b"PK\x03\x04"),
    ("a ZIP archive", 0, b"PK\x05\x06"),
    ("a 7z archive", 0, b"7z\xBC\xAF\x27\x1C"),
    ("a RAR archive", 0, b"Rar!\x1A\x07"),
    ("a tar archive", 257, b"ustar\0"),
    ("a tar archive", 257, b"ustar  \0"),
    ("an ar archive", 0, b"!<arch>\n"),
    ("an RPM package", 0, b"\xED\xAB\xEE\xDB"),
    ("a cabinet archive", 0, b"MSCF\0\0\0\0"),
    ("an ELF executable", 0, b"\x7FELF"),
    ("a Windows executable", 0, b"MZ\x90\0\x03\0\0\0"),
    ("a Mach-O executable", 0, b"\xCF\xFA\xED\xFE"),
    ("a Mach-O executable", 0, b"\xCA\xFE\xBA\xBE\0\0\0"),
    ("a WebAssembly module", 0, b"\0asm\x01\0\0\0"),
    ("a PDF document", 0, b"%PDF-1."),
    ("a PDF document", 0, b"%PDF-2."),
    ("an Office document", 0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
    ("an SQLite database", 0, b"SQLite format 3\0"),
    ("a font", 0, b"wOFF"),
    ("a font", 0, b"wOF2"),
    ("a font", 0, b"OTTO\0"),
    ("an Ogg file", 0, b"OggS\0"),
    ("a FLAC file", 0, b"fLaC\0"),
    ("an MP3 file", 0, b"ID3\x03\0"),
    ("an MP3 file", 0, b"ID3\x04\0"),
    ("an MP4 file", 4, b"ftypisom"),
    ("an MP4 file", 4, b"ftypmp42"),
    ("a WAV file", 8, b"WAVEfmt "),
];

/// With more than one control in so many characters, it is no text.
const ODD: usize = 32;

/// What kind of binary file begins with `head`, if it is of a known one.
pub fn format(head: &[u8]) -> Option<&'static str> {
    let begins = |(_, offset, bytes): &&(&str, usize, &[u8])| {
        head.get(*offset..).is_some_and(|head| head.starts_with(bytes))
    };
    FORMATS.iter().find(begins).map(|(format, ..)| *format)
}

/// Why the text that begins with `head` in this encoding is that of a binary file, if it is.
pub fn oddity(head: &[u8], from: &'static Encoding) -> Option<String> {
    let policy = Policy { ill_formed: OnIllFormed::Replace(None), ..Policy::default() };
    let decoded = convert(head, from, &UTF_8, &Options::default().policy(policy)).ok()?;
    let text = String::from_utf8_lossy(&decoded.output);
    let nuls = text.chars().filter(|scalar| *scalar == '\0').count();
    if nuls > 0 {
        return Some(format!("as {}, its text has NUL", from.name()));
    }
    let (odd, all) = (text.chars().filter(|scalar| is_odd(*scalar)).count(), text.chars().count());
    // Well-formed UTF-8 is no accident.
    let is_proved = from == &UTF_8 && !text.contains(char::REPLACEMENT_CHARACTER);
    (ODD * odd > all && !is_proved)
        .then(|| format!("as {}, its text has control characters that text does not have", from.name()))
}

/// Whether a character is a control that text does not have: not BS, TAB, LF, VT, FF, CR, SUB and ESC.
fn is_odd(scalar: char) -> bool {
    matches!(scalar, '\0'..='\x07' | '\x0E'..='\x19' | '\x1C'..='\x1F')
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::{ISO_8859_1, UTF_16LE};

    #[test]
    fn text_is_decoded_before_it_is_judged() {
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
        let ibm037 = Encoding::named("IBM037").expect("is there");
        // "Hello, world" and a newline of EBCDIC.
        let hello = b"\xC8\x85\x93\x93\x96\x6B\x40\xA6\x96\x99\x93\x84\x15\x05";
        assert_eq!(oddity(hello, ibm037), None);
        assert!(oddity(b"a\x01\x02\x03b\xFF", &ISO_8859_1).is_some_and(|why| why.contains("control")));
        assert_eq!(oddity(b"\x1B[1mbold\x1B[0m\x08\x0C\x1A", &ISO_8859_1), None);
        assert_eq!(oddity(b"", &ISO_8859_1), None);
    }

    #[test]
    fn formats_are_told_by_their_first_bytes() {
        let mut tar = vec![b'a'; 512];
        tar[257..263].copy_from_slice(b"ustar\0");
        let cases: [(&[u8], _); 5] = [
            (b"\x89PNG\r\n\x1A\n...", Some("a PNG image")),
            (b"%PDF-1.7\n", Some("a PDF document")),
            (&tar, Some("a tar archive")),
            (b"GIF images are old\n", None),
            (b"PK", None),
        ];
        for (head, expected) in cases {
            assert_eq!(format(head), expected, "{head:02X?}");
        }
    }
}
