//! Converts text between more than 400 encodings: exactly, as a stream, with explicit modes for BOMs and errors.
//!
//! # A text in memory
//!
//! ```
//! use utfconv_core::{SHIFT_JIS, UTF_8, decode, decode_lossy, encode, encodings::WINDOWS_1252, faults};
//!
//! assert_eq!(decode_lossy(b"5 \x80, caf\xE9", &WINDOWS_1252), "5 €, café");
//! assert_eq!(encode("日本", &SHIFT_JIS)?, &b"\x93\xFA\x96\x7B"[..]);
//!
//! let fault = decode(b"one\ntwo \xFF", &UTF_8).unwrap_err();
//! assert_eq!((fault.line, fault.column, fault.offset), (2, 5, 8));
//! assert_eq!(faults(b"\xC0 \xFF", &UTF_8).count(), 2);
//! # Ok::<(), utfconv_core::Fault>(())
//! ```
//!
//! [`decode`] and [`encode`] borrow text that need not change, and stop at the first [`Fault`]. [`decode_lossy`] writes U+FFFD
//! instead, [`decode_into`] and [`encode_into`] write to a buffer of the caller, and [`faults`] returns all faults. A program that
//! uses only these (except `faults`), and names encodings as constants, links only their code: UTF-16LE alone takes 49 KB.
//!
//! # With modes for errors
//!
//! ```
//! use utfconv_core::{ISO_8859_1, OnUnmappable, Options, Policy, UTF_8, convert_reporting};
//!
//! let policy = Policy::default().unmappable(OnUnmappable::Replace(Some("EUR".into())));
//! let (options, mut faults) = (Options::default().policy(policy), Vec::new());
//! let converted =
//!     convert_reporting("5 €".as_bytes(), &UTF_8, &ISO_8859_1, &options, |fault| faults.push(fault.to_string()))?;
//! assert_eq!(converted.output, b"5 EUR");
//! let fault = "unmappable character at byte 2: E2 82 AC: U+20AC \"€\" cannot be encoded in ISO-8859-1";
//! assert_eq!(faults, [fault]);
//! # Ok::<(), Box<utfconv_core::Stopped>>(())
//! ```
//!
//! [`convert`] takes any pair of encodings and counts errors, [`convert_reporting`] reports each, and [`decode_to_string`]
//! decodes under [`Options`].
//!
//! # A stream
//!
//! ```
//! use std::io::Read;
//! use utfconv_core::{DecodeReader, Options, UTF_8};
//!
//! // Any reader; its BOM decides between UTF-8, UTF-16 and UTF-32, and without one it is UTF-8.
//! let source = &b"\xFE\xFF\0h\0i"[..];
//! let mut text = String::new();
//! DecodeReader::sniffing(source, &UTF_8, Options::default()).read_to_string(&mut text)?;
//! assert_eq!(text, "hi");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`DecodeReader`] reads UTF-8 from any source, and [`EncodeWriter`] writes it in any encoding. [`convert_stream`]
//! converts from a reader to a writer. [`Transcoder`] takes chunks, also from [asynchronous](Transcoder#in-a-task)
//! sources. A fault ends the conversion, unless the [`Policy`] says what to write for it.
//!
//! # A check
//!
//! ```
//! use utfconv_core::{CheckItem, Checker, UTF_8};
//!
//! let source = b"caf\xE9\n";
//! let mut checker = Checker::new(&UTF_8);
//! assert_eq!(checker.next(source, true), CheckItem::Text(3));
//! let CheckItem::Fault(fault) = checker.next(&source[3..], true) else { panic!("E9 leads nothing") };
//! assert_eq!((fault.line, fault.column), (1, 4));
//! assert_eq!(fault.to_string(), "invalid UTF-8 (truncated) at byte 3: E9 starts a sequence of 3 bytes, 1 found");
//! ```
//!
//! A [`Fault`] holds the kind of error, the position (byte, line, column) and the bytes.
//!
//! # How it works
//!
//! ```text
//! source -> BOM -> decode --- scalar values ---> encode -> output -> sink
//!                          | ill-formed                  | unmappable
//!                          +---------> policy <----------+
//! ```
//!
//! Between decoder and encoder the text may be normalized ([`Options::normalization`]). The result does not depend on
//! where a source is cut into chunks. Memory does not grow with the source. Well-formed runs go through SIMD code on
//! x86-64 (AVX2, AVX-512) and 64-bit ARM (NEON).
//!
//! The library parses no arguments, prints nothing, opens no files, reads no environment and never exits. It conforms
//! to The Unicode Standard, chapter 3, then RFC 3629, RFC 2781 and UTR #26.
//!
//! # Features
//!
//! All are on by default.
//!
//! - `encodings`: all families of [`encodings`]. A program that looks up encodings by name links the families that are
//!   on.
//!   - `pages`: the code pages of ISO 8859, Windows, DOS, Mac and others.
//!   - `ebcdic`: EBCDIC, also with the two-byte codes of East Asia.
//!   - `east-asian`: the encodings of East Asia, except those of EBCDIC.
//!   - `stateful`: SCSU, BOCU-1, UTF-8-MAC, ISCII, TSCII and GSM 03.38.
//! - `translit`: `OnUnmappable::Translit`, which approximates characters that a target lacks.
//! - `normalize`: normalization forms (UAX #15), [`NormalizationForm`], by icu_normalizer.
//!
//! UTF-7, UTF-8, UTF-16, UTF-32 and their relatives, ISO-8859-1, US-ASCII and the encodings of the WHATWG Encoding
//! Standard ([`Encoding::for_label`]) are always there.
//!
//! The minimum supported Rust version is 1.91.
//!
//! # Not supported
//!
//! `no_std` is not supported. [`Encoding::unsupported`] names the encodings that only other converters support.
//!
//! # From encoding_rs and encoding_rs_io
//!
//! ```
//! use std::io::Read;
//! use utfconv_core::{DecodeReader, Encoding, Options};
//!
//! // As `DecodeReaderBytesBuilder::new().encoding(Some(WINDOWS_1252)).bom_override(true).build(source)`.
//! let source = &b"caf\xE9 \x80"[..];
//! let encoding = Encoding::for_label("latin1").expect("a label");
//! let mut text = String::new();
//! DecodeReader::sniffing(source, encoding, Options::replacing()).read_to_string(&mut text)?;
//! assert_eq!(text, "café €");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! | there | here |
//! |---|---|
//! | `Encoding::for_label` | [`Encoding::for_label`], with the web's meaning of names; [`Encoding::for_name`] has IANA's |
//! | `encoding_rs::WINDOWS_1252` | `for_label("windows-1252")`; the constants in [`encodings`] are IANA's encodings |
//! | `DecodeReaderBytes` | [`DecodeReader`], which also counts what it replaced ([`DecodeReader::counts`]) |
//! | ill-formed bytes become U+FFFD | [`Options::replacing`]; the default is [`OnIllFormed::Stop`] |
//! | `bom_override`, `bom_sniffing`, `strip_bom` | [`InputBom`] |
//! | `Decoder`, `Encoder` | [`Transcoder`], between any two encodings |
//! | `Encoding::decode_with_bom_removal` | [`decode_lossy`] |
//! | `Encoding::decode`, which lets a BOM decide | [`DecodeReader::sniffing`], or [`InputBom::Sniff`] |
//! | `Encoding::encode`, with `&#...;` | [`encode`], which stops; [`convert`] with [`ScalarEscape::Html`] |
//! | `Decoder::decode_to_utf8` of a whole text | [`decode_into`] |
//! | `mem::convert_utf16_to_utf8`, `mem::convert_utf8_to_utf16` | [`decode_utf16`], [`encode_utf16`], [`encode_into`] |
//!
//! encoding_rs implements the WHATWG Encoding Standard: the 40 encodings of the web, with the web's reading of names
//! (`latin1` is windows-1252) and of errors. Here names have IANA's meaning, and [`Encoding::for_label`] has the
//! web's, by encoding_rs; UTF-16 and UTF-32 are targets, too; EBCDIC and DOS pages, UTF-7, CESU-8, WTF-8 and others
//! are there; errors come with their position and reason; and the caller decides about BOMs and errors. For a
//! browser, use encoding_rs.

