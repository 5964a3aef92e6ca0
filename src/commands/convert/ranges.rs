//! Which conversions can be cut into ranges, and how ranges are listed.

use std::ops::Range;

use anyhow::{Error, Result, bail, ensure};
use utfconv_core::{Carrier, Encoding, OnIllFormed, Options};

use crate::files::ranges::refuse_states;
use crate::ui::json::to_json;

/// How ranges are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeFormat {
    Text,
    /// As text, with a NUL after each.
    Null,
    Json,
}

impl RangeFormat {
    pub const TABLE: &[(&'static str, &'static str, RangeFormat)] = &[
        ("text", "A:B, a line each; of files, messages only", RangeFormat::Text),
        (
            "json",
            "An array of objects with start and end; of files, a line each, and a summary",
            RangeFormat::Json,
        ),
    ];

    pub fn render(self, ranges: &[Range<u64>]) -> String {
        let lines = |end| ranges.iter().map(|range| format!("{}:{}{end}", range.start, range.end)).collect();
        match self {
            RangeFormat::Text => lines('\n'),
            RangeFormat::Null => lines('\0'),
            // serde writes a range as an object with its start and its end.
            RangeFormat::Json => to_json(&ranges) + "\n",
        }
    }
}

/// Refuses conversions whose ranges cannot be joined to the whole.
pub fn refuse(from: &Encoding, to: &Encoding, options: &Options) -> Result<()> {
    refuse_states(from).map_err(Error::msg)?;
    ensure!(!to.is_stateful(), "ranges cannot be used with {}, which has shift states", to.name());
    ensure!(
        options.normalization.is_none(),
        "ranges cannot be used with --normalize, which may combine text across a range boundary"
    );
    match options.policy.ill_formed {
        OnIllFormed::Fallback(fallback) if !from.keeps_boundaries(fallback) => bail!(
            "ranges cannot be used with --ill-formed=fallback: a character of {} may cross a range boundary",
            fallback.name()
        ),
        OnIllFormed::Carry(Carrier::C8) if from.unit() > 1 => bail!(
            "ranges cannot be used with UTF-8-C8 carriers in {}: a range boundary may split one",
            from.name()
        ),
        _ => Ok(()),
    }
}
