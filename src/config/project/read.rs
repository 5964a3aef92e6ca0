//! Parses a `utfconv.toml` by the table of its keys into values of the right kinds, and problems with their positions.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use utfconv_core::Position;

use super::keys::{Key, Kind, Trust};
use crate::config::problem::{Place, Problem};
use crate::config::requirements::{cut, encoding};
use crate::files::walk::Globs;
use crate::ui::modes;

/// The values of a table, in the order of the file.
pub type Values = Vec<(&'static str, Position, Value)>;

/// The value of a key.
#[derive(Debug)]
pub enum Value {
    Text(String),
    Flag(bool),
    List(Vec<(String, Position)>),
    Table(Values),
    Tables(Vec<(Position, Values)>),
}

/// The state of the reader.
pub struct Reading<'a> {
    text: &'a str,
    /// The positions of every [`STEP`]th byte, because counting from the start each time would take quadratic time.
    steps: Vec<Position>,
    /// True if the user named the file, false if the program found it.
    pub is_named: bool,
    /// Parses a rule of a key. Fails with the reason if the rule is invalid.
    pub rule: fn(&str, &str) -> Result<(), String>,
    pub problems: Vec<Problem>,
}

const STEP: usize = 256;

/// Maximum number of problems, after which the rest of a file is skipped, because each unknown name is compared with
/// all known names.
const MANY: usize = 1000;

impl<'a> Reading<'a> {
    pub fn new(text: &'a str, is_named: bool, rule: fn(&str, &str) -> Result<(), String>) -> Reading<'a> {
        let mut position = Position::default();
        let steps = text.as_bytes().chunks(STEP).map(|bytes| {
            let start = position;
            position = position.past(bytes, bytes.len() as u64);
            start
        });
        Reading { text, steps: steps.collect(), is_named, rule, problems: Vec::new() }
    }

    /// Returns the valid values of all keys of the file.
    pub fn values(&mut self, keys: &'static [Key]) -> Values {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        if !errors.is_empty() {
            for error in errors.into_iter().take(MANY) {
                self.refuse(error.span().unwrap_or_default(), error.message().to_string());
            }
            return Values::new();
        }
        self.table(table.get_ref(), keys)
    }

    fn table(&mut self, table: &DeTable, keys: &'static [Key]) -> Values {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(name, _)| name.span().start);
        let mut values = Values::new();
        for (name, value) in entries {
            let Some(key) = keys.iter().find(|key| key.name == name.get_ref()) else {
                self.refuse(name.span(), unknown(name.get_ref(), keys));
                continue;
            };
            if key.trust == Trust::Named && !self.is_named {
                let text =
                    format!("'{}' counts only in a file that --config names: it can change text", key.name);
                self.refuse(name.span(), text);
                continue;
            }
            if let Some(read) = self.value(key, value) {
                values.push((key.name, self.position(value.span().start), read));
            }
        }
        values
    }

    fn value(&mut self, key: &Key, value: &Spanned<DeValue>) -> Option<Value> {
        let expected = match (&key.kind, value.get_ref()) {
            (Kind::Flag, DeValue::Boolean(flag)) => return Some(Value::Flag(*flag)),
            (Kind::Table(keys), DeValue::Table(table)) => return Some(Value::Table(self.table(table, keys))),
            (Kind::Tables(keys), DeValue::Array(array)) => {
                let mut tables = Vec::new();
                for item in array.iter() {
                    if let DeValue::Table(table) = item.get_ref() {
                        tables.push((self.position(item.span().start), self.table(table, keys)));
                    } else {
                        let text = format!("expected a table, not {}", kind_of(item.get_ref()));
                        self.refuse(item.span(), text);
                    }
                }
                return Some(Value::Tables(tables));
            }
            (Kind::Globs | Kind::Rules, DeValue::Array(array)) => {
                return Some(Value::List(array.iter().filter_map(|item| self.item(key, item)).collect()));
            }
            (Kind::Flag, _) => "true or false",
            (Kind::Table(_), _) => "a table",
            (Kind::Tables(_), _) => "an array of tables",
            (Kind::Globs | Kind::Rules, _) => "an array of strings",
            (
                Kind::Text | Kind::Choice(_) | Kind::Encoding | Kind::Source | Kind::Path,
                DeValue::String(_),
            ) => {
                return self.text(key, value).map(|(text, _)| Value::Text(text));
            }
            _ => "a string",
        };
        let text = format!("{}: expected {expected}, not {}", key.name, kind_of(value.get_ref()));
        self.refuse(value.span(), text);
        None
    }

