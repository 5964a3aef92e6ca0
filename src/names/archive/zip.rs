//! Names in zip archives: the central directory, with the flag for UTF-8 and the Info-ZIP Unicode path.

use std::cell::LazyCell;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::raw_name::{Broken, Each, Origin, RawName};

/// Where the central directory is.
#[derive(Debug, PartialEq, Eq)]
pub struct Directory {
    start: u64,
    len: u64,
    /// How many headers it is to have; exact with the extension for 64 bits only.
    count: u64,
    is_64: bool,
}

/// The start of a file in an archive.
pub const FILE: &[u8] = b"PK\x03\x04";

/// The record at the end, without its comment.
const END: usize = 22;

/// The record before it in archives with the extension for 64 bits.
const LOCATOR: u64 = 20;

/// The fixed part of a header.
const HEADER: usize = 46;

/// The bit of the flags for names in UTF-8.
const UTF8_FLAG: u16 = 1 << 11;

/// The tag of an Info-ZIP Unicode path.
const UNICODE_PATH: u16 = 0x7075;

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from(u16_at(bytes, at)) | u32::from(u16_at(bytes, at + 2)) << 16
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u32_at(bytes, at)) | u64::from(u32_at(bytes, at + 4)) << 32
}

impl Directory {
    /// Finds the central directory of a file of `len` bytes; None if it is no zip archive.
    pub fn find(file: &mut File, len: u64) -> Result<Option<Directory>, Broken> {
        let tail_start = len.saturating_sub(END as u64 + u64::from(u16::MAX));
        file.seek(SeekFrom::Start(tail_start))?;
        let mut tail = Vec::new();
        file.take(len - tail_start).read_to_end(&mut tail)?;
        let Some(last) = tail.len().checked_sub(END) else { return Ok(None) };
        // The comment may have the bytes of the record: its length must fit.
        let is_end = |at: &usize| {
            tail[*at..].starts_with(b"PK\x05\x06")
                && at + END + usize::from(u16_at(&tail, at + 20)) <= tail.len()
        };
        let Some(at) = (0..=last).rev().find(is_end) else { return Ok(None) };
        let end = tail_start + at as u64;
        let record = &tail[at..];
        let found = Directory {
            start: u64::from(u32_at(record, 16)),
            len: u64::from(u32_at(record, 12)),
            count: u64::from(u16_at(record, 10)),
            is_64: false,
        };
        let (found, end) = found.extended(file, end)?;
        let wrong = Broken::Headers(end, "the end of the central directory is wrong");
        // Other data may be before the archive, such as a program that unpacks it.
        let start = end.checked_sub(found.len).ok_or(wrong)?;
        if found.start > start {
            return Err(Broken::Headers(end, "the central directory would be after its end"));
        }
        Ok(Some(Directory { start, ..found }))
    }

