//! Runs the examples of README.md, of docs/ and of the man pages, and checks that they do what the text says.
//!
//! UTFCONV_GENERATE=1 renews the output in the ```console blocks of README.md and docs/, and the pictures.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::harness::{commands, has, sh, skip};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const README: &str = include_str!("../README.md");

/// Creates a directory with the files that the examples name.
fn samples() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let script = format!("PATH=\"$(dirname $U):$PATH\" sh '{ROOT}/docs/samples.sh'");
    sh(dir.path(), &script).expect(0, "", "");
    dir
}

/// Returns the blocks of a Markdown text whose language is `word`.
fn blocks<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let fence = format!("```{word}\n");
    text.split(&fence).skip(1).map(|rest| rest.split_once("```").expect("the block ends").0).collect()
}

/// Runs a command as a reader would type it. Returns its status, and its output and messages in the order in which a
/// terminal shows them, without CR.
fn typed(dir: &Path, command: &str) -> (i32, String) {
    let setup = "export PATH=\"$(dirname $U):$PATH\" GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Name
        export GIT_AUTHOR_EMAIL=name@example.org GIT_COMMITTER_NAME=Name GIT_COMMITTER_EMAIL=name@example.org";
    let ran = sh(dir, &format!("{setup}; {{ {command}\n}} 2>&1"));
    let mut output = String::from_utf8(ran.stdout).expect("UTF-8").replace('\r', "");
    if !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    (ran.status, output)
}

/// Returns the paths of README.md and of the pages of docs/, relative to the root.
fn pages() -> Vec<String> {
    let docs = fs::read_dir(Path::new(ROOT).join("docs")).expect("the directory");
    let names = docs.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let mut pages: Vec<_> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    pages.push("README.md".to_string());
    pages.sort();
    pages
}

/// Returns a ```console block with the current output of its commands, or `None` if a program is missing.
fn replayed(block: &str) -> Option<String> {
    for program in ["git", "python3"] {
        if block.contains(&format!("$ {program} ")) && !has(program) {
            return None;
        }
    }
    let dir = samples();
    let commands = block.lines().filter_map(|line| line.strip_prefix("$ "));
    Some(commands.map(|command| format!("$ {command}\n{}", typed(dir.path(), command).1)).collect())
}

#[test]
fn console_blocks_show_the_real_output() {
    let (mut ran, mut not_run) = (0, Vec::new());
    for page in pages() {
        let path = Path::new(ROOT).join(&page);
        let text = fs::read_to_string(&path).expect("a page");
        let mut renewed = text.clone();
        let found = blocks(&text, "console");
        let marked = text.lines().filter(|line| line.trim_start().starts_with("```console")).count();
        assert_eq!(found.len(), marked, "{page}: blocks that are found, and marked");
        for block in found {
            let Some(real) = replayed(block) else {
                not_run.push(format!("{page}: {}", block.lines().next().unwrap_or_default()));
                continue;
            };
            ran += 1;
            if std::env::var_os("UTFCONV_GENERATE").is_some() {
                renewed = renewed.replace(block, &real);
            } else {
                assert_eq!(block, real, "run .ci/generate, read {page} and commit it");
            }
        }
        if renewed != text {
            fs::write(&path, renewed).expect("written");
        }
    }
    // A block is not run if its program is missing.
    assert!(ran >= 30 && ran + not_run.len() >= 60, "{ran} blocks ran, and these did not: {not_run:#?}");
}

