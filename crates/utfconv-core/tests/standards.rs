//! Tests vectors of the standards: RFC 3629 section 7, and The Unicode Standard 3.9, tables 3-8 to 3-11.

use utfconv_core::{
    Encoding, Fault, IllFormed, OnIllFormed, Options, Policy, UTF_8, UTF_16BE, UTF_16LE, convert,
    convert_reporting, encodings::CESU_8,
};

use crate::oracle;
use crate::texts::{CORE, hex, udhr};

/// Converts bytes between two encodings, with U+FFFD for ill-formed sequences.
fn replacing(bytes: &[u8], from: &'static Encoding, to: &'static Encoding, per_byte: bool) -> Vec<u8> {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None)).per_byte(per_byte);
    convert(bytes, from, to, &Options::default().policy(policy)).expect("replaces").output
}

/// The examples of RFC 3629 section 7, in UTF-8 and in UTF-16BE.
const RFC_3629_EXAMPLES: [(&str, &str); 4] = [
    ("41 E2 89 A2 CE 91 2E", "00 41 22 62 03 91 00 2E"),
    ("ED 95 9C EA B5 AD EC 96 B4", "D5 5C AD 6D C5 B4"),
    ("E6 97 A5 E6 9C AC E8 AA 9E", "65 E5 67 2C 8A 9E"),
    ("EF BB BF F0 A3 8E B4", "FE FF D8 4C DF B4"),
];

#[test]
fn rfc_3629_examples_both_ways() {
    for (utf8, utf16) in RFC_3629_EXAMPLES {
        let (utf8, utf16) = (hex(utf8), hex(utf16));
        for (source, from, to, target) in [
            (&utf8, &UTF_8, &UTF_16BE, &utf16),
            (&utf16, &UTF_16BE, &UTF_8, &utf8),
            (&utf8, &UTF_8, &UTF_8, &utf8),
        ] {
            let converted = convert(source, from, to, &Options::default()).expect("well-formed");
            assert_eq!(converted.output, *target, "{from:?} {to:?}");
        }
    }
}

/// A row is ill-formed bytes, and the offset, the length in bytes and the kind of each fault.
#[test]
fn ill_formed_sequences_have_their_true_kinds() {
    use IllFormed::*;
    for (bytes, faults) in [
        ("C0 80", &[(0, 2, NonShortest)][..]),
        ("C0 AF", &[(0, 2, NonShortest)]),
        ("ED A1 8C ED BE B4", &[(0, 3, Surrogate), (3, 3, Surrogate)]),
        ("2F C0 AE 2E 2F", &[(1, 2, NonShortest)]),
        ("F4 90 80 80", &[(0, 4, AboveRange)]),
        ("F8 88 80 80 80", &[(0, 5, NeverUsed)]),
        ("FC 84 80 80 80 80", &[(0, 6, NeverUsed)]),
        ("E1 A0 20", &[(0, 2, Truncated)]),
        ("E2 28", &[(0, 1, Truncated)]),
        ("E0 80 AF", &[(0, 3, NonShortest)]),
        ("F0 80 80 AF", &[(0, 4, NonShortest)]),
        ("F5 80 80 80", &[(0, 4, AboveRange)]),
        ("F5", &[(0, 1, NeverUsed)]),
        ("C1 41", &[(0, 1, NeverUsed)]),
        ("FE FF", &[(0, 1, NeverUsed), (1, 1, NeverUsed)]),
        ("41 80 BF", &[(1, 1, UnexpectedContinuation), (2, 1, UnexpectedContinuation)]),
        ("F0 9F 98", &[(0, 3, Truncated)]),
        ("ED A0", &[(0, 2, Surrogate)]),
        ("F8 88 80 41", &[(0, 3, NeverUsed)]),
    ] {
        let policy = Policy::default().ill_formed(OnIllFormed::Omit);
        let options = Options::default().policy(policy);
        let mut found = Vec::new();
        let report = |fault: Fault| found.push((fault.offset, fault.bytes.len(), kind(&fault)));
        let _ = convert_reporting(&hex(bytes), &UTF_8, &UTF_8, &options, report).expect("omits");
        assert_eq!(found, faults, "{bytes}");
        assert!(convert(&hex(bytes), &UTF_8, &UTF_8, &Options::default()).is_err(), "{bytes}");
    }
}

fn kind(fault: &utfconv_core::Fault) -> IllFormed {
    match fault.kind {
        utfconv_core::FaultKind::IllFormed { kind, .. } => kind,
        ref other => panic!("{other:?}"),
    }
}

