//! Fingerprints of findings: unique in a report, and the same after lines were moved.

use std::collections::HashMap;
use std::ffi::OsStr;

use crate::check::report::Finding;

/// Makes fingerprints, a new one each time.
#[derive(Default)]
pub struct Fingerprints {
    /// How many findings were the same except for their positions.
    seen: HashMap<u128, u64>,
}

impl Fingerprints {
    pub fn finding(&mut self, name: &OsStr, finding: &Finding) -> String {
        self.of([
            name.as_encoded_bytes(),
            finding.rule.id().as_bytes(),
            finding.kind.as_bytes(),
            &finding.bytes,
        ])
    }

    pub fn unreadable(&mut self, name: &OsStr) -> String {
        self.of([name.as_encoded_bytes(), b"unreadable", b"", b""])
    }

    fn of(&mut self, parts: [&[u8]; 4]) -> String {
        let same = parts.into_iter().fold(FNV_OFFSET, |hash, part| {
            // The length keeps "ab", "c" from being "a", "bc".
            fnv(fnv(hash, &(part.len() as u64).to_le_bytes()), part)
        });
        let ordinal = self.seen.entry(same).or_default();
        let hash = fnv(same, &ordinal.to_le_bytes());
        *ordinal += 1;
        format!("{hash:032x}")
    }
}

// FNV-1a of 128 bits, draft-eastlake-fnv.
const FNV_OFFSET: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;

fn fnv(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(FNV_PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::formats::samples::finding;
    use crate::check::rules::Rule;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(FNV_OFFSET, b"a"), 0xD228_CB69_6F1A_8CAF_7891_2B70_4E4A_8964);
    }

    #[test]
    fn equal_findings_differ_and_moved_ones_do_not() {
        let prints = |lines: &str, names: [&str; 3]| {
            let mut prints = Fingerprints::default();
            names.map(|name| prints.finding(name.as_ref(), &finding(lines, Rule::IllFormed, "m")))
        };
        let [first, second, other] = prints("", ["a", "a", "b"]);
        assert_eq!(first.len(), 32);
        assert!(first != second && first != other && second != other);
        assert_eq!(prints("\n\n", ["b", "a", "a"]), [other, first, second]);
    }
}
