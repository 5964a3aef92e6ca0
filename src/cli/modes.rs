//! The values of options that are more than words: names of encodings, and modes with their styles and texts. The
//! errors are for the user, behind the option's name.

use utfconv::{ALL, ByteEscape, Encoding, OnIllFormed, OnUnmappable, ScalarEscape};

/// The encoding of that name; the empty name is the default, UTF-8.
pub fn encoding(name: &str) -> Result<&'static Encoding, String> {
    if name.is_empty() {
        return Ok(&utfconv::UTF_8);
    }
    Encoding::named(name).ok_or_else(|| match similar(name) {
        Some(known) => format!("no such encoding; did you mean {known}? ('utfconv -l' lists all)"),
        None => "no such encoding ('utfconv -l' lists all)".to_string(),
    })
}

/// The name that `name` may be a misspelling of. Digits are not misspelt: cp1252 is not cp1201.
fn similar(name: &str) -> Option<&'static str> {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let likeness = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
    ALL.iter()
        .flat_map(|encoding| std::iter::once(encoding.name()).chain(encoding.aliases().iter().copied()))
        .filter(|known| digits(known) == digits(name))
        .map(|known| (likeness(known), known))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

/// A mode for both sides.
#[derive(Clone)]
pub struct Both(pub OnIllFormed, pub OnUnmappable);

pub fn both(mode: &str) -> Result<Both, String> {
    match (ill_formed(mode), unmappable(mode)) {
        (Ok(ill_formed), Ok(unmappable)) => Ok(Both(ill_formed, unmappable)),
        (Ok(_), Err(_)) => Err(format!("that mode is for ill-formed bytes only; use --ill-formed={mode}")),
        (Err(_), Ok(_)) => {
            Err(format!("that mode is for unmappable characters only; use --unmappable={mode}"))
        }
        (Err(_), Err(_)) => {
            Err("the modes for both are stop, replace[=TEXT], omit, escape[=percent] and surrogateescape"
                .to_string())
        }
    }
}

pub fn ill_formed(mode: &str) -> Result<OnIllFormed, String> {
    Ok(match split(mode) {
        ("stop", None) => OnIllFormed::Stop,
        ("replace", text) => OnIllFormed::Replace(text.map(str::to_string)),
        ("omit", None) => OnIllFormed::Omit,
        ("escape", style) => OnIllFormed::Escape(match style {
            None | Some("hex") => ByteEscape::Hex,
            Some("percent") => ByteEscape::Percent,
            Some("angle") => ByteEscape::Angle,
            Some("octal") => ByteEscape::Octal,
            _ => return Err("the styles for bytes are hex, percent, angle and octal".to_string()),
        }),
        ("fallback", Some(name)) if !name.is_empty() => OnIllFormed::Fallback(encoding(name)?),
        ("fallback", _) => return Err("name the encoding to fall back to: fallback=ENC".to_string()),
        ("surrogateescape", None) => OnIllFormed::SurrogateEscape,
        ("raw", None) => OnIllFormed::Raw,
        _ => {
            return Err("the modes are stop, replace[=TEXT], omit, escape[=STYLE], fallback=ENC, surrogateescape and raw"
                .to_string());
        }
    })
}

pub fn unmappable(mode: &str) -> Result<OnUnmappable, String> {
    Ok(match split(mode) {
        ("stop", None) => OnUnmappable::Stop,
        ("replace", text) => OnUnmappable::Replace(text.map(str::to_string)),
        ("omit", None) => OnUnmappable::Omit,
        ("escape", style) => OnUnmappable::Escape(match style {
            None | Some("rust") => ScalarEscape::Rust,
            Some("json") => ScalarEscape::Json,
            Some("c") => ScalarEscape::C,
            Some("xml") => ScalarEscape::Xml,
            Some("html") => ScalarEscape::Html,
            Some("uplus") => ScalarEscape::UPlus,
            Some("percent") => ScalarEscape::Percent,
            _ => {
                return Err(
                    "the styles for characters are rust, json, c, xml, html, uplus and percent".to_string()
                );
            }
        }),
        ("surrogateescape", None) => OnUnmappable::SurrogateEscape,
        _ => {
            return Err(
                "the modes are stop, replace[=TEXT], omit, escape[=STYLE] and surrogateescape".to_string()
            );
        }
    })
}

/// A mode and its value: `escape=hex`.
fn split(mode: &str) -> (&str, Option<&str>) {
    match mode.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (mode, None),
    }
}
