//! Tests SCSU and BOCU-1 against ICU's uconv: each program decodes the other's output for the same texts.

use std::fmt::Write as _;

use utfconv_core::{Encoding, Options, UTF_8, convert};

use crate::harness::{dir_with, has, sh};

/// Creates texts of many scripts, up to a few blocks long, from runs of neighboring characters with a fixed random
/// seed.
fn texts() -> Vec<String> {
    const RANGES: [(u32, u32); 14] = [
        (0x00, 0x7F),
        (0x20, 0x7E),
        (0xA0, 0x17F),
        (0x370, 0x4FF),
        (0x600, 0x6FF),
        (0x900, 0x97F),
        (0x2000, 0x21FF),
        (0x3040, 0x30FF),
        (0x4E00, 0x9FFF),
        (0xAC00, 0xD7A3),
        (0xE000, 0xF8FF),
        (0xFF00, 0xFFEF),
        (0x1_0000, 0x10_FFFF),
        (0x1_F600, 0x1_F64F),
    ];
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = move |limit: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % limit
    };
    let text = |len: usize| {
        let mut text = String::new();
        while text.chars().count() < len {
            let (first, last) = RANGES[below(RANGES.len() as u32) as usize];
            let near = first + below(last - first + 1);
            for _ in 0..1 + below(12) {
                let scalar = (near + below(40)).saturating_sub(20).clamp(first, last);
                text.extend(char::from_u32(scalar).filter(|scalar| *scalar != '\u{FEFF}'));
            }
        }
        text
    };
    [1, 2, 3, 5, 8, 20, 50, 200, 1000].into_iter().cycle().take(90).map(text).collect()
}

#[test]
fn as_icu_reads_and_writes() {
    if !has("uconv") {
        return;
    }
    let texts = texts();
    for name in ["SCSU", "BOCU-1"] {
        let encoding = Encoding::for_name(name).expect("known");
        let coded = |text: &str| {
            convert(text.as_bytes(), &UTF_8, encoding, &Options::default()).expect("has all").output
        };
        let ours: Vec<Vec<u8>> = texts.iter().map(|text| coded(text)).collect();
        let names: Vec<_> = (0..texts.len()).map(|at| (format!("t{at}"), format!("c{at}"))).collect();
        let mut files: Vec<(&str, &[u8])> = Vec::new();
        for ((text_name, coded_name), (text, bytes)) in names.iter().zip(texts.iter().zip(&ours)) {
            files.push((text_name, text.as_bytes()));
            files.push((coded_name, bytes));
        }
        let dir = dir_with(&files);
        let mut script = String::new();
        for at in 0..texts.len() {
            let _ = writeln!(
                script,
                "uconv -f {name} -t UTF-8 <c{at} >read{at}; uconv -f UTF-8 -t {name} <t{at} >written{at}"
            );
        }
        sh(dir.path(), &script);
        let (mut our_size, mut their_size) = (0, 0);
        for (at, text) in texts.iter().enumerate() {
            let file = |stem: &str| std::fs::read(dir.path().join(format!("{stem}{at}"))).expect("is there");
            assert!(file("read") == text.as_bytes(), "{name}: ICU reads {text:?} otherwise");
            let written = file("written");
            let back = convert(&written, encoding, &UTF_8, &Options::default()).expect("well-formed").output;
            assert!(back == text.as_bytes(), "{name}: ICU writes {text:?} as {written:02X?}");
            (our_size, their_size) = (our_size + ours[at].len(), their_size + written.len());
        }
        assert!(our_size <= their_size + their_size / 10, "{name}: {our_size} bytes, ICU's are {their_size}");
    }
}
