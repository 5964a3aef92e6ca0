//! Handles BOMs: U+FEFF at offset 0 of a source, and at the start of the output.
//!
//! Reading and writing have separate policies. A BOM is looked for once, before any decoder runs. U+FEFF anywhere else
//! is text and is never touched. The encoding is not guessed from the text; [`OrderWatch`] inspects the first bytes
//! only to warn of the wrong byte order.
//!
//! The rules follow RFC 3629 section 6, RFC 2781 sections 3.2 and 4, and Unicode 3.10 and 23.8.

use std::fmt;

use crate::encoding::{self, BomMeaning, Encoding};
use crate::fault::{BomFault, FaultBytes};
use crate::form::Form;

/// How to handle a BOM at the start of a source (RFC 2781 section 4, RFC 3629 section 6, Unicode 23.8).
///
/// ```
/// use utfconv_core::{InputBom, Options, UTF_8, UTF_16BE, convert};
///
/// let source = b"\xEF\xBB\xBFhi";
/// let read = |bom| convert(source, &UTF_8, &UTF_8, &Options::default().input_bom(bom));
/// assert_eq!(read(InputBom::Auto)?.output, source);
/// assert_eq!(read(InputBom::Strip)?.output, b"hi");
/// assert_eq!(read(InputBom::Forbid).unwrap_err().fault.offset, 0);
/// let sniffed = convert(source, &UTF_16BE, &UTF_8, &Options::default().input_bom(InputBom::Sniff))?;
/// assert_eq!(sniffed.output, source);
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputBom {
    /// A BOM of UTF-16 or UTF-32 sets the byte order and is consumed. A BOM of UTF-8 or CESU-8 is kept if the target
    /// can encode U+FEFF, and is never doubled. In UTF-16LE, UTF-16BE, UTF-32LE and UTF-32BE, U+FEFF is text.
    #[default]
    Auto,
    /// Keep the BOM as U+FEFF, which is unmappable if the target cannot encode it. UTF-16LE, UTF-16BE, UTF-32LE and
    /// UTF-32BE have BOMs here, too.
    Keep,
    /// Remove the BOM, also in UTF-16LE, UTF-16BE, UTF-32LE and UTF-32BE.
    Strip,
    /// Treat U+FEFF as text. In UTF-16 and UTF-32, it does not set the byte order.
    Text,
    /// Report a BOM as a fault.
    Forbid,
    /// Report a missing BOM as a fault. Otherwise treat a BOM as `Auto` does, except that UTF-16LE, UTF-16BE, UTF-32LE
    /// and UTF-32BE have BOMs, which are treated as in UTF-8.
    Require,
    /// Let the BOM decide the encoding (UTF-8, UTF-16, UTF-32), then treat it as `Auto` does.
    Sniff,
}

impl InputBom {
    /// Returns the encoding, with its byte order, in which to read a source in `named` that begins with `head`.
    ///
    /// `head` is the first four bytes of the source, or the whole source if it is shorter.
    ///
    /// ```
    /// use utfconv_core::{InputBom, UTF_16, UTF_16BE};
    ///
    /// assert_eq!(InputBom::Auto.read_as(&UTF_16, b"\xFE\xFF\0a"), &UTF_16BE);
    /// ```
    #[must_use]
    pub fn read_as(self, named: &'static Encoding, head: &[u8]) -> &'static Encoding {
        open(self, named, head, true).map_or(named, |opening| opening.encoding)
    }
}

/// Whether the output begins with a BOM.
///
/// ```
/// use utfconv_core::{Options, OutputBom, UTF_8, UTF_16LE, convert};
///
/// let written = |bom| convert(b"a", &UTF_8, &UTF_16LE, &Options::default().output_bom(bom));
/// assert_eq!(written(OutputBom::Auto)?.output, b"a\0");
/// assert_eq!(written(OutputBom::Always)?.output, b"\xFF\xFEa\0");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputBom {
    /// Write a BOM if the encoding requires one (UTF-16, UTF-32), or if the BOM of the source was kept.
    #[default]
    Auto,
    /// Write a BOM if the target can encode U+FEFF and the output is not empty.
    Always,
    /// Write no BOM, not even one kept from the source.
    Never,
    /// Write no BOM. If the text itself begins with U+FEFF, report a fault, because a reader would take U+FEFF for a
    /// BOM.
    Forbid,
}

