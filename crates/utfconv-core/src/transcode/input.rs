//! The input of a conversion or a check of a source: the BOM, the watch on an assumed byte order, the decoder, and the
//! position.

use crate::bom::{self, InputBom, Notice, Opening, OrderWatch};
use crate::decode::Decode;
use crate::encoding::Encoding;
use crate::newline::EbcdicNewline;
use crate::position::{Extent, Position};

/// A source, and how far it was read.
pub(crate) struct Input {
    /// The named encoding; once the BOM has been looked for, it has the decided byte order.
    pub encoding: &'static Encoding,
    pub decoder: Box<dyn Decode>,
    /// The position after the last sequence that was consumed.
    pub position: Position,
    pub bom: InputBom,
    pub newline: EbcdicNewline,
    /// True until the BOM has been looked for.
    is_opening: bool,
    watch: Option<OrderWatch>,
}

impl Input {
    pub fn new(encoding: &'static Encoding, bom: InputBom, newline: EbcdicNewline) -> Input {
        Input {
            encoding,
            decoder: encoding.form().decoder(newline),
            position: Position::default(),
            bom,
            newline,
            is_opening: true,
            watch: None,
        }
    }

    pub fn set_newline(&mut self, newline: EbcdicNewline) {
        self.newline = newline;
        self.decoder = self.encoding.form().decoder(newline);
    }

    /// Decodes in `encoding` from here on.
    pub fn read_as(&mut self, encoding: &'static Encoding) {
        self.encoding = encoding;
        self.decoder = encoding.form().decoder(self.newline);
    }

    /// Begins inside the source, after its BOM.
    pub fn starting_at(&mut self, position: Position) {
        self.position = position;
        self.is_opening = false;
    }

    pub fn is_opening(&self) -> bool {
        self.is_opening
    }

    /// Whether the byte order was assumed and may still turn out to be wrong.
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Looks for the BOM at the front of `window`, and decides the encoding. The BOM is not consumed yet. Returns
    /// `None` if a longer window is needed.
    pub fn open(&mut self, window: &[u8], last: bool) -> Option<Opening> {
        let named = self.encoding;
        let opening = bom::open(self.bom, named, window, last)?;
        self.is_opening = false;
        if opening.encoding != named {
            self.read_as(opening.encoding);
        }
        if opening.order_assumed {
            self.watch = OrderWatch::new(named, self.encoding);
        }
        Some(opening)
    }

    /// Moves past `bytes`, which span `extent`. Returns a notice if `bytes` show that the assumed byte order is wrong.
    #[inline]
    pub fn pass(&mut self, bytes: &[u8], extent: Extent) -> Option<Notice> {
        self.position.advance(bytes.len(), extent);
        self.feed_watch(bytes)
    }

    /// Moves past `run`, well-formed text, without checking its byte order.
    pub fn measure_past(&mut self, run: &[u8]) {
        let extent = self.decoder.measure(run);
        self.position.advance(run.len(), extent);
    }

    /// Passes `bytes` to the watch on the byte order. Returns a notice if the byte order turns out to be wrong.
    #[inline]
    pub fn feed_watch(&mut self, bytes: &[u8]) -> Option<Notice> {
        let is_enough = self.watch.as_mut()?.feed(bytes);
        if is_enough { self.end_watch() } else { None }
    }

    /// Ends the watch, because no more bytes are needed. Returns a notice if the byte order turned out to be wrong.
    pub fn end_watch(&mut self) -> Option<Notice> {
        self.watch.take()?.notice()
    }
}