/// Start of each command in a ```sh block, its status, a file, and a part of the file's content after the command.
const COMMANDS: [(&str, i32, &str, &[u8]); 17] = [
    ("utfconv -i -r -f auto --manifest", 0, "src/brief.txt", "25 € und".as_bytes()),
    ("utfconv check --tracked", 1, "letter.txt", b"25 \x80 und"),
    ("utfconv repair <", 0, "repaired.html", "<p>Straße".as_bytes()),
    ("utfconv repair --from-rev", 0, "src/brief.txt", b"25 \x80 und"),
    ("utfconv edit -f windows-1252", 0, "letter.txt", b"25 \x80 und"),
    ("utfconv repair -i --manifest", 1, "docs/page.html", "<p>Straße".as_bytes()),
    ("utfconv -f windows-1252 letter.txt >", 0, "letter.utf8.txt", "25 € und".as_bytes()),
    ("utfconv -f UTF-16 -o", 0, "letter.utf8.txt", "25 € und".as_bytes()),
    ("utfconv --in-place=.bak -f auto", 0, "letter.txt", "25 € und".as_bytes()),
    ("utfconv -r -f auto --output-dir=out", 0, "out/src/brief.txt", "25 € und".as_bytes()),
    ("utfconv -i -r -f auto --declaration=update --manifest", 0, "src/brief.txt", "25 € und".as_bytes()),
    ("utfconv check --rule bom=forbid", 1, "fixes.patch", b"\n+<p>Gr\xC3\xB6"),
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
    ("utfconv check --rule security", 1, "addon.js", b"p\xD0\xB0yload"),
    ("utfconv check --staged", 1, "letter.txt", b"25 \x80 und"),
    ("for range in", 0, "page.utf16", b"<\0p\0>\0S\0"),
];

#[test]
fn shell_blocks_run() {
    let texts: Vec<_> =
        pages().iter().map(|page| fs::read_to_string(Path::new(ROOT).join(page)).expect("a page")).collect();
    let all: Vec<_> = texts.iter().flat_map(|text| blocks(text, "sh")).flat_map(str::lines).collect();
    let here = |line: &&&str| line.starts_with("cargo ") && !line.starts_with("cargo install ");
    assert_eq!(all.iter().filter(here).count(), 2, "one command for a sample, one for the tests");
    let mut unused: Vec<_> = COMMANDS.iter().map(|row| row.0).collect();
    for line in all.iter().filter(|line| !line.starts_with("cargo ")) {
        let row = COMMANDS.iter().find(|(command, ..)| line.starts_with(command));
        let (command, status, file, part) = row.unwrap_or_else(|| panic!("no row for {line}"));
        unused.retain(|other| other != command);
        let dir = samples();
        let needs_git = ["--from-rev", "--staged", "--tracked"].iter().any(|option| line.contains(option));
        if needs_git && !has("git") {
            continue;
        }
        if needs_git {
            let (ended, output) = typed(dir.path(), "git init -q . && git add src && git commit -qm Letter");
            assert_eq!(ended, 0, "{output}");
        }
        if line.contains("--from-rev") {
            sh(dir.path(), "$U -c --ill-formed=replace src/brief.txt > lost; mv lost src/brief.txt");
        }
        if line.contains("--staged") {
            sh(dir.path(), "git add letter.txt").expect(0, "", "");
        }
        let (ended, output) = typed(dir.path(), line);
        assert_eq!(ended, *status, "{line}: {output}");
        let content = fs::read(dir.path().join(file)).unwrap_or_else(|_| panic!("{line}: no {file}"));
        assert!(content.windows(part.len()).any(|window| window == *part), "{line}: {content:02X?}");
    }
    assert!(unused.is_empty(), "no document has these: {unused:#?}");
}

/// In the table "with iconv, with utfconv", the command of each cell "`COMMAND` → `OUTPUT`" prints the output.
#[test]
fn the_table_beside_iconv_shows_the_real_output() {
    let page = include_str!("../docs/compare.md");
    let (_, table) = page.split_once("| task | with iconv | with utfconv |\n").expect("the table");
    let mut count = 0;
    for cell in
        table.lines().skip(1).take_while(|line| line.starts_with('|')).flat_map(|row| row.split(" | "))
    {
        let Some((command, shown)) = cell.split_once(" → ") else { continue };
        let command = command.trim_matches('`');
        if command.starts_with("iconv ") && !has("iconv") {
            continue;
        }
        let (_, output) = typed(samples().path(), &format!("{command} > out; cat out"));
        match shown.strip_prefix('`').and_then(|shown| shown.split_once('`')) {
            Some((text, _)) => assert!(output.contains(text), "{command}: {output}"),
            None => assert!(shown.starts_with("no error") && output.is_empty(), "{command}: {output}"),
        }
        count += 1;
    }
    assert!(count >= 6, "{count}");
}

