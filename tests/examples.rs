//! Tests of examples/: the ranges that the examples convert join to the whole conversion, and a failed range fails the
//! whole.
//!
//! The Spark and Ray examples run only if Spark and Ray are installed. Their shared code is tested with an engine that
//! is a simple loop.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::harness::{Ran, dir_with, has, sh, skip};

const README: &str = include_str!("../examples/README.md");

/// Commands that convert the file $F to `out`, in $N ranges, with the options $O.
const XARGS: &str = "$E/xargs_convert.sh --with xargs $A --compare \"$F\" out -- $O";
const PARALLEL: &str = "$E/xargs_convert.sh --with parallel $A --compare \"$F\" out -- $O";
const PLACES: &str = "$E/xargs_convert.sh --with places $A --compare \"$F\" out -- $O";
const LOOP: &str = "PYTHONPATH=$E python3 loop.py $A --compare --join out \"$F\" parts -- $O";
const SPARK: &str = "python3 $E/spark_convert.py $A --compare --join out \"$F\" parts -- $O";
const RAY: &str = "python3 $E/ray_convert.py $A --compare --join out \"$F\" parts -- $O";

const LOOP_PY: &str = "
import ranges

def convert_all(conversion, spans, workers):
    return [conversion.convert(span) for span in spans]

ranges.main(ranges.convert, convert_all, 'A loop.')
";

/// Runs `spark_check.py` with lists as a substitute for Spark.
const LOOP_CHECK_PY: &str = "
import contextlib, itertools, sys, types

class Shares(list):
    def mapPartitions(self, function):
        return Shares(map(function, self))
    def collect(self):
        return list(itertools.chain(*self))

