//! Quotes names and texts in messages and reports, so that neither a terminal nor the log of a CI service acts on them.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;

use utfconv_core::{Fault, FaultKind, is_printable};
use utfconv_declare::Declaration;
pub use utfconv_options::names::shortened;

use crate::ui::characters;

/// Returns the message of the system, without the number that std appends.
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match (error.raw_os_error(), text.rfind(" (os error ")) {
        (Some(_), Some(end)) => text[..end].to_string(),
        _ => text,
    }
}

/// Returns the error with `context` before the message of the system.
pub fn with_context(error: &io::Error, context: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{context}: {}", reason(error)))
}

/// Whether `text` begins with a command that the log of a CI service obeys anywhere in a line: `##[` of GitHub,
/// `##vso[` of Azure.
pub fn is_command(text: &str) -> bool {
    text.starts_with("##[") || text.starts_with("##vso[")
}

/// Returns a file name for people: unchanged if it is harmless, otherwise quoted as the shell's `$'...'`.
///
/// A name is harmless if neither a terminal nor the log of a CI service acts on it. GitHub takes a line that begins
/// with `::` for a command, so a name must not begin with a colon.
pub fn quoted(name: impl AsRef<OsStr>) -> String {
    let bytes = name.as_ref().as_encoded_bytes();
    match std::str::from_utf8(bytes) {
        Ok("") => "''".to_string(),
        Ok(text) if is_harmless(text) => text.to_string(),
        _ => escaped(bytes),
    }
}

fn is_harmless(name: &str) -> bool {
    one_line(name) == name && !name.trim_start().starts_with(':')
}

/// Returns a file name to copy from a message into a shell command. It is quoted if the shell needs that, and is
/// neither taken for an option nor, by git, for a pattern that begins with a colon.
pub fn as_argument(name: impl AsRef<OsStr>) -> String {
    let bytes = name.as_ref().as_encoded_bytes();
    match bytes.first() {
        Some(b'-' | b':') => shell_word(&[b"./", bytes].concat()),
        _ => shell_word(bytes),
    }
}

/// Returns a word of a command line, which may be an option, quoted for the shell.
pub fn as_word(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    match text.trim_start_matches('-') {
        bare if !bare.is_empty() && bare.len() < text.len() => {
            "-".repeat(text.len() - bare.len()) + &shell_word(bare.as_bytes())
        }
        _ if text == "-" || text == "--" => text.into_owned(),
        _ => shell_word(word.as_encoded_bytes()),
    }
}

/// Returns a word quoted for any shell. `$'...'`, which not all shells support, is used only if nothing else is safe to
/// print.
fn shell_word(word: &[u8]) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+@%,".contains(c);
    let is_literal = |c: char| !"\"$`\\!".contains(c);
    match std::str::from_utf8(word) {
        Ok(text) if !text.is_empty() && text.chars().all(is_plain) => text.to_string(),
        Ok(text) if one_line(text) != text => escaped(word),
        Ok(text) if text.chars().all(is_literal) => format!("\"{text}\""),
        Ok(text) => format!("'{}'", text.replace('\'', "'\\''")),
        Err(_) => escaped(word),
    }
}

/// Returns a name as the shell's `$'...'`.
fn escaped(name: &[u8]) -> String {
    let mut quoted = "$'".to_string();
    for chunk in name.utf8_chunks() {
        for (at, scalar) in chunk.valid().char_indices() {
            match scalar {
                ':' if quoted.trim_end() == "$'" => quoted.push_str("\\x3A"),
                '#' if is_command(&chunk.valid()[at..]) => quoted.push_str("\\x23"),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                '\r' => quoted.push_str("\\r"),
                '\'' | '\\' => quoted.extend(['\\', scalar]),
                _ if is_printable(scalar) => quoted.push(scalar),
                ..='\x7F' => quoted.push_str(&format!("\\x{:02X}", u32::from(scalar))),
                ..='\u{FFFF}' => quoted.push_str(&format!("\\u{:04X}", u32::from(scalar))),
                _ => quoted.push_str(&format!("\\U{:08X}", u32::from(scalar))),
            }
        }
        chunk.invalid().iter().for_each(|byte| quoted.push_str(&format!("\\x{byte:02X}")));
    }
    quoted + "'"
}

