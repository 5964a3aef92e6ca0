//! A change of the encoding of a file.

use std::collections::HashSet;

use utfconv_core::US_ASCII;

use super::{Change, Definition, Detection, Fix, Severity, Version};

pub const RULE: Definition = Definition {
    id: "changed-encoding",
    title: "encoding changed",
    explanation: "\
The file is in another encoding than its old version in git, according to
'utfconv detect', whatever is declared. If ASCII text gets its first non-ASCII
characters, its encoding has not changed. The same is true if a line with
non-ASCII characters is the same in both versions.

This rule works only with --since or --staged, and must be requested.

To convert the file back, with the names from the message:
    utfconv -i -f NEW -t OLD FILE
",
    severity: Severity::Major,
    is_about_file: true,
    detection: Detection::Change(compare),
    ..Definition::with(Fix::Never("the change may be intended"))
};

fn compare(old: &Version, new: &Version) -> Option<Change> {
    let (was, is) = ((*old.encoding)?, (*new.encoding)?);
    let is_more_of = |one, other| one == &US_ASCII && utfconv_core::Encoding::is_ascii_compatible(other);
    if was == is || is_more_of(was, is) || is_more_of(is, was) {
        return None;
    }
    let lines = |version: &Version<'_>| -> HashSet<Vec<u8>> {
        let lines = version.content.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        lines.filter(|line| !line.is_ascii()).map(<[u8]>::to_vec).collect()
    };
    // If both versions have the same line of non-ASCII bytes, the encoding is unchanged, because statistics may
    // answer differently for the same bytes in another text.
    if !lines(old).is_disjoint(&lines(new)) {
        return None;
    }
    Change::of_file(format!("the encoding is {}; that of {} is {}", is.name(), old.name, was.name()))
}
