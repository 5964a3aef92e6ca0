//! SCSU, the Standard Compression Scheme for Unicode (UTS #6).
//!
//! In single-byte mode, bytes from 80 on are characters of one of eight windows, which tags (bytes below 20) select and
//! move. In Unicode mode, text is UTF-16BE, with tags among the lead bytes E0..F1.
//!
//! A surrogate pair may be quoted as two code units, as in ICU, if nothing else is between the two.

use crate::codec::Codec;
use crate::decode::{Decode, IllFormedSequence, Next, is_low_surrogate, is_surrogate, join};
use crate::encode::Encode;
use crate::fault::IllFormed;

pub(crate) static SCSU: Codec =
    Codec { decoder: || Box::new(Scsu::default()), encoder: || Box::new(ToScsu::default()) };

/// The tag of single-byte mode that quotes a character of window 0; the tags of the other windows follow.
const QUOTE: u8 = 0x01;
/// The tag of single-byte mode that defines a window above U+FFFF.
const DEFINE_EXTENDED: u8 = 0x0B;
/// The tag of single-byte mode that quotes a UTF-16 code unit.
const QUOTE_UNICODE: u8 = 0x0E;
/// The tag that begins Unicode mode.
const TO_UNICODE: u8 = 0x0F;
/// The tag of single-byte mode that selects window 0; the tags of the other windows follow.
const CHANGE: u8 = 0x10;
const DEFINE: u8 = 0x18;

/// The tag of Unicode mode that selects window 0 in single-byte mode; the tags of the other windows follow.
const UNICODE_CHANGE: u8 = 0xE0;
/// The tag of Unicode mode that defines window 0; the tags of the other windows follow.
const UNICODE_DEFINE: u8 = 0xE8;
/// The tag of Unicode mode that quotes a code unit which begins like a tag.
const UNICODE_QUOTE: u8 = 0xF0;
/// The tag of Unicode mode that defines a window above U+FFFF.
const UNICODE_DEFINE_EXTENDED: u8 = 0xF1;
const RESERVED: u8 = 0xF2;

/// The static windows, from which bytes below 80 are quoted.
const STATIC: [u32; 8] = [0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000];

/// The positions of the dynamic windows at the start of a text.
const INITIAL: [u32; 8] = [0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00];

/// The window positions that the bytes F9..FF define.
const SPECIAL: [u32; 7] = [0x00C0, 0x0250, 0x0370, 0x0530, 0x3040, 0x30A0, 0xFF60];

/// The first scalar value without a window; scalar values from here to the surrogates have none.
const FIRST_WITHOUT_WINDOW: u32 = 0x3400;

/// Offset that is added to the positions of windows after the scalar values without a window.
const GAP: u32 = 0xAC00;

/// Returns the window position that a byte defines, or `None` if the byte is reserved.
fn position(code: u8) -> Option<u32> {
    Some(match code {
        0x01..=0x67 => u32::from(code) << 7,
        0x68..=0xA7 => (u32::from(code) << 7) + GAP,
        0xF9..=0xFF => SPECIAL[usize::from(code - 0xF9)],
        _ => return None,
    })
}

/// Returns the number of an extended window, and its position.
fn extended([high, low]: [u8; 2]) -> (u8, u32) {
    (high >> 5, 0x1_0000 + ((u32::from(high & 0x1F) << 8 | u32::from(low)) << 7))
}

fn has(window: u32, code_point: u32) -> bool {
    (window..window + 0x80).contains(&code_point)
}

/// The mode, the active window, and the positions of the windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    is_unicode: bool,
    active: u8,
    windows: [u32; 8],
}

impl Default for State {
    fn default() -> State {
        State { is_unicode: false, active: 0, windows: INITIAL }
    }
}

impl State {
    /// Begins single-byte mode with the given window active.
    fn change(&mut self, window: u8) {
        (self.is_unicode, self.active) = (false, window);
    }

    fn define(&mut self, window: u8, position: u32) {
        self.change(window);
        self.windows[usize::from(window)] = position;
    }

    fn window(&self) -> u32 {
        self.windows[usize::from(self.active)]
    }
}

