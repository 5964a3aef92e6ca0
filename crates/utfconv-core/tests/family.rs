//! Tests the relatives of UTF-8 and UTF-16, and carriers.

use utfconv_core::{
    Encoding, FaultKind, IllFormed, InputBom, OnIllFormed, Options, Policy, UTF_8, convert, convert_reporting,
};

use crate::texts::hex;

/// A row is the encoding, bytes, their text with R for each U+FFFD, offset and length in bytes of the first fault, and
/// its kind.
const ILL_FORMED: &[(&str, &str, &str, u64, usize, IllFormed)] = &[
    ("MUTF-8", "41 00 42", "ARB", 1, 1, IllFormed::NeverUsed),
    ("MUTF-8", "C0 81 42", "RRB", 0, 2, IllFormed::NonShortest),
    ("MUTF-8", "F0 9F 98 80 42", "RRRRB", 0, 4, IllFormed::NeverUsed),
    ("MUTF-8", "ED A0 BD 42", "RB", 0, 3, IllFormed::LoneHigh),
    ("WTF-8", "C0 AF", "RR", 0, 2, IllFormed::NonShortest),
    // A surrogate pair of three bytes each is a single fault with two subparts.
    ("WTF-8", "41 ED A0 BD ED B8 80 42", "ARRB", 1, 6, IllFormed::NonShortest),
    ("UTF-8-2279", "F8 80 80 80 80 41", "RRRRRA", 0, 5, IllFormed::NonShortest),
    ("UTF-8-2279", "FC 83 BF BF BF BF 41", "RRRRRRA", 0, 6, IllFormed::NonShortest),
    ("UTF-8-2279", "F8 88 80 41", "RA", 0, 3, IllFormed::Truncated),
    ("UTF-8-2279", "ED A0 80", "RRR", 0, 3, IllFormed::Surrogate),
    ("UTF-8-2279", "FE 41", "RA", 0, 1, IllFormed::NeverUsed),
    // The fault of a cut sequence excludes the bytes after it.
    ("UTF-1", "A1 20 41", "R A", 0, 1, IllFormed::Truncated),
    ("UTF-1", "F6 21 0A", "R!\n", 0, 1, IllFormed::Truncated),
    ("UTF-1", "A0 41", "RA", 0, 1, IllFormed::Truncated),
    ("UTF-1", "FC 21 21", "R!!", 0, 1, IllFormed::Truncated),
    ("UTF-1", "F7 2F C4 41", "RA", 0, 3, IllFormed::Surrogate),
    ("UTF-1", "FC 21 39 6E 6D 41", "RA", 0, 5, IllFormed::AboveRange),
    ("UTF-1", "FF FF FF FF FF", "R", 0, 5, IllFormed::AboveRange),
    ("UTF-7", "61 7E 62", "aRb", 1, 1, IllFormed::NeverUsed),
    ("UTF-7", "61 80 62", "aRb", 1, 1, IllFormed::NeverUsed),
    ("UTF-7", "61 E9 62", "aRb", 1, 1, IllFormed::NeverUsed),
    ("UTF-7", "61 2B", "aR", 1, 1, IllFormed::Truncated),
    ("UTF-7", "2B 21 62", "R!b", 0, 1, IllFormed::Truncated),
    // One digit or two digits do not make a code unit.
    ("UTF-7", "2B 41 2D 62", "Rb", 1, 1, IllFormed::Truncated),
    ("UTF-7", "2B 41 4F 21 62", "R!b", 1, 2, IllFormed::Truncated),
    // The bits after the code unit are not zero.
    ("UTF-7", "2B 41 4F 6C 2D 62", "Rb", 1, 3, IllFormed::StrayBits),
    ("UTF-7", "2B 41 4F 6C", "R", 1, 3, IllFormed::StrayBits),
    ("UTF-7-IMAP", "61 26", "aR", 1, 1, IllFormed::Truncated),
    ("UTF-7-IMAP", "26 21 62", "R!b", 0, 1, IllFormed::Truncated),
    ("UTF-7-IMAP", "61 7F", "aR", 1, 1, IllFormed::NeverUsed),
    ("UTF-7-IMAP", "61 01 62", "aRb", 1, 1, IllFormed::NeverUsed),
    ("UTF-7", "2B 32 44 30 2D 62", "Rb", 1, 3, IllFormed::LoneHigh),
    ("UTF-7", "2B 33 67 41 2D 62", "Rb", 1, 3, IllFormed::LoneLow),
    ("UCS-2LE", "3D D8 00 DE 41 00", "RRA", 0, 2, IllFormed::Surrogate),
    ("UCS-2BE", "00 41 00", "AR", 2, 1, IllFormed::OddLength),
    ("UCS-4", "80 00 00 00 00 00 00 41", "RA", 0, 4, IllFormed::AboveRange),
    ("UCS-4", "00 00 D8 00 00 00 00 41", "RA", 0, 4, IllFormed::Surrogate),
    ("UCS-4", "00 00 00", "R", 0, 3, IllFormed::PartialUnit),
];

