//! Finds code units in encoded text.

/// Code units that are looked through at a time.
const BLOCK: usize = 32;

/// Returns the first code unit that is one of two, counted in units, which have the length of `one`: 1, 2 or 4 bytes.
pub fn find_either(text: &[u8], one: &[u8], other: &[u8]) -> Option<usize> {
    match (one, other) {
        ([one], [other]) => memchr::memchr2(*one, *other, text),
        ([_, _], [_, _]) => find::<2>(text, one, other),
        _ => find::<4>(text, one, other),
    }
}

/// Single bytes of wide units are all too often those of other characters: this compares whole units.
fn find<const UNIT: usize>(text: &[u8], one: &[u8], other: &[u8]) -> Option<usize> {
    let (one, other) = (one.first_chunk::<UNIT>()?, other.first_chunk::<UNIT>()?);
    let (units, _) = text.as_chunks::<UNIT>();
    let is_either = |unit: &[u8; UNIT]| (unit == one) | (unit == other);
    let (blocks, _) = units.as_chunks::<BLOCK>();
    let has_none =
        |block: &&[[u8; UNIT]; BLOCK]| !block.iter().fold(false, |found, unit| found | is_either(unit));
    let skipped = BLOCK * blocks.iter().take_while(has_none).count();
    units[skipped..].iter().position(is_either).map(|at| skipped + at)
}
