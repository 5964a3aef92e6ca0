//! Lists the conversions, each with its implementations in several libraries.
//!
//! Each rival uses its fastest function that validates the input; if a rival has no validating function, a comment says so.

use encoding_rs::mem;
use utfconv_core::Encoding;
use utfconv_core::kernels::KernelSet;

use crate::buffer::{Unit, units, units_mut};

/// Converts the whole first slice into the second, and returns the number of bytes written. A validation writes nothing, and
/// returns the number of well-formed bytes.
pub type Run = Box<dyn FnMut(&[u8], &mut [u8]) -> usize>;
type Rival = fn(&[u8], &mut [u8]) -> usize;

pub struct Contestant {
    pub name: &'static str,
    pub run: Run,
}

/// A conversion, with its implementations.
pub struct Conversion {
    pub name: &'static str,
    pub from: &'static str,
    /// Encoding of the output; equal to `from` for a validation.
    pub to: &'static str,
    work: Work,
    rivals: &'static [(&'static str, Rival)],
}

#[derive(PartialEq)]
enum Work {
    Validate,
    Convert,
    Copy,
}

impl Conversion {
    pub fn is_of_latin1(&self) -> bool {
        [self.from, self.to].contains(&"ISO-8859-1")
    }

    pub fn is_validation(&self) -> bool {
        self.work == Work::Validate
    }

    /// Returns the libraries that implement this conversion, utfconv first.
    pub fn contestants(&self) -> Result<Vec<Contestant>, String> {
        let named = |name| Encoding::for_name(name).ok_or_else(|| format!("utfconv does not know {name}"));
        let ours: Option<Run> = match self.work {
            Work::Copy => None,
            Work::Validate => {
                let validator =
                    KernelSet::active().well_formed(named(self.from)?).ok_or("utfconv has no validator")?;
                Some(Box::new(move |src, _| validator(src)))
            }
            Work::Convert => {
                let kernel =
                    KernelSet::active().between(named(self.from)?, named(self.to)?).ok_or("utfconv has no kernel")?;
                Some(Box::new(move |src, dst| {
                    // A kernel may stop before the end of the source, so call it again for the rest.
                    let (mut read, mut written) = (0, 0);
                    while read < src.len() {
                        let (more, out) = kernel(&src[read..], &mut dst[written..]);
                        if more == 0 {
                            break;
                        }
                        (read, written) = (read + more, written + out);
                    }
                    written
                }))
            }
        };
        let ours = ours.map(|run| Contestant { name: "utfconv", run });
        let rivals = self.rivals.iter().map(|&(name, run)| Contestant { name, run: Box::new(run) });
        Ok(ours.into_iter().chain(rivals).collect())
    }
}

/// Encodes a text with std alone; `None` if the encoding lacks a character.
pub fn encode(text: &str, encoding: &str) -> Option<Vec<u8>> {
    match encoding {
        "UTF-8" => Some(text.as_bytes().to_vec()),
        "UTF-16LE" => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        "UTF-16BE" => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        "UTF-32LE" => Some(text.chars().flat_map(|scalar| u32::from(scalar).to_le_bytes()).collect()),
        "ISO-8859-1" => text.chars().map(|scalar| u8::try_from(u32::from(scalar)).ok()).collect(),
        _ => unreachable!("no row has {encoding}"),
    }
}

const fn validation(
    name: &'static str,
    from: &'static str,
    rivals: &'static [(&'static str, Rival)],
) -> Conversion {
    Conversion { name, from, to: from, work: Work::Validate, rivals }
}

const fn conversion(
    name: &'static str,
    from: &'static str,
    to: &'static str,
    rivals: &'static [(&'static str, Rival)],
) -> Conversion {
    Conversion { name, from, to, work: Work::Convert, rivals }
}

/// A function of simdutf that converts code units `$from` to code units `$to`. It takes pointers, and does not check the
/// space in the destination.
macro_rules! simdutf {
    ($function:ident: $from:ty => $to:ty) => {
        ("simdutf", |src, dst| {
            let (src, dst) = (units::<$from>(src), units_mut::<$to>(dst));
            // SAFETY: both slices are aligned, and `dst` has space for the whole output, because its length was computed
            // with std before.
            let written = unsafe { simdutf::$function(src.as_ptr(), src.len(), dst.as_mut_ptr()) };
            written * size_of::<$to>()
        })
    };
}

/// Swaps the byte order with simdutf, whose function for this does not validate. So each block is validated and then swapped
/// while it is in the L1 cache.
fn simdutf_swap(src: &[u8], dst: &mut [u8]) -> usize {
    const BLOCK: usize = 8 << 10;
    let (mut rest, dst) = (units::<u16>(src), units_mut::<u16>(dst));
    let mut written = 0;
    while !rest.is_empty() {
        let mut len = rest.len().min(BLOCK);
        if len < rest.len() && (0xD800..0xDC00).contains(&rest[len - 1]) {
            len -= 1; // the low surrogate is in the next block
        }
        let block;
        (block, rest) = rest.split_at(len);
        if !simdutf::validate_utf16le(block) {
            break;
        }
        let sink = &mut dst[written..written + len];
        // SAFETY: `block` and `sink` have `len` code units each.
        unsafe { simdutf::change_endianness_utf16(block.as_ptr(), len, sink.as_mut_ptr()) };
        written += len;
    }
    written * 2
}

