//! The detector finds the encoding of one file from its bytes, which arrive in chunks.

use std::io::{self, Read};
use std::mem;

use super::escapes::{decoded, seven_bit};
use super::guess::{Evidence, ebcdic, guess};
use super::hints::Hints;
use super::mixed::each_chunk;
use super::pages::CodePage;
use super::result::{Certainty, Detection, many};
use super::sample::{Sample, Word, are_partly_utf8};
use super::score::CONTEXTS;
use super::sniff::{
    Binary, FEW, HEAD, SEQUENCES_PER_ERROR, Sniffed, are_few, is_odd, is_text, may_be_ebcdic, partly_ascii,
    scheme, sniff_bytes,
};
use super::wide::wide;
use utfconv_core::utf8::{SURROGATE_PAIR, count_bytes, is_continuation, is_cut_pair, is_surrogate_pair};
use utfconv_core::utf8_well_formed_up_to;
use utfconv_core::{Encoding, US_ASCII, UTF_8, UTF_16BE, UTF_16LE, UTF_32BE, UTF_32LE, encodings::CESU_8};

/// Detects the encoding of a file whose bytes arrive in chunks. The sizes of the chunks do not affect the result.
///
/// ```
/// use utfconv_detect::{Detector, Certainty, Hints};
///
/// let mut detector = Detector::new(Hints::default());
/// detector.feed(b"Sch\xF6ne Gr\xFC\xDFe aus M\xFCnchen, sagte sie zum Abschied. Er h\xF6rte es nicht mehr.\n");
/// let found = detector.finish();
/// assert_eq!((found.name, found.certainty), (Some("windows-1252"), Certainty::Likely));
/// ```
#[derive(Default)]
pub struct Detector {
    hints: Hints,
    /// The first bytes of the file, up to `HEAD`.
    head: Vec<u8>,
    /// The start of a UTF-8 sequence that continues in the next chunk.
    cut: Vec<u8>,
    /// Number of UTF-8 sequences of two or more bytes.
    sequences: u64,
    /// Number of UTF-8 sequences before the first error.
    leading_sequences: u64,
    /// Whether the text before the first error was longer than [`COUNTED_BYTES`], so that some of its sequences were
    /// not counted.
    is_partly_counted: bool,
    has_long_sequences: bool,
    /// Whether the file has sequences of four bytes, which are ill-formed in CESU-8.
    has_longest_sequences: bool,
    /// Number of surrogate pairs encoded as in CESU-8. They count as errors only if the file has other errors too.
    pairs: u64,
    /// Number of bytes in which `sequences` were counted.
    counted: u64,
    /// Number of UTF-8 errors.
    faults: u64,
    sample: Sample,
    /// Up to `HEAD` bytes from the first ESC on; empty if the file has no ESC so far.
    escapes: Vec<u8>,
    /// Set if the sample is full and the text so far has more UTF-8 errors than sequences; validation, the slowest
    /// step, is then skipped.
    is_legacy: bool,
    /// Number of bytes read since `is_legacy` was set.
    legacy: u64,
    /// The result, if the first bytes decide it alone.
    early: Option<Detection>,
}

/// The bytes of `<?xml` in EBCDIC.
const EBCDIC_XML: &[u8] = b"\x4C\x6F\xA7\x94\x93";

/// With at least this many sequences per error, UTF-8 is the guess.
const GUESS_PER_ERROR: u64 = CONTEXTS as u64;

/// UTF-8 sequences are counted in this many bytes from the first sequence on, and in all bytes after an error. After as
/// many bytes that are not UTF-8, the rest of the file is not read.
const COUNTED_BYTES: u64 = 256 << 10;

impl Detector {
    /// Creates a detector for one file.
    #[must_use]
    pub fn new(hints: Hints) -> Detector {
        Detector { hints, ..Detector::default() }
    }

