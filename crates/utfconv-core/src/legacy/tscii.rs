//! TSCII 1.7: Tamil in eight bits, in the order in which it is written.
//!
//! A byte is a letter, a sign, or a syllable of up to four characters. The bytes of three vowel signs (A6..A8) are
//! before the consonant, and their characters after it. Two bytes around a consonant are the sign of one vowel. As in
//! glibc, the longest syllable that has a byte is written.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::transitions::{MOST, Transition};
use crate::decode::{BLOCK, Decode, Next, Several, Utf32Unit, fill_ascii_blocks, fill_by_steps};
use crate::encode::{Encode, put_ascii_blocks};
use crate::fault::IllFormed;

/// The characters of the bytes from 80 on, as glibc's iconv has them; none where a byte is never used.
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

/// The bytes of the signs E, EE and AI, which are before the consonant.
const SIGNS_BEFORE: RangeInclusive<u8> = 0xA6..=0xA8;
/// The bytes of the signs that are after it in O and OO, and in AU.
const LENGTH: u8 = 0xA1;
const LENGTH_AU: u8 = 0xAA;
/// The bytes of the consonants that these may be around.
const CONSONANTS: RangeInclusive<u8> = 0xB8..=0xC9;
/// Two consonants with the virama, which the sign of U or UU after them replaces.
const SA: u8 = 0x8A;
const HA: u8 = 0x8B;

fn characters(byte: u8) -> impl Iterator<Item = u32> {
    TEXTS[usize::from(byte & 0x7F)].chars().map(u32::from)
}

/// Returns the sign of a vowel that two bytes around a consonant are.
fn around(before: u8, after: u8) -> Option<u32> {
    match (before, after) {
        (0xA6 | 0xA7, LENGTH) => Some(u32::from(before - 0xA6) + SIGN_O),
        (0xA7, LENGTH_AU) => Some(SIGN_AU),
        _ => None,
    }
}

/// The exact decoder. There is no fast one, since signs change their position.
pub(crate) struct Tscii;

/// Decodes a sign that is before its consonant, and that.
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
            // As many transitions as need no second look for blocks.
            let end = row.len().min(count + 2 * BLOCK);
            let (len, found) = fill_by_steps(self, &src[read..], &mut row[count..end]);
            (read, count) = (read + len, count + found);
            // A syllable that did not fit may be several characters.
            if found == 0 || end == row.len() {
                return Some((read, count));
            }
        }
    }
}

/// The characters of the bytes from 80 on.
static READ: LazyLock<[Several; 128]> =
    LazyLock::new(|| std::array::from_fn(|at| characters(0x80 | at as u8).collect()));

/// A syllable that has a byte, or that longer ones begin with: a node of a tree.
#[derive(Default)]
struct Syllable {
    /// 0 if it has none.
    byte: u8,
    /// How many characters it has.
    len: usize,
    /// The bytes of the longest syllables that it consists of.
    parts: Vec<u8>,
    /// Whether longer ones begin with it.
    grows: bool,
}

/// The syllables; the first is empty.
struct Syllables {
    nodes: Vec<Syllable>,
    /// By syllable and character of the block Tamil: the longer syllable, or 0.
    tamil: Vec<[u8; 0x80]>,
    /// Other characters, and their syllables.
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
            // Of two bytes for a character the higher is written.
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

    /// Returns the syllable of another and a character, which is made if there is none.
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

    /// Returns the syllable of another and a character.
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

    /// Returns the syllable of one character, or 0.
    fn first(&self, character: u32) -> usize {
        self.after(0, character).unwrap_or(0)
    }
}

/// The encoder, which holds back a syllable until it knows that no longer one has a byte.
#[derive(Clone)]
pub(crate) struct ToTscii {
    syllables: &'static Syllables,
    /// The syllable that is held, or 0.
    held: usize,
}

impl Default for ToTscii {
    fn default() -> ToTscii {
        ToTscii { syllables: &WRITTEN, held: 0 }
    }
}

impl ToTscii {
    /// Writes the longest syllables of the held one.
    fn release(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        match self.syllables.nodes[held].parts[..] {
            [] => {}
            [byte] => out.push(byte),
            ref parts => out.extend_from_slice(parts),
        }
    }

    /// Writes a syllable, or holds it, if a longer one begins with it.
    fn put(&mut self, syllable: usize, out: &mut Vec<u8>) {
        let found = &self.syllables.nodes[syllable];
        self.held = if found.grows { syllable } else { 0 };
        if !found.grows {
            out.push(found.byte);
        }
    }

    /// Writes the held syllable with `code_point`, if the two make a syllable; or holds both, if they begin one.
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

/// Returns the bytes of the signs O, OO and AU.
fn parts(sign: u32) -> [u8; 2] {
    match sign {
        SIGN_O => [0xA6, LENGTH],
        SIGN_AU => [0xA7, LENGTH_AU],
        _ => [0xA7, LENGTH],
    }
}

/// The bytes for every character of ASCII and of the block Tamil after every syllable that may be held.
struct Transitions {
    /// The syllables, and by their index and [`column`] the bytes.
    held: Vec<usize>,
    transitions: Vec<[Transition; COLUMNS]>,
}

/// The block Tamil, other characters without known transitions, and ASCII.
const COLUMNS: usize = 0x82;
const OTHER: usize = 0x80;
const ASCII: usize = 0x81;

/// Returns the column of a character, and the byte that its transition leaves open.
#[inline(always)]
fn column(scalar: u32) -> (usize, u16) {
    match scalar {
        0..0x80 => (ASCII, scalar as u16),
        _ => ((scalar.wrapping_sub(TAMIL) as usize).min(OTHER), 0),
    }
}

/// Characters that are written at a time.
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
            // The byte of ASCII is 0 yet.
            let shift = 8 * out.len().saturating_sub(1) as u8;
            let (prefix, size) = (u64::from_le_bytes(prefix), out.len() as u8);
            Transition { prefix, shift, size, code: 0, next: next as u32 }
        };
        let transitions =
            held.iter().map(|before| std::array::from_fn(|column| transition(*before, column))).collect();
        Transitions { held, transitions }
    }

    /// Writes the characters at the front of `block` after `held`, which then is the last held syllable. Returns how
    /// many.
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
    fn more_bytes_change_nothing() {
        for code in 0..=0xFF_FFFF_u32 {
            let [_, a, b, c] = code.to_be_bytes();
            // Bytes that combine with others, and two that do not.
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
