//! The multi-byte encodings of the WHATWG Encoding Standard, which the decoders and encoders of encoding_rs implement.
//! Each error has the bytes that the standard gives it, and the bytes that the standard gives back are read again.
//!
//! encoding_rs reports the length of a malformed sequence, and keeps the bytes that it gives back for its next call. So
//! a whole run goes to one decoder, up to its first error, and a single sequence goes to a new decoder, a byte at a
//! time. After an error, a new decoder starts after the malformed bytes, which has the effect of giving bytes back.
//! Only ISO-2022-JP has states between its characters; its escape sequences are parsed here, and its two-byte codes are
//! decoded by encoding_rs.

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use crate::decode::{Decode, Next, WINDOW};
use crate::encode::{Encode, WIDEST};
use crate::fault::IllFormed;
use crate::position::{Extent, measure_bytes};

/// Decodes and encodes an encoding without states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Web(pub &'static Encoding);

/// Room in bytes that the decoders of encoding_rs require beyond their output.
const SLACK: usize = 16;

/// Maximum number of bytes that are encoded at a time.
const CHUNK: usize = 16 << 10;

impl Web {
    /// Decodes the well-formed prefix of `src` to UTF-8, up to the last whole sequence. Returns the numbers of bytes
    /// read and written.
    pub fn decode_run(self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        // A byte of the source becomes at most three bytes of UTF-8.
        let most = src.len().min(dst.len().saturating_sub(SLACK) / 3);
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(&src[..most], dst, false);
        // Number of bytes that were consumed but are not part of a whole character.
        let held = match result {
            DecoderResult::Malformed(len, more) => usize::from(len) + usize::from(more),
            DecoderResult::InputEmpty => held_at_end(decoder),
            DecoderResult::OutputFull => return (0, 0),
        };
        (read - held, written)
    }

    /// Returns the length of the well-formed prefix of `src`, in bytes.
    pub fn well_formed(self, src: &[u8]) -> usize {
        let mut text = [0; 3 * (4 << 10) + SLACK];
        let mut read = 0;
        loop {
            match self.decode_run(&src[read..], &mut text).0 {
                0 => return read,
                len => read += len,
            }
        }
    }

    /// Encodes the prefix of `src` that is well-formed UTF-8 and has codes. Returns the numbers of bytes read and
    /// written.
    pub fn encode_run(self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut encoder = self.0.new_encoder();
        let (mut read, mut written) = (0, 0);
        // Encode in chunks that grow, so that few bytes are validated uselessly if many characters have no code.
        let mut most = 64;
        loop {
            let chunk = &src[read..src.len().min(read + most)];
            most = (2 * most).min(CHUNK);
            let text = chunk.utf8_chunks().next().map_or("", |first| first.valid());
            if text.is_empty() {
                return (read, written);
            }
            let (result, r, w) =
                encoder.encode_from_utf8_without_replacement(text, &mut dst[written..], false);
            read += r;
            written += w;
            match result {
                EncoderResult::InputEmpty => {}
                EncoderResult::OutputFull => return (read, written),
                EncoderResult::Unmappable(scalar) => return (read - scalar.len_utf8(), written),
            }
        }
    }

    /// Returns the number of scalar values in `run`, which is well-formed.
    fn count(self, run: &[u8]) -> usize {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let mut units = [0; 1 << 10];
        let (mut read, mut count) = (0, 0);
        loop {
            let (result, r, written) =
                decoder.decode_to_utf16_without_replacement(&run[read..], &mut units, true);
            read += r;
            count += units[..written].iter().filter(|unit| !is_low_surrogate(**unit)).count();
            if result != DecoderResult::OutputFull {
                return count;
            }
        }
    }
}

