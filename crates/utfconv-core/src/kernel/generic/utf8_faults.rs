//! The faults of UTF-8, as lookup tables for vectors of bytes.
//!
//! The method is that of Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte" (2021). Three
//! lookups by the half bytes of two neighboring bytes give bit masks; a bit that all three have is a rule that the two
//! bytes break.

/// Kinds of faults in two consecutive bytes. A kind is a set of upper halves and of lower halves of the first byte, and
/// a set of upper halves of the second byte, which together are a fault. A set of half bytes is a bit mask.
const KINDS: [(u16, u16, u16); 8] = {
    const ANY: u16 = 0xFFFF;
    const ASCII: u16 = 0x00FF;
    const CONTINUATION: u16 = 0x0F00;
    const LEAD: u16 = 0xF000;
    [
        (LEAD, ANY, ASCII | LEAD),
        (ASCII, ANY, CONTINUATION),
        // C0 and C1 lead overlong sequences.
        (1 << 0xC, 0x0003, CONTINUATION),
        // E0 80..9F begins an overlong sequence.
        (1 << 0xE, 0x0001, 0x0300),
        // ED A0..BF begins a surrogate.
        (1 << 0xE, 1 << 0xD, 0x0C00),
        // F0 80..8F begins an overlong sequence. F5..FF lead nothing, so they are included.
        (1 << 0xF, 0xFFE1, 0x0100),
        // F4 90..BF begins a value above U+10FFFF, and F5..FF lead nothing.
        (1 << 0xF, 0xFFF0, 0x0E00),
        // Two continuation bytes in a row are no fault if the second is the third or fourth byte of a sequence, which
        // each set of kernels checks itself.
        (CONTINUATION, ANY, CONTINUATION),
    ]
};

/// Returns, for each half byte, the bit mask of the kinds of faults that the half byte may belong to, repeated in rows
/// of 16. `part` is the index in a row of [`KINDS`].
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

/// Returns, for the last three bytes of a vector, the lowest lead byte whose sequence would cross the end of the
/// vector.
pub(crate) const fn leads_of_cut<const LEN: usize>() -> [u8; LEN] {
    // Well-formed text has no byte FF.
    let mut leads = [0xFF; LEN];
    leads[LEN - 3] = 0xF0;
    leads[LEN - 2] = 0xE0;
    leads[LEN - 1] = 0xC0;
    leads
}
