//! The definition of an encoding, which has names, a form, and a meaning of U+FEFF.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::form::Form;
use crate::newline::EbcdicNewline;
use crate::utf8_codec::{Utf8Codec, Utf8Kernels};

/// A character encoding, which is an encoding form with rules for byte order and BOM (Unicode 3.10 calls it an encoding
/// scheme).
///
/// Encodings are passed by `&'static` reference. Get one by a constant such as [`UTF_8`](crate::UTF_8), with
/// [`Encoding::for_name`], [`Encoding::for_label`] or [`Encoding::for_bom`], or by parsing its name. An encoding that
/// is created at run time is leaked once, so that it has such a reference.
///
/// ```
/// use utfconv_core::{Encoding, UTF_8};
///
/// let encoding = "utf8".parse::<&Encoding>()?;
/// assert_eq!((encoding, encoding.to_string()), (&UTF_8, "UTF-8".to_string()));
/// assert_eq!((encoding.name(), encoding.code_unit_len()), ("UTF-8", 1));
/// assert!(encoding.aliases().any(|alias| alias == "csUTF8"));
/// assert!(encoding.is_ascii_compatible() && encoding.can_carry_bom());
/// # Ok::<(), utfconv_core::UnknownEncoding>(())
/// ```
pub struct Encoding {
    pub(super) name: &'static str,
    /// The other names, separated by blanks.
    pub(super) aliases: &'static str,
    pub(super) form: Form,
    pub(super) bom: BomMeaning,
    /// The bytes of U+FEFF at the start of a text; empty if U+FEFF cannot be encoded, or if its bytes depend on a shift
    /// state.
    bom_bytes: &'static [u8],
    utf8_codec: &'static Utf8Codec,
    utf8_kernels: &'static Utf8Kernels,
}

/// The meaning of U+FEFF at the start of a text in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BomMeaning {
    /// U+FEFF cannot be encoded.
    None,
    /// U+FEFF is a BOM, which is optional (UTF-8).
    Bom,
    /// U+FEFF is text, because the name gives the byte order (UTF-16LE), or because the texts have no BOMs.
    Text,
    /// U+FEFF decides between `le` and `be`, and is written (UTF-16). Text without U+FEFF is read in the row's form,
    /// which is also the form that is written.
    ByteOrder { le: &'static Encoding, be: &'static Encoding },
}

impl Encoding {
    /// Creates an encoding; `aliases` are separated by blanks.
    pub(super) const fn new(
        name: &'static str,
        aliases: &'static str,
        form: Form,
        bom: BomMeaning,
        utf8_kernels: &'static Utf8Kernels,
    ) -> Encoding {
        let bom_bytes: &[u8] = if let BomMeaning::None = bom { &[] } else { form.bom() };
        Encoding { name, aliases, form, bom, bom_bytes, utf8_codec: Utf8Codec::of(form), utf8_kernels }
    }

    /// Returns the canonical name, which is IANA's if IANA registered the encoding.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the aliases, spelled as in the sources that they come from.
    pub fn aliases(&self) -> impl Iterator<Item = &'static str> {
        self.aliases.split(' ').filter(|name| !name.is_empty())
    }

    /// Creates an encoding at run time. `has_bom` is true if the encoding can encode U+FEFF.
    pub(crate) fn made(name: &str, form: Form, has_bom: bool) -> Encoding {
        let mut bytes = Vec::new();
        if has_bom && !form.is_stateful() {
            form.encoder(EbcdicNewline::default()).encode(0xFEFF, &mut bytes);
        }
        let bom = if has_bom { BomMeaning::Text } else { BomMeaning::None };
        let encoding = Encoding::new(name.to_string().leak(), "", form, bom, Utf8Kernels::leaked());
        Encoding { bom_bytes: bytes.leak(), ..encoding }
    }

    pub(crate) fn form(&self) -> Form {
        self.form
    }

    pub(crate) fn utf8_codec(&self) -> &'static Utf8Codec {
        self.utf8_codec
    }

    pub(crate) fn utf8_kernels(&self) -> &'static Utf8Kernels {
        self.utf8_kernels
    }

    pub(crate) fn bom_meaning(&self) -> BomMeaning {
        self.bom
    }

    /// Returns the bytes of U+FEFF at the start of a text. They are empty if U+FEFF cannot be encoded, or if its bytes
    /// depend on a shift state.
    pub(crate) fn bom_bytes(&self) -> &'static [u8] {
        self.bom_bytes
    }

    /// Returns the encodings that a text can turn out to be in once its byte order is known. For UTF-16 and similar
    /// encodings, these are the encodings of both byte orders, otherwise this encoding alone.
    ///
    /// ```
    /// use utfconv_core::{UTF_16, UTF_16BE, UTF_16LE};
    ///
    /// assert!(UTF_16.orders().eq([&UTF_16LE, &UTF_16BE]) && UTF_16BE.orders().eq([&UTF_16BE]));
    /// ```
    pub fn orders(&'static self) -> impl Iterator<Item = &'static Encoding> {
        let rows = match self.bom {
            BomMeaning::ByteOrder { le, be } => [Some(le), Some(be)],
            _ => [Some(self), None],
        };
        rows.into_iter().flatten()
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Encoding) -> bool {
        // Encodings that are created at run time may have the name of another encoding, so compare the forms, too.
        self.name == other.name && self.form == other.form
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// Displays the name.
impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Displays the name.
impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name)
    }
}
