//! Tests of `--in-place`: each file has entirely its old or its new content whatever happens, and only necessary
//! changes are made.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::time::Instant;

use crate::harness::{
    dir_with, has, is_root, pause, rounds, run, sh, sh_midway, skip, temporary_name, unmount,
};

const CAFE: &[u8] = b"caf\xE9\n";

fn read(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).expect("is there")
}

#[track_caller]
fn assert_files(dir: &Path, expected: &str) {
    sh(dir, "ls -A | tr '\n' ' '").expect(0, format!("{expected} "), "");
}

#[test]
fn each_file_is_converted_in_place() {
    let dir = dir_with(&[("a", CAFE), ("b", b"\xE9t\xE9"), ("plain", b"plain\n"), ("empty", b"")]);
    let at = dir.path();
    sh(at, "$U -i -f latin1 a b plain empty").expect(
        0,
        "",
        "2 converted, 2 unchanged, 0 failed; 8 bytes to 11",
    );
    sh(at, "cat a b plain empty").expect(0, "café\nétéplain\n", "");
    sh(at, "$U --in-place -t utf-16 a && $U -f utf-16 a").expect(0, "café\n", "");
    // One result is shorter than its file, and one input ends in an omitted character.
    sh(at, "$U -i -f utf-16 -t latin1 a && $U -f latin1 a").expect(0, "café\n", "");
    sh(at, "printf 'ab\\xEF\\xBB\\xBF' > c; $U -i -t ascii --unmappable=omit c 2> log; cat c")
        .expect(0, "ab", "");
    sh(at, "cat log >&2; rm log").expect_part(0, "", "utfconv: 1 warning: 1 unmappable character omitted\n");
    assert_files(at, "a b c empty plain");
}

/// Large files are converted in parts by several threads, with a change late in the file or nowhere.
#[test]
fn large_files() {
    let text = "héhé, 日本語\n".repeat(400_000);
    let dir = dir_with(&[("f", text.as_bytes())]);
    let at = dir.path();
    sh(at, "stat -c '%i %y' f > before; $U -i -j3 f; stat -c '%i %y' f | cmp - before").expect(
        0,
        "",
        "utfconv: f: unchanged\n",
    );
    sh(at, "$U -i -t utf-16le f").expect(0, "", "");
    let expected: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(read(at, "f") == expected);
    std::fs::write(at.join("f"), text.clone() + "\u{2028}end").expect("writes");
    sh(at, "$U -i -t utf-8 --unmappable=omit f; printf '\\xFF' >> f; $U -i -c f").expect(
        1,
        "",
        "utfconv: f: unchanged\n\
        f:400001:5: error: invalid UTF-8 (never-used byte) at byte 7200006: FF never appears in UTF-8\n\
        utfconv: 1 error: 1 invalid sequence omitted (1 never-used byte)\n",
    );
    assert!(read(at, "f") == (text + "\u{2028}end").as_bytes());
    assert_files(at, "before f");
}

#[test]
fn unchanged_files_are_not_touched() {
    let dir = dir_with(&[("ok", b"ok\n"), ("bad", b"a\xFFb"), ("late", b"caf\xE9 \xFF")]);
    let at = dir.path();
    let is_same = |command: &str, status, error| {
        let all = "stat -c '%n %i %y %s' * ";
        let script = format!(
            "{all} > /tmp/$$; sleep 0.01; {command}; s=$?; {all} | cmp - /tmp/$$; rm /tmp/$$; exit $s"
        );
        sh(at, &script).expect_part(status, "", error);
    };
    is_same("$U -i ok", 0, "utfconv: ok: unchanged\n");
    is_same("$U -i=.bak -f latin1 -t utf-8 ok", 0, "utfconv: ok: unchanged\n");
    is_same("$U -i bad", 1, "bad:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF");
    is_same("$U -i -t utf-16 bad nothing", 2, "nothing: No such file or directory");
    is_same("$U -i=.bak -t latin1 late", 1, "late:1:4: error: invalid UTF-8 (truncated) at byte 3: E9");
    assert_eq!(read(at, "bad"), b"a\xFFb");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let dir = dir_with(&[("a", CAFE), ("bad", b"a\xFFb"), ("z", b"z\n")]);
    let at = dir.path();
    let ran = sh(at, "$U -i -f ascii -t utf-16le z bad a nothing z2; cat z | od -An -tx1");
    ran.expect_part(
        0,
        " 7a 00 0a 00\n",
        "utfconv: nothing: No such file or directory\nutfconv: z2: No such file",
    );
    sh(at, "$U -i -c -f utf-8 bad").expect(
        1,
        "",
        "bad:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 1 error: 1 invalid sequence omitted (1 never-used byte)\n",
    );
    assert_eq!((read(at, "bad"), read(at, "a")), (b"ab".to_vec(), CAFE.to_vec()));
    sh(at, "$U -i --ill-formed=replace -f utf-8 a; cat a").expect(
        0,
        "caf\u{FFFD}\n",
        "a:1:4: warning: invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found\n\
        utfconv: 1 warning: 1 invalid sequence replaced (1 truncated)\n",
    );
}

