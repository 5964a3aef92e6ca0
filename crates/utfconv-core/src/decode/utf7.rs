//! UTF-7 (RFC 2152) and the mailbox names of IMAP (RFC 3501 section 5.1.3), which are ASCII with runs of UTF-16 in
//! base64.

use super::{
    Decode, IllFormedSequence, Next, Utf32Unit, fill_by_steps, is_high_surrogate, is_low_surrogate, join,
};
use crate::fault::IllFormed;

/// The variant of UTF-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Rfc2152,
    Imap,
}

impl Variant {
    /// Returns the byte that begins a run of base64.
    pub(crate) fn shift(self) -> u8 {
        match self {
            Variant::Rfc2152 => b'+',
            Variant::Imap => b'&',
        }
    }

    /// Returns the digits of base64 in the order of their values.
    pub(crate) const fn digits(self) -> &'static [u8; 64] {
        match self {
            Variant::Rfc2152 => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
            Variant::Imap => b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,",
        }
    }

    /// Returns the six bits of a base64 digit, or `None` for other bytes.
    #[inline(always)]
    fn sextet(self, byte: u8) -> Option<u32> {
        match SEXTETS[self as usize][usize::from(byte)] {
            NO_DIGIT => None,
            sextet => Some(sextet.into()),
        }
    }

    /// Whether `byte` encodes itself outside base64, as printable characters do, and in UTF-7 the tab and newlines. RFC
    /// 2152 excludes `~` and `\`, because other national sets replace them. In IMAP, a file may list one name per line,
    /// so the newline is direct, too.
    fn is_direct(self, byte: u8) -> bool {
        match self {
            Variant::Rfc2152 => {
                matches!(byte, b' '..=b'}' | b'\t' | b'\n' | b'\r') && !matches!(byte, b'+' | b'\\')
            }
            Variant::Imap => matches!(byte, b' '..=b'~' | b'\n' | b'\r') && byte != b'&',
        }
    }
}

const NO_DIGIT: u8 = 0xFF;

/// The six bits of each byte that is a base64 digit, for each variant.
static SEXTETS: [[u8; 256]; 2] = [sextets(Variant::Rfc2152), sextets(Variant::Imap)];

const fn sextets(variant: Variant) -> [u8; 256] {
    let mut sextets = [NO_DIGIT; 256];
    let mut sextet = 0;
    while sextet < 64 {
        sextets[variant.digits()[sextet] as usize] = sextet as u8;
        sextet += 1;
    }
    sextets
}

/// The state of the decoder between sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    in_base64: bool,
    /// The low bits of the last digit, which belong to the next code unit.
    bits: u32,
    bit_count: u32,
}

/// The exact decoder. There is no fast decoder, because the meaning of bytes depends on the bytes before.
pub(crate) struct Utf7 {
    variant: Variant,
    state: State,
    /// The state after the last decoded sequence, which [`Decode::commit`] makes current.
    after: State,
    /// The state before the last row of code points was decoded.
    before: State,
}

impl Utf7 {
    pub(crate) fn new(variant: Variant) -> Utf7 {
        Utf7 { variant, state: State::default(), after: State::default(), before: State::default() }
    }

    fn direct(&mut self, src: &[u8], last: bool) -> Next {
        self.after = State::default();
        let shift = self.variant.shift();
        match *src {
            [] => Next::Incomplete,
            [byte, b'-', ..] if byte == shift => Next::Scalar { code_point: shift.into(), len: 2 },
            [byte, digit, ..] if byte == shift && self.variant.sextet(digit).is_some() => {
                self.after.in_base64 = true;
                Next::Shift { len: 1 }
            }
            [byte] if byte == shift && !last => Next::Incomplete,
            [byte, ..] if byte == shift => Next::ill_formed(IllFormed::Truncated, 1),
            [byte, ..] if self.variant.is_direct(byte) => Next::Scalar { code_point: byte.into(), len: 1 },
            [..] => Next::ill_formed(IllFormed::NeverUsed, 1),
        }
    }

    /// Decodes the characters at the front of `src` to `row`: direct characters, and in base64 characters of the Basic
    /// Multilingual Plane. Returns the number of bytes read and of characters written.
    #[inline(always)]
    fn run(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
        let (mut read, mut count) = (0, 0);
        loop {
            let (len, found) = if self.state.in_base64 {
                self.run_of_base64(&src[read..], &mut row[count..])
            } else {
                self.run_of_direct(&src[read..], &mut row[count..])
            };
            (read, count) = (read + len, count + found);
            let Some([first, second]) = src[read..].first_chunk() else { break };
            if count == row.len() {
                break;
            }
            let is_digit = |byte| self.variant.sextet(byte).is_some();
            match self.state.in_base64 {
                // End the run of base64, unless inside a code unit.
                true if *first == b'-' || self.variant.is_direct(*first) && !is_digit(*first) => {
                    self.state = State::default();
                    read += usize::from(*first == b'-');
                }
                false if *first == self.variant.shift() && is_digit(*second) => {
                    self.state.in_base64 = true;
                    read += 1;
                }
                _ => break,
            }
        }
        (read, count)
    }

