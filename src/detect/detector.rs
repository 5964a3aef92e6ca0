//! The detector: what the bytes of one file, fed piece by piece, say of its encoding.

use std::mem;

use utfconv_core::{CheckItem, Checker, EbcdicNewline, Encoding, InputBom, US_ASCII, UTF_8, UTF_16, UTF_32};

use super::detected::{Certainty, Detected, many};
use super::guess::{guess, seven_bit, wide};
use super::sample::Sample;
use crate::files::sniff::{self, HEAD, Sniffed, sniff};

/// Takes in one file, in pieces of any size; how it is cut makes no difference.
pub struct Detector {
    /// The first bytes, up to `HEAD`.
    head: Vec<u8>,
    utf8: Checker,
    /// A sequence that the end of the last piece has cut, as UTF-8.
    cut: Vec<u8>,
    /// UTF-8 sequences of two bytes and more, and those of more than two.
    sequences: u64,
    long_sequences: u64,
    /// What is no UTF-8.
    faults: u64,
    sample: Sample,
    allows_7bit: bool,
    /// There have been so many faults that it is not looked at as UTF-8 any more, which takes much longer than all else.
    is_legacy: bool,
}

/// So many good sequences for each fault are UTF-8 with faults; by chance there are less than one.
const MOSTLY: u64 = 10;
const RATHER: u64 = 3;

/// As many faults as this, and fewer sequences, are enough to say that it is not UTF-8.
const ENOUGH: u64 = 4096;

impl Detector {
    pub fn new() -> Detector {
        let mut utf8 = Checker::new(&UTF_8, InputBom::Text, EbcdicNewline::Nel);
        utf8.skip_line_counts();
        Detector {
            head: Vec::new(),
            utf8,
            cut: Vec::new(),
            sequences: 0,
            long_sequences: 0,
            faults: 0,
            sample: Sample::default(),
            allows_7bit: false,
            is_legacy: false,
        }
    }

    /// Looks for ISO-2022-JP and UTF-7 in what is ASCII otherwise.
    pub fn allowing_7bit(self) -> Detector {
        Detector { allows_7bit: true, ..self }
    }

