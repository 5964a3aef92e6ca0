//! One word per concept: searches all texts of the repository for words that the glossary replaces, or that only their
//! author would write.

use std::fs;
use std::path::Path;

use crate::harness::{commands, has, run, sh};

/// A word or phrase, what to write instead, and longer phrases in which it is allowed.
type Word = (&'static str, &'static str, &'static [&'static str]);

/// Words to avoid in all texts: also in comments and names of tests.
const WORDS: &[Word] = &[
    ("all the same", "still, anyway", &[]),
    ("amid", "in the middle of", &[]),
    ("bears on", "affects", &[]),
    ("behind", "after", &[]),
    ("but for", "except", &[]),
    ("calm", "stable", &[]),
    ("count for", "apply to", &["char: count for"]),
    ("counts for", "applies to", &[]),
    ("finds out", "detects", &[]),
    ("go on", "continue", &[]),
    ("goes on", "continues", &[]),
    ("in vain", "for nothing", &[]),
    ("judge", "decode, check", &[]),
    ("judged", "decoded, checked", &[]),
    ("leave alone", "skip", &[]),
    ("leaves alone", "skips", &[]),
    ("left alone", "skipped", &[]),
    ("makes no sense", "is invalid", &[]),
    ("mend", "repair", &[]),
    ("mended", "repaired", &[]),
    ("mends", "repairs", &[]),
    ("are met", "are found in a directory", &[]),
    ("is met", "is found in a directory", &[]),
    ("was met", "was found in a directory", &[]),
    ("no more than", "only, at most", &[]),
    ("no one", "no user, no other program", &[]),
    ("nobody", "no user, no other program", &[]),
    ("of which", "whose, with", &[]),
    ("owed", "pending", &[]),
    ("pass over", "skip", &["one pass over"]),
    ("passed over", "skipped", &[]),
    ("seam", "range boundary", &[]),
    ("sees to", "handles", &[]),
    ("spot", "position", &[]),
    ("stand", "are", &["stand for themselves"]),
    ("stands", "is", &[]),
    ("stay known", "still match", &[]),
    ("stays known", "still matches", &[]),
    ("stood", "was", &[]),
    ("take back", "undo", &[]),
    ("taken back", "undone", &[]),
    ("takes back", "undoes", &[]),
    ("tell", "report", &["file.tell()"]),
    ("tells", "reports", &[]),
    ("told", "reported", &[]),
    ("trouble", "error", &[]),
    ("what else", "name it", &[]),
    ("whoever", "the caller, the process", &[]),
    ("wins", "takes precedence", &[]),
];

/// Words to avoid in texts for users: they are terms of the code, or of other programs.
const USER_WORDS: &[Word] = &[
    (
        "charset",
        "encoding",
        &[
            "charset ,",
            "charset =",
            "charset of",
            "charset in",
            "charset utf",
            "charset, or",
            "charset-normalizer",
            "charset/data",
            "meta charset",
            "@charset",
            ".editorconfig charset",
            ".editorconfig with charset",
        ],
    ),
    ("fault", "error", &[]),
    ("faults", "errors", &[]),
    ("lack", "cannot be encoded in", &[]),
    ("lacks", "cannot be encoded in", &[]),
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
    (
        "marks",
        "BOMs",
        &["byte order marks", "combining marks", "question marks", "quotation marks", "the marks u+200e"],
    ),
    ("of its own", "separate", &[]),
    ("of their own", "separate", &[]),
    ("signature", "BOM", &["calls it a signature"]),
    ("signatures", "BOMs", &[]),
    ("sink", "output", &[]),
    ("verdict", "result", &[]),
    ("what is wrong", "the error", &[]),
];

