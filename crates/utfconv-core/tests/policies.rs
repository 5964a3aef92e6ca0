//! Tests modes for errors, with random texts through every pair of encodings, and with errors of every kind in each
//! mode.

use utfconv_core::Carrier::{C8, Pua, SurrogateEscape};
use utfconv_core::{
    ByteEscape, Carrier, EbcdicNewline, Fault, FaultCounts, InputBom, OnIllFormed, OnUnmappable, Options,
    OutputBom, Policy, Position, ScalarEscape, Stop, Template, Transcoder, US_ASCII, UTF_8, UTF_16LE,
    convert, convert_reporting,
    encodings::{UTF_7, UTF_8_2279, WTF_8},
};

use crate::oracle;
use crate::random::generator;
use crate::shown::{named, shown};
use crate::texts::CORE;

#[test]
fn random_sources_through_every_pair_agree_with_the_oracle() {
    let policy = Policy::default()
        .ill_formed(OnIllFormed::Replace(None))
        .unmappable(OnUnmappable::Replace(None))
        .per_byte(false);
    let options = Options::default()
        .input_bom(InputBom::Text)
        .output_bom(utfconv_core::OutputBom::Never)
        .policy(policy);
    let mut random = generator();
    let fixed: Vec<_> = CORE.iter().copied().filter(|e| !matches!(e.name(), "UTF-16" | "UTF-32")).collect();
    for round in 0..400 {
        let mut source = Vec::new();
        for from in &fixed {
            source.clear();
            // Add well-formed text of one kind of character, with a few errors.
            let range: [u64; 5] = [0x80, 0x800, 0xD800, 0x10000, 0x110000];
            let limit = range[round % 5];
            for _ in 0..random(80) {
                let scalar = if random(3) == 0 { random(0x80) } else { random(limit) };
                source.extend(
                    oracle::encode(from.name(), scalar as u32)
                        .filter(|_| !(0xD800..=0xDFFF).contains(&scalar))
                        .unwrap_or_default(),
                );
            }
            for _ in 0..random(4) {
                if !source.is_empty() {
                    let at = random(source.len() as u64) as usize;
                    source[at] = random(256) as u8;
                }
            }
            for to in &fixed {
                let expected = oracle::convert_replacing(from.name(), to.name(), &source);
                let converted = convert(&source, from, to, &options).expect("goes on");
                assert_eq!(converted.output, expected, "{from:?} {to:?} {source:02X?}");
            }
        }
    }
    assert!(convert(b"\xFF", &UTF_8, &UTF_8, &Options::default()).is_err());
}

