//! The commands that git calls: `git-filter` converts files between the work tree and the repository, and `textconv` shows
//! one in `git diff`.
//!
//! args -> plan -> filter (the files of a run of git; protocol below, over packets) > conversion (one file, exactly) -> exit
//! status. textconv (one file, as well as it can be).

pub mod args;
mod conversion;
mod driver;
mod filter;
mod likeness;
mod packets;
mod plan;
mod protocol;
mod textconv;

pub use driver::Driver;
pub use filter::run as filter;
pub use likeness::{Likeness, Mistakable};
pub use textconv::run as textconv;
