//! A file with its updated declarations undone, for `--verify`.

use std::fs::File;
use std::io;

use utfconv_core::declaration::Edit;

use crate::files::stdio::fill_at;

/// A file as it would be with some edits made.
#[derive(Clone, Copy)]
pub struct Restored<'a> {
    pub file: &'a File,
    /// They undo the updates, in the order of the file.
    pub replaced: &'a [Edit],
}

impl Restored<'_> {
    /// Reads until the buffer is full or the file ends, as [`fill_at`].
    pub fn fill_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        // A position in the file, and the same in what is read.
        let (mut at, mut restored) = (0, 0);
        for Edit { range, bytes: old } in self.replaced {
            let end = restored + (range.start - at);
            if offset + (filled as u64) < end {
                let skipped = offset + filled as u64 - restored;
                let most = (into.len() - filled).min((end - restored - skipped) as usize);
                let count = fill_at(self.file, &mut into[filled..][..most], at + skipped)?;
                filled += count;
                if count < most || filled == into.len() {
                    return Ok(filled);
                }
            }
            (at, restored) = (range.end, end);
            let end = restored + old.len() as u64;
            if offset + (filled as u64) < end {
                let rest = &old[(offset + filled as u64 - restored) as usize..];
                let count = rest.len().min(into.len() - filled);
                into[filled..][..count].copy_from_slice(&rest[..count]);
                filled += count;
                if filled == into.len() {
                    return Ok(filled);
                }
            }
            restored = end;
        }
        let rest = at + (offset + filled as u64 - restored);
        Ok(filled + fill_at(self.file, &mut into[filled..], rest)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn replaced_bytes_are_read_as_they_were() {
        let mut new = tempfile::tempfile().expect("a temporary file");
        new.write_all(b"0new1234n56789").expect("writes");
        let edits = [(1..4, &b"older"[..]), (8..9, b""), (11..11, b"x")];
        let edits = edits.map(|(range, old)| Edit { range, bytes: old.to_vec() });
        let restored = Restored { file: &new, replaced: &edits };
        let expected = b"0older123456x789";
        for start in 0..expected.len() + 2 {
            for len in 0..expected.len() + 2 {
                let mut buffer = vec![0; len];
                let filled = restored.fill_at(&mut buffer, start as u64).expect("reads");
                let rest = expected.get(start..).unwrap_or_default();
                assert_eq!(buffer[..filled], rest[..rest.len().min(len)], "{start} {len}");
            }
        }
    }
}
