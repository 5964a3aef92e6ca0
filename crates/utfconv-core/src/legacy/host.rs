//! The double-byte EBCDIC pages, which have single bytes, and codes of two bytes between SO (0E) and SI (0F).
//!
//! Reading is lenient, as in glibc: an SO or SI that changes nothing is allowed, and a text may end in either state.
//! Bytes below 40 are not lead bytes, so a control character between SO and SI is a fault. Writing is strict: a text
//! that ends in double bytes is closed with SI.

use std::sync::OnceLock;

use super::lazy::Lazy;
use super::mapping::{Code, Mapping};
use super::packed::{Packed, packed};
use crate::decode::{Decode, Next, Utf32Unit};
use crate::encode::Encode;
use crate::fault::IllFormed;
use crate::newline::EbcdicNewline;

const SHIFT_OUT: u8 = 0x0E;
pub(crate) const SHIFT_IN: u8 = 0x0F;

/// The tables of a double-byte EBCDIC code page.
pub(crate) struct HostPage {
    /// The scalar value of each single byte, or [`NONE`].
    singles: [u32; 256],
    /// The scalar value of each two-byte code, or [`NONE`].
    doubles: Box<[u32]>,
    /// Codes that each encode two scalar values.
    pairs: Vec<(u16, [u32; 2])>,
    read_only: Vec<u16>,
    write_only: Vec<(u16, u32)>,
    /// The table for writing, made when a character is first written.
    written: OnceLock<Written>,
}

/// The table of the codes that a page writes.
struct Written {
    /// The code of each scalar value up to U+2FFFF; 0 if the scalar value has none, or if the next character decides.
    codes: Box<[u16]>,
    /// Codes of higher scalar values, and of scalar values that may share a code with the previous character, in
    /// ascending order.
    others: Vec<(u32, u16)>,
}

impl Written {
    /// Returns the code of a scalar value, or 0 if the scalar value has none.
    #[inline(always)]
    fn code(&self, scalar: u32) -> u16 {
        self.codes.get(scalar as usize).copied().unwrap_or(0)
    }
}

const NONE: u32 = u32::MAX;

/// Number of characters that the encoder writes at a time.
const BLOCK: usize = 256;
/// Number of characters that are tested at a time for being single bytes.
const SHORT_BLOCK: usize = 32;

/// Japanese EBCDIC with katakana among the single bytes.
pub(crate) static IBM930: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm930")]));
/// Korean EBCDIC with two-byte codes.
pub(crate) static IBM933: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm933")]));
/// Simplified Chinese EBCDIC with two-byte codes.
pub(crate) static IBM935: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm935")]));
/// Traditional Chinese EBCDIC with two-byte codes.
pub(crate) static IBM937: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm937")]));
/// Japanese EBCDIC with small Latin letters among the single bytes.
pub(crate) static IBM939: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm930"), packed!("ibm939")]));
/// Korean EBCDIC with all Hangul syllables.
pub(crate) static IBM1364: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm933"), packed!("ibm1364")]));
/// Traditional Chinese EBCDIC with the euro sign.
pub(crate) static IBM1371: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm937"), packed!("ibm1371")]));
/// Simplified Chinese EBCDIC with the characters of GB 18030.
pub(crate) static IBM1388: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm935"), packed!("ibm1388")]));
/// Japanese EBCDIC with katakana and JIS X 0213.
pub(crate) static IBM1390: Lazy<HostPage> = Lazy::new(|| page(&[packed!("ibm930"), packed!("ibm1390")]));
/// Japanese EBCDIC with small Latin letters and JIS X 0213.
pub(crate) static IBM1399: Lazy<HostPage> =
    Lazy::new(|| page(&[packed!("ibm930"), packed!("ibm1390"), packed!("ibm1399")]));

/// Builds a page from mapping files. Each file replaces the single bytes and the characters that are only written, and
/// adds codes of two bytes.
fn page(mappings: &[Packed]) -> HostPage {
    mappings.iter().fold(HostPage::empty(), |page, packed| page.take(&packed.same()))
}

