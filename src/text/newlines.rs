//! Converts the newlines of the output to the requested style, and adds a newline at the end.
//!
//! Newlines are LF, CRLF and CR. NEL, LS and PS (U+0085, U+2028, U+2029) are text, as in most editors.
//!
//! The sink works on encoded text after the conversion, without decoding it. It looks for the code units of CR and LF,
//! which have no other meaning: in UTF-16 and UTF-32, no unit below U+D800 is part of a longer character; in a code
//! page, every byte is a character; in other encodings, no longer character contains the bytes of CR and LF, because
//! its other bytes are at least 30 in East Asian encodings, 20 in ISO 6937, 21 in UTF-1 and ISO-2022-JP, and 80 in
//! UTF-8 and its relatives. Base64 has only letters and digits. CR and LF return UTF-7 and ISO-2022-JP to ASCII first.

use std::error::Error;
use std::io::{self, ErrorKind, Write};

use utfconv_core::{
    EbcdicNewline, Encoding, InputBom, OnUnmappable, Options, OutputBom, Policy, UTF_8, convert,
};
pub use utfconv_scan::newlines::NewlineStyle;
use utfconv_scan::newlines::{Rewriter, Units};
use utfconv_scan::records::{Blocker, Framing};

/// The changes that a [`Newlines`] sink makes to newlines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    pub newlines: NewlineStyle,
    /// Whether a newline is added to text that does not end with a newline.
    pub adds_final: bool,
    /// The format of records, if lines are written as records.
    pub records: Option<Framing>,
}

impl Changed {
    pub const NOTHING: Changed = Changed { newlines: NewlineStyle::Keep, adds_final: false, records: None };
}

/// A sink for text in one encoding, which passes the text on with other newlines.
///
/// Writes to it may be split anywhere, even within a code unit. All bytes are passed on at once, except for an
/// incomplete code unit.
pub struct Newlines<W> {
    sink: W,
    changed: Changed,
    /// The rewriter, which holds the output of the last chunk.
    rewriter: Rewriter,
    /// Number of bytes of the rewriter's output that were passed on.
    gone: usize,
    /// Converts lines to records.
    blocker: Option<Blocker>,
}

/// Maximum number of bytes that are taken at a time.
const CHUNK: usize = 64 << 10;

/// Characters whose UTF-16 contains the bytes of newlines.
const OTHERS: &str = "\u{A0A}\u{D0D}\u{4E0A}\u{4E0D}";

/// Returns options for text without a BOM.
fn bare(newline: EbcdicNewline) -> Options {
    Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never).ebcdic_newline(newline)
}

/// Returns a text in an encoding, without a BOM; `None` if the encoding lacks a character.
pub fn encoded(text: &str, to: &'static Encoding, newline: EbcdicNewline) -> Option<Vec<u8>> {
    if to == &UTF_8 {
        return Some(text.as_bytes().to_vec());
    }
    Some(convert(text.as_bytes(), &UTF_8, to, &bare(newline)).ok()?.output)
}

/// Returns the newlines of the encoding; `None` if they cannot be recognized by code unit.
fn units(encoding: &'static Encoding, newline: EbcdicNewline) -> Option<Units> {
    let bytes_of = |text: &str| encoded(text, encoding, newline);
    let len = encoding.code_unit_len();
    // Take the second of two newlines, because ISO-2022-KR has a header before the first.
    let unit_of = |newline: &str| {
        let both = bytes_of(&newline.repeat(2))?;
        let second = both.strip_prefix(&bytes_of(newline)?[..])?;
        (second.len() == len).then(|| second.to_vec())
    };
    let (cr, lf) = (unit_of("\r")?, unit_of("\n")?);
    // SCSU contains UTF-16BE, in which other characters contain the bytes of newlines.
    let omit = Policy::default().unmappable(OnUnmappable::Omit);
    let others = convert(OTHERS.as_bytes(), &UTF_8, encoding, &bare(newline).policy(omit)).ok()?.output;
    let stand_out = others.chunks(len).all(|unit| unit != cr && unit != lf);
    let bom = bytes_of("\u{FEFF}").unwrap_or_default();
    stand_out.then(|| Units { len, crlf: [cr, lf].concat(), bom })
}

