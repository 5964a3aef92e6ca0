//! TSCII 1.7, which encodes Tamil in eight bits, in visual order.
//!
//! A byte is a letter, a sign, or a syllable of up to four characters. The bytes of three vowel signs (A6..A8) come
//! before the consonant, but the characters of these signs come after it. Two bytes around a consonant encode a single
//! vowel sign. As in glibc, the longest syllable that has a byte is written.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::transitions::{MOST, Transition};
use crate::codec::Codec;
use crate::decode::{BLOCK, Decode, Next, Several, Utf32Unit, fill_ascii_blocks, fill_by_steps};
use crate::encode::{Encode, put_ascii_blocks};
use crate::fault::IllFormed;

/// The characters of the bytes from 80 on, as glibc's iconv maps them; empty for unused bytes.
#[rustfmt::skip]
const TEXTS: [&str; 128] = [
    "௦", "௧", "ஸ்ரீ", "ஜ", "ஷ", "ஸ", "ஹ", "க்ஷ",
    "ஜ்", "ஷ்", "ஸ்", "ஹ்", "க்ஷ்", "௨", "௩", "௪",
    "௫", "‘", "’", "“", "”", "௬", "௭", "௮",
    "௯", "ஙு", "ஞு", "ஙூ", "ஞூ", "௰", "௱", "௲",
    "", "ா", "ி", "ீ", "ு", "ூ", "ெ", "ே",
    "ை", "©", "ௗ", "அ", "ஆ", "இ", "ஈ", "உ",
    "ஊ", "எ", "ஏ", "ஐ", "ஒ", "ஓ", "ஔ", "ஃ",
    "க", "ங", "ச", "ஞ", "ட", "ண", "த", "ந",
    "ப", "ம", "ய", "ர", "ல", "வ", "ழ", "ள",
    "ற", "ன", "டி", "டீ", "கு", "சு", "டு", "ணு",
    "து", "நு", "பு", "மு", "யு", "ரு", "லு", "வு",
    "ழு", "ளு", "று", "னு", "கூ", "சூ", "டூ", "ணூ",
    "தூ", "நூ", "பூ", "மூ", "யூ", "ரூ", "லூ", "வூ",
    "ழூ", "ளூ", "றூ", "னூ", "க்", "ங்", "ச்", "ஞ்",
    "ட்", "ண்", "த்", "ந்", "ப்", "ம்", "ய்", "ர்",
    "ல்", "வ்", "ழ்", "ள்", "ற்", "ன்", "இ", "",
];

const SIGN_U: u32 = 0x0BC1;
const SIGN_UU: u32 = 0x0BC2;
const SIGN_E: u32 = 0x0BC6;
const SIGN_AI: u32 = 0x0BC8;
const SIGN_O: u32 = 0x0BCA;
const SIGN_AU: u32 = 0x0BCC;

/// The bytes of the vowel signs E, EE and AI, which come before the consonant.
const SIGNS_BEFORE: RangeInclusive<u8> = 0xA6..=0xA8;
/// The byte after the consonant in the vowel signs O and OO.
const LENGTH: u8 = 0xA1;
/// The byte after the consonant in the vowel sign AU.
const LENGTH_AU: u8 = 0xAA;
/// The bytes of the consonants that vowel signs may surround.
const CONSONANTS: RangeInclusive<u8> = 0xB8..=0xC9;
/// SA with the virama, which a following vowel sign U or UU replaces.
const SA: u8 = 0x8A;
/// HA with the virama, which a following vowel sign U or UU replaces.
const HA: u8 = 0x8B;

fn characters(byte: u8) -> impl Iterator<Item = u32> {
    TEXTS[usize::from(byte & 0x7F)].chars().map(u32::from)
}

/// Returns the vowel sign that two bytes around a consonant encode, or `None` if the two bytes encode none.
fn around(before: u8, after: u8) -> Option<u32> {
    match (before, after) {
        (0xA6 | 0xA7, LENGTH) => Some(u32::from(before - 0xA6) + SIGN_O),
        (0xA7, LENGTH_AU) => Some(SIGN_AU),
        _ => None,
    }
}