#![deny(unsafe_code)] // allowed only in the vector kernels
#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Code that only vector kernels need is compiled on every architecture, so that it needs no conditions of its own.
#![cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), allow(unused))]
// The codecs of all encodings are compiled whatever features are on, so that they need no conditions either. The
// compiler generates no code for what nothing uses.
#![cfg_attr(not(feature = "default"), allow(dead_code, unused_imports, unused_macros))]

mod bom;
mod boundary;
mod check;
mod codec;
mod decode;
pub mod edit;
mod encode;
mod encoding;
mod fault;
mod form;
mod kernel;
mod legacy;
mod mapping;
mod newline;
mod normalize;
mod policy;
mod position;
mod read;
mod repertoire;
mod sequence;
mod stateful;
mod stream;
mod template;
#[cfg(test)]
mod testkit;
mod transcode;
#[cfg(feature = "translit")]
mod translit;
pub mod utf8;
mod utf8_codec;
mod whole;
mod write;

/// The encodings of the features that are on, as constants: the families of Unicode and of East Asia, and the code pages
/// of ISO 8859, Windows, DOS, Mac, EBCDIC and others. The best known are also at the crate's root, as `utfconv_core::UTF_8`.
///
/// [`Encoding::for_name`] and [`Encoding::for_label`] find them by name, [`Encoding::all`] lists them.
pub mod encodings {
    pub use crate::encoding::constants::*;
}

