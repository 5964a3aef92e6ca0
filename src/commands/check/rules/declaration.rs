//! A declaration that contradicts the encoding of the file.

use super::{Definition, Detection, Fix};

pub const RULE: Definition = Definition {
    id: "declaration",
    title: "wrong declaration of the encoding",
    explanation: "\
The file declares an encoding, but is in another encoding, or another encoding
is required (by -f, .editorconfig or .gitattributes). Programs that believe
the declaration read the wrong characters, or refuse the file.

This rule knows the declarations of XML, HTML, CSS, Python, Emacs, Vim,
gettext, LaTeX and other formats. utfconv-text(7) lists them.

Text that is the same in both encodings, such as plain ASCII, does not
contradict the declaration, unless an encoding is required.

To replace the declared name, and nothing else, in a UTF-8 file:
    utfconv -i --declaration=update FILE
If the declaration is right, convert the file or change the required encoding.
",
    standards: "XML 1.0, section 4.3.3; HTML; PEP 263",
    is_about_file: true,
    detection: Detection::HeadAndTail,
    ..Definition::with(Fix::By(
        "\
replaces the declared name, and nothing else. A file with ill-formed
bytes is left, and so is a declaration that cannot name the encoding.",
    ))
};
