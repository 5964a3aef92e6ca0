//! Finds the declarations in which a text names its own encoding, such as `<?xml version="1.0"
//! encoding="ISO-8859-1"?>`.
//!
//! ```
//! use utfconv_core::{ISO_8859_1, UTF_8};
//! use utfconv_declare::{HeadAndTail, find};
//!
//! let text = b"<?xml version='1.0' encoding='ISO-8859-1'?><a/>";
//! let found = find(&HeadAndTail::of(text), &ISO_8859_1, Some("a.xml"));
//! assert_eq!(found[0].label(), "ISO-8859-1");
//! assert!(found[0].agrees_with(&ISO_8859_1, false) && !found[0].agrees_with(&UTF_8, false));
//! ```
//!
//! [`find`] reads the first and the last bytes of a text. [`update`] returns the edits that make all declarations true.
//! Each [`Kind`] of declaration has a file in `src/`, which defines where the declaration is found, what its labels
//! mean, and the label of each encoding. To add a kind, write its file and add its row to the list in `lib.rs`.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod coding;
mod css;
mod emacs;
mod html;
mod labels;
mod latex;
mod po;
mod python;
mod ruby;
mod text;
mod update;
mod vim;
mod xml;

#[cfg(test)]
#[path = "../../utfconv-core/src/testkit.rs"]
mod testkit;

use std::fmt;
use std::ops::Range;

use labels::Definition;
use text::{Label, Sample};
use utfconv_core::Encoding;

pub use labels::Meaning;
pub use text::{HEAD, HeadAndTail, TAIL};
pub use update::{Update, update};
pub use utfconv_core::edit::Edit;

/// The prefix in the names of encodings that only the Encoding Standard defines.
const PREFIX: &str = "whatwg:";

/// Defines the type [`Kind`] from the list of kinds. If declarations of two kinds overlap, the kind that is listed
/// first wins.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $module:ident,)*) => {
        /// A kind of declaration.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// Every kind of declaration, in the order of precedence.
            pub const ALL: &[Kind] = &[$(Kind::$kind,)*];

            fn definition(self) -> &'static Definition {
                match self {
                    $(Kind::$kind => &$module::KIND,)*
                }
            }
        }
    };
}
kinds! {
    /// `<meta charset=...>` or `<meta http-equiv=...>`, as the HTML Standard's prescan finds them.
    Html: html,
    /// The XML declaration, or the text declaration of an external entity.
    Xml: xml,
    /// `@charset "...";`.
    Css: css,
    /// The comment with `coding` that Python reads (PEP 263).
    Python: python,
    /// The comment with `coding` that Ruby reads.
    Ruby: ruby,
    /// `-*- coding: ... -*-`, or Emacs' local variables at the end of a text.
    Emacs: emacs,
    /// `vim: set fileencoding=...:`.
    Vim: vim,
    /// The header of a message catalog of gettext.
    Po: po,
    /// `\usepackage[...]{inputenc}`.
    Latex: latex,
}

