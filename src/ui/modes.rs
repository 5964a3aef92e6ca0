//! The values of options that name encodings, also those of mapping files, and those that only the program has. The library
//! has the others.

use utfconv_core::{Encoding, OnIllFormed, OnUnmappable, UTF_8};
use utfconv_options::modes;
pub use utfconv_options::modes::*;

use crate::ui::mappings;
use crate::ui::names::{Name, Unknown};

/// Parses the value of `-f` or `-t`; the empty name is the default, UTF-8.
pub fn name(text: &str) -> Result<Name, String> {
    if text.eq_ignore_ascii_case("auto") {
        return Err("not an encoding; use 'utfconv detect FILE' to detect that of a file".to_string());
    }
    mappings::name(text, |name| name.is_empty().then_some(&UTF_8)).map_err(no_such)
}

/// The value of `-f`.
#[derive(Clone, Debug)]
pub enum Source {
    Named(Name),
    /// `auto` has an empty list; `auto:LIST` has the listed encodings and UTF-8.
    Detected(Vec<&'static Encoding>),
}

/// Parses the value of `-f`.
pub fn source(text: &str) -> Result<Source, String> {
    match text.split_once(':') {
        None if text.eq_ignore_ascii_case("auto") => Ok(Source::Detected(Vec::new())),
        Some((auto, list)) if auto.eq_ignore_ascii_case("auto") => {
            let mut listed = candidates(list)?;
            if !listed.contains(&&UTF_8) {
                listed.push(&UTF_8);
            }
            Ok(Source::Detected(listed))
        }
        _ => name(text).map(Source::Named),
    }
}

/// Parses the value of `-f` where encodings are detected by default, which `auto` says too.
pub fn name_or_auto(text: &str) -> Result<Option<Name>, String> {
    if text.eq_ignore_ascii_case("auto") { Ok(None) } else { name(text).map(Some) }
}

/// Reads the name of an encoding, or a mapping file.
fn read(text: &str) -> Result<Name, Unknown> {
    mappings::name(text, |_| None)
}

/// Parses a mode for both sides.
pub fn both(mode: &str) -> Result<Both, String> {
    modes::both(mode, read)
}

/// Parses a mode for ill-formed bytes.
pub fn ill_formed(mode: &str) -> Result<OnIllFormed, String> {
    modes::ill_formed(mode, read)
}

/// Parses a mode for unmappable characters of a text that is restored.
pub fn restoring(mode: &str) -> Result<OnUnmappable, String> {
    match unmappable_among(mode, for_restoring()) {
        Ok(OnUnmappable::Carry(_)) => {
            let modes = sentence(for_restoring());
            Err(format!("writes bytes, not characters; the modes here are {modes}"))
        }
        parsed => parsed,
    }
}

/// Returns the modes for unmappable characters that write all of them, and the default. Carriers stop at other characters.
pub fn for_restoring() -> impl Iterator<Item = &'static Mode> + Clone {
    let carries = |mode: &Mode| matches!(unmappable(&mode.word()), Ok(OnUnmappable::Carry(_)));
    UNMAPPABLE.iter().filter(move |mode| !carries(mode))
}

/// The values of the option for declarations.
pub const DECLARATION: &[(&str, &str, Declarations)] = &[
    ("keep", "Keep it; in files, warn if the name is now wrong", Declarations::Keep),
    ("update", "Replace the name by that of the output encoding", Declarations::Update),
];

/// How declarations that are false in the output are handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Declarations {
    /// It stays, and in files a warning reports it.
    #[default]
    Keep,
    /// The name is replaced.
    Update,
}
