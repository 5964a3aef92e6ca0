//! Sinks for whole texts, which kernels and exact codecs write to: a buffer that grows, and a buffer of the caller.

#![allow(unsafe_code)]

use super::Kernel;
use crate::encoding::{Encoding, UTF_32LE};

/// A kernel with at least this many free bytes does not stop for lack of room.
const ENOUGH: usize = 64;

/// Maximum size in bytes of a freed block that `malloc` of glibc reuses at once. `calloc` does so only since glibc 2.41.
const REUSED: usize = 1032;

/// A destination to which kernels and exact codecs write a text.
pub(crate) trait Sink {
    /// Converts the front of `src`, as far as the kernel can convert it. Returns the number of bytes read.
    fn convert(&mut self, kernel: &Kernel, src: &[u8]) -> usize;

    /// Appends `bytes`. Returns false, and writes nothing, if the sink has no room for them.
    fn extend(&mut self, bytes: &[u8]) -> bool;

    /// Returns the output so far.
    fn written(&self) -> &[u8];
}

/// A sink whose buffer grows.
pub(crate) struct GrowingSink {
    /// The output, followed by unused bytes.
    buffer: Vec<u8>,
    /// Number of bytes of output.
    len: usize,
}

impl GrowingSink {
    /// Creates a buffer with room for `bytes` bytes.
    // A macro `vec!` of zeros calls `calloc`, which takes longer than `malloc` and filling if the block is small.
    #[allow(clippy::slow_vector_initialization)]
    pub fn with_room(bytes: usize) -> GrowingSink {
        let room = bytes + ENOUGH;
        if room > REUSED {
            return GrowingSink { buffer: vec![0; room], len: 0 };
        }
        let mut buffer = Vec::with_capacity(room);
        buffer.resize(room, 0);
        GrowingSink { buffer, len: 0 }
    }

    pub fn into_bytes(mut self) -> Vec<u8> {
        self.buffer.truncate(self.len);
        self.buffer
    }
}

impl Sink for GrowingSink {
    fn convert(&mut self, kernel: &Kernel, src: &[u8]) -> usize {
        let mut read = 0;
        loop {
            let (r, w) = kernel(&src[read..], &mut self.buffer[self.len..]);
            (read, self.len) = (read + r, self.len + w);
            if read == src.len() || self.buffer.len() - self.len >= ENOUGH {
                return read;
            }
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
    }

    fn extend(&mut self, bytes: &[u8]) -> bool {
        let end = self.len + bytes.len();
        if end > self.buffer.len() {
            self.buffer.resize(2 * end, 0);
        }
        self.buffer[self.len..end].copy_from_slice(bytes);
        self.len = end;
        true
    }

    fn written(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

/// A sink that writes to a buffer of the caller.
pub(crate) struct SliceSink<'d> {
    buffer: &'d mut [u8],
    /// Number of bytes of output.
    len: usize,
}

impl<'d> SliceSink<'d> {
    pub fn new(buffer: &'d mut [u8]) -> SliceSink<'d> {
        SliceSink { buffer, len: 0 }
    }
}

impl Sink for SliceSink<'_> {
    fn convert(&mut self, kernel: &Kernel, src: &[u8]) -> usize {
        let (read, written) = kernel(src, &mut self.buffer[self.len..]);
        self.len += written;
        read
    }

    fn extend(&mut self, bytes: &[u8]) -> bool {
        let Some(room) = self.buffer.get_mut(self.len..self.len + bytes.len()) else { return false };
        room.copy_from_slice(bytes);
        self.len += bytes.len();
        true
    }

    fn written(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

/// A sink that holds whole scalar values in UTF-8 and nothing else.
pub(crate) struct Utf8Sink<S> {
    kernel: Option<&'static Kernel>,
    /// Whether the kernel converts the source, and not the code points of its decoder.
    is_direct: bool,
    sink: S,
}

impl<S: Sink> Utf8Sink<S> {
    /// Creates a sink for text that is decoded from `from`. The sink converts with the kernel of `from` or, if `from`
    /// has shift states, with the kernel from UTF-32LE, in which its decoder gives code points.
    ///
    /// # Panics
    /// If `sink` is not empty.
    #[inline]
    pub fn decoding(from: &'static Encoding, sink: S) -> Utf8Sink<S> {
        assert!(sink.written().is_empty(), "what is in it may not be UTF-8");
        let direct = from.utf8_kernels().decoding(from);
        let kernel = direct.or_else(|| UTF_32LE.utf8_kernels().decoding(&UTF_32LE));
        Utf8Sink { kernel, is_direct: direct.is_some(), sink }
    }

    /// Whether [`Utf8Sink::convert`] takes the source; otherwise, it takes UTF-32LE, because the source has shift states.
    pub fn is_direct(&self) -> bool {
        self.is_direct
    }

    /// Decodes the front of `src`, as far as the kernel can decode it. Returns the number of bytes read.
    pub fn convert(&mut self, src: &[u8]) -> usize {
        self.kernel.map_or(0, |kernel| self.sink.convert(kernel, src))
    }

    /// Appends a scalar value. Returns false if the sink has no room for it.
    pub fn push(&mut self, scalar: char) -> bool {
        self.sink.extend(scalar.encode_utf8(&mut [0; 4]).as_bytes())
    }

    /// Returns the text so far.
    pub fn text(&self) -> &[u8] {
        self.sink.written()
    }
}

impl Utf8Sink<GrowingSink> {
    pub fn into_string(self) -> String {
        let bytes = self.sink.into_bytes();
        debug_assert!(str::from_utf8(&bytes).is_ok(), "kernels to UTF-8 write well-formed text");
        // SAFETY: the sink was empty, and each call of `convert` and `push` appended whole scalar values in UTF-8. Kernels to
        // UTF-8 write nothing else, whatever the source; their tests compare them with std.
        unsafe { String::from_utf8_unchecked(bytes) }
    }
}

/// Returns `text` as a string if it is ASCII.
pub(crate) fn as_ascii(text: &[u8]) -> Option<&str> {
    // SAFETY: all bytes are below 80, and ASCII is UTF-8.
    text.is_ascii().then(|| unsafe { str::from_utf8_unchecked(text) })
}

/// Returns `text` as a string if it is well-formed UTF-8.
pub(crate) fn as_utf8(text: &[u8]) -> Option<&str> {
    // SAFETY: the well-formed prefix of `text` is the whole text.
    (super::well_formed_utf8(text) == text.len()).then(|| unsafe { str::from_utf8_unchecked(text) })
}
