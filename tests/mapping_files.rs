//! Tests of mapping files: files of glibc and ICU read as the built-in encodings, exported files read back the same,
//! and errors name their line.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use utfconv_core::{Encoding, MappingFormat, Options, UTF_8, convert};

use crate::harness::{dir_with, run, sh, skip};

/// Returns the mapping entries in an encoding's .ucm file.
fn entries(encoding: &Encoding) -> BTreeSet<String> {
    let text = encoding.to_mapping(MappingFormat::Ucm).expect("it has a table");
    let lines = text.lines().skip_while(|line| *line != "CHARMAP").skip(1);
    lines.take_while(|line| *line != "END CHARMAP").map(String::from).collect()
}

/// Returns the code in a line of a .ucm file.
fn code(line: &str) -> Vec<u8> {
    let code = line.split(' ').nth(1).expect("a code");
    let bytes = code.split("\\x").skip(1).map(|byte| u8::from_str_radix(byte, 16).expect("a byte"));
    bytes.collect()
}

/// Returns the entries that only one of two encodings has, as lines of a .ucm file: `-` for the first encoding, `+` for
/// the second.
fn differences(one: &Encoding, other: &Encoding) -> Vec<String> {
    let (one, other) = (entries(one), entries(other));
    let missing = one.difference(&other).map(|line| format!("-{line}"));
    missing.chain(other.difference(&one).map(|line| format!("+{line}"))).collect()
}

/// Charmaps of glibc 2.36 that differ from the built-in encoding, the number of lines of .ucm files that differ, and
/// the reason.
const CHARMAPS: &[(&str, usize, &str)] = &[
    ("BIG5", 1, "has 80"),
    ("BIG5-HKSCS", 12, "has pairs in comments, 80, and other codes of two characters"),
    ("CP949", 188, "lacks the user-defined area"),
    ("EUC-JISX0213", 25, "has pairs in comments"),
    ("EUC-JP", 30, "has the controls of C1"),
    ("EUC-JP-MS", 38, "has the controls of C1, and nothing that is only written"),
    ("EUC-KR", 32, "has the controls of C1"),
    ("IBM1132", 2, "has a second k for the sign of the kip"),
    ("IBM1133", 2, "has a second k for the sign of the kip"),
    ("JIS_X0201", 158, "has fullwidth katakana"),
    ("MAC-CYRILLIC", 2, "has the cent sign as A2"),
    ("SHIFT_JIS", 2, "has nothing that is only written"),
    ("SHIFT_JISX0213", 27, "has pairs in comments, and nothing that is only written"),
    ("WINDOWS-31J", 7, "has nothing that is only written"),
];

/// Charmaps of glibc that have an error or are more than a mapping, and the error message.
const NO_CHARMAPS: &[(&str, &str)] = &[
    ("ANSI_X3.110-1983", "line 201, column 13: code C1 41 begins with code C1 of line 200"),
    ("EBCDIC-PT", "line 1, column 1: unknown directive \"<U0000>\""),
    ("ISO-IR-90", "line 199, column 13: code C1 41 begins with code C1 of line 198"),
    ("ISO_10646", "line 37, column 1: expected a character such as <U20AC>, not \"<intro>\""),
    ("ISO_6937", "line 202, column 13: code C1 41 begins with code C1 of line 201"),
    ("JIS_C6220-1969-JP", "line 13, column 1: expected a character such as <U20AC>, not \"<NU>\""),
    ("MAC-CENTRALEUROPE", "line 2, column 1: unknown directive \"<comment>\""),
    ("T.61-8BIT", "line 186, column 13: code C1 41 begins with code C1 of line 185"),
    ("TCVN5712-1", "line 267, column 13: code 43 B3 begins with code 43 of line 78"),
    ("TSCII", "line 139, column 8: a code has at most two characters"),
];

