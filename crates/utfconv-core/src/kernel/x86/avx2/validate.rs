//! Validation of UTF-8. ASCII at the front is skipped in wide steps; the text after it is validated by encoding_rs,
//! because no AVX2 code was found that is faster on other text.

use std::arch::x86_64::*;

use super::vector::load;

/// Returns the length of the well-formed prefix in bytes.
#[target_feature(enable = "avx2")]
pub(super) fn utf8(src: &[u8]) -> usize {
    let ascii = ascii(src);
    ascii + encoding_rs::Encoding::utf8_valid_up_to(&src[ascii..])
}

/// Returns the length of the ASCII that `src` begins with, in whole steps, in bytes.
#[target_feature(enable = "avx2")]
fn ascii(src: &[u8]) -> usize {
    const STEP: usize = 128;
    // Align the loads, because loads that cross a cache line take twice as long.
    let before = src.as_ptr().align_offset(32).min(src.len());
    if !src[..before].is_ascii() {
        return 0;
    }
    let mut len = before;
    for step in src[before..].as_chunks::<STEP>().0 {
        let vectors = step.as_chunks().0;
        let mut any = _mm256_setzero_si256();
        for vector in vectors {
            any = _mm256_or_si256(any, load(vector));
        }
        if _mm256_movemask_epi8(any) != 0 {
            break;
        }
        len += STEP;
    }
    len
}
