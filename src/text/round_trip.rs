//! Tests whether a converted file gives the same bytes when it is converted back.

use std::fs::File;
use std::io::{self, BufReader};

use utfconv_core::NormalizationForm::Nfc;
use utfconv_core::{
    Encoding, InputBom, More, OnIllFormed, OnUnmappable, Options, OutputBom, Policy, Stop, StreamError,
    Transcoder, UTF_8, convert, convert_stream,
};

use crate::files::compared::Compared;
use crate::files::stdio::{Part, bytes_at};

/// Number of bytes converted at a time.
const BUFFER: usize = 64 << 10;

/// Number of bytes in which BOMs are looked for.
const HEAD: usize = 32;

/// Whether all well-formed text in an encoding is known to convert back to the same bytes.
pub fn is_exact(encoding: &'static Encoding) -> bool {
    if encoding == &UTF_8 || encoding.code_unit_len() > 1 {
        return true;
    }
    // A code page is exact if each byte converts back to itself, after any other byte.
    let omit = Policy::default().ill_formed(OnIllFormed::Omit).unmappable(OnUnmappable::Omit);
    let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never).policy(omit);
    let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    let there = |bytes: &[u8], from, to| convert(bytes, from, to, &options).ok().map(|done| done.output);
    let Some(text) = there(&all, encoding, &UTF_8) else { return false };
    let Some(back) = there(&text, &UTF_8, encoding) else { return false };
    let text = String::from_utf8_lossy(&text);
    let count = text.chars().count();
    let (up, down) = back.split_at(back.len() / 2);
    let is_same = up.is_sorted_by(|one, next| one < next) && down.iter().rev().eq(up);
    // In some code pages, a letter and its accent are also a single byte, as a composed character.
    let keeps_pairs = || {
        let accents = up.iter().zip(text.chars()).filter(|(_, scalar)| !Nfc.has_boundary_before(*scalar));
        let pairs: Vec<u8> =
            accents.flat_map(|(accent, _)| up.iter().flat_map(|one| [*one, *accent])).collect();
        let text = there(&pairs, encoding, &UTF_8);
        text.and_then(|text| there(&text, &UTF_8, encoding)).is_some_and(|back| back == pairs)
    };
    encoding.is_of_bytes() && count >= 256 && back.len() == count && is_same && keeps_pairs()
}

/// Returns the length in bytes of the BOM at the start of `head`, which is text in `encoding`; 0 without a BOM.
fn bom_len(head: &[u8], encoding: &'static Encoding) -> usize {
    if !encoding.can_carry_bom() || encoding.is_stateful() {
        return 0;
    }
    let options = Options::default().input_bom(InputBom::Strip).output_bom(OutputBom::Never);
    let converted = |len: usize| convert(head.get(..len)?, encoding, &UTF_8, &options).ok();
    let is_bom = |len: &usize| converted(*len).is_some_and(|done| done.output.is_empty());
    [4, 3, 2].into_iter().find(is_bom).unwrap_or(0)
}

/// Returns the number of BOMs at the start of `head`. All BOMs after the first are text.
fn boms(mut head: &[u8], encoding: &'static Encoding) -> usize {
    let mut count = 0;
    while let len @ 1.. = bom_len(head, encoding) {
        head = &head[len..];
        count += 1;
    }
    count
}

/// Converts `new` from `to` back to `from`, and returns the first offset at which the result differs from `old`. BOMs
/// are not compared.
pub fn first_difference(
    old: &File,
    from: &'static Encoding,
    new: &File,
    to: &'static Encoding,
    options: &Options,
) -> io::Result<Option<u64>> {
    let heads = [bytes_at(old, 0, HEAD)?, bytes_at(new, 0, HEAD)?];
    let from = options.input_bom.read_as(from, &heads[0][..heads[0].len().min(4)]);
    // The reverse conversion removes one BOM. If the output has its own BOM before the BOM of the input, the BOM of the
    // input remains.
    let comes_back = boms(&heads[1], to) > boms(&heads[0], from);
    let start = if comes_back { 0 } else { bom_len(&heads[0], from) };
    let mut compared = Compared::new(old, start as u64);
    let mut source = BufReader::with_capacity(BUFFER, Part::whole(new));
    let back = Options::default()
        .input_bom(InputBom::Strip)
        .output_bom(OutputBom::Never)
        .ebcdic_newline(options.ebcdic_newline);
    let mut transcoder = Transcoder::new(to, from, back);
    let mut is_stopped = false;
    let converted =
        convert_stream(&mut source, &mut compared, &mut transcoder, &mut vec![0; BUFFER], |stop| {
            is_stopped |= matches!(stop, Stop::Stopped(_));
            More::Count
        });
    match converted {
        Err(StreamError::Read(error)) => return Err(error),
        Err(StreamError::Write(error)) if !compared.is_different => return Err(error),
        _ => {}
    }
    Ok((is_stopped || !compared.is_whole()?).then_some(compared.offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_are_known_to_be_exact() {
        for (name, expected) in [
            ("UTF-8", true),
            ("UTF-16", true),
            ("windows-1252", true),
            ("KOI8-R", true),
            ("IBM1047", true),
            ("Shift_JIS", false),
            ("ISO-2022-JP", false),
            ("windows-1258", false),
            ("TCVN5712-1", false),
            ("ISIRI-3342", false),
        ] {
            assert_eq!(is_exact(Encoding::for_name(name).expect("is there")), expected, "{name}");
        }
    }
}
