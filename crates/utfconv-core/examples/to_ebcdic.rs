//! Re-encodes UTF-8 as EBCDIC: `cargo run --example to_ebcdic < FILE > FILE`.

use std::io::{self, Read, Write};

use utfconv_core::encodings::IBM1047;
use utfconv_core::{EbcdicNewline, EncodeWriter, OnUnmappable, Options, Policy};

/// Converts UTF-8 to IBM1047. Characters that IBM1047 lacks are approximated, or become SUB. Returns the number of
/// these characters.
pub fn encode(source: &mut impl Read, sink: impl Write) -> io::Result<u64> {
    let unmappable = OnUnmappable::Translit(Box::new(OnUnmappable::Replace(Some("\u{1A}".into()))));
    let options =
        Options::default().policy(Policy::default().unmappable(unmappable)).ebcdic_newline(EbcdicNewline::Lf);
    let mut writer = EncodeWriter::new(sink, &IBM1047, options);
    io::copy(source, &mut writer)?;
    let replaced = writer.counts().unmappable();
    writer.finish()?;
    Ok(replaced)
}

pub fn main() -> io::Result<()> {
    let replaced = encode(&mut io::stdin().lock(), io::stdout().lock())?;
    eprintln!("{replaced} characters are not in IBM1047");
    Ok(())
}
