//! The rules: what each is called, what it means, and which of them a file is held to.

use std::collections::BTreeSet;

use crate::config::{Demand, Newline, Requirements};

/// A rule that a file can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Bytes that break the encoding. Always on.
    IllFormed,
    /// The file is plainly in another encoding than it is said to be in. Always on.
    WrongEncoding,
    Bom,
    Nul,
    ReplacementCharacter,
    Noncharacter,
    Control,
    Bidi,
    InnerBom,
    MixedNewlines,
    FinalNewline,
    NotNfc,
    DoubleEncoded,
}

/// What the newlines of a file have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newlines {
    /// All of one kind.
    Alike,
    /// All of this kind.
    All(Newline),
}

/// The rules that one file is held to, beside those that always hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub bom: Option<Demand>,
    pub nul: bool,
    pub replacement_character: bool,
    pub noncharacter: bool,
    pub control: bool,
    pub bidi: bool,
    pub inner_bom: bool,
    pub newlines: Option<Newlines>,
    pub final_newline: Option<Demand>,
    pub not_nfc: bool,
    pub double_encoded: bool,
}

/// What there is to say about a rule.
struct Row {
    rule: Rule,
    /// The name on the command line and in reports.
    id: &'static str,
    /// What a file that breaks the rule has, in a few words.
    title: &'static str,
    /// The values that may follow the name, as a sentence has them; empty for a rule without.
    values: &'static str,
    /// The answer to `--explain`, in lines of at most 78 columns.
    explanation: &'static str,
}

