//! What several commands do to text on its way: detection, newlines, declarations, statistics, and what shows that a
//! conversion would be wrong.

pub mod auto;
pub mod boms;
pub mod declared;
pub mod detected;
pub mod misfit;
pub mod newline_survey;
pub mod newlines;
pub mod round_trip;
pub mod stats;
