//! Finds bytes that the pages of ISO 8859 decode to C1 controls.

use utfconv_core::utf8::count_bytes;

/// Number of bytes that are scanned as one block.
const BLOCK: usize = 4 << 10;

/// Returns the offset of the first C1 control, a byte from 80 to 9F. Skips 85 (NEL), because some texts use NEL as a
/// newline; text has no other C1 controls.
pub fn first_c1(text: &[u8]) -> Option<usize> {
    let is_c1 = |byte: u8| byte & 0xE0 == 0x80 && byte != 0x85;
    let block = BLOCK * text.chunks(BLOCK).position(|block| count_bytes(block, is_c1) > 0)?;
    text[block..].iter().position(|byte| is_c1(*byte)).map(|at| block + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nel_and_other_bytes_are_passed() {
        for len in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 7] {
            let text = b"a\x85\xA0\xFF\n".repeat(len)[..len].to_vec();
            assert_eq!(first_c1(&text), None, "{len}");
            for c1 in [0x80, 0x84, 0x86, 0x9F] {
                assert_eq!(first_c1(&[&text[..], &[c1], &text].concat()), Some(len), "{len} {c1:02X}");
            }
        }
    }
}
