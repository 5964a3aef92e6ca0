//! Tests of declarations: `check --rule declaration`, `--declaration`, and what programs that obey declarations read
//! before and after a conversion.

use std::fs;
use std::path::Path;

use utfconv_core::Encoding;
use utfconv_declare::Kind;

use crate::check::assert_ran;
use crate::harness::{Ran, dir_with, has, run, sh};

/// A Python file in ISO-8859-1 that declares its encoding.
const LATIN: &[u8] = b"# -*- coding: latin-1-unix -*-\ntext = '\xE9'\n";
/// [`LATIN`] converted to UTF-8, with the declaration updated.
const UTF_8: &str = "# -*- coding: utf-8-unix -*-\ntext = 'é'\n";

/// Summary of `check` for one error.
const ONE_ERROR: &str = "utfconv: 1 error in 1 of 1 file\n";

/// Summary of `check` for two errors.
const TWO_ERRORS: &str = "utfconv: 2 errors in 1 of 1 file\n";

/// Returns the text in UTF-8 with a wrong declaration.
fn wrong() -> String {
    UTF_8.replace("utf-8", "latin-1")
}

#[test]
fn keep_is_the_default_and_warns_in_files() {
    let dir = dir_with(&[("a.py", LATIN)]);
    let at = dir.path();
    let warning = "utfconv: a.py: warning: declares latin-1 (Python comment), but the output is UTF-8; \
        use --declaration=update to rewrite it\n";
    for option in ["", "--declaration=keep"] {
        // Output to a pipe gets no warning, but standard output redirected to a file does.
        assert_ran(&sh(at, &format!("$U -f latin1 {option} a.py")), 0, &wrong(), "");
        assert_ran(&sh(at, &format!("$U -f latin1 {option} a.py > b.py; cat b.py")), 0, &wrong(), warning);
        assert_ran(&sh(at, &format!("$U -f latin1 {option} --count-output a.py > b.py")), 0, "", "");
        assert_ran(&sh(at, &format!("$U -s -f latin1 {option} a.py > b.py")), 0, "", "");
        assert_ran(&sh(at, &format!("$U -f latin1 {option} -o b.py a.py; cat b.py")), 0, &wrong(), warning);
        assert_ran(
            &sh(at, &format!("$U -f latin1 {option} --output-dir out a.py; cat out/a.py")),
            0,
            &wrong(),
            warning,
        );
        assert_ran(&sh(at, &format!("$U -s -f latin1 {option} -o b.py a.py")), 0, "", "");
    }
    assert_ran(
        &sh(at, "cp a.py c.py; $U -i -f latin1 c.py; cat c.py"),
        0,
        &wrong(),
        "utfconv: c.py: warning: declares latin-1 (Python comment), but the file is UTF-8; \
            use 'utfconv -i -f UTF-8 --declaration=update c.py' to rewrite it\n",
    );
    // After a dry run the warning suggests no command for the converted file, because nothing was written.
    let dry = sh(at, "$U -i -f latin1 --dry-run a.py");
    assert_ran(&dry, 0, "a.py: would be converted from ISO-8859-1 to UTF-8, 42 to 43 bytes\n", warning);
    let diff = sh(at, "$U -i -f latin1 --diff a.py > patch");
    assert_eq!((diff.status, diff.stderr.starts_with(warning)), (1, true), "{}", diff.stderr);
    let updated = "a.py: would be converted from ISO-8859-1 to UTF-8, 42 to 41 bytes\n";
    let ran = sh(at, "$U -i -f latin1 --declaration=update --dry-run a.py 2> log; grep -c declares log");
    assert_ran(&ran, 1, &format!("{updated}0\n"), "");
    // There is no warning if the declaration is right or the text is ASCII, and none with `--iconv`.
    assert_ran(&sh(at, "$U -f latin1 -t latin1 -o b.py a.py; cmp a.py b.py"), 0, "", "");
    assert_ran(&sh(at, "printf '# coding: latin-1\\n' > d.py; $U -f latin1 -o b.py d.py"), 0, "", "");
    assert_ran(&sh(at, "$U --iconv -f latin1 -t utf-8 -o b.py a.py"), 0, "", "");
    assert_ran(&sh(at, "$U --iconv -f latin1 -t utf-8 a.py > b.py"), 0, "", "");
}

