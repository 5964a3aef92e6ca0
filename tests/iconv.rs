//! Tests of the program as `iconv`: calls from scripts, run with glibc's iconv and with utfconv under that name. Exit
//! status, output and kind of message must be the same, except for the differences in `differences-iconv.md`.
#![cfg(unix)]

use std::path::Path;
use std::process::Stdio;

use crate::harness::{LISTED_GLIBC, Ran, UTFCONV, command, dir_with, glibc, has, rows, run};
use crate::random::generator;

/// Files in the directory of every call.
const FILES: [(&str, &[u8]); 16] = [
    ("ascii", b"plain\n"),
    ("utf8", "grüße\n".as_bytes()),
    ("latin1", b"gr\xFC\xDFe\n"),
    ("euro", "a€bé\n".as_bytes()),
    ("japanese", "日本\n".as_bytes()),
    ("bad", b"abc\ndef\xFF ghi\n"),
    ("surrogate", b"ok\n\xED\xA0\x80x\n"),
    ("truncated", b"ok\nabc\xE2\x82"),
    ("bom8", b"\xEF\xBB\xBFA\xC3\xA9"),
    ("bom16le", b"\xFF\xFEA\0\xE9\0"),
    ("bom16be", b"\xFE\xFF\0A\0\xE9"),
    ("plain16le", b"A\0\xE9\0"),
    ("empty", b""),
    ("list", b"a list\n"),
    ("check", b"a check\n"),
    ("-x", b"dash\n"),
];

/// A call: its name in the list of differences, and the script.
struct Call {
    name: &'static str,
    script: &'static str,
}

const fn call(name: &'static str, script: &'static str) -> Call {
    Call { name, script }
}

