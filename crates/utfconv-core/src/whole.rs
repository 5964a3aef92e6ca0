//! Whole texts in memory, without a [`Transcoder`](crate::Transcoder). A kernel converts well-formed text, and the
//! exact codec of the encoding converts only the sequences that stop the kernel.

use std::borrow::Cow;

use crate::decode::{Decode, Next, Several, Utf32Unit};
use crate::encode::TEXT;
use crate::encoding::{BomMeaning, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use crate::fault::{Fault, FaultKind};
use crate::form::Form;
use crate::kernel::Kernel;
use crate::kernel::generic::portable::COPIED;
use crate::kernel::sink::{GrowingSink, Sink, SliceSink, Utf8Sink, as_utf8};
use crate::position::Position;
use crate::transcode::{ROW, SHORT, Step, Stop};

/// Maximum number of bytes of UTF-8 that an exact encoder takes after a short run of a kernel.
const ENCODED_ROW: usize = 64;

/// Maximum number of code points that a decoder with shift states takes at a time.
const STATEFUL_ROW: usize = 256;

/// Room that a kernel needs for a block, in bytes.
const BLOCK_ROOM: usize = 192;

/// Decodes a text in memory. Its BOM is removed, and decides the byte order of [`UTF_16`](crate::UTF_16) and
/// [`UTF_32`](crate::UTF_32); [`UTF_16LE`] removes only a little-endian BOM. In encodings with shift states, U+FEFF is
/// text. Text whose bytes are UTF-8 already is borrowed: ASCII, and all text in [`UTF_8`].
///
/// # Errors
/// The first [`Fault`].
///
/// ```
/// use utfconv_core::{SHIFT_JIS, UTF_8, decode};
///
/// assert_eq!(decode(b"\x93\xFA\x96\x7B", &SHIFT_JIS)?, "日本");
/// assert_eq!(decode(b"\xEF\xBB\xBFn\xC3", &UTF_8).unwrap_err().offset, 4);
/// # Ok::<(), utfconv_core::Fault>(())
/// ```
pub fn decode<'t>(source: &'t [u8], from: &'static Encoding) -> Result<Cow<'t, str>, Fault> {
    decode_to_cow(source, from, false)
}

/// Decodes a text in memory, as [`decode`] does, with U+FFFD for each maximal subpart of an ill-formed sequence
/// (Unicode 3.9, D93b).
///
/// ```
/// use utfconv_core::{UTF_8, decode_lossy, encodings::WINDOWS_1252};
///
/// assert_eq!(decode_lossy(b"5 \x80", &WINDOWS_1252), "5 €");
/// assert_eq!(decode_lossy(b"caf\xC3", &UTF_8), "caf\u{FFFD}");
/// ```
#[must_use]
pub fn decode_lossy<'t>(source: &'t [u8], from: &'static Encoding) -> Cow<'t, str> {
    decode_to_cow(source, from, true).expect("every fault is replaced")
}

fn decode_to_cow<'t>(
    source: &'t [u8],
    from: &'static Encoding,
    is_lossy: bool,
) -> Result<Cow<'t, str>, Fault> {
    let source = Source::new(source, from);
    let borrowed = match source.from.form() {
        Form::Utf8 => as_utf8(source.text),
        _ => source.ascii(),
    };
    if let Some(text) = borrowed {
        return Ok(Cow::Borrowed(text));
    }
    // Most texts take at most two bytes of UTF-8 per byte, and kernels need room for a block.
    let room = 2 * source.text.len() + source.text.len().min(BLOCK_ROOM);
    let mut out = Utf8Sink::decoding(source.from, GrowingSink::with_room(room));
    let read = source.decode_run(&mut out);
    if read < source.text.len()
        && let (_, Stop::Stopped(fault)) = source.decode_rest(read, &mut out, is_lossy)
    {
        return Err(fault);
    }
    Ok(Cow::Owned(out.into_string()))
}