    #[inline(always)]
    fn run_of_direct(&self, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
        let mut count = 0;
        for (unit, byte) in row.iter_mut().zip(src) {
            if !self.variant.is_direct(*byte) {
                break;
            }
            *unit = u32::from(*byte).to_le_bytes();
            count += 1;
        }
        (count, count)
    }

    #[inline(always)]
    fn run_of_base64(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
        let (mut read, mut count) = (0, 0);
        let State { in_base64, mut bits, mut bit_count } = self.state;
        let sextets = &SEXTETS[self.variant as usize];
        for unit in row {
            let Some(window) = src[read..].first_chunk::<4>() else { break };
            let [first, second, third, fourth] = window.map(|byte| u32::from(sextets[usize::from(byte)]));
            let (digits, number, last, following) = match bit_count {
                ..4 => (3, bits << 18 | first << 12 | second << 6 | third, third, fourth),
                _ => (2, bits << 12 | first << 6 | second, second, third),
            };
            let rest = bit_count + 6 * digits - 16;
            let (code_point, stray) = (number >> rest, number & ((1 << rest) - 1));
            let is_whole = first.max(second).max(last) < NO_DIGIT.into();
            // The bits after the last code unit of a run have to be zero.
            let is_last = following == NO_DIGIT.into();
            if !is_whole || is_last && stray != 0 || matches!(code_point, 0xD800..0xE000) {
                break;
            }
            *unit = code_point.to_le_bytes();
            (bits, bit_count) = (stray, rest);
            (read, count) = (read + digits as usize, count + 1);
        }
        self.state = State { in_base64, bits, bit_count };
        (read, count)
    }

    fn base64(&mut self, src: &[u8], last: bool) -> Next {
        let State { mut bits, mut bit_count, .. } = self.state;
        let mut high = None;
        let mut len = 0;
        for &byte in src {
            let Some(sextet) = self.variant.sextet(byte) else {
                return match (len, byte) {
                    (0, b'-') => {
                        self.after = State::default();
                        Next::Shift { len: 1 }
                    }
                    (0, _) => self.direct(src, last),
                    _ => self.broken_off(high, len),
                };
            };
            (bits, bit_count, len) = (bits << 6 | sextet, bit_count + 6, len + 1);
            if bit_count < 16 {
                continue;
            }
            bit_count -= 16;
            let unit = bits >> bit_count;
            bits &= (1 << bit_count) - 1;
            self.after = State { in_base64: true, bits, bit_count };
            let code_point = match high {
                None if is_high_surrogate(unit) => {
                    high = Some((unit, len, self.after));
                    continue;
                }
                None if is_low_surrogate(unit) => {
                    return Next::IllFormed(IllFormedSequence::whole(IllFormed::LoneLow, len).meaning(unit));
                }
                None => unit,
                Some((high, ..)) if is_low_surrogate(unit) => join(high, unit).map_or(unit, u32::from),
                Some(_) => return self.broken_off(high, len),
            };
            // The bits after the last code unit of a run have to be zero (RFC 2152, rule 2), so check if a digit
            // follows.
            return match src.get(len) {
                None if bits != 0 && !last => Next::Incomplete,
                Some(byte) if bits == 0 || self.variant.sextet(*byte).is_some() => {
                    Next::Scalar { code_point, len }
                }
                None if bits == 0 => Next::Scalar { code_point, len },
                _ => {
                    self.after = State { in_base64: true, ..State::default() };
                    Next::IllFormed(IllFormedSequence::whole(IllFormed::StrayBits, len).meaning(code_point))
                }
            };
        }
        if last && !src.is_empty() { self.broken_off(high, len) } else { Next::Incomplete }
    }

    /// Returns the fault of a run that ends inside a code unit, or whose high surrogate no low surrogate follows. The
    /// bytes after the high surrogate are decoded separately.
    fn broken_off(&mut self, high: Option<(u32, usize, State)>, len: usize) -> Next {
        match high {
            Some((unit, len, after)) => {
                self.after = after;
                Next::IllFormed(IllFormedSequence::whole(IllFormed::LoneHigh, len).meaning(unit))
            }
            None => {
                self.after = State { in_base64: true, ..State::default() };
                Next::ill_formed(IllFormed::Truncated, len)
            }
        }
    }
}

impl Decode for Utf7 {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if self.state.in_base64 { self.base64(src, last) } else { self.direct(src, last) }
    }

    fn commit(&mut self) {
        self.state = self.after;
    }

    fn fill_row(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> Option<(usize, usize)> {
        self.before = self.state;
        let (mut read, mut count) = (0, 0);
        loop {
            let (len, found) = self.run(&src[read..], &mut row[count..]);
            (read, count) = (read + len, count + found);
            if count == row.len() {
                break;
            }
            // Decode characters outside a run one by one.
            let (len, found) = fill_by_steps(self, &src[read..], &mut row[count..count + 1]);
            (read, count) = (read + len, count + found);
            if found == 0 {
                break;
            }
        }
        Some((read, count))
    }

    fn rewind(&mut self) {
        self.state = self.before;
    }

    fn is_initial(&self) -> bool {
        self.state == State::default()
    }
}