/// The rules, in the order of [`Rule`].
const ROWS: [Row; 13] = [
    Row {
        rule: Rule::IllFormed,
        id: "ill-formed",
        title: "ill-formed bytes",
        values: "",
        explanation: "\
Bytes that break the encoding which the file is said to be in: UTF-8, unless
-f or the configuration names another. In UTF-8 these are bytes that are never
used, stray continuation bytes, sequences cut short, non-shortest forms,
surrogates, and what is above U+10FFFF. This rule is always on.

Programs disagree about such bytes: some stop, some drop them, some put U+FFFD
in their place, and what one of them checks is not what the next one reads.

If the whole file is in another encoding, convert it from that one:
    utfconv -f windows-1252 -o FILE FILE
If a few characters of another encoding have strayed into UTF-8:
    utfconv --ill-formed=fallback=windows-1252 -o FILE FILE
",
    },
    Row {
        rule: Rule::WrongEncoding,
        id: "wrong-encoding",
        title: "another encoding",
        values: "",
        explanation: "\
The file is plainly in another encoding than the one it is said to be in: it
begins with the mark of UTF-16 or UTF-32, or reads as such throughout, where
UTF-8 is expected, or it is plainly UTF-8 where one of those is. It takes the
place of thousands of ill-formed bytes, and is found only where there is no
doubt. With --binary=error, binary files break it too. It is always on.

Convert the file from the encoding that the report names; -f UTF-16 if it
begins with FF FE or FE FF:
    utfconv -f UTF-16LE -o FILE FILE
or say what it is in: with -f ENCODING, with charset in .editorconfig, or with
working-tree-encoding in .gitattributes.
",
    },
    Row {
        rule: Rule::Bom,
        id: "bom",
        title: "byte order mark",
        values: "=forbid or =require",
        explanation: "\
bom=forbid: the file may not begin with the BOM U+FEFF (EF BB BF in
UTF-8). bom=require: it has to. Only the start of the file counts; for U+FEFF
elsewhere there is inner-bom.

A BOM breaks #! lines, the concatenation of files, and parsers that do
not expect it (JSON may not have it); some programs on Windows need it to tell
UTF-8 from a code page. In UTF-16 and UTF-32 it tells the byte order, so that
--rule all forbids it only in UTF-8 and its relatives.

To remove it from UTF-8, and to add it:
    utfconv --input-bom=strip -o FILE FILE
    utfconv --output-bom=always -o FILE FILE
In another encoding, name it with -f and with -t.
",
    },
    Row {
        rule: Rule::Nul,
        id: "nul",
        title: "NUL",
        values: "",
        explanation: "\
The character U+0000. It is well-formed, and no text has a use for it.

Programs written in C end the text there, and grep and git take the file for
binary. It comes from a damaged disk, from a file that grew without being
written, or from UTF-16 that was taken for UTF-8.

To remove it from UTF-8:
    tr -d '\\000' < FILE > NEW
If every other byte is NUL, the file is UTF-16; see wrong-encoding.
",
    },
    Row {
        rule: Rule::ReplacementCharacter,
        id: "replacement-character",
        title: "replacement character",
        values: "",
        explanation: "\
The character U+FFFD, which stands where a conversion met something that it
could not read. It is well-formed; what it replaced is lost.

It cannot be mended in this file. Go back to the one it was made from, and
convert that again from its true encoding:
    utfconv -f windows-1252 -o FILE ORIGINAL
A source file that needs the character itself can write it as an escape.
",
    },
    Row {
        rule: Rule::Noncharacter,
        id: "noncharacter",
        title: "noncharacter",
        values: "",
        explanation: "\
One of the 66 code points that never stand for a character: U+FDD0..U+FDEF,
and the last two of each plane, U+FFFE and U+FFFF up to U+10FFFE and U+10FFFF.
They are well-formed, and meant for use inside a program.

XML 1.0 cannot hold U+FFFE and U+FFFF, and other programs remove or replace
them. U+FFFE often is a byte order mark read in the wrong order; then convert
the original from the right one:
    utfconv -f UTF-16 -o FILE ORIGINAL
",
    },
    Row {
        rule: Rule::Control,
        id: "control",
        title: "control character",
        values: "",
        explanation: "\
A control character: U+0001..U+001F except TAB, LF and CR, then U+007F, and
U+0080..U+009F. U+0000 has the rule nul.

Terminals act on them (ESC can rewrite the screen), XML 1.0 cannot hold most
of them, and editors show nothing. U+0080..U+009F are mostly punctuation of
windows-1252 that was read as ISO-8859-1. If that is so for the whole file:
    utfconv -t ISO-8859-1 -o NEW FILE && utfconv -f windows-1252 -o FILE NEW
Form feeds, which some source code has between its sections, are included.
",
    },
    Row {
        rule: Rule::Bidi,
        id: "bidi",
        title: "bidirectional control",
        values: "",
        explanation: "\
One of the nine characters that embed, override or isolate a direction of
writing: U+202A..U+202E and U+2066..U+2069. The marks U+200E, U+200F and
U+061C, which stand for themselves only, are not included.

With them, source code can be shown in another order than a compiler reads it
(\"Trojan Source\", CVE-2021-42574). Prose in Arabic or Hebrew may need them;
check such files apart, with --allow bidi. In source code, remove them or
write them as escapes.
",
    },
    Row {
        rule: Rule::InnerBom,
        id: "inner-bom",
        title: "byte order mark inside the text",
        values: "",
        explanation: "\
The character U+FEFF anywhere but at the start of the file. There it is not a
BOM but the invisible ZERO WIDTH NO-BREAK SPACE, a use that Unicode has
given to U+2060 instead. A second U+FEFF after the BOM is included.

It is left behind when files with BOMs are joined, and makes words and
keys that look the same differ. To join files without it:
    utfconv -o JOINED FILE...
To remove it from UTF-8 (GNU sed; this removes the BOM too):
    sed -i 's/\\xEF\\xBB\\xBF//g' FILE
",
    },
    Row {
        rule: Rule::MixedNewlines,
        id: "mixed-newlines",
        title: "mixed newlines",
        values: "=lf, =crlf or =cr",
        explanation: "\
Lines that end in different ways: with LF, CRLF or CR. Without a value, all
lines of a file have to end alike, and the rarer kinds are reported. With
=lf, =crlf or =cr they have to end like that. U+0085 and U+2028 are not
newlines here. Each kind is reported once, where it first stands, with its
count.

Tools count lines differently in such a file, and an editor that saves it
changes lines that nobody touched. To make all of them LF or CRLF:
    dos2unix FILE
    unix2dos FILE
",
    },
    Row {
        rule: Rule::FinalNewline,
        id: "final-newline",
        title: "final newline",
        values: "=require or =forbid",
        explanation: "\
final-newline, or final-newline=require: a file that is not empty has to end
with a newline. final-newline=forbid: it may not. A newline is LF or CRLF, and
CR in a file where most lines end with CR. A file that has only a BOM is
empty.

POSIX defines a line by its newline: without the last one, `wc -l` and `read`
miss the last line, and joined files run together. To add LF, or CRLF, to a
file that is not UTF-16 or UTF-32:
    printf '\\n' >> FILE
    printf '\\r\\n' >> FILE
",
    },
    Row {
        rule: Rule::NotNfc,
        id: "not-nfc",
        title: "not in NFC",
        values: "",
        explanation: "\
Text that is not in Normalization Form C (Unicode Standard Annex #15), such as
e and U+0301 where NFC has the one character U+00E9. Each sequence is reported
with what NFC has in its place. Compatibility characters, such as ligatures
and full-width letters, are in NFC and are not reported.

Texts that look the same compare as different, and searches miss them. macOS
and some input methods produce such text. A sequence of more than 1 MiB, a
letter with half a million marks, is reported without a look. To normalise:
    utfconv -i --normalize=nfc FILE
",
    },
    Row {
        rule: Rule::DoubleEncoded,
        id: "double-encoded",
        title: "encoded twice",
        values: "",
        explanation: "\
UTF-8 that was read as windows-1252 or ISO-8859-1 and then encoded again, once
or more: \"\u{c3}\u{a9}\" that was \"\u{e9}\", \"\u{e2}\u{20ac}\u{2122}\" that was \"\u{2019}\". Only what can hardly be
ordinary text is reported, so that a single pair of characters may be passed
over: a capital letter before a quotation mark can be either.

If all of the file was encoded twice, undo one time, and see that the result
is well-formed:
    utfconv -t windows-1252 -o NEW FILE && utfconv check NEW
Files that were read as ISO-8859-1 need -t ISO-8859-1.
",
    },
];

