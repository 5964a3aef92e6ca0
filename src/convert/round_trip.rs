//! Whether a converted file gives the same bytes again when it is converted back.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use utfconv_core::{
    Encoding, InputBom, More, OnIllFormed, OnUnmappable, Options, OutputBom, Policy, Stop, StreamError,
    Transcoder, UTF_8, convert, convert_stream,
};

use crate::files::stdio::{fill_at, read_at};

/// Bytes compared at a time.
const BUFFER: usize = 64 << 10;

/// Whether all well-formed text of an encoding surely converts back to the same bytes.
pub fn is_exact(encoding: &'static Encoding) -> bool {
    if encoding == &UTF_8 || encoding.unit() > 1 {
        return true;
    }
    // A code page is exact if each byte converts back to itself, whatever is before it.
    let omit = Policy { ill_formed: OnIllFormed::Omit, unmappable: OnUnmappable::Omit, ..Policy::default() };
    let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never).policy(omit);
    let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    let there = |bytes: &[u8], from, to| convert(bytes, from, to, &options).ok().map(|done| done.output);
    let Some(text) = there(&all, encoding, &UTF_8) else { return false };
    let Some(back) = there(&text, &UTF_8, encoding) else { return false };
    let count = String::from_utf8_lossy(&text).chars().count();
    let (up, down) = back.split_at(back.len() / 2);
    let is_same = up.is_sorted_by(|one, next| one < next) && down.iter().rev().eq(up);
    encoding.is_of_bytes() && count >= 256 && back.len() == count && is_same
}

/// Returns the first offset at which `new`, in `to`, does not give the bytes of `old`, in `from`, when it is converted back.
pub fn first_difference(
    old: &File,
    from: &'static Encoding,
    new: &File,
    to: &'static Encoding,
    options: &Options,
) -> io::Result<Option<u64>> {
    let options = Options::default().output_bom(OutputBom::Never).ebcdic_newline(options.ebcdic_newline);
    let mut compared = Compared { old, at: 0, is_different: false, buffer: vec![0; BUFFER] };
    let mut bom = [0; 3];
    if from == &UTF_8 && fill_at(old, &mut bom, 0)? == 3 && bom == *b"\xEF\xBB\xBF" {
        compared.at = 3;
    }
    let mut source = BufReader::with_capacity(BUFFER, FromStart(new, 0));
    let mut transcoder = Transcoder::new(to, from, options);
    let mut is_stopped = false;
    let converted =
        convert_stream(&mut source, &mut compared, &mut transcoder, &mut vec![0; BUFFER], |stop| {
            is_stopped |= matches!(stop, Stop::Stopped(_));
            More::Count
        });
    match converted {
        Err(StreamError::Read(error)) => return Err(error),
        Err(StreamError::Write(error)) if !compared.is_different => return Err(error),
        _ => {}
    }
    let is_longer = fill_at(old, &mut [0], compared.at)? > 0;
    Ok((compared.is_different || is_stopped || is_longer).then_some(compared.at))
}

/// Reads a file from its start, whatever its offset is.
struct FromStart<'a>(&'a File, u64);

impl Read for FromStart<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = read_at(self.0, into, self.1)?;
        self.1 += read as u64;
        Ok(read)
    }
}

/// Compares what is written to it with a file.
struct Compared<'a> {
    old: &'a File,
    /// The offset up to which both are the same.
    at: u64,
    is_different: bool,
    buffer: Vec<u8>,
}

impl Write for Compared<'_> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let from = &from[..from.len().min(BUFFER)];
        let old = &mut self.buffer[..from.len()];
        let read = fill_at(self.old, old, self.at)?;
        let same = from.iter().zip(&old[..read]).take_while(|(new, old)| new == old).count();
        self.at += same as u64;
        if same < from.len() {
            self.is_different = true;
            return Err(io::Error::other("different"));
        }
        Ok(same)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_are_known_to_be_exact() {
        for (name, expected) in [
            ("UTF-8", true),
            ("UTF-16", true),
            ("windows-1252", true),
            ("KOI8-R", true),
            ("IBM1047", true),
            ("Shift_JIS", false),
            ("ISO-2022-JP", false),
            ("windows-1258", false),
        ] {
            assert_eq!(is_exact(Encoding::named(name).expect("is there")), expected, "{name}");
        }
    }
}
