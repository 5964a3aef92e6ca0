//! A file with its updated declarations undone, for `--verify`.

use std::fs::File;
use std::io;

use utfconv_declare::Edit;

use crate::files::stdio::fill_at;

/// A file, read as if some edits were made.
#[derive(Clone, Copy)]
pub struct Restored<'a> {
    pub file: &'a File,
    /// Edits that undo the updates, in the order of the file.
    pub replaced: &'a [Edit],
}

impl Restored<'_> {
    /// Reads from `offset` until the buffer is full or the file ends, as [`fill_at`].
    pub fn fill_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        // Bytes of the buffer that are `filled`, bytes still to `skip`, and the offset `at` in the file.
        let (mut filled, mut skip, mut at) = (0, offset, 0);
        let room = into.len();
        let mut part = |filled: usize, len: u64| {
            let skipped = skip.min(len);
            skip -= skipped;
            (skipped, (len - skipped).min((room - filled) as u64) as usize)
        };
        for Edit { range, bytes: old } in self.replaced {
            let (skipped, count) = part(filled, range.start - at);
            let read = fill_at(self.file, &mut into[filled..][..count], at + skipped)?;
            filled += read;
            if read < count {
                return Ok(filled);
            }
            let (skipped, count) = part(filled, old.len() as u64);
            into[filled..][..count].copy_from_slice(&old[skipped as usize..][..count]);
            filled += count;
            at = range.end;
        }
        Ok(filled + fill_at(self.file, &mut into[filled..], at + skip)?)
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