    /// Parses an item of a list.
    fn item(&mut self, key: &Key, value: &Spanned<DeValue>) -> Option<(String, Position)> {
        if !value.get_ref().is_str() {
            let text = format!("{}: expected a string, not {}", key.name, kind_of(value.get_ref()));
            self.refuse(value.span(), text);
            return None;
        }
        self.text(key, value)
    }

    /// Parses a string, if it is valid for the key.
    fn text(&mut self, key: &Key, value: &Spanned<DeValue>) -> Option<(String, Position)> {
        let text = value.get_ref().as_str().filter(|_| self.problems.len() < MANY)?;
        let wrong = match &key.kind {
            _ if text.is_empty() => Some("expected a value, not an empty string".to_string()),
            Kind::Choice(words) if !words().contains(&text) => {
                let words = words();
                Some(format!("expected one of {}{}", words.join(", "), meant(text, words.iter().copied())))
            }
            Kind::Encoding => encoding(text).err(),
            Kind::Source => source(text).err(),
            Kind::Globs => glob(text).err(),
            Kind::Rules => (self.rule)(key.name, text).err(),
            Kind::Path if !self.is_named && leads_out(text) => {
                Some("leads out of the directory of this file".to_string())
            }
            _ => None,
        };
        match wrong {
            None => Some((text.to_string(), self.position(value.span().start))),
            Some(why) => {
                self.refuse(value.span(), format!("{}: '{}': {why}", key.name, cut(text)));
                None
            }
        }
    }

    fn refuse(&mut self, span: Range<usize>, text: String) {
        let place = Place::Position(self.position(span.start));
        self.problems.push(Problem { place, text: crate::ui::quote::one_line(&text).into_owned() });
    }

    fn position(&self, offset: usize) -> Position {
        let step = (offset / STEP).min(self.steps.len().saturating_sub(1));
        let start = self.steps.get(step).copied().unwrap_or_default();
        let bytes = &self.text.as_bytes()[step * STEP..offset.min(self.text.len())];
        start.past(bytes, bytes.len() as u64)
    }
}

/// Returns the message for a key that the table does not have.
fn unknown(name: &str, keys: &[Key]) -> String {
    let names = keys.iter().map(|key| key.name);
    let mut advice = meant(name, names.clone());
    if advice.is_empty() {
        advice = format!("; the keys are {}", names.collect::<Vec<_>>().join(", "));
    }
    format!("unknown key '{}'{advice}", cut(name))
}

/// Returns a suggestion of a similar word, as the end of a sentence.
fn meant<'a>(word: &str, words: impl Iterator<Item = &'a str>) -> String {
    let word = word.to_lowercase();
    let likeness = |known: &str| strsim::jaro_winkler(known, &word);
    let similar = words.max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let similar = similar.filter(|known| likeness(known) > 0.75);
    similar.map(|known| format!("; did you mean '{known}'?")).unwrap_or_default()
}

fn kind_of(value: &DeValue) -> String {
    let name = value.type_str();
    if matches!(name, "array" | "integer") { format!("an {name}") } else { format!("a {name}") }
}

/// Checks the source encoding of a conversion.
fn source(text: &str) -> Result<(), String> {
    match text.split_once(':') {
        None if text.eq_ignore_ascii_case("auto") => Ok(()),
        Some((auto, list)) if auto.eq_ignore_ascii_case("auto") => modes::candidates(list).map(|_| ()),
        _ => encoding(text).map(|_| ()),
    }
}

fn glob(text: &str) -> Result<(), String> {
    if text.trim_start_matches('!').split('/').any(|component| component == "..") {
        return Err("leads out of the directory of this file".to_string());
    }
    Globs::including(&[text.to_string()]).map(|_| ())
}

/// Whether a path may leave the directory to which it is relative.
fn leads_out(path: &str) -> bool {
    use std::path::{Component, Path};
    Path::new(path).components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}
