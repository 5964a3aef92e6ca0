//! A file that is certainly in another encoding.

use super::{Definition, Fix, On, Severity};

pub const RULE: Definition = Definition {
    id: "wrong-encoding",
    title: "another encoding",
    explanation: "\
The file is plainly in another encoding than expected. Where UTF-8 is
expected, it begins with the BOM of UTF-16 or UTF-32, or all of it reads as
such. Where UTF-16, UTF-32 or a single-byte encoding with ASCII is expected,
it is UTF-8, and not only ASCII. One such error replaces
thousands of ill-formed bytes. It also replaces several ill-formed sequences
in a file that is certainly or likely in another encoding, as 'utfconv detect'
finds it; --verbose lists them. With --binary=error, binary files break this
rule too. It cannot be turned off.

Convert the file from the encoding that the report names; use -f UTF-16 if the
file begins with FF FE or FE FF:
    utfconv -i -f UTF-16LE FILE
Or set the expected encoding: with -f ENCODING, with charset in .editorconfig,
or with working-tree-encoding in .gitattributes.
",
    severity: Severity::Major,
    is_about_file: true,
    on: On::Always,
    ..Definition::with(Fix::By(
        "\
converts the file if .editorconfig or .gitattributes name an
encoding, and the file is certainly in another one; with
--min-certainty=likely also if that is likely. All of the text must be
convertible.",
    ))
};
