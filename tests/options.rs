//! Tests of the command line: encoding names, usage errors and help.

use utfconv_core::Encoding;

use crate::check::assert_ran;
use crate::harness::{commands, dir_with, hex, possible_values, run, sh};

#[test]
fn names_in_any_case_and_with_any_separator() {
    for name in ["UTF-16LE", "utf16le", "Utf_16_LE", "UTF16-LE"] {
        run(&["-t", name], "a").expect(0, b"a\0", "");
    }
    for name in ["latin1", "ISO_8859-1", "iso8859-1", "L1", "cp819", "IBM819", "8859-1"] {
        run(&["-f", name], b"\xE9").expect(0, "é", "");
    }
    run(&["-f", "", "-t", ""], "é").expect(0, "é", "");
}

#[test]
fn unknown_names_get_different_messages() {
    run(&["-f", "nope"], "").expect(
        2,
        "",
        "invalid value 'nope' for '--from-code <ENC>': no such encoding; use 'utfconv list' to see all",
    );
    run(&["-t", "nope"], "").expect(
        2,
        "",
        "invalid value 'nope' for '--to-code <ENC>': no such encoding; use 'utfconv list' to see all",
    );
    run(&["-f", "UFT-8"], "").expect(
        2,
        "",
        "invalid value 'UFT-8' for '--from-code <ENC>': no such encoding; did you mean UTF-8?",
    );
    run(&["-f", "latn1"], "").expect(
        2,
        "",
        "invalid value 'latn1' for '--from-code <ENC>': no such encoding; did you mean latin1?",
    );
    // The typed name has two exchanged digits, or is close to a known number.
    run(&["-f", "cp1225"], "").expect(
        2,
        "",
        "invalid value 'cp1225' for '--from-code <ENC>': no such encoding; did you mean CP1252?",
    );
    run(&["-f", "gb18300"], "").expect(
        2,
        "",
        "invalid value 'gb18300' for '--from-code <ENC>': no such encoding; did you mean GB18030?",
    );
    run(&["-f", "utf-61"], "").expect(
        2,
        "",
        "invalid value 'utf-61' for '--from-code <ENC>': no such encoding; did you mean UTF-16?",
    );
    run(&["-f", "ansi"], "").expect_part(
        2,
        "",
        "not one encoding, but the code page of a Windows system: windows-1252",
    );
    run(&["-f", "punycode"], "").expect(2, "", "invalid value 'punycode' for '--from-code <ENC>': not an encoding of text, but one of domain names; name the encoding");
    for (name, answer) in [
        ("nope", "no such encoding; use 'utfconv list' to see all"),
        ("cp12525", "no such encoding; did you mean CP1252?"),
        ("koi8-x", "no such encoding; did you mean KOI8-R, KOI8-U or KOI8-T?"),
        ("UTF-16-BOM", "no such encoding; did you mean UTF-16?"),
        ("char", "not one encoding, but that of the locale, such as UTF-8; name the encoding"),
        ("locale", "not one encoding, but that of the locale, such as UTF-8; name the encoding"),
        ("auto:", "a name is missing; name encodings separated by commas, such as windows-1252,UTF-8"),
        (
            "auto:cp850,,UTF-8",
            "a name is missing; name encodings separated by commas, such as windows-1252,UTF-8",
        ),
        ("auto:UTF-8,latn1", "'latn1': no such encoding; did you mean latin1?"),
    ] {
        let error = format!("utfconv: invalid value '{name}' for '--from-code <ENC>': {answer}\n");
        assert_ran(&run(&["-f", name], ""), 2, "", &error);
    }
    let family = "not one encoding, but a family of code pages: IBM037 (US, Canada, Brazil), IBM1047 ";
    run(&["-f", "ebcdic"], "").expect_part(2, "", family);
    run(&["-f", "EBCDIC"], "").expect_part(2, "", "; name the encoding\n");
    run(&["chekc"], "").expect(2, "", "chekc: No such file or directory; did you mean the command 'check'?");
    let ran = run(&["-f", "cp31337"], "");
    assert!(ran.status == 2 && !ran.stderr.contains("did you mean"), "{ran:?}");
}

