//! Puts the bytes of an original back into a text that a program damaged and edited.
//!
//! ```
//! use utfconv_core::encodings::WINDOWS_1252;
//! use utfconv_restore::restore;
//!
//! let original = b"caf\xE9\nna\xEFve\n";
//! let edited = "caf\u{FFFD}\nna\u{FFFD}ve\ncrème\n";
//! let restored = restore(original, Some(&WINDOWS_1252), edited.as_bytes()).expect("all of it has proof");
//! assert_eq!(restored.output, b"caf\xE9\nna\xEFve\ncr\xE8me\n");
//! ```
//!
//! A program that supports only UTF-8 reads text in another encoding with U+FFFD for the bytes it cannot decode,
//! changes a line, and writes the whole file. [`restore`] takes the original, its encoding and the edited text, and
//! does a three-way merge: the base is the original as the program saw it, and the two sides are the original and the
//! edited text.
//!
//! 1. *Views* (`view`). The program saw the original in one of a fixed list of ways: correctly; with U+FFFD, a question
//!    mark or nothing for each byte, sequence or character that it could not read; or in another encoding, in which C1
//!    controls may have become U+FFFD or been dropped. The *mark* of a view is the character that it shows in place of
//!    others. A *lost place* is a run of characters that it does not show.
//! 2. *Bounds* (`merge`). Texts of up to about 2,900 bytes are compared as a whole. In longer texts, lines that occur
//!    once in each, in the same order, bound the ranges that are compared. A bound needs enough text: 8 letters or
//!    digits, where a run of marks counts as two. Bounds, and ranges between them whose lines are all equal, get the
//!    bytes of the original.
//! 3. *Alignment* (`align`). Of the ways to edit the text between two bounds, all that cost less than 8 more than the
//!    cheapest are possible. An edit costs 16, and 8 more for each newline in it; an edit of whole lines costs 8 for
//!    each line instead. Each removed and each inserted character costs 1 more, and each inserted run of marks 8 more,
//!    because nobody types these. Two edits with a few unchanged characters between them cost about as much as one, so
//!    a lost character between them has no proof. A run of marks is equal only to a run of the same length.
//! 4. *Proof* (`changed`). A lost character is restored if all these ways give the same character. Otherwise its
//!    position is a conflict. Dropped characters are restored if the characters on both sides are kept and still
//!    adjacent. A whole line that was moved or copied gets the bytes of the original line (in `merge`) if it has enough
//!    text, and if all lines that look the same have the same bytes. A line whose parts come from several lines is a
//!    conflict if it looks like such a line and has other bytes. Dropped characters leave no mark, so new text that may
//!    be copied from a damaged line is a conflict: the same line, a word of it that has new characters, or a visible
//!    byte of a removed character. New text with a pair of characters of misread text was perhaps copied from it, as
//!    was a lone non-ASCII character that equals a removed one nearby. All other new text was typed, in every view, and
//!    is encoded in the encoding of the original.
//! 5. *Choice* (this module). The view with the least cost wins. If another costs fewer than 4 characters more and
//!    gives another result, nothing is restored. Other views are ruled out as soon as they cost 8 characters more. But
//!    if the best keeps no non-ASCII byte of the original, nothing is restored if any other view has two lost places
//!    where the original has them. Lower bounds of their cost rule out most of them: the counts of characters in both
//!    texts (`distance`), and those in each changed range (`merge`).
//!
//! U+FFFD and misread text show a loss. Question marks may have been typed, and characters deleted. Views with question
//! marks, or with dropped characters of text that was not misread, are therefore used only if
//! [`RestoreOptions::damage`] or [`RestoreOptions::view`] names them. If a named damage restores something, the correct
//! view is ruled out, because most of the damage may have been corrected by hand. [`NotRestored::Unnamed`] reports that
//! a damage that was not named would explain the text, for one of two reasons:
//! - The view costs at least 8 characters less than all views without such damage, keeps more non-ASCII bytes, and has
//!   two lost places where the original has them. So a single question mark is taken as typed. Two lost characters in
//!   one place suffice if that view keeps at least twice as many non-ASCII bytes.
//! - The best view, or one of two equally likely views, is the correct one. Two words, anywhere in the edited text, are
//!   words of the damaged view and no text of the original, or their whole line is a line of that view (`words`).
//!
//! A conflict, or a new character that the encoding lacks, means that [`restore`] returns positions and no text, unless
//! [`RestoreOptions::unmappable`] says how to write them. [`restore`] also fails if two views are about as likely, if
//! the damage is unnamed, or if the edited text is not UTF-8.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod align;
mod changed;
pub mod differences;
mod distance;
mod lines;
mod merge;
mod output;
mod result;
mod text;
mod view;
mod words;

