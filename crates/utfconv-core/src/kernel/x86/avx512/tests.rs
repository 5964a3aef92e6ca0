//! Implements [`Simd`] and [`Compress`] by loops over arrays, for tests on machines without the instructions.

use super::simd::{Compress, Convert, ConvertBy, SIZE, Simd, operations};
use super::{FullMachine, Machine, basic_kernel, double_byte, full_kernel, validator};
use crate::decode::Cell;
use crate::form::Form;
use crate::kernel::generic::double_byte::{Stages, look_up_codes};
use crate::kernel::generic::{Kernel, VectorSet};
use crate::legacy::DOUBLES;
use crate::newline::EbcdicNewline;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Emulated;

type Bytes = [u8; SIZE];

fn lanes16(v: Bytes) -> [u16; 32] {
    std::array::from_fn(|i| u16::from_le_bytes([v[2 * i], v[2 * i + 1]]))
}

fn lanes32(v: Bytes) -> [u32; 16] {
    std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|byte| v[4 * i + byte])))
}

fn from_lanes16(lanes: [u16; 32]) -> Bytes {
    std::array::from_fn(|i| lanes[i / 2].to_le_bytes()[i % 2])
}

fn from_lanes32(lanes: [u32; 16]) -> Bytes {
    std::array::from_fn(|i| lanes[i / 4].to_le_bytes()[i % 4])
}

fn mask<const N: usize>(is_set: [bool; N]) -> u64 {
    (0..N).map(|i| u64::from(is_set[i]) << i).sum()
}

fn zip<T: Copy, U, const N: usize>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> U) -> [U; N] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

fn interleave<T: Copy, const N: usize>(a: [T; N], b: [T; N]) -> [[T; N]; 2] {
    [0, N / 2]
        .map(|start| std::array::from_fn(|i| if i % 2 == 0 { a[start + i / 2] } else { b[start + i / 2] }))
}

fn compress<T: Copy + Default, const N: usize>(mask: u64, v: [T; N]) -> [T; N] {
    let mut kept = (0..N).filter(|i| mask >> i & 1 == 1);
    std::array::from_fn(|_| kept.next().map_or(T::default(), |i| v[i]))
}

impl Simd for Emulated {
    type V = Bytes;

    fn load_part(self, from: &[u8]) -> Bytes {
        std::array::from_fn(|i| from.get(i).copied().unwrap_or_default())
    }

    fn store(self, v: Bytes, to: &mut Bytes) {
        *to = v;
    }

    fn narrow16(self, a: Bytes, b: Bytes) -> Bytes {
        let (a, b) = (lanes16(a), lanes16(b));
        std::array::from_fn(|i| if i < 32 { a[i] } else { b[i - 32] } as u8)
    }

    fn narrow32(self, a: Bytes, b: Bytes) -> Bytes {
        let (a, b) = (lanes32(a), lanes32(b));
        from_lanes16(std::array::from_fn(|i| if i < 16 { a[i] } else { b[i - 16] } as u16))
    }