/// A warning about the start of a source; the conversion continues.
///
/// ```
/// use utfconv_core::{Options, UTF_8, UTF_16LE, convert};
///
/// let converted = convert(b"\xFE\xFF\0a", &UTF_16LE, &UTF_8, &Options::default())?;
/// let notice = "begins with FE FF, the BOM of UTF-16BE, but is read as UTF-16LE";
/// assert_eq!(converted.notices[0].to_string(), notice);
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The source begins with the BOM of an encoding other than `read_as`.
    OtherBom {
        /// The bytes of the BOM.
        bytes: FaultBytes,
        /// The encoding that the BOM belongs to.
        bom_of: &'static Encoding,
        /// The encoding that the source is read in.
        read_as: &'static Encoding,
    },
    /// The source has no BOM, and only the opposite byte order gives plausible text.
    OtherByteOrder {
        /// The encoding that the source is read in.
        read_as: &'static Encoding,
        /// The encoding, in the opposite byte order, in which the source looks like text.
        sensible_as: &'static Encoding,
    },
    /// The encoding treats an initial U+FEFF as text, and the output either has a separate BOM before U+FEFF or cannot
    /// encode U+FEFF.
    BomAsText {
        /// The encoding of the source.
        read_as: &'static Encoding,
    },
    /// The source begins with another U+FEFF after its BOM; the second U+FEFF is text. The output begins with both
    /// characters.
    SecondBom,
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Notice::OtherBom { bytes, bom_of, read_as } => {
                write!(f, "begins with {bytes}, the BOM of {bom_of}, but is read as {read_as}")
            }
            Notice::OtherByteOrder { read_as, sensible_as } => {
                write!(f, "has no BOM and is read as {read_as}, but looks like {sensible_as}")
            }
            Notice::BomAsText { read_as } => {
                write!(f, "begins with U+FEFF, which is text in {read_as}, not a BOM")
            }
            Notice::SecondBom => f.write_str("has U+FEFF after the BOM, which is text, not a BOM"),
        }
    }
}

/// A BOM, and the encodings that it identifies.
struct Bom {
    bytes: &'static [u8],
    /// The encoding, byte order included, that the BOM identifies.
    of: &'static Encoding,
    /// The encoding to name for a text that begins with the BOM; its byte order is left to the BOM.
    scheme: &'static Encoding,
}

/// Longer BOMs come first, because `FF FE 00 00` (UTF-32LE) begins with `FF FE` (UTF-16LE).
static BOMS: [Bom; 5] = [
    Bom { bytes: &[0xEF, 0xBB, 0xBF], of: &encoding::UTF_8, scheme: &encoding::UTF_8 },
    Bom { bytes: &[0xFF, 0xFE, 0x00, 0x00], of: &encoding::UTF_32LE, scheme: &encoding::UTF_32 },
    Bom { bytes: &[0x00, 0x00, 0xFE, 0xFF], of: &encoding::UTF_32BE, scheme: &encoding::UTF_32 },
    Bom { bytes: &[0xFF, 0xFE], of: &encoding::UTF_16LE, scheme: &encoding::UTF_16 },
    Bom { bytes: &[0xFE, 0xFF], of: &encoding::UTF_16BE, scheme: &encoding::UTF_16 },
];

impl Encoding {
    /// Returns the encoding whose BOM `head` begins with (Unicode 3.10, table 3-8), byte order included, and the
    /// length of the BOM in bytes: UTF-8, UTF-16LE, UTF-16BE, UTF-32LE or UTF-32BE. Four bytes of the source are
    /// enough; `FF FE 00 00` is the BOM of UTF-32LE.
    ///
    /// ```
    /// use utfconv_core::{Encoding, UTF_16BE};
    ///
    /// assert_eq!(Encoding::for_bom(b"\xFE\xFF\0h"), Some((&UTF_16BE, 2)));
    /// assert_eq!(Encoding::for_bom(b"text"), None);
    /// ```
    #[must_use]
    pub fn for_bom(head: &[u8]) -> Option<(&'static Encoding, usize)> {
        BOMS.iter().find(|known| head.starts_with(known.bytes)).map(|known| (known.of, known.bytes.len()))
    }
}

/// True if `at` is, or may be, inside a BOM of any encoding. `window` is a range of the source, which must begin with
/// the source if a BOM could reach `at`.
pub(crate) fn may_contain(window: &[u8], at: usize) -> bool {
    let is_cut =
        |bom: &[u8]| (1..bom.len()).contains(&at) && (window.starts_with(bom) || bom.starts_with(window));
    BOMS.iter().any(|known| is_cut(known.bytes))
}

/// How the start of a source is read.
pub(crate) struct Opening {
    /// The encoding to decode in, with its byte order decided.
    pub encoding: &'static Encoding,
    /// Number of bytes of the BOM to skip; 0 if there is no BOM or the BOM is text.
    pub skip: usize,
    /// Whether to write the skipped BOM to the output.
    pub keep: Keep,
    /// How the BOM breaks the policy; `None` if the policy allows the BOM.
    pub fault: Option<BomFault>,
    /// A notice if the source begins with the BOM of another encoding.
    pub other: Option<Notice>,
    /// True if the source begins with U+FEFF and the encoding treats U+FEFF as text.
    pub is_text: bool,
    /// True if neither a name nor a BOM gave the byte order, so the byte order of the host was assumed.
    pub order_assumed: bool,
}

