//! Tests the library against naive decoders, vectors of the standards, and other paths of its own.

mod boms; // BOMs at the start of a source
mod carriers; // bytes that are not text are restored
mod checker; // the checker finds the same faults as a conversion
mod checkpoints; // source and output can be cut at checkpoints
mod chunks; // every cut and every size of room gives the same result
mod docs; // every public item has an example
mod examples; // the programs in examples/
mod family; // the relatives of UTF-8 and UTF-16
mod kernels; // every set of kernels passes the vectors
mod memory; // memory grows with the output alone
#[cfg(feature = "normalize")]
mod normalize; // agrees with Unicode's test file and another normalizer
#[allow(dead_code)] // no test program uses all functions
mod oracle;
mod policies; // modes for errors
mod random;
mod restored; // every byte is restored, in every byte encoding
mod segments; // a source is converted in ranges, with a transcoder each
mod shown; // shows a conversion as a line
mod standards; // vectors of RFC 3629 and of The Unicode Standard
mod streams; // readers and writers that interrupt and fail
mod texts;
mod web; // the encodings of the WHATWG Encoding Standard agree with encoding_rs
mod whole; // whole texts in memory, without a transcoder
mod wpt; // the Web Platform Tests, and test data of encoding_rs

/// In a process with one thread, this test runs before all others, because of its name; see [`kernels`].
#[test]
fn a_kernel_set_is_chosen() {
    kernels::choose_named();
}
