//! Compares the text of a file with the text of its conversion.
//!
//! Both files are decoded and compared, in bounded memory. The comparison finds the replacements that a lossy policy
//! wrote for unmappable characters, and any corruption. Replacements for ill-formed bytes count as text of the old
//! file, because those bytes were reported.

use std::fmt;
use std::fs::File;
use std::io;

use utfconv_core::encodings::{UTF_8_2279, WTF_8};
use utfconv_core::{
    Encoding, Fault, ISO_8859_1, InputBom, More, OnIllFormed, OnUnmappable, Options, OutputBom, Policy,
    Position, Pump, Stop, Transcoder, is_printable,
};

use crate::commands::convert::restored::Restored;
use crate::text::newlines::{Changed, Newlines};
use utfconv_core::utf8::is_continuation;
use utfconv_scan::common::common_start;

/// The first difference between an old text and a new text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Offset in bytes of the old file.
    pub offset: u64,
    /// Line of the old file, counted from 1; a line ends with U+000A.
    pub line: u64,
    kind: DifferenceKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum DifferenceKind {
    /// The old text became the new text.
    Became(Vec<u8>, Vec<u8>),
    Missing(Vec<u8>),
    Added(Vec<u8>),
    /// An error in the old file that the policy does not handle.
    OldFault(Fault),
    NewFault(Fault),
}

/// Formats the difference for people: `"Ω" became "?" at byte 1234 (line 5)`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let at = format!("at byte {} (line {})", self.offset, self.line);
        match &self.kind {
            DifferenceKind::Became(old, new) => write!(f, "{} became {} {at}", Shown(old), Shown(new)),
            DifferenceKind::Missing(old) => write!(f, "the result has no {} {at}", Shown(old)),
            DifferenceKind::Added(new) => write!(f, "the result has an additional {} {at}", Shown(new)),
            DifferenceKind::OldFault(fault) => write!(f, "{fault}"),
            DifferenceKind::NewFault(fault) => write!(f, "the result has an error {at}: {fault}"),
        }
    }
}

/// A character, or ill-formed bytes, formatted for people.
struct Shown<'a>(&'a [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match std::str::from_utf8(self.0).ok().and_then(|text| text.chars().next()) {
            Some(scalar) if is_printable(scalar) => write!(f, "\"{scalar}\""),
            Some(scalar) => write!(f, "U+{:04X}", u32::from(scalar)),
            None => write!(f, "{}", utfconv_core::FaultBytes::new(self.0)),
        }
    }
}

/// Usual maximum number of bytes that are decoded at a time.
pub const CHUNK: usize = 64 << 10;

/// Number of bytes that must agree after a character that only one of two texts has.
const AGREEMENT: usize = 4;

/// Length in bytes of the longest sequence in the pivot encoding.
const WIDEST: usize = 6;

/// Number of bytes that are compared after the position where two texts diverge.
const AHEAD: usize = 2 * WIDEST + AGREEMENT;

const BOM: &[u8] = "\u{FEFF}".as_bytes();