#[test]
fn a_suffix_keeps_the_old_file() {
    let dir = dir_with(&[("f", CAFE), ("g", CAFE), ("g~", b"older")]);
    let at = dir.path();
    sh(at, "chmod 640 f; touch -d 2001-01-01 f; $U -i=.bak -f latin1 f; stat -c '%a %y' f.bak | cut -c1-14")
        .expect(0, "640 2001-01-01\n", "");
    // An existing file with the backup's name may be the only copy of other content.
    sh(at, "$U --in-place=~ -f latin1 g").expect(
        2,
        "",
        "g: cannot back up to g~: it exists already; remove it, or use --backup=numbered",
    );
    assert_eq!((read(at, "f.bak"), read(at, "f")), (CAFE.to_vec(), "café\n".into()));
    assert_eq!((read(at, "g~"), read(at, "g")), (b"older".to_vec(), CAFE.to_vec()));
    // If the existing backup, left by an interrupted run, has the same content, it is used.
    sh(at, "cp g g~; $U --in-place=~ -f latin1 g").expect(0, "", "");
    assert_eq!((read(at, "g~"), read(at, "g")), (CAFE.to_vec(), "café\n".into()));
    sh(at, "mkdir f.d; $U -i=.d -t latin1 f").expect(
        2,
        "",
        "f: cannot back up to f.d: it exists already; remove it, or use --backup=numbered",
    );
    assert_eq!(read(at, "f"), "café\n".as_bytes());
    assert_files(at, "f f.bak f.d g g~");
}

/// If the name of a backup is too long for the system, the error says so, also with numbered backups.
#[test]
fn a_name_that_is_too_long_for_a_backup() {
    let name = "n".repeat(252);
    let dir = dir_with(&[(&name, CAFE)]);
    let at = dir.path();
    for options in ["-i=.bak", "-i=.bak --backup=numbered"] {
        let why = format!("{name}: cannot back up to {name}.bak: File name too long");
        sh(at, &format!("timeout 10 $U {options} -f latin1 {name}")).expect(2, "", &why);
        assert_eq!(read(at, &name), CAFE);
        assert_files(at, &name);
    }
    // The first name fits, and the name with a number is too long.
    let (name, backup) = ("n".repeat(251), "n".repeat(251) + ".bak");
    let script = format!(
        "rm n*; printf 'caf\\xe9\\n' > {name}; echo older > {backup}; timeout 10 $U -i=.bak --backup=numbered -f latin1 {name}"
    );
    let why = format!("{name}: cannot back up to {backup}.1: File name too long");
    sh(at, &script).expect(2, "", &why);
    assert_eq!((read(at, &name), read(at, &backup)), (CAFE.to_vec(), b"older\n".to_vec()));
}

#[test]
fn nothing_is_converted_twice() {
    let dir = dir_with(&[("a", CAFE), ("b", CAFE), ("c", CAFE)]);
    let at = dir.path();
    let twice = "is the same file as";
    sh(at, "ln -s a l; $U -i -f latin1 a l ./a").expect_part(2, "", twice);
    sh(at, "cp b b.orig; $U -i=.orig -f latin1 b b.orig").expect_part(2, "", "b: its backup would overwrite");
    assert_eq!((read(at, "b"), read(at, "b.orig.orig")), (CAFE.to_vec(), CAFE.to_vec()));
    // An input is found to be a backup even under another name.
    for (make, other) in [("ln d/a e.o", "d/a"), ("ln -s d/a e.o", "e.o")] {
        let script = format!(
            "mkdir d; printf 'caf\\xe9\\n' | tee e > d/a; {make}; $U --force -i=.o -f latin1 {other} e; s=$?; \
             cat e e.o; ls d; rm -r d e e.o; exit $s"
        );
        let ran = sh(at, &script);
        assert!(ran.status == 2 && ran.stderr.contains("its backup would overwrite"), "{make}: {ran:?}");
        assert!(ran.stdout.starts_with(CAFE), "{make}: {ran:?}");
    }
    sh(at, "rm b.orig; $U -i=.orig -f latin1 b b").expect(0, "", "");
    sh(at, "exec 5< b.orig; rm b.orig; cp c 'b.orig (deleted)'; $U -i -f latin1 /proc/self/fd/5").expect(
        2,
        "",
        "/proc/self/fd/5: file was replaced or removed",
    );
    sh(at, "ln c d; $U -i --force -f latin1 c d").expect_part(2, "", twice);
    assert!(["a", "b", "c"].into_iter().all(|name| read(at, name) == "café\n".as_bytes()));
    assert_eq!(read(at, "b.orig (deleted)"), CAFE);
}

