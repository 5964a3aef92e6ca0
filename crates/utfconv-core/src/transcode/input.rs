//! The way into a conversion or a check of one source: the BOM, the watch on an assumed byte order, the decoder, and the
//! position.

use crate::bom::{self, InputBom, Notice, Opening, OrderWatch};
use crate::decode::Decode;
use crate::encoding::Encoding;
use crate::newline::EbcdicNewline;
use crate::position::{Extent, Position};

/// One source, as far as it was read.
pub(crate) struct Input {
    /// As named; once the BOM has been looked for, with the byte order decided.
    pub encoding: &'static Encoding,
    pub decoder: Box<dyn Decode>,
    /// After the last sequence that was taken.
    pub position: Position,
    pub bom: InputBom,
    pub newline: EbcdicNewline,
    /// The BOM has not been looked for yet.
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

    /// Whether the byte order was assumed and may still turn out to be the other one.
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Looks for the BOM at the front of `window`, and decides the encoding; `None` asks for a longer window. The BOM is
    /// not taken yet.
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

    /// Moves past `bytes`, which span `extent`; returns a notice if they show the other byte order.
    #[inline]
    pub fn pass(&mut self, bytes: &[u8], extent: Extent) -> Option<Notice> {
        self.position.advance(bytes.len(), extent);
        self.feed_watch(bytes)
    }

    /// Moves past `run`, well-formed text, without a check of its byte order.
    pub fn measure_past(&mut self, run: &[u8]) {
        let extent = self.decoder.measure(run);
        self.position.advance(run.len(), extent);
    }

    /// Shows `bytes` to the watch on the byte order.
    #[inline]
    pub fn feed_watch(&mut self, bytes: &[u8]) -> Option<Notice> {
        let is_enough = self.watch.as_mut()?.feed(bytes);
        if is_enough { self.end_watch() } else { None }
    }

    /// Ends the watch: no more bytes follow.
    pub fn end_watch(&mut self) -> Option<Notice> {
        self.watch.take()?.notice()
    }
}
