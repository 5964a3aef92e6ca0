//! Encodings that mapping files define. A user names a mapping file by its path instead of the name of an encoding.
//! Only command-line options can name files, because a configuration or a text may be of another user.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::sync::Mutex;

use utfconv_core::Encoding;

use crate::ui::names::{Name, Unknown};
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::lock;

/// Parses a name as [`Name::parse`] does, or loads the mapping file that it names.
pub fn name(text: &str, special: impl Fn(&str) -> Option<&'static Encoding>) -> Result<Name, Unknown> {
    match Name::parse(text, special) {
        Err(Unknown::File(path, suffixes)) => match load(&path) {
            Ok(encoding) => Ok(Name { encoding, signed: None, suffixes }),
            Err(problem) => Err(Unknown::Mapping(problem)),
        },
        parsed => parsed,
    }
}

/// The mapping files that were read, by their resolved paths, so that each is read once.
static READ: Mutex<Vec<(PathBuf, &Encoding)>> = Mutex::new(Vec::new());

/// Returns the encoding that a mapping file defines.
fn load(path: &str) -> Result<&'static Encoding, String> {
    // A pipe has no resolved path, and is read each time.
    let real = fs::canonicalize(path).ok();
    let mut known = lock(&READ);
    if let Some((_, encoding)) = known.iter().find(|(known, _)| Some(known) == real.as_ref()) {
        return Ok(encoding);
    }
    let text = read(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            let suggestion = Unknown::new(path).suggestion().unwrap_or_default();
            format!("no such encoding, and no mapping file of that name{suggestion}")
        }
        _ => format!("cannot read the mapping file: {}", reason(&error)),
    })?;
    let encoding = Encoding::from_mapping(&quoted(path), &text).map_err(|error| error.to_string())?;
    known.extend(real.map(|real| (real, encoding)));
    Ok(encoding)
}

/// Returns the text of a mapping file, or enough of it to show that it is too long.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = Encoding::LONGEST_MAPPING as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}
