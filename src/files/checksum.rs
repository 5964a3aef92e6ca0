//! A hash that is the same in all versions of the program and on all systems, and the hexadecimal form of hashes.

/// Returns bytes in hexadecimal digits.
pub fn hexadecimal(hash: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 0xF]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// Returns the 64-bit FNV-1a hash, which detects accidental changes but not attacks.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_digit_for_four_bits() {
        assert_eq!(super::hexadecimal(&[0x09, 0xAF, 0xF0]), "09aff0");
    }

    #[test]
    fn it_is_fnv_1a() {
        assert_eq!(super::checksum(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(super::checksum(b"a"), 0xAF63_DC4C_8601_EC8C);
    }
}
