//! Kernels for AVX-512, in two sets: with byte permutations and compression (F, BW, VL, VBMI, VBMI2: Ice Lake, Zen 4
//! and newer), and without (F, BW, VL: Skylake-X and newer).
//!
//! The kernels are written over the traits of [`simd`], and become machine code in the functions with
//! `#[target_feature]` in this module. All work in blocks, and stop before a block with a fault. Kernels from UTF-8,
//! UTF-16 and UTF-32 also convert the rest of a source that is shorter than a block. The kernels convert the registers
//! that they checked, and never load the source again, because another process may change a mapped source.

mod by_table;
mod double_byte;
mod from_latin1;
mod from_utf16;
mod from_utf32;
mod from_utf8;
mod instructions;
mod simd;
#[cfg(test)]
mod tests;
mod to_page;
mod to_utf8;
mod validate;

use self::instructions::Instructions;
use self::simd::{Compress, Convert, ConvertBy, Simd};
use crate::decode::Cell;
use crate::form::Form;
use crate::kernel::generic::double_byte::{Stages, Units, multi_byte_kernel};
use crate::kernel::generic::table::utf8_to_page_by;
use crate::kernel::generic::{Kernel, VectorSet};
use crate::kernel::x86::avx2::{Avx2, look_up};
use crate::legacy::{DOUBLES, Leads};
use crate::newline::EbcdicNewline;

/// Proof that the CPU has AVX-512 F, BW and VL, if `VBMI2` also VBMI and VBMI2, and the instructions of [`Avx2`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512<const VBMI2: bool>(Avx2);

impl<const VBMI2: bool> Avx512<VBMI2> {
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && (!VBMI2 || is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("avx512vbmi2"));
        has_all.then(Avx2::detect).flatten().map(Avx512)
    }
}

impl<const VBMI2: bool> VectorSet for Avx512<VBMI2>
where
    Self: Machine,
{
    #[inline(always)]
    fn kernel(&self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        // Do not use closures here, because they would not be inlined.
        if VBMI2 && let Some(kernel) = full_kernel(Avx512::<true>(self.0), from, to, newline) {
            return Some(kernel);
        }
        if let Some(kernel) = basic_kernel(*self, from, to) {
            return Some(kernel);
        }
        self.0.kernel(from, to, newline)
    }

    #[inline(always)]
    fn validator(&self, form: Form) -> Option<fn(&[u8]) -> usize> {
        validator(*self, form).or_else(|| self.0.validator(form))
    }
}

/// A set of instructions for which generic code is compiled.
pub trait Machine: Copy {
    type Simd: Simd;

    fn kernel<C: Convert<Self::Simd>>(self) -> Kernel;

    fn kernel_by<C: ConvertBy<Self::Simd> + Send + Sync + 'static>(self, tables: C) -> Kernel;

    /// Returns a validator, which is a conversion to [`validate::Nothing`].
    fn validator<C: Convert<Self::Simd>>(self) -> fn(&[u8]) -> usize;
}

/// A [`Machine`] that can compress bytes.
pub trait FullMachine: Machine<Simd: Compress> {
    /// Returns the stages of the kernels of East Asian encodings.
    fn stages(self) -> Stages;
}

macro_rules! machine {
    ($vbmi2:literal, $features:literal) => {
        impl Machine for Avx512<$vbmi2> {
            type Simd = Instructions<$vbmi2>;

            fn kernel<C: Convert<Self::Simd>>(self) -> Kernel {
                #[target_feature(enable = $features)]
                fn convert<C: Convert<Instructions<$vbmi2>>>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
                    // SAFETY: the function runs only on a CPU with the features.
                    C::convert(unsafe { Instructions::assume() }, src, dst)
                }
                // SAFETY: `self` is proof that the CPU has the features.
                Box::new(|src, dst| unsafe { convert::<C>(src, dst) })
            }

            fn kernel_by<C: ConvertBy<Self::Simd> + Send + Sync + 'static>(self, tables: C) -> Kernel {
                #[target_feature(enable = $features)]
                fn convert<C: ConvertBy<Instructions<$vbmi2>>>(
                    tables: &C,
                    src: &[u8],
                    dst: &mut [u8],
                ) -> (usize, usize) {
                    // SAFETY: the function runs only on a CPU with the features.
                    tables.convert(unsafe { Instructions::assume() }, src, dst)
                }
                // SAFETY: `self` is proof that the CPU has the features.
                Box::new(move |src, dst| unsafe { convert(&tables, src, dst) })
            }

            fn validator<C: Convert<Self::Simd>>(self) -> fn(&[u8]) -> usize {
                #[target_feature(enable = $features)]
                fn validate<C: Convert<Instructions<$vbmi2>>>(src: &[u8]) -> usize {
                    // SAFETY: the function runs only on a CPU with the features.
                    C::convert(unsafe { Instructions::assume() }, src, &mut []).0
                }
                // SAFETY: `self` is proof that the CPU has the features.
                |src| unsafe { validate::<C>(src) }
            }
        }
    };
}

