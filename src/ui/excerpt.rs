//! The line of a finding, escaped, with marks under its bytes.

use unicode_width::UnicodeWidthStr;
use utfconv_core::{ByteEscape, Encoding, OnIllFormed, Options, Policy, UTF_8, convert, is_printable};

use utfconv_core::utf8::is_continuation;

/// A line to show, with marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text of the line around the finding. Characters that a terminal might act on are escaped.
    pub line: String,
    /// Number of terminal columns before the marks.
    pub before: usize,
    /// Number of terminal columns of the marks.
    pub width: usize,
}

/// Number of terminal columns for the text before the marks, and for the text after them.
const COLUMNS: usize = 36;

/// Number of bytes before the finding, and after it, that are enough to fill the columns.
pub const CONTEXT: usize = 4 * COLUMNS;

impl Excerpt {
    /// Creates the excerpt for `len` bytes at `at` in `bytes`, which begin with a whole code unit. Returns `None` for
    /// encodings that cannot be decoded from any byte on.
    pub fn new(bytes: &[u8], at: usize, len: usize, encoding: &'static Encoding) -> Option<Excerpt> {
        if encoding != &UTF_8 && encoding.code_unit_len() == 1 {
            return None;
        }
        let unit = encoding.code_unit_len();
        let mut from = at.saturating_sub(CONTEXT / unit * unit);
        // Do not begin within a sequence.
        while encoding == &UTF_8 && from < at && is_continuation(bytes[from]) {
            from += 1;
        }
        let (before, rest) = bytes[from..].split_at(at - from);
        let (marked, after) = rest.split_at(len);
        let (before, after) = (text(before, encoding), text(&after[..after.len().min(CONTEXT)], encoding));
        // Show the end of the text before the marks.
        let mut before = Shown::of(before.rsplit('\n').next().unwrap_or_default().chars().rev());
        before.words.reverse();
        let mut marked = Shown::of(text(&marked[..len.min(CONTEXT)], encoding).chars());
        marked.is_whole &= len <= CONTEXT;
        // If the marked text is too long to show, the text after it is not shown.
        let after = if marked.is_whole { after.lines().next().unwrap_or_default() } else { "" };
        let words = [before.words, marked.words, Shown::of(after.chars()).words].concat();
        Some(Excerpt { line: words.concat(), before: before.columns, width: marked.columns.max(1) })
    }
}

/// The first characters of a text, as many as there are columns for.
struct Shown {
    /// The escaped form of each character.
    words: Vec<String>,
    columns: usize,
    is_whole: bool,
}

impl Shown {
    fn of(text: impl Iterator<Item = char>) -> Shown {
        let mut shown = Shown { words: Vec::new(), columns: 0, is_whole: true };
        for scalar in text {
            let word = match scalar {
                '\t' => " ".to_string(),
                _ if is_printable(scalar) => scalar.to_string(),
                _ => format!("<U+{:04X}>", u32::from(scalar)),
            };
            let columns = word.width();
            shown.is_whole = shown.columns + columns <= COLUMNS;
            if !shown.is_whole {
                break;
            }
            shown.words.push(word);
            shown.columns += columns;
        }
        shown
    }
}

/// Decodes `bytes`, and writes ill-formed bytes in hexadecimal.
fn text(bytes: &[u8], encoding: &'static Encoding) -> String {
    let policy = Policy::default().ill_formed(OnIllFormed::Escape(ByteEscape::Angle));
    let options = Options::default().policy(policy).input_bom(utfconv_core::InputBom::Text);
    let output = match convert(bytes, encoding, &UTF_8, &options) {
        Ok(converted) => converted.output,
        Err(stopped) => stopped.before.output,
    };
    String::from_utf8_lossy(&output).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::UTF_16LE;

    #[track_caller]
    fn assert_shows(bytes: &[u8], at: usize, len: usize, line: &str, marks: &str) {
        let excerpt = Excerpt::new(bytes, at, len, &UTF_8).expect("UTF-8 has excerpts");
        let found = format!("{}{}", " ".repeat(excerpt.before), "^".repeat(excerpt.width));
        assert_eq!((excerpt.line.as_str(), found.as_str()), (line, marks));
    }

    #[test]
    fn marks_are_under_the_bytes() {
        assert_shows(b"x\nab\xC0\xAFcd\ny", 4, 2, "ab<C0><AF>cd", "  ^^^^^^^^");
        assert_shows("日本\u{202E}語".as_bytes(), 6, 3, "日本<U+202E>語", "    ^^^^^^^^");
        assert_shows(b"\ta\xFF", 2, 1, " a<FF>", "  ^^^^");
        assert_shows(b"no newline", 10, 0, "no newline", "          ^");
        assert_shows(b"", 0, 0, "", "^");
        assert_shows(b"\x1B[31m\xFF\r\n", 5, 1, "<U+001B>[31m<FF>", "            ^^^^");
        let long = [&b"x".repeat(500)[..], b"\xFF", &b"y".repeat(500)].concat();
        let shown = format!("{}<FF>{}", "x".repeat(36), "y".repeat(36));
        assert_shows(&long, 500, 1, &shown, &format!("{}^^^^", " ".repeat(36)));
        let wide = ["語".repeat(500).as_bytes(), b"\xFF"].concat();
        let shown = format!("{}<FF>", "語".repeat(18));
        assert_shows(&wide, 1500, 1, &shown, &format!("{}^^^^", " ".repeat(36)));
    }

    #[test]
    fn wider_units_are_decoded() {
        let excerpt = Excerpt::new(b"a\0\n\0b\0\0\xDCc\0", 6, 2, &UTF_16LE).expect("UTF-16 has excerpts");
        assert_eq!(excerpt, Excerpt { line: "b<00><DC>c".into(), before: 1, width: 8 });
        assert_eq!(Excerpt::new(b"a", 0, 1, &utfconv_core::US_ASCII), None);
    }
}
