//! The newline at the end of a file, which `scan::newlines` checks.

use super::{DEMANDS, Definition, Detection, Fix, Value, Values};

pub const RULE: Definition = Definition {
    id: "final-newline",
    title: "final newline",
    values: Values {
        words: DEMANDS,
        configured: Some(|required| required.final_newline.map(Value::of_demand)),
        ..Values::NONE
    },
    is_about_file: true,
    explanation: "\
With final-newline or final-newline=require, a file that is not empty must end
with a newline. With final-newline=forbid, a file must not end with a newline.
A newline is LF or CRLF, or CR in a file where most lines end with CR. A file
that has only a BOM is empty.

POSIX defines that a line ends with a newline. Without the last newline, `wc
-l` and `read` miss the last line, and joining files also joins lines. To add
a newline of the kind that the file has (with -f ENC if the file is not
UTF-8):
    utfconv -i --final-newline FILE
",
    detection: Detection::Newlines,
    ..Definition::with(Fix::By(
        "\
adds a newline of the most frequent kind in the file, or removes all
newlines at the end. A file that ends with ill-formed bytes, or with a CR that
ends no other line, is left.",
    ))
};
