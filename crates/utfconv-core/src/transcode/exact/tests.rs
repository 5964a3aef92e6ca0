use super::*;
use crate::encoding::{BIG5_HKSCS, ISO_2022_JP, US_ASCII, UTF_8, UTF_16, UTF_16BE};
use crate::policy::Policy;
use crate::stream::convert;
use crate::testkit::Random;

fn options() -> Options {
    Options::default().policy(
        Policy::default().ill_formed(OnIllFormed::Omit).unmappable(OnUnmappable::Omit).per_byte(false),
    )
}

/// Converts a text in calls of random sizes.
fn in_calls(transcoder: &mut ExactTranscoder, source: &[u8], random: &mut Random) -> Vec<u8> {
    let (mut at, mut out) = (0, Vec::new());
    let mut room = [0; 256];
    while at < source.len() {
        let end = at + 1 + random.below(source.len() - at);
        let size = random.one(&[0, 1, 2, 3, 5, 8, 13, 256]);
        let step = transcoder.step(&source[at..end], &mut room[..size]);
        out.extend_from_slice(&room[..step.written]);
        at += step.read;
        match step.stop {
            ExactStop::SourceEmpty => assert_eq!(at, end),
            ExactStop::Incomplete if end == source.len() => break,
            ExactStop::Incomplete => assert!(at < end),
            ExactStop::SinkFull => assert!(size < room.len()),
            ExactStop::Fault => panic!("faults are omitted"),
        }
    }
    // The end of a text is written once, however little room there is.
    for size in 0..room.len() {
        let end = transcoder.finish(&mut room[..size]);
        out.extend_from_slice(&room[..end.written]);
        match end.stop {
            ExactStop::SinkFull => {}
            ExactStop::SourceEmpty => return out,
            stop => panic!("{stop:?}"),
        }
    }
    panic!("the end is short")
}

const TEXT: &str = "aé\nЖä日本か\u{309A}Ê\u{304}z한국中文😀ｱﾊﾞ–“”€ơêab\n";

#[test]
fn calls_of_any_size_give_the_same_text_in_every_encoding() {
    let mut random = Random(7);
    for encoding in Encoding::all() {
        let Some(mut there) = ExactTranscoder::new(&UTF_8, encoding, options()) else {
            assert!(encoding.is_stateful() && encoding.name().starts_with("whatwg:"), "{encoding}");
            continue;
        };
        let mut back = ExactTranscoder::new(encoding, &UTF_8, options()).expect("as there");
        let encoded = convert(TEXT.as_bytes(), &UTF_8, encoding, &options()).unwrap().output;
        let decoded = convert(&encoded, encoding, &UTF_8, &options()).unwrap().output;
        for _ in 0..8 {
            assert_eq!(in_calls(&mut there, TEXT.as_bytes(), &mut random), encoded, "to {encoding}");
            assert_eq!(in_calls(&mut back, &encoded, &mut random), decoded, "from {encoding}");
        }
    }
}

#[test]
fn a_sequence_that_does_not_fit_is_not_taken() {
    let transcoder = |to| ExactTranscoder::new(&UTF_8, to, Options::default()).unwrap();
    let mut room = [0; 16];
    let step = |read, written, stop| ExactStep { read, written, stop, ..ExactStep::default() };
    let source = "aあ".as_bytes();
    for (to, size, expected) in [
        (&UTF_16BE, 3, step(1, 2, ExactStop::SinkFull)),
        (&UTF_16, 3, step(0, 2, ExactStop::SinkFull)),
        (&ISO_2022_JP, 5, step(1, 1, ExactStop::SinkFull)),
        (&ISO_2022_JP, 6, step(4, 6, ExactStop::SourceEmpty)),
    ] {
        assert_eq!(transcoder(to).step(source, &mut room[..size]), expected, "{to} {size}");
    }
    let mut to_japanese = transcoder(&ISO_2022_JP);
    assert_eq!(to_japanese.step(source, &mut room[..5]).read, 1);
    assert_eq!(to_japanese.finish(&mut []), ExactStep::default());
}

/// Codes of two characters, the first of which alone has a code of the same size.
const OF_TWO: [(&str, &[u8], &str); 3] = [
    ("Big5-HKSCS", b"\x88\x62A", "Ê\u{304}A"),
    ("TSCII", b"\x82A", "\u{BB8}\u{BCD}\u{BB0}\u{BC0}A"),
    ("ISO-2022-JP-3", b"\x1B$(O+D\x1B(B", "\u{E6}\u{300}"),
];

