//! Converts half-width katakana for encodings that lack them. As in Microsoft's CP50220, half-width katakana are
//! written as full-width katakana, and a voiced sound mark is combined with its letter.

/// The full-width characters of the half-width characters from U+FF61 on, in order.
const WIDE: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";

const FIRST: u32 = 0xFF61;
const VOICED: u32 = 0xFF9E;
const HALF_VOICED: u32 = 0xFF9F;

/// Returns the full-width form of a half-width character, or other characters unchanged.
pub(super) fn wide(code_point: u32) -> u32 {
    let at = code_point.checked_sub(FIRST).map(|at| at as usize);
    at.and_then(|at| WIDE.chars().nth(at)).map_or(code_point, u32::from)
}

/// Whether a half-width sound mark may combine with the half-width letter.
pub(super) fn may_be_voiced(code_point: u32) -> bool {
    [VOICED, HALF_VOICED].iter().any(|mark| voiced(code_point, *mark).is_some())
}

/// Returns the full-width form of a half-width letter combined with the half-width sound mark after it, or `None` if
/// the two do not combine.
pub(super) fn voiced(letter: u32, mark: u32) -> Option<u32> {
    let wide = wide(letter);
    match (letter, mark) {
        (0xFF73, VOICED) => Some(0x30F4),
        // KA to TO and HA to HO can be voiced.
        (0xFF76..=0xFF84 | 0xFF8A..=0xFF8E, VOICED) => Some(wide + 1),
        (0xFF8A..=0xFF8E, HALF_VOICED) => Some(wide + 2),
        _ => None,
    }
}
