//! Bytes of any kind come back from their carriers.

use utfconv_core::{
    Carrier, Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy, UTF_16LE, UTF_32BE,
    convert,
};

use crate::random::generator;

fn noise(count: usize) -> Vec<u8> {
    let mut random = generator();
    // Much of it is text, some of it carriers already.
    let pieces: [&[u8]; 8] = [
        b"plain text\n",
        "é€😀漢字".as_bytes(),
        "\u{EF80}\u{EFFF}".as_bytes(),
        "\u{10FFFD}xE9 \u{10FFFD}x \u{10FFFD}".as_bytes(),
        b"\xED\xB2\x80",
        b"\xC0\xAF",
        b"\xE2\x82",
        b"\x84\x31\x81\x30",
    ];
    let mut bytes = Vec::new();
    while bytes.len() < count {
        match random(4) {
            0 => bytes.extend_from_slice(pieces[random(pieces.len() as u64) as usize]),
            _ => bytes.push(random(256) as u8),
        }
    }
    bytes
}

/// Random bytes through every carrier, in all kinds of encodings of bytes, to wider units and back.
pub fn bring_back(count: usize) {
    let source = noise(count);
    for carrier in [Carrier::SurrogateEscape, Carrier::Pua, Carrier::C8] {
        let policy = Policy {
            ill_formed: OnIllFormed::Carry(carrier),
            unmappable: OnUnmappable::Carry(carrier),
            per_byte: false,
        };
        let options =
            Options::default().policy(policy).input_bom(InputBom::Text).output_bom(OutputBom::Never);
        let convert = |source: &[u8], from, to| {
            convert(source, from, to, &options)
                .unwrap_or_else(|error| panic!("{carrier:?} {from:?} {to:?}: {error}"))
        };
        for name in [
            "UTF-8",
            "CESU-8",
            "US-ASCII",
            "windows-1252",
            "ISO-8859-7",
            "WTF-8",
            "GB18030",
            "Shift_JIS",
            "EUC-JP",
        ] {
            let bytes = Encoding::named(name).expect("known");
            assert_eq!(convert(&source, bytes, bytes).output, source, "{carrier:?} {name} to itself");
            for units in [&UTF_16LE, &UTF_32BE] {
                // Sound surrogates of WTF-8 have no place in UTF-32, unless they travel as bytes.
                if name == "WTF-8" && units == &UTF_32BE && carrier != Carrier::SurrogateEscape {
                    continue;
                }
                let there = convert(&source, bytes, units).output;
                let back = convert(&there, units, bytes).output;
                assert!(back == source, "{carrier:?} {name} through {units:?}");
            }
        }
    }
}