/// Returns the byte of a space in an encoding; `None` if it has none.
pub fn blank(encoding: &'static Encoding) -> Option<u8> {
    match encoded(" ", encoding, EbcdicNewline::default())?[..] {
        [blank] => Some(blank),
        _ => None,
    }
}

/// Returns the error for a bad record, or for a line that cannot become a record.
pub fn error_of(bad: impl Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, bad)
}

/// Returns the bytes of CR and LF in an encoding; `None` if they cannot be recognized by their bytes.
pub fn bytes(encoding: &'static Encoding, newline: EbcdicNewline) -> Option<[u8; 2]> {
    units(encoding, newline)?.crlf[..].try_into().ok()
}

impl<W: Write> Newlines<W> {
    /// Creates a sink for text in `encoding` that changes the text and passes it on to `sink`. If `changed.adds_final`,
    /// [`Newlines::finish`] adds a newline to text that does not end with a newline.
    ///
    /// Returns `None` if the encoding has no code units for newlines: a code page may lack them, and in mailbox names
    /// of IMAP they are base64.
    pub fn new(
        sink: W,
        changed: Changed,
        encoding: &'static Encoding,
        newline: EbcdicNewline,
    ) -> Option<Newlines<W>> {
        let units = match changed {
            Changed::NOTHING => Units::default(),
            _ => units(encoding, newline)?,
        };
        let blocker = match changed.records {
            Some(framing) => Some(Blocker::new(framing, blank(encoding)?, bytes(encoding, newline)?)),
            None => None,
        };
        let rewriter = Rewriter { style: changed.newlines, units, ..Rewriter::default() };
        Some(Newlines { sink, changed, rewriter, gone: 0, blocker })
    }

    /// Returns the sink to which the text is passed on.
    pub fn sink(&self) -> &W {
        &self.sink
    }

    /// Returns mutable access to the sink to which the text is passed on.
    pub fn sink_mut(&mut self) -> &mut W {
        &mut self.sink
    }

    pub fn into_sink(self) -> W {
        self.sink
    }

    /// Starts to count the lines of another input, for errors.
    pub fn begin_input(&mut self) {
        if let Some(blocker) = &mut self.blocker {
            blocker.begin_input();
        }
    }

    /// Continues the text of `before`. Unless this is the end of the text (`ends`), [`Newlines::finish`] adds no
    /// newline.
    pub fn resume<V>(&mut self, before: &Newlines<V>, ends: bool) {
        let Rewriter { units, state, .. } = &before.rewriter;
        (self.rewriter.units, self.rewriter.state) = (units.clone(), *state);
        self.changed.adds_final &= ends;
    }

    /// Whether the text so far decides what [`Newlines::finish`] writes.
    pub fn knows_last(&self) -> bool {
        let asks_for_last = self.changed.adds_final && self.changed.newlines == NewlineStyle::Keep;
        !asks_for_last || self.rewriter.state.last.is_some()
    }

    /// Ends the text, and adds a newline if it has none: in the requested style, or else in the style of the last
    /// newline, or else LF. An empty text and a lone BOM get no newline. The sink is not flushed.
    ///
    /// # Errors
    /// Fails if the sink cannot be written. Another call continues where it failed.
    pub fn finish(&mut self) -> io::Result<()> {
        self.drain()?;
        if let Some(blocker) = &mut self.blocker {
            let finished = blocker.finish(&mut self.rewriter.out).map_err(error_of);
            return self.drain().and(finished);
        }
        // An incomplete code unit is no end of text, so no newline is added after it.
        let is_cut = self.rewriter.take_cut();
        let Changed { newlines, adds_final, .. } = self.changed;
        let state = self.rewriter.state;
        if adds_final && state.has_text && state.ending.is_none() && !is_cut {
            let kept = state.last.unwrap_or(NewlineStyle::Lf);
            let style = if newlines == NewlineStyle::Keep { kept } else { newlines };
            self.rewriter.put(style);
            self.rewriter.state.ending = Some(style);
        }
        self.drain()
    }

    /// Passes on the pending output. After an error, the rest stays pending.
    fn drain(&mut self) -> io::Result<()> {
        let out = &mut self.rewriter.out;
        while self.gone < out.len() {
            match self.sink.write(&out[self.gone..])? {
                0 => return Err(ErrorKind::WriteZero.into()),
                count => self.gone += count,
            }
        }
        out.clear();
        self.gone = 0;
        Ok(())
    }
}

