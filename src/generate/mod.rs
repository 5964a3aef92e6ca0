//! The man page and the completions, made from the option table.

use clap::builder::{PossibleValuesParser, Resettable};
use clap_complete::Shell;
use clap_mangen::Man;
use utfconv_core::Encoding;

use crate::check;
use crate::check::rules::Rule;
use crate::convert::args;
use crate::detect;
use crate::inspect;
use crate::list;
use crate::ui::modes::{self, Mode};

/// What to make.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Man,
    ManCheck,
    ManDetect,
    ManInspect,
    Completions(Shell),
}

impl Kind {
    pub const TABLE: &[(&str, &str, Kind)] = &[
        ("man", "", Kind::Man),
        ("man-check", "", Kind::ManCheck),
        ("man-detect", "", Kind::ManDetect),
        ("man-inspect", "", Kind::ManInspect),
        ("bash", "", Kind::Completions(Shell::Bash)),
        ("zsh", "", Kind::Completions(Shell::Zsh)),
        ("fish", "", Kind::Completions(Shell::Fish)),
        ("powershell", "", Kind::Completions(Shell::PowerShell)),
        ("elvish", "", Kind::Completions(Shell::Elvish)),
    ];
}

/// What the option table of a page does not tell, in roff.
struct Page {
    /// None where the table has it.
    synopsis: Option<&'static str>,
    /// Goes before the options.
    description: &'static str,
}

const MAN: Page = Page { synopsis: None, description: include_str!("man/utfconv-description.roff") };
const MAN_ENCODINGS: &str = include_str!("man/utfconv-encodings.roff");
const MAN_SECTIONS: &str = include_str!("man/utfconv.roff");

const MAN_CHECK: Page = Page {
    synopsis: Some(".SH SYNOPSIS\n.B utfconv check\n[\\fIOPTIONS\\fR] [\\fIPATH\\fR]...\n"),
    description: include_str!("man/utfconv-check-description.roff"),
};
const MAN_CHECK_SECTIONS: &str = include_str!("man/utfconv-check.roff");

const MAN_DETECT: Page = Page {
    synopsis: Some(".SH SYNOPSIS\n.B utfconv detect\n[\\fIOPTIONS\\fR] [\\fIPATH\\fR]...\n"),
    description: include_str!("man/utfconv-detect-description.roff"),
};
const MAN_DETECT_SECTIONS: &str = include_str!("man/utfconv-detect.roff");

const MAN_INSPECT: Page = Page {
    synopsis: Some(".SH SYNOPSIS\n.B utfconv inspect\n[\\fIOPTIONS\\fR] [\\fIFILE\\fR]\n"),
    description: include_str!("man/utfconv-inspect-description.roff"),
};
const MAN_INSPECT_SECTIONS: &str = include_str!("man/utfconv-inspect.roff");

/// The text of the file.
pub fn file(kind: Kind) -> String {
    let mut out = Vec::new();
    match kind {
        Kind::Completions(shell) => {
            let table = with_words(args::table())
                .subcommand(with_words(check::args::table()).bin_name("check"))
                .subcommand(detect::args::table().bin_name("detect"))
                .subcommand(with_words(inspect::args::table()).bin_name("inspect"))
                .subcommand(list::table().bin_name("list"));
            clap_complete::generate(shell, &mut { table }, "utfconv", &mut out)
        }
        Kind::Man => {
            let names: Vec<_> = Encoding::all().map(|row| row.name().replace('-', "\\-")).collect();
            let names = format!(".PP\nAll of them: {}.\n", names.join(", "));
            manual(&MAN, args::table(), &[MAN_ENCODINGS, &names, MAN_SECTIONS], &mut out);
        }
        Kind::ManCheck => {
            let table = check::args::table().name("utfconv-check");
            manual(&MAN_CHECK, table, &[&man_rules(), MAN_CHECK_SECTIONS], &mut out);
        }
        Kind::ManDetect => {
            let table = detect::args::table().name("utfconv-detect");
            manual(&MAN_DETECT, table, &[MAN_DETECT_SECTIONS], &mut out);
        }
        Kind::ManInspect => {
            let table = inspect::args::table().name("utfconv-inspect");
            manual(&MAN_INSPECT, table, &[MAN_INSPECT_SECTIONS], &mut out);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Writes a man page, with `sections` behind the options.
fn manual(page: &Page, table: clap::Command, sections: &[&str], out: &mut Vec<u8>) {
    // One list of options: the headings of the help are sections of their own here, and tell more.
    let plain = |arg: clap::Arg| arg.help_heading(Resettable::Reset).long_help(Resettable::Reset);
    let man = Man::new(table.mut_args(plain));
    // Writing to memory cannot fail.
    let _ = man.render_title(out);
    let _ = man.render_name_section(out);
    match page.synopsis {
        Some(synopsis) => out.extend_from_slice(synopsis.as_bytes()),
        None => _ = man.render_synopsis_section(out),
    }
    out.extend_from_slice(page.description.as_bytes());
    let _ = man.render_options_section(out);
    sections.iter().for_each(|section| out.extend_from_slice(section.as_bytes()));
}

/// The table with words to offer where the parser takes more than words.
fn with_words(table: clap::Command) -> clap::Command {
    let encodings: Vec<String> = Encoding::all().map(|encoding| encoding.name().to_string()).collect();
    let offers: [(&str, Vec<String>); 8] = [
        ("from", encodings.clone()),
        ("to", encodings),
        ("errors", modes::common().map(Mode::word).collect()),
        ("ill-formed", modes::ILL_FORMED.iter().map(Mode::word).collect()),
        ("unmappable", modes::UNMAPPABLE.iter().map(Mode::word).collect()),
        ("rule", rule_words()),
        ("allow", rule_words()),
        ("explain", rule_words()),
    ];
    let has = |table: &clap::Command, id: &str| table.get_arguments().any(|arg| arg.get_id() == id);
    offers.into_iter().fold(table, |table, (id, words)| match has(&table, id) {
        true => table.mut_arg(id, |arg| arg.value_parser(PossibleValuesParser::new(words))),
        false => table,
    })
}

/// The section of the man page about the rules.
fn man_rules() -> String {
    let roff = |text: &str| {
        let mut escaped = String::new();
        for scalar in text.chars() {
            match scalar {
                '\\' => escaped += "\\e",
                '-' => escaped += "\\-",
                // At the start of a line they would begin a request.
                '.' | '\'' if escaped.ends_with('\n') => escaped.extend(['\\', '&', scalar]),
                _ if scalar.is_ascii() => escaped.push(scalar),
                _ => escaped += &format!("\\[u{:04X}]", u32::from(scalar)),
            }
        }
        escaped
    };
    let mut section = ".SH RULES\n".to_string();
    for rule in Rule::ALL {
        section += &format!(".SS {}\n.nf\n{}.fi\n", roff(rule.id()), roff(rule.explanation()));
    }
    section
}

/// The words to offer where a rule is asked for.
fn rule_words() -> Vec<String> {
    Rule::ALL.iter().map(|rule| rule.id().to_string()).collect()
}