/// The sets of SIMD code that convert well-formed text, for benchmarks, tests and programs that convert many short
/// buffers.
///
/// ```
/// use utfconv_core::kernels::KernelSet;
/// use utfconv_core::{UTF_8, UTF_16LE};
///
/// let kernel = KernelSet::active().between(&UTF_8, &UTF_16LE).expect("no shift states");
/// // A kernel may leave the end of the text to an exact decoder.
/// let (text, mut output) = ("日本".repeat(100), [0; 400]);
/// let (read, written) = kernel(text.as_bytes(), &mut output);
/// assert!(read > 500 && written == read / 3 * 2);
/// assert_eq!(output[..4], *b"\xE5\x65\x2C\x67");
/// ```
pub mod kernels {
    pub use crate::kernel::{Kernel, NotAvailable, Set as KernelSet, Validator, shared};
}

/// Conversion with the contract of POSIX `iconv()`, which consumes a sequence only together with its output.
///
/// ```
/// use utfconv_core::exact::{ExactStop, ExactTranscoder};
/// use utfconv_core::{Options, UTF_8, UTF_16LE};
///
/// let mut transcoder = ExactTranscoder::new(&UTF_8, &UTF_16LE, Options::default()).expect("a state that can be undone");
/// // There is room for one character.
/// let step = transcoder.step(b"ab", &mut [0; 3]);
/// assert_eq!((step.read, step.written, step.stop), (1, 2, ExactStop::SinkFull));
/// ```
pub mod exact {
    pub use crate::transcode::exact::{ExactStep, ExactStop, ExactTranscoder};
}

pub use bom::{InputBom, Notice, OutputBom};
pub use check::{CheckItem, Checker, RunText, faults, utf8_well_formed_up_to};
pub use encoding::suffixes::Suffixes;
pub use encoding::{Encoding, UnknownEncoding};
#[cfg(feature = "pages")]
#[doc(no_inline)]
pub use encodings::WINDOWS_1252;
#[cfg(feature = "east-asian")]
#[doc(no_inline)]
pub use encodings::{GB18030, SHIFT_JIS};
#[doc(no_inline)]
pub use encodings::{ISO_8859_1, US_ASCII, UTF_8, UTF_16, UTF_16BE, UTF_16LE, UTF_32, UTF_32BE, UTF_32LE};
pub use fault::{BomFault, Fault, FaultBytes, FaultCounts, FaultKind, IllFormed, is_printable};
pub use mapping::{ExportError, MappingError, MappingFormat};
pub use newline::EbcdicNewline;
pub use normalize::NormalizationForm;
pub use policy::{ByteEscape, Carrier, OnIllFormed, OnUnmappable, Policy, ScalarEscape};
pub use position::Position;
pub use read::{DecodeReader, decode_to_string};
pub use repertoire::Repertoire;
pub use sequence::{Sequence, SequenceDecoder};
pub use stream::{
    Converted, More, Pump, Report, Stopped, StreamError, convert, convert_reporting, convert_stream,
};
pub use template::{InvalidTemplate, Template};
pub use transcode::segments::Segments;
pub use transcode::{Checkpoint, Options, Step, Stop, Transcoder};
#[cfg(feature = "translit")]
pub use translit::VERSION as TRANSLIT_VERSION;
pub use whole::{decode, decode_into, decode_lossy, decode_utf16, encode, encode_into, encode_utf16};
pub use write::EncodeWriter;

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
