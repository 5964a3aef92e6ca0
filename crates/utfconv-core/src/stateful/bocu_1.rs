//! BOCU-1 (UTN #6), which encodes each character as the difference from the previous character. Control characters and
//! the space encode themselves.
//!
//! A difference has a lead byte and up to three trail bytes. None of these is a control character that mail or text
//! files need. FF, or any control character, resets the state to the state at the start of a text.

use crate::codec::Codec;
use crate::decode::{Decode, IllFormedSequence, Next, UNICODE, is_surrogate};
use crate::encode::Encode;
use crate::fault::IllFormed;

pub(crate) static BOCU_1: Codec =
    Codec { decoder: || Box::new(Bocu1::default()), encoder: || Box::new(ToBocu1::default()) };

/// The base of differences at the start of a text, which is the middle of the ASCII letters.
const START: i32 = 0x40;

const SPACE: u32 = 0x20;
const RESET: u8 = 0xFF;

/// The lead byte of the difference 0.
const MIDDLE: i32 = 0x90;

/// Number of values that a trail byte has.
const TRAILS: i32 = 243;
/// The control characters that are the lowest values of a trail byte.
const CONTROLS: [u8; 20] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1C,
    0x1D, 0x1E, 0x1F,
];

/// The range of differences that have a given number of trail bytes.
struct Width {
    /// The first lead byte of positive differences.
    up: i32,
    /// One more than the last lead byte of negative differences.
    down: i32,
    /// The lowest positive difference.
    first: i32,
    /// The upper bound of negative differences.
    below: i32,
}

const WIDTHS: [Width; 4] = [
    Width { up: 0x90, down: 0x90, first: 0, below: 0 },
    Width { up: 0xD0, down: 0x50, first: 64, below: -64 },
    Width { up: 0xFB, down: 0x25, first: 10_513, below: -10_513 },
    Width { up: 0xFE, down: 0x22, first: 187_660, below: -187_660 },
];

/// Returns the base of the next difference, which is the middle of the block or script of `code_point`.
fn middle(code_point: u32) -> i32 {
    let middle = match code_point {
        0x3040..=0x309F => 0x3070,
        0x4E00..=0x9FA5 => 0x7711,
        0xAC00..=0xD7A3 => 0xC1D1,
        _ => (code_point & !0x7F) + START as u32,
    };
    middle as i32
}

/// Returns the state after a character; the space does not change the state.
fn state_after(code_point: u32, state: i32) -> i32 {
    match code_point {
        SPACE => state,
        ..SPACE => START,
        _ => middle(code_point),
    }
}

fn trail_value(byte: u8) -> Option<i32> {
    match byte {
        0x21.. => Some(i32::from(byte) - 0x21 + CONTROLS.len() as i32),
        _ => CONTROLS.iter().position(|control| *control == byte).map(|at| at as i32),
    }
}

fn trail_byte(value: i32) -> u8 {
    match CONTROLS.get(value as usize) {
        Some(control) => *control,
        None => (value - CONTROLS.len() as i32 + 0x21) as u8,
    }
}

/// The exact decoder of BOCU-1.
struct Bocu1 {
    state: i32,
    /// The state after the last decoded sequence, which [`Decode::commit`] makes current.
    after: i32,
}

impl Default for Bocu1 {
    fn default() -> Bocu1 {
        Bocu1 { state: START, after: START }
    }
}

impl Decode for Bocu1 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.after = self.state;
        let lead = match src.first() {
            None => return Next::Incomplete,
            Some(&RESET) => {
                self.after = START;
                return Next::Shift { len: 1 };
            }
            Some(byte @ 0..=0x20) => {
                self.after = state_after((*byte).into(), self.state);
                return Next::Scalar { code_point: (*byte).into(), len: 1 };
            }
            Some(lead) => i32::from(*lead),
        };
        let is_up = lead >= MIDDLE;
        let is_of = |width: &Width| if is_up { lead >= width.up } else { lead < width.down };
        let trails = WIDTHS.iter().rposition(is_of).unwrap_or(0);
        let width = &WIDTHS[trails];
        let mut difference = if is_up { lead - width.up } else { lead - width.down };
        for at in 1..=trails {
            match src.get(at).map(|byte| trail_value(*byte)) {
                Some(Some(value)) => difference = difference * TRAILS + value,
                None if !last => return Next::Incomplete,
                // A byte that is not a trail byte is not part of the fault, and is decoded again.
                _ => return Next::ill_formed(IllFormed::Truncated, at),
            }
        }
        let len = 1 + trails;
        let code_point = self.state + difference + if is_up { width.first } else { width.below };
        let fault = |kind, means| Next::IllFormed(IllFormedSequence::whole(kind, len).meaning(means));
        match u32::try_from(code_point) {
            Ok(control @ 0..=SPACE) => fault(IllFormed::NonShortest, control),
            Ok(surrogate) if is_surrogate(surrogate) => fault(IllFormed::Surrogate, surrogate),
            Ok(code_point @ ..=UNICODE) => {
                self.after = state_after(code_point, self.state);
                Next::Scalar { code_point, len }
            }
            Ok(above) => fault(IllFormed::AboveRange, above),
            Err(_) => Next::ill_formed(IllFormed::Unassigned, len),
        }
    }

    fn commit(&mut self) {
        self.state = self.after;
    }

    fn is_initial(&self) -> bool {
        self.state == START
    }
}

