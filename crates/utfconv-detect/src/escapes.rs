//! Detects encodings of seven-bit bytes by their escape sequences and shifts.

use super::result::{Certainty, Detection};
use utfconv_core::Options;
use utfconv_core::convert;
use utfconv_core::{Encoding, US_ASCII, UTF_8, encodings::UTF_7};
use utfconv_core::{OnIllFormed, Policy};

/// Designations of ISO 2022 that distinguish encodings, with the encoding's name. The first row whose designation is in
/// the text decides.
const DESIGNATIONS: [(&[u8], &str); 14] = [
    (b"\x1B$)C", "ISO-2022-KR"),
    (b"\x1B$+I", "ISO-2022-CN-EXT"),
    (b"\x1B$)E", "ISO-2022-CN-EXT"),
    (b"\x1B$)A", "ISO-2022-CN"),
    (b"\x1B$)G", "ISO-2022-CN"),
    (b"\x1B$*H", "ISO-2022-CN"),
    (b"\x1B$(O", "ISO-2022-JP-3"),
    (b"\x1B$(P", "ISO-2022-JP-3"),
    (b"\x1B$(Q", "ISO-2022-JP-2004"),
    (b"\x1B$A", "ISO-2022-JP-2"),
    (b"\x1B$(C", "ISO-2022-JP-2"),
    (b"\x1B$(D", "ISO-2022-JP-1"),
    (b"\x1B$B", "ISO-2022-JP"),
    (b"\x1B$@", "ISO-2022-JP"),
];

/// Detects ISO 2022 and HZ in ASCII text, and UTF-7 if `allows_utf7`.
pub(super) fn seven_bit(text: &[u8], allows_utf7: bool) -> Option<Detection> {
    if memchr::memchr(0x1B, text).is_some() {
        return iso_2022(text);
    }
    hz(text).or_else(|| allows_utf7.then(|| utf_7(text)).flatten())
}

/// Detects an encoding of ISO 2022 by its designations, if the text in its two-byte sets consists of pairs of bytes.
fn iso_2022(text: &[u8]) -> Option<Detection> {
    let has = |(escape, _): &&(&[u8], &str)| memchr::memmem::find(text, escape).is_some();
    let (_, name) = DESIGNATIONS.iter().find(has)?;
    let is_shifted = name.starts_with("ISO-2022-KR") || name.starts_with("ISO-2022-CN");
    let pairs = if is_shifted { shifted_pairs(text) } else { escaped_pairs(text) }?;
    let certainty = if pairs >= 2 { Certainty::Certain } else { Certainty::Likely };
    (pairs > 0).then(|| Detection::named(name, certainty, "its escapes, and it is well-formed"))
}

/// Returns the number of two-byte characters between the designation of a two-byte set and the next escape sequence.
/// Returns `None` if that text is ill-formed.
fn escaped_pairs(text: &[u8]) -> Option<usize> {
    let mut pairs = 0;
    let mut segments = text.split(|byte| *byte == 0x1B).skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_double = segment.first() == Some(&b'$');
        let intermediates = segment.iter().take_while(|byte| matches!(byte, 0x20..=0x2F)).count();
        let body = segment.get(intermediates + 1..).unwrap_or_default();
        if is_double {
            pairs += pairs_of(body, segments.peek().is_none())?;
        }
    }
    Some(pairs)
}

/// Returns the number of two-byte characters between shift-out and shift-in. Returns `None` if that text is ill-formed.
fn shifted_pairs(text: &[u8]) -> Option<usize> {
    let mut pairs = 0;
    for segment in text.split(|byte| *byte == 0x0E).skip(1) {
        let end = memchr::memchr2(0x0F, 0x1B, segment);
        pairs += pairs_of(&segment[..end.unwrap_or(segment.len())], end.is_none())?;
    }
    Some(pairs)
}

