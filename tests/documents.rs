//! The examples of the README and of the man pages run, and do what the text around them promises.
//!
//! UTFCONV_GENERATE=1 renews the output in the README's ```console blocks and the pictures in docs/.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::harness::{dir_with, has, sh, skip};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const README: &str = include_str!("../README.md");

const LETTER: &str = "Sehr geehrte Frau Müller,

vielen Dank für Ihre Bestellung. Die Bücher kosten 25 € und kommen nächste
Woche; die übrigen schicken wir später.

Mit freundlichen Grüßen
Jörg Schäfer
";

/// UTF-8 with one stray byte of windows-1252.
const MENU: &[u8] = b"Name;Price\nCr\xC3\xA8me br\xC3\xBBl\xC3\xA9e;\xE2\x82\xAC5\nCaf\xE9;\xE2\x82\xAC2\n";

/// A zip archive of one empty file with a name in cp866, without its local header.
const ARCHIVE: &[u8] =
    b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
    \xAF\xA8\xE1\xEC\xAC\
    PK\x05\x06\0\0\0\0\x01\0\x01\0\x33\0\0\0\0\0\0\0\0\0";

/// A directory with the files that the examples name.
fn samples() -> TempDir {
    let windows: Vec<u8> = (LETTER.replace('\n', "\r\n").chars())
        .map(|scalar| if scalar == '€' { 0x80 } else { u8::try_from(scalar).expect("windows-1252") })
        .collect();
    let utf16: Vec<u8> =
        "\u{FEFF}".encode_utf16().chain(LETTER.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let notes = [&b"Tables and chairs\n".repeat(11)[..], b"The path is ..\xC0\xAFetc\n"].concat();
    let dir = dir_with(&[
        ("menu.csv", MENU),
        ("menu.utf8.csv", "Crème brûlée;€5\nCafé;€2\n".as_bytes()),
        ("letter.txt", &windows),
        ("export.txt", &utf16),
        ("page.html", "<p>Straße, Café, 5\u{A0}€</p>\r\n<p>Größe".as_bytes()),
        ("menu.rc", &utf16),
        ("core", &[b'x'; 0x2000]),
        ("names.txt", "Cafe\u{301}.txt\n".as_bytes()),
        ("notes.txt", &notes),
        ("letters.zip", ARCHIVE),
    ]);
    let script = "mkdir -p Music/Chansons && echo ogg > Music/Intro.ogg && cd Music/Chansons || exit
        for n in $'\\xC9t\\xE9 indien' $'No\\xEBl' $'D\\xE9j\\xE0 vu'; do echo ogg > \"$n.ogg\"; done; cd ../..
        mkdir src docs && cp letter.txt src/brief.txt && cp export.txt notes.txt page.html docs";
    sh(dir.path(), script).expect(0, "", "");
    dir
}

/// The blocks of a Markdown text that are marked with this word.
fn blocks<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let fence = format!("```{word}\n");
    text.split(&fence).skip(1).map(|rest| rest.split_once("```").expect("the block ends").0).collect()
}

/// Runs a command as a reader would type it; gives its status, and its output and messages in their order.
fn typed(dir: &Path, command: &str) -> (i32, String) {
    let ran = sh(dir, &format!("PATH=\"$(dirname $U):$PATH\"; {{ {command}\n}} 2>&1"));
    (ran.status, String::from_utf8(ran.stdout).expect("UTF-8"))
}

#[test]
fn console_blocks_show_the_real_output() {
    let mut readme = README.to_string();
    let blocks = blocks(README, "console");
    assert!(blocks.len() >= 3);
    for block in blocks {
        let dir = samples();
        let mut real = String::new();
        for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let (_, output) = typed(dir.path(), command);
            real += &format!("$ {command}\n{output}");
        }
        if std::env::var_os("UTFCONV_GENERATE").is_some() {
            readme = readme.replace(block, &real);
        } else {
            assert_eq!(block, real, "run this test with UTFCONV_GENERATE=1, read README.md and commit it");
        }
    }
    if readme != README {
        fs::write(Path::new(ROOT).join("README.md"), readme).expect("written");
    }
}

