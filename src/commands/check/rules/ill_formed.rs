//! Bytes that are invalid in the encoding.

use super::{Definition, Fix, On, Severity};

pub const RULE: Definition = Definition {
    id: "ill-formed",
    title: "ill-formed bytes",
    explanation: "\
Bytes that are invalid in the encoding of the file, which is UTF-8 unless -f
or the configuration names another encoding. In UTF-8, invalid bytes are bytes
that are never used, stray continuation bytes, truncated sequences,
non-shortest (overlong) forms, surrogates, and code points above U+10FFFF.
This rule cannot be turned off.

Programs treat invalid bytes in different ways: some stop, some drop the
bytes, and some write U+FFFD instead. Therefore, the text that one program
checks can differ from the text that the next program reads.

If the whole file is in another encoding, convert the file from that encoding:
    utfconv -i -f windows-1252 FILE
If only a few characters in UTF-8 text come from another encoding:
    utfconv -i --ill-formed=fallback=windows-1252 FILE
",
    standards: "RFC 3629, sections 3 and 10; The Unicode Standard, chapter 3 (D92)",
    severity: Severity::Major,
    on: On::Always,
    ..Definition::with(Fix::Never("the text that was lost is not certain"))
};
