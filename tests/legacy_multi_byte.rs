//! Compares the multi-byte encodings of East Asia, code by code, with Python's codecs, glibc's iconv and ICU's uconv.
//! Differences must be listed in `differences-legacy.md`.

use std::collections::HashMap;

use utfconv_core::{
    Encoding, OnIllFormed, OnUnmappable, Options, Policy, Stop, Transcoder, UTF_8, convert, convert_reporting,
};

use crate::harness::{LISTED_GLIBC, command, dir_with, glibc, has, hex, in_hex, missing_in, rows, run, sh};

/// An encoding, and its names in Python, glibc and ICU.
type Names = (&'static str, Option<&'static str>, Option<&'static str>, Option<&'static str>);
const ENCODINGS: [Names; 70] = [
    ("Shift_JIS", Some("shift_jis"), Some("SJIS"), None),
    ("CP932", Some("cp932"), Some("CP932"), Some("ibm-943_P15A-2003")),
    ("EUC-JP", Some("euc_jp"), Some("EUC-JP"), Some("EUC-JP")),
    ("EUC-JP-MS", None, Some("EUC-JP-MS"), None),
    ("CP51932", None, None, None),
    ("ISO-2022-JP", Some("iso2022_jp"), Some("ISO-2022-JP"), Some("ISO-2022-JP")),
    ("EUC-KR", Some("euc_kr"), Some("EUC-KR"), Some("EUC-KR")),
    ("CP949", Some("cp949"), Some("UHC"), Some("windows-949")),
    ("Big5", Some("big5"), Some("BIG5"), None),
    ("CP950", Some("cp950"), None, Some("windows-950")),
    ("Big5-HKSCS", Some("big5hkscs"), Some("BIG5-HKSCS"), Some("Big5-HKSCS")),
    ("GB2312", Some("gb2312"), Some("GB2312"), Some("GB2312")),
    ("GBK", Some("gbk"), Some("GBK"), None),
    ("CP936", None, None, Some("GBK")),
    ("GB18030", Some("gb18030"), Some("GB18030"), Some("gb18030")),
    ("EUC-TW", None, Some("EUC-TW"), None),
    ("JOHAB", None, Some("JOHAB"), None),
    ("EUC-JISX0213", None, Some("EUC-JISX0213"), None),
    ("Shift_JISX0213", None, Some("SHIFT_JISX0213"), None),
    ("IBM932", None, Some("IBM932"), None),
    ("IBM943", None, Some("IBM943"), None),
    ("T.61-8bit", None, Some("T.61"), None),
    ("ISO_6937", None, Some("ISO_6937"), None),
    ("ISO_6937-2", None, Some("ISO_6937-2"), None),
    ("ANSI_X3.110-1983", None, Some("ANSI_X3.110"), None),
    ("IBM930", None, Some("IBM930"), None),
    ("IBM933", None, Some("IBM933"), None),
    ("IBM935", None, Some("IBM935"), None),
    ("IBM937", None, Some("IBM937"), None),
    ("IBM939", None, Some("IBM939"), None),
    ("IBM1364", None, Some("IBM1364"), None),
    ("IBM1371", None, Some("IBM1371"), None),
    ("IBM1388", None, Some("IBM1388"), None),
    ("IBM1390", None, Some("IBM1390"), None),
    ("IBM1399", None, Some("IBM1399"), None),
    ("ISO-2022-JP-1", Some("iso2022_jp_1"), None, None),
    ("ISO-2022-JP-2", None, Some("ISO-2022-JP-2"), None),
    ("ISO-2022-JP-3", None, Some("ISO-2022-JP-3"), None),
    ("ISO-2022-JP-2004", Some("iso2022_jp_2004"), None, None),
    ("ISO-2022-KR", None, Some("ISO-2022-KR"), None),
    ("ISO-2022-CN", None, Some("ISO-2022-CN"), None),
    ("ISO-2022-CN-EXT", None, Some("ISO-2022-CN-EXT"), None),
    ("HZ-GB-2312", Some("hz"), None, None),
    ("TSCII", None, Some("TSCII"), None),
    ("ISO-2022-JP-EXT", Some("iso2022_jp_ext"), None, None),
    ("GSM-03.38", None, None, Some("GSM0338")),
    ("ISCII-DEV", None, None, Some("ISCII,version=0")),
    ("ISCII-BNG", None, None, Some("ISCII,version=1")),
    ("ISCII-GUR", None, None, Some("ISCII,version=2")),
    ("ISCII-GUJ", None, None, Some("ISCII,version=3")),
    ("ISCII-ORI", None, None, Some("ISCII,version=4")),
    ("ISCII-TML", None, None, Some("ISCII,version=5")),
    ("ISCII-TLG", None, None, Some("ISCII,version=6")),
    ("ISCII-KND", None, None, Some("ISCII,version=7")),
    ("ISCII-MLM", None, None, Some("ISCII,version=8")),
    ("Big5-HKSCS:2004", Some("big5hkscs"), None, None),
    ("ibm-33722", None, None, Some("ibm-33722_P120-1999")),
    ("ibm-954", None, None, Some("ibm-954_P101-2007")),
    ("ibm-949", None, None, Some("ibm-949_P110-1999")),
    ("ibm-949C", None, None, Some("ibm-949_P11A-1999")),
    ("ibm-970", None, None, Some("ibm-970_P110_P110-2006_U2")),
    ("ibm-1363", None, None, Some("ibm-1363_P110-1997")),
    ("ibm-1363C", None, None, Some("ibm-1363_P11B-1998")),
    ("ibm-950", None, None, Some("ibm-950_P110-1999")),
    ("ibm-1373", None, None, Some("ibm-1373_P100-2002")),
    ("ibm-1375", None, None, Some("ibm-1375_P100-2008")),
    ("ibm-5471", None, None, Some("ibm-5471_P100-2006")),
    ("ibm-1383", None, None, Some("ibm-1383_P110-1999")),
    ("ibm-1386", None, None, Some("ibm-1386_P100-2001")),
    ("DEC-KANJI", None, None, None),
];

