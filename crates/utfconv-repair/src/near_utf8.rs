//! Recognizes ill-formed bytes that are nearly UTF-8: sequences that lost bytes, sequences of RFC 2279 above U+10FFFF,
//! which Emacs writes, and the surrogate pairs of CESU-8. A unit is kept, and not decoded as another encoding, if such
//! sequences explain all ill-formed bytes of the unit. A unit with a surrogate pair is also kept unless CESU-8 is a
//! candidate.

use std::ops::Range;

use super::changes::NearUtf8;
use super::groups::script;
use super::mixture::Unread;
use utfconv_core::encodings::UTF_8_2279;
use utfconv_core::faults;
use utfconv_core::utf8::{SURROGATE_PAIR, is_continuation, is_cut_sequence, is_surrogate_pair};

/// Maximum length in bytes of the rest of a sequence that lost bytes.
const PART: usize = 3;

/// A window of a document, and whether it is the first or the last window.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) is_first: bool,
    pub(super) is_last: bool,
    /// Whether the document has well-formed sequences. Otherwise, ill-formed bytes at its start or end are not taken
    /// for truncated sequences.
    pub(super) has_utf8: bool,
    /// Whether CESU-8 is a candidate, so that its surrogate pairs are decoded.
    pub(super) decodes_pairs: bool,
}

impl Window<'_> {
    /// Explains the runs of ill-formed bytes in a unit; a run that is not nearly UTF-8 has no explanation. Returns
    /// `None` if the unit may be decoded as another encoding. One surrogate pair is enough to keep the unit; other
    /// sequences have to explain all runs in the unit.
    pub(super) fn kept(&self, unit: &Range<usize>, runs: Vec<Range<usize>>) -> Option<Vec<Unread>> {
        let has_pair =
            |run: &Range<usize>| self.bytes[run.clone()].windows(SURROGATE_PAIR).any(is_surrogate_pair);
        let is_truncated = |run: &Range<usize>| self.is_at_border(run) || self.lacks_last_byte(run, unit);
        let is_rfc_2279 = |run: &Range<usize>| faults(&self.bytes[run.clone()], &UTF_8_2279).next().is_none();
        let is_kept = !self.decodes_pairs && runs.iter().any(has_pair)
            || runs.iter().all(|run| is_truncated(run) || is_rfc_2279(run));
        let explained = |run: Range<usize>| {
            let is_cesu8 = self.bytes[run.clone()].chunks(SURROGATE_PAIR).all(is_surrogate_pair);
            let truncated = is_truncated(&run).then_some(NearUtf8::Truncated);
            (run, if is_cesu8 { Some(NearUtf8::Cesu8) } else { truncated })
        };
        is_kept.then(|| runs.into_iter().map(explained).collect())
    }

    /// Whether a run is the rest of a sequence at the start or the end of the document.
    fn is_at_border(&self, run: &Range<usize>) -> bool {
        let bytes = &self.bytes[run.clone()];
        let is_start = || {
            self.is_first
                && run.start == 0
                && run.len() <= PART
                && bytes.iter().all(|byte| is_continuation(*byte))
        };
        let is_end = || self.is_last && run.end == self.bytes.len() && is_cut_sequence(bytes);
        self.has_utf8 && (is_start() || is_end())
    }

    /// Whether a run is a letter without its last byte, and the unit has well-formed letters of the same script. Latin
    /// letters are no evidence, because most code pages have them.
    fn lacks_last_byte(&self, run: &Range<usize>, unit: &Range<usize>) -> bool {
        let bytes = &self.bytes[run.clone()];
        let whole = |last: u8| {
            let whole = [bytes, &[last]].concat();
            str::from_utf8(&whole).ok().and_then(|text| text.chars().next())
        };
        if !is_cut_sequence(bytes) {
            return false;
        }
        let [Some(first), Some(last)] = [whole(0x80), whole(0xBF)] else { return false };
        let letters = self.bytes[unit.clone()].utf8_chunks().flat_map(|chunk| chunk.valid().chars());
        let mut scripts = letters.filter(|char| char.is_alphabetic()).map(script);
        script(first) != script('a')
            && script(first) == script(last)
            && scripts.any(|one| one == script(first))
    }
}
