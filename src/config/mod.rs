//! What the configuration of a project requires of a file: `.editorconfig`, and `working-tree-encoding` in
//! `.gitattributes`.
//!
//! lookup (which configuration files apply) -> editorconfig, attributes (what each requires) -> requirements (the result)

mod attributes;
mod editorconfig;
mod glob;
mod lookup;
mod requirements;

pub use lookup::{Configuration, LastDirectory};
pub use requirements::{Demand, Newline, Requirements};
