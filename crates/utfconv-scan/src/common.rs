//! Compares the starts and the ends of byte strings.

/// Number of bytes compared at a time.
const BLOCK: usize = 16;

/// Returns the number of bytes at the start of both strings that are equal.
pub fn common_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
    let start = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    start + one[start..].iter().zip(&other[start..]).take_while(|(one, other)| one == other).count()
}

/// Returns the number of bytes at the end of both strings that are equal.
pub fn common_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.as_rchunks::<BLOCK>().1.iter().rev().zip(other.as_rchunks::<BLOCK>().1.iter().rev());
    let end = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let [one, other] = [one, other].map(|bytes| &bytes[..bytes.len() - end]);
    end + one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_counted_from_both_ends() {
        for len in 0..70 {
            for same in 0..=len {
                let one = vec![b'a'; len];
                let mut other = one.clone();
                if same < len {
                    other[same] = b'b';
                }
                let longer = [&other[..], b"c"].concat();
                assert_eq!(common_start(&one, &longer), same, "{len}");
                let [one, other] = [one, longer].map(|bytes| bytes.into_iter().rev().collect::<Vec<_>>());
                assert_eq!(common_end(&one, &other), same, "{len}");
            }
        }
    }
}
