//! The options for normalization, newlines and records.

use std::io;

use anyhow::{Result, bail, ensure};
use utfconv_core::{EbcdicNewline, Encoding, NormalizationForm};

use super::ConvertOptions;
use crate::commands::convert::records::{InputRecords, framing};
use crate::text::newlines::{Changed, Newlines, blank, bytes};
use crate::ui::modes;
use crate::ui::options::{choice, ebcdic_newline};
use crate::ui::table::{Matches, Table, flag, option, options};

#[derive(Default)]
pub struct TextChanges {
    pub normalization: Option<NormalizationForm>,
    /// How newlines are changed, or written as records.
    pub newlines: Changed,
    /// The form of the records that are read as lines.
    pub records: Option<InputRecords>,
}

/// Pairs of an option and the option that it requires.
pub const NEEDS: &[(&str, &str)] = &[("keep-blanks", "records")];

pub fn define(table: Table) -> Table {
    table
        .heading("Normalization")
        .add(
            option("normalize", "FORM", "Write all text in one normalization form: nfc, nfd, nfkc or nfkd")
                .with(|arg| arg.ignore_case(true).value_parser(choice(modes::NORMALIZATION))),
        )
        .heading("Newlines")
        .add_all(options![
            option("newline", "STYLE", "Write all newlines as lf, crlf or cr [default: keep]")
                .with(|arg| arg.value_parser(choice(modes::NEWLINE))),
            flag("final-newline", "Add a newline to output that does not end with one"),
            ebcdic_newline(),
            option(
                "records",
                "FORM",
                "Read records as lines; FORM is N (bytes per record), rdw or rdw-blocked",
            )
            .with(|arg| arg.value_parser(framing)),
            flag("keep-blanks", "With --records=N: keep the blanks at the end of each record"),
            option(
                "output-records",
                "FORM",
                "Write lines as records; FORM is N (bytes per record, padded), rdw or rdw-blocked",
            )
            .conflicts_with(&["newline", "final-newline"])
            .with(|arg| arg.value_parser(framing)),
        ])
}

pub fn from_matches(m: &mut Matches) -> TextChanges {
    TextChanges {
        normalization: m.remove_one("normalize"),
        newlines: Changed {
            newlines: m.remove_one("newline").unwrap_or_default(),
            adds_final: m.flag("final-newline"),
            records: m.remove_one("output-records"),
        },
        records: m
            .remove_one("records")
            .map(|framing| InputRecords { framing, keeps_blanks: m.flag("keep-blanks") }),
    }
}

/// Refuses records and changes of newlines that other options make impossible.
pub fn refuse(asked: &ConvertOptions) -> Result<()> {
    let (from, to) = (asked.encodings.named(), asked.encodings.to.encoding);
    let TextChanges { records, newlines, .. } = asked.text;
    let control = asked.encodings.ebcdic_newline.unwrap_or_default();
    if records.is_some() || newlines.records.is_some() {
        ensure!(asked.ranges.is_whole(), "--records and --output-records cannot be used with ranges");
        ensure!(!asked.files.verify, "--verify cannot be used with --records or --output-records");
    }
    if records.is_some() {
        let Some(from) = from else { bail!("--records requires a named input encoding") };
        refuse_wide("--records", from, control)?;
    }
    if newlines.records.is_some() {
        refuse_wide("--output-records", to, control)?;
    }
    let has_newlines = Newlines::new(io::sink(), newlines, to, control).is_some();
    ensure!(has_newlines, "--newline, --final-newline: {} has no newlines", to.name());
    Ok(())
}

/// Refuses `option` if a space or a newline in `encoding` is longer than one byte.
fn refuse_wide(option: &str, encoding: &'static Encoding, control: EbcdicNewline) -> Result<()> {
    let has_bytes = bytes(encoding, control).is_some() && blank(encoding).is_some();
    ensure!(has_bytes, "{option}: {} has no blanks and newlines of one byte", encoding.name());
    Ok(())
}
