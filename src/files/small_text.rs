//! Reads configuration files, which are short texts that other users may have written.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::ui::quote::reason;

/// Maximum length of a file that is read, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// Returns the text of a file, or why it cannot be read. Does not wait for a pipe.
pub fn read(path: &Path, metadata: &Metadata) -> Result<String, String> {
    text_of(open(path, metadata)?)
}

/// Opens a file, or returns why it cannot be read. Does not wait for a pipe.
pub fn open(path: &Path, metadata: &Metadata) -> Result<File, String> {
    if !metadata.is_file() {
        return Err("not a regular file".to_string());
    }
    File::open(path).map_err(|error| reason(&error))
}

/// Returns the text of an open file, or why it cannot be read.
pub fn text_of(file: File) -> Result<String, String> {
    let mut text = String::from_utf8(bytes_of(file)?).map_err(|_| "not UTF-8".to_string())?;
    // Some editors add a BOM.
    if text.starts_with('\u{FEFF}') {
        text.remove(0);
    }
    Ok(text)
}

/// Returns the content of an open file, or why it cannot be read.
pub fn bytes_of(file: File) -> Result<Vec<u8>, String> {
    let mut bytes = vec![];
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err("longer than 1 MiB".to_string());
    }
    Ok(bytes)
}
