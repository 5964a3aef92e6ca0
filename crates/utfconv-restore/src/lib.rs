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
//! A program that knows only UTF-8 reads other encodings with U+FFFD for what it cannot decode, changes a
//! line, and writes the whole. [`restore`] takes the original, its encoding, and the edited text. It
//! determines how the program saw the original: as the [`View`] that explains unchanged lines, with the
//! fewest edits, or as one that leaves no doubt, shows more of it and needs about as few. Text that is still
//! there gets the bytes of the original. New text is encoded. A lost character comes back only with proof.
//! Either the number of lost characters next to it and the characters around them are as in the original, or
//! the whole line is. And other explanations, such as another word or line that looks the same, need more
//! edits.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod align;
mod broken;
pub mod differences;
mod hunk;
mod known;
mod lines;
mod result;
mod rivals;
mod split;
mod view;
mod words;
mod writer;

#[cfg(test)]
#[path = "../../utfconv-core/src/testkit.rs"]
mod testkit;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hasher};

pub use result::{NotRestored, Problem, ProblemKind, RestoreOptions, Restored};
pub use view::{Mark, View};

use crate::differences::differences;
use align::changes_by_words;
use lines::lines_of;
use utfconv_core::InputBom;
use utfconv_core::OnUnmappable;
use utfconv_core::encodings::{IBM437, IBM850, IBM852, IBM866, MACINTOSH, WINDOWS_1251, WINDOWS_1252};
use utfconv_core::{Encoding, ISO_8859_1, UTF_8};
use view::{Viewed, units};
use writer::{Attempt, Side, Writer};

/// Characters that may have been copied in a text of any size.
const COPIED: u64 = 1_000;

/// How many bytes or characters in unchanged lines show that a view is right.
const ENOUGH_OTHERS: u64 = 4;

/// How many bytes that are not ASCII are not kept by chance.
const ENOUGH_KEPT: u64 = 16;

/// How much less a view keeps that is ruled out.
const FEWER: u64 = 8;

/// How many edits explain two lost characters: they are gone, and two marks are new.
const TWO_LOST: u64 = 4;

/// Puts the bytes of an original back into a text that a program made of it and edited.
///
/// `encoding` is that of the original. None means an unknown encoding that includes ASCII; all new text then
/// has to be ASCII. `edited` is UTF-8. The result has the BOM and the newlines of the original, not those of
/// `edited`. Memory is a small multiple of both sizes.
///
/// # Errors
/// Returns [`NotRestored`] with every position that is not certain. The caller must then write nothing.
///
/// ```
/// use utfconv_core::encodings::WINDOWS_1252;
/// use utfconv_restore::restore;
///
/// let original = b"caf\xE9\nna\xEFve\n";
/// // Read with U+FFFD for what is not UTF-8, and a line added.
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

/// Returns the text that a view has of an original, without its BOM.
///
/// ```
/// use utfconv_core::encodings::WINDOWS_1252;
/// use utfconv_restore::{Mark, View, view};
///
/// let lossy = View::Lossy(Mark::ReplacementPerByte);
/// assert_eq!(view(b"caf\xE9", &WINDOWS_1252, lossy), "caf\u{FFFD}");
/// assert_eq!(view(b"caf\xE9", &WINDOWS_1252, View::Exact), "café");
/// ```
#[must_use]
pub fn view(original: &[u8], encoding: &'static Encoding, view: View) -> String {
    let encoding = InputBom::Auto.read_as(encoding, &original[..original.len().min(4)]);
    let mut text = String::new();
    units(encoding, view, &original[bom_of(original, encoding)..], |unit| text.push_str(unit.text));
    text
}

/// Restores as [`restore`] does, with options.
///
/// # Errors
/// Fails as [`restore`] does. With [`RestoreOptions::unmappable`], positions without certain content are no
/// errors, if all else is certain: [`Restored`] lists them.
///
/// ```
/// use utfconv_restore::{RestoreOptions, restore_with};
/// use utfconv_core::{OnUnmappable, encodings::WINDOWS_1252};
///
/// // The second line is new, and something was lost there, too.
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
    let whole = restore_by(original, encoding, edited, options.view, None);
    match partial(&options.unmappable) {
        mode @ Some(_) if matches!(whole, Err(NotRestored::Places { .. })) => {
            restore_by(original, encoding, edited, options.view, mode)
        }
        _ => whole,
    }
}

