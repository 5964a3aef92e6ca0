//! Reads the first and last bytes of a file, in which declarations are looked for.

use std::fs::File;
use std::io;
use std::ops::Range;

use utfconv_declare::{HEAD, HeadAndTail, TAIL};

use crate::files::stdio::bytes_at;

/// The first and last bytes of a text.
pub struct FileHeadAndTail {
    pub head: Vec<u8>,
    pub tail: Vec<u8>,
    /// The offset of the tail in the text, in bytes.
    pub tail_offset: u64,
}

impl FileHeadAndTail {
    /// Returns the ends of a text in memory. The head is the whole text.
    pub fn of(text: &[u8]) -> FileHeadAndTail {
        let start = text.len().saturating_sub(TAIL);
        FileHeadAndTail { head: text.to_vec(), tail: text[start..].to_vec(), tail_offset: start as u64 }
    }

    /// Reads the ends of the text in a byte range of a file that can be read at any offset.
    pub fn read(file: &File, range: &Range<u64>) -> io::Result<FileHeadAndTail> {
        let head = bytes_at(file, range.start, HEAD.min(len(range) as usize))?;
        FileHeadAndTail::after(&head, file, range)
    }

    /// Reads only the tail. `head` is the start of the text, and has at least [`HEAD`] bytes or is the whole text.
    pub fn after(head: &[u8], file: &File, range: &Range<u64>) -> io::Result<FileHeadAndTail> {
        let tail_offset = len(range).saturating_sub(TAIL as u64);
        let tail = bytes_at(file, range.start + tail_offset, (len(range) - tail_offset) as usize)?;
        Ok(FileHeadAndTail { head: head[..head.len().min(HEAD)].to_vec(), tail, tail_offset })
    }

    /// Returns only the head, for a text that cannot be read to its end.
    pub fn head(head: &[u8]) -> FileHeadAndTail {
        FileHeadAndTail { head: head[..head.len().min(HEAD)].to_vec(), tail: Vec::new(), tail_offset: 0 }
    }

    /// Returns the head and the tail in the type that the library of declarations takes.
    pub fn head_and_tail(&self) -> HeadAndTail<'_> {
        HeadAndTail::new(&self.head, &self.tail, self.tail_offset)
    }
}

fn len(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}
