//! The newline of EBCDIC, which has two meanings.

/// Which control character the bytes 15 and 25 of EBCDIC are.
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
    /// 15 is NEXT LINE (U+0085) and 25 LINE FEED, as in IBM's tables and in every iconv.
    #[default]
    Nel,
    /// 15 is LINE FEED and 25 NEXT LINE, as text from z/OS Unix System Services has it.
    Lf,
}
