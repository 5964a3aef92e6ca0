//! A reader that decodes: UTF-8 out of a source in any encoding.

use std::io::{self, BufRead, ErrorKind, Read};

use std::ops::Range;

use crate::bom::{InputBom, OutputBom};
use crate::encoding::{Encoding, UTF_8};
use crate::fault::FaultCounts;
use crate::stream::{Stopped, convert};
use crate::transcode::{Options, Step, Stop, Transcoder};

/// Decodes the bytes of another reader to UTF-8. The BOM of the source is removed in every encoding, even if its name
/// has the byte order, as UTF-16LE does. With [`InputBom::Keep`] and [`InputBom::Text`], it stays as U+FEFF, and
/// [`InputBom::Forbid`] reports it.
///
/// The reader has its own buffer, so the source need not be buffered. A read error of the source is returned unchanged,
/// and reading may continue after it. A fault whose policy is to stop is an error of the kind
/// [`ErrorKind::InvalidData`] with the [`Fault`](crate::Fault) inside. This error is returned after all text before the
/// fault. All other faults are counted ([`DecodeReader::counts`]).
///
/// The reader does not implement [`Seek`](std::io::Seek), because the offset in the source is unknown until all earlier
/// text is decoded, and because earlier shift states or a BOM affect later text.
///
/// ```
/// use std::io::Read;
/// use utfconv_core::{DecodeReader, Fault, Options, UTF_16LE};
///
/// let mut text = String::new();
/// DecodeReader::new(&b"h\0i\0"[..], &UTF_16LE, Options::default()).read_to_string(&mut text)?;
/// assert_eq!(text, "hi");
///
/// let error = DecodeReader::new(&b"\0\xD8"[..], &UTF_16LE, Options::default()).read(&mut [0; 8]).unwrap_err();
/// let fault = error.get_ref().and_then(|inner| inner.downcast_ref::<Fault>()).expect("a fault");
/// assert_eq!(fault.to_string(), "invalid UTF-16LE (lone high surrogate) at byte 0: 00 D8: high surrogate U+D800 without a low surrogate after it");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct DecodeReader<R> {
    source: R,
    transcoder: Transcoder,
    buffer: Box<[u8]>,
    /// Range of `buffer` that was read and is not yet decoded.
    unread: Range<usize>,
    /// True if the source has ended.
    is_last: bool,
    /// True if no more text will follow.
    is_done: bool,
    /// Decoded text that [`BufRead`] hands out, filled on request.
    text: Vec<u8>,
    /// Range of `text` that is not yet consumed.
    rest: Range<usize>,
}

impl<R: Read> DecodeReader<R> {
    /// The size of the buffer for the source, in bytes.
    const BUFFER: usize = 16 << 10;

    /// Decodes `source`, which is in `from`. Settings of `options` about the output do not apply, because the output is
    /// UTF-8.
    pub fn new(source: R, from: &'static Encoding, options: Options) -> DecodeReader<R> {
        let mut transcoder = Transcoder::new(from, &UTF_8, reader_options(options));
        transcoder.count_faults();
        DecodeReader {
            source,
            transcoder,
            buffer: vec![0; Self::BUFFER].into(),
            unread: 0..0,
            is_last: false,
            is_done: false,
            text: Vec::new(),
            rest: 0..0,
        }
    }

    /// Decodes a `source` whose BOM decides between UTF-8, UTF-16 and UTF-32; without a BOM, it is in `otherwise`.
    /// Replaces [`Options::input_bom`].
    ///
    /// ```
    /// use std::io::Read;
    /// use utfconv_core::{DecodeReader, Options, UTF_8};
    ///
    /// let mut text = String::new();
    /// DecodeReader::sniffing(&b"\xFF\xFEh\0i\0"[..], &UTF_8, Options::default()).read_to_string(&mut text)?;
    /// assert_eq!(text, "hi");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn sniffing(source: R, otherwise: &'static Encoding, mut options: Options) -> DecodeReader<R> {
        options.input_bom = InputBom::Sniff;
        DecodeReader::new(source, otherwise, options)
    }

    /// Returns the encoding of the source, with its byte order decided once the BOM was read. See
    /// [`DecodeReader::counts`].
    pub fn encoding(&self) -> &'static Encoding {
        self.transcoder.encoding()
    }

    /// Returns the number of faults, since the last call, that did not end the conversion.
    ///
    /// ```
    /// use std::io::Read;
    /// use utfconv_core::{DecodeReader, OnIllFormed, Options, Policy, UTF_16, UTF_16BE};
    ///
    /// let policy = Policy::default().ill_formed(OnIllFormed::Replace(None));
    /// let mut reader = DecodeReader::new(&b"\xFE\xFF\xD8\0\0!"[..], &UTF_16, Options::default().policy(policy));
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!((text.as_str(), reader.counts().ill_formed()), ("\u{FFFD}!", 1));
    /// assert_eq!(reader.encoding(), &UTF_16BE);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn counts(&mut self) -> FaultCounts {
        self.transcoder.take_fault_counts()
    }

    /// Returns the source. Up to 16 KiB that were read but not yet decoded are lost. See [`DecodeReader`].
    pub fn into_inner(self) -> R {
        self.source
    }

    /// Reads the next bytes of the source into `buffer`.
    fn refill(&mut self) -> io::Result<()> {
        let len = loop {
            match self.source.read(&mut self.buffer) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        (self.unread, self.is_last) = (0..len, len == 0);
        Ok(())
    }
}

