//! Which conversions can be cut into ranges, and how ranges are listed.

use std::ops::Range;

use anyhow::{Result, bail};
use utfconv_core::internals::keeps_boundaries;
use utfconv_core::{Carrier, Encoding, OnIllFormed, Options};

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
        ("text", "A:B, a line each", RangeFormat::Text),
        ("json", "An array of objects with start and end", RangeFormat::Json),
    ];

    pub fn render(self, ranges: &[Range<u64>]) -> String {
        let lines = |end| ranges.iter().map(|range| format!("{}:{}{end}", range.start, range.end)).collect();
        match self {
            RangeFormat::Text => lines('\n'),
            RangeFormat::Null => lines('\0'),
            RangeFormat::Json => {
                let objects: Vec<_> = ranges
                    .iter()
                    .map(|range| format!("{{\"start\":{},\"end\":{}}}", range.start, range.end))
                    .collect();
                format!("[{}]\n", objects.join(","))
            }
        }
    }
}

/// Refuses encodings whose ranges cannot be converted separately.
pub fn refuse_states(encoding: &Encoding) -> Result<()> {
    if encoding.is_stateful() {
        bail!("ranges do not work with {}, which has shift states", encoding.name());
    }
    Ok(())
}

/// Refuses conversions whose ranges cannot be joined to the whole.
pub fn refuse(from: &Encoding, to: &Encoding, options: &Options) -> Result<()> {
    refuse_states(from)?;
    refuse_states(to)?;
    if options.normalization.is_some() {
        bail!("ranges do not work with --normalize, which may combine text across a range boundary");
    }
    match options.policy.ill_formed {
        OnIllFormed::Fallback(fallback) if !keeps_boundaries(from, fallback) => bail!(
            "ranges do not work with --ill-formed=fallback: a character of {} may cross a range boundary",
            fallback.name()
        ),
        OnIllFormed::Carry(Carrier::C8) if from.unit() > 1 => {
            bail!(
                "ranges do not work with UTF-8-C8 carriers in {}: a range boundary may split one",
                from.name()
            )
        }
        _ => Ok(()),
    }
}
