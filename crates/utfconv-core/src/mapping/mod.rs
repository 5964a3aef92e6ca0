//! Mapping files: encodings that are described by a text, and encodings that are written as such texts.
//!
//! Three formats are distinguished by content. [`charmap`] reads the charmaps of POSIX (as in glibc) and the .ucm files
//! of ICU, and [`listing`] reads the .TXT files of unicode.org. A file becomes a [`Mapping`](crate::legacy::Mapping),
//! from which the codecs of built-in encodings make their tables. [`export`] writes mapping files.

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
    /// Maximum length of the text of a mapping, in bytes. See [`Encoding::from_mapping`].
    pub const LONGEST_MAPPING: usize = 16 << 20;

    /// Creates an encoding from the text of a mapping file: a POSIX charmap, a .ucm file of ICU, or a .TXT file of
    /// unicode.org, which are distinguished by their content. Messages call the encoding `name`.
    ///
    /// Encodings are passed by `&'static` reference, so each call leaks the tables of the encoding; call the function
    /// once for each file.
    ///
    /// # Errors
    /// The first line that is wrong, and the reason.
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
        // Old files end with the end-of-file byte of CP/M.
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

/// Returns the codec for a mapping. The error is the first code for two characters that the codec does not support.
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

/// Returns the table of a mapping of single bytes, or `None` if a code page cannot express all of the mapping.
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
    // Byte 00 is written for a single character, so it must be read as that character.
    let has_zero = to_unicode[0] != UNASSIGNED && !one_way.contains(&0);
    // NEL at 15 and LF at 25 identify EBCDIC, for whose newlines there is an option.
    let is_ebcdic = to_unicode[0x15] == 0x85 && to_unicode[0x25] == 0x0A;
    has_zero.then(|| PageTable {
        to_unicode,
        one_way: one_way.leak(),
        composed: &[],
        taken_apart: &[],
        is_ebcdic,
    })
}
