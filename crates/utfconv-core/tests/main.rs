//! The tests of the library: against naive decoders, vectors of the standards, and itself in other ways.

mod boms; // what a source begins with
mod carriers; // bytes that are no text come back
mod checker; // the checker finds what a conversion finds
mod checkpoints; // source and output can be cut there
mod chunks; // whole equals chunked: every cut, every size
mod docs; // every public item has an example
mod examples; // the programs in examples/
mod family; // the relatives of UTF-8 and UTF-16
mod kernels; // every set of kernels passes the vectors
mod memory; // memory grows with the output alone
#[cfg(feature = "normalize")]
mod normalize; // as Unicode's test file and another normalizer have it
#[allow(dead_code)] // each test program uses its part
mod oracle;
mod policies; // modes for errors
mod random;
mod restored; // every byte, in every byte encoding
mod segments; // sources in ranges, one transcoder each
mod shown; // conversions as a line each
mod standards; // vectors of the RFC and of The Unicode Standard
mod streams; // odd readers and writers
mod texts;
mod web; // the encodings of the WHATWG Encoding Standard are those of encoding_rs
mod whole; // texts in memory, without a transcoder
mod wpt; // the Web Platform Tests, and test data of encoding_rs

/// Runs before all others in a process with one thread; see [`kernels`].
#[test]
fn a_kernel_set_is_chosen() {
    kernels::choose_named();
}