/// Decodes a text in memory, as [`decode`] does, into `dst` instead of a new buffer. If the text does not fit, no later
/// call continues it: decode it again with more room, because `dst` then holds an undefined part of the text. A byte
/// becomes at most 3 bytes of UTF-8, but 4 in SCSU and BOCU-1, and 12 in TSCII. In UTF-8, UTF-16, UTF-32 and code
/// pages, well-formed text takes no allocation, except in the first call of a process, which makes the tables.
///
/// [`Step::stop`] is [`Stop::SourceEmpty`], [`Stop::SinkFull`] or [`Stop::Stopped`].
///
/// ```
/// use utfconv_core::{Stop, UTF_16LE, decode_into};
///
/// let mut text = [0; 8];
/// let step = decode_into(b"h\0i\0", &UTF_16LE, &mut text);
/// assert_eq!((step.stop, &text[..step.written]), (Stop::SourceEmpty, &b"hi"[..]));
/// ```
pub fn decode_into(source: &[u8], from: &'static Encoding, dst: &mut [u8]) -> Step {
    let source = Source::new(source, from);
    let len = source.text.len();
    if len <= dst.len() && source.ascii().is_some() {
        for (piece, room) in source.text.chunks(COPIED).zip(dst.chunks_mut(COPIED)) {
            room[..piece.len()].copy_from_slice(piece);
        }
        return Step { read: source.bom_len + len, written: len, stop: Stop::SourceEmpty };
    }
    let mut out = Utf8Sink::decoding(source.from, SliceSink::new(dst));
    let read = source.decode_run(&mut out);
    if read == len {
        return Step { read: source.bom_len + read, written: out.text().len(), stop: Stop::SourceEmpty };
    }
    let (read, stop) = source.decode_rest(read, &mut out, false);
    Step { read: source.bom_len + read, written: out.text().len(), stop }
}

/// A text in memory, separated from its BOM.
struct Source<'t> {
    /// The encoding, with the byte order that the BOM gives.
    from: &'static Encoding,
    /// Length of the removed BOM, in bytes.
    bom_len: usize,
    text: &'t [u8],
}

impl<'t> Source<'t> {
    fn new(source: &'t [u8], from: &'static Encoding) -> Source<'t> {
        let has_bom = |row: &Encoding| {
            let bom = row.bom_bytes();
            // Most texts have no BOM, so compare a byte before a call compares all of them.
            !bom.is_empty() && source.first() == bom.first() && source.starts_with(bom)
        };
        let (from, bom_len) = match from.bom_meaning() {
            BomMeaning::ByteOrder { le, be } => match [le, be].into_iter().find(|row| has_bom(row)) {
                Some(row) => (row, row.bom_bytes().len()),
                None => (from.in_order(), 0),
            },
            _ if has_bom(from) => (from, from.bom_bytes().len()),
            _ => (from, 0),
        };
        Source { from, bom_len, text: &source[bom_len..] }
    }

    /// Returns the text if it is ASCII that is the same in UTF-8.
    fn ascii(&self) -> Option<&'t str> {
        self.from.utf8_kernels().as_ascii(self.from, self.text)
    }

    /// Decodes the front of the text, as far as a kernel can decode it. Returns the number of bytes read.
    #[inline]
    fn decode_run(&self, out: &mut Utf8Sink<impl Sink>) -> usize {
        if out.is_direct() { out.convert(self.text) } else { 0 }
    }

    /// Decodes the text from `read` on, where the kernel stopped. Returns the number of bytes of the text that were
    /// read, and why decoding ended there.
    #[inline(never)]
    fn decode_rest(&self, mut read: usize, out: &mut Utf8Sink<impl Sink>, is_lossy: bool) -> (usize, Stop) {
        // A kernel cannot follow shift states, so the exact decoder fills rows of code points.
        let mut row = if out.is_direct() { None } else { Some([[0; 4]; STATEFUL_ROW]) };
        let (mut run, mut exact) = (read, None);
        while read < self.text.len() {
            let decoder = exact.get_or_insert_with(|| (self.from.utf8_codec().decoder)(self.from.form()));
            if let Some(row) = &mut row {
                run = decode_row(&mut **decoder, &self.text[read..], row, out);
                read += run;
                if read == self.text.len() {
                    break;
                }
            }
            for _ in 0..if run < SHORT { ROW } else { 1 } {
                match self.decode_one(&mut **decoder, read, out, is_lossy) {
                    Ok(0) => break,
                    Ok(len) => read += len,
                    Err(stop) => return (read, stop),
                }
                decoder.commit();
                if read == self.text.len() {
                    return (read, Stop::SourceEmpty);
                }
            }
            if row.is_none() {
                run = out.convert(&self.text[read..]);
                read += run;
            }
        }
        (read, Stop::SourceEmpty)
    }

    /// Decodes the sequence at `read`, or writes U+FFFD for a fault if `is_lossy`. Returns the length of the sequence
    /// in bytes.
    fn decode_one(
        &self,
        decoder: &mut dyn Decode,
        read: usize,
        out: &mut Utf8Sink<impl Sink>,
        is_lossy: bool,
    ) -> Result<usize, Stop> {
        let rest = &self.text[read..];
        let next = decoder.next(rest, true);
        let (kind, len, count) = match (next, next.sequence()) {
            (Next::IllFormed(found), _) => {
                (self.from.ill_formed(&found, &rest[..found.len]), found.len, found.subparts)
            }
            (_, None) => return Ok(0),
            (_, Some((code_points, len))) => match scalars(&code_points) {
                Ok(mut scalars) => {
                    let is_written = scalars.all(|scalar| out.push(scalar));
                    return if is_written { Ok(len) } else { Err(Stop::SinkFull) };
                }
                // WTF-8 and UCS-4 have code points that UTF-8 does not have.
                Err(code_point) => (FaultKind::unmappable(&UTF_8, code_point), len, 1),
            },
        };
        if !is_lossy {
            // A BOM is not text, so it takes no column.
            let start = Position::new(self.bom_len as u64, 1, 1);
            return Err(Stop::Stopped(Fault::new(start.past(out.text(), read as u64), &rest[..len], kind)));
        }
        let is_written = (0..count).all(|_| out.push(char::REPLACEMENT_CHARACTER));
        if is_written { Ok(len) } else { Err(Stop::SinkFull) }
    }
}

