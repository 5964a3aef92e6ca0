//! The command line: names, usage errors, help.

use crate::harness::{dir_with, run, sh};

#[test]
fn names_in_any_case_and_with_any_separator() {
    for name in ["UTF-16LE", "utf16le", "Utf_16_LE", "UTF16-LE"] {
        run(&["-t", name], "a").expect(0, b"a\0", "");
    }
    for name in ["latin1", "ISO_8859-1", "iso8859-1", "L1", "cp819", "IBM819", "8859-1"] {
        run(&["-f", name], b"\xE9").expect(0, "é", "");
    }
    run(&["-f", "", "-t", ""], "é").expect(0, "é", "");
}

#[test]
fn an_unknown_name_is_told_apart() {
    run(&["-f", "nope"], "").expect(2, "", "'--from-code <ENC>': no such encoding");
    run(&["-t", "nope"], "").expect(2, "", "'--to-code <ENC>': no such encoding");
    run(&["-f", "UFT-8"], "").expect(2, "", "did you mean UTF-8?");
    run(&["-f", "latn1"], "").expect(2, "", "did you mean latin1?");
    // A page of another number is no misspelling.
    let ran = run(&["-f", "cp1259"], "");
    assert!(ran.status == 2 && !ran.stderr.contains("did you mean"), "{ran:?}");
}

#[test]
fn options_of_iconv() {
    let dir = dir_with(&[("a", b"\xE9"), ("b", b"\xE8"), ("-x", b"\xEA"), ("check", b"\xEB")]);
    let at = dir.path();
    for args in ["-f latin1 -t UTF-8 a b", "-flatin1 -tUTF-8 a b", "a b -f latin1", "--from-code=latin1 a b"]
    {
        sh(at, &format!("$U {args}")).expect(0, "éè", "");
    }
    sh(at, "$U --from-code latin1 --to-code utf-8 a").expect(0, "é", "");
    sh(at, "$U --from latin1 --to utf-8 a").expect(0, "é", "");
    sh(at, "$U -f ascii -f latin1 a").expect(0, "é", "");
    sh(at, "$U -csf latin1 a").expect(0, "é", "");
    sh(at, "$U -f latin1 -- -x").expect(0, "ê", "");
    sh(at, "$U -f latin1 ./-x ./check").expect(0, "êë", "");
    sh(at, "$U -f latin1 -o -y a && cat ./-y").expect(0, "é", "");
    sh(at, "printf '\\xe9' | $U -f latin1 a - b -").expect(0, "ééè", "");
    sh(at, "$U -f latin1 -o out a && $U out && $U -f latin1 -o - b").expect(0, "éè", "");
    sh(at, "$U --verbose -f latin1 a").expect(0, "é", "utfconv: a: converting\n");
}

#[test]
fn usage_errors() {
    let dir = dir_with(&[]);
    for (args, text) in [
        (&["--nonsense"][..], "unexpected argument '--nonsense'"),
        (&["-Z"], "unexpected argument '-Z'"),
        (&["-f"], "a value is required for '--from-code <ENC>'"),
        (&["--max-faults=many"], "invalid value 'many' for '--max-faults <N>'"),
        (&["--input-bom=maybe"], "possible values: auto, keep, strip, text, forbid, require, sniff"),
        (&["check"], "the command 'check' is not in this version"),
        (&["list", "all"], "list takes no argument"),
    ] {
        let ran = run(args, "");
        ran.expect(2, "", text);
        assert!(ran.stderr.starts_with("utfconv: "), "{ran:?}");
    }
    // A word that is a command only counts as one in the first place.
    sh(dir.path(), "$U -f UTF-8 check").expect(2, "", "utfconv: check: No such file or directory");
}

#[test]
fn help_version_and_list() {
    let help = run(&["--help"], "");
    assert_eq!((help.status, help.stderr.as_str()), (0, ""));
    let text = String::from_utf8(help.stdout).expect("text");
    for option in ["--from-code", "--ill-formed", "--input-bom", "--output", "--mmap", "Exit status"] {
        assert!(text.contains(option), "{option}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "fits a terminal");
    run(&["--version"], "").expect(0, concat!("utfconv ", env!("CARGO_PKG_VERSION"), "\n"), "");
    let names: String = utfconv::Encoding::all().map(|encoding| format!("{}\n", encoding.name())).collect();
    run(&["-l"], "").expect(0, &names, "");
    run(&["list"], "").expect(0, &names, "");
}
