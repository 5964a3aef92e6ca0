//! Characters that an old version of the file has, and that a program for UTF-8 lost.

use super::{Definition, Detection, Fix, On, Severity};

pub const RULE: Definition = Definition {
    id: "lost-characters",
    title: "characters of the old version were lost",
    explanation: "\
The old version of the file, in git, was in another encoding than UTF-8, and a
program that knows only UTF-8 wrote the new one: what it could not decode
became U+FFFD or a question mark, was dropped, or was decoded as another
encoding. Or the new version has U+FFFD that the old one does not have. The
new file may well be UTF-8 without any other error.

This is checked by --since and --staged, and by default there. Question marks
and dropped characters count only in two places or more, and text decoded as
another encoding only if -f names the one of the old version.

To see what can be put back, with the edits kept, and to do that:
    utfconv repair --from-rev=REV FILE
    utfconv repair --from-rev=REV -i FILE
Add --damage=question-marks or --damage=dropped where a finding says so.
",
    severity: Severity::Major,
    on: On::OldVersions,
    detection: Detection::Lost,
    ..Definition::with(Fix::Never("utfconv repair does"))
};