/// A set of ISO 2022: the bytes before a code, the length of a code in bytes, and the bytes after it.
type CodedSet = (&'static [u8], usize, &'static [u8]);

/// Sets of the encodings that use ISO 2022.
#[rustfmt::skip]
const SETS: [(&str, &[CodedSet]); 10] = [
    ("ISO-2022-JP", &[(b"\x1B(J", 1, b"\x1B(B"), (b"\x1B$B", 2, b"\x1B(B")]),
    ("ISO-2022-JP-1", &[(b"\x1B(J", 1, b"\x1B(B"), (b"\x1B$B", 2, b"\x1B(B"), (b"\x1B$(D", 2, b"\x1B(B")]),
    ("ISO-2022-JP-EXT", &[
        (b"\x1B(J", 1, b"\x1B(B"), (b"\x1B(I", 1, b"\x1B(B"), (b"\x1B$B", 2, b"\x1B(B"), (b"\x1B$(D", 2, b"\x1B(B"),
    ]),
    ("ISO-2022-JP-2", &[
        (b"\x1B(J", 1, b"\x1B(B"), (b"\x1B(I", 1, b"\x1B(B"), (b"\x1B$B", 2, b"\x1B(B"), (b"\x1B$@", 2, b"\x1B(B"),
        (b"\x1B$(D", 2, b"\x1B(B"), (b"\x1B$A", 2, b"\x1B(B"), (b"\x1B$(C", 2, b"\x1B(B"),
        (b"\x1B.A\x1BN", 1, b""), (b"\x1B.F\x1BN", 1, b""),
    ]),
    ("ISO-2022-JP-3", &[
        (b"\x1B(J", 1, b"\x1B(B"), (b"\x1B(I", 1, b"\x1B(B"), (b"\x1B$B", 2, b"\x1B(B"), (b"\x1B$(O", 2, b"\x1B(B"),
        (b"\x1B$(Q", 2, b"\x1B(B"), (b"\x1B$(P", 2, b"\x1B(B"),
    ]),
    ("ISO-2022-JP-2004", &[(b"\x1B$B", 2, b"\x1B(B"), (b"\x1B$(Q", 2, b"\x1B(B"), (b"\x1B$(P", 2, b"\x1B(B")]),
    ("HZ-GB-2312", &[(b"~{", 2, b"~}")]),
    ("ISO-2022-KR", &[(b"\x1B$)C\x0E", 2, b"\x0F"), (b"\x0E", 2, b"\x0F")]),
    ("ISO-2022-CN", &[(b"\x1B$)A\x0E", 2, b"\x0F"), (b"\x1B$)G\x0E", 2, b"\x0F"), (b"\x1B$*H\x1BN", 2, b"")]),
    ("ISO-2022-CN-EXT", &[
        (b"\x1B$)A\x0E", 2, b"\x0F"), (b"\x1B$)G\x0E", 2, b"\x0F"), (b"\x1B$)E\x0E", 2, b"\x0F"),
        (b"\x1B$*H\x1BN", 2, b""), (b"\x1B$+I\x1BO", 2, b""), (b"\x1B$+J\x1BO", 2, b""), (b"\x1B$+K\x1BO", 2, b""),
        (b"\x1B$+L\x1BO", 2, b""), (b"\x1B$+M\x1BO", 2, b""),
    ]),
];

/// Consonants and signs of TSCII.
const TAMIL: &str = "கடஸஹஷஜரனஅ்ாிீுூெேைொோௌa©";

/// Characters of the sets of ISO-2022-JP and its variants.
const JAPANESE: &str = "a ~\t¥‾あか亜丂éαЖ가门ｱ俱𠂉\u{309A}";

/// EBCDIC encodings with two-byte codes between SO and SI.
const HOST: &str = "IBM930 IBM933 IBM935 IBM937 IBM939 IBM1364 IBM1371 IBM1388 IBM1390 IBM1399";

fn is_host(encoding: &str) -> bool {
    HOST.split(' ').any(|name| name == encoding)
}

/// Converted bytes of a code; `None` if the code cannot be converted.
type Answer = Option<Vec<u8>>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Decode,
    Encode,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Direction::Decode => "decode",
            Direction::Encode => "encode",
        }
    }
}

/// Whether all codes are tested. Otherwise only every seventh of the characters and codes that utfconv cannot convert,
/// and of the long ISCII codes, is tested.
fn asks_all() -> bool {
    std::env::var_os("UTFCONV_EXHAUSTIVE").is_some()
}

fn step() -> usize {
    if asks_all() { 1 } else { 7 }
}

/// Returns the characters of a text to test: all characters that the encoding has, and a sample of all other
/// characters, by [`step`].
fn asked_of(encoding: &str, text: &str) -> Vec<char> {
    let encoding = Encoding::for_name(encoding).expect("an encoding");
    let policy = Policy::default().unmappable(OnUnmappable::Omit);
    let (options, mut faults) = (Options::default().policy(policy), Vec::new());
    let _ = convert_reporting(text.as_bytes(), &UTF_8, encoding, &options, |fault| faults.push(fault))
        .expect("omits");
    let mut missing = missing_in(&faults).peekable();
    let is_asked = |(at, c): &(usize, char)| missing.next_if_eq(c).is_none() || at % step() == 0;
    text.chars().enumerate().filter(is_asked).map(|(_, c)| c).collect()
}

