//! The checker finds the same faults as a conversion, wherever a source is cut.

use utfconv_core::{
    CheckItem, Checker, Encoding, Fault, FaultKind, InputBom, Notice, OnIllFormed, OnUnmappable, Options,
    Policy, RunText, convert, convert_reporting,
};

use crate::random::generator;
use crate::texts::{hex, udhr};

/// The results of a check or a conversion.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    faults: Vec<Fault>,
    notices: Vec<Notice>,
    /// The text as UTF-8; empty if it was not kept.
    text: Vec<u8>,
}

/// Returns the results of a conversion to UTF-8 that omits all faults.
fn converted(source: &[u8], encoding: &'static Encoding) -> Outcome {
    let policy = Policy::default().ill_formed(OnIllFormed::Omit).unmappable(OnUnmappable::Omit);
    let options = Options::default().policy(policy).input_bom(InputBom::Strip);
    // A stateful encoding has no BOM to strip.
    let options = if encoding.is_stateful() { options.input_bom(InputBom::Text) } else { options };
    let mut faults = Vec::new();
    let report = |fault| faults.push(fault);
    let converted =
        convert_reporting(source, encoding, &utfconv_core::UTF_8, &options, report).expect("goes on");
    faults.retain(|fault| !matches!(fault.kind, FaultKind::Unmappable { .. }));
    Outcome { faults, notices: converted.notices, text: converted.output }
}