/// Readers stop at the end of a short page at most, so each page has a maximum length.
#[test]
fn documents_are_short() {
    let lines = |path: &str| fs::read_to_string(Path::new(ROOT).join(path)).expect("a text").lines().count();
    for (path, most) in [("README.md", 120), ("man/utfconv.1", 500)] {
        assert!(lines(path) <= most, "{path} has {} lines, at most {most}", lines(path));
    }
    // A release adds a section.
    for changes in include_str!("../CHANGELOG.md").split("\n## ").skip(1) {
        let count = changes.lines().count();
        assert!(count <= 36, "{count} lines of CHANGELOG.md are of {:?}, at most 36", changes.lines().next());
    }
    let help = typed(Path::new(ROOT), "utfconv -h").1;
    assert!(help.lines().count() <= 45, "{help}");
    let cookbook = include_str!("../docs/cookbook.md");
    assert!(cookbook.lines().filter(|line| line.starts_with("### ")).count() >= 40);
}

/// The help ends with three examples, which run.
#[test]
fn the_help_ends_with_examples() {
    let (_, help) = typed(Path::new(ROOT), "utfconv -h");
    let (_, examples) = help.split_once("Examples:\n").expect("examples");
    assert_eq!(examples.lines().count(), 3, "{examples}");
    for line in examples.lines() {
        let command = line.strip_prefix("  ").expect("a command");
        let (status, output) = typed(samples().path(), command);
        let expected = if command.starts_with("utfconv check") { 1 } else { 0 };
        assert_eq!(status, expected, "{command}: {output}");
    }
}

/// Lines of help texts must fit a terminal, because clap wraps longer lines and leaves a word or two on the next line.
#[test]
fn lines_of_helps_are_not_broken() {
    for command in commands().into_iter().chain([String::new()]) {
        for option in ["-h", "--help"] {
            let (_, help) = typed(Path::new(ROOT), &format!("utfconv {command} {option}"));
            let lines: Vec<_> = help.lines().collect();
            for line in &lines {
                assert!(line.len() <= 100, "{command} {option}: {line}");
            }
            // A short line between two lines of text that does not end a sentence is the rest of a wrapped line.
            let is_text = |line: &str| !line.is_empty() && !line.starts_with(' ');
            let is_rest = |three: &&[&str]| {
                three.iter().all(|line| is_text(line))
                    && three[1].len() < 40
                    && !three[1].ends_with(['.', ':'])
            };
            let rest = lines.windows(3).find(is_rest);
            assert!(rest.is_none(), "{command} {option}: {rest:?}");
        }
    }
}

/// The first command of "Try it" runs, here with the program under test.
#[test]
fn the_sample_converts() {
    let line = README.lines().find_map(|line| line.strip_prefix("cargo run --release -- "));
    let ran = sh(Path::new(ROOT), &format!("$U {}", line.expect("a command for a sample")));
    ran.expect(0, crate::harness::udhr(), "");
}

/// Starts of commands, and their exit statuses on the samples. Other commands exit with 0.
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

/// Returns the commands under EXAMPLES in a man page, with roff escapes replaced.
fn examples(page: &str) -> Vec<String> {
    let section = page.split_once("\n.SH EXAMPLES\n").map_or("", |(_, rest)| rest);
    let section = section.split_once("\n.SH ").map_or("", |(section, _)| section);
    let plain = |line: &str| line.replace("\\-", "-").replace("\\(aq", "'").replace("\\(dq", "\"");
    section.lines().filter_map(|line| line.strip_prefix(".B ")).map(plain).collect()
}

