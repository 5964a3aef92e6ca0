//! Kernels, which convert well-formed runs at full speed.
//!
//! A kernel converts a well-formed prefix of its source, not always the longest. It stops before a fault, a scalar
//! value that the target cannot encode, or a sequence that the end cuts, or when the room is full. It never reports
//! why. The transcoder's decoder determines what stopped the kernel, so kernels cannot disagree about faults.
//!
//! There is a set of kernels for each set of instructions. The portable set, in safe Rust, has all kernels. A vector
//! set has only the kernels that are faster; most work in whole blocks, and leave the rest to the portable kernels. The
//! best set that the CPU can run is used, unless [`Set::choose`] is called.
//!
//! To add a set, make a folder beside `neon/`, or in `x86/`, with a type that implements `VectorSet` (the macro
//! `vector_set!` does) and whose values prove that the processor has the instructions, and with a constructor of
//! `Stages`. Add a row to `Set::all`, `best_name` and `with_set!`, the best set first, and its name to
//! `every_set_that_the_cpu_can_run_is_tested` in `tests.rs`; every test of kernels then runs on the set. For a new
//! architecture, also add its shuffles to `generic/shuffles.rs`, and its name to the conditions in `lib.rs` and
//! `tests.rs`.

pub(crate) mod generic;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
pub(crate) mod sink;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::collections::BTreeMap;
use std::ptr;
use std::sync::{OnceLock, RwLock};

pub(crate) use generic::substituting::{Substituted, Substitutes, SubstitutingKernel};
use generic::substituting::{substituting, through_utf8};
pub use generic::{Kernel, Validator};
use generic::{VectorSet, portable, table};

use crate::encoding::Encoding;
use crate::form::{Form, with_codec, with_common_codec};
use crate::legacy::Web;
use crate::newline::EbcdicNewline;

/// A set of kernels for a set of instructions.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    name: &'static str,
    /// `None` selects the portable kernels.
    vector: Option<&'static dyn VectorSet>,
}

/// The name of the set in use.
static ACTIVE: OnceLock<&str> = OnceLock::new();

fn active_name() -> &'static str {
    ACTIVE.get_or_init(best_name)
}

/// Returns the name of the best set that the CPU can run.
fn best_name() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if x86::Avx512::<true>::detect().is_some() {
        return "avx512";
    } else if x86::Avx512::<false>::detect().is_some() {
        return "avx512bw";
    } else if x86::Avx2::detect().is_some() {
        return "avx2";
    }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    if neon::Neon::detect().is_some() {
        return "neon";
    }
    Set::PORTABLE.name
}

/// Evaluates `$body`, an `Option`, with `$set` as the vector kernels of the named set; `None` if the set has none.
/// `$body` is compiled for each set, so that kernels which `$body` does not use are not linked.
macro_rules! with_set {
    ($name:expr, $set:ident => $body:expr) => {
        match $name {
            #[cfg(target_arch = "x86_64")]
            "avx512" => match $crate::kernel::x86::Avx512::<true>::detect() {
                Some($set) => $body,
                None => None,
            },
            #[cfg(target_arch = "x86_64")]
            "avx512bw" => match $crate::kernel::x86::Avx512::<false>::detect() {
                Some($set) => $body,
                None => None,
            },
            #[cfg(target_arch = "x86_64")]
            "avx2" => match $crate::kernel::x86::Avx2::detect() {
                Some($set) => $body,
                None => None,
            },
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            "neon" => match $crate::kernel::neon::Neon::detect() {
                Some($set) => $body,
                None => None,
            },
            _ => None,
        }
    };
}
#[cfg(test)]
use with_set;

/// Returns the vector kernel of the set in use for a pair of forms, if it has one. Because the function is inlined,
/// constant forms link only the kernel of their pair.
#[inline(always)]
pub(crate) fn vector(from: Form, to: Form) -> Option<Kernel> {
    with_set!(active_name(), set => set.kernel(from, to, EbcdicNewline::default()))
}

/// Returns the kernel of the set in use for a pair of forms; `portable` is the portable kernel of the pair. See
/// [`vector`].
#[inline(always)]
pub(crate) fn direct(from: Form, to: Form, portable: Kernel) -> Kernel {
    match vector(from, to) {
        Some(vector) => vector_then_portable(vector, portable, from, to),
        None => portable,
    }
}