/// `-o` with the only input file changes the file as `-i` does.
#[test]
fn an_output_that_is_the_input_is_not_converted_twice() {
    let old = b"Caf\xE9 Gr\xFC\xDFe\n";
    let partly = [&old[..], "Grüße\n".as_bytes()].concat();
    let dir = dir_with(&[("a", old), ("b", old), ("c", old), ("partly", &partly), ("bad", b"\xFF\n")]);
    let at = dir.path();
    let convert = "$U -f windows-1252 -o";
    for (name, input) in [("a", "a"), ("b", "./b"), ("c", "- < c")] {
        sh(at, &format!("{convert} {name} {input}; s=$?; cat {name}; exit $s")).expect(0, "Café Grüße\n", "");
        let again = sh(at, &format!("{convert} {name} {input}; s=$?; cat {name}; exit $s"));
        again.expect(0, "Café Grüße\n", &format!("utfconv: {name}: skipped: already UTF-8\n"));
    }
    sh(at, &format!("{convert} a --reconvert a; s=$?; cat a; exit $s")).expect(0, "CafÃ© GrÃ¼ÃŸe\n", "");
    let refused = "it is UTF-8 in 1 of 2 lines with characters that are not ASCII; see 'utfconv repair partly', \
                   or use --force to convert all of it from windows-1252";
    sh(at, &format!("{convert} partly partly")).expect(2, "", &format!("partly: not converted: {refused}"));
    assert_eq!(read(at, "partly"), partly);
    sh(at, &format!("{convert} partly --force partly; s=$?; cat partly; exit $s")).expect(
        0,
        "Café Grüße\nGrÃ¼ÃŸe\n",
        "",
    );
    // The first of two joined inputs is converted already.
    sh(at, &format!("{convert} b b c; s=$?; cat b; exit $s")).expect(
        1,
        "Café Grüße\n",
        "utfconv: b: not converted: it is UTF-8 already; leave it out, or use --force to convert it\nutfconv: b: not written\n",
    );
    // Newlines are converted even if the encoding is converted already.
    sh(at, "$U --newline=crlf -o b b; cat b; $U -f windows-1252 --newline=lf -o b b; cat b").expect(
        0,
        "Café Grüße\r\nCafé Grüße\n",
        "",
    );
    sh(at, "$U -o bad bad; s=$?; od -An -tx1 bad; exit $s").expect(
        1,
        " ff 0a\n",
        "bad:1:1: error: invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8\n\
         utfconv: bad: not converted; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check bad' for all errors, 'utfconv inspect --errors-only bad' for the bytes, \
        'utfconv detect bad' for the encoding\n",
    );
    // Links stay, and a file with several hard links is overwritten in place.
    sh(
        at,
        "printf 'caf\\351\\n' > t; ln -s t link; ln t hard; $U -f latin1 -o link t; readlink link; cat hard",
    )
    .expect(0, "t\ncafé\n", "");
    // With `--iconv`, the output is the same as that of glibc's iconv.
    sh(at, "printf 'caf\\303\\251\\n' > t; $U --iconv -f latin1 -t utf-8 -o t t; cat t").expect(
        0,
        "cafÃ©\n",
        "",
    );
}

#[test]
fn a_mount_of_its_own() {
    let dir = dir_with(&[("m", CAFE)]);
    let at = dir.path();
    let mounted = "unshare -m sh -c 'mount --bind m m && $U -i -f latin1 OPTION m; s=$?; cat m; exit $s'";
    if !is_root() || !has("mount") {
        return;
    }
    if sh(at, "unshare -m mount --bind m m").status != 0 {
        skip("the right to mount");
        return;
    }
    sh(at, &mounted.replace("OPTION", "")).expect(
        2,
        CAFE,
        "m: it is a mount point; use --force to overwrite the file itself",
    );
    sh(at, &mounted.replace("OPTION", "--force")).expect(0, "café\n", "");
    assert_files(at, "m");
}

#[test]
fn usage() {
    for (args, text) in [
        (&["-i"][..], "--in-place requires at least one FILE"),
        (&["-i", "-"], "--in-place cannot use standard input"),
        (&["-i", "-o", "x", "f"], "--in-place cannot be used with -o: each file"),
        (&["-i", "--mmap=always", "f"], "--in-place cannot be used with --mmap=always"),
        (&["-iorig", "f"], "each file has its own output; to keep backups, use --in-place=SUFFIX\n"),
        (&["-i", ".orig", "f"], ".orig: No such file or directory; to keep backups, use --in-place=.orig\n"),
        (&["repair", "-i", ".orig", "f"], "to keep backups, use --in-place=.orig\n"),
        (&["-i=a/b", "f"], "a suffix cannot contain '/'"),
        (&["-i.bak", "f"], "utfconv: write the -i suffix after '=': -i=.bak\n"),
        (
            &["--in-place=", "f"],
            "--in-place= requires a suffix; use --in-place without '=' to keep no backup",
        ),
        (&["-i=.utfconv-tmp", "f"], "utfconv uses this suffix for temporary files"),
        (&["--force", "f"], "--force requires --in-place"),
        (&["--preserve-time", "f"], "--preserve-time requires --in-place"),
    ] {
        run(args, "").expect_part(2, "", text);
    }
}

#[test]
fn files_that_a_rename_would_break_are_refused() {
    let dir = dir_with(&[("f", CAFE), ("s", CAFE), ("t", CAFE)]);
    let at = dir.path();
    let convert = "timeout 10 $U -i -f latin1";
    sh(at, &format!("ln f g; {convert} f")).expect(
        2,
        "",
        "f: has another hard link; use --force to change all hard links",
    );
    sh(at, &format!("chmod 4755 s; {convert} s")).expect(
        2,
        "",
        "s: would lose its set-user-ID or set-group-ID bit; use --force to convert it anyway",
    );
    sh(at, &format!("mkdir d; {convert} d")).expect(2, "", "d: Is a directory; use -r to convert its files");
    sh(at, &format!("mkfifo p; {convert} p")).expect(
        2,
        "",
        "p: not a regular file; only regular files are converted in place",
    );
    sh(at, &format!("{convert} /dev/null")).expect(
        2,
        "",
        "/dev/null: not a regular file; only regular files are converted in place",
    );
    sh(at, &format!("ln -s nowhere l; {convert} l")).expect(2, "", "l: No such file or directory");
    assert!(["f", "s", "t"].into_iter().all(|name| read(at, name) == CAFE));
    // Links are followed and stay links.
    sh(at, &format!("ln -s t ll; {convert} ll; readlink ll; cat t")).expect(0, "t\ncafé\n", "");
    sh(at, &format!("{convert} --force f s; cat g s; stat -c '%h %a' f s")).expect(
        0,
        "café\ncafé\n2 644\n1 755\n",
        "",
    );
    assert_files(at, "d f g l ll p s t");
}

