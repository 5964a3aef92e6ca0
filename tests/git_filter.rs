//! Tests of `git-filter` and `textconv`: the protocol packet by packet, conversions and refusals, and runs by git
//! itself.

use crate::harness::{Ran, dir_with, git_sh, has, run, sh};
use crate::random::generator;

/// Returns a packet of git's protocol with the payload.
fn packet(payload: impl AsRef<[u8]>) -> Vec<u8> {
    [format!("{:04x}", payload.as_ref().len() + 4).as_bytes(), payload.as_ref()].concat()
}

/// Returns a packet for each line, and a flush packet.
fn list(lines: &[&str]) -> Vec<u8> {
    let mut list: Vec<u8> = lines.iter().flat_map(|line| packet(format!("{line}\n"))).collect();
    list.extend_from_slice(b"0000");
    list
}

/// Returns the handshake that git sends first.
fn handshake() -> Vec<u8> {
    [
        list(&["git-filter-client", "version=2"]),
        list(&["capability=clean", "capability=smudge", "capability=delay"]),
    ]
    .concat()
}

/// Returns a request whose content is split into packets of at most `most` bytes.
fn request(command: &str, path: &str, content: &[u8], most: usize) -> Vec<u8> {
    let mut request = list(&[&format!("command={command}"), &format!("pathname={path}")]);
    request.extend(content.chunks(most).flat_map(packet));
    request.extend_from_slice(b"0000");
    request
}

/// Parses an output into packets; `None` is a flush packet.
fn packets(mut output: &[u8]) -> Vec<Option<Vec<u8>>> {
    let mut packets = Vec::new();
    while !output.is_empty() {
        let digits = std::str::from_utf8(&output[..4]).expect("digits");
        let len = usize::from_str_radix(digits, 16).expect("a length");
        assert!(len == 0 || (5..=65520).contains(&len), "{len}");
        packets.push((len > 0).then(|| output[4..len].to_vec()));
        output = &output[len.max(4)..];
    }
    packets
}

/// Returns the answers to requests: the contents, or `None` for an error.
fn answers(ran: &Ran) -> Vec<Option<Vec<u8>>> {
    let greeting =
        [list(&["git-filter-server", "version=2"]), list(&["capability=clean", "capability=smudge"])]
            .concat();
    let output = ran.stdout.strip_prefix(&greeting[..]).unwrap_or_else(|| panic!("{ran:?}"));
    let mut packets = packets(output).into_iter();
    let mut answers = Vec::new();
    while let Some(status) = packets.next() {
        let status = status.expect("a status");
        assert_eq!(packets.next(), Some(None));
        if status == b"status=error\n" {
            answers.push(None);
            continue;
        }
        assert_eq!(status, b"status=success\n");
        let content: Vec<u8> = packets.by_ref().map_while(|packet| packet).flatten().collect();
        let last = packets.next().expect("a second list");
        match last {
            None => answers.push(Some(content)),
            Some(status) => {
                assert_eq!(status, b"status=error\n");
                assert_eq!(packets.next(), Some(None));
                answers.push(None);
            }
        }
    }
    answers
}