/// A row is the mode for ill-formed sequences, the source, its encoding, the target's encoding, and the output with
/// reports.
#[test]
fn every_mode_for_ill_formed_sequences() {
    let carry = OnIllFormed::Carry;
    let fallback = |name| OnIllFormed::Fallback(named(name));
    for (ill_formed, source, from, to, expected) in [
        (carry(Pua), "2B 37 34 41 2D", "UTF-7", "UTF-16LE", "80EF"),
        (
            carry(C8),
            "41 C3",
            "UTF-8",
            "UCS-2LE",
            "4100; ends: invalid UTF-8 (truncated) at byte 1: C3 starts a sequence of 2 bytes, 1 found",
        ),
        (
            carry(C8),
            "41 C3",
            "UTF-8",
            "UTF-16LE",
            "4100FFDBFDDF780043003300; invalid UTF-8 (truncated) at byte 1: C3 starts a sequence of 2 bytes, 1 found",
        ),
        (
            carry(C8),
            "41 C3",
            "UTF-8",
            "UTF-7",
            "41; ends: invalid UTF-8 (truncated) at byte 1: C3 starts a sequence of 2 bytes, 1 found",
        ),
        (
            carry(C8),
            "41 C3",
            "UTF-8",
            "ISO-8859-1",
            "41C3; invalid UTF-8 (truncated) at byte 1: C3 starts a sequence of 2 bytes, 1 found",
        ),
        (
            carry(Pua),
            "41 C3",
            "UTF-8",
            "UTF-16",
            "FFFE4100C3EF; invalid UTF-8 (truncated) at byte 1: C3 starts a sequence of 2 bytes, 1 found",
        ),
        (
            carry(SurrogateEscape),
            "C3",
            "UTF-8",
            "UTF-16",
            "FFFEC3DC; invalid UTF-8 (truncated) at byte 0: C3 starts a sequence of 2 bytes, 1 found",
        ),
        (
            carry(SurrogateEscape),
            "00 41",
            "MUTF-8",
            "UTF-16LE",
            "00DC4100; invalid MUTF-8 (never-used byte) at byte 0: 00 never appears in MUTF-8",
        ),
        (
            carry(Pua),
            "00 41",
            "MUTF-8",
            "UTF-16LE",
            "00EF4100; invalid MUTF-8 (never-used byte) at byte 0: 00 never appears in MUTF-8",
        ),
        (
            carry(C8),
            "00 41",
            "MUTF-8",
            "UTF-16LE",
            "FFDBFDDF7800300030004100; invalid MUTF-8 (never-used byte) at byte 0: 00 never appears in MUTF-8",
        ),
        (
            carry(SurrogateEscape),
            "C1 41",
            "EBCDIC-US",
            "UTF-16LE",
            "410041DC; invalid EBCDIC-US (unassigned) at byte 1: 41: EBCDIC-US has no character there",
        ),
        (
            carry(Pua),
            "C1 41",
            "EBCDIC-US",
            "UTF-16LE",
            "410041EF; invalid EBCDIC-US (unassigned) at byte 1: 41: EBCDIC-US has no character there",
        ),
        (
            carry(C8),
            "C1 41",
            "EBCDIC-US",
            "UTF-16LE",
            "4100FFDBFDDF780034003100; invalid EBCDIC-US (unassigned) at byte 1: 41: EBCDIC-US has no character there",
        ),
        (
            carry(SurrogateEscape),
            "41 00 00 DC",
            "UTF-16LE",
            "UTF-16LE",
            "4100; ends: invalid UTF-16LE (lone low surrogate) at byte 2: 00 DC: low surrogate U+DC00 without a high surrogate before it",
        ),
        (
            OnIllFormed::Raw,
            "41 FF 42",
            "UTF-8",
            "UTF-16LE",
            "4100; ends: invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8",
        ),
        (
            OnIllFormed::Raw,
            "41 FF 42",
            "UTF-8",
            "ISO-8859-1",
            "41FF42; invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8",
        ),
        (
            OnIllFormed::Raw,
            "C3 A9 FF 42",
            "UTF-8",
            "UTF-7",
            "2B414F6B2DFF42; invalid UTF-8 (never-used byte) at byte 2: FF never appears in UTF-8",
        ),
        (
            OnIllFormed::Omit,
            "41 FF 42",
            "UTF-8",
            "UTF-16LE",
            "41004200; invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8",
        ),
        (OnIllFormed::Replace(None), "00 D8 41 00 00 DC", "UTF-16LE", "WTF-8", "EDA08041EDB080"),
        (
            OnIllFormed::Replace(None),
            "FF 41 FF",
            "UTF-8",
            "US-ASCII",
            "3F413F; invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8; invalid UTF-8 (never-used byte) at byte 2: FF never appears in UTF-8",
        ),
        (
            OnIllFormed::Replace(None),
            "FF FF",
            "UTF-8",
            "UTF-16",
            "FFFEFDFFFDFF; invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8; invalid UTF-8 (never-used byte) at byte 1: FF never appears in UTF-8",
        ),
        (
            OnIllFormed::Replace(None),
            "FF 41 FF FF",
            "UTF-8",
            "UTF-7",
            "2B2F2F302D412B2F2F332F2F512D; invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8; invalid UTF-8 (never-used byte) at byte 2: FF never appears in UTF-8; invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8",
        ),
        (
            OnIllFormed::Replace(Some("é".into())),
            "FF 41 FF",
            "UTF-8",
            "US-ASCII",
            "3F413F; invalid UTF-8 (never-used byte) at byte 0: FF never appears in UTF-8; invalid UTF-8 (never-used byte) at byte 2: FF never appears in UTF-8",
        ),
        (
            fallback("ISO-8859-1"),
            "41 00 00 DC",
            "UTF-16LE",
            "UTF-8",
            "41; ends: invalid UTF-16LE (lone low surrogate) at byte 2: 00 DC: low surrogate U+DC00 without a high surrogate before it",
        ),
        (
            fallback("ISO-8859-1"),
            "2B 41",
            "UTF-7",
            "UTF-8",
            "; ends: invalid UTF-7 (truncated) at byte 1: 41: the character is not complete",
        ),
        (
            fallback("ISO-8859-1"),
            "41 E2 82 42 FF",
            "UTF-8",
            "UTF-8",
            "41C3A2C28242C3BF; invalid UTF-8 (truncated) at byte 1: E2 82: E2 starts a sequence of 3 bytes, 2 found; invalid UTF-8 (never-used byte) at byte 4: FF never appears in UTF-8",
        ),
        (
            fallback("ISO-8859-1"),
            "41 E2 82 42",
            "UTF-8",
            "US-ASCII",
            "41; ends: unmappable character at byte 1: E2: U+00E2 \"â\" cannot be encoded in US-ASCII",
        ),
        (
            fallback("windows-1252"),
            "41 E2 82 42",
            "UTF-8",
            "ISO-8859-1",
            "41E2; invalid UTF-8 (truncated) at byte 1: E2 starts a sequence of 3 bytes, 1 found; ends: unmappable character at byte 2: 82: U+201A \"‚\" cannot be encoded in ISO-8859-1",
        ),
        (
            fallback("windows-1252"),
            "41 E2 81 42",
            "UTF-8",
            "UTF-8",
            "41C3A2; invalid UTF-8 (truncated) at byte 1: E2 starts a sequence of 3 bytes, 1 found; ends: invalid UTF-8 (unexpected continuation) at byte 2: 81: continuation byte without a lead byte",
        ),
        (
            fallback("windows-1252"),
            "41 81 42",
            "UTF-8",
            "UTF-8",
            "41; ends: invalid UTF-8 (unexpected continuation) at byte 1: 81: continuation byte without a lead byte",
        ),
        (
            fallback("Shift_JIS"),
            "E3 42 0A E9 42 FF",
            "UTF-8",
            "UTF-8",
            "E7B4950AE9A1B3; invalid UTF-8 (truncated) at byte 0: E3 starts a sequence of 3 bytes, 1 found; invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found; ends: invalid UTF-8 (never-used byte) at byte 5: FF never appears in UTF-8",
        ),
        (
            fallback("Big5-HKSCS"),
            "41 88 62 42 80",
            "UTF-8",
            "UTF-8",
            "41C38ACC8442; invalid UTF-8 (unexpected continuation) at byte 1: 88: continuation byte without a lead byte; ends: invalid UTF-8 (unexpected continuation) at byte 4: 80: continuation byte without a lead byte",
        ),
        (
            fallback("Big5-HKSCS"),
            "41 88 62 42",
            "UTF-8",
            "ISO-8859-1",
            "41; ends: unmappable character at byte 1: 88 62: U+0304 cannot be encoded in ISO-8859-1",
        ),
        (
            fallback("GB18030"),
            "81 30 81 30 42",
            "UTF-8",
            "UTF-8",
            "C28042; invalid UTF-8 (unexpected continuation) at byte 0: 81: continuation byte without a lead byte",
        ),
    ] {
        let options = Options::default().policy(Policy::default().ill_formed(ill_formed));
        assert_eq!(shown(source, from, to, &options), expected, "{options:?} {source} {from} {to}");
    }
}

