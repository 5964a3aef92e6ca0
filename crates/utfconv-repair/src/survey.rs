//! Samples a text to find the mistakes that it may have, so that no other mistakes are searched for.

use super::mistakes::{LEADS_OF_IDEOGRAPHS, MISTAKES, Mistake, Set};
use super::runs;
use utfconv_core::utf8::{count_chars, is_continuation};

/// Maximum number of pieces of a sample.
const PIECES: usize = 32;
/// Length of a piece of a sample, in bytes.
const PIECE: usize = 512;

/// A sample with fewer non-ASCII characters is not conclusive.
const FEWEST: usize = 24;

/// A text with fewer bytes is not sampled.
const LEAST: usize = 2 << 10;

/// Returns the mistakes that a text may have. A mistake of whole texts has to explain at least half of the non-ASCII
/// characters, so it is skipped if it explains few of a sample, unless earlier text has `proven` it.
pub(super) fn possible(bytes: &[u8], proven: Set) -> Set {
    let may_be_ideograph = |byte: &u8| LEADS_OF_IDEOGRAPHS.contains(byte);
    let mut possible = Set::ALL;
    if !bytes.chunks(256).any(|part| part.iter().fold(false, |any, byte| any | may_be_ideograph(byte))) {
        possible = possible.iter().filter(|mistake| !mistake.has_pairs()).collect();
    }
    let sampled = possible.of_whole_texts().without(proven);
    if bytes.len() < LEAST {
        return possible;
    }
    let (mut explained, mut others) = ([0; MISTAKES], 0);
    // A text shorter than all pieces together is sampled as a whole.
    let step = PIECE.max(bytes.len() / PIECES);
    for start in (0..bytes.len()).step_by(step) {
        let piece = piece(bytes, start);
        others += piece.iter().filter(|byte| **byte >= 0xC0).count();
        runs::find(piece, sampled, |mistake, run| {
            explained[mistake.number()] += count_chars(&piece[run.start..run.end]);
        });
    }
    if others < FEWEST {
        return possible;
    }
    let is_rare = |mistake: &Mistake| 4 * explained[mistake.number()] < others;
    possible.without(sampled.iter().filter(is_rare).collect())
}

/// Returns the characters that begin in the [`PIECE`] bytes from `start` on.
fn piece(bytes: &[u8], start: usize) -> &[u8] {
    let is_start = |at: &usize| bytes.get(*at).is_none_or(|byte| !is_continuation(*byte));
    let boundary = |at: usize| (at.min(bytes.len())..).find(is_start).unwrap_or(bytes.len());
    &bytes[boundary(start)..boundary(start + PIECE)]
}

#[cfg(test)]
mod tests {
    use super::super::starts::Starts;
    use super::*;

    #[test]
    fn clean_text_has_no_starts() {
        for text in ["MARQUÉ, déjà vu: « été »", "Зависимости не удовлетворены.", "无法打开文件"]
        {
            let text = text.repeat(1000);
            let mistakes = possible(text.as_bytes(), Set::default());
            assert_eq!(mistakes.of_whole_texts(), Set::default(), "{text:.20}");
            assert_eq!(Starts::new(text.as_bytes(), mistakes).next(), None, "{text:.20}");
        }
    }
}
