//! The options of `edit`: their table, and the plan made from them. Makes no system calls.

use clap::{ValueHint, value_parser};
use std::ffi::OsString;

use super::plan::EditPlan;
use crate::edits::args::{manifest, options};
use crate::ui::modes;
use crate::ui::names::Name;
use crate::ui::options::{Refusal, command, from};
use crate::ui::table::{Built, Matches, Table, flag, operand, options};

/// Returns the option table, from which parser, help, man page and completions are made.
pub fn table(built: Built) -> Table {
    command("edit", "Edit files of any encoding in a program for UTF-8", built)
        .after_help(AFTER_HELP)
        .heading("Edit")
        .add_all(options![
            from("Encoding of the files [default: as configured, declared or detected]")
                .with(|arg| arg.value_parser(modes::name_or_auto)),
            flag("ignore-status", "Write what was edited even if COMMAND fails"),
            flag(
                "force",
                "Overwrite files that cannot be replaced by a rename; edit files that seem not to be in ENC"
            ),
            manifest()[0],
            operand("file", "FILE", "Files to edit").required().with(|arg| {
                arg.num_args(1..).value_parser(value_parser!(OsString)).value_hint(ValueHint::FilePath)
            }),
            operand(
                "command",
                "COMMAND",
                "Program and arguments, with {} for the copies [default: $VISUAL, $EDITOR, vi]",
            )
            .with(|arg| arg.last(true).num_args(1..).value_parser(value_parser!(OsString))),
        ])
}

const AFTER_HELP: &str = "\
The program gets copies in UTF-8. What it does not edit keeps its bytes, even if they are invalid.
Exit status: 0 done; 1 an edit cannot be encoded, and its copy is kept; 2 usage or I/O error, or
COMMAND failed. See utfconv-edit(1).";

/// Makes the plan.
pub fn understand(mut matches: Matches) -> Result<EditPlan, Refusal> {
    let m = &mut matches;
    let files: Vec<OsString> = m.remove_many("file").collect();
    if files.iter().any(|file| file == "-") {
        return Err(Refusal::usage("edit cannot use standard input; write ./- for a file called -"));
    }
    Ok(EditPlan {
        files,
        command: m.remove_many("command").collect(),
        encoding: m.remove_one::<Option<Name>>("from").flatten().map(|name| name.encoding),
        ignores_status: m.flag("ignore-status"),
        options: options(m),
        force: m.flag("force"),
    })
}
