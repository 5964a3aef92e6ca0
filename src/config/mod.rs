//! Files that say what holds for other files.

pub mod configuration;
