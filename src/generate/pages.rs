//! Man pages.
//!
//! The text of a page is a file of `man/`, in roff. A line `@PART@` there is replaced by what the program itself knows,
//! so that a page has every option, command, encoding and rule.

use std::io;

use clap::Command as Clap;
use clap::builder::Resettable;
use clap_mangen::Man;
use utfconv_core::Encoding;

use super::commands;
use crate::check::rules::Rule;
use crate::convert::args;
use crate::{check, detect, iconv, inspect, list};

/// A man page.
#[derive(Debug)]
pub struct Page {
    pub name: &'static str,
    pub section: &'static str,
    /// The option table, or only the line for NAME.
    table: fn() -> Clap,
    text: &'static str,
}

/// All pages, the program's first.
pub const ALL: &[Page] = &[
    Page { name: "utfconv", section: "1", table: args::table, text: include_str!("man/utfconv.roff") },
    Page {
        name: "utfconv-check",
        section: "1",
        table: check::args::table,
        text: include_str!("man/utfconv-check.roff"),
    },
    Page {
        name: "utfconv-detect",
        section: "1",
        table: detect::args::table,
        text: include_str!("man/utfconv-detect.roff"),
    },
    Page {
        name: "utfconv-inspect",
        section: "1",
        table: inspect::args::table,
        text: include_str!("man/utfconv-inspect.roff"),
    },
    Page {
        name: "utfconv-list",
        section: "1",
        table: list::table,
        text: include_str!("man/utfconv-list.roff"),
    },
    Page {
        name: "utfconv-iconv",
        section: "1",
        table: || Clap::new("iconv").about("Convert text under the name and with the options of iconv"),
        text: include_str!("man/utfconv-iconv.roff"),
    },
    Page {
        name: "utfconv-encodings",
        section: "7",
        table: || Clap::new("encodings").about("Names of encodings, and what they mean"),
        text: include_str!("man/utfconv-encodings.roff"),
    },
];

impl Page {
    /// Returns the page in roff.
    pub fn roff(&self) -> String {
        let mut page = APOSTROPHE.to_string();
        for line in self.text.lines() {
            match line {
                "@NAME@" => page += &self.head(),
                "@SYNOPSIS@" => page += &self.synopsis(),
                "@COMMANDS@" => page += &list_of_commands(),
                "@OPTIONS@" => page += &self.options(),
                "@ICONV OPTIONS@" => page += &iconv_options(),
                "@ENCODINGS@" => page += &encodings(),
                "@RULES@" => page += &rules(),
                "@REPOSITORY@" => page += concat!(env!("CARGO_PKG_REPOSITORY"), "\n"),
                line => page.extend([line, "\n"]),
            }
        }
        page
    }

    fn table(&self) -> Clap {
        // The modes are explained in the text.
        (self.table)().name(self.name).mut_args(|arg| arg.long_help(Resettable::Reset))
    }

    fn head(&self) -> String {
        // clap_mangen drops the empty date, which moves what follows into its place.
        let (name, section) = (escaped(self.name), self.section);
        let version = env!("CARGO_PKG_VERSION");
        let title = format!(".TH {name} {section} \"\" \"utfconv {version}\" \"utfconv manual\"\n");
        title + &rendered(|out| Man::new(self.table()).render_name_section(out))
    }

    fn synopsis(&self) -> String {
        let usage = self.table().render_usage().to_string();
        let man = Man::new(self.table().override_usage(usage.trim_start_matches("Usage: ").to_string()));
        rendered(|out| man.render_synopsis_section(out))
    }

    /// The options in one section, grouped as in the help.
    fn options(&self) -> String {
        let table = self.table();
        let mut headings: Vec<_> = table.get_arguments().filter_map(|arg| arg.get_help_heading()).collect();
        headings.dedup();
        let section = rendered(|out| Man::new(table.clone()).render_options_section(out));
        // One empty line above the possible values.
        let section = section.replace("\n.br\n\n.br\n", "\n.sp\n");
        // Each group is rendered as a section, its heading in capitals.
        headings.into_iter().fold(section, |section, heading| {
            let capitals = heading.to_uppercase();
            let quoted = format!(".SH \"{capitals}\"\n");
            let plain = format!(".SH {capitals}\n");
            let subsection = format!(".SS {heading}\n");
            section.replacen(&quoted, &subsection, 1).replacen(&plain, &subsection, 1)
        })
    }
}

/// What roff needs to know before `\*(Aq` is an apostrophe.
const APOSTROPHE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Returns what `render` writes, without the definition that a page has once.
fn rendered(render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = render(&mut out);
    String::from_utf8_lossy(&out).replacen(APOSTROPHE, "", 1)
}

fn list_of_commands() -> String {
    let mut list = String::new();
    for table in commands() {
        let name = escaped(table.get_name());
        let about = escaped(&table.get_about().map(ToString::to_string).unwrap_or_default());
        list += &format!(".TP\n.B utfconv {name}\n{about}; see\n.BR utfconv\\-{name} (1).\n");
    }
    list
}

/// The lines of the help of iconv from the first option to the last.
fn iconv_options() -> String {
    let (_, options) = iconv::HELP.split_once("\n\n").unwrap_or_default();
    let (options, _) = options.split_once("\nExit status").unwrap_or_default();
    format!(".nf\n{}.fi\n", escaped(options))
}

fn encodings() -> String {
    let names: Vec<_> = Encoding::all().map(|encoding| escaped(encoding.name())).collect();
    names.join(",\n") + ".\n"
}

/// The section about the rules.
fn rules() -> String {
    let mut section = ".SH RULES\n".to_string();
    for rule in Rule::ALL {
        section += &format!(".SS {}\n.nf\n{}.fi\n", escaped(rule.id()), escaped(rule.explanation()));
    }
    section
}

/// Returns a text as roff that shows it.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for scalar in text.chars() {
        match scalar {
            '\\' => escaped += "\\e",
            '-' => escaped += "\\-",
            // At the start of a line they would begin a request.
            '.' | '\'' if escaped.is_empty() || escaped.ends_with('\n') => {
                escaped.extend(['\\', '&', scalar])
            }
            _ if scalar.is_ascii() => escaped.push(scalar),
            _ => escaped += &format!("\\[u{:04X}]", u32::from(scalar)),
        }
    }
    escaped
}
