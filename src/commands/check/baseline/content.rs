//! Identifies the errors of a file by rule and content, so that a baseline needs no positions.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;

use utfconv_core::Encoding;

use crate::commands::check::report::Finding;
use crate::commands::check::rules::Rule;
use crate::files::hash::fnv_of_parts;
use crate::files::sketch::folded;
use crate::files::stdio::bytes_at;

/// Identifies an error by its rule and the hash of its content.
pub type ErrorKey = (Rule, u64);

/// Number of occurrences of each error in a file.
pub type Errors = BTreeMap<ErrorKey, u64>;

/// Returns how many errors two files have in common.
pub fn common(one: &Errors, other: &Errors) -> u64 {
    one.iter().filter_map(|(key, count)| other.get(key).map(|more| count.min(more))).sum()
}

/// Number of bytes of the line before an error, and after it, that are hashed with the error.
const CONTEXT: usize = 120;

/// Returns the key of an error: a hash of its bytes and the line around them, without the position. White space at
/// both ends of the line is left out, and the whole line if the rule is about the whole file.
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
    // A finding keeps only its first bytes, and a long hidden text may change after these bytes.
    let is_long = finding.len > finding.bytes.len() as u64;
    let long =
        is_long.then(|| bytes_at(file, finding.position.offset(), finding.len as usize)).transpose()?;
    let bytes = long.as_deref().unwrap_or(&finding.bytes);
    let len = finding.len.to_le_bytes();
    let hash = fnv_of_parts([finding.kind.as_bytes(), bytes, &len, before, after]);
    Ok((finding.rule, folded(hash)))
}

/// True if the code unit is a newline: LF, CR or, in EBCDIC, 15 or 25.
fn is_newline(unit: &[u8], encoding: &Encoding) -> bool {
    let (first, last) = (unit[0], unit[unit.len() - 1]);
    let byte = first | last;
    let is_alone = unit.iter().map(|byte| u32::from(*byte)).sum::<u32>() == u32::from(byte);
    let is_ebcdic = encoding.is_ebcdic() && matches!(byte, 0x15 | 0x25);
    is_alone && (matches!(byte, b'\n' | b'\r') || is_ebcdic)
}
