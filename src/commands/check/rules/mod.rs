//! The rules that a file can break. Each rule has a separate file in this directory, with its [`Definition`].
//!
//! To add a rule, write the file of the rule, and add a row to `rules!`. Command line, reports, `--explain`, man page
//! and scan use these rows.

mod groups;
mod look_alikes;
mod selection;
mod standardized;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Range;
use std::slice;

use utfconv_core::Encoding;
use utfconv_scan::marks::{Marks, Start};

use super::scan::Follow;
use crate::config::Requirements;
use crate::ui::names::either;

pub use blank_lines_at_end::split as split_blank_lines;
pub use control::in_windows_1252;
pub use double_encoded::why as why_double_encoded;
pub use groups::Group;
pub use hidden_text::is_inside_run;
pub use inner_bom::Before;
pub use mixed_newlines::{Newlines, with_newlines};
pub use selection::{Rules, Selected, Selection, Value};
pub use trailing_whitespace::is_blank;

/// Declares the module of each rule and makes the type [`Rule`], in the order in which rules are listed everywhere.
/// rustfmt does not see modules that a macro declares, so `.ci/run` names the files of rules.
macro_rules! rules {
    ($($rule:ident: $module:ident,)*) => {
        $(mod $module;)*

        /// A rule that a file can break.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($rule,)*
        }

        impl Rule {
            pub const ALL: &[Rule] = &[$(Rule::$rule,)*];

            pub fn definition(self) -> &'static Definition {
                match self {
                    $(Rule::$rule => &$module::RULE,)*
                }
            }
        }
    };
}
rules! {
    IllFormed: ill_formed,
    WrongEncoding: wrong_encoding,
    Bom: bom,
    Nul: nul_character,
    ReplacementCharacter: replacement_character,
    Noncharacter: noncharacter,
    Control: control,
    Bidi: bidi,
    Invisible: invisible,
    HiddenText: hidden_text,
    MixedScripts: mixed_scripts,
    InnerBom: inner_bom,
    MixedNewlines: mixed_newlines,
    FinalNewline: final_newline,
    TrailingWhitespace: trailing_whitespace,
    BlankLinesAtEnd: blank_lines_at_end,
    NotNfc: not_nfc,
    DoubleEncoded: double_encoded,
    Declaration: declaration,
    LostCharacters: lost_characters,
    MixedEncodings: mixed_encodings,
    ChangedEncoding: changed_encoding,
    ChangedBom: changed_bom,
    ChangedNewlines: changed_newlines,
}

/// The properties of a rule.
pub struct Definition {
    /// The name of the rule on the command line and in reports.
    id: &'static str,
    /// The error in a file that breaks the rule, in a few words.
    pub title: &'static str,
    values: Values,
    /// The text of `--explain`, in lines of at most 78 columns. The text says what the error means, why it matters, and
    /// how to repair a file.
    pub explanation: &'static str,
    /// The standards that define the rule, for the end of a sentence; empty if no standard does.
    standards: &'static str,
    /// Whether and how `check --fix` repairs a file that breaks the rule.
    pub fix: Fix,
    pub severity: Severity,
    on: On,
    /// True if an error concerns the file as a whole, and not the line where the error is reported.
    pub is_about_file: bool,
    detection: Detection,
}

/// The values that may follow the name of a rule on the command line.
pub struct Values {
    /// The words for the values. Without words, the rule takes no value.
    pub words: &'static [&'static str],
    /// True if the name of the rule without a value is refused.
    needs_word: bool,
    /// Reads the value from the property that `.editorconfig` or `.gitattributes` have for the rule; `None` if
    /// neither has a property for it.
    configured: Option<fn(&Requirements) -> Option<Value>>,
    /// Returns the value that `--rule all` gives the rule. The parameter is true if the encoding of the file works
    /// without a BOM.
    in_all: fn(bool) -> Option<Value>,
}

impl Values {
    const NONE: Values =
        Values { words: &[], needs_word: false, configured: None, in_all: |_| Some(Value::Default) };
}

/// The words for the two values of [`Demand`](crate::config::Demand).
const DEMANDS: &[&str] = &["require", "forbid"];

/// The request that turns a rule on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// The rule is always on.
    Always,
    /// `--rule` or the configuration turns the rule on.
    Request,
    /// `--rule`, the configuration or a comparison with old versions turns the rule on.
    OldVersions,
    /// `--rule`, the configuration or a report of only those errors that old versions lack turns the rule on.
    OnlyNew,
}