/// Returns the number of two-byte characters in a text in a two-byte set, which may have newlines, spaces and tabs
/// between characters. If `may_be_cut`, the last character may be incomplete. Returns `None` if the text is ill-formed.
fn pairs_of(text: &[u8], may_be_cut: bool) -> Option<usize> {
    let mut pairs = 0;
    let mut words = text.split(|byte| matches!(byte, b'\r' | b'\n' | b' ' | b'\t')).peekable();
    while let Some(word) = words.next() {
        let is_whole = word.len().is_multiple_of(2) || may_be_cut && words.peek().is_none();
        if !is_whole || !word.iter().all(|byte| matches!(byte, 0x21..=0x7E)) {
            return None;
        }
        pairs += word.len() / 2;
    }
    Some(pairs)
}

/// Detects HZ (RFC 1843) by the pairs of bytes between `~{` and `~}`, most of which have to be ideographs of GB 2312.
fn hz(text: &[u8]) -> Option<Detection> {
    let (mut pairs, mut ideographs, mut rest) = (0, 0, text);
    while let Some(at) = memchr::memmem::find(rest, b"~{") {
        rest = &rest[at + 2..];
        let len = rest.chunks_exact(2).take_while(|pair| *pair != b"~}").count();
        let (body, after) = rest.split_at(2 * len);
        let is_pair = |pair: &[u8]| matches!(pair, [0x21..=0x77, 0x21..=0x7E]);
        // The end of the file may come before `~}`.
        if !after.starts_with(b"~}") && after.len() > 1 || !body.chunks(2).all(is_pair) {
            return None;
        }
        pairs += len;
        ideographs += body.chunks(2).filter(|pair| matches!(pair[0], 0x30..=0x57)).count();
        rest = after;
    }
    (pairs >= 4 && 2 * ideographs >= pairs)
        .then(|| Detection::named("HZ-GB-2312", Certainty::Likely, "its escapes, and it is well-formed"))
}

/// Detects UTF-7 by its shifts, if the text is well-formed with them.
fn utf_7(text: &[u8]) -> Option<Detection> {
    // Leave out the last, unfinished line, because `text` may be the beginning of a longer file.
    let end = memchr::memrchr(b'\n', text).map_or(text.len(), |at| at + 1);
    let decoded = decoded(&UTF_7, &text[..end]);
    if decoded.is_ascii() || decoded.contains(char::REPLACEMENT_CHARACTER) {
        return None;
    }
    let found = Detection::new(&UTF_7, Certainty::Likely, "its escapes, and it is well-formed");
    Some(Detection { alternatives: vec![US_ASCII.name()], ..found })
}

/// Decodes `bytes`, with U+FFFD for each ill-formed sequence.
pub(super) fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    let converted = convert(bytes, encoding, &UTF_8, &Options::default().policy(policy));
    converted.ok().and_then(|converted| String::from_utf8(converted.output).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_bit_encodings_are_known_by_their_escapes() {
        for (text, name) in [
            (&b"a \x1B$B$3$s\x1B(B\n"[..], Some("ISO-2022-JP")),
            (b"\x1B$)C\nab \x0E0!3*\x0F c\n", Some("ISO-2022-KR")),
            (b"\x1B$)A\x0E0!3*\x0F c\n", Some("ISO-2022-CN")),
            (b"~{<:Ky2;Sz#,NpJ)l6HK!#~}\n", Some("HZ-GB-2312")),
            (b"\x1B[31mred\x1B[0m\n", None),
            (b"\x1B$B$3 $\x1B(B\n", None),
            (b"a ~{ b ~} c\n", None),
            (b"Gr+APwA3w-e\n", None),
        ] {
            let found = seven_bit(text, false);
            assert_eq!(found.and_then(|found| found.name), name, "{}", text.escape_ascii());
        }
        assert_eq!(seven_bit(b"Gr+APwA3w-e\n", true).and_then(|found| found.name), Some("UTF-7"));
        assert_eq!(seven_bit(b"1+1=2\n", true), None);
    }
}
