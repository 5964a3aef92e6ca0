//! What the configuration requires of a file that is converted: the encoding in which it is read, and what its new content
//! must be.

use std::io;
use std::path::Path;

use utfconv_core::{CheckItem, Checker, EbcdicNewline, Encoding, InputBom, US_ASCII, UTF_8};

use crate::config::{Configuration, Demand, LastDirectory, Newline, Requirements};
use crate::convert::newlines::NewlineStyle;
use crate::convert::plan::ConvertPlan;
use crate::files::feeder::Feeder;
use crate::files::source::Opened;
use crate::files::stdio::fill_at;

/// Bytes read at a time.
const BUFFER: usize = 64 << 10;

/// The configuration that a conversion obeys; None if it is not to be read.
pub fn configuration(plan: &ConvertPlan) -> Option<Configuration> {
    let is_read = !plan.settings.ignores_configuration && (plan.batch.is_some() || plan.from.is_none());
    // Without a current directory, there is none.
    is_read.then(|| std::env::current_dir().ok()).flatten().map(|current| Configuration::new(&current))
}

/// What is required of the file at `path`.
pub fn required(configuration: Option<&Configuration>, path: &Path) -> Requirements {
    configuration.map(|one| one.of_named(path, &mut LastDirectory::default())).unwrap_or_default()
}

/// Whether the bytes of an input are well-formed in this encoding; of one that can be read only once, the first ones.
pub fn is_well_formed(opened: &mut Opened, encoding: &'static Encoding, most: usize) -> io::Result<bool> {
    let mut feeder = Feeder::new(Checker::new(encoding, InputBom::Auto, EbcdicNewline::Nel));
    let mut is_well_formed = true;
    let mut feed = |chunk: &[u8], is_last| {
        feeder.feed(chunk, is_last, |item, _, _, _| {
            is_well_formed &= !matches!(item, CheckItem::Fault(_));
            is_well_formed
        });
        is_well_formed
    };
    let Some(range) = opened.range() else {
        let head = opened.look_ahead(most)?;
        return Ok(feed(head, head.len() < most));
    };
    let mut buffer = vec![0; BUFFER];
    let mut offset = range.start;
    loop {
        let room = (range.end - offset).min(BUFFER as u64) as usize;
        let read = fill_at(opened.file(), &mut buffer[..room], offset)?;
        offset += read as u64;
        let is_last = read < room || offset >= range.end;
        if !feed(&buffer[..read], is_last) || is_last {
            return Ok(is_well_formed);
        }
    }
}

/// Why new content that begins with `head` would break what is required of its file, if it would. `old` is what the old
/// content begins with.
pub fn broken(plan: &ConvertPlan, required: &Requirements, old: &[u8], head: &[u8]) -> Option<String> {
    let to = plan.to;
    let bom = bom_of(head, to);
    // The order that the BOM shows.
    let written = bom.unwrap_or(to);
    if let Some(encoding) = required.encoding {
        let is_subset = to == &US_ASCII && encoding.is_ascii_compatible();
        if !is_subset && !encoding.includes_scheme(written) && to != encoding {
            return Some(format!("must be {}, not {}", encoding.name(), to.name()));
        }
    }
    match required.bom {
        Some(Demand::Require) if bom.is_none() && !head.is_empty() => {
            return Some(format!("must be {} with a BOM", required.encoding.unwrap_or(to).name()));
        }
        // A BOM that was there may stay.
        Some(Demand::Forbid) if bom.is_some() && bom_of(old, to).is_none() => {
            return Some(format!("must be {} without a BOM", to.name()));
        }
        _ => {}
    }
    let style = match plan.settings.newlines.newlines {
        NewlineStyle::Keep => None,
        NewlineStyle::Lf => Some(Newline::Lf),
        NewlineStyle::Crlf => Some(Newline::Crlf),
        NewlineStyle::Cr => Some(Newline::Cr),
    };
    if let (Some(required), Some(style)) = (required.newline, style)
        && required != style
    {
        return Some(format!("must have {} as newline, not {}", required.name(), style.name()));
    }
    (required.final_newline == Some(Demand::Forbid) && plan.settings.newlines.adds_final)
        .then(|| "must not end with a newline".to_string())
}

/// The encoding whose BOM these bytes of text in `encoding` begin with.
fn bom_of(head: &[u8], encoding: &Encoding) -> Option<&'static Encoding> {
    let unit = encoding.unit();
    // The BOM of UTF-16LE and a NUL look like the BOM of UTF-32LE.
    let most = if unit == 1 { 3 } else { unit };
    let (found, _) = Encoding::for_bom(&head[..head.len().min(most)])?;
    let can_have = encoding == &UTF_8 || unit > 1;
    (can_have && found.unit() == unit).then_some(found)
}
