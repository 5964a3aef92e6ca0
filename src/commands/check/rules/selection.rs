//! The rules for a file, which the command line selects or the configuration of the file requires.

use std::collections::{BTreeMap, BTreeSet};

use super::{Detection, On, Rule};
use crate::config::{Demand, Requirements, RuleList};
use crate::ui::names::either;

/// The value of a rule that is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The value of a rule that is named without a value.
    Default,
    /// The index of the word for the value in [`Values::words`](super::Values::words).
    Word(u8),
}

impl Value {
    pub fn of_demand(demand: Demand) -> Value {
        Value::Word(demand as u8)
    }

    /// Returns the demand of a rule whose words are `require` and `forbid`; the default is `require`.
    pub fn demand(self) -> Demand {
        if self == Value::of_demand(Demand::Forbid) { Demand::Forbid } else { Demand::Require }
    }
}

/// A value of `--rule`.
#[derive(Clone, Copy)]
pub enum Selected {
    /// Every rule, for the value `all`.
    All,
    /// A rule or a group, and the value of the rule.
    Rules(&'static [Rule], Value),
}

impl Selected {
    /// Parses `ID` or `ID=VALUE`.
    pub fn parse(text: &str) -> Result<Selected, String> {
        let text = text.trim();
        let (id, word) = text.split_once('=').map_or((text, None), |(id, word)| (id, Some(word)));
        if id == "all" {
            return word.map_or(Ok(Selected::All), |_| Err("all takes no value".to_string()));
        }
        let rules = Rule::parse(id)?;
        // Groups have no rules with values, so the first rule decides.
        let values = &rules[0].definition().values;
        let all =
            |before: &str| values.words.iter().map(|known| format!("{before}={known}")).collect::<Vec<_>>();
        let number = |word| values.words.iter().position(|known| *known == word);
        let value = match (word, word.and_then(number)) {
            (None, _) if values.needs_word => {
                let spellings: Vec<_> = all(id).into_iter().rev().collect();
                return Err(format!("{id} needs a value: {}", listed(&spellings)));
            }
            (None, _) => Value::Default,
            (_, Some(number)) => Value::Word(number as u8),
            _ if values.words.is_empty() => return Err(format!("{id} takes no value")),
            _ => return Err(format!("{id} takes {}", listed(&all("")))),
        };
        Ok(Selected::Rules(rules, value))
    }
}

fn listed(spellings: &[String]) -> String {
    either(&spellings.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The rules that the command line selects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    all: bool,
    named: BTreeMap<Rule, Value>,
    allowed: BTreeSet<Rule>,
}

impl Selection {
    /// Collects the values of `--rule` and `--allow`. The last value for a rule counts. `None` stands for
    /// `--allow=all`, which turns off every rule that `--rule` does not name, except [`Rule::WrongEncoding`].
    pub fn new(
        selected: impl IntoIterator<Item = Selected>,
        allowed: impl IntoIterator<Item = Option<&'static [Rule]>>,
    ) -> Selection {
        let mut selection = Selection::default();
        for one in selected {
            match one {
                Selected::All => selection.all = true,
                Selected::Rules(rules, value) => rules.iter().for_each(|rule| selection.name(*rule, value)),
            }
        }
        for one in allowed {
            match one {
                Some(rules) => selection.allowed.extend(rules),
                None => {
                    let is_other = |rule: &&Rule| **rule != Rule::WrongEncoding && !selection.names(**rule);
                    let others: Vec<_> = Rule::ALL.iter().filter(is_other).copied().collect();
                    selection.allowed.extend(others);
                }
            }
        }
        selection
    }

    /// Names a rule. A rule that is named again without a value keeps its value.
    fn name(&mut self, rule: Rule, value: Value) {
        let named = self.named.entry(rule).or_insert(value);
        if value != Value::Default {
            *named = value;
        }
    }

    /// True if a rule was named, other than by `all`.
    fn names(&self, rule: Rule) -> bool {
        self.named.contains_key(&rule)
    }

    /// True if `--allow=all` leaves no rule.
    pub fn is_empty(&self) -> bool {
        self.allowed.contains(&Rule::IllFormed) && self.named.is_empty()
    }

    /// Turns on the search for ill-formed sequences, because a repair must not add any.
    pub fn find_ill_formed(&mut self) {
        self.allowed.remove(&Rule::IllFormed);
    }

    /// Turns on the rules for the request `on`, except allowed rules.
    pub fn turn_on(&mut self, on: On) {
        let rules = Rule::ALL.iter().filter(|rule| rule.definition().on == on);
        rules.for_each(|rule| self.name(*rule, Value::Default));
    }

    /// Returns a named rule that compares a file with an old version, if any.
    pub fn needing_old_version(&self) -> Option<Rule> {
        self.named.keys().copied().find(|rule| rule.compares_versions() && !self.allowed.contains(rule))
    }

    /// Returns this selection combined with the list of a configuration file. If both name a rule, this selection takes
    /// precedence.
    pub fn over(&self, list: &RuleList) -> Selection {
        let selected = list.rules.iter().filter_map(|rule| Selected::parse(rule).ok());
        let allowed = list.allow.iter().filter_map(|rule| Rule::allowed(rule).ok().flatten());
        let mut both = Selection::new(selected, allowed.map(Some));
        both.allowed.retain(|rule| !self.names(*rule));
        both.all |= self.all;
        self.named.iter().for_each(|(rule, value)| both.name(*rule, *value));
        both.allowed.extend(&self.allowed);
        both
    }

    /// Validates a rule in the list `key` of a configuration file.
    pub fn read(key: &str, rule: &str) -> Result<(), String> {
        match key {
            "allow" => Rule::allowed(rule)?
                .map(|_| ())
                .ok_or_else(|| "all is a value of --allow only; list the rules".to_string()),
            _ => Selected::parse(rule).map(|_| ()),
        }
    }

    /// True if every file must begin with a BOM.
    pub fn requires_bom(&self) -> bool {
        let value = self.named.get(&Rule::Bom).filter(|_| !self.allowed.contains(&Rule::Bom));
        value.is_some_and(|value| value.demand() == Demand::Require)
    }

    /// Returns the rules for a file whose configuration requires `required`. `may_have_no_bom` is true if the
    /// encoding of the file works without a BOM; `all` then forbids a BOM.
    pub fn rules(&self, required: &Requirements, may_have_no_bom: bool) -> Rules {
        let mut rules =
            Rules { hides_ill_formed: self.allowed.contains(&Rule::IllFormed), ..Rules::default() };
        for rule in Rule::ALL {
            let definition = rule.definition();
            if definition.on == On::Always || self.allowed.contains(rule) {
                continue;
            }
            let named = self.named.get(rule).copied();
            let configured = || definition.values.configured?(required);
            let in_all = || (definition.values.in_all)(may_have_no_bom).filter(|_| self.all);
            let value = named.filter(|value| *value != Value::Default).or_else(configured);
            rules.values[*rule as usize] = value.or(named).or_else(in_all);
        }
        rules
    }
}

/// The rules for a file, except the rules that are always on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    values: [Option<Value>; Rule::ALL.len()],
    /// True if ill-formed sequences are not reported.
    pub hides_ill_formed: bool,
}

impl Rules {
    /// Iterates over the rules that are on.
    pub fn iter(&self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(|rule| self.has(*rule))
    }