#[test]
fn charmaps_of_glibc() {
    let charmaps = Path::new("/usr/share/i18n/charmaps");
    if !charmaps.is_dir() {
        return skip("the package locales");
    }
    let dir = dir_with(&[]);
    sh(dir.path(), &format!("cp {}/*.gz . && gzip -d *.gz", charmaps.display())).expect(0, "", "");
    let mut same = 0;
    for file in std::fs::read_dir(dir.path()).expect("lists").map(|file| file.expect("lists").path()) {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let read = Encoding::from_mapping(&name, &std::fs::read(&file).expect("reads"));
        if let Some((_, message)) = NO_CHARMAPS.iter().find(|(known, _)| *known == name) {
            assert_eq!(read.expect_err(&name).to_string(), *message, "{name}");
            continue;
        }
        let built_in =
            Encoding::for_name(&name).filter(|built_in| built_in.to_mapping(MappingFormat::Ucm).is_ok());
        let (Some(built_in), Ok(read)) = (built_in, read) else { continue };
        let found = differences(built_in, read);
        let expected = CHARMAPS.iter().find(|(known, ..)| *known == name).map_or(0, |(_, count, _)| *count);
        assert_eq!(found.len(), expected, "{name}: {:?}", &found[..found.len().min(20)]);
        same += usize::from(found.is_empty());
    }
    assert!(same >= 180, "{same} charmaps are the same");
}

/// Files of ICU's repository of mappings, and the built-in encodings with the same mapping. Characters that ICU writes
/// as similar characters are ignored.
const UCM: &[(&str, &str)] = &[
    ("ibm-37_P100-1999", "IBM037"),
    ("ibm-273_P100-1999", "IBM273"),
    ("ibm-277_P100-1999", "IBM277"),
    ("ibm-280_P100-1999", "IBM280"),
    ("ibm-284_P100-1999", "IBM284"),
    ("ibm-297_P100-1999", "IBM297"),
    ("ibm-500_P100-1999", "IBM500"),
    ("ibm-838_P100-1995", "IBM-Thai"),
    ("ibm-1025_P100-1995", "IBM1025"),
    ("ibm-1047_P100-1995", "IBM1047"),
    ("ibm-1112_P100-1995", "IBM1112"),
    ("ibm-1122_P100-1999", "IBM1122"),
    ("ibm-1123_P100-1995", "IBM1123"),
    ("ibm-1140_P100-1997", "IBM01140"),
    ("ibm-1148_P100-1997", "IBM01148"),
    ("ibm-913_P100-2000", "ISO-8859-3"),
    ("ibm-914_P100-1995", "ISO-8859-4"),
    ("ibm-915_P100-1995", "ISO-8859-5"),
    ("ibm-920_P100-1995", "ISO-8859-9"),
    ("ibm-878_P100-1996", "KOI8-R"),
    ("ibm-933_P110-1999", "IBM933"),
    ("ibm-935_P110-1999", "IBM935"),
    ("ibm-937_P110-1999", "IBM937"),
    ("ibm-1364_P110-2007", "IBM1364"),
    ("ibm-1388_P103-2001", "IBM1388"),
    ("ibm-943_P14A-1999", "IBM943"),
];

/// The environment variable `UTFCONV_UCM` names the directory `charset/data/ucm` of the repository
/// unicode-org/icu-data.
#[test]
fn ucm_files_of_icu() {
    let Some(directory) = std::env::var_os("UTFCONV_UCM").map(PathBuf::from) else {
        return skip("UTFCONV_UCM, a directory with .ucm files of ICU");
    };
    for (file, name) in UCM {
        let text = std::fs::read(directory.join(file).with_extension("ucm")).expect(file);
        let read = Encoding::from_mapping(file, &text).expect(file);
        let found = differences(Encoding::for_name(name).expect(name), read);
        let others: Vec<_> =
            found.iter().filter(|line| !(line.starts_with('+') && line.ends_with("|1"))).collect();
        assert!(others.is_empty(), "{file}: {others:?}");
    }
}