#[test]
fn update_replaces_the_name_and_nothing_else() {
    let dir = dir_with(&[("a.py", LATIN)]);
    let at = dir.path();
    let update = "$U -f latin1 --declaration=update";
    assert_ran(&sh(at, &format!("{update} a.py")), 0, UTF_8, "");
    assert_ran(&sh(at, &format!("{update} < a.py")), 0, &wrong().replace("latin-1", "utf-8"), "");
    assert_ran(&sh(at, &format!("{update} --count-output a.py")), 0, &format!("{}\n", UTF_8.len()), "");
    assert_ran(&sh(at, &format!("{update} -o b.py a.py; cat b.py")), 0, UTF_8, "");
    assert_ran(&sh(at, &format!("{update} --output-dir out --verify a.py; cat out/a.py")), 0, UTF_8, "");
    assert_ran(&sh(at, &format!("{update} a.py a.py")), 0, &UTF_8.repeat(2), "");
    assert_ran(&sh(at, &format!("{update} --dry-run -i a.py | wc -l; cat a.py | wc -c")), 0, "1\n42\n", "");
    assert_ran(&sh(at, &format!("cp a.py c.py; {update} -i --verify c.py; cat c.py")), 0, UTF_8, "");
    // The file is UTF-8 already, but declares its old encoding.
    fs::write(at.join("d.py"), wrong()).expect("writes");
    assert_ran(&sh(at, &format!("{update} -i d.py; cat d.py")), 0, UTF_8, "");
    assert_ran(
        &sh(at, &format!("{update} -i d.py; cat d.py")),
        0,
        UTF_8,
        "utfconv: d.py: skipped: already UTF-8\n",
    );
    // If an error stops the conversion, the buffered start is still written.
    let bytes = [&LATIN[..31], b"\xFF"].concat();
    fs::write(at.join("e.py"), bytes).expect("writes");
    let ran = sh(at, "$U --declaration=update e.py -t latin2");
    let error = "e.py:2:1: error: invalid UTF-8 (never-used byte) at byte 31: FF never appears in UTF-8\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n\
        utfconv: the text fits ISO-8859-2, the output encoding: did you swap -f and -t? see 'utfconv check e.py' for all errors, 'utfconv inspect --errors-only e.py' for the bytes, \
        'utfconv detect e.py' for the encoding\n";
    assert_ran(&ran, 1, "# -*- coding: iso-8859-2-unix -*-\n", error);
}

