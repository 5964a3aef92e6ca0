//! The option table of `inspect`, and what was typed. No system call is made here.

use std::ffi::OsString;

use clap::{Arg, ArgAction, ArgMatches, Command as Clap, value_parser};
use utfconv_core::{InputBom, UTF_8};

use super::plan::{Format, InspectPlan};
use super::view::Wanted;
use crate::convert::plan::refuse_input;
use crate::files::options::range;
use crate::files::source::Input;
use crate::ui::color::When;
use crate::ui::modes;
use crate::ui::names::Name;
use crate::ui::options::{Refusal, choice, number, option};

/// Bytes read at a time.
const BUFFER: u64 = 16 << 10;

/// Sequences shown on either side of one, and of each fault.
const CONTEXT: usize = 8;
const CONTEXT_OF_FAULTS: usize = 3;

/// The option table: parser, help, man page and completions are all made from it.
pub fn table() -> Clap {
    Clap::new("inspect")
        .bin_name("utfconv inspect")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Show bytes as sequences: where each begins, what it stands for, and what is wrong with it")
        .after_help(AFTER_HELP)
        .args_override_self(true)
        .infer_long_args(true)
        .next_help_heading("Encoding")
        .arg(
            Arg::new("from")
                .short('f')
                .long("from-code")
                .value_name("ENC")
                .help("Encoding of the input [default: UTF-8]")
                .value_parser(modes::name),
        )
        .arg(
            option("input-bom", "POLICY")
                .help("What a BOM (U+FEFF first) means [default: auto]")
                .value_parser(choice(&[
                    ("auto", "What it means in the encoding", InputBom::Auto),
                    ("text", "It is text", InputBom::Text),
                    ("forbid", "A BOM is an error", InputBom::Forbid),
                    ("require", "A missing BOM is an error", InputBom::Require),
                    ("sniff", "It decides the encoding, over -f", InputBom::Sniff),
                ])),
        )
        .arg(
            option("ebcdic-newline", "CONTROL")
                .help("What byte 15 of EBCDIC is [default: nel]")
                .value_parser(choice(modes::EBCDIC_NEWLINE)),
        )
        .next_help_heading("What is shown")
        .arg(range().help("Only what begins in this range, A to B-1, of the bytes of the input"))
        .arg(
            option("around", "OFFSET")
                .conflicts_with_all(["errors-only", "range"])
                .help("Only the sequence that holds this byte, marked, and those around it")
                .value_parser(offset),
        )
        .arg(
            Arg::new("errors-only")
                .long("errors-only")
                .action(ArgAction::SetTrue)
                .help("Only errors, and the sequences around them"),
        )
        .arg(
            Arg::new("context")
                .short('C')
                .long("context")
                .value_name("N")
                .help("Show N sequences on either side, up to 65535 [default: 8, with --errors-only 3]")
                .value_parser(number(0..=u16::MAX)),
        )
        .next_help_heading("Form")
        .arg(option("format", "FORMAT").help("Form of what is shown [default: text]").value_parser(choice(
            &[
                ("text", "For people, a sequence a line", Format::Text),
                ("json", "An object a line", Format::Json),
            ],
        )))
        .arg(
            Arg::new("hex")
                .short('x')
                .long("hex")
                .action(ArgAction::SetTrue)
                .help("Give offsets in hexadecimal, too"),
        )
        .arg(option("color", "WHEN").help("Use colour [default: auto]").value_parser(choice(When::TABLE)))
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .value_parser(value_parser!(OsString))
                .value_hint(clap::ValueHint::FilePath)
                .help("The input; '-' or none is standard input"),
        )
}

/// The options for tests, that neither help nor completions offer.
pub fn hidden(table: Clap) -> Clap {
    let sizes = number(16..=1u64 << 30);
    table.arg(Arg::new("buffer-size").long("buffer-size").hide(true).value_parser(sizes))
}

const AFTER_HELP: &str = "\
Exit status: 0 no error in what was shown; 1 errors; 2 usage, or a file that cannot be read.
The manual page utfconv-inspect(1) says more.";

/// The offset of a byte, in hexadecimal behind `0x`.
fn offset(text: &str) -> Result<u64, String> {
    let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None => (text, 10),
    };
    match !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix)) {
        true => u64::from_str_radix(digits, radix).map_err(|_| "that is beyond any file".to_string()),
        false => Err("an offset is a number of bytes: 212, or 0xD4".to_string()),
    }
}

/// What was typed, understood.
pub fn understand(mut matches: ArgMatches) -> Result<InspectPlan, Refusal> {
    let m = &mut matches;
    let from = m.remove_one::<Name>("from");
    let wanted = match m.remove_one("around") {
        Some(offset) => Wanted::Around(offset),
        None if m.get_flag("errors-only") => Wanted::Faults,
        None => Wanted::All,
    };
    let given_context = m.remove_one::<u16>("context");
    if wanted == Wanted::All && given_context.is_some() {
        return Err(Refusal::usage(
            "-C is for --around and --errors-only: nothing else has sequences around it",
        ));
    }
    let context = if wanted == Wanted::Faults { CONTEXT_OF_FAULTS } else { CONTEXT };
    let encoding = from.as_ref().map_or(&UTF_8, |name| name.encoding);
    // What a name says of the BOM holds where no option says otherwise.
    let input_bom = m.remove_one("input-bom").unwrap_or(match from.and_then(|name| name.signed) {
        Some(true) => InputBom::Require,
        Some(false) => InputBom::Forbid,
        None => InputBom::Auto,
    });
    refuse_input(encoding, input_bom).map_err(|error| Refusal::usage(error.to_string()))?;
    Ok(InspectPlan {
        input: m.remove_one("file").map_or_else(Input::stdin, Input::new),
        encoding,
        input_bom,
        newline: m.remove_one("ebcdic-newline").unwrap_or_default(),
        wanted,
        range: m.remove_one("range"),
        context: given_context.map_or(context, usize::from),
        format: m.remove_one("format").unwrap_or(Format::Text),
        color: m.remove_one("color").unwrap_or(When::Auto),
        shows_hex_offsets: m.get_flag("hex"),
        buffer_size: m.remove_one::<u64>("buffer-size").unwrap_or(BUFFER) as usize,
    })
}

#[cfg(test)]
mod tests {
    /// clap's own look at the table: no clashes, no impossible settings.
    #[test]
    fn the_table_is_consistent() {
        super::hidden(super::table()).debug_assert();
    }
}
