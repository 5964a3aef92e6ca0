//! Texts in which sets are designated every few characters: a segment between two escape sequences is read with its length
//! known, and without a branch that depends on the set.

use std::ops::Range;
use std::sync::OnceLock;

use super::sets::Found;
use super::{Designation, ESCAPE, Set, Slot, Variant};
use crate::decode::Utf32Unit;

/// Bytes of the source that are searched for escape sequences at a time.
const BLOCK: usize = 256;

/// Bytes after a block that may be looked at.
const AFTER: usize = 2 * LANES;

/// Characters that are read together, without a branch between them: as many as most words have.
const LANES: usize = 8;

/// Characters that are in eight bytes.
const IN_EIGHT: usize = 4;

/// A block, and what is after it.
pub(super) type Source = [u8; BLOCK + AFTER];

/// Escape sequences in eight bytes, at most: each has three bytes.
const IN_A_WORD: usize = 3;

/// The designations of an encoding that invoke a set at once, by [`slot`].
pub(super) struct Segments {
    known: [Option<Known>; SLOTS],
}

/// A designation, and the characters of its set.
struct Known {
    key: u32,
    set: Set,
    /// 0 for a set of single bytes, 1 for one of two bytes.
    shift: u8,
    sheet: OnceLock<Sheet>,
}

/// The characters of a set: by the code, its first byte lowest; 0 where there is none, or two.
type Sheet = Box<[u32; 0x1_0000]>;

const SLOTS: usize = 64;

/// Where a designation is: those of the encodings of Japan are in different slots.
#[inline(always)]
fn slot(window: u32) -> usize {
    let [_, second, third, fourth] = window.to_be_bytes();
    let last = if is_long(window) { fourth } else { third };
    usize::from(last & 0x1F | (second & 4) << 3)
}

/// Whether an escape sequence has four bytes.
#[inline(always)]
fn is_long(window: u32) -> bool {
    window >> 8 & 0xFFFC == 0x2428
}

impl Segments {
    pub fn new(variant: &Variant) -> Segments {
        let mut known = [const { None }; SLOTS];
        let usable = |known: &&Designation| known.slot == Slot::G0 && known.mask != 0;
        for Designation { key, set, .. } in variant.designations.iter().filter(usable) {
            let shift = set.width() as u8 - 1;
            known[slot(*key)] = Some(Known { key: *key, set: *set, shift, sheet: OnceLock::new() });
        }
        Segments { known }
    }

    /// Writes the characters of the segments that `src` begins with to `row`. Returns their bytes, how many characters they are,
    /// and the set of the last of them. The first that is not whole, has no room, or has anything else, ends this.
    #[inline(never)]
    pub fn fill(&self, src: &Source, row: &mut [Utf32Unit]) -> (usize, usize, Option<Set>) {
        let mut positions = [0; BLOCK + IN_A_WORD];
        let found = escapes(src, &mut positions);
        // Up to the end of each segment: the bytes, the characters, and the set of the last.
        let mut ends = [(0, 0, None); BLOCK / 3 + 2];
        let (mut segments, mut count) = (0, 0);
        for positions in positions[..found].windows(2) {
            let [here, next] = *positions else { break };
            let (here, next) = (usize::from(here), usize::from(next));
            let window = u32::from_be_bytes(window(src, here));
            let is_long = is_long(window);
            let Some(known) = &self.known[slot(window)] else { break };
            let start = here + 3 + usize::from(is_long);
            if known.key != window & if is_long { !0 } else { !0xFF } || next < start {
                break;
            }
            let Some(characters) = known.fill(src, start..next, row, count) else { break };
            segments += 1;
            count += characters;
            ends[segments] = (next, count, Some(known.set));
        }
        ends[whole_segments(&ends[..=segments], row)]
    }
}

/// How many segments are before the first with a character that its set lacks.
fn whole_segments(ends: &[(usize, usize, Option<Set>)], row: &[Utf32Unit]) -> usize {
    let row = ends.last().map_or(row, |(_, count, _)| &row[..*count]);
    // Without a branch for each: most texts have none.
    let any = row.iter().fold(false, |any, unit| any | (*unit == [0; 4]));
    let lacks = any.then(|| row.iter().position(|unit| *unit == [0; 4])).flatten();
    let end = lacks.map(|at| ends.iter().position(|(_, count, _)| *count > at).unwrap_or_default() - 1);
    end.unwrap_or(ends.len() - 1)
}