#[test]
fn long_words_are_quoted_in_part() {
    let long = "x".repeat(100_000);
    let shown = "x".repeat(60) + "...";
    let none = "no such encoding; use 'utfconv list' to see all";
    for (option, value, message) in [
        ("-f", long.clone(), format!("invalid value '{shown}' for '--from-code <ENC>': {none}")),
        (
            "-f",
            format!("auto:{long}"),
            format!("invalid value 'auto:{}...' for '--from-code <ENC>': '{shown}': {none}", "x".repeat(55)),
        ),
        (
            "-t",
            format!("a\n{long}"),
            format!("invalid value '$'a\\n{}...'' for '--to-code <ENC>': {none}", "x".repeat(58)),
        ),
        (
            "--newline",
            long.clone(),
            format!(
                "invalid value '{shown}' for '--newline <STYLE>' [possible values: keep, lf, crlf, cr] (see --help)"
            ),
        ),
    ] {
        run(&[option, &value], "").expect(2, "", &message);
    }
    run(&[&format!("--{long}")], "").expect(
        2,
        "",
        &format!("unexpected argument '--{}...' found (see --help)", "x".repeat(58)),
    );
    run(&["list", &long], "").expect(1, "", &format!("list: no encoding has a name that contains '{shown}'"));
}

#[test]
fn usage_errors_take_one_line() {
    for args in [
        &["-f", "nope"][..],
        &["--no-such-option"],
        &["-f"],
        &["--input-bom=nope"],
        &["check", "--format=jsn"],
        &["completions"],
        &["--max-errors=x"],
    ] {
        let ran = run(args, "");
        assert_eq!((ran.status, ran.stderr.lines().count()), (2, 1), "{args:?}: {}", ran.stderr);
    }
    run(&["--input-bom=nope"], "").expect(2, "", "invalid value 'nope' for '--input-bom <POLICY>' [possible values: auto, keep, strip, text, forbid, require, sniff] (see --help)");
}

#[test]
fn options_of_iconv() {
    let dir = dir_with(&[("a", b"\xE9"), ("b", b"\xE8"), ("-x", b"\xEA"), ("check", b"\xEB")]);
    let at = dir.path();
    for args in ["-f latin1 -t UTF-8 a b", "-flatin1 -tUTF-8 a b", "a b -f latin1", "--from-code=latin1 a b"]
    {
        sh(at, &format!("$U {args}")).expect(0, "éè", "");
    }
    sh(at, "$U --from-code latin1 --to-code utf-8 a").expect(0, "é", "");
    sh(at, "$U --from latin1 --to utf-8 a").expect(0, "é", "");
    sh(at, "$U -f ascii -f latin1 a").expect(0, "é", "");
    sh(at, "$U -csf latin1 a").expect(0, "é", "");
    sh(at, "$U -f latin1 -- -x").expect(0, "ê", "");
    sh(at, "$U -f latin1 ./-x ./check").expect(0, "êë", "");
    sh(at, "$U -f latin1 -o -y a && cat ./-y").expect(0, "é", "");
    sh(at, "printf '\\xe9' | $U -f latin1 a - b -").expect(0, "ééè", "");
    sh(at, "$U -f latin1 -o out a && $U out && $U -f latin1 -o - b").expect(0, "éè", "");
    sh(at, "$U --verbose -f latin1 a").expect(0, "é", "utfconv: a: converting\n");
}

