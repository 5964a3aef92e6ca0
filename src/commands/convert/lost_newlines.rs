//! Newlines of EBCDIC that would become U+0085, which few programs take for newlines.

use std::ffi::OsStr;

use utfconv_core::{EbcdicNewline, Encoding};

use crate::commands::convert::plan::ConvertPlan;
use crate::ui::quote::as_argument;

/// Newline bytes of an EBCDIC file in which some newlines become U+0085.
#[derive(Clone, Copy)]
pub enum LostNewlines {
    In15,
    In25,
    Both,
}

impl LostNewlines {
    /// Returns the newlines of a file that begins with `head`, if some become U+0085 and no option requests U+0085.
    pub fn of(plan: &ConvertPlan, head: &[u8], from: &Encoding, to: &Encoding) -> Option<LostNewlines> {
        if plan.text.records.is_some() || !from.is_ebcdic() || to.is_ebcdic() {
            return None;
        }
        let (lost, kept, all) = match plan.options.ebcdic_newline {
            EbcdicNewline::Nel if plan.encodings.ebcdic_newline.is_some() => return None,
            EbcdicNewline::Nel => (0x15, 0x25, LostNewlines::In15),
            EbcdicNewline::Lf => (0x25, 0x15, LostNewlines::In25),
        };
        head.contains(&lost).then(|| if head.contains(&kept) { LostNewlines::Both } else { all })
    }

    /// Returns the warning, with the option that helps.
    pub fn warning(self) -> &'static str {
        match self {
            LostNewlines::In15 => {
                "its lines end with byte 15 (hex), which becomes U+0085 (NEL); use --ebcdic-newline=lf for line feeds"
            }
            LostNewlines::In25 => {
                "its lines end with byte 25 (hex), which becomes U+0085 (NEL); leave out --ebcdic-newline=lf"
            }
            LostNewlines::Both => {
                "it has both newlines, bytes 15 and 25 (hex), and one of them becomes U+0085 (NEL)"
            }
        }
    }

    /// Returns the reason why the file `name` is not converted in place, with the command that helps.
    pub fn refusal(self, name: &OsStr, from: &Encoding, to: &Encoding) -> String {
        let (file, convert) = (as_argument(name), format!("utfconv -i -f {} -t {}", from.name(), to.name()));
        match self {
            LostNewlines::In15 => format!(
                "its lines end with byte 15 (hex), which would become U+0085 (NEL); use '{convert} --ebcdic-newline=lf \
                 {file}' for line feeds, or --ebcdic-newline=nel for U+0085"
            ),
            LostNewlines::In25 => format!(
                "its lines end with byte 25 (hex), which would become U+0085 (NEL); use '{convert} {file}' for line feeds, \
                 or --force for U+0085"
            ),
            LostNewlines::Both => format!("{}; use --force to convert it so", self.warning()),
        }
    }
}
