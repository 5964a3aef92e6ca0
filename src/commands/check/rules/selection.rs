//! The rules for a file: those that the command line selects, and those that its configuration requires.

use std::collections::BTreeSet;

use super::{Detection, Rule, Values};
use crate::config::{Demand, Newline, Requirements, RuleList};

/// One of the values of `--rule`.
#[derive(Clone, Copy)]
pub enum Selected {
    /// `all`: every rule.
    All,
    /// A rule without a value.
    Rule(Rule),
    Demand(Rule, Demand),
    Newline(Newline),
}

impl Selected {
    /// Reads `ID` or `ID=VALUE`.
    pub fn parse(text: &str) -> Result<Selected, String> {
        let text = text.trim();
        let (id, value) = text.split_once('=').map_or((text, None), |(id, value)| (id, Some(value)));
        if id == "all" {
            return value.map_or(Ok(Selected::All), |_| Err("all takes no value".to_string()));
        }
        let rule = Rule::parse(id)?;
        let Some(value) = value else {
            return match rule.definition().values {
                Values::DemandOnly => Err(format!("{id} needs a value: {id}=forbid or {id}=require")),
                _ => Ok(Selected::Rule(rule)),
            };
        };
        match (rule.definition().values, value) {
            (Values::None, _) => Err(format!("{id} takes no value")),
            (Values::Newline, _) => Newline::named(value)
                .map(Selected::Newline)
                .ok_or_else(|| format!("{id} takes =lf, =crlf or =cr")),
            (_, "require") => Ok(Selected::Demand(rule, Demand::Require)),
            (_, "forbid") => Ok(Selected::Demand(rule, Demand::Forbid)),
            _ => Err(format!("{id} takes =require or =forbid")),
        }
    }
}

/// The rules that the command line selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    all: bool,
    /// Rules without a value.
    named: BTreeSet<Rule>,
    /// The values of the others.
    valued: Requirements,
    allowed: BTreeSet<Rule>,
}

impl Selection {
    /// Collects the values of `--rule` and `--allow`. Of two for the same rule, the last one counts. `--allow=all`, which is
    /// None, turns off what `--rule` does not name, except that a file cannot be checked as it is in another encoding.
    pub fn new(
        selected: impl IntoIterator<Item = Selected>,
        allowed: impl IntoIterator<Item = Option<Rule>>,
    ) -> Selection {
        let mut selection = Selection::default();
        for one in selected {
            match one {
                Selected::All => selection.all = true,
                Selected::Rule(rule) => _ = selection.named.insert(rule),
                Selected::Demand(Rule::Bom, demand) => selection.valued.bom = Some(demand),
                Selected::Demand(_, demand) => selection.valued.final_newline = Some(demand),
                Selected::Newline(newline) => selection.valued.newline = Some(newline),
            }
        }
        for one in allowed {
            match one {
                Some(rule) => _ = selection.allowed.insert(rule),
                None => {
                    let is_other = |rule: &&Rule| **rule != Rule::WrongEncoding && !selection.names(**rule);
                    let others: Vec<_> = Rule::ALL.iter().filter(is_other).copied().collect();
                    selection.allowed.extend(others);
                }
            }
        }
        selection
    }

    /// Whether a rule was named, not only by `all`.
    fn names(&self, rule: Rule) -> bool {
        let has_value = match rule {
            Rule::Bom => self.valued.bom.is_some(),
            Rule::MixedNewlines => self.valued.newline.is_some(),
            Rule::FinalNewline => self.valued.final_newline.is_some(),
            _ => false,
        };
        has_value || self.named.contains(&rule)
    }

    /// Whether `--allow=all` leaves no rule.
    pub fn is_empty(&self) -> bool {
        self.allowed.contains(&Rule::IllFormed) && !Rule::ALL.iter().any(|rule| self.names(*rule))
    }

    /// Makes sure that ill-formed sequences are found: a repair must not add some.
    pub fn find_ill_formed(&mut self) {
        self.allowed.remove(&Rule::IllFormed);
    }