/// Returns all codes to test: for decoding, bytes in the encoding; for encoding, characters in UTF-8.
fn codes(encoding: &str, direction: Direction) -> Vec<Vec<u8>> {
    if encoding == "GSM-03.38" {
        if direction == Direction::Encode {
            // A code contains a line feed, which would separate codes.
            return Vec::new();
        }
        let ones = (0..0x80).map(|byte| vec![byte, b'A']);
        let twos = (0..0x80).map(|byte| vec![0x1B, byte, b'A']);
        return ones.chain(twos).filter(|code| !code.contains(&b'\n')).collect();
    }
    if encoding.starts_with("ISCII") {
        return if direction == Direction::Decode { codes_by_context(encoding) } else { Vec::new() };
    }
    if direction == Direction::Encode {
        let with_planes = "Big5-HKSCS Big5-HKSCS:2004 ibm-1375 ibm-5471 GB18030 EUC-TW EUC-JISX0213 Shift_JISX0213 IBM1390 IBM1399 \
            ISO-2022-JP-3 ISO-2022-JP-2004 ISO-2022-CN-EXT";
        let has_planes = with_planes.split(' ').any(|name| name == encoding);
        let last = if has_planes { '\u{2FFFF}' } else { '\u{FFFF}' };
        // Line feeds separate codes for some peers, and U+FEFF at the start is tested in boms.rs.
        let scalars: String = ('\0'..=last).filter(|scalar| !matches!(scalar, '\n' | '\u{FEFF}')).collect();
        let letters = "Êêかきくけこカキクケコセツトㇷæɔʌəɚ˩˥あ".chars();
        let marks = "\u{304}\u{30C}\u{300}\u{301}\u{309A}\u{2E5}\u{2E9}";
        let pairs =
            letters.flat_map(|letter| marks.chars().map(move |mark| format!("{letter}{mark}").into_bytes()));
        let tamil = TAMIL.chars().filter(|_| encoding == "TSCII");
        let syllables = tamil.flat_map(|one| {
            let twos = TAMIL.chars().map(move |other| format!("{one}{other}"));
            twos.flat_map(|two| TAMIL.chars().map(move |third| format!("{two}{third}").into_bytes()))
        });
        let is_japanese = encoding.starts_with("ISO-2022-JP");
        let japanese = JAPANESE.chars().filter(|_| is_japanese);
        let changes = japanese
            .flat_map(|one| JAPANESE.chars().map(move |other| format!("{one}{other}{one}").into_bytes()));
        return asked_of(encoding, &scalars)
            .into_iter()
            .map(|scalar| scalar.to_string().into_bytes())
            .chain(pairs)
            .chain(changes)
            .chain(syllables)
            .collect();
    }
    let ones = (0..=0xFF).filter(|byte| *byte != b'\n').map(|byte| vec![byte]);
    if is_host(encoding) {
        let is_shift = |byte: u8| matches!(byte, 0x0E | 0x0F);
        let leads = (0..=0xFF).filter(move |byte| !is_shift(*byte));
        let doubles = leads.flat_map(|a| (0..=0xFF).map(move |b| vec![0x0E, a, b, 0x0F]));
        return ones.chain(doubles.filter(|code| !is_shift(code[2]))).collect();
    }
    if encoding == "TSCII" {
        // Test all pairs of bytes, and all three-byte codes of the bytes that combine with other bytes.
        let pairs =
            (0..=0xFFFF_u16).map(|code| code.to_be_bytes().to_vec()).filter(|code| !code.contains(&b'\n'));
        let special =
            b"a\x82\x83\x85\x86\x87\x8A\x8B\x8C\xA1\xA2\xA4\xA5\xA6\xA7\xA8\xAA\xAB\xB8\xBC\xC9\xEC";
        let threes = special.iter().flat_map(|a| special.iter().map(move |b| [*a, *b]));
        let threes = threes.flat_map(|[a, b]| special.iter().map(move |c| vec![a, b, *c]));
        return ones.chain(pairs).chain(threes).collect();
    }
    if let Some((_, sets)) = SETS.iter().find(|(name, _)| *name == encoding) {
        let in_set = sets.iter().flat_map(|(before, width, after)| {
            let (firsts, seconds) = if *width == 1 { (0x20..0x80, 0..1) } else { (0x21..0x7F, 0x20..0x80) };
            let each = move |code: &[u8]| [*before, code, *after].concat();
            firsts.flat_map(move |a: u8| seconds.clone().map(move |b| each(&[a, b][..*width])))
        });
        return ones.chain(in_set).collect();
    }
    let twos = (0x80..=0xFF).flat_map(|a| (0x20..=0xFF).map(move |b| vec![a, b]));
    let threes = (0x80..=0xFF).flat_map(|b| (0x80..=0xFF).map(move |c| vec![0x8F, b, c]));
    let planes = (0xA1..=0xB1).flat_map(|plane| {
        (0xA1..=0xFE).flat_map(move |row| (0xA1..=0xFE).map(move |column| vec![0x8E, plane, row, column]))
    });
    // Test all four-byte codes of the Basic Multilingual Plane, some codes beyond, and then every 101st code.
    let fours = (0..126 * 10 * 126 * 10_u32).filter(|at| *at < 40_000 || at % 101 == 0).map(|at| {
        let byte = |first: u8, value: u32| first + value as u8;
        vec![
            byte(0x81, at / 12600),
            byte(0x30, at / 1260 % 10),
            byte(0x81, at / 10 % 126),
            byte(0x30, at % 10),
        ]
    });
    let all = ones.chain(twos);
    match encoding {
        "GB18030" => all.chain(fours).collect(),
        _ if encoding.starts_with("EUC-J") || ["ibm-33722", "ibm-954"].contains(&encoding) => {
            all.chain(threes).collect()
        }
        "EUC-TW" => all.chain(planes).collect(),
        _ => all.collect(),
    }
}