impl HostPage {
    fn empty() -> HostPage {
        HostPage {
            singles: [NONE; 256],
            doubles: vec![NONE; 0x1_0000].into(),
            pairs: Vec::new(),
            read_only: Vec::new(),
            write_only: Vec::new(),
            written: OnceLock::new(),
        }
    }

    /// Returns the page of a mapping that is known only at run time.
    pub fn of(mapping: &Mapping) -> HostPage {
        HostPage::empty().take(mapping)
    }

    /// Takes the single bytes, the characters that are only written, and the two-byte codes of a mapping. Two-byte
    /// codes of earlier mappings are kept.
    fn take(mut self, mapping: &Mapping) -> HostPage {
        self.singles = [NONE; 256];
        self.read_only.retain(|code| *code >= 0x100);
        for (code, scalar) in &mapping.codes {
            match *code.bytes() {
                [byte] => self.singles[usize::from(byte)] = *scalar,
                [lead, trail] => {
                    let code = u16::from_be_bytes([lead, trail]);
                    self.doubles[usize::from(code)] = *scalar;
                    self.read_only.retain(|known| *known != code);
                }
                _ => {}
            }
        }
        self.pairs.extend(mapping.pairs.iter().filter_map(|(code, both)| Some((code.short()?, *both))));
        self.read_only.extend(mapping.read_only.iter().filter_map(Code::short));
        self.read_only.sort_unstable();
        let written = mapping.write_only.iter();
        self.write_only = written.filter_map(|(code, scalar)| Some((code.short()?, *scalar))).collect();
        self
    }

    fn written(&self) -> &Written {
        self.written.get_or_init(|| self.invert())
    }

    /// Returns the code of a scalar value, or `None` if the page lacks the scalar value.
    fn code(&self, scalar: u32) -> Option<u16> {
        match self.written().code(scalar) {
            // In every page, byte 00 is U+0000, so the code 0 is valid for U+0000.
            0 if scalar == 0 => Some(0),
            0 => {
                let others = &self.written().others;
                let at = others.binary_search_by_key(&scalar, |(other, _)| *other).ok()?;
                Some(others[at].1)
            }
            code => Some(code),
        }
    }

    fn invert(&self) -> Written {
        let (mut codes, mut others) = (vec![0; 0x3_0000], Vec::new());
        let singles = (0..).zip(self.singles);
        let doubles = (0..=0xFFFF).zip(self.doubles.iter().copied());
        let read = singles.chain(doubles).filter(|(code, scalar)| {
            *scalar != NONE && *code != 0 && self.read_only.binary_search(code).is_err()
        });
        for (code, scalar) in read.chain(self.write_only.iter().copied()) {
            match codes.get_mut(scalar as usize) {
                Some(slot @ 0) => *slot = code,
                Some(_) => {}
                None => others.push((scalar, code)),
            }
        }
        for (_, [_, second]) in &self.pairs {
            if let Some(slot) = codes.get_mut(*second as usize).filter(|slot| **slot != 0) {
                others.push((*second, std::mem::take(slot)));
            }
        }
        // If a scalar value has several codes, keep the first, as the table does.
        others.sort_by_key(|(scalar, _)| *scalar);
        others.dedup_by_key(|(scalar, _)| *scalar);
        Written { others, codes: codes.into() }
    }
}

/// Exchanges U+000A and U+0085 if `newline` is [`EbcdicNewline::Lf`].
fn swapped(scalar: u32, newline: EbcdicNewline) -> u32 {
    match (scalar, newline) {
        (0x0A, EbcdicNewline::Lf) => 0x85,
        (0x85, EbcdicNewline::Lf) => 0x0A,
        _ => scalar,
    }
}

/// The exact decoder. There is no fast decoder, because the meaning of bytes depends on the bytes before.
pub(crate) struct Host {
    page: &'static HostPage,
    newline: EbcdicNewline,
    /// Whether the decoder is between SO and SI.
    is_double: bool,
    /// The value of `is_double` after the last decoded sequence, which [`Decode::commit`] makes current.
    after: bool,
    /// The value of `is_double` before the last row of code points was decoded.
    before: bool,
}

impl Host {
    pub fn new(page: &'static HostPage, newline: EbcdicNewline) -> Host {
        Host { page, newline, is_double: false, after: false, before: false }
    }