#[test]
fn read_only_files_are_refused() {
    if !is_root() || !has("setpriv") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    let at = dir.path();
    let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups ./u -i -f latin1";
    sh(at, "cp $U u; chmod 755 . u; mkdir d; cp f d; chmod 444 f").expect(0, "", "");
    sh(at, &format!("{nobody} f")).expect(2, "", "utfconv: f: Permission denied");
    // The file is writable, but its directory is not. Then both are writable, but the owner cannot be preserved.
    sh(at, &format!("chmod 666 d/f; {nobody} d/f")).expect(
        2,
        "",
        "d/f: Permission denied for its directory; use --force to overwrite the file itself",
    );
    sh(at, &format!("chmod 777 d; {nobody} d/f")).expect(
        2,
        "",
        "d/f: a new file cannot have its owner or attributes; use --force to overwrite the file itself",
    );
    assert_eq!((read(at, "f"), read(at, "d/f")), (CAFE.to_vec(), CAFE.to_vec()));
    sh(at, &format!("{nobody} --force d/f; cat d/f; stat -c %u d/f; ls -A d")).expect(0, "café\n0\nf\n", "");
    if has("chattr") && sh(at, "chattr +i f").status == 0 {
        sh(at, "$U -i -f latin1 f").expect(2, "", "utfconv: f: Operation not permitted");
        sh(at, "chattr -i f; chattr +a f; $U -i -f latin1 f").expect(
            2,
            "",
            "utfconv: f: Operation not permitted",
        );
        sh(at, "chattr -a f; cat f").expect(0, CAFE, "");
    }
    sh(at, "rm u").expect(0, "", "");
    assert_files(at, "d f");
}

/// Mode, owner, access control lists and extended attributes are kept, and times with `--preserve-time`.
#[test]
fn attributes_of_files_are_kept() {
    let dir = dir_with(&[("f", CAFE)]);
    let at = dir.path();
    sh(at, "chmod 604 f; touch -d 2001-01-01 f; $U -i -f latin1 f; stat -c %a f; find f -newermt 2002-01-01")
        .expect(0, "604\nf\n", "");
    sh(at, "touch -d 2001-01-01 f; $U -i --preserve-time -t latin1 f; stat -c %Y f; date -d 2001-01-01 +%s")
        .expect(
            0,
            String::from_utf8(sh(at, "date -d 2001-01-01 +%s").stdout).expect("a number").repeat(2),
            "",
        );
    if ["setfacl", "getfacl", "setfattr", "getfattr"].into_iter().all(has)
        && sh(at, "setfattr -n user.note -v kept f && setfacl -m u:9:r f").status == 0
    {
        sh(at, "$U -i -f latin1 f; getfattr --only-values -n user.note f; getfacl -cn f | grep :9:").expect(
            0,
            "keptuser:9:r--\n",
            "",
        );
    }
    if is_root() {
        let change = "printf 'caf\\xe9\\n' > f; chown 1234:1235 f; chmod 640 f; $U -i -f latin1 f";
        sh(at, &format!("{change}; stat -c %u:%g:%a f; cat f")).expect(0, "1234:1235:640\ncafé\n", "");
    }
}

/// Each system call fails once. The file is old or new, and new if the exit status says so.
#[test]
fn every_system_call_fails_once() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    let at = dir.path();
    let mut failed = 0;
    let calls = [
        ("openat", "EIO"),
        ("openat", "EOPNOTSUPP"),
        ("openat", "EMFILE"),
        ("statx", "EIO"),
        ("read", "EIO"),
        ("pread64", "EIO"),
        ("write", "ENOSPC"),
        ("write", "EDQUOT"),
        ("fsync", "EIO"),
        ("linkat", "EIO"),
        ("linkat", "EEXIST"),
        ("renameat", "EIO"),
        ("renameat", "EXDEV"),
        ("renameat2", "EIO"),
        ("renameat2", "EINVAL"),
        ("renameat2", "ENOENT"),
        ("fchmod", "EPERM"),
        ("flistxattr", "EIO"),
        ("flock", "EAGAIN"),
        ("fcntl", "EMFILE"),
        ("lseek", "EIO"),
        ("readlink", "EIO"),
        ("utimensat", "EIO"),
        ("unlinkat", "EIO"),
        ("copy_file_range", "EIO"),
        ("close", "EIO"),
    ];
    for (call, error) in calls {
        for number in 1.. {
            sh(at, "rm -f f.bak .f* ../trace; printf 'caf\\xe9\\n' > f").expect(0, "", "");
            let inject = format!("strace -f -o trace -e inject={call}:error={error}:when={number}");
            let ran = sh(at, &format!("timeout -k 1 20 {inject} $U -i=.bak --preserve-time -f latin1 f"));
            let is_injected = sh(at, "grep -q INJECTED trace; s=$?; rm trace; exit $s").status == 0;
            let content = read(at, "f");
            let what = format!("{call} {error} {number}: {ran:?} {content:02X?}");
            assert!(content == CAFE || content == "café\n".as_bytes(), "{what}");
            match ran.status {
                0 => assert_eq!(content, "café\n".as_bytes(), "{what}"),
                _ => assert!(ran.status == 2 && is_injected && !ran.stderr.is_empty(), "{what}"),
            }
            // Only a temporary file whose removal failed may be left.
            if call != "unlinkat" {
                assert_eq!(sh(at, "ls -A | grep utfconv-tmp").stdout, b"", "{what}");
            }
            if !is_injected {
                break;
            }
            failed += 1;
        }
    }
    assert!(failed > 40, "{failed}");
}

