//! The options of a conversion.

use crate::bom::{InputBom, OutputBom};
use crate::newline::EbcdicNewline;
use crate::normalize::NormalizationForm;
use crate::policy::Policy;

/// How to convert. The default is to stop at the first fault, to follow a BOM, and to change nothing else.
///
/// ```
/// use utfconv_core::{
///     EbcdicNewline, InputBom, OnUnmappable, Options, OutputBom, Policy, US_ASCII, UTF_8, convert,
/// };
///
/// let options = Options::default()
///     .input_bom(InputBom::Strip)
///     .output_bom(OutputBom::Never)
///     .policy(Policy { unmappable: OnUnmappable::Omit, ..Policy::default() })
///     .ebcdic_newline(EbcdicNewline::Lf)
///     .normalization(None)
///     .continues(false);
/// assert_eq!(convert("\u{FEFF}né".as_bytes(), &UTF_8, &US_ASCII, &options)?.output, b"n");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
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
    /// The normalization form of the output's text (UAX #15). What the policy makes of ill-formed bytes is text, too, except
    /// the bytes that it copies or carries; it replaces unmappable characters after that.
    pub normalization: Option<NormalizationForm>,
    /// The output already has text before this source's: no BOM may be written between them.
    pub continues: bool,
}

/// Methods that set the field of their name.
macro_rules! setters {
    ($($(#[$doc:meta])+ $field:ident: $type:ty;)+) => {
        $(
            $(#[$doc])+
            #[must_use]
            pub fn $field(mut self, $field: $type) -> Options {
                self.$field = $field;
                self
            }
        )+
    };
}

impl Options {
    setters! {
        /// Sets what a BOM at the start of the source means.
        input_bom: InputBom;
        /// Sets whether the output begins with a BOM.
        output_bom: OutputBom;
        /// Sets what to do about faults.
        policy: Policy;
        /// Sets what the newlines of EBCDIC are.
        ebcdic_newline: EbcdicNewline;
        /// Sets whether the output already has text before this source's.
        continues: bool;
    }

    /// Normalizes the output's text.
    #[must_use]
    pub fn normalization(mut self, form: impl Into<Option<NormalizationForm>>) -> Options {
        self.normalization = form.into();
        self
    }
}