#[rustfmt::skip] // a table
const CALLS: &[Call] = &[
    // Hooks and spec files test whether text is valid.
    call("valid", "iconv -f UTF-8 -t UTF-8 utf8 >/dev/null 2>&1"),
    call("valid-not", "iconv -f UTF-8 -t UTF-8 latin1 >/dev/null 2>&1"),
    call("valid-each", "for f in ascii utf8 latin1 bad truncated bom8; do iconv -f UTF-8 -t UTF-8 \"$f\" >/dev/null 2>&1 && echo \"$f\"; done"),
    call("spec-credits", "if iconv -f utf-8 -t utf-8 < latin1 > /dev/null 2>&1; then cp latin1 CREDITS; else iconv -f iso8859-1 -t utf-8 < latin1 > CREDITS; fi; cat CREDITS"),
    call("spec-in-place", "iconv -f ISO-8859-1 -t UTF-8 latin1 > new && touch -r latin1 new && mv new latin1; cat latin1"),
    call("spec-loop", "for f in latin1 ascii; do iconv -f iso8859-1 -t utf8 -o $f.utf8 $f && mv -f $f.utf8 $f; done; cat latin1 ascii"),
    // git's t/lib-encoding.sh tests whether a BOM is written before the text.
    call("git-bom16", "test $(printf abc | iconv -f UTF-8 -t UTF-16 | wc -c) = 6 && echo no mark || echo mark"),
    call("git-bom32", "test $(printf abc | iconv -f UTF-8 -t UTF-32 | wc -c) = 12 && echo no mark || echo mark"),
    call("git-write16", "printf 'hallo there!\\ncan you read me?' | iconv -f UTF-8 -t UTF-16"),
    call("git-write32", "printf 'hallo there!' | iconv -f UTF-8 -t UTF-32"),
    call("git-le-bom", "(printf '\\377\\376'; printf 'abc' | iconv -f UTF-8 -t UTF-16LE) | iconv -f UTF-16 -t UTF-8"),
    call("git-commit", "printf 'gr\\374\\337e' | iconv -f ISO8859-1 -t UTF-8"),
    call("git-commit-eucjp", "iconv -f UTF-8 -t EUCJP japanese | iconv -f eucJP -t UTF-8"),
    call("git-commit-2022", "iconv -f UTF-8 -t ISO-2022-JP japanese | iconv -f ISO-2022-JP -t UTF-8"),
    call("git-commit-sjis", "iconv -f UTF-8 -t SHIFT-JIS japanese | iconv -f SJIS -t UTF-8"),
    // git filters and diff drivers convert files.
    call("git-filter", "iconv -sc -f utf-16le -t utf-8 < plain16le"),
    call("git-textconv", "iconv -sc -f UTF16LE plain16le -o out; cat out"),
    call("git-textconv-utf16", "iconv -f utf16 -t utf8 bom16be"),
    // Windows clipboard tools and login scripts convert short texts.
    call("clip", "printf 'a\\nb' | iconv --from-code=UTF-8 --to-code=UTF-16"),
    call("fritzbox", "printf '1234-geheim' | iconv --from-code ISO8859-1 --to-code UTF-16LE | md5sum | cut -d' ' -f1"),
    call("operand-stdin", "set --; iconv -f latin1 -t UTF-8 \"${1:-/dev/stdin}\" < latin1"),
    call("variable", "from=ISO-8859-1; cat latin1 | iconv -f \"$from\" -t \"UTF-8\""),
    // Scripts test whether iconv exists, and which encodings it has.
    call("version-head", "iconv --version | head -1 | grep -cE '[0-9]+\\.[0-9]+'"),
    call("version-name", "iconv -V | head -1 | cut -c1-7"),
    call("command-v", "command -v iconv >/dev/null && echo there"),
    call("list-grep", "for n in UTF-8 UTF8 UTF-16LE UTF16LE UTF-32BE ISO-8859-1 ISO8859-1 ISO_8859-1 LATIN1 L1 US-ASCII ASCII CP819 IBM819 ANSI_X3.4-1968 CSISOLATIN1; do iconv -l | grep -x \"$n//\"; done"),
    call("list-long", "iconv --list | grep -ci '^utf-8//$'"),
    call("list-loop", "for i in $(iconv --list); do a=${i%??}; [ \"$a\" = LATIN1 ] && printf '\\351' | iconv -f $a -t UTF-8; done; true"),
    call("list-rest", "iconv -l nofile -f UTF-8 | grep -x UTF-8//"),
    call("list-usage", "iconv -l -x"),
    call("list-legacy", "for n in ISO-8859-15 LATIN-9 KOI8-R WINDOWS-1252 CP1252 IBM866 CP866; do iconv -l | grep -x \"$n//\"; done"),
    call("help", "iconv --help | head -1; iconv -? | head -1; iconv --usage | cut -c1-12 | head -1"),
    call("help-first", "iconv --help --nonsense >/dev/null"),
    // Options may have any form and order.
    call("attached", "iconv -flatin1 -tUTF-8 latin1"),
    call("separate", "iconv -f latin1 -t UTF-8 latin1"),
    call("long-equals", "iconv --from-code=latin1 --to-code=UTF-8 latin1"),
    call("long-separate", "iconv --from-code latin1 --to-code UTF-8 latin1"),
    call("abbreviated", "iconv --from=latin1 --t UTF-8 latin1"),
    call("abbreviated-f", "iconv --f latin1 --to=UTF-8 --o=out latin1; cat out"),
    call("abbreviated-usage", "iconv --u > /dev/null"),
    call("cluster", "iconv -csf latin1 -t utf-8 latin1"),
    call("cluster-attached", "iconv -sctascii euro"),
    call("permuted", "iconv latin1 -f latin1 ascii -t UTF-8"),
    call("output-last", "iconv -f latin1 latin1 -t UTF-8 -o out; cat out"),
    call("output-first", "iconv -o out -f latin1 -t UTF-8 latin1; cat out"),
    call("output-attached", "iconv -oout -f latin1 -t UTF-8 latin1; cat out"),
    call("output-dash", "iconv -f latin1 -t UTF-8 -o - latin1"),
    call("last-wins", "iconv -f ascii -t ascii -f latin1 -t UTF-8 latin1"),
    call("output-last-wins", "iconv -o one -o two ascii; ls one two 2>/dev/null"),
    call("double-dash", "iconv -t UTF-8 -- -x"),
    call("double-dash-option", "iconv -- -t UTF-8"),
    call("posixly", "POSIXLY_CORRECT=1 iconv -f latin1 -t UTF-8 latin1 -c"),
    call("silent-long", "iconv --silent -f UTF-8 ascii"),
    call("verbose", "iconv --verbose ascii utf8"),
    call("verbose-stdin", "iconv --verbose - < ascii"),
    call("empty-names", "iconv -f '' -t '' utf8"),
    call("name-of-command", "iconv list"),
    call("name-of-command-check", "iconv check -f UTF-8"),
    call("option-of-ours", "iconv --input-bom=strip bom8"),
    call("usage-letter", "iconv -Z ascii"),
    call("usage-long", "iconv --nonsense"),
    call("usage-value", "iconv -f"),
    call("usage-value-long", "iconv --from-code"),
    call("usage-no-value", "iconv --list=3"),
    call("usage-ambiguous", "iconv --ver"),
    call("usage-silent-value", "iconv --silent=1 ascii"),
    // Encoding names may be unknown or have suffixes.
    call("unknown-from", "iconv -f nope -t UTF-8 ascii"),
    call("unknown-to", "iconv -t nope -f UTF-8 ascii"),
    call("unknown-both", "iconv -f nope1 -t nope2 ascii"),
    call("unknown-before-file", "iconv -f nope nofile"),
    call("unknown-keeps-output", "echo old > out; iconv -f nope ascii -o out; cat out"),
    call("unknown-path", "iconv -f /etc/hostname -t UTF-8 ascii 2>/dev/null"),
    call("unknown-dots", "iconv -f ../utf8 -t UTF-8 ascii"),
    call("one-slash", "iconv -t ASCII/TRANSLIT ascii"),
    call("case", "iconv -f Utf-8 -t iso_8859-1 utf8"),
    call("loose", "iconv -f utf_8 -t latin-1 utf8"),
    call("aliases", "for n in latin1 l1 cp819 IBM819 8859_1 iso-ir-100 csISOLatin1 ISO88591; do iconv -f $n -t UTF-8 latin1; done"),
    call("aliases-ascii", "for n in ascii US-ASCII us ANSI_X3.4-1968 ISO646-US csASCII; do iconv -f $n -t UTF-8 ascii; done"),
    call("slash-at-end", "iconv -f UTF-8/ -t ascii// ascii"),
    call("slash-inside", "iconv -t ISO-10646/UCS4/ ascii"),
    call("ucs2", "iconv -f UTF-8 -t UCS-2 ascii"),
    call("ucs4", "iconv -f UTF-8 -t UCS-4 ascii"),
    call("latin9", "iconv -f utf8 -t latin-9 euro"),
    call("cp1252", "iconv -f UTF-8 -t CP1252 euro | iconv -f windows-1252 -t utf-8"),
    call("koi8", "printf '\\xd0\\xb4\\xd0\\xb0' | iconv -f utf-8 -t koi8r"),
    call("gb18030", "iconv -f UTF-8 -t GB18030 euro | iconv -f gb18030 -t utf-8"),
    call("big5", "iconv -f UTF-8 -t BIG5 japanese | iconv -f big5 -t utf-8"),
    call("utf7", "iconv -f UTF-8 -t UTF-7 euro | iconv -f utf-7 -t utf-8"),
    // The locale gives the default encoding.
    call("locale-c", "LC_ALL=C iconv -f UTF-8 ascii"),
    call("locale-c-from", "LC_ALL=C iconv -t UTF-8 utf8"),
    call("locale-c-to", "LC_ALL=POSIX iconv -f UTF-8 utf8"),
    call("locale-utf8", "LC_ALL=C.UTF-8 iconv -f latin1 latin1"),
    call("locale-order", "unset LC_ALL; LC_CTYPE=C.UTF-8 LANG=C iconv -f latin1 latin1"),
    call("locale-empty", "LC_ALL= LC_CTYPE= LANG=C.UTF-8 iconv -f latin1 latin1"),
    call("locale-unset", "unset LC_ALL LC_CTYPE LANG; iconv -f latin1 latin1"),
    call("locale-suffix", "LC_ALL=C.UTF-8 iconv -f latin1 -t //TRANSLIT latin1"),
    // The input has errors.
    call("ill-formed", "iconv -f UTF-8 -t UTF-16LE bad"),
    call("ill-formed-surrogate", "iconv -f UTF-8 -t UTF-8 surrogate"),
    call("ill-formed-first", "printf '\\377' | iconv -f UTF-8 -t UTF-16LE"),
    call("truncated", "iconv -f UTF-8 -t UTF-16LE truncated"),
    call("truncated-utf16", "printf 'a\\0b' | iconv -f UTF-16LE -t UTF-8"),
    call("truncated-pair", "printf '\\075\\330' | iconv -f UTF-16LE -t UTF-8"),
    call("lone-low", "printf '\\0\\334a\\0' | iconv -f UTF-16LE -t UTF-8"),
    call("short-not-truncated", "printf 'a\\342\\202b' | iconv -f UTF-8 -t UTF-16LE"),
    call("short-in-pieces", "(printf 'a\\342\\202'; sleep 0.1; printf 'b') | iconv -f UTF-8 -t UTF-16LE"),
    call("truncated-in-pieces", "(printf 'a\\342'; sleep 0.1; printf '\\202') | iconv -f UTF-8 -t UTF-16LE"),
    call("out-of-range", "printf '\\0\\0\\021\\0' | iconv -f UTF-32LE -t UTF-8"),
    call("unmappable", "iconv -f UTF-8 -t ISO-8859-1 euro"),
    call("not-ascii", "iconv -f ascii -t UTF-8 latin1"),
    call("silent", "iconv -s -f UTF-8 -t UTF-16LE bad"),
    call("c", "iconv -c -f UTF-8 -t UTF-8 bad"),
    call("c-ascii", "iconv -c -f utf-8 -t ascii euro"),
    call("c-clean", "iconv -c -f utf-8 -t ascii ascii"),
    call("c-truncated", "iconv -c -f UTF-8 -t UTF-8 truncated"),
    call("c-size", "if iconv -c -f UTF-8 -t UTF-8 bad > clean && [ -s clean ]; then cat clean; else cat bad; fi"),
    call("c-or-true", "iconv -c -f UTF-8 -t UTF-8 bad > clean || true; cat clean"),
    call("ignore", "iconv -f UTF-8 -t UTF-8//IGNORE bad"),
    call("ignore-quiet", "iconv -f UTF-8 -t ascii//ignore euro 2>/dev/null; true"),
    call("ignore-clean", "iconv -f UTF-8 -t UTF-8//IGNORE utf8"),
    call("ignore-from", "iconv -f UTF-8//IGNORE -t UTF-16LE bad"),
    call("suffix-unknown", "iconv -f UTF-8 -t ascii//FOO ascii"),
    call("discard", "iconv -f UTF-8 -t ascii//NON_IDENTICAL_DISCARD euro"),
    call("translit-plain", "iconv -f utf-8 -t ascii//TRANSLIT ascii"),
    call("translit-none", "iconv -f utf-8 -t ascii//TRANSLIT japanese"),
    call("translit-ill-formed", "iconv -f utf-8 -t ascii//TRANSLIT bad"),
    call("translit", "iconv -f utf-8 -t ascii//TRANSLIT utf8 euro"),
    call("translit-locale", "iconv -f utf-8 -t //TRANSLIT utf8"),
    call("translit-latin1", "printf '“naïve” – 5€…' | iconv -f UTF-8 -t ISO-8859-1//TRANSLIT"),
    call("translit-ignore", "printf 'é日“x”' | iconv -f utf-8 -t ascii//TRANSLIT//IGNORE"),
    call("translit-c", "printf 'é日“x”' | iconv -c -f utf-8 -t ascii//TRANSLIT"),
    call("slug", "printf 'Crème Brûlée à la carte' | iconv -f utf-8 -t ascii//TRANSLIT | tr -cs 'A-Za-z0-9' '-' | tr A-Z a-z"),
    // The input begins with a BOM.
    call("bom-utf8", "iconv -f UTF-8 -t UTF-8 bom8"),
    call("bom-double", "iconv -f UTF-8 -t UTF-16 bom8"),
    call("bom-latin1", "iconv -f UTF-8 -t ISO-8859-1 bom8"),
    call("bom-utf16", "iconv -f UTF-16 -t UTF-8 bom16le bom16be"),
    call("bom-utf16-none", "iconv -f UTF-16 -t UTF-8 plain16le"),
    call("bom-utf16le", "iconv -f UTF-16LE -t UTF-8 bom16le"),
    call("bom-wrong-order", "iconv -f UTF-16LE -t UTF-8 bom16be"),
    call("bom-per-file", "iconv -f UTF-8 -t UTF-16 ascii ascii"),
    call("bom-joined", "iconv -f UTF-8 -t UTF-8 ascii bom8"),
    call("bom-empty", "iconv -f UTF-8 -t UTF-16 empty | wc -c"),
    call("bom-name", "iconv -f UTF-8 -t UTF-8-SIG ascii"),
    // Inputs and outputs may be files or streams.
    call("stdin", "iconv -f latin1 -t UTF-8 < latin1"),
    call("stdin-dash", "iconv -f latin1 -t UTF-8 ascii - < latin1"),
    call("stdin-twice", "cat latin1 | iconv -f latin1 -t UTF-8 - -"),
    call("several", "iconv -f latin1 -t UTF-8 latin1 ascii latin1"),
    call("missing", "iconv -f UTF-8 ascii nofile utf8"),
    call("missing-only", "iconv -f UTF-8 nofile"),
    call("missing-output", "iconv nofile -o out; ls out 2>/dev/null"),
    call("missing-some-output", "iconv -o out ascii nofile; s=$?; cat out 2>/dev/null; exit $s"),
    call("bad-then-good", "iconv -f UTF-8 bad ascii"),
    call("bad-output", "echo old > out; iconv -f UTF-8 bad -o out; cat out"),
    call("c-bad-output", "echo old > out; iconv -c -f UTF-8 bad -o out 2>/dev/null; cat out"),
    call("split-character", "printf '\\303' > one; printf '\\251' > two; iconv -f UTF-8 one two"),
    call("directory", "iconv -f UTF-8 ."),
    call("directory-then-good", "iconv -f UTF-8 . ascii"),
    call("no-directory-output", "iconv -o nodir/out ascii"),
    call("directory-output", "iconv -o . ascii"),
    call("replaces-itself", "iconv -f latin1 -t UTF-8 latin1 -o latin1; cat latin1"),
    call("empty-input", "iconv -f UTF-8 -t UTF-16 empty"),
    call("proc", "iconv -f UTF-8 /proc/version | cmp - /proc/version"),
    call("full", "iconv -f latin1 -t UTF-8 latin1 > /dev/full"),
    call("full-output", "iconv -o /dev/full ascii"),
    call("full-list", "iconv -l > /dev/full"),
    call("closed-output", "iconv ascii >&-"),
    call("closed-input", "iconv <&-"),
    call("closed-errors", "iconv -f UTF-8 bad 2>&-"),
    call("pipe", "head -c 2000000 /dev/zero | tr '\\0' a | iconv -f UTF-8 -t UTF-16 | head -c 4 >/dev/null; echo ${PIPESTATUS[2]}"),
    call("same-file-stdout", "iconv -f latin1 -t UTF-8 latin1 >> latin1; wc -c < latin1"),
    call("pipeline", "cat latin1 | iconv -f latin1 -t utf-16 | iconv -f utf-16 -t utf-8 | sed 's/ü/ue/'"),
    call("xargs", "printf '%s\\n' latin1 ascii | xargs -n1 iconv -f latin1 -t UTF-8"),
    call("substitution", "x=$(iconv -f latin1 -t UTF-8 latin1); echo \"[$x]\""),
    // Characters may be in planes 2, 14 and 15, or be tags.
    call("planes", "printf 'a\\360\\240\\200\\213' | iconv -f UTF-8 -t ISO-8859-1"),
    call("planes-selector", "printf 'a\\363\\240\\204\\200' | iconv -f UTF-8 -t EUC-JP"),
    call("planes-private", "printf 'a\\363\\260\\200\\200' | iconv -f UTF-8 -t ISO-8859-1"),
    call("tags", "printf 'a\\363\\240\\201\\201b' | iconv -f UTF-8 -t ISO-8859-1"),
    call("escapes", "printf '\\033[31mred' | iconv -f ISO-2022-JP -t UTF-8"),
    call("subst", "iconv -f UTF-8 -t ascii --byte-subst='<0x%02x>' --unicode-subst='<U+%04X>' euro bad"),
];

