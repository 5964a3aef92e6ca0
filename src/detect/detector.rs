//! The detector: finds the encoding of one file from its bytes, which arrive in chunks.

use std::mem;

use utfconv_core::{CheckItem, Checker, EbcdicNewline, Encoding, InputBom, US_ASCII, UTF_8, UTF_16, UTF_32};

use super::detected::{Certainty, Detected, many};
use super::guess::{guess, seven_bit, wide};
use super::sample::Sample;
use crate::files::feeder::Feeder;
use crate::files::sniff::{self, HEAD, Sniffed, sniff};
use crate::ui::controls::is_odd;

/// Takes one file in chunks. Their size does not affect the result.
pub struct Detector {
    /// The first bytes, up to `HEAD`.
    head: Vec<u8>,
    utf8: Feeder,
    /// UTF-8 sequences of two bytes and more, and those of more than two.
    sequences: u64,
    long_sequences: u64,
    /// Errors in it as UTF-8.
    faults: u64,
    sample: Sample,
    allows_7bit: bool,
    /// There were so many faults that it is no longer checked as UTF-8, which takes longer than all else.
    is_legacy: bool,
}

/// With at least so many sequences per fault, it is UTF-8 with errors; by chance there is less than one.
const MOSTLY: u64 = 10;
const RATHER: u64 = 3;

/// With so many faults, and fewer sequences than faults, it is not UTF-8.
const ENOUGH: u64 = 4096;

impl Detector {
    pub fn new() -> Detector {
        let mut utf8 = Checker::new(&UTF_8, InputBom::Text, EbcdicNewline::Nel);
        utf8.skip_line_counts();
        Detector {
            head: Vec::new(),
            utf8: Feeder::new(utf8),
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

    /// Takes the next chunk.
    pub fn feed(&mut self, chunk: &[u8]) {
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&chunk[..room.min(chunk.len())]);
        if self.is_legacy {
            return self.sample.feed(chunk, true);
        }
        self.utf8.feed(chunk, false, |item, _, bytes, _| {
            let len = match item {
                CheckItem::Text(len) => {
                    let text = &bytes[..*len];
                    self.sequences += count(text, |byte| byte >= 0xC0);
                    self.long_sequences += count(text, |byte| byte >= 0xE0);
                    *len
                }
                CheckItem::Fault(fault) => {
                    self.faults += 1;
                    // Only at a fault: the sequences before it are the same for any chunks.
                    self.is_legacy = self.faults >= ENOUGH && self.sequences < self.faults;
                    fault.bytes.len()
                }
                // The BOM is text, and there are no notices without one.
                _ => 0,
            };
            self.sample.feed(&bytes[..len], self.faults > 0);
            !self.is_legacy
        });
        if self.is_legacy {
            self.sample.feed(&mem::take(&mut self.utf8.pending), true);
        }
    }

    /// Returns the result, after the last chunk.
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
        let cut = mem::take(&mut self.utf8.pending);
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

    /// Guesses from statistics, with less certainty if there are odd controls.
    fn legacy(&self) -> Detected {
        let odd = count(&self.head, is_odd);
        if ODD * odd > self.head.len() as u64 {
            let reason = format!("it is binary: it has {}", many(odd, "control"));
            return Detected::nothing(Certainty::Certain, reason);
        }
        let guessed = guess(&self.sample, &self.head);
        // Text has no C1 controls, where code pages of Windows have signs and letters.
        let has_c1 = || self.head.iter().any(|byte| matches!(byte, 0x80..=0x84 | 0x86..=0x9F));
        let is_iso = guessed.encoding.is_some_and(|encoding| encoding.name().starts_with("ISO-8859-"));
        match odd > 0 || is_iso && has_c1() {
            true => Detected { certainty: guessed.certainty.min(Certainty::Guess), ..guessed },
            false => guessed,
        }
    }

    /// Detects what all-ASCII bytes are.
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

    /// Describes text of wider code units.
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

/// With more than one odd byte in so many, it is not text.
const ODD: u64 = 32;

fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> u64 {
    sniff::count(bytes, is) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use Certainty::{Certain, Guess, Likely};

    fn detect(bytes: &[u8], chunk: usize) -> Detected {
        let mut detector = Detector::new();
        bytes.chunks(chunk).for_each(|chunk| detector.feed(chunk));
        detector.finish()
    }

    #[test]
    fn encoding_certainty_and_bom_follow_from_rules() {
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

    #[test]
    fn chunks_do_not_affect_the_result() {
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
            for chunk in [1, 2, 3, 7, 64, 1000, 8191] {
                assert_eq!(detect(text, chunk), whole, "chunks of {chunk}");
            }
        }
    }
}
