//! Exit statuses; the only place with their numbers.

/// How a run ended, from good to bad: of two, the greater wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Done, and nothing is wrong.
    Success,
    /// The data is at fault.
    Fault,
    /// Usage, an unknown name, or something that cannot be read or written.
    Trouble,
}

impl Exit {
    pub fn status(self) -> i32 {
        match self {
            Exit::Success => 0,
            Exit::Fault => 1,
            Exit::Trouble => 2,
        }
    }
}