#[cfg(test)]
#[path = "../../utfconv-core/src/testkit.rs"]
mod testkit;

use std::collections::{BTreeSet, HashSet};

pub use result::{NotRestored, Problem, ProblemKind, RestoreOptions, Restored};
pub use view::{Damage, Mark, Per, View};

use align::MARGIN;
use distance::{Counts, Distance, Distances};
use merge::merged;
use output::{Attempt, Side};
use utfconv_core::encodings::{
    IBM437, IBM850, IBM852, IBM866, ISO_8859_2, ISO_8859_15, KOI8_R, MACINTOSH, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1254,
};
use utfconv_core::{Encoding, ISO_8859_1, InputBom, OnUnmappable, UTF_8};
use view::text_of;
use words::damaged_words;

/// Merges the edits that a program made to a damaged copy of `original` into `original`.
///
/// `encoding` is the encoding of the original. `None` means an unknown encoding that includes ASCII; all new text then
/// has to be ASCII. `edited` is UTF-8. The result has the BOM and the newlines of the original, not those of `edited`.
/// Memory use is a small multiple of the sum of both sizes.
///
/// # Errors
/// Returns [`NotRestored`] with every position that has no certain content. The caller must then write nothing.
///
/// ```
/// use utfconv_core::encodings::WINDOWS_1252;
/// use utfconv_restore::restore;
///
/// let original = b"caf\xE9\nna\xEFve\n";
/// // The program put U+FFFD for each byte that is not UTF-8, and a line was added.
/// let restored = restore(original, Some(&WINDOWS_1252), "caf\u{FFFD}\nna\u{FFFD}ve\ncrème\n".as_bytes()).unwrap();
/// assert_eq!(restored.output, b"caf\xE9\nna\xEFve\ncr\xE8me\n");
/// assert_eq!(restored.pieces, 2);
/// ```
pub fn restore(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &[u8],
) -> Result<Restored, NotRestored> {
    restore_with(original, encoding, edited, &RestoreOptions::default())
}

/// Returns the text of an original in a view, without its BOM.
///
/// ```
/// use utfconv_core::encodings::WINDOWS_1252;
/// use utfconv_restore::{Mark, Per, View, view};
///
/// let lossy = View::Lossy(Mark::Replacement, Per::Byte);
/// assert_eq!(view(b"caf\xE9", &WINDOWS_1252, lossy), "caf\u{FFFD}");
/// assert_eq!(view(b"caf\xE9", &WINDOWS_1252, View::Exact), "café");
/// ```
#[must_use]
pub fn view(original: &[u8], encoding: &'static Encoding, view: View) -> String {
    let encoding = InputBom::Auto.read_as(encoding, &original[..original.len().min(4)]);
    text_of(encoding, view, &original[bom_of(original, encoding)..])
}

