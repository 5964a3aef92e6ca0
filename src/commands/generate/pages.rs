//! Man pages.
//!
//! The text of a page is a roff file in `man/`. Generated text replaces each line `@NAME@`, so that a page has every
//! option, command, encoding and rule.

use std::io;

use clap::Command as Clap;
use clap::builder::Resettable;
use clap_mangen::Man;
use utfconv_core::Encoding;

use crate::commands::check::rules::Rule;
use crate::commands::iconv;
use crate::commands::pages;
use crate::config;

/// A man page about a command or another topic.
#[derive(Clone, Copy)]
struct Page {
    /// The name of the page without `utfconv-`. The page of the program has an empty word, and `config` is
    /// utfconv.toml.
    word: &'static str,
    section: &'static str,
    /// The description in the section NAME, for pages that are about no command.
    about: Option<&'static str>,
    text: &'static str,
}

/// The page of the program.
const PROGRAM: Page = Page::of_command("", include_str!("man/utfconv.roff"));

/// The pages that are about none of the listed commands.
const OTHERS: &[Page] = &[
    Page {
        word: "iconv",
        section: "1",
        about: Some("Convert text under the name and with the options of iconv"),
        text: include_str!("man/utfconv-iconv.roff"),
    },
    Page::about(
        "encodings",
        "Names of encodings, and what they mean",
        include_str!("man/utfconv-encodings.roff"),
    ),
    Page::about(
        "errors",
        "Errors in text, and the modes that handle them",
        include_str!("man/utfconv-errors.roff"),
    ),
    Page::about(
        "text",
        "BOMs, declarations, normalization, newlines and records",
        include_str!("man/utfconv-text.roff"),
    ),
    Page::about(
        "batch",
        "Files that are changed: safety, many files, manifests, undo",
        include_str!("man/utfconv-batch.roff"),
    ),
    Page::about("ranges", "Ranges of a file", include_str!("man/utfconv-ranges.roff")),
    Page {
        word: "config",
        section: "5",
        about: Some("Configuration of checks and batch conversions"),
        text: include_str!("man/utfconv.toml.roff"),
    },
];

/// Returns all pages except that of the program.
fn all() -> impl Iterator<Item = Page> {
    pages().map(|(word, text)| Page::of_command(word, text)).chain(OTHERS.iter().copied())
}

/// The groups of the program's options, with the page that explains each.
const SEE: &[(&str, &str)] = &[
    ("Encodings", "encodings"),
    ("BOM", "text"),
    ("Errors", "errors"),
    ("Normalization", "text"),
    ("Newlines", "text"),
    ("Input and output", "batch"),
    ("Ranges of a file", "ranges"),
    ("Many files", "batch"),
];

/// Returns the words that select pages.
pub fn words() -> impl Iterator<Item = &'static str> {
    all().map(|page| page.word)
}

/// Returns the page that a word selects, or else that of the program, in roff. `tree` is the table of the program with
/// those of its commands.
pub fn page(word: Option<&str>, tree: &Clap) -> String {
    let page = all().find(|page| Some(page.word) == word).unwrap_or(PROGRAM);
    Rendering::new(&page, tree).roff()
}

impl Page {
    const fn of_command(word: &'static str, text: &'static str) -> Page {
        Page { word, section: "1", about: None, text }
    }

    fn name(&self) -> String {
        match self.word {
            "" => "utfconv".to_string(),
            "config" => "utfconv.toml".to_string(),
            word => format!("utfconv-{word}"),
        }
    }

    const fn about(word: &'static str, about: &'static str, text: &'static str) -> Page {
        Page { word, section: "7", about: Some(about), text }
    }
}

/// A page with the option table that it documents.
struct Rendering<'a> {
    page: &'a Page,
    name: String,
    table: Clap,
    tree: &'a Clap,
}

