//! For the program, tests and benchmarks of this repository only: any release may change it.

pub use crate::boundary::keeps_boundaries;
#[cfg(feature = "detect")]
pub use crate::detect::controls;
#[cfg(feature = "detect")]
pub use crate::detect::mixed::{Evidence, Mixed, Watch, differs_from_utf8, has_evident_utf8};
#[cfg(feature = "detect")]
pub use crate::detect::sniff::{is_mostly_utf8, is_no_text_in, may_be_wide, partly_ascii, scheme};
#[cfg(feature = "detect")]
pub use crate::detect::whole::{appended_ascii, with_lines};
pub use crate::edit::{Splice, spliced};
pub use crate::kernel::{Kernel, NotAvailable, Set as KernelSet, Validator};
pub use crate::stream::{Pump, Report};
pub use crate::transcode::exact::{ExactStep, ExactStop, ExactTranscoder};
pub use crate::transcode::segments::Segments;
pub use crate::utf8::{
    count_chars, decode_first, end_of_whole_sequences, is_continuation, is_cut_sequence, is_noncharacter,
};
