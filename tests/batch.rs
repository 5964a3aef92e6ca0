//! Tests of conversions of many files: trees, lists, output directories, dry runs, the order of messages, and the exit
//! status.
#![cfg(target_os = "linux")]

use std::path::Path;

use crate::harness::{Ran, dir_with, has, is_root, run, sh, sh_midway, skip, unmount};

const CAFE: &[u8] = b"caf\xE9\n";

/// Creates a tree with one file of each kind.
fn tree() -> tempfile::TempDir {
    let dir = dir_with(&[]);
    let script = "mkdir -p t/a/b t/.git t/.hidden t/build; echo build > t/.gitignore
        for f in t/x.txt t/a/y.txt t/a/b/z.md t/.hidden/h t/build/o; do printf 'caf\\xe9\\n' > $f; done
        echo plain > t/a/plain; printf 'PNG\\0\\0' > t/a/i.png; printf 'b\\x81d' > t/a/b/bad; echo café > t/a/done
        ln -s . t/a/loop; ln -s ../x.txt t/a/link";
    sh(dir.path(), script).expect(0, "", "");
    dir
}

#[track_caller]
fn content(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).expect(name)
}

/// Returns the checksums of all files, and the paths of directories and links.
fn sums(dir: &Path) -> Vec<u8> {
    sh(dir, "find . -type f | sort | xargs -d '\\n' sha1sum; find . -type l -o -type d | sort").stdout
}

#[test]
fn a_tree_in_place() {
    let dir = tree();
    let at = dir.path();
    let ran = sh(at, "$U -i -r -f windows-1252 -v t");
    let expected =
        "t/a/b/bad:1:2: error: invalid windows-1252 (unassigned) at byte 1: 81: windows-1252 has no character there
utfconv: t/a/b/bad: not converted; use --ill-formed=MODE to continue, or -f to name another encoding
utfconv: t/a/b/z.md: converted from windows-1252 to UTF-8, 5 to 6 bytes
utfconv: t/a/done: skipped: already UTF-8
utfconv: t/a/i.png: skipped: it is binary: as windows-1252, its text has NUL; use --binary=convert to convert it anyway
utfconv: t/a/plain: unchanged
utfconv: t/a/y.txt: converted from windows-1252 to UTF-8, 5 to 6 bytes
utfconv: t/x.txt: converted from windows-1252 to UTF-8, 5 to 6 bytes
utfconv: 3 converted, 1 unchanged, 1 failed, 1 already converted, 1 skipped as binary; \
15 bytes to 18
";
    assert_eq!(ran, Ran { status: 1, stdout: vec![], stderr: expected.into() });
    for (name, expected) in [
        ("t/x.txt", "café\n".as_bytes()),
        ("t/a/y.txt", "café\n".as_bytes()),
        ("t/a/b/z.md", "café\n".as_bytes()),
        ("t/a/done", "café\n".as_bytes()),
        ("t/a/b/bad", b"b\x81d"),
        ("t/a/i.png", b"PNG\0\0"),
        ("t/.hidden/h", CAFE),
        ("t/build/o", CAFE),
    ] {
        assert_eq!(content(at, name), expected, "{name}");
    }
    // A second run finds nothing to convert, and `--reconvert` converts again.
    let before = sums(at);
    sh(at, "rm t/a/b/bad; $U -i -r -f windows-1252 t").expect(
        0,
        "",
        "0 converted, 1 unchanged, 0 failed, 4 already converted, 1 skipped as binary",
    );
    sh(at, "printf 'b\\x81d' > t/a/b/bad").expect(0, "", "");
    assert_eq!(sums(at), before);
    sh(at, "$U -i -f windows-1252 --reconvert t/x.txt; cat t/x.txt").expect(0, "cafÃ©\n", "");
    sh(
        at,
        "$U -i -r -f latin1 --hidden --no-ignore --exclude /a --exclude x.txt t; cat t/.hidden/h t/build/o",
    )
    .expect(0, "café\ncafé\n", "utfconv: 2 converted, 1 unchanged, 0 failed; 10 bytes to 12\n");
}

#[test]
fn messages_do_not_depend_on_threads() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "rm -rf t; for d in 1 2 3 4; do mkdir -p t/$d; for f in 1 2 3 4 5 6 7 8; do
        printf 'a\\xff%s\\xfe\\n' $d$f > t/$d/$f; done; done; rm t/2/3; mkfifo t/2/3; printf 'a\\0' > t/3/3";
    let mut all = Vec::new();
    for threads in [1, 2, 5, 16] {
        sh(at, make).expect(0, "", "");
        let command = format!("$U -j{threads} -v -i -r --ill-formed=replace --max-errors=1 t");
        all.push((sh(at, &command), sums(at)));
    }
    assert!(all.iter().all(|one| one == &all[0]), "{all:#?}");
    let ran = &all[0].0;
    assert_eq!((ran.status, ran.stderr.matches("warning: invalid UTF-8 (").count()), (0, 30));
    assert!(
        ran.stderr.contains("60 warnings: 60 invalid sequences replaced")
            && ran.stderr.contains("30 converted")
    );
}