/// The encoder of BOCU-1.
#[derive(Clone)]
struct ToBocu1 {
    state: i32,
}

impl Default for ToBocu1 {
    fn default() -> ToBocu1 {
        ToBocu1 { state: START }
    }
}

fn write_difference(difference: i32, out: &mut Vec<u8>) {
    let is_up = difference >= 0;
    let is_of = |width: &Width| if is_up { difference >= width.first } else { difference < width.below };
    let trails = WIDTHS.iter().rposition(is_of).unwrap_or(0);
    let width = &WIDTHS[trails];
    let mut rest = difference - if is_up { width.first } else { width.below };
    let mut bytes = [0; 4];
    for at in (1..=trails).rev() {
        bytes[at] = trail_byte(rest.rem_euclid(TRAILS));
        rest = rest.div_euclid(TRAILS);
    }
    bytes[0] = (rest + if is_up { width.up } else { width.down }) as u8;
    out.extend_from_slice(&bytes[..=trails]);
}

impl Encode for ToBocu1 {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if !self.has(code_point) {
            return false;
        }
        match code_point {
            0..=SPACE => out.push(code_point as u8),
            _ => write_difference(code_point as i32 - self.state, out),
        }
        self.state = state_after(code_point, self.state);
        true
    }

    /// Writes the reset byte, so that texts can be joined, unless a control character has already reset the state.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.state, START) != START {
            out.push(RESET);
        }
    }

    fn at_rest(&self) -> bool {
        self.state == START
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::testkit::{read_all, write_all};

    fn read(src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        read_all(Bocu1::default(), src)
    }

    fn write(text: &str) -> Vec<u8> {
        write_all(ToBocu1::default(), text).expect("has every character")
    }

    #[test]
    fn text_round_trips() {
        for (text, bytes) in [
            ("\u{FEFF}", &b"\xFB\xEE\x28\xFF"[..]),
            ("plain\n", b"\xC0\xBC\xB1\xB9\xBE\n"),
            ("a a\n", b"\xB1 \xB1\n"),
            ("\u{10FFFF}\n", b"\xFE\x19\xB4\x54\n"),
            ("\u{10FFFF}\u{21}\n", b"\xFE\x19\xB4\x54\x21\xF0\x58\xD9\n"),
        ] {
            assert_eq!(write(text), bytes, "{text:?} {:02X?}", write(text));
            assert_eq!(read(bytes), (text.to_string(), vec![]));
        }
        // The first sample of ICU's tests, up to its surrogates.
        let sample = b"\xFB\xEE\x28\x24\x1E\x52\xB2\x20\xB3\xB1\x0D\x0A\x20\x00\xD0\x6C\xB6\xD8\xA5\x20\x68\x59\xF9\x28\x6D\
            \x20\x73\xE0\x2D\xDE\x43\xD0\x33\x20\xFA\x83\x25\x01\xFB\x16\x87\x4B\x16\x20\xE6\xBD";
        let text = "\u{FEFF}ab ca\r\n \0ßæ\u{930} घउゆき こ䀀一睷 龥一가\u{BCDE} 힣".to_string();
        assert_eq!(read(sample), (text.clone(), vec![]));
        assert_eq!(write(&text), [&sample[..], b"\xFF"].concat());
    }

    #[test]
    fn faults_and_states() {
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(
            read(b"\xD0\n\xB1"),
            faulty("\na", IllFormed::Truncated, 1),
            "control characters are kept"
        );
        assert_eq!(read(b"\xFE\x19\xB4"), faulty("", IllFormed::Truncated, 3));
        assert_eq!(
            read(b"\x50"),
            faulty("", IllFormed::NonShortest, 1),
            "a control character by a difference"
        );
        assert_eq!(read(b"\xFE\xFF\xFF\xFF"), faulty("", IllFormed::AboveRange, 4));
        assert_eq!(read(b"\x25\xFF"), faulty("", IllFormed::Unassigned, 2), "below U+0000");
        assert_eq!(read(b"\xFB\xC5\x11"), faulty("", IllFormed::Surrogate, 3));
        assert_eq!(read(b"\xD3\x01\xFF\xB1"), ("\u{359}a".to_string(), vec![]), "a reset");
        let mut reader = Bocu1::default();
        assert_eq!(reader.next(b"\xD3\x01", false), Next::Scalar { code_point: 0x359, len: 2 });
        assert_eq!(
            reader.next(b"\xB1", false),
            Next::Scalar { code_point: 0x61, len: 1 },
            "decoded, and not taken"
        );
        assert_eq!(reader.next(b"\xFB\xC5", false), Next::Incomplete);
        assert!(!ToBocu1::default().encode(0xD800, &mut Vec::new()));
    }
}