fn is_low_surrogate(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

/// Returns the number of bytes at the end of the decoder's input that are an incomplete sequence.
fn held_at_end(mut decoder: encoding_rs::Decoder) -> usize {
    match decoder.decode_to_utf16_without_replacement(&[], &mut [0; 8], true).0 {
        DecoderResult::Malformed(len, _) => len.into(),
        DecoderResult::InputEmpty | DecoderResult::OutputFull => 0,
    }
}

impl Decode for Web {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let mut decoder = self.0.new_decoder_without_bom_handling();
        let mut units = [0; 8];
        for (at, byte) in src.iter().enumerate().take(WINDOW) {
            let (result, _, written) =
                decoder.decode_to_utf16_without_replacement(&[*byte], &mut units, false);
            if let DecoderResult::Malformed(len, _) = result {
                let len = usize::from(len);
                let kind = match (len, at) {
                    (1, 0) => IllFormed::NeverUsed,
                    (len, at) if len <= at => IllFormed::Truncated,
                    _ => IllFormed::Unassigned,
                };
                return Next::ill_formed(kind, len);
            }
            let mut scalars = char::decode_utf16(units[..written].iter().copied()).flatten();
            match (scalars.next(), scalars.next()) {
                (None, _) => {}
                (Some(scalar), None) => return Next::Scalar { code_point: scalar.into(), len: at + 1 },
                (Some(one), Some(other)) => return Next::pair([one.into(), other.into()], at + 1),
            }
        }
        let held = held_at_end(decoder);
        if last && held > 0 { Next::ill_formed(IllFormed::Truncated, held) } else { Next::Incomplete }
    }

    fn measure(&self, run: &[u8]) -> Extent {
        // A line feed is always a single byte, never part of a longer sequence.
        measure_bytes(run, b'\n', |run| self.count(run))
    }
}

/// The decoder of the standard's ISO-2022-JP.
#[derive(Default)]
pub(crate) struct WebIso2022Jp {
    set: Set,
    /// The value of `set` after the last decoded sequence, which [`Decode::commit`] makes current.
    after: Set,
}

/// The set of characters that an escape sequence selected.
#[derive(Clone, Copy, Default, PartialEq)]
enum Set {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Jis0208,
}

/// Length of an escape sequence in bytes.
const ESCAPE: usize = 3;

/// Returns the set that an escape sequence at the front of `src` selects, or `None` if there is no escape sequence.
fn selected(src: &[u8]) -> Option<Set> {
    match src {
        [0x1B, 0x28, 0x42, ..] => Some(Set::Ascii),
        [0x1B, 0x28, 0x4A, ..] => Some(Set::Roman),
        [0x1B, 0x28, 0x49, ..] => Some(Set::Katakana),
        [0x1B, 0x24, 0x40 | 0x42, ..] => Some(Set::Jis0208),
        _ => None,
    }
}

/// Whether `src` is the beginning of an escape sequence.
fn is_cut_escape(src: &[u8]) -> bool {
    matches!(src, [] | [0x1B] | [0x1B, 0x24 | 0x28])
}

impl WebIso2022Jp {
    /// Decodes `src`, which begins with an escape.
    fn escape(&mut self, src: &[u8], last: bool) -> Next {
        let Some(set) = selected(src) else {
            return match is_cut_escape(src) {
                true if !last => Next::Incomplete,
                true => Next::ill_formed(IllFormed::Truncated, 1),
                false => Next::ill_formed(IllFormed::UnknownEscape, 1),
            };
        };
        self.after = set;
        let more = &src[ESCAPE..];
        match selected(more) {
            // An escape sequence directly before another one is an error, so that the first escape sequence cannot hide
            // text from a filter.
            Some(_) => Next::ill_formed(IllFormed::UselessEscape, ESCAPE),
            None if !last && is_cut_escape(more) => Next::Incomplete,
            None => Next::Shift { len: ESCAPE },
        }
    }
}

