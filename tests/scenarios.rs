//! Tests of adverse conditions: full disks, closed streams, readers that exit, and odd files. Each test asserts exit
//! status, output, message and the state of files together.
#![cfg(target_os = "linux")]

use std::path::Path;

use crate::harness::{dir_in_memory, dir_with, has, hex, run, sh, skip};

/// Creates files: a text of about 400 KB, a short text with an error, and a short correct text.
fn dir() -> tempfile::TempDir {
    let lines: String = (1..=20000).map(|n| format!("ligne {n} é à ü\n")).collect();
    dir_with(&[("in.txt", lines.as_bytes()), ("bad.txt", b"a\xFFb"), ("ok.txt", b"ok\n")])
}

const CONV: &str = "$U -f UTF-8 -t UTF-16LE";

fn read(dir: &Path, name: &str) -> Vec<u8> {
    std::fs::read(dir.join(name)).expect("is there")
}

/// Asserts that the directory has exactly the `expected` files.
#[track_caller]
fn assert_files(dir: &Path, expected: &[&str]) {
    let mut found: Vec<_> = std::fs::read_dir(dir)
        .expect("lists")
        .map(|entry| entry.expect("entry").file_name().into_string().expect("UTF-8"))
        .collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn full_disk() {
    let dir = dir();
    let full = "utfconv: standard output: write error: No space left on device\n";
    for command in ["in.txt", "ok.txt"] {
        sh(dir.path(), &format!("{CONV} {command} > /dev/full")).expect(2, "", full);
    }
    for command in ["--help", "--version", "-l", "list", "man", "completions bash"] {
        sh(dir.path(), &format!("$U {command} > /dev/full")).expect(2, "", full);
    }
    sh(dir.path(), "$U -o /dev/full ok.txt").expect(
        2,
        "",
        "utfconv: /dev/full: write error: No space left on device",
    );
}

#[test]
fn closed_standard_streams() {
    let dir = dir();
    sh(dir.path(), &format!("{CONV} in.txt >&-")).expect(
        2,
        "",
        "standard output: write error: Bad file descriptor",
    );
    sh(dir.path(), "$U </dev/null >&-").expect(0, "", "");
    sh(dir.path(), &format!("{CONV} <&-")).expect(2, "", "utfconv: -: read error: Bad file descriptor");
    sh(dir.path(), "$U bad.txt 2>&-").expect(1, "a", "");
    sh(dir.path(), "$U bad.txt 2>/dev/full").expect(1, "a", "");
    sh(dir.path(), "$U nofile 2>&-").expect(2, "", "");
    // A device name for a closed stream is also closed.
    sh(dir.path(), "echo old > pr; $U -o pr /dev/stdin <&-; s=$?; cat pr; exit $s").expect_part(
        2,
        "old\n",
        "/dev/stdin: ",
    );
    for device in ["/dev/fd/1", "/proc/self/fd/1", "/dev/stdout"] {
        sh(dir.path(), &format!("$U ok.txt -o {device} >&-")).expect_part(2, "", "utfconv: ");
    }
    sh(dir.path(), "$U ok.txt -o /dev/stderr 2>&-").expect(2, "", "");
    // A file that is opened later must not get the descriptor of a closed stream, so the message is not written into
    // the output.
    sh(dir.path(), "$U --ill-formed=omit -o out bad.txt 2>&- <&- >&-").expect(0, "", "");
    assert_eq!(read(dir.path(), "out"), b"ab");
}

#[test]
fn the_reader_goes_away() {
    let dir = dir();
    let script = format!(
        "for i in 1 2 3 4 5; do cat in.txt; done > big; {CONV} big big | head -c1; echo ${{PIPESTATUS[0]}}"
    );
    sh(dir.path(), &script).expect(0, "l141\n", "");
    let script = format!("(trap '' PIPE; {CONV} big big; echo $? > status) | head -c1; cat status");
    sh(dir.path(), &script).expect(0, "l2\n", "utfconv: standard output: write error: Broken pipe\n");
}

/// strace injects interruptions and errors. Only the program's own system calls are counted.
#[test]
fn failing_system_calls() {
    if !has("strace") {
        return;
    }
    let dir = dir();
    let expected = sh(dir.path(), &format!("{CONV} in.txt")).stdout;
    let traced = |inject: &str, command: &str| {
        sh(dir.path(), &format!("strace -f -o /dev/null -e inject={inject} {command}"))
    };
    traced("write:error=EINTR:when=1+2", &format!("{CONV} in.txt")).expect(0, &expected, "");
    traced("read:error=EINTR:when=1+2", &format!("{CONV} < in.txt")).expect(0, &expected, "");
    // Reading a directory is retried after an interruption.
    let one = dir_with(&[("ok.txt", b"ok\n")]);
    let calls = (1..=12).map(|when| format!("openat:error=EINTR:when={when}"));
    for inject in calls.chain(["getdents64:error=EINTR:when=1".into()]) {
        sh(one.path(), &format!("strace -f -o /dev/null -e inject={inject} $U check -v .")).expect(
            0,
            "",
            "utfconv: no error in 1 file\n",
        );
    }
    for when in 1..10 {
        let ran = traced(&format!("write:error=ENOSPC:when={when}"), &format!("{CONV} in.txt"));
        if ran.status == 0 {
            assert_eq!(ran.stdout, expected);
            assert!(when > 2, "at least the first writes were made to fail");
            break;
        }
        assert_eq!(ran.status, 2);
        assert!(expected.starts_with(&ran.stdout) && ran.stdout.len() < expected.len());
        // The message on standard error is a write, too, and may follow the failing write.
        assert!(ran.stderr.contains("write error: No space left on device"), "{ran:?}");
    }
    let quota = traced("write:error=EDQUOT:when=1", &format!("{CONV} in.txt"));
    quota.expect(2, "", "standard output: write error: Disk quota exceeded");
    let close = sh(
        dir.path(),
        &format!("strace -f -o /dev/null -P $PWD/out -e inject=close:error=EIO {CONV} ok.txt > out"),
    );
    close.expect(2, "", "standard output: write error: Input/output error");
    // If a read fails in the middle, all text before it is written.
    let mut failed = 0;
    for when in 1..20 {
        let ran =
            traced(&format!("read:error=EIO:when={when}"), &format!("{CONV} --buffer-size=100000 in.txt"));
        if ran.status == 0 {
            continue;
        }
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (2, "utfconv: in.txt: read error: Input/output error\n")
        );
        assert!(expected.starts_with(&ran.stdout));
        failed += 1;
    }
    assert!(failed >= 4, "reads were made to fail: {failed}");
}

