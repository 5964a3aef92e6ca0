//! Faults: errors in a text, with their position, bytes and kind.
//!
//! The decoders decide what is ill-formed, the policy decides how a fault is handled, and callers know the names of
//! sources.
//!
//! Terms follow The Unicode Standard, sections 3.9 and 3.10, and RFC 3629.

use std::fmt;

use crate::encoding::Encoding;
use crate::form::Form;
use crate::kernel::Substituted;
use crate::position::Position;

/// An error in a source: its position, its bytes and its kind.
///
/// ```
/// use utfconv_core::{IllFormed, FaultKind, Options, UTF_8, UTF_16LE, convert};
///
/// let fault = convert(b"a\n\xC0\xAF", &UTF_8, &UTF_16LE, &Options::default()).unwrap_err().fault;
/// assert_eq!((fault.offset, fault.line, fault.column), (2, 2, 1));
/// assert_eq!((&*fault.bytes, fault.bytes.to_string()), (&b"\xC0\xAF"[..], "C0 AF".to_string()));
/// assert_eq!(fault.title().to_string(), "ill-formed UTF-8");
/// assert_eq!(fault.reason().to_string(), "C0 never appears in UTF-8 (overlong form of U+002F \"/\")");
/// let FaultKind::IllFormed { kind, means, .. } = fault.kind else { panic!() };
/// assert_eq!((kind, kind.name(), means), (IllFormed::NonShortest, "non-shortest form", Some(0x2F)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Offset of the first byte, in bytes from the start of the source, counted from 0.
    pub offset: u64,
    /// Line, counted from 1; a line ends with U+000A.
    pub line: u64,
    /// Column, counted from 1 in scalar values; an ill-formed maximal subpart counts as one, and a BOM as zero.
    pub column: u64,
    /// The source bytes at fault; empty only for a missing BOM.
    pub bytes: FaultBytes,
    /// The kind of error.
    pub kind: FaultKind,
}

impl Fault {
    /// Creates a fault for `bytes` at `position`.
    pub(crate) fn new(position: Position, bytes: &[u8], kind: FaultKind) -> Fault {
        let (offset, line, column) = (position.offset(), position.line(), position.column());
        Fault { offset, line, column, bytes: FaultBytes::new(bytes), kind }
    }

    /// Moves the fault of a segment to its position in the whole source, in which the segment begins at `start`.
    ///
    /// ```
    /// use utfconv_core::{Options, Position, UTF_8, UTF_16LE, convert};
    ///
    /// let segment = convert(b"b\xFF", &UTF_8, &UTF_16LE, &Options::default()).unwrap_err();
    /// let fault = segment.fault.offset_by(Position::new(10, 2, 4));
    /// assert_eq!((fault.offset, fault.line, fault.column), (11, 2, 5));
    /// ```
    #[must_use]
    #[inline]
    pub fn offset_by(self, start: Position) -> Fault {
        let position = Position::new(self.offset, self.line, self.column).offset_by(start);
        let (offset, line, column) = (position.offset(), position.line(), position.column());
        Fault { offset, line, column, ..self }
    }
}

/// Counts of faults, by kind. BOM faults and sequences too long to normalize are not counted, because they end the
/// conversion.
///
/// ```
/// use utfconv_core::{IllFormed, OnIllFormed, Options, Policy, FaultCounts, UTF_8, convert_reporting};
///
/// let policy = Policy::default().ill_formed(OnIllFormed::Omit);
/// let (options, mut counts) = (Options::default().policy(policy), FaultCounts::default());
/// let report = |fault: utfconv_core::Fault| counts.add(&fault.kind);
/// let converted = convert_reporting(b"a\xFF\xFE\x80", &UTF_8, &UTF_8, &options, report)?;
/// assert_eq!(converted.faults, counts);
/// assert_eq!((counts.ill_formed(), counts.unmappable()), (3, 0));
/// let rules: Vec<_> = counts.rules().collect();
/// assert_eq!(rules, [(IllFormed::NeverUsed, 2), (IllFormed::UnexpectedContinuation, 1)]);
/// counts.merge(&counts.clone());
/// assert_eq!(counts.ill_formed(), 6);
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultCounts {
    /// Number of sequences that broke each rule, in the order of [`IllFormed::NAMES`].
    ill_formed: [u64; IllFormed::NAMES.len()],
    unmappable: u64,
    approximated: u64,
}

