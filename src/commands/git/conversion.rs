//! Converts a file between the work tree and the repository, exactly or not at all.
//!
//! The output is immediately converted back, and has to equal the input byte for byte. Ill-formed text is neither
//! repaired nor replaced. If the files in the repository are in the encoding, the stored version decides between two
//! codes for a character.

use std::fmt;
use std::io::{self, Write};

use utfconv_core::edit::spliced;
use utfconv_core::{
    Encoding, Fault, InputBom, More, Options, OutputBom, Pump, Stop, StreamError, Transcoder, UTF_8, convert,
    convert_stream,
};
use utfconv_restore::{RestoreOptions, View, restore_with};

use super::likeness::{Likeness, Mistakable};
use super::plan::{FilterPlan, Side};
use crate::files::compared::Compared;
use crate::text::round_trip::is_exact;
use crate::ui::quote;

/// How the files of a run of git are converted.
pub struct Conversion {
    encoding: &'static Encoding,
    side: Side,
    /// The conversion to UTF-8.
    decode: EncodingPair,
    /// The conversion from UTF-8.
    encode: EncodingPair,
    mistakable: Mistakable,
    /// Whether files in the encoding begin with a BOM.
    has_bom: bool,
    /// Whether each text has only one form in the encoding, so that no stored version has to be read.
    has_one_code: bool,
    is_forced: bool,
}

/// One direction of a conversion.
struct EncodingPair {
    from: &'static Encoding,
    to: &'static Encoding,
    options: Options,
}

/// Why content is not converted.
#[derive(Debug)]
pub enum Refused {
    /// The text has an error.
    Fault(Fault),
    /// The reverse conversion would differ from this offset on.
    Inexact { offset: u64 },
    /// The content seems to be UTF-8.
    LooksUtf8,
    /// The output would be taken for UTF-8 by the reverse conversion.
    WouldLookUtf8,
    /// The text has U+0000.
    Nul,
    /// The version in the repository cannot be read, so that its codes cannot be kept.
    NotStored(String),
    /// The content did not fit into memory.
    TooLarge,
    /// The output cannot be written.
    Write(io::Error),
}

/// The outcome for content that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Converted,
    /// The version in the repository is in the encoding that the work tree should have.
    Unchanged,
}

impl Conversion {
    pub fn new(plan: &FilterPlan) -> Conversion {
        let (encoding, signed) = (plan.encoding.encoding, plan.encoding.signed);
        let options = Options::default().ebcdic_newline(plan.ebcdic_newline);
        // Encodings such as UTF-16 add a BOM by themselves.
        let text =
            |options: &Options| convert(b"a", &UTF_8, encoding, options).map(|encoded| encoded.output).ok();
        let is_added = text(&options) != text(&options.clone().output_bom(OutputBom::Never));
        let has_bom = signed.unwrap_or(is_added);
        let input_bom = match signed {
            Some(true) => InputBom::Require,
            None if is_added => InputBom::Auto,
            _ => InputBom::Text,
        };
        let decode = options.clone().input_bom(input_bom).output_bom(OutputBom::Never);
        let encode = options
            // A U+FEFF after the BOM would be text, so it is forbidden. Without a BOM, U+FEFF at the start is text.
            .input_bom(if has_bom { InputBom::Forbid } else { InputBom::Text })
            .output_bom(match signed {
                Some(true) => OutputBom::Always,
                Some(false) => OutputBom::Never,
                None => OutputBom::Auto,
            });
        Conversion {
            encoding,
            side: plan.side,
            decode: EncodingPair { from: encoding, to: &UTF_8, options: decode },
            encode: EncodingPair { from: &UTF_8, to: encoding, options: encode },
            mistakable: Mistakable::in_text_of(encoding, plan.ebcdic_newline),
            has_bom,
            has_one_code: is_exact(encoding) && !encoding.is_ebcdic() && input_bom == InputBom::Text,
            is_forced: plan.is_forced,
        }
    }

    /// Converts a file of the work tree for the repository. `stored` reads the version that the repository has now, if
    /// any.
    pub fn clean(&self, content: &[u8], stored: Stored, out: &mut dyn Write) -> Result<Done, Refused> {
        match self.side {
            Side::WorkTree => self.decode(content, out),
            Side::Repository => self.encode(content, stored, out),
        }
    }

