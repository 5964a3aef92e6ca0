//! The checker: finds the faults of a source without converting it.
//!
//! It finds the same faults as a conversion, because it uses the same decoders. It copies nothing, so the caller keeps
//! the bytes and asks for one item after another.

use std::collections::VecDeque;

use crate::bom::{InputBom, Notice};
use crate::decode::{IllFormedSequence, Next};
use crate::encoding::Encoding;
use crate::fault::{Fault, FaultKind};
use crate::form::Form;
use crate::kernel::{self, Validator};
use crate::newline::EbcdicNewline;
use crate::position::{Extent, Position};
use crate::transcode::input::Input;

/// The next item of a source; lengths are in bytes. Variants that a later version adds consume no byte, so treat them
/// as notices. See [`Checker`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub enum CheckItem {
    /// A BOM of this many bytes.
    Bom(usize),
    /// Well-formed text of this many bytes, at least one.
    Text(usize),
    /// A fault; its bytes are consumed.
    Fault(Fault),
    /// A notice about the source; no byte is consumed.
    Notice(Notice),
    /// More bytes are needed to continue; at the end of the source, the check is complete.
    Incomplete,
}

/// Checks one source, in chunks of any size.
///
/// ```
/// use utfconv_core::{CheckItem, Checker, UTF_8};
///
/// let source = b"caf\xE9\n";
/// let mut checker = Checker::new(&UTF_8);
/// assert_eq!(checker.next(source, true), CheckItem::Text(3));
/// let CheckItem::Fault(fault) = checker.next(&source[3..], true) else { panic!() };
/// assert_eq!((fault.offset, fault.line, fault.column, &*fault.bytes), (3, 1, 4, &b"\xE9"[..]));
/// assert_eq!(checker.next(&source[4..], true), CheckItem::Text(1));
/// assert_eq!(checker.next(&[], true), CheckItem::Incomplete);
/// ```
pub struct Checker {
    input: Input,
    /// The validator; `None` if the encoding has none, so that the exact decoder has to read each character.
    validator: Option<Validator>,
    notices: VecDeque<Notice>,
    /// True if the last item was a fault. Faults often come in a row, so the decoder is then tried before the
    /// validator.
    after_fault: bool,
    /// True if lines and columns are counted, and not only byte offsets.
    measures: bool,
    keeps_text: bool,
    /// The text of the last run. `None` if no text is kept, or if the source is UTF-8, so that the source is the text.
    text: Option<RunText>,
}

/// A decoded run of text. Bytes that encode no scalar value form separate runs without text: escape sequences, and the
/// code points of WTF-8, UTF-8-2279 and UCS-4 that are not scalar values. See [`Checker::keeping_text`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunText {
    /// The scalar values of the run.
    pub utf8: String,
    /// Offset in the run, in bytes of the source, at which each scalar value begins; a scalar value ends where the next
    /// scalar value begins.
    pub starts: Vec<u32>,
    /// The code point of the run, if the run is a single code point that is not a scalar value.
    pub code_point: Option<u32>,
}

impl std::fmt::Debug for Checker {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("Checker")
            .field("encoding", &self.input.encoding)
            .field("position", &self.input.position)
            .finish_non_exhaustive()
    }
}

impl Checker {
    /// The longest run, in bytes, for which [`Checker::text`] is kept.
    const LONGEST_KEPT: usize = 1 << 20;

    /// Creates a checker for one source in `encoding`. Change settings before the first item, as in
    /// [`Options`](crate::Options).
    ///
    /// ```
    /// use utfconv_core::{CheckItem, Checker, EbcdicNewline, InputBom, UTF_8, encodings::IBM1047};
    ///
    /// let mut checker = Checker::new(&UTF_8).input_bom(InputBom::Forbid);
    /// assert!(matches!(checker.next(b"\xEF\xBB\xBFa", true), CheckItem::Fault(_)));
    ///
    /// let mut checker = Checker::new(&IBM1047).ebcdic_newline(EbcdicNewline::Lf).keeping_text();
    /// assert_eq!(checker.next(b"\x15", true), CheckItem::Text(1));
    /// assert_eq!(checker.text().expect("is kept").utf8, "\n");
    /// ```
    pub fn new(encoding: &'static Encoding) -> Checker {
        let newline = EbcdicNewline::default();
        Checker {
            input: Input::new(encoding, InputBom::default(), newline),
            validator: kernel::Set::active().validator(encoding.form(), newline),
            notices: VecDeque::new(),
            after_fault: false,
            measures: true,
            keeps_text: false,
            text: None,
        }
    }

    /// Sets how to handle a BOM at the start of the source. [`InputBom::Forbid`] and [`InputBom::Require`] give rise to
    /// faults. See [`Checker::new`].
    #[must_use]
    pub fn input_bom(mut self, input_bom: InputBom) -> Checker {
        self.input.bom = input_bom;
        self
    }

