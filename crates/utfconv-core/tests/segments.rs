//! Tests sources in segments, which are converted as the threads of the program do.

use std::panic::{AssertUnwindSafe, catch_unwind};

use utfconv_core::Segments;
use utfconv_core::{
    Encoding, ISO_8859_1, InputBom, OnIllFormed, OnUnmappable, Options, Policy, Position, Stop, Transcoder,
    US_ASCII, UTF_8, UTF_16, UTF_16LE, encodings::UTF_7,
};

use crate::shown::named;

/// Returns the output and the stop of a single call.
fn step(transcoder: &mut Transcoder, source: &[u8], last: bool) -> (Vec<u8>, Stop) {
    let mut sink = [0; 100];
    let step = transcoder.step(source, &mut sink, last);
    (sink[..step.written].to_vec(), step.stop)
}

fn after(source: &[u8], from: &'static Encoding, to: &'static Encoding, options: Options) -> Transcoder {
    let mut transcoder = Transcoder::new(from, to, options);
    let _ = step(&mut transcoder, source, false);
    transcoder
}

#[test]
fn segments_may_begin_where_nothing_is_pending() {
    let plain = Options::default;
    for (source, from, to, is_between) in [
        (&b"text"[..], &UTF_8, &UTF_8, true),
        // The BOM has not been looked for.
        (b"", &UTF_8, &UTF_8, false),
        (b"\xEF", &UTF_8, &UTF_8, false),
        // The source ends inside a character.
        (b"text\xC3", &UTF_8, &UTF_8, false),
        // An error ends the conversion.
        (b"text\xFFtext", &UTF_8, &UTF_8, false),
        // Without a BOM, the byte order of UTF-16 is only assumed.
        (b"a\0b\0", &UTF_16, &UTF_8, false),
        (b"\xFF\xFEa\0b\0", &UTF_16, &UTF_8, true),
        (b"a\0b\0", &UTF_16LE, &UTF_8, true),
        (b"text", &UTF_8, &UTF_16, true),
        // After `é`, a run of base64 is open.
        (b"text", &UTF_8, &UTF_7, true),
        ("é".as_bytes(), &UTF_8, &UTF_7, false),
        // The source has shift states.
        (b"text", &UTF_7, &UTF_8, false),
    ] {
        let transcoder = after(source, from, to, plain());
        assert_eq!(transcoder.is_between_segments(), is_between, "{source:02X?} {from:?} {to:?}");
    }
    // The target's BOM is written with the first character.
    let strip = plain().input_bom(InputBom::Strip);
    assert!(!after("\u{FEFF}".as_bytes(), &UTF_8, &UTF_16, strip.clone()).is_between_segments());
    assert!(after("\u{FEFF}".as_bytes(), &UTF_8, &UTF_16LE, strip).is_between_segments());
    // The destination has space for only one byte of `é`.
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_8, plain());
    let full = transcoder.step("aé".as_bytes(), &mut [0; 2], false);
    assert_eq!((full.written, full.stop), (2, Stop::SinkFull));
    assert!(!transcoder.is_between_segments());
    // Only one of two errors has been returned.
    let policy =
        Policy::default().ill_formed(OnIllFormed::Fallback(&ISO_8859_1)).unmappable(OnUnmappable::Omit);
    let mut transcoder = Transcoder::new(&UTF_8, &US_ASCII, plain().policy(policy));
    assert!(matches!(step(&mut transcoder, b"a\xFF", false), (_, Stop::Fault(_))));
    assert!(!transcoder.is_between_segments());
    assert!(matches!(step(&mut transcoder, b"", false), (_, Stop::Fault(_))));
    assert!(transcoder.is_between_segments());
}

#[cfg(feature = "normalize")]
#[test]
fn normalized_text_has_no_segments() {
    let options = Options::default().normalization(utfconv_core::NormalizationForm::Nfc);
    let transcoder = after(b"text\n", &UTF_8, &UTF_8, options);
    assert!(!transcoder.is_between_segments());
}

#[test]
fn positions_count_from_the_start_of_a_segment() {
    let mut transcoder = after(b"one\ntwo", &UTF_8, &UTF_16LE, Options::default());
    assert_eq!(transcoder.position(), Position::new(7, 2, 4));
    transcoder.begin_segment();
    assert_eq!(transcoder.position(), Position::default());
    assert_eq!(transcoder.run(b"ab\nc", &mut [0; 8]), (4, 8));
    assert_eq!(transcoder.position(), Position::default());
    transcoder.skip_text(b"ab\nc");
    assert_eq!(transcoder.position(), Position::new(4, 2, 2));
    let (_, stop) = step(&mut transcoder, b"\xFF", false);
    let Stop::Stopped(fault) = stop else { panic!("{stop:?}") };
    assert_eq!((fault.offset, fault.line, fault.column), (4, 2, 2));
}

