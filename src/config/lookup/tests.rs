use tempfile::TempDir;

use super::*;
use crate::config::glob::{self, Glob};
use crate::programs::{command, has};
use crate::testkit::Random;

/// Creates a tree of the given files, whose requirements do not depend on files above it.
fn tree(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("directory");
    write(root.path(), ".editorconfig", "root = true\n");
    files.iter().for_each(|(name, text)| write(root.path(), name, text));
    root
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("parent")).expect("directory");
    fs::write(path, text).expect("file");
}

fn configuration(current: &Path) -> Configuration {
    Configuration::new(current, Purpose::Check, |_, _| Ok(()))
}

/// Returns the requirements as text, such as `UTF-8 bom=Forbid Lf final=Require`.
fn shown(required: &Requirements) -> String {
    let mut words = vec![];
    words.extend(required.encoding.map(|encoding| encoding.name().to_string()));
    words.extend(required.bom.map(|demand| format!("bom={demand:?}")));
    words.extend(required.newline.map(|newline| format!("{newline:?}")));
    words.extend(required.final_newline.map(|demand| format!("final={demand:?}")));
    words.join(" ")
}

fn required(root: &TempDir, name: &str) -> String {
    let configuration = configuration(root.path());
    let required = configuration.of_named(Path::new(name), &mut LastDirectory::default());
    assert_eq!(configuration.problems(), Vec::<String>::new(), "{name}");
    assert_eq!(
        configuration.of_named(&root.path().join(name), &mut LastDirectory::default()),
        required,
        "{name}, absolute"
    );
    shown(&required)
}

/// Returns the problems that looking up a file reports. Looking it up under other names must not report them again.
fn problems(root: &TempDir, name: &str) -> Vec<String> {
    let configuration = configuration(root.path());
    configuration.of_named(Path::new(name), &mut LastDirectory::default());
    let problems = configuration.problems();
    configuration.of_named(&Path::new(name).with_file_name("other"), &mut LastDirectory::default());
    configuration.of_named(&Path::new(".").join(name), &mut LastDirectory::default());
    configuration.of_named(&root.path().join(name), &mut LastDirectory::default());
    assert_eq!(configuration.problems(), problems);
    problems
}

#[test]
fn charsets() {
    for (charset, found) in [
        ("utf-8", "UTF-8 bom=Forbid"),
        ("UTF-8", "UTF-8 bom=Forbid"),
        ("utf-8-bom", "UTF-8 bom=Require"),
        ("latin1", "ISO-8859-1"),
        ("utf-16le", "UTF-16LE"),
        ("utf-16be", "UTF-16BE"),
        ("windows-1252", "windows-1252"),
        ("shift_jis", "Shift_JIS"),
        ("unset", ""),
        ("", ""),
    ] {
        let root = tree(&[("d/.editorconfig", &format!("[*]\nCharset = {charset}\n"))]);
        assert_eq!(required(&root, "d/a.txt"), found, "{charset}");
        assert_eq!(required(&root, "d/e/f/a.txt"), found, "{charset}");
        assert_eq!(required(&root, "a.txt"), "", "{charset}");
    }
}

#[test]
fn newlines() {
    let root = tree(&[(
        "d/.editorconfig",
        "\u{FEFF}# all\n[*]\nend_of_line = lf\r\ninsert_final_newline=TRUE\n\n[*.bat] ; Windows\nEND_OF_LINE = CRLF\n\
         [*.mac]\nend_of_line = cr\ninsert_final_newline = false\n[*.bin]\nend_of_line = unset\nindent_size = 4\n",
    )]);
    assert_eq!(required(&root, "d/a"), "Lf final=Require");
    assert_eq!(required(&root, "d/e/a.bat"), "Crlf final=Require");
    assert_eq!(required(&root, "d/a.mac"), "Cr final=Forbid");
    assert_eq!(required(&root, "d/a.bin"), "final=Require");
}