#[test]
fn what_cannot_be_updated_is_kept_with_a_warning() {
    let dir = dir_with(&[("a.html", b"<meta charset=latin1>\xE9"), ("a.svg", b"<a/>"), ("a.py", LATIN)]);
    let at = dir.path();
    let ran = sh(at, "$U -f latin1 -t UTF-16LE --declaration=update -o b a.html; $U -f UTF-16LE b");
    let warning = "utfconv: a.html: warning: declares latin1 (HTML meta element), but the output is UTF-16LE, \
        which such a declaration cannot name\n";
    assert_ran(&ran, 0, "<meta charset=latin1>é", warning);
    let ran = sh(at, "$U -t MUTF-8 --declaration=update a.svg");
    let warning =
        "utfconv: a.svg: warning: needs a declaration of MUTF-8 (XML declaration), which cannot name it\n";
    assert_ran(&ran, 0, "<a/>", warning);
    // `--declaration=update` would have no effect, so it is not suggested.
    let ran = sh(at, "$U -f latin1 -t MUTF-8 -o b a.py");
    let warning = "utfconv: a.py: warning: declares latin-1 (Python comment), but the output is MUTF-8, \
        which such a declaration cannot name\n";
    assert_ran(&ran, 0, "", warning);
    // The declaration is found in a UTF-7 file.
    let ran =
        sh(at, "$U -f latin1 -t UTF-7 --declaration=update -o b.py a.py; $U -f UTF-7 -o c.py b.py; cat c.py");
    let utf_7 = warning.replace("MUTF-8", "UTF-7");
    let back = "utfconv: b.py: warning: declares latin-1 (Python comment), but the output is UTF-8; \
        use --declaration=update to rewrite it\n";
    assert_ran(&ran, 0, &wrong(), &(utf_7.clone() + back));
    assert_ran(&sh(at, "$U -f latin1 -t UTF-7 -o b.py a.py"), 0, "", &utf_7);
    let ran = sh(at, "$U -t UTF-16LE -o b a.svg");
    let warning = "utfconv: a.svg: warning: needs a declaration of UTF-16LE (XML declaration); \
        use --declaration=update to insert it\n";
    assert_ran(&ran, 0, "", warning);
    assert_ran(&sh(at, "$U -t latin1 -o b a.svg"), 0, "", "");
    run(&["--declaration=update", "--range=0:1", "x"], "").expect(
        2,
        "",
        "--declaration=update works on whole files, not on ranges",
    );
    run(&["--declaration=change", "x"], "").expect(
        2,
        "",
        "invalid value 'change' for '--declaration <MODE>' [possible values: keep, update] (see --help)",
    );
}

#[test]
fn false_declarations_are_reported_where_nothing_is_converted() {
    // Contains enough non-ASCII characters to detect UTF-8 with certainty.
    let [wrong, right] = [wrong(), UTF_8.to_string()].map(|text| text.replace('é', "é, été, être"));
    let dir = dir_with(&[("a.py", wrong.as_bytes()), ("b.py", right.as_bytes())]);
    let at = dir.path();
    let warning = "utfconv: a.py: warning: declares latin-1 (Python comment), but the file is UTF-8; \
        use 'utfconv -i -f UTF-8 --declaration=update a.py' to rewrite it\n";
    let skipped = "utfconv: a.py: skipped: already UTF-8\n";
    let unchanged = "utfconv: a.py: unchanged\n";
    for (options, end) in [("-f latin1", skipped), ("-f UTF-8", unchanged), ("-f auto", unchanged)] {
        let ran = sh(at, &format!("$U -i {options} a.py; cat a.py"));
        assert_ran(&ran, 0, &wrong, &format!("{warning}{end}"));
        let ran = sh(at, &format!("$U -i {options} --dry-run a.py 2>&1 | head -1"));
        assert_ran(&ran, 0, warning, "");
        assert_ran(&sh(at, &format!("$U -s -i {options} a.py")), 0, "", "");
        let ran = sh(at, &format!("$U -i {options} b.py"));
        assert_ran(&ran, 0, "", &end.replace("a.py", "b.py"));
        let ran = sh(at, &format!("cp a.py c.py; $U -i {options} --declaration=update c.py; cat c.py"));
        assert_ran(&ran, 0, &right, "");
    }
    // Each of several files gets its own warning.
    let ran = sh(at, "$U -i -f latin1 a.py b.py; cat a.py b.py");
    let all = format!("{warning}utfconv: 0 converted, 0 unchanged, 0 failed, 2 already converted\n");
    assert_ran(&ran, 0, &(wrong + &right), &all);
}

