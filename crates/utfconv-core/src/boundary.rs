//! Finds positions at which a source can be cut, so that the text after them can be read without the bytes before.
//!
//! The boundary rule of each family of encodings is beside its codec; this file has the search for a boundary. If a
//! source is cut at boundaries, its segments decode exactly as the whole source does, with the same characters and with
//! the same faults of the same lengths.

use crate::bom;
use crate::decode::{utf1, utf8, utf16};
use crate::encoding::Encoding;
use crate::form::Form;
use crate::legacy::host::SHIFT_IN;

impl Encoding {
    /// Maximum number of bytes before `at` that the search for a boundary inspects. See [`Encoding::boundary`].
    pub const BOUNDARY_CONTEXT: usize = 8;

    /// Returns the first boundary at or after `at`. From a boundary, a source in this encoding reads the same with or
    /// without the bytes before it; up to a boundary, it reads the same with or without the bytes after it.
    ///
    /// `window` is a range of the source; `at` and the result are indexes in it. The result is less than the length of
    /// the window. The window must begin at a multiple of four bytes from the start of the source, and must have at
    /// least [`Encoding::BOUNDARY_CONTEXT`] bytes before `at` unless it begins with the source. It may end anywhere,
    /// because two windows in which a boundary is found give the same boundary.
    ///
    /// Returns `None` if no boundary before the end of the window can be determined. The end of the source, which is
    /// always a boundary, is not known here. Encodings with shift states have no boundary except the start of the
    /// source, but EBCDIC with double bytes also has one after each SI. East Asian encodings have boundaries only after
    /// ASCII bytes that cannot belong to a longer code. A BOM of any encoding at the start of the source contains no
    /// boundary. For UTF-16 and UTF-32, use the encoding with the byte order that the BOM gives.
    ///
    /// Boundaries are about reading only. Some conversions still combine characters across a boundary:
    /// [`OnIllFormed::Fallback`](crate::OnIllFormed::Fallback), [`Carrier::C8`](crate::Carrier::C8) from wider code
    /// units, and targets whose output for a character depends on the character before.
    ///
    /// ```
    /// use utfconv_core::{UTF_8, UTF_16LE};
    ///
    /// let text = "a日b";
    /// assert_eq!(UTF_8.boundary(text.as_bytes(), 2), Some(4));
    /// assert_eq!(UTF_16LE.boundary(b"\x3D\xD8\x00\xDE!\0", 2), Some(4));
    /// ```
    #[must_use]
    pub fn boundary(&self, window: &[u8], at: usize) -> Option<usize> {
        (at..window.len()).find(|at| !bom::may_contain(window, *at) && self.form().is_boundary(window, *at))
    }

    /// Whether [`Encoding::boundary`] finds boundaries after the start of a source.
    ///
    /// ```
    /// use utfconv_core::{SHIFT_JIS, encodings::ISO_2022_JP};
    ///
    /// assert!(SHIFT_JIS.has_boundaries() && !ISO_2022_JP.has_boundaries());
    /// ```
    #[must_use]
    pub fn has_boundaries(&self) -> bool {
        !self.is_stateful() || matches!(self.form(), Form::Host(_))
    }

    /// Whether boundaries of a source stay boundaries if ill-formed bytes are read as characters of `fallback`, that
    /// is, whether none of these characters crosses a boundary.
    ///
    /// ```
    /// use utfconv_core::{ISO_8859_1, SHIFT_JIS, UTF_8};
    ///
    /// assert!(UTF_8.keeps_boundaries(&ISO_8859_1) && !UTF_8.keeps_boundaries(&SHIFT_JIS));
    /// ```
    #[must_use]
    pub fn keeps_boundaries(&self, fallback: &Encoding) -> bool {
        match fallback.form() {
            Form::Latin1 | Form::Ascii => true,
            Form::Page(table) => !table.has_composites(),
            // All relatives of UTF-8 have the same boundaries.
            other => self.form().is_like_utf8() && other.is_like_utf8(),
        }
    }
}

