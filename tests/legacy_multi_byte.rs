//! The multi-byte encodings of East Asia, code by code, against Python's codecs, glibc's iconv and ICU's uconv, but for
//! what `differences-legacy.md` lists.

use std::collections::HashMap;
use std::process::Command;

use utfconv::{Encoding, Options, UTF_8, convert};

use crate::harness::has;

/// An encoding, and its names in Python, glibc and ICU.
const ENCODINGS: [(&str, Option<&str>, Option<&str>, Option<&str>); 15] = [
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
];

/// What came of a code; `None` if it cannot be converted.
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

/// All that is asked of an encoding: for decoding, bytes in it; for encoding, characters in UTF-8.
fn codes(encoding: &str, direction: Direction) -> Vec<Vec<u8>> {
    if direction == Direction::Encode {
        let last = if matches!(encoding, "Big5-HKSCS" | "GB18030") { '\u{2FFFF}' } else { '\u{FFFF}' };
        // A line feed separates codes for some peers.
        let scalars = ('\0'..=last).filter(|scalar| *scalar != '\n');
        let pairs = ["Ê\u{304}", "Ê\u{30C}", "ê\u{304}", "ê\u{30C}"].map(|pair| pair.as_bytes().to_vec());
        return scalars.map(|scalar| scalar.to_string().into_bytes()).chain(pairs).collect();
    }
    let ones = (0..=0xFF).filter(|byte| *byte != b'\n').map(|byte| vec![byte]);
    if encoding == "ISO-2022-JP" {
        let set = |escape: &[u8], code: &[u8]| [escape, code, b"\x1B(B"].concat();
        let roman = (0x20..0x80).map(|byte| set(b"\x1B(J", &[byte]));
        let kanji = (0x21..0x7F).flat_map(|a| (0x20..0x80).map(move |b| set(b"\x1B$B", &[a, b])));
        return ones.chain(roman).chain(kanji).collect();
    }
    let twos = (0x80..=0xFF).flat_map(|a| (0x20..=0xFF).map(move |b| vec![a, b]));
    let threes = (0x80..=0xFF).flat_map(|b| (0x80..=0xFF).map(move |c| vec![0x8F, b, c]));
    let fours = (0..126 * 10 * 126 * 10_u32).map(|at| {
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
        _ if encoding.starts_with("EUC-JP") => all.chain(threes).collect(),
        _ => all.collect(),
    }
}

fn ours(encoding: &'static Encoding, direction: Direction, code: &[u8]) -> Answer {
    let (from, to) = match direction {
        Direction::Decode => (encoding, &UTF_8),
        Direction::Encode => (&UTF_8, encoding),
    };
    convert(code, from, to, &Options::default()).ok().map(|converted| converted.output)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).expect("hexadecimal"))
        .collect()
}

