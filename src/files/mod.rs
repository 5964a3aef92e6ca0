//! The file system: inputs, outputs, replacement and directories. Parses no options; only `print` and the signal
//! handlers write messages.

pub mod attributes;
mod backup;
pub mod binary;
pub mod checksum;
pub mod compared;
pub mod draft;
pub mod ends;
pub mod feeder;
pub mod git;
mod git_process;
pub mod glob;
pub mod hash;
pub mod identity;
pub mod in_place;
pub mod leftovers;
pub mod line_windows;
#[cfg(target_os = "linux")]
mod linux;
pub mod map;
pub mod open_directory;
pub mod paths;
pub mod patterns;
pub mod print;
pub mod ranges;
pub mod renaming;
pub mod replace;
pub mod report_names;
pub mod repository;
pub mod room;
pub mod run_files;
pub mod signals;
pub mod sink;
pub mod sketch;
pub mod small_text;
pub mod source;
pub mod stdio;
#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
pub mod system;
pub mod text_items;
pub mod text_run;
pub mod walk;
pub mod well_formed;
pub mod window;
