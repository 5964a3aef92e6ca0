//! Transliteration: approximations of scalar values that a target cannot encode.
//!
//! If glibc's iconv has ASCII for a scalar value in the locale C.UTF-8, this table has the same: `ä` is a, `«` is <<,
//! `€` is EUR. The crates deunicode and any_ascii differ from glibc and are several times as large. They have ASCII
//! only, and spell Han and Kana as in a single language.

#[rustfmt::skip]
mod table;

use table::{CANDIDATES, DROPPED};

/// The version of the transliteration table; it changes whenever an entry does. See [`OnUnmappable::Translit`].
///
/// [`OnUnmappable::Translit`]: crate::OnUnmappable::Translit
pub const VERSION: u32 = 1;

/// Separates two candidates.
const NEXT: char = '\x1F';
/// Separates the lists of two characters.
const END: char = '\x1E';

/// Returns the approximations of `scalar` for a target that cannot encode it, best first: near equivalents, then ASCII.
/// The caller takes the first approximation of which the target has all characters.
///
/// Combining marks and invisible characters have the empty string, so that `é` gives the same result as one scalar
/// value and as two. Han, Kana, Hangul, and letters of scripts without a simple Latin spelling have no approximations.
pub(crate) fn candidates(scalar: char) -> impl Iterator<Item = &'static str> {
    let list = if is_dropped(scalar) { Some("") } else { list(scalar) };
    list.into_iter().flat_map(|list| list.split(NEXT))
}

fn is_dropped(scalar: char) -> bool {
    let value = u32::from(scalar);
    let after = DROPPED.partition_point(|(first, _)| *first <= value);
    after > 0 && value <= DROPPED[after - 1].1
}

fn list(scalar: char) -> Option<&'static str> {
    let after = CANDIDATES.partition_point(|(first, _)| *first <= scalar);
    let (first, lists) = CANDIDATES[after.checked_sub(1)?];
    lists.split(END).nth((u32::from(scalar) - u32::from(first)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> impl Iterator<Item = char> {
        let rows = CANDIDATES.iter().flat_map(|(first, lists)| (*first..).zip(lists.split(END)));
        let dropped = DROPPED.iter().flat_map(|(first, last)| (*first..=*last).filter_map(char::from_u32));
        rows.map(|(scalar, _)| scalar).chain(dropped)
    }

    fn all(scalar: char) -> Vec<&'static str> {
        candidates(scalar).collect()
    }

    #[test]
    fn rows_and_ranges_are_sorted_and_apart() {
        let rows: Vec<char> = listed().take_while(|scalar| !is_dropped(*scalar)).collect();
        assert!(rows.is_sorted_by(|a, b| a < b));
        assert!(DROPPED.iter().all(|(first, last)| first <= last));
        assert!(DROPPED.is_sorted_by(|a, b| a.1 < b.0));
        assert!(listed().all(|scalar| !scalar.is_ascii()));
        assert!(listed().filter(|scalar| is_dropped(*scalar)).all(|scalar| list(scalar).is_none()));
    }

    #[test]
    fn the_table_is_small() {
        let lists: usize = CANDIDATES.iter().map(|(_, lists)| lists.len()).sum();
        assert!(size_of_val(&CANDIDATES) + size_of_val(&DROPPED) + lists < 48 << 10);
    }

    #[test]
    fn every_list_is_of_use() {
        for scalar in listed() {
            let found = all(scalar);
            assert!(!found.is_empty(), "{scalar:?}");
            let (last, near) = found.split_last().expect("not empty");
            assert!(near.iter().all(|text| !text.is_empty() && !text.is_ascii()), "{scalar:?}");
            assert!(found.iter().all(|text| !text.contains([scalar, NEXT, END])), "{scalar:?}");
            assert!(!near.contains(last), "{scalar:?}");
        }
    }

    #[test]
    fn every_latin_letter_has_ascii() {
        let letters = ('\u{C0}'..='\u{24F}').chain('\u{1E00}'..='\u{1EFF}').filter(|c| !"×÷".contains(*c));
        for scalar in letters {
            let last = all(scalar).pop().unwrap_or_default();
            assert!(!last.is_empty() && last.is_ascii(), "{scalar:?}: {last:?}");
        }
    }

    #[test]
    fn candidates_are_ordered_best_first() {
        for (scalar, found) in [
            ('ä', &["a"][..]),
            ('Æ', &["AE"]),
            ('ẞ', &["SS"]),
            ('ș', &["ş", "s"]),
            ('ấ', &["â\u{301}", "â", "á", "a"]),
            ('\u{212B}', &["Å", "A"]),
            ('\u{2126}', &["\u{3A9}", "Ohm"]),
            ('ᾄ', &["ά", "α", "a"]),
            ('қ', &["к", "k`"]),
            ('Щ', &["Shh"]),
            ('Θ', &["Th"]),
            ('“', &["\""]),
            ('…', &["..."]),
            ('€', &["EUR"]),
            ('½', &[" 1/2 "]),
            ('⅛', &[" 1/8 "]),
            ('≢', &["!=="]),
            ('⊬', &["!|-"]),
            ('①', &["(1)"]),
            ('━', &["─", "-"]),
            ('〜', &["～", "~"]),
            ('ﬁ', &["fi"]),
            ('𝔸', &["A"]),
            ('ｱ', &["ア"]),
            ('\u{301}', &[""]),
            ('\u{200D}', &[""]),
            ('ア', &[]),
            ('漢', &[]),
            ('한', &[]),
            ('😀', &[]),
            ('a', &[]),
        ] {
            assert_eq!(all(scalar), found, "{scalar:?}");
        }
    }
}