/// A row is the mode for unmappable characters, the source, its encoding, the target's encoding, and the output with
/// reports.
#[test]
fn every_mode_for_unmappable_characters() {
    use OnUnmappable::{Omit, Replace, Stop, Translit};
    let carry = OnUnmappable::Carry;
    for (unmappable, source, from, to, expected) in [
        (carry(Pua), "80 EF", "UTF-16LE", "UTF-7", "2B3734412D"),
        (carry(Pua), "80 EF", "UTF-16LE", "UTF-16LE", "80EF"),
        (carry(Pua), "80 EF", "UTF-16LE", "UTF-8", "80"),
        (carry(C8), "FF DB FD DF 78 00 45 00 39 00 41 00", "UTF-16LE", "UTF-8", "E941"),
        (carry(C8), "FF DB FD DF 78 00 45 00 2F 00", "UTF-16LE", "UTF-8", "F48FBFBD78452F"),
        (carry(C8), "FF DB FD DF 78 00 3A 00 39 00", "UTF-16LE", "UTF-8", "F48FBFBD783A39"),
        (carry(C8), "FF DB FD DF 78 00 40 00 39 00", "UTF-16LE", "UTF-8", "F48FBFBD784039"),
        (carry(C8), "FF DB FD DF 78 00 46 00 47 00", "UTF-16LE", "UTF-8", "F48FBFBD784647"),
        (carry(C8), "FF DB FD DF 79 00 46 00 46 00", "UTF-16LE", "UTF-8", "F48FBFBD794646"),
        (carry(C8), "FD FF 10 00 78 00 00 00 45 00 00 00 39 00 00 00", "UTF-32LE", "UTF-8", "E9"),
        (carry(C8), "FF DB FD DF", "UTF-16LE", "UTF-8", "F48FBFBD"),
        (
            carry(C8),
            "FF DB FD DF 78 00 41",
            "UTF-16LE",
            "UTF-8",
            "F48FBFBD78; ends: invalid UTF-16LE (odd length) at byte 6: 41: a single byte at the end; UTF-16LE needs pairs of bytes",
        ),
        (carry(SurrogateEscape), "41 00 E9 DC 42 00", "UTF-16LE", "UTF-8", "41E942"),
        (
            carry(SurrogateEscape),
            "41 00 00 D8 42 00",
            "UTF-16LE",
            "UTF-8",
            "41; ends: invalid UTF-16LE (lone high surrogate) at byte 2: 00 D8: high surrogate U+D800 without a low surrogate after it",
        ),
        (
            carry(SurrogateEscape),
            "41 00 7F DC 42 00",
            "UTF-16LE",
            "UTF-8",
            "41; ends: invalid UTF-16LE (lone low surrogate) at byte 2: 7F DC: low surrogate U+DC7F without a high surrogate before it",
        ),
        (
            carry(SurrogateEscape),
            "41 00 00 DD 42 00",
            "UTF-16LE",
            "UTF-8",
            "41; ends: invalid UTF-16LE (lone low surrogate) at byte 2: 00 DD: low surrogate U+DD00 without a high surrogate before it",
        ),
        (
            carry(SurrogateEscape),
            "41 00 E9 DC 42 00",
            "UTF-16LE",
            "UTF-7",
            "41; ends: invalid UTF-16LE (lone low surrogate) at byte 2: E9 DC: low surrogate U+DCE9 without a high surrogate before it",
        ),
        (
            Stop,
            "41 88 62 42",
            "Big5-HKSCS",
            "ISO-8859-1",
            "41; ends: unmappable character at byte 1: 88 62: U+0304 cannot be encoded in ISO-8859-1",
        ),
        (
            Stop,
            "88 62",
            "Big5-HKSCS",
            "US-ASCII",
            "; ends: unmappable character at byte 0: 88 62: U+00CA \"Ê\" cannot be encoded in US-ASCII",
        ),
        (
            Omit,
            "88 62",
            "Big5-HKSCS",
            "US-ASCII",
            "; unmappable character at byte 0: 88 62: U+00CA \"Ê\" cannot be encoded in US-ASCII; unmappable character at byte 0: 88 62: U+0304 cannot be encoded in US-ASCII",
        ),
        (
            Replace(None),
            "41 88 62 42",
            "Big5-HKSCS",
            "ISO-8859-1",
            "41CA3F42; unmappable character at byte 1: 88 62: U+0304 cannot be encoded in ISO-8859-1",
        ),
        (
            Replace(Some("<é>".into())),
            "88 62",
            "Big5-HKSCS",
            "US-ASCII",
            "3C3F3E3C3F3E; unmappable character at byte 0: 88 62: U+00CA \"Ê\" cannot be encoded in US-ASCII; unmappable character at byte 0: 88 62: U+0304 cannot be encoded in US-ASCII",
        ),
        (
            Translit(Stop.into()),
            "88 62",
            "Big5-HKSCS",
            "US-ASCII",
            "45; unmappable character at byte 0: 88 62: U+00CA \"Ê\" cannot be encoded in US-ASCII, written as \"E\"; unmappable character at byte 0: 88 62: U+0304 cannot be encoded in US-ASCII, omitted",
        ),
        (
            Translit(Stop.into()),
            "E2 80 9C E2 82 AC E6 97 A5 41",
            "UTF-8",
            "US-ASCII",
            "22455552; unmappable character at byte 0: E2 80 9C: U+201C \"“\" cannot be encoded in US-ASCII, written as \"\"\"; unmappable character at byte 3: E2 82 AC: U+20AC \"€\" cannot be encoded in US-ASCII, written as \"EUR\"; ends: unmappable character at byte 6: E6 97 A5: U+65E5 \"日\" cannot be encoded in US-ASCII",
        ),
        (
            Translit(Omit.into()),
            "E6 97 A5 41",
            "UTF-8",
            "US-ASCII",
            "41; unmappable character at byte 0: E6 97 A5: U+65E5 \"日\" cannot be encoded in US-ASCII",
        ),
        (
            carry(Pua),
            "88 62",
            "Big5-HKSCS",
            "US-ASCII",
            "; ends: unmappable character at byte 0: 88 62: U+00CA \"Ê\" cannot be encoded in US-ASCII",
        ),
        (Stop, "ED A0 80", "WTF-8", "UTF-16", "FFFE00D8"),
        (
            Omit,
            "ED A0 80",
            "WTF-8",
            "UTF-32",
            "; unmappable character at byte 0: ED A0 80: U+D800 cannot be encoded in UTF-32",
        ),
    ] {
        let options = Options::default().policy(Policy::default().unmappable(unmappable));
        assert_eq!(shown(source, from, to, &options), expected, "{options:?} {source} {from} {to}");
    }
}

