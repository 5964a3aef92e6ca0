//! Transliteration: approximations of scalar values that a target cannot encode.
//!
//! If glibc's iconv has ASCII for a scalar value in the locale C.UTF-8, this table has the same: `ä` is a, `«` is <<,
//! `€` is EUR. The crates deunicode and any_ascii differ from glibc and are several times as large. They have ASCII
//! only, and spell Han and Kana as in a single language.

#[rustfmt::skip]
mod table;

use crate::utf8::decode_first;
use table::{CANDIDATES, CHARACTERS, DROPPED, SIZE};

/// The version of the transliteration table; it changes whenever an entry does. See [`OnUnmappable::Translit`].
///
/// [`OnUnmappable::Translit`]: crate::OnUnmappable::Translit
pub const VERSION: u32 = 1;

/// Separates two candidates.
const NEXT: char = '\x1F';
/// Ends a list of candidates.
const END: char = '\x1E';

/// The table in the form that lookups search.
struct Table {
    /// Number of rows that each plane has.
    sizes: [usize; 3],
    /// The low 16 bits of each scalar value, and the offset in `lists` at which its candidates begin.
    rows: [(u16, u16); CHARACTERS],
    /// Lists of candidates; each list ends with `END`.
    lists: [u8; SIZE],
}

static TABLE: Table = {
    let mut table = Table { sizes: [0; 3], rows: [(0, 0); CHARACTERS], lists: [END as u8; SIZE] };
    // The offset in `lists` at which the candidates of each scalar value begin, plus 1; 0 if it has none.
    let mut begins = [0; 3 << 16];
    let (mut row, mut len) = (0, 0);
    while row < CANDIDATES.len() {
        let (mut characters, list) = (CANDIDATES[row].0.as_bytes(), CANDIDATES[row].1.as_bytes());
        while !characters.is_empty() {
            let (scalar, of_scalar) = decode_first(characters);
            begins[scalar as usize] = len as u16 + 1;
            characters = characters.split_at(of_scalar).1;
        }
        table.lists.split_at_mut(len).1.split_at_mut(list.len()).0.copy_from_slice(list);
        len += list.len() + 1;
        row += 1;
    }
    let (mut scalar, mut count) = (0, 0);
    while scalar < begins.len() {
        if begins[scalar] > 0 {
            table.rows[count] = (scalar as u16, begins[scalar] - 1);
            table.sizes[scalar >> 16] += 1;
            count += 1;
        }
        scalar += 1;
    }
    table
};

/// The rows of `TABLE`, split by plane.
static PLANES: [&[(u16, u16)]; 3] = {
    let (first, rest) = TABLE.rows.split_at(TABLE.sizes[0]);
    let (second, third) = rest.split_at(TABLE.sizes[1]);
    [first, second, third]
};

static LISTS: &str = match str::from_utf8(&TABLE.lists) {
    Ok(lists) => lists,
    Err(_) => unreachable!(),
};

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
    let [_, plane, high, low] = u32::from(scalar).to_be_bytes();
    let rows = PLANES.get(usize::from(plane))?;
    let row = rows.binary_search_by_key(&u16::from_be_bytes([high, low]), |(low, _)| *low).ok()?;
    LISTS[usize::from(rows[row].1)..].split(END).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> impl Iterator<Item = char> {
        let rows = PLANES.iter().zip(0..).flat_map(|(rows, plane)| {
            rows.iter()
                .map(move |(low, _)| char::from_u32(plane << 16 | u32::from(*low)).expect("a scalar value"))
        });
        rows.chain(DROPPED.iter().flat_map(|(first, last)| (*first..=*last).filter_map(char::from_u32)))
    }

    fn all(scalar: char) -> Vec<&'static str> {
        candidates(scalar).collect()
    }

    #[test]
    fn rows_and_ranges_are_sorted_and_apart() {
        for rows in PLANES {
            assert!(rows.is_sorted_by(|a, b| a.0 < b.0));
        }
        assert!(DROPPED.iter().all(|(first, last)| first <= last));
        assert!(DROPPED.is_sorted_by(|a, b| a.1 < b.0));
        assert!(listed().all(|scalar| !scalar.is_ascii()));
        assert!(listed().filter(|scalar| is_dropped(*scalar)).all(|scalar| list(scalar).is_none()));
    }

    #[test]
    fn the_table_is_small() {
        let rows: usize = PLANES.iter().map(|rows| size_of_val(*rows)).sum();
        assert!(rows + size_of_val(&DROPPED) + LISTS.len() < 48 << 10);
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
