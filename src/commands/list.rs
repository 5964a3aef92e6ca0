//! The list of encodings.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use serde::Serialize;
use utfconv_core::{Encoding, MappingFormat};

use crate::files::print::print;
use crate::ui::color::is_terminal_out;
use crate::ui::dialect::Dialect;
use crate::ui::exit::Exit;
use crate::ui::json::to_json;
use crate::ui::modes;
use crate::ui::names::{Name, SIGNED, Unknown, all_names, names};
use crate::ui::options::{choice, command};
use crate::ui::quote::{one_line, shortened};
use crate::ui::table::{Built, Matches, Table, operand, option, options};

/// How encodings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListFormat {
    /// The format for people on a terminal, otherwise a canonical name per line.
    Names,
    Json,
    /// The format of glibc's iconv, which lists all encodings.
    Iconv,
    /// The mapping file of one encoding.
    Mapping(MappingFormat),
}

impl ListFormat {
    pub const TABLE: &[(&str, &str, ListFormat)] = &[
        ("text", "On a terminal, for people; otherwise one name per line", ListFormat::Names),
        ("json", "An array of objects with name and aliases", ListFormat::Json),
        (
            "charmap",
            "With --export: a POSIX charmap (the default of --export)",
            ListFormat::Mapping(MappingFormat::Charmap),
        ),
        ("ucm", "With --export: a .ucm file of ICU", ListFormat::Mapping(MappingFormat::Ucm)),
    ];
}

/// The encodings to print, and their format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListPlan {
    pub format: ListFormat,
    /// The text that a name of each listed encoding contains.
    pub pattern: Option<String>,
    /// The encoding whose mapping is written instead of a list.
    pub export: Option<&'static Encoding>,
}

impl ListPlan {
    /// Creates the plan of a list of all encodings.
    pub fn all(format: ListFormat) -> ListPlan {
        ListPlan { format, pattern: None, export: None }
    }

    /// Prints the encodings on standard output.
    pub fn run(&self, who: Dialect) -> Exit {
        if let (Some(encoding), ListFormat::Mapping(format)) = (self.export, self.format) {
            return match encoding.to_mapping(format) {
                Ok(text) => print(who, text),
                Err(error) => Exit::report_failure(
                    who,
                    &format!("list: {} has no mapping file: {error}", encoding.name()),
                ),
            };
        }
        let encodings: Vec<_> =
            Encoding::all().chain(Encoding::web()).filter(|encoding| self.matches(encoding)).collect();
        let printed = print(who, self.text(&encodings, is_terminal_out()));
        match &self.pattern {
            Some(pattern) if encodings.is_empty() => {
                let hint = if pattern.is_ascii() {
                    Unknown::new(pattern).suggestion().unwrap_or_default()
                } else {
                    "; to see whether an encoding has a character, use 'utfconv check --target ENC FILE'"
                        .to_string()
                };
                who.report(&format!(
                    "list: no encoding has a name that contains '{}'{hint}",
                    one_line(&shortened(pattern))
                ));
                printed.max(Exit::Fault)
            }
            _ => printed,
        }
    }

    fn matches(&self, encoding: &'static Encoding) -> bool {
        self.pattern.as_ref().is_none_or(|pattern| {
            let pattern = folded(pattern);
            names(encoding).any(|name| folded(name).contains(&pattern))
        })
    }