/// On a file system without unnamed temporary files, a named temporary file is used.
#[test]
fn a_file_system_without_unnamed_files() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    let at = dir.path();
    let trace =
        sh(at, "strace -o t $U -i -f latin1 f; grep -n openat t | grep -n TMPFILE | cut -d: -f1; rm t");
    let number = String::from_utf8(trace.stdout).expect("a number");
    let inject = format!("strace -f -o /dev/null -e inject=openat:error=EOPNOTSUPP:when={}", number.trim());
    sh(at, &format!("{inject} $U -i -t latin1 f")).expect(0, "", "");
    assert_eq!(read(at, "f"), CAFE);
    sh(at, &format!("{inject} -e inject=renameat:error=EIO $U -i -f latin1 f")).expect(
        2,
        "",
        "f: Input/output error",
    );
    assert_eq!(read(at, "f"), CAFE);
    assert_files(at, "f");
}

#[test]
fn no_room() {
    if !is_root() || !has("mount") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    if sh(at, "mkdir m; mount -t tmpfs -o size=256k,nr_inodes=3 tmpfs m").status != 0 {
        skip("the right to mount");
        return;
    }
    let script = "yes $'\\xe9\\xe9' | head -c 150000 > m/f; cp m/f copy; $U -i -f latin1 m/f; s=$?; \
                  cmp m/f copy; ls -A m; printf 'caf\\xe9' > m/f; touch m/g; $U -i -f latin1 m/f; cat m/f; exit $s";
    let ran = sh(at, script);
    unmount(at, "m");
    ran.expect_part(2, b"f\ncaf\xE9", "utfconv: m/f: No space left on device");
}

/// Changes that another process writes during the conversion are kept.
#[test]
fn a_file_that_changes_meanwhile() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    let at = dir.path();
    let ran = sh_midway(at, "slow fsync $U -i -f latin1 f & begun fsync; echo more >> f; wait $!");
    ran.expect(2, "", "utfconv: f: another process changed it during conversion; that change is kept");
    assert_eq!(read(at, "f"), b"caf\xE9\nmore\n");
    assert_files(at, "f");
}

/// If another process replaces, links or removes the file just before the exchange, its change is kept.
#[test]
fn a_file_that_is_replaced_at_the_last_moment() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let why = "f: another process changed it during conversion; that change is kept";
    for (command, replace, shown, left) in [
        ("-i", "mv g f", "other\n", "f"),
        ("-i", "rm g; echo more >> f", "caf\u{e9}\nmore\n", "f"),
        ("-i", "ln -sf g f", "other\n", "f g"),
        ("-i", "rm f", "other\n", "g"),
        ("-i --sync=batch", "mv g f", "other\n", "f"),
        ("-o f", "ln -sf g f", "other\n", "f g"),
    ] {
        let script = format!(
            "rm -f f g; printf 'caf\\xe9\\n' > f; echo other > g; slow renameat2 $U -f latin1 {command} f & \
             begun renameat2; {replace}; wait $!; s=$?; cat f 2>/dev/null || cat g; exit $s"
        );
        let shown: Vec<u8> = shown.chars().map(|c| c as u8).collect();
        sh_midway(at, &script).expect(2, shown, why);
        assert_files(at, left);
    }
}

