//! The vector kernels of x86-64.
//!
//! A function with `#[target_feature]` may run only on a CPU that has the feature. Values of [`Avx2`] and [`Avx512`]
//! are proof of the feature, because they are created only after a check of the CPU, and only they return the kernels.

#![allow(unsafe_code)]

mod avx2;
mod avx512;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;
#[cfg(test)]
pub(crate) use avx512::Emulated512;
