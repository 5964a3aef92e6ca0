//! The rules for a file: those that the command line selects, and those that its configuration requires.

use std::collections::BTreeSet;

use super::{Detection, Rule, Values, unknown};
use crate::config::{Demand, Newline, Requirements};

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
    /// Adds the value of one `--rule`: `ID[=VALUE][,ID...]`, where `all` means every rule.
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
            let Some(value) = value else {
                if rule.definition().values == Values::DemandOnly {
                    return Err(format!("{id} needs a value: {id}=forbid or {id}=require"));
                }
                self.named.insert(rule);
                continue;
            };
            self.set(rule, value).ok_or_else(|| match rule.definition().values {
                Values::None => format!("{id} takes no value"),
                Values::Demand => format!("{id} takes =require or =forbid, not '={value}'"),
                Values::DemandOnly => format!("{id} takes =forbid or =require, not '={value}'"),
                Values::Newline => format!("{id} takes =lf, =crlf or =cr, not '={value}'"),
            })?;
        }
        Ok(())
    }

    /// Adds the value of one `--allow`: `ID[,ID...]`.
    pub fn allow(&mut self, text: &str) -> Result<(), String> {
        for id in text.split(',').map(str::trim) {
            let rule = Rule::named(id).ok_or_else(|| unknown(id))?;
            if !rule.definition().is_optional {
                return Err(format!("{id} cannot be turned off"));
            }
            self.allowed.insert(rule);
        }
        Ok(())
    }

    /// Sets the value of a rule; None if it does not take this one.
    fn set(&mut self, rule: Rule, value: &str) -> Option<()> {
        match rule {
            Rule::Bom => self.valued.bom = Some(demand(value)?),
            Rule::FinalNewline => self.valued.final_newline = Some(demand(value)?),
            Rule::MixedNewlines => self.valued.newline = Some(Newline::named(value)?),
            _ => return None,
        }
        Some(())
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

    /// Returns a rule that cannot be checked in a range of a file: what it looks for may cross the end of a range.
    pub fn needing_whole_file(&self) -> Option<Rule> {
        self.iter().filter(|rule| rule.needs_whole_file()).min()
    }

    /// Whether well-formed text must be scanned too. The BOM is not part of the text.
    pub fn needs_text(&self) -> bool {
        self.iter().any(|rule| !matches!(rule.detection(), Detection::Decoder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(rules: &[&str], allowed: &[&str]) -> Selection {
        let mut selection = Selection::default();
        rules.iter().for_each(|text| selection.rule(text).unwrap());
        allowed.iter().for_each(|text| selection.allow(text).unwrap());
        selection
    }

    #[test]
    fn allow_takes_precedence_over_all() {
        let all = Rules {
            bom: Some(Demand::Forbid),
            newlines: Some(Newlines::Same),
            final_newline: Some(Demand::Require),
            plain: std::array::from_fn(|number| Rule::ALL[number].is_plain()),
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
            let got = Selection::default().rule(text).unwrap_err();
            assert!(got.starts_with(error), "{text}: {got}");
        }
        for (text, error) in [
            ("ill-formed", "ill-formed cannot be turned off"),
            ("nul,wrong-encoding", "wrong-encoding cannot be turned off"),
            ("contrl", "no rule 'contrl'; did you mean control?"),
            ("bom=forbid", "no rule 'bom=forbid'; "),
        ] {
            let got = Selection::default().allow(text).unwrap_err();
            assert!(got.starts_with(error), "{text}: {got}");
        }
    }
}