/// The file was converted without its declaration, and has too little text to detect UTF-8 with certainty.
#[test]
fn a_converted_file_with_its_old_declaration_gets_advice() {
    let text = "<?xml version='1.0' encoding='ISO-8859-1'?>\n<a>é</a>\n";
    let dir = dir_with(&[("a.xml", text.as_bytes())]);
    let at = dir.path();
    let command = "utfconv -i -f UTF-8 --declaration=update a.xml";
    let error = format!(
        "utfconv: a.xml: not converted: it looks like UTF-8 (well-formed, 1 sequence), but the file declares ISO-8859-1 \
         (XML declaration); use -f to name the right encoding, or '{command}' to correct the declaration\n"
    );
    for call in ["-f auto", "-i -f auto"] {
        assert_ran(&sh(at, &format!("$U {call} a.xml")), 1, "", &error);
    }
    let said = "utfconv: -: not converted: it looks like UTF-8 (well-formed, 1 sequence), but the file declares ISO-8859-1 \
                (XML declaration); use -f to name the right encoding, or --min-certainty=guess to use UTF-8\n";
    assert_ran(&sh(at, "$U -f auto < a.xml"), 1, "", said);
    let ran = sh(at, &format!("utfconv() {{ $U \"$@\"; }}; {command}; cat a.xml"));
    assert_ran(&ran, 0, &text.replace("ISO-8859-1", "UTF-8"), "");
}

#[test]
fn a_declaration_that_reads_the_same_text_is_no_error() {
    let windows = LATIN.iter().map(|byte| if *byte == 0xE9 { 0x80 } else { *byte }).collect::<Vec<_>>();
    let dir = dir_with(&[("a.py", LATIN), ("b.py", b"# coding: latin-1\n"), ("c.py", &windows)]);
    let at = dir.path();
    // The text has the same bytes in the declared encoding and the output encoding.
    for option in ["", "--reconvert"] {
        let again = format!("cp a.py d.py; $U -i {option} -f latin1 -t windows-1252 d.py; cmp a.py d.py");
        assert_ran(&sh(at, &again), 0, "", "utfconv: d.py: unchanged\n");
    }
    assert_ran(&sh(at, "$U -f latin1 -t windows-1252 -o d.py a.py; cmp a.py d.py"), 0, "", "");
    assert_ran(&sh(at, "$U -f latin1 -t CESU-8 --declaration=update -o d.py b.py; cmp b.py d.py"), 0, "", "");
    // Byte 80 is a different character in the declared encoding.
    let warning = "utfconv: c.py: warning: declares latin-1 (Python comment), but the output is windows-1252; \
        use --declaration=update to rewrite it\n";
    assert_ran(&sh(at, "$U -f windows-1252 -t windows-1252 -o d.py c.py; cmp c.py d.py"), 0, "", warning);
}

/// Runs `check --rule declaration` on a file with this name and content.
fn checked(name: &str, text: &[u8], options: &str) -> Ran {
    let dir = dir_with(&[(name, text)]);
    sh(dir.path(), &format!("$U check --rule declaration {options} {name}"))
}

#[test]
fn check_reports_contradictions() {
    let report = "a.py:1:15: error: wrong declaration at byte 14: declares latin-1 (Python comment), but the file is UTF-8; correct it with 'utfconv -i -f UTF-8 --declaration=update a.py' [declaration]\n";
    let utf_8 = wrong();
    let is = |ran: &Ran, line: &str| {
        let (status, summary) = if line.is_empty() { (0, "") } else { (1, ONE_ERROR) };
        assert_ran(ran, status, line, summary);
    };
    is(&checked("a.py", utf_8.as_bytes(), ""), report);
    is(&checked("a.py", UTF_8.as_bytes(), ""), "");
    // A file name ending in .txt follows another convention for declarations.
    is(
        &checked("a.txt", utf_8.as_bytes(), ""),
        &report.replace("a.py", "a.txt").replace("Python comment", "Emacs coding"),
    );
    is(&checked("a.txt", utf_8.replace("-*-", "").as_bytes(), ""), "");
    // ASCII text contradicts no declaration, unless another encoding is required.
    let ascii = utf_8.replace('é', "e");
    is(&checked("a.py", ascii.as_bytes(), ""), "");
    let required = report.replace("but the file is UTF-8", "but UTF-8 is required");
    is(&checked("a.py", ascii.as_bytes(), "-f UTF-8"), &required);
    is(&checked("a.py", LATIN, "-f latin1"), "");
    let required = required
        .replace("but UTF-8", "but windows-1252")
        .replace("-f UTF-8 --declaration=update", "-f windows-1252 --declaration=update -t windows-1252");
    is(&checked("a.py", LATIN, "-f windows-1252"), &required);
    // A name of no encoding is an error. A name that is unknown only to utfconv is accepted if the text is ASCII.
    let unknown = report
        .replace("latin-1", "lattin-1")
        .replace("but the file is UTF-8", "which is not a known encoding");
    is(&checked("a.py", ascii.replace("latin", "lattin").as_bytes(), ""), &unknown);
    is(&checked("a.py", ascii.replace("latin-1-unix", "us-dk").as_bytes(), ""), "");
}

