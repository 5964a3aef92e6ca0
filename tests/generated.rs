//! What is committed in man/ and completions/ is what the option tables make.

use std::collections::BTreeSet;
use std::path::Path;

use crate::harness::{has, run, sh};

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
    let ran = run(&command.split(' ').collect::<Vec<_>>(), "");
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
        assert!(made == committed, "{file} differs: run the tests with UTFCONV_GENERATE=1 and commit it");
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
const REQUIRED: [(&str, &[&str]); 15] = [
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
    ("man git-filter", &["OPTIONS", "EXIT STATUS"]),
    ("man inspect", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "REPORT"]),
    ("man names", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "REPORT", "FILES", "SECURITY", "CAVEATS"]),
    ("man list", &["EXAMPLES", "OPTIONS", "EXIT STATUS"]),
    ("man textconv", &["EXAMPLES", "OPTIONS", "EXIT STATUS"]),
    ("man iconv", &["EXAMPLES", "OPTIONS", "EXIT STATUS", "ERRORS", "CAVEATS"]),
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
    for (kind, help) in [
        ("man", "--help"),
        ("man check", "check --help"),
        ("man detect", "detect --help"),
        ("man git-filter", "git-filter --help"),
        ("man inspect", "inspect --help"),
        ("man list", "list --help"),
        ("man names", "names --help"),
        ("man repair", "repair --help"),
        ("man edit", "edit --help"),
        ("man textconv", "textconv --help"),
        ("man iconv", "--iconv --help"),
    ] {
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

#[test]
fn the_man_pages_name_every_encoding() {
    let page = shown(&printed("man encodings"));
    for encoding in utfconv_core::Encoding::all() {
        assert!(page.contains(encoding.name()), "{encoding:?} is not in the page");
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