    /// Takes the next chunk of the file.
    pub fn feed(&mut self, chunk: &[u8]) {
        if self.head.len() < HEAD {
            let room = HEAD - self.head.len();
            self.head.extend_from_slice(&chunk[..room.min(chunk.len())]);
            if self.head.len() == HEAD {
                self.early = self.by_head();
            }
        }
        if self.early.is_some() {
            return;
        }
        if self.is_legacy {
            return self.feed_legacy(chunk);
        }
        self.look_for_escapes(chunk);
        let mut joined = mem::take(&mut self.cut);
        let mut rest = chunk;
        if !joined.is_empty() {
            joined.extend_from_slice(chunk);
            rest = &joined;
        }
        while !rest.is_empty() && !self.is_legacy {
            let (text, after) = rest.split_at(utf8_well_formed_up_to(rest));
            self.take_text(text);
            rest = after;
            match first_fault(rest) {
                None => {
                    self.cut = rest.to_vec();
                    return;
                }
                Some(len) => {
                    if !self.is_faulty() {
                        self.leading_sequences = self.sequences;
                        self.is_partly_counted = self.counted >= COUNTED_BYTES;
                    }
                    if len == SURROGATE_PAIR {
                        self.pairs += 1;
                    } else {
                        self.faults += 1;
                    }
                    // Tested only at a fault, because the number of sequences before a fault does not depend on the
                    // chunks.
                    self.is_legacy = self.sequences < self.faults && self.sample.is_ample();
                    self.sample.feed(&rest[..len], true);
                    rest = &rest[len..];
                }
            }
        }
        self.feed_legacy(rest);
    }