/// Returns a mode by which all that is not certain can be written; None if it may stop.
fn partial(mode: &OnUnmappable) -> Option<&OnUnmappable> {
    match mode {
        OnUnmappable::Stop | OnUnmappable::Carry(_) => None,
        OnUnmappable::Translit(other) => partial(other).map(|_| mode),
        _ => Some(mode),
    }
}

/// Restores by the view `only`, or the most likely one. With a mode, a part is enough.
fn restore_by(
    original: &[u8],
    encoding: Option<&'static Encoding>,
    edited: &str,
    only: Option<View>,
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
    // Who does not know the encoding sees the bytes of a BOM of wide code units.
    let whole = if encoding_read.code_unit_len() > 1 { Side { bom: &[], original, ..side } } else { side };
    let mut attempts = attempts([&side, &whole], edited, only);
    side.retain_explaining(&mut attempts, edited);
    attempts.sort_by_key(rank);
    side.chosen(attempts, only.is_some())
}

/// The fewer edits, the likelier is a view.
fn rank(attempt: &Attempt) -> (u64, u64) {
    (attempt.edits, attempt.unproven)
}

/// Returns the results of the views that may explain an edited text. `whole` has the bytes of a BOM as well.
fn attempts([side, whole]: [&Side; 2], edited: &str, only: Option<View>) -> Vec<Attempt> {
    let side_of = |view| if view == View::Exact { side } else { whole };
    let views = only.map_or_else(|| whole.views(edited), |view| vec![view]);
    let distance = |view| {
        let distance = side_of(view).distance(view, edited);
        // A view that is known needs none.
        Some((distance.or(only.map(|_| (0, 0)))?, view))
    };
    let mut views: Vec<_> = views.into_iter().filter_map(distance).collect();
    views.sort_by_key(|((distance, _), _)| *distance);
    // Views with the same text have the same result.
    let mut texts = HashSet::new();
    views.retain(|((_, text), _)| texts.insert(*text));
    let mut attempts: Vec<(u64, Attempt)> = Vec::new();
    for ((distance, _), view) in views {
        // Copied lines are no edits, but add to the distance.
        let is_hopeless = |(nearest, best): &(u64, Attempt)| distance > best.edits.max(*nearest) + COPIED;
        if !attempts.iter().any(is_hopeless) {
            attempts.extend(side_of(view).attempt(view, edited).map(|attempt| (distance, attempt)));
        }
    }
    attempts.into_iter().map(|(_, attempt)| attempt).collect()
}

/// Whether a character is one that a program for ASCII does not leave.
fn is_other(scalar: char) -> bool {
    !scalar.is_ascii() && scalar != char::REPLACEMENT_CHARACTER
}

/// Whether nearly all doubts of a result are where a text has a character that is not ASCII.
fn has_characters_there(attempt: &Attempt, edited: &str) -> bool {
    let lines: Vec<&str> = edited.lines().collect();
    let is_there = |problem: &&Problem| {
        let line = usize::try_from(problem.line - 1).ok().and_then(|line| lines.get(line));
        line.and_then(|line| line.chars().nth(problem.column as usize - 1)).is_some_and(is_other)
    };
    let explained = attempt.problems.iter().filter(is_there).count() as u64;
    FEWER * (attempt.unproven - explained) <= attempt.unproven
}

/// Returns the length of the BOM.
fn bom_of(original: &[u8], encoding: &'static Encoding) -> usize {
    let bom = encoding.encode("\u{FEFF}").unwrap_or_default();
    if !bom.is_empty() && encoding.can_carry_bom() && original.starts_with(&bom) { bom.len() } else { 0 }
}

