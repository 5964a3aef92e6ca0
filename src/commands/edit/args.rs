//! The options of `edit`: their table, and the plan that is made from them. Makes no system calls.

use anyhow::{Result, bail, ensure};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ValueHint, value_parser};
use std::ffi::OsString;
use utfconv_restore::{RestoreOptions, View};

use super::plan::EditPlan;
use crate::batch::args::{manifest, options};
use crate::ui::modes;
use crate::ui::names::Name;
use crate::ui::options::{command, from, unmappable};
use crate::ui::quote::{as_argument, as_word};
use crate::ui::table::{Built, Matches, Table, flag, operand, options};

/// Returns the option table, which the parser, help, man page and completions use.
pub fn table(built: Built) -> Table {
    command("edit", "Edit files of any encoding in a program for UTF-8", built)
        .after_help(AFTER_HELP)
        .heading("Edit")
        .add_all(options![
            from("Encoding of the files [default: as configured, declared or detected]")
                .with(|arg| arg.value_parser(modes::name_or_auto)),
            unmappable(
                "Mode for characters that cannot be encoded: replace[=TEXT], escape[=STYLE], omit, translit",
            ),
            flag("ignore-status", "Write the edited files even if COMMAND fails"),
            flag(
                "force",
                "Overwrite files that a rename cannot replace; edit files that seem not to be in ENC"
            ),
            manifest()[0],
            operand("file", "FILE", "Files to edit").required().with(|arg| {
                arg.num_args(1..).value_parser(value_parser!(OsString)).value_hint(ValueHint::FilePath)
            }),
            operand(
                "command",
                "COMMAND",
                "Program and arguments, with {} for the copies [default: $VISUAL, $EDITOR or vi]",
            )
            .with(|arg| arg.last(true).num_args(1..).value_parser(value_parser!(OsString))),
        ])
}

const AFTER_HELP: &str = "\
The program gets copies in UTF-8. What it does not edit keeps its bytes, even if they are invalid.
Exit status: 0 done; 1 an edit cannot be encoded, and its copy is kept; 2 usage or I/O error, or
COMMAND failed. See utfconv-edit(1).";

/// Options that `edit` does not have, with advice on what to do instead.
const OTHERWISE: &[(&[&str], &str)] = &[
    (
        &["-t", "--to-code", "--to"],
        "each file keeps its encoding; use 'utfconv -i -f ENC -t ENC FILE' to convert it",
    ),
    (&["-r", "--recursive"], "edit takes files, not directories; use 'utfconv edit FILE...'"),
    (&["--undo"], "use 'utfconv --undo=MANIFEST' to undo edits that --manifest recorded"),
    (&["-i", "--in-place"], "edit always writes to the files; use 'utfconv edit FILE'"),
    (&["-e", "--editor", "-c", "--command"], "write the program after --: 'utfconv edit FILE -- PROGRAM'"),
];

/// Returns a better message than `error` if the words are not in the order FILE -- COMMAND.
pub fn instead(error: &clap::Error, words: &[OsString]) -> Option<String> {
    let (_, words) = words.split_first().filter(|(name, _)| *name == "edit")?;
    if error.kind() == ErrorKind::MissingRequiredArgument {
        let (options, rest) =
            words.split_at(words.iter().position(|word| word == "--").unwrap_or(words.len()));
        return Some(match rest {
            [_, program @ .., file] if !program.is_empty() => {
                let files = [options, std::slice::from_ref(file)].concat();
                format!("write the files before --: 'utfconv edit {}'", call(&files, program))
            }
            _ => "no file is named; use 'utfconv edit FILE'".to_string(),
        });
    }
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(unknown)) if error.kind() == ErrorKind::UnknownArgument => unknown.as_str(),
        _ => return None,
    };
    let at = words.iter().position(|word| word.to_str().is_some_and(|word| word.starts_with(unknown)))?;
    let takes_value = |word: &OsString| {
        ["-f", "--from-code", "--manifest", "--unmappable"].iter().any(|option| word == option)
    };
    let is_operand = |at: &usize| {
        !(words[*at].as_encoded_bytes().starts_with(b"-") || *at > 0 && takes_value(&words[at - 1]))
    };
    let operands: Vec<usize> = (0..at).filter(is_operand).collect();
    let otherwise = OTHERWISE.iter().find(|(options, _)| options.contains(&unknown)).map(|(_, text)| *text);
    let order = match operands[..] {
        [_, .., program] if unknown != "-t" => call(&words[..program], &words[program..]),
        // Handles `sed -i SCRIPT FILE`.
        [program] if words.len() > at + 2 && unknown != "-t" => {
            let (program, file) = words[program..].split_at(words.len() - program - 1);
            call(&[&words[..operands[0]], file].concat(), program)
        }
        _ => return otherwise.map(|text| format!("unexpected argument '{unknown}'; {text}")),
    };
    Some(format!("unexpected argument '{unknown}'; write -- before the program: 'utfconv edit {order}'"))
}

/// Returns the arguments of `edit` for a program that edits files, as the user would type them.
pub fn call(files: &[OsString], program: &[OsString]) -> String {
    let typed = |words: &[OsString]| words.iter().map(|word| as_word(word)).collect::<Vec<_>>().join(" ");
    format!("{} -- {}", typed(files), typed(program))
}

/// Returns the options for a later run that writes an edited copy to its file, as they were typed.
fn repeated(m: &Matches) -> Vec<String> {
    let typed = |id, option: &str| m.raw(id).map(|value| option.to_string() + &as_argument(value));
    let force = m.flag("force").then(|| "--force".to_string());
    let options =
        [typed("from", "-f "), force, typed("unmappable", "--unmappable="), typed("manifest", "--manifest=")];
    options.into_iter().flatten().collect()
}

/// Makes the plan from the typed options.
pub fn from_matches(mut matches: Matches) -> Result<EditPlan> {
    let m = &mut matches;
    let files: Vec<OsString> = m.remove_many("file").collect();
    let has_stdin = files.iter().any(|file| file == "-");
    ensure!(!has_stdin, "edit cannot use standard input; write ./- for a file called -");
    let command: Vec<OsString> = m.remove_many("command").collect();
    // A program that is given the file itself could damage it.
    if let Some(file) = files.iter().find(|file| command.iter().skip(1).any(|word| word == *file))
        && !command.iter().any(|word| word == "{}")
    {
        let copies = command.iter().map(|word| if files.contains(word) { "{}".into() } else { word.clone() });
        let copies = call(&files, &copies.collect::<Vec<_>>());
        let file = as_argument(file);
        bail!("the program would get {file} itself; use 'utfconv edit {copies}'");
    }
    Ok(EditPlan {
        files,
        command,
        repeated: repeated(m),
        encoding: m.remove_one::<Option<Name>>("from").flatten().map(|name| name.encoding),
        ignores_status: m.flag("ignore-status"),
        options: options(m),
        restore: RestoreOptions::default()
            .view(View::Exact)
            .unmappable(m.remove_one("unmappable").unwrap_or_default()),
        force: m.flag("force"),
    })
}
