//! The XML declaration, `<?xml version="1.0" encoding="..."?>` at the start of a text (XML 1.0, sections 2.8 and 4.3).
//!
//! The text declaration of an external entity may omit the version. Labels have the meaning of the IANA registry.

use std::ops::Range;

use super::labels::{self, Definition};
use super::text::{Label, Sample, count, position};
use utfconv_core::Encoding;

pub const KIND: Definition = Definition { name: "XML declaration", find, meaning: labels::named, label };

/// Number of code units within which the declaration has to end.
const LIMIT: usize = 1024;

fn find(text: &Sample, found: &mut Vec<Label>) {
    let Some(declaration) = Declaration::parse(&text.head.units) else { return };
    let Some(encoding) = declaration.encoding else { return };
    if is_name(&text.head.units[encoding.clone()]) {
        found.extend(text.head.label(encoding));
    }
}

/// Positions in an XML declaration, in code units.
pub(super) struct Declaration {
    /// The range of the value of `encoding`.
    encoding: Option<Range<usize>>,
    /// The end of the version, after which an encoding can be inserted.
    version_end: Option<usize>,
}

impl Declaration {
    /// Parses the declaration at the start of a text; `None` if there is none, or if it is not well-formed.
    pub fn parse(units: &[u8]) -> Option<Declaration> {
        let rest = units.strip_prefix(b"<?xml").filter(|rest| rest.first().is_some_and(is_space))?;
        let end = units.len() - rest.len() + position(&rest[..rest.len().min(LIMIT)], b"?>")?;
        let mut declaration = Declaration { encoding: None, version_end: None };
        let mut at = units.len() - rest.len();
        loop {
            at += count(&units[..end], at, is_space);
            if at == end {
                return Some(declaration);
            }
            let name = at..at + count(&units[..end], at, u8::is_ascii_lowercase);
            at = name.end + count(&units[..end], name.end, is_space);
            if units[at] != b'=' {
                return None;
            }
            at += 1 + count(&units[..end], at + 1, is_space);
            let quote = *units[..end].get(at).filter(|unit| matches!(unit, b'"' | b'\''))?;
            let value = at + 1..at + 1 + count(&units[..end], at + 1, |unit| *unit != quote);
            if value.end == end {
                return None;
            }
            at = value.end + 1;
            match &units[name] {
                b"version" => declaration.version_end = Some(at),
                b"encoding" => declaration.encoding = Some(value),
                b"standalone" => {}
                _ => return None,
            }
        }
    }
}

fn is_space(unit: &u8) -> bool {
    matches!(unit, b' ' | b'\t' | b'\r' | b'\n')
}

/// Whether `text` is a name of an encoding by the grammar of XML.
fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(u8::is_ascii_alphabetic)
        && text.iter().all(|unit| unit.is_ascii_alphanumeric() || matches!(unit, b'.' | b'_' | b'-'))
}

/// Encodings with another name in the IANA registry, and encodings that XML processors do not support (`None`).
static NAMES: &[(&str, Option<&str>)] = &[
    ("UCS-2", Some("ISO-10646-UCS-2")),
    ("UCS-2LE", None),
    ("UCS-2BE", None),
    ("UCS-2-SWAPPED", None),
    ("UNICODE", None),
    ("UCS-4", Some("ISO-10646-UCS-4")),
    ("UCS-4LE", None),
    ("UCS-4-INTERNAL", None),
    ("UCS-4-SWAPPED", None),
    ("MUTF-8", None),
    ("WTF-8", None),
    ("UTF-8-2279", None),
    ("UTF-7", None),
    ("UTF-7-IMAP", None),
];

fn label(encoding: &'static Encoding) -> Option<&'static str> {
    if let Some((_, label)) = NAMES.iter().find(|(name, _)| *name == encoding.name()) {
        return *label;
    }
    let mut names = std::iter::once(encoding.name()).chain(encoding.aliases());
    names.find(|name| is_name(name.as_bytes()))
}

/// Extensions of files that are XML even without a declaration.
const EXTENSIONS: &[&str] = &[
    "atom", "csproj", "dae", "fo", "gml", "gpx", "kml", "mathml", "mml", "opf", "plist", "rdf", "resx",
    "rng", "rss", "svg", "tei", "vcxproj", "wsdl", "xhtml", "xht", "xlf", "xliff", "xml", "xsd", "xsl",
    "xslt", "xul",
];

/// Returns the text to insert if a text in `encoding` needs a declaration and has none, and its position in code units.
/// The text is an error if the encoding has no label.
///
/// Without a declaration, XML is UTF-8, or UTF-16 with a BOM.
pub(super) fn missing(text: &Sample, encoding: &'static Encoding) -> Option<(usize, Result<String, ()>)> {
    let needs_none = match encoding.name() {
        "UTF-8" | "US-ASCII" => true,
        "UTF-16" | "UTF-16LE" | "UTF-16BE" => text.has_bom,
        _ => false,
    };
    if needs_none {
        return None;
    }
    let units = &text.head.units;
    let label = label(encoding).ok_or(());
    match Declaration::parse(units) {
        Some(Declaration { encoding: Some(_), .. }) => None,
        Some(Declaration { version_end: Some(at), .. }) => {
            Some((at, label.map(|label| format!(" encoding=\"{label}\""))))
        }
        Some(_) => None,
        // A declaration that is not well-formed is not changed.
        None if units.starts_with(b"<?xml") && units.get(5).is_some_and(is_space) => None,
        None if text.is_named(EXTENSIONS, &[]) && units.first() == Some(&b'<') => {
            let newline = match units.iter().position(|unit| *unit == b'\n') {
                Some(at) if at > 0 && units[at - 1] == b'\r' => "\r\n",
                _ => "\n",
            };
            Some((0, label.map(|label| format!("<?xml version=\"1.0\" encoding=\"{label}\"?>{newline}"))))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_that_of_xml() {
        let label = |text: &str| {
            let declaration = Declaration::parse(text.as_bytes())?;
            declaration.encoding.map(|range| text[range].to_string())
        };
        for (text, expected) in [
            ("<?xml version='1.0' encoding='UTF-8'?>", Some("UTF-8")),
            ("<?xml version = \"1.0\"\r\n\tencoding = \"latin1\" standalone='yes' ?>", Some("latin1")),
            ("<?xml encoding='x'?>", Some("x")),
            ("<?xml version='1.0'?>", None),
            ("<?xml version='1.0' encoding=UTF-8?>", None),
            ("<?xml version='1.0' encoding='UTF-8\"?>", None),
            ("<?xml version='1.0' charset='UTF-8'?>", None),
            ("<?xml-stylesheet encoding='UTF-8'?>", None),
            (" <?xml version='1.0' encoding='UTF-8'?>", None),
            ("<?xml version='1.0' encoding='UTF-8'", None),
            ("<?xml", None),
            ("<?xml ?>", None),
            ("<?xml =?>", None),
            ("<?xml a", None),
        ] {
            assert_eq!(label(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn every_name_is_one_by_the_grammar_and_means_the_encoding() {
        let mut count = 0;
        for encoding in Encoding::all() {
            let Some(label) = label(encoding) else { continue };
            assert!(is_name(label.as_bytes()), "{label}");
            assert_eq!(Encoding::for_name(label), Some(encoding), "{label}");
            count += 1;
        }
        assert!(count > 200, "{count}");
    }
}
