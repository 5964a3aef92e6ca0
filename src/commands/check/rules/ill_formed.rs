//! Bytes that are invalid in the encoding.

use super::{Definition, Fix, On, Severity};

pub const RULE: Definition = Definition {
    id: "ill-formed",
    title: "ill-formed bytes",
    explanation: "\
Bytes that are invalid in the encoding of the file: UTF-8, unless -f or the
configuration names another. In UTF-8 these are bytes that are never used,
stray continuation bytes, truncated sequences, non-shortest forms, surrogates,
and code points above U+10FFFF. This rule cannot be turned off.

Programs treat such bytes in different ways: some stop, some drop them, some
write U+FFFD instead. Text that one program checks is not the text that the
next one reads.

If the whole file is in another encoding, convert it from that one:
    utfconv -i -f windows-1252 FILE
If only a few characters in UTF-8 text come from another encoding:
    utfconv -i --ill-formed=fallback=windows-1252 FILE
",
    standards: "RFC 3629, sections 3 and 10; The Unicode Standard, chapter 3 (D92)",
    severity: Severity::Major,
    on: On::Always,
    ..Definition::with(Fix::Never("the text that was lost is not certain"))
};