#[test]
fn faults_of_the_family() {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let options = Options::default().policy(policy).input_bom(InputBom::Text);
    for (encoding, bytes, text, at, len, kind) in ILL_FORMED {
        let from = Encoding::for_name(encoding).expect("known");
        let mut faults = Vec::new();
        let report = |fault| faults.push(fault);
        let converted = convert_reporting(&hex(bytes), from, &UTF_8, &options, report).expect("goes on");
        let shown = String::from_utf8(converted.output).expect("UTF-8").replace('\u{FFFD}', "R");
        let fault = &faults[0];
        let FaultKind::IllFormed { kind: found, .. } = fault.kind else { panic!("{fault}") };
        assert_eq!(
            (&*shown, fault.offset, fault.bytes.len(), found),
            (*text, *at, *len, *kind),
            "{encoding} {bytes}"
        );
    }
}

#[test]
fn no_carrier_holds_bytes_of_a_stateful_encoding() {
    let policy = Policy::default().ill_formed(OnIllFormed::Carry(utfconv_core::Carrier::C8));
    let options = Options::default().policy(policy);
    let utf7 = Encoding::for_name("UTF-7").expect("known");
    assert_eq!(
        convert(b"a\xF1", utf7, &utfconv_core::UTF_16LE, &options).expect_err("stops").fault.offset,
        1
    );
}

/// The first and last characters of each form of UTF-1 have the codes of its registration (ISO-IR 178).
#[test]
fn utf_1_at_its_edges() {
    for (scalar, bytes) in [
        ('\u{9F}', "9F"),
        ('\u{A0}', "A0 A0"),
        ('\u{FF}', "A0 FF"),
        ('\u{100}', "A1 21"),
        ('\u{15D}', "A1 7E"),
        ('\u{15E}', "A1 A0"),
        ('\u{1BD}', "A1 FF"),
        ('\u{1BE}', "A2 21"),
        ('\u{4015}', "F5 FF"),
        ('\u{4016}', "F6 21 21"),
        ('\u{D7FF}', "F7 2F C3"),
        ('\u{E000}', "F7 3A 79"),
        ('\u{38E2D}', "FB FF FF"),
        ('\u{38E2E}', "FC 21 21 21 21"),
        ('\u{10FFFF}', "FC 21 39 6E 6C"),
    ] {
        let utf1 = Encoding::for_name("UTF-1").expect("known");
        let (text, bytes) = (scalar.to_string(), hex(bytes));
        let options = Options::default();
        assert_eq!(convert(&bytes, utf1, &UTF_8, &options).expect("well-formed").output, text.as_bytes());
        assert_eq!(
            convert(text.as_bytes(), &UTF_8, utf1, &options).expect("has all").output,
            bytes,
            "{scalar:?}"
        );
    }
}

/// Well-formed sources at the limits of each encoding have the expected text.
#[test]
fn the_family_at_its_edges() {
    for (name, source, text) in [
        ("UTF-7", &b"+AOk"[..], "é"),
        ("UTF-7", b"+AOk-+AOkA6Q-!+2D3eAA-", "ééé!😀"),
        ("UTF-7", b"+-\t\r\n+ACY.", "+\t\r\n&."),
        ("UTF-7-IMAP", b"a~ \\&-&AOk-\x7E", "a~ \\&é~"),
        ("UTF-7-IMAP", b"&U,BTFw-", "台北"),
        ("UTF-7-IMAP", b"\r\n+", "\r\n+"),
        ("MUTF-8", b"a\xC0\x80\xC3\xA9\xED\xA0\xBD\xED\xB8\x80", "a\0é😀"),
        ("CESU-8", b"\xED\x9F\xBF\xEE\x80\x80\xED\xA0\xBD\xED\xB8\x80a", "\u{D7FF}\u{E000}😀a"),
        ("UCS-4", b"\0\0\0a\0\x10\xFF\xFF", "a\u{10FFFF}"),
        ("WTF-8", "aé😀".as_bytes(), "aé😀"),
        ("windows-1258", b"a\xECb\xECa\xF2", "áb\u{301}ạ"),
    ] {
        let encoding = Encoding::for_name(name).unwrap_or_else(|| panic!("{name} is a name"));
        let converted = convert(source, encoding, &UTF_8, &Options::default()).expect("well-formed");
        assert_eq!(String::from_utf8_lossy(&converted.output), text, "{name} {source:02X?}");
    }
}

#[test]
fn columns_of_pairs_in_three_bytes_each() {
    let cesu8 = Encoding::for_name("CESU-8").expect("known");
    let source = b"a\xED\x9F\xBF\xED\xA0\xBD\xED\xB8\x80b\xFF";
    let fault = convert(source, cesu8, &UTF_8, &Options::default()).expect_err("stops").fault;
    assert_eq!((fault.offset, fault.column), (11, 5));
}
