//! Finds text that a normalization form does not change, by comparing adjacent characters: a table for the characters of
//! the first two planes, filled from the normalizer's data as a text needs them.

use std::sync::atomic::{AtomicU16, Ordering};

/// What a form makes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuickCheck {
    /// It stays, and nothing before it affects it. Marks that follow may have to move before its last mark, which has the
    /// canonical combining class `inner` (0 if it has none), and may compose with it if it `is_first`.
    Stable { inner: u8, is_first: bool },
    /// It stays alone, and after characters whose marks have no higher class.
    Mark { class: u8 },
    /// It stays alone, and composes with some characters before it.
    Second { class: u8 },
    /// It changes, or may.
    Changed,
}

/// How a character relates to its neighbours. It stays as it is if its head is greater than the tail of the character
/// before; otherwise there is more to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stance {
    /// In this order: characters that are always checked; [`Stance::SECOND`]; marks by their class; [`Stance::STABLE`].
    pub head: u8,
    /// In the order of the marks that follow it.
    pub tail: u8,
}

impl Stance {
    /// The tail of unknown text: only stable characters stay after it.
    pub const UNSEEN: u8 = Stance::STABLE - 1;
    const SECOND: u8 = 1;
    const STABLE: u8 = u8::MAX;
    /// Of characters that are not in the table yet.
    const UNKNOWN: Stance = Stance { head: 0, tail: 0 };
    /// Of characters that the form changes. Its tail differs from that of an unknown one.
    const CHANGED: Stance = Stance { head: 0, tail: u8::MAX };

    // Classes are 240 at most.
    fn of(kind: QuickCheck) -> Stance {
        match kind {
            QuickCheck::Stable { inner: 0, is_first: false } => Stance { head: Stance::STABLE, tail: 0 },
            QuickCheck::Stable { inner, .. } => Stance { head: Stance::STABLE, tail: inner + 1 },
            QuickCheck::Mark { class } => Stance { head: class + 2, tail: class + 1 },
            QuickCheck::Second { class } => Stance { head: Stance::SECOND, tail: class + 1 },
            QuickCheck::Changed => Stance::CHANGED,
        }
    }

    pub fn is_stable(self) -> bool {
        self.head == Stance::STABLE
    }

    /// The class of a character that may compose with one before it; `None` for all others.
    pub fn class_of_second(self) -> Option<u8> {
        (self.head == Stance::SECOND).then(|| self.tail - 1)
    }
}

/// Stances that are known.
pub(super) struct Table([AtomicU16; Table::END]);

impl Table {
    /// The first code point that is not in it.
    const END: usize = 0x2_0000;

    pub const fn new() -> Table {
        Table([const { AtomicU16::new(0) }; Table::END])
    }

    /// The stance of the scalar value `code_point`, whose kind `find` finds out.
    #[inline(always)]
    pub fn stance(&self, code_point: u32, find: impl Fn(char) -> QuickCheck) -> Stance {
        match self.known(code_point) {
            Stance::UNKNOWN => self.find(code_point, find),
            known => known,
        }
    }

    /// The stance of a code point, as far as it is known.
    #[inline(always)]
    pub fn known(&self, code_point: u32) -> Stance {
        let known = self.0.get(code_point as usize).map_or(0, |known| known.load(Ordering::Relaxed));
        let [head, tail] = known.to_le_bytes();
        Stance { head, tail }
    }

    #[cold]
    fn find(&self, code_point: u32, find: impl Fn(char) -> QuickCheck) -> Stance {
        let stance = Stance::of(char::from_u32(code_point).map_or(QuickCheck::Changed, find));
        if let Some(entry) = self.0.get(code_point as usize) {
            // Another thread may fill it at the same time, with the same.
            entry.store(u16::from_le_bytes([stance.head, stance.tail]), Ordering::Relaxed);
        }
        stance
    }
}
