//! Tests whole code spaces against the naive decoders.
//!
//! The short run is part of every test run. The exhaustive run takes minutes on two cores:
//!
//! ```text
//! UTFCONV_EXHAUSTIVE=1 cargo test --release --test exhaustive -- --nocapture
//! ```

#[allow(dead_code)] // no test program uses all functions
mod oracle;

mod carriers;
mod random;

use std::sync::atomic::{AtomicU32, Ordering};

use oracle::Piece;
use utfconv_core::{
    Encoding, Fault, InputBom, OnIllFormed, OnUnmappable, Options, OutputBom, Policy, convert,
    convert_reporting, kernels::KernelSet,
};

/// The encodings with a fixed byte order. UTF-16 and UTF-32 are not listed, because after the BOM they equal a listed
/// encoding.
const FIXED: [&str; 8] =
    ["UTF-8", "CESU-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1", "US-ASCII"];

/// Bytes at which the rules of UTF-8 change, and their neighbors.
const EDGE_BYTES: [u8; 22] = [
    0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xAF, 0xB0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xED, 0xEF,
    0xF0, 0xF4, 0xF5, 0xF8, 0xFF,
];

/// Code units at the bounds of the surrogates.
const EDGE_UNITS: [u16; 10] =
    [0x0000, 0x0041, 0x00FF, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];

fn is_whole() -> bool {
    std::env::var_os("UTFCONV_EXHAUSTIVE").is_some()
}

fn named(name: &str) -> &'static Encoding {
    Encoding::for_name(name).expect("known")
}

/// Returns options under which U+FEFF is a character like any other.
fn replacing_nothing() -> Options {
    Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never)
}

fn replacing() -> Options {
    replacing_nothing().policy(
        Policy::default()
            .ill_formed(OnIllFormed::Replace(None))
            .unmappable(OnUnmappable::Replace(None))
            .per_byte(false),
    )
}

/// Distributes the numbers below `count` over the cores.
fn on_all_cores(count: u32, work: impl Fn(u32) + Sync) {
    let next = AtomicU32::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let item = next.fetch_add(1, Ordering::Relaxed);
                    if item >= count {
                        break;
                    }
                    work(item);
                }
            });
        }
    });
}

/// Tests every string of four bytes at the last positions of a block of each set of kernels, with more text after it.
/// The well-formed prefix must be as long as std finds, and must be converted to its end.
#[test]
fn every_four_bytes_at_the_edge_of_a_block() {
    let bytes: Vec<u8> = if is_whole() { (0..=255).collect() } else { EDGE_BYTES.to_vec() };
    // In the exhaustive run, half of the four bytes are in the next block.
    let places = if is_whole() { 62..63 } else { 61..64 };
    let cases: Vec<_> =
        bytes.iter().flat_map(|lead| places.clone().map(move |place| (*lead, place))).collect();
    for set in KernelSet::all() {
        let name = set.name();
        on_all_cores(cases.len() as u32, |case| {
            let (lead, place) = cases[case as usize];
            let validate = set.well_formed(named("UTF-8")).expect("a validator");
            let convert = set.between(named("UTF-8"), named("UTF-16LE")).expect("a kernel");
            let mut source = [b'a'; 64 + 64 + 8];
            let (mut found, mut expected) = ([0; 2 * 136 + 64], Vec::new());
            for (second, third) in
                bytes.iter().flat_map(|second| bytes.iter().map(move |third| (second, third)))
            {
                for fourth in &bytes {
                    source[place..place + 4].copy_from_slice(&[lead, *second, *third, *fourth]);
                    let sound = match str::from_utf8(&source) {
                        Ok(text) => text,
                        Err(error) => str::from_utf8(&source[..error.valid_up_to()]).expect("it is valid"),
                    };
                    assert_eq!(validate(&source), sound.len(), "{name} {source:02X?}");
                    let (read, written) = convert(&source, &mut found);
                    expected.clear();
                    expected.extend(sound.encode_utf16().flat_map(u16::to_le_bytes));
                    assert_eq!(
                        (read, &found[..written]),
                        (sound.len(), &expected[..]),
                        "{name} {source:02X?}"
                    );
                }
            }
        });
    }
}