/// Returns a kernel that continues with `portable` where `vector` stops. Short sources of bytes need only `portable`.
pub(crate) fn vector_then_portable(vector: Kernel, portable: Kernel, from: Form, to: Form) -> Kernel {
    if can_be_filled_up(from) && can_be_filled_up(to) {
        portable::padded(vector, portable, [from.code_unit_len(), to.code_unit_len()])
    } else {
        portable::one_then_other(vector, portable, portable::SHORT)
    }
}

/// Returns the UTF-8 validator of the set in use, which finds the whole well-formed prefix.
pub(crate) fn active_utf8_validator() -> fn(&[u8]) -> usize {
    with_set!(active_name(), set => set.validator(Form::Utf8))
        .unwrap_or(encoding_rs::Encoding::utf8_valid_up_to)
}

impl Set {
    const PORTABLE: Set = Set { name: "portable", vector: None };

    /// Returns the sets that this CPU can run, the best first. To add a set, add its row here.
    pub fn all() -> &'static [Set] {
        static ALL: OnceLock<Vec<Set>> = OnceLock::new();
        ALL.get_or_init(|| {
            [
                #[cfg(target_arch = "x86_64")]
                Set::row("avx512", x86::Avx512::<true>::detect()),
                #[cfg(target_arch = "x86_64")]
                Set::row("avx512bw", x86::Avx512::<false>::detect()),
                #[cfg(target_arch = "x86_64")]
                Set::row("avx2", x86::Avx2::detect()),
                #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
                Set::row("neon", neon::Neon::detect()),
                Some(Set::PORTABLE),
            ]
            .into_iter()
            .flatten()
            .collect()
        })
    }

    /// Returns the set `name`, or `None` if its instructions were not detected.
    fn row(name: &'static str, detected: Option<impl VectorSet + 'static>) -> Option<Set> {
        detected.map(|vector| Set { name, vector: Some(Box::leak(Box::new(vector))) })
    }

    /// Returns the set with the given name.
    ///
    /// # Errors
    /// [`NotAvailable`] if there is no set of that name, or this CPU cannot run it.
    pub fn for_name(name: &str) -> Result<Set, NotAvailable> {
        Set::all().iter().copied().find(|set| set.name == name).ok_or(NotAvailable)
    }

    /// Returns the name of the set.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns the set that conversions use, which is the best set unless another set was chosen.
    pub fn active() -> Set {
        let name = active_name();
        *Set::all().iter().find(|set| set.name == name).expect("it was detected")
    }

    /// Makes all conversions use this set, for tests and benchmarks; the output is the same with any set. Choose a set
    /// once, before the first conversion.
    ///
    /// # Panics
    /// If a set is in use already.
    pub fn choose(self) {
        assert!(ACTIVE.set(self.name).is_ok(), "kernels are in use already: {}", Set::active().name);
    }

    /// Returns the kernel for a pair of encodings, in their byte order without a BOM; `None` if either has shift states.
    pub fn between(self, from: &Encoding, to: &Encoding) -> Option<Kernel> {
        self.kernel(from.form(), to.form(), EbcdicNewline::default())
    }

    /// Returns the validator for an encoding; `None` if it has shift states.
    pub fn well_formed(self, encoding: &Encoding) -> Option<Validator> {
        self.validator(encoding.form(), EbcdicNewline::default())
    }

    /// Returns the vector validator of an encoding form, if the set has one.
    fn vector_validator(self, form: Form) -> Option<fn(&[u8]) -> usize> {
        self.vector?.validator(form)
    }

    /// Returns the best validator for an encoding form; `None` if it has shift states.
    pub(crate) fn validator(self, form: Form, newline: EbcdicNewline) -> Option<Validator> {
        if form == Form::Utf8 {
            return Some(Box::new(self.utf8_validator()));
        }
        if let Form::Web(encoding) = form {
            let validator: Validator = Box::new(move |src| Web(encoding).well_formed(src));
            return (!form.is_stateful()).then_some(validator);
        }
        let portable = with_codec!(form, newline, source => Some(portable::validator(source)); _ => None)?;
        let Some(vector) = self.vector_validator(form) else { return Some(portable) };
        Some(Box::new(move |src| {
            let len = vector(src);
            len + portable(&src[len..])
        }))
    }

    /// Returns the validator of UTF-8, which finds all of a well-formed prefix.
    fn utf8_validator(self) -> fn(&[u8]) -> usize {
        self.vector_validator(Form::Utf8).unwrap_or(encoding_rs::Encoding::utf8_valid_up_to)
    }

    /// Returns the best kernel for a pair of encoding forms; `None` if either has shift states, which no kernel can
    /// follow.
    ///
    /// The kernel is direct between the common forms and from code pages. Kernels between other forms go through UTF-8,
    /// or through UTF-16 to code pages.
    pub(crate) fn kernel(self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        let direct = self.vector.and_then(|vector| {
            vector.kernel(from, to, newline).or_else(|| composing_kernel(vector, from, to))
        });
        if direct.is_none()
            && let Some(kernel) = self.kernel_through_utf16(from, to, newline)
        {
            return Some(kernel);
        }
        let portable = match portable_kernel(from, to, newline) {
            Some(portable) => portable,
            None if from == Form::Utf8 || to == Form::Utf8 => return None,
            None => {
                let first = self.kernel(from, Form::Utf8, newline)?;
                portable::in_a_row(first, self.kernel(Form::Utf8, to, newline)?)
            }
        };
        let relatives = || self.vector.and_then(|_| self.relatives_kernel(from, to, newline));
        if let Some(vector) = direct {
            return Some(vector_then_portable(vector, portable, from, to));
        }
        Some(match relatives() {
            Some(vector) => portable::one_then_other(vector, portable, portable::SHORT),
            None if (from, to) == (Form::Utf8, Form::Utf8) => portable::copy_utf8(self.utf8_validator()),
            None => portable,
        })
    }

    /// Returns the vector kernel from UTF-8 to UTF-32LE, if the set has one. The kernel may stop up to a block before
    /// the end of the text.
    pub(crate) fn code_points(self) -> Option<Kernel> {
        self.vector?.kernel(Form::Utf8, Form::Utf32Le, EbcdicNewline::default())
    }

    /// Returns the kernel from or to a code page through UTF-16LE, or `None` if another way is faster.
    fn kernel_through_utf16(self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        const BETWEEN: Form = Form::Utf16Le;
        // Code pages lack the characters that the relatives of UTF-16 and UTF-32 add, so the relatives need no limit.
        let (first, second) = match (next_of_kin(from), next_of_kin(to)) {
            (first @ Form::Page(_), second @ (Form::Utf32Le | Form::Utf32Be)) => (first, second),
            (first @ (Form::Utf16Be | Form::Utf32Le | Form::Utf32Be), second @ Form::Page(_)) => {
                (first, second)
            }
            (Form::Utf8, second @ Form::Page(_)) if from == Form::Utf8 && self.vector.is_some() => {
                (from, second)
            }
            (first, second)
                if (first, second) != (from, to) && first != Form::Utf8 && second != Form::Utf8 =>
            {
                let has_page = matches!((from, to), (Form::Page(_), _) | (_, Form::Page(_)));
                return if has_page { self.kernel(first, second, newline) } else { None };
            }
            _ => return None,
        };
        match (from, to) {
            (Form::Page(page), _) if page.reads_composites() => return None,
            (_, Form::Page(page)) if page.has_composites() => return None,
            _ => {}
        }
        let first = self.kernel(first, BETWEEN, newline)?;
        Some(portable::in_a_row(first, self.kernel(BETWEEN, second, newline)?))
    }

    /// Returns the kernel of the pair of UTFs that `from` and `to` restrict or extend, limited to text that means the
    /// same in both; `None` if there is no such pair.
    ///
    /// No limit is needed if the difference is ill-formed in the UTF, as lone surrogates of WTF-8 are.
    fn relatives_kernel(self, from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
        let kin = (next_of_kin(from), next_of_kin(to));
        let is_direct = from == Form::Utf8 || to == Form::Utf8;
        if kin == (from, to) || !is_direct {
            return None;
        }
        let kernel = self.kernel(kin.0, kin.1, newline)?;
        Some(match (from, to) {
            (Form::Mutf8, _) | (Form::Utf8, Form::Mutf8) => {
                portable::limited(kernel, |unit: [u8; 1]| unit[0] == 0 || unit[0] >= 0xF0)
            }
            (Form::Cesu8, _) | (Form::Utf8, Form::Cesu8 | Form::Ucs2Le | Form::Ucs2Be) => {
                portable::limited(kernel, |unit: [u8; 1]| unit[0] >= 0xF0)
            }
            (Form::Ucs2Le, _) => portable::limited(kernel, |unit: [u8; 2]| unit[1] & 0xF8 == 0xD8),
            (Form::Ucs2Be, _) => portable::limited(kernel, |unit: [u8; 2]| unit[0] & 0xF8 == 0xD8),
            _ => kernel,
        })
    }
}