/// A run that is killed during an exchange leaves a draft, the old file, or the version of another process. The next
/// run removes a draft or an old file, and reports a version of another process.
#[test]
fn what_killed_exchanges_leave() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "rm -f f g .f*; printf 'caf\\xe9\\n' > f; echo other > g";
    let next = "{ $U -i -f latin1 f; s=$?; cat f; ls -A; exit $s; }";
    let killed = |inject: &str| {
        format!("{make}; {{ strace -f -o /dev/null -e inject={inject} $U -i -f latin1 f; }} 2>/dev/null")
    };
    // Killed before the exchange: the draft is left.
    let script = format!("{}; ls -A | wc -l; cat f; {next}", killed("renameat2:error=EIO:signal=KILL"));
    sh(at, &script).expect(0, b"3\ncaf\xE9\ncaf\xC3\xA9\nf\ng\n", "");
    // Killed after the exchange: the old file is left.
    let script = format!("{}; ls -A | wc -l; cat .f* f; {next}", killed("unlinkat:error=EIO:signal=KILL"));
    sh(at, &script).expect(
        0,
        b"3\ncaf\xE9\ncaf\xC3\xA9\ncaf\xC3\xA9\nf\ng\n",
        "utfconv: f: skipped: already UTF-8\n",
    );
    // Another process has replaced the file, and the run is killed before it restores the replacement.
    let script = format!(
        "{make}; slow renameat2 bash -c 'echo $$ > pid; exec $U -i -f latin1 f' & begun renameat2; mv g f; begun renameat2 2; \
         kill -KILL $(cat pid); wait $!; rm pid; cat f .f*; ls .f*"
    );
    let ran = sh_midway(at, &script);
    let shown = String::from_utf8(ran.stdout).expect("UTF-8");
    let name = shown.strip_prefix("café\nother\n").expect("both versions").trim_end();
    let left = at.canonicalize().expect("is there").join(name);
    let file = left.with_file_name("f");
    let text = format!(
        "utfconv: {0}: a version of {1} by another process, left by an earlier run; to restore it: mv {0} {1}\n",
        left.display(),
        file.display()
    );
    for command in [
        "-i -f latin1 f",
        "-i -r -f latin1 .",
        "-i -r .",
        "check --fix f",
        "check --fix --rule final-newline .",
        "repair -i f",
    ] {
        let ran = sh(at, &format!("$U {command}; s=$?; cat {name}; exit $s"));
        assert!(ran.status == 2 && ran.stderr.contains(&text), "{command}: {ran:?}");
        assert!(ran.stdout.ends_with(b"other\n"), "{command}: {ran:?}");
    }
    let script = format!("$U -s -i --dry-run -f latin1 f; mv {name} f; $U -i f; cat f; ls -A");
    let expected = format!("{text}utfconv: f: unchanged\n");
    sh(at, &script).expect(0, "f: skipped: already UTF-8\nother\nf\n", &expected);
}

/// After a power failure, the new content may be missing. Then the old file is the only copy.
#[test]
fn an_old_file_whose_new_content_is_lost() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    let at = dir.path();
    sh(
        at,
        "{ strace -f -o /dev/null -e inject=unlinkat:error=EIO:signal=KILL $U -i -f latin1 f; } 2>/dev/null",
    );
    let left = String::from_utf8(sh(at, "printf %s .f*").stdout).expect("UTF-8");
    let paths =
        [&left, "f"].map(|name| at.canonicalize().expect("is there").join(name).display().to_string());
    let text = format!(
        "utfconv: f: unchanged\nutfconv: {0}: the old version of {1}, left by an earlier run; {1} has changed since; \
         to compare them: diff {0} {1}\n",
        paths[0], paths[1]
    );
    sh(at, "true > f; $U -i -f latin1 f; s=$?; cat .f*; exit $s").expect(2, CAFE, &text);
    // If an undo has restored the content, the old file is not the only copy.
    sh(at, "cp .f* f; $U -i -f latin1 -t latin1 f; ls -A").expect(0, "f\n", "utfconv: f: unchanged\n");
}

/// Leftovers beside the target of a link are found if the link is given.
#[test]
fn leftovers_of_links() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let script = "mkdir real links; printf 'a\\r\\nb\\n' > real/f; ln -s ../real/f links/l; \
                  fix='check --fix --rule mixed-newlines=lf links/l'; \
                  { strace -f -o /dev/null -e inject=unlinkat:error=EIO:signal=KILL $U $fix; } 2>/dev/null; \
                  ls -A real | wc -l; $U $fix; s=$?; ls -A real; exit $s";
    sh(dir.path(), script).expect(0, "2\nf\n", "");
}

/// With `--sync=none`, the draft is renamed over the old file, because file systems write a renamed file to disk first.
#[test]
fn unsynced_files_are_renamed() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    let script = "strace -f -o t -e trace=renameat,renameat2 $U -i --sync=none -f latin1 f; grep -c renameat2 t; \
                  grep -c 'renameat(' t; cat f; rm t; ls -A";
    sh(dir.path(), script).expect(0, "0\n1\ncafé\nf\n", "");
}

/// If the file is replaced again while the first change is put back, both changes are kept and reported once.
#[test]
fn a_file_that_is_replaced_twice() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    for command in ["-i", "-o f"] {
        let script = format!(
            "rm -f .f* f; printf 'caf\\xe9\\n' > f; echo second > g; echo third > h; \
             slow renameat2 $U -f latin1 {command} f & \
             begun renameat2; mv g f; begun renameat2 2; mv h f; wait $!; s=$?; cat f .f*; ls .f*; exit $s"
        );
        let ran = sh_midway(at, &script);
        let shown = String::from_utf8(ran.stdout.clone()).expect("UTF-8");
        let name = shown.strip_prefix("third\nsecond\n").expect("both versions").trim_end();
        ran.expect(
            2,
            &shown,
            &format!("f: another process changed it during conversion; that change is kept, and an earlier one in {name}"),
        );
        // The advice of a later run must not overwrite the latest version.
        let paths =
            [name, "f"].map(|name| at.canonicalize().expect("is there").join(name).display().to_string());
        let text = format!(
            "utfconv: f: unchanged\nutfconv: {0}: a version of {1} by another process, left by an earlier run; {1} has \
             changed since; to compare them: diff {0} {1}\n",
            paths[0], paths[1]
        );
        sh(at, "$U -i f").expect(2, "", &text);
    }
}

