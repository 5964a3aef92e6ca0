//! Loads and stores of vectors, and operations on their lanes. Only this file uses pointers.

use std::arch::x86_64::*;

#[inline]
#[target_feature(enable = "avx2")]
pub fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: there are 32 bytes to read, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn load_half(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: there are 16 bytes to read, and the load needs no alignment.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub fn load_quarter(bytes: &[u8; 8]) -> __m128i {
    // SAFETY: there are 8 bytes to read, and the load needs no alignment.
    unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) }
}

/// Loads the vector at `bytes[at..]`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn load_at(bytes: &[u8], at: usize) -> __m256i {
    load(bytes[at..].first_chunk().expect("a whole vector"))
}

/// Writes `vector` to `room[at..]`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store(vector: __m256i, room: &mut [u8], at: usize) {
    let room = &mut room[at..at + 32];
    // SAFETY: there are 32 bytes to write to, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(room.as_mut_ptr().cast(), vector) }
}

/// Writes half a vector to `room[at..]`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store_half(vector: __m128i, room: &mut [u8], at: usize) {
    let room = &mut room[at..at + 16];
    // SAFETY: there are 16 bytes to write to, and the store needs no alignment.
    unsafe { _mm_storeu_si128(room.as_mut_ptr().cast(), vector) }
}

/// Writes the lower half of half a vector to `room[at..]`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn store_quarter(vector: __m128i, room: &mut [u8], at: usize) {
    let room = &mut room[at..at + 8];
    // SAFETY: there are 8 bytes to write to, and the store needs no alignment.
    unsafe { _mm_storel_epi64(room.as_mut_ptr().cast(), vector) }
}

/// Joins two halves to a vector, the lower half first.
#[inline]
#[target_feature(enable = "avx2")]
pub fn join(low: __m128i, high: __m128i) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
}

/// Returns both lanes of two vectors. The lanes of the first vector are the first and the third.
#[inline]
#[target_feature(enable = "avx2")]
pub fn lanes(even: __m256i, odd: __m256i) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(even),
        _mm256_castsi256_si128(odd),
        _mm256_extracti128_si256::<1>(even),
        _mm256_extracti128_si256::<1>(odd),
    ]
}

/// Converts 16-bit code units between the given byte order and the host's.
#[inline]
#[target_feature(enable = "avx2")]
pub fn order_16<const BIG_ENDIAN: bool>(units: __m256i) -> __m256i {
    if !BIG_ENDIAN {
        return units;
    }
    let swap = _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    _mm256_shuffle_epi8(units, _mm256_broadcastsi128_si256(swap))
}

/// Converts 32-bit code units between the given byte order and the host's.
#[inline]
#[target_feature(enable = "avx2")]
pub fn order_32<const BIG_ENDIAN: bool>(units: __m256i) -> __m256i {
    if !BIG_ENDIAN {
        return units;
    }
    let swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    _mm256_shuffle_epi8(units, _mm256_broadcastsi128_si256(swap))
}

/// Whether no lane has a bit of `bits`.
#[inline]
#[target_feature(enable = "avx2")]
pub fn has_none_of(vector: __m256i, bits: __m256i) -> bool {
    _mm256_testz_si256(vector, bits) == 1
}

/// Returns the bits that are set in at least one vector.
#[inline]
#[target_feature(enable = "avx2")]
pub fn or<const VECTORS: usize>(vectors: [__m256i; VECTORS]) -> __m256i {
    vectors.into_iter().fold(_mm256_setzero_si256(), |a, b| _mm256_or_si256(a, b))
}

/// Whether any of the 16-bit code units is a surrogate.
#[inline]
#[target_feature(enable = "avx2")]
pub fn have_surrogates<const VECTORS: usize>(units: [__m256i; VECTORS]) -> bool {
    let are_surrogates = units.map(|units| {
        let kinds = _mm256_and_si256(units, _mm256_set1_epi16(0xF800_u16 as i16));
        _mm256_cmpeq_epi16(kinds, _mm256_set1_epi16(0xD800_u16 as i16))
    });
    _mm256_movemask_epi8(or(are_surrogates)) != 0
}

/// Narrows two vectors of 16-bit lanes to a vector of bytes. The values have to fit in a byte.
#[inline]
#[target_feature(enable = "avx2")]
pub fn narrow_to_8(first: __m256i, second: __m256i) -> __m256i {
    // The instruction packs each half separately, so reorder the result.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(first, second))
}

/// Narrows four vectors of 32-bit lanes to a vector of bytes. The values have to fit in a byte.
#[inline]
#[target_feature(enable = "avx2")]
pub fn narrow_32_to_8([a, b, c, d]: [__m256i; 4]) -> __m256i {
    let bytes = _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
    _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
}

/// Narrows two vectors of 32-bit lanes to a vector of 16-bit lanes. The values have to fit in 16 bits.
#[inline]
#[target_feature(enable = "avx2")]
pub fn narrow_to_16(first: __m256i, second: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(first, second))
}

/// Returns the shuffle that widens code units of `FROM` bytes to lanes of `TO` bytes, from and to either byte order.
/// Both halves of the vector hold the same 16 bytes. As many code units as fit are taken, from `first` on.
pub const fn spread<const FROM: usize, const TO: usize>(
    first: usize,
    from_be: bool,
    to_be: bool,
) -> [u8; 32] {
    let mut shuffle = [0x80; 32];
    let mut unit = 0;
    while unit < 32 / TO {
        let mut byte = 0;
        while byte < FROM {
            // Copy the bytes from the least significant byte on.
            let source = if from_be { FROM - 1 - byte } else { byte };
            let target = if to_be { TO - 1 - byte } else { byte };
            shuffle[TO * unit + target] = (FROM * (first + unit) + source) as u8;
            byte += 1;
        }
        unit += 1;
    }
    shuffle
}

/// Shuffles the bytes of `half` to a vector.
#[inline]
#[target_feature(enable = "avx2")]
pub fn shuffle(half: __m128i, shuffle: &[u8; 32]) -> __m256i {
    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), load(shuffle))
}
