//! For the program, tests and benchmarks of this repository only: any release may change it.

pub use crate::boundary::keeps_boundaries;
pub use crate::edit::{Splice, spliced};
pub use crate::kernel::{Kernel, NotAvailable, Set as KernelSet, Validator};
pub use crate::stream::{Pump, Report};
pub use crate::transcode::exact::{ExactStep, ExactStop, ExactTranscoder};
pub use crate::transcode::segments::Segments;
pub use crate::utf8::{
    count_chars, decode_first, end_of_whole_sequences, is_continuation, is_cut_sequence, is_noncharacter,
};