impl FaultCounts {
    /// Counts a fault of `kind`.
    pub fn add(&mut self, kind: &FaultKind) {
        match kind {
            FaultKind::IllFormed { kind, .. } => self.add_ill_formed(*kind),
            FaultKind::Unmappable { approximation, .. } => {
                self.unmappable += 1;
                self.approximated += u64::from(approximation.is_some());
            }
            FaultKind::Bom { .. } | FaultKind::LongSequence { .. } => {}
        }
    }

    /// Counts unmappable characters for which substitutes were written.
    pub(crate) fn add_substituted(&mut self, substituted: Substituted) {
        self.unmappable += substituted.all;
        self.approximated += substituted.approximated;
    }

    pub(crate) fn add_ill_formed(&mut self, kind: IllFormed) {
        self.ill_formed[kind as usize] += 1;
    }

    /// Adds the counts of another text.
    pub fn merge(&mut self, other: &FaultCounts) {
        self.ill_formed.iter_mut().zip(other.ill_formed).for_each(|(sum, count)| *sum += count);
        self.unmappable += other.unmappable;
        self.approximated += other.approximated;
    }

    /// Returns the number of ill-formed sequences.
    pub fn ill_formed(&self) -> u64 {
        self.ill_formed.iter().sum()
    }

    /// Returns the rules that were broken, each with its number of ill-formed sequences.
    pub fn rules(&self) -> impl Iterator<Item = (IllFormed, u64)> {
        let counts = IllFormed::NAMES.into_iter().zip(self.ill_formed);
        counts.map(|((rule, _), count)| (rule, count)).filter(|(_, count)| *count > 0)
    }

    /// Returns the number of unmappable characters.
    pub fn unmappable(&self) -> u64 {
        self.unmappable
    }

    /// Returns the number of unmappable characters that were approximated.
    ///
    /// ```
    /// use utfconv_core::{OnUnmappable, Options, Policy, US_ASCII, UTF_8, convert};
    ///
    /// let translit = OnUnmappable::Translit(Box::new(OnUnmappable::Replace(None)));
    /// let policy = Policy::default().unmappable(translit);
    /// let converted = convert("é日".as_bytes(), &UTF_8, &US_ASCII, &Options::default().policy(policy))?;
    /// assert_eq!((converted.faults.unmappable(), converted.faults.approximated()), (2, 1));
    /// # Ok::<(), Box<utfconv_core::Stopped>>(())
    /// ```
    pub fn approximated(&self) -> u64 {
        self.approximated
    }
}

/// The kind of a fault. See [`Fault`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// The bytes are ill-formed in the encoding of the source.
    #[non_exhaustive]
    IllFormed {
        /// The encoding of the source.
        encoding: &'static Encoding,
        /// The rule that the bytes break.
        kind: IllFormed,
        /// The code point that the bytes would encode without the rule, if enough of them are present.
        means: Option<u32>,
        /// The supplementary scalar value that a high and a low surrogate in UTF-8 would encode together, if the bytes
        /// are such a pair.
        pair: Option<char>,
        /// Number of bytes that the lead byte of a truncated sequence announces; `None` if the lead byte alone does not
        /// decide.
        announced: Option<usize>,
    },
    /// The code point is well-formed, but cannot be encoded in the target.
    #[non_exhaustive]
    Unmappable {
        /// The encoding of the target.
        encoding: &'static Encoding,
        /// The scalar value; from WTF-8, UTF-8-2279 and UCS-4 also a code point that is not a scalar value.
        code_point: u32,
        /// The approximation that was written instead, if any; it may be empty.
        approximation: Option<&'static str>,
    },
    /// The BOM breaks the policy for BOMs.
    #[non_exhaustive]
    Bom {
        /// The encoding of the source.
        encoding: &'static Encoding,
        /// How the BOM breaks the policy.
        fault: BomFault,
    },
    /// A sequence that has to be normalized as a whole is too long.
    #[non_exhaustive]
    LongSequence {
        /// The name of the normalization form.
        form: &'static str,
        /// Maximum number of bytes of UTF-8 that a sequence may have.
        most: usize,
    },
}

