//! The names of control characters. The Unicode Standard gives them no Name, but a short and a long alias
//! (NameAliases.txt).

/// The aliases of the controls up to U+001F, followed by those from U+007F on.
const ALIASES: [(&str, &str); 65] = [
    ("NUL", "NULL"),
    ("SOH", "START OF HEADING"),
    ("STX", "START OF TEXT"),
    ("ETX", "END OF TEXT"),
    ("EOT", "END OF TRANSMISSION"),
    ("ENQ", "ENQUIRY"),
    ("ACK", "ACKNOWLEDGE"),
    ("BEL", "ALERT"),
    ("BS", "BACKSPACE"),
    ("TAB", "CHARACTER TABULATION"),
    ("LF", "LINE FEED"),
    ("VT", "LINE TABULATION"),
    ("FF", "FORM FEED"),
    ("CR", "CARRIAGE RETURN"),
    ("SO", "SHIFT OUT"),
    ("SI", "SHIFT IN"),
    ("DLE", "DATA LINK ESCAPE"),
    ("DC1", "DEVICE CONTROL ONE"),
    ("DC2", "DEVICE CONTROL TWO"),
    ("DC3", "DEVICE CONTROL THREE"),
    ("DC4", "DEVICE CONTROL FOUR"),
    ("NAK", "NEGATIVE ACKNOWLEDGE"),
    ("SYN", "SYNCHRONOUS IDLE"),
    ("ETB", "END OF TRANSMISSION BLOCK"),
    ("CAN", "CANCEL"),
    ("EM", "END OF MEDIUM"),
    ("SUB", "SUBSTITUTE"),
    ("ESC", "ESCAPE"),
    ("FS", "INFORMATION SEPARATOR FOUR"),
    ("GS", "INFORMATION SEPARATOR THREE"),
    ("RS", "INFORMATION SEPARATOR TWO"),
    ("US", "INFORMATION SEPARATOR ONE"),
    ("DEL", "DELETE"),
    ("PAD", "PADDING CHARACTER"),
    ("HOP", "HIGH OCTET PRESET"),
    ("BPH", "BREAK PERMITTED HERE"),
    ("NBH", "NO BREAK HERE"),
    ("IND", "INDEX"),
    ("NEL", "NEXT LINE"),
    ("SSA", "START OF SELECTED AREA"),
    ("ESA", "END OF SELECTED AREA"),
    ("HTS", "CHARACTER TABULATION SET"),
    ("HTJ", "CHARACTER TABULATION WITH JUSTIFICATION"),
    ("VTS", "LINE TABULATION SET"),
    ("PLD", "PARTIAL LINE FORWARD"),
    ("PLU", "PARTIAL LINE BACKWARD"),
    ("RI", "REVERSE LINE FEED"),
    ("SS2", "SINGLE SHIFT TWO"),
    ("SS3", "SINGLE SHIFT THREE"),
    ("DCS", "DEVICE CONTROL STRING"),
    ("PU1", "PRIVATE USE ONE"),
    ("PU2", "PRIVATE USE TWO"),
    ("STS", "SET TRANSMIT STATE"),
    ("CCH", "CANCEL CHARACTER"),
    ("MW", "MESSAGE WAITING"),
    ("SPA", "START OF GUARDED AREA"),
    ("EPA", "END OF GUARDED AREA"),
    ("SOS", "START OF STRING"),
    ("SGC", "SINGLE GRAPHIC CHARACTER INTRODUCER"),
    ("SCI", "SINGLE CHARACTER INTRODUCER"),
    ("CSI", "CONTROL SEQUENCE INTRODUCER"),
    ("ST", "STRING TERMINATOR"),
    ("OSC", "OPERATING SYSTEM COMMAND"),
    ("PM", "PRIVACY MESSAGE"),
    ("APC", "APPLICATION PROGRAM COMMAND"),
];

/// Returns the short and the long alias of a control character, such as `LF` and `LINE FEED`.
pub fn aliases(scalar: char) -> Option<(&'static str, &'static str)> {
    let at = match u32::from(scalar) {
        code @ 0..0x20 => code,
        code @ 0x7F..0xA0 => code - 0x7F + 0x20,
        _ => return None,
    };
    Some(ALIASES[at as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "character-names")]
    #[test]
    fn they_are_aliases_of_these_controls() {
        for scalar in ('\0'..='\u{10FFFF}').filter(|scalar| scalar.is_control()) {
            let (short, long) = aliases(scalar).expect("every control has them");
            assert_eq!(unicode_names2::character(short), Some(scalar), "{short}");
            assert_eq!(unicode_names2::character(long), Some(scalar), "{long}");
        }
    }

    #[test]
    fn nothing_else_is_a_control() {
        for scalar in '\0'..='\u{10FFFF}' {
            assert_eq!(aliases(scalar).is_some(), scalar.is_control(), "{scalar:?}");
        }
    }
}
