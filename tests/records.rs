//! Tests of mainframe records, with fixed lengths or descriptor words, in input and output. Compares them with a model.

use crate::harness::{Ran, dir_with, run, sh};
use crate::random::generator;

/// "Hello" in EBCDIC.
const HELLO: &[u8] = b"\xC8\x85\x93\x93\x96";
/// "a b" in EBCDIC.
const A_B: &[u8] = b"\x81\x40\x82";

fn padded(data: &[u8], len: usize) -> Vec<u8> {
    let mut record = data.to_vec();
    record.resize(len, 0x40);
    record
}

fn described(data: &[u8]) -> Vec<u8> {
    [&(data.len() as u16 + 4).to_be_bytes()[..], &[0, 0], data].concat()
}

#[track_caller]
fn is(ran: Ran, status: i32, stdout: impl AsRef<[u8]>, stderr: &str) {
    ran.expect(status, stdout, stderr);
}

#[test]
fn records_are_lines() {
    let fixed = [padded(HELLO, 80), padded(A_B, 80), padded(b"", 80)].concat();
    is(run(&["-f", "IBM1047", "--records=80"], &fixed), 0, "Hello\na b\n\n", "");
    let kept = format!("Hello{}\na b{}\n{}\n", " ".repeat(75), " ".repeat(77), " ".repeat(80));
    is(run(&["-f", "IBM1047", "--records=80", "--keep-blanks"], &fixed), 0, kept, "");
    let rdw = [described(HELLO), described(b""), described(&padded(A_B, 5))].concat();
    is(run(&["-f", "cp037", "--records=rdw"], &rdw), 0, "Hello\n\na b  \n", "");
    let blocks = [described(&rdw), described(&described(HELLO))].concat();
    is(run(&["-f", "cp037", "--records=RDW-blocked"], &blocks), 0, "Hello\n\na b  \nHello\n", "");
    // Records may be in ASCII, and can be converted to records of another kind. Empty input has no record.
    is(run(&["-f", "latin1", "--records=3"], b"ab c  d\xE9 "), 0, "ab\nc\ndé\n", "");
    is(
        run(&["-f", "IBM1047", "-t", "IBM273", "--records=80", "--output-records=rdw"], &fixed),
        0,
        [described(HELLO), described(A_B), described(b"")].concat(),
        "",
    );
    is(run(&["-f", "IBM1047", "--records=80"], ""), 0, "", "");
    // Each record ends in the initial shift state.
    let dir = dir_with(&[]);
    sh(dir.path(), "printf 'あいう\\nabc\\n' > t; $U -t IBM939 --output-records=20 t > r; wc -c < r; $U -f IBM939 --records=20 r | cmp - t").expect(0, "40\n", "");
}

#[test]
fn lines_are_records() {
    let to =
        |form: &str| run(&["-t", "IBM1047", &format!("--output-records={form}")], "Hello\r\na b\n\nHello");
    is(to("6"), 0, [HELLO, b"\x40", A_B, &b"\x40".repeat(9), HELLO, b"\x40"].concat(), "");
    let rdw = [described(HELLO), described(A_B), described(b""), described(HELLO)].concat();
    is(to("rdw"), 0, &rdw, "");
    is(to("rdw-blocked"), 0, described(&rdw), "");
    is(
        to("4"),
        1,
        "",
        "utfconv: -: error: line 1 is too long for a record: it has 5 bytes, and there is room for 4",
    );
    let long = run(&["-t", "latin1", "--output-records=4"], "abc\nabcd\nabcde\n");
    is(
        long,
        1,
        "abc abcd",
        "-: error: line 3 is too long for a record: it has 5 bytes, and there is room for 4",
    );
    let last = run(&["-t", "latin1", "--output-records=4"], "abc\nabcde");
    is(last, 1, "abc ", "-: error: line 2 is too long for a record: it has 5 bytes, and there is room for 4");
    // Full blocks have at most 32,760 bytes.
    let text = format!("{}\n", "x".repeat(10_000)).repeat(7);
    let blocks = run(&["-t", "latin1", "--output-records=rdw-blocked"], &text).stdout;
    assert_eq!(
        (blocks.len(), &blocks[..4], &blocks[30_016..30_020]),
        (70_040, &b"\x75\x40\0\0"[..], &b"\x75\x40\0\0"[..])
    );
    is(run(&["-f", "latin1", "--records=rdw-blocked"], &blocks), 0, &text, "");
    is(
        run(&["-t", "latin1", "--output-records=rdw"], "x".repeat(32_757)),
        1,
        "",
        "-: error: line 1 is too long for a record: it has 32757 bytes, and there is room for 32756",
    );
}

