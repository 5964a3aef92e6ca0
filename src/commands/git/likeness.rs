//! Decides whether the bytes of a file look like UTF-8 or like text in the other encoding of a filter, because both may
//! decode them.

use memchr::memchr;
use utfconv_core::{
    EbcdicNewline, Encoding, InputBom, Options, OutputBom, UTF_8, convert, utf8_well_formed_up_to,
};

use utfconv_core::utf8::{end_of_whole_sequences, is_continuation};

/// Minimum number of UTF-8 characters that do not occur by chance in any encoding.
const ENOUGH: usize = 4;

/// How UTF-8 text appears in another encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistakable {
    /// The text is the same, or nearly so.
    Same,
    /// ASCII decodes to other text, because the encoding has wider code units or is EBCDIC.
    Ascii,
    /// ASCII text is the same. Bytes with at least this many non-ASCII UTF-8 characters are hardly text in the
    /// encoding.
    Others(usize),
}

impl Mistakable {
    /// Returns how UTF-8 appears in text of this encoding.
    pub fn in_text_of(encoding: &'static Encoding, newline: EbcdicNewline) -> Mistakable {
        let options = Options::default().ebcdic_newline(newline);
        let bare = options.clone().output_bom(OutputBom::Never);
        let is_same = convert("漢".as_bytes(), &UTF_8, encoding, &bare)
            .is_ok_and(|encoded| encoded.output == "漢".as_bytes());
        if is_same {
            return Mistakable::Same;
        }
        if encoding.code_unit_len() > 1 || encoding.is_ebcdic() {
            return Mistakable::Ascii;
        }
        // If two bytes of UTF-8 can be one character of the encoding, they may occur by chance.
        let is_pair = |lead: u8| {
            convert(&[lead, 0xA9], encoding, &UTF_8, &options.clone().input_bom(InputBom::Text))
                .is_ok_and(|decoded| String::from_utf8_lossy(&decoded.output).chars().count() == 1)
        };
        Mistakable::Others(if (0xC2..=0xDF).any(is_pair) { ENOUGH } else { 1 })
    }
}

/// Facts about bytes that arrive in chunks.
#[derive(Debug, Default)]
pub struct Likeness {
    /// Whether the bytes are ill-formed UTF-8, whatever follows.
    pub is_ill_formed: bool,
    pub has_nul: bool,
    has_bytes: bool,
    /// Number of non-ASCII characters.
    others: usize,
    /// The start of a sequence that continues in the next chunk.
    cut: Vec<u8>,
}

impl Likeness {
    pub fn of(content: &[u8]) -> Likeness {
        let mut likeness = Likeness::default();
        likeness.feed(content);
        likeness
    }

    pub fn feed(&mut self, chunk: &[u8]) {
        self.has_bytes |= !chunk.is_empty();
        self.has_nul = self.has_nul || memchr(0, chunk).is_some();
        if self.is_ill_formed {
            return;
        }
        if self.cut.is_empty() {
            return self.feed_whole(chunk);
        }
        let joined = [std::mem::take(&mut self.cut), chunk.to_vec()].concat();
        self.feed_whole(&joined);
    }

    fn feed_whole(&mut self, text: &[u8]) {
        let (text, cut) = text.split_at(end_of_whole_sequences(text));
        self.cut = cut.to_vec();
        self.is_ill_formed = utf8_well_formed_up_to(text) < text.len();
        if self.others < ENOUGH {
            let leads = text.iter().filter(|byte| !byte.is_ascii() && !is_continuation(**byte));
            self.others += leads.take(ENOUGH).count();
        }
    }

    /// Whether all bytes are well-formed UTF-8.
    pub fn is_utf8(&self) -> bool {
        !self.is_ill_formed && self.cut.is_empty()
    }

    /// Whether the bytes look like UTF-8, and not like text of the encoding.
    pub fn is_rather_utf8(&self, mistakable: Mistakable) -> bool {
        let has_signs = match mistakable {
            Mistakable::Same => false,
            Mistakable::Ascii => !self.has_nul && self.has_bytes,
            Mistakable::Others(enough) => self.others >= enough,
        };
        has_signs && self.is_utf8()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::{UTF_16LE, encodings::CESU_8};

    fn in_text_of(name: &str) -> Mistakable {
        Mistakable::in_text_of(Encoding::for_name(name).expect("is there"), EbcdicNewline::Nel)
    }

    #[test]
    fn utf8_is_distinguished_from_other_encodings() {
        assert_eq!(in_text_of("UTF-8"), Mistakable::Same);
        assert_eq!(Mistakable::in_text_of(&CESU_8, EbcdicNewline::Nel), Mistakable::Same);
        assert_eq!(Mistakable::in_text_of(&UTF_16LE, EbcdicNewline::Nel), Mistakable::Ascii);
        assert_eq!(in_text_of("IBM037"), Mistakable::Ascii);
        for (name, enough) in [("windows-1252", 1), ("KOI8-R", 1), ("EUC-JP", 4), ("GBK", 4), ("Big5", 4)] {
            assert_eq!(in_text_of(name), Mistakable::Others(enough), "{name}");
        }
    }

    /// The result does not depend on where the bytes are split.
    #[test]
    fn chunks_make_no_difference() {
        for (text, in_utf16, in_latin1) in [
            (&b"ab"[..], true, false),
            (b"", false, false),
            ("né\n".as_bytes(), true, true),
            ("日本語😀".as_bytes(), true, true),
            (b"a\0b\0", false, false),
            (b"caf\xE9", false, false),
            (b"\xC3", false, false),
            (b"\xF0\x9F\x98", false, false),
        ] {
            for one in 0..=text.len() {
                for other in one..=text.len() {
                    let mut likeness = Likeness::default();
                    [&text[..one], &text[one..other], &text[other..]]
                        .iter()
                        .for_each(|chunk| likeness.feed(chunk));
                    assert_eq!(
                        likeness.is_rather_utf8(Mistakable::Ascii),
                        in_utf16,
                        "{text:?} {one} {other}"
                    );
                    assert_eq!(
                        likeness.is_rather_utf8(Mistakable::Others(1)),
                        in_latin1,
                        "{text:?} {one} {other}"
                    );
                    assert!(!likeness.is_rather_utf8(Mistakable::Same));
                }
            }
        }
    }
}