impl Rule {
    /// The rules, in the order in which they are listed.
    pub const ALL: [Rule; 13] = {
        let mut all = [Rule::IllFormed; 13];
        let mut i = 0;
        while i < all.len() {
            all[i] = ROWS[i].rule;
            i += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The name of the rule on the command line and in reports.
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// What a file that breaks the rule has, in a few words.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The rule with that id.
    pub fn named(id: &str) -> Option<Rule> {
        ROWS.iter().find(|row| row.id == id).map(|row| row.rule)
    }

    /// What the rule means, why it matters and how a file is mended.
    pub fn explanation(self) -> &'static str {
        self.row().explanation
    }

    /// The rules that cannot be turned off.
    fn is_always_on(self) -> bool {
        matches!(self, Rule::IllFormed | Rule::WrongEncoding)
    }
}

/// Why no rule has the name `id`, with the rule that may be meant.
pub fn unknown(id: &str) -> String {
    let likeness = |row: &Row| strsim::jaro_winkler(row.id, &id.to_lowercase());
    let nearest = ROWS.iter().map(|row| (likeness(row), row.id)).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((likeness, known)) if likeness > 0.8 => format!("no rule '{id}'; did you mean {known}?"),
        _ => {
            let ids: Vec<_> = ROWS.iter().map(|row| row.id).collect();
            format!("no rule '{id}'; the rules are {}", ids.join(", "))
        }
    }
}

/// The rules that the command line asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    all: bool,
    /// Rules without a value.
    named: BTreeSet<Rule>,
    /// Rules with a value.
    valued: Requirements,
    allowed: BTreeSet<Rule>,
}

impl Asked {
    /// Takes the value of one `--rule`: `ID[=VALUE][,ID...]`, where `all` stands for every rule.
    pub fn rule(&mut self, text: &str) -> Result<(), String> {
        for item in text.split(',').map(str::trim) {
            let (id, value) = match item.split_once('=') {
                Some((id, value)) => (id, Some(value)),
                None => (item, None),
            };
            if id == "all" {
                if value.is_some() {
                    return Err("all takes no value".to_string());
                }
                self.all = true;
                continue;
            }
            let rule = Rule::named(id).ok_or_else(|| unknown(id))?;
            let wrong = || match rule.row().values {
                "" => format!("{id} takes no value"),
                values => format!("{id} takes {values}, not '={}'", value.unwrap_or_default()),
            };
            match (rule, value) {
                (Rule::Bom, None) => return Err("bom needs a value: bom=forbid or bom=require".to_string()),
                (_, None) => {
                    self.named.insert(rule);
                }
                (Rule::Bom, Some(value)) => self.valued.bom = Some(demand(value).ok_or_else(wrong)?),
                (Rule::FinalNewline, Some(value)) => {
                    self.valued.final_newline = Some(demand(value).ok_or_else(wrong)?);
                }
                (Rule::MixedNewlines, Some(value)) => {
                    self.valued.newline = Some(Newline::named(value).ok_or_else(wrong)?);
                }
                (_, Some(_)) => return Err(wrong()),
            }
        }
        Ok(())
    }

