//! Tests that the files in man/ and completions/ are up to date with the option tables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::harness::{commands, has, possible_values, run, sh};

/// Commands that print a generated file other than a man page, and the file.
const FILES: [(&str, &str); 6] = [
    ("check --config-schema", "docs/utfconv.schema.json"),
    ("completions bash", "completions/utfconv.bash"),
    ("completions zsh", "completions/_utfconv"),
    ("completions fish", "completions/utfconv.fish"),
    ("completions powershell", "completions/_utfconv.ps1"),
    ("completions elvish", "completions/utfconv.elv"),
];

/// Returns the commands that print the man pages, with the program's own page first.
fn pages() -> Vec<String> {
    let words = possible_values("man").into_iter().map(|word| format!("man {word}"));
    std::iter::once("man".to_string()).chain(words).collect()
}

/// Returns the name and the section of a page, such as `utfconv-check` and `1`.
fn title(page: &str) -> (String, &str) {
    let title = page.lines().find_map(|line| line.strip_prefix(".TH ")).expect("a title");
    let [name, section] = title.splitn(3, ' ').collect::<Vec<_>>()[..2] else { panic!("{title}") };
    (name.replace("\\-", "-").to_lowercase(), section)
}

fn printed(command: &str) -> String {
    let ran = run(&command.split_whitespace().collect::<Vec<_>>(), "");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{command}");
    String::from_utf8(ran.stdout).expect("text")
}

/// If this test fails, run it with UTFCONV_GENERATE=1 to renew the files.
#[test]
fn committed_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = pages().into_iter().map(|command| {
        let page = printed(&command);
        let (name, section) = title(&page);
        (format!("man/{name}.{section}"), page)
    });
    let others = FILES.map(|(command, file)| (file.to_string(), printed(command)));
    let all: Vec<_> = pages.chain(others).collect();
    for (file, made) in &all {
        if std::env::var_os("UTFCONV_GENERATE").is_some() {
            std::fs::write(root.join(file), made).expect("writes");
        }
        let committed = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(*made == committed, "{file} differs: run .ci/generate and commit it");
    }
    // Each shell has a file, and each file is printed by a command.
    let shells = FILES.iter().filter_map(|(command, _)| command.strip_prefix("completions "));
    assert_eq!(
        shells.map(str::to_string).collect::<BTreeSet<_>>(),
        possible_values("completions").into_iter().collect()
    );
    for directory in ["man", "completions"] {
        for entry in std::fs::read_dir(root.join(directory)).expect("a directory") {
            let file = format!("{directory}/{}", entry.expect("an entry").file_name().display());
            assert!(all.iter().any(|(made, _)| *made == file), "nothing prints {file}");
        }
    }
}

/// All section headings of man pages. A page has some of the sections, in this order.
const SECTIONS: [&str; 25] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "EXAMPLES",
    "COMMANDS",
    "OPTIONS",
    "RULES",
    "KEYS",
    "EXIT STATUS",
    "ENVIRONMENT",
    "REPORT",
    "ERRORS",
    "BOM",
    "DECLARATIONS",
    "FILES",
    "RANGES",
    "NORMALIZATION",
    "SECURITY",
    "CAVEATS",
    "STANDARDS",
    "ENCODINGS",
    "BOM NAMES",
    "SUFFIXES",
    "DETECTION",
    "SEE ALSO",
];

/// Sections that every page has.
const OF_ALL: [&str; 3] = ["NAME", "DESCRIPTION", "SEE ALSO"];
/// Sections that the page of every command has.
const OF_COMMANDS: [&str; 3] = ["SYNOPSIS", "OPTIONS", "EXIT STATUS"];