    /// Sets the meaning of EBCDIC newlines. See [`Checker::new`].
    #[must_use]
    pub fn ebcdic_newline(mut self, newline: EbcdicNewline) -> Checker {
        self.input.set_newline(newline);
        self.validator = kernel::Set::active().validator(self.input.encoding.form(), newline);
        self
    }

    /// Keeps the text of each run, for [`Checker::text`], unless the source is UTF-8, which is the text itself.
    ///
    /// ```
    /// use utfconv_core::{CheckItem, Checker, ISO_8859_1};
    ///
    /// let mut checker = Checker::new(&ISO_8859_1).keeping_text();
    /// assert_eq!(checker.next(b"\xE9a", true), CheckItem::Text(2));
    /// let text = checker.text().expect("is kept");
    /// assert_eq!((text.utf8.as_str(), &text.starts[..]), ("éa", &[0, 1][..]));
    /// ```
    #[must_use]
    pub fn keeping_text(mut self) -> Checker {
        self.keeps_text = true;
        if !self.input.is_opening() {
            self.begin_text();
        }
        self
    }

    /// Starts inside the source, at `position`, which must be a boundary ([`Encoding::boundary`]) after the BOM. The
    /// byte order has to be that of the encoding ([`InputBom::read_as`]).
    ///
    /// ```
    /// use utfconv_core::{CheckItem, Checker, Position, UTF_8};
    ///
    /// let checker = Checker::new(&UTF_8);
    /// let mut checker = checker.starting_at(Position::new(100, 7, 3));
    /// let CheckItem::Fault(fault) = checker.next(b"\xFF", true) else { panic!() };
    /// assert_eq!((fault.offset, fault.line, fault.column), (100, 7, 3));
    /// assert_eq!((checker.position().offset(), checker.encoding()), (101, &UTF_8));
    /// ```
    #[must_use]
    pub fn starting_at(mut self, position: Position) -> Checker {
        self.input.starting_at(position);
        self.begin_text();
        self
    }

    /// Stops counting lines and columns, which takes longer than checking. In later positions, only the offset is
    /// right.
    ///
    /// ```
    /// use utfconv_core::{CheckItem, Checker, UTF_8};
    ///
    /// let mut checker = Checker::new(&UTF_8);
    /// checker.skip_line_counts();
    /// assert_eq!(checker.next(b"a\nb", true), CheckItem::Text(3));
    /// assert_eq!(checker.position().offset(), 3);
    /// ```
    pub fn skip_line_counts(&mut self) {
        self.measures = false;
    }

    /// Returns the text of the last [`CheckItem::Text`], if it is kept. See [`Checker::keeping_text`].
    pub fn text(&self) -> Option<&RunText> {
        self.text.as_ref()
    }

    /// Returns the position of the next item. See [`Checker::starting_at`].
    pub fn position(&self) -> Position {
        self.input.position
    }