pub(crate) static TSCII: Codec =
    Codec { decoder: || Box::new(Tscii), encoder: || Box::new(ToTscii::default()) };

/// The exact decoder. There is no fast decoder, because vowel signs change their position.
struct Tscii;

/// Decodes a vowel sign that comes before its consonant, together with the consonant.
fn sign(src: &[u8], last: bool) -> Next {
    let before = src[0];
    let alone = u32::from(before - 0xA6) + SIGN_E;
    let (consonant, rest) = match *src {
        [_, consonant, ref rest @ ..] if CONSONANTS.contains(&consonant) => (Some(consonant), rest),
        [_, ref rest @ ..] => (None, rest),
        [] => (None, src),
    };
    let both = rest.first().map(|after| around(before, *after));
    if both.is_none() && !last && (consonant.is_none() || before != 0xA8) {
        return Next::Incomplete;
    }
    let (code_point, len) = both.flatten().map_or((alone, 1), |both| (both, 2));
    match consonant {
        Some(consonant) => {
            Next::Several { code_points: characters(consonant).chain([code_point]).collect(), len: len + 1 }
        }
        None => Next::Scalar { code_point, len },
    }
}

impl Decode for Tscii {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&byte) = src.first() else { return Next::Incomplete };
        if byte < 0x80 {
            return Next::Scalar { code_point: byte.into(), len: 1 };
        }
        if SIGNS_BEFORE.contains(&byte) {
            return sign(src, last);
        }
        let vowel = match (byte, src.get(1)) {
            (SA | HA, None) if !last => return Next::Incomplete,
            (SA | HA, Some(0xA4)) => Some(SIGN_U),
            (SA | HA, Some(0xA5)) => Some(SIGN_UU),
            _ => None,
        };
        if let Some(vowel) = vowel {
            return Next::Several { code_points: characters(byte).take(1).chain([vowel]).collect(), len: 2 };
        }
        let code_points = READ[usize::from(byte & 0x7F)];
        match *code_points {
            [] => Next::ill_formed(IllFormed::NeverUsed, 1),
            [code_point] => Next::Scalar { code_point, len: 1 },
            _ => Next::Several { code_points, len: 1 },
        }
    }

    fn fill_row(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> Option<(usize, usize)> {
        let (mut read, mut count) = (0, 0);
        loop {
            let ascii = fill_ascii_blocks(&src[read..], &mut row[count..], |_| false);
            (read, count) = (read + ascii, count + ascii);
            // Decode a limited number of sequences before blocks of ASCII are tried again.
            let end = row.len().min(count + 2 * BLOCK);
            let (len, found) = fill_by_steps(self, &src[read..], &mut row[count..end]);
            (read, count) = (read + len, count + found);
            // The row may end early, because a syllable that did not fit may have several characters.
            if found == 0 || end == row.len() {
                return Some((read, count));
            }
        }
    }

    fn fills_several(&self) -> bool {
        true
    }
}

/// The characters of the bytes from 80 on, as the decoder returns them.
static READ: LazyLock<[Several; 128]> =
    LazyLock::new(|| std::array::from_fn(|at| characters(0x80 | at as u8).collect()));

/// A node in the tree of syllables that have a byte, or that begin a longer syllable.
#[derive(Default)]
struct Syllable {
    /// The byte of the syllable; 0 if it has none.
    byte: u8,
    /// Number of characters in the syllable.
    len: usize,
    /// The bytes of the longest syllables into which the syllable can be divided.
    parts: Vec<u8>,
    /// Whether a longer syllable begins with this syllable.
    grows: bool,
}

/// The tree of syllables; the first node is empty.
struct Syllables {
    nodes: Vec<Syllable>,
    /// For each syllable and character of the Tamil block, the longer syllable that they form, or 0 if they form none.
    tamil: Vec<[u8; 0x80]>,
    /// Characters outside the Tamil block, and their syllables.
    others: Vec<(u32, usize)>,
}

const TAMIL: u32 = 0x0B80;

static WRITTEN: LazyLock<Syllables> = LazyLock::new(Syllables::new);