/// Finds the first difference between `new`, in `to`, and `old`, in `from`, converted under `options` with its
/// newlines `changed`. Both files are read from the start, whatever their file offset, at most `chunk` bytes at a
/// time. A BOM makes no difference on either side.
///
/// # Errors
/// If a file cannot be read.
pub fn same_text(
    old: &File,
    from: &'static Encoding,
    new: Restored,
    to: &'static Encoding,
    options: &Options,
    changed: Changed,
    chunk: usize,
) -> io::Result<Option<Difference>> {
    // The pivot encodings also hold code points that are no scalar values, such as surrogates.
    let pivot = if [from, to].contains(&&WTF_8) { &WTF_8 } else { &UTF_8_2279 };
    let as_converted = options.clone().output_bom(OutputBom::Never).continues(false);
    // Output without a BOM is in host order, and so is input whose BOM is text.
    let as_written = as_converted
        .clone()
        .input_bom(InputBom::Text)
        .policy(policy_of_result(&options.policy))
        .normalization(None);
    let old = Restored { file: old, replaced: &[] };
    let way_back = if changed == Changed::NOTHING { way_back(from, to, options) } else { None };
    let decode_old = || match way_back {
        // If the new file converts back exactly, the bytes of the old file are compared undecoded.
        Some(_) => Decoded::new(old, &ISO_8859_1, &ISO_8859_1, Options::default(), Changed::NOTHING, chunk),
        None => Decoded::new(old, from, pivot, as_converted.clone(), changed, chunk),
    };
    let mut olds = decode_old();
    let mut news = match &way_back {
        Some(options) => Decoded::new(new, to, from, options.clone(), Changed::NOTHING, chunk),
        None => Decoded::new(new, to, pivot, as_written, Changed::NOTHING, chunk),
    };
    let (mut same, checked, common) = pass_same(&mut olds, &mut news)?;
    olds.want(common + AHEAD)?;
    news.want(common + AHEAD)?;
    let starts_inside = |at: &usize| {
        [olds.text(), news.text()].iter().any(|text| text.get(*at).is_some_and(|byte| is_continuation(*byte)))
    };
    let inside = (0..=common).rev().take(WIDEST).take_while(starts_inside).count();
    let common = common.saturating_sub(inside);
    same += common as u64;
    let faults = (olds.fault.take(), news.fault.take());
    let Some(kind) = kind_of(&olds.text()[common..], &news.text()[common..], faults) else { return Ok(None) };
    let (at, line) = match &kind {
        DifferenceKind::OldFault(fault) => (fault.offset, fault.line),
        _ => {
            let position = locate(decode_old(), checked, same)?;
            (position.offset(), position.line())
        }
    };
    Ok(Some(Difference { offset: at, line, kind }))
}

/// Passes the common text at the start of both files. Returns its length in bytes, the number of bytes of the old
/// file that hold only common text, and the length in bytes of the common start of the remaining texts, which then
/// diverge or end.
fn pass_same(olds: &mut Decoded, news: &mut Decoded) -> io::Result<(u64, u64, usize)> {
    let (mut is_start, mut same, mut checked) = (true, 0, 0);
    loop {
        if olds.text().is_empty() {
            checked = olds.read;
        }
        olds.want(1)?;
        news.want(1)?;
        if std::mem::take(&mut is_start) && count_boms(news.text()) > count_boms(olds.text()) {
            news.pass(BOM.len());
            continue;
        }
        let len = olds.text().len().min(news.text().len());
        let common = common_start(&olds.text()[..len], &news.text()[..len]);
        if len == 0 || common < len {
            return Ok((same, checked, common));
        }
        same += len as u64;
        olds.pass(len);
        news.pass(len);
    }
}

/// Returns the difference between two texts that diverge at their start. `faults` are the errors at which decoding
/// stopped. Returns `None` if both texts end.
fn kind_of(old: &[u8], new: &[u8], faults: (Option<Fault>, Option<Fault>)) -> Option<DifferenceKind> {
    Some(match (first(old), first(new), faults.0, faults.1) {
        ([], [], None, None) => return None,
        ([], _, Some(fault), _) => DifferenceKind::OldFault(fault),
        (_, [], _, Some(fault)) => DifferenceKind::NewFault(fault),
        (gone, [], ..) => DifferenceKind::Missing(gone.to_vec()),
        ([], come, ..) => DifferenceKind::Added(come.to_vec()),
        (gone, ..) if is_alike(&old[gone.len()..], new) => DifferenceKind::Missing(gone.to_vec()),
        (_, come, ..) if is_alike(old, &new[come.len()..]) => DifferenceKind::Added(come.to_vec()),
        (gone, come, ..) => DifferenceKind::Became(gone.to_vec(), come.to_vec()),
    })
}

/// Returns the position in a file of the character after `same` bytes of text. Decodes the file again, byte by byte
/// after the first `checked` bytes.
fn locate(mut again: Decoded, checked: u64, same: u64) -> io::Result<Position> {
    while again.read < checked {
        again.step(usize::try_from(checked - again.read).unwrap_or(usize::MAX))?;
        again.pass(again.text().len());
    }
    loop {
        let position = again.transcoder.position();
        if again.is_done {
            return Ok(position);
        }
        again.step(1)?;
        let decoded = again.gone + again.newlines.sink().len() as u64;
        if decoded > same {
            return Ok(position);
        }
    }
}

