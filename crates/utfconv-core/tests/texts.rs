//! Texts and notations for the tests of the library and of the program, both of which include this file.
#![allow(dead_code)] // no test program uses all functions

use utfconv_core::Encoding;

/// The encodings that the oracle knows, tested in any combination.
pub static CORE: [&Encoding; 10] = [
    &utfconv_core::UTF_8,
    &utfconv_core::UTF_16,
    &utfconv_core::UTF_16LE,
    &utfconv_core::UTF_16BE,
    &utfconv_core::UTF_32,
    &utfconv_core::UTF_32LE,
    &utfconv_core::UTF_32BE,
    &utfconv_core::encodings::CESU_8,
    &utfconv_core::ISO_8859_1,
    &utfconv_core::US_ASCII,
];

/// Returns the rows, without the headers, of the Markdown tables that have `N` columns.
pub fn rows<const N: usize>(text: &'static str) -> Vec<[&'static str; N]> {
    let is_rule = |line: &str| line.starts_with("|--") || line.starts_with("| --");
    let next = text.lines().skip(1).chain([""]);
    let lines = text.lines().zip(next).filter(|(line, next)| !is_rule(line) && !is_rule(next));
    let row = |line: &'static str| line.strip_prefix("| ")?.strip_suffix(" |");
    let cells =
        lines.filter_map(|(line, _)| Some(row(line)?.split(" | ").map(str::trim).collect::<Vec<_>>()));
    cells.filter_map(|cells| cells.try_into().ok()).collect()
}

/// Parses bytes in hexadecimal, such as `"EF BB BF 41"`, with blanks or without.
pub fn hex(text: &str) -> Vec<u8> {
    // Use loops, because the tests of the program are not optimized, and read millions of codes.
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for byte in text.bytes() {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'F' => byte - b'A' + 10,
            b'a'..=b'f' => byte - b'a' + 10,
            _ if byte.is_ascii_whitespace() => continue,
            _ => panic!("not hexadecimal: {text}"),
        };
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    assert!(high.is_none(), "half a byte at the end: {text}");
    bytes
}

/// Formats bytes in hexadecimal, without blanks.
pub fn in_hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 0xF] {
            text.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
        }
    }
    text
}

/// Returns a text in thirteen languages.
pub fn udhr() -> String {
    include_str!("data/udhr.txt").into()
}
