//! Finds where a text names its own encoding, such as `<?xml version="1.0" encoding="ISO-8859-1"?>`.
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
//! Each [`Kind`] of declaration has a file here: where it is found, what its labels mean, and the label of each encoding. To
//! add a kind, write its file and add its row to the list below.

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

/// The prefix of the names of encodings of the Encoding Standard.
const PREFIX: &str = "whatwg:";

/// Makes the type [`Kind`] from the list of kinds. Where two kinds of declarations are the same bytes, the first counts.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $module:ident,)*) => {
        /// A kind of declaration.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// All kinds.
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
    /// The comment of PEP 263.
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

    /// Returns the preferred name of an encoding in such declarations. None if it has none there, as UTF-16 in HTML.
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

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    kind: Kind,
    label: String,
    range: Range<u64>,
    meaning: Meaning,
}

impl Declaration {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the name of the encoding as it is written, without a suffix for newlines such as Emacs' `-unix`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the bytes of the text that are the label.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the meaning of the label.
    #[must_use]
    pub fn meaning(&self) -> Meaning {
        self.meaning
    }

    /// Whether the declaration is true of a text in `encoding`: a program that believes it reads the same text.
    /// `is_ascii` is whether the text has no other characters than those of ASCII.
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
        let Meaning::Encoding(declared) = self.meaning else {
            return self.names(encoding);
        };
        self.names(encoding)
            || declared.reads(encoding)
            || is_ascii && declared.is_ascii_compatible() && encoding.is_ascii_compatible()
    }

    /// Whether the declaration is true of a text in `encoding` that consists of these bytes: whether each is the same
    /// character in both. False if a character may have several bytes.
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

    /// Whether `encoding` is a superset of the declared one, in which such texts are the same. Many texts that declare the
    /// subset are in the superset.
    ///
    /// ```
    /// use utfconv_declare::{HeadAndTail, find};
    /// use utfconv_core::{CP949, EUC_KR};
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

/// Finds the declarations in a text in `encoding`, in the order of their position.
///
/// `name` is the name of its file, if there is one. By that and by its first bytes, it is decided which kinds are looked
/// for: `<meta charset>` only in HTML, the comments of Python in Python. Where HTML has several `<meta>` elements, browsers
/// use the first.
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

/// Finds the declarations in a text of unknown encoding, as far as their standards define that. It may be ASCII or a
/// superset, UTF-16 or UTF-32 with a BOM or `<?`, or EBCDIC for XML.
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
            // A comment of Python is often a coding line of Emacs, too.
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

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