#[test]
fn check_takes_the_encoding_of_the_configuration() {
    let dir = dir_with(&[
        ("a.py", b"# coding: latin-1\n"),
        (".editorconfig", b"root = true\n[*]\ncharset = utf-8\n"),
    ]);
    let line = "a.py:1:11: error: wrong declaration at byte 10: declares latin-1 (Python comment), but UTF-8 is required; correct it with 'utfconv -i -f UTF-8 --declaration=update a.py' [declaration]\n";
    assert_ran(&sh(dir.path(), "$U check --rule declaration"), 1, line, ONE_ERROR);
    assert_ran(&sh(dir.path(), "$U check --rule all --allow declaration"), 0, "", "");
}

#[test]
fn check_finds_positions_in_long_files_and_in_other_encodings() {
    let text = format!("# vim:fenc=latin1\né{}\n\té\n/* vim: set fenc=latin1: */\n", "x\n".repeat(100_000));
    let lines = "a.c:1:12: error: wrong declaration at byte 11: declares latin1 (Vim modeline), but the file is UTF-8; correct it with 'utfconv -i -f UTF-8 --declaration=update a.c' [declaration]\n\
        a.c:100004:18: error: wrong declaration at byte 200042: declares latin1 (Vim modeline), but the file is UTF-8; correct it with 'utfconv -i -f UTF-8 --declaration=update a.c' [declaration]\n";
    assert_ran(&checked("a.c", text.as_bytes(), ""), 1, lines, TWO_ERRORS);
    let dir = dir_with(&[("a.c", text.as_bytes())]);
    let ran = sh(dir.path(), "$U -t UTF-16 -o b.c a.c; $U check -f UTF-16 --rule declaration b.c");
    let lines = "b.c:1:12: error: wrong declaration at byte 24: declares latin1 (Vim modeline), but UTF-16 is required; correct it with 'utfconv -i -f UTF-16 --declaration=update -t UTF-16 b.c' [declaration]\n\
        b.c:100004:18: error: wrong declaration at byte 400082: declares latin1 (Vim modeline), but UTF-16 is required; correct it with 'utfconv -i -f UTF-16 --declaration=update -t UTF-16 b.c' [declaration]\n";
    let warning = "utfconv: a.c: warning: declares latin1 (Vim modeline), but the output is UTF-16; \
        use --declaration=update to rewrite it\n";
    let warning = warning.replace("modeline)", "modeline) 2 times");
    assert_ran(&ran, 1, lines, &(warning + TWO_ERRORS));
    // The end of a pipe is not read in advance, so only the declaration at the start is found.
    let long = "(cat a.c; head -c 9000000 /dev/zero | tr '\\0' x; cat a.c)";
    let ran = sh(dir.path(), &format!("{long} | $U check --rule declaration -"));
    let line = "-:1:12: error: wrong declaration at byte 11: declares latin1 (Vim modeline), but the file is UTF-8; correct it with 'utfconv -f UTF-8 --declaration=update' [declaration]\n";
    assert_ran(&ran, 1, line, ONE_ERROR);
}

/// Encodings that the test texts can be converted from and to.
const PAGES: &[&str] = &["UTF-8", "ISO-8859-1", "ISO-8859-15", "windows-1252", "IBM850", "macintosh"];