/// Decodes code points at the front of `text`, if the decoder can fill a row. Returns the number of bytes decoded.
fn decode_row(
    decoder: &mut dyn Decode,
    text: &[u8],
    row: &mut [Utf32Unit; STATEFUL_ROW],
    out: &mut Utf8Sink<impl Sink>,
) -> usize {
    let Some((read, count)) = decoder.fill_row(text, row) else { return 0 };
    let taken = out.convert(row[..count].as_flattened()) / size_of::<Utf32Unit>();
    if taken == count {
        return read;
    }
    // Decode only the converted code points again, to count their bytes.
    decoder.rewind();
    decoder.fill_row(text, &mut row[..taken]).map_or(0, |(read, _)| read)
}

/// Returns the code points as scalar values, or the first code point that is not a scalar value.
fn scalars(code_points: &Several) -> Result<impl Iterator<Item = char>, u32> {
    match code_points.iter().find(|code_point| char::from_u32(**code_point).is_none()) {
        Some(code_point) => Err(*code_point),
        None => Ok(code_points.iter().filter_map(|code_point| char::from_u32(*code_point))),
    }
}

/// Decodes UTF-16, in which each `u16` is a code unit. [`Fault::offset`] is in bytes. A BOM at the start is removed.
///
/// # Errors
/// The [`Fault`] of the first unpaired surrogate.
///
/// ```
/// use utfconv_core::{decode_utf16, encode_utf16};
///
/// assert_eq!(decode_utf16(&[0x65E5, 0xD83D, 0xDE00])?, "日😀");
/// assert_eq!(decode_utf16(&[0x61, 0xD83D]).unwrap_err().offset, 2);
/// assert_eq!(encode_utf16("日😀"), [0x65E5, 0xD83D, 0xDE00]);
/// # Ok::<(), utfconv_core::Fault>(())
/// ```
pub fn decode_utf16(units: &[u16]) -> Result<String, Fault> {
    decode(bytemuck::cast_slice(units), HOST_UTF_16).map(Cow::into_owned)
}

