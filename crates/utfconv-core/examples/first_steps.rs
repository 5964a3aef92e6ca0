//! Decodes a file, converts a stream, and checks a buffer: `cargo run --example first_steps FILE`.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufReader, Read};

use utfconv_core::{
    CheckItem, Checker, DecodeReader, More, OnUnmappable, Options, Policy, Stop, Transcoder, UTF_8, UTF_16,
    convert_stream,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).unwrap_or_else(|| "Cargo.toml".into());

    // Decode a file whose BOM decides between UTF-8, UTF-16 and UTF-32; without a BOM, it is UTF-8.
    let mut text = String::new();
    DecodeReader::sniffing(File::open(&path)?, &UTF_8, Options::default()).read_to_string(&mut text)?;
    println!("{} characters", text.chars().count());

    // Convert from UTF-8 to UTF-16 with a BOM, and report errors on the way.
    let policy = Policy::default().unmappable(OnUnmappable::Replace(None));
    let mut transcoder = Transcoder::new(&UTF_8, &UTF_16, Options::default().policy(policy));
    let report = |stop| {
        if let Stop::Fault(fault) | Stop::Stopped(fault) = stop {
            eprintln!("line {}, column {}: {fault}", fault.line, fault.column);
        }
        More::Report
    };
    let mut source = BufReader::new(File::open(&path)?);
    convert_stream(&mut source, &mut io::sink(), &mut transcoder, &mut [0; 8192], report)?;

    // Find every error in a buffer, with its position.
    let (source, mut at) = (b"caf\xE9\n", 0);
    let mut checker = Checker::new(&UTF_8);
    loop {
        match checker.next(&source[at..], true) {
            CheckItem::Incomplete => break Ok(()),
            CheckItem::Fault(fault) => println!("{fault}"),
            _ => {}
        }
        at = checker.position().offset() as usize;
    }
}
