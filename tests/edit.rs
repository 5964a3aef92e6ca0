//! Tests of the command `edit`: the UTF-8 copy that a program edits, and the bytes that are written back.

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::harness::{contents, dir_with, has, pause, rounds, sh};

/// Text in windows-1252 with CR LF and byte 81, which is undefined.
const WESTERN: &[u8] = b"caf\xE9 un\r\nna\xEFve \x81 deux\r\nabc\r\n";
/// NEC and IBM duplicates: CP932 also has the characters at other code positions.
const DUPLICATES: &[u8] = b"\x81\xCA \xEE\xF9 \xFA\x54\n\x83\x65\x83\x58\x83\x67\nabc\n";

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
    // The program normalizes newlines in two files.
    edit(at, "-f windows-1252 a c -- sed -i 's/\\r//; s/un/UN/' {} ").expect(0, "", "");
    assert_eq!(contents(at, "c"), b"caf\xE9 UN\r\nna\xEFve \x81 deux\r\nabc\r\n");
    fs::write(at.join("d"), b"d\xE9j\xE0 vu, et tr\xE8s bient\xF4t\r\n").expect("writes");
    edit(at, "-f auto d -- sed -i 's/tr\u{e8}s/plus/'").expect(0, "", "");
    assert_eq!(contents(at, "d"), b"d\xE9j\xE0 vu, et plus bient\xF4t\r\n");
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
    // Each copy has the name of its file, and only the user can read it.
    let show = "sh -c 'for f; do stat -c \"%n %a\" $(dirname $f) | sed s,.*/,,; basename $f; done' sh";
    let ran = edit(at, &format!("-f latin1 a -- {show}"));
    let shown = String::from_utf8(ran.stdout).expect("UTF-8");
    assert!(shown.starts_with("utfconv-edit-") && shown.ends_with(" 700\na\n"), "{shown}");
}

#[test]
fn a_program_that_changes_nothing_is_named() {
    let dir = dir_with(&[("a", b"caf\xE9 un\n")]);
    let at = dir.path();
    let advice = "it must write to the file before it ends, as 'sed -i' and 'code --wait' do";
    edit(at, "-f latin1 a -- sed s/un/deux/").expect(
        0,
        "caf\u{e9} deux\n",
        &format!("utfconv: sed changed nothing; {advice}\n"),
    );
    sh(at, "EDITOR=true VISUAL= $U edit -f latin1 a").expect(
        0,
        "",
        &format!("utfconv: the editor changed nothing; {advice}\n"),
    );
    let refused = "utfconv: nowhere: cannot hold the copies: No such file or directory; set TMPDIR to another directory\n";
    sh(at, "TMPDIR=nowhere $U edit -f latin1 a -- true").expect(2, "", refused);
    assert_eq!(contents(at, "a"), b"caf\xE9 un\n");
}

/// With a wrong `-f`, text in another encoding would be written into the file.
#[test]
fn a_file_in_another_encoding_than_the_named_one_stays() {
    let text = "Crème brûlée;5\nCafé;2\n";
    let dir = dir_with(&[("menu", text.as_bytes()), ("wide", b"Name;Price\nCaf\xE9;2\n")]);
    let at = dir.path();
    sh(at, "$U edit -f windows-1252 menu -- sed -i s/5/ü5/").expect(
        2,
        "",
        "utfconv: menu: it is UTF-8, not windows-1252; use -f UTF-8; --force edits it as it is\n",
    );
    sh(at, "$U edit -f UTF-16 wide -- sed -i '$a x'").expect(
        2,
        "",
        "utfconv: wide: it does not look like UTF-16; see 'utfconv detect wide'; --force edits it as it is\n",
    );
    let western = b"Caf\xE9 cr\xE8me et th\xE9 glac\xE9.\nUne deuxi\xE8me ligne.\n";
    fs::write(at.join("western"), western).expect("writes");
    sh(at, "$U edit -f UTF-8 western -- sed -i s/ligne/été/").expect(
        2,
        "",
        "utfconv: western: it looks like windows-1252, not UTF-8; use -f windows-1252; --force edits it as it is\n",
    );
    assert_eq!(contents(at, "western"), western);
    // A UTF-8 file may have invalid bytes.
    let broken = [text.as_bytes(), b"\xE9\n"].concat();
    fs::write(at.join("broken"), &broken).expect("writes");
    sh(at, "$U edit -f UTF-8 broken -- sed -i s/5/6/").expect(0, "", "");
    assert_eq!(contents(at, "broken"), [text.replace('5', "6").as_bytes(), b"\xE9\n"].concat());
    assert_eq!(contents(at, "menu"), text.as_bytes());
    sh(at, "$U edit --force -f windows-1252 menu -- sed -i s/5/6/ && cat menu").expect(
        0,
        text.replace('5', "6"),
        "",
    );
}

