//! The options for ranges of a file: which conversions can be cut into ranges, and how ranges are listed.

use std::ops::Range;

use anyhow::{Error, Result, bail, ensure};
use utfconv_core::{Carrier, Encoding, OnIllFormed, Options};

use super::ConvertOptions;
use crate::batch::file_options::{chosen_range, first_line, range, refuse_line};
use crate::files::ranges::{Bounds, refuse_states};
use crate::ui::json::to_json;
use crate::ui::modes::Declarations;
use crate::ui::options::{choice, number};
use crate::ui::table::{Matches, Table, flag, option, options};

#[derive(Default)]
pub struct Ranges {
    /// `None` means the whole of each input.
    pub bounds: Option<Bounds>,
    /// The line in which the range starts, if known.
    pub first_line: Option<u64>,
    pub product: Product,
    /// The format of the list of ranges, or of the report on many files.
    pub format: Option<RangeFormat>,
}

/// What a run produces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Product {
    #[default]
    Text,
    /// The length of the output in bytes.
    Count,
    /// This many ranges of the input, each for a separate run.
    Ranges { count: u64, form: RangeFormat },
}

/// How ranges are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeFormat {
    Text,
    /// As text, with a NUL after each range.
    Null,
    Json,
}

impl RangeFormat {
    pub const TABLE: &[(&'static str, &'static str, RangeFormat)] = &[
        ("text", "For ranges, one A:B per line; for many files, messages only", RangeFormat::Text),
        (
            "json",
            "For ranges, objects with start and end; for files, one object each, and a summary",
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

/// Pairs of an option and the option that it requires.
pub const NEEDS: &[(&str, &str)] = &[("null", "list-ranges"), ("range-first-line", "range")];

pub fn define(table: Table) -> Table {
    table.heading("Ranges of a file").add_all(options![
        range("Convert only the characters that start at bytes A to B-1 of FILE; A or B may be omitted",),
        first_line(),
        option("list-ranges", "N", "Print up to N ranges of similar length that make up FILE, and exit",)
            .conflicts_with(&["range", "output", "count-output", "stats"])
            .with(|arg| arg.value_parser(number(1..=1u64 << 20))),
        flag("null", "With --list-ranges: end each range with NUL").short('0').conflicts_with(&["format"]),
        option(
            "format",
            "FORMAT",
            "Set the format of the list of ranges, or of a report on many files \
 [default: text]",
        )
        .with(|arg| arg.value_parser(choice(RangeFormat::TABLE))),
        flag("count-output", "Print the length of the output in bytes, instead of the output")
            .conflicts_with(&["output"]),
    ])
}

pub fn from_matches(m: &mut Matches) -> Result<Ranges> {
    let format = m.remove_one("format");
    Ok(Ranges {
        bounds: chosen_range(m)?,
        first_line: m.remove_one("range-first-line"),
        product: match m.remove_one("list-ranges") {
            Some(count) => {
                let form =
                    if m.flag("null") { RangeFormat::Null } else { format.unwrap_or(RangeFormat::Text) };
                Product::Ranges { count, form }
            }
            None if m.flag("count-output") => Product::Count,
            None => Product::Text,
        },
        format,
    })
}

/// True if the report on many files is to be JSON.
pub fn is_json(m: &mut Matches) -> bool {
    m.remove_one("format") == Some(RangeFormat::Json)
}

impl Ranges {
    /// True if inputs are neither cut nor divided into ranges.
    pub fn is_whole(&self) -> bool {
        self.bounds.is_none() && !matches!(self.product, Product::Ranges { .. })
    }

    /// True if the text of whole inputs is written.
    pub fn is_whole_text(&self) -> bool {
        self.bounds.is_none() && self.product == Product::Text
    }
}

/// Refuses options that cannot be used with ranges.
pub fn refuse(asked: &ConvertOptions, options: &Options) -> Result<()> {
    let ConvertOptions { encodings, ranges, .. } = asked;
    if ranges.is_whole() {
        return Ok(());
    }
    let Some(from) = encodings.named() else {
        bail!("ranges require a named input encoding; use utfconv detect FILE to detect it");
    };
    refuse_joined(from, encodings.to.encoding, options)?;
    let is_kept = encodings.declarations == Declarations::Keep;
    ensure!(is_kept, "--declaration=update works on whole files, not on ranges");
    refuse_line(ranges.bounds, ranges.first_line, asked.errors.stats)?;
    ensure!(asked.targets.paths.len() <= 1, "ranges work on one FILE only");
    Ok(())
}

/// Refuses conversions whose ranges cannot be joined to the whole.
fn refuse_joined(from: &Encoding, to: &Encoding, options: &Options) -> Result<()> {
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
        OnIllFormed::Carry(Carrier::C8) if from.code_unit_len() > 1 => bail!(
            "ranges cannot be used with UTF-8-C8 carriers in {}: a range boundary may split one",
            from.name()
        ),
        _ => Ok(()),
    }
}
