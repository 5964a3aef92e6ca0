//! A writer that encodes UTF-8 into a sink in any encoding.

use std::io::{self, ErrorKind, Write};

use crate::encoding::{Encoding, UTF_8};
use crate::fault::FaultCounts;
use crate::stream::{More, Pump};
use crate::transcode::{Options, Stop, Transcoder};

/// Encodes the UTF-8 that is written to it, and writes the result to another writer.
///
/// [`EncodeWriter::finish`] ends the text; without it, a character cut by the end is lost, and a shift state stays
/// open. Each call writes all that can be encoded; put a [`BufWriter`](std::io::BufWriter) around the writer for many
/// small writes. A fault whose policy is to stop is an error of the kind [`ErrorKind::InvalidData`] with the
/// [`Fault`](crate::Fault) inside; the text before the fault is written. Each later call returns the same error, and
/// `finish` then does not return the sink; pass `&mut sink` to keep the sink. All other faults are counted
/// ([`EncodeWriter::counts`]). [`Options::input_bom`] applies to U+FEFF at the start of the text.
///
/// ```
/// use std::io::Write;
/// use utfconv_core::{EncodeWriter, Options, UTF_16LE};
///
/// let mut writer = EncodeWriter::new(Vec::new(), &UTF_16LE, Options::default());
/// write!(writer, "{}°", 20)?;
/// assert_eq!(writer.finish()?, b"2\x000\0\xB0\0");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct EncodeWriter<W> {
    sink: W,
    transcoder: Transcoder,
    buffer: Box<[u8]>,
}

impl<W: Write> EncodeWriter<W> {
    /// The size of the largest write to the sink, in bytes.
    const BUFFER: usize = 16 << 10;

    /// Creates a writer that encodes text in `to`.
    pub fn new(sink: W, to: &'static Encoding, options: Options) -> EncodeWriter<W> {
        let mut transcoder = Transcoder::new(&UTF_8, to, options);
        transcoder.count_faults();
        EncodeWriter { sink, transcoder, buffer: vec![0; Self::BUFFER].into() }
    }

    /// Returns the number of faults, since the last call, that did not end the conversion.
    ///
    /// ```
    /// use std::io::Write;
    /// use utfconv_core::{EncodeWriter, OnUnmappable, Options, Policy, US_ASCII};
    ///
    /// let policy = Policy::default().unmappable(OnUnmappable::Replace(None));
    /// let mut writer = EncodeWriter::new(Vec::new(), &US_ASCII, Options::default().policy(policy));
    /// writer.write_all("5 €".as_bytes())?;
    /// assert_eq!(writer.counts().unmappable(), 1);
    /// assert_eq!(writer.finish()?, b"5 ?");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn counts(&mut self) -> FaultCounts {
        self.transcoder.take_fault_counts()
    }

    /// Ends the text, and returns the sink. See [`EncodeWriter`].
    ///
    /// # Errors
    /// The errors of a write, or of flushing the sink.
    pub fn finish(mut self) -> io::Result<W> {
        self.encode(&[], true)?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    fn encode(&mut self, text: &[u8], last: bool) -> io::Result<()> {
        let mut fault = None;
        let mut take = |stop| {
            if let Stop::Stopped(stopped) = stop {
                fault = Some(stopped);
            }
            More::Count
        };
        let mut pump = Pump::new(&mut self.transcoder, &mut self.sink, &mut self.buffer);
        let _ = pump.feed(text, last, &mut take)?;
        pump.flush()?;
        fault.map_or(Ok(()), |fault| Err(io::Error::new(ErrorKind::InvalidData, fault)))
    }
}

impl<W: Write> Write for EncodeWriter<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.encode(text, false)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encodings::ISO_2022_JP;
    use crate::{Fault, ISO_8859_1, OutputBom, UTF_16, convert};

    #[test]
    fn writes_of_every_size_give_the_same_output() {
        let text = "aé日😀本\n".repeat(20);
        for to in [&UTF_16, &UTF_8] {
            let options = Options::default().output_bom(OutputBom::Auto);
            let expected = convert(text.as_bytes(), &UTF_8, to, &options).unwrap().output;
            for size in 1..40 {
                let mut writer = EncodeWriter::new(Vec::new(), to, options.clone());
                for chunk in text.as_bytes().chunks(size) {
                    assert_eq!(writer.write(chunk).unwrap(), chunk.len());
                }
                assert_eq!(writer.finish().unwrap(), expected, "{to} {size}");
            }
        }
    }

    #[test]
    fn the_end_of_the_text_is_written_and_checked() {
        let mut writer = EncodeWriter::new(Vec::new(), &ISO_2022_JP, Options::default());
        writer.write_all("日".as_bytes()).unwrap();
        assert_eq!(writer.finish().unwrap(), b"\x1B$BF|\x1B(B");
        let mut writer = EncodeWriter::new(Vec::new(), &ISO_8859_1, Options::default());
        writer.write_all(b"a\xC3").unwrap();
        let error = writer.finish().unwrap_err();
        let fault = error.get_ref().and_then(|inner| inner.downcast_ref::<Fault>()).expect("a fault");
        assert_eq!((error.kind(), fault.offset), (ErrorKind::InvalidData, 1));
    }

    #[test]
    fn text_before_a_fault_is_written() {
        let mut sink = Vec::new();
        let mut writer = EncodeWriter::new(&mut sink, &ISO_8859_1, Options::default());
        for _ in 0..2 {
            let error = writer.write("é日".as_bytes()).unwrap_err();
            assert_eq!(
                error.to_string(),
                "unmappable character at byte 2: E6 97 A5: U+65E5 \"日\" cannot be encoded in ISO-8859-1"
            );
        }
        drop(writer);
        assert_eq!(sink, b"\xE9");
    }
}