/// Returns codes of ISCII, which are only decoded: utfconv encodes them differently from ICU, because it names a script
/// where the script changes, and ends a text in the script of the encoding.
fn codes_by_context(encoding: &str) -> Vec<Vec<u8>> {
    let special =
        b"A\xA1\xA2\xA4\xB3\xB4\xC0\xD1\xD8\xD9\xDB\xDF\xE0\xE8\xE9\xEA\xEF\xF0\xB8\xBF\x42\x43\x4B";
    // Excluded: the danda, which utfconv accepts in every script; EXT BF, which ICU reads as a letter of Gurmukhi, too;
    // and an addak alone, a doubled invisible consonant. `%` marks codes that uconv cannot convert. Codes end with a
    // letter, because an incomplete sequence would combine with the line feed.
    let is_asked = |code: &[u8]| {
        let changes = |script: &str| encoding != script || code.contains(&0xEF);
        let has = |bytes: &[u8]| code.windows(bytes.len()).any(|found| found == bytes);
        let is_other = [&b"\n"[..], b"%", b"\xD9\xE8\xD9"].into_iter().any(has)
            || [&b"\xEA"[..], b"\xF0\xBF"].into_iter().any(has) && changes("ISCII-DEV");
        !is_other
    };
    let ones = (0..=0xFF).map(|byte| vec![byte]);
    let twos = (0..=0xFFFF_u16).map(|code| code.to_be_bytes().to_vec());
    let size = special.len();
    let longer = (0..size.pow(4)).step_by(step()).map(|at| {
        let four = [0, 1, 2, 3].map(|place| special[at / size.pow(place) % size]);
        if at % 2 == 0 { four.to_vec() } else { four[..3].to_vec() }
    });
    let all = ones.chain(twos).chain(longer).filter(|code| is_asked(code));
    all.map(|code| [&code[..], b"A"].concat()).collect()
}

fn ours(encoding: &'static Encoding, direction: Direction, code: &[u8]) -> Answer {
    let (from, to) = match direction {
        Direction::Decode => (encoding, &UTF_8),
        Direction::Encode => (&UTF_8, encoding),
    };
    convert(code, from, to, &Options::default()).ok().map(|converted| converted.output)
}

/// Returns the codes to test with the results of utfconv. Codes after a byte that is a character by itself are left
/// out, and so are some of the undecodable codes, by [`step`].
fn answered(
    encoding: &'static Encoding,
    direction: Direction,
    codes: Vec<Vec<u8>>,
) -> (Vec<Vec<u8>>, Vec<Answer>) {
    let decodes = direction == Direction::Decode;
    let mut alone = [false; 256];
    let mut answered = Vec::new();
    for (at, code) in codes.into_iter().enumerate() {
        if decodes && code.len() > 1 && alone[usize::from(code[0])] {
            continue;
        }
        let answer = ours(encoding, direction, &code);
        if code.len() == 1 && !encoding.is_stateful() {
            alone[usize::from(code[0])] = answer.is_some();
        }
        if answer.is_some() || !decodes || code.len() == 1 || at % step() == 0 {
            answered.push((code, answer));
        }
    }
    answered.into_iter().unzip()
}