impl<R: Read> DecodeReader<R> {
    fn decode(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.is_done && !into.is_empty() {
            let src = &self.buffer[self.unread.clone()];
            let Step { read, written, stop } = self.transcoder.step(src, into, self.is_last);
            self.unread.start += read;
            if written > 0 {
                return Ok(written);
            }
            match stop {
                Stop::SourceEmpty if self.is_last => self.is_done = true,
                Stop::SourceEmpty => self.refill()?,
                Stop::Stopped(fault) => {
                    self.is_done = true;
                    return Err(io::Error::new(ErrorKind::InvalidData, fault));
                }
                Stop::SinkFull | Stop::Fault(_) | Stop::Notice(_) => {}
            }
        }
        Ok(0)
    }
}

impl<R: Read> Read for DecodeReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            return self.decode(into);
        }
        let len = (&self.text[self.rest.clone()]).read(into)?;
        self.consume(len);
        Ok(len)
    }
}

/// Gives decoded text in buffers, or by line. A buffer may end inside a character, but a line does not.
///
/// ```
/// use std::io::BufRead;
/// use utfconv_core::{DecodeReader, Options, UTF_16LE};
///
/// let reader = DecodeReader::new(&b"a\0\n\0\xE9\0"[..], &UTF_16LE, Options::default());
/// assert_eq!(reader.lines().collect::<Result<Vec<_>, _>>()?, ["a", "é"]);
/// # Ok::<(), std::io::Error>(())
/// ```
impl<R: Read> BufRead for DecodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.rest.is_empty() {
            let mut text = std::mem::take(&mut self.text);
            text.resize(Self::BUFFER, 0);
            let len = self.decode(&mut text);
            self.text = text;
            self.rest = 0..len?;
        }
        Ok(&self.text[self.rest.clone()])
    }

    fn consume(&mut self, len: usize) {
        self.rest.start = self.rest.end.min(self.rest.start + len);
    }
}

/// Returns the options to decode without the BOM of the source, unless they keep it.
fn reader_options(options: Options) -> Options {
    // With `InputBom::Auto`, encodings whose name has the byte order have no BOM, so U+FEFF would stay as text.
    let input_bom = match options.input_bom {
        InputBom::Auto => InputBom::Strip,
        other => other,
    };
    let output_bom = if input_bom == InputBom::Keep { OutputBom::Auto } else { OutputBom::Never };
    options.input_bom(input_bom).output_bom(output_bom)
}

