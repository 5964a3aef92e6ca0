//! Kernels for AVX2, with the bit manipulation (BMI1, BMI2, POPCNT) that every CPU with AVX2 has.

mod double_byte;
mod from_latin1;
mod from_utf16;
mod from_utf32;
mod from_utf8;
mod page;
mod to_utf8;
mod validate;
mod vector;

use crate::form::Form;
use crate::kernel::generic::{Kernel, VectorSet};
use crate::newline::EbcdicNewline;

/// Proof that the CPU has AVX2, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

/// A function with AVX2, BMI1, BMI2 and POPCNT as a [`Kernel`], which owns what the function borrows first.
macro_rules! kernel {
    ($set:expr, $function:expr $(, $owned:ident)*) => {{
        let _: Avx2 = $set;
        // SAFETY: a value of `Avx2` is proof that the CPU has what the function needs.
        Box::new(move |src: &[u8], dst: &mut [u8]| unsafe { $function($(&$owned,)* src, dst) })
    }};
}
use kernel;

/// The [`Kernel`] from wide code units in this byte order to a form, if there is one: of the functions `utf8`, `utf16`,
/// `utf32` and `single_byte` that are in scope.
macro_rules! wide_kernel {
    ($set:expr, $big_endian:ident, $to:expr) => {
        Some(match $to {
            Form::Utf8 => kernel!($set, utf8::<$big_endian>),
            Form::Utf16Le => kernel!($set, utf16::<$big_endian, false>),
            Form::Utf16Be => kernel!($set, utf16::<$big_endian, true>),
            Form::Utf32Le | Form::Ucs4Le => kernel!($set, utf32::<$big_endian, false>),
            Form::Utf32Be | Form::Ucs4Be => kernel!($set, utf32::<$big_endian, true>),
            Form::Latin1 => kernel!($set, single_byte::<$big_endian, 0xFF>),
            Form::Ascii => kernel!($set, single_byte::<$big_endian, 0x7F>),
            _ => return None,
        })
    };
}
use wide_kernel;

/// The same as `kernel`, for a validator.
macro_rules! validator {
    ($set:expr, $function:expr) => {{
        let _: Avx2 = $set;
        // SAFETY: a value of `Avx2` is proof that the CPU has what the function needs.
        |src: &[u8]| unsafe { $function(src) }
    }};
}

impl Avx2 {
    pub fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }
}

impl VectorSet for Avx2 {
    fn kernel(&self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        match (from, to) {
            (Form::Page(page), Form::Utf8) => page::kernel_from(*self, page, newline),
            (Form::MultiByte(tables), Form::Utf8) => double_byte::kernel_from(*self, tables.get()),
            (Form::Utf8, Form::MultiByte(tables)) => double_byte::kernel_to(*self, tables.get()),
            (Form::Utf8, _) => from_utf8::kernel(*self, to),
            (Form::Utf16Le, _) => from_utf16::kernel::<false>(*self, to),
            (Form::Utf16Be, _) => from_utf16::kernel::<true>(*self, to),
            // UCS-4 is the same as far as kernels go.
            (Form::Utf32Le | Form::Ucs4Le, _) => from_utf32::kernel::<false>(*self, to),
            (Form::Utf32Be | Form::Ucs4Be, _) => from_utf32::kernel::<true>(*self, to),
            (Form::Latin1, _) => from_latin1::kernel::<0xFF>(*self, to),
            (Form::Ascii, _) => from_latin1::kernel::<0x7F>(*self, to),
            _ => None,
        }
    }

    fn validator(&self, form: Form) -> Option<fn(&[u8]) -> usize> {
        Some(match form {
            Form::Utf8 => validator!(*self, validate::utf8),
            Form::Utf16Le => validator!(*self, from_utf16::well_formed::<false>),
            Form::Utf16Be => validator!(*self, from_utf16::well_formed::<true>),
            Form::Utf32Le | Form::Ucs4Le => validator!(*self, from_utf32::well_formed::<false>),
            Form::Utf32Be | Form::Ucs4Be => validator!(*self, from_utf32::well_formed::<true>),
            _ => return None,
        })
    }
}