    /// Takes the next piece.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..room.min(bytes.len())]);
        while let (false, Some((next, rest))) = (self.cut.is_empty(), bytes.split_first()) {
            let mut cut = mem::take(&mut self.cut);
            cut.push(*next);
            self.take(&cut);
            bytes = rest;
        }
        self.take(bytes);
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.is_legacy {
                return self.sample.feed(bytes, true);
            }
            let len = match self.utf8.next(bytes, false) {
                CheckItem::Text(len) => {
                    let text = &bytes[..len];
                    self.sequences += count(text, |byte| byte >= 0xC0);
                    self.long_sequences += count(text, |byte| byte >= 0xE0);
                    len
                }
                CheckItem::Fault(fault) => {
                    self.faults += 1;
                    // Only where there is a fault: how the text before it was cut makes no difference there.
                    self.is_legacy = self.faults >= ENOUGH && self.sequences < self.faults;
                    fault.bytes.len()
                }
                CheckItem::Incomplete => {
                    self.cut = bytes.to_vec();
                    return;
                }
                // A BOM is text, and there are no notices without one.
                _ => 0,
            };
            self.sample.feed(&bytes[..len], self.faults > 0);
            bytes = &bytes[len..];
        }
    }

    /// The answer, now that all is fed.
    pub fn finish(mut self) -> Detected {
        if self.head.is_empty() {
            return Detected::new(&US_ASCII, Certainty::Certain, "it is empty");
        }
        let is_signed = self.head.starts_with(b"\xEF\xBB\xBF");
        match sniff(&self.head, &UTF_8) {
            Sniffed::Looks { like, bom } => return self.wide(like, bom),
            Sniffed::Binary { nul } => {
                if let Some(detected) = wide(&self.head) {
                    return detected;
                }
                return Detected::nothing(
                    Certainty::Certain,
                    format!("it is binary: byte {nul} is NUL, and it is not UTF-16 or UTF-32"),
                );
            }
            Sniffed::Text => {}
        }
        let cut = mem::take(&mut self.cut);
        // The file may be the beginning of a longer one.
        let is_cut = !cut.is_empty() && self.sequences > 0;
        if !cut.is_empty() {
            self.faults += u64::from(!is_cut);
            self.sample.feed(&cut, self.faults > 0);
        }
        self.sample.finish();
        let bom = if is_signed { 3 } else { 0 };
        let (sequences, faults) = (self.sequences, self.faults);
        let with_faults = |certainty| {
            let reason = format!("{}, and {}", many(sequences, "UTF-8 sequence"), many(faults, "error"));
            Detected::new(&UTF_8, certainty, reason).with_bom(bom)
        };
        match faults {
            0 if is_signed => {
                let reason = "the BOM EF BB BF, and it is well-formed";
                Detected::new(&UTF_8, Certainty::Certain, reason).with_bom(bom)
            }
            0 if sequences == 0 => self.ascii(),
            0 => {
                let is_certain = sequences > 1 || self.long_sequences > 0;
                let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
                let end = if is_cut { ", the last one cut" } else { "" };
                let reason = format!("well-formed, {}{end}", many(sequences, "sequence"));
                Detected::new(&UTF_8, certainty, reason)
            }
            _ if sequences >= MOSTLY * faults => with_faults(Certainty::Likely),
            _ if is_signed || sequences >= RATHER * faults => with_faults(Certainty::Guess),
            _ => self.legacy(),
        }
    }

    /// What statistics say, and what speaks against it.
    fn legacy(&self) -> Detected {
        let odd = count(&self.head, is_odd);
        if ODD * odd > self.head.len() as u64 {
            let reason = format!("it is binary: it has {}", many(odd, "control"));
            return Detected::nothing(Certainty::Certain, reason);
        }
        let guessed = guess(&self.sample, &self.head);
        // Text has none of the controls that these pages have where those of Windows have marks and letters.
        let has_c1 = || self.head.iter().any(|byte| matches!(byte, 0x80..=0x84 | 0x86..=0x9F));
        let is_iso = guessed.encoding.is_some_and(|encoding| encoding.name().starts_with("ISO-8859-"));
        match odd > 0 || is_iso && has_c1() {
            true => Detected { certainty: guessed.certainty.min(Certainty::Guess), ..guessed },
            false => guessed,
        }
    }

    /// Nothing but ASCII.
    fn ascii(&self) -> Detected {
        if let Some(other) = self.allows_7bit.then(|| seven_bit(&self.head)).flatten() {
            return other;
        }
        let escapes = [&b"\x1B$"[..], b"\x1B("];
        if escapes.iter().any(|escape| memchr::memmem::find(&self.head, escape).is_some()) {
            let reason = "all bytes are ASCII, and some are escapes as of ISO-2022";
            return Detected::new(&US_ASCII, Certainty::Guess, reason);
        }
        match count(&self.head, is_odd) {
            0 => Detected::new(&US_ASCII, Certainty::Certain, "all bytes are ASCII"),
            odd if ODD * odd < self.head.len() as u64 => {
                Detected::new(&US_ASCII, Certainty::Likely, "all bytes are ASCII, some are controls")
            }
            // Units of UTF-16 may have such halves.
            _ => Detected::new(&US_ASCII, Certainty::Guess, "all bytes are ASCII, many are controls"),
        }
    }

    /// Text of wider code units.
    fn wide(&self, like: &'static Encoding, bom: usize) -> Detected {
        if bom > 0 {
            let scheme = if like.unit() == 4 { &UTF_32 } else { &UTF_16 };
            let mark: Vec<_> = self.head[..bom].iter().map(|byte| format!("{byte:02X}")).collect();
            let reason = format!("the BOM {} of {like:?}, followed by text", mark.join(" "));
            return Detected::new(scheme, Certainty::Certain, reason).with_bom(bom);
        }
        let is_long = self.head.len() >= 32 * like.unit();
        let certainty = if is_long { Certainty::Certain } else { Certainty::Likely };
        Detected::new(like, certainty, "NULs where it has them, and no mark of byte order")
    }
}

