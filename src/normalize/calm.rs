//! What a normalization form leaves as it is, told character by character: a table for the characters of the first two
//! planes, which fills itself from the normalizer's data where a text goes.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a form makes of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It stays, and nothing before it bears on it.
    Calm = 1,
    /// It stays by itself; it depends on the character before.
    Moved = 2,
    /// It becomes something else, or a part of it may.
    Changed = 3,
}

/// Kinds that are known, two bits each; 0 where nobody has asked.
pub(super) struct Table([AtomicU64; Table::END / Table::ROW]);

impl Table {
    /// The first code point that is not in it.
    const END: usize = 0x2_0000;
    /// Kinds in a word, which are found out together.
    const ROW: usize = 32;

    pub const fn new() -> Table {
        Table([const { AtomicU64::new(0) }; Table::END / Table::ROW])
    }

    /// The kind of the scalar value `code_point`, which `find` finds out.
    #[inline(always)]
    pub fn kind(&self, code_point: u32, find: impl Fn(char) -> Kind) -> Kind {
        let code_point = code_point as usize;
        let Some(row) = self.0.get(code_point / Table::ROW) else { return one(code_point, find) };
        let mut kinds = row.load(Ordering::Relaxed);
        if kinds == 0 {
            let start = code_point / Table::ROW * Table::ROW;
            kinds = (0..Table::ROW).fold(0, |kinds, at| kinds | (one(start + at, &find) as u64) << (2 * at));
            // Whoever else fills it, fills it with the same.
            row.store(kinds, Ordering::Relaxed);
        }
        match kinds >> (2 * (code_point % Table::ROW)) & 3 {
            1 => Kind::Calm,
            2 => Kind::Moved,
            _ => Kind::Changed,
        }
    }
}

#[cold]
fn one(code_point: usize, find: impl Fn(char) -> Kind) -> Kind {
    char::from_u32(code_point as u32).map_or(Kind::Changed, find)
}