impl Form {
    /// Whether `at`, which is inside `window`, is a boundary; see [`Encoding::boundary`].
    fn is_boundary(self, window: &[u8], at: usize) -> bool {
        match self {
            Form::Utf8 | Form::Cesu8 | Form::Mutf8 | Form::Wtf8 | Form::Utf8Of2279 => {
                utf8::is_boundary(window, at)
            }
            Form::Utf1 => utf1::is_boundary(window, at),
            Form::Stateful(_) => at == 0,
            // SI returns to the initial state, and is not a byte of any code.
            Form::Host(_) => at == 0 || window[at - 1] == SHIFT_IN,
            Form::Utf16Le => utf16::is_boundary::<false>(window, at),
            Form::Utf16Be => utf16::is_boundary::<true>(window, at),
            Form::Ucs2Le | Form::Ucs2Be => at.is_multiple_of(2),
            Form::Utf32Le | Form::Utf32Be | Form::Ucs4Le | Form::Ucs4Be => at.is_multiple_of(4),
            Form::Latin1 | Form::Ascii => true,
            Form::Page(table) => at == 0 || !table.composes([window[at - 1], window[at]]),
            Form::MultiByte(tables) => at == 0 || tables.always_ends_with(window[at - 1]),
            Form::Web(_) if self.is_stateful() => at == 0,
            // In GB18030 and GBK, ASCII digits are also second bytes of four-byte codes.
            Form::Web(encoding) => {
                let has_digits = encoding == encoding_rs::GB18030 || encoding == encoding_rs::GBK;
                at == 0 || window[at - 1].is_ascii() && !(has_digits && window[at - 1].is_ascii_digit())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::Next;
    use crate::newline::EbcdicNewline;
    use crate::testkit::Random;

    /// Bytes at the ends of the byte ranges that some encoding distinguishes, such as lead bytes, trail bytes and
    /// surrogates.
    const EDGES: &[u8] =
        b"\0\n\x1B!+-09@AOaez~\x7F\x80\x81\x8E\x8F\x90\x9F\xA0\xA1\xAF\xB0\xBF\xC0\xC2\xCC\xD2\
        \xD8\xDB\xDC\xDF\xE0\xE3\xEC\xED\xEF\xF0\xF4\xF5\xF6\xF7\xF8\xFB\xFC\xFD\xFE\xFF";

    /// Returns a random source: bytes of a small alphabet in random order, or text that is well-formed or has errors.
    fn source(random: &mut Random, form: Form) -> Vec<u8> {
        let len = 1 + random.below(80);
        if random.below(2) == 0 {
            let alphabet: Vec<u8> = (0..1 + random.below(8))
                .map(|_| match random.below(3) {
                    0 => random.below(256) as u8,
                    _ => EDGES[random.below(EDGES.len())],
                })
                .collect();
            return (0..len).map(|_| alphabet[random.below(alphabet.len())]).collect();
        }
        let mut encoder = form.encoder(EbcdicNewline::default());
        let mut bytes = Vec::new();
        for _ in 0..len {
            let (low, high) = [
                (0, 0x7F),
                (0x80, 0x24F),
                (0x300, 0x5FF),
                (0x1EA0, 0x1EF9),
                (0x3000, 0xFFFF),
                (0xD700, 0xE0FF),
                (0x1_0000, 0x10_FFFF),
            ][random.below(7)];
            let code_point = (low + random.below(high - low + 1)) as u32;
            if !encoder.encode(code_point, &mut bytes) {
                bytes.push(b'a');
            }
        }
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len() + 1);
            match bytes.get_mut(at) {
                Some(byte) if random.below(2) == 0 => *byte = EDGES[random.below(EDGES.len())],
                Some(_) if random.below(2) == 0 => _ = bytes.remove(at),
                _ => bytes.insert(at, EDGES[random.below(EDGES.len())]),
            }
        }
        bytes
    }

    /// Appends all results of an exact decoder for `source` from `start` on, with their positions, to `found`.
    fn decode_all(form: Form, source: &[u8], start: usize, found: &mut Vec<(usize, Next)>) {
        let mut decoder = form.decoder(EbcdicNewline::default());
        let mut at = 0;
        loop {
            let next = decoder.next(&source[at..], true);
            let len = match next {
                Next::Incomplete => return,
                Next::Scalar { len, .. } | Next::Several { len, .. } | Next::Shift { len } => len,
                Next::IllFormed(ill_formed) => ill_formed.len,
            };
            found.push((start + at, next));
            decoder.commit();
            at += len;
        }
    }

    /// Returns a boundary at or after `at`, found in a window of random extent; the end of the source if there is none.
    fn cut(random: &mut Random, encoding: &Encoding, source: &[u8], at: usize) -> usize {
        let whole = encoding.boundary(source, at);
        let start = at.saturating_sub(Encoding::BOUNDARY_CONTEXT + random.below(8)) & !3;
        let end = at + random.below(source.len() - at + 1);
        if let Some(place) = encoding.boundary(&source[start..end], at - start) {
            assert_eq!(Some(start + place), whole, "{encoding:?} {start}..{end} of {source:02X?}");
        }
        whole.unwrap_or(source.len())
    }

    /// With `UTFCONV_EXHAUSTIVE` set, 20,000 rounds run instead of 100; use `--release`.
    #[test]
    fn segments_read_as_the_whole_does() {
        let rounds = if std::env::var_os("UTFCONV_EXHAUSTIVE").is_some() { 20_000 } else { 100 };
        let mut random = Random(0x9E37_79B9_7F4A_7C15);
        for encoding in Encoding::all().chain(Encoding::web()) {
            let form = encoding.form();
            let mut inner_cuts = 0;
            for _ in 0..rounds {
                let source = source(&mut random, form);
                let mut cuts: Vec<_> = (0..1 + random.below(6))
                    .map(|_| {
                        let at = random.below(source.len() + 1);
                        cut(&mut random, encoding, &source, at)
                    })
                    .chain([0, source.len()])
                    .collect();
                cuts.sort_unstable();
                inner_cuts += cuts.iter().filter(|cut| (1..source.len()).contains(*cut)).count();
                let mut whole = Vec::new();
                decode_all(form, &source, 0, &mut whole);
                let mut segments = Vec::new();
                for segment in cuts.windows(2) {
                    decode_all(form, &source[segment[0]..segment[1]], segment[0], &mut segments);
                }
                assert_eq!(segments, whole, "{encoding:?} cut at {cuts:?}: {source:02X?}");
            }
            assert_eq!(inner_cuts > rounds / 4, encoding.has_boundaries(), "{encoding:?}: {inner_cuts} cuts");
        }
    }

    #[test]
    fn every_boundary_of_well_formed_text_is_found() {
        let text = "aé日😀\u{10FFFF}ß\u{FFFF}\u{800}z";
        for name in ["UTF-8", "CESU-8", "MUTF-8", "WTF-8", "UTF-8-2279", "UTF-16LE", "UTF-16BE", "UTF-32LE"] {
            let encoding = Encoding::for_name(name).expect("a name");
            let mut encoder = encoding.form().encoder(EbcdicNewline::default());
            let (mut source, mut starts) = (Vec::new(), Vec::new());
            for scalar in text.chars() {
                starts.push(source.len());
                assert!(encoder.encode(scalar.into(), &mut source), "it has all");
            }
            let found = (0..source.len()).filter(|at| encoding.boundary(&source, *at) == Some(*at));
            assert_eq!(found.collect::<Vec<_>>(), starts, "{name}");
        }
    }

    #[test]
    fn known_boundaries() {
        for (name, window, at, place) in [
            ("UTF-8", &b"\xFC\x80\x80\x80\x80\x80\x80a"[..], 1, Some(6)),
            ("UTF-8", b"a\x80\x80\x80", 2, Some(2)),
            ("UTF-8", b"\xED\xA0\x80\xED\xB0\x80a", 1, Some(6)),
            ("UTF-8", b"\xED\xA0\x80\xED\xA0\x80a", 1, Some(3)),
            ("UTF-8", b"\xED\xA0\x80\xED", 3, None),
            ("UTF-8", b"ab", 2, None),
            ("UTF-8", b"\xC3\x80\x80a", 2, Some(2)),
            ("UTF-16BE", b"\xD8\0\0a", 1, Some(2)),
            ("UTF-1", b"a\n\xA1!", 1, Some(2)),
            ("UTF-16BE", b"\xD8\0\xDC\0\xDC\0", 2, Some(4)),
            ("UTF-16BE", b"\xD8\0\xD8", 1, None),
            ("UTF-32LE", b"a\0\0\0b\0\0\0", 1, Some(4)),
            ("UTF-1", b"\xA1!\xA1!\n\x80!", 1, Some(5)),
            ("GB18030", b"\x81\x30\x81\x30\x81\x41\x81", 1, Some(6)),
            ("GBK", b"\x81\x30\x81\x30", 1, Some(2)),
            ("Shift_JIS", b"\x81\x81\x41\x81\x81", 0, Some(0)),
            ("Shift_JIS", b"\x81\x81\x41\x81\x81", 1, Some(3)),
            ("windows-1258", b"a\xECa", 1, Some(2)),
            ("windows-1258", b"b\xECa", 1, Some(1)),
            ("windows-1252", b"\x81\xFF", 1, Some(1)),
            ("ISO-2022-JP", b"a\na", 0, Some(0)),
            ("ISO-2022-JP", b"a\na", 1, None),
            ("UTF-7", b"a\na", 2, None),
            ("IBM1390", b"\xC1\x0E\x45\x52\x0F\xC1", 1, Some(5)),
            ("IBM1390", b"\xC1\x0E\x45\x52\x45\x52", 1, None),
        ] {
            let encoding = Encoding::for_name(name).expect("a name");
            assert_eq!(encoding.boundary(window, at), place, "{name} {at} {window:02X?}");
        }
    }

    #[test]
    fn no_boundary_is_inside_a_bom() {
        for (name, window, at, place) in [
            ("UTF-16LE", &b"\xFF\xFE\0\0a\0"[..], 2, Some(4)),
            ("UTF-16LE", b"\xFF\xFE\0\0", 2, None),
            ("UTF-16LE", b"\xFF\xFE\0", 2, None),
            ("UTF-16LE", b"\xFF\xFEa\0", 2, Some(2)),
            ("ISO-8859-1", b"\xEF\xBB\xBFa", 0, Some(0)),
            ("ISO-8859-1", b"\xEF\xBB\xBFa", 1, Some(3)),
            ("ISO-8859-1", b"\xEF\xBB", 1, None),
            ("ISO-8859-1", b"\xEF\xBBa", 1, Some(1)),
            ("ISO-8859-1", b"\xFE\xFFa", 1, Some(2)),
            ("ISO-8859-1", b"\0\0\xFE\xFFa", 2, Some(4)),
        ] {
            let encoding = Encoding::for_name(name).expect("a name");
            assert_eq!(encoding.boundary(window, at), place, "{name} {at} {window:02X?}");
        }
    }

    #[test]
    fn fallbacks_that_keep_boundaries() {
        for (name, fallback, keeps) in [
            ("UTF-8", "ISO-8859-1", true),
            ("UTF-8", "US-ASCII", true),
            ("Shift_JIS", "windows-1252", true),
            ("UTF-8", "windows-1258", false),
            ("UTF-8", "CESU-8", true),
            ("MUTF-8", "WTF-8", true),
            ("UTF-8-2279", "UTF-8", true),
            ("UTF-8", "Shift_JIS", false),
            ("Shift_JIS", "UTF-8", false),
            ("Shift_JIS", "Shift_JIS", false),
            ("UTF-1", "UTF-1", false),
        ] {
            let [encoding, fallback] = [name, fallback].map(|name| Encoding::for_name(name).expect("a name"));
            assert_eq!(encoding.keeps_boundaries(fallback), keeps, "{name} {fallback:?}");
        }
    }
}