impl FaultKind {
    /// Returns the kind for a code point that cannot be encoded and for which no approximation was written.
    pub(crate) fn unmappable(encoding: &'static Encoding, code_point: u32) -> FaultKind {
        FaultKind::Unmappable { encoding, code_point, approximation: None }
    }
}

/// How a BOM breaks [`InputBom::Forbid`], [`InputBom::Require`] or [`OutputBom::Forbid`]. See [`InputBom`] for an example.
///
/// [`InputBom`]: crate::InputBom
/// [`OutputBom::Forbid`]: crate::OutputBom::Forbid
/// [`InputBom::Forbid`]: crate::InputBom::Forbid
/// [`InputBom::Require`]: crate::InputBom::Require
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BomFault {
    /// The source has a BOM, which is forbidden.
    Forbidden,
    /// The source has no BOM, which is required.
    Missing,
    /// The text begins with U+FEFF, which would be a BOM in the output.
    InText,
}

/// The rule that ill-formed bytes break (Unicode 3.9, table 3-7, and 3.10). See [`Fault`] for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IllFormed {
    /// A byte that never appears in the encoding, whatever surrounds it.
    NeverUsed,
    /// A continuation byte without a lead byte.
    UnexpectedContinuation,
    /// A sequence with more bytes than the scalar value needs (an "overlong" form).
    NonShortest,
    /// A surrogate code point in an encoding form that has none.
    Surrogate,
    /// A code point above U+10FFFF.
    AboveRange,
    /// A sequence that ends before its last byte.
    Truncated,
    /// A high surrogate that no low surrogate follows.
    LoneHigh,
    /// A low surrogate that no high surrogate precedes.
    LoneLow,
    /// Bytes with the structure of a character to which the encoding assigns none.
    Unassigned,
    /// An escape sequence that the encoding does not define.
    UnknownEscape,
    /// Bits after the last character of a base64 run that are not zero.
    StrayBits,
    /// The source ends inside a 16-bit code unit.
    OddLength,
    /// The source ends inside a 32-bit code unit.
    PartialUnit,
    /// An escape sequence directly before another one, which the WHATWG Encoding Standard forbids as useless.
    UselessEscape,
}

impl IllFormed {
    /// All rules, in the order of the variants, with their names.
    const NAMES: [(IllFormed, &'static str); 14] = [
        (IllFormed::NeverUsed, "never-used byte"),
        (IllFormed::UnexpectedContinuation, "unexpected continuation"),
        (IllFormed::NonShortest, "non-shortest form"),
        (IllFormed::Surrogate, "surrogate"),
        (IllFormed::AboveRange, "above U+10FFFF"),
        (IllFormed::Truncated, "truncated"),
        (IllFormed::LoneHigh, "lone high surrogate"),
        (IllFormed::LoneLow, "lone low surrogate"),
        (IllFormed::Unassigned, "unassigned"),
        (IllFormed::UnknownEscape, "unknown escape sequence"),
        (IllFormed::StrayBits, "stray bits"),
        (IllFormed::OddLength, "odd length"),
        (IllFormed::PartialUnit, "partial unit"),
        (IllFormed::UselessEscape, "useless escape sequence"),
    ];

    /// Returns a short name for counts and summaries. See [`Fault`] for an example.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

/// The bytes of a fault, stored without an allocation.
///
/// ```
/// use utfconv_core::FaultBytes;
///
/// let bytes = FaultBytes::new(b"\xE2\x82");
/// assert_eq!((&*bytes, bytes.to_string()), (&b"\xE2\x82"[..], "E2 82".to_string()));
/// assert!(bytes.len() <= FaultBytes::MAX);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct FaultBytes {
    bytes: [u8; FaultBytes::MAX],
    len: u8,
}

impl FaultBytes {
    /// Maximum number of bytes that a fault can span; a Hangul syllable of UTF-8-MAC has three jamos of 3 bytes each.
    pub const MAX: usize = 9;