#[test]
fn every_spelling_of_a_byte() {
    let template = "[%u]".parse::<Template>().expect("a template");
    for (style, expected) in [
        (ByteEscape::Hex, "a\\x00\\xFFb"),
        (ByteEscape::Percent, "a%00%FFb"),
        (ByteEscape::Angle, "a<00><FF>b"),
        (ByteEscape::Octal, "a\\000\\377b"),
        (ByteEscape::Template(template), "a[0][255]b"),
    ] {
        let options = Options::default().policy(Policy::default().ill_formed(OnIllFormed::Escape(style)));
        let converted = convert(b"a\0\xFFb", named("MUTF-8"), &UTF_8, &options).expect("escapes");
        assert_eq!(String::from_utf8_lossy(&converted.output), expected);
    }
}

#[test]
fn every_spelling_of_a_character() {
    let template = "[%u]".parse::<Template>().expect("a template");
    for (style, expected) in [
        (ScalarEscape::Rust, ["\\u{E9}", "\\u{FFFF}", "\\u{10000}", "\\u{D800}", "\\u{7FFFFFFF}"]),
        (ScalarEscape::Json, ["\\u00E9", "\\uFFFF", "\\uD800\\uDC00", "\\uD800", "\\u{7FFFFFFF}"]),
        (ScalarEscape::C, ["\\u00E9", "\\uFFFF", "\\U00010000", "\\uD800", "\\U7FFFFFFF"]),
        (ScalarEscape::Xml, ["&#xE9;", "&#xFFFF;", "&#x10000;", "&#xD800;", "&#x7FFFFFFF;"]),
        (ScalarEscape::Html, ["&#233;", "&#65535;", "&#65536;", "&#55296;", "&#2147483647;"]),
        (ScalarEscape::UPlus, ["U+00E9", "U+FFFF", "U+10000", "U+D800", "U+7FFFFFFF"]),
        (ScalarEscape::Percent, ["%C3%A9", "%EF%BF%BF", "%F0%90%80%80", "\\u{D800}", "\\u{7FFFFFFF}"]),
        (ScalarEscape::Template(template), ["[233]", "[65535]", "[65536]", "[55296]", "[2147483647]"]),
    ] {
        let unmappable = OnUnmappable::Escape(style);
        let options = Options::default().policy(Policy::default().unmappable(unmappable));
        for (source, from, expected) in [
            ("é".as_bytes(), &UTF_8, expected[0]),
            ("\u{FFFF}".as_bytes(), &UTF_8, expected[1]),
            ("\u{10000}".as_bytes(), &UTF_8, expected[2]),
            (b"\xED\xA0\x80", &WTF_8, expected[3]),
            (b"\xFD\xBF\xBF\xBF\xBF\xBF", &UTF_8_2279, expected[4]),
        ] {
            let converted = convert(source, from, &US_ASCII, &options).expect("escapes");
            assert_eq!(String::from_utf8_lossy(&converted.output), expected, "{options:?}");
        }
    }
}

