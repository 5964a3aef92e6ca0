//! Finds words of the original that the edited text has with damage.

use std::collections::HashSet;

use memchr::memmem;

use super::lines::{lines_of, range_of};
use super::output::Side;
use super::result::LISTED;
use super::view::{View, text_of};

/// Of views whose damage leaves no mark of its own, returns the view that explains most words which the original does
/// not have, and the lines of these words, once for each word. The words may be anywhere in the edited text. Of several
/// such views, returns the last.
pub(super) fn damaged_words(
    side: &Side,
    views: impl Iterator<Item = View>,
    edited: &str,
) -> Option<(View, Vec<u64>)> {
    let exact = text_of(side.encoding, View::Exact, side.original);
    if exact == edited {
        return None;
    }
    let known: HashSet<&str> = words(&exact).collect();
    let words_of = |(number, line): (u64, _)| words(line).map(move |word| (number, line, word));
    let new = (1..).zip(lines(edited)).flat_map(words_of);
    let new: Vec<_> = new.filter(|(.., word)| !known.contains(word)).collect();
    if new.is_empty() {
        return None;
    }
    // A view whose mark is in no new word explains nothing.
    let is_shown = |mark| new.iter().any(|(.., word)| word.contains(mark));
    let may_explain = |view: &View| view.mark().is_none_or(is_shown);
    let explained = |view: View| {
        let text = text_of(side.encoding, view, side.original);
        let seen: HashSet<&str> = words(&text).chain(lines(&text)).collect();
        // Part of a word may be a word of its own, unless its whole line is damaged.
        let is_damaged = |(_, line, word): &&(u64, &str, &str)| {
            seen.contains(word)
                && (seen.contains(line) || memmem::find(exact.as_bytes(), word.as_bytes()).is_none())
        };
        // A search of the whole original for each word takes long, so only as many words as are reported are found.
        let damaged = new.iter().filter(is_damaged).take(LISTED);
        (view, damaged.map(|(number, ..)| *number).collect::<Vec<_>>())
    };
    views.filter(may_explain).map(explained).max_by_key(|(_, lines)| lines.len())
}

/// Returns the lines of a text, without whitespace at their ends.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let starts = lines_of(text, false, 0);
    (0..starts.len()).map(move |line| text[range_of(&starts, text.len(), line..line + 1)].trim())
}

/// Returns the words of a text. Question marks beside letters may be damaged letters.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|scalar: char| !scalar.is_alphanumeric() && scalar != '?');
    words.filter(|word| word.contains(char::is_alphanumeric))
}
