//! The man page and the completions, made from the option table.

use clap::builder::{PossibleValuesParser, Resettable};
use clap_complete::Shell;
use clap_mangen::Man;
use utfconv::Encoding;

use super::args;
use super::modes::{self, Mode};

/// What to make.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Man,
    Completions(Shell),
}

impl Kind {
    pub const TABLE: &[(&str, &str, Kind)] = &[
        ("man", "", Kind::Man),
        ("bash", "", Kind::Completions(Shell::Bash)),
        ("zsh", "", Kind::Completions(Shell::Zsh)),
        ("fish", "", Kind::Completions(Shell::Fish)),
        ("powershell", "", Kind::Completions(Shell::PowerShell)),
        ("elvish", "", Kind::Completions(Shell::Elvish)),
    ];
}

/// What the option table does not tell: the section before the options, and those after them.
const MAN_DESCRIPTION: &str = include_str!("man-description.roff");
const MAN_ENCODINGS: &str = include_str!("man-encodings.roff");
const MAN_SECTIONS: &str = include_str!("man.roff");

/// The text of the file.
pub fn file(kind: Kind) -> String {
    let mut out = Vec::new();
    match kind {
        Kind::Completions(shell) => {
            clap_complete::generate(shell, &mut with_words(args::table()), "utfconv", &mut out)
        }
        Kind::Man => {
            // One list of options: the headings of the help are sections of their own here, and tell more.
            let plain = |arg: clap::Arg| arg.help_heading(Resettable::Reset).long_help(Resettable::Reset);
            let man = Man::new(args::table().mut_args(plain));
            // Writing to memory cannot fail.
            let _ = man.render_title(&mut out);
            let _ = man.render_name_section(&mut out);
            let _ = man.render_synopsis_section(&mut out);
            out.extend_from_slice(MAN_DESCRIPTION.as_bytes());
            let _ = man.render_options_section(&mut out);
            out.extend_from_slice(MAN_ENCODINGS.as_bytes());
            let names: Vec<_> = Encoding::all().map(|row| row.name().replace('-', "\\-")).collect();
            out.extend_from_slice(format!(".PP\nAll of them: {}.\n", names.join(", ")).as_bytes());
            out.extend_from_slice(MAN_SECTIONS.as_bytes());
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The table with words to offer where the parser takes more than words.
fn with_words(table: clap::Command) -> clap::Command {
    let encodings: Vec<String> = Encoding::all().map(|encoding| encoding.name().to_string()).collect();
    let offers: [(&str, Vec<String>); 5] = [
        ("from", encodings.clone()),
        ("to", encodings),
        ("errors", modes::common().map(Mode::word).collect()),
        ("ill-formed", modes::ILL_FORMED.iter().map(Mode::word).collect()),
        ("unmappable", modes::UNMAPPABLE.iter().map(Mode::word).collect()),
    ];
    offers.into_iter().fold(table, |table, (id, words)| {
        let words = PossibleValuesParser::new(words);
        table.mut_arg(id, |arg| arg.value_parser(words))
    })
}