/// Parts of words in British spelling, and the American spelling, which all texts have.
const BRITISH: &[(&str, &str)] = &[
    ("analys", "analyz"),
    ("artefact", "artifact"),
    ("avourit", "avorit"),
    ("behaviour", "behavior"),
    ("cancelled", "canceled"),
    ("capitalis", "capitaliz"),
    ("catalogue", "catalog"),
    ("characteris", "characteriz"),
    ("colour", "color"),
    ("generalis", "generaliz"),
    ("initialis", "initializ"),
    ("labelled", "labeled"),
    ("learnt", "learned"),
    ("licence", "license"),
    ("minimis", "minimiz"),
    ("neighbour", "neighbor"),
    ("normalis", "normaliz"),
    ("optimise", "optimize"),
    ("organis", "organiz"),
    ("programme ", "program"),
    ("recognis", "recogniz"),
    ("serialis", "serializ"),
    ("specialis", "specializ"),
    ("spelt", "spelled"),
    ("summaris", "summariz"),
    ("travelled", "traveled"),
];

/// What a text is for.
#[derive(Clone, Copy, PartialEq)]
enum Reader {
    User,
    Author,
}

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

/// Returns the comments of a file of Rust or C, with the names of its functions as words.
fn comments(text: &str) -> String {
    let mut comments = String::new();
    for line in text.lines() {
        let code = line.trim_start();
        let comment =
            code.strip_prefix("//").or_else(|| code.split_once("; // ").map(|(_, comment)| comment));
        if let Some(comment) = comment {
            comments += comment.trim_start_matches(['/', '!']);
        } else if let Some((name, _)) =
            code.split_once("fn ").and_then(|(_, rest)| rest.split_once(['(', '<']))
        {
            comments += &format!(". {}.", name.replace('_', " "));
        } else {
            comments.push('.');
        }
        comments.push(' ');
    }
    comments
}

/// Returns the string literals of a file of Rust, without its unit tests, that read as words: the messages.
fn messages(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().expect("a first part");
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let joined = lines.collect::<Vec<_>>().join("\n").replace("\\\"", "'").replace("'\"'", "");
    let literals = joined.split('"').skip(1).step_by(2).filter(|literal| literal.contains(' '));
    // What is inserted is no word.
    let words = literals.map(|literal| {
        literal.split(['{', '}']).step_by(2).collect::<Vec<_>>().join("x").replace("\\n", " ")
    });
    words.collect::<Vec<_>>().join(" . ")
}

/// Adds the texts of a file of the repository, with what they are for.
fn read(root: &Path, name: &str, texts: &mut Vec<(String, String, Reader)>) {
    // Data, tables and texts in many languages, what is generated from other files, and lists of words such as this.
    let is_data = ["LICENSE", "completions/", "tests/corpus/", "tests/data/", "benches/kernels/Cargo"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
        || ["/data/", "/mappings/", "tests/differences", "/docs/samples", "translit/table.rs", "wording.rs"]
            .iter()
            .any(|part| name.contains(part));
    let Ok(text) = fs::read_to_string(root.join(name)) else { return };
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    if is_data || matches!(extension, "txt" | "lock" | "svg" | "json" | "bin") {
        return;
    }
    let is_manual = name.starts_with("man/") || extension == "roff";
    match extension {
        "rs" | "c" | "h" => {
            texts.push((name.to_string(), plain(&comments(&text), false), Reader::Author));
            let is_test = name.contains("tests/") || stem.ends_with("tests");
            if name.starts_with("src/") && !is_test {
                texts.push((format!("messages of {name}"), plain(&messages(&text), false), Reader::User));
            }
        }
        // Terms of the library and of the code are explained where they are read.
        "md" => {
            let is_code = ["ARCHITECTURE", "CONTRIBUTING", "crates/", "benches/", "fuzz/", ".ci/"];
            let reader = if is_code.iter().any(|start| name.starts_with(start)) {
                Reader::Author
            } else {
                Reader::User
            };
            let reader = if name == "docs/python.md" { Reader::Author } else { reader };
            texts.push((name.to_string(), plain(&text, false), reader));
        }
        _ => {
            let reader = if is_manual { Reader::User } else { Reader::Author };
            texts.push((name.to_string(), plain(&text, is_manual), reader));
        }
    }
}

/// Adds the helps of all commands.
fn read_helps(texts: &mut Vec<(String, String, Reader)>) {
    for command in commands().iter().map(|name| &**name).chain(["--iconv"]) {
        let start: &[&str] = if command.is_empty() { &[] } else { &[command] };
        // glibc's iconv has no -h.
        let helps: &[&str] = if command == "--iconv" { &["--help"] } else { &["-h", "--help"] };
        for help in helps {
            let ran = run(&[start, &[help]].concat(), "");
            assert_eq!(ran.status, 0, "{command:?} {help}: {}", ran.stderr);
            let text = String::from_utf8(ran.stdout).expect("UTF-8");
            texts.push((format!("utfconv {command} {help}"), plain(&text, false), Reader::User));
        }
    }
}

/// Returns all texts: of the files of the repository, and the helps.
fn all_texts() -> Vec<(String, String, Reader)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = Vec::new();
    for name in repository_files(root) {
        read(root, &name, &mut texts);
    }
    assert!(texts.len() > 500, "{}", texts.len());
    read_helps(&mut texts);
    texts
}