/// The exact decoder of SCSU.
#[derive(Default)]
struct Scsu {
    state: State,
    /// The state after the last decoded sequence, which [`Decode::commit`] makes current.
    after: State,
}

fn lone(kind: IllFormed, surrogate: u32, len: usize) -> Next {
    Next::IllFormed(IllFormedSequence::whole(kind, len).meaning(surrogate))
}

fn scalar(code_point: u32, len: usize) -> Next {
    Next::Scalar { code_point, len }
}

/// Returns the UTF-16 code unit that `src` begins with, and its length in bytes. Returns `Err(Some)` if the code unit
/// is incomplete, and `Err(None)` if there is a tag.
fn unit(is_unicode: bool, src: &[u8]) -> Result<(u32, usize), Option<usize>> {
    let quote = if is_unicode { UNICODE_QUOTE } else { QUOTE_UNICODE };
    let before = match src.first() {
        None => return Err(Some(0)),
        Some(byte) if *byte == quote => 1,
        Some(UNICODE_CHANGE..=RESERVED) => return Err(None),
        Some(_) if is_unicode => 0,
        Some(_) => return Err(None),
    };
    match src[before..] {
        [high, low, ..] => Ok((u16::from_be_bytes([high, low]).into(), before + 2)),
        _ => Err(Some(src.len())),
    }
}

impl Scsu {
    /// Decodes a character in UTF-16.
    fn utf16(&self, src: &[u8], last: bool) -> Next {
        let is_unicode = self.state.is_unicode;
        let (first, len) = match unit(is_unicode, src) {
            Ok(found) => found,
            Err(Some(_)) if !last => return Next::Incomplete,
            Err(_) => return Next::ill_formed(IllFormed::Truncated, src.len()),
        };
        if !is_surrogate(first) {
            return scalar(first, len);
        }
        if is_low_surrogate(first) {
            return lone(IllFormed::LoneLow, first, len);
        }
        match unit(is_unicode, &src[len..]) {
            Ok((second, more)) if is_low_surrogate(second) => {
                scalar(join(first, second).map_or(0, u32::from), len + more)
            }
            Err(Some(_)) if !last => Next::Incomplete,
            _ => lone(IllFormed::LoneHigh, first, len),
        }
    }

    /// Decodes a tag with `count` bytes after it, from which `window` returns the number and the position of a window.
    /// `None` from `window` means that the bytes are reserved.
    fn tag(
        &mut self,
        src: &[u8],
        count: usize,
        last: bool,
        window: impl Fn(&[u8]) -> Option<(u8, u32)>,
    ) -> Next {
        match src.get(1..=count) {
            Some(bytes) => match window(bytes) {
                Some((window, position)) => {
                    self.after.define(window, position);
                    Next::Shift { len: 1 + count }
                }
                None => Next::ill_formed(IllFormed::Unassigned, 1 + count),
            },
            None if last => Next::ill_formed(IllFormed::Truncated, src.len()),
            None => Next::Incomplete,
        }
    }

    fn define(&mut self, window: u8, src: &[u8], last: bool) -> Next {
        self.tag(src, 1, last, |code| Some((window, position(code[0])?)))
    }

    fn define_extended(&mut self, src: &[u8], last: bool) -> Next {
        self.tag(src, 2, last, |code| Some(extended([code[0], code[1]])))
    }

