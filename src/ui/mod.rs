//! Options and output that all commands share.

pub mod characters;
pub mod color;
pub mod controls;
pub mod excerpt;
pub mod exit;
pub mod json;
pub mod mappings;
pub mod modes;
pub use utfconv_options::names;
pub mod dialect;
pub mod options;
pub mod ordered;
pub mod percent;
pub mod progress;
pub mod quote;
pub mod stderr;
pub mod table;
pub mod threads;
pub mod wait;
pub mod words;