    /// Takes the value of one `--allow`: `ID[,ID...]`.
    pub fn allow(&mut self, text: &str) -> Result<(), String> {
        for id in text.split(',').map(str::trim) {
            let rule = Rule::named(id).ok_or_else(|| unknown(id))?;
            if rule.is_always_on() {
                return Err(format!("{id} is what a check is for, and cannot be allowed"));
            }
            self.allowed.insert(rule);
        }
        Ok(())
    }

    /// The rules for a file of which its configuration requires `required`; `may_have_no_bom` in an encoding that can do without a
    /// BOM, where `all` forbids it.
    pub fn rules(&self, required: &Requirements, may_have_no_bom: bool) -> Rules {
        let has = |rule| (self.all || self.named.contains(&rule)) && !self.allowed.contains(&rule);
        let unless_allowed = |rule| !self.allowed.contains(&rule);

        let any_bom = (self.all && may_have_no_bom).then_some(Demand::Forbid);
        let newline = self.valued.newline.or(required.newline).map(Newlines::All);
        let any_newline = has(Rule::MixedNewlines).then_some(Newlines::Alike);
        let any_final_newline = has(Rule::FinalNewline).then_some(Demand::Require);
        Rules {
            bom: self.valued.bom.or(required.bom).or(any_bom).filter(|_| unless_allowed(Rule::Bom)),
            nul: has(Rule::Nul),
            replacement_character: has(Rule::ReplacementCharacter),
            noncharacter: has(Rule::Noncharacter),
            control: has(Rule::Control),
            bidi: has(Rule::Bidi),
            inner_bom: has(Rule::InnerBom),
            newlines: newline.or(any_newline).filter(|_| unless_allowed(Rule::MixedNewlines)),
            final_newline: (self.valued.final_newline)
                .or(required.final_newline)
                .or(any_final_newline)
                .filter(|_| unless_allowed(Rule::FinalNewline)),
            not_nfc: has(Rule::NotNfc),
            double_encoded: has(Rule::DoubleEncoded),
        }
    }
}

fn demand(value: &str) -> Option<Demand> {
    match value {
        "require" => Some(Demand::Require),
        "forbid" => Some(Demand::Forbid),
        _ => None,
    }
}

impl Rules {
    /// The first rule for which a part of a file is not enough: what it is about may reach from one part to the next.
    pub fn of_wholes(&self) -> Option<Rule> {
        let rules = [
            (Rule::MixedNewlines, self.newlines.is_some()),
            (Rule::FinalNewline, self.final_newline.is_some()),
            (Rule::NotNfc, self.not_nfc),
            (Rule::DoubleEncoded, self.double_encoded),
        ];
        rules.into_iter().find(|(_, is_on)| *is_on).map(|(rule, _)| rule)
    }