/// Returns the policy for decoding a result, which has no errors except the carriers that a lossless policy has
/// written.
fn policy_of_result(policy: &Policy) -> Policy {
    match (&policy.ill_formed, &policy.unmappable) {
        (OnIllFormed::Carry(carrier), _) | (_, OnUnmappable::Carry(carrier)) => Policy::default()
            .ill_formed(OnIllFormed::Carry(*carrier))
            .unmappable(OnUnmappable::Carry(*carrier)),
        _ => Policy::default(),
    }
}

/// Returns the options that convert a result back to the bytes of the old file. This requires carriers, and a
/// conversion from a byte encoding to wider code units.
fn way_back(from: &Encoding, to: &Encoding, options: &Options) -> Option<Options> {
    let policy = policy_of_result(&options.policy);
    let is_exact = matches!(policy.ill_formed, OnIllFormed::Carry(_))
        && from.is_of_bytes()
        && to.code_unit_len() > 1
        && options.normalization.is_none()
        && matches!(options.input_bom, InputBom::Auto | InputBom::Text);
    let input_bom = match options.output_bom {
        OutputBom::Always => InputBom::Strip,
        OutputBom::Never | OutputBom::Forbid => InputBom::Text,
        _ => InputBom::Auto,
    };
    let back = options.clone().policy(policy).input_bom(input_bom).output_bom(OutputBom::Never);
    is_exact.then_some(back.continues(false))
}

/// Returns the number of U+FEFF at the start of a text, BOMs or not.
fn count_boms(text: &[u8]) -> usize {
    text.chunks(BOM.len()).take_while(|chunk| *chunk == BOM).count()
}

/// Returns the first character of a text, or the ill-formed bytes at its start.
fn first(text: &[u8]) -> &[u8] {
    let text = &text[..text.len().min(AHEAD)];
    let len = text.utf8_chunks().next().map_or(0, |chunk| match chunk.valid().chars().next() {
        Some(scalar) => scalar.len_utf8(),
        None => chunk.invalid().len(),
    });
    &text[..len]
}

/// True if two texts agree in their first `AGREEMENT` bytes.
fn is_alike(one: &[u8], other: &[u8]) -> bool {
    one[..one.len().min(AGREEMENT)] == other[..other.len().min(AGREEMENT)]
}

/// The text of a file, decoded piece by piece.
struct Decoded<'a> {
    file: Restored<'a>,
    transcoder: Transcoder,
    newlines: Newlines<Vec<u8>>,
    /// Number of bytes of the file that were read.
    read: u64,
    /// Number of bytes of `newlines` that were compared; `gone` counts the bytes that were removed before.
    passed: usize,
    gone: u64,
    fault: Option<Fault>,
    is_done: bool,
    source: Vec<u8>,
    room: Vec<u8>,
}