/// Every encoding with a table is the same after it is written to a mapping file and read back.
#[test]
fn exported_encodings_read_as_themselves() {
    let (mut charmaps, mut ucms) = (0, 0);
    // .ci/long tests all encodings.
    let step = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 1 } else { 8 };
    for encoding in Encoding::all().step_by(step).chain(Encoding::web().step_by(step)) {
        let Ok(text) = encoding.to_mapping(MappingFormat::Ucm) else { continue };
        let read = Encoding::from_mapping("ours.ucm", text.as_bytes()).expect("it is a mapping");
        assert_eq!(
            read.to_mapping(MappingFormat::Ucm).map(|text| text.replace("ours.ucm", encoding.name())),
            Ok(text)
        );
        ucms += 1;
        let Ok(text) = encoding.to_mapping(MappingFormat::Charmap) else { continue };
        let read = Encoding::from_mapping("ours", text.as_bytes()).expect("it is a mapping");
        charmaps += 1;
        // Compare only entries that a charmap can express.
        let is_kept = |line: &&String| !line.contains("><") && !line.ends_with("|1");
        let kept: BTreeSet<_> = entries(encoding).iter().filter(is_kept).cloned().collect();
        assert!(entries(read) == kept, "{encoding}: {:?}", differences(encoding, read));
        // A text with all codes decodes the same, and a text with all characters encodes the same.
        let codes: Vec<u8> = kept.iter().flat_map(|line| code(line)).collect();
        let options = Options::default().policy(
            utfconv_core::Policy::default()
                .ill_formed(utfconv_core::OnIllFormed::Omit)
                .unmappable(utfconv_core::OnUnmappable::Omit),
        );
        let [one, other] =
            [encoding, read].map(|from| convert(&codes, from, &UTF_8, &options).expect("omits").output);
        let has_pairs = text.contains("\n%<U");
        assert!(one == other || has_pairs, "{encoding}");
        let all: String = ('\0'..='\u{FFFF}').collect();
        let [one, other] =
            [encoding, read].map(|to| convert(all.as_bytes(), &UTF_8, to, &options).expect("omits").output);
        assert!(one == other || has_pairs || text.contains("% written only"), "{encoding}");
    }
    assert!(charmaps > 40 && ucms > 45, "{charmaps} {ucms}");
    let gb18030 =
        Encoding::for_name("GB18030").expect("a name").to_mapping(MappingFormat::Charmap).expect("a table");
    let read = Encoding::from_mapping("gb18030", gb18030.as_bytes()).expect("it is one");
    let text = "中文 €\u{80}\u{10FFFF}😀\n";
    let [one, other] = [Encoding::for_name("GB18030").expect("a name"), read]
        .map(|to| convert(text.as_bytes(), &UTF_8, to, &Options::default()).expect("it has all").output);
    assert_eq!(one, other);
}

const CHARMAP: &str = "\
<code_set_name> MINE
<comment_char> %
<escape_char> /
<mb_cur_max> 2
CHARMAP
<U0000>     /x00         NULL
<A>         /d065
<U0042>..<U0044> /x42
% a comment
%IRREVERSIBLE%<U00A5> /x5c
<U20AC>     /x80/x41     EURO SIGN
<U0001F600> /x80/x42
END CHARMAP
WIDTH
<U20AC>...<U20AC> 1
END WIDTH
";

const UCM_TEXT: &str = "\
<code_set_name> \"mine\"
<mb_cur_max> 2
<mb_cur_min> 1
<uconv_class> \"MBCS\"
<subchar> \\x3F
<icu:state> 0-7f, 80:1
<icu:state> 41-42
CHARMAP
<U0041> \\x41 |0
<U0061> \\x41 |1 # as the capital letter
<U20AC> \\x80\\x41 |0
<UFFFD> \\x3F |2
<U0065><U0301> \\x80\\x42 |0
<U00A5> \\x5C |3
END CHARMAP
";

const LISTING: &str = "\
# Mine
0x41\t0x0041\t# LATIN CAPITAL LETTER A
0x80\t      \t# UNDEFINED
0x81\t0x20AC\t# EURO SIGN
0x8241\tU+1F600
";

/// A character that can combine with the next character in one code also has a code of its own: an ASCII byte, another
/// byte, or two bytes.
#[test]
fn characters_that_share_a_code_are_written_alone_too() {
    let more = "\
<U0065> \\x65 |0
<U00E8> \\x46 |0
<U00E8><U0301> \\x80\\x43 |0
<U00E9> \\x80\\x44 |0
<U00E9><U0301> \\x80\\x45 |0
<U0042><U0301> \\x80\\x46 |0
END CHARMAP";
    let text = UCM_TEXT.replace("41-42", "41-46").replace("END CHARMAP", more);
    let encoding = Encoding::from_mapping("mine", text.as_bytes()).expect("a .ucm file");
    let options = Options::default();
    for (text, bytes) in [
        ("eeAe\u{301}e", &b"eeA\x80Be"[..]),
        ("èèAè\u{301}è", b"FFA\x80CF"),
        ("ééAé\u{301}é", b"\x80D\x80DA\x80E\x80D"),
    ] {
        assert_eq!(
            convert(text.as_bytes(), &UTF_8, encoding, &options).expect("codes").output,
            bytes,
            "{text}"
        );
        assert_eq!(convert(bytes, encoding, &UTF_8, &options).expect("codes").output, text.as_bytes());
    }
    assert_eq!(convert(b"\x80F", encoding, &UTF_8, &options).expect("a code").output, "B\u{301}".as_bytes());
    assert!(convert("B\u{301}".as_bytes(), &UTF_8, encoding, &options).is_err(), "B has no code by itself");
}

