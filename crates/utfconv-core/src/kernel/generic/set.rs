//! Macros that make kernels of functions, and the list of kernels that each set of vector instructions has.
//!
//! A set is a type, `Proof` in the macros, whose values are proof that the CPU has the instructions which the functions
//! need. So no set can hand out a kernel that the CPU cannot run.

/// Makes a [`Kernel`](super::Kernel) of a function that needs the instructions of a set. The kernel owns the values
/// that the function borrows as its first parameters.
macro_rules! kernel {
    ($set:expr, $function:expr $(, $owned:ident)*) => {{
        let _: Proof = $set;
        // SAFETY: a value of `Proof` is proof that the CPU has the instructions of the function.
        Box::new(move |src: &[u8], dst: &mut [u8]| unsafe { $function($(&$owned,)* src, dst) })
    }};
}
pub(crate) use kernel;

/// Makes a validator of a function that needs the instructions of a set.
macro_rules! validator {
    ($set:expr, $function:expr) => {{
        let _: Proof = $set;
        // SAFETY: a value of `Proof` is proof that the CPU has the instructions of the function.
        |src: &[u8]| unsafe { $function(src) }
    }};
}
pub(crate) use validator;

/// Returns the kernel from wide code units in the given byte order to a form, if there is one. Uses the functions
/// `utf8`, `utf16`, `utf32` and `single_byte` that are in scope.
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
pub(crate) use wide_kernel;

/// Returns the kernel from single bytes up to `$last`, which is 7F or FF, to a form, if there is one. Uses the
/// functions `utf8`, `utf16`, `utf32` and `ascii` that are in scope.
macro_rules! narrow_kernel {
    ($set:expr, $last:ident, $to:expr) => {
        Some(match ($last, $to) {
            (0x80.., Form::Utf8) => kernel!($set, utf8),
            (_, Form::Utf16Le | Form::Ucs2Le) => kernel!($set, utf16::<$last, false>),
            (_, Form::Utf16Be | Form::Ucs2Be) => kernel!($set, utf16::<$last, true>),
            (_, Form::Utf32Le | Form::Ucs4Le) => kernel!($set, utf32::<$last, false>),
            (_, Form::Utf32Be | Form::Ucs4Be) => kernel!($set, utf32::<$last, true>),
            (0x80.., Form::Latin1) => Box::new($crate::kernel::generic::portable::copy),
            (_, Form::Utf8 | Form::Latin1 | Form::Ascii) => kernel!($set, ascii),
            _ => return None,
        })
    };
}
pub(crate) use narrow_kernel;

/// Returns the kernel from UTF-8 to a form, if there is one. Uses the function `convert` that is in scope.
macro_rules! utf8_kernel {
    ($set:expr, $to:expr) => {
        Some(match $to {
            Form::Utf16Le => kernel!($set, convert::<Utf16<false>>),
            Form::Utf16Be => kernel!($set, convert::<Utf16<true>>),
            Form::Utf32Le => kernel!($set, convert::<Utf32<false>>),
            Form::Utf32Be => kernel!($set, convert::<Utf32<true>>),
            Form::Latin1 => kernel!($set, convert::<Latin1>),
            _ => return None,
        })
    };
}
pub(crate) use utf8_kernel;

/// Implements [`VectorSet`](super::VectorSet) with the modules of kernels that are in scope.
macro_rules! vector_set {
    ($set:ident) => {
        impl $crate::kernel::generic::VectorSet for $set {
            #[inline(always)]
            fn kernel(
                &self,
                from: $crate::form::Form,
                to: $crate::form::Form,
                newline: $crate::newline::EbcdicNewline,
            ) -> Option<$crate::kernel::generic::Kernel> {
                use $crate::form::Form;
                use $crate::kernel::generic::double_byte::multi_byte_kernel;
                match (from, to) {
                    (Form::Page(page), Form::Utf8) => page::kernel_from(*self, page, newline),
                    (Form::MultiByte(_), Form::Utf8 | Form::Utf16Le)
                    | (Form::Utf8 | Form::Utf16Le, Form::MultiByte(_)) => {
                        let widen = || from_utf8::kernel(*self, Form::Utf16Le);
                        multi_byte_kernel(double_byte::stages(*self), from, to, widen)
                    }
                    (Form::Utf8, _) => from_utf8::kernel(*self, to),
                    (Form::Utf16Le, _) => from_utf16::kernel::<false>(*self, to),
                    (Form::Utf16Be, _) => from_utf16::kernel::<true>(*self, to),
                    // Kernels treat UCS-4 as UTF-32, because they convert only scalar values.
                    (Form::Utf32Le | Form::Ucs4Le, _) => from_utf32::kernel::<false>(*self, to),
                    (Form::Utf32Be | Form::Ucs4Be, _) => from_utf32::kernel::<true>(*self, to),
                    (Form::Latin1, _) => from_latin1::kernel::<0xFF>(*self, to),
                    (Form::Ascii, _) => from_latin1::kernel::<0x7F>(*self, to),
                    _ => None,
                }
            }

            #[inline(always)]
            fn validator(&self, form: $crate::form::Form) -> Option<fn(&[u8]) -> usize> {
                use $crate::form::Form;
                use $crate::kernel::generic::set::validator;
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
    };
}
pub(crate) use vector_set;
