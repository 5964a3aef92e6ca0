//! Output of single characters, which has the encoder, a pending BOM, and pending bytes that had no room in the sink.
//!
//! Kernels bypass this output and write to the sink, if no BOM and no bytes are pending.

use crate::bom::OutputBom;
use crate::decode::{Utf8, Utf32Unit};
use crate::encode::{Encode, Put, WIDEST};
use crate::encoding::{BomMeaning, Encoding};
use crate::form::Form;
use crate::kernel::Kernel;
use crate::newline::EbcdicNewline;
use crate::policy::{Carrier, OnUnmappable};
#[cfg(feature = "translit")]
use crate::translit;

/// The first character of a UTF-8-C8 carrier, which `x` and two upper-case hexadecimal digits follow.
pub(crate) const C8_MARK: u32 = 0x10FFFD;

/// The output of a conversion.
pub(crate) struct Output {
    /// The encoding of the target.
    pub to: &'static Encoding,
    encoder: Box<dyn Encode>,
    /// Encoded U+FFFD, or its substitute in the target. Empty before the first replacement, and if the bytes depend on
    /// the context.
    replacement: Vec<u8>,
    pub bom: BomState,
    waiting: Vec<u8>,
    /// Number of bytes of `waiting` that have been moved to the sink.
    gone: usize,
}

/// The state of BOMs in the output.
#[derive(Clone, Copy)]
pub(crate) struct BomState {
    /// Whether a BOM is to be written before the first byte.
    pub is_pending: bool,
    /// Whether nothing was written yet, and U+FEFF must not be the first character.
    is_forbidden: bool,
    /// Whether the last character written was a BOM.
    was_last: bool,
}

/// The state that [`Output::restore`] needs.
pub(crate) struct OutputState {
    encoder: Option<Box<dyn Encode>>,
    bom: BomState,
    /// Number of pending bytes.
    waiting: usize,
}

/// The kind of output that was written for a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Itself,
    /// The best approximation that the target can encode.
    Approximation(&'static str),
    /// A substitute that is not an approximation.
    Other,
    /// Nothing, because the character was omitted.
    Nothing,
}

impl Output {
    pub fn new(to: &'static Encoding, newline: EbcdicNewline, bom: OutputBom, continues: bool) -> Output {
        let writes_bom = match bom {
            OutputBom::Auto => matches!(to.bom_meaning(), BomMeaning::ByteOrder { .. }),
            OutputBom::Always => to.can_carry_bom(),
            OutputBom::Never | OutputBom::Forbid => false,
        };
        Output {
            to,
            encoder: to.form().encoder(newline),
            replacement: Vec::new(),
            bom: BomState {
                is_pending: writes_bom && !continues,
                is_forbidden: bom == OutputBom::Forbid && to.can_carry_bom() && !continues,
                was_last: false,
            },
            waiting: Vec::new(),
            gone: 0,
        }
    }

    /// Whether a character has the same bytes everywhere in a text.
    pub fn writes_apart(&self) -> bool {
        self.encoder.is_plain()
    }

    /// Whether a kernel may bypass this output.
    pub fn at_rest(&self) -> bool {
        !self.awaits_bom() && self.encoder.at_rest()
    }

    /// Whether later text is written as at the start of a text that needs no BOM.
    pub fn is_initial(&self) -> bool {
        !self.awaits_bom() && !self.is_waiting() && self.encoder.is_initial()
    }

    /// Whether `code_point` would be a second U+FEFF at the start of the output, or a forbidden U+FEFF.
    pub fn doubles_bom(&self, code_point: u32) -> bool {
        code_point == 0xFEFF && self.awaits_bom() && self.to.can_carry_bom()
    }

    /// Whether `code_point` would be the first character of an output that must not begin with U+FEFF.
    pub fn is_forbidden(&self, code_point: u32) -> bool {
        code_point == 0xFEFF && self.bom.is_forbidden
    }

    /// Whether later text is affected by a BOM that is pending, forbidden or was just written.
    pub fn awaits_bom(&self) -> bool {
        self.bom.is_pending || self.bom.is_forbidden || self.bom.was_last
    }