#[test]
fn nearer_files_and_later_sections_take_precedence() {
    let root = tree(&[
        (
            ".editorconfig",
            "root = true\n[*]\ncharset = utf-8\n[*.c]\nend_of_line = lf\n[*.h]\ncharset = latin1\n",
        ),
        ("d/.editorconfig", "root = false\n[*]\nend_of_line = crlf\n"),
        ("d/r/.editorconfig", "Root = True\n[x/*.c]\ncharset = unset\n[*.c]\nend_of_line = cr\n"),
    ]);
    assert_eq!(required(&root, "a.c"), "UTF-8 bom=Forbid Lf");
    assert_eq!(required(&root, "a.h"), "ISO-8859-1");
    assert_eq!(required(&root, "d/a.c"), "UTF-8 bom=Forbid Crlf");
    assert_eq!(required(&root, "d/e/f/g/a.h"), "ISO-8859-1 Crlf");
    assert_eq!(required(&root, "d/r/a.h"), "");
    assert_eq!(required(&root, "d/r/x/a.c"), "Cr");
}

#[test]
fn names_as_they_are_typed() {
    let root = tree(&[("d/.editorconfig", "[/a]\nend_of_line = lf\n"), ("e/f/.editorconfig", "")]);
    for name in ["d/a", "./d/a", "d/./a", "d/../d/a", "e/f/../../d/a", "../../d/a", "no/such/../../../../d/a"]
    {
        let configuration = configuration(&root.path().join("e/f"));
        let name =
            if name.starts_with("../") || name.starts_with("no/") { name } else { &format!("../../{name}") };
        assert_eq!(
            shown(&configuration.of_named(Path::new(name), &mut LastDirectory::default())),
            "Lf",
            "{name}"
        );
    }
    let configuration = configuration(&root.path().join("d"));
    assert_eq!(shown(&configuration.of_named(Path::new("a"), &mut LastDirectory::default())), "Lf");
    assert_eq!(shown(&configuration.of_named(Path::new("./a"), &mut LastDirectory::default())), "Lf");
    assert_eq!(shown(&configuration.of_named(Path::new("b"), &mut LastDirectory::default())), "");
    // Looks up names that lead to no file, and paths that are too long.
    for name in ["", ".", "..", "/", &"a/".repeat(3000)] {
        configuration.of_named(Path::new(name), &mut LastDirectory::default());
    }
}

#[test]
fn attributes_take_precedence_over_the_charset() {
    let root = tree(&[
        (".editorconfig", "root = true\n[*]\ncharset = utf-8\nend_of_line = lf\n"),
        (".git/info/attributes", "*.info working-tree-encoding=UTF-32LE\n"),
        (
            ".gitattributes",
            "*.txt text working-tree-encoding=UTF-16 eol=lf\n*.le working-tree-encoding=UTF-16LE\n\
             *.bom working-tree-encoding=UTF-16LE-BOM\n*.u working-tree-encoding=UTF-8\n\
             *.l working-tree-encoding=iso-8859-1\n*.info working-tree-encoding=UTF-16\n",
        ),
        ("d/.gitattributes", "b.txt -working-tree-encoding\nc.txt !working-tree-encoding\n"),
        ("n/.git", "gitdir: ../.git/modules/n\n"),
        (".git/modules/n/info/attributes", "*.m working-tree-encoding=latin1\n"),
        ("outside.txt", ""),
    ]);
    assert_eq!(required(&root, "a.txt"), "UTF-16 bom=Require Lf");
    assert_eq!(required(&root, "a.le"), "UTF-16LE bom=Forbid Lf");
    assert_eq!(required(&root, "a.bom"), "UTF-16LE bom=Require Lf");
    assert_eq!(required(&root, "a.u"), "UTF-8 bom=Forbid Lf");
    assert_eq!(required(&root, "a.l"), "ISO-8859-1 Lf");
    assert_eq!(required(&root, "d/a.info"), "UTF-32LE bom=Forbid Lf");
    assert_eq!(required(&root, "d/a.txt"), "UTF-16 bom=Require Lf");
    assert_eq!(required(&root, "d/b.txt"), "UTF-8 bom=Forbid Lf");
    assert_eq!(required(&root, "d/c.txt"), "UTF-8 bom=Forbid Lf");
    // `n` is another repository.
    assert_eq!(required(&root, "n/a.txt"), "UTF-8 bom=Forbid Lf");
    assert_eq!(required(&root, "n/a.m"), "ISO-8859-1 Lf");
}

