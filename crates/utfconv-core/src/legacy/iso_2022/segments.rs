//! Decodes texts in which sets are designated every few characters. The escape sequences are found first, so the length
//! of each segment between two escape sequences is known, and no branch depends on the set.

use std::sync::{Mutex, OnceLock};

use super::{Designation, ESCAPE, Set, Slot, Variant};
use crate::decode::Utf32Unit;

/// Number of bytes of the source that are searched for escape sequences at a time.
const BLOCK: usize = 256;

/// Number of bytes after a block that may be read.
const AFTER: usize = 4 + 2 * LANES;

/// Number of characters that are decoded without a branch between them; eight bytes hold as many.
const LANES: usize = 4;

/// A block, and the bytes after it that may be read.
pub(super) type Source = [u8; BLOCK + AFTER];

/// Number of positions of escape sequences that are stored per iteration, without a branch for each position.
const AT_ONCE: usize = 4;

/// Number of bytes that are searched for escape sequences at once, with one bit of a word for each byte.
const BITS: usize = 64;

/// The designations of an encoding that invoke a set at once, indexed by [`slot`].
pub(super) struct Segments {
    known: [Option<Known>; SLOTS],
}

/// A designation, and the characters of its set.
struct Known {
    key: u32,
    set: Set,
    /// 0 for a set of single bytes, 1 for a set of two bytes.
    shift: u8,
    sheet: OnceLock<&'static Sheet>,
}

/// The character of each code of a set; 0 if the code encodes no character or two.
type Sheet = Box<[u32; 0x1_0000]>;

const SLOTS: usize = 64;

/// Whether the escape sequence at the front of `window` has four bytes, that is, an intermediate byte before the last
/// one.
#[inline(always)]
fn is_long(window: u32) -> bool {
    window & 0x4000 == 0
}

/// Returns the index of a designation; the designations of Japanese encodings have different indices.
#[inline(always)]
fn slot(window: u32) -> usize {
    let [_, second, third, fourth] = window.to_be_bytes();
    let last = if is_long(window) { fourth } else { third };
    usize::from(last & 0x1F | (second & 4) << 3)
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

    /// Decodes the characters of the segments at the front of `src` to `row`. Returns the number of bytes read, the
    /// number of characters, and the set of the last segment. Ends at a segment that is incomplete, has no room, or
    /// contains anything but characters of its set.
    #[inline(never)]
    pub(super) fn fill(&self, src: &Source, row: &mut [Utf32Unit]) -> (usize, usize, Option<Set>) {
        if self.designated(src, 0).is_none() {
            return (0, 0, None);
        }
        let mut positions = [0; BLOCK + AT_ONCE];
        let found = escapes(src, &mut positions);
        // Find all designations before the characters, because segments of varying length then cost less.
        let mut designated = [(0, 0); BLOCK];
        let mut segments = 0;
        for (positions, designated) in positions[..found].windows(2).zip(&mut designated) {
            let [here, next] = *positions else { break };
            let Some((slot, start)) = self.designated(src, here).filter(|(_, start)| *start <= next.into())
            else {
                break;
            };
            *designated = (slot as u8, start as u8);
            segments += 1;
        }
        // Total number of characters up to the end of each segment.
        let mut counts = [0; BLOCK];
        let (mut filled, mut count) = (0, 0);
        let ends = positions[1..].iter().map(|end| usize::from(*end));
        for ((designated, end), total) in designated[..segments].iter().zip(ends).zip(&mut counts) {
            let (slot, start) = (usize::from(designated.0), usize::from(designated.1));
            let Some(known) = &self.known[slot % SLOTS] else { break };
            let Some(characters) = known.fill(&src[start..], end.wrapping_sub(start), row, count) else {
                break;
            };
            count += characters;
            *total = count as u16;
            filled += 1;
        }
        let whole = whole_segments(&counts[..filled], row);
        let Some(last) = whole.checked_sub(1) else { return (0, 0, None) };
        let set = self.known[usize::from(designated[last].0) % SLOTS].as_ref().map(|known| known.set);
        (positions[whole].into(), counts[last].into(), set)
    }

    /// Returns the index of the designation at `at`, and the offset at which it ends, or `None` if there is no
    /// designation.
    #[inline(always)]
    fn designated(&self, src: &Source, at: u8) -> Option<(usize, usize)> {
        let at = usize::from(at);
        let window = u32::from_be_bytes(*src[at..].first_chunk()?);
        let (slot, is_long) = (slot(window), is_long(window));
        let is_here = self.known[slot].as_ref()?.key == window & if is_long { !0 } else { !0xFF };
        is_here.then_some((slot, at + 3 + usize::from(is_long)))
    }
}

