//! Kernels for AVX2 and the bit manipulation instructions (BMI1, BMI2, POPCNT) that every CPU with AVX2 has.

mod double_byte;
mod from_latin1;
mod from_utf16;
mod from_utf32;
mod from_utf8;
mod page;
mod to_utf8;
mod validate;
mod vector;

use crate::kernel::generic::set::vector_set;

pub(super) use self::double_byte::look_up;
use Avx2 as Proof;

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
}

vector_set!(Avx2);
