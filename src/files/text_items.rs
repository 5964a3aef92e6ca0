//! Splits an open file into text, BOMs and ill-formed bytes, as the checker does, from its start to its end.

use std::fs::File;
use std::io;

use utfconv_core::{CheckItem, Encoding, FaultKind, Position, RunText};

use crate::files::feeder::Feeder;
use crate::files::ranges::Reading;
use crate::files::stdio::each_chunk;

/// A part of a file.
pub enum Item<'a> {
    Bom(&'a [u8]),
    /// A BOM that the rules forbid.
    ForbiddenBom(&'a [u8]),
    MissingBom,
    /// The bytes of well-formed text, and the text in UTF-8 if the file is in another encoding.
    Text(&'a [u8], Option<&'a RunText>),
    /// Bytes without text that are no error, such as shift sequences.
    Other(&'a [u8]),
    IllFormed(&'a [u8]),
}

/// Calls `take` with each item of a file, and its encoding with byte order.
pub fn through(
    file: &File,
    reading: &Reading,
    mut take: impl FnMut(Item, &'static Encoding) -> io::Result<()>,
) -> io::Result<()> {
    let mut checker = reading.checker(reading.named, true, Position::default()).keeping_text();
    checker.skip_line_counts();
    let mut feeder = Feeder::new(checker);
    each_chunk(file, 0..u64::MAX, |chunk, is_last| {
        let mut taken = Ok(true);
        feeder.feed(chunk, is_last, |item, _, rest, checker| {
            let item = match item {
                CheckItem::Bom(len) => Item::Bom(&rest[..*len]),
                CheckItem::Text(len) => match checker.text() {
                    Some(text) if text.utf8.is_empty() => Item::Other(&rest[..*len]),
                    text => Item::Text(&rest[..*len], text),
                },
                CheckItem::Fault(fault) => match (&fault.kind, &rest[..fault.bytes.len()]) {
                    (FaultKind::Bom { .. }, []) => Item::MissingBom,
                    (FaultKind::Bom { .. }, bytes) => Item::ForbiddenBom(bytes),
                    (_, bytes) => Item::IllFormed(bytes),
                },
                _ => return true,
            };
            taken = take(item, checker.encoding()).map(|()| true);
            taken.is_ok()
        });
        taken
    })
}
