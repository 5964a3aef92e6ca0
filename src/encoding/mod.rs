//! The encodings: one row each, and what follows from a row.
//!
//! To add an encoding, write its codec (a type in [`crate::decode`] and [`crate::encode`]), give it a [`Form`], and add
//! a row to [`ALL`].

mod names;

use crate::decode::Decode;
use crate::encode::{Encode, WIDEST};

/// A character encoding: an encoding form with its rules for byte order and signature (an encoding scheme in the words
/// of Unicode 3.10).
///
/// Encodings are compared and passed by reference; get one with [`Encoding::named`] or use a constant such as
/// [`UTF_8`](crate::UTF_8).
#[derive(PartialEq, Eq)]
pub struct Encoding {
    name: &'static str,
    aliases: &'static [&'static str],
    form: Form,
    mark: Mark,
}

/// How bytes and scalar values correspond, byte order included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Cesu8,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
    Latin1,
    Ascii,
}

/// What U+FEFF at the start of a text means in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// The encoding has no U+FEFF.
    None,
    /// A signature that may be there (UTF-8).
    Signature,
    /// Text, since the name gives the byte order (UTF-16LE).
    Text,
    /// It decides the byte order, and is written (UTF-16). The row's form is what is read without it, and written.
    ByteOrder,
}

/// Evaluates `$body` with `$codec` as the name of the form's type: the one place that joins forms and codecs.
macro_rules! with_codec {
    ($form:expr, $codec:ident => $body:expr) => {
        match $form {
            $crate::encoding::Form::Utf8 => {
                type $codec = $crate::decode::Utf8;
                $body
            }
            $crate::encoding::Form::Cesu8 => {
                type $codec = $crate::decode::Cesu8;
                $body
            }
            $crate::encoding::Form::Utf16Le => {
                type $codec = $crate::decode::Utf16<false>;
                $body
            }
            $crate::encoding::Form::Utf16Be => {
                type $codec = $crate::decode::Utf16<true>;
                $body
            }
            $crate::encoding::Form::Utf32Le => {
                type $codec = $crate::decode::Utf32<false>;
                $body
            }
            $crate::encoding::Form::Utf32Be => {
                type $codec = $crate::decode::Utf32<true>;
                $body
            }
            $crate::encoding::Form::Latin1 => {
                type $codec = $crate::decode::Latin1;
                $body
            }
            $crate::encoding::Form::Ascii => {
                type $codec = $crate::decode::Ascii;
                $body
            }
        }
    };
}
pub(crate) use with_codec;

const HOST_UTF_16: Form = if cfg!(target_endian = "big") { Form::Utf16Be } else { Form::Utf16Le };
const HOST_UTF_32: Form = if cfg!(target_endian = "big") { Form::Utf32Be } else { Form::Utf32Le };

