//! What a conversion changes in a file that stays in its encoding, in words.

use std::fs::File;
use std::io;

use utfconv_core::{Encoding, NormalizationForm, Options, UTF_8};

use crate::commands::convert::configured::{self, bom_of};
use crate::commands::convert::plan::ConvertPlan;
use crate::files::ranges::Reading;
use crate::files::stdio::bytes_at;
use crate::text::newline_survey::{End, Survey};
use crate::ui::modes::Declarations;

/// The number of bytes that show a BOM.
const HEAD: usize = 4;

/// Returns the changes in a file that is read as `from` and written again: `BOM removed, newlines to LF`. `new_head`
/// has the first bytes of the new content, which differs from the old content.
pub fn changes(
    plan: &ConvertPlan,
    from: &'static Encoding,
    old: &File,
    new_head: &[u8],
) -> io::Result<String> {
    // A file of unknown encoding may have a BOM of UTF-8.
    let units = if from.code_unit_len() > 1 { from } else { &UTF_8 };
    let boms = (bom_of(&bytes_at(old, 0, HEAD)?, units), bom_of(new_head, units));
    let mut changes: Vec<String> = bom(boms).into_iter().collect();
    let Options { input_bom, ebcdic_newline: newline, normalization, .. } = plan.options;
    let changed = plan.text.newlines;
    let style = configured::newline(plan);
    if style.is_some() || changed.adds_final {
        let survey = Survey::of(old, &Reading { named: from, input_bom, newline }, false)?;
        let style = style.filter(|style| survey.has_others(*style));
        changes.extend(style.map(|style| format!("newlines to {}", style.name())));
        if changed.adds_final && survey.end == End::Text {
            changes.push("final newline added".to_string());
        }
    }
    changes.extend(normalization.map(|form| format!("text in {}", name(form))));
    if plan.text.records.is_some() || changed.records.is_some() {
        changes.push("records".to_string());
    }
    if plan.encodings.declarations == Declarations::Update {
        changes.push("declaration".to_string());
    }
    Ok(if changes.is_empty() { "text".to_string() } else { changes.join(", ") })
}

/// Returns the change from one BOM to another.
fn bom(boms: (Option<&Encoding>, Option<&Encoding>)) -> Option<String> {
    match boms {
        (Some(_), None) => Some("BOM removed".to_string()),
        (None, Some(_)) => Some("BOM added".to_string()),
        (Some(old), Some(new)) if old != new => {
            Some(format!("byte order from {} to {}", old.name(), new.name()))
        }
        _ => None,
    }
}

fn name(form: NormalizationForm) -> &'static str {
    match form {
        NormalizationForm::Nfc => "NFC",
        NormalizationForm::Nfd => "NFD",
        NormalizationForm::Nfkc => "NFKC",
        NormalizationForm::Nfkd => "NFKD",
    }
}
