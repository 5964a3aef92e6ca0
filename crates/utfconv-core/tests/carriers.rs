//! Converts bytes to wider code units and back, and asserts that the bytes are restored from their carriers.

use utfconv_core::{
    Carrier, Encoding, OnIllFormed, OnUnmappable, Options, Policy, UTF_16, UTF_16BE, UTF_16LE, UTF_32,
    UTF_32BE, UTF_32LE, convert,
};

use crate::random::generator;

pub const CARRIERS: [Carrier; 3] = [Carrier::SurrogateEscape, Carrier::Pua, Carrier::C8];

/// The encodings that can hold the carriers of all bytes.
pub static WIDE: [&Encoding; 6] = [&UTF_16LE, &UTF_16BE, &UTF_16, &UTF_32LE, &UTF_32BE, &UTF_32];

pub fn of_bytes() -> impl Iterator<Item = &'static Encoding> {
    Encoding::all().filter(|encoding| encoding.is_of_bytes())
}

pub fn options(carrier: Carrier) -> Options {
    Options::default().policy(
        Policy::default()
            .ill_formed(OnIllFormed::Carry(carrier))
            .unmappable(OnUnmappable::Carry(carrier))
            .per_byte(false),
    )
}

/// Converts `source` to `wide` and back, and asserts that the bytes are equal.
pub fn assert_comes_back(source: &[u8], bytes: &'static Encoding, wide: &'static Encoding, carrier: Carrier) {
    let convert = |source: &[u8], from, to| {
        convert(source, from, to, &options(carrier))
            .unwrap_or_else(|error| panic!("{carrier:?} {from:?} {to:?}: {error}"))
            .output
    };
    let there = convert(source, bytes, wide);
    let back = convert(&there, wide, bytes);
    if back != source {
        let at = back.iter().zip(source).take_while(|(one, other)| one == other).count();
        let [source, back] = [source, &back].map(|all| &all[at.saturating_sub(4)..all.len().min(at + 8)]);
        panic!("{carrier:?} {bytes:?} through {wide:?}: at {at}, {source:02X?} came back as {back:02X?}");
    }
}

/// Returns random bytes mixed with text and carriers.
pub fn noise(count: usize, bytes: &'static Encoding, random: &mut impl FnMut(u64) -> u64) -> Vec<u8> {
    let samples = [
        "plain text\n",
        "é€😀漢字Ạ̀ê̄א",
        "\u{FEFF}\u{EF80}\u{EFFF}\u{EF41}",
        "\u{10FFFD}xE9 \u{10FFFD}x \u{10FFFD}",
    ];
    let omit = Policy::default().unmappable(OnUnmappable::Omit);
    let omit = Options::default().policy(omit);
    let coded = |text: &str| {
        convert(text.as_bytes(), &utfconv_core::UTF_8, bytes, &omit).expect("omits the rest").output
    };
    let mut chunks = samples.map(coded).to_vec();
    chunks.extend(["\u{EF80}", "\u{10FFFD}"].map(|text| text.as_bytes().to_vec()));
    for bytes in
        [&b"\xED\xB2\x80"[..], b"\xED\xA0\x80", b"\xC0\xAF", b"\xE2\x82", b"\x84\x31\x81\x30", b"\xFC\x84"]
    {
        chunks.push(bytes.to_vec());
    }
    let mut noise = Vec::new();
    while noise.len() < count {
        match random(4) {
            0 => noise.extend_from_slice(&chunks[random(chunks.len() as u64) as usize]),
            _ => noise.push(random(256) as u8),
        }
    }
    noise
}

/// Converts random bytes with every carrier, from every byte encoding to wider code units and back.
pub fn bring_back(count: usize) {
    let mut random = generator();
    for bytes in of_bytes() {
        let source = noise(count, bytes, &mut random);
        for carrier in CARRIERS {
            for wide in WIDE {
                assert_comes_back(&source, bytes, wide, carrier);
            }
        }
    }
}

/// Whether each byte is a character by itself, as in most code pages. Pairs of bytes and chunks are then not worth
/// testing in full.
pub fn is_of_single_bytes(encoding: &'static Encoding) -> bool {
    let bytes = b"\xE1\xE1\x41\xC3\xA9";
    let wide_len =
        || convert(bytes, encoding, &UTF_16LE, &options(Carrier::C8)).expect("carries").output.len();
    encoding.is_of_bytes()
        && wide_len() == 2 * bytes.len()
        && !["windows-1255", "windows-1258", "TCVN5712-1"].contains(&encoding.name())
}
