//! The output of kernels for whole texts: a buffer that grows, or one of the caller.

#![allow(unsafe_code)]

use super::Kernel;

/// With this many bytes of room, no kernel stops for want of it before its next character.
const ENOUGH: usize = 64;

/// Where kernels and exact codecs write a text.
pub(crate) trait Room {
    /// Converts the front of `src`, as far as the kernel can. Returns the bytes read.
    fn convert(&mut self, kernel: &Kernel, src: &[u8]) -> usize;

    /// Appends `bytes`; false, with nothing written, if there is no room for them.
    fn extend(&mut self, bytes: &[u8]) -> bool;

    /// Returns the output so far.
    fn written(&self) -> &[u8];
}

/// A buffer that grows.
pub(crate) struct Growing {
    /// The output, and room after it.
    buffer: Vec<u8>,
    /// Bytes of output.
    len: usize,
}

impl Growing {
    /// A buffer with room for so many bytes.
    pub fn with_room(bytes: usize) -> Growing {
        Growing { buffer: vec![0; bytes + ENOUGH], len: 0 }
    }

    /// Returns the output.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.buffer.truncate(self.len);
        self.buffer
    }
}

impl Room for Growing {
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

/// A buffer of the caller.
pub(crate) struct Fixed<'d> {
    buffer: &'d mut [u8],
    /// Bytes of output.
    len: usize,
}

impl<'d> Fixed<'d> {
    pub fn new(buffer: &'d mut [u8]) -> Fixed<'d> {
        Fixed { buffer, len: 0 }
    }

    /// Returns how many bytes of output there are.
    pub fn len(&self) -> usize {
        self.len
    }
}

impl Room for Fixed<'_> {
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

/// Room for text in UTF-8, and nothing else.
pub(crate) struct Utf8<'k, R> {
    /// A kernel to UTF-8.
    kernel: Option<&'k Kernel>,
    room: R,
}

impl<'k, R: Room> Utf8<'k, R> {
    /// `kernel` converts to UTF-8, and `room` is empty.
    pub fn new(kernel: Option<&'k Kernel>, room: R) -> Utf8<'k, R> {
        Utf8 { kernel, room }
    }

    /// Decodes the front of `src`, as far as the kernel can. Returns the bytes read.
    pub fn convert(&mut self, src: &[u8]) -> usize {
        self.kernel.map_or(0, |kernel| self.room.convert(kernel, src))
    }

    /// Appends a scalar value; false if there is no room for it.
    pub fn push(&mut self, scalar: char) -> bool {
        self.room.extend(scalar.encode_utf8(&mut [0; 4]).as_bytes())
    }

    /// Returns the text so far.
    pub fn text(&self) -> &[u8] {
        self.room.written()
    }

    /// Returns the room, with the text.
    pub fn into_room(self) -> R {
        self.room
    }
}

impl Utf8<'_, Growing> {
    /// Returns the text.
    pub fn into_string(self) -> String {
        let bytes = self.room.into_bytes();
        debug_assert!(str::from_utf8(&bytes).is_ok(), "kernels to UTF-8 write well-formed text");
        // SAFETY: the room was empty, and each call of `convert` and `push` appended whole scalar values in UTF-8. Kernels to
        // UTF-8 write nothing else, whatever the source; their tests compare them with std.
        unsafe { String::from_utf8_unchecked(bytes) }
    }
}

/// Returns a text that is ASCII; `None` for others.
pub(crate) fn ascii(text: &[u8]) -> Option<&str> {
    // SAFETY: ASCII is UTF-8.
    text.is_ascii().then(|| unsafe { str::from_utf8_unchecked(text) })
}

/// Returns a text that is well-formed UTF-8; `None` for others.
pub(crate) fn utf8(text: &[u8]) -> Option<&str> {
    // SAFETY: all of the text is well-formed UTF-8.
    (super::well_formed_utf8(text) == text.len()).then(|| unsafe { str::from_utf8_unchecked(text) })
}
