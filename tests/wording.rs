//! User texts have one word per concept: searches README, changelog, man pages and help for words that the glossary
//! replaces.

use std::fs;
use std::path::Path;

use crate::harness::run;

/// A word or phrase, what to write instead, and longer phrases in which it is allowed.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("amid", "in the middle of", &[]),
    ("bears on", "affects", &[]),
    ("behind", "after", &[]),
    ("but for", "except", &[]),
    ("calm", "stable", &[]),
    (
        "charset",
        "encoding",
        &[
            "charset ,",
            "charset =",
            "charset of",
            "charset in",
            "charset utf",
            "meta charset",
            "@charset",
            ".editorconfig charset",
        ],
    ),
    ("fault", "error", &[]),
    ("faults", "errors", &[]),
    ("finds out", "detects", &[]),
    ("go on", "continue", &[]),
    ("goes on", "continues", &[]),
    ("judge", "decode, check", &[]),
    ("judged", "decoded, checked", &[]),
    ("lack", "cannot be encoded in", &[]),
    ("lacks", "cannot be encoded in", &[]),
    ("leave alone", "skip", &[]),
    ("leaves alone", "skips", &[]),
    ("left alone", "skipped", &[]),
    ("makes no sense", "is invalid", &[]),
    (
        "mark",
        "BOM",
        &[
            "byte order mark",
            "tone mark",
            "the next mark",
            "question mark",
            "punctuation mark",
            "quotation mark",
            "left-to-right mark",
        ],
    ),
    ("marks", "BOMs", &["byte order marks", "combining marks", "quotation marks", "the marks u+200e"]),
    ("mend", "repair", &[]),
    ("mended", "repaired", &[]),
    ("mends", "repairs", &[]),
    ("are met", "are found in a directory", &[]),
    ("is met", "is found in a directory", &[]),
    ("was met", "was found in a directory", &[]),
    ("no more than", "only", &[]),
    ("of its own", "separate", &[]),
    ("of their own", "separate", &[]),
    ("owed", "pending", &[]),
    ("pass over", "skip", &[]),
    ("passed over", "skipped", &[]),
    ("seam", "range boundary", &[]),
    ("sees to", "handles", &[]),
    ("signature", "BOM", &["calls it a signature"]),
    ("signatures", "BOMs", &[]),
    ("sink", "output", &[]),
    ("spot", "position", &[]),
    ("stand", "are", &["stand for themselves"]),
    ("stands", "is", &[]),
    ("stood", "was", &[]),
    ("tell", "report", &[]),
    ("tells", "reports", &[]),
    ("told", "reported", &[]),
    ("trouble", "error", &[]),
    ("verdict", "result", &[]),
    ("what is wrong", "the error", &[]),
    ("wins", "takes precedence", &[]),
];

/// Returns a text in lower case, with single blanks and without the requests and escapes of roff.
fn plain(text: &str, is_roff: bool) -> String {
    let mut text = text.to_lowercase();
    if is_roff {
        let lines = text.lines().map(|line| match line.split_once(' ') {
            Some((request, rest)) if request.starts_with('.') => rest,
            _ => line,
        });
        text = lines.collect::<Vec<_>>().join(" ");
        for (escape, meaning) in
            [("\\-", "-"), ("\\fi", ""), ("\\fb", ""), ("\\fr", ""), ("\\(aq", "'"), ("\"", "")]
        {
            text = text.replace(escape, meaning);
        }
    }
    let text = text.replace(['`', '*'], "");
    format!(" {} ", text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the surroundings of each use of a word outside of the phrases.
fn uses<'a>(text: &'a str, word: &str, phrases: &[&str]) -> Vec<&'a str> {
    let is_letter = |scalar: char| scalar.is_alphanumeric() || scalar == '-' || scalar == '_';
    let is_allowed = |at: usize| {
        phrases.iter().any(|phrase| {
            phrase.match_indices(word).any(|(offset, _)| {
                at.checked_sub(offset)
                    .and_then(|start| text.get(start..))
                    .is_some_and(|rest| rest.starts_with(phrase))
            })
        })
    };
    let is_use = |&at: &usize| {
        !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter) && !is_allowed(at)
    };
    let around = |at: usize| {
        let start = text.floor_char_boundary(at.saturating_sub(50));
        &text[start..text.ceil_char_boundary((at + word.len() + 40).min(text.len()))]
    };
    text.match_indices(word).map(|(at, _)| at).filter(is_use).map(around).collect()
}

#[test]
fn user_texts_use_the_words_of_the_glossary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read =
        |name: &str| fs::read_to_string(root.join(name)).unwrap_or_else(|_| panic!("{name} is missing"));
    let mut texts = Vec::new();
    for name in ["README.md", "CHANGELOG.md"] {
        texts.push((name.to_string(), plain(&read(name), false)));
    }
    for page in fs::read_dir(root.join("man")).expect("the directory") {
        let name = format!("man/{}", page.expect("an entry").file_name().display());
        texts.push((name.clone(), plain(&read(&name), true)));
    }
    for command in
        [&[][..], &["check"], &["detect"], &["inspect"], &["names"], &["repair"], &["list"], &["--iconv"]]
    {
        for help in ["-h", "--help"] {
            // glibc's iconv has no -h.
            if command == ["--iconv"] && help == "-h" {
                continue;
            }
            let ran = run(&[command, &[help]].concat(), "");
            assert_eq!(ran.status, 0, "{command:?} {help}: {}", ran.stderr);
            let text = String::from_utf8(ran.stdout).expect("UTF-8");
            texts.push((format!("utfconv {} {help}", command.join(" ")), plain(&text, false)));
        }
    }
    assert!(texts.len() >= 18, "{}", texts.len());
    let mut found = String::new();
    for (name, text) in &texts {
        for (word, instead, phrases) in WORDS {
            for around in uses(text, word, phrases) {
                found += &format!("{name}: \"{word}\" (write \"{instead}\"): ...{around}...\n");
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn words_are_found_except_in_phrases() {
    let text = plain(".B in place\nA \\fIplace\\fR or\n.BR placement ,\nits place.", true);
    assert_eq!(uses(&text, "place", &["in place"]).len(), 2);
}
