//! The plan of an inspection.

use utfconv_core::{EbcdicNewline, Encoding, InputBom};

use super::view::Wanted;
use crate::files::ranges::Bounds;
use crate::files::source::Input;
use crate::ui::color::When;
use crate::ui::options::ReportFormat;

/// What to inspect, ready to run.
pub struct InspectPlan {
    pub input: Input,
    pub encoding: &'static Encoding,
    pub input_bom: InputBom,
    pub newline: EbcdicNewline,
    pub wanted: Wanted,
    /// Only sequences that begin in this range of bytes are shown; None means all.
    pub range: Option<Bounds>,
    /// How many sequences are shown on either side of the wanted ones.
    pub context: usize,
    pub format: ReportFormat,
    pub color: When,
    pub shows_hex_offsets: bool,
    pub buffer_size: usize,
}