#[test]
fn texts_have_american_spelling() {
    let mut found = String::new();
    for (name, text, _) in all_texts() {
        for (british, american) in BRITISH {
            if let Some(at) = text.find(british) {
                let around: String =
                    text[text.floor_char_boundary(at.saturating_sub(30))..].chars().take(70).collect();
                found += &format!("{name}: \"{british}\" (write \"{american}\"): ...{around}...\n");
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

#[test]
fn texts_use_the_words_of_the_glossary() {
    let texts = all_texts();
    let mut found = String::new();
    for (name, text, reader) in &texts {
        let words = if *reader == Reader::User { USER_WORDS } else { &[] };
        for (word, instead, phrases) in WORDS.iter().chain(words) {
            for around in uses(text, word, phrases) {
                found += &format!("{name}: \"{word}\" (write \"{instead}\"): ...{around}...\n");
            }
        }
    }
    assert!(found.is_empty(), "{found}");
}

/// The files that are part of the repository.
fn repository_files(root: &Path) -> Vec<String> {
    let listed = has("git").then(|| sh(root, "git ls-files -z")).filter(|listed| listed.status == 0);
    if let Some(listed) = listed {
        return listed
            .stdout
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
            .map(|name| String::from_utf8(name.to_vec()).expect("UTF-8"))
            .collect();
    }
    // In a copy without git, all files of the directories with texts.
    let mut files = Vec::new();
    let mut pending: Vec<_> =
        ["src", "crates", "docs", "man", "examples", "tests"].map(str::to_string).into();
    while let Some(name) = pending.pop() {
        for entry in fs::read_dir(root.join(&name)).expect("a directory") {
            let entry = entry.expect("an entry");
            let path = format!("{name}/{}", entry.file_name().display());
            let kind = entry.file_type().expect("a type");
            if kind.is_dir() && !path.ends_with("/target") {
                pending.push(path);
            } else if kind.is_file() {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn words_are_found_except_in_phrases() {
    let text = plain(".B in place\nA \\fIplace\\fR or\n.BR placement ,\nits place.", true);
    assert_eq!(uses(&text, "place", &["in place"]).len(), 2);
}

#[test]
fn comments_names_of_functions_and_messages_are_read() {
    let source = "// Owed\nfn nobody_waits() { fail(\"it is {owed} \\\"told\\\"\") } // is owed\nlet x = 1; // in vain\n";
    let (comments, messages) = (plain(&comments(source), false), plain(&messages(source), false));
    assert_eq!(comments, " owed . nobody waits. in vain ");
    assert_eq!(messages, " it is x 'told' ");
    assert!(uses(&messages, "owed", &[]).is_empty() && uses(&messages, "told", &[]).len() == 1);
}
