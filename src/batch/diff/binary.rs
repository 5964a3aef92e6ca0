//! git's binary patches, and the object names that git gives to contents.

use std::ops::Range;

use miniz_oxide::deflate::compress_to_vec_zlib;
use sha1::{Digest, Sha1};

use super::lines::{Hunk, Lines};
use crate::files::checksum::hexadecimal;

/// Returns the SHA-1 that git gives to content as a blob.
pub fn blob_id(content: &[u8]) -> String {
    let mut sha1 = Sha1::new();
    sha1.update(format!("blob {}\0", content.len()).as_bytes());
    sha1.update(content);
    hexadecimal(&sha1.finalize())
}

/// Appends a binary patch from `old` to `new`, and a patch for the reverse direction.
pub fn patch(old: &[u8], new: &[u8], patch: &mut Vec<u8>) {
    patch.extend_from_slice(b"GIT binary patch\n");
    let lines = Lines::compare(old, new);
    let (old_starts, new_starts) = (starts(&lines.old), starts(&lines.new));
    let bytes = |starts: &[usize], lines: &Range<usize>| starts[lines.start]..starts[lines.end];
    let change = |hunk: &Hunk| (bytes(&old_starts, &hunk.old), bytes(&new_starts, &hunk.new));
    let changes: Vec<_> = lines.hunks.iter().map(change).collect();
    half(old, new, &changes, patch);
    let back: Vec<_> = changes.into_iter().map(|(old, new)| (new, old)).collect();
    half(new, old, &back, patch);
}

/// Returns the byte offset at which each line starts, and the length of all lines.
fn starts(lines: &[&[u8]]) -> Vec<usize> {
    let ends = lines.iter().scan(0, |at, line| {
        *at += line.len();
        Some(*at)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Appends one direction of a patch, as the whole result or as a delta, whichever is shorter.
fn half(from: &[u8], to: &[u8], changes: &[(Range<usize>, Range<usize>)], patch: &mut Vec<u8>) {
    /// The default level of zlib.
    const LEVEL: u8 = 6;
    let delta = delta(from, to, changes);
    // A delta that is not shorter than the result is not compressed.
    let delta = (delta.len() < to.len()).then(|| (delta.len(), compress_to_vec_zlib(&delta, LEVEL)));
    let literal = compress_to_vec_zlib(to, LEVEL);
    let (kind, len, packed) = match delta {
        Some((len, packed)) if packed.len() < literal.len() => ("delta", len, packed),
        _ => ("literal", to.len(), literal),
    };
    patch.extend_from_slice(format!("{kind} {len}\n").as_bytes());
    for line in packed.chunks(52) {
        let len = line.len() as u8;
        patch.push(if len <= 26 { b'A' + len - 1 } else { b'a' + len - 27 });
        line.chunks(4).for_each(|four| base85(four, patch));
        patch.push(b'\n');
    }
    patch.push(b'\n');
}

/// Appends up to four bytes as five base-85 characters.
fn base85(bytes: &[u8], to: &mut Vec<u8>) {
    const DIGITS: &[u8; 85] =
        b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    let number = u32::from_be_bytes(four);
    let digit = |power: u32| DIGITS[(number / 85u32.pow(power) % 85) as usize];
    to.extend([4, 3, 2, 1, 0].map(digit));
}

/// Returns a delta in git's format: both lengths, followed by instructions to copy ranges of `from` and to insert
/// bytes.
fn delta(from: &[u8], to: &[u8], changes: &[(Range<usize>, Range<usize>)]) -> Vec<u8> {
    let mut delta = Vec::new();
    length(from.len(), &mut delta);
    length(to.len(), &mut delta);
    let mut at = 0;
    for (old, new) in changes {
        copy(at..old.start, &mut delta);
        for bytes in to[new.clone()].chunks(0x7F) {
            delta.push(bytes.len() as u8);
            delta.extend_from_slice(bytes);
        }
        at = old.end;
    }
    copy(at..from.len(), &mut delta);
    delta
}

/// Appends a length in groups of seven bits, the lowest first.
fn length(mut len: usize, delta: &mut Vec<u8>) {
    while len >= 0x80 {
        delta.push(len as u8 | 0x80);
        len >>= 7;
    }
    delta.push(len as u8);
}

/// Appends instructions to copy a range. Each instruction is a byte with a bit for each byte of offset and length that
/// is not 0, followed by those bytes.
fn copy(range: Range<usize>, delta: &mut Vec<u8>) {
    /// Maximum length of an instruction in bytes; longer ranges need several. Older versions of git read only two bytes
    /// of length.
    const LONGEST: usize = 0xFFFF;
    for start in range.clone().step_by(LONGEST) {
        let len = (range.end - start).min(LONGEST);
        let [a, b, c, d, ..] = start.to_le_bytes();
        let [e, f, ..] = len.to_le_bytes();
        let at = delta.len();
        delta.push(0x80);
        for (bit, byte) in [a, b, c, d, e, f].into_iter().enumerate() {
            if byte != 0 {
                delta[at] |= 1 << bit;
                delta.push(byte);
            }
        }
    }
}
