//! Decides from the first bytes of a file whether it is text, binary, or certainly in another encoding than expected.
//! Does not guess among legacy encodings.

use std::ops::Range;

use super::formats::Format;
use super::hints::Hints;
use super::result::Certainty;
use super::wide::wide;
use utfconv_core::is_printable;
use utfconv_core::utf8::{count_bytes, is_cut_sequence, is_noncharacter};
use utfconv_core::utf8_well_formed_up_to;
use utfconv_core::{Encoding, UTF_8, UTF_16, UTF_16BE, UTF_16LE, UTF_32, UTF_32BE, UTF_32LE};

/// Maximum number of bytes that [`sniff`] looks at; git looks for NULs in 8,000 bytes.
pub const HEAD: usize = 8 << 10;

/// The result of [`sniff`] for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniffed {
    /// The file may be text in the expected encoding.
    Text,
    /// The file is binary.
    Binary {
        /// Offset of the byte that shows that the file is binary.
        at: usize,
        /// Why the file is binary.
        why: Binary,
    },
    /// The file is in another encoding than expected.
    Looks {
        /// The encoding that the file is in.
        like: &'static Encoding,
        /// The length of the BOM in bytes; 0 if there is none.
        bom: usize,
    },
}

/// Why a file is binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Binary {
    /// A byte is NUL, and the file is not text with wider code units.
    Nul,
    /// The file is not UTF-8, has this many controls that text does not have, and is not text with wider code units.
    Controls(usize),
    /// The file has a known format. [`Sniffed::Binary::at`] is then 0, or for formats with an encoding of their own the
    /// offset of the first non-ASCII byte.
    Format(Format),
}

/// Bytes or characters are few if at most one in this many is of a kind, and many otherwise. Also the number of code
/// units from which NULs make UTF-16 or UTF-32 certain.
pub(super) const FEW: usize = 32;

/// The encodings of wider code units, with their BOMs. If a BOM begins with another BOM, the longer BOM comes first.
static WIDE: [(&Encoding, &[u8]); 4] = [
    (&UTF_32LE, &[0xFF, 0xFE, 0x00, 0x00]),
    (&UTF_32BE, &[0x00, 0x00, 0xFE, 0xFF]),
    (&UTF_16LE, &[0xFF, 0xFE]),
    (&UTF_16BE, &[0xFE, 0xFF]),
];

/// Looks at the first bytes of a file that is expected to be in `encoding`. At most [`HEAD`] bytes are used.
///
/// ```
/// use utfconv_detect::{Sniffed, sniff};
/// use utfconv_core::{UTF_8, UTF_16LE};
///
/// assert_eq!(sniff(b"caf\xE9\n", &UTF_8), Sniffed::Text);
/// assert_eq!(sniff(b"\xFF\xFEH\0i\0", &UTF_8), Sniffed::Looks { like: &UTF_16LE, bom: 2 });
/// assert!(matches!(sniff(b"\x7FELF\x02\x01\x01\0", &UTF_8), Sniffed::Binary { .. }));
/// ```
pub fn sniff(head: &[u8], encoding: &Encoding) -> Sniffed {
    let head = &head[..head.len().min(HEAD)];
    let by_bytes = sniff_bytes(head, encoding);
    match by_bytes {
        // A file may be text in UTF-16 with NULs in its newlines only, or without any NUL.
        Sniffed::Binary { why: Binary::Nul | Binary::Controls(_), .. } => wide(head, &Hints::default())
            .filter(|found| found.certainty >= Certainty::Likely)
            .and_then(|found| found.encoding)
            .map_or(by_bytes, |like| Sniffed::Looks { like, bom: 0 }),
        _ => by_bytes,
    }
}