/// Further sections that a page must have; a page that is not listed has `EXAMPLES`.
const REQUIRED: [(&str, &[&str]); 17] = [
    ("man", &["EXAMPLES", "COMMANDS", "ENVIRONMENT"]),
    ("man check", &["EXAMPLES", "RULES", "ENVIRONMENT", "REPORT", "FILES", "RANGES", "CAVEATS", "STANDARDS"]),
    ("man detect", &["EXAMPLES", "REPORT", "CAVEATS"]),
    ("man edit", &["EXAMPLES", "ENVIRONMENT"]),
    ("man git-filter", &[]),
    ("man inspect", &["EXAMPLES", "ENVIRONMENT", "REPORT"]),
    ("man names", &["EXAMPLES", "ENVIRONMENT", "REPORT", "FILES", "SECURITY", "CAVEATS"]),
    ("man repair", &["EXAMPLES", "ENVIRONMENT", "REPORT"]),
    ("man list", &["EXAMPLES"]),
    ("man textconv", &["EXAMPLES"]),
    ("man iconv", &["EXAMPLES", "ENVIRONMENT", "ERRORS", "CAVEATS"]),
    ("man config", &["EXAMPLES", "KEYS", "SECURITY", "CAVEATS"]),
    ("man encodings", &["ENCODINGS", "BOM NAMES", "SUFFIXES", "DETECTION"]),
    ("man errors", &["ERRORS", "SECURITY"]),
    ("man text", &["BOM", "DECLARATIONS", "NORMALIZATION", "CAVEATS", "STANDARDS"]),
    ("man batch", &["EXAMPLES", "FILES"]),
    ("man ranges", &["RANGES"]),
];

/// Returns a page without roff escapes, to search for option names.
fn shown(page: &str) -> String {
    page.replace("\\-", "-").replace("\\fI", "").replace("\\fB", "").replace("\\fR", "")
}

#[test]
fn the_man_pages_have_their_sections_in_order() {
    let pages = pages();
    for (kind, _) in REQUIRED {
        assert!(pages.iter().any(|page| page == kind), "there is no {kind}");
    }
    for kind in &pages {
        let page = printed(kind);
        let headings = page.lines().filter_map(|line| line.strip_prefix(".SH "));
        let headings: Vec<_> = headings.map(|name| name.trim_matches('"')).collect();
        let is_command = title(&page).1 == "1";
        let is_base =
            |section: &str| OF_ALL.contains(&section) || is_command && OF_COMMANDS.contains(&section);
        let own = REQUIRED.iter().find(|(page, _)| page == kind).map_or(&["EXAMPLES"][..], |(_, own)| own);
        let has = |section: &&str| is_base(section) || own.contains(section);
        let expected: Vec<_> = SECTIONS.into_iter().filter(has).collect();
        assert_eq!(headings, expected, "{kind}");
        assert!(!page.contains("\n@"), "{kind}: a part is not replaced");
    }
}

/// Returns the long options in a text.
fn long_options(text: &str) -> BTreeSet<&str> {
    let is_part = |scalar: char| scalar.is_ascii_lowercase() || scalar.is_ascii_digit() || scalar == '-';
    let begins = text.match_indices("--").map(|(at, _)| at);
    let begins = begins.filter(|&at| !text[..at].ends_with(is_part));
    begins
        .map(|at| text[at..].split(|scalar| !is_part(scalar)).next().unwrap_or_default())
        .filter(|option| option.len() > 2)
        .collect()
}

#[test]
fn the_man_pages_have_the_options_of_the_help() {
    let mut known = BTreeSet::<String>::new();
    // These commands have no page, because their help is complete.
    let without_a_page = ["help", "man", "completions"];
    let commands = commands().into_iter().filter(|name| !without_a_page.contains(&name.as_str()));
    for command in commands.chain(["".to_string(), "iconv".to_string()]) {
        let kind = format!("man {command}");
        let help =
            if command == "iconv" { "--iconv --help".to_string() } else { format!("{command} --help") };
        let (help, page) = (printed(&help), shown(&printed(&kind)));
        for option in long_options(&help) {
            assert!(long_options(&page).contains(option), "{kind} lacks {option}");
            known.insert(option.to_string());
        }
    }
    // Options of git that the examples use.
    known.extend(["--name-only", "--diff-filter", "--relative", "--renormalize"].map(String::from));
    for kind in pages() {
        for option in long_options(&shown(&printed(&kind))) {
            assert!(known.contains(option), "{kind}: there is no {option}");
        }
    }
}

