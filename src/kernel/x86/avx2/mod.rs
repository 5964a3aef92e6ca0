//! Kernels for AVX2, with the bit manipulation (BMI1, BMI2, POPCNT) that every CPU with AVX2 has.

mod page;

use crate::encoding::{EbcdicNewline, Form};
use crate::kernel::Kernel;

/// Proof that the CPU has AVX2, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }

    /// The kernel for a pair of encoding forms, if there is one.
    pub fn kernel(self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        page::kernel(self, from, to, newline)
    }

    /// The validator of an encoding form, if there is one. That of UTF-8 finds all of a well-formed prefix.
    pub fn validator(self, _form: Form) -> Option<fn(&[u8]) -> usize> {
        None
    }
}