/// Restores a text as [`restore`] does, with options.
///
/// # Errors
/// Fails as [`restore`] does. With [`RestoreOptions::unmappable`], positions without certain content are no errors if
/// everything else is certain; [`Restored`] then lists them.
///
/// ```
/// use utfconv_restore::{RestoreOptions, restore_with};
/// use utfconv_core::{OnUnmappable, encodings::WINDOWS_1252};
///
/// // The second line is new, and it lost a character, too.
/// let edited = "caf\u{FFFD}\nth\u{FFFD}\n".as_bytes();
/// let options = RestoreOptions::default().unmappable(OnUnmappable::Replace(None));
/// let restored = restore_with(b"caf\xE9\n", Some(&WINDOWS_1252), edited, &options).unwrap();
/// assert_eq!(restored.output, b"caf\xE9\nth?\n");
/// assert_eq!(restored.unproven, 1);
/// assert_eq!((restored.places[0].line, restored.places[0].column), (2, 3));
/// ```
pub fn restore_with(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &[u8],
    options: &RestoreOptions,
) -> Result<Restored, NotRestored> {
    let edited = std::str::from_utf8(edited).map_err(|_| NotRestored::NotUtf8)?;
    let whole = restore_by(original, encoding, edited, options, None);
    match partial(&options.unmappable) {
        mode @ Some(_) if matches!(whole, Err(NotRestored::Places { .. })) => {
            restore_by(original, encoding, edited, options, mode)
        }
        _ => whole,
    }
}

/// Returns the mode if it can write positions without certain content; `None` if it may stop.
fn partial(mode: &OnUnmappable) -> Option<&OnUnmappable> {
    match mode {
        OnUnmappable::Stop | OnUnmappable::Carry(_) => None,
        OnUnmappable::Translit(other) => partial(other).map(|_| mode),
        _ => Some(mode),
    }
}

/// Restores a text by its most likely view. With a mode, some positions may have no certain content.
fn restore_by(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &str,
    options: &RestoreOptions,
    unmappable: Option<&OnUnmappable>,
) -> Result<Restored, NotRestored> {
    let named = encoding.unwrap_or(&ISO_8859_1);
    let encoding_read = InputBom::Auto.read_as(named, &original[..original.len().min(4)]);
    let bom = bom_of(original, encoding_read);
    let edited = edited.strip_prefix('\u{FEFF}').unwrap_or(edited);
    let side = Side {
        bom: &original[..bom],
        original: &original[bom..],
        encoding: encoding_read,
        only_ascii: encoding.is_none(),
        unmappable,
    };
    // A program that does not know the encoding sees the bytes of a BOM of wide code units as text.
    let whole = if encoding_read.code_unit_len() > 1 { Side { bom: &[], original, ..side } } else { side };
    let views = options.view.map_or_else(|| whole.views(edited), |view| vec![view]);
    let side_of = |view: View| if view.knows_encoding() { side } else { whole };
    let views = distinct(&views, side_of, edited);
    let attempts = attempts(&views, options, side_of, edited);
    let result = chosen(attempts, &side, options);
    let may_be_damaged = match &result {
        Ok(Restored { view, .. }) | Err(NotRestored::Places { view, .. }) => *view == View::Exact,
        Err(NotRestored::Ambiguous { views, .. }) => views.contains(&View::Exact),
        Err(_) => false,
    };
    let unnamed = views.iter().rev().map(|(_, view)| *view).filter(|view| options.needs_name(*view));
    if may_be_damaged
        && let Some((view, mut lines)) = damaged_words(&whole, unnamed, edited)
        && lines.len() as u64 >= SEVERAL
    {
        lines.dedup();
        return Err(NotRestored::Unnamed { view, lines });
    }
    result
}

/// Returns the views with their distances from the edited text, the nearest first. Of the views with the same damage
/// and the same counts of characters, which nearly always have the same text and so the same result, returns the first.
fn distinct<'a>(views: &[View], side_of: impl Fn(View) -> Side<'a>, edited: &str) -> Vec<(Distance, View)> {
    let mut distances = Distances::new(edited);
    let mut views: Vec<_> = views.iter().map(|view| (distances.of(&side_of(*view), *view), *view)).collect();
    views.sort_by_key(|(distance, _)| distance.all);
    let mut texts: Vec<(Option<Damage>, Counts)> = Vec::new();
    views.retain_mut(|(distance, view)| {
        let text = (view.damage(), std::mem::take(&mut distance.seen));
        let is_new = !texts.contains(&text);
        texts.push(text);
        is_new
    });
    views
}

