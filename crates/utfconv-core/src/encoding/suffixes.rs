//! The suffixes that iconv's users write after the name of an encoding.
//!
//! As in glibc, suffixes are cut off from the end, at a slash or a comma, as long as the rest contains two slashes. So
//! a name with one slash, such as ISO-10646/UCS4, stays whole.

/// The requests that the suffixes after the name of an encoding make.
///
/// ```
/// use utfconv_core::Suffixes;
///
/// let (name, suffixes) = Suffixes::cut("ASCII//TRANSLIT//IGNORE");
/// assert_eq!(name, "ASCII");
/// assert!(suffixes.translit && suffixes.ignore && !suffixes.discard && suffixes.unknown.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suffixes {
    /// `//TRANSLIT` approximates unmappable characters.
    pub translit: bool,
    /// `//IGNORE` omits bytes and characters that cannot be converted.
    pub ignore: bool,
    /// `//NON_IDENTICAL_DISCARD` omits unmappable characters.
    pub discard: bool,
    /// Suffixes that are unknown.
    pub unknown: Vec<String>,
}

impl Suffixes {
    /// Cuts the suffixes off a name. Returns the name, and the suffixes. See [`Suffixes`].
    pub fn cut(text: &str) -> (&str, Suffixes) {
        let mut suffixes = Suffixes::default();
        let mut rest = text;
        loop {
            rest = rest.trim_end_matches(|c: char| matches!(c, '/' | ',') || c.is_ascii_whitespace());
            let Some(at) = rest.rfind(['/', ',']).filter(|_| rest.matches('/').count() >= 2) else {
                return (rest, suffixes);
            };
            let word = &rest[at + 1..];
            match word.to_ascii_uppercase().as_str() {
                "TRANSLIT" => suffixes.translit = true,
                "IGNORE" => suffixes.ignore = true,
                "NON_IDENTICAL_DISCARD" => suffixes.discard = true,
                _ => suffixes.unknown.insert(0, word.to_string()),
            }
            rest = &rest[..at];
        }
    }
}
