//! Computes the edits that make the declarations of a text true.

use super::text::Sample;
use super::{Declaration, HeadAndTail, Kind, find_in, xml};
use utfconv_core::Encoding;
use utfconv_core::edit::Edit;

/// The result of [`update`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Update {
    /// The edits, in the order of their positions. They do not overlap.
    pub edits: Vec<Edit>,
    /// The declarations that are not changed, because their kind has no label for the encoding.
    pub kept: Vec<Declaration>,
    /// The kind of declaration that the text needs and that has no label for the encoding.
    pub missing: Option<Kind>,
}

/// Returns the edits that make the declarations of a text in `encoding` true. Edits replace only labels.
///
/// If XML needs a declaration and has none, an edit inserts it. `name` is the name of the file, as for
/// [`find`](super::find).
///
/// ```
/// use utfconv_declare::{Edit, HeadAndTail, update};
/// use utfconv_core::{ISO_8859_1, UTF_8};
///
/// let text = b"# -*- coding: latin-1-unix -*-\n";
/// let edits = update(&HeadAndTail::of(text), &UTF_8, Some("menu.py")).edits;
/// assert_eq!(edits, [Edit { range: 14..21, bytes: b"utf-8".to_vec() }]);
/// let text = b"<?xml version='1.0'?><caf\xE9/>";
/// let edits = update(&HeadAndTail::of(text), &ISO_8859_1, None).edits;
/// assert_eq!(edits, [Edit { range: 19..19, bytes: b" encoding=\"ISO-8859-1\"".to_vec() }]);
/// ```
#[must_use]
pub fn update(ends: &HeadAndTail, encoding: &'static Encoding, name: Option<&str>) -> Update {
    let mut update = Update::default();
    let text = Sample::new(ends, encoding, name);
    if let Some((unit, insertion)) = xml::missing(&text, encoding) {
        let at = text.head.bytes(unit..unit);
        match insertion.ok().and_then(|insertion| text.units.spell(&insertion)) {
            Some(bytes) => update.edits.push(Edit { range: at, bytes }),
            None => update.missing = Some(Kind::Xml),
        }
    }
    for declaration in find_in(&text) {
        let label = declaration.kind.label(encoding);
        if declaration.names(encoding) || label == Some(&declaration.label) {
            continue;
        }
        match label.and_then(|label| text.units.spell(label)) {
            Some(bytes) => update.edits.push(Edit { range: declaration.range, bytes }),
            None => update.kept.push(declaration),
        }
    }
    update
}