/// Detection returns a superset encoding, but programs that know only the subset must still read the file.
#[test]
fn a_detected_encoding_does_not_grow() {
    let chinese = "联通公司是中国的一个大型电信企业。\n今天天气很好，我们去公园玩吧。\n";
    let korean = "안녕하세요, 오늘은 날씨가 매우 좋습니다.\n대한민국의 수도는 서울입니다.\n";
    for (text, new, code_point, smaller, larger) in
        [(chinese, "𠮷", "U+20BB7", "GBK", "GB18030"), (korean, "뷁", "U+BDC1", "EUC-KR", "CP949")]
    {
        let dir = dir_with(&[("u", text.as_bytes())]);
        let at = dir.path();
        sh(at, &format!("$U -t {smaller} u > a; cp a b")).expect(0, "", "");
        let program = format!("sed -i '1s/^/{new}/'");
        let error = format!(
            "utfconv: a:1:1: error: {code_point} \"{new}\" cannot be encoded in {smaller}, \
             the encoding of a so far; use -f {larger} to write it\nutfconv: a: not written\n"
        );
        let ran = edit(at, &format!("a -- {program}"));
        assert!(ran.status == 1 && ran.stderr.starts_with(&error), "{ran:?}");
        assert_eq!(contents(at, "a"), contents(at, "b"));
        // The superset is used if it is given, configured or declared, or if the file already has a character of it.
        edit(at, &format!("-f {larger} a -- {program}")).expect(0, "", "");
        edit(at, &format!("a -- {program}")).expect(0, "", "");
        sh(at, &format!("$U -f {larger} a")).expect(0, format!("{new}{new}{text}"), "");
        sh(at, &format!("(echo '# coding: {larger}'; cat b) > c.py; cp b a")).expect(0, "", "");
        edit(at, &format!("c.py -- {program}")).expect(0, "", "");
        fs::write(at.join(".editorconfig"), format!("root = true\n[a]\ncharset = {larger}\n"))
            .expect("writes");
        edit(at, &format!("a -- {program}")).expect(0, "", "");
    }
}

/// In an ASCII file, the first non-ASCII character that is typed does not decide the encoding.
#[test]
fn a_file_in_ascii_gets_the_encoding_that_is_configured_or_declared() {
    let xml = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a>abc</a>\n";
    let python = "# coding: ascii\na = 'abc'\n";
    let config = "root = true\n[a]\ncharset = latin1\n[wide]\ncharset = utf-16le\n";
    let dir = dir_with(&[
        ("a", b"abc\n"),
        ("wide", b"abc\n"),
        ("none", b"abc\n"),
        ("a.xml", xml.as_bytes()),
        ("a.py", python.as_bytes()),
        (".editorconfig", config.as_bytes()),
    ]);
    let at = dir.path();
    edit(at, "a wide none a.xml -- sed -i s/abc/é/").expect(0, "", "");
    assert_eq!(
        [contents(at, "a"), contents(at, "wide"), contents(at, "none")],
        [&b"\xE9\n"[..], "é\n".as_bytes(), "é\n".as_bytes()]
    );
    assert!(contents(at, "a.xml").ends_with(b"\n<a>\xE9</a>\n"));
    // US-ASCII is respected too, if it is declared or given.
    let error = "error: U+00E9 \"é\" cannot be encoded in US-ASCII\n";
    edit(at, "a.py -- sed -i s/abc/é/").expect_part(1, "", error);
    fs::write(at.join("none"), "abc\n").expect("writes");
    edit(at, "-f US-ASCII none -- sed -i s/abc/é/").expect_part(1, "", error);
    assert_eq!([contents(at, "a.py"), contents(at, "none")], [python.as_bytes(), b"abc\n"]);
}