/// Errors are handled in the same way, whether they are counted or returned.
#[test]
fn counted_errors() {
    let text = b"a\xFF\xE2\x82b\xC3\xA9\xF0\x9F\x98\x80c\xFF".repeat(20);
    for ill_formed in [
        OnIllFormed::Omit,
        OnIllFormed::Replace(None),
        OnIllFormed::Replace(Some("é".into())),
        OnIllFormed::Escape(ByteEscape::Hex),
        OnIllFormed::Carry(Carrier::C8),
        OnIllFormed::Raw,
    ] {
        for to in ["UTF-8", "UTF-16", "UTF-7", "ISO-8859-1", "US-ASCII", "WTF-8"] {
            let (ill_formed, per_byte) = (ill_formed.clone(), to == "UTF-7");
            let policy = Policy::default()
                .ill_formed(ill_formed)
                .unmappable(OnUnmappable::Replace(None))
                .per_byte(per_byte);
            let options = Options::default().policy(policy);
            let mut faults = FaultCounts::default();
            let report = |fault: Fault| faults.add(&fault.kind);
            let (expected, stopped) = match convert_reporting(&text, &UTF_8, named(to), &options, report) {
                Ok(converted) => (converted, false),
                Err(stopped) => (stopped.before, true),
            };
            let mut transcoder = Transcoder::new(&UTF_8, named(to), options.clone());
            transcoder.count_faults();
            let mut sink = vec![0; 10_000];
            let step = transcoder.step(&text, &mut sink, true);
            assert_eq!(step.stop == Stop::SourceEmpty, !stopped, "{options:?} {to}: {:?}", step.stop);
            assert_eq!(sink[..step.written], expected.output, "{options:?} {to}");
            assert_eq!(transcoder.take_fault_counts(), faults, "{to}");
            assert_eq!(transcoder.take_fault_counts(), FaultCounts::default());
            if !stopped {
                let column = String::from_utf8_lossy(&text).chars().count() as u64 + 1;
                assert_eq!(transcoder.position().column(), column, "{options:?} {to}");
            }
        }
    }
    // Lone surrogates are not errors in WTF-8.
    let policy = Policy::default().ill_formed(OnIllFormed::Omit);
    let mut transcoder = Transcoder::new(&UTF_16LE, &WTF_8, Options::default().policy(policy));
    transcoder.count_faults();
    let (source, mut sink) = (b"\0\xD8".repeat(50), [0; 200]);
    let step = transcoder.step(&source, &mut sink, true);
    assert_eq!((step.written, transcoder.take_fault_counts().ill_formed()), (150, 0));
}

