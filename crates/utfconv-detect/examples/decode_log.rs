//! Decodes a log of unknown encoding: `cargo run --example decode_log FILE`.

use std::error::Error;
use std::io::{BufRead, Cursor};

use utfconv_core::{DecodeReader, Encoding, OnIllFormed, Options, Policy, UTF_8};
use utfconv_detect::{Detector, Hints};

/// Returns the encoding of a log and its lines; each ill-formed sequence becomes U+FFFD.
pub fn lines(log: Vec<u8>) -> (&'static str, impl Iterator<Item = std::io::Result<String>>) {
    let mut detector = Detector::new(Hints::default());
    detector.feed(&log);
    let encoding = detector.finish().name.and_then(Encoding::for_name).unwrap_or(&UTF_8);
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let options = Options::default().policy(policy);
    (encoding.name(), DecodeReader::sniffing(Cursor::new(log), encoding, options).lines())
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).unwrap_or_else(|| "Cargo.toml".into());
    let (encoding, lines) = lines(std::fs::read(path)?);
    eprintln!("{encoding}");
    lines.for_each(|line| println!("{}", line.expect("the log is in memory")));
    Ok(())
}