#[test]
fn what_cannot_be_encoded_is_kept_as_a_copy() {
    let dir = dir_with(&[("a", WESTERN), ("b", b"caf\xE9\n")]);
    let at = dir.path();
    let ran = edit(at, "-f windows-1252 a b -- sed -i 's/caf/\u{65e5}&/; s/na/NA/'");
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.stderr.contains(
            "a:1:1: error: U+65E5 \"日\" cannot be encoded in windows-1252\nutfconv: a: not written\n"
        ),
        "{ran:?}"
    );
    assert_eq!([contents(at, "a"), contents(at, "b")], [WESTERN.to_vec(), b"caf\xE9\n".to_vec()]);
    let kept = at.join("tmp").join(&copies(at)[0]);
    let line = format!("the edited copy is kept: {}/a; use 'utfconv edit -f windows-1252 ", kept.display());
    assert!(ran.stderr.contains(&line), "{ran:?}");
    let copy = fs::read_to_string(kept.join("a")).expect("reads");
    assert!(copy.starts_with("日café un\r\nNAïve"), "{copy}");
    // One of two files can be written.
    let ran = edit(at, "-f windows-1252 a b -- sed -i '1s/caf/TH/; s/deux/\u{65e5}/'");
    assert_eq!((ran.status, contents(at, "b")), (1, b"TH\xE9\n".to_vec()));
    // With a mode for unmappable characters, the file is written and no copy is kept.
    fs::write(at.join("b"), b"caf\xE9 \x80\n").expect("writes");
    let before = copies(at).len();
    let ran =
        edit(at, "-f windows-1252 --unmappable=escape=html b -- sed -i 's/caf/\u{65e5}&/; s/$/\u{FFFD}/'");
    let errors = "utfconv: b:1:1: error: U+65E5 \"日\" cannot be encoded in windows-1252\n\
        utfconv: b:1:8: error: a character was lost, and b does not prove which\n\
        utfconv: b: written, with 2 characters as --unmappable says\n";
    assert_eq!((ran.status, &ran.stderr[..]), (1, errors));
    assert_eq!((contents(at, "b"), copies(at).len()), (b"&#26085;caf\xE9 \x80&#65533;\n".to_vec(), before));
}