    /// Turns a rule on, unless it is allowed.
    pub fn turn_on(&mut self, rule: Rule) {
        self.named.insert(rule);
    }

    /// Returns a rule that was named and compares a file with an old version.
    pub fn needing_old_version(&self) -> Option<Rule> {
        self.named.difference(&self.allowed).copied().find(|rule| rule.compares_versions())
    }

    /// Returns this selection together with that of a configuration file. Where they contradict each other, this one
    /// decides.
    pub fn over(&self, list: &RuleList) -> Selection {
        let selected = list.rules.iter().filter_map(|rule| Selected::parse(rule).ok());
        let allowed = list.allow.iter().filter_map(|rule| Rule::allowed(rule).ok().flatten());
        let mut both = Selection::new(selected, allowed.map(Some));
        let Selection { all, named, valued, allowed } = self;
        both.allowed.retain(|rule| !self.names(*rule));
        both.all |= all;
        both.named.extend(named);
        both.allowed.extend(allowed);
        both.valued = Requirements {
            bom: valued.bom.or(both.valued.bom),
            newline: valued.newline.or(both.valued.newline),
            final_newline: valued.final_newline.or(both.valued.final_newline),
            ..Requirements::default()
        };
        both
    }

    /// Reads a rule of a configuration file, in the list of that key.
    pub fn read(key: &str, rule: &str) -> Result<(), String> {
        match key {
            "allow" => Rule::allowed(rule)?
                .map(|_| ())
                .ok_or_else(|| "all is a value of --allow only; list the rules".to_string()),
            _ => Selected::parse(rule).map(|_| ()),
        }
    }

    /// Whether every file must begin with a BOM.
    pub fn requires_bom(&self) -> bool {
        self.valued.bom == Some(Demand::Require) && !self.allowed.contains(&Rule::Bom)
    }

    /// Returns the rules for a file with these requirements. `may_have_no_bom` is whether its encoding works without a
    /// BOM: then `all` forbids it.
    pub fn rules(&self, required: &Requirements, may_have_no_bom: bool) -> Rules {
        let is_allowed = |rule| self.allowed.contains(&rule);
        let is_on = |rule: Rule| (self.all || self.named.contains(&rule)) && !is_allowed(rule);

        let any_bom = (self.all && may_have_no_bom).then_some(Demand::Forbid);
        let newline = self.valued.newline.or(required.newline).map(Newlines::All);
        let any_newline = is_on(Rule::MixedNewlines).then_some(Newlines::Same);
        let any_final_newline = is_on(Rule::FinalNewline).then_some(Demand::Require);
        let final_newline = self.valued.final_newline.or(required.final_newline).or(any_final_newline);
        let mut plain = [false; Rule::ALL.len()];
        for rule in Rule::ALL {
            plain[*rule as usize] = rule.is_plain() && is_on(*rule);
        }
        Rules {
            bom: self.valued.bom.or(required.bom).or(any_bom).filter(|_| !is_allowed(Rule::Bom)),
            newlines: newline.or(any_newline).filter(|_| !is_allowed(Rule::MixedNewlines)),
            final_newline: final_newline.filter(|_| !is_allowed(Rule::FinalNewline)),
            plain,
            hides_ill_formed: is_allowed(Rule::IllFormed),
        }
    }
}

/// What the newlines of a file must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newlines {
    /// All of one kind.
    Same,
    /// All of this kind.
    All(Newline),
}

/// The rules for one file, besides those that are always on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    pub bom: Option<Demand>,
    pub newlines: Option<Newlines>,
    pub final_newline: Option<Demand>,
    /// Which of the others are on.
    plain: [bool; Rule::ALL.len()],
    /// Ill-formed sequences are not reported.
    pub hides_ill_formed: bool,
}

