//! A conversion descriptor: names become encodings, and the answers of the transcoder those of `iconv()`.

use std::ffi::{CStr, c_int};

use utfconv_core::internals::{ExactStep, ExactStop, ExactTranscoder, Suffixes};
use utfconv_core::{Encoding, OnIllFormed, OnUnmappable, Options, Policy};

/// What `iconv_open()` returns a pointer to.
pub struct Descriptor {
    transcoder: ExactTranscoder,
    /// Approximate what the target cannot encode.
    pub transliterates: bool,
    /// Omit what is ill-formed.
    pub omits_ill_formed: bool,
    /// Omit what the target cannot encode.
    pub omits_unmappable: bool,
}

/// What `iconv()` did: bytes taken and written, and its result, a count or an error number.
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
        let transcoder = ExactTranscoder::new(encoding(from)?, encoding(to)?, Options::default())?;
        let mut descriptor = Descriptor {
            transcoder,
            transliterates: suffixes.translit,
            omits_ill_formed: suffixes.ignore,
            omits_unmappable: suffixes.ignore || suffixes.discard,
        };
        descriptor.apply();
        Some(descriptor)
    }

    /// Has the transcoder follow the fields.
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
        self.transcoder.options_mut().policy = Policy { ill_formed, unmappable, per_byte: false };
    }

    /// Whether the output is the input, if that is well-formed.
    pub fn is_trivial(&self) -> bool {
        self.transcoder.is_trivial()
    }

    /// Converts as much of `src` as fits into `dst`.
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Converted {
        Converted::of(self.transcoder.step(src, dst))
    }

    /// Writes what ends a text to `dst`, and starts anew.
    pub fn finish(&mut self, dst: &mut [u8]) -> Converted {
        Converted::of(self.transcoder.finish(dst))
    }

    /// Starts anew, without writing anything.
    pub fn reset(&mut self) {
        self.transcoder.reset();
    }
}

impl Converted {
    fn of(step: ExactStep) -> Converted {
        let result = match step.stop {
            // What is omitted is an error, though it ends nothing; not beside an approximation, as in glibc and libiconv.
            ExactStop::SourceEmpty if step.has_omitted && step.substituted == 0 => Err(libc::EILSEQ),
            ExactStop::SourceEmpty => Ok(step.substituted),
            ExactStop::SinkFull => Err(libc::E2BIG),
            ExactStop::Incomplete => Err(libc::EINVAL),
            ExactStop::Fault => Err(libc::EILSEQ),
        };
        Converted { read: step.read, written: step.written, result }
    }
}

/// The encoding of a name; that of the program's locale for an empty one and `char`.
pub fn encoding(name: &str) -> Option<&'static Encoding> {
    if name.is_empty() || name.eq_ignore_ascii_case("char") {
        locale_encoding()
    } else {
        Encoding::named(name)
    }
}

fn locale_encoding() -> Option<&'static Encoding> {
    // SAFETY: nl_langinfo() returns a string that ends with NUL, and that is only read before the next call.
    let codeset = unsafe { CStr::from_ptr(libc::nl_langinfo(libc::CODESET)) };
    Encoding::named(codeset.to_str().ok()?)
}
