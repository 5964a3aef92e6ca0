//! The codec of an encoding for whole texts: its kernels to and from UTF-8, and its exact codecs.
//!
//! An encoding names the codec of its own form, so that a program which uses only [`crate::decode`], [`crate::encode`]
//! and similar functions links only the code of the encodings that it names. Searching encodings by name, and
//! converting between other pairs, link the code of all encodings.

use std::sync::OnceLock;

use crate::decode::{self, CodePage, Decode, Next};
use crate::encode::{Encode, Plain, Put};
use crate::encoding::Encoding;
use crate::form::Form;
use crate::kernel::generic::double_byte::utf8_to_composing;
use crate::kernel::generic::{portable, table};
use crate::kernel::sink::as_ascii;
use crate::kernel::{self, Kernel};
use crate::legacy::{Pairing, Tables};
use crate::newline::EbcdicNewline;

/// The codec of a form. Each function takes the form, because it uses the tables of the form.
pub(crate) struct Utf8Codec {
    /// Creates the exact decoder.
    pub decoder: fn(Form) -> Box<dyn Decode>,
    /// Creates the exact encoder.
    pub encoder: fn(Form) -> Box<dyn Encode>,
    /// Returns the kernel to UTF-8; `None` if the form has shift states.
    to_utf8: fn(Form) -> Option<Kernel>,
    /// Returns the kernel from UTF-8; `None` if the form has shift states.
    from_utf8: fn(Form) -> Option<Kernel>,
}

const NEWLINE: EbcdicNewline = EbcdicNewline::Nel;

/// Makes the codec of a form without tables from its codec for single characters.
macro_rules! common {
    ($form:expr, $codec:expr) => {
        Utf8Codec {
            decoder: |_| Box::new($codec),
            encoder: |_| Box::new(Plain($codec)),
            to_utf8: |_| Some(kernel::direct($form, Form::Utf8, portable::kernel($codec, decode::Utf8))),
            from_utf8: |_| Some(kernel::direct(Form::Utf8, $form, portable::kernel(decode::Utf8, $codec))),
        }
    };
}

impl Utf8Codec {
    /// Returns the codec of `form`. If the form is a common one, its codec links no code of other forms.
    pub const fn of(form: Form) -> &'static Utf8Codec {
        match form {
            Form::Utf8 => &Utf8Codec::UTF_8,
            Form::Utf16Le => &common!(Form::Utf16Le, decode::Utf16::<false, { decode::UNICODE }>),
            Form::Utf16Be => &common!(Form::Utf16Be, decode::Utf16::<true, { decode::UNICODE }>),
            Form::Utf32Le => &common!(Form::Utf32Le, decode::Utf32::<false, { decode::UNICODE }>),
            Form::Utf32Be => &common!(Form::Utf32Be, decode::Utf32::<true, { decode::UNICODE }>),
            Form::Latin1 => &common!(Form::Latin1, decode::Latin1),
            Form::Ascii => &common!(Form::Ascii, decode::Ascii),
            Form::Page(_) => &Utf8Codec::PAGE,
            Form::MultiByte(_) => &Utf8Codec::MULTI_BYTE,
            Form::Stateful(_) => &Utf8Codec::STATEFUL,
            _ => &Utf8Codec::ANY,
        }
    }

    const UTF_8: Utf8Codec = Utf8Codec {
        decoder: |_| Box::new(decode::Utf8),
        encoder: |_| Box::new(Plain(decode::Utf8)),
        to_utf8: |_| Some(portable::copy_utf8(kernel::active_utf8_validator())),
        from_utf8: |_| Some(portable::copy_utf8(kernel::active_utf8_validator())),
    };

    const PAGE: Utf8Codec = Utf8Codec {
        decoder: |form| match page(form) {
            page if page.has_composites() => Box::new(page.composing()),
            page => Box::new(page.page(NEWLINE)),
        },
        encoder: |form| match page(form) {
            page if page.has_composites() => Box::new(Plain(page.composing())),
            page => Box::new(Plain(page.page(NEWLINE))),
        },
        to_utf8: |form| {
            let page = page(form);
            if page.reads_composites() {
                return Some(table::composing_to_utf8(page.composing()));
            }
            let codec = page.page(NEWLINE);
            Some(kernel::direct(Form::Page(page), Form::Utf8, table::page_to_utf8(codec)))
        },
        from_utf8: |form| {
            let page = page(form);
            let widen = || kernel::vector(Form::Utf8, Form::Utf16Le);
            if page.has_composites() {
                let (composing, portable) =
                    (page.composing(), portable::kernel(decode::Utf8, page.composing()));
                return Some(match widen() {
                    Some(widen) => portable::one_then_other(
                        utf8_to_composing(composing, widen),
                        portable,
                        portable::SHORT_IN_A_ROW,
                    ),
                    None => portable,
                });
            }
            let (form, portable) = (Form::Page(page), table::utf8_to_page(page.page(NEWLINE)));
            if let Some(vector) = kernel::vector(Form::Utf8, form) {
                return Some(kernel::vector_then_portable(vector, portable, Form::Utf8, form));
            }
            // If no vector kernel converts UTF-8 to this page, converting through UTF-16 is faster than scalar code.
            Some(match widen() {
                Some(widen) => {
                    let narrow = table::utf16_to_page(page.page(NEWLINE));
                    let in_a_row = portable::in_a_row(widen, kernel::direct(Form::Utf16Le, form, narrow));
                    portable::one_then_other(in_a_row, portable, portable::SHORT_IN_A_ROW)
                }
                None => portable,
            })
        },
    };

    const MULTI_BYTE: Utf8Codec = Utf8Codec {
        decoder: |form| Box::new(tables(form).get()),
        encoder: |form| match tables(form).get() {
            table if table.has_pairs() => Box::new(Pairing::new(table)),
            table => Box::new(Plain(table)),
        },
        to_utf8: |form| {
            let tables = tables(form);
            let portable = table::multi_byte_to_utf8(tables.get());
            Some(kernel::direct(Form::MultiByte(tables), Form::Utf8, portable))
        },
        from_utf8: |form| {
            let tables = tables(form);
            let portable = table::utf8_to_multi_byte(tables.get());
            Some(kernel::direct(Form::Utf8, Form::MultiByte(tables), portable))
        },
    };

    const STATEFUL: Utf8Codec = Utf8Codec {
        decoder: |form| match form {
            Form::Stateful(codec) => (codec.decoder)(),
            _ => unreachable!("{form:?} has a codec of another kind"),
        },
        encoder: |form| match form {
            Form::Stateful(codec) => (codec.encoder)(),
            _ => unreachable!("{form:?} has a codec of another kind"),
        },
        to_utf8: |_| None,
        from_utf8: |_| None,
    };

    /// The codec of any other form, which links all codecs.
    const ANY: Utf8Codec = Utf8Codec {
        decoder: |form| form.decoder(NEWLINE),
        encoder: |form| form.encoder(NEWLINE),
        to_utf8: |form| kernel::Set::active().kernel(form, Form::Utf8, NEWLINE),
        from_utf8: |form| kernel::Set::active().kernel(Form::Utf8, form, NEWLINE),
    };
}