#[test]
fn a_dry_run_writes_nothing_and_ends_as_the_run_would() {
    for (options, lines) in [
        ("-i -r -f latin1 t", "t/a/b/bad: would be converted from ISO-8859-1 to UTF-8, 3 to 4 bytes\n"),
        (
            "-r --output-dir out -f windows-1252 t",
            "t/x.txt: would be converted from windows-1252 to UTF-8, 5 to 6",
        ),
        (
            "-i -t ascii -c t/a/done t/nothing",
            "t/a/done: would be converted from UTF-8 to US-ASCII, 6 to 4 bytes\n",
        ),
    ] {
        let dir = tree();
        let at = dir.path();
        let before = sums(at);
        let dry = sh(at, &format!("$U --dry-run {options}"));
        assert!(String::from_utf8_lossy(&dry.stdout).contains(lines), "{dry:?}");
        assert_eq!(sums(at), before, "{options}");
        let real = sh(at, &format!("$U {options}"));
        assert_eq!(dry.status, real.status, "{options}");
        let faults = |ran: &Ran| ran.stderr.lines().filter(|line| !line.starts_with("utfconv:")).count();
        assert_eq!(faults(&dry), faults(&real), "{options}");
    }
    let dir = dir_with(&[("a", b"a")]);
    sh(dir.path(), "$U -i --dry-run -t utf-16 a >/dev/full").expect(
        2,
        "",
        "standard output: write error: No space left on device",
    );
}

#[test]
fn another_directory() {
    let dir = tree();
    let at = dir.path();
    let before = sums(&at.join("t"));
    sh(at, "chmod 750 t/x.txt; umask 022; $U -r -f windows-1252 --output-dir out t")
        .expect_part(1, "", "1 failed");
    assert_eq!(sums(&at.join("t")), before);
    sh(at, "cd out; find . -type f | sort; cat t/x.txt t/a/done; stat -c %a t/x.txt").expect(
        0,
        "./t/a/b/z.md\n./t/a/done\n./t/a/plain\n./t/a/y.txt\n./t/x.txt\ncafé\ncafé\n750\n",
        "",
    );
    // With DIR inside the tree, a second run must not take the first run's outputs as inputs.
    sh(at, "cd t; rm a/b/bad; $U -r -f windows-1252 --output-dir new . && $U -r -f windows-1252 --output-dir new .; \
            find new -type f | wc -l; cat new/x.txt").expect(0, "5\ncafé\n", "utfconv: 4 converted, 0 unchanged, 0 failed, 1 copied (already UTF-8), 1 not copied as binary (--binary=copy copies such files), 2 symbolic links not copied (--links=copy copies links); 21 bytes to 24\n\
                utfconv: 4 converted, 0 unchanged, 0 failed, 1 copied (already UTF-8), 1 not copied as binary (--binary=copy copies such files), 2 symbolic links not copied (--links=copy copies links); 21 bytes to 24\n");
    sh(at, "cd t; $U -r --output-dir new new").expect(2, "", "new: is inside the output directory");
    sh(at, "$U -f latin1 --output-dir . t/x.txt").expect(
        2,
        "",
        "t/x.txt: its output ./t/x.txt is an input; use -i to convert in place",
    );
    sh(at, "$U -f latin1 --output-dir out t/x.txt ./t/x.txt").expect(0, "", "");
    // A link in DIR must not merge two outputs, a file named `-` is not standard input, hard links to one input are
    // allowed, and input that seems to be converted already keeps its byte order.
    sh(at, "printf one > a; printf two > b; mkdir l; touch l/a; ln -s a l/b; $U --output-dir l a b; s=$?; cat l/a; exit $s")
        .expect(2, "one", "utfconv: b: l/b: is a symbolic link; use a regular file as output\n\
            utfconv: 1 converted, 0 unchanged, 1 failed and not written to l; 3 bytes to 3\n");
    sh(at, "mkdir -p l/x x y; ln -s x l/y; cp a x/f; cp b y/f; $U --output-dir l x/f y/f; s=$?; cat l/x/f; exit $s")
        .expect(2, "one", "utfconv: y/f: l/y/f: l/y is a symbolic link or a file, not a directory\n\
            utfconv: 1 converted, 0 unchanged, 1 failed and not written to l; 3 bytes to 3\n");
    sh(at, "echo file > ./-; echo stdin | $U --output-dir l ./-; cat l/-").expect(0, "file\n", "");
    sh(at, "ln a c; $U --output-dir m a c; cat m/a m/c").expect(0, "oneone", "");
    sh(
        at,
        "printf Hello | $U -t utf-16be > be; $U -f latin1 -t utf-16 --output-dir m be && $U -f utf-16 m/be",
    )
    .expect(0, "Hello", "");
    // A file as DIR is reported once, and nothing is read.
    let ran = sh(
        at,
        "echo file > file; ln -s nowhere link; for o in file file/o link; do $U --output-dir $o a b; echo $?; done; cat file",
    );
    let why = "not a directory; use another name for --output-dir";
    assert_eq!(ran.stdout, b"2\n2\n2\nfile\n");
    assert_eq!(
        ran.stderr,
        ["file", "file/o", "link"].map(|name| format!("utfconv: {name}: {why}\n")).concat()
    );
    // Links that lead out of DIR are not followed.
    sh(at, "echo v > v; mkdir k; ln -s ../v k/a; ln -s .. k/x; echo w > w; ln w k/b; $U --output-dir k a b x/f; s=$?; cat v; ls x; exit $s")
        .expect(2, "v\nf\n", "utfconv: a: k/a: is a symbolic link; use a regular file as output\nutfconv: b: k/b: has other hard links, which would change too\n\
        utfconv: x/f: k/x/f: k/x is a symbolic link or a file, not a directory\n\
        utfconv: 0 converted, 0 unchanged, 3 failed and not written to k (3 cannot be read or replaced)\n");
    // No directory is created for skipped files.
    sh(at, "mkdir n; printf 'a\\0' > n/bin; $U -r --output-dir o n; ls -d o").expect_part(
        2,
        "",
        "ls: cannot access 'o'",
    );
    // A failed conversion leaves the old output.
    sh(at, "printf 'a\\xff' > t/x.txt; $U --output-dir out t/x.txt; cat out/t/x.txt").expect(
        0,
        "café\n",
        "t/x.txt:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: t/x.txt: not converted; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check t/x.txt' for all errors, 'utfconv inspect --errors-only t/x.txt' for the bytes, \
        'utfconv detect t/x.txt' for the encoding\n",
    );
    sh(at, "mkdir -p o2/t; mkfifo o2/t/x.txt; timeout 5 $U -f latin1 --output-dir o2 t/x.txt").expect(
        2,
        "",
        "t/x.txt: o2/t/x.txt: not a regular file",
    );
    sh(at, "mkfifo p; timeout 5 $U --output-dir out p").expect(2, "", "p: not a regular file");
}