    fn single(&self, byte: u8) -> Next {
        let scalar = Some(self.page.singles[usize::from(byte)]).filter(|scalar| *scalar != NONE);
        Next::assigned(scalar.map(|scalar| swapped(scalar, self.newline)), 1)
    }

    /// Decodes the characters at the front of `src` to `row`, up to a shift. Returns the number of bytes read and of
    /// characters.
    fn run(&self, src: &[u8], row: &mut [Utf32Unit]) -> (usize, usize) {
        let mut count = 0;
        if self.is_double {
            for (unit, [lead, trail]) in row.iter_mut().zip(src.as_chunks().0) {
                let is_code = matches!(lead, 0x40..=0xFE) && matches!(trail, 0x40..=0xFE);
                match self.page.doubles[usize::from(u16::from_be_bytes([*lead, *trail]))] {
                    scalar if scalar != NONE && is_code => *unit = scalar.to_le_bytes(),
                    _ => break,
                }
                count += 1;
            }
            return (2 * count, count);
        }
        for (unit, byte) in row.iter_mut().zip(src) {
            match self.page.singles[usize::from(*byte)] {
                scalar if scalar != NONE && !matches!(*byte, SHIFT_OUT | SHIFT_IN) => {
                    *unit = swapped(scalar, self.newline).to_le_bytes();
                }
                _ => break,
            }
            count += 1;
        }
        (count, count)
    }

    fn double(&self, code: u16) -> Next {
        let code_point = self.page.doubles[usize::from(code)];
        if code_point != NONE {
            return Next::Scalar { code_point, len: 2 };
        }
        let pair = self.page.pairs.iter().find(|pair| pair.0 == code);
        pair.map_or_else(|| Next::ill_formed(IllFormed::Unassigned, 2), |(_, both)| Next::pair(*both, 2))
    }
}

impl Decode for Host {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.after = self.is_double;
        match *src {
            [] => Next::Incomplete,
            [shift @ (SHIFT_OUT | SHIFT_IN), ..] => {
                self.after = shift == SHIFT_OUT;
                Next::Shift { len: 1 }
            }
            [byte, ..] if !self.is_double => self.single(byte),
            [..=0x3F | 0xFF, ..] => Next::ill_formed(IllFormed::NeverUsed, 1),
            [_] if !last => Next::Incomplete,
            [lead, trail @ 0x40..=0xFE, ..] => self.double(u16::from_be_bytes([lead, trail])),
            _ => Next::ill_formed(IllFormed::Truncated, 1),
        }
    }

    fn commit(&mut self) {
        self.is_double = self.after;
    }

    fn fill_row(&mut self, src: &[u8], row: &mut [Utf32Unit]) -> Option<(usize, usize)> {
        self.before = self.is_double;
        let (mut read, mut count) = (0, 0);
        while count < row.len() {
            let (len, found) = self.run(&src[read..], &mut row[count..]);
            (read, count) = (read + len, count + found);
            match src.get(read) {
                Some(&shift @ (SHIFT_OUT | SHIFT_IN)) if count < row.len() => {
                    self.is_double = shift == SHIFT_OUT;
                    read += 1;
                }
                _ => break,
            }
        }
        Some((read, count))
    }

    fn rewind(&mut self) {
        self.is_double = self.before;
    }

    fn is_initial(&self) -> bool {
        !self.is_double
    }
}

/// The encoder, which holds back a character that may share a code with the next character.
#[derive(Clone)]
pub(crate) struct ToHost {
    page: &'static HostPage,
    newline: EbcdicNewline,
    is_double: bool,
    held: Option<u32>,
    /// The single bytes of scalar values below U+0100, or 0 if the scalar value is not a single byte. Made when a row
    /// is first written.
    singles: Option<Box<[u8; 0x100]>>,
}

impl ToHost {
    pub fn new(page: &'static HostPage, newline: EbcdicNewline) -> ToHost {
        ToHost { page, newline, is_double: false, held: None, singles: None }
    }