    fn single_byte(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&byte) = src.first() else { return Next::Incomplete };
        match byte {
            0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F => scalar(byte.into(), 1),
            0x80..=0xFF => scalar(self.state.window() + u32::from(byte & 0x7F), 1),
            QUOTE..=0x08 => {
                let window = usize::from(byte - QUOTE);
                match src.get(1) {
                    Some(code @ 0x80..) => scalar(self.state.windows[window] + u32::from(code & 0x7F), 2),
                    Some(code) => scalar(STATIC[window] + u32::from(*code), 2),
                    None if last => Next::ill_formed(IllFormed::Truncated, 1),
                    None => Next::Incomplete,
                }
            }
            DEFINE_EXTENDED => self.define_extended(src, last),
            0x0C => Next::ill_formed(IllFormed::NeverUsed, 1),
            QUOTE_UNICODE => self.utf16(src, last),
            TO_UNICODE => {
                self.after.is_unicode = true;
                Next::Shift { len: 1 }
            }
            CHANGE..=0x17 => {
                self.after.change(byte - CHANGE);
                Next::Shift { len: 1 }
            }
            DEFINE..=0x1F => self.define(byte - DEFINE, src, last),
        }
    }

    fn unicode(&mut self, src: &[u8], last: bool) -> Next {
        match src.first() {
            None => Next::Incomplete,
            Some(tag @ UNICODE_CHANGE..=0xE7) => {
                self.after.change(tag - UNICODE_CHANGE);
                Next::Shift { len: 1 }
            }
            Some(tag @ UNICODE_DEFINE..=0xEF) => self.define(tag - UNICODE_DEFINE, src, last),
            Some(&UNICODE_DEFINE_EXTENDED) => self.define_extended(src, last),
            Some(&RESERVED) => Next::ill_formed(IllFormed::NeverUsed, 1),
            Some(_) => self.utf16(src, last),
        }
    }
}

impl Decode for Scsu {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.after = self.state;
        if self.state.is_unicode { self.unicode(src, last) } else { self.single_byte(src, last) }
    }

    fn commit(&mut self) {
        self.state = self.after;
    }

    fn is_initial(&self) -> bool {
        self.state == State::default()
    }
}

/// The encoder of SCSU, which holds back a character, because its best encoding depends on the next character.
#[derive(Clone)]
struct ToScsu {
    state: State,
    held: Option<u32>,
    /// The numbers of the windows, the most recently used last.
    used: [u8; 8],
}

impl Default for ToScsu {
    fn default() -> ToScsu {
        // The windows of Latin letters are the last to be redefined.
        ToScsu { state: State::default(), held: None, used: [7, 6, 5, 4, 3, 2, 1, 0] }
    }
}

/// Whether the character encodes itself in single-byte mode, whatever the windows are.
fn is_direct(code_point: u32) -> bool {
    matches!(code_point, 0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F)
}

/// Whether a character is shortest in Unicode mode, as ideographs and Hangul are.
fn is_wide(code_point: u32) -> bool {
    (FIRST_WITHOUT_WINDOW..0xE000).contains(&code_point)
}

/// Returns the bytes that define a window with the character, and the position of the window; `None` if no window can
/// have the character.
fn definition(code_point: u32) -> Option<(Vec<u8>, u32)> {
    if is_wide(code_point) {
        return None;
    }
    if code_point > 0xFFFF {
        let code = (code_point - 0x1_0000) >> 7;
        return Some((code.to_be_bytes()[2..].to_vec(), code_point & !0x7F));
    }
    // Prefer the special windows, which cross the bounds of regular windows, for the letters of a script.
    let special = SPECIAL.iter().rposition(|window| has(*window, code_point)).map(|at| 0xF9 + at as u8);
    let gap = if code_point < FIRST_WITHOUT_WINDOW { 0 } else { GAP };
    let code = special.unwrap_or(((code_point - gap) >> 7) as u8);
    Some((vec![code], position(code)?))
}

impl ToScsu {
    /// Returns the window that has the character; the active window is preferred. Returns `None` if no window has the
    /// character.
    fn window_of(&self, code_point: u32) -> Option<u8> {
        let windows = (0..8).filter(|window| has(self.state.windows[usize::from(*window)], code_point));
        windows.max_by_key(|window| *window == self.state.active)
    }

    fn use_window(&mut self, window: u8) {
        let at = self.used.iter().position(|used| *used == window).unwrap_or(0);
        self.used[at..].rotate_left(1);
    }

    /// Makes a window the active one in single-byte mode.
    fn change(&mut self, window: u8, out: &mut Vec<u8>) {
        out.push(window + if self.state.is_unicode { UNICODE_CHANGE } else { CHANGE });
        self.state.change(window);
        self.use_window(window);
    }

    /// Moves a window, and makes it the active one.
    fn define(&mut self, window: u8, (code, position): (Vec<u8>, u32), out: &mut Vec<u8>) {
        let tags = if self.state.is_unicode {
            [UNICODE_DEFINE, UNICODE_DEFINE_EXTENDED]
        } else {
            [DEFINE, DEFINE_EXTENDED]
        };
        match code[..] {
            [code] => out.extend([tags[0] + window, code]),
            _ => out.extend([tags[1], window << 5 | code[0], code[1]]),
        }
        self.state.define(window, position);
        self.use_window(window);
    }

