//! The plan of an inspection.

use utfconv_core::{EbcdicNewline, Encoding, InputBom};

use super::view::Wanted;
use crate::files::ranges::Bounds;
use crate::files::source::Input;
use crate::ui::color::When;
use crate::ui::options::ReportFormat;

/// The file to inspect, and what to show.
pub struct InspectPlan {
    pub input: Input,
    pub encoding: &'static Encoding,
    pub input_bom: InputBom,
    pub newline: EbcdicNewline,
    pub wanted: Wanted,
    /// Only sequences that begin in this byte range are shown; `None` means all.
    pub range: Option<Bounds>,
    /// Number of sequences shown on either side of the wanted sequences.
    pub context: usize,
    pub format: ReportFormat,
    pub color: When,
    pub shows_hex_offsets: bool,
    pub buffer_size: usize,
}