    /// Takes the values of the extension for 64 bits, if there is one, and its start as the end of the directory.
    fn extended(self, file: &mut File, end: u64) -> Result<(Directory, u64), Broken> {
        let mut locator = [0; LOCATOR as usize];
        let Some(at) = end.checked_sub(LOCATOR) else { return Ok((self, end)) };
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut locator)?;
        if !locator.starts_with(b"PK\x06\x07") {
            return Ok((self, end));
        }
        let mut record = [0; 56];
        let start = u64_at(&locator, 8);
        file.seek(SeekFrom::Start(start))?;
        let is_read = start < at && file.read_exact(&mut record).is_ok() && record.starts_with(b"PK\x06\x06");
        if !is_read {
            return Err(Broken::Headers(at, "the record for 64 bits is not there"));
        }
        let found = Directory {
            start: u64_at(&record, 48),
            len: u64_at(&record, 40),
            count: u64_at(&record, 32),
            is_64: true,
        };
        Ok((found, start))
    }

    /// Calls `each` for each name.
    pub fn visit(&self, file: &mut File, each: &mut Each) -> Result<(), Broken> {
        file.seek(SeekFrom::Start(self.start))?;
        let mut reader = BufReader::with_capacity(64 << 10, file.take(self.len));
        let (mut at, mut count) = (self.start, 0_u64);
        loop {
            let header = next(&mut reader, HEADER)?;
            match header.len() {
                0 => break,
                HEADER if header.starts_with(b"PK\x01\x02") => {}
                // A digital signature ends it.
                _ if header.starts_with(b"PK\x05\x05") => break,
                _ => {
                    return Err(Broken::Headers(at, "there is no header of a file in the central directory"));
                }
            }
            let [name, extra, comment] = [28, 30, 32].map(|field| usize::from(u16_at(&header, field)));
            let len = name + extra + comment;
            let rest = next(&mut reader, len)?;
            if rest.len() < len {
                return Err(Broken::Headers(at, "the header of a file is cut"));
            }
            let is_utf8 = u16_at(&header, 8) & UTF8_FLAG != 0;
            let raw = &rest[..name];
            each(match unicode_path(|| crc32(raw), &rest[name..name + extra]) {
                Some(bytes) if !is_utf8 => RawName { bytes, origin: Origin::UnicodePath },
                _ => {
                    let origin = if is_utf8 { Origin::Utf8Flag } else { Origin::Header };
                    RawName { bytes: raw.to_vec(), origin }
                }
            })?;
            at += (HEADER + rest.len()) as u64;
            count += 1;
        }
        // Without the extension the count has 16 bits, and other programs write more files than that.
        let is_right = if self.is_64 { count == self.count } else { count & 0xFFFF == self.count };
        match is_right {
            true => Ok(()),
            false => Err(Broken::Headers(
                at,
                "the central directory has another number of files than its end names",
            )),
        }
    }
}

/// Returns the next bytes, `len` or as many as there are.
fn next(reader: &mut impl Read, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(len);
    reader.take(len as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the Unicode path in the extra fields, if it was written for the name of this checksum, and not for one
/// that the file had before.
fn unicode_path(checksum: impl FnOnce() -> u32, mut extra: &[u8]) -> Option<Vec<u8>> {
    // There may be many such fields, and a long name.
    let checksum = LazyCell::new(checksum);
    while extra.len() >= 4 {
        let (tag, len) = (u16_at(extra, 0), usize::from(u16_at(extra, 2)));
        let field = extra.get(4..4 + len)?;
        if tag == UNICODE_PATH && len > 5 && field[0] == 1 && u32_at(field, 1) == *checksum {
            return Some(field[5..].to_vec());
        }
        extra = &extra[4 + len..];
    }
    None
}

/// Returns the CRC of zip, without a table: names are short.
fn crc32(bytes: &[u8]) -> u32 {
    let shifted = |crc: u32| (0..8).fold(crc, |crc, _| crc >> 1 ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()));
    !bytes.iter().fold(u32::MAX, |crc, byte| shifted(crc ^ u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_zip() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_unicode_path_is_for_one_name() {
        let mut field = b"\x75\x70\x07\x00\x01".to_vec();
        field.extend(crc32(b"\x81").to_le_bytes());
        field.extend("ü".as_bytes());
        let extra = [&b"\x01\x00\x02\x00ab"[..], &field].concat();
        assert_eq!(unicode_path(|| crc32(b"\x81"), &extra), Some("ü".as_bytes().to_vec()));
        assert_eq!(unicode_path(|| crc32(b"\x82"), &extra), None);
        for len in 0..extra.len() {
            assert_eq!(unicode_path(|| crc32(b"\x81"), &extra[..len]), None, "{len}");
        }
    }

    #[test]
    fn a_name_has_one_checksum() {
        let (mut count, field) = (0, b"\x75\x70\x06\x00\x01\x01\0\0\0u");
        let counted = || {
            count += 1;
            0
        };
        assert_eq!(unicode_path(counted, &field.repeat(6500)), None);
        assert_eq!(count, 1);
    }
}