    /// Whether the text has to be looked at, beyond whether it is well-formed. The BOM is no part of it.
    pub fn is_scanned(&self) -> bool {
        Rules { bom: None, ..*self } != Rules::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(rules: &[&str], allowed: &[&str]) -> Asked {
        let mut asked = Asked::default();
        rules.iter().for_each(|text| asked.rule(text).unwrap());
        allowed.iter().for_each(|text| asked.allow(text).unwrap());
        asked
    }

    #[test]
    fn the_table_is_in_order_and_fits_a_terminal() {
        for (i, row) in ROWS.iter().enumerate() {
            assert_eq!(row.rule as usize, i, "{}", row.id);
            assert_eq!(Rule::named(row.rule.id()), Some(row.rule));
            assert!(row.explanation.lines().all(|line| line.chars().count() <= 78), "{}", row.id);
            assert!(row.explanation.ends_with('\n') && !row.explanation.ends_with("\n\n"), "{}", row.id);
        }
        assert_eq!(Rule::named("all"), None);
    }

    #[test]
    fn all_is_every_rule_and_allow_goes_before_it() {
        let all = Rules {
            bom: Some(Demand::Forbid),
            nul: true,
            replacement_character: true,
            noncharacter: true,
            control: true,
            bidi: true,
            inner_bom: true,
            newlines: Some(Newlines::Alike),
            final_newline: Some(Demand::Require),
            not_nfc: true,
            double_encoded: true,
        };
        let none = Requirements::default();
        assert_eq!(asked(&["all"], &[]).rules(&none, true), all);
        assert_eq!(asked(&["all"], &[]).rules(&none, false), Rules { bom: None, ..all });
        let ids: Vec<_> = Rule::ALL[2..].iter().map(|rule| rule.id()).collect();
        let everything = Requirements {
            encoding: None,
            bom: Some(Demand::Require),
            newline: Some(Newline::Cr),
            final_newline: Some(Demand::Forbid),
        };
        for rules in [&["all"][..], &["bom=require,mixed-newlines=lf", "final-newline=forbid,nul"]] {
            assert_eq!(asked(rules, &[&ids.join(",")]).rules(&everything, true), Rules::default());
        }
        assert_eq!(asked(&["ill-formed,wrong-encoding"], &[]).rules(&none, true), Rules::default());
    }

    #[test]
    fn values_then_configuration_then_all() {
        let required = Requirements {
            encoding: None,
            bom: Some(Demand::Require),
            newline: Some(Newline::Crlf),
            final_newline: Some(Demand::Forbid),
        };
        let expected = Rules {
            bom: required.bom,
            newlines: Some(Newlines::All(Newline::Crlf)),
            final_newline: required.final_newline,
            ..Rules::default()
        };
        assert_eq!(Asked::default().rules(&required, true), expected);
        // A rule without a value leaves it to the configuration.
        assert_eq!(asked(&["mixed-newlines,final-newline"], &[]).rules(&required, true), expected);
        let all = asked(&["all"], &[]).rules(&required, true);
        let of = |rules: Rules| (rules.bom, rules.newlines, rules.final_newline);
        assert_eq!(of(all), of(expected));
        let valued = asked(&["bom=forbid", "mixed-newlines=cr,final-newline=require", "all"], &[]);
        assert_eq!(
            of(valued.rules(&required, true)),
            (Some(Demand::Forbid), Some(Newlines::All(Newline::Cr)), Some(Demand::Require)),
        );
    }

    #[test]
    fn the_last_value_holds() {
        let rules = asked(&["bom=require", "bom=forbid"], &[]).rules(&Requirements::default(), false);
        assert_eq!(rules, Rules { bom: Some(Demand::Forbid), ..Rules::default() });
        assert!(!rules.is_scanned());
        assert!(asked(&["nul"], &[]).rules(&Requirements::default(), false).is_scanned());
    }

    #[test]
    fn errors_are_for_people() {
        for (text, error) in [
            (
                "nfc",
                "no rule 'nfc'; the rules are ill-formed, wrong-encoding, bom, nul, replacement-character,",
            ),
            ("not-nfd", "no rule 'not-nfd'; did you mean not-nfc?"),
            ("nul,bidirectional", "no rule 'bidirectional'; did you mean bidi?"),
            ("bom", "bom needs a value: bom=forbid or bom=require"),
            ("bom=yes", "bom takes =forbid or =require, not '=yes'"),
            ("final-newline=", "final-newline takes =require or =forbid, not '='"),
            ("mixed-newlines=CRLF", "mixed-newlines takes =lf, =crlf or =cr, not '=CRLF'"),
            ("nul=forbid", "nul takes no value"),
            ("", "no rule ''; the rules are "),
            ("nul,", "no rule ''; the rules are "),
            ("all=1", "all takes no value"),
        ] {
            let got = Asked::default().rule(text).unwrap_err();
            assert!(got.starts_with(error), "{text}: {got}");
        }
        for (text, error) in [
            ("ill-formed", "ill-formed is what a check is for, and cannot be allowed"),
            ("nul,wrong-encoding", "wrong-encoding is what a check is for, and cannot be allowed"),
            ("contrl", "no rule 'contrl'; did you mean control?"),
            ("bom=forbid", "no rule 'bom=forbid'; "),
        ] {
            let got = Asked::default().allow(text).unwrap_err();
            assert!(got.starts_with(error), "{text}: {got}");
        }
    }
}