/// Returns the text of a section of a page.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let heading = format!("\n.SH {name}\n");
    let start = page.find(&heading).map_or(page.len(), |at| at + heading.len());
    page[start..].split("\n.SH ").next().unwrap_or_default()
}

/// Returns the page references in a page, which follow `.BR`, such as `utfconv-check (1)`.
fn references(page: &str) -> BTreeSet<String> {
    let references = page.lines().filter_map(|line| {
        let (name, section) = line.strip_prefix(".BR ")?.split_once(" (")?;
        let section = section.split_once(')')?.0;
        (!name.contains(' ')).then(|| format!("{} ({section})", name.replace("\\-", "-")))
    });
    references.collect()
}

/// A page lists under SEE ALSO the page of the program and each page that its text refers to. The page of the program
/// lists all pages. The lists are sorted by section and name, and all pages exist.
#[test]
fn the_man_pages_see_also_all_that_they_refer_to() {
    let named = |page: &str| {
        let (name, section) = title(page);
        format!("{name} ({section})")
    };
    let pages: Vec<_> = pages().into_iter().map(|kind| (printed(&kind), kind)).collect();
    let all: BTreeSet<String> = pages.iter().map(|(page, _)| named(page)).collect();
    for (page, kind) in &pages {
        let own = named(page);
        let (text, see) = page
            .split_once("\n.SH \"SEE ALSO\"\n")
            .or_else(|| page.split_once("\n.SH SEE ALSO\n"))
            .expect(kind);
        let see_also = references(see);
        let mut expected = if kind == "man" { all.clone() } else { references(text) };
        expected.insert("utfconv (1)".to_string());
        expected.remove(&own);
        for reference in expected.iter().filter(|reference| reference.starts_with("utfconv")) {
            assert!(all.contains(reference), "{kind}: there is no {reference}");
            assert!(see_also.contains(reference), "{kind}: {reference} is not under SEE ALSO");
        }
        let unknown = see_also.iter().find(|name| name.starts_with("utfconv") && !all.contains(*name));
        assert_eq!(unknown, None, "{kind}");
        let order = see.lines().filter(|line| line.starts_with(".BR ")).map(|line| {
            let (name, section) = line[4..].trim_end_matches(',').split_once(' ').expect("a section");
            (section.to_string(), name.replace("\\-", "-"))
        });
        assert!(order.is_sorted(), "{kind}: not sorted: {see}");
    }
}

