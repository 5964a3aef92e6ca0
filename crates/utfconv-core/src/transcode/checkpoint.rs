//! Checkpoints, which are positions at which the source and the output can both be cut.

use super::state::Transcoder;

/// A pair of offsets at which the source and the output of a conversion can both be cut. See [`Transcoder::checkpoint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checkpoint {
    /// Number of bytes of the source before the checkpoint.
    pub source: u64,
    /// Number of bytes of the output before the checkpoint.
    pub output: u64,
}

impl Transcoder {
    /// Returns the current position, if the conversion can be cut there. One transcoder then converts the source before
    /// the position to the output before the position, and a second transcoder with the same options converts the rest
    /// of the source to the rest of the output. Only the first transcoder handles the BOM, so the second transcoder
    /// reads [`Transcoder::encoding`], and has [`InputBom::Text`](crate::InputBom::Text) and
    /// [`OutputBom::Never`](crate::OutputBom::Never).
    ///
    /// To query a position, end a chunk there. `None` means that the position is inside a character or a shift state,
    /// or that output is pending because a sequence may continue, a letter waits for its marks, or a BOM waits for the
    /// first character.
    ///
    /// ```
    /// use utfconv_core::{Options, Stop, Transcoder, UTF_8, encodings::ISO_2022_JP};
    ///
    /// let mut transcoder = Transcoder::new(&UTF_8, &ISO_2022_JP, Options::default());
    /// let mut convert = |chunk: &str| {
    ///     let step = transcoder.step(chunk.as_bytes(), &mut [0; 64], false);
    ///     assert_eq!(step.stop, Stop::SourceEmpty);
    ///     transcoder.checkpoint()
    /// };
    /// // The encoder leaves the shift state at the end of the line.
    /// assert_eq!(convert("日本"), None);
    /// let checkpoint = convert("\n").expect("ASCII follows");
    /// assert_eq!((checkpoint.source, checkpoint.output), (7, 11));
    /// ```
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let has_taken_all = !self.engine.input.is_opening() && self.engine.held.is_empty();
        let waits = self.engine.normalization.as_ref().is_some_and(|sequence| !sequence.is_empty());
        let is_exact = has_taken_all
            && !waits
            && self.stopped.is_none()
            && self.engine.input.decoder.is_initial()
            && self.engine.output.is_initial();
        is_exact.then(|| Checkpoint { source: self.engine.input.position.offset(), output: self.written })
    }
}
