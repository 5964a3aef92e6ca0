//! A conversion descriptor: names become encodings, and the answers of the transcoder those of `iconv()`.

use std::ffi::{CStr, c_int, c_uint};

use utfconv_core::Suffixes;
use utfconv_core::exact::{ExactStep, ExactStop, ExactTranscoder};
use utfconv_core::{EbcdicNewline, Encoding, OnIllFormed, OnUnmappable, Options, Policy};

/// The value at a pointer of `iconv_open()`.
pub struct Descriptor {
    transcoder: ExactTranscoder,
    /// Approximate characters that the target cannot encode.
    pub transliterates: bool,
    /// Omit ill-formed bytes.
    pub omits_ill_formed: bool,
    /// Omit characters that the target cannot encode.
    pub omits_unmappable: bool,
    /// A call that ended for want of room has omitted something. The call that takes the rest reports it.
    has_omitted: bool,
}

/// One of the two encodings.
#[derive(Clone, Copy)]
pub enum Side {
    From,
    To,
}

/// The result of `iconv()`: bytes taken and written, and a count or an error number.
pub struct Converted {
    pub read: usize,
    pub written: usize,
    pub result: Result<usize, c_int>,
}

impl Descriptor {
    /// A descriptor for two names, as `iconv_open()` takes them; None if one is not known.
    pub fn open(to: &[u8], from: &[u8]) -> Option<Descriptor> {
        let (to, suffixes) = Suffixes::cut(str::from_utf8(to).ok()?);
        // Suffixes of the source mean nothing, as in glibc.
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

    /// Sets the policy of the transcoder by the fields.
    pub fn apply(&mut self) {
        let unmappable = if self.transliterates {
            // As in glibc, whatever else is asked for.
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

    /// Whether the output is the input, if that is well-formed.
    pub fn is_trivial(&self) -> bool {
        self.transcoder.is_trivial()
    }

    /// Returns the surface of one side, as libiconv numbers them: 1 is that of z/OS Unix, where 15 and 25 of EBCDIC
    /// change places.
    pub fn surface(&self, side: Side) -> c_uint {
        (self.transcoder.newlines()[side as usize] == EbcdicNewline::Lf).into()
    }

    /// Chooses it; false if there is none of that number.
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

    /// Writes the end of a text to `dst`, and starts anew.
    pub fn finish(&mut self, dst: &mut [u8]) -> Converted {
        self.has_omitted = false;
        Converted::of(self.transcoder.finish(dst))
    }

    /// Starts anew, without writing anything.
    pub fn reset(&mut self) {
        self.has_omitted = false;
        self.transcoder.reset();
    }
}

impl Converted {
    fn of(step: ExactStep) -> Converted {
        let result = match step.stop {
            // An omission is an error that does not stop the conversion. Beside an approximation it is none, as in
            // glibc and libiconv.
            ExactStop::SourceEmpty if step.has_omitted && step.substituted == 0 => Err(libc::EILSEQ),
            ExactStop::SourceEmpty => Ok(step.substituted),
            ExactStop::SinkFull => Err(libc::E2BIG),
            ExactStop::Incomplete => Err(libc::EINVAL),
            ExactStop::Fault => Err(libc::EILSEQ),
        };
        Converted { read: step.read, written: step.written, result }
    }
}

/// A name without the surface at its end, and the newlines that this means.
fn cut_surface(name: &str) -> (&str, EbcdicNewline) {
    match name.rsplit_once('/') {
        Some((name, surface)) if surface.eq_ignore_ascii_case("ZOS_UNIX") => (name, EbcdicNewline::Lf),
        _ => (name, EbcdicNewline::Nel),
    }
}

/// Returns the encoding of a name; that of the program's locale for an empty one and `char`.
pub fn encoding(name: &str) -> Option<&'static Encoding> {
    if name.is_empty() || name.eq_ignore_ascii_case("char") {
        locale_encoding()
    } else {
        Encoding::for_name(name)
    }
}

fn locale_encoding() -> Option<&'static Encoding> {
    // SAFETY: nl_langinfo() returns a string that ends with NUL, and that is only read before the next call.
    let codeset = unsafe { CStr::from_ptr(libc::nl_langinfo(libc::CODESET)) };
    Encoding::for_name(codeset.to_str().ok()?)
}
