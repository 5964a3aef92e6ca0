//! Policies (error modes) say how to handle a fault. They are plain data, which only [`crate::Transcoder`] applies.

use std::fmt::Write;

use crate::decode::{IllFormedSequence, is_surrogate};
use crate::encoding::Encoding;
use crate::template::Template;

/// How to handle each kind of fault. The default stops at the first fault.
///
/// ```
/// use utfconv_core::{OnIllFormed, OnUnmappable, Options, Policy, ISO_8859_1, UTF_8, convert};
///
/// let policy = Policy::default()
///     .ill_formed(OnIllFormed::Replace(Some("?".into())))
///     .unmappable(OnUnmappable::Omit)
///     .per_byte(true);
/// let converted = convert(b"a\xE2\x82 \xE2\x82\xAC", &UTF_8, &ISO_8859_1, &Options::default().policy(policy))?;
/// assert_eq!(converted.output, b"a?? ");
/// assert_eq!((converted.faults.ill_formed(), converted.faults.unmappable()), (1, 1));
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Policy {
    /// How to handle source bytes that are ill-formed.
    pub ill_formed: OnIllFormed,
    /// How to handle scalar values that the target cannot encode.
    pub unmappable: OnUnmappable,
    /// Whether to replace each ill-formed byte instead of each maximal subpart (Unicode 3.9, D93b).
    pub per_byte: bool,
}

impl Policy {
    /// Sets how to handle ill-formed source bytes.
    #[must_use]
    pub fn ill_formed(mut self, ill_formed: OnIllFormed) -> Policy {
        self.ill_formed = ill_formed;
        self
    }

    /// Sets how to handle scalar values that the target cannot encode.
    #[must_use]
    pub fn unmappable(mut self, unmappable: OnUnmappable) -> Policy {
        self.unmappable = unmappable;
        self
    }

    /// Sets whether each ill-formed byte is replaced, instead of each maximal subpart.
    #[must_use]
    pub fn per_byte(mut self, per_byte: bool) -> Policy {
        self.per_byte = per_byte;
        self
    }

    /// Returns the carrier of undecodable bytes, which either `ill_formed` or `unmappable` may set; `None` if neither
    /// does.
    pub(crate) fn carrier(&self) -> Option<Carrier> {
        match (&self.ill_formed, &self.unmappable) {
            (OnIllFormed::Carry(carrier), _) | (_, OnUnmappable::Carry(carrier)) => Some(*carrier),
            _ => None,
        }
    }

    /// Returns how many replacements to write for an ill-formed sequence.
    pub(crate) fn replacements(&self, found: &IllFormedSequence) -> usize {
        if self.per_byte { found.len } else { found.subparts }
    }
}

/// How to handle ill-formed bytes.
///
/// ```
/// use utfconv_core::{ByteEscape, OnIllFormed, Options, Policy, UTF_8, encodings::WINDOWS_1252, decode_to_string};
///
/// let decode = |ill_formed| {
///     let policy = Policy::default().ill_formed(ill_formed);
///     decode_to_string(b"caf\xE9!", &UTF_8, &Options::default().policy(policy))
/// };
/// assert!(decode(OnIllFormed::Stop).is_err());
/// assert_eq!(decode(OnIllFormed::Replace(None))?, "caf\u{FFFD}!");
/// assert_eq!(decode(OnIllFormed::Omit)?, "caf!");
/// assert_eq!(decode(OnIllFormed::Escape(ByteEscape::Hex))?, "caf\\xE9!");
/// assert_eq!(decode(OnIllFormed::Fallback(&WINDOWS_1252))?, "café!");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum OnIllFormed {
    /// End the conversion.
    #[default]
    Stop,
    /// Write U+FFFD, or the given text, for each maximal subpart (Unicode 3.9, D93b).
    Replace(Option<String>),
    /// Write nothing.
    Omit,
    /// Write each byte as ASCII text.
    Escape(ByteEscape),
    /// Decode one character at the fault in another encoding, and continue right after it. Stop if the other encoding
    /// fails too, or if the source has code units wider than a byte.
    Fallback(&'static Encoding),
    /// Carry each byte as code points that have no other use, and turn these code points back into bytes.
    Carry(Carrier),
    /// Copy the bytes to the target as they are. Stop if the target has code units wider than a byte.
    /// [`Encoding::takes_raw_bytes`] is true if copied bytes do not affect later text in the target.
    Raw,
}

/// How to handle a scalar value that the target cannot encode.
///
/// ```
/// use utfconv_core::{OnUnmappable, Options, Policy, ScalarEscape, US_ASCII, UTF_8, convert};
///
/// let encode = |unmappable| {
///     let policy = Policy::default().unmappable(unmappable);
///     convert("é”".as_bytes(), &UTF_8, &US_ASCII, &Options::default().policy(policy)).map(|text| text.output)
/// };
/// assert!(encode(OnUnmappable::Stop).is_err());
/// assert_eq!(encode(OnUnmappable::Replace(None))?, b"??");
/// assert_eq!(encode(OnUnmappable::Escape(ScalarEscape::Xml))?, b"&#xE9;&#x201D;");
/// assert_eq!(encode(OnUnmappable::Translit(Box::new(OnUnmappable::Stop)))?, b"e\"");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum OnUnmappable {
    /// End the conversion.
    #[default]
    Stop,
    /// Write U+FFFD, or the given text, with `?` for each of its characters that the target cannot encode.
    Replace(Option<String>),
    /// Write nothing.
    Omit,
    /// Write the scalar value as ASCII text.
    Escape(ScalarEscape),
    /// Write an approximation from a built-in table, which no locale changes; if there is none, apply the inner policy.
    #[cfg(feature = "translit")]
    Translit(Box<OnUnmappable>),
    /// Turn carriers back into bytes, as [`OnIllFormed::Carry`] does; stop at any other value.
    Carry(Carrier),
}