#[test]
fn every_scalar_value_through_every_ordered_pair() {
    let scalars: Vec<u32> = (0..0x110000).filter(|value| char::from_u32(*value).is_some()).collect();
    assert_eq!(scalars.len(), 1_112_064);
    on_all_cores((FIXED.len() * FIXED.len()) as u32, |pair| {
        let (from, to) = (FIXED[pair as usize / FIXED.len()], FIXED[pair as usize % FIXED.len()]);
        let unmapped = oracle::encode(to, 0xFFFD).unwrap_or(b"?".to_vec());
        let (mut source, mut expected, mut lost) = (Vec::new(), Vec::new(), 0);
        // A million faults take long, so the short run leaves out some characters that the target cannot encode.
        let is_small = !is_whole() && ["ISO-8859-1", "US-ASCII"].contains(&to);
        for &scalar in &scalars {
            if is_small && scalar >= 0x3000 && scalar % 16 != 0 {
                continue;
            }
            let Some(bytes) = oracle::encode(from, scalar) else { continue };
            source.extend(bytes);
            match oracle::encode(to, scalar) {
                Some(bytes) => expected.extend(bytes),
                None => {
                    expected.extend(&unmapped);
                    lost += 1;
                }
            }
        }
        let converted = convert(&source, named(from), named(to), &replacing()).expect("goes on");
        assert!(converted.output == expected, "{from} to {to}");
        let faults = converted.faults.ill_formed() + converted.faults.unmappable();
        assert_eq!(faults, lost, "{from} to {to}");
    });
}

/// Every scalar value is converted after a BOM, from and to the encodings that have BOMs.
#[test]
fn every_scalar_value_after_a_bom() {
    let text: String = (0..0x110000).filter_map(char::from_u32).collect();
    for (scheme, fixed) in [("UTF-16", ["UTF-16LE", "UTF-16BE"]), ("UTF-32", ["UTF-32LE", "UTF-32BE"])] {
        for order in fixed {
            let coded =
                convert(text.as_bytes(), named("UTF-8"), named(order), &replacing()).expect("maps").output;
            let marked = [oracle::encode(order, 0xFEFF).expect("a mark"), coded.clone()].concat();
            let read = convert(&marked, named(scheme), named("UTF-8"), &Options::default()).expect("reads");
            assert!(read.output == text.as_bytes(), "{scheme} from {order}");
            let written =
                convert(text.as_bytes(), named("UTF-8"), named(scheme), &Options::default()).expect("writes");
            let is_host = (order == fixed[0]) == cfg!(target_endian = "little");
            assert_eq!(written.output == marked, is_host, "{scheme} to {order}");
        }
    }
}

/// A source made of many strings, and the expected result of the oracle.
#[derive(Default)]
struct Batch {
    source: Vec<u8>,
    output: Vec<u8>,
    /// Offset and length in bytes of each fault.
    faults: Vec<(u64, usize)>,
}

impl Batch {
    /// Adds a string of bytes in UTF-8.
    fn push_utf8(&mut self, string: &[u8]) {
        let start = self.source.len();
        let mut at = 0;
        let mut fault_end = 0;
        while at < string.len() {
            match oracle::utf8_piece(&string[at..]) {
                Piece::Scalar(_, len) => {
                    self.output.extend_from_slice(&string[at..at + len]);
                    at += len;
                }
                Piece::Bad(len) => {
                    if at >= fault_end {
                        let fault_len = oracle::utf8_fault_len(&string[at..]);
                        self.faults.push(((start + at) as u64, fault_len));
                        fault_end = at + fault_len;
                    }
                    self.output.extend_from_slice("\u{FFFD}".as_bytes());
                    at += len;
                }
            }
        }
        self.source.extend_from_slice(string);
    }

    /// Adds a separator, so that no string continues in the next.
    fn push_separator(&mut self) {
        self.source.push(b'.');
        self.output.push(b'.');
    }

