//! The requirements that a project's configuration sets for a file: `utfconv.toml`, `.editorconfig`, and
//! `working-tree-encoding` in `.gitattributes`.
//!
//! lookup (which configuration files apply) -> project, editorconfig, attributes (what each requires) -> requirements (the
//! result)

mod attributes;
mod editorconfig;
mod glob;
mod lookup;
mod problem;
mod project;
mod requirements;

pub use lookup::{Configuration, LastDirectory, Source};
pub use project::{Project, Purpose, ReadRule, Set, keys, schema};
pub use requirements::{Demand, Newline, Requirements, RuleList};

use std::path::Path;

/// What is required of the file at `path`.
pub fn required(configuration: Option<&Configuration>, path: &Path) -> Requirements {
    configuration.map(|one| one.of_named(path, &mut LastDirectory::default())).unwrap_or_default()
}
