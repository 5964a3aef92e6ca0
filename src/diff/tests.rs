use super::lines::Lines;
use super::names::quoted;
use super::*;
use crate::testkit::Random;

/// Applying the hunks to the old content gives the new one; long contents have one hunk at most.
#[test]
fn hunks_are_what_changes() {
    let mut random = Random(0xD1FF);
    let mut long = 0;
    for round in 0..2000 {
        let content = |random: &mut Random| {
            let len = random.below([3, 30, 3000][round % 3]);
            (0..len).flat_map(|_| *random.one(&[b"a\n", b"b\n", b"\n\n", b"c\r"])).collect::<Vec<u8>>()
        };
        let (old, new) = (content(&mut random), content(&mut random));
        let lines = Lines::compare(&old, &new, 1 << 12);
        let (mut made, mut at) = (Vec::new(), 0);
        for hunk in &lines.hunks {
            assert!(hunk.old.start >= at && (at == 0 || hunk.old.start > at), "{round}");
            made.extend(lines.old[at..hunk.old.start].concat());
            made.extend(lines.new[hunk.new.clone()].concat());
            at = hunk.old.end;
        }
        made.extend(lines.old[at..].concat());
        assert_eq!(made, new, "{round}");
        if old.len() + new.len() > 1 << 12 {
            assert!(lines.hunks.len() == 1, "{round}");
            long += 1;
        }
    }
    assert!(long > 100, "{long}");
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
