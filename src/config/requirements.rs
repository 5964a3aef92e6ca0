//! The requirements that a configuration can set for a file.

use std::path::PathBuf;
use std::sync::Arc;

use utfconv_core::Encoding;

use crate::ui::modes;
use crate::ui::names::{Name, Suffixes};
use crate::ui::quote::{one_line, shortened};

/// The requirements of one file; a requirement that is not set is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requirements {
    pub encoding: Option<&'static Encoding>,
    pub bom: Option<Demand>,
    pub newline: Option<Newline>,
    pub final_newline: Option<Demand>,
    /// The rules of `utfconv.toml`.
    pub rules: Option<Arc<RuleList>>,
    /// The baseline that `utfconv.toml` names.
    pub baseline: Option<PathBuf>,
}

/// The rules that a table sets: those to check, and those to turn off. All names are valid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleList {
    pub rules: Vec<String>,
    pub allow: Vec<String>,
}

/// Whether a feature must be present or must be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    Require,
    Forbid,
}

impl Demand {
    /// Returns the demand of an encoding name. A name such as UTF-8-BOM, which is `signed`, requires a BOM.
    pub fn implied(signed: bool) -> Demand {
        if signed { Demand::Require } else { Demand::Forbid }
    }
}

/// The newline that ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newline {
    Lf,
    Crlf,
    Cr,
}

impl Newline {
    pub const ALL: [Newline; 3] = [Newline::Lf, Newline::Crlf, Newline::Cr];

    /// Returns the newline that options and configuration files call `value`, which is its name in lower case.
    pub fn for_name(value: &str) -> Option<Newline> {
        Newline::ALL.into_iter().find(|newline| newline.name().to_lowercase() == value)
    }

    /// Finds the first newline in a text. Returns its offset and its kind.
    pub fn find(text: &[u8]) -> Option<(usize, Newline)> {
        let at = memchr::memchr2(b'\r', b'\n', text)?;
        let kind = match &text[at..] {
            [b'\r', b'\n', ..] => Newline::Crlf,
            [b'\r', ..] => Newline::Cr,
            _ => Newline::Lf,
        };
        Some((at, kind))
    }

    /// Returns the characters of the newline.
    pub fn text(self) -> &'static str {
        match self {
            Newline::Lf => "\n",
            Newline::Crlf => "\r\n",
            Newline::Cr => "\r",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Newline::Lf => "LF",
            Newline::Crlf => "CRLF",
            Newline::Cr => "CR",
        }
    }
}

/// An encoding, and the demand about its BOM.
pub type EncodingAndBom = (&'static Encoding, Option<Demand>);

/// The setting of a property in a configuration file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Setting<T> {
    #[default]
    Absent,
    /// The property has no value, even if files above set one.
    Unset,
    To(T),
}

impl<T> Setting<T> {
    pub fn is_absent(&self) -> bool {
        matches!(self, Setting::Absent)
    }

    /// Returns this setting or, if it is absent, the setting of a file above.
    pub fn or(self, above: Setting<T>) -> Setting<T> {
        if self.is_absent() { above } else { self }
    }

    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Setting<U> {
        match self {
            Setting::Absent => Setting::Absent,
            Setting::Unset => Setting::Unset,
            Setting::To(value) => Setting::To(change(value)),
        }
    }

    pub fn value(self) -> Option<T> {
        if let Setting::To(value) = self { Some(value) } else { None }
    }
}

/// Returns the encoding of that name, and the demand about the BOM that the name implies.
pub fn encoding(name: &str) -> Result<EncodingAndBom, String> {
    let name = Name::parse(name, |_| None).map_err(modes::no_such)?;
    if name.suffixes != Suffixes::default() {
        return Err("no such encoding".to_string());
    }
    Ok((name.encoding, name.signed.map(Demand::implied)))
}

/// Returns the beginning of a text from a configuration file, escaped for terminals.
pub fn cut(text: &str) -> String {
    one_line(&shortened(text)).into_owned()
}
