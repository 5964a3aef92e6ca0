//! Tests the layers of the source: a folder imports only from itself and from folders in lower layers.

use std::fs;
use std::path::Path;

/// Folders and modules of src/, from the top layer to the bottom.
const LAYERS: &[&[&str]] =
    &[&["main", "cli"], &["commands"], &["text"], &["batch"], &["config"], &["files"], &["ui"]];

/// Modules for tests, which any folder may use.
const FOR_TESTS: [&str; 2] = ["testkit", "programs"];

#[test]
fn folders_import_from_those_below() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layer = |name: &str| LAYERS.iter().position(|layer| layer.contains(&name));
    let mut wrong = Vec::new();
    for entry in fs::read_dir(&src).expect("src") {
        let path = entry.expect("an entry").path();
        let folder = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
        let own = layer(&folder).unwrap_or_else(|| panic!("{folder} is in no layer: add it to LAYERS"));
        for (file, text) in sources(&path) {
            for (_, rest) in text.match_indices("crate::").map(|(at, word)| text.split_at(at + word.len())) {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let used = &rest[..end];
                let is_below = layer(used).is_none_or(|other| other > own) || used == folder;
                if !is_below && !FOR_TESTS.contains(&used) {
                    wrong.push(format!("{file} imports crate::{used}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "upward imports:\n{}", wrong.join("\n"));
}

/// Returns the source files at or below `path`: their paths and texts.
fn sources(path: &Path) -> Vec<(String, String)> {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
        return entries.flat_map(|path| sources(&path)).collect();
    }
    let text = fs::read_to_string(path).expect("UTF-8");
    vec![(path.display().to_string(), text)]
}