#[test]
fn lists() {
    let dir = dir_with(&[("a", CAFE), ("b\n", CAFE), ("-", CAFE), ("c d", CAFE)]);
    let at = dir.path();
    sh(at, "printf 'a\\nc d\\n' | $U -i -f latin1 --files-from=-; cat a 'c d'").expect(0, "café\ncafé\n", "");
    sh(at, "printf 'b\\n\\0./-\\0-\\0none\\0' > l; $U -i -f latin1 --files0-from=l; cat $'b\\n' ./-").expect(
        0,
        "café\ncafé\n",
        "utfconv: -: cannot use standard input\n\
        utfconv: none: No such file or directory\n\
        utfconv: 2 converted, 0 unchanged, 2 failed (2 cannot be read or replaced); 10 bytes to 12\n",
    );
    sh(at, "printf 'a\\n' | $U -i --files-from=- --files0-from=- a").expect(
        2,
        "",
        "standard input can be read only once",
    );
    sh(at, "$U -i --files-from=none").expect(2, "", "none: No such file or directory");
    sh(
        at,
        "$U -i=.old -r --hidden -f latin1 --reconvert . && rm ./*.old && $U -i=.old -r -f utf-8 -t utf-16 . && ls -A | wc -l",
    )
    .expect(
        0,
        "11\n",
        "utfconv: 4 converted, 0 unchanged, 0 failed, 1 skipped as binary; 24 bytes to 32\n\
        utfconv: 4 converted, 0 unchanged, 0 failed, 1 skipped as binary; 32 bytes to 56\n",
    );
    sh(at, "$U -i -r --include='*.nope' .").expect(0, "", "warning: no files found: nothing to convert");
    sh(at, "mkdir -p d/e; : > d/e/a.txt; $U -i -r --include='d/e/*.txt' d").expect(
        0,
        "",
        "utfconv: warning: no files found: nothing to convert; \
         a pattern of --include that has '/' is relative to the directory that is named\n",
    );
    sh(at, "$U -i .").expect(2, "", "utfconv: .: Is a directory; use -r to convert its files");
}

#[test]
fn newlines_in_the_same_pass() {
    run(&["--newline=crlf", "-t", "utf-16be"], "a\nb\r\nc\rd").expect(
        0,
        b"\0a\0\r\0\n\0b\0\r\0\n\0c\0\r\0\n\0d",
        "",
    );
    run(&["--newline=lf", "--final-newline"], "a\r\nb").expect(0, "a\nb\n", "");
    run(&["--newline=cr", "-f", "latin1"], b"\xE9\n\n").expect(0, "é\r\r", "");
    run(&["--final-newline"], "a\r\nb").expect(0, "a\r\nb\r\n", "");
    run(&["--final-newline"], "").expect(0, "", "");
    run(&["--final-newline"], b"a\xFF").expect(
        1,
        "a",
        "-:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n",
    );
    run(&["--newline=lf", "-t", "UTF-7-IMAP"], "").expect(
        2,
        "",
        "--newline, --final-newline: UTF-7-IMAP has no newlines",
    );
    run(&["--newline=nl"], "").expect(
        2,
        "",
        "invalid value 'nl' for '--newline <STYLE>' [possible values: keep, lf, crlf, cr] (see --help)",
    );
    let dir = dir_with(&[("a", b"x\r\ny"), ("b", b"x\ny\n")]);
    let at = dir.path();
    sh(at, "stat -c %i b > i; $U -i --newline=lf --final-newline a b; cat a b; stat -c %i b | cmp - i")
        .expect(0, "x\ny\nx\ny\n", "utfconv: 1 converted, 1 unchanged, 0 failed; 4 bytes to 4\n");
    // The final newline is added to the joined output, not to each input.
    sh(at, "printf 1 > one; printf 2 > two; $U --final-newline one two").expect(0, "12\n", "");
}

