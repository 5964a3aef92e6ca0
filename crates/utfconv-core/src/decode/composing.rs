//! Code pages with combining marks. In windows-1258, most letters of Vietnamese are a letter and a tone mark.
//! TCVN5712-1 has these letters and the marks. windows-1255 has the points of Hebrew.
//!
//! A character that is not in the code page is written as a letter and marks that are in the code page. In Vietnamese
//! pages, a letter and the mark after it are read as one character if NFC has it. In windows-1255, a mark is read as a
//! separate character, because NFC composes none of its marks.

use super::page_table::PageTable;
use super::{BLOCK, Cell, Decode, IllFormedSequence, Next, Page, Sparse, UNICODE, Utf16, WINDOW, WellFormed};
use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};

/// A code page, with the characters that its letters and marks compose to.
pub(crate) struct Composing {
    pub(crate) page: &'static Page,
    /// For each second byte, the index of its table in `fronts`; 0 for bytes that do not compose.
    marks: [u8; 256],
    /// The character that two bytes begin with, by the index of the second byte and by the first byte.
    fronts: Vec<[Front; 256]>,
    /// The bytes that each code point is written as.
    pub(crate) spellings: Spellings,
}

/// The character that two bytes begin with.
#[derive(Clone, Copy)]
struct Front {
    /// The character in UTF-8; [`Cell::NONE`] if the first byte is undefined.
    cell: Cell,
    /// Whether the character consists of both bytes.
    is_composed: bool,
}

/// The number of bytes that a character is written as, followed by these bytes; 0 if the character cannot be encoded.
type Spelling = [u8; 4];

type Spellings = Sparse<Spelling, 256, 256>;

fn spellings(page: &Page, table: &PageTable) -> Spellings {
    let mut spellings = Spellings::new();
    for unit in table.to_unicode {
        if let Some(byte) = page.byte(unit) {
            spellings.enter(unit.into(), [1, byte, 0, 0]);
        }
    }
    // A composite whose base is itself a composite comes after the base, so the spelling of the base exists.
    for &(composite, base, mark) in table.composed.iter().chain(table.taken_apart) {
        if let (mut spelling @ [1..=3, ..], Some(byte)) = (spellings.get(base.into()), page.byte(mark)) {
            spelling[0] += 1;
            spelling[usize::from(spelling[0])] = byte;
            spellings.enter(composite.into(), spelling);
        }
    }
    spellings
}

impl Composing {
    pub(crate) fn new(table: &PageTable, page: &'static Page) -> Composing {
        let alone = page.cells.map(|cell| Front { cell, is_composed: false });
        let (mut marks, mut fronts) = ([0; 256], vec![alone]);
        for &(composite, base, mark) in table.composed {
            let (Some(letter), Some(mark)) = (page.byte(base), page.byte(mark)) else { continue };
            let index = &mut marks[usize::from(mark)];
            if *index == 0 {
                *index = fronts.len() as u8;
                fronts.push(alone);
            }
            let cell = Cell::of(composite.into());
            fronts[usize::from(*index)][usize::from(letter)] = Front { cell, is_composed: true };
        }
        Composing { spellings: spellings(page, table), page, marks, fronts }
    }

    /// Encodes UTF-16LE code units to `dst`, up to a unit that cannot be encoded or until `dst` has no room for four
    /// bytes. Returns the number of code units, and the number of bytes written.
    pub(crate) fn spell(&self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        let (mut taken, mut written) = (0, 0);
        for block in units.chunks(BLOCK) {
            if self.page.is_ascii
                && let Some(ascii) = Utf16::<false, UNICODE>.ascii(block.as_flattened())
                && let Some(room) = dst[written..].first_chunk_mut::<BLOCK>()
            {
                *room = ascii;
                taken += BLOCK;
                written += BLOCK;
                continue;
            }
            for unit in block {
                let spelling = u32::from_le_bytes(self.spellings.get(usize::from(u16::from_le_bytes(*unit))));
                let Some(room) = dst[written..].first_chunk_mut().filter(|_| spelling != 0) else {
                    return (taken, written);
                };
                *room = (spelling >> 8).to_le_bytes();
                written += (spelling & 0xFF) as usize;
                taken += 1;
            }
        }
        (taken, written)
    }

    /// Converts bytes to UTF-8, up to an undefined byte. The last byte may stay unread, because its character depends on
    /// the next byte. `room` must have at least four bytes for each byte of `bytes`. Returns the numbers of bytes read
    /// and written.
    #[inline(always)]
    pub(crate) fn put_fronts(&'static self, bytes: &[u8], room: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written, mut was_composed) = (0, 0, false);
        while read + 1 < bytes.len() {
            if !was_composed
                && let Some(ascii) = self.ascii::<WINDOW>(&bytes[read..])
                && let Some(room) = room[written..].first_chunk_mut()
            {
                *room = ascii;
                read += WINDOW;
                written += WINDOW;
                continue;
            }
            // Look up every byte, and discard the character of a mark that was composed, so that no lookup depends on
            // the length of the previous character. No letter is a mark.
            for pair in bytes[read..].windows(2).take(WINDOW) {
                let Front { cell, is_composed } = self.front([pair[0], pair[1]]);
                if cell.is_none() {
                    return (read, written);
                }
                room[written..written + 4].copy_from_slice(&cell.bytes());
                written += if was_composed { 0 } else { cell.len() };
                was_composed = is_composed;
                read += 1;
            }
        }
        (read + usize::from(was_composed), written)
    }

