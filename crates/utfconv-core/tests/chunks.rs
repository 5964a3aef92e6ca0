//! A conversion in chunks gives the same bytes, faults and notices, wherever a source is cut and however little room
//! there is.

use utfconv_core::{
    ByteEscape, Carrier, Encoding, Fault, FaultCounts, ISO_8859_1, InputBom, Notice, OnIllFormed,
    OnUnmappable, Options, OutputBom, Policy, ScalarEscape, Stop, Transcoder, convert, convert_reporting,
    encodings::CESU_8,
};

use crate::carriers::is_of_single_bytes;
use crate::texts::{CORE, hex, udhr};

/// The results of a conversion.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    pub output: Vec<u8>,
    pub faults: Vec<Fault>,
    pub notices: Vec<Notice>,
    pub stopped: Option<Fault>,
}

pub fn whole(source: &[u8], from: &'static Encoding, to: &'static Encoding, options: &Options) -> Outcome {
    let mut faults = Vec::new();
    let report = |fault| faults.push(fault);
    let (converted, stopped) = match convert_reporting(source, from, to, options, report) {
        Ok(converted) => (converted, None),
        Err(stopped) => (stopped.before, Some(stopped.fault)),
    };
    let mut counts = FaultCounts::default();
    faults.iter().for_each(|fault| counts.add(&fault.kind));
    assert_eq!(converted.faults, counts);
    Outcome { output: converted.output, faults, notices: converted.notices, stopped }
}