#[test]
fn each_form_reads_and_writes() {
    let charmap = Encoding::from_mapping("mine", CHARMAP.as_bytes()).expect("a charmap");
    let read = |encoding, bytes: &[u8]| {
        let made = convert(bytes, encoding, &UTF_8, &Options::default());
        made.map(|made| String::from_utf8(made.output).expect("UTF-8"))
            .map_err(|stopped| stopped.fault.to_string())
    };
    let write = |encoding, text: &str| {
        let made = convert(text.as_bytes(), &UTF_8, encoding, &Options::default());
        made.map(|made| made.output).map_err(|stopped| stopped.fault.to_string())
    };
    assert_eq!(read(charmap, b"\0ABCD\\\x80A\x80B"), Ok("\0ABCD¥€😀".to_string()));
    assert_eq!(write(charmap, "AD€😀"), Ok(b"AD\x80A\x80B".to_vec()));
    assert_eq!(
        write(charmap, "¥"),
        Err("unmappable character at byte 0: C2 A5: U+00A5 \"¥\" cannot be encoded in mine".to_string())
    );
    let fault = read(charmap, b"A\x80C").expect_err("no code");
    assert!(fault.starts_with("invalid mine (truncated) at byte 1: 80 starts"), "{fault}");
    let ucm = Encoding::from_mapping("mine", UCM_TEXT.as_bytes()).expect("a .ucm file");
    assert_eq!(read(ucm, b"A\x80A\x80B\\"), Ok("A€e\u{301}¥".to_string()));
    assert_eq!(write(ucm, "aA€"), Ok(b"AA\x80A".to_vec()));
    assert!(write(ucm, "\u{FFFD}").is_err() && write(ucm, "¥").is_err());
    let listing = Encoding::from_mapping("mine", LISTING.as_bytes()).expect("a listing");
    assert_eq!(read(listing, b"A\x81\x82A"), Ok("A€😀".to_string()));
    assert!(read(listing, b"\x80").is_err());
    assert!(charmap != ucm && charmap == charmap, "made at run time, with one name");
}