impl<W: Write> Write for Newlines<W> {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        if self.changed == Changed::NOTHING {
            return self.sink.write(from);
        }
        self.drain()?;
        if let Some(blocker) = &mut self.blocker {
            let chunk = &from[..from.len().min(CHUNK)];
            let taken = blocker.take(chunk, &mut self.rewriter.out).map_err(error_of);
            // The next call returns an error of the sink.
            let _ = self.drain();
            return taken.map(|()| chunk.len());
        }
        let before = self.rewriter.state;
        let chunk = &from[..from.len().min(CHUNK)];
        self.rewriter.take(chunk);
        match self.drain() {
            // No byte was passed on, so the chunk was not taken.
            Err(error) if self.gone == 0 => {
                self.rewriter.out.clear();
                self.rewriter.state = before;
                Err(error)
            }
            // Some bytes were passed on. The next call continues with the rest, and returns a persistent error.
            _ => Ok(chunk.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()?;
        self.sink.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;
    use utfconv_core::{More, Stop, Transcoder, convert_stream};

    const FORMS: [NewlineStyle; 4] =
        [NewlineStyle::Keep, NewlineStyle::Lf, NewlineStyle::Crlf, NewlineStyle::Cr];

    /// Returns `text` with its newlines in `form`, and with a final newline if `adds_final`.
    fn expected(text: &str, form: NewlineStyle, adds_final: bool) -> String {
        let newline = |form| match form {
            NewlineStyle::Lf => "\n",
            NewlineStyle::Crlf => "\r\n",
            NewlineStyle::Cr => "\r",
            NewlineStyle::Keep => unreachable!(),
        };
        let plain = text.replace("\r\n", "\n").replace('\r', "\n");
        let all = match form {
            NewlineStyle::Keep => text.to_string(),
            _ => plain.replace('\n', newline(form)),
        };
        let lacks_final = !plain.is_empty() && plain != "\u{FEFF}" && !plain.ends_with('\n');
        if !adds_final || !lacks_final {
            return all;
        }
        let last = match text.rfind(['\r', '\n']) {
            Some(at) if text[..=at].ends_with("\r\n") => "\r\n",
            Some(at) => &text[at..=at],
            None => "\n",
        };
        all + if form == NewlineStyle::Keep { last } else { newline(form) }
    }

    fn encode(text: &str, encoding: &'static Encoding, newline: EbcdicNewline) -> Vec<u8> {
        let options =
            Options::default().input_bom(InputBom::Text).output_bom(OutputBom::Never).ebcdic_newline(newline);
        convert(text.as_bytes(), &UTF_8, encoding, &options).expect("has them").output
    }

    /// Returns encodings of each kind, with characters whose bytes are those of newlines or adjacent to them.
    fn samples() -> Vec<(&'static Encoding, EbcdicNewline, &'static [&'static str])> {
        const WIDE: &[&str] = &["a", "\u{A0A}", "\u{D0A}", "\u{A0D}", "\u{1040A}", "\u{2028}", "\u{85}"];
        const EAST: &[&str] = &["a", "~", "\u{A5}", "あ", "語"];
        const WEST: &[&str] = &["a", "é", "%"];
        let of = |name, texts| (Encoding::for_name(name).expect("is there"), EbcdicNewline::Nel, texts);
        let mut samples: Vec<_> =
            ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE", "UTF-7", "GB18030", "UTF-1"]
                .map(|name| of(name, WIDE))
                .into();
        samples.push(of("ISO-2022-JP", EAST));
        samples.extend(["ISO-8859-15", "IBM1047"].map(|name| of(name, WEST)));
        samples.push((&utfconv_core::encodings::IBM1047, EbcdicNewline::Lf, &["a", "é", "\u{85}"]));
        samples
    }

    #[test]
    fn no_other_character_has_the_units_of_newlines() {
        // The short form of the test skips most characters beyond U+FFFF, because few encodings have them.
        let is_exhaustive = std::env::var_os("UTFCONV_EXHAUSTIVE").is_some();
        let every = |step: usize| if is_exhaustive { 1 } else { step };
        let beyond = ('\u{10000}'..=char::MAX).step_by(every(17));
        let all = || ('\0'..='\u{FFFF}').chain(beyond.clone()).filter(|c| !matches!(c, '\r' | '\n'));
        let text: String = all().collect();
        // Characters of the shift states are mixed.
        let shifted: String =
            all().step_by(every(17)).flat_map(|c| [c, 'A', c, '\u{A5}', c, 'あ', c]).collect();
        let policy = Policy::default().unmappable(OnUnmappable::Omit);
        let mut without = Vec::new();
        for encoding in Encoding::all() {
            for newline in [EbcdicNewline::Nel, EbcdicNewline::Lf] {
                if newline == EbcdicNewline::Lf && !encoding.is_ebcdic() {
                    continue;
                }
                let Some(units) = super::units(encoding, newline) else {
                    without.push(encoding.name());
                    continue;
                };
                let output_bom = OutputBom::Never;
                let policy = policy.clone();
                let options =
                    Options::default().output_bom(output_bom).policy(policy).ebcdic_newline(newline);
                let mut transcoder = Transcoder::new(&UTF_8, encoding, options);
                transcoder.count_faults();
                let mut source = if encoding.is_stateful() { shifted.as_bytes() } else { text.as_bytes() };
                let mut out = Vec::new();
                convert_stream(&mut source, &mut out, &mut transcoder, &mut [0; 1 << 16], |stop| {
                    assert!(!matches!(stop, Stop::Stopped(_)), "{stop:?}");
                    More::Count
                })
                .expect("is memory");
                let (cr, lf) = (units.spell(NewlineStyle::Cr), units.spell(NewlineStyle::Lf));
                assert!(cr != lf && !out.is_empty(), "{encoding:?}");
                let stands_out = out.chunks(units.len).all(|unit| unit != cr && unit != lf);
                assert!(stands_out, "{encoding:?} {newline:?}");
            }
        }
        let expected = [
            "UTF-7-IMAP",
            "ibm-971",
            "SCSU",
            "ISO-11548-1",
            "ISO_646.basic:1983",
            "NATS-DANO-ADD",
            "NATS-SEFI-ADD",
            "ibm-16684",
        ];
        assert_eq!(without, expected);
    }

    #[test]
    fn every_cut() {
        let mut random = Random(1);
        for (encoding, newline, characters) in samples() {
            for round in 0..40 {
                let starts = ["", "\u{FEFF}"];
                let has_bom = !super::units(encoding, newline).expect("has newlines").bom.is_empty();
                let mut text = starts[usize::from(has_bom && round % 4 == 0)].to_string();
                for _ in 0..random.below(8) {
                    match random.below(3) {
                        0 => text += "\r",
                        1 => text += "\n",
                        _ => text += random.one(characters),
                    }
                }
                let source = encode(&text, encoding, newline);
                for (form, adds_final) in FORMS.into_iter().flat_map(|form| [(form, false), (form, true)]) {
                    let expected = encode(&expected(&text, form, adds_final), encoding, newline);
                    for first in 0..=source.len() {
                        for second in first..=source.len() {
                            let mut out = Vec::new();
                            let mut newlines = Newlines::new(
                                &mut out,
                                Changed { newlines: form, adds_final, records: None },
                                encoding,
                                newline,
                            )
                            .unwrap();
                            for piece in [&source[..first], &source[first..second], &source[second..]] {
                                newlines.write_all(piece).unwrap();
                            }
                            newlines.finish().unwrap();
                            assert_eq!(
                                out, expected,
                                "{encoding:?} {text:?} {form:?} {adds_final} {first} {second}"
                            );
                        }
                    }
                }
            }
        }
    }

    /// Long texts have every distance between newlines, across block and chunk boundaries.
    #[test]
    fn long_texts() {
        let mut random = Random(2);
        for (encoding, newline, characters) in samples() {
            let mut text = String::new();
            for run in 0..600 {
                (0..run % 150).for_each(|_| text += random.one(characters));
                text += random.one(&["\r", "\n", "\r\n", "\n\r"]);
            }
            let source = encode(&text, encoding, newline);
            assert!(source.len() > CHUNK / 2);
            for form in FORMS {
                let mut out = Vec::new();
                let mut newlines = Newlines::new(
                    &mut out,
                    Changed { newlines: form, adds_final: true, records: None },
                    encoding,
                    newline,
                )
                .unwrap();
                let mut rest = &source[..];
                while !rest.is_empty() {
                    let (piece, behind) = rest.split_at(rest.len().min(random.below(2 * CHUNK)));
                    newlines.write_all(piece).unwrap();
                    rest = behind;
                }
                newlines.finish().unwrap();
                assert!(
                    out == encode(&expected(&text, form, true), encoding, newline),
                    "{encoding:?} {form:?}"
                );
            }
        }
    }

    /// A reader at the other end of a pipe gets a whole line as soon as it is written.
    #[test]
    fn nothing_is_held_back() {
        for (form, after_cr, after_lf) in [
            (NewlineStyle::Keep, "a\r", "a\r\n"),
            (NewlineStyle::Lf, "a\n", "a\n"),
            (NewlineStyle::Crlf, "a\r\n", "a\r\n"),
            (NewlineStyle::Cr, "a\r", "a\r"),
        ] {
            let mut newlines = Newlines::new(
                Vec::new(),
                Changed { newlines: form, adds_final: true, records: None },
                &UTF_8,
                EbcdicNewline::Nel,
            )
            .unwrap();
            newlines.write_all(b"a\r").unwrap();
            assert_eq!(newlines.sink, after_cr.as_bytes(), "{form:?}");
            newlines.write_all(b"\n").unwrap();
            assert_eq!(newlines.sink, after_lf.as_bytes(), "{form:?}");
        }
    }

    /// A sink that takes a few bytes at a time, and fails in between.
    struct Moody {
        random: Random,
        taken: Vec<u8>,
        writes: usize,
    }

    impl Write for Moody {
        fn write(&mut self, from: &[u8]) -> io::Result<usize> {
            self.writes += 1;
            match self.random.below(4) {
                0 => Err(ErrorKind::Interrupted.into()),
                1 => Err(ErrorKind::StorageFull.into()),
                _ => {
                    let taken = &from[..from.len().min(1 + self.random.below(4))];
                    self.taken.extend_from_slice(taken);
                    Ok(taken.len())
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Whatever fails, the sink gets each byte that was taken exactly once, and no other bytes.
    #[test]
    fn sinks_that_fail() {
        let text = "\r\r\none\ntwo\r\n\n\r\u{A0D}three";
        for (encoding, newline, _) in samples().into_iter().take(9) {
            let source = encode(text, encoding, newline);
            for (seed, form) in (1..200).flat_map(|seed| FORMS.map(|form| (seed, form))) {
                let moody = Moody { random: Random(seed), taken: Vec::new(), writes: 0 };
                let mut newlines = Newlines::new(
                    moody,
                    Changed { newlines: form, adds_final: true, records: None },
                    encoding,
                    newline,
                )
                .unwrap();
                let mut rest = &source[..];
                let mut pieces = Random(seed);
                while !rest.is_empty() {
                    let piece = &rest[..rest.len().min(1 + pieces.below(9))];
                    if let Ok(count) = newlines.write(piece) {
                        rest = &rest[count..];
                    }
                }
                while newlines.finish().is_err() {}
                newlines.flush().unwrap();
                let expected = encode(&expected(text, form, true), encoding, newline);
                assert_eq!(newlines.sink.taken, expected, "{encoding:?} {form:?} {seed}");
            }
        }
    }

    #[test]
    fn an_error_is_reported_at_once_and_writes_are_few() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut newlines = Newlines::new(
            Full,
            Changed { newlines: NewlineStyle::Lf, adds_final: true, records: None },
            &UTF_8,
            EbcdicNewline::Nel,
        )
        .unwrap();
        assert_eq!(newlines.write(b"a\r").unwrap_err().kind(), ErrorKind::StorageFull);
        // The failed write left no pending output.
        newlines.finish().unwrap();

        struct Count(usize);
        impl Write for Count {
            fn write(&mut self, from: &[u8]) -> io::Result<usize> {
                self.0 += 1;
                Ok(from.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut newlines = Newlines::new(
            Count(0),
            Changed { newlines: NewlineStyle::Crlf, adds_final: true, records: None },
            &UTF_8,
            EbcdicNewline::Nel,
        )
        .unwrap();
        newlines.write_all(&b"a line\n".repeat(10 * CHUNK / 7)).unwrap();
        newlines.finish().unwrap();
        assert_eq!(newlines.sink.0, 10);
    }
}
