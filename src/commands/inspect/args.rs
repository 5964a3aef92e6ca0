//! The options of `inspect`: their table, and the plan that is made from them. Makes no system calls.

use anyhow::{Result, bail};
use utfconv_core::{InputBom, UTF_8};

use super::plan::InspectPlan;
use super::view::Wanted;
use crate::batch::file_options::{chosen_range, range};
use crate::files::source::Input;
use crate::text::boms::refuse_input;
use crate::ui::color::When;
use crate::ui::modes;
use crate::ui::names::Name;
use crate::ui::options::{ReportFormat, choice, color, command, ebcdic_newline, file, from, number};
use crate::ui::table::{Built, Matches, Table, flag, operand, option, options};

/// The size of reads in bytes.
const BUFFER: u64 = 16 << 10;

/// Number of sequences shown on either side of the sequence for --around.
const CONTEXT: usize = 8;
/// Number of sequences shown on either side of each error.
const CONTEXT_OF_FAULTS: usize = 3;

/// Returns the option table, which the parser, help, man page and completions use. The function is long because each
/// option is defined here once.
pub fn table(built: Built) -> Table {
    command("inspect", "Show the bytes of a file as characters, with code points, names and errors", built)
        .after_help(AFTER_HELP)
        .heading("Encoding")
        .add_all(options![
            from("Input encoding [default: UTF-8]").with(|arg| arg.value_parser(modes::name)),
            option("input-bom", "MODE", "Set how to handle an input BOM [default: auto]").with(|arg| {
                arg.value_parser(choice(&[
                    ("auto", "Handle the BOM as the encoding defines", InputBom::Auto),
                    ("text", "Treat the BOM as text", InputBom::Text),
                    ("forbid", "Treat a BOM as an error", InputBom::Forbid),
                    ("require", "Treat a missing BOM as an error", InputBom::Require),
                    (
                        "sniff",
                        "Take the encoding from the BOM if there is one, else from -f",
                        InputBom::Sniff,
                    ),
                ]))
            },),
            ebcdic_newline(),
        ])
        .heading("Selection")
        .add_all(options![
            range("Show only the sequences that start at bytes A to B-1"),
            option(
                "around",
                "OFFSET",
                "Show the sequence that contains byte OFFSET, marked, and the sequences around it",
            )
            .conflicts_with(&["errors-only", "range"])
            .with(|arg| arg.value_parser(offset)),
            flag("errors-only", "Show only errors, and the sequences around them"),
            option(
                "context",
                "N",
                "Show N sequences (at most 65535) on either side [default: 8; with --errors-only: 3]",
            )
            .short('C')
            .with(|arg| arg.value_parser(number(0..=u16::MAX))),
        ])
        .heading("Output")
        .add_all(options![
            option("format", "FORMAT", "Output format [default: text]").with(|arg| {
                arg.value_parser(choice(&[
                    ("text", "For people, one sequence per line", ReportFormat::Text),
                    ("json", "One JSON object per line", ReportFormat::Json),
                ]))
            }),
            flag("hex", "Also show offsets in hexadecimal").short('x'),
            color(),
            operand("file", "FILE", "Input file; '-' or no FILE is standard input").with(file),
        ])
}

const AFTER_HELP: &str = "\
Exit status: 0 no errors shown; 1 errors; 2 usage or I/O error (takes precedence over 1).
See utfconv-inspect(1).";

/// Parses the offset of a byte, which is hexadecimal after `0x`.
fn offset(text: &str) -> Result<u64, String> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    if !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)) {
        u64::from_str_radix(digits, radix).map_err(|_| "no file is that long".to_string())
    } else {
        Err("expected a byte offset, such as 212 or 0xD4".to_string())
    }
}

/// Makes the plan from the typed options.
pub fn from_matches(mut matches: Matches) -> Result<InspectPlan> {
    let m = &mut matches;
    let from = m.remove_one::<Name>("from");
    let wanted = match m.remove_one("around") {
        Some(offset) => Wanted::Around(offset),
        None if m.flag("errors-only") => Wanted::Faults,
        None => Wanted::All,
    };
    let given_context = m.remove_one::<u16>("context");
    if wanted == Wanted::All && given_context.is_some() {
        bail!("-C requires --around or --errors-only");
    }
    let context = if wanted == Wanted::Faults { CONTEXT_OF_FAULTS } else { CONTEXT };
    let encoding = from.as_ref().map_or(&UTF_8, |name| name.encoding);
    // Without the option, the name of the encoding decides about the BOM.
    let input_bom = m.remove_one("input-bom").unwrap_or(match from.and_then(|name| name.signed) {
        Some(true) => InputBom::Require,
        Some(false) => InputBom::Forbid,
        None => InputBom::Auto,
    });
    refuse_input(encoding, input_bom)?;
    Ok(InspectPlan {
        input: m.remove_one("file").map_or_else(Input::stdin, Input::new),
        encoding,
        input_bom,
        newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        wanted,
        range: chosen_range(m)?,
        context: given_context.map_or(context, usize::from),
        format: m.remove_one("format").unwrap_or(ReportFormat::Text),
        color: m.remove_one("color").unwrap_or(When::Auto),
        shows_hex_offsets: m.flag("hex"),
        buffer_size: m.remove_one::<u64>("buffer-size").unwrap_or(BUFFER) as usize,
    })
}