    /// Writes a character in UTF-16, quoted if necessary.
    fn utf16(&self, code_point: u32, out: &mut Vec<u8>) {
        let Some(scalar) = char::from_u32(code_point) else { return };
        for unit in scalar.encode_utf16(&mut [0; 2]) {
            let [high, low] = unit.to_be_bytes();
            match (self.state.is_unicode, high) {
                (false, _) => out.push(QUOTE_UNICODE),
                (true, UNICODE_CHANGE..=RESERVED) => out.push(UNICODE_QUOTE),
                (true, _) => {}
            }
            out.extend([high, low]);
        }
    }

    /// Writes a character of the active window.
    fn in_window(&self, code_point: u32, out: &mut Vec<u8>) {
        out.push(0x80 | (code_point - self.state.window()) as u8);
    }

    /// Writes a character that `next` follows.
    fn push(&mut self, code_point: u32, next: Option<u32>, out: &mut Vec<u8>) {
        if self.state.is_unicode {
            if is_wide(code_point) || next.is_some_and(is_wide) || !self.leave_unicode(code_point, out) {
                return self.utf16(code_point, out);
            }
        } else if code_point < 0x20 && !is_direct(code_point) {
            out.extend([QUOTE, code_point as u8]);
            return;
        } else if is_wide(code_point) && next.is_some_and(is_wide) {
            out.push(TO_UNICODE);
            self.state.is_unicode = true;
            return self.utf16(code_point, out);
        }
        self.single_byte(code_point, next, out);
    }

    /// Begins single-byte mode with the window that a character needs. Returns false if no window has the character.
    fn leave_unicode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if is_direct(code_point) {
            self.change(self.state.active, out);
        } else if let Some(window) = self.window_of(code_point) {
            self.change(window, out);
        } else if let Some(definition) = definition(code_point).filter(|_| code_point >= 0x80) {
            self.define(self.used[0], definition, out);
        } else {
            return false;
        }
        true
    }

    fn single_byte(&mut self, code_point: u32, next: Option<u32>, out: &mut Vec<u8>) {
        if is_direct(code_point) {
            return out.push(code_point as u8);
        }
        let continues = |window: u32| next.is_some_and(|next| has(window, next));
        // Quote a character outside the active window if the next character is in the active window.
        let is_alone = next.is_none() || continues(self.state.window());
        match self.window_of(code_point) {
            Some(window) if window == self.state.active => {}
            Some(window) if is_alone => {
                let position = self.state.windows[usize::from(window)];
                return out.extend([QUOTE + window, 0x80 | (code_point - position) as u8]);
            }
            Some(window) => self.change(window, out),
            None => {
                let quoted = STATIC.iter().position(|window| has(*window, code_point));
                match (definition(code_point), quoted) {
                    (Some((code, position)), _) if continues(position) || code.len() > 1 => {
                        self.define(self.used[0], (code, position), out);
                    }
                    (_, Some(window)) => {
                        return out.extend([QUOTE + window as u8, (code_point - STATIC[window]) as u8]);
                    }
                    _ => return self.utf16(code_point, out),
                }
            }
        }
        self.use_window(self.state.active);
        self.in_window(code_point, out);
    }
}