/// Returns the kinds of the messages in standard error.
fn kinds(stderr: &str) -> String {
    const KINDS: [(&str, &str); 16] = [
        ("Try `iconv --help'", ""),
        ("illegal input sequence at position", "illegal"),
        ("incomplete character or shift sequence at end of buffer", "incomplete"),
        ("cannot open input file `", "no input"),
        ("cannot open output file", "no output"),
        ("not supported", "unsupported"),
        ("failed to start conversion processing", "unsupported"),
        ("error while reading the input", "read"),
        ("problem in writing the output", "write"),
        ("error while closing output file", "write"),
        ("write error", "write"),
        ("would overwrite this input", "same file"),
        (": not written", "not written"),
        ("warning: ", "warning"),
        ("option", "usage"),
        ("", "other"),
    ];
    let kind = |line: &str| match line.strip_prefix("iconv: ") {
        Some(text) => KINDS.iter().find(|(part, _)| text.contains(part)).map_or("", |(_, kind)| kind),
        None if line.starts_with("Try ") => "",
        None if line.ends_with(':') => "name",
        None => "other",
    };
    let kinds: Vec<_> = stderr.lines().map(kind).filter(|kind| !kind.is_empty()).collect();
    kinds.join(", ")
}

/// Returns the aspects of a run that the list of differences compares.
fn aspects(ran: &Ran) -> [(&'static str, String); 3] {
    [
        ("status", ran.status.to_string()),
        ("output", ran.stdout.escape_ascii().to_string().replace('|', "\\x7c")),
        ("message", kinds(&ran.stderr)),
    ]
}

/// Runs a script in a new directory. `bin`, if given, comes first in PATH.
fn run_call(script: &str, bin: Option<&Path>) -> Ran {
    let dir = dir_with(&FILES);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut paths: Vec<_> = std::env::split_paths(&path).collect();
    paths.splice(0..0, bin.map(Path::to_path_buf));
    let output = command("bash")
        .args(["-c", script])
        .current_dir(dir.path())
        .env("PATH", std::env::join_paths(paths).expect("joins"))
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("bash runs");
    Ran::from(output)
}

/// Creates a directory with a link `iconv` to the program.
fn bin() -> tempfile::TempDir {
    let dir = dir_with(&[]);
    std::os::unix::fs::symlink(UTFCONV, dir.path().join("iconv")).expect("links");
    dir
}

#[test]
fn calls_of_scripts_except_the_listed_differences() {
    let rows: Vec<[&str; 5]> = rows(include_str!("differences-iconv.md"));
    for row in &rows {
        assert!(CALLS.iter().any(|call| call.name == row[0]), "{row:?}: no such call");
    }
    for (number, call) in CALLS.iter().enumerate() {
        assert!(CALLS[..number].iter().all(|other| other.name != call.name), "{} is there twice", call.name);
    }
    let Some(version) = glibc() else { return };
    let bin = bin();
    let mut failures = Vec::new();
    for Call { name, script } in CALLS {
        let (theirs, ours) = (run_call(script, None), run_call(script, Some(bin.path())));
        for ((aspect, theirs), (_, ours)) in aspects(&theirs).into_iter().zip(aspects(&ours)) {
            let row = rows.iter().find(|row| row[..2] == [*name, aspect]);
            let differs = format!("| {name} | {aspect} | {theirs} | {ours} | |");
            match row {
                Some(_) if theirs == ours => println!("{name}: {aspect} no longer differs"),
                None if theirs == ours => {}
                // With another glibc, only the result of utfconv must match the row.
                Some(row) if row[3] == ours && (row[2] == theirs || version != LISTED_GLIBC) => {}
                None if version != LISTED_GLIBC => println!("glibc {version}: {differs}"),
                _ => failures.push(differs),
            }
        }
    }
    assert!(failures.is_empty(), "not listed, or differs in another way:\n{}", failures.join("\n"));
}

/// The position in a message is correct, and the detail of utfconv follows glibc's sentence.
#[test]
fn messages_have_the_place_and_the_reason() {
    let bin = bin();
    for (script, status, message) in [
        (
            "iconv -f UTF-8 -t UTF-8 bad",
            1,
            "iconv: illegal input sequence at position 7 (bad:2:4: invalid UTF-8 (never-used byte): FF never appears in UTF-8)\n",
        ),
        (
            "iconv -f UTF-8 -t ascii < euro",
            1,
            "iconv: illegal input sequence at position 1 (-:1:2: unmappable character: E2 82 AC: U+20AC \"€\" cannot be encoded in US-ASCII)\n",
        ),
        (
            "iconv -f UTF-8 truncated",
            1,
            "iconv: incomplete character or shift sequence at end of buffer (truncated:2:4: invalid UTF-8 (truncated) at byte 6: \
             E2 82: E2 starts a sequence of 3 bytes, 2 found)\n",
        ),
        ("iconv nofile", 1, "iconv: cannot open input file `nofile': No such file or directory\n"),
        (
            "iconv $'no\\nfile'",
            1,
            "iconv: cannot open input file `$'no\\nfile'': No such file or directory\n",
        ),
        (
            "iconv -f UFT-8 -t UTF-8",
            1,
            "iconv: conversion from `UFT-8' is not supported; did you mean UTF-8?\n\
             Try `iconv --help' or `iconv --usage' for more information.\n",
        ),
        (
            "iconv -f a$'\\e'b -t qqq//IGNORE",
            1,
            "iconv: conversions from `a\\u{1b}b' and to `qqq//IGNORE' are not supported\n\
             Try `iconv --help' or `iconv --usage' for more information.\n",
        ),
        (
            "iconv -t VIQR",
            1,
            "iconv: conversion to `VIQR' is not supported; VIQR is known, but not to be had here\n",
        ),
        ("iconv . ", 1, "iconv: error while reading the input: Is a directory (.)\n"),
        (
            "iconv ascii > /dev/full",
            1,
            "iconv: conversion stopped due to problem in writing the output: No space left on device (standard output)\n",
        ),
        ("iconv -f UTF-16LE bom16be", 0, ""),
        (
            "iconv --verbose -f UTF-16LE bom16be",
            0,
            "bom16be:\niconv: bom16be: warning: begins with FE FF, the BOM of UTF-16BE, but is read as UTF-16LE\n",
        ),
        (
            "iconv --byte-subst=%d",
            64,
            "iconv: invalid substitution '%d': a directive of the template has to end",
        ),
    ] {
        let ran = run_call(script, Some(bin.path()));
        assert!(ran.status == status && ran.stderr.starts_with(message), "{script}\n{message}\n{ran:?}");
        assert!(!message.is_empty() || ran.stderr.is_empty(), "{script} {ran:?}");
    }
    // The position is an offset in the file, also far from its start.
    let script =
        "for i in $(seq 50000); do printf '\\xe2\\x82\\xac'; done > many; printf '\\xff' >> many; iconv many";
    let ran = run_call(script, Some(bin.path()));
    assert!(
        ran.stderr.starts_with("iconv: illegal input sequence at position 150000 (many:1:50001: "),
        "{ran:?}"
    );
    // `--iconv` runs the program as iconv.
    run(&["--iconv", "-f", "latin1", "-t", "UTF-8", "-Z"], "").expect(
        64,
        "",
        "iconv: invalid option -- 'Z'\n\
        Try `iconv --help' or `iconv --usage' for more information.\n",
    );
    run(&["-t", "UTF-8", "--iconv"], "").expect(2, "", "utfconv: --iconv must be the first argument");
}

#[cfg(target_os = "linux")]
#[test]
fn utf16_goes_to_a_terminal_and_names_come_in_columns() {
    if !has("script") {
        return;
    }
    let bin = bin();
    let on_terminal = |command: &str| {
        run_call(&format!("script -qec \"{command}\" /dev/null </dev/null"), Some(bin.path())).stdout
    };
    assert_eq!(on_terminal("iconv -f UTF-8 -t UTF-16LE ascii"), b"p\0l\0a\0i\0n\0\r\n\0");
    let list = String::from_utf8(on_terminal("iconv -l")).expect("text");
    assert!(list.starts_with("The following") && list.contains(" UTF-8, ") && !list.contains("//"), "{list}");
    assert!(list.lines().all(|line| line.trim_end().len() <= 100), "{list}");
}

/// A makefile rule that makes an ASCII message catalog from a UTF-8 catalog, for locales without UTF-8.
#[test]
fn a_catalog_through_a_pipeline() {
    if !has("msgfmt") {
        return;
    }
    let bin = bin();
    let script = r#"cat > de.po <<'END'
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

msgid "Size"
msgstr "Größe in €"
END
sed 's/charset=UTF-8/charset=us-ascii/' de.po | iconv -f utf-8 -t ascii//TRANSLIT | msgfmt -o de.mo - &&
sed 's/charset=UTF-8/charset=ISO-8859-1/' de.po | iconv -f utf-8 -t iso-8859-1//TRANSLIT > de.latin1 &&
iconv -f iso-8859-1 -t utf-8 de.latin1 | sed 's/charset=ISO-8859-1/charset=UTF-8/' | msgfmt -o /dev/null - &&
grep -a -c Gr de.mo"#;
    run_call(script, Some(bin.path())).expect(0, "1\n", "");
}

/// An encoding name opens a file only if the name, without its suffixes, is a path: then it names a mapping file. A
/// locale opens no file.
#[cfg(target_os = "linux")]
#[test]
fn names_open_no_file() {
    if !has("strace") {
        return;
    }
    let bin = bin();
    let opened = |name: &str| {
        let script = format!(
            "touch hostile; for o in -f -t; do strace -f -e trace=%file -s 1000 -o log iconv $o \"{name}\" < ascii > /dev/null 2>&1; \
             grep -v execve log | grep -c 'open.*hostile'; done; true"
        );
        run_call(&script, Some(bin.path()))
    };
    for name in ["hostile", "hostile//", "UTF-8//../hostile", "//../hostile"] {
        opened(name).expect(0, "0\n0\n", "");
    }
    // An empty file is opened, but is no mapping.
    opened("./hostile").expect(0, "1\n1\n", "");
    opened("./hostile//TRANSLIT").expect(0, "1\n1\n", "");
    for locale in ["../../hostile.hostile", "en_US.../hostile", "en_US../hostile", "en_US.$PWD/hostile"] {
        let script = format!(
            "touch hostile; strace -f -e trace=%file -s 1000 -o log env LC_ALL={locale} iconv ascii > /dev/null 2>&1; \
             grep -v execve log | grep hostile; true"
        );
        run_call(&script, Some(bin.path())).expect(0, "", "");
    }
}

/// Random words in any order have the same meaning as for glibc's iconv.
#[test]
fn random_command_lines() {
    const WORDS: &str = "-f -t UTF-8 latin1 -flatin1 -tUTF-8 --from-code --from-code=ascii --to=UTF-16LE --t -c -s -sc -csf \
                         -cs -l -o out -oout --output=out --o - -- ascii empty nofile --verbose --verb --silent --s -x \
                         --nons --from -V -? --help --ver --from-code= --- -c= --list=1 -cx -lc -ff -fo -sV -t//TRANSLIT -l-";
    if glibc().is_none() {
        return;
    }
    let bin = bin();
    let words: Vec<_> = WORDS.split_whitespace().collect();
    let mut random = generator();
    for round in 0..150 {
        let line: Vec<_> = (0..1 + random(6)).map(|_| words[random(words.len() as u64) as usize]).collect();
        // Standard input given twice is a listed difference.
        if line.iter().filter(|word| **word == "-").count() > 1 {
            continue;
        }
        let posix = if round % 5 == 0 { "POSIXLY_CORRECT=1 " } else { "" };
        let script = format!("echo in | {posix}iconv {}", line.join(" "));
        let (theirs, ours) = (run_call(&script, None), run_call(&script, Some(bin.path())));
        assert_eq!(ours.status, theirs.status, "{script}\n{theirs:?}\n{ours:?}");
        // Lists and help texts differ.
        let is_own =
            ["Usage: ", "iconv (", "437//"].iter().any(|start| theirs.stdout.starts_with(start.as_bytes()));
        assert!(is_own || ours.stdout == theirs.stdout, "{script}\n{theirs:?}\n{ours:?}");
        assert!(theirs.status != 64 || ours.stderr == theirs.stderr, "{script}\n{theirs:?}\n{ours:?}");
    }
}