/// The command that the message about a kept copy suggests works unchanged: with any file names, and after the copy was
/// corrected.
#[test]
fn a_kept_copy_is_written_by_the_command_of_the_message() {
    let old = b"caf\xE9 un, th\xE9 un\n";
    let command_of = |stderr: &str, end: &str| {
        let line = stderr.lines().find(|line| line.contains("the edited copy is kept: ")).expect("is there");
        let (_, rest) = line.split_once("use 'utfconv edit ").expect("has a command");
        let (command, advice) = rest.split_once(" {}' to write it").expect("has copies");
        assert_eq!(advice, end);
        format!("$U edit {command} {{}}")
    };
    let names = ["a", "it's a \"$HOME\".txt", "-dash x", "tab\t`id`\\!"];
    for (name, options) in names.iter().flat_map(|name| [(name, "-f windows-1252"), (name, "")]) {
        let dir = dir_with(&[(name, old), (".editorconfig", b"root = true\n[*]\ncharset = latin1\n")]);
        let at = dir.path();
        sh(at, "mkdir 't m p'").expect(0, "", "");
        let edit = |text: &str, rest: &str| {
            let quoted = name.replace('\'', "'\\''");
            sh(
                at,
                &format!(
                    "TMPDIR=$PWD/'t m p' $U edit {options} ./'{quoted}' {rest} -- sed -i 's/un/{text}/'"
                ),
            )
        };
        let end = " with replacements, or correct it first and omit --unmappable";
        let ran = edit("日", "");
        assert!(ran.status == 1 && contents(at, name) == old, "{ran:?}");
        let command = command_of(&ran.stderr, end);
        assert_eq!(command.contains("-f windows-1252 "), !options.is_empty(), "{command}");
        let again = sh(at, &command);
        assert!(again.status == 1 && again.stderr.contains("1 character as --unmappable says"), "{again:?}");
        assert_eq!(contents(at, name), b"caf\xE9 ?, th\xE9 un\n", "{command}");
        // The same command without a mode writes a corrected copy.
        fs::write(at.join(name), old).expect("writes");
        let correct = "sed -i s/日/deux/ 't m p'/*/*";
        sh(at, &format!("{correct} && {}", command.replace(" --unmappable=replace", ""))).expect(0, "", "");
        assert_eq!(contents(at, name), b"caf\xE9 deux, th\xE9 un\n", "{command}");
        // The program failed, so its copy is kept.
        sh(at, "rm -r 't m p'/*").expect(0, "", "");
        let ran = edit("trois/; s/deux/trois/; $ q3; s/x/x", "");
        assert!(ran.status == 2 && ran.stderr.contains("nothing is written"), "{ran:?}");
        sh(at, &command_of(&ran.stderr, "")).expect(0, "", "");
        assert!(contents(at, name).starts_with(b"caf\xE9 trois"), "{ran:?}");
    }
    // The program wrote another encoding than UTF-8.
    let dir = dir_with(&[("a", b"caf\xE9 un\n")]);
    let at = dir.path();
    let ran = edit(at, "-f windows-1252 --force a -- sh -c 'printf \"caf\\351 deux\\n\" > \"$0\"'");
    assert!(ran.status == 1 && ran.stderr.contains("it is not UTF-8\n"), "{ran:?}");
    assert!(ran.stderr.contains("/a; correct it, then use 'utfconv edit "), "{ran:?}");
    let command = command_of(&ran.stderr, "");
    assert!(command.starts_with("$U edit -f windows-1252 --force a -- cp "), "{command}");
    sh(at, &format!("$U -i -f windows-1252 tmp/*/a && {command}")).expect(0, "", "");
    assert_eq!(contents(at, "a"), b"caf\xE9 deux\n");
    // The suggested command has all options that affect the result.
    sh(at, "rm -r tmp").expect(0, "", "");
    let ran = edit(
        at,
        "-f latin1 --unmappable='replace=a b' --manifest=M a -- sh -c 'sed -i s/caf/日/ \"$1\"; exit 3' sh",
    );
    let command = command_of(&ran.stderr, "");
    assert!(
        command.starts_with("$U edit -f latin1 --unmappable=\"replace=a b\" --manifest=M a -- cp "),
        "{command}"
    );
    sh(at, &command).expect_part(1, "", "a: written, with 1 character as --unmappable says");
    assert_eq!(contents(at, "a"), b"a b\xE9 deux\n");
    sh(at, "$U --undo=M").expect(0, "", "utfconv: M: 1 file restored\n");
    assert_eq!(contents(at, "a"), b"caf\xE9 deux\n");
}

#[test]
fn nothing_is_written_after_a_failure() {
    let dir = dir_with(&[("a", WESTERN), ("n", b"a\0b\n"), ("u", b"\x80\x81\xFE\n")]);
    let at = dir.path();
    edit(at, "-f windows-1252 a -- false").expect(
        2,
        "",
        "false failed (exit status: 1): nothing is written; use --ignore-status to write it",
    );
    edit(at, "-f windows-1252 a -- nowhere").expect(2, "", "nowhere: No such file or directory");
    edit(at, "-f windows-1252 nowhere -- cat").expect(2, "", "nowhere: No such file or directory");
    edit(at, "-f windows-1252 n -- cat").expect(2, "", "utfconv: n: it is binary: it has a NUL");
    let unknown = "its encoding is not known; use -f to name it (see 'utfconv detect u')";
    edit(at, "u -- cat").expect(2, "", &format!("utfconv: u: {unknown}"));
    edit(at, "-f latin1 - -- cat").expect(
        2,
        "",
        "edit cannot use standard input; write ./- for a file called -",
    );
    edit(at, "-f windows-1252 a -- rm").expect(2, "", "a: its edited copy: No such file or directory");
    let script = "sh -c 'sed -i s/abc/x/ \"$1\"; echo >> a' sh";
    let ran = edit(at, &format!("-f windows-1252 a -- {script}"));
    let why = "utfconv: a: it was changed meanwhile, and is not written\n";
    assert!(ran.status == 2 && ran.stderr.starts_with(why), "{ran:?}");
    let (_, command) = ran.stderr.split_once("/a; use 'utfconv ").expect("has a command");
    let (command, last) = command.split_once("' to compare them, then 'utfconv edit ").expect("has two");
    sh(at, &format!("( $U {command} ) 2> log; rm log")).expect(0, "3,4c3\n< abc\r\n< \n---\n> x\r\n", "");
    assert!(last.ends_with("/a {}' to replace the file\n"), "{last}");
    assert_eq!(contents(at, "a"), [WESTERN, b"\n"].concat());
    // The copy with the edit is kept.
    assert_eq!(copies(at).len(), 1);
    edit(at, "--ignore-status -f windows-1252 a -- sh -c 'sed -i s/abc/x/ \"$1\"; exit 3' sh")
        .expect(0, "", "");
    assert_eq!(contents(at, "a"), b"caf\xE9 un\r\nna\xEFve \x81 deux\r\nx\r\n\n");
}