/// After a read error, the output returns to its initial shift state and pending characters are written, so the next
/// input is decoded correctly.
#[test]
fn a_read_error_leaves_the_output_closed() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("ja", "あ".as_bytes()), ("hk", "aÊ".as_bytes()), ("ff", b"\xFF"), ("b", b"abc")]);
    for (args, broken, expected) in [
        ("-t ISO-2022-JP ja b", "ja", &b"\x1B$B$\"\x1B(Babc"[..]),
        ("-t UTF-7 ja b", "ja", b"+MEI-abc"),
        ("-t BIG5-HKSCS hk b", "hk", b"a\x88\x66abc"),
        ("-f latin1 ff", "ff", "ÿ".as_bytes()),
    ] {
        let inject = "-e trace=read -e inject=read:error=EIO:when=2";
        sh(dir.path(), &format!("strace -o /dev/null -P $PWD/{broken} {inject} $U {args}")).expect(
            2,
            expected,
            &format!("{broken}: read error: Input/output error"),
        );
    }
}

#[test]
fn file_size_and_memory_limits() {
    let dir = dir();
    sh(dir.path(), &format!("ulimit -f 100; {CONV} in.txt > out")).expect(
        2,
        "",
        "standard output: write error: File too large",
    );
    sh(dir.path(), "ulimit -n 4; $U nofile").expect_part(2, "", "utfconv: nofile: ");
    sh(dir.path(), "ulimit -n 5; $U -c bad.txt").expect(
        1,
        "ab",
        "bad.txt:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: 1 error: 1 invalid sequence omitted (1 never-used byte)\n",
    );
    sh(dir.path(), "ulimit -f 100; $U -t UTF-16LE -o out2 in.txt").expect(
        2,
        "",
        "utfconv: out2: write error: File too large",
    );
    assert!(!dir.path().join("out2").exists());
    sh(dir.path(), "mkdir out3; ulimit -f 100; $U -t UTF-16LE --output-dir=out3 in.txt").expect(
        2,
        "",
        "utfconv: in.txt: out3/in.txt: File too large",
    );
    assert!(!dir.path().join("out3/in.txt").exists());
    // 400 MB of input are converted with 40 MB of memory, as many lines and as a single line.
    for text in ["yes 'é à ü'", "yes 'é à ü' | tr -d '\\n'"] {
        let script = format!(
            "{text} | head -c 400000000 | (ulimit -v 40000; RUST_BACKTRACE=1 timeout 60 {CONV} -c -s) | wc -c"
        );
        let ran = sh(dir.path(), &script);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        assert!(String::from_utf8_lossy(&ran.stdout).trim().parse::<u64>().expect("a number") >= 500_000_000);
    }
}