impl Rules {
    /// Iterates over the rules that are on.
    pub fn iter(&self) -> impl Iterator<Item = Rule> {
        let valued = [
            (Rule::Bom, self.bom.is_some()),
            (Rule::MixedNewlines, self.newlines.is_some()),
            (Rule::FinalNewline, self.final_newline.is_some()),
        ];
        let valued = valued.into_iter().filter_map(|(rule, is_on)| is_on.then_some(rule));
        valued.chain(Rule::ALL.iter().copied().filter(|rule| self.plain[*rule as usize]))
    }

    /// The rules that are only about newlines and blanks, which have the same bytes in every encoding with ASCII.
    pub fn of_lines(&self) -> Rules {
        let mut lines = Rules { bom: None, plain: [false; Rule::ALL.len()], ..*self };
        for rule in [Rule::TrailingWhitespace, Rule::BlankLinesAtEnd] {
            lines.plain[rule as usize] = self.plain[rule as usize];
        }
        lines
    }

    /// Whether a rule is on.
    pub fn has(&self, rule: Rule) -> bool {
        self.iter().any(|one| one == rule)
    }

    /// Returns a rule that cannot be checked in a range of a file: what it looks for may cross the end of a range.
    pub fn needing_whole_file(&self) -> Option<Rule> {
        self.iter().filter(|rule| rule.needs_whole_file()).min()
    }

    /// Whether some compare a file with its old version.
    pub fn compare_versions(&self) -> bool {
        self.iter().any(Rule::compares_versions)
    }

