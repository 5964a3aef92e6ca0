//! The command `inspect`: shows the bytes of a file as sequences.
//!
//! args -> plan -> run -> entrance (where to begin) -> window (bytes) -> the library's checker -> sequences -> view (which are
//! shown) -> screen -> text or json -> exit status.

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