/// Returns the program that a command runs, and the program that xargs runs for it.
fn programs_of(command: &str) -> impl Iterator<Item = &str> {
    let mut words = command.split(' ');
    let program = words.next();
    let by_xargs = words.find(|word| program == Some("xargs") && !word.starts_with('-'));
    program.into_iter().chain(by_xargs)
}

#[test]
fn man_page_examples_run() {
    let (mut ran, mut not_run) = (0, Vec::new());
    for entry in fs::read_dir(Path::new(ROOT).join("man")).expect("the directory") {
        let page = entry.expect("an entry").path();
        let text = fs::read_to_string(&page).expect("a page");
        let commands = examples(&text);
        // The examples of utfconv.toml are settings, not commands.
        let shows_commands = text.contains("\n.SH EXAMPLES\n") && !page.ends_with("utfconv.toml.5");
        assert_eq!(!commands.is_empty(), shows_commands, "{}", page.display());
        for command in commands {
            let unquoted = command.split('\'').step_by(2).collect::<Vec<_>>().join("''");
            let mut programs = unquoted.split(" | ").flat_map(programs_of);
            let is_missing = |program: &&str| {
                // xclip requires a display.
                *program == "xclip"
                    || *program != "utfconv"
                        && sh(Path::new("/"), &format!("command -v {program}")).status != 0
            };
            if let Some(program) = programs.find(is_missing) {
                skip(program);
                not_run.push(command);
                continue;
            }
            let dir = samples();
            let needs_git = command.starts_with("git ")
                || command.contains("--from-rev")
                || command.contains("--history");
            if needs_git && !has("git") {
                not_run.push(command);
                continue;
            }
            if needs_git {
                let script = "git init -q . && git add page.html && git commit -qm One
                    git add letter.txt && git commit -qm Two";
                assert_eq!(typed(dir.path(), script), (0, String::new()));
            }
            let (ended, output) = typed(dir.path(), &format!("set -o pipefail; {command}"));
            // The last commit of the sample repository adds a file with errors, so checks in it exit with 1.
            let status = if command.starts_with("git ") { "utfconv check" } else { command.as_str() };
            let status = STATUSES.iter().find(|(start, _)| status.starts_with(start)).map_or(0, |row| row.1);
            assert_eq!(ended, status, "{}: {command}: {output}", page.display());
            ran += 1;
        }
    }
    assert!(ran >= 20, "{ran} examples ran, and these did not: {not_run:#?}");
}

/// The pictures in docs/ show the current output of the program.
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
    for name in ["check.svg", "check-light.svg", "inspect.svg", "inspect-light.svg"] {
        let picture = |dir: &Path| fs::read_to_string(dir.join(name)).expect("a picture");
        assert!(
            picture(made) == picture(&docs),
            "docs/{name} differs: run .ci/generate, look at it and commit it"
        );
    }
}

/// Texts name the number of encodings that `list` prints, without those of the Encoding Standard.
#[test]
fn the_number_of_encodings_is_right() {
    let count = sh(Path::new(ROOT), "$U list | grep -vc ^whatwg:").stdout;
    let count = format!("{} encodings", str::from_utf8(&count).expect("text").trim());
    let texts = [README, include_str!("../Cargo.toml")];
    assert!(texts.iter().all(|text| text.contains(&count)), "expected {count}");
}

/// Local links of the Markdown pages lead to existing files.
#[test]
fn links_lead_somewhere() {
    let others =
        ["CONTRIBUTING.md", "ARCHITECTURE.md", "examples/README.md", "benches/README.md"].map(String::from);
    for page in pages().into_iter().chain(others) {
        let path = Path::new(ROOT).join(&page);
        let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{page} is missing"));
        for link in text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0)) {
            let file = link.split('#').next().expect("a first part");
            let found = link.starts_with("https://") || path.with_file_name(file).exists();
            assert!(found, "{page}: {link}");
        }
    }
}

/// Every path in ARCHITECTURE.md exists.
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
