//! Characters that an old version of the file has, and that a program for UTF-8 lost.

use super::{Definition, Detection, Fix, On, Severity};

pub const RULE: Definition = Definition {
    id: "lost-characters",
    title: "characters of the old version were lost",
    explanation: "\
The old version of the file in git was in another encoding than UTF-8, and a
program that knows only UTF-8 wrote the new version. Bytes that the program
could not decode became U+FFFD or a question mark, were dropped, or were
decoded as another encoding. Or the new version has U+FFFD that the old
version does not have. The new file can be UTF-8 without any other error.

--since and --staged turn this rule on. Question marks and dropped characters
are reported only in at least two places. Text decoded as another encoding is
reported only if -f names the encoding of the old version.

To see which characters can be restored (edits are kept), and to restore them:
    utfconv repair --from-rev=REV FILE
    utfconv repair --from-rev=REV -i FILE
Add --damage=question-marks or --damage=dropped if the message says so.
",
    severity: Severity::Major,
    on: On::OldVersions,
    detection: Detection::Lost,
    ..Definition::with(Fix::Never("utfconv repair does"))
};
