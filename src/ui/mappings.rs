//! Encodings of mapping files, which users name by path. The name of an encoding may be that of a file, which is read
//! here. Only options of a command line can name files, not a configuration or a text.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::sync::Mutex;

use utfconv_core::Encoding;

use crate::ui::names::{Name, Unknown};
use crate::ui::quote::{quoted, reason};
use crate::ui::threads::lock;

/// Reads a name as [`Name::parse`] does, or the mapping file that it names.
pub fn name(text: &str, special: impl Fn(&str) -> Option<&'static Encoding>) -> Result<Name, Unknown> {
    match Name::parse(text, special) {
        Err(Unknown::File(path, suffixes)) => match load(&path) {
            Ok(encoding) => Ok(Name { encoding, signed: None, suffixes }),
            Err(problem) => Err(Unknown::Mapping(problem)),
        },
        parsed => parsed,
    }
}

/// The files that were read, by where their paths lead: each is read once.
static READ: Mutex<Vec<(PathBuf, &Encoding)>> = Mutex::new(Vec::new());

/// Returns the encoding of a mapping file.
fn load(path: &str) -> Result<&'static Encoding, String> {
    // A pipe leads nowhere, and is read where it is named.
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
    let encoding =
        Encoding::from_mapping(&quoted(path.as_ref()), &text).map_err(|error| error.to_string())?;
    known.extend(real.map(|real| (real, encoding)));
    Ok(encoding)
}

/// Returns the text of a mapping file, or enough of it to see that it is too long.
fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    let most = Encoding::LONGEST_MAPPING as u64 + 1;
    File::open(path)?.take(most).read_to_end(&mut text)?;
    Ok(text)
}
