//! A 128-bit hash that is the same in every version and on every system.

/// The offset basis of 128-bit FNV-1a (draft-eastlake-fnv).
pub const FNV_OFFSET: u128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D;
const FNV_PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013B;

/// Returns a hash with more bytes added.
pub fn fnv(hash: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(FNV_PRIME))
}

/// Returns the hash of several byte strings.
pub fn fnv_of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u128 {
    parts.into_iter().fold(FNV_OFFSET, |hash, part| {
        // The length distinguishes the parts "ab", "c" from "a", "bc".
        fnv(fnv(hash, &(part.len() as u64).to_le_bytes()), part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(FNV_OFFSET, b"a"), 0xD228_CB69_6F1A_8CAF_7891_2B70_4E4A_8964);
    }
}