    /// Writes a row of code points in UTF-32LE, up to the first that the target cannot encode. Returns the number of
    /// code points written.
    pub fn put_row(&mut self, row: &[Utf32Unit]) -> usize {
        self.encoder.encode_row(row, &mut self.waiting)
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns the offset of the next byte in the pending bytes, or `None` if a BOM comes first.
    pub fn end(&self) -> Option<usize> {
        (!self.bom.is_pending).then_some(self.waiting.len())
    }

    /// Returns the bytes written since [`Output::end`] returned `start`, if none was moved to the sink since.
    pub fn written_since(&self, start: usize) -> &[u8] {
        &self.waiting[start..]
    }

    /// Returns the number of pending bytes, which had no room in the sink.
    pub fn waiting(&self) -> usize {
        self.waiting.len() - self.gone
    }

    /// Moves as many pending bytes as fit to the front of `dst`. Returns the number of bytes moved.
    pub fn drain(&mut self, dst: &mut [u8]) -> usize {
        let rest = &self.waiting[self.gone..];
        let moved = rest.len().min(dst.len());
        dst[..moved].copy_from_slice(&rest[..moved]);
        self.gone += moved;
        if self.gone == self.waiting.len() {
            self.waiting.clear();
            self.gone = 0;
        }
        moved
    }

    /// Returns the state of the output, which can be restored as long as nothing is moved to the sink.
    pub fn state(&self) -> OutputState {
        OutputState { encoder: self.encoder.copy(), bom: self.bom, waiting: self.waiting.len() }
    }

    /// Removes the output since `state`.
    pub fn restore(&mut self, state: OutputState) {
        self.waiting.truncate(state.waiting);
        self.bom = state.bom;
        if let Some(encoder) = state.encoder {
            self.encoder = encoder;
        }
    }

    /// Writes all of `code_points` and returns true, or writes nothing and returns false. A failed call has to undo its
    /// output, because the target may have a code for several code points together, but none for one of them alone.
    pub fn put_all(&mut self, mut code_points: impl Iterator<Item = u32>) -> bool {
        let before = self.state();
        let is_written = code_points.all(|code_point| self.put(code_point));
        if !is_written {
            self.restore(before);
        }
        is_written
    }

    /// Writes a BOM, whether one is pending or not.
    pub fn put_bom(&mut self) {
        self.bom.is_pending = false;
        self.bom.was_last = self.put(0xFEFF);
    }

    /// Returns the bytes of the pending BOM, which is then no longer pending; empty if no BOM is pending.
    pub fn take_bom(&mut self) -> Vec<u8> {
        if !std::mem::take(&mut self.bom.is_pending) {
            return Vec::new();
        }
        let before = self.waiting.len();
        self.put(0xFEFF);
        self.waiting.split_off(before)
    }

    /// Writes `code_point`. Returns false if the target cannot encode it.
    pub fn put(&mut self, code_point: u32) -> bool {
        if self.bom.is_pending && self.encoder.has(code_point) {
            self.settle_bom();
        }
        self.bom.was_last = false;
        let is_written = self.encoder.encode(code_point, &mut self.waiting);
        self.bom.is_forbidden &= !is_written;
        is_written
    }

    /// Returns a buffer in which many characters are written faster, or `None` if the target is not UTF-8 or other
    /// output is pending.
    pub fn utf8_row(&self) -> Option<Utf8Row> {
        let is_plain = self.to.form() == Form::Utf8 && self.at_rest();
        is_plain.then_some(Utf8Row { bytes: [0; ROW], len: 0 })
    }

    /// Writes `text`, or U+FFFD if `text` is `None`, with `?` for unmappable characters.
    pub fn put_replacement(&mut self, text: Option<&str>) {
        if text.is_none() && self.repeat_replacement(1) {
            return;
        }
        let (start, was_pending) = (self.waiting.len(), self.bom.is_pending);
        for scalar in text.unwrap_or("\u{FFFD}").chars() {
            if !self.put(scalar.into()) {
                self.put('?'.into());
            }
        }
        if text.is_none() && !was_pending && self.encoder.is_plain() {
            self.replacement = self.waiting[start..].to_vec();
        }
    }

    /// Writes `text` with a kernel from UTF-8. Returns false, and writes nothing, if the kernel does not reach the end.
    pub fn put_run(&mut self, text: &[u8], kernel: &Kernel) -> bool {
        let before = self.waiting.len();
        self.waiting.resize(before + WIDEST * text.len() + WIDEST, 0);
        let (read, written) = kernel(text, &mut self.waiting[before..]);
        let is_whole = read == text.len();
        self.waiting.truncate(if is_whole { before + written } else { before });
        is_whole
    }

    /// Writes U+FFFD, or its substitute, `count` times. Returns false, and writes nothing, if the bytes of the
    /// replacement are not known yet or depend on the bytes before.
    pub fn repeat_replacement(&mut self, count: usize) -> bool {
        let is_known = !self.replacement.is_empty();
        if is_known {
            (0..count).for_each(|_| self.waiting.extend_from_slice(&self.replacement));
        }
        is_known
    }

    /// Whether `code_point` does not end the conversion, because the target can encode it or `policy` has a
    /// replacement.
    pub fn takes(&self, policy: &OnUnmappable, code_point: u32) -> bool {
        self.encoder.has(code_point)
            || match policy {
                OnUnmappable::Stop | OnUnmappable::Carry(_) => false,
                #[cfg(feature = "translit")]
                OnUnmappable::Translit(otherwise) => {
                    self.approximation(code_point).is_some() || self.takes(otherwise, code_point)
                }
                _ => true,
            }
    }

    /// Writes the replacement by `policy` of a code point that the target cannot encode. Returns `None` if the policy
    /// is to stop.
    pub fn substitute(&mut self, policy: &OnUnmappable, code_point: u32) -> Option<Written> {
        match policy {
            OnUnmappable::Stop | OnUnmappable::Carry(_) => return None,
            OnUnmappable::Replace(text) => self.put_replacement(text.as_deref()),
            OnUnmappable::Omit => return Some(Written::Nothing),
            OnUnmappable::Escape(style) => {
                let escaped = self.encoder.escaped_as(code_point);
                self.put_replacement(Some(&style.spell(escaped)))
            }
            #[cfg(feature = "translit")]
            OnUnmappable::Translit(otherwise) => match self.approximation(code_point) {
                Some(text) => {
                    self.put_replacement(Some(text));
                    return Some(Written::Approximation(text));
                }
                None => return self.substitute(otherwise, code_point),
            },
        }
        Some(Written::Other)
    }

    /// Returns the best approximation whose characters the target can all encode, or `None` if there is none.
    #[cfg(feature = "translit")]
    pub fn approximation(&self, code_point: u32) -> Option<&'static str> {
        let scalar = char::from_u32(code_point)?;
        translit::candidates(scalar).find(|text| text.chars().all(|scalar| self.encoder.has(scalar.into())))
    }