    /// Reads `source` until its end, or until the result is decided.
    ///
    /// ```
    /// use utfconv_detect::{Detector, Hints};
    ///
    /// let mut detector = Detector::new(Hints::default());
    /// detector.read(&mut std::io::repeat(b'\xFF'))?;
    /// assert!(detector.is_decided());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn read(&mut self, source: &mut impl Read) -> io::Result<()> {
        each_chunk(source, |chunk| {
            self.feed(chunk);
            !self.is_decided()
        })
    }

    /// Whether more bytes would not change the result, so that the rest of the file need not be read.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.early.is_some() || self.legacy >= COUNTED_BYTES
    }

    /// Whether the file has ill-formed UTF-8. Surrogate pairs count as ill-formed.
    fn is_faulty(&self) -> bool {
        self.faults > 0 || self.pairs > 0
    }

    /// Whether statistics may decide, because the file is not UTF-8 or UTF-8 is no candidate.
    fn is_sampled(&self) -> bool {
        self.is_faulty() || !self.hints.allows(&UTF_8)
    }

    fn take_text(&mut self, text: &[u8]) {
        // Skip the ASCII before the first sequence, so that the counted bytes do not depend on the chunks.
        let from = match self.counted {
            0 if text.is_ascii() => text.len(),
            0 => text.iter().position(|byte| !byte.is_ascii()).unwrap_or(0),
            _ => 0,
        };
        let room = if self.is_faulty() { u64::MAX } else { COUNTED_BYTES.saturating_sub(self.counted) };
        let counted = &text[from..][..room.min((text.len() - from) as u64) as usize];
        if !counted.is_ascii() {
            self.sequences += count(counted, |byte| byte >= 0xC0);
            self.has_long_sequences = self.has_long_sequences || counted.iter().any(|byte| *byte >= 0xE0);
            self.has_longest_sequences =
                self.has_longest_sequences || counted.iter().any(|byte| *byte >= 0xF0);
        }
        self.counted += counted.len() as u64;
        self.sample.feed(text, self.is_sampled());
    }

    fn feed_legacy(&mut self, bytes: &[u8]) {
        // The result does not depend on the chunks, so the bytes after the limit are left out.
        let len = (COUNTED_BYTES - self.legacy).min(bytes.len() as u64);
        self.sample.feed(&bytes[..len as usize], true);
        self.legacy += len;
    }

    fn look_for_escapes(&mut self, chunk: &[u8]) {
        let from =
            if self.escapes.is_empty() { memchr::memchr(0x1B, chunk).unwrap_or(chunk.len()) } else { 0 };
        let room = HEAD - self.escapes.len();
        self.escapes.extend_from_slice(&chunk[from..][..room.min(chunk.len() - from)]);
    }

    /// Returns the result after the last chunk.
    #[must_use]
    pub fn finish(mut self) -> Detection {
        let found = self.detect();
        let Some(declared) = self.hints.declared else { return found };
        self.compare(found, declared)
    }

    /// Adjusts the certainty of the result by the declared encoding.
    fn compare(&self, found: Detection, declared: &'static Encoding) -> Detection {
        let Some(encoding) = found.encoding else { return found };
        let is_proof = encoding == declared && found.certainty == Certainty::Likely;
        // Many texts that declare ISO-8859-1 are windows-1252, so a related encoding also confirms the declaration.
        let is_confirmed = encoding == declared || encoding.reads(declared) || declared.reads(encoding);
        // If the bytes are defined in the declared encoding, statistics alone do not prove the declaration false.
        let is_possible =
            || CodePage::requested(declared).is_some_and(|page| page.has_all(&self.sample.seen()));
        let certainty = match found.certainty {
            Certainty::Likely if found.needs_declaration => Certainty::Likely,
            Certainty::Likely if is_proof => Certainty::Certain,
            Certainty::Likely if !is_confirmed && is_possible() => Certainty::Guess,
            certainty => certainty,
        };
        let reason = if is_proof || found.certainty == Certainty::Likely && self.hints.declares(encoding) {
            format!("it is declared, and {}", found.reason)
        } else {
            found.reason
        };
        Detection { certainty, reason, ..found }
    }

    /// Returns the result if the first bytes decide it alone.
    fn by_head(&self) -> Option<Detection> {
        if let Some(declared) = self.hints.declared.filter(|declared| self.hints.allows(declared))
            && declared.is_ebcdic()
            && self.head.starts_with(EBCDIC_XML)
        {
            let reason = "an XML declaration in EBCDIC, which names it";
            return Some(Detection::new(declared, Certainty::Certain, reason));
        }
        match sniff_bytes(&self.head, &UTF_8) {
            Sniffed::Looks { like, bom } if self.hints.allows_signed(like, bom) => Some(self.wide(like, bom)),
            Sniffed::Binary { at, why } => {
                let has_format = matches!(why, Binary::Format(_));
                let found = if has_format { None } else { self.wide_without_pattern() };
                Some(found.unwrap_or_else(|| Detection::binary(binary(at, why))))
            }
            _ => None,
        }
    }

    fn detect(&mut self) -> Detection {
        if self.head.is_empty() {
            return Detection::new(&US_ASCII, Certainty::Certain, "it is empty");
        }
        // If `head` is full, `by_head` was called already and its result is `early`.
        let is_short = self.head.len() < HEAD;
        if let Some(found) = if is_short { self.by_head() } else { self.early.take() } {
            return found;
        }
        let is_signed = self.head.starts_with(b"\xEF\xBB\xBF");
        let cut = mem::take(&mut self.cut);
        // The file may be the beginning of a longer file, so an incomplete sequence at the end is no error.
        let is_cut = !cut.is_empty() && if is_cut_pair(&cut) { self.pairs > 0 } else { self.sequences > 0 };
        if !cut.is_empty() {
            let faults = if is_cut_pair(&cut) { cut.len() as u64 } else { 1 };
            self.faults += if is_cut { 0 } else { faults };
            self.sample.feed(&cut, self.is_sampled());
        }
        // The file may be the end of a longer file, so a few continuation bytes at its start are no errors.
        let continuing = self.head.iter().take_while(|byte| is_continuation(**byte)).count() as u64;
        let is_begun =
            (1..4).contains(&continuing) && self.sequences > continuing && self.faults >= continuing;
        if self.is_sampled() {
            self.sample.finish();
        }
        if is_begun {
            self.faults -= continuing;
        }
        let bom = if is_signed { 3 } else { 0 };
        if let Some(found) = self.cesu8() {
            return found.with_bom(bom);
        }
        let (sequences, faults) = (self.sequences, self.faults + SURROGATE_PAIR as u64 * self.pairs);
        let with_faults = |certainty| {
            let reason = format!("{}, and {}", many(sequences, "UTF-8 sequence"), many(faults, "error"));
            Detection::new(&UTF_8, certainty, reason).with_bom(bom)
        };
        match faults {
            0 if sequences == 0 => self.ascii(),
            _ if !self.hints.allows(&UTF_8) => self.legacy(),
            0 if is_signed => {
                let reason = "the BOM EF BB BF, and it is well-formed";
                Detection::new(&UTF_8, Certainty::Certain, reason).with_bom(bom)
            }
            0 => {
                let is_certain = (sequences > 1 || self.has_long_sequences) && !is_begun;
                let certainty = if is_certain { Certainty::Certain } else { Certainty::Likely };
                let end = match (is_begun, is_cut) {
                    (true, true) => ", after a cut one, the last one cut",
                    (true, false) => ", after a cut one",
                    (false, true) => ", the last one cut",
                    (false, false) => "",
                };
                let more = if self.counted >= COUNTED_BYTES { "more than " } else { "" };
                let reason = format!("well-formed, {more}{}{end}", many(sequences, "sequence"));
                Detection::new(&UTF_8, certainty, reason)
            }
            _ if sequences >= SEQUENCES_PER_ERROR * faults => with_faults(Certainty::Likely),
            // The file has no errors except surrogate pairs, but sequences of four bytes rule CESU-8 out.
            _ if self.faults == 0 => with_faults(Certainty::Guess),
            _ if is_signed || sequences >= GUESS_PER_ERROR * faults => with_faults(Certainty::Guess),
            _ => self.legacy(),
        }
    }

    /// Detects CESU-8 by its surrogate pairs, if all other bytes are well-formed CESU-8.
    fn cesu8(&self) -> Option<Detection> {
        let is_possible = self.pairs > 0 && self.faults == 0 && !self.has_longest_sequences;
        if !is_possible || !self.hints.allows(&CESU_8) {
            return None;
        }
        // Sequences that were not counted may have four bytes, which CESU-8 does not have.
        let certainty = if self.is_partly_counted { Certainty::Likely } else { Certainty::Certain };
        let others = match self.sequences {
            0 => String::new(),
            count => format!(", {}", many(count, "other sequence")),
        };
        let pairs = many(self.pairs, "surrogate pair");
        Some(Detection::new(&CESU_8, certainty, format!("well-formed, {pairs}{others}")))
    }

    fn evidence<'a>(&'a self, hints: &'a Hints) -> Evidence<'a> {
        Evidence {
            words: self.sample.words(),
            seen: self.sample.seen(),
            is_ample: self.sample.is_ample(),
            head: &self.head,
            hints,
        }
    }

    /// Whether the text would have another likely encoding if no encoding were declared.
    fn needs_declaration(&self, guessed: &Detection) -> bool {
        let hints = Hints { declared: None, ..self.hints.clone() };
        let without = self.evidence(&hints);
        let is_alone = |encoding| {
            guess(&without)
                .hypotheses
                .first()
                .is_some_and(|best| without.is_without_alternative(best, encoding))
        };
        guessed.encoding.is_some_and(|encoding| self.hints.declares(encoding) && !is_alone(encoding))
    }

    /// Guesses a legacy encoding from statistics. Unusual controls and parts in UTF-8 lower the certainty.
    fn legacy(&self) -> Detection {
        let evidence = self.evidence(&self.hints);
        if may_be_ebcdic(&self.head)
            && let Some(found) = ebcdic(&evidence)
        {
            return found;
        }
        if let Some(found) = self.wide_by_language() {
            return found;
        }
        // A file that is partly UTF-8 is a guess at most, because a conversion of the whole file would garble the
        // UTF-8.
        let has_utf8 = || self.leading_sequences >= SEQUENCES_PER_ERROR || are_partly_utf8(&evidence.words);
        let is_mixed = self.pairs > 0 || self.faults > 0 && has_utf8();
        let repeated = self.by_repeated(&evidence.words);
        let guessed = guess(&evidence);
        if guessed.certainty == Certainty::Unknown
            && let Some(found) = self.wide_as_requested()
        {
            return Detection { certainty: Certainty::Guess, ..found };
        }
        let other = repeated.filter(|(other, words)| {
            let text = |encoding| decoded(encoding, words);
            guessed.encoding.is_some_and(|encoding| encoding != *other && text(encoding) != text(other))
        });
        let is_doubtful = count(&self.head, is_odd) > 0 || other.is_some();
        let certainty =
            if is_doubtful || is_mixed { guessed.certainty.min(Certainty::Guess) } else { guessed.certainty };
        let more = match (is_mixed, other) {
            (true, _) => "; but some of it is UTF-8".to_string(),
            (_, Some((other, _))) => format!("; but what is repeated reads as {}", other.name()),
            _ => String::new(),
        };
        let needs_declaration = certainty == Certainty::Likely && self.needs_declaration(&guessed);
        Detection {
            certainty,
            needs_declaration,
            reason: guessed.reason + &more,
            is_partly_utf8: is_mixed,
            ..guessed
        }
    }

    /// Returns the encoding of the words that occur more than half as often as the most frequent word, and these words.
    /// In the statistics, all words count alike, so without this test one line in another encoding could decide for a
    /// log that repeats a line 1,000 times.
    fn by_repeated(&self, all: &[Word]) -> Option<(&'static Encoding, Vec<u8>)> {
        let most = all.iter().map(|word| word.count).max()?;
        let repeated = all.iter().filter(|word| 2 * word.count > most);
        let words: Vec<Word> = repeated.map(|Word { bytes, count }| Word { bytes, count: *count }).collect();
        if words.len() == all.len() {
            return None;
        }
        let text = words.iter().flat_map(|word| word.bytes).copied().collect::<Vec<u8>>();
        let seen = (0x80..=0xFF).filter(|byte| text.contains(byte)).collect();
        let evidence = Evidence { words, seen, is_ample: false, head: &self.head, hints: &self.hints };
        let found = guess(&evidence);
        Some((found.encoding.filter(|_| found.certainty >= Certainty::Likely)?, text))
    }

    /// Detects the encoding of a file whose bytes are all ASCII.
    fn ascii(&self) -> Detection {
        let from = if self.escapes.is_empty() { &self.head } else { &self.escapes };
        if let Some(other) = seven_bit(from, self.hints.allows_utf7)
            && self.hints.allows_found(&other)
        {
            return other;
        }
        // ESC ( B selects ASCII. `tput sgr0` also writes it, to reset the attributes of a terminal, so logs often
        // contain it.
        let is_shift = |at: usize| match self.escapes[at + 1..] {
            [b'$', ..] => true,
            [b'(', set, ..] => set != b'B',
            _ => false,
        };
        if memchr::memchr_iter(0x1B, &self.escapes).any(is_shift) {
            let reason = "all bytes are ASCII, and some are escapes as of ISO-2022";
            return Detection::new(&US_ASCII, Certainty::Guess, reason);
        }
        match count_bytes(&self.head, is_odd) {
            0 => Detection::new(&US_ASCII, Certainty::Certain, "all bytes are ASCII"),
            odd if are_few(odd, self.head.len()) => {
                Detection::new(&US_ASCII, Certainty::Likely, "all bytes are ASCII, some are controls")
            }
            // All bytes of UTF-16 code units may be ASCII characters and controls.
            _ => self.wide_without_pattern().unwrap_or_else(|| {
                Detection::new(&US_ASCII, Certainty::Guess, "all bytes are ASCII, many are controls")
            }),
        }
    }

    /// Detects UTF-16 and UTF-32 in files without the NULs that prove them.
    fn wide_without_pattern(&self) -> Option<Detection> {
        self.wide_by_language().or_else(|| self.wide_as_requested())
    }

    /// Detects UTF-16 and UTF-32 if they are candidates and the first bytes are text in them.
    fn wide_as_requested(&self) -> Option<Detection> {
        if self.hints.candidates.is_empty() {
            return None;
        }
        let is_possible =
            |like: &&&'static Encoding| self.hints.allows_scheme(like) && is_text(&self.head, like);
        let all: [&'static Encoding; 4] = [&UTF_16LE, &UTF_16BE, &UTF_32LE, &UTF_32BE];
        let possible: Vec<_> = all.iter().filter(is_possible).copied().collect();
        let (first, others) = possible.split_first()?;
        let certainty = if others.is_empty() { Certainty::Likely } else { Certainty::Guess };
        let found = Detection::new(
            first,
            certainty,
            format!("no BOM, but it is text in {}, a candidate", first.name()),
        );
        Some(Detection { alternatives: others.iter().map(|other| other.name()).collect(), ..found })
    }

    /// Detects UTF-16 by the language of its text, if UTF-16 may be found.
    fn wide_by_language(&self) -> Option<Detection> {
        wide(&self.head, &self.hints).filter(|found| self.hints.allows_found(found))
    }

    /// Returns the result for text in UTF-16 or UTF-32. ASCII among the code units makes it a guess.
    fn wide(&self, like: &'static Encoding, bom: usize) -> Detection {
        let found = self.wholly_wide(like, bom);
        let Some(part) = partly_ascii(&self.head, 0, like) else { return found };
        let reason = format!("{}; but {part}", found.reason);
        Detection { certainty: Certainty::Guess, reason, ..found }
    }

    fn wholly_wide(&self, like: &'static Encoding, bom: usize) -> Detection {
        if bom > 0 {
            let mark: Vec<_> = self.head[..bom].iter().map(|byte| format!("{byte:02X}")).collect();
            let reason = format!("the BOM {} of {}, followed by text", mark.join(" "), like.name());
            return Detection::new(scheme(like, bom), Certainty::Certain, reason).with_bom(bom);
        }
        let is_long = self.head.len() >= FEW * like.code_unit_len();
        let certainty = if is_long { Certainty::Certain } else { Certainty::Likely };
        Detection::new(like, certainty, "NULs where it has them, and no BOM")
    }
}