/// Each error has the offset of its record.
#[test]
fn bad_records_are_errors() {
    let rdw = [described(HELLO), described(A_B)].concat();
    let block = described(&rdw);
    let with = |at: usize, byte: u8| {
        let mut bad = rdw.clone();
        bad[at] = byte;
        bad
    };
    for (form, input, stdout, text) in [
        ("4", b"abcdef".to_vec(), "abcd\n", "record 2 (at byte 4) is cut short: 2 of 4 bytes"),
        ("rdw", rdw[..12].to_vec(), "Hello\n", "record 2 (at byte 9) is cut short: 3 of 4 bytes"),
        ("rdw", rdw[..15].to_vec(), "Hello\n", "record 2 (at byte 9) is cut short: 6 of 7 bytes"),
        (
            "rdw",
            with(10, 3),
            "Hello\n",
            "record 2 has an invalid length at byte 9: 3 is less than the 4 bytes of its descriptor",
        ),
        (
            "rdw",
            with(11, 1),
            "Hello\n",
            "record 2 has an invalid descriptor at byte 9: this is a segment of a spanned record, or no descriptor",
        ),
        ("rdw", with(9, 1), "Hello\n", "record 2 (at byte 9) is cut short: 7 of 263 bytes"),
        ("rdw-blocked", block[..13].to_vec(), "Hello\n", "record 2 (at byte 13) is cut short: 0 of 7 bytes"),
        (
            "rdw-blocked",
            described(b""),
            "",
            "record 1 has an invalid block at byte 0: its length 4 is too short",
        ),
        (
            "rdw-blocked",
            [&block[..], &[0, 8, 0, 1], b"more"].concat(),
            "Hello\na b\n",
            "record 3 has an invalid block at byte 20: its descriptor does not end with zeros",
        ),
        // A newline in the data is an error, because it would split the record into two lines.
        (
            "4",
            b"abcda\ncdabcd".to_vec(),
            "abcd\n",
            "record 2 has a newline at byte 5: 0A would make more than one line of it",
        ),
        ("4", b"abcdab \r".to_vec(), "abcd\n", "record 2 has a newline at byte 7: 0D would"),
        ("rdw", with(13, 0x25), "Hello\n", "record 2 has a newline at byte 13: 25 would"),
        ("rdw-blocked", described(&with(15, 0x0D)), "Hello\n", "record 2 has a newline at byte 19: 0D would"),
        (
            "rdw-blocked",
            [described(&described(HELLO)[..8]), vec![0x40; 9]].concat(),
            "",
            "record 1 crosses the end of its block at byte 4: its length is 9, but the block ends after 8 bytes",
        ),
    ] {
        let from = if form == "4" { "latin1" } else { "IBM1047" };
        let ran = run(&["-f", from, &format!("--records={form}")], &input);
        ran.expect_part(1, stdout, &format!("utfconv: -: error: {text}"));
    }
    // After an error, the old output file stays. Errors in the text have the offset in the file.
    let dir = dir_with(&[("f", b"abcdef"), ("g", b"ab  c\x81 d")]);
    let at = dir.path();
    sh(at, "echo old > o; $U -f latin1 --records=4 -o o f; s=$?; cat o; exit $s").expect(
        1,
        "old\n",
        "utfconv: f: error: record 2 (at byte 4) is cut short: 2 of 4 bytes\n\
        utfconv: o: not written\n",
    );
    sh(at, "$U -i -f latin1 --records=4 f; s=$?; cat f; exit $s").expect(
        1,
        "abcdef",
        "f: not converted: record 2 (at byte 4) is cut short: 2 of 4 bytes",
    );
    sh(at, "$U -f windows-1252 --records=4 g").expect(
        1,
        "ab\nc",
        "g:2:2: error: invalid windows-1252 (unassigned) at byte 5: 81: windows-1252 has no character there\n\
        utfconv: stopped; use --ill-formed=MODE to continue, or -f to name another encoding\n",
    );
    for (options, text) in [
        (
            "-f latin1 --records=0 f",
            "invalid value '0' for '--records <FORM>': expected a length from 1 to 1048576, rdw or rdw-blocked",
        ),
        ("-f UTF-16 --records=80 f", "--records: UTF-16 has no blanks and newlines of one byte"),
        (
            "-t UTF-16 --output-records=80 f",
            "--output-records: UTF-16 has no blanks and newlines of one byte",
        ),
        ("-f auto --records=80 f", "--records requires a named input encoding"),
        ("-f latin1 --records=4 --range=0:4 f", "--records and --output-records cannot be used with ranges"),
        ("-i -f latin1 --records=4 --verify f", "--verify cannot be used with --records or --output-records"),
        ("-f latin1 --keep-blanks f", "--keep-blanks requires --records"),
        (
            "-f latin1 --output-records=4 --newline=lf f",
            "the argument '--output-records <FORM>' cannot be used with '--newline <STYLE>' (see --help)",
        ),
    ] {
        sh(at, &format!("$U {options}")).expect(2, "", text);
    }
}

