//! A conversion descriptor, which maps names to encodings, and results of the transcoder to results of `iconv()`.

use std::ffi::{CStr, c_int, c_uint};

use utfconv_core::Suffixes;
use utfconv_core::exact::{ExactStep, ExactStop, ExactTranscoder};
use utfconv_core::{EbcdicNewline, Encoding, OnIllFormed, OnUnmappable, Options, Policy};

/// The value behind the pointer that `iconv_open()` returns.
pub struct Descriptor {
    transcoder: ExactTranscoder,
    /// Whether to approximate characters that the target cannot encode.
    pub transliterates: bool,
    /// Whether to omit ill-formed bytes.
    pub omits_ill_formed: bool,
    /// Whether to omit characters that the target cannot encode.
    pub omits_unmappable: bool,
    /// True if a call that ended for lack of room omitted something; the call that takes the rest reports it.
    has_omitted: bool,
}

/// The source or the target of a conversion.
#[derive(Clone, Copy)]
pub enum Side {
    From,
    To,
}

/// The result of `iconv()`: the numbers of bytes read and written, and a count of characters or an error number.
pub struct Converted {
    pub read: usize,
    pub written: usize,
    pub result: Result<usize, c_int>,
}

impl Descriptor {
    /// Opens a descriptor for two names, as `iconv_open()` takes them. Returns `None` if a name is unknown.
    pub fn open(to: &[u8], from: &[u8]) -> Option<Descriptor> {
        let (to, suffixes) = Suffixes::cut(str::from_utf8(to).ok()?);
        // Suffixes of the source are ignored, as in glibc.
        let (from, _) = Suffixes::cut(str::from_utf8(from).ok()?);
        let ((from, source), (to, target)) = (cut_surface(from), cut_surface(to));
        let mut transcoder = ExactTranscoder::new(encoding(from)?, encoding(to)?, Options::default())?;
        if [source, target] != transcoder.newlines() {
            transcoder.set_newlines([source, target]);
        }
        let mut descriptor = Descriptor {
            transcoder,
            has_omitted: false,
            transliterates: suffixes.translit,
            omits_ill_formed: suffixes.ignore,
            omits_unmappable: suffixes.ignore || suffixes.discard,
        };
        descriptor.apply();
        Some(descriptor)
    }

    /// Sets the policy of the transcoder according to the fields.
    pub fn apply(&mut self) {
        let unmappable = if self.transliterates {
            // As in glibc, //TRANSLIT takes precedence over all other requests.
            OnUnmappable::Translit(Box::new(OnUnmappable::Replace(Some("?".into()))))
        } else if self.omits_unmappable {
            OnUnmappable::Omit
        } else {
            OnUnmappable::Stop
        };
        let ill_formed = if self.omits_ill_formed { OnIllFormed::Omit } else { OnIllFormed::Stop };
        self.transcoder.options_mut().policy =
            Policy::default().ill_formed(ill_formed).unmappable(unmappable).per_byte(false);
    }

    /// Whether the output equals the input, if the input is well-formed.
    pub fn is_trivial(&self) -> bool {
        self.transcoder.is_trivial()
    }

    /// Returns the surface of a side in the numbering of libiconv: 0 is none, and 1 is z/OS Unix, which exchanges 15
    /// and 25 of EBCDIC.
    pub fn surface(&self, side: Side) -> c_uint {
        (self.transcoder.newlines()[side as usize] == EbcdicNewline::Lf).into()
    }

    /// Sets the surface of a side. Returns false if the number is unknown.
    pub fn set_surface(&mut self, side: Side, surface: c_uint) -> bool {
        let mut newlines = self.transcoder.newlines();
        newlines[side as usize] = match surface {
            0 => EbcdicNewline::Nel,
            1 => EbcdicNewline::Lf,
            _ => return false,
        };
        self.transcoder.set_newlines(newlines);
        true
    }

    /// Converts as much of `src` as fits into `dst`.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Converted {
        let mut step = self.transcoder.step(src, dst);
        step.has_omitted |= std::mem::take(&mut self.has_omitted);
        self.has_omitted = step.has_omitted && step.stop == ExactStop::SinkFull;
        Converted::of(step)
    }

    /// Writes the end of a text to `dst`, and returns to the start of a text.
    pub fn finish(&mut self, dst: &mut [u8]) -> Converted {
        self.has_omitted = false;
        Converted::of(self.transcoder.finish(dst))
    }

    /// Returns to the start of a text without writing anything.
    pub fn reset(&mut self) {
        self.has_omitted = false;
        self.transcoder.reset();
    }
}

impl Converted {
    fn of(step: ExactStep) -> Converted {
        let result = match step.stop {
            // An omission is reported as an error at the end of the source, but as in glibc and libiconv only if no
            // approximation was written.
            ExactStop::SourceEmpty if step.has_omitted && step.substituted == 0 => Err(libc::EILSEQ),
            ExactStop::SourceEmpty => Ok(step.substituted),
            ExactStop::SinkFull => Err(libc::E2BIG),
            ExactStop::Incomplete => Err(libc::EINVAL),
            ExactStop::Fault => Err(libc::EILSEQ),
        };
        Converted { read: step.read, written: step.written, result }
    }
}

/// Cuts the surface off a name. Returns the name, and the newlines that the surface means.
fn cut_surface(name: &str) -> (&str, EbcdicNewline) {
    match name.rsplit_once('/') {
        Some((name, surface)) if surface.eq_ignore_ascii_case("ZOS_UNIX") => (name, EbcdicNewline::Lf),
        _ => (name, EbcdicNewline::Nel),
    }
}

/// Returns the encoding with the given name; the empty name and `char` mean the encoding of the program's locale.
pub fn encoding(name: &str) -> Option<&'static Encoding> {
    if name.is_empty() || name.eq_ignore_ascii_case("char") {
        locale_encoding()
    } else {
        Encoding::for_name(name)
    }
}

fn locale_encoding() -> Option<&'static Encoding> {
    // SAFETY: nl_langinfo() returns a string that ends with NUL, and the string is read before the next call.
    let codeset = unsafe { CStr::from_ptr(libc::nl_langinfo(libc::CODESET)) };
    Encoding::for_name(codeset.to_str().ok()?)
}