/// Asks Python's codecs or glibc's iconv, all in one process.
fn ask_script(peer: &str, direction: Direction, asked: &[(&str, &[Vec<u8>])]) -> Vec<Answer> {
    let mut question = String::new();
    for (codec, codes) in asked {
        question += &format!("={codec}\n");
        codes.iter().for_each(|code| question += &format!("{}\n", hex(code)));
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/legacy_peers.py");
    let mut command = assert_cmd::Command::from_std(Command::new("python3"));
    let output =
        command.args([script, peer, direction.name()]).write_stdin(question).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("ASCII");
    answers.lines().map(|answer| (answer != "-").then(|| unhex(answer))).collect()
}

/// Asks ICU, with a code a line. What it cannot convert, it spells `%X81` or `%U4E00`.
fn ask_uconv(codec: &str, direction: Direction, codes: &[Vec<u8>]) -> Vec<Answer> {
    let args = match direction {
        Direction::Decode => ["-f", codec, "-t", "UTF-8", "--from-callback", "escape-icu"],
        Direction::Encode => ["-f", "UTF-8", "-t", codec, "--to-callback", "escape-icu"],
    };
    let question: Vec<u8> = codes.iter().flat_map(|code| code.iter().copied().chain([b'\n'])).collect();
    let mut command = assert_cmd::Command::from_std(Command::new("uconv"));
    let output = command.args(args).write_stdin(question).output().expect("uconv runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&[u8]> = output.stdout.split(|byte| *byte == b'\n').take(codes.len()).collect();
    assert_eq!(lines.len(), codes.len(), "uconv {codec}");
    let spelt = |line: &&[u8]| line.windows(2).any(|two| matches!(two, b"%X" | b"%U"));
    // It drops characters that are ignorable by default.
    lines.iter().map(|line| (!line.is_empty() && !spelt(line)).then(|| line.to_vec())).collect()
}

/// A range in the column "codes": of scalar values, or of codes of one length.
enum Listed {
    Scalars(u32, u32),
    Codes(usize, u64, u64),
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |value, byte| value << 8 | u64::from(*byte))
}

impl Listed {
    fn parse(text: &str) -> Listed {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let scalar = |text: &str| text.strip_prefix("U+").and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match (scalar(first), scalar(last)) {
            (Some(first), Some(last)) => Listed::Scalars(first, last),
            _ => {
                let (first, last) = (unhex(first), unhex(last));
                assert_eq!(first.len(), last.len(), "{text}");
                Listed::Codes(first.len(), number(&first), number(&last))
            }
        }
    }

    /// Whether the range has the code that is asked for, or what comes of it.
    fn has(&self, direction: Direction, asked: &[u8], ours: &Answer, theirs: &Answer) -> bool {
        let is_in = |code: &[u8], len: usize, first: u64, last: u64| {
            code.len() == len && (first..=last).contains(&number(code))
        };
        match (self, direction) {
            (Listed::Scalars(first, last), Direction::Encode) => {
                let scalar = std::str::from_utf8(asked).ok().and_then(|text| text.chars().next());
                scalar.is_some_and(|scalar| (*first..=*last).contains(&scalar.into()))
            }
            (Listed::Scalars(..), Direction::Decode) => false,
            (Listed::Codes(len, first, last), Direction::Decode) => is_in(asked, *len, *first, *last),
            (Listed::Codes(len, first, last), Direction::Encode) => {
                [ours, theirs].into_iter().flatten().any(|code| is_in(code, *len, *first, *last))
            }
        }
    }
}

#[test]
fn every_code_but_for_the_listed_differences() {
    let mut listed: HashMap<[String; 3], Vec<Listed>> = HashMap::new();
    for line in include_str!("differences-legacy.md").lines() {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [_, encoding, peer, direction @ ("decode" | "encode"), codes, _, _] = cells[..] else { continue };
        let key = [encoding, peer, direction].map(str::to_string);
        listed.entry(key).or_default().extend(codes.split_whitespace().map(Listed::parse));
    }
    assert!(listed.len() > 20, "the table is read");

    let mut unlisted = Vec::new();
    for direction in [Direction::Decode, Direction::Encode] {
        let asked: Vec<_> = ENCODINGS.iter().map(|row| (row, codes(row.0, direction))).collect();
        let mut compare = |name: &str, peer: &str, codes: &[Vec<u8>], theirs: &[Answer]| {
            let encoding = Encoding::named(name).expect("an encoding");
            let rows = listed.get(&[name, peer, direction.name()].map(str::to_string));
            assert_eq!(codes.len(), theirs.len(), "{peer} {name}");
            for (code, theirs) in codes.iter().zip(theirs) {
                let ours = ours(encoding, direction, code);
                let is_listed = || {
                    rows.is_some_and(|rows| rows.iter().any(|row| row.has(direction, code, &ours, theirs)))
                };
                if ours != *theirs && !is_listed() {
                    let show = |answer: &Answer| answer.as_deref().map_or("-".to_string(), hex);
                    let (ours, theirs) = (show(&ours), show(theirs));
                    unlisted.push(format!(
                        "{name} | {peer} | {} | {}: {ours}, theirs {theirs}",
                        direction.name(),
                        hex(code)
                    ));
                }
            }
        };
        let peers: [(&str, bool); 2] =
            [("python", has("python3")), ("glibc", cfg!(target_env = "gnu") && has("python3"))];
        for (peer, _) in peers.iter().filter(|(_, is_there)| *is_there) {
            let blocks: Vec<_> = asked
                .iter()
                .filter_map(|(row, codes)| {
                    let codec = if *peer == "python" { row.1 } else { row.2 };
                    codec.map(|codec| (row.0, codec, &codes[..]))
                })
                .collect();
            let question: Vec<_> = blocks.iter().map(|(_, codec, codes)| (*codec, *codes)).collect();
            let answers = ask_script(peer, direction, &question);
            let mut rest = &answers[..];
            for (name, _, codes) in blocks {
                let (these, others) = rest.split_at(codes.len());
                compare(name, peer, codes, these);
                rest = others;
            }
        }
        if has("uconv") {
            for (row, codes) in &asked {
                if let Some(codec) = row.3 {
                    compare(row.0, "uconv", codes, &ask_uconv(codec, direction, codes));
                }
            }
        }
    }
    assert!(
        unlisted.is_empty(),
        "{} differences are not listed:\n{}",
        unlisted.len(),
        unlisted[..unlisted.len().min(200)].join("\n")
    );
}