/// Returns the environment variables in the tags under ENVIRONMENT in a page.
fn variables(page: &str) -> BTreeSet<String> {
    let tags = section(page, "ENVIRONMENT").split(".TP\n").skip(1).filter_map(|entry| entry.lines().next());
    let is_name = |scalar: char| scalar.is_ascii_uppercase() || scalar == '_';
    let words = |tag: &str| {
        tag[3..]
            .split(|scalar| !is_name(scalar))
            .filter(|word| word.len() > 3)
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    tags.flat_map(words).collect()
}

/// Returns the environment variables that the source of the program reads.
fn variables_of_the_source() -> BTreeSet<String> {
    // Calls that read a variable without naming it, and the variable's name.
    const CALLS: [(&str, &str); 6] = [
        ("anstyle_query::no_color", "NO_COLOR"),
        ("anstyle_query::clicolor(", "CLICOLOR"),
        ("anstyle_query::clicolor_force", "CLICOLOR_FORCE"),
        ("anstyle_query::term_supports", "TERM"),
        ("env::home_dir", "HOME"),
        ("env::temp_dir", "TMPDIR"),
    ];
    // Variables that the program sets for git, and other literals in capitals that are no variables.
    const OTHERS: [&str; 6] = [
        "CARGO_PKG_VERSION",
        "GIT_ALLOW_PROTOCOL",
        "GIT_EXTERNAL_DIFF",
        "GIT_NO_LAZY_FETCH",
        "GIT_OPTIONAL_LOCKS",
        "GIT_TERMINAL_PROMPT",
    ];
    let mut found = BTreeSet::new();
    for entry in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(&entry).expect("a source");
        let code = text.split("#[cfg(test)]").next().expect("a first part");
        found.extend(CALLS.iter().filter(|(call, _)| code.contains(call)).map(|(_, name)| name.to_string()));
        let reads = code.contains("env::var") || code.contains("variable: impl Fn(&str)");
        let is_name = |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
        let literals = code.split('"').skip(1).step_by(2).filter(|word| word.len() > 3);
        found.extend(literals.filter(|word| reads && is_name(word)).map(str::to_string));
        // A variable in `${NAME:-` is expanded by a shell.
        let expanded = code.split("${").skip(1).filter_map(|rest| rest.split_once(":-"));
        found.extend(expanded.map(|(name, _)| name.to_string()));
    }
    for name in OTHERS {
        assert!(found.remove(name), "{name} is no longer in the source");
    }
    found
}

/// Returns the Rust files below a directory, without tests.
fn sources(directory: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs")
        })
        .collect()
}

#[test]
fn the_man_pages_have_the_variables_that_the_source_reads() {
    let all = variables_of_the_source();
    assert!(all.len() > 15, "{all:?}");
    assert_eq!(variables(&printed("man")), all);
    for kind in pages() {
        let page = printed(&kind);
        let unknown: Vec<_> = variables(&page).difference(&all).cloned().collect();
        assert!(unknown.is_empty(), "{kind}: nothing reads {unknown:?}");
        // A page with `--color` also has the color variables, and a page explains each variable that it mentions.
        let has_color = long_options(&shown(section(&page, "OPTIONS"))).contains("--color");
        assert_eq!(variables(&page).contains("NO_COLOR"), has_color, "{kind}");
        if kind != "man" && kind != "man batch" {
            let words: BTreeSet<_> =
                page.split(|scalar: char| !scalar.is_ascii_uppercase() && scalar != '_').collect();
            let mentioned = all.iter().filter(|name| words.contains(name.as_str()));
            let missing: Vec<_> = mentioned.filter(|name| !variables(&page).contains(*name)).collect();
            assert!(missing.is_empty(), "{kind}: {missing:?} not under ENVIRONMENT");
        }
    }
}

#[test]
fn the_man_pages_name_every_encoding() {
    let page = shown(&printed("man encodings"));
    for encoding in utfconv_core::Encoding::all() {
        assert!(page.contains(encoding.name()), "{encoding:?} is not in the page");
    }
}

/// A macro that alternates two fonts joins its arguments, so words on its line would lose the spaces between them.
#[test]
fn macros_of_the_man_pages_have_few_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = sh(root, "grep -nE '^\\.(BR|BI|RB|RI|IB|IR) ' man/*.[157]").stdout;
    for line in String::from_utf8_lossy(&pages).lines() {
        let is_short = |unquoted: &str| unquoted.split_whitespace().count() <= 8;
        assert!(line.split('"').step_by(2).all(is_short), "{line}");
    }
}

#[test]
fn the_man_pages_have_no_errors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if has("groff") {
        let ran = sh(root, "groff -man -Tutf8 -ww -z man/*.[157] 2>&1");
        assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout)), (0, "".into()));
    }
    if has("mandoc") {
        // The pages have no date, because they change with the version. A line holds a whole sentence.
        let known = "missing date\\|input text line longer than 80 bytes";
        let ran = sh(root, &format!("mandoc -T lint man/*.[157] | grep -v '{known}'"));
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "");
    }
}
