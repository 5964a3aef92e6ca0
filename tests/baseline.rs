//! Tests of baselines of `check`: only new errors are reported, and known errors that are gone are counted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::{command, dir_with, has, sh};
use crate::random::generator;

/// Returns the errors of a JSON report, each as file, line, bytes and rule, and the summary.
fn errors(report: &[u8]) -> (Vec<(String, u64, String, String)>, serde_json::Value) {
    let lines: Vec<serde_json::Value> =
        report.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let errors = lines.iter().filter(|line| line["type"] == "error").map(|line| {
        let line_number = line["line"].as_u64().expect("a line");
        (line["path"].to_string(), line_number, text(&line["bytes"]), text(&line["rule"]))
    });
    (errors.collect(), lines.last().expect("a summary").clone())
}

fn check(at: &Path, options: &str) -> (Vec<(String, u64, String, String)>, serde_json::Value) {
    let ran = sh(at, &format!("$U check --max-errors=0 --max-total=0 --format=json {options} tree"));
    assert!(ran.status < 2, "{}", ran.stderr);
    errors(&ran.stdout)
}

/// Splits a file into lines, each with its newline.
fn lines(path: &Path) -> Vec<Vec<u8>> {
    fs::read(path).expect("reads").split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

/// Test texts that do not change when the documentation changes.
const TEXTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/utfconv-core/tests/data");

/// Makes 50 edits in turn, ten of each kind, to a tree of damaged text. `check` must report exactly the new errors,
/// whether or not files were renamed, and count exactly the removed errors as gone.
#[test]
fn exactly_the_new_errors_after_fifty_edits() {
    if !has("python3") {
        return;
    }
    let dir = dir_with(&[]);
    let at = dir.path();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/tree.py");
    let made = command("python3")
        .arg("-B")
        .arg(script)
        .args(["--files", "2500", "--megabytes", "14", "--sources", TEXTS, "tree"])
        .current_dir(at)
        .output();
    let made = made.expect("python runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let rules = "--rule bom=forbid,final-newline,control,mixed-newlines";
    let (before, _) = check(at, rules);
    assert!(before.len() > 300, "{}", before.len());
    sh(at, &format!("$U check {rules} --write-baseline base tree")).expect(
        0,
        "",
        "base: recorded 9016 errors in 2145 files; use --baseline=base to report only new ones",
    );
    let (none, summary) = check(at, &format!("{rules} --baseline base"));
    assert_eq!(
        (none, &summary["baseline"]["known"], &summary["baseline"]["gone"]),
        (vec![], &before.len().into(), &0.into())
    );

    // Number of errors on each line of each file.
    let mut of_lines: BTreeMap<PathBuf, BTreeMap<u64, u64>> = BTreeMap::new();
    let mut about_files = BTreeMap::new();
    for (path, line, _, rule) in &before {
        let path: serde_json::Value = serde_json::from_str(path).expect("JSON");
        let Some(name) = path["text"].as_str() else { continue };
        match rule.as_str() {
            "ill-formed" | "control" => {
                *of_lines.entry(at.join(name)).or_default().entry(*line).or_default() += 1
            }
            _ => *about_files.entry(at.join(name)).or_insert(0) += 1,
        }
    }
    // A file with a NUL in its first 8 KiB is binary, so skip files in which a NUL might move there.
    let is_text = |path: &Path| !path.to_string_lossy().contains("late-nul") && lines(path).len() > 6;
    let mut files: Vec<_> = of_lines.into_iter().filter(|(path, _)| is_text(path)).collect();
    assert!(files.len() >= 50, "{}", files.len());
    let mut random = generator();
    let (mut added, mut gone) = (0, 0);
    for edit in 0..50 {
        let at = random(files.len() as u64) as usize;
        let (path, errors) = files.swap_remove(at);
        let mut text = lines(&path);
        // Exclude the last line, which may have no newline, and the first line, which may have a BOM.
        let inner: Vec<u64> =
            errors.keys().copied().filter(|line| *line > 1 && *line < text.len() as u64).collect();
        let marked = format!("new {edit} \u{1}\n").into_bytes();
        match (edit % 5, inner.first()) {
            // Edit 0: insert a line at the top, and move a line with an error to the end.
            (0, Some(line)) => {
                let moved = text.remove(*line as usize - 1);
                text.insert(text.len() - 1, moved);
                text.insert(1, b"inserted\n".to_vec());
            }
            (1, _) => {
                text.insert(text.len() / 2, marked);
                added += 1;
            }
            (2, Some(line)) => {
                text.remove(*line as usize - 1);
                gone += errors[line];
            }
            // Edit 3: rename the file and add a new error.
            (3, _) => {
                fs::remove_file(&path).expect("removes");
                let renamed = path.with_file_name(format!("renamed {edit}.txt"));
                text.insert(text.len() / 2, marked);
                added += 1;
                fs::write(renamed, text.concat()).expect("writes");
                continue;
            }
            // Edit 4: delete the file, and create an unrelated file with other errors.
            (4, _) => {
                fs::remove_file(&path).expect("removes");
                gone += errors.values().sum::<u64>() + about_files.get(&path).unwrap_or(&0);
                fs::write(path.with_file_name(format!("unrelated {edit}.txt")), marked).expect("writes");
                added += 1;
                continue;
            }
            _ => {}
        }
        fs::write(&path, text.concat()).expect("writes");
    }
    let (new, summary) = check(at, &format!("{rules} --baseline base"));
    let not_new: Vec<_> = new.iter().filter(|(.., bytes, rule)| bytes != "01" || rule != "control").collect();
    assert_eq!(not_new, Vec::<&(String, u64, String, String)>::new());
    assert_eq!((new.len(), summary["baseline"]["gone"].as_u64()), (added, Some(gone)));
    // The report is the same for any number of threads, in every format.
    for format in ["text", "json", "github", "gitlab", "sarif", "junit"] {
        let run = |threads: u32| {
            sh(at, &format!("$U check {rules} --baseline base --format={format} -j{threads} tree"))
        };
        let (one, four) = (run(1), run(4));
        assert_eq!(one, four, "{format}");
        assert_eq!(one.status, 1, "{format}");
        let shown = String::from_utf8_lossy(&one.stdout).matches("U+0001").count();
        assert!(shown >= added, "{format}: {shown} of {added}");
    }
    // A second baseline makes all errors known. The same tree gives the same baseline from any directory.
    sh(at, &format!("$U check {rules} --write-baseline base tree 2>/dev/null; cp base old"))
        .expect(0, "", "");
    assert_eq!(check(at, &format!("{rules} --baseline base")).0, vec![]);
    sh(
        at,
        &format!("cd tree; $U check -j1 {rules} --write-baseline ../base . 2>/dev/null; cmp ../base ../old"),
    )
    .expect(0, "", "");
}

/// The files differ only in the lines with errors, so a renamed file must be recognized by its errors, not by its name.
#[test]
fn renamed_files_do_not_take_the_errors_of_their_twins() {
    let lines: String = (0..200).map(|number| format!("line {number}\n")).collect();
    // Files are recognized by lines with small hashes. Several trials are needed, because few lines have such hashes.
    for tried in 0..6 {
        let twin =
            |errors: &[u8]| [lines.as_bytes(), b"x \xFF ", errors, format!("{tried}\n").as_bytes()].concat();
        let (one, other, third) = (twin(b"one \xFE"), twin(b"other \xFE\xFD"), twin(b"third"));
        let dir = dir_with(&[("a.txt", &one), ("b.txt", &other), ("c.txt", &third)]);
        let at = dir.path();
        sh(at, "$U check --write-baseline base *.txt").expect(
            0,
            "",
            "base: recorded 6 errors in 3 files; use --baseline=base to report only new ones",
        );
        // The order of the new names differs from that of the old names, and one twin is deleted.
        sh(at, "mv b.txt x.txt; mv a.txt y.txt; rm c.txt; $U check -q --baseline base *.txt")
            .expect(0, "", "");
        sh(at, "$U check --baseline base *.txt").expect(
            0,
            "",
            "1 known error is gone; write the baseline again with --write-baseline",
        );
        sh(at, "mv x.txt z.txt; rm y.txt; $U check --baseline base *.txt").expect(
            0,
            "",
            "3 known errors are gone; write the baseline again with --write-baseline",
        );
    }
}

#[test]
fn what_is_no_baseline_is_refused() {
    let dir = dir_with(&[("a.txt", b"\xFF\nx\n"), ("json", b"{}\n"), ("binary", b"\xFF\0")]);
    let at = dir.path();
    sh(at, "$U check --write-baseline base a.txt").expect(
        0,
        "",
        "utfconv: base: recorded 1 error in 1 file; use --baseline=base to report only new ones\n",
    );
    for (script, why) in [
        (
            "$U check --baseline nope a.txt",
            "utfconv: nope: No such file or directory; use --write-baseline=nope to make it",
        ),
        ("$U check --baseline . a.txt", "utfconv: .: not a baseline of utfconv: not a regular file"),
        (
            "$U check --baseline json a.txt",
            "utfconv: json: not a baseline of utfconv: it does not begin with",
        ),
        ("$U check --baseline binary a.txt", "utfconv: binary: not a baseline of utfconv: not UTF-8"),
        ("head -3 base > cut; $U check --baseline cut a.txt", "utfconv: cut: it is cut off"),
        ("sed 's/baseline 1/baseline 9/' base > v; $U check --baseline v a.txt", "another version"),
        (
            "sed 's/ill-formed/nothing/' base > w; $U check --baseline w a.txt",
            "utfconv: w: line 5: expected a rule",
        ),
        ("$U check --write-baseline base --baseline base a.txt", "cannot be used with"),
        ("$U check --baseline base --range 0:1 a.txt", "cannot be used with"),
        ("$U check --write-baseline no/base a.txt", "no/base"),
        (
            "$U check --write-baseline base a.txt nope",
            "base: not written, as not all files could be checked; fix the errors above",
        ),
    ] {
        let before = fs::read(at.join("base")).expect("reads");
        sh(at, script).expect_part(2, "", why);
        assert_eq!(fs::read(at.join("base")).expect("reads"), before, "{script}");
    }
}

#[test]
fn utfconv_toml_names_a_baseline() {
    let config = "[check]\nbaseline = \"known/base\"\nrules = [\"final-newline\"]\n";
    let dir = dir_with(&[("utfconv.toml", config.as_bytes()), ("a.txt", b"\xFF\nx\n"), ("b.txt", b"x")]);
    let at = dir.path();
    let missing = "known/base: No such file or directory; use --write-baseline=known/base to make it";
    sh(at, "$U check -q").expect(2, "", missing);
    sh(at, "mkdir known; $U check --write-baseline known/base").expect(
        0,
        "",
        "known/base: recorded 2 errors in 2 files; use --baseline=known/base to report only new ones",
    );
    sh(at, "cat known/base | grep file").expect(0, "file ../a.txt\nfile ../b.txt\n", "");
    sh(at, "$U check; mkdir sub; cd sub; $U check ..").expect(0, "", "");
    sh(at, "$U check -v").expect(0, "", "no new error in 4 files; 2 known errors not reported");
    sh(at, "printf '\\376\\nx\\n' >> a.txt; $U check -l").expect(1, "a.txt\n", "");
    sh(at, "$U check -q").expect(1, "", "");
    sh(at, "$U check --no-config | wc -l").expect(0, "2\n", "2 errors in 1 of 4 files");
    // After a repair, the known errors are gone.
    sh(at, "echo x > a.txt; $U check").expect(
        0,
        "",
        "1 known error is gone; write the baseline again with --write-baseline",
    );
    sh(at, "rm b.txt; $U check").expect(
        0,
        "",
        "2 known errors are gone; write the baseline again with --write-baseline",
    );
    sh(at, "mv known/base real; ln -s ../real known/base; $U check").expect(
        2,
        "",
        "known/base: a symbolic link; use --baseline",
    );
}

/// Errors are the same if their lines differ only in position or in whitespace at the ends.
#[test]
fn what_is_the_same_error() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let new = |old: &[u8], new: &[u8], options: &str| {
        fs::write(at.join("a"), old).expect("writes");
        sh(at, &format!("$U check {options} --write-baseline base a 2>/dev/null")).expect(0, "", "");
        fs::write(at.join("a"), new).expect("writes");
        let ran = sh(at, &format!("$U check {options} --baseline base --format=json a"));
        let (errors, summary) = errors(&ran.stdout);
        (errors.len(), summary["baseline"]["gone"].as_u64().expect("a number"))
    };
    assert_eq!(new(b"a\xFFb\n", b"\n\n  a\xFFb \r\n", ""), (0, 0));
    assert_eq!(new(b"a\xFFb\n", b"a\xFFc\n", ""), (1, 1));
    assert_eq!(new(b"a\xFFb\n", b"a\xFEb\n", ""), (1, 1));
    assert_eq!(new(b"a\xFFb\n", b"a\xFFb\na\xFFb\n", ""), (1, 0));
    assert_eq!(new(b"a\xFFb\na\xFFb\n", b"a\xFFb\n", ""), (0, 1));
    assert_eq!(new(b"a\xFFb\n", b"ab\n", ""), (0, 1));
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let lone = |before: &str| [wide(before), vec![0, 0xD8], wide("x\n")].concat();
    assert_eq!(new(&lone("a\n"), &lone("a\nb\n\n"), "-f UTF-16LE"), (0, 0));
    assert_eq!(new(&lone("a\n"), &lone("a\nb"), "-f UTF-16LE"), (1, 1));
    assert_eq!(new(b"\xEF\xBB\xBFa\n", b"\xEF\xBB\xBFb\n", "--rule bom=forbid"), (0, 0));
    assert_eq!(new(b"a", b"b", "--rule final-newline"), (0, 0));
    let long = |first: &[u8]| [first, &[b'x'; 500], b"\xFF", &[b'y'; 500], b"\n"].concat();
    assert_eq!(new(&long(b""), &long(b"zz"), ""), (0, 0), "far away in a long line");
}

/// A baseline replaces only a baseline, because the content of another file would be lost.
#[test]
fn a_baseline_replaces_no_other_file() {
    let dir = dir_with(&[("a.txt", b"a\xFF\n"), ("empty", b"")]);
    let at = dir.path();
    sh(at, "$U check --write-baseline a.txt .").expect(
        2,
        "",
        "a.txt: not written, because this file is not a baseline; name another file after --write-baseline",
    );
    sh(at, "ln -s a.txt link; $U check --write-baseline link . 2>/dev/null; cat a.txt")
        .expect(0, b"a\xFF\n", "");
    sh(at, "$U check --write-baseline empty a.txt && $U check --write-baseline empty a.txt").expect(
        0,
        "",
        "utfconv: empty: recorded 1 error in 1 file; use --baseline=empty to report only new ones\n\
        utfconv: empty: recorded 1 error in 1 file; use --baseline=empty to report only new ones\n",
    );
}

#[test]
fn thousands_of_renamed_files_are_paired() {
    let dir = dir_with(&[]);
    let at = dir.path();
    fs::create_dir(at.join("old")).expect("makes");
    // The first 1,500 files are equal, and the other files have lines in common.
    for file in 0..3000 {
        let own = if file < 1500 { String::new() } else { format!("own {file}\n") };
        fs::write(at.join(format!("old/{file}")), format!("{own}one\ntwo\n\x01\n")).expect("writes");
    }
    let check = "timeout 60 $U check --rule control";
    sh(at, &format!("{check} --write-baseline base old 2>/dev/null; mv old new")).expect(0, "", "");
    sh(at, &format!("{check} --baseline base new")).expect(0, "", "");
    // The renamed files are also edited, so the most similar old file must be found among many.
    sh(at, "for file in new/29*; do echo more >> $file; done; printf '\\1\\n' >> new/2999").expect(0, "", "");
    let ran = sh(at, &format!("{check} --baseline base -l new"));
    ran.expect(1, "new/2999\n", "");
}
