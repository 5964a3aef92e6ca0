//! A BOM where none may be, or no BOM where one must be.

use super::{Definition, Fix, Values};

pub const RULE: Definition = Definition {
    id: "bom",
    title: "byte order mark",
    values: Values::DemandOnly,
    explanation: "\
bom=forbid: the file must not begin with a BOM, U+FEFF (EF BB BF in UTF-8).
bom=require: the file must begin with one. This rule checks only the start of
the file; inner-bom checks for U+FEFF elsewhere.

A BOM breaks #! lines, the concatenation of files, and parsers that do not
expect it (JSON forbids it). Some programs on Windows use it to detect UTF-8
without guessing. In UTF-16 and UTF-32 it gives the byte order, so --rule all
forbids it only in UTF-8 and its relatives.

To remove the BOM from UTF-8, and to add it:
    utfconv -i --input-bom=strip FILE
    utfconv -i --output-bom=always FILE
For another encoding, name it with -f and with -t.
",
    ..Definition::with(Fix::By(
        "\
removes the BOM, or adds it. The BOM of UTF-16 and UTF-32
stays where the byte order depends on it.",
    ))
};
