//! What a text declares as its encoding, as evidence for detection.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::Range;

use utfconv_core::declaration::{Declaration, Ends, Meaning, sniff};
use utfconv_core::detect::Detection;
use utfconv_core::{Encoding, US_ASCII};

use crate::files::ends::FileEnds;
use crate::ui::quote::declares;

/// The declarations in a text.
pub struct DeclaredEvidence(Vec<Declaration>);

impl DeclaredEvidence {
    /// Finds the declarations in the first bytes of a text. The last bytes are searched too, if its file and its range
    /// there are given.
    pub fn read(
        head: &[u8],
        file: Option<(&File, Range<u64>)>,
        name: &OsStr,
    ) -> io::Result<DeclaredEvidence> {
        let name = name.to_string_lossy();
        let name = Some(&*name).filter(|name| *name != "-");
        let is_longer = |range: &Range<u64>| range.end.saturating_sub(range.start) > head.len() as u64;
        Ok(DeclaredEvidence(match file.filter(|(_, range)| is_longer(range)) {
            Some((file, range)) => sniff(&FileEnds::after(head, file, &range)?.ends(), name),
            None => sniff(&Ends::of(head), name),
        }))
    }

    /// Returns the encoding that is declared.
    pub fn encoding(&self) -> Option<&'static Encoding> {
        self.0.iter().find_map(|one| match one.meaning() {
            Meaning::Encoding(encoding) => Some(encoding),
            _ => None,
        })
    }

    /// Returns a declaration that contradicts what was found, in words.
    pub fn contradiction(&self, found: &Detection) -> Option<String> {
        let encoding = found.encoding?;
        let agrees = |one: &Declaration| {
            one.agrees_with(encoding, encoding == &US_ASCII) || one.is_subset_of(encoding)
        };
        let one = self.0.iter().find(|one| !agrees(one))?;
        Some(format!("it {}", declares(one)))
    }
}