#[test]
fn the_source_is_truncated_while_it_is_read() {
    let dir = dir();
    for mapping in ["never", "always"] {
        // The reader of the output waits until the source is truncated, so the program is in the middle of a
        // conversion.
        let script = format!(
            "for i in $(seq 20); do cat in.txt; done > big; mkfifo -m 600 p; \
             {CONV} --mmap={mapping} big > p & exec 3< p; head -c 10000 <&3 >/dev/null; truncate -s 0 big; \
             cat <&3 >/dev/null; wait $!; s=$?; rm p; exit $s"
        );
        let ran = sh(dir.path(), &script);
        match mapping {
            "never" => ran.expect(0, "", ""),
            _ => ran.expect(
                2,
                "",
                "utfconv: big: read error: the file was truncated while it was read (--mmap)\n",
            ),
        }
    }
}

#[test]
fn standard_output_is_an_input() {
    let dir = dir();
    let ok = "ok\n";
    sh(dir.path(), "$U ok.txt >> ok.txt").expect(
        2,
        "",
        "utfconv: ok.txt: the output would overwrite this input; use -o FILE to replace it\n",
    );
    sh(dir.path(), "$U < ok.txt >> ok.txt").expect(
        2,
        "",
        "-: the output would overwrite this input; use -o FILE to replace it",
    );
    sh(dir.path(), "printf 'ok\\n' > ok.txt; ln -s ok.txt link; $U link 1<> ok.txt").expect(
        2,
        "",
        "link: the output would overwrite this input; use -o FILE to replace it",
    );
    assert_eq!(read(dir.path(), "ok.txt"), ok.as_bytes());
    sh(dir.path(), "$U in.txt > in.txt").expect(
        2,
        "",
        "in.txt: the output would overwrite this input; use -o FILE to replace it",
    );
    // The conflict is found before anything is written, at any position among the inputs.
    sh(dir.path(), "cp bad.txt g; printf 'a\\n' > a; $U a g >> g").expect(
        2,
        "",
        "g: the output would overwrite this input; use -o FILE to replace it",
    );
    sh(dir.path(), "$U a g 1<> g").expect(
        2,
        "",
        "g: the output would overwrite this input; use -o FILE to replace it",
    );
    sh(dir.path(), "ulimit -f 100; $U -o /dev/fd/3 g 3>>g").expect(
        2,
        "",
        "g: the output would overwrite this input; use -o FILE to replace it",
    );
    assert_eq!(read(dir.path(), "g"), b"a\xFFb");
    // A device is not a regular file, so it may be input and output.
    sh(dir.path(), "$U /dev/null > /dev/null").expect(0, "", "");
}