impl Encode for ToScsu {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        if !self.has(code_point) {
            return false;
        }
        if let Some(held) = self.held.replace(code_point) {
            self.push(held, Some(code_point), out);
        }
        true
    }

    /// Writes the character that is held back, and resets the windows.
    fn finish(&mut self, out: &mut Vec<u8>) {
        if let Some(held) = self.held.take() {
            self.push(held, None, out);
        }
        for window in (0..8).rev() {
            let position = INITIAL[usize::from(window)];
            if self.state.windows[usize::from(window)] != position
                && let Some(definition) = definition(position)
            {
                self.define(window, definition, out);
            }
        }
        if self.state.is_unicode || self.state.active != 0 {
            self.change(0, out);
        }
        *self = ToScsu::default();
    }

    fn at_rest(&self) -> bool {
        self.held.is_none() && self.state == State::default()
    }

    fn is_initial(&self) -> bool {
        self.at_rest() && self.used == ToScsu::default().used
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legacy::testkit::{read_all, write_all};

    fn read(src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        read_all(Scsu::default(), src)
    }

    fn write(text: &str) -> Vec<u8> {
        write_all(ToScsu::default(), text).expect("has every character")
    }

    /// The samples of UTS #6, section 9.
    #[rustfmt::skip]
    const SAMPLES: [(&str, &[u8]); 4] = [
        ("Öl fließt", &[0xD6, 0x6C, 0x20, 0x66, 0x6C, 0x69, 0x65, 0xDF, 0x74]),
        ("Москва", &[0x12, 0x9C, 0xBE, 0xC1, 0xBA, 0xB2, 0xB0]),
        (
            "　♪リンゴ可愛いや可愛いやリンゴ。半世紀も前に流行した「リンゴの歌」がぴったりするかもしれない。\
             米アップルコンピュータ社のパソコン「マック（マッキントッシュ）」を、こよなく愛する人たちのことだ。\
             「アップル信者」なんて言い方まである。",
            &[
                0x08, 0x00, 0x1B, 0x4C, 0xEA, 0x16, 0xCA, 0xD3, 0x94, 0x0F, 0x53, 0xEF, 0x61, 0x1B, 0xE5, 0x84,
                0xC4, 0x0F, 0x53, 0xEF, 0x61, 0x1B, 0xE5, 0x84, 0xC4, 0x16, 0xCA, 0xD3, 0x94, 0x08, 0x02, 0x0F,
                0x53, 0x4A, 0x4E, 0x16, 0x7D, 0x00, 0x30, 0x82, 0x52, 0x4D, 0x30, 0x6B, 0x6D, 0x41, 0x88, 0x4C,
                0xE5, 0x97, 0x9F, 0x08, 0x0C, 0x16, 0xCA, 0xD3, 0x94, 0x15, 0xAE, 0x0E, 0x6B, 0x4C, 0x08, 0x0D,
                0x8C, 0xB4, 0xA3, 0x9F, 0xCA, 0x99, 0xCB, 0x8B, 0xC2, 0x97, 0xCC, 0xAA, 0x84, 0x08, 0x02, 0x0E,
                0x7C, 0x73, 0xE2, 0x16, 0xA3, 0xB7, 0xCB, 0x93, 0xD3, 0xB4, 0xC5, 0xDC, 0x9F, 0x0E, 0x79, 0x3E,
                0x06, 0xAE, 0xB1, 0x9D, 0x93, 0xD3, 0x08, 0x0C, 0xBE, 0xA3, 0x8F, 0x08, 0x88, 0xBE, 0xA3, 0x8D,
                0xD3, 0xA8, 0xA3, 0x97, 0xC5, 0x17, 0x89, 0x08, 0x0D, 0x15, 0xD2, 0x08, 0x01, 0x93, 0xC8, 0xAA,
                0x8F, 0x0E, 0x61, 0x1B, 0x99, 0xCB, 0x0E, 0x4E, 0xBA, 0x9F, 0xA1, 0xAE, 0x93, 0xA8, 0xA0, 0x08,
                0x02, 0x08, 0x0C, 0xE2, 0x16, 0xA3, 0xB7, 0xCB, 0x0F, 0x4F, 0xE1, 0x80, 0x05, 0xEC, 0x60, 0x8D,
                0xEA, 0x06, 0xD3, 0xE6, 0x0F, 0x8A, 0x00, 0x30, 0x44, 0x65, 0xB9, 0xE4, 0xFE, 0xE7, 0xC2, 0x06,
                0xCB, 0x82,
            ],
        ),
        (
            "AßЁşßǟ\u{F000}\u{10FFFF}\r\nAßЁşßǟ\u{F000}\u{10FFFF}",
            &[
                0x41, 0xDF, 0x12, 0x81, 0x03, 0x5F, 0x10, 0xDF, 0x1B, 0x03, 0xDF, 0x1C, 0x88, 0x80, 0x0B, 0xBF,
                0xFF, 0xFF, 0x0D, 0x0A, 0x41, 0x10, 0xDF, 0x12, 0x81, 0x03, 0x5F, 0x10, 0xDF, 0x13, 0xDF, 0x14,
                0x80, 0x15, 0xFF,
            ],
        ),
    ];

    #[test]
    fn samples_of_the_standard() {
        for (text, bytes) in SAMPLES {
            assert_eq!(read(bytes), (text.to_string(), vec![]));
            let written = write(text);
            assert_eq!(read(&written), (text.to_string(), vec![]));
            assert!(written.len() <= bytes.len() + 15, "{text}: {written:02X?}");
        }
        assert_eq!(write("Öl fließt"), SAMPLES[0].1);
        // At the end, the initial window is selected again.
        assert_eq!(write("Москва"), [SAMPLES[1].1, b"\x10"].concat());
    }

    #[test]
    fn every_way_to_write_a_character() {
        for (text, bytes) in [
            ("a\x01\x1F\x7F\0", &b"a\x01\x01\x01\x1F\x7F\0"[..]),
            ("é–é", b"\xE9\x05\x13\xE9"),
            ("éЖé", b"\xE9\x03\x96\xE9"),
            ("中", b"\x0E\x4E\x2D"),
            ("中文a", b"\x0F\x4E\x2D\x65\x87\xE0a"),
            ("中文\u{E123}中", b"\x0F\x4E\x2D\x65\x87\xF0\xE1\x23\x4E\x2D\xE0"),
            ("\u{FEFF}", b"\x0E\xFE\xFF"),
            ("😀😁", b"\x0B\xE1\xEC\x80\x81\x1F\xA6\x10"),
            ("ሰላም", b"\x1F\x24\xB0\x1F\x25"),
        ] {
            let written = write(text);
            if text != "ሰላም" {
                assert_eq!(written, bytes, "{text:?}");
            }
            assert_eq!(read(&written), (text.to_string(), vec![]), "{text:?} {written:02X?}");
        }
        assert!(!ToScsu::default().encode(0xD800, &mut Vec::new()));
    }

    #[test]
    fn faults_and_states() {
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read(b"a\x0Cb"), faulty("ab", IllFormed::NeverUsed, 1));
        assert_eq!(read(b"\x18\0a"), faulty("a", IllFormed::Unassigned, 2));
        assert_eq!(read(b"\x18\xA8a"), faulty("a", IllFormed::Unassigned, 2));
        assert_eq!(read(b"\x18"), faulty("", IllFormed::Truncated, 1));
        assert_eq!(read(b"\x0B\xE0"), faulty("", IllFormed::Truncated, 2));
        assert_eq!(read(b"\x01"), faulty("", IllFormed::Truncated, 1));
        assert_eq!(read(b"\x0F\xF2\xE0a"), faulty("a", IllFormed::NeverUsed, 1));
        assert_eq!(read(b"\x0F\x4E\x2D\x65"), faulty("中", IllFormed::Truncated, 1));
        assert_eq!(read(b"\x0E\xD8\x3Da"), faulty("a", IllFormed::LoneHigh, 3));
        assert_eq!(read(b"\x0E\xDE\0a"), faulty("a", IllFormed::LoneLow, 3));
        assert_eq!(read(b"\x0F\xD8\x3D\xE0a"), faulty("a", IllFormed::LoneHigh, 2));
        assert_eq!(read(b"\x0E\xD8\x3D\x0E\xDE\0"), ("😀".to_string(), vec![]));
        assert_eq!(read(b"\x0F\xD8\x3D\xDE\0"), ("😀".to_string(), vec![]), "a text may end in any mode");
        let mut reader = Scsu::default();
        assert_eq!(reader.next(b"\x12", false), Next::Shift { len: 1 }, "decoded, and not taken");
        assert_eq!(reader.next(b"\xE9", false), scalar(0xE9, 1));
        for cut in [&b"\x0E"[..], b"\x0E\xD8", b"\x0E\xD8\0", b"\x0E\xD8\0\x0E", b"\x0B\0", b"\x18", b"\x05"]
        {
            assert_eq!(reader.next(cut, false), Next::Incomplete, "{cut:02X?}");
        }
    }
}