impl<'a> Side<'a> {
    /// Takes out the results that an edit, or another view, explains better.
    fn retain_explaining(&self, attempts: &mut Vec<Attempt>, edited: &str) {
        // Where other characters were typed since, an edit may explain a text as well.
        if self.encoding == &UTF_8 && edited.contains(is_other) {
            let exact = attempts.iter().find(|attempt| attempt.view == View::Exact);
            let most = exact.map_or(u64::MAX, |exact| exact.edits.saturating_sub(TWO_LOST));
            attempts.retain(|Attempt { view, edits, in_whole_lines, unproven, .. }| {
                let is_proven = *edits <= most && in_whole_lines >= unproven;
                is_proven || !matches!(view, View::Lossy(_))
            });
        }
        // Where one view shows whole lines with other characters than ASCII, those that show none and need
        // more edits are wrong.
        let shows_enough = |attempt: &&Attempt| attempt.others >= ENOUGH_OTHERS;
        if let Some(least) = attempts.iter().filter(shows_enough).map(|attempt| attempt.edits).min() {
            attempts.retain(|attempt| attempt.others > 0 || attempt.edits < least);
        }
        // Text that was typed again is kept in the exact view, and proves nothing about the rest.
        let all_proven = |attempt: &&Attempt| attempt.unproven == 0 && attempt.view != View::Exact;
        if let Some(best) = attempts.iter().filter(all_proven).max_by_key(|attempt| attempt.kept) {
            let (kept, others, edits) = (best.kept, best.others, best.edits);
            // A view that keeps much less is wrong. So is one that leaves doubts, shows no more, and needs
            // about as many edits.
            attempts.retain(|attempt| {
                let keeps_some = kept < ENOUGH_KEPT || FEWER * attempt.kept >= kept;
                let shows_less = attempt.kept < kept && attempt.others < others;
                let shows_no_more = attempt.kept <= kept && attempt.others <= others;
                let is_dominated = shows_less
                    || match edits.saturating_sub(attempt.edits) {
                        0 => shows_no_more && (attempt.kept, attempt.others) != (kept, others),
                        // One edit may be chance, if much more is shown.
                        1 => shows_no_more && attempt.others + 2 * ENOUGH_OTHERS <= others,
                        // It shows nothing, and explains fewer characters than it needs fewer edits.
                        more if attempt.others == 0 => shows_no_more && others >= ENOUGH_OTHERS.max(more),
                        _ => false,
                    };
                keeps_some && (attempt.unproven == 0 || !is_dominated)
            });
        }
        // A view that restores nothing, and leaves doubts, is not kept beside one that explains all and shows
        // whole lines. Nor is one that keeps nothing beside the exact view, if that keeps much more than there
        // are doubts, or the doubts are where it keeps characters.
        let all_proven = || attempts.iter().filter(|attempt| attempt.unproven == 0);
        let is_shown = all_proven().any(|attempt| attempt.others > 0);
        let in_exact = all_proven().find(|attempt| attempt.view == View::Exact).map_or(0, |exact| exact.kept);
        attempts.retain(|attempt| {
            let Attempt { pieces, kept, unproven, .. } = *attempt;
            let is_kept = in_exact >= ENOUGH_KEPT
                && (in_exact >= FEWER * unproven || has_characters_there(attempt, edited));
            let is_explained = is_shown || is_kept && kept == 0;
            pieces > 0 || unproven == 0 || !is_explained
        });
    }

    /// Returns the first of the sorted results, unless another one is about as likely and differs. `is_known`
    /// says that the view was given.
    fn chosen(&self, attempts: Vec<Attempt>, is_known: bool) -> Result<Restored, NotRestored> {
        let Some(best) = attempts.first() else { return Err(NotRestored::NotUtf8) };
        let least = rank(best);
        let mut as_short = attempts.iter().take_while(|other| other.edits == best.edits);
        let is_sure = is_known || self.can_be_partial(best);
        let is_rest_certain = is_sure && as_short.all(|other| other.output == best.output);
        // Lost text may look like edited text: no other view that is about as likely may find lost text.
        let Attempt { view, kept, others, in_whole_lines, pieces, .. } = *best;
        let (most, is_edit) = (2 * best.edits, best.pieces == 0);
        // Without evidence in unchanged lines, a few pieces may as well be an edit.
        let is_weak = others == 0
            && (1..ENOUGH_OTHERS).contains(&best.pieces)
            && matches!(view, View::Lossy(mark) if !mark.is_proof());
        let is_found = |attempt: &Attempt| {
            let is_as_likely = attempt.edits <= most && (is_edit || attempt.unproven == 0);
            // In the exact view, text that was typed again shows nothing.
            let shows_less = view != View::Exact && attempt.kept <= kept && attempt.others < others;
            let shows_more = match view {
                View::Exact => attempt.in_whole_lines > in_whole_lines,
                _ => attempt.others > others,
            };
            // Much more is not kept by chance.
            let keeps_more = attempt.kept >= ENOUGH_KEPT && attempt.kept > 4 * kept && is_as_likely;
            // Beside a result that keeps nothing, lost characters without proof count, too.
            let is_any_found = attempt.pieces > 1 || pieces + kept == 0 && attempt.unproven > 1;
            keeps_more
                || matches!(attempt.view, View::Lossy(_))
                    && is_any_found
                    && (is_as_likely && !shows_less || shows_more)
        };
        let is_other = |attempt: &Attempt| is_found(attempt) || is_weak && attempt.view == View::Exact;
        let is_likely = |attempt: &Attempt| rank(attempt) == least || is_other(attempt);
        let mut likely = attempts.into_iter().filter(is_likely);
        let first = likely.next().ok_or(NotRestored::NotUtf8)?;
        if let Some(other) = likely.find(|other| other.output != first.output) {
            let Attempt { view, lines, in_whole_lines, .. } = first;
            return Err(NotRestored::Ambiguous { views: [view, other.view], lines, in_whole_lines });
        }
        let Attempt { view, output, pieces, in_whole_lines, lines, problems, unproven, .. } = first;
        // In an unknown encoding, the mode would write over what was typed.
        let is_typed = |place: &Problem| matches!(place.kind, ProblemKind::Unmappable(_));
        let can_be_written = || !(self.only_ascii && problems.iter().any(is_typed));
        if unproven == 0 || self.unmappable.is_some() && is_rest_certain && can_be_written() {
            return Ok(Restored { output, view, pieces, lines, places: problems, unproven });
        }
        let doubtful: HashSet<_> = problems.iter().map(|problem| problem.line).collect();
        let proven = lines.into_iter().filter(|line| !doubtful.contains(line)).collect();
        Err(NotRestored::Places { places: problems, view, proven, in_whole_lines })
    }

