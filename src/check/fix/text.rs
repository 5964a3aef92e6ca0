//! What is repaired in the text of a file.

use std::borrow::Cow;

use memchr::memchr;

use crate::check::rules::composed;
use crate::config::Newline;

/// Which repairs are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// All newlines become this one.
    pub newline: Option<Newline>,
    /// U+FEFF at the start of a line is removed.
    pub inner_bom: bool,
    /// U+FEFF at the start of the file is removed, since it would be a BOM.
    pub leading_bom: bool,
    /// Text that is not in NFC is composed.
    pub composes: bool,
}

/// What is before a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// Nothing.
    Start,
    /// A BOM.
    Bom,
    Cr,
    Lf,
    Other,
}

/// How often repairs are repeated, as one may make another necessary.
const ROUNDS: usize = 8;

impl Before {
    /// What is before the text after this `text`.
    pub fn past(self, text: &str) -> Before {
        match text.as_bytes().last() {
            None => self,
            Some(b'\n') => Before::Lf,
            Some(b'\r') => Before::Cr,
            Some(_) => Before::Other,
        }
    }
}

impl Repairs {
    /// Repairs a text, which does not end between CR and LF.
    pub fn apply<'a>(&self, text: &'a str, before: Before) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        for _ in 0..ROUNDS {
            let Cow::Owned(repaired) = self.round(&text, before) else { break };
            if repaired == *text {
                break;
            }
            text = Cow::Owned(repaired);
        }
        text
    }

    fn round<'a>(&self, text: &'a str, before: Before) -> Cow<'a, str> {
        let text = match self.newline {
            Some(newline) => with_newlines(text, newline),
            None => text.into(),
        };
        let text = match self.inner_bom || self.leading_bom {
            true => then(text, |text| self.without_boms(text, before)),
            false => text,
        };
        if self.composes { then(text, composed) } else { text }
    }

    /// The text without U+FEFF at the start of lines.
    fn without_boms<'a>(&self, text: &'a str, mut before: Before) -> Cow<'a, str> {
        const BOM: char = '\u{FEFF}';
        if !text.contains(BOM) {
            return text.into();
        }
        let mut kept = String::with_capacity(text.len());
        let mut chars = text.chars().peekable();
        while let Some(scalar) = chars.next() {
            let is_removed = scalar == BOM
                && match before {
                    Before::Start => self.leading_bom,
                    Before::Bom | Before::Lf => self.inner_bom,
                    // Without it, CR and LF would become one newline.
                    Before::Cr => self.inner_bom && !is_lf_next(chars.clone()),
                    Before::Other => false,
                };
            if !is_removed {
                kept.push(scalar);
                before = match scalar {
                    '\n' => Before::Lf,
                    '\r' => Before::Cr,
                    // As the next reader sees it.
                    BOM if before == Before::Start => Before::Bom,
                    _ => Before::Other,
                };
            }
        }
        kept.into()
    }
}

/// Whether LF follows, past any U+FEFF.
fn is_lf_next(rest: impl Iterator<Item = char>) -> bool {
    rest.skip_while(|scalar| *scalar == '\u{FEFF}').peekable().peek() == Some(&'\n')
}

/// Applies one more repair.
fn then<'a>(text: Cow<'a, str>, repair: impl Fn(&str) -> Cow<'_, str>) -> Cow<'a, str> {
    match repair(&text) {
        Cow::Owned(repaired) => repaired.into(),
        Cow::Borrowed(_) => text,
    }
}

/// The text with all newlines of one kind.
fn with_newlines(text: &str, newline: Newline) -> Cow<'_, str> {
    if newline == Newline::Lf && memchr(b'\r', text.as_bytes()).is_none() {
        return text.into();
    }
    let mut converted = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr2(b'\r', b'\n', rest.as_bytes()) {
        converted.push_str(&rest[..at]);
        converted.push_str(newline.text());
        let len = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[at + len..];
    }
    converted.push_str(rest);
    converted.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;

    #[test]
    fn repairs() {
        let all = Repairs { newline: Some(Newline::Lf), inner_bom: true, leading_bom: true, composes: true };
        let inner = Repairs { inner_bom: true, ..Repairs::default() };
        for (repairs, before, text, expected) in [
            (all, Before::Start, "\u{FEFF}\u{FEFF}a\r\nb\rc\n", "a\nb\nc\n"),
            (all, Before::Other, "e\u{301}\u{FEFF}\r\u{FEFF}\n", "\u{e9}\u{FEFF}\n\n"),
            (inner, Before::Start, "\u{FEFF}\u{FEFF}a\n\u{FEFF}b\u{FEFF}", "\u{FEFF}a\nb\u{FEFF}"),
            (inner, Before::Bom, "\u{FEFF}\u{FEFF}a", "a"),
            (inner, Before::Lf, "\u{FEFF}", ""),
            (inner, Before::Cr, "\u{FEFF}\u{FEFF}\n\u{FEFF}a", "\u{FEFF}\u{FEFF}\na"),
            (inner, Before::Other, "\u{FEFF}a\r\u{FEFF}b", "\u{FEFF}a\rb"),
            (
                Repairs { composes: true, ..Repairs::default() },
                Before::Other,
                "\u{F900}\u{2126}",
                "\u{F900}\u{3A9}",
            ),
        ] {
            assert_eq!(repairs.apply(text, before), expected, "{text:?}");
        }
    }

    /// Whatever is repaired together: nothing is left to repair.
    #[test]
    fn repairs_are_complete() {
        let mut random = Random(0xF1F);
        let words = [
            "\u{FEFF}", "\r", "\n", "\r\n", "e", "\u{301}", "\u{327}", "a", "\u{F900}", "\u{1100}",
            "\u{1161}",
        ];
        for _ in 0..20_000 {
            let text: String = (0..random.below(9)).map(|_| random.one(&words)).collect();
            let repairs = Repairs {
                newline: random.one(&[None, Some(Newline::Lf), Some(Newline::Crlf), Some(Newline::Cr)]),
                inner_bom: random.below(2) == 0,
                leading_bom: random.below(2) == 0,
                composes: random.below(2) == 0,
            };
            let before = random.one(&[Before::Start, Before::Bom, Before::Lf, Before::Other]);
            let once = repairs.apply(&text, before).into_owned();
            assert_eq!(repairs.apply(&once, before), once, "{text:?} {repairs:?} {before:?}");
        }
    }
}
