//! Conversion of text between encodings: exact, streaming, with a say in what becomes of BOMs and faults.
//!
//! ```text
//! source -> BOM -> decode --- scalar values ---> encode -> output -> sink
//!                          | ill-formed                  | unmappable
//!                          +---------> policy <----------+
//! ```
//!
//! Between decoder and encoder the text may be normalized ([`Options::normalization`], with the feature `normalize`).
//!
//! Start with [`convert`] for a text in memory, [`convert_stream`] for a reader and a writer, and [`Transcoder`] for
//! chunks of your own. A [`Fault`] says what is wrong, where, and in which bytes.
//!
//! This library parses no arguments, prints nothing, opens nothing and never exits.
//!
//! The authority is The Unicode Standard, chapter 3, then RFC 3629, RFC 2781 and UTR #26.

#![deny(unsafe_code)] // but for the vector kernels
#![warn(missing_docs)]

mod bom;
mod boundary;
mod check;
mod decode;
mod encode;
mod encoding;
mod fault;
mod form;
#[doc(hidden)]
pub mod internals;
mod kernel;
mod legacy;
mod newline;
mod normalize;
mod policy;
mod position;
mod read;
mod repertoire;
mod stream;
mod template;
#[cfg(test)]
mod testkit;
mod transcode;
mod translit;
mod utf8;

pub use bom::{InputBom, Notice, OutputBom};
pub use check::{CheckItem, Checker, Text, utf8_well_formed_up_to};
pub use encoding::*;
pub use fault::{BomFault, Bytes, Fault, FaultKind, IllFormed, Tally, is_inert};
pub use newline::EbcdicNewline;
pub use normalize::{LONGEST_SEQUENCE, NormalizationForm};
pub use policy::{ByteEscape, Carrier, OnIllFormed, OnUnmappable, Policy, ScalarEscape};
pub use position::Position;
pub use read::{DecodeReader, decode_to_string};
pub use repertoire::Repertoire;
pub use stream::{Converted, More, Stopped, StreamError, convert, convert_stream};
pub use template::{InvalidTemplate, Template};
pub use transcode::{Options, Step, Stop, Transcoder};
pub use translit::VERSION as TRANSLIT_VERSION;

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
