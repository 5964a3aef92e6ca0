//! Asserts that functions for whole texts give the same results as [`convert`]. The fuzz target `whole` uses this
//! module, too.

use std::borrow::Cow;

use utfconv_core::{
    Encoding, Fault, InputBom, OnIllFormed, Options, OutputBom, Policy, Stop, UTF_8, convert, decode,
    decode_into, decode_lossy, encode, encode_into,
};

/// Converts a source to UTF-8 without a BOM. Returns the text, or the fault.
fn converted(source: &[u8], from: &'static Encoding, ill_formed: OnIllFormed) -> Result<String, Fault> {
    let policy = Policy::default().ill_formed(ill_formed);
    let options = Options::default().input_bom(InputBom::Strip).output_bom(OutputBom::Never).policy(policy);
    match convert(source, from, &UTF_8, &options) {
        Ok(converted) => Ok(String::from_utf8(converted.output).expect("UTF-8")),
        Err(stopped) => Err(stopped.fault),
    }
}

/// Asserts that all functions that decode agree on a source.
#[track_caller]
pub fn assert_decodes(source: &[u8], from: &'static Encoding) {
    let expected = converted(source, from, OnIllFormed::Stop);
    assert_eq!(decode(source, from).map(Cow::into_owned), expected, "{from} {source:02X?}");
    // In WTF-8 and UCS-4, code points that are not scalar values are not ill-formed, so they stop the conversion.
    if let Ok(expected) = converted(source, from, OnIllFormed::Replace(None)) {
        assert_eq!(decode_lossy(source, from), expected, "{from} {source:02X?}");
    }
    for room in [12 * source.len() + 64, expected.as_ref().map_or(0, String::len)] {
        let mut buffer = vec![0xA5; room];
        let step = decode_into(source, from, &mut buffer);
        match &expected {
            Ok(text) => {
                assert_eq!(
                    (step.read, &step.stop),
                    (source.len(), &Stop::SourceEmpty),
                    "{from} {source:02X?}"
                );
                assert_eq!(&buffer[..step.written], text.as_bytes(), "{from} {source:02X?}");
            }
            Err(fault) if room > 0 => {
                assert_eq!((step.read as u64, &step.stop), (fault.offset, &Stop::Stopped(fault.clone())));
            }
            Err(_) => {}
        }
    }
    if let Ok(text) = &expected
        && !text.is_empty()
    {
        let step = decode_into(source, from, &mut vec![0; text.len() - 1]);
        assert_eq!(step.stop, Stop::SinkFull, "{from} {source:02X?}");
    }
}

/// Asserts that all functions that encode agree on a text.
#[track_caller]
pub fn assert_encodes(text: &str, to: &'static Encoding) {
    // U+FEFF is text, so it is an error if it has no code, like any other character.
    let options = Options::default().input_bom(InputBom::Keep);
    let expected = match convert(text.as_bytes(), &UTF_8, to, &options) {
        Ok(converted) => Ok(converted.output),
        Err(stopped) => Err(stopped.fault),
    };
    assert_eq!(encode(text, to).map(Cow::into_owned), expected, "{to} {text:?}");
    let mut buffer = vec![0xA5; 8 * text.len() + 64];
    let step = encode_into(text, to, &mut buffer);
    match &expected {
        Ok(bytes) => {
            assert_eq!((step.read, &step.stop), (text.len(), &Stop::SourceEmpty), "{to} {text:?}");
            assert_eq!(&buffer[..step.written], bytes, "{to} {text:?}");
            if !bytes.is_empty() {
                let step = encode_into(text, to, &mut buffer[..bytes.len() - 1]);
                assert_eq!(step.stop, Stop::SinkFull, "{to} {text:?}");
            }
        }
        Err(fault) => assert_eq!(step.stop, Stop::Stopped(fault.clone()), "{to} {text:?}"),
    }
}
