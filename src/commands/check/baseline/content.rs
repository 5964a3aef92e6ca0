//! What a baseline knows of a file: its errors by rule and content.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use utfconv_core::Encoding;

use crate::commands::check::report::Finding;
use crate::commands::check::rules::Rule;
use crate::files::hash::fnv_of_parts;
use crate::files::sketch::folded;
use crate::files::stdio::bytes_at;

/// An error: its rule, and the hash of its content.
pub type ErrorKey = (Rule, u64);

/// How often a file has each error.
pub type Errors = BTreeMap<ErrorKey, u64>;

/// Returns how many errors two files have in common.
pub fn common(one: &Errors, other: &Errors) -> u64 {
    one.iter().filter_map(|(key, count)| other.get(key).map(|more| count.min(more))).sum()
}

/// How many bytes of the line before and after an error are hashed with it.
const CONTEXT: usize = 120;

/// Returns the key of an error: its bytes and the line around them, but not its position. Blanks around the line do not
/// count, and neither does the line where a rule is about the whole file.
pub fn key(file: &File, finding: &Finding, encoding: &Encoding) -> io::Result<ErrorKey> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if !finding.rule.definition().is_about_file {
        let (start, unit) = (finding.position.offset(), encoding.code_unit_len());
        let most = (start.min(CONTEXT as u64) as usize) / unit * unit;
        before = bytes_at(file, start - most as u64, most)?;
        after = bytes_at(file, start + finding.len, CONTEXT)?;
        let is_newline = |bytes: &[u8]| is_newline(bytes, encoding);
        if let Some(newline) = before.chunks(unit).rposition(is_newline) {
            before.drain(..(newline + 1) * unit);
        }
        if let Some(newline) = after.chunks(unit).position(is_newline) {
            after.truncate(newline * unit);
        }
    }
    let (before, after) = (before.trim_ascii_start(), after.trim_ascii_end());
    let len = finding.len.to_le_bytes();
    let hash = fnv_of_parts([finding.kind.as_bytes(), &finding.bytes, &len, before, after]);
    Ok((finding.rule, folded(hash)))
}

/// Whether a code unit ends a line.
fn is_newline(unit: &[u8], encoding: &Encoding) -> bool {
    let (first, last) = (unit[0], unit[unit.len() - 1]);
    let byte = first | last;
    let is_alone = unit.iter().map(|byte| u32::from(*byte)).sum::<u32>() == u32::from(byte);
    let is_ebcdic = encoding.is_ebcdic() && matches!(byte, 0x15 | 0x25);
    is_alone && (matches!(byte, b'\n' | b'\r') || is_ebcdic)
}