/// Returns text of words in several scripts, with runs of one or many characters, and a few ill-formed bytes.
fn text_of_many_scripts(random: &mut impl FnMut(u64) -> u64, len: usize) -> Vec<u8> {
    const FIRST_AND_COUNT: [(u64, u64); 8] = [
        (0x20, 0x5F),
        (0x61, 26),
        (0xC0, 0x40),
        (0x410, 0x40),
        (0x2010, 0x20),
        (0x4E00, 0x300),
        (0x1F600, 0x40),
        (0x300, 2),
    ];
    let mut source = Vec::new();
    while source.len() < len {
        let (first, count) = FIRST_AND_COUNT[random(8) as usize];
        let most = [1, 4, 20, 300][random(4) as usize];
        for _ in 0..=random(most) {
            let scalar = char::from_u32((first + random(count)) as u32).expect("a scalar value");
            source.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
        }
        if random(40) == 0 {
            source.push(0xFF);
        }
        source.push(if random(9) == 0 { b'\n' } else { b' ' });
    }
    source
}

/// Runs of counted unmappable characters give the same result as characters that are reported one by one.
#[test]
fn counted_characters_are_those_reported_one_by_one() {
    let template: Template = "<%08x>".parse().expect("a template");
    let long: Template = "<code point %08x>".parse().expect("a template");
    let modes = [
        OnUnmappable::Omit,
        OnUnmappable::Replace(None),
        OnUnmappable::Replace(Some("é".into())),
        OnUnmappable::Escape(ScalarEscape::Json),
        OnUnmappable::Escape(ScalarEscape::Percent),
        OnUnmappable::Escape(ScalarEscape::Template(template)),
        OnUnmappable::Escape(ScalarEscape::Template(long)),
        OnUnmappable::Translit(Box::new(OnUnmappable::Escape(ScalarEscape::Xml))),
    ];
    let mut random = generator();
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let replacing = Options::default().policy(policy);
    for name in
        ["US-ASCII", "ISO-8859-1", "KOI8-R", "Shift_JIS", "GBK", "GB18030", "Big5-HKSCS", "IBM037", "UTF-7"]
    {
        let to = named(name);
        for (at, mode) in modes.iter().chain(&modes).enumerate() {
            let policy =
                Policy::default().ill_formed(OnIllFormed::Omit).unmappable(mode.clone()).per_byte(false);
            let options = Options::default().output_bom(OutputBom::Always).policy(policy);
            let mut source = text_of_many_scripts(&mut random, 6000);
            let mut from = &UTF_8;
            if at >= modes.len() {
                from = named(["UTF-16BE", "KOI8-R", "CP932"][at % 3]);
                source = convert(&source, &UTF_8, from, &options).expect("continues").output;
            }

            let mut faults = FaultCounts::default();
            let report = |fault: Fault| faults.add(&fault.kind);
            let expected = convert_reporting(&source, from, to, &options, report).expect("continues");
            let mut counted = Transcoder::new(from, to, options);
            counted.count_faults();
            let mut room = [0; 5000];
            let (mut output, mut read, mut end) = (Vec::new(), 0, 0);
            loop {
                let len = [0, 1, 40, room.len()][random(4) as usize];
                let step = counted.step(&source[read..end], &mut room[..len], end == source.len());
                read += step.read;
                output.extend_from_slice(&room[..step.written]);
                match step.stop {
                    Stop::SourceEmpty if end == source.len() => break,
                    Stop::SourceEmpty => end = source.len().min(end + 1 + random(3000) as usize),
                    _ => {}
                }
            }
            assert!(output == expected.output, "{name} {mode:?}");
            assert_eq!(counted.take_fault_counts(), faults, "{name} {mode:?}");
            let text = convert(&source, from, &UTF_8, &replacing).expect("continues").output;
            let text = String::from_utf8_lossy(&text);
            let column = 1 + text.rsplit('\n').next().map_or(0, |line| line.chars().count() as u64);
            assert_eq!(counted.position().column(), column, "{name} {mode:?}");
        }
    }
}