/// Converts contents in one run of the filter. Returns the answers and the messages.
fn converted(words: &str, requests: &[(&str, &str, &[u8])]) -> (Vec<Option<Vec<u8>>>, String) {
    let mut input = handshake();
    for (command, path, content) in requests {
        input.extend(request(command, path, content, 65516));
    }
    let words: Vec<_> = "git-filter".split(' ').chain(words.split(' ')).collect();
    let ran = run(&words, &input);
    let answers = answers(&ran);
    assert_eq!(ran.status, i32::from(answers.contains(&None)), "{ran:?}");
    assert_eq!(answers.len(), requests.len());
    (answers, ran.stderr)
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

const TEXT: &str = "Grüße,\r\n日本語 😀\n";

#[test]
fn requests_are_answered() {
    let input =
        [handshake(), request("clean", "a", &utf16(TEXT), 9), request("smudge", "b", b"hi", 1)].concat();
    let ran = run(&["git-filter", "-f", "UTF-16LE"], &input);
    let success = list(&["status=success"]);
    let expected = [
        list(&["git-filter-server", "version=2"]),
        list(&["capability=clean", "capability=smudge"]),
        success.clone(),
        packet(TEXT),
        b"00000000".to_vec(),
        success,
        packet(b"h\0i\0"),
        b"00000000".to_vec(),
    ]
    .concat();
    ran.expect(0, expected, "");
}

#[test]
fn what_git_offers_and_adds_may_be_unknown() {
    let greeting = [
        list(&["git-filter-client", "version=1", "version=2", "version=42", "color=blue"]),
        list(&["capability=smudge", "capability=not-yet-invented"]),
    ]
    .concat();
    let metadata =
        list(&["command=smudge", "ref=refs/heads/main", "pathname=a=b", "blob=ab12", "can-delay=1"]);
    let input = [greeting, metadata, packet("x"), b"0000".to_vec()].concat();
    let ran = run(&["git-filter", "-f", "UTF-16LE"], &input);
    let expected = [
        list(&["git-filter-server", "version=2"]),
        list(&["capability=smudge"]),
        list(&["status=success"]),
        packet("x\0"),
        b"00000000".to_vec(),
    ];
    ran.expect(0, expected.concat(), "");
}

/// Packets of every size split characters, surrogate pairs and BOMs.
#[test]
fn packets_may_cut_contents_anywhere() {
    let file = [b"\xFF\xFE", &utf16(TEXT)[..]].concat();
    let mut input = handshake();
    for most in 1..=file.len() {
        input.extend(request("clean", "a", &file, most));
        input.extend(request("smudge", "a", TEXT.as_bytes(), most));
    }
    let ran = run(&["git-filter", "-f", "UTF-16LE-BOM"], &input);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    for (at, answer) in answers(&ran).iter().enumerate() {
        let expected = if at % 2 == 0 { TEXT.as_bytes() } else { &file };
        assert_eq!(answer.as_deref(), Some(expected), "{at}");
    }
}

#[test]
fn long_contents_come_in_long_packets() {
    for len in [65515, 65516, 65517, 131_032, 300_000] {
        let text = "x".repeat(len);
        let (answers, _) = converted("-f UTF-16BE", &[("smudge", "a", text.as_bytes())]);
        assert_eq!(answers[0].as_ref().map(Vec::len), Some(2 * len));
        let (back, _) = converted("-f UTF-16BE", &[("clean", "a", answers[0].as_ref().expect("converted"))]);
        assert!(back[0].as_deref() == Some(text.as_bytes()), "{len}");
    }
}

/// An error near the end of a long content comes after much output, and the next file is still converted.
#[test]
fn refusals_may_be_late_and_end_nothing() {
    let long = [utf16(&"x".repeat(200_000)), b"\x00\xD8".to_vec()].concat();
    let (answers, messages) = converted(
        "-f UTF-16LE",
        &[("clean", "long", &long), ("clean", "short", b"a\0\x00\xDC"), ("clean", "good", b"a\0")],
    );
    assert_eq!(answers, [None, None, Some(b"a".to_vec())]);
    let why = "line 1, column 200001, invalid UTF-16LE (lone high surrogate) at byte 400000: 00 D8: ";
    assert!(messages.starts_with(&format!("utfconv: long: not converted to UTF-8: {why}")), "{messages}");
    assert!(
        messages.contains("\nutfconv: short: not converted to UTF-8: line 1, column 2, invalid UTF-16LE (lone low surrogate) at byte 2: "),
        "{messages}"
    );
}

#[test]
fn input_that_is_not_the_protocol_is_an_error() {
    let greeting = list(&["git-filter-client", "version=2"]);
    let with = |rest: &[u8]| [&handshake()[..], rest].concat();
    for (input, why) in [
        (b"".to_vec(), "the input ends in the middle"),
        (b"Hello, world\n".to_vec(), "\"Hell\" is no packet length"),
        (list(&["git-filter-server", "version=2"]), "the first packet is not"),
        (list(&["git-filter-client", "version=3"]), "does not offer version 2"),
        ([&greeting[..], b"0003"].concat(), "\"0003\" is no packet length"),
        (with(b"fff1"), "\"fff1\" is no packet length"),
        (with(&list(&["command"])), "\"command\" is no key and value"),
        (with(&list(&["command=clean"])), "no command or no pathname"),
        (with(&request("list_available_blobs", "a", b"", 1)), "a command that was not offered"),
        (with(b"0000"), "no command or no pathname"),
    ] {
        let ran = run(&["git-filter", "-f", "UTF-16LE"], &input);
        assert_eq!(ran.status, 2, "{why}: {ran:?}");
        assert!(ran.stderr.contains(why) && ran.stderr.contains("filter.NAME.process"), "{why}: {ran:?}");
        assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    }
}

/// If the input ends within a request, the exit status is 2. Between requests it is 0.
#[test]
fn input_may_end_between_requests_only() {
    let first = [handshake(), request("clean", "a", b"a\0b\0", 3)].concat();
    let whole = [first.clone(), request("smudge", "b", b"xy", 1)].concat();
    let ends = [handshake().len(), first.len(), whole.len()];
    for end in (1..=whole.len()).step_by(5).chain(ends) {
        let ran = run(&["git-filter", "-f", "UTF-16LE"], &whole[..end]);
        assert_eq!(ran.status, if ends.contains(&end) { 0 } else { 2 }, "{end}: {ran:?}");
    }
}

/// Text in UTF-16LE with a BOM.
const BOM: &[u8] = b"\xFF\xFEa\0";
const PNG: &[u8] = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR";

/// Options, direction, content, and the converted content or a part of the error.
type Row = (&'static str, &'static str, &'static [u8], Result<&'static [u8], &'static str>);

/// Contents that are converted, refused, or checked out unchanged.
const ROWS: &[Row] = &[
    ("-f UTF-16LE", "clean", b"", Ok(b"")),
    ("-f UTF-16LE", "smudge", b"", Ok(b"")),
    ("-f UTF-16LE-BOM", "clean", b"", Ok(b"")),
    ("-f UTF-16LE-BOM", "smudge", b"", Ok(b"")),
    // A BOM is kept as U+FEFF, or for names that end with -BOM removed and added again.
    ("-f UTF-16LE", "clean", BOM, Ok(b"\xEF\xBB\xBFa")),
    ("-f UTF-16LE", "smudge", b"\xEF\xBB\xBFa", Ok(BOM)),
    ("-f UTF-16LE-BOM", "clean", BOM, Ok(b"a")),
    ("-f UTF-16LE-BOM", "smudge", b"a", Ok(BOM)),
    ("-f UTF-16LE-BOM", "clean", b"a\0", Err("missing BOM")),
    (
        "-f UTF-16LE-BOM",
        "clean",
        b"\xFF\xFE",
        Err("from byte 0 on; its BOM does not match the encoding of the filter"),
    ),
    ("-f UTF-16LE-BOM", "clean", b"\xFF\xFE\xFF\xFEa\0", Err("from byte 0 on")),
    ("-f UTF-16LE-BOM", "smudge", b"\xEF\xBB\xBFa", Err("BOM")),
    (
        "-f UTF-16",
        "clean",
        b"\xFE\xFF\0a",
        Err("from byte 0 on; its BOM does not match the encoding of the filter"),
    ),
    ("-f UTF-16", "clean", b"a\0", Err("from byte 0 on")),
    ("-f UTF-8-BOM", "clean", b"\xEF\xBB\xBF\xC3\xA9", Ok(b"\xC3\xA9")),
    ("-f UTF-8-BOM", "smudge", b"\xC3\xA9", Ok(b"\xEF\xBB\xBF\xC3\xA9")),
    ("-f UTF-8-BOM", "clean", b"\xC3\xA9", Err("missing BOM")),
    // Text that is UTF-8 already is refused, unless the conversion is forced.
    ("-f UTF-16LE", "clean", b"even", Err("UTF-8 already; use 'utfconv -t UTF-16LE -i x' to convert it")),
    ("-f UTF-16LE", "clean", b"odd", Err("UTF-8 already")),
    ("-f UTF-16LE-BOM", "clean", b"even", Err("'utfconv -t UTF-16LE-BOM -i x'")),
    ("-f UTF-16LE --force", "clean", b"ab", Ok("\u{6261}".as_bytes())),
    ("-f UTF-16LE", "smudge", "\u{6261}".as_bytes(), Err("would be mistaken for UTF-8")),
    ("-f UTF-16LE --force", "smudge", "\u{6261}".as_bytes(), Ok(b"ab")),
    ("-f latin1", "clean", b"\xC3\xA9", Err("UTF-8 already")),
    ("-f latin1 --force", "clean", b"\xC3\xA9", Ok(b"\xC3\x83\xC2\xA9")),
    ("-f latin1", "clean", b"ASCII", Ok(b"ASCII")),
    ("-f latin1", "clean", b"\xE9", Ok(b"\xC3\xA9")),
    ("-f IBM037", "clean", b"Hello", Err("UTF-8 already")),
    ("-f IBM037", "clean", b"\xC8\x85\x93\x93\x96\x15", Ok(b"Hello\xC2\x85")),
    ("-f IBM037 --ebcdic-newline=lf", "clean", b"\xC8\x85\x93\x93\x96\x15", Ok(b"Hello\n")),
    ("-f IBM037 --ebcdic-newline=lf", "smudge", b"Hello\n", Ok(b"\xC8\x85\x93\x93\x96\x15")),
    // A two-byte GBK code that is also well-formed UTF-8 is converted.
    ("-f GBK", "clean", b"\xCD\xA8", Ok("通".as_bytes())),
    ("-f GBK", "clean", "Grüße, Öl, Äh".as_bytes(), Err("UTF-8 already")),
    // Contents in the repository that are not converted to UTF-8 yet are checked out unchanged.
    ("-f UTF-16LE", "smudge", b"a\0b\0", Ok(b"a\0b\0")),
    ("-f UTF-16LE", "smudge", BOM, Ok(BOM)),
    ("-f UTF-16LE-BOM", "smudge", BOM, Ok(BOM)),
    ("-f UTF-8-BOM", "smudge", b"\xEF\xBB\xBFa", Ok(b"\xEF\xBB\xBFa")),
    ("-f latin1", "smudge", b"caf\xE9", Ok(b"caf\xE9")),
    ("-f latin1 --force", "smudge", b"caf\xE9", Ok(b"caf\xE9")),
    ("-f UTF-16LE --force", "smudge", b"a\0", Ok(b"a\0\0\0")),
    // Contents in neither of the two encodings are refused.
    ("-f UTF-16LE", "smudge", b"caf\xE9\n", Err("invalid UTF-8 (truncated) at byte 3: E9")),
    ("-f UTF-16LE", "clean", b"caf\xE9\n", Err("invalid UTF-16LE (")),
    ("-f latin1", "smudge", "€".as_bytes(), Err("cannot be encoded in ISO-8859-1")),
    ("-f windows-1252", "clean", b"\x81", Err("invalid windows-1252 (unassigned) at byte 0: 81")),
    // Binary contents are refused.
    ("-f UTF-16LE", "clean", b"a\0\0\0b\0", Err("it has U+0000; give it the attribute -filter")),
    ("-f latin1", "clean", PNG, Err("it has U+0000")),
    ("-f latin1", "smudge", b"a\0", Err("it has U+0000")),
    ("-f latin1 --force", "clean", b"a\0\xE9", Ok(b"a\0\xC3\xA9")),
    ("-f UTF-16LE", "smudge", PNG, Err("it has U+0000")),
    // Contents that would not convert back to the same bytes are refused.
    ("-f ISO-2022-JP", "clean", b"\x1B(Ba", Err("from byte 0 on")),
    ("-f ISO-2022-JP", "clean", b"\x1B$BF|\x1B(B", Ok("日".as_bytes())),
    ("-f UTF-7", "clean", b"+AGE-", Err("from byte 0 on")),
    // With `-t`, the repository has the legacy encoding and the work tree UTF-8.
    ("-t latin1", "smudge", b"", Ok(b"")),
    ("-t latin1", "smudge", b"caf\xE9", Ok("café".as_bytes())),
    ("-t latin1", "smudge", "café".as_bytes(), Ok("café".as_bytes())),
    ("-t latin1 --force", "smudge", "é".as_bytes(), Ok("Ã©".as_bytes())),
    ("-t UTF-16LE-BOM", "smudge", BOM, Ok(b"a")),
    ("-t UTF-16LE-BOM", "smudge", b"a\0", Err("missing BOM")),
    ("-t windows-1252", "smudge", b"\x81", Err("invalid windows-1252 (unassigned) at byte 0: 81")),
    ("-t latin1", "smudge", PNG, Err("it has U+0000")),
    // Duplicate codes, which encoding alone would change, are restored from the stored version.
    ("-t CP932", "smudge", b"\xFA\x5B \x81\xE6", Ok("∵ ∵".as_bytes())),
    ("-t ISO-2022-JP", "smudge", b"\x1B(Ba", Ok(b"a")),
];

#[test]
fn contents_are_converted_exactly_or_refused() {
    for (words, direction, content, expected) in ROWS {
        let (answers, messages) = converted(words, &[(direction, "x", content)]);
        let context = format!("{words} {direction} {content:02X?}: {answers:02X?} {messages}");
        match expected {
            Ok(expected) => {
                assert_eq!(answers[0].as_deref(), Some(*expected), "{context}");
                let is_unchanged = !content.is_empty() && answers[0].as_deref() == Some(*content);
                let is_warned =
                    messages.contains("x: warning: ") && messages.contains("git add --renormalize x");
                assert_eq!(is_warned, *direction == "smudge" && is_unchanged, "{context}");
                assert_eq!(messages.is_empty(), !is_warned, "{context}");
            }
            Err(why) => {
                assert_eq!(answers[0], None, "{context}");
                assert!(messages.contains(why) && messages.lines().count() == 1, "{context}");
            }
        }
    }
}

/// Every accepted content converts back to the same bytes.
#[test]
fn nothing_is_lost() {
    let mut random = generator();
    let scalars: Vec<char> = "ab c\r\n\u{FEFF}é߀я日本語😀\u{301}\u{0}".chars().collect();
    for name in [
        "UTF-16LE",
        "UTF-16LE-BOM",
        "UTF-16",
        "UTF-32BE",
        "UTF-8-BOM",
        "windows-1252",
        "IBM037",
        "Shift_JIS",
        "GB18030",
        "ISO-2022-JP",
        "UTF-7",
        "SCSU",
    ] {
        for option in ["", " --force"] {
            let words = format!("-f {name}{option}");
            let mut contents: Vec<Vec<u8>> = Vec::new();
            for _ in 0..60 {
                let text: String =
                    (0..random(8)).map(|_| scalars[random(scalars.len() as u64) as usize]).collect();
                let mut bytes = match random(3) {
                    0 => utf16(&text),
                    1 => text.into_bytes(),
                    _ => run_once(name, &text),
                };
                if random(4) == 0 {
                    bytes.extend((0..random(4)).map(|_| random(256) as u8));
                }
                contents.push(bytes);
            }
            for (there, back) in [("clean", "smudge"), ("smudge", "clean")] {
                let requests: Vec<_> = contents.iter().map(|content| (there, "x", &content[..])).collect();
                let (answers, _) = converted(&words, &requests);
                let accepted: Vec<_> =
                    contents.iter().zip(answers).filter_map(|(old, new)| Some((old, new?))).collect();
                assert!(accepted.len() > 5, "{words} {there}");
                let requests: Vec<_> = accepted.iter().map(|(_, new)| (back, "x", &new[..])).collect();
                let (returned, _) = converted(&words, &requests);
                for ((old, new), returned) in accepted.iter().zip(returned) {
                    // A content that was checked out unchanged becomes UTF-8 when it is added.
                    if there == "clean" || *old != new {
                        let context = format!("{words} {there}: {old:02X?} became {new:02X?}");
                        assert_eq!(returned.as_deref(), Some(&old[..]), "{context}");
                    }
                }
            }
        }
    }
}

/// Encodes a text, without the characters that the encoding does not have.
fn run_once(name: &str, text: &str) -> Vec<u8> {
    let bare = name.trim_end_matches("-BOM");
    let encoding = utfconv_core::Encoding::for_name(bare).expect("is there");
    let policy = utfconv_core::Policy::default().unmappable(utfconv_core::OnUnmappable::Omit);
    let bom = if bare == name { utfconv_core::OutputBom::Auto } else { utfconv_core::OutputBom::Always };
    let options = utfconv_core::Options::default().policy(policy).output_bom(bom);
    utfconv_core::convert(text.as_bytes(), &utfconv_core::UTF_8, encoding, &options).expect("converts").output
}

#[test]
fn encodings_that_lose_text_are_refused() {
    let loses = |option: &str| {
        format!("{option}: suffixes such as //IGNORE lose text; git-filter converts exactly or not at all")
    };
    for (words, why) in [
        (
            "git-filter",
            "git-filter requires -f ENC (encoding in the work tree) or -t ENC (in the repository); \
             'utfconv git-filter -h' has the setup for git",
        ),
        ("git-filter -f latin1 -t latin1", "-f cannot be used with -t"),
        ("git-filter -t ASCII//TRANSLIT", &loses("-t")),
        (
            "git-filter -f auto",
            "invalid value 'auto' for '--from-code <ENC>': not an encoding; \
             use 'utfconv detect FILE' to detect that of a file",
        ),
        (
            "git-filter -f UTF-61",
            "invalid value 'UTF-61' for '--from-code <ENC>': no such encoding; did you mean UTF-16?",
        ),
        ("git-filter -f ASCII//TRANSLIT", &loses("-f")),
        ("git-filter -f whatwg:utf-16le", "-f: the Encoding Standard has no encoder for whatwg:UTF-16LE"),
        ("git-filter -f UTF-16LE file", "unexpected argument 'file' found (see --help)"),
        ("textconv", "the following required arguments were not provided: <FILE> (see --help)"),
        ("textconv a b", "unexpected argument 'b' found (see --help)"),
    ] {
        run(&words.split(' ').collect::<Vec<_>>(), "").expect(2, "", why);
    }
}

/// At most 100 warnings are printed, then the number of further warnings.
#[test]
fn warnings_are_limited_and_paths_are_quoted() {
    let requests = vec![("smudge", "a\u{1B}[31m\nb", &b"caf\xE9"[..]); 103];
    let (answers, messages) = converted("-f latin1", &requests);
    assert!(answers.iter().all(|answer| answer.as_deref() == Some(b"caf\xE9")));
    assert_eq!(messages.lines().count(), 101);
    assert!(
        messages.starts_with("utfconv: $'a\\E[31m\\nb': warning: ") || messages.contains("\\x1B[31m"),
        "{messages}"
    );
    assert!(messages.ends_with("utfconv: warning: 3 more files in the repository were not converted\n"));
    assert!(!messages.contains('\u{1B}'));
}

/// Creates a repository with a filter for *.rc, and files in UTF-16 with a BOM.
fn repository() -> Option<tempfile::TempDir> {
    if !has("git") {
        return None;
    }
    let with_bom = [b"\xFF\xFE", &utf16(TEXT)[..]].concat();
    let dir = dir_with(&[
        (".gitattributes", b"*.rc filter=utf16\n"),
        ("a.rc", &with_bom),
        ("-f.rc", &with_bom),
        ("$(touch hostile) `id`\n\u{1B}[31m'\".rc", &with_bom),
        ("empty.rc", b""),
        ("other.txt", &with_bom),
    ]);
    let script = r#"git init -q -b main . && git config core.autocrlf false
        git config filter.utf16.process "$U git-filter -f UTF-16LE-BOM" && git config filter.utf16.required true
        git add . && git commit -qm one"#;
    git_sh(dir.path(), script).expect(0, "", "");
    Some(dir)
}

#[test]
fn files_are_utf8_in_the_repository_and_come_back() {
    let Some(dir) = repository() else { return };
    let at = dir.path();
    git_sh(at, "git show :a.rc").expect(0, TEXT, "");
    git_sh(at, "git show ':-f.rc' HEAD:empty.rc").expect(0, TEXT, "");
    // All files are the same after a new checkout.
    let script = "cp -r . ../copy.$$ && rm -f ./*.rc && git checkout . 2>/dev/null && for i in ./*; do
        cmp \"$i\" \"../copy.$$/$i\" || echo differs; done; rm -r ../copy.$$; git status --short; ls | wc -l";
    git_sh(at, script).expect(0, "6\n", "");
    // The files count as unchanged even if git has to compare them again.
    git_sh(at, "touch -d 2001-01-01 ./*; git status --short; git diff; git stash list").expect(0, "", "");
    // Changes are displayed as text, stashed and restored.
    let script = r"printf 'n\0e\0w\0\n\0' >> a.rc; git diff | grep '^[+-]'; cp a.rc keep; git stash -q; git status --short -uno
        git stash pop -q; cmp a.rc keep; rm keep; git status --short";
    git_sh(at, script).expect(0, "--- a/a.rc\n+++ b/a.rc\n+new\n M a.rc\n", "");
    // An archive has the files as they are in the work tree.
    git_sh(at, "git checkout -q a.rc; git archive HEAD | tar xOf - a.rc | cmp - a.rc; git archive HEAD | tar tf - | wc -l")
        .expect(0, "6\n", "");
    assert!(!at.join("hostile").exists());
    // Merges compare lines.
    let script = r"git checkout -qb side; printf '\377\376a\0\n\0b\0\n\0' > m.rc; git add m.rc; git commit -qm m
        git checkout -qb other; printf '\377\376A\0\n\0b\0\n\0b\0\n\0c\0\n\0d\0\n\0' > m.rc; git commit -qam A; git checkout -q side
        git log --oneline | wc -l; git merge -q other 2>&1; git cat-file --filters HEAD:m.rc | cmp - m.rc; git status --short";
    git_sh(at, script).expect(0, "2\n", "");
}

/// git converts the newlines of the UTF-8 text, and BOMs may stay.
#[test]
fn newlines_are_those_of_git() {
    let Some(dir) = repository() else { return };
    let script = r#"echo '*.rc filter=utf16 text eol=crlf' > .gitattributes; printf '\377\376a\0\r\0\n\0' > n.rc; cp n.rc keep
        git add n.rc && git show :n.rc; rm n.rc; git checkout -q n.rc; cmp n.rc keep; git status --short n.rc"#;
    git_sh(dir.path(), script).expect(0, "a\nA  n.rc\n", "");
}

#[test]
fn git_stops_where_a_file_is_refused_and_required() {
    let Some(dir) = repository() else { return };
    let at = dir.path();
    git_sh(at, "printf 'text\\n' > b.rc; git add b.rc").expect(
        128,
        "",
        "utfconv: b.rc: not converted to UTF-8: it seems to be UTF-8 already; use 'utfconv -t UTF-16LE-BOM -i b.rc' to convert it, or --force\nfatal: b.rc: clean filter 'utf16' failed\n",
    );
    git_sh(at, "$U -t UTF-16LE-BOM -i b.rc && git add b.rc && git show :b.rc").expect(0, "text\n", "");
    // If the filter is not required, git stores the file unchanged, and the refusal is reported.
    let script = "git config filter.utf16.required false; printf '\\377\\376\\0\\330' > c.rc; git add c.rc; git show :c.rc | cmp - c.rc";
    git_sh(at, script).expect(0, "", "c.rc: not converted to UTF-8: line 1, column 1, invalid UTF-16LE (lone high surrogate) at byte 2: 00 D8: high surrogate U+D800 without a low surrogate after it");
    // The file was committed in another branch without conversion.
    let script = "git config filter.utf16.required true; git rm -q --cached c.rc; rm c.rc
        cp a.rc raw; id=$(git hash-object -w --no-filters raw); git update-index --add --cacheinfo 100644,$id,d.rc
        git checkout d.rc && cmp raw d.rc; git status --short d.rc; rm raw";
    git_sh(at, script).expect_part(
        0,
        "AM d.rc\n",
        "utfconv: d.rc: warning: in UTF-16LE-BOM in the repository, too",
    );
    git_sh(at, "git add --renormalize d.rc; git status --short d.rc; git show :d.rc").expect(
        0,
        format!("A  d.rc\n{TEXT}"),
        "",
    );
    // The filter process exits, or refuses to start.
    git_sh(at, "git config filter.utf16.process false; git add a.rc; touch a.rc; git add a.rc")
        .expect_part(128, "", "fatal: ");
    git_sh(
        at,
        "git config filter.utf16.process \"$U git-filter -f UTF-16LE//IGNORE\"; touch a.rc; git add a.rc",
    )
    .expect_part(128, "", "suffixes such as //IGNORE lose text");
}

/// `-t` asks git for the stored version when a file is added, and refuses a file that is not UTF-8.
#[test]
fn only_utf8_is_encoded_for_the_repository() {
    if !has("git") {
        return;
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let script = r#"git init -q . && git config filter.f.process "$U git-filter -t ISO-8859-1" && git config filter.f.required true
        echo '*.txt filter=f' > .gitattributes"#;
    git_sh(dir.path(), script).expect(0, "", "");
    for (content, status, stored, message) in [
        (r"caf\303\251", 0, r"caf\351", ""),
        ("", 0, "", ""),
        (
            r"caf\351",
            128,
            "",
            "utfconv: a.txt: not converted to ISO-8859-1: line 1, column 4, invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found; if it is ISO-8859-1, use 'utfconv -f ISO-8859-1 -i a.txt' to convert it\n",
        ),
        (
            r"\342\202\254",
            128,
            "",
            "utfconv: a.txt: not converted to ISO-8859-1: line 1, column 1, unmappable character at byte 0: ",
        ),
        (
            r"a\0b",
            128,
            "",
            "utfconv: a.txt: not converted to ISO-8859-1: it seems to be binary: it has U+0000; ",
        ),
        (
            r"\303\203\302\251",
            128,
            "",
            "utfconv: a.txt: not converted to ISO-8859-1: the result would be mistaken for UTF-8 at the next git add or checkout; use 'utfconv repair --from-rev a.txt' to see whether a program damaged it, or --force to store it\n",
        ),
    ] {
        let script = format!(
            "printf '{content}' > a.txt && git add a.txt && git show :a.txt | cmp - <(printf '{stored}')"
        );
        git_sh(dir.path(), &script).expect_part(status, "", message);
        git_sh(dir.path(), "git rm -q --cached --ignore-unmatch a.txt").expect(0, "", "");
    }
}

/// A program that knows only UTF-8 edits a line. The stored file differs only in that line, even if a character has two
/// codes and git changes the newlines.
#[test]
fn the_repository_keeps_its_codes() {
    if !has("git") {
        return;
    }
    // The lines have duplicate codes of IBM and NEC for characters of JIS X 0208.
    let lines: [&[u8]; 4] =
        [b"\x81\xE6\x87\x90 \xFA\x5B\n", b"\xED\x40\x8E\x71\n", b"two \x93\xFA\n", b"\x87\x54\xFA\x4A\n"];
    for attributes in ["-text", "text eol=lf", "text eol=crlf"] {
        let dir = dir_with(&[("a.txt", &lines.concat())]);
        let at = dir.path();
        let script = format!(
            r#"git init -q -b main . && git config filter.sj.process "$U git-filter -t CP932" && git config filter.sj.required true
            touch -d 2001-01-01 a.txt; git add a.txt && git commit -qm one; echo '*.txt filter=sj {attributes}' > .gitattributes && git add .gitattributes && git commit -qm two
            rm a.txt; git checkout -q a.txt; git status --short; touch -d 2001-01-01 a.txt; git status --short; git diff
            cat a.txt | tr -d '\r'"#
        );
        git_sh(at, &script).expect(0, "∵≒ ∵\n纊子\ntwo 日\nⅠⅠ\n", "");
        let script = "sed -i 's/two/zwei/' a.txt; git add a.txt && git show :a.txt; git mv a.txt b.txt; git status --short";
        let edited = [lines[0], lines[1], b"zwei \x93\xFA\n", lines[3], b"R  a.txt -> b.txt\n"].concat();
        let ran = git_sh(at, script);
        assert_eq!((ran.status, &ran.stderr[..]), (0, ""), "{attributes}");
        assert_eq!(ran.stdout, edited, "{attributes}");
        // If the filter process fails, nothing is stored.
        git_sh(at, "git config filter.sj.process false; touch b.txt; git add b.txt")
            .expect_part(128, "", "fatal: ");
    }
}

/// `-t` asks git for the stored version. In a SHA-256 repository its object ID is longer, and in a partial clone the
/// object is missing before the checkout.
#[test]
fn clones_and_repositories_of_sha_256_keep_their_codes() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[("a.txt", b"\x81\xE6\x87\x90 \xFA\x5B\ntwo\n")]);
    let at = dir.path();
    let script = r#"git init -q -b main --object-format=sha256 . && git add a.txt && git commit -qm one
        echo '*.txt filter=sj -text' > .gitattributes && git add .gitattributes && git commit -qm two
        git config uploadpack.allowFilter true; git clone -q --no-checkout --filter=blob:none file://$PWD partial && cd partial
        git config filter.sj.process "$U git-filter -t CP932"; git config filter.sj.required true
        git checkout -q main; git status --short; cat a.txt"#;
    git_sh(at, script).expect(0, "∵≒ ∵\ntwo\n", "");
    let script = "cd partial; sed -i s/two/zwei/ a.txt; git add a.txt && git show :a.txt; git status --short";
    git_sh(at, script).expect(0, b"\x81\xE6\x87\x90 \xFA\x5B\nzwei\nM  a.txt\n", "");
}

#[test]
fn differences_are_displayed_as_utf8() {
    if !has("git") {
        return;
    }
    let dir = dir_with(&[
        (".gitattributes", b"*.rc diff=utf16\n"),
        ("a.rc", &[b"\xFF\xFE", &utf16("Größe\nzwei\n")[..]].concat()),
        ("-f.rc", &[b"\xFF\xFE", &utf16("eins\n")[..]].concat()),
        ("b.rc", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\xFF\xFE"),
    ]);
    let at = dir.path();
    let script = r#"git init -q -b main . && git config diff.utf16.textconv "$U textconv --" && git config diff.utf16.cachetextconv true
        git add . && git commit -qm one"#;
    git_sh(at, script).expect(0, "", "");
    let changes = "git diff | grep '^[+-][^+-]'";
    // The UTF-16 file changes to ill-formed UTF-16, then to UTF-8. The other file is in UTF-16, too.
    git_sh(at, &format!("printf 'd\\0r\\0e\\0i\\0\\n\\0\\0\\330' >> a.rc; {changes}")).expect(
        0,
        "+drei\n+\u{FFFD}\n",
        "",
    );
    git_sh(at, &format!("printf 'Größe\\nzwei!\\n' > a.rc; {changes}")).expect(0, "-zwei\n+zwei!\n", "");
    git_sh(at, &format!("git checkout -q a.rc; printf 'z\\0w\\0e\\0i\\0\\n\\0' >> ./-f.rc; {changes}"))
        .expect(0, "+zwei\n", "");
    let ran = git_sh(at, &format!("git checkout -q ./-f.rc; printf x >> b.rc; {changes}"));
    let lines = String::from_utf8(ran.stdout).expect("text");
    assert!(
        lines.starts_with("-binary, 18 bytes, checksum ") && lines.contains("\n+binary, 19 bytes, "),
        "{lines}"
    );
    git_sh(at, "git log -p --format= -- a.rc | grep '^+[^+]'").expect(0, "+Größe\n+zwei\n", "");
}

#[test]
fn textconv_prints_what_can_be_printed() {
    let mostly = [&"Grüße ".repeat(20).into_bytes()[..], b"\xFF\n"].concat();
    for (words, input, output) in [
        ("", "Grüße".as_bytes(), "Grüße"),
        ("", b"\xEF\xBB\xBFa", "a"),
        ("", b"\xFE\xFF\0a", "a"),
        ("", &mostly, &format!("{}\u{FFFD}\n", "Grüße ".repeat(20))),
        ("", b"", ""),
        ("-f windows-1252 ", b"caf\xE9\x81", "caf\u{E9}\u{FFFD}"),
        ("-f UTF-16LE ", b"a\0\0\xD8b\0c", "a\u{FFFD}b\u{FFFD}"),
        // A BOM overrides `-f`, and UTF-8 text is printed unchanged.
        ("-f UTF-16LE ", b"\xFE\xFF\0a", "a"),
        ("-f UTF-16LE ", "UTF-8 é".as_bytes(), "UTF-8 é"),
        ("-f UTF-16LE-BOM ", b"a\0", "a"),
        ("-f auto:IBM037,UTF-8 ", b"\xC8\x85\x93\x93\x96\x6B\x40\xA6\x96\x99\x93\x84", "Hello, world"),
    ] {
        let words = format!("textconv {words}-");
        run(&words.split(' ').collect::<Vec<_>>(), input).expect(0, output, "");
    }
    let dir = dir_with(&[("-f", b"x\n")]);
    sh(dir.path(), "$U textconv -- -f").expect(0, "x\n", "");
    sh(dir.path(), "$U textconv missing").expect(2, "", "utfconv: missing: No such file or directory");
    sh(dir.path(), "$U textconv .").expect(2, "", "utfconv: .: Is a directory");
}