    /// Keeps a copy of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is longer than [`FaultBytes::MAX`]; no encoding has so long a sequence.
    pub fn new(bytes: &[u8]) -> FaultBytes {
        let mut kept = [0; FaultBytes::MAX];
        kept[..bytes.len()].copy_from_slice(bytes);
        FaultBytes { bytes: kept, len: bytes.len() as u8 }
    }
}

impl std::ops::Deref for FaultBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl fmt::Debug for FaultBytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// Displays the bytes in upper-case hexadecimal, separated by spaces: `E2 82 AC`.
impl fmt::Display for FaultBytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, byte) in self.iter().enumerate() {
            write!(f, "{}{byte:02X}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// Displays a code point as `U+20AC`, with the character itself unless a terminal might act on it.
pub(crate) struct Shown(pub u32);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "U+{:04X}", self.0)?;
        match char::from_u32(self.0) {
            Some(scalar) if is_printable(scalar) => write!(f, " \"{scalar}\""),
            _ => Ok(()),
        }
    }
}

/// Displays text in quotation marks, or as code points if a terminal might act on it.
struct ShownText<'a>(&'a str);

impl fmt::Display for ShownText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0.chars().all(is_printable) {
            return write!(f, "\"{}\"", self.0);
        }
        self.0.chars().enumerate().try_for_each(|(index, scalar)| {
            write!(f, "{}U+{:04X}", if index == 0 { "" } else { " " }, u32::from(scalar))
        })
    }
}

/// Whether a terminal shows `scalar` as a separate character, and does nothing else.
///
/// False for controls, format characters (including the bidirectional ones), combining marks, white space other than
/// U+0020, private use and unassigned code points.
///
/// ```
/// use utfconv_core::is_printable;
///
/// assert!(is_printable('é') && !is_printable('\u{1B}') && !is_printable('\u{202E}'));
/// ```
#[must_use]
pub fn is_printable(scalar: char) -> bool {
    // `escape_debug` escapes what std's tables call unprintable, and three more characters for Rust's own syntax.
    matches!(scalar, '\'' | '"' | '\\') || scalar.escape_debug().len() == 1
}

impl Fault {
    /// Returns the kind in a few words: `ill-formed UTF-8`. See [`Fault`] for an example.
    pub fn title(&self) -> impl fmt::Display {
        let (words, encoding) = match self.kind {
            FaultKind::IllFormed { encoding, .. } => ("ill-formed ", encoding.name()),
            FaultKind::Unmappable { .. } => ("unmappable", ""),
            FaultKind::Bom { fault: BomFault::Forbidden | BomFault::InText, .. } => ("forbidden BOM", ""),
            FaultKind::Bom { fault: BomFault::Missing, .. } => ("missing BOM", ""),
            FaultKind::LongSequence { form, .. } => ("sequence too long for ", form),
        };
        written(move |f| f.write_str(words).and_then(|()| f.write_str(encoding)))
    }