/// The rows are the examples of tables 3-8 to 3-11, and a second example of truncated sequences; R stands for U+FFFD.
#[test]
fn as_many_replacements_as_the_standard_says() {
    for (bytes, result) in [
        ("C0 AF E0 80 BF F0 81 82 41", "RRRRRRRRA"),
        ("ED A0 80 ED BF BF ED AF 41", "RRRRRRRRA"),
        ("F4 91 92 93 FF 41 80 BF 42", "RRRRRARRB"),
        ("E1 80 E2 F0 91 92 F1 BF 41", "RRRRA"),
        ("61 F1 80 80 E1 80 C2 62 80 63 80 BF 64", "aRRRbRcRRd"),
    ] {
        let expected = result.replace('R', "\u{FFFD}");
        assert_eq!(replacing(&hex(bytes), &UTF_8, &UTF_8, false), expected.as_bytes(), "{bytes}");
        let utf16: Vec<u8> = expected.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(replacing(&hex(bytes), &UTF_8, &UTF_16LE, false), utf16, "{bytes}");
    }
    // With a replacement per byte, truncated sequences give more replacements than with one per subpart.
    let per_byte = "\u{FFFD}".repeat(8) + "A";
    let bytes = hex("E1 80 E2 F0 91 92 F1 BF 41");
    assert_eq!(replacing(&bytes, &UTF_8, &UTF_8, true), per_byte.as_bytes());
}

#[test]
fn utf_16_and_utf_32_replacements() {
    for (from, bytes, result) in [
        ("UTF-16BE", "00 61 D8 00 00 62", "aRb"),
        ("UTF-16BE", "00 61 DC 00 D8 00 D8 00 DC 00 00 62", "aRR\u{10000}b"),
        ("UTF-16LE", "61 00 62", "aR"),
        ("UTF-16LE", "61 00 00 D8 62", "aR"),
        ("UTF-16LE", "61 00 00 D8", "aR"),
        ("UTF-32BE", "00 00 00 61 00 11 00 00 00 00 D8 00 FF FF FF FF 00 00 00", "aRRRR"),
        ("UTF-32LE", "61 00 00 00 61", "aR"),
        ("CESU-8", "ED A0 81 ED B0 80 61", "\u{10400}a"),
        ("CESU-8", "ED A0 81 61 ED B0 80 61", "RaRa"),
        ("CESU-8", "F0 9F 98 80 61", "RRRRa"),
        ("US-ASCII", "61 E9 80 62", "aRRb"),
    ] {
        let expected = result.replace('R', "\u{FFFD}");
        let from = Encoding::for_name(from).expect("known");
        assert_eq!(replacing(&hex(bytes), from, &UTF_8, false), expected.as_bytes(), "{from:?} {bytes}");
    }
}

#[test]
fn real_text_through_every_pair() {
    let text = udhr();
    for from in CORE {
        let Ok(source) = convert(text.as_bytes(), &UTF_8, from, &Options::default()) else {
            assert!(matches!(from.name(), "ISO-8859-1" | "US-ASCII"), "{from:?} has it all");
            continue;
        };
        for to in CORE {
            match convert(&source.output, from, to, &Options::default()) {
                Ok(target) => {
                    let back = convert(&target.output, to, &UTF_8, &Options::default()).expect("comes back");
                    assert_eq!(back.output, text.as_bytes(), "{from:?} {to:?}");
                }
                Err(_) => assert!(matches!(to.name(), "ISO-8859-1" | "US-ASCII"), "{from:?} {to:?}"),
            }
        }
    }
}

#[test]
fn the_encodings_at_their_edges() {
    // The first and last scalar value of each length, the scalar values around the surrogates, and noncharacters.
    let edges = [
        0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFDD0, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000,
        0xFFFFF, 0x100000, 0x10FFFF,
    ];
    for encoding in [&UTF_8, &CESU_8, &UTF_16LE, &UTF_16BE] {
        for scalar in edges {
            let bytes = oracle::encode(encoding.name(), scalar).expect("has it");
            let options = Options::default().input_bom(utfconv_core::InputBom::Text);
            let utf8 = convert(&bytes, encoding, &UTF_8, &options).expect("well-formed").output;
            assert_eq!(
                utf8,
                char::from_u32(scalar).expect("scalar").to_string().as_bytes(),
                "{encoding:?} {scalar:X}"
            );
        }
    }
}