impl Syllables {
    fn new() -> Syllables {
        let mut made =
            Syllables { nodes: vec![Syllable::default()], tamil: vec![[0; _]], others: Vec::new() };
        for byte in 0x80..=0xFF {
            let mut at = 0;
            for character in characters(byte) {
                at = made.enter(at, character);
            }
            // If two bytes have the same character, the higher byte is written.
            made.nodes[at].byte = if at > 0 { byte } else { 0 };
        }
        for byte in 0x80..=0xFF {
            let text: Vec<u32> = characters(byte).collect();
            for len in 1..=text.len() {
                let at = made.of(&text[..len]).expect("it was entered");
                made.nodes[at].parts = made.parts_of(&text[..len]);
            }
        }
        made
    }

    /// Returns the syllable that `character` forms after another syllable, and creates it if it is missing.
    fn enter(&mut self, at: usize, character: u32) -> usize {
        if let Some(known) = self.after(at, character) {
            return known;
        }
        let new = self.nodes.len();
        self.nodes[at].grows = true;
        self.nodes.push(Syllable { len: self.nodes[at].len + 1, ..Syllable::default() });
        self.tamil.push([0; _]);
        match self.tamil[at].get_mut(character.wrapping_sub(TAMIL) as usize) {
            Some(longer) => *longer = u8::try_from(new).expect("they are few"),
            None => self.others.push((character, new)),
        }
        new
    }

    /// Returns the syllable that `character` forms after another syllable, or `None` if there is no such syllable.
    #[inline(always)]
    fn after(&self, at: usize, character: u32) -> Option<usize> {
        let found = match self.tamil[at].get(character.wrapping_sub(TAMIL) as usize) {
            Some(longer) => usize::from(*longer),
            None if at > 0 => 0,
            None => self.others.iter().find(|(other, _)| *other == character).map_or(0, |(_, at)| *at),
        };
        (found > 0).then_some(found)
    }

    fn of(&self, text: &[u32]) -> Option<usize> {
        text.iter().try_fold(0, |at, character| self.after(at, *character))
    }

    fn parts_of(&self, mut text: &[u32]) -> Vec<u8> {
        let mut parts = Vec::new();
        while !text.is_empty() {
            let byte_of = |len: usize| self.of(&text[..len]).map_or(0, |at| self.nodes[at].byte);
            let longest = (1..=text.len()).rev().find(|len| byte_of(*len) > 0).unwrap_or(1);
            parts.push(byte_of(longest));
            text = &text[longest..];
        }
        parts
    }

    /// Returns the syllable that consists of `character` alone, or 0 if there is none.
    fn first(&self, character: u32) -> usize {
        self.after(0, character).unwrap_or(0)
    }
}

/// The encoder, which holds back a syllable until it is certain that no longer syllable has a byte.
#[derive(Clone)]
struct ToTscii {
    syllables: &'static Syllables,
    /// The syllable that is held back, or 0 if none is held back.
    held: usize,
}

impl Default for ToTscii {
    fn default() -> ToTscii {
        ToTscii { syllables: &WRITTEN, held: 0 }
    }
}

impl ToTscii {
    /// Writes the syllable that is held back, as the bytes of the longest syllables into which it can be divided.
    fn release(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        match self.syllables.nodes[held].parts[..] {
            [] => {}
            [byte] => out.push(byte),
            ref parts => out.extend_from_slice(parts),
        }
    }

    /// Writes a syllable, or holds it back if a longer syllable begins with it.
    fn put(&mut self, syllable: usize, out: &mut Vec<u8>) {
        let found = &self.syllables.nodes[syllable];
        self.held = if found.grows { syllable } else { 0 };
        if !found.grows {
            out.push(found.byte);
        }
    }