/// Returns the kernel that conversions use for a pair of encodings, in their byte order without a BOM; `None` if either
/// has shift states. The kernel and its tables are created by the first call, and kept as long as the process runs.
///
/// ```
/// use utfconv_core::kernels::shared;
/// use utfconv_core::{UTF_8, UTF_16LE};
///
/// let (kernel, mut units) = (shared(&UTF_8, &UTF_16LE).expect("no shift states"), [0; 64]);
/// assert_eq!(kernel("日本".as_bytes(), &mut units), (6, 4));
/// ```
pub fn shared(from: &'static Encoding, to: &'static Encoding) -> Option<&'static Kernel> {
    shared_with(from, to, EbcdicNewline::default())
}

/// Returns the kernel as [`shared`] does, but for a given meaning of EBCDIC newlines.
pub(crate) fn shared_with(
    from: &'static Encoding,
    to: &'static Encoding,
    newline: EbcdicNewline,
) -> Option<&'static Kernel> {
    /// The addresses of both encodings, which are never freed, and the meaning of EBCDIC newlines.
    type Pair = (usize, usize, EbcdicNewline);
    static KERNELS: RwLock<BTreeMap<Pair, Option<&'static Kernel>>> = RwLock::new(BTreeMap::new());
    if newline == EbcdicNewline::default() {
        match (from.form(), to.form()) {
            (_, Form::Utf8) => return from.utf8_kernels().decoding(from),
            (Form::Utf8, _) => return to.utf8_kernels().encoding(to),
            _ => {}
        }
    }
    let pair = (ptr::from_ref(from).addr(), ptr::from_ref(to).addr(), newline);
    if let Some(kernel) = KERNELS.read().expect("no panic").get(&pair) {
        return *kernel;
    }
    let made = Set::active().kernel(from.form(), to.form(), newline);
    *KERNELS
        .write()
        .expect("no panic")
        .entry(pair)
        .or_insert_with(|| made.map(|kernel| &*Box::leak(Box::new(kernel))))
}