    fn push(&mut self, code: u16, out: &mut Vec<u8>) {
        let is_double = code >= 0x100;
        if std::mem::replace(&mut self.is_double, is_double) != is_double {
            out.push(if is_double { SHIFT_OUT } else { SHIFT_IN });
        }
        out.extend_from_slice(&code.to_be_bytes()[usize::from(!is_double)..]);
    }

    /// Writes the character that is held back.
    fn release(&mut self, out: &mut Vec<u8>) {
        if let Some(code) = self.held.take().and_then(|scalar| self.page.code(scalar)) {
            self.push(code, out);
        }
    }

    /// Writes the characters at the front of `row` that are single bytes, in whole blocks. Returns their number.
    fn put_singles(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        let (page, newline) = (self.page, self.newline);
        let singles = self.singles.get_or_insert_with(|| {
            Box::new(std::array::from_fn(|at| {
                let scalar = swapped(at as u32, newline);
                let is_first = page.pairs.iter().any(|(_, [first, _])| *first == scalar);
                u8::try_from(page.written().code(scalar)).ok().filter(|_| !is_first).unwrap_or(0)
            }))
        });
        let mut count = 0;
        for block in row.as_chunks::<SHORT_BLOCK>().0 {
            // The compiler vectorizes these loops, except the lookup between them.
            let all = block.iter().fold(0, |all, unit| all | u32::from_le_bytes(*unit));
            let bytes = block.map(|[low, ..]| singles[usize::from(low)]);
            if all >= 0x100 || bytes.iter().fold(false, |any, byte| any | (*byte == 0)) {
                break;
            }
            out.extend_from_slice(&bytes);
            count += SHORT_BLOCK;
        }
        count
    }

    /// Writes codes and the shifts between them, without a branch per code, because the CPU could not predict the
    /// branch. Returns true if the next character is likely to be a single byte.
    fn put_codes(&mut self, codes: &[u16], out: &mut Vec<u8>) -> bool {
        let mut room = [0; 3 * BLOCK + 4];
        let (mut len, mut is_double, mut all) = (0, self.is_double, 0);
        for code in codes {
            let was_double = std::mem::replace(&mut is_double, *code >= 0x100);
            let Some(room) = room.get_mut(len..).and_then(<[u8]>::first_chunk_mut::<3>) else { break };
            // If no shift is needed, the code overwrites the shift byte.
            room[0] = if is_double { SHIFT_OUT } else { SHIFT_IN };
            let start = usize::from(is_double != was_double);
            let bytes = if is_double { code.to_be_bytes() } else { code.to_le_bytes() };
            room[start..start + 2].copy_from_slice(&bytes);
            len += start + 1 + usize::from(is_double);
            all |= *code;
        }
        self.is_double = is_double;
        out.extend_from_slice(&room[..len]);
        all < 0x100 && !is_double
    }
}