#[test]
fn a_source_that_breaks_off() {
    for (source, from, to, expected) in [
        (&b"a\xE2\x82"[..], &UTF_8, &UTF_8, &b"a"[..]),
        (b"a\0b", &UTF_16LE, &UTF_8, b"a"),
        ("é\u{20AC}".as_bytes().split_last().expect("bytes").1, &UTF_8, &UTF_7, b"+AOk-"),
        (b"\xEF\xBB", &UTF_8, &UTF_8, b""),
    ] {
        let mut transcoder = Transcoder::new(from, to, Options::default().output_bom(OutputBom::Never));
        let mut sink = [0; 20];
        let first = transcoder.step(source, &mut sink, false);
        assert_eq!((first.read, first.stop), (source.len(), Stop::SourceEmpty));
        transcoder.break_off();
        let second = transcoder.step(&[], &mut sink[first.written..], true);
        assert_eq!(second.stop, Stop::SourceEmpty, "{source:02X?}");
        assert_eq!(&sink[..first.written + second.written], expected);
    }
}

#[test]
fn a_transcoder_names_its_encodings_and_position() {
    let mut transcoder = Transcoder::new(&UTF_16LE, &UTF_8, Options::default());
    let _ = transcoder.step(b"a\0\n\0b\0", &mut [0; 9], false);
    let position = Position::new(6, 2, 2);
    let expected = format!("Transcoder {{ from: UTF-16LE, to: UTF-8, position: {position:?}, .. }}");
    assert_eq!(format!("{transcoder:?}"), expected);
}

