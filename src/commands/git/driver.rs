//! Recognizes the filter that git has for a file if it is `git-filter`. Then utfconv converts the file itself and does
//! not run the command, because the command comes from the configuration of a repository.

use std::ffi::OsString;
use std::path::Path;

use utfconv_core::{Encoding, UTF_8};

use super::args::{filter_from_matches, filter_table};
use super::conversion::{Conversion, Done};
use super::plan::{FilterPlan, Side};
use crate::ui::options::{Parsed, parse};
use crate::ui::table::Built;

/// A filter in git's configuration that runs `git-filter`.
pub struct Driver(FilterPlan);

impl Driver {
    /// Returns the filter with this command; `None` if it runs another program, or if parsing it needs a shell.
    pub fn of(command: &str) -> Option<Driver> {
        let words: Vec<OsString> = words(command)?.into_iter().map(OsString::from).collect();
        let [program, words @ ..] = &words[..] else { return None };
        let is_utfconv = matches!(Path::new(program).file_name()?.to_str(), Some("utfconv" | "utfconv.exe"));
        if !is_utfconv || words.first()? != "git-filter" {
            return None;
        }
        let table = filter_table(Built::Typed(words));
        match parse(table, || filter_table(Built::All).clap(), words, |_| None).ok()? {
            Parsed::Matches(matches) => filter_from_matches(matches).ok().map(Driver),
            Parsed::Text(_) => None,
        }
    }

    /// Returns the encoding of the content in the repository.
    pub fn stored(&self) -> &'static Encoding {
        self.encodings()[0]
    }

    /// Returns the encoding in the work tree.
    pub fn checked_out(&self) -> &'static Encoding {
        self.encodings()[1]
    }

    fn encodings(&self) -> [&'static Encoding; 2] {
        let encoding = self.0.encoding.encoding;
        match self.0.side {
            Side::WorkTree => [&UTF_8, encoding],
            Side::Repository => [encoding, &UTF_8],
        }
    }

    /// Returns the content of a file of the repository after checkout, and whether it was converted.
    ///
    /// # Errors
    /// Fails with the reason if the content is not converted.
    pub fn check_out(&self, stored: &[u8]) -> Result<(Vec<u8>, bool), String> {
        let mut content = Vec::new();
        match Conversion::new(&self.0).smudge(stored, &mut content) {
            Ok(done) => Ok((content, done == Done::Converted)),
            Err(refused) => Err(refused.to_string()),
        }
    }
}

/// Returns the words of a command; `None` if a shell would do more than remove quotes.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for scalar in command.chars() {
        match (scalar, quote) {
            (_, Some(end)) if scalar == end => quote = None,
            ('$' | '`' | '\\', Some('"')) => return None,
            (_, Some(_)) => word.get_or_insert_default().push(scalar),
            ('\'' | '"', None) => {
                quote = Some(scalar);
                word.get_or_insert_default();
            }
            (' ' | '\t', None) => words.extend(word.take()),
            (_, None) if scalar.is_alphanumeric() || "-_./:=,+@%".contains(scalar) => {
                word.get_or_insert_default().push(scalar);
            }
            _ => return None,
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use utfconv_core::UTF_16LE;

    #[test]
    fn only_git_filter_is_known() {
        for command in [
            "utfconv.exe git-filter -f UTF-16LE-BOM",
            "'/usr/my bin/utfconv' git-filter \"-fUTF-16LE\" --force",
        ] {
            let driver = Driver::of(command).expect(command);
            assert_eq!((driver.stored(), driver.checked_out()), (&UTF_8, &UTF_16LE), "{command}");
        }
        for command in [
            "",
            "git-lfs filter-process",
            "utfconv -f UTF-16LE",
            "utfconv git-filter",
            "utfconv git-filter --help",
            "utfconv git-filter -f $ENC",
            "utfconv git-filter -f UTF-16LE; true",
            "utfconv git-filter -f 'UTF-16LE",
            "utfconv.sh git-filter -f UTF-16LE",
            "/usr/bin/utfconv.py git-filter -f UTF-16LE",
        ] {
            assert!(Driver::of(command).is_none(), "{command}");
        }
    }
}