/// Returns the code page of a form that is a code page.
fn page(form: Form) -> &'static CodePage {
    let Form::Page(page) = form else { unreachable!("{form:?} is no page") };
    page
}

/// Returns the tables of a form that has tables.
fn tables(form: Form) -> Tables {
    let Form::MultiByte(tables) = form else { unreachable!("{form:?} has no tables") };
    tables
}

/// The kernels of an encoding to and from UTF-8, created on first use.
pub(crate) struct Utf8Kernels {
    decoding: OnceLock<Option<Kernel>>,
    encoding: OnceLock<Option<Kernel>>,
    /// Whether the encoding reads and writes ASCII as the same bytes, until the first shift if it has shift states.
    has_ascii: OnceLock<bool>,
}

impl Utf8Kernels {
    pub const fn new() -> Utf8Kernels {
        Utf8Kernels { decoding: OnceLock::new(), encoding: OnceLock::new(), has_ascii: OnceLock::new() }
    }

    /// Allocates kernels for an encoding that is created at run time, and leaks them.
    pub fn leaked() -> &'static Utf8Kernels {
        Box::leak(Box::new(Utf8Kernels::new()))
    }

    /// Returns the kernel from `of`, the encoding that owns these kernels, to UTF-8; `None` if `of` has shift states.
    pub fn decoding(&self, of: &Encoding) -> Option<&Kernel> {
        self.decoding.get_or_init(|| (of.utf8_codec().to_utf8)(of.form())).as_ref()
    }

    /// Returns the kernel from UTF-8 to `of`, the encoding that owns these kernels; `None` if `of` has shift states.
    pub fn encoding(&self, of: &Encoding) -> Option<&Kernel> {
        self.encoding.get_or_init(|| (of.utf8_codec().from_utf8)(of.form())).as_ref()
    }

    /// Returns `text` as a string if it is ASCII and `of` encodes ASCII as the same bytes.
    pub fn as_ascii<'t>(&self, of: &Encoding, text: &'t [u8]) -> Option<&'t str> {
        let has_ascii = *self.has_ascii.get_or_init(|| match of.form() {
            Form::MultiByte(tables) => tables.get().reads_ascii() && tables.get().takes_ascii(),
            Form::Web(web) => web.is_ascii_compatible(),
            form if form.is_stateful() => begins_in_ascii(form, of.utf8_codec()),
            _ => of.is_ascii_compatible(),
        });
        let text = if has_ascii { as_ascii(text)? } else { return None };
        if of.is_stateful() && has_shift(text) { None } else { Some(text) }
    }
}

/// Whether a form with shift states begins in ASCII, encoded as the same bytes, and leaves ASCII only at bytes for
/// which [`is_shift`] is true.
fn begins_in_ascii(form: Form, codec: &Utf8Codec) -> bool {
    let ascii = || (0..0x80).filter(|byte| !is_shift(*byte));
    let (mut encoder, mut bytes) = ((codec.encoder)(form), Vec::new());
    let is_written = ascii().all(|byte| encoder.encode(byte.into(), &mut bytes));
    encoder.finish(&mut bytes);
    let mut decoder = (codec.decoder)(form);
    let reads = |byte: u8| matches!(decoder.next(&[byte, b' '], true), Next::Scalar { code_point, len: 1 } if code_point == byte.into());
    is_written && ascii().eq(bytes) && ascii().all(reads)
}

/// Whether `text` contains a shift code. Looks at all bytes without a branch, so that the compiler vectorizes the loop.
fn has_shift(text: &str) -> bool {
    text.bytes().fold(false, |any, byte| any | is_shift(byte))
}

/// Whether `byte` is a shift code of ISO/IEC 2022: SO, SI or ESC.
fn is_shift(byte: u8) -> bool {
    matches!(byte, 0x0E | 0x0F | 0x1B)
}
