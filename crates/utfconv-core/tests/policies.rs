//! Modes for errors: random texts through every pair of encodings.

use utfconv_core::{OnIllFormed, OnUnmappable, Options, Policy, UTF_8, convert};

use crate::oracle;
use crate::random::generator;
use crate::texts::CORE;

#[test]
fn random_sources_through_every_pair_as_the_oracle_has_them() {
    let policy = Policy {
        ill_formed: OnIllFormed::Replace(None),
        unmappable: OnUnmappable::Replace(None),
        per_byte: false,
    };
    let options = Options::default()
        .input_bom(utfconv_core::InputBom::Text)
        .output_bom(utfconv_core::OutputBom::Never)
        .policy(policy);
    let mut random = generator();
    let fixed: Vec<_> = CORE.iter().copied().filter(|e| !matches!(e.name(), "UTF-16" | "UTF-32")).collect();
    for round in 0..400 {
        let mut source = Vec::new();
        for from in &fixed {
            source.clear();
            // Well-formed text of one kind of character, damaged here and there.
            let range: [u64; 5] = [0x80, 0x800, 0xD800, 0x10000, 0x110000];
            let limit = range[round % 5];
            for _ in 0..random(80) {
                let scalar = if random(3) == 0 { random(0x80) } else { random(limit) };
                source.extend(
                    oracle::encode(from.name(), scalar as u32)
                        .filter(|_| !(0xD800..=0xDFFF).contains(&scalar))
                        .unwrap_or_default(),
                );
            }
            for _ in 0..random(4) {
                if !source.is_empty() {
                    let at = random(source.len() as u64) as usize;
                    source[at] = random(256) as u8;
                }
            }
            for to in &fixed {
                let expected = oracle::convert_replacing(from.name(), to.name(), &source);
                let converted = convert(&source, from, to, &options).expect("goes on");
                assert_eq!(converted.output, expected, "{from:?} {to:?} {source:02X?}");
            }
        }
    }
    assert!(convert(b"\xFF", &UTF_8, &UTF_8, &Options::default()).is_err());
}