#[test]
fn an_output_file_is_complete_or_untouched() {
    let dir = dir();
    let at = dir.path();
    // The output may be one of the inputs.
    sh(at, &format!("{CONV} -o in.txt in.txt && $U -f UTF-16LE in.txt | md5sum")).expect(
        0,
        sh(at, "for n in $(seq 20000); do echo \"ligne $n é à ü\"; done | md5sum").stdout,
        "",
    );
    std::fs::write(at.join("out"), "good").expect("writes");
    for trouble in ["bad.txt", "ok.txt bad.txt", "ok.txt nofile", "nofile", ". ok.txt"] {
        let ran = sh(at, &format!("$U -o out {trouble}"));
        assert_eq!(ran.status, if trouble.ends_with("bad.txt") { 1 } else { 2 }, "{trouble}");
        assert!(ran.stderr.contains("utfconv: out: not written"), "{ran:?}");
        assert_eq!(read(at, "out"), b"good", "{trouble}");
    }
    sh(at, "$U -o new bad.txt").expect(1, "", "bad.txt:1:2: error: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check bad.txt' for all errors, 'utfconv inspect --errors-only bad.txt' for the bytes, \
        'utfconv detect bad.txt' for the encoding\n\
        utfconv: new: not written\n");
    // The old file is kept if the output path leads through /proc, unless it leads to a descriptor of the process.
    for path in ["/proc/self/cwd/out", "/proc/self/root$PWD/out"] {
        sh(at, &format!("$U -o {path} bad.txt")).expect_part(1, "", "not written");
        assert_eq!(read(at, "out"), b"good", "{path}");
    }
    sh(at, "$U -o /proc/self/cwd/out ok.txt && cat out && printf good > out").expect(0, "ok\n", "");
    // With a mode that continues after errors, the output is complete.
    sh(at, "$U -c -s -o out bad.txt").expect(1, "", "");
    assert_eq!(read(at, "out"), b"ab");
    sh(at, "$U -o empty /dev/null").expect(0, "", "");
    assert_eq!(read(at, "empty"), b"");
    sh(at, "$U -o nodir/out ok.txt").expect(2, "", "utfconv: nodir/out: No such file or directory");
    sh(at, "$U -o . ok.txt").expect(2, "", "utfconv: .: Is a directory; use --output-dir=.\n");
    sh(at, "$U -o '' ok.txt").expect(2, "", "utfconv: '': No such file or directory");
    for name in ["new/", "new/.", "link"] {
        let text = format!("utfconv: {name}: Is a directory");
        let call = format!("ln -s new/ link; $U -o {name} ok.txt; status=$?; rm link; exit $status");
        sh(at, &call).expect_part(2, "", &text);
        assert!(!at.join("new").exists(), "{name}");
    }
    assert_files(at, &["bad.txt", "empty", "in.txt", "ok.txt", "out"]);
}

#[test]
fn output_files_keep_their_attributes() {
    let dir = dir();
    let at = dir.path();
    sh(at, "umask 027; $U -o new ok.txt; stat -c %a new").expect(0, "640\n", "");
    sh(at, "echo old > f; chmod 604 f; $U -o f ok.txt; stat -c %a f; cat f").expect(0, "604\nok\n", "");
    sh(at, "echo old > t; ln -s t link; $U -o link ok.txt; readlink link; cat t").expect(0, "t\nok\n", "");
    sh(at, "ln -s later dangling; $U -o dangling ok.txt; readlink dangling; cat later").expect(
        0,
        "later\nok\n",
        "",
    );
    sh(at, "ln -s loop loop; $U -o loop ok.txt").expect(
        2,
        "",
        "utfconv: loop: Too many levels of symbolic links",
    );
    let linked = "echo 'a longer old text' > h; ln h hard; $U -o h ok.txt; stat -c %h h; cat hard";
    sh(at, linked).expect(0, "2\nok\n", "");
    sh(at, "mkfifo p; cat p > got & $U -o p ok.txt; wait; cat got").expect(0, "ok\n", "");
    sh(at, "$U -o /dev/stdout ok.txt | cat").expect(0, "ok\n", "");
    sh(at, "(echo 1; $U -o /dev/stdout ok.txt; echo 2) > s; cat s").expect(0, "1\nok\n2\n", "");
    sh(at, "(echo 1; $U -o /dev/fd/3 ok.txt; echo 2) 3>> d >&3; cat d").expect(0, "1\nok\n2\n", "");
    if sh(at, "id -u").stdout == b"0\n" && has("setpriv") {
        // Root keeps owner and group. Another user cannot write an unwritable file, or create a file in an unwritable
        // directory.
        sh(at, "echo old > o; chown 1234:1235 o; $U -o o ok.txt; stat -c %u:%g o; cat o").expect(
            0,
            "1234:1235\nok\n",
            "",
        );
        let nobody = "cp $U ./u; chmod 755 . u; setpriv --reuid 65534 --regid 65534 --clear-groups ./u";
        sh(at, &format!("{nobody} -o bad.txt ok.txt")).expect(2, "", "utfconv: bad.txt: Permission denied");
        sh(at, &format!("{nobody} -o none ok.txt")).expect(2, "", "utfconv: none: Permission denied");
        sh(at, &format!("chmod 666 f; {nobody} -o f ok.txt && cat f")).expect(0, "ok\n", "");
        sh(at, "rm -f u");
    }
    // A file is overwritten if its directory belongs to another user, or if its owner cannot be preserved.
    if sh(at, "id -u").stdout == b"0\n" && has("setpriv") {
        let script = "mkdir -m 755 own; cp $U u; chmod 755 . u; echo longer than ok > own/f; chmod 666 own/f; \
                      setpriv --reuid 65534 --regid 65534 --clear-groups ./u -o own/f ok.txt; \
                      mkdir -m 777 all; echo longer than ok > all/f; chmod 666 all/f; \
                      setpriv --reuid 65534 --regid 65534 --clear-groups ./u -o all/f ok.txt; \
                      stat -c %u:%a all/f; cat own/f all/f; ls -A own all; rm -f u";
        sh(at, script).expect(0, "0:666\nok\nok\nall:\nf\n\nown:\nf\n", "");
    }
    let none = sh(at, "ls -A | grep utfconv-tmp");
    assert_eq!(none.stdout, b"", "nothing is left");
}