    /// Converts a file of the repository for the work tree.
    pub fn smudge(&self, content: &[u8], out: &mut dyn Write) -> Result<Done, Refused> {
        match self.side {
            Side::WorkTree => self.encode(content, &mut || Ok(None), out),
            Side::Repository => self.decode(content, out),
        }
    }

    /// Converts from the encoding to UTF-8.
    fn decode(&self, content: &[u8], out: &mut dyn Write) -> Result<Done, Refused> {
        if !self.is_forced && Likeness::of(content).is_rather_utf8(self.mistakable) {
            return match self.side {
                Side::WorkTree => Err(Refused::LooksUtf8),
                Side::Repository => unchanged(content, out),
            };
        }
        let mut has_nul = false;
        let mut watch = |chunk: &[u8]| has_nul = has_nul || memchr::memchr(0, chunk).is_some();
        match self.side {
            Side::WorkTree => exact(content, &self.decode, &self.encode, out, &mut watch)?,
            Side::Repository => {
                let text = self.decoded_with_its_codes(content)?;
                watch(&text);
                out.write_all(&text).map_err(Refused::Write)?;
            }
        }
        if has_nul && !self.is_forced { Err(Refused::Nul) } else { Ok(Done::Converted) }
    }

    /// Returns the text of a stored version, if the text converts back to that version.
    fn decoded_with_its_codes(&self, stored: &[u8]) -> Result<Vec<u8>, Refused> {
        let mut text = Vec::new();
        match exact(stored, &self.decode, &self.encode, &mut text, &mut |_| {}) {
            Ok(()) => Ok(text),
            Err(Refused::Inexact { offset: at }) => {
                let text = self.decoded(stored).ok_or(Refused::Inexact { offset: at })?;
                let is_same = self.encoded_as_stored(&text, stored).as_deref() == Some(stored);
                is_same.then_some(text).ok_or(Refused::Inexact { offset: at })
            }
            Err(refused) => Err(refused),
        }
    }

    /// Converts from UTF-8 to the encoding.
    fn encode(&self, content: &[u8], stored: Stored, out: &mut dyn Write) -> Result<Done, Refused> {
        let look = Likeness::of(content);
        if self.side == Side::WorkTree
            && self.may_be_unconverted(content, &look)
            && self.decode(content, &mut io::sink()).is_ok()
        {
            return unchanged(content, out);
        }
        if look.has_nul && !self.is_forced {
            return Err(Refused::Nul);
        }
        let stored = if self.has_one_code { None } else { stored().map_err(Refused::NotStored)? };
        let mut result = Likeness::default();
        match stored.and_then(|stored| self.encoded_as_stored(content, &stored)) {
            Some(encoded) => {
                result.feed(&encoded);
                out.write_all(&encoded).map_err(Refused::Write)?;
            }
            None => exact(content, &self.encode, &self.decode, out, &mut |chunk| result.feed(chunk))?,
        }
        if !self.is_forced && result.is_rather_utf8(self.mistakable) {
            Err(Refused::WouldLookUtf8)
        } else {
            Ok(Done::Converted)
        }
    }

    /// Returns a text in the encoding, with the codes of the stored version for unchanged characters. Returns `None` if
    /// the result does not decode to the same text.
    fn encoded_as_stored(&self, text: &[u8], stored: &[u8]) -> Option<Vec<u8>> {
        let of = |stored: &[u8]| {
            // Most files have not changed.
            if self.decoded(stored).as_deref() == Some(text) {
                return Some(stored.to_vec());
            }
            let exact = RestoreOptions::default().view(View::Exact);
            let restored = restore_with(stored, Some(self.encoding), text, &exact).ok()?.output;
            (self.decoded(&restored)? == text).then_some(restored)
        };
        // git may have changed the newlines on the way to the work tree, and will change them back.
        of(stored).or_else(|| of(&with_crlf(stored)))
    }

    fn decoded(&self, content: &[u8]) -> Option<Vec<u8>> {
        let EncodingPair { from, to, options } = &self.decode;
        convert(content, from, to, options).ok().map(|decoded| decoded.output)
    }

    /// Whether a file of the repository may already be in the encoding of the work tree, because it was added before
    /// there was a filter.
    fn may_be_unconverted(&self, content: &[u8], look: &Likeness) -> bool {
        let looks_wide = look.has_nul && self.encoding.code_unit_len() > 1;
        let has_bom = self.has_bom && content.starts_with("\u{FEFF}".as_bytes());
        !look.is_utf8() || (looks_wide || has_bom) && !self.is_forced
    }
}

