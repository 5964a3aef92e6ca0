//! Operations on text that several commands share: detection, newlines, declarations, statistics, and checks that show
//! that a conversion would be wrong.

pub mod auto;
pub mod boms;
pub mod declared;
pub mod detected;
pub mod hidden;
pub mod misfit;
pub mod newline_survey;
pub mod newlines;
pub mod round_trip;
pub mod stats;