/// Each command of a ```sh block, its status, and a file with a part of what it holds then.
const COMMANDS: [(&str, i32, &str, &[u8]); 29] = [
    ("utfconv repair <", 0, "repaired.html", "<p>Straße".as_bytes()),
    ("utfconv repair --from-rev", 0, "src/brief.txt", b"25 \x80 und"),
    ("utfconv edit -f windows-1252", 0, "letter.txt", b"25 \x80 und"),
    ("utfconv repair -i --manifest", 1, "docs/page.html", "<p>Straße".as_bytes()),
    ("utfconv -f windows-1252 letter.txt >", 0, "letter.utf8.txt", "25 € und".as_bytes()),
    ("utfconv -f UTF-16 -o", 0, "letter.utf8.txt", "25 € und".as_bytes()),
    ("utfconv --in-place -f auto", 0, "letter.txt", "25 € und".as_bytes()),
    ("utfconv --ill-formed=fallback", 0, "repairs.txt", b"menu.csv:3:4: warning: byte 35: "),
    (
        "utfconv check --rule mixed-newlines=lf,final-newline --fix --diff",
        1,
        "fixes.patch",
        b"\n+<p>Gr\xC3\xB6",
    ),
    (
        "utfconv check --rule mixed-newlines=lf,final-newline --fix .",
        1,
        "page.html",
        "</p>\n<p>Größe\n".as_bytes(),
    ),
    ("utfconv -i -r -f auto --dry-run .", 1, "letter.txt", b"25 \x80 und"),
    ("utfconv -i -r -f auto --diff .", 1, "utf8.patch", b"diff --git a/"),
    ("utfconv --in-place=.orig", 0, "letter.txt.orig", b"25 \x80 und"),
    ("utfconv -i -r -f auto --newline", 0, "src/brief.txt", "ller,\n".as_bytes()),
    ("utfconv -r -f windows-1252", 0, "utf8/src/brief.txt", "25 € und".as_bytes()),
    ("git ls-files", 0, "letter.txt", "25 € und".as_bytes()),
    ("utfconv --input-bom=sniff", 0, "plain.txt", b"Sehr"),
    ("utfconv --output-bom=always", 0, "excel.csv", b"\xEF\xBB\xBFCr"),
    ("utfconv -t latin1", 0, "latin1.html", b"Stra\xDFe, Caf\xE9, 5\xA0&#x20AC;<"),
    ("utfconv --ill-formed=replace", 0, "replaced.csv", "Caf\u{FFFD};€2".as_bytes()),
    ("utfconv -t ascii//TRANSLIT", 0, "ascii.html", b"Strasse, Cafe, 5 EUR<"),
    ("utfconv --newline=lf", 0, "unix.html", "</p>\n<p>Größe\n".as_bytes()),
    ("utfconv --normalize=nfc", 0, "composed.txt", "Café.txt\n".as_bytes()),
    ("utfconv names -f windows-1252", 1, "Music/Intro.ogg", b"ogg"),
    ("utfconv names -i -f auto", 0, "Music/Chansons/Été indien.ogg", b"ogg"),
    ("utfconv names -i --normalize", 0, "docs/page.html", "<p>Straße".as_bytes()),
    ("utfconv names --diff", 1, "patch", b"\nrename to "),
    ("utfconv names --list", 0, "letters.zip", b"PK"),
    ("for range in", 0, "page.utf16", b"<\0p\0>\0S\0"),
];

#[test]
fn shell_blocks_run() {
    let all: Vec<_> = blocks(README, "sh").iter().flat_map(|block| block.lines()).collect();
    let here = |line: &&&str| line.starts_with("cargo ");
    assert_eq!(all.iter().filter(here).count(), 2, "one command for a sample, one for the tests");
    for line in all.iter().filter(|line| !here(line)) {
        let row = COMMANDS.iter().find(|(command, ..)| line.starts_with(command));
        let (_, status, file, part) = row.unwrap_or_else(|| panic!("no row for {line}"));
        if line.starts_with("git ") && !has("git") {
            continue;
        }
        let dir = samples();
        if line.starts_with("git ") {
            sh(dir.path(), "git init -q . && git add letter.txt").expect(0, "", "");
        }
        if line.contains("--from-rev") {
            if !has("git") {
                continue;
            }
            let lose = "git init -q . && git add src && git -c user.name=n -c user.email=e commit -qm Letter
                $U -c -f UTF-8 --ill-formed=replace src/brief.txt > lost; mv lost src/brief.txt";
            sh(dir.path(), lose);
        }
        let (ended, output) = typed(dir.path(), line);
        assert_eq!(ended, *status, "{line}: {output}");
        let content = fs::read(dir.path().join(file)).unwrap_or_else(|_| panic!("{line}: no {file}"));
        assert!(content.windows(part.len()).any(|window| window == *part), "{line}: {content:02X?}");
    }
}

/// The first command of "Try it", by the program that the tests have.
#[test]
fn the_sample_converts() {
    let line = README.lines().find_map(|line| line.strip_prefix("cargo run --release -- "));
    let ran = sh(Path::new(ROOT), &format!("$U {}", line.expect("a command for a sample")));
    ran.expect(0, crate::harness::udhr(), "");
}

/// The README's example in Rust is this one.
#[test]
fn the_library_example_runs() {
    let options = utfconv_core::Options::default();
    let utf16 =
        utfconv_core::convert("café".as_bytes(), &utfconv_core::UTF_8, &utfconv_core::UTF_16LE, &options);
    assert_eq!(utf16.expect("well-formed").output, b"c\0a\0f\0\xE9\0");

    let code = blocks(README, "rust")[0];
    let plain = |text: &str| text.split_whitespace().collect::<String>();
    assert!(plain(include_str!("documents.rs")).contains(&plain(code)), "{code}");
}

