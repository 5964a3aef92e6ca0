//! Tables of shuffles that remove unused bytes from a vector of 16 bytes, for sets of vector instructions.

/// Returns, for each set of units (a bit mask), the shuffle that moves the kept bytes to the front. Of each unit of
/// `unit` bytes, the first `always` bytes are kept; the other bytes are kept if the unit is in the set. The units begin
/// at byte `first` of the vector.
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

/// Shuffles of eight bytes, indexed by the bit mask of the bytes to keep.
pub(crate) static BYTES: [[u8; 8]; 256] = compactions(1, 0, 0);

/// Shuffles of eight units of 16 bits, indexed by the bit mask of the units to keep.
pub(crate) static UNITS: [[u8; 16]; 256] = compactions(2, 0, 0);

/// Shuffles of eight pairs of bytes that keep all first bytes. The index is the bit mask of the second bytes to keep.
pub(crate) static PAIRS: [[u8; 16]; 256] = compactions(2, 1, 0);

/// Shuffles of four cells that keep the bytes of their characters. The index has two bits per cell, which are the
/// length in bytes less one.
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

/// Returns the number of bytes that each of `LANES` lanes keeps. The index has 8 / `LANES` bits per lane, which are the
/// number of bytes less one.
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

/// Returns the shuffles that keep the low bytes of each lane, in reverse order. See [`lens`] for the index.
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

/// Shuffles of eight lanes of 16 bits. The index has a bit per lane, set if the lane has two bytes instead of one.
pub(crate) static SHUFFLES_16: [[u8; 16]; 256] = shuffles::<8>();

/// Shuffles of four lanes of 32 bits. The index has two bits per lane, which are the number of bytes less one.
pub(crate) static SHUFFLES_32: [[u8; 16]; 256] = shuffles::<4>();

/// Total number of bytes that each shuffle of [`SHUFFLES_32`] keeps.
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

/// Number of units in each set of eight units (a bit mask).
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

/// Shuffles of four units of 32 bits, indexed by the bit mask of the units to move to the front.
#[cfg(target_arch = "aarch64")]
pub(crate) static QUADS: [[u8; 16]; 16] = compactions(4, 0, 0);