/// An output file keeps its access control lists and extended attributes, and does not get the defaults of its
/// directory.
#[test]
fn an_output_file_keeps_its_attributes() {
    if !["setfacl", "getfacl", "setfattr", "getfattr"].into_iter().all(has) {
        return;
    }
    let dir = dir();
    let at = dir.path();
    let set = "echo old > f; chmod 640 f; setfattr -n user.note -v kept f && setfacl -m u:1234:r f";
    if sh(at, set).status != 0 {
        skip("a file system with access control lists");
        return;
    }
    let show = "cat f; getfattr --only-values -n user.note f; echo; getfacl -cn f; stat -c %a f";
    let attributes = "kept\nuser::rw-\nuser:1234:r--\ngroup::r--\nmask::r--\nother::---\n\n640\n";
    sh(at, &format!("$U -o f ok.txt; {show}")).expect(0, format!("ok\n{attributes}"), "");
    sh(at, &format!("setfacl -d -m u:4321:rwx .; $U -t utf-8 -o f ok.txt; {show}")).expect(
        0,
        format!("ok\n{attributes}"),
        "",
    );
    sh(at, "echo old > g; setfacl -b g; chmod 604 g; $U -o g ok.txt; cat g; getfacl -cn g").expect(
        0,
        "ok\nuser::rw-\ngroup::---\nother::r--\n\n",
        "",
    );
    // A new file gets the default access control list of its directory.
    sh(at, "$U -o new ok.txt; getfacl -cn new | grep 4321").expect(0, "user:4321:rwx\t#effective:rw-\n", "");
}

#[test]
fn a_failing_replacement_leaves_the_old_file() {
    if !has("strace") {
        return;
    }
    let dir = dir_with(&[("ok.txt", b"ok\n"), ("out", b"good")]);
    let at = dir.path();
    for (inject, message) in [
        ("fsync:error=EIO", "utfconv: out: write error: Input/output error"),
        ("renameat:error=EIO", "utfconv: out: write error: Input/output error"),
        ("renameat:error=EXDEV", "utfconv: out: write error: Invalid cross-device link"),
        ("linkat:error=EIO", "utfconv: out: write error: Input/output error"),
        ("fchmod:error=EIO", "utfconv: out: write error: Input/output error"),
    ] {
        let ran = sh(at, &format!("strace -f -o /dev/null -e inject={inject} $U -o out ok.txt"));
        ran.expect(2, "", message);
        assert_eq!(read(at, "out"), b"good", "{inject}");
        assert_files(at, &["ok.txt", "out"]);
    }
    // Without unnamed temporary files, a named temporary file is used, and removed after a failure.
    let trace = "strace -o t $U -o out ok.txt; grep openat t | grep -n TMPFILE | cut -d: -f1; rm t; printf good > out";
    let number = String::from_utf8(sh(at, trace).stdout).expect("a number");
    let unnamed = format!("strace -f -o /dev/null -e inject=openat:error=EOPNOTSUPP:when={}", number.trim());
    sh(at, &format!("{unnamed} $U -o out bad ok.txt")).expect_part(2, "", "out: not written");
    assert_files(at, &["ok.txt", "out"]);
    sh(at, &format!("{unnamed} $U -o $PWD/out ok.txt && cat out")).expect(0, "ok\n", "");
    assert_files(at, &["ok.txt", "out"]);
}