impl Encode for ToHost {
    fn copy(&self) -> Option<Box<dyn Encode>> {
        Some(Box::new(self.clone()))
    }

    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        let pairs = &self.page.pairs;
        if let Some(first) = self.held
            && let Some((code, _)) = pairs.iter().find(|(_, both)| *both == [first, code_point])
        {
            self.held = None;
            self.push(*code, out);
            return true;
        }
        let Some(code) = self.page.code(swapped(code_point, self.newline)) else { return false };
        self.release(out);
        if pairs.iter().any(|(_, [first, _])| *first == code_point) {
            self.held = Some(code_point)
        } else {
            self.push(code, out)
        }
        true
    }

    /// Writes the characters at the front of `row`, up to one that depends on the next character. Returns their number.
    fn put_row(&mut self, row: &[Utf32Unit], out: &mut Vec<u8>) -> usize {
        if self.held.is_some() {
            return 0;
        }
        let (page, newline) = (self.page, self.newline);
        let written = page.written();
        // The last character that has a code may be the first of a pair, so it is held back.
        let held_back = usize::from(!page.pairs.is_empty());
        let (mut count, mut are_singles) = (0, !self.is_double);
        loop {
            if are_singles {
                count += self.put_singles(&row[count..], out);
            }
            let (mut codes, mut known) = ([0; BLOCK], 0_usize);
            for (code, unit) in codes.iter_mut().zip(&row[count..]) {
                *code = written.code(swapped(u32::from_le_bytes(*unit), newline));
                if *code == 0 {
                    break;
                }
                known += 1;
            }
            let safe = known.saturating_sub(held_back);
            are_singles = self.put_codes(&codes[..safe], out);
            count += safe;
            if known < BLOCK {
                return count;
            }
        }
    }

    fn has(&self, code_point: u32) -> bool {
        self.page.code(swapped(code_point, self.newline)).is_some()
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(out);
        if std::mem::take(&mut self.is_double) {
            out.push(SHIFT_IN);
        }
    }

    fn at_rest(&self) -> bool {
        !self.is_double && self.held.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::testkit::{read_all, write_all};
    use super::*;

    fn read(page: &'static HostPage, src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
        read_all(Host::new(page, EbcdicNewline::Nel), src)
    }

    fn write(page: &'static HostPage, text: &str) -> Option<Vec<u8>> {
        write_all(ToHost::new(page, EbcdicNewline::Nel), text)
    }

    #[test]
    fn text_round_trips() {
        for (page, text, bytes) in [
            (&IBM930, "ｱA", &b"\x81\xC1"[..]),
            (&IBM930, "亜", b"\x0E\x48\x67\x0F"),
            (&IBM939, "a亜b\n", b"\x81\x0E\x48\x67\x0F\x82\x25"),
            (&IBM933, "가　", b"\x0E\x88\x61\x40\x40\x0F"),
            (&IBM1390, "か\u{309A}", b"\x0E\xEC\xB5\x0F"),
            (&IBM1390, "か\u{309A}か", b"\x0E\xEC\xB5\x44\x86\x0F"),
            (&IBM1399, "か", b"\x0E\x44\x86\x0F"),
            (&IBM1371, "€", b"\x9F"),
        ] {
            assert_eq!(write(page, text).as_deref(), Some(bytes), "{text}");
            assert_eq!(read(page, bytes), (text.to_string(), vec![]));
        }
        for (page, text) in [(&IBM930, "\u{E}"), (&IBM930, "é"), (&IBM935, "\u{A0}"), (&IBM1371, "\\")] {
            assert_eq!(write(page, text), None, "{text:?}");
        }
    }

    #[test]
    fn faults_and_states() {
        let fine = |text: &str| (text.to_string(), vec![]);
        assert_eq!(read(&IBM939, b"\x0F\x81\x0E\x0E\x48\x67"), fine("a亜"), "a text may end in any state");
        let faulty = |text: &str, kind, len| (text.to_string(), vec![(kind, len)]);
        assert_eq!(read(&IBM939, b"\x0E\x48\x0F\x81"), faulty("a", IllFormed::Truncated, 1));
        assert_eq!(read(&IBM939, b"\x0E\x48"), faulty("", IllFormed::Truncated, 1));
        assert_eq!(read(&IBM939, b"\x0E\x25\x48\x67"), faulty("亜", IllFormed::NeverUsed, 1));
        assert_eq!(read(&IBM939, b"\x0E\x40\x41\x48\x67"), faulty("亜", IllFormed::Unassigned, 2));
        assert_eq!(read(&IBM937, b"\x41\xC1"), faulty("A", IllFormed::Unassigned, 1));
        let mut reader = Host::new(&IBM939, EbcdicNewline::Nel);
        assert_eq!(reader.next(b"\x0E", false), Next::Shift { len: 1 }, "decoded, and not taken");
        assert_eq!(reader.next(b"\x81", false), Next::Scalar { code_point: 0x61, len: 1 });
    }

    #[test]
    fn newlines_by_choice() {
        for (newline, text) in [(EbcdicNewline::Nel, "\u{85}\n"), (EbcdicNewline::Lf, "\n\u{85}")] {
            let mut reader = Host::new(&IBM930, newline);
            let mut writer = ToHost::new(&IBM930, newline);
            let mut out = Vec::new();
            for (byte, scalar) in [0x15, 0x25].into_iter().zip(text.chars()) {
                assert_eq!(reader.next(&[byte], true), Next::Scalar { code_point: scalar.into(), len: 1 });
                assert!(writer.encode(scalar.into(), &mut out));
            }
            assert_eq!(out, b"\x15\x25");
        }
    }
}
