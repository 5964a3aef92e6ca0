//! Repairs the text of a file.

use std::borrow::Cow;

use crate::commands::check::rules::{Before, Fix, Place, Rules, with_newlines};
use crate::config::Newline;

/// The repairs to make in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// All newlines are replaced by this newline.
    pub newline: Option<Newline>,
    /// The repairs of these rules are made.
    pub rules: Rules,
    /// True if the text ends the file.
    pub is_last: bool,
}

/// Maximum number of rounds, because a repair may make another necessary.
const ROUNDS: usize = 8;

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
        let mut text = match self.newline {
            Some(newline) => with_newlines(text, newline),
            None => text.into(),
        };
        for rule in self.rules.iter() {
            if let (Fix::Text(_, repair), Some(value)) = (rule.definition().fix, self.rules.value(rule))
                && let Cow::Owned(repaired) = repair(&text, &Place { value, before, is_last: self.is_last })
            {
                text = repaired.into();
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::rules::{Selected, Selection};
    use crate::config::Requirements;
    use crate::testkit::Random;

    fn rules_of(text: &str) -> Rules {
        let selected = text.split(',').map(|rule| Selected::parse(rule).expect("a rule"));
        Selection::new(selected, []).rules(&Requirements::default(), true)
    }

    #[test]
    fn repairs() {
        let of = |rules: &str| Repairs { rules: rules_of(rules), ..Repairs::default() };
        let all = Repairs { newline: Some(Newline::Lf), ..of("inner-bom,bom=forbid,not-nfc") };
        let trims = of("trailing-whitespace");
        let inner = of("inner-bom");
        for (repairs, before, text, expected) in [
            (all, Before::Start, "\u{FEFF}\u{FEFF}a\r\nb\rc\n", "a\nb\nc\n"),
            (all, Before::Other, "e\u{301}\u{FEFF}\r\u{FEFF}\n", "\u{e9}\u{FEFF}\n\n"),
            (inner, Before::Start, "\u{FEFF}\u{FEFF}a\n\u{FEFF}b\u{FEFF}", "\u{FEFF}a\nb\u{FEFF}"),
            (inner, Before::Bom, "\u{FEFF}\u{FEFF}a", "a"),
            (inner, Before::Lf, "\u{FEFF}", ""),
            (inner, Before::Cr, "\u{FEFF}\u{FEFF}\n\u{FEFF}a", "\u{FEFF}\u{FEFF}\na"),
            (inner, Before::Other, "\u{FEFF}a\r\u{FEFF}b", "\u{FEFF}a\rb"),
            (trims, Before::Start, " a \t\r\n\t\n b  \rc \u{A0}\u{C} ", " a\r\n\n b\rc \u{A0}\u{C} "),
            (trims, Before::Start, "a\r \nb\r\t\t\n\r \r \n", "a\r \nb\r\t\t\n\r\r \n"),
            (trims, Before::Cr, " \n \n", " \n\n"),
            (Repairs { is_last: true, ..trims }, Before::Cr, " ", ""),
            (Repairs { newline: Some(Newline::Lf), ..trims }, Before::Start, "a\r \nb", "a\n\nb"),
            (Repairs { is_last: true, ..trims }, Before::Other, " \na b\u{3000} ", "\na b\u{3000}"),
            (of("not-nfc"), Before::Other, "\u{F900}\u{2126}", "\u{F900}\u{3A9}"),
        ] {
            assert_eq!(repairs.apply(text, before), expected, "{text:?}");
        }
    }

    /// With any set of repairs, a second run changes nothing.
    #[test]
    fn repairs_are_complete() {
        let mut random = Random(0xF1F);
        let words = [
            "\u{FEFF}", "\r", "\n", "\r\n", "e", "\u{301}", "\u{327}", "a", "\u{F900}", "\u{1100}",
            "\u{1161}", " ", "\t",
        ];
        for _ in 0..20_000 {
            let text: String = (0..random.below(9)).map(|_| random.one(&words)).collect();
            let mut rules = vec!["nul"];
            for rule in ["inner-bom", "bom=forbid", "not-nfc", "trailing-whitespace"] {
                rules.extend((random.below(2) == 0).then_some(rule));
            }
            let repairs = Repairs {
                newline: random.one(&[None, Some(Newline::Lf), Some(Newline::Crlf), Some(Newline::Cr)]),
                rules: rules_of(&rules.join(",")),
                is_last: random.below(2) == 0,
            };
            let before = random.one(&[Before::Start, Before::Bom, Before::Lf, Before::Other]);
            let once = repairs.apply(&text, before).into_owned();
            assert_eq!(repairs.apply(&once, before), once, "{text:?} {repairs:?} {before:?}");
        }
    }
}
