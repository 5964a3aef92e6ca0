//! Tests that the source and the output can both be cut at each checkpoint.

use utfconv_core::{
    Checkpoint, Encoding, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy, Stop, Transcoder,
    UTF_8, convert,
};

use crate::random::generator;
use crate::shown::named;

/// Encodings with shift states, surrogate pairs, BOMs, and characters that wait for the next character.
const ENCODINGS: [&str; 22] = [
    "UTF-8",
    "UTF-16",
    "UTF-16LE",
    "UTF-32",
    "UTF-32BE",
    "UTF-7",
    "CESU-8",
    "WTF-8",
    "US-ASCII",
    "ISO-8859-1",
    "windows-1252",
    "windows-1258",
    "TSCII",
    "IBM037",
    "IBM930",
    "Shift_JIS",
    "EUC-JP",
    "ISO-2022-JP",
    "GB18030",
    "Big5-HKSCS",
    "HZ",
    "SCSU",
];

/// Returns random text in an encoding, with some ill-formed bytes.
fn source(random: &mut impl FnMut(u64) -> u64, encoding: &'static Encoding) -> Vec<u8> {
    let len = if random(4) == 0 { random(3000) } else { random(200) };
    let text: String = (0..len)
        .map(|_| match random(9) {
            0 => '\n',
            1 => 'é',
            2 => 'я',
            3 => '日',
            4 => '\u{301}',
            5 => char::from_u32(random(0x110000) as u32).unwrap_or('😀'),
            _ => (b' ' + random(95) as u8).into(),
        })
        .collect();
    let policy = Policy::default().unmappable(OnUnmappable::Omit);
    let options =
        Options::default().policy(policy).output_bom([OutputBom::Auto, OutputBom::Never][random(2) as usize]);
    let mut bytes = convert(text.as_bytes(), &UTF_8, encoding, &options).expect("nothing stops it").output;
    for _ in 0..[0, 0, 3, 30][random(4) as usize] {
        let at = random(bytes.len() as u64 + 1) as usize;
        bytes.splice(at..at, (0..=random(3)).map(|_| random(256) as u8)).for_each(drop);
    }
    bytes
}

fn options(random: &mut impl FnMut(u64) -> u64) -> Options {
    let ill_formed = match random(5) {
        0 => OnIllFormed::Omit,
        1 => OnIllFormed::Escape(utfconv_core::ByteEscape::Hex),
        2 => OnIllFormed::Stop,
        _ => OnIllFormed::Replace(None),
    };
    let unmappable = match random(3) {
        0 => OnUnmappable::Omit,
        1 => OnUnmappable::Escape(utfconv_core::ScalarEscape::Xml),
        _ => OnUnmappable::Translit(Box::new(OnUnmappable::Replace(None))),
    };
    let bom = [InputBom::Auto, InputBom::Strip, InputBom::Text, InputBom::Sniff][random(4) as usize];
    let options = Options::default()
        .policy(Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(random(2) == 0))
        .input_bom(bom)
        .output_bom([OutputBom::Auto, OutputBom::Never][random(2) as usize]);
    #[cfg(feature = "normalize")]
    let options = match random(5) {
        0 => options.normalization(utfconv_core::NormalizationForm::Nfc),
        1 => options.normalization(utfconv_core::NormalizationForm::Nfkd),
        _ => options,
    };
    options
}

/// The result of a conversion whose source came byte by byte.
struct Whole {
    output: Vec<u8>,
    checkpoints: Vec<Checkpoint>,
    /// The encoding that the BOM selected.
    encoding: &'static Encoding,
}

/// Converts `source` byte by byte. Returns `None` if a fault stops the conversion.
fn whole(source: &[u8], from: &'static Encoding, to: &'static Encoding, options: &Options) -> Option<Whole> {
    let mut transcoder = Transcoder::new(from, to, options.clone());
    transcoder.count_faults();
    let (mut output, mut room, mut checkpoints) = (Vec::new(), vec![0; 1 << 12], Vec::new());
    let bytes = source.iter().map(|byte| (std::slice::from_ref(byte), false));
    for (chunk, last) in bytes.chain([(&[][..], true)]) {
        let mut taken = 0;
        loop {
            let step = transcoder.step(&chunk[taken..], &mut room, last);
            taken += step.read;
            output.extend_from_slice(&room[..step.written]);
            match step.stop {
                Stop::SourceEmpty => break,
                Stop::Stopped(_) => return None,
                _ => {}
            }
        }
        checkpoints.extend(transcoder.checkpoint().filter(|_| !last));
    }
    Some(Whole { output, checkpoints, encoding: transcoder.encoding() })
}

/// With `UTFCONV_EXHAUSTIVE` set, 100,000 checkpoints are tested instead of 3,000; use `--release`.
#[test]
fn the_halves_at_a_checkpoint_convert_separately() {
    let most = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 100_000 } else { 3_000 };
    let mut random = generator();
    let mut tried = 0;
    while tried < most {
        let [from, to] = [(); 2].map(|()| named(ENCODINGS[random(ENCODINGS.len() as u64) as usize]));
        let (source, options) = (source(&mut random, from), options(&mut random));
        let Some(Whole { output, checkpoints, encoding }) = whole(&source, from, to, &options) else {
            continue;
        };
        for _ in 0..checkpoints.len().min(10) {
            let cut = checkpoints[random(checkpoints.len() as u64) as usize];
            let context = format!("{from:?} {to:?} {options:?} {cut:?}\n{source:02X?}\n{output:02X?}");
            let (before, after) = source.split_at(cut.source as usize);
            let first = convert(before, from, to, &options).expect("nothing stopped").output;
            let rest = options.clone().input_bom(InputBom::Text).output_bom(OutputBom::Never);
            let second = convert(after, encoding, to, &rest).expect("nothing stopped").output;
            assert_eq!(first, output[..cut.output as usize], "first half: {context}");
            assert_eq!(second, output[cut.output as usize..], "second half: {context}");
            tried += 1;
        }
    }
}