    /// Checks the conversion of the source to UTF-8.
    fn check(&self, from: &str) {
        self.check_to(from, "UTF-8", &self.output);
    }

    /// Checks the conversion to all targets that have kernels of their own.
    fn check_all(&self, from: &str) {
        self.check(from);
        let text = std::str::from_utf8(&self.output).expect("the oracle writes UTF-8");
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        self.check_to(from, "UTF-16LE", &utf16);
        if !is_whole() {
            let utf32: Vec<u8> = text.chars().flat_map(|scalar| u32::from(scalar).to_be_bytes()).collect();
            self.check_to(from, "UTF-32BE", &utf32);
        }
    }

    fn check_to(&self, from: &str, to: &str, expected: &[u8]) {
        let mut faults = Vec::new();
        let report = |fault: Fault| faults.push((fault.offset, fault.bytes.len()));
        let converted = convert_reporting(&self.source, named(from), named(to), &replacing(), report);
        let converted = converted.expect("goes on");
        if converted.output != expected || faults != self.faults {
            let at = converted.output.iter().zip(expected).take_while(|(a, b)| a == b).count();
            panic!("{from} to {to} differ at output byte {at}, source begins {:02X?}", &self.source[..4]);
        }
        assert_eq!(converted.faults.unmappable(), 0, "{from} to {to}");
    }
}

#[test]
fn every_byte_string_up_to_three_alone() {
    // In the short run, only two of three bytes take all values.
    let thirds: Vec<u8> = if is_whole() { (0..=255).collect() } else { EDGE_BYTES.to_vec() };
    let alone = |string: &[u8]| {
        let mut batch = Batch::default();
        batch.push_utf8(string);
        batch.check("UTF-8");
    };
    on_all_cores(256, |a| {
        let a = a as u8;
        alone(&[a]);
        for b in 0..=255 {
            alone(&[a, b]);
            thirds.iter().for_each(|c| alone(&[a, b, *c]));
        }
    });
}

#[test]
fn every_byte_string_of_four() {
    let ends: Vec<u8> = if is_whole() { (0..=255).collect() } else { EDGE_BYTES.to_vec() };
    on_all_cores(1 << 16, |lead| {
        let [a, b] = (lead as u16).to_be_bytes();
        // In the short run, a byte that begins no sequence is followed only by some second bytes.
        if !is_whole() && !matches!(a, 0xC2..=0xF4) && !EDGE_BYTES.contains(&b) {
            return;
        }
        let mut batch = Batch::default();
        for &c in &ends {
            for &d in &ends {
                batch.push_utf8(&[a, b, c, d]);
                batch.push_separator();
            }
        }
        // Other bytes begin no sequence, so the bytes after them are tested by the shorter strings.
        match a {
            0xC2..=0xF4 => batch.check_all("UTF-8"),
            _ => batch.check("UTF-8"),
        }
    });
}

/// Tests four bytes at the end of a source, for each lead byte that announces four bytes.
#[test]
fn every_byte_string_of_four_alone() {
    let ends: Vec<u8> = if is_whole() { (0..=255).collect() } else { EDGE_BYTES.to_vec() };
    let seconds: Vec<u8> = if is_whole() { (0..=255).collect() } else { (0x7F..=0xC2).collect() };
    on_all_cores(5 * seconds.len() as u32, |lead| {
        let (a, b) = (0xF0 + (lead as usize / seconds.len()) as u8, seconds[lead as usize % seconds.len()]);
        for &c in &ends {
            for &d in &ends {
                let mut batch = Batch::default();
                batch.push_utf8(&[a, b, c, d]);
                batch.check("UTF-8");
            }
        }
    });
}

