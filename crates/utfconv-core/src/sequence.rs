//! Decoding of a text one sequence at a time, for programs that need the bytes of each character.

use crate::decode::{Decode, Next, Several, UNASSIGNED};
use crate::encoding::Encoding;
use crate::fault::IllFormed;
use crate::newline::EbcdicNewline;

/// Decodes a text one sequence at a time, and returns the bytes of each sequence. For whole texts,
/// [`convert`](crate::convert) is many times faster.
///
/// ```
/// use utfconv_core::{Encoding, SHIFT_JIS};
///
/// let text = b"a\x83\x65\x80";
/// let (mut decoder, mut rest, mut found) = (SHIFT_JIS.sequences(), &text[..], Vec::new());
/// while let Some(sequence) = decoder.next(rest) {
///     found.push((sequence.code_points().to_vec(), sequence.len, sequence.ill_formed.is_some()));
///     rest = &rest[sequence.len..];
/// }
/// assert_eq!(found, [(vec![0x61], 1, false), (vec![0x30C6], 2, false), (vec![], 1, true)]);
/// assert!(decoder.is_initial());
/// ```
pub struct SequenceDecoder(Box<dyn Decode>);

/// The sequence that a text begins with. See [`SequenceDecoder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sequence {
    /// The number of bytes of the sequence; an ill-formed sequence has all bytes that belong together.
    pub len: usize,
    /// The rule that an ill-formed sequence breaks; `None` if the sequence is well-formed.
    pub ill_formed: Option<IllFormed>,
    /// The number of maximal subparts (Unicode 3.9, D93b) of an ill-formed sequence; otherwise 0.
    pub subparts: usize,
    code_points: Several,
}

impl Sequence {
    /// Returns the code points: usually one, up to four in BIG5-HKSCS, JIS X 0213 and TSCII, none for a shift or an
    /// ill-formed sequence. Only WTF-8, UTF-8-2279 and UCS-4 have code points that are not scalar values. See
    /// [`SequenceDecoder`].
    #[must_use]
    pub fn code_points(&self) -> &[u32] {
        &self.code_points
    }
}

impl SequenceDecoder {
    /// Decodes and consumes the first sequence of `rest`, which must be all of the text that is not yet consumed.
    /// Returns `None` at the end.
    pub fn next(&mut self, rest: &[u8]) -> Option<Sequence> {
        let next = self.0.next(rest, true);
        let sequence = match next {
            Next::IllFormed(found) => Sequence {
                len: found.len,
                ill_formed: Some(found.kind),
                subparts: found.subparts.max(1),
                code_points: Several::default(),
            },
            next => {
                let (code_points, len) = next.sequence()?;
                Sequence { len, ill_formed: None, subparts: 0, code_points }
            }
        };
        self.0.commit();
        Some(sequence)
    }

    /// Whether the next bytes are decoded as at the start of a text, which is false inside a shift state.
    #[must_use]
    pub fn is_initial(&self) -> bool {
        self.0.is_initial()
    }
}

impl Encoding {
    /// Returns a decoder of single sequences, for which a BOM is the character U+FEFF. See [`SequenceDecoder`].
    #[must_use]
    pub fn sequences(&self) -> SequenceDecoder {
        SequenceDecoder(self.form().decoder(EbcdicNewline::default()))
    }

    /// Encodes a text, without a BOM. Returns `None` if a character has no code in this encoding.
    ///
    /// ```
    /// use utfconv_core::ISO_8859_1;
    ///
    /// assert_eq!(ISO_8859_1.encode("café").as_deref(), Some(&b"caf\xE9"[..]));
    /// assert_eq!(ISO_8859_1.encode("5 €"), None);
    /// ```
    #[must_use]
    pub fn encode(&self, text: &str) -> Option<Vec<u8>> {
        if text.is_ascii() && self.is_ascii_compatible() {
            return Some(text.as_bytes().to_vec());
        }
        let (mut encoder, mut bytes) = (self.form().encoder(EbcdicNewline::default()), Vec::new());
        let is_possible = text.chars().all(|scalar| encoder.encode(scalar.into(), &mut bytes));
        encoder.finish(&mut bytes);
        is_possible.then_some(bytes)
    }

    /// The code unit that marks an undefined byte in a table, U+FFFD. See [`Encoding::table`].
    pub const UNDEFINED: u16 = UNASSIGNED;

    /// Returns the character of each byte of a single-byte encoding, as a UTF-16 code unit; [`Encoding::UNDEFINED`] for
    /// undefined bytes. In windows-1258 and similar encodings, letters and marks are separate. Returns `None` if the
    /// encoding has codes of several bytes or shift states.
    ///
    /// ```
    /// use utfconv_core::Encoding;
    /// use utfconv_core::encodings::{SHIFT_JIS, WINDOWS_1252};
    ///
    /// let table = WINDOWS_1252.table().expect("single bytes");
    /// assert_eq!((table[0x80], table[0x81]), (0x20AC, Encoding::UNDEFINED));
    /// assert!(SHIFT_JIS.table().is_none());
    /// ```
    #[must_use]
    pub fn table(&self) -> Option<&'static [u16; 256]> {
        self.form().table()
    }
}
