//! Option tables. clap is given only the options that were typed, because building, parsing and dropping a hundred
//! others takes longer than the rest of a run on a small file. Help, man pages, completions and errors use whole
//! tables.

use std::any::Any;
use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command as Clap};

/// The options of a table that are built.
#[derive(Clone, Copy)]
pub enum Built<'a> {
    All,
    /// Only options that may be in these words of a command line.
    Typed(&'a [OsString]),
}

impl Built<'_> {
    /// True if the words may have the option, abbreviated or as one of several letters. A word that is a value may
    /// match too, but building an unneeded option changes nothing.
    fn has(self, option: &Definition) -> bool {
        let Built::Typed(words) = self else { return true };
        words.iter().map(|word| word.as_encoded_bytes()).any(|word| match word {
            [b'-', b'-', name @ ..] => {
                let name = name.split(|&byte| byte == b'=').next().unwrap_or_default();
                option.long.is_some_and(|long| long.as_bytes().starts_with(name))
            }
            [b'-', letters @ ..] => option.short.is_some_and(|short| letters.contains(&(short as u8))),
            _ => false,
        })
    }
}

/// The IDs of options that an option conflicts with.
type Conflicts = [&'static [&'static str]; 2];

/// The definition of an option or operand, from which clap's argument is built if needed.
#[derive(Clone, Copy)]
pub struct Definition {
    id: &'static str,
    long: Option<&'static str>,
    short: Option<char>,
    value: Option<&'static str>,
    help: &'static str,
    conflicts: Conflicts,
    /// Whether only `--help` shows the option, not `-h`.
    is_for_long_help: bool,
    is_required: bool,
    change: Option<fn(Arg) -> Arg>,
}

/// Creates an array of definitions at compile time, because most of them are never used.
macro_rules! options {
    ($($definition:expr),* $(,)?) => { const { &[$($definition),*] } };
}

pub(crate) use options;

/// Defines an option without a value, by its long name.
pub const fn flag(id: &'static str, help: &'static str) -> Definition {
    Definition {
        id,
        long: Some(id),
        short: None,
        value: None,
        help,
        conflicts: [&[]; 2],
        is_for_long_help: false,
        is_required: false,
        change: None,
    }
}

/// Defines an option with a value, by its long name.
pub const fn option(id: &'static str, value: &'static str, help: &'static str) -> Definition {
    Definition { value: Some(value), ..flag(id, help) }
}

/// Defines an operand.
pub const fn operand(id: &'static str, value: &'static str, help: &'static str) -> Definition {
    Definition { long: None, ..option(id, value, help) }
}

impl Definition {
    /// Sets the letter of the option, an ASCII character.
    pub const fn short(self, short: char) -> Self {
        Definition { short: Some(short), ..self }
    }

    /// Sets a long name that differs from the ID.
    pub const fn long(self, long: &'static str) -> Self {
        Definition { long: Some(long), ..self }
    }

    /// Removes the long name, so that the option has only its letter.
    pub const fn without_long(self) -> Self {
        Definition { long: None, ..self }
    }

    pub const fn help(self, help: &'static str) -> Self {
        Definition { help, ..self }
    }

    /// Refuses the option beside any of `others`.
    pub const fn conflicts_with(self, others: &'static [&'static str]) -> Self {
        let conflicts = match self.conflicts {
            [[], _] => [others, &[]],
            [first, []] => [first, others],
            _ => panic!("conflicts are said two times at most"),
        };
        Definition { conflicts, ..self }
    }

    /// Hides the option from `-h`.
    pub const fn for_long_help(self) -> Self {
        Definition { is_for_long_help: true, ..self }
    }

    pub const fn required(self) -> Self {
        Definition { is_required: true, ..self }
    }

    /// Sets a function that changes the argument that is built.
    pub const fn with(self, change: fn(Arg) -> Arg) -> Self {
        assert!(self.change.is_none(), "it is changed once");
        Definition { change: Some(change), ..self }
    }

    fn is_operand(&self) -> bool {
        self.long.is_none() && self.short.is_none()
    }

    fn build(&self, heading: Option<&'static str>) -> Arg {
        let arg = Arg::new(self.id).help(self.help).short(self.short).long(self.long);
        let arg = arg.help_heading(heading.filter(|_| !self.is_operand()));
        let arg = arg.hide_short_help(self.is_for_long_help);
        let arg = match self.value {
            Some(name) => arg.value_name(name).required(self.is_required),
            None => arg.action(ArgAction::SetTrue),
        };
        match self.change {
            Some(change) => change(arg),
            None => arg,
        }
    }
}

/// All IDs with their long names, including those of options that are not built. Operands have no long name.
type Known = Vec<(&'static str, Option<&'static str>)>;