#[test]
fn attributes_outside_repositories_count_up_to_a_repository() {
    let root = tree(&[
        (".gitattributes", "[attr]wide working-tree-encoding=UTF-16\n* wide\n"),
        ("d/.gitattributes", "b.txt -working-tree-encoding\n"),
        ("r/.git/config", ""),
    ]);
    assert_eq!(required(&root, "a.txt"), "UTF-16 bom=Require");
    assert_eq!(required(&root, "d/a.txt"), "UTF-16 bom=Require");
    assert_eq!(required(&root, "d/b.txt"), "");
    assert_eq!(required(&root, "r/a.txt"), "");
}

#[test]
fn the_attribute_encoding_counts_after_that_of_the_working_tree() {
    let root = tree(&[
        (
            ".gitattributes",
            "*.txt encoding=ISO-8859-2\n*.w encoding=UTF-8 working-tree-encoding=UTF-16LE\n*.n encoding=latin1\nx.n -encoding\n",
        ),
        ("d/.gitattributes", "*.txt working-tree-encoding=UTF-16BE\n"),
        (".editorconfig", "root = true\n[*]\ncharset = utf-8\n"),
    ]);
    assert_eq!(required(&root, "a.txt"), "ISO-8859-2");
    assert_eq!(required(&root, "a.w"), "UTF-16LE bom=Forbid");
    assert_eq!(required(&root, "a.n"), "ISO-8859-1");
    assert_eq!(required(&root, "x.n"), "UTF-8 bom=Forbid");
    assert_eq!(required(&root, "d/a.txt"), "UTF-16BE bom=Forbid");
}

#[test]
fn problems_are_reported_once() {
    let root = tree(&[
        (
            "d/.editorconfig",
            "what\n[*.txt]\ncharset = foo\n[*.c]\nend_of_line = nl\ninsert_final_newline = yes\n = 1\n[]\n",
        ),
        ("d/.git/config", ""),
        (
            "d/.gitattributes",
            "a working-tree-encoding\nb working-tree-encoding=fo\u{7}o\nc working-tree-encoding=UTF-8//IGNORE\n",
        ),
        ("m/.editorconfig", &"?\n".repeat(100)),
        ("l/.editorconfig", &format!("[*]\ncharset = {}\n", "x".repeat(5000))),
        ("b/.editorconfig", &"#".repeat(2 << 20)),
        ("dir/.editorconfig/a", ""),
    ]);
    let known = "use 'utfconv list' to see all";
    assert_eq!(
        problems(&root, "d/a.txt"),
        [
            "d/.editorconfig: line 1: neither a section nor a property".to_string(),
            format!("d/.editorconfig: line 3: [*.txt]: charset = foo: no such encoding; {known}"),
            "d/.editorconfig: line 7: neither a section nor a property".to_string(),
            "d/.editorconfig: line 8: neither a section nor a property".to_string(),
            "d/.gitattributes: line 1: working-tree-encoding: no encoding is given".to_string(),
            format!("d/.gitattributes: line 2: working-tree-encoding=fo\\u{{7}}o: no such encoding; {known}"),
            "d/.gitattributes: line 3: working-tree-encoding=UTF-8//IGNORE: no such encoding".to_string(),
        ]
    );
    // Problems in a section are reported only for its files.
    let of_c = problems(&root, "d/a.c");
    assert_eq!(
        of_c[1..3],
        [
            "d/.editorconfig: line 5: [*.c]: end_of_line = nl: neither lf, crlf nor cr",
            "d/.editorconfig: line 6: [*.c]: insert_final_newline = yes: neither true nor false",
        ]
    );
    let many = problems(&root, "m/a");
    let last = "m/.editorconfig: line 8: neither a section nor a property (and 92 more problems)";
    assert_eq!((many.len(), many.last().map(String::as_str)), (8, Some(last)));
    assert!(problems(&root, "l/a")[0].len() < 200);
    assert_eq!(problems(&root, "b/a"), ["b/.editorconfig: longer than 1 MiB"]);
    assert_eq!(problems(&root, "dir/a"), ["dir/.editorconfig: not a regular file"]);
    fs::write(root.path().join("b/.editorconfig"), b"[*]\ncharset = \xFF\n").expect("file");
    assert_eq!(problems(&root, "b/a"), ["b/.editorconfig: not UTF-8"]);
}