/// Names that a rename cannot replace: a mount point of its own, as in containers, and a file in an append-only
/// directory.
#[test]
fn files_that_cannot_be_renamed_over() {
    let dir = dir();
    if has("mount") {
        let script = "echo longer than ok > b; echo old > t; mount --bind b t || { echo cannot mount; exit 0; }; \
                      $U -o t ok.txt; s=$?; umount t; cat b t; ls -A; exit $s";
        let ran = sh(dir.path(), script);
        if ran.stdout == b"cannot mount\n" {
            skip("the right to mount");
        } else {
            ran.expect(0, "ok\nold\nb\nbad.txt\nin.txt\nok.txt\nt\n", "");
        }
    }
    if has("chattr") {
        let script = "mkdir d; chattr +a d 2>/dev/null || { echo ok; exit 0; }; $U -o d/new ok.txt; chattr -a d; cat d/*; ls -A d >&2";
        let ran = sh(dir.path(), script);
        assert_eq!((ran.status, ran.stdout.as_slice()), (0, &b"ok\n"[..]), "{ran:?}");
    }
}

/// A file with several hard links is overwritten by one writer at a time. After a failure, the message names the file
/// with the content.
#[test]
fn writing_in_place() {
    let dir = dir();
    let at = dir.path();
    let script = "head -c 2000000 /dev/zero | tr '\\0' A > a; head -c 2000000 /dev/zero | tr '\\0' B > b; touch t; ln t t2; \
                  for i in $(seq 20); do $U -o t a & $U -o t b & wait; cmp -s t a || cmp -s t b || echo mixed; done";
    sh(at, script).expect(0, "", "");
    if has("strace") {
        let failing = "mkdir tmp; TMPDIR=$PWD/tmp strace -f -o /dev/null -e inject=copy_file_range:error=EIO:when=2 \
                       $U -o t a; s=$?; cmp tmp/.t.*.utfconv-tmp a && exit $s";
        let ran = sh(at, failing);
        ran.expect_part(2, "", "utfconv: t: write error: Input/output error; the file may be corrupt, but the complete new content is in ");
    }
}

/// If the disk has no room for the new file, the old file stays, also if it has hard links and must be overwritten.
#[test]
fn a_full_disk_leaves_the_old_file() {
    if !has("mount") {
        return;
    }
    let dir = dir();
    let script = "mkdir m; mount -t tmpfs -o size=64k tmpfs m || { echo cannot mount; exit 0; }; \
                  head -c 40000 in.txt > m/f; cp m/f old; [ $0 = linked ] && ln m/f m/g; \
                  TMPDIR=$PWD $U -t UTF-32 -o m/f in.txt; echo $?; cmp m/f old && ls -A m; umount m";
    for (how, files) in [("bash", "f\n"), ("linked", "f\ng\n")] {
        let ran = sh(dir.path(), &format!("rm -rf m; bash -c '{script}' {how}"));
        if ran.stdout == b"cannot mount\n" {
            skip("the right to mount");
            return;
        }
        ran.expect(0, format!("2\n{files}"), "utfconv: m/f: write error: No space left on device\n");
    }
}

#[test]
fn inputs_that_cannot_be_read() {
    let dir = dir();
    let ran = sh(dir.path(), "$U ok.txt . nofile '' ok.txt");
    let said = "utfconv: .: Is a directory; use -i -r to convert its files in place\nutfconv: nofile: No such file or directory\n\
                utfconv: '': No such file or directory\n";
    assert_eq!((ran.status, ran.stdout.as_slice(), ran.stderr.as_str()), (2, &b"ok\nok\n"[..], said));
    // The status of an I/O error overrides that of an error in the text.
    sh(dir.path(), "$U nofile bad.txt").expect_part(
        2,
        "a",
        "bad.txt:1:2: error: invalid UTF-8 (never-used byte) at byte 1",
    );
    sh(dir.path(), "$U -c nofile bad.txt").expect_part(2, "ab", "1 error");
}