    /// Whether the meaning of `byte` depends on the byte after it.
    fn may_compose(&self, byte: u8) -> bool {
        self.fronts.iter().any(|fronts| fronts[usize::from(byte)].is_composed)
    }

    /// Returns the character that two bytes begin with. At the end of the text, the second byte must be 00, which is
    /// not a mark.
    #[inline(always)]
    fn front(&self, [first, second]: [u8; 2]) -> Front {
        self.fronts[usize::from(self.marks[usize::from(second)])][usize::from(first)]
    }

    /// Decodes the character that two bytes begin with. Returns its length in bytes too.
    #[inline(always)]
    fn decode(&self, bytes: [u8; 2]) -> Option<(char, usize)> {
        let Front { cell, is_composed } = self.front(bytes);
        Some((cell.scalar()?, 1 + usize::from(is_composed)))
    }
}

impl WellFormed for &'static Composing {
    #[inline(always)]
    fn scalar(&self, window: &[u8; WINDOW]) -> Option<(char, usize)> {
        self.decode([window[0], window[1]])
    }

    #[inline(always)]
    fn at(&self, src: &[u8], at: usize) -> Option<(char, usize)> {
        match src[at..] {
            [first, second, ..] => self.decode([first, second]),
            // A mark that composes with this letter may follow, so more bytes are needed.
            [only] if self.may_compose(only) => None,
            [only] => self.decode([only, 0]),
            [] => None,
        }
    }

    #[inline(always)]
    fn ascii<const N: usize>(&self, src: &[u8]) -> Option<[u8; N]> {
        let block = self.page.ascii(src)?;
        // The last character of the block may compose with the first character after the block.
        let is_alone = match src.get(N) {
            Some(after) => self.marks[usize::from(*after)] == 0,
            None => !self.may_compose(src[N - 1]),
        };
        is_alone.then_some(block)
    }
}

impl Decode for &'static Composing {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let first = match *src {
            [only] if last => self.decode([only, 0]),
            _ => self.first(src),
        };
        match (first, src) {
            (Some(first), _) => Next::scalar(first),
            (None, []) => Next::Incomplete,
            (None, [only]) if self.may_compose(*only) => Next::Incomplete,
            (None, _) => Next::IllFormed(IllFormedSequence::bytewise(IllFormed::Unassigned, 1)),
        }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // No letter is a mark, so pairs do not overlap. The byte 0A is the line feed.
        let pairs =
            |run: &[u8]| run.windows(2).filter(|pair| self.front([pair[0], pair[1]]).is_composed).count();
        measure_bytes(run, b'\n', |run| run.len() - pairs(run))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::form::Form;

    fn codecs() -> [&'static Composing; 2] {
        ["windows-1255", "windows-1258"].map(|name| match Encoding::for_name(name).map(Encoding::form) {
            Some(Form::Page(table)) => table.composing(),
            _ => panic!("{name} is a page"),
        })
    }

    #[test]
    fn decoders_agree_and_later_bytes_change_no_result() {
        for mut codec in codecs() {
            for code in 0..=0xFFFF_u16 {
                let pair = code.to_be_bytes();
                let window = [pair[0], pair[1], b'x', 0, 0, 0, 0, 0];
                let whole = codec.next(&window, true);
                assert_eq!(codec.next(&pair, true), whole);
                assert_eq!(codec.next(&pair, false), whole);
                let early = codec.next(&pair[..1], false);
                assert!(early == whole || early == Next::Incomplete);
                assert_ne!(codec.next(&pair[..1], true), Next::Incomplete);
                assert_eq!(codec.scalar(&window).map_or(whole, Next::scalar), whole);
                match codec.first(&pair[..1]) {
                    Some(first) => assert_eq!(Next::scalar(first), whole),
                    None => assert_eq!(codec.scalar(&window).is_some(), codec.may_compose(pair[0])),
                }
                if let Next::Scalar { code_point, len } = whole {
                    assert_eq!(codec.measure(&window[..len]), Extent::of(code_point));
                    assert!(len == 1 || !codec.may_compose(pair[1]), "pairs do not overlap");
                }
            }
        }
    }

    #[test]
    fn every_composite_of_the_table_is_decoded() {
        let [hebrew, vietnamese] = codecs().map(|codec| codec.fronts.concat());
        assert!(!hebrew.iter().any(|front| front.is_composed));
        let Form::Page(table) = crate::encoding::WINDOWS_1258.form() else { panic!("is a page") };
        assert_eq!(vietnamese.iter().filter(|front| front.is_composed).count(), table.composed.len());
    }
}
