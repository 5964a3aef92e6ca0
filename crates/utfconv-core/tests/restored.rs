//! Tests that all bytes are restored from their carriers in every byte encoding: alone, in pairs, at random and in
//! chunks.

use utfconv_core::{Carrier, Encoding, Stop, Transcoder, UTF_8, UTF_16, UTF_16LE, UTF_32BE, convert};

use crate::carriers::{
    CARRIERS, WIDE, assert_comes_back, bring_back, is_of_single_bytes, noise, of_bytes, options,
};
use crate::random::generator;

/// Converts `source` in chunks of random lengths, to room of random lengths. Returns the output.
fn in_chunks(
    source: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    carrier: Carrier,
    random: &mut impl FnMut(u64) -> u64,
) -> Vec<u8> {
    let mut transcoder = Transcoder::new(from, to, options(carrier));
    let (mut out, mut at, mut end) = (Vec::new(), 0, 0);
    let mut room = [0; 64];
    loop {
        let len = 1 + random(room.len() as u64) as usize;
        let is_last = end == source.len();
        let step = transcoder.step(&source[at..end], &mut room[..len], is_last);
        out.extend_from_slice(&room[..step.written]);
        at += step.read;
        match step.stop {
            Stop::SourceEmpty if is_last => return out,
            Stop::SourceEmpty => end = source.len().min(end + random(12) as usize),
            Stop::Stopped(fault) => panic!("{carrier:?} {from:?} {to:?}: {fault}"),
            _ => {}
        }
    }
}

#[test]
fn random_bytes_come_back() {
    bring_back(500);
}

#[test]
fn encoding_to_itself_changes_nothing() {
    let mut random = generator();
    for name in ["UTF-8", "CESU-8", "windows-1252", "GB18030", "Shift_JIS"] {
        let bytes = Encoding::for_name(name).expect("known");
        let source = noise(2000, bytes, &mut random);
        for carrier in CARRIERS {
            let output = convert(&source, bytes, bytes, &options(carrier)).expect("carries").output;
            assert!(output == source, "{name} {carrier:?}");
        }
    }
}

/// Whether every pair of bytes is tested with every carrier, which `UTFCONV_EXHAUSTIVE` requests.
fn is_whole() -> bool {
    std::env::var_os("UTFCONV_EXHAUSTIVE").is_some()
}

/// The short run tests the pairs of each encoding with one of the carriers, and pairs of single-byte encodings in one
/// text.
#[test]
fn single_bytes_and_pairs_come_back() {
    for (number, bytes) in of_bytes().enumerate() {
        // The text has all pairs of bytes, with separators and without.
        let pairs: Vec<u8> = (0..=0xFFFF_u16).flat_map(u16::to_be_bytes).collect();
        let apart: Vec<u8> = pairs
            .chunks(2)
            .flat_map(|pair| [pair, if bytes.is_ebcdic() { b"\x40" } else { b"\n" }].concat())
            .collect();
        for carrier in CARRIERS {
            if !is_whole() && carrier != CARRIERS[number % CARRIERS.len()] {
                continue;
            }
            for byte in 0..=255 {
                let some = if is_whole() { &WIDE[..] } else { &WIDE[usize::from(byte) % WIDE.len()..][..1] };
                some.iter().for_each(|wide| assert_comes_back(&[byte], bytes, wide, carrier));
            }
            assert_comes_back(&pairs, bytes, &UTF_16, carrier);
            if !is_whole() && is_of_single_bytes(bytes) {
                continue;
            }
            assert_comes_back(&apart, bytes, &UTF_16LE, carrier);
            assert_comes_back(&apart, bytes, &UTF_32BE, carrier);
        }
    }
}

/// Pairs are tested at the start and the end of a text, where a BOM may be and a sequence may be cut. The short run
/// tests one of 31 pairs.
#[test]
fn pairs_alone_come_back() {
    for bytes in of_bytes().filter(|bytes| !is_of_single_bytes(bytes)) {
        let step = if is_whole() { 1 } else { 31 };
        for code in (0..=0xFFFF_u16).step_by(step) {
            let wide = WIDE[usize::from(code >> 3) % WIDE.len()];
            assert_comes_back(&code.to_be_bytes(), bytes, wide, CARRIERS[usize::from(code) % 3]);
        }
    }
}

#[test]
fn chunks_make_no_difference() {
    let mut random = generator();
    for bytes in of_bytes() {
        for carrier in CARRIERS {
            let source = noise(300, bytes, &mut random);
            for wide in WIDE {
                let there = in_chunks(&source, bytes, wide, carrier, &mut random);
                let whole = convert(&source, bytes, wide, &options(carrier)).expect("carries").output;
                assert!(there == whole, "{carrier:?} {bytes:?} to {wide:?}");
                let back = in_chunks(&there, wide, bytes, carrier, &mut random);
                assert!(back == source, "{carrier:?} {bytes:?} through {wide:?}");
            }
        }
    }
}

#[test]
fn sources_with_several_spellings_come_back() {
    for (name, source) in [
        ("UTF-8", &b"\xEF\xBB\xBFA"[..]),
        ("UTF-8", b"\xEF\xBB\xBF"),
        ("CESU-8", b"\xEF\xBB\xBF\xEF\xBB\xBF"),
        ("windows-31j", b"\xED\xB2a"),
        ("Big5", b"\xF9\xFD"),
        ("windows-1258", b"A\xCC\xC0a\xEC"),
        ("Big5-HKSCS", b"\x88\x66\x88\x62\x88\x66"),
        ("UTF-8-2279", b"\xFC\x84\x80\x80\x80\x80\xF4\x90\x80\x80"),
        ("MUTF-8", b"a\0\xC0\x80"),
        ("IBM290", b"\x50\x0F\xFE"),
    ] {
        let bytes = Encoding::for_name(name).unwrap_or_else(|| panic!("{name}"));
        for carrier in CARRIERS {
            WIDE.iter().for_each(|wide| assert_comes_back(source, bytes, wide, carrier));
        }
    }
}

/// The code point for a byte below 80 is a carrier only if the byte is not a character, so no carrier becomes ASCII
/// unnoticed.
#[test]
fn carriers_of_ascii_are_text() {
    let private = "\u{EF2F}";
    let wide: Vec<u8> = private.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let output = convert(&wide, &UTF_16LE, &UTF_8, &options(Carrier::Pua)).expect("is text").output;
    assert_eq!(output, private.as_bytes());
    assert!(convert(b"\x2F\xDC", &UTF_16LE, &UTF_8, &options(Carrier::SurrogateEscape)).is_err());
}