    fn text(&self, encodings: &[&'static Encoding], for_people: bool) -> String {
        match (self.format, for_people) {
            (ListFormat::Names | ListFormat::Mapping(_), true) => groups(encodings),
            (ListFormat::Names | ListFormat::Mapping(_), false) => {
                encodings.iter().map(|encoding| format!("{}\n", encoding.name())).collect()
            }
            (ListFormat::Json, _) => json(encodings),
            (ListFormat::Iconv, true) => columns(),
            (ListFormat::Iconv, false) => iconv_names().map(|name| name + "\n").collect(),
        }
    }
}

/// Returns a name without case and separators, which make no difference.
fn folded(name: &str) -> String {
    let letters = name.chars().filter(|scalar| !matches!(scalar, ' ' | '-' | '_' | '.' | ':'));
    letters.map(|scalar| scalar.to_ascii_lowercase()).collect()
}

/// Returns the option table, which the parser, help, man page and completions use.
pub fn table(built: Built) -> Table {
    command("list", "List the encodings and their names", built)
        .after_help(AFTER_HELP)
        .heading("Output")
        .add_all(options![
            option("format", "FORMAT", "List format [default: text]")
                .with(|arg| arg.value_parser(choice(ListFormat::TABLE))),
            option(
                "export",
                "ENC",
                "Instead of a list, write the mapping file of ENC, which -f and -t accept"
            )
            .conflicts_with(&["pattern"])
            .with(|arg| arg.value_parser(modes::name)),
            operand(
                "pattern",
                "PATTERN",
                "List only encodings with a name that contains PATTERN, ignoring case and separators",
            )
            .with(|arg| arg.value_parser(pattern)),
        ])
}

const AFTER_HELP: &str = "\
On a terminal, each encoding is listed with its aliases; in a file or pipe, only with its
name, one per line. --format=json has the aliases too. Names that begin with whatwg: are
the readings of other encodings that the web's Encoding Standard defines.
Exit status: 0 done; 1 no name contains PATTERN; 2 usage or I/O error, or an encoding
without a mapping. See the man page utfconv-list(1).";

/// Refuses a pattern that every name contains.
fn pattern(text: &str) -> Result<String, String> {
    if folded(text).is_empty() { Err("expected a part of a name".to_string()) } else { Ok(text.to_string()) }
}

/// Makes the plan from the typed options.
pub fn from_matches(mut matches: Matches) -> Result<ListPlan> {
    let export = matches.remove_one::<Name>("export").map(|name| name.encoding);
    let format = match (matches.remove_one("format"), export) {
        (None, None) => ListFormat::Names,
        (None, Some(_)) => ListFormat::Mapping(MappingFormat::Charmap),
        (Some(ListFormat::Mapping(_)), None) => bail!("--format: charmap and ucm require --export"),
        (Some(ListFormat::Names | ListFormat::Json), Some(_)) => {
            bail!("--export: the format is charmap or ucm")
        }
        (Some(format), _) => format,
    };
    Ok(ListPlan { format, pattern: matches.remove_one("pattern"), export })
}

/// Families of encodings, by the starts of their canonical names. The first family that matches is used; other
/// encodings are in a last group.
const FAMILIES: [(&str, &str); 7] = [
    ("Unicode", "UTF UCS CESU WTF MUTF UNICODE"),
    ("ISO 8859 and ASCII", "ISO-8859 US-ASCII"),
    ("Windows", "WINDOWS-12 WINDOWS-8"),
    (
        "East Asia",
        "SHIFT WINDOWS-31J EUC ISO-2022 BIG5 GB1 GB2 GBK JOHAB CP936 CP949 CP950 CP51932 IBM932 IBM943",
    ),
    ("Macintosh", "MAC CP10007"),
    ("DOS and EBCDIC", "IBM CP EBCDIC"),
    ("Web (WHATWG Encoding Standard; whatwg:UTF-8 is UTF-8)", "WHATWG:"),
];

/// Returns the list for people: by family, each encoding with its other names.
fn groups(encodings: &[&'static Encoding]) -> String {
    let mut groups = vec![String::new(); FAMILIES.len() + 1];
    for encoding in encodings {
        let name = encoding.name().to_ascii_uppercase();
        let is_of = |starts: &str| starts.split(' ').any(|start| name.starts_with(start));
        let family = FAMILIES.iter().position(|(_, starts)| is_of(starts));
        let names: Vec<_> = names(encoding).collect();
        groups[family.unwrap_or(FAMILIES.len())] += &format!("  {}\n", names.join(" "));
    }
    let headings = FAMILIES.iter().map(|(heading, _)| *heading).chain(["Others"]);
    let groups = headings.zip(groups).filter(|(_, lines)| !lines.is_empty());
    groups.map(|(heading, lines)| format!("{heading}\n{lines}")).collect::<Vec<_>>().join("\n")
}

/// Returns an array in JSON, with an object per line.
fn json(encodings: &[&'static Encoding]) -> String {
    #[derive(Serialize)]
    struct Entry {
        name: &'static str,
        aliases: Vec<&'static str>,
    }
    let entry =
        |encoding: &&'static Encoding| Entry { name: encoding.name(), aliases: encoding.aliases().collect() };
    let lines: Vec<_> =
        encodings.iter().map(|encoding| "  ".to_string() + &to_json(&entry(encoding))).collect();
    if lines.is_empty() { "[]\n".to_string() } else { format!("[\n{}\n]\n", lines.join(",\n")) }
}

/// Returns all names in the form that scripts look for: each has two slashes in total, such as `UTF-8//`, and slashes
/// inside a name count.
///
/// glibc lists a name in several spellings (`UTF-8`, `UTF8`), so names that are matched loosely are listed in several
/// spellings too.
fn iconv_names() -> impl Iterator<Item = String> {
    let names = all_names().chain(SIGNED.iter().map(|(name, ..)| *name));
    let spellings: BTreeSet<String> = names
        .flat_map(|name| {
            let name = name.to_ascii_uppercase();
            let together = name.replace(['-', '_'], "");
            let first_together = name.replacen(['-', '_'], "", 1);
            let half_together = name.replace('-', "");
            let underlined = name.replacen("ISO-8859", "ISO_8859", 1);
            let numbered = match name.strip_prefix("IBM") {
                Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => format!("IBM-{number}"),
                _ => name.clone(),
            };
            let spaced = name.replace('_', "-");
            [spaced, underlined, numbered, name, first_together, half_together, together]
        })
        .collect();
    spellings.into_iter().map(|name| {
        let slashes = 2usize.saturating_sub(name.matches('/').count());
        name + &"/".repeat(slashes)
    })
}

/// Returns all names as glibc shows them to people.
fn columns() -> String {
    let mut text =
        "The following are the names of all known encodings. Any of them can follow -f and -t, and an\n\
                    encoding can have several.\n\n "
            .to_string();
    let mut column = 1;
    for (number, name) in iconv_names().enumerate() {
        let name = name.trim_end_matches('/');
        if number > 0 {
            text += ",";
        }
        if column + name.len() > 76 {
            text += "\n ";
            column = 1;
        }
        text += &format!(" {name}");
        column += name.len() + 2;
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_is_known() {
        for line in iconv_names() {
            assert!(Name::parse(&line, |_| None).is_ok(), "{line}");
        }
    }

    #[test]
    fn every_encoding_is_in_one_family() {
        let text = groups(&Encoding::all().chain(Encoding::web()).collect::<Vec<_>>());
        for encoding in Encoding::all().chain(Encoding::web()) {
            let lines = text.lines().filter(|line| line.split_whitespace().next() == Some(encoding.name()));
            assert_eq!(lines.count(), 1, "{encoding:?}");
        }
    }
}
