//! The options of a conversion.

use crate::bom::{InputBom, OutputBom};
use crate::newline::EbcdicNewline;
use crate::normalize::NormalizationForm;
use crate::policy::{OnIllFormed, OnUnmappable, Policy};

/// How to convert. The default stops at the first fault, follows a BOM, and changes nothing else.
///
/// ```
/// use utfconv_core::{
///     EbcdicNewline, InputBom, OnUnmappable, Options, OutputBom, Policy, US_ASCII, UTF_8, convert,
/// };
///
/// let options = Options::default()
///     .input_bom(InputBom::Strip)
///     .output_bom(OutputBom::Never)
///     .policy(Policy::default().unmappable(OnUnmappable::Omit))
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
    /// Whether to write a BOM at the start of the output.
    pub output_bom: OutputBom,
    /// How to handle faults.
    pub policy: Policy,
    /// The meaning of EBCDIC newlines in the source and the target.
    pub ebcdic_newline: EbcdicNewline,
    /// The normalization form of the output's text (UAX #15). Replacements of ill-formed bytes are normalized, too,
    /// except bytes that are copied or carried. Unmappable characters are replaced after normalization.
    pub normalization: Option<NormalizationForm>,
    /// Whether the output already has text before the text of this source, so that no BOM may be written between them.
    pub continues: bool,
}

/// Defines methods that set the field of their name.
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
    /// Returns the default options with replacements for both kinds of faults: U+FFFD for ill-formed bytes, and U+FFFD, or `?` if
    /// the target has no U+FFFD, for characters that the target cannot encode.
    ///
    /// ```
    /// use utfconv_core::{ISO_8859_1, Options, UTF_8, convert};
    ///
    /// let converted = convert("5 €".as_bytes(), &UTF_8, &ISO_8859_1, &Options::replacing())?;
    /// assert_eq!((&converted.output[..], converted.faults.unmappable()), (&b"5 ?"[..], 1));
    /// # Ok::<(), Box<utfconv_core::Stopped>>(())
    /// ```
    #[must_use]
    pub fn replacing() -> Options {
        let policy =
            Policy::default().ill_formed(OnIllFormed::Replace(None)).unmappable(OnUnmappable::Replace(None));
        Options::default().policy(policy)
    }

    setters! {
        /// Sets how to handle a BOM at the start of the source.
        input_bom: InputBom;
        /// Sets whether to write a BOM at the start of the output.
        output_bom: OutputBom;
        /// Sets how to handle faults.
        policy: Policy;
        /// Sets the meaning of EBCDIC newlines.
        ebcdic_newline: EbcdicNewline;
        /// Sets whether the output already has text before the text of this source.
        continues: bool;
    }

    /// Sets the normalization form of the output's text.
    #[must_use]
    pub fn normalization(mut self, form: impl Into<Option<NormalizationForm>>) -> Options {
        self.normalization = form.into();
        self
    }
}