    operations! { safe;
        fn load(self, from: &Bytes) -> Bytes = *from;
        fn splat8(self, value: u8) -> Bytes = [value; SIZE];
        fn splat16(self, value: u16) -> Bytes = from_lanes16([value; 32]);
        fn splat32(self, value: u32) -> Bytes = from_lanes32([value; 16]);
        fn and(self, a: Bytes, b: Bytes) -> Bytes = zip(a, b, |a, b| a & b);
        fn or(self, a: Bytes, b: Bytes) -> Bytes = zip(a, b, |a, b| a | b);
        fn xor(self, a: Bytes, b: Bytes) -> Bytes = zip(a, b, |a, b| a ^ b);
        fn sub8(self, a: Bytes, b: Bytes) -> Bytes = zip(a, b, u8::wrapping_sub);
        fn saturating_sub8(self, a: Bytes, b: Bytes) -> Bytes = zip(a, b, u8::saturating_sub);
        fn sub16(self, a: Bytes, b: Bytes) -> Bytes =
            from_lanes16(zip(lanes16(a), lanes16(b), u16::wrapping_sub));
        fn add32(self, a: Bytes, b: Bytes) -> Bytes =
            from_lanes32(zip(lanes32(a), lanes32(b), u32::wrapping_add));
        fn sub32(self, a: Bytes, b: Bytes) -> Bytes =
            from_lanes32(zip(lanes32(a), lanes32(b), u32::wrapping_sub));
        fn shl16<const BITS: u32>(self, v: Bytes) -> Bytes =
            from_lanes16(lanes16(v).map(|lane| lane << BITS));
        fn shr16<const BITS: u32>(self, v: Bytes) -> Bytes =
            from_lanes16(lanes16(v).map(|lane| lane >> BITS));
        fn shl32<const BITS: u32>(self, v: Bytes) -> Bytes =
            from_lanes32(lanes32(v).map(|lane| lane << BITS));
        fn shr32<const BITS: u32>(self, v: Bytes) -> Bytes =
            from_lanes32(lanes32(v).map(|lane| lane >> BITS));
        fn negative8(self, v: Bytes) -> u64 = mask(v.map(|byte| byte >= 0x80));
        fn test8(self, a: Bytes, b: Bytes) -> u64 = mask(zip(a, b, |a, b| a & b != 0));
        fn test16(self, a: Bytes, b: Bytes) -> u32 =
            mask(zip(lanes16(a), lanes16(b), |a, b| a & b != 0)) as u32;
        fn lt8(self, a: Bytes, b: Bytes) -> u64 = mask(zip(a, b, |a, b| a < b));
        fn lt16(self, a: Bytes, b: Bytes) -> u32 = mask(zip(lanes16(a), lanes16(b), |a, b| a < b)) as u32;
        fn lt32(self, a: Bytes, b: Bytes) -> u16 = mask(zip(lanes32(a), lanes32(b), |a, b| a < b)) as u16;
        fn blend8(self, mask: u64, a: Bytes, b: Bytes) -> Bytes =
            std::array::from_fn(|i| if mask >> i & 1 == 1 { b[i] } else { a[i] });
        fn blend16(self, mask: u32, a: Bytes, b: Bytes) -> Bytes =
            std::array::from_fn(|i| if mask >> (i / 2) & 1 == 1 { b[i] } else { a[i] });
        fn blend32(self, mask: u16, a: Bytes, b: Bytes) -> Bytes =
            std::array::from_fn(|i| if mask >> (i / 4) & 1 == 1 { b[i] } else { a[i] });
        fn lookup16(self, table: &[u8; 16], index: Bytes) -> Bytes =
            index.map(|i| if i >= 0x80 { 0 } else { table[usize::from(i) % 16] });
        fn reorder16(self, order: &[u8; 16], v: Bytes) -> Bytes =
            std::array::from_fn(|i| v[i / 16 * 16 + usize::from(order[i % 16])]);
        fn delay<const BYTES: u32>(self, v: Bytes, before: Bytes) -> Bytes = {
            let bytes = BYTES as usize;
            std::array::from_fn(|i| if i < bytes { before[SIZE - bytes + i] } else { v[i - bytes] })
        };
        fn spread(self, v: Bytes) -> Bytes = std::array::from_fn(|i| v[i / 16 * 8 + i / 8 % 2 * 32 + i % 8]);
        fn unpack8(self, a: Bytes, b: Bytes) -> [Bytes; 2] =
            [0, 8].map(|half| std::array::from_fn(|i| [a, b][i % 2][i / 16 * 16 + half + i % 16 / 2]));
        fn interleave16(self, a: Bytes, b: Bytes) -> [Bytes; 2] =
            interleave(lanes16(a), lanes16(b)).map(from_lanes16);
        fn compress32(self, mask: u16, v: Bytes) -> Bytes = from_lanes32(compress(mask.into(), lanes32(v)));
    }
}

impl Compress for Emulated {
    fn shift_bytes(self, shifts: &Bytes, v: Bytes) -> Bytes {
        let lanes = v.as_chunks().0;
        std::array::from_fn(|i| u64::from_le_bytes(lanes[i / 8]).rotate_right((shifts[i] % 64).into()) as u8)
    }

