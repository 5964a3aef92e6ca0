//! The encoding of the locale, read from the environment as POSIX defines it, without the C library and without
//! installed locales.

use utfconv_core::{Encoding, US_ASCII};

/// Returns the encoding of the locale, which is the part after the dot of LC_ALL, LC_CTYPE or LANG, whichever is set
/// first. Without a known encoding, returns US-ASCII, as in the locale C.
pub fn encoding(variable: impl Fn(&str) -> Option<String>) -> &'static Encoding {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    locale.as_deref().and_then(codeset).and_then(Encoding::for_name).unwrap_or(&US_ASCII)
}

/// Returns the codeset of a locale, such as `UTF-8` of `fr_FR.UTF-8@euro`.
fn codeset(locale: &str) -> Option<&str> {
    let (_, behind) = locale.split_once('.')?;
    behind.split('@').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_set_decides() {
        for (variables, name) in [
            (&[][..], "US-ASCII"),
            (&[("LANG", "C.UTF-8")], "UTF-8"),
            (&[("LANG", "fr_FR.utf8")], "UTF-8"),
            (&[("LANG", "fr_FR.ISO-8859-1@euro")], "ISO-8859-1"),
            (&[("LANG", "C.UTF-8"), ("LC_ALL", "C")], "US-ASCII"),
            (&[("LANG", "C.UTF-8"), ("LC_ALL", "")], "UTF-8"),
            (&[("LANG", "POSIX"), ("LC_CTYPE", "C.UTF-8")], "UTF-8"),
            (&[("LC_CTYPE", "C.UTF-8"), ("LC_ALL", "POSIX")], "US-ASCII"),
            (&[("LANG", "fr_FR")], "US-ASCII"),
            (&[("LANG", "fr_FR.nonsense")], "US-ASCII"),
            (&[("LANG", "fr_FR@euro.UTF-8")], "UTF-8"),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string())
            };
            assert_eq!(encoding(variable).name(), name, "{variables:?}");
        }
    }
}
