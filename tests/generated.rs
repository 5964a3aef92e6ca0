//! What is committed in man/ and completions/ is what the option tables make.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::harness::{commands, has, run, sh};

/// What prints a file, and the file.
const FILES: [(&str, &str); 23] = [
    ("man", "man/utfconv.1"),
    ("man check", "man/utfconv-check.1"),
    ("man detect", "man/utfconv-detect.1"),
    ("man edit", "man/utfconv-edit.1"),
    ("man git-filter", "man/utfconv-git-filter.1"),
    ("man inspect", "man/utfconv-inspect.1"),
    ("man list", "man/utfconv-list.1"),
    ("man names", "man/utfconv-names.1"),
    ("man repair", "man/utfconv-repair.1"),
    ("man textconv", "man/utfconv-textconv.1"),
    ("man iconv", "man/utfconv-iconv.1"),
    ("man encodings", "man/utfconv-encodings.7"),
    ("man batch", "man/utfconv-batch.7"),
    ("man errors", "man/utfconv-errors.7"),
    ("man ranges", "man/utfconv-ranges.7"),
    ("man text", "man/utfconv-text.7"),
    ("man config", "man/utfconv.toml.5"),
    ("check --config-schema", "docs/utfconv.schema.json"),
    ("completions bash", "completions/utfconv.bash"),
    ("completions zsh", "completions/_utfconv"),
    ("completions fish", "completions/utfconv.fish"),
    ("completions powershell", "completions/_utfconv.ps1"),
    ("completions elvish", "completions/utfconv.elv"),
];

fn printed(command: &str) -> String {
    let ran = run(&command.split_whitespace().collect::<Vec<_>>(), "");
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{command}");
    String::from_utf8(ran.stdout).expect("text")
}

/// To renew the files, run this test with UTFCONV_GENERATE=1.
#[test]
fn committed_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (command, file) in FILES {
        let made = printed(command);
        if std::env::var_os("UTFCONV_GENERATE").is_some() {
            std::fs::write(root.join(file), &made).expect("writes");
        }
        let committed = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        assert!(made == committed, "{file} differs: run .ci/generate and commit it");
    }
}

/// The sections of the pages; each page has some of them, in this order.
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

/// The sections that a page has to have, and nothing else of the list.
const REQUIRED: [(&str, &[&str]); 17] = [
    ("man", &["EXAMPLES", "COMMANDS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"]),
    (
        "man check",
        &[
            "EXAMPLES",
            "OPTIONS",
            "RULES",
            "EXIT STATUS",
            "ENVIRONMENT",
            "REPORT",
            "FILES",
            "RANGES",
            "CAVEATS",
        ],
    ),
    ("man detect", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "REPORT", "CAVEATS"]),
    ("man edit", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"]),
    ("man git-filter", &["OPTIONS", "EXIT STATUS"]),
    ("man inspect", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "REPORT"]),
    (
        "man names",
        &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "REPORT", "FILES", "SECURITY", "CAVEATS"],
    ),
    ("man repair", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "REPORT"]),
    ("man list", &["EXAMPLES", "OPTIONS", "EXIT STATUS"]),
    ("man textconv", &["EXAMPLES", "OPTIONS", "EXIT STATUS"]),
    ("man iconv", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "ERRORS", "CAVEATS"]),
    ("man config", &["EXAMPLES", "KEYS", "SECURITY", "CAVEATS"]),
    ("man encodings", &["ENCODINGS", "BOM NAMES", "SUFFIXES", "DETECTION"]),
    ("man errors", &["ERRORS", "SECURITY"]),
    ("man text", &["BOM", "DECLARATIONS", "NORMALIZATION", "CAVEATS", "STANDARDS"]),
    ("man batch", &["EXAMPLES", "FILES"]),
    ("man ranges", &["RANGES"]),
];

/// What is shown of a page where an option may be named.
fn shown(page: &str) -> String {
    page.replace("\\-", "-").replace("\\fI", "").replace("\\fB", "").replace("\\fR", "")
}

#[test]
fn the_man_pages_have_their_sections_in_order() {
    for (kind, required) in REQUIRED {
        let page = printed(kind);
        let headings: Vec<_> = page
            .lines()
            .filter_map(|line| line.strip_prefix(".SH "))
            .map(|name| name.trim_matches('"'))
            .collect();
        let has = |section: &&str| {
            ["NAME", "DESCRIPTION", "SEE ALSO"].contains(section)
                || *section == "SYNOPSIS"
                    && !["man encodings", "man config", "man errors", "man text", "man batch", "man ranges"]
                        .contains(&kind)
                || required.contains(section)
        };
        let expected: Vec<_> = SECTIONS.into_iter().filter(has).collect();
        assert_eq!(headings, expected, "{kind}");
        assert!(!page.contains("\n@"), "{kind}: a part is not replaced");
    }
}

