//! Finds text that a normalization form does not change, by comparing adjacent characters. A table of the first two
//! planes is filled from the normalizer's data on demand.

use std::sync::atomic::{AtomicU16, Ordering};

/// The effect of a normalization form on a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuickCheck {
    /// The character is unchanged, and not affected by text before it. Later marks may have to move before its last
    /// mark, whose canonical combining class is `inner` (0 if it has none). If `is_first`, later marks may compose with
    /// the character.
    Stable { inner: u8, is_first: bool },
    /// The character is unchanged alone, and after characters whose marks have no higher class.
    Mark { class: u8 },
    /// The character is unchanged alone, but composes with some characters before it.
    Second { class: u8 },
    /// The character changes, or may change.
    Changed,
}

/// How a character relates to its neighbors, like the combining classes of its first and last code point in ICU's quick
/// check. A character is unchanged if its lead is greater than the trail of the previous character; otherwise it must
/// be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    /// The kind of the character, in ascending order: 0 for characters that are always checked, [`Edges::SECOND`],
    /// marks by their class, and [`Edges::STABLE`].
    pub lead: u8,
    /// One more than the combining class of the character's last mark, before which marks of lower classes move; 0 if
    /// no later mark moves or composes.
    pub trail: u8,
}

impl Edges {
    /// The trail of unknown text, after which only stable characters are unchanged.
    pub const UNSEEN: u8 = Edges::STABLE - 1;
    const SECOND: u8 = 1;
    const STABLE: u8 = u8::MAX;
    /// The edges of characters that are not in the table yet.
    const UNKNOWN: Edges = Edges { lead: 0, trail: 0 };
    /// The edges of characters that the form changes. Their trail distinguishes them from unknown characters.
    const CHANGED: Edges = Edges { lead: 0, trail: u8::MAX };

    // A combining class is at most 240, so the sums do not overflow.
    fn of(kind: QuickCheck) -> Edges {
        match kind {
            QuickCheck::Stable { inner: 0, is_first: false } => Edges { lead: Edges::STABLE, trail: 0 },
            QuickCheck::Stable { inner, .. } => Edges { lead: Edges::STABLE, trail: inner + 1 },
            QuickCheck::Mark { class } => Edges { lead: class + 2, trail: class + 1 },
            QuickCheck::Second { class } => Edges { lead: Edges::SECOND, trail: class + 1 },
            QuickCheck::Changed => Edges::CHANGED,
        }
    }

    pub fn is_stable(self) -> bool {
        self.lead == Edges::STABLE
    }

    /// Whether no mark after a stable character composes with it, or moves before one of its marks.
    pub fn combines_with_nothing_after(self) -> bool {
        self.trail == 0
    }

    /// Returns the class of a mark, which may compose with a character before it; `None` for other characters.
    pub fn class_of_mark(self) -> Option<u8> {
        let is_mark = self.lead != 0 && !self.is_stable() && self.trail > 1;
        is_mark.then(|| self.trail - 1)
    }

    /// Returns the class of a character that may compose with a character before it; `None` for other characters.
    pub fn class_of_second(self) -> Option<u8> {
        (self.lead == Edges::SECOND).then(|| self.trail - 1)
    }
}

/// A table of edges, filled on demand.
pub(super) struct Table([AtomicU16; Table::END]);

impl Table {
    /// The first code point beyond the table.
    const END: usize = 0x2_0000;

    pub const fn new() -> Table {
        Table([const { AtomicU16::new(0) }; Table::END])
    }

    /// Returns the edges of the scalar value `code_point`; `find` returns the kind of `code_point` if the table lacks
    /// it.
    #[inline(always)]
    pub fn edges(&self, code_point: u32, find: impl Fn(char) -> QuickCheck) -> Edges {
        match self.known(code_point) {
            Edges::UNKNOWN => self.find(code_point, find),
            known => known,
        }
    }

    /// Returns the edges of a code point, or [`Edges::UNKNOWN`].
    #[inline(always)]
    pub fn known(&self, code_point: u32) -> Edges {
        let known = self.0.get(code_point as usize).map_or(0, |known| known.load(Ordering::Relaxed));
        let [lead, trail] = known.to_le_bytes();
        Edges { lead, trail }
    }

    #[cold]
    fn find(&self, code_point: u32, find: impl Fn(char) -> QuickCheck) -> Edges {
        let edges = Edges::of(char::from_u32(code_point).map_or(QuickCheck::Changed, find));
        if let Some(entry) = self.0.get(code_point as usize) {
            // Another thread may store the same value at the same time.
            entry.store(u16::from_le_bytes([edges.lead, edges.trail]), Ordering::Relaxed);
        }
        edges
    }
}
