//! Characters of UTF-8 that a program cut: it decoded each chunk of its input on its own, with U+FFFD for the parts.

const MARK: char = char::REPLACEMENT_CHARACTER;

/// Whether `new` is `old` with U+FFFD for the parts of some characters. Each run of marks replaces one character that is
/// not ASCII: two at least, and at most one for each byte.
pub(super) fn is_cut(old: &str, new: &str) -> bool {
    let (mut old, mut new) = (old, new);
    loop {
        let literal = new.find(MARK).unwrap_or(new.len());
        let Some(rest) = old.strip_prefix(&new[..literal]) else { return false };
        let after = new[literal..].trim_start_matches(MARK);
        let marks = (new.len() - literal - after.len()) / MARK.len_utf8();
        if marks == 0 {
            return rest.is_empty();
        }
        let Some(scalar) = rest.chars().next().filter(|scalar| (2..=scalar.len_utf8()).contains(&marks))
        else {
            return false;
        };
        (old, new) = (&rest[scalar.len_utf8()..], after);
    }
}