    /// If `code_point` and the held-back syllable form a longer syllable, writes the longer syllable or holds it back,
    /// and returns true. Otherwise changes nothing, and returns false.
    #[inline(always)]
    fn join(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if self.held == 0 {
            return false;
        }
        let Syllable { byte: consonant, len, .. } = self.syllables.nodes[self.held];
        let is_consonant = CONSONANTS.contains(&consonant) && len == 1;
        match code_point {
            SIGN_E..=SIGN_AI if is_consonant => {
                out.extend([(code_point - SIGN_E) as u8 + 0xA6, consonant]);
            }
            SIGN_O..=SIGN_AU if is_consonant => {
                let [before, after] = parts(code_point);
                out.extend([before, consonant, after]);
            }
            SIGN_U | SIGN_UU if matches!(consonant, 0x85 | 0x86) => {
                out.extend([consonant + 5, (code_point - SIGN_U) as u8 + 0xA4]);
            }
            _ => {
                let longer = self.syllables.after(self.held, code_point);
                if let Some(longer) = longer {
                    self.put(longer, out);
                }
                return longer.is_some();
            }
        }
        self.held = 0;
        true
    }
}

/// Returns the two bytes of the vowel signs O, OO and AU.
fn parts(sign: u32) -> [u8; 2] {
    match sign {
        SIGN_O => [0xA6, LENGTH],
        SIGN_AU => [0xA7, LENGTH_AU],
        _ => [0xA7, LENGTH],
    }
}

/// The bytes for every character of ASCII and of the Tamil block after every syllable that may be held back.
struct Transitions {
    /// The syllables that may be held back, in ascending order.
    held: Vec<usize>,
    /// The transitions of each syllable in `held`, indexed by [`column`].
    transitions: Vec<[Transition; COLUMNS]>,
}

/// Number of columns, which are for the Tamil block, other characters, and ASCII.
const COLUMNS: usize = 0x82;
/// The column of characters without known transitions.
const OTHER: usize = 0x80;
/// The column of all ASCII characters.
const ASCII: usize = 0x81;

/// Returns the column of a character, and the byte to add to the transition of the column.
#[inline(always)]
fn column(scalar: u32) -> (usize, u16) {
    match scalar {
        0..0x80 => (ASCII, scalar as u16),
        _ => ((scalar.wrapping_sub(TAMIL) as usize).min(OTHER), 0),
    }
}

/// Number of characters that are written at a time.
const BLOCK_OF_STEPS: usize = 64;

static STEPS: LazyLock<Transitions> = LazyLock::new(Transitions::new);

impl Transitions {
    fn new() -> Transitions {
        let nodes = &WRITTEN.nodes;
        let held: Vec<usize> = (0..nodes.len()).filter(|at| *at == 0 || nodes[*at].grows).collect();
        let transition = |before: usize, column: usize| {
            let mut encoder = ToTscii { held: before, ..ToTscii::default() };
            let mut out = Vec::new();
            let character = if column == ASCII { 0 } else { TAMIL + column as u32 };
            let is_written = encoder.encode(character, &mut out);
            let next = held.iter().position(|known| *known == encoder.held);
            let (Some(next), true, ..=MOST) = (next, is_written, out.len()) else {
                return Transition::UNKNOWN;
            };
            let mut prefix = [0; MOST];
            prefix[..out.len()].copy_from_slice(&out);
            // The transition of ASCII leaves its last byte 0, because the byte is added later.
            let shift = 8 * out.len().saturating_sub(1) as u8;
            let (prefix, size) = (u64::from_le_bytes(prefix), out.len() as u8);
            Transition { prefix, shift, size, code: 0, next: next as u32 }
        };
        let transitions =
            held.iter().map(|before| std::array::from_fn(|column| transition(*before, column))).collect();
        Transitions { held, transitions }
    }

    /// Writes the characters at the front of `block` after the held syllable, and updates `held`. Returns the number of
    /// characters.
    fn put(&self, held: &mut usize, block: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let mut room = [0; MOST * BLOCK_OF_STEPS];
        let (mut at, mut len, mut count) = (self.held.binary_search(held).unwrap_or(0), 0, 0);
        for unit in block {
            let (column, code) = column(u32::from_le_bytes(*unit));
            let transition = &self.transitions[at][column];
            if !transition.is_known() {
                break;
            }
            len = transition.put(code, &mut room, len);
            at = transition.next as usize;
            count += 1;
        }
        *held = self.held[at];
        out.extend_from_slice(&room[..len]);
        count
    }
}

