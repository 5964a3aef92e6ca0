//! The options for errors in the text, and for what is reported.

use std::str::FromStr;

use utfconv_core::{ByteEscape, OnIllFormed, OnUnmappable, ScalarEscape, Template};

use crate::ui::modes::{self, Both, both, ill_formed, unmappable};
use crate::ui::options::{any_number, choice};
use crate::ui::table::{Definition, Matches, Table, flag, option, options};

#[derive(Default)]
pub struct Errors {
    pub ill_formed: Option<Given<OnIllFormed>>,
    pub unmappable: Option<Given<OnUnmappable>>,
    /// True if each ill-formed byte is replaced, and not each maximal subpart.
    pub per_byte: bool,
    /// Maximum number of errors that are reported for each file; 0 means all.
    pub max_errors: Option<u64>,
    /// True if errors that were handled make the exit status 1.
    pub lossy_status: Option<bool>,
    pub silent: bool,
    /// True if statistics of the inputs are printed.
    pub stats: bool,
}

/// The policy given for a kind of error.
#[derive(Clone)]
pub struct Given<P> {
    pub policy: P,
    pub by: By,
}

/// The kind of option that gave a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// An option that names a mode.
    Mode,
    /// The option `-c`.
    Omit,
    /// A template of libiconv; `-c` takes precedence.
    Template,
}

impl Given<OnIllFormed> {
    /// Returns the policy that `--byte-subst` sets.
    pub fn byte_subst(template: Template) -> Self {
        Given { policy: OnIllFormed::Escape(ByteEscape::Template(template)), by: By::Template }
    }
}

impl Given<OnUnmappable> {
    /// Returns the policy that `--unicode-subst` sets.
    pub fn unicode_subst(template: Template) -> Self {
        Given { policy: OnUnmappable::Escape(ScalarEscape::Template(template)), by: By::Template }
    }
}

pub fn define(table: Table) -> Table {
    table.heading("Errors").add_all(options![
        flag("omit", "Omit what cannot be converted; exit with 1 if anything was omitted")
            .short('c')
            .without_long(),
        option("ill-formed", "MODE", "Set how to handle ill-formed (invalid) bytes [default: stop]").with(
            |arg| {
                arg.value_parser(ill_formed)
                    .long_help(modes::help("How to handle ill-formed bytes:", modes::ILL_FORMED))
            },
        ),
        option("unmappable", "MODE", "Set how to handle characters that cannot be encoded [default: stop]")
            .with(|arg| {
                arg.value_parser(unmappable).long_help(modes::help(
                    "How to handle characters that cannot be encoded in the output:",
                    modes::UNMAPPABLE,
                ))
            }),
        option(
            "errors",
            "MODE",
            "Set --ill-formed and --unmappable to MODE, such as replace[=TEXT] or escape=percent"
        )
        .with(|arg| arg.value_parser(both)),
        template("byte-subst", "Write each ill-formed byte using printf-style FORMAT, such as '<0x%02x>'"),
        template("unicode-subst", "Write each unmappable character using FORMAT, such as '<U+%04X>'"),
        template("widechar-subst", "Accepted for compatibility with libiconv; has no effect"),
        flag("per-byte", "With --ill-formed=replace: replace each ill-formed byte, not each maximal subpart"),
        option("max-errors", "N", "Report at most N errors per file; 0 is no limit [default: 100]")
            .with(any_number),
        option(
            "lossy-status",
            "0|1",
            "Exit status after errors that were handled [default: 1 if -c omitted anything, else 0]",
        )
        .with(|arg| {
            arg.value_parser(choice(&[("0", "", false), ("1", "", true)])).hide_possible_values(true)
        }),
        flag("silent", "Do not report errors; the exit status does not change").short('s'),
        flag("stats", "Print statistics of the input on standard error at the end"),
    ])
}

/// Defines an option with a template of libiconv.
const fn template(id: &'static str, help: &'static str) -> Definition {
    option(id, "FORMAT", help).with(|arg| arg.allow_hyphen_values(true).value_parser(Template::from_str))
}

pub fn from_matches(m: &mut Matches) -> Errors {
    Errors {
        ill_formed: ill_formed_policy(m),
        unmappable: unmappable_policy(m),
        per_byte: m.flag("per-byte"),
        max_errors: m.remove_one("max-errors"),
        lossy_status: m.remove_one("lossy-status"),
        silent: m.flag("silent"),
        stats: m.flag("stats"),
    }
}

fn ill_formed_policy(m: &mut Matches) -> Option<Given<OnIllFormed>> {
    let by_mode = |policy| Given { policy, by: By::Mode };
    match last_given(m, "ill-formed", "byte-subst")? {
        "ill-formed" => m.remove_one("ill-formed").map(by_mode),
        "errors" => m.get_one::<Both>("errors").map(|both| by_mode(both.0.clone())),
        "byte-subst" => m.remove_one("byte-subst").map(Given::byte_subst),
        _ => Some(Given { policy: OnIllFormed::Omit, by: By::Omit }),
    }
}

fn unmappable_policy(m: &mut Matches) -> Option<Given<OnUnmappable>> {
    let by_mode = |policy| Given { policy, by: By::Mode };
    match last_given(m, "unmappable", "unicode-subst")? {
        "unmappable" => m.remove_one("unmappable").map(by_mode),
        "errors" => m.get_one::<Both>("errors").map(|both| by_mode(both.1.clone())),
        "unicode-subst" => m.remove_one("unicode-subst").map(Given::unicode_subst),
        _ => Some(Given { policy: OnUnmappable::Omit, by: By::Omit }),
    }
}

/// Returns the last option that sets a policy. `-c` takes precedence over a template.
fn last_given(m: &Matches, side: &'static str, template: &'static str) -> Option<&'static str> {
    let last = ["omit", "errors", side, template]
        .into_iter()
        .filter(|id| m.is_given(id))
        .max_by_key(|id| m.last_index(id));
    if last == Some(template) && m.is_given("omit") { Some("omit") } else { last }
}