impl Decode for WebIso2022Jp {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.after = self.set;
        let scalar = |code_point: u32, len| Next::Scalar { code_point, len };
        let Some(&byte) = src.first() else { return Next::Incomplete };
        match (self.set, byte) {
            (_, 0x1B) => self.escape(src, last),
            (Set::Ascii | Set::Roman, 0x0E | 0x0F | 0x80..) => Next::ill_formed(IllFormed::NeverUsed, 1),
            (Set::Roman, 0x5C) => scalar(0xA5, 1),
            (Set::Roman, 0x7E) => scalar(0x203E, 1),
            (Set::Ascii | Set::Roman, _) => scalar(byte.into(), 1),
            (Set::Katakana, 0x21..=0x5F) => scalar(0xFF61 + u32::from(byte - 0x21), 1),
            (Set::Jis0208, 0x21..=0x7E) => match *src {
                [_] if !last => Next::Incomplete,
                [_] | [_, 0x1B, ..] => Next::ill_formed(IllFormed::Truncated, 1),
                [lead, trail, ..] => Next::assigned(pair(lead, trail).map(u32::from), 2),
                [] => Next::Incomplete,
            },
            (Set::Katakana | Set::Jis0208, _) => Next::ill_formed(IllFormed::NeverUsed, 1),
        }
    }

    fn commit(&mut self) {
        self.set = self.after;
    }

    fn is_initial(&self) -> bool {
        self.set == Set::Ascii
    }
}

/// Decodes two bytes as JIS X 0208, as the standard defines it. Returns `None` if the code is unassigned.
fn pair(lead: u8, trail: u8) -> Option<u16> {
    let mut decoder = encoding_rs::ISO_2022_JP.new_decoder_without_bom_handling();
    let mut units = [0; 4];
    let source = [0x1B, 0x24, 0x42, lead, trail];
    let read = decoder.decode_to_utf16_without_replacement(&source, &mut units, false);
    matches!(read, (DecoderResult::InputEmpty, _, 1)).then_some(units[0])
}

/// The encoder of any multi-byte encoding of the standard.
pub(crate) struct ToWeb {
    encoding: &'static Encoding,
    encoder: encoding_rs::Encoder,
}

impl ToWeb {
    pub fn new(encoding: &'static Encoding) -> ToWeb {
        ToWeb { encoding, encoder: encoding.new_encoder() }
    }
}

/// Encodes a character. Returns the number of bytes, or `None` if the character has no code.
fn put(encoder: &mut encoding_rs::Encoder, code_point: u32, room: &mut [u8; 2 * WIDEST]) -> Option<usize> {
    let mut utf8 = [0; 4];
    let text = char::from_u32(code_point)?.encode_utf8(&mut utf8);
    match encoder.encode_from_utf8_without_replacement(text, room, false) {
        (EncoderResult::InputEmpty, _, written) => Some(written),
        _ => None,
    }
}

impl Encode for ToWeb {
    fn encode(&mut self, code_point: u32, out: &mut Vec<u8>) -> bool {
        // In ISO-2022-JP, a failed attempt to encode a character changes the state, so check first.
        if self.encoder.has_pending_state() && !self.has(code_point) {
            return false;
        }
        let mut room = [0; 2 * WIDEST];
        let len = put(&mut self.encoder, code_point, &mut room);
        out.extend_from_slice(&room[..len.unwrap_or(0)]);
        len.is_some()
    }

    fn has(&self, code_point: u32) -> bool {
        put(&mut self.encoding.new_encoder(), code_point, &mut [0; 2 * WIDEST]).is_some()
    }

    fn is_plain(&self) -> bool {
        self.encoding != encoding_rs::ISO_2022_JP
    }

    fn escaped_as(&self, code_point: u32) -> u32 {
        // For characters that would be read as shifts or escapes, the standard reports U+FFFD.
        let is_shift = self.encoding == encoding_rs::ISO_2022_JP && matches!(code_point, 0x0E | 0x0F | 0x1B);
        if is_shift { char::REPLACEMENT_CHARACTER.into() } else { code_point }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let mut room = [0; WIDEST];
        let (result, _, written) = self.encoder.encode_from_utf8_without_replacement("", &mut room, true);
        assert_eq!(result, EncoderResult::InputEmpty, "an escape sequence fits");
        out.extend_from_slice(&room[..written]);
        self.encoder = self.encoding.new_encoder();
    }

    fn at_rest(&self) -> bool {
        !self.encoder.has_pending_state()
    }
}
