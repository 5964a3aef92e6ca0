//! The values of options that name encodings, including those of mapping files, and values that only the program has.
//! The library has the other values.

use utfconv_core::{Encoding, OnIllFormed, OnUnmappable, UTF_8};
use utfconv_options::modes;
pub use utfconv_options::modes::*;

use crate::ui::mappings;
use crate::ui::names::{Name, Unknown};

/// Parses the value of `-f` or `-t`. An empty name means the default, UTF-8.
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
    /// The candidates for detection: none for `auto`, and the listed encodings and UTF-8 for `auto:LIST`.
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

/// Parses the value of `-f` in commands that detect encodings by default. `auto` also selects detection.
pub fn name_or_auto(text: &str) -> Result<Option<Name>, String> {
    if text.eq_ignore_ascii_case("auto") { Ok(None) } else { name(text).map(Some) }
}

/// Parses the name of an encoding, or of a mapping file.
fn read(text: &str) -> Result<Name, Unknown> {
    mappings::name(text, |_| None)
}

/// Parses a mode for both ill-formed bytes and unmappable characters.
pub fn both(mode: &str) -> Result<Both, String> {
    modes::both(mode, read)
}

/// Parses a mode for ill-formed bytes.
pub fn ill_formed(mode: &str) -> Result<OnIllFormed, String> {
    modes::ill_formed(mode, read)
}

/// Parses a mode for unmappable characters in a restored text.
pub fn restoring(mode: &str) -> Result<OnUnmappable, String> {
    match unmappable_among(mode, for_restoring()) {
        Ok(OnUnmappable::Carry(_)) => {
            let modes = sentence(for_restoring());
            Err(format!("writes bytes, not characters; the modes here are {modes}"))
        }
        parsed => parsed,
    }
}

/// Returns the modes that write every unmappable character, and the default. Carriers are left out, because they stop
/// at other characters.
pub fn for_restoring() -> impl Iterator<Item = &'static Mode> + Clone {
    let carries = |mode: &Mode| matches!(unmappable(&mode.word()), Ok(OnUnmappable::Carry(_)));
    UNMAPPABLE.iter().filter(move |mode| !carries(mode))
}

/// The values of the option for declarations.
pub const DECLARATION: &[(&str, &str, Declarations)] = &[
    ("keep", "Keep the declaration; in files, warn if it is now false", Declarations::Keep),
    ("update", "Replace the declared name by the name of the output encoding", Declarations::Update),
];

/// The reaction to declarations that are false in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Declarations {
    /// Keep the declaration, and warn about it in files.
    #[default]
    Keep,
    /// Replace the label of the declaration.
    Update,
}
