//! Tests that the encodings of the WHATWG Encoding Standard give the same results as encoding_rs: equal text, errors
//! with equal bytes, and equal codes, wherever a text is cut.

use encoding_rs::{DecoderResult, EncoderResult};
use utfconv_core::{
    Encoding, Fault, FaultKind, OnIllFormed, OnUnmappable, Options, Policy, ScalarEscape, Stop, Transcoder,
    UTF_8, convert, convert_reporting,
};

use crate::random::generator;

/// The decoded text of a source, with U+FFFD for each error, and the offset and length in bytes and the column of each
/// error.
type Decoded = (String, Vec<(u64, usize, u64)>);

/// Returns each encoding of utfconv-core with encoding_rs's encoding for the same label.
fn all() -> impl Iterator<Item = (&'static Encoding, &'static encoding_rs::Encoding)> {
    let pairs = Encoding::web().map(|ours| {
        let label = ours.name().strip_prefix("whatwg:").expect("a prefix");
        (ours, encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label"))
    });
    assert_eq!(pairs.clone().count(), 38, "all but UTF-8 and replacement");
    pairs
}

fn theirs(encoding: &'static encoding_rs::Encoding, source: &[u8]) -> Decoded {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (mut text, mut errors, mut read) = (String::new(), Vec::new(), 0);
    let mut room = [0; 256];
    loop {
        let (result, taken, written) =
            decoder.decode_to_utf8_without_replacement(&source[read..], &mut room, true);
        text += std::str::from_utf8(&room[..written]).expect("UTF-8");
        read += taken;
        match result {
            DecoderResult::InputEmpty => return (text, errors),
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(len, more) => {
                let column = text.rsplit('\n').next().map_or(0, |line| line.chars().count()) as u64 + 1;
                errors.push(((read - usize::from(more) - usize::from(len)) as u64, len.into(), column));
                text.push('\u{FFFD}');
            }
        }
    }
}

/// Decodes a source with the library, cut at the given offsets.
fn ours(encoding: &'static Encoding, source: &[u8], cuts: &[usize]) -> Decoded {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let mut transcoder = Transcoder::new(encoding, &UTF_8, Options::default().policy(policy));
    let (mut text, mut errors, mut room) = (Vec::new(), Vec::new(), [0; 256]);
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    for (start, end) in starts.zip(cuts.iter().copied().chain([source.len()])) {
        let mut rest = &source[start..end];
        loop {
            let step = transcoder.step(rest, &mut room, end == source.len());
            text.extend_from_slice(&room[..step.written]);
            rest = &rest[step.read..];
            match step.stop {
                Stop::SourceEmpty => break,
                Stop::Fault(fault) => errors.push((fault.offset, fault.bytes.len(), fault.column)),
                Stop::SinkFull | Stop::Notice(_) => {}
                stop => panic!("{encoding}: {stop:?}"),
            }
        }
    }
    (String::from_utf8(text).expect("UTF-8"), errors)
}

#[track_caller]
fn assert_same(ours_: &'static Encoding, theirs_: &'static encoding_rs::Encoding, source: &[u8]) {
    assert_eq!(ours(ours_, source, &[]), theirs(theirs_, source), "{ours_} {source:02X?}");
}

/// A short source is a whole text, so that its end is tested, too.
#[test]
fn every_short_sequence_decodes_as_theirs() {
    for (encoding, other) in all() {
        for byte in 0..=u8::MAX {
            assert_same(encoding, other, &[byte]);
        }
        if other.is_single_byte() {
            continue;
        }
        for code in 0..=u16::MAX {
            let [lead, trail] = code.to_be_bytes();
            assert_same(encoding, other, &[lead, trail]);
            // Bytes that are given back to the stream are read again.
            if lead >= 0x80 || code & 0xFF == 0x1B {
                assert_same(encoding, other, &[lead, trail, b'A', 0xB1, 0xB1]);
            }
        }
    }
}

fn is_exhaustive() -> bool {
    std::env::var_os("UTFCONV_EXHAUSTIVE").is_some()
}

/// Tests all sequences of three bytes after the single shift of EUC-JP, and sequences of four bytes of GB18030 whose
/// lead bytes are at the limits of their ranges. With `UTFCONV_EXHAUSTIVE` set, tests all sequences of four bytes.
#[test]
fn every_long_sequence_decodes_as_theirs() {
    for (encoding, other) in all() {
        match other.name() {
            "EUC-JP" => {
                for code in 0..=u16::MAX {
                    assert_same(encoding, other, &[&[0x8F], &code.to_be_bytes()[..]].concat());
                }
            }
            "gb18030" | "GBK" => {
                let leads: Vec<u8> = if is_exhaustive() {
                    (0x7F..=0xFF).collect()
                } else {
                    vec![0x7F, 0x80, 0x81, 0x84, 0x90, 0xE3, 0xE4, 0xFE, 0xFF]
                };
                for [a, c] in leads.iter().flat_map(|a| leads.iter().map(move |c| [*a, *c])) {
                    for [b, d] in (0x2F..=0x3A).flat_map(|b| (0x2F..=0x3A).map(move |d| [b, d])) {
                        assert_same(encoding, other, &[a, b, c, d]);
                        assert_same(encoding, other, &[a, b, c]);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Bytes that lead, trail, shift or escape in some encoding.
const EDGES: &[u8] =
    b"\0\n\x0E\x0F\x1B\x1B\x1B$$((!0@ABIJ\\~\x7F\x80\x81\x84\x8E\x8F\x8F\x90\x9F\xA0\xA1\xA4\xB1\xD8\xDC\
    \xE0\xF0\xFC\xFD\xFE\xFF0189";

#[test]
fn texts_decode_as_theirs_wherever_they_are_cut() {
    let mut number = generator();
    let mut random = |below: usize| number(below as u64) as usize;
    for (encoding, other) in all() {
        for _ in 0..1000 {
            let len = 1 + random(14);
            let source: Vec<u8> = (0..len).map(|_| EDGES[random(EDGES.len())]).collect();
            let expected = theirs(other, &source);
            for cut in 0..=len {
                assert_eq!(ours(encoding, &source, &[cut]), expected, "{encoding} {cut} {source:02X?}");
            }
            let cuts: Vec<_> = (1..len).collect();
            assert_eq!(ours(encoding, &source, &cuts), expected, "{encoding} {source:02X?}");
        }
        // The source is long enough for the decoder that takes whole runs.
        let mut source = Vec::new();
        for _ in 0..2000 {
            let (text, _, _) = other.encode("日本語 한국어 中文 ｱｲｳ ASCII €\n");
            source.extend_from_slice(&text[..random(text.len() + 1)]);
            source.extend((0..random(3)).map(|_| EDGES[random(EDGES.len())]));
        }
        let cuts = [source.len() / 3, source.len() / 2];
        assert!(ours(encoding, &source, &cuts) == theirs(other, &source), "{encoding}");
    }
}

/// Tests all sequences of escapes, and of bytes that are characters in the sets that the escapes select.
#[test]
fn escapes_decode_as_theirs() {
    let (encoding, other) = all().find(|(_, other)| *other == encoding_rs::ISO_2022_JP).expect("is there");
    let words: [&[u8]; 12] = [
        b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B", b"\x1B$", b"\x1B(", b"0!", b"\\",
        b"\n", b"\x8E",
    ];
    let count = if is_exhaustive() { 5 } else { 4 };
    for at in 0..words.len().pow(count) {
        let chosen = (0..count).map(|digit| words[at / words.len().pow(digit) % words.len()]);
        let source = chosen.collect::<Vec<_>>().concat();
        assert_same(encoding, other, &source);
        if at % 31 == 0 {
            let cuts: Vec<_> = (1..source.len()).collect();
            assert_eq!(ours(encoding, &source, &cuts), theirs(other, &source), "{source:02X?}");
        }
    }
}

/// Encodes a text with encoding_rs. Returns the bytes, and the characters that have no code.
fn codes(other: &'static encoding_rs::Encoding, text: &str) -> (Vec<u8>, Vec<char>) {
    let (mut encoder, mut codes, mut missing, mut read) = (other.new_encoder(), Vec::new(), Vec::new(), 0);
    let mut room = [0; 256];
    loop {
        let rest = &text[read..];
        let (result, taken, written) = encoder.encode_from_utf8_without_replacement(rest, &mut room, true);
        read += taken;
        codes.extend_from_slice(&room[..written]);
        match result {
            EncoderResult::InputEmpty => return (codes, missing),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(_) => missing.extend(text[..read].chars().next_back()),
        }
    }
}

#[test]
fn every_character_is_encoded_as_theirs() {
    // Characters of other planes have codes only in GB18030, all by the same rule.
    let all_characters: String = ('\0'..'\u{40000}').chain('\u{10FF00}'..=char::MAX).collect();
    let policy = Policy::default().unmappable(OnUnmappable::Omit);
    let options = Options::default().policy(policy);
    for (encoding, other) in all().filter(|(encoding, _)| !encoding.is_decode_only()) {
        let mut found = Vec::new();
        let report = |fault: Fault| {
            if let FaultKind::Unmappable { code_point, .. } = fault.kind {
                found.extend(char::from_u32(code_point));
            }
        };
        let made = convert_reporting(all_characters.as_bytes(), &UTF_8, encoding, &options, report);
        let (made, (written, missing)) = (made.expect("omits"), codes(other, &all_characters));
        assert!(found == missing, "{encoding}");
        // encoding_rs returns to ASCII before an error, so that a reference can follow.
        let may_be_shorter = encoding.is_stateful();
        assert!(made.output == written || may_be_shorter, "{encoding}");
        if may_be_shorter {
            let (text, errors) = theirs(other, &made.output);
            assert!(
                text == theirs(other, &written).0.replace('\u{FFFD}', "") && errors.is_empty(),
                "{encoding}"
            );
        }
    }
}

/// Characters without a code become references, as in a form on the web.
#[test]
fn texts_are_encoded_as_theirs_with_references() {
    let characters: Vec<char> =
        "a\n\\~¥‾ｱ。あ亜−―Ê\u{304}\u{F780}가€é\u{0E}\u{0F}\u{1B}😀龠㈱ㄅ中".chars().collect();
    let mut number = generator();
    let mut random = |below: usize| number(below as u64) as usize;
    let policy = Policy::default().unmappable(OnUnmappable::Escape(ScalarEscape::Html));
    let options = Options::default().policy(policy);
    for (encoding, other) in all().filter(|(encoding, _)| !encoding.is_decode_only()) {
        for _ in 0..3000 {
            let text: String = (0..random(12)).map(|_| characters[random(characters.len())]).collect();
            let made = convert(text.as_bytes(), &UTF_8, encoding, &options).expect("escapes");
            assert_eq!(made.output, other.encode(&text).0.as_ref(), "{encoding} {text:?}");
        }
    }
}