/// NEL in a record is text, unless `--ebcdic-newline` makes it the newline.
#[test]
fn newlines_of_ebcdic() {
    let record = b"\x81\x15\x82\x40";
    is(run(&["-f", "IBM1047", "--records=4"], record), 0, "a\u{85}b\n", "");
    let lf = ["-f", "IBM1047", "--records=4", "--ebcdic-newline=lf"];
    // A file of lines is refused as records.
    let lines = b"\x81\x82\x15\x81\x82\x83\x84\x15";
    let hint = "; if its lines end with byte 15 (hex), use --ebcdic-newline=lf without --records\n";
    let why = "record 1 has a newline at byte 1: 15 would make more than one line of it";
    is(run(&lf, record), 1, "", &format!("utfconv: -: error: {why}{hint}"));
    let cut = format!("utfconv: -: error: record 1 (at byte 0) is cut short: 8 of 80 bytes{hint}");
    assert_eq!(run(&["-f", "IBM1047", "--records=80"], lines).stderr, cut);
    // Lines that should become records are refused as records, too, with a hint.
    let hint = "; to write lines as records, use --output-records instead of --records\n";
    let why = "utfconv: -: error: record 1 has a newline at byte 3: 0A would make more than one line of it";
    is(run(&["-t", "IBM1047", "--records=10"], "one\ntwo longer\n"), 1, "", &format!("{why}{hint}"));
    let cut = "utfconv: -: error: record 1 (at byte 0) is cut short: 4 of 10 bytes";
    is(run(&["-t", "IBM1047", "--records=10"], "one\n"), 1, "", &format!("{cut}{hint}"));
    is(run(&["-t", "IBM1047", "--records=10"], "one"), 1, "", &format!("{}\n", cut.replace("4 of", "3 of")));
    is(run(&["-t", "latin1", "--records=10"], "one\n"), 1, "", &format!("{cut}\n"));
    is(run(&["-f", "IBM1047", "--ebcdic-newline=lf"], lines), 0, "ab\nabcd\n", "");
    let latin1 = run(&["-f", "latin1", "--records=80"], lines);
    assert!(latin1.stderr.ends_with("is cut short: 8 of 80 bytes\n"), "{}", latin1.stderr);
    is(run(&lf, b"\x81\x25\x82\x40"), 0, "a\u{85}b\n", "");
}

/// If a line cannot be a record, the message names its input and its line.
#[test]
fn bad_lines_are_named_in_their_input() {
    let dir =
        dir_with(&[("a", b"x\ny\nz\n"), ("b", b"x\r\nlonger\n"), ("c", b"x\ny\rz\n"), ("d", b"x\nlonger")]);
    let at = dir.path();
    let long = "is too long for a record: it has 6 bytes, and there is room for 3";
    for (files, stdout, stderr) in [
        ("a b a", "x  y  z  x  ", format!("utfconv: b: error: line 2 {long}\n")),
        (
            "a c a",
            "x  y  z  x  ",
            "utfconv: c: error: line 2 cannot be a record: it has a CR that is not before LF\n".into(),
        ),
        ("a d", "x  y  z  x  ", format!("utfconv: d: error: line 2 {long}\n")),
    ] {
        let ran = sh(at, &format!("$U -t latin1 --output-records=3 {files}"));
        assert_eq!((ran.status, ran.stdout, ran.stderr), (1, stdout.as_bytes().to_vec(), stderr), "{files}");
    }
    let ran = sh(at, "$U -i -t latin1 --output-records=3 a b c d; s=$?; cat a b; exit $s");
    assert_eq!((ran.status, ran.stdout.as_slice()), (1, &b"x  y  z  x\r\nlonger\n"[..]), "{}", ran.stderr);
    for line in [format!("b: not converted: line 2 {long}"), format!("d: not converted: line 2 {long}")] {
        assert!(ran.stderr.contains(&line), "{}", ran.stderr);
    }
}