/// Does what [`sniff`] does, without comparing languages.
pub(super) fn sniff_bytes(head: &[u8], encoding: &Encoding) -> Sniffed {
    if let Some(binary) = by_format(head) {
        return binary;
    }
    let nul = memchr::memchr(0, head);
    if encoding.code_unit_len() > 1 {
        return match nul {
            None if is_plainly_utf8(head) => Sniffed::Looks { like: &UTF_8, bom: 0 },
            _ => Sniffed::Text,
        };
    }
    for (like, bom) in WIDE {
        if head.strip_prefix(bom).is_some_and(|text| is_text_after_bom(text, like)) {
            return Sniffed::Looks { like, bom: bom.len() };
        }
    }
    let Some(nul) = nul else {
        return if encoding.is_ebcdic() { Sniffed::Text } else { by_controls(head) };
    };
    let binary = Sniffed::Binary { at: nul, why: Binary::Nul };
    if is_narrow(head) {
        return binary;
    }
    let best = WIDE
        .iter()
        .filter_map(|(like, _)| {
            // The NULs of UTF-32 are enough evidence; UTF-16 has to have ASCII characters too.
            let ascii = looks_wide(head, like).filter(|ascii| *ascii > 0 || like.code_unit_len() == 4)?;
            Some((ascii, *like))
        })
        .max_by_key(|(ascii, _)| *ascii);
    match best {
        Some((_, like)) if head.len() >= 2 * like.code_unit_len() => Sniffed::Looks { like, bom: 0 },
        _ => binary,
    }
}

/// Returns the result for a file that is binary by its format.
fn by_format(head: &[u8]) -> Option<Sniffed> {
    let format = Format::of(head)?;
    let at = match format {
        Format::Binary(_) => 0,
        Format::OwnEncoding(_) => head.iter().position(|byte| !byte.is_ascii())?,
    };
    Some(Sniffed::Binary { at, why: Binary::Format(format) })
}

/// Returns the result for bytes without a NUL, which are binary if they are not UTF-8 and have many controls.
fn by_controls(head: &[u8]) -> Sniffed {
    let odd = count_bytes(head, is_odd);
    if odd == 0 {
        return Sniffed::Text;
    }
    let is_binary = !are_few(odd, head.len())
        && !is_well_formed_so_far(head)
        && !is_nearly_ascii(head)
        && !may_be_ebcdic(head);
    match head.iter().position(|byte| is_odd(*byte)) {
        Some(at) if is_binary => Sniffed::Binary { at, why: Binary::Controls(odd) },
        _ => Sniffed::Text,
    }
}

/// Whether a text of `all` bytes or characters has few of a kind.
pub(super) fn are_few(some: usize, all: usize) -> bool {
    FEW * some <= all
}

/// Whether nearly all bytes are ASCII and the controls are all the same, as in text that uses a control as a separator
/// or a quote.
fn is_nearly_ascii(head: &[u8]) -> bool {
    let others = count_bytes(head, |byte| !is_ascii_text(byte.into()) && !is_odd(byte));
    let first = head.iter().find(|byte| is_odd(**byte));
    8 * others <= head.len() && head.iter().all(|byte| !is_odd(*byte) || Some(byte) == first)
}

/// Whether a byte is a control that text does not have, which is any except BS, TAB, LF, VT, FF, CR, SUB and ESC.
pub(super) fn is_odd(byte: u8) -> bool {
    matches!(byte, 0..=7 | 0x0E..=0x19 | 0x1C..=0x1F)
}

/// Whether `bytes` are well-formed UTF-8, except for an incomplete sequence at the end.
fn is_well_formed_so_far(bytes: &[u8]) -> bool {
    let rest = &bytes[utf8_well_formed_up_to(bytes)..];
    rest.is_empty() || is_cut_sequence(rest)
}

/// Whether `head`, which is expected to have wider code units, is UTF-8 with much ASCII. As wider code units, a line
/// feed or space would contain a NUL.
fn is_plainly_utf8(head: &[u8]) -> bool {
    let ascii = head.iter().filter(|byte| byte.is_ascii()).count();
    head.len() >= 16 && is_well_formed_so_far(head) && 2 * ascii >= head.len()
}

