use super::lines::{Hunk, Lines};
use super::names::quoted;
use super::*;
use crate::testkit::Random;

/// Applying the hunks to the old content gives the new content.
#[test]
fn hunks_are_what_changes() {
    let mut random = Random(0xD1FF);
    for round in 0..2000 {
        let content = |random: &mut Random| {
            let len = random.below([3, 30, 3000][round % 3]);
            (0..len).flat_map(|_| *random.one(&[b"a\n", b"b\n", b"\n\n", b"c\r"])).collect::<Vec<u8>>()
        };
        let (old, new) = (content(&mut random), content(&mut random));
        let lines = Lines::compare(&old, &new);
        let (mut made, mut at) = (Vec::new(), 0);
        for hunk in &lines.hunks {
            assert!(hunk.old.start >= at && (at == 0 || hunk.old.start > at), "{round}");
            made.extend(lines.old[at..hunk.old.start].concat());
            made.extend(lines.new[hunk.new.clone()].concat());
            at = hunk.old.end;
        }
        made.extend(lines.old[at..].concat());
        assert_eq!(made, new, "{round}");
    }
}

/// If both contents have the same number of lines, each hunk is a run of changed lines, even among repeated lines.
#[test]
fn lines_that_stay_in_place_are_not_searched() {
    for count in [1_000, 2_000, 4_000] {
        let (old, new) = (b"x\r\nx\n\n\n".repeat(count), b"x\r\nx\r\n\n\n".repeat(count));
        let expected: Vec<_> =
            (0..count).map(|at| 4 * at + 1..4 * at + 2).map(|at| Hunk { old: at.clone(), new: at }).collect();
        assert_eq!(Lines::compare(&old, &new).hunks, expected);
    }
}

/// If the number of lines changes, lines that occur exactly once in each content separate the hunks.
#[test]
fn lines_that_both_contents_have_once_part_what_changes() {
    let lines = |newline: &str| -> String {
        let line = |n: usize| if n % 1_000 == 7 { format!("{n}{newline}\n") } else { format!("{n}\n") };
        (0..20_000).map(line).collect()
    };
    let (old, new) = (lines("\r"), lines("\n"));
    let expected: Vec<_> = (0..20)
        .map(|at| (at * 1_000 + 7, at * 1_001 + 7))
        .map(|(old, new)| Hunk { old: old..old + 1, new: new..new + 2 })
        .collect();
    assert_eq!(Lines::compare(old.as_bytes(), new.as_bytes()).hunks, expected);
}

#[test]
fn renames() {
    let renderer = |style| Renderer { style, root: names::Root::find() };
    let [old, new] = ["/no such/a \u{e9}", "/no such/\"b"].map(Path::new);
    let patch = "\
diff --git \"a/no such/a \\303\\251\" \"b/no such/\\\"b\"
similarity index 100%
rename from \"no such/a \\303\\251\"
rename to \"no such/\\\"b\"
";
    assert_eq!(String::from_utf8(renderer(Style::Patch).rename(old, new, None)).as_deref(), Ok(patch));
    let screen = renderer(Style::Screen { color: false }).rename(old, new, None);
    let lines = "rename from no such/a \u{e9}\nrename to \"no such/\\\"b\"\n";
    assert_eq!(String::from_utf8(screen).as_deref(), Ok(lines));
}

#[test]
fn names_are_quoted_as_git_quotes_them() {
    for (name, expected) in [
        (&b"plain and blank"[..], "a/plain and blank"),
        (b"\x07\x08\t\n\x0B\x0C\r\x1B\x7F", "\"a/\\a\\b\\t\\n\\v\\f\\r\\033\\177\""),
        (b"\"\\\xFF", "\"a/\\\"\\\\\\377\""),
    ] {
        assert_eq!(quoted("a/", name, false), expected);
    }
    assert_eq!(quoted("", "\u{e9}\u{202E}".as_bytes(), true), "\"\u{e9}\\342\\200\\256\"");
}
