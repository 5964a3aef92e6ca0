//! Offset maps: answers for offsets of either side, against all checkpoints of a conversion byte by byte.

use utfconv_core::{
    Checkpoint, Encoding, InputBom, OffsetMap, OnIllFormed, OnUnmappable, Options, OutputBom, Policy, Stop,
    Transcoder, UTF_8, convert,
};

use crate::random::generator;
use crate::shown::named;

/// Encodings with states, pairs, BOMs and characters that wait for the next.
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

/// Text in an encoding, some of it ill-formed.
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
    let policy = Policy { unmappable: OnUnmappable::Omit, ..Policy::default() };
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
        .policy(Policy { ill_formed, unmappable, per_byte: random(2) == 0 })
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

/// All checkpoints of a conversion, and whether it came to the end.
fn all(
    source: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: &Options,
) -> (Vec<Checkpoint>, bool) {
    let mut transcoder = Transcoder::new(from, to, options.clone());
    transcoder.count_faults();
    let mut room = vec![0; 1 << 12];
    let (mut found, mut written) = (vec![Checkpoint { source: 0, output: 0 }], 0);
    let mut feed = |transcoder: &mut Transcoder, chunk: &[u8], last| {
        let mut taken = 0;
        loop {
            let step = transcoder.step(&chunk[taken..], &mut room, last);
            taken += step.read;
            written += step.written as u64;
            match step.stop {
                Stop::SourceEmpty => return (true, written),
                Stop::Stopped(_) => return (false, written),
                _ => {}
            }
        }
    };
    for byte in source {
        if !feed(&mut transcoder, &[*byte], false).0 {
            return (found, false);
        }
        found.extend(transcoder.checkpoint());
    }
    let (is_whole, output) = feed(&mut transcoder, &[], true);
    // What ends the output is missing there.
    found.retain(|checkpoint| checkpoint.source == 0 || checkpoint.source < source.len() as u64);
    if is_whole {
        found.push(Checkpoint { source: source.len() as u64, output });
    }
    (found, is_whole)
}

/// With `UTFCONV_EXHAUSTIVE` set, and `--release`, this tries 100,000 offsets of each side.
#[test]
fn answers_are_those_of_all_checkpoints() {
    let most = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 100_000 } else { 3_000 };
    let mut random = generator();
    let (mut tried, mut cut, mut encodings) = (0, 0, std::collections::BTreeSet::new());
    while tried < most {
        let [from, to] = [(); 2].map(|()| named(ENCODINGS[random(ENCODINGS.len() as u64) as usize]));
        let (source, options) = (source(&mut random, from), options(&mut random));
        let map = OffsetMap::new(&source, from, to, &options);
        let (expected, is_whole) = all(&source, from, to, &options);
        let end = expected[expected.len() - 1];
        let context = format!("{from:?} {to:?} {options:?}\n{source:02X?}");
        assert_eq!(map.end(), is_whole.then_some(end), "{context}");
        encodings.insert(from.name());
        let output = is_whole.then(|| convert(&source, from, to, &options).expect("whole").output);
        for _ in 0..10 {
            let (by_source, by_output) = (random(source.len() as u64 + 3), random(end.output + 3));
            let last = |is_before: &dyn Fn(&Checkpoint) -> bool| {
                *expected.iter().rfind(|one| is_before(one)).expect("one")
            };
            let found = [map.at_source(by_source), map.at_output(by_output)];
            assert_eq!(found[0], last(&|one| one.source <= by_source), "source {by_source}: {context}");
            assert_eq!(found[1], last(&|one| one.output <= by_output), "output {by_output}: {context}");
            tried += 1;
            // Both halves convert to each other.
            let Some(output) = &output else { continue };
            for Checkpoint { source: at, output: end } in found.into_iter().filter(|one| one.source > 0) {
                let (at, end) = (at as usize, end as usize);
                let first = convert(&source[..at], from, to, &options).expect("the first half");
                assert_eq!(first.output, output[..end], "first half, {at} {end}: {context}");
                let rest = options.clone().input_bom(InputBom::Text).output_bom(OutputBom::Never);
                let second = convert(&source[at..], map.encoding(), to, &rest).expect("the second half");
                assert_eq!(second.output, output[end..], "second half, {at} {end}: {context}");
                cut += 1;
            }
        }
    }
    assert!(cut > most, "{cut} of {tried}");
    assert_eq!(encodings.len(), ENCODINGS.len());
}

/// The index has checkpoints, so that an answer is quick in a long source; and without them it is right.
#[test]
fn long_sources_are_indexed() {
    let text = "日本語 text ".repeat(20_000);
    let map = OffsetMap::new(text.as_bytes(), &UTF_8, named("UTF-16LE"), &Options::default());
    for at in (0..text.len() as u64).step_by(9_973) {
        let found = map.at_source(at);
        let output = 2 * text[..found.source as usize].encode_utf16().count() as u64;
        assert!(found.source <= at && at < found.source + 3 && found.output == output, "{at}: {found:?}");
        assert_eq!(map.at_output(found.output), found);
        assert_eq!(map.at_output(found.output + 1), found);
    }
    // A line in one shift state.
    let text = format!("a\n{}\nb", "日".repeat(5_000));
    let map = OffsetMap::new(text.as_bytes(), &UTF_8, named("ISO-2022-JP"), &Options::default());
    assert_eq!(map.at_source(9_000), Checkpoint { source: 2, output: 2 });
    assert_eq!(map.at_output(9_000), Checkpoint { source: 2, output: 2 });
    assert_eq!(map.at_source(15_003).source, 15_003);
}
