//! Finds what a new version of a file has lost since the old version.

use std::collections::HashSet;

use utfconv_restore::{NotRestored, ProblemKind, RestoreOptions, Restored, View, restore, restore_with};

use super::{OldVersion, has_marks, is_loss};

/// Returns the lines of a text, without ASCII whitespace at their ends.
fn lines_of(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii)
}

/// Returns the lines with U+FFFD that are not in the old version.
fn added_marks(old: &[u8], new: &[u8]) -> Vec<Place> {
    let has_mark = |line: &&[u8]| has_marks(line);
    let known: HashSet<&[u8]> = lines_of(old).filter(has_mark).collect();
    let new = lines_of(new).zip(1..).filter(|(line, _)| has_mark(line) && !known.contains(line));
    new.map(|(_, number)| number.into()).collect()
}

/// A position at which text was lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line number, from 1.
    pub line: u64,
    /// Column in scalar values, from 1; `None` if unknown.
    pub column: Option<u64>,
}

impl From<u64> for Place {
    fn from(line: u64) -> Place {
        Place { line, column: None }
    }
}

/// What a new version has lost.
pub struct Loss {
    /// How a program decoded the old version.
    pub view: View,
    /// Positions of the loss, sorted.
    pub places: Vec<Place>,
    /// Numbers of the lines that `view` explains. Lines at other positions are in the loss only because they have
    /// U+FFFD.
    pub known: HashSet<u64>,
    /// Whether everything that was lost can be restored.
    pub is_proven: bool,
}

impl Loss {
    /// Compares two versions; `None` if nothing was lost.
    pub fn between(old: &OldVersion, new: &[u8]) -> Option<Loss> {
        let (view, mut places, is_proven) =
            if old.content.is_ascii() { (View::Exact, Vec::new(), false) } else { lost(old, new) };
        let known: HashSet<u64> = places.iter().map(|place| place.line).collect();
        places.extend(added_marks(&old.content, new).into_iter().filter(|mark| !known.contains(&mark.line)));
        places.sort_unstable();
        if places.is_empty() { None } else { Some(Loss { view, places, known, is_proven }) }
    }
}

/// Returns how a program decoded the old version, the positions of the loss, and whether the loss can be restored.
fn lost(old: &OldVersion, new: &[u8]) -> (View, Vec<Place>, bool) {
    let at = |lines: Vec<u64>| lines.into_iter().map(Place::from).collect();
    match restore(&old.content, old.encoding, new) {
        Ok(Restored { view, lines, .. }) if is_loss(view, &lines, old) => (view, at(lines), true),
        Err(NotRestored::Places { places, view, proven }) => {
            let lost = places.iter().filter(|place| place.kind == ProblemKind::Lost);
            let mut places: Vec<_> =
                lost.map(|place| Place { line: place.line, column: Some(place.column) }).collect();
            // Keep one position per line.
            places.dedup_by_key(|place| place.line);
            if view != View::Exact {
                places.extend(proven.into_iter().map(Place::from));
                places.sort_unstable();
            }
            let lines: Vec<_> = places.iter().map(|place| place.line).collect();
            let is_loss = view == View::Exact || is_loss(view, &lines, old);
            if is_loss { (view, places, false) } else { (View::Exact, Vec::new(), false) }
        }
        Err(NotRestored::Unnamed { view, lines }) => {
            let named = view.damage().map(|damage| RestoreOptions::default().damage(damage));
            let restored = named.map(|named| restore_with(&old.content, old.encoding, new, &named));
            let is_proven = restored.is_some_and(|restored| restored.is_ok());
            (view, at(lines), is_proven)
        }
        // An exact view is as likely as another view only if hardly any text that is not ASCII is left.
        Err(NotRestored::Ambiguous { views, lines }) => {
            let lossy = views.into_iter().find(|view| *view != View::Exact && is_loss(*view, &lines, old));
            lossy.map_or((View::Exact, Vec::new(), false), |view| (view, at(lines), false))
        }
        _ => (View::Exact, Vec::new(), false),
    }
}
