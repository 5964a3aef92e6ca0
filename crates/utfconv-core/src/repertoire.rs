//! The repertoire of an encoding, which is the set of characters that it can encode.
//!
//! A repertoire judges each character by itself; the transcoder decides how a text is written.

use crate::encode::Encode;
use crate::encoding::Encoding;
use crate::newline::EbcdicNewline;

/// Tells which characters an encoding can encode, without converting any; all others are unmappable.
///
/// A character that is written as several codes, such as a letter of Vietnamese in windows-1258, is in the repertoire.
/// A character that can be written only together with the letter before it, such as U+0304 in Big5-HKSCS, is not.
///
/// ```
/// use utfconv_core::{ISO_8859_1, Repertoire};
///
/// let latin1 = Repertoire::of(&ISO_8859_1);
/// assert!(latin1.has('é') && !latin1.has('€'));
/// assert_eq!(latin1.encoding(), &ISO_8859_1);
/// ```
pub struct Repertoire {
    encoding: &'static Encoding,
    encoder: Box<dyn Encode>,
}

impl std::fmt::Debug for Repertoire {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_tuple("Repertoire").field(&self.encoding).finish()
    }
}

impl Repertoire {
    /// Returns the repertoire of `encoding`. Keep the repertoire, because creating it takes longer than asking it.
    pub fn of(encoding: &'static Encoding) -> Repertoire {
        // Both readings of EBCDIC's newlines have the same characters.
        Repertoire { encoding, encoder: encoding.form().encoder(EbcdicNewline::default()) }
    }

    /// Returns the encoding whose repertoire this is.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Whether the encoding can encode `scalar`.
    #[must_use]
    pub fn has(&self, scalar: char) -> bool {
        self.encoder.has(scalar.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fault, OnUnmappable, Options, Policy, UTF_8, convert_reporting};

    /// For every character up to the last in any table, the repertoire agrees with a conversion.
    #[test]
    fn the_repertoire_agrees_with_conversions() {
        const LAST: char = '\u{2FFFF}';
        let policy = Policy::default().unmappable(OnUnmappable::Omit);
        for name in [
            "US-ASCII",
            "ISO-8859-1",
            "windows-1258",
            "windows-1255",
            "IBM1047",
            "UCS-2",
            "CESU-8",
            "UTF-7",
            "Shift_JIS",
            "EUC-JP",
            "ISO-2022-JP",
            "EUC-KR",
            "GB2312",
            "GB18030",
            "Big5",
            "Big5-HKSCS",
        ] {
            let encoding = Encoding::for_name(name).expect("is there");
            let repertoire = Repertoire::of(encoding);
            // Put a space after each character, because a space combines with no character.
            let text: String = ('\0'..=LAST).flat_map(|scalar| [scalar, ' ']).collect();
            for ebcdic_newline in [EbcdicNewline::Nel, EbcdicNewline::Lf] {
                let options = Options::default().policy(policy.clone()).ebcdic_newline(ebcdic_newline);
                let mut unmappable = Vec::new();
                let report = |fault: Fault| unmappable.push(fault.offset);
                let _ =
                    convert_reporting(text.as_bytes(), &UTF_8, encoding, &options, report).expect("goes on");
                let mut unmappable = unmappable.into_iter().peekable();
                let mut at = 0;
                for scalar in '\0'..=LAST {
                    let is_unmappable = unmappable.next_if_eq(&at).is_some();
                    assert_eq!(repertoire.has(scalar), !is_unmappable, "{name} {scalar:?}");
                    at += scalar.len_utf8() as u64 + 1;
                }
                if !encoding.is_ebcdic() {
                    break;
                }
            }
        }
    }
}