/// `-o` onto the input converts as `-i` does, and accepts the options that its messages suggest.
#[test]
fn output_onto_the_input() {
    let dir = dir_with(&[("f", b"\xE9\0\0\x01\n"), ("g", b"a\x80\n")]);
    let at = dir.path();
    let why = "f: not converted: it is binary: as ISO-8859-1, its text has NUL; use --binary=convert to convert it anyway";
    sh(at, "$U -f latin1 -o f f").expect(2, "", why);
    sh(at, "$U -f latin1 --binary=convert -o f f; cat f").expect(0, b"\xC3\xA9\0\0\x01\n", "");
    let why = "g: not converted: --verify found a difference: converted back, it is different from byte 1 on";
    sh(at, "$U --verify -f whatwg:gb18030 -t UTF-8 -o g g").expect(1, "", why);
    let why = "utfconv: g: warning: converted back, it is different from byte 1 on; use --verify to keep such files as they are\n";
    sh(at, "$U -f whatwg:gb18030 -t UTF-8 -o g g; cat g").expect(0, "a€\n", why);
}

/// `--verify` also compares the text after a BOM that counts as text.
#[test]
fn texts_with_boms_are_compared() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let options = ["-t UTF-8", "-t UTF-16", "-t UTF-8 --output-bom=always", "-t UTF-8 --output-bom=never"];
    for options in options {
        let script = |text: &str| {
            format!(
                "printf '\\x84\\x31\\x95\\x33{text}' > f; $U -i --verify --input-bom=text -f whatwg:gb18030 {options} f"
            )
        };
        let why =
            "f: not converted: --verify found a difference: converted back, it is different from byte 5 on";
        sh(at, &script("a\\x80")).expect(1, "", why);
        sh(at, &script("a\\xa2\\xe3")).expect(0, "", "");
    }
    // Without an option, U+FEFF is text if the output gets a BOM of its own.
    let why = "utfconv: f: warning: begins with U+FEFF, which is text in whatwg:gb18030, not a BOM; use --input-bom=strip to remove it\n";
    let script =
        "printf '\\x84\\x31\\x95\\x33a' > f; $U -i --verify -f whatwg:gb18030 -t UTF-16 f; od -An -tx1 f";
    sh(at, script).expect(0, " ff fe ff fe 61 00\n", why);
}

#[test]
fn verify_reads_the_output_again() {
    let dir = dir_with(&[("ok", CAFE), ("omega", "a\nΩ\n".as_bytes()), ("bad", b"a\xFF\n")]);
    let at = dir.path();
    sh(at, "$U -i --verify -f latin1 ok; cat ok").expect(0, "café\n", "");
    sh(at, "$U -i --verify --unmappable=replace -t latin1 omega; cat omega").expect(
        0,
        "a\nΩ\n",
        "omega:2:1: warning: unmappable character at byte 2: CE A9: U+03A9 \"Ω\" cannot be encoded in ISO-8859-1\n\
        utfconv: omega: not converted: --verify found a difference: \"Ω\" became \"?\" at byte 2 (line 2)\n\
        utfconv: 1 warning: 1 unmappable character replaced\n",
    );
    sh(at, "$U -i --verify --unmappable=replace -t latin1 omega").expect(1, "", "omega:2:1: warning: unmappable character at byte 2: CE A9: U+03A9 \"Ω\" cannot be encoded in ISO-8859-1\n\
        utfconv: omega: not converted: --verify found a difference: \"Ω\" became \"?\" at byte 2 (line 2)\n\
        utfconv: 1 warning: 1 unmappable character replaced\n");
    // The output would be a prefix of the old file, so the difference is at its end.
    sh(at, "printf 'aΩ' > f; $U -i --verify --unmappable=omit -t latin1 f; s=$?; cat f; exit $s").expect(
        1,
        "aΩ",
        "f:1:2: warning: unmappable character at byte 1: CE A9: U+03A9 \"Ω\" cannot be encoded in ISO-8859-1\n\
        utfconv: f: not converted: --verify found a difference: the result has no \"Ω\" at byte 1 (line 1)\n\
        utfconv: 1 warning: 1 unmappable character omitted\n",
    );
    sh(at, "$U -i --verify --ill-formed=replace bad; cat bad").expect(
        0,
        "a\u{FFFD}\n",
        "bad:1:2: warning: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 1 warning: 1 invalid sequence replaced (1 never-used byte)\n",
    );
    sh(at, "$U --output-dir out --verify --newline=crlf -t utf-16le ok && $U -f utf-16le out/ok").expect(
        0,
        "café\r\n",
        "",
    );
    run(&["-i", "--verify", "--dry-run", "f"], "").expect(
        2,
        "",
        "the argument '--verify' cannot be used with '--dry-run' (see --help)",
    );
}

