//! Completions for shells.
//!
//! The scripts for bash, zsh and fish are templates in `completions/` beside this file, in which the content of the
//! option tables replaces each line `@PART@`. clap's own scripts are not used for these shells, because they compare
//! names with case and take the name of a command for an operand. PowerShell and elvish get clap's scripts.

use std::fmt::Write;

use clap::builder::PossibleValue;
use clap::{Arg, Command as Clap, ValueHint};
use clap_complete::Shell;
use utfconv_core::Encoding;

use crate::commands::check::rules::{Group, Rule};
use crate::commands::iconv;
use crate::ui::modes::{self, Mode};
use crate::ui::names::{SIGNED, names as names_of};

/// Returns the script of a shell. `tree` is the table of the program with those of its commands.
pub fn script(shell: Shell, tree: &Clap) -> String {
    let mut tree = tree.clone();
    tree.build();
    let iconv = iconv::table();
    let all = std::iter::once(&tree).chain(tree.get_subcommands()).chain([&iconv]);
    let commands = all.map(Table::new).collect::<Vec<_>>();
    match shell {
        Shell::Bash => bash(&commands),
        Shell::Zsh => zsh(&commands),
        Shell::Fish => fish(&commands),
        shell => {
            let mut out = Vec::new();
            clap_complete::generate(shell, &mut tree, "utfconv", &mut out);
            String::from_utf8_lossy(&out).into_owned()
        }
    }
}

/// The parts of a command line that can be completed.
struct Table {
    name: String,
    about: String,
    options: Vec<Completion>,
    /// The operands, if there are any.
    operand: Option<Completion>,
}

/// An option or the operands.
struct Completion {
    id: String,
    short: Option<char>,
    long: Option<String>,
    help: String,
    is_repeated: bool,
    /// How the value is completed:
    /// - `flag`: there is no value, or none as a separate word;
    /// - `any`: the value cannot be completed;
    /// - `files`, `directories` or `words`: the value is one of them;
    /// - `list`: the value is a list of words separated by commas;
    /// - `modes`: the value is a word, and an encoding follows one of the words;
    /// - `encodings`: the value is an encoding or a word;
    /// - `targets`: the value is an encoding with suffixes.
    kind: &'static str,
    words: Words,
}

/// Words, each with its meaning.
type Words = Vec<(String, String)>;

impl Table {
    fn new(table: &Clap) -> Table {
        let name = table.get_name();
        let shown = table.get_arguments().filter(|arg| !arg.is_hide_set());
        let (operands, options): (Vec<_>, Vec<_>) = shown.partition(|arg| arg.is_positional());
        Table {
            name: name.to_string(),
            about: table.get_about().map(ToString::to_string).unwrap_or_default(),
            options: options.into_iter().map(|arg| Completion::new(name, arg)).collect(),
            operand: operands.first().map(|arg| Completion::new(name, arg)),
        }
    }
}

impl Completion {
    fn new(command: &str, arg: &Arg) -> Completion {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let (kind, words) = value(command, arg);
        Completion {
            id: format!("{command}:{}", arg.get_id()),
            short: arg.get_short(),
            long: arg.get_long().map(String::from),
            help: help.lines().next().unwrap_or_default().to_string(),
            // A second range would be refused.
            is_repeated: matches!(arg.get_action(), clap::ArgAction::Append) && arg.get_id() != "range",
            kind,
            words,
        }
    }

    fn names(&self) -> String {
        let short = self.short.map(|letter| format!("-{letter}"));
        let long = self.long.as_ref().map(|name| format!("--{name}"));
        short.into_iter().chain(long).collect::<Vec<_>>().join(" ")
    }
}

/// Returns how the value of an option is completed, and the words for it.
fn value(command: &str, arg: &Arg) -> (&'static str, Words) {
    if !arg.get_action().takes_values() || arg.is_require_equals_set() {
        return ("flag", Words::new());
    }
    let modes = |modes: &mut dyn Iterator<Item = &'static Mode>| {
        ("words", modes.map(|mode| (mode.word(), mode.summary())).collect())
    };
    let title = |rule: Rule| rule.definition().title.to_string();
    let groups = || Group::ALL.iter().map(|group| (group.id.to_string(), group.title.to_string()));
    let rules = || -> Words {
        Rule::ALL.iter().map(|rule| (rule.id().to_string(), title(*rule))).chain(groups()).collect()
    };
    let all = |title: &str| vec![("all".to_string(), title.to_string())];
    match (command, arg.get_id().as_str()) {
        ("utfconv" | "names", "from") => ("encodings", vec![("auto".to_string(), "Detect it".to_string())]),
        ("utfconv" | "iconv", "to") => ("targets", Words::new()),
        (_, "from" | "to" | "target" | "export") | ("list", "pattern") => ("encodings", Words::new()),
        (_, "errors") => modes(&mut modes::common()),
        (_, "ill-formed") => ("modes", modes(&mut modes::ILL_FORMED.iter()).1),
        ("edit" | "repair", "unmappable") => modes(&mut modes::for_restoring()),
        (_, "unmappable") => modes(&mut modes::UNMAPPABLE.iter()),
        (_, "explain") => ("words", rules()),
        (_, "allow") => ("list", [all("All other rules"), rules()].concat()),
        (_, "rule") => {
            let spelled = |rule: &Rule| rule.spellings().map(|word| (word, title(*rule))).collect::<Words>();
            (
                "list",
                [all("All rules"), Rule::ALL.iter().flat_map(spelled).chain(groups()).collect()].concat(),
            )
        }
        _ => value_by_type(arg),
    }
}