/// If a change by another process cannot be put back, the message says where it is.
#[test]
fn a_change_that_cannot_be_put_back() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    // The directory's name has a space, so the command in the message must quote it.
    let at = &dir.path().join("a b");
    std::fs::create_dir(at).expect("is made");
    for command in ["-i", "-o f"] {
        let script = format!(
            "rm -f .f* f; printf 'caf\\xe9\\n' > f; echo other > g; slow renameat2 $U -f latin1 {command} f 2>log & \
             begun renameat2; mv g f; begun renameat2 2; rm f; wait $!; s=$?; printf '%s\\n' .f*; cat log .f*; \
             sed 's/.*: mv/mv/' log > command; . ./command; cat f; rm log command; exit $s"
        );
        let ran = sh_midway(at, &script);
        let shown = String::from_utf8(ran.stdout.clone()).expect("UTF-8");
        let directory = at.canonicalize().expect("is there").display().to_string();
        let left = format!("{directory}/{}", shown.lines().next().expect("a name"));
        let text = format!(
            "utfconv: f: another process changed it during conversion, and that version is in {left}, because it could not be \
             put back (No such file or directory); to restore it: mv \"{left}\" \"{directory}/f\"\n"
        );
        let name = left.strip_prefix(&format!("{directory}/")).expect("is there");
        ran.expect(2, format!("{name}\n{text}other\nother\n"), "");
        assert_files(at, "f");
    }
}

/// A signal while several threads exchange files ends the run after the exchanges.
#[test]
fn a_signal_during_exchanges() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let script = "for i in $(seq 12); do printf 'caf\\xe9\\n' > f$i; done; \
                  slow linkat,renameat2 bash -c \
                  'echo $$ > pid; exec env --default-signal=INT timeout -s KILL 20 $U -i -j3 -f latin1 f*' 2>log & \
                  begun linkat,renameat2 3; kill -INT $(cat pid); wait $!; s=$?; rm pid; \
                  cat f* | sed 's/\\xe9/é/' | uniq -c | tr -s ' '; grep -c 'interrupted: .* of 12 files are done' log; rm log; \
                  ls -A | wc -l; exit $s";
    sh_midway(at, script).expect(130, " 12 café\n1\n12\n", "");
}

/// On a file system that cannot exchange files, the draft is renamed over the old file.
#[test]
fn a_file_system_without_exchanges() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE)]);
    for error in ["EINVAL", "ENOSYS", "EOPNOTSUPP"] {
        let inject = format!("strace -f -o /dev/null -e inject=renameat2:error={error}");
        let script = format!("printf 'caf\\xe9\\n' > f; {inject} $U -i -f latin1 f; cat f; ls -A");
        sh(dir.path(), &script).expect(0, "café\nf\n", "");
    }
}

/// An output file that is not an input is replaced even if it changes. An output that is an input is not.
#[test]
fn an_output_file_that_changes_meanwhile() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE), ("g", CAFE)]);
    let at = dir.path();
    let slow = "slow fsync $U -f latin1 -o";
    let why = "utfconv: f: write error: another process changed it during conversion; that change is kept";
    sh_midway(at, &format!("{slow} f g f & begun fsync; echo more >> f; wait $!")).expect(2, "", why);
    assert_eq!(read(at, "f"), b"caf\xE9\nmore\n");
    sh_midway(at, &format!("{slow} f g & begun fsync; echo more >> f; wait $!; cat f"))
        .expect(0, "café\n", "");
    assert_files(at, "f g");
}

/// If another process shortens a file before `--verify` reads it again, the message reports the change, and no
/// difference.
#[test]
fn a_file_that_shrinks_before_it_is_verified() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("f", CAFE), ("same", CAFE)]);
    let at = dir.path();
    let trace = sh(
        at,
        "strace -f -o trace -e trace=pread64 $U -i -f latin1 same; grep -c pread64 trace; rm same trace",
    );
    let reads: u32 = String::from_utf8(trace.stdout).expect("text").trim().parse().expect("a number");
    let last = reads + 1;
    let slow = format!("slow pread64:when={last} $U -i --verify -f latin1 f");
    let ran = sh_midway(at, &format!("{slow} & begun pread64 {last}; printf a > f; wait $!"));
    ran.expect(2, "", "utfconv: f: another process changed it during conversion; that change is kept");
    assert_eq!(read(at, "f"), b"a");
    assert_files(at, "f");
}