/// Beginnings of commands that do not exit with 0 on the samples.
const STATUSES: [(&str, i32); 8] = [
    ("utfconv repair --diff", 1),
    ("utfconv check --write-baseline", 0),
    ("utfconv check -f UTF-16", 0),
    ("utfconv check", 1),
    ("utfconv inspect --around 0x1F40", 0),
    ("utfconv inspect --errors-only -f UTF-16", 0),
    ("utfconv inspect", 1),
    ("utfconv names -f windows-1252", 1),
];

/// The commands under EXAMPLES in a man page, as a reader sees them.
fn examples(page: &str) -> Vec<String> {
    let section = page.split_once("\n.SH EXAMPLES\n").map_or("", |(_, rest)| rest);
    let section = section.split_once("\n.SH ").map_or("", |(section, _)| section);
    let plain = |line: &str| line.replace("\\-", "-").replace("\\(aq", "'").replace("\\(dq", "\"");
    section.lines().filter_map(|line| line.strip_prefix(".B ")).map(plain).collect()
}

/// The program that a command runs, and the one that xargs runs for it.
fn programs_of(command: &str) -> impl Iterator<Item = &str> {
    let mut words = command.split(' ');
    let program = words.next();
    let by_xargs = words.find(|word| program == Some("xargs") && !word.starts_with('-'));
    program.into_iter().chain(by_xargs)
}

#[test]
fn man_page_examples_run() {
    let mut count = 0;
    for entry in fs::read_dir(Path::new(ROOT).join("man")).expect("the directory") {
        let page = entry.expect("an entry").path();
        let text = fs::read_to_string(&page).expect("a page");
        for command in examples(&text) {
            let unquoted = command.split('\'').step_by(2).collect::<Vec<_>>().join("''");
            let mut programs = unquoted.split(" | ").flat_map(programs_of);
            let is_missing = |program: &&str| {
                // xclip needs a display.
                *program == "xclip"
                    || *program != "utfconv"
                        && sh(Path::new("/"), &format!("command -v {program}")).status != 0
            };
            if let Some(program) = programs.find(is_missing) {
                skip(program);
                continue;
            }
            let dir = samples();
            let needs_git = command.starts_with("git ") || command.contains("--from-rev");
            if needs_git && !has("git") {
                continue;
            }
            if needs_git {
                let script = "export GIT_CONFIG_GLOBAL=/dev/null; git init -q . && git add page.html
                    git='git -c user.name=Name -c user.email=name@example.org commit -q -m'
                    $git One && git add letter.txt && $git Two";
                sh(dir.path(), script).expect(0, "", "");
            }
            let (ended, output) = typed(dir.path(), &format!("set -o pipefail; {command}"));
            // The last commit of the repository adds a file with errors.
            let status = if command.starts_with("git ") { "utfconv check" } else { command.as_str() };
            let status = STATUSES.iter().find(|(start, _)| status.starts_with(start)).map_or(0, |row| row.1);
            assert_eq!(ended, status, "{}: {command}: {output}", page.display());
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

/// The pictures in docs/ show what the program prints today.
#[test]
fn pictures_are_up_to_date() {
    if !has("python3") {
        return;
    }
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let docs = Path::new(ROOT).join("docs");
    let made = match std::env::var_os("UTFCONV_GENERATE") {
        Some(_) => docs.as_path(),
        None => scratch.path(),
    };
    sh(&docs, &format!("python3 pictures.py $U '{}'", made.display())).expect(0, "", "");
    for name in ["check.svg", "inspect.svg"] {
        let picture = |dir: &Path| fs::read_to_string(dir.join(name)).expect("a picture");
        assert!(
            picture(made) == picture(&docs),
            "docs/{name} differs: run this test with UTFCONV_GENERATE=1, look at it and commit it"
        );
    }
}

/// Local links of the Markdown pages lead to files.
#[test]
fn links_lead_somewhere() {
    for page in [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "examples/README.md",
        "benches/README.md",
        "docs/git.md",
        "docs/python.md",
    ] {
        let path = Path::new(ROOT).join(page);
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{page} is missing"));
        for link in text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)) {
            let file = link.split('#').next().expect("a first part");
            let found = link.starts_with("https://") || path.with_file_name(file).exists();
            assert!(found, "{page}: {link}");
        }
    }
}

/// Every path that ARCHITECTURE.md names exists.
#[test]
fn the_architecture_names_real_paths() {
    let page = include_str!("../ARCHITECTURE.md");
    let inline = page.split("```").step_by(2).collect::<String>();
    let is_path = |word: &&str| word.contains('/') && !word.contains(' ');
    let paths: Vec<_> = inline.split('`').skip(1).step_by(2).filter(is_path).collect();
    assert!(paths.len() > 40, "{paths:?}");
    for path in paths {
        assert!(Path::new(ROOT).join(path).exists(), "{path}");
    }
}