/// A program may know only ASCII, read UTF-8 as another encoding, or write nothing. The resulting text could be
/// encoded, but is refused.
#[test]
fn a_program_that_loses_text_is_refused() {
    let old = b"M\xFCller\nB\xFCcher\nplain\n";
    let dir = dir_with(&[("a", old)]);
    let at = dir.path();
    let ways = [
        ("s/ü/?/; s/plain/&s/", "characters that are not ASCII became '?'", "M?ller\nB?cher\nplains\n"),
        ("s/ü//; s/plain/&s/", "characters that are not ASCII were dropped", "Mller\nBcher\nplains\n"),
        ("s/ü/Ã¼/; s/plain/&s/", "it was read as ISO-8859-1", "MÃ¼ller\nBÃ¼cher\nplains\n"),
    ];
    for (script, why, text) in ways {
        let ran = edit(at, &format!("-f windows-1252 a -- sed -i '{script}'"));
        assert_eq!((ran.status, &ran.stdout[..], contents(at, "a")), (1, &b""[..], old.to_vec()), "{ran:?}");
        let start = format!("utfconv: a: error: {why}; not written\nutfconv: the edited copy is kept: ");
        assert!(ran.stderr.starts_with(&start), "{ran:?}");
        // The command in the message writes the file, in case the change was intended.
        let (_, command) = ran.stderr.split_once("; use 'utfconv ").expect("has a command");
        let (command, _) = command.split_once("' to write it as it is, or correct it first\n").expect("ends");
        sh(at, &format!("$U {command} && rm -r tmp && $U -f windows-1252 a 2> /dev/null"))
            .expect(0, text, "");
        fs::write(at.join("a"), old).expect("writes");
    }
    let ran = edit(at, "-f windows-1252 a -- cp /dev/null");
    let why = "utfconv: a: error: the program left nothing of its text; not written\n";
    assert!(ran.status == 1 && ran.stderr.starts_with(why), "{ran:?}");
    assert!(ran.stderr.ends_with("/a; correct it, or use ': > a' to empty the file\n"), "{ran:?}");
    assert_eq!(contents(at, "a"), old);
    // In a single line, the same changes may have been typed, so they are written.
    edit(at, "-f windows-1252 a -- sed -i '1s/ü/?/'").expect(0, "", "");
    edit(at, "-f windows-1252 a -- sed -i '2s/ü/ue/'").expect(0, "", "");
    assert_eq!(contents(at, "a"), b"M?ller\nBuecher\nplain\n");
}