/// Returns the length in bytes of the ill-formed sequence, or the surrogate pair of CESU-8, at the start of `rest`.
/// Returns `None` if `rest` begins with neither, or ends within one of the two.
fn first_fault(rest: &[u8]) -> Option<usize> {
    if rest.get(..SURROGATE_PAIR).is_some_and(is_surrogate_pair) {
        return Some(SURROGATE_PAIR);
    }
    if is_cut_pair(rest) {
        return None;
    }
    let error = str::from_utf8(&rest[..rest.len().min(4)]).err()?;
    debug_assert_eq!(error.valid_up_to(), 0);
    error.error_len()
}

/// Returns a phrase that says why a file is binary.
fn binary(at: usize, why: Binary) -> String {
    match why {
        Binary::Nul => format!("it is binary: byte {at} is NUL, and it is not UTF-16 or UTF-32"),
        Binary::Controls(odd) => format!("it is binary: it has {}", many(odd as u64, "control character")),
        Binary::Format(format) => format!("it is binary: {format}"),
    }
}

fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> u64 {
    count_bytes(bytes, is) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use Certainty::{Certain, Guess, Likely};

    fn detect(bytes: &[u8], chunk: usize) -> Detection {
        let mut detector = Detector::new(Hints::default());
        bytes.chunks(chunk).for_each(|chunk| detector.feed(chunk));
        detector.finish()
    }

    /// The sample begins at the first error, so it does not show that the text before is UTF-8.
    #[test]
    fn text_that_begins_in_utf8_is_mixed() {
        let text =
            ["Größe und Höhe\n".repeat(50).into_bytes(), b"Gr\xF6\xDFe und H\xF6he\n".repeat(200)].concat();
        for chunk in [1, 100, text.len()] {
            let found = detect(&text, chunk);
            assert_eq!((found.certainty, found.is_partly_utf8), (Guess, true), "{found:?}");
        }
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
            (&"日本語 né".as_bytes()[1..], Some("UTF-8"), Likely, 0),
            (&"é né né né".as_bytes()[1..13], Some("UTF-8"), Likely, 0),
            (&one_bad, Some("UTF-8"), Likely, 0),
            (&rather, Some("UTF-8"), Guess, 0),
            (utf16, Some("UTF-16"), Certain, 2),
            (&utf16[2..], Some("UTF-16LE"), Likely, 0),
            (b"\xFF\xFE\0\0", Some("UTF-32"), Certain, 4),
            (b"\x7FELF\x02\x01\x01\0\0\0", None, Certain, 0),
            (&late_nul, Some("UTF-8"), Certain, 0),
            (b"\xED\xA0\xBD\xED\xB8\x80", Some("CESU-8"), Certain, 0),
            (b"\xEF\xBB\xBFn\xC3\xA9 \xED\xA0\xBD\xED\xB8\x80 \xED\xA0", Some("CESU-8"), Certain, 3),
            // These bytes are not CESU-8: a low surrogate before a high surrogate, a lone high surrogate, and a pair
            // before a sequence of four bytes.
            (b"\xED\xB8\x80\xED\xA0\xBD", Some("windows-1252"), Guess, 0),
            (&[&one_bad[..27], b"\xED\xA0\xBD"].concat(), Some("UTF-8"), Guess, 0),
            (b"\xED\xA0\xBD\xED\xB8\x80\xF0\x9F\x98\x80", Some("UTF-8"), Guess, 0),
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
        let long = utf8.repeat(900);
        assert!(detect(&long, usize::MAX).reason.contains("more than"));
        assert_eq!(detect(&long, 777), detect(&long, usize::MAX));
        let mixed = [&utf8[..], &b"\xC3\xA9".repeat(90), &latin1, &long_word].concat();
        let pair = b"\xED\xA0\xBD\xED\xB8\x80";
        let cesu = [&"d\u{e9}j\u{e0} ".repeat(40).into_bytes()[..], &pair.repeat(300), &pair[..4]].concat();
        assert_eq!(detect(&cesu, 777).name, Some("CESU-8"));
        let partly = [&cesu[..], b"\xED\xA0\xBD", &latin1].concat();
        for text in [&utf8, &faulty, &latin1, &long_word, &mixed, &cesu, &partly] {
            let whole = detect(text, usize::MAX);
            for chunk in [1, 2, 3, 7, 64, 1000, 8191] {
                assert_eq!(detect(text, chunk), whole, "chunks of {chunk}");
            }
        }
    }

    #[test]
    fn declarations_are_evidence() {
        let german: Vec<u8> =
            "Schöne Grüße aus München, wo wir über Ostern wären.\n".chars().map(|char| char as u8).collect();
        let quoted = [&german[..], b"Sie sagte: \x93Sch\xF6ne Gr\xFC\xDFe!\x94\n"].concat();
        for (text, declared, name, certainty) in [
            (&german, "ISO-8859-1", "ISO-8859-1", Certain),
            (&german, "windows-1252", "windows-1252", Certain),
            // windows-1252 is a superset of the declared encoding.
            (&quoted, "ISO-8859-1", "windows-1252", Likely),
            (&quoted, "windows-1252", "windows-1252", Certain),
            // The bytes are defined in KOI8-R, so statistics do not prove its declaration false. They are ill-formed in
            // UTF-8, so its declaration is false.
            (&german, "KOI8-R", "windows-1252", Guess),
            (&german, "UTF-8", "windows-1252", Likely),
        ] {
            let mut detector = Detector::new(Hints::default().declared(Encoding::for_name(declared)));
            detector.feed(text);
            let found = detector.finish();
            assert_eq!((found.name, found.certainty), (Some(name), certainty), "{declared}");
        }
    }

    fn detect_among(candidates: &[&str], bytes: &[u8], chunk: usize) -> Detection {
        let candidates = candidates.iter().filter_map(|name| Encoding::for_name(name)).collect();
        let mut detector = Detector::new(Hints::default().candidates(candidates));
        bytes.chunks(chunk).for_each(|chunk| detector.feed(chunk));
        detector.finish()
    }

    #[test]
    fn text_with_nuls_is_not_detected_as_what_is_no_candidate() {
        // The only NULs are those of U+4E00, which are not enough to prove UTF-16.
        let text = "我们一起去看一个朋友，他是一位老师。他说今天的天气很好，大家都很高兴。".repeat(3);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(detect(&utf16, 99).name, Some("UTF-16LE"));
        let found = detect_among(&["GBK"], &utf16, 99);
        assert!(found.is_binary(), "{found:?}");
    }

    #[test]
    fn utf8_that_is_no_candidate_is_compared_as_a_whole() {
        // The last word, far from the start, has byte 81, which windows-1252 does not define.
        let defined = "Grüße aus Köln ".repeat(1000);
        let undefined = defined.clone() + "Ё";
        for chunk in [1, 7, 8192, usize::MAX] {
            let found = detect_among(&["windows-1252"], defined.as_bytes(), chunk);
            assert_eq!(found.name, Some("windows-1252"), "{chunk}");
            let found = detect_among(&["windows-1252"], undefined.as_bytes(), chunk);
            assert_eq!(found.name, None, "{chunk}");
        }
        // The reason counts the non-ASCII bytes that occur.
        let reason = detect_among(&["windows-1252"], "müde".as_bytes(), 99).reason;
        assert!(reason.contains("with 2 non-ASCII characters"), "{reason}");
    }
}