#[test]
fn suffixes_of_iconv() {
    let text = b"a\xFF\xE2\x82\xACb";
    let to = |name: &str| run(&["-s", "-t", name], text);
    to("ascii").expect(1, "a", "");
    for name in [
        "ascii//IGNORE",
        "ASCII//ignore",
        "us-ascii//IGNORE/",
        "ascii//IGNORE,TRANSLIT//NON_IDENTICAL_DISCARD",
    ] {
        let ran = to(name);
        assert!(
            ran.status == 1 && ran.stdout.starts_with(b"a") && ran.stdout.ends_with(b"b"),
            "{name} {ran:?}"
        );
    }
    to("ascii//IGNORE").expect(1, "ab", "");
    to("//IGNORE").expect(1, "a€b", "");
    to("ascii//NON_IDENTICAL_DISCARD").expect(1, "a", "");
    run(&["-t", "ascii//NON_IDENTICAL_DISCARD", "-s"], "a€b").expect(1, "ab", "");
    run(&["-t", "ascii//NON_IDENTICAL_DISCARD", "-s"], "ab").expect(0, "ab", "");
    // An option overrides the mode of a suffix. The rest of the name still applies.
    run(&["-s", "-t", "ascii//IGNORE", "--unmappable=escape"], text).expect(1, "a\\u{20AC}b", "");
    run(&["-s", "-t", "ascii//IGNORE", "--errors=escape=percent"], text).expect(0, "a%FF%E2%82%ACb", "");
    // Approximated and replaced characters are not omitted.
    run(&["-c", "-s", "-t", "ascii//TRANSLIT"], "é日").expect(0, "e?", "");
    run(&["-c", "-s", "-t", "ascii//TRANSLIT"], b"\xC3\xA9\xFF").expect(1, "e", "");
    run(&["-s", "-t", "ascii//TRANSLIT"], "é日").expect(0, "e?", "");
    run(&["-s", "-t", "ascii//TRANSLIT", "--unmappable=stop"], "é日").expect(1, "e", "");
    run(&["-s", "-t", "ascii//TRANSLIT", "--unicode-subst=<U+%04X>"], "é日").expect(0, "e<U+65E5>", "");
    // Suffixes control the output, so on `-f` they have no effect.
    run(&["-s", "-f", "UTF-8//IGNORE"], text).expect(1, "a", "");
    let warning = "utfconv: warning: -t: unknown suffix //FOO is ignored\n";
    run(&["-t", "ascii//FOO"], "ok").expect(0, "ok", warning);
    run(&["-f", "ascii//TRANSLIT//FOO"], "ok").expect(
        0,
        "ok",
        "warning: -f: unknown suffix //FOO is ignored",
    );
    run(&["-s", "-t", "ascii//FOO"], "ok").expect(0, "ok", "");
    run(&["-t", "ascii/TRANSLIT"], "").expect(2, "", "invalid value 'ascii/TRANSLIT' for '--to-code <ENC>': no such encoding, and no mapping file of that name");
    run(&["-t", "UFT-8//TRANSLIT"], "").expect(
        2,
        "",
        "invalid value 'UFT-8//TRANSLIT' for '--to-code <ENC>': no such encoding; did you mean UTF-8?",
    );
    run(&["-t", "compoundtext"], "").expect(2, "", "invalid value 'compoundtext' for '--to-code <ENC>': COMPOUND_TEXT is not supported; use 'utfconv list' to see what is");
}

#[test]
fn names_that_set_the_bom() {
    let signed = b"\xEF\xBB\xBFa";
    for name in ["UTF-8-SIG", "utf-8-bom", "utf8sig"] {
        run(&["-f", name], signed).expect(0, "a", "");
        run(&["-f", name], "a").expect(0, "a", "");
        run(&["-t", name], "a").expect(0, signed, "");
        run(&["-t", name], signed).expect(0, signed, "");
    }
    run(&["-f", "UTF-8N"], signed).expect(0, signed, "");
    run(&["-t", "UTF-8N"], signed).expect(0, "a", "");
    run(&["-t", "UTF-8N"], "a").expect(0, "a", "");
    for (name, bytes) in [
        ("UTF-16LE-BOM", "FF FE 61 00"),
        ("utf16be-sig", "FE FF 00 61"),
        ("UTF-32LE-BOM", "FF FE 00 00 61 00 00 00"),
        ("UTF-32BE-BOM//TRANSLIT", "00 00 FE FF 00 00 00 61"),
    ] {
        run(&["-t", name], "a").expect(0, hex(bytes), "");
        run(&["-f", name], hex(bytes)).expect(0, "a", "");
    }
    // An option overrides the BOM that the name implies.
    run(&["-t", "UTF-8-SIG", "--output-bom=never"], "a").expect(0, "a", "");
    run(&["-f", "UTF-8-SIG", "--input-bom=keep"], signed).expect(0, signed, "");
    run(&["-f", "UTF-8-SIG", "--input-bom=auto"], signed).expect(0, signed, "");
}

