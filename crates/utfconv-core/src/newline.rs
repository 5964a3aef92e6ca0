//! The newline of EBCDIC, which is one of two bytes.

/// Which control characters the EBCDIC bytes 15 and 25 (hexadecimal) are.
///
/// ```
/// use utfconv_core::{EbcdicNewline, Options, encodings::IBM1047, decode_to_string};
///
/// assert_eq!(decode_to_string(b"\x15", &IBM1047, &Options::default())?, "\u{85}");
/// assert_eq!(decode_to_string(b"\x15", &IBM1047, &Options::default().ebcdic_newline(EbcdicNewline::Lf))?, "\n");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum EbcdicNewline {
    /// Byte 15 is NEXT LINE (U+0085) and byte 25 is LINE FEED, as in IBM's tables and in every iconv.
    #[default]
    Nel,
    /// Byte 15 is LINE FEED and byte 25 is NEXT LINE, as in text from z/OS Unix System Services.
    Lf,
}
