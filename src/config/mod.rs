//! The requirements that the configuration of a project sets for a file: `utfconv.toml`, `.editorconfig`, and
//! `working-tree-encoding` in `.gitattributes`.
//!
//! lookup (finds the configuration files that apply) -> project, editorconfig, attributes (the settings of each) ->
//! requirements (the result)

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

/// Returns the requirements of the file at `path`.
pub fn required(configuration: Option<&Configuration>, path: &Path) -> Requirements {
    configuration.map(|one| one.of_named(path, &mut LastDirectory::default())).unwrap_or_default()
}