/// Returns the lines of a source with records, and whether the source ends within a record. The model reads the whole
/// source at once, unlike the program.
fn model(source: &[u8], form: &str) -> (Vec<u8>, bool) {
    let mut lines = Vec::new();
    let mut rest = source;
    if let Ok(len) = form.parse::<usize>() {
        while rest.len() >= len {
            let (record, after) = rest.split_at(len);
            let end = record.iter().rposition(|byte| *byte != b' ').map_or(0, |at| at + 1);
            if record.contains(&b'\r') || record.contains(&b'\n') {
                return (lines, true);
            }
            lines.extend([&record[..end], b"\n"].concat());
            rest = after;
        }
        return (lines, !rest.is_empty());
    }
    let word =
        |bytes: &[u8]| (bytes.len() >= 4).then(|| usize::from(u16::from_be_bytes([bytes[0], bytes[1]])));
    let mut block = if form == "rdw" { usize::MAX } else { 0 };
    loop {
        if block == 0 {
            match word(rest) {
                None => return (lines, !rest.is_empty()),
                Some(8..) if rest[0] & 0x80 == 0 && rest[2..4] == [0, 0] => {
                    block = word(rest).expect("is there") - 4
                }
                // Extended blocks count as longer than any test source.
                Some(_) if rest[0] & 0x80 != 0 => block = usize::MAX >> 1,
                Some(_) => return (lines, true),
            }
            rest = &rest[4..];
        }
        let Some(len) = word(rest) else { return (lines, !rest.is_empty() || form != "rdw") };
        if len < 4 || rest[2] != 0 || rest[3] != 0 || len > block || len > rest.len() {
            return (lines, true);
        }
        if rest[4..len].contains(&b'\r') || rest[4..len].contains(&b'\n') {
            return (lines, true);
        }
        lines.extend([&rest[4..len], b"\n"].concat());
        rest = &rest[len..];
        block = if form == "rdw" { block } else { block - len };
    }
}

/// Sources with random cuts and wrong lengths, and random buffer sizes: the lines are correct, and there is an error
/// exactly if the model has an error.
#[test]
fn random_cuts_and_bad_lengths() {
    let mut random = generator();
    let (mut errors, mut whole) = (0, 0);
    for round in 0..400 {
        let form = ["7", "80", "rdw", "rdw-blocked"][round % 4];
        let mut source = Vec::new();
        for _ in 0..random(6) {
            let mut block = Vec::new();
            for _ in 0..1 + random(5) {
                let data: Vec<u8> = (0..random(100)).map(|_| b" ab\xE9"[random(4) as usize]).collect();
                match form.parse() {
                    Ok(len) => {
                        let mut record = data;
                        record.resize(len, b' ');
                        block.extend(record);
                    }
                    Err(_) => block.extend(described(&data)),
                }
            }
            source.extend(if form == "rdw-blocked" { described(&block) } else { block });
        }
        if random(2) == 0 {
            source.truncate(random(1 + source.len() as u64) as usize);
        }
        if random(2) == 0 && !source.is_empty() {
            let at = random(source.len() as u64) as usize;
            source[at] = random(256) as u8;
        }
        let (lines, is_bad) = model(&source, form);
        let text: String = lines.iter().map(|byte| char::from(*byte)).collect();
        let size = format!("--buffer-size={}", [1, 3, 17, 100_000][random(4) as usize]);
        let ran = run(&["-f", "latin1", &format!("--records={form}"), &size], &source);
        assert_eq!(
            (ran.status, String::from_utf8_lossy(&ran.stdout)),
            (i32::from(is_bad), text.into()),
            "{form} {size} {source:02X?}: {}",
            ran.stderr
        );
        assert_eq!(ran.stderr.contains("error: record "), is_bad, "{}", ran.stderr);
        errors += u32::from(is_bad);
        whole += u32::from(!is_bad);
    }
    assert!(errors > 50 && whole > 50, "{errors} {whole}");
}

/// In every EBCDIC encoding with newlines, lines convert to records and back.
#[test]
fn every_ebcdic_encoding() {
    let mut count = 0;
    let dir = dir_with(&[("t", b"ABC 123\n\nX\n")]);
    for encoding in utfconv_core::Encoding::all().filter(|encoding| encoding.is_ebcdic()) {
        let name = encoding.name();
        for form in ["80", "rdw", "rdw-blocked"] {
            let script = format!(
                "$U -t {name} --output-records={form} t > r && $U -f {name} --records={form} r | cmp - t"
            );
            let ran = sh(dir.path(), &script);
            if ran.stderr.contains("has no blanks and newlines of one byte")
                || ran.stderr.contains("cannot be encoded")
            {
                continue;
            }
            assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{name} {form}");
            count += 1;
        }
    }
    assert!(count > 150, "{count}");
}

/// The result equals the output of dd.
#[test]
fn as_dd() {
    let dir = dir_with(&[]);
    let at = dir.path();
    sh(at, "for n in $(seq 300); do printf '%s line %080d' $n 7 | head -c $((n % 81)); echo; done > t")
        .expect(0, "", "");
    sh(at, "dd if=t of=ebcdic conv=ebcdic cbs=80 status=none; dd if=ebcdic of=back conv=ascii cbs=80 status=none; $U -f IBM037 --records=80 ebcdic | cmp - back; \
            $U -t IBM037 --output-records=80 t | cmp - ebcdic").expect(0, "", "");
}
