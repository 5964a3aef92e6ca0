//! Characters that show nothing, and the text that runs of them hide.

use std::iter;

use crate::ui::quote::{character, one_line, shortened};

/// The kind of a character that shows nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Selector,
    Tag,
    Joiner,
    ZeroWidth,
    /// Characters that are hidden text even if alone: interlinear annotations and unassigned characters that show
    /// nothing.
    Annotation,
    PrivateUse,
}

impl Kind {
    /// Returns the kind of a scalar value; `None` if the scalar value is visible.
    pub fn of(scalar: char) -> Option<Kind> {
        Some(match scalar {
            '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => {
                Kind::Selector
            }
            '\u{E0000}'..='\u{E0FFF}' => Kind::Tag,
            '\u{200C}' | '\u{200D}' => Kind::Joiner,
            '\u{FFF0}'..='\u{FFFB}' => Kind::Annotation,
            '\u{F0000}'.. => Kind::PrivateUse,
            '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{180E}'
            | '\u{200B}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{2060}'..='\u{2065}'
            | '\u{206A}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}' => Kind::ZeroWidth,
            _ => return None,
        })
    }

    /// Returns the name of several characters of this kind.
    fn plural(self) -> &'static str {
        match self {
            Kind::Selector => "variation selectors",
            Kind::Tag => "tags",
            Kind::PrivateUse => "private use characters",
            Kind::Joiner | Kind::ZeroWidth | Kind::Annotation => "zero-width characters",
        }
    }
}

/// True if a scalar value shows nothing. Private use characters do not count, because fonts may show them.
pub fn shows_nothing(scalar: char) -> bool {
    Kind::of(scalar).is_some_and(|kind| kind != Kind::PrivateUse)
}

/// Returns the printable ASCII character that a tag stands for.
pub fn tagged(tag: char) -> Option<char> {
    let ascii = u32::from(tag).checked_sub(0xE0000).and_then(char::from_u32)?;
    matches!(ascii, ' '..='~').then_some(ascii)
}

/// Describes a run of characters that show nothing, such as `15 variation selectors`; a single character is named.
pub fn described(run: &str) -> String {
    let mut kinds: Vec<&str> = run.chars().filter_map(Kind::of).map(Kind::plural).collect();
    let count = kinds.len();
    kinds.dedup();
    match (run.chars().next(), &kinds[..]) {
        (Some(scalar), _) if count == 1 => character(scalar),
        (_, [kind]) => format!("{count} {kind}"),
        _ => format!("{count} characters that show nothing"),
    }
}

/// Returns the text that a run hides in tags, in variation selectors or in bits, quoted; `None` if there is no such
/// text. Tags or selectors may have other characters among them.
pub fn payload(run: &str) -> Option<String> {
    let tags: String = run.chars().filter_map(tagged).collect();
    let bytes: Vec<u8> = run.chars().filter_map(selected_byte).collect();
    let is_bit = |scalar: char| matches!(Kind::of(scalar), Some(Kind::ZeroWidth | Kind::Joiner));
    if tags.len() > bytes.len() {
        Some(quoted(tags.as_bytes()))
    } else if bytes.len() > 1 {
        Some(quoted(&bytes))
    } else {
        bits(run).filter(|_| run.chars().all(is_bit)).map(|text| quoted(text.as_bytes()))
    }
}

/// Returns a text in quotation marks. Escapes backslashes, quotation marks and characters that a terminal may act on,
/// and writes bytes that are not UTF-8 as `\xNN`.
fn quoted(text: &[u8]) -> String {
    let chunks = text.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().replace('\\', "\\\\").replace('"', "\\\"");
        let invalid: String = chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")).collect();
        [valid, invalid]
    });
    let shown: String = chunks.collect();
    format!("\"{}\"", one_line(&shortened(&shown)))
}

/// Returns the byte that a variation selector stands for: U+FE00..U+FE0F for 0 to 15, U+E0100..U+E01EF for 16 to 255.
fn selected_byte(selector: char) -> Option<u8> {
    let number = match u32::from(selector) {
        number @ 0xFE00..=0xFE0F => number - 0xFE00,
        number @ 0xE0100..=0xE01EF => number - 0xE0100 + 16,
        _ => return None,
    };
    u8::try_from(number).ok()
}

/// Returns the text that characters of two kinds spell in bits, the most significant bit first. Tries both kinds as the
/// bit 1. If neither text is printable ASCII, returns the bits.
fn bits(run: &str) -> Option<String> {
    let zero = run.chars().next()?;
    let one = run.chars().find(|scalar| *scalar != zero)?;
    if run.chars().any(|scalar| scalar != zero && scalar != one) {
        return None;
    }
    let bits: Vec<u8> = run.chars().map(|scalar| u8::from(scalar == one)).collect();
    let read = |flip: u8| -> String {
        bits.chunks_exact(8)
            .map(|byte| char::from(byte.iter().fold(0, |byte, bit| byte << 1 | (bit ^ flip))))
            .collect()
    };
    let is_text = |text: &String| {
        !text.is_empty() && text.chars().all(|scalar| matches!(scalar, ' '..='~' | '\n' | '\t'))
    };
    let text = iter::once(read(0)).chain([read(1)]).find(is_text);
    Some(text.unwrap_or_else(|| bits.iter().map(|bit| char::from(b'0' + bit)).collect()))
}