fn value_by_type(arg: &Arg) -> (&'static str, Words) {
    let words = arg.get_possible_values().into_iter().filter(|word| !word.is_hide_set());
    let help = |word: &PossibleValue| word.get_help().map(ToString::to_string).unwrap_or_default();
    let words: Words = words.map(|word| (word.get_name().to_string(), help(&word))).collect();
    let kind = match arg.get_value_hint() {
        _ if !words.is_empty() => "words",
        ValueHint::FilePath | ValueHint::AnyPath => "files",
        ValueHint::DirPath => "directories",
        _ => "any",
    };
    (kind, words)
}

/// Replaces the placeholders in a text.
fn filled(text: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(text.to_string(), |text, (placeholder, value)| {
        text.replace(placeholder, value.trim_end_matches('\n'))
    })
}

/// Returns the encodings, one per line, each with its aliases.
fn encodings(line: impl Fn(&str) -> String) -> String {
    let rows = Encoding::all()
        .chain(Encoding::web())
        .map(|encoding| names_of(encoding).collect::<Vec<_>>().join(" "));
    let signed = SIGNED.iter().map(|(name, ..)| (*name).to_string());
    rows.chain(signed).map(|row| line(&row)).collect()
}

/// Returns the tables of the commands, without the first, which is the program's, and the last, which is that of iconv.
fn named(commands: &[Table]) -> &[Table] {
    &commands[1..commands.len() - 1]
}

/// Returns the names of the commands, joined by `between`.
fn names<'a>(commands: &'a [Table], between: &str) -> String {
    named(commands).iter().map(|table| table.name.as_str()).collect::<Vec<&'a str>>().join(between)
}

fn bash(commands: &[Table]) -> String {
    let mut cases = String::new();
    for table in commands {
        // Writing to a String cannot fail.
        let _ = writeln!(cases, "    {})\n        echo '", table.name);
        for option in table.options.iter().chain(&table.operand) {
            let names = Some(option.names()).filter(|names| !names.is_empty()).unwrap_or("-".to_string());
            let words: Vec<_> = option.words.iter().map(|(word, _)| word.as_str()).collect();
            let _ = writeln!(cases, "{names}|{}|{}", option.kind, words.join(" "));
        }
        cases += "'\n        ;;\n";
    }
    let values = [
        ("@ENCODINGS@", encodings(|row| format!("{row}\n"))),
        ("@COMMANDS@", cases),
        ("@NAMES@", names(commands, " | ")),
        ("@WORDS@", names(commands, " ")),
    ];
    filled(include_str!("completions/bash.sh"), &values)
}

/// Returns the commands and the words of all options as the branches of a `case`.
fn cases(commands: &[Table], case: impl Fn(&str, &[(String, String)]) -> String) -> String {
    let about = |table: &Table| (table.name.clone(), table.about.clone());
    let mut text = case("commands", &named(commands).iter().map(about).collect::<Vec<_>>());
    for option in commands.iter().flat_map(|table| table.options.iter().chain(&table.operand)) {
        if !option.words.is_empty() {
            text += &case(&option.id, &option.words);
        }
    }
    text
}

fn zsh(commands: &[Table]) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let values = cases(commands, |id, words| {
        let line = |(word, help): &(String, String)| match help.as_str() {
            "" => quoted(&word.replace(':', "\\:")),
            // `_describe` removes a backslash from both parts.
            help => quoted(&format!("{}:{}", word.replace(':', "\\:"), help.replace('\\', "\\\\"))),
        };
        let lines: Vec<_> = words.iter().map(line).collect();
        format!(
            "    {id})\n        values=(\n            {}\n        )\n        ;;\n",
            lines.join("\n            ")
        )
    });
    let mut specs = String::new();
    for table in commands {
        specs += &format!("    {})\n        _arguments -s -S : \\\n", table.name);
        for option in &table.options {
            specs += &format!("            {} \\\n", zsh_option(option, quoted));
        }
        let operand = match &table.operand {
            Some(operand) => format!("*:{}", zsh_action(operand)),
            None => "*: :".to_string(),
        };
        specs += &format!("            {}\n        ;;\n", quoted(&operand));
    }
    let values = [
        ("@ENCODINGS@", encodings(|row| format!("    {}\n", quoted(row)))),
        ("@VALUES@", values),
        ("@NAMES@", names(commands, "|")),
        ("@COMMANDS@", specs),
    ];
    filled(include_str!("completions/zsh.zsh"), &values)
}

