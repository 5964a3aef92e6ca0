//! Output of single characters: the encoder, the signature that is owed, and bytes that wait for room.
//!
//! The kernels write past this, straight to the sink, when nothing is owed and nothing waits.

use crate::encode::{Encode, WIDEST};
use crate::encoding::{Encoding, Mark};
use crate::signature::OutputBom;

const REPLACEMENT: char = '\u{FFFD}';

pub(crate) struct Output {
    /// The encoding of the target.
    pub to: &'static Encoding,
    encoder: Box<dyn Encode>,
    /// A signature goes before the first byte.
    mark_owed: bool,
    waiting: Vec<u8>,
    /// Bytes of `waiting` that have gone out.
    gone: usize,
}

impl Output {
    pub fn new(to: &'static Encoding, bom: OutputBom, continues: bool) -> Output {
        let writes_mark = match bom {
            OutputBom::Auto => to.mark() == Mark::ByteOrder,
            OutputBom::Always => to.can_carry_signature(),
            OutputBom::Never => false,
        };
        Output {
            to,
            encoder: to.encoder(),
            mark_owed: writes_mark && !continues,
            waiting: Vec::new(),
            gone: 0,
        }
    }

    pub fn owes_mark(&self) -> bool {
        self.mark_owed
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Moves as much as fits to the front of `dst`; answers how much.
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

    /// Writes a signature, the one that is owed or another.
    pub fn put_mark(&mut self) {
        self.mark_owed = false;
        self.put('\u{FEFF}');
    }

    /// Writes `scalar`; false if the target lacks it.
    pub fn put(&mut self, scalar: char) -> bool {
        let mut room = [0; WIDEST];
        match self.encoder.encode(scalar, &mut room) {
            Some(bytes) => {
                self.put_raw(bytes);
                true
            }
            None => false,
        }
    }

    /// Writes `text`, or U+FFFD; `?` for what the target lacks.
    pub fn put_replacement(&mut self, text: Option<&str>) {
        let put = |scalar: char| {
            if !self.put(scalar) {
                self.put('?');
            }
        };
        match text {
            Some(text) => text.chars().for_each(put),
            None => std::iter::once(REPLACEMENT).for_each(put),
        }
    }

    /// Writes the text that `spell` makes, as a replacement is written.
    pub fn put_text(&mut self, spell: impl FnOnce(&mut String)) {
        let mut text = String::new();
        spell(&mut text);
        self.put_replacement(Some(&text));
    }

    /// Writes what stands for a carried source byte.
    pub fn put_carried(&mut self, byte: u8) {
        let mut room = [0; WIDEST];
        let bytes = self.encoder.carry(byte, &mut room);
        self.put_raw(bytes);
    }

    /// Writes bytes as they are.
    pub fn put_raw(&mut self, bytes: &[u8]) {
        if std::mem::take(&mut self.mark_owed) {
            self.waiting.extend_from_slice(&self.to.mark_bytes());
        }
        self.waiting.extend_from_slice(bytes);
    }
}
