//! A forbidden or missing BOM at the start of a file.

use std::borrow::Cow;

use super::inner_bom::without_boms;
use super::{DEMANDS, Definition, Fix, Place, Value, Values};
use crate::config::Demand;

pub const RULE: Definition = Definition {
    id: "bom",
    title: "byte order mark",
    values: Values {
        words: DEMANDS,
        needs_word: true,
        configured: Some(|required| required.bom.map(Value::of_demand)),
        in_all: |may_have_no_bom| may_have_no_bom.then_some(Value::of_demand(Demand::Forbid)),
    },
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
    standards: "RFC 3629, section 6",
    is_about_file: true,
    ..Definition::with(Fix::Text(
        "\
removes the BOM, or adds it. The BOM of UTF-16 and UTF-32
stays where the byte order depends on it.",
        without_bom,
    ))
};

/// Removes U+FEFF at the start of the file if the rule forbids a BOM.
fn without_bom<'t>(text: &'t str, place: &Place) -> Cow<'t, str> {
    match place.value.demand() {
        Demand::Forbid => without_boms(text, place.before, true),
        Demand::Require => text.into(),
    }
}