/// Controls that text does not have.
fn is_odd(byte: u8) -> bool {
    matches!(byte, 0..=7 | 0x0E..=0x19 | 0x1C..=0x1F)
}

/// With one such byte in fewer than so many, it is no text.
const ODD: u64 = 32;

fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> u64 {
    sniff::count(bytes, is) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use Certainty::{Certain, Guess, Likely};

    fn detect(bytes: &[u8], piece: usize) -> Detected {
        let mut detector = Detector::new();
        bytes.chunks(piece).for_each(|piece| detector.feed(piece));
        detector.finish()
    }

    /// What is certain, by rules: the encoding, how sure, and the length of the BOM.
    #[test]
    fn what_is_certain_is_known() {
        let utf16 = b"\xFF\xFEH\0i\0\n\0";
        let ascii = "plain text\n".repeat(9);
        let one_bad = ["日本語".repeat(9).as_bytes(), b"\xFF\n"].concat();
        let rather = ["日本語".as_bytes(), b" \xFF\n"].concat();
        let late_nul = [&[b'x'; 9000][..], "\0é日".as_bytes()].concat();
        for (bytes, encoding, certainty, bom) in [
            (&b""[..], Some("US-ASCII"), Certain, 0),
            (ascii.as_bytes(), Some("US-ASCII"), Certain, 0),
            (b"\xEF\xBB\xBF", Some("UTF-8"), Certain, 3),
            (b"\xEF\xBB\xBFcaf\xE9 cr\xE8me", Some("UTF-8"), Guess, 3),
            ("né".as_bytes(), Some("UTF-8"), Likely, 0),
            ("né né".as_bytes(), Some("UTF-8"), Certain, 0),
            ("日".as_bytes(), Some("UTF-8"), Certain, 0),
            (b"n\xC3\xA9 n\xC3", Some("UTF-8"), Likely, 0),
            (&one_bad, Some("UTF-8"), Likely, 0),
            (&rather, Some("UTF-8"), Guess, 0),
            (utf16, Some("UTF-16"), Certain, 2),
            (&utf16[2..], Some("UTF-16LE"), Likely, 0),
            (b"\xFF\xFE\0\0", Some("UTF-32"), Certain, 4),
            (b"\x7FELF\x02\x01\x01\0\0\0", None, Certain, 0),
            (&late_nul, Some("UTF-8"), Certain, 0),
        ] {
            let detected = detect(bytes, 1 << 20);
            let name = detected.encoding.map(Encoding::name);
            assert_eq!((name, detected.certainty, detected.bom), (encoding, certainty, bom), "{bytes:02X?}");
        }
    }

    /// The answer is the same however a text is cut.
    #[test]
    fn cuts_make_no_difference() {
        let utf8 = "Größe: 日本語, and 😀😀 – ".repeat(40).into_bytes();
        let mut faulty = utf8.clone();
        faulty[777] = 0xFF;
        faulty.truncate(faulty.len() - 2);
        let latin1: Vec<u8> =
            "Grüße aus Köln, schöne Mädchen\n".repeat(3000).chars().map(|c| c as u8).collect();
        let long_word: Vec<u8> = "ÄÖÜäöüß".repeat(3000).chars().map(|c| c as u8).collect();
        let mixed = [&utf8[..], &b"\xC3\xA9".repeat(90), &latin1, &long_word].concat();
        for text in [&utf8, &faulty, &latin1, &long_word, &mixed] {
            let whole = detect(text, usize::MAX);
            for piece in [1, 2, 3, 7, 64, 1000, 8191] {
                assert_eq!(detect(text, piece), whole, "pieces of {piece}");
            }
        }
    }
}