#[test]
fn templates_of_libiconv() {
    let text = b"a\xFF\xE9\xE2\x82\xACb";
    let with = |args: &[&str]| run(&[&["-s", "-t", "ascii"], args].concat(), text);
    let (byte, scalar) = ("--byte-subst=<0x%02x>", "--unicode-subst=<U+%04X>");
    with(&[byte, scalar]).expect(0, "a<0xff><0xe9><U+20AC>b", "");
    with(&["--byte-subst", "-", "--unicode-subst", "-"]).expect(0, "a---b", "");
    with(&[byte]).expect(1, "a<0xff><0xe9>", "");
    with(&[byte, "--unmappable=omit", "--widechar-subst=%x"]).expect(0, "a<0xff><0xe9>b", "");
    // `-c` overrides templates at any position. Of other options, the last one applies.
    with(&["-c", byte, scalar]).expect(1, "ab", "");
    with(&[byte, scalar, "-c"]).expect(1, "ab", "");
    with(&["-t", "ascii//IGNORE", byte, scalar]).expect(1, "ab", "");
    with(&["--errors=omit", byte, scalar]).expect(0, "a<0xff><0xe9><U+20AC>b", "");
    with(&[byte, scalar, "--errors=omit"]).expect(0, "ab", "");
    for (option, value, why) in [
        ("--byte-subst", "%d", "a directive of the template has to end with o, u, x or X"),
        ("--unicode-subst", "%x%x", "there is more than one directive; the template takes one number"),
        ("--widechar-subst", "%", "the template ends inside a directive"),
    ] {
        let error = format!("invalid value '{value}' for '{option} <FORMAT>': {why}");
        with(&[&format!("{option}={value}")]).expect(2, "", &error);
    }
}

#[test]
fn usage_errors() {
    let dir = dir_with(&[]);
    let see_help = |text: &str| format!("{text} (see --help)");
    let value = |word: &str, name: &str, command: &str, tip: &str| {
        let values = possible_values(command).join(", ");
        see_help(&format!("invalid value '{word}' for '{name}' [possible values: {values}]{tip}"))
    };
    let [a_page, a_shell] =
        ["; tip: a similar value exists: 'encodings'", "; tip: a similar value exists: 'zsh'"];
    for (args, text) in [
        (&["--nonsense"][..], see_help("unexpected argument '--nonsense' found")),
        (&["-Z"], see_help("unexpected argument '-Z' found")),
        (&["-f"], see_help("a value is required for '--from-code <ENC>' but none was supplied")),
        (&["check", "--nonsense"], see_help("unexpected argument '--nonsense' found")),
        (&["list", "a", "b"], see_help("unexpected argument 'b' found")),
        (&["completions"], see_help("the following required arguments were not provided: <SHELL>")),
        (&["help", "nothing"], value("nothing", "[COMMAND]", "help", "")),
        (&["man", "nothing"], value("nothing", "[PAGE]", "man", a_page)),
        (&["completions", "tcsh"], value("tcsh", "<SHELL>", "completions", a_shell)),
    ] {
        run(args, "").expect(2, "", &text);
    }
    for (args, text) in [
        (
            &["--max-errors=many"][..],
            "invalid value 'many' for '--max-errors <N>': expected a whole number from 0 to 18446744073709551615",
        ),
        (
            &["--input-bom=maybe"],
            "invalid value 'maybe' for '--input-bom <POLICY>' [possible values: auto, keep, strip, text, forbid, require, sniff] (see --help)",
        ),
        (&["inspect", "a", "b"], "unexpected argument 'b'; inspect takes one file"),
        (&["man", "help"], "man: 'help' has no man page; see 'utfconv help help' and COMMANDS in utfconv(1)"),
        (&["convert", "-"], "convert: No such file or directory; omit \"convert\": utfconv -f ENC FILE"),
        (&["chekc", "-"], "chekc: No such file or directory; did you mean the command 'check'?"),
        (&["-", "chekc"], "chekc: No such file or directory"),
        (&["--omit"], "unexpected argument '--omit'; use '--ill-formed=omit'"),
        (&["--eol=lf"], "unexpected argument '--eol'; use '--newline'"),
        (&["--line-endings=lf"], "unexpected argument '--line-endings'; use '--newline'"),
        (&["--invalid=replace"], "unexpected argument '--invalid'; use '--ill-formed'"),
    ] {
        run(args, "").expect(2, "", text);
    }
    // A word that may be meant as a command stops the run before any file is converted.
    let text = b"\xE9\n";
    std::fs::write(dir.path().join("a"), text).expect("writes");
    for (words, hint) in [
        ("chekc a", "chekc: No such file or directory; did you mean the command 'check'?"),
        ("chekc -i -f latin1 a", "chekc: No such file or directory; did you mean the command 'check'?"),
        ("convert -f latin1 a", "convert: No such file or directory; omit \"convert\": utfconv -f latin1 a"),
        ("-v check -i -f latin1 a", "check: No such file or directory; a command must come first"),
        ("-f latin1 -o out a check", "check: No such file or directory; a command must come first"),
    ] {
        sh(dir.path(), &format!("$U {words}")).expect(2, "", hint);
        sh(dir.path(), "cat a; ls").expect(0, b"\xE9\na\n", "");
    }
    // A file may have the name of a command.
    sh(dir.path(), "mv a convert; $U convert -f latin1; mv convert chekc; $U chekc -f latin1; rm chekc")
        .expect(0, "é\né\n", "");
    // A word is a command only in the first position.
    sh(dir.path(), "$U -f UTF-8 check").expect(
        2,
        "",
        "check: No such file or directory; a command must come first",
    );
}