machine!(false, "avx512f,avx512bw,avx512vl,bmi1,bmi2,popcnt");
machine!(true, "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt");

impl FullMachine for Avx512<true> {
    fn stages(self) -> Stages {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
        fn split(leads: &Leads, src: &[u8], indices: &mut Units) -> (usize, usize) {
            // SAFETY: the function runs only on a CPU with the features.
            double_byte::split(unsafe { Instructions::<true>::assume() }, leads, src, indices)
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
        fn join(cells: &[Cell; DOUBLES], indices: &Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
            // SAFETY: the function runs only on a CPU with the features.
            double_byte::join(unsafe { Instructions::<true>::assume() }, cells, indices, count, dst)
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
        fn pack(codes: &[u16; 0x1_0000], units: &mut Units, count: usize, dst: &mut [u8]) -> (usize, usize) {
            look_up(codes, units, count);
            // SAFETY: the function runs only on a CPU with the features.
            double_byte::pack(unsafe { Instructions::<true>::assume() }, units, count, dst)
        }
        Stages {
            // SAFETY: `self` is proof that the CPU has the features.
            split: |leads, src, indices| unsafe { split(leads, src, indices) },
            // SAFETY: `self` is proof that the CPU has the features.
            join: |cells, indices, count, dst| unsafe { join(cells, indices, count, dst) },
            // SAFETY: `self` is proof that the CPU has the features.
            pack: |codes, units, count, dst| unsafe { pack(codes, units, count, dst) },
        }
    }
}

/// Returns the kernel of a pair that needs no compression of bytes, or `None` if there is none or AVX2's is faster.
#[inline(always)]
fn basic_kernel(machine: impl Machine, from: Form, to: Form) -> Option<Kernel> {
    use Form::{Latin1, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    use from_utf16::FromUtf16;
    use from_utf32::FromUtf32;
    Some(match (from, to) {
        (Utf16Le, Utf16Le) => machine.kernel::<FromUtf16<from_utf16::Utf16<false>, false>>(),
        (Utf16Le, Utf16Be) => machine.kernel::<FromUtf16<from_utf16::Utf16<true>, false>>(),
        (Utf16Be, Utf16Le) => machine.kernel::<FromUtf16<from_utf16::Utf16<false>, true>>(),
        (Utf16Be, Utf16Be) => machine.kernel::<FromUtf16<from_utf16::Utf16<true>, true>>(),
        (Utf16Le, Utf32Le) => machine.kernel::<FromUtf16<from_utf16::Utf32<false>, false>>(),
        (Utf16Le, Utf32Be) => machine.kernel::<FromUtf16<from_utf16::Utf32<true>, false>>(),
        (Utf16Be, Utf32Le) => machine.kernel::<FromUtf16<from_utf16::Utf32<false>, true>>(),
        (Utf16Be, Utf32Be) => machine.kernel::<FromUtf16<from_utf16::Utf32<true>, true>>(),
        (Utf16Le, Latin1) => machine.kernel::<from_utf16::ToLatin1<false>>(),
        (Utf16Be, Latin1) => machine.kernel::<from_utf16::ToLatin1<true>>(),
        (Utf32Le, Utf32Le) => machine.kernel::<FromUtf32<from_utf32::Utf32<false>, false>>(),
        (Utf32Le, Utf32Be) => machine.kernel::<FromUtf32<from_utf32::Utf32<true>, false>>(),
        (Utf32Be, Utf32Le) => machine.kernel::<FromUtf32<from_utf32::Utf32<false>, true>>(),
        (Utf32Be, Utf32Be) => machine.kernel::<FromUtf32<from_utf32::Utf32<true>, true>>(),
        (Utf32Le, Latin1) => machine.kernel::<from_utf32::ToLatin1<false>>(),
        (Utf32Be, Latin1) => machine.kernel::<from_utf32::ToLatin1<true>>(),
        (Latin1, Utf16Le) => machine.kernel::<from_latin1::ToUtf16<false>>(),
        (Latin1, Utf16Be) => machine.kernel::<from_latin1::ToUtf16<true>>(),
        _ => return None,
    })
}

/// Returns the kernel of a pair that needs compression of bytes, or `None` if there is none.
#[inline(always)]
fn full_kernel<M: FullMachine>(machine: M, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
    use Form::{Latin1, MultiByte, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    use from_utf8::FromUtf8;
    use from_utf16::FromUtf16;
    use from_utf32::FromUtf32;
    Some(match (from, to) {
        (Utf8, Utf16Le) => machine.kernel::<FromUtf8<from_utf8::Utf16<false>>>(),
        (Utf8, Utf16Be) => machine.kernel::<FromUtf8<from_utf8::Utf16<true>>>(),
        (Utf8, Utf32Le) => machine.kernel::<FromUtf8<from_utf8::Utf32<false>>>(),
        (Utf8, Utf32Be) => machine.kernel::<FromUtf8<from_utf8::Utf32<true>>>(),
        (Utf8, Latin1) => machine.kernel::<from_utf8::ToLatin1>(),
        (Utf16Le, Utf8) => machine.kernel::<FromUtf16<from_utf16::Utf8, false>>(),
        (Utf16Be, Utf8) => machine.kernel::<FromUtf16<from_utf16::Utf8, true>>(),
        (Utf16Le, Utf32Le) => machine.kernel::<FromUtf16<from_utf16::CompressedUtf32<false>, false>>(),
        (Utf16Le, Utf32Be) => machine.kernel::<FromUtf16<from_utf16::CompressedUtf32<true>, false>>(),
        (Utf16Be, Utf32Le) => machine.kernel::<FromUtf16<from_utf16::CompressedUtf32<false>, true>>(),
        (Utf16Be, Utf32Be) => machine.kernel::<FromUtf16<from_utf16::CompressedUtf32<true>, true>>(),
        (Utf32Le, Utf8) => machine.kernel::<FromUtf32<from_utf32::Utf8, false>>(),
        (Utf32Be, Utf8) => machine.kernel::<FromUtf32<from_utf32::Utf8, true>>(),
        (Utf32Le, Utf16Le) => machine.kernel::<FromUtf32<from_utf32::Utf16<false>, false>>(),
        (Utf32Le, Utf16Be) => machine.kernel::<FromUtf32<from_utf32::Utf16<true>, false>>(),
        (Utf32Be, Utf16Le) => machine.kernel::<FromUtf32<from_utf32::Utf16<false>, true>>(),
        (Utf32Be, Utf16Be) => machine.kernel::<FromUtf32<from_utf32::Utf16<true>, true>>(),
        (Latin1, Utf8) => machine.kernel::<from_latin1::ToUtf8>(),
        (MultiByte(_), Utf8 | Utf16Le) | (Utf8 | Utf16Le, MultiByte(_)) => {
            let widen = || Some(machine.kernel::<FromUtf8<from_utf8::Utf16<false>>>());
            return multi_byte_kernel(machine.stages(), from, to, widen);
        }
        (Utf8, Form::Page(page)) if !page.has_composites() => {
            let page = page.page(newline);
            utf8_to_page_by(page, machine.kernel_by(to_page::ToPage::new(page)?))
        }
        (Utf16Le, Form::Page(page)) if !page.has_composites() => {
            machine.kernel_by(to_page::FromUtf16(to_page::ToPage::new(page.page(newline))?))
        }
        (Form::Page(page), Utf8) if !page.reads_composites() => {
            machine.kernel_by(by_table::ToUtf8::new(page.page(newline)))
        }
        (Form::Page(_), Utf16Le | Utf16Be) => {
            machine.kernel_by(by_table::ToUtf16::new(from, to == Utf16Be, newline)?)
        }
        _ => machine.kernel_by(by_table::ToBytes::new(from, to, newline)?),
    })
}

#[inline(always)]
fn validator(machine: impl Machine, form: Form) -> Option<fn(&[u8]) -> usize> {
    use from_utf16::FromUtf16;
    use from_utf32::FromUtf32;
    use validate::{Nothing, Utf8ToNothing};
    Some(match form {
        Form::Utf8 => machine.validator::<Utf8ToNothing>(),
        Form::Utf16Le => machine.validator::<FromUtf16<Nothing, false>>(),
        Form::Utf16Be => machine.validator::<FromUtf16<Nothing, true>>(),
        Form::Utf32Le => machine.validator::<FromUtf32<Nothing, false>>(),
        Form::Utf32Be => machine.validator::<FromUtf32<Nothing, true>>(),
        _ => return None,
    })
}

/// The kernels of AVX-512 on emulated instructions, so that every machine can test them.
#[cfg(test)]
pub(crate) use tests::Emulated as Emulated512;
