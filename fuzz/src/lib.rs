//! Shared code of the fuzz targets: the oracle, and generators of sources that are mostly well-formed.
//!
//! Random bytes hardly ever contain a well-formed run as long as a block of the kernels, so most sources are made of
//! runs of consecutive code points, with some faults between the runs.

#![forbid(unsafe_code)]

#[path = "../../crates/utfconv-core/tests/whole/agree.rs"]
pub mod agree;
#[path = "../../crates/utfconv-core/tests/oracle/mod.rs"]
pub mod oracle;

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use utfconv_core::encodings::CESU_8;
use utfconv_core::{
    Encoding, ISO_8859_1, InputBom, OnUnmappable, Options, OutputBom, Policy, US_ASCII, UTF_8, UTF_16BE,
    UTF_16LE, UTF_32BE, UTF_32LE, convert,
};

/// The encodings with a fixed byte order, all of which the oracle decodes.
pub static FIXED: [&Encoding; 8] =
    [&UTF_8, &CESU_8, &UTF_16LE, &UTF_16BE, &UTF_32LE, &UTF_32BE, &ISO_8859_1, &US_ASCII];

/// Ranges of scalar values that cover the lengths and edges of UTF-8. Surrogates within a range are left out.
const SCALARS: [(u32, u32); 14] = [
    (0x20, 0x7E),
    (0x20, 0x7E),
    (0x00, 0x7F),
    (0x0A, 0x0A),
    (0x80, 0xFF),
    (0x80, 0x7FF),
    (0x800, 0xFFFF),
    (0x10000, 0x10FFFF),
    (0x7E, 0x81),
    (0x7FE, 0x801),
    (0xD7FE, 0xE001),
    (0xFEFF, 0xFEFF),
    (0xFFFD, 0x10001),
    (0x10FFFE, 0x10FFFF),
];

/// Ranges of code points that are not scalar values, so no encoding may contain them.
const NO_SCALARS: [(u32, u32); 4] =
    [(0xD800, 0xDBFF), (0xDC00, 0xDFFF), (0xDC80, 0xDCFF), (0x110000, 0x1FFFFF)];

/// Largest number of code points in a run: a few blocks of a kernel.
const LONGEST_RUN: usize = 40;

/// Approximate largest number of bytes in a source, so that the targets stay fast.
const LARGEST_SOURCE: usize = 4096;

/// Returns options that read a BOM as text and write no BOM.
pub fn text_only(policy: Policy) -> Options {
    Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never).policy(policy)
}

/// Returns a random element of `items`.
pub fn one_of<T: Copy>(u: &mut Unstructured, items: &[T]) -> Result<T> {
    u.choose(items).copied()
}

/// Returns random scalar values until `u` is used up.
pub fn scalars(u: &mut Unstructured) -> Result<Vec<char>> {
    let mut text = Vec::new();
    while !u.is_empty() && text.len() < LARGEST_SOURCE {
        text.extend(run(u, &SCALARS)?.filter_map(char::from_u32));
    }
    Ok(text)
}

/// Returns the bytes of `text` in `encoding`; characters that the encoding lacks are left out.
pub fn spell(encoding: &Encoding, text: &[char]) -> Vec<u8> {
    text.iter().filter_map(|scalar| oracle::encode(encoding.name(), (*scalar).into())).flatten().collect()
}

/// Returns a source in `encoding`, which must be in [`FIXED`], until `u` is used up: random bytes, or text with a few
/// faults.
pub fn source(u: &mut Unstructured, encoding: &Encoding) -> Result<Vec<u8>> {
    if u.ratio(1, 8)? {
        let len = u.len().min(LARGEST_SOURCE);
        return Ok(u.bytes(len)?.to_vec());
    }
    let spell = |code_point| oracle::encode(encoding.name(), code_point).unwrap_or_default();
    let mut source = Vec::new();
    while !u.is_empty() && source.len() < LARGEST_SOURCE {
        match u.int_in_range(0..=15)? {
            // The oracle encodes surrogates and numbers above U+10FFFF as if they were scalar values.
            0 => source.extend(run(u, &NO_SCALARS)?.take(2).flat_map(spell)),
            1 => {
                let whole: Vec<u8> = run(u, &SCALARS)?.take(1).flat_map(spell).collect();
                let kept = u.int_in_range(0..=whole.len())?;
                source.extend_from_slice(&whole[..kept]);
            }
            2 => {
                let len = u.int_in_range(1..=4)?.min(u.len());
                source.extend_from_slice(u.bytes(len)?);
            }
            _ => source
                .extend(run(u, &SCALARS)?.filter(|value| char::from_u32(*value).is_some()).flat_map(spell)),
        }
    }
    Ok(source)
}

/// Returns text in `encoding`, encoded by the library itself, with a few random bytes inserted.
pub fn damaged(u: &mut Unstructured, encoding: &'static Encoding) -> Result<Vec<u8>> {
    let mut faults = Vec::new();
    for _ in 0..u.int_in_range(0..=4)? {
        faults.push((u.arbitrary::<u16>()?, u.arbitrary::<u8>()?));
    }
    let mut bytes = coded(encoding, &scalars(u)?);
    for (at, byte) in faults {
        bytes.insert(usize::from(at) % (bytes.len() + 1), byte);
    }
    Ok(bytes)
}

/// Returns `text` in `encoding`, encoded by the library itself; characters that the encoding lacks are left out.
pub fn coded(encoding: &'static Encoding, text: &[char]) -> Vec<u8> {
    let omit = Policy::default().unmappable(OnUnmappable::Omit);
    let text: String = text.iter().collect();
    convert(text.as_bytes(), &UTF_8, encoding, &text_only(omit)).expect("omits").output
}

/// Returns consecutive code points from a random range of `ranges`.
fn run(u: &mut Unstructured, ranges: &[(u32, u32)]) -> Result<impl Iterator<Item = u32> + use<>> {
    let (low, high) = one_of(u, ranges)?;
    let first = u.int_in_range(low..=high)?;
    let len = u.int_in_range(1..=LONGEST_RUN)?;
    Ok((first..=high).take(len))
}