#[test]
fn help_version_and_list() {
    let help = run(&["--help"], "");
    assert_eq!((help.status, help.stderr.as_str()), (0, ""));
    let text = String::from_utf8(help.stdout).expect("text");
    for option in ["--from-code", "--ill-formed", "--input-bom", "--output", "--mmap", "Exit status"] {
        assert!(text.contains(option), "{option}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 100), "fits a terminal");
    run(&["--version"], "").expect(0, concat!("utfconv ", env!("CARGO_PKG_VERSION"), "\n"), "");
    let names: String =
        Encoding::all().chain(Encoding::web()).map(|encoding| format!("{}\n", encoding.name())).collect();
    run(&["-l"], "").expect(0, &names, "");
    run(&["list"], "").expect(0, &names, "");
    run(&["list", "--format=text"], "").expect(0, &names, "");
    let json = String::from_utf8(run(&["list", "--format=json"], "").stdout).expect("text");
    assert!(json.contains("{\"name\":\"UTF-8\",\"aliases\":[\""), "{json}");
    assert_eq!(json.matches("\"name\"").count(), Encoding::all().count() + Encoding::web().count());
    let help = run(&["list", "-h"], "").stdout;
    let said = "On a terminal, each encoding is listed with its aliases; in a file or pipe, only with its\n\
                name, one per line. --format=json has the aliases too. Names that begin with whatwg: are\n\
                the readings of other encodings that the web's Encoding Standard defines.\n";
    assert!(str::from_utf8(&help).expect("text").contains(said), "{help:?}");
    run(&["list", "--format=xml"], "").expect(2, "", "invalid value 'xml' for '--format <FORMAT>' [possible values: text, json, charmap, ucm] (see --help)");
}

#[test]
fn help_and_version_of_every_command() {
    let version = concat!("utfconv ", env!("CARGO_PKG_VERSION"), "\n");
    let commands = commands();
    assert_eq!(possible_values("help"), [&commands[..], &["iconv".to_string()]].concat());
    for command in commands.iter().map(String::as_str) {
        let help = run(&["help", command], "");
        assert!(help.status == 0 && help.stderr.is_empty(), "{help:?}");
        assert_eq!(help, run(&[command, "--help"], ""));
        let usage = format!("Usage: utfconv {command}");
        assert!(String::from_utf8_lossy(&help.stdout).contains(&usage), "{command}");
        for option in ["--version", "-V"] {
            run(&[command, option], "").expect(0, version, "");
        }
    }
    assert_eq!(run(&["help"], ""), run(&["--help"], ""));
}

/// Inputs are joined, but a missing second input may be meant as the output.
#[test]
fn a_missing_second_input_gets_the_option_for_outputs() {
    let dir = dir_with(&[("a", b"a")]);
    for (args, written, error) in [
        ("a new", "a", "new: No such file or directory; to write to it, use -o new"),
        ("a 'a b'", "a", "a b: No such file or directory; to write to it, use -o \"a b\""),
        ("a a new", "aa", "new: No such file or directory"),
        ("-o out a new", "", "utfconv: new: No such file or directory\nutfconv: out: not written\n"),
        ("--count-output a new", "", "new: No such file or directory"),
        ("new a", "a", "new: No such file or directory"),
        ("old new", "", "utfconv: old: No such file or directory\nutfconv: new: No such file or directory\n"),
    ] {
        sh(dir.path(), &format!("$U {args}")).expect(2, written, error);
    }
}

#[test]
fn files_with_the_names_of_commands() {
    let names = commands();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), name.as_bytes())).collect();
    let dir = dir_with(&files);
    for name in &names {
        sh(dir.path(), &format!("$U ./{name}; $U -- {name}")).expect(0, name.repeat(2), "");
    }
}