impl Kind {
    /// Returns the name of the kind in messages, such as `XML declaration`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// Returns the preferred label of an encoding in declarations of this kind. `None` if the encoding has no label
    /// there, as UTF-16 in HTML.
    ///
    /// ```
    /// use utfconv_declare::Kind;
    /// use utfconv_core::{ISO_8859_1, UTF_8, UTF_16};
    ///
    /// assert_eq!(Kind::Python.label(&ISO_8859_1), Some("latin-1"));
    /// assert_eq!(Kind::Latex.label(&UTF_8), Some("utf8"));
    /// assert_eq!((Kind::Xml.label(&UTF_16), Kind::Html.label(&UTF_16)), (Some("UTF-16"), None));
    /// ```
    #[must_use]
    pub fn label(self, encoding: &'static Encoding) -> Option<&'static str> {
        (self.definition().label)(encoding)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A declaration of an encoding in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    kind: Kind,
    label: String,
    range: Range<u64>,
    meaning: Meaning,
}

impl Declaration {
    /// Returns the kind of the declaration.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the label as it is written, without a suffix for newlines such as Emacs' `-unix`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the byte range of the label in the text.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the meaning of the label.
    #[must_use]
    pub fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// Whether the declaration is true for a text in `encoding`, so that a program that follows it reads the same text.
    /// `is_ascii` is true if the text has only ASCII characters.
    ///
    /// ```
    /// use utfconv_declare::{HeadAndTail, find};
    /// use utfconv_core::{ISO_8859_1, UTF_8};
    ///
    /// let text = b"# coding: latin-1\n'caf\xE9'\n";
    /// let found = find(&HeadAndTail::of(text), &ISO_8859_1, Some("menu.py"));
    /// assert!(found[0].agrees_with(&ISO_8859_1, false));
    /// assert!(!found[0].agrees_with(&UTF_8, false));
    /// assert!(found[0].agrees_with(&UTF_8, true));
    /// ```
    #[must_use]
    pub fn agrees_with(&self, encoding: &'static Encoding, is_ascii: bool) -> bool {
        let Meaning::Encoding(declared) = self.meaning else { return self.names(encoding) };
        self.names(encoding)
            || declared.reads(encoding)
            || is_ascii && declared.is_ascii_compatible() && encoding.is_ascii_compatible()
    }

    /// Whether the declaration is true for a text in `encoding` that consists of these bytes, because each byte is the
    /// same character in both encodings. Returns false if an encoding has multi-byte characters.
    ///
    /// ```
    /// use utfconv_declare::{HeadAndTail, find};
    /// use utfconv_core::Encoding;
    ///
    /// let encoding = Encoding::for_name("windows-1252").expect("a name");
    /// let text = b"# coding: latin-1\n'caf\xE9'\n";
    /// let found = find(&HeadAndTail::of(text), encoding, Some("menu.py"));
    /// let mut bytes = [false; 256];
    /// text.iter().for_each(|byte| bytes[usize::from(*byte)] = true);
    /// assert!(!found[0].agrees_with(encoding, false) && found[0].agrees_on(encoding, &bytes));
    /// bytes[0x80] = true;
    /// assert!(!found[0].agrees_on(encoding, &bytes));
    /// ```
    #[must_use]
    pub fn agrees_on(&self, encoding: &'static Encoding, bytes: &[bool; 256]) -> bool {
        let Meaning::Encoding(declared) = self.meaning else { return false };
        let (Some(one), Some(other)) = (declared.table(), encoding.table()) else { return false };
        let is_defined = |unit: u16| unit != Encoding::UNDEFINED;
        (0..256).filter(|byte| bytes[*byte]).all(|byte| one[byte] == other[byte] && is_defined(one[byte]))
    }

    /// Whether `encoding` is a superset of the declared encoding, so that text in the declared encoding reads the same.
    /// Many texts that declare the subset are in the superset.
    ///
    /// ```
    /// use utfconv_declare::{HeadAndTail, find};
    /// use utfconv_core::encodings::{CP949, EUC_KR};
    ///
    /// let found = find(&HeadAndTail::of(b"<?xml version='1.0' encoding='EUC-KR'?>"), &CP949, None);
    /// assert!(found[0].is_subset_of(&CP949) && !found[0].agrees_with(&CP949, false));
    /// ```
    #[must_use]
    pub fn is_subset_of(&self, encoding: &'static Encoding) -> bool {
        matches!(self.meaning, Meaning::Encoding(declared) if encoding.reads(declared))
    }

    /// Whether the label is a name of `encoding`.
    fn names(&self, encoding: &'static Encoding) -> bool {
        match self.meaning {
            Meaning::Unspecified => true,
            Meaning::Encoding(declared) if labels::is_same(declared, encoding) => true,
            _ => Encoding::for_name(&self.label).is_some_and(|named| labels::is_same(named, encoding)),
        }
    }
}

/// Finds the declarations in a text in `encoding`, in the order of their positions.
///
/// `name` is the name of the file, if the text has a file. The name and the first bytes of the text decide which kinds
/// are looked for: `<meta charset>` only in HTML, the comments of Python in Python. If HTML has several `<meta>`
/// elements, browsers use the first.
///
/// ```
/// use utfconv_declare::{HeadAndTail, Kind, Meaning, find};
/// use utfconv_core::UTF_8;
///
/// let page = b"<!doctype html><meta charset=latin1>";
/// let found = find(&HeadAndTail::of(page), &UTF_8, None);
/// assert_eq!((found[0].kind(), found[0].label(), found[0].range()), (Kind::Html, "latin1", 29..35));
/// let Meaning::Encoding(meaning) = found[0].meaning() else { panic!("latin1 is a label of the web") };
/// assert_eq!(meaning.name(), "windows-1252");
/// ```
#[must_use]
pub fn find(ends: &HeadAndTail, encoding: &'static Encoding, name: Option<&str>) -> Vec<Declaration> {
    find_in(&Sample::new(ends, encoding, name))
}

/// Finds the declarations in a text of unknown encoding, as far as their standards define how. The text may be in ASCII
/// or a superset, in UTF-16 or UTF-32 with a BOM or `<?`, or in EBCDIC for XML.
///
/// ```
/// use utfconv_declare::{HeadAndTail, sniff};
///
/// let text = b"<\0?\0x\0m\0l\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0U\0T\0F\0-\x001\x006\0'\0?\0>\0";
/// assert_eq!(sniff(&HeadAndTail::of(text), None)[0].label(), "UTF-16");
/// ```
#[must_use]
pub fn sniff(ends: &HeadAndTail, name: Option<&str>) -> Vec<Declaration> {
    find_in(&Sample::sniffed(ends, name))
}

fn find_in(text: &Sample) -> Vec<Declaration> {
    let mut found: Vec<Declaration> = Vec::new();
    for kind in Kind::ALL {
        let Definition { find, meaning, .. } = kind.definition();
        let mut labels = Vec::new();
        find(text, &mut labels);
        for Label { text: label, range } in labels {
            // A comment of Python is often a coding line of Emacs too; the label is reported once.
            if found.iter().all(|one| one.range.end <= range.start || range.end <= one.range.start) {
                found.push(Declaration { kind: *kind, meaning: meaning(&label), label, range });
            }
        }
    }
    found.sort_by_key(|one| one.range.start);
    found
}

#[cfg(test)]
mod tests;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