/// Several processes convert a file one at a time. The temporary file of a killed process is removed, and that of a
/// running process stays.
#[test]
fn several_processes() {
    let text = "caf\u{E9} ".repeat(200_000);
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let dir = dir_with(&[("f", &latin), ("g", CAFE)]);
    let at = dir.path();
    sh(at, "for i in 1 2 3 4 5 6 7 8; do $U -i -s -f latin1 f 2>/dev/null & done; wait").expect(0, "", "");
    // A process that starts late converts the converted file again, but contents are never mixed.
    let once = text.clone().into_bytes();
    let mut expected = once.clone();
    let found = read(at, "f");
    while expected.len() < found.len() {
        expected = expected.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes();
    }
    assert!(found == expected);
    assert_files(at, "f g");
    let temporary = temporary_name("g");
    sh(at, &format!("printf 'caf\\xc3\\xa9\\n' > {temporary}; $U -i -f latin1 g; cat g"))
        .expect(0, "café\n", "");
    assert_files(at, "f g");
    if has("flock") {
        sh(
            at,
            &format!(
                "printf 'caf\\xe9\\n' > {temporary}; flock {temporary} $U -i -t latin1 g; cat {temporary}"
            ),
        )
        .expect(0, CAFE, "");
        assert_eq!(read(at, "g"), CAFE);
        sh(at, "flock g $U -i -f latin1 g").expect(2, "", "utfconv: g: another process is converting it");
        // A link with the name of the temporary file is not followed.
        sh(at, &format!("rm .g*; ln -s victim {temporary}; $U -i -f latin1 g; cat g; ls -A")).expect(
            0,
            format!("café\n{temporary}\nf\ng\n"),
            "",
        );
    }
}

/// Files of the user are not removed, whatever their names are.
#[test]
fn files_of_the_user_are_not_removed() {
    let dir = dir_with(&[(".y.utfconv-tmp", b"mine\n"), (".x.utfconv-tmp", b"mine\n"), ("x", b"mine\n")]);
    let at = dir.path();
    let all = "touch y; $U -f latin1 -o y .y.utfconv-tmp; mkdir O; touch O/x; \
               $U -j1 -f latin1 --output-dir O .x.utfconv-tmp x; $U -j1 -i -s -f latin1 -t utf-16le .x.utfconv-tmp x; cat .y.utfconv-tmp y; ls -A O; ls -A";
    sh(at, all).expect(0, "mine\nmine\n.x.utfconv-tmp\nx\n.x.utfconv-tmp\n.y.utfconv-tmp\nO\nx\ny\n", "");
    // A file with the name of a temporary file stays if its content differs, or if it is an input.
    let temporary = temporary_name("f");
    sh(at, &format!("rm -r .[xy]* *; echo mine > {temporary}; printf 'caf\\xe9\\n' > f; $U -i -f latin1 f; cat f {temporary}"))
        .expect(0, "café\nmine\n", "");
    sh(at, &format!("$U -o f {temporary}; cat f {temporary}")).expect(0, "mine\nmine\n", "");
    let both = format!("printf 'caf\\xe9\\n' > f; printf 'caf\\xc3\\xa9\\n' > {temporary}");
    for command in [format!("{temporary} f"), format!("f {temporary}")] {
        sh(at, &format!("{both}; $U -s -i -f latin1 {command}; cat f {temporary}")).expect(
            0,
            "café\ncafé\n",
            "",
        );
    }
    // In a directory, a file with the name of a temporary file is not an input.
    sh(at, &format!("{both}; $U -i -r --hidden -f latin1 .; cat f")).expect(0, "café\n", "");
    assert_files(at, "f");
    if !has("strace") {
        return;
    }
    // Two long file names begin alike. If the conversion of one is killed, the conversion of the other does not remove
    // the leftover.
    let names = ["1", "2"].map(|end| format!("{}{end}", "n".repeat(60)));
    let kill = "strace -f -o /dev/null -e inject=renameat2:error=EIO:signal=KILL";
    let script = format!(
        "for n in {0} {1}; do printf 'caf\\xe9\\n' > $n; done; {{ {kill} $U -i -f latin1 {0}; }} 2>/dev/null; $U -i -f latin1 {1}; \
         ls -A | grep -c 'utfconv-tmp$'; $U -i -f latin1 {0}; cat {0} {1}",
        names[0], names[1]
    );
    sh(at, &script).expect(0, "1\ncafé\ncafé\n", "");
    assert_files(at, &format!("f {} {}", names[0], names[1]));
}

/// If killed at any moment, the file is old or new, and the next run completes the conversion.
#[test]
fn killed_at_any_moment() {
    let text = "caf\u{E9} ".repeat(300_000);
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let dir = dir_with(&[("old", &latin)]);
    let at = dir.path();
    let new = text.into_bytes();
    let rounds = rounds("UTFCONV_KILLS", 40);
    let start = Instant::now();
    sh(at, "cp old f; bash -c 'exec $U -i -f latin1 f'").expect(0, "", "");
    let whole = start.elapsed();
    let (mut old_ones, mut new_ones) = (0, 0);
    for round in 0..rounds {
        let pause = pause(round, whole);
        let signal = ["KILL", "TERM", "INT", "HUP"][round as usize % 4];
        let script = format!(
            "cp old f; bash -c 'exec $U -i -f latin1 f' & {pause} kill -{signal} $! 2>/dev/null; wait $!"
        );
        sh(at, &script);
        match read(at, "f") {
            content if content == latin => old_ones += 1,
            content if content == new => new_ones += 1,
            _ => panic!("round {round}: a mixed file"),
        }
        // The next run also removes the old content if the program was killed before it did.
        let notice = if read(at, "f") == new { "utfconv: f: skipped: already UTF-8\n" } else { "" };
        sh(at, "$U -i -f latin1 f").expect(0, "", notice);
        assert!(read(at, "f") == new);
        assert_files(at, "f old");
    }
    println!("{old_ones} old, {new_ones} new");
    assert!(old_ones > 0);
}
