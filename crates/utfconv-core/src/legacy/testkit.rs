//! Reads and writes whole texts with one decoder or encoder, for the tests of codecs with shift states.

use crate::decode::{Decode, IllFormedSequence, Next};
use crate::encode::Encode;
use crate::fault::IllFormed;

/// Returns the text of `src`, and the kind and length in bytes of each fault.
pub fn read_all(mut reader: impl Decode, mut src: &[u8]) -> (String, Vec<(IllFormed, usize)>) {
    let (mut text, mut faults) = (String::new(), Vec::new());
    loop {
        let len = match reader.next(src, true) {
            Next::Shift { len } => len,
            Next::Scalar { code_point, len } => {
                text.extend(char::from_u32(code_point));
                len
            }
            Next::Several { code_points, len } => {
                text.extend(code_points.iter().map(|one| char::from_u32(*one).expect("a scalar value")));
                len
            }
            Next::IllFormed(IllFormedSequence { kind, len, .. }) => {
                faults.push((kind, len));
                len
            }
            Next::Incomplete => return (text, faults),
        };
        reader.commit();
        src = &src[len..];
    }
}

/// Returns the bytes of `text`, which end in the initial state, or `None` if a character cannot be encoded.
pub fn write_all(mut writer: impl Encode, text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let has_all = text.chars().all(|scalar| writer.encode(scalar.into(), &mut out));
    writer.finish(&mut out);
    assert!(writer.at_rest());
    has_all.then_some(out)
}
