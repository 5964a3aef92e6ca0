//! Tests of the messages of a conversion in which many files fail, or which is interrupted.
#![cfg(target_os = "linux")]

use crate::harness::{dir_with, sh};

/// Ten messages of each kind are printed, and further messages are counted; `-v` prints all messages.
#[test]
fn an_error_that_many_files_have_is_grouped() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "mkdir t o; for n in $(seq -w 25); do printf 'a\\x80%s\\n' $n > t/bad$n; echo x > t/link$n; ln t/link$n o/$n; done
        for n in $(seq -w 15); do echo gone$n; done > list; echo plain > t/plain";
    sh(at, make).expect(0, "", "");
    let run =
        |options: &str| sh(at, &format!("$U {options} -i -r -f us-ascii --newline=crlf --files-from=list t"));
    let ran = run("--failed=L -j2");
    for (text, count) in [
        ("invalid US-ASCII (never-used byte)", 10),
        ("use --ill-formed=MODE to continue", 10),
        (": has another hard link; use --force to change all hard links\n", 10),
        ("No such file or directory\n", 10),
        ("utfconv: 15 more files: not converted: ill-formed; use -v to list them\n", 1),
        (
            "utfconv: 15 more files: not converted: has another hard link; use --force to change all hard links; use -v to list them\n",
            1,
        ),
        ("utfconv: 5 more files: not converted: No such file or directory; use -v to list them\n", 1),
        (
            "utfconv: 1 converted, 0 unchanged, 65 failed (25 ill-formed, 40 cannot be read or replaced); 6 bytes to 7\n",
            1,
        ),
    ] {
        assert_eq!(ran.stderr.matches(text).count(), count, "{text}: {}", ran.stderr);
    }
    assert_eq!((ran.status, ran.stderr.lines().count()), (2, 10 + 10 + 10 + 10 + 4));
    // The list of failures names all files, and `-v` prints all messages.
    sh(at, "wc -l < L").expect(0, "65\n", "");
    let ran = run("-v");
    assert_eq!(
        (
            ran.stderr.matches("invalid US-ASCII (never-used byte)").count(),
            ran.stderr.matches("more file").count()
        ),
        (25, 0)
    );
}

/// After a signal, one line reports how many files are done, and how to continue.
#[test]
fn an_interrupted_run_reports_how_to_continue() {
    for (options, advice) in [
        ("-f latin1", "use the same command again to continue"),
        (
            "-f koi8-r -t windows-1251",
            "the same command would convert those again; with --manifest=FILE, it continues",
        ),
        ("-f koi8-r -t windows-1251 --manifest=M", "use the same command again to continue"),
    ] {
        let dir = dir_with(&[]);
        let at = dir.path();
        let make = "mkdir t; for n in $(seq 2000); do printf '\\xe1\\xe9%s\\n' $n > t/$n; done";
        sh(at, make).expect(0, "", "");
        // Wait for the first line of the log, which shows that the conversion has begun.
        let script = format!(
            "bash -c 'exec $U -v -i -r -j1 {options} t' 2> log & until [ -s log ]; do :; done; kill -TERM $!; wait $!; s=$?; grep interrupted log; exit $s"
        );
        let ran = sh(at, &script);
        let said = String::from_utf8(ran.stdout).expect("UTF-8");
        let parts = said
            .strip_prefix("utfconv: interrupted: ")
            .and_then(|rest| rest.split_once(" of 2000 files are done; "));
        let (done, rest) = parts.unwrap_or_else(|| panic!("{} {said:?}", ran.status));
        assert_eq!((ran.status, rest.trim_end()), (128 + 15, advice), "{options}");
        assert!(done.parse::<u32>().is_ok_and(|done| (1..2000).contains(&done)), "{said}");
    }
}