/// Converts all codes with Python's codecs or glibc's iconv, in one process.
fn ask_script(peer: &str, direction: Direction, asked: &[(&str, &[Vec<u8>])]) -> Vec<Answer> {
    let mut question = String::new();
    for (codec, codes) in asked {
        question += &format!("={codec}\n");
        for code in *codes {
            question += &in_hex(code);
            question.push('\n');
        }
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/legacy_peers.py");
    let mut command = assert_cmd::Command::from_std(command("python3"));
    let output =
        command.args([script, peer, direction.name()]).write_stdin(question).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("ASCII");
    answers.lines().map(|answer| (answer != "-").then(|| hex(answer))).collect()
}

/// Converts codes with ICU, one per line. uconv writes `%X81` or `%U4E00` for a code that it cannot convert.
fn ask_uconv(codec: &str, direction: Direction, codes: &[Vec<u8>]) -> Vec<Answer> {
    let args = match direction {
        Direction::Decode => ["-f", codec, "-t", "UTF-8", "--from-callback", "escape-icu"],
        Direction::Encode => ["-f", "UTF-8", "-t", codec, "--to-callback", "escape-icu"],
    };
    let question: Vec<u8> = codes.iter().flat_map(|code| code.iter().copied().chain([b'\n'])).collect();
    let mut command = assert_cmd::Command::from_std(command("uconv"));
    let output = command.args(args).write_stdin(question).output().expect("uconv runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&[u8]> = output.stdout.split(|byte| *byte == b'\n').take(codes.len()).collect();
    assert_eq!(lines.len(), codes.len(), "uconv {codec}");
    let spelled = |line: &&[u8]| {
        line.windows(3).any(|three| matches!(three, [b'%', b'X' | b'U', digit] if digit.is_ascii_hexdigit()))
    };
    // uconv drops default-ignorable characters, so an empty line counts as not converted.
    lines.iter().map(|line| (!line.is_empty() && !spelled(line)).then(|| line.to_vec())).collect()
}

/// A range in the column "codes" of the list.
struct Listed {
    text: &'static str,
    range: Range,
    /// Whether a difference was found in the range.
    is_met: bool,
}

impl Listed {
    fn parse(text: &'static str) -> Listed {
        Listed { text, range: Range::parse(text), is_met: false }
    }
}

/// Whether a peer has the version that the list is for.
fn is_listed_version(peer: &str) -> bool {
    let says = |command: &str, version: &str| {
        String::from_utf8_lossy(&sh(&std::env::temp_dir(), command).stdout).contains(version)
    };
    match peer {
        "python" => says("python3 --version", "Python 3.11."),
        "glibc" => glibc().is_some_and(|version| version == LISTED_GLIBC),
        _ => says("uconv --version", "ICU 72."),
    }
}

/// Whether CPython encodes the pairs of ISO-2022-JP-2004: version 3.11.7 does, and 3.11.2 does not.
fn python_has_pairs() -> bool {
    let script = "python3 -c '(chr(0x304D) + chr(0x309A)).encode(\"iso2022_jp_2004\")'";
    sh(&std::env::temp_dir(), script).status == 0
}

/// Whether the code is a pair of characters for Python's ISO-2022-JP-2004 encoder.
fn is_pair_of_python(name: &str, peer: &str, direction: Direction, code: &[u8]) -> bool {
    (name, peer, direction) == ("ISO-2022-JP-2004", "python", Direction::Encode)
        && str::from_utf8(code).is_ok_and(|text| text.chars().count() == 2)
}

/// A range of scalar values, or of codes of one length.
enum Range {
    Scalars(u32, u32),
    Codes(usize, u64, u64),
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
}

impl Range {
    fn parse(text: &str) -> Range {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let scalar = |text: &str| text.strip_prefix("U+").and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match (scalar(first), scalar(last)) {
            (Some(first), Some(last)) => Range::Scalars(first, last),
            _ => {
                let (first, last) = (hex(first), hex(last));
                assert_eq!(first.len(), last.len(), "{text}");
                Range::Codes(first.len(), number(&first), number(&last))
            }
        }
    }

    /// Whether the range contains the tested code, or its conversion.
    fn has(&self, direction: Direction, asked: &[u8], ours: &Answer, theirs: &Answer) -> bool {
        let is_in = |code: &[u8], len: usize, first: u64, last: u64| {
            code.len() == len && (first..=last).contains(&number(code))
        };
        match (self, direction) {
            (Range::Scalars(first, last), Direction::Encode) => {
                let scalar = std::str::from_utf8(asked).ok().and_then(|text| text.chars().next());
                scalar.is_some_and(|scalar| (*first..=*last).contains(&scalar.into()))
            }
            (Range::Scalars(..), Direction::Decode) => false,
            (Range::Codes(len, first, last), Direction::Decode) => is_in(asked, *len, *first, *last),
            (Range::Codes(len, first, last), Direction::Encode) => {
                [ours, theirs].into_iter().flatten().any(|code| is_in(code, *len, *first, *last))
            }
        }
    }
}

/// Maximum number of differences shown for an encoding.
const SHOWN: usize = 12;

#[test]
fn every_code_except_the_listed_differences() {
    let mut listed: HashMap<[&str; 3], Vec<Listed>> = HashMap::new();
    for [encoding, peer, direction, codes, _] in rows(include_str!("differences-legacy.md")) {
        let is_known = ENCODINGS.iter().any(|row| row.0 == encoding);
        assert!(is_known && ["python", "glibc", "uconv"].contains(&peer), "{encoding} {peer}");
        let ranges = codes.split_whitespace().map(Listed::parse);
        listed.entry([encoding, peer, direction]).or_default().extend(ranges);
    }
    assert!(listed.len() > 20, "the table is read");

    let mut unlisted: Vec<String> = Vec::new();
    let has_python = has("python3");
    let has_glibc = cfg!(target_env = "gnu") && has_python;
    let has_icu = has("uconv");
    if !has_python && !has_icu {
        return;
    }
    let has_pairs = has_python && python_has_pairs();
    // A few encodings at a time, because a test that starts a process meanwhile forks all memory in use.
    let fews = ENCODINGS.chunks(8);
    for (direction, few) in fews.flat_map(|few| [(Direction::Decode, few), (Direction::Encode, few)]) {
        let asked: Vec<_> = few
            .iter()
            .map(|row| {
                let encoding = Encoding::for_name(row.0).expect("an encoding");
                let (codes, ours) = answered(encoding, direction, codes(row.0, direction));
                (row, codes, ours)
            })
            .collect();
        let mut compare = |name: &'static str,
                           peer: &'static str,
                           codes: &[Vec<u8>],
                           ours: &[Answer],
                           theirs: &[Answer]| {
            let mut rows = listed.remove(&[name, peer, direction.name()]).unwrap_or_default();
            assert_eq!(codes.len(), theirs.len(), "{peer} {name}");
            let mut alone = [false; 256];
            let mut count = 0;
            for ((code, ours), theirs) in codes.iter().zip(ours).zip(theirs) {
                // After a byte that is a character by itself, the rest is another character, which is tested elsewhere.
                if direction == Direction::Decode && code.len() > 1 && alone[usize::from(code[0])] {
                    continue;
                }
                if code.len() == 1 && !Encoding::for_name(name).expect("an encoding").is_stateful() {
                    alone[usize::from(code[0])] = ours.is_some() || theirs.is_some();
                }
                if ours == theirs || !has_pairs && is_pair_of_python(name, peer, direction, code) {
                    continue;
                }
                let mut is_listed = false;
                for row in rows.iter_mut().filter(|row| row.range.has(direction, code, ours, theirs)) {
                    (is_listed, row.is_met) = (true, true);
                }
                if !is_listed {
                    count += 1;
                    if count <= SHOWN {
                        let show = |answer: &Answer| answer.as_deref().map_or("-".to_string(), in_hex);
                        unlisted.push(format!(
                            "{name} | {peer} | {} | {}: ours {}, theirs {}",
                            direction.name(),
                            in_hex(code),
                            show(ours),
                            show(theirs)
                        ));
                    }
                }
            }
            if count > SHOWN {
                unlisted.push(format!("and {} more", count - SHOWN));
            }
            if asks_all() && is_listed_version(peer) {
                let stale = rows.iter().filter(|row| !row.is_met);
                unlisted.extend(stale.map(|row| {
                    format!("{name} | {peer} | {} | {}: no longer differs", direction.name(), row.text)
                }));
            }
        };
        for (peer, is_there) in [("python", has_python), ("glibc", has_glibc)] {
            if !is_there {
                continue;
            }
            let blocks: Vec<_> = asked
                .iter()
                .filter_map(|(row, codes, ours)| {
                    let codec = if peer == "python" { row.1 } else { row.2 };
                    codec.map(|codec| (row.0, codec, &codes[..], &ours[..]))
                })
                .collect();
            let question: Vec<_> = blocks.iter().map(|(_, codec, codes, _)| (*codec, *codes)).collect();
            let answers = ask_script(peer, direction, &question);
            let mut rest = &answers[..];
            for (name, _, codes, ours) in blocks {
                let (these, others) = rest.split_at(codes.len());
                compare(name, peer, codes, ours, these);
                rest = others;
            }
        }
        if has_icu {
            for (row, codes, ours) in &asked {
                if let Some(codec) = row.3 {
                    compare(row.0, "uconv", codes, ours, &ask_uconv(codec, direction, codes));
                }
            }
        }
    }
    assert!(unlisted.is_empty(), "differences that are not listed:\n{}", unlisted.join("\n"));
}

/// An encoding, text with errors, and the conversion with each error replaced.
const FAULTY: [(&str, &[u8], &str); 14] = [
    (
        "GBK",
        b"<a title=\"\xBF\\\">\xBF\x5C\xBF\n\xD6\xD0\xFF\xD6",
        "<a title=\"縗\">縗\u{FFFD}\n中\u{FFFD}\u{FFFD}",
    ),
    ("Shift_JIS", b"\x81\"\x81\n\x82\xA0\\\xA0\x87\x40", "\u{FFFD}\"\u{FFFD}\nあ¥\u{FFFD}\u{FFFD}@"),
    (
        "EUC-JP",
        b"\xA4\"\x8F\xA1\n\x8F\xA1\xA1\xA4\xA2\x8E\xB1\xA4",
        "\u{FFFD}\"\u{FFFD}\n\u{FFFD}あｱ\u{FFFD}",
    ),
    ("Big5-HKSCS", b"\x88\x62\x88\x66\x88\xA5a\x87\xFE\x87\x22", "Ê\u{304}Êê\u{30C}a\u{FFFD}\u{FFFD}\""),
    (
        "GB18030",
        b"\x81\x30\x81\x30\x84\x31\xA5\x30!\x90\x30\x81\x30\x81\x30\x81",
        "\u{80}\u{FFFD}1\u{FFFD}0!\u{10000}\u{FFFD}0\u{FFFD}",
    ),
    ("ISO-2022-JP", b"\x1B$B$\"$\n$$\x1B(B$\x1B(I1\x1B$@0!", "あ\u{FFFD}\nい$\u{FFFD}(I1亜"),
    ("EUC-KR", b"\xB0\xA1\xC9\xA1\xB0A", "가\u{FFFD}\u{FFFD}A"),
    ("EUC-TW", b"\xC4\xE3\x8E\xA2\xA1\xA1\x8E\xA2\xA1\"\x8E\"\xC4", "中乂\u{FFFD}\"\u{FFFD}\"\u{FFFD}"),
    ("Shift_JISX0213", b"\x82\xF5a\x82\"", "か\u{309A}a\u{FFFD}\""),
    ("ISO-2022-KR", b"\x1B$)C\x0E0!\n0!\x0Fa\x1B(B", "가\u{FFFD}가a\u{FFFD}(B"),
    ("ISO-2022-CN", b"\x1B$)A\x0E0!\x0F\x1B$*H\x1BN!!a\x1BN!\n", "啊乂a\u{FFFD}\n"),
    ("HZ-GB-2312", b"~{0!~}~~a~\nb~{0\n~c", "啊~ab\u{FFFD}\n\u{FFFD}c"),
    ("TSCII", b"\xA6\xB8\xA1\xA7\xB8a\x8A\xA4\xFF\x82", "கொகேaஸு\u{FFFD}ஸ்ரீ"),
    ("CP950", b"\xA4\x40\x80\xA4\x30\xFA\x40", "一\u{FFFD}\u{FFFD}0\u{E000}"),
];

fn replacing() -> Options {
    let policy = Policy::default()
        .ill_formed(OnIllFormed::Replace(None))
        .unmappable(OnUnmappable::Replace(Some("?".into())));
    Options::default().policy(policy)
}

/// Converts in two chunks, split at `cut`, with `room` bytes of output at a time.
fn in_pieces(
    source: &[u8],
    cut: usize,
    room: usize,
    from: &'static Encoding,
    to: &'static Encoding,
) -> Vec<u8> {
    let mut transcoder = Transcoder::new(from, to, replacing());
    let (mut out, mut dst) = (Vec::new(), vec![0; room]);
    for (mut chunk, last) in [(&source[..cut], false), (&source[cut..], true)] {
        loop {
            let step = transcoder.step(chunk, &mut dst, last);
            out.extend_from_slice(&dst[..step.written]);
            chunk = &chunk[step.read..];
            if step.stop == Stop::SourceEmpty {
                break;
            }
        }
    }
    out
}

/// These sets have no line feed to separate codes, so all codes that utfconv writes are compared as one text, and so is
/// the result of decoding them.
#[test]
fn sets_of_ibm_without_ascii() {
    if !has("uconv") {
        return;
    }
    let ask = |args: [&str; 6], question: &[u8]| {
        let mut command = assert_cmd::Command::from_std(command("uconv"));
        let output = command.args(args).write_stdin(question).output().expect("uconv runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    for name in ["ibm-971", "ibm-5478", "ibm-16684"] {
        let encoding = Encoding::for_name(name).expect("an encoding");
        // Leave out ASCII, which only utfconv has in these sets, and U+F86F, which ICU writes as an approximation.
        let scalars = ('\u{A0}'..='\u{FFFF}').filter(|scalar| *scalar != '\u{F86F}');
        let scalars: Vec<Vec<u8>> = scalars.map(|scalar| scalar.to_string().into()).collect();
        let written: Vec<u8> =
            scalars.iter().filter_map(|scalar| ours(encoding, Direction::Encode, scalar)).flatten().collect();
        assert!(written.len() > 10_000);
        let theirs = ask(["-f", "UTF-8", "-t", name, "--to-callback", "skip"], &scalars.concat());
        assert!(written == theirs, "{name}: {} and {} bytes", written.len(), theirs.len());
        let read = ours(encoding, Direction::Decode, &written).expect("our own codes");
        let theirs = ask(["-f", name, "-t", "UTF-8", "--from-callback", "stop"], &written);
        assert!(read == theirs, "{name}: {} and {} bytes of UTF-8", read.len(), theirs.len());
    }
}

#[test]
fn faults_swallow_no_ascii_wherever_the_source_is_cut() {
    for (name, source, text) in FAULTY {
        let encoding = Encoding::for_name(name).expect("an encoding");
        // The lengths of the padding differ, so that kernels meet the errors at different offsets.
        for padding in [0, 1, 30, 31] {
            let source = [&b"x".repeat(padding)[..], source].concat();
            let expected = "x".repeat(padding) + text;
            for cut in 0..=source.len() {
                let whole = in_pieces(&source, cut, 64, encoding, &UTF_8);
                assert_eq!(String::from_utf8_lossy(&whole), expected, "{name}, cut at {cut}");
                assert_eq!(in_pieces(&source, cut, 1, encoding, &UTF_8), expected.as_bytes(), "{name}");
            }
        }
    }
}

#[test]
fn writing_does_not_depend_on_where_the_source_is_cut() {
    for (name, text, bytes) in [
        ("Big5-HKSCS", "xÊ\u{304}Ê\u{E9}Êa", &b"x\x88\x62\x88\x66\x88\x6D\x88\x66a"[..]),
        ("Big5-HKSCS", "Ê😀\u{304}ê", b"\x88\x66??\x88\xA7"),
        ("ISO-2022-JP", "aあ\nい¥", b"a\x1B$B$\"\x1B(B\n\x1B$B$$\x1B(J\\\x1B(B"),
        ("ISO-2022-CN", "啊a乂啊", b"\x1B$)A\x0E0!\x0Fa\x1B$*H\x1BN!!\x0E0!\x0F"),
        ("ISO-2022-JP-3", "か\u{309A}か😀", b"\x1B$(O$w$+\x1B(B?"),
        ("ISO-2022-JP-2004", "俱か\u{309A}か𠂉😀", b"\x1B$(Q.!$w$+\x1B$(P!!\x1B(B?"),
        ("EUC-JISX0213", "かa か\u{309A}", b"\xA4\xABa \xA4\xF7"),
        ("HZ-GB-2312", "啊~😀啊", b"~{0!~}~~?~{0!~}"),
        ("TSCII", "கொஸ்ரa", b"\xA6\xB8\xA1\x8A\xC3a"),
        ("ISO-2022-JP", "あ😀", b"\x1B$B$\"\x1B(B?"),
        ("Shift_JIS", "¥\\‾~〜", b"\\\\~~\x81\x60"),
        ("GB18030", "\u{80}€𠀀\u{10FFFF}", b"\x81\x30\x81\x30\xA2\xE3\x95\x32\x82\x36\xE3\x32\x9A\x35"),
    ] {
        let encoding = Encoding::for_name(name).expect("an encoding");
        for padding in [0, 31] {
            let source = "x".repeat(padding) + text;
            let expected = [&b"x".repeat(padding)[..], bytes].concat();
            for cut in 0..=source.len() {
                for room in [1, 2, 64] {
                    let out = in_pieces(source.as_bytes(), cut, room, &UTF_8, encoding);
                    assert_eq!(in_hex(&out), in_hex(&expected), "{name} {text}, cut at {cut}, room {room}");
                }
            }
        }
    }
}

#[test]
fn what_is_held_is_written_before_a_stop_and_before_raw_bytes() {
    let hkscs = Encoding::for_name("Big5-HKSCS").expect("an encoding");
    let stopped = convert("Ê".as_bytes(), &UTF_8, hkscs, &Options::default()).expect("converts");
    assert_eq!(stopped.output, b"\x88\x66");
    let stopped = convert("Ê😀".as_bytes(), &UTF_8, hkscs, &Options::default()).expect_err("stops");
    assert_eq!(stopped.before.output, b"\x88\x66");
    let policy = Policy::default().ill_formed(OnIllFormed::Raw);
    let raw = convert(b"\xC3\x8A\xFFa", &UTF_8, hkscs, &Options::default().policy(policy));
    assert_eq!(raw.expect("converts").output, b"\x88\x66\xFFa");
}

/// A conversion from Shift_JIS warns once about a byte that is another character in windows-31j. An error names an
/// unassigned row.
#[test]
fn shift_jis_of_windows() {
    let dir =
        dir_with(&[("c", b"printf(\"\x93\xFA\\n\");\n"), ("tilde", b"~\n"), ("none", b"\x83\x5C\x83\x7E\n")]);
    let at = dir.path();
    let yen = "warning: byte 5C is U+00A5 \"¥\" in Shift_JIS; use -f windows-31j to read \"\\\"\n";
    let overline = "warning: byte 7E is U+203E \"‾\" in Shift_JIS; use -f windows-31j to read \"~\"\n";
    sh(at, "$U -f shift_jis c tilde").expect(0, "printf(\"日¥n\");\n‾\n", &format!("utfconv: c: {yen}"));
    sh(at, "$U -f shift_jis tilde").expect(0, "‾\n", &format!("utfconv: tilde: {overline}"));
    sh(at, "cat c | $U -f shift_jis").expect(0, "printf(\"日¥n\");\n", &format!("utfconv: -: {yen}"));
    // There is no warning for second bytes of characters, for windows-31j, for output in Shift_JIS, or with `--iconv`.
    sh(at, "$U -f shift_jis none; $U -f windows-31j tilde; $U -s -f shift_jis tilde; $U -f shift_jis -t shift_jis tilde")
        .expect(0, b"\xE3\x82\xBD\xE3\x83\x9F\n~\n\xE2\x80\xBE\n~\n", "");
    sh(at, "$U --iconv -f shift_jis -t utf-8 tilde").expect(0, "‾\n", "");
    sh(at, "$U -i -j1 -f shift_jis c tilde none").expect(0, "", &format!("utfconv: c: {yen}"));
    for (bytes, row) in
        [("85 9E", 9), ("86 40", 11), ("87 9F", 14), ("88 40", 15), ("EB 9F", 86), ("EF FC", 94)]
    {
        let ran = run(&["-f", "windows-31j"], hex(bytes));
        let why = format!(
            ": windows-31j has no character there: row {row} is unassigned, and is for SHIFT_JISX0213\n"
        );
        assert!(ran.status == 1 && ran.stderr.contains(&why), "{bytes}: {ran:?}");
    }
    run(&["-f", "windows-31j"], hex("81 AD")).expect_part(
        1,
        "",
        "81 AD: windows-31j has no character there\n",
    );
}

/// An error at a character that only another encoding has names that encoding.
#[test]
fn errors_name_the_encoding_that_has_the_character() {
    for (from, bytes, why, reader) in [
        (
            "Shift_JIS",
            "87 40",
            "unassigned) at byte 1: 87: Shift_JIS has no character there",
            "windows-31j has U+2460 \"①\"",
        ),
        (
            "EUC-KR",
            "81 41",
            "never-used byte) at byte 1: 81 never appears in EUC-KR",
            "CP949 has U+AC02 \"갂\"",
        ),
        (
            "GB2312",
            "A8 BB",
            "unassigned) at byte 1: A8 BB: GB2312 has no character there",
            "GBK has U+0251 \"ɑ\"",
        ),
    ] {
        let dir = dir_with(&[("a b", &[b"x", &hex(bytes)[..], b"y\n"].concat()[..])]);
        let error = format!("a b:1:2: error: invalid {from} ({why}\n");
        let name = reader.split(' ').next().expect("a name");
        let fix = format!("{reader} there; use -f {name}\n");
        let (stopped, kept) =
            (format!("utfconv: stopped: {fix}"), format!("utfconv: a b: not converted: {fix}"));
        sh(dir.path(), &format!("$U -f {from} 'a b'")).expect(1, "x", &(error.clone() + &stopped));
        sh(dir.path(), &format!("$U -i -f {from} 'a b'")).expect(1, "", &(error + &kept));
    }
    // windows-31j has no character there either, or none later; the last file is UTF-8.
    let dir =
        dir_with(&[("a", b"\x85\x9E\n"), ("b", b"\x87\x40\x85\x9E\n"), ("c", "你好世界，朋友\n".as_bytes())]);
    for (from, file, before) in [("Shift_JIS", "a", ""), ("Shift_JIS", "b", ""), ("GB2312", "c", "浣")] {
        let stopped = "utfconv: stopped; use --ill-formed=MODE to continue";
        sh(dir.path(), &format!("$U -f {from} {file}")).expect_part(1, before, stopped);
    }
}
