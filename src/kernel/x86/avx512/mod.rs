//! Kernels for AVX-512 with byte permutations and compression (F, BW, VL, VBMI, VBMI2): Ice Lake, Zen 4 and newer.

use super::Avx2;
use crate::encoding::{EbcdicNewline, Form};
use crate::kernel::Kernel;

/// Proof that the CPU has AVX-512 F, BW, VL, VBMI and VBMI2, and what [`Avx2`] is proof of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    pub fn detect() -> Option<Avx512> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2");
        has_all.then(Avx2::detect).flatten().map(Avx512)
    }

    /// The kernel for a pair of encoding forms, if there is one.
    pub fn kernel(self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        self.0.kernel(from, to, newline)
    }

    /// The validator of an encoding form, if there is one. That of UTF-8 finds all of a well-formed prefix.
    pub fn validator(self, form: Form) -> Option<fn(&[u8]) -> usize> {
        self.0.validator(form)
    }
}