#[test]
fn usage() {
    for (args, text) in [
        (&["-r", "d"][..], "-r requires --in-place or --output-dir"),
        (&["--files-from=l"], "utfconv: --files-from requires --in-place or --output-dir"),
        (&["--files0-from=l"], "utfconv: --files0-from requires --in-place or --output-dir"),
        (
            &["--verify", "-f", "latin1", "a b", "f"],
            "utfconv: --verify requires --in-place, --output-dir, or -o FILE with FILE as the only input; to find errors, \
             use 'utfconv check -f latin1 \"a b\" f'\n",
        ),
        (
            &["--verify", "-f", "UTF-8-SIG", "-", "1", "2", "3", "4"],
            "as the only input; to find errors, use 'utfconv check -f UTF-8-SIG - 1 2 3 4'\n",
        ),
        (
            &["--verify", "-f", "auto", "1", "2", "3", "4", "5", "6"],
            "as the only input; to find errors, use 'utfconv check FILE...'\n",
        ),
        (&["--verify"], "-o FILE with FILE as the only input; to find errors, use 'utfconv check -'\n"),
        (&["--sync=none", "f"], "--sync requires --in-place or --output-dir"),
        (&["--include=*.txt", "f"], "utfconv: --include requires --in-place or --output-dir"),
        (&["-i", "--output-dir=d", "f"], "cannot be used with"),
        (&["--output-dir=d"], "--output-dir requires at least one FILE"),
        (&["-i", "-r"], "--in-place requires at least one FILE"),
        (&["-i", "-r", "--include={a", "f"], "utfconv: --include: "),
        (&["--min-certainty=guess", "f"], "--min-certainty requires -f auto"),
        (&["--reconvert", "f"], "--reconvert requires --in-place or --output-dir"),
        (&["--binary=convert", "f"], "--binary requires --in-place or --output-dir"),
        (&["--binary=copy", "-o", "f", "f"], "--binary requires --in-place or --output-dir"),
        (
            &["--verify", "-o", "none/f", "f"],
            "utfconv: --verify requires --in-place, --output-dir, or -o FILE with FILE as the only input\n",
        ),
        (
            &["--binary=convert", "-o", "none/f", "f"],
            "utfconv: --binary requires --in-place, --output-dir, or -o FILE with FILE as the only input\n",
        ),
    ] {
        run(args, "").expect_part(2, "", text);
    }
}

/// Conversions succeed with few file descriptors, without threads, and after the reader of messages has exited.
#[test]
fn scarce_resources() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "rm -rf t; mkdir -p t/a/b/c; for f in $(seq 100); do printf 'caf\\xe9\\n' | tee t/$f t/a/b/c/$f > t/a/$f; done";
    let is_done = "find t -type f | xargs cat | sort | uniq -c | tr -s ' '";
    let is_done = || sh(at, is_done).expect(0, " 300 café\n", "");
    for sync in ["file", "batch", "none"] {
        sh(at, make).expect(0, "", "");
        sh(at, &format!("ulimit -n 16; $U -i -r -j8 -f latin1 --sync={sync} t")).expect(0, "", "");
        is_done();
    }
    sh(at, make).expect(0, "", "");
    sh(at, "$U -v -i -r -f latin1 t 2> >(head -c0)").expect(0, "", "");
    is_done();
    if has("strace") {
        sh(at, make).expect(0, "", "");
        let inject = "strace -f -o /dev/null -e inject=clone3:error=EAGAIN -e inject=clone:error=EAGAIN";
        sh(at, &format!("{inject} $U -i -r -j8 -f latin1 t")).expect(0, "", "");
        is_done();
    }
}

/// A failed sync fails all files of this sync, and no other files.
#[test]
fn a_failed_sync_leaves_the_old_files() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("a", CAFE), ("b", CAFE), ("c", CAFE)]);
    let at = dir.path();
    let inject = "strace -f -o /dev/null -e inject=syncfs:error=EIO";
    sh(at, &format!("{inject} $U -j1 -i -f latin1 --sync=batch a b c")).expect(
        2,
        "",
        "utfconv: a: Input/output error\nutfconv: b: Input/output error\nutfconv: c: Input/output error\nutfconv: 0 converted, 0 unchanged, 3 failed (3 cannot be read or replaced)\n",
    );
    assert!(["a", "b", "c"].into_iter().all(|name| content(at, name) == CAFE));
    // All failed files are named, because a later run may succeed for each.
    let ran = sh(
        at,
        &format!(
            "mkdir d; for i in $(seq 20); do cp a d/$i; done; {inject} $U -j1 -i -r -f latin1 --sync=batch d; rm -r d"
        ),
    );
    assert_eq!(ran.stderr.matches(": Input/output error\n").count(), 20, "{ran:?}");
    assert!(!ran.stderr.contains("more file"), "{ran:?}");
    let inject = "strace -f -o /dev/null -e inject=fsync:error=EIO:when=2";
    sh(at, &format!("{inject} $U -j1 -i -f latin1 a b c; cat a c")).expect(
        0,
        "café\ncafé\n",
        "utfconv: b: Input/output error\n\
        utfconv: 2 converted, 0 unchanged, 1 failed; 10 bytes to 12\n",
    );
    assert_eq!(content(at, "b"), CAFE);
    sh(at, "ls -A").expect(0, "a\nb\nc\n", "");
}