/// Returns the number of segments before the first segment with a character that its set lacks. `counts` is the total
/// number of characters up to the end of each segment.
fn whole_segments(counts: &[u16], row: &[Utf32Unit]) -> usize {
    let row = &row[..counts.last().map_or(0, |count| usize::from(*count))];
    // Test all characters without a branch for each, because in most texts the sets have all characters.
    let any = row.iter().fold(false, |any, unit| any | (*unit == [0; 4]));
    let lacks = any.then(|| row.iter().position(|unit| *unit == [0; 4])).flatten();
    lacks.map_or(counts.len(), |at| counts.partition_point(|count| usize::from(*count) <= at))
}

impl Known {
    /// Decodes the first `bytes` bytes of `src` to `row` from `count` on, with 0 for characters that the set lacks.
    /// Returns the number of characters, or `None` if the bytes end inside a character or there is no room.
    #[inline(always)]
    fn fill(&self, src: &[u8], bytes: usize, row: &mut [Utf32Unit], count: usize) -> Option<usize> {
        let sheet = self.sheet.get_or_init(|| sheet(self.set));
        let shift = self.shift & 1;
        let characters = bytes >> shift;
        // Characters written after the end of the segment are overwritten by the next segment.
        let mut fill = |at: usize| {
            let eight = u64::from_be_bytes(*src.get(at << shift..)?.first_chunk()?);
            let codes = if shift == 1 { eight } else { spread((eight >> 32) as u32) };
            let units: &mut [_; LANES] = row.get_mut(count + at..)?.first_chunk_mut()?;
            for (lane, unit) in units.iter_mut().rev().enumerate() {
                *unit = sheet[usize::from((codes >> (16 * lane)) as u16)].to_le_bytes();
            }
            Some(())
        };
        fill(0)?;
        for at in (LANES..characters).step_by(LANES) {
            fill(at)?;
        }
        (bytes == characters << shift).then_some(characters)
    }
}

/// Spreads four bytes to the lower halves of four codes.
#[inline(always)]
fn spread(bytes: u32) -> u64 {
    let halves = u64::from(bytes) | u64::from(bytes) << 16;
    let halves = halves & 0x0000_FFFF_0000_FFFF;
    (halves | halves << 8) & 0x00FF_00FF_00FF_00FF
}

/// Returns the characters of a set, made once for all decoders.
#[cold]
fn sheet(set: Set) -> &'static Sheet {
    static SHEETS: Mutex<Vec<(Set, &Sheet)>> = Mutex::new(Vec::new());
    let mut sheets = SHEETS.lock().expect("no panic");
    if let Some((_, sheet)) = sheets.iter().find(|(made, _)| *made == set) {
        return sheet;
    }
    let sheet = Box::leak(Box::new(made_sheet(set)));
    sheets.push((set, sheet));
    sheet
}

/// Makes the table of the characters of a set that is invoked at once.
fn made_sheet(set: Set) -> Sheet {
    let mut sheet: Sheet = vec![0; 0x1_0000].try_into().expect("it has that size");
    let bytes = || (0..0x80_u8).filter(|byte| set.is_byte(*byte));
    if set.width() == 1 {
        (0..0x80).filter(|byte| *byte != usize::from(ESCAPE)).for_each(|byte| sheet[byte] = byte as u32);
    }
    let seconds = || bytes().take(if set.width() == 1 { 1 } else { usize::MAX });
    for [first, second] in bytes().flat_map(|first| seconds().map(move |second| [first, second])) {
        let code = if set.width() == 1 { first.into() } else { u16::from_be_bytes([first, second]) };
        sheet[usize::from(code)] = set.read([first, second]).one().unwrap_or(0);
    }
    sheet
}

/// Stores the positions of the escape sequences in the block. Returns their number.
fn escapes(src: &Source, positions: &mut [u8; BLOCK + AT_ONCE]) -> usize {
    let mut count = 0;
    for (at, bytes) in src[..BLOCK].as_chunks::<BITS>().0.iter().enumerate() {
        let mut found = escape_bits(bytes);
        let end = count + found.count_ones() as usize;
        while found != 0 {
            let Some(room) = positions.get_mut(count..).and_then(<[u8]>::first_chunk_mut::<AT_ONCE>) else {
                return count;
            };
            // Entries after the last position are ignored, so that no branch is needed.
            for position in room {
                *position = (BITS * at) as u8 + (found | 1 << (BITS - 1)).trailing_zeros() as u8;
                found &= found.wrapping_sub(1);
            }
            count += AT_ONCE;
        }
        count = end;
    }
    count
}

/// Returns which bytes are escapes, as bits, the first byte lowest.
#[inline(always)]
fn escape_bits(bytes: &[u8; BITS]) -> u64 {
    let is_escape = bytes.map(|byte| u8::from(byte == ESCAPE));
    let words = is_escape.as_chunks::<8>().0.iter().enumerate();
    // The multiplication gathers the lowest bits of eight bytes in the highest byte.
    let bits = |word: [u8; 8]| u64::from_le_bytes(word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.fold(0, |all, (at, word)| all | bits(*word) << (8 * at))
}
