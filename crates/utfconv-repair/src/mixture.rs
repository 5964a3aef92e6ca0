//! Decodes files that mix encodings. Lines, fields or runs of bytes that are not UTF-8 are decoded as the candidate
//! that gives the most plausible text.

mod reading;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::Range;

use super::changes::{Change, NearUtf8};
use super::near_utf8::Window;
use reading::{Reading, best, read, telling};
use utfconv_core::decode;
use utfconv_core::encodings::WINDOWS_1252;
use utfconv_core::utf8::{SURROGATE_PAIR, is_surrogate_pair};
use utfconv_core::{Encoding, UTF_8, encodings::CESU_8};
use utfconv_detect::plausibility::{Cost, NATS, Plausibility, Signs};
use utfconv_detect::{Certainty, Detector, Hints};

/// The part of a document that is in a single encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A line.
    #[default]
    Line,
    /// A field of a line; fields are separated by this ASCII character.
    Field(u8),
    /// A run of adjacent bytes that are not UTF-8.
    Run,
}

/// Minimum margin of the best reading of a unit: 1 nat, odds of 3 to 1; with a smaller margin, the unit is not decoded.
const MARGIN: Cost = NATS;

/// Minimum margin of a reading that shows which encodings the document has: 5 nats, odds of 150 to 1. Also the minimum
/// gain in plausibility, summed over the words decoded as UTF-8, for a document to count as partly UTF-8.
const CLEAR: Cost = 5 * NATS;

/// Maximum mean cost per character of text with ideographs: 8 nats, one character in 3,000. Binary data costs more.
const MOST_OF_IDEOGRAPHS: Cost = 8 * NATS;

/// Maximum mean cost per character of text without ideographs: 5 nats, one character in 150. Binary data costs more.
const MOST_OF_TEXT: Cost = 5 * NATS;

/// Minimum number of characters of a unit that can be recognized as binary data.
const LONG_UNIT: usize = 12;

/// The prefix of binary strings in MySQL dumps.
const BINARY_STRING: &[u8] = b"_binary '";
/// Maximum number of units, and of distinct words, that are examined.
const EXAMINED: usize = 256;
/// Maximum number of candidates that are found.
const CANDIDATES: usize = 6;

/// Maximum length of a word that is examined, in bytes.
const LONGEST_WORD: usize = 64;

/// Decides about the units of a document.
#[derive(Debug, Default)]
pub(super) struct Mixture {
    unit: Unit,
    /// Whether the user named the candidates.
    is_named: bool,
    /// The candidates, or `None` before they are known.
    candidates: Option<Vec<&'static Encoding>>,
    /// For each candidate, the number of units that were clearly in it.
    won: Vec<u32>,
    plausibility: Option<Plausibility>,
    /// The distinct well-formed words with non-ASCII characters.
    well: BTreeSet<Vec<u8>>,
    is_mixed: bool,
    /// Whether a window was read.
    is_begun: bool,
    /// Whether the document has well-formed non-ASCII sequences of UTF-8.
    has_sequences: bool,
    /// Whether the document is UTF-8 in part even without plausible words: text that is UTF-8 was changed, or a window
    /// begins with the BOM of UTF-8.
    shows_utf8: bool,
    /// The encoding of the whole document. The result for the first window with ill-formed bytes applies to the rest,
    /// so that no document is half converted.
    pub(super) whole: Option<Whole>,
    /// Whether [`Mixture::take_whole`] returned `whole`.
    is_taken: bool,
    /// Whether the last window ended within a line that is longer than a window.
    is_in_line: bool,
}

/// The single encoding of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Whole {
    /// The encoding; `None` if it is unknown.
    pub encoding: Option<&'static Encoding>,
    /// How certain the encoding is.
    pub certainty: Certainty,
}

/// A range of ill-formed bytes that are not decoded, and how they differ from UTF-8 if they are nearly UTF-8.
pub(super) type Unread = (Range<usize>, Option<NearUtf8>);

