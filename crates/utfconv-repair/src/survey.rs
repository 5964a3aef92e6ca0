//! Samples a text: the pieces that are examined, and the mistakes that are likely in the text. Words after the first
//! few hundred are searched for these mistakes only.

use super::evidence::others;
use super::mistakes::{LEADS_OF_IDEOGRAPHS, MISTAKES, Set};
use super::runs;
use super::starts::next_non_ascii;
use utfconv_core::utf8::{count_chars, end_of_whole_sequences, is_continuation};

/// Number of pieces that are sampled from a long text.
const PIECES: usize = 32;
/// Length of a piece in bytes. A text that is shorter than all pieces together is one piece.
const PIECE: usize = 192;

/// Returns the mistakes that a text may have. A mistake of whole texts has to explain at least half of the non-ASCII
/// characters, so it is skipped if it explains less than half of a sample, unless earlier text has `proven` it.
pub(super) fn possible(text: &str, proven: Set) -> Set {
    let has_one = |part: &[u8]| part.iter().fold(false, |any, byte| any | LEADS_OF_IDEOGRAPHS.contains(byte));
    let has_ideographs = text.as_bytes().chunks(256).any(has_one);
    let possible = Set::ALL.filter(|mistake| has_ideographs || !mistake.has_pairs());
    let sampled = possible.filter(|mistake| mistake.is_of_whole_texts() && !proven.has(*mistake));
    let (mut explained, mut sum) = ([0; MISTAKES], 0);
    for piece in pieces(text).into_iter().map(str::as_bytes) {
        sum += others(piece);
        runs::find(piece, sampled, |mistake, run| {
            explained[mistake.number()] += count_chars(&piece[run.start..run.end]) as u64;
        });
    }
    possible.filter(|mistake| !sampled.has(*mistake) || 2 * explained[mistake.number()] >= sum)
}

/// Returns the pieces of a text that are examined. A piece begins and ends at word boundaries, unless it is one longer
/// word.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    if text.len() <= PIECES * PIECE {
        return vec![text];
    }
    parts(text.as_bytes()).filter_map(|part| str::from_utf8(piece(part)?).ok()).collect()
}

/// Splits a window into `PIECES` parts at character boundaries.
fn parts(window: &[u8]) -> impl Iterator<Item = &[u8]> {
    let border = |number: usize| {
        let at = number * window.len() / PIECES;
        at + window[at..].iter().take_while(|byte| is_continuation(**byte)).count()
    };
    (0..PIECES).map(move |number| &window[border(number)..border(number + 1)])
}

/// Returns the piece of a part that begins with the first non-ASCII word; `None` if the part is ASCII.
fn piece(part: &[u8]) -> Option<&[u8]> {
    let first = next_non_ascii(part)?;
    let start = part[..first].iter().rposition(u8::is_ascii_whitespace).map_or(first, |blank| blank + 1);
    let rest = &part[start..];
    let cut = &rest[..rest.len().min(PIECE)];
    let blank = cut.iter().rposition(u8::is_ascii_whitespace);
    Some(&cut[..blank.unwrap_or_else(|| end_of_whole_sequences(cut))])
}

#[cfg(test)]
mod tests {
    use super::super::mistakes::Mistake;
    use super::super::starts::Starts;
    use super::*;

    #[test]
    fn clean_text_has_no_starts() {
        for text in ["MARQUÉ, déjà vu: « été »", "Зависимости не удовлетворены.", "无法打开文件"]
        {
            let text = text.repeat(1000);
            let mistakes = possible(&text, Set::default());
            assert!(!mistakes.iter().any(Mistake::is_of_whole_texts), "{text:.20}");
            assert_eq!(Starts::new(text.as_bytes(), mistakes).next(), None, "{text:.20}");
        }
    }

    #[test]
    fn a_window_is_cut_between_characters_and_nothing_is_dropped() {
        let words = ["élève ", "Привет", "日本語", "😀", "plain ", "\n", "ß"];
        for seed in 0..200_usize {
            // The words repeat in a pseudo-random order, in texts with and without spaces.
            let mut state = seed;
            let mut text = String::new();
            while text.len() <= PIECES * PIECE + 97 * seed {
                state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                text += words[(state >> 33) % (1 + seed % words.len())];
            }
            let parts: Vec<&[u8]> = parts(text.as_bytes()).collect();
            assert_eq!(parts.concat(), text.as_bytes());
            for part in &parts {
                let piece = piece(part).map(|piece| str::from_utf8(piece).expect("is whole"));
                assert!(
                    piece.is_none_or(|piece| part.windows(piece.len()).any(|one| one == piece.as_bytes()))
                );
                assert_eq!(piece.is_some_and(|piece| !piece.is_ascii()), !part.is_ascii(), "{piece:?}");
            }
            let found: Vec<&str> =
                parts.iter().filter_map(|part| str::from_utf8(piece(part)?).ok()).collect();
            assert_eq!(pieces(&text), found);
        }
    }
}