/// The long options in a text.
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
    for command in commands().iter().map(|name| &**name).chain(["iconv"]) {
        let kind = &*format!("man {command}");
        let help =
            &*if command == "iconv" { "--iconv --help".to_string() } else { format!("{command} --help") };
        let (help, page) = (printed(help), shown(&printed(kind)));
        for option in long_options(&help) {
            assert!(long_options(&page).contains(option), "{kind} lacks {option}");
            known.insert(option.to_string());
        }
    }
    // Options of other programs that the examples use.
    known.extend(["--name-only", "--diff-filter", "--relative", "--renormalize"].map(String::from));
    for (kind, _) in REQUIRED {
        for option in long_options(&shown(&printed(kind))) {
            assert!(known.contains(option), "{kind}: there is no {option}");
        }
    }
}

/// The lines of a section of a page.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let heading = format!("\n.SH {name}\n");
    let start = page.find(&heading).map_or(page.len(), |at| at + heading.len());
    page[start..].split("\n.SH ").next().unwrap_or_default()
}

/// The names with sections that follow `.BR` or are in italics in a page, like `utfconv-check (1)`.
fn references(page: &str) -> BTreeSet<String> {
    let references = page.lines().filter_map(|line| {
        let (name, section) = line.strip_prefix(".BR ")?.split_once(" (")?;
        let section = section.split_once(')')?.0;
        (!name.contains(' ')).then(|| format!("{} ({section})", name.replace("\\-", "-")))
    });
    references.collect()
}

/// A page names under SEE ALSO the page of the program, and each page of ours that its text refers to; the page of the
/// program names all. They are sorted by section and name, and exist.
#[test]
fn the_man_pages_see_also_all_that_they_refer_to() {
    let named = |file: &str| {
        let (name, section) = file.strip_prefix("man/")?.rsplit_once('.')?;
        Some(format!("{name} ({section})"))
    };
    let all: BTreeSet<String> = FILES.iter().filter_map(|(_, file)| named(file)).collect();
    assert_eq!(all.len(), REQUIRED.len());
    for (kind, file) in FILES {
        let Some(own) = named(file) else { continue };
        let page = printed(kind);
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

/// The variables in the tags of ENVIRONMENT in a page.
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

/// The environment variables that the program reads, by its source.
fn variables_of_the_source() -> BTreeSet<String> {
    // How the source asks for a variable without its name, and the name.
    const CALLS: [(&str, &str); 6] = [
        ("anstyle_query::no_color", "NO_COLOR"),
        ("anstyle_query::clicolor(", "CLICOLOR"),
        ("anstyle_query::clicolor_force", "CLICOLOR_FORCE"),
        ("anstyle_query::term_supports", "TERM"),
        ("env::home_dir", "HOME"),
        ("env::temp_dir", "TMPDIR"),
    ];
    // Variables that are set for git, and literals of the same files that name no variable.
    const OTHERS: [&str; 7] = [
        "CARGO_PKG_VERSION",
        "COMMAND",
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
        // What a shell is to expand.
        let expanded = code.split("${").skip(1).filter_map(|rest| rest.split_once(":-"));
        found.extend(expanded.map(|(name, _)| name.to_string()));
    }
    for name in OTHERS {
        assert!(found.remove(name), "{name} is no longer in the source");
    }
    found
}

/// The files of Rust below a directory, without tests.
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
    for (kind, _) in REQUIRED {
        let page = printed(kind);
        let unknown: Vec<_> = variables(&page).difference(&all).cloned().collect();
        assert!(unknown.is_empty(), "{kind}: nothing reads {unknown:?}");
        // A page with an option for colors also has the variables for them, and each page explains what it mentions.
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

/// A macro that alternates two fonts joins its arguments, so text on its line loses its blanks.
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
        // The pages have the date of no day: they change with the version. A line is as long as a sentence.
        let known = "missing date\\|input text line longer than 80 bytes";
        let ran = sh(root, &format!("mandoc -T lint man/*.[157] | grep -v '{known}'"));
        assert_eq!(String::from_utf8_lossy(&ran.stdout), "");
    }
}