    /// Returns the reason: `C0 never appears in UTF-8 (overlong form of U+002F "/")`. See [`Fault`] for an example.
    pub fn reason(&self) -> impl fmt::Display {
        written(|f| match self.kind {
            FaultKind::IllFormed { encoding, kind, means, pair, announced } => {
                reason(f, encoding, kind, &self.bytes, means, announced)?;
                let Some(scalar) = pair else { return Ok(()) };
                write!(f, "; with the next three bytes a CESU-8 pair for {}", Shown(scalar.into()))
            }
            FaultKind::Unmappable { encoding, code_point, approximation } => {
                write!(f, "{} cannot be encoded in {encoding}", Shown(code_point))?;
                match approximation {
                    None => Ok(()),
                    Some("") => f.write_str(", omitted"),
                    Some(text) => write!(f, ", written as {}", ShownText(text)),
                }
            }
            FaultKind::Bom { encoding, fault: BomFault::Forbidden } => {
                write!(f, "{encoding} input must not begin with a BOM")
            }
            FaultKind::Bom { encoding, fault: BomFault::Missing } => {
                write!(f, "{encoding} input must begin with a BOM")
            }
            FaultKind::Bom { encoding, fault: BomFault::InText } => {
                write!(f, "this U+FEFF is text in {encoding}, but the output would begin with it")
            }
            FaultKind::LongSequence { most, .. } => {
                let most = most >> 20;
                write!(f, "more than {most} MiB of text that must be normalized as a whole begin here")
            }
        })
    }
}

/// Returns a value that calls `write` to display itself.
fn written(write: impl Fn(&mut fmt::Formatter) -> fmt::Result) -> impl fmt::Display {
    struct Written<F>(F);
    impl<F: Fn(&mut fmt::Formatter) -> fmt::Result> fmt::Display for Written<F> {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            self.0(f)
        }
    }
    Written(write)
}

/// Displays a fault, without the name of its source:
/// `invalid UTF-8 (non-shortest form) at byte 212: C0 AF: C0 never appears in UTF-8 (overlong form of U+002F "/")`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.kind {
            FaultKind::IllFormed { encoding, kind, .. } => write!(f, "invalid {encoding} ({})", kind.name())?,
            FaultKind::Unmappable { .. } => f.write_str("unmappable character")?,
            _ => self.title().fmt(f)?,
        }
        write!(f, " at byte {}: ", self.offset)?;
        let (bytes, reason) = (self.bytes.to_string(), self.reason().to_string());
        // Many reasons begin with the bytes, so do not write the bytes twice.
        let has_bytes = reason.strip_prefix(&bytes).is_some_and(|rest| rest.starts_with(' '));
        if !bytes.is_empty() && !has_bytes {
            write!(f, "{bytes}: ")?;
        }
        f.write_str(&reason)
    }
}

impl std::error::Error for Fault {}

/// Returns the row of JIS X 0208 that a double-byte code of Shift_JIS is in, if windows-31j has no character in that
/// row. The codes of a lead byte are in two rows, and the second byte decides the row. If `bytes` has only the lead
/// byte, the second byte was ASCII, so the row is the first of the two.
fn unassigned_row(bytes: &[u8]) -> Option<u8> {
    let lead = bytes[0];
    let pair = match lead {
        0x81..=0x9F => lead - 0x81,
        0xE0..=0xEF => lead - 0xC1,
        _ => return None,
    };
    let row = 2 * pair + 1 + u8::from(bytes.get(1).is_some_and(|trail| *trail >= 0x9F));
    matches!(row, 9..=12 | 14 | 15 | 85..=88 | 93 | 94).then_some(row)
}

