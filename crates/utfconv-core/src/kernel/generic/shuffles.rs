//! Tables of shuffles that remove unused bytes from a vector of 16, for sets of vector instructions.

/// For each set of units, as bits, the shuffle that moves the kept bytes to the front. Of each unit of `unit` bytes,
/// the first `always` are kept, and the others if it is in the set. The units begin at byte `first`.
pub(crate) const fn compactions<const SIZE: usize, const SETS: usize>(
    unit: usize,
    always: usize,
    first: usize,
) -> [[u8; SIZE]; SETS] {
    let mut table = [[0x80; SIZE]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut from, mut to) = (0, 0);
        while from < SIZE {
            if from % unit < always || set >> (from / unit) & 1 == 1 {
                table[set][to] = (first + from) as u8;
                to += 1;
            }
            from += 1;
        }
        set += 1;
    }
    table
}

/// Those of eight bytes.
pub(crate) static BYTES: [[u8; 8]; 256] = compactions(1, 0, 0);

/// Of eight units of 16 bits, those in a set.
pub(crate) static UNITS: [[u8; 16]; 256] = compactions(2, 0, 0);

/// Of eight pairs of bytes, the first byte of each, and the second of those in a set.
pub(crate) static PAIRS: [[u8; 16]; 256] = compactions(2, 1, 0);

/// Of four cells, the bytes of their characters, by their lengths less one, two bits each.
#[cfg(target_arch = "aarch64")]
pub(crate) static CELLS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut lens = 0;
    while lens < 256 {
        let (mut cell, mut to) = (0, 0);
        while cell < 4 {
            let mut byte = 0;
            while byte <= lens >> (2 * cell) & 3 {
                table[lens][to] = (4 * cell + byte) as u8;
                to += 1;
                byte += 1;
            }
            cell += 1;
        }
        lens += 1;
    }
    table
};

/// Returns how many bytes `LANES` lanes have, by an index that holds for each, in as many bits as it has, the bytes
/// less one.
const fn lens<const LANES: usize>(index: usize) -> [usize; LANES] {
    let bits = 8 / LANES;
    let mut lens = [1; LANES];
    let mut lane = 0;
    while lane < LANES {
        lens[lane] += index >> (bits * lane) & ((1 << bits) - 1);
        lane += 1;
    }
    lens
}

/// By the index of [`lens`]: the shuffle that takes so many bytes of each lane, the highest first.
const fn shuffles<const LANES: usize>() -> [[u8; 16]; 256] {
    let mut table = [[0x80; 16]; 256];
    let mut index = 0;
    while index < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < LANES {
            let mut byte = lens::<LANES>(index)[lane];
            while byte > 0 {
                byte -= 1;
                table[index][at] = (16 / LANES * lane + byte) as u8;
                at += 1;
            }
            lane += 1;
        }
        index += 1;
    }
    table
}

/// For eight lanes of 16 bits: a bit for each that has two bytes, not one.
pub(crate) static SHUFFLES_16: [[u8; 16]; 256] = shuffles::<8>();

/// For four lanes of 32 bits.
pub(crate) static SHUFFLES_32: [[u8; 16]; 256] = shuffles::<4>();

/// The sum of the bytes for [`SHUFFLES_32`].
pub(crate) static LENS_32: [u8; 256] = {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let [a, b, c, d] = lens(index);
        table[index] = (a + b + c + d) as u8;
        index += 1;
    }
    table
};

/// How many units are in a set of eight.
#[cfg(target_arch = "aarch64")]
pub(crate) static COUNTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut set: usize = 0;
    while set < 256 {
        table[set] = set.count_ones() as u8;
        set += 1;
    }
    table
};

/// For each set of four units of 32 bits, the shuffle that moves them to the front.
#[cfg(target_arch = "aarch64")]
pub(crate) static QUADS: [[u8; 16]; 16] = compactions(4, 0, 0);