/// A way to preserve an undecodable byte as code points, so that the byte can be restored.
///
/// From a byte encoding ([`Encoding::is_of_bytes`]) to UTF-16 or UTF-32 and back to the same encoding, with the same
/// carrier, every sequence of bytes is restored. Text that already looks like a carrier is carried byte by byte, and so
/// is a code that would come back as another code of its character. A BOM of the byte encoding is text under
/// [`InputBom::Auto`], and letters and marks of windows-1258 are not composed. Normalization changes the text, and
/// therefore the restored bytes.
///
/// [`InputBom::Auto`]: crate::InputBom::Auto
///
/// ```
/// use utfconv_core::{Carrier, OnIllFormed, OnUnmappable, Options, Policy, UTF_8, UTF_16LE, convert};
///
/// let carrier = Carrier::SurrogateEscape;
/// let policy = Policy::default().ill_formed(OnIllFormed::Carry(carrier));
/// let options = Options::default().policy(policy);
/// let carried = convert(b"a\xFF", &UTF_8, &UTF_16LE, &options)?;
/// assert_eq!(carried.output, b"a\0\xFF\xDC");
/// assert_eq!(convert(&carried.output, &UTF_16LE, &UTF_8, &options)?.output, b"a\xFF");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Carrier {
    /// Carries bytes 80..FF as the surrogates U+DC80..U+DCFF (PEP 383). Surrogates are not scalar values, so only
    /// UTF-16 and UTF-32 can hold them. Bytes 00..7F are converted normally, or carried as U+DC00..U+DC7F if they are
    /// no characters in the encoding.
    SurrogateEscape,
    /// Carries bytes 80..FF as U+EF80..U+EFFF of the private use area (OPTU-8 and OPTU-16 of MirBSD). Bytes 00..7F are
    /// converted normally, or carried as U+EF00..U+EF7F if they are no characters in the encoding.
    Pua,
    /// Carries any byte as U+10FFFD, `x` and two upper-case hexadecimal digits (UTF-8-C8 of Raku).
    C8,
}

/// How to spell an ill-formed byte. See [`OnIllFormed`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ByteEscape {
    /// Writes `\xHH`.
    Hex,
    /// Writes `%HH`.
    Percent,
    /// Writes `<HH>`.
    Angle,
    /// Writes `\ooo` (octal).
    Octal,
    /// Fills a template with the value of the byte.
    Template(Template),
}

impl ByteEscape {
    /// Returns the bytes spelled one after another.
    pub(crate) fn spell(&self, bytes: &[u8]) -> String {
        let mut out = String::new();
        for &byte in bytes {
            // Writing to a String cannot fail.
            let _ = match self {
                ByteEscape::Hex => write!(out, "\\x{byte:02X}"),
                ByteEscape::Percent => write!(out, "%{byte:02X}"),
                ByteEscape::Angle => write!(out, "<{byte:02X}>"),
                ByteEscape::Octal => write!(out, "\\{byte:03o}"),
                ByteEscape::Template(template) => out.write_str(&template.spell(byte.into())),
            };
        }
        out
    }
}

/// How to spell a scalar value that the target cannot encode. See [`OnUnmappable`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScalarEscape {
    /// Writes `\u{H}`.
    Rust,
    /// Writes `\uXXXX`; above U+FFFF, a surrogate pair.
    Json,
    /// Writes `\uXXXX`; above U+FFFF, `\UXXXXXXXX`.
    C,
    /// Writes `&#xH;`.
    Xml,
    /// Writes `&#D;` (decimal).
    Html,
    /// Writes `U+XXXX`.
    UPlus,
    /// Writes `%HH` for each byte of the UTF-8 form.
    Percent,
    /// Fills a template with the value of the code point.
    Template(Template),
}

impl ScalarEscape {
    /// Spells a scalar value, or a code point of the source's encoding that is not a scalar value.
    ///
    /// ```
    /// assert_eq!(utfconv_core::ScalarEscape::Xml.spell(0x20AC), "&#x20AC;");
    /// ```
    #[must_use]
    pub fn spell(&self, value: u32) -> String {
        let mut out = String::new();
        let scalar = char::from_u32(value).unwrap_or_default();
        let _ = match self {
            ScalarEscape::Rust => write!(out, "\\u{{{value:X}}}"),
            ScalarEscape::Json if is_surrogate(value) => write!(out, "\\u{value:04X}"),
            // `Json` and `Percent` cannot spell code points that are not scalar values, so Rust's spelling is used.
            ScalarEscape::Json | ScalarEscape::Percent if char::from_u32(value).is_none() => {
                write!(out, "\\u{{{value:X}}}")
            }
            ScalarEscape::Json => {
                scalar.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04X}"))
            }
            ScalarEscape::C if value > 0xFFFF => write!(out, "\\U{value:08X}"),
            ScalarEscape::C => write!(out, "\\u{value:04X}"),
            ScalarEscape::Xml => write!(out, "&#x{value:X};"),
            ScalarEscape::Html => write!(out, "&#{value};"),
            ScalarEscape::UPlus => write!(out, "U+{value:04X}"),
            ScalarEscape::Percent => {
                scalar.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(out, "%{byte:02X}"))
            }
            ScalarEscape::Template(template) => out.write_str(&template.spell(value)),
        };
        out
    }
}