/// The repair that `check --fix` makes for a rule. The strings end the sentence that [`Definition::explained`] begins;
/// lines of the whole sentence have at most 78 columns.
#[derive(Clone, Copy)]
pub enum Fix {
    /// The rule has no repair, for this reason.
    Never(&'static str),
    /// The writer of the file makes the repair; the string describes the repair and its limits.
    By(&'static str),
    /// The function repairs a text; the string describes the repair and its limits.
    Text(&'static str, Repair),
}

/// Repairs a text, which does not end between CR and LF. Returns a borrowed text if nothing changes.
pub type Repair = for<'t> fn(&'t str, &Place) -> Cow<'t, str>;

/// The position of the text to repair in its file, and the value of the rule.
pub struct Place {
    pub value: Value,
    pub before: Before,
    /// True if the text ends the file.
    pub is_last: bool,
}

/// The severity of an error, for report formats with severities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Major,
    Minor,
}

/// The part of `check` that finds the text that breaks a rule.
pub enum Detection {
    /// The checker, or the look at the first bytes of a file, finds the errors.
    Decoder,
    /// The scan finds the errors, which are single characters.
    Character(Character),
    /// The scan finds the errors where their first characters may begin.
    Sequence(Sequence),
    /// The scan finds the errors in a separate pass through each run of text.
    Pass(Pass),
    /// The scan finds the errors in windows of the file.
    Document,
    /// The scan finds the errors by counting the newlines of a file.
    Newlines,
    /// The scan finds the errors by a [`Follow`], made by this function, which follows the text from run to run.
    Lines(fn(Value) -> Box<dyn Follow>),
    /// The errors are found in the first and last bytes of a file.
    HeadAndTail,
    /// A comparison with the old version of a file, if there is an old version, finds text to restore.
    Lost,
    /// A comparison with the old version of a file, if there is an old version, finds a change.
    Change(Compare),
}

/// How to find characters that break a rule.
pub struct Character {
    /// First bytes of the characters; other characters may begin with the same bytes.
    pub start: Start,
    pub is_forbidden: fn(u32) -> bool,
    /// Explains the finding.
    why: fn(u32) -> Why,
}

/// How to find texts of several characters that break a rule.
pub struct Sequence {
    /// First bytes of the texts; texts that break no rule may begin with the same bytes.
    pub start: Start,
    pub find: FindAt,
    why: fn(&[u8]) -> Why,
}

/// Calls a function for each byte range of a text that breaks a rule, near a byte at which such a range may begin. The
/// first offset is where the previous search ended, the second offset is that of the byte. Returns where this search
/// ended.
pub type FindAt = fn(&[u8], usize, usize, &mut dyn FnMut(Range<usize>)) -> usize;

/// Returns the change from the old version to the new version, in words, and the position of the change in the new
/// version.
pub type Compare = fn(&Version, &Version) -> Option<Change>;

/// A version of a file.
pub struct Version<'a> {
    /// The name of the version in messages. The name of a new version is quoted as an argument of commands.
    pub name: &'a str,
    pub content: &'a [u8],
    /// The encoding that was given, configured or declared. An old version without such an encoding has the detected
    /// encoding.
    pub read_as: Option<&'static Encoding>,
    /// The encoding that is detected from the content, without regard to declarations.
    encoding: LazyCell<Option<&'static Encoding>, Box<dyn FnOnce() -> Option<&'static Encoding> + 'a>>,
}

impl<'a> Version<'a> {
    /// Makes a version. `detect` returns the encoding that is detected from the content, or `None` if the encoding is
    /// only a guess.
    pub fn new(
        name: &'a str,
        content: &'a [u8],
        read_as: Option<&'static Encoding>,
        detect: impl FnOnce() -> Option<&'static Encoding> + 'a,
    ) -> Version<'a> {
        Version { name, content, read_as, encoding: LazyCell::new(Box::new(detect)) }
    }
}

/// The first change between two versions.
pub struct Change {
    pub text: String,
    /// Offset in bytes, and number, of the line in the new version for which the change is reported.
    pub line: (u64, u64),
}

impl Change {
    /// Returns a change of the whole file, reported for line 1.
    fn of_file(text: String) -> Option<Change> {
        Some(Change { text, line: (0, 1) })
    }
}

/// Calls a function for each range of a text that breaks a rule.
pub type Find = fn(&[u8], &mut dyn FnMut(Range<usize>));