/// In each format, a broken file is refused with the line and the column of the error.
#[test]
fn errors_name_the_line() {
    for (text, right, wrong, message) in [
        (CHARMAP, "<mb_cur_max> 2", "<mb_cur_max> two", "line 4, column 14: expected a number, not \"two\""),
        (
            CHARMAP,
            "<comment_char> %",
            "<coment_char> %",
            "line 2, column 1: unknown directive \"<coment_char>\"",
        ),
        (
            CHARMAP,
            "<comment_char> %",
            "<comment_char> %%",
            "line 2, column 16: expected one character, not \"%%\"",
        ),
        (CHARMAP, "/x5c", "/x5g", "line 10, column 23: \"/x5g\" is no byte"),
        (CHARMAP, "/x5c", "/d300", "line 10, column 23: \"/d300\" is no byte"),
        (CHARMAP, "/x5c", "x5c", "line 10, column 23: expected a code, not \"x5c\""),
        (CHARMAP, "/x5c", "/x42", "line 10, column 23: code 42 is already in line 8"),
        (CHARMAP, "/x5c", "/x80", "line 11, column 13: code 80 41 begins with code 80 of line 10"),
        (CHARMAP, "/x80/x42", "/x80/x42/x43/x44/x45", "line 12, column 13: a code has at most 4 bytes"),
        (
            CHARMAP,
            "<U0042>..<U0044> /x42",
            "<U0042>..<U0044> /xfe",
            "line 8, column 18: the range is empty, or its last code is beyond FF",
        ),
        (
            CHARMAP,
            "<U0042>..<U0044>",
            "<U0042>..<U0041>",
            "line 8, column 8: the range is empty, or its last code is beyond FF",
        ),
        (
            CHARMAP,
            "<U20AC>     /x80/x41     EURO",
            "<UD800>     /x80/x41 EURO",
            "line 11, column 1: U+D800 is not a Unicode scalar value",
        ),
        (CHARMAP, "<U0001F600>", "<U00110000>", "line 12, column 1: U+110000 is not a Unicode scalar value"),
        (CHARMAP, "<A> ", "<AA> ", "line 7, column 1: expected a character such as <U20AC>, not \"<AA>\""),
        (
            CHARMAP,
            "END CHARMAP\n",
            "",
            "line 13, column 1: expected a character such as <U20AC>, not \"WIDTH\"",
        ),
        (CHARMAP, "END WIDTH", "END WIDTH\nMORE", "line 17, column 1: unknown directive \"MORE\""),
        (
            UCM_TEXT,
            "\"MBCS\"",
            "\"XBCS\"",
            "line 4, column 15: unknown class \"\\\"XBCS\\\"\"; expected SBCS, DBCS, MBCS or EBCDIC_STATEFUL",
        ),
        (
            UCM_TEXT,
            "<mb_cur_min> 1",
            "<icu:base> \"x\"",
            "line 3, column 1: this .ucm file only extends another, which cannot be read from here",
        ),
        (UCM_TEXT, "\\x80\\x42 |0", "\\x80\\x42 |5", "line 13, column 25: expected |0 to |4, not \"|5\""),
        (UCM_TEXT, "\\x80\\x42 |0", "\\x80\\x42 |0 x", "line 13, column 28: unexpected \"x\""),
        (
            UCM_TEXT,
            "<U00A5> \\x5C |3",
            "<U00A5> \\x80 |3",
            "line 14, column 9: code 80 begins code 80 41 of line 11",
        ),
        (UCM_TEXT, "<U00A5> \\x5C |3", "<U00A5>", "line 14, column 8: the code is missing"),
        (
            UCM_TEXT,
            "<U0065><U0301>",
            "<U0065><U0301><U0302>",
            "line 13, column 8: a code has at most two characters",
        ),
        (
            LISTING,
            "0x81\t0x20AC",
            "0x81\t0x20AG",
            "line 4, column 6: expected a character such as <U20AC>, not \"0x20AG\"",
        ),
        (LISTING, "0x81\t", "0x811\t", "line 4, column 1: expected a code, not \"0x811\""),
        (LISTING, "0x81\t", "0x41\t", "line 4, column 1: code 41 is already in line 2"),
        (LISTING, "0x81\t", "0x82\t", "line 5, column 1: code 82 41 begins with code 82 of line 4"),
        (LISTING, "U+1F600", "0x110000", "line 5, column 8: U+110000 is not a Unicode scalar value"),
        (LISTING, "0x41\t0x0041", "CODEPAGE 932", "line 2, column 1: unknown directive \"CODEPAGE\""),
    ] {
        let broken = text.replacen(right, wrong, 1);
        assert_ne!(broken, text, "{right} is there");
        let error = Encoding::from_mapping("broken", broken.as_bytes()).expect_err(wrong);
        assert_eq!(error.to_string(), message, "{wrong}");
    }
    let shifted = UCM_TEXT.replace("MBCS", "EBCDIC_STATEFUL").replace("\\x80\\x42", "\\x80\\x0F");
    let error = Encoding::from_mapping("broken", shifted.as_bytes()).expect_err("a shift in a code");
    assert_eq!(error.to_string(), "line 13, column 16: code 80 0F cannot be reached by SO and SI");
    for (text, message) in [
        (&b""[..], "maps no code to a character"),
        (b"CHARMAP\n<U0041> \\x41\n", "there is no line END CHARMAP"),
        (b"<code_set_name> x\n", "there is no line CHARMAP"),
        (b"\x1F\x8B\x08", "the mapping file is compressed"),
        (&vec![b'#'; (16 << 20) + 1], "a mapping file has at most 16 MiB"),
    ] {
        let error = Encoding::from_mapping("broken", text).expect_err(message);
        assert!(error.to_string().starts_with(message) && error.line() == 0, "{error}");
    }
}

/// Returns a deterministic generator of numbers below a bound.
fn random_numbers() -> impl FnMut(usize) -> usize {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    }
}

/// Returns a random code of one to four bytes that is no prefix of another code. For a pair of characters, the code has
/// two bytes from 80 up.
fn random_code(is_of_pair: bool, random: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let (leads, len) = match random(10) {
        _ if is_of_pair => (0x81..0xA0, 2),
        0..3 => (0x00..0x70, 1),
        3 => (0xC0..0x100, 1),
        4..7 => (0x81..0xA0, 2),
        7 => (0x70..0x80, 2),
        8 => (0xA0..0xB0, 3),
        _ => (0xB0..0xC0, 4),
    };
    let lead = leads.start + random(leads.len());
    let more = (1..len).map(|_| 0x30 + random(0xCF));
    std::iter::once(lead).chain(more.collect::<Vec<_>>()).map(|byte| byte as u8).collect()
}