/// Writes why `bytes` are ill-formed. `bytes` is never empty; `means` is the code point that `bytes` would encode, if
/// they are complete.
fn reason(
    f: &mut fmt::Formatter,
    encoding: &Encoding,
    kind: IllFormed,
    bytes: &[u8],
    means: Option<u32>,
    announced: Option<usize>,
) -> fmt::Result {
    let lead = bytes[0];
    match (kind, means) {
        (IllFormed::NeverUsed, _) => {
            write!(f, "{lead:02X} never appears in {encoding}")?;
            f.write_str(match (bytes.len(), lead) {
                (1, _) => "",
                (_, 0xF0..=0xF4) => " (it leads the four-byte form of UTF-8)",
                (_, 0xF8..=0xFB) => " (it led the five-byte form of RFC 2279)",
                (_, 0xFC..=0xFD) => " (it led the six-byte form of RFC 2279)",
                _ => "",
            })
        }
        (IllFormed::UnexpectedContinuation, _) => f.write_str("continuation byte without a lead byte"),
        // MUTF-8 is excluded because it encodes U+0000 as C0 80.
        (IllFormed::NonShortest, Some(value))
            if lead < 0xC2 && encoding.form().is_like_utf8() && encoding.form() != Form::Mutf8 =>
        {
            write!(f, "{lead:02X} never appears in {encoding} (overlong form of {})", Shown(value))
        }
        (IllFormed::NonShortest, Some(value)) => write!(f, "overlong form of {}", Shown(value)),
        (IllFormed::NonShortest, None) => f.write_str("begins an overlong form, and is cut short"),
        (IllFormed::AboveRange, Some(value)) => write!(f, "U+{value:04X} is above U+10FFFF"),
        (IllFormed::AboveRange, None) => f.write_str("begins a code point above U+10FFFF, and is cut short"),
        (IllFormed::Surrogate, Some(value)) => write!(f, "surrogate U+{value:04X} is not a scalar value"),
        (IllFormed::Surrogate, None) => f.write_str("begins a surrogate, and is cut short"),
        (IllFormed::Truncated, _) => match announced {
            Some(wanted) => {
                write!(f, "{lead:02X} starts a sequence of {wanted} bytes, {} found", bytes.len())
            }
            None => f.write_str("the character is not complete"),
        },
        (IllFormed::Unassigned, _) => {
            write!(f, "{encoding} has no character there")?;
            match unassigned_row(bytes).filter(|_| encoding.name() == "windows-31j") {
                Some(row) => write!(f, ": row {row} is unassigned, and is for SHIFT_JISX0213"),
                None => Ok(()),
            }
        }
        (IllFormed::UnknownEscape, _) => write!(f, "no escape sequence of {encoding} begins here"),
        (IllFormed::StrayBits, _) => {
            f.write_str("the base64 ends with bits that are not zero and no character")
        }
        (IllFormed::LoneHigh, _) => {
            write!(f, "high surrogate {} without a low surrogate after it", Shown(means.unwrap_or(0xD800)))
        }
        (IllFormed::LoneLow, _) => {
            write!(f, "low surrogate {} without a high surrogate before it", Shown(means.unwrap_or(0xDC00)))
        }
        (IllFormed::OddLength, None) => {
            write!(f, "a single byte at the end; {} needs pairs of bytes", encoding.name())
        }
        (IllFormed::OddLength, Some(high)) => {
            write!(f, "a single byte at the end, after the high surrogate U+{high:04X}")
        }
        (IllFormed::UselessEscape, _) => f.write_str("the escape sequence after it makes this one useless"),
        (IllFormed::PartialUnit, _) => {
            write!(f, "the text ends with {} of the 4 bytes of a code unit", bytes.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_counted_apart() {
        let mut counts = FaultCounts::default();
        for (number, (kind, _)) in IllFormed::NAMES.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            let kind = FaultKind::IllFormed {
                encoding: &crate::UTF_8,
                kind,
                means: None,
                pair: None,
                announced: None,
            };
            (0..=number).for_each(|_| counts.add(&kind));
        }
        let counted: Vec<_> = counts.rules().collect();
        let expected = IllFormed::NAMES.into_iter().zip(1..).map(|((kind, _), count)| (kind, count));
        assert_eq!(counted, expected.collect::<Vec<_>>());
    }
}
