//! The JSON schema of `utfconv.toml`, for editors.

use serde_json::{Map, Value, json};

use super::keys::{FILE, Key, Kind, Trust};

/// Returns the schema. `rules` are the values in lists of rules, and `allowed` the rules that can be turned off.
pub fn schema(rules: &[String], allowed: &[String]) -> String {
    let mut schema = table(FILE, rules, allowed);
    for (name, value) in [
        ("$schema", "http://json-schema.org/draft-07/schema#"),
        ("title", "utfconv.toml"),
        ("description", "Configuration of utfconv; see utfconv.toml(5)."),
    ] {
        schema[name] = value.into();
    }
    format!("{schema:#}\n")
}

fn table(keys: &[Key], rules: &[String], allowed: &[String]) -> Value {
    let property = |key: &Key| (key.name.to_string(), property(key, rules, allowed));
    let properties: Map<_, _> = keys.iter().map(property).collect();
    json!({ "type": "object", "additionalProperties": false, "properties": properties })
}

fn property(key: &Key, rules: &[String], allowed: &[String]) -> Value {
    let list = |item: Value| json!({ "type": "array", "items": item });
    let text = || json!({ "type": "string", "minLength": 1 });
    let mut value = match &key.kind {
        Kind::Text | Kind::Encoding | Kind::Source | Kind::Path => text(),
        Kind::Choice(words) => json!({ "enum": words() }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Globs => list(text()),
        Kind::Rules if key.name == "allow" => list(json!({ "enum": allowed })),
        Kind::Rules => list(json!({ "enum": rules })),
        Kind::Table(keys) => table(keys, rules, allowed),
        Kind::Tables(keys) => list(table(keys, rules, allowed)),
    };
    value["description"] = format!("{}{}", key.about, limit(key)).into();
    value
}

/// A key as the man page lists it: its name, the kind of its value, and its description.
pub type Row = (&'static str, &'static str, String);

/// Returns the tables of the file with their keys.
pub fn keys() -> Vec<(String, Vec<Row>)> {
    let mut tables = Vec::new();
    FILE.iter().for_each(|key| list(format!("[{}]", key.name), key, &mut tables));
    tables
}

fn list(title: String, table: &Key, tables: &mut Vec<(String, Vec<Row>)>) {
    let (Kind::Table(keys) | Kind::Tables(keys)) = table.kind else { return };
    let is_table = |key: &Key| matches!(key.kind, Kind::Table(_) | Kind::Tables(_));
    let row = |key: &Key| {
        let words = match key.kind {
            Kind::Choice(words) => format!(" One of {}.", words().join(", ")),
            _ => String::new(),
        };
        (key.name, kind(&key.kind), format!("{}{words}{}", key.about, limit(key)))
    };
    tables.push((title, keys.iter().filter(|key| !is_table(key)).map(row).collect()));
    for key in keys.iter().filter(|key| is_table(key)) {
        list(format!("[[{}.{}]]", table.name, key.name), key, tables);
    }
}

fn kind(kind: &Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Choice(_) => "STRING",
        Kind::Flag => "true|false",
        Kind::Encoding | Kind::Source => "ENCODING",
        Kind::Globs => "[GLOB,...]",
        Kind::Rules => "[RULE,...]",
        Kind::Path => "FILE",
        Kind::Table(_) | Kind::Tables(_) => "",
    }
}

/// Returns which files may set a key, as the end of its description.
fn limit(key: &Key) -> &'static str {
    match key.trust {
        Trust::Found => "",
        Trust::Named => " Only in a file that --config names.",
    }
}
