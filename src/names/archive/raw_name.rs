//! Names as archives have them, and why there may be no more.

use std::io;

use serde::Serialize;

/// A name as an archive has it.
#[derive(Debug, PartialEq, Eq)]
pub struct RawName {
    pub bytes: Vec<u8>,
    pub origin: Origin,
}

/// Where in the headers a name is, which may fix its encoding; in JSON, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The header, which does not name an encoding.
    Header,
    /// The header of a zip archive, with the flag for UTF-8.
    Utf8Flag,
    /// The Info-ZIP Unicode path of a zip archive.
    UnicodePath,
    /// The extended header of a tar archive.
    Pax,
}

/// Why an archive cannot be read to its end.
#[derive(Debug)]
pub enum Broken {
    /// The system does not give it.
    Read(io::Error),
    /// The headers are wrong at this byte.
    Headers(u64, &'static str),
    /// The result cannot be written.
    Write(io::Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Broken {
        Broken::Read(error)
    }
}

/// Takes each name.
pub type Each<'a> = dyn FnMut(RawName) -> Result<(), Broken> + 'a;