impl<'a> Decoded<'a> {
    fn new(
        file: Restored<'a>,
        from: &'static Encoding,
        pivot: &'static Encoding,
        options: Options,
        changed: Changed,
        chunk: usize,
    ) -> Decoded<'a> {
        let newline = options.ebcdic_newline;
        let newlines = Newlines::new(Vec::new(), changed, pivot, newline);
        let mut transcoder = Transcoder::new(from, pivot, options);
        transcoder.count_faults();
        Decoded {
            file,
            transcoder,
            newlines: newlines.expect("these have newlines"),
            read: 0,
            passed: 0,
            gone: 0,
            fault: None,
            is_done: false,
            source: vec![0; chunk],
            room: vec![0; chunk],
        }
    }

    /// Returns the decoded text that is not compared yet, in whole characters.
    fn text(&self) -> &[u8] {
        &self.newlines.sink()[self.passed..]
    }

    fn pass(&mut self, len: usize) {
        self.passed += len;
    }

    /// Decodes until `len` bytes of text are available, or the file ends.
    fn want(&mut self, len: usize) -> io::Result<()> {
        while !self.is_done && self.text().len() < len {
            self.step(usize::MAX)?;
        }
        Ok(())
    }

    /// Decodes the next bytes, at most `most`, and at most a chunk.
    fn step(&mut self, most: usize) -> io::Result<()> {
        self.gone += self.passed as u64;
        self.newlines.sink_mut().drain(..std::mem::take(&mut self.passed));
        let most = most.min(self.source.len());
        let len = self.file.fill_at(&mut self.source[..most], self.read)?;
        self.read += len as u64;
        let fault = &mut self.fault;
        let mut keep = |stop| {
            if let Stop::Stopped(stopped) = stop {
                *fault = Some(stopped);
            }
            More::Count
        };
        let mut pump = Pump::new(&mut self.transcoder, &mut self.newlines, &mut self.room);
        let fed = pump.feed(&self.source[..len], len == 0, &mut keep)?;
        pump.flush()?;
        self.is_done = len == 0 || fed.is_break();
        if len == 0 && fed.is_continue() { self.newlines.finish() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Random;
    use std::io::{Seek, SeekFrom, Write};
    use utfconv_core::{Carrier, EbcdicNewline, ScalarEscape, convert};

    use crate::text::newlines::NewlineStyle;

    const KEPT: Changed = Changed::NOTHING;

    /// The chunk is small, so that short texts have several chunks.
    const CHUNK: usize = 64;

    fn named(name: &str) -> &'static Encoding {
        Encoding::for_name(name).expect("is there")
    }

    fn file(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(content).expect("writes");
        // The comparison must not depend on the file offset.
        file.seek(SeekFrom::Start(content.len() as u64 / 2)).expect("seeks");
        file
    }

    fn difference(
        old: &[u8],
        from: &'static Encoding,
        new: &[u8],
        to: &'static Encoding,
        options: &Options,
        changed: Changed,
    ) -> Option<Difference> {
        let (old, new) = (file(old), file(new));
        let whole = Restored { file: &new, replaced: &[] };
        let found = same_text(&old, from, whole, to, options, changed, CHUNK).expect("reads");
        let offset = |mut file: &File| file.stream_position().expect("has one");
        let middle = |file: &File| file.metadata().expect("is there").len() / 2;
        assert_eq!((offset(&old), offset(&new)), (middle(&old), middle(&new)));
        found
    }

    /// Converts `old`, and returns the difference that is reported.
    #[track_caller]
    fn described(old: &[u8], from: &str, to: &str, options: &Options) -> Option<String> {
        let (from, to) = (named(from), named(to));
        let new = convert(old, from, to, options).expect("converts").output;
        difference(old, from, &new, to, options, KEPT).map(|difference| difference.to_string())
    }

    fn under(ill_formed: OnIllFormed, unmappable: OnUnmappable) -> Options {
        Options::default()
            .policy(Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(false))
    }

    /// Returns texts with a length from a few characters to many chunks.
    fn texts(characters: &[&str]) -> Vec<String> {
        let mut random = Random(1);
        let lens = (0..12).chain([CHUNK - 1, CHUNK, CHUNK + 1, 1000]);
        lens.map(|len| (0..len).map(|_| random.one(characters)).collect()).collect()
    }

    #[test]
    fn every_pair_of_encodings() {
        const WEST: &[&str] = &["a", "b", "é", "\n", "\r\n"];
        const ALL: &[&str] = &["a", "é", "日", "😀", "\n", "\u{FEFF}", "\u{A0A}"];
        let west = ["UTF-8", "UTF-16", "windows-1252", "windows-1258", "IBM1047", "UTF-7", "WTF-8", "UCS-4"];
        let all = ["UTF-8", "UTF-16", "UTF-16BE", "UTF-32", "UTF-7", "GB18030", "CESU-8", "UTF-8-2279"];
        for (names, characters) in [(west, WEST), (all, ALL)] {
            for text in texts(characters) {
                let in_all = names.map(|name| {
                    let options = Options::default().input_bom(InputBom::Text);
                    let source = convert(text.as_bytes(), &utfconv_core::UTF_8, named(name), &options);
                    source.expect("has them").output
                });
                for (old, from) in in_all.iter().zip(names) {
                    for to in names {
                        assert_eq!(
                            described(old, from, to, &Options::default()),
                            None,
                            "{from} {to} {text:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn boms_make_no_difference() {
        let text = "\u{FEFF}\u{FEFF}é\n";
        let policies = [
            InputBom::Auto,
            InputBom::Keep,
            InputBom::Strip,
            InputBom::Text,
            InputBom::Require,
            InputBom::Sniff,
        ];
        for input_bom in policies {
            for output_bom in [OutputBom::Auto, OutputBom::Always, OutputBom::Never] {
                for skipped in [0, 3, 6] {
                    let options = Options::default().input_bom(input_bom).output_bom(output_bom);
                    let text = &text[skipped..];
                    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                    for (old, from) in [(text.as_bytes(), "UTF-8"), (&utf16, "UTF-16"), (&utf16, "UTF-16LE")]
                    {
                        for to in ["UTF-8", "UTF-16", "UTF-16BE", "UTF-32", "GB18030"] {
                            let (from, to) = (named(from), named(to));
                            // The conversion fails if a required BOM is missing.
                            let Ok(new) = convert(old, from, to, &options) else { continue };
                            let found = difference(old, from, &new.output, to, &options, KEPT);
                            assert_eq!(found, None, "{from:?} {to:?} {options:?} {text:?}");
                        }
                    }
                }
            }
        }
        let found = difference(
            "a".as_bytes(),
            named("UTF-8"),
            "\u{FEFF}\u{FEFF}a".as_bytes(),
            named("UTF-8"),
            &Options::default(),
            KEPT,
        );
        assert_eq!(found.unwrap().to_string(), "the result has an additional U+FEFF at byte 0 (line 1)");
    }

    #[test]
    fn what_a_policy_loses_is_found() {
        let text = "one\ntwo Ω and Ω\n";
        for (unmappable, expected) in [
            (OnUnmappable::Replace(None), "\"Ω\" became \"?\""),
            (OnUnmappable::Replace(Some("ohm".to_string())), "\"Ω\" became \"o\""),
            (OnUnmappable::Omit, "the result has no \"Ω\""),
            (OnUnmappable::Escape(ScalarEscape::Html), "\"Ω\" became \"&\""),
            (OnUnmappable::Translit(OnUnmappable::Omit.into()), "\"Ω\" became \"O\""),
        ] {
            let options = under(OnIllFormed::Stop, unmappable);
            let expected = format!("{expected} at byte 8 (line 2)");
            assert_eq!(described(text.as_bytes(), "UTF-8", "ISO-8859-1", &options), Some(expected));
            // If the target has Ω, nothing is lost.
            assert_eq!(described(text.as_bytes(), "UTF-8", "UTF-16", &options), None);
            assert_eq!(described(text.as_bytes(), "UTF-8", "ISO-8859-7", &options), None);
        }
        let options = under(OnIllFormed::Stop, OnUnmappable::Replace(None));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(described(&utf16, "UTF-16BE", "IBM437", &options), None);
        let expected = "\"Ω\" became \"?\" at byte 16 (line 2)".to_string();
        assert_eq!(described(&utf16, "UTF-16BE", "KOI8-R", &options), Some(expected));
    }

    #[test]
    fn ill_formed_bytes_are_what_the_policy_makes_of_them() {
        let old = b"a\xFFb\xE2\x28\xED\xA0\x80c\n\xC0\xAF";
        for ill_formed in [
            OnIllFormed::Replace(None),
            OnIllFormed::Replace(Some("?".to_string())),
            OnIllFormed::Omit,
            OnIllFormed::Escape(utfconv_core::ByteEscape::Hex),
            OnIllFormed::Fallback(named("windows-1252")),
        ] {
            let options = under(ill_formed, OnUnmappable::Stop);
            assert_eq!(described(old, "UTF-8", "UTF-16", &options), None, "{options:?}");
            assert_eq!(described(old, "UTF-8", "GB18030", &options), None, "{options:?}");
        }
        for carrier in [Carrier::SurrogateEscape, Carrier::Pua, Carrier::C8] {
            let options = under(OnIllFormed::Carry(carrier), OnUnmappable::Stop);
            for to in ["UTF-16", "UTF-32BE", "UTF-8"] {
                assert_eq!(described(old, "UTF-8", to, &options), None, "{carrier:?} {to}");
            }
        }
        // Raw bytes are copied, but the result is ill-formed.
        let options = under(OnIllFormed::Raw, OnUnmappable::Stop);
        let expected = "the result has an error at byte 1 (line 1): invalid US-ASCII (never-used byte) at byte 1: FF never appears in US-ASCII";
        assert_eq!(described(b"a\xFFb", "UTF-8", "US-ASCII", &options).as_deref(), Some(expected));
        // A conversion would have stopped at the ill-formed byte of the old file.
        let found =
            difference(b"a\nb\xFF", named("UTF-8"), b"a\nb", named("UTF-8"), &Options::default(), KEPT);
        let expected = "invalid UTF-8 (never-used byte) at byte 3: FF never appears in UTF-8";
        assert_eq!(found.unwrap().to_string(), expected);
    }

    /// Changes a byte, cuts off the end or appends a byte. A result that decodes to the same text is not corrupt.
    #[test]
    fn damage_is_found_where_it_is() {
        let mut random = Random(2);
        for (from, to) in [
            ("windows-1252", "UTF-8"),
            ("UTF-8", "UTF-16LE"),
            ("UTF-16BE", "UTF-8"),
            ("UTF-8", "windows-1252"),
            ("IBM1047", "UTF-7"),
        ] {
            let (from, to) = (named(from), named(to));
            for text in texts(&["a", "é", "\n", "ß"]) {
                let options = Options::default();
                let old = convert(text.as_bytes(), &utfconv_core::UTF_8, from, &options).unwrap().output;
                let new = convert(&old, from, to, &options).unwrap().output;
                let text_of =
                    |bytes: &[u8]| convert(bytes, to, &utfconv_core::UTF_8, &options).map(|made| made.output);
                for _ in 0..40 {
                    let mut damaged = new.clone();
                    let at = random.below(new.len().max(1));
                    match random.below(3) {
                        0 if !new.is_empty() => damaged[at] ^= 1 << random.below(8),
                        1 => damaged.truncate(at),
                        _ => damaged.push(random.one(b"\0a\n\xFF")),
                    }
                    let found = difference(&old, from, &damaged, to, &options, KEPT);
                    let what = format!("{from:?} {to:?} {text:?} {damaged:02X?}: {found:?}");
                    match text_of(&damaged) {
                        Ok(same) if same == text.as_bytes() => assert!(found.is_none(), "{what}"),
                        Ok(other) => {
                            // The expected offset is the length in bytes, in the old encoding, of the characters that
                            // both texts begin with.
                            let other = String::from_utf8(other).unwrap();
                            let same =
                                text.chars().zip(other.chars()).take_while(|(one, other)| one == other);
                            let same: String = same.map(|(one, _)| one).collect();
                            let before =
                                convert(same.as_bytes(), &utfconv_core::UTF_8, from, &options).unwrap();
                            let found = found.expect(&what);
                            assert_eq!(found.offset, before.output.len() as u64, "{what}");
                            assert_eq!(found.line, 1 + same.matches('\n').count() as u64, "{what}");
                        }
                        Err(_) => assert!(found.is_some(), "{what}"),
                    }
                }
            }
        }
    }

    #[test]
    fn newlines_that_were_changed_are_the_same() {
        let options = Options::default();
        let (from, to) = (named("windows-1252"), named("UTF-16LE"));
        for text in texts(&["a", "é", "\n", "\r", "\r\n"]) {
            let old = convert(text.as_bytes(), &utfconv_core::UTF_8, from, &options).unwrap().output;
            for newlines in [NewlineStyle::Keep, NewlineStyle::Lf, NewlineStyle::Crlf, NewlineStyle::Cr] {
                for adds_final in [false, true] {
                    let changed = Changed { newlines, adds_final, records: None };
                    let mut new = Vec::new();
                    let mut sink = Newlines::new(&mut new, changed, to, EbcdicNewline::Nel).unwrap();
                    sink.write_all(&convert(&old, from, to, &options).unwrap().output).unwrap();
                    sink.finish().unwrap();
                    assert_eq!(
                        difference(&old, from, &new, to, &options, changed),
                        None,
                        "{changed:?} {text:?}"
                    );
                    // One more newline is a difference.
                    new.extend_from_slice(b"\n\0");
                    let found = difference(&old, from, &new, to, &options, changed).expect("is there");
                    assert_eq!(found.offset, old.len() as u64, "{changed:?} {text:?}");
                }
            }
        }
        let found = difference(b"a\nb", from, b"a\r\0\n\0b\0", named("UTF-8"), &options, KEPT);
        assert_eq!(found.unwrap().to_string(), "U+000A became U+000D at byte 1 (line 1)");
    }
}