#[test]
fn list_finds_names() {
    let listed = |args: &[&str]| {
        let ran = run(&[&["list"], args].concat(), "");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        String::from_utf8(ran.stdout).expect("text")
    };
    for pattern in ["latin1", "LATIN-1", "iso_8859-1", "Latin 1"] {
        assert!(listed(&[pattern]).lines().any(|name| name == "ISO-8859-1"), "{pattern}");
    }
    // An alias finds only its encoding.
    assert_eq!(listed(&["cp1252"]), "windows-1252\nwhatwg:windows-1252\n");
    let json = listed(&["--format=json", "cp1252"]);
    assert!(json.starts_with("[\n  {\"name\":\"windows-1252\",\"aliases\":[\""), "{json}");
    assert_eq!(json.matches("\"name\"").count(), 2);
    let nothing = "utfconv: list: no encoding has a name that contains 'nope'\n";
    run(&["list", "nope"], "").expect(1, "", nothing);
    for pattern in ["", "-_ "] {
        let refused =
            format!("utfconv: invalid value '{pattern}' for '[PATTERN]': expected a part of a name");
        run(&["list", "--", pattern], "").expect(2, "", &refused);
    }
    run(&["list", "nope", "--format=json"], "").expect(1, "[]\n", nothing);
    run(&["list", "a\nb"], "").expect(1, "", "list: no encoding has a name that contains 'a\\nb'");
}

#[test]
fn a_command_after_an_option_is_a_file() {
    run(&["-j1", "check"], "").expect(2, "", "check: No such file or directory; a command must come first");
}

/// `--max-errors=N` limits the errors of each file, in all commands with this option.
#[test]
fn max_errors_is_per_file_in_all_commands() {
    let dir = dir_with(&[]);
    let at = dir.path();
    let make = "for f in a b; do printf 'x\\xff\\n%.0s' 1 2 3 > $f; printf 'caf\\xc3\\x83\\xc2\\xa9\\n%.0s' 1 2 3 > m$f; done";
    for (command, files, line) in [
        ("check -v", "a b", "error: invalid UTF-8"),
        ("--ill-formed=omit", "a b", "warning: invalid UTF-8"),
        ("-i --ill-formed=omit", "a b", "warning: invalid UTF-8"),
        ("repair", "ma mb", "repair: UTF-8 read as"),
    ] {
        for (limit, count) in [("1", 2), ("2", 4), ("0", 6), ("3", 6)] {
            sh(at, make).expect(0, "", "");
            let ran = sh(at, &format!("$U {command} --max-errors={limit} {files} 2>&1"));
            let text = String::from_utf8_lossy(&ran.stdout);
            assert_eq!(text.matches(line).count(), count, "{command} {limit}: {text}");
        }
    }
}