/// For each pair of different encodings, creates a directory with the file `name` in the first encoding, `from`, and
/// its conversion `new/name` to the second encoding with updated declarations. Then runs `check` there. Returns the
/// number of pairs.
fn for_each_pair(
    encodings: &[&str],
    name: &str,
    text: impl Fn(&str) -> String,
    check: impl Fn(&Path, &str),
) -> usize {
    let mut count = 0;
    for from in encodings {
        for to in encodings.iter().filter(|to| *to != from) {
            let dir = dir_with(&[("utf-8", text(from).as_bytes())]);
            let ran = sh(
                dir.path(),
                &format!(
                    "$U -t {from} -o {name} utf-8 && $U -f {from} -t {to} --verify --declaration=update --output-dir new {name}"
                ),
            );
            assert_ran(&ran, 0, "", "");
            check(dir.path(), &format!("{from} to {to}"));
            count += 1;
        }
    }
    count
}

/// Runs the peer on two files, and asserts that it answers and that both answers are equal.
#[track_caller]
fn assert_same_by_peer(at: &Path, what: &str, old: &str, new: &str, pair: &str) {
    fs::write(at.join("peer.py"), include_bytes!("declarations_peer.py")).expect("writes");
    let ran = sh(at, &format!("python3 peer.py {what} {old} {new}"));
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{pair}");
    let text = String::from_utf8(ran.stdout).expect("ASCII");
    let answers: Vec<_> =
        text.lines().filter_map(|line| line.split_once(' ')).map(|(_, answer)| answer).collect();
    assert!(answers.len() == 2 && answers[0] == answers[1] && answers[0].len() > 4, "{pair}: {answers:?}");
}

#[test]
fn python_compiles_the_same_before_and_after() {
    if !has("python3") {
        return;
    }
    let label = |name: &str| Kind::Python.label(Encoding::for_name(name).expect("a name")).expect("a label");
    let text =
        |from: &str| format!("#!/usr/bin/python3\n# -*- coding: {} -*-\ntext = 'é ß ä ü'\n", label(from));
    let count = for_each_pair(PAGES, "a.py", text, |at, pair| {
        assert_same_by_peer(at, "value", "a.py", "new/a.py", pair);
    });
    assert_eq!(count, 30);
}

#[test]
fn names_for_python_are_those_of_python() {
    if !has("python3") {
        return;
    }
    let labels: Vec<_> = Encoding::all().filter_map(|encoding| Kind::Python.label(encoding)).collect();
    let dir = dir_with(&[("peer.py", include_bytes!("declarations_peer.py"))]);
    let ran = sh(dir.path(), &format!("python3 peer.py names {}", labels.join(" ")));
    let expected: String = labels.iter().map(|label| format!("{label} True\n")).collect();
    assert_ran(&ran, 0, &expected, "");
    assert!(labels.len() > 60);
}