/// Whether a block can be padded with zeros after text in this form. True only if a zero code unit is U+0000, and if
/// vector kernels convert single blocks. The kernels of East Asian encodings and of pages with combining marks do not
/// convert single blocks.
fn can_be_filled_up(form: Form) -> bool {
    match form {
        Form::Page(page) => page.to_unicode[0] == 0 && !page.has_composites(),
        Form::Utf8 | Form::Latin1 | Form::Ascii => true,
        _ => form.code_unit_len() > 1,
    }
}

/// Returns the UTF that this form restricts or extends, or else the form itself.
fn next_of_kin(form: Form) -> Form {
    match form {
        Form::Cesu8 | Form::Mutf8 | Form::Wtf8 | Form::Utf8Of2279 => Form::Utf8,
        Form::Ucs2Le => Form::Utf16Le,
        Form::Ucs2Be => Form::Utf16Be,
        Form::Ucs4Le => Form::Utf32Le,
        Form::Ucs4Be => Form::Utf32Be,
        form => form,
    }
}

/// Returns the kernel from UTF-8 to a page with combining marks, if the vector set can convert UTF-8 to UTF-16LE;
/// `None` for other forms.
fn composing_kernel(vector: &dyn VectorSet, from: Form, to: Form) -> Option<Kernel> {
    match (from, to) {
        (Form::Utf8, Form::Page(page)) if page.has_composites() => {
            let widen = vector.kernel(from, Form::Utf16Le, EbcdicNewline::default())?;
            Some(generic::double_byte::utf8_to_composing(page.composing(), widen))
        }
        _ => None,
    }
}