impl Rendering<'_> {
    fn new<'a>(page: &'a Page, tree: &'a Clap) -> Rendering<'a> {
        let name = page.name();
        let table = match page.about {
            Some(about) => Clap::new(page.word).about(about),
            None => tree.find_subcommand(page.word).unwrap_or(tree).clone(),
        };
        // The long help is dropped, because the text of the page explains the modes. Options that -h hides are shown,
        // because they would have no help here.
        let for_page = |arg: clap::Arg| arg.long_help(Resettable::Reset).hide_short_help(false);
        let table = table.name(name.clone()).mut_args(for_page);
        Rendering { page, name, table, tree }
    }

    fn roff(&self) -> String {
        let mut page = APOSTROPHE.to_string();
        for line in self.page.text.lines() {
            match line {
                "@NAME@" => page += &self.head(),
                "@SYNOPSIS@" => page += &self.synopsis(),
                "@COMMANDS@" => page += &self.commands(),
                "@OPTIONS@" => page += &self.options(),
                "@ICONV OPTIONS@" => page += &iconv_options(),
                "@ENCODINGS@" => page += &encodings(),
                "@PAGES@" => page += &references(),
                "@RULES@" => page += &rules(),
                "@KEYS@" => page += &keys(),
                "@COLOR@" => page += COLOR,
                "@REPOSITORY@" => page += concat!(env!("CARGO_PKG_REPOSITORY"), "\n"),
                line => page.extend([line, "\n"]),
            }
        }
        page
    }

    fn head(&self) -> String {
        // clap_mangen drops an empty date, so that the next field would take its place.
        let (name, section) = (escaped(&self.name.to_uppercase()), self.page.section);
        let version = env!("CARGO_PKG_VERSION");
        let title = format!(".TH {name} {section} \"\" \"utfconv {version}\" \"utfconv manual\"\n");
        title + &rendered(|out| Man::new(self.table.clone()).render_name_section(out))
    }

    fn synopsis(&self) -> String {
        let usage = self.table.clone().render_usage().to_string();
        let man =
            Man::new(self.table.clone().override_usage(usage.trim_start_matches("Usage: ").to_string()));
        rendered(|out| man.render_synopsis_section(out))
    }

    /// Returns all options as one section, grouped as in the help.
    fn options(&self) -> String {
        let mut headings: Vec<_> =
            self.table.get_arguments().filter_map(|arg| arg.get_help_heading()).collect();
        headings.dedup();
        let section = rendered(|out| Man::new(self.table.clone()).render_options_section(out));
        let section = with_values_in_a_paragraph(&section);
        // clap_mangen renders each group as a section with its heading in capitals.
        headings.into_iter().fold(section, |section, heading| {
            let capitals = heading.to_uppercase();
            let quoted = format!(".SH \"{capitals}\"\n");
            let plain = format!(".SH {capitals}\n");
            let see = SEE.iter().find(|(group, _)| self.page.word.is_empty() && *group == heading);
            let see = see.map(|(_, page)| format!("See\n.BR utfconv\\-{page} (7).\n")).unwrap_or_default();
            let subsection = format!(".SS {heading}\n{see}");
            section.replacen(&quoted, &subsection, 1).replacen(&plain, &subsection, 1)
        })
    }

    /// Returns the commands, with the commands that have no page at the end.
    fn commands(&self) -> String {
        let mut list = String::new();
        for table in self.tree.get_subcommands() {
            let name = escaped(table.get_name());
            let about = escaped(&table.get_about().map(ToString::to_string).unwrap_or_default());
            list += &format!(".TP\n.B utfconv {name}\n{about}");
            list += &if all().any(|page| page.word == table.get_name()) {
                format!("; see\n.BR utfconv\\-{name} (1).\n")
            } else {
                ".\n".to_string()
            };
        }
        list
    }
}

/// The environment variables that an option for colors overrides.
const COLOR: &str = "\
.TP
.BR NO_COLOR \", \" CLICOLOR \", \" CLICOLOR_FORCE \", \" TERM
Turn colors on or off, unless
.B \\-\\-color
does.
";

/// The definition of `\*(Aq`, the apostrophe.
const APOSTROPHE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Returns the output of `render` without the definition of the apostrophe, which a page has only once.
fn rendered(render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    // Writing to memory cannot fail.
    let _ = render(&mut out);
    String::from_utf8_lossy(&out).replacen(APOSTROPHE, "", 1)
}

/// Converts each list of possible values to a paragraph, because the lists would take half of the section.
fn with_values_in_a_paragraph(section: &str) -> String {
    let mut parts = section.split("\n.br\n\n.br\n\\fIPossible values:\\fR\n.RS 14\n");
    let mut joined = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (list, rest) = part.split_once("\n.RE").unwrap_or((part, ""));
        let values = list.split(".IP \\(bu 2\n").skip(1).map(|value| {
            let (name, about) = value.trim_end().split_once(": ").unwrap_or((value.trim_end(), ""));
            format!("\\fB{name}\\fR: {about}.")
        });
        joined += &format!("\n.sp\n{}{rest}", values.collect::<Vec<_>>().join(" "));
    }
    joined
}

/// Returns the lines of the help of iconv from the first to the last option.
fn iconv_options() -> String {
    let (_, options) = iconv::HELP.split_once("\n\n").unwrap_or_default();
    let (options, _) = options.split_once("\nExit status").unwrap_or_default();
    format!(".nf\n{}.fi\n", escaped(options))
}

/// Returns references to all pages except that of the program, sorted by section and name.
fn references() -> String {
    let mut pages: Vec<_> = all().map(|page| (page.section, page.name())).collect();
    pages.sort();
    let lines = pages.iter().map(|(section, name)| format!(".BR {} ({section})", escaped(name)));
    lines.collect::<Vec<_>>().join(",\n") + "\n"
}

fn encodings() -> String {
    let names: Vec<_> = Encoding::all().map(|encoding| escaped(encoding.name())).collect();
    names.join(",\n") + ".\n"
}

/// Returns the section about the rules.
fn rules() -> String {
    let mut section = ".SH RULES\n".to_string();
    for rule in Rule::ALL {
        section +=
            &format!(".SS {}\n.nf\n{}.fi\n", escaped(rule.id()), escaped(&rule.definition().explained()));
    }
    section
}

/// Returns the section about the keys of utfconv.toml.
fn keys() -> String {
    let mut section = ".SH KEYS\n".to_string();
    for (table, keys) in config::keys() {
        section += &format!(".SS {}\n", escaped(&table));
        for (name, value, about) in keys {
            section +=
                &format!(".TP\n.BI {} \" = \" {}\n{}\n", escaped(name), escaped(value), escaped(&about));
        }
    }
    section
}

/// Returns a text escaped for roff.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for scalar in text.chars() {
        match scalar {
            '\\' => escaped += "\\e",
            '-' => escaped += "\\-",
            // A dot or an apostrophe at the start of a line would begin a request.
            '.' | '\'' if escaped.is_empty() || escaped.ends_with('\n') => {
                escaped.extend(['\\', '&', scalar])
            }
            _ if scalar.is_ascii() => escaped.push(scalar),
            _ => escaped += &format!("\\[u{:04X}]", u32::from(scalar)),
        }
    }
    escaped
}