#[cfg(unix)]
#[test]
fn pipes_and_links() {
    let root = tree(&[
        ("d/.git/config", ""),
        ("e/config", "[*]\nend_of_line = lf\n"),
        ("attributes", "a working-tree-encoding=UTF-16\n"),
    ]);
    for name in [".editorconfig", ".gitattributes"] {
        nix::unistd::mkfifo(&root.path().join("d").join(name), nix::sys::stat::Mode::S_IRWXU).expect("pipe");
    }
    assert_eq!(
        problems(&root, "d/a"),
        ["d/.editorconfig: not a regular file", "d/.gitattributes: not a regular file"]
    );
    std::os::unix::fs::symlink("config", root.path().join("e/.editorconfig")).expect("link");
    fs::create_dir(root.path().join("e/.git")).expect("directory");
    assert_eq!(required(&root, "e/a"), "Lf");
    std::os::unix::fs::symlink("../attributes", root.path().join("e/.gitattributes")).expect("link");
    assert_eq!(problems(&root, "e/a"), ["e/.gitattributes: not a regular file"]);
}

#[test]
fn memory_is_by_directory_and_shared() {
    let root = tree(&[("d/.editorconfig", "[*]\nend_of_line = lf\n")]);
    let configuration = configuration(root.path());
    for number in 0..1000 {
        configuration.of_named(Path::new(&format!("d/e/f/{number}")), &mut LastDirectory::default());
    }
    let known = configuration.known();
    let above = root.path().ancestors().count();
    assert_eq!(known.directories.len(), above + ["", "d", "d/e", "d/e/f"].len());
    let configs = |name: &str| known.directories[Path::new(name)].configs.clone().expect("config");
    assert!(Arc::ptr_eq(&configs("d"), &configs("d/e/f")));
}

/// Globs and names that match them or not, except those that the C core treats differently.
const GLOBS: &[(&str, &str)] = &[
    ("*.txt", "a.txt d/a.txt a.txtx .txt"),
    ("*", "a d/a .hidden"),
    ("**", "a d/e/a"),
    ("a*c", "ac abc a/c"),
    ("a**c", "ac abc a/x/c x/ac"),
    ("*a*b*c", "xaybzc abc acb"),
    ("a?c", "abc ac a/c"),
    ("[ab].c", "a.c b.c c.c d/a.c"),
    ("[!a].c", "a.c b.c"),
    ("[!ab].c", "a.c b.c c.c"),
    ("[a-c].c", "a.c b.c d.c"),
    ("[!a-c].c", "b.c d.c"),
    ("[a-c0-9_].c", "b.c 5.c _.c -.c"),
    ("{a,b}.c", "a.c b.c c.c"),
    ("{Makefile*,README*}", "Makefile.in README.md README d/README.md"),
    ("{*.md,*.txt}", "a.md a.txt a.c"),
    ("{dist/*.js,lib/*.js}", "lib/a.js dist/a.js x/lib/a.js"),
    ("{src,test}/**", "src/a test/x/y/a x/src/a src"),
    ("{a,b}*/*.c", "a1/x.c b1/x.c c/x.c"),
    ("a*/**", "a1/b2/c3 a1/b b/c"),
    ("a*/**.c", "a1/b2/c3.c a1/b.c"),
    ("**/a*/b", "x/a1/b a1/b b"),
    ("**/a.c", "a.c d/a.c d/e/a.c da.c"),
    ("d/**/a.c", "d/a.c d/e/a.c d/e/f/a.c dx/a.c"),
    ("/a.c", "a.c d/a.c"),
    ("d/*.c", "d/a.c x/d/a.c d/e/a.c"),
    ("d/", "d/a d"),
    ("{single}.c", "{single}.c single.c"),
    ("{}.c", "{}.c .c"),
    ("a{b,}c", "abc ac axc"),
    ("a{,b}", "a ab"),
    ("a{b,{c,d}}e", "abe ace ade ae"),
    ("{a*{b,c},d}.c", "axb.c axc.c d.c ax.c"),
    ("{a,b", "{a,b a"),
    ("*.{js,ts}x", "a.jsx a.tsx a.js"),
    ("*.{a,b}.*", "x.b.y x.c.y"),
    ("file{1..10}", "file1 file10 file11 file0 file05 file"),
    ("file{100..110}", "file105 file99 file5"),
    ("file{-3..3}", "file-2 file-4 file2"),
    ("{1..3}{4..6}", "15 51"),
    ("{1..x}", "{1..x}"),
    ("\\*.c", "*.c a.c"),
    ("a\\{b", "a{b"),
    ("\\[a].c", "[a].c a.c"),
    ("a,b", "a,b a"),
    ("\u{E9}?{\u{E9},x}", "\u{E9}a\u{E9} eax"),
];