    /// Whether what is proven in a result is certain, though not all is.
    fn can_be_partial(&self, attempt: &Attempt) -> bool {
        let Attempt { view, in_whole_lines, others, pieces, unproven, .. } = attempt;
        match view {
            // Nothing shows that the view is right.
            _ if *others == 0 && pieces <= unproven => false,
            View::Exact => true,
            // Question marks may have been typed, and characters deleted.
            View::Lossy(mark) if !mark.is_proof() && in_whole_lines < unproven => false,
            // Such a view shows bytes of code units.
            _ => self.encoding.code_unit_len() == 1,
        }
    }

    /// Returns the views that may explain a text.
    fn views(&self, edited: &str) -> Vec<View> {
        let mut views = vec![View::Exact];
        if self.original.is_ascii() && self.encoding.is_ascii_compatible() {
            return views;
        }
        // In an unknown encoding, characters that are not ASCII may be what the original has.
        let may_be_right = self.only_ascii && !edited.is_ascii();
        let is_utf8 = self.encoding == &UTF_8;
        let may_be_lossy = !is_utf8 || self.is_mostly_gone(edited);
        let has_marks = edited.contains(char::REPLACEMENT_CHARACTER);
        if has_marks {
            let marks = [Mark::ReplacementPerSubpart, Mark::ReplacementPerByte, Mark::ReplacementPerUnit];
            views.extend(marks.map(View::Lossy).into_iter().filter(|_| may_be_lossy));
            views.extend((!is_utf8).then_some(View::Lossy(Mark::ReplacementPerHighByte)));
        } else if may_be_lossy && !may_be_right {
            let marks = [Mark::QuestionPerSubpart, Mark::QuestionPerByte, Mark::QuestionPerUnit];
            views.extend(marks.map(View::Lossy));
            views.extend((!is_utf8).then_some(View::Lossy(Mark::QuestionPerHighByte)));
            // They may also have been deleted by an edit.
            views.extend((!is_utf8).then_some(View::Lossy(Mark::Omitted)));
        }
        // Text that was misread has characters that are not ASCII. Without any, the distance would say so, later.
        if !(may_be_right || edited.is_ascii() && self.encoding.code_unit_len() == 1) {
            views.extend(self.misread(has_marks, edited));
        }
        views
    }