#[test]
fn a_segment_begins_only_after_one_that_is_complete() {
    for (source, is_complete) in
        [(&b"text"[..], true), (b"", false), (b"\xEF\xBB", false), (b"text\xC3", false), (b"text\xFF", false)]
    {
        let mut transcoder = after(source, &UTF_8, &UTF_8, Options::default());
        let begun = catch_unwind(AssertUnwindSafe(|| transcoder.begin_segment()));
        assert_eq!(begun.is_ok(), is_complete, "{source:02X?}");
    }
}

#[test]
fn the_kernel_alone_runs_only_between_segments() {
    let mut sink = [0; 8];
    let mut transcoder = after(b"text", &UTF_8, &UTF_8, Options::default());
    assert_eq!(transcoder.run(b"ab\xFFc", &mut sink), (2, 2));
    assert_eq!(sink[..2], *b"ab");
    assert_eq!(transcoder.run(b"abcdef", &mut sink[..3]), (3, 3));
    let mut held = after(b"text\xC3", &UTF_8, &UTF_8, Options::default());
    assert_eq!(held.run(b"\xA9ab", &mut sink), (0, 0));
    assert_eq!(step(&mut held, b"\xA9ab", true), ("éab".into(), Stop::SourceEmpty));
}

/// Returns a text in UTF-16 in the byte order of the host.
fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_ne_bytes).collect()
}

/// A segment has the BOM and the policy of the source, and counts errors if the source does; the target's BOM is not
/// written again.
#[test]
fn a_segment_is_of_the_same_source() {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let mut first =
        after(b"\xFE\xFF\0a", &UTF_16, &UTF_16, Options::default().policy(policy).input_bom(InputBom::Keep));
    let mut second = first.segment();
    assert_eq!((second.encoding(), second.position()), (first.encoding(), Position::default()));
    assert!(second.is_between_segments());
    assert_eq!(step(&mut second, b"\xFE\xFF\0b", true), (utf16("\u{FEFF}b"), Stop::SourceEmpty));
    let (_, stop) = step(&mut first.segment(), b"\xDC\0", true);
    assert!(matches!(stop, Stop::Fault(_)), "{stop:?}");

    first.count_faults();
    let mut counting = first.segment();
    assert_eq!(step(&mut counting, b"\xDC\0\0a", true), (utf16("\u{FFFD}a"), Stop::SourceEmpty));
    assert_eq!(counting.take_fault_counts().ill_formed(), 1);
    assert_eq!(first.take_fault_counts().ill_formed(), 0);
    counting.report_faults();
    counting.begin_segment();
    let (output, stop) = step(&mut counting, b"\xDC\0\0a", true);
    assert!(output == utf16("\u{FFFD}") && matches!(stop, Stop::Fault(_)), "{stop:?}");
    assert_eq!(counting.take_fault_counts().ill_formed(), 0);
}

#[test]
fn the_end_of_a_segment_that_stays_open_is_not_the_end_of_the_text() {
    // A run of base64 continues in the next segment, or is ended.
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_7, Options::default());
    transcoder.stay_open(true);
    assert_eq!(step(&mut transcoder, "é".as_bytes(), true).0, b"+AO");
    let mut next = transcoder.segment();
    transcoder.begin_segment();
    assert_eq!(step(&mut transcoder, "é".as_bytes(), true).0, b"kA6");
    transcoder.stay_open(false);
    transcoder.begin_segment();
    assert_eq!(step(&mut transcoder, b"", true).0, b"Q-");
    assert_eq!(step(&mut next, "é".as_bytes(), true).0, b"+AO", "it stays open, too");
}

#[test]
fn a_pending_bom_can_be_taken() {
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_16, Options::default());
    assert_eq!(transcoder.take_bom(), utf16("\u{FEFF}"));
    assert_eq!(transcoder.take_bom(), b"");
    assert_eq!(step(&mut transcoder, b"a", true).0, utf16("a"));
    assert_eq!(Transcoder::new(&UTF_8, &UTF_16LE, Options::default()).take_bom(), b"");
}

#[test]
fn characters_that_depend_on_those_before_are_not_written_apart() {
    for (name, apart) in
        [("UTF-8", true), ("UTF-16", true), ("ISO-8859-1", true), ("UTF-7", false), ("ISO-2022-JP", false)]
    {
        let transcoder = Transcoder::new(&UTF_8, named(name), Options::default());
        assert_eq!(transcoder.writes_apart(), apart, "{name}");
    }
}

#[test]
fn a_segment_that_breaks_off_is_complete() {
    let mut transcoder = after(b"text\xC3", &UTF_8, &UTF_8, Options::default());
    transcoder.break_off();
    assert_eq!(step(&mut transcoder, b"", true), (Vec::new(), Stop::SourceEmpty));
    assert!(transcoder.is_between_segments());
    transcoder.begin_segment();
    assert_eq!(transcoder.run(b"ab", &mut [0; 8]), (2, 2));
}
