//! Walks through an open file as the check does, from its start to its end.

use std::fs::File;
use std::io;

use utfconv_core::{CheckItem, Encoding, FaultKind, Position, RunText};

use crate::files::ranges::Reading;
use crate::files::stdio::fill_at;

/// Bytes read at a time.
const BUFFER: usize = 256 << 10;

/// A range of a file.
pub enum Item<'a> {
    Bom(&'a [u8]),
    /// A BOM that the rules forbid.
    ForbiddenBom(&'a [u8]),
    MissingBom,
    /// Well-formed text: its bytes, and the text in UTF-8 if they are not.
    Text(&'a [u8], Option<&'a RunText>),
    /// Bytes without text that are no error.
    Other(&'a [u8]),
    IllFormed(&'a [u8]),
}

/// Calls `take` with each item of a file and the encoding, byte order included.
pub fn through(
    file: &File,
    reading: &Reading,
    mut take: impl FnMut(Item, &'static Encoding) -> io::Result<()>,
) -> io::Result<()> {
    let mut checker = reading.checker(reading.named, true, Position::default()).keeping_text();
    checker.skip_line_counts();
    let (mut buffer, mut at, mut offset, mut is_ended) = (Vec::new(), 0, 0, false);
    loop {
        let rest: &[u8] = &buffer[at..];
        let item = checker.next(rest, is_ended);
        let encoding = checker.encoding();
        match item {
            CheckItem::Bom(len) => {
                take(Item::Bom(&rest[..len]), encoding)?;
                at += len;
            }
            CheckItem::Text(len) => {
                let bytes = &rest[..len];
                take(
                    match checker.text() {
                        Some(text) if text.utf8.is_empty() => Item::Other(bytes),
                        text => Item::Text(bytes, text),
                    },
                    encoding,
                )?;
                at += len;
            }
            CheckItem::Fault(fault) => {
                let bytes = &rest[..fault.bytes.len()];
                take(
                    match fault.kind {
                        FaultKind::Bom { .. } if bytes.is_empty() => Item::MissingBom,
                        FaultKind::Bom { .. } => Item::ForbiddenBom(bytes),
                        _ => Item::IllFormed(bytes),
                    },
                    encoding,
                )?;
                at += bytes.len();
            }
            CheckItem::Incomplete if is_ended => return Ok(()),
            CheckItem::Incomplete => {
                buffer.drain(..at);
                at = 0;
                let kept = buffer.len();
                buffer.resize(kept + BUFFER, 0);
                let read = fill_at(file, &mut buffer[kept..], offset)?;
                buffer.truncate(kept + read);
                offset += read as u64;
                is_ended = read < BUFFER;
            }
            _ => {}
        }
    }
}