impl Mixture {
    pub(super) fn new(unit: Unit, candidates: &[&'static Encoding]) -> Mixture {
        let legacy: Vec<_> = candidates.iter().copied().filter(|encoding| *encoding != &UTF_8).collect();
        Mixture {
            unit,
            won: vec![0; legacy.len()],
            is_named: !candidates.is_empty(),
            is_mixed: !legacy.is_empty(),
            candidates: (!candidates.is_empty()).then_some(legacy),
            ..Mixture::default()
        }
    }

    pub(super) fn take_whole(&mut self) -> Option<Whole> {
        let is_new = !std::mem::replace(&mut self.is_taken, self.whole.is_some());
        self.whole.filter(|_| is_new)
    }

    /// Records a well-formed window, and the changes in it.
    pub(super) fn pass(&mut self, text: &[u8], is_cut: bool, changed: &[Change]) {
        self.take_words(text);
        self.is_in_line = is_cut;
        self.is_begun = true;
        self.has_sequences = self.has_sequences || !text.is_ascii();
        self.shows_utf8 |= !changed.is_empty() || text.starts_with("\u{FEFF}".as_bytes());
    }

    /// Records the well-formed non-ASCII words of a text, until the candidates are known.
    fn take_words(&mut self, text: &[u8]) {
        if self.candidates.is_some() || self.well.len() >= EXAMINED || text.is_ascii() {
            return;
        }
        for word in well_formed_words(text) {
            if self.well.len() < EXAMINED && !self.well.contains(word) {
                self.well.insert(word.to_vec());
            }
        }
    }

    /// Returns changes for the units of a window that are decoded, and the ranges of bytes that are not.
    pub(super) fn next(&mut self, window: &[u8], is_cut: bool) -> (Vec<Change>, Vec<Unread>) {
        self.look_for_cesu8(window);
        if self.whole.is_some_and(|whole| whole.encoding == Some(&CESU_8)) {
            return (Vec::new(), Vec::new());
        }
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        self.shows_utf8 |= window.starts_with("\u{FEFF}".as_bytes());
        let (mut units, mut long) = (Vec::new(), Vec::new());
        let was_in_line = std::mem::replace(&mut self.is_in_line, is_cut);
        let mut start = 0;
        for line in window.split_inclusive(|byte| *byte == b'\n') {
            let range = start..start + line.len();
            start = range.end;
            let is_long = was_in_line && range.start == 0 || is_cut && range.end == window.len();
            self.take_words(line);
            let mut chunks = line.utf8_chunks();
            self.has_sequences = self.has_sequences || chunks.any(|chunk| !chunk.valid().is_ascii());
            match str::from_utf8(line) {
                Ok(_) => {}
                Err(_) if is_long => long.extend(unread(ill_formed(window, range))),
                Err(_) => units.extend(self.units(window, range)),
            }
        }
        let is_last = !is_cut && !window.ends_with(b"\n");
        let decodes_pairs = self.candidates.as_ref().is_some_and(|candidates| candidates.contains(&&CESU_8));
        let around = Window { bytes: window, is_first, is_last, has_utf8: self.has_sequences, decodes_pairs };
        let (kept, units) = separated(&around, units);
        let candidates = match &self.candidates {
            Some(candidates) => candidates.clone(),
            None if self.whole.is_some() || units.is_empty() => Vec::new(),
            None => self.find_candidates(window, &units),
        };
        long.extend(if self.whole.is_none() { kept } else { Vec::new() });
        if !self.is_mixed {
            return (Vec::new(), long);
        }
        let (changes, left) = self.decide(window, units, &candidates);
        long.extend(left.into_iter().flat_map(|range| unread(ill_formed(window, range))));
        (changes, long)
    }

    /// Decides that the whole document is CESU-8, if the first window with non-ASCII bytes is detected as CESU-8.
    fn look_for_cesu8(&mut self, window: &[u8]) {
        let is_open = self.whole.is_none() && self.candidates.is_none() && !self.has_sequences;
        if is_open && window.windows(SURROGATE_PAIR).any(is_surrogate_pair) {
            let (encoding, certainty) = detected(window);
            self.whole = encoding.filter(|found| *found == &CESU_8).map(|_| Whole { encoding, certainty });
        }
    }

    /// Returns the units of a line that are not UTF-8. The newline is not part of a unit.
    fn units(&mut self, window: &[u8], line: Range<usize>) -> Vec<Range<usize>> {
        let text = window[line.clone()].trim_ascii_end().len();
        let line = line.start..line.start + text;
        let fields = |separator: u8| {
            let mut start = line.start;
            let range = move |field: &[u8]| {
                let range = start..start + field.len();
                start = range.end + 1;
                range
            };
            window[line.clone()].split(move |byte| *byte == separator).map(range)
        };
        match self.unit {
            Unit::Line => vec![line],
            Unit::Field(separator) => {
                let is_ascii = |range: &Range<usize>| window[range.clone()].is_ascii();
                let is_text = |range: &Range<usize>| str::from_utf8(&window[range.clone()]).is_ok();
                let others = fields(separator).filter(|range| !is_ascii(range));
                let (well, units): (Vec<_>, Vec<_>) = others.partition(is_text);
                well.into_iter().for_each(|field| self.take_words(&window[field]));
                units
            }
            Unit::Run => ill_formed(window, line),
        }
    }

    /// Finds the encodings that the document mixes, or the single encoding of the whole document.
    fn find_candidates(&mut self, window: &[u8], units: &[Range<usize>]) -> Vec<&'static Encoding> {
        let mut all = Detector::new(Hints::default());
        let mut tally: Vec<(&'static Encoding, usize)> = Vec::new();
        for unit in units.iter().take(EXAMINED) {
            let bytes = &window[unit.clone()];
            let mut one = Detector::new(Hints::default());
            for part in [bytes, b"\n"] {
                all.feed(part);
                one.feed(part);
            }
            if let Some(encoding) = one.finish().encoding {
                match tally.iter_mut().find(|(known, _)| *known == encoding) {
                    Some((_, times)) => *times += 1,
                    None => tally.push((encoding, 1)),
                }
            }
        }
        tally.sort_by_key(|(_, times)| Reverse(*times));
        let whole = all.finish();
        let (legacy, certainty) = match detected(window) {
            (None, _) => (whole.encoding.filter(is_legacy), whole.certainty),
            found => found,
        };
        self.is_mixed = self.shows_utf8 || self.has_utf8(window, units, legacy);
        if !self.is_mixed {
            self.whole = Some(Whole { encoding: legacy, certainty });
            return Vec::new();
        }
        // The likeliest encodings of all units together come first.
        let alternatives = whole.alternatives.iter().take(2).filter_map(|name| Encoding::for_name(name));
        let likeliest = whole.encoding.into_iter().chain(alternatives);
        let mut candidates: Vec<&'static Encoding> = Vec::new();
        for encoding in likeliest.chain(tally.into_iter().map(|(encoding, _)| encoding)) {
            if is_legacy(&encoding) && !encoding.is_ebcdic() && !candidates.contains(&encoding) {
                candidates.push(encoding);
            }
        }
        candidates.truncate(CANDIDATES);
        // Text in any language may have a few symbols in windows-1252.
        if !candidates.contains(&&WINDOWS_1252) {
            candidates.push(&WINDOWS_1252);
        }
        self.won = vec![0; candidates.len()];
        self.candidates = Some(candidates.clone());
        candidates
    }

    /// Whether the well-formed words of a document are UTF-8, because they are much more plausible than in `legacy`,
    /// the encoding of the other lines. Pairs of bytes in a legacy encoding can be well-formed too.
    fn has_utf8(&self, window: &[u8], units: &[Range<usize>], legacy: Option<&'static Encoding>) -> bool {
        let mut words = self.well.clone();
        for unit in units.iter().take(EXAMINED) {
            words.extend(well_formed_words(&window[unit.clone()]).map(<[u8]>::to_vec));
        }
        let plausibility = Plausibility::new(window);
        let encoding = legacy.unwrap_or(&WINDOWS_1252);
        let cost = |text: &str| plausibility.cost_in_document(&Signs::of(text.chars()));
        let decoded = |word: &[u8]| {
            let decoded = decode(word, encoding).map(Cow::into_owned);
            decoded.unwrap_or_else(|_| word.iter().copied().map(char::from).collect())
        };
        let gain = |word: &Vec<u8>| Some(cost(&decoded(word)) - cost(str::from_utf8(word).ok()?));
        let is_proof = |word: &&Vec<u8>| !is_pair_by_chance(word) && !is_ideograph_by_chance(word);
        // Among many units, a word is well-formed by chance more often.
        let chance = (units.len() as f64).ln() * f64::from(NATS);
        let gained: Cost = words.iter().filter(is_proof).take(EXAMINED).filter_map(gain).sum();
        gained >= CLEAR + chance as Cost
    }

    /// Decodes units, if a reading is good enough.
    fn decide(
        &mut self,
        window: &[u8],
        units: Vec<Range<usize>>,
        candidates: &[&'static Encoding],
    ) -> (Vec<Change>, Vec<Range<usize>>) {
        let western = candidates.iter().position(|encoding| *encoding == &WINDOWS_1252);
        let binary: Vec<bool> = units.iter().map(|unit| is_binary(&window[unit.clone()])).collect();
        // If most units are binary data, the others may be binary data without controls.
        let is_mostly_binary = 2 * binary.iter().filter(|is_binary| **is_binary).count() > units.len();
        let readings = self.read_units(window, &units, &binary, candidates, western);
        let (plausibility, won) =
            (self.plausibility.get_or_insert_with(|| Plausibility::new(window)), &self.won);
        let total: u32 = won.iter().sum();
        // An encoding that the document has shown more often than windows-1252 is common in it.
        let is_common =
            |reading: &Reading| western.is_none_or(|western| won[reading.candidate] > won[western]);
        let rarity = |reading: &Reading| {
            let times = won[reading.candidate];
            let share = (f64::from(times) + 0.5) / (f64::from(total) + 0.5 * won.len() as f64);
            (-share.ln() * f64::from(NATS)) as Cost + if is_common(reading) { 0 } else { reading.uncommon }
        };
        // Sum of the costs of the decoded units, minus the most that text of their lengths may cost.
        let mut excess = 0;
        let (mut changes, mut left) = (Vec::new(), Vec::new());
        for (unit, mut all) in units.into_iter().zip(readings) {
            all.retain(|reading| !reading.is_wordless || won[reading.candidate] > 0);
            for reading in &mut all {
                reading.cost = plausibility.cost_in_document(&telling(window, &unit, &reading.text));
            }
            // A weak reading is rejected if no other unit has shown its encoding.
            let is_shown = |best: &Reading| {
                let mut same = all.iter().filter(|reading| reading.text == best.text);
                same.any(|reading| won[reading.candidate] > 0) && (!best.is_wordless || is_common(best))
            };
            let shown = best(&all, rarity).filter(|(best, margin)| *margin >= MARGIN && is_shown(best));
            let Some((best, _)) = shown else {
                left.push(unit);
                continue;
            };
            let signs = telling(window, &unit, &best.text);
            let has_ideographs = signs.has_ideographs();
            let most = if has_ideographs { MOST_OF_IDEOGRAPHS } else { MOST_OF_TEXT };
            let above = best.cost - most * signs.len() as Cost;
            let is_text = !is_mostly_binary && (signs.len() < LONG_UNIT || above <= 0);
            if !self.is_named && !is_text {
                left.push(unit);
                continue;
            }
            // Short names in ideographs are rare text, too.
            excess += if has_ideographs { 0 } else { above };
            let (text, encoding) = (best.text.clone(), Some(candidates[best.candidate]));
            changes.push(Change { range: unit, text, encoding, mistakes: Vec::new() });
        }
        // Short units may be binary data too, and all of them together show it.
        if excess > 0 && !self.is_named {
            left.extend(changes.drain(..).map(|change| change.range));
        }
        (changes, left)
    }

    /// Decodes units by each candidate, and learns the encodings of the document from the units with a clear reading.
    fn read_units(
        &mut self,
        window: &[u8],
        units: &[Range<usize>],
        binary: &[bool],
        candidates: &[&'static Encoding],
        western: Option<usize>,
    ) -> Vec<Vec<Reading>> {
        let plausibility = self.plausibility.get_or_insert_with(|| Plausibility::new(window));
        let mut readings = Vec::with_capacity(units.len());
        for (unit, is_binary) in units.iter().zip(binary) {
            let candidates = if self.is_named || !is_binary { candidates } else { &[] };
            let mut all = read(&window[unit.clone()], candidates, western);
            for reading in &mut all {
                reading.cost = plausibility.cost_in_document(&telling(window, unit, &reading.text));
            }
            let is_clear = |cost: fn(&Reading) -> Cost| {
                best(&all, cost).filter(|(best, margin)| *margin > CLEAR && !best.is_wordless)
            };
            if let Some((best, _)) = is_clear(|_| 0)
                && is_clear(|reading| reading.uncommon).is_some_and(|(other, _)| other.text == best.text)
            {
                let text = telling(window, unit, &best.text);
                self.won[best.candidate] += 1;
                plausibility.learn_text(&text);
            }
            readings.push(all);
        }
        readings
    }
}

/// Whether a unit has controls that text does not have, or is marked as binary in a dump.
fn is_binary(unit: &[u8]) -> bool {
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    unit.iter().any(is_odd) || memchr::memmem::find(unit, BINARY_STRING).is_some()
}

/// Separates units that are nearly UTF-8 from all other units. Returns the ill-formed bytes of the units that are
/// nearly UTF-8, and the other units.
fn separated(window: &Window, units: Vec<Range<usize>>) -> (Vec<Unread>, Vec<Range<usize>>) {
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for unit in units {
        let runs = ill_formed(window.bytes, unit.clone());
        match window.kept(&unit, runs) {
            Some(runs) => kept.extend(runs),
            None => others.push(unit),
        }
    }
    (kept, others)
}

/// Marks runs of bytes as being in no known encoding.
fn unread(runs: Vec<Range<usize>>) -> impl Iterator<Item = Unread> {
    runs.into_iter().map(|run| (run, None))
}

/// Returns the runs of bytes in a range that are not UTF-8.
fn ill_formed(window: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut end = range.start;
    for chunk in window[range].utf8_chunks() {
        let start = end + chunk.valid().len();
        end = start + chunk.invalid().len();
        match runs.last_mut().filter(|run| run.end == start) {
            Some(run) => run.end = end,
            None => runs.extend((start < end).then_some(start..end)),
        }
    }
    runs
}

/// Returns the encoding of a window as a whole, if it is a single-byte or multi-byte encoding other than UTF-8, and its
/// certainty.
fn detected(window: &[u8]) -> (Option<&'static Encoding>, Certainty) {
    let mut detector = Detector::new(Hints::default());
    detector.feed(window);
    let found = detector.finish();
    (found.encoding.filter(is_legacy), found.certainty)
}

/// Whether an encoding is a single-byte or multi-byte encoding other than UTF-8.
fn is_legacy(encoding: &&'static Encoding) -> bool {
    *encoding != &UTF_8 && encoding.is_of_bytes()
}

/// Returns the words of a text that are well-formed and not ASCII.
fn well_formed_words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let words = text.split(u8::is_ascii_whitespace).filter(|word| word.len() <= LONGEST_WORD);
    words.filter(|word| !word.is_ascii() && str::from_utf8(word).is_ok())
}

/// Whether a well-formed word may be one or two characters in another encoding by chance: its non-ASCII text is a
/// character of two bytes, perhaps repeated, and not next to ASCII letters.
fn is_pair_by_chance(word: &[u8]) -> bool {
    let pairs = word.split(u8::is_ascii).filter(|pair| !pair.is_empty());
    let mut of_two = pairs.flat_map(|pair| pair.chunks(2));
    let first = of_two.next();
    let is_joined = |two: &[u8]| two[0].is_ascii_alphabetic() != two[1].is_ascii_alphabetic();
    let is_in_word = word.windows(2).any(|two| two.iter().any(|byte| !byte.is_ascii()) && is_joined(two));
    !is_in_word && first.is_some_and(|pair| pair[0] < 0xE0) && of_two.all(|pair| Some(pair) == first)
}

/// Whether a well-formed word has an East Asian character next to an ASCII letter, which is three letters within a word
/// in a code page.
fn is_ideograph_by_chance(word: &[u8]) -> bool {
    let chars: Vec<char> = str::from_utf8(word).unwrap_or_default().chars().collect();
    let is_joined = |two: &[char]| two[0].is_ascii_alphabetic() && two[1] >= '\u{2E80}';
    chars.windows(2).any(|two| is_joined(two) || is_joined(&[two[1], two[0]]))
}