/// Whether `head` is text of single bytes with a few NULs, which would be rare characters as wider code units. Either
/// the text is UTF-8 without other controls (in UTF-16, half of the bytes of most alphabets are controls), or nearly
/// half of its bytes are ASCII spaces and small letters, more than UTF-16 has in any script.
fn is_narrow(head: &[u8]) -> bool {
    let nuls = count_bytes(head, |byte| byte == 0);
    let letters = count_bytes(head, |byte| byte == b' ' || byte.is_ascii_lowercase());
    let controls = count_bytes(head, |byte| matches!(byte, 1..=8 | 0x0E..=0x1F));
    let is_utf8 = controls == 0 && is_well_formed_so_far(head);
    4 * nuls < head.len() && (is_utf8 || 20 * letters >= 9 * (head.len() - nuls))
}

/// Returns the number of ASCII characters in `text`, if `text` is well-formed in an encoding of wider code units and
/// reads as text.
fn looks_wide(text: &[u8], encoding: &Encoding) -> Option<usize> {
    let (mut scalars, mut ascii) = (0, 0);
    // Nearly all binary files fail here within a few code units.
    each_scalar(text, encoding, |scalar| {
        scalars += 1;
        ascii += usize::from(is_ascii_text(scalar));
        is_of_text(scalar)
    })?;
    // A few code units of a binary file may pass for rare characters, so short text has to be mostly ASCII.
    let is_short = scalars < 2 * FEW && encoding.code_unit_len() == 2;
    if 4 * ascii >= 3 * scalars || 2 * ascii >= scalars && !is_short {
        return Some(ascii);
    }
    if is_short {
        return None;
    }
    let (mut known, mut odd, mut before) = (0, 0, '\0');
    each_scalar(text, encoding, |scalar| {
        // A combining mark follows a character of its own script, which is in the same 128 code points.
        let is_mark = || u32::from(scalar) >> 7 == u32::from(before) >> 7 && is_visible(scalar);
        let is_known =
            scalar.is_alphanumeric() || scalar.is_whitespace() || is_printable(scalar) || is_mark();
        before = scalar;
        *(if is_known { &mut known } else { &mut odd }) += 1;
        true
    })?;
    are_few(odd, known + odd).then_some(ascii)
}