macro_rules! encodings {
    ($($(#[$doc:meta])* $id:ident = $name:literal $aliases:expr, $form:expr, $mark:ident;)+) => {
        $($(#[$doc])* pub static $id: Encoding =
            Encoding { name: $name, aliases: &$aliases, form: $form, mark: Mark::$mark };)+

        /// Every encoding, in the order in which they are listed to users.
        pub static ALL: &[&Encoding] = &[$(&$id),+];
    };
}

encodings! {
    /// UTF-8 (RFC 3629).
    UTF_8 = "UTF-8" ["csUTF8", "unicode-1-1-utf-8", "utf8mb4", "cp65001", "65001"], Form::Utf8, Signature;
    /// UTF-16 with a byte order mark; read in host order where there is none (RFC 2781).
    UTF_16 = "UTF-16" ["csUTF16"], HOST_UTF_16, ByteOrder;
    /// UTF-16, little-endian (RFC 2781).
    UTF_16LE = "UTF-16LE" ["csUTF16LE", "cp1200"], Form::Utf16Le, Text;
    /// UTF-16, big-endian (RFC 2781).
    UTF_16BE = "UTF-16BE" ["csUTF16BE", "cp1201"], Form::Utf16Be, Text;
    /// UTF-32 with a byte order mark; read in host order where there is none (Unicode 3.10, D101).
    UTF_32 = "UTF-32" ["csUTF32"], HOST_UTF_32, ByteOrder;
    /// UTF-32, little-endian (Unicode 3.10, D100).
    UTF_32LE = "UTF-32LE" ["csUTF32LE", "cp12000"], Form::Utf32Le, Text;
    /// UTF-32, big-endian (Unicode 3.10, D99).
    UTF_32BE = "UTF-32BE" ["csUTF32BE", "cp12001"], Form::Utf32Be, Text;
    /// CESU-8 (UTR #26): UTF-16 surrogate pairs in three bytes a surrogate.
    CESU_8 = "CESU-8" ["csCESU8"], Form::Cesu8, Signature;
    /// ISO-8859-1, exactly the bytes 00..FF for U+0000..U+00FF, as IANA has it; not windows-1252.
    ISO_8859_1 = "ISO-8859-1" [
        "latin1", "l1", "ISO_8859-1:1987", "iso-ir-100", "IBM819", "CP819", "csISOLatin1", "8859_1", "cp28591",
    ], Form::Latin1, None;
    /// US-ASCII (RFC 20).
    US_ASCII = "US-ASCII" [
        "ASCII", "ANSI_X3.4-1968", "ANSI_X3.4-1986", "ISO646-US", "ISO_646.irv:1991", "iso-ir-6", "IBM367", "cp367",
        "us", "646", "csASCII", "cp20127",
    ], Form::Ascii, None;
}

impl Encoding {
    /// The encoding of that name or alias, in any case and with any separators: `utf_8`, `UTF8`, `Latin-1`.
    pub fn named(name: &str) -> Option<&'static Encoding> {
        names::find(name)
    }

    /// The canonical name of an encoding that this library leaves out by decision, if `name` names one.
    pub fn is_out_of_scope(name: &str) -> Option<&'static str> {
        names::find_out_of_scope(name)
    }

    /// The canonical name, which is IANA's.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The other names, in the spelling of their source.
    pub fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// Bytes in a code unit: 1, 2 or 4.
    pub fn unit(&self) -> usize {
        match self.form {
            Form::Utf8 | Form::Cesu8 | Form::Latin1 | Form::Ascii => 1,
            Form::Utf16Le | Form::Utf16Be => 2,
            Form::Utf32Le | Form::Utf32Be => 4,
        }
    }

    /// Whether the bytes 00..7F always are the ASCII characters, and nothing else is.
    pub fn is_ascii_compatible(&self) -> bool {
        self.unit() == 1
    }

    /// Whether U+FEFF can be written at the start of a text in this encoding.
    pub fn can_carry_signature(&self) -> bool {
        self.mark != Mark::None
    }

    pub(crate) fn form(&self) -> Form {
        self.form
    }

    pub(crate) fn mark(&self) -> Mark {
        self.mark
    }

    /// The bytes of U+FEFF; empty where the encoding has none.
    pub(crate) fn mark_bytes(&self) -> Vec<u8> {
        let mut room = [0; WIDEST];
        self.encoder().encode('\u{FEFF}', &mut room).unwrap_or_default().to_vec()
    }

    /// The encoding in the given byte order: the row for `form` where this one leaves the order open.
    pub(crate) fn in_form(&'static self, form: Form) -> &'static Encoding {
        let fixed = |row: &&&'static Encoding| row.form == form && row.mark == Mark::Text;
        ALL.iter().find(fixed).copied().unwrap_or(self)
    }

    /// Whether `bytes` are a signature that texts in this encoding may have.
    pub(crate) fn is_signed_with(&self, bytes: &[u8]) -> bool {
        self.mark == Mark::Signature && bytes == self.mark_bytes()
    }

    /// The rows that a text in this encoding can turn out to be in, once its byte order is known.
    pub(crate) fn orders(&'static self) -> impl Iterator<Item = &'static Encoding> {
        let open = self.mark == Mark::ByteOrder;
        let rows: &'static [&'static Encoding] = if open { ALL } else { &[] };
        let fixed = rows.iter().copied().filter(|row| row.mark == Mark::Text && row.unit() == self.unit());
        fixed.chain((!open).then_some(self))
    }

    pub(crate) fn decoder(&self) -> Box<dyn Decode> {
        with_codec!(self.form, C => Box::new(C {}))
    }

    pub(crate) fn encoder(&self) -> Box<dyn Encode> {
        with_codec!(self.form, C => Box::new(C {}))
    }
}

impl std::fmt::Debug for Encoding {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