#[test]
fn globs_as_the_c_core() {
    let root = tree(&[]);
    let is_there = has("editorconfig");
    let mut differences = vec![];
    for (glob, names) in GLOBS {
        write(root.path(), ".editorconfig", &format!("root = true\n[{glob}]\nend_of_line = lf\n"));
        for name in names.split(' ') {
            let has = Glob::new(glob).has(&glob::Name::new(name));
            if is_there {
                let run = command("editorconfig").arg(root.path().join(name)).output().expect("run");
                if has != (run.stdout == b"end_of_line=lf\n") {
                    differences.push(format!("[{glob}] {name}: {has}"));
                }
            }
            assert_eq!(required(&root, name) == "Lf", has, "[{glob}] {name}");
        }
    }
    assert_eq!(differences, Vec::<String>::new());
}

#[test]
fn globs_beyond_the_c_core() {
    for (glob, name, has) in [
        ("?.c", "\u{E9}.c", true),
        ("??.c", "\u{E9}.c", false),
        ("[\u{E9}].c", "\u{E9}.c", true),
        ("[!a].c", "\u{1F600}.c", true),
        ("a[!b]c", "a/c", false),
        ("[ab", "[ab", true),
        ("[]a].c", "].c", true),
        ("a[/b]c", "a[/b]c", true),
        ("x[a-]", "x-", true),
        ("", "a", false),
        ("\\", "\\", true),
        ("file{-3..3}", "file0", true),
        ("file{10..1}", "file5", true),
    ] {
        assert_eq!(Glob::new(glob).has(&glob::Name::new(name)), has, "[{glob}] {name}");
    }
}

/// Looking many globs up by their endings gives the same matches as comparing the name with each.
#[test]
fn globs_are_found_by_their_endings() {
    let parts = [
        "a", "b", "/", "*", "**", "?", ".c", "[ab]", "[!a]", "{a,b}", "{a*,.c}", "{,b}", "{1..3}", "\\*",
        "2", "é",
    ];
    let mut random = Random(5);
    let text = |random: &mut Random, parts: &[&str]| -> String {
        (0..1 + random.below(5)).map(|_| random.one(parts).to_string()).collect()
    };
    let mut matched = 0;
    for _ in 0..300 {
        let texts: Vec<_> = (0..12).map(|_| text(&mut random, &parts)).collect();
        let globs = || texts.iter().map(|text| Glob::new(text));
        let found = glob::Globs::new(globs().collect());
        for _ in 0..20 {
            let name = text(&mut random, &["a", "b", "/", ".c", "2", "é", "*"]);
            let name = glob::Name::new(name.trim_matches('/'));
            let expected: Vec<_> =
                globs().enumerate().filter(|(_, glob)| glob.has(&name)).map(|(number, _)| number).collect();
            matched += expected.len();
            assert_eq!(found.matching(&name), expected, "{texts:?}");
        }
    }
    assert!(matched > 1000, "{matched}");
}

#[test]
fn no_glob_takes_long_or_overflows_the_stack() {
    let name = &"a".repeat(250);
    for (part, end) in [
        ("*a", "b"),
        ("**", "b"),
        ("{a,*a}", "b"),
        ("{a,", ""),
        ("[", ""),
        ("{1..9}", ""),
        ("[!-\u{10FFFF}]", "b"),
    ] {
        assert!(!Glob::new(&(part.repeat(4096 / part.len()) + end)).has(&glob::Name::new(name)), "{part}");
    }
    let nested = "{a,".repeat(1000) + &"}".repeat(1000);
    assert!(Glob::new(&nested).has(&glob::Name::new("a")));
}