/// The options of a command.
pub struct Table<'a> {
    clap: Clap,
    built: Built<'a>,
    heading: Option<&'static str>,
    /// The arguments that are built, each with its conflicts.
    args: Vec<(Arg, Conflicts)>,
    known: Known,
}

impl<'a> Table<'a> {
    /// Creates a table of `clap`, which has no options yet.
    pub fn new(clap: Clap, built: Built<'a>) -> Self {
        let clap = clap.version(env!("CARGO_PKG_VERSION")).args_override_self(true).infer_long_args(true);
        Table { clap, built, heading: None, args: Vec::new(), known: Vec::new() }
    }

    /// Sets the heading of the options that follow.
    pub fn heading(self, heading: &'static str) -> Self {
        Table { heading: Some(heading), ..self }
    }

    pub fn after_help(self, text: &'static str) -> Self {
        Table { clap: self.clap.after_help(text), ..self }
    }

    pub fn after_long_help(self, text: &'static str) -> Self {
        Table { clap: self.clap.after_long_help(text), ..self }
    }

    pub fn add(self, definition: Definition) -> Self {
        self.add_all(&[definition])
    }

    pub fn add_all(mut self, definitions: &[Definition]) -> Self {
        for definition in definitions {
            self.known.push((definition.id, definition.long));
            if definition.is_operand() || definition.is_required || self.built.has(definition) {
                self.args.push((definition.build(self.heading), definition.conflicts));
            }
        }
        self
    }

    /// Returns the command for clap's parser, and the known IDs.
    pub fn into_clap(self) -> (Clap, Known) {
        let ids: Vec<_> = self.args.iter().map(|(arg, _)| arg.get_id().clone()).collect();
        let args = self.args.into_iter().map(|(arg, conflicts)| {
            arg.conflicts_with_all(
                conflicts.into_iter().flatten().filter(|other| ids.iter().any(|id| id == *other)),
            )
        });
        (self.clap.args(args), self.known)
    }

    /// Returns clap's command, which is complete if all options are built.
    pub fn clap(self) -> Clap {
        self.into_clap().0
    }
}

/// The typed options, by the IDs of a table. Using an ID that the table does not have is a bug.
pub struct Matches {
    typed: ArgMatches,
    known: Known,
}

impl Matches {
    pub fn new(typed: ArgMatches, known: Known) -> Self {
        Matches { typed, known }
    }

    /// Whether the table has an option with that ID.
    pub fn knows(&self, id: &str) -> bool {
        self.known.iter().any(|(known, _)| *known == id)
    }

    /// Whether an option was typed.
    pub fn is_given(&self, id: &str) -> bool {
        self.has(id) && self.typed.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Returns the long names of all options that were typed.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        self.known.iter().filter(|(id, _)| self.is_given(id)).filter_map(|(_, long)| *long)
    }

    /// Whether an option without a value was typed.
    pub fn flag(&self, id: &str) -> bool {
        self.get_one(id).copied().unwrap_or(false)
    }

    pub fn get_one<T: Value>(&self, id: &str) -> Option<&T> {
        self.has(id).then(|| self.typed.get_one(id)).flatten()
    }

    /// Returns the last value of an option as it was typed.
    pub fn raw(&self, id: &str) -> Option<&OsStr> {
        self.has(id).then(|| self.typed.get_raw(id)).flatten()?.next_back()
    }

    pub fn get_many<T: Value>(&self, id: &str) -> impl Iterator<Item = &T> {
        self.has(id).then(|| self.typed.get_many(id)).flatten().into_iter().flatten()
    }

    pub fn remove_one<T: Value>(&mut self, id: &str) -> Option<T> {
        self.has(id).then(|| self.typed.remove_one(id)).flatten()
    }

    pub fn remove_many<T: Value>(&mut self, id: &str) -> impl Iterator<Item = T> + use<T> {
        self.has(id).then(|| self.typed.remove_many(id)).flatten().into_iter().flatten()
    }

    /// Returns the position of the last occurrence of an option.
    pub fn last_index(&self, id: &str) -> Option<usize> {
        self.has(id).then(|| self.typed.indices_of(id)).flatten()?.next_back()
    }

    /// Whether an option has a value. clap panics for options that were not built, so those are tested here.
    #[inline(never)]
    fn has(&self, id: &str) -> bool {
        debug_assert!(self.knows(id), "{id} is not in the table");
        matches!(self.typed.try_contains_id(id), Ok(true))
    }
}

/// The type of a parsed value.
pub trait Value: Any + Clone + Send + Sync {}

impl<T: Any + Clone + Send + Sync> Value for T {}
