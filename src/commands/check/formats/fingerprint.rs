//! Fingerprints of findings: unique in a report, and unchanged if lines are moved.

use std::collections::HashMap;
use std::ffi::OsStr;

use crate::commands::check::report::Finding;
use crate::files::hash::{fnv, fnv_of_parts};

/// Makes fingerprints that are unique in a report.
#[derive(Default)]
pub struct Fingerprints {
    /// Number of findings so far, by a hash of everything but the position.
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
        let same = fnv_of_parts(parts);
        let ordinal = self.seen.entry(same).or_default();
        let hash = fnv(same, &ordinal.to_le_bytes());
        *ordinal += 1;
        format!("{hash:032x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::check::formats::samples::finding;
    use crate::commands::check::rules::Rule;

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
