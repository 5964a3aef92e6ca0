//! Diffs for people: invisible characters are shown as escapes, so that nothing in a file controls the terminal.

use std::fmt::Write;

use utfconv_core::{NormalizationForm, is_printable};

use super::lines::{Hunk, Lines};
use super::names::quoted;
use super::patch::{Change, each, heading};

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";
/// Terminal sequences that start and end reverse video, for the escapes of bytes that cannot be shown.
const REVERSED: [&str; 2] = ["\x1b[7m", "\x1b[27m"];

/// Writes lines, with or without colors.
struct Screen {
    text: String,
    color: bool,
}

impl Screen {
    /// Writes a line in the color `style`.
    fn line(&mut self, style: &str, line: &str) {
        let (start, end) = if self.color && !style.is_empty() { (style, RESET) } else { ("", "") };
        self.text.extend([start, line, end, "\n"]);
    }

    /// Writes the old and the new content of a file.
    fn contents(&mut self, [old_name, new_name]: [&[u8]; 2], [old, new]: [&[u8]; 2]) {
        self.line(BOLD, &format!("--- {}", quoted("a/", old_name, true)));
        self.line(BOLD, &format!("+++ {}", quoted("b/", new_name, true)));
        if old.contains(&0) || new.contains(&0) {
            let text = format!("not shown: not lines of bytes; {} to {} bytes", old.len(), new.len());
            return self.line(CYAN, &text);
        }
        let lines = Lines::compare(old, new);
        for (all, group) in lines.groups() {
            self.line(CYAN, heading(&all).trim_end());
            let shows_marks = group.iter().any(|hunk| is_same_normalized(&lines, hunk));
            each(&lines, &all, group, |sign, line| {
                let (style, shows_marks) = match sign {
                    b'-' => (RED, shows_marks),
                    b'+' => (GREEN, shows_marks),
                    _ => ("", false),
                };
                let text = line.strip_suffix(b"\n");
                let shown = visible(text.unwrap_or(line), shows_marks, self.color);
                self.line(style, &format!("{}{shown}", char::from(sign)));
                if text.is_none() {
                    self.line("", "\\ No newline at end of file");
                }
            });
        }
    }
}

/// Returns the diff of a file that changes.
pub fn content(name: &[u8], change: &Change, color: bool) -> Vec<u8> {
    let mut screen = Screen { text: String::new(), color };
    screen.contents([name, name], [change.old, change.new]);
    screen.text.into_bytes()
}

/// Returns the diff of a file that is renamed, or of a link that gets another target.
pub fn rename(old: &[u8], new: &[u8], targets: Option<[&[u8]; 2]>, color: bool) -> Vec<u8> {
    let mut screen = Screen { text: String::new(), color };
    if old != new {
        screen.line(RED, &format!("rename from {}", quoted("", old, true)));
        screen.line(GREEN, &format!("rename to {}", quoted("", new, true)));
    }
    if let Some(targets) = targets {
        screen.contents([old, new], targets);
    }
    screen.text.into_bytes()
}

/// Whether the lines of a hunk differ only in normalization, so that they look the same.
fn is_same_normalized(lines: &Lines, hunk: &Hunk) -> bool {
    /// Maximum length in bytes of lines that are compared.
    const LONGEST: usize = 1 << 16;
    let text = |lines: &[&[u8]]| {
        let len: usize = lines.iter().map(|line| line.len()).sum();
        let text = (len <= LONGEST).then(|| String::from_utf8(lines.concat()).ok()).flatten()?;
        Some(NormalizationForm::Nfc.normalize(&text).into_owned())
    };
    let (old, new) = (text(&lines.old[hunk.old.clone()]), text(&lines.new[hunk.new.clone()]));
    old.is_some() && old == new
}

/// Returns a line with everything visible: `<EF BB BF>` for a BOM, `<E9>` for a byte that is not UTF-8, `^M` for a
/// control, and `<U+200B>` for other invisible characters. Combining marks are escaped only if `shows_marks`.
fn visible(line: &[u8], shows_marks: bool, color: bool) -> String {
    let mut shown = String::new();
    let [start, end] = if color { REVERSED } else { [""; 2] };
    // Writing to memory cannot fail.
    let mark = |shown: &mut String, what: std::fmt::Arguments| {
        let _ = write!(shown, "{start}{what}{end}");
    };
    for chunk in line.utf8_chunks() {
        for scalar in chunk.valid().chars() {
            match scalar {
                '\t' => shown.push('\t'),
                '\u{FEFF}' => mark(&mut shown, format_args!("<EF BB BF>")),
                '\0'..='\x1F' | '\x7F' => {
                    mark(&mut shown, format_args!("^{}", char::from(scalar as u8 ^ 0x40)));
                }
                _ if is_printable(scalar) || is_mark(scalar) && !shows_marks => shown.push(scalar),
                _ => mark(&mut shown, format_args!("<U+{:04X}>", u32::from(scalar))),
            }
        }
        for byte in chunk.invalid() {
            mark(&mut shown, format_args!("<{byte:02X}>"));
        }
    }
    shown
}

/// Whether a character is visible only in combination with the character before it.
fn is_mark(scalar: char) -> bool {
    let mut buffer = *b"a\0\0\0\0";
    let len = scalar.encode_utf8(&mut buffer[1..]).len();
    // std escapes a combining mark only at the start of a text.
    let text = str::from_utf8(&buffer[..=len]).unwrap_or_default();
    !is_printable(scalar) && text.escape_debug().count() == 2
}
