//! Groups of rules, each with a name for the command line.

use super::Rule;

/// Rules that a single name turns on or off.
pub struct Group {
    pub id: &'static str,
    /// The purpose of the group, in a few words.
    pub title: &'static str,
    pub rules: &'static [Rule],
}

impl Group {
    pub const ALL: &[Group] = &[
        Group {
            id: "security",
            title: "Rules against text that deceives reviewers",
            rules: &[
                Rule::Control,
                Rule::Bidi,
                Rule::Invisible,
                Rule::HiddenText,
                Rule::MixedScripts,
                Rule::InnerBom,
            ],
        },
        Group {
            id: "assignables",
            title: "Rules for Unicode Assignables (RFC 9839)",
            rules: &[Rule::Nul, Rule::Noncharacter, Rule::Control],
        },
    ];

    /// True if the group has the rule with this id.
    pub fn has(&self, id: &str) -> bool {
        self.rules.iter().any(|rule| rule.id() == id)
    }

    /// Returns the text of `--explain`.
    pub fn explained(&self) -> String {
        let rules = self.rules.iter().map(|rule| format!("\n{}\n{}", rule.id(), rule.definition().summary()));
        format!("{}.\n{}", self.title, rules.collect::<String>())
    }
}
