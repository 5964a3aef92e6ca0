//! Parses options as glibc's getopt_long does, with the same messages: values may be attached, letters clustered, names
//! abbreviated, and options may come before or after operands.

use std::ffi::{OsStr, OsString};

use crate::files::system;
use crate::ui::quote::one_line;

/// An option: its ID, its letter and its name if it has them, and whether it takes a value.
pub struct Spec<T> {
    pub id: T,
    pub letter: Option<char>,
    pub long: Option<&'static str>,
    pub takes_value: bool,
}

/// A parsed option or operand.
#[derive(Debug, PartialEq, Eq)]
pub enum Item<T> {
    /// An option, with its value if it takes one, or else an empty value.
    Option(T, OsString),
    Operand(OsString),
}

/// Parses words one by one.
pub struct Getopt<T: 'static> {
    specs: &'static [Spec<T>],
    words: std::vec::IntoIter<OsString>,
    /// The rest of a cluster of letters.
    cluster: OsString,
    /// Whether options may follow operands.
    permutes: bool,
    /// Whether only operands follow.
    ended: bool,
}

impl<T: Copy> Getopt<T> {
    pub fn new(specs: &'static [Spec<T>], words: Vec<OsString>, permutes: bool) -> Getopt<T> {
        Getopt { specs, words: words.into_iter(), cluster: OsString::new(), permutes, ended: false }
    }

    fn letter(&mut self) -> Result<Item<T>, String> {
        let letter = self.cluster.to_string_lossy().chars().next().unwrap_or_default();
        let Some(spec) = self.specs.iter().find(|spec| spec.letter == Some(letter)) else {
            self.cluster.clear();
            return Err(format!("invalid option -- '{}'", one_line(&letter.to_string())));
        };
        let rest = tail(&self.cluster, letter.len_utf8());
        if !spec.takes_value {
            self.cluster = rest;
            return Ok(Item::Option(spec.id, OsString::new()));
        }
        self.cluster.clear();
        match Some(rest).filter(|rest| !rest.is_empty()).or_else(|| self.words.next()) {
            Some(value) => Ok(Item::Option(spec.id, value)),
            None => Err(format!("option requires an argument -- '{letter}'")),
        }
    }

    /// Parses a long option. `word` is the text after `--`.
    fn long(&mut self, word: &OsStr) -> Result<Item<T>, String> {
        let bytes = word.as_encoded_bytes();
        let name = bytes.split(|byte| *byte == b'=').next().unwrap_or_default();
        let value = (name.len() < bytes.len()).then(|| tail(word, name.len() + 1));
        let typed = one_line(&word.to_string_lossy()).into_owned();
        let named = self.specs.iter().filter_map(|spec| Some((spec, spec.long?)));
        let mut known: Vec<_> = named.filter(|(_, long)| long.as_bytes().starts_with(name)).collect();
        // A complete name is no abbreviation of a longer name.
        if let Some(exact) = known.iter().copied().find(|(_, long)| long.as_bytes() == name) {
            known = vec![exact];
        }
        match (&known[..], value) {
            ([], _) => Err(format!("unrecognized option '--{typed}'")),
            ([(spec, _)], None) if !spec.takes_value => Ok(Item::Option(spec.id, OsString::new())),
            ([(spec, long)], Some(_)) if !spec.takes_value => {
                Err(format!("option '--{long}' doesn't allow an argument"))
            }
            ([(spec, long)], value) => match value.or_else(|| self.words.next()) {
                Some(value) => Ok(Item::Option(spec.id, value)),
                None => Err(format!("option '--{long}' requires an argument")),
            },
            (several, _) => {
                let names: String = several.iter().map(|(_, long)| format!(" '--{long}'")).collect();
                Err(format!("option '--{typed}' is ambiguous; possibilities:{names}"))
            }
        }
    }
}

impl<T: Copy> Iterator for Getopt<T> {
    type Item = Result<Item<T>, String>;