/// Decodes a text in memory to a string, with BOMs as in [`DecodeReader`]. Settings of `options` about the output do
/// not apply. Bytes that the policies [`Raw`](crate::OnIllFormed::Raw) and [`Carry`](crate::OnIllFormed::Carry) copy
/// become U+FFFD.
///
/// # Errors
/// [`Stopped`] at the first fault whose policy is to stop.
///
/// ```
/// use utfconv_core::{Encoding, InputBom, Options, UTF_8, decode_to_string};
///
/// let koi8 = Encoding::for_name("KOI8-R").expect("a name");
/// assert_eq!(decode_to_string(b"\xC4\xC1", koi8, &Options::default())?, "да");
/// assert_eq!(decode_to_string(b"\xFF\xFEa\0", &utfconv_core::UTF_16LE, &Options::default())?, "a");
/// # Ok::<(), Box<utfconv_core::Stopped>>(())
/// ```
pub fn decode_to_string(
    source: &[u8],
    from: &'static Encoding,
    options: &Options,
) -> Result<String, Box<Stopped>> {
    let output = convert(source, from, &UTF_8, &reader_options(options.clone()))?.output;
    Ok(String::from_utf8(output)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OnIllFormed, Policy, UTF_16, UTF_16BE};

    /// A reader that gives at most `step` bytes at a time, with an error in between if `interrupts`.
    struct Slow<'a> {
        rest: &'a [u8],
        step: usize,
        interrupts: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.interrupts = !self.interrupts;
            if self.interrupts {
                return Err(ErrorKind::Interrupted.into());
            }
            let len = self.step.min(self.rest.len()).min(into.len());
            into[..len].copy_from_slice(&self.rest[..len]);
            self.rest = &self.rest[len..];
            Ok(len)
        }
    }

    /// Reads everything, `size` bytes at a time. Returns the bytes, and the error that ended the reading.
    fn all(mut reader: impl Read, size: usize) -> (Vec<u8>, Option<String>) {
        let (mut all, mut buffer) = (Vec::new(), vec![0; size]);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return (all, None),
                Ok(len) => all.extend_from_slice(&buffer[..len]),
                Err(error) => {
                    assert_eq!(reader.read(&mut buffer).expect("nothing more"), 0);
                    return (all, Some(error.to_string()));
                }
            }
        }
    }

    #[test]
    fn every_buffer_size_gives_the_same_text() {
        let text = "\u{FEFF}aé日😀\n".repeat(30);
        let source: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let expected = text.trim_start_matches('\u{FEFF}');
        for size in 1..300 {
            for step in [1, 2, 3, 7, 64, 1000] {
                let slow = Slow { rest: &source, step, interrupts: false };
                let reader = DecodeReader::new(slow, &UTF_16, Options::default());
                assert_eq!(all(reader, size), (expected.as_bytes().to_vec(), None), "{size} {step}");
            }
        }
    }

    /// Reads by line and reads into a buffer may alternate in any order.
    #[test]
    fn buffered_reads_give_the_same_text() {
        let text = "aé日😀\n".repeat(3000);
        let source: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for size in [1, 2, 5, 1000, 20_000] {
            let mut reader = DecodeReader::new(&source[..], &UTF_16BE, Options::default());
            let (mut all, mut buffer) = (Vec::new(), vec![0; size]);
            loop {
                let line = reader.read_until(b'\n', &mut all).expect("a line");
                let len = reader.read(&mut buffer).expect("reads");
                all.extend_from_slice(&buffer[..len]);
                if line == 0 && len == 0 {
                    break;
                }
            }
            assert!(all == text.as_bytes(), "{size}");
        }
        let mut reader = DecodeReader::new(&b"\0a\xD8\0\0c"[..], &UTF_16BE, Options::default());
        assert_eq!(reader.fill_buf().expect("text"), b"a");
        reader.consume(1);
        assert_eq!(reader.fill_buf().expect_err("a fault").kind(), ErrorKind::InvalidData);
        assert_eq!(reader.fill_buf().expect("the end"), b"");
    }

    #[test]
    fn text_before_a_fault_is_read_first() {
        for size in 1..40 {
            let reader = DecodeReader::new(&b"\0a\0b\xD8\0\0c"[..], &UTF_16BE, Options::default());
            let (text, error) = all(reader, size);
            assert_eq!(text, b"ab");
            let expected = "invalid UTF-16BE (lone high surrogate) at byte 4: D8 00: high surrogate U+D800 without a low surrogate after it";
            assert_eq!(error.as_deref(), Some(expected));
        }
    }

    #[test]
    fn the_bom_of_every_encoding_is_removed_or_kept() {
        for name in ["UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE", "CESU-8"] {
            let from = Encoding::for_name(name).expect("a name");
            let written = |text: &str| {
                let options = Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never);
                convert(text.as_bytes(), &UTF_8, from, &options).expect("has them").output
            };
            let (source, options) = (written("\u{FEFF}\u{FEFF}é"), Options::default());
            // A U+FEFF after the BOM is text.
            assert_eq!(decode_to_string(&source, from, &options).expect(name), "\u{FEFF}é", "{name}");
            let (read, error) = all(DecodeReader::new(&source[..], from, options.clone()), 64);
            assert_eq!((read, error), ("\u{FEFF}é".into(), None), "{name}");
            for keeping in [InputBom::Text, InputBom::Keep] {
                let kept =
                    decode_to_string(&source, from, &Options::default().input_bom(keeping)).expect(name);
                assert_eq!(kept, "\u{FEFF}\u{FEFF}é", "{name}, {keeping:?}");
            }
        }
    }

    #[test]
    fn faults_that_are_replaced_are_counted() {
        let options = Options::default().policy(Policy::default().ill_formed(OnIllFormed::Replace(None)));
        let mut reader = DecodeReader::sniffing(&b"\xEF\xBB\xBFa\xFFb\xC0"[..], &UTF_16, options);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("replaces");
        assert_eq!((text.as_str(), reader.encoding()), ("a\u{FFFD}b\u{FFFD}", &UTF_8));
        assert_eq!(reader.counts().ill_formed(), 2);
    }

    #[test]
    fn reading_continues_after_a_read_error() {
        struct Flaky(usize);
        impl Read for Flaky {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 {
                    1 => Err(ErrorKind::WouldBlock.into()),
                    2 => {
                        into[0] = b'a';
                        Ok(1)
                    }
                    _ => Ok(0),
                }
            }
        }
        let mut reader = DecodeReader::new(Flaky(0), &UTF_8, Options::default());
        assert_eq!(reader.read(&mut [0; 4]).expect_err("would block").kind(), ErrorKind::WouldBlock);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("reads");
        assert_eq!(text, "a");
    }
}
