//! The command `inspect`: shows the bytes of a file as sequences.
//!
//! args -> plan -> run -> entrance (finds where to begin) -> the library's checker -> sequences -> view (selects the
//! sequences to show) -> screen -> text or json -> exit status.

pub mod args;
mod entrance;
mod json;
mod plan;
mod run;
mod screen;
mod sequences;
mod text;
mod view;

pub use run::run;