/// Merges the text by each view that may be the likeliest. Returns the results, the likeliest first.
fn attempts<'a>(
    views: &[(Distance, View)],
    options: &RestoreOptions,
    side_of: impl Fn(View) -> Side<'a>,
    edited: &str,
) -> Vec<Attempt> {
    let is_only = views.len() == 1;
    let mut attempts: Vec<Attempt> = Vec::new();
    for &(ref distance, view) in views {
        // A view that needs no name is compared only with other such views; any other view is compared with all views.
        // The named damage is not compared with edits, because most of it may have been corrected by hand.
        let is_edit = |other: View| view.damage().is_some() && other == View::Exact;
        let is_comparable =
            |other: View| options.needs_name(view) || !options.needs_name(other) && !is_edit(other);
        let comparable = attempts.iter().filter(|attempt| is_comparable(attempt.view));
        let best = comparable.min_by_key(|attempt| attempt.cost);
        let most = best.map_or(u64::MAX, |best| best.cost + u64::from(MARGIN));
        // If the best result restores nothing, views that cost more are tried too.
        let limit = if best.is_some_and(|best| best.kept == 0) { u64::MAX } else { most };
        if (distance.is_shown || view == View::Exact || is_only)
            && distance.cost < most
            && let Some(attempt) = merged(&side_of(view), view, edited, limit)
        {
            // Misread text that was dropped leaves no mark, so at least one piece has to be restored.
            let is_hidden = attempt.pieces == 0 && matches!(view, View::MisreadLossy(_, Mark::Omitted));
            attempts.extend((is_only || !is_hidden).then_some(attempt));
        }
    }
    attempts.sort_by_key(|attempt| attempt.cost);
    attempts
}

/// Minimum number of places that prove damage without a mark, because a single place may be an edit.
const SEVERAL: u64 = 2;

/// Returns the likeliest result, or an error if another result is about as likely and differs.
fn chosen(attempts: Vec<Attempt>, side: &Side, options: &RestoreOptions) -> Result<Restored, NotRestored> {
    let (unnamed, mut attempts): (Vec<_>, Vec<_>) =
        attempts.into_iter().partition(|attempt| options.needs_name(attempt.view));
    // If the named damage restores something, the text is not only edited, so the correct view is ruled out.
    if attempts.iter().any(|attempt| attempt.view.damage().is_some() && attempt.pieces > 0) {
        attempts.retain(|attempt| attempt.view != View::Exact);
    }
    let least = attempts.first().map_or(u64::MAX, |attempt| attempt.cost);
    let kept = attempts.first().map_or(0, |attempt| attempt.kept);
    let is_found = |found: &Attempt| {
        // If most non-ASCII characters are gone, the lost characters may all have been in a single place.
        let is_seen = found.places >= SEVERAL || 2 * kept <= found.kept && found.pieces >= SEVERAL;
        is_seen && (kept == 0 || found.kept > kept) && found.cost + u64::from(MARGIN) <= least
    };
    if let Some(found) = unnamed.into_iter().find(is_found) {
        let places = found.problems.iter().map(|problem| problem.line);
        let lines: BTreeSet<_> = found.lines.iter().copied().chain(places).collect();
        return Err(NotRestored::Unnamed { view: found.view, lines: lines.into_iter().collect() });
    }
    let mut attempts = attempts.into_iter();
    let best = attempts.next().expect("the correct view or the named view is always merged");
    // A text that shows nothing of the named damage was only converted.
    let has_named_damage = best.view.damage().is_some();
    let is_undamaged = has_named_damage && best.pieces == 0 && best.lines_with_losses().next().is_none();
    let (view, cost) = (if is_undamaged { View::Exact } else { best.view }, best.cost);
    // A view that keeps no non-ASCII bytes is doubtful if another view restores some.
    let is_rival = |other: &Attempt| {
        let is_as_likely =
            other.cost < cost + u64::from(MARGIN / 2) || best.kept == 0 && other.pieces >= SEVERAL;
        let is_same = other.output == best.output || other.unproven > 0 && other.problems == best.problems;
        is_as_likely && !is_same
    };
    if let Some(other) = attempts.find(is_rival) {
        let lines = if best.lines.is_empty() { other.lines } else { best.lines };
        return Err(NotRestored::Ambiguous { views: [view, other.view], lines });
    }
    let lost: BTreeSet<_> = best.lines_with_losses().collect();
    let Attempt { output, pieces, kept, lines, problems, unproven, .. } = best;
    // In an unknown encoding, the mode would overwrite typed text.
    let is_typed = |place: &Problem| matches!(place.kind, ProblemKind::Unmappable(_));
    let is_shown = options.view.is_some()
        || has_named_damage
        || if view == View::Exact { kept > 0 } else { lines.len() >= lost.len() };
    let can_be_written = || is_shown && !(side.only_ascii && problems.iter().any(is_typed));
    if unproven == 0 || side.unmappable.is_some() && can_be_written() {
        return Ok(Restored { output, view, pieces, lines, places: problems, unproven });
    }
    let doubtful: HashSet<_> = problems.iter().map(|problem| problem.line).collect();
    let proven = lines.into_iter().filter(|line| !doubtful.contains(line)).collect();
    Err(NotRestored::Places { places: problems, view, proven })
}