    fn next(&mut self) -> Option<Result<Item<T>, String>> {
        if !self.cluster.is_empty() {
            return Some(self.letter());
        }
        let word = self.words.next()?;
        match word.as_encoded_bytes() {
            _ if self.ended => Some(Ok(Item::Operand(word))),
            b"--" => {
                self.ended = true;
                self.next()
            }
            [b'-', b'-', ..] => Some(self.long(&tail(&word, 2))),
            [b'-', _, ..] => {
                self.cluster = tail(&word, 1);
                Some(self.letter())
            }
            _ => {
                self.ended = !self.permutes;
                Some(Ok(Item::Operand(word)))
            }
        }
    }
}

/// Returns the text after the first `count` bytes, which have to be whole characters.
fn tail(word: &OsStr, count: usize) -> OsString {
    system::name_of(word.as_encoded_bytes()[count..].to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn spec(id: char, letter: Option<char>, long: &'static str, takes_value: bool) -> Spec<char> {
        Spec { id, letter, long: Some(long), takes_value }
    }

    static SPECS: [Spec<char>; 7] = [
        spec('f', Some('f'), "from-code", true),
        spec('c', Some('c'), "clean", false),
        spec('v', None, "verbose", false),
        spec('V', Some('V'), "version", false),
        spec('b', None, "byte-subst", true),
        spec('B', None, "byte", false),
        Spec { id: 's', letter: Some('s'), long: None, takes_value: false },
    ];

    /// Formats the parsed items, up to the first error.
    fn read(words: &str, permutes: bool) -> String {
        let words = words.split_whitespace().map(OsString::from).collect();
        let items = Getopt::new(&SPECS, words, permutes).map(|item| match item {
            Ok(Item::Option(id, value)) => {
                if SPECS.iter().any(|spec| spec.id == id && spec.takes_value) {
                    format!("{id}={}", value.display())
                } else {
                    id.to_string()
                }
            }
            Ok(Item::Operand(word)) => word.display().to_string(),
            Err(text) => format!("[{text}]"),
        });
        items.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_in_every_form() {
        for (words, read_as) in [
            ("-f X", "f=X"),
            ("-fX", "f=X"),
            ("-cfX", "c f=X"),
            ("-cf X a", "c f=X a"),
            ("-f -c", "f=-c"),
            ("-f --", "f=--"),
            ("--from-code X", "f=X"),
            ("--from-code=X=Y", "f=X=Y"),
            ("--from-code=", "f="),
            ("--from=X --f Y", "f=X f=Y"),
            ("a -c b -V", "a c b V"),
            ("a -- -c --x", "a -c --x"),
            ("- -c -", "- c -"),
            ("--byte --byte-=1 -s", "B b=1 s"),
            ("--byt", "[option '--byt' is ambiguous; possibilities: '--byte-subst' '--byte']"),
            ("--verb", "v"),
            ("--clean -cc", "c c c"),
            ("-x", "[invalid option -- 'x']"),
            ("-cé", "c [invalid option -- 'é']"),
            ("-f", "[option requires an argument -- 'f']"),
            ("-cf", "c [option requires an argument -- 'f']"),
            ("--from", "[option '--from-code' requires an argument]"),
            ("--clean=1", "[option '--clean' doesn't allow an argument]"),
            ("--ver", "[option '--ver' is ambiguous; possibilities: '--verbose' '--version']"),
            ("--nonsense=1", "[unrecognized option '--nonsense=1']"),
        ] {
            let found = read(words, true);
            assert!(found == read_as || found.starts_with(&format!("{read_as} ")), "{words}: {found}");
        }
    }

    #[test]
    fn the_first_operand_ends_the_options_where_posix_says_so() {
        assert_eq!(read("-c a -c --from=X --", false), "c a -c --from=X --");
        assert_eq!(read("-c -- -c", false), "c -c");
        assert_eq!(read("- -c", false), "- -c");
    }

    #[cfg(unix)]
    #[test]
    fn values_need_not_be_text() {
        use std::os::unix::ffi::OsStrExt;
        for word in [&b"-f\xFF"[..], b"--from-code=\xFF"] {
            let item = Getopt::new(&SPECS, vec![OsStr::from_bytes(word).into()], true).next();
            assert_eq!(item, Some(Ok(Item::Option('f', OsStr::from_bytes(b"\xFF").into()))));
        }
        let item = Getopt::new(&SPECS, vec![OsStr::from_bytes(b"-\xFF").into()], true).next();
        assert_eq!(item, Some(Err("invalid option -- '\u{FFFD}'".to_string())));
    }
}