/// Writes scalar values as UTF-8 with std.
fn std_to_utf8(scalars: impl Iterator<Item = char>, dst: &mut [u8]) -> usize {
    scalars.fold(0, |written, scalar| written + scalar.encode_utf8(&mut dst[written..]).len())
}

/// Writes code units one by one.
fn std_to_units<T: Unit>(source: impl Iterator<Item = T>, dst: &mut [u8]) -> usize {
    let count = units_mut(dst).iter_mut().zip(source).map(|(place, unit)| *place = unit).count();
    count * size_of::<T>()
}

/// Returns the source as a `str`. std decodes only `str`, which is well-formed.
fn std_str(src: &[u8]) -> &str {
    str::from_utf8(src).expect("the texts are well-formed")
}

pub static CONVERSIONS: [Conversion; 13] = [
    validation(
        "validate utf8",
        "UTF-8",
        &[
            ("simdutf", |src, _| {
                let result = simdutf::validate_utf8_with_errors(src);
                if result.error == simdutf::ErrorCode::Success { src.len() } else { result.count }
            }),
            ("encoding_rs", |src, _| encoding_rs::Encoding::utf8_valid_up_to(src)),
            ("std", |src, _| str::from_utf8(src).map_or_else(|fault| fault.valid_up_to(), str::len)),
        ],
    ),
    conversion(
        "utf8->utf16le",
        "UTF-8",
        "UTF-16LE",
        &[
            simdutf!(convert_utf8_to_utf16le: u8 => u16),
            ("encoding_rs", |src, dst| {
                2 * mem::convert_utf8_to_utf16_without_replacement(src, units_mut(dst)).unwrap_or(0)
            }),
            ("std", |src, dst| std_to_units(std_str(src).encode_utf16(), dst)),
        ],
    ),
    conversion(
        "utf16le->utf8",
        "UTF-16LE",
        "UTF-8",
        &[
            simdutf!(convert_utf16le_to_utf8: u16 => u8),
            // This function replaces ill-formed code units instead of rejecting them.
            ("encoding_rs", |src, dst| mem::convert_utf16_to_utf8(units(src), dst)),
            ("std", |src, dst| {
                std_to_utf8(
                    char::decode_utf16(units(src).iter().copied()).map(|scalar| scalar.expect("no fault")),
                    dst,
                )
            }),
        ],
    ),
    conversion(
        "utf8->utf32le",
        "UTF-8",
        "UTF-32LE",
        &[
            simdutf!(convert_utf8_to_utf32: u8 => u32),
            ("std", |src, dst| std_to_units(std_str(src).chars().map(u32::from), dst)),
        ],
    ),
    conversion(
        "utf32le->utf8",
        "UTF-32LE",
        "UTF-8",
        &[
            simdutf!(convert_utf32_to_utf8: u32 => u8),
            ("std", |src, dst| {
                std_to_utf8(units(src).iter().map(|&unit| char::from_u32(unit).expect("no fault")), dst)
            }),
        ],
    ),
    conversion("utf16le->utf32le", "UTF-16LE", "UTF-32LE", &[simdutf!(convert_utf16le_to_utf32: u16 => u32)]),
    conversion("utf32le->utf16le", "UTF-32LE", "UTF-16LE", &[simdutf!(convert_utf32_to_utf16le: u32 => u16)]),
    conversion("utf16le->utf16be", "UTF-16LE", "UTF-16BE", &[("simdutf", simdutf_swap)]),
    conversion(
        "latin1->utf8",
        "ISO-8859-1",
        "UTF-8",
        &[
            simdutf!(convert_latin1_to_utf8: u8 => u8),
            ("encoding_rs", mem::convert_latin1_to_utf8),
            ("std", |src, dst| std_to_utf8(src.iter().map(|&byte| char::from(byte)), dst)),
        ],
    ),
    conversion(
        "utf8->latin1",
        "UTF-8",
        "ISO-8859-1",
        &[
            simdutf!(convert_utf8_to_latin1: u8 => u8),
            // This function does not validate its input.
            ("encoding_rs", mem::convert_utf8_to_latin1_lossy),
        ],
    ),
    conversion(
        "latin1->utf16le",
        "ISO-8859-1",
        "UTF-16LE",
        &[
            simdutf!(convert_latin1_to_utf16le: u8 => u16),
            ("encoding_rs", |src, dst| {
                mem::convert_latin1_to_utf16(src, units_mut(dst));
                2 * src.len()
            }),
        ],
    ),
    conversion(
        "utf16le->latin1",
        "UTF-16LE",
        "ISO-8859-1",
        &[
            simdutf!(convert_utf16le_to_latin1: u16 => u8),
            // This function does not check for characters that ISO-8859-1 lacks.
            ("encoding_rs", |src, dst| {
                mem::convert_utf16_to_latin1_lossy(units(src), dst);
                src.len() / 2
            }),
        ],
    ),
    // Measures a plain copy, as the upper limit for all conversions.
    Conversion {
        name: "copy",
        from: "UTF-8",
        to: "UTF-8",
        work: Work::Copy,
        rivals: &[("memcpy", |src, dst| {
            dst[..src.len()].copy_from_slice(src);
            src.len()
        })],
    },
];

// Requires a little-endian machine, because the rows are for little-endian, and simdutf and encoding_rs use the
// machine's byte order.
const _: () = assert!(cfg!(target_endian = "little"));