/// A rule that is checked in a separate pass, and the explanation of a range that breaks the rule.
pub struct Pass {
    pub find: Find,
    why: fn(&[u8]) -> Why,
}

/// Why a text breaks a rule.
#[derive(Debug)]
pub struct Why {
    /// Replaces the title of the rule and the bytes in the message.
    pub title: Option<String>,
    pub text: String,
    /// Further facts about the text, if certain.
    pub hint: Option<String>,
}

impl From<String> for Why {
    fn from(text: String) -> Why {
        Why { title: None, text, hint: None }
    }
}

impl From<&str> for Why {
    fn from(text: &str) -> Why {
        text.to_string().into()
    }
}

impl Definition {
    /// Returns a definition with the repair `fix`; all other fields have the values that most rules share.
    const fn with(fix: Fix) -> Definition {
        Definition {
            id: "",
            title: "",
            values: Values::NONE,
            explanation: "",
            standards: "",
            fix,
            severity: Severity::Minor,
            on: On::Request,
            is_about_file: false,
            detection: Detection::Decoder,
        }
    }

    /// Returns the text of `--explain`.
    pub fn explained(&self) -> String {
        let fix = match self.fix {
            Fix::Never(why) => format!("--fix does not repair this, because {why}."),
            Fix::By(how) | Fix::Text(how, _) => format!("--fix {how}"),
        };
        format!("{}\n{fix}\n\n{}", self.explanation, self.facts())
    }

    /// Returns lines that say what turns the rule on, its values, its groups and its standards.
    fn facts(&self) -> String {
        let on = match self.on {
            On::Always => "always",
            On::Request if self.values.configured.is_some() => {
                "by --rule, utfconv.toml, .editorconfig or .gitattributes"
            }
            On::Request => "by --rule or utfconv.toml",
            On::OldVersions => "by --since and --staged",
            On::OnlyNew => "by --since and --staged, without --all-errors",
        };
        let groups: Vec<_> =
            Group::ALL.iter().filter(|group| group.has(self.id)).map(|group| group.id).collect();
        let facts = [
            ("On", on),
            ("Values", &self.values.words.join(", ")),
            ("Groups", &groups.join(", ")),
            ("Standards", self.standards),
        ];
        let facts = facts.into_iter().filter(|(_, fact)| !fact.is_empty());
        facts.map(|(name, fact)| format!("{name}: {fact}.\n")).collect()
    }

    /// Returns the first sentence of the explanation, in indented lines.
    pub fn summary(&self) -> String {
        let text = self.explanation.split("\n\n").next().unwrap_or_default();
        let end =
            [". ", ".\n"].iter().filter_map(|end| text.find(end)).min().map_or(text.len(), |dot| dot + 1);
        text[..end].lines().map(|line| format!("  {line}\n")).collect()
    }
}

