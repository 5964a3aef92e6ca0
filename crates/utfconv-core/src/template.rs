//! Templates for a number, which are text around at most one directive of printf, as in libiconv's substitution
//! options.

use std::fmt;
use std::str::FromStr;

/// Text with at most one directive of printf, which takes a number.
///
/// ```
/// use utfconv_core::{OnUnmappable, Options, Policy, ScalarEscape, Template, US_ASCII, UTF_8, convert};
///
/// let template: Template = "<U+%04X>".parse()?;
/// let unmappable = OnUnmappable::Escape(ScalarEscape::Template(template));
/// let options = Options::default().policy(Policy::default().unmappable(unmappable));
/// assert_eq!(convert("5 €".as_bytes(), &UTF_8, &US_ASCII, &options)?.output, b"5 <U+20AC>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    before: String,
    directive: Option<Directive>,
    after: String,
}

/// A directive `%[FLAGS][WIDTH][.PRECISION]CONVERSION`, whose conversion takes an unsigned number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Directive {
    left: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    /// Minimum number of digits to write.
    precision: Option<usize>,
    conversion: Conversion,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conversion {
    Octal,
    Decimal,
    LowerHex,
    UpperHex,
}

/// Parses a template, in which `%%` is a percent sign.
///
/// # Errors
/// [`InvalidTemplate`] if there is more than one directive, or if a directive takes no unsigned number.
impl FromStr for Template {
    type Err = InvalidTemplate;
    fn from_str(text: &str) -> Result<Template, InvalidTemplate> {
        let mut template = Template { before: String::new(), directive: None, after: String::new() };
        let mut rest = text;
        while let Some((literal, after)) = rest.split_once('%') {
            template.push(literal);
            if let Some(after) = after.strip_prefix('%') {
                template.push("%");
                rest = after;
                continue;
            }
            if template.directive.is_some() {
                return invalid("there is more than one directive; the template takes one number");
            }
            let (directive, after) = Directive::parse(after)?;
            template.directive = Some(directive);
            rest = after;
        }
        template.push(rest);
        Ok(template)
    }
}

/// Why a text is not a [`Template`].
///
/// ```
/// let error = "%u%u".parse::<utfconv_core::Template>().unwrap_err();
/// assert_eq!(error.to_string(), "there is more than one directive; the template takes one number");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTemplate(String);

impl fmt::Display for InvalidTemplate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidTemplate {}

fn invalid<T>(why: impl Into<String>) -> Result<T, InvalidTemplate> {
    Err(InvalidTemplate(why.into()))
}

impl Template {
    /// Maximum width or precision of a directive, in characters; Rust formats no wider field.
    const WIDEST: usize = u16::MAX as usize;

    fn push(&mut self, literal: &str) {
        let part = if self.directive.is_some() { &mut self.after } else { &mut self.before };
        part.push_str(literal);
    }

    /// Returns the template with `number` in place of the directive.
    pub(crate) fn spell(&self, number: u32) -> String {
        let field = self.directive.map(|directive| directive.field(number)).unwrap_or_default();
        format!("{}{field}{}", self.before, self.after)
    }
}

impl Directive {
    /// Parses a directive after its percent sign. Returns the directive, and the text after it.
    fn parse(text: &str) -> Result<(Directive, &str), InvalidTemplate> {
        let flags_len = text.bytes().take_while(|byte| b"-+ #0'".contains(byte)).count();
        let (flags, rest) = text.split_at(flags_len);
        let (width, rest) = number(rest)?;
        let (precision, rest) = match rest.strip_prefix('.') {
            Some(rest) => number(rest).map(|(digits, rest)| (Some(digits), rest))?,
            None => (None, rest),
        };
        let conversion = match rest.bytes().next() {
            Some(b'o') => Conversion::Octal,
            Some(b'u') => Conversion::Decimal,
            Some(b'x') => Conversion::LowerHex,
            Some(b'X') => Conversion::UpperHex,
            Some(_) => return invalid("a directive of the template has to end with o, u, x or X"),
            None => return invalid("the template ends inside a directive"),
        };
        let directive = Directive {
            left: flags.contains('-'),
            zero: flags.contains('0'),
            alternate: flags.contains('#'),
            width,
            precision,
            conversion,
        };
        Ok((directive, &rest[1..]))
    }

    fn field(self, number: u32) -> String {
        let digits = match self.conversion {
            // As printf does, write no digit for 0 with a precision of 0.
            _ if number == 0 && self.precision == Some(0) => String::new(),
            Conversion::Octal => format!("{number:o}"),
            Conversion::Decimal => format!("{number}"),
            Conversion::LowerHex => format!("{number:x}"),
            Conversion::UpperHex => format!("{number:X}"),
        };
        let prefix = match self.conversion {
            Conversion::LowerHex if self.alternate && number > 0 => "0x",
            Conversion::UpperHex if self.alternate && number > 0 => "0X",
            _ => "",
        };
        let mut least = self.precision.unwrap_or(1);
        if self.alternate && self.conversion == Conversion::Octal && !digits.starts_with('0') {
            least = least.max(digits.len() + 1);
        }
        if self.zero && !self.left && self.precision.is_none() {
            least = least.max(self.width.saturating_sub(prefix.len()));
        }
        let field = format!("{prefix}{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
        if self.left {
            format!("{field:<width$}", width = self.width)
        } else {
            format!("{field:>width$}", width = self.width)
        }
    }
}

/// Parses the number that `text` begins with, or 0 if there is none. Returns the number, and the text after it.
fn number(text: &str) -> Result<(usize, &str), InvalidTemplate> {
    let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
    match digits.parse().unwrap_or(if digits.is_empty() { 0 } else { usize::MAX }) {
        number @ ..=Template::WIDEST => Ok((number, rest)),
        _ => invalid(format!("a field of the template is wider than {} characters", Template::WIDEST)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_spell_as_printf_does() {
        for (template, number, spelled) in [
            ("?", 0xE9, "?"),
            ("<0x%02x>", 0xE9, "<0xe9>"),
            ("<U+%04X>", 0x20AC, "<U+20AC>"),
            ("100%% %u", 7, "100% 7"),
            ("%5u|%-5u", 7, ""),
            ("[%5u]", 7, "[    7]"),
            ("[%-5u]", 7, "[7    ]"),
            ("[%05u]", 7, "[00007]"),
            ("[%#x]", 7, "[0x7]"),
            ("[%#06X]", 7, "[0X0007]"),
            ("[%#o]", 7, "[07]"),
            ("[%6.3u]", 7, "[   007]"),
            ("[%.0u]", 0, "[]"),
            ("%d", 7, ""),
            ("%", 7, ""),
            ("%999999999999999999999u", 7, ""),
        ] {
            match template.parse::<Template>() {
                Ok(parsed) => assert_eq!(parsed.spell(number), spelled, "{template}"),
                Err(_) => assert_eq!("", spelled, "{template}"),
            }
        }
    }
}