/// Encodes a text in UTF-16, without a BOM. See [`decode_utf16`].
#[must_use]
pub fn encode_utf16(text: &str) -> Vec<u16> {
    // A code unit takes at least one byte of UTF-8, and kernels need room for a block.
    let mut units = vec![0; text.len() + BLOCK_ROOM];
    let step = encode_into(text, HOST_UTF_16, bytemuck::cast_slice_mut(&mut units));
    debug_assert_eq!(step.stop, Stop::SourceEmpty, "UTF-16 has every scalar value");
    units.truncate(step.written / size_of::<u16>());
    units
}

/// UTF-16 in the byte order of `u16`.
const HOST_UTF_16: &Encoding = if cfg!(target_endian = "big") { &UTF_16BE } else { &UTF_16LE };

/// Encodes a text. [`UTF_16`](crate::UTF_16) and [`UTF_32`](crate::UTF_32), in the byte order of the host, begin with a
/// BOM unless the text is empty; other encodings do not. Text whose bytes would not change is borrowed: ASCII in
/// encodings that contain it, and all text in [`UTF_8`].
///
/// # Errors
/// The [`Fault`] of the first character that the encoding does not have; [`convert`](crate::convert) with
/// [`OnUnmappable`](crate::OnUnmappable) writes `?` or `&#8364;` for it. U+FEFF is a character here, also at the start.
///
/// ```
/// use utfconv_core::{SHIFT_JIS, encode, encodings::WINDOWS_1252};
///
/// assert_eq!(encode("日本", &SHIFT_JIS)?, &b"\x93\xFA\x96\x7B"[..]);
/// assert_eq!(encode("5 €, 日本", &WINDOWS_1252).unwrap_err().column, 6);
/// # Ok::<(), utfconv_core::Fault>(())
/// ```
pub fn encode<'t>(text: &'t str, to: &'static Encoding) -> Result<Cow<'t, [u8]>, Fault> {
    if to.form() == Form::Utf8 || to.utf8_kernels().as_ascii(to, text.as_bytes()).is_some() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let Some(kernel) = to.utf8_kernels().encoding(to) else {
        let mut bytes = Vec::with_capacity(text.len() + BLOCK_ROOM);
        return match encode_rows(text, to, &mut bytes, |_| true) {
            (_, Stop::Stopped(fault)) => Err(fault),
            _ => Ok(Cow::Owned(bytes)),
        };
    };
    let mut out = GrowingSink::with_room(text.len() * to.code_unit_len() + BLOCK_ROOM);
    let read = encode_run(text, to, kernel, &mut out).expect("the buffer grows");
    if read < text.len()
        && let (_, Stop::Stopped(fault)) = encode_rest(text, to, kernel, read, &mut out)
    {
        return Err(fault);
    }
    Ok(Cow::Owned(out.into_bytes()))
}

/// Encodes a text, as [`encode`] does, into `dst` instead of a new buffer. If the text does not fit, no later call
/// continues it, so encode it again with more room. To UTF-8, UTF-16, UTF-32 and code pages, text that fits and has no
/// unmappable character is encoded without an allocation, except by the first call of a process, which makes the
/// tables.
///
/// [`Step::stop`] is [`Stop::SourceEmpty`], [`Stop::SinkFull`] or [`Stop::Stopped`].
///
/// ```
/// use utfconv_core::{Stop, UTF_16LE, encode_into};
///
/// let mut units = [0; 8];
/// let step = encode_into("hi", &UTF_16LE, &mut units);
/// assert_eq!((step.stop, &units[..step.written]), (Stop::SourceEmpty, &b"h\0i\0"[..]));
/// ```
pub fn encode_into(text: &str, to: &'static Encoding, dst: &mut [u8]) -> Step {
    let mut out = SliceSink::new(dst);
    let Some(kernel) = to.utf8_kernels().encoding(to) else {
        let take = |bytes: &mut Vec<u8>| {
            let fits = out.extend(bytes);
            bytes.clear();
            fits
        };
        let (read, stop) = encode_rows(text, to, &mut Vec::with_capacity(TEXT), take);
        return Step { read, written: out.written().len(), stop };
    };
    match encode_run(text, to, kernel, &mut out) {
        None => Step { read: 0, written: 0, stop: Stop::SinkFull },
        Some(read) if read == text.len() => {
            Step { read, written: out.written().len(), stop: Stop::SourceEmpty }
        }
        Some(read) => {
            let (read, stop) = encode_rest(text, to, kernel, read, &mut out);
            Step { read, written: out.written().len(), stop }
        }
    }
}

