//! Compares transliteration of the whole Basic Multilingual Plane to ASCII with glibc's `iconv -t ASCII//TRANSLIT`.
//! Differences must be listed in `differences-translit.md`.

use crate::check::assert_ran;
use crate::harness::{LISTED_GLIBC, dir_with, glibc, rows, run, sh};

/// A row of the list: ranges of scalar values, and the approximations of glibc and of utfconv.
struct Row {
    ranges: Vec<(u32, u32)>,
    glibc: String,
    ours: String,
}

impl Row {
    fn read([ranges, glibc, ours, _]: [&str; 4]) -> Row {
        let hex = |text: &str| u32::from_str_radix(text, 16).expect("hexadecimal");
        let range = |text: &str| {
            let (first, last) = text.split_once("..").unwrap_or((text, text));
            (hex(first), hex(last))
        };
        let [glibc, ours] = [glibc, ours].map(|cell| cell.trim_matches(['`', ' ']).to_string());
        Row { ranges: ranges.split(' ').map(range).collect(), glibc, ours }
    }

    fn covers(&self, scalar: char, glibc: &str, ours: &str) -> bool {
        let value = u32::from(scalar);
        let is = |cell: &str, made: &str| match cell {
            "text" => !made.is_empty() && made != "?",
            "nothing" => made.is_empty(),
            _ => made == cell,
        };
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&value))
            && is(&self.glibc, glibc)
            && is(&self.ours, ours)
    }
}

#[test]
fn glibc_except_the_listed_differences() {
    let rows: Vec<_> = rows(include_str!("differences-translit.md")).into_iter().map(Row::read).collect();
    assert!(rows.len() > 5, "the table is read");
    let scalars: Vec<_> = ('\u{80}'..='\u{FFFF}').collect();
    // U+001C is a separator, because neither program outputs it.
    let text: String = scalars.iter().flat_map(|scalar| [*scalar, '\x1C']).collect();
    let ours = run(&["-s", "-t", "ASCII", "--unmappable=translit"], &text).stdout;
    let ours = String::from_utf8(ours).expect("ASCII");
    assert!(ours.is_ascii());

    let dir = dir_with(&[("text", text.as_bytes())]);
    let Some(version) = glibc() else { return };
    let theirs = sh(dir.path(), "iconv -f UTF-8 -t ASCII//TRANSLIT text").stdout;
    let theirs = String::from_utf8(theirs).expect("ASCII");

    let made: Vec<(&str, &str)> = theirs.split('\x1C').zip(ours.split('\x1C')).collect();
    assert_eq!(made.len(), scalars.len() + 1);
    let mut met = vec![false; rows.len()];
    let mut unlisted = Vec::new();
    for (scalar, (theirs, ours)) in scalars.into_iter().zip(made).filter(|(_, (theirs, ours))| theirs != ours)
    {
        match rows.iter().position(|row| row.covers(scalar, theirs, ours)) {
            Some(row) => met[row] = true,
            None => unlisted.push(format!("{:04X} {scalar} {theirs:?} {ours:?}", u32::from(scalar))),
        }
    }
    if version != LISTED_GLIBC {
        // Another version of glibc may differ in other ways.
        unlisted.iter().for_each(|differs| println!("glibc {version}: {differs}"));
        return;
    }
    assert!(unlisted.is_empty(), "not listed:\n{}", unlisted.join("\n"));
    assert!(!met.contains(&false), "a row is out of date: {met:?}");
}

#[test]
fn near_equivalents_before_ascii() {
    for (target, text, expected) in [
        ("ISO-8859-1", "Ångström ấ „ș“", &b"\xC5ngstr\xF6m \xE2 ,,s\""[..]),
        ("UTF-8", "„ș“", "„ș“".as_bytes()),
        ("ASCII", "e\u{301} é 漢 —", b"e e ? --"),
    ] {
        let ran = run(&["-s", "-t", target, "--unmappable=translit"], text);
        assert_eq!((ran.stdout.as_slice(), ran.stderr.as_str()), (expected, ""), "{target} {text}");
    }
}

#[test]
fn the_list_shows_what_was_written() {
    let dir = dir_with(&[("a", "a “x”\nn\u{303}o — 漢 …\n".as_bytes())]);
    let output = "a \"x\"\nno -- ? ...\n";
    let summary = "utfconv: 6 warnings: 6 unmappable characters: 5 approximated, 1 replaced";
    let name = if cfg!(feature = "character-names") { " COMBINING TILDE" } else { "" };
    let list = format!(
        "a:1:3: warning: unmappable character at byte 2: E2 80 9C: U+201C \"“\" cannot be encoded in US-ASCII, written as \"\"\"\n\
        a:1:5: warning: unmappable character at byte 6: E2 80 9D: U+201D \"”\" cannot be encoded in US-ASCII, written as \"\"\"\n\
        a:2:2: warning: unmappable character at byte 11: CC 83: U+0303{name} cannot be encoded in US-ASCII, omitted\n\
        a:2:5: warning: unmappable character at byte 15: E2 80 94: U+2014 \"—\" cannot be encoded in US-ASCII, written as \"--\"\n\
        a:2:7: warning: unmappable character at byte 19: E6 BC A2: U+6F22 \"漢\" cannot be encoded in US-ASCII\n\
        a:2:9: warning: unmappable character at byte 23: E2 80 A6: U+2026 \"…\" cannot be encoded in US-ASCII, written as \"...\"\n"
    );
    for target in ["-t ascii//TRANSLIT", "-t ascii --unmappable=translit"] {
        let ran = sh(dir.path(), &format!("$U {target} a"));
        assert_ran(&ran, 0, output, &format!("{summary}; use --max-errors=0 to list them\n"));
        let ran = sh(dir.path(), &format!("$U {target} --max-errors=0 a"));
        assert_ran(&ran, 0, output, &format!("{list}{summary}\n"));
    }
}