impl Encode for ToTscii {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if self.join(code_point, out) {
            return true;
        }
        match code_point {
            0..0x80 => {
                self.release(out);
                out.push(code_point as u8);
            }
            SIGN_E..=SIGN_AI => {
                self.release(out);
                out.push((code_point - SIGN_E) as u8 + 0xA6);
            }
            SIGN_O..=SIGN_AU => {
                self.release(out);
                out.extend(parts(code_point));
            }
            _ => {
                let first = self.syllables.first(code_point);
                if self.syllables.nodes[first].byte == 0 {
                    return false;
                }
                self.release(out);
                self.put(first, out);
            }
        }
        true
    }

    fn put_row(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let mut count = 0;
        loop {
            if self.held == 0 {
                count += put_ascii_blocks(&row[count..], out, |scalar| scalar < 0x80);
            }
            let rest = &row[count..];
            let block = &rest[..rest.len().min(BLOCK_OF_STEPS)];
            let taken = STEPS.put(&mut self.held, block, out);
            count += taken;
            if taken < BLOCK_OF_STEPS {
                return count;
            }
        }
    }

    fn has(&self, code_point: u32) -> bool {
        matches!(code_point, 0..0x80 | SIGN_E..=SIGN_AI | SIGN_O..=SIGN_AU)
            || self.syllables.nodes[self.syllables.first(code_point)].byte > 0
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(out);
    }

    fn at_rest(&self) -> bool {
        self.held == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{read_all, write_all};
    use super::*;

    fn read(src: &[u8]) -> Option<String> {
        let (text, faults) = read_all(Tscii, src);
        faults.is_empty().then_some(text)
    }

    fn write(text: &str) -> Option<Vec<u8>> {
        write_all(ToTscii::default(), text)
    }

    #[test]
    fn syllables() {
        for (text, bytes) in [
            ("தமிழ்", &b"\xBE\xC1\xA2\xFA"[..]),
            ("ஸ்ரீ", b"\x82"),
            ("ஸ்ர", b"\x8A\xC3"),
            ("ஸ்", b"\x8A"),
            ("க்ஷ்", b"\x8C"),
            ("க்ஷ", b"\x87"),
            ("க்க", b"\xEC\xB8"),
            ("கொ", b"\xA6\xB8\xA1"),
            ("கோ", b"\xA7\xB8\xA1"),
            ("கௌ", b"\xA7\xB8\xAA"),
            ("கெ", b"\xA6\xB8"),
            ("கைa", b"\xA8\xB8a"),
            ("கூகு", b"\xDC\xCC"),
            ("ஸு", b"\x8A\xA4"),
            ("ொ", b"\xA6\xA1"),
            ("ெ", b"\xA6"),
        ] {
            assert_eq!(write(text).as_deref(), Some(bytes), "{text}");
            assert_eq!(read(bytes).as_deref(), Some(text), "{bytes:02X?}");
        }
        for text in ["é", "\u{BCD}", "क"] {
            assert_eq!(write(text), None, "{text}");
        }
        assert_eq!(read(b"\xA0"), None);
    }

    #[test]
    fn later_bytes_change_nothing() {
        for code in 0..=0xFF_FFFF_u32 {
            let [_, a, b, c] = code.to_be_bytes();
            // Test bytes that combine with other bytes, and two bytes that do not.
            let is_special =
                |byte| matches!(byte, 0x82 | 0x85 | 0x87 | 0x8A..=0x8C | 0xA1..=0xAB | 0xB8..=0xBA | b'a');
            if ![a, b, c].into_iter().all(is_special) {
                continue;
            }
            let whole = [a, b, c, b'a'];
            let found = Tscii.next(&whole, true);
            for len in 0..whole.len() {
                let cut = Tscii.next(&whole[..len], false);
                assert!(cut == found || cut == Next::Incomplete, "{whole:02X?}");
                assert!(len == 0 || Tscii.next(&whole[..len], true) != Next::Incomplete);
            }
        }
    }
}