/// Converts `chunks` through a sink of `room` bytes. If `late`, a separate call reports the end of the source.
pub fn chunked(
    chunks: &[&[u8]],
    room: usize,
    late: bool,
    from: &'static Encoding,
    to: &'static Encoding,
    options: &Options,
) -> Outcome {
    let mut outcome = Outcome { output: vec![], faults: vec![], notices: vec![], stopped: None };
    let mut transcoder = Transcoder::new(from, to, options.clone());
    let mut buffer = vec![0xA5; room + 1];
    let mut calls = chunks.iter().map(|chunk| (*chunk, false)).collect::<Vec<_>>();
    if late {
        calls.push((&[], true));
    } else if let Some(end) = calls.last_mut() {
        end.1 = true;
    }
    for (chunk, last) in calls {
        let mut read = 0;
        loop {
            let step = transcoder.step(&chunk[read..], &mut buffer[..room], last);
            assert_eq!(buffer[room], 0xA5, "wrote beyond the sink");
            read += step.read;
            outcome.output.extend_from_slice(&buffer[..step.written]);
            match step.stop {
                Stop::SourceEmpty => break,
                Stop::SinkFull => assert!(step.written > 0, "no progress"),
                Stop::Fault(fault) => outcome.faults.push(fault),
                Stop::Notice(notice) => outcome.notices.push(notice),
                Stop::Stopped(fault) => {
                    outcome.stopped = Some(fault);
                    return outcome;
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(read, chunk.len(), "an empty source was taken whole");
    }
    outcome
}

fn policies() -> Vec<Policy> {
    let both = |ill_formed, unmappable| {
        Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(false)
    };
    vec![
        Policy::default(),
        both(OnIllFormed::Replace(None), OnUnmappable::Replace(None)),
        both(OnIllFormed::Replace(Some("<é>".into())), OnUnmappable::Omit).per_byte(true),
        both(OnIllFormed::Omit, OnUnmappable::Escape(ScalarEscape::Json)),
        both(OnIllFormed::Escape(ByteEscape::Hex), OnUnmappable::Escape(ScalarEscape::Percent)),
        both(OnIllFormed::Fallback(&ISO_8859_1), OnUnmappable::Replace(Some("?!".into()))),
        both(OnIllFormed::Fallback(&CESU_8), OnUnmappable::Stop),
        both(OnIllFormed::Carry(Carrier::SurrogateEscape), OnUnmappable::Carry(Carrier::SurrogateEscape)),
        both(OnIllFormed::Raw, OnUnmappable::Omit),
    ]
}

/// Returns short sources that have something to test at every position.
fn sources() -> Vec<Vec<u8>> {
    let mut sources: Vec<Vec<u8>> = [
        "",
        "41",
        "EF BB BF",
        "EF BB BF 41 C3 A9 E2 82 AC F0 9F 98 80 0A 7A",
        "EF BB",
        "FF FE 41 00 3D D8 00 DE 0A 00 00 D8 42 00 00",
        "FE FF 00 41 D8 3D DE 00 DC 00 00 0A D8",
        "FF FE 00 00 41 00 00 00 00 00 11 00 80 DC 00 00 01 02",
        "00 00 FE FF 00 00 00 41 00 01 F6 00 00 00 D8 00",
        "C0 AF E0 80 BF F0 81 82 41 ED A0 80 ED BF BF ED AF 0A F4 91 92 93 FF 41 80 BF 42",
        "E1 80 E2 F0 91 92 F1 BF 41 F8 88 80 80 80 FC 84 80 80 80 80 FE ED A0 BD ED B8 80 ED A0 BD ED 80 80",
        "61 ED A0 BD ED B8 80 62 ED B0 80 ED A0",
        "80 DC 41 00 FF DC 7F DC",
    ]
    .map(hex)
    .to_vec();
    // The sources are long enough for the kernels, with faults inside of blocks and at their edges.
    for fault in 0..20 {
        let mut text = "0123456789abcdefé€😀".repeat(3).into_bytes();
        text.insert(10 + fault, 0xE2);
        sources.push(text);
    }
    sources
}

#[test]
fn every_cut_and_every_room() {
    for source in sources() {
        // Long sources test the blocks of the kernels. Test only two policies with them, because the ends of blocks do
        // not depend on the policy.
        let long = source.len() > 60;
        for from in CORE
            .iter()
            .copied()
            .filter(|from| !long || from.is_ascii_compatible() || from.name() == "UTF-16LE")
        {
            for to in CORE {
                for policy in policies().into_iter().take(if long { 2 } else { usize::MAX }) {
                    let options = Options::default().policy(policy);
                    let expected = whole(&source, from, to, &options);
                    let same = |outcome: Outcome, how: &str| {
                        assert_eq!(
                            outcome, expected,
                            "{how}: {source:02X?} {from:?} {to:?} {:?}",
                            options.policy
                        );
                    };
                    for cut in 0..=source.len() {
                        let (a, b) = source.split_at(cut);
                        same(chunked(&[a, &[], b], 64, false, from, to, &options), "cut in two");
                    }
                    for room in 1..=17 {
                        same(chunked(&[&source], room, true, from, to, &options), "little room");
                    }
                    let single: Vec<_> = source.chunks(1).collect();
                    same(chunked(&single, 1, true, from, to, &options), "single bytes");
                    let threes: Vec<_> = source.chunks(3).collect();
                    same(chunked(&threes, 2, true, from, to, &options), "threes");
                }
            }
        }
    }
}

#[test]
fn every_bom_policy_at_every_cut() {
    use InputBom::*;
    for source in sources().iter().take(9) {
        for from in CORE {
            for to in CORE {
                for input_bom in [Auto, Keep, Strip, Text, Forbid, Require, Sniff] {
                    for output_bom in
                        [OutputBom::Auto, OutputBom::Always, OutputBom::Never, OutputBom::Forbid]
                    {
                        for continues in [false, true] {
                            let policy = Policy::default()
                                .ill_formed(OnIllFormed::Replace(None))
                                .unmappable(OnUnmappable::Escape(ScalarEscape::Rust))
                                .per_byte(false);
                            let options = Options::default()
                                .input_bom(input_bom)
                                .output_bom(output_bom)
                                .policy(policy)
                                .continues(continues);
                            let expected = whole(source, from, to, &options);
                            for cut in 0..=source.len() {
                                let (a, b) = source.split_at(cut);
                                let outcome = chunked(&[a, b], 3, true, from, to, &options);
                                assert_eq!(
                                    outcome, expected,
                                    "{cut} {source:02X?} {from:?} {to:?} {options:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn real_text_in_chunks_of_every_size() {
    let text = udhr();
    for from in CORE {
        let Ok(source) = convert(text.as_bytes(), &utfconv_core::UTF_8, from, &Options::default()) else {
            continue;
        };
        for to in CORE {
            let policy = Policy::default().unmappable(OnUnmappable::Escape(ScalarEscape::Xml));
            let options = Options::default().policy(policy);
            let expected = whole(&source.output, from, to, &options);
            for size in [1, 2, 3, 5, 7, 16, 17, 63, 64, 65, 1000] {
                let chunks: Vec<_> = source.output.chunks(size).collect();
                assert_eq!(
                    chunked(&chunks, size.max(8) * 3, true, from, to, &options),
                    expected,
                    "{size} {from:?} {to:?}"
                );
            }
        }
    }
}

/// Returns a text of many kinds of characters, among them control and private use characters, and U+FEFF.
fn motley() -> String {
    let some = [
        'a', '\n', 'é', '€', 'Ж', 'ω', 'ب', 'א', 'ก', '漢', 'か', 'ｱ', '가', 'Ê', '\u{304}', '¥', '~', '\\',
        '+', '&',
    ];
    let rare =
        ['\0', '\u{85}', '\u{EF80}', '\u{FEFF}', '\u{10FFFD}', 'x', '8', '0', '😀', '\u{20021}', '丂', '①'];
    let mut text: String = some.iter().chain(&rare).collect();
    for i in 0..some.len() * rare.len() {
        text.extend([some[i % some.len()], rare[(i * 7) % rare.len()], some[(i * 3) % some.len()]]);
    }
    text
}

/// Tests every encoding in both directions, also with bytes that the encoding does not use. For a code page, one policy
/// is tested.
#[test]
fn every_encoding_at_every_cut() {
    let text = motley();
    let same = |source: &[u8], from, to, options: &Options| {
        let expected = whole(source, from, to, options);
        let check = |chunks: &[&[u8]], room, late| {
            let outcome = chunked(chunks, room, late, from, to, options);
            assert_eq!(outcome, expected, "{from:?} {to:?} {options:?} {source:02X?}");
        };
        for size in [1, 2, 3, 5, 7, 64] {
            let chunks: Vec<_> = source.chunks(size).collect();
            check(&chunks, size + 2, true);
            check(&chunks, 1, false);
        }
        for cut in 0..source.len().min(40) {
            let (a, b) = source.split_at(cut);
            check(&[a, &[], b], 100, true);
        }
        check(&[source], 17, false);
    };
    let policies = [
        Policy::default()
            .ill_formed(OnIllFormed::Replace(None))
            .unmappable(OnUnmappable::Omit)
            .per_byte(false),
        Policy::default()
            .ill_formed(OnIllFormed::Carry(Carrier::Pua))
            .unmappable(OnUnmappable::Carry(Carrier::Pua))
            .per_byte(false),
        Policy::default()
            .ill_formed(OnIllFormed::Carry(Carrier::C8))
            .unmappable(OnUnmappable::Translit(Box::new(OnUnmappable::Omit)))
            .per_byte(false),
        Policy::default()
            .ill_formed(OnIllFormed::Fallback(Encoding::for_name("windows-1252").expect("known")))
            .unmappable(OnUnmappable::Translit(Box::new(OnUnmappable::Replace(None))))
            .per_byte(false),
    ];
    for (number, encoding) in Encoding::all().enumerate() {
        let its_policies = if is_of_single_bytes(encoding) {
            &policies[number % policies.len()..][..1]
        } else {
            &policies[..]
        };
        for policy in its_policies {
            let options = Options::default().policy(policy.clone());
            same(text.as_bytes(), &utfconv_core::UTF_8, encoding, &options);
            let omit = Options::default().policy(Policy::default().unmappable(OnUnmappable::Omit));
            let coded =
                convert(text.as_bytes(), &utfconv_core::UTF_8, encoding, &omit).expect("omits").output;
            let mut source = coded[..coded.len().min(150)].to_vec();
            for (i, byte) in
                [0xFF, 0x81, 0x1B, 0x80, 0x2B, 0x8F, 0xD8, 0x26, 0x84, 0x31].into_iter().enumerate()
            {
                source.insert((i * 13 + 5).min(source.len()), byte);
            }
            source.push(0x8E);
            same(&source, encoding, &utfconv_core::UTF_8, &options);
            same(&source, encoding, &utfconv_core::UTF_16LE, &options);
            same(&source, encoding, encoding, &options);
            if ["windows-1255", "windows-1258"].contains(&encoding.name()) {
                for to in [&utfconv_core::UTF_8, &utfconv_core::UTF_16LE, &ISO_8859_1, encoding] {
                    same(LETTERS_AND_MARKS, encoding, to, &options);
                }
            }
        }
    }
}

/// Letters and tone marks in windows-1258, also at the edges of blocks of ASCII, with faults among them, and after
/// letters with which they do not compose.
const LETTERS_AND_MARKS: &[u8] = b"\
    Ti\xEA\xECng Vi\xEA\xF2t e\xEC\xF2 \xEC\xEA\nO\xDE\xEC q\xEC\n\xECe\x81\xECa\xF2\x8A \
    0123456789abcde\xEC0123456789abcdea\xF20123456789abcdeq\xCC0123456789abcdef\
    \xF4\xDE\xF4\xD2\xF4\xCC\xF4\xEC\xF4\xF2\xF5\xF2\xC2\xF2\xC0\xF2\n\xD9\xCC\x90y";

/// Faults keep their positions after runs of every length, and so at every offset of a kernel's block.
#[test]
fn a_fault_after_a_run_of_every_length() {
    for filler in ["a", "é", "€", "😀", "a\n", "€b"] {
        for count in 0..70 {
            let mut source = filler.repeat(count).into_bytes();
            let at = source.len() as u64;
            let (line, column) = place_after(std::str::from_utf8(&source).expect("text"));
            source.extend_from_slice(b"\xE2\x82 after");
            for to in CORE {
                let Outcome { stopped, output, .. } =
                    whole(&source, &utfconv_core::UTF_8, to, &Options::default());
                let fault = stopped.expect("stops");
                if matches!(fault.kind, utfconv_core::FaultKind::IllFormed { .. }) {
                    assert_eq!(
                        (fault.offset, fault.line, fault.column),
                        (at, line, column),
                        "{filler:?} {count} {to:?}"
                    );
                    let back =
                        convert(&output, to, &utfconv_core::UTF_8, &Options::default()).expect("comes back");
                    assert_eq!(back.output, &source[..at as usize]);
                }
            }
        }
    }
}

fn place_after(text: &str) -> (u64, u64) {
    let line = text.matches('\n').count() as u64 + 1;
    let column = text.rsplit('\n').next().unwrap_or("").chars().count() as u64 + 1;
    (line, column)
}