#[test]
fn characters_of_a_sequence_that_fit_are_written() {
    for (name, source, expected) in OF_TWO {
        let from = Encoding::for_name(name).unwrap();
        for size in 3..8 {
            let mut transcoder = ExactTranscoder::new(from, &UTF_8, Options::default()).unwrap();
            let (mut at, mut out, mut calls) = (0, Vec::new(), 0);
            let mut room = vec![0; size];
            loop {
                let step = transcoder.step(&source[at..], &mut room);
                out.extend_from_slice(&room[..step.written]);
                at += step.read;
                calls += 1;
                if step.stop == ExactStop::SourceEmpty {
                    break;
                }
                assert_eq!((step.stop, calls < 8), (ExactStop::SinkFull, true), "{name} {size}");
            }
            let end = transcoder.finish(&mut room);
            out.extend_from_slice(&room[..end.written]);
            assert_eq!(
                (at, String::from_utf8(out).unwrap().as_str()),
                (source.len(), expected),
                "{name} {size}"
            );
        }
    }
}

#[test]
fn pending_characters_are_written_at_the_end_or_dropped_by_a_reset() {
    let mut room = [0; 4];
    for (name, source, expected) in OF_TWO {
        let source = source.strip_suffix(b"A").or(source.strip_suffix(b"\x1B(B")).unwrap();
        let from = Encoding::for_name(name).unwrap();
        let mut transcoder = ExactTranscoder::new(from, &UTF_8, Options::default()).unwrap();
        let first = expected.chars().next().unwrap().len_utf8();
        for ends in [true, false] {
            let step = transcoder.step(source, &mut room[..3]);
            let is_held = step.stop == ExactStop::SourceEmpty;
            assert_eq!((step.read, step.written), (source.len(), if is_held { 0 } else { first }), "{name}");
            if ends {
                let mut out = room[..step.written].to_vec();
                while out.len() < expected.trim_end_matches('A').len() {
                    let end = transcoder.finish(&mut room[..3]);
                    assert!(end.written > 0, "{name}");
                    out.extend_from_slice(&room[..end.written]);
                }
                assert_eq!(String::from_utf8(out).unwrap(), expected.trim_end_matches('A'));
                transcoder.reset();
            } else {
                transcoder.reset();
                assert_eq!(transcoder.finish(&mut room).written, 0, "{name}");
            }
        }
    }
}

#[test]
fn a_letter_that_the_next_may_join_is_taken_and_held() {
    let mut transcoder = ExactTranscoder::new(&UTF_8, &BIG5_HKSCS, Options::default()).unwrap();
    let mut room = [0; 16];
    let taken = ExactStep { read: 2, ..ExactStep::default() };
    assert_eq!(transcoder.step("Ê".as_bytes(), &mut room), taken);
    assert_eq!(transcoder.finish(&mut room[..1]).stop, ExactStop::SinkFull);
    assert_eq!(transcoder.step("\u{304}".as_bytes(), &mut room), ExactStep { written: 2, ..taken });
    assert_eq!(room[..2], *b"\x88\x62");
}

#[test]
fn the_end_reports_a_held_letter_that_cannot_be_encoded() {
    let vietnamese = Encoding::for_name("windows-1258").unwrap();
    let mut transcoder = ExactTranscoder::new(vietnamese, &UTF_8, Options::default()).unwrap();
    let mut room = [0; 16];
    let taken = ExactStep { read: 1, ..ExactStep::default() };
    assert_eq!(transcoder.step(b"\xF5", &mut room), taken);
    assert_eq!(transcoder.finish(&mut room), ExactStep { written: 2, ..ExactStep::default() });

    let mut transcoder = ExactTranscoder::new(vietnamese, &US_ASCII, Options::default()).unwrap();
    assert_eq!(transcoder.step(b"\xF5", &mut room), taken);
    for _ in 0..2 {
        let expected = ExactStep { stop: ExactStop::Fault, ..ExactStep::default() };
        assert_eq!(transcoder.finish(&mut room), expected);
    }
    transcoder.reset();
    assert_eq!(transcoder.finish(&mut room), ExactStep::default());
}

#[test]
fn faults_are_not_taken() {
    let mut transcoder = ExactTranscoder::new(&UTF_8, &UTF_16BE, Options::default()).unwrap();
    for (source, read, stop) in [
        (&b"a\xE2\x82"[..], 1, ExactStop::Incomplete),
        (b"a\xE2\x82\x28", 1, ExactStop::Fault),
        (b"a\xED\xA0\x80", 1, ExactStop::Fault),
        (b"a\xFF", 1, ExactStop::Fault),
    ] {
        let step = transcoder.step(source, &mut [0; 16]);
        assert_eq!((step.read, step.stop), (read, stop), "{source:?}");
    }
}

#[test]
fn the_byte_order_stays() {
    let mut transcoder = ExactTranscoder::new(&UTF_16, &UTF_8, Options::default()).unwrap();
    let mut room = [0; 4];
    assert_eq!(transcoder.step(b"\xFE\xFF\0a", &mut room).written, 1);
    transcoder.reset();
    assert_eq!(transcoder.step(b"\0b", &mut room).written, 1);
    assert_eq!(room[0], b'b');
}