/// Whether the BOM of the source is written to the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    No,
    /// The BOM is written if the target can encode U+FEFF and nothing has been written before it.
    WherePossible,
    /// The BOM is written, and is unmappable if the target cannot encode U+FEFF.
    Always,
}

/// Decides how a source in `named` that begins with `head` opens. Returns `None` if more bytes than `head` are needed.
pub(crate) fn open(policy: InputBom, named: &'static Encoding, head: &[u8], last: bool) -> Option<Opening> {
    let could_become = |bom: &[u8]| head.len() < bom.len() && bom.starts_with(head);
    let mut boms = BOMS.iter().map(|known| known.bytes).chain(named.orders().map(|row| row.bom_bytes()));
    if !last && boms.any(could_become) {
        return None;
    }
    let found = BOMS.iter().find(|known| head.starts_with(known.bytes));
    let named = match found {
        // CESU-8 shares the BOM of UTF-8, so the BOM does not contradict the given encoding.
        Some(known) if policy == InputBom::Sniff && !named.may_begin_with(known.bytes) => known.scheme,
        _ => named,
    };

    let own = named.orders().find(|row| !row.bom_bytes().is_empty() && head.starts_with(row.bom_bytes()));
    let read_as = own.filter(|_| policy != InputBom::Text).unwrap_or_else(|| named.in_order());
    let is_text = own.is_some()
        && match policy {
            InputBom::Text => true,
            InputBom::Auto => named.bom_meaning() == BomMeaning::Text,
            _ => false,
        };
    let is_open = matches!(named.bom_meaning(), BomMeaning::ByteOrder { .. });
    let own_len = own.map_or(0, |row| row.bom_bytes().len());
    Some(Opening {
        encoding: read_as,
        skip: if is_text { 0 } else { own_len },
        keep: match policy {
            _ if own_len == 0 || is_text => Keep::No,
            InputBom::Keep => Keep::Always,
            InputBom::Auto | InputBom::Sniff | InputBom::Require if !is_open => Keep::WherePossible,
            _ => Keep::No,
        },
        fault: match policy {
            InputBom::Forbid if own.is_some() => Some(BomFault::Forbidden),
            InputBom::Require if own.is_none() => Some(BomFault::Missing),
            _ => None,
        },
        other: found.filter(|known| known.bytes != read_as.bom_bytes()).map(|known| Notice::OtherBom {
            bytes: FaultBytes::new(known.bytes),
            bom_of: known.of,
            read_as,
        }),
        is_text,
        order_assumed: is_open && (own.is_none() || is_text),
    })
}

/// Watches the first bytes of a text without a declared byte order, to warn if only the opposite byte order gives text.
/// In UTF-16, the watch warns if no code unit as read is ASCII, but two or more, and at least half, of the swapped code
/// units are ASCII. In UTF-32, it warns if no code unit as read is a code point, but one or more of the swapped code
/// units are. U+0000 does not count.
pub(crate) struct OrderWatch {
    read_as: &'static Encoding,
    /// The encoding in the opposite byte order.
    other: &'static Encoding,
    head: Vec<u8>,
}

impl OrderWatch {
    /// Number of bytes that are enough for a decision.
    const ENOUGH: usize = 64;

    /// Creates a watch for a text in `named` that is read as `read_as`. Returns `None` if `named` fixes the byte order.
    pub(crate) fn new(named: &'static Encoding, read_as: &'static Encoding) -> Option<OrderWatch> {
        let other = named.orders().find(|row| *row != read_as)?;
        Some(OrderWatch { read_as, other, head: Vec::new() })
    }

    /// Takes the next bytes of the text. Returns true if no more bytes are needed.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> bool {
        let wanted = Self::ENOUGH - self.head.len();
        self.head.extend_from_slice(&bytes[..wanted.min(bytes.len())]);
        self.head.len() == Self::ENOUGH
    }

    /// Returns a notice if the bytes so far are text only in the opposite byte order.
    pub(crate) fn notice(&self) -> Option<Notice> {
        let size = self.read_as.code_unit_len();
        let (mut units, mut as_read, mut swapped) = (0, 0, 0);
        let limit = if size == 2 { 0x80 } else { 0x110000 };
        for unit in self.head.chunks_exact(size) {
            let little = unit.iter().rev().fold(0u32, |value, byte| value << 8 | u32::from(*byte));
            let big = unit.iter().fold(0u32, |value, byte| value << 8 | u32::from(*byte));
            let is_big = matches!(self.read_as.form(), Form::Utf16Be | Form::Ucs2Be | Form::Utf32Be);
            let (here, there) = if is_big { (big, little) } else { (little, big) };
            units += 1;
            as_read += u32::from((1..limit).contains(&here));
            swapped += u32::from((1..limit).contains(&there));
        }
        let plain =
            as_read == 0 && if size == 2 { swapped >= 2 && 2 * swapped >= units } else { swapped > 0 };
        plain.then_some(Notice::OtherByteOrder { read_as: self.read_as, sensible_as: self.other })
    }
}
