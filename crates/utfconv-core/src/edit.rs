//! Edits of text or bytes; an edit is a range and the bytes that replace it.
//!
//! ```
//! use utfconv_core::edit::{Splice, spliced};
//!
//! assert_eq!(spliced("abcdef", [(0..1, "A"), (3..5, "")]), "Abcf");
//! let mut splice = Splice::new("abc");
//! assert_eq!(splice.replace(1..2, "BB"), 1);
//! assert_eq!(splice.end(), "aBBc");
//! ```

use std::borrow::Cow;
use std::ops::{Index, Range};

/// A replacement for a range of bytes. See `utfconv-declare`, which returns such edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The range of bytes that is removed from the text; empty if the edit only inserts.
    pub range: Range<u64>,
    /// The bytes that are inserted.
    pub bytes: Vec<u8>,
}

/// Content that can be edited: `[u8]`, or `str`, whose edits are UTF-8. See [`self`].
pub trait Content: ToOwned<Owned: AsRef<[u8]>> + AsRef<[u8]> + Index<Range<usize>, Output = Self> {
    /// Returns empty content with a capacity of as many bytes as this content has. See [`self`].
    fn room(&self) -> Self::Owned;
    /// Appends `part` to `whole`. See [`self`].
    fn append(whole: &mut Self::Owned, part: &Self);
}

impl Content for [u8] {
    fn room(&self) -> Vec<u8> {
        Vec::with_capacity(self.len())
    }

    fn append(whole: &mut Vec<u8>, part: &[u8]) {
        whole.extend_from_slice(part);
    }
}

impl Content for str {
    fn room(&self) -> String {
        String::with_capacity(self.len())
    }

    fn append(whole: &mut String, part: &str) {
        whole.push_str(part);
    }
}

/// Builds new content from old content and replacements of ranges of it, in the order of the ranges. See [`self`].
pub struct Splice<'a, T: Content + ?Sized> {
    old: &'a T,
    /// The end of the last replaced range, in bytes of the old content.
    at: usize,
    /// The new content for the old content up to `at`; `None` before the first edit.
    new: Option<T::Owned>,
}

impl<'a, T: Content + ?Sized> Splice<'a, T> {
    /// Starts with unchanged content. See [`self`].
    pub fn new(old: &'a T) -> Splice<'a, T> {
        Splice { old, at: 0, new: None }
    }

    /// Replaces a range. Returns the offset of the replacement in the new content, in bytes. See [`self`].
    pub fn replace(&mut self, range: Range<usize>, with: &T) -> usize {
        let new = self.new.get_or_insert_with(|| self.old.room());
        T::append(new, &self.old[self.at..range.start]);
        let start = (*new).as_ref().len();
        T::append(new, with);
        self.at = range.end;
        start
    }

    /// Returns the new content. See [`self`].
    pub fn end(self) -> Cow<'a, T> {
        let Some(mut new) = self.new else { return Cow::Borrowed(self.old) };
        T::append(&mut new, &self.old[self.at..self.old.as_ref().len()]);
        Cow::Owned(new)
    }
}

/// Returns content with the ranges of `edits` replaced; the ranges must be in ascending order. See [`self`].
pub fn spliced<'a, T: Content + ?Sized>(
    old: &'a T,
    edits: impl IntoIterator<Item = (Range<usize>, &'a T)>,
) -> Cow<'a, T> {
    let mut splice = Splice::new(old);
    for (range, with) in edits {
        splice.replace(range, with);
    }
    splice.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_replaced() {
        let edits = [(0..1, "A"), (2..2, "+"), (3..5, "")];
        assert_eq!(spliced("abcdef", edits), "Ab+cf");
        assert!(matches!(spliced("abc", []), Cow::Borrowed("abc")));
        assert_eq!(spliced("abc", [(0..3, "")]), "");
        assert_eq!(spliced("", [(0..0, "x")]), "x");
        let mut splice = Splice::new(&b"\xFFabc"[..]);
        assert_eq!(splice.replace(1..2, b"\xFE\xFD"), 1);
        assert_eq!(splice.replace(3..4, b"z"), 4);
        assert_eq!(splice.end(), &b"\xFF\xFE\xFDbz"[..]);
    }
}