    /// Whether well-formed text must be scanned too. The BOM is not part of the text.
    pub fn needs_text(&self) -> bool {
        let is_elsewhere = |rule: Rule| matches!(rule.detection(), Detection::Decoder | Detection::Ends);
        self.iter().any(|rule| !is_elsewhere(rule) && !rule.compares_versions())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(rules: &[&str], allowed: &[&str]) -> Selection {
        let items = |lists: &[&str]| lists.join(",").split(',').map(str::to_string).collect::<Vec<_>>();
        let rules = items(rules).into_iter().filter(|item| !item.is_empty());
        let allowed = items(allowed).into_iter().filter(|item| !item.is_empty());
        Selection::new(
            rules.map(|item| Selected::parse(&item).expect("a rule")),
            allowed.map(|item| Rule::allowed(&item).expect("a rule")),
        )
    }

    #[test]
    fn allow_takes_precedence_over_all() {
        let all = Rules {
            bom: Some(Demand::Forbid),
            newlines: Some(Newlines::Same),
            final_newline: Some(Demand::Require),
            plain: std::array::from_fn(|number| Rule::ALL[number].is_plain()),
            hides_ill_formed: false,
        };
        assert_eq!(all.iter().count(), Rule::ALL.len() - 2);
        let none = Requirements::default();
        assert_eq!(selected(&["all"], &[]).rules(&none, true), all);
        assert_eq!(selected(&["all"], &[]).rules(&none, false), Rules { bom: None, ..all });
        let ids: Vec<_> = Rule::ALL[2..].iter().map(|rule| rule.id()).collect();
        let everything = Requirements {
            encoding: None,
            bom: Some(Demand::Require),
            newline: Some(Newline::Cr),
            final_newline: Some(Demand::Forbid),
            ..Requirements::default()
        };
        for rules in [&["all"][..], &["bom=require,mixed-newlines=lf", "final-newline=forbid,nul"]] {
            assert_eq!(selected(rules, &[&ids.join(",")]).rules(&everything, true), Rules::default());
        }
        assert_eq!(selected(&["ill-formed,wrong-encoding"], &[]).rules(&none, true), Rules::default());
    }

    #[test]
    fn values_take_precedence_over_configuration_and_that_over_all() {
        let required = Requirements {
            encoding: None,
            bom: Some(Demand::Require),
            newline: Some(Newline::Crlf),
            final_newline: Some(Demand::Forbid),
            ..Requirements::default()
        };
        let expected = Rules {
            bom: required.bom,
            newlines: Some(Newlines::All(Newline::Crlf)),
            final_newline: required.final_newline,
            ..Rules::default()
        };
        assert_eq!(Selection::default().rules(&required, true), expected);
        // Without a value, the configuration decides.
        assert_eq!(selected(&["mixed-newlines,final-newline"], &[]).rules(&required, true), expected);
        let all = selected(&["all"], &[]).rules(&required, true);
        let of = |rules: &Rules| (rules.bom, rules.newlines, rules.final_newline);
        assert_eq!(of(&all), of(&expected));
        let valued = selected(&["bom=forbid", "mixed-newlines=cr,final-newline=require", "all"], &[]);
        assert_eq!(
            of(&valued.rules(&required, true)),
            (Some(Demand::Forbid), Some(Newlines::All(Newline::Cr)), Some(Demand::Require)),
        );
    }

    #[test]
    fn the_command_line_takes_precedence_over_utfconv_toml() {
        let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
        let list = |rules: &[&str], allow: &[&str]| RuleList { rules: words(rules), allow: words(allow) };
        let none = Requirements::default();
        for (command_line, below, expected) in [
            ((&[][..], &[][..]), list(&["nul", "bom=forbid"], &[]), (&["nul,bom=forbid"][..], &[][..])),
            ((&["bom=require"], &["nul"]), list(&["nul", "bom=forbid"], &[]), (&["bom=require"], &[])),
            ((&["nul"], &[]), list(&["all"], &["nul", "bidi"]), (&["all"], &["bidi"])),
            ((&["final-newline"], &[]), list(&[], &["final-newline"]), (&["final-newline"], &[])),
            (
                (&["nul"], &["all"]),
                list(&["bidi", "bom=forbid", "mixed-newlines=lf"], &[]),
                (&["nul"], &["all"]),
            ),
            ((&["bom=require"], &["all"]), list(&["all"], &[]), (&["bom=require"], &["all"])),
            ((&["all"], &["all"]), list(&["nul"], &[]), (&[], &["all"])),
        ] {
            let both = selected(command_line.0, command_line.1).over(&below);
            assert_eq!(
                both.rules(&none, true),
                selected(expected.0, expected.1).rules(&none, true),
                "{below:?}"
            );
        }
    }

    #[test]
    fn the_last_value_counts() {
        let rules = selected(&["bom=require", "bom=forbid"], &[]).rules(&Requirements::default(), false);
        assert_eq!(rules, Rules { bom: Some(Demand::Forbid), ..Rules::default() });
        assert!(!rules.needs_text());
        assert!(selected(&["nul"], &[]).rules(&Requirements::default(), false).needs_text());
    }

    #[test]
    fn errors_name_the_problem() {
        for (text, error) in [
            (
                "utf8",
                "no such rule; the rules are ill-formed, wrong-encoding, bom, nul, replacement-character,",
            ),
            ("nfc", "no such rule; did you mean not-nfc?"),
            ("newlines", "no such rule; did you mean mixed-newlines or changed-newlines?"),
            ("not-nfd", "no such rule; did you mean not-nfc?"),
            ("bidirectional", "no such rule; did you mean bidi?"),
            ("bom", "bom needs a value: bom=forbid or bom=require"),
            ("bom=yes", "bom takes =require or =forbid"),
            ("final-newline=", "final-newline takes =require or =forbid"),
            ("mixed-newlines=CRLF", "mixed-newlines takes =lf, =crlf or =cr"),
            ("nul=forbid", "nul takes no value"),
            ("", "no such rule; the rules are "),
            ("all=1", "all takes no value"),
        ] {
            let got = Selected::parse(text).err().expect("an error");
            assert!(got.starts_with(error), "{text}: {got}");
        }
        for (text, error) in [
            ("ill-formed", "this rule cannot be turned off"),
            ("wrong-encoding", "this rule cannot be turned off"),
            ("contrl", "no such rule; did you mean control?"),
            ("bom=forbid", "no such rule; "),
        ] {
            let got = Rule::allowed(text).expect_err("an error");
            assert!(got.starts_with(error), "{text}: {got}");
        }
    }
}
