//! Offset maps: find the offset of the output for one of the source, or the reverse.
//!
//! One conversion makes an index of checkpoints. A query converts the text after the last checkpoint again, byte by
//! byte.

use std::io;

use crate::bom::{InputBom, OutputBom};
use crate::encoding::Encoding;
use crate::stream::{More, Observer, Pump};
use crate::transcode::cuts::Spacing;
use crate::transcode::{Checkpoint, Options, Stop, Transcoder};

/// Bytes of the source between two checkpoints of the index, where there are checkpoints.
const SPACING: u64 = 1 << 10;

/// Room for output, in bytes.
const ROOM: usize = 4 << 10;

/// Corresponding offsets of a source and its output. It answers for any offset of either, and takes a small fraction of
/// the source's memory.
///
/// An answer is a [`Checkpoint`]: the source and the output can both be cut there.
///
/// ```
/// use utfconv_core::{Checkpoint, ISO_8859_1, OffsetMap, Options, UTF_8};
///
/// //             caf  é       au lait
/// let source = b"caf\xE9 au lait";
/// let map = OffsetMap::new(source, &ISO_8859_1, &UTF_8, &Options::default());
/// // The space after the é.
/// assert_eq!(map.at_source(4), Checkpoint { source: 4, output: 5 });
/// assert_eq!(map.at_output(5), Checkpoint { source: 4, output: 5 });
/// // The second byte of the é belongs to what begins before it.
/// assert_eq!(map.at_output(4), Checkpoint { source: 3, output: 3 });
/// assert_eq!(map.end(), Some(Checkpoint { source: 12, output: 13 }));
/// ```
#[derive(Clone, Debug)]
pub struct OffsetMap<'a> {
    source: &'a [u8],
    from: &'static Encoding,
    to: &'static Encoding,
    options: Options,
    /// The encoding that the BOM has decided.
    encoding: &'static Encoding,
    /// Checkpoints in their order; the first is the start.
    index: Vec<Checkpoint>,
    end: Option<Checkpoint>,
}

/// The side on which an offset counts.
type Side = fn(&Checkpoint) -> u64;

impl<'a> OffsetMap<'a> {
    /// Converts `source` once. No output is kept.
    ///
    /// The conversion is that of [`convert`](crate::convert) with the same arguments. It ends at the first fault
    /// whose policy is to stop; offsets after it have the last checkpoint before it.
    #[must_use]
    pub fn new(
        source: &'a [u8],
        from: &'static Encoding,
        to: &'static Encoding,
        options: &Options,
    ) -> OffsetMap<'a> {
        let (mut index, len) = (vec![Checkpoint { source: 0, output: 0 }], source.len() as u64);
        let mut transcoder = Transcoder::new(from, to, options.clone());
        // After the whole source, the end of the output is missing.
        let add = |checkpoint: Checkpoint| index.extend((checkpoint.source < len).then_some(checkpoint));
        let is_whole = watch(&mut transcoder, source, true, SPACING, add);
        let end = is_whole.then_some(Checkpoint { source: len, output: transcoder.written() });
        OffsetMap { source, from, to, options: options.clone(), encoding: transcoder.encoding(), index, end }
    }

    /// Returns the last checkpoint at or before an offset of the source.
    ///
    /// ```
    /// use utfconv_core::{ISO_2022_JP, OffsetMap, Options, UTF_8};
    ///
    /// let source = "ab 日本\ncd";
    /// let map = OffsetMap::new(source.as_bytes(), &UTF_8, &ISO_2022_JP, &Options::default());
    /// // The second of two characters between escape sequences: a cut before it would need other ones.
    /// assert_eq!(map.at_source(6).source, 3);
    /// assert_eq!((map.at_source(10).source, map.at_source(10).output), (10, 14));
    /// ```
    #[must_use]
    pub fn at_source(&self, offset: u64) -> Checkpoint {
        self.last_before(offset, |checkpoint| checkpoint.source)
    }

    /// Returns the last checkpoint at or before an offset of the output: the byte there comes from the text after
    /// [`Checkpoint::source`].
    ///
    /// ```
    /// use utfconv_core::{OffsetMap, OnIllFormed, Options, Policy, UTF_8, UTF_16LE};
    ///
    /// let policy = Policy { ill_formed: OnIllFormed::Omit, ..Policy::default() };
    /// let map = OffsetMap::new(b"a\xFF\xFEb", &UTF_8, &UTF_16LE, &Options::default().policy(policy));
    /// // What becomes nothing is before it.
    /// assert_eq!(map.at_output(2).source, 3);
    /// assert_eq!(map.at_output(1_000), map.end().unwrap());
    /// ```
    #[must_use]
    pub fn at_output(&self, offset: u64) -> Checkpoint {
        self.last_before(offset, |checkpoint| checkpoint.output)
    }

    /// Returns the ends of the source and of the output; `None` if a fault ends the conversion. See [`OffsetMap`].
    #[must_use]
    pub fn end(&self) -> Option<Checkpoint> {
        self.end
    }

    /// Returns the encoding of the source; after its BOM, with the byte order decided. It is that of the second
    /// half, if the source is cut.
    ///
    /// ```
    /// use utfconv_core::{OffsetMap, Options, UTF_8, UTF_16, UTF_16BE};
    ///
    /// let map = OffsetMap::new(b"\xFE\xFF\0a", &UTF_16, &UTF_8, &Options::default());
    /// assert_eq!(map.encoding(), &UTF_16BE);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    fn last_before(&self, offset: u64, side: Side) -> Checkpoint {
        if let Some(end) = self.end.filter(|end| side(end) <= offset) {
            return end;
        }
        let number = self.index.partition_point(|checkpoint| side(checkpoint) <= offset);
        let mut last = self.index[number - 1];
        let len = self.source.len() as u64;
        let limit = self.index.get(number).map_or(len.saturating_sub(1), |next| next.source);
        let start = last;
        let piece = &self.source[start.source as usize..limit as usize];
        watch(&mut self.transcoder_at(start), piece, false, 1, |found| {
            let found =
                Checkpoint { source: start.source + found.source, output: start.output + found.output };
            if side(&found) <= offset {
                last = found;
            }
        });
        last
    }

    /// A conversion that begins at a checkpoint.
    fn transcoder_at(&self, start: Checkpoint) -> Transcoder {
        match start.source {
            0 => Transcoder::new(self.from, self.to, self.options.clone()),
            _ => {
                let options = self.options.clone().input_bom(InputBom::Text).output_bom(OutputBom::Never);
                Transcoder::new(self.encoding, self.to, options)
            }
        }
    }
}

/// Shows checkpoints to a closure.
struct Found<F>(F);

impl<F: FnMut(Checkpoint)> Observer for Found<F> {
    fn event(&mut self, _: Stop) -> More {
        More::Count
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) -> bool {
        self.0(checkpoint);
        true
    }
}

/// Converts `source`, which `ends` or not, and shows the checkpoints after every so many bytes; false if a fault has
/// ended the conversion. No output is kept.
fn watch(
    transcoder: &mut Transcoder,
    source: &[u8],
    ends: bool,
    every: u64,
    found: impl FnMut(Checkpoint),
) -> bool {
    let (mut sink, mut room, mut found) = (io::sink(), vec![0; ROOM], Found(found));
    transcoder.count_faults();
    let mut pump = Pump::new(transcoder, &mut sink, &mut room).spaced(Spacing::Bytes(every));
    let mut feed = |chunk, last| pump.feed(chunk, last, &mut found).is_ok_and(|fed| fed.is_continue());
    feed(source, false) && (!ends || feed(&[], true))
}