/// Returns the encoding scheme for a text with the code units of `like`. If the text has a BOM (`bom` is not 0), this
/// is the scheme that removes the BOM.
pub fn scheme(like: &'static Encoding, bom: usize) -> &'static Encoding {
    match (bom, like.code_unit_len()) {
        (1.., 4) => &UTF_32,
        (1.., 2) => &UTF_16,
        _ => like,
    }
}

/// Whether the first bytes of a text rule `encoding` out, by where spaces and newlines would be. Only UTF-16 without a
/// BOM, EBCDIC, and single-byte encodings with ASCII are ruled out, because only there the test is certain.
pub fn is_no_text_in(head: &[u8], encoding: &Encoding) -> bool {
    match encoding.code_unit_len() {
        1 if encoding.is_ebcdic() => has_blanks(head, ASCII_BLANKS, EBCDIC_BLANKS),
        1 => encoding.is_ascii_compatible() && may_be_ebcdic(head),
        2 => is_no_utf16(head, encoding),
        _ => false,
    }
}

/// The space and the newline of ASCII.
const ASCII_BLANKS: [u8; 2] = *b" \n";
/// The space and the newlines of EBCDIC.
const EBCDIC_BLANKS: [u8; 3] = [0x15, 0x25, 0x40];

/// Whether a file may be EBCDIC, by its spaces and newlines. Nearly all other bytes of EBCDIC text are above the space
/// (40), where the letters, digits and punctuation are.
pub(super) fn may_be_ebcdic(head: &[u8]) -> bool {
    let others =
        || count_bytes(head, |byte| byte < 0x40 && !matches!(byte, 0x05 | 0x0C | 0x0D | 0x15 | 0x25));
    has_blanks(head, EBCDIC_BLANKS, ASCII_BLANKS) && are_few(others(), head.len())
}

/// Whether a text has as many of the bytes `blanks` as text usually has, and few of the bytes `others`.
fn has_blanks<const N: usize, const M: usize>(head: &[u8], blanks: [u8; N], others: [u8; M]) -> bool {
    let blanks = count_bytes(head, |byte| blanks.contains(&byte));
    let others = || count_bytes(head, |byte| others.contains(&byte));
    head.len() >= 8 && !are_few(blanks, head.len()) && 8 * others() <= blanks
}

/// Whether the first bytes of a text rule UTF-16 out. They have no BOM and no ASCII, not even a newline, and decode as
/// UTF-16 to characters that only text of single bytes gives, because spaces, newlines, punctuation and accented
/// capitals become rare signs or unassigned characters, and ASCII becomes rare ideographs.
fn is_no_utf16(head: &[u8], encoding: &Encoding) -> bool {
    if head.is_empty() || head.contains(&0) || Encoding::for_bom(head).is_some() {
        return false;
    }
    if head.iter().all(|byte| is_ascii_text(char::from(*byte))) {
        let is_kana = |scalar: char| matches!(scalar, '\u{3000}'..='\u{30FF}');
        let is_plausible = || {
            wide(head, &Hints::default())
                .is_some_and(|found| found.encoding.is_some_and(|read| encoding.includes_scheme(read)))
        };
        return each_scalar(&head[..head.len() & !1], encoding, |scalar| !is_kana(scalar)).is_some()
            && !is_plausible();
    }
    let may_be = |scalar: char| {
        !matches!(
            u32::from(scalar),
            0x0A00..=0x0AFF | 0x0D00..=0x0DFF | 0x2000..=0x200F | 0x2027..=0x20FF | 0x2C00..=0x2DFF | 0xE000..=0xF8FF
        )
    };
    each_scalar(&head[..head.len() & !1], encoding, may_be).is_none()
}

/// Returns a phrase that says which bytes are ASCII in a part of a text in UTF-16. `offset` is the position of the
/// part.
pub fn partly_ascii(part: &[u8], offset: u64, encoding: &Encoding) -> Option<String> {
    let Range { start, end } = ascii_stretch(part, encoding)?;
    Some(format!("bytes {} to {} are ASCII", offset + start as u64, offset + end as u64 - 1))
}

/// Returns the range of bytes of the first stretch of ASCII in a part of a text in UTF-16. A file has such a stretch if
/// a program appended UTF-16 to it, or text in another encoding to UTF-16.
fn ascii_stretch(head: &[u8], encoding: &Encoding) -> Option<Range<usize>> {
    /// Minimum length of a stretch in code units, because a few ideographs may consist of two bytes that are ASCII.
    const LEAST: usize = 6;
    /// U+0A0D, which is unassigned: CR LF of ASCII read as UTF-16LE, or LF CR, of an empty line, read as UTF-16BE.
    const CRLF: u16 = 0x0A0D;
    if encoding.code_unit_len() != 2 {
        return None;
    }
    let (units, _) = head.as_chunks();
    let is_ascii = |unit: &[u8; 2]| unit.iter().all(|byte| is_ascii_text(char::from(*byte)));
    // Characters of Indic scripts have the byte of a control, such as 09, so only units without controls are evidence.
    let is_evident = |unit: &&[u8; 2]| unit.iter().all(|byte| *byte >= b' ');
    let is_little = encoding != &UTF_16BE && !head.starts_with(b"\xFE\xFF");
    let value =
        |unit: &[u8; 2]| if is_little { u16::from_le_bytes(*unit) } else { u16::from_be_bytes(*unit) };
    let is_kana = |unit: &[u8; 2]| matches!(value(unit), 0x3040..=0x30FF);
    let is_other =
        |unit: &&[u8; 2]| if is_ascii(unit) { is_kana(unit) } else { matches!(value(unit), 0x2E80..=0xD7A3) };
    // Most ideographs have a non-ASCII byte. Kana have the byte 30, an ASCII digit.
    let others = units.iter().filter(is_other).count();
    let (mut first, mut proven, mut doubtful, mut at) = (None, None, 0, 0);
    for run in units.chunk_by(|one, next| is_ascii(one) == is_ascii(next)) {
        let range = 2 * at..2 * (at + run.len());
        let has_crlf = run.iter().any(|unit| value(unit) == CRLF);
        if is_ascii(&run[0]) && (has_crlf || run.iter().filter(is_evident).count() >= LEAST) {
            doubtful += run.len();
            proven = proven.or_else(|| has_crlf.then(|| range.clone()));
            first = first.or(Some(range));
        }
        at += run.len();
    }
    first.filter(|_| doubtful > 2 * others).or(proven)
}

/// Calls `takes` with each scalar value of `text`. Returns `None` if `takes` returns false or `text` is ill-formed.
fn each_scalar(text: &[u8], encoding: &Encoding, mut takes: impl FnMut(char) -> bool) -> Option<()> {
    each_character(text, encoding, |character| character.is_some_and(&mut takes))
}

/// Calls `takes` with each scalar value of `text`, and with `None` for each ill-formed code unit. Returns `None` if
/// `takes` returns false.
fn each_character(
    text: &[u8],
    encoding: &Encoding,
    mut takes: impl FnMut(Option<char>) -> bool,
) -> Option<()> {
    let is_big = encoding == &UTF_16BE || encoding == &UTF_32BE;
    if encoding.code_unit_len() == 4 {
        let units = text.as_chunks().0.iter();
        let mut scalars =
            units.map(|unit| if is_big { u32::from_be_bytes(*unit) } else { u32::from_le_bytes(*unit) });
        return scalars.all(|unit| takes(char::from_u32(unit))).then_some(());
    }
    let units = text.as_chunks().0.iter();
    let units = units.map(|unit| if is_big { u16::from_be_bytes(*unit) } else { u16::from_le_bytes(*unit) });
    let mut decoded = char::decode_utf16(units).peekable();
    while let Some(scalar) = decoded.next() {
        // The end of `text` may split a surrogate pair.
        let is_cut = scalar.as_ref().is_err_and(|error| error.unpaired_surrogate() < 0xDC00);
        if !(is_cut && decoded.peek().is_none() || takes(scalar.ok())) {
            return None;
        }
    }
    Some(())
}

fn is_ascii_text(scalar: char) -> bool {
    matches!(scalar, '\t' | '\n' | '\x0C' | '\r' | ' '..='~')
}

/// Whether a terminal shows `scalar` after a letter, perhaps as a combining mark.
fn is_visible(scalar: char) -> bool {
    // `str::escape_debug` escapes a combining mark only at the start of a string.
    let mut word = [b'a'; 1 + 4];
    let len = 1 + scalar.encode_utf8(&mut word[1..]).len();
    is_printable(scalar) || str::from_utf8(&word[..len]).is_ok_and(|word| word.escape_debug().count() == 2)
}

/// Whether text can have this character. Text has no noncharacters, no DEL, no C1 controls, and none of the controls
/// that are odd ([`is_odd`]).
fn is_of_text(scalar: char) -> bool {
    let is_odd_control = |byte| is_odd(byte) || matches!(byte, 0x7F..=0x9F);
    !is_noncharacter(scalar) && !u8::try_from(scalar).is_ok_and(is_odd_control)
}

/// Whether `text`, which follows a BOM, is text: text can have each of its characters ([`is_of_text`]), or at most
/// one in [`FEW`] is ill-formed, invisible, or a character that text cannot have.
fn is_text_after_bom(text: &[u8], encoding: &Encoding) -> bool {
    if each_scalar(text, encoding, is_of_text).is_some() {
        return true;
    }
    let is_text = |scalar: char| is_of_text(scalar) && (scalar.is_control() || is_visible(scalar));
    let (mut odd, mut all) = (0, 0);
    each_character(text, encoding, |character| {
        (odd, all) = (odd + usize::from(!character.is_some_and(is_text)), all + 1);
        true
    });
    are_few(odd, all)
}

/// Whether `head`, the beginning of a file or all of it, is printable text in an encoding of wider code units.
pub(super) fn is_text(head: &[u8], encoding: &Encoding) -> bool {
    let is_whole = head.len().is_multiple_of(encoding.code_unit_len()) || head.len() == HEAD;
    let is_of_text = |scalar| is_ascii_text(scalar) || is_of_text(scalar) && is_visible(scalar);
    is_whole && each_scalar(head, encoding, is_of_text).is_some()
}

/// With at least this many sequences per error, a text is likely UTF-8 with errors. Text in other encodings has less
/// than one sequence per error by chance. Also, a text mixes encodings if one distinct word in this many is UTF-8, or
/// if it has this many sequences before the first error.
pub(super) const SEQUENCES_PER_ERROR: u64 = 10;

/// Whether `head` is ill-formed UTF-8 with at least ten sequences per error. Text of single bytes has fewer by chance.
pub fn is_mostly_utf8(head: &[u8]) -> bool {
    let (mut sequences, mut faults) = (0_u64, 0_u64);
    for chunk in head.utf8_chunks() {
        sequences += chunk.valid().chars().filter(|scalar| !scalar.is_ascii()).count() as u64;
        faults += u64::from(!chunk.invalid().is_empty());
    }
    // An incomplete sequence at the end counts as one error.
    faults > 0 && sequences >= SEQUENCES_PER_ERROR * faults
}

/// Whether `head`, which is expected to have single bytes, is probably in `encoding`, which has wider code units: it
/// has controls that text does not have, and is well-formed in `encoding`.
pub fn may_be_wide(head: &[u8], encoding: &Encoding) -> bool {
    let has_odd = head.iter().any(|byte| is_odd(*byte) || *byte == 8);
    let mut orders = WIDE.iter().filter(|(wide, _)| encoding.includes_scheme(wide));
    has_odd
        && head.len().is_multiple_of(encoding.code_unit_len())
        && orders.any(|(order, _)| each_scalar(head, order, |_| true).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;
    use utfconv_core::ISO_8859_1;
    use utfconv_core::Options;
    use utfconv_core::UTF_16;
    use utfconv_core::convert;

    fn encoded(text: &str, to: &'static Encoding) -> Vec<u8> {
        convert(text.as_bytes(), &UTF_8, to, &Options::default()).expect("converts").output
    }

    #[test]
    fn wide_text_is_known_with_and_without_a_bom() {
        let chinese = "统一码联盟是一个非营利机构，它协调并统一各种计算机编码。\n".repeat(4);
        let others = [
            "Съешь ещё этих мягких французских булок, да выпей чаю.\n",
            "いろはにほへと ちりぬるを わかよたれそ つねならむ。\n",
            "다람쥐 헌 쳇바퀴에 타고파. 키스의 고유조건은.\n",
            "mixed 统一码 with 联盟是一个 some 非营利机构 words\n",
            "हिन्दी भारत की राजभाषा है।\nदिल्ली भारत की राजधानी है।\n",
            "กรุงเทพเป็นเมืองหลวงที่ใหญ่ที่สุดของประเทศไทย\n",
            // There is no ASCII, and U+3002 has a control as a byte.
            "中国位于亚洲东部，首都是北京。人口众多，历史悠久。",
        ]
        .map(|text| text.repeat(4));
        // Terminals write escape sequences, and word processors vertical tabs.
        let controls = "\x1B[32mok\x1B[0m first line\x0Bsecond line\n";
        let short = ["A\n", "Hello, world\r\n", "key=wert\u{E4}\n", &chinese, "😀 smile 😀\n", controls];
        for text in short.into_iter().chain(others.iter().map(String::as_str)) {
            for (like, bom) in WIDE {
                let plain = encoded(text, like);
                assert_eq!(sniff(&plain, &UTF_8), Sniffed::Looks { like, bom: 0 }, "{text} {like:?}");
                let signed = [bom, &plain].concat();
                let looks = Sniffed::Looks { like, bom: bom.len() };
                assert_eq!(sniff(&signed, &UTF_8), looks, "{text} {like:?}");
                assert_eq!(sniff(&signed, &ISO_8859_1), looks);
                assert_eq!(sniff(&plain, like), Sniffed::Text);
            }
        }
    }

    /// A BOM is evidence for text with a few other controls, such as the separators of message catalogs.
    #[test]
    fn a_few_controls_after_a_bom_are_text() {
        for control in ["\0", "\x04", "\u{85}", "\u{FFFF}"] {
            for (like, bom) in WIDE {
                let looks = |text: &str| sniff(&[bom, &encoded(text, like)].concat(), &UTF_8);
                let rare = format!("menu{control}The text of a message, which is long enough.\n");
                assert_eq!(looks(&rare), Sniffed::Looks { like, bom: bom.len() }, "{control:?} {like:?}");
                let frequent = format!("a{control}b\n").repeat(20);
                assert!(matches!(looks(&frequent), Sniffed::Binary { .. }), "{control:?} {like:?}");
            }
        }
    }

    /// A program that cuts text at a number of code units leaves lone surrogates.
    #[test]
    fn a_lone_surrogate_after_a_bom_is_in_text() {
        let text = |count: usize| {
            [&encoded(&"some text; ".repeat(4), &UTF_16LE)[..], b"\x3D\xD8"].concat().repeat(count)
        };
        let looks = Sniffed::Looks { like: &UTF_16LE, bom: 2 };
        assert_eq!(sniff(&[b"\xFF\xFE", &text(9)[..]].concat(), &UTF_8), looks);
        let mut random = Random(7);
        for _ in 0..200 {
            let noise: Vec<u8> = (0..HEAD).map(|_| random.below(256) as u8).collect();
            let sniffed = sniff(&[b"\xFF\xFE", &noise[..]].concat(), &UTF_8);
            assert!(matches!(sniffed, Sniffed::Binary { .. }), "{sniffed:?}");
        }
    }

    #[test]
    fn binary_is_not_taken_for_text() {
        let pairs = [&b"\0A"[..], &b"abcdefgh".repeat(16)].concat();
        let english = [&b"\0"[..], &b"Some text.\nAnd more of it\xFF, with a comma.\n".repeat(16)].concat();
        let russian = ["\0А".as_bytes(), "Съешь ещё этих мягких булок".repeat(9).as_bytes()].concat();
        for (head, nul) in [
            (&b"a\0"[..], 1),
            (b"a\0b\n", 1),
            (b"a\0\x01\x02", 1),
            (b"\0", 0),
            (b"some text\0some more", 9),
            (b"\0\0\0\0\0\0\0\0", 0),
            (b"\x01\0\x02\0\x03\0\x04\0", 1),
            (b"\x41\0\0\xD8\x41\0\x41\0", 1),
            (b"caf\xC3\xA9\0x", 5),
            (&pairs, 0),
            (&english, 0),
            (&russian, 0),
        ] {
            assert_eq!(sniff(head, &UTF_8), Sniffed::Binary { at: nul, why: Binary::Nul }, "{head:02X?}");
        }
        for (head, at, why) in [
            (&b"\xFF\xFE\x07\x01\xFF\xFF"[..], 2, Binary::Controls(2)),
            (b"\x7FELF\x02\x01\x01\0\0\0\0\0", 0, Binary::Format(Format::Binary("an ELF executable"))),
            (b"%PDF-1.4\n", 0, Binary::Format(Format::Binary("a PDF document"))),
            (
                b"{\\rtf1\\ansi\\ansicpg1252 caf\xE9}",
                27,
                Binary::Format(Format::OwnEncoding("an RTF document")),
            ),
        ] {
            assert_eq!(sniff(head, &UTF_8), Sniffed::Binary { at, why }, "{head:02X?}");
        }
        for head in [&b""[..], b"a", b"caf\xE9", "\u{FEFF}a".as_bytes(), b"{\\rtf1\\ansi caf\\'e9}"] {
            assert_eq!(sniff(head, &UTF_8), Sniffed::Text, "{head:02X?}");
        }
    }

    #[test]
    fn single_bytes_are_not_taken_for_wide_units() {
        let looks = Sniffed::Looks { like: &UTF_8, bom: 0 };
        assert_eq!(sniff("charset = größe\n".as_bytes(), &UTF_16LE), looks);
        assert_eq!(sniff(b"0123456789ABCDEF", &UTF_16), looks);
        // This text is too short to decide.
        assert_eq!(sniff(b"0123456789", &UTF_16LE), Sniffed::Text);
        assert_eq!(sniff(&encoded("统一码联盟是一个非营利机构", &UTF_16LE), &UTF_16LE), Sniffed::Text);
    }
}