/// Bytes of a source from `at` on.
#[inline(always)]
fn window<const N: usize>(src: &Source, at: usize) -> [u8; N] {
    src.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

impl Known {
    /// Writes the characters of these bytes to `row` from `count` on, 0 where the set lacks one; returns how many they are. `None`
    /// if the bytes end inside a character, or if there is no room.
    #[inline(always)]
    fn fill(&self, src: &Source, bytes: Range<usize>, row: &mut [Utf32Unit], count: usize) -> Option<usize> {
        let sheet = self.sheet.get_or_init(|| sheet(self.set));
        let shift = self.shift & 1;
        let is_double = 0_u64.wrapping_sub(shift.into());
        let characters = bytes.len() >> shift;
        let mut done = 0;
        loop {
            // What is written after the segment does not count.
            let units = row.get_mut(count + done..).and_then(<[Utf32Unit]>::first_chunk_mut::<LANES>)?;
            for (at, units) in units.as_chunks_mut::<IN_EIGHT>().0.iter_mut().enumerate() {
                let eight = u64::from_le_bytes(window(src, bytes.start + ((done + IN_EIGHT * at) << shift)));
                let codes = eight & is_double | spread(eight as u32) & !is_double;
                for (lane, unit) in units.iter_mut().enumerate() {
                    *unit = sheet[usize::from((codes >> (16 * lane)) as u16)].to_le_bytes();
                }
            }
            done += LANES;
            if done >= characters {
                return (bytes.len() == characters << shift).then_some(characters);
            }
        }
    }
}

/// Four bytes as the lower halves of four codes.
#[inline(always)]
fn spread(bytes: u32) -> u64 {
    let halves = u64::from(bytes) | u64::from(bytes) << 16;
    let halves = halves & 0x0000_FFFF_0000_FFFF;
    (halves | halves << 8) & 0x00FF_00FF_00FF_00FF
}

/// The characters of a set, which is invoked at once.
#[cold]
fn sheet(set: Set) -> Sheet {
    let mut sheet: Sheet = vec![0; 0x1_0000].try_into().expect("it has that size");
    let bytes = || (0..0x80_u8).filter(|byte| set.is_byte(*byte));
    if set.width() == 1 {
        (0..0x80).filter(|byte| *byte != usize::from(ESCAPE)).for_each(|byte| sheet[byte] = byte as u32);
    }
    let seconds = || bytes().take(if set.width() == 1 { 1 } else { usize::MAX });
    for [first, second] in bytes().flat_map(|first| seconds().map(move |second| [first, second])) {
        let at = if set.width() == 1 { 0 } else { usize::from(second) << 8 };
        sheet[at | usize::from(first)] = match set.read([first, second]) {
            Found::One(scalar) => scalar,
            _ => 0,
        };
    }
    sheet
}

/// Enters where escape sequences begin in the block, up to a word that has more of them than there is room for; returns how
/// many they are.
fn escapes(src: &Source, positions: &mut [u16; BLOCK + IN_A_WORD]) -> usize {
    const ONES: u64 = u64::MAX / 0xFF;
    const LOW: u64 = 0x7F * ONES;
    let mut count = 0;
    for (at, word) in src[..BLOCK].as_chunks::<8>().0.iter().enumerate() {
        let other = u64::from_le_bytes(*word) ^ (ESCAPE as u64 * ONES);
        // The highest bit of each byte that is an escape.
        let mut found = !((other & LOW).wrapping_add(LOW) | other | LOW);
        let here = ((found >> 7).wrapping_mul(ONES) >> 56) as usize;
        if here > IN_A_WORD {
            break;
        }
        let Some(room) = positions.get_mut(count..).and_then(<[u16]>::first_chunk_mut::<IN_A_WORD>) else {
            break;
        };
        for position in room {
            *position = (8 * at) as u16 + (found.trailing_zeros() / 8) as u16;
            found &= found.wrapping_sub(1);
        }
        count += here;
    }
    count
}
