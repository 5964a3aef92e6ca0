//! Writes JSON on one line, without characters that a terminal might act on.

use std::ffi::OsStr;
use std::io::{self, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;
use utfconv_core::is_printable;

use crate::ui::quote::is_command;

/// The name of a file, as `{"text": ...}`, or as `{"bytes": ...}` in base64 if it is not UTF-8.
#[derive(Clone, Copy, Default)]
pub struct Path<'a>(pub &'a OsStr);

impl Serialize for Path<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.to_str() {
            Some(text) => serializer.collect_map([("text", text)]),
            None => serializer.collect_map([("bytes", BASE64_STANDARD.encode(self.0.as_encoded_bytes()))]),
        }
    }
}

/// Serializes a list as a map that keeps its order.
pub fn as_map<S: serde::Serializer>(list: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(list.iter().copied())
}

/// Returns `value` as a line of JSON that neither a terminal nor the log of a CI service acts on.
pub fn to_json(value: &impl Serialize) -> String {
    let mut json = Vec::with_capacity(256);
    value
        .serialize(&mut Serializer::with_formatter(&mut json, Inert))
        .expect("only strings are keys, and memory does not fail to be written");
    String::from_utf8(json).expect("only strings were written")
}

/// Escapes the same characters as `inert`, in the syntax of JSON.
struct Inert;

impl Formatter for Inert {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // Most fragments need no escapes, and are written at once.
        if fragment.bytes().all(|byte| matches!(byte, 0x20..0x7F) && byte != b'#') {
            return writer.write_all(fragment.as_bytes());
        }
        for (at, scalar) in fragment.char_indices() {
            if is_printable(scalar) && !is_command(&fragment[at..]) {
                writer.write_all(scalar.encode_utf8(&mut [0; 4]).as_bytes())?;
            } else {
                for unit in scalar.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}
