//! Encoding forms: how bytes and scalar values correspond, byte order included, and which codec implements each.
//!
//! A form knows its codecs, but codecs know nothing of forms.

use crate::codec::Codec;
use crate::decode::{CodePage, Decode, PageTable};
use crate::encode::{Encode, Plain, ToWtf8};
use crate::legacy::{Host, HostPage, Pairing, Tables, ToHost, ToWeb, Web, WebIso2022Jp};
use crate::newline::EbcdicNewline;

/// How bytes and scalar values correspond, byte order included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Utf8,
    Cesu8,
    Mutf8,
    Wtf8,
    Utf8Of2279,
    Utf1,
    Utf16Le,
    Utf16Be,
    Ucs2Le,
    Ucs2Be,
    Utf32Le,
    Utf32Be,
    Ucs4Le,
    Ucs4Be,
    Latin1,
    Ascii,
    Page(&'static CodePage),
    MultiByte(Tables),
    Host(Tables<HostPage>),
    /// An encoding with shift states, by its decoder and its encoder.
    Stateful(&'static Codec),
    /// A multi-byte encoding of the WHATWG Encoding Standard.
    Web(&'static encoding_rs::Encoding),
}

/// Matches `$form`, and evaluates `$body` with `$codec` as the codec of the form, or else `$other`.
macro_rules! codecs {
    ($form:expr, $codec:ident => $body:expr, $other:expr; $($pattern:pat $(if $guard:expr)? => $make:expr,)+) => {
        match $form {
            $($pattern $(if $guard)? => {
                let $codec = $make;
                $body
            })+
            _ => $other,
        }
    };
}
pub(crate) use codecs;

/// Evaluates `$body` with `$codec` as the codec of one of the common forms, or else the expression after `_`.
macro_rules! with_common_codec {
    ($form:expr, $codec:ident => $body:expr; _ => $other:expr) => {{
        use $crate::{decode, form::Form};
        $crate::form::codecs! { $form, $codec => $body, $other;
            Form::Utf8 => decode::Utf8,
            Form::Utf16Le => decode::Utf16::<false, { decode::UNICODE }>,
            Form::Utf16Be => decode::Utf16::<true, { decode::UNICODE }>,
            Form::Utf32Le => decode::Utf32::<false, { decode::UNICODE }>,
            Form::Utf32Be => decode::Utf32::<true, { decode::UNICODE }>,
            Form::Latin1 => decode::Latin1,
            Form::Ascii => decode::Ascii,
        }
    }};
}
pub(crate) use with_common_codec;

/// Evaluates `$body` with `$codec` as the codec of any form without shift states, or else the expression after `_`.
macro_rules! with_codec {
    ($form:expr, $newline:expr, $codec:ident => $body:expr; _ => $other:expr) => {
        $crate::form::with_common_codec!($form, $codec => $body; _ => $crate::form::codecs! {
            $form, $codec => $body, $other;
            Form::Cesu8 => decode::Cesu8,
            Form::Mutf8 => decode::Mutf8,
            Form::Wtf8 => decode::Wtf8,
            Form::Utf8Of2279 => decode::Utf8Of2279,
            Form::Utf1 => decode::Utf1,
            Form::Ucs2Le => decode::Utf16::<false, { decode::BMP }>,
            Form::Ucs2Be => decode::Utf16::<true, { decode::BMP }>,
            Form::Ucs4Le => decode::Utf32::<false, { decode::HIGHEST_31_BIT }>,
            Form::Ucs4Be => decode::Utf32::<true, { decode::HIGHEST_31_BIT }>,
            Form::Page(table) if table.has_composites() => table.composing(),
            Form::Page(table) => table.page($newline),
            Form::MultiByte(tables) => tables.get(),
        })
    };
}
pub(crate) use with_codec;

impl Form {
    /// Returns the exact decoder of sources in this form.
    pub fn decoder(self, newline: EbcdicNewline) -> Box<dyn Decode> {
        with_codec!(self, newline, codec => Box::new(codec); _ => match self {
            Form::Host(page) => Box::new(Host::new(page.get(), newline)),
            Form::Stateful(codec) => (codec.decoder)(),
            Form::Web(encoding) if self.is_stateful() => {
                debug_assert_eq!(encoding, encoding_rs::ISO_2022_JP);
                Box::new(WebIso2022Jp::default())
            }
            Form::Web(encoding) => Box::new(Web(encoding)),
            _ => unreachable!("{self:?} has no codec"),
        })
    }

    /// Returns the decoder that reads each code by itself, so it does not compose a letter and a mark to one character.
    pub fn decoder_by_code(self, newline: EbcdicNewline) -> Box<dyn Decode> {
        match self {
            Form::Page(table) => Box::new(table.page(newline)),
            _ => self.decoder(newline),
        }
    }

    /// Returns the encoder of targets in this form.
    pub fn encoder(self, newline: EbcdicNewline) -> Box<dyn Encode> {
        match self {
            Form::Wtf8 => return Box::new(ToWtf8::default()),
            Form::MultiByte(tables) if tables.get().has_pairs() => {
                return Box::new(Pairing::new(tables.get()));
            }
            _ => {}
        }
        with_codec!(self, newline, codec => Box::new(Plain(codec)); _ => match self {
            Form::Host(page) => Box::new(ToHost::new(page.get(), newline)),
            Form::Stateful(codec) => (codec.encoder)(),
            Form::Web(encoding) => Box::new(ToWeb::new(encoding)),
            _ => unreachable!("{self:?} has no codec"),
        })
    }

    /// Returns the table from each byte to its character, if every character is one byte.
    pub fn table(self) -> Option<&'static [u16; 256]> {
        match self {
            Form::Page(page) => Some(&page.to_unicode),
            Form::Latin1 => Some(&PageTable::LATIN1),
            Form::Ascii => Some(&PageTable::ASCII),
            _ => None,
        }
    }

    /// Returns the bytes of U+FEFF at the start of a text; empty if the form cannot encode U+FEFF or has shift states.
    /// Of the multi-byte encodings, only GB18030 can encode U+FEFF.
    pub const fn bom(self) -> &'static [u8] {
        match self {
            Form::Utf8 | Form::Cesu8 | Form::Mutf8 | Form::Wtf8 | Form::Utf8Of2279 => b"\xEF\xBB\xBF",
            Form::Utf1 => b"\xF7\x64\x4C",
            Form::Utf16Le | Form::Ucs2Le => b"\xFF\xFE",
            Form::Utf16Be | Form::Ucs2Be => b"\xFE\xFF",
            Form::Utf32Le | Form::Ucs4Le => b"\xFF\xFE\0\0",
            Form::Utf32Be | Form::Ucs4Be => b"\0\0\xFE\xFF",
            Form::MultiByte(_) | Form::Web(_) => b"\x84\x31\x95\x33",
            _ => &[],
        }
    }

    /// Returns the number of bytes in a code unit.
    pub fn code_unit_len(self) -> usize {
        match self {
            Form::Utf16Le | Form::Utf16Be | Form::Ucs2Le | Form::Ucs2Be => 2,
            Form::Utf32Le | Form::Utf32Be | Form::Ucs4Le | Form::Ucs4Be => 4,
            _ => 1,
        }
    }

    /// Whether lead bytes and continuation bytes have the structure of UTF-8.
    pub fn is_like_utf8(self) -> bool {
        matches!(self, Form::Utf8 | Form::Cesu8 | Form::Mutf8 | Form::Wtf8 | Form::Utf8Of2279)
    }

    /// Whether the form has shift states, so that the meaning of bytes depends on the bytes before them.
    pub fn is_stateful(self) -> bool {
        match self {
            Form::Host(_) | Form::Stateful(_) => true,
            Form::Web(encoding) => encoding == encoding_rs::ISO_2022_JP,
            _ => false,
        }
    }
}

/// Returns the form in the byte order of the host.
pub(crate) const fn host(le: Form, be: Form) -> Form {
    if cfg!(target_endian = "big") { be } else { le }
}
