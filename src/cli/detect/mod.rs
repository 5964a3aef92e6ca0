//! What encoding a file seems to be in, and how sure that is.
//!
//! detector (what is certain, over all bytes) -> sample (the places that tell) -> guess (what is likely).

#![allow(dead_code, unused_imports)] // the command comes next

mod candidates;
mod detector;
mod guess;
mod languages;
mod sample;

pub use detector::{Certainty, Detected, Detector};
