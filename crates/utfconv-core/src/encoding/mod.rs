//! The encodings, which are one row each, and the properties of a row.
//!
//! Each family of encodings is a feature of the crate, except `unicode`.
//!
//! To add an encoding, write its codec (in [`crate::decode`] and [`crate::encode`]), and add a row. Most encodings with
//! shift states are a [`Codec`](crate::codec::Codec); any other is a new [`Form`], with an arm in [`with_codec`] or in
//! [`Form::decoder`] and [`Form::encoder`]. A single-byte code page needs only a row in `pages.py`, which generates
//! `pages.rs` and `ebcdic.rs`.

pub(crate) mod names;

/// Defines encodings in rows of name, encoding form, meaning of U+FEFF, and other names if there are any.
macro_rules! encodings {
    ($($(#[$doc:meta])* $id:ident = $name:literal, $form:expr, $bom:expr $(, $aliases:literal)?;)+) => {
        $($(#[$doc])* pub static $id: Encoding =
            Encoding::new($name, concat!($($aliases)?), $form, $bom, {
                static KERNELS: Utf8Kernels = Utf8Kernels::new();
                &KERNELS
            });)+

        /// All encodings that this file lists, in its order.
        pub(super) static ALL: &[&Encoding] = &[$(&$id),+];
    };
}

/// Defines single-byte encodings by tables. A row is the name, the other names, and either the characters of the bytes
/// `from` a number on, or the name of a table that the row is `like` and the bytes that differ.
macro_rules! single_byte {
    (@table from $first:literal $characters:literal) => { PageTable::of($first, $characters) };
    (@table like US_ASCII $changes:tt) => { PageTable::changed(PageTable::ASCII, &$changes) };
    (@table like ISO_8859_1 $changes:tt) => { PageTable::changed(PageTable::LATIN1, &$changes) };
    (@table like $base:ident $changes:tt) => { PageTable::changed($base, &$changes) };
    (@list) => { &[] };
    (@list $rows:tt) => { &$rows };
    (is_ebcdic: $is_ebcdic:literal; $(
        $id:ident = $name:literal, $aliases:literal,
        $(from $first:literal $characters:literal)? $(like $base:ident $changes:tt)?
        $(one_way $one_way:tt)? $(composed $composed:tt)? $(taken_apart $taken_apart:tt)?;
    )+) => {
        /// The table of each page, from bytes to characters.
        mod tables {
            use crate::decode::PageTable;

            $(pub const $id: [u16; 256] = single_byte!(@table $(from $first $characters)? $(like $base $changes)?);)+
        }

        encodings! {
            $(
                #[doc = concat!("The single-byte page ", $name, ".")]
                $id = $name, {
                    static PAGE: CodePage = CodePage::new(PageTable {
                        to_unicode: tables::$id,
                        one_way: single_byte!(@list $($one_way)?),
                        composed: single_byte!(@list $($composed)?),
                        taken_apart: single_byte!(@list $($taken_apart)?),
                        is_ebcdic: $is_ebcdic,
                    });
                    Form::Page(&PAGE)
                }, BomMeaning::None, $aliases;
            )+
        }
    };
}

#[cfg(feature = "east-asian")]
mod east_asian;
#[cfg(feature = "ebcdic")]
mod ebcdic;
#[cfg(feature = "ebcdic")]
mod host;
#[cfg(feature = "pages")]
mod latin;
#[cfg(feature = "pages")]
mod pages;
mod readers;
mod row;
#[cfg(feature = "stateful")]
mod stateful;
pub(crate) mod suffixes;
mod unicode;
pub(crate) mod web;

/// Lists the modules of encodings, each after the condition under which it exists.
macro_rules! families {
    ($($(#[$condition:meta])? $family:ident;)+) => {
        /// The encodings of the features that are on, as constants.
        pub mod constants {
            $($(#[$condition])? pub use super::$family::*;)+
        }

        /// The encodings of the features that are on.
        static BY_FAMILY: &[&[&Encoding]] = &[$($(#[$condition])? $family::ALL),+];
    };
}

families! {
    unicode;
    #[cfg(feature = "east-asian")] east_asian;
    #[cfg(feature = "stateful")] stateful;
    #[cfg(feature = "pages")] latin;
    #[cfg(feature = "pages")] pages;
    #[cfg(feature = "ebcdic")] ebcdic;
    #[cfg(feature = "ebcdic")] host;
}

pub use constants::*;
pub use names::UnknownEncoding;
pub(crate) use row::BomMeaning;
pub use row::Encoding;

use crate::decode::{CodePage, IllFormedSequence, PageTable};
use crate::fault::{FaultKind, IllFormed};
use crate::form::Form;
use crate::utf8_codec::Utf8Kernels;

impl Encoding {
    /// Returns the number of bytes in a code unit, which is 1, 2 or 4.
    pub fn code_unit_len(&self) -> usize {
        self.form.code_unit_len()
    }

    /// Whether ASCII characters are always the bytes 00..7F, and the bytes 00..7F are always ASCII characters. True for
    /// windows-1258 as well, although windows-1258 reads a letter and the tone mark after it as one character.
    pub fn is_ascii_compatible(&self) -> bool {
        match self.form {
            Form::Utf8 | Form::Cesu8 | Form::Wtf8 | Form::Utf8Of2279 | Form::Latin1 | Form::Ascii => true,
            Form::Page(table) => table.is_ascii(),
            Form::MultiByte(tables) => tables.get().is_ascii(),
            _ => false,
        }
    }

    /// Whether a text in `scheme` is a text in this encoding. True if both are the same encoding, or if this encoding
    /// is UTF-16 or UTF-32 and `scheme` fixes the byte order (The Unicode Standard, section 3.10).
    ///
    /// ```
    /// use utfconv_core::{UTF_16, UTF_16LE};
    ///
    /// assert!(UTF_16.includes_scheme(&UTF_16LE) && !UTF_16LE.includes_scheme(&UTF_16));
    /// ```
    pub fn includes_scheme(&self, scheme: &Encoding) -> bool {
        let orders: &[&Encoding] = match self {
            _ if self == &UTF_16 => &[&UTF_16LE, &UTF_16BE],
            _ if self == &UTF_32 => &[&UTF_32LE, &UTF_32BE],
            _ => &[],
        };
        self == scheme || orders.contains(&scheme)
    }

    /// Whether this is a code page of the EBCDIC family, in which the newline bytes have two meanings
    /// ([`EbcdicNewline`](crate::EbcdicNewline)).
    ///
    /// ```
    /// assert!(utfconv_core::encodings::IBM1047.is_ebcdic());
    /// ```
    pub fn is_ebcdic(&self) -> bool {
        match self.form {
            Form::Page(page) => page.is_ebcdic,
            Form::Host(_) => true,
            _ => false,
        }
    }

    /// Whether this is an ISO 8859 page, which has C1 controls at 80..9F, where Windows pages have letters and symbols.
    ///
    /// ```
    /// assert!(utfconv_core::ISO_8859_1.is_iso_8859());
    /// ```
    pub fn is_iso_8859(&self) -> bool {
        self.name.starts_with("ISO-8859-")
    }

    /// Whether the encoding has shift states, so that the meaning of bytes depends on earlier bytes, as in UTF-7.
    ///
    /// ```
    /// use utfconv_core::{SHIFT_JIS, encodings::ISO_2022_JP};
    ///
    /// assert!(ISO_2022_JP.is_stateful() && !SHIFT_JIS.is_stateful());
    /// ```
    pub fn is_stateful(&self) -> bool {
        self.form.is_stateful()
    }

    /// Whether code units are bytes, and a sequence of bytes means the same wherever it is.
    ///
    /// ```
    /// use utfconv_core::{SHIFT_JIS, UTF_16LE, encodings::UTF_7};
    ///
    /// assert!(SHIFT_JIS.is_of_bytes() && !UTF_7.is_of_bytes() && !UTF_16LE.is_of_bytes());
    /// ```
    pub fn is_of_bytes(&self) -> bool {
        self.code_unit_len() == 1 && !self.is_stateful()
    }

    /// Whether foreign bytes can be copied into a text without changing the meaning of the bytes after them. True for
    /// UTF-8 and for single-byte encodings that contain ASCII; elsewhere a copied lead byte would take the next
    /// character as its trail byte.
    ///
    /// ```
    /// use utfconv_core::{ISO_8859_1, SHIFT_JIS, UTF_8, UTF_16LE};
    ///
    /// assert!(UTF_8.takes_raw_bytes() && ISO_8859_1.takes_raw_bytes());
    /// assert!(!SHIFT_JIS.takes_raw_bytes() && !UTF_16LE.takes_raw_bytes());
    /// ```
    pub fn takes_raw_bytes(&self) -> bool {
        match self.form {
            Form::Utf8 | Form::Latin1 | Form::Ascii => true,
            Form::Page(table) => table.is_ascii(),
            _ => false,
        }
    }

    /// Whether U+FEFF can be written at the start of a text in this encoding.
    pub fn can_carry_bom(&self) -> bool {
        self.bom != BomMeaning::None
    }

    /// Returns the encoding with the byte order of its form; for UTF-16, that is the byte order in which text without a
    /// BOM is read.
    pub(crate) fn in_order(&'static self) -> &'static Encoding {
        self.orders().find(|row| row.form == self.form).unwrap_or(self)
    }

    /// Whether `bytes` are a BOM that texts in this encoding may have.
    pub(crate) fn may_begin_with(&self, bytes: &[u8]) -> bool {
        self.bom == BomMeaning::Bom && bytes == self.bom_bytes()
    }

    /// Returns the kind of fault that `found` is; `bytes` are its bytes in a source in this encoding.
    pub(crate) fn ill_formed(&'static self, found: &IllFormedSequence, bytes: &[u8]) -> FaultKind {
        let IllFormedSequence { kind, means, pair, .. } = *found;
        let announced = match kind {
            IllFormed::Truncated => bytes.first().and_then(|lead| self.announced(*lead)),
            _ => None,
        };
        FaultKind::IllFormed { encoding: self, kind, means, pair, announced }
    }

    /// Returns the number of bytes of a sequence that begins with `lead`, or `None` if the lead byte alone does not
    /// decide.
    fn announced(&self, lead: u8) -> Option<usize> {
        match self.form {
            form if form.is_like_utf8() => Some(crate::decode::utf8::announced(lead)),
            Form::MultiByte(tables) => tables.get().announced(lead),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newline::EbcdicNewline;

    #[test]
    fn boms_are_the_bytes_of_u_feff() {
        let web = Encoding::for_label("gb18030").expect("a label");
        for encoding in Encoding::all().chain([web]).filter(|encoding| !encoding.is_stateful()) {
            let mut bytes = Vec::new();
            encoding.form.encoder(EbcdicNewline::default()).encode(0xFEFF, &mut bytes);
            let expected = if encoding.can_carry_bom() { &bytes[..] } else { &[] };
            assert_eq!(encoding.bom_bytes(), expected, "{encoding}");
        }
    }
}