/// Writes the BOM, and encodes the front of `text`, as far as the kernel can encode it. Returns the number of bytes of
/// `text` that were encoded, or `None` if there is no room for the BOM.
#[inline]
fn encode_run(text: &str, to: &'static Encoding, kernel: &Kernel, out: &mut impl Sink) -> Option<usize> {
    let bom = bom_before(text, to);
    let has_room = bom.is_empty() || out.extend(bom);
    has_room.then(|| out.convert(kernel, text.as_bytes()))
}

/// Encodes `text` from `read` on, where the kernel stopped. Returns the number of bytes of `text` that were encoded,
/// and why encoding ended there.
#[inline(never)]
fn encode_rest(
    text: &str,
    to: &'static Encoding,
    kernel: &Kernel,
    mut read: usize,
    out: &mut impl Sink,
) -> (usize, Stop) {
    let mut encoder = (to.utf8_codec().encoder)(to.form());
    let (mut run, mut bytes) = (read, Vec::new());
    while read < text.len() {
        let rest = &text[read..];
        let len = if run < SHORT {
            encoder.encode_text(front(rest, ENCODED_ROW), &mut bytes)
        } else {
            let first = rest.chars().next().filter(|scalar| encoder.encode((*scalar).into(), &mut bytes));
            first.map_or(0, char::len_utf8)
        };
        if len == 0 {
            return (read, Stop::Stopped(unmappable(text, read, to)));
        }
        if !out.extend(&bytes) {
            return (read, Stop::SinkFull);
        }
        bytes.clear();
        read += len;
        run = if encoder.at_rest() { out.convert(kernel, &text.as_bytes()[read..]) } else { 0 };
        read += run;
    }
    encoder.finish(&mut bytes);
    (read, if out.extend(&bytes) { Stop::SourceEmpty } else { Stop::SinkFull })
}

/// Encodes `text` in an encoding that has no kernel. Calls `take` for the bytes of each row, and stops if it returns
/// false. Returns the number of bytes of `text` that were encoded, and why encoding ended there.
#[inline(never)]
fn encode_rows(
    text: &str,
    to: &'static Encoding,
    bytes: &mut Vec<u8>,
    mut take: impl FnMut(&mut Vec<u8>) -> bool,
) -> (usize, Stop) {
    let mut encoder = (to.utf8_codec().encoder)(to.form());
    let mut read = 0;
    while read < text.len() {
        let len = encoder.encode_text(front(&text[read..], TEXT), bytes);
        if len == 0 {
            return (read, Stop::Stopped(unmappable(text, read, to)));
        }
        if !take(bytes) {
            return (read, Stop::SinkFull);
        }
        read += len;
    }
    encoder.finish(bytes);
    (read, if take(bytes) { Stop::SourceEmpty } else { Stop::SinkFull })
}

/// Returns the whole characters in the first `most` bytes of `text`.
fn front(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Returns the BOM to write before `text`; empty if `text` is empty or itself begins with U+FEFF.
fn bom_before(text: &str, to: &'static Encoding) -> &'static [u8] {
    let has_bom = matches!(to.bom_meaning(), BomMeaning::ByteOrder { .. });
    if has_bom && !text.is_empty() && !text.starts_with('\u{FEFF}') { to.in_order().bom_bytes() } else { &[] }
}

/// Returns the fault for the first character of `text[read..]`.
fn unmappable(text: &str, read: usize, to: &'static Encoding) -> Fault {
    let (before, rest) = text.as_bytes().split_at(read);
    let scalar = text[read..].chars().next().unwrap_or_default();
    let position = Position::default().past(before, read as u64);
    Fault::new(position, &rest[..scalar.len_utf8()], FaultKind::unmappable(to, scalar.into()))
}
