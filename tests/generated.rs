//! What is committed in man/ and completions/ is what the option table makes.

use crate::harness::{has, run, sh};

const FILES: [(&str, &str); 9] = [
    ("man", "man/utfconv.1"),
    ("man-check", "man/utfconv-check.1"),
    ("man-detect", "man/utfconv-detect.1"),
    ("man-inspect", "man/utfconv-inspect.1"),
    ("bash", "completions/utfconv.bash"),
    ("zsh", "completions/_utfconv"),
    ("fish", "completions/utfconv.fish"),
    ("powershell", "completions/_utfconv.ps1"),
    ("elvish", "completions/utfconv.elv"),
];

/// To renew the files: `for each kind: utfconv --generate KIND > FILE`, or run the tests with UTFCONV_GENERATE=1.
#[test]
fn committed_files_are_up_to_date() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (kind, file) in FILES {
        let made = run(&["--generate", kind], "");
        assert_eq!((made.status, made.stderr.as_str()), (0, ""), "{kind}");
        if std::env::var_os("UTFCONV_GENERATE").is_some() {
            std::fs::write(root.join(file), &made.stdout).expect("writes");
        }
        let committed = std::fs::read(root.join(file)).unwrap_or_default();
        assert!(
            made.stdout == committed,
            "{file} differs: run the tests with UTFCONV_GENERATE=1 and commit it"
        );
    }
}

const SECTIONS: [&str; 23] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "ENCODINGS",
    "BOM",
    "FAULTS",
    "OUTPUT FILES",
    "MANY FILES",
    "FINDING THE ENCODING",
    "NORMALIZATION",
    "NEWLINES",
    "PARTS OF A FILE",
    "STATISTICS",
    "FILES IN PLACE",
    "EXIT STATUS",
    "ENVIRONMENT",
    "AS ICONV",
    "EXAMPLES",
    "STANDARDS",
    "SECURITY",
    "CAVEATS",
    "SEE ALSO",
];
const SECTIONS_OF_CHECK: [&str; 13] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "RULES",
    "REPORT",
    "PARTS OF A FILE",
    "EXIT STATUS",
    "ENVIRONMENT",
    "FILES",
    "EXAMPLES",
    "CAVEATS",
    "SEE ALSO",
];

const SECTIONS_OF_DETECT: [&str; 9] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "REPORT",
    "EXIT STATUS",
    "EXAMPLES",
    "CAVEATS",
    "SEE ALSO",
];

const SECTIONS_OF_INSPECT: [&str; 9] = [
    "NAME",
    "SYNOPSIS",
    "DESCRIPTION",
    "OPTIONS",
    "REPORT",
    "EXIT STATUS",
    "ENVIRONMENT",
    "EXAMPLES",
    "SEE ALSO",
];

#[test]
fn the_man_pages_have_their_sections_and_no_errors() {
    for (kind, sections) in [
        ("man", &SECTIONS[..]),
        ("man-check", &SECTIONS_OF_CHECK),
        ("man-detect", &SECTIONS_OF_DETECT),
        ("man-inspect", &SECTIONS_OF_INSPECT),
    ] {
        let page = String::from_utf8(run(&["--generate", kind], "").stdout).expect("text");
        let headings =
            page.lines().filter_map(|line| line.strip_prefix(".SH ")).map(|name| name.trim_matches('"'));
        assert_eq!(headings.collect::<Vec<_>>(), sections, "{kind}");
    }
    let page = String::from_utf8(run(&["--generate", "man"], "").stdout).expect("text");
    for encoding in utfconv_core::Encoding::all() {
        assert!(page.replace("\\-", "-").contains(encoding.name()), "{encoding:?} is not in the page");
    }
    if has("groff") {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let ran = sh(root, "groff -man -Tutf8 -ww -z man/*.1");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    }
}

#[test]
fn completions_load() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    sh(root, "source completions/utfconv.bash && complete -p utfconv >/dev/null").expect(0, "", "");
    if has("zsh") {
        sh(root, "zsh -n completions/_utfconv").expect(0, "", "");
    }
    if has("fish") {
        sh(root, "fish -n completions/utfconv.fish").expect(0, "", "");
    }
}