/// Patterns of .gitattributes, and names to match.
#[rustfmt::skip]
const PATTERNS: &[&str] = &[
    "*.txt", "a?.c", "[ab].d", "[!ab].e", "[a-c]x.f", "/top.g", "sub/x.h", "/sub/y.h", "**/deep.i",
    "sub/**/z.j", "sub/**", "dir/", "!neg.k", "\"a b.l\"", "\"q\\\"\\164.l\"", "\\#x.m", "\"#y.m\"",
    "*.n ", "\ttab.o", "#c.p", "*.{q,r}", "\\*.s", "\u{E9}*.t", "*", "**", "a/**/b", "[ab",
    "*/one.u", "x\\y.v", "[^a].w", "\"sp \"",
];
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "a.txt", "sub/a.txt", ".txt", "ab.c", "abc.c", "a.d", "c.d", "c.e", "a.e", "bx.f", "top.g",
    "sub/top.g", "sub/x.h", "sub/sub/x.h", "sub/y.h", "deep.i", "sub/e/deep.i", "sub/z.j",
    "sub/e/f/z.j", "dir/a", "neg.k", "!neg.k", "a b.l", "q\"t.l", "#x.m", "#y.m", "a.n", "tab.o",
    "c.p", "a.q", "a.{q,r}", "*.s", "a.s", "\u{E9}a.t", "a/b", "a/x/b", "a/x/y/b", "[ab", "d/one.u",
    "one.u", "d/e/one.u", "xy.v", "x\\y.v", "b.w", "a.w", "sp ", "sp",
];

const ENCODING: &str = "working-tree-encoding";

/// Returns texts of .gitattributes: each pattern alone, and lines that affect each other.
fn attributes_files() -> impl Iterator<Item = String> {
    let encoding = ENCODING;
    let one_by_one = PATTERNS.iter().map(move |pattern| format!("{pattern} {encoding}=UTF-16LE text\n"));
    one_by_one.chain([
        format!(
            "* {encoding}=UTF-16\n*.txt -{encoding}\nsub/* {encoding}=UTF-32BE\n*.c {encoding}=UTF-16BE {encoding}=UTF-16LE\n"
        ),
        format!(
            "[attr]wide {encoding}=UTF-16LE\n[attr]wider wide diff\n*.txt wide\n*.c wider\n*.e {encoding}=UTF-16 wide\n"
        ),
        format!(
            "  *.txt\t{encoding}=UTF-16LE\r\n\u{E9}a.t {encoding}=UTF-16BE\n{} {encoding}=UTF-16\n",
            "?".repeat(2048)
        ),
        format!(
            "\u{FEFF}*.txt {encoding}=UTF-16LE\n*.c {encoding}=\n*.d {encoding}=UTF-16LE\n*.d !{encoding}\n"
        ),
    ])
}

/// Returns the encoding of each name in `NAMES` as git reports it.
fn encodings_of_git(root: &Path) -> Vec<Option<String>> {
    let git = |args: &[&str]| {
        let run = command("git")
            .current_dir(root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("HOME", root)
            .env("XDG_CONFIG_HOME", root)
            .args(args)
            .output()
            .expect("git");
        assert!(run.status.success(), "{run:?}");
        String::from_utf8(run.stdout).expect("UTF-8")
    };
    git(&["init", "-q"]);
    let answers = git(&[&["check-attr", "-z", ENCODING, "--"], NAMES].concat());
    let values = answers.split_terminator('\0').skip(2).step_by(3);
    let known = values.map(|value| Some(value).filter(|value| !["unspecified", "unset", ""].contains(value)));
    known.map(|value| value.map(str::to_string)).collect()
}

#[test]
fn attributes_as_git() {
    if !has("git") {
        return;
    }
    let mut differences = vec![];
    for attributes in attributes_files() {
        let root = tree(&[
            (".gitattributes", &attributes),
            ("sub/.gitattributes", "top.g working-tree-encoding=UTF-32LE\n"),
        ]);
        let expected = encodings_of_git(root.path());
        assert_eq!(expected.len(), NAMES.len());
        for (name, expected) in NAMES.iter().zip(expected) {
            let found = configuration(root.path())
                .of_named(Path::new(name), &mut LastDirectory::default())
                .encoding
                .map(|encoding| encoding.name().to_string());
            if found != expected {
                differences.push(format!("{attributes:?} {name}: {found:?}, git: {expected:?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}