impl Rule {
    /// Returns the name of the rule on the command line and in reports.
    pub fn id(self) -> &'static str {
        self.definition().id
    }

    /// Returns the possible values of `--rule`: the id, unless the rule needs a value, and the id with each value.
    pub fn spellings(self) -> impl Iterator<Item = String> {
        let Values { words, needs_word, .. } = &self.definition().values;
        let default = (!needs_word).then_some(Value::Default);
        default
            .into_iter()
            .chain((0..words.len() as u8).map(Value::Word))
            .map(move |value| self.spelling(value))
    }

    /// Returns the id of the rule with a value, like `bom=require`.
    pub fn spelling(self, value: Value) -> String {
        match value {
            Value::Default => self.id().to_string(),
            Value::Word(number) => {
                format!("{}={}", self.id(), self.definition().values.words[usize::from(number)])
            }
        }
    }

    /// Returns the rule with this id.
    pub fn for_name(id: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.id() == id)
    }

    /// Returns the rule or the rules of the group that an id names, otherwise an error with similar ids.
    pub fn parse(id: &str) -> Result<&'static [Rule], String> {
        let rule = Rule::for_name(id).map(|rule| slice::from_ref(&Rule::ALL[rule as usize]));
        let group = || Group::ALL.iter().find(|group| group.id == id).map(|group| group.rules);
        rule.or_else(group).ok_or_else(|| match &Rule::similar(&id.to_lowercase())[..] {
            [] => {
                let ids: Vec<_> = Rule::ALL.iter().map(|rule| rule.id()).collect();
                let groups: Vec<_> = Group::ALL.iter().map(|group| group.id).collect();
                format!("no such rule; the rules are {}; groups are {}", ids.join(", "), groups.join(", "))
            }
            similar => format!("no such rule; did you mean {}?", either(similar)),
        })
    }

    /// Returns the ids that have the misspelled `id` as a word, otherwise the most similar id.
    fn similar(id: &str) -> Vec<&'static str> {
        let ids = || Rule::ALL.iter().map(|rule| rule.id()).chain(Group::ALL.iter().map(|group| group.id));
        let with_word: Vec<_> = ids().filter(|rule| rule.split('-').any(|word| word == id)).collect();
        let likeness = |rule: &&str| strsim::jaro_winkler(rule, id);
        let likest = ids().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        if with_word.is_empty() {
            likest.filter(|rule| likeness(rule) > 0.8).into_iter().collect()
        } else {
            with_word
        }
    }

    /// Parses a value of `--allow`. `None` stands for `all`, which allows every rule that `--rule` does not name.
    pub fn allowed(id: &str) -> Result<Option<&'static [Rule]>, String> {
        let id = id.trim();
        if id == "all" {
            return Ok(None);
        }
        match Rule::parse(id)? {
            [rule] if rule.definition().on == On::Always => Err("this rule cannot be turned off".to_string()),
            rules => Ok(Some(rules)),
        }
    }

    pub fn detection(self) -> &'static Detection {
        &self.definition().detection
    }

    /// Explains why `text`, whose first scalar value is `first`, breaks the rule.
    pub fn why(self, text: &[u8], first: u32) -> Why {
        match self.detection() {
            Detection::Character(Character { why, .. }) => why(first),
            Detection::Sequence(Sequence { why, .. }) | Detection::Pass(Pass { why, .. }) => why(text),
            _ => Why::from(self.definition().title),
        }
    }

    /// True if `.editorconfig` or `.gitattributes` have a property for the rule.
    pub fn is_configured(self) -> bool {
        self.definition().values.configured.is_some()
    }

    /// True if the scan of well-formed text finds the errors.
    fn needs_text(self) -> bool {
        let is_elsewhere = matches!(self.detection(), Detection::Decoder | Detection::HeadAndTail);
        !is_elsewhere && !self.compares_versions()
    }

    /// True if the rule compares a file with an old version.
    fn compares_versions(self) -> bool {
        matches!(self.detection(), Detection::Lost | Detection::Change(_))
    }

    /// True if a range of a file is not enough to find all errors.
    fn needs_whole_file(self) -> bool {
        !matches!(self.detection(), Detection::Decoder | Detection::Character(_))
    }
}

/// Returns the search for characters that may break some of `rules`.
pub fn marks(rules: &Rules) -> Marks {
    Marks::new(rules.iter().filter_map(|rule| match rule.detection() {
        Detection::Character(Character { start, .. }) | Detection::Sequence(Sequence { start, .. }) => {
            Some(*start)
        }
        _ => None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::hidden::Kind;

    #[test]
    fn explanations_fit_a_terminal() {
        for rule in Rule::ALL {
            let (id, explanation) = (rule.id(), rule.definition().explanation);
            assert_eq!(Rule::for_name(id), Some(*rule));
            let explained = rule.definition().explained();
            assert!(explained.lines().all(|line| line.chars().count() <= 78), "{id}");
            assert!(explanation.ends_with('\n') && !explanation.ends_with("\n\n"), "{id}");
        }
        assert_eq!(Rule::for_name("all"), None);
    }

    /// The fast search by first bytes must not miss a character that a rule forbids.
    #[test]
    fn forbidden_characters_may_begin_so() {
        let mut count = 0;
        for rule in Rule::ALL {
            let Detection::Character(Character { start, is_forbidden, .. }) = rule.detection() else {
                continue;
            };
            for scalar in ('\0'..=char::MAX).filter(|scalar| is_forbidden((*scalar).into())) {
                let mut bytes = [b'a'; 6];
                scalar.encode_utf8(&mut bytes);
                assert!(start.may_begin(bytes[0], bytes[1], bytes[2]), "{rule:?} {scalar:?}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
        for scalar in ('\0'..=char::MAX).filter(|scalar| Kind::of(*scalar).is_some()) {
            let mut bytes = [b'a'; 6];
            scalar.encode_utf8(&mut bytes);
            assert!(Start::Rare.may_begin(bytes[0], bytes[1], bytes[2]), "{scalar:?}");
        }
    }
}