    fn look_up(self, table: &[Cell; DOUBLES], indices: &[u8; SIZE / 2]) -> Bytes {
        let indices = indices.as_chunks().0;
        let cell = |at: usize| table[usize::from(u16::from_le_bytes(indices[at])) % DOUBLES];
        std::array::from_fn(|i| cell(i / 4).bytes()[i % 4])
    }

    operations! { safe;
        fn kept_of_pairs(self, both: u32) -> u64 = mask::<64>(std::array::from_fn(|i| i % 2 == 0 || both >> (i / 2) & 1 == 1));
        fn lookup64(self, table: &Bytes, index: Bytes) -> Bytes = index.map(|i| table[usize::from(i) % 64]);
        fn lookup128(self, tables: &[Bytes; 2], index: Bytes) -> Bytes = index.map(|i| tables.as_flattened()[usize::from(i) % 128]);
        fn permute8(self, order: &Bytes, v: Bytes) -> Bytes = order.map(|i| v[usize::from(i) % 64]);
        fn compress8(self, mask: u64, v: Bytes) -> Bytes = compress(mask, v);
        fn compress16(self, mask: u32, v: Bytes) -> Bytes = from_lanes16(compress(mask.into(), lanes16(v)));
    }
}

impl Machine for Emulated {
    type Simd = Self;

    fn kernel<C: Convert<Self>>(self) -> Kernel {
        Box::new(move |src, dst| C::convert(self, src, dst))
    }

    fn kernel_by<C: ConvertBy<Self> + Send + Sync + 'static>(self, tables: C) -> Kernel {
        Box::new(move |src, dst| tables.convert(self, src, dst))
    }

    fn validator<C: Convert<Self>>(self) -> fn(&[u8]) -> usize {
        |src| C::convert(Emulated, src, &mut []).0
    }
}

impl FullMachine for Emulated {
    fn stages(self) -> Stages {
        Stages {
            split: |leads, src, indices| double_byte::split(Emulated, leads, src, indices),
            join: |cells, indices, count, dst| double_byte::join(Emulated, cells, indices, count, dst),
            pack: |codes, units, count, dst| {
                look_up_codes(codes, units, count);
                double_byte::pack(Emulated, units, count, dst)
            },
        }
    }
}

impl VectorSet for Emulated {
    fn kernel(&self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        full_kernel(*self, from, to, newline).or_else(|| basic_kernel(*self, from, to))
    }

    fn validator(&self, form: Form) -> Option<fn(&[u8]) -> usize> {
        validator(*self, form)
    }
}

/// Compares each operation by instructions with the operation by loops, on random vectors.
mod comparison {
    use super::super::instructions::Instructions;
    use super::*;

    /// The result of an operation.
    #[derive(Debug, PartialEq)]
    enum Answer {
        Vectors(Vec<Bytes>),
        Mask(u64),
    }

    fn bytes<S: Simd>(simd: S, v: S::V) -> Bytes {
        let mut bytes = [0; SIZE];
        simd.store(v, &mut bytes);
        bytes
    }