/// Returns `text` with all characters escaped, except line feeds, that a terminal or the log of a CI service might act
/// on.
pub fn inert(text: &str) -> String {
    text.char_indices().fold(String::new(), |mut safe, (at, scalar)| {
        match scalar {
            _ if is_command(&text[at..]) => safe.extend(scalar.escape_unicode()),
            '\n' => safe.push(scalar),
            _ if is_printable(scalar) => safe.push(scalar),
            _ => safe.extend(scalar.escape_default()),
        }
        safe
    })
}

/// Returns `text` with all characters escaped, including line feeds, that a terminal or the log of a CI service might
/// act on.
pub fn one_line(text: &str) -> Cow<'_, str> {
    // Most texts are a single harmless line.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'"' | b'$'..=b'~')) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(inert(text).replace('\n', "\\n"))
    }
}

/// Returns a character as in `U+20AC "€"`. A character without a glyph, or that a terminal may act on, is replaced by
/// its name.
pub fn character(scalar: char) -> String {
    let code_point = format!("U+{:04X}", u32::from(scalar));
    if is_printable(scalar) {
        return format!("{code_point} \"{scalar}\"");
    }
    match characters::name(scalar) {
        Some(kind) if kind.starts_with(|first: char| first.is_ascii_lowercase()) => {
            format!("{code_point} ({kind})")
        }
        Some(name) => format!("{code_point} {name}"),
        None => code_point,
    }
}

/// Returns an error in a text, with the name of a character that has no glyph.
pub fn fault(fault: &Fault) -> String {
    let text = fault.to_string();
    let FaultKind::Unmappable { code_point, .. } = fault.kind else { return text };
    match char::from_u32(code_point).filter(|scalar| !is_printable(*scalar)) {
        Some(scalar) => text.replacen(&format!("U+{code_point:04X}"), &character(scalar), 1),
        None => text,
    }
}

/// Returns a phrase for a declaration, such as `declares latin-1 (Python comment)`.
pub fn declares(declaration: &Declaration) -> String {
    format!("declares {} ({})", one_line(declaration.label()), declaration.kind())
}

/// Returns the advice to run `command` on a file; for standard input, the advice to read the command's page.
pub fn see(command: &str, name: &OsStr) -> String {
    if name == "-" {
        format!("see utfconv-{command}(1)")
    } else {
        format!("see 'utfconv {command} {}'", as_argument(name))
    }
}

/// Returns a count with its noun, such as `1 file` or `2 files`.
pub fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_act_on_a_terminal() {
        use std::os::unix::ffi::OsStrExt;
        for (name, shown) in [
            (&b"notes.txt"[..], "notes.txt"),
            (b"it's here.txt", "it's here.txt"),
            ("größe.txt".as_bytes(), "größe.txt"),
            (b"x\x1b[31m\xff\n::error::x", "$'x\\x1B[31m\\xFF\\n::error::x'"),
            ("a\u{202E}b\u{9B}".as_bytes(), "$'a\\u202Eb\\u009B'"),
            (b"tab\tand'", "$'tab\\tand\\''"),
            (b"", "''"),
            (b"::error::x", "$'\\x3A:error::x'"),
            (b" :", "$' \\x3A'"),
            (b"a##[error]b##vso[x", "$'a\\x23#[error]b\\x23#vso[x'"),
            (b"a##b::c", "a##b::c"),
        ] {
            assert_eq!(quoted(OsStr::from_bytes(name)), shown);
        }
    }

    #[test]
    fn arguments_are_for_any_shell() {
        use std::os::unix::ffi::OsStrExt;
        for (name, shown) in [
            (&b"notes.txt"[..], "notes.txt"),
            (b"it's here.txt", "\"it's here.txt\""),
            (b"-i", "./-i"),
            (b":colon.txt", "\"./:colon.txt\""),
            (b"do$HOME.txt", "'do$HOME.txt'"),
            (b"!bang.txt", "'!bang.txt'"),
            (b"dq\"uote.txt", "'dq\"uote.txt'"),
            (b"back\\slash.txt", "'back\\slash.txt'"),
            (b"it's $5", "'it'\\''s $5'"),
            (b"", "\"\""),
            (b"tab\t", "$'tab\\t'"),
            (b"\xFF", "$'\\xFF'"),
        ] {
            assert_eq!(as_argument(OsStr::from_bytes(name)), shown);
        }
        assert_eq!(as_word(OsStr::from_bytes(b":x")), "\":x\"");
    }
}