/// If a program removes all non-ASCII characters, an entirely Japanese line cannot be matched with the line that is
/// left.
#[test]
fn a_program_that_leaves_only_ascii_is_refused() {
    let old = b"\x93\xFA\x96\x7B\nx = 1 # \x83\x65\x83\x58\x83\x67\n\n\x8C\xEA\nplain\n\x95\xB6\x8F\xCD\n";
    let dir = dir_with(&[("a", old)]);
    let at = dir.path();
    let drop = "env LC_ALL=C sed -i 's/[\\x80-\\xFF]//g; s/plain/&s/'";
    let ran = edit(at, &format!("-f cp932 a -- {drop}"));
    let copy = format!("{}/tmp/{}/a", at.display(), copies(at)[0]);
    ran.expect(
        1,
        "",
        &format!(
            "utfconv: a: error: characters that are not ASCII were dropped; not written\n\
             utfconv: the edited copy is kept: {copy}; use 'utfconv edit -f cp932 --unmappable=replace a -- cp {copy} {{}}' \
             to write it as it is, or correct it first\n"
        ),
    );
    assert_eq!(contents(at, "a"), old);
    assert_eq!(contents(at, &format!("tmp/{}/a", copies(at)[0])), b"\nx = 1 # \n\n\nplains\n\n");
    // Deleting lines and comments, or emptying one line, is accepted.
    for (script, new) in [
        ("1d;4d;6d", &b"x = 1 # \x83\x65\x83\x58\x83\x67\n\nplain\n"[..]),
        ("s/ # .*//; 1s/.*//", b"\nx = 1\n\n\x8C\xEA\nplain\n\x95\xB6\x8F\xCD\n"),
    ] {
        fs::write(at.join("a"), old).expect("writes");
        edit(at, &format!("-f cp932 a -- sed -i '{script}'")).expect(0, "", "");
        assert_eq!(contents(at, "a"), new, "{script}");
    }
}

/// `edit` does not wait for a pipe in place of the copy, and does not follow a link, because the target is another
/// file.
#[cfg(unix)]
#[test]
fn only_a_regular_copy_goes_back() {
    let dir = dir_with(&[("a", WESTERN), ("other", b"secret\n")]);
    let at = dir.path();
    for replace in ["mkfifo \"$1\"", "ln -s $PWD/other \"$1\"", "ln -s /dev/zero \"$1\"", "mkdir \"$1\""] {
        let script = |end: &str| format!("-f windows-1252 a -- sh -c 'rm \"$1\"; {replace}{end}' sh");
        let ran = edit(at, &script(""));
        let why = "utfconv: a: its edited copy: it is no longer a regular file\n";
        assert!(ran.status == 2 && ran.stderr.starts_with(why), "{replace}: {ran:?}");
        // After a failure of the program, copies are checked the same way.
        let failed = "utfconv: sh failed (exit status: 3): nothing is written";
        edit(at, &script("; exit 3")).expect_part(2, "", failed);
        assert_eq!([contents(at, "a"), contents(at, "other")], [WESTERN, b"secret\n"], "{replace}");
    }
}

/// Editors may write nothing, continue after their first process has ended, or edit a file again.
#[test]
fn editors_may_do_less_or_more() {
    let dir = dir_with(&[("a", WESTERN), ("b", WESTERN), ("binary", b"\x89PNG\r\n\x1A\n\0\0\0")]);
    let at = dir.path();
    let unchanged = |program: &str| {
        let advice = "it must write to the file before it ends, as 'sed -i' and 'code --wait' do";
        format!("utfconv: {program} changed nothing; {advice}\n")
    };
    for program in ["true", "touch"] {
        edit(at, &format!("-f windows-1252 a -- {program}")).expect(0, "", &unchanged(program));
    }
    assert_eq!(contents(at, "a"), WESTERN);
    let unknown = "its encoding is not known; use -f to name it (see 'utfconv detect binary')";
    edit(at, "binary -- cat").expect(2, "", &format!("binary: {unknown}"));
    edit(at, "-f windows-1252 a ./a -- cat").expect(2, "", "./a: named two times; name it once");
    // A write after the first process ended goes to a deleted copy.
    let late = "sh -c '(sleep 0.2; echo late > \"$1\") > /dev/null 2>&1 &' sh";
    edit(at, &format!("-f windows-1252 a -- {late}")).expect(0, "", &unchanged("sh"));
    sh(at, "sleep 0.4").expect(0, "", "");
    assert_eq!((contents(at, "a"), copies(at)), (WESTERN.to_vec(), vec![]));
    // Two edits run at the same time, and the outer edit finds that the file was replaced.
    let inner = "sh -c 'sed -i s/abc/outer/ \"$1\"; $U edit -f windows-1252 a -- sed -i s/abc/inner/' sh";
    edit(at, &format!("-f windows-1252 a -- {inner}")).expect_part(2, "", "utfconv: a: file was replaced");
    assert_eq!(contents(at, "a"), b"caf\xE9 un\r\nna\xEFve \x81 deux\r\ninner\r\n");
    // Two edits run in sequence.
    edit(at, "-f windows-1252 b -- sed -i s/abc/one/").expect(0, "", "");
    edit(at, "-f windows-1252 b -- sed -i s/one/é/").expect(0, "", "");
    assert_eq!(contents(at, "b"), b"caf\xE9 un\r\nna\xEFve \x81 deux\r\n\xE9\r\n");
}

