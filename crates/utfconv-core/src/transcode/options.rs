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
    /// How to handle a BOM at the start of the source.
    pub input_bom: InputBom,
    /// Whether the output begins with a BOM.
    pub output_bom: OutputBom,
    /// How to handle faults.
    pub policy: Policy,
    /// The meaning of EBCDIC newlines, on either side.
    pub ebcdic_newline: EbcdicNewline,
    /// The normalization form of the output's text (UAX #15). Replacements of ill-formed bytes are normalized, too,
    /// except bytes that are copied or carried. Unmappable characters are replaced after normalization.
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
        /// Sets how to handle a BOM at the start of the source.
        input_bom: InputBom;
        /// Sets whether the output begins with a BOM.
        output_bom: OutputBom;
        /// Sets how to handle faults.
        policy: Policy;
        /// Sets the meaning of EBCDIC newlines.
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