/// The encodings in which programs misread text, which are the default encodings of systems.
const OTHERS: [&Encoding; 14] = [
    &ISO_8859_1,
    &ISO_8859_2,
    &WINDOWS_1250,
    &WINDOWS_1251,
    &WINDOWS_1252,
    &WINDOWS_1253,
    &WINDOWS_1254,
    &KOI8_R,
    &MACINTOSH,
    &IBM437,
    &IBM850,
    &IBM852,
    &IBM866,
    &ISO_8859_15,
];

/// Returns the length of the BOM in bytes.
fn bom_of(original: &[u8], encoding: &'static Encoding) -> usize {
    let bom = encoding.encode("\u{FEFF}").unwrap_or_default();
    if !bom.is_empty() && encoding.can_carry_bom() && original.starts_with(&bom) { bom.len() } else { 0 }
}

impl Side<'_> {
    /// Returns the views that may explain the edited text.
    fn views(&self, edited: &str) -> Vec<View> {
        // A program for UTF-8 reads all of an original in UTF-8, so it has no marks per sequence or byte.
        let is_possible = |per: &Per| self.encoding != &UTF_8 || !matches!(per, Per::Subpart | Per::Byte);
        let lossy = |mark| Per::ALL.into_iter().filter(is_possible).map(move |per| View::Lossy(mark, per));
        let mut views = vec![View::Exact];
        if self.original.is_ascii() && self.encoding.is_ascii_compatible() {
            return views;
        }
        let has_marks = edited.contains(char::REPLACEMENT_CHARACTER);
        if has_marks {
            views.extend(lossy(Mark::Replacement));
        }
        views.extend(lossy(Mark::Question).chain(lossy(Mark::Omitted)));
        // Misread text has non-ASCII characters. If the encoding is unknown, they may be correctly decoded text.
        let may_be_right = self.only_ascii && !edited.is_ascii();
        if !(may_be_right || edited.is_ascii() && self.encoding.code_unit_len() == 1) {
            views.extend(self.misread(has_marks, edited));
        }
        views
    }

    /// Returns the views of programs that decoded another encoding, with or without U+FFFD for some bytes.
    fn misread(&self, has_marks: bool, edited: &str) -> impl Iterator<Item = View> {
        let has_controls = self.original.iter().any(|byte| matches!(byte, 0x80..=0x9F));
        // C1 controls are never typed.
        let drops_controls = has_controls && !edited.contains(|scalar| matches!(scalar, '\u{80}'..='\u{9F}'));
        let lossy = |other, mark| View::MisreadLossy(other, mark);
        let views = match (has_marks, has_controls) {
            (true, true) => vec![lossy(&WINDOWS_1252, Mark::Replacement)],
            (true, false) => Vec::new(),
            (false, _) => {
                // Python decodes macintosh as browsers do.
                let web = Encoding::for_name("whatwg:macintosh");
                let omitted = [&WINDOWS_1252, &ISO_8859_1].map(|other| lossy(other, Mark::Omitted));
                let others = OTHERS.into_iter().chain(web).map(View::Misread);
                others.chain(omitted.into_iter().filter(|_| drops_controls)).collect()
            }
        };
        views.into_iter().filter(|view| view.other() != Some(self.encoding))
    }
}

#[cfg(test)]
mod tests;

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
