//! The faults of UTF-8, as tables for vectors of bytes.
//!
//! The method is that of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2021). Three
//! lookups by the halves of two neighboring bytes give bits; the common ones are the rules that the two break.

/// Kinds of faults in two bytes in a row. A kind has upper and lower halves of the first byte, and upper halves of the
/// second, that together are a fault. A set of half bytes is a bit mask.
const KINDS: [(u16, u16, u16); 8] = {
    const ANY: u16 = 0xFFFF;
    const ASCII: u16 = 0x00FF;
    const CONTINUATION: u16 = 0x0F00;
    const LEAD: u16 = 0xF000;
    [
        (LEAD, ANY, ASCII | LEAD),
        (ASCII, ANY, CONTINUATION),
        // C0, C1.
        (1 << 0xC, 0x0003, CONTINUATION),
        // E0 80..9F.
        (1 << 0xE, 0x0001, 0x0300),
        // ED A0..BF: surrogates.
        (1 << 0xE, 1 << 0xD, 0x0C00),
        // F0 80..8F; and, as F5..FF lead nothing anyway, they with 80..8F.
        (1 << 0xF, 0xFFE1, 0x0100),
        // F4 90..BF, and F5..FF with 90..BF.
        (1 << 0xF, 0xFFF0, 0x0E00),
        // No fault if the second is a third or fourth byte: the sets of kernels look at that themselves.
        (CONTINUATION, ANY, CONTINUATION),
    ]
};

/// For each half byte the kinds of faults that it may belong to, as a bit mask; in rows of 16. `part` is that of [`KINDS`].
pub(crate) const fn kinds<const LEN: usize>(part: usize) -> [u8; LEN] {
    let mut table = [0; LEN];
    let mut at = 0;
    while at < LEN {
        let mut kind = 0;
        while kind < KINDS.len() {
            let (first_upper, first_lower, second_upper) = KINDS[kind];
            let set = [first_upper, first_lower, second_upper][part];
            table[at] |= ((set >> (at % 16) & 1) as u8) << kind;
            kind += 1;
        }
        at += 1;
    }
    table
}

/// Returns the lowest leads of sequences that reach beyond the end of a vector, if they are among its last three bytes.
pub(crate) const fn leads_of_cut<const LEN: usize>() -> [u8; LEN] {
    // 0xFF is in no well-formed text.
    let mut leads = [0xFF; LEN];
    leads[LEN - 3] = 0xF0;
    leads[LEN - 2] = 0xE0;
    leads[LEN - 1] = 0xC0;
    leads
}
