//! Percent-encoding: bytes that are not plain are written as `%XX`.

use std::fmt::Write;

/// Returns bytes as text. Plain scalar values are written as they are, all other bytes and the percent sign as `%XX`.
pub fn encoded(bytes: &[u8], is_plain: impl Fn(char) -> bool) -> String {
    let mut text = String::new();
    let escape = |bytes: &[u8], text: &mut String| {
        for byte in bytes {
            // Writing to memory cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    };
    for chunk in bytes.utf8_chunks() {
        for scalar in chunk.valid().chars() {
            if scalar != '%' && is_plain(scalar) {
                text.push(scalar)
            } else {
                escape(scalar.encode_utf8(&mut [0; 4]).as_bytes(), &mut text)
            }
        }
        escape(chunk.invalid(), &mut text);
    }
    text
}

/// Returns the bytes of a percent-encoded text; `None` if a percent sign is not followed by two hexadecimal digits.
pub fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let (byte, after) = match (first, after) {
            (b'%', [high, low, after @ ..]) => (digit(*high)? << 4 | digit(*low)?, after),
            (b'%', _) => return None,
            _ => (*first, after),
        };
        bytes.push(byte);
        rest = after;
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for (bytes, expected) in [(&b"a%/\xFF\n"[..], "a%25/%FF%0A"), ("é€".as_bytes(), "é%E2%82%AC")] {
            let text = encoded(bytes, |scalar| matches!(scalar, 'a' | '/' | 'é' | '%'));
            assert_eq!((text.as_str(), decoded(&text).as_deref()), (expected, Some(bytes)));
        }
        for wrong in ["%", "a%4", "%+1", "%g0", "%é"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }
}
