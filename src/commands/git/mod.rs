//! The commands that git calls: `git-filter` converts files between the work tree and the repository, and `textconv`
//! converts a file for `git diff`.
//!
//! args -> plan -> filter (serves a run of git by protocol.rs, which uses packets.rs) -> conversion (converts a file
//! exactly) -> exit status. textconv converts a file as well as possible.

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