class Context:
    def parallelize(self, names, count):
        return Shares(names[len(names) * n // count : len(names) * (n + 1) // count] for n in range(count))

sys.modules['spark_job'] = types.SimpleNamespace(spark=lambda workers: contextlib.nullcontext(Context()))
import ranges, spark_check
ranges.main(spark_check.main)
";

/// File, options of the conversion, and start of the output.
const CONVERSIONS: [(&str, &str, &[u8]); 6] = [
    ("text", "-t UTF-16LE", b"A\0l\0l\0"),
    ("text", "-t UTF-16BE --output-bom=always", b"\xFE\xFF\0A\0l"),
    ("marked", "-f UTF-16 -t UTF-8", b"Alle "),
    ("damaged", "-t UTF-8 --ill-formed=replace", b"caf\xEF\xBF\xBD "),
    ("japanese", "-f Shift_JIS -t UTF-8", "日本語".as_bytes()),
    ("empty", "-t UTF-16", b""),
];

fn files() -> TempDir {
    let text = "Alle Menschen 日本語 😀 çà\r\n".repeat(99);
    let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
    dir_with(&[
        ("text", text.as_bytes()),
        ("marked", &units.flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
        ("damaged", &b"caf\xE9 \xE6\x97\xF0\x9F\x98 ".repeat(99)),
        ("japanese", &b"\x93\xFA\x96{\x8C\xEA".repeat(99)),
        ("empty", b""),
        ("faulty", &[&b"good\n".repeat(40), &b"caf\xE9\n"[..], &b"good\n".repeat(40)].concat()),
        ("loop.py", LOOP_PY.as_bytes()),
        ("loop_check.py", LOOP_CHECK_PY.as_bytes()),
    ])
}

/// Runs a script in `dir`. $E is the directory of the examples.
fn example(dir: &Path, script: &str) -> Ran {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    sh(dir, &format!("export PYTHONDONTWRITEBYTECODE=1; E='{examples}'; {script}"))
}

fn convert(dir: &Path, command: &str, file: &str, options: &str, ranges: u32) -> Ran {
    let arguments = format!("--utfconv $U --workers 2 --ranges {ranges}");
    example(dir, &format!("rm -rf parts; F='{file}' O='{options}' A=\"{arguments}\"; {command}"))
}

/// Asserts that an example's output equals that of whole conversions, and that an error in a range fails the example.
fn converts(command: &str, ranges: &[u32]) {
    let dir = files();
    let at = dir.path();
    for (file, options, begins) in CONVERSIONS {
        let whole = sh(at, &format!("$U -s {options} {file}"));
        assert!(whole.status == 0 && whole.stdout.starts_with(begins), "{file}: {}", whole.stderr);
        for &ranges in ranges {
            let ran = convert(at, command, file, options, ranges);
            let said = format!("the same as the whole: {} bytes\n", whole.stdout.len());
            let stdout = String::from_utf8_lossy(&ran.stdout);
            assert!(ran.status == 0 && stdout.contains(&said), "{file} {options}: {stdout} {}", ran.stderr);
            assert_eq!(fs::read(at.join("out")).expect("is there"), whole.stdout, "{file} {options}");
        }
    }

    // Byte 203 is in the third of five ranges of 81 bytes each.
    fs::write(at.join("out"), "old").expect("writes");
    let ran = convert(at, command, "faulty", "-t UTF-16LE", 5);
    assert_ne!(ran.status, 0);
    for said in ["/faulty: error: invalid UTF-8 (truncated) at byte 203: E9 ", "162:243", "status 1"] {
        // GNU parallel prints the status only in its log.
        let said_it = ran.stderr.contains(said) || said == "status 1" && command == PARALLEL;
        assert!(said_it, "{said}: {}", ran.stderr);
    }
    assert_eq!(fs::read(at.join("out")).expect("is there"), b"old");
    assert!(!at.join("parts/part-000000000000162").exists());

    // The file names have characters that a shell, xargs or parallel might interpret.
    for name in ["@LINE@", "{}", "{#} {.}", "a'b\" $x"] {
        fs::copy(at.join("text"), at.join(name)).expect("copies");
        let shown = name.replace('\'', "'\\''");
        let ran = convert(at, command, &shown, "-t UTF-16LE", 3);
        assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
    }
    let _ = fs::write(at.join("out"), "old");

    let ran = convert(at, command, "japanese", "-f ISO-2022-JP", 5);
    assert!(ran.status != 0 && ran.stderr.contains("has shift states"), "{}", ran.stderr);
    let ran = convert(at, command, "missing", "-t UTF-16LE", 5);
    assert!(ran.status != 0 && ran.stderr.contains("No such file"), "{}", ran.stderr);
    assert_eq!(fs::read(at.join("out")).expect("is there"), b"old");
}

/// Whether Python has a module; if not, reports that the test is skipped. CI does not install these large modules.
fn python_has(module: &str) -> bool {
    if !has("python3") {
        return false;
    }
    let found = sh(Path::new("/"), &format!("python3 -c 'import {module}'")).status == 0;
    if !found {
        skip(&format!("Python's module {module}"));
    }
    found
}

/// Whether xargs, dd and stat are those of GNU; if not, reports that the test is skipped.
fn has_gnu() -> bool {
    let found = sh(Path::new("/"), "stat --version").stdout.starts_with(b"stat (GNU coreutils)");
    if !found {
        skip("GNU coreutils");
    }
    found
}

#[test]
fn xargs_joins_to_the_whole() {
    if has_gnu() {
        converts(XARGS, &[1, 3, 50]);
    }
}

#[test]
fn outputs_at_their_places_are_the_whole() {
    if has_gnu() {
        converts(PLACES, &[1, 3, 50]);
    }
}

#[test]
fn gnu_parallel_joins_to_the_whole() {
    if !has_gnu() || !has("parallel") {
        return;
    }
    if !sh(Path::new("/"), "parallel --version").stdout.starts_with(b"GNU parallel") {
        skip("GNU parallel");
        return;
    }
    // GNU parallel gets fewer ranges than xargs, because it runs the same command and starts more slowly.
    converts(PARALLEL, &[1, 12]);
}

#[test]
fn ranges_join_to_the_whole() {
    if has("python3") {
        converts(LOOP, &[1, 3, 50]);
    }
}

#[test]
fn spark_joins_to_the_whole() {
    if python_has("pyspark") {
        converts(SPARK, &[3]);
    }
}

#[test]
fn ray_joins_to_the_whole() {
    if python_has("ray") {
        converts(RAY, &[3]);
    }
}

/// Comparisons must find a part that differs.
#[test]
fn parts_that_differ_are_found() {
    if !has("python3") {
        return;
    }
    let spoils = [
        ("echo -n x >> parts/part-000000000000000", "differs from the whole"),
        ("truncate -s -2 $(ls -d parts/part-* | tail -1)", "the whole continues"),
        ("echo -n x >> $(ls -d parts/part-* | tail -1)", "differs from the whole"),
        ("touch -d @1 text", "has changed while it was converted"),
        ("truncate -s 99 text", "has changed while it was converted"),
    ];
    for (spoil, said) in spoils {
        let dir = files();
        let script = LOOP_PY
            .replace("    return ", "    import os\n    done = ")
            .replace("\nranges.main", &format!("    os.system('{spoil}')\n    return done\n\nranges.main"));
        fs::write(dir.path().join("loop.py"), script).expect("writes");
        let ran = convert(dir.path(), LOOP, "text", "-t UTF-16LE", 3);
        assert!(ran.status == 2 && ran.stderr.contains(said), "{spoil}: {}", ran.stderr);
    }
}

/// Asserts that a check in shares gives the same report as a check by the program.
fn checks(command: &str) {
    let dir = files();
    let at = dir.path();
    let made = sh(
        at,
        "mkdir -p tree/a 'tree/a b' tree/.hidden && cp faulty tree/a/x && cp faulty tree/.hidden && cp text tree/a.txt
        cp faulty \"tree/a b/\"$'line\\nfeed' && printf 'a\\0\\xFF' > tree/binary && cp marked tree/wide && ln -s a/x tree/link",
    );
    made.expect(0, "", "");
    for (paths, shares) in [("tree", 1), ("tree", 3), ("tree", 20), ("tree/a.txt", 2), ("tree/a", 2)] {
        let whole = sh(at, &format!("$U check --format=json --rule bidi {paths}"));
        let line = format!("{command} --utfconv $U --workers 2 --shares {shares} {paths} -- --rule bidi");
        let ran = example(at, &line);
        assert_eq!(ran.status, whole.status, "{}", ran.stderr);
        assert_eq!(String::from_utf8(ran.stdout), String::from_utf8(whole.stdout), "{paths} {shares}");
    }

    // Listed files are checked even if they are binary, and a missing file is an error.
    let list = "printf '%s\\0' tree/binary tree/missing tree/wide >list";
    let whole = sh(at, &format!("{list}; $U check --format=json --files0-from list"));
    let ran =
        example(at, &format!("{command} --utfconv $U --workers 2 --files0-from - --report report <list"));
    assert_eq!((ran.status, whole.status), (2, 2), "{}", ran.stderr);
    assert_eq!(fs::read(at.join("report")).expect("is there"), whole.stdout);

    let ran = example(at, &format!("{command} --utfconv $U tree -- --rule nonsense"));
    assert!(ran.status == 2 && ran.stdout.is_empty() && ran.stderr.contains("nonsense"), "{}", ran.stderr);
}

#[test]
fn reports_of_shares_are_that_of_all() {
    if has("python3") {
        checks("PYTHONPATH=$E python3 loop_check.py");
    }
}

#[test]
fn spark_reports_as_the_program_does() {
    if python_has("pyspark") {
        checks("python3 $E/spark_check.py");
    }
}

#[test]
fn the_scripts_are_in_order() {
    let here = Path::new("/");
    if has("python3") {
        let script = "import sys; [compile(open(name).read(), name, 'exec') for name in sys.argv[1:]]";
        example(here, &format!("python3 -c \"{script}\" $E/*.py")).expect(0, "", "");
    }
    if has("shellcheck") {
        example(here, "shellcheck $E/*.sh").expect(0, "", "");
    }
}

/// examples/README.md names every file of the directory, and only files that exist.
#[test]
fn the_page_names_the_files() {
    let ran = example(Path::new("/"), "ls $E");
    let listed = String::from_utf8(ran.stdout).expect("UTF-8");
    for name in listed.lines().filter(|name| *name != "README.md" && *name != "__pycache__") {
        assert!(README.contains(&format!("`{name}`")), "{name}");
    }
    for word in README.split([' ', '`', '\n', ',']) {
        let name = word.strip_prefix("examples/").unwrap_or("README.md");
        assert!(listed.lines().any(|listed| listed == name), "{word}");
    }
}