/// Columns count in the source's encoding, so an ill-formed sequence takes one column, however it is decoded.
#[test]
fn columns_after_a_fallback() {
    let faults = |source: &[u8], fallback| {
        let policy = Policy::default().ill_formed(OnIllFormed::Fallback(named(fallback)));
        let mut faults = Vec::new();
        let report = |fault: Fault| faults.push((fault.offset, fault.line, fault.column));
        let options = Options::default().policy(policy);
        let _ = convert_reporting(source, &UTF_8, &UTF_8, &options, report).expect("falls back");
        faults
    };
    let source = ["a\né".as_bytes(), b"\xE2\x82x\xF0\x9F\x98\xFF\xFFy\xE9"].concat();
    assert_eq!(faults(&source, "windows-1252"), [(4, 2, 2), (7, 2, 4), (10, 2, 5), (11, 2, 6), (13, 2, 8)]);
    // The second byte of the Shift_JIS character is an ASCII letter.
    assert_eq!(faults(b"\xE3Bx\xE3B\xE3B", "Shift_JIS"), [(0, 1, 1), (3, 1, 4), (5, 1, 6)]);
}

/// Carried bytes below 80 are written as ASCII if they are characters.
#[test]
fn characters_that_look_like_carriers() {
    let gb18030 = named("GB18030");
    let bytes = convert("\u{EF80}".as_bytes(), &UTF_8, gb18030, &Options::default()).expect("has all").output;
    let [a, b'0'..=b'9', c, b'0'..=b'9'] = bytes[..] else { panic!("{bytes:02X?}") };
    let policy = Policy::default().ill_formed(OnIllFormed::Carry(Pua));
    let converted = convert(&bytes, gb18030, &UTF_16LE, &Options::default().policy(policy)).expect("carries");
    assert_eq!(converted.output, [a, 0xEF, bytes[1], 0, c, 0xEF, bytes[3], 0]);
}

#[test]
fn options_one_by_one() {
    let options = Options::default()
        .input_bom(InputBom::Keep)
        .output_bom(OutputBom::Never)
        .policy(Policy::default().per_byte(true))
        .continues(true)
        .ebcdic_newline(EbcdicNewline::Lf);
    assert_eq!((options.input_bom, options.output_bom), (InputBom::Keep, OutputBom::Never));
    assert_eq!(options.ebcdic_newline, EbcdicNewline::Lf);
    assert!(options.policy.per_byte && options.continues);
    for (newline, byte) in [(EbcdicNewline::Nel, 0x25), (EbcdicNewline::Lf, 0x15)] {
        let options = Options::default().ebcdic_newline(newline);
        assert_eq!(convert(b"\n", &UTF_8, named("IBM037"), &options).expect("has it").output, [byte]);
    }
}
