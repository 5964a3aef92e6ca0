//! Refuses BOM options that contradict the input encoding, and gives advice on notices about BOMs.

use anyhow::{Result, ensure};
use utfconv_core::{Encoding, InputBom, Notice};
use utfconv_detect::scheme;

/// Refuses a BOM policy that contradicts the input encoding.
pub fn refuse_input(from: &Encoding, input_bom: InputBom) -> Result<()> {
    let (name, has_bom) = (from.name(), from.can_carry_bom());
    ensure!(input_bom != InputBom::Require || has_bom, "--input-bom=require: {name} has no BOM");
    let looks_for_bom = matches!(input_bom, InputBom::Strip | InputBom::Forbid | InputBom::Require);
    ensure!(
        !(looks_for_bom && has_bom && from.is_stateful()),
        "--input-bom: BOMs of {name} are not recognized; use auto, keep or text"
    );
    Ok(())
}

/// Advice to remove U+FEFF from the start of a text in a stateful encoding, where --input-bom=strip has no effect.
pub const IN_TWO_STEPS: &str = "; to remove it, convert to UTF-8, and that with --input-bom=strip";

/// Returns the advice that follows a notice.
pub fn advice_on(notice: &Notice) -> String {
    match notice {
        Notice::OtherBom { bom_of, .. } => format!("; use -f {}", scheme(bom_of, 1).name()),
        Notice::OtherByteOrder { sensible_as, .. } => {
            format!("; use -f {} to read it that way", sensible_as.name())
        }
        // BOMs of stateful encodings are not recognized.
        Notice::BomAsText { read_as } if !read_as.is_stateful() => {
            "; use --input-bom=strip to remove it".to_string()
        }
        Notice::BomAsText { .. } => IN_TWO_STEPS.to_string(),
        Notice::SecondBom => "; use 'utfconv check --rule inner-bom --fix FILE' to remove it".to_string(),
        _ => String::new(),
    }
}