/// Returns the portable kernel for a pair of encoding forms, if there is a direct one.
fn portable_kernel(from: Form, to: Form, newline: EbcdicNewline) -> Option<Kernel> {
    with_common_codec!(from, source => {
        with_common_codec!(to, target => return Some(portable::kernel(source, target)); _ => {})
    }; _ => {});
    if let Some(cells) = table::byte_cells(from, to, newline) {
        return Some(table::bytes_to_units::<1>(cells));
    }
    match (from, to) {
        (Form::Page(page), Form::Utf8) if !page.reads_composites() => {
            Some(table::page_to_utf8(page.page(newline)))
        }
        (Form::Page(page), Form::Utf8) => Some(table::composing_to_utf8(page.composing())),
        (Form::Page(_), Form::Utf16Le | Form::Utf16Be) => {
            Some(table::bytes_to_units::<2>(table::utf16_cells(from, to == Form::Utf16Be, newline)?))
        }
        (Form::Utf16Le, Form::Page(page)) if !page.has_composites() => {
            Some(table::utf16_to_page(page.page(newline)))
        }
        (Form::Utf8, Form::Page(page)) if !page.has_composites() => {
            Some(table::utf8_to_page(page.page(newline)))
        }
        (Form::MultiByte(tables), Form::Utf8) => Some(table::multi_byte_to_utf8(tables.get())),
        (Form::Utf8, Form::MultiByte(tables)) => Some(table::utf8_to_multi_byte(tables.get())),
        (Form::Web(encoding), Form::Utf8) if !from.is_stateful() => {
            Some(Box::new(move |src, dst| Web(encoding).decode_run(src, dst)))
        }
        (Form::Utf8, Form::Web(encoding)) if !to.is_stateful() => {
            Some(Box::new(move |src, dst| Web(encoding).encode_run(src, dst)))
        }
        (Form::Utf8, _) => {
            with_codec!(to, newline, target => Some(portable::kernel(crate::decode::Utf8, target)); _ => None)
        }
        (_, Form::Utf8) => {
            with_codec!(from, newline, source => Some(portable::kernel(source, crate::decode::Utf8)); _ => None)
        }
        _ => None,
    }
}

/// Returns the substituting kernel for a pair of encoding forms, if there is one. The target has to encode ASCII as
/// single bytes.
pub(crate) fn substituting_kernel(
    from: Form,
    to: Form,
    newline: EbcdicNewline,
) -> Option<SubstitutingKernel> {
    let utf8 = crate::decode::Utf8;
    match (from, to) {
        (Form::Utf8, Form::Ascii) => Some(substituting(utf8, crate::decode::Ascii)),
        (Form::Utf8, Form::Latin1) => Some(substituting(utf8, crate::decode::Latin1)),
        (Form::Utf8, Form::Page(page)) if page.is_ascii() && !page.has_composites() => {
            Some(substituting(utf8, page.page(newline)))
        }
        (Form::Utf8, Form::MultiByte(tables)) if tables.get().is_ascii() => {
            Some(substituting(utf8, tables.get()))
        }
        (Form::Utf8, _) => None,
        _ => {
            let second = substituting_kernel(Form::Utf8, to, newline)?;
            Some(through_utf8(Set::active().kernel(from, Form::Utf8, newline)?, second))
        }
    }
}

/// The error for a set of kernels that does not exist, or that this CPU cannot run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAvailable;

impl std::fmt::Display for NotAvailable {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("not supported by this CPU; supported:")?;
        Set::all().iter().try_for_each(|set| write!(f, " {}", set.name))
    }
}

impl std::error::Error for NotAvailable {}

/// Returns the length of the well-formed prefix of `src` in bytes.
pub(crate) fn well_formed_utf8(src: &[u8]) -> usize {
    static VALIDATOR: OnceLock<fn(&[u8]) -> usize> = OnceLock::new();
    VALIDATOR.get_or_init(active_utf8_validator)(src)
}