    /// Returns the value of a rule; `None` if the rule is off.
    pub fn value(&self, rule: Rule) -> Option<Value> {
        self.values[rule as usize]
    }

    /// Returns the demand of a rule whose words are `require` and `forbid`; `None` if the rule is off.
    pub fn demand(&self, rule: Rule) -> Option<Demand> {
        self.value(rule).map(Value::demand)
    }

    pub fn has(&self, rule: Rule) -> bool {
        self.value(rule).is_some()
    }

    pub fn turn_off(&mut self, rule: Rule) {
        self.values[rule as usize] = None;
    }

    /// Returns the rules that concern only newlines, spaces and tabs, which have the same bytes in every encoding
    /// that extends ASCII.
    pub fn of_lines(&self) -> Rules {
        let mut lines = *self;
        let is_other = |rule: &Rule| !matches!(rule.detection(), Detection::Newlines | Detection::Lines(_));
        self.iter().filter(is_other).for_each(|rule| lines.turn_off(rule));
        lines
    }

    /// Returns a rule that cannot be checked in a range of a file, because an error may cross the end of the range.
    pub fn needing_whole_file(&self) -> Option<Rule> {
        self.iter().find(|rule| rule.needs_whole_file())
    }

    /// True if some of the rules compare a file with its old version.
    pub fn compare_versions(&self) -> bool {
        self.iter().any(Rule::compares_versions)
    }