/// The message about a wrong command line suggests the correct command.
#[test]
fn wrong_command_lines_get_the_right_one() {
    let dir = dir_with(&[("a", b"caf\xE9\n"), ("b", b"caf\xE9\n")]);
    let at = dir.path();
    sh(at, "mkdir dir").expect(0, "", "");
    for (wrong, message) in [
        ("", "no file is named; use 'utfconv edit FILE'"),
        ("-- sed -i s/c/d/ a", "write the files before --: 'utfconv edit a -- sed -i s/c/d/'"),
        ("-f latin1 -- vim a", "write the files before --: 'utfconv edit -f latin1 a -- vim'"),
        (
            "-f latin1 a b sed -i 's/c d/e/'",
            "unexpected argument '-i'; write -- before the program: 'utfconv edit -f latin1 a b -- sed -i \"s/c d/e/\"'",
        ),
        (
            "sed -i s/c/d/ a",
            "unexpected argument '-i'; write -- before the program: 'utfconv edit a -- sed -i s/c/d/'",
        ),
        (
            "-f latin1 a vim --clean",
            "unexpected argument '--clean'; write -- before the program: 'utfconv edit -f latin1 a -- vim --clean'",
        ),
        (
            "-f latin1 a vim",
            "vim: No such file or directory; if it is the program, use 'utfconv edit a -- vim'",
        ),
        (
            "--undo=M a",
            "unexpected argument '--undo'; use 'utfconv --undo=MANIFEST' to undo edits that --manifest recorded",
        ),
        ("-i a", "unexpected argument '-i'; edit always writes to the files; use 'utfconv edit FILE'"),
        (
            "--editor=vim a",
            "unexpected argument '--editor'; write the program after --: 'utfconv edit FILE -- PROGRAM'",
        ),
        (
            "-f latin1 -t UTF-8 a",
            "unexpected argument '-t'; each file keeps its encoding; use 'utfconv -i -f ENC -t ENC FILE' to convert it",
        ),
        ("-r dir", "unexpected argument '-r'; edit takes files, not directories; use 'utfconv edit FILE...'"),
        ("-f latin1 dir -- true", "dir: Is a directory; name the files in it"),
        ("-f latin1 a a -- true", "a: named two times; name it once"),
        (
            "-f latin1 a -- 'sed -i s/c/d/'",
            "sed -i s/c/d/: No such file or directory; use 'utfconv edit a -- sed -i s/c/d/'",
        ),
        (
            "-f latin1 a -- sed -i s/c/d/ a",
            "the program would get a itself; use 'utfconv edit a -- sed -i s/c/d/ \"{}\"'",
        ),
    ] {
        edit(at, wrong).expect(2, "", &format!("utfconv: {message}\n"));
        assert_eq!([contents(at, "a"), contents(at, "b")].concat(), b"caf\xE9\ncaf\xE9\n", "{wrong}");
    }
    edit(at, "-f latin1 a -- sed -i s/c/d/ \"{}\"").expect(0, "", "");
    assert_eq!((contents(at, "a"), copies(at)), (b"daf\xE9\n".to_vec(), vec![]));
}

