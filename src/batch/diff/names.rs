//! Names of files in diffs: relative to the root of the repository, and quoted as git quotes them.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use crate::files::git::git_directory;
use utfconv_core::is_printable;

/// The directory relative to which files are named.
pub struct Root {
    current: PathBuf,
    root: PathBuf,
}

impl Root {
    /// Finds the root of the repository around the current directory. If there is no repository, the root is the
    /// current directory.
    pub fn find() -> Root {
        let current = std::env::current_dir().and_then(|path| path.canonicalize()).unwrap_or_default();
        let root = current.ancestors().find(|path| git_directory(path).is_some());
        Root { root: root.unwrap_or(&current).to_path_buf(), current }
    }

    /// Returns the name of a file. A file below the root has a name relative to it; any other file has its absolute
    /// path without the first slash, as in `git diff --no-index`.
    pub fn name(&self, path: &Path) -> Vec<u8> {
        self.name_of_real(&real(&self.current.join(path)))
    }

    /// Returns the name of a file, given its absolute path without links and dots.
    pub fn name_of_real(&self, real: &Path) -> Vec<u8> {
        let below = real.strip_prefix(&self.root).unwrap_or(real).components();
        let parts = below.filter(|component| matches!(component, Component::Normal(_)));
        parts.map(|part| part.as_os_str().as_encoded_bytes()).collect::<Vec<_>>().join(&b'/')
    }
}

/// Returns the path with links resolved, as far as it exists, because git applies no patch through links.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real(parent).join(name),
        _ => path.to_path_buf(),
    }
}

/// Quotes a name after `prefix` if git would quote it. For people, printable characters are not escaped.
pub fn quoted(prefix: &str, name: &[u8], is_for_people: bool) -> String {
    let mut quoted = prefix.to_string();
    for chunk in name.utf8_chunks() {
        for scalar in chunk.valid().chars() {
            match scalar {
                '"' | '\\' => quoted.extend(['\\', scalar]),
                '\x07' => quoted.push_str("\\a"),
                '\x08' => quoted.push_str("\\b"),
                '\t' => quoted.push_str("\\t"),
                '\n' => quoted.push_str("\\n"),
                '\x0B' => quoted.push_str("\\v"),
                '\x0C' => quoted.push_str("\\f"),
                '\r' => quoted.push_str("\\r"),
                ' '..='~' => quoted.push(scalar),
                _ if is_for_people && is_printable(scalar) => quoted.push(scalar),
                _ => octal(scalar.encode_utf8(&mut [0; 4]).as_bytes(), &mut quoted),
            }
        }
        octal(chunk.invalid(), &mut quoted);
    }
    // Escapes are longer than the characters that they replace, so a longer text has escapes.
    if quoted.len() > prefix.len() + name.len() { format!("\"{quoted}\"") } else { quoted }
}

fn octal(bytes: &[u8], quoted: &mut String) {
    for byte in bytes {
        // Writing to memory cannot fail.
        let _ = write!(quoted, "\\{byte:03o}");
    }
}