    /// Returns the views of programs that decoded another encoding, and wrote U+FFFD for some bytes or not.
    fn misread(&self, has_marks: bool, edited: &str) -> impl Iterator<Item = View> {
        let has_controls = self.original.iter().any(|byte| matches!(byte, 0x80..=0x9F));
        // These are never typed.
        let drops_controls = has_controls && !edited.contains(|scalar| matches!(scalar, '\u{80}'..='\u{9F}'));
        let lossy = |other, mark| View::MisreadLossy(other, mark);
        let views = match (has_marks, has_controls) {
            (true, true) => vec![lossy(&WINDOWS_1252, Mark::ReplacementPerByte)],
            (true, false) => Vec::new(),
            (false, _) => {
                // The macintosh of the web is also that of Python.
                let web = Encoding::for_name("whatwg:macintosh");
                let others = [
                    &ISO_8859_1,
                    &WINDOWS_1252,
                    &MACINTOSH,
                    &WINDOWS_1251,
                    &IBM437,
                    &IBM850,
                    &IBM852,
                    &IBM866,
                ];
                let others = others.into_iter().chain(web);
                let omitted = [&WINDOWS_1252, &ISO_8859_1].map(|other| lossy(other, Mark::Omitted));
                others.map(View::Misread).chain(omitted.into_iter().filter(|_| drops_controls)).collect()
            }
        };
        views.into_iter().filter(|view| view.other() != Some(self.encoding))
    }

    /// Whether an edited text has at most half of the characters that are not ASCII of an original in UTF-8.
    /// A program that knew only ASCII left none, but they may have been typed since.
    fn is_mostly_gone(&self, edited: &str) -> bool {
        let mut counts: HashMap<char, usize> = HashMap::new();
        let original = String::from_utf8_lossy(self.original);
        original
            .chars()
            .filter(|scalar| is_other(*scalar))
            .for_each(|scalar| *counts.entry(scalar).or_default() += 1);
        let all: usize = counts.values().sum();
        let is_kept = |scalar: &char| {
            let count = counts.get_mut(scalar).filter(|count| **count > 0);
            count.map(|count| *count -= 1).is_some()
        };
        2 * edited.chars().filter(is_kept).count() <= all
    }

    /// Returns how many characters one of the texts has more of than the other: at least that many were edited. Also
    /// returns a hash of the text of the view. None if the edited text has nothing of what another encoding shows.
    fn distance(&self, view: View, edited: &str) -> Option<(u64, u64)> {
        let mut counts = [0i64; 1 << 12];
        // Some characters share the counts of others.
        let at = |scalar: char| (u32::from(scalar) ^ u32::from(scalar) >> 12) as usize & 0xFFF;
        let mut hasher = DefaultHasher::new();
        units(self.encoding, view, self.original, |unit| {
            unit.text.chars().for_each(|scalar| counts[at(scalar)] += 1);
            hasher.write(unit.text.as_bytes());
        });
        let is_shared = |scalar: char| !scalar.is_ascii() && counts[at(scalar)] > 0;
        if view.other().is_some() && self.encoding.code_unit_len() == 1 && !edited.contains(is_shared) {
            return None;
        }
        edited.chars().for_each(|scalar| counts[at(scalar)] -= 1);
        // Newlines are not compared.
        let counted = counts.iter().enumerate().filter(|(at, _)| ![0xA, 0xD].contains(at));
        Some((counted.map(|(_, count)| count.unsigned_abs()).sum(), hasher.finish()))
    }

    /// Restores by one view; None if the view explains nothing.
    fn attempt(&self, view: View, edited: &str) -> Option<Attempt> {
        let viewed = Viewed::new(self.original, self.encoding, view);
        let lost: u64 = viewed.lines.iter().map(|line| u64::from(line.lost)).sum();
        // A single loss may as well be an edit.
        if matches!(view, View::Lossy(mark) if !mark.is_proof())
            && lost < 2
            && self.encoding.is_ascii_compatible()
        {
            return None;
        }
        let new = lines_of(edited, viewed.is_wide, viewed.zeros[1]);
        let old: Vec<_> = (0..viewed.lines.len()).map(|line| viewed.content(viewed.text_of(line))).collect();
        let contents: Vec<_> = new.iter().map(|line| viewed.content(line)).collect();
        let mut aligned = vec![changes_by_words(&old, &contents), differences(&old, &contents)];
        aligned.dedup();
        let mut attempts: Vec<_> = aligned
            .into_iter()
            .map(|changed| {
                viewed.refill();
                Writer::new(self, &viewed, &old, &new).write_lines(&old, &new, changed)
            })
            .collect();
        // Lines that are edited count as different, so either may need fewer edits.
        attempts.sort_by_key(|attempt| (attempt.edits, Reverse(attempt.unproven)));
        if let [one, other] = &mut attempts[..] {
            one.doubt_as(other);
        }
        attempts.into_iter().next()
    }
}

#[cfg(test)]
mod tests;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
