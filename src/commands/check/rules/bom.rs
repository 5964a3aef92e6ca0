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
With bom=forbid, the file must not begin with a BOM, U+FEFF (EF BB BF in
UTF-8). With bom=require, the file must begin with a BOM. This rule checks
only the start of the file; the rule inner-bom checks for U+FEFF elsewhere.

A BOM breaks #! lines, the concatenation of files, and parsers that do not
expect a BOM (JSON forbids it). Some programs on Windows use a BOM to detect
UTF-8 without guessing. In UTF-16 and UTF-32, the BOM gives the byte order, so
--rule all forbids a BOM only in UTF-8 and its variants.

To remove the BOM from UTF-8, and to add a BOM:
    utfconv -i --input-bom=strip FILE
    utfconv -i --output-bom=always FILE
For another encoding, name the encoding with -f and with -t.
",
    standards: "RFC 3629, section 6",
    is_about_file: true,
    ..Definition::with(Fix::Text(
        "\
removes or adds the BOM. In UTF-16 and UTF-32, the BOM is kept if the
byte order depends on it.",
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