/// Random combinations contain comments that CPython accepts as a declaration, and comments that it rejects.
#[test]
fn the_comment_is_found_as_by_cpython() {
    if !has("python3") {
        return;
    }
    let starts = ["", " ", "\t\x0C", "x = 1 ", "#!", "x\x0C"];
    let comments = ["#", "# x ", "# x coding ", "", "# encoding; "];
    let words =
        ["coding:", "coding=", "coding :", "Coding:", "encoding: ", "fileencoding=\t", "codingcoding:"];
    let names = ["iso-8859-15", "iso8859_15", "latin-9", "", "'latin-9'", "l9.", "iso-8859-15-unix"];
    let mut texts: Vec<String> = Vec::new();
    let each = |i: usize, list: &[&'static str]| list[i % list.len()];
    for i in 0..1470 {
        let line =
            [each(i, &starts), each(i / 6, &comments), each(i / 30, &words), each(i / 210, &names)].concat();
        texts.push(format!("{line}\nx = 2\n"));
        texts.push(format!("\n{line}\n"));
        texts.push(format!("# x\r\n{line}\r\n"));
        texts.push(format!("y = 1\n{line}\n"));
        texts.push(format!("{line}\n# coding: iso-8859-15\n"));
    }
    let dir = dir_with(&[("peer.py", include_bytes!("declarations_peer.py"))]);
    let at = dir.path();
    for (number, text) in texts.iter().enumerate() {
        fs::write(at.join(format!("{number:04}.py")), text).expect("writes");
    }
    let ran = sh(at, "python3 peer.py cookies [0-9]*.py");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let expected = String::from_utf8(ran.stdout).expect("ASCII");
    let ran = sh(at, "$U check -f UTF-8 --rule declaration [0-9]*.py");
    let report = String::from_utf8(ran.stdout).expect("UTF-8");
    let (mut found, mut none) = (0, 0);
    for ((line, number), text) in expected.lines().zip(0..).zip(&texts) {
        let name = format!("{number:04}.py:");
        let lines: Vec<_> = report.lines().filter(|line| line.starts_with(&name)).collect();
        let is_found = lines.iter().any(|line| line.contains("(Python comment)"));
        let (_, answer) = line.split_once(' ').expect("an answer");
        match answer {
            "none" => none += 1,
            "error" => continue,
            _ => found += 1,
        }
        assert_eq!(is_found, answer != "none", "{text:?}: {answer}: {lines:?}");
    }
    assert!(found > 1000 && none > 1000, "{found} {none}");
}

#[test]
fn msgfmt_reads_the_same_before_and_after() {
    if !has("msgfmt") || !has("python3") {
        return;
    }
    let label = |name: &str| Kind::Po.label(Encoding::for_name(name).expect("a name")).expect("a label");
    let text = |from: &str| {
        format!(
            "# x\nmsgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"MIME-Version: 1.0\\n\"\n\
            \"Content-Type: text/plain; charset={}\\n\"\n\n#: x\nmsgid \"a\"\nmsgstr \"é ß ä ü\"\n",
            label(from)
        )
    };
    let pages: Vec<_> = PAGES.iter().copied().filter(|page| *page != "macintosh").collect();
    let count = for_each_pair(&pages, "a.po", text, |at, pair| {
        let ran = sh(at, "msgfmt -o a.mo a.po && msgfmt -o new/a.mo new/a.po");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{pair}");
        assert_same_by_peer(at, "catalog", "a.mo", "new/a.mo", pair);
    });
    assert_eq!(count, 20);
    let dir = dir_with(&[]);
    let mut known = 0;
    for encoding in Encoding::all() {
        let Some(label) = Kind::Po.label(encoding) else { continue };
        let text = format!("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset={label}\\n\"\n");
        fs::write(dir.path().join("a.po"), text).expect("writes");
        let ran = sh(dir.path(), "msgfmt -o a.mo a.po");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{label}");
        known += 1;
    }
    assert!(known > 35);
}

#[test]
fn xmllint_reads_the_same_before_and_after() {
    if !has("xmllint") {
        return;
    }
    let encodings = ["UTF-8", "UTF-16", "UTF-16LE", "ISO-8859-1", "ISO-8859-15", "windows-1252", "IBM037"];
    let canonical = |at: &Path, name: &str| {
        let ran = sh(at, &format!("xmllint --c14n {name}"));
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{name}");
        assert!(ran.stdout.len() > 10, "{:?}", String::from_utf8_lossy(&ran.stdout));
        ran.stdout
    };
    let declared = |from: &str| {
        let label = Kind::Xml.label(Encoding::for_name(from).expect("a name")).expect("a label");
        format!("<?xml version=\"1.0\" encoding='{label}' standalone=\"yes\"?>\n<a b='é'>ß<!-- ä --></a>\n")
    };
    let same = |at: &Path, pair: &str| {
        assert_eq!(canonical(at, "a.xml"), canonical(at, "new/a.xml"), "{pair}");
    };
    let mut count = for_each_pair(&encodings, "a.xml", declared, same);
    // xmllint reads these texts without a declaration as UTF-8. After a conversion they need one.
    for undeclared in ["<a b='é'>ß</a>\n", "<?xml version='1.0'?><a b='é'>ß</a>\n"] {
        for to in &encodings[1..] {
            let dir = dir_with(&[("a.xml", undeclared.as_bytes())]);
            let ran =
                sh(dir.path(), &format!("$U -t {to} --declaration=update --verify --output-dir new a.xml"));
            assert_ran(&ran, 0, "", "");
            same(dir.path(), to);
            count += 1;
        }
    }
    assert_eq!(count, 54);
}

#[test]
fn detection_takes_declarations_as_evidence() {
    let english = "<?xml version='1.0' encoding='IBM037'?><a>text</a>";
    let ebcdic = run(&["-t", "IBM037"], english).stdout;
    let dir = dir_with(&[
        ("a.py", b"# coding: latin-1\nx = 'caf\xE9'\n"),
        ("b.py", b"# coding: cp1250\nx = 'caf\xE9'\n"),
        ("c.html", b"<meta charset=iso-8859-2><p>Za\xBF\xF3\xB3\xE6 g\xEA\xB6l\xB1 ja\xBC\xF1"),
        ("d.xml", &ebcdic),
        ("e.c", b"x = 'caf\xE9'; /* Verf\xFCgung, gen\xFCgen, sch\xF6n */\n/* vim:fenc=latin1 */\n"),
        ("f.py", "# coding: latin-1\nx = 'café, été, être'\n".as_bytes()),
        ("g.py", b"# coding: utf-8\nx = 'caf\xE9, d\xE9j\xE0 vu, cr\xE8me br\xFBl\xE9e'\n"),
        ("h.py", b"# coding: latin-1\nx = 1\n"),
    ]);
    let at = dir.path();
    let ran = sh(at, "$U detect *");
    let report = String::from_utf8(ran.stdout).expect("UTF-8");
    let starts = [
        "a.py: ISO-8859-1 (certain: it is declared, and ",
        "b.py: windows-1250 (certain: it is declared, and ",
        "c.html: ISO-8859-2 (certain: it is declared, and ",
        "d.xml: IBM037 (certain: an XML declaration in EBCDIC, which names it)",
        "e.c: ISO-8859-1 (certain: it is declared, and ",
        "f.py: UTF-8 (certain: well-formed, 4 sequences, but the file declares latin-1 (Python comment))",
        "g.py: windows-1252 (likely: ",
        "h.py: US-ASCII (certain: all bytes are ASCII)",
    ];
    for (line, start) in report.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(report.contains(", but the file declares utf-8 (Python comment))\n"), "{report}");
    assert_eq!((ran.status, ran.stderr.as_str(), report.lines().count()), (0, "", starts.len()));
    // A file whose declaration contradicts the text is not converted without proof.
    let ran = sh(
        at,
        "$U -i -f auto --declaration=update --exclude '*.c' *.py c.html d.xml; cat a.py b.py c.html d.xml",
    );
    let text = "# coding: utf-8\nx = 'café'\n".repeat(2)
        + "<meta charset=utf-8><p>Zażółć gęślą jaźń"
        + &english.replace("IBM037", "UTF-8");
    assert_eq!(String::from_utf8(ran.stdout).expect("UTF-8"), text);
    let error = ran.stderr.lines().find(|line| line.starts_with("utfconv: g.py: ")).expect("an error");
    let (start, end) = (
        "utfconv: g.py: not converted: it looks like windows-1252 (",
        "), but the file declares utf-8 (Python comment); use -f to name the right encoding, \
            or --min-certainty=guess to use windows-1252",
    );
    assert!(error.starts_with(start) && error.ends_with(end), "{error}");
    let warning = "utfconv: f.py: warning: declares latin-1";
    assert!(!ran.stderr.contains(warning), "it was updated: {}", ran.stderr);
    assert_ran(&sh(at, "cat f.py"), 0, "# coding: utf-8\nx = 'café, été, être'\n", "");
}