/// Programs edit a line, or indent all lines as formatters do. All other bytes stay.
#[test]
fn programs_edit_in_their_ways() {
    let lines: [&[u8]; 4] = [
        b"\x81\xCA \xEE\xF9 \xFA\x54\n",
        b"\x87\x90 \x81\xE0 \xED\x40 \xFA\x5C\n",
        b"abc\n",
        b"\x87\x54\xFA\x4A\n",
    ];
    let edited = [lines[0], lines[1], b"\x93\xFA\x96\x7B\n", lines[3]].concat();
    let indented = lines.map(|line| [b"  ", line].concat()).concat();
    let vim = "vim -es -u NONE -c 'set enc=utf-8 | e!'";
    let python = r#"python3 -c 'import sys, re
name = sys.argv[1]
text = open(name, encoding="utf-8").read()
open(name, "w", encoding="utf-8").write(text.replace("abc", "日本"))'"#;
    let formatter =
        python.replace(r#"text.replace("abc", "日本")"#, r#"re.sub("^(?=.)", "  ", text, flags=re.M)"#);
    for (is_there, program, expected) in [
        (has("vim"), format!("{vim} -c '%s/abc/日本/' -c wq"), &edited),
        (has("vim"), format!("{vim} -c '%s/^/  /' -c wq"), &indented),
        (true, "sed -i s/abc/日本/".to_string(), &edited),
        (true, "sed -i 's/^/  /'".to_string(), &indented),
        (has("python3"), python.to_string(), &edited),
        (has("python3"), formatter, &indented),
    ] {
        if !is_there {
            continue;
        }
        for newline in ["\n", "\r\n"] {
            let with_newlines = |text: &[u8]| {
                let lines = text.split_inclusive(|byte| *byte == b'\n');
                let lines = lines.map(|line| [&line[..line.len() - 1], newline.as_bytes()].concat());
                lines.collect::<Vec<_>>().concat()
            };
            let dir = dir_with(&[("a", &with_newlines(&lines.concat()))]);
            edit(dir.path(), &format!("-f cp932 a -- {program}")).expect(0, "", "");
            assert_eq!(contents(dir.path(), "a"), with_newlines(expected), "{program}, {newline:?}");
        }
    }
}

/// If `edit` is killed at any moment, the file has its old or its new content. `UTFCONV_KILLS` sets the number of
/// rounds.
#[test]
fn killed_at_any_moment() {
    let old = WESTERN.repeat(2_000);
    let dir = dir_with(&[("a", &old)]);
    let at = dir.path();
    let start = Instant::now();
    edit(at, "-f windows-1252 a -- sed -i s/abc/x/").expect(0, "", "");
    let whole = start.elapsed();
    let new = contents(at, "a");
    assert_eq!(new.len(), old.len() - 4_000);
    let rounds = rounds("UTFCONV_KILLS", 16);
    let mut total = 0;
    for round in 0..rounds {
        fs::write(at.join("a"), &old).expect("writes");
        let signal = ["KILL", "KILL", "TERM", "INT"][round as usize % 4];
        let pause = pause(round, whole);
        // The editor gets the signal too, as from a terminal.
        let script = format!(
            "mkdir -p tmp; export TMPDIR=$PWD/tmp; set -m; $U edit -f windows-1252 a -- sed -i s/abc/x/ > log 2>&1 &
            {pause} kill -{signal} -$!; wait $!; rm -r tmp"
        );
        sh(at, &script);
        let now = contents(at, "a");
        assert!(now == old || now == new, "round {round}: {} bytes", now.len());
        total += usize::from(now == new);
    }
    println!("{total} of {rounds} new");
    assert!(total < rounds as usize);
}

/// A signal during the program does not stop the write, even where the temporary file has a name from the start.
#[test]
fn a_signal_during_the_program() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("a", WESTERN)]);
    let at = dir.path();
    // Signals are held only after the program has started, because a program that starts with blocked signals would
    // keep them blocked.
    let program = "sh -c 'sleep 0.5; kill -INT $PPID; sed -i s/abc/x/ \"$@\"' sh";
    let script = format!(
        "mkdir tmp; export TMPDIR=$PWD/tmp; cp a b; strace -o t $U edit -f windows-1252 b -- sed -i s/abc/x/; \
         n=$(grep 'openat(' t | grep -n TMPFILE | cut -d: -f1); for number in 0 $n; do cp a c; \
         inject=; if [ $number -gt 0 ]; then inject=\"-e inject=openat:error=EOPNOTSUPP:when=$number\"; fi; \
         timeout -s KILL 20 env --default-signal=INT strace -f -o t -e trace=openat $inject \
         $U edit -f windows-1252 c -- {program}; cmp b c && ls -A . tmp | tr '\\n' ' '; done"
    );
    sh(at, &script).expect(0, ".: a b c t tmp  tmp: .: a b c t tmp  tmp: ", "");
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
