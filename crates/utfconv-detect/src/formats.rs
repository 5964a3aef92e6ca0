//! Formats of binary files, known by their first bytes. Detection, checks and conversions use this list.

use std::fmt;

/// A file format, known by the first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A binary format; no text begins with its bytes.
    Binary(&'static str),
    /// A format whose markup is ASCII. The file itself names the encoding of its other bytes, so a conversion would
    /// corrupt it.
    OwnEncoding(&'static str),
}

/// The formats, each with the bytes that identify it and their offset. No text in any encoding has the bytes of a
/// binary format at that offset.
const FORMATS: &[(Format, usize, &[u8])] = {
    use Format::{Binary, OwnEncoding};
    &[
        (Binary("a PNG image"), 0, b"\x89PNG\r\n\x1A\n"),
        (Binary("a JPEG image"), 0, b"\xFF\xD8\xFF"),
        (Binary("a GIF image"), 0, b"GIF87a"),
        (Binary("a GIF image"), 0, b"GIF89a"),
        (Binary("a WebP image"), 8, b"WEBPVP8"),
        (Binary("a TIFF image"), 0, b"II*\0\x08\0\0\0"),
        (Binary("a TIFF image"), 0, b"MM\0*\0\0\0\x08"),
        (Binary("a Photoshop image"), 0, b"8BPS\0\x01"),
        (Binary("a gzip file"), 0, b"\x1F\x8B\x08"),
        (Binary("a bzip2 file"), 4, b"1AY&SY"),
        (Binary("an xz file"), 0, b"\xFD7zXZ\0"),
        (Binary("a Zstandard file"), 0, b"\x28\xB5\x2F\xFD"),
        (Binary("an LZ4 file"), 0, b"\x04\x22\x4D\x18"),
        (Binary("a compress file"), 0, b"\x1F\x9D\x90"),
        (Binary("a ZIP archive"), 0, b"PK\x03\x04"),
        (Binary("a ZIP archive"), 0, b"PK\x05\x06"),
        (Binary("a 7z archive"), 0, b"7z\xBC\xAF\x27\x1C"),
        (Binary("a RAR archive"), 0, b"Rar!\x1A\x07"),
        (Binary("a tar archive"), 257, b"ustar\0"),
        (Binary("a tar archive"), 257, b"ustar  \0"),
        (Binary("an ar archive"), 0, b"!<arch>\n"),
        (Binary("an RPM package"), 0, b"\xED\xAB\xEE\xDB"),
        (Binary("a cabinet archive"), 0, b"MSCF\0\0\0\0"),
        (Binary("an ELF executable"), 0, b"\x7FELF"),
        (Binary("a Windows executable"), 0, b"MZ\x90\0\x03\0\0\0"),
        (Binary("a Mach-O executable"), 0, b"\xCF\xFA\xED\xFE"),
        (Binary("a Mach-O executable"), 0, b"\xCA\xFE\xBA\xBE\0\0\0"),
        (Binary("a WebAssembly module"), 0, b"\0asm\x01\0\0\0"),
        (Binary("a PDF document"), 0, b"%PDF-1."),
        (Binary("a PDF document"), 0, b"%PDF-2."),
        (Binary("an Office document"), 0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
        (Binary("an SQLite database"), 0, b"SQLite format 3\0"),
        (Binary("a font"), 0, b"wOFF"),
        (Binary("a font"), 0, b"wOF2"),
        (Binary("a font"), 0, b"OTTO\0"),
        (Binary("an Ogg file"), 0, b"OggS\0"),
        (Binary("a FLAC file"), 0, b"fLaC\0"),
        (Binary("an MP3 file"), 0, b"ID3\x03\0"),
        (Binary("an MP3 file"), 0, b"ID3\x04\0"),
        (Binary("an MP4 file"), 4, b"ftypisom"),
        (Binary("an MP4 file"), 4, b"ftypmp42"),
        (Binary("a WAV file"), 8, b"WAVEfmt "),
        (OwnEncoding("an RTF document"), 0, b"{\\rtf"),
        (OwnEncoding("a PostScript program"), 0, b"%!PS"),
    ]
};

impl Format {
    /// Returns the format of the file that begins with `head`, if the format is known.
    ///
    /// ```
    /// use utfconv_detect::Format;
    ///
    /// assert_eq!(Format::of(b"%PDF-1.7\n"), Some(Format::Binary("a PDF document")));
    /// assert_eq!(Format::of(b"{\\rtf1\\ansi"), Some(Format::OwnEncoding("an RTF document")));
    /// assert_eq!(Format::of(b"PDF files begin with %PDF"), None);
    /// ```
    pub fn of(head: &[u8]) -> Option<Format> {
        let begins = |(_, offset, bytes): &&(Format, usize, &[u8])| {
            head.get(*offset..).is_some_and(|head| head.starts_with(bytes))
        };
        FORMATS.iter().find(begins).map(|(format, ..)| *format)
    }
}

/// Writes why a file of the format is binary.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Format::Binary(name) => write!(f, "it begins as {name}"),
            Format::OwnEncoding(name) => {
                write!(f, "it is {name} with bytes that are not ASCII, whose encoding it names itself")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_show_the_format() {
        let mut tar = vec![b'a'; 512];
        tar[257..263].copy_from_slice(b"ustar\0");
        let cases: [(&[u8], _); 6] = [
            (b"\x89PNG\r\n\x1A\n...", Some(Format::Binary("a PNG image"))),
            (b"BZh51AY&SY", Some(Format::Binary("a bzip2 file"))),
            (&tar, Some(Format::Binary("a tar archive"))),
            (b"%!PS-Adobe-3.0\n", Some(Format::OwnEncoding("a PostScript program"))),
            (b"GIF images are old\n", None),
            (b"PK", None),
        ];
        for (head, expected) in cases {
            assert_eq!(Format::of(head), expected, "{head:02X?}");
        }
    }
}