/// Files with random codes for characters and pairs of characters decode and encode random texts as a list of the codes
/// does.
#[test]
fn random_mappings() {
    let mut random = random_numbers();
    let options = Options::default();
    for _ in 0..200 {
        let mut codes = BTreeMap::new();
        let mut taken = HashSet::new();
        let marks = ['\u{301}', '\u{309A}'];
        for _ in 0..1 + random(100) {
            let first = [0x20, 0xA1, 0x3041, 0x4E00, 0x1_F600][random(5)] + random(0x50) as u32;
            let first = char::from_u32(first).expect("a scalar value");
            let own = random_code(false, &mut random);
            if !codes.contains_key(&first.to_string()) && taken.insert(own.clone()) {
                codes.insert(first.to_string(), own);
            }
            let both = random_code(true, &mut random);
            if random(4) == 0 && codes.contains_key(&first.to_string()) && taken.insert(both.clone()) {
                codes.insert(format!("{first}{}", marks[random(2)]), both);
            }
        }
        let line = |(text, code): (&String, &Vec<u8>)| {
            let scalars: String =
                text.chars().map(|scalar| format!("<U{:04X}>", u32::from(scalar))).collect();
            let bytes: String = code.iter().map(|byte| format!("\\x{byte:02X}")).collect();
            format!("{scalars} {bytes} |0\n")
        };
        let lines: String = codes.iter().map(line).collect();
        let file = format!("<code_set_name> \"random\"\nCHARMAP\n{lines}END CHARMAP\n");
        let encoding = Encoding::from_mapping("random", file.as_bytes()).expect("a .ucm file");
        let entries: Vec<_> = codes.iter().collect();
        for _ in 0..4 {
            let (mut text, mut bytes) = (String::new(), Vec::new());
            for _ in 0..random(40) {
                let (entry, code) = entries[random(entries.len())];
                for _ in 0..[1, 1, 80][random(3)] {
                    text.push_str(entry);
                    bytes.extend_from_slice(code);
                }
            }
            let read = convert(&bytes, encoding, &UTF_8, &options).expect("codes");
            assert_eq!(String::from_utf8_lossy(&read.output), text, "{file}");
            let written = convert(text.as_bytes(), &UTF_8, encoding, &options).expect("codes");
            assert_eq!(written.output, bytes, "{text}\n{file}");
        }
    }
}

/// A pair can begin with any character, also with a character above the characters that have tables.
#[test]
fn pairs_of_high_characters() {
    let dir = dir_with(&[("m", b"0x41\t0x0041\n0x42\t0x30000\n0x8140\t0x30000+0x41\n")]);
    sh(dir.path(), r"printf 'A\xf0\xb0\x80\x80A' | $U -t ./m").expect(0, b"A\x81@", "");
    sh(dir.path(), r"printf 'A\x81@B' | $U -f ./m").expect(0, "A\u{30000}A\u{30000}", "");
}

/// In encodings with shifts, too, any character can have a code and be the second of a pair.
#[test]
fn high_characters_between_shifts() {
    let text = "<code_set_name> \"m\"\n<mb_cur_max> 2\n<mb_cur_min> 1\n<uconv_class> \"EBCDIC_STATEFUL\"\nCHARMAP\n\
        <U0041> \\xC1 |0\n<U10FFFD> \\xC2 |0\n<U30001> \\x41\\x42 |0\n<U30000> \\x41\\x43 |0\n\
        <U0041><U30000> \\x41\\x41 |0\n<U30001> \\x41\\x44 |1\nEND CHARMAP\n";
    let dir =
        dir_with(&[("m.ucm", text.as_bytes()), ("t", "A\u{30000}\u{30000}A\u{10FFFD}\u{30001}A".as_bytes())]);
    let coded = b"\x0EAAAC\x0F\xC1\xC2\x0EAB\x0F\xC1";
    sh(dir.path(), "$U -t ./m.ucm t | tee c").expect(0, coded, "");
    sh(dir.path(), "$U -f ./m.ucm c | cmp - t").expect(0, "", "");
}

