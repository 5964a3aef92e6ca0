//! Policies: what to do about a fault. Plain data; [`crate::Transcoder`] alone applies it.

use std::fmt::Write;

use crate::encoding::Encoding;

/// What to do about either kind of fault. The default stops at the first.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// For source bytes that break their encoding.
    pub ill_formed: OnIllFormed,
    /// For scalar values that the target lacks.
    pub unmappable: OnUnmappable,
    /// Replace each ill-formed byte instead of each maximal subpart (Unicode 3.9, D93b).
    pub per_byte: bool,
}

impl Policy {
    /// Whether bytes travel as carriers, set by either side.
    pub(crate) fn carries(&self) -> bool {
        matches!(self.ill_formed, OnIllFormed::SurrogateEscape)
            || matches!(self.unmappable, OnUnmappable::SurrogateEscape)
    }
}

/// What to do about ill-formed bytes.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum OnIllFormed {
    /// Convert nothing from there on.
    #[default]
    Stop,
    /// Write U+FFFD, or this text, for each maximal subpart.
    Replace(Option<String>),
    /// Write nothing.
    Omit,
    /// Write each byte as ASCII text.
    Escape(ByteEscape),
    /// Decode one character there in another encoding, and go on right after it; stop where that fails too, and in
    /// sources of wider code units than bytes.
    Fallback(&'static Encoding),
    /// Carry each byte 80..FF as U+DC80..U+DCFF (PEP 383), and turn such code points back into bytes.
    SurrogateEscape,
    /// Copy the bytes to the target as they are; stop where the target has wider code units than bytes.
    Raw,
}

/// What to do about a scalar value that the target lacks.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum OnUnmappable {
    /// Convert nothing from there on.
    #[default]
    Stop,
    /// Write U+FFFD, or this text; `?` for what the target lacks of it.
    Replace(Option<String>),
    /// Write nothing.
    Omit,
    /// Write the scalar value as ASCII text.
    Escape(ScalarEscape),
    /// Carriers as in [`OnIllFormed::SurrogateEscape`]; for all else, stop.
    SurrogateEscape,
}

/// How to spell an ill-formed byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteEscape {
    /// `\xHH`
    Hex,
    /// `%HH`
    Percent,
    /// `<HH>`
    Angle,
    /// `\ooo`
    Octal,
}

impl ByteEscape {
    pub(crate) fn spell(self, byte: u8, out: &mut String) {
        // Writing to a String cannot fail.
        let _ = match self {
            ByteEscape::Hex => write!(out, "\\x{byte:02X}"),
            ByteEscape::Percent => write!(out, "%{byte:02X}"),
            ByteEscape::Angle => write!(out, "<{byte:02X}>"),
            ByteEscape::Octal => write!(out, "\\{byte:03o}"),
        };
    }
}

/// How to spell a scalar value that the target lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarEscape {
    /// `\u{H}`
    Rust,
    /// `\uXXXX`, a surrogate pair above U+FFFF
    Json,
    /// `\uXXXX`, `\UXXXXXXXX` above U+FFFF
    C,
    /// `&#xH;`
    Xml,
    /// `&#D;`
    Html,
    /// `U+XXXX`
    UPlus,
    /// `%HH` for each byte of its UTF-8 form
    Percent,
}

impl ScalarEscape {
    pub(crate) fn spell(self, scalar: char, out: &mut String) {
        let value = u32::from(scalar);
        let _ = match self {
            ScalarEscape::Rust => write!(out, "\\u{{{value:X}}}"),
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
        };
    }
}
