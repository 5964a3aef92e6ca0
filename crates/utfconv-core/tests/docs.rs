//! Checks that every public item has an example, and that the numbers on the front page are right.

use std::fs;
use std::path::{Path, PathBuf};

use utfconv_core::Encoding;

/// A type, function or method that users of the crate can name.
struct Item {
    place: String,
    name: String,
    /// The type in whose `impl` block the item is; `None` for items outside of `impl` blocks.
    of: Option<String>,
    docs: String,
}

impl Item {
    /// Whether the item has an example, a link to an example, or is used in the example of its type.
    fn is_shown(&self, items: &[Item]) -> bool {
        let is_type = |item: &&Item| item.of.is_none() && Some(&item.name) == self.of.as_ref();
        let examples =
            items.iter().find(is_type).into_iter().flat_map(|of| of.docs.split("```").skip(1).step_by(2));
        let is_used = |example: &str| {
            let mut found =
                example.match_indices(&self.name).map(|(at, name)| example.split_at(at + name.len()));
            found.any(|(until, rest)| {
                let before = &until[..until.len() - self.name.len()];
                before.ends_with(['.', ':']) && words(rest).next().is_none_or(|word| !rest.starts_with(word))
            })
        };
        self.docs.contains("```") || self.docs.contains("See [`") || examples.into_iter().any(is_used)
    }
}

#[test]
fn every_public_item_has_an_example() {
    let items = public_items();
    assert!(items.len() > 80, "only {} items found", items.len());
    let bare: Vec<_> = items.iter().filter(|item| !item.is_shown(&items)).map(|item| &item.place).collect();
    assert!(bare.is_empty(), "no example, and no \"See [`...`]\":\n{bare:#?}");
}

#[test]
fn the_front_page_counts_encodings() {
    let (count, front) = (Encoding::all().count(), include_str!("../src/lib.rs"));
    assert!(
        front.starts_with(&format!("//! Converts text between more than {} encodings", count / 100 * 100))
    );
}

fn public_items() -> Vec<Item> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = fs::read_to_string(src.join("lib.rs")).expect("reads");
    let is_named = |name: &str| {
        root.lines().any(|line| line.starts_with("pub use") && words(line).any(|word| word == name))
    };
    let mut items = Vec::new();
    // Kernels have no public types.
    for path in sources(&src).into_iter().filter(|path| !path.starts_with(src.join("kernel"))) {
        let text = fs::read_to_string(&path).expect("reads");
        let (mut docs, mut of) = (String::new(), None);
        for (line, number) in text.lines().zip(1..) {
            if line == "#[cfg(test)]" {
                break;
            }
            if line.starts_with("impl") || line.starts_with('}') {
                of = line.strip_prefix("impl").filter(|_| !line.contains(" for ")).and_then(self_type);
            }
            let code = line.trim_start();
            if let Some(doc) = code.strip_prefix("///") {
                docs.push_str(doc);
            } else if !code.starts_with("#[") {
                let is_inner = line.starts_with("    ");
                let name = declared(code)
                    .filter(|name| is_named(of.as_deref().filter(|_| is_inner).unwrap_or(name)));
                if let Some(name) = name.filter(|_| of.is_some() == is_inner) {
                    let place = format!("{}:{number} {name}", path.display());
                    items.push(Item { place, name: name.to_string(), of: of.clone(), docs: docs.clone() });
                }
                docs.clear();
            }
        }
    }
    items
}

/// Returns the name of the public item that a line declares, or `None` if the line declares none.
fn declared(code: &str) -> Option<&str> {
    let declaration = code.strip_prefix("pub ")?;
    let (kind, rest) = declaration
        .strip_prefix("const fn ")
        .map_or_else(|| declaration.split_once(' '), |rest| Some(("fn", rest)))?;
    ["fn", "struct", "enum", "trait", "const", "type"].contains(&kind).then(|| words(rest).next()).flatten()
}

/// Returns the type of an `impl` block, from the text after `impl`, or `None` if the text cannot be parsed.
fn self_type(rest: &str) -> Option<String> {
    let after_parameters = if rest.starts_with('<') { rest.split_once("> ")?.1 } else { rest };
    words(after_parameters).next().map(str::to_string)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("reads").map(|entry| entry.expect("reads").path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(is_source).collect()
}