    /// Returns the results of all operations of [`Simd`].
    fn simd_answers<S: Simd>(simd: S, [x, y]: [Bytes; 2]) -> Vec<Answer> {
        let (a, b) = (simd.load(&x), simd.load(&y));
        let mask = u64::from_le_bytes(*x.first_chunk().expect("64 bytes"));
        let order = std::array::from_fn(|i| y[i] % 16);
        let vector = |v| Answer::Vectors(vec![bytes(simd, v)]);
        let vectors = |pair: [S::V; 2]| Answer::Vectors(pair.map(|v| bytes(simd, v)).to_vec());
        let low_bytes = |v| simd.and(v, simd.splat16(0x00FF));
        let low_units = |v| simd.and(v, simd.splat32(0x0000_FFFF));
        vec![
            vector(a),
            vector(simd.splat8(x[0])),
            vector(simd.splat16(0x1200 | u16::from(x[0]))),
            vector(simd.splat32(0x1234_5600 | u32::from(x[0]))),
            vector(simd.and(a, b)),
            vector(simd.or(a, b)),
            vector(simd.xor(a, b)),
            vector(simd.sub8(a, b)),
            vector(simd.saturating_sub8(a, b)),
            vector(simd.sub16(a, b)),
            vector(simd.add32(a, b)),
            vector(simd.sub32(a, b)),
            vector(simd.shl16::<6>(a)),
            vector(simd.shr16::<2>(a)),
            vector(simd.shl32::<10>(a)),
            vector(simd.shr32::<10>(a)),
            Answer::Mask(simd.negative8(a)),
            Answer::Mask(simd.test8(a, b)),
            Answer::Mask(simd.test16(a, b).into()),
            Answer::Mask(simd.lt8(a, b)),
            Answer::Mask(simd.lt16(a, b).into()),
            Answer::Mask(simd.lt32(a, b).into()),
            vector(simd.blend8(mask, a, b)),
            vector(simd.blend16(mask as u32, a, b)),
            vector(simd.blend32(mask as u16, a, b)),
            vector(simd.lookup16(&order, a)),
            vector(simd.reorder16(&order, a)),
            vector(simd.delay::<1>(a, b)),
            vector(simd.delay::<2>(a, b)),
            vector(simd.delay::<3>(a, b)),
            vector(simd.spread(a)),
            vectors(simd.unpack8(a, b)),
            vectors(simd.interleave8(a, b)),
            vectors(simd.interleave16(a, b)),
            vector(simd.narrow16(low_bytes(a), low_bytes(b))),
            vector(simd.narrow32(low_units(a), low_units(b))),
            vector(simd.compress32(mask as u16, a)),
            vector(simd.select(a, b, simd.splat8(x[1]))),
        ]
    }

    /// Returns the results of all operations of [`Compress`].
    fn compress_answers<S: Compress>(simd: S, [x, y]: [Bytes; 2]) -> Vec<Answer> {
        let a = simd.load(&x);
        let mask = u64::from_le_bytes(*x.first_chunk().expect("64 bytes"));
        let vector = |v| Answer::Vectors(vec![bytes(simd, v)]);
        let table = std::array::from_fn(|at| Cell::of(at as u32));
        vec![
            Answer::Mask(simd.kept_of_pairs(mask as u32)),
            vector(simd.lookup64(&y, a)),
            vector(simd.lookup128(&[x, y], a)),
            vector(simd.permute8(&y, a)),
            vector(simd.shift_bytes(&y, a)),
            vector(simd.compress8(mask, a)),
            vector(simd.compress16(mask as u32, a)),
            vector(simd.look_up(&table, x.first_chunk().expect("64 bytes"))),
        ]
    }

    /// Returns pairs of random vectors with many equal bytes, so that comparisons have both results.
    fn random_pairs() -> impl Iterator<Item = [Bytes; 2]> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut byte = move || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            let value = (state >> 40) as u8;
            if state >> 63 == 0 { value } else { [0, 0x7F, 0x80, 0xFF][usize::from(value) % 4] }
        };
        std::iter::repeat_with(move || [(); 2].map(|()| std::array::from_fn(|_| byte()))).take(2000)
    }

    #[test]
    fn operations_without_compression_equal_the_emulation() {
        if super::super::Avx512::<false>::detect().is_none() {
            eprintln!("skipped: this CPU has no AVX-512 F, BW and VL");
            return;
        }
        // SAFETY: the features of the CPU were checked.
        let simd = unsafe { Instructions::<false>::assume() };
        for pair in random_pairs() {
            assert_eq!(simd_answers(simd, pair), simd_answers(Emulated, pair), "{pair:02X?}");
        }
    }

    #[test]
    fn operations_with_compression_equal_the_emulation() {
        if super::super::Avx512::<true>::detect().is_none() {
            eprintln!("skipped: this CPU has no AVX-512 VBMI and VBMI2");
            return;
        }
        // SAFETY: the features of the CPU were checked.
        let simd = unsafe { Instructions::<true>::assume() };
        for pair in random_pairs() {
            assert_eq!(compress_answers(simd, pair), compress_answers(Emulated, pair), "{pair:02X?}");
        }
    }
}