/// Returns an option in the syntax of `_arguments`.
fn zsh_option(option: &Completion, quoted: impl Fn(&str) -> String) -> String {
    let escaped = option.help.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    let (after_short, after_long, value) = match option.kind {
        "flag" => ("", "", String::new()),
        _ => ("+", "=", format!(":{}", zsh_action(option))),
    };
    let short = option.short.map(|letter| format!("-{letter}{after_short}"));
    let long = option.long.as_ref().map(|name| format!("--{name}{after_long}"));
    let spec = quoted(&format!("[{escaped}]{value}"));
    let many = if option.is_repeated { "\\*" } else { "" };
    match (short, long) {
        (Some(short), Some(long)) => {
            let others =
                if option.is_repeated { String::new() } else { quoted(&format!("({})", option.names())) };
            format!("{others}{many}{{{short},{long}}}{spec}")
        }
        (short, long) => format!("{many}{}{spec}", short.or(long).unwrap_or_default()),
    }
}

/// Returns the name of a value, and how it is completed.
fn zsh_action(option: &Completion) -> String {
    let id = option.id.replace(':', "\\:");
    let action = match option.kind {
        "files" => "_files".to_string(),
        "directories" => "_files -/".to_string(),
        "encodings" if option.words.is_empty() => "_utfconv_encodings".to_string(),
        "targets" => "_utfconv_targets".to_string(),
        "modes" => format!("_utfconv_modes {id}"),
        "encodings" => format!("{{_utfconv_words {id}; _utfconv_encodings}}"),
        "words" => format!("_utfconv_words {id}"),
        "list" => format!("_utfconv_list {id}"),
        _ => String::new(),
    };
    format!("value:{action}")
}

const FISH_DIRECTORIES: &str =
    " -x -a '(__fish_complete_directories (commandline -ct | string replace -r -- \"^--[^=]*=\" \"\"))'";

fn fish(commands: &[Table]) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let values = cases(commands, |id, words| {
        let lines: Vec<_> =
            words.iter().map(|(word, help)| format!("{} {}", quoted(word), quoted(help))).collect();
        let lines = lines.join(" \\\n            ");
        format!("        case {id}\n            printf '%s\\t%s\\n' {lines}\n")
    });
    let (mut lines, mut lines_of_iconv) = (String::new(), String::new());
    for table in commands {
        for option in table.options.iter().chain(&table.operand) {
            let id = &option.id;
            let offers = match option.kind {
                "files" => " -r -F".to_string(),
                "directories" => FISH_DIRECTORIES.to_string(),
                "encodings" if option.words.is_empty() => " -x -a '(__utfconv_encodings)'".to_string(),
                "targets" => " -x -a '(__utfconv_encodings; __utfconv_suffixes)'".to_string(),
                "modes" => format!(" -x -a '(__utfconv_words {id}; __utfconv_encodings fallback=)'"),
                "encodings" => format!(" -x -a '(__utfconv_words {id}; __utfconv_encodings)'"),
                "words" => format!(" -x -a '(__utfconv_words {id})'"),
                "list" => format!(" -x -a '(__utfconv_list {id})'"),
                "any" => " -x".to_string(),
                _ => String::new(),
            };
            let short = option.short.map(|letter| format!(" -s {letter}")).unwrap_or_default();
            let long = option.long.as_ref().map(|name| format!(" -l {name}")).unwrap_or_default();
            let line = match (short.is_empty() && long.is_empty(), option.kind) {
                // fish offers files by default.
                (true, "files") => continue,
                (true, _) => offers.replace(" -x", " -f"),
                (false, _) => format!("{short}{long}{offers} -d {}", quoted(&option.help)),
            };
            match table.name.as_str() {
                "iconv" => lines_of_iconv += &format!("    complete -c iconv{line}\n"),
                name => lines += &format!("complete -c utfconv -n '__utfconv_is {name}'{line}\n"),
            }
        }
    }
    let values = [
        (
            "@ENCODINGS@",
            encodings(|row| format!("    {} \\\n", quoted(row))).trim_end_matches(" \\\n").to_string(),
        ),
        ("@VALUES@", values),
        ("@NAMES@", names(commands, " ")),
        ("@COMMANDS@", lines),
        ("@ICONV@", lines_of_iconv),
    ];
    filled(include_str!("completions/fish.fish"), &values)
}