    /// True if the scan finds all errors in well-formed text within a run, without regard to other runs.
    pub fn finds_within_runs(&self) -> bool {
        let is_within = |rule: Rule| {
            matches!(rule.detection(), Detection::Character(_) | Detection::Sequence(_) | Detection::Pass(_))
        };
        self.iter().filter(|rule| rule.needs_text()).all(is_within)
    }

    /// True if some rule needs the scan of well-formed text, which does not include the BOM.
    pub fn needs_text(&self) -> bool {
        self.iter().any(Rule::needs_text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::rules::Newlines;
    use crate::config::Newline;

    /// Returns rules with the values in `values`; all other rules are off.
    fn with(values: &[(Rule, Value)]) -> Rules {
        let mut rules = Rules::default();
        values.iter().for_each(|(rule, value)| rules.values[*rule as usize] = Some(*value));
        rules
    }

    /// Returns the values of `bom`, `mixed-newlines` and `final-newline`.
    fn demands(rules: &Rules) -> (Option<Demand>, Option<Newlines>, Option<Demand>) {
        (rules.demand(Rule::Bom), Newlines::of(rules), rules.demand(Rule::FinalNewline))
    }

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
        let in_all = |rule: &Rule| Some((*rule, (rule.definition().values.in_all)(true)?));
        let all = with(&Rule::ALL[2..].iter().filter_map(in_all).collect::<Vec<_>>());
        assert_eq!(demands(&all), (Some(Demand::Forbid), Some(Newlines::Same), Some(Demand::Require)));
        assert_eq!(all.iter().count(), Rule::ALL.len() - 2);
        let none = Requirements::default();
        assert_eq!(selected(&["all"], &[]).rules(&none, true), all);
        let mut without_bom = all;
        without_bom.turn_off(Rule::Bom);
        assert_eq!(selected(&["all"], &[]).rules(&none, false), without_bom);
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
        let expected = with(&[
            (Rule::Bom, Value::of_demand(Demand::Require)),
            (Rule::MixedNewlines, Value::Word(Newline::Crlf as u8)),
            (Rule::FinalNewline, Value::of_demand(Demand::Forbid)),
        ]);
        let of_required = (required.bom, Some(Newlines::All(Newline::Crlf)), required.final_newline);
        assert_eq!(demands(&expected), of_required);
        assert_eq!(Selection::default().rules(&required, true), expected);
        // The configuration decides for a rule that is named without a value.
        assert_eq!(selected(&["mixed-newlines,final-newline"], &[]).rules(&required, true), expected);
        let all = selected(&["all"], &[]).rules(&required, true);
        assert_eq!(demands(&all), demands(&expected));
        let valued = selected(&["bom=forbid", "mixed-newlines=cr,final-newline=require", "all"], &[]);
        assert_eq!(
            demands(&valued.rules(&required, true)),
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
        assert_eq!(rules, with(&[(Rule::Bom, Value::of_demand(Demand::Forbid))]));
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
