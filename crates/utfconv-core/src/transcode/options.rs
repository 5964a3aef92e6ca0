//! The options of a conversion.

use crate::bom::{InputBom, OutputBom};
use crate::newline::EbcdicNewline;
use crate::normalize::NormalizationForm;
use crate::policy::Policy;

/// How to convert.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// What a BOM at the start of the source means.
    pub input_bom: InputBom,
    /// Whether the output begins with a BOM.
    pub output_bom: OutputBom,
    /// What to do about faults.
    pub policy: Policy,
    /// What the newlines of EBCDIC are, on either side.
    pub ebcdic_newline: EbcdicNewline,
    /// The normalization form of the output's text. What the policy makes of ill-formed bytes is text, too, except the
    /// bytes that it copies or carries; what it has for unmappable characters comes after.
    pub normalization: Option<NormalizationForm>,
    /// The output already has text before this source's: no BOM may be written between them.
    pub continues: bool,
}

impl Options {
    /// Sets what a BOM at the start of the source means.
    ///
    /// ```
    /// use utfconv_core::{InputBom, Options, OutputBom};
    ///
    /// let options = Options::default().input_bom(InputBom::Sniff).output_bom(OutputBom::Never);
    /// assert_eq!(options.input_bom, InputBom::Sniff);
    /// ```
    #[must_use]
    pub fn input_bom(mut self, input_bom: InputBom) -> Options {
        self.input_bom = input_bom;
        self
    }

    /// Sets whether the output begins with a BOM.
    #[must_use]
    pub fn output_bom(mut self, output_bom: OutputBom) -> Options {
        self.output_bom = output_bom;
        self
    }

    /// Sets what to do about faults.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Options {
        self.policy = policy;
        self
    }

    /// Sets what the newlines of EBCDIC are.
    #[must_use]
    pub fn ebcdic_newline(mut self, ebcdic_newline: EbcdicNewline) -> Options {
        self.ebcdic_newline = ebcdic_newline;
        self
    }

    /// Normalizes the output's text.
    #[must_use]
    pub fn normalization(mut self, form: impl Into<Option<NormalizationForm>>) -> Options {
        self.normalization = form.into();
        self
    }

    /// Sets whether the output already has text before this source's.
    #[must_use]
    pub fn continues(mut self, continues: bool) -> Options {
        self.continues = continues;
        self
    }
}