/// Any text is a mapping or gives an error, without a panic.
#[test]
fn no_text_panics() {
    let mut random = random_numbers();
    let words = [
        "<U0041>",
        "<",
        ">",
        "/x41",
        "\\x41",
        "\\",
        "/",
        "|0",
        "|1",
        "|9",
        "CHARMAP\n",
        "END CHARMAP\n",
        "0x41",
        "0x",
        "+",
        "..",
        "%IRREVERSIBLE%",
        "<comment_char> ",
        "<escape_char> ",
        "<uconv_class> ",
        "\"SBCS\"",
        "\n",
        " ",
        "\t",
        "#",
        "\u{FF}",
        "<UFFFFFFFF>",
    ];
    for round in 0..6000 {
        let mut text = [CHARMAP, UCM_TEXT, LISTING, ""][round % 4].as_bytes().to_vec();
        for _ in 0..1 + random(6) {
            let at = random(text.len() + 1);
            let end = (at + random(12)).min(text.len());
            let word = words[random(words.len())].as_bytes();
            let word = if random(4) == 0 { &[random(256) as u8][..] } else { word };
            text.splice(at..end, word.iter().copied());
        }
        if let Ok(encoding) = Encoding::from_mapping("random", &text) {
            for bytes in [&b"A\x80A\x80\x81\x82A\0"[..], b"\xFF"] {
                let _ = convert(bytes, encoding, &UTF_8, &Options::default());
            }
            let _ = convert("Aa€😀e\u{301}\0".as_bytes(), &UTF_8, encoding, &Options::default());
        }
    }
}

#[test]
fn names_with_a_slash_are_files() {
    let dir = dir_with(&[
        ("a.charmap", CHARMAP.as_bytes()),
        ("UTF-8", LISTING.as_bytes()),
        ("bad", b"0x41 0x41\nx\n"),
    ]);
    let out = |script: &str| sh(dir.path(), script);
    out("printf 'A\\x80A' | $U -f ./a.charmap").expect(0, "A€", "");
    out("printf 'A€' | $U -t ./a.charmap").expect(0, b"A\x80A", "");
    out("printf 'A€Ｂ' | $U -st $PWD/a.charmap//TRANSLIT").expect(0, b"A\x80AB", "");
    out("printf 'A\\x81' | $U -f ./UTF-8").expect(0, "A€", "");
    out("printf '\\x81' | $U --ill-formed=fallback=./UTF-8 2>/dev/null").expect(0, "€", "");
    out("printf 'A\\x80A' | $U --iconv -f ./a.charmap -t UTF-8//").expect(0, "A€", "");
    out("printf 'A\\x80A' >in; $U check -f ./a.charmap in").expect(0, "", "");
    out("$U -f <(cat a.charmap) in").expect(0, "A€", "");
    out("$U -f ./bad in").expect(
        2,
        "",
        "invalid value './bad' for '--from-code <ENC>': line 2, column 1: unknown directive \"x\"",
    );
    out("$U -f ./none in").expect(
        2,
        "",
        "invalid value './none' for '--from-code <ENC>': no such encoding, and no mapping file of that name",
    );
    out("$U -f auto:UTF-8,./a.charmap in").expect(2, "", "invalid value 'auto:UTF-8,./a.charmap' for '--from-code <ENC>': './a.charmap': encodings of mapping files are not detected; name it alone after -f");
    out("printf 'a.txt encoding=./a.charmap\\n' >.gitattributes; printf 'root=true\\n[*]\\ncharset=./a.charmap\\n' >.editorconfig; \
        echo A >a.txt; $U check a.txt 2>&1 | grep -c 'line 2'")
    .expect(1, "0\n", "");
    out("$U list --export KOI8-R >koi8.charmap; printf '\\xF1' | $U -f ./koi8.charmap").expect(0, "Я", "");
    out("$U list --export ./a.charmap --format=ucm | grep -c 'x80.x41 |0'").expect(0, "1\n", "");
    run(&["list", "--export", "UTF-8"], "").expect(
        2,
        "",
        "list: UTF-8 has no mapping file: it has rules, and no table",
    );
    run(&["list", "--format=ucm"], "").expect(2, "", "--format: charmap and ucm require --export");
    run(&["list", "--format=json", "--export=KOI8-R"], "").expect(
        2,
        "",
        "--export: the format is charmap or ucm",
    );
}