/// Returns content with CRLF for each LF.
fn with_crlf(content: &[u8]) -> Vec<u8> {
    let bare = memchr::memchr_iter(b'\n', content).filter(|at| !content[..*at].ends_with(b"\r"));
    spliced(content, bare.map(|at| (at..at, &b"\r"[..]))).into_owned()
}

/// Reads the version of a file in the repository, if there is one. Fails with the reason if it cannot be read.
pub type Stored<'a> = &'a mut dyn FnMut() -> Result<Option<Vec<u8>>, String>;

/// Passes content on unchanged.
fn unchanged(content: &[u8], out: &mut dyn Write) -> Result<Done, Refused> {
    out.write_all(content).map_err(Refused::Write)?;
    Ok(Done::Unchanged)
}

/// Converts `source` to `out`, and passes the output to `watch`. Refuses output that does not convert back to the
/// source.
fn exact(
    source: &[u8],
    there: &EncodingPair,
    back: &EncodingPair,
    out: &mut dyn Write,
    watch: &mut dyn FnMut(&[u8]),
) -> Result<(), Refused> {
    // Empty content has no BOM either.
    if source.is_empty() {
        return Ok(());
    }
    let room = || vec![0; source.len().clamp(64, BUFFER)];
    let transcoder = |pair: &EncodingPair| Transcoder::new(pair.from, pair.to, pair.options.clone());
    let mut buffer = room();
    let same = Compared::new(source, 0);
    let mut checked = Checked { out, watch, back: transcoder(back), room: room(), same };
    let mut stopped = None;
    let report = |stop| {
        if let Stop::Stopped(fault) = stop {
            stopped = Some(fault);
        }
        More::Count
    };
    let written = convert_stream(&mut { source }, &mut checked, &mut transcoder(there), &mut buffer, report);
    if stopped.is_none() && written.is_ok() {
        checked.compare(&[], true);
    }
    let Compared { offset: at, is_different, .. } = checked.same;
    match (written, stopped) {
        (_, Some(fault)) => Err(Refused::Fault(fault)),
        _ if is_different => Err(Refused::Inexact { offset: at }),
        (Err(StreamError::Read(error) | StreamError::Write(error)), _) => Err(Refused::Write(error)),
        _ if at < source.len() as u64 => Err(Refused::Inexact { offset: at }),
        _ => Ok(()),
    }
}

/// Number of bytes that are converted at a time.
const BUFFER: usize = 64 << 10;

/// An output that is converted back and compared with the source.
struct Checked<'a> {
    out: &'a mut dyn Write,
    watch: &'a mut dyn FnMut(&[u8]),
    back: Transcoder,
    room: Vec<u8>,
    /// Compares the reverse conversion with the source.
    same: Compared<'a, [u8]>,
}

impl Checked<'_> {
    /// Converts a chunk back. Returns false if the result differs from the source.
    fn compare(&mut self, chunk: &[u8], last: bool) -> bool {
        let mut pump = Pump::new(&mut self.back, &mut self.same, &mut self.room);
        let mut count = |_| More::Count;
        let is_whole =
            pump.feed(chunk, last, &mut count).is_ok_and(|fed| fed.is_continue()) && pump.flush().is_ok();
        self.same.is_different |= !is_whole;
        is_whole
    }
}

impl Write for Checked<'_> {
    fn write(&mut self, chunk: &[u8]) -> io::Result<usize> {
        (self.watch)(chunk);
        if !self.compare(chunk, false) {
            return Err(io::Error::other("it does not convert back"));
        }
        self.out.write_all(chunk)?;
        Ok(chunk.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Refused::Fault(fault) => {
                write!(f, "line {}, column {}, {}", fault.line, fault.column, quote::fault(fault))
            }
            Refused::Inexact { offset: at } => {
                write!(f, "it would not convert back to the same bytes, from byte {at} on")
            }
            Refused::LooksUtf8 => f.write_str("it seems to be UTF-8 already"),
            Refused::WouldLookUtf8 => {
                f.write_str("the result would be mistaken for UTF-8 at the next git add or checkout")
            }
            Refused::Nul => f.write_str("it seems to be binary: it has U+0000"),
            Refused::NotStored(why) => write!(f, "the version in the index cannot be read: {why}"),
            Refused::TooLarge => f.write_str("it does not fit into memory"),
            Refused::Write(error) => write!(f, "{error}"),
        }
    }
}