/// Each system call may fail once, and no file may be lost or damaged.
#[test]
fn every_system_call_fails_once() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let calls = [
        ("openat", "EIO"),
        ("statx", "EIO"),
        ("getdents64", "EIO"),
        ("mkdir", "ENOSPC"),
        ("linkat", "EIO"),
        ("fsync", "EIO"),
    ];
    let mut failed = 0;
    for (call, error) in calls {
        for number in 1.. {
            sh(at, "rm -rf t out; mkdir t; printf 'caf\\xe9\\n' | tee t/b > t/a").expect(0, "", "");
            let inject = format!("strace -f -o trace -e inject={call}:error={error}:when={number}");
            let ran = sh(at, &format!("timeout -k 1 20 {inject} $U -j1 -r --output-dir out -f latin1 t"));
            let is_injected = sh(at, "grep -q INJECTED trace").status == 0;
            let made = sh(at, "cat out/t/a out/t/b 2>/dev/null; find out -name '*utfconv-tmp'");
            let what = format!("{call} {error} {number}: {ran:?} {made:?}");
            assert!(["", "café\n", "café\ncafé\n"].map(str::as_bytes).contains(&&made.stdout[..]), "{what}");
            match ran.status {
                0 => assert_eq!(made.stdout, "café\ncafé\n".as_bytes(), "{what}"),
                _ => assert!(ran.status == 2 && is_injected && !ran.stderr.is_empty(), "{what}"),
            }
            if !is_injected {
                break;
            }
            failed += 1;
        }
    }
    assert!(failed > 20, "{failed}");
}

/// Files that are converted already, or that were never in the input encoding, are not converted.
#[test]
fn converted_files_are_skipped_unless_again() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let ebcdic = "printf 'Hello, world\\n' | $U -t IBM1047";
    for (make, options, seen) in [
        ("printf '\\xcf\\xf0\\xe8\\n'", "-f windows-1251 -t UTF-8", "already UTF-8"),
        ("printf '\\xcf\\xf0\\xe8\\n'", "-f windows-1251 -t UTF-16", "already UTF-16"),
        ("printf '\\xcf\\xf0\\xe8\\n'", "-f windows-1251 -t UTF-16LE", "already UTF-16LE"),
        ("printf '\\xe9'", "-f latin1 -t UTF-32BE", "UTF-32BE"),
        (ebcdic, "-f IBM1047 -t UTF-8", "already UTF-8"),
        ("printf 'A text, and more.\\n' | $U -t UTF-16", "-f UTF-16 -t UTF-8", "already UTF-8"),
    ] {
        let script =
            format!("{make} > f; $U -i {options} f || exit 9; cp f g; $U -v -i {options} f; cmp f g");
        sh(at, &script).expect_part(0, "", seen);
    }
    // UTF-8 with an error is not taken for windows-1252.
    sh(at, "{ yes 'Grüße' | head -20; printf '\\xe9'; } > f; cp f g; $U -v -i -f windows-1252 f; s=$?; cmp f g; exit $s")
        .expect(2, "", "utfconv: f: not converted: it is UTF-8 in 20 of 21 lines with characters that are not ASCII; see 'utfconv repair f', or use --force to convert all of it from windows-1252\n\
            utfconv: 0 converted, 0 unchanged, 1 failed\n");
    // These files are converted: ISO-2022-JP consists of ASCII bytes, and EBCDIC files only look like ASCII.
    sh(at, "printf '\\x1b$B$3$s\\x1b(B\\n' > f; $U -i -f ISO-2022-JP f; cat f").expect(0, "こん\n", "");
    sh(at, "printf '\\x4b\\x4b\\x40' > f; $U -i -f IBM1047 f; cat f").expect(0, ".. ", "");
    // With `-r`, UTF-8 files are not converted from another encoding, whatever the output encoding is.
    sh(at, "mkdir d; printf 'caf\\xc3\\xa9\\n' > d/a; $U -i -r -f windows-1252 -t UTF-16 d; s=$?; cat d/a; exit $s").expect(
        1,
        "café\n",
        "d/a: not converted: looks like UTF-8, not windows-1252; use -f UTF-8 or -f auto",
    );
    sh(at, "$U -i -r -f windows-1252 -t CESU-8 --reconvert d; cat d/a").expect(0, "cafÃ©\n", "");
    // A command that follows the advice in the message does not keep the BOM as text.
    sh(at, "printf 'A text.\\n' | $U -t UTF-16 > d/a; $U -i -r -f latin1 d").expect(
        1,
        "",
        "d/a: not converted: looks like UTF-16, not ISO-8859-1; use -f UTF-16 or -f auto",
    );
    // If the only file is skipped, the skip is reported.
    sh(at, "printf 'caf\\xc3\\xa9\\n' > f; $U -i -f latin1 f").expect(
        0,
        "",
        "utfconv: f: skipped: already UTF-8\n",
    );
    sh(at, "$U --dry-run --output-dir=o -f latin1 f").expect(0, "f: would be copied: already UTF-8\n", "");
    // Options besides the encoding are still applied to a file that is converted already.
    sh(at, "printf 'caf\\xc3\\xa9\\r\\n' > f; $U -i -f latin1 --newline=lf f; cat f").expect(0, "café\n", "");
}

