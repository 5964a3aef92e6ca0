//! Names code points by their Name in the Unicode Standard 17.0. A control, which has no Name, has its alias; another
//! code point without a Name has its kind in lower case.

#[cfg(feature = "character-names")]
use unicode_script::{Script, UnicodeScript};

#[cfg(feature = "character-names")]
use crate::ui::controls;
#[cfg(feature = "character-names")]
use utfconv_core::utf8::is_noncharacter;

/// Returns the name of a scalar value; `None` if the program was built without names.
#[cfg(feature = "character-names")]
pub fn name(scalar: char) -> Option<String> {
    if let Some(name) = unicode_names2::name(scalar) {
        return Some(name.collect());
    }
    if let Some((_, long)) = controls::aliases(scalar) {
        return Some(long.to_string());
    }
    let kind = match scalar {
        '\u{17000}'..='\u{187FF}' | '\u{18D00}'..='\u{18D1E}' => {
            return Some(format!("TANGUT IDEOGRAPH-{:X}", u32::from(scalar)));
        }
        _ if is_noncharacter(scalar) => "noncharacter",
        '\u{E000}'..='\u{F8FF}' | '\u{F0000}'.. => "private use",
        // The script data are of Unicode 18, so they include characters without a name in Unicode 17.
        _ if scalar.script() != Script::Unknown => "no name in Unicode 17.0",
        _ => "unassigned",
    };
    Some(kind.to_string())
}

#[cfg(not(feature = "character-names"))]
pub fn name(_: char) -> Option<String> {
    None
}

/// Returns the kind of a code point that is not a scalar value.
pub fn kind(code_point: u32) -> &'static str {
    match code_point {
        ..0xDC00 => "high surrogate",
        0xDC00..0xE000 => "low surrogate",
        _ => "above U+10FFFF",
    }
}