    /// Whether the target can encode `code_point`.
    pub fn has(&self, code_point: u32) -> bool {
        self.encoder.has(code_point)
    }

    /// Writes the carrier of `byte` in wider code units. Returns false, and writes nothing, if the target cannot encode
    /// the carrier.
    pub fn put_carrier(&mut self, byte: u8, carrier: Carrier) -> bool {
        if self.to.code_unit_len() == 1 {
            return false;
        }
        match carrier {
            Carrier::SurrogateEscape => {
                self.settle_bom();
                (self.bom.was_last, self.bom.is_forbidden) = (false, false);
                self.encoder.encode_surrogate(0xDC00 | u16::from(byte), &mut self.waiting);
                true
            }
            Carrier::Pua => self.put(0xEF00 | u32::from(byte)),
            Carrier::C8 => {
                let is_written = self.put(C8_MARK);
                if is_written {
                    self.put_replacement(Some(&format!("x{byte:02X}")));
                }
                is_written
            }
        }
    }

    /// Writes the end of a text, as the encoder requires.
    pub fn finish(&mut self) {
        self.encoder.finish(&mut self.waiting);
    }

    /// Writes bytes unchanged, after the character that the encoder holds back.
    pub fn put_raw(&mut self, bytes: &[u8]) {
        self.settle_bom();
        (self.bom.was_last, self.bom.is_forbidden) = (false, false);
        self.finish();
        self.waiting.extend_from_slice(bytes);
    }

    /// Writes the pending BOM, if there is one, because a character follows.
    fn settle_bom(&mut self) {
        if self.bom.is_pending {
            self.put_bom();
        }
    }
}

/// Number of bytes of a [`Utf8Row`].
const ROW: usize = 512;

/// Characters in UTF-8 on their way to the output. The buffer is on the stack, so that no call per character is needed.
pub(crate) struct Utf8Row {
    bytes: [u8; ROW],
    len: usize,
}

impl Utf8Row {
    /// Adds `code_point`, and returns true. If it is no scalar value, or `room` bytes are pending, adds nothing, and
    /// returns false.
    #[inline(always)]
    pub fn put(&mut self, code_point: u32, output: &mut Output, room: usize) -> bool {
        if self.len > ROW - WIDEST {
            self.flush(output);
        }
        let put = |scalar| Utf8.put(scalar, self.bytes[self.len..].first_chunk_mut()?);
        let len = char::from_u32(code_point).filter(|_| output.waiting() + self.len < room).and_then(put);
        self.len += len.unwrap_or(0);
        len.is_some()
    }

    /// Moves the characters to the output.
    pub fn flush(&mut self, output: &mut Output) {
        output.waiting.extend_from_slice(&self.bytes[..self.len]);
        self.len = 0;
    }
}