#[test]
fn odd_files() {
    let dir = dir();
    let at = dir.path();
    for mapping in ["auto", "always"] {
        let ran = sh(
            at,
            &format!(
                "$U --mmap={mapping} /proc/version | cmp - /proc/version && $U --mmap={mapping} /dev/null"
            ),
        );
        ran.expect(0, "", "");
        sh(at, &format!("$U --mmap={mapping} -t UTF-16BE <(printf ab)")).expect(0, hex("00 61 00 62"), "");
        sh(at, &format!("mkfifo p; printf ab > p & $U --mmap={mapping} p; rm p")).expect(0, "ab", "");
        sh(at, &format!("$U --mmap={mapping} - - < ok.txt; ($U --mmap={mapping} -; cat) < ok.txt"))
            .expect(0, "ok\nok\n", "");
        // Files in /sys have a size but cannot be mapped.
        let sys =
            "f=$(ls /sys/kernel/mm/*/enabled /sys/kernel/profiling 2>/dev/null | head -1); [ -z $f ] ||";
        sh(at, &format!("{sys} $U --mmap={mapping} $f | cmp - $f")).expect(0, "", "");
    }
    sh(at, "printf x > ./-; printf y | $U ./- -; rm ./-").expect(0, "xy", "");
    sh(at, "printf ab | $U - -").expect(0, "ab", "");
}

#[test]
fn terminals() {
    if !has("script") {
        return;
    }
    let dir = dir();
    let at = dir.path();
    let on_terminal = |command: &str| sh(at, &format!("script -qec \"{command}\" /dev/null"));
    let refused = on_terminal("$U -t UTF-16 ok.txt");
    assert_eq!(refused.status, 2);
    assert!(String::from_utf8_lossy(&refused.stdout).contains("--force-terminal"));
    assert_eq!(on_terminal("$U -t UTF-16BE --force-terminal ok.txt").stdout, b"\0o\0k\0\r\n");
    assert_eq!(on_terminal("$U ok.txt").stdout, b"ok\r\n");
    assert!(String::from_utf8_lossy(&on_terminal("$U -l").stdout).contains(" latin1 "));
}

#[test]
fn offsets_beyond_32_bits() {
    let dir = dir_in_memory();
    let ran = sh(dir.path(), "truncate -s 5G z; printf '\\xff' >> z; $U z > /dev/null; s=$?; rm z; exit $s");
    ran.expect(1, "", "z:1:5368709121: error: invalid UTF-8 (never-used byte) at byte 5368709120: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: see 'utfconv check z' for all errors, 'utfconv inspect --errors-only z' for the bytes, \
        'utfconv detect z' for the encoding\n");
}

/// Memory does not grow with the size of the source.
#[test]
fn memory_is_flat() {
    let dir = dir();
    let peak = |megabytes: u32| -> u64 {
        let script = format!(
            "yes 'é à ü €' | head -c {megabytes}M > text; \
             python3 -c 'import os,sys; p=os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); \
             print(os.wait4(p, 0)[2].ru_maxrss)' $U -t UTF-16 text -o /dev/null; rm text"
        );
        String::from_utf8_lossy(&sh(dir.path(), &script).stdout).trim().parse().expect("kilobytes")
    };
    if !has("python3") {
        return;
    }
    // Both sizes are large enough to use all threads, whose buffers are not always in use at the same time.
    let (small, large) = (peak(10), peak(100));
    assert!(large < small + 4096 && large < 16 << 10, "{small} KiB for 10 MiB, {large} KiB for 100 MiB");
}

#[test]
fn a_truncated_character_at_the_end() {
    for (from, bytes) in [
        ("UTF-8", "E4 B8"),
        ("CESU-8", "ED A0 BD ED"),
        ("UTF-16LE", "41"),
        ("UTF-16BE", "D8 3D"),
        ("UTF-16", "FF FE 41"),
        ("UTF-32LE", "41 00 00"),
        ("UTF-32", "41"),
    ] {
        let ran = run(&["-f", from], hex(bytes));
        assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b""[..]), "{from}");
        let at = if bytes.starts_with("FF FE") { "byte 2" } else { "byte 0" };
        assert!(
            ran.stderr.contains("error: invalid ") && ran.stderr.contains(&format!(" at {at}: ")),
            "{from} {}",
            ran.stderr
        );
    }
}