/// A list may name a file twice, and a file may be replaced with a link before it is converted.
#[test]
fn files_replaced_after_the_search_are_refused() {
    let dir = dir_with(&[("a", CAFE)]);
    let at = dir.path();
    sh(at, "printf 'a\\na\\n' | $U -i -f latin1 --files-from=-; cat a").expect(0, "café\n", "");
    if !has("strace") {
        return;
    }
    sh(at, "mkdir t; printf 'caf\\xe9\\n' | tee victim t/a > t/b").expect(0, "", "");
    let swap = "slow fsync:when=1 $U -r -i -j1 -f latin1 t & begun fsync; ln -sf ../victim t/b; wait $!";
    sh_midway(at, swap).expect(
        2,
        "",
        "utfconv: t/b: file was replaced\n\
        utfconv: 1 converted, 0 unchanged, 1 failed; 5 bytes to 6\n",
    );
    assert_eq!((content(at, "victim"), content(at, "t/a")), (CAFE.to_vec(), "café\n".into()));
}

/// Outputs that are not published yet fill the disk. Files that run out of space are converted after a publication,
/// whichever thread holds the space.
#[test]
fn little_room() {
    if !is_root() || !has("mount") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    if sh(at, "mkdir m; mount -t tmpfs -o size=240k tmpfs m").status != 0 {
        skip("the right to mount");
        return;
    }
    let script = "for i in $(seq 20); do { printf '\\xe9'; yes a | tr -d '\\n' | head -c 7000; } > m/$i; done
        $U -r -i -j$J -f latin1 --sync=batch m; s=$?; cat m/* | wc -c; rm m/*; exit $s";
    let ran = ["1", "2", "8", "20"].map(|threads| sh(at, &format!("J={threads}; {script}")));
    unmount(at, "m");
    ran.iter().for_each(|ran| ran.expect(0, "140040\n", ""));
}

/// Unreadable directories and unwritable files are reported, and all other files are converted.
#[test]
fn unreadable_files_are_reported() {
    if !is_root() || !has("setpriv") {
        return;
    }
    let dir = tree();
    let at = dir.path();
    let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups ./u";
    sh(at, "cp $U u; chmod 755 . u; chown -R 65534:65534 t; chmod 0 t/a/b; chmod 400 t/a/y.txt")
        .expect(0, "", "");
    sh(at, &format!("{nobody} -i -r -f windows-1252 t; cat t/x.txt")).expect(
        0,
        "café\n",
        "utfconv: t/a/b: Permission denied\n\
        utfconv: t/a/y.txt: Permission denied\n\
        utfconv: 1 converted, 1 unchanged, 2 failed (2 cannot be read or replaced), 1 already converted, 1 skipped as binary; 5 bytes to 6\n",
    );
}

/// Relative arguments without `..` keep their paths in DIR; other arguments keep only their last component.
#[test]
fn places_in_another_directory() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make =
        "rm -rf src lib w out; mkdir -p src/a lib/a w; printf 'caf\\xe9\\n' | tee src/a/x src/y > lib/a/x";
    for (command, outputs) in [
        ("$U -r --output-dir out -f latin1 src/a lib/a", "out/lib/a/x out/src/a/x"),
        ("$U -r --output-dir out -f latin1 ./src", "out/src/a/x out/src/y"),
        ("cd w && $U -r --output-dir ../out -f latin1 ../src/a", "out/a/x"),
        ("cd w && $U -r --output-dir ../out -f latin1 ../src/a/x ../src/y", "out/x out/y"),
        ("cd src && $U -r --output-dir ../out -f latin1 .", "out/a/x out/y"),
        ("cd src/a && $U -r --output-dir ../../out -f latin1 ..", "out/a/x out/y"),
        ("$U -r --output-dir out -f latin1 $PWD/src/a", "out/a/x"),
        ("$U -r --output-dir $PWD/out -f latin1 $PWD/src/a/x", "out/x"),
    ] {
        let script = format!(
            "{make}; ({command}) && find out -type f | sort | tr '\\n' ' ' && cat $(find out -type f)"
        );
        let files = outputs.split(' ').count();
        sh(at, &script).expect(0, format!("{outputs} {}", "café\n".repeat(files)), "");
    }
    // If two files would have the same output, nothing is written.
    let both = "$U -r --output-dir out -f latin1 src/y $PWD/src/a/x $PWD/lib/a/x; s=$?; ls -d out; exit $s";
    let ran = sh(at, &format!("{make}; {both}"));
    ran.expect_part(2, "", "lib/a/x: its output out/x is also the output of ");
    assert!(ran.stderr.contains("src/a/x; nothing was converted\n"), "{ran:?}");
    // DIR is not an input, even if it is inside the tree.
    let twice = "cd src; $U -r --output-dir . -f latin1 .; $U -r --output-dir o -f latin1 . && $U -r --reconvert \
                 --output-dir o -f latin1 . && find o -type f | sort | tr '\\n' ' '";
    sh(at, &format!("{make}; {twice}")).expect(0, "o/a/x o/y ", ".: is inside the output directory");
}

/// A path longer than the system allows is an error with advice. All other files are converted.
#[cfg(target_os = "linux")]
#[test]
fn a_tree_deeper_than_paths_can_be() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "d=$(printf 'd%.0s' $(seq 200)); mkdir t; cd t; for i in $(seq 25); do mkdir $d; cd $d; printf 'caf\\xe9\\n' > f; done";
    sh(at, make).expect(0, "", "");
    let ran = sh(at, "$U -i -r -f latin1 t");
    assert_eq!(ran.status, 2, "{ran:?}");
    assert!(ran.stderr.contains("File name too long; run utfconv in a directory below\n"), "{ran:?}");
    assert!(ran.stderr.contains("20 converted, 0 unchanged, 1 failed;"), "{ran:?}");
    let below = "d=$(printf 'd%.0s' $(seq 200)); cd t; for i in $(seq 20); do cd $d; done; $U -i -r --no-config -f latin1 .";
    sh(at, below).expect(0, "", "5 converted, 0 unchanged, 0 failed, 1 already converted; 25 bytes to 30");
}

/// An output is accessible to no more users than its input, and a new directory to no more users than the directory
/// that it mirrors.
#[cfg(unix)]
#[test]
fn outputs_are_not_more_open_than_inputs() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let modes = "stat -c '%n %a' out out/s out/s/t out/s/t/f";
    let make = "umask 022; rm -rf s out; mkdir -m 700 s; mkdir -m 750 s/t; printf 'caf\\xe9\\n' > s/t/f; chmod 640 s/t/f";
    sh(at, &format!("chmod 755 .; {make}; $U -r --output-dir out -f latin1 s; {modes}")).expect(
        0,
        "out 755\nout/s 700\nout/s/t 750\nout/s/t/f 640\n",
        "",
    );
    // DIR gets the mode of the directory that it mirrors.
    sh(at, &format!("{make}; $U -r --output-dir out -f latin1 $PWD/s/t; stat -c '%n %a' out out/t out/t/f"))
        .expect(0, "out 700\nout/t 750\nout/t/f 640\n", "");
    // An existing directory keeps its mode, so the file's own mode protects the file.
    let open = "mkdir -p out/s/t; touch out/s/t/f; chmod -R 777 out";
    sh(at, &format!("{make}; {open}; $U -r --output-dir out -f latin1 s; {modes}; cat out/s/t/f")).expect(
        0,
        "out 777\nout/s 777\nout/s/t 777\nout/s/t/f 700\ncafé\n",
        "",
    );
    // An existing restrictive mode stays.
    sh(at, &format!("{make}; {open}; chmod 600 out/s/t/f; $U -r --output-dir out -f latin1 s; {modes}"))
        .expect(0, "out 777\nout/s 777\nout/s/t 777\nout/s/t/f 600\n", "");
    let closed = "mkdir -p -m 755 out out/s/t; chmod 755 out/s/t; chmod 700 out/s";
    sh(at, &format!("{make}; {closed}; $U -r --output-dir out -f latin1 s; {modes}")).expect(
        0,
        "out 755\nout/s 700\nout/s/t 755\nout/s/t/f 640\n",
        "",
    );
    if crate::harness::is_root() {
        // If the group of an output differs from the group of its input, it gets the permissions for other users.
        sh(at, &format!("{make}; chgrp 1234 s/t s/t/f; $U -r --output-dir out -f latin1 s; {modes}")).expect(
            0,
            "out 755\nout/s 700\nout/s/t 700\nout/s/t/f 600\n",
            "",
        );
    }
}

/// `--stop-on-error` leaves all files after the first failing file unchanged, with any number of threads.
#[test]
fn the_first_error_ends_the_run() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "for n in 1 2 4 5; do printf 'a\\r\\n' > $n; done; printf 'b\\xff\\r\\n' > 3";
    let why = "3:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 3: not converted; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: stopped at the first error: 2 more files not reached\n\
        utfconv: 2 converted, 0 unchanged, 1 failed; 6 bytes to 4\n";
    for options in ["-j1", "-j8", "--sync=batch", "--sync=none"] {
        sh(at, make).expect(0, "", "");
        let ran = sh(
            at,
            &format!("$U -i -f UTF-8 -t UTF-8 --newline=lf --stop-on-error --failed=F {options} 1 2 3 4 5"),
        );
        ran.expect(1, "", why);
        sh(at, "cat 1 2 3 4 5; cat F").expect(0, b"a\na\nb\xFF\r\na\r\na\r\n3\n4\n5\n", "");
    }
    // A second run converts the files that the list of failures names, and no other files.
    sh(at, "sed -i 1d F; $U -i --newline=lf --files-from=F; cat 4 5; rm F").expect(0, "a\na\n", "");
    // Without `--stop-on-error`, every file is tried. With `--output-dir`, the option also stops at the first error.
    sh(at, make).expect(0, "", "");
    sh(at, "$U -s -t UTF-8 --newline=lf --output-dir=out --stop-on-error 1 2 3 4 5; ls out")
        .expect(0, "1\n2\n", "");
    sh(at, "$U -s -i -f UTF-8 -t UTF-8 --newline=lf 1 2 3 4 5; cat 4 5").expect(0, "a\na\n", "");
    sh(at, "$U --stop-on-error 1").expect(2, "", "--stop-on-error requires --in-place or --output-dir");
}
