//! A file that is certainly in another encoding.

use super::{Definition, Fix, On, Severity};

pub const RULE: Definition = Definition {
    id: "wrong-encoding",
    title: "another encoding",
    explanation: "\
The file is plainly in another encoding than expected. If UTF-8 is expected,
the file begins with the BOM of UTF-16 or UTF-32, or all of it decodes as
UTF-16 or UTF-32. If UTF-16, UTF-32 or a single-byte encoding with ASCII is
expected, the file is UTF-8 with non-ASCII characters.

One such error replaces thousands of ill-formed bytes. It also replaces
several ill-formed sequences in a file that is certainly or likely in another
encoding, according to 'utfconv detect'; --verbose lists the sequences. With
--binary=error, binary files also break this rule. This rule cannot be turned
off.

Convert the file from the encoding in the message; use -f UTF-16 if the file
begins with FF FE or FE FF:
    utfconv -i -f UTF-16LE FILE
Or set the expected encoding with -f ENCODING, with charset in .editorconfig,
or with working-tree-encoding in .gitattributes.
",
    severity: Severity::Major,
    is_about_file: true,
    on: On::Always,
    ..Definition::with(Fix::By(
        "\
converts the file if .editorconfig or .gitattributes name an encoding,
and the file is certainly in another encoding. With --min-certainty=likely, it
also converts a file that is likely in another encoding. The whole text must
be convertible.",
    ))
};
