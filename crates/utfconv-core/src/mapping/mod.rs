//! Mapping files: encodings that are described by a text, and encodings written as such texts.
//!
//! There are three forms, distinguished by their content. [`charmap`] reads the charmaps of POSIX (glibc's) and the
//! .ucm files of ICU, [`listing`] the .TXT files of unicode.org. A file becomes a [`Mapping`](crate::legacy::Mapping);
//! the codecs of built-in encodings make their tables. [`export`] goes the other way.

mod charmap;
mod entries;
mod export;
mod listing;
mod text;

pub use export::{ExportError, MappingFormat};
pub use text::MappingError;

use crate::decode::{CodePage, PageTable, UNASSIGNED};
use crate::encoding::Encoding;
use crate::form::Form;
use crate::legacy::{Builder, Code, HostPage, Lazy, Mapping, Tables};
use entries::Entries;
use text::spaced;

impl Encoding {
    /// The most bytes that the text of a mapping has. See [`Encoding::from_mapping`].
    pub const LONGEST_MAPPING: usize = 16 << 20;

    /// Makes an encoding of the text of a mapping file: a POSIX charmap, a .ucm file of ICU, or a .TXT file of
    /// unicode.org. The content shows which. Messages call the encoding `name`.
    ///
    /// Encodings are passed by `&'static` reference: each call leaks the tables of the encoding, so call it once for
    /// each file.
    ///
    /// # Errors
    /// The first line that is wrong, and why.
    ///
    /// ```
    /// use utfconv_core::{Encoding, Options, UTF_8, convert};
    ///
    /// let mapping = "0x41\t0x0041\n0x80\t0x20AC\t# EURO SIGN\n";
    /// let encoding = Encoding::from_mapping("mine", mapping.as_bytes())?;
    /// assert_eq!(convert("A€".as_bytes(), &UTF_8, encoding, &Options::default())?.output, b"A\x80");
    ///
    /// let error = Encoding::from_mapping("mine", b"0x41\t0x0041\n0x41\t0x0042\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 1: code 41 is already in line 1");
    /// assert_eq!((error.line(), error.column()), (2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_mapping(name: &str, text: &[u8]) -> Result<&'static Encoding, MappingError> {
        if text.len() > Encoding::LONGEST_MAPPING {
            return Err(MappingError::whole("a mapping file has at most 16 MiB"));
        }
        if text.starts_with(b"\x1F\x8B") {
            return Err(MappingError::whole("the mapping file is compressed; decompress it with gunzip"));
        }
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        // Old files end with the mark of CP/M.
        let text = text.strip_suffix(b"\x1A").unwrap_or(text.strip_suffix(b"\x1A\n").unwrap_or(text));
        let mut entries = Entries::default();
        match charmap::Dialect::of(text) {
            Some(dialect) => charmap::read(text, dialect, &mut entries)?,
            None => listing::read(text, &mut entries)?,
        }
        let has_shifts = entries.has_shifts;
        let mapping = entries.finish()?;
        let form = form(&mapping, has_shifts).map_err(|code| {
            let code = spaced(code);
            MappingError::whole(format!(
                "code {code} has two characters; only codes of two bytes from 80 on can"
            ))
        })?;
        let has_bom = mapping.codes.iter().any(|(_, scalar)| *scalar == 0xFEFF);
        Ok(Box::leak(Box::new(Encoding::made(name, form, has_bom))))
    }
}

/// Returns the codec for a mapping; its first pair with a code that cannot have two characters is an error.
fn form(mapping: &Mapping, has_shifts: bool) -> Result<Form, Code> {
    if has_shifts {
        let page = HostPage::of(mapping);
        return Ok(Form::Host(Tables(Box::leak(Box::new(Lazy::ready(page))))));
    }
    if let Some(table) = page(mapping) {
        return Ok(Form::Page(Box::leak(Box::new(CodePage::new(table)))));
    }
    let table = Builder::of(mapping)?.build();
    Ok(Form::MultiByte(Tables(Box::leak(Box::new(Lazy::of(table))))))
}

/// Returns the table of a mapping of single bytes, if a code page can have all of it.
fn page(mapping: &Mapping) -> Option<PageTable> {
    if !mapping.pairs.is_empty() || !mapping.write_only.is_empty() {
        return None;
    }
    let mut to_unicode = [UNASSIGNED; 256];
    for (code, scalar) in &mapping.codes {
        let [byte] = *code.bytes() else { return None };
        to_unicode[usize::from(byte)] = u16::try_from(*scalar).ok().filter(|unit| *unit != UNASSIGNED)?;
    }
    let one_way: Vec<u8> = mapping.read_only.iter().map(|code| code.lead()).collect();
    // A page writes 00 for one character, which it has to read.
    let has_zero = to_unicode[0] != UNASSIGNED && !one_way.contains(&0);
    // The newlines of EBCDIC, for which there is an option.
    let is_ebcdic = to_unicode[0x15] == 0x85 && to_unicode[0x25] == 0x0A;
    has_zero.then(|| PageTable {
        to_unicode,
        one_way: one_way.leak(),
        composed: &[],
        taken_apart: &[],
        is_ebcdic,
    })
}
