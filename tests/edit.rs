//! The command `edit`, from outside: what a program for UTF-8 edits, and what is written.

use std::fs;
use std::path::Path;

use crate::harness::{dir_with, has, sh};

/// Text in windows-1252 with a byte that is no character, and CRLF.
const WESTERN: &[u8] = b"caf\xE9 un\r\nna\xEFve \x81 deux\r\nabc\r\n";
/// NEC's and IBM's codes of characters that CP932 has at other positions too.
const DUPLICATES: &[u8] = b"\x81\xCA \xEE\xF9 \xFA\x54\n\x83\x65\x83\x58\x83\x67\nabc\n";

fn contents(at: &Path, name: &str) -> Vec<u8> {
    fs::read(at.join(name)).expect("reads")
}

fn copies(at: &Path) -> Vec<String> {
    let names = fs::read_dir(at.join("tmp")).expect("is there");
    names.map(|entry| entry.expect("reads").file_name().into_string().expect("ASCII")).collect()
}

/// Runs `utfconv edit` with a directory of its own for the copies.
fn edit(at: &Path, rest: &str) -> crate::harness::Ran {
    sh(at, &format!("mkdir -p tmp; TMPDIR=$PWD/tmp $U edit {rest}"))
}

#[test]
fn what_is_not_edited_keeps_its_bytes() {
    let dir = dir_with(&[("a", WESTERN), ("b", DUPLICATES), ("c", WESTERN)]);
    let at = dir.path();
    edit(at, "-f windows-1252 a -- sed -i 's/abc/\u{e9}t\u{e9} \u{20ac}/'").expect(0, "", "");
    assert_eq!(contents(at, "a"), b"caf\xE9 un\r\nna\xEFve \x81 deux\r\n\xE9t\xE9 \x80\r\n");
    edit(at, "-f cp932 b -- sed -i 's/abc/\u{65e5}\u{672c}/'").expect(0, "", "");
    assert_eq!(
        contents(at, "b"),
        b"\x81\xCA \xEE\xF9 \xFA\x54\n\x83\x65\x83\x58\x83\x67\n\x93\xFA\x96\x7B\n"
    );
    // A program that normalizes newlines, and several files.
    edit(at, "-f windows-1252 a c -- sed -i 's/\\r//; s/un/UN/' {} ").expect(0, "", "");
    assert_eq!(contents(at, "c"), b"caf\xE9 UN\r\nna\xEFve \x81 deux\r\nabc\r\n");
    assert_eq!(copies(at), [""; 0]);
}

#[test]
fn the_editor_of_the_user_is_asked() {
    let dir = dir_with(&[("a", b"caf\xE9 un\n"), ("b", b"th\xE9 un\n")]);
    let at = dir.path();
    sh(at, "mkdir sub; mv b sub/a").expect(0, "", "");
    let set = "export VISUAL= EDITOR='sed -i s/un/deux/'; mkdir -p tmp; export TMPDIR=$PWD/tmp";
    sh(at, &format!("{set}; $U edit -f latin1 a sub/a")).expect(0, "", "");
    assert_eq!([contents(at, "a"), contents(at, "sub/a")].concat(), b"caf\xE9 deux\nth\xE9 deux\n");
    // The copies have the names of the files, and only the user can read them.
    let show = "sh -c 'for f; do stat -c \"%n %a\" $(dirname $f) | sed s,.*/,,; basename $f; done' sh";
    let ran = edit(at, &format!("-f latin1 a -- {show}"));
    let shown = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(shown.starts_with("utfconv-edit-") && shown.ends_with(" 700\na\n"), "{shown}");
}

#[test]
fn what_cannot_be_encoded_is_kept_as_a_copy() {
    let dir = dir_with(&[("a", WESTERN), ("b", b"caf\xE9\n")]);
    let at = dir.path();
    let ran = edit(at, "-f windows-1252 a b -- sed -i 's/caf/\u{65e5}&/; s/na/NA/'");
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("a:1:1: left: U+65E5 \"日\" is not in windows-1252\nutfconv: a: not written\n"),
        "{ran:?}"
    );
    assert_eq!([contents(at, "a"), contents(at, "b")], [WESTERN.to_vec(), b"caf\xE9\n".to_vec()]);
    let kept = at.join("tmp").join(&copies(at)[0]);
    assert!(ran.stderr.contains(&format!("the edited copy is kept: {}/a\n", kept.display())), "{ran:?}");
    let copy = fs::read_to_string(kept.join("a")).expect("reads");
    assert!(copy.starts_with("日café un\r\nNAïve"), "{copy}");
    // One of two files can be written.
    let ran = edit(at, "-f windows-1252 a b -- sed -i '1s/caf/TH/; s/deux/\u{65e5}/'");
    assert_eq!((ran.status, contents(at, "b")), (1, b"TH\xE9\n".to_vec()));
}

#[test]
fn nothing_is_written_after_a_failure() {
    let dir = dir_with(&[("a", WESTERN), ("n", b"a\0b\n"), ("u", b"\x80\x81\xFE\n")]);
    let at = dir.path();
    edit(at, "-f windows-1252 a -- false").expect(
        2,
        "",
        "utfconv: false failed (exit status: 1): nothing is written",
    );
    edit(at, "-f windows-1252 a -- nowhere").expect(2, "", "utfconv: nowhere: No such file");
    edit(at, "-f windows-1252 nowhere -- cat").expect(2, "", "utfconv: nowhere: No such file");
    edit(at, "-f windows-1252 n -- cat").expect(2, "", "utfconv: n: it is binary: it has a NUL");
    edit(at, "u -- cat").expect(2, "", "utfconv: u: its encoding is not known; use -f to name it");
    edit(at, "-f latin1 - -- cat").expect(2, "", "edit cannot use standard input");
    edit(at, "-f windows-1252 a -- rm").expect(2, "", "utfconv: a: its edited copy: No such file");
    let script = "sh -c 'sed -i s/abc/x/ \"$1\"; echo >> a' sh";
    edit(at, &format!("-f windows-1252 a -- {script}")).expect(2, "", "utfconv: a: it was changed meanwhile");
    assert_eq!(contents(at, "a"), [WESTERN, b"\n"].concat());
    // The edit is not lost.
    assert_eq!(copies(at).len(), 1);
    edit(at, "--ignore-status -f windows-1252 a -- sh -c 'sed -i s/abc/x/ \"$1\"; exit 3' sh")
        .expect(0, "", "");
    assert_eq!(contents(at, "a"), b"caf\xE9 un\r\nna\xEFve \x81 deux\r\nx\r\n\n");
}

#[test]
fn an_edit_can_be_undone() {
    if !has("vim") {
        return;
    }
    let dir = dir_with(&[("a", WESTERN)]);
    let at = dir.path();
    edit(
        at,
        "-f windows-1252 --manifest=M a -- vim -es -u NONE -c 'set enc=utf-8 | e! | %s/abc/\u{e9}/' -c wq",
    )
    .expect(0, "", "");
    assert_eq!(contents(at, "a"), b"caf\xE9 un\r\nna\xEFve \x81 deux\r\n\xE9\r\n");
    sh(at, "$U --undo M").expect(0, "", "utfconv: M: 1 file restored\n");
    assert_eq!(contents(at, "a"), WESTERN);
}
