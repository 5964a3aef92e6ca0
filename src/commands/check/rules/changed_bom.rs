//! A BOM that a change added or removed.

use super::{Change, Definition, Detection, Fix, Version};

pub const RULE: Definition = Definition {
    id: "changed-bom",
    title: "BOM added or removed",
    explanation: "\
The file begins with a BOM (byte order mark), and its old version in git does
not, or the reverse. Editors add and remove the BOM without notice. This
changes the behavior of compilers, parsers of CSV and #! lines.

This rule works only with --since or --staged, and must be requested.

To remove the BOM from UTF-8, and to add a BOM:
    utfconv -i --input-bom=strip FILE
    utfconv -i --output-bom=always FILE
",
    is_about_file: true,
    detection: Detection::Change(compare),
    ..Definition::with(Fix::Never("the change may be intended"))
};

/// BOMs of UTF-8, UTF-16 and UTF-32. The BOM of UTF-32LE is not listed, because it begins with the BOM of UTF-16LE.
const BOMS: [&[u8]; 4] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF"];

fn compare(old: &Version, new: &Version) -> Option<Change> {
    let has_bom = |content: &[u8]| BOMS.iter().any(|bom| content.starts_with(bom));
    match (has_bom(old.content), has_bom(new.content)) {
        (false, true) => Change::of_file(format!("{} has no BOM", old.name)),
        (true, false) => Change::of_file(format!("the BOM of {} is gone", old.name)),
        _ => None,
    }
}
