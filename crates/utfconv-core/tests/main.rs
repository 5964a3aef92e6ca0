//! Tests the library against naive decoders, vectors of the standards, and other code paths of the library.

mod boms; // tests BOMs at the start of a source
mod carriers; // tests that bytes that are not text are restored
mod checker; // tests that the checker finds the faults of a conversion
mod checkpoints; // tests that source and output can be cut at checkpoints
mod chunks; // tests that cuts and buffer sizes do not change the result
mod docs; // tests that every public item has an example
mod examples; // tests the programs in examples/
mod family; // tests the relatives of UTF-8 and UTF-16
mod kernels; // tests that every set of kernels passes the vectors
mod memory; // tests that memory grows with the output alone
#[cfg(feature = "normalize")]
mod normalize; // tests against Unicode's test file and another normalizer
#[allow(dead_code)] // no test program uses all functions
mod oracle;
mod policies; // tests modes for errors
mod random;
mod restored; // tests that every byte is restored, in every byte encoding
mod segments; // tests sources that are converted in ranges, with a transcoder for each range
mod shown; // shows a conversion as a line
mod standards; // tests vectors of RFC 3629 and of The Unicode Standard
mod streams; // tests readers and writers that interrupt and fail
mod texts;
mod web; // tests that WHATWG encodings agree with encoding_rs
mod whole; // tests whole texts in memory, without a transcoder
mod wpt; // runs the Web Platform Tests, and test data of encoding_rs

/// In a process with one thread, this test runs before all others, because of its name; see [`kernels`].
#[test]
fn a_kernel_set_is_chosen() {
    kernels::choose_named();
}