    /// Returns the encoding that is checked; after the first item, it has the byte order that the BOM gave. See
    /// [`Checker::starting_at`].
    pub fn encoding(&self) -> &'static Encoding {
        self.input.encoding
    }

    /// Returns the next item of `src`, which has to begin where the last item ended. `last` means that the source ends
    /// with `src`.
    ///
    /// A run of text ends at or before the end of `src`. A sequence that the end of `src` cuts has to be passed again
    /// with more bytes, and is a fault only if `last` is true.
    pub fn next(&mut self, src: &[u8], last: bool) -> CheckItem {
        if let Some(notice) = self.notices.pop_front() {
            return CheckItem::Notice(notice);
        }
        if self.input.is_opening() {
            return self.open(src, last);
        }
        let is_fault = std::mem::take(&mut self.after_fault)
            && matches!(self.input.decoder.next(src, last), Next::IllFormed(_));
        let well_formed = match (&mut self.validator, &self.text) {
            (Some(validate), None) if !is_fault => validate(src),
            _ => 0,
        };
        if well_formed > 0 {
            let run = &src[..well_formed];
            let extent = if self.measures { self.input.decoder.measure(run) } else { Extent::default() };
            return self.pass_text(run, extent);
        }
        if let Some(text) = &mut self.text {
            text.utf8.clear();
            text.starts.clear();
            text.code_point = None;
        }
        let (mut read, mut extent) = (0, Extent::default());
        loop {
            let rest = &src[read..];
            let next = self.input.decoder.next(rest, last);
            let Some((code_points, len)) = next.sequence() else {
                return match next {
                    _ if read > 0 => self.pass_text(&src[..read], extent),
                    Next::IllFormed(found) => self.pass_fault(&found, &rest[..found.len]),
                    _ => self.end(last),
                };
            };
            let is_text = code_points.first().copied().and_then(char::from_u32).is_some();
            if self.text.is_some() && !is_text && read > 0 {
                return self.pass_text(&src[..read], extent);
            }
            self.input.decoder.commit();
            for code_point in code_points.iter().copied() {
                extent = extent.then(Extent::of(code_point));
                let Some(text) = &mut self.text else { continue };
                match char::from_u32(code_point) {
                    Some(scalar) => {
                        text.starts.push(read as u32);
                        text.utf8.push(scalar);
                    }
                    None => text.code_point = Some(code_point),
                }
            }
            read += len;
            let is_enough = match self.text {
                Some(_) => !is_text || read >= Self::LONGEST_KEPT,
                // The validator stopped at a code point that it does not support, and can continue after the code
                // point.
                None => self.validator.is_some(),
            };
            if is_enough {
                return self.pass_text(&src[..read], extent);
            }
        }
    }

    fn pass_fault(&mut self, found: &IllFormedSequence, bytes: &[u8]) -> CheckItem {
        let kind = self.input.encoding.ill_formed(found, bytes);
        let fault = Fault::new(self.input.position, bytes, kind);
        self.input.decoder.commit();
        self.pass(bytes, found.extent());
        self.after_fault = true;
        CheckItem::Fault(fault)
    }

    /// Returns the item to return if nothing more can be decoded: a pending notice, or else [`CheckItem::Incomplete`].
    fn end(&mut self, last: bool) -> CheckItem {
        if last {
            self.notices.extend(self.input.end_watch());
        }
        self.notices.pop_front().map_or(CheckItem::Incomplete, CheckItem::Notice)
    }

    fn open(&mut self, src: &[u8], last: bool) -> CheckItem {
        let named = self.input.encoding;
        let Some(opening) = self.input.open(src, last) else {
            return CheckItem::Incomplete;
        };
        if opening.encoding != named {
            self.validator = kernel::Set::active().validator(self.input.encoding.form(), self.input.newline);
        }
        self.begin_text();
        self.notices.extend(opening.other);
        let bom = &src[..opening.skip];
        let encoding = self.input.encoding;
        let position = self.input.position;
        let fault = opening.fault.map(|fault| Fault::new(position, bom, FaultKind::Bom { encoding, fault }));
        // A BOM is not text, so it takes no column.
        self.pass(bom, Extent::default());
        match (fault, bom.len()) {
            (Some(fault), _) => CheckItem::Fault(fault),
            (None, 0) => self.next(src, last),
            (None, len) => CheckItem::Bom(len),
        }
    }

    /// Prepares to keep the text after the BOM, unless no text is kept or the source is UTF-8.
    fn begin_text(&mut self) {
        self.text = (self.keeps_text && self.input.encoding.form() != Form::Utf8).then(RunText::default);
    }

    fn pass_text(&mut self, run: &[u8], extent: Extent) -> CheckItem {
        self.pass(run, extent);
        CheckItem::Text(run.len())
    }

    fn pass(&mut self, bytes: &[u8], extent: Extent) {
        self.notices.extend(self.input.pass(bytes, extent));
    }
}

/// Returns the faults of a text in memory, in order. A BOM is not a fault.
///
/// ```
/// use utfconv_core::{UTF_8, faults};
///
/// let found: Vec<String> = faults(b"a\xFF\nb\xE2\x82", &UTF_8).map(|fault| format!("{}:{}", fault.line, fault.column)).collect();
/// assert_eq!(found, ["1:2", "2:2"]);
/// ```
pub fn faults<'s>(source: &'s [u8], encoding: &'static Encoding) -> impl Iterator<Item = Fault> + use<'s> {
    let (mut checker, mut rest) = (Checker::new(encoding), source);
    std::iter::from_fn(move || {
        loop {
            match checker.next(rest, true) {
                CheckItem::Text(len) | CheckItem::Bom(len) => rest = &rest[len..],
                CheckItem::Fault(fault) => {
                    rest = &rest[fault.bytes.len()..];
                    return Some(fault);
                }
                CheckItem::Notice(_) => {}
                CheckItem::Incomplete => return None,
            }
        }
    })
}

/// Returns the number of bytes of `src` that are well-formed UTF-8, up to the first fault or a sequence that the end of
/// `src` cuts.
///
/// ```
/// assert_eq!(utfconv_core::utf8_well_formed_up_to("né".as_bytes()), 3);
/// assert_eq!(utfconv_core::utf8_well_formed_up_to(b"n\xC3"), 1);
/// ```
#[must_use]
pub fn utf8_well_formed_up_to(src: &[u8]) -> usize {
    kernel::well_formed_utf8(src)
}