/// Checks `source`, with `cut()` more bytes in each call. Bytes that the checker does not consume are passed again.
fn checked(
    source: &[u8],
    encoding: &'static Encoding,
    keeps_text: bool,
    mut cut: impl FnMut() -> usize,
) -> Outcome {
    let bom = if encoding.is_stateful() { InputBom::Text } else { InputBom::Strip };
    let mut checker = Checker::new(encoding).input_bom(bom);
    if keeps_text {
        checker = checker.keeping_text();
    }
    let mut outcome = Outcome::default();
    let (mut at, mut seen) = (0, 0);
    loop {
        assert_eq!(checker.position().offset(), at as u64);
        let last = seen == source.len();
        match checker.next(&source[at..seen], last) {
            CheckItem::Bom(len) => at += len,
            CheckItem::Text(len) => {
                assert!(len > 0 && at + len <= seen);
                let run = &source[at..at + len];
                match checker.text() {
                    Some(text) => {
                        let starts = text.starts.iter().map(|start| *start as usize).collect::<Vec<_>>();
                        assert_eq!(starts.len(), text.utf8.chars().count());
                        assert!(starts.is_empty() || text.code_point.is_none());
                        assert!(starts.first().is_none_or(|start| *start == 0));
                        assert!(starts.is_sorted() && starts.iter().all(|start| *start < len));
                        outcome.text.extend_from_slice(text.utf8.as_bytes());
                    }
                    None if keeps_text => outcome.text.extend_from_slice(run),
                    None => {}
                }
                at += len;
            }
            CheckItem::Fault(fault) => {
                assert_eq!(fault.bytes[..], source[at..at + fault.bytes.len()]);
                at += fault.bytes.len();
                outcome.faults.push(fault);
            }
            CheckItem::Notice(notice) => outcome.notices.push(notice),
            CheckItem::Incomplete if last => break,
            CheckItem::Incomplete => seen = (seen + cut().max(1)).min(source.len()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(at, source.len());
    outcome
}

#[track_caller]
fn assert_same(source: &[u8], encoding: &'static Encoding, mut cut: impl FnMut() -> usize) {
    let expected = converted(source, encoding);
    let found = checked(source, encoding, true, &mut cut);
    assert_eq!(found, expected, "{encoding:?}: {source:02X?}");
    let found = checked(source, encoding, false, &mut cut);
    assert_eq!(
        (found.faults, found.notices),
        (expected.faults, expected.notices),
        "{encoding:?}: {source:02X?}"
    );
}

/// Tests every encoding on random bytes, random code units and text with random errors, with random cuts.
#[test]
fn it_finds_what_a_conversion_finds() {
    let mut below = generator();
    let text = udhr();
    for encoding in Encoding::all() {
        let options = Options::default().policy(Policy::default().unmappable(OnUnmappable::Omit));
        for round in 0..30 {
            let from = text.char_indices().map(|(at, _)| at).nth(below(3000) as usize).unwrap_or(0);
            let to = text.char_indices().map(|(at, _)| at).find(|at| *at >= from + 100).unwrap_or(text.len());
            let mut source = match round % 3 {
                0 => (0..below(80)).map(|_| below(256) as u8).collect(),
                1 => (0..below(80))
                    .map(|_| [0, 0x0A, 0x41, 0xD8, 0xDC, 0xC3, 0xED, 0xA0, 0xF0][below(9) as usize])
                    .collect(),
                _ => {
                    convert(&text.as_bytes()[from..to], &utfconv_core::UTF_8, encoding, &options)
                        .expect("goes on")
                        .output
                }
            };
            for _ in 0..below(4) {
                if !source.is_empty() {
                    let at = below(source.len() as u64) as usize;
                    source[at] = below(256) as u8;
                }
            }
            assert_same(&source, encoding, || below(9) as usize);
            assert_same(&source, encoding, || 1 << 20);
        }
    }
}

#[test]
fn every_cut_of_difficult_sources() {
    for (source, encoding) in [
        ("EF BB BF 41 C3 A9 0A ED A0 BD ED B8 80 F0 9F 98 80 E2 82", &utfconv_core::UTF_8),
        ("EF BB", &utfconv_core::UTF_8),
        ("FF FE 41 00 3D D8 00 DE 00 DC 0A 00 41", &utfconv_core::UTF_16),
        ("FE FF 00 41 D8 3D DE 00 D8 00", &utfconv_core::UTF_16),
        ("00 41 00 42 00 43", &utfconv_core::UTF_16LE),
        ("FF FE 00 00 41 00 00 00 00 D8 00 00 00 00", &utfconv_core::UTF_32),
        ("ED A0 BD ED B8 80 ED A0 BD ED A0 BD 41", &utfconv_core::encodings::CESU_8),
        ("2B 2F 76 38 2D 41 2B 41 47", &utfconv_core::encodings::UTF_7),
    ] {
        let source = hex(source);
        for cut in 1..=source.len() {
            assert_same(&source, encoding, || cut);
        }
    }
}

#[test]
fn boms_can_be_required() {
    let kinds = |source: &[u8], bom| {
        let mut checker = Checker::new(&utfconv_core::UTF_8).input_bom(bom);
        checker.next(source, true)
    };
    let signed = b"\xEF\xBB\xBFa";
    assert_eq!(kinds(signed, InputBom::Require), CheckItem::Bom(3));
    assert_eq!(kinds(b"a", InputBom::Forbid), CheckItem::Text(1));
    let CheckItem::Fault(forbidden) = kinds(signed, InputBom::Forbid) else { panic!() };
    assert_eq!(
        forbidden.to_string(),
        "forbidden BOM at byte 0: EF BB BF: UTF-8 input must not begin with a BOM"
    );
    let CheckItem::Fault(missing) = kinds(b"a", InputBom::Require) else { panic!() };
    assert_eq!((missing.offset, missing.bytes.len()), (0, 0));
}

#[test]
fn code_points_that_are_no_scalar_values() {
    for (source, encoding, found) in [
        ("ED A0 BD", &utfconv_core::encodings::WTF_8, Some(0xD83D)),
        ("FD BF BF BF BF BF", &utfconv_core::encodings::UTF_8_2279, Some(0x7FFF_FFFF)),
        ("F8 88 80 80 80", &utfconv_core::encodings::UTF_8_2279, Some(0x20_0000)),
        ("FC 84 80 80 80 80", &utfconv_core::encodings::UTF_8_2279, Some(0x400_0000)),
        ("7F FF FF FF", &utfconv_core::encodings::UCS_4, Some(0x7FFF_FFFF)),
        ("1B 24 42", &utfconv_core::encodings::ISO_2022_JP, None),
    ] {
        let source = hex(source);
        let mut checker = Checker::new(encoding).keeping_text();
        assert_eq!(checker.next(&source, true), CheckItem::Text(source.len()));
        let expected = RunText { code_point: found, ..RunText::default() };
        assert_eq!(checker.text(), Some(&expected), "{encoding:?}");
    }
}

/// Runs are as long as possible, whether they are found by a validator or by the decoder.
#[test]
fn runs_of_text() {
    for (source, encoding, keeps_text, run) in [
        (&b"abc\xFFd"[..], &utfconv_core::UTF_8, false, 3),
        (b"abc\xFFd", &utfconv_core::UTF_8, true, 3),
        (b"abc\xE9d", &utfconv_core::ISO_8859_1, false, 5),
        (b"abc\xE9d", &utfconv_core::ISO_8859_1, true, 5),
        (b"a\0b\0\0\xDC", &utfconv_core::UTF_16LE, true, 4),
    ] {
        let mut checker = Checker::new(encoding);
        if keeps_text {
            checker = checker.keeping_text();
        }
        assert_eq!(checker.next(source, true), CheckItem::Text(run), "{encoding:?} {keeps_text}");
        let is_kept = keeps_text && encoding != &utfconv_core::UTF_8;
        assert_eq!(checker.text().is_some(), is_kept, "{encoding:?} {keeps_text}");
        // The run after an error is as long as possible, too.
        if let CheckItem::Fault(fault) = checker.next(&source[run..], true) {
            let rest = &source[run + fault.bytes.len()..];
            let expected = if rest.is_empty() { CheckItem::Incomplete } else { CheckItem::Text(rest.len()) };
            assert_eq!(checker.next(rest, true), expected, "{encoding:?} {keeps_text}");
        }
    }
    let long = vec![b'a'; (1 << 20) + 5];
    let mut checker = Checker::new(&utfconv_core::ISO_8859_1).keeping_text();
    assert_eq!(checker.next(&long, true), CheckItem::Text(1 << 20));
    assert_eq!(checker.next(&long[1 << 20..], true), CheckItem::Text(5));
    assert_eq!(utfconv_core::utf8_well_formed_up_to(b"n\xC3\xA9\xC3"), 3);
}

#[test]
fn a_check_may_begin_inside_a_source() {
    let position = utfconv_core::Position::new(10, 3, 4);
    let source = b"\xEF\xBB\xBFa\nb\xFF";
    let new = || Checker::new(&utfconv_core::UTF_8).input_bom(InputBom::Forbid);
    let mut checker = new().starting_at(position);
    assert_eq!(checker.position(), position);
    // The position is not the start of the source, so U+FEFF is a character.
    assert_eq!(checker.next(source, true), CheckItem::Text(6));
    assert_eq!(checker.position(), utfconv_core::Position::new(16, 4, 2));
    let CheckItem::Fault(fault) = checker.next(&source[6..], true) else { panic!("FF leads nothing") };
    assert_eq!((fault.offset, fault.line, fault.column), (16, 4, 2));
    assert_eq!(
        format!("{checker:?}"),
        format!("Checker {{ encoding: UTF-8, position: {:?}, .. }}", utfconv_core::Position::new(17, 4, 3))
    );
    let mut uncounted = new().starting_at(position);
    uncounted.skip_line_counts();
    assert_eq!(uncounted.next(source, true), CheckItem::Text(6));
    assert_eq!(uncounted.position(), utfconv_core::Position::new(16, 3, 4));

    let latin1 = Checker::new(&utfconv_core::ISO_8859_1);
    let mut checker = latin1.starting_at(position).keeping_text();
    assert_eq!(checker.next(b"\xE9", true), CheckItem::Text(1));
    assert_eq!(checker.text().map(|text| &*text.utf8), Some("é"));
}

/// Errors that more bytes cannot change are found before the next chunk.
#[test]
fn errors_are_found_before_the_next_chunk() {
    for (source, len) in [(&b"\xC0\x80"[..], 2), (b"\xF5\x80\x80\x80", 4), (b"\xE0\x80\x80", 3), (b"\x80", 1)]
    {
        let mut checker = Checker::new(&utfconv_core::UTF_8).input_bom(InputBom::Text);
        let CheckItem::Fault(fault) = checker.next(source, false) else { panic!("{source:02X?}") };
        assert_eq!(fault.bytes.len(), len);
    }
    let mut checker = Checker::new(&utfconv_core::UTF_8).input_bom(InputBom::Text);
    assert_eq!(checker.next(b"\xE1\x80", false), CheckItem::Incomplete);
}