#[test]
fn every_pair_of_utf_16_units() {
    let seconds: Vec<u16> = if is_whole() { (0..=u16::MAX).collect() } else { EDGE_UNITS.to_vec() };
    let pair = |batch: &mut Batch, first: u16, second: u16, big_endian: bool| {
        let bytes = |unit: u16| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() };
        let start = batch.source.len();
        let ([a, b], [c, d]) = (bytes(first), bytes(second));
        let string = [a, b, c, d];
        let mut at = 0;
        while at < 4 {
            match oracle::utf16_piece(&string[at..], big_endian) {
                Piece::Scalar(value, len) => {
                    let scalar = char::from_u32(value).expect("a scalar value");
                    batch.output.extend_from_slice(scalar.encode_utf8(&mut [0; 4]).as_bytes());
                    at += len;
                }
                Piece::Bad(len) => {
                    batch.faults.push(((start + at) as u64, len));
                    batch.output.extend_from_slice("\u{FFFD}".as_bytes());
                    at += len;
                }
            }
        }
        batch.source.extend(string);
        batch.source.extend(bytes(b'.'.into()));
        batch.output.push(b'.');
    };
    on_all_cores(1 << 16, |first| {
        for (name, big_endian) in [("UTF-16LE", false), ("UTF-16BE", true)] {
            for some in seconds.chunks(1 << 13) {
                let mut batch = Batch::default();
                some.iter().for_each(|second| pair(&mut batch, first as u16, *second, big_endian));
                batch.check(name);
            }
        }
    });
}

/// Tests every sequence of up to six bytes in which CESU-8 can differ from UTF-8.
#[test]
fn cesu_8_at_its_edges() {
    let bytes = [0x41, 0x80, 0xA0, 0xAF, 0xB0, 0xBF, 0xC2, 0xE2, 0xED, 0xF0];
    on_all_cores(bytes.len() as u32, |first| {
        let mut string = [bytes[first as usize]; 6];
        for rest in 0..bytes.len().pow(5) {
            let mut digits = rest;
            for byte in &mut string[1..] {
                *byte = bytes[digits % bytes.len()];
                digits /= bytes.len();
            }
            for to in ["UTF-8", "UTF-16LE"] {
                let expected = oracle::convert_replacing("CESU-8", to, &string);
                let converted = convert(&string, named("CESU-8"), named(to), &replacing()).expect("goes on");
                assert_eq!(converted.output, expected, "{string:02X?}");
            }
        }
    });
}

/// Converts every character of every encoding to UTF-8 and back. The short run tests only characters of plane 0 for
/// code pages, and of planes 0 to 2 for other encodings that lack some characters.
#[test]
fn every_character_comes_back() {
    let all: String = ('\0'..=char::MAX).collect();
    let [plane_0, first_planes]: [String; 2] = ['\u{10000}', '\u{30000}'].map(|end| ('\0'..end).collect());
    let options = replacing_nothing().policy(Policy::default().unmappable(OnUnmappable::Omit));
    let encodings: Vec<_> = Encoding::all().collect();
    on_all_cores(encodings.len() as u32, |index| {
        let encoding = encodings[index as usize];
        // UTF-8-MAC encodes all characters, but normalizes some.
        let has_all = encoding.name().starts_with("UTF-") && encoding.name() != "UTF-8-MAC"
            || ["MUTF-8", "WTF-8", "CESU-8", "GB18030", "SCSU", "BOCU-1"].contains(&encoding.name());
        let source = match carriers::is_of_single_bytes(encoding) {
            _ if has_all || is_whole() => &all,
            true => &plane_0,
            false => &first_planes,
        };
        let coded = convert(source.as_bytes(), named("UTF-8"), encoding, &options).expect("omits").output;
        let text = convert(&coded, encoding, named("UTF-8"), &options)
            .unwrap_or_else(|stopped| panic!("{encoding:?}: {stopped}"))
            .output;
        let again = convert(&text, named("UTF-8"), encoding, &replacing_nothing()).expect("has them").output;
        assert!(again == coded, "{encoding:?}");
        if has_all {
            assert!(text == all.as_bytes(), "{encoding:?} has all");
        }
    });
}

#[test]
fn carried_bytes_come_back() {
    carriers::bring_back(if is_whole() { 300_000 } else { 2_000 });
}
