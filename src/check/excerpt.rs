//! The line of a finding, escaped, with marks under its bytes.

use unicode_width::UnicodeWidthChar;
use utfconv_core::{ByteEscape, Encoding, OnIllFormed, Options, Policy, UTF_8, convert, is_printable};

use crate::files::utf8::is_continuation;

/// A line to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text of the line around the finding, with everything that a terminal might act on escaped.
    pub line: String,
    /// The columns of a terminal before the marks.
    pub before: usize,
    /// The marks: how many columns.
    pub width: usize,
}

/// Columns of a terminal for the text before the marks, and for that after them.
const COLUMNS: usize = 36;

/// Bytes on either side that are enough to fill those columns.
pub const CONTEXT: usize = 4 * COLUMNS;

impl Excerpt {
    /// Makes the line around `len` bytes at `at` in `bytes`, which begin at a whole code unit. None in encodings that
    /// cannot be decoded from any byte on.
    pub fn new(bytes: &[u8], at: usize, len: usize, encoding: &'static Encoding) -> Option<Excerpt> {
        if encoding != &UTF_8 && encoding.unit() == 1 {
            return None;
        }
        let unit = encoding.unit();
        let mut from = at.saturating_sub(CONTEXT / unit * unit);
        // Not in the middle of a sequence.
        while encoding == &UTF_8 && from < at && is_continuation(bytes[from]) {
            from += 1;
        }
        let (before, rest) = bytes[from..].split_at(at - from);
        let (marked, after) = rest.split_at(len);
        let before = text(before, encoding);
        let before = before.rsplit('\n').next().unwrap_or_default();
        let after = text(&after[..after.len().min(CONTEXT)], encoding);
        let after = after.lines().next().unwrap_or_default();
        // Of the text before, the end is what matters.
        let mut skipped = before.chars().count();
        let mut room = COLUMNS;
        for scalar in before.chars().rev() {
            match room.checked_sub(shown(scalar).1) {
                Some(left) => room = left,
                None => break,
            }
            skipped -= 1;
        }
        let mut line = Line::default();
        before.chars().skip(skipped).for_each(|scalar| line.push(scalar));
        let columns_before = line.columns;
        match marked {
            [] => line.columns += 1,
            _ => {
                for scalar in text(&marked[..len.min(CONTEXT)], encoding).chars() {
                    if line.columns - columns_before >= COLUMNS {
                        break;
                    }
                    line.push(scalar);
                }
            }
        }
        let width = line.columns - columns_before;
        let end = line.columns + COLUMNS;
        if marked.is_empty() {
            line.columns -= 1;
        }
        // What is marked may be longer than what is shown of it.
        let after = if len > CONTEXT || width >= COLUMNS { "" } else { after };
        for scalar in after.chars() {
            if line.columns + shown(scalar).1 > end {
                break;
            }
            line.push(scalar);
        }
        Some(Excerpt { line: line.text, before: columns_before, width })
    }
}

/// A line that is being written.
#[derive(Default)]
struct Line {
    text: String,
    columns: usize,
}

impl Line {
    fn push(&mut self, scalar: char) {
        let (text, columns) = shown(scalar);
        self.text += &text;
        self.columns += columns;
    }
}

/// Returns how a character is shown, and its width in columns.
fn shown(scalar: char) -> (String, usize) {
    match scalar {
        '\t' => (" ".to_string(), 1),
        _ if is_printable(scalar) => (scalar.to_string(), scalar.width().unwrap_or(1)),
        _ => {
            let text = format!("<U+{:04X}>", u32::from(scalar));
            let columns = text.len();
            (text, columns)
        }
    }
}

/// Decodes `bytes`, and writes ill-formed ones in hexadecimal.
fn text(bytes: &[u8], encoding: &'static Encoding) -> String {
    let policy = Policy { ill_formed: OnIllFormed::Escape(ByteEscape::Angle), ..Policy::default() };
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
